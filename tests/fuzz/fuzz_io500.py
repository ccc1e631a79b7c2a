"""Try bytes on the IO500 reader for as long as wanted: they are read, or give the one error.

    python tests/fuzz/fuzz_io500.py [--seconds N] [--seed N]

atheris guides the search where it is installed (``pip install atheris``); without it, the seeds are
changed at random. Seeds are the fixtures and what earlier searches found. An input that breaks the
reader is written to tests/fuzz/corpus/io500/, where the tests read it from then on.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import io
import multiprocessing
import random
import sys
import tarfile
import tempfile
import time
import zipfile
from pathlib import Path

HERE = Path(__file__).parent
CORPUS = HERE / "corpus" / "io500"
FIXTURES = HERE.parent / "fixtures" / "io500"
# What a text of IO500 is made of; random bytes alone hardly ever make a line.
WORDS = (
    b"[RESULT] ", b"[SCORE ] Bandwidth ", b" GiB/s : IOPS ", b" kiops : TOTAL ", b" : time ",
    b" seconds", b"ior-easy-write ", b"[find]\n", b"score = ", b"hash = ", b"[INVALID]",
    b"IO500 version ", b"(extended)", b"[run]\n", b"config-hash = ", b"\n", b"\r\n", b"\0", b"\xff",
    b"nan", b"1e99", b"-1", b"0", b"99999999999999999999", b",", b";", b'"', b"NULL",
    b"io500_score",
)  # fmt: skip


def try_bytes(data: bytes, folder: Path) -> None:
    """Read, check and print what the bytes hold; only the package's own error may come out."""
    from storagebook.errors import StoragebookError
    from storagebook.io500 import rules
    from storagebook.readers import io500, report

    path = folder / "result_summary.txt"
    path.write_bytes(data)
    try:
        checked = [rules.check(run) for run in io500.read(path)]
    except StoragebookError as error:
        if "\n" in str(error) or len(str(error)) > 2000:
            raise AssertionError(f"not one line: {error}") from None
        return
    for write in (report.write_json, report.write_csv, report.write_table):
        write(checked, io.StringIO())


def seeds() -> list[bytes]:
    """The fixtures, archives of them, and the corpus."""
    files = sorted(p for p in FIXTURES.rglob("*") if p.is_file() and p.suffix != ".ini")
    found = [path.read_bytes() for path in files]
    packed, zipped = io.BytesIO(), io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as tar, zipfile.ZipFile(zipped, "w") as archive:
        for path in sorted((FIXTURES / "standard").rglob("*.txt")):
            tar.add(path, path.relative_to(FIXTURES))
            archive.write(path, path.relative_to(FIXTURES))
    kept = [path.read_bytes() for path in sorted(CORPUS.iterdir()) if path.is_file()]
    return [*found, packed.getvalue(), zipped.getvalue(), *kept]


def mutate(data: bytes, rng: random.Random, others: list[bytes]) -> bytes:
    """A few changes: bytes flipped, pieces cut, doubled, moved in from elsewhere, words put in."""
    changed = bytearray(data)
    for _ in range(rng.randint(1, 6)):
        at = rng.randrange(len(changed) + 1)
        size = min(rng.choice((1, 2, 8, 64, 512)), len(changed) - at)
        match rng.randrange(6):
            case 0 if size:
                changed[at] = rng.randrange(256)
            case 1:
                del changed[at : at + size]
            case 2:
                changed[at:at] = changed[at : at + size]
            case 3:
                other = rng.choice(others)
                start = rng.randrange(len(other) + 1)
                changed[at : at + size] = other[start : start + 200]
            case 4:
                del changed[at:]
            case _:
                changed[at:at] = rng.choice(WORDS)
    return bytes(changed)


def keep(data: bytes) -> Path:
    CORPUS.mkdir(parents=True, exist_ok=True)
    path = CORPUS / hashlib.sha256(data).hexdigest()[:16]
    path.write_bytes(data)
    return path


def search(seconds: float, seed: int) -> int:
    """Random changes of the seeds; returns how many inputs were tried."""
    rng, pool = random.Random(seed), seeds()
    end = time.monotonic() + seconds
    tried = 0
    with tempfile.TemporaryDirectory() as folder:
        while time.monotonic() < end:
            data = mutate(rng.choice(pool), rng, pool)
            tried += 1
            try:
                try_bytes(data, Path(folder))
            except Exception:
                print(f"kept as {keep(data)}", file=sys.stderr)
                raise
    return tried


def search_guided(seconds: float, seed: int) -> int:
    """The same with atheris, which keeps what reaches new code; returns its exit code."""
    if importlib.util.find_spec("atheris") is None:
        raise ImportError("no atheris")
    with tempfile.TemporaryDirectory() as folder:
        # it ends its process without a word, and would leave the folder behind
        search = multiprocessing.get_context("spawn").Process(
            target=_guided, args=(folder, seconds, seed)
        )
        search.start()
        search.join()
    return search.exitcode or 0


def _guided(folder: str, seconds: float, seed: int) -> None:
    import atheris

    with atheris.instrument_imports(include=["storagebook"]):
        from storagebook.readers import io500, report  # noqa: F401

    start = Path(folder, "seeds")
    start.mkdir()
    for number, data in enumerate(seeds()):
        (start / str(number)).write_bytes(data)

    def target(data: bytes) -> None:
        try:
            try_bytes(data, Path(folder))
        except Exception:
            keep(data)
            raise

    options = [f"-max_total_time={int(seconds)}", f"-seed={seed}", "-max_len=65536", str(start)]
    atheris.Setup([sys.argv[0], *options], target)
    atheris.Fuzz()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    try:
        sys.exit(search_guided(chosen.seconds, chosen.seed))
    except ImportError:
        tried = search(chosen.seconds, chosen.seed)
        print(f"{tried} inputs, each read or refused in one line")


if __name__ == "__main__":
    main()
