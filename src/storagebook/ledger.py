"""The ledger as pages show it: rows of a chapter, counts, the meaning of each verdict."""

from __future__ import annotations

import functools
from collections.abc import Sequence

import pandas as pd

from storagebook import claims
from storagebook.claims import Judged, Kind, Verdict
from storagebook.errors import StoragebookError
from storagebook.io500.runs import Sentence

_MEANS = {
    Verdict.CONFIRMED: "every value that the inputs allow prints as the claim does",
    Verdict.ROUNDING: "equal within what the printed digits of the inputs allow",
    Verdict.CONSISTENT: "an approximation or a bound (about, nearly, more than) that holds",
    Verdict.CONTRADICTED: "no value that the evidence allows fits the claim",
    Verdict.UNDECIDED: "the evidence fits more than one reading of the claim",
    Verdict.NOT_RECOMPUTABLE: "no inputs, only a picture, or not public: the row says which",
    Verdict.SUPPORTED: "an inference that the evidence bears out",
    Verdict.NOT_SHOWN: "an inference that may be true but does not follow from the evidence",
}


def vocabulary() -> pd.DataFrame:
    """What each verdict means: ``verdict``, ``means``."""
    return pd.DataFrame(
        [(str(v), means) for v, means in _MEANS.items()], columns=["verdict", "means"]
    )


def said(one: Judged) -> str:
    """The claim in the source's digits, or an inference's statement."""
    claim = one.claim
    if claim.kind is Kind.INFERENCE:
        return claim.quantity
    words = {"about": "about ", "nearly": "nearly ", "at-least": "≥ ", "more-than": "> "}
    words |= {"at-most": "≤ ", "less-than": "< ", "order-of": "order of "}
    unit = "" if claim.unit in ("1", "score") else f" {claim.unit}"
    return f"{words.get(claim.qualifier, '')}{claim.value}{unit}"


@functools.cache
def _judged() -> tuple[Judged, ...]:
    return tuple(claims.ledger())


def of(source: str, sections: Sequence[str] | None = None) -> list[Judged]:
    """The judged claims of a source, of some of its sections or of all, in the ledger's order.

    Raises
    ------
    StoragebookError
        If the ledger has no claim of that source.
    """
    own = [one for one in _judged() if one.claim.source == source]
    if not own:
        known = sorted({one.claim.source for one in _judged()})
        raise StoragebookError(
            f"the ledger has no claim of source {source!r}", hint=f"it has {', '.join(known)}"
        )
    return [one for one in own if sections is None or one.claim.section in sections]


def shown(source: str, sections: Sequence[str] | None = None) -> pd.DataFrame:
    """Claims as a chapter shows them: line, about, said, recomputed, verdict."""
    return every(source, sections).drop(columns=["id", "evidence"])


def every(source: str, sections: Sequence[str] | None = None) -> pd.DataFrame:
    """The same with ``id`` and ``evidence``: the arithmetic and where its inputs come from."""
    rows = [
        (
            one.claim.id,
            one.claim.line,
            _about(one),
            said(one),
            one.recomputed or None,
            str(one.verdict),
            one.evidence,
        )
        for one in of(source, sections)
    ]
    return pd.DataFrame(
        rows, columns=["id", "line", "about", "said", "recomputed", "verdict", "evidence"]
    )


def _about(one: Judged) -> str:
    claim = one.claim
    return claim.system if claim.kind is Kind.INFERENCE else f"{claim.system}: {claim.quantity}"


def counts() -> pd.DataFrame:
    """How many claims of each source have each verdict: a row a verdict, a column a source."""
    rows = [(one.claim.source, str(one.verdict)) for one in _judged()]
    frame = pd.DataFrame(rows, columns=["source", "verdict"])
    order = [str(v) for v in Verdict]
    table = pd.crosstab(frame.verdict, frame.source).reindex(order, fill_value=0)
    return table.rename_axis(columns=None).reset_index()


def holding() -> tuple[int, int]:
    """How many claims hold, and how many of those against raw output, wholly or in part."""
    holds = {Verdict.CONFIRMED, Verdict.ROUNDING, Verdict.CONSISTENT, Verdict.SUPPORTED}
    own = [one for one in _judged() if one.verdict in holds]
    return len(own), sum(one.evidence.startswith("from raw output") for one in own)


def coverage(source: str) -> list[Sentence]:
    """How many claims of a source the ledger holds, and how many were recomputed from what."""
    own = of(source)
    open_ = sum(one.verdict is Verdict.NOT_RECOMPUTABLE for one in own)
    raw = sum(one.evidence.startswith("from raw output") for one in own)
    return [
        (
            "The ledger holds {all} claims of source {source}: {checked} have a check, {raw} of "
            "them against raw output; {open} cannot be recomputed, each for a stated reason.",
            {
                "all": len(own),
                "source": source,
                "checked": len(own) - open_,
                "raw": raw,
                "open": open_,
            },
        )
    ]


def findings(source: str, *verdicts: Verdict) -> list[Sentence]:
    """The claims of a source with these verdicts: what is said, and what the evidence says."""
    return [
        (
            "- **{about}** (line {line}) — said: {said}. Found {evidence}. {note}",
            {
                "about": one.claim.system,
                "line": one.claim.line,
                "said": _whole(one),
                "evidence": one.evidence,
                "note": f"Note: {one.claim.note}." if one.claim.note else "",
            },
        )
        for one in of(source)
        if one.verdict in verdicts
    ]


def _whole(one: Judged) -> str:
    if one.claim.kind is Kind.INFERENCE:
        return said(one)
    return f"{one.claim.quantity} {said(one)}"


def verdicts() -> pd.DataFrame:
    """How many claims have each verdict, and what it means: ``verdict``, ``claims``, ``means``."""
    found = [one.verdict for one in _judged()]
    rows = [(str(v), found.count(v), means) for v, means in _MEANS.items()]
    return pd.DataFrame(rows, columns=["verdict", "claims", "means"])
