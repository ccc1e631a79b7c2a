"""One card for runs from files and from tables, against values copied from the result files."""

from pathlib import Path

import pytest

from storagebook import paths
from storagebook.errors import StoragebookError
from storagebook.io500 import card

ROOT = Path(__file__).parents[2]
FIXTURES = ROOT / "tests" / "fixtures" / "io500"
SAMPLE = ROOT / "data" / "samples" / "io500-small-vm"


def test_a_public_run_from_the_tables():
    run = card.public("0772")
    assert run.name == "submission 0772"
    assert run.settings["procs_count"] == 21_504
    assert run.settings["nodes_count"] == 192
    assert run.settings["version"] == "io500-isc25_v2-13"
    assert run.printed.score.text == "3470.216148"
    write = run.phases["ior-easy-write"]
    assert (write.value.text, write.stonewall.text, write.seconds.text) == (
        "1028.084806",
        "1033.43",
        "320.347",
    )
    assert write.settings["transfer_b"] == 4 << 20
    assert write.settings["object_class"] == "EC_16P1GX"
    assert run.phases["ior-rnd4K-easy-read"].scored is False


def test_a_setting_that_was_not_given_is_not_one_that_nobody_knows():
    easy = card.public("0683").phases["ior-easy-write"].settings
    assert easy["chunk_size_b"] == card.NOT_SET
    assert easy["segments_count"] is None


def test_one_run_of_a_submission_that_holds_many():
    run = card.public("0109", "KAUST__results")
    assert run.name == "submission 0109/KAUST__results"
    assert run.printed.md_kiops.text == "12.0479"


def test_a_run_of_2017_has_rates_but_none_in_a_known_unit():
    run = card.public("0109", "JCAHPC-17__jcahpc")
    assert run.phases["ior-easy-write"].unit == "MB/s"
    assert run.values == {}
    assert run.score() is None
    assert run.printed.score is None


@pytest.mark.parametrize(
    ("number", "message"),
    [("9999", "0 runs of submission 9999"), ("0109", r"9 runs .* name one, as 0109/")],
)
def test_a_number_that_names_no_single_run(number, message):
    with pytest.raises(StoragebookError, match=message):
        card.load(number)


def test_our_own_sample():
    run, checked = card.load(SAMPLE)
    assert checked is not None
    assert run.name == "io500-small-vm"
    assert (run.settings["procs_count"], run.settings["nodes_count"]) == (2, 1)
    assert run.valid is False
    assert run.config is not None
    assert run.config_whole
    # [find] score, and the mean of the twelve, as result.txt prints them
    assert run.phases["find"].value.text == "1067.754536"
    # small rates with six decimals leave the last digit open
    assert run.score().score == pytest.approx(11.354077, abs=5e-6)
    assert run.phases["ior-easy-write"].settings["stonewall_s"] == 8


def test_a_folder_of_several_runs_names_them():
    with pytest.raises(StoragebookError, match=r"several runs where one is wanted.*name one, as"):
        card.load(FIXTURES)


def test_a_folder_named_like_a_submission_comes_first(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "0688").symlink_to(FIXTURES / "invalid")
    assert card.load("0688")[1] is not None


def test_files_and_tables_give_the_same_card():
    shared = paths.shared()
    if shared is None:
        pytest.skip("needs the raw files")
    for number in ("0683", "0772", "0002", "0001"):
        read, _ = card.load(shared / "data" / "io500" / f"submission-{number}")
        kept = card.public(number)
        assert {n: p.value for n, p in read.phases.items()} == {
            n: p.value for n, p in kept.phases.items()
        }
        for name, phase in kept.phases.items():
            assert phase.stonewall == read.phases[name].stonewall
            known = {k: v for k, v in phase.settings.items() if v is not None}
            assert known.items() <= read.phases[name].settings.items()


@pytest.mark.parametrize(
    ("setting", "value", "text"),
    [
        ("block_b", 103_809_024_000_000, "99,000,000 MiB"),
        ("transfer_b", 47_008, "47,008 B"),
        ("transfer_b", 0, "0 B"),
        ("stonewall_s", 300, "300 s"),
        ("direct_io", True, "yes"),
        ("student_cluster", False, "no"),
        ("items_per_process_count", 10_000_000, "10,000,000"),
        ("chunk_size_b", card.NOT_SET, "not set"),
        ("api", None, None),
    ],
)
def test_settings_are_written_for_people(setting, value, text):
    assert card.written(setting, value) == text
