"""Curves join what is alike, and saturation is what a hand-made curve shows."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storagebook.errors import StoragebookError
from storagebook.sweep import curves, points
from storagebook.sweep.curves import first_near, possible
from sweep_rows import row

KIB = 1024


def at(transfer, value, file, iteration=0, **settings):
    settings = {"transfer_b": transfer, "tasks": 2, "access": "file-per-process"} | settings
    return row(value, file=file, run=file, iteration=iteration, settings=settings)


def found(rows, axis="transfer", quantity="bandwidth"):
    return curves.curves(points.sweep_of(rows).points, axis, quantity)


class TestFirstNear:
    @pytest.mark.parametrize(
        ("values", "share", "index"),
        [
            ([1, 2, 4, 8, 8], 0.9, 3),
            ([1, 2, 4, 8, 8.5], 0.9, 3),
            ([1, 2, 4, 8, 9], 0.9, 4),
            ([5, 10, 7], 0.9, 1),
            ([9, 10], 0.9, 0),
            ([9, 10], 1.0, 1),
            ([3], 0.5, 0),
            ([0, 0], 0.9, 0),
        ],
    )
    def test_known(self, values, share, index):
        assert first_near(values, share) == index

    @pytest.mark.parametrize(
        ("values", "share"), [([], 0.9), ([-1, 2], 0.9), ([1], 0.0), ([1], 1.1)]
    )
    def test_senseless(self, values, share):
        with pytest.raises(StoragebookError):
            first_near(values, share)


class TestPossible:
    def test_known(self):
        # the second level may be 9.5 of 10, or 8 of 10
        assert possible([(1, 2), (8, 9.5), (9, 10)], 0.9) == (1, 2)

    def test_samples_that_are_alike_leave_one_level(self):
        assert possible([(1, 1), (8, 8), (10, 10)], 0.9) == (2,)

    def test_any_level_of_a_flat_and_noisy_curve(self):
        assert possible([(5, 10), (5, 10), (5, 10)], 0.9) == (0, 1, 2)

    def test_a_level_far_below_the_others_is_none(self):
        assert possible([(1, 2), (5, 10)], 0.9) == (1,)


ranges = st.lists(
    st.tuples(st.integers(1, 20), st.integers(0, 10)).map(lambda pair: (pair[0], sum(pair))),
    min_size=1,
    max_size=4,
)
shares = st.sampled_from([0.5, 0.75, 1.0])


@given(ranges, shares)
def test_possible_is_what_trying_every_value_gives(own, share):
    tried = {
        first_near(values, share)
        for values in itertools.product(*(range(low, high + 1) for low, high in own))
    }
    # whole values are some of all; ends of ranges are among them, and these decide
    assert tried <= set(possible(own, share))


@given(ranges, shares)
def test_each_possible_level_has_values_that_make_it_the_first(own, share):
    for k in possible(own, share):
        bearable = own[k][1] / share
        values = [low for low, _ in own[:k]] + [own[k][1]]
        values += [min(high, bearable) for _, high in own[k + 1 :]]
        assert first_near(values, share) == k


@given(ranges, shares, st.sampled_from([0.25, 2.0, 1024.0]))
def test_saturation_has_no_unit(own, share, factor):
    scaled = [(low * factor, high * factor) for low, high in own]
    assert possible(own, share) == possible(scaled, share)
    highs = [high for _, high in own]
    assert first_near(highs, share) == first_near([factor * high for high in highs], share)


@given(ranges, shares)
def test_the_level_of_the_means_is_possible(own, share):
    assert first_near([(low + high) / 2 for low, high in own], share) in possible(own, share)


class TestCurves:
    ROWS = (
        at(KIB, 1024.0, "a"),
        at(KIB, 1536.0, "a", iteration=1),
        at(64 * KIB, 8192.0, "b"),
        at(64 * KIB, 9216.0, "b", iteration=1),
        at(1024 * KIB, 9216.0, "c"),
        at(1024 * KIB, 9728.0, "c", iteration=1),
    )

    def test_one_curve(self):
        (curve,) = found(self.ROWS)
        assert [curve.text_of(level.value) for level in curve.levels] == [
            "1 KiB",
            "64 KiB",
            "1 MiB",
        ]
        assert [(level.low, level.mean, level.high) for level in curve.levels] == [
            (1.0, 1.25, 1.5),
            (8.0, 8.5, 9.0),
            (9.0, 9.25, 9.5),
        ]
        assert (curve.label, curve.differs, curve.single) == ("ior write", (), False)

    def test_its_saturation(self):
        (curve,) = found(self.ROWS)
        # 8.5 is 92 % of 9.25; 8 of 9.5 is 84 %
        near = curves.saturation(curve, 10)
        assert (near.level, near.best, near.possible) == (1, 2, (1, 2))
        assert near.final_share == 1
        assert curves.saturation(curve, 5).level == 2
        assert curves.saturation(curve, 5).rises(3)

    def test_another_run_of_a_level_adds_its_samples(self):
        again = at(KIB, 2048.0, "d")
        (curve,) = found([*self.ROWS, again])
        assert (curve.levels[0].count, curve.levels[0].mean, curve.levels[0].high) == (3, 1.5, 2.0)

    @pytest.mark.parametrize("other", [{"tasks": 4}, {"access": "single-shared-file"}])
    def test_what_differs_makes_another_curve(self, other):
        rows = [at(KIB, 1.0, "a"), at(64 * KIB, 2.0, "b", **other)]
        assert found(rows) == []
        both = [*self.ROWS, at(KIB, 5.0, "x", **other), at(64 * KIB, 6.0, "y", **other)]
        labels = [curve.label for curve in found(both)]
        assert len(labels) == 2
        assert len(set(labels)) == 2

    def test_what_changes_along_the_way_is_named(self):
        rows = [at(KIB, 1.0, "a", block_b=1 << 20), at(64 * KIB, 2.0, "b", block_b=1 << 24)]
        (curve,) = found(rows)
        assert curve.differs == ("block size: 1 MiB, 16 MiB",)

    def test_what_differs_at_one_level_is_no_repetition(self):
        rows = [
            at(transfer, value, f"{transfer}-{block}", block_b=block)
            for transfer, value in ((KIB, 1.0), (64 * KIB, 2.0))
            for block in (1 << 20, 1 << 24)
        ]
        assert [curve.single for curve in found(rows)] == [True, True]
        assert len({curve.label for curve in found(rows)}) == 2

    def test_parts_of_a_run_are_no_samples(self):
        rows = [
            row(
                v, tool="fio", scope="job", file=f, run=f, settings={"job": job, "transfer_b": size}
            )
            for f, size, v in (("a", KIB, 1.0), ("b", 64 * KIB, 2.0))
            for job in "xy"
        ]
        assert found(rows) == []

    def test_in_flight_is_tasks_times_depth(self):
        rows = [
            row(
                1024.0 * depth,
                tool="fio",
                scope="group",
                file=str(depth),
                run=str(depth),
                settings={"tasks": 2, "queue_depth": depth, "api": "libaio", "transfer_b": KIB},
            )
            for depth in (1, 8)
        ]
        (curve,) = found(rows, "concurrency")
        assert [level.value for level in curve.levels] == [2, 16]
        assert curve.held["tasks"] == 2
        assert found(rows, "transfer") == []

    def test_over_apis(self):
        rows = [at(KIB, 1.0, "a", api="POSIX"), at(KIB, 2.0, "b", api="DFS")]
        (curve,) = found(rows, "api")
        assert [level.value for level in curve.levels] == ["DFS", "POSIX"]

    def test_what_the_files_do_not_tell_is_on_no_axis(self):
        rows = [row(1.0, file=name, run=name, settings={"tasks": 2}) for name in "ab"]
        assert found(rows) == []
