"""`storagebook`: a thin face on the package.

Each command is imported when it is called, so that none waits for another's libraries. To add one,
write a click command and name it in `COMMANDS`.
"""

from __future__ import annotations

import importlib
import os
import sys

import click

from storagebook import __version__
from storagebook.errors import StoragebookError, one_line

#: Name of a command → module and attribute that hold it.
COMMANDS: dict[str, tuple[str, str]] = {
    "score": ("storagebook.readers.commands", "score"),
    "ingest": ("storagebook.readers.commands", "ingest"),
    "compare": ("storagebook.io500.commands", "compare"),
    "diff": ("storagebook.io500.commands", "diff"),
    "claims": ("storagebook.checks.commands", "claims"),
    "build": ("storagebook.site.commands", "build"),
    "refresh": ("storagebook.site.commands", "refresh"),
}

#: Exit codes.
FINE, WRONG_DATA, NOT_DONE = 0, 1, 2
_STOPPED, _PIPE_CLOSED = 130, 141
#: Set to anything, it shows where in the package an unexpected error came from.
TRACEBACK_VARIABLE = "STORAGEBOOK_TRACEBACK"


class _Commands(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module, attribute = COMMANDS[cmd_name]
        command: click.Command = getattr(importlib.import_module(module), attribute)
        return command


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="storagebook")
def storagebook() -> None:
    """Storage performance, recomputed.

    Exit codes: 0 fine, 1 something is wrong in the data, 2 it could not be done.
    """


def main() -> None:
    """Run the command line; every error is one line on stderr."""
    _open_streams()
    try:
        # without click's own handling, a command's result is its exit code
        code = storagebook.main(standalone_mode=False)
        sys.stdout.flush()
    except click.exceptions.Exit as stop:
        code = stop.exit_code
    except (click.Abort, KeyboardInterrupt):
        code = _fail("stopped", _STOPPED)
    except click.ClickException as error:
        code = _fail(error.format_message(), NOT_DONE)
    except StoragebookError as error:
        code = _fail(error, NOT_DONE)
    except BrokenPipeError:
        # whoever read the output has enough
        _drop_output()
        code = _PIPE_CLOSED
    except Exception as error:
        if os.environ.get(TRACEBACK_VARIABLE):
            raise
        code = _fail(_told(error), NOT_DONE)
    sys.exit(code if isinstance(code, int) else FINE)


def _open_streams() -> None:
    """Stand in for streams that the caller has closed: Python then has None for them."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_WRONLY), "w"))


def _drop_output() -> None:
    """Send what is still to be written nowhere: Python would complain once more while it leaves."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _told(error: Exception) -> object:
    """What to say of an error that nothing else has put into words."""
    if not isinstance(error, OSError) or error.strerror is None:
        what = f"unexpected {type(error).__name__}: {error}"
        return f"{what} — set {TRACEBACK_VARIABLE}=1 to see where"
    try:
        sys.stdout.flush()
    except OSError as output:
        _drop_output()
        return f"the output cannot be written: {output.strerror}"
    # a full disk, a folder that may not be written to: the machine's trouble, not the package's
    return StoragebookError(f"cannot read or write: {error.strerror}", file=error.filename)


def _fail(what: object, code: int) -> int:
    click.echo(f"storagebook: {one_line(what)}", err=True)
    return code
