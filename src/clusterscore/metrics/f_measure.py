"""Van Rijsbergen's F-measure for clusterings."""

from clusterscore.metrics.metric import Array, Metric, Parts, Table, Values, divide, register


@register
class FMeasure(Metric):
    """F-measure: the best F of a predicted cluster for each gold cluster, weighted by size.

    Formula:
        (1/N) * sum_i a_i * max_j 2*n_ij/(a_i+b_j)

    Range:
        Above 0 to 1.

    Use it when:
        A user looks for one class at a time and opens the cluster that fits it best. A predicted cluster can serve
        several gold clusters; set_matching does not allow that.

    Reference:
        van Rijsbergen 1979, Information Retrieval; Larsen & Aone 1999, Fast and effective text mining using
        linear-time document clustering, KDD.

    Example:
        >>> import clusterscore as cs
        >>> round(cs.f_measure([0, 0, 1, 1], [0, 0, 0, 1]).value, 4)
        0.7333
    """

    name = "f_measure"
    needs = frozenset({("best_matches", "gold", "f")})

    def parts(self, table: Table) -> Parts:
        matches = table.best_matches("gold", "f")
        return {
            "best": table.add(matches.best * matches.size, matches.document, matches.times),
            "elements": table.common,
        }

    def finish(self, best: Array, elements: Array) -> Values:
        return Values(divide(best, elements, 0.0))
