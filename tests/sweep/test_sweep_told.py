"""Each sentence is right in each of its branches."""

import dataclasses

import pytest

from storagebook.readers.archive import Skipped
from storagebook.sweep import curves, points, told
from sweep_rows import row

KIB = 1024


def say(sentences):
    return [text.format(**values) for text, values in sentences]


def sweep(*levels, **settings):
    """A sweep over transfer sizes: each level a tuple of samples in GiB/s."""
    return [
        row(
            1024 * value,
            file=f"{2**n}k",
            run=f"{2**n}k",
            iteration=i,
            settings={"transfer_b": KIB << n, "tasks": 2} | settings,
        )
        for n, samples in enumerate(levels)
        for i, value in enumerate(samples)
    ]


def curve_of(rows, quantity="bandwidth", axis="transfer"):
    (curve,) = curves.curves(points.sweep_of(rows).points, axis, quantity)
    return curve


def told_of(rows, near=10.0):
    (text,) = say(told.said_of_curves([curve_of(rows)], near))
    return text


CACHED = {"nodes": 1, "api": "POSIX", "command": "ior -a POSIX -w -r -C -o /x"}


def read_after_write(**settings):
    rows = sweep((1, 1), (2, 2), **CACHED | settings)
    reads = [dataclasses.replace(one, operation="read", value=9 * one.value) for one in rows]
    found = points.sweep_of([*rows, *reads]).points
    return say(told.from_memory(curves.curves(found, "transfer", "bandwidth")))


class TestMemory:
    def test_one_node_that_reads_what_it_wrote(self):
        (text,) = read_after_write()
        assert text.startswith("*ior read* may be the rate of memory")
        assert "It is 9.0 times *ior write* at 2 KiB." in text

    def test_reads_alone(self):
        rows = [dataclasses.replace(r, operation="read") for r in sweep((1,), (2,), **CACHED)]
        (text,) = say(told.from_memory([curve_of(rows)]))
        assert "times" not in text

    @pytest.mark.parametrize(
        "settings",
        [
            {"nodes": 2},
            {"nodes": None},
            {"api": "DFS"},
            {"command": "ior -a POSIX -B -w -r"},
            {"command": "ior -a POSIX --posix.odirect -w -r"},
        ],
    )
    def test_what_no_page_cache_of_the_writer_serves(self, settings):
        assert read_after_write(**settings) == []


class TestSaturation:
    def test_reached_before_the_best(self):
        text = told_of(sweep((1, 1.1), (9.5, 9.6), (10, 10.1)))
        assert "the best mean, 10.050 GiB/s, comes at 4 KiB; 2 KiB is the first level" in text
        assert "Samples a level: 2. Wherever each level lies" in text

    def test_not_reached(self):
        text = told_of(sweep((1, 1.1), (2, 2.1), (4, 4.1)))
        assert "at 4 KiB, the last level, and no earlier one is within 10 % of it" in text
        assert "the sweep ends before it shows saturation" in text

    def test_passed(self):
        text = told_of(sweep((1, 1), (10, 10), (5, 5)))
        assert "comes at 2 KiB, and no earlier level is within 10 % of it." in text
        assert "At 4 KiB it is back to 50 % of the best." in text

    def test_uncertain(self):
        text = told_of(sweep((1, 2), (8, 9.5), (9, 10)))
        assert "the first such level could be any from 2 KiB to 4 KiB" in text

    def test_one_sample_is_called_so(self):
        text = told_of(sweep((1,), (10,)))
        assert "the best figure" in text
        assert "Each level is one sample" in text
        assert "mean" not in text

    def test_some_levels_are_one_sample(self):
        assert "Samples a level: 1 to 2." in told_of(sweep((1,), (9, 10)))

    def test_runs_gathered_at_a_level_keep_their_distance(self):
        again = [
            dataclasses.replace(one, file=f"again-{one.file}", run=f"again-{one.run}")
            for one in sweep((1.1, 1.1), (8, 8))
        ]
        text = told_of([*sweep((1, 1), (10, 10)), *again])
        # 8 against 10 GiB/s at 2 KiB
        assert (
            "Samples a level: 4, of 2 runs whose own means lie up to 20 % apart (at 2 KiB)" in text
        )

    def test_what_is_not_alike(self):
        rows = sweep((1,), (10,))
        rows[0].settings["block_b"], rows[1].settings["block_b"] = KIB, 2 * KIB
        assert told_of(rows).endswith("Not alike along the way: block size: 1 KiB, 2 KiB.")

    @pytest.mark.parametrize(
        ("levels", "title"),
        [
            (((1,), (9.5,), (10,)), "comes within 10 % of its best at 2 KiB"),
            (((1,), (2,), (10,)), "has not saturated at 4 KiB, the last level"),
            (((1,), (10,), (5,)), "is best at 2 KiB"),
        ],
    )
    def test_title(self, levels, title):
        assert told.title([curve_of(sweep(*levels))], 10) == f"Bandwidth of ior write {title}"

    def test_a_rate_over_sizes_has_ends_and_no_saturation(self):
        rows = [
            row(v, quantity="rate", unit="IOP/s", file=str(n), run=str(n), settings=settings)
            for n, (v, settings) in enumerate(
                [(5000.0, {"transfer_b": KIB}), (2000.0, {"transfer_b": 2 * KIB})]
            )
        ]
        own = [curve_of(rows, "rate")]
        text = "ior write: 5.000 kIOP/s at 1 KiB, 2.000 kIOP/s at 2 KiB"
        assert told.title(own, 10) == text
        assert say(told.said_of_curves(own, 10)) == [f"- *{text[:9]}*{text[9:]}."]


class TestRead:
    def test_all_single(self):
        said = say(told.read(points.sweep_of(sweep((1,), (2,)))))
        assert said[0] == "Bandwidths and rates found: 2, in files: 2. By tool: ior 2."
        assert said[1].startswith("Each is **one sample**")

    def test_some_single(self):
        said = say(told.read(points.sweep_of(sweep((1,), (2, 3)))))
        assert said[1].startswith("Of these, 1 are **one sample**")

    def test_none_single(self):
        said = say(told.read(points.sweep_of(sweep((1, 2), (2, 3)))))
        assert said[1].startswith("Each was repeated")

    def test_nothing(self):
        said = say(told.read(points.sweep_of([row(1.0, tool="mlperf-storage")])))
        assert said[0].startswith("The files hold no bandwidth and no rate")
        assert said[1].endswith("mlperf-storage.")

    def test_copies(self):
        rows = [row(1024.0), row(1024.0, file="b", run="b")]
        assert say(told.read(points.sweep_of(rows)))[-1].startswith(
            "b prints the same figures as a"
        )

    def test_what_was_left_out_stands_among_the_findings(self):
        skipped = [Skipped("x", "a link, not followed", "note"), Skipped("y", "damaged", "error")]
        frame = told.findings(points.sweep_of([], skipped=skipped))
        assert frame.finding.tolist() == ["y: damaged", "x: a link, not followed"]


def test_small_figures_get_a_unit_that_shows_them():
    frame, unit = told.table(points.sweep_of(sweep((0.001,), (2,))), "bandwidth")
    assert unit == "MiB/s"
    assert frame["mean"].tolist() == pytest.approx([1.024, 2048])
    assert frame.transfer.tolist() == ["1 KiB", "2 KiB"]


def test_long_tables_say_so(monkeypatch):
    monkeypatch.setattr(told, "MOST_ROWS", 1)
    found = points.sweep_of(sweep((1,), (2,)))
    assert len(told.table(found, "bandwidth")[0]) == 1
    assert "first 1 of 2" in say(told.rest(found, "bandwidth"))[0]


@pytest.mark.parametrize(
    ("dfs", "posix", "end"),
    [
        ((3.0, 4.0), (1.0, 2.0), "Each sample of the one is above each of the other."),
        ((2.0, 4.0), (1.0, 3.0), "Their samples overlap, so the order may be chance."),
        ((3.0,), (1.0, 2.0), "One of them is one sample"),
    ],
)
def test_apis(dfs, posix, end):
    rows = sweep(dfs, api="DFS") + [
        row(r.value, file="p", run="p", iteration=r.iteration, settings=r.settings)
        for r in sweep(posix, api="POSIX")
    ]
    (text,) = say(told.said_of_apis([curve_of(rows, axis="api")]))
    assert "DFS has the higher mean, POSIX follows." in text
    assert end in text


def test_how_to_sweep_is_told_where_nothing_does():
    for axis, name in curves.AXES.items():
        (text,) = say([told.nothing(axis)])
        assert f"differ in their {name}" in text
