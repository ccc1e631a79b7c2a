"""How MLPerf results are to be named (MLCommons messaging guidelines).

In text, table or figure: submitter, benchmark with version, system. In a footnote: suite, version,
division, benchmark, where it was retrieved, the result's id where there is one, and the trademark
legend. A result that MLCommons did not publish says so, and a figure that is no official metric is
named as derived.
"""

from __future__ import annotations

from dataclasses import dataclass

from storagebook.errors import StoragebookError, one_line
from storagebook.mlperf.workloads import ROUNDS

#: Stands at the name, once a page.
NAME = "MLPerf™ Storage"
UNVERIFIED = "Result not verified by MLCommons Association."
TRADEMARK = (
    "The MLPerf name and logo are registered and unregistered trademarks of MLCommons Association "
    "in the United States and other countries. All rights reserved. Unauthorized use strictly "
    "prohibited. See www.mlcommons.org for more information."
)
#: Stands beside every figure per host, per accelerator or per NIC.
DERIVED = "derived by this book; not an official MLPerf metric"
DERIVED_SENTENCE = f"{DERIVED[0].upper()}{DERIVED[1:]}."

_DIVISIONS = ("closed", "open")
_WORKLOADS = {
    "unet3d": "3D U-Net",
    "resnet50": "ResNet-50",
    "cosmoflow": "CosmoFlow",
    "bert": "BERT",
}


@dataclass(frozen=True, kw_only=True)
class Named:
    """What names a result.

    Attributes
    ----------
    submitter, system
        As in the submission.
    round
        ``v1.0`` …
    division
        ``closed`` or ``open``; None where a source that quotes the result does not say.
    workload
        As in the files: ``unet3d``.
    retrieved
        Where the result was taken from, and when or at which commit.
    result_id
        MLCommons' own, where there is one.
    verified
        Whether MLCommons published it; a reader's own run is not.
    """

    submitter: str
    system: str
    round: str
    division: str | None
    workload: str
    retrieved: str
    result_id: str | None = None
    verified: bool = False

    def __post_init__(self) -> None:
        for what in ("submitter", "system", "workload", "retrieved"):
            if not getattr(self, what).strip():
                raise StoragebookError(f"an MLPerf result without its {what} cannot be named")
        if self.round not in ROUNDS:
            raise StoragebookError(f"{self.round!r} is no round: {', '.join(ROUNDS)}")
        if self.division not in (None, *_DIVISIONS):
            raise StoragebookError(f"{self.division!r} is no division: {', '.join(_DIVISIONS)}")


def workload_name(workload: str) -> str:
    """A workload as people write it: ``3D U-Net`` for ``unet3d``."""
    return _WORKLOADS.get(workload, workload)


def title(result: Named) -> str:
    """What names a result in text, table or figure.

    Examples
    --------
    >>> title(Named(submitter="Org", system="Sys", round="v1.0", division="closed",
    ...             workload="unet3d", retrieved="x", verified=True))
    'Org, MLPerf Storage v1.0, Sys'
    """
    name = f"{result.submitter}, MLPerf Storage {result.round}, {result.system}"
    return one_line(name if result.verified else f"{name}. {UNVERIFIED}")


def footnotes(results: list[Named]) -> list[str]:
    """The sentences of a footnote, the legend last.

    Raises
    ------
    StoragebookError
        If there are no results.
    """
    if not results:
        raise StoragebookError("a footnote is about at least one result")
    return [*dict.fromkeys(_sentence(result) for result in results), TRADEMARK]


def footnote(results: list[Named]) -> str:
    """The footnote of a page, table or figure with these results, in one line.

    Raises
    ------
    StoragebookError
        If there are none.
    """
    return " ".join(footnotes(results))


def _sentence(result: Named) -> str:
    division = f"{result.division.title()} division" if result.division else "division not stated"
    text = f"{NAME} {result.round}, {division}, {workload_name(result.workload)}; "
    text += f"retrieved from {result.retrieved}"
    if result.result_id:
        text += f", result {result.result_id}"
    return one_line(f"{text}." if result.verified else f"{text}. {UNVERIFIED}")
