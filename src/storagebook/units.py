"""Units, and the only way from one to another.

GiB/s and GB/s are 7.4 % apart, TiB and TB 10 %: every label means one unit, and a label that people
use for two (``KB``, ``GBps``, ``M``) is refused. Bytes, operations, seconds, samples and scores are
kinds of their own, so that an IOP/s never becomes a B/s.
"""

from __future__ import annotations

import functools
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from storagebook.errors import StoragebookError
from storagebook.intervals import Interval

if TYPE_CHECKING:
    import pandas as pd
    import pint

#: Exact ratios that sentences speak of; `factor` has every other.
GB_PER_GIB = 1.073741824
TB_PER_TIB = 1.099511627776
IOPS_PER_KIOPS = 1_000

_DECIMAL = {"k": "kilo", "M": "mega", "G": "giga", "T": "tera", "P": "peta"}
_BINARY = {"Ki": "kibi", "Mi": "mebi", "Gi": "gibi", "Ti": "tebi", "Pi": "pebi"}

_DEFINITIONS = (
    "milli- = 1/1000 = m-",
    "micro- = 1/10**6 = µ-",
    "nano- = 1/10**9 = n-",
    *(f"{name}- = 1000**{n} = {short}-" for n, (short, name) in enumerate(_DECIMAL.items(), 1)),
    *(f"{name}- = 1024**{n} = {short}-" for n, (short, name) in enumerate(_BINARY.items(), 1)),
    "second = [time] = s",
    "minute = 60 * second = min",
    "hour = 60 * minute = h",
    "byte = [information] = B",
    "bit = byte / 8",
    "io_operation = [operation] = IOP",
    "sample = [sample]",
    "score = [score]",
    "one = []",
    "percent = one / 100",
)

_BYTES = tuple(f"{prefix}B" for prefix in ("", *_DECIMAL, *_BINARY))
_BITS = tuple(f"{prefix}bit" for prefix in ("", "k", "M", "G", "T"))
_OPERATIONS = tuple(f"{prefix}IOP" for prefix in ("", "k", "M", "G"))

# Each canonical label, in the registry's words; the closed list of what the book uses.
_EXPRESSIONS = {
    **{label: label for label in _BYTES},
    **{f"{label}/s": f"{label}/s" for label in (*_BYTES, *_BITS, *_OPERATIONS, "sample")},
    **{label: label for label in ("s", "ms", "µs", "ns", "min", "h", "score")},
    "%": "percent",
    "1": "one",
}

# Other spellings that mean the same and nothing else.
_ALIASES = {
    **{f"{p}IOPS": f"{p}IOP/s" for p in ("", "k", "M", "G")},
    **{f"{p}iops": f"{p}IOP/s" for p in ("", "k", "M", "G")},
    **{f"{p}op/s": f"{p}IOP/s" for p in ("", "k", "M", "G")},
    **{f"{p}ops/s": f"{p}IOP/s" for p in ("", "k", "M", "G")},
    **{f"{p}b/s": f"{p}bit/s" for p in ("k", "M", "G", "T")},
    **{f"{p}bps": f"{p}bit/s" for p in ("k", "M", "G", "T")},
    "samples/s": "sample/s",
    "us": "µs",
    "μs": "µs",
    "sec": "s",
    "seconds": "s",
    "count": "1",
    "ratio": "1",
    "×": "1",
    "pct": "%",
}

_AMBIGUOUS = {
    "KB": "kB (1000 B) or KiB (1024 B)",
    "KB/s": "kB/s (1000 B) or KiB/s (1024 B)",
    "KBps": "kB/s or KiB/s",
    "MBps": "MB/s or Mbit/s",
    "GBps": "GB/s or Gbit/s",
    "TBps": "TB/s or Tbit/s",
    "K": "a unit after the prefix",
    "M": "a unit after the prefix",
    "G": "a unit after the prefix",
    "T": "a unit after the prefix",
    "m": "a unit after the prefix",
    "KIOPS": "kIOP/s (1000) or 1024 IOP/s",
}

#: The suffix of a column's name, in lower case, and its unit.
COLUMN_SUFFIXES: dict[str, str] = {
    **{label.lower(): label for label in _BYTES},
    **{f"{label.lower()}_s": f"{label}/s" for label in (*_BYTES, *_BITS)},
    **{f"{label.lower()}s": f"{label}/s" for label in _OPERATIONS},
    "samples_s": "sample/s",
    **{label: label for label in ("s", "ms", "ns", "min", "h", "score")},
    "us": "µs",
    "pct": "%",
    "count": "1",
    "ratio": "1",
}


@functools.cache
def registry() -> pint.UnitRegistry:
    """The one pint registry: only the units above, with exact (rational) factors."""
    # half a second to import; most commands never convert a unit
    import pint

    units: pint.UnitRegistry = pint.UnitRegistry(None, non_int_type=Fraction)
    for definition in _DEFINITIONS:
        units.define(definition)
    return units


def canonical(label: str) -> str:
    """The one spelling of a unit.

    Parameters
    ----------
    label
        A unit as people write it: ``GiB/s``, ``kIOPS``, ``Gb/s`` (bits), ``us``.

    Raises
    ------
    StoragebookError
        If the label is unknown, or stands for more than one unit.

    Examples
    --------
    >>> canonical("MIOPS"), canonical("Gb/s")
    ('MIOP/s', 'Gbit/s')
    """
    spelled = label.strip()
    spelled = _ALIASES.get(spelled, spelled)
    if spelled in _EXPRESSIONS:
        return spelled
    if spelled in _AMBIGUOUS:
        raise StoragebookError(
            f"unit {label!r} is ambiguous: {_AMBIGUOUS[spelled]}", hint="name the one that is meant"
        )
    raise StoragebookError(
        f"unknown unit {label!r}", hint=f"use one of {', '.join(sorted(_EXPRESSIONS))}"
    )


def known() -> tuple[str, ...]:
    """Every canonical unit, sorted."""
    return tuple(sorted(_EXPRESSIONS))


@functools.cache
def factor(from_unit: str, to_unit: str) -> Fraction:
    """How many `to_unit` make one `from_unit`, exactly.

    Raises
    ------
    StoragebookError
        If either label is unknown or ambiguous, or the two are of different kinds.

    Examples
    --------
    >>> float(factor("GiB/s", "GB/s"))
    1.073741824
    """
    source, target = canonical(from_unit), canonical(to_unit)
    units = registry()
    one = units.Quantity(Fraction(1), _EXPRESSIONS[source])
    if not one.is_compatible_with(_EXPRESSIONS[target]):
        raise StoragebookError(
            f"{source} does not convert to {target}: they measure different things"
        )
    return Fraction(one.to(_EXPRESSIONS[target]).magnitude)


def same_kind(first: str, second: str) -> bool:
    """Whether two units measure the same thing, so that one converts to the other."""
    units = registry()
    one = units.Quantity(Fraction(1), _EXPRESSIONS[canonical(first)])
    return bool(one.is_compatible_with(_EXPRESSIONS[canonical(second)]))


def convert(value: Any, from_unit: str, to_unit: str) -> Any:
    """A value in another unit of the same kind.

    Parameters
    ----------
    value
        A number, an array, a Series or an `Interval`. A `Fraction` or an `Interval` stays exact;
        anything else becomes float.
    from_unit, to_unit
        Labels as `canonical` knows them.

    Raises
    ------
    StoragebookError
        As `factor`.

    Examples
    --------
    >>> round(convert(20_693.63, "GiB/s", "TiB/s"), 3)
    20.209
    >>> convert(102_785.41, "kIOP/s", "MIOP/s")
    102.78541
    """
    exact = factor(from_unit, to_unit)
    if isinstance(value, (Fraction, Interval)):
        return value * exact
    if exact < 1 and exact.numerator == 1:
        # dividing by a whole number rounds once, multiplying by its inverse twice
        return value / float(exact.denominator)
    return value * float(exact)


def unit_of_column(name: str) -> str:
    """The unit that a column's name ends in.

    Raises
    ------
    StoragebookError
        If no suffix is known: such a column has no unit.

    Examples
    --------
    >>> unit_of_column("bandwidth_gib_s"), unit_of_column("rate_kiops")
    ('GiB/s', 'kIOP/s')
    """
    words = name.split("_")
    # the longest suffix wins: in bandwidth_gib_s the s is not seconds
    for start in range(max(len(words) - 2, 0), len(words)):
        unit = COLUMN_SUFFIXES.get("_".join(words[start:]))
        if unit is not None:
            return unit
    raise StoragebookError(
        f"column {name!r} names no unit", hint=f"end it in one of {', '.join(COLUMN_SUFFIXES)}"
    )


def every_unit(value: float, unit: str) -> pd.DataFrame:
    """One value in each unit of its kind, smallest unit first.

    Returns
    -------
    pandas.DataFrame
        Columns ``unit`` and ``value``.

    Raises
    ------
    StoragebookError
        As `canonical`.
    """
    import pandas as pd

    alike = sorted((u for u in _EXPRESSIONS if same_kind(u, unit)), key=lambda u: factor(unit, u))
    rows = [(u, float(convert(Fraction(value), unit, u))) for u in reversed(alike)]
    return pd.DataFrame(rows, columns=["unit", "value"])


def prefix_gap() -> pd.DataFrame:
    """By how much each binary unit of bytes exceeds the decimal one of the same letter.

    Returns
    -------
    pandas.DataFrame
        Columns ``units`` (``GiB and GB``), ``binary``, ``decimal`` and ``excess_pct``.
    """
    import pandas as pd

    pairs = [(f"{b}B", f"{d}B") for b, d in zip(_BINARY, _DECIMAL, strict=True)]
    rows = [(f"{b} and {d}", b, d, float((factor(b, d) - 1) * 100)) for b, d in pairs]
    return pd.DataFrame(rows, columns=["units", "binary", "decimal", "excess_pct"])
