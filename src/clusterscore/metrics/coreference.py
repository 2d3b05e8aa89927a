"""What the coreference measures share: a right number over each side's total, mentions on one side only included."""

from __future__ import annotations

from abc import abstractmethod
from typing import NamedTuple

import numpy as np

from clusterscore.count.sums import Floats, divide, rounded
from clusterscore.count.table import Table
from clusterscore.metrics.balance import harmonic
from clusterscore.metrics.metric import Metric, Values, columns, paired


class Counts(NamedTuple):
    """Numerators and denominators of recall and precision, each a sum and what it lost when it was rounded."""

    right_gold: Floats
    gold: Floats
    right_pred: Floats
    pred: Floats


class CoreferenceMetric(Metric):
    """Counts add up over documents and are divided once; 0/0 is 0, and F is that of P and R."""

    one_sided = True
    usual_missing = "keep"
    swaps = True
    symmetric = True
    paired = 8

    @abstractmethod
    def counts(self, table: Table) -> Counts:
        """The counts of every document."""

    def parts(self, table: Table) -> Floats:
        return columns(*self.counts(table))

    def finish(self, parts: Floats) -> Values:
        right_gold, gold, right_pred, pred = rounded(parts).T
        precision, recall = divide(right_pred, pred, 0.0), divide(right_gold, gold, 0.0)
        counts = {
            "recall_numerator": right_gold, "recall_denominator": gold,
            "precision_numerator": right_pred, "precision_denominator": pred,
        }  # fmt: skip
        # equal P and R are their F, which the division may miss by a digit
        f = np.where(precision == recall, precision, harmonic(precision, recall, 0.5, 0.5))
        return Values(f, precision, recall, counts)


def same_right(right: Floats, gold: Floats, pred: Floats) -> Counts:
    """Counts with one numerator for both sides; ``right`` with what it lost, or a plain column."""
    if right.ndim == 1:
        right = paired(right)
    return Counts(right, paired(gold), right, paired(pred))


def mentions(table: Table) -> tuple[Floats, Floats]:
    """How many mentions each side has."""
    return np.asarray(table.gold_elements), np.asarray(table.pred_elements)
