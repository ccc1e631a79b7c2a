"""The words of result.txt, against ones that the official program printed."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storagebook.io500 import hash as hashes
from storagebook.io500.phases import SCORED
from storagebook.io500.run import Config, HashedText, Option, Place
from storagebook.readers import io500

FIXTURES = Path(__file__).parents[1] / "fixtures" / "io500"
SAMPLE = Path(__file__).parents[2] / "data" / "samples" / "io500-small-vm"

# Typed from the result.txt that the official program wrote on the project's own machine.
SMALL_VM = HashedText(
    version="io500-isc26_v2-26-g02091cf254d8",
    phases={
        "ior-easy-write": "0.298900",
        "mdtest-easy-write": "37.849579",
        "ior-hard-write": "0.289735",
        "mdtest-hard-write": "12.042272",
        "find": "1067.754536",
        "ior-easy-read": "4.099534",
        "mdtest-easy-stat": "689.681387",
        "ior-hard-read": "4.882056",
        "mdtest-hard-stat": "497.984866",
        "mdtest-easy-delete": "81.560041",
        "mdtest-hard-read": "119.492756",
        "mdtest-hard-delete": "15.587469",
        "ior-rnd4K-easy-read": "5.600650",
    },
    md="112.353737",
    bw="1.147403",
    score="11.354077",
    valid=False,
    printed="E969A684",
    place=Place("result.txt"),
)
digits = st.text("0123456789.", min_size=1, max_size=14)


def run_of(text, **changes):
    return replace(io500.read(FIXTURES / "rnd4k")[0], hashed=text, **changes)


def test_word_by_hand():
    # 'a' is 97; then 97 rotated left by two is 388, plus 98
    assert hashes.word("") == 0
    assert hashes.word("a") == 97
    assert hashes.word("ab") == 486
    assert hashes.word("b", 97) == hashes.word("ab")
    # 17 bytes turn the first one right around the word
    assert hashes.word("\x01" + "\x00" * 16) == 1


def test_word_of_the_official_program():
    assert hashes.printed_form(hashes.score_word(SMALL_VM)) == "E969A684"
    assert hashes.check_score(run_of(SMALL_VM)).status == "match"


def test_no_leading_zeros():
    assert hashes.printed_form(0x0ABC) == "ABC"


@given(st.sampled_from([p.name for p in SCORED]), digits)
def test_any_other_score_of_a_phase_is_noticed(name, value):
    phases = {**SMALL_VM.phases, name: value}
    same = value == SMALL_VM.phases[name]
    check = hashes.check_score(run_of(replace(SMALL_VM, phases=phases)))
    assert (check.status == "match") == same


@given(st.sampled_from(["version", "md", "bw", "score"]), digits)
def test_any_other_text_of_the_run_is_noticed(field, value):
    check = hashes.check_score(run_of(replace(SMALL_VM, **{field: value})))
    assert (check.status == "match") == (value == getattr(SMALL_VM, field))


def test_other_marks_are_noticed():
    assert hashes.check_score(run_of(replace(SMALL_VM, valid=True))).status == "mismatch"
    short = {k: v for k, v in SMALL_VM.phases.items() if k != "find"}
    assert hashes.check_score(run_of(replace(SMALL_VM, phases=short))).status == "mismatch"


def test_unscored_phases_are_not_hashed():
    phases = {**SMALL_VM.phases, "ior-rnd4K-easy-read": "9.0"}
    assert hashes.check_score(run_of(replace(SMALL_VM, phases=phases))).status == "match"


def test_absent():
    assert hashes.check_score(run_of(replace(SMALL_VM, printed=None))).status == "absent"
    assert hashes.check_score(run_of(None)).status == "absent"
    assert hashes.check_scorex(run_of(SMALL_VM)).status == "absent"


@pytest.mark.parametrize(
    ("version", "status"),
    [
        ("io500-isc21_v1-12", "match"),
        ("io500-isc21_v1", "match"),
        ("io500-isc21_v12", "mismatch"),
        ("io500-isc21", "mismatch"),
    ],
)
def test_one_era_leaves_the_means_out(version, status):
    text = replace(SMALL_VM, version=version)
    printed = hashes.printed_form(hashes.score_word(text, with_means=False))
    check = hashes.check_score(run_of(replace(text, printed=printed)))
    assert check.status == status
    assert check.covers_means == (status == "mismatch")


def test_same_era_with_means():
    text = replace(SMALL_VM, version="io500-isc21_v1-6-g739a1de1dda9")
    printed = hashes.printed_form(hashes.score_word(text))
    check = hashes.check_score(run_of(replace(text, printed=printed)))
    assert (check.status, check.covers_means) == ("match", True)


@pytest.mark.parametrize("folder", ["standard", "rnd4k", "invalid", "extended", "sc20"])
def test_fixtures(folder):
    (run,) = io500.read(FIXTURES / folder)
    assert hashes.check_score(run).status == "match"


def test_scorex():
    (run,) = io500.read(FIXTURES / "extended")
    assert hashes.check_scorex(run).status == "match"
    for name in ("find-easy", "ior-rnd1MB-read"):
        phases = {**run.hashed_x.phases, name: "1.000000"}
        edited = replace(run, hashed_x=replace(run.hashed_x, phases=phases))
        assert hashes.check_scorex(edited).status == "mismatch"


class TestConfiguration:
    def options(self, *pairs):
        return tuple(Option("x", key, value, 1) for key, value in pairs)

    def config(self, name, *pairs, comments=False, sha256=""):
        return Config(f"run/{name}", self.options(*pairs), comments, sha256 or name)

    def test_sections_do_not_count_so_equal_pairs_cancel(self):
        pair = ("run", "TRUE")
        assert hashes.config_word(self.options(pair, pair)) == 0
        assert hashes.config_word(self.options(pair, pair, pair)) == hashes.pair(*pair)

    def test_empty_options(self):
        assert hashes.config_word(self.options(("API", ""))) == 0
        assert hashes.config_word(self.options(("external-mpi-args", ""))) != 0

    def test_booleans_are_upper_case(self):
        assert hashes.config_word(self.options(("scc", "True"))) == hashes.pair("scc", "TRUE")
        assert hashes.config_word(self.options(("scc", "false"))) == hashes.pair("scc", "FALSE")
        assert hashes.config_word(self.options(("x", "Truest"))) == hashes.pair("x", "Truest")

    def check(self, *configs, printed):
        return hashes.check_config(run_of(None, configs=configs, config_hash=printed))

    def test_statuses(self):
        full = [(s, "1") for s in ("a", "b")]
        word = hashes.printed_form(hashes.config_word(self.options(*full)))
        dump = self.config("config.ini", *full)
        assert self.check(dump, printed=word).status == "match"
        assert self.check(dump, printed=None).status == "absent"
        # what has no section for each phase is no dump
        assert self.check(dump, printed="1").status == "not-kept"
        assert self.check(printed="1").status == "not-kept"
        other = self.config("config-orig.ini", *full)
        own = self.config("config.ini", ("a", "2"))
        found = self.check(own, other, printed=word)
        assert (found.status, found.file) == ("match", "run/config-orig.ini")

    def test_full_dump_that_was_edited(self):
        (run,) = io500.read(FIXTURES / "standard")
        assert hashes.check_config(run).status == "match"
        assert hashes.check_config(run).file.endswith("/config.ini")
        dump = next(c for c in run.configs if c.file.endswith("/config.ini"))
        for index, option in enumerate(dump.options):
            if not option.value:
                continue
            options = list(dump.options)
            options[index] = replace(option, value=option.value + "x")
            edited = replace(dump, options=tuple(options))
            check = hashes.check_config(replace(run, configs=(edited,)))
            assert check.status == "mismatch", option

    def test_users_own_file_under_the_dumps_name(self):
        (run,) = io500.read(FIXTURES / "standard")
        dump = next(c for c in run.configs if c.file.endswith("/config.ini"))
        options = (replace(dump.options[0], value="/elsewhere"), *dump.options[1:])
        own = replace(dump, options=options)
        copy = replace(own, file="x/config-orig.ini")
        assert hashes.check_config(replace(run, configs=(own, copy))).status == "not-kept"
        assert hashes.check_config(replace(run, configs=(replace(own, comments=True),))).status == (
            "not-kept"
        )


def test_own_sample():
    (run,) = io500.read(SAMPLE)
    assert hashes.check_score(run).status == "match"
    # the host's name, which is also a folder of /proc, was replaced in config.ini afterwards
    check = hashes.check_config(run)
    assert (check.status, check.printed) == ("mismatch", "7071F298")
    dump = next(c for c in run.configs if c.file.endswith("/config.ini"))
    options = tuple(replace(o, value=o.value.replace("node01", "vm")) for o in dump.options)
    assert hashes.printed_form(hashes.config_word(options)) == "7071F298"
