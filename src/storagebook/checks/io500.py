"""The IO500 rules and the arithmetic of its score."""

from __future__ import annotations

import math
import statistics
from fractions import Fraction

from storagebook.checks import raw
from storagebook.claims import Evidence, Inputs, check
from storagebook.intervals import Interval
from storagebook.io500 import object_class, phases
from storagebook.io500.phases import BY_NAME, SCORED
from storagebook.io500.score import scores
from storagebook.quantities import RAW, Quantity
from storagebook.verdicts import Argument, Fact

_KINDS = {
    "all": lambda phase: True,
    "bandwidth": lambda phase: phase.kind == "bandwidth",
    "metadata": lambda phase: phase.kind == "metadata",
    "mdtest": lambda phase: phase.name.startswith("mdtest"),
}
_CONSTANTS = {
    "ior-hard-record": (phases.IOR_HARD_RECORD_B, "B"),
    "mdtest-hard-file": (phases.MDTEST_HARD_FILE_B, "B"),
    "stonewall": (phases.STONEWALL_S, "s"),
}
#: What a configuration can say of mdtest-easy.
_MDTEST_EASY_SETTINGS = {"API", "n", "run"}
#: A score that is exceeded fewer times than this is near.
_NEAR_TIMES = 2
#: Digits that the list keeps of a score; bandwidth and metadata keep two places.
LISTED_DIGITS = 6


@check("phase-count")
def phase_count(inputs: Inputs, submission: str, kind: str) -> Evidence:
    """How many scored phases of a kind a run has."""
    names = [row["phase"] for row in inputs.rows(raw.PHASES, submission=submission)]
    found = [name for name in names if name in BY_NAME and _KINDS[kind](BY_NAME[name])]
    counted = Quantity(
        Interval.point(len(found)),
        "1",
        f"phases of submission {submission}: {', '.join(found)}",
        origins=RAW,
    )
    return Evidence(counted)


@check("group-count")
def group_count(_inputs: Inputs) -> Evidence:
    """How many groups the scored phases form."""
    groups = dict.fromkeys(phase.group for phase in SCORED)
    return Evidence(Quantity.count(len(groups), f"groups: {', '.join(groups)}"))


@check("pair-count")
def pair_count(_inputs: Inputs) -> Evidence:
    """How many groups there are in an easy and a hard form."""
    groups = {phase.group for phase in SCORED}
    pairs = sorted(g for g in groups if g.replace("easy", "hard") in groups and "easy" in g)
    return Evidence(Quantity.count(len(pairs), f"with a hard counterpart: {', '.join(pairs)}"))


@check("program")
def program(_inputs: Inputs, constant: str) -> Evidence:
    """What the official program has for a size or a time."""
    number, unit = _CONSTANTS[constant]
    return Evidence(Quantity(Interval.point(number), unit, f"{number:,} {unit} in the program"))


@check("cells-of")
def cells_of(_inputs: Inputs, name: str, what: str) -> Evidence:
    """What the name of an object class says: ``data`` or ``parity`` cells, or ``replicas``."""
    parsed = object_class.parse(name)
    number = {
        "data": parsed.data_cells,
        "parity": parsed.parity_cells,
        "replicas": parsed.replicas,
    }[what]
    return Evidence(Quantity.count(number, f"{what} of {name}"))


@check("shortest-write")
def shortest_write(inputs: Inputs, submission: str) -> Evidence:
    """The shortest write phase of a run."""
    phases = [phase for phase in SCORED if phase.access == "write"]
    found = [raw.figure(inputs, submission, f"{phase.name}.duration_s") for phase in phases]
    return Evidence(min(found, key=lambda duration: duration.value.lo))


@check("one-bad-phase")
def one_bad_phase(_inputs: Inputs) -> Argument:
    """What one phase loses, no other phase can make good."""

    even = {phase.name: 1.0 for phase in SCORED}
    uneven = even | {"ior-hard-write": 0.5, "ior-easy-write": 2.0}
    return Argument(
        counter=[
            Fact(
                "half the rate in one bandwidth phase and twice the rate in another leave the "
                "score as it was",
                scores(uneven) == scores(even),
            )
        ]
    )


def _arithmetic(inputs: Inputs, submission: str) -> dict[str, float]:
    """BW, MD and score of a run as arithmetic means of its phases would make them."""
    values = {
        kind: [
            float(raw.figure(inputs, submission, phase.name).value.mid)
            for phase in SCORED
            if phase.kind == kind
        ]
        for kind in ("bandwidth", "metadata")
    }
    means = {kind: statistics.fmean(own) for kind, own in values.items()}
    return means | {"score": math.sqrt(means["bandwidth"] * means["metadata"])}


@check("balance-holds-it-down")
def balance_holds_it_down(inputs: Inputs, *submissions: str) -> Argument:
    """That phases lie apart is what puts entries behind Aurora."""

    def shares(submission: str) -> dict[str, float]:
        return {
            what: float(raw.figure(inputs, submission, what).value.mid) / mean
            for what, mean in _arithmetic(inputs, submission).items()
        }

    def told(submission: str) -> str:
        own = shares(submission)
        return f"{own['score']:.2f}, of BW {own['bandwidth']:.2f}, of MD {own['metadata']:.2f}"

    aurora = shares(raw.AURORA)["score"]
    facts = [
        Fact(
            f"the geometric means of submission {one} are a smaller part of the arithmetic ones "
            f"(of the score {told(one)}) than Aurora's ({told(raw.AURORA)})",
            shares(one)["score"] < aurora,
            RAW,
        )
        for one in submissions
    ]
    first = _arithmetic(inputs, raw.AURORA)["score"]
    behind = {one: first / _arithmetic(inputs, one)["score"] for one in submissions}
    return Argument(
        [
            *facts,
            Fact(
                "by arithmetic means they would come near Aurora's score ("
                + ", ".join(
                    f"it has {times:.0f} times that of {one}" for one, times in behind.items()
                )
                + ")",
                max(behind.values()) < _NEAR_TIMES,
                RAW,
            ),
        ]
    )


@check("directory-per-process")
def directory_per_process(inputs: Inputs) -> Argument:
    """mdtest-easy gives each process a directory, and nothing in a configuration changes it."""
    options = {
        row["option"]
        for row in inputs.rows("io500-run-options")
        if row["section"].startswith("mdtest-easy")
    }
    return Argument(
        [
            Fact(
                f"the program calls mdtest with -u, a directory for each process "
                f"({' '.join(phases.MDTEST_EASY_OPTIONS)})",
                "-u" in phases.MDTEST_EASY_OPTIONS,
                RAW,
            ),
            Fact(
                "no configuration at hand says more of mdtest-easy than interface, count and "
                f"whether it runs ({', '.join(sorted(options))})",
                bool(options) and options <= _MDTEST_EASY_SETTINGS,
                RAW,
            ),
        ]
    )


@check("no-own-page-cache")
def no_own_page_cache(inputs: Inputs) -> Argument:
    """A run has another node, whose data a process reads instead of its own."""
    nodes = [int(row["nodes_count"]) for row in inputs.rows(raw.RUNS) if row["nodes_count"]]
    return Argument(
        [
            Fact(
                f"every run at hand that tells its client nodes, {len(nodes)}, has more than one "
                f"(at least {min(nodes)})",
                min(nodes) > 1,
                RAW,
            )
        ]
    )


@check("difference-is-rounding")
def difference_is_rounding(inputs: Inputs) -> Argument:
    """The list's score is the run's, rounded."""
    listed = {
        raw.AURORA: "io500-production-isc26[system=Aurora].score",
        raw.SUPERMUC_2025: "io500-production-isc26[system=SuperMUC-NG-Phase2-EC].score",
        raw.AURORA_TEN_NODES: "io500-ten-node-isc26[system=Aurora].score",
        "0774": "io500-ten-node-isc26[system=SuperMUC-NG-Phase2-EC-10].score",
        raw.AURORA_UNPROTECTED: "io500-evolution[system=Aurora RF0].score",
        raw.SUPERMUC_2023: "io500-evolution[release=SC23;system=SuperMUC-NG-Phase2-EC].score",
    }
    facts = []
    for submission, pointer in listed.items():
        exact = raw.figure(inputs, submission, "score")
        shown = f"{float(exact.value.mid):.{LISTED_DIGITS}g}"
        printed = inputs(pointer)
        same = printed.value.contains(Fraction(shown))
        facts.append(
            Fact(
                f"{exact.text} is {shown} in {LISTED_DIGITS} digits, listed as {printed.text}",
                same,
                exact.origins | printed.origins,
            )
        )
    return Argument(facts)
