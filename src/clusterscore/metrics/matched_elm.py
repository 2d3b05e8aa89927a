"""Matched ELM, for clusterings that overlap."""

from clusterscore.metrics.elm import Elm
from clusterscore.metrics.metric import register
from clusterscore.metrics.overlap_means import Matched


@register
class MatchedElm(Matched):
    """Matched ELM: ELM for overlapping clusterings, with each element's clusters matched one to one.

    Formula:
        For element e let H be its predicted and T its gold clusters, and M the weight of the heaviest one-to-one
        matching between them, where a pair of clusters (c, d) weighs |c & d|. With m = M - 1:
        P(e) = m / (sum over H of |c| - 1),  R(e) = m / (sum over T of |d| - 1),  F(e) = 2*m / (both sums - 2)
        0/0 is 1. P, R and F are the means over elements; f="of-means" takes 2*P*R/(P+R) of the mean P and R.

    Range:
        0 to 1; 1 only for two equal clusterings. On partitions it is elm.

    Use it when:
        Elements belong to several clusters, such as topics, communities, word senses or search results, and an element
        should not be rewarded for finding itself.

    Options:
        f: "mean" (default) or "of-means".
        beta: weight of recall in F (default 1); or alpha, with beta^2 = (1-alpha)/alpha; or w_fp and w_fn, the weights
            of a false positive and a false negative in TP/(TP + w_fp*FP + w_fn*FN).
        weights: None, or one number per element.

    Reference:
        Defined here; it answers the question about overlapping clusterings that van Heusden, Kamps & Marx 2024,
        Discover Computing 27:5, leave open.

    Example:
        >>> import clusterscore as cs
        >>> score = cs.matched_elm([["a", "b"]], [["a", "b"], ["a"]])  # one cluster too many
        >>> score.precision, score.recall
        (0.75, 1.0)
    """

    name = "matched_elm"
    on_partitions = Elm
