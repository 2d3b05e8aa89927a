"""``python -m benchmarks.sweep``: every cut at once, against SciPy's fcluster and cs.score for one cut after the other.

CPU seconds. Of the cuts one by one 20 are run, spread over all, compared with the rows of the sweep, and multiplied.
``python -m benchmarks.sweep large`` adds a million elements with five million scored pairs, and its peak memory.
"""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.cluster.hierarchy import fcluster

import clusterscore as cs
from benchmarks.timing import same, shown

OF_MEANS = [
    "elm(f=of-means)",
    "bcubed(f=of-means)",
    *("pairwise", "rand", "adjusted_rand", "jaccard", "fowlkes_mallows", "blanc", "muc"),
    *("v_measure", "nmi", "homogeneity", "completeness", "purity", "inverse_purity"),
]
ELEMENTS = 100_000
TRIED = 20


def tree(shape: str, count: int, rng: np.random.Generator) -> Any:
    """A linkage: random pairs of clusters, always the two oldest, or one element after the other."""
    nodes, size, rows = list(range(count)), [1] * count, []
    for k in range(count - 1):
        if shape == "random":
            for place in (-1, -2):
                other = int(rng.integers(len(nodes) + 1 + place))
                nodes[place], nodes[other] = nodes[other], nodes[place]
            left, right = nodes.pop(), nodes.pop()
        else:
            left, right = (
                (nodes[2 * k], nodes[2 * k + 1]) if shape == "balanced" else (count + k - 1 if k else 0, k + 1)
            )
        nodes.append(count + k)
        size.append(size[left] + size[right])
        rows.append((left, right, k + 1.0, size[-1]))
    return np.array(rows)


def cpu(work: Callable[[], Any]) -> tuple[Any, float]:
    """What it returns, and its CPU seconds."""
    start = time.process_time()
    result = work()
    return result, time.process_time() - start


def one_by_one(gold: Any, linkage: Any, sweep: cs.Sweep, metrics: list[str]) -> float:
    """The CPU seconds of all cuts, from some of them; their scores are those of the sweep."""
    rows = np.linspace(1, len(sweep) - 1, TRIED).astype(int)
    spent = 0.0
    for row in rows:
        height = float(sweep.thresholds[row])
        card, seconds = cpu(lambda at=height: cs.score(gold, fcluster(linkage, at, "distance"), metrics=metrics))
        same([sweep[name][row] for name in metrics], [card[name].value for name in metrics], 1e-12)
        spent += seconds
    return spent / len(rows) * len(sweep)


def main() -> None:
    """Print the table of the README."""
    rng = np.random.default_rng(0)
    golds = {
        "gold clusters of 1 to 10": np.repeat(np.arange(ELEMENTS), rng.integers(1, 11, ELEMENTS))[:ELEMENTS],
        "gold clusters of 1, 2, ... 446 elements": np.repeat(np.arange(446), np.arange(1, 447)),
    }
    print("| every cut | sweep | one by one | ratio | target |\n| :--- | ---: | ---: | ---: | ---: |")
    for shape in ("random", "balanced", "chain"):
        for name, sorted_gold in golds.items():
            gold = rng.permutation(sorted_gold)
            linkage = tree(shape, len(gold), rng)
            for what, metrics, target in (("of means", OF_MEANS, 5), ("with mean F", [*OF_MEANS, "elm", "bcubed"], 20)):
                sweep, ours = cpu(lambda g=gold, z=linkage, m=metrics: cs.sweep(g, z, metrics=m))
                theirs = one_by_one(gold, linkage, sweep, metrics)
                print(
                    f"| {shape} tree, {len(sweep):,} cuts, {name}, {len(metrics)} measures, {what} | {shown(ours)} | "
                    f"{shown(theirs)} | {theirs / ours:,.0f}x faster | < {target} s, >= 1,000x |"
                )
    if "large" in sys.argv:
        count, pairs = 10**6, 5 * 10**6
        gold = rng.integers(0, count // 5, count)
        ends = rng.integers(0, count, (2, pairs))
        ends[1] = np.where(ends[0] == ends[1], (ends[0] + 1) % count, ends[1])
        edges = {"left": ends[0], "right": ends[1], "score": rng.random(pairs)}
        sweep, ours = cpu(lambda: cs.sweep(gold, edges=edges))
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
        what = f"{count:,} elements, {pairs:,} pairs, {len(sweep):,} cuts, default measures"
        print(f"| {what} | {shown(ours)} |  | {memory:.1f} GiB peak | < 4 GiB |")


if __name__ == "__main__":
    main()
