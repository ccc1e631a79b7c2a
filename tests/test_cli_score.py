"""`storagebook score` and `ingest`, as people and scripts call them."""

import csv
import io
import itertools
import json
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from storagebook import cli
from storagebook.readers.measurements import Measurement

FIXTURES = Path(__file__).parent / "fixtures" / "io500"
STANDARD = FIXTURES / "standard" / "2031.02.03-04.05.06"
SAMPLE = Path(__file__).parents[1] / "data" / "samples" / "io500-small-vm"


@pytest.fixture
def storagebook(monkeypatch, capfd):
    """Run the command line in this process: (exit code, stdout, stderr)."""

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["storagebook", *map(str, arguments)])
        with pytest.raises(SystemExit) as stop:
            cli.main()
        out, err = capfd.readouterr()
        return stop.value.code, out, err

    return run


def shell(arguments, *, before="exec ", closed="", **options):
    """Run the command line in a shell of its own, with streams closed as said."""
    script = f'{before}"$0" -c "from storagebook.cli import main; main()" "$@" {closed}'
    options = {"stdout": subprocess.PIPE, **options}
    command = ["sh", "-c", script, sys.executable, *map(str, arguments)]
    return subprocess.run(command, stderr=subprocess.PIPE, text=True, check=False, **options)


class TestScoreJson:
    """The contract of the design, key by key."""

    def test_standard_run(self, storagebook):
        code, out, err = storagebook("score", "--format", "json", FIXTURES / "standard")
        assert (code, err) == (0, "")
        (found,) = json.loads(out)
        assert list(found) == [
            "benchmark",
            "run",
            "source",
            "version",
            "mode",
            "procs",
            "phases",
            "printed",
            "recomputed",
            "agrees",
            "hash",
            "valid",
            "findings",
        ]
        assert found["benchmark"] == "io500"
        assert found["run"] == "standard/2031.02.03-04.05.06"
        assert found["source"] == "result_summary.txt"
        assert (found["version"], found["mode"], found["procs"]) == (
            "io500-sc30_v1",
            "standard",
            640,
        )
        assert len(found["phases"]) == 12
        assert found["phases"]["ior-easy-write"] == {
            "value": 412.305871,
            "unit": "GiB/s",
            "seconds": 318.402,
            "valid": True,
        }
        assert found["phases"]["find"]["unit"] == "kIOP/s"
        assert found["printed"] == {
            "bw_gib_s": 225.045574,
            "md_kiops": 3012.086914,
            "score": 823.320611,
        }
        assert found["recomputed"] == pytest.approx(found["printed"], abs=1e-6)
        assert found["agrees"] is True
        assert found["hash"] == {
            "status": "match",
            "printed": "D5683CDA",
            "recomputed": "D5683CDA",
        }
        assert found["valid"] is True
        assert found["findings"] == []

    def test_invalid_run(self, storagebook):
        code, out, _ = storagebook("score", "--format", "json", SAMPLE)
        assert code == 1
        (found,) = json.loads(out)
        assert found["valid"] is False
        assert found["phases"]["ior-hard-write"]["valid"] is False
        assert found["hash"]["status"] == "match"
        assert all(
            list(f) == ["code", "severity", "text", "file", "line"] for f in found["findings"]
        )
        assert {f["severity"] for f in found["findings"]} == {"error", "warning", "note"}
        assert {f["line"] for f in found["findings"] if f["code"] == "marked-invalid"} == {16}

    def test_what_is_not_known_is_null(self, storagebook):
        _, out, _ = storagebook("score", "--format", "json", FIXTURES / "log-2017")
        (found,) = json.loads(out)
        assert (found["version"], found["mode"]) == (None, None)
        assert found["phases"]["ior-easy-write"]["unit"] == "MB/s"
        assert found["printed"]["bw_gib_s"] is None
        assert found["recomputed"]["score"] is None
        assert found["hash"] == {"status": "absent", "printed": None, "recomputed": None}

    def test_many_runs_in_a_fixed_order(self, storagebook):
        code, out, _ = storagebook("score", "--format", "json", FIXTURES)
        assert code == 1
        names = [found["run"] for found in json.loads(out)]
        assert len(names) == 16
        assert storagebook("score", "--format", "json", FIXTURES)[1] == out

    def test_no_runs_no_output(self, storagebook, tmp_path):
        code, out, err = storagebook("score", "--format", "json", tmp_path)
        assert (code, out) == (2, "")
        assert err.count("\n") == 1

    @pytest.mark.parametrize("name", ["a\nb", "<script>alert(1)</script>", "\udcff"])
    def test_hostile_names(self, storagebook, tmp_path, name):
        shutil.copytree(STANDARD, tmp_path / name)
        for form in ("json", "csv", "table"):
            code, out, _ = storagebook("score", "--format", form, tmp_path)
            assert code == 0
            out.encode()
        (found,) = json.loads(storagebook("score", "--format", "json", tmp_path)[1])
        assert found["run"] == name.replace("\udcff", "\ufffd")
        assert len(out.splitlines()[0]) < 200
        assert "\x1b" not in out


class TestScoreOtherwise:
    def test_csv(self, storagebook):
        code, out, _ = storagebook(
            "score", "--format", "csv", FIXTURES / "standard", FIXTURES / "shell"
        )
        assert code == 0
        first, second = csv.DictReader(io.StringIO(out))
        assert first["run"] == "standard/2031.02.03-04.05.06"
        assert first["ior_hard_write_gib_s"] == "58.120934"
        assert (first["score"], first["hash"], first["config_hash"]) == (
            "823.320611",
            "match",
            "match",
        )
        assert (second["find_kiops"], second["hash"]) == ("15220.900", "absent")
        assert second["findings"] == "hash-absent unit-label"

    def test_table_of_one(self, storagebook):
        code, out, _ = storagebook("score", SAMPLE)
        assert code == 1
        assert out.startswith("io500-small-vm\n")
        assert "ior-easy-write" in out
        assert "INVALID" in out
        assert "integrity   match (hash match, configuration mismatch)" in out
        assert "[stonewall-differs]" in out

    def test_table_of_many(self, storagebook):
        _, out, _ = storagebook("score", FIXTURES)
        lines = out.splitlines()
        assert " ".join(lines[0].split()) == (
            "run BW GiB/s MD kIOP/s score integrity arithmetic rules findings"
        )
        assert len(lines[1:]) > 16
        assert any("product.txt:13" in line and "[product-not-root]" in line for line in lines)

    def test_archive(self, storagebook, tmp_path):
        path = tmp_path / "run.tgz"
        with tarfile.open(path, "w:gz") as out:
            out.add(STANDARD, STANDARD.name)
        code, text, _ = storagebook("score", "--format", "json", path)
        assert code == 0
        assert json.loads(text)[0]["run"] == f"run.tgz/{STANDARD.name}"

    def test_the_same_run_in_two_places_is_said(self, storagebook, tmp_path):
        shutil.copytree(STANDARD, tmp_path / "copy")
        _, out, _ = storagebook("score", "--format", "csv", STANDARD, tmp_path)
        assert out.splitlines()[2].endswith("duplicate")


class TestHostileText:
    """What a name or a file says reaches neither the terminal nor a spreadsheet as a command."""

    NAMES = ("\x1b[31mred", "\x9b31m", "\u202egpj", "=cmd|' ''!A0", "-", "@SUM(1)", "\t=1")

    @pytest.fixture(params=NAMES)
    def run(self, request, tmp_path):
        (tmp_path / "in").mkdir()
        shutil.copytree(STANDARD, tmp_path / "in" / request.param)
        result = tmp_path / "in" / request.param / "result.txt"
        result.write_text(result.read_text().replace("version = ", f"version = {request.param} "))
        return tmp_path / "in", request.param

    def test_score(self, storagebook, run):
        for form in ("table", "json", "csv"):
            _, out, err = storagebook("score", "--format", form, run[0])
            assert (out + err).replace("\n", "").isprintable()
        (row,) = csv.reader(io.StringIO(out.partition("\n")[2]))
        assert not any(cell.startswith(("=", "@", "-", "\t")) for cell in row)
        (found,) = json.loads(storagebook("score", "--format", "json", run[0])[1])
        assert found["run"] == run[1]

    def test_ingest(self, storagebook, run, tmp_path):
        storagebook("ingest", run[0], "-o", tmp_path / "out.csv")
        text = (tmp_path / "out.csv").read_text()
        assert text.replace("\n", "").isprintable()
        for row in csv.reader(io.StringIO(text)):
            assert not any(cell.startswith(("=", "@", "-", "\t")) for cell in row)

    @pytest.mark.parametrize("form", ["table", "json", "csv"])
    def test_diff(self, storagebook, tmp_path, form):
        for name in self.NAMES:
            text = (STANDARD / "result.txt").read_text()
            text = text.replace("version = ", f"version = {name} ").replace("DFS", f"{name}DFS")
            (tmp_path / "result.txt").write_text(text)
            _, out, err = storagebook("diff", "--format", form, tmp_path, SAMPLE)
            assert (out + err).replace("\n", "").isprintable()
            if form == "csv":
                cells = itertools.chain.from_iterable(csv.reader(io.StringIO(out)))
                assert not any(cell.startswith(("=", "@", "\t")) for cell in cells)


class TestTrouble:
    @pytest.mark.parametrize("command", [["score"], ["ingest", "-o", "out.csv"]])
    def test_one_line_and_exit_2(self, storagebook, tmp_path, monkeypatch, command):
        monkeypatch.chdir(tmp_path)
        (tmp_path / "empty").mkdir()
        (tmp_path / "result.txt").touch()
        (tmp_path / "noise.bin").write_bytes(bytes(range(256)))
        for path in ("none", "empty", "result.txt", "noise.bin", "a\nb"):
            code, out, err = storagebook(*command, path)
            assert (code, out) == (2, ""), path
            assert err.startswith("storagebook: ")
            assert err.count("\n") == 1, err
            assert not (tmp_path / "out.csv").exists()

    @pytest.mark.parametrize("command", [["score"], ["ingest", "-o", "out.csv"]])
    @pytest.mark.parametrize(
        ("name", "data"),
        [
            ("result.txt", b""),
            ("folder/result.txt", b""),
            ("x.tgz", b"\x1f\x8b broken"),
            ("x.zip", b"PK\x03\x04 broken"),
            ("folder/x.zip", b"PK\x03\x04 broken"),
            ("result_summary.txt", b"IO500 version io500-sc23 (standard)\n"),
        ],
    )
    def test_the_only_file_is_bad(self, storagebook, tmp_path, monkeypatch, command, name, data):
        monkeypatch.chdir(tmp_path)
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_bytes(data)
        code, out, err = storagebook(*command, name.partition("/")[0])
        assert (code, out) == (2, "")
        assert err.startswith(f"storagebook: {name}: ")
        assert err.count("\n") == 1, err

    def test_the_only_member_of_an_archive_is_bad(self, storagebook, tmp_path):
        path = tmp_path / "x.zip"
        with zipfile.ZipFile(path, "w") as out:
            out.writestr("a/result.txt", b"")
        code, _, err = storagebook("score", path)
        assert code == 2
        assert err == f"storagebook: {path}/a/result.txt: an empty file\n"

    def test_usage(self, storagebook):
        for arguments in (["score"], ["score", "--format", "xml", "x"], ["nothing"], ["--what"]):
            code, out, err = storagebook(*arguments)
            assert (code, out) == (2, "")
            assert err.count("\n") == 1

    def test_broken_file_beside_good_ones(self, storagebook, tmp_path):
        shutil.copytree(STANDARD, tmp_path / "good")
        (tmp_path / "result_summary.txt").write_bytes(b"")
        code, out, err = storagebook("score", "--format", "json", tmp_path)
        assert code == 1
        assert len(json.loads(out)) == 1
        assert err == "storagebook: left out result_summary.txt: an empty file\n"

    def test_links_are_said_and_harmless(self, storagebook, tmp_path):
        shutil.copytree(STANDARD, tmp_path / "good")
        (tmp_path / "latest").symlink_to("good")
        code, _, err = storagebook("score", tmp_path)
        assert code == 0
        assert err == "storagebook: left out latest: a link, not followed\n"

    def test_nothing_is_printed_if_a_later_path_fails(self, storagebook, tmp_path):
        code, out, err = storagebook("score", FIXTURES, tmp_path / "none")
        assert (code, out) == (2, "")
        assert "none" in err

    def test_unexpected_error_is_one_line(self, storagebook, monkeypatch):
        def explode(*_args, **_kwargs):
            raise RuntimeError("oh\nno")

        monkeypatch.setattr("storagebook.readers.results", explode)
        code, _, err = storagebook("score", FIXTURES)
        assert code == 2
        assert err.startswith("storagebook: unexpected RuntimeError: oh\\nno")
        assert err.count("\n") == 1

    @pytest.mark.parametrize("command", [["score"], ["compare"], ["diff", SAMPLE]])
    def test_an_unset_variable_is_not_the_current_folder(
        self, storagebook, tmp_path, monkeypatch, command
    ):
        monkeypatch.chdir(STANDARD)
        code, out, err = storagebook(*command, "")
        assert (code, out) == (2, "")
        assert "an empty path" in err

    @pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
    @pytest.mark.parametrize(
        "arguments", [["score", STANDARD], ["score", "--format", "json", FIXTURES], ["--version"]]
    )
    def test_output_to_a_full_disk(self, arguments):
        with Path("/dev/full").open("w") as full:
            run = shell([*arguments], stdout=full)
        assert run.returncode == 2
        assert run.stderr.endswith(": No space left on device\n")
        assert run.stderr.count("\n") == 1

    def test_streams_that_are_closed(self, tmp_path):
        path = tmp_path / "out.csv"
        for closed in (">&-", "2>&-", ">&- 2>&-"):
            run = shell(["ingest", STANDARD, "-o", path], closed=closed)
            assert (run.returncode, run.stdout, run.stderr) == (0, "", "")
            assert path.read_text().startswith("tool,")
            path.unlink()
        assert shell(["score", "none"], closed="2>&-").returncode == 2

    def test_folder_that_is_gone(self, tmp_path):
        script = f"cd {tmp_path} && rmdir {tmp_path} && exec "
        run = shell(["score", "."], before=script)
        assert (run.returncode, run.stdout) == (2, "")
        assert run.stderr.count("\n") == 1
        assert "unexpected" not in run.stderr

    def test_reader_that_has_enough(self):
        script = "from storagebook.cli import main; main()"
        run = subprocess.Popen(
            [sys.executable, "-c", script, "score", "--format", "json", str(FIXTURES)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        run.stdout.close()
        assert run.stderr.read() == b""
        assert run.wait() != 0


class TestIngest:
    def test_csv(self, storagebook, tmp_path):
        path = tmp_path / "out.csv"
        code, out, _ = storagebook("ingest", FIXTURES / "standard", "-o", path)
        assert (code, out) == (0, "")
        rows = list(csv.DictReader(path.open(newline="")))
        fixed = [name for name in Measurement.__dataclass_fields__ if name != "settings"]
        assert list(rows[0])[: len(fixed)] == fixed
        assert {row["tool"] for row in rows} == {"io500", "ior", "mdtest"}
        assert all(row["unit"] for row in rows)
        write = rows[0]
        assert (write["operation"], write["quantity"]) == ("ior-easy-write", "bandwidth")
        assert (write["value"], write["printed"], write["unit"]) == (
            "412.305871",
            "412.305871",
            "GiB/s",
        )
        assert (write["object_class"], write["tasks"], write["access"]) == (
            "EC_4P1GX",
            "640",
            "file-per-process",
        )
        assert write["line"] == "2"
        computed = [row for row in rows if row["obtained"] == "computed" and row["tool"] == "io500"]
        assert {row["quantity"] for row in computed} == {"bandwidth_mean", "rate_mean", "score"}

    def test_parquet_holds_the_same(self, storagebook, tmp_path):
        parquet = pytest.importorskip("pyarrow.parquet")
        storagebook("ingest", FIXTURES, "-o", tmp_path / "out.csv")
        storagebook("ingest", FIXTURES, "-o", tmp_path / "out.parquet")
        table = parquet.read_table(tmp_path / "out.parquet").to_pylist()
        rows = list(csv.DictReader((tmp_path / "out.csv").open(newline="")))
        assert len(table) == len(rows)
        assert [row["value"] for row in table] == [float(row["value"]) for row in rows]
        assert [row["run"] for row in table] == [row["run"] for row in rows]

    def test_same_bytes_twice(self, storagebook, tmp_path):
        for name in ("one.csv", "two.csv"):
            storagebook("ingest", FIXTURES, "-o", tmp_path / name)
        assert (tmp_path / "one.csv").read_bytes() == (tmp_path / "two.csv").read_bytes()

    def test_what_is_wrong_is_said(self, storagebook, tmp_path):
        code, _, err = storagebook("ingest", SAMPLE, "-o", tmp_path / "out.csv")
        assert code == 1
        assert "result_summary.txt:16: error: the program marked the run invalid\n" in err

    @pytest.mark.parametrize("name", ["out.txt", "none/out.csv", "."])
    def test_output_that_cannot_be(self, storagebook, tmp_path, monkeypatch, name):
        monkeypatch.chdir(tmp_path)
        code, _, err = storagebook("ingest", FIXTURES, "-o", name)
        assert code == 2
        assert err.count("\n") == 1
        assert list(tmp_path.iterdir()) == []

    def test_old_output_stays_if_it_fails(self, storagebook, tmp_path):
        path = tmp_path / "out.csv"
        path.write_text("old")
        code, _, _ = storagebook("ingest", FIXTURES, tmp_path / "none", "-o", path)
        assert code == 2
        assert path.read_text() == "old"
        assert [p.name for p in tmp_path.iterdir()] == ["out.csv"]

    def test_disk_that_is_full(self, storagebook, tmp_path, monkeypatch):
        def full(*_args):
            raise OSError(28, "No space left on device")

        monkeypatch.setattr("storagebook.readers.tidy._write_csv", full)
        code, _, err = storagebook("ingest", FIXTURES, "-o", tmp_path / "out.csv")
        assert code == 2
        assert "No space left on device" in err
        assert list(tmp_path.iterdir()) == []

    def test_permissions_are_those_of_any_new_file(self, storagebook, tmp_path):
        storagebook("ingest", FIXTURES / "shell", "-o", tmp_path / "out.csv")
        (tmp_path / "new").touch()
        assert (tmp_path / "out.csv").stat().st_mode == (tmp_path / "new").stat().st_mode


def test_help_on_everything(storagebook):
    code, out, _ = storagebook("--help")
    assert code == 0
    for name in cli.COMMANDS:
        assert name in out
        code, text, _ = storagebook(name, "--help")
        assert code == 0
        assert text.startswith("Usage: ")


def test_version(storagebook):
    assert storagebook("--version")[1].startswith("storagebook, version ")


def test_score_imports_nothing_heavy():
    script = (
        "import sys; from storagebook.cli import main\n"
        "try: main()\nexcept SystemExit: pass\n"
        "heavy = ('pandas', 'pint', 'rich', 'frictionless', 'altair')\n"
        "print([name for name in heavy if name in sys.modules])"
    )
    run = subprocess.run(
        [sys.executable, "-c", script, "score", "--format", "json", str(STANDARD)],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "COLUMNS": "80"},
    )
    assert run.stdout.splitlines()[-1] == "[]"
