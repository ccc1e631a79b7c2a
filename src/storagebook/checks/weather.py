"""Weather fields on DAOS and Lustre: what two texts of one operator say of each other's subject."""

from __future__ import annotations

from storagebook.claims import Evidence, Inputs, check
from storagebook.intervals import Interval
from storagebook.quantities import DOCUMENTS, Quantity
from storagebook.verdicts import Argument, Fact


def _steps(inputs: Inputs) -> str:
    return ", ".join(
        f"a {operation} takes {len(inputs.rows('weather-steps', operation=operation))} steps"
        for operation in ("write", "read")
    )


@check("same-software")
def same_software(inputs: Inputs) -> Argument:
    """Both systems ran the same software above the storage."""
    return Argument(
        [
            Fact(
                "the benchmark calls both alike (on Lustre a helper library emulates objects by "
                f"files: {_steps(inputs)})",
                not inputs.rows("weather-steps"),
                DOCUMENTS,
            )
        ]
    )


@check("design-not-hardware")
def design_not_hardware(inputs: Inputs) -> Argument:
    """The design of an object store, not the hardware and not the emulation, makes the gain."""
    return Argument(
        [
            Fact(
                f"Lustre does the same work as DAOS ({_steps(inputs)} on emulated objects)",
                not inputs.rows("weather-steps"),
                DOCUMENTS,
            ),
            Fact("the bandwidths are in the text", None, DOCUMENTS),
        ]
    )


@check("shared-by-a-node")
def shared_by_a_node(inputs: Inputs) -> Evidence:
    """What a node's processes share, beside what each has alone, takes more than one."""
    sharing = {kind: inputs.rows("weather-steps", shared_by=kind) for kind in ("node", "process")}
    least = 2 if all(sharing.values()) else 1
    text = (
        f"{len(sharing['node'])} steps use what all processes of a node share, "
        f"{len(sharing['process'])} what one has alone"
    )
    return Evidence(Quantity(Interval.at_least(least), "1", text, origins=DOCUMENTS), "limit")


@check("nodes-as-in-the-pattern")
def nodes_as_in_the_pattern(inputs: Inputs, wanted: str) -> Evidence:
    """The ``writers`` or ``readers``, if both have the shares of pattern B, as the text says."""
    others = {"writers": "readers", "readers": "writers"}[wanted]
    shares = {"writers": "writing-share", "readers": "reading-share"}
    own, other, there = (
        inputs(f"weather-fields[quantity={name}].value", exact=True)
        for name in (shares[wanted], shares[others], others)
    )
    return Evidence(there * own / other)
