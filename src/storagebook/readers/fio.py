"""fio: JSON and JSON+, of 2.x and 3.x, from one host or a server's many clients.

A field's unit follows from the version (`_UNITS_SINCE_3` and `_UNITS_BEFORE_3`): 3.x prints latency
in ns and bytes as bytes; 2.x prints µs, and KiB under ``io_bytes``; ``bw`` is KiB/s in either.

Nothing is added up here. With group reporting fio's own sum over the jobs of a group has the scope
``group``; the "All clients" entry of a server has ``all``; those beside it ``host`` or ``job``.
Documents that a status interval made are states of one run, of which the last is read.

Not read: histograms (``bins``, ``iodepth_*``, ``latency_us`` …), CPU and disk utilisation.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from storagebook.errors import StoragebookError
from storagebook.readers import printed, tool_json
from storagebook.readers.archive import File
from storagebook.readers.measurements import Setting
from storagebook.readers.printed import Collector, Reading

TOOL = "fio"

_HEAD = re.compile(rb'"fio version"\s*:|^fio-\d|^fio: |^3;fio-\d', re.MULTILINE)
_TEXT = re.compile(r"fio-\d\S*$|\s*\d;fio-\d|\S+: \(groupid=\d+, jobs=\d+\): err=")
_STOPPED = re.compile(r"fio: (?:terminating on signal|.*\bgot signal)|^fio: pid=\d+, (?:got|err)=")
_ERROR = re.compile(
    r"^fio: .*(?:fail|error|unable|cannot|could not|no such|bad option|invalid|not found)"
    r"|error=|No space left on device|\berr=\s*[1-9]",
    re.IGNORECASE,
)
_WARNING = re.compile(r"^fio: |warning|note: ", re.IGNORECASE)

_DIRECTIONS = ("read", "write", "trim", "mixed")
_ALL_CLIENTS = "All clients"
#: Field: quantity, statistic, unit. The same in every version.
_RATES = {
    "bw_min": ("bandwidth_sampled", "min", "KiB/s"),
    "bw_max": ("bandwidth_sampled", "max", "KiB/s"),
    "bw_mean": ("bandwidth_sampled", "mean", "KiB/s"),
    "bw_dev": ("bandwidth_sampled", "stddev", "KiB/s"),
    "iops_min": ("rate_sampled", "min", "IOP/s"),
    "iops_max": ("rate_sampled", "max", "IOP/s"),
    "iops_mean": ("rate_sampled", "mean", "IOP/s"),
    "iops_stddev": ("rate_sampled", "stddev", "IOP/s"),
}
_LATENCIES = {
    "lat": "latency",
    "slat": "latency_submission",
    "clat": "latency_completion",
}
_STATISTICS = ("min", "max", "mean", "stddev")
#: Suffix of a latency's field and its unit, unit of ``io_bytes``.
_UNITS_SINCE_3 = ("_ns", "ns", "B")
_UNITS_BEFORE_3 = ("", "µs", "KiB")
#: Nanoseconds came with 2.99, the first of 3.x.
_FIRST_OF_3 = (2, 99)
#: How far a bandwidth may be off data over time: both are cut to whole units, time to ms.
_SLACK = 0.01

_SIZE = re.compile(r"(\d{1,18})\s*(?:([kmgtp])(i?)b?|b)?", re.IGNORECASE | re.ASCII)
_OPTIONS = {
    "rw": "pattern",
    "readwrite": "pattern",
    "ioengine": "api",
    "iodepth": "queue_depth",
    "numjobs": "tasks",
    "direct": "direct",
    "rwmixread": "reads_pct",
    "rwmixwrite": "writes_pct",
    "runtime": "limit",
    "size": "size",
    "bs": "block",
    "blocksize": "block",
    "group_reporting": "group_reporting",
}
_SECONDS = re.compile(r"(\d{1,9})(s|m|h)?", re.ASCII)
_SECONDS_PER = {None: 1, "s": 1, "m": 60, "h": 3600}


def sniff(first: bytes) -> bool:
    """Whether a file's first bytes look like fio's."""
    return _HEAD.search(first) is not None


def read(source: File | str | Path) -> Reading:
    """The figures of a file that fio wrote.

    Raises
    ------
    StoragebookError
        If the file cannot be read, is not JSON, or holds no result of fio.
    """
    return printed.read(source, parse)


def parse(data: bytes, file: str) -> Reading:
    """As `read`, of bytes."""
    out = Collector(TOOL, file)
    lines = printed.text_lines(data, out, printed.BANNERS["fio"])
    try:
        documents = tool_json.documents(lines)
    except StoragebookError as error:
        raise StoragebookError(error.what, file=file, line=error.line) from None
    _report_noise(documents.noise, out)
    found = []
    for document in documents.found:
        if "fio version" in document.value or "jobs" in document.value:
            found.append(document)
        else:
            out.find("noise", "a JSON document that is not fio's; not read", document.line)
    if not found and any(_TEXT.match(line) for line in lines):
        raise StoragebookError(
            "fio's text for people, rounded to three digits or so",
            file=file,
            hint="run fio with --output-format=json",
        )
    runs = _last_of_each(found, out)
    name = printed.run_name(file)
    for number, document in enumerate(runs, 1):
        label = name if len(runs) == 1 else f"{name}#{number}"
        _Emitter(document, label, out).emit()
    return out.reading()


def _report_noise(noise: list[tuple[int, str]], out: Collector) -> None:
    other = []
    for line, text in noise:
        if _STOPPED.search(text):
            out.find("interrupted", text.strip(), line)
        elif _ERROR.search(text) or printed.stopped(text):
            out.find("tool-error", text.strip(), line)
        elif _WARNING.search(text):
            out.find("tool-warning", text.strip(), line)
        else:
            other.append(line)
    printed.report_noise(out, other)


# -- documents


def _last_of_each(documents: list[tool_json.Document], out: Collector) -> list[tool_json.Document]:
    """The documents of different runs; of the states of one run, the last."""
    runs: list[tool_json.Document] = []
    states = 0
    for document in documents:
        if runs and _goes_on(runs[-1].value, document.value):
            runs[-1] = document
            states += 1
        else:
            runs.append(document)
    if states:
        text = f"documents that are earlier states of a run ({states}): cumulative, so not read"
        out.find("snapshots", text, documents[0].line)
    return runs


def _goes_on(before: dict[str, Any], after: dict[str, Any]) -> bool:
    """Whether a document is a later state of the run of the one before it."""
    first, second = _entries(before), _entries(after)
    if not first or [_names(e) for e in first] != [_names(e) for e in second]:
        return False
    # both say when they were printed and for how long the job had run: when it started, to a second
    starts = [
        (when - elapsed)
        for document, entries in ((before, first), (after, second))
        for when, elapsed in ((document.get("timestamp"), entries[0].get("elapsed")),)
        if isinstance(when, int) and isinstance(elapsed, int)
    ]
    if len(starts) != 2 or abs(starts[0] - starts[1]) > 2:
        return False
    return all(
        _count(_dict(a.get(d)), "total_ios") <= _count(_dict(b.get(d)), "total_ios")
        for a, b in zip(first, second, strict=True)
        for d in _DIRECTIONS
    )


def _names(entry: dict[str, Any]) -> tuple[Any, ...]:
    return tuple(str(entry.get(key)) for key in ("jobname", "groupid", "hostname", "port"))


def _group(entry: dict[str, Any]) -> tuple[str, str]:
    return _text(entry.get("hostname")), _text(entry.get("groupid"))


def _entries(document: dict[str, Any]) -> list[dict[str, Any]]:
    """The entries of jobs, groups or clients."""
    found = [document.get(key) for key in ("jobs", "client_stats")]
    return [e for entries in found if isinstance(entries, list) for e in entries if _dict(e)]


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _count(entry: dict[str, Any], key: str) -> int:
    value = entry.get(key)
    return int(value) if isinstance(value, (int, float)) and abs(value) < 2**63 else 0


def _text(value: Any) -> str:
    if isinstance(value, bool) or value is None or isinstance(value, (dict, list)):
        return ""
    return getattr(value, "text", None) or str(value)


@dataclass
class _Emitter:
    document: tool_json.Document
    label: str
    out: Collector

    def __post_init__(self) -> None:
        value = self.document.value
        self.version = _text(value.get("fio version")).removeprefix("fio-")
        release = printed.version_of(self.version)
        self.units = None
        if release is not None:
            self.units = _UNITS_SINCE_3 if release >= _FIRST_OF_3 else _UNITS_BEFORE_3
        self.shared = _dict(value.get("global options"))
        self.group_sizes = Counter(map(_group, _entries(value)))

    def find(self, code: str, text: str) -> None:
        self.out.find(code, text, self.document.line, once=True)

    def emit(self) -> None:
        if self.document.cut is not None:
            text = "the file ends before its document does; what stands complete is read"
            self.out.find("interrupted", text, self.document.cut)
        entries = _entries(self.document.value)
        if not entries:
            self.find("tool-error", "a document without jobs")
        for entry in entries:
            self.entry(entry)

    def entry(self, entry: dict[str, Any]) -> None:
        options = self.shared | _dict(entry.get("job options"))
        valid = None
        error = _count(entry, "error")
        name = _text(entry.get("jobname"))
        if error:
            text = f"job {name!r} ended with error {error}"
            self.find("tool-error", text)
            valid = False
        scope = self.scope(entry, options)
        for direction in _DIRECTIONS:
            figures = _dict(entry.get(direction))
            if not figures or not _worked(figures):
                continue
            settings = {"job": name, **_host(entry), **_settings(options, direction)}
            job = _Job(self, direction, settings, scope, valid)
            job.emit(figures)
        self.sync(entry, options, scope, valid)

    def scope(self, entry: dict[str, Any], options: dict[str, Any]) -> str:
        if _text(entry.get("jobname")) == _ALL_CLIENTS:
            return "all"
        grouped = _text(options.get("numjobs")).strip()
        alone = self.group_sizes[_group(entry)] == 1
        if "group_reporting" in options or (alone and grouped.isdigit() and int(grouped) > 1):
            return "group"
        return "host" if "hostname" in entry else "job"

    def sync(
        self, entry: dict[str, Any], options: dict[str, Any], scope: str, valid: bool | None
    ) -> None:
        figures = _dict(entry.get("sync"))
        if figures and _worked(figures):
            name = _text(entry.get("jobname"))
            settings = {"job": name, **_host(entry), **_settings(options, "sync")}
            _Job(self, "sync", settings, scope, valid).latencies(figures)


@dataclass
class _Job:
    """One direction of one entry."""

    document: _Emitter
    direction: str
    settings: dict[str, Setting]
    scope: str
    valid: bool | None

    def add(self, quantity: str, value: Any, unit: str, **more: Any) -> None:
        document = self.document
        document.out.add(
            quantity,
            _text(value),
            unit,
            version=document.version,
            run=document.label,
            operation=self.direction,
            line=None,
            settings=self.settings,
            scope=self.scope,
            iteration=0,
            valid=self.valid,
            **more,
        )

    def emit(self, figures: dict[str, Any]) -> None:
        self.bandwidth(figures)
        self.add("rate", figures.get("iops"), "IOP/s")
        self.add("operations", figures.get("total_ios"), "1")
        self.add("time", figures.get("runtime"), "ms")
        self.data(figures)
        for name, (quantity, statistic, unit) in _RATES.items():
            if name in figures:
                self.add(quantity, figures[name], unit, statistic=statistic)
        self.latencies(figures)
        for name in ("short_ios", "drop_ios"):
            if _count(figures, name):
                job = self.settings["job"]
                text = f"{self.direction}: {_count(figures, name)} {name} in job {job!r}"
                self.document.find("tool-warning", text)

    def bandwidth(self, figures: dict[str, Any]) -> None:
        exact, cut = figures.get("bw_bytes"), figures.get("bw")
        if exact is None:
            self.add("bandwidth", cut, "KiB/s")
            return
        self.add("bandwidth", exact, "B/s")
        if cut is not None and not _is_whole_part(exact, cut):
            text = f"{self.direction}: bw_bytes {_text(exact)} B/s is not bw {_text(cut)} KiB/s"
            self.contradiction(text)
            self.add("bandwidth", cut, "KiB/s")

    def data(self, figures: dict[str, Any]) -> None:
        """Bytes moved, in the unit of this version, unless bandwidth and time say otherwise."""
        moved, units = figures.get("io_bytes"), self.document.units
        if moved is None:
            return
        if units is None:
            self.document.find("unknown-meaning", "no version, so no unit of io_bytes; not read")
            return
        unit, other = units[2], "B" if units[2] == "KiB" else "KiB"
        if not self.fits(figures, _count(figures, "io_bytes") * printed.SIZES[unit]):
            rate = f"{_text(figures.get('bw_bytes'))} B/s"
            if "bw_bytes" not in figures:
                rate = f"{_text(figures.get('bw'))} KiB/s"
            time = f"{_text(figures.get('runtime'))} ms"
            self.contradiction(
                f"{self.direction}: {_text(moved)} {unit} of io_bytes in {time} is not {rate}"
            )
            if self.fits(figures, _count(figures, "io_bytes") * printed.SIZES[other]):
                return  # this build of fio may have another unit there
        self.add("data_moved", moved, unit)

    def fits(self, figures: dict[str, Any], moved_b: int) -> bool:
        """Whether data over time is the bandwidth; True where one of them is missing."""
        rate = _count(figures, "bw_bytes") or _count(figures, "bw") * 1024
        runtime = _count(figures, "runtime")
        if not rate or not runtime or not moved_b:
            return True
        slack = _SLACK + 1 / runtime + 1024 / rate
        return abs(moved_b * 1000 / runtime - rate) <= slack * rate

    def latencies(self, figures: dict[str, Any]) -> None:
        for field, quantity in _LATENCIES.items():
            for suffix, unit, _ in (_UNITS_SINCE_3, _UNITS_BEFORE_3):
                values = _dict(figures.get(f"{field}{suffix}"))
                if not values or not _worked(values, "N"):
                    continue
                if self.document.units is not None and suffix != self.document.units[0]:
                    text = f"{field}{suffix}, which fio {self.document.version} does not print"
                    self.document.find("unknown-column", f"{text}; not read")
                    continue
                self.latency(values, quantity, unit)

    def latency(self, values: dict[str, Any], quantity: str, unit: str) -> None:
        if not any(_text(values.get(name)).strip("0.") for name in _STATISTICS):
            return
        for name in _STATISTICS:
            if name in values:
                self.add(
                    quantity,
                    values[name],
                    unit,
                    statistic=name,
                    zero_is_measured=name == "stddev" and _count(values, "N") > 1,
                )
        for percentile, value in _dict(values.get("percentile")).items():
            statistic = _percentile(percentile)
            if statistic is not None:  # 2.x fills up with 0.00
                self.add(quantity, value, unit, statistic=statistic)

    def contradiction(self, text: str) -> None:
        self.document.find("contradiction", f"job {self.settings['job']!r}, {text}")


def _worked(figures: dict[str, Any], *keys: str) -> bool:
    """Whether there was any work: by its count, where one is printed."""
    for key in keys or ("total_ios", "io_bytes", "io_kbytes"):
        if key in figures:
            return _text(figures[key]).strip("0.") != ""
    return True


def _is_whole_part(bytes_per_s: Any, kib_per_s: Any) -> bool:
    """Whether KiB/s is B/s cut to a whole number, give or take one."""
    exact, cut = printed.cell(_text(bytes_per_s)).value, printed.cell(_text(kib_per_s)).value
    return exact is None or cut is None or abs(exact / 1024 - cut) <= 1


def _percentile(key: str) -> str | None:
    """How rows name a percentile.

    >>> _percentile("99.900000"), _percentile("50.000000"), _percentile("0.00")
    ('p99.9', 'p50', None)
    """
    value = printed.cell(key).value
    return f"p{value:g}" if value and value <= 100 else None


# -- settings


def _host(entry: dict[str, Any]) -> dict[str, str]:
    return {"host": _text(entry["hostname"])} if "hostname" in entry else {}


def _settings(options: dict[str, Any], direction: str) -> dict[str, Setting]:
    """What the options of a job set, as other tools name it, unit in each key."""
    given: dict[str, str] = {}
    for option, name in _OPTIONS.items():
        if option in options:
            given[name] = _text(options[option]).strip()
    thousand = 1000 if _text(options.get("kb_base")) == "1000" else 1024
    settings: dict[str, Setting] = {}
    for name in ("pattern", "api"):
        if given.get(name):
            settings[name] = given[name]
    for name in ("queue_depth", "tasks", "reads_pct", "writes_pct"):
        number = printed.whole(given.get(name))
        if number is not None:
            settings[name] = number
    if "direct" in given:
        settings["direct"] = given["direct"] not in ("0", "false")
    block = size_b(_of_direction(given.get("block", ""), direction), thousand)
    if block is not None:
        settings["transfer_b"] = block
    size = size_b(given.get("size", ""), thousand)
    if size is not None:
        settings["size_b"] = size
    limit = _SECONDS.fullmatch(given.get("limit", ""))
    if limit:
        settings["limit_s"] = int(limit[1]) * _SECONDS_PER[limit[2]]
    return settings


def _of_direction(block: str, direction: str) -> str:
    """Of block sizes for read, write and trim, the one for a direction; the last goes on."""
    sizes = block.split(",")
    place = {"read": 0, "write": 1, "trim": 2}.get(direction)
    if len(sizes) == 1 or place is None:
        return sizes[0] if len(sizes) == 1 else ""
    return sizes[min(place, len(sizes) - 1)] or sizes[0]


def size_b(text: str, thousand: int = 1024) -> int | None:
    """Bytes, as fio reads a size: ``k`` is 1024 unless ``kb_base`` says 1000, then ``ki`` is.

    >>> size_b("4k"), size_b("1MiB"), size_b("4k", 1000), size_b("50%")
    (4096, 1048576, 4000, None)
    """
    match = _SIZE.fullmatch(text.strip())
    if match is None:
        return None
    base = 1024 if thousand == 1024 or match[3] else 1000
    return int(match[1]) * base ** " kmgtp".index((match[2] or " ").lower())
