"""Weather fields as objects and as files: what a field costs on either side, and what was found."""

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction

import pandas as pd

from storagebook import cells, ledger, tables, units
from storagebook.claims import Kind
from storagebook.intervals import Interval
from storagebook.io500.runs import Sentence
from storagebook.quantities import Quantity

#: The paper on Field I/O, and the section on the comparison with fdb-hammer.
FIELD_IO, FDB_HAMMER = ("004", None), ("000", ("6.3",))

_OPERATIONS = ("write", "read")
_SHARED = {
    "process": "the process alone",
    "node": "all processes of its node",
    "all": "all processes",
}
# What a step does, in the order in which the text says it.
_ACTIONS = re.compile(r"(check) existence|(creation) and (write)|(open) and (read)|(write) of")
# What a step is done to, in the text's words, and the object that stands behind it.
_OBJECTS = (
    ("Array file", "array object"),
    ("Key file", "key"),
    ("Key-Value directory", "key-value object"),
)


def _stated(table: str, quantity: str) -> Quantity:
    return cells.cell(f"{table}[quantity={quantity}].value").quantity(exact=True)


def _whole(table: str, quantity: str) -> int:
    return int(_stated(table, quantity).value.mid)


# -- operations of a field


def mapping() -> pd.DataFrame:
    """What stands for each DAOS object on a file system: ``daos``, ``file_system``, ``line``."""
    return tables.load("weather-mapping")[["daos", "file_system", "line"]]


def actions(printed: str) -> tuple[str, ...]:
    """What a step does, by its printed words.

    >>> actions("creation and write of a Key file"), actions("open and read an Array file")
    (('creation', 'write'), ('open', 'read'))
    """
    match = _ACTIONS.match(printed)
    return tuple(word for word in match.groups() if word) if match else ()


def behind(printed: str) -> str:
    """The DAOS object that a step's file or directory stands for.

    >>> behind("open and read of a Key file in a Key-Value directory")
    'key'
    """
    return next(name for words, name in _OBJECTS if words in printed)


def steps() -> pd.DataFrame:
    """The steps of writing and of reading a field where files stand for objects.

    Returns
    -------
    pandas.DataFrame
        ``operation``, ``step``, ``description``, ``shared_by`` (who works in the same directory),
        ``behind`` (the DAOS object that its file or directory stands for), ``actions`` (what the
        text names, joined) and ``count`` of them.
    """
    table = tables.load("weather-steps")
    found = table.printed.map(actions)
    return pd.DataFrame(
        {
            "operation": table.operation,
            "step": table.step,
            "description": table.description,
            "shared_by": table.shared_by.map(_SHARED),
            "behind": table.printed.map(behind),
            "actions": found.map(", ".join),
            "count": found.map(len),
        }
    )


def both_sides() -> pd.DataFrame:
    """What a field takes on DAOS and where files stand for its objects.

    The text lists the steps of the files; those of DAOS follow from its mapping, by which each step
    on an array or a key file stands for one call, and one on a directory for none that it names.

    Returns
    -------
    pandas.DataFrame
        A row an operation: ``operation``; ``arrays`` and ``keys`` (calls on DAOS) and ``calls``
        (both); ``steps``, ``checks`` among them and ``file_actions``.
    """
    every = steps()
    rows = []
    for operation in _OPERATIONS:
        own = every[every.operation == operation]
        arrays, keys = (int((own.behind == name).sum()) for name in ("array object", "key"))
        checks = int((own.actions == "check").sum())
        total = int(own["count"].sum())
        rows.append((operation, arrays, keys, arrays + keys, len(own), checks, total))
    columns = ["operation", "arrays", "keys", "calls", "steps", "checks", "file_actions"]
    return pd.DataFrame(rows, columns=columns)


def fields_per_gib() -> int:
    """How many fields of the stated size a GiB holds."""
    gib = Quantity(Interval.point(1), "GiB", "1 GiB")
    return int((gib / _stated("ecmwf", "field")).value.mid)


def by_sharing() -> pd.DataFrame:
    """The steps of a field by who works in the same directory.

    Returns
    -------
    pandas.DataFrame
        ``where`` (operation and who shares), ``shared_by``, ``steps`` of a field, and
        ``steps_per_gib`` of fields; without those that are none.
    """
    counted = steps().groupby(["operation", "shared_by"], sort=False).size()
    rows = []
    for operation in _OPERATIONS:
        for key, who in _SHARED.items():
            if (operation, who) in counted.index:
                count = int(counted[operation, who])
                how = "not shared" if key == "process" else f"shared by {who}"
                rows.append((f"{operation}: {how}", who, count, count * fields_per_gib()))
    return pd.DataFrame(rows, columns=["where", "shared_by", "steps", "steps_per_gib"])


def said_of_steps(frame: pd.DataFrame) -> list[Sentence]:
    """How many operations the fields of a bandwidth make.

    Parameters
    ----------
    frame
        As `both_sides` gives it.
    """
    field = _stated("ecmwf", "field")
    fields = fields_per_gib()
    write, read = (frame[frame.operation == name].iloc[0] for name in _OPERATIONS)
    return [
        (
            "By the text, a field written takes {write_calls} calls on DAOS, and {write_steps} "
            "steps with {write_actions} named actions on files; a field read takes {read_calls} "
            "calls, and {read_steps} steps with {read_actions} actions. The text says “usually”: "
            "single fields may take more or fewer.",
            {
                "write_calls": int(write.calls),
                "write_steps": int(write.steps),
                "write_actions": int(write.file_actions),
                "read_calls": int(read.calls),
                "read_steps": int(read.steps),
                "read_actions": int(read.file_actions),
            },
        ),
        (
            "Each step that moves the field itself comes with {write_other} others in writing and "
            "{read_other} in reading. At {field} a field, every GiB/s is {fields:,} fields a "
            "second: {write:,} actions on files to write them, {read:,} to read them. A file "
            "system that has no bandwidth problem with that may have one with its metadata.",
            {
                "write_other": int(write.steps - write.arrays),
                "read_other": int(read.steps - read.arrays),
                "field": field.text,
                "fields": fields,
                "write": fields * int(write.file_actions),
                "read": fields * int(read.file_actions),
            },
        ),
    ]


# -- what was found


def said_of_bandwidths() -> list[Sentence]:
    """How many bandwidths the two texts give."""
    told = [
        one
        for source, sections in (FIELD_IO, FDB_HAMMER)
        for one in ledger.of(source, sections)
        if one.claim.kind is Kind.NUMBER and units.same_kind(one.claim.unit, "B/s")
    ]
    first, second = (
        len(ledger.of(source, sections)) for source, sections in (FIELD_IO, FDB_HAMMER)
    )
    return [
        (
            "Of {first} claims of source 004 and {second} of section 6.3, {told} give a bandwidth: "
            "what was measured stands in the papers' figures, which are not in the texts at hand. "
            "Nothing is drawn here in their place; the [sources](91-sources.ipynb) say where to "
            "look.",
            {"first": first, "second": second, "told": len(told) or "none"},
        )
    ]


def scale() -> pd.DataFrame:
    """How large the runs with fdb-hammer were, at both ends.

    Returns
    -------
    pandas.DataFrame
        ``servers``, ``lustre_servers`` (with the metadata server), ``clients`` (at the best ratio),
        ``least_procs`` and ``most_procs``, and ``writing`` (clients that write under contention).
    """
    ratio = _whole("ecmwf", "clients-per-server")
    share = _stated("weather-fields", "writing-share").to("1").value.mid
    rows = []
    for end in ("servers-least", "servers-most"):
        servers = _whole("ecmwf", end)
        clients = servers * ratio
        rows.append(
            (
                servers,
                servers + _whole("ecmwf", "lustre-metadata-servers"),
                clients,
                clients * _whole("ecmwf", "procs-low"),
                clients * _whole("ecmwf", "procs-high"),
                int(clients * share),
            )
        )
    columns = ["servers", "lustre_servers", "clients", "least_procs", "most_procs", "writing"]
    return pd.DataFrame(rows, columns=columns)


def _contention() -> Interval:
    """DAOS over Lustre while others read, from how far Lustre is below it."""
    loss = cells.cell("ecmwf[quantity=contention-loss].value").quantity()
    return 1 / (1 - loss.to("1").value)


def findings() -> pd.DataFrame:
    """What section 6.3 says of each case, whoever is ahead.

    Returns
    -------
    pandas.DataFrame
        ``case``, ``ahead``, ``said``, ``times`` (how many times the other, where the text has a
        figure) and ``line``.
    """
    loss = cells.cell("ecmwf[quantity=contention-loss].value")
    decline = cells.cell("ecmwf[quantity=decline-from].value")
    lists = cells.cell("ecmwf[quantity=list-ratio].value")
    times = float(1 / (1 - loss.quantity(exact=True).to("1").value.mid))
    rows = [
        ("both, no contention", "DAOS", "alike, DAOS slightly ahead", None, 498),
        ("writing alone", "Lustre", "Lustre even better", None, 498),
        (
            "writing while others read",
            "DAOS",
            f"Lustre about {loss.text} {loss.unit} below",
            times,
            loss.line,
        ),
        (
            f"the same, from server {decline.text} on",
            "DAOS",
            "Lustre falls, DAOS goes on almost in proportion",
            None,
            decline.line,
        ),
        (
            "list()",
            "Lustre",
            f"POSIX {lists.text} times as fast, at every number of servers",
            float(lists.quantity(exact=True).value.mid),
            lists.line,
        ),
    ]
    return pd.DataFrame(rows, columns=["case", "ahead", "said", "times", "line"])


def said_of_findings(frame: pd.DataFrame) -> list[Sentence]:
    """The two factors of the text beside each other."""
    least, most = _contention().floats()
    told = frame[frame.times.notna()]
    alike = told.times.round(1).nunique() == 1
    return [
        (
            "A figure stands with {told} of {cases} cases: {loss} below is {factor:.1f} "
            "times the other way round ({least:.1f} to {most:.1f}, as the text says about), and "
            "list() is {lists:.0f} times as fast. "
            + (
                "The factor of the case that speaks for DAOS and of the one that speaks for Lustre "
                "is the same."
                if alike
                else "The factors differ."
            ),
            {
                "cases": len(frame),
                "told": len(told),
                "loss": "about {} {}".format(*_text("contention-loss")),
                "factor": float(told.times.iloc[0]),
                "least": least,
                "most": most,
                "lists": float(told.times.iloc[-1]),
            },
        )
    ]


def _text(quantity: str) -> tuple[str, str]:
    found = cells.cell(f"ecmwf[quantity={quantity}].value")
    return found.text, found.unit


def list_reads(entries: Iterable[int]) -> pd.DataFrame:
    """Requests that load an index of so many entries, by what the text says of each backend.

    POSIX keeps the entries of a group in one file and reads it at once; DAOS gets each by itself.

    Returns
    -------
    pandas.DataFrame
        ``entries``, ``backend``, ``requests``.
    """
    rows = [
        row
        for count in entries
        for row in ((count, "POSIX: one file", 1), (count, "DAOS: one get each", count))
    ]
    return pd.DataFrame(rows, columns=["entries", "backend", "requests"])


def said_of_list(entries: Iterable[int]) -> list[Sentence]:
    """What requests alone would make of list(), against the factor that the text tells."""
    lists = _stated("ecmwf", "list-ratio").value.mid
    most = max(entries)
    return [
        (
            "If requests alone made the time, {most:,} entries would take DAOS {most:,} times as "
            "long. The text tells {factor:.0f}, whatever the number of servers. So either gets run "
            "side by side, or most of the time goes elsewhere, or groups are small: how many "
            "entries a group has is not told, nor the share of round trips in the time.",
            {"most": most, "factor": float(Fraction(lists))},
        )
    ]
