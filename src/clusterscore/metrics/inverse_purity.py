"""Inverse purity."""

from clusterscore.metrics.metric import Array, Metric, Parts, Sums, Values, divide, register


@register
class InversePurity(Metric):
    """Inverse purity: the share of elements in the main predicted cluster of their gold cluster.

    Formula:
        (1/N) * sum_i max_j n_ij

    Range:
        Above 0 to 1; 1 for one single cluster, whatever gold is.

    Use it when:
        You want to see how much of each gold cluster stayed together. Read it together with purity.

    Reference:
        Amigó, Gonzalo, Artiles & Verdejo 2009, Information Retrieval 12(4).

    Example:
        >>> import clusterscore as cs
        >>> cs.inverse_purity([0, 0, 1, 1], [0, 0, 0, 1]).value
        0.75
    """

    name = "inverse_purity"
    needs = frozenset({("largest_total", "gold")})

    def parts(self, table: Sums) -> Parts:
        return {"largest": table.largest_total("gold"), "elements": table.common}

    def finish(self, largest: Array, elements: Array) -> Values:
        return Values(divide(largest, elements, 0.0))
