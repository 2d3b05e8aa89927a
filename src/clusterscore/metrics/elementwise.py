"""What BCubed and ELM share: each element has its own P, R and F, and the score is their mean."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from clusterscore.count.sums import Floats, divide, rounded
from clusterscore.count.table import Table
from clusterscore.distinct import Array
from clusterscore.metrics.adjusted import AdjustableF, expected_losses
from clusterscore.metrics.balance import harmonic, signed_harmonic
from clusterscore.metrics.metric import Values, columns, word
from clusterscore.metrics.weights import WEIGHTS, cell_weight


class ElementScores(NamedTuple):
    """The scores of elements that lie in cells (n, a, b)."""

    tp: Array
    fp: Array
    fn: Array
    precision: Floats
    recall: Floats
    f: Floats


@dataclass(frozen=True)
class ElementWise(AdjustableF):
    """Mean over elements; ``less`` is 1 where an element does not count as its own neighbour."""

    f: str = "mean"
    weights: str | None = None

    less: ClassVar[int] = 0
    swaps = True
    weighable = True
    paired = 8

    def __post_init__(self) -> None:
        super().__post_init__()
        word(self.name, "f", self.f, ("mean", "of-means"))
        if self.weights is not None:
            word(self.name, "weights", self.weights, WEIGHTS)

    @property
    def parameters(self) -> dict[str, object]:
        known = super().parameters
        return {"f": known.pop("f"), **known}

    @property
    def additive(self) -> bool:
        # chance, and those weights, depend on the number of all elements
        return not self.adjusted and self.weights != "effective"

    @property
    def wants_weights(self) -> bool:
        return self.weights == "given"

    def parts(self, table: Table) -> Floats:
        if self.adjusted:
            losses = expected_losses(table, self.weights, self.less, self.balance)
            return columns(self._losses(table), losses)
        if self.weights is not None:
            return self._weighted_parts(table)
        sums = table.credits(self.less)
        if self.balance != (0.5, 0.5):
            rows = table.rows()
            f = self.elements(rows.n, rows.a, rows.b).f
            sums = columns(sums[:, :4], table.add(rows.n * f, rows.document, rows.times))
        parts = np.zeros((len(sums), 8))
        parts[:, :6], parts[:, 6] = sums, table.common
        return parts

    def _weighted_parts(self, table: Table) -> Floats:
        rows = table.rows()
        weight = cell_weight(self.weights, table, rows)
        scores = self.elements(rows.n, rows.a, rows.b)
        terms = (*(weight * column for column in (scores.precision, scores.recall, scores.f)), weight)
        return columns(*(table.add(column, rows.document, rows.times) for column in terms))

    def _losses(self, table: Table) -> Floats:
        """How far the sums of P, R and F stay below the weight of all elements, and that weight; nothing cancels."""
        rows = table.rows()
        weight = cell_weight(self.weights, table, rows)
        tp, fp, fn = rows.n - self.less, rows.b - rows.n, rows.a - rows.n
        w_fp, w_fn = self.balance
        wrong = w_fp * fp + w_fn * fn
        losses = (weight * divide(miss, tp + miss, 0.0) for miss in (fp, fn, wrong))
        return columns(*(table.add(column, rows.document, rows.times) for column in (*losses, weight)))

    def finish(self, parts: Floats) -> Values:
        if self.adjusted:
            return self._finish_adjusted(parts)
        sums = rounded(parts)
        precision, recall, f = divide(sums[:, :3], sums[:, 3:], 0.0).T
        if self.f == "of-means":
            f = harmonic(precision, recall, *self.balance)
        return Values(f, precision, recall)

    def _finish_adjusted(self, parts: Floats) -> Values:
        """(x - E)/(1 - E) as 1 - (1 - x)/(1 - E): exactly 1 where nothing is lost, also if nothing can be."""
        expected = parts[:, 8:]
        sums = rounded(parts[:, :8])
        precision, recall, f = (1 - divide(sums[:, :3], expected, 0.0)).T
        chance = 1 - divide(expected, sums[:, 3:], 1.0)
        extras = {"expected_precision": chance[:, 0], "expected_recall": chance[:, 1]}
        if self.f == "of-means":
            return Values(signed_harmonic(precision, recall, *self.balance), precision, recall, extras)
        return Values(f, precision, recall, {**extras, "expected": chance[:, 2]})

    def elements(self, n: Array, a: Array, b: Array) -> ElementScores:
        """P, R and F of an element in each cell."""
        tp, fp, fn = n - self.less, b - n, a - n
        precision = divide(tp, tp + fp, 1.0)
        recall = divide(tp, tp + fn, 1.0)
        w_fp, w_fn = self.balance
        both = tp + w_fp * fp + w_fn * fn
        # 0/0: both alone gives 1; where only one error counts, its side decides
        empty = recall if w_fp == 0 else precision if w_fn == 0 else 1.0
        return ElementScores(tp, fp, fn, precision, recall, divide(tp, both, empty))
