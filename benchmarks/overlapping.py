"""``python -m benchmarks.overlapping``: what measures of overlapping clusterings cost, alone and against peers.

``--peers PYTHON`` names a Python that has networkit and clusim, in an environment of its own; ``--data FOLDER`` the one
with the communities of philosophers. Without them, these parts are left out. Times are CPU seconds of one core, so that
other work on the machine matters less.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import Any

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # read when NumPy is imported; threads that wait for others use time too

import bcubed
import numpy as np

import clusterscore as cs
from benchmarks.compare import in_turns
from benchmarks.timing import same, shown

Sets = dict[int, set[int]]
PEERS = (  # with elements, clusters, and clusters of an element
    ("networkit", 20_000, 2000, 3, ("overlapping_nmi", "community_f1")),
    ("clusim", 500, 50, 3, ("omega", "element_centric")),
    ("clusim", 10_000, 500, 1, ("element_centric",)),
)


def made(elements: int, clusters: int, memberships: int = 3, right: float = 0.7, seed: int = 0) -> tuple[Sets, Sets]:
    """Gold, where every element draws its clusters, and a prediction that keeps ``right`` of them and draws the others.

    An element that draws a cluster twice is in it once.
    """
    rng = np.random.default_rng(seed)
    gold = rng.integers(0, clusters, (elements, memberships))
    pred = np.where(rng.random(gold.shape) < right, gold, rng.integers(0, clusters, gold.shape))
    of_gold, of_pred = ({element: set(labels) for element, labels in enumerate(side.tolist())} for side in (gold, pred))
    return of_gold, of_pred


def against_bcubed() -> None:
    for clusters in (20, 100, 500):
        gold, pred = made(2000, clusters)

        def ours(gold: Sets = gold, pred: Sets = pred) -> list[float | None]:
            score = cs.extended_bcubed(gold, pred)
            return [score.precision, score.recall]

        def theirs(gold: Sets = gold, pred: Sets = pred) -> list[float]:
            return [float(bcubed.precision(pred, gold)), float(bcubed.recall(pred, gold))]

        same(ours(), theirs(), 1e-12)
        (mine,), (peer,) = in_turns(ours), in_turns(theirs, turns=1)
        ratio = f"{peer / mine:.0f}x faster (>= 100x)"
        print(
            f"extended_bcubed, N=2,000, {clusters} clusters: {shown(mine)}; bcubed {shown(peer)}: {ratio}", flush=True
        )


def against_peers(python: str) -> None:
    """Values first; then the measure alone: both sides have objects that were made beforehand."""
    for peer, elements, clusters, memberships, names in PEERS:
        gold, pred = made(elements, clusters, memberships)
        lists = [[sorted(labels) for labels in side.values()] for side in (gold, pred)]
        with tempfile.TemporaryDirectory() as home:
            file = Path(home, "clusterings.json")
            file.write_text(json.dumps(lists))
            call = [python, str(Path(__file__).with_name("peer_overlapping.py")), peer, str(file), *names]
            answers = json.loads(subprocess.run(call, capture_output=True, text=True, check=True).stdout)
        for name in names:
            value, seconds = answers[name]
            ours = partial(cs.metric(name), *map(cs.Clustering.from_memberships, (gold, pred)))
            same(ours().value, value, 1e-12 if memberships == 1 else 1e-9)
            (mine,) = in_turns(ours, turns=3)
            what = f"{name}, N={elements:,}, {clusters:,} clusters{', a partition' * (memberships == 1)}"
            what += f": {shown(mine)}; {peer} {shown(seconds)}"
            ratio = f"{seconds / mine:.0f}x faster" if mine < seconds else f"{mine / seconds:.1f}x the time"
            print(f"{what}: {ratio}", flush=True)


def measured(elements: int, clusters: int, metrics: str | None) -> None:
    """One scoring in this process: its CPU seconds, and the peak memory of the process, as JSON."""
    import resource

    gold, pred = made(elements, clusters)
    start = time.process_time()
    cs.score(gold, pred, metrics=metrics)
    seconds = time.process_time() - start
    print(json.dumps([seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20]))


def scaling() -> None:
    """Sizes in processes of their own, so that the peak of one is not that of another."""
    for clusters in (100, 1000, 30_000):
        for metrics in (None, "matched_elm", "omega"):
            code = f"from benchmarks.overlapping import measured; measured(10**5, {clusters}, {metrics!r})"
            out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
            seconds, resident = json.loads(out)
            target = " (< 30 s, < 4 GiB)" if metrics is None else ""
            what = f"{metrics or 'default set'}, N=100,000, 3 memberships, {clusters:,} clusters"
            print(f"{what}: {shown(seconds)}, {resident:.2f} GiB resident{target}", flush=True)


def philosophers(folder: Path) -> None:
    files = [
        folder / "clusim-philosophy" / f"{name}_community_Philosophy.json.gz" for name in ("ground_truth", "detected")
    ]
    sides: list[Any] = [
        {element: set(labels) for element, labels in json.loads(gzip.decompress(file.read_bytes())).items()}
        for file in files
    ]
    for metrics in (None, "element_centric"):
        (mine,) = in_turns(partial(cs.score, *sides, metrics=metrics), turns=2)
        print(f"{metrics or 'default set'}, 1,134 philosophers, 5,416 and 873 clusters: {shown(mine)}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.overlapping")
    parser.add_argument("--peers", help="a Python that has networkit 11.2.2 and clusim 0.4")
    parser.add_argument("--data", type=Path, help="the folder that has clusim-philosophy in it")
    options = parser.parse_args()
    against_bcubed()
    if options.peers:
        against_peers(options.peers)
    else:
        print("networkit, clusim: left out; name a Python that has them with --peers")
    scaling()
    if options.data:
        philosophers(options.data)
    else:
        print("philosophers: left out; name the folder with --data")


if __name__ == "__main__":
    main()
