"""PixStor: thread layouts, file sizes, command lines, and what the links and devices can carry."""

from __future__ import annotations

import dataclasses
import shlex

from storagebook.claims import Evidence, Inputs, check
from storagebook.intervals import Interval
from storagebook.quantities import DOCUMENTS, Quantity
from storagebook.verdicts import Argument, Fact

#: Line rate of one EDR InfiniBand link, by its standard.
EDR_GBIT_S = 100
#: Adapters of an NVMe node: one under each of its processors, as it is and as it would be balanced.
_ADAPTERS = 2
#: IOzone's options that put more than one operation of a thread in flight.
_ASYNCHRONOUS = ("-H", "-k")


def _stated(inputs: Inputs, quantity: str) -> Quantity:
    """A figure of the configuration: its digits, as printed."""
    return inputs(f"pixstor-quantities[quantity={quantity}].value", exact=True)


def _peak(inputs: Inputs, benchmark: str, operation: str, kind: str, column: str) -> Quantity:
    where = f"benchmark={benchmark};operation={operation};kind={kind}"
    return inputs(f"pixstor-peaks[{where}].{column}")


def _command(inputs: Inputs, tool: str, phase: str) -> list[str]:
    return shlex.split(inputs.row("pixstor-commands", tool=tool, phase=phase)["printed"])


def _random_reads(inputs: Inputs) -> Quantity:
    """The bandwidth of the random reads: rate times block."""
    rate = _peak(inputs, "IOzone random", "read", "peak", "value")
    block = _stated(inputs, "random-block")
    return Quantity(
        rate.value * block.to("B").value,
        "B/s",
        f"{rate.text} × {block.text}",
        origins=DOCUMENTS,
    )


def _links(inputs: Inputs) -> Quantity:
    one = Quantity(Interval.point(EDR_GBIT_S), "Gbit/s", f"{EDR_GBIT_S} Gbit/s of a link")
    return _stated(inputs, "edr-links") * one


def _shown(quantity: Quantity, unit: str) -> str:
    return f"{float(quantity.to(unit).value.mid):,.1f} {unit}"


@check("devices-read-more")
def devices_read_more(inputs: Inputs) -> Evidence:
    """The devices can read at least what random reads got from them."""
    found = _random_reads(inputs)
    return Evidence(
        dataclasses.replace(found, value=Interval.at_least(found.value)),
        "limit",
        f"random reads got {_shown(found, 'GB/s')}, or {_shown(found, 'Gbit/s')}",
    )


@check("sequential-reads-expected")
def sequential_reads_expected(inputs: Inputs) -> Evidence:
    """Large sequential reads should be no slower than small random ones of the same devices."""
    found = _random_reads(inputs)
    write = _peak(inputs, "IOR", "write", "peak", "value")
    return Evidence(
        dataclasses.replace(found, value=Interval.at_least(found.value)),
        "expectation",
        f"random reads got {_shown(found, 'GB/s')}; the write of the same test is {write.text}",
    )


@check("link-rate")
def link_rate(inputs: Inputs) -> Evidence:
    """The line rate of the links."""
    found = _links(inputs)
    return Evidence(found, remark=f"or {_shown(found, 'GB/s')}")


@check("link-limit")
def link_limit(inputs: Inputs) -> Evidence:
    """Nothing goes faster through the links than their line rate."""
    found = _links(inputs)
    return Evidence(dataclasses.replace(found, value=Interval.at_most(found.value)), "limit")


@check("writes-through-links")
def writes_through_links(inputs: Inputs) -> Evidence:
    """No more blocks are written in a second than the line rate of the links carries."""
    block = _stated(inputs, "random-block")
    links = _links(inputs)
    most = links.to("B/s").value / block.to("B").value
    text = f"{links.text} / {block.text}"
    bound = Quantity(Interval.at_most(most), "IOP/s", text, origins=DOCUMENTS)
    return Evidence(bound, "limit", "more threads were not run: the text expects it")


@check("kept-beyond-peak")
def kept_beyond_peak(inputs: Inputs, operation: str) -> Evidence:
    """A rate beyond the peak is no more than it; there is none if the peak has the most threads."""
    peak = _peak(inputs, "mdtest", operation, "peak", "value")
    threads = _peak(inputs, "mdtest", operation, "peak", "threads_count")
    most = inputs("claims[id=003-58-last].value")
    beyond = threads.value.hi < most.value.lo
    return Evidence(
        dataclasses.replace(peak, value=Interval.at_most(peak.value)),
        "limit" if beyond else "partial",
        "" if beyond else f"the peak is told of {threads.text} threads, and no more were run",
    )


@check("links-of-the-nodes")
def links_of_the_nodes(inputs: Inputs, wanted: str) -> Evidence:
    """The ``links``, if each node keeps all of its adapters but those for the ``fabric``.

    ``adapters``: those under the first processor, with one under the second; ``processors``: those
    of a balanced server, with so many adapters under each.
    """
    nodes = Quantity.count(2) * _stated(inputs, "pairs")
    adapters = Quantity.count(_ADAPTERS)
    if wanted == "links":
        found = nodes * (adapters - inputs("claims[id=003-fabric-links].value"))
    elif wanted == "fabric":
        found = adapters - _stated(inputs, "edr-links") / nodes
    else:
        fabric = inputs("claims[id=003-fabric-links].value")
        of_a_node = _stated(inputs, "edr-links") / nodes + fabric
        if wanted == "adapters":
            found = of_a_node - Quantity.count(1)
        else:
            found = of_a_node / inputs("claims[id=003-adapter-per-cpu].value")
    return Evidence(found, "expectation", "if each node has one link for NVMe over Fabrics")


@check("room-in-slots")
def room_in_slots(inputs: Inputs, wanted: str) -> Evidence:
    """Expanders and adapters take a slot each: what they leave of ``wanted``."""
    names = {"slots": ["expanders"], "expanders": ["slots"], "adapter": ["slots", "expanders"]}
    known = {name: inputs(f"claims[id=003-{name}].value") for name in names[wanted]}
    adapters = Quantity.count(_ADAPTERS)
    if wanted == "slots":
        found = known["expanders"] + adapters
        bound = Interval.at_least(found.value)
    elif wanted == "expanders":
        found = known["slots"] - adapters
        bound = Interval.at_most(found.value)
    else:
        found = (known["slots"] - known["expanders"]) / inputs("claims[id=003-cpus].value")
        bound = Interval.at_most(found.value)
    return Evidence(dataclasses.replace(found, value=bound), "limit")


@check("rate-of-a-thread")
def rate_of_a_thread(inputs: Inputs, wanted: str) -> Evidence:
    """A thread should get no more among many, the ``peak``, than alone, the ``start``."""
    threads = _peak(inputs, "IOzone random", "read", "peak", "threads_count") / _peak(
        inputs, "IOzone random", "read", "start", "threads_count"
    )
    if wanted == "peak":
        found = _peak(inputs, "IOzone random", "read", "start", "value") * threads
        bound = Interval.at_most(found.value)
    else:
        found = _peak(inputs, "IOzone random", "read", "peak", "value") / threads
        bound = Interval.at_least(found.value)
    return Evidence(dataclasses.replace(found, value=bound), "expectation")


@check("read-and-write-alike")
def read_and_write_alike(inputs: Inputs) -> Argument:
    """Reading and writing both reach their plateau before the most threads."""
    most = inputs("claims[id=003-31-last].value")
    facts = []
    for what, operation, kind in (
        ("reading levels off", "read", "plateau"),
        ("writing is at its highest", "write", "peak"),
    ):
        threads = _peak(inputs, "IOR", operation, kind, "threads_count")
        facts.append(
            Fact(
                f"{what} at {threads.text} threads, before the most, {most.text}",
                threads.value.hi < most.value.lo,
                DOCUMENTS,
            )
        )
    return Argument(facts)


@check("client-memory")
def client_memory(inputs: Inputs) -> Evidence:
    """The RAM of a client, of which all files together have double the sum."""
    double = Quantity.count(2) * _stated(inputs, "nodes")
    return Evidence(_stated(inputs, "total-size") / double)


@check("total-size")
def total_size(inputs: Inputs) -> Evidence:
    """Double the RAM of all clients."""
    double = Quantity.count(2) * _stated(inputs, "nodes")
    return Evidence(double * _stated(inputs, "client-memory"))


@check("files-over-memory")
def files_over_memory(inputs: Inputs) -> Evidence:
    """The files of all threads over the RAM of all clients."""
    memory = _stated(inputs, "nodes") * _stated(inputs, "client-memory")
    return Evidence(_stated(inputs, "total-size") / memory)


@check("file-exceeds-page-pool")
def file_exceeds_page_pool(inputs: Inputs) -> Argument:
    """Whatever the number of threads, a file is larger than double the page pool."""
    double = Quantity.count(2) * _stated(inputs, "page-pool")
    files = _stated(inputs, "total-size")
    counts = sorted(
        int(row["threads_count"]) for row in inputs.rows("pixstor-threads") if row["threads_count"]
    )
    short = [n for n in counts if files.value.mid / n <= double.value.mid]
    return Argument(
        [
            Fact(
                f"a thread's share of {files.text} is larger than {double.text} at every count "
                f"(not at {', '.join(map(str, short)) or 'none'})",
                not short,
                DOCUMENTS,
            )
        ]
    )


@check("memory-of-a-thread")
def memory_of_a_thread(inputs: Inputs) -> Argument:
    """A client has the memory that each of its threads is said to use."""
    asked, there = _stated(inputs, "file-size"), _stated(inputs, "client-memory")
    return Argument(
        counter=[
            Fact(
                f"{asked.text} is the size of a file; a client has {there.text} of memory",
                asked.value.lo > there.value.hi,
                DOCUMENTS,
            )
        ]
    )


@check("operations-in-flight")
def operations_in_flight(inputs: Inputs) -> Evidence:
    """What the random test's command line puts in flight for each thread."""
    words = _command(inputs, "IOzone", "random read and write")
    asked = [word for word in words if word.startswith(_ASYNCHRONOUS)]
    text = (
        f"the command line asks for {', '.join(asked)}"
        if asked
        else f"the command line has none of {', '.join(_ASYNCHRONOUS)}: one operation a thread"
    )
    depth = int(asked[0][2:] or 1) if asked else 1
    return Evidence(Quantity(Interval.point(depth), "1", text, origins=DOCUMENTS))


@check("ran-on-all-threads")
def ran_on_all_threads(inputs: Inputs, benchmark: str, operation: str, kind: str) -> Argument:
    """A test that is said to end at fewer threads has no result beyond."""
    last = _stated(inputs, "random-threads-last")
    threads = _peak(inputs, benchmark, operation, kind, "threads_count")
    return Argument(
        counter=[
            Fact(
                f"a result at {threads.text} threads is told, beyond the {last.text} said to be "
                "the most",
                threads.value.lo > last.value.hi,
                DOCUMENTS,
            )
        ]
    )


@check("items-of-a-directory")
def items_of_a_directory(inputs: Inputs) -> Evidence:
    """What the command line asks mdtest to put in a directory."""
    words = _command(inputs, "mdtest", "create, stat, read, remove")
    items = int(words[words.index("-I") + 1])
    return Evidence(
        Quantity(Interval.point(items), "1", f"-I {items} of the command", origins=DOCUMENTS)
    )


@check("files-as-a-size")
def files_as_a_size(inputs: Inputs) -> Evidence:
    """How large all files of the metadata test are together."""
    one = inputs(
        "pixstor-commands[tool=mdtest;phase=create, stat, read, remove].transfer_kib", exact=True
    )
    return Evidence(
        _stated(inputs, "mdtest-files") * one, remark="2^21 is a number of files, no size"
    )


@check("creates-still-rise")
def creates_still_rise(inputs: Inputs) -> Argument:
    """Creating had not reached its plateau at the most threads."""
    peak = _peak(inputs, "mdtest", "create", "peak", "value")
    plateau = _peak(inputs, "mdtest", "create", "plateau", "value")
    return Argument(
        [
            Fact(
                f"no plateau is told at the peak's own rate (both are {peak.text})",
                peak.text != plateau.text,
                DOCUMENTS,
            )
        ]
    )


@check("scales-with-nodes")
def scales_with_nodes(inputs: Inputs) -> Argument:
    """More than one number of NVMe nodes was measured."""
    told = [row["printed"] for row in inputs.rows("pixstor-quantities", quantity="pairs")]
    return Argument(
        [
            Fact(
                f"results of several numbers of nodes are told ({', '.join(told)} only)",
                len(told) > 1,
                DOCUMENTS,
            )
        ]
    )
