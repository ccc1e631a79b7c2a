"""Digits changed at random: what is noticed, what escapes, and why it may.

An official result.txt protects its scores by a hash and repeats them in result_summary.txt. Dates,
paths, command lines, counts and stonewall rates stand in one place only and under no hash: an edit
of those escapes, and `ESCAPES` lists them all.
"""

import random
import re
import shutil
from pathlib import Path

import pytest

from storagebook import paths
from storagebook.io500 import rules
from storagebook.readers import io500

FIXTURES = Path(__file__).parents[1] / "fixtures" / "io500"
STANDARD = FIXTURES / "standard" / "2031.02.03-04.05.06"
NAMES = ("result.txt", "result_summary.txt")

#: Lines of result.txt whose digits nothing else repeats and no hash covers, with the reason.
ESCAPES = {
    r"t_(start|end) ": "dates are printed once",
    r"; (START|END) ": "dates are printed once",
    r"exe ": "the command line is printed once; per-phase output, if kept, is not compared with it",
    r"(throughput|rate)-stonewall": "the rate at the stonewall is printed once",
    r"(found|total-files|nproc|last-output|accessed-pairs|time|filesPerProc|precreatePerSet|maxOpTime"
    r"|scoreIteration|maxOpTime0|scoreIteration0)\S* ": "counts and inner times are printed once",
    r"procs ": "the number of processes is printed once",
    r"(result-dir|result-file|timestamp-file) ": "paths are printed once",
    r"t_delta ": "the summary rounds off the last digit of a time; the timestamp is no phase",
    r"config-hash": "where no configuration was kept, or it was the user's own",
}
#: The same of result_summary.txt beside a result.txt.
ESCAPES_SUMMARY = {
    r"\[      \]\s+timestamp": "the timestamp is no phase",
    r"IO500 version": "result.txt has the version that is hashed",
    r".* : time ": "the last digit of a time may be rounding; some result.txt have no times at all",
}


def seen_in(folder):
    runs = io500.read(folder)
    return [
        [(f.code, f.text) for f in rules.check(run).findings if f.severity != "note"]
        for run in runs
    ]


def change_digit(text, position, digit):
    return text[:position] + digit + text[position + 1 :]


def escapes(texts, name, position):
    text = texts[name]
    start = text.rfind("\n", 0, position) + 1
    line = text[start:].split("\n", 1)[0]
    patterns = [
        p for p in (ESCAPES if name == "result.txt" else ESCAPES_SUMMARY) if re.match(p, line)
    ]
    if patterns == [r".* : time "]:
        seconds = re.search(r": time [\d.]*(\d) seconds", line)
        in_time = position - start >= seconds.start()
        last = position - start == seconds.start(1)
        return in_time and (last or "t_delta" not in texts["result.txt"])
    if patterns == [r"t_delta "]:
        return (
            position - start == len(line) - 1 or "[timestamp]" in text[:start].rsplit("\n\n", 1)[-1]
        )
    return bool(patterns)


def alter(folder, scratch, rounds, rng):
    """Change one digit a round in a copy of a run's files; return those that went unnoticed."""
    scratch.mkdir()
    for file in folder.iterdir():
        if file.is_file():
            shutil.copy(file, scratch)
    texts = {n: (scratch / n).read_text() for n in NAMES if (scratch / n).is_file()}
    before = seen_in(scratch)
    unnoticed = []
    for _ in range(rounds):
        name = rng.choice(sorted(texts))
        text = texts[name]
        position = rng.choice([m.start() for m in re.finditer(r"\d", text)])
        digit = rng.choice([d for d in "0123456789" if d != text[position]])
        (scratch / name).write_text(change_digit(text, position, digit))
        if seen_in(scratch) == before and not escapes(texts, name, position):
            line = text.count("\n", 0, position)
            edited = change_digit(text, position, digit).split("\n")[line]
            unnoticed.append((name, text.split("\n")[line], edited))
        (scratch / name).write_text(text)
    return unnoticed


def test_every_digit_of_a_hashed_value_is_noticed(tmp_path):
    shutil.copy(STANDARD / "result.txt", tmp_path)
    path = tmp_path / "result.txt"
    text = path.read_text()
    protected = re.compile(r"^(?:version|score|MD|BW|SCORE|hash) .*= (\S+)", re.MULTILINE)
    positions = [i for m in protected.finditer(text) for i in range(*m.span(1))]
    assert len(positions) > 150
    for position in positions:
        if not text[position].isdigit():
            continue
        digit = "1" if text[position] != "1" else "2"
        path.write_text(change_digit(text, position, digit))
        (run,) = io500.read(tmp_path)
        assert rules.check(run).hash.status == "mismatch", text[position - 30 : position + 5]


@pytest.mark.parametrize("folder", ["standard/2031.02.03-04.05.06", "rnd4k", "invalid", "extended"])
def test_random_digits_of_fixtures(tmp_path, folder):
    rng = random.Random(folder)
    assert alter(FIXTURES / folder, tmp_path / "x", 60, rng) == []


def test_random_digits_of_public_submissions(tmp_path):
    shared = paths.shared()
    if shared is None:
        pytest.skip("the public submissions are not at hand")
    folders = sorted(p.parent for p in (shared / "data" / "io500").glob("**/result.txt"))
    rng = random.Random(500)
    unnoticed = []
    for number, folder in enumerate(rng.sample(folders, 20)):
        unnoticed += alter(folder, tmp_path / str(number), 8, rng)
    assert unnoticed == []


def test_summary_alone_is_protected_by_arithmetic_only(tmp_path):
    """Without result.txt a digit may change by as much as the printed means leave open."""
    path = tmp_path / "result_summary.txt"
    text = (STANDARD / "result_summary.txt").read_text()
    noticed, missed = 0, []
    for match in re.finditer(r"^\[RESULT\]\s+\S+\s+(\d+\.\d+)", text, re.MULTILINE):
        for position in range(*match.span(1)):
            if not text[position].isdigit():
                continue
            old = float(match[1])
            edited = change_digit(text, position, "1" if text[position] != "1" else "2")
            path.write_text(edited)
            new = float(edited[slice(*match.span(1))])
            (run,) = io500.read(path)
            if rules.check(run).verdicts.arithmetic == "disagrees":
                noticed += 1
            else:
                missed.append(abs(new / old - 1))
    assert noticed > 60
    # what escapes moves a phase by less than four parts in ten million
    assert max(missed) < 4e-7
