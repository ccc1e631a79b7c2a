"""PixStor on NVMe nodes: how it was tested, what was measured, and what the text leaves out."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import pandas as pd

from storagebook import cells, tables
from storagebook.errors import StoragebookError
from storagebook.intervals import Interval
from storagebook.io500.runs import Sentence
from storagebook.quantities import Quantity
from storagebook.readers.io500_text import size_b

#: The source of all figures.
SOURCE = "003"
#: Files are so many times as large as the memory, to leave no use to a cache.
MEMORY_FACTOR = 2
#: Line rate of one EDR InfiniBand link, one way, by its standard.
EDR_GBIT_S = 100
#: One adapter under each of two processors (line 23), and two nodes in a pair.
ADAPTERS_PER_NODE = 2
NODES_PER_PAIR = 2
#: What the text prints for the size, and what the command had.
LOST, SIZE = "$ G", "${Size}G"

_KIB, _MIB = 1024, 1024**2


def stated(quantity: str) -> Quantity:
    """A figure of the configuration: its digits, as printed.

    Raises
    ------
    StoragebookError
        If the table has no such figure.
    """
    return cells.cell(f"pixstor-quantities[quantity={quantity}].value").quantity(exact=True)


def _whole(quantity: str) -> int:
    return int(stated(quantity).value.mid)


# -- command lines


@dataclass(frozen=True)
class Option:
    """An option of a command line.

    Attributes
    ----------
    program
        The one that reads it: ``mpirun`` or the benchmark.
    name
        As on the command line: ``-r``.
    value
        What follows it; empty for a switch.
    """

    program: str
    name: str
    value: str = ""

    @property
    def bytes(self) -> int | None:
        """The value as a size, for options that take one; letters count in 1024."""
        return size_b(self.value) if self.name in _SIZES.get(self.program, ()) else None


_LAUNCHER = "mpirun"
_SIZES = {"IOzone": ("-r",), "IOR": ("-t",), "mdtest": ("-w", "-e")}
# option → how many words follow it, and what it asks for
_OPTIONS: dict[str, dict[str, tuple[int, str]]] = {
    _LAUNCHER: {
        "--allow-run-as-root": (0, "run although the user is root"),
        "-np": (1, "number of processes"),
        "--hostfile": (1, "file that names the hosts"),
        "--mca": (2, "setting of Open MPI's transport"),
        "--oversubscribe": (0, "more processes than slots on a host"),
        "--prefix": (1, "where Open MPI is installed on the hosts"),
    },
    "IOzone": {
        "-i": (1, "which test: 0 write, 1 read, 2 random read and write"),
        "-I": (0, "direct I/O, past the client's cache"),
        "-c": (0, "time of close() included"),
        "-e": (0, "time of flushing included"),
        "-O": (0, "results in operations a second"),
        "-w": (0, "keep the files for the next test"),
        "-r": (1, "record: bytes of one read or write"),
        "-s": (1, "size of each thread's file"),
        "-t": (1, "number of threads"),
        "-+n": (0, "each test once, without a retest"),
        "-+m": (1, "file that names the hosts, one a thread"),
    },
    "IOR": {
        "-a": (1, "interface"),
        "-v": (0, "more output"),
        "-i": (1, "repetitions"),
        "-d": (1, "seconds between them"),
        "-e": (0, "fsync after writing"),
        "-k": (0, "keep the file"),
        "-o": (1, "the file, one for all processes without -F"),
        "-w": (0, "write"),
        "-r": (0, "read"),
        "-s": (1, "segments of a process"),
        "-t": (1, "transfer: bytes of one read or write"),
        "-b": (1, "block: bytes of a process in a segment"),
    },
    "mdtest": {
        "-v": (0, "more output"),
        "-d": (1, "where the tree grows"),
        "-i": (1, "repetitions"),
        "-b": (1, "branches at each level of the tree"),
        "-z": (1, "levels of the tree"),
        "-L": (0, "files at the last level only"),
        "-I": (1, "files of a directory"),
        "-y": (0, "sync after writing"),
        "-u": (0, "a tree of its own for each process"),
        "-t": (0, "time of changing the directory included"),
        "-F": (0, "files only, no directories timed"),
        "-w": (1, "bytes written to a file"),
        "-e": (1, "bytes read of a file"),
    },
}


def parse(tool: str, printed: str) -> tuple[Option, ...]:
    """The options of a command line of ``IOzone``, ``IOR`` or ``mdtest``, launcher first.

    The variable that the text lost before ``G`` is put back.

    Raises
    ------
    StoragebookError
        If the tool is not called, or an option is none of its own or lacks its value.

    Examples
    --------
    >>> [f"{o.name} {o.value}".strip() for o in parse("IOzone", "iozone -i0 -w -r 8M -s $ G")]
    ['-i 0', '-w', '-r 8M', '-s ${Size}G']
    """
    words = shlex.split(printed.replace(LOST, SIZE))
    names = [word.rpartition("/")[2] for word in words]
    if tool.lower() not in names:
        raise StoragebookError(f"no call of {tool} in {printed!r}")
    at = names.index(tool.lower())
    return (*_options(_LAUNCHER, words[1:at]), *_options(tool, words[at + 1 :]))


def _options(program: str, words: Sequence[str]) -> Iterator[Option]:
    known = _OPTIONS[program]
    rest = iter(words)
    for word in rest:
        name, value = word, ""
        if name not in known and word[:2] in known:
            # IOzone takes -i0 for -i 0
            name, value = word[:2], word[2:]
        if name not in known:
            raise StoragebookError(f"{word!r} is no option of {program}")
        count = known[name][0] - bool(value)
        following = [next(rest, "") for _ in range(count)]
        if count < 0 or not all(following):
            raise StoragebookError(f"{word!r} of {program} has a wrong number of values")
        yield Option(program, name, " ".join(filter(None, [value, *following])))


def commands(tool: str) -> pd.DataFrame:
    """The command lines of a tool side by side.

    Returns
    -------
    pandas.DataFrame
        A row an option in the order of the first line that has it: ``option``, ``meaning``, then a
        column a command: its value, ``yes`` for a switch that is set, missing where it is not.

    Raises
    ------
    StoragebookError
        If the source has no command line of the tool.
    """
    rows = [row for _, row in cells.rows("pixstor-commands", {"tool": tool})]
    if not rows:
        raise StoragebookError(f"no command line of {tool}")
    parsed = {row["phase"]: parse(tool, row["printed"]) for row in rows}
    found: dict[tuple[str, str], dict[str, list[str]]] = {}
    for phase, options in parsed.items():
        for option in options:
            shown = found.setdefault((option.program, option.name), {})
            shown.setdefault(phase, []).append(_shown(option))
    return pd.DataFrame(
        [
            {
                "option": name if program == tool else f"{program} {name}",
                "meaning": _OPTIONS[program][name][1],
                **{
                    phase: "; ".join(values[phase]) if phase in values else None for phase in parsed
                },
            }
            for (program, name), values in found.items()
        ]
    )


def _shown(option: Option) -> str:
    if option.bytes is None:
        return option.value or "yes"
    unit, size = ("MiB", _MIB) if option.bytes >= _MIB else ("KiB", _KIB)
    return f"{option.value} = {option.bytes / size:g} {unit}"


# -- thread layouts


def doublings(most: int) -> list[int]:
    """1, 2, 4 … up to a number of threads."""
    return [1 << power for power in range(most.bit_length())]


def file_gib(threads: int, nodes: int, memory_gib: int) -> Fraction:
    """The size of each thread's file, so that all are double the memory of the clients in use.

    >>> file_gib(8, 16, 128), file_gib(512, 16, 128)
    (Fraction(256, 1), Fraction(8, 1))
    """
    return Fraction(MEMORY_FACTOR * memory_gib * min(threads, nodes), threads)


def layout(nodes: int, memory_gib: int, page_pool_gib: int, threads: Iterable[int]) -> pd.DataFrame:
    """How threads and files spread over client nodes.

    Parameters
    ----------
    nodes, memory_gib
        Client nodes, and the RAM of each.
    page_pool_gib
        What the file system may cache, above 0.
    threads
        The numbers of threads to lay out, dealt to the nodes in turn.

    Returns
    -------
    pandas.DataFrame
        ``threads``, ``nodes`` in use, ``per_node`` (threads of the fullest node), ``file_gib`` (of
        a thread), ``total_gib``, ``node_gib`` (all files of the fullest node) and
        ``file_over_pool`` (a file over the page pool).
    """
    rows = []
    for count in threads:
        used = min(count, nodes)
        size = file_gib(count, nodes, memory_gib)
        each = -(-count // used)
        rows.append(
            (
                count,
                used,
                each,
                float(size),
                float(size * count),
                float(size * each),
                float(size / page_pool_gib),
            )
        )
    columns = ["threads", "nodes", "per_node", "file_gib", "total_gib", "node_gib"]
    return pd.DataFrame(rows, columns=[*columns, "file_over_pool"])


def source_layout() -> pd.DataFrame:
    """The layout that the source describes; ``as_printed`` where it prints the threads of a node.

    Returns
    -------
    pandas.DataFrame
        As `layout`; ``as_printed`` is missing where the source prints nothing.
    """
    frame = layout(
        _whole("nodes"),
        _whole("client-memory"),
        _whole("page-pool"),
        doublings(_whole("threads-most")),
    )
    printed = tables.load("pixstor-threads").set_index("threads_count").per_node_count
    agrees = [
        bool(printed[row.threads] == row.per_node) if row.threads in printed.index else None
        for row in frame.itertuples()
    ]
    return frame.assign(as_printed=agrees)


def said_of_layout(frame: pd.DataFrame, memory_gib: int, page_pool_gib: int) -> list[Sentence]:
    """What all layouts of a table have in common, and from where on files are small."""
    values = {"factor": MEMORY_FACTOR, "pool": page_pool_gib}
    small = frame.threads[frame.file_gib <= MEMORY_FACTOR * page_pool_gib]
    per_node = frame.node_gib.max()
    together: Sentence = (
        "The files of all threads of a node come to {per_node:,.0f} GiB at most, {memory:.3g} "
        "times its memory and {pool:.3g} times the page pool.",
        {
            "per_node": per_node,
            "memory": per_node / memory_gib,
            "pool": per_node / page_pool_gib,
        },
    )
    if small.empty:
        each: Sentence = (
            "Each single file is larger than {factor} times the page pool of {pool} GiB, whatever "
            "the number of threads.",
            values,
        )
    elif len(small) == len(frame):
        each = (
            "No single file is larger than {factor} times the page pool of {pool} GiB, whatever "
            "the number of threads.",
            values,
        )
    else:
        each = (
            "From {first:,} threads on, a single file is no longer larger than {factor} times the "
            "page pool of {pool} GiB: only the files of a node together are.",
            values | {"first": int(small.min())},
        )
    return [together, each]


def sizes(frame: pd.DataFrame, memory_gib: int, page_pool_gib: int) -> pd.DataFrame:
    """Three sizes at each number of threads of a `layout`: ``threads``, ``size_gib``, ``what``."""
    series = {
        "a thread's file": frame.file_gib,
        "all files of a node": frame.node_gib,
        "a node's memory": pd.Series(float(memory_gib), index=frame.index),
        "the page pool": pd.Series(float(page_pool_gib), index=frame.index),
    }
    parts = [
        pd.DataFrame({"threads": frame.threads, "size_gib": size, "what": what})
        for what, size in series.items()
    ]
    return pd.concat(parts, ignore_index=True)


def filled_in(nodes: int, memory_gib: int, threads: Iterable[int]) -> pd.DataFrame:
    """The sequential write commands for a cluster, sizes filled in.

    Returns
    -------
    pandas.DataFrame
        ``threads``, ``IOzone`` and ``IOR``, the latter without its launcher. A size that is not
        whole in GiB is rounded up to whole transfers, which IOR asks for.
    """
    iozone, ior = (_sequential_write(tool) for tool in ("IOzone", "IOR"))
    rows = []
    for count in threads:
        size = _size_argument(file_gib(count, nodes, memory_gib), ior)
        given = {"-s": size, "-t": str(count)}
        block = {"-b": size.lower(), "-o": "FILE"}
        rows.append(
            (
                count,
                " ".join(["iozone", *(_spelt(o, given) for o in iozone)]),
                " ".join(["ior", *(_spelt(o, block) for o in ior)]),
            )
        )
    return pd.DataFrame(rows, columns=["threads", "IOzone", "IOR"])


def _sequential_write(tool: str) -> tuple[Option, ...]:
    ((_, row),) = cells.rows("pixstor-commands", {"tool": tool, "phase": "sequential write"})
    return tuple(o for o in parse(tool, row["printed"]) if o.program == tool)


def _spelt(option: Option, given: Mapping[str, str]) -> str:
    return f"{option.name} {given.get(option.name, option.value)}".strip()


def _size_argument(size: Fraction, ior: Iterable[Option]) -> str:
    if size.denominator == 1:
        return f"{size.numerator}G"
    transfer = next(Fraction(o.bytes or 0, _MIB) for o in ior if o.name == "-t")
    return f"{-(-size * 1024 // transfer) * transfer}M"


def mdtest_layout() -> pd.DataFrame:
    """The source's missing table 3: how its files spread over directories.

    Files in all and files of a directory are fixed, so the directories of a thread follow.

    Returns
    -------
    pandas.DataFrame
        ``threads``, ``directories_per_thread``, ``directories``, ``files_per_thread``, ``files``.

    Raises
    ------
    StoragebookError
        If the files do not spread evenly.
    """
    files, per_directory = _whole("mdtest-files"), _whole("mdtest-files-per-directory")
    threads = doublings(_whole("random-threads-last"))
    rows = []
    for count in threads:
        directories, rest = divmod(files, per_directory * count)
        if rest:
            raise StoragebookError(f"{files:,} files do not spread evenly over {count} threads")
        each = directories * per_directory
        rows.append((count, directories, directories * count, each, each * count))
    columns = ["threads", "directories_per_thread", "directories", "files_per_thread", "files"]
    return pd.DataFrame(rows, columns=columns)


def said_of_mdtest(frame: pd.DataFrame) -> list[Sentence]:
    """What the reconstructed table shows."""
    size = cells.cell(
        "pixstor-commands[tool=mdtest;phase=create, stat, read, remove].transfer_kib"
    ).quantity()
    files, pool = Quantity.count(int(frame.files.iloc[0])), stated("page-pool")
    first, last = frame.iloc[0], frame.iloc[-1]
    same = frame.files.nunique() == 1 and frame.directories.nunique() == 1
    return [
        (
            "The command makes as many directories as `-b` says, one level deep (`-z`), for each "
            "thread (`-u`), and fills each (`-I`). "
            + (
                "Every line has {files:,} files in {directories:,} directories: "
                if same
                else "Up to {files:,} files in {directories:,} directories: "
            )
            + "from {most:,} directories of one thread to {least} of each of {threads}. Together "
            "they hold {size:,.0f} GiB, {share:.1f} % of the memory of all clients and "
            "{verdict} the page pool of {pool}: this test, unlike the others, is not made "
            "to outgrow a cache.",
            {
                "files": int(frame.files.max()),
                "directories": int(frame.directories.max()),
                "most": int(first.directories_per_thread),
                "least": int(last.directories_per_thread),
                "threads": int(last.threads),
                "size": float((files * size).to("GiB").value.mid),
                "share": _share_of_memory((files * size).to("GiB")),
                "verdict": (
                    "less than"
                    if (files * size).to("GiB").value.mid < pool.value.mid
                    else "no less than"
                ),
                "pool": pool.text,
            },
        )
    ]


def _share_of_memory(size: Quantity) -> float:
    memory = stated("nodes") * stated("client-memory")
    return float((size / memory).value.mid) * 100


# -- what was measured


def _peak(benchmark: str, operation: str, kind: str, *, exact: bool = True) -> Quantity:
    where = f"benchmark={benchmark};operation={operation};kind={kind}"
    return cells.cell(f"pixstor-peaks[{where}].value").quantity(exact=exact)


def _as_bandwidth(rate: Quantity) -> Quantity:
    """The bytes a second of random operations."""
    block = stated("random-block")
    size = block.to("B").value
    return Quantity(rate.value * size, "B/s", f"{rate.text} × {block.text}", rate.approximate)


def _meant(quantity: Quantity) -> Quantity:
    """A figure in Gb/s, read as the GB/s that it can only be."""
    return Quantity(
        quantity.value,
        "GB/s",
        f"{quantity.text.removesuffix('Gbit/s')}GB/s",
        quantity.approximate,
    )


def _grouped(quantity: Quantity) -> str:
    return f"{int(quantity.value.mid):,} {quantity.unit}"


def _gb_s(quantity: Quantity) -> float:
    return float(quantity.to("GB/s").value.mid)


def bandwidths() -> pd.DataFrame:
    """The data rates of the text in one unit, at their highest.

    Returns
    -------
    pandas.DataFrame
        ``test``, ``printed``, ``how`` (how it comes to be in GB/s), ``bandwidth_gb_s`` and
        ``threads``; the last two are missing where the text tells none.
    """
    read, write = _peak("IOR", "read", "peak"), _peak("IOR", "write", "peak")
    random_read = _peak("IOzone random", "read", "peak")
    rows = [
        ("IOzone write, a file each", None, "not in the text", None, None),
        ("IOzone read, a file each", None, "not in the text", None, None),
        ("IOR write, one file", write.text, "as printed", _gb_s(write), _threads("IOR", "write")),
        (
            "IOR read, one file",
            read.text,
            "bits read as bytes",
            _gb_s(_meant(read)),
            _threads("IOR", "read"),
        ),
        # the rate that the text expects of more threads is no measurement
        ("random write", None, "not in the text", None, None),
        (
            "random read",
            _grouped(random_read),
            "rate × block",
            _gb_s(_as_bandwidth(random_read)),
            _threads("IOzone random", "read"),
        ),
    ]
    columns = ["test", "printed", "how", "bandwidth_gb_s", "threads"]
    return pd.DataFrame(rows, columns=columns).astype({"threads": "Int64"})


def _threads(benchmark: str, operation: str, kind: str = "peak") -> int:
    where = f"benchmark={benchmark};operation={operation};kind={kind}"
    return int(cells.cell(f"pixstor-peaks[{where}].threads_count").quantity().value.mid)


def metadata() -> pd.DataFrame:
    """Peak and plateau of each metadata operation.

    Returns
    -------
    pandas.DataFrame
        ``operation``, ``peak_kiops``, ``plateau_kiops``, ``kept_pct`` and ``threads`` of the peak.
    """
    rows = []
    for operation in ("create", "stat", "read", "delete"):
        peak, plateau = (
            _peak("mdtest", operation, kind).to("kIOP/s") for kind in ("peak", "plateau")
        )
        rows.append(
            (
                operation,
                float(peak.value.mid),
                float(plateau.value.mid),
                float((plateau / peak).value.mid) * 100,
                _threads("mdtest", operation),
            )
        )
    columns = ["operation", "peak_kiops", "plateau_kiops", "kept_pct", "threads"]
    return pd.DataFrame(rows, columns=columns)


def in_two_rows(frame: pd.DataFrame) -> pd.DataFrame:
    """`metadata` as a row for each operation and kind: ``operation``, ``kind``, ``rate_kiops``."""
    parts = [
        pd.DataFrame({"operation": frame.operation, "kind": kind, "rate_kiops": frame[column]})
        for kind, column in (("peak", "peak_kiops"), ("beyond it", "plateau_kiops"))
    ]
    return pd.concat(parts, ignore_index=True)


def said_of_metadata(frame: pd.DataFrame) -> list[Sentence]:
    """What peaks and plateaus say, and which figure stands twice."""
    twice = frame[frame.plateau_kiops.duplicated(keep=False)]
    level = frame[frame.peak_kiops == frame.plateau_kiops]
    sentences: list[Sentence] = []
    if not level.empty:
        sentences.append(
            (
                "For {operations} the text gives one figure as the highest rate and as the level "
                "beyond it; it also expects more with more clients. Both cannot be shown by one "
                "number: the rate at the most threads that were tried is all there is.",
                {"operations": " and ".join(level.operation)},
            )
        )
    if not twice.empty:
        sentences.append(
            (
                "Beyond their peaks {operations} have the same figure, {rate:,.0f} kIOP/s, in two "
                "sentences of one paragraph. It may be so, or one of them may be a slip: only the "
                "picture could tell.",
                {
                    "operations": " and ".join(twice.operation),
                    "rate": twice.plateau_kiops.iloc[0],
                },
            )
        )
    return sentences


def said_of_random() -> list[Sentence]:
    """What one thread and all threads of the random test say of operations in flight."""
    depth = _whole("queue-depth")
    start, peak = (_peak("IOzone random", "read", kind, exact=False) for kind in ("start", "peak"))
    threads = _threads("IOzone random", "read")
    growth = (peak / start).value
    alone = Fraction(1) / start.value.mid
    each = Quantity.count(threads).value / peak.value.mid
    more = growth.lo > threads
    return [
        (
            "One thread reads {start:,.0f} blocks a second: {alone:.0f} µs for each, if one at a "
            "time is in flight. With the queue depth of {depth} that the text names, each would "
            "take {deep:,.1f} ms. The command line asks for no depth at all.",
            {
                "start": float(start.value.mid),
                "alone": float(alone) * 1e6,
                "depth": depth,
                "deep": float(alone) * depth * 1e3,
            },
        ),
        (
            "{threads:,} threads read {growth:,.0f} times as much ({least:,.0f} to {most:,.0f} by "
            "the printed digits), {each:.0f} µs for each block of a thread. "
            + (
                "That is more than there are threads: a thread among many was faster than one "
                "alone. The text does not say why."
                if more
                else "By the printed digits that is no more than there are threads."
            ),
            {
                "threads": threads,
                "growth": float(peak.value.mid / start.value.mid),
                "least": float(growth.lo),
                "most": float(growth.hi),
                "each": float(each.mid) * 1e6,
            },
        ),
    ]


# -- units


def _links() -> tuple[Quantity, Quantity]:
    """What the links that the text counts carry one way, and all adapters of the nodes."""
    one = Quantity(Interval.point(EDR_GBIT_S), "Gbit/s", f"{EDR_GBIT_S} Gbit/s")
    adapters = stated("pairs") * Quantity.count(NODES_PER_PAIR) * Quantity.count(ADAPTERS_PER_NODE)
    return stated("edr-links") * one, adapters * one


def by_unit() -> pd.DataFrame:
    """The figures in Gb/s, read as printed and as GB/s, and what they have to fit.

    Returns
    -------
    pandas.DataFrame
        ``figure``, ``line``, ``printed``, ``as_bits_gb_s``, ``as_bytes_gb_s``, ``least_gb_s`` (what
        the same devices or links gave or carry) and ``least_is``; ``bits_fit`` and ``bytes_fit``:
        whether either reading reaches that.
    """
    random_read = _as_bandwidth(_peak("IOzone random", "read", "peak"))
    write = _peak("IOR", "write", "peak")
    links, _ = _links()
    pointers = [
        (
            "read limit of the NVMe devices",
            "pixstor-quantities[quantity=nvme-peak].value",
            random_read,
            "random reads",
        ),
        (
            "bandwidth of the links",
            "pixstor-quantities[quantity=edr-bandwidth].value",
            links,
            "so many links, one way",
        ),
        (
            "highest IOR read",
            "pixstor-peaks[benchmark=IOR;operation=read;kind=peak].value",
            write,
            "IOR's write",
        ),
    ]
    rows = []
    for figure, pointer, least, least_is in pointers:
        cell = cells.cell(pointer)
        printed = cell.quantity(exact=True)
        bits, octets, bound = _gb_s(printed), _gb_s(_meant(printed)), _gb_s(least)
        sign = "~" if cell.quantity().approximate else ""
        text = f"{sign}{cell.text} Gb/s"
        fits = (bits >= bound, octets >= bound)
        rows.append((figure, cell.line, text, bits, octets, bound, least_is, *fits))
    columns = ["figure", "line", "printed", "as_bits_gb_s", "as_bytes_gb_s", "least_gb_s"]
    columns += ["least_is", "bits_fit", "bytes_fit"]
    return pd.DataFrame(rows, columns=columns)


def said_of_units(frame: pd.DataFrame) -> list[Sentence]:
    """Which reading fits, and what stays open."""
    links, adapters = _links()
    stated_links = _meant(stated("edr-bandwidth"))
    read = _meant(_peak("IOR", "read", "peak"))
    one_way = float((stated_links / links).value.mid)
    return [
        (
            "As bits {bits} of the {all} figures fit, as bytes {bytes}. The write beside the last "
            "is printed in GB/s, so the book reads all of them as GB/s and marks them as so read: "
            "b and B are the whole difference, and the text is a translation.",
            {
                "bits": int(frame.bits_fit.sum()) or "none",
                "all": len(frame),
                "bytes": "all" if frame.bytes_fit.all() else int(frame.bytes_fit.sum()),
            },
        ),
        (
            "As GB/s, the links' figure is {one_way:.2f} times what {links} carry one way. It fits "
            "both ways together; or one way of all {adapters} adapters, if each has one link, of "
            "which it is {share:.0f} %. The highest read, {read:.1f} GB/s, is {read_share:.1f} % "
            "of {links} one way: {verdict}.",
            {
                "one_way": one_way,
                "links": f"{stated('edr-links').text} links",
                "adapters": int(adapters.value.mid / EDR_GBIT_S),
                "share": float((stated_links / adapters).value.mid) * 100,
                "read": _gb_s(read),
                "read_share": float((read / links).value.mid) * 100,
                "verdict": (
                    "more than they carry, so either more links took part, or caches did, or "
                    "the unit is yet another"
                    if read.value.mid > links.to("GB/s").value.mid
                    else "so that many are enough for it"
                ),
            },
        ),
    ]


# -- what is not in the text


def missing() -> pd.DataFrame:
    """Tables and figures that the text names and does not hold.

    Returns
    -------
    pandas.DataFrame
        ``named``, ``line``, ``holds`` (what it has by its caption and the text around it) and
        ``from_text`` (what the text gives of it).
    """
    rows = [
        ("tests above the excerpt", 1, "benchmarks and servers", "nothing"),
        (
            "table 2",
            3,
            "the clients",
            f"{_whole('nodes')} nodes of {stated('client-memory').text} of memory; no processor, "
            "no network card",
        ),
        ("figure 2", 18, "N-N bandwidth by threads", "where it levels off; no bandwidth"),
        ("figure 3", 37, "N-1 bandwidth by threads", "both peaks; where they level off"),
        ("figure 4", 52, "random rates by threads", "both ends of reading; start of writing"),
        ("table 3", 70, "directories of a thread", "all of it can be rebuilt"),
        ("figure 5", 72, "metadata rates by threads", "peaks and what lies beyond"),
        (
            "table 4",
            84,
            "peak and sustained rate of each test",
            "peaks but for N-N; a level for some",
        ),
    ]
    return pd.DataFrame(rows, columns=["named", "line", "holds", "from_text"])


def summary() -> pd.DataFrame:
    """The source's missing table 4, as far as its text has it, and each pair's part.

    Returns
    -------
    pandas.DataFrame
        ``test``, ``peak``, ``beyond`` (sustained), ``unit`` and ``per_pair`` (the peak over the
        pairs of nodes; metadata went to a module of its own, so it has none).
    """
    pairs = _whole("pairs")
    rows: list[tuple[str, float | None, float | None, str, float | None]] = []
    for row in bandwidths().itertuples():
        if row.test.startswith("random"):
            continue
        peak = None if pd.isna(row.bandwidth_gb_s) else row.bandwidth_gb_s
        rows.append((row.test, peak, None, "GB/s", None if peak is None else peak / pairs))
    read = float(_peak("IOzone random", "read", "peak").to("kIOP/s").value.mid)
    rows.append(("random write", None, None, "kIOP/s", None))
    rows.append(("random read", read, None, "kIOP/s", read / pairs))
    rows += [
        (f"mdtest {row.operation}", row.peak_kiops, row.plateau_kiops, "kIOP/s", None)
        for row in metadata().itertuples()
    ]
    return pd.DataFrame(rows, columns=["test", "peak", "beyond", "unit", "per_pair"])
