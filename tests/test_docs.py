"""What a newcomer reads names everything there is."""

import re
from pathlib import Path

import pytest

from storagebook.cli import COMMANDS, storagebook

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "storagebook"
ROOMS = sorted(
    path.stem
    for path in PACKAGE.iterdir()
    if not path.name.startswith("_") and (path.suffix == ".py" or (path / "__init__.py").is_file())
)
TARGETS = re.findall(r"^([a-z]+):.*##", (ROOT / "Makefile").read_text(), re.M)


def test_there_is_something_to_document():
    assert {"units", "io500", "readers"} <= set(ROOMS)
    assert {"book", "test"} <= set(TARGETS)


@pytest.mark.parametrize("room", ROOMS)
def test_every_module_has_its_place_in_the_guide(room):
    assert re.search(rf"`{room}/?`", (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"))


@pytest.mark.parametrize("module", sorted(PACKAGE.rglob("*.py")), ids=lambda p: p.stem)
def test_every_module_says_what_it_is_for(module):
    first = module.read_text(encoding="utf-8").splitlines()[0]
    assert re.match(r'"""\S.{10,}', first), first


@pytest.mark.parametrize("target", TARGETS)
def test_every_make_target_is_in_the_readme_or_the_guide(target):
    texts = [(ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "CONTRIBUTING.md")]
    assert any(f"make {target}" in text or f"`make {target}`" in text for text in texts)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_is_in_the_readme(command):
    assert f"storagebook {command}" in (ROOT / "README.md").read_text(encoding="utf-8")
    assert storagebook.get_command(None, command).help


def test_every_make_target_that_a_text_names_exists():
    texts = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "book").glob("*.md")]
    named = {
        target
        for text in texts
        for target in re.findall(r"`make ([a-z]+)", text.read_text(encoding="utf-8"))
    }
    assert named
    assert named <= set(TARGETS)
