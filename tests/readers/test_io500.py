"""From folders, files and archives to runs: every format, and what strangers may send."""

import os
import shutil
import subprocess
import sys
import tarfile
import tracemalloc
import zipfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fuzz import fuzz_io500
from storagebook.errors import StoragebookError
from storagebook.io500 import rules
from storagebook.io500 import run as run_module
from storagebook.readers import archive, io500, io500_folder, io500_text

FIXTURES = Path(__file__).parents[1] / "fixtures" / "io500"
STANDARD = FIXTURES / "standard" / "2031.02.03-04.05.06"
SAMPLE = Path(__file__).parents[2] / "data" / "samples" / "io500-small-vm"


def one(path):
    (run,) = io500.read(path)
    return run


def codes(run):
    return [f.code for f in run.findings]


def copy_of(folder, target):
    shutil.copytree(folder, target)
    return target


class TestStandard:
    """The C program since 2021: result.txt, its summary, configuration and two outputs."""

    def test_identity(self):
        run = one(FIXTURES / "standard")
        assert run.name == "standard/2031.02.03-04.05.06"
        assert run.source == "result_summary.txt"
        assert (run.version, run.mode, run.format) == ("io500-sc30_v1", "standard", "c")
        assert (run.procs, run.nodes, run.tasks_per_node) == (640, 10, 64)
        assert (run.started, run.ended) == ("2031-02-03 04:05:10", "2031-02-03 04:49:10")
        assert (run.student, run.find_external) == (False, False)
        assert (run.found, run.total_files) == (3120447, 1036100204)
        assert run.findings == ()

    def test_phase(self):
        write = one(STANDARD).phase("ior-easy-write")
        assert (write.value.text, write.value.value, write.unit) == (
            "412.305871",
            412.305871,
            "GiB/s",
        )
        assert (write.seconds.text, write.valid, write.scored) == ("318.402", True, True)
        assert (write.stonewall.text, write.stonewall_unit) == ("430.11", "GiB/s")
        assert (write.started, write.ended) == ("2031-02-03 04:05:10", "2031-02-03 04:10:28")
        assert write.place.file.endswith("standard/2031.02.03-04.05.06/result_summary.txt")
        assert write.place.line == 2
        assert write.settings.object_class == "EC_4P1GX"
        assert write.settings.block_b == 96 << 30
        assert write.output_rate.text == "422201"

    def test_order_is_that_of_the_run(self):
        assert [p.name for p in one(STANDARD).phases][:3] == [
            "ior-easy-write",
            "mdtest-easy-write",
            "ior-hard-write",
        ]

    def test_printed_score(self):
        printed = one(STANDARD).printed
        assert (printed.bw.text, printed.md.text, printed.score.text) == (
            "225.045574",
            "3012.086914",
            "823.320611",
        )
        assert (printed.bw_unit, printed.invalid, printed.place.line) == ("GiB/s", False, 15)

    def test_files_are_listed_with_their_digest(self):
        roles = {f.path.rpartition("/")[2]: f.role for f in one(STANDARD).files}
        assert roles == {
            "result.txt": "result",
            "result_summary.txt": "summary",
            "config.ini": "configuration",
            "config-orig.ini": "configuration",
            "ior-easy-write.txt": "output",
            "mdtest-easy-write.txt": "output",
        }
        assert all(len(f.sha256) == 64 for f in one(STANDARD).files)

    @pytest.mark.parametrize("name", ["result.txt", "result_summary.txt"])
    def test_single_file(self, name):
        run = one(STANDARD / name)
        assert run.name == "standard/2031.02.03-04.05.06"
        assert run.source == name
        assert len(run.phases) == 12
        assert (run.hashed is None) == (name == "result_summary.txt")


class TestOtherFormats:
    def test_without_mode(self):
        run = one(FIXTURES / "sc20")
        assert (run.format, run.version, run.mode) == ("c-2020", "io500-sc20", None)
        assert run.find_external is True
        write = run.phase("ior-easy-write")
        assert (write.stonewall.text, write.stonewall_unit) == ("25120205.85", None)
        assert run.phase("mdtest-easy-write").stonewall_unit == "kIOP/s"

    def test_summary_and_configuration_only(self):
        run = one(FIXTURES / "isc20")
        assert run.printed.bw_unit == "GB/s"
        easy, hard = run.phase("ior-easy-read").settings, run.phase("ior-hard-read").settings
        assert easy.origin == "configuration"
        assert (easy.api, easy.object_class, easy.chunk_size_b) == ("DFS", "SX", 1 << 20)
        assert (easy.transfer_b, easy.block_b, easy.file_per_process) == (
            256 << 10,
            20000 << 20,
            False,
        )
        assert (hard.api, hard.segments_count) == ("POSIX", 400000)

    def test_unscored_phase(self):
        run = one(FIXTURES / "rnd4k")
        assert run.phase("ior-rnd4K-easy-read").scored is False
        assert len(run.scored) == 12

    def test_extended(self):
        run = one(FIXTURES / "extended")
        assert run.mode == "extended"
        assert run.printed_x.score.text == "437.733871"
        assert run.phase("mdworkbench-create").scored is False
        assert run.phase("mdworkbench-bench").scored is True

    def test_marked_invalid(self):
        run = one(FIXTURES / "invalid")
        assert run.version == ""
        assert run.printed.invalid
        assert [p.name for p in run.phases if not p.valid] == ["mdtest-hard-write"]

    def test_shell_gb_is_gib(self):
        run = one(FIXTURES / "shell")
        write = run.phase("ior-easy-write")
        assert (write.value.text, write.unit, write.printed_unit) == ("412.306", "GiB/s", "GB/s")
        assert (run.format, run.hashed, run.procs) == ("shell", None, None)
        assert one(FIXTURES / "shell-gib").phase("find").unit == "kIOP/s"

    def test_log_of_the_shell_script(self):
        complete, partial = io500.read(FIXTURES / "shell-log")
        assert complete.name == "shell-log/results"
        assert complete.source == "result_summary.txt"
        assert (complete.nodes, complete.tasks_per_node, complete.procs) == (10, 8, 80)
        assert (complete.system, complete.institution, complete.file_system) == (
            "testbed",
            "Example <Institute>",
            "BeeGFS",
        )
        assert complete.started == "2029-11-07 21:33:51"
        assert (complete.found, complete.total_files) == (52311, 148260000)
        write = complete.phase("ior-hard-write").settings
        assert (write.api, write.transfer_b, write.stonewall_s) == ("POSIX", 47008, 300)
        assert partial.name == "shell-log/results/io-500-summary.2029.11.06-20.09.41.txt"
        assert [p.name for p in partial.phases] == ["mdtest-hard-write", "mdtest-hard-stat"]
        assert partial.phases[0].value.text == "363.619"
        assert partial.printed.invalid
        assert codes(partial) == ["other-run-in-log"]
        assert partial.file_system is None

    def test_log_of_2017(self):
        run = one(FIXTURES / "log-2017")
        assert (run.nodes, run.tasks_per_node, run.procs) == (2048, 8, 16384)
        assert run.started == "2017-11-07"
        write = run.phase("ior-easy-write")
        assert (write.value.text, write.unit) == ("794393.10", "MB/s")
        assert run.phase("mdtest-easy-write").unit == "IOP/s"
        assert "mdtest-hard-read" not in run.scored

    def test_list(self):
        runs = io500.read(FIXTURES / "list.csv")
        assert [r.place.line for r in runs] == [2, 3, 5]
        alpha, beta, gamma = runs
        assert (alpha.system, alpha.institution) == ("Alpha", "Example, Institute of")
        assert (alpha.file_system, alpha.nodes, alpha.procs) == ("DAOS", 10, 640)
        assert beta.institution == "<script>alert(1)</script>"
        assert beta.procs is None
        assert "find" not in gamma.scored
        assert gamma.phase("find-easy").value.text == "30.5"

    def test_list_of_another_dialect(self):
        run = one(FIXTURES / "list-old.csv")
        assert (run.system, run.institution, run.nodes) == ("Delta", "Â§ Institut", 128)
        assert run.printed.score.text == "120.000000"
        assert len(run.scored) == 12

    def test_all_formats_in_one_tree(self):
        runs = io500.read(FIXTURES)
        assert len(runs) == 16
        assert len({run.name for run in runs}) == 16


class TestWhichFolderIsTheRun:
    def test_copy_above_is_no_run(self, tmp_path):
        copy_of(FIXTURES / "standard", tmp_path / "s")
        inner = tmp_path / "s" / STANDARD.name
        shutil.copy(inner / "result_summary.txt", tmp_path / "s")
        assert one(tmp_path / "s").findings == ()

    def test_other_summary_above_is_said(self, tmp_path):
        copy_of(FIXTURES / "standard", tmp_path / "s")
        shutil.copy(FIXTURES / "shell" / "result_summary.txt", tmp_path / "s")
        run = one(tmp_path / "s")
        assert run.printed.score.text == "823.320611"
        (finding,) = run.findings
        assert finding.code == "other-summary"
        assert "823.322" in finding.text
        assert finding.file.endswith("s/result_summary.txt")

    def test_summary_above_two_runs_is_a_run_unless_it_is_theirs(self, tmp_path):
        for name in ("a", "b"):
            copy_of(FIXTURES / "rnd4k", tmp_path / name)
        shutil.copy(FIXTURES / "shell" / "result_summary.txt", tmp_path)
        assert len(io500.read(tmp_path)) == 3
        shutil.copy(tmp_path / "a" / "result_summary.txt", tmp_path)
        assert len(io500.read(tmp_path)) == 2

    def test_differing_summary_beside_result_txt(self, tmp_path):
        folder = copy_of(STANDARD, tmp_path / "run")
        path = folder / "result_summary.txt"
        path.write_text(path.read_text().replace("58.120934", "68.120934"))
        run = one(folder)
        assert run.source == "result.txt"
        assert run.phase("ior-hard-write").value.text == "58.120934"
        (finding,) = run.findings
        assert finding.code == "summary-differs"
        assert "68.120934 beside 58.120934" in finding.text

    def test_summary_with_other_run_times(self, tmp_path):
        folder = copy_of(STANDARD, tmp_path / "run")
        path = folder / "result_summary.txt"
        path.write_text(path.read_text().replace("time 318.402", "time 318.403"))
        (finding,) = one(folder).findings
        assert (finding.code, finding.line) == ("seconds-differ", 2)

    def test_several_scores_in_one_summary(self, tmp_path):
        both = (FIXTURES / "shell" / "result_summary.txt").read_text() + (
            FIXTURES / "shell-gib" / "results" / "result_summary.txt"
        ).read_text()
        (tmp_path / "run").mkdir()
        (tmp_path / "run" / "result_summary.txt").write_text(both)
        first, second = io500.read(tmp_path / "run")
        assert second.name == f"{first.name}/result_summary.txt#2"
        assert codes(first) == codes(second) == ["several-scores"]
        assert second.phase("ior-easy-write").place.line == 14

    def test_output_of_the_program_beside_its_files(self, tmp_path):
        folder = copy_of(STANDARD, tmp_path / "run")
        noise = "ERROR (src/x.c:1) something\n" + (folder / "result_summary.txt").read_text()
        (folder / "stdout.txt").write_text(noise)
        assert one(folder).findings == ()

    def test_macos_leftovers_are_ignored(self, tmp_path):
        folder = copy_of(STANDARD, tmp_path / "run")
        (folder / "._result_summary.txt").write_bytes(b"\x00\x05\x16\x07Mac OS X [RESULT]")
        (folder / "._result.txt").write_text("[RESULT] find 1.0 kIOPS : time 1.0 seconds")
        assert one(folder).findings == ()

    def test_student_cluster_mode(self, tmp_path):
        folder = copy_of(STANDARD, tmp_path / "run")
        path = folder / "config.ini"
        path.write_text(path.read_text().replace("scc = FALSE", "scc = TRUE"))
        assert one(folder).student is True
        path.unlink()
        result = folder / "result.txt"
        start = "; START 2031-02-03 04:05:10"
        error = f"{start}\n; ERROR INVALID stonewall-time < 30s"
        result.write_text(result.read_text().replace(start, error))
        run = one(folder)
        assert run.student is True
        assert codes(run) == ["error-not-marked"]

    def test_scale_that_differs(self, tmp_path):
        folder = copy_of(STANDARD, tmp_path / "run")
        path = folder / "mdtest-easy-write.txt"
        path.write_text(path.read_text().replace("on 10 node(s)", "on 8 node(s)"))
        run = one(folder)
        assert run.nodes == 10
        assert codes(run) == ["scale-differs"]


class TestNames:
    @pytest.mark.parametrize(
        ("inner", "asked", "name"),
        [
            ("site/submission-1/2031.01.02-03.04.05", "site", "submission-1/2031.01.02-03.04.05"),
            ("site/submission-1/2031.01.02-03.04.05", "site/submission-1", None),
            ("site/submission-1/results", "site/submission-1/results", "submission-1/results"),
            ("site/submission-1", "site", "submission-1"),
            ("site/submission-1", "site/submission-1", "submission-1"),
        ],
    )
    def test_long_enough_to_tell_runs_apart(self, tmp_path, inner, asked, name):
        folder = tmp_path / inner
        folder.mkdir(parents=True)
        shutil.copy(FIXTURES / "shell" / "result_summary.txt", folder)
        expected = name or "submission-1/2031.01.02-03.04.05"
        assert one(tmp_path / asked).name == expected

    def test_same_name_from_anywhere(self, monkeypatch):
        monkeypatch.chdir(STANDARD)
        assert one(Path()).name == "standard/2031.02.03-04.05.06"
        assert one("result.txt").name == "standard/2031.02.03-04.05.06"

    @pytest.mark.parametrize("name", ["a\nb", "<script>", "with # and : ", "\udcff"])
    def test_odd_names_stay_text(self, tmp_path, name):
        folder = copy_of(STANDARD, tmp_path / name)
        shutil.copy(FIXTURES / "shell" / "result_summary.txt", folder.parent / "x.txt")
        found = [run.name for run in io500.read(tmp_path)]
        assert name in found
        checked = rules.check(one(folder))
        assert all(f.text.isprintable() for f in checked.findings)


class TestArchives:
    @pytest.mark.parametrize("suffix", [".tgz", ".tar", ".zip"])
    def test_same_runs_as_the_tree(self, tmp_path, suffix):
        path = tmp_path / f"all{suffix}"
        if suffix == ".zip":
            with zipfile.ZipFile(path, "w") as out:
                for file in sorted(FIXTURES.rglob("*")):
                    out.write(file, file.relative_to(FIXTURES))
        else:
            with tarfile.open(path, "w:gz" if suffix == ".tgz" else "w") as out:
                out.add(FIXTURES, ".")
        unpacked, packed = io500.read(FIXTURES), io500.read(path)
        assert [r.fingerprint for r in packed] == [r.fingerprint for r in unpacked]
        words = [[r.hashed.printed for r in runs if r.hashed] for runs in (packed, unpacked)]
        assert words[0] == words[1]
        assert packed[-1].name == unpacked[-1].name
        assert packed[0].config_hash == unpacked[0].config_hash

    def test_truncated_archive_gives_what_it_holds(self, tmp_path):
        path = tmp_path / "all.tgz"
        with tarfile.open(path, "w:gz") as out:
            out.add(FIXTURES, ".")
        path.write_bytes(path.read_bytes()[:-200])
        left_out = []
        runs = list(io500.iter_runs(path, report=left_out.append))
        assert runs
        assert [s.severity for s in left_out] == ["error"]


class TestTrouble:
    @pytest.mark.parametrize(
        ("data", "message"),
        [
            (b"", "an empty file"),
            (b"\x7fELF\x00\x01\x02", "no IO500 result"),
            (b"hello\n", "no IO500 result"),
            (b"IO500 version io500-sc23 (standard)\n", "no phase and no score"),
            (b"io500_score,io500_bw\n", "list that cannot be read"),
        ],
    )
    def test_one_clear_error(self, tmp_path, data, message):
        path = tmp_path / "result_summary.txt"
        path.write_bytes(data)
        for asked in (path, tmp_path):
            with pytest.raises(StoragebookError, match=message) as caught:
                io500.read(asked)
            assert "result_summary.txt" in str(caught.value)
            assert "\n" not in str(caught.value)

    def test_nothing_there(self, tmp_path):
        for path in (tmp_path, tmp_path / "none"):
            with pytest.raises(StoragebookError):
                io500.read(path)

    def test_broken_file_beside_a_good_run_is_reported(self, tmp_path):
        copy_of(STANDARD, tmp_path / "good")
        (tmp_path / "bad").mkdir()
        (tmp_path / "bad" / "result.txt").touch()
        left_out = []
        (run,) = io500.iter_runs(tmp_path, report=left_out.append)
        assert run.name == "good"
        assert [(s.path, s.why) for s in left_out] == [("bad/result.txt", "an empty file")]

    @pytest.mark.parametrize(
        ("change", "code"),
        [
            (lambda t: t.replace(b"kiops :", b"kiops\xe9 :"), "not-utf8"),
            (lambda t: t.replace(b"412.306", b"412\x00.306"), "nul-bytes"),
            (lambda t: t + b"x" * (archive.MAX_LINE_B + 1), "long-line"),
            (lambda t: t.decode().encode("utf-16"), "utf16"),
        ],
    )
    def test_odd_bytes_are_said_once(self, tmp_path, change, code):
        path = tmp_path / "result_summary.txt"
        path.write_bytes(change((FIXTURES / "shell" / "result_summary.txt").read_bytes()))
        assert codes(one(path)).count(code) == 1

    @pytest.mark.parametrize("end", [b"\r\n", b"\r"])
    def test_line_ends_do_not_matter(self, tmp_path, end):
        for file in STANDARD.iterdir():
            (tmp_path / file.name).write_bytes(file.read_bytes().replace(b"\n", end))
        run, expected = one(tmp_path), one(STANDARD)
        assert run.fingerprint == expected.fingerprint
        assert run.hashed.printed == expected.hashed.printed
        assert rules.check(run).verdicts == rules.check(expected).verdicts

    def test_nan_is_not_measured(self, tmp_path):
        path = tmp_path / "result_summary.txt"
        good = (FIXTURES / "shell" / "result_summary.txt").read_text()
        path.write_text(good.replace("412.306", "   -nan"))
        run = one(path)
        assert "ior-easy-write" not in run.scored
        (finding,) = run.findings
        assert (finding.code, finding.line) == ("unreadable-value", 1)

    def test_one_gigabyte_in_one_line(self, tmp_path):
        path = tmp_path / "result_summary.txt"
        with path.open("wb") as out:
            out.write(b"[RESULT] ")
            out.truncate(2**30)
        tracemalloc.start()
        with pytest.raises(StoragebookError, match="larger than"):
            io500.read(tmp_path)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 4 * archive.MAX_FILE_B

    def test_many_large_files_in_one_folder(self, tmp_path, monkeypatch):
        results = ("result.txt", "result_summary.txt")
        for name in results:
            shutil.copy(STANDARD / name, tmp_path)
        for number in range(3):
            (tmp_path / f"z{number}.ini").write_text("a = 1\n" * 1000)
            shutil.copy(STANDARD / "result_summary.txt", tmp_path / f"z{number}.txt")
        monkeypatch.setattr(
            io500_folder, "MAX_TEXTS_B", sum((tmp_path / name).stat().st_size for name in results)
        )
        monkeypatch.setattr(io500_folder, "MAX_CONFIGS_B", 7000)
        left_out = []
        (run,) = io500.read(tmp_path, report=left_out.append)
        assert [s.path for s in left_out] == ["z0.txt", "z1.ini", "z1.txt", "z2.ini", "z2.txt"]
        assert all("one folder holds more than" in s.why for s in left_out)
        assert all("folder of its own" in s.why for s in left_out)
        assert {s.severity for s in left_out} == {"error"}
        assert len(run.phases) == 12

    def test_many_scores_in_one_file_take_time_by_their_number(self, tmp_path):
        one = "[RESULT] find {}.0 kIOPS : time 1.0 seconds\n"
        one += "[SCORE] Bandwidth 1.0 GiB/s : IOPS 1.0 kiops : TOTAL 1.0\n"
        (tmp_path / "result_summary.txt").write_text("".join(map(one.format, range(2000))))
        runs = io500.read(tmp_path)
        assert len(runs) == 2000
        assert runs[-1].name.endswith("/result_summary.txt#2000")

    def test_more_scores_than_any_file_has(self, tmp_path):
        path = tmp_path / "result_summary.txt"
        line = "[SCORE ] Bandwidth 1.0 GiB/s : IOPS 1.0 kiops : TOTAL 1.0\n"
        path.write_text(line * (io500_text.MAX_RUNS + 2))
        with pytest.raises(StoragebookError) as error:
            io500.read(tmp_path)
        assert str(error.value) == (
            f"{path}:2001: more than 2,000 runs in one file, so it is none of IO500's"
            " — take out what is no result, or split it"
        )
        with pytest.raises(
            StoragebookError, match=r"result_summary.txt:2001: more than 2,000 runs"
        ):
            io500.read(path)

    def test_configuration_that_is_none_costs_itself_only(self, tmp_path):
        folder = copy_of(STANDARD, tmp_path / "run")
        (folder / "more.ini").write_text("[a]\n" + "b = 1\n" * (io500_text.MAX_OPTIONS + 1))
        left_out = []
        (run,) = io500.read(folder, report=left_out.append)
        assert [(s.path, s.severity) for s in left_out] == [("more.ini:10002", "error")]
        assert "more than 10,000 options" in left_out[0].why
        assert [c.sha256 for c in run.configs] == [c.sha256 for c in one(STANDARD).configs]

    def test_more_files_of_a_kind_than_any_folder_has(self, tmp_path, monkeypatch):
        monkeypatch.setattr(io500_folder, "MAX_RUNS", 2)
        monkeypatch.setattr(io500_folder, "MAX_CONFIGS", 1)
        for number in range(3):
            result = f"[RESULT] find {number}.0 kIOPS : time 1.0 seconds\n"
            (tmp_path / f"{number}.txt").write_text(result)
            (tmp_path / f"{number}.ini").write_text("a = 1\n")
        left_out = []
        assert len(io500.read(tmp_path, report=left_out.append)) == 2
        assert [s.path for s in left_out] == ["1.ini", "2.ini", "2.txt"]
        assert all("read it from a folder of its own" in s.why for s in left_out)

    def test_runs_of_one_folder_share_what_it_holds(self, tmp_path, monkeypatch):
        """What is the same for all runs is worked out once, not once a run."""
        words = []
        monkeypatch.setattr(run_module, "config_word", lambda options: words.append(1) or 7)
        for number in range(30):
            text = f"[run]\nconfig-hash = 1\n[find]\nscore = {number}\n"
            (tmp_path / f"result-{number}.txt").write_text(text)
        for number in range(4):
            (tmp_path / f"{number}.ini").write_text(f"a = {number}\n")
        runs = io500.read(tmp_path)
        for run in runs:
            rules.check(run)
        assert len(runs) == 30
        assert len(words) == 4
        assert len({id(run.files) for run in runs}) == len({id(run.configs) for run in runs}) == 1

    def test_every_repetition_is_told_or_counted(self, tmp_path):
        line = "[RESULT] find {}.0 kIOPS : time 1.0 seconds\n"
        (tmp_path / "result_summary.txt").write_text("".join(map(line.format, range(100))))
        (run,) = io500.read(tmp_path)
        assert codes(run) == ["repeated-phase"] * 21
        # the first is no repetition
        assert run.findings[-1].text == "79 more of it"

    def test_every_error_of_the_program_is_told_or_counted(self, tmp_path):
        folder = copy_of(STANDARD, tmp_path / "run")
        with (folder / "result.txt").open("a") as out:
            out.write("; ERROR INVALID something\n" * 50)
        run = one(folder)
        assert codes(run) == ["error-not-marked"] * 21
        assert run.findings[-1].text == "30 more of it"

    def test_links_loops_and_pipes(self, tmp_path):
        copy_of(STANDARD, tmp_path / "site")
        (tmp_path / "latest").symlink_to("site", target_is_directory=True)
        (tmp_path / "site" / "up").symlink_to(tmp_path, target_is_directory=True)
        os.mkfifo(tmp_path / "site" / "pipe.txt")
        left_out = []
        (run,) = io500.iter_runs(tmp_path, report=left_out.append)
        assert run.name == "site"
        assert {s.severity for s in left_out} == {"note"}
        assert len(left_out) == 3

    def test_memory_grows_with_names_only(self, tmp_path):
        def peak(count):
            tree = tmp_path / str(count)
            for number in range(count):
                (tree / f"run-{number}").mkdir(parents=True)
                for name in ("result.txt", "result_summary.txt"):
                    (tree / f"run-{number}" / name).hardlink_to(tmp_path / name)
            tracemalloc.start()
            assert sum(1 for _ in io500.iter_runs(tree, report=print)) == count
            top = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
            return top

        for name in ("result.txt", "result_summary.txt"):
            shutil.copy(STANDARD / name, tmp_path / name)
        # a run's own files are some 20 kB, and some 100 kB once read
        few, many = peak(10), peak(70)
        assert many < few + 60 * 2048


def quiet(path):
    """Every run at a path and its verdicts, or the one error."""
    try:
        runs = io500.read(path)
    except StoragebookError:
        return []
    return [rules.check(run) for run in runs]


CORPUS = sorted(p for p in fuzz_io500.CORPUS.iterdir() if p.is_file())
FUZZED = sorted(p for p in FIXTURES.rglob("*") if p.is_file() and p.suffix != ".ini")


@pytest.mark.parametrize("source", FUZZED, ids=lambda p: str(p.relative_to(FIXTURES)))
def test_cut_at_any_byte(tmp_path, source):
    data = source.read_bytes()
    path = tmp_path / source.name
    # every byte of the tail, where the score stands, and steps through the rest
    for size in (*range(0, len(data), 211), *range(max(len(data) - 120, 0), len(data))):
        path.write_bytes(data[:size])
        for checked in quiet(path):
            if checked.run.printed is None:
                assert not checked.valid


@pytest.mark.parametrize("source", CORPUS, ids=lambda p: p.name)
def test_what_searches_found(tmp_path, source):
    path = tmp_path / "result_summary.txt"
    shutil.copy(source, path)
    quiet(path)


def test_a_short_search():
    assert fuzz_io500.search(seconds=1.0, seed=7) > 10


def test_a_guided_search_leaves_nothing_behind(tmp_path):
    # like atheris, it ends the process
    (tmp_path / "atheris.py").write_text(
        "import contextlib, os\n"
        "def instrument_imports(include): return contextlib.nullcontext()\n"
        "def Setup(arguments, target): target(b'')\n"
        "def Fuzz(): os._exit(7)\n"
    )
    (tmp_path / "tmp").mkdir()
    found = subprocess.run(
        [sys.executable, fuzz_io500.__file__, "--seconds", "1"],
        env={**os.environ, "PYTHONPATH": str(tmp_path), "TMPDIR": str(tmp_path / "tmp")},
        check=False,
    )
    assert found.returncode == 7
    assert list((tmp_path / "tmp").iterdir()) == []


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_bytes_changed(tmp_path, data):
    source = data.draw(st.sampled_from(FUZZED))
    content = bytearray(source.read_bytes())
    for _ in range(data.draw(st.integers(1, 8))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    path = tmp_path / source.name
    path.write_bytes(bytes(content))
    quiet(path)


@given(st.binary(max_size=500))
def test_any_bytes_behind_a_header(tmp_path_factory, data):
    path = tmp_path_factory.mktemp("any") / "result_summary.txt"
    for head in (
        b"[RESULT] ",
        b"IO500 version x\n",
        b"config-hash = 1\n[SCORE]\n",
        b"io500_score,",
    ):
        path.write_bytes(head + data)
        quiet(path)
