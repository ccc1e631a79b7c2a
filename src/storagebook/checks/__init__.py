"""The checks of the ledger, each beside the arithmetic that it uses.

Importing the package registers them with `storagebook.claims`.
"""

from storagebook.checks import arithmetic, aurora, io500, lists, raw, redundancy

__all__ = ["arithmetic", "aurora", "io500", "lists", "raw", "redundancy"]
