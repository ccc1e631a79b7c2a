"""A .tar as the standard library writes it, and as nobody would."""

import gzip
import io
import tarfile
import time
import zlib
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storagebook.readers import tar_stream
from storagebook.readers.tar_stream import Gunzip, TarError, members

FORMATS = (tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT)
END = b"\0" * 1024


def written(files, form=tarfile.GNU_FORMAT):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=form) as tar:
        for name, data in files:
            member = tarfile.TarInfo(name)
            member.size = len(data)
            tar.addfile(member, io.BytesIO(data))
    return out.getvalue()


def read(data):
    return [(m.name, m.kind, m.read(10**6)) for m in members(io.BytesIO(data))]


def header(kind, size, name="x"):
    member = tarfile.TarInfo(name)
    member.type, member.size = kind, size
    return member.tobuf(tarfile.GNU_FORMAT)


def block(kind, data, name="x"):
    return header(kind, len(data), name) + data + b"\0" * (-len(data) % 512)


def pax(*fields):
    data = b""
    for field in fields:
        length = len(field) + 2
        while length != len(field) + 2 + len(str(length)):
            length = len(field) + 2 + len(str(length))
        data += b"%d %s\n" % (length, field)
    return block(tarfile.XHDTYPE, data)


FILE = block(b"0", b"abc", "a.txt")


@pytest.mark.parametrize("form", FORMATS)
@given(
    st.lists(
        st.tuples(
            st.text(
                st.characters(codec="utf-8", exclude_characters="\0/"), min_size=1, max_size=30
            ),
            st.binary(max_size=1500),
        ),
        max_size=4,
    )
)
def test_reads_what_tarfile_writes(form, files):
    assert read(written(files, form)) == [(name, "file", data) for name, data in files]


@pytest.mark.parametrize("form", FORMATS)
def test_long_names(form):
    name = "/".join(["folder" * 8] * (4 if form == tarfile.USTAR_FORMAT else 40)) + "/a.txt"
    assert read(written([(name, b"x"), ("b", b"y")], form)) == [
        (name, "file", b"x"),
        ("b", "file", b"y"),
    ]


@pytest.mark.parametrize(
    ("type_", "kind"),
    [
        (tarfile.SYMTYPE, "link"),
        (tarfile.LNKTYPE, "link"),
        (tarfile.FIFOTYPE, "pipe"),
        (tarfile.CHRTYPE, "device"),
        (tarfile.BLKTYPE, "device"),
        (tarfile.DIRTYPE, "folder"),
        (b"V", "other"),
    ],
)
def test_kinds(type_, kind):
    assert [(name.rstrip("/"), kind) for name, kind, _ in read(header(type_, 0) + FILE + END)] == [
        ("x", kind),
        ("a.txt", "file"),
    ]


def test_content_may_be_left_unread():
    data = written([("a", b"x" * 5000), ("b", b"y")])
    assert [m.name for m in members(io.BytesIO(data))] == ["a", "b"]


def test_size_in_base_256_and_in_pax():
    large = tarfile.TarInfo("a")
    large.size = 9 * 2**30
    found = next(members(io.BytesIO(large.tobuf(tarfile.GNU_FORMAT))))
    assert found.size_b == 9 * 2**30
    assert read(pax(b"size=3", b"path=b") + header(b"0", 0) + b"abc" + b"\0" * 509 + END) == [
        ("b", "file", b"abc")
    ]


def test_sparse_files_are_no_files():
    for data in (
        pax(b"GNU.sparse.major=1", b"GNU.sparse.minor=0") + block(b"0", b"x" * 10 + b"\n"),
        header(tarfile.GNUTYPE_SPARSE, 0),
    ):
        assert [kind for _, kind, _ in read(data + FILE + END)] == ["other", "file"]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        FILE[:512],
        FILE[:600],
        FILE,
        FILE.replace(b"a.txt", b"b.txt"),
        header(tarfile.GNUTYPE_LONGNAME, 4 << 30),
        block(tarfile.XHDTYPE, b"9" * 9000),
        block(tarfile.XHDTYPE, b"99 a=b\n"),
        block(tarfile.XHDTYPE, b"0 a=b\n"),
        block(tarfile.XHDTYPE, b"x a=b\n"),
        pax(b"size=" + b"9" * 5000),
        pax(b"size=-1"),
        pax(*(b"k%d=" % n for n in range(tar_stream.MAX_FIELDS + 1))),
        block(tarfile.GNUTYPE_LONGNAME, b"x") * 5000,
        pax(b"a=b") * 5000,
    ],
)
def test_what_makes_no_sense_is_one_error(data):
    with pytest.raises(TarError):
        read(data + (FILE + END if len(data) > 600 and data != FILE else b""))


def test_header_of_digits_takes_no_time():
    data = block(tarfile.XHDTYPE, b"1" * tar_stream.MAX_HEADER_B) + FILE + END
    before = time.process_time()
    with pytest.raises(TarError):
        read(data)
    assert time.process_time() - before < 0.5


@given(st.binary(max_size=3000))
def test_any_bytes(data):
    for start in (b"", FILE, pax(b"path=x"), header(b"L", len(data) % 9999)):
        with suppress(TarError):
            read(start + data)


class TestGunzip:
    @given(st.lists(st.binary(max_size=300), min_size=1, max_size=3), st.integers(1, 400))
    def test_streams_behind_one_another(self, parts, step):
        packed = Gunzip(io.BytesIO(b"".join(map(gzip.compress, parts)) + b"\0" * 700))
        found = b""
        while data := packed.read(step):
            assert len(data) <= step
            found += data
        assert found == b"".join(parts)

    def test_never_more_than_asked_for(self):
        packed = Gunzip(io.BytesIO(gzip.compress(b"\0" * 10**7)))
        assert [len(packed.read(size)) for size in (10, 10**6, 10**8)] == [10, 10**6, 8999990]

    def test_cut_or_changed(self):
        whole = gzip.compress(bytes(range(256)) * 20)
        for size in range(1, len(whole)):
            with pytest.raises(EOFError):
                Gunzip(io.BytesIO(whole[:size])).read(10**6)
        with pytest.raises(zlib.error):
            Gunzip(io.BytesIO(whole[:-6] + b"x" + whole[-5:])).read(10**6)

    def test_no_end_of_streams(self):
        with pytest.raises(TarError, match="streams"):
            Gunzip(io.BytesIO(gzip.compress(b"") * (tar_stream.MAX_STREAMS + 1))).read(1)

    def test_name_of_any_size(self):
        data = b"\x1f\x8b\x08\x08\0\0\0\0\0\0" + b"a" * (20 << 20)
        before = time.process_time()
        with pytest.raises(EOFError):
            Gunzip(io.BytesIO(data)).read(1)
        assert time.process_time() - before < 2
