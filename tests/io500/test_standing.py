"""A run among others, against places and percentiles counted by hand."""

import dataclasses
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from storagebook.compare import Refused
from storagebook.errors import StoragebookError
from storagebook.intervals import Interval
from storagebook.io500 import card, lists, public, standing
from storagebook.io500.phases import SCORED
from storagebook.io500.run import Printed
from storagebook.io500.score import Score

ROOT = Path(__file__).parents[2]
FIXTURES = ROOT / "tests" / "fixtures" / "io500"
SAMPLE, _ = card.load(ROOT / "data" / "samples" / "io500-small-vm")
STANDARD, _ = card.load(FIXTURES / "standard")


def scored(score: float, **known) -> card.Card:
    """A valid run with this score: all twelve phases alike, at ten client nodes."""
    phases = {
        p.name: dataclasses.replace(
            STANDARD.phases[p.name], value=Printed(repr(score), score), unit=p.unit
        )
        for p in SCORED
    }
    text = Printed(f"{score:.6f}", score)
    return dataclasses.replace(
        STANDARD,
        phases=phases,
        printed=Score(text, text, text),
        known={**STANDARD.known, **known},
    )


def figure(found, name):
    return next(f for f in found.figures if f.name == name)


PRODUCTION = standing.reference("production-isc26")


@pytest.mark.parametrize(
    ("score", "first", "last"),
    [
        # ranks that the source prints: 1 to 7, then 15 (324.54) and 20 (187.84), of 46 entries;
        # Leonardo's score (648.96) without its rank stands between 7 and 15
        (40_000.0, 1, 1),
        (5_000.0, 2, 2),
        (830.0, 4, 4),
        (400.0, 9, 15),
        (200.0, 16, 20),
        (50.0, 21, 47),
        # the digits of an entry allow both sides of it
        (826.86, 4, 5),
    ],
)
def test_a_place_in_a_partly_known_list_is_an_interval(score, first, last):
    found = standing.stand(scored(score), PRODUCTION)
    assert (found.place.first, found.place.last) == (first, last)
    assert found.place.entries_count == 46
    assert found.figures == ()


def test_a_list_of_unknown_length_has_no_last_place():
    ten = standing.reference("ten-node-isc26")
    assert ten.scores.size is None
    assert str(standing.stand(scored(1.0), ten).place) == "7 or below"
    assert str(standing.stand(scored(700.0), ten).place) == "3"


def test_an_entry_of_the_list_has_its_stated_rank():
    found = standing.stand(card.public("0772"), PRODUCTION)
    assert (found.place.first, found.place.last) == (2, 2)
    assert found.place.entry.label == "SuperMUC-NG-Phase2-EC (LRZ)"


@pytest.mark.parametrize(
    ("run", "name"),
    [
        # a source puts it on the other list
        (card.public("0772"), "ten-node-isc26"),
        (card.public("0694"), "production-isc26"),
        # one client node where the list asks for ten
        (SAMPLE, "ten-node-isc26"),
    ],
)
def test_another_list_is_refused(run, name):
    with pytest.raises(Refused, match="IO500 messaging policy"):
        standing.stand(run, standing.reference(name))


def test_an_invalid_run_has_no_place_but_percentiles():
    found = standing.stand(SAMPLE, standing.reference("public"))
    assert found.place is None
    assert standing.stand(SAMPLE, PRODUCTION).why_no_place.startswith("the run is invalid")
    assert figure(found, "find").percentile is not None
    assert any("unverified" in line for line in found.beside)
    assert any("invalid" in line for line in found.beside)


def test_runs_of_several_lists_are_not_ranked_together():
    found = standing.stand(card.public("0688"), standing.reference("public"))
    assert found.place is None
    assert "several lists" in found.why_no_place


def test_percentiles_count_the_lower_results():
    runs = public.counted(public.frame())
    own = card.public("0688")
    found = standing.stand(own, standing.reference("public"))
    write = figure(found, "ior-easy-write")
    # 20,693.63 GiB/s; one run at hand has more: 0695 with 21,029.85
    others = runs[runs.submission != "0688"]["ior-easy-write"].dropna()
    assert (others > 20_693.63).sum() == 1
    assert write.count == len(others)
    assert write.percentile == pytest.approx(100 * (len(others) - 1) / len(others))
    # 31,200 to 124,800 processes: 0695 (31,200) and 0660 (36,000), but not 0109/KAUST, whose
    # 32,768 processes ran on 1,024 nodes, more than twice 300
    assert found.scale.same_count == 2
    assert write.same_count == 2


def test_same_scale_means_a_stated_factor():
    own = card.public("0688")
    found = standing.stand(own, standing.reference("public"), factor=4.0)
    assert str(found.scale) == (
        "15,600 to 249,600 processes, and 75 to 1,200 client nodes where a run states them"
    )
    close = standing.same_scale(own, standing.reference("public"), 4.0)
    assert close.procs_count.between(15_600, 249_600).all()
    assert close.nodes_count.dropna().between(75, 1_200).all()
    assert own.key not in set(close.label)
    assert list(close.score) == sorted(close.score, reverse=True)


def test_a_small_run_has_no_neighbours_and_says_who_is_nearest():
    found = standing.stand(SAMPLE, standing.reference("public"))
    assert found.scale.same_count == 0
    assert figure(found, "find").same_percentile is None
    label, procs = found.scale.nearest
    assert procs == 10
    assert "0109/sonasad" in label


def test_a_run_that_states_no_processes_is_of_no_scale():
    unknown = dataclasses.replace(SAMPLE, settings={**SAMPLE.settings, "procs_count": None})
    found = standing.stand(unknown, standing.reference("public"))
    assert found.scale.same_count == 0
    assert found.scale.nearest is None
    assert "does not state its processes" in str(found.scale)


class TestExport:
    """A list's CSV: Alpha is the standard run, rounded; Beta and Gamma are lower."""

    export = standing.reference(FIXTURES / "list.csv")

    def test_a_whole_list_gives_one_place(self):
        found = standing.stand(scored(50.0), self.export)
        assert (found.place.first, found.place.last, found.place.entries_count) == (3, 3, 3)

    def test_an_entry_is_not_its_own_rival(self):
        found = standing.stand(STANDARD, self.export)
        assert found.place.entry.label == "Alpha (line 2)"
        assert found.place.first == 1
        assert figure(found, "ior-easy-read").count == 2
        # Beta writes 25 GiB/s in ior-hard, Gamma 4; the run 58.12
        assert figure(found, "ior-hard-write").percentile == 100.0
        # Gamma states no find
        assert figure(found, "find").count == 1

    def test_what_is_no_list_is_refused(self):
        with pytest.raises(StoragebookError, match="no list of IO500 results"):
            standing.reference(FIXTURES / "standard")
        with pytest.raises(StoragebookError):
            standing.reference("production-sc99")


@given(st.floats(0.001, 1e6), st.lists(st.floats(0.001, 1e6), min_size=1, max_size=12), st.data())
def test_what_is_not_known_only_widens_a_place(own, others, data):
    ranked = sorted(others, reverse=True)
    entries = tuple(
        lists.Entry(str(rank), Interval.point(value), rank, rank)
        for rank, value in enumerate(ranked, 1)
    )
    kept = data.draw(st.sets(st.sampled_from(entries), min_size=1))
    whole, part = (
        dataclasses.replace(PRODUCTION, scores=lists.ListedScores("any", known, len(entries)))
        for known in (entries, tuple(e for e in entries if e in kept))
    )
    run = scored(own)
    inner, outer = (standing.stand(run, one).place for one in (whole, part))
    assert 1 <= outer.first <= inner.first <= inner.last <= outer.last <= len(entries) + 1
    if own not in ranked:
        assert inner.first == inner.last == 1 + sum(value > run.score().score for value in ranked)


@given(st.floats(0.001, 1e6), st.floats(0.001, 1e6))
def test_a_better_result_is_at_no_lower_percentile(a, b):
    runs = pd.DataFrame({p.name: [1.0, 10.0, 100.0, 1e5] for p in SCORED}).assign(
        label=list("wxyz"), procs_count=64, nodes_count=pd.NA, score=1.0,
        bandwidth_gib_s=1.0, metadata_kiops=1.0,
    )  # fmt: skip
    against = dataclasses.replace(standing.reference("public"), runs=runs)
    low, high = (
        figure(standing.stand(scored(value), against), "find").percentile
        for value in sorted((a, b))
    )
    assert 0 <= low <= high <= 100
