"""Aurora's storage: capacity and network arithmetic, and which run a figure belongs to."""

from __future__ import annotations

import dataclasses

from storagebook.checks import raw
from storagebook.claims import Evidence, Inputs, check
from storagebook.intervals import Interval
from storagebook.quantities import DOCUMENTS, RAW, Quantity
from storagebook.verdicts import Argument, Fact


def _stated(inputs: Inputs, quantity: str, table: str = "aurora-configuration") -> Quantity:
    return inputs(f"{table}[quantity={quantity}].value")


def _server_drives(inputs: Inputs) -> Quantity:
    return _stated(inputs, "server-nvme-drives") * _stated(inputs, "nvme-drive")


def _server_memory(inputs: Inputs) -> Quantity:
    return _stated(inputs, "server-pmem-modules") * _stated(inputs, "pmem-module")


def _drives(inputs: Inputs) -> Quantity:
    return _stated(inputs, "servers") * _server_drives(inputs)


def _media(inputs: Inputs) -> Quantity:
    return _stated(inputs, "servers") * (_server_drives(inputs) + _server_memory(inputs).to("TB"))


def _at_most(quantity: Quantity) -> Quantity:
    return dataclasses.replace(quantity, value=Interval.at_most(quantity.value))


def _shown(quantity: Quantity, unit: str) -> str:
    return f"{float(quantity.to(unit).value.mid):,.1f} {unit}"


def _per_cent(change: Quantity) -> str:
    return f"{float(change.value.mid):+.1f} %"


@check("raw-capacity")
def raw_capacity(inputs: Inputs) -> Evidence:
    """What all drives and all persistent memory hold."""
    alone = _shown(_drives(inputs), "PB")
    return Evidence(_media(inputs), remark=f"the drives alone hold {alone}")


@check("protected-capacity")
def protected_capacity(inputs: Inputs, data: str, parity: str) -> Evidence:
    """What the drives hold under an erasure code."""
    share = Quantity.count(int(data)) / Quantity.count(int(data) + int(parity))
    stated = _stated(inputs, "capacity-raw") * share
    return Evidence(
        _drives(inputs) * share,
        remark=f"of the stated raw capacity it would be {_shown(stated, 'PB')}",
    )


@check("capacity-limit")
def capacity_limit(inputs: Inputs, media: str) -> Evidence:
    """No level of redundancy leaves more than the ``drives``, or ``all`` media, hold."""
    whole = _drives(inputs) if media == "drives" else _media(inputs)
    return Evidence(_at_most(whole), "limit", f"they are {_shown(whole, 'PiB')}")


@check("pool-size")
def pool_size(inputs: Inputs) -> Evidence:
    """The size that IOR saw, which the media of the run's servers could not exceed."""
    servers = _stated(inputs, "servers", "aurora-run")
    whole = servers * (_server_drives(inputs) + _server_memory(inputs).to("TB"))
    seen = raw.output(inputs, raw.AURORA, "ior-easy-write.file_system_tib")
    return Evidence(
        seen,
        remark=f"that is {_shown(seen, 'PB')}; the servers' media hold {_shown(whole, 'PB')}",
    )


@check("network-limit")
def network_limit(
    inputs: Inputs, servers: str = "aurora-configuration[quantity=servers].value"
) -> Evidence:
    """No bandwidth is higher than that of the network cards of all servers, or of so many."""
    network = inputs(servers) * _stated(inputs, "server-network")
    return Evidence(_at_most(network), "limit", f"they carry {_shown(network, 'TB/s')}")


@check("server-network-limit")
def server_network_limit(inputs: Inputs) -> Evidence:
    """A server's cards carry no more than their line rate; they are those of the clients."""
    # the standard's line rate, of which every digit counts
    card = inputs("aurora-configuration[quantity=client-nic].value", exact=True)
    cards = _stated(inputs, "server-nics") * card
    return Evidence(_at_most(cards), "limit", f"the line rate is {_shown(cards, 'GiB/s')}")


@check("card-carries")
def card_carries(inputs: Inputs) -> Evidence:
    """A card carries at least its part of what a server's cards are said to; all are alike."""
    part = (_stated(inputs, "server-network") / _stated(inputs, "server-nics")).to("Gbit/s")
    return Evidence(
        dataclasses.replace(part, value=Interval.at_least(part.value)),
        "limit",
        f"it is {_shown(part, 'Gbit/s')}",
    )


@check("largest-file")
def largest_file(inputs: Inputs) -> Evidence:
    """The shared file of ior-easy holds the bytes that IOR says it moved."""
    other = _shown(raw.output(inputs, raw.AURORA_UNPROTECTED, "ior-easy-write.moved_b"), "PiB")
    return Evidence(
        raw.output(inputs, raw.AURORA, "ior-easy-write.moved_b"),
        remark=f"submission {raw.AURORA_UNPROTECTED} moved {other}",
    )


@check("files-in-directory")
def files_in_directory(inputs: Inputs) -> Evidence:
    """The shared directory of mdtest-hard gets as many files of each process as of the fastest."""

    def created(submission: str) -> Quantity:
        most = raw.output(inputs, submission, "mdtest-hard-write.most_count")
        return most * raw.output(inputs, submission, "mdtest-hard-write.procs_count")

    other = f"{float(created(raw.AURORA_UNPROTECTED).value.mid):,.0f}"
    return Evidence(created(raw.AURORA), remark=f"submission {raw.AURORA_UNPROTECTED} made {other}")


@check("files")
def files(inputs: Inputs) -> Evidence:
    """The files that the find phase of the run looked at."""
    other = raw.figure(inputs, raw.AURORA_UNPROTECTED, "total-files")
    return Evidence(
        raw.figure(inputs, raw.AURORA, "total-files"),
        remark=f"submission {raw.AURORA_UNPROTECTED}, without redundancy, has {other.text}",
    )


@check("details-of-one-run")
def details_of_one_run(inputs: Inputs) -> Argument:
    """The counts quoted beside the protected run are counts of that run."""
    quoted = inputs("aurora-run[quantity=files].value").value
    found = raw.figure(inputs, raw.AURORA, "total-files")
    other = raw.figure(inputs, raw.AURORA_UNPROTECTED, "total-files")
    nearer_other = abs(other.value.mid - quoted.mid) < abs(found.value.mid - quoted.mid)
    return Argument(
        [
            Fact(
                f"the find phase of submission {raw.AURORA} met the quoted number of files, "
                f"{found.text}",
                quoted.contains(found.value),
                RAW,
            )
        ],
        [
            Fact(
                f"the quoted number is that of submission {raw.AURORA_UNPROTECTED}, {other.text}",
                nearer_other,
                RAW,
            )
        ],
    )


@check("file-per-process")
def file_per_process(inputs: Inputs) -> Argument:
    """ior-easy wrote a file for each process."""
    access = raw.settings(inputs, raw.AURORA, "ior-easy-write")["access"]
    return Argument(
        [
            Fact(
                "the command line asks for a file per process",
                access == "file-per-process",
                RAW,
            )
        ],
        [Fact("it asks for one shared file", access == "single-shared-file", RAW)],
    )


@check("object-classes")
def object_classes(inputs: Inputs) -> Argument:
    """The object classes of the slides are those of the run."""
    where = {
        "ior-easy": ("ior-easy-write", "object_class"),
        "ior-hard": ("ior-hard-write", "object_class"),
        "mdtest files": ("mdtest-easy-write", "object_class"),
        "mdtest-hard directory": ("mdtest-hard-write", "dir_object_class"),
        "mdtest-easy directories": ("mdtest-easy-write", "dir_object_class"),
    }
    facts = []
    for part, (phase, setting) in where.items():
        quoted = inputs.row("aurora-object-classes", part=part)["object_class"]
        used = raw.settings(inputs, raw.AURORA, phase)[setting]
        facts.append(Fact(f"{part}: {quoted} quoted, {used} used", quoted == used, RAW))
    return Argument(facts)


@check("recommended-protection")
def recommended_protection(inputs: Inputs) -> Argument:
    """The run is protected as the operator recommends for production."""
    recommended = _stated(inputs, "ec-parity-cells").text
    used = raw.settings(inputs, raw.AURORA, "ior-easy-write")["object_class"]
    same = used.startswith("EC_") and f"P{recommended}G" in used
    return Argument(
        [
            Fact(
                f"the run's files have the recommended {recommended} parity cells, {used}",
                same,
                RAW,
            )
        ]
    )


_REDUNDANCY = ("object_class", "dir_object_class")


@check("redundancy-alone")
def redundancy_alone(inputs: Inputs) -> Argument:
    """What differs between the two results is what redundancy costs."""
    return Argument([raw.nothing_else(inputs, raw.AURORA, raw.AURORA_UNPROTECTED, but=_REDUNDANCY)])


@check("metadata-pays-more")
def metadata_pays_more(inputs: Inputs) -> Argument:
    """Metadata falls further than bandwidth."""
    metadata, bandwidth = (
        raw.figure(inputs, raw.AURORA, what).change_from(
            raw.figure(inputs, raw.AURORA_UNPROTECTED, what)
        )
        for what in ("metadata", "bandwidth")
    )
    further = metadata.value.hi < bandwidth.value.lo
    return Argument(
        [
            Fact(
                f"metadata changes by {_per_cent(metadata)}, bandwidth by {_per_cent(bandwidth)}",
                further,
                RAW,
            )
        ]
    )


@check("directory-proves")
def directory_proves(inputs: Inputs) -> Argument:
    """The number of files in one directory shows that no central metadata server exists."""
    quoted = inputs("aurora-run[quantity=files-in-directory].value").value
    rate = raw.figure(inputs, raw.AURORA, "mdtest-hard-write")
    most = rate.times_seconds(raw.figure(inputs, raw.AURORA, "mdtest-hard-write.duration_s"))
    return Argument(
        [
            Fact(
                "the run can have made so many files in one directory: at most "
                f"{float(most.value.hi):,.0f}",
                most.value.hi >= quoted.lo,
                RAW,
            ),
            Fact("a count of files tells how metadata is served", None),
        ]
    )


@check("ten-node-share-shows")
def ten_node_share_shows(inputs: Inputs) -> Argument:
    """The ten-node score differs from the full one by the number of clients alone."""
    return Argument(
        [raw.nothing_else(inputs, raw.AURORA, raw.AURORA_TEN_NODES, but=("procs_count",))]
    )


@check("script-computes-all")
def script_computes_all(inputs: Inputs) -> Argument:
    """The printed script puts out every figure per server and every change of redundancy."""
    printed = inputs.rows("score-script", role="output")
    values = {row["value"] for row in printed if row["name"].startswith("per-server")}
    changes = {
        row["name"].removesuffix("-change") for row in printed if row["name"].endswith("-change")
    }
    servers = [
        f"{row['system']} {row['release']}"
        for row in inputs.rows("io500-per-server")
        if row["per_server_score"] not in values
    ]
    missing = [
        f"{row['metric']} {row['printed']}"
        for row in inputs.rows("aurora-redundancy-change")
        if row["metric"] not in changes
    ]
    return Argument(
        counter=[
            Fact(
                f"it puts out nothing per server of {', '.join(servers) or 'none'}",
                bool(servers),
                DOCUMENTS,
            ),
            Fact(
                f"it puts out no change of {', '.join(missing) or 'none'}", bool(missing), DOCUMENTS
            ),
        ]
    )
