"""How the published lists print a score, and what that does to its last digits.

A list shows BW and MD with two decimals. The score beside them sometimes differs from
sqrt(BW x MD) by more than those decimals allow. Two readings of the printed score are weighed here:
two decimals like its neighbours, or six significant digits (what a single-precision database
column prints), filled up with zeros.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

import pandas as pd

from storagebook.intervals import Interval, geomean
from storagebook.io500 import runs

#: Digits that a single-precision column is printed with.
SIGNIFICANT_DIGITS = 6

_HUNDREDTH = Fraction(1, 100)

Reading = Literal["either", "two decimals only", "six digits only", "neither"]


def as_two_decimals(text: str) -> Interval:
    """Every score that prints as `text` with two decimals."""
    return Interval.of_printed(text, trailing_zeros=True)


def as_six_digits(text: str) -> Interval | None:
    """Every score that prints as `text` once it is kept to six significant digits.

    None if no number of six significant digits prints so.

    >>> str(as_six_digits("32,165.90"))
    '32165.85…32165.95'
    >>> str(as_six_digits("838.99"))
    '838.9845…838.9955'
    >>> as_six_digits("603,334.56") is None
    True
    """
    value = Fraction(text.replace(",", ""))
    step = Fraction(10) ** (len(str(int(value))) - SIGNIFICANT_DIGITS)
    if step <= _HUNDREDTH:
        # several kept numbers print alike
        room = (_HUNDREDTH if step < _HUNDREDTH else 0) / Fraction(2) + step / 2
    elif value % step:
        return None
    else:
        room = step / 2
    return Interval(value - room, value + room)


@dataclass(frozen=True)
class Listed:
    """A score as a list prints it, against the score that its evidence gives.

    Attributes
    ----------
    evidence
        The scores that the evidence allows: the raw file's own, or sqrt(BW x MD) over all values
        that print like the listed BW (GiB/s) and MD (kIOP/s).
    two_decimals, six_digits
        Whether some score in `evidence` prints so under that reading.
    difference
        Listed minus evidence.
    """

    evidence: Interval
    two_decimals: bool
    six_digits: bool
    difference: Interval

    @property
    def reading(self) -> Reading:
        """Which ways of rounding the evidence give what the list prints."""
        if self.two_decimals:
            return "either" if self.six_digits else "two decimals only"
        return "six digits only" if self.six_digits else "neither"


def explain(score: str, bw_gib_s: str, md_kiops: str, raw_score: str | None = None) -> Listed:
    """Which readings of a listed score its evidence allows.

    Parameters
    ----------
    score, bw_gib_s, md_kiops
        As the list prints them, e.g. ``"32,165.90"``.
    raw_score
        As the run's own result file prints it, where it is public; it then is the evidence.

    Raises
    ------
    StoragebookError
        If a text is no printed number.
    """
    if raw_score is None:
        evidence = geomean([as_two_decimals(bw_gib_s), as_two_decimals(md_kiops)])
    else:
        evidence = Interval.of_printed(raw_score, trailing_zeros=True)
    six = as_six_digits(score)
    value = Fraction(score.replace(",", ""))
    return Listed(
        evidence=evidence,
        two_decimals=as_two_decimals(score).overlaps(evidence),
        six_digits=six is not None and six.overlaps(evidence),
        difference=value - evidence,
    )


def weigh(*lists: pd.DataFrame) -> pd.DataFrame:
    """Every complete row of some printed lists, against its result file where one is at hand.

    Parameters
    ----------
    lists
        Tables as printed, with ``system``, ``score``, ``bandwidth_gib_s``, ``metadata_kiops``.

    Returns
    -------
    pandas.DataFrame
        ``system``, ``listed``, ``evidence`` (the score's interval or raw print), ``from``
        (``submission 0688`` or ``BW and MD``), ``difference`` (listed minus evidence), ``reading``;
        a row that two lists print alike stands once.
    """
    columns = ["system", "score", "bandwidth_gib_s", "metadata_kiops"]
    rows = pd.concat([one[columns] for one in lists])
    rows = rows[(rows != "").all(axis="columns")].drop_duplicates(columns[1:])
    found = []
    for system, score, bw, md in rows.itertuples(index=False, name=None):
        filed = runs.listed_as(bw, md)
        raw = filed.score.iloc[0] if len(filed) else None
        weighed = explain(score, bw, md, raw)
        found.append(
            (
                system,
                score,
                raw or str(weighed.evidence),
                f"submission {filed.submission.iloc[0]}" if raw else "BW and MD",
                float(weighed.difference.mid),
                weighed.reading,
            )
        )
    return pd.DataFrame(
        found, columns=["system", "listed", "evidence", "from", "difference", "reading"]
    )


def digits(rows: pd.DataFrame) -> pd.DataFrame:
    """Whether scores printed alone have at most `SIGNIFICANT_DIGITS` significant digits.

    Returns
    -------
    pandas.DataFrame
        ``system``, ``listed``, ``fits``.
    """
    fits = [as_six_digits(score) is not None for score in rows.score]
    return pd.DataFrame({"system": rows.system, "listed": rows.score, "fits": fits})
