"""What is known of each system: against the sources' digits, typed here by hand."""

import pytest

from storagebook import claims
from storagebook.compare import Obtained
from storagebook.systems import known, per_unit
from storagebook.systems.known import Set

_ASKED_FOR = (
    *("PixStor", "JuiceFS", "DAOS", "Lustre", "WekaIO", "Storage Scale", "EXAScaler"),
    *("BeeGFS", "GekkoFS", "OceanFS", "ParaStor"),
)
EVERY = {one.key: one for one in known.every()}


@pytest.mark.parametrize(
    ("key", "shown", "scale"),
    [
        ("production-aurora", "32,165.93", "300 client nodes, 642 servers"),
        ("parts-bandwidth", "10,066.09 GiB/s", "300 client nodes, 642 servers"),
        ("production-shaheen-iii", "797.04", "2,080 client nodes"),
        ("production-ctpai", "187.84", "10 client nodes"),
        ("ten-node-hrt", "348.08", "10 client nodes"),
        ("research-pengcheng-cloudbrain", "603,334.56", "not given"),
        ("research-aics-a", "79,110.10", "not given"),
        ("research-aurora-rf0", "43,218.79", "300 client nodes"),
        ("v20-juicefs", "108 GiB/s", "10 hosts, 40 emulated H100"),
        ("v20-flare", "400 to 600 GB/s", "not given"),
        ("application-daos", "5,262,890 MB/s", "512 client nodes, 128 servers"),
        ("application-lustre", "597,492 MB/s", "512 client nodes"),
        ("stated-aurora-2026", "30 TB/s", "8,192 client nodes, 800 servers"),
        ("stated-juicefs-cache", "1.2 TB/s", "100 servers"),
        ("micro-pixstor-write", "34.5 GB/s", "16 client nodes, 4 servers"),
    ],
)
def test_figures_and_scales(key, shown, scale):
    assert (EVERY[key].shown, EVERY[key].scale) == (shown, scale)


def test_keys_are_unique():
    assert len(EVERY) == len(known.every())


def test_every_figure_says_where_it_is_from():
    for one in known.every():
        assert one.figure.obtained is not Obtained.UNKNOWN, one.key
        assert one.source
        assert one.figure.source


def test_links_lead_to_rows_of_the_ledger():
    ids = {claim.id for claim in claims.load()}
    links = [one.link for one in known.every() if one.link]
    assert len(links) > 20
    assert {link.partition("#claim-")[2] for link in links} <= ids


def test_a_result_that_no_source_lists_is_unverified():
    unlisted = [one for one in known.every() if one.set is Set.UNLISTED]
    assert {"BeeGFS", "GekkoFS", "Storage Scale", "VAST"} <= {one.system for one in unlisted}
    assert {one.figure.verified for one in unlisted} == {False}
    assert {one.figure.list for one in unlisted} == {None}


def test_of_each_submitter_the_most_accelerators_in_the_closed_division():
    rows = known.v10_results().set_index("submitter")
    assert rows.index.is_unique
    assert rows.loc["Huawei", "accelerators_count"] == 255
    assert rows.loc["Nutanix", "accelerators_count"] == 100
    assert rows.loc["YanRongTech", "accelerators_count"] == 60
    assert set(rows.division) == {"closed"}
    assert "Volumez" not in rows.index


@pytest.mark.parametrize("of", [one for one in Set if one is not Set.OWN])
def test_a_table_leaves_no_cell_empty(of):
    frame = known.table(of)
    assert not frame.empty
    assert (frame != "").all(axis=None)
    assert frame.notna().all(axis=None)


def test_the_matrix_shows_every_set_and_system_that_the_issue_names():
    shown = known.of_matrix()
    text = " ".join(one.label for one in shown)
    for name in [
        "PixStor",
        "JuiceFS",
        "DAOS",
        "Lustre",
        "WekaIO",
        "OceanFS",
        "ParaStor",
        "BeeGFS",
        "GekkoFS",
    ]:
        assert name in text
    assert {one.set for one in shown} == set(Set) - {Set.OWN}
    for of, keys in known.SHOWN.items():
        assert keys is None or sum(one.set is of for one in shown) == len(keys)


# -- divided


def row(name):
    frame = per_unit.table(known.every())
    (found,) = frame[frame.figure == name].to_dict("records")
    return found


def test_hacc_on_daos_per_server_card_and_drive():
    found = row("Aurora (DAOS): HACC, write")
    # 5,262,890 MB/s over 128 servers of two cards and sixteen drives, 512 clients
    assert found["per_server"] == pytest.approx(5_262_890e6 / 128 / 2**30, rel=1e-6)
    assert found["per_server_nic"] == pytest.approx(5_262_890e6 / 256 / 2**30, rel=1e-6)
    assert found["per_drive"] == pytest.approx(5_262_890e6 / 2048 / 2**30, rel=1e-6)
    assert found["per_client"] == pytest.approx(5_262_890e6 / 512 / 2**30, rel=1e-6)


def test_aurora_per_server_is_the_sources_figure():
    assert round(
        row("Aurora (Intel DAOS EC): IO500 BW, mean of the IOR phases")["per_server"], 2
    ) == (15.68)


def test_what_is_not_stated_is_not_divided():
    found = row("Helma (Lustre): IO500 BW, mean of the IOR phases")
    assert found["per_client"] == pytest.approx(438.62 / 186, rel=1e-4)
    assert found["per_server"] != found["per_server"]


def test_no_score_bound_or_range_is_divided():
    frame = per_unit.table(known.every())
    assert set(frame.unit) == {"GiB/s", "kIOP/s"}
    assert not frame.figure.str.contains("peak by design|Flare.*checkpoint|ALCF").any()


def test_per_host_of_mlperf():
    frame = per_unit.v10().set_index("submitter")
    assert frame.per_host_gib_s["YanRongTech"] == pytest.approx(157.117 / 3, rel=1e-4)
    assert frame.per_nic_gib_s["Huawei"] == pytest.approx(679.18 / 51 / 2, rel=1e-4)
    title = per_unit.said_of_v10(per_unit.v10())
    assert title.startswith("Bandwidth per host: 5.1 to 52.4 GiB/s, derived")
    assert per_unit.network_sentence(per_unit.v10())[1] == {"hosts": 3, "more": 51}


def test_the_title_of_the_ten_node_chart():
    frame = per_unit.ten_node()
    # 734.50 over 65.01, 11,336.27 over 890.51
    assert "11 times apart in bandwidth, 13 times in metadata" in per_unit.said_of_ten_node(frame)
