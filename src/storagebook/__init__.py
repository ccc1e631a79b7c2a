"""Storage performance, recomputed."""

__version__ = "0.1.0"
