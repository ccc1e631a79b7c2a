"""The calculators of lists, object classes and accelerators, as a browser works them out."""

from __future__ import annotations

import dataclasses
import random
import re

import pytest

from storagebook import concurrency
from storagebook.io500 import lists, redundancy, runs
from storagebook.io500.object_class import ObjectClass
from storagebook.io500.phases import SCORED
from storagebook.io500.score import scores
from storagebook.mlperf import demand, policy
from storagebook.mlperf.workloads import DEMANDS

pytestmark = pytest.mark.browser

WIDE, NARROW = 1280, 390


class Calculator:
    """One calculator of an open page."""

    def __init__(self, tab, name):
        self.tab, self.figure = tab, f"document.getElementById('chart-{name}')"

    def type_in(self, values):
        for name, text in values.items():
            self.tab.run(
                f"""{{
                    const input = {self.figure}.querySelector('[name="{name}"]');
                    input.value = {str(text)!r};
                    input.dispatchEvent(new Event('input', {{bubbles: true}}));
                    input.dispatchEvent(new Event('change', {{bubbles: true}}));
                }}"""
            )
        self.tab.run(f"{self.figure}.vegaView.runAsync().then(() => 1)")

    def signals(self, *names):
        return [self.tab.run(f"{self.figure}.vegaView.signal('{name}')") for name in names]

    def texts(self):
        shown = f"[...{self.figure}.querySelectorAll('svg text')].map(t => t.textContent)"
        return self.tab.run(shown)


# --- where a score would stand ------------------------------------------------------------------


@pytest.fixture(scope="module")
def standing(tab, book_site):
    tab.open(f"{book_site.as_uri()}/11-the-lists.html", WIDE)
    return Calculator(tab, "standing")


def results():
    """Twenty sets of phases whose scores spread over all printed rows, some phases left out."""
    chance = random.Random(26)
    start = runs.load("0688").values()
    drawn = []
    for number in range(20):
        # from above the first entry down to below the last, most among those in between
        times = 10 ** {0: 0.2, 19: -3}.get(number, -0.8 - 0.085 * number)
        values = {p.column: f"{start[p.name] * times:.6f}" for p in SCORED}
        for column in chance.sample(sorted(values), number // 6):
            if column not in ("ior_easy_write", "find"):
                values[column] = chance.choice(["0", ""])
        drawn.append(values)
    return drawn


def words(first, last):
    if last is None:
        return f"rank {first} or below"
    return f"rank {first}" if first == last else f"rank {first} to {last}"


@pytest.mark.parametrize("values", results(), ids=range(20))
def test_standing_agrees_with_the_library(standing, values):
    standing.type_in(values)
    expected = scores({p.name: float(values[p.column] or 0) for p in SCORED})
    wanted = [expected.bw_gib_s, expected.md_kiops, expected.score]
    numbers = standing.signals("bw_gib_s", "md_kiops", "score")
    assert numbers == pytest.approx(wanted, rel=1e-12)
    texts = standing.texts()
    for number, on in enumerate((lists.production(), lists.ten_node()), 1):
        first, last = lists.standing(expected.score, on)
        assert standing.signals(f"first_{number}", f"last_{number}") == [first, last or 0]
        assert f"{on.name}: {words(first, last)}, unverified" in texts


def test_the_twenty_stand_in_many_places():
    on = lists.production()
    places = {
        lists.standing(scores({p.name: float(v[p.column] or 0) for p in SCORED}).score, on)
        for v in results()
    }
    assert len(places) >= 5


# --- what an object class takes -----------------------------------------------------------------


@pytest.fixture(scope="module")
def classes(tab, book_site):
    tab.open(f"{book_site.as_uri()}/12-redundancy-cost.html", WIDE)
    return Calculator(tab, "class-calculator")


@pytest.fixture(scope="module")
def ranges():
    return redundancy.ranges(redundancy.all_changes(redundancy.pairs()))


def choices():
    """Twenty choices: the classes that pairs show, others, and numbers that count as one."""
    chance = random.Random(47008)
    known = [("erasure code", 16, 1, 2), ("erasure code", 2, 1, 2), ("replication", 16, 1, 2)]
    odd = [("none", 4, 2, 3), ("erasure code", "", 0, 2), ("replication", 8, 1, "1.9")]
    drawn = [
        (
            chance.choice(["erasure code", "replication"]),
            chance.randint(1, 32),
            chance.randint(1, 4),
            chance.randint(2, 6),
        )
        for _ in range(14)
    ]
    return [
        {
            "protection": kind,
            "data_cells": data,
            "parity_cells": parity,
            "replicas": copies,
            "raw_tb": f"{chance.uniform(1, 300_000):.3f}",
        }
        for kind, data, parity, copies in (*known, *odd, *drawn)
    ]


def whole(text):
    return max(1, int(float(text or 0)))


def chosen(choice):
    if choice["protection"] == "erasure code":
        return ObjectClass(
            data_cells=whole(choice["data_cells"]), parity_cells=whole(choice["parity_cells"])
        )
    if choice["protection"] == "replication":
        return ObjectClass(replicas=whole(choice["replicas"]))
    return ObjectClass()


def said(row):
    """As the page prints a range: with true minus signs."""
    least, most = (f"{end:+.1f}".replace("-", "−") for end in (row.least_pct, row.most_pct))
    reach, pairs = (f"{least} to {most}", "pairs") if row.pairs > 1 else (least, "pair")
    return f"{reach} %, {row.pairs} {pairs}"


@pytest.mark.parametrize("choice", choices(), ids=range(20))
def test_class_calculator_agrees_with_the_library(classes, ranges, choice):
    classes.type_in(choice)
    expected = chosen(choice)
    numbers = classes.signals(
        "write_amplification", "usable_pct", "usable_tb", "losses", "least_small_write"
    )
    assert numbers == pytest.approx(
        [
            float(expected.write_amplification),
            float(expected.usable_share * 100),
            float(choice["raw_tb"]) * float(expected.usable_share),
            expected.losses,
            expected.least_small_write,
        ],
        rel=1e-12,
    )
    code = redundancy.code(expected)
    assert classes.signals("code") == [code]
    own = ranges[ranges.code == code]
    texts = classes.texts()
    for row in own.itertuples():
        assert said(row) in texts
    assert sum(re.search(r"%, \d+ pairs?$", text) is not None for text in texts) == len(own)
    assert texts.count("no pair at hand") == len(SCORED) - own.metric.nunique()


def test_the_twenty_hold_classes_that_pairs_show(ranges):
    codes = {redundancy.code(chosen(choice)) for choice in choices()}
    assert set(ranges.code) <= codes
    assert len(codes) > 10


@pytest.mark.parametrize("width", [WIDE, NARROW])
def test_class_inputs_are_labelled_and_large_enough(tab, classes, width):
    tab.open(tab.run("location.href"), width)
    boxes = tab.run(
        f"""[...{classes.figure}.querySelectorAll('input, select')].map(input => ({{
            label: input.closest('label').innerText.trim(),
            width: input.getBoundingClientRect().width,
            fits: input.scrollWidth <= input.clientWidth,
        }}))"""
    )
    labels = ["protection", "data cells", "parity cells", "copies", "raw capacity, TB"]
    assert [box["label"].splitlines()[0] for box in boxes] == labels
    assert all(box["fits"] and box["width"] >= 100 for box in boxes)


# --- what is in flight --------------------------------------------------------------------------


@pytest.fixture(scope="module")
def flight(tab, book_site):
    tab.open(f"{book_site.as_uri()}/21-concurrency-and-interfaces.html", WIDE)
    return Calculator(tab, "in-flight-calculator")


def nodes():
    """Twenty nodes: those of the thresholds, others below and beyond a full network."""
    chance = random.Random(431)
    known = [(32, 1, 1024, 335.5, 200), (1, 16, 64, 41.9, 25), (1, 128, 1024, 336, 25)]
    drawn = [
        (
            chance.randint(1, 256),
            chance.choice([1, 2, 4, 16, 0.5]),
            chance.choice([4, 45.90625, 64, 256, 1024, 16384]),
            round(chance.uniform(10, 20_000), 2),
            chance.choice([12.5, 25, 50, 200]),
        )
        for _ in range(17)
    ]
    names = ("processes", "each", "request_kib", "time_us", "network_gb_s")
    return [dict(zip(names, one, strict=True)) for one in (*known, *drawn)]


@pytest.mark.parametrize("node", nodes(), ids=range(20))
def test_flight_calculator_agrees_with_the_library(flight, node):
    flight.type_in(node)
    expected = concurrency.little(**node)
    numbers = flight.signals(
        "operations",
        "held_mib",
        "bandwidth_gib_s",
        "rate_kiops",
        "share_pct",
        "full_us",
        "needed_each",
    )
    assert numbers == pytest.approx(list(dataclasses.astuple(expected)), rel=1e-12)
    assert f"{expected.share_pct:.1f} % of network" in flight.texts()


def test_the_twenty_hold_full_networks_and_others():
    shares = [concurrency.little(**node).share_pct for node in nodes()]
    assert 4 <= sum(share > 99.999 for share in shares) <= 16


def test_an_empty_input_moves_nothing(flight):
    flight.type_in(nodes()[0] | {"request_kib": ""})
    assert flight.signals("bandwidth_gib_s", "held_mib", "needed_each") == [0, 0, 0]
    assert "–" in flight.texts()


# --- accelerators and the bandwidth that they read -----------------------------------------------


@pytest.fixture(scope="module")
def accelerators(tab, book_site):
    tab.open(f"{book_site.as_uri()}/31-mlperf-storage.html", WIDE)
    return Calculator(tab, "accelerator-calculator")


PAIRS = [pair for pair, one in DEMANDS.items() if "v1.0" in one.rounds]


def shares():
    """Twenty inputs over all pairs: bandwidths near what is read, far from it, and odd numbers."""
    chance = random.Random(2959)
    drawn = []
    for number in range(20):
        workload, name = PAIRS[number % len(PAIRS)]
        count, busy = chance.randint(1, 2000), round(chance.uniform(60, 100), 2)
        asked = float(demand.ideal(workload, name, count, busy).mid)
        read = asked * chance.choice([0.9, 0.97, 0.999, 1.05, 1.071, 2])
        drawn.append(
            {
                "pair": f"{policy.workload_name(workload)} on {name.upper()}",
                "accelerators": count,
                "au_pct": busy,
                "bandwidth": f"{read:.4f}",
                "unit": chance.choice(demand.UNITS),
            }
        )
    return [
        *drawn,
        {**drawn[0], "accelerators": "", "au_pct": 101},
        {**drawn[1], "accelerators": 0, "au_pct": 0},
    ]


@pytest.mark.parametrize("values", shares(), ids=range(22))
def test_accelerators_agree_with_the_library(accelerators, values):
    accelerators.type_in(values)
    pair = PAIRS[
        [f"{policy.workload_name(w)} on {a.upper()}" for w, a in PAIRS].index(values["pair"])
    ]
    count = whole(values["accelerators"])
    busy = min(100.0, max(1.0, float(values["au_pct"])))
    offered = float(values["bandwidth"])
    read = demand.bandwidth(*pair, count, busy)
    kept = demand.accelerators(*pair, offered * demand.MEANINGS[values["unit"]], busy)
    told = demand.which_unit(offered, *pair, count, busy)
    numbers = accelerators.signals(
        "least_gib_s", "most_gib_s", "least_accelerators", "most_accelerators"
    )
    assert numbers == pytest.approx([*read.floats(), *kept.floats()], rel=1e-12)
    ratios = [float(told.ratios[unit].mid) for unit in demand.UNITS]
    assert accelerators.signals("ratio_gib", "ratio_gb") == pytest.approx(ratios, rel=1e-12)
    assert accelerators.signals("answer") == [told.answer]
    assert told.answer in accelerators.texts()


def test_the_twenty_have_every_answer():
    answers = set()
    for values in shares():
        pair = next(
            p for p in PAIRS if f"{policy.workload_name(p[0])} on {p[1].upper()}" == values["pair"]
        )
        busy = min(100.0, max(1.0, float(values["au_pct"])))
        told = demand.which_unit(
            float(values["bandwidth"]), *pair, whole(values["accelerators"]), busy
        )
        answers.add(told.answer)
    assert answers == {"GiB/s", "GB/s", "undecided", "neither"}
