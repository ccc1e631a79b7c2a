"""Single lines and files of IO500, as far as they tell anything."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from storagebook.errors import StoragebookError
from storagebook.readers import io500_text as text

RESULT_LINES = {
    "[RESULT]       ior-easy-write    20693.627959 GiB/s : time 325.137 seconds": (
        "ior-easy-write",
        "20693.627959",
        "GiB/s",
        325.137,
        True,
        True,
    ),
    "[RESULT]       ior-easy-write      333.950249 GiB/s  : time 493.545 seconds": (
        "ior-easy-write",
        "333.950249",
        "GiB/s",
        493.545,
        True,
        True,
    ),
    "[RESULT]    mdtest-easy-write       37.849579 kIOPS : time 11.317 seconds [INVALID]": (
        "mdtest-easy-write",
        "37.849579",
        "kIOPS",
        11.317,
        False,
        True,
    ),
    "[      ]  ior-rnd4K-easy-read        5.600650 GiB/s : time 8.430 seconds": (
        "ior-rnd4K-easy-read",
        "5.600650",
        "GiB/s",
        8.43,
        True,
        False,
    ),
    "[RESULT] BW   phase 4       ior_hard_read         161.639 GB/s : time  75.51 seconds": (
        "ior-hard-read",
        "161.639",
        "GB/s",
        75.51,
        True,
        True,
    ),
    "[RESULT-invalid] IOPS phase 2  mdtest_hard_write   604.503 kiops : time  41.05 seconds": (
        "mdtest-hard-write",
        "604.503",
        "kiops",
        41.05,
        False,
        True,
    ),
    "0: [RESULT]                 find     1067.754536 kIOPS : time 0.470 seconds": (
        "find",
        "1067.754536",
        "kIOPS",
        0.47,
        True,
        True,
    ),
}


@pytest.mark.parametrize("line", RESULT_LINES)
def test_phase_lines_of_all_dialects(line):
    (block,) = text.blocks_of([line])
    (found,) = block.phases.values()
    name, value, unit, seconds, valid, scored = RESULT_LINES[line]
    assert (found.name, found.value.text, found.unit) == (name, value, unit)
    assert (found.seconds.value, found.valid, found.scored) == (seconds, valid, scored)
    assert found.line == 1


@pytest.mark.parametrize(
    ("line", "texts", "unit", "invalid"),
    [
        (
            "[SCORE] Bandwidth 108.306 GB/s : IOPS 2152.46 kiops : TOTAL 516.408",
            ("108.306", "2152.46", "516.408"),
            "GB/s",
            False,
        ),
        (
            "[SCORE ] Bandwidth 1.147403 GiB/s : IOPS 112.353737 kiops : TOTAL 11.354077 [INVALID]",
            ("1.147403", "112.353737", "11.354077"),
            "GiB/s",
            True,
        ),
        (
            "[SCORE-invalid] Bandwidth 0 GB/s : IOPS 0 kiops : TOTAL 0",
            ("0", "0", "0"),
            "GB/s",
            True,
        ),
    ],
)
def test_score_lines_of_all_dialects(line, texts, unit, invalid):
    (block,) = text.blocks_of([line])
    score = block.score
    assert (score.bw.text, score.md.text, score.score.text) == texts
    assert (score.unit, score.invalid) == (unit, invalid)


@pytest.mark.parametrize(
    ("line", "version", "mode"),
    [
        ("IO500 version io500-sc23_v1 (standard)", "io500-sc23_v1", "standard"),
        ("IO500 version io500-sc21 (extended)", "io500-sc21", "extended"),
        ("IO500 version io500-isc20", "io500-isc20", None),
        ("IO500 version  (standard)", "", "standard"),
        ("IO500 version ", "", None),
    ],
)
def test_version_lines(line, version, mode):
    (block,) = text.blocks_of([line, "[RESULT] find 1.0 kIOPS : time 1.0 seconds"])
    assert (block.version, block.mode) == (version, mode)


@pytest.mark.parametrize("value", ["nan", "-nan", "inf", "-", "NULL", "12,3", "1.2.3", "0x10", ""])
def test_what_is_no_number_is_reported_not_read(value):
    assert text.number(value) is None
    if value:
        line = f"[RESULT] ior-easy-write {value} GiB/s : time 3.0 seconds"
        (block,) = text.blocks_of([line])
        assert block.phases == {}
        assert [(code, at) for code, _, at in block.odd] == [("unreadable-value", 1)]


def test_time_that_is_no_number_costs_the_time_only():
    (block,) = text.blocks_of(["[RESULT] ior-easy-write 1.5 GiB/s : time nan seconds"])
    assert block.phases["ior-easy-write"].seconds is None
    assert block.phases["ior-easy-write"].value.value == 1.5


def test_half_a_line_is_reported():
    (block,) = text.blocks_of(["[RESULT]       ior-easy-write    206"])
    assert block.odd[0][0] == "unreadable-value"


def test_several_scores_are_several_runs():
    one = ["[RESULT] find 1.0 kIOPS : time 1.0 seconds"]
    score = ["[SCORE] Bandwidth 1.0 GiB/s : IOPS 1.0 kiops : TOTAL 1.0"]
    first, second = text.blocks_of(one + score + one + score)
    assert (first.first_line, second.first_line) == (1, 3)
    assert first.score.line == 2
    assert second.score.line == 4


def test_phase_twice_the_later_counts_and_it_is_said():
    lines = [f"[RESULT] find {value} kIOPS : time 1.0 seconds" for value in ("1.0", "2.0")]
    (block,) = text.blocks_of(lines)
    assert block.phases["find"].value.text == "2.0"
    assert [(code, at) for code, _, at in block.odd] == [("repeated-phase", 2)]
    (block,) = text.blocks_of([lines[0], lines[0]])
    assert block.odd == []


@pytest.mark.parametrize(
    ("printed", "size"),
    [
        ("16m", 16 << 20),
        ("16M", 16 << 20),
        ("512kb", 512 << 10),
        ("4MiB", 4 << 20),
        ("47008", 47008),
        ("96g", 96 << 30),
        ("1 MiB", 1 << 20),
        ("47008 bytes", 47008),
        ("9920000m", 9920000 << 20),
        ("", None),
        (None, None),
        ("two", None),
        ("-5", None),
    ],
)
def test_sizes(printed, size):
    assert text.size_b(printed) == size


class TestCommands:
    def test_ior_with_daos(self):
        found = text.settings_of(
            "./ior --dataPacketType=timestamp -C -Q 1 -g -G -1385507328 -k -e -o /d/ior-easy/f"
            " -O stoneWallingStatusFile=/r/x -t 16m -b 99200000m -w -D 300 -O stoneWallingWearOut=1"
            " -a DFS --dfs.pool=p --dfs.chunk_size=16777216 --dfs.dir_oclass=RP_2G1"
            " --dfs.oclass=EC_16P1GX"
        )
        assert found.origin == "command"
        assert (found.api, found.object_class, found.dir_object_class) == (
            "DFS",
            "EC_16P1GX",
            "RP_2G1",
        )
        assert (found.chunk_size_b, found.transfer_b) == (16777216, 16777216)
        assert found.block_b == 99200000 * 2**20
        assert found.file_per_process is False
        assert found.stonewall_s == 300
        assert found.items_per_process_count is None

    def test_letters_mean_other_things_in_mdtest(self):
        found = text.settings_of(
            "./mdtest -n 200000 -t -w 3901 -e 3901 -P -G=-157 -N 1 -F -B -d /d -C -Y -W 30 -a POSIX"
        )
        assert found.items_per_process_count == 200000
        assert found.stonewall_s == 30
        assert found.transfer_b is None
        assert found.file_per_process is None
        assert found.direct_io is False

    def test_behind_a_launcher(self):
        found = text.settings_of("srun -n 80 /opt/bin/ior -w -t 2048k -b 20g -F -a MPIIO -B")
        assert (found.api, found.transfer_b, found.file_per_process) == ("MPIIO", 2 << 20, True)
        assert found.direct_io is True

    def test_with_equals(self):
        found = text.settings_of("./ior -r -D 8 -z -a POSIX -t=4096 -b=4096 -s=10000000")
        assert (found.transfer_b, found.block_b, found.segments_count) == (4096, 4096, 10**7)

    @pytest.mark.parametrize(
        ("option", "direct"),
        [
            ("--posix.odirect", True),
            ("--posix.odirect=TRUE", True),
            ("--posix.odirect=FALSE", False),
        ],
    )
    def test_direct(self, option, direct):
        assert text.settings_of(f"./ior -a POSIX {option}").direct_io is direct

    def test_of_another_program(self):
        found = text.settings_of("./pfind /mnt -newer /x -size 3901c")
        assert found.command == "./pfind /mnt -newer /x -size 3901c"
        assert found.api is None


class TestConfiguration:
    LINES = (
        "# about",
        "[global]",
        "api = DFS --dfs.pool=p",
        "scc = true",
        "[ior-easy]",
        "API = POSIX --posix.odirect # not buffered",
        "transferSize = 2m ; two",
        "filePerProc = TRUE",
        "#blockSize = 1g",
        "half#line = 3",
        "[ior-easy-read]",
        "API = ",
        "[ior-hard]",
        "segmentCount = 5000",
    )

    def options(self):
        return text.options_of(self.LINES)

    def get(self, section, key):
        found = [o.value for o in self.options()[0] if (o.section, o.key) == (section, key)]
        return found[-1] or None if found else None

    def test_options(self):
        options, comments = self.options()
        assert comments
        assert [(o.section, o.key, o.value, o.line) for o in options][2:5] == [
            ("ior-easy", "API", "POSIX --posix.odirect", 6),
            ("ior-easy", "transferSize", "2m", 7),
            ("ior-easy", "filePerProc", "TRUE", 8),
        ]
        assert not any("half" in o.key for o in options)

    def test_settings_of_a_phase(self):
        found = text.settings_from(self.get, "ior-easy-read")
        assert (found.api, found.transfer_b, found.file_per_process) == ("POSIX", 2 << 20, True)
        assert found.direct_io is True
        hard = text.settings_from(self.get, "ior-hard-write")
        assert (hard.api, hard.file_per_process, hard.segments_count) == ("DFS", False, 5000)


@pytest.mark.parametrize(
    ("head", "kind"),
    [
        (b"IO500 version io500-sc23_v1 (standard)\n[RESULT] ...", "summary"),
        (b"\xef\xbb\xbfIO500 version x\r\n", "summary"),
        ("IO500 version x\n".encode("utf-16"), "summary"),
        (b"[RESULT] BW   phase 1   ior_easy_write", "summary"),
        (b"srun: warning\n0: [RESULT]  find", "summary"),
        (b"[run]\nprocs = 2\nversion = x\nconfig-hash     = 7071F298\n", "result"),
        (b"version         = io500-sc20\nconfig-hash     = 35FA0DE7\n", "result"),
        (b"System:  c01\nio500_workdir=/mnt\n", "log"),
        (b"date=2017-11-07\n[Starting] x\n1/ior-easy-write BW:79.97 MB/s time: 420s\n", "log-2017"),
        (b"information_system,io500_score,io500_bw,io500_md\n", "list"),
        (b'"information_system";"io500_score";"io500_bw"\n', "list"),
        (b"#!/bin/bash\nio500_workdir=$PWD\n", None),
        (b"[global]\ndatadir = /mnt\n[ior-easy-write]\nrun = TRUE\n", None),
        (b"5/find IOPs:5020 time:10s\n", None),
        (b"", None),
        (b"\x00\x05\x16\x07Mac OS X", None),
    ],
)
def test_kind_by_the_first_bytes(head, kind):
    assert text.kind_of(head) == kind


IOR_2018 = """IOR-3.1.0: MPI Coordinated Test of Parallel I/O
Command line used: /opt/bin/ior -w -t 2048k -b 20g -F -o /mnt/f
	api                = MPIIO (version=3, subversion=1)
	access             = file-per-process
	clients            = 64 (4 per node)
	xfersize           = 2 MiB
	blocksize          = 20 GiB
access    bw(MiB/s)  block(KiB) xfer(KiB)  open(s)    wr/rd(s)   close(s)   total(s)   iter
write     3703       20971520   2048.00    0.187317   353.78     0.029692   353.98     0
Max Write: 3702.80 MiB/sec (3882.67 MB/sec)
Summary of all tests:
write        3702.80    3702.80    3702.80       0.00    1851.40    1851.40 0 64 4 1 1 1
"""


class TestOutputs:
    def test_ior_of_2018(self):
        found = text.output_of(IOR_2018.splitlines(), "ior-easy-write")
        assert (found.version, found.api, found.tasks, found.tasks_per_node) == (
            "3.1.0",
            "MPIIO",
            64,
            4,
        )
        assert found.nodes == 16
        assert (found.transfer_b, found.block_b, found.file_per_process) == (
            2 << 20,
            20 << 30,
            True,
        )
        assert found.rate.text == "3703"

    def test_rounded_sizes_are_no_sizes(self):
        lines = ["IOR-3.4.0: MPI Coordinated Test of Parallel I/O", "blocksize  : 94.60 TiB"]
        assert text.output_of(lines, "ior-easy-write").block_b is None

    def test_mdtest_takes_the_rate_of_its_own_operation(self):
        lines = (
            "mdtest-1.9.3 was launched with 64 total task(s) on 16 node(s)",
            "SUMMARY: (of 1 iterations)",
            "   File creation     :      43244.347      43244.347      43244.347          0.000",
            "   File stat         :          1.500          1.500          1.500          0.000",
            "SUMMARY time: (of 1 iterations)",
            "   File stat         :          9.000          9.000          9.000          0.000",
        )
        assert text.output_of(lines, "mdtest-easy-write").rate.text == "43244.347"
        stat = text.output_of(lines, "mdtest-hard-stat")
        assert (stat.rate.text, stat.nodes, stat.tasks, stat.tasks_per_node) == ("1.500", 16, 64, 4)

    def test_of_nothing(self):
        assert text.output_of(["nothing"], "ior-easy-write") is None
        assert text.output_of(["nothing"], "mdtest-easy-write") is None
        assert text.output_of(["nothing"], "find") is None


class TestLists:
    def test_needs_its_columns(self):
        for lines in ([], ["a,b"], ["io500_score,io500_bw"]):
            with pytest.raises(ValueError, match=r"header|columns"):
                list(text.list_rows(lines))

    def test_columns_by_name_whatever_their_order(self):
        lines = ["IO500__MD,io500_score,extra,io500_bw,find_mixed", "4.0,6.0,x,9.0,2.5"]
        (row,) = text.list_rows(lines)
        assert (row.score.bw.text, row.score.md.text, row.score.score.text) == ("9.0", "4.0", "6.0")
        assert row.phases["find"].value.text == "2.5"

    def test_null_and_short_rows(self):
        lines = ["io500_score;io500_bw;io500_md;find_mixed", "NULL;1;2;3", "5", ""]
        first, second = text.list_rows(lines)
        assert first.score is None
        assert first.phases["find"].value.text == "3"
        assert second.phases == {}


@pytest.mark.parametrize(
    "head",
    [
        "[",
        "[RESULT]",
        "[RESULT] a 1",
        "[RESULT] a 1 GiB/s",
        "[SCORE",
        "[SCORE] Bandwidth",
        "IO500 version",
        "IO500 version x (",
        "a",
        "key = ",
        "   File stat",
        "api",
        "1/ior-easy-write BW",
        "date=",
        "0:",
        "",
    ],
)
@pytest.mark.parametrize("filler", [" ", "-", ":", "(", "1 "])
def test_long_lines_take_time_by_their_length(head, filler):
    """With a pattern that tries every way to divide the filler, this takes hours."""
    line = head + filler * 200_000 + "!"
    text.blocks_of([line])
    text.block_2017([line])
    text.result_of([line])
    text.options_of([line])
    for phase in ("ior-easy-write", "mdtest-easy-stat"):
        text.output_of([line], phase)
    text.size_b(line)
    text.number(line)


RESULT = "[RESULT] {} {}.0 kIOPS : time 1.0 seconds"
SCORE = "[SCORE ] Bandwidth {}.0 GiB/s : IOPS 1.0 kiops : TOTAL 1.0"
BOUNDS = [
    (text.blocks_of, [], SCORE.format, "MAX_RUNS", "runs in one file"),
    (text.blocks_of, [], lambda n: f"IO500 version x{n}\n[RESULT]", "MAX_RUNS", "runs in one file"),
    (
        text.blocks_of,
        [],
        lambda n: RESULT.format("p" + "q" * n, n),
        "MAX_PHASES",
        "phases in one run",
    ),
    (text.result_of, ["a = 1"], "[p{}]".format, "MAX_SECTIONS", "sections in one result"),
    (text.options_of, ["[global]"], "a{} = 1".format, "MAX_OPTIONS", "options in one config"),
    (
        text.list_rows,
        ["io500_score,io500_bw,io500_md"],
        "{},1,1".format,
        "MAX_RUNS",
        "rows in one list",
    ),
]


class TestBounds:
    """What no run leaves is refused where it exceeds the bound, before the rest costs time."""

    @pytest.mark.parametrize(("read", "head", "line", "bound", "what"), BOUNDS)
    def test_as_many_as_allowed_and_one_more(self, monkeypatch, read, head, line, bound, what):
        monkeypatch.setattr(text, bound, 3)
        allowed, one_more = ([*head, *map(line, range(count))] for count in (3, 4))
        allowed, one_more = ("\n".join(lines).split("\n") for lines in (allowed, one_more))
        found = read(allowed)
        found = list(found) if read is text.list_rows else found
        assert found
        with pytest.raises(StoragebookError) as error:
            list(read(one_more))
        assert f"more than 3 {what}" in error.value.what
        # the run or thing that is too many is where it starts
        assert len(head) + 1 < error.value.line <= len(one_more)
        assert "split it" in error.value.hint

    # csv wants the text of a list whole
    @pytest.mark.parametrize(("read", "head", "line", "bound", "what"), BOUNDS[:-1])
    @given(count=st.integers(0, 300))
    @settings(max_examples=5)
    def test_nothing_is_read_far_behind_a_bound(self, read, head, line, bound, what, count):
        most, taken = getattr(text, bound), 0

        def lines():
            nonlocal taken
            every = [*head, *map(line, range(most + 5 + count))]
            for one in "\n".join(every).split("\n"):
                taken += 1
                yield one

        with pytest.raises(StoragebookError, match=f"more than {most:,}"):
            read(lines())
        # a run that begins with its version is two lines
        assert taken <= len(head) + 2 * (most + 2)

    @pytest.mark.parametrize("count", [19, 20, 21, 500])
    @pytest.mark.parametrize(
        ("line", "code"),
        [
            ("[RESULT] nothing", "unreadable-value"),
            ("[SCORE ] Bandwidth x GiB/s : IOPS 1 kiops : TOTAL 1", "unreadable-value"),
            ("[RESULT] find nan kIOPS : time 1.0 seconds", "unreadable-value"),
        ],
    )
    def test_what_is_odd_is_told_often_enough(self, line, code, count):
        (block,) = text.blocks_of([line] * count)
        assert [c for c, _, _ in block.odd] == [code] * min(count, text.MAX_REPEATED)
        assert block.more == ([(code, count - 20)] if count > 20 else [])

    @given(st.lists(st.sampled_from("ab"), max_size=80))
    def test_every_odd_line_is_told_or_counted(self, codes):
        block = text.Block(1)
        for line, code in enumerate(codes, 1):
            block.tell(code, "", line)
        more = dict(block.more)
        told = [code for code, _, _ in block.odd]
        for code in "ab":
            assert told.count(code) + more.get(code, 0) == codes.count(code)
            assert told.count(code) <= text.MAX_REPEATED


@given(st.lists(st.text(max_size=120), max_size=12))
def test_any_lines_give_blocks_or_nothing(lines):
    text.blocks_of(lines)
    text.block_2017(lines)
    text.result_of(lines)
    text.options_of(lines)
    text.output_of(lines, "ior-easy-write")
    text.output_of(lines, "mdtest-easy-read")


@given(st.text(max_size=60))
def test_any_text_as_number_size_and_command(word):
    text.number(word)
    text.size_b(word)
    text.whole(word)
    text.settings_of(f"./ior {word}")
