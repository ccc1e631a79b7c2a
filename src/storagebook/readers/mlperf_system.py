"""The description of a system that an MLPerf Storage submission comes with.

Written by hand, often not valid, and only weakly tied to its runs: what it states about the
benchmark's hosts and their network is taken as stated, and held against the runs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import yaml

from storagebook.errors import StoragebookError, one_line
from storagebook.readers import loose_json
from storagebook.readers.loose_json import Repair

ETHERNET = "Ethernet"
#: Stated as Ethernet with RDMA: RoCE or iWARP, the description does not say which.
ETHERNET_RDMA = "Ethernet with RDMA"
ROCE = "RoCE"
INFINIBAND = "InfiniBand"

# The schema's "bitrate" is in Gbit/s; ports beyond this are in some other unit.
_MAX_GBIT_S = 3200
_MAX_PORTS = 64
_RATE = re.compile(r"(\d{1,4}(?:\.\d+)?)\s*(?:g(?:b|bit|bps|bits|be|ige)?(?:/s|ps)?)?", re.I)
_CLIENT = re.compile(r"client|host|load|initiator|compute|application", re.I)
_MAX_HOSTS = 1_000_000
# Memory is called GiB in a MiB field if it is this much below what the hosts report.
_DRAM_FACTOR = 10

#: Every mapping in a document, as lists of (what, line) that had to be repaired.
Repairs = tuple[loose_json.Repair, ...]


@dataclass(frozen=True, kw_only=True)
class SystemDescription:
    """What a description states about the hosts that ran the benchmark.

    Attributes
    ----------
    file
        Where it stands.
    hosts
        How many benchmark hosts it lists; None where it lists none.
    clients
        How many of them are of the kinds that ``kinds`` names: a description may list the storage
        servers among the hosts.
    kinds
        Names of the client nodes' types.
    network
        `ETHERNET`, `ETHERNET_RDMA`, `ROCE`, `INFINIBAND`, another word as printed, or None where
        nothing or nothing unanimous is stated.
    nic_gbit_s, nic_ports
        Rate of one port in Gbit/s, and how many ports of that rate a host has; None as above.
    dram_mib
        ``capacity_MiB`` of the client nodes, as printed.
    accelerators
        Emulated accelerators of one host by lower-case name, where a whole number is stated.
    repairs
        What was wrong with the file.
    """

    file: str
    hosts: int | None = None
    clients: int | None = None
    kinds: tuple[str, ...] = ()
    network: str | None = None
    nic_gbit_s: float | None = None
    nic_ports: int | None = None
    dram_mib: float | None = None
    accelerators: Mapping[str, int]
    repairs: Repairs = ()

    def dram_is_gib(self, host_memory_gib: float) -> bool:
        """Whether the figure called MiB can only be GiB, going by what the hosts report."""
        if not self.dram_mib or not host_memory_gib:
            return False
        reported_mib = host_memory_gib * 1024
        return self.dram_mib * _DRAM_FACTOR < reported_mib <= self.dram_mib * 1024 * _DRAM_FACTOR


def describe(file: str, data: bytes) -> SystemDescription:
    """A description, from JSON with any of the usual slips, or from YAML.

    Raises
    ------
    StoragebookError
        If it is neither, even with repairs.
    """
    repairs: tuple[Repair, ...] = ()
    if file.lower().endswith((".yaml", ".yml")):
        root = plain_yaml(data, file)
    else:
        try:
            parsed = loose_json.parse(data)
        except StoragebookError as error:
            raise StoragebookError(error.what, file=file, line=error.line) from None
        root, repairs = parsed.value, parsed.repairs
    body = _mapping(root)
    if "nodes" not in body:
        # some wrap everything as if it were a schema
        body = _mapping(body.get("properties"))
    hosts = list(_mappings(body.get("benchmark_hosts")))
    nodes = list(_mappings(body.get("nodes")))
    kinds = {id(host): _node_of(host, nodes) for host in hosts}
    client_hosts = _clients(hosts, kinds)
    clients = [kinds[id(host)] for host in client_hosts]
    networks = list(_mappings(body.get("networks")))
    ports = [_ports(node) for node in clients]
    rate, count = _one(ports) or (None, None)
    return SystemDescription(
        file=file,
        hosts=sum(map(_node_count, hosts)) if hosts else None,
        clients=sum(map(_node_count, client_hosts)) if hosts else None,
        kinds=tuple(sorted({_name(node) for node in clients} - {""})),
        network=_one([_network(node, networks) for node in clients]),
        nic_gbit_s=rate,
        nic_ports=count,
        dram_mib=_one([_number(_mapping(n.get("DRAM")).get("capacity_MiB")) for n in clients]),
        accelerators=_one([_accelerators(node) for node in clients]) or {},
        repairs=repairs,
    )


def plain_yaml(data: bytes, file: str) -> Any:
    """A YAML document without anchors and aliases, which can make a small file endless.

    Raises
    ------
    StoragebookError
        If it is not YAML or uses those.
    """
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    if len(data) > loose_json.MAX_REPAIRED_B:
        raise StoragebookError("larger than any description or configuration is", file=file)
    try:
        depth = 0
        for event in yaml.parse(data, Loader=loader):
            if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
                raise StoragebookError(
                    "YAML with anchors or aliases", file=file, line=event.start_mark.line + 1
                )
            depth += isinstance(event, yaml.CollectionStartEvent)
            depth -= isinstance(event, yaml.CollectionEndEvent)
            if depth > loose_json.MAX_DEPTH:
                raise StoragebookError("YAML nested too deep", file=file)
        return yaml.load(data, Loader=loader)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else None
        raise StoragebookError(f"not YAML: {error.problem}", file=file, line=line) from None
    except (yaml.YAMLError, ValueError, OverflowError, RecursionError):
        raise StoragebookError("not YAML", file=file) from None


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _mappings(value: Any) -> Iterator[Mapping[str, Any]]:
    # a list of one is sometimes written without its brackets
    for item in value if isinstance(value, list) else [value]:
        if isinstance(item, dict):
            yield item


def _name(node: Mapping[str, Any]) -> str:
    return one_line(node.get("node_type_name") or "", 80)


def _one(values: list[Any]) -> Any:
    """The value that all share, or None."""
    first = values[0] if values else None
    return first if all(value == first for value in values) else None


def _number(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return float(value) if 0 < value < 1e15 else None


def _whole(value: Any, most: int) -> int | None:
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 10:
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int):
        return None
    return value if 0 < value <= most else None


def _node_count(host: Mapping[str, Any]) -> int:
    return _whole(host.get("node_count"), _MAX_HOSTS) or 1


def _node_of(host: Mapping[str, Any], nodes: list[Mapping[str, Any]]) -> Mapping[str, Any]:
    """The hardware of a host: its own fields, or those of the node type that it names."""
    if "nic_ports" in host or "DRAM" in host:
        return host
    wanted = _name(host).casefold()
    exact = [node for node in nodes if _name(node).casefold() == wanted]
    near = [node for node in nodes if wanted and _name(node).casefold().startswith(wanted)]
    return (exact or near or [host])[0]


def _clients(
    hosts: list[Mapping[str, Any]], node_of: Mapping[int, Mapping[str, Any]]
) -> list[Mapping[str, Any]]:
    """The hosts that ran the benchmark, where the storage servers are listed among them."""
    if len({_name(node_of[id(host)]) for host in hosts}) < 2:
        return hosts
    emulating = [host for host in hosts if node_of[id(host)].get("accelerators")]
    named = [host for host in hosts if _CLIENT.search(_name(node_of[id(host)]))]
    return emulating or named or hosts


def _ports(node: Mapping[str, Any]) -> tuple[float, int] | None:
    """Rate and number of a node's ports; None where not stated or of several rates."""
    rates: dict[float, int] = {}
    for port in _mappings(node.get("nic_ports")):
        rate = _gbit_s(port.get("bitrate"))
        count = _whole(port.get("count_of_this_type", 1), _MAX_PORTS)
        if rate is None or count is None:
            return None
        rates[rate] = rates.get(rate, 0) + count
    return next(iter(rates.items())) if len(rates) == 1 else None


def _gbit_s(value: Any) -> float | None:
    if isinstance(value, str):
        match = _RATE.fullmatch(value.strip())
        value = float(match[1]) if match else None
    rate = _number(value)
    return rate if rate is not None and rate <= _MAX_GBIT_S else None


def _network(node: Mapping[str, Any], networks: list[Mapping[str, Any]]) -> str | None:
    """The kind of network that a node's ports are on."""
    kinds: list[str | None] = []
    for port in _mappings(node.get("nic_ports")):
        name = one_line(port.get("network_name") or "", 80).casefold()
        named = [
            n for n in networks if one_line(n.get("network_name") or "", 80).casefold() == name
        ]
        # a misspelt name still tells the kind where every network is of one
        for network in named or networks or [{}]:
            kinds.append(_kind({**network, **port}, network))
    return _one(kinds)


def _kind(port: Mapping[str, Any], network: Mapping[str, Any]) -> str | None:
    stated = port.get("network_type")
    if not isinstance(stated, str) or not stated.strip():
        return None
    words = f"{port.get('protocols')} {network.get('protocols')}".casefold()
    kind = stated.casefold()
    if "roce" in kind:
        return ROCE
    if "infiniband" in kind or kind.strip() == "ib":
        return INFINIBAND
    if "ethernet" in kind:
        if "roce" in words:
            return ROCE
        return ETHERNET_RDMA if "rdma" in words else ETHERNET
    return one_line(stated, 40)


def _accelerators(node: Mapping[str, Any]) -> dict[str, int]:
    found = {}
    for item in _mappings(node.get("accelerators")):
        count = _whole(item.get("count_of_this_type"), _MAX_HOSTS)
        if count is not None:
            found[one_line(item.get("vendor_and_model") or "", 80).casefold()] = count
    return found
