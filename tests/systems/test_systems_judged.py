"""Which pairs may be compared: known answers by the owners' policies, typed here."""

import dataclasses

import pytest

from storagebook.intervals import Interval
from storagebook.systems import judged, known, own
from storagebook.systems.judged import Status

FIGURES = known.of_matrix()
PAIRS = judged.pairs(FIGURES)
BY_KEYS = {frozenset((p.a.key, p.b.key)): p for p in PAIRS}


def pair(a, b):
    return BY_KEYS[frozenset((a, b))]


@pytest.mark.parametrize(
    ("a", "b", "status", "rule"),
    [
        # one list of one release
        ("production-aurora", "production-helma", Status.NAMED, ""),
        ("ten-node-hrt", "ten-node-joybuilder", Status.NAMED, ""),
        ("research-pengcheng-cloudbrain", "research-aics-a", Status.NAMED, ""),
        # two lists
        ("production-aurora", "research-pengcheng-cloudbrain", Status.REFUSED, "list"),
        ("production-helma", "ten-node-hrt", Status.REFUSED, "list"),
        # two lists, one installation
        ("production-aurora", "research-aurora-rf0", Status.STUDY, "list"),
        ("production-aurora", "ten-node-aurora", Status.STUDY, "list"),
        # two figures of one run
        ("parts-bandwidth", "parts-ior-easy-write", Status.STUDY, "metric"),
        ("production-aurora", "parts-bandwidth", Status.REFUSED, "unit-kind"),
        # no list stated
        ("production-helma", "unlisted-beegfs", Status.UNKNOWN, ""),
        ("unlisted-gekkofs", "unlisted-storage-scale", Status.UNKNOWN, ""),
        # MLPerf
        ("v10-nutanix", "v10-huawei", Status.NAMED, ""),
        ("v10-juicedata", "v20-juicefs", Status.REFUSED, "mlperf-version"),
        ("v20-juicefs", "v20-aurora", Status.REFUSED, "metric"),
        ("v20-aurora", "v20-flare", Status.NAMED, ""),
        ("production-aurora", "v20-aurora", Status.REFUSED, "mlperf-other"),
        ("v20-juicefs", "micro-pixstor-write", Status.REFUSED, "mlperf-other"),
        ("v20-juicefs", "stated-juicefs-cache", Status.REFUSED, "mlperf-other"),
        ("v10-ddn", "stated-aurora-peak", Status.REFUSED, "other-system"),
        # applications, limits, microbenchmarks
        ("application-daos", "application-lustre", Status.NAMED, ""),
        ("application-daos", "stated-flare-peak", Status.REFUSED, "other-system"),
        ("stated-aurora-peak", "stated-flare-peak", Status.UNKNOWN, ""),
        ("application-lustre", "stated-flare-peak", Status.NAMED, ""),
        ("application-daos", "micro-aurora-ior", Status.NAMED, ""),
        ("micro-pixstor-write", "stated-aurora-peak", Status.REFUSED, "other-system"),
        ("micro-pixstor-write", "micro-aurora-ior", Status.REFUSED, "metric"),
        ("micro-pixstor-random-read", "micro-vos", Status.REFUSED, "benchmark"),
        ("micro-pmem", "micro-md-on-ssd", Status.NAMED, ""),
        ("stated-aurora-2026", "stated-juicefs-cache", Status.UNKNOWN, ""),
        ("parts-bandwidth", "stated-aurora-2026", Status.UNKNOWN, ""),
    ],
)
def test_known_answers(a, b, status, rule):
    found = pair(a, b)
    assert (found.status, found.rule) == (status, rule)


def test_every_pair_is_judged_once():
    assert len(PAIRS) == len(FIGURES) * (len(FIGURES) - 1) // 2
    assert judged.counts(PAIRS).pairs.sum() == len(PAIRS)


@pytest.mark.parametrize("found", PAIRS, ids=lambda p: f"{p.a.key}--{p.b.key}")
def test_every_pair_says_why(found):
    assert found.reason
    if found.status in (Status.REFUSED, Status.UNKNOWN):
        assert not found.ratio
        assert found.why
    else:
        assert found.ratio
    if found.status in (Status.NAMED,):
        assert found.differs or found.unknown
    if found.status is Status.STANDS:
        assert not found.differs
        assert not found.unknown
    assert (found.rule in judged.RULES) == bool(found.rule)


def test_neither_order_changes_what_may_be_done():
    for found in PAIRS:
        turned = judged.pair(found.b, found.a)
        assert (turned.status, turned.rule) == (found.status, found.rule)


def test_the_larger_stands_over_the_smaller():
    found = pair("production-aurora", "production-helma")
    # 32,165.93 over 838.99
    assert found.ratio == "Aurora (Intel DAOS EC) over Helma (Lustre): 38.34."
    assert judged.pair(found.b, found.a).ratio == found.ratio
    assert "client nodes, 300 against 186" in found.differs
    assert "verified (ISC26 production list)" in found.reason


def test_a_bound_gives_a_bound():
    # 31 TB/s at least, over 5,262,890 MB/s
    ratio = pair("application-daos", "stated-aurora-peak").ratio
    assert ratio.startswith(
        "Aurora (DAOS), peak by design over Aurora (DAOS), HACC, write: at least 5.8"
    )


def test_unverified_mlperf_says_so():
    assert "Result not verified by MLCommons Association" in pair("v20-aurora", "v20-flare").reason


def test_reasons_count_the_refused():
    frame = judged.reasons(PAIRS)
    assert frame.pairs.sum() == sum(p.status is Status.REFUSED for p in PAIRS)
    assert frame.reason.is_unique
    asked = set(", ".join(frame.asked_by).split(", "))
    assert {"IO500 messaging policy", "MLCommons messaging guidelines"} <= asked


def test_what_stands_alone_is_compared_with_nothing():
    alone = {one.key for one in judged.alone(PAIRS)}
    assert "micro-pixstor-write" in alone
    assert "v20-juicefs" in alone
    assert "production-helma" not in alone


def test_a_ratio_around_one_keeps_its_order():
    a, b = (one for one in FIGURES if one.key in ("micro-pmem", "micro-md-on-ssd"))
    even = dataclasses.replace(b, figure=dataclasses.replace(b.figure, value=Interval(700, 740)))
    assert judged.pair(a, even).ratio.startswith("persistent memory (DAOS) over metadata on SSD")


# -- a reader's own


def test_an_own_run_is_unverified_and_stands_beside_the_lists():
    mine = own.results("data/samples/io500-small-vm")
    assert [one.figure.metric for one in mine] == ["score", "bandwidth"]
    assert {one.figure.standing() for one in mine} == {"unverified"}
    score, bandwidth = mine
    helma = next(one for one in FIGURES if one.key == "production-helma")
    found = judged.pair(helma, score)
    assert found.status is Status.NAMED
    assert "unverified" in found.reason
    peak = next(one for one in FIGURES if one.key == "stated-aurora-peak")
    assert judged.pair(peak, bandwidth).rule == "other-system"


def test_no_own_result_is_none():
    assert own.results("none") == ()


@pytest.mark.parametrize("path", ["data/quoted", "no/such/folder"])
def test_a_path_without_a_result_is_one_clear_error(path):
    with pytest.raises(known.StoragebookError):
        own.results(path)
