"""Every system that the five sources name, from a reading of their texts, and where it stands."""

import nbformat
import pytest

import source_texts
from storagebook import parameters, paths, tables
from storagebook.systems import named

LISTS, MLPERF, WEATHER = "11-the-lists", "31-mlperf-storage", "32-weather-fields"
HACC, PIXSTOR, EFFICIENCY = "30-hacc", "33-pixstor", "13-efficiency"
AURORA = "10-aurora-twelve-phases"

# name in the book: source, its spellings there, the chapter that tells most about it
SYSTEMS = {
    "DAOS": ("000", ["DAOS"], AURORA),
    "Aurora": ("000", ["Aurora", "Argonne / Aurora (Intel DAOS EC)"], AURORA),
    "Lustre": ("000", ["Lustre"], LISTS),
    "WekaIO": ("000", ["WekaIO"], LISTS),
    "JPFS": ("000", ["JPFS"], LISTS),
    "EXAScaler": ("000", ["EXAScaler"], LISTS),
    "OceanFS": ("000", ["OceanFS"], LISTS),
    "ParaStor": ("000", ["曙光 ParaStor F9000"], LISTS),
    "Flare": ("000", ["Lustre “Flare”", "Lustre(Flare,100 PB)"], HACC),
    "SuperMUC-NG": ("000", ["LRZ / SuperMUC-NG-Phase2-EC (Lenovo DAOS)"], EFFICIENCY),
    "Helma": ("000", ["NHR@FAU / Helma (Lustre)"], LISTS),
    "SSC-24": ("000", ["Samsung / SSC-24 (WekaIO)"], LISTS),
    "Shaheen III": ("000", ["KAUST / Shaheen III (Lustre)"], LISTS),
    "Maximus-01": ("000", ["Core42 / Maximus-01 (Enakta Labs DAOS)"], LISTS),
    "IRIS": ("000", ["MSKCC / IRIS (WekaIO)"], EFFICIENCY),
    "Lise": ("000", ["ZIB / Lise (Megware DAOS)"], LISTS),
    "CTPAI": ("000", ["中国电信研究院 / CTPAI (CTCLOUD DAOS)", "中国电信 CTPAI"], LISTS),
    "Leonardo": ("000", ["Leonardo(2,000 节点)"], LISTS),
    "JoyBuilder": ("000", ["JoyBuilder (京东探索研究院)"], LISTS),
    "HRT": ("000", ["HRT (Hudson River Trading)"], LISTS),
    "Pengcheng CloudBrain": ("000", ["鹏城实验室的 Pengcheng CloudBrain(OceanFS)"], LISTS),
    "AICS-A": ("000", ["曙光 ParaStor F9000 的 AICS-A"], LISTS),
    "Wolf": ("000", ["Intel Wolf"], LISTS),
    "Endeavour": ("000", ["Intel Endeavour"], LISTS),
    "K3000-NDR": ("000", ["HPE K3000-NDR(研究榜)"], LISTS),
    "Discovery": ("000", ["ORNL Discovery"], None),
    "Jefferson Lab": ("000", ["Jefferson Lab", "JLab"], None),
    "JuiceFS": ("001", ["JuiceFS"], MLPERF),
    "Google Cloud Storage": ("001", ["GCS"], None),
    "Alluxio": ("001", ["Alluxio"], None),
    "Oracle": ("001", ["Oracle"], None),
    "Nutanix": ("001", ["Nutanix"], MLPERF),
    "Huawei": ("001", ["華為"], MLPERF),
    "DDN": ("001", ["DDN"], MLPERF),
    "Hewlett Packard": ("001", ["Hewlett Packard"], None),
    "Ubix": ("001", ["Ubix"], None),
    "YanRong": ("001", ["焱融"], MLPERF),
    "boro-49": ("002", ["boro-49: 375GB Intel Optane SSD"], None),
    "PixStor": ("003", ["PixStor"], PIXSTOR),
    "GPFS": ("003", ["GPFS"], PIXSTOR),
    "NEXTGenIO": ("004", ["NEXTGenIO"], WEATHER),
    "CEPH": ("004", ["CEPH [9]"], None),
    "CORTX Motr": ("004", ["CORTX Motr [10]"], None),
}


def shown_on(notebook):
    """All that a reader of a page sees, as text."""
    cells = nbformat.read(paths.root() / "notebooks" / f"{notebook}.ipynb", as_version=4).cells
    texts = [cell.source for cell in cells if cell.cell_type == "markdown"]
    for cell in cells:
        if cell.cell_type == "code":
            texts += [output.data.get("text/plain", "") for output in cell.outputs]
    return "\n".join(texts)


@pytest.fixture(scope="module")
def rows():
    return tables.load(named.TABLE).set_index("system")


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_source_names_it(system):
    source, spellings, _ = SYSTEMS[system]
    text = "\n".join(source_texts.lines(source))
    assert [spelled for spelled in spellings if spelled not in text] == []


def test_the_table_names_the_same_systems(rows):
    assert set(rows.index) == set(SYSTEMS)


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_table_has_its_source_and_chapter(system, rows):
    source, spellings, chapter = SYSTEMS[system]
    row = rows.loc[system]
    assert row.source == source
    assert any(row.printed in spelled or spelled in row.printed for spelled in spellings)
    assert (row.chapter if isinstance(row.chapter, str) else None) == chapter


@pytest.fixture(scope="module")
def pages():
    texts = {}

    def text(notebook):
        if notebook not in texts:
            texts[notebook] = shown_on(notebook)
        return texts[notebook]

    return text


@pytest.mark.parametrize("system", SYSTEMS)
def test_it_stands_on_the_page_across_systems(system, pages):
    assert named.names(system, pages(named.PAGE))


@pytest.mark.parametrize("system", [name for name, told in SYSTEMS.items() if told[2]])
def test_it_stands_in_its_chapter(system, pages):
    chapter = SYSTEMS[system][2]
    if chapter not in parameters.NOTEBOOKS:
        pytest.skip(f"no chapter {chapter} yet")
    assert named.names(system, pages(chapter))


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [
        ("Lise", "Megware DAOS Lise, ZIB", True),
        ("IRIS", "Irish", False),
        ("SuperMUC-NG", "SuperMUC-NG-Phase2-EC, LRZ", True),
        ("DDN", "ADDN", False),
        ("CEPH", "CEPHs", False),
        ("HRT", "(HRT)", True),
    ],
)
def test_a_name_is_found_as_a_word(name, text, found):
    assert named.names(name, text) is found


def test_links_lead_to_chapters_that_exist():
    frame = named.table()
    chapters = {link for link in frame.attrs["links"]["chapter"] if link}
    assert chapters
    assert {link.removesuffix(".html") for link in chapters} <= set(parameters.NOTEBOOKS)


def test_counts_of_the_table_are_those_of_the_data():
    frame = named.table().set_index("system")
    # 84 sets at hand, of which each submitter's are counted by hand in the public repository
    assert frame.mlperf.to_dict()["JuiceFS"] == 6
    assert frame.mlperf.to_dict()["YanRong"] == 30
    assert frame.io500.to_dict()["CEPH"] == 4
    assert frame.io500["SuperMUC-NG"] == 10
    assert frame.io500.isna()["Flare"]
    assert frame.figures["Helma"] == 1
    assert frame.figures["Ubix"] == 0
