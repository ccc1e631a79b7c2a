"""Weather fields on DAOS and Lustre: what two texts of one operator say of each other's subject."""

from __future__ import annotations

from storagebook.claims import Inputs, check
from storagebook.quantities import DOCUMENTS
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
