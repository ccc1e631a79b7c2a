"""Which options of command lines and configurations tell something, and which only a place."""

import pytest

from storagebook.io500 import options
from storagebook.io500.run import Config, Option

# [ior-easy-write] exe of submission 0772's result.txt, names of people's places shortened
COMMAND = (
    "./ior --dataPacketType=timestamp -C -Q 1 -g -G 829871159 -k -e -o /datafiles/x/ior_file_easy "
    "-O stoneWallingStatusFile=/home/x/ior-easy.stonewall -t 4m -b 99000000m -F -w -D 300 "
    "-O stoneWallingWearOut=1 -a DFS --dfs.pool=p --dfs.cont=c --dfs.dir_oclass=RP_2G1 "
    "--dfs.oclass=EC_16P1GX --dfs.chunk_size=4MiB -O saveRankPerformanceDetailsCSV=/home/x/w.csv"
)


def test_a_command_without_what_settings_hold_and_without_places():
    assert options.of_command(COMMAND) == (
        *("--dataPacketType=timestamp", "-C", "-O stoneWallingWearOut=1", "-Q 1"),
        *("-e", "-g", "-k", "-w"),
    )


@pytest.mark.parametrize(
    ("command", "kept"),
    [
        # mdtest's -t and -w are no transfer and no write
        (
            "./mdtest -n 100 -t -w 3901 -e 3901 -G=-499576327 -F -d /x -W 300",
            ("-F", "-e 3901", "-t", "-w 3901"),
        ),
        ("mpirun -np 10 --bind-to core -hostfile h /opt/ior -t 1m -C", ("--bind-to core", "-C")),
        (
            "./pfind /x/y -newer /x/t -size 3901c -name *01* -C -q 10000",
            ("-C", "-name *01*", "-q 10000", "-size 3901c"),
        ),
        ("mpirun -np 8 --hostfile h find.sh /x --stonewall 300", ("--stonewall 300",)),
        ("", ()),
    ],
)
def test_each_tool_has_its_own_options(command, kept):
    assert options.of_command(command) == kept


@pytest.mark.parametrize("other", ["-G -5", "-G=7", "-G 829871160"])
def test_a_seed_tells_nothing(other):
    moved = COMMAND.replace("-G 829871159", other)
    assert moved != COMMAND
    assert options.of_command(moved) == options.of_command(COMMAND)


@pytest.mark.parametrize(
    ("value", "kept"),
    [
        ("/scratch/a", "…"),
        ("./results-2023.11.06", "…"),
        ("true", "TRUE"),
        ("DFS --dfs.pool=a --dfs.cont=b --dfs.oclass=SX", "DFS --dfs.oclass=SX"),
        ("POSIX --posix.odirect", "POSIX --posix.odirect"),
        ("run of 2023.11.06-04.58.05", "run of …"),
        ("pool 01234567-89ab-cdef-0123-456789abcdef", "pool …"),
        ("10000", "10000"),
        ("sudo -n bash -c 'echo 3 > /proc/sys/vm/drop_caches'", "sudo -n bash -c 'echo 3 > …'"),
    ],
)
def test_places_times_and_names_of_containers_are_replaced(value, kept):
    assert options.plain(value) == kept


def config(*rows: tuple[str, str, str]) -> Config:
    found = tuple(Option(*row, line) for line, row in enumerate(rows, 1))
    return Config("config.ini", found, False, "")


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([("ior-easy-write", "API", "DFS --x=1"), ("ior-easy", "API", "DFS --x=2")], "--x=1"),
        ([("ior-easy-write", "API", ""), ("ior-easy", "API", "DFS --x=2")], "--x=2"),
        ([("global", "api", "DFS --x=3 --dfs.pool=p --dfs.oclass=S1")], "--x=3"),
        ([("mdtest-easy", "API", "DFS --x=4")], ""),
    ],
)
def test_a_phase_inherits_its_api(rows, expected):
    assert options.of_api(config(*rows), "ior-easy-write") == expected


@pytest.mark.parametrize(
    ("section", "key", "told"),
    [
        ("ior-easy", "transferSize", True),
        ("ior-easy-read", "API", True),
        ("global", "api", True),
        ("global", "datadir", False),
        ("debug", "stonewall-time", True),
        ("debug", "pause-dir", False),
        ("ior-rnd4K", "API", False),
        ("find", "nproc", False),
        ("ior-easy", "uniqueDir", False),
    ],
)
def test_what_settings_hold_is_not_told_again(section, key, told):
    assert options.is_told(section, key) is told


@pytest.mark.parametrize(
    ("key", "a", "b", "same"),
    [
        ("transferSize", "4m", "4194304", True),
        ("transferSize", "4m", "4194305", False),
        ("filePerProc", "true", "TRUE", True),
        ("API", "DFS --dfs.pool=a", "DFS --dfs.pool=b", True),
        ("API", "DFS", "POSIX", False),
        ("n", "10", None, False),
        # only a size has suffixes
        ("n", "1k", "1024", False),
    ],
)
def test_two_spellings_of_one_value(key, a, b, same):
    assert (options.meaning(key, a) == options.meaning(key, b)) is same
