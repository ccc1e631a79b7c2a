"""Configurations of public runs: the table against the dumps themselves, read here line by line."""

import re

import pytest

from storagebook import paths
from storagebook.errors import StoragebookError
from storagebook.io500 import configured
from storagebook.io500.diff import diff

PAIRED = ["0668", "0670", "0669", "0671", "0683", "0684", "0688", "0695", "0694", "0696"]


def dump(submission):
    """Section and option → value of a run's config.ini, blank values left out."""
    shared = paths.shared()
    folder = shared and shared / "data" / "io500" / f"submission-{submission}"
    if not folder or not folder.is_dir():
        pytest.skip("the result files are not at hand")
    (file,) = folder.glob("*/config.ini")
    found, section = {}, ""
    for line in file.read_text().splitlines():
        if match := re.fullmatch(r"\[(.+)\]", line.strip()):
            section = match[1]
        elif match := re.fullmatch(r"(\S+) = (.+)", line.strip()):
            found[section, match[1]] = match[2].strip()
    return found


@pytest.mark.parametrize("submission", PAIRED)
def test_the_table_holds_the_whole_dump(submission):
    config = configured.configuration(submission)
    held = {(option.section, option.key): option.value for option in config.options}
    known = dump(submission)
    folder, command = ("global", "resultdir"), ("global", "drop-caches-cmd")
    known |= {("global", "datadir"): "…", folder: "…/" + known[folder].split("/")[-1]}
    assert held == known | {command: held[command]}


def test_settings_come_from_the_configuration():
    # [mdtest-easy] n = 10000000, [ior-hard] segmentCount = 10000000, [global] scc = FALSE
    card = configured.public("0688")
    assert card.phases["mdtest-easy-write"].settings["items_per_process_count"] == 10_000_000
    assert card.phases["ior-hard-read"].settings["segments_count"] == 10_000_000
    assert card.settings["student_cluster"] is False
    assert card.settings["find_external"] is False
    assert card.config_whole


def test_pools_are_named():
    assert configured.pools("0668") == ("lrz_18srv",)
    assert configured.pools("0691") == ()


def test_the_name_of_the_result_folder_tells_a_release():
    # resultdir ends in results-lrz-daos-2.4.0-dfs, results-lrz-daos-2.6.4-dfs, results
    assert configured.daos_release("0683") == "2.4.0"
    assert configured.daos_release("0772") == "2.6.4"
    assert configured.daos_release("0688") is None
    assert configured.daos_release("0691") is None


def test_a_run_without_a_configuration_keeps_its_plain_card():
    assert configured.configuration("0691") is None
    assert configured.public("0691").config is None
    with pytest.raises(StoragebookError, match="0 runs of submission 9999"):
        configured.public("9999")


def test_a_difference_of_option_is_seen():
    found = diff(configured.public("0776"), configured.public("0770"))
    assert found.options_scope == "all"
    # [find] pfind-queue-length of both config.ini
    (queue,) = (one for one in found.options if one.key == "pfind-queue-length")
    assert (queue.a, queue.b) == ("20000", "20160")


def test_differences_of_a_pair_are_those_of_its_dumps():
    # compared by eye: config.ini of 0668 and 0670 differ in object classes alone
    found = configured.differences("0670", "0668")
    known = [one for one in found if one.known]
    assert known
    assert all(one.of_class for one in known)
    assert str(known[0]) == "object class of ior-easy: SX against EC_16P1GX"
    assert {one.name for one in found if not one.known} == {"client nodes", "processes per node"}


def test_differences_of_two_years_name_release_and_layout():
    found = {one.name: (one.a, one.b) for one in configured.differences("0683", "0772")}
    assert found["DAOS release, by the name of the result folder"] == ("2.4.0", "2.6.4")
    assert found["DAOS pool, by its name"] == ("lrz_42srv", "di29puz3_pool01")
    assert found["layout"] == ("single-shared-file", "file-per-process")
    assert found["processes"] == ("6,480", "21,504")
    assert found["transfer size"] == ("1 MiB", "4 MiB")


def test_differences_mirror():
    there, back = configured.differences("0688", "0695"), configured.differences("0695", "0688")
    assert {(one.name, one.phases, one.a, one.b) for one in there} == {
        (one.name, one.phases, one.b, one.a) for one in back
    }


def test_what_no_configuration_tells_is_said():
    found = configured.differences("0688", "0691")
    assert "other options of the configuration" in {one.name for one in found if not one.known}
    assert not configured.whole("0688", "0691")
    frame = configured.table(found)
    assert list(frame) == ["setting", "phases", "a", "b"]
