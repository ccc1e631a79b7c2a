"""What the first page says was found: each sentence computed, none for its own sake."""

from __future__ import annotations

import pandas as pd

from storagebook import aurora, cells, hacc, ledger, ledger_page, tables
from storagebook.claims import Verdict
from storagebook.io500 import listed, membership, runs
from storagebook.io500.runs import Sentence
from storagebook.mlperf import demand, statements
from storagebook.systems import judged, known

_WORDS = {"MiB/s in 1000s": "thousands of MiB/s"}


def all_of_them() -> list[Sentence]:
    """The findings of the book so far, the most general first."""
    return [
        _claims(),
        _public_runs(),
        _listed_score(),
        _phases(),
        *_whose_count(),
        *_two_runs(),
        _over_lustre(),
        _units(),
        _pairs(),
    ]


def _claims() -> Sentence:
    counts = ledger.verdicts().set_index("verdict").claims
    holds, raw = ledger.holding()
    wrong = ledger_page.blocks(ledger_page.ALL, Verdict.CONTRADICTED)
    return (
        "- Of **{all:,} claims** in {documents} documents, {raw} hold against raw result files, "
        "{inside} agree with the documents' own figures ({loose} of both as an approximation, or "
        "because they keep a limit), {against} are contradicted by the evidence ({distinct} "
        "statements: {most} of the claims are one label of bandwidths), {weak} inferences do not "
        "follow from it, {undecided} stay undecided, and {open} cannot be recomputed. "
        "[Each one, with its arithmetic](90-every-claim.ipynb).",
        {
            "all": int(counts.sum()),
            "documents": len(ledger.counts().columns) - 1,
            "raw": raw,
            "inside": holds - raw,
            "loose": int(counts[str(Verdict.CONSISTENT)]),
            "undecided": int(counts[str(Verdict.UNDECIDED)]),
            "against": int(counts[str(Verdict.CONTRADICTED)]),
            "distinct": len(wrong),
            "most": max(len(block.judged) for block in wrong),
            "weak": int(counts[str(Verdict.NOT_SHOWN)]),
            "open": int(counts[str(Verdict.NOT_RECOMPUTABLE)]),
        },
    )


def _public_runs() -> Sentence:
    every = tables.load(runs.RUNS)
    arithmetic, integrity = every.arithmetic.value_counts(), every.integrity.value_counts()
    product = int(every.findings.str.contains("product-not-root", na=False).sum())
    return (
        "- Of **{runs} public IO500 runs** in {submissions} submissions, the printed score follows "
        "from the printed phases in {agree}; {product} early ones print the product whose root it "
        "is; {disagree} contradict their phases, and {open} print too few digits to tell. The "
        "checksum that newer result files print over their own figures matches in {match} of the "
        "{hashed} that carry one ([every run](14-every-public-submission.ipynb)).",
        {
            "runs": len(every),
            "submissions": every.submission.nunique(),
            "product": product,
            "agree": int(arithmetic.get("agrees", 0)) - product,
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
        "either": "as rounding gives it",
        "two decimals only": "as rounding to two decimals gives it",
        "six digits only": "as a score kept to {digits} significant digits would print",
        "neither": "which no way of rounding gives",
    }[weighed.reading]
    return (
        "- **Aurora's score** ({standing}) is {raw:,.2f} by its own result file and follows from "
        f"its phases; the list prints {{text}}, {how} ([how](03-how-io500-scores.ipynb)).",
        {"raw": float(weighed.evidence.mid), "text": row.score, "standing": _standing(run)}
        | ({"digits": listed.SIGNIFICANT_DIGITS} if "{digits}" in how else {}),
    )


def _standing(run: runs.PublicRun) -> str:
    listings = membership.stated(run)
    if not listings:
        return "unverified"
    where = f"{listings[0].list} list, {listings[0].release}"
    return f"submission {run.submission}, verified, {where}"


def _phases() -> Sentence:
    quoted = aurora.printed_results(aurora.SUBMISSION)
    return (
        "- Of the **results of single phases** that source 000 quotes for that run, "
        "{same} of {all} are the raw figures, correctly rounded "
        "([each](10-aurora-twelve-phases.ipynb)).",
        {"same": int(quoted.agrees.sum()), "all": len(quoted)},
    )


def _whose_count() -> list[Sentence]:
    stated, fits = aurora.runs_with_the_stated_count()
    own = runs.load(aurora.SUBMISSION).facts.total_files_count
    if pd.isna(own) or aurora.SUBMISSION in set(fits.submission) or len(fits) != 1:
        return []
    return [
        (
            "- The **{stated:.0f} billion files** that source 000 gives for that run are "
            "those of submission {other}, the run without redundancy; its own count is {own:.1f} "
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
            "- The two runs that it sets side by side as **the cost of redundancy** differ in more "
            "than redundancy: {a:,} processes with it, {b:,} without "
            "([what else](12-redundancy-cost.ipynb)).",
            {"a": procs[0], "b": procs[1]},
        )
    ]


def _over_lustre() -> Sentence:
    _, ratios = hacc.over_lustre()
    return (
        "- **{quoted} times Lustre**, for the cosmology code HACC on DAOS, is one of {all} ratios "
        "that the figures told with it allow, from {least:.1f} to {most:.1f}, by what is meant on "
        "either side; {alike} of them print as {quoted} ([each base](30-hacc.ipynb)).",
        {
            "quoted": cells.cell("hacc[quantity=ratio].value").text,
            "all": len(ratios),
            "least": ratios.ratio.min(),
            "most": ratios.ratio.max(),
            "alike": int(ratios.as_quoted.sum()),
        },
    )


def _units() -> Sentence:
    told = statements.units_told()
    meanings = told.by_run.value_counts().reindex([*demand.MEANINGS], fill_value=0)
    return (
        "- **A decimal unit** stands beside {all} bandwidths that submitters printed of MLPerf™ "
        "Storage v1.0 results. By their public runs it stood for {meanings}; for {open} of them "
        "none, or more than one, fits ([which](31-mlperf-storage.ipynb)).",
        {
            "all": len(told),
            "meanings": ", ".join(
                f"{_WORDS.get(name, name)} {_often(n)}" for name, n in meanings.items() if n
            ),
            "open": len(told) - int(meanings.sum()),
        },
    )


def _often(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


def _pairs() -> Sentence:
    found = judged.pairs(known.of_matrix())
    counts = judged.counts(found).set_index("status").pairs
    return (
        "- Of **{all} pairs** of {figures} figures of DAOS, Lustre and the others, {refused} may "
        "not be compared at all ([ask for a pair](34-across-systems.ipynb)).",
        {
            "all": len(found),
            "figures": len(known.of_matrix()),
            "refused": int(counts["refused"]),
        },
    )
