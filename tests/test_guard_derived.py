"""What binds the derived IO500 tables: the score's formula, and the raw files read a second way.

`warm` reads the raw files once for all; the mutation script calls it before it moves anything.
"""

import functools
import hashlib
import os
import re
import tempfile
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import numpy as np
import pytest

from storagebook import derive, paths, tables
from storagebook.io500 import phases

pytestmark = pytest.mark.guard

RUNS, PHASES, FILES = "io500-runs", "io500-run-phases", "io500-run-files"
KEY = ["submission", "run"]
#: Runs whose log holds no twelve phases with a unit, and the score that each prints.
INCOMPLETE = {
    ("0028", "results/io-500-summary.2018.11.10-20.09.41.txt"): ("0", "0.000000"),
    ("0028", "results/io-500-summary.2018.11.10-20.50.58.txt"): ("0", "0.000000"),
    ("0109", "JCAHPC-17__jcahpc"): ("7209139386.9", ""),
}
#: Runs of 2017 that print bandwidth times metadata as their score.
PRODUCTS = {("0109", "JCAHPC__results"), ("0109", "sonasad__sonasad__results__2017.11.07-21.01.11")}


def half_unit(printed):
    """Half a unit of the last printed digit."""
    places = printed.str.partition(".")[2].str.len()
    return 0.5 * 10.0**-places


def means():
    """BW and MD of each run from its phases: the value, and how far the printed digits reach."""
    table = tables.printed(PHASES)
    table = table[table["phase"].isin(phases.BY_NAME)]
    value = table["value"].astype(float)
    logs = table[KEY].assign(
        kind=[phases.BY_NAME[p].kind for p in table["phase"]],
        log=np.log(value.where(value > 0)),
        reach=half_unit(table["value"]) / value,
    )
    grouped = logs.groupby([*KEY, "kind"])
    found = grouped[["log", "reach"]].mean().assign(phases=grouped.size()).unstack("kind")
    complete = (found["phases", "bandwidth"] == len(phases.BANDWIDTH)) & (
        found["phases", "metadata"] == len(phases.METADATA)
    )
    return np.exp(found["log"][complete]), found["reach"][complete]


def test_means_and_score_are_those_of_the_phases():
    runs = tables.printed(RUNS).set_index(KEY)
    mean, reach = means()
    assert set(runs.index) - set(mean.index) == set(INCOMPLETE)
    runs = runs.loc[mean.index]
    for column, kind in [("bandwidth_gib_s", "bandwidth"), ("metadata_kiops", "metadata")]:
        off = (runs[column].astype(float) - mean[kind]).abs()
        # a per mille of the reach for its second order
        allowed = half_unit(runs[column]) + mean[kind] * reach[kind] * 1.001 + 1e-9
        assert (off <= allowed).all(), runs[off > allowed].index.tolist()
    product = mean["bandwidth"] * mean["metadata"]
    root = np.sqrt(product)
    recomputed = runs["recomputed_score"].astype(float)
    assert recomputed.to_numpy() == pytest.approx(root.to_numpy(), rel=1e-9, abs=6e-7)
    is_product = runs.index.isin(PRODUCTS)
    expected = root.where(~is_product, product)
    order = np.where(is_product, 2, 1)
    reached = expected * (reach["bandwidth"] + reach["metadata"]) / 2 * order * 1.001
    off = (runs["score"].astype(float) - expected).abs()
    allowed = half_unit(runs["score"]) + reached + 1e-9
    assert (off <= allowed).all(), runs[off > allowed].index.tolist()


def test_scores_of_incomplete_runs():
    runs = tables.printed(RUNS).set_index(KEY)
    for key, scores in INCOMPLETE.items():
        assert tuple(runs.loc[key, ["score", "recomputed_score"]]) == scores


def test_every_run_has_phases_and_files():
    runs = {tuple(r) for r in tables.printed(RUNS)[KEY].to_numpy().tolist()}
    for name in (PHASES, FILES):
        held = {tuple(r) for r in tables.printed(name)[KEY].to_numpy().tolist()}
        assert held <= runs
        assert name == PHASES or held == runs


# -- the raw files


def raw_folder():
    shared = paths.shared()
    if shared is None or not (shared / derive.FOLDER).is_dir():
        pytest.skip("the result files are not at hand")
    return shared / derive.FOLDER


@functools.cache
def derived_afresh() -> Mapping[str, bytes]:
    """The tables as the raw files give them now."""
    shared = raw_folder().parents[1]
    before = os.environ.get(paths.ROOT_VARIABLE)
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "data" / "derived").mkdir(parents=True)
        (Path(folder) / "data" / "datapackage.json").write_text('{"resources": []}')
        os.environ[paths.ROOT_VARIABLE] = folder
        try:
            derive.write(shared)
            written = Path(folder, "data", "derived").glob("*.csv")
            return MappingProxyType({file.stem: file.read_bytes() for file in written})
        finally:
            del os.environ[paths.ROOT_VARIABLE]
            if before is not None:
                os.environ[paths.ROOT_VARIABLE] = before


def derived_tables():
    """The tables that derive.py writes, and no other."""
    found = (tables.resource(name) for name in tables.names())
    return [
        r["name"] for r in found if r["path"].startswith("derived/") and r["sources"][0].get("id")
    ]


@pytest.mark.parametrize("name", derived_tables())
def test_the_table_is_what_the_raw_files_give(name):
    afresh = derived_afresh()[name]
    committed = tables.resource(name)
    tables.load(name)
    assert tables.stamp(afresh) == {k: committed[k] for k in ("bytes", "hash")}


def test_every_derived_table_is_described():
    assert set(derived_afresh()) == set(derived_tables())


RESULT = re.compile(
    r"^\[RESULT[^]]*\]\s+(?:(?:BW|IOPS)\s+phase \d+\s+)?(\w[\w-]*)\s+([\d.]+) "
    r"(GiB/s|GB/s|kIOPS|kiops)\s*: time +([\d.]+) seconds",
    re.M,
)
SCORE = re.compile(
    r"^\[SCORE[^]X]*\]\s+Bandwidth ([\d.]+) \S+ : IOPS ([\d.]+) kiops : TOTAL ([\d.]+)", re.M
)
PROCS = re.compile(r"^(procs)\s*= (\d+)$", re.M)
FOUND = re.compile(r"^(found|total-files)\s*= (\d+)$", re.M)


@functools.cache
def read_by_hand(file: Path):
    """Phases, means and settings of a summary and its result.txt, by regular expressions."""
    text = file.read_text(encoding="utf-8", errors="replace")
    result = file.with_name("result.txt")
    settings = result.read_text(encoding="utf-8") if result.is_file() else ""
    _, _, find = settings.partition("\n[find]\n")
    return (
        {m[0].replace("_", "-"): (m[1], m[3]) for m in RESULT.findall(text)},
        SCORE.findall(text),
        dict(PROCS.findall(settings) + FOUND.findall(find.partition("\n[")[0])),
    )


def summaries():
    """Each run that is one folder with a summary, with that file."""
    known = set(tables.printed(FILES)["file"])
    places = {
        (submission, run): (Path(f"submission-{submission}") / run / "result_summary.txt")
        for submission, run in tables.printed(RUNS)[KEY].to_numpy().tolist()
    }
    return {key: file for key, file in places.items() if file.as_posix() in known}


def test_phases_are_those_read_by_hand():
    root = raw_folder()
    rows = tables.printed(PHASES)
    rows = rows[rows["phase"].isin(phases.BY_NAME)]
    held = {}
    for row in rows.to_dict("records"):
        key = (row["submission"], row["run"])
        held.setdefault(key, {})[row["phase"]] = (row["value"], row["duration_s"])
    compared = 0
    for key, file in summaries().items():
        found = {p: v for p, v in read_by_hand(root / file)[0].items() if p in phases.BY_NAME}
        if len(found) == len(phases.SCORED):
            assert held[key] == found, key
            compared += 1
    assert compared > 200


def test_means_scores_and_settings_are_those_read_by_hand():
    root = raw_folder()
    runs = tables.printed(RUNS).set_index(KEY)
    compared = 0
    for key, file in summaries().items():
        _, scores, settings = read_by_hand(root / file)
        row = runs.loc[key]
        if len(scores) == 1:
            assert tuple(row[["bandwidth_gib_s", "metadata_kiops", "score"]]) == scores[0], key
            compared += 1
        for name, column in [
            ("procs", "procs_count"),
            ("found", "found_count"),
            ("total-files", "total_files_count"),
        ]:
            assert name not in settings or row[column] == settings[name], key
    assert compared > 200


@functools.cache
def digest(file: Path) -> tuple[str, str]:
    raw = file.read_bytes()
    return str(len(raw)), hashlib.sha256(raw).hexdigest()


def test_files_have_their_size_and_checksum():
    root = raw_folder()
    for row in tables.printed(FILES).to_dict("records"):
        assert (row["size_b"], row["sha256"]) == digest(root / row["file"])


def warm() -> None:
    if paths.shared() is None:
        return
    derived_afresh()
    for file in summaries().values():
        read_by_hand(raw_folder() / file)
    for file in tables.printed(FILES)["file"]:
        digest(raw_folder() / file)
