"""What differs between two runs, beside what changed: settings, options, phases, score.

The two are laid side by side as `Card`s. A setting that both know and that is not the same
*differs*; one that a side does not know is listed as unknown, never as equal. Options that only say
where (paths, pools, times, seeds) are set apart and counted. Ratios are of b over a, over every
value that the printed digits allow. Nothing here says that a setting is the cause of a change.
"""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from storagebook import compare
from storagebook.compare import Basis, Figure
from storagebook.intervals import Interval
from storagebook.io500 import options
from storagebook.io500.card import LABELS, NOT_SET, Card, PhaseCard, Value, in_order
from storagebook.io500.phases import BY_NAME
from storagebook.io500.run import Config, Printed
from storagebook.io500.score import elasticity

# What a reader's own run never states, so that its absence says nothing.
_ONLY_IF_STATED = ("system", "institution", "file_system")


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingChange:
    """A setting that is not known to be the same.

    Attributes
    ----------
    setting
        A key of `LABELS`.
    phases
        Those that it concerns, in running order; empty for the whole run.
    a, b
        Both sides; None where no file says.
    """

    setting: str
    phases: tuple[str, ...]
    a: Value | None
    b: Value | None

    @property
    def label(self) -> str:
        return LABELS[self.setting]

    @property
    def known(self) -> bool:
        """Whether both sides are known, so that they differ."""
        return self.a is not None and self.b is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionChange:
    """An option of the configuration that differs.

    Attributes
    ----------
    key
        Its name.
    sections
        Those in which it differs in this way, sorted.
    a, b
        Both values, ``not set`` where that configuration leaves it empty or has no such option.
    """

    key: str
    sections: tuple[str, ...]
    a: str
    b: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A figure of both runs.

    Attributes
    ----------
    a, b
        As printed; None where a run has none.
    ratio
        b over a, in every value that the printed digits allow; None where there is none to give.
    why_not
        Why there is no ratio of two figures that are there.
    """

    a: Printed | None
    b: Printed | None
    ratio: Interval | None = None
    why_not: str | None = None

    @property
    def times(self) -> float | None:
        """The ratio of the printed values themselves."""
        if self.ratio is None or self.a is None or self.b is None:
            return None
        return self.b.value / self.a.value

    @property
    def change_pct(self) -> float | None:
        """From a to b, in per cent of a."""
        return None if self.times is None else (self.times - 1) * 100


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseChange:
    """A phase of both runs, or of one.

    Attributes
    ----------
    result, stonewall
        Scored rate, and rate when the stonewall hit.
    seconds
        Time of the whole phase; no ratio is made of it.
    score_factor
        What the change of this phase alone multiplies the score by; None unless it is scored and
        both runs are complete. The factors of all phases multiply to the change of the score.
    a_unit, b_unit
        Of result and stonewall; None where the run has no such phase.
    a_valid, b_valid
        False where the program marked the phase; None where it is not there.
    """

    phase: str
    a_unit: str | None
    b_unit: str | None
    scored: bool
    result: Change
    stonewall: Change
    seconds: Change
    score_factor: float | None
    a_valid: bool | None
    b_valid: bool | None

    @property
    def unit(self) -> str:
        """The unit of both; both units where they differ."""
        return " / ".join(dict.fromkeys(u for u in (self.a_unit, self.b_unit) if u is not None))


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """Everything that differs between two runs.

    Attributes
    ----------
    settings
        Those that differ or are not known on both sides: the run's, then the phases'.
    options
        Options of the configurations that differ and that no setting tells.
    apart
        Those that differ only in saying where or when.
    options_scope
        ``all``: both configurations are whole; ``named``: one leaves out its defaults, so only
        options that both name are compared; ``none``: a configuration is missing.
    phases
        Scored ones in running order, then the others.
    bandwidth, metadata, score
        As printed.
    beside
        What has to stand beside the ratios, by the rules of `storagebook.compare`.
    """

    a: Card
    b: Card
    settings: tuple[SettingChange, ...]
    options: tuple[OptionChange, ...]
    apart: tuple[OptionChange, ...]
    options_scope: str
    phases: tuple[PhaseChange, ...]
    bandwidth: Change
    metadata: Change
    score: Change
    beside: str

    @property
    def differing(self) -> tuple[SettingChange, ...]:
        """Settings that both sides know."""
        return tuple(change for change in self.settings if change.known)

    @property
    def unknown(self) -> tuple[SettingChange, ...]:
        """Settings that at least one side does not know."""
        return tuple(change for change in self.settings if not change.known)

    def mirrored(self) -> Difference:
        """The same seen from b."""
        return dataclasses.replace(
            self,
            a=self.b,
            b=self.a,
            settings=tuple(_swapped(change) for change in self.settings),
            options=tuple(_swapped(change) for change in self.options),
            apart=tuple(_swapped(change) for change in self.apart),
            phases=tuple(_mirrored_phase(phase) for phase in self.phases),
            bandwidth=_mirrored(self.bandwidth),
            metadata=_mirrored(self.metadata),
            score=_mirrored(self.score),
            beside=_beside(self.b, self.a),
        )


def diff(a: Card, b: Card) -> Difference:
    """What differs between two runs, beside the change of each phase.

    Examples
    --------
    >>> from storagebook.io500 import card
    >>> found = diff(card.public("0683"), card.public("0772"))
    >>> [(change.a, change.b) for change in found.differing if change.setting == "procs_count"]
    [(6480, 21504)]
    """
    settings = tuple(_settings(a, b))
    scope, changed, apart = _options(a, b, settings)
    figures = ("bw_gib_s", "md_kiops", "score")
    units = ("GiB/s", "kIOP/s", "score")
    bandwidth, metadata, score = (
        _figures(a, b, name, unit) for name, unit in zip(figures, units, strict=True)
    )
    return Difference(
        a=a,
        b=b,
        settings=settings,
        options=changed,
        apart=apart,
        options_scope=scope,
        phases=tuple(_phase(a, b, name) for name in in_order((*a.phases, *b.phases))),
        bandwidth=bandwidth,
        metadata=metadata,
        score=score,
        beside=_beside(a, b),
    )


# -- settings


def _settings(a: Card, b: Card) -> Iterator[SettingChange]:
    for name in LABELS:
        if name in a.settings or name in b.settings:
            left, right = a.settings.get(name), b.settings.get(name)
            stated = left is not None or right is not None or name not in _ONLY_IF_STATED
            if stated and _not_same(left, right):
                yield SettingChange(setting=name, phases=(), a=left, b=right)
            continue
        pairs = _commands(a, b) if name == "command_options" else _of_phases(a, b, name)
        yield from _gathered(name, pairs)


def _not_same(left: Value | None, right: Value | None) -> bool:
    return left is None or right is None or left != right


def _of_phases(a: Card, b: Card, name: str) -> dict[str, tuple[Value | None, Value | None]]:
    """Phase → both sides, for the phases that both runs have and the setting concerns."""
    both = {}
    for phase in in_order(a.phases.keys() & b.phases.keys()):
        left, right = a.phases[phase].settings, b.phases[phase].settings
        if name in left and name in right and _not_same(left[name], right[name]):
            both[phase] = (left[name], right[name])
    return both


def _commands(a: Card, b: Card) -> dict[str, tuple[Value | None, Value | None]]:
    """Phase → options of the command line that only one side has."""
    both: dict[str, tuple[Value | None, Value | None]] = {}
    for phase in in_order(a.phases.keys() & b.phases.keys()):
        left, right = a.phases[phase].command, b.phases[phase].command
        if left is None or right is None or left == right:
            continue
        ours = " ".join(_without(left, right)) or NOT_SET
        theirs = " ".join(_without(right, left)) or NOT_SET
        both[phase] = (ours, theirs)
    return both


def _without(texts: tuple[str, ...], others: tuple[str, ...]) -> Iterator[str]:
    """The texts that the others lack, as often as they do."""
    left = list(others)
    for text in texts:
        if text in left:
            left.remove(text)
        else:
            yield text


def _gathered(
    name: str, pairs: Mapping[str, tuple[Value | None, Value | None]]
) -> Iterator[SettingChange]:
    """One change for all phases that share it; nothing where no phase has the setting at all."""
    by_values: dict[tuple[Value | None, Value | None], list[str]] = {}
    for phase, values in pairs.items():
        by_values.setdefault(values, []).append(phase)
    for (left, right), phases in by_values.items():
        yield SettingChange(setting=name, phases=tuple(phases), a=left, b=right)


# -- options of the configuration


_Found: TypeAlias = dict[tuple[str, str, str], list[str]]


def _options(
    a: Card, b: Card, settings: Iterable[SettingChange]
) -> tuple[str, tuple[OptionChange, ...], tuple[OptionChange, ...]]:
    if a.config is None or b.config is None:
        return "none", (), ()
    whole = a.config_whole and b.config_whole
    left, right = _by_name(a.config), _by_name(b.config)
    names = left.keys() | right.keys() if whole else left.keys() & right.keys()
    changed: _Found = {}
    apart: _Found = {}
    for section, key in sorted(names):
        ours, theirs = (side.get((section, key)) or NOT_SET for side in (left, right))
        if ours == theirs or options.is_told(section, key):
            continue
        plain = (options.plain(ours), options.plain(theirs))
        if options.names_a_place(key) or plain[0] == plain[1]:
            apart.setdefault((key, ours, theirs), []).append(section)
        else:
            changed.setdefault((key, *plain), []).append(section)
    _told_elsewhere(a.config, b.config, settings, whole, changed, apart)
    return "all" if whole else "named", _as_changes(changed), _as_changes(apart)


def _told_elsewhere(
    a: Config,
    b: Config,
    settings: Iterable[SettingChange],
    whole: bool,
    changed: _Found,
    apart: _Found,
) -> None:
    """What the settings hold, phase by phase, where they do not show the difference."""
    shown = {(change.setting, phase) for change in settings for phase in change.phases}
    for (key, told), phase in itertools.product(options.TOLD.items(), BY_NAME):
        ours, theirs = (options.effective(config, phase, key) for config in (a, b))
        if ours == theirs or (not whole and (ours is None or theirs is None)):
            continue
        left, right = ours or NOT_SET, theirs or NOT_SET
        plain = (options.plain(left), options.plain(right))
        if options.meaning(key, ours) == options.meaning(key, theirs):
            if plain[0] == plain[1]:
                apart.setdefault((key, left, right), []).append(phase)
        elif not any((name, phase) in shown for name in told):
            changed.setdefault((key, *plain), []).append(phase)


def _by_name(config: Config) -> dict[tuple[str, str], str]:
    return {(option.section, option.key): option.value for option in config.options}


def _as_changes(
    found: _Found,
) -> tuple[OptionChange, ...]:
    changes = (
        OptionChange(key=key, sections=tuple(sections), a=a, b=b)
        for (key, a, b), sections in found.items()
    )
    return tuple(sorted(changes, key=lambda change: (change.sections, change.key)))


# -- figures


def _phase(a: Card, b: Card, name: str) -> PhaseChange:
    left, right = a.phases.get(name), b.phases.get(name)
    result = _rates(a, b, name, lambda phase: phase.value, "")
    return PhaseChange(
        phase=name,
        a_unit=left.unit if left else None,
        b_unit=right.unit if right else None,
        scored=name in BY_NAME,
        result=result,
        stonewall=_rates(a, b, name, lambda phase: phase.stonewall, " at the stonewall"),
        seconds=Change(a=left.seconds if left else None, b=right.seconds if right else None),
        score_factor=_factor(a, b, name, result),
        a_valid=left.valid if left else None,
        b_valid=right.valid if right else None,
    )


def _rates(
    a: Card, b: Card, name: str, part: Callable[[PhaseCard], Printed | None], what: str
) -> Change:
    left, right = a.phases.get(name), b.phases.get(name)
    ours, theirs = part(left) if left else None, part(right) if right else None
    if left is None or right is None or ours is None or theirs is None:
        return Change(a=ours, b=theirs)
    if not (left.comparable and right.comparable):
        return Change(a=ours, b=theirs, why_not="a unit that no file explains")
    metric, basis = f"{name}{what}", Basis.DERIVED if what else Basis.SINGLE_PHASE
    return _ratio((a, ours, left.unit), (b, theirs, right.unit), metric=metric, basis=basis)


def _figures(a: Card, b: Card, name: str, unit: str) -> Change:
    ours, theirs = getattr(a.printed, name), getattr(b.printed, name)
    if ours is None or theirs is None:
        return Change(a=ours, b=theirs)
    if name == "score" and ("product-not-root" in a.findings) != ("product-not-root" in b.findings):
        return Change(a=ours, b=theirs, why_not="one total is the product of the means")
    return _ratio((a, ours, unit), (b, theirs, unit), metric=name, basis=Basis.BENCHMARK_SCORE)


def _ratio(
    left: tuple[Card, Printed, str],
    right: tuple[Card, Printed, str],
    *,
    metric: str,
    basis: Basis,
) -> Change:
    before, after = (
        card.figure(metric, printed, unit, basis=basis) for card, printed, unit in (left, right)
    )
    change = Change(a=left[1], b=right[1])
    if before.value.lo <= 0 or after.value.lo <= 0:
        return dataclasses.replace(change, why_not="not above zero")
    try:
        return dataclasses.replace(change, ratio=_compared(before, after).ratio)
    except compare.Refused as refusal:
        return dataclasses.replace(change, why_not=f"{refusal.rule} ({refusal.policy})")


def _compared(before: Figure, after: Figure) -> compare.Comparison:
    """After over before: across lists only where one installation is studied."""
    across = before.list and after.list and before.list != after.list
    if across and before.system is not None and before.system == after.system:
        return compare.study(after, before)
    return compare.ratio(after, before)


def _factor(a: Card, b: Card, name: str, result: Change) -> float | None:
    if name not in BY_NAME or result.times is None or not (a.complete and b.complete):
        return None
    return math.exp(float(elasticity(name)) * math.log(result.times))


def _beside(a: Card, b: Card) -> str:
    """What stands beside every ratio of these runs, or why there is none."""
    before, after = (
        # what stands beside a score stands beside each phase; its digits do not matter here
        card.figure("score", Printed("1", 1.0), "score", basis=Basis.BENCHMARK_SCORE)
        for card in (a, b)
    )
    try:
        return _compared(before, after).beside()
    except compare.Refused as refusal:
        return str(refusal)


# -- the other way round


def _swapped(change: SettingChange | OptionChange) -> SettingChange | OptionChange:
    return dataclasses.replace(change, a=change.b, b=change.a)


def _mirrored(change: Change) -> Change:
    ratio = None if change.ratio is None else 1 / change.ratio
    return dataclasses.replace(change, a=change.b, b=change.a, ratio=ratio)


def _mirrored_phase(phase: PhaseChange) -> PhaseChange:
    return dataclasses.replace(
        phase,
        result=_mirrored(phase.result),
        stonewall=_mirrored(phase.stonewall),
        seconds=_mirrored(phase.seconds),
        score_factor=None if phase.score_factor is None else 1 / phase.score_factor,
        a_unit=phase.b_unit,
        b_unit=phase.a_unit,
        a_valid=phase.b_valid,
        b_valid=phase.a_valid,
    )
