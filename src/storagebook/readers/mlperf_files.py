"""Single files of an MLPerf Storage result: what each of them states, nothing judged."""

from __future__ import annotations

import hashlib
import math
import re
import statistics
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from storagebook.errors import StoragebookError, one_line
from storagebook.io500.findings import Finding
from storagebook.mlperf import rules
from storagebook.mlperf.results import Figure, HostResult, Report
from storagebook.mlperf.workloads import DEMANDS
from storagebook.readers import loose_json, mlperf_system
from storagebook.readers.archive import File
from storagebook.readers.mlperf_layout import Part, RunFolder

_OVERRIDE = re.compile(r"^\s*-?\s*['\"]?\+*workload=([\w.-]+)['\"]?\s*$", re.MULTILINE)
_ACCELERATOR = re.compile(r"[a-z]{1,3}\d{1,4}[a-z]*")
_COUNT = re.compile(r"[0-9]{1,9}", re.ASCII)
_MAX_AU_PCT = 100.5

#: Where a summary has each of `CHECKPOINT_FIGURES`.
_CHECKPOINT_KEYS = {
    "write_gib_s": "save_checkpoint_io_mean_GB_per_second",
    "write_s": "save_checkpoint_duration_mean_seconds",
    "read_gib_s": "load_checkpoint_io_mean_GB_per_second",
    "read_s": "load_checkpoint_duration_mean_seconds",
    "size_gib": "checkpoint_size_GB",
}


class Tag(NamedTuple):
    """What a run trains, on what."""

    workload: str | None
    accelerator: str | None


@dataclass
class Reader:
    """Reads the files of one set, and keeps what is to be said about them."""

    sources: Mapping[str, File]
    findings: list[Finding] = field(default_factory=list)
    files: list[str] = field(default_factory=list)

    def find(self, code: str, text: str, file: str, line: int | None = None) -> None:
        """Report something, with its code's severity."""
        self.findings.append(rules.finding(code, text, file, line))

    def bytes(self, path: str) -> bytes:
        """The content of a file, which then counts as one of the result's."""
        self.files.append(path)
        return self.sources[path].read()

    def json(self, path: str) -> tuple[Any, str] | None:
        """A document and its file's hash, with what had to be repaired reported."""
        try:
            data = self.bytes(path)
            parsed = loose_json.parse(data)
        except StoragebookError as error:
            self.find("unreadable", str(error.what), path, error.line)
            return None
        doubtful = next((r for r in parsed.repairs if not r.harmless), None)
        if doubtful is not None:
            self.find("unreadable", f"not JSON: {doubtful.what}", path, doubtful.line)
            return None
        self.repaired(parsed.repairs, path)
        return parsed.value, hashlib.sha256(data).hexdigest()

    def repaired(self, repairs: Iterable[loose_json.Repair], path: str) -> None:
        """Report what had to be repaired in a document."""
        for repair in repairs:
            code = "truncated" if repair.cut else "json-repaired"
            self.find(code, f"not JSON as it stands: {repair.what}", path, repair.line)

    def text(self, path: str) -> str:
        """The content of a file as text."""
        return self.bytes(path).decode("utf-8", "replace")


@dataclass(frozen=True)
class Config:
    """What the configuration of a run states; None where it does not."""

    file: str
    workload: str | None = None
    accelerator: str | None = None
    record_length_b: float | None = None
    batch: int | None = None
    computation_s: float | None = None
    au_pct: float | None = None
    hosts: int | None = None
    accelerators: int | None = None


def spelt(tag: Tag) -> str:
    """As words: ``unet3d on h100``."""
    return " on ".join(filter(None, tag))


def tag_of_overrides(text: str) -> Tag | None:
    """What ``- workload=unet3d_h100`` says; None without such a line."""
    match = _OVERRIDE.search(text)
    return _split(match[1].lower()) if match else None


def _split(name: str) -> Tag:
    """``unet3d_h100`` as workload and accelerator."""
    workload, _, accelerator = name.rpartition("_")
    if workload and _ACCELERATOR.fullmatch(accelerator):
        return Tag(workload, accelerator)
    return Tag(name, None)


def summary_of(path: str, document: Any, digest: str, reader: Reader) -> HostResult | None:
    """What a summary states; None if it is of some other tool."""
    if not isinstance(document, dict):
        return None
    metric = document.get("metric")
    if not isinstance(metric, dict):
        if "num_accelerators" not in document:
            return None
        metric = {}
    figures = {
        name: _figure(metric.get(key), path)
        for name, key in (
            ("au_pct", "train_au_mean_percentage"),
            ("samples_s", "train_throughput_mean_samples_per_second"),
            ("mib_s", "train_io_mean_MB_per_second"),
        )
    }
    au = figures["au_pct"]
    if au is not None and au.value > _MAX_AU_PCT:
        reader.find("not-measured", f"a utilisation of {au.text} % is none", path)
        figures["au_pct"] = None
    for name, key in (
        ("au_pct", "train_au_percentage"),
        ("samples_s", "train_throughput_samples_per_second"),
    ):
        figures[name] = _checked_mean(figures[name], metric.get(key), key, path, reader)
    model = document.get("model")
    meets = metric.get("train_au_meet_expectation")
    memory = document.get("host_memory_GB")
    return HostResult(
        file=path,
        accelerators=_count(document.get("num_accelerators")),
        hosts=_count(document.get("num_hosts")),
        model=one_line(model, 40).lower() if isinstance(model, str) and model else None,
        started=one_line(document.get("start") or "", 40) or None,
        meets={"success": True, "fail": False, "failure": False}.get(str(meets).lower()),
        memory_gib=tuple(
            float(m)
            for m in (memory if isinstance(memory, list) else ())
            if isinstance(m, (int, float)) and not isinstance(m, bool) and 0 <= m < 1e9
        ),
        checkpoint={
            name: figure
            for name, key in _CHECKPOINT_KEYS.items()
            if (figure := _figure(metric.get(key), path)) is not None
        },
        sha256=digest,
        **figures,
    )


def _checked_mean(
    mean: Figure | None, epochs: Any, key: str, path: str, reader: Reader
) -> Figure | None:
    """The stated mean over the epochs, held against them; computed where it is missing."""
    values = epochs if isinstance(epochs, list) else []
    figures = [figure for value in values if (figure := _figure(value, path)) is not None]
    if not figures or len(figures) < len(values):
        return mean
    own = statistics.fmean(figure.value for figure in figures)
    if mean is None:
        return Figure(own, "", path) if own <= _MAX_AU_PCT or "au" not in key else None
    if not math.isclose(own, mean.value, rel_tol=rules.SAME):
        text = f"the mean of {key} is {own:,.7g}, {mean.text} is stated"
        reader.find("mean-differs", text, path)
    return mean


def _figure(value: Any, path: str) -> Figure | None:
    """A measured number: finite and above zero, as nothing that was measured is zero here."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    if isinstance(value, int) and abs(value) > 10**18:
        return None
    if not math.isfinite(value) or value <= 0:
        return None
    text = value.text if isinstance(value, loose_json.Number) else str(value)
    return Figure(float(value), text, path)


def _count(value: Any) -> int | None:
    """A whole number above zero; the report writes it as text."""
    if isinstance(value, str) and _COUNT.fullmatch(value.strip()):
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int):
        return None
    return value if 0 < value < 10**9 else None


def config_of(folder: RunFolder, part: Part, reader: Reader) -> Config | None:
    """The configuration of a run: its metadata, else the expanded ``config.yaml``."""
    path = folder.beside(part, "metadata")
    if path is not None:
        document = reader.json(path)
        content = document[0] if document else None
        if isinstance(content, dict):
            body = content.get("parameters")
            config = _config_of(path, body if isinstance(body, dict) else {})
            info = content.get("system_info")
            accelerator = content.get("accelerator")
            return replace(
                config,
                workload=_word(content.get("model")) or config.workload,
                accelerator=_word(accelerator) or config.accelerator,
                hosts=_count(info.get("num_hosts")) if isinstance(info, dict) else None,
                accelerators=_count(content.get("num_processes")),
            )
    path = folder.beside(part, "config")
    if path is None:
        return None
    try:
        document = mlperf_system.plain_yaml(reader.bytes(path), path)
    except StoragebookError as error:
        reader.find("unreadable", str(error.what), path, error.line)
        return None
    body = document.get("workload", document) if isinstance(document, dict) else None
    return _config_of(path, body) if isinstance(body, dict) else None


def _config_of(path: str, body: Mapping[str, Any]) -> Config:
    def number(section: str, *keys: str) -> float | None:
        inner = body.get(section)
        for key in keys:
            value = inner.get(key) if isinstance(inner, dict) else None
            if isinstance(value, dict):  # a distribution
                value = value.get("mean")
            figure = _figure(value, path)
            if figure is not None:
                return figure.value
        return None

    model = body.get("model")
    workload = _word(model.get("name") if isinstance(model, dict) else model)
    seconds = number("train", "computation_time")
    batch = number("reader", "batch_size")
    share = number("metric", "au")
    matching = [
        demand.accelerator
        for (name, _), demand in DEMANDS.items()
        if name == workload and seconds is not None and math.isclose(demand.computation_s, seconds)
    ]
    return Config(
        file=path,
        workload=workload,
        accelerator=matching[0] if len(matching) == 1 else None,
        record_length_b=number("dataset", "record_length_bytes", "record_length"),
        batch=int(batch) if batch is not None else None,
        computation_s=seconds,
        au_pct=None if share is None else share * 100,
    )


def _word(value: Any) -> str | None:
    return one_line(value, 40).lower() if isinstance(value, str) and value.strip() else None


def report_of(path: str, document: Any, digest: str) -> Report | None:
    """What a report states; None if it is none."""
    overall = document.get("overall") if isinstance(document, dict) else None
    if not isinstance(overall, dict):
        return None

    def number(content: Mapping[str, Any], key: str) -> float | None:
        value = content.get(key)
        if value == 0 and "stdev" in key and not isinstance(value, bool):
            return 0.0
        figure = _figure(value, path)
        return figure.value if figure else None

    runs = document.get("runs")
    return Report(
        file=path,
        samples_s=number(overall, "train_throughput_mean_samples_per_second"),
        samples_stdev_s=number(overall, "train_throughput_stdev_samples_per_second"),
        mib_s=number(overall, "train_throughput_mean_MB_per_second"),
        mib_stdev_s=number(overall, "train_throughput_stdev_MB_per_second"),
        workload=_word(overall.get("model")),
        accelerator=_word(overall.get("accelerator")),
        accelerators=_count(overall.get("train_num_accelerators")),
        hosts=_count(overall.get("num_client_hosts")),
        runs={
            one_line(name, 80): (
                number(run, "train_throughput_samples_per_second"),
                number(run, "train_throughput_MB_per_second"),
            )
            for name, run in (runs.items() if isinstance(runs, dict) else ())
            if isinstance(run, dict)
        },
        sha256=digest,
    )
