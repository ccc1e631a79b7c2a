"""daos_perf on VOS: each figure from the other three of its run and from the parameters."""

from __future__ import annotations

import dataclasses

from storagebook.claims import Evidence, Inputs, check
from storagebook.intervals import Interval
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


@check("vos-device-holds")
def vos_device_holds(inputs: Inputs) -> Evidence:
    """The device holds at least the values of a run, each written once."""
    values = _updates(inputs, "NVMe", "no overwrite") * _parameter(inputs, "value")
    return Evidence(dataclasses.replace(values, value=Interval.at_least(values.value)), "limit")


@check("vos-objects")
def vos_objects(inputs: Inputs) -> Evidence:
    """Objects times processes, by what a run wrote beyond its keys; one only if both are."""
    build, media, mode = "DAOS-1108", "PMem", "overwrite"
    rate = _figure(inputs, build, media, mode, "rate_iops")
    written = rate.times_seconds(_figure(inputs, build, media, mode, "duration_s"))
    return Evidence(written / _updates(inputs, media, mode), remark="objects times processes")


@check("vos-pool")
def vos_pool(inputs: Inputs) -> Evidence:
    """The pool in the tool's own MB, which its rates and bandwidths tell the size of."""
    build, media, mode = "DAOS-1108", "PMem", "overwrite"
    rate = _figure(inputs, build, media, mode, "rate_iops")
    bandwidth = _figure(inputs, build, media, mode, "bandwidth_mb_s")
    # values of known size a second, over the same as the tool's MB a second
    unit = (
        _parameter(inputs, "value")
        * dataclasses.replace(rate, unit="1")
        / dataclasses.replace(bandwidth, unit="1")
    )
    pool = inputs("vos-parameters[quantity=pool].value", exact=True)
    return Evidence(unit * dataclasses.replace(pool, unit="1"))
