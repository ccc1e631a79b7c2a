"""Figures divided by what they were measured with: derived here, by no benchmark's owner."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterator, Sequence

import pandas as pd

from storagebook import tables, units
from storagebook.compare import IO500
from storagebook.io500 import membership, runs
from storagebook.io500.runs import Sentence
from storagebook.systems import known
from storagebook.systems.known import Known, Set

_DIVISORS = ("per_client", "per_client_nic", "per_server", "per_server_nic", "per_drive")


def table(figures: Sequence[Known]) -> pd.DataFrame:
    """Bandwidths and rates per client node, server, network card and drive, where known.

    Parameters
    ----------
    figures
        As `storagebook.systems.known.every` gives them; scores are left out, which are no sum
        over servers.

    Returns
    -------
    pandas.DataFrame
        ``system`` and ``what``, ``unit`` (``GiB/s`` or ``kIOP/s``), ``whole``, then `_DIVISORS`,
        missing where nobody states how many there were. Only rows with at least one of them;
        bounds and ranges are left out, which have no one figure to divide.
    """
    rows = []
    for one in itertools.chain.from_iterable(map(_divisible, figures)):
        figure = one.figure
        unit = next((u for u in ("GiB/s", "kIOP/s") if units.same_kind(figure.unit, u)), None)
        if unit is None or not figure.value.is_finite:
            continue
        if not one.shown[0].isdigit() or " to " in one.shown:
            continue
        whole = float(units.convert(figure.value.mid, figure.unit, unit))
        counts = (
            figure.clients,
            _times(figure.clients, one.client_nics),
            figure.servers,
            _times(figure.servers, one.server_nics),
            _times(figure.servers, one.server_drives),
        )
        if not any(counts):
            continue
        divided = [whole / count if count else None for count in counts]
        rows.append((f"{figure.name}: {one.what}", str(one.set), unit, whole, *divided))
    frame = pd.DataFrame(rows, columns=["figure", "set", "unit", "whole", *_DIVISORS])
    return frame.astype(dict.fromkeys(_DIVISORS, float))


def _divisible(one: Known) -> Iterator[Known]:
    """A figure that can be divided: of an IO500 score its BW, of MLPerf v1.0 none, see `v10`."""
    if one.set is Set.V10:
        return
    figure = one.figure
    if figure.metric != "score":
        # the bandwidth of the run is there with its score
        if figure.benchmark != IO500 or figure.metric != "bandwidth":
            yield one
        return
    if one.set is not Set.PRODUCTION or figure.run is None:
        return
    bandwidth = membership.figure(runs.load(figure.run), "bandwidth", figure.list)
    yield dataclasses.replace(
        one,
        what="IO500 BW, mean of the IOR phases",
        figure=dataclasses.replace(bandwidth, name=figure.name),
    )


def _times(count: int | None, each: int | None) -> int | None:
    return count * each if count and each else None


def v10() -> pd.DataFrame:
    """The v1.0 results of the page per host, network card and accelerator, by network.

    Returns
    -------
    pandas.DataFrame
        ``result`` (submitter and system), ``network``, ``hosts``, ``accelerators``,
        ``bandwidth_gib_s``, ``per_host_gib_s``, ``per_nic_gib_s``, ``per_accelerator_gib_s``;
        most per host first.
    """
    rows = known.v10_results()
    frame = pd.DataFrame(
        {
            "result": [f"{r.submitter}, {r.system}" for r in rows.itertuples()],
            "submitter": rows.submitter,
            "network": rows.network.fillna("not given"),
            "hosts": rows.hosts_count.astype(int),
            "accelerators": rows.accelerators_count.astype(int),
            "bandwidth_gib_s": rows.bandwidth_gib_s,
            "per_host_gib_s": rows.derived_per_host_gib_s,
            "per_nic_gib_s": rows.derived_per_nic_gib_s,
            "per_accelerator_gib_s": rows.derived_per_accelerator_gib_s,
        }
    )
    return frame.sort_values(
        ["per_host_gib_s", "result"], ascending=[False, True], ignore_index=True
    )


def ten_node() -> pd.DataFrame:
    """The 10 Node entries that the source prints, bandwidth and metadata apart, in list order.

    Returns
    -------
    pandas.DataFrame
        ``entry``, ``file_system``, ``bandwidth_gib_s``, ``metadata_kiops``.
    """
    rows = tables.load("io500-ten-node-isc26")
    return pd.DataFrame(
        {
            "entry": [f"{row.system} ({row.file_system})" for row in rows.itertuples()],
            "file_system": rows.file_system,
            "bandwidth_gib_s": rows.bandwidth_gib_s,
            "metadata_kiops": rows.metadata_kiops,
        }
    )


def said_of_ten_node(frame: pd.DataFrame) -> str:
    """A title for the ten-node chart: how far bandwidth and metadata are apart."""
    spreads = {
        column: frame[column].max() / frame[column].min()
        for column in ("bandwidth_gib_s", "metadata_kiops")
    }
    return (
        f"Ten client nodes each: the printed entries are {spreads['bandwidth_gib_s']:.0f} times "
        f"apart in bandwidth, {spreads['metadata_kiops']:.0f} times in metadata"
    )


def said_of_v10(frame: pd.DataFrame) -> str:
    """A title for the chart per host: what lies between the ends."""
    per_host = frame.per_host_gib_s
    return (
        f"Bandwidth per host: {per_host.min():.1f} to {per_host.max():.1f} GiB/s, derived; "
        "hosts and their ports differ"
    )


def network_sentence(frame: pd.DataFrame) -> Sentence:
    """How few hosts stand behind the largest figures per host."""
    most = frame.iloc[0]
    return (
        "The result with most per host has {hosts} hosts, the largest one in all {more} hosts: a "
        "figure per host shows how fast a host is fed, not how far the system goes.",
        {
            "hosts": int(most.hosts),
            "more": int(frame.loc[frame.bandwidth_gib_s.idxmax(), "hosts"]),
        },
    )
