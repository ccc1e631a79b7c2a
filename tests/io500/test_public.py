"""All public runs as one frame, counted by hand in the derived tables."""

import pytest

from storagebook.errors import StoragebookError
from storagebook.io500 import public
from storagebook.io500.phases import SCORED

RUNS = public.frame()


def row(label):
    return RUNS[RUNS.label == label].iloc[0]


def test_a_row_a_run_a_column_a_phase():
    assert RUNS.label.is_unique
    assert RUNS.submission.nunique() == 206
    aurora = row("Aurora (0688)")
    assert aurora.family == "DAOS"
    assert aurora["ior-hard-write"] == 4216.340094
    assert aurora.score == 32165.926368
    assert (aurora.year, aurora.procs_count) == (2023, 62_400)


def test_what_nobody_can_explain_is_no_figure():
    old = row("unnamed (0109/JCAHPC-17__jcahpc)")
    assert old[[p.name for p in SCORED]].isna().all()
    assert old.left_out == "unit-undecided"
    assert old.year == 2017


def test_a_product_of_means_is_no_score():
    # sqrt(560.104 * 33.8903); the file prints 18982.0925 as total
    assert row("unnamed (0109/JCAHPC__results)").score == pytest.approx(137.77907, abs=1e-5)


def test_runs_that_count_for_no_distribution():
    left_out = RUNS[RUNS.left_out.notna()]
    assert left_out.left_out.value_counts().to_dict() == {
        "duplicate": 2,
        "marked-invalid": 2,
        "unit-undecided": 1,
    }
    counted = public.counted(RUNS)
    assert len(counted) == len(RUNS) - 5
    assert (counted.score > 0).all()


@pytest.mark.parametrize(
    ("selection", "text"),
    [
        (public.Selection(), "of any file system and any number of processes"),
        (public.Selection("DAOS", 1_000), "of DAOS with at least 1,000 processes"),
    ],
)
def test_a_selection_says_what_it_is(selection, text):
    assert str(selection) == text


def test_a_selection_takes_what_fits_and_nothing_unknown():
    chosen = public.Selection("DAOS", 20_000).of(RUNS)
    assert set(chosen.submission) == {"0688", "0695", "0772", "0773"}
    assert set(public.Selection("WekaIO").of(RUNS).family) == {"WekaIO"}
    assert len(public.Selection().of(RUNS)) == len(RUNS)


def test_an_empty_selection_is_refused():
    with pytest.raises(StoragebookError, match="no public run at hand is of Gfarm with at least"):
        public.Selection("Gfarm", 1_000_000).of(RUNS)


def test_the_frame_is_a_copy():
    changed = public.frame()
    changed["score"] = 0.0
    assert (public.frame().score.dropna() > 0).all()
