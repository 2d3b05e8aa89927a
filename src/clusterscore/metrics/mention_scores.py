"""What the coreference measures share, and mention detection, the simplest of them."""

from abc import abstractmethod
from typing import Any, ClassVar

import numpy as np

from clusterscore.metrics.balance import harmonic
from clusterscore.metrics.elementwise import ElementScores, ScoresElements
from clusterscore.metrics.metric import Array, Metric, Parts, Sums, Table, Values, divide, register


class CoreferenceMetric(Metric):
    """A right number over each side's total, mentions on one side only included.

    Counts add up over documents and are divided once; 0/0 is 0, and F is that of P and R.
    """

    group = "coreference"

    one_sided = True
    default_missing = "keep"
    swaps = True
    symmetric = True
    overlaps: ClassVar[bool] = False  # a mention counts in all entities that have it, not in the one where it is found

    @abstractmethod
    def counted(self, table: Any) -> Parts:
        """The parts of a table in which both sides find the same mentions."""

    def parts(self, table: Any) -> Parts:
        directions = getattr(table, "directions", None)  # which the sums of a sweep do not have
        if directions is None:
            return self.counted(table)
        if self.overlaps:
            return self.counted(directions.overlap)
        recall, precision = self.counted(directions.recall), self.counted(directions.precision)
        return {name: (precision if name.endswith("pred") else recall)[name] for name in recall}

    def finish(self, right_gold: Array, gold: Array, right_pred: Array, pred: Array) -> Values:
        precision, recall = divide(right_pred, pred, 0.0), divide(right_gold, gold, 0.0)
        # equal P and R are their F, which the division may miss by a digit
        f = np.where(precision == recall, precision, harmonic(precision, recall, 0.5, 0.5))
        counts = {"recall_numerator": right_gold, "recall_denominator": gold}
        counts |= {"precision_numerator": right_pred, "precision_denominator": pred}
        return Values(f, precision, recall, counts)


class ScoresMentions(CoreferenceMetric, ScoresElements):
    """A measure whose right number is a sum over the mentions that both sides have; the others get nothing.

    ``exclude_self`` is 1 where a mention does not count as its own companion.
    """

    exclude_self: ClassVar[int] = 0

    def cell_scores(self, table: Table) -> ElementScores:
        n, a, b = (column.astype(np.int64) for column in (table.n, table.a, table.b))
        on_both = (a > 0) & (b > 0)  # else it is on one side only, in a cluster of size 0 on the other
        shared = np.where(on_both, n, 0)
        tp = np.where(on_both, n - self.exclude_self, 0)
        fp, fn = (np.maximum(size - np.maximum(shared, self.exclude_self), 0) for size in (b, a))
        alone = ((a == 1) & (b == 1)).astype(np.float64)
        precision, recall, f = (divide(tp, tp + misses, alone) for misses in (fp, fn, (fp + fn) / 2))
        return ElementScores(tp, fp, fn, precision, recall, f)


def same_right(right: Array, gold: Array, pred: Array) -> Parts:
    """Counts with one numerator for both sides."""
    return {"right_gold": right, "gold": gold, "right_pred": right, "pred": pred}


def mentions(table: Sums) -> Parts:
    """How many mentions each side has."""
    return {"gold": table.gold_elements, "pred": table.pred_elements}


@register
class MentionDetection(CoreferenceMetric):
    """Mention detection: which mentions were found, whatever their entity.

    Formula:
        R = common mentions / gold mentions, P = common mentions / predicted mentions
        0/0 is 0, F = 2*P*R/(P+R)

    Range:
        0 to 1; 1 if both sides have the same mentions.

    Use it when:
        You want to know whether the entities are wrong or mentions were missed.

    Reference:
        Pradhan, Luo, Recasens, Hovy, Ng & Strube 2014, Scoring coreference partitions of predicted mentions, ACL.

    Example:
        >>> import clusterscore as cs
        >>> cs.mentions([{"a", "b", "c"}], [{"a", "b"}, {"d"}]).recall
        0.6666666666666666
    """

    name = "mentions"

    def counted(self, table: Sums) -> Parts:
        return same_right(table.common, **mentions(table))
