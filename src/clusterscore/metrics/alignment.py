"""The best one-to-one alignment of gold and predicted clusters."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from clusterscore.count.sums import EXACT, Floats
from clusterscore.count.table import Table
from clusterscore.distinct import Array, Ints, ranges
from clusterscore.read.links import components

_DENSE = 1 << 14  # up to so many places, or half full, a component is aligned as a matrix (measured)
_ROUNDS = 64  # beyond, cells are searched: a long chain of clusters would be decided link by link


def aligned(table: Table, weight: Array) -> Floats:
    """What the best alignment of each document weighs; ``weight`` is that of each cell."""
    chosen = matched_cells(table, weight)
    return table.add_of(chosen, weight[chosen])


def matched_cells(table: Table, weight: Array) -> Ints:
    """The cells of the best alignment of a table; ``weight`` is that of each cell."""
    return best_alignment(table.gold, table.pred, weight, (len(table.gold_size), len(table.pred_size)))


def best_alignment(gold: Array, pred: Array, weight: Array, shape: tuple[int, int]) -> Ints:
    """Which cells to choose so that no cluster is used twice and the weights (above 0) add up to the most.

    Most cells are decided by the other cells of their two clusters. The overlap graph of the rest falls apart into
    connected components. Those of two clusters against two have two ways, and are decided all at once. Only what
    remains is aligned component by component.
    """
    chosen, cells = _decided(gold, pred, weight, shape)
    if not len(cells):
        return chosen
    places, heavy = places_of(gold[cells], pred[cells]), weight[cells]
    square = ((places.rows == 2) & (places.columns == 2))[places.component]
    two, rest = np.flatnonzero(square), np.flatnonzero(~square)
    aligned = [two[_two_ways(places.of(two), heavy[two])]]
    if len(rest):
        aligned.append(rest[_one_by_one(places.of(rest), heavy[rest])])
    return np.concatenate([chosen, cells[np.concatenate(aligned)]])


def best_of_equals(gold: Array, pred: Array, shape: tuple[int, int], *weights: Array) -> Ints:
    """The cells of the best alignment by the first weight; of several equal ones by the second, and so on.

    An alignment is best if it consists of cells whose weight is the sum of what their two clusters are worth, and has
    all clusters that are worth something. Weights are whole numbers, except for the last. Cells whose first weight is 0
    are left alone.
    """
    cells = np.flatnonzero(weights[0] > 0)
    gold, pred = gold[cells], pred[cells]
    weights = tuple(weight.astype(np.float64) for weight in weights)
    if weights[0].sum() >= EXACT / 4:  # beyond, floats do not tell whether two alignments are equal
        return cells[best_alignment(gold, pred, weights[0][cells], shape)]
    due: Array = np.zeros(len(cells))  # how many clusters of a cell must be aligned
    for weight in weights[:-1]:
        heavy = weight[cells] + due * (weight.sum() + 1.0)
        chosen = best_alignment(gold, pred, heavy, shape)
        of_gold, of_pred = _worth(gold, pred, heavy, chosen, shape)
        tight = np.flatnonzero(of_gold[gold] + of_pred[pred] == heavy)
        cells, gold, pred = cells[tight], gold[tight], pred[tight]
        due = (of_gold[gold] > 0) * 1.0 + (of_pred[pred] > 0)
    last = weights[-1][cells]
    return cells[best_alignment(gold, pred, last + due * (last.sum() + 1.0), shape)]


def _worth(gold: Array, pred: Array, weight: Array, chosen: Ints, shape: tuple[int, int]) -> tuple[Floats, Floats]:
    """What clusters are worth: the least numbers with which no cell weighs more than its two clusters together.

    A chosen cell weighs as much as its clusters, and a cluster without one is worth nothing.
    """
    of_gold, kept, holder = np.zeros(shape[0] + 1), np.zeros(shape[1]), np.full(shape[1], shape[0])  # the last: nobody
    kept[pred[chosen]], holder[pred[chosen]] = weight[chosen], gold[chosen]
    order, sizes = np.argsort(holder[pred], kind="stable"), np.bincount(holder[pred], minlength=shape[0] + 1)
    starts, moved = np.cumsum(sizes) - sizes, np.arange(shape[0] + 1)
    while len(moved):  # each round goes one cell further, from the clusters that are worth more than before
        cells = order[ranges(starts[moved], sizes[moved])]
        reached, partner = gold[cells], pred[cells]
        before = of_gold[reached]
        np.maximum.at(of_gold, reached, of_gold[holder[partner]] + weight[cells] - kept[partner])
        moved = np.unique(reached[of_gold[reached] > before])
    return of_gold[:-1], kept - of_gold[holder]


def _decided(gold: Array, pred: Array, weight: Array, shape: tuple[int, int]) -> tuple[Ints, Ints]:
    """The cells of a best alignment that are found without a search, and the cells that are open beside them.

    A cell that weighs as much as the best other cell of its row and the best other one of its column together is in a
    best alignment: whatever else is chosen in their place weighs no more. Where its row and column are taken out,
    other cells become such cells.
    """
    chosen, cells = [np.zeros(0, np.int64)], np.arange(len(gold))
    for _ in range(_ROUNDS):
        heavy, sides = weight[cells], [(gold[cells], shape[0]), (pred[cells], shape[1])]
        decided = np.flatnonzero(heavy >= sum(_best_other(side, heavy, size) for side, size in sides))
        if not len(decided):
            break
        for side, size in sides:
            last = np.empty(size, np.int64)
            # of several in one cluster the last: they weigh the same, and nothing competes with them
            last[side[decided]] = decided
            decided = decided[last[side[decided]] == decided]
        still = np.ones(len(cells), np.bool_)
        for side, size in sides:
            taken = np.zeros(size, np.bool_)
            taken[side[decided]] = True
            still &= ~taken[side]
        chosen.append(cells[decided])
        cells = cells[still]
    return np.concatenate(chosen), cells


def _best_other(cluster: Array, weight: Array, size: int) -> Array:
    """For each cell what the best other cell of its cluster weighs; 0 where there is none."""
    best, second, first = np.zeros(size, weight.dtype), np.zeros(size, weight.dtype), np.zeros(size, np.int64)
    np.maximum.at(best, cluster, weight)
    others = best[cluster]
    equal = np.flatnonzero(weight == others)
    first[cluster[equal]] = equal
    ahead = first[cluster[equal]]
    weight = weight.copy()
    weight[ahead] = 0
    np.maximum.at(second, cluster, weight)
    others[ahead] = second[cluster[ahead]]
    return others


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
        if height * width > max(_DENSE, 2 * (stop - start)):
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
