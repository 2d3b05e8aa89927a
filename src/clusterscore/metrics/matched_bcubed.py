"""Matched BCubed, for clusterings that overlap."""

from clusterscore.metrics.bcubed import BCubed
from clusterscore.metrics.metric import register
from clusterscore.metrics.overlap_means import Matched


@register
class MatchedBCubed(Matched):
    """Matched BCubed: BCubed for overlapping clusterings, with each element's clusters matched one to one.

    Formula:
        For element e let H be its predicted and T its gold clusters, and M the weight of the heaviest one-to-one
        matching between them, where a pair of clusters (c, d) weighs |c & d|.
        P(e) = M / sum over H of |c|,  R(e) = M / sum over T of |d|,  F(e) = 2*M / (both sums)
        P, R and F are the means over elements; f="of-means" takes 2*P*R/(P+R) of the mean P and R.

    Range:
        Above 0 to 1; 1 only for two equal clusterings. On partitions it is bcubed.

    Use it when:
        Elements belong to several clusters, and every superfluous cluster should cost something, even a repeated one.
        extended_bcubed only counts how many clusters two elements share, and gives 1 to some clusterings that differ.
        To leave out the element itself, use matched_elm.

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
        >>> cs.matched_bcubed([["a", "b"]], [["a", "b"], ["a"]]).f  # one cluster too many
        0.9
    """

    name = "matched_bcubed"
    on_partitions = BCubed
