"""The figures are those that the documents print; the rules are the benchmarks' owners'."""

import dataclasses
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storagebook import units
from storagebook.compare import (
    IO500,
    MLPERF_STORAGE,
    Basis,
    Caveat,
    Figure,
    Obtained,
    Refused,
    ratio,
    shared,
    study,
    why_not,
    within_run,
)
from storagebook.errors import StoragebookError
from storagebook.intervals import Interval

AURORA = Figure(
    name="Aurora BW",
    value=Interval.of_printed("10,066.09"),
    unit="GiB/s",
    basis=Basis.BENCHMARK_SCORE,
    obtained=Obtained.PUBLISHED_TABLE,
    benchmark=IO500,
    metric="bandwidth",
    system="Aurora",
    run="688",
    list="production",
    release="ISC26",
    redundancy="RF1",
    clients=300,
    servers=642,
    version="io500-sc23_v1",
    verified=True,
    source="000",
)
HELMA = dataclasses.replace(
    AURORA,
    name="Helma BW",
    value=Interval.of_printed("438.62"),
    system="Helma",
    run=None,
    redundancy=None,
    clients=186,
    servers=None,
    version=None,
)
UNPROTECTED = dataclasses.replace(
    AURORA,
    name="Aurora RF0 BW",
    value=Interval.of_printed("11,362.27"),
    run="695",
    list="research",
    redundancy="RF0",
)
MLPERF = Figure(
    name="unet3d throughput",
    value=Interval.of_printed("108"),
    unit="GiB/s",
    basis=Basis.APPLICATION,
    benchmark=MLPERF_STORAGE,
    metric="unet3d",
    version="v2.0",
    division="closed",
    verified=True,
)
IOR = Figure(
    name="IOR write",
    value=Interval.of_printed("5,723,194.84"),
    unit="MB/s",
    basis=Basis.MICROBENCHMARK,
    benchmark="ior",
    metric="write",
)
PEAK = Figure(name="design peak", value=31, unit="TB/s", basis=Basis.THEORETICAL_PEAK)


def but(figure, **changes):
    return dataclasses.replace(figure, **changes)


def test_a_ratio_carries_its_interval_and_its_differences():
    found = ratio(AURORA, HELMA)
    # 10066.09 / 438.62 = 22.949455…
    assert found.ratio.contains(Fraction("22.949455"))
    assert found.ratio.width < Fraction("0.001")
    assert found.caveats == (
        Caveat("redundancy", "RF1", None),
        Caveat("clients", "300", "186"),
        Caveat("servers", "642", None),
        Caveat("version", "io500-sc23_v1", None),
    )
    assert found.beside() == (
        "Aurora BW: verified (ISC26 production list); Helma BW: verified (ISC26 production list); "
        "redundancy: RF1 against unknown; clients: 300 against 186; servers: 642 against unknown; "
        "version: io500-sc23_v1 against unknown"
    )


def test_unknown_is_not_equal_to_unknown():
    found = ratio(but(AURORA, redundancy=None), but(HELMA, version="x"))
    assert Caveat("redundancy", None, None) in found.caveats
    assert "redundancy unknown on both sides" in found.beside()
    unknown = but(AURORA, obtained=Obtained.UNKNOWN)
    assert Caveat("obtained", None, None) in ratio(unknown, unknown).caveats


def test_units_of_one_kind_are_converted():
    gigabytes = but(AURORA, value=units.convert(AURORA.value, "GiB/s", "GB/s"), unit="GB/s")
    assert ratio(gigabytes, AURORA).ratio.contains(1)
    assert ratio(but(AURORA, value=1, unit="GiB/s"), but(AURORA, value=1, unit="GB/s")).ratio == (
        Interval.point(Fraction("1.073741824"))
    )


def test_a_change_in_per_cent():
    found = study(AURORA, UNPROTECTED)
    # 10066.09 / 11362.27 − 1 = −0.114077…
    assert found.change_pct.contains(Fraction("-11.4077"))


@pytest.mark.parametrize(
    ("a", "b", "rule", "policy"),
    [
        (AURORA, but(AURORA, unit="kIOP/s"), "unit-kind", "this book's rule"),
        (AURORA, but(AURORA, unit="GiB"), "unit-kind", "this book's rule"),
        (AURORA, but(AURORA, metric="ior-easy-write"), "metric", "this book's rule"),
        (AURORA, IOR, "benchmark", "this book's rule"),
        (AURORA, UNPROTECTED, "list", "IO500 messaging policy"),
        (MLPERF, AURORA, "mlperf-other", "MLCommons messaging guidelines"),
        (MLPERF, but(IOR, benchmark=None), "mlperf-other", "MLCommons messaging guidelines"),
        (MLPERF, but(MLPERF, version="v1.0"), "mlperf-version", "MLCommons messaging guidelines"),
        (MLPERF, but(MLPERF, version=None), "mlperf-version", "MLCommons messaging guidelines"),
        (MLPERF, but(MLPERF, metric="resnet50"), "metric", "this book's rule"),
    ],
)
def test_hard_refusals(a, b, rule, policy):
    for left, right in ((a, b), (b, a)):
        with pytest.raises(Refused, match=rule) as caught:
            ratio(left, right)
        assert caught.value.rule == rule
        assert caught.value.policy == policy
        assert policy in str(caught.value)


def test_two_unknown_mlperf_versions_are_not_assumed_compatible():
    unknown = but(MLPERF, version=None)
    assert why_not(unknown, unknown).rule == "mlperf-version"


def test_what_ratios_share_is_told_apart():
    besides = [ratio(AURORA, HELMA).beside(), ratio(AURORA, but(HELMA, clients=7)).beside()]
    common, alone = shared(besides)
    assert alone == ["clients: 300 against 186", "clients: 300 against 7"]
    assert "redundancy: RF1 against unknown" in common
    # nothing is lost
    for text, own in zip(besides, alone, strict=True):
        assert set(text.split("; ")) == set(common.split("; ")) | set(own.split("; "))
    assert shared([]) == ("", [])
    assert shared(["x; y"]) == ("x; y", [""])


def test_an_unknown_list_is_named_not_refused():
    assert Caveat("list", "production", None) in ratio(AURORA, but(HELMA, list=None)).caveats


def test_a_design_peak_may_stand_under_what_was_measured():
    found = ratio(IOR, PEAK)
    # 5.72319484 / 31 = 0.1846191883…
    assert found.ratio.contains(Fraction("0.1846191884"))
    assert Caveat("basis", "microbenchmark", "theoretical-peak") in found.caveats
    with pytest.raises(Refused, match="unit-kind"):
        ratio(IOR, but(PEAK, unit="MIOP/s"))


def test_what_differs_in_mlperf_is_named():
    other = but(MLPERF, division="open", accelerator="a100", accelerators=40, verified=False)
    beside = ratio(MLPERF, other).beside()
    for text in ("division: closed against open", "accelerator: unknown against a100"):
        assert text in beside
    assert "Result not verified by MLCommons Association." in beside
    assert "verified: yes against no" in beside


def test_a_study_reaches_across_lists_and_says_so():
    found = study(AURORA, UNPROTECTED)
    assert Caveat("list", "production", "research") in found.caveats
    assert Caveat("redundancy", "RF1", "RF0") in found.caveats
    assert found.beside().startswith(
        "unverified analysis of one installation's published files; no ranking across lists; "
    )


def test_a_study_says_where_no_source_states_the_list():
    assert Caveat("list", "production", None) in study(AURORA, but(UNPROTECTED, list=None)).caveats
    unknown = study(but(AURORA, list=None), but(UNPROTECTED, list=None))
    assert "list unknown on both sides" in unknown.beside()


@pytest.mark.parametrize(
    ("a", "b", "rule"),
    [
        (AURORA, HELMA, "other-system"),
        (but(AURORA, system=None), but(UNPROTECTED, system=None), "other-system"),
        (AURORA, but(UNPROTECTED, source=None), "other-act"),
        (AURORA, but(UNPROTECTED, metric="metadata"), "metric"),
        (AURORA, but(UNPROTECTED, unit="kIOP/s"), "unit-kind"),
        (but(MLPERF, system="x"), but(MLPERF, system="x"), "other-act"),
    ],
)
def test_what_is_no_study(a, b, rule):
    with pytest.raises(Refused) as caught:
        study(a, b)
    assert caught.value.rule == rule


def test_phases_within_one_run():
    easy = but(AURORA, metric="ior-easy-write", value=Interval.of_printed("20,693.63"))
    hard = but(AURORA, metric="ior-hard-write", value=Interval.of_printed("4,216.34"))
    found = within_run(easy, hard)
    # 20693.63 / 4216.34 = 4.907960…
    assert found.ratio.contains(Fraction("4.90796"))
    assert found.caveats == ()
    assert "two phases of one run" in found.beside()
    with pytest.raises(Refused, match="other-run"):
        within_run(easy, but(hard, run="695"))
    with pytest.raises(Refused, match="other-run"):
        within_run(but(easy, run=None), but(hard, run=None))
    with pytest.raises(Refused, match="unit-kind"):
        within_run(easy, but(hard, unit="kIOP/s"))


def test_per_server_is_this_books_own_figure():
    found = AURORA.per_server()
    assert found.value.contains(Fraction("15.67927"))
    assert (found.basis, found.obtained) == (Basis.DERIVED, Obtained.COMPUTED)
    assert found.standing() == "unverified"
    assert why_not(found, AURORA).rule == "metric"
    with pytest.raises(StoragebookError, match="servers is unknown"):
        HELMA.per_server()


@pytest.mark.parametrize(
    ("figure", "text"),
    [
        (AURORA, "verified (ISC26 production list)"),
        (but(AURORA, list=None, release=None), "verified"),
        (but(AURORA, verified=False), "unverified"),
        (but(AURORA, verified=None), "unverified"),
        (but(MLPERF, verified=None), "Result not verified by MLCommons Association."),
        (MLPERF, ""),
        (IOR, ""),
    ],
)
def test_standing(figure, text):
    assert figure.standing() == text


def test_a_figure_has_a_known_unit_basis_and_origin():
    with pytest.raises(StoragebookError, match="ambiguous"):
        but(AURORA, unit="KB")
    with pytest.raises(ValueError, match="guess"):
        but(AURORA, basis="guess")
    with pytest.raises(ValueError, match="hearsay"):
        but(AURORA, obtained="hearsay")


OPTIONAL = {
    "benchmark": st.sampled_from([None, IO500, MLPERF_STORAGE, "ior"]),
    "metric": st.sampled_from([None, "score", "unet3d"]),
    "list": st.sampled_from([None, "production", "research"]),
    "version": st.sampled_from([None, "v1.0", "v2.0"]),
    "redundancy": st.sampled_from([None, "RF0", "RF1"]),
    "unit": st.sampled_from(["GiB/s", "GB/s", "kIOP/s"]),
    "basis": st.sampled_from(list(Basis)),
}
FIGURES = st.fixed_dictionaries(OPTIONAL).map(lambda d: Figure(name="f", value=2, **d))


@given(FIGURES, FIGURES)
def test_refusing_does_not_depend_on_the_side(a, b):
    left, right = why_not(a, b), why_not(b, a)
    assert (left and left.rule) == (right and right.rule)


@given(FIGURES, FIGURES)
def test_what_is_compared_names_every_difference(a, b):
    if why_not(a, b) is not None:
        return
    found = ratio(a, b)
    named = {caveat.aspect for caveat in found.caveats}
    for aspect in ("basis", "benchmark", "metric", "redundancy"):
        if getattr(a, aspect) != getattr(b, aspect):
            assert aspect in named
    assert found.ratio * ratio(b, a).ratio == Interval.point(1)
