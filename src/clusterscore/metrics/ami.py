"""Mutual information adjusted for chance."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from clusterscore.count.rows import split_logs
from clusterscore.metrics.expected import size_counts, sum_over_sizes
from clusterscore.metrics.metric import Array, Floats, Metric, Parts, Table, Values, divide, register
from clusterscore.metrics.mutual_information import Information, information_parts, mean_of

_BLOCK = 1 << 16  # numbers in one stretch of the recurrence
_NEGLIGIBLE = 1e-30


@register
class Ami(Metric):
    """Adjusted mutual information: mutual information, corrected for chance.

    Formula:
        (I - E[I]) / (mean(H(gold), H(pred)) - E[I])     mean: arithmetic, geometric, min or max
        E[I] = sum over gold sizes a and predicted sizes b of the mean of (n/N)*log(N*n/(a*b)), n hypergeometric

    Range:
        Up to 1, and 0 on average for a random prediction with the same cluster sizes, so it can be slightly negative.

    Use it when:
        You compare systems that make different numbers of clusters and want an information measure. The expectation
        depends only on cluster sizes, and equal sizes are computed once, so even tens of thousands of clusters are
        fast.

    Options:
        mean: "arithmetic" (default), "geometric", "min", "max"; scikit-learn calls it average_method. With "min" and
            "geometric" it can be far below 0.

    Reference:
        Vinh, Epps & Bailey 2010, Information theoretic measures for clusterings comparison, JMLR 11.

    Example:
        >>> import clusterscore as cs
        >>> gold, pred = [0, 0, 1, 1, 2, 2], [0, 0, 1, 1, 1, 2]
        >>> round(cs.ami(gold, pred).value, 4), round(cs.nmi(gold, pred).value, 4)
        (0.5024, 0.7397)
    """

    mean: Literal["arithmetic", "geometric", "min", "max"] = "arithmetic"

    name = "ami"
    aliases = ("adjusted_mutual_information",)
    group = "information"
    symmetric = True

    @property
    def lowest(self) -> float:
        """Chance may be expected to have almost all that the smaller entropy has."""
        return -1.0 if self.mean in ("arithmetic", "max") else float("-inf")

    def parts(self, table: Any) -> Parts:  # a Table, for the sizes of its clusters
        gold, pred = expected_alone(table)
        return {**information_parts(table), "expected_gold": gold, "expected_pred": pred}

    def finish(self, expected_gold: Array, expected_pred: Array, **parts: Array) -> Values:
        """I - E[I] is what a side has less of its own than expected, on either side; H - E[I] is what is expected."""
        info = Information.of(**parts)
        # the side that is expected to have less of its own loses fewer digits in the difference
        gold, pred = expected_gold - info.gold_alone, expected_pred - info.pred_alone
        above = np.where(expected_gold < expected_pred, gold, pred)
        if self.mean == "geometric":  # sqrt(H(gold)*H(pred)) lies between the two; from the smaller one up
            least = np.minimum(info.gold, info.pred)
            more = np.sqrt(least) * (np.sqrt(np.maximum(info.gold, info.pred)) - np.sqrt(least))
            scale = np.minimum(expected_gold, expected_pred) + more
        else:
            scale = mean_of(self.mean, expected_gold, expected_pred)
        return Values(np.where(info.identical, 1.0, divide(above, scale, 0.0)))


def expected_alone(table: Table) -> list[Floats]:
    """What gold is expected to have of its own, and the prediction, under random relabelling with the sizes fixed.

    For each document the means of the sums of n*log(b/n) and of n*log(a/n).
    """
    gold, pred = (size_counts(table, table.sizes(side)) for side in ("gold", "pred"))
    return sum_over_sizes(table, (gold, gold.times), (pred, pred.times.astype(np.float64)), _means_of_cell)


def _means_of_cell(a: Array, b: Array, elements: Floats) -> tuple[Floats, Floats]:
    """The means of n*log(b/n) and of n*log(a/n), n hypergeometric: N elements, a of them gold, b drawn.

    From the most likely n outwards each probability follows from its neighbour by one product, and in the end all are
    divided by their sum: no factorials, no cancellation.
    """
    a, b = a.astype(np.float64), b.astype(np.float64)
    mode = np.floor((a + 1) * (b + 1) / (elements + 2))
    mode = np.clip(mode, np.maximum(0.0, a + b - elements), np.minimum(a, b))
    weight, gold, pred = np.ones(len(a)), split_logs(mode, b), split_logs(mode, a)
    for step in (1.0, -1.0):
        still = np.arange(len(a))
        n, chance = mode.copy(), np.ones(len(a))
        while len(still):
            stretch = np.arange(max(1, min(4096, _BLOCK // len(still))))
            at = n[:, None] + step * stretch  # n before each step
            aa, bb, rest = a[still, None], b[still, None], (elements - a - b)[still, None]
            if step > 0:
                ratio = (aa - at) * (bb - at) / ((at + 1) * (rest + at + 1))
            else:
                below = (aa - at + 1) * (bb - at + 1)
                ratio = np.where(below > 0, at * (rest + at) / np.where(below > 0, below, 1.0), 0.0)
            ratio = np.maximum(ratio, 0.0)  # beyond the last possible n
            chances = chance[:, None] * np.cumprod(ratio, axis=1)
            values = np.clip(at + step, 0.0, np.minimum(aa, bb))
            weight[still] += chances.sum(axis=1)
            gold[still] += (chances * split_logs(values, bb)).sum(axis=1)
            pred[still] += (chances * split_logs(values, aa)).sum(axis=1)
            n, chance = n + step * len(stretch), chances[:, -1]
            go = chance > _NEGLIGIBLE
            still, n, chance = still[go], n[go], chance[go]
    return gold / weight, pred / weight
