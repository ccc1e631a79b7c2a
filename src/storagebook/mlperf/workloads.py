"""The workloads of MLPerf Storage: what an accelerator would read, and what makes a run pass.

An emulated accelerator reads a batch, sleeps for the computation time and reads the next one. At
full utilisation it therefore asks for batch / computation time samples a second, whatever storage
is behind it.

Source: configurations in github.com/mlcommons/storage (``storage-conf/workload/*.yaml`` of the v0.5
and v1.0 branches, ``configs/dlio/workload/*.yaml`` of main, 2025-06-13); b200 from the run metadata
in github.com/mlcommons/storage_results_v3.0.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from storagebook import units
from storagebook.errors import StoragebookError

B_PER_MIB = 2**20
#: Runs that a training result consists of, all of which have to pass.
RUNS_TO_PASS = 5
#: In v0.5 every host was started by itself, all of them within this time.
MAX_START_SPREAD_S = 10.0
ROUNDS = ("v0.5", "v1.0", "v2.0", "v3.0")


@dataclass(frozen=True)
class Workload:
    """A model whose training is emulated.

    Attributes
    ----------
    name
        As in the result files: ``unet3d``.
    record_length_b
        Mean bytes of a sample, as configured.
    threshold_pct
        Accelerator utilisation that every run has to reach.
    """

    name: str
    record_length_b: float
    threshold_pct: float

    def gib_s(self, samples_s: float) -> float:
        """Bandwidth of a rate of samples."""
        return float(units.convert(samples_s * self.record_length_b, "B/s", "GiB/s"))


@dataclass(frozen=True)
class Demand:
    """What one emulated accelerator asks for at full utilisation.

    Attributes
    ----------
    workload
        What it trains.
    accelerator
        As in the result files: ``h100``.
    batch
        Samples read at a time.
    computation_s
        Time that it sleeps for a batch.
    rounds
        Rounds of the benchmark that use it.
    """

    workload: Workload
    accelerator: str
    batch: int
    computation_s: float
    rounds: tuple[str, ...]

    @property
    def samples_s(self) -> float:
        """Samples a second that one accelerator takes at full utilisation."""
        return self.batch / self.computation_s

    @property
    def gib_s(self) -> float:
        """Bandwidth that one accelerator takes at full utilisation, GiB/s."""
        return self.workload.gib_s(self.samples_s)


@dataclass(frozen=True)
class Checkpoint:
    """A model by its parameters, whose state is written and read back, in GiB.

    Source: checkpoint parameters of github.com/mlcommons/storage.
    """

    model: str
    weights_gib: float
    optimiser_gib: float

    @property
    def total_gib(self) -> float:
        """Size of the whole checkpoint, GiB."""
        return self.weights_gib + self.optimiser_gib


UNET3D = Workload("unet3d", 146_600_628, 90)
RESNET50 = Workload("resnet50", 114_660.07, 90)
COSMOFLOW = Workload("cosmoflow", 2_828_486, 70)
BERT = Workload("bert", 2_500, 90)

WORKLOADS: Mapping[str, Workload] = MappingProxyType(
    {workload.name: workload for workload in (UNET3D, RESNET50, COSMOFLOW, BERT)}
)

_TABLE = (
    Demand(UNET3D, "v100", 4, 1.3604, ("v0.5",)),
    Demand(BERT, "v100", 48, 0.968, ("v0.5",)),
    Demand(UNET3D, "a100", 7, 0.636, ("v1.0", "v2.0")),
    Demand(UNET3D, "h100", 7, 0.323, ("v1.0", "v2.0")),
    Demand(RESNET50, "a100", 400, 0.435, ("v1.0", "v2.0")),
    Demand(RESNET50, "h100", 400, 0.224, ("v1.0", "v2.0")),
    Demand(COSMOFLOW, "a100", 1, 0.00551, ("v1.0", "v2.0")),
    Demand(COSMOFLOW, "h100", 1, 0.0035, ("v1.0", "v2.0")),
    Demand(UNET3D, "b200", 7, 0.162, ("v3.0",)),
)
DEMANDS: Mapping[tuple[str, str], Demand] = MappingProxyType(
    {(demand.workload.name, demand.accelerator): demand for demand in _TABLE}
)

CHECKPOINTS: Mapping[str, Checkpoint] = MappingProxyType(
    {
        checkpoint.model: checkpoint
        for checkpoint in (
            Checkpoint("llama3-8b", 15, 90),
            Checkpoint("llama3-70b", 130, 781),
            Checkpoint("llama3-405b", 755, 4533),
            Checkpoint("llama3-1t", 2571, 15426),
        )
    }
)


def demand(workload: str, accelerator: str) -> Demand:
    """What one accelerator asks for.

    Raises
    ------
    StoragebookError
        If no round has that pair; the error lists those that there are.

    Examples
    --------
    >>> round(demand("unet3d", "h100").gib_s, 3)
    2.959
    """
    try:
        return DEMANDS[workload.lower(), accelerator.lower()]
    except KeyError:
        known = ", ".join(f"{w} on {a}" for w, a in DEMANDS)
        raise StoragebookError(
            f"no demand is known for {workload} on {accelerator}", hint=f"known are {known}"
        ) from None
