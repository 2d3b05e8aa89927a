"""Super-sets, for alphaMax: predicted clusters with the same majority label count as one.

Written once, for NumPy and torch: whole numbers are compared, picked and added up in groups, and both libraries spell
that alike but for the few functions of :class:`Library`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

import numpy as np

from clusterscore.distinct import Array, distinct
from clusterscore.read.labels import array_module

MOST_SQUARED = 3_037_000_499  # elements whose squares add up in 64 bits


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

    def take(self, rows: slice) -> Supersets:
        """Some of the cells."""
        return Supersets(*(column if column is None else column[rows] for column in self))  # type: ignore[arg-type]


class Library(Protocol):
    """What NumPy and torch spell differently; for torch it is a module, :mod:`clusterscore.count.packing`."""

    def sums(self, numbers: Any, group: Any, size: int) -> Any:
        """The sums of whole numbers in groups."""

    def maxima(self, numbers: Any, group: Any, size: int) -> Any:
        """The largest number of each group, 0 where there is none."""

    def pairs(self, left: Any, right: Any) -> tuple[Any, Any, Any]:
        """The distinct pairs of two columns, and for each row the number of its pair."""


class _NumPy:
    def sums(self, numbers: Any, group: Any, size: int) -> Any:
        totals = np.zeros(size, numbers.dtype)
        np.add.at(totals, group, numbers)
        return totals

    def maxima(self, numbers: Any, group: Any, size: int) -> Any:
        maxima = np.zeros(size, numbers.dtype)
        np.maximum.at(maxima, group, numbers)
        return maxima

    def pairs(self, left: Any, right: Any) -> tuple[Any, Any, Any]:
        pairs = distinct((left, int(left.max(initial=0)) + 1), (right, int(right.max(initial=0)) + 1), codes=True)
        return pairs.column(0), pairs.column(1), pairs.codes


ARRAYS = _NumPy()


def find_supersets(
    n: Any, gold: tuple[Any, int], pred: tuple[Any, Any], reading: str, everywhere: bool, library: Library
) -> tuple[Any, Callable[[Any], dict[str, Any]]]:
    """Which cells gain by their super-set (or all, with ``everywhere``), and the columns that a reading needs of some.

    ``gold`` is the cluster of each cell and the number of clusters, ``pred`` the cluster of each cell and the sizes.
    """
    (of_gold, labels), (of_pred, pred_size) = gold, pred
    sums, arrays, clusters = library.sums, array_module(of_pred), len(pred_size)
    # a cluster goes by the label of its largest cell; one whose largest cells are tied stays alone
    largest = n == library.maxima(n, of_pred, clusters)[of_pred]
    (main,) = arrays.where(largest & (sums(largest * 1, of_pred, clusters)[of_pred] == 1))
    superset = arrays.arange(labels, labels + clusters, device=of_pred.device)
    superset[of_pred[main]] = of_gold[main]
    several = sums(superset * 0 + 1, superset, labels + clusters)[superset] > 1
    inside = several[of_pred]  # everywhere else super-set and cluster are the same
    here = slice(None) if bool(inside.all()) else arrays.where(inside)[0]  # without a copy, where it is everywhere
    label, group, pair = library.pairs(of_gold[here], superset[of_pred[here]])
    held = sums(n[here], pair, len(label))
    size = sums(pred_size, superset, labels + clusters)
    if reading != "marginal":
        held_there, decides = n * 0, main[inside[main]]
        held_there[here] = held[pair]

        def own_columns(where: Any) -> dict[str, Any]:
            columns = {"size": size[superset[of_pred[where]]], "held": held_there[where]}
            if reading == "majority":
                for name, numbers in (("main_n", n), ("main_held", held_there)):
                    columns[name] = sums(numbers[decides], of_pred[decides], clusters)[of_pred[where]]
            return columns

        return inside, own_columns
    nn, ww = n * n, held * held
    gold_nn, pred_nn, super_ww = sums(nn, of_gold, labels), sums(nn, of_pred, clusters), sums(ww, group, len(size))
    # the recall of a label changes in all its cells, also in those outside
    gained = sums(ww, label, labels) - sums(nn[here], of_gold[here], labels)

    def columns(where: Any) -> dict[str, Any]:
        at_gold, at_pred = of_gold[where], of_pred[where]
        joined = super_ww[superset[at_pred]]
        (alone,) = arrays.where(~several[at_pred])
        joined[alone] = pred_nn[at_pred[alone]]
        return {
            "size": size[superset[at_pred]],
            "gold_nn": gold_nn[at_gold],
            "pred_nn": pred_nn[at_pred],
            "gold_ww": gold_nn[at_gold] + gained[at_gold],
            "super_ww": joined,
        }

    return inside | (gained != 0)[of_gold] | everywhere, columns
