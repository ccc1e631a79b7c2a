"""A reader's own run in words and frames, against what its files say."""

import dataclasses
import shutil
from pathlib import Path

import pytest

from storagebook import show
from storagebook.errors import StoragebookError
from storagebook.io500 import card, standing, yours

ROOT = Path(__file__).parents[2]
FIXTURES = ROOT / "tests" / "fixtures" / "io500"
VM = ROOT / "data" / "samples" / "io500-small-vm"
PUBLIC = standing.reference("public")
SAMPLE, SAMPLE_CHECKED = card.load(VM)
NAMED = [
    VM,
    FIXTURES / "standard",
    FIXTURES / "extended",
    FIXTURES / "shell",
    FIXTURES / "invalid",
    "0688",
    "0694",
    "0001",
    "0109/JCAHPC-17__jcahpc",
    "0028/results/io-500-summary.2018.11.10-20.09.41.txt",
]


def text(sentence):
    template, values = sentence
    return show._Sentence(escape=False).format(template, **values)


def texts(sentences):
    return [text(sentence) for sentence in sentences]


class TestOurOwnSample:
    """result_summary.txt of the small virtual machine, read by hand."""

    stand = standing.stand(SAMPLE, PUBLIC)

    def test_its_verdict(self):
        said = texts(yours.verdict(SAMPLE, SAMPLE_CHECKED))
        assert "The phases give the printed score" in said[1]
        assert said[2].startswith("The hash that the program printed is that of")
        assert "does **not** count" in said[3]
        assert said[4].startswith("The result is **unverified**")
        assert "the stonewall is not the one of the rules" in said[4]

    def test_in_plain_words(self):
        said = texts(yours.in_plain_words(SAMPLE))
        # 11.456 s where the rules ask for 300
        assert "for 300 s: ior-easy-write 11.5 s" in said[0]
        # one node; 4.099534 / 0.298900 and 4.882056 / 0.289735
        assert "page cache" in said[1]
        assert said[1].endswith("ior-easy 13.7, ior-hard 16.9.")
        assert any("Not part of it: ior-rnd4K-easy-read." in t for t in said)

    def test_results_and_score(self):
        rows = yours.results(SAMPLE).set_index("phase")
        assert tuple(rows.loc["ior-hard-write"]) == ("0.289735", "GiB/s", 9.171, "marked invalid")
        assert rows.counts["ior-rnd4K-easy-read"] == "not scored"
        assert rows.counts["find"] == "yes"
        score = yours.score_table(SAMPLE, SAMPLE_CHECKED).set_index("figure")
        assert score.printed["BW"] == "1.147403"
        assert score.recomputed["score"] == pytest.approx(11.354077, abs=5e-6)

    def test_findings_with_their_lines(self):
        found = yours.findings(SAMPLE, SAMPLE_CHECKED)
        assert found.severity.tolist() == sorted(
            found.severity, key=["error", "warning", "note"].index
        )
        assert found.finding[0] == (
            "result_summary.txt:16: the program marked the run invalid [marked-invalid]"
        )

    def test_it_is_drawn_among_the_public_runs(self):
        frame = yours.among(SAMPLE, PUBLIC, "bandwidth")
        own = frame[frame.run == yours.THIS_RUN].set_index("phase").bandwidth_gib_s
        assert own["ior-easy-read"] == 4.099534
        assert frame.groupby(["run", "phase"]).size().max() == 1
        # one of 211 public runs is below
        title = yours.standing_title(self.stand, "bandwidth")
        assert title.startswith("This run is above 0.5 % of the public runs in ior-easy-write, ")

    def test_no_run_of_its_scale(self):
        assert "same_percentile" not in yours.percentiles(self.stand)
        scale, nearest = texts(yours.said_of_scale(self.stand))
        assert scale.startswith("Of the same scale are runs within a factor of 2.0: 1 to 4 proc")
        assert "The nearest is unnamed (0109/sonasad" in nearest

    def test_a_median_to_aim_at(self):
        peers = yours.peers(SAMPLE, PUBLIC, 2.0)
        assert not peers.of_same_scale
        frame = yours.levers(SAMPLE, peers)
        most = frame.iloc[0]
        assert most.phase == "ior-easy-write"
        # (73.660290 / 0.298900) ** (1 / 8)
        assert most.at_median_pct == pytest.approx(((73.660290 / 0.2989) ** 0.125 - 1) * 100)
        assert frame.at_median_pct.isna().tolist() == sorted(frame.at_median_pct.isna())
        assert "99.1 %" in text(yours.said_of_levers(frame, peers))

    def test_ratios_beside_the_public_ones(self):
        frame = yours.ratios(SAMPLE, PUBLIC).set_index("ratio")
        assert frame.times["easy, read over write"] == pytest.approx(4.099534 / 0.298900)
        assert frame.percentile["easy, read over write"] == 100.0
        title = yours.ratio_title(frame.reset_index())
        assert title.startswith("Furthest from the public runs: easy, read over write, 13.72 here")
        both = yours.beside_the_public(frame.reset_index())
        assert len(both) == 2 * len(frame)

    def test_stragglers(self):
        frame = yours.stragglers(VM).set_index("phase")
        # ior-easy-write.csv: 8.418501 s and 11.454656839 s
        write = frame.loc["ior-easy-write"]
        assert (write.ranks, write.slowest_s) == (2, 11.454656839)
        assert write.wait_s == pytest.approx(11.454657 - 8.418501, abs=1e-6)
        # IOR times a read behind a barrier
        assert "ior-easy-read" not in frame.index
        assert "ior-easy-write*: 3.04 s" in text(yours.said_of_stragglers(frame.reset_index()))


def test_a_run_of_many_peers_aims_at_their_median():
    run = card.public("0772")
    peers = yours.peers(run, PUBLIC, 2.0)
    assert peers.of_same_scale
    assert str(peers) == "the 9 public runs of the same scale"
    frame = yours.levers(run, peers)
    assert frame.at_median_pct.notna().any()


def test_a_listed_run_says_which_list():
    (*_, called) = texts(yours.verdict(card.public("0772"), None))
    assert called.startswith("A source puts this result on the production list (ISC26)")


def test_a_place_in_a_list_is_no_rank_unless_it_is_stated():
    valid = texts(yours.said_of_lists(card.load(FIXTURES / "standard")[0]))
    assert "place 5, beside 46 entries: by its score alone, no published rank" in valid[0]
    assert "place 3" in valid[1]
    listed = texts(yours.said_of_lists(card.public("0772")))
    assert "rank 2, stated for SuperMUC-NG-Phase2-EC" in listed[0]
    assert "not compared (list)" in listed[1]
    invalid = texts(yours.said_of_lists(SAMPLE))
    assert "no place: the run is invalid" in invalid[0]
    assert "asks for 10 client nodes" in invalid[1]


def test_a_public_run_is_not_its_own_neighbour():
    run = card.public("0688")
    close = yours.neighbours(run, PUBLIC, 2.0)
    assert "Aurora (0688)" not in set(close.run)
    assert close.run.tolist() == sorted(close.run)
    frame = yours.among(run, PUBLIC, "metadata")
    assert "Aurora (0688)" not in set(frame.run)


def test_no_phases_no_score():
    run = card.public("0109", "JCAHPC-17__jcahpc")
    with pytest.raises(StoragebookError, match="no score to raise"):
        yours.levers(run, yours.peers(run, PUBLIC, 2.0))


def test_direct_reads_are_not_the_page_caches():
    phases = {
        name: dataclasses.replace(phase, settings={**phase.settings, "direct_io": True})
        for name, phase in SAMPLE.phases.items()
    }
    said = texts(yours.in_plain_words(dataclasses.replace(SAMPLE, phases=phases)))
    assert not any("page cache" in t for t in said)
    assert any("Reads far above writes" in t for t in said)


@pytest.mark.parametrize("named", NAMED, ids=str)
def test_everything_holds_for_any_run(named):
    run, checked = card.load(named)
    stand = standing.stand(run, PUBLIC)
    peers = yours.peers(run, PUBLIC, 2.0)
    said = [
        *yours.verdict(run, checked),
        *yours.in_plain_words(run),
        *yours.said_of_scale(stand),
        *yours.said_of_lists(run),
    ]
    if run.complete:
        frame = yours.levers(run, peers)
        said.append(yours.said_of_levers(frame, peers))
    stragglers = yours.stragglers(None if checked is None else Path(named))
    said.append(yours.said_of_stragglers(stragglers))
    for sentence in said:
        assert "nan" not in text(sentence).lower().replace("dominant", "")
    assert "unverified" in " ".join(texts(yours.verdict(run, checked)))
    for kind in ("bandwidth", "metadata"):
        assert yours.standing_title(stand, kind)
        assert not yours.among(run, PUBLIC, kind).empty
    table = yours.ratios(run, PUBLIC)
    assert table.empty or yours.ratio_title(table)
    assert len(yours.results(run)) == len(run.phases)
    assert len(yours.percentiles(stand)) == len(stand.figures)


def test_a_broken_file_of_ranks_is_one_clear_error(tmp_path):
    folder = Path(shutil.copytree(VM, tmp_path / "run"))
    path = folder / "ior-easy-write.csv"
    path.write_text(path.read_text().replace("1.1454656839e+01", "soon"))
    with pytest.raises(StoragebookError, match=r"ior-easy-write\.csv"):
        yours.stragglers(folder)
