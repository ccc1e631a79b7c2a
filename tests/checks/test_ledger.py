"""The ledger's verdicts, typed by hand, and what they rest on.

The arithmetic here is written without the package: numbers are typed from the raw result files
and from the sources.
"""

import re
from fractions import Fraction
from math import sqrt

import pytest

import ledger_readings
import source_texts
from storagebook import claims, paths, tables, units
from storagebook.claims import Kind, Reason
from storagebook.verdicts import Qualifier, Verdict

# Of the result files: submission, then bandwidth, metadata, score.
RUNS = {
    "aurora": (10066.086553, 102785.408581, 32165.926368),
    "unprotected": (11362.274434, 164391.725821, 43218.791092),
    "ten nodes": (734.502697, 11336.265046, 2885.570524),
    "helma": (438.617055, 1604.836213, 838.992571),
    "supermuc 2023": (742.902297, 8472.598104, 2508.846865),
    "supermuc 2025": (861.224294, 13982.884828, 3470.216148),
    "iris": (252.539827, 1753.690178, 665.489755),
}
BW = {name: run[0] for name, run in RUNS.items()}
MD = {name: run[1] for name, run in RUNS.items()}
SCORE = {name: run[2] for name, run in RUNS.items()}

ANSWERS = {
    "000-gib-gb-difference": 7.3741824,
    "000-gb-per-gib": 1.073741824,
    "000-tens-of-tb": 20693.627959 * 1.073741824 / 1000,
    "000-hundred-million-metadata": 102785408.581,
    "000-rule-stonewall": 320.407,
    "000-supermuc-rnd4k": 218.311055,
    "000-cloudbrain-md-per-second": 43_903_983_640,
    "000-research-over-production": 603334.56 / 32165.926368,
    "000-ctpai-score": sqrt(25.29 * 1395.01),
    "000-k3000-score": sqrt(253.69 * 4002.19),
    "000-md-over-helma": MD["aurora"] / MD["helma"],
    "000-bw-over-third": BW["aurora"] / BW["helma"],
    "000-ten-node-share": SCORE["ten nodes"] / SCORE["aurora"] * 100,
    "000-supermuc-gain": (SCORE["supermuc 2025"] / SCORE["supermuc 2023"] - 1) * 100,
    "000-server-nvme": 16 * 15.3,
    "000-server-pmem": 16 * 0.512,
    "000-engines": 2048,
    "000-run-engines": 1284,
    "000-capacity-raw": 1024 * (16 * 15.3 + 16 * 0.512) / 1000,
    "000-capacity-ec": 1024 * 16 * 15.3 / 1000 * 16 / 18,
    "000-mpi-tasks": 62400,
    "000-procs-per-node": 208,
    "000-files": 58_551_916_802,
    "000-easy-write-tb": 20693.627959 * 1.073741824 / 1000,
    "000-easy-write-tib": 20693.627959 / 1024,
    "000-script-bandwidth-difference": 10066.086553 - 10066.09,
    "000-script-metadata-difference": 102785.408581 - 102785.41,
    "000-score-gap": 32165.926368 - 32165.90,
    "000-script-metadata-mega": 102.785408581,
    "000-script-bandwidth-decimal": 10066.086553 * 1.073741824 / 1000,
    "000-script-per-server-score": 32165.926368 / 642,
    "000-script-ior-write-easy-to-hard": 20693.627959 / 4216.340094,
    "000-script-stat-easy-to-hard": 225295.354188 / 230086.031462,
    "000-redundancy-ior-easy-write": (20693.627959 / 21029.853648 - 1) * 100,
    "000-redundancy-ior-hard-write": (4216.340094 / 10500.042182 - 1) * 100,
    "000-redundancy-ior-easy-read": (12122.872205 / 11890.364024 - 1) * 100,
    "000-redundancy-ior-hard-read": (9706.548821 / 6348.025367 - 1) * 100,
    "000-redundancy-bandwidth": (BW["aurora"] / BW["unprotected"] - 1) * 100,
    "000-redundancy-metadata": (MD["aurora"] / MD["unprotected"] - 1) * 100,
    "000-redundancy-score": (SCORE["aurora"] / SCORE["unprotected"] - 1) * 100,
    "000-per-server-supermuc-sc23-md": MD["supermuc 2023"] / 42,
    "000-per-server-supermuc-sc25-bw": BW["supermuc 2025"] / 42,
    "000-per-server-iris-sc24-score": SCORE["iris"] / 54,
    "000-4.3-write-ratio": 20693.627959 / 4216.340094,
    "000-4.3-hard-write": 4216.340094 / 1024,
    "000-4.3-read-ratio": 12122.872205 / 9706.548821,
    "000-4.3-stat-ratio": 225295.354188 / 230086.031462,
    "000-4.3-find-ratio": 229672.102323 / MD["aurora"],
    "000-4.3-files": 58_551_916_802,
    "000-4.3-md-over-helma": MD["aurora"] / MD["helma"],
    "000-9-bw-tb": BW["aurora"] * 1.073741824 / 1000,
    "000-9-unprotected-score": SCORE["unprotected"],
    "000-9-hard-write": (4216.340094 / 10500.042182 - 1) * 100,
    "000-9-hacc": 5262890 / 1e6,
    # IOR's "FS" and "actual aggregate bytes moved", mdtest's largest count and its tasks
    "000-pool": 148161.7 / 1024,
    "000-largest-file": 7129377275904000 / 2**50,
    "000-files-in-directory": 230246 * 62400,
}
# The claims that stand in no table: numeral and unit, read from the source a second time.
VALUES = {
    "000-gib-gb-difference": (7.4, "%"),
    "000-tens-of-tb": (20, "TB/s"),
    "000-hundred-million-metadata": (1e8, "IOP/s"),
    "000-cloudbrain-md-per-second": (43.9e9, "IOP/s"),
    "000-research-over-production": (19, "1"),
    "000-aurora-md-per-second": (102.8e6, "IOP/s"),
    "000-md-over-helma": (64, "1"),
    "000-bw-over-third": (23, "1"),
    "000-six-releases": (6, "1"),
    "000-shaheen-nodes-again": (2080, "1"),
    "000-shaheen-score-again": (797, "score"),
    "000-ten-node-share": (9, "%"),
    "000-supermuc-gain-table": (38.3, "%"),
    "000-supermuc-gain": (38.3, "%"),
    "000-beyond-20-tib": (20, "TiB/s"),
    "000-easy-write-tb": (22.2, "TB/s"),
    "000-easy-write-tib": (20.2, "TiB/s"),
    "000-score-gap": (0.03, "score"),
    "000-hard-write-halved": (-50, "%"),
    "000-lrz-59-a-server": (59, "score"),
    "000-aurora-50-a-server": (50, "score"),
    "000-lrz-82-a-server": (82.62, "score"),
    "000-endeavour-nodes": (10, "1"),
    "000-supermuc-sc23-rank": (2, "1"),
    "000-lise-2.3-nodes": (10, "1"),
    "000-4.3-write-ratio": (4.91, "1"),
    "000-4.3-hard-write": (4.1, "TiB/s"),
    "000-4.3-read-ratio": (1.25, "1"),
    "000-4.3-stat-ratio": (0.98, "1"),
    "000-4.3-find-ratio": (2.23, "1"),
    "000-4.3-files": (177e9, "1"),
    "000-4.3-md-over-helma": (64, "1"),
    "000-9-score": (32165.9, "score"),
    "000-9-releases": (6, "1"),
    "000-9-supermuc-score": (3470.22, "score"),
    "000-9-bw": (10066.09, "GiB/s"),
    "000-9-bw-tb": (10.81, "TB/s"),
    "000-9-md": (102785.41, "kIOP/s"),
    "000-9-md-per-second": (102.8e6, "IOP/s"),
    "000-9-servers": (642, "1"),
    "000-9-procs": (62400, "1"),
    "000-9-md-over-helma": (64, "1"),
    "000-9-unprotected-score": (43218.8, "score"),
    "000-9-hard-write": (-59.8, "%"),
    "000-9-hacc": (5.26, "TB/s"),
    "000-9-hacc-over-lustre": (8.8, "1"),
    "000-9-mlperf-write": (1, "TB/s"),
    "000-9-checkpoint": (10, "s"),
    "000-9-servers-2026": (800, "1"),
    "000-9-throughput-2026": (30, "TB/s"),
}
# The bound that a claim has to keep, and the side of it that is allowed: half a unit of the last
# digit is for the claim.
LIMITS = {
    "000-peak-bandwidth": ("below", 1024 * 45 * 1.073741824 / 1000),
    "000-peak-iops": ("above", 230.086031462),
    "000-production-daos": ("above", 5),
}
# Every other claim is confirmed.
EXCEPTIONS = {
    "rounding": [
        "000-aurora-score",
        "000-ctpai-score",
        "000-ctpai-2.3-score",
        "000-rf0-2.3-score",
        "000-rf1-2.3-score",
        "000-k3000-score",
        "000-script-listed-score",
        "000-list-score",
        "000-rf0-score",
        "000-rf1-score",
        "000-9-score",
        "000-9-unprotected-score",
        "000-ctpai-md",
        "000-k3000-md",
    ],
    "consistent": [
        "000-tens-of-tb",
        "000-hundred-million-metadata",
        "000-rule-stonewall",
        "000-cloudbrain-md-per-second",
        "000-research-over-production",
        "000-production-daos",
        "000-aurora-md-per-second",
        "000-server-nvme",
        "000-capacity-raw",
        "000-capacity-ec",
        "000-capacity-least",
        "000-peak-iops",
        "000-docs-capacity",
        "000-server-network",
        "000-mpi-tasks",
        "000-beyond-20-tib",
        "000-easy-write-tb",
        "000-easy-write-tib",
        "000-hard-write-halved",
        "000-lrz-59-a-server",
        "000-4.3-hard-write",
        "000-9-bw-tb",
        "000-9-md-per-second",
        "000-9-md-over-helma",
        "000-cloudbrain-score",
        "000-cloudbrain-md",
        "000-aicsa-score",
        "000-leonardo-nodes",
        "000-server-drives",
        "000-drive",
        "000-flare-capacity",
        "000-supermuc-sc23-rank",
        "000-9-mlperf-write",
        "000-9-checkpoint",
        "000-9-throughput-2026",
    ],
    "contradicted": [
        "000-one-bad-phase",
        "000-only-clients-changed",
        "000-pool",
        "000-largest-file",
        "000-files",
        "000-files-in-directory",
        "000-details-of-one-run",
        "000-file-per-process",
        "000-only-clients-raised-efficiency",
        "000-rf0-hardware-limit",
        "000-sequential-writes-unharmed",
        "000-hardest-hit",
        "000-every-operation-pays",
        "000-4.3-files",
    ],
    "not-recomputable": [
        "000-aicsa-bw",
    ],
    "undecided": [
        "000-9-hacc-over-lustre",
        "000-capacity-most",
        "000-peak-bandwidth",
        "000-docs-bandwidth",
        "000-flare-bandwidth",
        "000-endpoints",
    ],
    "supported": [
        "000-first-two-daos",
        "000-first-three-daos",
        "000-lead-is-metadata",
        "000-difference-is-rounding",
        "000-object-classes",
        "000-metadata-pays-more",
        "000-three-years",
        "000-reads-mixed",
        "000-protected-only",
        "000-not-controlled",
        "000-4.3-hardest-path",
        "000-4.3-metadata-gap",
        "000-9-second-daos",
        "000-9-three-daos",
        "000-9-lead",
        "000-9-no-production",
    ],
    "not-shown": [
        "000-only-two-use-more-clients",
        "000-clients-buy-no-score",
        "000-balance-holds-it-down",
        "000-ten-node-share-shows",
        "000-clients-are-the-limit",
        "000-directory-proves",
        "000-first-in-all-twelve",
        "000-recommended-protection",
        "000-redundancy-alone",
        "000-reads-unharmed",
        "000-none-as-efficient",
        "000-clients-first",
        "000-4.3-reads",
        "000-4.3-no-hot-directory",
        "000-4.3-scan",
        "000-9-all-twelve",
        "000-9-protected",
        "000-9-causes",
        "000-9-same-hardware",
        "000-9-conditions",
        "000-9-linear",
        "000-4.3-lustre-lock",
    ],
}
ANSWERS |= ledger_readings.ANSWERS
VALUES |= ledger_readings.VALUES
LIMITS |= ledger_readings.LIMITS
EXCEPTIONS = {
    verdict: [*EXCEPTIONS.get(verdict, []), *ledger_readings.EXCEPTIONS.get(verdict, [])]
    for verdict in EXCEPTIONS | ledger_readings.EXCEPTIONS
}


@pytest.fixture(scope="module")
def ledger():
    return {one.claim.id: one for one in claims.ledger()}


@pytest.mark.guard
def test_every_verdict_is_the_one_expected(ledger):
    exceptions = {name: verdict for verdict, names in EXCEPTIONS.items() for name in names}
    assert not exceptions.keys() - ledger.keys()
    found = {name: str(one.verdict) for name, one in ledger.items()}
    expected = {name: exceptions.get(name, "confirmed") for name in ledger}
    assert {n: v for n, v in found.items() if v != expected[n]} == {}


@pytest.mark.guard
def test_numerals_that_stand_in_no_table():
    own = [c for c in claims.load() if c.kind is Kind.NUMBER and not c.cell]
    assert {c.id: (float(c.value.replace(",", "")), c.unit) for c in own} == VALUES


@pytest.mark.guard
@pytest.mark.parametrize("name", ANSWERS)
def test_recomputed_by_hand(ledger, name):
    lo, hi = ledger[name].found.floats()
    answer = ANSWERS[name]
    tolerance = abs(answer) * 1e-9
    assert lo - tolerance <= answer <= hi + tolerance
    # as sharp as the digits of the inputs: the roundest of them has three
    assert hi - lo <= max(abs(answer) * 0.01, 1e-6)


@pytest.mark.guard
@pytest.mark.parametrize("name", LIMITS)
def test_limits_by_hand(ledger, name):
    side, bound = LIMITS[name]
    lo, hi = ledger[name].found.floats()
    assert (hi if side == "below" else lo) == pytest.approx(bound, rel=1e-9)


def test_the_accepted_verdicts_are_the_present_ones(ledger):
    assert claims.moved(list(ledger.values())) == []


def test_what_moved_is_named(ledger):
    first, *others = ledger.values()
    gone = claims.moved(others)
    assert gone == [(first.claim.id, str(first.verdict), "")]


def test_the_counts_quoted_for_one_run_are_another_runs(ledger):
    assert "177143928002" in ledger["000-files"].evidence
    assert "submission 0695 moved 8.5 PiB" in ledger["000-largest-file"].evidence
    assert "32,903,395,200" in ledger["000-files-in-directory"].evidence


def test_every_row_keeps_the_vocabularies(ledger):
    for one in ledger.values():
        claim = one.claim
        number = claim.kind is Kind.NUMBER
        assert isinstance(one.verdict, Verdict)
        assert (one.verdict in ("supported", "not-shown")) <= (not number)
        assert (one.verdict is Verdict.NOT_RECOMPUTABLE) == isinstance(claim.reason, Reason)
        assert (claim.basis is not None) == number
        assert claim.obtained != "unknown"
        assert units.canonical(claim.unit) == claim.unit if number else claim.value == ""
        if number and one.found is not None and claim.qualifier is not Qualifier.PLAIN:
            assert one.verdict not in ("confirmed", "rounding")
        assert one.evidence


def test_a_number_has_one_home():
    claimed = [c.cell for c in claims.load() if c.cell]
    assert len(claimed) == len(set(claimed))


@pytest.mark.guard
@pytest.mark.skipif(paths.shared() is None, reason="the sources are not at hand")
def test_each_claim_stands_at_its_place():
    lines = {source: source_texts.lines(source) for source in source_texts.IDS}
    for claim in claims.load():
        text = lines[claim.source][claim.line - 1]
        assert claim.printed in text, claim.id
        assert claim.section == source_texts.section(claim.source, lines[claim.source], claim.line)
        if claim.cell:
            continue
        digits = re.findall(r"[\d.,]*\d", claim.printed)
        numeral = re.sub(r"e\d+$", "", claim.value).replace("-", "")
        # a numeral in words ("half", "tens", "six") is the reading that the note or unit explains
        if claim.kind is Kind.NUMBER and digits:
            assert any(
                Fraction(d.replace(",", "")) == Fraction(numeral.replace(",", "")) for d in digits
            )


@pytest.mark.skipif(paths.shared() is None, reason="the sources are not at hand")
def test_a_number_that_a_check_takes_from_the_same_line_stands_there_twice(monkeypatch):
    taken = []
    said_again = claims.Inputs._said_again

    def recorded(inputs, found):
        again = said_again(inputs, found)
        if again:
            taken.append((inputs._claim, found.printed))
        return again

    monkeypatch.setattr(claims.Inputs, "_said_again", recorded)
    claims.ledger()
    assert taken
    for claim, other in taken:
        text = source_texts.lines(claim.source)[claim.line - 1]
        assert text.count(claim.printed) == text.count(other) == 1, claim.id
        own, its = text.index(claim.printed), text.index(other)
        assert own + len(claim.printed) <= its or its + len(other) <= own, claim.id


def test_a_row_without_a_check_says_why_by_one_rule(ledger):
    measured = {"application", "microbenchmark", "benchmark-score", "derived"}
    for one in ledger.values():
        if one.claim.reason in (Reason.NO_INPUTS, Reason.NOT_PUBLIC):
            not_public = one.claim.reason is Reason.NOT_PUBLIC
            assert not_public == (one.claim.basis in measured), one.claim.id


def test_the_table_is_described():
    fields = {f["name"] for f in tables.resource(claims.LEDGER)["schema"]["fields"]}
    assert fields == set(next(iter(tables.printed(claims.LEDGER).to_dict("records"))))
