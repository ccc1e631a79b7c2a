"""data/datapackage.json says of every table what it is, where it comes from and who may use it."""

import json

import pytest

from storagebook import paths, tables
from storagebook.compare import Basis, Obtained

NAMES = tables.names()


def fields(name):
    return {f["name"]: f for f in tables.resource(name)["schema"]["fields"]}


def test_every_table_in_the_folder_is_described():
    folder = paths.data()
    files = {f.relative_to(folder).as_posix() for f in folder.glob("*.csv")}
    for part in ("quoted", "derived"):
        files |= {f.relative_to(folder).as_posix() for f in (folder / part).rglob("*.csv")}
    assert {tables.resource(n)["path"] for n in NAMES} == files


def test_the_package_is_in_its_one_format():
    text = (paths.data() / "datapackage.json").read_text(encoding="utf-8")
    package = json.loads(text)
    assert text == json.dumps(package, indent=2, ensure_ascii=False) + "\n"
    assert [r["name"] for r in package["resources"]] == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_loads(name):
    assert len(tables.load(name))


@pytest.mark.parametrize("name", NAMES)
def test_has_title_source_and_licence(name):
    described = tables.resource(name)
    assert described["title"]
    assert described["path"].endswith(f"/{name}.csv") or described["path"] == f"{name}.csv"
    known = set(tables.load("sources")["id"])
    for source in described["sources"]:
        assert source["title"]
        # what the package computes from its own tables has no source outside
        if described.get("obtained") != "computed":
            assert source["id"] in known
            assert source["locator"]
    assert described["sources"]
    assert all(licence["title"] for licence in described["licenses"])
    assert described["licenses"]


@pytest.mark.parametrize("name", NAMES)
def test_every_field_is_described(name):
    for field, described in fields(name).items():
        assert described.get("description"), field


# the ledger's rows take theirs from the cell they point to; its own test sees to the others
OF_NUMBERS = sorted(set(NAMES) - {"sources", "claims", "claim-verdicts", "claim-corrections"})


@pytest.mark.parametrize("name", OF_NUMBERS)
@pytest.mark.parametrize(
    ("property_name", "allowed"), [("basis", set(Basis)), ("obtained", set(Obtained))]
)
def test_basis_and_origin_are_from_the_closed_lists(name, property_name, allowed):
    described = tables.resource(name)
    numeric = [f for f in fields(name).values() if f["type"] in ("number", "integer")]
    measured = [f for f in numeric if not f.get("ordinal")]
    if property_name in fields(name):
        assert property_name not in described
        assert set(tables.load(name)[property_name]) <= allowed
    elif not measured or not all(property_name in f for f in measured):
        assert described[property_name] in allowed
    assert {f[property_name] for f in fields(name).values() if property_name in f} <= allowed


def test_identifiers_of_sources_are_unique_and_none_is_blank():
    table = tables.printed("sources")
    assert table["id"].is_unique
    # only a title in another language has a gloss, only a file a checksum
    assert (table.drop(columns=["gloss", "sha256"]) != "").all(axis=None)
