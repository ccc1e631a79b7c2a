"""Every numeral of the sources has a row of the ledger, or a reason why it is no claim."""

from fractions import Fraction

import pytest

import completeness
import source_texts

#: Rows of numbers whose words hold no numeral: what they say instead.
IN_WORDS = {
    "000-hard-write-halved": "对折",
    "003-45-first": "单线程",
    "003-58-first": "单线程",
    "003-arrays": "单个",
}


@pytest.fixture(scope="module")
def coverage():
    return completeness.coverage()


def test_no_numeral_is_left_over(coverage):
    assert [(n.source, n.line, n.text) for n in coverage.open] == []


def test_every_word_and_reason_fits(coverage):
    assert coverage.idle == []


def test_every_row_of_a_number_covers_a_numeral(coverage):
    assert set(coverage.rows_without) == IN_WORDS.keys()


def test_most_numerals_of_the_documents_have_rows(coverage):
    for source in source_texts.IDS:
        own = [n for n in coverage.numerals if n.source == source]
        assert own
        assert all(bool(n.covers) != bool(n.reason) for n in own)


@pytest.mark.parametrize("name", ["words", "reasons"])
def test_reasons_are_of_the_closed_list(name):
    rows = completeness.table(name)
    assert {row["reason"] for row in rows} <= set(completeness.REASONS)
    keys = [tuple(row.values())[:-1] for row in rows]
    assert len(keys) == len(set(keys))


def test_no_word_is_a_numeral_by_itself():
    for row in completeness.table("words"):
        assert len(row["word"]) > 1
        for source in ("000", "004"):
            found = [n.text for n in completeness.numerals(source, [row["word"]])]
            assert row["word"] not in found or row["word"] == "671951"


@pytest.mark.parametrize(
    ("text", "numeral", "value"),
    [
        ("全系统 1024 台", "1024", 1024),
        ("MD 高达 43,903,983.64 kIOP/s", "43,903,983.64", Fraction("43903983.64")),
        ("约 439 亿次/秒", "439 亿", 439 * 10**8),
        ("超过 13 万亿粒子", "13 万亿", 13 * 10**12),
        ("PyTorch 扫描 110 万文件", "110 万", 1_100_000),
        ("约 63k MPI tasks", "63", 63_000),
        ("达到超过 5M IOPS", "5", 5_000_000),
        ("请求 512 KiB", "512", 512),
        ("十二个阶段", "十二", 12),
        ("每秒上亿次", "亿", 10**8),
        ("十亿级 IOPS", "十亿", 10**9),
        ("百万级进程", "百万", 10**6),
        ("几十 TB/s", "几十", 20),
        ("几百 KiB", "几百", 100),
        ("一半客户端写", "一半", 50),
        ("POSIX 快一倍", "一", 2),
        ("三類訓練負載", "三", 3),
        ("支撐百卡規模", "百", 100),
        ("約三分之一", "三分之一", 3),
        ("兩類", "兩", 2),
    ],
)
def test_what_a_numeral_stands_for(text, numeral, value):
    (found,) = completeness.numerals("000", [text])
    assert found.text == numeral
    assert value in found.values


def test_a_comma_after_a_name_or_date_does_not_group():
    found = [n.text for n in completeness.numerals("000", ["(SC25,192 客户端) 2026-10,800"])]
    assert found == ["25", "192", "2026", "10", "800"]


def test_number_words_count_in_english_texts():
    (found,) = completeness.numerals("004", ["half of the client nodes"])
    assert found.values == {Fraction(50)}
    assert not list(completeness.numerals("000", ["half"]))
