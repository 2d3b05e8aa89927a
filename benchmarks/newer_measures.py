"""``python -m benchmarks.newer_measures``: what reduced mutual information and graded memberships cost.

``--peers PYTHON`` names a Python that has clustering-mi, in an environment of its own; without it, that part is left
out. Times are CPU seconds.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import clusterscore as cs
from benchmarks.timing import same, shown

ELEMENTS = 100_000
PEER = """
import json, sys, time
from clustering_mi import normalized_mutual_information
gold, pred = json.load(sys.stdin)
start = time.process_time()
value = normalized_mutual_information(pred, gold, variation="reduced", normalization="second")
print(json.dumps([float(value), time.process_time() - start]))
"""


def cpu(work: Callable[[], Any], turns: int = 5) -> float:
    """CPU seconds of the fastest turn."""
    times = []
    for _ in range(turns):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def reduced_mi(python: str | None) -> None:
    k = np.arange(ELEMENTS)
    sides = {
        "101 clusters": ((k * k + 3 * k) % 101, ((k * k + 3 * k) % 101 + (k % 11 == 0)) % 101),
        "20,000 clusters": (k // 5, (k + 5 * (k % 7 == 0)) // 5),
        "clusters of all sizes": (np.sqrt(k).astype(int), np.sqrt(k + k % 5).astype(int)),
    }
    for name, (gold, pred) in sides.items():
        seconds = cpu(lambda gold=gold, pred=pred: cs.reduced_mi(gold, pred))  # type: ignore[misc]
        line = f"reduced_mi of {ELEMENTS:,} elements, {name}: {shown(seconds)}"
        if python is not None and name == "101 clusters":  # beyond a thousand clusters the peer takes minutes
            given = json.dumps([gold.tolist(), pred.tolist()])
            made = subprocess.run([python, "-c", PEER], input=given, capture_output=True, text=True, check=True)
            value, theirs = json.loads(made.stdout)
            same(cs.reduced_mi(gold, pred).value, value, 1e-4)  # it looks for alpha between 1e-4 and 1e4 only
            line += f"; clustering-mi {shown(theirs)}"
        print(line)


def graded() -> None:
    """Twice as many elements take twice the time."""
    for count in (ELEMENTS, 2 * ELEMENTS):
        rng = np.random.default_rng(count)
        sides = [
            cs.Clustering.from_graded([{int(c): float(w), 50: 1.0} for c, w in zip(*side, strict=True)])
            for side in ((rng.integers(0, 50, count), rng.random(count)) for _ in "gp")
        ]
        print(f"fuzzy_rand of {count:,} graded elements: {shown(cpu(lambda s=sides: cs.fuzzy_rand(*s)))}")  # type: ignore[misc]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--peers", metavar="PYTHON")
    reduced_mi(parser.parse_args().peers)
    graded()
