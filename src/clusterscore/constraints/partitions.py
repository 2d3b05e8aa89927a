"""All clusterings of a few elements, and the steps from one to the next that constraints speak of."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from clusterscore.distinct import Array, Ints

MOST = 9  # there are 21,147 clusterings of nine elements and 115,975 of ten


class Steps(NamedTuple):
    """Steps from a worse prediction to a better one: a row of :func:`shapes`, and two of :func:`partitions`."""

    gold: Ints
    worse: Ints
    better: Ints


@lru_cache(maxsize=MOST)
def partitions(n: int) -> Ints:
    """Every clustering of ``n`` elements, one a row; clusters are numbered as they first appear, rows are sorted.

    >>> partitions(3).tolist()
    [[0, 0, 0], [0, 0, 1], [0, 1, 0], [0, 1, 1], [0, 1, 2]]
    """
    rows = np.zeros((1, 1), np.int64)
    for _ in range(n - 1):
        choices = rows.max(axis=1) + 2  # a cluster that is there, or a new one
        before = np.cumsum(choices) - choices
        last = np.arange(choices.sum()) - np.repeat(before, choices)
        rows = np.column_stack([np.repeat(rows, choices, axis=0), last])
    return rows


@lru_cache(maxsize=MOST)
def shapes(n: int) -> Ints:
    """One clustering of ``n`` elements for each list of cluster sizes, the largest cluster first.

    Any gold clustering is one of them under other names and in another order.

    >>> shapes(3).tolist()
    [[0, 0, 0], [0, 0, 1], [0, 1, 2]]
    """
    return np.array([np.repeat(np.arange(len(sizes)), sizes) for sizes in _sizes(n, n)])


def _sizes(n: int, largest: int) -> Iterator[list[int]]:
    if n == 0:
        yield []
    for first in range(min(n, largest), 0, -1):
        for rest in _sizes(n - first, first):
            yield [first, *rest]


def position(labels: Array) -> Ints:
    """The row of :func:`partitions` that each row of labels is, whatever its clusters are called."""
    n = labels.shape[1]
    first = np.argmax(labels[:, :, None] == labels[:, None, :], axis=2)
    rank = np.cumsum(first == np.arange(n), axis=1) - 1
    return np.asarray(np.searchsorted(_key(partitions(n)), _key(np.take_along_axis(rank, first, axis=1))))


def _key(rows: Array) -> Ints:
    n = rows.shape[1]
    return np.asarray(rows @ n ** np.arange(n - 1, -1, -1))


@lru_cache(maxsize=MOST)
def splits(n: int) -> Steps:
    """A predicted cluster that holds two gold categories falls into those two."""
    return _collected(n, lambda gold: _splits_of(gold, partitions(n)))


def _splits_of(gold: Array, pred: Array) -> Iterator[tuple[Array, Array]]:
    n = len(gold)
    for cluster in range(n):
        inside = pred == cluster
        categories = sum((inside & (gold == category)).any(axis=1) for category in range(gold[-1] + 1))
        rows = np.flatnonzero(categories == 2)
        last = np.where(inside[rows], gold, -1).max(axis=1, keepdims=True)
        yield rows, np.where(inside[rows] & (gold == last), n, pred[rows])


@lru_cache(maxsize=MOST)
def merges(n: int) -> Steps:
    """Two predicted clusters that hold only elements of one gold category become one."""
    return _collected(n, lambda gold: _merges_of(gold, partitions(n)))


def _merges_of(gold: Array, pred: Array) -> Iterator[tuple[Array, Array]]:
    n = len(gold)
    for one in range(n):
        for other in range(one + 1, n):
            inside = (pred == one) | (pred == other)
            pure = np.where(inside, gold, n).min(axis=1) == np.where(inside, gold, -1).max(axis=1)
            rows = np.flatnonzero(pure & (pred == one).any(axis=1) & (pred == other).any(axis=1))
            yield rows, np.where(pred[rows] == other, one, pred[rows])


def _collected(n: int, steps_of: Callable[[Array], Iterator[tuple[Array, Array]]]) -> Steps:
    found = [
        (np.full(len(rows), shape), rows, position(better))
        for shape, gold in enumerate(shapes(n))
        for rows, better in steps_of(gold)
        if len(rows)
    ]
    return Steps(*(np.concatenate(column) for column in zip(*found, strict=True)))
