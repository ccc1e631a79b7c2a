"""The options of a run's command lines and configuration: which tell something, which only a place.

Paths, names of pools and containers, time stamps and seeds differ between any two runs. They are
told apart here, never dropped: `storagebook.io500.diff` counts and lists them.
"""

from __future__ import annotations

import re

from storagebook.io500.phases import BY_NAME, SCORED
from storagebook.io500.run import Config
from storagebook.readers.io500_text import size_b

#: Stands for a path, a name of a place, a time or a seed.
PLACE = "…"

_TOOLS = ("ior", "mdtest", "pfind")
# What `storagebook.io500.run.Settings` holds, by tool.
_TOLD = {
    "ior": frozenset({"-a", "-t", "-b", "-s", "-D", "-F", "-B"}),
    "mdtest": frozenset({"-a", "-n", "-W"}),
    "pfind": frozenset[str](),
}
_TOLD_OF_API = frozenset(
    {
        "--dfs.oclass",
        "--dfs.dir_oclass",
        "--dfs.chunk_size",
        "--chfs.chunk_size",
        "--posix.odirect",
    }
)
_PLACES_OF_API = frozenset(
    {
        *("--dfs.pool", "--dfs.cont", "--dfs.prefix", "--dfs.group", "--dfs.svcl", "--dfs.user"),
        *("--daos.pool", "--daos.cont", "--daos.prefix", "--daos.group", "--daos.svcl"),
        *("--pool", "--cont", "--svcl"),
    }
)
_PLACES = _PLACES_OF_API | {
    *("-o", "-d", "-x", "-G", "-newer", "--random-offset-seed"),
    *("--saveRankPerformanceDetails", "stoneWallingStatusFile", "saveRankPerformanceDetailsCSV"),
    *("-hostfile", "--hostfile", "-machinefile", "--machinefile", "-H", "--host", "--prefix"),
    *("--run-info-file", "--nodelist", "-w", "--workdir"),
}
# mdtest's and IOR's -w is no launcher's
_OF_TOOLS = frozenset({"-w"})
# What the counts of processes and nodes tell.
_SCALE = frozenset({"-np", "-ppn", "-npernode", "--ntasks", "--ntasks-per-node", "--nodes"})
_NUMERAL = re.compile(r"-?\d[\d.]*")
_TIME = re.compile(r"\d{4}[.-]\d\d[.-]\d\d(?:[-_T ]\d\d[.:-]\d\d[.:-]\d\d)?")
_UUID = re.compile(r"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b", re.I)
_PATH = re.compile(r"(?:(?<=[\s=:,'\"])|^)(?:\.{0,2}/|~/)[^\s'\",;]*")

_PLACE_KEYS = frozenset({"datadir", "resultdir", "timestamp-datadir", "timestamp-resultdir"})
#: Option of the configuration → the settings of `storagebook.io500.card` that tell it.
TOLD = {
    "API": (
        *("api", "object_class", "dir_object_class", "chunk_size_b", "direct_io"),
        "api_options",
    ),
    "transferSize": ("transfer_b",),
    "blockSize": ("block_b",),
    "filePerProc": ("access",),
    "segmentCount": ("segments_count",),
    "n": ("items_per_process_count",),
    "posix.odirect": ("direct_io",),
    "stonewall-time": ("stonewall_s",),
}
_TOLD_KEYS = frozenset(key.lower() for key in TOLD)
_SIZES = frozenset({"transferSize", "blockSize"})
_SCORED_SECTIONS = frozenset(BY_NAME) | {p.group for p in SCORED}


def of_command(command: str) -> tuple[str, ...]:
    """The options of a command line that no setting of a run holds, places replaced, sorted.

    >>> of_command("./ior -C -Q 1 -t 1m -o /scratch/f -O stoneWallingWearOut=1 -a POSIX")
    ('-C', '-O stoneWallingWearOut=1', '-Q 1')
    """
    words = command.split()
    names = [word.rpartition("/")[2] for word in words]
    position = next((i for i, name in enumerate(names) if name in _TOOLS), len(words))
    told = _TOLD[names[position]] if position < len(words) else frozenset()
    left_out = (_PLACES - _OF_TOOLS) | _TOLD_OF_API | told
    launcher = [t for t in _grouped(words[:position]) if _key(t) not in _PLACES | _SCALE]
    own = [t for t in _grouped(words[position + 1 :]) if _key(t) not in left_out]
    # a word that leads no option is an executable, a path or what is left of a quotation
    return tuple(sorted(plain(text) for text in (*launcher, *own) if text.startswith("-")))


def of_api(config: Config, phase: str) -> str:
    """The options beside the API's name that hold for a phase and that no setting tells."""
    words = (effective(config, phase, "API") or "").split()[1:]
    return " ".join(
        plain(text) for text in _grouped(words) if _key(text) not in _PLACES_OF_API | _TOLD_OF_API
    )


def effective(config: Config, phase: str, key: str) -> str | None:
    """What a configuration gives a phase: its own value, its group's, or the one for all."""
    group = BY_NAME[phase].group if phase in BY_NAME else phase.rpartition("-")[0]
    found = config.get(phase, key) or (config.get(group, key) if group else None)
    if key == "API":
        return found or config.get("global", "api")
    return config.get("debug", key) if key == "stonewall-time" else found


def meaning(key: str, value: str | None) -> str | int | None:
    """A value of `TOLD`, so that two spellings of one setting are the same.

    >>> meaning("transferSize", "4m") == meaning("transferSize", "4194304")
    True
    """
    if value is None:
        return None
    size = size_b(value) if key in _SIZES else None
    return plain(value) if size is None else size


def plain(value: str) -> str:
    """A value with its paths, times, seeds and names of pools and containers replaced.

    >>> plain("DFS --dfs.pool=a --dfs.oclass=SX"), plain("/scratch/io500/2023.11.06-04.58.05")
    ('DFS --dfs.oclass=SX', '…')
    """
    kept = [text for text in _grouped(value.split()) if _key(text) not in _PLACES_OF_API]
    text = " ".join(kept)
    for pattern in (_UUID, _TIME, _PATH):
        text = pattern.sub(PLACE, text)
    return text.upper() if text.upper() in ("TRUE", "FALSE") else text


def names_a_place(key: str) -> bool:
    """Whether an option of the configuration says where, and nothing else."""
    return key.lower() in _PLACE_KEYS


def is_told(section: str, key: str) -> bool:
    """Whether an option is one that the settings of the scored phases tell."""
    key = key.lower()
    if section == "global":
        return key == "api"
    if section == "debug":
        return key == "stonewall-time"
    return section in _SCORED_SECTIONS and key in _TOLD_KEYS


def _grouped(words: list[str]) -> list[str]:
    """Each option with the words that follow it: ``-Q 1``, ``-O a=b``, ``-C``."""
    grouped: list[str] = []
    for word in words:
        starts = word.startswith("-") and not _NUMERAL.fullmatch(word)
        if starts or not grouped:
            grouped.append(word)
        else:
            grouped[-1] += f" {word}"
    return grouped


def _key(text: str) -> str:
    """The name of an option: ``-G`` of ``-G=5``, ``stoneWallingStatusFile`` of ``-O …=x``."""
    name, _, rest = text.partition(" ")
    if name == "-O" and rest:
        name = rest
    return name.partition("=")[0]
