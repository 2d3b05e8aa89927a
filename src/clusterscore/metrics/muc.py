"""MUC, the link-based coreference measure."""

from clusterscore.metrics.mention_scores import CoreferenceMetric, mentions, same_right
from clusterscore.metrics.metric import Parts, Sums, register


@register
class Muc(CoreferenceMetric):
    """MUC: how many of the links that hold each cluster together are found.

    Formula:
        R = sum over cells of (n-1) / sum over gold clusters of (a-1)
        P = the same / sum over predicted clusters of (b-1)
        0/0 is 0, F = 2*P*R/(P+R)

    Range:
        0 to 1; 0 if no cluster has two mentions, even for two identical clusterings.

    Use it when:
        You report the CoNLL score; MUC is one of its three parts. On its own it favours few large clusters, and it does
        not see singletons.

    Reference:
        Vilain, Burger, Aberdeen, Connolly & Hirschman 1995, A model-theoretic coreference scoring scheme, MUC-6.

    Example:
        >>> import clusterscore as cs
        >>> round(cs.muc([{"a", "b", "c"}, {"d"}], [{"a", "b"}, {"c", "d"}]).f, 4)
        0.5
    """

    name = "muc"
    perfect = None  # 0 for singletons

    def counted(self, table: Sums) -> Parts:
        links = {side: elements - table.clusters(side) for side, elements in mentions(table).items()}
        return same_right(table.common - table.clusters("cell"), **links)
