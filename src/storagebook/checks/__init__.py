"""The checks of the ledger, each beside the arithmetic that it uses."""

from storagebook.checks import arithmetic

__all__ = ["arithmetic"]
