"""Random predictions with the cluster sizes of one: its labels, shuffled within every document, counted again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from clusterscore.comparison.ordering import document_ranks, ranked
from clusterscore.count.cells import Cells, Clusters
from clusterscore.count.table import Table
from clusterscore.distinct import Array, Ints, distinct

_AT_ONCE = 1 << 16  # elements counted together


class Weighed(NamedTuple):
    """Elements with weights of their own, and the gold cluster of each."""

    gold: Array
    weight: Array


class _Side(NamedTuple):
    """The clusters of one side, ordered by the names of their documents and their own."""

    cluster: Ints  # its number in the table
    size: Array
    held: Array  # so many of its elements are on both sides
    document: Array  # in the order of their names

    @classmethod
    def of(cls, table: Table, side: str, weight: Array | None = None) -> _Side:
        """``weight`` is that of each cluster: in it those may differ that have no name."""
        cluster, size, document = (
            (table.gold, table.gold_size, table.gold_document)
            if side == "gold"
            else (table.pred, table.pred_size, table.pred_document)
        )
        found = ranked(table, side)
        held = np.bincount(cluster, table.n, len(size)).astype(np.int64)
        last = held if weight is None else weight
        used = found.used[np.lexsort([last[found.used], held[found.used], found.rank])]
        where = np.zeros(len(used), np.int64)
        if document is not None:
            where = document_ranks(table.documents)[document[used]]
        return cls(used, size[used], held[used], where)


class Shuffles:
    """A gold clustering, and predicted labels that are dealt out to its elements anew.

    Which elements both sides have stays as it is (``missing="keep"``), and so do all cluster sizes: labels only change
    places among the predicted elements of a document. So nothing is needed of the prediction but its sizes.
    """

    def __init__(self, table: Table, weighed: Weighed | None = None):
        self._table, self._documents = table, len(table.documents)
        heavy = None if weighed is None else np.bincount(weighed.gold, weighed.weight, len(table.gold_size))
        self._gold, self._pred = _Side.of(table, "gold", heavy), _Side.of(table, "pred")
        self._codes = np.repeat(np.arange(len(self._gold.size)), self._gold.held)
        self._labels = np.repeat(np.arange(len(self._pred.size)), self._pred.size)
        self._weight: Array | None = None
        if weighed is not None:
            rank = np.zeros(len(table.gold_size), np.int64)
            rank[self._gold.cluster] = np.arange(len(self._gold.cluster))
            self._weight = weighed.weight[np.lexsort([weighed.weight, rank[weighed.gold]])]

    def gold_itself(self) -> Table:
        """The table of gold against itself, on all of its elements."""
        gold, cells = self._gold, np.arange(len(self._gold.size))
        where = None if self._table.gold_document is None else gold.document
        weight = None if self._weight is None else np.bincount(self._codes, self._weight, len(cells))
        side = Clusters(cells, gold.size, where)
        counts = Cells(gold.size, side, side, weight)
        return Table(counts, documents=range(self._documents), policy=self._table.policy)

    def tables(self, rng: np.random.Generator, shuffles: int) -> Iterator[tuple[int, Table]]:
        """Blocks of shuffles: how many, and their tables as one, the documents of each behind those of the one before.

        The random numbers do not depend on the size of the blocks.
        """
        block = max(1, _AT_ONCE // max(1, len(self._labels)))
        for first in range(0, shuffles, block):
            count = min(block, shuffles - first)
            yield count, self._counted(self._shuffled(rng, count))

    def _shuffled(self, rng: np.random.Generator, count: int) -> Ints:
        """The labels that fall on the common elements, in the order of gold, for each shuffle."""
        dealt: Ints
        labels = np.broadcast_to(self._labels, (count, len(self._labels)))
        if self._documents == 1:
            dealt = rng.permuted(labels, axis=1)
        else:
            # keys that begin with the document and go on at random: in their order labels stay where they belong
            bits = (self._documents - 1).bit_length()
            keys = rng.integers(0, 2**64, labels.shape, dtype=np.uint64)
            keys >>= np.uint64(bits)
            keys |= self._pred.document[self._labels].astype(np.uint64) << np.uint64(64 - bits)
            dealt = self._labels[keys.argsort(axis=1)]
        if self._table.one_sided[1]:
            dealt = dealt[:, self._common()]
        return dealt

    def _common(self) -> Ints:
        """Which places among the predicted elements are the common ones: the first of each document."""
        gold, pred = self._gold, self._pred
        common = np.bincount(gold.document, gold.held, self._documents).astype(np.int64)
        total = np.bincount(pred.document, pred.size, self._documents).astype(np.int64)
        shift = (np.cumsum(total) - total) - (np.cumsum(common) - common)
        places: Ints = np.arange(len(self._codes)) + np.repeat(shift, common)
        return places

    def _counted(self, labels: Ints) -> Table:
        count, elements = labels.shape
        gold, pred = len(self._gold.size), len(self._pred.size)
        shuffle = np.repeat(np.arange(count), elements)
        columns = (shuffle, count), (np.tile(self._codes, count), gold), (labels.ravel(), pred)
        found = distinct(*columns, codes=self._weight is not None)
        which, weight = found.column(0), None
        if self._weight is not None:
            weight = np.bincount(found.codes, np.tile(self._weight, count), len(found))
        alone = count * self._documents == 1  # without documents equal cells are merged, which is faster
        places = [
            None if alone else (np.arange(count)[:, None] * self._documents + side.document).ravel()
            for side in (self._gold, self._pred)
        ]
        only_gold, only_pred = self._table.one_sided
        counts = Cells(
            found.counts,
            Clusters(which * gold + found.column(1), np.tile(self._gold.size, count), places[0]),
            Clusters(which * pred + found.column(2), np.tile(self._pred.size, count), places[1]),
            weight,
        )
        return Table(
            counts,
            documents=(None,) if alone else range(count * self._documents),
            one_sided=(count * only_gold, count * only_pred),
            policy=self._table.policy,
        )


def together(table: Table, documents: int) -> Table:
    """The same tables, each as one document of its own: so many documents make one table."""
    cells = table.cells
    gold, pred = (
        side._replace(document=None if side.document is None else side.document // documents)
        for side in (cells.gold, cells.pred)
    )
    counts, names = Cells(cells.n, gold, pred, cells.weight), range(len(table.documents) // documents)
    return Table(counts, documents=names, one_sided=table.one_sided, policy=table.policy)
