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
    by_sizes = {tuple(sorted(map(len, c), reverse=True)): c for c in clusterings(list(range(1, n + 1)))}
    return list(by_sizes.values())


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
            for first, second in combinations(worse, 2):
                if any(first | second <= category for category in gold):
                    yield gold, worse, [c for c in worse if c not in (first, second)] + [first | second]


def _mean_f(gold: Clusters, pred: Clusters, less: int) -> Fraction:
    total = Fraction(0)
    elements = sorted(e for cluster in gold for e in cluster)
    for e in elements:
        mine = next(cluster for cluster in gold if e in cluster)
        predicted = next(cluster for cluster in pred if e in cluster)
        right, both = len(mine & predicted) - less, len(mine) + len(predicted) - 2 * less
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


def rand(gold: Clusters, pred: Clusters) -> Fraction:
    return rand_of(*pair_counts(gold, pred))


def adjusted_rand(gold: Clusters, pred: Clusters) -> Fraction:
    return adjusted_rand_of(*pair_counts(gold, pred))


def pair_counts(gold: Clusters, pred: Clusters) -> tuple[int, int, int, int]:
    """N11, N10, N01, N00."""
    every = linked([frozenset().union(*gold)])
    both, either = linked(gold) & linked(pred), linked(gold) | linked(pred)
    return len(both), len(linked(gold) - both), len(linked(pred) - both), len(every - either)


def rand_of(n11: int, n10: int, n01: int, n00: int) -> Fraction:
    return Fraction(n11 + n00, n11 + n10 + n01 + n00)


def jaccard_of(n11: int, n10: int, n01: int, n00: int) -> Fraction:
    return Fraction(n11, n11 + n10 + n01) if n11 + n10 + n01 else Fraction(1)


def adjusted_rand_of(n11: int, n10: int, n01: int, n00: int) -> Fraction:
    if not n10 + n01:
        return Fraction(1)
    chance = Fraction((n11 + n10) * (n11 + n01), n11 + n10 + n01 + n00)
    return (n11 - chance) / (Fraction(2 * n11 + n10 + n01, 2) - chance)


PAIR_MEASURES: dict[str, Callable[[int, int, int, int], Fraction]] = {
    "rand": rand_of, "jaccard": jaccard_of, "adjusted_rand": adjusted_rand_of,
}  # fmt: skip


def trivial(clusters: Clusters) -> bool:
    """One cluster, or all singletons."""
    return len(clusters) in (1, sum(map(len, clusters)))


def perfect_steps(n: int) -> Iterator[Step]:
    """A predicted cluster falls into two without cutting a gold cluster; or two inside a gold cluster become one."""
    for gold in golds(n):
        for worse in clusterings(list(range(1, n + 1))):
            for cluster in worse:
                parts = [cluster & category for category in gold if cluster & category]
                rest = [c for c in worse if c != cluster]
                for size in range(1, len(parts)):
                    for some in combinations(parts, size):
                        piece = frozenset().union(*some)
                        if min(parts[0]) in piece:  # each way once
                            yield gold, worse, [*rest, piece, cluster - piece]
    yield from completeness_steps(n)
