"""Aurora at its several sizes, against arithmetic by hand from lines 202 to 212, 459 to 476."""

import pytest

from storagebook import growth
from storagebook.io500.object_class import parse


def said(sentences):
    return " ".join(template.format(**values) for template, values in sentences)


@pytest.fixture(scope="module")
def rates():
    return growth.rates()


@pytest.fixture(scope="module")
def filling():
    return growth.filling()


def test_each_figure_per_server(rates):
    # 5,723,194.84 / 128, 5,262,890 / 128 in MB/s; 20,693.627959 and 12,122.872205 and
    # 10,066.086553 GiB/s × 1.073741824 / 642; 30 TB/s / 800; 31 TB/s / 1024
    assert dict(zip(rates.figure, rates.per_server_gb_s, strict=True)) == pytest.approx(
        {
            "IOR, highest write": 44.712460,
            "HACC, write": 41.116328,
            "ior-easy-write": 34.609990,
            "ior-easy-read": 20.275444,
            "IO500 BW": 16.835480,
            "highest of 2026": 37.5,
            "stated peak": 30.273438,
        },
        abs=1e-5,
    )
    assert list(rates.servers_count) == [128, 128, 642, 642, 642, 800, 1024]
    # 44.712460 / (40 × 1.073741824), 44.712460 / 50
    first = rates.iloc[0]
    assert first.network_pct == pytest.approx(104.104, abs=1e-3)
    assert first.line_rate_pct == pytest.approx(89.425, abs=1e-3)


def test_every_basis_is_the_tables(rates):
    assert list(rates.basis) == [
        "microbenchmark",
        "application",
        "single-phase",
        "single-phase",
        "benchmark-score",
        "vendor-statement",
        "theoretical-peak",
    ]


def test_the_peak_and_the_network_are_no_ceilings(rates):
    text = said(growth.said_of_rates(rates))
    assert "4 of the other figures are higher per server" in text
    # 44.712460 × 1024 GB/s
    assert "all would write 45.8 TB/s" in text
    assert "104 % of the stated 42.95 GB/s (about 40 GiB/s)" in text
    # 5,723,194.84 MiB/s / 128 = 46.884 GB/s
    assert "line rate of the cards, 50 GB/s, and stays so (46.88 GB/s)" in text


def test_growth_is_told_with_what_round_digits_allow(rates):
    text = said(growth.said_of_growth(rates))
    # 800 / 642; 30 / 22.219614; 25 to 35 TB/s over 800 against 34.609990
    assert "servers grow by 24.6 %, the highest bandwidth told by 35.0 %" in text
    assert "a change of -9.7 to +26.4 %" in text
    # 34.609990 × 17 / 16 = 36.773114; 44.712460 / 36.773114
    assert "44.7 GB/s a server, where *ior-easy-write* has 34.6, or 36.8 with" in text
    assert "22 % more at least" in text
    # ior-hard-write of 0695, and that of 0688 twice
    assert "submission 0695 wrote 10,500 GiB/s in *ior-hard-write*" in text
    assert "where the run moved 8,433 with its copies" in text


def test_clients_carry_more_than_servers():
    frame = growth.clients_against_servers()
    # nodes × 8 × 25 GB/s against servers × 2 × 25 GB/s
    assert list(frame.clients_tb_s) == [102.4, 60.0, 409.6, 819.2, 1638.4]
    assert list(frame.servers_tb_s) == [6.4, 32.1, 40.0, 40.0, 40.0]
    assert "1.9 to 41 times" in said([growth.said_of_clients(frame)])


def test_capacity_of_each_size():
    frame = growth.at_each_scale(parse("EC_16P2GX")).set_index("servers_count")
    assert list(frame.index) == [128, 370, 642, 800, 1024]
    # 1024 × 16 × 15.3 TB; × 16 / 18; 1024 × (16 × 15.3 TB + 16 × 0.512 TB), / 1.125899906842624
    whole = frame.loc[1024]
    assert whole.drives_pb == pytest.approx(250.6752)
    assert whole.usable_pb == pytest.approx(222.8224)
    assert whole.media_pb == pytest.approx(259.063808)
    assert whole.media_pib == pytest.approx(230.094884, abs=1e-6)
    assert whole.network_tb_s == pytest.approx(43.980465, abs=1e-6)
    copies = growth.at_each_scale(parse("RP_2GX")).set_index("servers_count")
    assert copies.usable_pb[800] == pytest.approx(97.92)


def test_each_stated_capacity_is_tried_on_readings():
    frame = growth.capacities()
    fits = {(row.printed, row.reading) for row in frame[frame.fits].itertuples()}
    assert fits == {
        ("about 260 PB", "drives and persistent memory"),
        ("about 220 PB", "drives under EC_16P2GX"),
        ("230 PB", "stated raw capacity under EC_16P2GX"),
        ("230 PB", "drives and persistent memory, in PiB"),
    }
    text = said(growth.said_of_capacity(frame))
    assert "*Raw capacity*, about 260 PB: fits one reading" in text
    assert "230 PB: fits 2 readings" in text
    # 249 / 250.6752
    assert "≤ 249 PB: fits none. Nearest are the drives, -0.7 % away" in text
    # 250.6752 / 2 and / 3
    assert "RP_2GX and RP_3GX would leave 125 and 84 PB" in text


def test_the_pool_is_in_petabytes():
    text = said(growth.pool())
    # 160 × 1.125899906842624; 642 × 252.992 TB; 180.144 PB / 252.992 TB
    assert "160 PiB (line 212), 180.1 PB" in text
    assert "642 servers hold 162.4 PB" in text
    assert "it would take 713 servers" in text
    # 148,161.7 × 1.099511627776 / 1000
    assert "148,161.7 TiB, 162.9 PB or 144.7 PiB" in text
    # (162,905.5 / 642 − 8.192) / 16
    assert "a drive gives it 15.35 TB" in text


def test_the_fill_of_the_file_system(filling):
    own = filling.set_index(["submission", "phase"])
    # 0688: 0.1 to 4.8 %, 7,129,377,275,904,000 B = 6,484.13 TiB of 148,161.7 TiB:
    # 4.6 to 4.8 points are 6,815.4 to 7,111.8 TiB
    row = own.loc[("0688", "ior-easy-write")]
    assert (row.least, row.most) == pytest.approx((1.05109, 1.09680), abs=1e-5)
    assert row.whole_stripes == 1.0625
    # 0772: 28.0 to 41.5 % of 1,234.8 TiB for 79.404 TiB of records under EC_16P1GX
    row = own.loc[("0772", "ior-hard-write")]
    assert (row.least, row.most) == pytest.approx((2.0837, 2.1150), abs=1e-4)
    assert row.object_class == "EC_16P1GX"
    assert row.small == 2


def test_fills_that_the_digit_cannot_show_are_left_out(filling):
    # 0691: 3.6 % before and after 7.7 TB; 0750: two sizes of its file system
    assert ("0691", "ior-hard-write") not in set(
        zip(filling.submission, filling.phase, strict=True)
    )
    assert "0750" not in set(filling.submission)


@pytest.mark.parametrize(
    ("submission", "words"),
    [
        ("0688", ["EC_16P1GX stores 1.0625: what the file system shows."]),
        ("0695", ["SX stores 1: what the file system shows.", "SX stores 1: the fill shows more"]),
        ("0772", ["at least 2: the fill shows the dearer of the two."]),
        ("0736", ["No file names an object class for it."]),
        ("0001", ["do not tell by how much"]),
    ],
)
def test_what_a_fill_says(filling, submission, words):
    text = said(growth.said_of_filling(filling, submission))
    for word in words:
        assert word in text


@pytest.mark.parametrize(
    ("submission", "words"),
    [
        # twelve blocks of 4,096 B for 47,008 B: 49,152 / 47,008 = 1.04561, once or twice
        ("0688", "it would be 2.091, which the fill allows"),
        ("0695", "it would be 1.046, which the fill allows"),
        ("0772", "it would be 2.091, which the fill allows"),
    ],
)
def test_padded_records_fit_every_fill_of_known_class(filling, submission, words):
    assert words in said(growth.said_of_filling(filling, submission))


def test_padded_records_that_a_fill_excludes(filling):
    hard = filling[(filling.submission == "0772") & (filling.phase == "ior-hard-write")]
    (row,) = hard.itertuples()
    assert "which the fill excludes" in growth._padded(row._replace(most=2.09), {})


def test_the_dearest_is_the_small_write_under_a_code(filling):
    row = growth.dearest(filling)
    assert (row.submission, row.phase) == ("0772", "ior-hard-write")


@pytest.mark.parametrize(
    ("least", "most", "expected", "kind", "words"),
    [
        (1.0, 1.1, 1.0625, "whole", "what the file system shows"),
        (1.1, 1.2, 1.0625, "whole", "the fill shows more than the data"),
        (0.8, 0.9, 1.0625, "whole", "the fill shows less"),
        (2.1, 2.2, 2, "small", "the dearer"),
        (1.9, 2.2, 2, "small", "allows either"),
        (1.1, 1.2, 2, "small", "stored together"),
    ],
)
def test_every_verdict_on_a_fill(least, most, expected, kind, words):
    assert words in growth._verdict(least, most, expected, kind)


def test_discrepancies_are_resolved_or_open():
    frame = growth.discrepancies().set_index("figure")
    assert set(frame.standing) == {"resolved", "open"}
    # 128 / 1024, 128 / 370
    assert frame.against["share of 128 servers"] == "12.5 % or 34.6 %"
    # 10,066.086553 / 1024
    assert frame.against["report: > 10 TiB/s"] == "BW: 9.83 TiB/s"
    # 7,129,377,275,904,000 and 9,542,183,367,475,200 B / 2⁵⁰
    assert frame.against["largest file: 8.5 PiB"] == "6.3 PiB moved"
    assert "Submission 0695 moved 8.5 PiB" in frame.why["largest file: 8.5 PiB"]


def test_a_figure_that_is_not_there():
    with pytest.raises(LookupError, match="0 rows"):
        growth.stated("aurora-scale", "colour", "1")
