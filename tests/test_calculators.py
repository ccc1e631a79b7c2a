"""The calculators' specifications: what they start with, drawn by the bundled Vega."""

import html
import re

import pytest
import vl_convert

from storagebook import calculators, concurrency
from storagebook.io500 import lists, redundancy, runs
from storagebook.io500.object_class import parse
from storagebook.mlperf import public


def texts(spec) -> list[str]:
    """The words of the drawing, 700 px wide."""
    drawing = vl_convert.vegalite_to_svg({**spec, "width": 700}, vl_version="6.4")
    return [html.unescape(t) for t in re.findall(r"<text[^>]*>([^<]*)</text>", drawing)]


@pytest.fixture(scope="module")
def changes():
    return redundancy.all_changes(redundancy.pairs())


@pytest.mark.parametrize(
    ("submission", "production", "ten_node"),
    [
        # 32,165.926368; 1,386.412234; 324.543338, of which no printed entry need be above or below
        ("0688", "rank 1 to 2", "rank 1"),
        ("0668", "rank 3", "rank 2"),
        ("0703", "rank 9 to 20", "rank 6 or below"),
    ],
)
def test_standing_starts_at_the_submission(submission, production, ten_node):
    run = runs.load(submission)
    shown = texts(calculators.standing(run.values(), lists.production(), lists.ten_node()))
    assert f"ISC26 production: {production}, unverified" in shown
    assert f"ISC26 10 Node Production: {ten_node}, unverified" in shown
    assert f"{run.score().score:,.2f}" in shown


def test_standing_without_a_score_has_no_rank():
    nothing = dict.fromkeys(runs.load("0688").values(), 0.0)
    shown = texts(calculators.standing(nothing, lists.production()))
    assert "ISC26 production: no score, unverified" in shown


def test_standing_needs_every_phase():
    with pytest.raises(KeyError):
        calculators.standing({"find": 1.0}, lists.production())


@pytest.mark.parametrize(
    ("name", "raw", "wanted"),
    [
        (
            "EC_16P1GX",
            1000,
            ["941.2", "94.1 % of raw", "1.0625", "≥ 2", "survives 1 loss"],
        ),
        ("RP_3GX", 90, ["30.0", "33.3 % of raw", "3", "≥ 3", "survives 2 losses"]),
        ("SX", 12.5, ["12.5", "100.0 % of raw", "1", "≥ 1", "survives 0 losses"]),
    ],
)
def test_a_class_is_worked_out(changes, name, raw, wanted):
    shown = texts(calculators.object_class(changes, parse(name), raw))
    assert set(wanted) <= set(shown)


def test_ranges_are_those_of_the_same_protection(changes):
    shown = texts(calculators.object_class(changes, parse("EC_16P1GX")))
    assert "−21.4 to −1.6 %, 7 pairs" in shown
    assert "−80.1 to −43.3 %, 3 pairs" in shown
    # mdtest and find have no pair with a code
    assert shown.count("no pair at hand") == 8
    copies = texts(calculators.object_class(changes, parse("RP_2GX")))
    assert "−70.4 to −51.5 %, 5 pairs" in copies
    assert copies.count("no pair at hand") == 2


def test_where_no_pair_is_at_hand_nothing_is_guessed(changes):
    shown = texts(calculators.object_class(changes, parse("EC_8P2GX")))
    assert shown.count("no pair at hand") == 12
    assert not [text for text in shown if re.search(r"\d pairs?$", text)]
    single = texts(calculators.object_class(changes, parse("EC_2P1GX")))
    assert "−36.4 %, 1 pair" in single


# -- accelerators and bandwidth


def accelerators_of(pair, count, au_pct, bandwidth):
    return texts(calculators.accelerators(public.ratios(), pair, count, au_pct, bandwidth))


@pytest.mark.parametrize(
    ("pair", "count", "au_pct", "bandwidth", "wanted"),
    [
        # 40 x 2.95891 x 0.927 = 109.72 GiB/s, by 0.83297 and 0.99726
        (
            ("unet3d", "h100"),
            40,
            92.7,
            108.0,
            {"91.4–109.4", "785–940 Gbit/s", "39–47", "undecided"},
        ),
        # 500 x 0.190694 x 0.95 = 90.58 GiB/s, by 0.99332 and 0.99998
        (("resnet50", "h100"), 500, 95.0, 90.0, {"90.0–90.6", "496–500", "GiB/s"}),
        (("cosmoflow", "a100"), 100, 70.0, 1.0, {"neither", "2–3"}),
    ],
)
def test_accelerators_are_worked_out(pair, count, au_pct, bandwidth, wanted):
    assert wanted <= set(accelerators_of(pair, count, au_pct, bandwidth))


def test_only_calibrated_pairs_are_offered():
    spec = calculators.accelerators(public.ratios(), ("unet3d", "h100"), 1, 90.0, 1.0)
    (options,) = (p["bind"]["options"] for p in spec["params"] if p["name"] == "pair")
    assert options == [
        "3D U-Net on A100",
        "3D U-Net on H100",
        "ResNet-50 on A100",
        "ResNet-50 on H100",
        "CosmoFlow on A100",
        "CosmoFlow on H100",
    ]


@pytest.mark.parametrize(
    ("changed", "wanted"),
    [
        # 32 MiB over 335.5 µs and 200 GB/s
        ({}, ["93.1", "50.0 % of network", "32.0", "32 operations", "2.00", "one takes 336 µs"]),
        # 320 MiB wait for 200 GB/s
        ({"each": 10}, ["186.3", "100.0 % of network", "320.0", "one takes 1,678 µs"]),
        ({"request_kib": ""}, ["–"]),
    ],
)
def test_what_is_in_flight_is_worked_out(changed, wanted):
    shown = texts(calculators.in_flight(concurrency.start() | changed))
    assert set(wanted) <= set(shown)
