"""Which files make up an MLPerf Storage result, told from their paths alone.

Submitters lay out their trees as they like: ``results/<system>/run_1``,
``results/<system>/<workload>/<accelerator>/runs/run-1/<host>``,
``results/<system>/training/<model>/run/<timestamp>``. Common to all is that the runs of one result
are sibling folders, with a number or a time in their names; which level of the tree that is shows
in how many such siblings it has.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from storagebook.errors import one_line

Role = Literal["summary", "report", "overrides", "config", "metadata", "system", "side-car"]
Parts = tuple[str, ...]

DIVISIONS = ("closed", "open")

_REPORT = re.compile(r"mlperf[-_]storage[-_]report.*\.json")
_CONFIG_FOLDERS = re.compile(r"\.?(?:hydra[-_]?)?(?:dlio[-_]?)?(?:configs?|hydra)")
_NAMED = re.compile(r"(?:(?P<prefix>.*)[-_. ])?run[-_. ]*(?P<number>\d{1,4})(?:[-_. ].*)?", re.I)
_NUMBERED = re.compile(
    r"(?:(?:test|iter|iteration|result|r)[-_. ]*)?\d{1,3}"  # a bare number
    r"|\d{8}[-_T]?\d{6}.*|\d{4}[-_.]\d\d[-_.]\d\d.*",  # a time
    re.I,
)
_HOLDS_RUNS = ("run", "runs")
_NO_RUNS = ("datagen", "datasize")
_ROUND = re.compile(
    r"(?:(?:mlperf[-_])?storage[-_](?:results?[-_])?)?v?([0123]\.[05])(?:-(?:main|master))?"
)
_WORKLOAD = re.compile(r"unet3d|resnet|cosmoflow|bert")
_NATURAL = re.compile(r"\d+|\D+")


def role(path: str) -> Role | None:
    """What a file is by its name and folder; None if no reader needs it."""
    *folders, name = path.lower().split("/")
    parent = folders[-1] if folders else ""
    if name.startswith("._") or "__macosx" in folders:
        return "side-car"
    if name == "summary.json":
        return "summary"
    if _REPORT.fullmatch(name):
        return "report"
    if name in ("overrides.yaml", "overrides.yml"):
        return "overrides"
    if name in ("config.yaml", "config.yml") and _CONFIG_FOLDERS.fullmatch(parent):
        return "config"
    if name.endswith("_metadata.json") or name == "metadata.json":
        return "metadata"
    if parent in ("systems", "system") and name.endswith((".json", ".yaml", ".yml")):
        return "system"
    return None


@dataclass(frozen=True)
class Part:
    """A folder of a run (of one of its hosts, or of the run itself) and its files, by role."""

    path: str
    files: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True)
class RunFolder:
    """One run: its folder, and those beneath that hold something."""

    path: str
    name: str
    parts: tuple[Part, ...]

    def files(self, kind: Role) -> tuple[str, ...]:
        """Every file of a role."""
        return tuple(path for part in self.parts for path in part.files.get(kind, ()))

    def beside(self, part: Part, kind: Role) -> str | None:
        """The file of a role that belongs to a part: its own, else the run's."""
        own = part.files.get(kind, ())
        above = [
            path
            for other in self.parts
            if not other.files.get("summary") and part.path.startswith(other.path)
            for path in other.files.get(kind, ())
        ]
        return next(iter((*own, *above)), None)


@dataclass(frozen=True)
class SetFolder:
    """The runs of one result.

    Attributes
    ----------
    path
        The folder that holds them, relative to what was read; empty for that itself.
    label
        What their names have in common before ``run``, where a folder holds several results.
    runs
        In the order of their numbers.
    reports
        Report files that may be about them, likeliest first.
    systems
        Descriptions of systems that may be theirs.
    """

    path: str
    label: str
    runs: tuple[RunFolder, ...]
    reports: tuple[str, ...] = ()
    systems: tuple[str, ...] = ()


@dataclass(frozen=True)
class Place:
    """What the folders above a result say about it; None where they do not."""

    division: str | None = None
    submitter: str | None = None
    system: str | None = None
    round: str | None = None
    #: Index of the ``results`` folder among all parts.
    results: int | None = None


def place(inner: Parts, base: Parts = ()) -> Place:
    """Division, submitter, system and round from the names of the folders above.

    Parameters
    ----------
    inner
        Folders of the result within what is read.
    base
        Folders of what is read itself, which count where they have the shape of a submission.

    Examples
    --------
    >>> place(("storage_results_v1.0", "Closed", "Org", "results", "Sys", "unet3d-h100")).system
    'Sys'
    """
    parts = (*base, *inner)
    lower = [part.lower() for part in parts]
    divisions = [i for i, part in enumerate(lower[:-1]) if part in DIVISIONS]
    at = next((i for i in divisions if lower[i + 2 : i + 3] == ["results"]), None)
    if at is not None:
        results: int | None = at + 2
    else:
        # folders above what is read may be called "open" for other reasons
        at = next((i for i in divisions if i >= len(base)), None)
        named = [i for i, part in enumerate(lower) if part == "results"]
        results = next((i for i in named if i >= len(base)), named[-1] if named else None)
    system = parts[results + 1] if results is not None and results + 1 < len(parts) else None
    if at is None and (_WORKLOAD.match((system or "").lower()) or _NAMED.fullmatch(system or "")):
        # a folder of one's own that happens to be called "results"
        system = results = None
    above = lower if at is None else lower[:at]
    rounds = [match[1] for part in above if (match := _ROUND.fullmatch(part))]
    return Place(
        division=None if at is None else lower[at],
        submitter=None if at is None else one_line(parts[at + 1]),
        system=None if system is None else one_line(system),
        round=f"v{rounds[-1]}" if rounds else None,
        results=results,
    )


def sets(paths: Iterable[str], base: Parts = ()) -> list[SetFolder]:
    """The results under a path.

    Parameters
    ----------
    paths
        Of files, relative to what is read, with ``/`` between the parts.
    base
        Parts of the path that is read, for what its own name tells.

    Returns
    -------
    list of SetFolder
        Those with a run that has a summary, and those that only a report tells of; sorted by path.
    """
    found = _Files()
    for path in paths:
        found.add(path)
    levels = _levels(list(found.evidence))
    groups: dict[tuple[Parts, str], dict[Parts, list[Parts]]] = defaultdict(
        lambda: defaultdict(list)
    )
    for folder in found.evidence:
        at = levels.get(folder)
        if at is None:
            at = _below_report(folder, found.reports)
        holder = folder[:at]
        while holder and holder[-1].lower() in _HOLDS_RUNS:
            holder = holder[:-1]
        label = _prefix(folder[at]) if at < len(folder) else ""
        groups[holder, label][folder[: at + 1]].append(folder)
    result = [
        _set(holder, label, runs, found, base)
        for (holder, label), runs in groups.items()
        if any("summary" in found.evidence[f] for folders in runs.values() for f in folders)
    ]
    claimed = {report for item in result for report in item.reports}
    result += [
        SetFolder("/".join(folder), "", (), ("/".join((*folder, name)),))
        for folder, names in found.reports.items()
        for name in names
        if "/".join((*folder, name)) not in claimed
    ]
    return sorted(result, key=lambda item: (_natural(item.path), item.label))


def is_numbered_run(name: str) -> bool:
    """Whether a folder's name is that of a run with a number, not a time."""
    return _NAMED.fullmatch(name) is not None


@dataclass
class _Files:
    #: Folders of runs or of their hosts, and the files there by role.
    evidence: dict[Parts, dict[str, list[str]]] = field(default_factory=dict)
    reports: dict[Parts, list[str]] = field(default_factory=dict)
    systems: list[Parts] = field(default_factory=list)

    def add(self, path: str) -> None:
        kind = role(path)
        parts = tuple(path.split("/"))
        folder = parts[:-1]
        if kind is None or kind == "side-car":
            return
        if kind == "report":
            self.reports.setdefault(folder, []).append(parts[-1])
        elif kind == "system":
            self.systems.append(parts)
        elif not any(part.lower() in _NO_RUNS for part in folder):
            if folder and _CONFIG_FOLDERS.fullmatch(folder[-1].lower()):
                folder = folder[:-1]
            self.evidence.setdefault(folder, {}).setdefault(kind, []).append(path)


def _prefix(name: str) -> str:
    match = _NAMED.fullmatch(name)
    return (match["prefix"] or "") if match else ""


def _levels(folders: list[Parts]) -> dict[Parts, int]:
    """For each folder, which of its parts names the run."""
    siblings: dict[tuple[Parts, str], set[str]] = defaultdict(set)
    for folder in folders:
        for at, name in enumerate(folder):
            if _NAMED.fullmatch(name) or _NUMBERED.fullmatch(name):
                siblings[folder[:at], _prefix(name)].add(name)

    def weight(folder: Parts, at: int) -> tuple[bool, int, int]:
        count = len(siblings[folder[:at], _prefix(folder[at])])
        return (count > 1 and bool(_NAMED.fullmatch(folder[at])), count, at)

    levels = {}
    for folder in folders:
        candidates = [
            at
            for at, name in enumerate(folder)
            if name in siblings.get((folder[:at], _prefix(name)), ())
        ]
        if candidates:
            levels[folder] = max(candidates, key=lambda at: weight(folder, at))
    return levels


def _below_report(folder: Parts, reports: Mapping[Parts, list[str]]) -> int:
    """The run's level where no name tells it: just below a report, else the folder itself."""
    for depth in range(len(folder) - 1, -1, -1):
        if folder[:depth] in reports:
            while folder[depth].lower() in _HOLDS_RUNS and depth + 1 < len(folder):
                depth += 1
            return depth
    return max(len(folder) - 1, 0)


def _set(
    holder: Parts, label: str, runs: Mapping[Parts, list[Parts]], found: _Files, base: Parts
) -> SetFolder:
    made = []
    for path, folders in runs.items():
        parts = tuple(
            Part("/".join(f), {kind: tuple(sorted(p)) for kind, p in found.evidence[f].items()})
            for f in sorted(folders)
        )
        name = path[-1] if path else (base[-1] if base else "")
        made.append(RunFolder("/".join(path), name, parts))
    made.sort(key=lambda run: _natural(run.path))
    return SetFolder(
        path="/".join(holder),
        label=label,
        runs=tuple(made),
        reports=_reports(holder, set(runs), found, base),
        systems=tuple(
            "/".join(parts) for parts in found.systems if holder[: len(parts) - 2] == parts[:-2]
        ),
    )


def _reports(holder: Parts, runs: set[Parts], found: _Files, base: Parts) -> tuple[str, ...]:
    """Reports beside, above (within the system's folder) or beneath the runs."""
    results = place(holder, base).results
    # two levels up at most where no folder named "results" bounds it
    top = len(holder) - 1 if results is None else results + 2 - len(base)
    near = []
    for folder, names in found.reports.items():
        above = holder[: len(folder)] == folder and len(folder) >= min(top, len(holder))
        beneath = folder[: len(holder)] == holder and not any(
            folder[: len(run)] == run for run in runs if run
        )
        if above or beneath:
            near += [(not above, -len(folder), "/".join((*folder, name))) for name in names]
    return tuple(path for *_, path in sorted(near))


def _natural(path: str) -> list[tuple[bool, int, str]]:
    """Sorts run2 before run10."""
    return [
        (piece.isdigit(), int(piece) if piece.isascii() and piece.isdigit() else 0, piece)
        for piece in _NATURAL.findall(path[:4096])
    ]
