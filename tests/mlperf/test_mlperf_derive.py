"""The table of public results is what its files give, byte for byte."""

import csv
import hashlib
import os

import pytest

from storagebook import columns, paths, tables
from storagebook.errors import StoragebookError
from storagebook.mlperf import derive, statements


def raw():
    folder = paths.shared()
    if folder is None or not (folder / derive.FOLDER).is_dir():
        pytest.skip("the result files are not at hand")
    return folder


def rows():
    return tables.load(derive.TABLE).set_index("submission_id")


def test_the_committed_table_is_what_the_files_give():
    content = columns.to_csv(derive.FIELDS, list(derive._rows(raw() / derive.FOLDER)))
    assert (paths.data() / f"derived/{derive.TABLE}.csv").read_bytes() == content
    described = tables.resource(derive.TABLE)
    assert described["schema"]["fields"] == derive.FIELDS


def test_the_index_of_the_source_says_the_same():
    with (raw() / derive.FOLDER / "index.csv").open(newline="") as lines:
        index = {row["submission_id"]: row for row in csv.DictReader(lines)}
    found = rows()
    assert set(found.index) == set(index)
    for name, row in found.iterrows():
        said = index[name]
        assert (row["division"], row["submitter"], row["system"], row["round"]) == (
            said["division"],
            said["submitter"],
            said["system_dir"],
            said["round"],
        )
        assert row["runs_count"] == int(said["num_runs"])


def test_the_checksum_follows_its_rule():
    folder = raw() / derive.FOLDER
    with (folder / "files.csv").open(newline="") as lines:
        copies = {row["source_path"]: folder / row["path"] for row in csv.DictReader(lines)}
    root = "Closed/Huawei/results/OceanStor_A800_51_hosts"
    paths_ = [
        f"{root}/mlperf_storage_report.json",
        "Closed/Huawei/systems/OceanStor_A800_51_hosts.JSON",
    ]
    for n in range(1, 6):
        run = f"{root}/unet3d-h100/run{n}/host1"
        paths_ += [
            f"{run}/summary.json",
            f"{run}/configs/config.yaml",
            f"{run}/configs/overrides.yaml",
        ]
    text = "".join(
        f"{hashlib.sha256(copies[path].read_bytes()).hexdigest()}  {path}\n"
        for path in sorted(paths_)
    )
    assert rows().loc["v10-huawei-01", "sha256"] == hashlib.sha256(text.encode()).hexdigest()


def test_what_the_table_is_known_to_hold():
    found = rows()
    assert (len(found), int(found["passes"].sum())) == (84, 84)
    # the one report that is another result's file
    assert list(found.index[~found["report_agrees"]]) == ["v10-yanrongtech-08"]
    assert found["findings"]["v10-yanrongtech-08"].split()[1:4] == [
        "report-copied",
        "report-differs",
        "report-runs",
    ]
    counts = found["network"].value_counts().to_dict()
    assert counts == {"InfiniBand": 36, "Ethernet": 30, "Ethernet with RDMA": 1}
    # drives of the host itself
    assert set(found.index[found["network"].isna()]) == {
        name for name in found.index if name.startswith("v10-micron")
    }


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, None),
        (1053.8001825786655, "1053.800183"),
        (0.5, "0.5000000000"),
        (1764086.7, "1764086.700"),
    ],
)
def test_figures_have_ten_digits(value, text):
    assert derive._shown(value) == text


def test_writing_needs_the_raw_files(tmp_path):
    with pytest.raises(StoragebookError, match="no raw result files"):
        derive.write(tmp_path)


def test_writing_puts_table_and_descriptor_in_place(tmp_path, monkeypatch):
    shared = raw()
    (tmp_path / "data" / "derived").mkdir(parents=True)
    package = '{"name": "x", "resources": []}'
    (tmp_path / "data" / "datapackage.json").write_text(package)
    monkeypatch.setenv(paths.ROOT_VARIABLE, os.fspath(tmp_path))
    assert derive.write(shared) == [derive.TABLE, statements.TABLE]
    assert (tmp_path / f"data/derived/{derive.TABLE}.csv").is_file()
    assert tables.resource(derive.TABLE)["hash"].startswith("sha256:")
