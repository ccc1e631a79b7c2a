"""Whatever a stranger sends: a reading, or one error; quickly, and never a figure that is none."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from outputs import FIXTURES, SAMPLES
from storagebook import units
from storagebook.errors import StoragebookError
from storagebook.readers import daos_perf, fio, ior, iozone, mdtest
from storagebook.readers.measurements import Measurement, frame
from storagebook.readers.printed import CODES, Reading

READERS = {reader.TOOL: reader for reader in (ior, mdtest, fio, daos_perf, iozone)}
SEEDS = {
    tool: [
        *(p.read_bytes() for p in sorted((FIXTURES / tool).iterdir())),
        *(p.read_bytes() for p in sorted(SAMPLES.glob(f"outputs/{tool}*"))[:3]),
    ]
    for tool in READERS
}
ODD_WORDS = [b"", b"-1", b"nan", b"1e400", b"9" * 80, b"0.000", b"1,5", b"\xff", b"]", b"{", b'"']

# five readers share the time of one
few = settings(max_examples=max(settings().max_examples // 4, 25))
tools = pytest.mark.parametrize("tool", READERS)


def parse(tool: str, data: bytes) -> Reading | StoragebookError:
    try:
        return READERS[tool].parse(data, "folder/file.txt")
    except StoragebookError as error:
        return error


def check(tool: str, data: bytes) -> Reading | None:
    """Read, and hold the result to what every reading promises."""
    found = parse(tool, data)
    if isinstance(found, StoragebookError):
        assert str(found).isprintable()
        assert found.file == "folder/file.txt"
        return None
    assert found.measurements
    for row in found.measurements:
        assert isinstance(row, Measurement)
        assert row.tool == tool
        assert math.isfinite(row.value)
        assert row.value >= 0
        assert float(row.printed) == row.value
        assert units.canonical(row.unit) == row.unit
        assert row.quantity
        assert row.statistic
        assert row.scope in ("all", "rank", "host", "job", "group")
    for finding in found.findings:
        assert finding.code in CODES
        assert finding.text.isprintable()
        assert finding.severity in ("error", "warning", "note")
    return found


@tools
@few
@given(data=st.data())
def test_cut_anywhere(tool, data):
    seed = data.draw(st.sampled_from(SEEDS[tool]))
    check(tool, seed[: data.draw(st.integers(0, len(seed)))])


@tools
@few
@given(data=st.data())
def test_lines_left_out(tool, data):
    lines = data.draw(st.sampled_from(SEEDS[tool])).split(b"\n")
    left_out = data.draw(st.sets(st.integers(0, len(lines) - 1), max_size=8))
    check(tool, b"\n".join(line for i, line in enumerate(lines) if i not in left_out))


@tools
@few
@given(data=st.data())
def test_lines_in_another_order(tool, data):
    lines = data.draw(st.sampled_from(SEEDS[tool])).split(b"\n")
    check(tool, b"\n".join(data.draw(st.permutations(lines))))


@tools
@few
@given(data=st.data())
def test_bytes_overwritten(tool, data):
    seed = bytearray(data.draw(st.sampled_from(SEEDS[tool])))
    for place in data.draw(st.lists(st.integers(0, len(seed) - 1), max_size=12)):
        seed[place] = data.draw(st.integers(0, 255))
    check(tool, bytes(seed))


@tools
@few
@given(data=st.data())
def test_words_exchanged(tool, data):
    words = data.draw(st.sampled_from(SEEDS[tool])).split(b" ")
    for place in data.draw(st.lists(st.integers(0, len(words) - 1), max_size=8)):
        words[place] = data.draw(st.sampled_from([*ODD_WORDS, *words[:40]]))
    check(tool, b" ".join(words))


@tools
@few
@given(data=st.binary(max_size=300))
def test_any_bytes(tool, data):
    check(tool, data)
    assert isinstance(READERS[tool].sniff(data), bool)


@tools
def test_seeds_keep_their_promises(tool):
    read = [check(tool, seed) for seed in SEEDS[tool]]
    assert any(read)


@tools
@pytest.mark.parametrize(
    "hostile",
    [
        b"{" * 100_000,
        b'{"jobs": [' * 50_000,
        b"write " * 100_000,
        b"-" * 300_000,
        (b" " * 5_000 + b"\n") * 200,
        b"access    bw(MiB/s)  iter\n" + b"write 1\n" * 20_000,
        b"   Operation  Max\n   File stat" + b" " * 500_000 + b"x\n",
        b"duration :" * 100_000,
        b'"' * 200_000,
        b"\x1b[" * 100_000,
        b"File stat : " * 100_000,
        b"stonewalling pairs accessed min: " * 30_000,
    ],
    ids=range(12),
)
def test_hostile_text_ends_soon(tool, hostile):
    banner = SEEDS[tool][0][:2000]
    # some tenths of a second each; a quadratic pattern would take minutes
    check(tool, hostile)
    check(tool, banner + b"\n" + hostile)


@tools
def test_rows_are_one_table(tool):
    for seed in SEEDS[tool]:
        found = check(tool, seed)
        if found is not None:
            table = frame(found.measurements)
            assert len(table) == len(found.measurements)
            assert table["unit"].notna().all()
