"""Lines that speak of a thing are found and quoted; comments and other words are not."""

import pytest

from storagebook.checklist import evidence

KNOWN = [
    ("object_class", "API = DFS --dfs.pool=p --dfs.oclass=SX"),
    ("dir_object_class", "API = DFS --dfs.dir_oclass=SX"),
    ("factor", "dmg cont create --properties=rd_fac:1"),
    ("procs", "procs           = 640"),
    ("procs", "tasks               : 640"),
    ("procs", "mdtest-4.0 was launched with 640 total task(s) on 10 node(s)"),
    ("procs", '      "numjobs" : "2",'),
    ("nodes", "nodes               : 10"),
    ("nodes", "mdtest-4.0 was launched with 640 total task(s) on 10 node(s)"),
    ("each", "clients per node    : 64"),
    ("each", "clients             = 640 (64 per node)"),
    ("api", "api                 : DFS"),
    ("api", "exe = ./ior -a POSIX -t 1m"),
    ("api", "API                 = POSIX"),
    ("interface", "export LD_PRELOAD=/usr/lib64/libpil4dfs.so"),
    ("interface", "mount -t fuse.daos dfuse on /mnt"),
    ("binding", "mpirun --map-by socket --bind-to core -np 64 ./io500 config.ini"),
    ("binding", "numactl --cpunodebind=0 fio job.fio"),
    ("cards", "export D_INTERFACE=hsn0"),
    ("applications", "results of HACC-IO, run 3"),
    ("rebuild", "pool rebuild in progress"),
    ("scm", "SCM: 80 % used"),
    ("network", "external ERR NA_HOSTUNREACH from rank 4"),
    ("command", "exe             = ./mdtest -n 10"),
    ("transfer", "xfersize            : 1 MiB"),
    ("transfer", "transferSize    = 16m"),
    ("transfer", "Command line        : ior -w -t 4k -b 1m"),
    ("depth", '"iodepth" : "8",'),
]
OTHER = [
    ("object_class", "API = DFS --dfs.dir_oclass=SX"),
    ("procs", "nprocesses: none"),
    ("transfer", "./mdtest -n 200 -t -w 3901"),
    ("rebuild", "prebuilt binaries"),
    ("scm", "scmod = 1"),
    ("network", "host reachable"),
    ("applications", "shaccess"),
    ("cards", "mpirun -iface ib0"),
]


def search(tmp_path, text, name="out.txt"):
    (tmp_path / name).write_text(text)
    return evidence.search(tmp_path)


@pytest.mark.parametrize(("mark", "line"), KNOWN)
def test_a_line_that_says_it(tmp_path, mark, line):
    (found,) = search(tmp_path, f"first\n{line}\n").of(mark)
    assert found.where == "out.txt:2"
    assert found.found in line


@pytest.mark.parametrize(("mark", "line"), OTHER)
def test_a_line_that_does_not(tmp_path, mark, line):
    assert search(tmp_path, f"{line}\n").of(mark) == ()


@pytest.mark.parametrize("sign", ["#", "; ", "  # "])
def test_a_comment_says_nothing(tmp_path, sign):
    assert search(tmp_path, f"{sign}--bind-to core\n").of("binding") == ()


def test_all_marks_are_tried():
    assert {mark for mark, _ in KNOWN} == set(evidence.MARKS)


def test_find_phase_alone(tmp_path):
    lines = search(
        tmp_path,
        f"external-mpi-args = mpirun --bind-to socket\n"
        f"exe = mpirun --bind-to socket {'x' * 200} /bin/dfind --pool p\n"
        "exe = mpirun --bind-to socket ./ior\n",
    ).of("binding")
    assert [line.of_find for line in lines] == [True, True, False]


def test_long_lines_are_quoted_in_part_and_printable(tmp_path):
    (line,) = search(tmp_path, "x" * 500 + " --bind-to \x1b[31mcore " + "y" * 500).of("binding")
    assert line.text.startswith("…")
    assert line.text.endswith("…")
    assert len(line.text) < 200
    assert "\x1b" not in line.text


def test_binary_files_are_not_read(tmp_path):
    found = search(tmp_path, "a\0--bind-to core\n", name="core.bin")
    assert (found.files, found.of("binding")) == ((), ())


def test_one_file(tmp_path):
    path = tmp_path / "job.sh"
    path.write_text("taskset -c 0 fio\n")
    assert evidence.search(path).of("binding")[0].where == "job.sh:1"


def test_many_lines_are_cut(tmp_path):
    found = search(tmp_path, "numactl x\n" * (evidence.MOST_LINES + 5))
    assert len(found.of("binding")) == evidence.MOST_LINES
