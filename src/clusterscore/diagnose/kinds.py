"""Kinds of errors: what became of the elements that a gold and a predicted cluster share."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from clusterscore.count.sums import Floats, add_up, divide
from clusterscore.count.table import Table
from clusterscore.distinct import Array, Ints

KINDS = ("exact", "split", "merge", "mixed", "missed singleton", "false singleton")


class KindRows(NamedTuple):
    """A row for each of the :data:`KINDS`, in their order."""

    cells: Ints
    elements: Ints
    gold_clusters: Ints
    pred_clusters: Ints
    loss: Floats
    share: Floats


def kinds_of(n: Array, a: Array, b: Array) -> Ints:
    """The kind of each cell of n elements, in a gold cluster of a and a predicted one of b, as its place in KINDS.

    exact: both clusters are the same (n = a = b). Otherwise, missed singleton: the gold cluster is one element (a = 1),
    false singleton: the predicted one is (b = 1). Of the rest, split: the predicted cluster holds nothing else
    (n = b < a), merge: the gold cluster lies there whole (n = a < b), mixed: neither (n < a and n < b).
    """
    whole_gold, whole_pred = n == a, n == b
    return np.select(
        [whole_gold & whole_pred, a == 1, b == 1, whole_pred, whole_gold], [0, 4, 5, 1, 2], default=3
    ).astype(np.int64)


def kind_rows(table: Table, kind: Ints, loss: Floats) -> KindRows:
    """What the cells of each kind come to."""
    size = len(KINDS)
    lost = add_up(loss, kind, size)
    return KindRows(
        np.bincount(kind, minlength=size),
        np.bincount(kind, table.n, size).astype(np.int64),
        _concerned(kind, table.gold, len(table.gold_size)),
        _concerned(kind, table.pred, len(table.pred_size)),
        lost,
        divide(lost, lost.sum(), 0.0),
    )


def _concerned(kind: Ints, cluster: Array, clusters: int) -> Ints:
    """How many clusters have a cell of each kind."""
    seen = np.zeros((len(KINDS), clusters), np.bool_)
    seen[kind, cluster] = True
    return np.asarray(seen.sum(axis=1))
