"""All clusterings of a few elements, and the steps between them that make a prediction better."""

from __future__ import annotations

from functools import cache
from itertools import combinations

import numpy as np

from clusterscore.distinct import Ints

MOST = 9  # there are 21,147 clusterings of nine elements and 115,975 of ten


def blocks(*sizes: int, first: int = 0) -> list[int]:
    """Labels of clusters of these sizes: ``blocks(2, 1)`` is [0, 0, 1]."""
    return [label for label, size in enumerate(sizes, first) for _ in range(size)]


@cache
def partitions(n: int) -> Ints:
    """Every clustering of ``n`` elements, one a row; clusters are numbered as they first appear, rows are sorted.

    >>> partitions(3).tolist()
    [[0, 0, 0], [0, 0, 1], [0, 1, 0], [0, 1, 1], [0, 1, 2]]
    """
    rows = [[0]]
    for _ in range(n - 1):
        rows = [[*row, label] for row in rows for label in range(max(row) + 2)]
    return np.array(rows)


@cache
def shapes(n: int) -> Ints:
    """The rows of :func:`partitions` that are all gold clusterings but for the names: one for each list of sizes.

    >>> partitions(3)[shapes(3)].tolist()
    [[0, 0, 0], [0, 0, 1], [0, 1, 2]]
    """
    ordered = [(np.diff(row) >= 0).all() and (np.diff(np.bincount(row)) <= 0).all() for row in partitions(n)]
    return np.flatnonzero(ordered)


@cache
def pairs(n: int) -> tuple[Ints, Ints]:
    """Every shape of gold with every prediction of ``n`` elements, shape by shape, one pair a row."""
    gold, pred = partitions(n)[shapes(n)], partitions(n)
    return np.repeat(gold, len(pred), axis=0), np.tile(pred, (len(gold), 1))


@cache
def same_pairs(n: int) -> Ints:
    """For every clustering with every other the row of :func:`pairs` that is the same but for the names of elements."""
    every, digits, rows = partitions(n), n ** np.arange(n)[::-1], []
    for gold in every:
        order = np.argsort(gold - n * np.bincount(gold)[gold], kind="stable")  # as a shape has them, the largest first
        pred = every[:, order]
        first = (pred[:, :, None] == pred[:, None]).argmax(axis=2)
        numbered = np.take_along_axis(np.cumsum(first == np.arange(n), axis=1) - 1, first, axis=1)
        rows.append(np.searchsorted(every @ digits, numbered @ digits))
    return np.asarray(shape_of(n)[:, None] * len(every) + rows)


@cache
def steps(n: int, *, split: bool, pure: bool = True) -> tuple[Ints, Ints]:
    """The rows of :func:`pairs` with the worse and with the better prediction.

    Two clusters hold one category each. With ``split`` the categories differ, and it is better to part the clusters;
    without it the category is the same, and it is better to join them. Unless ``pure``, clusters that are parted may
    hold several categories, none of them in common.
    """
    apart, cases = partitions(n), [np.zeros((3, 0), np.int64)]
    digits = n ** np.arange(n)[::-1]
    joined = {
        (first, second): np.searchsorted(
            apart @ digits, np.where(apart == second, first, apart - (apart > second)) @ digits
        )
        for first, second in combinations(range(n), 2)
    }
    members = apart[:, None] == np.arange(n)[:, None]
    for shape, gold in enumerate(apart[shapes(n)]):
        held = np.bitwise_or.reduce(np.where(members, 1 << gold, 0), axis=2)  # a bit for each category of a cluster
        single = held & (held - 1) == 0
        for (first, second), together in joined.items():
            left, right = held[:, first], held[:, second]
            wanted = (left & right == 0) & (left > 0) & (right > 0) if split else (left == right) & (left > 0)
            if pure or not split:
                wanted &= single[:, first] & single[:, second]
            rows = np.flatnonzero(wanted)
            cases.append(shape * len(apart) + np.stack([np.full(len(rows), first), together[rows], rows]))
    place, together, rows = np.concatenate(cases, axis=1)
    order = np.lexsort((together, place))
    return (together[order], rows[order]) if split else (rows, together)


@cache
def shape_of(n: int) -> Ints:
    """For each row of :func:`partitions` the place among :func:`shapes` of the one with clusters of the same sizes.

    >>> shape_of(3).tolist()
    [0, 1, 1, 1, 2]
    """
    sizes = [np.sort(np.bincount(row, minlength=n)).tolist() for row in partitions(n)]
    places = [sizes[shape] for shape in shapes(n)]
    return np.array([places.index(size) for size in sizes])
