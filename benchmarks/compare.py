"""``python -m benchmarks.compare [PYTHON]``: what intervals and tests cost, against one scoring and against a loop.

PYTHON is a Python that has neleval 3.1.1, in an environment of its own; without it, that part is left out. Times are
CPU seconds of one core, the least of many turns: the ratios hold where other work keeps the cores busy.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # read when NumPy is imported; threads that wait for others use time too

import numpy as np

import clusterscore as cs
from benchmarks.timing import same, shown
from clusterscore.analyses.resampling import draws
from clusterscore.analyses.spread import Weighting, parts_of
from clusterscore.analyses.units import units_of

DOCUMENTS, ELEMENTS, CLUSTERS, RESAMPLES = 1000, 100, 20, 1000
METRICS = ["elm", "bcubed"]
PEER = "bcubed(f=of-means)"  # what neleval calls b_cubed
TURNS = 25
NO_NELEVAL = "neleval: left out; name a Python that has it (pip install neleval==3.1.1) to run it"


class Data(NamedTuple):
    """Labels, documents x elements."""

    gold: Any
    a: Any
    b: Any

    def flat(self, rows: Any = slice(None)) -> tuple[Any, Any, Any, Any]:
        """Gold, both systems and the documents of some rows, as the functions take them; repeated rows are new ones."""
        gold, a, b = (side[rows].ravel() for side in self)
        return gold, a, b, np.repeat(np.arange(len(gold) // ELEMENTS), ELEMENTS)


def in_turns(*works: Callable[[], Any], turns: int = TURNS) -> list[float]:
    """The least CPU seconds of each piece of work; all take turns, after one that is not timed."""
    least = [float("inf")] * len(works)
    for turn in range(turns + 1):
        for k, work in enumerate(works):
            start = time.process_time()
            work()
            if turn:
                least[k] = min(least[k], time.process_time() - start)
    return least


def made(seed: int = 0) -> Data:
    rng = np.random.default_rng(seed)
    shape = (DOCUMENTS, ELEMENTS)
    gold = rng.integers(0, CLUSTERS, shape)
    a, b = (np.where(rng.random(shape) < right, gold, rng.integers(0, CLUSTERS, shape)) for right in (0.7, 0.68))
    return Data(gold, a, b)


def plain(gold: Any, pred: Any, documents: Any, metrics: Any = METRICS) -> list[float]:
    return [score.value for score in cs.score(gold, pred, metrics=metrics, documents=documents).values()]


def check_values(data: Data) -> None:
    """Weights of one are the plain score to 1e-12; a resample is the score of the documents it drew."""
    gold, a, _, documents = data.flat()
    metrics = [cs.metric(name) for name in METRICS]
    tables = {"A": cs.Table.from_labels(gold, a, documents=documents)}
    units = units_of(tables, "documents", "micro")
    parts = {str(metric): parts_of(metric, list(tables.values()), units, "micro") for metric in metrics}
    weighting = Weighting({name: part for name, part in parts.items() if not isinstance(part, str)})

    def weighed(weights: Any) -> list[float]:
        sums = weights[None] @ weighting.columns
        return [float(weighting.scores(sums, name, 0)[0]) for name in parts]

    same(weighed(np.ones(DOCUMENTS)), plain(gold, a, documents), 1e-12)
    weights = next(draws(units, 1, 3))[0]
    gold, a, _, documents = data.flat(np.repeat(np.arange(DOCUMENTS), weights.astype(int)))
    same(weighed(weights), plain(gold, a, documents), 1e-12)


def against_one_scoring(data: Data) -> None:
    gold, a, b, documents = data.flat()

    def compared(systems: dict[str, Any], metrics: Any) -> cs.Comparison:
        return cs.compare(gold, systems, metrics=metrics, documents=documents, resamples=RESAMPLES)

    def scored(metrics: Any) -> list[list[float]]:
        return [plain(gold, pred, documents, metrics) for pred in (a, b)]

    for name, metrics in (("elm + bcubed", METRICS), ("the default set", None)):
        alone, once, both, twice = in_turns(
            lambda m=metrics: compared({"A": a}, m), lambda m=metrics: plain(gold, a, documents, m),
            lambda m=metrics: compared({"A": a, "B": b}, m), lambda m=metrics: scored(m),
        )  # fmt: skip
        print(f"{name}, one system with its interval: {shown(alone)}; one scoring "
              f"{shown(once)}: {alone / once:.1f}x (<= 5x)")  # fmt: skip
        print(f"{name}, two systems, intervals and the paired test: {shown(both)}; one scoring of each "
              f"{shown(twice)}: {both / twice:.1f}x (<= 5x)")  # fmt: skip


def against_a_loop(data: Data) -> None:
    gold, a, _, documents = data.flat()
    rng = np.random.default_rng(4)

    def rescored() -> list[float]:
        left, right, _, documents = data.flat(rng.integers(0, DOCUMENTS, DOCUMENTS))
        return plain(left, right, documents)

    mine, loop = in_turns(
        lambda: cs.compare(gold, {"A": a}, metrics=METRICS, documents=documents, resamples=RESAMPLES), rescored
    )
    whole = loop * RESAMPLES
    print(f"a loop that draws documents and scores them: {shown(loop)} a resample (best of {TURNS}), {shown(whole)} "
          f"for {RESAMPLES:,}; compare {shown(mine)}: {whole / mine:.0f}x faster (>= 200x)")  # fmt: skip


def against_neleval(data: Data, python: str) -> None:
    gold, a, b, documents = data.flat()
    with tempfile.TemporaryDirectory() as home:
        np.savez(Path(home) / "data.npz", **data._asdict())
        script = Path(__file__).with_name("peer_neleval.py")
        call = [python, str(script), str(Path(home) / "data.npz"), str(RESAMPLES)]
        peer = json.loads(subprocess.run(call, capture_output=True, text=True, check=True).stdout)

    def compared(systems: dict[str, Any]) -> cs.Comparison:
        return cs.compare(gold, systems, metrics=PEER, documents=documents, resamples=RESAMPLES)

    comparison = compared({"A": a, "B": b})
    same([comparison[name][PEER].score.value for name in "AB"], peer["f"], 1e-12)
    interval = comparison["A"][PEER].intervals.percentile
    # both are drawn: their ends differ by an eighth of a deviation or so, and a deviation is a quarter of the width
    same(list(interval), peer["interval"], 0.15 * (interval.high - interval.low))
    seconds = peer["seconds"]
    theirs = seconds["score"] + seconds["interval"]
    alone, both = in_turns(lambda: compared({"A": a}), lambda: compared({"A": a, "B": b}))
    print(f"neleval, b_cubed and {RESAMPLES:,} bootstrap trials: {shown(theirs)} ({shown(seconds['score'])} for the "
          f"scores); compare {shown(alone)}: {theirs / alone:.0f}x faster")  # fmt: skip
    theirs += seconds["second"]
    print(f"neleval, two systems, an interval each and {RESAMPLES:,} permutation trials: {shown(theirs)}; "
          f"compare {shown(both)}: {theirs / both:.0f}x faster")  # fmt: skip
    print(f"  p: neleval {peer['p']:.4f} (one-sided), compare {comparison['B'][PEER].difference.p:.4f} (two-sided)")


def main() -> None:
    data = made()
    check_values(data)
    print("values: weights of one give the plain score, a resample the score of its documents, to 1e-12")
    print(f"{DOCUMENTS:,} documents of {ELEMENTS} elements, {RESAMPLES:,} resamples:")
    against_one_scoring(data)
    against_a_loop(data)
    if len(sys.argv) > 1:
        against_neleval(data, sys.argv[1])
    else:
        print(NO_NELEVAL)


if __name__ == "__main__":
    main()
