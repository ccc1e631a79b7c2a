"""Tidy measurements: what every reader gives, whatever the tool wrote.

One row is one figure of one tool, with its unit, its definition, its place in the file and the
settings under which it was made. Nothing is implicit: a figure that the tool did not measure has no
row, a figure that this package computed says so.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    import pandas as pd

#: How a figure was obtained; the first three of the design's closed list apply to files.
Obtained = Literal["raw-output", "published-table", "computed"]
#: A parameter's value.
Setting = str | int | float | bool


@dataclass(frozen=True, kw_only=True)
class Measurement:
    """One figure.

    Attributes
    ----------
    tool, version
        What wrote the file: ``ior``, ``mdtest``, ``fio``, ``io500`` …, and its version as printed
        (empty where it prints none).
    run
        Which run of the file or folder, e.g. ``submission-0688/2023.11.07-03.43.32``.
    operation
        ``write``, ``read``, ``stat``, a phase's name …
    quantity
        What is measured, by its definition: ``bandwidth``, ``rate``, ``latency_mean`` …
    value, unit
        The figure and its canonical unit (`storagebook.units.canonical`).
    printed
        The figure as the file prints it; empty for a computed one.
    statistic
        ``single`` for one repetition, else ``max``, ``min``, ``mean``, ``stddev``, ``p99`` …
    scope
        What the figure covers: ``all``, ``rank``, ``host``, ``job``, ``group``.
    iteration
        Which repetition, counted from 0; None where the figure is over all.
    valid
        False if the tool says that the figure does not count; None if it says nothing.
    obtained
        Closed list, see `Obtained`.
    file, line
        Where it stands; the line counts from 1, None in a file without lines (JSON).
    settings
        Parameters under which it was made, unit in each key: ``transfer_b``, ``block_b``,
        ``tasks``, ``nodes``, ``api``, ``queue_depth`` …
    """

    tool: str
    version: str
    run: str
    operation: str
    quantity: str
    value: float
    unit: str
    printed: str = ""
    statistic: str = "single"
    scope: str = "all"
    iteration: int | None = None
    valid: bool | None = None
    obtained: Obtained = "raw-output"
    file: str
    line: int | None = None
    settings: dict[str, Setting] = field(default_factory=dict)


def frame(measurements: Iterable[Measurement]) -> pd.DataFrame:
    """Measurements as a table: one row each, one column a setting that any of them has.

    Returns
    -------
    pandas.DataFrame
        The attributes of `Measurement` in their order, then the settings' columns, sorted.
    """
    import pandas as pd

    rows = list(measurements)
    names = [f.name for f in fields(Measurement) if f.name != "settings"]
    settings = sorted({key for row in rows for key in row.settings})
    table = pd.DataFrame(
        [
            [*(getattr(row, name) for name in names), *(row.settings.get(k) for k in settings)]
            for row in rows
        ],
        columns=[*names, *settings],
    )
    return table.astype({"iteration": "Int64", "line": "Int64", "valid": "boolean"})
