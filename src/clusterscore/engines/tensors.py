"""Count tensors where they lie: labels stay on their device, and only what scores are made of comes to the host."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from clusterscore.align.policies import Policy
from clusterscore.align.tensors import align_tensors
from clusterscore.count.arrays import Namer
from clusterscore.count.rows import Matches, Rows
from clusterscore.count.sums import Floats
from clusterscore.count.supersets import Supersets, find_supersets
from clusterscore.count.table import Table
from clusterscore.engines.merged import CELLS, MergedTable
from clusterscore.engines.packing import distinct_rows, maxima, numbered_rows, sums, to_host
from clusterscore.read.labels import plain
from clusterscore.read.tensors import TensorLabels
from clusterscore.remember import lazy, once

_MOST_SQUARED = 3 * 10**9  # elements: sums of squares leave 64 bits beyond


def count_tensors(gold: Any, pred: Any, **options: Any) -> Table:
    """Align and count two tensors on the device that holds them."""
    pair = align_tensors(gold, pred, **options)
    if pair.documents is None:
        return TensorTable(_count_together(pair.gold, pair.pred), policy=pair.policy)
    documents, names = _used_documents(pair.documents)
    return TensorTable(_count_apart(pair.gold, pair.pred, documents), documents=names, policy=pair.policy)


class Side(NamedTuple):
    """The clusters of one side."""

    cluster: Any  # of each cell
    size: Any  # of each cluster,
    document: Any  # its document,
    label: Any  # and the code of its label; None where it is the cluster's number
    labels: TensorLabels

    def on_host(self) -> tuple[Any, ...]:
        """Cells, sizes, names and documents as a Table has them."""
        label = None if self.label is None else to_host(self.label)
        document = None if self.document is None else to_host(self.document)
        return to_host(self.cluster), to_host(self.size), Namer(self.labels.host_names(), label), document


def _count_together(gold: TensorLabels, pred: TensorLabels) -> Cells:
    clusters, n = distinct_rows([gold.codes, pred.codes], [gold.size - 1, pred.size - 1])
    left, right = (
        Side(cluster, sums(n, cluster, labels.size), None, None, labels._replace(codes=None))
        for cluster, labels in zip(clusters, (gold, pred), strict=True)
    )
    return Cells(n, left, right, 1)


def _count_apart(gold: TensorLabels, pred: TensorLabels, where: TensorLabels) -> Cells:
    """Clusters of different documents are different clusters, whatever they are called."""
    tops = [where.size - 1, gold.size - 1, pred.size - 1]
    (document, *codes), n = distinct_rows([where.codes, gold.codes, pred.codes], tops)
    sides = []
    for code, labels in zip(codes, (gold, pred), strict=True):
        (of, label), cluster = numbered_rows([document, code], [where.size - 1, labels.size - 1])
        sides.append(Side(cluster, sums(n, cluster, len(of)), of, label, labels._replace(codes=None)))
    return Cells(n, sides[0], sides[1], where.size)


def _used_documents(documents: TensorLabels) -> tuple[TensorLabels, Sequence[Any]]:
    """Documents numbered without gaps, and their names."""
    codes, names = documents.codes, documents.host_names()
    present = codes.new_zeros(documents.size, dtype=sys.modules["torch"].bool)
    present[codes.long()] = True
    used = to_host(present.nonzero().squeeze(1))
    if len(used) < documents.size:
        codes = (present.cumsum(0) - 1).index_select(0, codes.long())
    elif isinstance(names, range):
        return documents, names
    return TensorLabels(codes, len(used), None), [plain(names[code]) for code in used.tolist()]


class Cells(NamedTuple):
    """The cells on the device, and what is needed beyond their numbers; see :mod:`clusterscore.engines.cells`."""

    n: Any
    gold: Side
    pred: Side
    documents: int

    def numbers(self, where: Any = slice(None)) -> list[Any]:
        """Document, n, a and b of each cell; no document where there is only one."""
        sides = ((side.cluster[where], side.size) for side in (self.gold, self.pred))
        a, b = (size.index_select(0, cluster) for cluster, size in sides)
        if self.gold.document is None:
            return [self.n[where], a, b]
        return [self.gold.document.index_select(0, self.gold.cluster[where]), self.n[where], a, b]

    def rows(self) -> Rows:
        """The distinct (document, n, a, b) with their multiplicity."""
        found, times = distinct_rows(self.numbers())
        document, n, a, b = self.told(found)
        return Rows(document, n, a, b, to_host(times), None)

    def told(self, columns: Sequence[Any]) -> list[Any]:
        """Columns that begin like :meth:`numbers`, on the host; the document is None where there is only one."""
        found = [to_host(column) for column in columns]
        return found if self.gold.document is not None else [None, *found]

    def largest(self, side: Side) -> Any:
        """The size of the largest cell of each cluster."""
        return maxima(self.n, side.cluster, len(side.size))

    def by_document(self, side: Side, numbers: Any) -> Floats:
        """Numbers of clusters, added up for each document."""
        total = numbers.sum()[None] if side.document is None else sums(numbers.long(), side.document, self.documents)
        return to_host(total).astype(np.float64)

    def largest_total(self, side: str) -> Floats:
        """The sum of the largest cells of clusters."""
        of = self.gold if side == "gold" else self.pred
        return self.by_document(of, self.largest(of))

    def best_matches(self) -> Matches:
        """Gold clusters by their size and their best F: rows are ranked here, and there each cluster finds its best."""
        found, row = numbered_rows(self.numbers())
        document, n, a, b = self.told(found)
        f = 2 * n / (a + b)
        order = f.argsort()
        rank = np.empty_like(order)
        rank[order] = np.arange(len(order))
        ranks = sys.modules["torch"].from_numpy(rank).to(row.device).index_select(0, row)
        best = maxima(ranks, self.gold.cluster, len(self.gold.size))
        times = to_host(best[self.gold.size > 0].bincount(minlength=len(order)))
        won = order[times > 0]
        return Matches(None if document is None else document[won], a[won], f[won], times[times > 0])

    def supersets(self, reading: str, everywhere: bool) -> Supersets:
        """What alphaMax needs: as :func:`clusterscore.count.supersets.find_supersets`, on the device."""
        joined = join(self)
        cells, more = joined.marginal(everywhere) if reading == "marginal" else joined.own(reading == "majority")
        size = joined.size[joined.superset[joined.pred[cells]]]
        found, times = distinct_rows([*self.numbers(cells), size, *more.values()])
        document, n, a, b, size, *rest = self.told(found)
        return Supersets(document, n, a, b, to_host(times), None, size, **dict(zip(more, rest, strict=True)))


class Joined(NamedTuple):
    """Predicted clusters with the same majority label, joined to super-sets."""

    n: Any  # of the cells, their clusters,
    gold: Any
    pred: Any
    main: Any  # and whether it has the majority in its predicted cluster
    inside: Any  # or lies in a super-set of several clusters: everywhere else super-set and cluster are the same
    superset: Any  # of each predicted cluster
    size: Any  # of each super-set
    labels: int  # how many gold clusters there are
    label: Any  # the gold clusters and the super-sets of the cells inside,
    group: Any
    held: Any  # what they have in common,
    of_cell: Any  # and which of them each cell inside belongs to

    def own(self, majority: bool) -> tuple[Any, dict[str, Any]]:
        """The cells that gain, and what they have in common with their super-set; also of the majority's cell."""
        held = self.held[self.of_cell]
        if not majority:
            return self.inside, {"held": held}
        pred, decides = self.pred[self.inside], self.main[self.inside]
        main_n, main_held = (
            numbers.new_zeros(len(self.superset)).index_copy(0, pred[decides], numbers[decides])
            for numbers in (self.n[self.inside], held)
        )
        return self.inside, {"held": held, "main_n": main_n[pred], "main_held": main_held[pred]}

    def marginal(self, everywhere: bool) -> tuple[Any, dict[str, Any]]:
        """The cells that gain, or all, and the sums of squares of their clusters and super-sets."""
        nn, ww = self.n * self.n, self.held * self.held
        gold_nn, pred_nn = sums(nn, self.gold, self.labels), sums(nn, self.pred, len(self.superset))
        # of the labels of the cells inside the recall changes in all their cells
        gained = sums(ww, self.label, self.labels) - sums(nn[self.inside], self.gold[self.inside], self.labels)
        super_ww = sums(ww, self.group, len(self.size))
        cells = self.inside | (everywhere or (gained != 0)[self.gold])
        gold, pred = self.gold[cells], self.pred[cells]
        return cells, {
            "gold_nn": gold_nn[gold], "pred_nn": pred_nn[pred], "gold_ww": (gold_nn + gained)[gold],
            "super_ww": super_ww[self.superset[pred]].where(self.inside[cells], pred_nn[pred]),
        }  # fmt: skip


def join(cells: Cells) -> Joined:
    """Find the super-sets: a cluster whose majority is tied stays alone."""
    labels, clusters = len(cells.gold.size), len(cells.pred.size)
    n, gold, pred = cells.n.long(), cells.gold.cluster.long(), cells.pred.cluster.long()
    main = n == cells.largest(cells.pred)[pred]
    main &= sums(main.int(), pred, clusters)[pred] == 1
    superset = sys.modules["torch"].arange(labels, labels + clusters, device=n.device)
    superset[pred[main]] = gold[main]
    size = sums(cells.pred.size.long(), superset, labels + clusters)
    inside = (superset.bincount(minlength=labels + clusters)[superset] > 1)[pred]
    (label, group), pair = numbered_rows([gold[inside], superset[pred[inside]]])
    held = sums(n[inside], pair, len(label))
    return Joined(n, gold, pred, main, inside, superset, size, labels, label, group, held, pair)


class TensorTable(MergedTable):
    """A table whose cells stay on a device; what a measure needs of them is made there when it is asked for."""

    def __init__(self, cells: Cells, *, documents: Sequence[Any] = (None,), policy: Policy):
        self._cells = cells
        self.documents, self.one_sided, self.policy = documents, (0, 0), policy
        self.weight = None
        self._memo = {}

    def __getattr__(self, name: str) -> Any:
        if name == "_rows":
            self._rows = self._cells.rows()
            return self._rows
        if name not in CELLS:
            raise AttributeError(name)
        return getattr(self.on_host(), name)

    def __reduce__(self) -> tuple[Any, ...]:
        return _same, (self.on_host(),)

    @once
    def on_host(self) -> Table:
        """The same table with its cells in memory: for measures that align clusters, and to be sent elsewhere."""
        gold, gold_size, gold_names, gold_document = self._cells.gold.on_host()
        pred, pred_size, pred_names, pred_document = self._cells.pred.on_host()
        return Table(
            gold, pred, to_host(self._cells.n), gold_size, pred_size, gold_names=gold_names, pred_names=pred_names,
            gold_document=gold_document, pred_document=pred_document, documents=self.documents, policy=self.policy,
        )  # fmt: skip

    @once
    def pooled(self) -> Table:
        if self._cells.gold.document is None:
            return self
        gold, pred = (side._replace(document=None) for side in (self._cells.gold, self._cells.pred))
        return TensorTable(Cells(self._cells.n, gold, pred, 1), policy=self.policy)

    @lazy
    def common(self) -> Floats:
        return self._cells.by_document(self._cells.gold, self._cells.gold.size)

    @once
    def _take(self, *need: str | bool) -> Any:
        if need[0] == "supersets" and self.n_common > _MOST_SQUARED:
            return find_supersets(self.on_host(), str(need[1]), bool(need[2]))
        return getattr(self._cells, str(need[0]))(*need[1:])


def _same(table: Table) -> Table:
    return table
