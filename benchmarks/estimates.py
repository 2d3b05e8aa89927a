"""``python -m benchmarks.estimates PYTHON``: 1,000 sampled gold clusters in a million records, against er-evaluation.

PYTHON is the path of one that has er-evaluation (``pip install er-evaluation==2.3.0`` in an environment of its own).
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd

import clusterscore as cs
from benchmarks.timing import best_of, same, shown


def main() -> None:
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
