"""What BCubed and ELM share: each element has its own P, R and F, and the score is their mean."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, NamedTuple

from clusterscore.count.sums import Floats, divide
from clusterscore.count.table import Table
from clusterscore.distinct import Array
from clusterscore.metrics.adjusted import AdjustableF, expected_losses
from clusterscore.metrics.balance import harmonic, signed_harmonic
from clusterscore.metrics.metric import Parts, Values
from clusterscore.metrics.weights import Weights, cell_weight


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

    f: Literal["mean", "of-means"] = "mean"
    weights: Weights | None = None

    less: ClassVar[int] = 0
    swaps = True
    weighable = True

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

    def parts(self, table: Table) -> Parts:
        if self.adjusted:
            return {**self._losses(table), **expected_losses(table, self.weights, self.less, self.balance)}
        if self.weights is None and self.balance == (0.5, 0.5):
            return {**table.credits(self.less)._asdict(), "elements": table.common}
        rows = table.rows()
        weight = cell_weight(self.weights, table, rows)
        scores = self.elements(rows.n, rows.a, rows.b)
        terms = {name: weight * getattr(scores, name) for name in ("precision", "recall", "f")}
        return {
            name: table.add(column, rows.document, rows.times) for name, column in {**terms, "elements": weight}.items()
        }

    def _losses(self, table: Table) -> Parts:
        """How far the sums of P, R and F stay below the weight of all elements, and that weight; nothing cancels."""
        rows = table.rows()
        weight = cell_weight(self.weights, table, rows)
        tp, fp, fn = rows.n - self.less, rows.b - rows.n, rows.a - rows.n
        w_fp, w_fn = self.balance
        misses = {"precision": fp, "recall": fn, "f": w_fp * fp + w_fn * fn}
        terms = {name: weight * divide(miss, tp + miss, 0.0) for name, miss in misses.items()}
        return {
            name: table.add(column, rows.document, rows.times) for name, column in {**terms, "elements": weight}.items()
        }

    def finish(self, precision: Array, recall: Array, f: Array, elements: Array, **expected: Array) -> Values:
        if self.adjusted:
            return self._finish_adjusted({"precision": precision, "recall": recall, "f": f}, elements, expected)
        precision, recall = divide(precision, elements, 0.0), divide(recall, elements, 0.0)
        if self.f == "of-means":
            return Values(harmonic(precision, recall, *self.balance), precision, recall)
        return Values(divide(f, elements, 0.0), precision, recall)

    def _finish_adjusted(self, losses: Parts, elements: Array, expected: Parts) -> Values:
        """(x - E)/(1 - E) as 1 - (1 - x)/(1 - E): exactly 1 where nothing is lost, also if nothing can be."""
        precision, recall, f = (1 - divide(loss, expected[f"expected_{name}"], 0.0) for name, loss in losses.items())
        chance = {name: 1 - divide(loss, elements, 1.0) for name, loss in expected.items()}
        mean_f = chance.pop("expected_f")
        if self.f == "of-means":
            return Values(signed_harmonic(precision, recall, *self.balance), precision, recall, chance)
        return Values(f, precision, recall, {**chance, "expected": mean_f})

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
