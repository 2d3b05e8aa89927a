"""Cases: gold with a worse and a better prediction. Growing families, and all that a few elements can make."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations, product
from typing import NamedTuple

import numpy as np

from clusterscore.distinct import Array, Ints

Labels = Sequence[int]
MOST = 9  # there are 21,147 clusterings of nine elements and 115,975 of ten


class Case(NamedTuple):
    """Two predictions of one gold clustering, of which one ought to score better."""

    gold: Labels
    worse: Labels
    better: Labels
    note: str = ""


class Cases(NamedTuple):
    """Pairs of clusterings to be scored, one a row of labels, and the rows of each case's worse and better prediction.

    Rows that are shorter are filled up with -1. Without notes the pairs are all :func:`pairs` of so many elements.
    """

    gold: Array
    pred: Array
    worse: Ints
    better: Ints
    notes: Sequence[str] = ()

    @classmethod
    def of(cls, cases: Sequence[Case]) -> Cases:
        """Cases that are written out one by one."""
        most, rows = max(len(case.gold) for case in cases), np.arange(len(cases))
        gold, worse, better = (
            np.array([[*case[side], *[-1] * (most - len(case.gold))] for case in cases]) for side in range(3)
        )
        notes = [case.note for case in cases]
        return cls(np.concatenate([gold, gold]), np.concatenate([worse, better]), rows, rows + len(rows), notes)


def blocks(*sizes: int, first: int = 0) -> list[int]:
    """Labels of clusters of these sizes: ``blocks(2, 1)`` is [0, 0, 1]."""
    return [label for label, size in enumerate(sizes, first) for _ in range(size)]


# Families: ``reach`` is how far their parameters go ---------------------------------------------------


def _doubling(reach: int) -> list[int]:
    return [1 << k for k in range(reach.bit_length())]


def mixed_clusters(reach: int) -> Iterator[Case]:
    """A cluster of x of one category and y of another, whose other p and q elements are right."""
    sizes = _doubling(reach)
    for x, y, p, q in product(sizes, sizes, (0, 1, sizes[-1]), (0, 1, sizes[-1])):
        worse = [*blocks(x, p), *blocks(y), *blocks(q, first=2)]
        better = [*blocks(x, p), *blocks(y, q, first=2)]
        yield Case(blocks(x + p, y + q), worse, better, f"{x} and {y} mixed, {p} and {q} apart")


def split_categories(reach: int) -> Iterator[Case]:
    """A category in two clean clusters of x and y; p more of it are in a cluster with q strangers."""
    sizes = _doubling(reach)
    for x, y, p, q in product(sizes, sizes, (0, 1, sizes[-1]), (0, 1, sizes[-1])):
        gold, rest = [*blocks(x + y + p), *range(1, q + 1)], blocks(p + q, first=2)
        note = f"{x} and {y} apart, {p} with {q} strangers"
        yield Case(gold, [*blocks(x, y), *rest], [*blocks(x + y), *rest], note)


def rag_bags(reach: int) -> Iterator[Case]:
    """Clean elements of one category, a bag of as many categories as elements, and one of a new category to place."""
    # one clean element and a bag of one are the same thing under other names
    for clean, bag in product(range(2, reach // 2 + 1), range(1, reach + 1)):
        gold, apart = [*blocks(clean), *range(1, bag + 2)], blocks(clean, bag)
        yield Case(gold, [*apart, 0], [*apart, 1], f"{clean} clean, a bag of {bag}")


def sizes_and_quantities(reach: int) -> Iterator[Case]:
    """A category of n + 1 and n categories of two; every one of the two split, or one split off."""
    # with n = 1 both are the same thing under other names
    for n in range(2, reach + 1):
        worse, better = blocks(n + 1, *[1] * 2 * n), blocks(n, 1, *[2] * n)
        yield Case(blocks(n + 1, *[2] * n), worse, better, f"one cluster of {n + 1}, {n} clusters of 2")


def unbalanced(reach: int) -> Iterator[Case]:
    """One of the smallest category is in the biggest cluster, or one of the biggest in the smallest."""
    for small in range(2, 5):
        for big in range(small + 1, reach + 1):
            for middle in (0, *range(small + 1, big)):
                gold, sizes = blocks(big, middle, small), f"{big}, {middle}" if middle else f"{big}"
                yield Case(gold, [*gold[:-1], 0], [2, *gold[1:]], f"categories of {sizes} and {small}")


def singletons(reach: int) -> Iterator[Case]:
    """Every element alone, against gold itself."""
    for gold, note in _regular(reach):
        if len(gold) > gold[-1] + 1:
            yield Case(gold, range(len(gold)), gold, note)


def all_in_one(reach: int) -> Iterator[Case]:
    """One cluster of everything, against gold itself."""
    for gold, note in _regular(reach):
        if gold[-1]:
            yield Case(gold, [0] * len(gold), gold, note)


def _regular(reach: int) -> Iterator[tuple[list[int], str]]:
    for size, number in product(_doubling(reach), _doubling(reach)):
        yield blocks(*[size] * number), f"gold clusters: {number} of {size}"


# All clusterings of a few elements --------------------------------------------------------------------


@lru_cache(maxsize=MOST)
def partitions(n: int) -> Ints:
    """Every clustering of ``n`` elements, one a row; clusters are numbered as they first appear, rows are sorted.

    >>> partitions(3).tolist()
    [[0, 0, 0], [0, 0, 1], [0, 1, 0], [0, 1, 1], [0, 1, 2]]
    """
    rows = [[0]]
    for _ in range(n - 1):
        rows = [[*row, label] for row in rows for label in range(max(row) + 2)]
    return np.array(rows)


@lru_cache(maxsize=MOST)
def shapes(n: int) -> Ints:
    """One clustering of ``n`` elements for each list of cluster sizes: any gold is one of them under other names.

    >>> shapes(3).tolist()
    [[0, 0, 0], [0, 0, 1], [0, 1, 2]]
    """
    sizes = {tuple(sorted(np.bincount(row).tolist(), reverse=True)) for row in partitions(n)}
    return np.array([blocks(*each) for each in sorted(sizes, reverse=True)])


@lru_cache(maxsize=MOST)
def pairs(n: int) -> tuple[Ints, Ints]:
    """Every shape of gold with every prediction of ``n`` elements, shape by shape, one pair a row."""
    gold, pred = shapes(n), partitions(n)
    return np.repeat(gold, len(pred), axis=0), np.tile(pred, (len(gold), 1))


def position(labels: Array) -> Ints:
    """The row of :func:`partitions` that each row of labels is, whatever its clusters are called."""
    n = labels.shape[1]
    first = np.argmax(labels[:, :, None] == labels[:, None, :], axis=2)
    rank = np.cumsum(first == np.arange(n), axis=1) - 1
    digits = n ** np.arange(n - 1, -1, -1)
    return np.asarray(np.searchsorted(partitions(n) @ digits, np.take_along_axis(rank, first, axis=1) @ digits))


@lru_cache(maxsize=2 * MOST)
def steps(n: int, *, split: bool) -> Cases:
    """Two clusters that each hold one category. With ``split`` the categories differ, and it is better to part the
    clusters; without it the category is the same, and it is better to join them.
    """
    apart, found = partitions(n), []
    joined = {(one, other): position(np.where(apart == other, one, apart)) for one, other in combinations(range(n), 2)}
    for shape, gold in enumerate(shapes(n)):
        lowest, highest = (
            [edge(np.where(apart == cluster, gold, none), axis=1) for cluster in range(n)]
            for edge, none in ((np.min, n), (np.max, -1))
        )
        for (one, other), join in joined.items():
            pure = (lowest[one] == highest[one]) & (lowest[other] == highest[other])
            rows = np.flatnonzero(pure & ((lowest[one] != lowest[other]) == split))
            first = shape * len(apart)
            found.append(np.stack([np.full(len(rows), first + one), first + rows, first + join[rows]]))
    place, rows, join = np.concatenate(found, axis=1)
    order = np.lexsort((join, place))
    return Cases(*pairs(n), join[order], rows[order]) if split else Cases(*pairs(n), rows, join)


def steps_to_gold(n: int, *, alone: bool) -> Cases:
    """From every element alone, or from all in one, to gold itself."""
    last = len(partitions(n)) - 1
    itself, start = position(shapes(n)), np.arange(len(shapes(n))) * (last + 1)
    worst = last if alone else 0
    chosen = itself != worst
    return Cases(*pairs(n), start[chosen] + worst, (start + itself)[chosen])
