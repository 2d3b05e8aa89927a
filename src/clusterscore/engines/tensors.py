"""Count tensors where they lie: labels stay on their device, and only what scores are made of comes to the host."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from clusterscore.align.policies import Pair
from clusterscore.count.cells import Cells, ClusterNames, Clusters
from clusterscore.count.counts import Counts
from clusterscore.count.rows import MATCHES, Matches, Rows, Sizes
from clusterscore.count.supersets import MOST_SQUARED, Supersets, find_supersets
from clusterscore.count.table import Table
from clusterscore.distinct import Array
from clusterscore.engines import packing
from clusterscore.engines.packing import distinct_rows, maxima, numbered_rows, sums, to_host
from clusterscore.read.labels import Labels, plain


def count_tensors(pair: Pair) -> Table:
    """Count a pair whose codes are tensors, on the device that holds them.

    Clusters of different documents are different clusters, whatever they are called.
    """
    names: Sequence[Any] = (None,)
    columns: list[Any] = [(side.codes, side.size - 1) for side in pair[:2]]
    if pair.documents is not None:
        documents, names = _used_documents(pair.documents)
        columns.insert(0, (documents, len(names) - 1))
    (*document, gold, pred), n = distinct_rows(*zip(*columns, strict=True))
    sides = []
    for cluster, side in zip((gold, pred), pair[:2], strict=True):
        size, of, label = side.size, None, None
        if document:
            (of, label), cluster = numbered_rows([*document, cluster], [len(names) - 1, side.size - 1])
            size = len(of)
        sides.append(DeviceClusters(cluster, sums(n, cluster, size), of, label, side.names))
    return Table(DeviceCells(n, sides[0], sides[1]), documents=names, policy=pair.policy)


class DeviceClusters(NamedTuple):
    """The clusters of one side."""

    of_cell: Any
    size: Any  # of each cluster,
    document: Any  # its document,
    label: Any  # and the code of its label; None where it is the cluster's number
    names: Sequence[Any] | Array  # of labels

    def on_host(self) -> Clusters:
        """The same in memory."""
        of_cell, size, document, label = (None if each is None else to_host(each) for each in self[:4])
        assert of_cell is not None
        assert size is not None
        return Clusters(of_cell, size, document, ClusterNames(self.names, label))


def _used_documents(documents: Labels) -> tuple[Any, Sequence[Any]]:
    """The codes of documents, numbered without gaps, and their names."""
    codes: Any = documents.codes
    names = documents.names
    present = codes.new_zeros(len(names), dtype=sys.modules["torch"].bool)
    present[codes.long()] = True
    used = to_host(present.nonzero().squeeze(1))
    if len(used) < len(names):
        codes = (present.cumsum(0) - 1).index_select(0, codes.long())
    elif isinstance(names, range):
        return codes, names
    return codes, [plain(names[code]) for code in used.tolist()]


class DeviceCells(Counts):
    """The cells of a table on a device; what a measure needs of them is made there when it is asked for."""

    checked = True

    def __init__(self, n: Any, gold: DeviceClusters, pred: DeviceClusters):
        self.n, self.gold, self.pred = n, gold, pred

    def __reduce__(self) -> tuple[Any, ...]:
        host = self.cells()
        return Cells, (host.n, host.gold, host.pred)

    def check(self, documents: int) -> None:
        """They were counted here."""

    def cells(self) -> Cells:
        """The same in memory: for measures that align clusters, and to be sent elsewhere."""
        return self._on_host

    @cached_property
    def _on_host(self) -> Cells:
        return Cells(to_host(self.n), self.gold.on_host(), self.pred.on_host())

    def pooled(self) -> DeviceCells:
        return DeviceCells(self.n, self.gold._replace(document=None), self.pred._replace(document=None))

    def _numbers(self, where: Any = slice(None)) -> list[Any]:
        """Document, n, a and b of each cell; no document where there is only one."""
        sides = ((side.of_cell[where], side.size) for side in (self.gold, self.pred))
        a, b = (size.index_select(0, cluster) for cluster, size in sides)
        if self.gold.document is None:
            return [self.n[where], a, b]
        return [self.gold.document.index_select(0, self.gold.of_cell[where]), self.n[where], a, b]

    def _on_the_host(self, columns: Sequence[Any]) -> list[Any]:
        """Columns with the document first, which is None where there is only one."""
        found = [to_host(column) for column in columns]
        return found if self.gold.document is not None else [None, *found]

    def rows(self) -> Rows:
        """The distinct (document, n, a, b) with their multiplicity."""
        found, times = distinct_rows(self._numbers())
        document, n, a, b = self._on_the_host(found)
        return Rows(document, n, a, b, to_host(times), None)

    def sizes(self, side: str) -> Sizes:
        """The distinct sizes of clusters, with their multiplicity."""
        clusters = self.gold if side == "gold" else self.pred
        return self._distinct(clusters, clusters.size)

    def largest_cells(self, side: str) -> Sizes:
        """The distinct sizes of the largest cells of clusters, with their multiplicity."""
        clusters = self.gold if side == "gold" else self.pred
        return self._distinct(clusters, maxima(self.n, clusters.of_cell, len(clusters.size)))

    def _distinct(self, clusters: DeviceClusters, numbers: Any) -> Sizes:
        columns = [numbers] if clusters.document is None else [clusters.document, numbers]
        found, times = distinct_rows(columns)
        document, size = self._on_the_host(found)
        return Sizes(document, size, to_host(times))

    def best_matches(self, side: str, by: str) -> Matches:
        """Clusters by size and best match: rows are ranked here, and there each cluster finds its best."""
        clusters = self.gold if side == "gold" else self.pred
        found, row = numbered_rows(self._numbers())
        document, n, a, b = self._on_the_host(found)
        own, other = (a, b) if side == "gold" else (b, a)
        part, whole = MATCHES[by](n, own, other)
        match = part / whole
        order = match.argsort()
        rank = np.empty_like(order)
        rank[order] = np.arange(len(order))
        ranks = sys.modules["torch"].from_numpy(rank).to(row.device).index_select(0, row)
        best = maxima(ranks, clusters.of_cell, len(clusters.size))
        times = to_host(best[clusters.size > 0].bincount(minlength=len(order)))
        won = order[times > 0]
        return Matches(None if document is None else document[won], own[won], match[won], times[times > 0])

    def supersets(self, reading: str, everywhere: bool) -> Supersets:
        if int(self.n.sum()) >= MOST_SQUARED:
            return self.cells().supersets(reading, everywhere)
        gold = self.gold.of_cell.long(), len(self.gold.size)
        pred = self.pred.of_cell.long(), self.pred.size.long()
        where, more = find_supersets(self.n.long(), gold, pred, reading, everywhere, packing)
        found, times = distinct_rows([*self._numbers(where), *more.values()])
        document, n, a, b, *rest = self._on_the_host(found)
        return Supersets(document, n, a, b, to_host(times), None, **dict(zip(more, rest, strict=True)))
