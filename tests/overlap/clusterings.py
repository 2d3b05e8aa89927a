"""Clusterings to try the measures on: all small ones, random ones, and those of several documents."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import permutations
from typing import Any

import pytest

import clusterscore as cs
from overlap.by_definition import Cluster, Cover, elements_of, of_labels

Pair = tuple[Cover, Cover]


def near(expected: Any) -> Any:
    return pytest.approx(expected, abs=1e-12, rel=0)


def covers(n: int, most: int) -> Iterator[tuple[Cluster, ...]]:
    """Every clustering of n elements, all of them covered, with at most so many clusters; the same one may repeat."""
    subsets = [frozenset(e for e in range(n) if bits >> e & 1) for bits in range(1, 1 << n)]

    def extended(start: int, chosen: tuple[Cluster, ...]) -> Iterator[tuple[Cluster, ...]]:
        if frozenset().union(*chosen) == frozenset(range(n)):
            yield chosen
        if len(chosen) < most:
            for k in range(start, len(subsets)):
                yield from extended(k, (*chosen, subsets[k]))

    yield from extended(0, ())


def canonical(cover: Cover, n: int) -> tuple[tuple[int, ...], ...]:
    """The same for all clusterings that differ only in the names of their elements."""
    return min(
        tuple(sorted(tuple(sorted(order[e] for e in cluster)) for cluster in cover)) for order in permutations(range(n))
    )


def pairs_of_covers(n: int, most: int) -> list[Pair]:
    """Every clustering against every other, up to the names of the elements."""
    every = list(covers(n, most))
    firsts = {canonical(cover, n): cover for cover in reversed(every)}
    return [(gold, pred) for gold in firsts.values() for pred in every]


def is_partition(cover: Cover) -> bool:
    return sum(map(len, cover)) == len(elements_of(cover))


def small_pairs(most: int) -> list[Pair]:
    """Every clustering of up to three elements and so many clusters against every other; of four 17,000 pairs."""
    return [pair for n in (1, 2, 3) for pair in pairs_of_covers(n, most)]


CLUSTERS = pytest.mark.parametrize("most", [3, pytest.param(4, marks=pytest.mark.slow)])


def random_cover(rng: random.Random, n: int) -> list[list[int]]:
    """Every element in one to three clusters, which are often nested, twice there, or hold everything."""
    if rng.random() < 0.15:  # a partition
        labels = [rng.randrange(n) for _ in range(n)]
        return [sorted(cluster) for cluster in of_labels(labels)]
    count = rng.randint(1, 4)
    cover: list[set[int]] = [set() for _ in range(count)]
    for e in range(n):
        for cluster in rng.sample(cover, rng.randint(1, min(3, count))):
            cluster.add(e)
    if rng.random() < 0.3:
        cover.append(set(rng.choice(cover)))
    if rng.random() < 0.2:
        cover.append(set(range(n)))
    if rng.random() < 0.2:
        cover.append({rng.randrange(n)})
    rng.shuffle(cover)
    return [sorted(cluster) for cluster in cover if cluster]


def random_pair(rng: random.Random, most: int = 12) -> Pair:
    n = rng.randint(1, most)
    gold = random_cover(rng, n)
    if rng.random() < 0.1:
        return gold, rng.sample(gold, len(gold))
    return gold, random_cover(rng, n)


def by_document(documents: list[Pair]) -> list[cs.Clustering]:
    """Both sides as rows of (document, element, cluster); ids and names repeat from document to document."""
    sides = []
    for side in (0, 1):
        rows = [(d, e, k) for d, pair in enumerate(documents) for k, cluster in enumerate(pair[side]) for e in cluster]
        where, elements, labels = (list(column) for column in zip(*rows, strict=True))
        sides.append(cs.Clustering.from_labels(labels, elements=elements, documents=where))
    return sides
