"""Hierarchies of all shapes, and what they are cut into, without the code under test."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np

SHAPES = ("random", "balanced", "chain")


def linkage_of(shape: str, count: int, rng: np.random.Generator, *, heights: int | None = None) -> Any:
    """A linkage matrix; ``heights`` different heights where some are to be tied."""
    nodes, size, rows = list(range(count)), [1] * count, []
    for k in range(count - 1):
        if shape == "chain":
            first, second = (0, 1) if k == 0 else (len(nodes) - 1, 0)
        elif shape == "balanced":
            first, second = 0, 1
        else:
            first, second = rng.choice(len(nodes), 2, replace=False).tolist()
        left, right = nodes[first], nodes[second]
        nodes = [node for place, node in enumerate(nodes) if place not in (first, second)] if count < 5000 else nodes
        if count >= 5000:  # without a copy for every merge
            for place in sorted((first, second), reverse=True):
                nodes[place] = nodes[-1]
                nodes.pop()
        nodes.append(count + k)
        size.append(size[left] + size[right])
        rows.append((left, right, k + 1, size[-1]))
    tree = np.array(rows, float)
    if heights is not None:
        tree[:, 2] = np.sort(rng.integers(0, heights, count - 1))
    return tree


def flat_clusterings(linkage: Any) -> Iterator[list[int]]:
    """Every clustering made of nodes of a small tree, as a label for each leaf."""
    count = len(linkage) + 1
    leaves: dict[int, list[int]] = {k: [k] for k in range(count)}
    ways: dict[int, list[list[int]]] = {k: [[k]] for k in range(count)}
    for k, (left, right, *_) in enumerate(linkage.tolist(), count):
        leaves[k] = leaves[int(left)] + leaves[int(right)]
        ways[k] = [[k], *(first + second for first, second in product(ways[int(left)], ways[int(right)]))]
    for nodes in ways[2 * count - 2]:
        labels = [0] * count
        for node in nodes:
            for leaf in leaves[node]:
                labels[leaf] = node
        yield labels


def dendrogram_purity(gold: list[int], clusters: list[set[int]]) -> float:
    """From the definition: over all pairs of elements of a gold cluster, in the smallest cluster with both."""
    shares = []
    for element in range(len(gold)):
        for other in range(element):
            if gold[element] == gold[other]:
                smallest = min((cluster for cluster in clusters if {element, other} <= cluster), key=len)
                shares.append(sum(gold[k] == gold[element] for k in smallest) / len(smallest))
    return float(np.mean(shares)) if shares else 1.0
