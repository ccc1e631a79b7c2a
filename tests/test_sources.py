"""The page of sources and tables."""

from storagebook import paths, sources, tables


def test_every_table_is_listed_with_its_checksum():
    listed = sources.resources()
    assert list(listed.table) == tables.names()
    assert listed.sha256.str.fullmatch(r"[0-9a-f]{64}").all()
    assert (listed.source != "").all()


def test_every_source_of_a_table_is_a_known_document():
    known = set(sources.documents().id)
    named = {
        source["id"]
        for name in tables.names()
        for source in tables.resource(name).get("sources", [])
        if "id" in source
    }
    assert named - known <= {"io500-submission-data", "mlperf-storage-results-v1.0"}


def test_the_five_documents_have_an_interest_from_the_closed_list():
    documents = sources.documents().set_index("id")
    five = documents.loc[["000", "001", "002", "003", "004"]]
    assert set(five.interest) <= {"vendor", "operator", "independent", "unknown"}
    assert (paths.data() / "sources.csv").is_file()


def test_a_title_in_another_language_has_a_gloss_and_only_such_a_title():
    listed = tables.load("sources")
    other = listed.title.str.contains(r"[\u4e00-\u9fff]")
    assert other.sum() == 13
    assert (listed.gloss.notna() == other).all()
    assert listed.gloss.dropna().map(str.isascii).all()
    shown = sources.documents().set_index("id").title
    assert shown["000-02b"] == "10 节点 694 [10 nodes 694]"
    assert shown["000-01a"] == "ISC26 Production List"
