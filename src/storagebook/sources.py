"""The documents behind the book and the tables made from them, as pages show them."""

from __future__ import annotations

import pandas as pd

from storagebook import tables


def documents() -> pd.DataFrame:
    """Every source with what it prints about itself, its kind and its interest.

    A source cited by another has a locator that says where. A title in another language is followed
    by this book's English, in square brackets.
    """
    columns = ["id", "title", "publisher", "date", "kind", "interest", "locator"]
    found = tables.load("sources")
    glossed = found.title + " [" + found.gloss + "]"
    return found.assign(title=glossed.where(found.gloss.notna(), found.title))[columns]


def resources() -> pd.DataFrame:
    """Every table: ``table``, ``title``, ``rows``, ``source``, ``licence``, ``sha256``."""
    rows = []
    for name in tables.names():
        described = tables.resource(name)
        rows.append(
            (
                name,
                described["title"],
                len(tables.load(name)),
                "; ".join(_source(one) for one in described.get("sources", [])),
                ", ".join(one["title"] for one in described.get("licenses", [])),
                str(described["hash"]).removeprefix("sha256:"),
            )
        )
    return pd.DataFrame(rows, columns=["table", "title", "rows", "source", "licence", "sha256"])


def _source(described: dict[str, str]) -> str:
    parts = [described.get("id", described.get("title", "")), described.get("locator", "")]
    return ", ".join(part for part in parts if part)
