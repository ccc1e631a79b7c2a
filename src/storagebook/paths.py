"""Where the project's folders are, whatever the working directory."""

from __future__ import annotations

import functools
import os
from pathlib import Path

from storagebook.errors import StoragebookError

#: Names another checkout's root, for runs on a copy of the data.
ROOT_VARIABLE = "STORAGEBOOK_ROOT"


def root() -> Path:
    """The folder that holds data/, notebooks/ and book/.

    ``STORAGEBOOK_ROOT`` if set, else the checkout that this package was installed from.

    Raises
    ------
    StoragebookError
        If that folder holds no data/datapackage.json.
    """
    return _root(os.environ.get(ROOT_VARIABLE))


@functools.cache
def _root(named: str | None) -> Path:
    folder = Path(named) if named else Path(__file__).resolve().parents[2]
    if not (folder / "data" / "datapackage.json").is_file():
        raise StoragebookError(
            "no data/datapackage.json in the project's root",
            file=folder,
            hint=f"run from a checkout, or set {ROOT_VARIABLE} to one",
        )
    return folder.resolve()


def data() -> Path:
    """The folder of tables."""
    return root() / "data"


def resolve(path: str | Path) -> Path:
    """A path as given if absolute, else relative to the project's root."""
    path = Path(path).expanduser()
    return path if path.is_absolute() else root() / path


def shared() -> Path | None:
    """The folder of other people's files beside the checkout, or None where it is not at hand."""
    folder = root().parent / "shared"
    return folder if folder.is_dir() else None
