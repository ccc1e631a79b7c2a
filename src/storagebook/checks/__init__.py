"""The checks of the ledger, each beside the arithmetic that it uses.

Importing the package registers them with `storagebook.claims`.
"""

from storagebook.checks import (
    applications,
    arithmetic,
    aurora,
    io500,
    juicefs,
    lists,
    pixstor,
    raw,
    redundancy,
    scale,
    vos,
    weather,
)

__all__ = [
    "applications",
    "arithmetic",
    "aurora",
    "io500",
    "juicefs",
    "lists",
    "pixstor",
    "raw",
    "redundancy",
    "scale",
    "vos",
    "weather",
]
