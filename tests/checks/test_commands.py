"""`storagebook claims`: what it prints, and when it fails."""

import csv
import io
import json
import shutil

import pytest
from click.testing import CliRunner

from storagebook import claims, paths, tables
from storagebook.checks.commands import claims as command
from storagebook.errors import StoragebookError


def run(*arguments):
    result = CliRunner().invoke(command, arguments, standalone_mode=False)
    if result.exception is not None:
        raise result.exception
    return result


@pytest.fixture
def root(tmp_path, monkeypatch):
    """A copy of the tables that a test may change."""
    shutil.copytree(paths.data(), tmp_path / "data")
    monkeypatch.setenv(paths.ROOT_VARIABLE, str(tmp_path))
    return tmp_path


def change(root, table, before, after):
    file = root / "data" / tables.resource(table)["path"]
    text = file.read_text(encoding="utf-8")
    assert text.count(before) == 1
    file.write_text(text.replace(before, after), encoding="utf-8")
    tables.rehash()


def accepted(*verdicts):
    """How many claims have these verdicts, by the table of accepted ones."""
    return int(tables.load(claims.ACCEPTED).verdict.isin(verdicts).sum())


def test_json_keeps_the_contract():
    result = run("--format", "json", "--verdict", "contradicted")
    assert result.return_value == 0
    found = json.loads(result.stdout)
    assert all(list(row) == list(claims.COLUMNS) for row in found)
    assert {row["verdict"] for row in found} == {"contradicted"}
    files = next(row for row in found if row["id"] == "000-files")
    assert files["locator"] == "section 3.1, line 212"
    assert files["recomputed"] == "58551916802"


def test_csv_and_several_verdicts():
    result = run("--format", "csv", "--verdict", "rounding", "--verdict", "supported")
    found = list(csv.DictReader(io.StringIO(result.stdout)))
    assert {row["verdict"] for row in found} == {"rounding", "supported"}
    assert len(found) == accepted("rounding", "supported")


def test_the_table_counts():
    result = run("--verdict", "supported")
    assert "000-lead-is-metadata" in result.stdout
    assert result.stdout.splitlines()[-1] == f"{accepted('supported')} supported"


def test_no_claims_of_a_verdict():
    result = run("--source", "004", "--verdict", "contradicted")
    assert result.stdout.splitlines()[-1] == "no claims"


def test_brackets_are_no_markup(root):
    change(root, "claims", "Aurora leads mainly", "[red]Aurora[/red] leads mainly")
    assert "[red]Aurora[/red]" in run("--verdict", "supported").stdout.replace("\n", "")


def test_hostile_text_reaches_neither_terminal_nor_spreadsheet(root):
    change(root, "claims", "Aurora leads mainly", "=cmd|\x1b[31m Aurora leads mainly")
    for form in ("json", "csv"):
        out = run("--format", form, "--verdict", "supported").stdout
        assert out.replace("\n", "").isprintable()
        assert "[31m Aurora leads mainly" in out
    cells = [cell for row in csv.reader(io.StringIO(out)) for cell in row]
    assert not any(cell.startswith("=") for cell in cells)


def test_an_unknown_source_lists_the_known():
    with pytest.raises(StoragebookError, match="no claims of source 'x' — use one of 000"):
        run("--source", "x")


def test_a_moved_verdict_fails_and_is_named_until_it_is_accepted(root):
    change(root, "io500-per-server", "59.73", "60.33")
    result = run("--format", "json", "--verdict", "supported")
    assert result.return_value == 1
    assert result.stderr == ("000-per-server-supermuc-sc23-score: confirmed → contradicted\n")
    assert len(json.loads(result.stdout)) == accepted("supported")
    assert run("--accept").return_value == 0
    assert run().return_value == 0


def test_new_and_gone_claims_have_moved(root):
    change(root, "claim-verdicts", "000-files,contradicted\n", "000-filez,contradicted\n")
    result = run()
    assert result.return_value == 1
    assert result.stderr == "000-files: new → contradicted\n000-filez: contradicted → gone\n"
