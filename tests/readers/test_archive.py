"""Other people's files and archives: what is read, what is refused, and within which bounds."""

import gzip
import io
import os
import random
import re
import stat
import struct
import tarfile
import time
import tracemalloc
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storagebook.errors import StoragebookError
from storagebook.readers import archive

TEXT = b"[SCORE] Bandwidth 1.0 GiB/s\n"


def everything(_path, _head):
    return True


def tree(path, keep=everything):
    """Every file under a path as {path: content}, and what was skipped as {path: why}."""
    skipped = []
    content = {}

    def walk(folder):
        files, folders = folder.entries()
        for file in files:
            try:
                content[file.path] = file.read()
            except StoragebookError as error:
                skipped.append(archive.Skipped(file.path, str(error.what), "error"))
        for inner in folders:
            walk(inner)

    found = archive.open_tree(path, keep=keep, report=skipped.append)
    if isinstance(found, archive.File):
        content[found.path] = found.read()
    else:
        walk(found)
    return content, {item.path: item.why for item in skipped}


def tree_or_none(path):
    """What is read of an archive, however broken."""
    try:
        return tree(path)[0]
    except StoragebookError:
        return {}


def changes(path, *, zeros=True):
    """Change each byte of a file in turn, in some ways, those that are 0 if asked for: where."""
    whole = path.read_bytes()
    for position in range(len(whole)):
        if not zeros and not whole[position]:
            continue
        for byte in {0, 0x80, 0xFF, whole[position] ^ 1} - {whole[position]}:
            path.write_bytes(whole[:position] + bytes([byte]) + whole[position + 1 :])
            yield position


def copy_entries(path, times):
    """List each file of a .zip so many times, under names of the same length."""
    data = path.read_bytes()
    start, end = data.index(b"PK\x01\x02"), data.index(b"PK\x05\x06")
    listed, tail = data[start:end], data[end:]
    count = times * struct.unpack_from("<H", tail, 8)[0]
    tail = tail[:8] + struct.pack("<HHL", count, count, times * len(listed)) + tail[16:]
    path.write_bytes(data[:start] + listed * times + tail)


def tar_of(path, members, mode="w:gz"):
    with tarfile.open(path, mode) as out:
        for member, data in members:
            if isinstance(member, str):
                member = tarfile.TarInfo(member)
            member.size = len(data) if data is not None else member.size
            out.addfile(member, io.BytesIO(data) if data is not None else None)
    return path


def zip_of(path, members):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as out:
        for name, data in members:
            out.writestr(name, data)
    return path


def special(name, kind, target=""):
    member = tarfile.TarInfo(name)
    member.type, member.linkname = kind, target
    return member


class TestSameTreeEverywhere:
    FILES = (("a/result.txt", b"one\n"), ("a/b/config.ini", b"two\n"), ("top.txt", b"three\n"))

    def test_folder(self, tmp_path):
        for name, data in self.FILES:
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_bytes(data)
        assert tree(tmp_path) == (dict(self.FILES), {})

    @pytest.mark.parametrize("suffix", [".tgz", ".tar.gz", ".tar", ".zip"])
    def test_archive_alone_and_in_a_folder(self, tmp_path, suffix):
        path = tmp_path / f"results{suffix}"
        if suffix == ".zip":
            zip_of(path, self.FILES)
        else:
            tar_of(path, self.FILES, "w" if suffix == ".tar" else "w:gz")
        assert tree(path) == (dict(self.FILES), {})
        inside = {f"{path.name}/{name}": data for name, data in self.FILES}
        assert tree(tmp_path) == (inside, {})

    def test_archive_by_content_not_by_name(self, tmp_path):
        path = zip_of(tmp_path / "results.download", self.FILES)
        assert tree(path)[0] == dict(self.FILES)

    def test_order_does_not_depend_on_the_archive(self, tmp_path):
        path = tar_of(tmp_path / "x.tgz", [("b", b""), ("c/d", b""), ("a", b"")])
        assert list(tree(path)[0]) == ["a", "b", "c/d"]

    def test_tar_keeps_only_what_is_asked_for(self, tmp_path):
        path = tar_of(tmp_path / "x.tgz", [("a.txt", TEXT), ("core", b"\x7fELF")])
        content, _ = tree(path, keep=lambda path, head: head.startswith(b"[SCORE]"))
        assert content == {"a.txt": TEXT}

    def test_leading_dot_is_no_folder(self, tmp_path):
        assert tree(tar_of(tmp_path / "x.tgz", [("./a/./b.txt", TEXT)]))[0] == {"a/b.txt": TEXT}


class TestNamesThatLeave:
    NAMES = ("../evil.txt", "a/../../evil.txt", "/etc/evil.txt", "C:\\evil.txt", "..\\evil.txt", "")

    @pytest.mark.parametrize("name", NAMES)
    def test_tar(self, tmp_path, name):
        content, skipped = tree(tar_of(tmp_path / "x.tgz", [(name, TEXT), ("good.txt", TEXT)]))
        assert content == {"good.txt": TEXT}
        assert len(skipped) == 1

    @pytest.mark.parametrize("name", NAMES[:-1])
    def test_zip(self, tmp_path, name):
        content, skipped = tree(zip_of(tmp_path / "x.zip", [(name, TEXT), ("good.txt", TEXT)]))
        assert content == {"good.txt": TEXT}
        assert len(skipped) == 1

    def test_nothing_is_written(self, tmp_path):
        path = tar_of(tmp_path / "x.tgz", [("../evil.txt", TEXT), ("good.txt", TEXT)])
        before = sorted(tmp_path.rglob("*"))
        tree(path)
        assert sorted(tmp_path.rglob("*")) == before
        assert not (tmp_path.parent / "evil.txt").exists()


class TestWhatIsNoFile:
    @pytest.mark.parametrize(
        ("kind", "word"),
        [
            (tarfile.SYMTYPE, "link"),
            (tarfile.LNKTYPE, "link"),
            (tarfile.FIFOTYPE, "pipe"),
            (tarfile.CHRTYPE, "device"),
            (tarfile.BLKTYPE, "device"),
        ],
    )
    def test_in_a_tar(self, tmp_path, kind, word):
        members = [(special("odd", kind, "/etc/passwd"), None), ("good.txt", TEXT)]
        content, skipped = tree(tar_of(tmp_path / "x.tgz", members))
        assert content == {"good.txt": TEXT}
        assert word in skipped["x.tgz/odd"]

    def test_sparse_member_of_any_stated_size(self, tmp_path):
        member = special("sparse", tarfile.GNUTYPE_SPARSE)
        block = bytearray(member.tobuf(tarfile.GNU_FORMAT))
        struct.pack_into("11sx11sx", block, 386, b"%011o" % 0, b"%011o" % 0)
        struct.pack_into("11sx", block, 483, b"%011o" % (8 << 30))
        block[148:156] = b"%06o\0 " % (sum(block[:148]) + 8 * 32 + sum(block[156:]))
        path = tmp_path / "x.tar"
        path.write_bytes(bytes(block) + b"\0" * 1024)
        content, skipped = tree(path)
        assert content == {}
        assert len(skipped) == 1

    def test_link_in_a_zip(self, tmp_path):
        path = tmp_path / "x.zip"
        info = zipfile.ZipInfo("odd")
        info.external_attr = (stat.S_IFLNK | 0o777) << 16
        with zipfile.ZipFile(path, "w") as out:
            out.writestr(info, "/etc/passwd")
        content, skipped = tree(path)
        assert content == {}
        assert "link" in skipped["x.zip/odd"]

    def test_on_disk(self, tmp_path):
        (tmp_path / "good.txt").write_bytes(TEXT)
        (tmp_path / "link.txt").symlink_to("/etc/passwd")
        (tmp_path / "loop").symlink_to(tmp_path, target_is_directory=True)
        os.mkfifo(tmp_path / "pipe.txt")
        content, skipped = tree(tmp_path)
        assert content == {"good.txt": TEXT}
        assert "link" in skipped["link.txt"]
        assert "link" in skipped["loop"]
        assert "pipe" in skipped["pipe.txt"]

    def test_path_itself_may_be_a_link(self, tmp_path):
        (tmp_path / "real").mkdir()
        (tmp_path / "real" / "good.txt").write_bytes(TEXT)
        (tmp_path / "latest").symlink_to("real")
        assert tree(tmp_path / "latest")[0] == {"good.txt": TEXT}

    def test_path_itself_is_a_pipe_or_nothing(self, tmp_path):
        os.mkfifo(tmp_path / "pipe")
        for path in (tmp_path / "pipe", tmp_path / "none", "a\0b"):
            with pytest.raises(StoragebookError):
                tree(path)

    def test_file_that_becomes_a_pipe(self, tmp_path):
        path = tmp_path / "result.txt"
        path.write_bytes(TEXT)
        files, _ = archive.open_tree(tmp_path, keep=everything, report=print).entries()
        path.unlink()
        os.mkfifo(path)
        with pytest.raises(StoragebookError, match="regular"):
            files[0].read()

    def test_file_that_becomes_a_link(self, tmp_path):
        path = tmp_path / "result.txt"
        path.write_bytes(TEXT)
        files, _ = archive.open_tree(tmp_path, keep=everything, report=print).entries()
        path.unlink()
        path.symlink_to("/etc/passwd")
        with pytest.raises(StoragebookError, match="cannot be read"):
            files[0].read()


class TestTroubleOnDisk:
    def test_vanishes_while_read(self, tmp_path):
        path = tmp_path / "result.txt"
        path.write_bytes(TEXT)
        files, _ = archive.open_tree(tmp_path, keep=everything, report=print).entries()
        path.unlink()
        with pytest.raises(StoragebookError, match="it vanished"):
            files[0].read()

    def test_grows_while_read(self, tmp_path):
        path = tmp_path / "result.txt"
        path.write_bytes(TEXT)
        files, _ = archive.open_tree(tmp_path, keep=everything, report=print).entries()
        path.write_bytes(TEXT * 5000)
        assert files[0].read() == TEXT * 5000
        assert files[0].head() == (TEXT * 5000)[: archive.HEAD_B]

    def test_permission_denied(self, tmp_path, monkeypatch):
        (tmp_path / "result.txt").write_bytes(TEXT)

        def refuse(*_args, **_kwargs):
            raise PermissionError(13, "Permission denied")

        monkeypatch.setattr(archive.os, "open", refuse)
        content, skipped = tree(tmp_path)
        assert content == {}
        assert "permission denied" in skipped["result.txt"]

    def test_folder_may_not_be_listed(self, tmp_path, monkeypatch):
        (tmp_path / "closed").mkdir()
        (tmp_path / "good.txt").write_bytes(TEXT)
        scandir = os.scandir

        def refuse(path):
            if str(path).endswith("closed"):
                raise PermissionError(13, "Permission denied")
            return scandir(path)

        monkeypatch.setattr(archive.os, "scandir", refuse)
        assert tree(tmp_path) == ({"good.txt": TEXT}, {"closed": "permission denied"})

    def test_deep_folders_stop(self, tmp_path):
        deep = tmp_path.joinpath(*["d"] * (archive.MAX_DEPTH + 5))
        deep.mkdir(parents=True)
        (deep / "far.txt").write_bytes(TEXT)
        content, skipped = tree(tmp_path)
        assert content == {}
        assert "deep" in next(iter(skipped.values()))

    def test_folder_that_holds_itself(self, tmp_path, monkeypatch):
        # a bind mount makes one; here the inner folder claims the outer one's identity
        (tmp_path / "inner").mkdir()
        outer = archive.open_tree(tmp_path, keep=everything, report=print)
        status = (tmp_path / "inner").stat()
        looped = archive._DiskFolder(
            "", tmp_path, everything, outer._report, frozenset({(status.st_dev, status.st_ino)})
        )
        assert looped.entries() == ([], [])

    def test_too_many_entries(self, tmp_path, monkeypatch):
        monkeypatch.setattr(archive, "MAX_ENTRIES", 5)
        for number in range(9):
            (tmp_path / f"{number}.txt").write_bytes(TEXT)
        content, skipped = tree(tmp_path)
        assert len(content) == 5
        assert "more than 5" in skipped["."]

    @pytest.mark.parametrize("name", ["two\nlines.txt", "<script>alert(1)</script>", "\udcff.txt"])
    def test_odd_names_are_names(self, tmp_path, name):
        folder = tmp_path / "x"
        folder.mkdir()
        (folder / name.replace("/", "_")).write_bytes(TEXT)
        assert list(tree(folder)[0]) == [name.replace("/", "_")]


class TestBounds:
    def test_file_larger_than_any_result(self, tmp_path, monkeypatch):
        monkeypatch.setattr(archive, "MAX_FILE_B", 1000)
        (tmp_path / "big.txt").write_bytes(b"x" * 1001)
        (tmp_path / "fits.txt").write_bytes(b"x" * 1000)
        content, skipped = tree(tmp_path)
        assert list(content) == ["fits.txt"]
        assert "larger" in skipped["big.txt"]

    def test_one_gigabyte_in_one_line_stays_out_of_memory(self, tmp_path):
        path = tmp_path / "result_summary.txt"
        with path.open("wb") as out:
            out.truncate(2**30)
        tracemalloc.start()
        with pytest.raises(StoragebookError, match="larger"):
            archive.open_tree(path, keep=everything, report=print).read()
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 3 * archive.MAX_FILE_B

    def test_gzip_bomb(self, tmp_path, monkeypatch):
        monkeypatch.setattr(archive, "RATIO_FREE_B", 2**20)
        tar = io.BytesIO()
        with tarfile.open(fileobj=tar, mode="w") as out:
            for name, data in (("good.txt", TEXT), ("bomb", b"\0" * (8 << 20)), ("z.txt", TEXT)):
                member = tarfile.TarInfo(name)
                member.size = len(data)
                out.addfile(member, io.BytesIO(data))
        path = tmp_path / "x.tgz"
        path.write_bytes(gzip.compress(tar.getvalue()))
        content, skipped = tree(path, keep=lambda path, head: path != "bomb")
        assert content == {"good.txt": TEXT}
        assert "bomb" in skipped["x.tgz"]

    def test_zip_bomb(self, tmp_path, monkeypatch):
        path = zip_of(tmp_path / "x.zip", [("bomb", b"\0" * (8 << 20)), ("good.txt", TEXT)])
        content, skipped = tree(path)
        assert content == {"good.txt": TEXT}
        assert "bomb" in skipped["x.zip/bomb"]

    def test_zip_bomb_of_many_files(self, tmp_path, monkeypatch):
        monkeypatch.setattr(archive, "RATIO_FREE_B", 2**20)
        members = [(f"{n}.txt", b"\0" * 2**18) for n in range(20)]
        content, skipped = tree(zip_of(tmp_path / "x.zip", members))
        assert content == {}
        assert list(skipped) == ["x.zip"]
        assert "bomb" in skipped["x.zip"]

    def test_many_bombs_in_one_zip_are_one_finding(self, tmp_path):
        members = [(f"{n}.txt", b"\0" * 2**21) for n in range(20)]
        content, skipped = tree(zip_of(tmp_path / "x.zip", [*members, ("good.txt", TEXT)]))
        assert content == {"good.txt": TEXT}
        assert list(skipped) == ["x.zip/0.txt"]
        assert skipped["x.zip/0.txt"].endswith(
            "a zip bomb, not read; 19 more of its files likewise"
        )

    def test_files_of_a_zip_that_share_their_bytes(self, tmp_path, monkeypatch):
        # each is modest beside what it states; together they come out of a file of a few kilobytes
        monkeypatch.setattr(archive, "RATIO_FREE_B", 2**20)
        path = zip_of(tmp_path / "x.zip", [("a.txt", random.Random(1).randbytes(40_000) * 2)])
        copy_entries(path, 500)
        content, skipped = tree(path)
        assert content == {}
        assert "bomb" in skipped["x.zip"]

    @pytest.mark.parametrize("suffix", [".tgz", ".zip"])
    def test_three_hundred_modest_bombs_end_at_once(self, tmp_path, suffix):
        data = random.Random(1).randbytes(80_000) + b"\0" * (15 << 20)
        path = tmp_path / f"x{suffix}"
        if suffix == ".zip":
            zip_of(path, [(f"{n}/result.txt", data) for n in range(5)])
            copy_entries(path, 60)
        else:
            member = tarfile.TarInfo("result.txt")
            member.size = len(data)
            one = gzip.compress(member.tobuf(tarfile.GNU_FORMAT) + data + b"\0" * 384)
            path.write_bytes(one * 300)
        before = time.process_time()
        content, skipped = tree(path)
        assert time.process_time() - before < 5
        assert len(content) < 10
        assert len(skipped) <= 2
        assert any("bomb" in why for why in skipped.values())

    def test_verbose_log_is_no_bomb(self, tmp_path):
        log = b"".join(b"Commencing write performance test: %d.%06d\n" % (n, n * 7919 % 10**6)
                       for n in range(100_000))  # fmt: skip
        assert tree(zip_of(tmp_path / "x.zip", [("log", log)])) == ({"log": log}, {})

    def test_zip_that_unpacks_without_end(self, tmp_path, monkeypatch):
        monkeypatch.setattr(archive, "MAX_UNPACKED_B", 10_000)
        path = zip_of(tmp_path / "x.zip", [(f"{n}.txt", b"x" * 3000) for n in range(9)])
        content, skipped = tree(path)
        assert content == {}
        assert skipped == {"x.zip": "it unpacks to more than 0 MiB; unpack it and read the folder"}

    def test_large_file_of_a_zip_that_is_no_result_does_not_count(self, tmp_path, monkeypatch):
        monkeypatch.setattr(archive, "MAX_UNPACKED_B", 10_000)
        monkeypatch.setattr(archive, "MAX_FILE_B", 5_000)
        members = [("core", random.Random(1).randbytes(50_000)), ("good.txt", TEXT)]
        content, skipped = tree(zip_of(tmp_path / "x.zip", members))
        assert content == {"good.txt": TEXT}
        assert "larger" in skipped["core"]

    def test_zip_with_names_of_any_size(self, tmp_path):
        path = tmp_path / "x.zip"
        size = 2**30
        with path.open("wb") as out:
            out.write(b"PK\x03\x04")
            out.seek(size)
            out.write(struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, 1, 1, size - 4, 4, 0))
        tracemalloc.start()
        content, skipped = tree(path)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert content == {}
        assert "list of names" in skipped["x.zip"]
        assert peak < 2**20

    def test_tar_header_of_any_size(self, tmp_path):
        member = tarfile.TarInfo("././@LongLink")
        member.type, member.size = tarfile.GNUTYPE_LONGNAME, 4 << 30
        path = tmp_path / "x.tar"
        with path.open("wb") as out:
            out.write(member.tobuf(tarfile.GNU_FORMAT))
            out.truncate(5 << 30)
        tracemalloc.start()
        content, skipped = tree(path)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert content == {}
        assert "header" in skipped["x.tar"]
        assert peak < 2**20

    def test_tar_that_keeps_too_much(self, tmp_path, monkeypatch):
        monkeypatch.setattr(archive, "MAX_KEPT_B", 10_000)
        path = tar_of(tmp_path / "x.tgz", [(f"{n}.txt", b"x" * 3000) for n in range(9)])
        content, skipped = tree(path)
        assert len(content) == 3
        assert "unpack it" in skipped["x.tgz"]

    @pytest.mark.parametrize("suffix", [".tgz", ".zip"])
    def test_too_many_members(self, tmp_path, monkeypatch, suffix):
        monkeypatch.setattr(archive, "MAX_ENTRIES", 5)
        make = zip_of if suffix == ".zip" else tar_of
        path = make(tmp_path / f"x{suffix}", [(f"{n}.txt", TEXT) for n in range(9)])
        content, skipped = tree(path)
        # the names of a .zip are known before any of them is read
        assert len(content) == (0 if suffix == ".zip" else 5)
        assert "more than 5" in skipped[path.name]

    def test_folders_of_a_tar_count(self, tmp_path, monkeypatch):
        monkeypatch.setattr(archive, "MAX_ENTRIES", 5)
        members = [(special(f"{n}", tarfile.DIRTYPE), None) for n in range(9)]
        assert "more than 5" in tree(tar_of(tmp_path / "x.tgz", members))[1]["x.tgz"]

    @pytest.mark.parametrize("suffix", ["", ".tgz", ".zip"])
    def test_ten_thousand_files(self, tmp_path, suffix):
        names = [f"run{n // 100}/{n}.txt" for n in range(10_000)]
        path = tmp_path / f"many{suffix}"
        if suffix == ".zip":
            zip_of(path, [(name, TEXT) for name in names])
        elif suffix:
            tar_of(path, [(name, TEXT) for name in names])
        else:
            for folder in {name.rpartition("/")[0] for name in names}:
                (path / folder).mkdir(parents=True)
            for name in names:
                (path / name).touch()
        content, skipped = tree(path)
        assert len(content) == 10_000
        assert skipped == {}


class TestDamage:
    def test_archive_inside_an_archive(self, tmp_path):
        content, skipped = tree(tar_of(tmp_path / "x.tgz", [("inner.zip", b"PK"), ("a", TEXT)]))
        assert content == {"a": TEXT}
        assert "inside" in skipped["x.tgz/inner.zip"]

    def test_name_twice(self, tmp_path):
        content, skipped = tree(tar_of(tmp_path / "x.tgz", [("a", b"old"), ("a", b"new")]))
        assert content == {"a": b"new"}
        assert "twice" in skipped["x.tgz/a"]

    def test_only_the_name_is_an_archive(self, tmp_path):
        (tmp_path / "x.tgz").write_bytes(TEXT)
        content, skipped = tree(tmp_path)
        assert content == {}
        assert "in spite of its name" in skipped["x.tgz"]

    def test_encrypted_zip(self, tmp_path):
        path = zip_of(tmp_path / "x.zip", [("a.txt", TEXT)])
        data = bytearray(path.read_bytes())
        for signature, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
            data[data.index(signature) + offset] |= 1
        path.write_bytes(bytes(data))
        content, skipped = tree(path)
        assert content == {}
        assert skipped == {"x.zip/a.txt": "encrypted, not read"}

    @pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
    def test_zip_by_another_method(self, tmp_path, method):
        path = tmp_path / "x.zip"
        with zipfile.ZipFile(path, "w", method) as out:
            out.writestr("a.txt", TEXT)
            out.writestr("good.txt", TEXT, zipfile.ZIP_DEFLATED)
        content, skipped = tree(path)
        assert content == {"good.txt": TEXT}
        assert skipped["x.zip/a.txt"].endswith("in place of deflate, not read")

    @pytest.mark.parametrize(
        ("lies", "why"),
        [
            ({6: b"\xff"}, "version"),  # needed to extract it
            ({9: b"\x08", 46: b"\xff"}, "codec"),  # the name is UTF-8
            ({10: b"\x63"}, "compressed by 99"),  # method
            ({16: b"\0\0\0\0"}, "Bad CRC-32"),
            ({42: b"\xff\xff\xff\x7f"}, "Truncated"),  # where the file starts
            ({46: b"\0"}, "without a name"),
            ({46: b"b"}, "differ"),
        ],
    )
    def test_zip_whose_list_of_names_lies(self, tmp_path, lies, why):
        path = zip_of(tmp_path / "x.zip", [("a.txt", TEXT)])
        data = bytearray(path.read_bytes())
        start = data.index(b"PK\x01\x02")
        for offset, value in lies.items():
            data[start + offset : start + offset + len(value)] = value
        path.write_bytes(bytes(data))
        content, skipped = tree(path)
        assert content == {}
        (reason,) = skipped.values()
        assert re.search(why, reason), reason

    def test_zip_with_its_list_of_names_cut_off(self, tmp_path):
        whole = zip_of(tmp_path / "x.zip", [("a.txt", TEXT), ("b.txt", TEXT)]).read_bytes()
        path = tmp_path / "cut.zip"
        for size in range(4, len(whole)):
            path.write_bytes(whole[:size])
            content, skipped = tree(path)
            assert content == {}
            assert len(skipped) == 1, size

    @pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
    def test_zip_with_any_byte_changed(self, tmp_path, method):
        path = tmp_path / "x.zip"
        with zipfile.ZipFile(path, "w", method) as out:
            out.writestr("r\u00e9sult.txt", TEXT)
            out.writestr("b/config.ini", TEXT)
        for position in changes(path):
            content = tree_or_none(path)
            # it is read, or left out: a checksum guards the content of what is still an archive
            assert position < 4 or set(content.values()) <= {TEXT}

    @pytest.mark.parametrize("form", [tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])
    def test_tar_with_any_byte_changed(self, tmp_path, form):
        path = tmp_path / "x.tar"
        with tarfile.open(path, "w", format=form) as out:
            for name in ("a.txt", f"{'long' * 30}/r\u00e9sult.txt"):
                member = tarfile.TarInfo(name)
                member.size = len(TEXT)
                out.addfile(member, io.BytesIO(TEXT))
        # most of it is padding
        for _ in changes(path, zeros=False):
            tree_or_none(path)

    def test_tgz_with_any_byte_changed(self, tmp_path):
        path = tar_of(tmp_path / "x.tgz", [("a.txt", TEXT), ("b/c.txt", TEXT[::-1])])
        expected = tree(path)[0]
        for position in changes(path):
            if position > 1:  # else it is no archive any more
                content, skipped = tree(path)
                assert content == expected or skipped, position
            else:
                tree_or_none(path)

    def test_gzip_cut_anywhere(self, tmp_path):
        members = [(f"{n}.txt", random.Random(n).randbytes(2000)) for n in range(6)]
        whole = tar_of(tmp_path / "whole.tgz", members).read_bytes()
        path = tmp_path / "cut.tgz"
        for size in (*range(2, len(whole), 97), *range(len(whole) - 20, len(whole))):
            path.write_bytes(whole[:size])
            content, skipped = tree(path)
            assert all(dict(members)[name] == data for name, data in content.items())
            assert skipped, size

    @given(
        st.binary(max_size=2000), st.sampled_from([b"PK\x03\x04", b"PK\x05\x06", b"\x1f\x8b", b""])
    )
    def test_any_bytes_are_read_or_refused(self, tmp_path_factory, data, magic):
        path = tmp_path_factory.mktemp("any") / "x.tgz"
        path.write_bytes(magic + data)
        tree(path)
        tree(path.parent)


class TestLines:
    def test_line_ends(self):
        for data in (b"a\nb\n", b"a\r\nb\r\n", b"a\rb\r", b"a\nb", b"\xef\xbb\xbfa\nb\n"):
            assert archive.lines_of(data) == (["a", "b"], [])
        assert archive.lines_of(b"") == ([], [])

    def test_other_encodings(self):
        lines, odd = archive.lines_of(b"one\ncaf\xe9 12\nthree")
        assert odd == [("not-utf8", 2)]
        assert lines[1].encode("utf-8", "surrogateescape") == b"caf\xe9 12"
        lines, odd = archive.lines_of("IO500 version é\r\nb".encode("utf-16"))
        assert lines == ["IO500 version é", "b"]
        assert odd == [("utf16", None)]

    def test_nul_splits_a_number(self):
        lines, odd = archive.lines_of(b"a\n12\x0034")
        assert lines[1] == "12\ufffd34"
        assert odd == [("nul-bytes", 2)]

    def test_long_line(self, monkeypatch):
        monkeypatch.setattr(archive, "MAX_LINE_B", 10)
        lines, odd = archive.lines_of(b"a\n" + b"x" * 11 + b"\nb")
        assert lines == ["a", "x" * 10, "b"]
        assert odd == [("long-line", 2)]

    @given(st.binary(max_size=300))
    def test_any_bytes(self, data):
        lines, odd = archive.lines_of(data)
        assert not any("\n" in line or "\r" in line or "\0" in line for line in lines)
        assert all(line is None or 1 <= line <= max(len(lines), 1) for _, line in odd)
