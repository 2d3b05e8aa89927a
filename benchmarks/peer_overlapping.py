"""Measures of networkit or clusim on two clusterings; run by a Python that has them: see overlapping.py."""

from __future__ import annotations

import json
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from typing import Any

Sets = list[list[int]]  # the clusters of each element
Calls = dict[str, Callable[[], float]]


def networkit(gold: Sets, pred: Sets) -> Calls:
    import networkit as nk

    nk.setNumberOfThreads(1)
    graph, covers = nk.Graph(len(gold)), []
    for side in (gold, pred):
        cover = nk.Cover(len(side))
        cover.setUpperBound(1 + max(map(max, side)))
        for element, labels in enumerate(side):
            for label in labels:
                cover.addToSubset(label, element)
        covers.append(cover)

    def best(side: Any, against: Any) -> float:
        return float(nk.community.CoverF1Similarity(graph, side, against).run().getUnweightedAverage())

    return {
        "overlapping_nmi": lambda: 1 - nk.community.OverlappingNMIDistance().getDissimilarity(graph, *covers),
        "community_f1": lambda: (best(*covers) + best(*reversed(covers))) / 2,
    }


def clusim(gold: Sets, pred: Sets) -> Calls:
    from clusim import sim
    from clusim.clusimelement import element_sim
    from clusim.clustering import Clustering

    sides = []
    for side in (gold, pred):
        members: dict[int, list[int]] = defaultdict(list)
        for element, labels in enumerate(side):
            for label in labels:
                members[label].append(element)
        sides.append(Clustering(clu2elm_dict=dict(members)))
    return {"omega": lambda: sim.omega_index(*sides), "element_centric": lambda: element_sim(*sides, alpha=0.9)}


def main() -> None:
    calls = {"networkit": networkit, "clusim": clusim}[sys.argv[1]]
    with open(sys.argv[2]) as file:
        gold, pred = json.load(file)
    results = {}
    known = calls(gold, pred)
    for name in sys.argv[3:]:
        start = time.process_time()
        value = float(known[name]())
        results[name] = value, time.process_time() - start
    print(json.dumps(results))


if __name__ == "__main__":
    main()
