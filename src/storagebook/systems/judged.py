"""May these two figures be compared? Each pair judged by `storagebook.compare`, never typed."""

from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

import pandas as pd

from storagebook import compare
from storagebook.compare import IO500, Basis, Caveat, Comparison, Figure, Refused
from storagebook.corrections import in_words
from storagebook.intervals import Interval
from storagebook.io500.runs import Sentence
from storagebook.systems.known import Known, Set


class Status(StrEnum):
    """What may be done with two figures."""

    STANDS = "stands"
    NAMED = "stands, differences named"
    STUDY = "study only"
    UNKNOWN = "too little known"
    REFUSED = "refused"


#: What each status means, for people.
MEANS = {
    Status.STANDS: "nothing differs, and both sides state all that the rules name",
    Status.NAMED: "may be compared, if what differs and what nobody states stand beside the ratio",
    Status.STUDY: "no comparison of systems; two figures of one run, or of one installation",
    Status.UNKNOWN: "nobody states what was measured, or on which list it is: no ratio",
    Status.REFUSED: "two kinds of figure, or a benchmark's owner forbids it",
}
#: Why a comparison is refused, by the code that `storagebook.compare.Refused` carries.
RULES = {
    "unit-kind": "other kind of unit",
    "benchmark": "other benchmark",
    "metric": "other measurement",
    "list": "other IO500 list",
    "mlperf-other": "MLPerf with another benchmark",
    "mlperf-version": "other MLPerf version",
    "other-system": "limit of another system",
}
# What a limit by design has, of all that a measurement has.
_OF_LIMITS = frozenset({"basis", "obtained", "servers"})
_LABELS = {
    "clients": "client nodes",
    "obtained": "how it was obtained",
    "accelerators": "number of accelerators",
    "verified": "whether it is verified",
}
_UNIT_KIND = "unit-kind"


@dataclass(frozen=True)
class Pair:
    """Two figures and what may be done with them.

    Attributes
    ----------
    ratio
        A sentence with the larger over the smaller; empty where no ratio is given.
    rule, policy
        Why it is refused as a comparison, a key of `RULES`, and who asks for it; else empty.
    why
        The refusal, or what is not known, in sentences; else empty.
    differs, unknown, standing
        What stands beside the ratio: what differs, what nobody states, how the results are called.
    """

    a: Known
    b: Known
    status: Status
    ratio: str = ""
    rule: str = ""
    policy: str = ""
    why: str = ""
    differs: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    standing: tuple[str, ...] = ()

    @property
    def short(self) -> str:
        """The status, and the rule of a refusal."""
        return f"{self.status}: {RULES.get(self.rule, self.rule)}" if self.rule else self.status

    def parts(self) -> list[tuple[str, str]]:
        """All that is said of it: heading, which may be empty, and text."""
        said = [("", self.why), ("", self.ratio)]
        said += [("What differs", "; ".join(self.differs))]
        said += [("Not stated", "; ".join(self.unknown))]
        said += [("To be named", "; ".join(self.standing))]
        return [(heading, text) for heading, text in said if text]

    @property
    def reason(self) -> str:
        """The same as one text."""
        return " ".join(f"{head}: {text}." if head else text for head, text in self.parts())


def pair(a: Known, b: Known) -> Pair:
    """What `storagebook.compare` says of two figures."""
    first, second = _apart(a, b)
    try:
        found = compare.ratio(first, second)
    except Refused as refusal:
        return _refused(a, b, first, second, refusal)
    if _limit_elsewhere(first, second):
        why = f"{first.name} and {second.name}: a limit says nothing of another system"
        elsewhere = Refused("other-system", "this book's rule", why)
        return _refused(a, b, first, second, elsewhere)
    if _limits_of_two(first, second):
        why = (
            f"{first.name} and {second.name} are limits by design of different systems, and no "
            "source at hand says that both are reckoned alike. No ratio is given."
        )
        return Pair(a, b, Status.UNKNOWN, why=why)
    unsaid = [figure.name for figure in (first, second) if not _measured_what(figure)]
    if unsaid:
        why = (
            f"No source at hand says what was measured in: {'; '.join(unsaid)}. No ratio is given."
        )
        return Pair(a, b, Status.UNKNOWN, why=why)
    nowhere = [one.figure.name for one in (a, b) if _list_unknown(one)]
    if nowhere and Set.OWN not in (a.set, b.set):
        why = (
            f"No source at hand says on which IO500 list it is: {'; '.join(nowhere)}. Results of "
            "different lists are not compared, so no ratio is given."
        )
        return Pair(a, b, Status.UNKNOWN, why=why)
    compared = _compared(a, b, found)
    # who states less must not fare better: unknown is not equal
    named = compared.differs or compared.unknown
    return dataclasses.replace(compared, status=Status.NAMED if named else Status.STANDS)


def _apart(a: Known, b: Known) -> tuple[Figure, Figure]:
    """Both figures, with names that tell one from the other."""
    places = {one.figure.name.partition(" (")[0] for one in (a, b)}
    if a.what != b.what:
        one, other = f", {a.what}", f", {b.what}"
    elif len(places) == 1:
        one, other = f", {a.set}", f", {b.set}"
    else:
        return a.figure, b.figure
    return (
        dataclasses.replace(a.figure, name=a.figure.name + one),
        dataclasses.replace(b.figure, name=b.figure.name + other),
    )


def _refused(a: Known, b: Known, first: Figure, second: Figure, refusal: Refused) -> Pair:
    # what a benchmark's owner forbids weighs more than a unit that would differ anyway
    owners = None
    if refusal.rule == _UNIT_KIND:
        alike = dataclasses.replace(second, unit=first.unit)
        owners = compare.why_not(first, alike)
        owners = None if owners is None or owners.policy == refusal.policy else owners
    decisive = owners or refusal
    why = " ".join(_sentence(one) for one in (owners, refusal) if one is not None)
    refused = Pair(a, b, Status.REFUSED, rule=decisive.rule, policy=decisive.policy, why=why)
    acts: tuple[Callable[[Figure, Figure], Comparison], ...] = (compare.study, compare.within_run)
    for act in acts:
        try:
            found = act(first, second)
        except Refused:
            continue
        found_pair = _compared(a, b, found)
        return dataclasses.replace(
            found_pair,
            status=Status.STUDY,
            rule=refused.rule,
            policy=refused.policy,
            why=why,
            standing=(found.label, *found_pair.standing),
        )
    return refused


def _limit_elsewhere(a: Figure, b: Figure) -> bool:
    """Whether one is a limit by design, and the other was measured on another system."""
    if (a.basis in compare.NOT_MEASURED) == (b.basis in compare.NOT_MEASURED):
        return False
    return a.system != b.system


def _limits_of_two(a: Figure, b: Figure) -> bool:
    """Whether both are limits by design, of two systems."""
    return {a.basis, b.basis} <= compare.NOT_MEASURED and a.system != b.system


def _measured_what(figure: Figure) -> bool:
    """Whether the measurement has a name; a limit by design measures nothing."""
    return figure.metric is not None or figure.basis in compare.NOT_MEASURED


def _list_unknown(one: Known) -> bool:
    return one.figure.benchmark == IO500 and one.figure.list is None


def _sentence(refusal: Refused) -> str:
    said = str(refusal.what).partition(": ")[2]
    policy = refusal.policy if refusal.policy.startswith("this ") else f"the {refusal.policy}"
    return f"{said[0].upper()}{said[1:]} ({policy})."


def _compared(a: Known, b: Known, found: Comparison) -> Pair:
    """The ratio and all that has to stand beside it; its status is for the caller to say."""
    caveats = [one for one in found.caveats if not _idle(one, found)]
    differs = [_differs(one) for one in caveats if one.a and one.b]
    standing = {
        figure.name: figure.standing() for figure in (found.a, found.b) if figure.standing()
    }
    return Pair(
        a,
        b,
        Status.STANDS,
        ratio=_ratio(found),
        differs=tuple(differs),
        unknown=tuple(_unstated([one for one in caveats if not (one.a and one.b)], found)),
        standing=tuple(f"{name}: {said.rstrip('.')}" for name, said in standing.items()),
    )


def _idle(caveat: Caveat, found: Comparison) -> bool:
    """Whether an aspect is unknown only because a figure of that basis has none."""
    for said, figure in ((caveat.a, found.a), (caveat.b, found.b)):
        if said is not None:
            continue
        if figure.basis in compare.NOT_MEASURED and caveat.aspect not in _OF_LIMITS:
            return True
        if figure.basis is Basis.APPLICATION and caveat.aspect in ("benchmark", "version"):
            return True
    return False


def _ratio(found: Comparison) -> str:
    over, under, ratio = found.a, found.b, found.ratio
    if ratio.hi < 1:
        least = 1 / Fraction(ratio.hi)
        # under a bound without an upper end there is no least ratio
        turned = Interval(least, math.inf if ratio.lo == 0 else 1 / Fraction(ratio.lo))
        over, under, ratio = found.b, found.a, turned
    words = f"at most {in_words(Interval.point(ratio.hi))}" if ratio.lo == 0 else in_words(ratio)
    return f"{over.name} over {under.name}: {words}."


def _label(aspect: str) -> str:
    return _LABELS.get(aspect, aspect)


def _differs(caveat: Caveat) -> str:
    a, b = (_grouped(said) for said in (caveat.a, caveat.b))
    return f"{_label(caveat.aspect)}, {a} against {b}"


def _grouped(said: str | None) -> str:
    return f"{int(said):,}" if said and said.isdigit() else str(said)


def _unstated(caveats: Sequence[Caveat], found: Comparison) -> Iterator[str]:
    """What nobody states of both, and of each."""
    both = [_label(one.aspect) for one in caveats if one.a is None and one.b is None]
    if both:
        yield f"of both {', '.join(both)}"
    for side, figure in (("a", found.a), ("b", found.b)):
        other = "b" if side == "a" else "a"
        own = [
            _label(one.aspect)
            for one in caveats
            if getattr(one, side) is None and getattr(one, other) is not None
        ]
        if own:
            yield f"of {figure.name} {', '.join(own)}"


@functools.cache
def pairs(figures: tuple[Known, ...]) -> tuple[Pair, ...]:
    """Each two of some figures, once, the earlier first."""
    return tuple(pair(a, b) for number, a in enumerate(figures) for b in figures[number + 1 :])


def counts(found: Sequence[Pair]) -> pd.DataFrame:
    """How many pairs have each status: ``status``, ``pairs``, ``means``."""
    rows = [(str(s), sum(one.status is s for one in found), MEANS[s]) for s in Status]
    return pd.DataFrame(rows, columns=["status", "pairs", "means"])


def reasons(found: Sequence[Pair]) -> pd.DataFrame:
    """Why pairs are refused: ``reason``, ``asked_by``, ``pairs``, ``example``; most first."""
    refused = [one for one in found if one.status is Status.REFUSED]
    rows = []
    for rule in dict.fromkeys(one.rule for one in refused):
        own = [one for one in refused if one.rule == rule]
        policy = ", ".join(sorted({one.policy for one in own}))
        examples = [f"{one.a.figure.name} with {one.b.figure.name}" for one in own]
        rows.append((RULES.get(rule, rule), policy, len(own), min(examples, key=len)))
    frame = pd.DataFrame(rows, columns=["reason", "asked_by", "pairs", "example"])
    return frame.sort_values(["pairs", "reason"], ascending=[False, True], ignore_index=True)


def alone(found: Sequence[Pair]) -> list[Known]:
    """The figures that may be compared with no other of these."""
    together = {
        one.key for p in found if p.status in (Status.STANDS, Status.NAMED) for one in (p.a, p.b)
    }
    every = {one.key: one for p in found for one in (p.a, p.b)}
    return [one for key, one in every.items() if key not in together]


def allowed(found: Sequence[Pair]) -> pd.DataFrame:
    """The pairs that may be compared: ``of``, ``with``, ``status``, ``ratio``, ``beside``."""
    rows = [
        (
            f"{one.a.label}: {one.a.shown}",
            f"{one.b.label}: {one.b.shown}",
            str(one.status),
            one.ratio,
            " ".join(f"{head}: {text}." for head, text in one.parts() if head),
        )
        for one in found
        if one.status in (Status.STANDS, Status.NAMED)
    ]
    return pd.DataFrame(rows, columns=["of", "with", "status", "ratio", "beside"])


def said(found: Sequence[Pair]) -> list[Sentence]:
    """What the matrix comes to, in words."""
    counted = counts(found).set_index("status").pairs
    together = [one for one in found if one.status in (Status.STANDS, Status.NAMED)]
    return [
        (
            "Of **{pairs} pairs** of {figures} figures, **{refused} are refused**, and in "
            "{unknown} nobody says enough. In {named} the ratio stands if what differs, and what "
            "nobody states, is named beside it; {stands} stand with nothing to name; {study} are "
            "no comparison of systems but may be studied.",
            {
                "pairs": len(found),
                "figures": len({one.key for p in found for one in (p.a, p.b)}),
                **{
                    name: int(counted[status])
                    for name, status in (
                        ("refused", Status.REFUSED),
                        ("unknown", Status.UNKNOWN),
                        ("named", Status.NAMED),
                        ("stands", Status.STANDS),
                        ("study", Status.STUDY),
                    )
                },
            },
        ),
        (
            "Of the {all} that may be compared, {inside} are within one set of this page: a list, "
            "a round of a benchmark, one application.",
            {
                "all": len(together),
                "inside": sum(one.a.set is one.b.set for one in together),
            },
        ),
        *_said_of_alone(found),
    ]


def _said_of_alone(found: Sequence[Pair]) -> list[Sentence]:
    names = [f"{one.figure.name}: {one.what}" for one in alone(found)]
    if not names:
        return []
    items = "\n".join(f"- {{n{number}}}" for number in range(len(names)))
    return [
        (
            "Figures that may be compared with no other one here: {n}. That says nothing against "
            "them: no other figure here was measured the same way, or nobody says how it was.\n\n"
            + items,
            {"n": len(names)} | {f"n{number}": name for number, name in enumerate(names)},
        )
    ]
