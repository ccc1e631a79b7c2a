"""Measurements by hand, for the tests of sweeps."""

from storagebook.readers.measurements import Measurement


def row(value, **more):
    known = {
        "tool": "ior",
        "version": "4.0.0",
        "run": "a",
        "operation": "write",
        "quantity": "bandwidth",
        "value": value,
        "unit": "MiB/s",
        "printed": f"{value:.2f}",
        "file": "a.txt",
        "line": 1,
        "iteration": 0,
        "settings": {"transfer_b": 4096, "tasks": 2},
    }
    return Measurement(**(known | more))
