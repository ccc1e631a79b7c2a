"""What the first page says was found: each sentence computed, none for its own sake."""

from __future__ import annotations

import pandas as pd

from storagebook import aurora, ledger, tables
from storagebook.claims import Verdict
from storagebook.io500 import listed, runs
from storagebook.io500.runs import Sentence

_SOURCE = "000"


def all_of_them() -> list[Sentence]:
    """The findings of the book so far, the most general first."""
    return [_claims(), _public_runs(), _listed_score(), *_whose_count(), *_two_runs()]


def _claims() -> Sentence:
    counts = ledger.verdicts().set_index("verdict").claims
    holds = [Verdict.CONFIRMED, Verdict.ROUNDING, Verdict.CONSISTENT, Verdict.SUPPORTED]
    return (
        "- Of **{all} claims** checked, {holds} hold, {against} are contradicted by the evidence, "
        "{weak} inferences do not follow from it, and {open} could not be recomputed. "
        "[Each one, with its arithmetic](90-every-claim.ipynb).",
        {
            "all": int(counts.sum()),
            "holds": int(counts[[str(v) for v in holds]].sum()),
            "against": int(counts[str(Verdict.CONTRADICTED)]),
            "weak": int(counts[str(Verdict.NOT_SHOWN)]),
            "open": int(counts[str(Verdict.NOT_RECOMPUTABLE)]),
        },
    )


def _public_runs() -> Sentence:
    every = tables.load(runs.RUNS)
    arithmetic, integrity = every.arithmetic.value_counts(), every.integrity.value_counts()
    return (
        "- Of **{runs} public IO500 runs** read, the printed score follows from the printed phases "
        "in {agree}, does not in {disagree}, and cannot be told from the printed digits in {open}; "
        "the hash over the printed figures matches in {match} of the {hashed} that carry one.",
        {
            "runs": len(every),
            "agree": int(arithmetic.get("agrees", 0)),
            "disagree": int(arithmetic.get("disagrees", 0)),
            "open": len(every) - int(arithmetic.reindex(["agrees", "disagrees"]).sum()),
            "match": int(integrity.get("match", 0)),
            "hashed": int(integrity.drop("absent", errors="ignore").sum()),
        },
    )


def _listed_score() -> Sentence:
    row = tables.printed("io500-production-isc26").set_index("system").loc["Aurora"]
    run = runs.load(aurora.SUBMISSION)
    weighed = listed.explain(row.score, row.bandwidth_gib_s, row.metadata_kiops, run.texts.score)
    how = {
        "either": "which its rounding explains",
        "two decimals only": "which rounding to two decimals explains",
        "six digits only": "because the list keeps {digits} significant digits of a score",
        "neither": "which no way of rounding explains",
    }[weighed.reading]
    return (
        "- **Aurora's score** is {raw:,.2f} by its own result file and follows from its phases; "
        f"the list prints {{text}}, {how} ([how](03-how-io500-scores.ipynb)).",
        {"raw": float(weighed.evidence.mid), "text": row.score}
        | ({"digits": listed.SIGNIFICANT_DIGITS} if "{digits}" in how else {}),
    )


def _whose_count() -> list[Sentence]:
    stated, fits = aurora.runs_with_the_stated_count()
    own = runs.load(aurora.SUBMISSION).facts.total_files_count
    if pd.isna(own) or aurora.SUBMISSION in set(fits.submission) or len(fits) != 1:
        return []
    return [
        (
            "- The **{stated:.0f} billion files** quoted for Aurora's protected run are "
            "those of its unprotected one, submission {other}; the protected run counts {own:.1f} "
            "billion ([evidence](10-aurora-twelve-phases.ipynb)).",
            {
                "stated": stated / 1e9,
                "other": fits.submission.iloc[0],
                "own": int(own) / 1e9,
            },
        )
    ]


def _two_runs() -> list[Sentence]:
    protected, bare = (runs.load(s) for s in (aurora.SUBMISSION, aurora.UNPROTECTED))
    procs = [int(run.facts.procs_count) for run in (protected, bare)]
    if procs[0] == procs[1]:
        return []
    return [
        (
            "- The two runs quoted as **the cost of redundancy** differ in more than redundancy: "
            "{a:,} processes with it, {b:,} without.",
            {"a": procs[0], "b": procs[1]},
        )
    ]
