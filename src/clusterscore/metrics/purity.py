"""Purity."""

from clusterscore.metrics.metric import Array, Metric, Parts, Sums, Values, divide, register


@register
class Purity(Metric):
    """Purity: the share of elements that belong to the main gold cluster of their predicted cluster.

    Formula:
        (1/N) * sum_j max_i n_ij

    Range:
        Above 0 to 1; 1 for all singletons, whatever gold is.

    Use it when:
        Each predicted cluster gets one label, and only that label counts. The "F-measure" of Moreno & Dias 2015 (micro
        F1 after majority labelling) is the same number.

    Reference:
        Zhao & Karypis 2001, Criterion functions for document clustering.

    Example:
        >>> import clusterscore as cs
        >>> cs.purity([0, 0, 1, 1], [0, 0, 0, 1]).value
        0.75
    """

    name = "purity"
    needs = frozenset({("largest_total", "pred")})

    def parts(self, table: Sums) -> Parts:
        return {"largest": table.largest_total("pred"), "elements": table.common}

    def finish(self, largest: Array, elements: Array) -> Values:
        return Values(divide(largest, elements, 0.0))
