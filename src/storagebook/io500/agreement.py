"""Whether the printed phases give the printed score, judged by the digits that are printed.

Each printed number stands for every number that prints so. Where the intervals of the printed and
the recomputed figure share no number, something was changed or miscomputed; where they do, nothing
that the digits could show is wrong. How much that leaves unnoticed is computed as well.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import partial

from storagebook.intervals import Interval, geomean
from storagebook.io500.findings import Finding, finding
from storagebook.io500.phases import BY_NAME, EXTENDED, SCORED, Kind
from storagebook.io500.run import PhaseResult, Printed, PrintedScore, Run, expected_phases
from storagebook.io500.score import Era, Score, score_intervals

#: A change of a phase that neither hash nor arithmetic would notice, above which that is said.
UNNOTICED_LIMIT = 0.01
#: Significant digits that the shell script's awk prints, and that a list may keep of a score.
SIX_DIGITS = 6

# Floats decide unless they come closer than this to the edge; then exact intervals do.
_SLACK = 1e-12
# Far more than a float keeps, so that a mean of equal numbers is that number.
_DIGITS = 40


def phase_interval(printed: Printed) -> Interval:
    """Every value of a phase that prints so, in its printed unit."""
    return Interval.of_printed(printed.text, trailing_zeros=True)


def mean_interval(run: Run, printed: Printed) -> Interval:
    """Every mean or score that prints so, in the way that the run's format prints them."""
    shown = Interval.of_printed(printed.text, trailing_zeros=True)
    if run.format not in ("shell", "list") or printed.value <= 0:
        return shown
    six = _six_digits(printed)
    if six is None:
        return shown
    # awk leaves out trailing zeros: they are not shown, but known
    return six if run.format == "shell" else shown.hull(six)


def _six_digits(printed: Printed) -> Interval | None:
    """Every number that has these six significant digits; None if more are shown."""
    if len(printed.text.replace(".", "").strip("0")) > SIX_DIGITS:
        return None
    place = math.floor(math.log10(printed.value)) - SIX_DIGITS + 1
    half = Fraction(10) ** place / 2
    return Interval(Fraction(printed.text) - half, Fraction(printed.text) + half)


class Means:
    """The means and score of a run, as printed and as its phases give them."""

    def __init__(self, run: Run) -> None:
        self.run = run
        phases = run.scored
        self._counted = {kind: self._counting(kind, phases) for kind in ("bandwidth", "metadata")}
        self.comparable = any(values is not None for values in self._counted.values())

    def _counting(self, kind: Kind, phases: dict[str, PhaseResult]) -> list[Printed] | None:
        """The values that enter a mean; [] if a zero among them makes it zero; None if unknown."""
        expected = [p.name for p in expected_phases(self.run) if p.kind == kind]
        values = [phases[name].value for name in expected if name in phases]
        # the shell script starts each of its figures at 0, so what it skipped is 0
        if self.run.format == "shell" and len(values) < len(expected):
            return []
        if any(v.value < 0 for v in values) or not values:
            return None
        if all(v.value > 0 for v in values):
            return values
        if self.run.era is Era.BEFORE_2021_08:
            return []
        return [v for v in values if v.value > 0] or None

    @property
    def recomputed(self) -> Score[float | None]:
        """In GiB/s and kIOP/s; None where the phases, or their unit, do not give a figure."""
        with localcontext(prec=_DIGITS):
            bw, md = (self._mean(kind) for kind in ("bandwidth", "metadata"))
            if self.run.format == "log-2017":
                return Score(None, None if md is None else float(md / 1000), None)
            return Score(
                None if bw is None else float(bw),
                None if md is None else float(md),
                None if bw is None or md is None else float((bw * md).sqrt()),
            )

    def _mean(self, kind: Kind) -> Decimal | None:
        values = self._counted[kind]
        if not values:
            return None if values is None else Decimal(0)
        return math.prod(Decimal(v.text) for v in values) ** (Decimal(1) / len(values))

    def _exact(self, kind: Kind) -> Interval:
        values = self._counted[kind]
        assert values is not None, "only means that the phases give are compared"
        if not values:
            return Interval.point(0)
        intervals = map(phase_interval, values)
        return geomean(Interval(max(i.lo, 0), i.hi) for i in intervals)

    def _ends(self, kind: Kind) -> tuple[float, float]:
        """About the ends of `_exact`."""
        ends = [_float_ends(v) for v in self._counted[kind] or ()]
        if not ends:
            return 0.0, 0.0
        return _geomean([max(lo, 0.0) for lo, _ in ends]), _geomean([hi for _, hi in ends])

    def findings(self) -> Iterator[Finding]:
        """Where the printed figures and the phases do not fit."""
        printed = self.run.printed
        if printed is None:
            yield finding("score-missing", "", self.run.place)
            return
        means: tuple[tuple[str, Kind, Printed], ...] = (
            ("bw-differs", "bandwidth", printed.bw),
            ("md-differs", "metadata", printed.md),
        )
        for code, kind, shown in means:
            if self._counted[kind] is None:
                continue
            if not self._fits(shown, self._ends(kind), partial(self._exact, kind)):
                told = f"{kind} is printed as {shown.text}; the phases give {self._exact(kind)}"
                yield finding(code, told, printed.place)
        yield from self._score_findings(printed)
        yield from self._extended_findings()
        yield from self._find_findings()

    def _fits(
        self, shown: Printed, ends: tuple[float, float], exact: Callable[[], Interval]
    ) -> bool:
        interval = mean_interval(self.run, shown)
        low, high = interval.floats()
        lo, hi = ends
        if low > hi * (1 + _SLACK) or high < lo * (1 - _SLACK):
            return False
        if low < hi * (1 - _SLACK) and high > lo * (1 + _SLACK):
            return True
        return interval.overlaps(exact())

    def _score_findings(self, printed: PrintedScore) -> Iterator[Finding]:
        shown = printed.score

        def from_means() -> Interval:
            intervals = (mean_interval(self.run, mean) for mean in (printed.bw, printed.md))
            return geomean(Interval(max(i.lo, 0), i.hi) for i in intervals)

        means = [mean_interval(self.run, mean).floats() for mean in (printed.bw, printed.md)]
        root = tuple(math.sqrt(max(a, 0.0) * max(b, 0.0)) for a, b in zip(*means, strict=True))
        fits_means = self._fits(shown, (root[0], root[1]), from_means)
        fits_phases = True
        if all(values is not None for values in self._counted.values()):

            def from_phases() -> Interval:
                return geomean([self._exact("bandwidth"), self._exact("metadata")])

            sides = zip(self._ends("bandwidth"), self._ends("metadata"), strict=True)
            lo, hi = (math.sqrt(a * b) for a, b in sides)
            fits_phases = self._fits(shown, (lo, hi), from_phases)
        if fits_means and fits_phases:
            return
        # bc, which some scripts used, cuts digits off
        cut = Interval.of_printed(shown.text, trailing_zeros=True, mode="unknown")
        product = mean_interval(self.run, printed.bw) * mean_interval(self.run, printed.md)
        if not fits_means and cut.overlaps(product):
            told = (
                f"{shown.text} is the product of {printed.bw.text} and {printed.md.text};"
                f" the score is its root, {from_means()}"
            )
            yield finding("product-not-root", told, printed.place)
        elif not fits_means:
            told = f"score is printed as {shown.text}; the means give {from_means()}"
            yield finding("score-differs", told, printed.place)
        else:
            told = f"score is printed as {shown.text}; the phases give {from_phases()}"
            yield finding("score-differs", told, printed.place)

    def _extended_findings(self) -> Iterator[Finding]:
        printed = self.run.printed_x
        if printed is None:
            return
        values = {p.name: phase_interval(p.value) for p in self.run.phases}
        phases = tuple(p for p in (*SCORED, *EXTENDED) if p.name in values)
        given = score_intervals(values, phases=phases, era=self.run.era)
        for what, shown, interval in (
            ("bandwidth", printed.bw, given.bw_gib_s),
            ("metadata", printed.md, given.md_kiops),
            ("score", printed.score, given.score),
        ):
            if not mean_interval(self.run, shown).overlaps(interval):
                told = f"SCOREX {what} is printed as {shown.text}; the phases give {interval}"
                yield finding("scorex-differs", told, printed.place)

    def _find_findings(self) -> Iterator[Finding]:
        find = self.run.scored.get("find")
        if find is None or find.seconds is None or self.run.total_files is None:
            return
        # pfind stops its own clock before the phase ends, never after
        if self.run.format == "shell":
            # two decimals, cut off, and a zero
            rate = Interval.of_printed(find.value.text, mode="unknown") * 1000
        else:
            rate = phase_interval(find.value) * 1000
        seconds = Interval.of_printed(find.seconds.text, trailing_zeros=True)
        if rate.lo > 0 and self.run.total_files / rate.hi > seconds.hi:
            told = (
                f"find looked at {self.run.total_files} files in {find.seconds.text} s,"
                f" which is a lower rate than {find.value.text} kIOP/s allows"
            )
            yield finding("find-count-differs", told, find.place)

    def coarse(self) -> Iterator[Finding]:
        """The phase whose value could change most without a printed digit of the means moving."""
        printed = self.run.printed
        if printed is None:
            return
        worst: tuple[float, PhaseResult] | None = None
        for kind, shown in (("bandwidth", printed.bw), ("metadata", printed.md)):
            if not self._counted[kind]:
                continue
            phases = [p for name, p in self.run.scored.items() if BY_NAME[name].kind == kind]
            for unnoticed, phase in _unnoticed(phases, mean_interval(self.run, shown).floats()):
                if worst is None or unnoticed > worst[0]:
                    worst = (unnoticed, phase)
        if worst is not None and worst[0] > UNNOTICED_LIMIT:
            share, phase = worst
            told = (
                f"{phase.name} could be {share:.1%} off {phase.value.text} and every printed digit"
                " of the means would stay"
            )
            yield finding("too-coarse", told, phase.place)


def _unnoticed(
    phases: list[PhaseResult], mean: tuple[float, float]
) -> Iterator[tuple[float, PhaseResult]]:
    """For each phase of a mean, the share that it could change by with the mean still fitting."""
    ends = [_float_ends(phase.value) for phase in phases]
    lo, hi = mean
    if not phases or hi <= 0 or any(low <= 0 for low, _ in ends):
        return
    lows, highs = [math.log(low) for low, _ in ends], [math.log(high) for _, high in ends]
    for phase, low, high in zip(phases, lows, highs, strict=True):
        own = math.log(phase.value.value)
        most = len(phases) * math.log(hi) - (sum(lows) - low)
        least = len(phases) * math.log(lo) - (sum(highs) - high) if lo > 0 else -math.inf
        yield max(math.expm1(most - own), -math.expm1(least - own)), phase


def _float_ends(printed: Printed) -> tuple[float, float]:
    """The ends of `phase_interval`, nearly."""
    if not printed.text.replace(".", "", 1).isdecimal():
        return phase_interval(printed).floats()
    half = 0.5 * 10.0 ** -len(printed.text.partition(".")[2])
    return printed.value - half, printed.value + half


def _geomean(values: list[float]) -> float:
    if min(values) <= 0:
        return 0.0
    return math.exp(math.fsum(map(math.log, values)) / len(values))
