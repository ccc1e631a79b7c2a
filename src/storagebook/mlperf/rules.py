"""What the rules of MLPerf Storage, and arithmetic, have to say about a result.

Whether a result passes, whether its figures agree with one another, and whether what was submitted
beside it agrees with it are separate questions; each finding answers one.
"""

from __future__ import annotations

import datetime
import math
import statistics
from collections import Counter
from collections.abc import Iterator, Sequence

from storagebook.errors import one_line
from storagebook.io500.findings import Area, Code, Finding
from storagebook.mlperf.results import HostResult, Report, ResultSet, Run
from storagebook.mlperf.workloads import (
    B_PER_MIB,
    CHECKPOINTS,
    MAX_START_SPREAD_S,
    RUNS_TO_PASS,
)

#: Two computations of one figure from the same inputs agree within this.
SAME = 1e-6
#: Sizes of checkpoints are published in whole GiB.
_CHECKPOINT_SIZE = 0.02

CODES: dict[str, Code] = {
    # -- reading
    "json-repaired": Code("reading", "warning", "the file is not JSON; it was repaired"),
    "truncated": Code("reading", "error", "the file ends too early"),
    "unreadable": Code("reading", "error", "a file that cannot be read"),
    "not-measured": Code("reading", "error", "a summary lacks a figure"),
    "no-summary": Code("reading", "error", "a run left no summary: it did not finish"),
    "several-summaries": Code("reading", "error", "one run has several summaries that differ"),
    "same-summary": Code("reading", "note", "one run has its summary more than once"),
    "report-only": Code("reading", "warning", "only the report is there, not the runs"),
    "workload-from": Code("reading", "note", "the workload was taken from a second-best place"),
    "accelerator-unknown": Code("reading", "warning", "nothing says which accelerator"),
    "workload-unknown": Code("reading", "warning", "a workload whose rules are not known here"),
    "round-from": Code("reading", "note", "the round was taken from a second-best place"),
    "system-from": Code("reading", "note", "the system's description has another name"),
    "system-unreadable": Code("reading", "warning", "the system's description cannot be read"),
    "memory-zeros": Code("reading", "note", "memory of some hosts was added to that of others"),
    "left-out": Code("reading", "note", "something that was not read"),
    # -- integrity
    "report-differs": Code("integrity", "error", "the report says something else than the runs"),
    "report-copied": Code("integrity", "warning", "the report file is that of another result"),
    "report-runs": Code("integrity", "error", "the report's runs are not these"),
    "workload-differs": Code("integrity", "error", "two files name different workloads"),
    "metadata-differs": Code("integrity", "warning", "the metadata has another size of the run"),
    "runs-same": Code("integrity", "error", "two runs have the very same summary"),
    "system-hosts": Code("integrity", "warning", "the description has another number of hosts"),
    "system-accelerators": Code("integrity", "warning", "the description has other accelerators"),
    "system-memory-unit": Code("integrity", "warning", "GiB described as MiB"),
    # -- arithmetic
    "arithmetic": Code("arithmetic", "error", "samples/s and MiB/s do not belong together"),
    "mean-differs": Code("arithmetic", "error", "the epochs do not give the printed mean"),
    "checkpoint-size": Code("arithmetic", "error", "a checkpoint of another size"),
    # -- rules
    "runs-count": Code("rules", "error", "not exactly five runs"),
    "warm-up": Code("rules", "warning", "one run may be a warm-up"),
    "au-below": Code("rules", "error", "utilisation below the threshold"),
    "au-verdict": Code("rules", "error", "the file's own verdict on utilisation is not so"),
    "runs-differ": Code("rules", "error", "the runs are not of one size"),
    "starts-apart": Code("rules", "error", "the hosts did not start together"),
    "settings-differ": Code("rules", "warning", "a setting that the round fixes was changed"),
}


def finding(code: str, text: str, file: str, line: int | None = None) -> Finding:
    """A finding with its code's severity; an empty text is the code's meaning."""
    known = CODES[code]
    return Finding(code, known.severity, one_line(text or known.meaning), one_line(file), line)


def area(item: Finding) -> Area:
    """Which of the separate verdicts a finding belongs to."""
    return CODES[item.code].area


def judge(result: ResultSet) -> Iterator[Finding]:
    """Everything that is to be said about a result beyond what its reader met."""
    if not result.is_checkpoint:
        yield from _passing(result)
    else:
        yield from _checkpoints(result)
    yield from _alike(result)
    for run in result.runs:
        for part in run.parts:
            yield from _arithmetic(part, result)
    if result.round == "v0.5":
        yield from _starts(result)
    yield from _copies(result)
    if result.report is not None:
        yield from report_differences(result, result.report)
    yield from _description(result)
    yield from _memory(result)


def report_agrees(result: ResultSet) -> bool | None:
    """Whether the submitted report says what the runs say; None without a report or runs."""
    if result.report is None or not result.measured:
        return None
    return not any(report_differences(result, result.report))


def report_differences(result: ResultSet, report: Report) -> Iterator[Finding]:
    """Where a submitted report says something else than the runs that it is about."""
    if not result.measured:
        return

    def differs(what: str, stated: object, found: object) -> Finding:
        text = f"the report's {what} is {stated}, its runs give {found}"
        return finding("report-differs", text, report.file)

    for what, stated, found in (
        ("workload", report.workload, result.workload),
        ("accelerator", report.accelerator, result.accelerator),
        ("number of accelerators", report.accelerators, result.accelerators),
        ("number of hosts", report.hosts, result.hosts),
    ):
        if stated is not None and found is not None and stated != found:
            yield differs(what, stated, found)
    for unit, mean, deviation, values in (
        ("samples/s", report.samples_s, report.samples_stdev_s, _each(result, "samples_s")),
        ("MiB/s", report.mib_s, report.mib_stdev_s, _each(result, "mib_s")),
    ):
        own_mean = statistics.fmean(values)
        own = statistics.pstdev(values)
        if mean is not None and not _close(mean, own_mean):
            yield differs(f"mean {unit}", _shown(mean), _shown(own_mean))
        elif deviation is not None and abs(deviation - own) > SAME * own_mean:
            sample = statistics.stdev(values) if len(values) > 1 else math.nan
            kind = " (it is the sample's)" if abs(deviation - sample) <= SAME * own_mean else ""
            stated = f"{_shown(deviation)}{kind}"
            yield differs(f"population standard deviation of {unit}", stated, _shown(own))
    if report.runs:
        yield from _report_runs(result, report)


def _report_runs(result: ResultSet, report: Report) -> Iterator[Finding]:
    # by value: report and folders may name the runs differently
    own = sorted(_each(result, "samples_s"))
    stated = sorted(s for s, _ in report.runs.values() if s is not None)
    if len(own) != len(stated):
        text = f"the report has {len(stated)} runs, there are {len(own)}"
        yield finding("report-runs", text, report.file)
    elif not all(map(_close, own, stated)):
        text = "the report's samples/s of single runs are not those of the runs"
        yield finding("report-runs", text, report.file)


def _each(result: ResultSet, what: str) -> list[float]:
    return [value for run in result.measured if (value := getattr(run, what)) is not None]


def _passing(result: ResultSet) -> Iterator[Finding]:
    count = len(result.runs)
    if result.may_hold_warm_up:
        text = f"{count} runs: one may be the warm-up that {result.round} allows; no file marks it"
        yield _of(result, "warm-up", text)
    elif result.runs and count != RUNS_TO_PASS:
        text = f"{count} run{'s' * (count != 1)}, where a result is exactly {RUNS_TO_PASS}"
        yield _of(result, "runs-count", text)
    for run in result.runs:
        for part in run.parts:
            yield from _utilisation(part, result.threshold_pct)


def _utilisation(part: HostResult, threshold: float | None) -> Iterator[Finding]:
    if part.au_pct is None or threshold is None:
        return
    value = part.au_pct.value
    reaches = value >= threshold
    if not reaches:
        text = f"utilisation {value:.2f} % is below the {threshold:g} % that a run has to reach"
        yield finding("au-below", text, part.file)
    if part.meets is not None and part.meets != reaches:
        says = "meets" if part.meets else "misses"
        text = f"the file says that utilisation {says} the expectation; {value:.2f} % does not"
        if not part.meets:
            text = f"the file says that utilisation misses the expectation; {value:.2f} % is enough"
        yield finding("au-verdict", text, part.file)


def _alike(result: ResultSet) -> Iterator[Finding]:
    for what in ("accelerators", "hosts"):
        counts = {getattr(run, what) for run in result.measured}
        if len(counts) > 1:
            listed = ", ".join(f"{run.name}: {getattr(run, what)}" for run in result.measured)
            yield _of(result, "runs-differ", f"the runs do not agree on {what}: {listed}")


def _arithmetic(part: HostResult, result: ResultSet) -> Iterator[Finding]:
    if part.samples_s is None or part.mib_s is None or result.record_length_b is None:
        return
    if not part.mib_s.text or not part.samples_s.text:
        return
    expected = part.samples_s.value * result.record_length_b / B_PER_MIB
    if not math.isclose(part.mib_s.value, expected, rel_tol=SAME):
        text = (
            f"{_shown(part.mib_s.value)} MiB/s is not {_shown(part.samples_s.value)} samples/s "
            f"of {result.record_length_b:,.10g} B, which is {_shown(expected)} MiB/s"
        )
        yield finding("arithmetic", text, part.file)


def _starts(result: ResultSet) -> Iterator[Finding]:
    for run in result.runs:
        starts = [when for part in run.parts if (when := _time(part.started)) is not None]
        if len(starts) < 2:
            continue
        spread = (max(starts) - min(starts)).total_seconds()
        if spread > MAX_START_SPREAD_S:
            text = (
                f"the hosts started {spread:.1f} s apart, "
                f"where {MAX_START_SPREAD_S:g} s are allowed"
            )
            yield finding("starts-apart", text, run.file)


def _time(text: str | None) -> datetime.datetime | None:
    try:
        when = datetime.datetime.fromisoformat(text or "")
    except ValueError:
        return None
    # a zone on some hosts only could not be compared
    return when.replace(tzinfo=None)


def _copies(result: ResultSet) -> Iterator[Finding]:
    parts = [part for run in result.runs for part in run.parts if part.sha256]
    counts = Counter(part.sha256 for part in parts)
    for digest, count in counts.items():
        if count > 1:
            files = [part.file for part in parts if part.sha256 == digest]
            text = f"{count} summaries are one and the same: {', '.join(files[:5])}"
            yield finding("runs-same", text, files[0])


def _description(result: ResultSet) -> Iterator[Finding]:
    system = result.description
    if system is None or result.is_checkpoint:
        # a checkpoint has its own number of hosts
        return
    hosts = result.hosts
    if system.hosts is not None and hosts is not None and system.hosts != hosts:
        of_kind = ""
        if system.clients is not None and system.clients != system.hosts:
            of_kind = f", {system.clients} of them of the kind {', '.join(system.kinds)}"
        text = f"{system.hosts} benchmark hosts are described{of_kind}; the runs used {hosts}"
        yield finding("system-hosts", text, system.file)
    for name, count in system.accelerators.items():
        total = result.accelerators
        if not result.accelerator or result.accelerator not in name or not hosts or not total:
            continue
        if count * hosts != total:
            text = f"{count} accelerators a host are described; the runs had {total} on {hosts}"
            yield finding("system-accelerators", text, system.file)
    memory = _host_memory_gib(result)
    if memory is not None and system.dram_is_gib(memory):
        text = (
            f"memory of {system.dram_mib:g} MiB is described, where the hosts report "
            f"{memory:.0f} GiB each: GiB is meant"
        )
        yield finding("system-memory-unit", text, system.file)


def _host_memory_gib(result: ResultSet) -> float | None:
    """Memory of a host: the tool adds the memory of some hosts to that of others."""
    listed = (part.memory_gib for run in result.runs for part in run.parts)
    first = next((memory for memory in listed if any(memory)), ())
    return statistics.fmean(first) if first else None


def _memory(result: ResultSet) -> Iterator[Finding]:
    for run in result.runs:
        for part in run.parts:
            zeros = sum(not value for value in part.memory_gib)
            if zeros:
                text = (
                    f"memory of {zeros} of {len(part.memory_gib)} hosts is 0: "
                    "it was added to that of others, and only the sum is used"
                )
                yield finding("memory-zeros", text, part.file)
                return


def _checkpoints(result: ResultSet) -> Iterator[Finding]:
    known = CHECKPOINTS.get(result.workload or "")
    for run in result.runs:
        for part in run.parts:
            size = part.checkpoint.get("size_gib")
            if (
                known
                and size
                and not math.isclose(size.value, known.total_gib, rel_tol=_CHECKPOINT_SIZE)
            ):
                text = f"a checkpoint of {size.value:.0f} GiB, where {known.model} has " + (
                    f"{known.total_gib:,.0f} GiB"
                )
                yield finding("checkpoint-size", text, part.file)


def _of(result: ResultSet, code: str, text: str) -> Finding:
    return finding(code, text, _place(result.runs) or result.run)


def _place(runs: Sequence[Run]) -> str | None:
    """The folder that holds the runs."""
    return runs[0].file.rpartition("/")[0].rpartition("/")[0] if runs else None


def _close(first: float, second: float) -> bool:
    return math.isclose(first, second, rel_tol=SAME)


def _shown(value: float) -> str:
    return f"{value:,.7g}"
