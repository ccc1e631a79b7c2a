"""Every answer is what the files say, by hand, or that they do not."""

import shutil
from pathlib import Path

import pytest

from storagebook import paths
from storagebook.checklist import items
from storagebook.errors import StoragebookError

ROOT = Path(__file__).parents[2]
SAMPLES = ROOT / "data" / "samples"
FIXTURES = ROOT / "tests" / "fixtures"


def answers(path):
    subject = items.load(path)
    return {(one.item, one.question): one for one in items.answers(subject)}


@pytest.fixture(scope="module")
def own():
    return answers(SAMPLES / "io500-small-vm")


@pytest.fixture(scope="module")
def standard():
    return answers(FIXTURES / "io500" / "standard")


@pytest.fixture(scope="module")
def sweep():
    return answers(SAMPLES / "outputs")


class TestOwnRun:
    """By hand from data/samples/io500-small-vm."""

    @pytest.mark.parametrize(
        ("key", "text"),
        [
            ((1, "A result of each phase?"), "12 of 12 scored phases"),
            ((1, "Does it count, by its own marks and the rules?"), "it does not count"),
            ((3, "Client processes?"), "2"),
            ((3, "Client nodes?"), "1"),
            ((3, "Processes of a node?"), "2"),
            ((3, "Requests in flight?"), "2 at most: each process waits for its request"),
            ((4, "Through which API?"), "POSIX"),
            # 0.298900 over 0.289735, from result_summary.txt
            ((7, "Write, easy over hard?"), "1.03"),
            ((9, "Errors in the files?"), "the program marked the run invalid"),
        ],
    )
    def test_told(self, own, key, text):
        assert own[key].text == text

    def test_places(self, own):
        assert own[7, "Write, easy over hard?"].where == (
            "result_summary.txt:2",
            "result_summary.txt:5",
        )
        lines = (SAMPLES / "io500-small-vm" / "ior-easy-read.txt").read_text().splitlines()
        first = own[3, "Client processes?"].where[0]
        assert first.startswith("ior-easy-read.txt:")
        assert "tasks" in lines[int(first.partition(":")[2]) - 1]

    @pytest.mark.parametrize(
        "key",
        [
            (1, "Which list and release?"),
            (1, "The reproducibility questionnaire?"),
            (2, "Object class of files?"),
            (2, "Copies or an erasure code?"),
            (3, "Storage servers, and client nodes for each?"),
            (4, "Around the kernel, or through it?"),
            (6, "How are processes placed and bound?"),
            (6, "Through which network cards?"),
            (8, "MLPerf Storage?"),
            (9, "Was a rebuild going on?"),
        ],
    )
    def test_not_told(self, own, key):
        assert not own[key].told
        assert own[key].where == ()

    def test_posix_knows_no_class(self, own):
        assert own[2, "Object class of files?"].aside == "POSIX has no object classes"


class TestStandard:
    """By hand from tests/fixtures/io500/standard."""

    def test_scale(self, standard):
        assert standard[3, "Client processes?"].text == "640"

    def test_interface(self, standard):
        assert standard[4, "Through which API?"].text == "DFS"
        assert standard[4, "Around the kernel, or through it?"].text.startswith("around it")

    def test_valid(self, standard):
        assert standard[1, "Does it count, by its own marks and the rules?"].text == "it counts"

    def test_ratio(self, standard):
        # 412.305871 over 58.120934
        assert standard[7, "Write, easy over hard?"].text == "7.09"


class TestSweep:
    def test_told(self, sweep):
        assert sweep[5, "Is the size of a request swept?"].text == "yes: 5 levels of ior write"
        assert sweep[5, "Is the concurrency swept?"].text == "no: nothing differs in it alone"
        text = sweep[5, "Size of a request?"].text
        assert text.startswith("1 KiB, 4 KiB, 16 KiB, 64 KiB, 1 MiB; ")
        assert text.endswith("; in part below the source’s 512 KiB")
        assert sweep[5, "Requests of a process in flight?"].text.startswith("1 to 8; ")
        assert sweep[3, "Requests in flight?"].text.startswith("2 to 16 at most")
        assert sweep[9, "How full was the file system?"].text == "11.1 %, as the tools print it"
        # fio's mix reads 110,610,000 B/s and writes 110,640,000 B/s, rounded
        assert sweep[7, "Read over write?"].text.startswith("1.00 to ")

    def test_not_told(self, sweep):
        assert not sweep[7, "Easy over hard?"].told
        assert sweep[1, "A result of each phase?"].text.startswith("no IO500 result")


def changed(tmp_path, name, old, new):
    folder = Path(shutil.copytree(FIXTURES / "io500" / "standard", tmp_path / "run"))
    for path in folder.rglob(name):
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new))
    return folder


class TestRedundancy:
    @pytest.mark.parametrize(
        ("name", "text"),
        [
            ("SX", "neither"),
            ("EC_16P2GX", "erasure code, bears the loss of 2"),
            ("OC_RP_3G1", "replication, bears the loss of 2"),
            ("ODD", "ODD, which names no cells and copies"),
            (items.NOT_SET, items.NOT_SET),
        ],
    )
    def test_protection(self, name, text):
        assert items._protection(name) == text

    def test_grouped(self):
        found = {"SX": ["ior-easy-write", "ior-easy-read"], "not set": ["ior-hard-read"]}
        assert items._grouped(found) == "SX (ior-easy), not given for ior-hard-read"
        assert items._grouped({"SX": ["ior-easy-write"]}) == "SX"


def test_classes_of_one_protection_keep_all_their_phases(tmp_path):
    folder = changed(tmp_path, "result.txt", "--dfs.oclass=S1", "--dfs.oclass=RP_2G1")
    assert answers(folder)[2, "Copies or an erasure code?"].text == (
        "erasure code, bears the loss of 1 (ior-easy), "
        "replication, bears the loss of 1 (mdtest-easy, mdtest-hard, ior-hard)"
    )


class TestLines:
    def test_what_a_script_says_is_quoted(self, tmp_path):
        folder = Path(shutil.copytree(SAMPLES / "io500-small-vm", tmp_path / "run"))
        (folder / "job.sh").write_text(
            "# --bind-to none\n"
            "export LD_PRELOAD=libpil4dfs.so\n"
            "mpirun --bind-to core ./io500 config.ini\n"
        )
        found = answers(folder)
        bound = found[6, "How are processes placed and bound?"]
        assert bound.text == "“mpirun --bind-to core ./io500 config.ini”"
        assert bound.where == ("job.sh:3",)
        assert "libpil4dfs" in found[4, "Around the kernel, or through it?"].text

    def test_of_the_find_phase_alone(self, tmp_path):
        folder = Path(shutil.copytree(SAMPLES / "io500-small-vm", tmp_path / "run"))
        (folder / "extra.ini").write_text("external-mpi-args = --bind-to socket\n")
        text = answers(folder)[6, "How are processes placed and bound?"].text
        assert text.startswith("of find alone: “external-mpi-args")

    def test_the_find_phase_does_not_stand_for_the_others(self, tmp_path):
        folder = Path(shutil.copytree(SAMPLES / "io500-small-vm", tmp_path / "run"))
        (folder / "extra.ini").write_text("external-mpi-args = --bind-to socket\n")
        (folder / "job.sh").write_text("mpirun --bind-to core ./io500\n")
        found = answers(folder)[6, "How are processes placed and bound?"]
        assert (found.text, found.where) == ("“mpirun --bind-to core ./io500”", ("job.sh:1",))

    def test_network_errors(self, tmp_path):
        folder = Path(shutil.copytree(SAMPLES / "io500-small-vm", tmp_path / "run"))
        (folder / "client.log").write_text("ERR NA_HOSTUNREACH\n")
        found = answers(folder)[9, "Network errors, such as NA_HOSTUNREACH?"]
        assert (found.text, found.where) == ("“ERR NA_HOSTUNREACH”", ("client.log:1",))


@pytest.mark.parametrize(
    ("below", "count", "end"),
    [(0, 3, "; not below"), (3, 3, "; below"), (1, 3, "; in part below")],
)
def test_against_the_start(below, count, end):
    assert items._against("512 KiB", below, count) == f"{end} the source’s 512 KiB"


@pytest.mark.parametrize(
    "path",
    [
        *(FIXTURES / tool for tool in ("ior", "fio", "mdtest", "iozone", "daos_perf")),
        *(FIXTURES / "io500" / name for name in ("isc20", "log-2017/2048-8.227609.out", "shell")),
        FIXTURES / "ior" / "4.1-killed.txt",
    ],
    ids=lambda path: path.name,
)
def test_any_input_is_answered(path):
    subject = items.load(path)
    found = items.answers(subject)
    assert {one.item for one in found} == set(items.TITLES)
    for one in found:
        assert one.text != ""
        assert one.told or not one.where
    for item in items.TITLES:
        frame = items.frame(found, item)
        assert (
            frame.answer.str.startswith(items.UNTOLD)
            == [not one.told for one in found if one.item == item]
        ).all()
    overview = items.overview(found)
    assert overview.questions.sum() == len(found)
    assert (overview.answered + overview.not_told == overview.questions).all()
    for text, values in items.said(subject, found):
        text.format(**values)


def test_one_run_is_asked(tmp_path):
    for name in "ab":
        shutil.copytree(FIXTURES / "io500" / "standard", tmp_path / name)
    with pytest.raises(StoragebookError, match="several IO500 runs"):
        items.load(tmp_path)


def test_the_ratio_of_nodes_in_cards():
    text, values = items.of_the_ratio()
    # by hand: 300 of 642 nodes; 300 × 8 of 642 × 2 cards
    assert values["nodes"] == pytest.approx(0.4673, abs=1e-4)
    assert values["cards"] == pytest.approx(1.8692, abs=1e-4)
    assert "1.87 for each" in text.format(**values)


def test_furthest_from_even():
    frame = items.ratios(
        [
            items.Answer(7, "Read, easy over hard?", "0.05"),
            items.Answer(7, "Hard, read over write?", "16.85"),
            items.Answer(7, "Easy, read over write?", None),
        ]
    )
    assert len(frame) == 2
    assert items.ratio_title(frame) == "Furthest from even: read, easy over hard, 0.05"


shared = paths.shared()


@pytest.mark.skipif(shared is None, reason="no public submissions at hand")
class TestPublic:
    def test_aurora(self):
        found = answers(shared / "data" / "io500" / "submission-0688")
        assert found[2, "Object class of files?"].text == (
            "EC_16P1GX (ior-easy), RP_2G1 (mdtest-easy, mdtest-hard), RP_2GX (ior-hard)"
        )
        assert found[2, "Copies or an erasure code?"].text == (
            "erasure code, bears the loss of 1 (ior-easy), "
            "replication, bears the loss of 1 (mdtest-easy, mdtest-hard, ior-hard)"
        )
        assert found[3, "Client processes?"].text == "62,400"
        assert found[3, "Client nodes?"].text == "300"
        assert found[3, "Processes of a node?"].text == "208"
        assert found[7, "Write, easy over hard?"].text == "4.91"

    def test_binding_of_the_external_find(self):
        found = answers(shared / "data" / "io500" / "submission-0002")
        assert found[6, "How are processes placed and bound?"].text.startswith("of find alone")
        assert not found[3, "Client processes?"].told
