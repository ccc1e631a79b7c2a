"""Each name of the data in its family, typed by hand from the names alone."""

import pytest

from storagebook import tables
from storagebook.io500 import families
from storagebook.io500.families import UNSTATED

EXPECTED = {
    "DAOS": ["DAOS", "Intel DAOS EC", "Enakta Labs DAOS"],
    "EXAScaler": ["EXAScaler", "Exascaler", "Exascaler 5.0 PRE - Lustre 2.11-56"],
    "Lustre": ["Lustre", "lustre", "Lustre01", "lustre01", "lustre06", "Lustre on GCP (lgcpfs)"],
    "Storage Scale": [
        *("GPFS", "GPFS1", "OCI-SpectrumScale", "Spectrum Scale", "Spectrum scale"),
        *("Storage Scale", "IBM Storage Scale", "IBM Storage Scale 5.1.7.1 with ESS 6.1.6.0"),
        "IBM Storage Scale 5.2.2-0 (early pre-GA build) with ESS 6.2.1-0",
        "IBM Storage Scale 5.2.2.1 with ESS 6.2.2.0",
    ],
    "WekaIO": ["WekaIO", "wekafs", "WekaIO Matrix"],
    "VAST": ["Vast"],
    "BeeGFS": ["BeeGFS", "HPC-BeeGFS", "BeeGFS/E8"],
    "GekkoFS": ["GekkoFS"],
    "CephFS": ["CephFS", "SUSE Enterprise Storage - CephFS"],
    "IME": ["IME"],
    "MadFS": ["MadFS"],
    "SuperFS": ["SuperFS"],
    "PanFS": ["PanFS", "Panfs"],
    "Qumulo": ["Qumulo Core", "Qumulo FS"],
    "Expand": ["Expand"],
    "UPFS": ["UPFS"],
    "Tianhe-FS": ["Tianhe-FS"],
    "CHFS": ["CHFS"],
    "Gfarm": ["Gfarm"],
    "Quobyte": ["Quobyte File System 5.0 pre-release"],
    "JPFS": ["JPFS"],
    "OceanStor": ["OceanStor Pacific"],
    UNSTATED: [
        # mount points and machines
        *("ofsdev", "lofstest", "scratch", "scratch1", "scratch1b", "scratch2", "scratch4"),
        *("Gdata4", "work", "Work", "work / fs2", "data2", "Tier-1-Scratch", "Alpine", "HAL"),
        *("Fir/Fir", "Oak/Oak", "JASMIN 4", "Venus2", "iojscc", "unamed at this point", ""),
        # vendors and appliances, which may run several file systems
        *("Lenovo", "AI400", "DDN AI400x", "DDN-GCP-LocalSSD", "ES-H", "GS7K", "ESS", "QCT"),
        *("IBM Elastic Storage System 3200 - 2 Building Blocks", "SUSE Enterprise Storage"),
        *("RSC Storage on demand JINR", "RSC Storage on demand Polytechnic", "DAC", "Matrix"),
        # known by one submission, or by nobody
        *("GluonFS", "HPFS", "HPC-FS-Cluster", "XF_Stor"),
    ],
}
ROWS = [(name, family) for family, names in EXPECTED.items() for name in names]


@pytest.mark.parametrize(("name", "expected"), ROWS)
def test_a_name_is_sorted_by_what_it_says(name, expected):
    assert families.family(name) == expected


def test_every_name_of_the_data_stands_above():
    known = {name for name, _ in ROWS}
    assert set(tables.printed("io500-runs").file_system) <= known


def test_nothing_is_unstated():
    assert families.family(None) == UNSTATED
    assert families.family(float("nan")) == UNSTATED


def test_no_name_contradicts_the_interface():
    """Whoever reaches a run by DAOS's own interface and names a file system names DAOS."""
    phases, runs = tables.load("io500-run-phases"), tables.load("io500-runs")
    by_interface = runs[runs.submission.isin(phases.submission[phases.api == "DFS"])]
    named = {families.family(name) for name in by_interface.file_system}
    assert named - {UNSTATED} == {"DAOS"}
    unnamed = by_interface[by_interface.file_system.isin(["Lenovo", "QCT"])]
    assert set(unnamed.submission) == {"0545", "0546", "0581"}


@pytest.mark.parametrize(
    ("name", "interfaces", "expected"),
    [
        ("QCT", ["DFS"], "DAOS"),
        ("Lenovo", ["POSIX", "DFS"], "DAOS"),
        ("Lenovo", ["POSIX", "MPIIO"], UNSTATED),
        # what a submitter says comes first
        ("Lustre", ["IME"], "Lustre"),
        (None, [], UNSTATED),
    ],
)
def test_where_a_name_says_nothing_the_interface_may(name, interfaces, expected):
    assert families.family(name, interfaces) == expected


@pytest.mark.parametrize("name", ["<script>alert(1)</script>", "a\nb", "DAOSX", "Vastly"])
def test_strange_names_do_no_harm(name):
    assert families.family(name) in families.FAMILIES
