"""Adapted Rand error, of volumes of neurons."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import numpy as np

from clusterscore.count.counts import NotASum
from clusterscore.count.objects import background_clusters
from clusterscore.metrics.metric import Array, Distance, Floats, Need, Parts, Sums, Values, divide, register
from clusterscore.metrics.pair_metric import whole_numbers
from clusterscore.nouns import noun


class Squares(NamedTuple):
    """Three sums over cells, gold and predicted clusters: of n*(n-1), or of n*n."""

    cells: Array
    gold: Array
    pred: Array

    @classmethod
    def of(cls, together: Array, gold: Array, pred: Array, elements: Array, cut: Any = 0, cut_pred: Any = 0) -> Squares:
        """From pairs, ``elements`` to add, and what cells and predicted clusters lose where some are cut."""
        return cls(2 * together + elements - cut, 2 * gold + elements, 2 * pred + elements - cut_pred)

    @property
    def error(self) -> Floats:
        """1 - F, where nothing is subtracted but whole numbers."""
        return divide(self.gold + self.pred - 2 * self.cells, self.gold + self.pred, 0.0)


def square_parts(table: Sums, elements: Array) -> Parts:
    """What :meth:`Squares.of` takes; with the ``elements`` of each document squares, without them pairs."""
    pairs = {"together": table.pairs("cell"), "gold": table.pairs("gold"), "pred": table.pairs("pred")}
    exact = any(column.dtype == object for column in pairs.values())
    return {**pairs, "elements": whole_numbers(elements) if exact else elements}


@register
class AdaptedRandError(Distance):
    """Adapted Rand error: how many pairs of voxels were split or merged wrongly, as 1 - F. Smaller is better.

    Formula:
        S, A, B = the sums of n*(n-1) over cells, gold clusters and predicted clusters
        error = 1 - 2*S/(A+B), P = S/B, R = S/A; 0/0 is an error of 0, and P and R of 1

    Range:
        0 (identical) to 1. The score has ``f1`` = 1 - error. Merging lowers P, and splitting lowers R;
        scikit-image returns the two under each other's names.

    Use it when:
        You segment neurons or cells, where it is reported, usually with ``background="gold"``. With count=pairs it is
        1 - the F of pairwise. Large objects dominate it.

    Options:
        count: "pairs" (default) as in scikit-image; "squares" sums n*n, so that a voxel is a pair with itself, as in
            elf and funlib; "snemi" is squares, with predicted background inside gold objects cut into single voxels, as
            in SNEMI3D; "cremi" is what cremi_python computes, which adds their share of all voxels, not their number.

    Reference:
        Arganda-Carreras et al. 2015, Crowdsourcing the creation of image segmentation algorithms for connectomics,
        Frontiers in Neuroanatomy 9.

    Example:
        >>> import numpy as np
        >>> import clusterscore as cs
        >>> gold, pred = np.array([[1, 1, 2, 2, 0, 0]]), np.array([[1, 1, 1, 1, 0, 0]])
        >>> score = cs.adapted_rand_error(gold, pred, background="gold")
        >>> score.value, score.precision, score.recall
        (0.5, 0.3333333333333333, 1.0)
    """

    count: Literal["pairs", "squares", "snemi", "cremi"] = "pairs"

    name = "adapted_rand_error"
    aliases = ("are",)
    group = "pairs"
    highest = 1.0
    swaps = emptied = True

    @property
    def symmetric(self) -> bool:  # type: ignore[override]
        """Only the background of the prediction is cut."""
        return self.count in ("pairs", "squares")

    @property
    def needs(self) -> frozenset[Need]:
        return frozenset(() if self.symmetric else {("cells",)})

    def parts(self, table: Any) -> Parts:
        parts = square_parts(table, table.common * (self.count != "pairs"))
        return parts if self.symmetric else {**parts, **_cut_background(table)}

    def finish(self, single: Array | None = None, every: Array | None = None, **parts: Array) -> Values:
        if single is not None and every is not None:
            if self.count == "cremi":  # times all voxels, so that nothing but whole numbers is subtracted
                parts = {name: whole_numbers(part) * whole_numbers(every) for name, part in parts.items()}
            parts |= {name: parts[name] - single for name in ("cut", "cut_pred")}
        squares = Squares.of(**parts)
        error = squares.error
        precision, recall = divide(squares.cells, squares.pred, 1.0), divide(squares.cells, squares.gold, 1.0)
        return Values(error, precision, recall, {"f1": 1 - error})


def _cut_background(table: Any) -> Parts:
    """What squares lose where predicted background in gold objects is cut out, how many elements it has, and of all."""
    if table.unit != "documents":
        raise NotASum(noun("whole clusters of both sides"))
    cells, documents = table.cells, len(table.documents)
    cut = background_clusters(cells.pred)[cells.of_pred] & ~background_clusters(cells.gold)[cells.of_gold]
    n, where = cells.n[cut].astype(object), np.zeros(int(cut.sum()), np.int64)
    if cells.document is not None:
        where = cells.document[cut]
    single, squares, lost = np.zeros((3, documents), object)
    np.add.at(single, where, n)
    np.add.at(squares, where, n * n)
    # a predicted cluster of size b that loses k voxels: b*b - (b-k)*(b-k)
    of_pred, cell = np.unique(cells.of_pred[cut], return_index=True)
    left_out = np.zeros(len(table.pred_size), object)
    np.add.at(left_out, cells.of_pred[cut], n)
    size, k = table.pred_size[of_pred].astype(object), left_out[of_pred]
    np.add.at(lost, where[cell], size * size - (size - k) ** 2)
    every = (table.whole or table).common
    return {"cut": squares, "cut_pred": lost, "single": single, "every": every}
