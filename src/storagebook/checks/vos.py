"""daos_perf on VOS: each figure from the other three of its run and from the parameters."""

from __future__ import annotations

from storagebook.claims import Evidence, Inputs, check
from storagebook.quantities import Quantity


def _parameter(inputs: Inputs, quantity: str) -> Quantity:
    return inputs(f"vos-parameters[quantity={quantity}].value")


def _figure(inputs: Inputs, build: str, media: str, mode: str, column: str) -> Quantity:
    return inputs(f"vos-daos-perf[build={build};media={media};mode={mode}].{column}")


def _updates(inputs: Inputs, media: str, mode: str) -> Quantity:
    """How many values a run writes: keys times records, fewer in the baseline without overwrite."""
    part = "-no-overwrite" if (media, mode) == ("PMem", "no overwrite") else ""
    return _parameter(inputs, f"akeys{part}") * _parameter(inputs, f"records{part}")


@check("vos-duration")
def vos_duration(inputs: Inputs, build: str, media: str, mode: str) -> Evidence:
    """Values over the rate."""
    rate = _figure(inputs, build, media, mode, "rate_iops")
    return Evidence(_updates(inputs, media, mode).seconds_at(rate))


@check("vos-rate")
def vos_rate(inputs: Inputs, build: str, media: str, mode: str) -> Evidence:
    """Values over the duration."""
    duration = _figure(inputs, build, media, mode, "duration_s")
    return Evidence(_updates(inputs, media, mode).per_second_over(duration))


@check("vos-latency")
def vos_latency(inputs: Inputs, build: str, media: str, mode: str) -> Evidence:
    """The duration over the values: one is written after the other."""
    duration = _figure(inputs, build, media, mode, "duration_s")
    return Evidence(duration / _updates(inputs, media, mode))


@check("vos-bandwidth")
def vos_bandwidth(inputs: Inputs, build: str, media: str, mode: str) -> Evidence:
    """Values times their size, over the duration."""
    duration = _figure(inputs, build, media, mode, "duration_s")
    written = _updates(inputs, media, mode) * _parameter(inputs, "value")
    found = written.per_second_over(duration)
    binary = float(found.to("MiB/s").value.mid)
    return Evidence(found, remark=f"it is {binary:,.3f} MiB/s")


@check("vos-keys")
def vos_keys(inputs: Inputs, build: str, of: str) -> Evidence:
    """Keys from records, or records from keys, by what the run wrote."""
    rate = _figure(inputs, build, "PMem", "no overwrite", "rate_iops")
    duration = _figure(inputs, build, "PMem", "no overwrite", "duration_s")
    other = _parameter(inputs, f"{of}-no-overwrite")
    return Evidence(rate.times_seconds(duration) / other)
