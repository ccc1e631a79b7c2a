"""Figures per server, client and process, worked out by hand from raw results and stated parts."""

import pytest

from storagebook.io500 import efficiency, runs
from storagebook.io500.object_class import parse


def said(sentences):
    return " ".join(template.format(**values) for template, values in sentences)


def test_a_run_is_divided_by_what_it_had():
    rates = efficiency.rates(runs.load("0688")).set_index("metric")
    # 32165.926368 / 642, / 300, / 62400; 20693.627959 / 642
    assert rates.loc["score", "per_server"] == pytest.approx(50.1026891, abs=1e-6)
    assert rates.loc["score", "per_client"] == pytest.approx(107.2197546, abs=1e-6)
    assert rates.loc["score", "per_process"] == pytest.approx(0.5154796, abs=1e-6)
    assert rates.loc["ior-easy-write", "per_server"] == pytest.approx(32.2330653, abs=1e-6)
    assert len(rates) == 15


def test_what_nobody_states_is_missing():
    rates = efficiency.rates(runs.load("0668"))
    assert rates.per_server.isna().all()
    assert rates.per_client.isna().all()
    assert rates.per_process.notna().all()
    words = said(efficiency.scale(runs.load("0668")))
    assert "No source at hand states how many storage servers" in words
    assert "2,688" in words
    assert "called lrz_18srv" in words


def test_who_tells_the_scale():
    assert "Client nodes: 300, by its own output." in said(efficiency.scale(runs.load("0688")))
    assert "Client nodes: 10, by the source." in said(efficiency.scale(runs.load("0694")))


def test_the_sources_table_holds_against_raw_results():
    table = efficiency.source_table().set_index("submission")
    assert list(table.index) == ["0688", "0683", "0772", "0719"]
    assert table.agrees.all()
    # 3470.216148 / 42, 861.224294 / 42, 1753.690178 / 54
    assert table.score["0772"] == pytest.approx(82.6241940, abs=1e-6)
    assert table.bandwidth["0772"] == pytest.approx(20.5053403, abs=1e-6)
    assert table.metadata["0719"] == pytest.approx(32.4757440, abs=1e-6)


def test_a_figure_that_moved_does_not_hold(monkeypatch):
    texts = efficiency.tables.printed(efficiency.PER_SERVER)
    texts.loc[2, "per_server_score"] = "82.72"
    original = efficiency.tables.printed
    monkeypatch.setattr(
        efficiency.tables,
        "printed",
        lambda name: texts if name == efficiency.PER_SERVER else original(name),
    )
    assert list(efficiency.source_table().agrees) == [True, True, False, True]


def test_ratios_of_figures_per_server_name_what_differs():
    against = efficiency.against_first().set_index("run")
    # (3470.216148 / 42) / (32165.926368 / 642)
    assert against.times["SuperMUC-NG-Phase2-EC, SC25"] == pytest.approx(1.6490970, abs=1e-6)
    for caveat in ("clients: 192 against 300", "servers: 42 against 642"):
        assert caveat in against.beside["SuperMUC-NG-Phase2-EC, SC25"]
    assert "redundancy: unknown against" in against.beside["IRIS, SC24"]
    words = said(efficiency.said_of_ratios(against.reset_index()))
    assert "**1.65 times**" in words
    assert "clients: 192 against 300" in words
    assert "Beside all of these ratios: " in words


def test_one_hardware_has_two_figures_per_server():
    words = said(efficiency.same_servers())
    assert "same 42 servers" in words
    assert "+38.3 %" in words


def test_hardware_is_what_the_source_states():
    stated = efficiency.hardware(runs.load("0694"))
    # line 207: about 40 GiB/s a server; 8 × 200 Gb/s a client: 8 × 25e9 / 2**30; 400 M over 1024
    assert stated.server_network_gib_s == 40
    assert stated.client_network_gib_s == pytest.approx(186.2645149, abs=1e-6)
    assert stated.server_kiops == 390.625
    assert efficiency.hardware(runs.load("0772")) is None


def test_a_phase_under_its_roof():
    roof = efficiency.roofline(runs.load("0688")).set_index("phase")
    # 20693.627959 / 642 × 17 / 16 / 40; 4216.340094 / 642 × 2 / 40; 12122.872205 / 642 / 40
    assert roof.server_pct["ior-easy-write"] == pytest.approx(85.6190799, abs=1e-5)
    assert roof.server_pct["ior-hard-write"] == pytest.approx(32.8375397, abs=1e-5)
    assert roof.server_pct["ior-easy-read"] == pytest.approx(47.2074463, abs=1e-5)
    # 20693.627959 / 300 / 186.2645149
    assert roof.client_pct["ior-easy-write"] == pytest.approx(37.0326898, abs=1e-5)
    assert not roof.at_least.any()


def test_without_servers_only_the_clients_roof_is_known():
    roof = efficiency.roofline(runs.load("0694")).set_index("phase")
    assert roof.server_pct.isna().all()
    # 1313.924246 / 10 / 186.2645149
    assert roof.client_pct["ior-easy-write"] == pytest.approx(70.5407707, abs=1e-5)
    # small records under an erasure code: only a bound is known
    assert roof.at_least["ior-hard-write"]
    assert efficiency.operations(runs.load("0694")).empty
    words = said(efficiency.said_of_roof(runs.load("0694")))
    assert "How many servers the run had is not told" in words
    assert "What *ior-hard-write* stores per byte" in words


def test_without_stated_hardware_nothing_is_said_of_a_roof():
    run = runs.load("0772")
    assert efficiency.roofline(run).empty
    assert efficiency.operations(run).empty
    words = said(efficiency.said_of_roof(run))
    assert words.startswith("No source at hand states the network cards or drives")
    assert "%" not in words


def test_shares_of_every_roof_that_is_known():
    shares = efficiency.shares(runs.load("0688"))
    assert len(shares) == 4 * 2 + 8
    top = shares.loc[shares.share_pct.idxmax()]
    assert (top.phase, top.roof) == ("mdtest-hard-stat", "peak of operations")
    assert len(efficiency.shares(runs.load("0694"))) == 4
    assert efficiency.shares(runs.load("0772")).empty


def test_operations_under_the_stated_peak():
    share = efficiency.operations(runs.load("0688")).set_index("phase").peak_pct
    # 230086.031462 / 642 / 390.625
    assert share["mdtest-hard-stat"] == pytest.approx(91.7477013, abs=1e-5)
    assert share["mdtest-hard-write"] == pytest.approx(13.4887243, abs=1e-5)


@pytest.mark.parametrize(
    ("phase", "name", "times", "at_least"),
    [
        ("ior-easy-write", "EC_16P1GX", 17 / 16, False),
        ("ior-easy-write", "RP_3GX", 3, False),
        ("ior-easy-write", "SX", 1, False),
        ("ior-hard-write", "EC_16P2GX", 3, True),
        ("ior-hard-write", "RP_2GX", 2, False),
        ("ior-hard-write", "SX", 1, False),
        ("ior-easy-read", "EC_16P1GX", 1, False),
        ("ior-hard-read", "RP_2GX", 1, False),
    ],
)
def test_bytes_on_the_wire(phase, name, times, at_least):
    assert efficiency.on_the_wire(phase, parse(name)) == (times, at_least)


def test_an_unknown_class_moves_each_byte_once():
    assert efficiency.on_the_wire("ior-easy-write", None) == (1, False)


def test_sizing_by_class():
    sizing = efficiency.sizing().set_index("object_class")
    assert sizing.large_write_pct["EC_16P2"] == pytest.approx(1600 / 18)
    assert sizing.small_write_pct["EC_16P2"] == pytest.approx(100 / 3)
    assert sizing.loc["RP_2", ["usable_pct", "large_write_pct"]].tolist() == [50, 50]
    assert sizing.loc["none"].tolist() == [0, 100, 100, 100, 100]
    # the bound for small writes is never above what whole stripes leave
    assert (sizing.small_write_pct <= sizing.large_write_pct + 1e-9).all()
