"""All public runs at hand as one frame: a row a run, a column a phase.

They are those of the derived tables: a part of the submissions of a public repository, chosen
by their numbers and not by their results. None of them is a list, and their order by any figure is
no ranking: which list a run stands on is unknown unless a source states it.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass

import pandas as pd

from storagebook import tables
from storagebook.errors import StoragebookError
from storagebook.io500 import families
from storagebook.io500.phases import SCORED
from storagebook.io500.runs import PHASES, RUNS

#: Submissions in the public repository when those at hand were taken from it (commit f610b34).
REPOSITORY_SUBMISSIONS = 334
#: Runs whose figures take part in no distribution, and why.
LEFT_OUT = {
    "duplicate": "the same figures as another run",
    "marked-invalid": "the program marked the run invalid",
    "unit-undecided": "a unit that no version of the program explains",
}


@functools.cache
def _frame() -> pd.DataFrame:
    runs, phases = tables.load(RUNS), tables.load(PHASES)
    key = ["submission", "run"]
    known = phases[phases.unit.isin(["GiB/s", "kIOP/s"])]
    wide = known.pivot(index=key, columns="phase", values="value")
    wide = wide.reindex(columns=[p.name for p in SCORED]).astype(float)
    stated = phases.dropna(subset=["api"]).groupby(key).api
    apis = stated.agg(lambda found: tuple(sorted(set(found))))
    frame = runs.set_index(key).join(wide)
    frame["family"] = [
        families.family(name, apis.get(at, ())) for at, name in frame.file_system.items()
    ]
    # a submission that gathers many runs has no year of its own, its runs have
    started = pd.to_numeric(frame.started.str[:4], errors="coerce").astype("Int64")
    frame["year"] = frame.year.fillna(started)
    codes = frame.findings.fillna("").str.split()
    frame["left_out"] = [next((c for c in LEFT_OUT if c in found), None) for found in codes]
    # the product of the means that some old files print is no score of today's
    frame["score"] = frame.recomputed_score.where(frame.recomputed_score > 0)
    several = frame.index.get_level_values("submission").duplicated(keep=False)
    frame = frame.reset_index()
    frame["label"] = [
        f"{row.system if pd.notna(row.system) else 'unnamed'} ({row.submission}"
        f"{f'/{row.run}' if many else ''})"
        for row, many in zip(frame.itertuples(), several, strict=True)
    ]
    return frame


def frame() -> pd.DataFrame:
    """Every public run at hand.

    Returns
    -------
    pandas.DataFrame
        The columns of ``io500-runs``, with ``score`` recomputed from the phases (None where they
        do not give one) and ``year`` from the start of the run where the repository names none;
        ``family``; a column of float for each scored phase, by its name; ``left_out``, a key of
        `LEFT_OUT` or None; ``label``, unique, for people.
    """
    return _frame().copy()


@dataclass(frozen=True)
class Selection:
    """Which runs to look at.

    Attributes
    ----------
    family
        One of `families.FAMILIES`, or ``all``.
    least_procs
        Only runs of at least so many processes; above 0, runs that state none are left out.
    """

    family: str = "all"
    least_procs: int = 0

    def of(self, runs: pd.DataFrame) -> pd.DataFrame:
        """The rows that fit.

        Raises
        ------
        StoragebookError
            If none does.
        """
        fits = (runs.family == self.family) | (self.family == "all")
        if self.least_procs > 0:
            fits &= (runs.procs_count >= self.least_procs).fillna(False).astype(bool)
        if not fits.any():
            raise StoragebookError(f"no public run at hand is {self}")
        return runs[fits].reset_index(drop=True)

    def __str__(self) -> str:
        what = "of any file system" if self.family == "all" else f"of {self.family}"
        if self.least_procs > 0:
            return f"{what} with at least {self.least_procs:,d} processes"
        return f"{what} and any number of processes"


def counted(runs: pd.DataFrame) -> pd.DataFrame:
    """The runs whose figures take part in distributions."""
    return runs[runs.left_out.isna()].reset_index(drop=True)
