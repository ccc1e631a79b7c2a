"""Descriptions of systems: what they state about the hosts, and what they do not."""

import json

import pytest

from storagebook.errors import StoragebookError
from storagebook.readers.mlperf_system import describe, plain_yaml


def system(**changes):
    """A description; ``client`` and ``network`` change those two, the rest the whole."""
    client = {
        "node_type_name": "client",
        "nic_ports": [{"network_name": "data", "bitrate": 100, "count_of_this_type": 2}],
        **changes.pop("client", {}),
    }
    network = {"network_name": "data", "network_type": "Ethernet", **changes.pop("network", {})}
    body = {
        "networks": [network],
        "nodes": [client, {"node_type_name": "server", "nic_ports": []}],
        "benchmark_hosts": [{"node_type_name": "client"}] * 3,
        **changes,
    }
    return describe("systems/s.json", json.dumps(body).encode())


def test_hosts_network_and_ports():
    found = system()
    assert (found.hosts, found.clients, found.kinds) == (3, 3, ("client",))
    assert (found.network, found.nic_gbit_s, found.nic_ports) == ("Ethernet", 100, 2)


@pytest.mark.parametrize(
    ("network", "kind"),
    [
        ({"network_type": "InfiniBand", "protocols": ["RDMA"]}, "InfiniBand"),
        ({"network_type": "IB"}, "InfiniBand"),
        ({"network_type": "ethernet"}, "Ethernet"),
        ({"network_type": "Ethernet", "protocols": ["NFS over RDMA"]}, "Ethernet with RDMA"),
        ({"network_type": "Ethernet", "protocols": ["RoCEv2"]}, "RoCE"),
        ({"network_type": "RoCE"}, "RoCE"),
        ({"network_type": "Omni-Path"}, "Omni-Path"),
        ({"network_type": ""}, None),
        ({"network_type": 7}, None),
    ],
)
def test_kinds_of_network_stay_apart(network, kind):
    assert system(network=network).network == kind


def test_protocols_of_the_port_count_too():
    ports = [{"network_name": "DATA", "bitrate": 100, "protocols": ["RDMA"]}]
    assert system(client={"nic_ports": ports}).network == "Ethernet with RDMA"


def test_a_misspelt_network_still_tells_its_kind_where_all_are_of_one():
    assert system(network={"network_name": "daat"}).network == "Ethernet"
    two = [{"network_name": "a", "network_type": "Ethernet"}, {"network_type": "InfiniBand"}]
    assert system(networks=two).network is None


@pytest.mark.parametrize(
    ("rate", "gbit_s"),
    [
        (200, 200),
        ("200", 200),
        ("100 Gb/s", 100),
        ("12.5gbps", 12.5),
        ("25GbE", 25),
        ("up to 12.5gbps", None),
        ("100 GB/s", 100),
        (100_000, None),
        (0, None),
        (-1, None),
        (True, None),
        (None, None),
        ("fast", None),
    ],
)
def test_port_rates(rate, gbit_s):
    ports = [{"network_name": "data", "bitrate": rate, "count_of_this_type": 1}]
    assert system(client={"nic_ports": ports}).nic_gbit_s == gbit_s


def test_ports_of_two_rates_are_not_added():
    ports = [{"bitrate": 1, "count_of_this_type": 1}, {"bitrate": 100, "count_of_this_type": 2}]
    found = system(client={"nic_ports": ports})
    assert (found.nic_gbit_s, found.nic_ports) == (None, None)


def test_ports_of_one_rate_are_added():
    ports = [{"bitrate": 100, "count_of_this_type": 2}, {"bitrate": 100}]
    found = system(client={"nic_ports": ports})
    assert (found.nic_gbit_s, found.nic_ports) == (100, 3)


def test_local_drives_have_no_network():
    found = system(client={"nic_ports": []}, networks=[])
    assert (found.network, found.nic_gbit_s) == (None, None)


def test_hosts_that_describe_themselves_are_counted_by_their_number():
    host = {"node_type_name": "app", "node_count": 137, "nic_ports": [{"bitrate": 100}]}
    found = system(benchmark_hosts=[host])
    assert (found.hosts, found.nic_gbit_s, found.nic_ports) == (137, 100, 1)


def test_servers_among_the_hosts_are_told_from_clients():
    hosts = [{"node_type_name": name} for name in ("server", "client", "server")]
    found = system(benchmark_hosts=hosts)
    assert (found.hosts, found.clients, found.nic_ports) == (3, 1, 2)


def test_a_description_wrapped_as_a_schema():
    inner = {"nodes": [], "benchmark_hosts": [{}, {}]}
    assert describe("s.json", json.dumps({"properties": inner}).encode()).hosts == 2


def test_memory_called_mib_that_can_only_be_gib():
    found = system(client={"DRAM": {"capacity_MiB": 256}})
    assert found.dram_is_gib(248)
    assert not system(client={"DRAM": {"capacity_MiB": 262144}}).dram_is_gib(248)
    assert not system(client={"DRAM": {"capacity_MiB": 256}}).dram_is_gib(0.25)
    assert not system().dram_is_gib(248)


@pytest.mark.parametrize(
    "body",
    [
        [[]],
        {"nodes": 3, "networks": "x", "benchmark_hosts": None},
        {"nodes": [None, 3, {"nic_ports": [4]}], "benchmark_hosts": [[], {"node_type_name": 9}]},
        {"benchmark_hosts": [{"node_type_name": "x\n\x1b[31m", "node_count": "many"}]},
    ],
)
def test_anything_else_states_nothing(body):
    found = describe("s.json", json.dumps(body).encode())
    assert (found.network, found.nic_gbit_s, found.dram_mib) == (None, None, None)
    assert all("\n" not in kind for kind in found.kinds)


def test_text_that_is_no_description_is_one_error_with_its_line():
    with pytest.raises(StoragebookError, match=r"^systems/x\.json:1: not JSON"):
        describe("systems/x.json", b"see the attached PDF")


def test_yaml_descriptions_are_read():
    found = describe(
        "s.yaml",
        b"networks: [{network_type: InfiniBand}]\n"
        b"nodes: [{node_type_name: c, nic_ports: [{bitrate: 400}]}]\n"
        b"benchmark_hosts: [{node_type_name: c}]\n",
    )
    assert (found.network, found.nic_gbit_s, found.hosts) == ("InfiniBand", 400, 1)


@pytest.mark.parametrize(
    "text",
    [
        b"a: &x [1]\nb: [*x, *x]",
        b"a: !!python/object/apply:os.system ['true']",
        b"a: [1\nb: 2",
        b"\x00\x01",
        b"[" * 3000,
        b"a: " + b"x" * (2**20 + 1),
        b"1: 2024-99-99",
    ],
)
def test_yaml_that_could_do_harm_or_is_none_is_one_error(text):
    with pytest.raises(StoragebookError) as caught:
        plain_yaml(text, "c.yaml")
    assert "\n" not in str(caught.value)
