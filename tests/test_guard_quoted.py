"""What binds the figures of source 000 to one another: its own formulas, sums and cross-references.

The mutation script (tests/mutation.py) runs these on copies with moved cells. Guards take no
fixtures and read their tables inside the function.
"""

import math
import re
from fractions import Fraction

import pytest

from storagebook import tables, units
from storagebook.intervals import Interval, geomean, percent_change
from storagebook.io500 import phases
from storagebook.io500.listed import as_six_digits, as_two_decimals

pytestmark = pytest.mark.guard

LISTS = ["io500-production-isc26", "io500-ten-node-isc26", "io500-evolution"]
MEANS = {"score": "score", "bandwidth": "bandwidth_gib_s", "metadata": "metadata_kiops"}


def quantities(name):
    return tables.load(name).set_index("quantity")["value"]


def rounds(printed, exact):
    """Whether a printed number is what an exact one, or an interval of them, rounds to."""
    return Interval.of_printed(printed, trailing_zeros=True).overlaps(exact)


def listed(name, system, **where):
    """The score, BW and MD, as printed, of a row of a list."""
    table = tables.printed(name)
    for column, value in {"system": system, **where}.items():
        table = table[table[column] == value]
    (row,) = table.to_dict("records")
    return row["score"], row["bandwidth_gib_s"], row["metadata_kiops"]


def aurora_phases():
    table = tables.printed("aurora-phases")
    return {
        phase: Interval.of_printed(value, trailing_zeros=True)
        for phase, value in zip(table["phase"], table["value"], strict=True)
    }


def redundancy(setting):
    table = tables.printed("aurora-redundancy")
    table = table[table["redundancy"] == setting]
    return dict(zip(table["metric"], table["value"], strict=True))


# -- numbers and the words they were printed in


MULTIPLES = {"亿": 10**8, "k": 10**3}
NUMERAL = re.compile(r"\d[\d,]*(?:\.\d+)?")


@pytest.mark.parametrize("name", ["aurora-configuration", "aurora-run", "io500-quantities"])
def test_values_are_those_of_the_printed_words(name):
    for row in tables.load(name).to_dict("records"):
        text = row["printed"]
        found = [float(n.replace(",", "")) for n in NUMERAL.findall(text)]
        found += [
            float(n.replace(",", "")) * MULTIPLES[suffix]
            for n, suffix in re.findall(r"([\d,]+) ?(亿|k\b)", text)
        ]
        assert row["value"] in found


def test_qualifiers_are_those_of_the_printed_words():
    for name in ["aurora-configuration", "aurora-run", "io500-quantities", "io500-rules"]:
        for row in tables.load(name).to_dict("records"):
            about = row["printed"].startswith("约")
            assert about == (row["qualifier"] == "about"), row


# -- phases and rules


def test_phases_are_those_of_the_program():
    table = tables.load("io500-phases").set_index("phase")
    scored = table[table["scored"]]
    assert set(scored.index) == set(phases.BY_NAME)
    for name, row in scored.iterrows():
        assert (row["group"], row["unit"]) == (
            phases.BY_NAME[name].group,
            phases.BY_NAME[name].unit,
        )


def test_rules_are_those_of_the_program():
    value = tables.load("io500-rules").set_index("rule")["value"]
    scored = tables.load("io500-phases").query("scored")
    assert value["ior-hard-record"] == phases.IOR_HARD_RECORD_B
    assert value["mdtest-hard-file"] == phases.MDTEST_HARD_FILE_B
    assert value["stonewall"] == phases.STONEWALL_S
    assert value["gb-per-gib"] == units.GB_PER_GIB == 2**30 / 10**9
    assert value["phases"] == len(scored) == value["bandwidth-phases"] + value["metadata-phases"]
    assert value["groups"] == scored["group"].nunique() == len(tables.load("io500-groups"))
    assert value["bandwidth-phases"] == (scored["unit"] == "GiB/s").sum()
    assert value["metadata-phases"] == (scored["unit"] == "kIOP/s").sum()
    assert value["mdtest-phases"] == scored["group"].str.startswith("mdtest").sum()
    assert (
        2 * value["easy-hard-pairs"]
        == scored["group"].str.contains("easy|hard").groupby(scored["group"]).first().sum()
    )


# -- lists


@pytest.mark.parametrize("name", LISTS)
def test_listed_scores_are_the_root_of_bandwidth_times_metadata(name):
    for row in tables.printed(name).to_dict("records"):
        product = as_two_decimals(row["bandwidth_gib_s"]) * as_two_decimals(row["metadata_kiops"])
        readings = [as_two_decimals(row["score"]), as_six_digits(row["score"])]
        assert any(r is not None and r.overlaps(product.root(2)) for r in readings), row


@pytest.mark.parametrize("name", LISTS[:2])
def test_ranks_follow_scores(name):
    table = tables.load(name)
    assert table["rank"].is_monotonic_increasing
    assert table["rank"].is_unique
    assert table["score"].is_monotonic_decreasing


def test_ten_node_ranks_are_the_first_six():
    assert tables.load("io500-ten-node-isc26")["rank"].tolist() == [1, 2, 3, 4, 5, 6]


def test_processes_are_nodes_times_processes_per_node():
    table = tables.load("io500-production-isc26")
    product = table["client_nodes_count"] * table["procs_per_node_count"]
    assert product.tolist() == table["procs_count"].tolist()


def test_a_ten_node_result_is_the_same_on_both_lists():
    for system in ["Maximus-01", "Lise"]:
        assert listed(LISTS[0], system) == listed(LISTS[1], system)


def test_a_result_is_the_same_in_the_list_and_in_the_history():
    for system, release in [
        ("Aurora", "SC23"),
        ("SuperMUC-NG-Phase2-EC", "SC25"),
        ("Maximus-01", "SC25"),
        ("Lise", "ISC24"),
        ("CTPAI", "ISC22"),
    ]:
        assert listed(LISTS[0], system) == listed(LISTS[2], system, release=release)


def test_daos_systems_on_the_production_list():
    table = tables.load("io500-production-isc26")
    daos = table["file_system"].str.contains("DAOS").sum()
    assert daos == quantities("io500-quantities")["production-daos-systems"]


def test_ranks_are_printed_beside_the_size_of_the_list():
    for row in tables.load("aurora-list-ranks").to_dict("records"):
        assert row["printed"] == f"{row['release']} {row['rank']}/{row['entries_count']}"


def test_size_of_the_latest_list():
    entries = tables.load("aurora-list-ranks").set_index("release")["entries_count"]
    assert entries["ISC26"] == quantities("io500-quantities")["production-entries"]
    assert entries.is_monotonic_increasing
    assert tables.load("aurora-phases")["entries_count"].unique().tolist() == [entries["ISC26"]]


# -- Aurora


def test_bandwidth_and_metadata_are_geometric_means_of_the_phases():
    measured = aurora_phases()
    _, bandwidth, metadata = listed("io500-production-isc26", "Aurora")
    assert rounds(bandwidth, geomean(measured[p.name] for p in phases.BANDWIDTH))
    assert rounds(metadata, geomean(measured[p.name] for p in phases.METADATA))


def test_every_phase_has_its_unit_and_the_first_rank():
    table = tables.load("aurora-phases").set_index("phase")
    assert table["unit"].to_dict() == {p.name: p.unit for p in phases.SCORED}
    assert set(table["rank"]) == {1}


def test_both_of_auroras_scores():
    value = quantities("io500-quantities")
    score, bandwidth, metadata = listed("io500-production-isc26", "Aurora")
    product = as_two_decimals(bandwidth) * as_two_decimals(metadata)
    assert as_two_decimals(f"{value['aurora-page-score']:.2f}").overlaps(product.root(2))
    assert value["aurora-page-score"] == 32165.93
    assert value["aurora-list-score"] == float(score.replace(",", ""))


def test_configuration_adds_up():
    c = quantities("aurora-configuration")
    assert c["server-nvme-drives"] * c["nvme-drive"] == pytest.approx(c["server-nvme"], abs=0.05)
    pmem = units.convert(c["server-pmem-modules"] * c["pmem-module"], "GB", "TB")
    assert round(pmem) == c["server-pmem"]
    assert c["servers"] * c["server-engines"] == c["engines"]
    assert c["server-nics"] == c["server-nics-again"]
    # drives and persistent memory together
    raw = units.convert(c["servers"] * (c["server-nvme"] + c["server-pmem"]), "TB", "PB")
    assert raw == pytest.approx(c["capacity-raw"], rel=0.005)
    cells = c["ec-data-cells"] + c["ec-parity-cells"]
    nvme = units.convert(c["servers"] * c["server-nvme"], "TB", "PB")
    assert nvme * c["ec-data-cells"] / cells == pytest.approx(c["capacity-ec"], rel=0.02)
    assert c["capacity-least"] == c["capacity-ec"]
    assert c["capacity-least"] < c["capacity-user-docs"] < c["capacity-most"] < c["capacity-raw"]
    assert c["bandwidth-user-docs"] < c["peak-bandwidth"]
    assert c["flare-capacity"] == c["flare-capacity-b"]


def test_the_run_adds_up():
    run, system = quantities("aurora-run"), quantities("aurora-configuration")
    row = tables.load("io500-production-isc26").set_index("system").loc["Aurora"]
    assert run["client-nodes"] * run["procs-per-node"] == run["procs"]
    assert run["client-nodes"] == row["client_nodes_count"]
    assert run["procs-per-node"] == row["procs_per_node_count"]
    assert run["procs"] == row["procs_count"]
    assert run["servers"] * system["server-engines"] == run["engines"]
    assert run["daos-groups"] == system["daos-groups"]
    assert run["servers"] < system["servers"]
    assert run["mpi-tasks"] == pytest.approx(run["procs"], rel=0.01)


# -- the source's script


def script(role):
    table = tables.printed("score-script")
    table = table[table["role"] == role]
    return dict(zip(table["name"], table["value"], strict=True))


def test_the_script_starts_from_the_tables():
    given = script("input")
    table = tables.load("aurora-phases").set_index("phase")["value"]
    assert {p.name: float(given[p.name]) for p in phases.SCORED} == table.to_dict()
    rf0, rf1 = redundancy("RF0"), redundancy("RF1")
    for mean in MEANS:
        assert given[f"listed-{mean}"] == rf1[mean].replace(",", "")
        assert given[f"rf0-{mean}"] == rf0[mean].replace(",", "")
    assert rounds(rf0["ior-hard-write"], Fraction(given["rf0-ior-hard-write"]))
    assert float(given["servers"]) == quantities("aurora-run")["servers"]
    assert float(given["gb-per-gib"]) == units.GB_PER_GIB
    assert float(given["gb-per-tb"]) == 1000
    assert float(given["kiops-per-miops"]) == units.factor("MIOP/s", "kIOP/s")


def test_the_script_prints_what_its_formulas_give():
    given = {name: float(value) for name, value in script("input").items()}
    shown = script("output")
    bandwidth = math.prod(given[p.name] for p in phases.BANDWIDTH) ** (1 / 4)
    metadata = math.prod(given[p.name] for p in phases.METADATA) ** (1 / 8)
    score = math.sqrt(bandwidth * metadata)
    servers = given["servers"]
    hard_write = given["ior-hard-write"]
    assert shown == {
        "bandwidth": f"{bandwidth:.2f}",
        "listed-bandwidth": f"{given['listed-bandwidth']:.2f}",
        "bandwidth-difference": f"{bandwidth - given['listed-bandwidth']:+.2f}",
        "metadata": f"{metadata:.2f}",
        "listed-metadata": f"{given['listed-metadata']:.2f}",
        "metadata-difference": f"{metadata - given['listed-metadata']:+.2f}",
        "score": f"{score:.2f}",
        "listed-score": f"{given['listed-score']:.2f}",
        "score-difference": f"{score - given['listed-score']:+.2f}",
        "metadata-mega": f"{metadata / given['kiops-per-miops']:.2f}",
        "bandwidth-decimal": f"{bandwidth * given['gb-per-gib'] / given['gb-per-tb']:.2f}",
        "per-server-score": f"{score / servers:.2f}",
        "per-server-bandwidth": f"{bandwidth / servers:.2f}",
        "per-server-metadata": f"{metadata / servers:.1f}",
        "ior-write-easy-to-hard": f"{given['ior-easy-write'] / hard_write:.2f}",
        "stat-easy-to-hard": f"{given['mdtest-easy-stat'] / given['mdtest-hard-stat']:.2f}",
        "score-change": f"{(score / given['rf0-score'] - 1) * 100:+.1f}",
        "ior-hard-write-change": f"{(hard_write / given['rf0-ior-hard-write'] - 1) * 100:+.1f}",
    }


# -- redundancy


def test_object_classes_say_what_is_printed_of_them():
    shape = re.compile(r"EC_(?P<data>\d+)P(?P<parity>\d+)G\w+|RP_(?P<replicas>\d+)G\w+")
    for row in tables.printed("aurora-object-classes").to_dict("records"):
        named = shape.fullmatch(row["object_class"]).groupdict()
        for column, group in [
            ("data_cells_count", "data"),
            ("parity_cells_count", "parity"),
            ("replicas_count", "replicas"),
        ]:
            assert row[column] in ("", named[group])


def test_the_production_setting_is_the_listed_run():
    rf1 = redundancy("RF1")
    table = tables.printed("aurora-phases").set_index("phase")["value"]
    for phase in phases.BANDWIDTH:
        assert rf1[phase.name] == table[phase.name]
    assert tuple(rf1[mean] for mean in MEANS) == listed("io500-production-isc26", "Aurora")


def test_the_setting_without_redundancy_is_in_the_history():
    rf0 = redundancy("RF0")
    assert tuple(rf0[mean] for mean in MEANS) == listed("io500-evolution", "Aurora RF0")


@pytest.mark.parametrize("setting", ["RF0", "RF1"])
def test_bandwidth_of_either_setting_is_the_geometric_mean(setting):
    value = redundancy(setting)
    measured = [as_two_decimals(value[p.name]) for p in phases.BANDWIDTH]
    assert rounds(value["bandwidth"], geomean(measured))


def test_changes_are_those_between_the_settings():
    rf0, rf1 = redundancy("RF0"), redundancy("RF1")
    changes = tables.printed("aurora-redundancy-change").set_index("metric")
    assert set(changes.index) == set(rf0)
    for metric, row in changes.iterrows():
        exact = percent_change(as_two_decimals(rf0[metric]), as_two_decimals(rf1[metric]))
        assert rounds(row["change_pct"], exact), metric
        assert row["printed"] == row["change_pct"].replace("-", "−") + "%"


# -- per server


def test_figures_per_server():
    table = tables.printed("io500-per-server")
    for row in table.to_dict("records"):
        where = {} if row["system"] == "IRIS" else {"release": row["release"]}
        name = LISTS[0] if row["system"] == "IRIS" else LISTS[2]
        score, bandwidth, metadata = listed(name, row["system"], **where)
        assert row["score"] == score
        servers = int(row["servers_count"])
        assert rounds(row["per_server_score"], as_two_decimals(score) / servers)
        assert rounds(row["per_server_bandwidth_gib_s"], as_two_decimals(bandwidth) / servers)
        assert rounds(row["per_server_metadata_kiops"], as_two_decimals(metadata) / servers)


def test_servers_and_clients_are_those_told_elsewhere():
    table = tables.load("io500-per-server").set_index(["system", "release"])
    value = quantities("io500-quantities")
    supermuc = table.loc["SuperMUC-NG-Phase2-EC"]
    assert supermuc["servers_count"].tolist() == [value["supermuc-servers"]] * 2
    assert supermuc["client_nodes_count"].tolist() == [
        value["supermuc-client-nodes-sc23"],
        value["supermuc-client-nodes-sc25"],
    ]
    assert table.loc[("Aurora", "SC23"), "servers_count"] == quantities("aurora-run")["servers"]
    production = tables.load("io500-production-isc26").set_index("system")
    assert (
        production.loc["SuperMUC-NG-Phase2-EC", "client_nodes_count"]
        == value["supermuc-client-nodes-sc25"]
    )
