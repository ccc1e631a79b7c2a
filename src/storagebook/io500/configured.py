"""Public runs with the configuration that they had, from the derived tables alone.

The table of phases holds the settings that most chapters ask for. Whether two runs differ in
nothing else is a question to the whole configuration, which `storagebook.derive` keeps for runs
that name object classes.
"""

from __future__ import annotations

import dataclasses
import functools
import re
from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

from storagebook import tables
from storagebook.io500 import card, options
from storagebook.io500.card import NOT_SET, Card, PhaseCard, Value
from storagebook.io500.diff import diff
from storagebook.io500.phases import BY_NAME, SCORED
from storagebook.io500.run import Config, Option

TABLE = "io500-run-options"

# Settings of a phase that its section of the configuration tells: option, by setting.
_TOLD_BY_OPTION = {"segments_count": "segmentCount", "items_per_process_count": "n"}
_CLASSES = frozenset({"object_class", "dir_object_class"})
# Two names of one machine say nothing about how it was run; direct I/O is no option of DFS.
_NO_SETTING = frozenset({"system", "direct_io"})
# Sections of the configuration that phases with a score read.
_SCORED_SECTIONS = frozenset({"global", "debug", "find"}) | {
    name for phase in SCORED for name in (phase.name, phase.group)
}
_POOL = re.compile(r"--dfs\.pool=(\S+)")
_DAOS_RELEASE = re.compile(r"daos-(\d+(?:\.\d+)+)")


def configuration(submission: str) -> Config | None:
    """The whole configuration of a public run; None where the table does not hold it."""
    rows = tables.printed(TABLE)
    own = rows[rows.submission == submission]
    if own.empty or own.run.nunique() > 1:
        return None
    found = tuple(
        Option(row.section, row.option, row.value, line)
        for line, row in enumerate(own.itertuples(index=False), 1)
    )
    return Config(file="config.ini", options=found, comments=False, sha256="")


def public(submission: str) -> Card:
    """The card of a public run, with its configuration where that is at hand.

    Raises
    ------
    StoragebookError
        As `storagebook.io500.card.public`.
    """
    plain, config = card.public(submission), configuration(submission)
    if config is None:
        return plain
    run = {
        "student_cluster": config.get("global", "scc") == "TRUE",
        "find_external": config.get("find", "external-script") is not None,
    }
    return dataclasses.replace(
        plain,
        settings={**plain.settings, **run},
        phases={name: _phase(phase, config) for name, phase in plain.phases.items()},
        config=config,
        config_whole=True,
    )


def pools(submission: str) -> tuple[str, ...]:
    """The names of the DAOS pools that a run's configuration speaks of, sorted."""
    config = configuration(submission)
    found = [_POOL.findall(option.value) for option in config.options] if config else []
    return tuple(sorted({name for names in found for name in names}))


def daos_release(submission: str) -> str | None:
    """The DAOS release that the folder of a run's results is called after; None where it is not.

    A name is weaker evidence than a program's own output, which no file at hand holds.
    """
    config = configuration(submission)
    match = _DAOS_RELEASE.search(config.get("global", "resultdir") or "") if config else None
    return match[1] if match else None


@dataclass(frozen=True)
class Setting:
    """A setting in which two runs are not known to be alike.

    Attributes
    ----------
    name
        As people call it.
    phases
        Those that it concerns, in running order; empty for the whole run.
    a, b
        Values for people, of the first and the second run; None where no file says.
    of_class
        Whether it is an object class.
    """

    name: str
    phases: tuple[str, ...]
    a: str | None
    b: str | None
    of_class: bool = False

    @property
    def known(self) -> bool:
        """Whether both runs' files tell it, so that it differs."""
        return self.a is not None and self.b is not None

    def __str__(self) -> str:
        where = f" of {groups(self.phases)}" if self.phases else ""
        return f"{self.name}{where}: {self.a or 'unknown'} against {self.b or 'unknown'}"


def differences(first: str, second: str) -> tuple[Setting, ...]:
    """What differs in how two public runs were made, by `storagebook.io500.diff`.

    Only what the scored phases see; object classes first, what no file tells last.

    Raises
    ------
    StoragebookError
        If a run is not at hand.
    """
    found = list(_differences(first, second))
    return tuple(sorted(found, key=lambda one: (not one.known, not one.of_class)))


@functools.cache
def _differences(first: str, second: str) -> tuple[Setting, ...]:
    difference = diff(public(first), public(second))
    found = []
    for change in difference.settings:
        scored = tuple(phase for phase in change.phases if phase in BY_NAME)
        if change.setting in _NO_SETTING or (change.phases and not scored):
            continue
        values = (card.written(change.setting, value) for value in (change.a, change.b))
        found.append(Setting(change.label, scored, *values, change.setting in _CLASSES))
    for option in difference.options:
        sections = [section for section in option.sections if section in _SCORED_SECTIONS]
        if sections:
            name = f"option {option.key} of {', '.join(sections)}"
            found.append(Setting(name, (), option.a or NOT_SET, option.b or NOT_SET))
    named = [", ".join(pools(submission)) or None for submission in (first, second)]
    if all(named) and named[0] != named[1]:
        found.append(Setting("DAOS pool, by its name", (), *named))
    releases = (daos_release(first), daos_release(second))
    if None in releases or releases[0] != releases[1]:
        found.append(Setting("DAOS release, by the name of the result folder", (), *releases))
    if difference.options_scope != "all":
        found.append(Setting("other options of the configuration", (), None, None))
    return tuple(found)


def whole(first: str, second: str) -> bool:
    """Whether the whole configuration of both runs is at hand."""
    return configuration(first) is not None and configuration(second) is not None


def table(settings: Sequence[Setting]) -> pd.DataFrame:
    """Settings for readers: ``setting``, ``phases``, ``a``, ``b``; None where no file says."""
    rows = [(one.name, groups(one.phases) or "whole run", one.a, one.b) for one in settings]
    return pd.DataFrame(rows, columns=["setting", "phases", "a", "b"])


def groups(phases: Sequence[str]) -> str:
    """Names of phases, a whole group by its own name.

    >>> groups(["ior-easy-write", "ior-easy-read", "ior-hard-read"])
    'ior-easy, ior-hard-read'
    """
    names: list[str] = []
    for group in dict.fromkeys(BY_NAME[phase].group for phase in phases):
        members = {p.name for p in SCORED if p.group == group}
        own = [phase for phase in phases if phase in members]
        names += [group] if members == set(own) else own
    return ", ".join(names)


def _phase(phase: PhaseCard, config: Config) -> PhaseCard:
    settings: dict[str, Value | None] = dict(phase.settings)
    group = BY_NAME[phase.name].group if phase.name in BY_NAME else None
    if not settings or group is None:
        return phase
    for setting, key in _TOLD_BY_OPTION.items():
        if setting in settings:
            told = config.get(group, key)
            settings[setting] = int(told) if told else NOT_SET
    settings["api_options"] = options.of_api(config, phase.name) or NOT_SET
    return dataclasses.replace(phase, settings=settings)
