"""The best one-to-one alignment of gold and predicted clusters."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from clusterscore.count.sums import Floats
from clusterscore.count.table import Table
from clusterscore.distinct import Array, Ints, ranges
from clusterscore.read.links import components

_DENSE = 1 << 14  # up to so many places a component is aligned as a matrix; beyond, as a sparse one (measured)


def aligned(table: Table, weight: Array) -> Floats:
    """What the best alignment of each document weighs; ``weight`` is that of each cell."""
    chosen = matched_cells(table, weight)
    return table.add(weight[chosen], None if table.cells.document is None else table.cells.document[chosen])


def matched_cells(table: Table, weight: Array) -> Ints:
    """The cells of the best alignment of a table; ``weight`` is that of each cell."""
    return best_alignment(table.gold, table.pred, weight, (len(table.gold_size), len(table.pred_size)))


def best_alignment(gold: Array, pred: Array, weight: Array, shape: tuple[int, int]) -> Ints:
    """Which cells to choose so that no cluster is used twice and the weights (above 0) add up to the most.

    A cell that is the only one of both its clusters is chosen outright. The overlap graph of the rest falls apart into
    connected components. Most are small: one cluster against several takes its heaviest cell, two against two have two
    ways, and those are decided all at once. Only what remains is aligned component by component.
    """
    lone = (np.bincount(gold, minlength=shape[0])[gold] == 1) & (np.bincount(pred, minlength=shape[1])[pred] == 1)
    chosen, cells = np.flatnonzero(lone), np.flatnonzero(~lone)
    if not len(cells):
        return chosen
    places = places_of(gold[cells], pred[cells])
    heavy = weight[cells]
    few = np.minimum(places.rows, places.columns)
    star = (few == 1)[places.component]
    square = ((places.rows == 2) & (places.columns == 2))[places.component]
    rest = ~star & ~square
    aligned = [
        np.flatnonzero(star)[_heaviest(places.component[star], heavy[star])],
        np.flatnonzero(square)[_two_ways(places.of(square), heavy[square])],
    ]
    if rest.any():
        aligned.append(np.flatnonzero(rest)[_one_by_one(places.of(rest), heavy[rest])])
    return np.concatenate([chosen, cells[np.concatenate(aligned)]])


class Places(NamedTuple):
    """Where each cell stands: its component, and its row and column there; the sizes of the components."""

    component: Ints
    row: Ints
    column: Ints
    rows: Ints
    columns: Ints

    def of(self, which: Array) -> Places:
        """The same for some of the cells."""
        return self._replace(component=self.component[which], row=self.row[which], column=self.column[which])


def places_of(gold: Array, pred: Array) -> Places:
    """Where the cells stand that are in these clusters, each cell in one of both sides."""
    (gold_codes, row), (pred_codes, column) = (np.unique(side, return_inverse=True) for side in (gold, pred))
    split = len(gold_codes)
    count, component = components(row, split + column, split + len(pred_codes))
    rows, row_places = ranks_within(component[:split], count)
    columns, column_places = ranks_within(component[split:], count)
    return Places(component[row], row_places[row], column_places[column], rows, columns)


def ranks_within(group: Array, count: int) -> tuple[Ints, Ints]:
    """How many members each of so many groups has, and each member's number in its own."""
    sizes = np.bincount(group, minlength=count)
    ranks = np.empty(len(group), np.int64)
    ranks[np.argsort(group, kind="stable")] = ranges(0, sizes)
    return sizes, ranks


def _heaviest(component: Array, weight: Array) -> Ints:
    """The heaviest cell of each component."""
    order = np.lexsort((weight, component))
    last = np.ones(len(order), bool)
    last[:-1] = component[order[1:]] != component[order[:-1]]
    return order[last]


def _two_ways(places: Places, weight: Array) -> Ints:
    """Of two clusters against two: the heavier diagonal."""
    straight = places.row == places.column
    gain = np.bincount(places.component, np.where(straight, weight, -weight), len(places.rows))
    return np.flatnonzero(straight == (gain >= 0)[places.component])


def _one_by_one(places: Places, weight: Array) -> Ints:
    """Each component aligned with SciPy."""
    from scipy.optimize import linear_sum_assignment

    order = np.argsort(places.component, kind="stable")
    starts = np.flatnonzero(np.diff(places.component[order], prepend=-1))
    row, column, heavy, component = places.row[order], places.column[order], weight[order], places.component[order]
    aligned = []
    for start, stop in pairwise([*starts.tolist(), len(order)]):
        rows, columns, which = row[start:stop], column[start:stop], component[start]
        height, width = places.rows[which], places.columns[which]
        if height * width > _DENSE:
            left, right = _sparse(rows, columns, heavy[start:stop], height, width)
        else:
            matrix = np.zeros((height, width))
            matrix[rows, columns] = heavy[start:stop]
            left, right = linear_sum_assignment(matrix, maximize=True)
        partner = np.full(height, -1)
        partner[left] = right
        aligned.append(order[start:stop][partner[rows] == columns])
    return np.concatenate(aligned)


def _sparse(row: Array, column: Array, weight: Array, height: int, width: int) -> tuple[Ints, Ints]:
    """The rows of a large component and their partners.

    A row may also stay alone: it has a column of its own with weight 1, and real cells weigh one more than they say, so
    that a full matching exists.
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import min_weight_full_bipartite_matching

    own = np.arange(height)
    cost = np.concatenate([weight + 1.0, np.ones(height)])
    places = np.concatenate([[row, column], [own, width + own]], axis=1).astype(np.int32)  # all that scipy 1.13 takes
    graph = csr_array((cost, tuple(places)), shape=(height, width + height))
    left, right = min_weight_full_bipartite_matching(graph, maximize=True)
    return left, right
