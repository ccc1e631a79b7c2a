"""The ledger as pages show it: rows of a chapter, counts, the meaning of each verdict."""

from __future__ import annotations

import functools
from collections.abc import Sequence

import pandas as pd

from storagebook import claims
from storagebook.claims import Claim, Judged, Kind, Verdict
from storagebook.errors import StoragebookError
from storagebook.io500.runs import Sentence

#: The page that holds every row.
PAGE = "90-every-claim"
#: Chapters that show the claims of a section.
CHAPTERS: dict[tuple[str, str], tuple[str, ...]] = {
    ("000", "preface"): ("02-units-and-bases",),
    ("000", "0"): ("02-units-and-bases",),
    ("000", "1.1"): ("03-how-io500-scores",),
    ("000", "1.2"): ("03-how-io500-scores",),
    ("000", "1.3"): ("03-how-io500-scores", "11-the-lists"),
    ("000", "2.1"): ("11-the-lists",),
    ("000", "2.2"): ("11-the-lists",),
    ("000", "2.3"): ("11-the-lists",),
    ("000", "3.1"): ("10-aurora-twelve-phases",),
    ("000", "3.2"): ("10-aurora-twelve-phases",),
    ("000", "3.3"): ("03-how-io500-scores",),
    ("000", "3.4"): ("12-redundancy-cost",),
    ("000", "3.5"): ("13-efficiency",),
    ("000", "4.3"): ("12-redundancy-cost",),
    ("000", "6.4"): ("22-md-on-ssd",),
    ("000", "5.3"): ("24-scale-and-capacity",),
    ("000", "6.5"): ("25-ecosystem-gains",),
    ("000", "4.1"): ("20-where-performance-comes-from",),
    ("000", "4.2"): ("20-where-performance-comes-from",),
    ("000", "4.4"): ("20-where-performance-comes-from",),
    ("000", "7"): ("26-limits-and-misreadings",),
    ("000", "8"): ("43-evaluation-checklist",),
    ("000", "5.1"): ("21-concurrency-and-interfaces",),
    ("000", "5.2"): ("21-concurrency-and-interfaces",),
    ("000", "9"): ("11-the-lists",),
    ("000", "6.1"): ("30-hacc",),
    ("000", "6.2"): ("31-mlperf-storage",),
    ("000", "6.3"): ("32-weather-fields",),
    ("000", "10"): ("03-how-io500-scores",),
    ("001", "preface"): ("31-mlperf-storage",),
    ("001", "01"): ("31-mlperf-storage",),
    ("001", "02"): ("31-mlperf-storage",),
    ("001", "03"): ("31-mlperf-storage",),
    ("001", "04"): ("31-mlperf-storage",),
    ("002", "preface"): ("23-vos-daos-perf",),
    ("002", "DAOS-1108"): ("23-vos-daos-perf",),
    ("002", "DAOS-879"): ("23-vos-daos-perf",),
    ("002", "DAOS-1078"): ("23-vos-daos-perf",),
    ("002", "DAOS-1079"): ("23-vos-daos-perf",),
    ("003", "testbed"): ("33-pixstor",),
    ("003", "IOzone sequential"): ("33-pixstor",),
    ("003", "IOR"): ("33-pixstor",),
    ("003", "IOzone random"): ("33-pixstor",),
    ("003", "mdtest"): ("33-pixstor",),
    ("003", "conclusion"): ("33-pixstor",),
    ("004", ""): ("32-weather-fields",),
}

# Digits that a source prints without separators: 2097152.
_UNGROUPED = 7
_MEANS = {
    Verdict.CONFIRMED: "every value that the inputs allow prints as the claim does",
    Verdict.ROUNDING: "equal within what the printed digits of the inputs allow",
    Verdict.CONSISTENT: "an approximation or a bound that holds, or a figure that keeps a limit",
    Verdict.CONTRADICTED: "no value that the evidence allows fits the claim",
    Verdict.UNDECIDED: "the evidence fits the claim and its opposite, or more than one reading",
    Verdict.NOT_RECOMPUTABLE: "no inputs, only a picture, or not public: the row says which",
    Verdict.SUPPORTED: "an inference that the evidence bears out",
    Verdict.NOT_SHOWN: "an inference that may be true but does not follow from the evidence",
}


def vocabulary() -> pd.DataFrame:
    """What each verdict means: ``verdict``, ``means``."""
    return pd.DataFrame(
        [(str(v), means) for v, means in _MEANS.items()], columns=["verdict", "means"]
    )


def anchor(claim_id: str) -> str:
    """The address of a claim's row, from any page of the book."""
    return f"{PAGE}.html#claim-{claim_id}"


def said(one: Judged) -> str:
    """The claim in the source's digits, or an inference's statement."""
    claim = one.claim
    if claim.kind is Kind.INFERENCE:
        return claim.quantity
    words = {"about": "about ", "nearly": "nearly ", "at-least": "≥ ", "more-than": "> "}
    words |= {"at-most": "≤ ", "less-than": "< ", "order-of": "order of "}
    unit = "" if claim.unit in ("1", "score") else f" {claim.unit}"
    # a Chinese myriad is an exponent or a row of zeros in the table; people read groups
    myriads = "e" in claim.value or (claim.value.isdigit() and len(claim.value) > _UNGROUPED)
    numeral = f"{int(float(claim.value)):,}" if myriads else claim.value
    return f"{words.get(claim.qualifier, '')}{numeral}{unit}"


@functools.cache
def _claims() -> tuple[Claim, ...]:
    return tuple(claims.load())


@functools.cache
def _judged(claim: Claim) -> Judged:
    return claims.verdict(claim)


def of(source: str, sections: Sequence[str] | None = None) -> list[Judged]:
    """The judged claims of a source, of some of its sections or of all, in the ledger's order.

    Raises
    ------
    StoragebookError
        If the ledger has no claim of that source.
    """
    own = [one for one in _claims() if one.source == source]
    if not own:
        known = sorted({one.source for one in _claims()})
        raise StoragebookError(
            f"the ledger has no claim of source {source!r}", hint=f"it has {', '.join(known)}"
        )
    # a chapter shows a few sections: the other claims need no check there
    return [_judged(one) for one in own if sections is None or one.section in sections]


def shown(source: str, sections: Sequence[str] | None = None) -> pd.DataFrame:
    """Claims as a chapter shows them, each with a link to its row in the ledger.

    Returns
    -------
    pandas.DataFrame
        Columns ``line``, ``about``, ``said``, ``recomputed`` and ``verdict``.
    """
    own = of(source, sections)
    rows = [
        (one.claim.line, about(one), said(one), one.recomputed or None, str(one.verdict))
        for one in own
    ]
    frame = pd.DataFrame(rows, columns=["line", "about", "said", "recomputed", "verdict"])
    frame.attrs["links"] = {"about": [anchor(one.claim.id) for one in own]}
    return frame


def every() -> tuple[Judged, ...]:
    """All judged claims, in the ledger's order."""
    return tuple(map(_judged, _claims()))


def about(one: Judged) -> str:
    """Of what a claim is: the system, and the quantity where it is a number."""
    claim = one.claim
    return claim.system if claim.kind is Kind.INFERENCE else f"{claim.system}: {claim.quantity}"


def counts() -> pd.DataFrame:
    """How many claims of each source have each verdict: a row a verdict, a column a source."""
    rows = [(one.claim.source, str(one.verdict)) for one in every()]
    frame = pd.DataFrame(rows, columns=["source", "verdict"])
    order = [str(v) for v in Verdict]
    table = pd.crosstab(frame.verdict, frame.source).reindex(order, fill_value=0)
    return table.rename_axis(columns=None).reset_index()


def holding() -> tuple[int, int]:
    """How many claims hold, and how many of those against raw output, wholly or in part."""
    holds = {Verdict.CONFIRMED, Verdict.ROUNDING, Verdict.CONSISTENT, Verdict.SUPPORTED}
    own = [one for one in every() if one.verdict in holds]
    return len(own), sum(one.evidence.startswith("from raw output") for one in own)


def coverage() -> list[Sentence]:
    """How many claims the ledger holds, and how many were recomputed from what."""
    own = every()
    open_ = sum(one.verdict is Verdict.NOT_RECOMPUTABLE for one in own)
    inferences = sum(one.claim.kind is Kind.INFERENCE for one in own)
    raw = sum(one.evidence.startswith("from raw output") for one in own)
    return [
        (
            "The ledger holds {numbers:,} numbers and {inferences:,} inferences of {sources} "
            "documents. Of these {checked:,} have a check, {raw:,} of them against raw output, "
            "wholly or in part; {open:,} cannot be recomputed, each for a stated reason.",
            {
                "numbers": len(own) - inferences,
                "inferences": inferences,
                "sources": len({one.claim.source for one in own}),
                "checked": len(own) - open_,
                "raw": raw,
                "open": open_,
            },
        )
    ]


def with_verdict(verdict: Verdict | str) -> pd.DataFrame:
    """The claims of all sources that have a verdict, each with a link to its row.

    Returns
    -------
    pandas.DataFrame
        Columns ``source``, ``line``, ``about``, ``said``, ``recomputed`` and ``note``.
    """
    own = [one for one in every() if one.verdict == verdict]
    rows = [
        (
            one.claim.source,
            one.claim.line,
            about(one),
            said(one),
            one.recomputed or None,
            one.claim.note or None,
        )
        for one in own
    ]
    frame = pd.DataFrame(rows, columns=["source", "line", "about", "said", "recomputed", "note"])
    frame.attrs["links"] = {"about": [anchor(one.claim.id) for one in own]}
    return frame


def verdicts() -> pd.DataFrame:
    """How many claims have each verdict, and what it means: ``verdict``, ``claims``, ``means``."""
    found = [one.verdict for one in every()]
    rows = [(str(v), found.count(v), means) for v, means in _MEANS.items()]
    return pd.DataFrame(rows, columns=["verdict", "claims", "means"])
