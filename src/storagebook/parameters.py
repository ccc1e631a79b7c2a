"""The parameters of each notebook: names, types, units, ranges, meaning.

papermill only warns about a parameter that no notebook knows, and YAML turns ``007`` into 7 and
``no`` into false. Here either stops the run, with the list of what is valid.
"""

from __future__ import annotations

import datetime
import difflib
import re
from collections.abc import Iterable, Mapping, MutableMapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import yaml
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError
from pydantic.fields import FieldInfo

from storagebook import units
from storagebook.errors import StoragebookError

if TYPE_CHECKING:
    import pandas as pd

#: A parameter file is written by hand; nothing longer is one.
MAX_FILE_B = 1 << 20


class Parameters(BaseModel):
    """The parameters of a notebook: nothing unknown, nothing converted."""

    model_config = ConfigDict(
        extra="forbid", strict=True, frozen=True, allow_inf_nan=False, validate_default=True
    )


def _known_unit(label: str) -> str:
    try:
        return units.canonical(label)
    except StoragebookError as error:
        raise ValueError(str(error)) from None


def _known_family(name: str) -> str:
    from storagebook.io500.families import FAMILIES

    if name not in ("all", *FAMILIES):
        raise ValueError(f"no family of file systems; use all or one of {', '.join(FAMILIES)}")
    return name


def _known_class(name: str) -> str:
    from storagebook.io500 import object_class

    try:
        return str(object_class.parse(name))
    except StoragebookError as error:
        raise ValueError(str(error)) from None


Submission = Annotated[
    str,
    Field(
        pattern=r"^\d{4}$",
        description="number of a public IO500 submission, four digits",
        json_schema_extra={"form": "four digits"},
    ),
]
Run = Annotated[
    str,
    Field(
        min_length=1,
        description="number of a public IO500 submission, or a result's path from the project's "
        "root",
        json_schema_extra={"form": "four digits or a path"},
    ),
]
ObjectClassName = Annotated[
    str,
    AfterValidator(_known_class),
    Field(
        description="DAOS object class that protects the capacity",
        json_schema_extra={"form": "such as SX, RP_2GX or EC_16P2GX"},
    ),
]
Family = Annotated[
    str,
    AfterValidator(_known_family),
    Field(
        description="family of file systems, or all",
        json_schema_extra={"form": "all, or a family of storagebook.io500.families"},
    ),
]
Unit = Annotated[
    str,
    AfterValidator(_known_unit),
    Field(
        description="unit of the value", json_schema_extra={"form": "a unit that units.py knows"}
    ),
]


class NoParameters(Parameters):
    """A notebook that shows the same for everybody."""


class UnitsAndBases(Parameters):
    value: float = Field(20_693.63, gt=0, description="a figure to see in every unit of its kind")
    unit: Unit = "GiB/s"


class OneSubmission(Parameters):
    submission: Submission = "0688"


class ProtectedPair(Parameters):
    protected: Submission = "0688"
    unprotected: Submission = "0695"


class MdOnSsd(Parameters):
    final_zeros: bool = Field(
        False, description="whether a printed final zero is a digit, or may come from rounding"
    )


class ScaleAndCapacity(Parameters):
    submission: Submission = "0688"
    object_class: ObjectClassName = "EC_16P2GX"


class VosPerf(Parameters):
    reference: str = Field(
        "DAOS-1108",
        pattern=r"^DAOS-(1108|879|1078|1079)$",
        description="build from which changes are taken",
        json_schema_extra={"form": "DAOS-1108, DAOS-879, DAOS-1078 or DAOS-1079"},
    )
    level: float = Field(
        0.05, ge=0.001, lt=1, description="chance below which a difference is told from chance"
    )


class RandomReads(Parameters):
    submission: Submission = "0772"


class EveryClaim(Parameters):
    source: str = Field(
        "all",
        pattern=r"^(all|\d{3})$",
        description="id of a source in data/sources.csv whose mistakes are told, or all",
        json_schema_extra={"form": "three digits, or all"},
    )


class EveryPublicSubmission(Parameters):
    file_system: Family = "all"
    least_procs: int = Field(
        0, ge=0, description="only runs of so many processes; above 0, of those that state them"
    )


class YourRun(Parameters):
    result: str = Field(
        "data/samples/io500-small-vm",
        min_length=1,
        description="a result file, a run's folder or an archive, from the project's root; or the "
        "number of a public submission",
        json_schema_extra={"form": "a path or four digits"},
    )
    scale_factor: float = Field(
        2.0, ge=1, description="runs whose processes and nodes differ by no more are of one scale"
    )


class YourSweep(Parameters):
    results: str = Field(
        "data/samples/outputs",
        min_length=1,
        description="a benchmark's output, a folder of several or an archive, from the project's "
        "root",
        json_schema_extra={"form": "a path"},
    )
    near_pct: float = Field(
        10.0,
        ge=0,
        lt=100,
        description="a level within so many per cent of the best one saturates a sweep",
        json_schema_extra={"unit": "%"},
    )


class AcrossSystems(Parameters):
    result: str = Field(
        "none",
        min_length=1,
        description="your own IO500 or MLPerf Storage result, a path from the project's root; or "
        "none",
        json_schema_extra={"form": "a path, or none"},
    )


class MlperfStorage(Parameters):
    result: str = Field(
        "",
        description="a submission's tree, any folder in it or an archive, from the project's root; "
        "empty for none",
        json_schema_extra={"form": "a path, or empty"},
    )


class EvaluationChecklist(Parameters):
    result: str = Field(
        "data/samples/io500-small-vm",
        min_length=1,
        description="an IO500 result, a benchmark's outputs, a folder or an archive of them, from "
        "the project's root",
        json_schema_extra={"form": "a path"},
    )


class TwoRuns(Parameters):
    a: Run = "0683"
    b: Run = "0772"


class LargeFiles(Parameters):
    client_nodes: int = Field(16, ge=1, le=100_000, description="client nodes")
    client_memory_gib: int = Field(
        128,
        ge=1,
        le=1_000_000,
        description="RAM of a client node",
        json_schema_extra={"unit": "GiB"},
    )
    page_pool_gib: int = Field(
        16,
        ge=1,
        le=1_000_000,
        description="what the file system may cache on a node",
        json_schema_extra={"unit": "GiB"},
    )
    threads_most: int = Field(1024, ge=1, le=1_048_576, description="most threads of the tests")


#: The model of each notebook, by the stem of its file.
NOTEBOOKS: dict[str, type[Parameters]] = {
    "index": NoParameters,
    "01-path-of-an-io": NoParameters,
    "02-units-and-bases": UnitsAndBases,
    "03-how-io500-scores": OneSubmission,
    "10-aurora-twelve-phases": OneSubmission,
    "11-the-lists": OneSubmission,
    "12-redundancy-cost": ProtectedPair,
    "13-efficiency": OneSubmission,
    "14-every-public-submission": EveryPublicSubmission,
    "20-where-performance-comes-from": OneSubmission,
    "21-concurrency-and-interfaces": OneSubmission,
    "22-md-on-ssd": MdOnSsd,
    "23-vos-daos-perf": VosPerf,
    "24-scale-and-capacity": ScaleAndCapacity,
    "25-ecosystem-gains": RandomReads,
    "26-limits-and-misreadings": OneSubmission,
    "30-hacc": NoParameters,
    "31-mlperf-storage": MlperfStorage,
    "32-weather-fields": NoParameters,
    "33-pixstor": LargeFiles,
    "34-across-systems": AcrossSystems,
    "40-your-io500-run": YourRun,
    "41-what-changed": TwoRuns,
    "42-your-sweep": YourSweep,
    "43-evaluation-checklist": EvaluationChecklist,
    "90-every-claim": EveryClaim,
    "91-sources": NoParameters,
}

# What a kernel has before a notebook defines anything.
_KERNEL_NAMES = frozenset({"In", "Out", "exit", "quit", "get_ipython", "open", "display"})
_LITERALS = (str, int, float, complex, bytes, list, tuple, dict, set, datetime.date, type(None))
_SEEN = "_storagebook_parameters"


def model(notebook: str) -> type[Parameters]:
    """The parameter model of a notebook.

    Raises
    ------
    StoragebookError
        If there is no such notebook; lists those there are.
    """
    try:
        return NOTEBOOKS[notebook]
    except KeyError:
        raise StoragebookError(
            f"no notebook {notebook!r}{_near(notebook, NOTEBOOKS)}",
            hint=f"the notebooks are {', '.join(NOTEBOOKS)}",
        ) from None


def check(notebook: str, values: Mapping[str, Any]) -> Parameters:
    """Values as the model of a notebook, defaults filled in.

    Raises
    ------
    StoragebookError
        If the notebook is unknown, or any value is unknown, mistyped or out of range: one error
        that names each of them, and the valid parameters.
    """
    wanted = model(notebook)
    try:
        return wanted.model_validate(dict(values))
    except ValidationError as error:
        problems = "; ".join(
            _problem(wanted, details["loc"], details["msg"], details["input"])
            for details in error.errors(include_url=False)
        )
    raise StoragebookError(f"parameters of {notebook}: {problems}", hint=_valid(wanted))


def read(notebook: str, namespace: MutableMapping[str, Any]) -> Parameters:
    """The parameters that a notebook was started with.

    Parameters
    ----------
    notebook
        The stem of the notebook's file.
    namespace
        The notebook's ``globals()``, straight after its parameters cell. Literals in it are
        parameters; modules, functions, classes, names with a leading underscore and the kernel's
        own names are not. On a second call in one kernel, names that came later are not either.

    Raises
    ------
    StoragebookError
        As `check`.
    """
    fields = model(notebook).model_fields
    literals = {
        name
        for name, value in namespace.items()
        if not name.startswith("_") and name not in _KERNEL_NAMES and isinstance(value, _LITERALS)
    }
    seen = namespace.setdefault(_SEEN, frozenset(literals))
    names = (literals & seen) | (fields.keys() & namespace.keys())
    return check(notebook, {name: namespace[name] for name in sorted(names)})


def load_file(path: str | Path) -> dict[str, dict[str, Any]]:
    """A parameter file, checked before any notebook runs.

    Parameters
    ----------
    path
        A YAML file: notebook to parameter to value. What it leaves out keeps its default.

    Returns
    -------
    dict
        Notebook to name to value, only what the file sets, each notebook's values of the types of
        its model.

    Raises
    ------
    StoragebookError
        If the file cannot be read, is no such mapping, holds a spelling that YAML turns into
        something else (``007``, ``1e-3``, ``no``, a date), a name twice, or as `check`.
    """
    path = Path(path)
    content = _content(path)
    if content is None:
        return {}
    if not isinstance(content, dict):
        raise StoragebookError(
            "a parameter file maps notebooks to their parameters", file=path, hint=_example()
        )
    checked = {}
    for notebook, values in content.items():
        if not isinstance(notebook, str) or not isinstance(values, dict | None):
            raise StoragebookError(
                f"{notebook!r} does not map parameters to values", file=path, hint=_example()
            )
        try:
            found = check(notebook, values or {})
        except StoragebookError as error:
            raise StoragebookError(error.what, file=path, hint=error.hint) from None
        checked[notebook] = found.model_dump(include=found.model_fields_set)
    return checked


def describe() -> pd.DataFrame:
    """A row per parameter: notebook, parameter, type, unit, range, default, meaning."""
    import pandas as pd

    rows = [
        (notebook, name, *_row(model, name))
        for notebook, model in NOTEBOOKS.items()
        for name in model.model_fields
    ]
    return pd.DataFrame(
        rows,
        columns=["notebook", "parameter", "type", "unit", "allowed", "default", "meaning"],
        dtype=str,
    )


def _row(model: type[Parameters], name: str) -> tuple[str, str, str, str, str]:
    field, schema = model.model_fields[name], model.model_json_schema()["properties"][name]
    return (
        _type(field),
        schema.get("unit", ""),
        _allowed(schema),
        repr(field.default),
        field.description or "",
    )


def _type(field: FieldInfo) -> str:
    return getattr(field.annotation, "__name__", str(field.annotation))


def _allowed(schema: Mapping[str, Any]) -> str:
    limits = {
        "exclusiveMinimum": "above",
        "minimum": "at least",
        "exclusiveMaximum": "below",
        "maximum": "at most",
    }
    words = [f"{word} {schema[key]:g}" for key, word in limits.items() if key in schema]
    if "form" in schema:
        words.append(schema["form"])
    return ", ".join(words)


def _valid(model: type[Parameters]) -> str:
    if not model.model_fields:
        return "it takes no parameters"
    described = []
    for name in model.model_fields:
        kind, unit, allowed, default, _ = _row(model, name)
        what = ", ".join(part for part in (kind, unit, allowed) if part)
        described.append(f"{name} ({what}; default {default})")
    return f"valid: {', '.join(described)}"


def _problem(model: type[Parameters], where: tuple[int | str, ...], said: str, value: Any) -> str:
    name = ".".join(str(part) for part in where)
    if where and str(where[0]) not in model.model_fields:
        return f"unknown parameter {name!r}{_near(name, model.model_fields)}"
    said = said[0].lower() + said[1:]
    problem = f"{name}: {said}, not {value!r} ({type(value).__name__})"
    field = model.model_fields.get(str(where[0])) if where else None
    if field is not None and field.annotation is str and isinstance(value, int | float):
        problem += ": quote it in YAML, or give it to papermill with -r instead of -p"
    return problem


def _near(name: str, names: Iterable[str]) -> str:
    near = difflib.get_close_matches(name, list(names), n=1)
    return f" (did you mean {near[0]!r}?)" if near else ""


def _example() -> str:
    return "write notebook names, and under each its parameters, as in params/default.yml"


class _Ambiguous(yaml.YAMLError):
    """A spelling that YAML reads as something else than it looks like."""

    def __init__(self, node: yaml.Node | yaml.Event, said: str) -> None:
        super().__init__(said)
        self.problem, self.problem_mark = said, node.start_mark


class _PlainLoader(yaml.SafeLoader):
    """YAML without its surprises: every plain scalar is what it looks like, every key is new."""

    def compose_node(self, parent: yaml.Node | None, index: Any) -> yaml.Node | None:
        # some lines of aliases stand for more values than any memory holds
        if self.check_event(yaml.AliasEvent):
            raise _Ambiguous(self.peek_event(), "an alias; write the value again")
        return super().compose_node(parent, index)

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        seen = set()
        for key, _ in node.value:
            if not isinstance(key, yaml.ScalarNode):
                raise _Ambiguous(key, "a name is a word")
            if key.value in seen:
                raise _Ambiguous(key, f"{key.value!r} stands twice")
            seen.add(key.value)
        return super().construct_mapping(node, deep=deep)


def _plain(tag: str, spelling: str, becomes: str) -> None:
    """Let a kind of plain scalar through only in one spelling."""
    standard = yaml.SafeLoader.yaml_constructors[f"tag:yaml.org,2002:{tag}"]
    allowed = re.compile(spelling)

    def construct(loader: yaml.SafeLoader, node: yaml.ScalarNode) -> Any:
        if node.style is None and not allowed.fullmatch(node.value):
            raise _Ambiguous(node, f"YAML reads {node.value!r} as {becomes}")
        return standard(loader, node)

    _PlainLoader.add_constructor(f"tag:yaml.org,2002:{tag}", construct)


_plain("int", r"[-+]?(0|[1-9]\d*)", "another whole number; write it in plain digits, or quote it")
_plain("float", r"[-+]?\d+\.\d*([eE][-+]\d+)?|[-+]?\.inf|\.nan", "a float; write 1.0 or quote it")
_plain("bool", r"true|false|True|False", "a truth value; write true or false, or quote it")
_plain("timestamp", r"(?!)", "a date; quote it")
_plain(
    "str", r"(?![-+]?\.?\d[\d.]*([eE][-+]?\d+)?$).*", "text; write 1.0e-3 for a number, or quote it"
)


def _content(path: Path) -> Any:
    try:
        if path.stat().st_size > MAX_FILE_B:
            raise StoragebookError(f"longer than {MAX_FILE_B} B", file=path)
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise StoragebookError(error.strerror or error, file=path) from None
    except UnicodeDecodeError as error:
        raise StoragebookError(f"not UTF-8 at byte {error.start}", file=path) from None
    try:
        return yaml.load(text, Loader=_PlainLoader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        said = getattr(error, "problem", None) or str(error)
        raise StoragebookError(said, file=path, line=mark.line + 1 if mark else None) from None
    except (RecursionError, ValueError) as error:
        raise StoragebookError(f"no readable YAML: {type(error).__name__}", file=path) from None
