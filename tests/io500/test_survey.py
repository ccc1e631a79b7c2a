"""What the public runs show together, against counts and figures taken from the files by hand."""

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from storagebook.io500 import families, public, survey

ALL = public.frame()
COUNTED = public.counted(ALL)
SELECTIONS = [
    public.Selection(),
    public.Selection("DAOS", 1_000),
    public.Selection("WekaIO"),
    public.Selection(families.UNSTATED),
    # one run, which states no processes
    public.Selection("CHFS"),
    public.Selection("all", 50_000),
]


def row(frame, **where):
    (name, value), = where.items()  # fmt: skip
    return frame[frame[name] == value].iloc[0]


class TestReading:
    def test_runs_and_what_could_be_reproduced_by_format(self):
        table = survey.reading(ALL).set_index("what")
        assert table.loc["runs"].to_dict() == {
            "2017": 1,
            "shell script": 93,
            "C, 2020": 26,
            "C, since 2021": 96,
            "all": 216,
        }
        total = table["all"]
        assert total.filter(like="score").sum() == 216
        assert table.loc["no hash printed", "shell script"] == 93
        assert table.loc["hash matches", "C, since 2021"] == 96
        assert total["configuration matches its hash"] == 115

    def test_a_score_that_differs_is_counted(self):
        changed = ALL.assign(arithmetic=["disagrees", *ALL.arithmetic[1:]])
        assert row(survey.reading(changed), what="score not reproduced")["all"] == 1
        _, values = survey.said_of_reading(changed)[0]
        assert (values["differ"], values["same"]) == (1, len(ALL) - 1)

    def test_a_reason_for_each_that_is_not_reproduced_in_full(self):
        found = survey.reasons(ALL)
        assert found[found.what == "score"].runs.tolist() == [7, 3]
        without = found[(found.what == "configuration") & found.reason.str.contains("survived")]
        assert without.runs.tolist() == [7]

    def test_codes_are_counted_once_a_run(self):
        found = survey.findings(ALL)
        assert row(found, code="hash-absent").runs == 94
        assert row(found, code="duplicate").severity == "warning"
        assert found.runs.is_monotonic_decreasing

    def test_a_duplicate_names_its_twin(self):
        found = survey.left_out(ALL).set_index("run").reason
        assert found["VastTest (0201)"] == "the same figures as VastTest (0190)"
        assert found["Mistral (0137)"] == "the same figures as unnamed (0109/dkrz-l1__results)"
        assert len(found) == 5


class TestDistributions:
    @pytest.mark.parametrize(
        ("procs", "expected"),
        [
            (1, "1 to 99"),
            (99, "1 to 99"),
            (100, "100 to 999"),
            (999, "100 to 999"),
            (1_000, "1,000 to 9,999"),
            (10_000, "10,000 and more"),
            (pd.NA, "not stated"),
        ],
    )
    def test_bands(self, procs, expected):
        assert survey.band(procs) == expected

    def test_each_run_counts_once(self):
        for frame in (survey.by_year(COUNTED), survey.by_family(COUNTED), survey.by_scale(COUNTED)):
            assert len(frame) == len(COUNTED)
            assert frame.run.is_unique

    def test_families_stand_by_number_and_the_rest_last(self):
        order = list(dict.fromkeys(survey.by_family(COUNTED).family))
        assert order[:2] == ["DAOS", "EXAScaler"]
        assert order[-1] == families.UNSTATED

    def test_medians(self):
        frame = pd.DataFrame({"year": ["2020", "2020", "2021"], "score": [1.0, 4.0, 9.0]})
        found = survey.medians(frame, "year")
        assert found["median"].tolist() == [2.5, 9.0]
        assert (found.least.tolist(), found.most.tolist()) == ([1.0, 9.0], [4.0, 9.0])

    def test_file_systems_stand_side_by_side_within_a_band_only(self):
        found = survey.at_one_scale(COUNTED)
        large = found[found.processes == "10,000 and more"].set_index("file_system")
        # Helma 18,600 and Shaheen III 16,640 processes: (838.99 + 797.04) / 2
        assert large.runs["Lustre"] == 2
        assert large.score["Lustre"] == pytest.approx(818.015, abs=1e-2)
        assert survey.NO_SCALE not in set(found.processes)
        assert (found.groupby("processes").size() > 1).all()

    def test_highest_results(self):
        found = survey.most_in_each_phase(COUNTED).set_index("phase")
        assert found.value["ior-easy-write"] == 21029.853648
        assert found.run["ior-hard-read"] == "Aurora (0688)"
        assert found.family["mdtest-hard-write"] == "SuperFS"
        assert len(found) == 12

    def test_processes_and_score_of_the_runs_that_state_both(self):
        found = survey.against_processes(COUNTED)
        assert found.processes.min() == 10
        assert set(found.file_system) >= {"DAOS", "all others"}
        assert list(dict.fromkeys(found.file_system))[-1] == "all others"

    @pytest.mark.parametrize(
        ("x", "y", "expected"),
        [
            ([1, 2, 3], [10, 20, 30], 1.0),
            ([1, 2, 3], [9, 4, 1], -1.0),
            # ranks 1 2 3 4 against 1 3 2 4
            ([1, 2, 3, 4], [1, 5, 4, 9], 0.8),
            ([1, 2], [1, 2], None),
            ([5, 5, 5], [1, 2, 3], None),
        ],
    )
    def test_rank_correlation(self, x, y, expected):
        found = survey.rank_correlation(pd.DataFrame({"x": x, "y": y}), "x", "y")
        assert found == (expected if expected is None else pytest.approx(expected))


class TestWearOut:
    def test_the_share_that_is_kept(self):
        found = survey.wear_out(COUNTED)
        easy = found[(found.run == "Aurora (0688)") & (found.phase == "mdtest-easy-write")]
        # 60985.132190 / 86593.371129
        assert easy.kept_pct.item() == pytest.approx(70.42702, abs=1e-5)
        assert set(found.phase) == {
            *("ior-easy-write", "ior-hard-write", "mdtest-easy-write", "mdtest-hard-write")
        }

    def test_a_phase_a_row(self):
        shares = pd.DataFrame(
            {"run": list("abc"), "phase": "ior-easy-write", "kept_pct": [100.0, 89.9, 50.0]}
        )
        (found,) = survey.wear_out_by_phase(shares).itertuples(index=False)
        assert (found.runs, found.waited, found.least_pct, found.run) == (3, 2, 50.0, "c")
        assert "67 % of 3" in survey.said_of_wear_out(shares)


def test_the_table_of_all_runs():
    found = survey.every(ALL)
    assert len(found) == 216
    names = found.system.dropna().str.casefold().tolist()
    assert names == sorted(names)
    assert found.system.isna().tolist() == sorted(found.system.isna())
    aurora = row(found, submission="0688")
    assert (aurora.processes, aurora.score) == (62_400, 32165.926368)
    assert pd.isna(aurora.verdicts)
    assert row(found, submission="0201").verdicts == "no hash, duplicate"
    held = found[found.submission == "0109"].verdicts.tolist()
    assert len(held) == 9
    assert "few digits, no hash" in held
    invalid = found[found.verdicts.str.contains("invalid", na=False)]
    assert set(invalid.submission) == {"0028"}


@pytest.mark.parametrize("selection", SELECTIONS, ids=str)
def test_everything_holds_for_any_selection(selection):
    runs = selection.of(ALL)
    counted = public.counted(runs)
    assert survey.reading(runs)["all"].iloc[0] == len(runs)
    for title in (
        survey.said_of_years(survey.by_year(counted)),
        survey.said_of_families(survey.by_family(counted)),
        survey.said_of_scale(survey.by_scale(counted)),
        survey.said_of_processes(survey.against_processes(counted)),
        survey.said_of_phases(counted, "bandwidth"),
        survey.said_of_phases(counted, "metadata"),
    ):
        assert "nan" not in title
    for template, values in (
        *survey.chosen(runs, selection),
        *survey.said_of_reading(runs),
        survey.said_of_most(survey.most_in_each_phase(counted)),
    ):
        assert template.format(**values)
    shares = survey.wear_out(counted)
    assert shares.empty or survey.said_of_wear_out(shares)


@given(st.sets(st.integers(0, len(ALL) - 1), min_size=1))
def test_counts_add_up_for_any_runs(places):
    runs = ALL.iloc[sorted(places)].reset_index(drop=True)
    first = survey.reading(runs).set_index("what").loc["runs"]
    assert first.drop("all").sum() == first["all"] == len(runs)
    counted = public.counted(runs)
    assert survey.at_one_scale(counted).runs.sum() <= counted.procs_count.notna().sum()
    assert len(survey.every(runs)) == len(runs)
