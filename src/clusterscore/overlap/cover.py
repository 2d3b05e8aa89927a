"""Two clusterings as the measures of overlap see them: the clusters that the elements of each cell belong to.

A cell of the table is a pair of sets of clusters, those of gold and those of the prediction, and the n elements that
belong to exactly these: they are alike in every measure. A partition is the case of one cluster in every set.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from clusterscore.count.cells import Cells, ClusterNames, Clusters
from clusterscore.count.counts import once, refuse_single
from clusterscore.count.sums import Floats
from clusterscore.count.table import Table
from clusterscore.distinct import Array, Ints, distinct, offsets, ranges
from clusterscore.exceptions import InputError
from clusterscore.nouns import noun
from clusterscore.read.label_sets import LabelSets

MOST = 1 << 27  # pairs of clusters that meet in an element: each takes some 40 bytes


@dataclass(frozen=True, eq=False)
class Memberships:
    """One side: the elements of cell k belong to the clusters ``cluster[start[k]:start[k + 1]]``."""

    start: Ints
    cluster: Ints
    size: Ints  # of each cluster; one of size 0 is none
    of_set: Ints  # a set of clusters that holds each cluster: what is known of its document is known of the cluster's
    weight: Floats | None = None  # of each membership, where they are graded: 1 is the most that an element has

    @cached_property
    def number(self) -> Ints:
        """How many clusters each cell belongs to."""
        return np.diff(self.start)

    @cached_property
    def cell(self) -> Ints:
        """The cell of each membership."""
        return np.repeat(np.arange(len(self.start) - 1), self.number)

    @cached_property
    def shares(self) -> Floats:
        """How much of an element each membership is: its weights divided by their sum."""
        weight = np.ones(len(self.cluster)) if self.weight is None else self.weight
        return np.asarray(weight / np.bincount(self.cell, weight, len(self.number))[self.cell])

    def total(self, values: Array) -> Array:
        """For each cell the sum over its clusters."""
        before = offsets(values[self.cluster])
        return np.asarray(before[self.start[1:]] - before[self.start[:-1]])

    def take(self, cells: Ints) -> Memberships:
        """The same of some cells."""
        number = self.number[cells]
        members = ranges(self.start[cells], number)
        weight = None if self.weight is None else self.weight[members]
        return replace(self, start=offsets(number), cluster=self.cluster[members], weight=weight)

    def document(self, table: Table, side: str) -> Array | None:
        """The document of each cluster of this side, "gold" or "pred"."""
        refuse_single(table.unit, side)
        document = table.cells.side(side).document
        return None if document is None else document[self.of_set]

    def matrix(self, weight: Array | float = 1.0) -> Any:
        """Cells in rows, clusters in columns: the weight of each membership; sparse."""
        from scipy.sparse import csr_array

        shape = len(self.start) - 1, len(self.size)
        weights = np.broadcast_to(np.asarray(weight), len(self.cluster)).copy()
        return csr_array((weights, self.cluster, self.start), shape=shape)


class Overlaps(NamedTuple):
    """Pairs of clusters that share elements, and where they meet: every cell is a place for each pair of its clusters.

    Pair k is of ``gold[k]`` and ``pred[k]``, which share ``n[k]`` elements. The memberships ``left`` and ``right`` meet
    in each place, and ``pair`` is theirs.
    """

    gold: Ints
    pred: Ints
    n: Ints
    left: Ints
    right: Ints
    pair: Ints


class Cover:
    """Both sides of a table by the clusters that each cell belongs to.

    Elements that one side lacks (``missing="keep"``) are in cells of their own, behind those of the table.
    """

    def __init__(self, cells: Cells):
        self.cells = len(cells.n)
        self._memo: dict[tuple[Any, ...], Any] = {}
        lacking = [_lacking(cells, side) for side in (cells.gold, cells.pred)]
        gold_only, pred_only = (np.flatnonzero(missing) for missing in lacking)
        self.n = np.concatenate([cells.n.astype(np.int64), lacking[0][gold_only], lacking[1][pred_only]])
        nobody = np.full(len(gold_only), -1), np.full(len(pred_only), -1)
        self.gold_set = np.concatenate([cells.of_gold, gold_only, nobody[1]])
        self.pred_set = np.concatenate([cells.of_pred, nobody[0], pred_only])
        self.gold = _memberships(cells.gold, self.gold_set)
        self.pred = _memberships(cells.pred, self.pred_set)

    @property
    def sides(self) -> tuple[Memberships, Memberships]:
        """Gold and prediction."""
        return self.gold, self.pred

    def document(self, table: Table) -> Ints | None:
        """The document of each cell, as a table counts them."""
        cells = table.cells
        if len(self.n) == self.cells or cells.document is None:
            return cells.document
        only_gold, only_pred = self.gold_set[self.cells :], self.pred_set[self.cells :]
        assert cells.gold.document is not None
        assert cells.pred.document is not None
        alone = np.where(only_gold >= 0, cells.gold.document[only_gold], cells.pred.document[only_pred])
        return np.concatenate([cells.document, alone])

    @once
    def overlaps(self) -> Overlaps:
        """The pairs of clusters that share elements."""
        gold, pred = self.sides
        entries = gold.number * pred.number
        places = int(entries.sum())
        if places > MOST:
            raise InputError(
                f"these clusterings have {places:,} pairs of {noun('clusters')} that meet in "
                f"{noun('an element')}, which take about {places * 40 / 2**30:,.0f} GB; the most is {MOST:,}: "
                f"score {noun('documents')} or a sample of the {noun('elements')}"
            )
        cell = np.repeat(np.arange(len(self.n)), entries)
        left, right = np.divmod(ranges(0, entries), pred.number[cell])
        left += gold.start[cell]
        right += pred.start[cell]
        columns = (gold.cluster[left], len(gold.size)), (pred.cluster[right], len(pred.size))
        pairs = distinct(*columns, codes=True, times=self.n[cell])
        return Overlaps(pairs.column(0), pairs.column(1), pairs.counts, left, right, pairs.codes)


@once
def _cover(cells: Cells) -> Cover:
    return Cover(cells)


def cover_of(table: Table) -> Cover:
    """The cover of a table; made once for a table and all its groupings."""
    return _cover(table.cells)


@once
def between_clusters(table: Table) -> Table:
    """The table whose cells are pairs of clusters that share elements; where nothing overlaps, the table itself.

    An element is counted once for every pair of its clusters: clusters, sizes and cells of this table mean what they
    say, its sums over elements do not.
    """
    if not table.overlapping:
        return table
    cover, cells = cover_of(table), table.cells
    met = cover.overlaps()
    gold, pred = _single(cells.gold, cover.gold, met.gold), _single(cells.pred, cover.pred, met.pred)
    return Table(Cells(met.n, gold, pred), documents=table.documents, one_sided=table.one_sided, policy=table.policy)


def _single(side: Clusters, members: Memberships, of_cell: Ints) -> Clusters:
    """The clusters of a side, of which a table has the sets."""
    sets, document = side.name.names, side.document
    name = ClusterNames(sets.names, sets.label) if type(sets) is LabelSets else side.name
    return Clusters(of_cell, members.size, None if document is None else document[members.of_set], name)


def _lacking(cells: Cells, side: Clusters) -> Ints:
    """How many elements of each set the other side does not have."""
    held = np.bincount(side.of_cell[:], cells.n, len(side.size)).astype(np.int64)
    return np.asarray(side.size - held)


def _memberships(side: Clusters, of_cell: Ints) -> Memberships:
    """The clusters of each cell, from the set that it is in; -1 is in none."""
    sets, size = side.name.names, side.cluster_sizes()
    if type(sets) is not LabelSets:
        here = of_cell >= 0
        return Memberships(offsets(here), of_cell[here], size, np.arange(len(size)))
    number = np.where(of_cell >= 0, sets.sizes[of_cell], 0)
    of_set = np.zeros(len(size), np.int64)
    of_set[sets.cluster] = sets.set_of
    members = ranges(sets.start[of_cell], number)
    weight = None if sets.weight is None else sets.weight[members]
    return Memberships(offsets(number), sets.cluster[members], size, of_set, weight)
