"""What differs between two runs, for readers: frames and sentences that hold for any two."""

from __future__ import annotations

import math
from collections.abc import Iterable

import pandas as pd

from storagebook.io500.card import Card, written
from storagebook.io500.diff import Change, Difference, OptionChange, PhaseChange
from storagebook.io500.diff_report import where
from storagebook.io500.runs import Sentence

#: Of the series that the chart shows.
SCORED, AT_STONEWALL = "result", "rate at the stonewall"

_FACTS = (
    ("system", "{}"),
    ("institution", "{}"),
    ("file_system", "file system {}"),
    ("version", "benchmark version {}"),
    ("nodes_count", "{} client node"),
    ("procs_count", "{} process"),
)
_PLURALS = {"nodes_count": "s", "procs_count": "es"}


def described(card: Card) -> str:
    """A run in a line: what is known of it."""
    words = []
    for name, text in _FACTS:
        value = card.settings.get(name)
        if value is not None:
            plural = "" if value == 1 else _PLURALS.get(name, "")
            words.append(text.format(written(name, value)) + plural)
    if card.started is not None:
        words.append(f"started {card.started}")
    if not card.valid:
        words.append("invalid by its files' own marks")
    return ", ".join(words) or "nothing further stated"


def who(found: Difference) -> list[Sentence]:
    """Which two runs these are."""
    text = "- **{side}** — {name}: {described}."
    return [
        (text, {"side": side, "name": card.name, "described": described(card)})
        for side, card in (("a", found.a), ("b", found.b))
    ]


def differing(found: Difference) -> pd.DataFrame:
    """Settings that both runs' files tell and that differ: ``setting``, ``in``, ``a``, ``b``."""
    rows = [
        (
            change.label,
            where(change.phases) or "whole run",
            written(change.setting, change.a),
            written(change.setting, change.b),
        )
        for change in found.differing
    ]
    return pd.DataFrame(rows, columns=["setting", "in", "a", "b"])


def unknown(found: Difference) -> pd.DataFrame:
    """Settings that a run's files do not tell: ``setting``, ``in``, ``a``, ``b``."""
    rows = [
        (
            change.label,
            where(change.phases) or "whole run",
            written(change.setting, change.a) or "unknown",
            written(change.setting, change.b) or "unknown",
        )
        for change in found.unknown
    ]
    return pd.DataFrame(rows, columns=["setting", "in", "a", "b"])


def options(changes: Iterable[OptionChange]) -> pd.DataFrame:
    """Options of the configuration: ``option``, ``in``, ``a``, ``b``."""
    rows = [(one.key, where(one.sections), one.a, one.b) for one in changes]
    return pd.DataFrame(rows, columns=["option", "in", "a", "b"])


def phases(found: Difference) -> pd.DataFrame:
    """The phases of either run, scored ones in running order first.

    Returns
    -------
    pandas.DataFrame
        ``phase``, ``unit``, ``a`` and ``b`` (results as printed), ``change_pct``, ``score_pct``
        (what the change of this phase alone does to the score); missing where there is none.
    """
    rows = [
        (
            phase.phase,
            phase.unit,
            *_sides(phase.result),
            phase.result.change_pct,
            None if phase.score_factor is None else (phase.score_factor - 1) * 100,
        )
        for phase in found.phases
    ]
    frame = pd.DataFrame(rows, columns=["phase", "unit", "a", "b", "change_pct", "score_pct"])
    return frame.astype({"change_pct": float, "score_pct": float})


def stonewall(found: Difference) -> pd.DataFrame:
    """The write phases that tell their rate at the stonewall in either run.

    Returns
    -------
    pandas.DataFrame
        ``phase``, ``a`` and ``b`` (rates at the stonewall as printed), ``stonewall_pct`` (their
        change), ``result_pct`` (that of the result), ``a_duration_s``, ``b_duration_s`` (of the
        whole phase).
    """
    rows = [
        (
            phase.phase,
            *_sides(phase.stonewall),
            phase.stonewall.change_pct,
            phase.result.change_pct,
            *(side.value if side else None for side in (phase.seconds.a, phase.seconds.b)),
        )
        for phase in found.phases
        if phase.stonewall.a or phase.stonewall.b
    ]
    numbers = ["stonewall_pct", "result_pct", "a_duration_s", "b_duration_s"]
    frame = pd.DataFrame(rows, columns=["phase", "a", "b", *numbers])
    return frame.astype(dict.fromkeys(numbers, float))


def _sides(change: Change) -> tuple[str | None, str | None]:
    """Both figures as printed."""
    return (change.a.text if change.a else None, change.b.text if change.b else None)


def means(found: Difference) -> pd.DataFrame:
    """Bandwidth, metadata and score as printed: ``figure``, ``unit``, ``a``, ``b``,
    ``change_pct``."""
    rows = [
        (
            name,
            unit,
            *_sides(change),
            change.change_pct,
        )
        for name, unit, change in (
            ("bandwidth", "GiB/s", found.bandwidth),
            ("metadata", "kIOP/s", found.metadata),
            ("score", "", found.score),
        )
    ]
    columns = ["figure", "unit", "a", "b", "change_pct"]
    return pd.DataFrame(rows, columns=columns).astype({"change_pct": float})


def ratios(found: Difference) -> pd.DataFrame:
    """b over a of each scored phase: ``phase``, ``times``, ``of`` (`SCORED`, `AT_STONEWALL`)."""
    rows = [
        (phase.phase, change.times, of)
        for phase in found.phases
        if phase.scored
        for of, change in ((SCORED, phase.result), (AT_STONEWALL, phase.stonewall))
        if change.times is not None
    ]
    return pd.DataFrame(rows, columns=["phase", "times", "of"])


# -- in words


def said_of_settings(found: Difference) -> list[Sentence]:
    """How many settings differ, and how many nobody can compare."""
    text = "Settings known to differ: {differing}; unknown of one run or of both: {unknown}."
    return [(text, {"differing": len(found.differing), "unknown": len(found.unknown)})]


def said_of_options(found: Difference) -> list[Sentence]:
    """What the configurations allow to say."""
    if found.options_scope == "none":
        text = (
            "The configurations of these runs are not both at hand, so options that no setting "
            "above tells are not compared."
        )
        return [(text, {})]
    said: list[Sentence] = []
    if found.options_scope == "named":
        text = (
            "One of the two configurations leaves out its defaults, so only options that both name "
            "are compared."
        )
        said.append((text, {}))
    said.append(
        (
            "Options of the configurations that differ beyond those settings: {differ}; that "
            "differ only in saying where or when: {apart}.",
            {"differ": len(found.options), "apart": len(found.apart)},
        )
    )
    return said


def compared(found: Difference) -> bool:
    """Whether any result of the two can be put into a ratio."""
    return any(phase.result.times is not None for phase in found.phases)


def said_beside(found: Difference) -> list[Sentence]:
    """What has to stand beside the ratios, where there are any."""
    if not compared(found):
        return []
    return [("Beside every ratio below stands: {beside}.", {"beside": found.beside})]


def said_of_phases(found: Difference) -> list[Sentence]:
    """Which phases rose and fell, and which moved the score most."""
    moved = [p for p in found.phases if p.scored and p.result.times is not None]
    if not moved:
        reasons = dict.fromkeys(p.result.why_not for p in found.phases if p.result.why_not)
        return [
            (
                "No result of one is put over a result of the other: {reason}.",
                {"reason": "; ".join(reasons) or "they share no phase"},
            )
        ]
    rose, fell = _rising(moved), _falling(moved)
    said: list[Sentence] = [
        (
            "From a to b, {rose} of the scored phases rose and {fell} fell.",
            {"rose": len(rose), "fell": len(fell)},
        )
    ]
    for names, text in (
        (rose, "The greatest rise is that of *{phase}*, to {times:.2f} times its result in a."),
        (fell, "The greatest fall is that of *{phase}*, to {times:.2f} times its result in a."),
    ):
        if names:
            most = max(names, key=lambda p: abs(math.log(p.result.times)))
            said.append((text, {"phase": most.phase, "times": most.result.times}))
    return said + _said_of_score(found, moved) + _said_of_stonewall(moved)


def _rising(moved: list[PhaseChange]) -> list[PhaseChange]:
    return [p for p in moved if p.result.times is not None and p.result.times > 1]


def _falling(moved: list[PhaseChange]) -> list[PhaseChange]:
    return [p for p in moved if p.result.times is not None and p.result.times < 1]


def _said_of_score(found: Difference, moved: list[PhaseChange]) -> list[Sentence]:
    """The phase that moved the score most in the direction in which it went."""
    times = found.score.times
    if times is None or times == 1:
        return []
    along = [p for p in moved if p.score_factor is not None and (p.score_factor > 1) == (times > 1)]
    if not along:
        return []
    most = max(along, key=lambda p: abs(math.log(p.score_factor or 1)))
    return [
        (
            "The score of b is {times:.3f} times that of a. *{phase}* moves it most in that "
            "direction: alone, its change would multiply the score by {factor:.3f}.",
            {"times": times, "phase": most.phase, "factor": most.score_factor},
        )
    ]


def _said_of_stonewall(moved: list[PhaseChange]) -> list[Sentence]:
    """Phases whose result moved one way and whose rate at the stonewall the other."""
    known = [p for p in moved if p.stonewall.times is not None]
    if not known:
        return [("No write phase tells its rate at the stonewall in both runs.", {})]
    apart = [p.phase for p in known if (p.result.times > 1) != (p.stonewall.times > 1)]
    if apart:
        return [
            (
                "In {phases} the result and the rate at the stonewall moved in opposite "
                "directions: there, what came after the stonewall outweighs what came before it.",
                {"phases": ", ".join(apart)},
            )
        ]
    return [
        (
            "In each of the {count} write phases that tell both, the result and the rate at the "
            "stonewall moved the same way.",
            {"count": len(known)},
        )
    ]


def title(found: Difference) -> str:
    """A title for the ratios of the phases."""
    if found.score.times is None:
        return "Each phase of b over the same phase of a"
    return f"The score of b is {found.score.times:.2f} times that of a; the phases, b over a"
