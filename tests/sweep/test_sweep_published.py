"""A sweep beside published tables: shapes by hand, and what is refused."""

import pytest

from storagebook.sweep import curves, points, published, told
from sweep_rows import row

KIB = 1024


def write(transfer, mib_s, **settings):
    known = {
        "transfer_b": transfer,
        "tasks": 2,
        "nodes": 1,
        "access": "file-per-process",
        "api": "POSIX",
    }
    name = f"{transfer}"
    return row(mib_s, file=name, run=name, settings=known | settings)


def over(rows, axis="transfer"):
    return curves.curves(points.sweep_of(rows).points, axis, "bandwidth")


class TestShapes:
    ROWS = (write(4 * KIB, 512.0), write(64 * KIB, 1024.0), write(1024 * KIB, 2048.0))

    def test_known_shares(self):
        shapes = published.shapes(over(self.ROWS))
        assert shapes.reference == "1 MiB"
        assert shapes.table.transfer.tolist() == ["4 KiB", "64 KiB", "1 MiB"]
        # by hand, from the source's table: 12 of 178, 178 of 178; 145 of 178
        middle = shapes.shares.set_index(["series", "transfer_b"]).share_pct
        assert middle["this sweep", 4 * KIB] == 25
        assert middle["persistent memory", 4 * KIB] == pytest.approx(12 / 178 * 100)
        assert middle["metadata on SSD", 64 * KIB] == pytest.approx(145 / 178 * 100)
        assert shapes.table.pmem_pct.tolist()[-1] == "100.0"

    def test_a_share_of_rounded_figures_shows_what_they_allow(self):
        shapes = published.shapes(over(self.ROWS))
        # 11.5 of 178.5 to 12.5 of 177.5
        assert shapes.table.pmem_pct.tolist()[0] == "6.4…7.0"

    def test_samples_widen_the_share(self):
        again = row(1024.0, file="z", run="z", settings=dict(self.ROWS[0].settings))
        shapes = published.shapes(over([*self.ROWS, again]))
        assert shapes.table.yours_pct.tolist()[0] == "25.0…50.0"
        assert shapes.table.samples.tolist() == [2, 1, 1]

    def test_what_differs_is_named(self):
        shapes = published.shapes(over(self.ROWS))
        for part in ("clients: 1 against 16", "servers: unknown against 4", "redundancy unknown"):
            assert part in shapes.caveats

    def test_an_unknown_layout_is_named(self):
        rows = [
            row(r.value, file=r.file, run=r.run, settings={"transfer_b": 64 * KIB * n})
            for n, r in zip((1, 16), self.ROWS, strict=False)
        ]
        assert "metric: unknown against" in published.shapes(over(rows)).caveats

    @pytest.mark.parametrize(
        ("more", "rule"),
        [
            ({"tool": "fio"}, "(benchmark)"),
            ({"operation": "read"}, "(metric)"),
            ({"settings": {"access": "single-shared-file"}}, "(metric)"),
        ],
    )
    def test_other_things_are_refused(self, more, rule):
        rows = [
            row(
                1.0 * size,
                **{
                    "file": str(size),
                    "run": str(size),
                    **more,
                    "settings": {"transfer_b": size * KIB, **more.get("settings", {})},
                },
            )
            for size in (4, 64)
        ]
        own = over(rows)
        assert rule in published.refusal(own[0])
        assert published.shapes(own) is None
        texts = [text.format(**values) for text, values in told.beside(own, None)]
        assert any(rule in text for text in texts)

    def test_other_sizes_make_no_shape(self):
        rows = [write(4 * KIB, 1.0), write(8 * KIB, 2.0)]
        assert published.refusal(over(rows)[0]) is None
        assert published.shapes(over(rows)) is None


class TestThresholds:
    @staticmethod
    def ior(tasks, mib_s, nodes=1):
        settings = {"transfer_b": 1 << 20, "tasks": tasks, "nodes": nodes, "tasks_per_node": tasks}
        return row(mib_s, file=str(tasks), run=str(tasks), settings=settings)

    def test_nothing_swept(self):
        frame = published.thresholds([], 10)
        # as the source prints them: 16, about 32, at least 32, at least 256 KiB
        assert frame.published.tolist() == ["16", "about 32", "≥ 32", "≥ 256 KiB"]
        assert set(frame.beside) == {"the files do not sweep it"}

    def test_processes_of_a_node(self):
        rows = [self.ior(1, 100.0), self.ior(8, 700.0), self.ior(16, 950.0), self.ior(32, 1000.0)]
        frame = published.thresholds(over(rows, "concurrency"), 10)
        own = frame[frame.sweep.notna()]
        assert own.published.tolist() == ["16", "about 32"]
        assert own.reached_at.tolist() == ["16; one sample a level"] * 2
        assert own.beside.str.contains("servers unknown on both sides").all()

    def test_of_several_nodes_is_refused(self):
        rows = [self.ior(1, 100.0), self.ior(8, 700.0, nodes=4)]
        frame = published.thresholds(over(rows, "concurrency"), 10)
        assert frame.beside.str.contains("not compared (metric)", regex=False).sum() == 2

    def test_requests_of_fio(self):
        rows = [
            row(
                mib_s,
                tool="fio",
                scope="job",
                file=str(size),
                run=str(size),
                settings={"transfer_b": size * KIB, "pattern": "write"},
            )
            for size, mib_s in ((64, 100.0), (128, 190.0), (512, 200.0))
        ]
        frame = published.thresholds(over(rows), 10)
        own = frame[frame.sweep.notna()]
        assert (own.published.item(), own.reached_at.item()) == (
            "≥ 256 KiB",
            "128 KiB; one sample a level",
        )
