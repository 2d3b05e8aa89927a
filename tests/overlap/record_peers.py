"""Record what cdlib, networkit and clusim say about overlapping clusterings, in peers.json beside this file.

They are too heavy to be test dependencies, and clusim 0.4 needs a scipy older than ours. Where they are installed:
pip install cdlib networkit clusim "scipy<1.11" "numpy<2" "pandas<3" && python tests/overlap/record_peers.py
"""

from __future__ import annotations

import json
import math
import random
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

Cover = list[list[int]]
PEERS = Path(__file__).with_name("peers.json")


def random_cover(rng: random.Random, n: int) -> Cover:
    """Clusters of any size; often one inside another, the same one twice, or one larger than half of all elements."""
    clusters = [rng.sample(range(n), rng.randint(1, max(2, n // 3))) for _ in range(rng.randint(2, 2 + n // 5))]
    if rng.random() < 0.4:
        clusters.append(rng.sample(max(clusters, key=len), max(map(len, clusters)) // 2 + 1))
    if rng.random() < 0.4:
        clusters.append(list(rng.choice(clusters)))
    if rng.random() < 0.4:
        clusters.append(rng.sample(range(n), n // 2 + rng.randint(1, n // 4 + 1)))
    uncovered = [e for e in range(n) if not any(e in cluster for cluster in clusters)]
    for e in uncovered:
        if rng.random() < 0.5:
            rng.choice(clusters).append(e)
        else:
            clusters.append([e])
    return [sorted(set(cluster)) for cluster in clusters]


def nearly(rng: random.Random, cover: Cover, n: int) -> Cover:
    """A clustering like the other, with a few memberships taken away or added; every element keeps one."""
    clusters = [{e for e in cluster if rng.random() < 0.85} for cluster in cover]
    clusters = [cluster for cluster in clusters if cluster] or [{0}]
    for _ in range(n // 6 + 1):
        rng.choice(clusters).add(rng.randrange(n))
    for e in set(range(n)) - set().union(*clusters):
        rng.choice(clusters).add(e)
    return [sorted(cluster) for cluster in clusters]


def random_pairs() -> dict[str, tuple[Cover, Cover]]:
    rng = random.Random(20261115)
    pairs = {}
    for k in range(40):
        n = rng.randint(6, 60)
        gold = random_cover(rng, n)
        pred = nearly(rng, gold, n) if k % 2 else random_cover(rng, n)
        pairs[f"random {k}"] = gold, pred
    return pairs


def random_partitions() -> dict[str, tuple[Cover, Cover]]:
    """Drawn after the others; only clusim, whose element-centric similarity has a closed form there, is asked."""
    rng = random.Random(20261116)
    pairs = {}
    for k in range(12):
        sides = []
        labels = [rng.randrange(rng.randint(1, 12)) for _ in range(rng.randint(20, 120))]
        for right in (1.0, 0.6):
            kept = [label if rng.random() < right else rng.randrange(12) for label in labels]
            sides.append([[e for e, own in enumerate(kept) if own == label] for label in sorted(set(kept))])
        pairs[f"random partitions {k}"] = sides[0], sides[1]
    return pairs


def span(start: int, stop: int) -> list[int]:
    return list(range(start, stop))


ALL = span(0, 6)
CHOSEN: dict[str, tuple[Cover, Cover]] = {
    "identical": ([[0, 1, 2], [2, 3, 4, 5]], [[0, 1, 2], [2, 3, 4, 5]]),
    "identical, in another order": ([[0, 1, 2], [3, 4, 5], [2, 3]], [[3, 4, 5], [0, 1, 2], [2, 3]]),
    "identical, in another order, with a cluster of all": ([ALL, [0, 1], [2, 3]], [ALL, [2, 3], [0, 1]]),
    "every pair alike, clusters not": ([[0, 1], [0, 2], [1, 2]], [[0, 1, 2], [0], [1], [2]]),
    "the same and one more element": ([[0, 1], [0, 2], [1, 2], [3]], [[0, 1, 2], [0], [1], [2], [3]]),
    "a cluster of all against singletons": ([ALL], [[e] for e in ALL]),
    "a cluster of all beside others": ([ALL, [0, 1, 2]], [ALL, [0, 1], [2, 3]]),
    "a cluster of all on one side": ([ALL, [0, 1, 2]], [[0, 1, 2], [3, 4, 5]]),
    "a cluster of all once and twice": ([ALL], [ALL, ALL]),
    "the same cluster once and twice": ([[0, 1, 2], [3, 4]], [[0, 1, 2], [0, 1, 2], [3, 4]]),
    "a large cluster and a small one that share nothing": (
        [span(0, 80), *([e] for e in range(80, 100))],
        [span(80, 83), span(0, 40), span(40, 80), span(83, 100)],
    ),
    "a large cluster and its complement": ([span(0, 9), span(9, 12)], [span(0, 12), span(9, 12)]),
    "h(a) + h(d) = h(b) + h(c)": ([span(0, 6), span(6, 8)], [span(4, 7), span(0, 4), [7]]),
    "h(a) + h(d) = h(b) + h(c), three times as large": (
        [span(0, 18), span(18, 24)],
        [span(12, 21), span(0, 12), span(21, 24)],
    ),
    "partitions": ([[0, 1, 2, 3], [4, 5], [6, 7, 8]], [[0, 1], [2, 3, 4], [5, 6, 7, 8]]),
    "nested": ([span(0, 8), span(0, 4), span(0, 2)], [span(0, 8), span(2, 6), span(0, 2)]),
}


Numbers = dict[str, Callable[[], float]]


def cdlib(gold: Cover, pred: Cover, n: int) -> Numbers:
    import networkx
    from cdlib import NodeClustering, evaluation

    graph = networkx.empty_graph(n)
    sides = [NodeClustering([list(cluster) for cluster in cover], graph, overlap=True) for cover in (gold, pred)]
    older = evaluation.overlapping_normalized_mutual_information_LFK
    return {
        "omega": lambda: evaluation.omega(*sides).score,
        "overlapping_nmi": lambda: evaluation.overlapping_normalized_mutual_information_MGH(*sides).score,
        "overlapping_nmi(normalization=lancichinetti)": lambda: older(*sides).score,
    }


def networkit(gold: Cover, pred: Cover, n: int) -> Numbers:
    import networkit as nk

    graph = nk.Graph(n)
    sides = []
    for cover in (gold, pred):
        side = nk.Cover(n)
        side.setUpperBound(len(cover))
        for k, cluster in enumerate(cover):
            for e in cluster:
                side.addToSubset(k, e)
        sides.append(side)

    def best(of: Any, against: Any) -> float:
        return nk.community.CoverF1Similarity(graph, of, against).run().getUnweightedAverage()

    true, predicted = sides
    return {
        "overlapping_nmi": lambda: 1 - nk.community.OverlappingNMIDistance().getDissimilarity(graph, true, predicted),
        "community_f1": lambda: (best(true, predicted) + best(predicted, true)) / 2,
        "community_f1.gold_f1": lambda: best(true, predicted),
        "community_f1.pred_f1": lambda: best(predicted, true),
    }


def clusim(gold: Cover, pred: Cover, n: int) -> Numbers:
    from clusim import sim
    from clusim.clusimelement import element_sim
    from clusim.clustering import Clustering

    sides = [Clustering(clu2elm_dict={k: list(cluster) for k, cluster in enumerate(cover)}) for cover in (gold, pred)]
    return {"omega": lambda: sim.omega_index(*sides), "element_centric": lambda: element_sim(*sides, alpha=0.9)}


def number(value: Callable[[], float]) -> float | None:
    """None where there is none: an exception, or NaN."""
    try:
        result = float(value())
    except Exception:  # cdlib raises no other kind
        return None
    return result if math.isfinite(result) else None


def record() -> None:
    cases = []
    partitions = random_partitions()
    for name, (gold, pred) in (CHOSEN | random_pairs() | partitions).items():
        case: dict[str, Any] = {"name": name, "gold": gold, "pred": pred}
        for peer in (clusim,) if name in partitions else (cdlib, networkit, clusim):
            numbers = peer(gold, pred, 1 + max(map(max, gold)))
            case[peer.__name__] = {measure: number(value) for measure, value in numbers.items()}
        cases.append(case)
    versions = {peer.__name__: version(peer.__name__) for peer in (cdlib, networkit, clusim)}
    lines = ",\n".join(f"  {json.dumps(case)}" for case in cases)
    PEERS.write_text(f'{{\n "versions": {json.dumps(versions)},\n "cases": [\n{lines}\n ]\n}}\n', encoding="utf-8")


if __name__ == "__main__":
    record()
