"""What differs between two runs as text for people, JSON or CSV: what `storagebook diff` prints."""

from __future__ import annotations

import csv
import textwrap
from collections.abc import Callable, Iterable, Iterator
from typing import IO, Any

from storagebook import printable
from storagebook.errors import one_line
from storagebook.io500.card import LABELS, Card, written
from storagebook.io500.diff import Change, Difference, OptionChange, PhaseChange, SettingChange
from storagebook.io500.phases import SCORED
from storagebook.io500.run import Printed
from storagebook.readers.report import write_columns

Writer = Callable[[Difference, IO[str]], None]

_WIDTH = 100
_LONGEST = 60
# Below it, and above its inverse, a ratio is told as a factor.
_LEAST_FACTOR = 0.1
_MEANS = (("bandwidth", "GiB/s"), ("metadata", "kIOP/s"), ("score", ""))


def where(phases: tuple[str, ...]) -> str:
    """Phases in as few words as tell them: ``all``, ``all writes``, ``ior-easy``, or their names.

    >>> where(("ior-easy-write", "ior-easy-read")), where(("ior-hard-read", "find"))
    ('ior-easy', 'find, ior-hard-read')
    """
    groups = {
        "all": [p.name for p in SCORED if p.group != "find"],
        "all ior": [p.name for p in SCORED if p.kind == "bandwidth"],
        "all mdtest": [p.name for p in SCORED if p.group.startswith("mdtest")],
        "all writes": [p.name for p in SCORED if p.access == "write"],
        **{p.group: [q.name for q in SCORED if q.group == p.group] for p in SCORED},
    }
    left, words = list(phases), []
    for name, members in groups.items():
        if set(members) <= set(left) and (len(members) > 1 or name == "find"):
            words.append(name)
            left = [phase for phase in left if phase not in members]
    return ", ".join([*words, *left])


# -- for people


def write_table(found: Difference, out: IO[str]) -> None:
    """Settings, options and phases as tables."""
    out.write(f"a  {_about(found.a)}\nb  {_about(found.b)}\n\n")
    if found.differing:
        rows = [(*_setting_row(change), where(change.phases)) for change in found.differing]
        write_columns(("differs", "a", "b", "in"), rows, out, right=())
    else:
        out.write("no setting is known to differ\n")
    for line in _unknown(found):
        out.write(f"\n{line}\n")
    _write_options(found, out)
    out.write("\n")
    rows = [_phase_row(phase) for phase in found.phases]
    rows += [_mean_row(name, unit, getattr(found, name)) for name, unit in _MEANS]
    head = ("", "a", "b", "", "change", "at the stonewall", "of the score", "")
    write_columns(head, rows, out, right=(1, 2, 4, 5, 6))
    out.write("\n" + textwrap.fill(one_line(found.beside, 2_000), _WIDTH) + "\n")


def _about(card: Card) -> str:
    words = [card.name, *(str(w) for w in (card.settings.get("version"), card.started) if w)]
    return one_line(", ".join(words)) + ("" if card.valid else "  INVALID")


def _setting_row(change: SettingChange) -> tuple[str, str, str]:
    sides = (_short(written(change.setting, side)) for side in (change.a, change.b))
    return (change.label, *sides)  # type: ignore[return-value]


def _short(text: str | None) -> str:
    return "unknown" if text is None else one_line(text, _LONGEST)


def _unknown(found: Difference) -> Iterator[str]:
    """Which settings no file tells, of one side or of both."""
    sides: dict[str, list[str]] = {"a": [], "b": [], "both runs": []}
    for change in found.unknown:
        side = "both runs" if change.a is change.b else "a" if change.a is None else "b"
        known = change.b if change.a is None else change.a
        text = change.label
        if known is not None:
            text += f" ({_short(written(change.setting, known))} in {'b' if side == 'a' else 'a'})"
        if text not in sides[side]:
            sides[side].append(text)
    for side, labels in sides.items():
        if labels:
            yield textwrap.fill(f"unknown of {side}: {', '.join(labels)}", _WIDTH)


def _write_options(found: Difference, out: IO[str]) -> None:
    if found.options_scope == "none":
        out.write("\nconfigurations: not compared, since they are not at hand for both runs\n")
        return
    if found.options_scope == "named":
        out.write("\none configuration leaves out its defaults: only what both name is compared\n")
    if found.options:
        out.write("\n")
        rows = [
            (_short(o.key), _short(o.a), _short(o.b), _short(", ".join(o.sections)))
            for o in found.options
        ]
        write_columns(("option", "a", "b", "in"), rows, out, right=())
    count = len(found.apart)
    if count:
        keys = ", ".join(dict.fromkeys(one_line(option.key) for option in found.apart))
        out.write(f"\nset apart, since they only say where or when: {count} ({keys})\n")


def _phase_row(phase: PhaseChange) -> tuple[str, ...]:
    return (
        one_line(phase.phase),
        *_sides(phase.result),
        phase.unit,
        changed(phase.result.times),
        changed(phase.stonewall.times),
        changed(phase.score_factor),
        _marks(phase),
    )


def _mean_row(name: str, unit: str, change: Change) -> tuple[str, ...]:
    return (name, *_sides(change), unit, changed(change.times), "", "", change.why_not or "")


def _sides(change: Change) -> tuple[str, str]:
    return tuple("–" if side is None else side.text for side in (change.a, change.b))  # type: ignore[return-value]


def changed(times: float | None) -> str:
    """A ratio in words: per cent, or a factor where per cent have too many digits.

    >>> changed(1.383), changed(815.4), changed(0.00123), changed(None)
    ('+38.3 %', '× 815', '× 0.00123', '')
    """
    if times is None:
        return ""
    if _LEAST_FACTOR <= times <= 1 / _LEAST_FACTOR:
        return f"{(times - 1) * 100:+,.1f} %"
    return f"× {times:,.3g}" if times < 100 else f"× {times:,.0f}"


def _marks(phase: PhaseChange) -> str:
    words = [
        f"INVALID in {side}" for side in ("a", "b") if getattr(phase, f"{side}_valid") is False
    ]
    if not phase.scored:
        words.append("not scored")
    if phase.result.why_not:
        words.append(phase.result.why_not)
    return ", ".join(words)


# -- for programs


def as_json(found: Difference) -> dict[str, Any]:
    """The object of `storagebook diff --format json`."""
    return {
        "benchmark": "io500",
        "a": _card_json(found.a),
        "b": _card_json(found.b),
        "settings": [
            {
                "setting": change.setting,
                "phases": list(change.phases),
                "a": change.a,
                "b": change.b,
                "differs": change.known,
            }
            for change in found.settings
        ],
        "options": {
            "scope": found.options_scope,
            "differ": [_option_json(option) for option in found.options],
            "apart": [_option_json(option) for option in found.apart],
        },
        "phases": {phase.phase: _phase_json(phase) for phase in found.phases},
        "bw_gib_s": _change_json(found.bandwidth),
        "md_kiops": _change_json(found.metadata),
        "score": _change_json(found.score),
        "beside": found.beside,
    }


def _card_json(card: Card) -> dict[str, Any]:
    return {
        "run": card.name,
        "started": card.started,
        "valid": card.valid,
        "settings": {name: card.settings.get(name) for name in LABELS if name in card.settings},
        "findings": list(card.findings),
    }


def _option_json(option: OptionChange) -> dict[str, Any]:
    return {
        "option": option.key,
        "sections": list(option.sections),
        "a": option.a,
        "b": option.b,
    }


def _phase_json(phase: PhaseChange) -> dict[str, Any]:
    return {
        "unit": phase.unit,
        "scored": phase.scored,
        "result": _change_json(phase.result),
        "stonewall": _change_json(phase.stonewall),
        "seconds": {"a": _value(phase.seconds.a), "b": _value(phase.seconds.b)},
        "valid": {"a": phase.a_valid, "b": phase.b_valid},
        "score_factor": phase.score_factor,
    }


def _change_json(change: Change) -> dict[str, Any]:
    found = {"a": _value(change.a), "b": _value(change.b), "ratio": change.times}
    return found if change.why_not is None else {**found, "why_not": change.why_not}


def _value(printed: Printed | None) -> float | None:
    return None if printed is None else printed.value


def write_json(found: Difference, out: IO[str]) -> None:
    """One object."""
    out.write(printable.as_json(as_json(found), indent=1) + "\n")


CSV_HEAD = ("what", "name", "in", "unit", "a", "b", "ratio")


def write_csv(found: Difference, out: IO[str]) -> None:
    """One row for each setting, option and figure; an empty cell is unknown or not there."""
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(CSV_HEAD)
    for row in _rows(found):
        rows.writerow(map(printable.as_cell, row))


def _rows(found: Difference) -> Iterator[tuple[object, ...]]:
    for change in found.settings:
        what = "setting" if change.known else "unknown"
        yield (what, change.setting, " ".join(change.phases), "", change.a, change.b, None)
    for what, options in (("option", found.options), ("apart", found.apart)):
        for option in options:
            yield (what, option.key, " ".join(option.sections), "", option.a, option.b, None)
    for phase in found.phases:
        yield from _figure("result", phase.phase, phase.unit, phase.result)
        yield from _figure("stonewall", phase.phase, phase.unit, phase.stonewall)
        yield from _figure("seconds", phase.phase, "s", phase.seconds)
    for name, unit in _MEANS:
        yield from _figure("mean", name, unit, getattr(found, name))


def _figure(what: str, name: str, unit: str, change: Change) -> Iterable[tuple[object, ...]]:
    if change.a is not None or change.b is not None:
        sides = (None if side is None else side.text for side in (change.a, change.b))
        yield (what, name, "", unit, *sides, change.times)


WRITERS: dict[str, Writer] = {"table": write_table, "json": write_json, "csv": write_csv}
