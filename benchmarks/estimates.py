"""``python -m benchmarks.estimates [PYTHON]``: sampled gold clusters, in memory and where the records are.

1,000 of them in 1e7 records of a Parquet file, against a plain count of its clusters by DuckDB; and in a million
records, against er-evaluation. PYTHON is the path of one that has that (``pip install er-evaluation==2.3.0`` in an
environment of its own).
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd

import clusterscore as cs
from benchmarks.timing import best_of, in_turns, same, shown
from clusterscore.engines.sample_in_place import find_touched

RECORDS = 10_000_000


def in_a_file(folder: Path) -> None:
    """Estimates and look-ups in a Parquet file, against ``SELECT cluster, count(*) ... GROUP BY cluster``."""
    print("| what | clusterscore | plain count | ratio | target |\n| :--- | ---: | ---: | ---: | ---: |")
    rng = np.random.default_rng(0)
    gold = np.sort(rng.integers(0, RECORDS // 5, RECORDS))
    pred = np.where(rng.random(RECORDS) < 0.1, rng.integers(0, RECORDS // 5, RECORDS), gold)
    frame, path = pd.DataFrame({"element": np.arange(RECORDS), "cluster": pred}), folder / "pred.parquet"
    frame.sample(frac=1, random_state=0).to_parquet(path, index=False)
    count = f"SELECT cluster, count(*) AS size FROM '{path}' GROUP BY cluster"
    sampled = np.flatnonzero(np.isin(gold, rng.choice(np.unique(gold), 1000, replace=False)))
    sample = pd.DataFrame({"element": sampled, "cluster": gold[sampled]})
    work = partial(cs.estimate, sample, path, metrics="pairwise", resamples=0)
    same(
        work()["pairwise"].interval,
        cs.estimate(sample, frame, metrics="pairwise", resamples=0, weights="uniform")["pairwise"].interval,
    )
    many = rng.choice(RECORDS, 360_000, replace=False)
    touched = find_touched(path, many.tolist())
    same(touched.size[touched.cluster], np.bincount(pred)[pred[many]])
    drawn = cs.draw_sample(path, 1000)
    same(drawn["weight"].sum(), RECORDS)
    for what, ours, target in (
        ("1,000 sampled clusters", work, "<= 3x"),
        ("look-up of 360,000 ids", partial(find_touched, path, many.tolist()), ""),
        ("1,000 records drawn", partial(cs.draw_sample, path, 1000), ""),
    ):
        seconds, plain = in_turns(ours, lambda: duckdb.sql(count).fetchnumpy(), 3)
        ratio = f"{seconds / plain:.2f}x the time"
        print(f"| {what} in {RECORDS:,} records | {shown(seconds)} | {shown(plain)} | {ratio} | {target} |", flush=True)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        in_a_file(Path(folder))
    if len(sys.argv) < 2:
        return
    print("| what | clusterscore | er-evaluation | ratio | target |\n| :--- | ---: | ---: | ---: | ---: |")
    for records in (200_000, 1_000_000):
        rng = np.random.default_rng(0)
        gold = np.sort(rng.integers(0, records // 5, records))
        pred = np.where(rng.random(records) < 0.1, rng.integers(0, records // 5, records), gold)
        sampled = np.flatnonzero(np.isin(gold, rng.choice(np.unique(gold), 1000, replace=False)))
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "given.npz"
            np.savez(path, pred=pred, gold=gold[sampled], sampled=sampled)
            peer = [sys.argv[1], str(Path(__file__).parent / "peer_er_evaluation.py"), str(path)]
            theirs = json.loads(subprocess.run(peer, capture_output=True, text=True, check=True).stdout)
        sample, prediction = pd.Series(gold[sampled], index=sampled), pd.Series(pred)
        precision = cs.estimate(sample, prediction, metrics="pairwise", weights="uniform")["pairwise"].precision
        assert precision is not None
        same([precision.corrected, precision.standard_error], [theirs["value"], theirs["error"]], 1e-7)
        for resamples, what in ((0, "errors and intervals"), (1000, "and 1,000 resamples")):
            ours = best_of(partial(cs.estimate, sample, prediction, metrics="pairwise", resamples=resamples))
            ratio = f"{theirs['seconds'] / ours:.0f}x faster"
            name = f"pairwise P, R and F of 1,000 clusters in {records:,} records, {what}"
            print(f"| {name} | {shown(ours)} | {shown(theirs['seconds'])} | {ratio} | >= 50x |", flush=True)


if __name__ == "__main__":
    main()
