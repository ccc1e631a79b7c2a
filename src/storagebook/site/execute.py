"""Run notebooks with papermill, the same way everywhere, to the same bytes."""

from __future__ import annotations

import ast
import os
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import nbformat
import papermill
from jupyter_client.kernelspec import NoSuchKernel
from nbclient.exceptions import CellTimeoutError, DeadKernelError
from nbformat import ValidationError
from papermill.exceptions import PapermillException, PapermillExecutionError
from traitlets.config import Config

from storagebook.errors import StoragebookError, one_line
from storagebook.paths import ROOT_VARIABLE

#: Two fill a laptop's or a CI runner's cores without starving the kernels.
WORKERS = 2
#: Seconds for one cell; the whole book takes less.
CELL_TIMEOUT_S = 300
KERNEL = "python3"
PARAMETERS_TAG = "parameters"
INJECTED_TAG = "injected-parameters"

#: What nbformat raises for other files; it looks into them before it validates them.
_NOT_A_NOTEBOOK = (OSError, ValueError, KeyError, TypeError, AttributeError, ValidationError)
_METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": KERNEL},
    "language_info": {"name": "python"},
}


def read_notebook(path: Path) -> nbformat.NotebookNode:
    """A notebook of format 4.

    Raises
    ------
    StoragebookError
        If the file cannot be read, or is no notebook.
    """
    try:
        notebook = nbformat.read(path, as_version=4)
        nbformat.validate(notebook)
    except _NOT_A_NOTEBOOK as error:
        raise StoragebookError(f"not a notebook: {_first_line(error)}", file=path) from error
    return notebook


def assigned(notebook: nbformat.NotebookNode, tag: str) -> dict[str, Any]:
    """Name → value of the literals that the cell with this tag assigns; empty if there is none."""
    for cell in notebook.cells:
        if tag in cell.metadata.get("tags", []):
            return {
                target.id: ast.literal_eval(statement.value)
                for statement in ast.parse(cell.source).body
                if isinstance(statement, ast.Assign)
                for target in statement.targets
                if isinstance(target, ast.Name)
            }
    return {}


def execute(path: Path, parameters: Mapping[str, Any]) -> nbformat.NotebookNode:
    """A notebook run with these parameters in place of its defaults, normalised.

    Raises
    ------
    StoragebookError
        Naming notebook, cell and reason: a cell raises or prints to stderr, the kernel dies, a
        parameter is unknown.
    """
    notebook = read_notebook(path)
    known = assigned(notebook, PARAMETERS_TAG)
    if unknown := sorted(set(parameters) - set(known)):
        raise StoragebookError(
            f"no parameter {', '.join(unknown)}",
            file=path,
            hint=f"it has {', '.join(sorted(known)) or 'none'}",
        )
    changed = {k: v for k, v in parameters.items() if (type(v), v) != (type(known[k]), known[k])}
    try:
        with tempfile.TemporaryDirectory(prefix="kernel-") as sockets:
            result = papermill.execute_notebook(
                str(path),
                None,
                parameters=changed,
                kernel_name=KERNEL,
                progress_bar=False,
                execution_timeout=CELL_TIMEOUT_S,
                # sockets in a private folder: nobody else on the machine can talk to the kernel
                config=Config({"KernelManager": {"transport": "ipc", "ip": f"{sockets}/s"}}),
                extra_arguments=["--log-level=CRITICAL"],
            )
    except PapermillExecutionError as error:
        kind = "" if error.ename == StoragebookError.__name__ else f"{error.ename}: "
        raise StoragebookError(
            f"cell {error.cell_index + 1} ({_summary(error.source)}) fails: {kind}{error.evalue}",
            file=path,
        ) from error
    except (CellTimeoutError, DeadKernelError, NoSuchKernel, PapermillException) as error:
        raise StoragebookError(f"cannot be run: {_first_line(error)}", file=path) from error
    _refuse_stderr(result, path)
    return normalise(result, ids=[cell.get("id") for cell in notebook.cells])


def _first_line(error: BaseException) -> str:
    return str(error).strip().partition("\n")[0] or type(error).__name__


def _summary(source: str) -> str:
    """A cell's first line that does something."""
    lines = [line.strip() for line in source.splitlines()]
    return one_line(next((li for li in lines if li and not li.startswith("#")), "empty"), 60)


def _refuse_stderr(notebook: nbformat.NotebookNode, path: Path) -> None:
    for number, cell in enumerate(notebook.cells, 1):
        for output in cell.get("outputs", []):
            if output.output_type == "stream" and output.name == "stderr":
                raise StoragebookError(
                    f"cell {number} ({_summary(cell.source)}) prints to stderr: "
                    f"{output.text.strip()}",
                    file=path,
                )


def normalise(
    notebook: nbformat.NotebookNode, ids: Sequence[str | None] = ()
) -> nbformat.NotebookNode:
    """A notebook without what differs between two runs: times, versions, random ids.

    Parameters
    ----------
    notebook
        Changed in place.
    ids
        Cell ids to keep; any other cell is named by its position or as papermill's injected cell.
    """
    keep = {cell_id for cell_id in ids if cell_id}
    notebook.metadata = nbformat.from_dict(_METADATA)
    for position, cell in enumerate(notebook.cells, 1):
        tags = cell.metadata.get("tags", [])
        cell.metadata = nbformat.from_dict({"tags": tags} if tags else {})
        if INJECTED_TAG in tags:
            cell.id = INJECTED_TAG
        elif cell.get("id") not in keep:
            cell.id = f"cell-{position}"
        if cell.cell_type == "code":
            cell.outputs = _merged_streams(cell.outputs)
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    return notebook


def _merged_streams(outputs: list[nbformat.NotebookNode]) -> list[nbformat.NotebookNode]:
    """Neighbouring pieces of one stream as one: where they break is a matter of timing."""
    merged: list[nbformat.NotebookNode] = []
    for output in outputs:
        last = merged[-1] if merged else None
        if output.output_type == "stream" and last and last.get("name") == output.name:
            last.text += output.text
        else:
            merged.append(output)
    return merged


def to_text(notebook: nbformat.NotebookNode) -> str:
    """The bytes of a notebook's file, as text."""
    return nbformat.writes(notebook) + "\n"


def write_text(path: Path, text: str) -> None:
    """Write a file in one step: it is there complete, or not at all."""
    with tempfile.NamedTemporaryFile(
        "w", dir=path.parent, prefix=f".{path.name}.", encoding="utf-8", newline="\n", delete=False
    ) as file:
        file.write(text)
    temporary = Path(file.name)
    try:
        temporary.chmod(0o644)
        temporary.replace(path)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise


@contextmanager
def _kernel_environment(folder: Path) -> Iterator[None]:
    """Kernels that start in the project's root, untouched by the user's own IPython set-up."""
    with tempfile.TemporaryDirectory(prefix="storagebook-") as scratch:
        wanted = {
            ROOT_VARIABLE: str(folder),
            "IPYTHONDIR": f"{scratch}/ipython",
            "JUPYTER_RUNTIME_DIR": f"{scratch}/run",
            "JUPYTER_PREFER_ENV_PATH": "1",
            "PYTHONHASHSEED": "0",
        }
        before = {name: os.environ.get(name) for name in wanted}
        home = Path.cwd()
        os.environ.update(wanted)
        os.chdir(folder)
        try:
            yield
        finally:
            with suppress(FileNotFoundError):
                os.chdir(home)
            for name, value in before.items():
                os.environ.pop(name, None) if value is None else os.environ.update({name: value})


def execute_all(
    jobs: Mapping[Path, Mapping[str, Any]],
    *,
    folder: Path,
    workers: int = WORKERS,
    done: Callable[[Path], None] = lambda path: None,
) -> dict[Path, nbformat.NotebookNode]:
    """Notebooks run side by side.

    Parameters
    ----------
    jobs
        Notebook → its parameters.
    folder
        The project's root, where the kernels start.
    done
        Called with each notebook that has run.

    Raises
    ------
    StoragebookError
        Of the first notebook, in the order given, that failed; what has not started by then is
        not started.
    """

    def run(path: Path) -> nbformat.NotebookNode:
        notebook = execute(path, jobs[path])
        done(path)
        return notebook

    with _kernel_environment(folder), ThreadPoolExecutor(workers) as pool:
        futures = {path: pool.submit(run, path) for path in jobs}
        wait(futures.values(), return_when=FIRST_EXCEPTION)
        for future in futures.values():
            future.cancel()
        wait(futures.values())
        for future in futures.values():
            if not future.cancelled():
                future.result()
        return {path: future.result() for path, future in futures.items()}
