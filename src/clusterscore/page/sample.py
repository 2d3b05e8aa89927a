"""Samples: which overlaps and which elements a page lists where there are too many; its counts and scores are of all.

Clusters that cost most are there with all their overlaps, then some that are drawn at random; from each overlap come
its first elements, as elements of one overlap have the same scores.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from clusterscore.analyses.diagnose.cluster_rows import ClusterSide
from clusterscore.count.table import Table
from clusterscore.distinct import Array, Ints
from clusterscore.metrics.alignment import ranks_within

MOST_CELLS = 1_000_000
MOST_ELEMENTS = 2_000_000
SAMPLED = 0.5  # of so many elements, where there are more: a page that lists some may as well open quickly
_WORST, _DRAWN = 0.25, 0.1  # of so many cells: of the clusters that cost most, and drawn; best matches come on top
_AT_ONCE = 1 << 20  # elements looked at together


def listed_cells(table: Table, sides: Mapping[str, ClusterSide]) -> Ints:
    """The cells that a page lists, by gold and predicted cluster; with each cluster that of its best match."""
    if len(table.n) <= MOST_CELLS or table.overlapping:
        return np.lexsort((table.pred, table.gold))
    cost = np.maximum(*(_of_cells(table, its, its.loss) for its in sides.values()))
    kept = np.zeros(len(table.n), np.bool_)
    kept[_largest(cost, table.n, int(_WORST * MOST_CELLS))] = True
    drawn = np.random.default_rng(0).random(len(table.gold_size))[table.gold]
    drawn[kept] = -1
    kept[_largest(drawn, table.n, int(_DRAWN * MOST_CELLS))] = True
    count = 0
    while count < (count := int(np.count_nonzero(kept))):  # a best match has another one, with as large an overlap
        for its in sides.values():
            kept[its.best_cell[used_clusters(table, its.side, kept)[its.cluster]]] = True
    cells = np.flatnonzero(kept)
    return cells[np.lexsort((table.pred[cells], table.gold[cells]))]


def used_clusters(table: Table, side: str, cells: Array) -> Array:
    """Which clusters of a side these cells lie in, of all numbers."""
    used = np.zeros(len(table.cells.side(side).size), np.bool_)
    used[getattr(table, side)[cells]] = True
    return used


def _of_cells(table: Table, its: ClusterSide, values: Array) -> Array:
    """What the cluster of each cell has."""
    column = np.zeros(len(table.cells.side(its.side).size))
    column[its.cluster] = values
    return np.asarray(column[getattr(table, its.side)])


def _largest(values: Array, sizes: Array, count: int) -> Ints:
    """Where the largest values stand; of equal ones those of the larger size, then the first."""
    least = np.partition(values, len(values) - count)[len(values) - count]
    above, equal = np.flatnonzero(values > least), np.flatnonzero(values == least)
    equal = equal[np.argsort(-sizes[equal], kind="stable")]
    return np.concatenate([above, equal[: count - len(above)]])


def first_of_cells(cell: Array, sizes: Array, lacking: Array, most: int) -> Array:
    """Which elements are listed: as many as there is room for, the first of every cell, worst first, then the second.

    ``cell`` is that of each element; none is taken of a cell of size 0. The result says which elements are listed.
    """
    low, high = 0, int(sizes.max(initial=0))
    while low < high:  # so many of every cell
        middle = (low + high + 1) // 2
        low, high = (middle, high) if int(np.minimum(sizes, middle).sum()) <= most else (low, middle - 1)
    room = np.minimum(sizes, low)
    more = np.flatnonzero(sizes > low)
    worst = np.argsort(-lacking[more], kind="stable")[: most - int(room.sum())]
    room[more[worst]] += 1
    listed = np.zeros(len(cell), np.bool_)
    for start in range(0, len(cell), _AT_ONCE):
        here = start + np.flatnonzero(room[cell[start : start + _AT_ONCE]])
        cells, own = np.unique(cell[here], return_inverse=True)
        counts, rank = ranks_within(own, len(cells))
        listed[here] = rank < room[cells][own]
        room[cells] -= np.minimum(counts, room[cells])
    return listed
