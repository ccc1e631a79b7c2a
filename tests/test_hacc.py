"""HACC on Aurora against the arithmetic done by hand from lines 206–208, 463 and 473–481."""

import pytest

from storagebook import hacc
from storagebook.errors import StoragebookError

# as printed on lines 476 and 477, in MB/s; on line 208 in GB/s
HACC_DAOS, IOR_DAOS, HACC_LUSTRE, PEAK = 5_262_890, 5_723_194.84, 597_492, 600_000
OTHER_PEAK = 650_000
# 40 GiB/s and 200 Gbit/s in MB/s
NETWORK, CARD = 40 * 1024**3 / 1e6, 25_000


def said(sentences):
    return " ".join(template.format(**values) for template, values in sentences)


def test_rates_are_in_one_unit():
    found = hacc.rates().set_index("figure").bandwidth_tb_s
    assert found.to_dict() == pytest.approx(
        {
            "HACC on DAOS": 5.26289,
            "IOR on DAOS": 5.72319484,
            "network cards of the DAOS servers": 5.497558139,
            "HACC on Lustre": 0.597492,
            "Lustre's peak, section 6.1": 0.6,
            "Lustre's peak, section 3.1": 0.65,
        }
    )


def test_rates_say_what_the_source_calls_an_approximation():
    texts = hacc.rates().stated
    assert list(texts[texts.str.startswith("about")]) == ["about 600,000 MB/s", "about 650 GB/s"]


def test_the_ratio_over_each_base():
    common, frame = hacc.over_lustre()
    by_hand = [
        *(HACC_DAOS / base for base in (HACC_LUSTRE, PEAK, OTHER_PEAK)),
        *(IOR_DAOS / base for base in (HACC_LUSTRE, PEAK, OTHER_PEAK)),
    ]
    assert list(frame.ratio) == pytest.approx(by_hand)
    assert [f"{ratio:.1f}" for ratio in by_hand] == ["8.8", "8.8", "8.1", "9.6", "9.5", "8.8"]
    assert list(frame.as_quoted) == [True, True, False, False, False, True]
    assert (frame.least < frame.ratio).all()
    assert (frame.ratio < frame.most).all()
    assert "servers: 128 against unknown" in common


def test_a_ratio_of_two_kinds_of_figure_names_them():
    _, frame = hacc.over_lustre()
    same, other = frame.differs[0], frame.differs[1]
    assert "basis" not in same
    assert "basis: application against theoretical-peak" in other


def test_which_ratios_are_the_quoted_one():
    text = said(hacc.said_of_ratios(hacc.over_lustre()[1]))
    assert text.startswith("3 of these 6 print as 8.8: HACC on DAOS over HACC on Lustre;")
    assert "over the peak of section 3.1 the second is 8.1" in text
    # 128 × 244.8 TB
    assert "31.3 PB of NVMe" in text
    assert "against Lustre's about 100 PB" in text


def test_the_share_of_each_limit():
    frame = hacc.of_limits()
    by_hand = [
        HACC_DAOS / IOR_DAOS,
        HACC_DAOS / (128 * NETWORK),
        HACC_DAOS / (128 * 2 * CARD),
        HACC_DAOS / (31e6 / 1024 * 128),
        HACC_DAOS / (30e6 / 800 * 128),
    ]
    assert list(frame.share_pct) == pytest.approx([100 * one for one in by_hand])
    assert list(frame.as_quoted) == [True, False, False, False, False]
    text = said(hacc.said_of_limits(frame))
    assert "holds for IOR on the same pool alone: 91.9571 to 91.9573 %" in text
    assert "2 of the 5 bases lie below" in text


def test_one_limit_below_is_said_in_the_singular():
    frame = hacc.of_limits()
    assert "1 of the 3 bases lies below" in said(hacc.said_of_limits(frame.iloc[[0, 1, 3]]))


def test_the_share_by_unit():
    frame = hacc.by_unit().set_index(["hacc_unit", "ior_unit"]).share_pct
    mib = 1.048576
    assert frame["MB/s", "MB/s"] == pytest.approx(100 * HACC_DAOS / IOR_DAOS)
    assert frame["MiB/s", "MiB/s"] == pytest.approx(100 * HACC_DAOS / IOR_DAOS)
    assert frame["MB/s", "MiB/s"] == pytest.approx(100 * HACC_DAOS / (IOR_DAOS * mib))
    assert frame["MiB/s", "MB/s"] == pytest.approx(100 * HACC_DAOS * mib / IOR_DAOS)


def test_rates_of_a_server():
    frame = hacc.per_server().set_index("figure")
    assert frame.per_server_gb_s.to_dict() == pytest.approx(
        {
            "IOR on the pool": IOR_DAOS / 128 / 1e3,
            "HACC on the pool": HACC_DAOS / 128 / 1e3,
            "throughput of 2026": 37.5,
            # 20,693.63 GiB/s of 642 servers
            "ior-easy-write, submission 0688": 20_693.63 * 1.073741824 / 642,
            "stated peak of all servers (≥)": 31_000 / 1024,
        }
    )
    assert list(frame.per_server_gb_s) == sorted(frame.per_server_gb_s, reverse=True)
    ior = frame.loc["IOR on the pool"]
    assert ior.of_network_pct == pytest.approx(100 * IOR_DAOS / 128 / NETWORK)
    assert ior.of_line_rate_pct == pytest.approx(100 * IOR_DAOS / 128 / (2 * CARD))


def test_ior_is_above_the_cards_as_stated_and_within_about():
    text = said(hacc.against_network())
    assert "44.71 GB/s to each server, 104.1 % of the 40 GiB/s" in text
    assert "which the source's “about” allows" in text
    assert "the 2 would carry 50 GB/s, and IOR would use 89.4 %" in text


def test_neither_side_is_shown_to_be_full():
    text = said(hacc.room_left())
    assert "takes 99.6 %;" in text
    assert "for the same system, 91.9 %" in text
    assert "takes 92.0 % of what IOR reached" in text


def test_the_runs_of_2026():
    text = said(hacc.production())
    assert "more than 85 PB, of which about 8 PB was kept: 9.4 %" in text
    # 13e12 / 8,100 and 646.7e9 / 512
    assert "at least 1,605 million a node; the run above had 1,263 million" in text
    # 85e15 / 5.26289e12 / 3,600 and 85e15 / 30e12 / 60
    assert "take 4.5 hours" in text
    assert "47 minutes" in text


def test_all_servers():
    text = said(hacc.at_scale())
    assert "37.5 GB/s a server, 84 % of what IOR wrote" in text
    # 8,192 / 800 and 512 / 128
    assert "at most 10.2 clients to a server, against 4.0" in text
    # 5.72319484 / 128 × 1,024
    assert "they would reach 45.8 TB/s" in text


def test_how_large_the_runs_were():
    # 512 × 12; 646.7e9 / 6,144
    text = said(hacc.setup())
    assert "512 client nodes of 12 ranks make 6,144 ranks" in text
    assert "105 million for each rank" in text


def test_a_figure_that_is_not_stated_is_an_error():
    with pytest.raises(StoragebookError, match="names 0 numbers"):
        hacc.stated("colour")
