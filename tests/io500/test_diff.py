"""What differs between two runs, against what their files say."""

import dataclasses
import functools
import itertools
import math
import shutil
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storagebook import paths
from storagebook.io500 import card, diff, options
from storagebook.io500.run import Config, Option

ROOT = Path(__file__).parents[2]
FIXTURES = ROOT / "tests" / "fixtures" / "io500"
STANDARD = FIXTURES / "standard" / "2031.02.03-04.05.06"
FOLDERS = [STANDARD, *(FIXTURES / name for name in ("invalid", "rnd4k", "extended", "shell"))]
NUMBERS = ["0683", "0772", "0688", "0694", "0774", "0001", "0109/JCAHPC-17__jcahpc", "0028/results"]


@functools.cache
def one(named):
    return card.load(named)[0]


def settings_of(found):
    return {(c.label, c.phases): (c.a, c.b) for c in found.differing}


def phase_of(found, name):
    return next(p for p in found.phases if p.phase == name)


class TestTwoRunsOfOneSite:
    """Submissions 0683 and 0772, LRZ: result.txt and config.ini of both, read by hand."""

    found = diff.diff(card.public("0683"), card.public("0772"))

    def test_every_setting_that_differs(self):
        easy = ("ior-easy-write", "ior-easy-read")
        hard = ("ior-hard-write", "ior-hard-read")
        assert settings_of(self.found) == {
            ("processes", ()): (6480, 21504),
            # the source states the first, the run's output the second
            ("client nodes", ()): (90, 192),
            ("version", ()): ("io500-isc23", "io500-isc25_v2-13"),
            ("object class", hard): ("RP_2GX", "EC_16P1GX"),
            ("chunk size", easy): ("not set", 4_194_304),
            ("chunk size", hard): (470_080, 4_194_304),
            ("transfer size", easy): (1_048_576, 4_194_304),
            ("layout", easy): ("single-shared-file", "file-per-process"),
        }

    def test_what_one_side_does_not_know_is_not_called_equal(self):
        unknown = {c.label: (c.a, c.b) for c in self.found.unknown}
        assert unknown["segments"] == (None, None)
        versions = diff.diff(one("0001"), one("0683")).unknown
        assert [(c.a, c.b) for c in versions if c.label == "version"] == [(None, "io500-isc23")]

    def test_the_change_of_a_phase_by_score_and_at_the_stonewall(self):
        hard = phase_of(self.found, "ior-hard-write")
        # 252.427284 → 195.535950 GiB/s, 255.87 → 209.36 at the stonewall
        assert hard.result.change_pct == pytest.approx(-22.5377, abs=1e-4)
        assert hard.stonewall.change_pct == pytest.approx(-18.1772, abs=1e-4)
        assert (hard.seconds.a.text, hard.seconds.b.text) == ("310.569", "416.332")
        assert hard.result.ratio.contains(Fraction("195.535950") / Fraction("252.427284"))
        # six decimals leave the ratio no room; two decimals of the stonewall do
        assert hard.stonewall.ratio.width > hard.result.ratio.width

    def test_the_factors_of_the_phases_multiply_to_that_of_the_score(self):
        factors = [p.score_factor for p in self.found.phases if p.score_factor is not None]
        assert len(factors) == 12
        # 3470.216148 / 2508.846865
        assert math.prod(factors) == pytest.approx(1.3831917, abs=1e-7)
        assert self.found.score.times == pytest.approx(1.3831917, abs=1e-7)

    def test_a_phase_of_one_run_only_has_no_change(self):
        extra = phase_of(self.found, "ior-rnd4K-easy-read")
        assert extra.result.a is None
        assert extra.result.b.text == "218.311055"
        assert extra.result.change_pct is None
        assert (extra.a_valid, extra.b_valid) == (None, True)

    def test_what_stands_beside_the_ratios(self):
        assert "submission 0683: verified (SC23 production list)" in self.found.beside
        assert "release: ISC26 against SC23" in self.found.beside
        # both stated by the source, one in no result file
        assert "clients: 192 against 90" in self.found.beside

    def test_configurations_that_are_not_at_hand_are_not_compared(self):
        assert self.found.options_scope == "none"
        assert self.found.options == self.found.apart == ()


def from_files(number):
    shared = paths.shared()
    if shared is None:
        pytest.skip("needs the raw files")
    return one(shared / "data" / "io500" / f"submission-{number}")


@pytest.mark.parametrize("source", [one, from_files])
def test_the_options_of_two_configurations(source):
    found = diff.diff(source("0683"), source("0772"))
    assert found.options_scope == "all"
    by_key = {(o.key, o.sections[0]): (o.a, o.b) for o in found.options}
    assert by_key["nproc", "find"] == ("not set", "21504")
    assert by_key["run", "mdworkbench"] == ("FALSE", "TRUE")
    assert by_key["run", "ior-rnd4K-easy-read"] == ("not set", "TRUE")
    assert by_key["API", "ior-rnd4K"] == (
        "DFS --dfs.dir_oclass=RP_2G1 --dfs.oclass=RP_2GX",
        "not set",
    )
    # pools, containers and folders are set apart, whole
    assert {"resultdir", "API"} <= {o.key for o in found.apart} <= {"datadir", "resultdir", "API"}
    assert any("cont_rf0_e256kiB" in o.b for o in found.apart)


def copy(target: Path) -> Path:
    return Path(shutil.copytree(STANDARD, target / "copy"))


def edit(folder: Path, name: str, before: str, after: str) -> None:
    path = folder / name
    text = path.read_text()
    assert before in text
    path.write_text(text.replace(before, after))


def test_a_run_does_not_differ_from_itself():
    found = diff.diff(one(STANDARD), one(STANDARD))
    assert found.differing == found.options == found.apart == ()
    assert all(p.result.change_pct == 0 for p in found.phases)


@pytest.mark.parametrize(
    ("file", "before", "after", "label", "sides"),
    [
        ("result.txt", "-t 16m -b 96g", "-t 1m -b 96g", "transfer size", (16 << 20, 1 << 20)),
        ("result.txt", "procs           = 640", "procs           = 1280", "processes", (640, 1280)),
        ("result.txt", "--dfs.oclass=RP_2GX", "--dfs.oclass=SX", "object class", ("RP_2GX", "SX")),
        ("result.txt", "-D 300", "-D 30", "stonewall", (300, 30)),
        ("result.txt", " -F -w -D", " -w -D", "layout", ("file-per-process", "single-shared-file")),
        ("result.txt", "-Q 1 -g", "-Q 2 -g", "other options of the command", ("-Q 1", "-Q 2")),
        ("result.txt", "io500-sc30_v1", "io500-isc31", "version", ("io500-sc30_v1", "io500-isc31")),
    ],
)  # fmt: skip
def test_an_edited_file_is_noticed(tmp_path, file, before, after, label, sides):
    folder = copy(tmp_path)
    edit(folder, file, before, after)
    found = diff.diff(one(STANDARD), one(folder))
    assert sides in [(c.a, c.b) for c in found.differing if c.label == label]


@pytest.mark.parametrize(
    "before", ["-G 1234567", "/home/u/results/2031.02.03-04.05.06", "--dfs.pool=tank"]
)
def test_places_and_seeds_are_no_difference(tmp_path, before):
    folder = copy(tmp_path)
    edit(folder, "result.txt", before, before.replace("tank", "pond").replace("1", "8"))
    assert diff.diff(one(STANDARD), one(folder)).differing == ()


def configured(run: card.Card, changed: Option) -> card.Card:
    assert run.config is not None
    rows = tuple(changed if o.line == changed.line else o for o in run.config.options)
    return dataclasses.replace(run, config=Config("config.ini", rows, False, ""))


SAMPLE = one(ROOT / "data" / "samples" / "io500-small-vm")


@pytest.mark.parametrize("option", SAMPLE.config.options, ids=lambda o: f"{o.section}.{o.key}")
def test_no_changed_option_is_lost(option):
    other = configured(SAMPLE, dataclasses.replace(option, value="something-else"))
    found = diff.diff(SAMPLE, other)
    noticed = [o for o in (*found.options, *found.apart) if o.key.lower() == option.key.lower()]
    if options.is_told(option.section, option.key) and not noticed:
        # a phase has a value of its own, so what its group says holds for none
        config = other.config
        assert all(
            options.effective(config, phase, option.key) != "something-else"
            for phase in SAMPLE.phases
        )
    else:
        assert len(noticed) >= 1


def test_the_users_own_file_says_nothing_of_its_defaults():
    user = dataclasses.replace(
        SAMPLE,
        config=Config("my.ini", (Option("global", "verbosity", "2", 1),), True, ""),
        config_whole=False,
    )
    found = diff.diff(SAMPLE, user)
    assert found.options_scope == "named"
    assert [(o.key, o.a, o.b) for o in found.options] == [("verbosity", "1", "2")]


def test_results_of_two_lists_are_compared_within_one_installation_only():
    study = diff.diff(one("0688"), one("0694"))
    assert study.score.ratio is not None
    assert study.beside.startswith("unverified analysis of one installation's published files")
    refused = diff.diff(one("0688"), one("0774"))
    assert refused.score.ratio is None
    assert all(p.result.ratio is None and p.score_factor is None for p in refused.phases)
    assert refused.score.why_not == "list (IO500 messaging policy)"
    # what differs in the settings is no comparison of results
    assert refused.differing


def test_runs_from_files_are_unverified():
    found = diff.diff(one(STANDARD), SAMPLE)
    assert "standard/2031.02.03-04.05.06: unverified" in found.beside
    assert "io500-small-vm: unverified" in found.beside


def test_zero_has_no_ratio():
    found = diff.diff(
        one("0028/results"), one("0028/results/io-500-summary.2018.11.10-20.09.41.txt")
    )
    assert found.score.ratio is None
    assert found.score.why_not == "not above zero"
    assert all(p.score_factor is None for p in found.phases)


def test_a_unit_that_nobody_can_explain_has_no_ratio():
    found = diff.diff(one("0109/JCAHPC-17__jcahpc"), one("0109/JCAHPC__results"))
    easy = phase_of(found, "ior-easy-write").result
    assert easy.a.text
    assert easy.ratio is None
    assert "unit" in easy.why_not


def test_a_product_is_not_compared_with_a_root():
    found = diff.diff(one("0109/JCAHPC__results"), one("0109/KAUST__results"))
    assert found.score.ratio is None
    assert "product" in found.score.why_not
    assert found.bandwidth.ratio is not None


@pytest.mark.hypothesis
@given(st.sampled_from(list(itertools.product([*FOLDERS, *NUMBERS], repeat=2))))
def test_b_against_a_is_a_against_b_mirrored(pair):
    a, b = (one(named) for named in pair)
    there, back = diff.diff(a, b), diff.diff(b, a).mirrored()
    for field in dataclasses.fields(there):
        if field.name != "phases":
            assert getattr(there, field.name) == getattr(back, field.name), field.name
    for ours, theirs in zip(there.phases, back.phases, strict=True):
        assert (ours.score_factor is None) == (theirs.score_factor is None)
        assert ours.score_factor == pytest.approx(theirs.score_factor)
        assert dataclasses.replace(ours, score_factor=None) == dataclasses.replace(
            theirs, score_factor=None
        )


values = st.none() | st.sampled_from(["x", "y", "<script>"]) | st.integers(0, 3)


@given(st.dictionaries(st.sampled_from(list(card.LABELS)[:11]), values),
       st.dictionaries(st.sampled_from(list(card.LABELS)[:11]), values))  # fmt: skip
def test_each_setting_is_the_same_differs_or_is_unknown(left, right):
    a, b = (dataclasses.replace(SAMPLE, settings=s, config=None) for s in (left, right))
    found = diff.diff(a, b)
    differing = {c.setting for c in found.differing}
    unknown = {c.setting for c in found.unknown if not c.phases}
    assert differing & unknown == set()
    for name in left.keys() | right.keys():
        ours, theirs = left.get(name), right.get(name)
        assert (name in differing) == (None not in (ours, theirs) and ours != theirs)
