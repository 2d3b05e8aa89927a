"""The Talburt-Wang index."""

import numpy as np

from clusterscore.metrics.metric import Array, Metric, Parts, Sums, Values, divide, register


@register
class TalburtWang(Metric):
    """Talburt-Wang index: the number of clusters compared with the number of their overlaps.

    Formula:
        sqrt(gold clusters * predicted clusters) / cells, a cell being a pair of clusters that share elements

    Range:
        Above 0 to 1.

    Use it when:
        You work in entity resolution, where it is reported. It counts clusters, whatever their size.

    Reference:
        Talburt, Wang, Hess & Kuo 2007, An algebraic approach to data quality metrics for entity resolution over large
        datasets, in Information Quality Management.

    Example:
        >>> import clusterscore as cs
        >>> round(cs.talburt_wang([0, 0, 0, 1, 1, 2], [0, 0, 1, 1, 1, 2]).value, 4)
        0.75
    """

    name = "talburt_wang"
    aliases = ("twi",)
    symmetric = True

    def parts(self, table: Sums) -> Parts:
        return {"cells": table.clusters("cell"), "gold": table.clusters("gold"), "pred": table.clusters("pred")}

    def finish(self, cells: Array, gold: Array, pred: Array) -> Values:
        return Values(divide(np.sqrt(gold * pred), cells, 0.0))
