"""``python -m benchmarks.engines``: counting in DuckDB and polars against the same written by hand, on the same files.

``python -m benchmarks.engines large`` takes 1e8 rows and measures what a limit of 2 GB leaves of the memory; it needs
about 6 GB of disk and ten minutes.
"""

from __future__ import annotations

import datetime
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import polars as pl

import clusterscore as cs
from benchmarks.timing import best_of, in_turns, same, shown

Row = tuple[str, ...]

METRICS = ["elm", "bcubed"]
MADE = """
COPY (
    WITH dealt AS (
        SELECT i, {clusters} AS gold, {other} AS other FROM (
            SELECT i, hash(i) / 18446744073709551616.0 AS u, hash(i + {rows}) / 18446744073709551616.0 AS v,
                   hash(i + 2 * {rows}) / 18446744073709551616.0 AS w
            FROM range({rows}) t(i)))
    SELECT {columns} FROM dealt
) TO '{path}' (FORMAT parquet)
"""
BY_HAND = """
WITH cells AS (SELECT gold, pred, count(*) AS n FROM {source} GROUP BY ALL),
     sized AS (SELECT n, sum(n) OVER (PARTITION BY gold) AS a, sum(n) OVER (PARTITION BY pred) AS b FROM cells)
SELECT n, a::BIGINT AS a, b::BIGINT AS b, count(*) AS times FROM sized GROUP BY ALL
"""
TWICE = "SELECT count(*) FROM (SELECT element FROM read_parquet('{path}') GROUP BY element HAVING count(*) > 1)"
JOINED = """(SELECT g.cluster AS gold, p.cluster AS pred
             FROM read_parquet('{gold}') g FULL JOIN read_parquet('{pred}') p ON g.element = p.element)"""


class Files:
    """Gold and prediction of Zipf clusters, as one file and as two, with integers or strings for keys."""

    def __init__(self, folder: str, rows: int, strings: bool):
        self.rows = rows
        kind = "text" if strings else "numbers"
        self.both, self.gold, self.pred = (f"{folder}/{kind}-{name}.parquet" for name in ("both", "gold", "pred"))
        # cluster sizes follow Zipf's law: a uniform number to a power; 30% of the elements are dealt anew
        cluster = f"floor(power({rows} / 5, {{}}))::BIGINT"
        name = "'cluster-' || {}" if strings else "{}"
        element = "'element-' || i" if strings else "i"
        pred = f"CASE WHEN hash(i + 3 * {rows}) % 10 < 7 THEN gold ELSE other END"
        columns = {
            self.both: f"{name.format('gold')} AS gold, {name.format('(' + pred + ')')} AS pred",
            self.gold: f"{element} AS element, {name.format('gold')} AS cluster",
            self.pred: f"{element} AS element, {name.format('(' + pred + ')')} AS cluster",
        }
        for path, chosen in columns.items():
            if not Path(path).exists():
                order = " ORDER BY hash(i)" if path == self.pred and rows <= 10**7 else ""
                duckdb.connect().execute(
                    MADE.format(rows=rows, clusters=cluster.format("u"), other=cluster.format("v"), path=path,
                                columns=chosen).replace("FROM dealt\n", f"FROM dealt{order}\n")
                )  # fmt: skip


def element_scores(n: Any, a: Any, b: Any, times: Any) -> list[float]:
    """ELM and BCubed from rows, as one writes them below the query."""
    n, a, b, times = (np.asarray(column, np.float64) for column in (n, a, b, times))
    total = float((n * times).sum())
    elm = np.where(a + b == 2, n, 2 * n * (n - 1) / np.maximum(a + b - 2, 1))
    return [float((times * elm).sum()) / total, float((times * 2 * n * n / (a + b)).sum()) / total]


def ours(*arguments: Any, **options: Any) -> list[float]:
    card = cs.score_table(*arguments, metrics=METRICS, **options)
    return [card[name].value for name in METRICS]


def by_sql(source: str, *checks: str) -> list[float]:
    connection = duckdb.connect(config={"preserve_insertion_order": "false"})
    for check in checks:
        assert connection.execute(check).fetchall() == [(0,)]
    counts = connection.sql(BY_HAND.format(source=source)).fetchnumpy()
    return element_scores(*(counts[name] for name in ("n", "a", "b", "times")))


def by_polars(path: str) -> list[float]:
    n = pl.col("n")
    plan = (
        pl.scan_parquet(path).group_by("gold", "pred").agg(n=pl.len().cast(pl.Int64))
        .with_columns(a=n.sum().over("gold"), b=n.sum().over("pred"))
        .group_by("n", "a", "b").agg(times=pl.len())
    )  # fmt: skip
    counts = plan.collect()
    return element_scores(*(counts[name].to_numpy() for name in ("n", "a", "b", "times")))


def compared(what: str, left: Callable[[], list[float]], right: Callable[[], list[float]], turns: int) -> Row:
    same(left(), right())
    times = in_turns(left, right, turns)
    return (what, shown(times[0]), shown(times[1]), f"{times[0] / times[1]:.2f}x the time", "<= 1.3x")


def against_hand(files: Files, turns: int, strings: bool) -> Iterator[Row]:
    size = f"{files.rows:.0e} rows, {'strings' if strings else 'integers'}"
    source = f"read_parquet('{files.both}')"
    yield compared(f"DuckDB, one file, {size}", lambda: ours(files.both), lambda: by_sql(source), turns)
    yield compared(
        f"DuckDB, two files joined, {size}",
        lambda: ours(gold_table=files.gold, pred_table=files.pred),
        lambda: by_sql(JOINED.format(gold=files.gold, pred=files.pred),
                       TWICE.format(path=files.gold), TWICE.format(path=files.pred)),
        turns,
    )  # fmt: skip
    yield compared(f"polars, one file, {size}", lambda: ours(pl.scan_parquet(files.both)),
                   lambda: by_polars(files.both), turns)  # fmt: skip
    frame = pl.read_parquet(files.both)
    in_memory = lambda: [cs.score(frame["gold"], frame["pred"], metrics=METRICS)[name].value for name in METRICS]  # noqa: E731
    same(ours(frame), in_memory(), 0)
    arrays = best_of(in_memory, turns)
    best = min(best_of(lambda: ours(frame), turns), best_of(lambda: ours(files.both), turns))
    what = f"arrays in memory against the better of DuckDB and polars, {size}"
    yield (what, shown(arrays), shown(best), f"{arrays / best:.2f}x the time", "")


LIMITED = """
import resource, sys, time
import clusterscore as cs
start = time.perf_counter()
kind, *paths = sys.argv[1:]
named = {"metrics": kind.split(",") if kind != "default" else None, "memory_limit": "2GB"}
if len(paths) == 1:
    card = cs.score_table(paths[0], **named)
else:
    card = cs.score_table(gold_table=paths[0], pred_table=paths[1], **named)
print(time.perf_counter() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6, card["elm"].value)
"""


def limited(what: str, metrics: str, *paths: str) -> Row:
    """One run in a process of its own, and the most memory that it had."""
    done = subprocess.run([sys.executable, "-c", LIMITED, metrics, *paths], capture_output=True, text=True, check=True)
    seconds, peak, _ = map(float, done.stdout.split())
    return (what, shown(seconds), f"{peak:.2f} GB", "< 2.8 GB")


def under_a_limit(files: Files, strings: bool) -> Iterator[Row]:
    key = "strings" if strings else "integers"
    yield limited(f"one file, {key}, elm + bcubed", "elm,bcubed", files.both)
    yield limited(f"two files joined, {key}, elm + bcubed", "elm,bcubed", files.gold, files.pred)
    yield limited(f"one file, {key}, default set", "default", files.both)


def main() -> None:
    large = "large" in sys.argv[1:]
    print(f"{datetime.date.today()}, Python {platform.python_version()}, DuckDB {duckdb.__version__}, polars "
          f"{pl.__version__}, {os.cpu_count()} cores, {platform.machine()}\n")  # fmt: skip
    if large:
        print("| 1e8 rows, memory_limit=2GB | time | peak memory | target |\n| :--- | ---: | ---: | ---: |")
    else:
        print("| what | clusterscore | by hand | ratio | target |\n| :--- | ---: | ---: | ---: | ---: |")
    with tempfile.TemporaryDirectory(prefix="benchmark-", dir=os.environ.get("BENCHMARK_FOLDER")) as folder:
        for strings in (False, True):
            files = Files(folder, 10**8 if large else 10**7, strings)
            for row in under_a_limit(files, strings) if large else against_hand(files, 3, strings):
                print("| " + " | ".join(row) + " |", flush=True)
            for path in (files.both, files.gold, files.pred):
                os.unlink(path)


if __name__ == "__main__":
    main()
