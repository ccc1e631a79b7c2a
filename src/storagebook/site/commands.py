"""`storagebook build` and `storagebook refresh`.

The imports stand in the functions: a build that has nothing to do is over in a moment.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from storagebook import paths
from storagebook.errors import StoragebookError

DEFAULT_PARAMETERS = "params/default.yml"
DEFAULT_SITE = "_build/html"


@contextmanager
def _progress(steps: int, label: str) -> Iterator[Callable[[str], None]]:
    """A bar on a terminal, a line for each step elsewhere."""
    if not sys.stdout.isatty():
        yield lambda text: click.echo(f"  {text}")
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    with Progress(*columns) as bar:
        task = bar.add_task(label, total=steps)

        def step(text: str) -> None:
            bar.console.print(f"  {text}", markup=False, highlight=False)
            bar.advance(task)

        yield step


def read_parameters(*files: Path) -> dict[str, dict[str, Any]]:
    """The parameters of all files, of two values the later one's.

    Raises
    ------
    StoragebookError
        If a file is missing, or names something unknown, mistyped or out of range.
    """
    from storagebook import parameters

    merged: dict[str, dict[str, Any]] = {}
    for file in files:
        for notebook, values in parameters.load_file(file).items():
            merged.setdefault(notebook, {}).update(values)
    return merged


def inputs_digest(root: Path, files: list[Path]) -> str:
    """Digest of all that a build depends on.

    A parameter file is read without its checks here, which take as long as a whole build that has
    nothing to do: one that was built with has passed them.
    """
    from storagebook.site import state

    named = [path for file in files for path in state.named_in(root, file)]
    return state.digest(root, extra=[*files, *named])


@click.command()
@click.option(
    "--params",
    type=click.Path(path_type=Path),
    help="YAML file of parameters, notebook by notebook; what it leaves out keeps the default.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    help=f"Folder of the site: new, empty or built before.  [default: {DEFAULT_SITE}]",
)
def build(params: Path | None, output: Path | None) -> None:
    """Run every notebook and build the site.

    Nothing is done if nothing has changed. If something fails, the site that was there stays as it
    was.
    """
    from storagebook.site import state

    root = paths.root()
    site = (root / DEFAULT_SITE if output is None else output).resolve()
    files = [root / DEFAULT_PARAMETERS]
    if params is not None:
        if not params.is_file():
            raise StoragebookError("no such parameter file", file=params)
        files.append(params.resolve())
    inputs = inputs_digest(root, files)
    if not state.is_current(site, inputs):
        values = read_parameters(*files)
        from storagebook.site import assemble

        notebooks = assemble.notebook_paths(root)
        click.echo(f"Building from {_count(len(notebooks), 'notebook')}")
        with _progress(len(notebooks) + 2, "build") as step:
            assemble.build(root, site, values, inputs=inputs, step=step)
    else:
        click.echo("Nothing has changed")
    click.echo(f"Open {_shown(site / 'index.html')}")


def _count(number: int, what: str) -> str:
    return f"{number or 'no'} {what}{'' if number == 1 else 's'}"


def _shown(path: Path) -> str:
    """A path as short as it can be typed from here."""
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else str(path)


def _rebuild_tables(root: Path) -> list[Any]:
    """The numbers that moved in data/derived/, rebuilt if the raw files are at hand."""
    from storagebook.site import refresh as comparing

    if paths.shared() is None:
        click.echo("No ../shared: the derived tables stay as they are")
        return []
    from storagebook import derive

    def tables() -> dict[Path, str]:
        folder = root / "data" / "derived"
        return {path: path.read_text(encoding="utf-8") for path in folder.glob("*.csv")}

    before = tables()
    derive.write()
    return comparing.moved_in_tables(before, tables())


def _chosen(notebooks: list[Path], names: tuple[str, ...]) -> list[Path]:
    """The notebooks of those names, or all if none is given."""
    if unknown := sorted({*names} - {path.stem for path in notebooks}):
        known = ", ".join(path.stem for path in notebooks)
        raise StoragebookError(f"no notebook is named {unknown[0]!r}", hint=f"there are {known}")
    return [path for path in notebooks if not names or path.stem in names]


@click.command()
@click.argument("notebooks", nargs=-1, metavar="[NOTEBOOK]...")
def refresh(notebooks: tuple[str, ...]) -> None:
    """Rebuild the derived tables, run the committed notebooks in place, print what moved.

    Derived tables are rebuilt where the raw result files are at hand; notebooks run with their own
    default parameters. With names (12-redundancy-cost) only those run, and no table is rebuilt.
    """
    from storagebook.site import assemble, execute
    from storagebook.site import refresh as comparing

    root = paths.root()
    chosen = _chosen(assemble.notebook_paths(root), notebooks)
    changes = [] if notebooks else _rebuild_tables(root)
    before = {path: execute.read_notebook(path) for path in chosen}
    with _progress(len(chosen), "refresh") as step:
        after = execute.execute_all(
            {path: {} for path in chosen},
            folder=root,
            done=lambda path: step(f"ran {path.stem}"),
        )
    for path, notebook in after.items():
        changes += comparing.moved_in_notebook(path.stem, before[path], notebook)
        execute.write_text(path, execute.to_text(notebook))
    for change in changes:
        click.echo(str(change))
    click.echo(f"{_count(len(changes), 'number')} moved")
