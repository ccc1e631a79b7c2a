"""How long the IO500 reader takes, beside reading the same bytes and beside a plain regex script.

    python benchmarks/bench_reader.py [PATH] [--runs N] [--many N]

Scores every run under PATH (by default the public submissions beside the checkout, else the
project's own fixtures) in one process. The two others are what there is to compare with: `cat` of
the files that the reader read, and a script that takes the phases from each result_summary.txt with
one pattern and prints the score: no hashes, no intervals, no other formats, no findings.

Then copies of one run, ever more of them: the time for each has to stay, and so has the memory.
Times are of the processor (user and system, child processes included), which other work on the
machine hardly moves.
"""

from __future__ import annotations

import argparse
import math
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from storagebook import paths
from storagebook.io500 import rules
from storagebook.readers import io500

FIXTURES = Path(__file__).parents[1] / "tests" / "fixtures" / "io500"
ONE_RUN = FIXTURES / "standard" / "2031.02.03-04.05.06"

LINE = re.compile(
    r"^\[RESULT\] +(?:BW +phase \d+ +|IOPS phase \d+ +)?([\w-]+) +([\d.]+) (\S+) *: time", re.M
)


def score_all(path: Path) -> int:
    seen = rules.Seen()
    return sum(
        1 for run in io500.iter_runs(path, report=lambda _skipped: None) if rules.check(run, seen)
    )


def regex_script(path: Path) -> int:
    """What people write in a minute."""
    scored = 0
    for file in path.rglob("result_summary.txt"):
        bandwidth, metadata = [], []
        for name, value, _unit in LINE.findall(file.read_text(errors="replace")):
            (bandwidth if name.startswith("ior") else metadata).append(float(value))
        if bandwidth and metadata:
            bw = math.prod(bandwidth) ** (1 / len(bandwidth))
            md = math.prod(metadata) ** (1 / len(metadata))
            scored += math.sqrt(bw * md) > 0
    return scored


def cat(files: list[Path]) -> int:
    for start in range(0, len(files), 500):
        subprocess.run(["cat", *files[start : start + 500]], stdout=subprocess.DEVNULL, check=True)
    return len(files)


def timed(work: Callable[[], int], runs: int) -> tuple[float, int]:
    """Median seconds, and what the work returned."""
    seconds = []
    for _ in range(runs):
        start = processor_time()
        result = work()
        seconds.append(processor_time() - start)
    return statistics.median(seconds), result


def processor_time() -> float:
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in used)


def beside_others(path: Path, runs: int) -> None:
    files = sorted(
        {
            path / file.path.removeprefix(f"{path.name}/")
            for run in io500.iter_runs(path, report=lambda _skipped: None)
            for file in run.files
        }
    )
    files = [file for file in files if file.is_file()]
    size = sum(file.stat().st_size for file in files)
    reader, count = timed(lambda: score_all(path), runs)
    script, scored = timed(lambda: regex_script(path), runs)
    reading, _ = timed(lambda: cat(files), runs)
    print(f"{path}: {count} runs in {len(files)} files, {size / 2**20:.1f} MiB")
    print(f"{'':24}{'median s':>10}{'ms a run':>10}{'ratio':>8}")
    for name, seconds, number in (
        ("storagebook", reader, count),
        ("regex script", script, scored),
        ("cat", reading, count),
    ):
        print(f"{name:24}{seconds:10.3f}{1000 * seconds / number:10.2f}{reader / seconds:8.1f}")


def many(most: int) -> None:
    """Time and memory for ever more copies of one run, each in a process of its own."""
    print(f"\n{'copies of one run':24}{'seconds':>10}{'ms a run':>10}{'MiB':>8}")
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder, "site")
        made = 0
        for count in (most // 100, most // 10, most):
            for number in range(made, count):
                shutil.copytree(
                    ONE_RUN,
                    tree / f"submission-{number:06d}",
                    ignore=shutil.ignore_patterns("*-write.txt"),
                )
            made = count
            done = subprocess.run(
                [sys.executable, __file__, str(tree), "--once"],
                check=True,
                capture_output=True,
                text=True,
            )
            seconds, mib = map(float, done.stdout.split())
            print(f"{count:<24,}{seconds:10.2f}{1000 * seconds / count:10.2f}{mib:8.0f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("path", type=Path, nargs="?")
    parser.add_argument("--runs", type=int, default=5, help="how often each is timed")
    parser.add_argument("--many", type=int, default=10_000, help="copies of one run; 0 for none")
    parser.add_argument("--once", action="store_true", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.once:
        seconds, _ = timed(lambda: score_all(chosen.path), 1)
        print(seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
        return
    shared = paths.shared()
    public = shared / "data" / "io500" if shared is not None else FIXTURES
    beside_others(chosen.path or public, chosen.runs)
    if chosen.many:
        many(chosen.many)


if __name__ == "__main__":
    main()
