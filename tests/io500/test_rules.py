"""Findings: each code is documented, shown by a file that deserves it, and by no good one."""

import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

import storagebook
from storagebook.io500 import rules
from storagebook.io500.findings import CODES, finding
from storagebook.io500.run import Place
from storagebook.readers import io500

FIXTURES = Path(__file__).parents[1] / "fixtures" / "io500"
SAMPLE = Path(__file__).parents[2] / "data" / "samples" / "io500-small-vm"
SOURCE = Path(storagebook.__file__).parent
STANDARD = FIXTURES / "standard" / "2031.02.03-04.05.06"


def check(path, seen=None):
    (run,) = io500.read(path)
    return rules.check(run, seen)


def codes(checked):
    return {f.code for f in checked.findings}


@pytest.fixture
def edited(tmp_path):
    """A copy of the standard run with some text replaced; returns its check."""

    def edit(*changes, folder=STANDARD, drop=()):
        target = tmp_path / "edited"
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(folder, target)
        for name in drop:
            (target / name).unlink()
        for name, old, new in changes:
            path = target / name
            text = path.read_text()
            assert old in text, old
            path.write_text(text.replace(old, new, 1))
        return check(target)

    return edit


def test_codes_in_the_source_are_those_of_the_table():
    # the readers pass on codes that `archive` and `io500_text` give to what they met
    found = set()
    for path in (
        *SOURCE.glob("io500/*.py"),
        SOURCE / "readers" / "io500.py",
        SOURCE / "readers" / "io500_text.py",
        SOURCE / "readers" / "archive.py",
    ):
        found |= set(re.findall(r'"([a-z0-9]+(?:-[a-z0-9]+)+|utf16|duplicate)"', path.read_text()))
    assert set(CODES) <= found


@pytest.mark.parametrize("code", CODES)
def test_codes_are_documented(code):
    known = CODES[code]
    assert known.severity in ("error", "warning", "note")
    assert known.area in ("reading", "integrity", "arithmetic", "rules")
    assert known.meaning
    item = finding(code, "", Place("f", 3))
    assert (item.text, item.area, item.file, item.line) == (known.meaning, known.area, "f", 3)


def test_a_good_run_has_no_findings():
    checked = check(FIXTURES / "standard")
    assert checked.findings == ()
    assert checked.verdicts == rules.Verdicts("match", "agrees", "valid")
    assert checked.agrees is True
    assert checked.valid is True


def test_text_is_one_printable_line():
    item = finding("duplicate", "the same as \x1b[31m\nred", Place("f"))
    assert item.text == "the same as \\x1b[31m\\nred"


class TestIntegrity:
    def test_edited_value_in_both_files(self, edited):
        checked = edited(
            ("result.txt", "58.120934", "68.120934"),
            ("result_summary.txt", "58.120934", "68.120934"),
        )
        assert {"hash-mismatch", "bw-differs", "score-differs"} <= codes(checked)
        assert checked.verdicts.integrity == "mismatch"
        assert checked.verdicts.arithmetic == "disagrees"
        # the program marked nothing
        assert checked.verdicts.rules == "valid"

    def test_consistent_forgery_fails_the_hash_alone(self, edited):
        # two phases of one kind swapped: every mean stays
        checked = edited(
            ("result.txt", "score           = 5870.331906", "score           = X"),
            ("result.txt", "score           = 6105.220418", "score           = 5870.331906"),
            ("result.txt", "score           = X", "score           = 6105.220418"),
            drop=["result_summary.txt"],
        )
        assert checked.verdicts.arithmetic == "agrees"
        assert checked.hash.status == "mismatch"
        assert codes(checked) == {"hash-mismatch"}

    def test_no_hash(self, edited):
        checked = edited(("result.txt", "hash            = ", "; hash "))
        assert codes(checked) == {"hash-absent"}
        assert checked.verdicts.integrity == "absent"

    def test_other_hash(self, edited):
        checked = edited(("result.txt", "hash            = D5", "hash            = E5"))
        (item,) = checked.findings
        assert (item.code, item.severity, item.line) == ("hash-mismatch", "error", 110)

    def test_configuration(self, edited):
        assert codes(edited(("config.ini", "blockSize = 96g", "blockSize = 97g"))) == {
            "config-hash-mismatch"
        }
        assert codes(edited(drop=["config.ini"])) == {"config-not-kept"}
        assert codes(edited(drop=["config.ini", "config-orig.ini"])) == {"config-not-kept"}

    def test_configuration_of_another_run(self, edited, tmp_path):
        edited()
        folder = tmp_path / "edited"
        shutil.move(folder / "config.ini", folder / "config-orig.ini")
        (folder / "config.ini").write_text("[global]\ndatadir = /other\n")
        (item,) = check(folder).findings
        assert item.code == "config-elsewhere"
        assert "config-orig.ini" in item.text

    def test_scorex(self, edited):
        folder = FIXTURES / "extended"
        assert {"extended-mode", "unscored-phase"} <= codes(edited(folder=folder))
        changed = (("result.txt", "12001.338290", "12001.438290"),)
        found = codes(edited(*changed, folder=folder, drop=["result_summary.txt"]))
        assert {"scorex-hash-mismatch", "scorex-differs"} <= found

    def test_output_of_a_phase(self, edited):
        found = codes(edited(("ior-easy-write.txt", "write     422201", "write     422203")))
        assert found == {"output-differs"}
        found = codes(edited(("mdtest-easy-write.txt", "2210448.120", "2210448.130")))
        assert found == {"output-differs"}

    def test_output_without_a_rate(self, edited):
        checked = edited(("mdtest-easy-write.txt", "2210448.120", "      0.000"))
        assert codes(checked) == {"output-zero"}
        assert checked.verdicts.integrity == "match"

    def test_duplicate(self, tmp_path):
        seen = rules.Seen()
        assert "duplicate" not in codes(check(STANDARD, seen))
        assert "duplicate" not in codes(check(STANDARD, seen))
        copy = shutil.copytree(STANDARD, tmp_path / "copy")
        (item,) = check(copy, seen).findings
        assert item.text == "the same figures as standard/2031.02.03-04.05.06"


class TestRules:
    def test_own_sample(self):
        checked = check(SAMPLE)
        assert codes(checked) == {
            "config-hash-mismatch",
            "marked-invalid",
            "phase-invalid",
            "stonewall-differs",
            "unscored-phase",
            "not-a-release",
            "short-read",
        }
        assert checked.verdicts == rules.Verdicts("match", "agrees", "invalid")

    def test_short_write_that_nobody_marked(self, edited):
        for name in ("result_summary.txt", "result.txt"):
            text = "time 327.915" if name == "result_summary.txt" else "t_delta         = 327.9150"
            short = text.replace("327.915", "299.900")
            checked = edited(
                (name, text, short),
                drop=[{"result.txt", "result_summary.txt"}.difference({name}).pop()],
            )
            assert "write-too-short" in codes(checked)
            assert checked.valid

    def test_student_cluster_rules(self, edited):
        changes = (
            ("config.ini", "scc = FALSE", "scc = TRUE"),
            ("result_summary.txt", "time 327.915", "time 127.915"),
            ("result.txt", "t_delta         = 327.9150", "t_delta         = 127.9150"),
        )
        found = codes(edited(*changes))
        assert "student-mode" in found
        assert "write-too-short" not in found

    def test_stonewall(self, edited):
        assert "stonewall-differs" in codes(edited(("result.txt", "-w -D 300", "-w -D 30")))

    def test_missing_phase(self, edited):
        line = "[RESULT]    mdtest-hard-stat     5870.331906 kIOPS : time 49.602 seconds\n"
        checked = edited(
            ("result_summary.txt", line.replace("[RESULT]    ", "[RESULT]     "), ""),
            drop=["result.txt"],
        )
        assert {"phase-missing", "md-differs"} <= codes(checked)
        assert not checked.valid

    def test_phase_at_zero(self, edited):
        checked = edited(("result_summary.txt", "58.120934", " 0.000000"), drop=["result.txt"])
        assert {"phase-zero", "bw-differs"} <= codes(checked)
        assert not checked.valid

    def test_marked(self):
        checked = check(FIXTURES / "invalid")
        assert {"marked-invalid", "phase-invalid", "version-missing"} <= codes(checked)
        assert checked.verdicts.integrity == "match"

    def test_error_that_was_not_marked(self, edited):
        error = "; ERROR INVALID something\n; START"
        checked = edited(("result.txt", "; START", error))
        assert codes(checked) == {"error-not-marked"}

    @pytest.mark.parametrize(
        ("version", "found"),
        [
            ("io500-sc23_v1", False),
            ("io500-isc25", False),
            ("io500-sc25-3-gfcd41756b9fd", True),
            ("37a8bd082d6c", True),
        ],
    )
    def test_versions_between_releases(self, version, found):
        (run,) = io500.read(FIXTURES / "isc20")
        run = replace(run, version=version)
        assert ("not-a-release" in codes(rules.check(run))) == found

    def test_labels_and_units(self):
        assert "unit-label" in codes(check(FIXTURES / "isc20"))
        assert "unit-label" in codes(check(FIXTURES / "shell"))
        assert "unit-label" not in codes(check(FIXTURES / "shell-gib"))
        assert "unit-undecided" in codes(check(FIXTURES / "log-2017"))
        assert {"stonewall-unit", "find-external"} <= codes(check(FIXTURES / "sc20"))
        assert "unscored-phase" in codes(check(FIXTURES / "rnd4k"))

    def test_stonewall_far_from_the_final_rate(self, edited):
        for rate in ("9.70", "620.00"):
            checked = edited(("result.txt", "= 61.04", f"= {rate}"))
            assert codes(checked) == {"stonewall-gap"}
        # two decimals of a small rate leave it open
        assert codes(edited(("result.txt", "= 61.04", "= 0.00"))) == set()

    def test_reads_that_caches_may_have_served(self, edited):
        checked = edited(
            ("result_summary.txt", "time 94.512", "time 4.512"),
            ("result.txt", "t_delta         = 94.5120", "t_delta         = 4.5120"),
        )
        assert codes(checked) == {"short-read"}

    def test_old_formats(self):
        assert check(FIXTURES / "log-2017").verdicts == rules.Verdicts("absent", "agrees", "valid")
        assert check(FIXTURES / "shell").verdicts == rules.Verdicts("absent", "agrees", "valid")
        complete, partial = io500.read(FIXTURES / "shell-log")
        assert rules.check(complete).verdicts.rules == "valid"
        assert {"phase-missing", "marked-invalid", "stonewall-differs"} <= codes(
            rules.check(partial)
        )

    def test_list(self):
        verdicts = [rules.check(run).verdicts for run in io500.read(FIXTURES / "list.csv")]
        assert [v.arithmetic for v in verdicts] == ["agrees", "disagrees", "agrees"]
        assert [v.rules for v in verdicts] == ["valid", "valid", "invalid"]
