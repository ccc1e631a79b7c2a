"""Which pairs of the chapter may be put in a ratio."""

import pytest

from storagebook.mlperf import comparison, policy, public

FIXTURES = "tests/fixtures/mlperf_storage"
STANDS = "stands, differences named"


@pytest.fixture(scope="module")
def table():
    return comparison.table().set_index("pair")


@pytest.mark.parametrize(
    ("pair", "words"),
    [
        ("Ethernet beside InfiniBand", ["shared-file over Ethernet against", "InfiniBand", "100"]),
        ("open beside closed division", ["division: open against closed", "411 against 100"]),
        ("H100 beside A100", ["accelerator: h100 against a100", "36 against 72"]),
        ("DAOS beside Lustre", [policy.UNVERIFIED.rstrip("."), "division unknown on both sides"]),
    ],
)
def test_what_stands_names_its_differences(table, pair, words):
    assert table.loc[pair].ratio == STANDS
    assert all(word in table.loc[pair].because for word in words)


@pytest.mark.parametrize(
    ("pair", "rule"),
    [
        ("two workloads", "(metric)"),
        ("two rounds", "(mlperf-version)"),
        ("training beside checkpoint", "(metric)"),
        ("a result beside a figure of no benchmark", "(mlperf-other)"),
        ("MLPerf Storage beside IO500", "(mlperf-other)"),
    ],
)
def test_what_is_refused_names_the_rule(table, pair, rule):
    assert table.loc[pair].ratio == "refused"
    assert rule in table.loc[pair].because


def test_counts():
    (said,) = comparison.said(comparison.table())
    assert said[0].format(**said[1]).startswith("Of these 9 pairs 4 may be put in a ratio")


@pytest.mark.parametrize(
    ("name", "ratio", "words"),
    [
        ("v1.0", STANDS, ["verified: no against yes", "accelerators: 15 against 36"]),
        ("v0.5", "refused", ["v0.5 and v1.0"]),
        ("v2.0", "refused", ["v2.0 and v1.0"]),
    ],
)
def test_a_readers_result_is_one_more_pair(name, ratio, words):
    own = public.own(f"{FIXTURES}/{name}")
    last = comparison.table(own).iloc[-1]
    assert last.pair == "your result beside a public one"
    assert last.ratio == ratio
    assert all(word in last.because for word in words)


def test_a_checkpoint_without_bandwidth_is_no_pair():
    own = public.own(f"{FIXTURES}/v3.0/closed/Example/results/NewFS/checkpointing")
    assert len(comparison.table(own)) == len(comparison.table())
