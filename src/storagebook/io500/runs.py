"""Public IO500 runs by submission, from the derived tables: what the chapters show of them."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

import pandas as pd

from storagebook import tables
from storagebook.errors import StoragebookError
from storagebook.intervals import Interval, geomean
from storagebook.io500.phases import BANDWIDTH, BY_NAME, METADATA, SCORED, Kind
from storagebook.io500.score import Score, scores
from storagebook.units import convert

RUNS = "io500-runs"
PHASES = "io500-run-phases"
FILES = "io500-run-files"
OUTPUTS = "io500-run-outputs"

#: A template for `storagebook.show.say`, and its values.
Sentence: TypeAlias = tuple[str, dict[str, object]]

#: Pairs of phases whose ratio the chapters show: name, numerator, denominator.
RATIOS = (
    ("write, easy over hard", "ior-easy-write", "ior-hard-write"),
    ("read, easy over hard", "ior-easy-read", "ior-hard-read"),
    ("stat, easy over hard", "mdtest-easy-stat", "mdtest-hard-stat"),
    ("create, easy over hard", "mdtest-easy-write", "mdtest-hard-write"),
    ("delete, easy over hard", "mdtest-easy-delete", "mdtest-hard-delete"),
    ("easy, read over write", "ior-easy-read", "ior-easy-write"),
    ("hard, read over write", "ior-hard-read", "ior-hard-write"),
)

_SETTINGS = (
    "api",
    "access",
    "object_class",
    "dir_object_class",
    "transfer_b",
    "block_b",
    "chunk_size_b",
    "stonewall_s",
)


@dataclass(frozen=True)
class PublicRun:
    """One run of a public submission.

    Attributes
    ----------
    submission
        Four digits.
    facts, texts
        Its row of ``io500-runs``, as numbers and as printed.
    phases
        Its rows of ``io500-run-phases``; ``printed`` holds each result's digits.
    """

    submission: str
    facts: pd.Series
    texts: pd.Series
    phases: pd.DataFrame

    def values(self) -> dict[str, float]:
        """Scored phase → result in GiB/s or kIOP/s."""
        scored = self.phases[self.phases.phase.isin(list(BY_NAME))]
        return dict(zip(scored.phase, scored.value.astype(float), strict=True))

    def intervals(self) -> dict[str, Interval]:
        """Scored phase → every value that prints so."""
        scored = self.phases[self.phases.phase.isin(list(BY_NAME))]
        return {
            phase: Interval.of_printed(text, trailing_zeros=True)
            for phase, text in zip(scored.phase, scored.printed, strict=True)
        }

    def score(self) -> Score[float]:
        """Recomputed from the phases."""
        return scores(self.values())

    def describe(self) -> str:
        """System, institution, file system, version and scale, as far as they are known."""
        known = self.facts
        words = [
            f"{known.system} at {known.institution}" if pd.notna(known.system) else "",
            f"file system {known.file_system}" if pd.notna(known.file_system) else "",
            f"benchmark version {known.version}" if pd.notna(known.version) else "",
            f"{known.nodes_count:,d} client nodes" if pd.notna(known.nodes_count) else "",
            f"{known.procs_count:,d} processes" if pd.notna(known.procs_count) else "",
        ]
        return ", ".join(word for word in words if word) or "nothing further stated"


def load(submission: str) -> PublicRun:
    """The run of a submission.

    Parameters
    ----------
    submission
        Four digits, e.g. ``"0688"``.

    Raises
    ------
    StoragebookError
        If no run of that submission is at hand, it holds several, or phases are missing.
    """
    runs, texts = tables.load(RUNS), tables.printed(RUNS)
    fits = runs.submission == submission
    if fits.sum() != 1:
        raise StoragebookError(
            f"{fits.sum()} runs of submission {submission} at hand, where one is wanted",
            hint=f"data/derived/{RUNS}.csv lists those at hand",
        )
    all_phases = tables.load(PHASES)
    own = (all_phases.submission == submission).to_numpy()
    phases = all_phases[own].assign(printed=tables.printed(PHASES)["value"][own])
    missing = [p.name for p in SCORED if p.name not in set(phases.phase)]
    if missing:
        raise StoragebookError(f"submission {submission} has no {', '.join(missing)}")
    return PublicRun(submission, runs[fits].iloc[0], texts[fits].iloc[0], phases)


def results(run: PublicRun) -> pd.DataFrame:
    """The twelve results: ``phase``, ``printed``, ``unit``, ``duration_s``, in running order."""
    by_phase = run.phases.set_index("phase").loc[[p.name for p in SCORED]].reset_index()
    return by_phase[["phase", "printed", "unit", "duration_s"]]


def of_kind(run: PublicRun, kind: Kind) -> pd.DataFrame:
    """One kind of phase: ``phase`` and ``bandwidth_gib_s`` or ``rate_kiops``, in running order."""
    column = "bandwidth_gib_s" if kind == "bandwidth" else "rate_kiops"
    values = run.values()
    rows = [(p.name, values[p.name]) for p in SCORED if p.kind == kind]
    return pd.DataFrame(rows, columns=["phase", column])


def extremes(frame: pd.DataFrame, column: str) -> tuple[str, float, str]:
    """The phase of the largest figure, how many times it is the smallest, that one's phase."""
    most, least = frame.loc[frame[column].idxmax()], frame.loc[frame[column].idxmin()]
    return most.phase, float(most[column] / least[column]), least.phase


def score_table(run: PublicRun) -> pd.DataFrame:
    """BW, MD and score: ``figure``, ``printed``, ``recomputed``, ``unit``, ``agrees``.

    ``agrees`` says whether the printed phases allow the printed figure.
    """
    found, spans = run.score(), run.intervals()
    bw = geomean(spans[p.name] for p in BANDWIDTH)
    md = geomean(spans[p.name] for p in METADATA)
    rows = [
        ("BW", run.texts.bandwidth_gib_s, found.bw_gib_s, "GiB/s", bw),
        ("MD", run.texts.metadata_kiops, found.md_kiops, "kIOP/s", md),
        ("score", run.texts.score, found.score, "", geomean([bw, md])),
    ]
    return pd.DataFrame(
        [
            (
                name,
                text,
                value,
                unit,
                span.overlaps(Interval.of_printed(text, trailing_zeros=True)),
            )
            for name, text, value, unit, span in rows
        ],
        columns=["figure", "printed", "recomputed", "unit", "agrees"],
    )


def settings(run: PublicRun) -> pd.DataFrame:
    """How each phase was run; columns that no phase has are left out."""
    order = [p.name for p in SCORED]
    frame = run.phases.set_index("phase").loc[order, list(_SETTINGS)].reset_index()
    whole = [c for c in frame if c.endswith(("_b", "_s"))]
    return frame.astype(dict.fromkeys(whole, "Int64")).dropna(axis="columns", how="all")


def layout(run: PublicRun) -> list[Sentence]:
    """What the settings say in words: the layout of ior-easy, and the protection of each part."""
    settings = run.phases.set_index("phase")
    access = settings.access.get("ior-easy-write")
    said = {
        "single-shared-file": "In *ior-easy*, all processes of this run write one shared file.",
        "file-per-process": "In *ior-easy*, each process of this run writes a file of its own.",
    }
    sentences: list[Sentence] = [
        (said.get(access, "No file of this run tells the layout of *ior-easy*."), {})
    ]
    classes = settings.object_class.dropna().drop_duplicates()
    if classes.empty:
        sentences.append(("No object class is stated.", {}))
    else:
        sentences.append(
            (
                f"Object classes of files, where they first appear: "
                f"{'; '.join(f'{{p{i}}} {{c{i}}}' for i in range(len(classes)))}.",
                {f"p{i}": phase for i, phase in enumerate(classes.index)}
                | {f"c{i}": name for i, name in enumerate(classes)},
            )
        )
    return sentences


def namespace(run: PublicRun) -> list[Sentence]:
    """How many entries find looked at, and how many the mdtest phases say that they made."""
    count = run.facts.total_files_count
    if pd.isna(count):
        return [("No file of this run tells how many entries find looked at.", {})]
    said: list[Sentence] = [
        ("Find looked at {count:,} entries in this run.", {"count": int(count)})
    ]
    made = written(run)
    made = made[made.phase.str.startswith("mdtest")] if "total_count" in made else made.head(0)
    if len(made) == 2 and made.total_count.notna().all():
        files = int(made.total_count.sum())
        said.append(
            (
                "By their own outputs, the two mdtest groups made {files:,} files; that leaves "
                "{rest:+,} for everything else.",
                {"files": files, "rest": int(count) - files},
            )
        )
    return said


def stonewall(run: PublicRun) -> pd.DataFrame:
    """Write phases whose rate at the stonewall is known, beside the rate that counts.

    Returns
    -------
    pandas.DataFrame
        ``phase``, ``unit``, ``at_stonewall``, ``final``, ``kept_pct`` (final as a share of the
        rate at the stonewall), ``duration_s``; no rows where no file tells.
    """
    known = run.phases[run.phases.stonewall.notna() & run.phases.phase.isin(list(BY_NAME))]
    return pd.DataFrame(
        {
            "phase": known.phase,
            "unit": known.unit,
            "at_stonewall": known.stonewall,
            "final": known.value,
            "kept_pct": known.value / known.stonewall * 100,
            "duration_s": known.duration_s,
        }
    ).reset_index(drop=True)


def written(run: PublicRun) -> pd.DataFrame:
    """What the write phases wrote, where their own outputs are kept.

    Returns
    -------
    pandas.DataFrame
        ``phase``; ``moved_pib`` (IOR's bytes moved); ``least_count`` and ``most_count`` (transfers
        or files of the slowest and the fastest process at the stonewall); ``total_count`` (the
        fastest one's, which all reach in the end, times the processes); ``file_system_pib``.
    """
    outputs = tables.load(OUTPUTS)
    own = outputs[outputs.submission == run.submission]
    frame = pd.DataFrame(
        {
            "phase": own.phase,
            "moved_pib": convert(own.moved_b, "B", "PiB"),
            "least_count": own.least_count.astype("Int64"),
            "most_count": own.most_count.astype("Int64"),
            "total_count": (own.most_count * own.procs_count).astype("Int64"),
            "file_system_pib": convert(own.file_system_tib, "TiB", "PiB"),
        }
    )
    return frame.dropna(axis="columns", how="all").reset_index(drop=True)


def ratios(run: PublicRun) -> pd.DataFrame:
    """`RATIOS` of a run: ``ratio``, ``numerator``, ``denominator``, ``times``."""
    values = run.values()
    return pd.DataFrame(
        [(name, a, b, values[a] / values[b]) for name, a, b in RATIOS],
        columns=["ratio", "numerator", "denominator", "times"],
    )


def files(run: PublicRun) -> pd.DataFrame:
    """The raw files behind a run: ``file``, ``size_b``, ``sha256``."""
    all_files = tables.load(FILES)
    own = all_files[all_files.submission == run.submission]
    return own[["file", "size_b", "sha256"]].astype({"size_b": "Int64"}).reset_index(drop=True)


def listed_as(bw_gib_s: str, md_kiops: str) -> pd.DataFrame:
    """The runs whose printed BW and MD print as these listed figures, two decimals each."""
    runs = tables.load(RUNS)
    bw, md = (Interval.of_printed(t, trailing_zeros=True) for t in (bw_gib_s, md_kiops))
    near = [
        bool(pd.notna(b) and pd.notna(m) and bw.contains(Fraction(b)) and md.contains(Fraction(m)))
        for b, m in zip(runs.bandwidth_gib_s, runs.metadata_kiops, strict=True)
    ]
    return tables.printed(RUNS)[near]
