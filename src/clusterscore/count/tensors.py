"""Count tensors where they lie: labels stay on their device, and only what scores are made of comes to the host."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import cached_property
from typing import Any, NamedTuple

from clusterscore.align.policies import Pair
from clusterscore.count import packing
from clusterscore.count.cells import Cells, ClusterNames, Clusters
from clusterscore.count.counts import Counts
from clusterscore.count.packing import distinct_rows, maxima, numbered_rows, sums, to_host
from clusterscore.count.rows import MATCHES, Matches, Rows, Sizes
from clusterscore.count.supersets import MOST_SQUARED, Supersets, find_supersets
from clusterscore.count.table import Table
from clusterscore.distinct import Array
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
        of_cell, size, document, label = (None if column is None else to_host(column) for column in self[:4])
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
        """Document, n, a and b of each cell; the document is None where there is only one."""
        cluster, document = self.gold.of_cell[where], self.gold.document
        a, b = self.gold.size.index_select(0, cluster), self.pred.size.index_select(0, self.pred.of_cell[where])
        return [None if document is None else document.index_select(0, cluster), self.n[where], a, b]

    def _merged(self, *columns: Any) -> list[Any]:
        """Columns in memory, of which one may be None, equal rows as one; and last how often each occurs."""
        rows, times = distinct_rows([column for column in columns if column is not None])
        host = map(to_host, rows)
        return [*(None if column is None else next(host) for column in columns), to_host(times)]

    def rows(self) -> Rows:
        document, n, a, b, times = self._merged(*self._numbers())
        return Rows(document, n, a, b, times, None)

    def sizes(self, side: str) -> Sizes:
        clusters = self.gold if side == "gold" else self.pred
        return Sizes(*self._merged(clusters.document, clusters.size))

    def largest_cells(self, side: str) -> Sizes:
        clusters = self.gold if side == "gold" else self.pred
        return Sizes(*self._merged(clusters.document, maxima(self.n, clusters.of_cell, len(clusters.size))))

    def best_matches(self, side: str, by: str) -> Matches:
        own, other = (self.gold, self.pred) if side == "gold" else (self.pred, self.gold)
        numbers = self.n, *(clusters.size.index_select(0, clusters.of_cell) for clusters in (own, other))
        part, whole = MATCHES[by](*(column.double() for column in numbers))
        values, best = maxima(part / whole, own.of_cell, len(own.size)).unique(return_inverse=True)
        document, size, code, times = self._merged(own.document, own.size, best)
        return Matches(document, size, values.cpu().numpy()[code], times)

    def supersets(self, reading: str, everywhere: bool) -> Supersets:
        if int(self.n.sum()) >= MOST_SQUARED:
            return self.cells().supersets(reading, everywhere)
        gold = self.gold.of_cell.long(), len(self.gold.size)
        pred = self.pred.of_cell.long(), self.pred.size.long()
        where, columns = find_supersets(self.n.long(), gold, pred, reading, everywhere, packing)
        more = columns(where)
        document, n, a, b, *rest, times = self._merged(*self._numbers(where), *more.values())
        return Supersets(document, n, a, b, times, None, **dict(zip(more, rest, strict=True)))
