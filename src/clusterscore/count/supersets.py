"""Super-sets, for alphaMax: predicted clusters with the same majority label count as one."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from clusterscore.count.sums import add_integers, squares
from clusterscore.distinct import Array, Ints, distinct

if TYPE_CHECKING:
    from clusterscore.count.table import Table


class Supersets(NamedTuple):
    """Cells by their numbers, with what alphaMax asks about their super-set; a column that no one asked for is None."""

    document: Array | None
    n: Array
    a: Array
    b: Array
    times: Array | None
    weight: Array | None
    size: Array  # of the super-set
    gold_nn: Array | None = None  # the sum of n*n over the gold cluster, over the predicted cluster
    pred_nn: Array | None = None
    gold_ww: Array | None = None  # the same with super-sets in the place of predicted clusters
    super_ww: Array | None = None
    held: Array | None = None  # common elements of the gold cluster and the super-set
    main_n: Array | None = None  # n and held of the cell that has the majority in the predicted cluster
    main_held: Array | None = None


class _Joined(NamedTuple):
    superset: Ints  # of each predicted cluster
    size: Ints  # of each super-set
    main: Ints  # the cell with the majority, of each predicted cluster that has one
    cells: Ints  # those in super-sets of several clusters: everywhere else super-set and cluster are the same
    label: Array  # the gold clusters and the super-sets of those cells,
    group: Array
    held: Array  # what they have in common,
    of_cell: Array  # and which of them each cell belongs to


def find_supersets(table: Table, reading: str, everywhere: bool) -> Supersets:
    """The columns that a reading of alphaMax needs."""
    joined = _join(table)
    if reading == "marginal":
        return _marginal(table, joined, everywhere)
    cells = joined.cells
    held = joined.held[joined.of_cell]
    known = _numbers(table, joined, cells)._replace(held=held)
    if reading == "own":
        return known
    pred = table.pred[cells]
    main_n, main_held = np.zeros((2, len(table.pred_size)), np.int64)
    decides = np.isin(cells, joined.main)
    main_n[pred[decides]], main_held[pred[decides]] = known.n[decides], held[decides]
    return known._replace(main_n=main_n[pred], main_held=main_held[pred])


def _join(table: Table) -> _Joined:
    labels, clusters = len(table.gold_size), len(table.pred_size)
    largest = (table.n == table.largest("pred").take(table.pred)).nonzero()[0]
    holder = table.pred.take(largest)
    decided = (np.bincount(holder, minlength=clusters) == 1).take(holder)
    main, holder = largest[decided], holder[decided]
    superset = labels + np.arange(clusters)  # a cluster of its own, unless one label has the majority
    superset[holder] = table.gold.take(main)
    size = np.bincount(superset, table.pred_size, labels + clusters).astype(np.int64)
    together = (np.bincount(superset, minlength=labels + clusters) > 1).take(superset)
    cells = together.take(table.pred).nonzero()[0]
    columns = (table.gold[cells], labels), (superset[table.pred[cells]], labels + clusters)
    found = distinct(*columns, codes=True, times=table.n[cells])
    return _Joined(superset, size, main, cells, found.column(0), found.column(1), found.counts, found.codes)


def _numbers(table: Table, joined: _Joined, cells: Ints) -> Supersets:
    return Supersets(
        None if table.cell_document is None else table.cell_document[cells],
        table.n[cells], table.a[cells], table.b[cells], None,
        None if table.weight is None else table.weight[cells],
        joined.size[joined.superset[table.pred[cells]]],
    )  # fmt: skip


def _marginal(table: Table, joined: _Joined, everywhere: bool) -> Supersets:
    labels, clusters = len(table.gold_size), len(table.pred_size)
    _, nn = squares(table.n, None, table.elements)
    _, ww = squares(joined.held, None, table.elements)
    gold_nn, pred_nn = add_integers(nn, table.gold, labels), add_integers(nn, table.pred, clusters)
    # of the labels of those cells the recall changes in all their cells
    gained = add_integers(ww, joined.label, labels) - add_integers(nn[joined.cells], table.gold[joined.cells], labels)
    super_ww = add_integers(ww, joined.group, len(joined.size))
    inside = np.zeros(clusters, np.bool_)
    inside[table.pred[joined.cells]] = True
    if everywhere:
        cells = np.arange(len(table.n))
    else:
        cells = ((gained != 0).take(table.gold) | inside.take(table.pred)).nonzero()[0]
    gold, pred = table.gold[cells], table.pred[cells]
    return _numbers(table, joined, cells)._replace(
        gold_nn=gold_nn[gold], pred_nn=pred_nn[pred], gold_ww=(gold_nn + gained)[gold],
        super_ww=np.where(inside[pred], super_ww[joined.superset[pred]], pred_nn[pred]),
    )  # fmt: skip
