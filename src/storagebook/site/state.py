"""Whether a built site still shows its inputs: one hash over all of them.

Kept free of heavy imports: a build that has nothing to do ends before it has started.
"""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

import storagebook

#: In the site's folder: marks it as one of ours, and says what it was built from.
MARKER = ".storagebook.json"
#: Whatever of the project decides what the site shows.
INPUTS = (
    "book",
    "data",
    "notebooks",
    "pyproject.toml",
    "requirements.lock",
)
#: No parameter file is longer.
MAX_PARAMETERS_B = 1 << 20
#: The package that runs, wherever it is installed.
PACKAGE = Path(storagebook.__file__).parent
_SKIPPED = {"__pycache__", ".ipynb_checkpoints", "_build"}


def files(root: Path, names: Iterable[str] = INPUTS) -> Iterator[Path]:
    """The input files under these names, sorted; a name without a file is skipped."""
    for name in names:
        path = root / name
        if path.is_file():
            yield path
        elif path.is_dir():
            yield from sorted(
                file
                for file in path.rglob("*")
                if file.is_file() and not _SKIPPED.intersection(file.relative_to(path).parts)
            )


def digest(root: Path, extra: Iterable[Path] = (), names: Iterable[str] = INPUTS) -> str:
    """SHA-256 over names and contents of a project's inputs, and of this package.

    Parameters
    ----------
    root
        The project; names are hashed relative to it, so a copy elsewhere has the same digest.
    extra
        Further files or folders, hashed by content: what a reader's parameters point to.
    names
        Which of the project's files and folders.
    """
    total = hashlib.sha256()

    def add(label: str, content: bytes) -> None:
        total.update(hashlib.sha256(label.encode(errors="surrogateescape")).digest())
        total.update(content)

    def add_file(file: Path, folder: Path) -> None:
        # a reader's own files may be of any size
        with file.open("rb") as stream:
            add(file.relative_to(folder).as_posix(), hashlib.file_digest(stream, "sha256").digest())

    for label, text in (
        ("python", ".".join(platform.python_version_tuple()[:2])),
        ("storagebook", storagebook.__version__),
    ):
        add(label, hashlib.sha256(text.encode()).digest())
    for file in files(root, names):
        add_file(file, root)
    for path in [PACKAGE, *extra]:
        for file in files(path, [""]):
            add_file(file, path)
    return total.hexdigest()


def named_in(root: Path, file: Path) -> list[Path]:
    """The files and folders that a parameter file names, wherever they are.

    The file has not been checked yet: it is read as a stream of words, never built, so that one
    whose parts repeat each other without end costs no more than its length.
    """
    import yaml

    if not file.is_file() or file.stat().st_size > MAX_PARAMETERS_B:
        return []
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    named: list[Path] = []
    # what is no YAML is said when it is read for its values
    with suppress(ValueError, yaml.YAMLError):
        for event in yaml.parse(file.read_bytes(), Loader=loader):
            if isinstance(event, yaml.ScalarEvent) and "/" in event.value:
                # words like ~nobody/x and names that are too long name nothing
                with suppress(OSError, RuntimeError):
                    path = root / Path(event.value).expanduser()
                    named += [path] if path.exists() else []
    return named


def _listing(site: Path) -> str:
    """A hash over names and sizes of a site's files, without the marker."""
    names = sorted(
        f"{file.relative_to(site).as_posix()} {file.stat().st_size}"
        for file in site.rglob("*")
        if file.is_file() and file.name != MARKER
    )
    return hashlib.sha256("\n".join(names).encode()).hexdigest()


def write_marker(site: Path, inputs: str) -> None:
    """Record what a finished site was built from."""
    record = {"inputs": inputs, "files": _listing(site), "version": storagebook.__version__}
    (site / MARKER).write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


def is_current(site: Path, inputs: str) -> bool:
    """Whether the site is complete and was built from these inputs."""
    try:
        record = json.loads((site / MARKER).read_bytes())
    except (OSError, ValueError):
        return False
    return record.get("inputs") == inputs and record.get("files") == _listing(site)


def is_replaceable(site: Path) -> bool:
    """Whether a build may put its site here: nothing there, an empty folder, or a site of ours."""
    if not site.exists():
        return True
    return site.is_dir() and ((site / MARKER).is_file() or not any(site.iterdir()))
