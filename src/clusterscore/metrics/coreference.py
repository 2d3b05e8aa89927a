"""What the coreference measures share: a right number over each side's total, mentions on one side only included."""

from __future__ import annotations

import numpy as np

from clusterscore.count.sums import divide
from clusterscore.count.table import Table
from clusterscore.distinct import Array
from clusterscore.metrics.balance import harmonic
from clusterscore.metrics.metric import Metric, Parts, Values


class CoreferenceMetric(Metric):
    """Counts add up over documents and are divided once; 0/0 is 0, and F is that of P and R."""

    one_sided = True
    usual_missing = "keep"
    swaps = True
    symmetric = True

    def finish(self, right_gold: Array, gold: Array, right_pred: Array, pred: Array) -> Values:
        precision, recall = divide(right_pred, pred, 0.0), divide(right_gold, gold, 0.0)
        counts = {
            "recall_numerator": right_gold, "recall_denominator": gold,
            "precision_numerator": right_pred, "precision_denominator": pred,
        }  # fmt: skip
        # equal P and R are their F, which the division may miss by a digit
        f = np.where(precision == recall, precision, harmonic(precision, recall, 0.5, 0.5))
        return Values(f, precision, recall, counts)


def same_right(right: Array, gold: Array, pred: Array) -> Parts:
    """Counts with one numerator for both sides."""
    return {"right_gold": right, "gold": gold, "right_pred": right, "pred": pred}


def mentions(table: Table) -> Parts:
    """How many mentions each side has."""
    return {"gold": table.gold_elements, "pred": table.pred_elements}
