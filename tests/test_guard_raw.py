"""The quoted results against the result files themselves, read here by two regular expressions.

Skipped where the result files are not at hand. Guards take no fixtures.
"""

import functools
import re

import pytest

from storagebook import paths, tables
from storagebook.intervals import Interval
from storagebook.io500.listed import as_six_digits, as_two_decimals

pytestmark = pytest.mark.guard

RESULT = re.compile(r"^\[RESULT\]\s+(\S+)\s+([\d.]+) (?:GiB/s|kIOPS) : time ([\d.]+) sec", re.M)
SCORE = re.compile(r"Bandwidth ([\d.]+) Gi?B/s : IOPS ([\d.]+) kiops : TOTAL ([\d.]+)$", re.M)

# Which submission a row of a list is: by institution, system and year of its folder's index.
SUBMISSIONS = {
    "io500-production-isc26": {
        ("Aurora", "SC23"): 688,
        ("SuperMUC-NG-Phase2-EC", "SC25"): 772,
        ("Helma", "ISC25"): 736,
        ("SSC-24", "ISC25"): 748,
        ("Shaheen III", "SC23"): 691,
        ("Maximus-01", "SC25"): 781,
        ("IRIS", "SC24"): 719,
        ("Lise", "ISC24"): 703,
    },
    "io500-ten-node-isc26": {
        ("Aurora", None): 694,
        ("SuperMUC-NG-Phase2-EC-10", None): 774,
        ("Maximus-01", None): 781,
        ("JoyBuilder", None): 757,
        ("HRT", None): 749,
        ("Lise", None): 703,
    },
    "io500-evolution": {
        ("Wolf", "ISC20"): 1,
        ("Endeavour", "ISC21"): 554,
        ("Aurora RF0", "SC23"): 695,
        ("Aurora", "SC23"): 688,
        ("SuperMUC-NG-Phase2-EC", "SC23"): 683,
        ("Lise", "ISC24"): 703,
        ("SuperMUC-NG-Phase2-EC", "SC25"): 772,
        ("Maximus-01", "SC25"): 781,
    },
}


@functools.cache
def raw(submission):
    """The text of a submission's summary and of the result.txt beside it, where there is one."""
    shared = paths.shared()
    folder = shared and shared / "data" / "io500" / f"submission-{submission:04d}"
    if not folder or not folder.is_dir():
        pytest.skip("the result files are not at hand")
    summaries = sorted(folder.rglob("result_summary.txt"))
    # where there are several, the run is the one with its result.txt
    file = next((f for f in summaries if f.with_name("result.txt").is_file()), summaries[0])
    result = file.with_name("result.txt")
    return file.read_text(), result.read_text() if result.is_file() else ""


def mean_and_score(submission):
    (found,) = SCORE.findall(raw(submission)[0])
    return [Interval.of_printed(digits, trailing_zeros=True) for digits in found]


def setting(submission, name):
    return int(re.search(rf"^{name}\s*= (\d+)$", raw(submission)[1], re.M)[1])


@pytest.mark.parametrize("name", SUBMISSIONS)
def test_listed_results_are_those_of_the_files(name):
    rows = tables.printed(name).to_dict("records")
    found = {(r["system"], r.get("release")): r for r in rows}
    for key, submission in SUBMISSIONS[name].items():
        row = found[key]
        bandwidth, metadata, score = mean_and_score(submission)
        assert as_two_decimals(row["bandwidth_gib_s"]).overlaps(bandwidth), row
        assert as_two_decimals(row["metadata_kiops"]).overlaps(metadata), row
        readings = [as_two_decimals(row["score"]), as_six_digits(row["score"])]
        assert any(r is not None and r.overlaps(score) for r in readings), row


@pytest.mark.parametrize("name", [n for n in SUBMISSIONS if n != "io500-evolution"])
def test_processes_are_those_of_the_files(name):
    for row in tables.load(name).to_dict("records"):
        submission = SUBMISSIONS[name].get((row["system"], row.get("release")))
        if submission:
            assert row["procs_count"] == setting(submission, "procs")


def test_auroras_phases_are_those_of_the_files():
    measured = {phase: value for phase, value, _ in RESULT.findall(raw(688)[0])}
    for row in tables.printed("aurora-phases").to_dict("records"):
        assert as_two_decimals(row["value"]).overlaps(Interval.of_printed(measured[row["phase"]]))


@pytest.mark.parametrize(("setting_name", "submission"), [("RF0", 695), ("RF1", 688)])
def test_either_redundancy_is_that_of_its_submission(setting_name, submission):
    measured = {phase: value for phase, value, _ in RESULT.findall(raw(submission)[0])}
    bandwidth, metadata, _ = mean_and_score(submission)
    table = tables.printed("aurora-redundancy")
    table = table[table["redundancy"] == setting_name].set_index("metric")
    assert set(table["submission"]) == {str(submission)}
    for metric, value in table["value"].items():
        if metric in measured:
            assert as_two_decimals(value).overlaps(Interval.of_printed(measured[metric]))
    assert as_two_decimals(table.loc["bandwidth", "value"]).overlaps(bandwidth)
    assert as_two_decimals(table.loc["metadata", "value"]).overlaps(metadata)


def test_the_random_read_is_that_of_its_submission():
    value = tables.load("io500-quantities").set_index("quantity")["value"]
    found = re.search(r"ior-rnd4K-easy-read\s+([\d.]+) GiB/s", raw(772)[0])
    assert value["supermuc-rnd4k-read"] == round(float(found[1]), 2)


def output(submission, phase):
    """What a phase printed."""
    raw(submission)
    (file,) = (paths.shared() / "data" / "io500").glob(f"submission-{submission:04d}/*/{phase}.txt")
    return file.read_text()


def scale(submission):
    """Files in all, files of mdtest-hard (one directory), PiB of the file of ior-easy."""
    procs = setting(submission, "procs")
    most = re.search(r"stonewall hit .* max: (\d+)", output(submission, "mdtest-hard-write"))
    moved = re.search(r"aggregate bytes moved = (\d+)", output(submission, "ior-easy-write"))
    return {
        "files": setting(submission, "total-files"),
        "files-in-directory": int(most[1]) * procs,
        "largest-file": int(moved[1]) / 2**50,
    }


def test_the_scale_is_that_of_the_run_without_redundancy():
    run = tables.load("aurora-run").set_index("quantity")["value"]
    without, with_it = scale(695), scale(688)
    for quantity, half_digit in [
        ("files", 5e8),
        ("files-in-directory", 5e8),
        ("largest-file", 0.05),
    ]:
        assert abs(run[quantity] - without[quantity]) < half_digit
        # the run that the source describes with these figures is another
        assert abs(run[quantity] - with_it[quantity]) > 10 * half_digit
