"""Known answers by hand from source 002: the lines of the tool, and the table's parameters."""

from fractions import Fraction

import pytest

from storagebook import parameters, paths, tables, vos_perf
from storagebook.compare import Refused, ratio
from storagebook.errors import StoragebookError
from storagebook.readers import daos_perf


def told(*sentences):
    return " ".join(template.format(**values) for template, values in sentences)


def test_builds_are_those_of_the_table_and_of_the_parameter():
    assert list(vos_perf.BUILDS) == list(dict.fromkeys(tables.printed(vos_perf.TABLE).build))
    for build in vos_perf.BUILDS:
        parameters.check("23-vos-daos-perf", {"reference": build})


def test_rate_and_duration_leave_one_number_of_operations():
    # 15729.73 * 6.357388 = 99,999.99…; 1794.63 * 11.144389 = 20,000.06
    assert vos_perf.run("DAOS-1108", "PMem, overwrite").operations == 100_000
    assert vos_perf.run("DAOS-1108", "PMem, no overwrite").operations == 20_000


def test_a_rate_that_allows_several_counts_is_refused():
    texts = {"rate_iops": "20.0", "duration_s": "9.0"}
    vague = vos_perf.Run("DAOS-1108", "PMem", "overwrite", texts, "")
    with pytest.raises(StoragebookError, match="allow"):
        _ = vague.operations


def test_each_run_recomputed():
    table = vos_perf.recomputed().set_index(["build", "column"])
    row = table.loc["DAOS-1078", "NVMe, overwrite"]
    # 100,000 MiB in 60.538290 s, and the same times 1.048576
    assert row.mib_s == pytest.approx(1651.8471, abs=1e-4)
    assert row.mb_s == pytest.approx(1651.8471 * 1.048576, abs=1e-3)
    assert row.latency_us == pytest.approx(605.3829, abs=1e-4)
    assert table.agrees.all()
    assert len(table) == 16


def test_the_tools_mb_is_a_mib():
    said = told(vos_perf.said_of_units())
    assert "all figures of 16 of 16 runs" in said
    assert "it fits none" in said
    assert "122,880 *MB*, which is 120 × 1024" in said


def test_the_reader_finds_the_tables_figures():
    assert all(vos_perf.parsed(one) for one in vos_perf.all_runs())
    first = vos_perf.all_runs()[0]
    other = vos_perf.Run(*list(vars(first).values())[:4], first.printed.replace("63.574", "63.57"))
    assert not vos_perf.parsed(other)


def test_the_page_itself_gives_the_table():
    shared = paths.shared()
    if shared is None:
        pytest.skip("needs the sources")
    (page,) = (shared / "sources").glob("002_*.txt")
    found = daos_perf.read(page).measurements
    rates = [m.printed for m in found if m.quantity == "rate"]
    assert rates == [one.texts["rate_iops"] for one in vos_perf.all_runs()]


def test_unequal_counts_are_told():
    said = told(*vos_perf.said_of_operations())
    assert "200 × 500 = 100,000 values of 1 MiB" in said
    assert "100,000 in 3 of 4 columns" in said
    # 20,000 MiB and 100,000 MiB
    assert "19.5 GiB where the others write 97.7 GiB" in said


def test_a_time_paid_once_explains_the_slow_column_as_well():
    left, full = vos_perf.fixed_time_s("DAOS-1108")
    # 11.144389 - 20,000 * 63.57388e-6, and 100,000 MiB in that and 6.357388 s more
    assert left == pytest.approx(9.872911, abs=1e-5)
    assert full == pytest.approx(100_000 / (9.872911 + 6.357388), abs=1e-2)
    said = told(*vos_perf.said_of_counts("DAOS-1108"))
    assert "from 1,795 to 6,161 MiB/s" in said
    assert "in 4 of 4 builds" in said


def test_only_equal_columns_are_compared_between_builds():
    one, other = (
        vos_perf.run("DAOS-879", "PMem, overwrite"),
        vos_perf.run("DAOS-1108", "NVMe, overwrite"),
    )
    with pytest.raises(Refused):
        ratio(one.figure(), other.figure())
    assert vos_perf.change(one, "DAOS-1108").beside() == "version: DAOS-879 against DAOS-1108"
    # 54.921936 / 6.357388
    assert "8.64 times" in told(vos_perf.said_of_media("DAOS-1108"))


def test_changes_from_a_build():
    table = vos_perf.change_table("DAOS-1108").set_index("build")
    # 54.921936 / 60.538290 - 1
    assert table.loc["DAOS-1078", "NVMe, overwrite"] == pytest.approx(-9.27736, abs=1e-4)
    assert list(table.index) == ["DAOS-879", "DAOS-1078", "DAOS-1079"]
    back = vos_perf.change_table("DAOS-1078").set_index("build")
    assert back.loc["DAOS-1108", "NVMe, overwrite"] == pytest.approx(10.2260, abs=1e-3)


def test_the_columns_without_nvme_are_the_measure():
    # 1 - 11.079110 / 11.144440
    assert vos_perf.yardstick_pct() == pytest.approx(0.58621, abs=1e-4)
    said = told(*vos_perf.said_of_spread())
    assert "*NVMe, overwrite* of DAOS-1078 is 9.9 % behind the best of its column, 17 times" in said
    assert "The next build, DAOS-1079, is +0.49 % from DAOS-1108" in said


def test_orders_of_the_columns():
    orders = vos_perf.spread().set_index("column").order
    assert orders["PMem, overwrite"] == orders["PMem, no overwrite"] == "1078 1079 1108 879"
    said = told(*vos_perf.said_of_orders())
    assert "*PMem, overwrite* and *PMem, no overwrite* put the builds in the same order" in said
    assert "once in 24 times" in said
    # 1 - 1829.621 / 1832.619, 1 - 1844.008 / 1859.083
    assert "have DAOS-879 first, ahead of the next by 0.16 to 0.81 %" in said
    assert "DAOS-1078 in *NVMe, overwrite* and DAOS-1079 in *NVMe, no overwrite*" in said


def test_deviations_are_from_the_best():
    away = vos_perf.deviations()
    assert (away.groupby("column").deviation_pct.max() == 0).all()
    # 1651.847 / 1832.619, as the spread of its column has it
    assert away.deviation_pct.min() == pytest.approx(-9.8642, abs=1e-3)
    assert vos_perf.spread().range_pct.max() == -away.deviation_pct.min()


@pytest.mark.parametrize(
    ("runs", "chance"), [(1, 1), (2, Fraction(1, 3)), (3, Fraction(1, 10)), (4, Fraction(1, 35))]
)
def test_chance_of_the_clearest_outcome(runs, chance):
    assert vos_perf.least_chance(runs) == chance


@pytest.mark.parametrize(("level", "runs"), [(0.5, 2), (0.1, 3), (0.05, 4), (0.001, 7)])
def test_runs_that_it_takes(level, runs):
    assert vos_perf.runs_needed(level) == runs
    table = vos_perf.chances(level)
    assert list(table.runs) == list(range(1, runs + 2))
    assert list(table.enough) == [False] * (runs - 1) + [True, True]
    assert f"at least {runs} runs" in told(vos_perf.said_of_chances(level))
