"""Count tensors where they lie: labels stay on their device, and only what scores are made of comes to the host."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from clusterscore.align.policies import Pair
from clusterscore.count import packing
from clusterscore.count.cells import Cells, ClusterNames, Clusters
from clusterscore.count.counts import Counts
from clusterscore.count.objects import foreground
from clusterscore.count.packing import distinct_rows, largest_of, maxima, numbered_rows, places, sums, to_host
from clusterscore.count.rows import MATCHES, DenominatorSums, Matches, Rows, Sizes
from clusterscore.count.sums import exact_as_held
from clusterscore.count.supersets import MOST_SQUARED, Supersets, find_supersets
from clusterscore.count.table import Table
from clusterscore.distinct import Array
from clusterscore.read.labels import Labels, is_tensor, plain

_MANY = 1 << 13  # cells: fewer are sent to the host as they are, which takes less time than to add them up
_MERGED = 1 << 22  # cells: from here on, equal ones are counted once before anything is added up


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
    cells = DeviceCells(n, sides[0], sides[1], len(pair.gold.codes))
    table = Table(cells, documents=names, policy=pair.policy, noise=pair.noise)
    return table if pair.policy.background == "keep" else foreground(table)


class DeviceClusters(NamedTuple):
    """The clusters of one side."""

    of_cell: Any
    size: Any  # of each cluster,
    document: Any  # its document,
    label: Any  # and the code of its label; None where it is the cluster's number
    names: Sequence[Any] | Array  # of labels

    def on_host(self) -> Clusters:
        """The same in memory."""
        of_cell, size, document, label = map(to_host, self[:4])
        return Clusters(of_cell, size, document, ClusterNames(self.names, label))


def _used_documents(documents: Labels) -> tuple[Any, Sequence[Any]]:
    """The codes of documents, numbered without gaps, and their names."""
    codes: Any = documents.codes
    names = documents.names
    present = codes.new_zeros(len(names), dtype=sys.modules["torch"].bool)
    present[codes.long()] = True
    used = to_host(places(present))
    if len(used) < len(names):
        codes = (present.cumsum(0) - 1).index_select(0, codes.long())
    elif isinstance(names, range):
        return codes, names
    return codes, [plain(names[code]) for code in used.tolist()]


class DeviceCells(Counts):
    """The cells of a table on a device; what a measure needs of them is made there when it is asked for."""

    checked = True

    def __init__(self, n: Any, gold: DeviceClusters, pred: DeviceClusters, elements: int):
        self.n, self.gold, self.pred, self.elements = n, gold, pred, elements

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
        return DeviceCells(self.n, self.gold._replace(document=None), self.pred._replace(document=None), self.elements)

    def _numbers(self, where: Any = slice(None)) -> list[Any]:
        """Document, n, a and b of each cell; the document is None where there is only one."""
        cluster, document = self.gold.of_cell[where], self.gold.document
        a, b = self.gold.size.index_select(0, cluster), self.pred.size.index_select(0, self.pred.of_cell[where])
        return [None if document is None else document.index_select(0, cluster), self.n[where], a, b]

    def _merged(self, *columns: Any) -> list[Any]:
        """The distinct rows of columns, of which some may be None, and last how often each occurs."""
        rows, times = distinct_rows([column for column in columns if column is not None])
        present = iter(rows)
        return [*(None if column is None else next(present) for column in columns), times]

    @cached_property
    def rows_in_memory(self) -> Rows:
        document, *numbers = self._numbers()
        if len(self.n) > _MANY:
            document, n, a, b, times = map(to_host, self._merged(document, *numbers))
            return Rows(document, n, a, b, times, None)
        n, a, b = sys.modules["torch"].stack([number.long() for number in numbers]).cpu().numpy()
        return Rows(to_host(document), n, a, b, None, None)

    @cached_property
    def rows(self) -> Rows:  # type: ignore[override]
        """On the device if they are many, and products of two sizes fit 64 bits there: sums are made where they lie."""
        if len(self.n) <= _MANY or self.elements**2 >= 2**62:
            return self.rows_in_memory
        numbers = self._numbers()
        document, n, a, b, *times = self._merged(*numbers) if len(self.n) > _MERGED else numbers
        return Rows(document, n.long(), a.long(), b.long(), times[0] if times else None, None)

    @cached_property
    def denominator_sums(self) -> list[DenominatorSums] | None:  # type: ignore[override]
        """Added up on the device, exact in any order: only the sums leave it."""
        rows = self.rows
        if not is_tensor(rows.n) or rows.document is not None:
            return None
        torch, n, a, b = sys.modules["torch"], rows.n, rows.a, rows.b
        most_b, most_a = largest_of([self.pred.size, self.gold.size])
        start = [0, most_b + 1, most_b + most_a + 2]  # of the denominators b, a and a + b, in one row
        denominator, size, values = torch.cat([b, a + start[1], a + b + start[2]]), start[2] + most_a + most_b + 1, None
        if size > 12 * len(n) + 1024:  # too many to have a place each
            (values,), denominator = numbered_rows([denominator], [size])
            size = len(values)
        counted = n if rows.times is None else n * rows.times
        totals = sums(torch.stack([counted, counted * n]).repeat(1, 3), denominator, size)
        used = places(totals[0])
        columns = to_host(torch.cat([(used if values is None else values[used])[None], totals[:, used]]))
        parts = np.split(columns, np.searchsorted(columns[0], start[1:]), 1)
        return [
            DenominatorSums(value - first, *map(exact_as_held, of_value))
            for first, (value, *of_value) in zip(start, parts, strict=True)
        ]

    def sizes(self, side: str) -> Sizes:
        clusters = self.gold if side == "gold" else self.pred
        return Sizes(*map(to_host, self._merged(clusters.document, clusters.size)))

    def largest_cells(self, side: str) -> Sizes:
        clusters = self.gold if side == "gold" else self.pred
        largest = maxima(self.n, clusters.of_cell, len(clusters.size))
        return Sizes(*map(to_host, self._merged(clusters.document, largest)))

    def best_matches(self, side: str, by: str) -> Matches:
        own, other = (self.gold, self.pred) if side == "gold" else (self.pred, self.gold)
        numbers = self.n, *(clusters.size.index_select(0, clusters.of_cell) for clusters in (own, other))
        part, whole = MATCHES[by](*(column.double() for column in numbers))
        values, best = maxima(part / whole, own.of_cell, len(own.size)).unique(return_inverse=True)
        document, size, code, times = map(to_host, self._merged(own.document, own.size, best))
        return Matches(document, size, values.cpu().numpy()[code], times)

    def supersets(self, reading: str, everywhere: bool) -> Supersets:
        if self.elements >= MOST_SQUARED:
            return self.cells().supersets(reading, everywhere)
        gold = self.gold.of_cell.long(), len(self.gold.size)
        pred = self.pred.of_cell.long(), self.pred.size.long()
        where, columns = find_supersets(self.n.long(), gold, pred, reading, everywhere, packing)
        more = columns(where)
        document, n, a, b, *rest, times = map(to_host, self._merged(*self._numbers(where), *more.values()))
        return Supersets(document, n, a, b, times, None, **dict(zip(more, rest, strict=True)))
