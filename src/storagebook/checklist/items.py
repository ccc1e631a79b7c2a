"""The checklist's nine items as questions, each answered from the files or not at all.

An answer names where it stands. Where no file says anything, the answer is `UNTOLD`: that a thing
did not happen cannot be seen in files that would not mention it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from storagebook import cells, ledger, readers
from storagebook.checklist.evidence import Evidence, Line, search
from storagebook.errors import StoragebookError
from storagebook.io500 import object_class
from storagebook.io500.card import NOT_SET, Card, of_run, size
from storagebook.io500.configured import groups
from storagebook.io500.phases import SCORED
from storagebook.io500.rules import Checked
from storagebook.io500.runs import RATIOS, Sentence
from storagebook.sweep import curves, points
from storagebook.sweep.points import Sweep

UNTOLD = "the files do not tell"
#: Item → its name here.
TITLES = {
    1: "List and documents",
    2: "Redundancy",
    3: "Concurrency",
    4: "Interface",
    5: "Request size and concurrency, swept",
    6: "Binding",
    7: "Easy against hard, read against write",
    8: "Application load",
    9: "Disturbances",
}
# Characters of the places that a table shows; longer cells would push it off the page.
_PLACES = 40
_MOST_QUOTED = 2
_SWEPT: dict[curves.Axis, str] = {"transfer": "size of a request", "concurrency": "concurrency"}
_DAOS_APIS = ("DFS", "DAOS")


@dataclass(frozen=True)
class Answer:
    """One question of an item.

    Attributes
    ----------
    text
        What the files say; None if they do not.
    where
        Files and lines that say it.
    aside
        What else to know where they do not.
    """

    item: int
    question: str
    text: str | None
    where: tuple[str, ...] = ()
    aside: str = ""

    @property
    def told(self) -> bool:
        return self.text is not None


@dataclass(frozen=True)
class Subject:
    """What the questions are put to.

    Attributes
    ----------
    run
        The IO500 run under the path, and its card; None where there is none.
    sweep
        What all tools measured.
    evidence
        Lines that speak of something.
    filled
        Place → per cent of the file system that was in use.
    severe
        Errors that the readers found: text and place.
    """

    run: Checked | None
    card: Card | None
    sweep: Sweep
    evidence: Evidence
    filled: Mapping[str, float]
    severe: tuple[tuple[str, str], ...]

    def within(self, place: str) -> str:
        """A place as its path within the run's folder."""
        parts = self.run.run.name.split("/") if self.run is not None else []
        for start in range(len(parts)):
            folder = "/".join(parts[start:]) + "/"
            if place.startswith(folder):
                return place.removeprefix(folder)
        return place


def load(path: str | Path) -> Subject:
    """Read everything under a path.

    Raises
    ------
    StoragebookError
        If the path cannot be read, holds nothing that a reader knows, or several IO500 runs.
    """
    runs = [r for r in readers.results(path, report=lambda _: None) if isinstance(r, Checked)]
    if len(runs) > 1:
        names = " or ".join(run.run.name for run in runs[:2])
        raise StoragebookError(
            "several IO500 runs where one is wanted", file=path, hint=f"name one, as {names}"
        )
    run = runs[0] if runs else None
    sweep, rows = points.load_rows(path)
    filled = {
        _at(row.file, row.line): float(share)
        for row in rows
        if isinstance(share := row.settings.get("fs_used_pct"), (int, float))
    }
    errors = [(f.text, _at(f.file, f.line)) for f in sweep.findings if f.severity == "error"]
    return Subject(
        run=run,
        card=of_run(run.run, run) if run is not None else None,
        sweep=sweep,
        evidence=search(path),
        filled=filled,
        severe=tuple(errors),
    )


def answers(subject: Subject) -> list[Answer]:
    """Every question, in the order of the checklist."""
    asked: Sequence[Callable[[Subject], Iterable[Answer]]] = (
        _documents,
        _redundancy,
        _concurrency,
        _interface,
        _swept,
        _binding,
        _ratios,
        _applications,
        _disturbances,
    )
    return [
        dataclasses.replace(answer, where=tuple(dict.fromkeys(map(subject.within, answer.where))))
        for questions in asked
        for answer in questions(subject)
    ]


# -- the items


def _documents(subject: Subject) -> Iterator[Answer]:
    run = subject.run
    if run is not None:
        scored = run.run.scored
        places = [_at(phase.place.file, phase.place.line) for phase in scored.values()]
        text = f"{len(scored)} of {len(SCORED)} scored phases"
        yield Answer(1, "A result of each phase?", text, tuple(places))
        valid = "it counts" if run.valid else "it does not count"
        errors = [
            _at(found.file, found.line)
            for found in run.findings
            if found.area == "rules" and found.severity == "error"
        ]
        yield Answer(1, "Does it count, by its own marks and the rules?", valid, tuple(errors))
        configs = [config.file for config in run.run.configs]
        commands = tuple(line.where for line in subject.evidence.of("command"))
        if configs:
            text = f"kept; {_CONFIG[run.config.status]}"
            yield Answer(1, "The configuration?", text, tuple(configs))
        else:
            text = "no file of it, but command lines" if commands else None
            yield Answer(1, "The configuration?", text, commands)
    else:
        tools = sorted({point.tool for point in subject.sweep.points})
        text = f"no IO500 result; outputs of {', '.join(tools)}" if tools else "no IO500 result"
        yield Answer(1, "A result of each phase?", text)
        commands = [p for p in subject.sweep.points if p.settings.get("command")]
        text = "the command lines stand in the outputs" if commands else None
        where = tuple(p.file for p in commands)
        yield Answer(1, "The configuration?", text, where)
    yield Answer(1, "Which list and release?", None, aside="a list is what its owner publishes")
    named = [file for file in subject.evidence.files if "questionnaire" in file.lower()]
    text = "a file of that name is there" if named else None
    yield Answer(1, "The reproducibility questionnaire?", text, tuple(named))


_CONFIG = {
    "match": "it has the hash that the result prints",
    "mismatch": "its hash is not the one that the result prints",
    "absent": "the result prints no hash of it",
    "not-kept": "without the program's defaults, so the printed hash cannot be checked",
}


def _redundancy(subject: Subject) -> Iterator[Answer]:
    for setting, question in (
        ("object_class", "Object class of files?"),
        ("dir_object_class", "Object class of directories?"),
    ):
        lines = subject.evidence.of(setting)
        told = _by_phase(subject.card, setting)
        if any(value != NOT_SET for value in told):
            yield Answer(2, question, _grouped(told), tuple(line.where for line in lines))
        elif lines:
            yield Answer(2, question, *_of_lines(lines))
        else:
            yield Answer(2, question, None, aside=_why_no_class(subject))
    protected: dict[str, list[str]] = {}
    for name, phases in _by_phase(subject.card, "object_class").items():
        protected.setdefault(_protection(name), []).extend(phases)
    question = "Copies or an erasure code?"
    if set(protected) - {NOT_SET}:
        where = tuple(line.where for line in subject.evidence.of("object_class"))
        yield Answer(2, question, _grouped(protected), where)
    else:
        yield Answer(2, question, None)
    factor = subject.evidence.of("factor")
    yield Answer(2, "Redundancy factor of the container?", *_of_lines(factor))


def _why_no_class(subject: Subject) -> str:
    apis = _apis(subject)
    if apis and not any(api in _DAOS_APIS for api in apis):
        return f"{', '.join(apis)} has no object classes"
    if any(api in _DAOS_APIS for api in apis):
        return "none is given, so the container's default held"
    return ""


def _protection(name: str) -> str:
    if name == NOT_SET:
        return NOT_SET
    try:
        found = object_class.parse(name)
    except StoragebookError:
        return f"{name}, which names no cells and copies"
    if found.protection is object_class.Protection.NONE:
        return "neither"
    return f"{found.protection}, bears the loss of {found.losses}"


def _concurrency(subject: Subject) -> Iterator[Answer]:
    counts = {name: _counts(subject, name) for name in ("tasks", "nodes", "tasks_per_node")}
    tasks, nodes, each = counts["tasks"], counts["nodes"], counts["tasks_per_node"]
    yield Answer(3, "Client processes?", _list(tasks), _lines_of(subject, "procs", tasks))
    yield Answer(3, "Client nodes?", _list(nodes), _lines_of(subject, "nodes", nodes))
    text, where = _list(each), _lines_of(subject, "each", each)
    if text is None and len(tasks) == len(nodes) == 1:
        text = f"{tasks[0] / nodes[0]:,g}, by division"
        where = (*_lines_of(subject, "procs", tasks), *_lines_of(subject, "nodes", nodes))
    yield Answer(3, "Processes of a node?", text, where)
    yield Answer(3, "Storage servers, and client nodes for each?", None)
    flying = sorted(
        {count for point in subject.sweep.points if (count := point.in_flight) is not None}
    )
    text = None
    if flying:
        waits = all(depth == 1 for depth in _depths(subject))
        how = "each process waits for its request" if waits else "processes times depth of queue"
        text = f"{_span(flying)} at most: {how}"
    yield Answer(3, "Requests in flight?", text, _lines_of(subject, "procs", tasks))


def _interface(subject: Subject) -> Iterator[Answer]:
    apis = _apis(subject)
    lines = subject.evidence.of("api")
    told = _by_phase(subject.card, "api")
    text = _grouped(told) if told else ", ".join(apis) or None
    yield Answer(4, "Through which API?", text, tuple(line.where for line in lines) if text else ())
    question = "Around the kernel, or through it?"
    spoken = subject.evidence.of("interface")
    if apis and all(api in _DAOS_APIS for api in apis):
        text = "around it: DFS is DAOS's library in user space"
        yield Answer(4, question, text, tuple(line.where for line in lines))
    elif spoken:
        yield Answer(4, question, *_of_lines(spoken))
    else:
        aside = f"what takes the calls of {', '.join(apis)} is set outside" if apis else ""
        yield Answer(4, question, None, aside=aside)


def _swept(subject: Subject) -> Iterator[Answer]:
    begin = _starting_points()
    sizes = _transfers(subject)
    least = begin["request"] * 1024
    text = None
    if sizes:
        small = [one for one in sizes if one < least]
        text = ", ".join(size(one) for one in sizes)
        text += _against(f"{begin['request']} KiB", len(small), len(sizes))
    where = [line.where for line in subject.evidence.of("transfer")]
    yield Answer(5, "Size of a request?", text, tuple(where) if text else ())
    depths = _depths(subject)
    low, high = begin["in-flight-least"], begin["in-flight-most"]
    text = None
    if depths:
        below = sum(depth < low for depth in depths)
        text = _span(depths) + _against(f"{low} to {high}", below, len(depths))
    where = [line.where for line in subject.evidence.of("depth")]
    yield Answer(5, "Requests of a process in flight?", text, tuple(where))
    each = _counts(subject, "tasks_per_node")
    few = begin["procs-to-begin"]
    text = None
    if each:
        below = sum(one < few for one in each)
        text = _span(each) + _against(f"about {few}", below, len(each))
    yield Answer(5, "Processes of a node?", text, _lines_of(subject, "each", each))
    for axis in _SWEPT:
        found = [
            curve
            for quantity in points.QUANTITIES
            for curve in curves.curves(subject.sweep.points, axis, quantity)
        ]
        text = "no: nothing differs in it alone"
        if found:
            text = f"yes: {len(found[0].levels)} levels of {found[0].label}"
        where = [p.where for level in found[0].levels for p in level.points] if found else []
        yield Answer(5, f"Is the {_SWEPT[axis]} swept?", text, tuple(where))


def _starting_points() -> dict[str, int]:
    """What item 5 of the source calls a start, by the end of the claim's id."""
    claims = {one.claim.id.removeprefix("000-8-"): one.claim for one in ledger.of("000", ["8"])}
    names = ("request", "in-flight-least", "in-flight-most", "procs-to-begin")
    return {name: int(claims[name].value) for name in names}


def _against(start: str, below: int, count: int) -> str:
    """How figures stand to where the source begins."""
    how = "below" if below == count else "not below" if not below else "in part below"
    return f"; {how} the source’s {start}"


def _binding(subject: Subject) -> Iterator[Answer]:
    yield Answer(
        6, "How are processes placed and bound?", *_of_lines(subject.evidence.of("binding"))
    )
    yield Answer(6, "Through which network cards?", *_of_lines(subject.evidence.of("cards")))


def _ratios(subject: Subject) -> Iterator[Answer]:
    if subject.run is None:
        yield from _sweep_ratios(subject)
        return
    run = subject.run.run
    for name, over, under in RATIOS:
        a, b = run.scored.get(over), run.scored.get(under)
        question = name[0].upper() + name[1:] + "?"
        if a is None or b is None or not a.value.value or not b.value.value or a.unit != b.unit:
            yield Answer(7, question, None)
            continue
        text = f"{a.value.value / b.value.value:.2f}"
        places = (_at(a.place.file, a.place.line), _at(b.place.file, b.place.line))
        yield Answer(7, question, text, places)


def _sweep_ratios(subject: Subject) -> Iterator[Answer]:
    """Read over write of runs that did both under the same settings."""
    both: dict[tuple[object, ...], dict[str, points.Point]] = {}
    for point in subject.sweep.points:
        if (
            point.quantity == "bandwidth"
            and point.operation in ("read", "write")
            and not point.part
        ):
            pattern = point.settings.get("pattern")
            key = (point.file, point.run, point.settings.get("transfer_b"), pattern)
            both.setdefault(key, {})[point.operation] = point
    found = [
        (pair["read"].mean / pair["write"].mean, pair["read"])
        for pair in both.values()
        if len(pair) == 2 and pair["write"].mean > 0
    ]
    yield Answer(7, "Easy over hard?", None, aside="no IO500 result, whose phases these are")
    if not found:
        yield Answer(7, "Read over write?", None)
        return
    low, high = min(found, key=lambda f: f[0]), max(found, key=lambda f: f[0])
    text = f"{low[0]:.2f}" if len(found) == 1 else f"{low[0]:.2f} to {high[0]:.2f}"
    yield Answer(7, "Read over write?", text, (low[1].where, high[1].where))


def _applications(subject: Subject) -> Iterator[Answer]:
    mlperf = "mlperf-storage" in subject.sweep.others
    text = "a result is under the path" if mlperf else None
    yield Answer(8, "MLPerf Storage?", text, aside="no such result among them")
    lines = subject.evidence.of("applications")
    yield Answer(8, "HACC, DLIO, fdb-hammer?", *_of_lines(lines))
    yield Answer(8, "The jobs that the system is for?", None)


def _disturbances(subject: Subject) -> Iterator[Answer]:
    for question, mark in (
        ("Was a rebuild going on?", "rebuild"),
        ("How full was the storage-class memory?", "scm"),
        ("Network errors, such as NA_HOSTUNREACH?", "network"),
    ):
        yield Answer(9, question, *_of_lines(subject.evidence.of(mark)))
    text = None
    if subject.filled:
        text = f"{_span_of(sorted(subject.filled.values()))} %, as the tools print it"
    yield Answer(9, "How full was the file system?", text, tuple(subject.filled))
    told = [text for text, _ in subject.severe]
    where = tuple(place for _, place in subject.severe)
    text = "; ".join(dict.fromkeys(told[:_MOST_QUOTED])) if told else "none that the readers know"
    if len(told) > _MOST_QUOTED:
        text += f"; all told {len(told)}"
    yield Answer(9, "Errors in the files?", text, where)


# -- figures of a subject


def _at(file: str, line: int | None) -> str:
    return file if line is None else f"{file}:{line}"


def _by_phase(card: Card | None, setting: str) -> dict[str, list[str]]:
    """The values of a setting, each with the scored phases that have it."""
    found: dict[str, list[str]] = {}
    for phase in SCORED:
        own = card.phases.get(phase.name) if card is not None else None
        value = own.settings.get(setting) if own is not None else None
        if value is not None:
            found.setdefault(str(value), []).append(phase.name)
    return found


def _grouped(found: Mapping[str, Sequence[str]]) -> str:
    """Values with the phases that have them, or one value alone.

    >>> _grouped({"SX": ["ior-easy-write", "ior-easy-read"], "S1": ["mdtest-hard-stat"]})
    'SX (ior-easy), S1 (mdtest-hard-stat)'
    """
    if len(found) == 1:
        return next(iter(found))
    parts = [f"{v} ({groups(phases)})" for v, phases in found.items() if v != NOT_SET]
    if NOT_SET in found:
        parts.append(f"not given for {groups(found[NOT_SET])}")
    return ", ".join(parts)


def _apis(subject: Subject) -> list[str]:
    found = _by_phase(subject.card, "api")
    if found:
        return list(found)
    own = (point.settings.get("api") for point in subject.sweep.points)
    return sorted({str(api) for api in own if api is not None})


def _counts(subject: Subject, name: str) -> list[int]:
    """What the files say of tasks, nodes, or tasks of a node; sorted."""
    run = subject.run.run if subject.run is not None else None
    own = {
        "tasks": run.procs if run else None,
        "nodes": run.nodes if run else None,
        "tasks_per_node": run.tasks_per_node if run else None,
    }[name]
    if own is not None:
        return [own]
    found = (point.settings.get(name) for point in subject.sweep.points)
    return sorted({value for value in found if isinstance(value, int)})


def _transfers(subject: Subject) -> list[int]:
    found = (points.transfer_b(point.settings) for point in subject.sweep.points)
    return sorted({value for value in found if value is not None})


def _depth(point: points.Point) -> int | None:
    """Requests that one process may have in flight."""
    alone = dict(point.settings) | {"tasks": 1}
    return dataclasses.replace(point, settings=alone).in_flight


def _depths(subject: Subject) -> list[int]:
    found = (_depth(point) for point in subject.sweep.points)
    return sorted({depth for depth in found if depth is not None})


def _lines_of(subject: Subject, mark: str, values: Sequence[int]) -> tuple[str, ...]:
    """Places of lines that a mark was found on and that print one of the values."""
    if not values:
        return ()
    wanted = {str(value) for value in values}
    own = [line for line in subject.evidence.of(mark) if wanted & set(_numerals(line.found))]
    return tuple(line.where for line in own)


def _numerals(text: str) -> list[str]:
    return "".join(c if c.isdigit() else " " for c in text).split()


def _list(values: Sequence[int]) -> str | None:
    return ", ".join(f"{value:,}" for value in values) or None


def _span(values: Sequence[int]) -> str:
    low, high = values[0], values[-1]
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"


def _span_of(values: Sequence[float]) -> str:
    low, high = values[0], values[-1]
    return f"{low:g}" if low == high else f"{low:g} to {high:g}"


def _of_lines(lines: Sequence[Line]) -> tuple[str | None, tuple[str, ...]]:
    """Lines as an answer: what they say, and where; of the find phase alone only if all are."""
    if not lines:
        return None, ()
    of_all = [line for line in lines if not line.of_find]
    own = of_all or lines
    texts = list(dict.fromkeys(line.text for line in own))
    shown = "; ".join(f"“{text}”" for text in texts[:_MOST_QUOTED])
    if len(texts) > _MOST_QUOTED:
        shown += f"; and {len(texts) - _MOST_QUOTED} more"
    return shown if of_all else f"of find alone: {shown}", tuple(line.where for line in own)


# -- what the source says itself


def of_the_ratio() -> Sentence:
    """Item 3 of the source counts nodes; counted in network cards, its two examples are alike."""
    claims = {one.claim.id.removeprefix("000-8-"): one.claim for one in ledger.of("000", ["8"])}
    clients, servers, rule = (
        int(claims[name].value) for name in ("clients", "servers", "clients-per-server")
    )
    client_cards, server_cards = (
        int(cells.cell(f"aurora-configuration[quantity={name}].value").text)
        for name in ("client-nics", "server-nics")
    )
    return (
        "The source says so from two examples: a system that takes {rule} client nodes for each "
        "server, and Aurora’s run, with {clients:,} for {servers:,}, or {nodes:.2f}. But a client "
        "node of Aurora has {client_cards} network cards and a server {server_cards}: in cards "
        "that is {cards:.2f} for each. So the examples do not show that the ratio is of no matter.",
        {
            "rule": rule,
            "clients": clients,
            "servers": servers,
            "nodes": clients / servers,
            "client_cards": client_cards,
            "server_cards": server_cards,
            "cards": clients * client_cards / (servers * server_cards),
        },
    )


# -- for the page


def frame(found: Iterable[Answer], item: int) -> pd.DataFrame:
    """The answers of an item: ``question``, ``answer``, ``where``; missing without a place."""
    rows = [
        (one.question, _answer(one), _places(one.where) or None)
        for one in found
        if one.item == item
    ]
    return pd.DataFrame(rows, columns=["question", "answer", "where"])


def _places(where: Sequence[str]) -> str:
    """The first places, as many as fit, and how many there are beside.

    >>> _places(["a.txt:1", "a.txt:9", "b.ini"])
    'a.txt:1, 9, b.ini'
    >>> _places([f"result-{n}.txt:{n}" for n in range(10, 16)])
    'result-10.txt:10, result-11.txt:11, and 4 more'
    """
    shown = ""
    last = None
    for number, place in enumerate(where):
        file, _, line = place.rpartition(":")
        same = file and file == last
        longer = f"{shown}, {line if same else place}" if shown else place
        if shown and len(longer) > _PLACES:
            return f"{shown}, and {len(where) - number} more"
        shown, last = longer, file
    return shown


def _answer(one: Answer) -> str:
    if one.text is not None:
        return one.text
    return f"{UNTOLD}: {one.aside}" if one.aside else UNTOLD


def overview(found: Sequence[Answer]) -> pd.DataFrame:
    """``item``, ``about``, ``questions``, ``answered`` and ``not_told`` of each item."""
    rows = []
    for item, title in TITLES.items():
        own = [one for one in found if one.item == item]
        told = sum(one.told for one in own)
        rows.append((item, title, len(own), told, len(own) - told))
    return pd.DataFrame(rows, columns=["item", "about", "questions", "answered", "not_told"])


def said(subject: Subject, found: Sequence[Answer]) -> list[Sentence]:
    """What was read, and how much of the checklist it answers."""
    told = sum(one.told for one in found)
    name = "no IO500 run" if subject.run is None else f"the IO500 run {subject.run.run.name}"
    tools = sorted({point.tool for point in subject.sweep.points} - {"io500"})
    said: list[Sentence] = [
        (
            "Read: {name}; outputs of other tools: {tools}; text files searched: {files}.",
            {
                "name": name,
                "tools": ", ".join(tools) or "none",
                "files": len(subject.evidence.files),
            },
        ),
        (
            "Questions of the checklist: {questions}. The files answer {told} of them; to {untold} "
            "they say nothing.",
            {"questions": len(found), "told": told, "untold": len(found) - told},
        ),
    ]
    blank = [f"{item}" for item in TITLES if not any(one.told for one in found if one.item == item)]
    if blank:
        text = "Items to which they say nothing at all: {items}."
        said.append((text, {"items": ", ".join(blank)}))
    return said


def ratios(found: Sequence[Answer]) -> pd.DataFrame:
    """Item 7 for a chart: ``ratio``, ``times``; only single ratios."""
    rows = [
        (one.question.removesuffix("?"), float(one.text))
        for one in found
        if one.item == 7 and one.text is not None and " " not in one.text
    ]
    return pd.DataFrame(rows, columns=["ratio", "times"])


def ratio_title(frame: pd.DataFrame) -> str:
    """The chart's title: the ratio that is furthest from even."""
    far = frame.loc[(frame.times.map(lambda t: max(t, 1 / t))).idxmax()]
    return f"Furthest from even: {str(far.ratio).lower()}, {far.times:,.2f}"
