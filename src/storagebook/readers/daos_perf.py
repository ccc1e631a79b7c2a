"""daos_perf and vos_perf: the figures of each test, in columns of a table or one below the other.

``MB/sec`` counts in 2**20 bytes: the tool multiplies its operations per second by the size of a
value and divides by 1024 twice. ``bandwith`` is how it spelt the word until 2019. Latency is the
duration over the operations; with more than one credit in flight that is no latency, as the tool
says itself, and gives no row.

A page that shows several results beside each other, or a log of several tests, gives one run for
each, numbered in the order of reading.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from storagebook.readers import printed
from storagebook.readers.archive import File
from storagebook.readers.measurements import Setting
from storagebook.readers.printed import Collector, Reading, interval

TOOL = "daos_perf"

_HEAD = re.compile(
    rb"\bobj_per_cont\s*:|\b(?:daos|vos)_perf\b.*\s-|"
    rb"\bduration\s*:\s*\S+\s+sec\s+bandwidth?\s*:|\bbandwi(?:d)?th\s*:\s*\S+\s+MB/sec",
)
_FIGURE = re.compile(
    r"(?P<name>duration|bandwid?th|rate|latency)\s*:\s*(?P<text>[^\s|]{1,60})\s+"
    r"(?P<unit>sec|MB/sec|IO/sec|us)\b"
)
_LOOSE = re.compile(r"\b(?P<name>duration|bandwid?th|rate|latency)\s*:\s*(?=(?P<rest>[^|]{0,40}))")
_DONE = re.compile(r"\s*(?P<test>[A-Za-z][\w ]{0,40}?) successfully completed\s*:?")
_RUNNING = re.compile(r"\s*Running\s+(?P<test>\w+) test(?:\s*\(iteration=(?P<number>\d{1,9})\))?")
_ACROSS = re.compile(
    r"\s*(?P<what>MAX|MIN|Average) duration\s*:\s*(?P<text>\S{1,60})\s+sec", re.IGNORECASE
)
_PARAMETER = re.compile(
    r"\s*(?P<key>pool size|credits|obj_per_cont|dkey_per_obj|akey_per_dkey|recx_per_akey|value type"
    r"|value size|stride size|zero copy|overwrite|verify fetch|VOS file|obj class|object class"
    r"|SCM size|NVMe size)\s*:\s*(?P<value>.*)$"
)
_PARAMETERS = re.compile(r"\s*Parameters\s*:")
_KIND = re.compile(r"\s*Test\s*:$")
_COMMAND = re.compile(
    r"\s*[$#>]?\s*(?P<command>(?:[^\s|]+ ){0,40}?\S{0,200}\b(?:daos|vos)_perf\s+-.*)$"
)
_ERROR = re.compile(
    r"\bDER_[A-Z_]+\b|\b(?:rc|error)\s*[=:]\s*-\d+|\b(?:failed|FAILED)\b|^\s*ERR\b|\bfatal\b"
)
_POOL = re.compile(r"(?:(?P<tier>SCM|NVMe): )?(?P<mib>\d{1,15}) MB")

#: Figure: quantity, the tool's label, unit.
_QUANTITIES = {
    "duration": ("time", "sec", "s"),
    "bandwidth": ("bandwidth", "MB/sec", "MiB/s"),
    "rate": ("rate", "IO/sec", "IOP/s"),
    "latency": ("latency", "us", "µs"),
}
_COUNTS = {
    "dkey_per_obj": "dkeys_per_object",
    "akey_per_dkey": "akeys_per_dkey",
    "recx_per_akey": "records_per_akey",
}
_ACROSS_STATISTICS = {"max": "max", "min": "min", "average": "mean"}


def sniff(first: bytes) -> bool:
    """Whether a file's first bytes look like daos_perf's."""
    return _HEAD.search(first) is not None


def read(source: File | str | Path) -> Reading:
    """The figures of a file that daos_perf wrote, or of a page that quotes it.

    Raises
    ------
    StoragebookError
        If the file cannot be read, or holds no result of daos_perf.
    """
    return printed.read(source, parse)


def parse(data: bytes, file: str) -> Reading:
    """As `read`, of bytes."""
    out = Collector(TOOL, file)
    lines = printed.text_lines(data, out, re.compile(r"\s*(?:Test|Parameters)\s*:"))
    if data and data[-1:] not in (b"\n", b"\r") and lines and not lines[-1].endswith((")", "|")):
        lines[-1] = _without_last_figure(lines[-1])
    reader = _Reader(out)
    for line, text in enumerate(lines, 1):
        reader.take(text, line)
    reader.end(len(lines))
    name = printed.run_name(file)
    for number, result in enumerate(reader.results, 1):
        label = name if len(reader.results) == 1 else f"{name}#{number}"
        _emit(result, label, out)
    return out.reading()


def _without_last_figure(text: str) -> str:
    """A last line without the figure that its end may have cut."""
    return re.sub(r"[\w.]+\s*:\s*\S*$", "", text)


@dataclass
class _Result:
    """The figures of one test: text, line and unit by name."""

    test: str | None
    iteration: int
    settings: dict[str, Setting]
    figures: dict[str, tuple[str, int]] = field(default_factory=dict)
    across: dict[str, tuple[str, int]] = field(default_factory=dict)


@dataclass
class _Reader:
    out: Collector
    results: list[_Result] = field(default_factory=list)
    settings: dict[str, Setting] = field(default_factory=dict)
    running: tuple[str, int] | None = None
    done: str | None = None
    names_test: bool = False

    def take(self, text: str, line: int) -> None:
        if self.names_test and text.strip():
            self.settings["test"] = text.strip()
            self.names_test = False
        elif match := _DONE.match(text):
            self.done = match["test"]
        elif match := _RUNNING.match(text):
            self.pending(line)
            self.running = (match["test"], max(int(match["number"] or 1) - 1, 0))
        elif match := _ACROSS.match(text):
            if self.results:
                name = _ACROSS_STATISTICS[match["what"].lower()]
                self.results[-1].across[name] = (match["text"], line)
        elif _PARAMETERS.match(text):
            self.settings = {k: v for k, v in self.settings.items() if k in ("command", "test")}
        elif match := _COMMAND.match(text):
            self.settings = {"command": match["command"].strip()}
        elif match := _PARAMETER.match(text):
            self.settings |= _parameter(match["key"], match["value"].strip())
        elif found := list(_LOOSE.finditer(text)):
            self.figures(text, found, line)
        elif _KIND.match(text):
            self.settings.pop("test", None)
            self.names_test = True
        elif _ERROR.search(text) or printed.stopped(text):
            self.out.find("tool-error", text.strip(), line)

    def figures(self, text: str, found: list[re.Match[str]], line: int) -> None:
        for loose in found:
            match = _FIGURE.match(text, loose.start())
            name = loose["name"].replace("bandwith", "bandwidth")
            if match is None or match["unit"] != _QUANTITIES[name][1]:
                what = f"{name}: {loose['rest'].strip()}"
                self.out.find("unknown-unit", f"{what!r} is not as daos_perf prints it", line)
                continue
            if not self.results or self.done is not None or name in self.results[-1].figures:
                test, iteration = self.running or (self.done, 0)
                test = self.done or test
                self.results.append(_Result(test, iteration, dict(self.settings)))
                self.running, self.done = None, None
            self.results[-1].figures[name] = (match["text"], line)

    def pending(self, line: int) -> None:
        """A test that was started has to end."""
        if self.running is not None:
            text = f"{self.running[0]} was started and did not end"
            self.out.find("interrupted", text, line)
            self.running = None

    def end(self, line: int) -> None:
        self.pending(line)


def _parameter(key: str, value: str) -> dict[str, Setting]:
    count = printed.whole(value)
    if key in _COUNTS:
        return {} if count is None else {_COUNTS[key]: count}
    if key == "pool size":
        return {
            f"{(match['tier'] or 'pool').lower()}_b": int(match["mib"]) << 20
            for match in _POOL.finditer(value)
        }
    if key in ("value size", "stride size"):
        return {} if count is None else {"transfer_b": count}
    if key == "credits":
        credits = printed.whole(value.split()[0]) if value else None
        return {} if credits is None else {"credits": credits}
    if key == "obj_per_cont":
        match = re.match(r"(\d{1,18}) x (\d{1,9}) \(procs\)", value)
        return {"objects": int(match[1]), "tasks": int(match[2])} if match else {}
    return {key.lower().replace(" ", "_"): value}


def _emit(result: _Result, label: str, out: Collector) -> None:
    operation = (result.test or "unstated").lower()
    credits = result.settings.get("credits")
    for name, (text, line) in result.figures.items():
        quantity, _, unit = _QUANTITIES[name]
        if name == "latency" and isinstance(credits, int) and credits > 1:
            what = f"latency with {credits} credits is none, as daos_perf says itself; not read"
            out.find("unknown-meaning", what, line, once=True)
            continue
        out.add(
            quantity,
            text,
            unit,
            version="",
            run=label,
            operation=operation,
            line=line,
            settings=result.settings,
            statistic="mean" if name == "latency" else "single",
            iteration=result.iteration,
        )
    for statistic, (text, line) in result.across.items():
        out.add(
            "time",
            text,
            "s",
            version="",
            run=label,
            operation=operation,
            line=line,
            settings=result.settings,
            statistic=statistic,
            scope="rank",
            iteration=result.iteration,
        )
    _check(result, out)


def _check(result: _Result, out: Collector) -> None:
    """Rate times the size of a value is the bandwidth, where both and the size are told."""
    size = result.settings.get("transfer_b")
    rate, bandwidth = (result.figures.get(name, ("", 0)) for name in ("rate", "bandwidth"))
    if not isinstance(size, int) or not size:
        return
    if not printed.cell(rate[0]).value or not printed.cell(bandwidth[0]).value:
        return
    if not (interval(rate[0]) * size / 2**20).overlaps(interval(bandwidth[0])):
        text = f"{rate[0]} IO/s of {size} B are not {bandwidth[0]} MiB/s"
        out.find("contradiction", text, bandwidth[1])
