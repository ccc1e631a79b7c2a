"""Public runs from the derived tables, against figures copied by hand from their result files."""

import pytest

from storagebook.errors import StoragebookError
from storagebook.io500 import runs


def test_aurora_is_described_as_its_files_state():
    run = runs.load("0688")
    assert run.describe() == (
        "Aurora at Argonne National Laboratory, file system DAOS, benchmark version "
        "io500-sc23_v1, 300 client nodes, 62,400 processes"
    )
    assert run.values()["ior-hard-write"] == 4216.340094
    assert run.facts.total_files_count == 58_551_916_802


def test_its_score_follows_from_its_phases():
    table = runs.score_table(runs.load("0688")).set_index("figure")
    assert table.agrees.all()
    # [SCORE ] line of result_summary.txt
    assert table.recomputed.to_dict() == pytest.approx(
        {"BW": 10066.086553, "MD": 102785.408581, "score": 32165.926368}, abs=1e-6
    )


def test_a_phase_that_moved_no_longer_agrees(monkeypatch):
    run = runs.load("0688")
    run.phases.loc[run.phases.phase == "find", ["value", "printed"]] = [231968.8, "231968.823346"]
    assert not runs.score_table(run).set_index("figure").agrees["MD"]


def test_the_stonewall_share_of_easy_creates():
    share = runs.stonewall(runs.load("0688")).set_index("phase").kept_pct
    # 60985.132190 / 86593.371129
    assert share["mdtest-easy-write"] == pytest.approx(70.42702, abs=1e-5)


def test_settings_name_layout_and_object_classes():
    settings = runs.settings(runs.load("0688")).set_index("phase")
    assert settings.loc["ior-easy-write", "access"] == "single-shared-file"
    assert settings.loc["ior-easy-write", "object_class"] == "EC_16P1GX"
    assert settings.loc["ior-hard-write", "transfer_b"] == 47_008


@pytest.mark.parametrize(
    ("bw", "md", "submission"),
    [("10,066.09", "102,785.41", "0688"), ("11,362.27", "164,391.73", "0695")],
)
def test_a_list_row_is_found_by_its_figures(bw, md, submission):
    assert list(runs.listed_as(bw, md).submission) == [submission]


def test_figures_of_no_run_find_nothing():
    assert runs.listed_as("1.00", "2.00").empty


def test_an_unknown_submission_says_where_those_at_hand_are_listed():
    with pytest.raises(StoragebookError, match=r"0 runs of submission 9999 .*io500-runs\.csv"):
        runs.load("9999")


def test_a_submission_of_many_runs_is_refused():
    with pytest.raises(StoragebookError, match="runs of submission 0109"):
        runs.load("0109")


def test_what_the_protected_run_wrote():
    written = runs.written(runs.load("0688")).set_index("phase")
    # ior-easy-write.txt: 7129377275904000 B moved; mdtest-hard-write.txt: 230246 files at most,
    # 62400 tasks; both: FS 148161.7 TiB
    assert written.moved_pib["ior-easy-write"] == pytest.approx(6.332159, abs=1e-6)
    assert written.total_count["mdtest-hard-write"] == 14_367_350_400
    assert written.file_system_pib["ior-easy-write"] == pytest.approx(144.6892, abs=1e-4)


def test_the_unprotected_run_has_the_quoted_file_and_directory():
    written = runs.written(runs.load("0695")).set_index("phase")
    # 9542183367475200 B; 1054596 files at most, 31200 tasks
    assert written.moved_pib["ior-easy-write"] == pytest.approx(8.475161, abs=1e-6)
    assert written.total_count["mdtest-hard-write"] == 32_903_395_200


def test_a_run_without_outputs_shows_none():
    assert runs.written(runs.load("0694")).empty
