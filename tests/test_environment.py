"""environment.yml, pyproject.toml and requirements.lock say the same."""

import ast
import re
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
ENVIRONMENT = yaml.safe_load((ROOT / "environment.yml").read_text())
CI = yaml.safe_load((ROOT / ".github" / "workflows" / "ci.yml").read_text())


def locked(text: str) -> dict[str, list[str]]:
    """Package → its locked versions; more than one where they depend on Python's version."""
    versions: dict[str, list[str]] = {}
    for name, version in re.findall(r"^([A-Za-z0-9._-]+)==([^ ;\\]+)", text, re.MULTILINE):
        versions.setdefault(canonicalize_name(name), []).append(version)
    return versions


LOCK_TEXT = (ROOT / "requirements.lock").read_text()
LOCK = locked(LOCK_TEXT)


def direct() -> list[str]:
    project = PROJECT["project"]
    extras = project["optional-dependencies"].values()
    return [*project["dependencies"], *(line for extra in extras for line in extra)]


@pytest.mark.parametrize("line", [*direct(), *PROJECT["build-system"]["requires"]])
def test_lock_satisfies_every_direct_dependency(line):
    requirement = Requirement(line)
    versions = LOCK.get(canonicalize_name(requirement.name))
    assert versions, f"{line} is not in requirements.lock"
    assert all(requirement.specifier.contains(v) for v in versions), f"{line}: locked {versions}"


def test_a_lock_that_lags_behind_is_noticed():
    assert not Requirement("pandas>=3.1").specifier.contains(
        locked("pandas==2.0 \\\n")["pandas"][0]
    )


def test_every_locked_package_has_a_hash():
    blocks = re.split(r"^(?=[A-Za-z0-9])", LOCK_TEXT, flags=re.MULTILINE)
    without = [
        block.split()[0] for block in blocks if block.strip() and "--hash=sha256:" not in block
    ]
    assert without == []


def test_lock_names_no_machine_or_registry():
    assert not re.search(r"https?://|file:|index-url|find-links", LOCK_TEXT)


def python_of(environment: dict) -> SpecifierSet:
    line = next(d for d in environment["dependencies"] if str(d).startswith("python"))
    return SpecifierSet(line.removeprefix("python"))


def test_python_is_the_same_everywhere():
    wanted = SpecifierSet(PROJECT["project"]["requires-python"])
    assert python_of(ENVIRONMENT) == wanted
    tested = CI["jobs"]["check"]["strategy"]["matrix"]["python"]
    assert tested == [f"3.{minor}" for minor in range(8, 20) if wanted.contains(f"3.{minor}.0")]
    makefile = (ROOT / "Makefile").read_text()
    ranges = set(
        re.findall(r"\((\d+), (\d+)\) <= sys\.version_info\[:2\] <= \((\d+), (\d+)\)", makefile)
    )
    assert ranges == {("3", "11", "3", "13")}
    assert [wanted.contains(v) for v in ("3.10.9", "3.11.0", "3.13.9", "3.14.0")] == [
        False,
        True,
        True,
        False,
    ]


def test_conda_takes_its_packages_from_the_lock():
    (pip,) = (d["pip"] for d in ENVIRONMENT["dependencies"] if isinstance(d, dict))
    assert pip == ["--requirement requirements.lock"]
    assert "pip" in ENVIRONMENT["dependencies"]


def imported(folder: str) -> set[str]:
    """The top-level modules that the files of a folder import, but for Python's own."""
    found = set()
    for file in (ROOT / folder).rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                found |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                found.add(node.module.partition(".")[0])
    return found - sys.stdlib_module_names


def test_every_import_of_the_package_is_a_direct_dependency():
    declared = {canonicalize_name(Requirement(line).name) for line in direct()}
    providers = metadata.packages_distributions()
    undeclared = {
        module
        for module in imported("src") - {"storagebook"}
        if not declared & {canonicalize_name(name) for name in providers.get(module, [])}
    }
    assert undeclared == set()
