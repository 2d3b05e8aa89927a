"""Constraints and measures written from their definitions: sets, fractions, and no code of the library."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations

Clusters = list[frozenset[int]]
Step = tuple[Clusters, Clusters, Clusters]  # gold, the worse prediction, the better one


def clusterings(elements: list[int]) -> Iterator[Clusters]:
    """All of them: the first element alone, or with any of the others."""
    if not elements:
        yield []
        return
    first, rest = elements[0], elements[1:]
    for size in range(len(rest) + 1):
        for mates in combinations(rest, size):
            for others in clusterings([e for e in rest if e not in mates]):
                yield [frozenset({first, *mates}), *others]


def golds(n: int) -> list[Clusters]:
    """One clustering for each list of cluster sizes."""
    found = {tuple(sorted(map(len, c), reverse=True)): c for c in clusterings(list(range(1, n + 1)))}
    return list(found.values())


def homogeneity_steps(n: int) -> Iterator[Step]:
    for gold in golds(n):
        for worse in clusterings(list(range(1, n + 1))):
            for cluster in worse:
                parts = [cluster & category for category in gold if cluster & category]
                if len(parts) == 2:
                    yield gold, worse, [c for c in worse if c != cluster] + parts


def completeness_steps(n: int) -> Iterator[Step]:
    for gold in golds(n):
        for worse in clusterings(list(range(1, n + 1))):
            for one, other in combinations(worse, 2):
                if any(one | other <= category for category in gold):
                    yield gold, worse, [c for c in worse if c not in (one, other)] + [one | other]


def _mean_f(gold: Clusters, pred: Clusters, less: int) -> Fraction:
    total = Fraction(0)
    elements = sorted(e for cluster in gold for e in cluster)
    for e in elements:
        mine = next(cluster for cluster in gold if e in cluster)
        found = next(cluster for cluster in pred if e in cluster)
        right, both = len(mine & found) - less, len(mine) + len(found) - 2 * less
        total += Fraction(2 * right, both) if both else 1
    return total / len(elements)


def elm(gold: Clusters, pred: Clusters) -> Fraction:
    return _mean_f(gold, pred, 1)


def bcubed(gold: Clusters, pred: Clusters) -> Fraction:
    return _mean_f(gold, pred, 0)


def linked(clusters: Clusters) -> set[tuple[int, int]]:
    return {pair for cluster in clusters for pair in combinations(sorted(cluster), 2)}


def jaccard(gold: Clusters, pred: Clusters) -> Fraction:
    both, either = linked(gold) & linked(pred), linked(gold) | linked(pred)
    return Fraction(len(both), len(either)) if either else Fraction(1)


def purity(gold: Clusters, pred: Clusters) -> Fraction:
    return Fraction(sum(max(len(c & g) for g in gold) for c in pred), sum(map(len, gold)))


MEASURES: dict[str, Callable[[Clusters, Clusters], Fraction]] = {
    "elm": elm, "bcubed": bcubed, "jaccard": jaccard, "purity": purity,
}  # fmt: skip
