"""The K measure."""

import numpy as np

from clusterscore.metrics.metric import Array, Metric, Parts, Sums, Values, divide, register


@register
class KMeasure(Metric):
    """K measure: the geometric mean of BCubed precision and recall.

    Formula:
        sqrt(P*R), P = (1/N) * sum over cells of n*n/b, R = (1/N) * sum over cells of n*n/a

    Range:
        Above 0 to 1. P is called the average cluster purity, R the average author purity.

    Use it when:
        You work on author name disambiguation, where it is reported.

    Reference:
        Lapidot 2002, Self-organizing-maps with BIC for speaker clustering; Ferreira, Gonçalves & Laender 2012, A brief
        survey of automatic methods for author name disambiguation, SIGMOD Record 41.

    Example:
        >>> import clusterscore as cs
        >>> round(cs.k_measure([0, 0, 0, 1, 1, 2], [0, 0, 1, 1, 1, 2]).value, 4)
        0.7778
    """

    name = "k_measure"
    group = "elements"
    aliases = ("k_metric",)
    swaps = True
    symmetric = True

    def parts(self, table: Sums) -> Parts:
        sums = table.credits(0)
        return {"precision": sums.precision, "recall": sums.recall, "elements": table.common}

    def finish(self, precision: Array, recall: Array, elements: Array) -> Values:
        precision, recall = divide(precision, elements, 0.0), divide(recall, elements, 0.0)
        # of equal numbers the root of their product may be off in the last bit
        value = np.where(precision == recall, precision, np.sqrt(precision * recall))
        return Values(value, precision, recall)
