"""The first source's list of limits and misreadings, each as a computation on a public run."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass

import pandas as pd

from storagebook import cells, compare, ledger, ledger_page, md_on_ssd, units
from storagebook.compare import Figure
from storagebook.corrections import Mistake
from storagebook.intervals import percent_change
from storagebook.io500 import membership, redundancy, runs
from storagebook.io500.phases import BANDWIDTH, IOR_HARD_RECORD_B, METADATA
from storagebook.io500.runs import PublicRun, Sentence
from storagebook.verdicts import Verdict

SECTION = "7"
#: The pair that the source takes its cost of redundancy from.
PAIR = ("0688", "0695")

_HOLDS = (Verdict.CONFIRMED, Verdict.ROUNDING, Verdict.CONSISTENT, Verdict.SUPPORTED)


def _stated(table: str, quantity: str) -> cells.Cell:
    return cells.cell(f"{table}[quantity={quantity}].value")


def _number(table: str, quantity: str) -> float:
    return float(_stated(table, quantity).text.replace(",", ""))


def _tb_s(rate_gib_s: float) -> float:
    return float(units.convert(rate_gib_s, "GiB/s", "TB/s"))


def _refusal(a: Figure, b: Figure) -> str:
    """Why two figures are not compared; empty if they may be."""
    refused = compare.why_not(a, b)
    return "" if refused is None else f"{refused.what}"


# -- the ten


def figures(run: PublicRun) -> pd.DataFrame:
    """What may be called a run's bandwidth: ``figure``, ``bandwidth_tb_s``, ``kind``, from the
    largest down."""
    values = run.values()
    rows = [(p.name, _tb_s(values[p.name]), "single phase") for p in BANDWIDTH]
    rows.append(("BW, their mean", _tb_s(run.score().bw_gib_s), "benchmark score"))
    frame = pd.DataFrame(rows, columns=["figure", "bandwidth_tb_s", "kind"])
    return frame.sort_values("bandwidth_tb_s", ascending=False, ignore_index=True)


def peak_mean_phase(run: PublicRun) -> list[Sentence]:
    """A peak, a score and a phase are three figures."""
    values, found = run.values(), run.score()
    phases = {p.name: values[p.name] for p in BANDWIDTH}
    low, high = min(phases, key=lambda p: phases[p]), max(phases, key=lambda p: phases[p])
    refusal = _refusal(membership.figure(run, high), membership.figure(run, "bandwidth"))
    peak = _stated("aurora-configuration", "peak-bandwidth")
    all_servers = _stated("aurora-configuration", "servers").quantity()
    some = _stated("hacc", "daos-servers").quantity()
    measured = _stated("hacc", "daos-ior").quantity() * (all_servers / some)
    return [
        (
            "Submission {submission} has a BW of {bw:,.2f} GiB/s ({bw_tb:.2f} TB/s). Its phases "
            "reach from {low_value:,.2f} (*{low}*) to {high_value:,.2f} GiB/s (*{high}*), "
            "{below:.2f} to {above:.2f} times the mean. The book's comparison of the mean and a "
            "phase answers: {refusal}.",
            {
                "submission": run.submission,
                "bw": found.bw_gib_s,
                "bw_tb": _tb_s(found.bw_gib_s),
                "low": low,
                "low_value": phases[low],
                "high": high,
                "high_value": phases[high],
                "below": phases[low] / found.bw_gib_s,
                "above": phases[high] / found.bw_gib_s,
                "refusal": refusal or "comparable",
            },
        ),
        (
            "The {peak} {unit} that the source calls Aurora's theoretical peak is a lower bound in "
            "its own section 3.1. As a peak it is in doubt: if bandwidth grows with the servers, "
            "what {some} of them wrote with IOR makes {all:.1f} TB/s for all {servers}.",
            {
                "peak": peak.text,
                "unit": peak.unit,
                "some": some.text,
                "servers": all_servers.text,
                "all": float(measured.to("TB/s").value.mid),
            },
        ),
    ]


def score_has_no_unit(run: PublicRun) -> list[Sentence]:
    """A score is neither a bandwidth nor a rate of operations."""
    found = run.score()
    factor = float(units.factor("GiB/s", "GB/s") * units.factor("kIOP/s", "IOP/s")) ** 0.5
    return [
        (
            "The score of submission {submission} is the root of {bw:,.2f} GiB/s times {md:,.2f} "
            "kIOP/s: {score:,.2f}. In GB/s and IOP/s the same run would score {other:,.0f}, "
            "{factor:.2f} times as much. Its size says nothing without the units that IO500 "
            "chose, and bandwidth and metadata may trade places in it without a trace.",
            {
                "submission": run.submission,
                "bw": found.bw_gib_s,
                "md": found.md_kiops,
                "score": found.score,
                "other": found.score * factor,
                "factor": factor,
            },
        ),
        (
            "The source's section 1.2 has the formula right: two geometric means, multiplied, and "
            "one root. Its sentence here, taken alone, can be read as one root more, which would "
            "make {again:,.1f}.",
            {"again": found.score**0.5},
        ),
    ]


def no_application(run: PublicRun) -> list[Sentence]:
    """A benchmark's best is not what an application gets."""
    values = run.values()
    lowest = min((p.name for p in BANDWIDTH), key=lambda name: values[name])
    app, ior = (_stated("hacc", name).quantity() for name in ("daos-write", "daos-ior"))
    said: list[Sentence] = [
        (
            "Already within the benchmark, work that looks like *{lowest}* gets {low:.2f} TB/s of "
            "the {bw:.2f} TB/s that the mean of submission {submission} promises. The one "
            "application at hand with a benchmark beside it, HACC, wrote at {share:.0f} % of IOR's "
            "rate on its pool; it writes large checkpoints, the kind of work that the easy phases "
            "stand for.",
            {
                "lowest": lowest,
                "low": _tb_s(values[lowest]),
                "bw": _tb_s(run.score().bw_gib_s),
                "submission": run.submission,
                "share": float((app / ior).value.mid) * 100,
            },
        )
    ]
    said.append(
        (
            "That submitters send their best run of several, and that nobody else used the "
            "machine, no result file tells. A submission is one sample.",
            {},
        )
    )
    return said


@functools.cache
def _pairs_score() -> tuple[float, float, int]:
    changes = [
        float(redundancy.comparison(one, "score").change_pct.mid) for one in redundancy.pairs()
    ]
    return min(changes), max(changes), len(changes)


def ask_for_redundancy(run: PublicRun) -> list[Sentence]:
    """A result comes with a protection, and the protection with a cost."""
    answer = redundancy.is_protected(run)
    classes = membership.redundancy(run)
    words = {
        True: "its files and directories outlive the loss of a target",
        False: "nothing in it outlives the loss of a target",
        None: "its files do not tell how all of it is protected",
    }
    pair = redundancy.pair(*PAIR)
    score, write = (
        redundancy.comparison(pair, name).change_pct for name in ("score", "ior-hard-write")
    )
    least, most, count = _pairs_score()
    said: list[Sentence] = [
        (
            f"Submission {{submission}} states {'{classes}' if classes else 'no object class'}: "
            f"{words[answer]}.",
            {"submission": run.submission} | ({"classes": classes} if classes else {}),
        ),
        (
            "The source's figures are those of one pair, {pair}: score {score:+.1f} %, "
            "*ior-hard-write* {write:+.1f} %. The two runs differ in {others} other settings as "
            "well. Over {count} pairs of public results the score changes by {least:+.1f} to "
            "{most:+.1f} % (unverified analysis of single installations, no ranking).",
            {
                "pair": pair.name,
                "score": float(score.mid),
                "write": float(write.mid),
                "others": len(redundancy.confounders(pair)),
                "count": count,
                "least": least,
                "most": most,
            },
        ),
    ]
    return said


def interface(run: PublicRun) -> list[Sentence]:
    """One gap between two interfaces is known, at one site."""
    used = run.phases.api.dropna().drop_duplicates()
    interfaces = cells.rows("daos-interfaces", {})
    said: list[Sentence] = [
        (
            "The {bandwidth} times in bandwidth and {iops} times in operations are one gap, "
            "between DFS and DFuse with POSIX, at one site on {clients} client nodes. Between the "
            "{interfaces} interfaces that the source lists there are {gaps} more gaps, and it "
            "gives a figure for none of them. That an interface limits *sooner than the hardware* "
            "would take a run in which the hardware changed.",
            {
                "bandwidth": _stated("daos-sensitivity", "dfs-bandwidth").text,
                "iops": _stated("daos-sensitivity", "dfs-iops").text,
                "clients": _stated("daos-sensitivity", "jlab-clients").text,
                "interfaces": len(interfaces),
                "gaps": len(interfaces) * (len(interfaces) - 1) // 2 - 1,
            },
        )
    ]
    if used.empty:
        said.append(
            (
                "No file of submission {submission} tells its interface.",
                {"submission": run.submission},
            )
        )
    else:
        said.append(
            (
                "Submission {submission} was run through {used}.",
                {"submission": run.submission, "used": " and ".join(used)},
            )
        )
    return said


def concurrency(run: PublicRun) -> list[Sentence]:
    """What a run offers against the thresholds of the sensitivity study."""
    enough = _stated("daos-sensitivity", "saturation")
    request = _stated("daos-sensitivity", "request")
    limit_b = int(units.convert(int(request.text), request.unit, "B"))
    said: list[Sentence] = []
    procs, nodes = run.facts.procs_count, membership.clients(run)
    if pd.isna(procs) or not nodes:
        said.append(
            (
                "How many processes a node of submission {submission} ran is not told.",
                {"submission": run.submission},
            )
        )
    else:
        said.append(
            (
                "Submission {submission} ran {each:,.0f} processes on each of {nodes:,} nodes, "
                "{times:.1f} times the {enough} at which the study saw a node saturate.",
                {
                    "submission": run.submission,
                    "each": int(procs) / nodes,
                    "nodes": nodes,
                    "times": int(procs) / nodes / float(enough.text),
                    "enough": enough.text,
                },
            )
        )
    transfers = run.phases.set_index("phase").transfer_b
    easy = transfers.get("ior-easy-write")
    if pd.notna(easy):
        said.append(
            (
                "Its *ior-easy-write* sends {size:,.0f} KiB at a time, {times:.2f} times the "
                "{request} {unit} that the study asks for.",
                {
                    "size": int(easy) / 1024,
                    "times": int(easy) / limit_b,
                    "request": request.text,
                    "unit": request.unit,
                },
            )
        )
    said.append(
        (
            "*ior-hard* sends {record:,} bytes by IO500's rule, {share:.2f} times as much as that "
            "threshold: {hard} of the {all} bandwidth figures of every result stand where the "
            "study says not to be.",
            {
                "record": IOR_HARD_RECORD_B,
                "share": IOR_HARD_RECORD_B / limit_b,
                "hard": sum(p.name.startswith("ior-hard") for p in BANDWIDTH),
                "all": len(BANDWIDTH),
            },
        )
    )
    return said


def hardware(_run: PublicRun) -> list[Sentence]:
    """What doing without persistent memory takes, as far as printed."""
    printed = md_on_ssd.changes(
        (*md_on_ssd.writes(final_zeros=True), *md_on_ssd.larger_tests(final_zeros=True))
    )
    worst = printed.loc[printed.change_pct.idxmin()]
    best = printed.loc[printed.change_pct.idxmax()]
    return [
        (
            "That DAOS asks for NVMe, a fast network, and persistent memory or DRAM with a log, is "
            "a requirement, not a measurement; nothing can be recomputed of it. What can: without "
            "persistent memory the printed figures change by {worst:+.0f} % ({worst_test}) to "
            "{best:+.1f} % ({best_test}), one sample each.",
            {
                "worst": worst.change_pct,
                "worst_test": worst.test,
                "best": best.change_pct,
                "best_test": best.test,
            },
        )
    ]


def not_all_metadata(run: PublicRun) -> list[Sentence]:
    """Metadata phases of one run lie far apart, and listing is none of them."""
    values = run.values()
    phases = {p.name: values[p.name] for p in METADATA}
    low, high = min(phases, key=lambda p: phases[p]), max(phases, key=lambda p: phases[p])
    times = compare.within_run(membership.figure(run, high), membership.figure(run, low)).ratio
    return [
        (
            "In submission {submission} the metadata phases reach from {low_value:,.1f} (*{low}*) "
            "to {high_value:,.1f} kIOP/s (*{high}*), {times:.1f} times. MD, {md:,.1f} kIOP/s, is "
            "none of them.",
            {
                "submission": run.submission,
                "low": low,
                "low_value": phases[low],
                "high": high,
                "high_value": phases[high],
                "times": float(times.mid),
                "md": run.score().md_kiops,
            },
        ),
        (
            "The counter-example is the one that source 000 quotes: fdb-hammer lists fields "
            "{ratio} times as fast on POSIX as on DAOS. It is one application with its own layout, "
            "and IO500 has no such phase.",
            {"ratio": _stated("ecmwf", "list-ratio").text},
        ),
    ]


def unit_slips(run: PublicRun) -> list[Sentence]:
    """What the prefixes do to a figure."""
    md = run.score().md_kiops
    rule = next(
        one for one in ledger.of("000", [SECTION]) if one.claim.id == "000-7-miops-per-kiops"
    )
    return [
        (
            "MD of submission {submission} is {kiops:,.2f} kIOP/s, {miops:.4f} MIOP/s or "
            "{iops:,.0f} IOP/s. Without the k it is wrong by a factor of {factor:,}.",
            {
                "submission": run.submission,
                "kiops": md,
                "miops": float(units.convert(md, "kIOP/s", "MIOP/s")),
                "iops": float(units.convert(md, "kIOP/s", "IOP/s")),
                "factor": int(units.factor("kIOP/s", "IOP/s")),
            },
        ),
        (
            "The source writes kIOP/s × {stated} = MIOPS beside an equation between units. As one "
            "between units it is right: {stated} kIOP/s make one MIOP/s. A figure in kIOP/s is "
            "divided by {stated}, a factor of {found}, as the source's script does (verdict: "
            "{verdict}).",
            {
                "stated": rule.claim.value,
                "found": rule.recomputed,
                "verdict": str(rule.verdict),
            },
        ),
    ]


def lists_apart(run: PublicRun) -> list[Sentence]:
    """Lists have different rules, so results of two are not compared."""
    protected, unprotected = (runs.load(one) for one in PAIR)
    refusal = _refusal(
        membership.figure(protected, "score"), membership.figure(unprotected, "score")
    )
    template, values = membership.said(run)
    said: list[Sentence] = [
        (
            "The book's comparison of the scores of submissions {a} and {b} answers: {refusal}. "
            "Dividing them all the same gives {change:+.1f} %, which the source does.",
            {
                "a": PAIR[0],
                "b": PAIR[1],
                "refusal": refusal or "comparable",
                "change": float(
                    percent_change(
                        membership.figure(unprotected, "score").value,
                        membership.figure(protected, "score").value,
                    ).mid
                ),
            },
        ),
        (f"Submission {{submission}}: {template}", {"submission": run.submission} | values),
    ]
    checks = {
        "match": "the checksum that it prints over its figures matches them",
        "mismatch": "the checksum that it prints over its figures does not match them",
    }
    said.append(
        (
            f"What its files can show is narrower than reproducibility: "
            f"{checks.get(str(run.facts.integrity), 'it prints no checksum over its figures')}. "
            f"That figures were not edited does not say that they can be measured again.",
            {},
        )
    )
    return said


@dataclass(frozen=True)
class Point:
    """One point of the source's list.

    Attributes
    ----------
    number
        As the source counts.
    line
        Where it begins.
    title
        In this book's words.
    section
        Of the source, whose chapter has the detail.
    told
        What a run shows of it.
    """

    number: int
    line: int
    title: str
    section: str
    told: Callable[[PublicRun], list[Sentence]]

    @property
    def chapter(self) -> str | None:
        """The chapter with the detail; None where no chapter has it yet."""
        return next(iter(reversed(ledger.CHAPTERS.get(("000", self.section), ()))), None)


POINTS = (
    Point(1, 530, "peak, score, phase", "preface", peak_mean_phase),
    Point(2, 532, "the score has no unit", "1.2", score_has_no_unit),
    Point(3, 534, "no application", "6.1", no_application),
    Point(4, 536, "redundancy first", "3.4", ask_for_redundancy),
    Point(5, 538, "the interface", "5.2", interface),
    Point(6, 540, "enough at a time", "5.1", concurrency),
    Point(7, 542, "the hardware it takes", "6.4", hardware),
    Point(8, 544, "not all metadata", "6.3", not_all_metadata),
    Point(9, 546, "units", "0", unit_slips),
    Point(10, 548, "lists apart", "2.1", lists_apart),
)


def told(number: int, run: PublicRun) -> list[Sentence]:
    """What a run shows of the point of that number."""
    (point,) = (one for one in POINTS if one.number == number)
    return point.told(run)


def overview() -> pd.DataFrame:
    """The points of the list and the claims of their lines.

    Returns
    -------
    pandas.DataFrame
        ``point``, ``about``, ``claims`` (of its line in the ledger), ``hold``, ``do_not`` and
        ``detail`` (the chapter, linked).
    """
    judged = ledger.of("000", [SECTION])
    rows = []
    for point in POINTS:
        own = [one for one in judged if one.claim.line == point.line]
        holding = sum(one.verdict in _HOLDS for one in own)
        rows.append(
            (point.number, point.title, len(own), holding, len(own) - holding, point.chapter)
        )
    frame = pd.DataFrame(rows, columns=["point", "about", "claims", "hold", "do_not", "detail"])
    frame.attrs["links"] = {
        "detail": [f"{point.chapter}.html" if point.chapter else "" for point in POINTS]
    }
    return frame


# -- what the ledger adds


def unsupported() -> pd.DataFrame:
    """Conclusions of the list, the checklist and the summary that do not follow.

    Returns
    -------
    pandas.DataFrame
        ``said`` (linked to the ledger), ``section``, ``takes`` (what would have to be so) and
        ``found`` (whether it is): a row for each thing that a conclusion takes.
    """
    own = [
        (one, fact)
        for one in ledger.of("000", [SECTION, "8", "9"])
        if one.verdict is Verdict.NOT_SHOWN and one.argument is not None
        for fact in one.argument.needs
    ]
    rows = [(ledger.said(one), one.claim.section, fact.text, fact.outcome) for one, fact in own]
    frame = pd.DataFrame(rows, columns=["said", "section", "takes", "found"])
    frame.attrs["links"] = {"said": [ledger.anchor(one.claim.id) for one, _ in own]}
    return frame


@functools.cache
def _blocks() -> tuple[ledger_page.Block, ...]:
    return tuple(ledger_page.blocks(ledger_page.ALL, Verdict.CONTRADICTED))


def kinds() -> pd.DataFrame:
    """Kinds of mistake among what is contradicted, the most frequent first.

    Returns
    -------
    pandas.DataFrame
        ``mistake``, ``misreadings`` (corrected by one sentence each), ``claims``, ``sources``,
        ``means``.
    """
    means = ledger_page.mistakes().set_index("mistake").means
    rows = []
    for kind in Mistake:
        own = [block for block in _blocks() if block.mistake is kind]
        judged = [one for block in own for one in block.judged]
        if own:
            sources = sorted({one.claim.source for one in judged})
            rows.append((str(kind), len(own), len(judged), ", ".join(sources), means[str(kind)]))
    frame = pd.DataFrame(rows, columns=["mistake", "misreadings", "claims", "sources", "means"])
    return frame.sort_values("misreadings", ascending=False, kind="stable", ignore_index=True)


def misreadings(kind: str) -> pd.DataFrame:
    """What is contradicted by a mistake of one kind: ``id`` (the first claim's), ``source``,
    ``about``, ``said``, ``quote``."""
    rows = [
        (
            block.judged[0].claim.id,
            block.judged[0].claim.source,
            block.about,
            _first_said(block),
            block.quote,
        )
        for block in _blocks()
        if str(block.mistake) == kind
    ]
    return pd.DataFrame(rows, columns=["id", "source", "about", "said", "quote"])


def _first_said(block: ledger_page.Block) -> str:
    more = len(block.judged) - 1
    return ledger.said(block.judged[0]) + (f" (and {more} more)" if more else "")


def listed(kind: str) -> Sentence:
    """`misreadings` as a list: what is said, and how to quote it."""
    return _bullets(
        misreadings(kind)[["id", "source", "about", "said", "quote"]],
        "- Source {source}, {about}: *{said}* → {quote} ({id})",
    )


def _bullets(frame: pd.DataFrame, line: str) -> Sentence:
    """A line a row; each column's values are named after it and the row."""
    lines, values = [], {}
    for number, row in enumerate(frame.to_dict("records")):
        named = {column: f"{column}_{number}" for column in row}
        lines.append(line.format(**{column: f"{{{name}}}" for column, name in named.items()}))
        values |= {name: row[column] for column, name in named.items()}
    return "\n".join(lines), values


def said_of_kinds() -> list[Sentence]:
    """How many misreadings of which kind the ledger holds."""
    table = kinds()
    first = table.iloc[0]
    return [
        (
            "In all documents {claims} claims are contradicted; {misreadings} sentences correct "
            "them, since some were made in several places. Most frequent is the {kind}: {count}.",
            {
                "claims": int(table.claims.sum()),
                "misreadings": int(table.misreadings.sum()),
                "kind": first.mistake.replace("-", " "),
                "count": int(first.misreadings),
            },
        )
    ]
