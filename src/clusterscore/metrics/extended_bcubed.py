"""Extended BCubed, for clusterings that overlap."""

from clusterscore.metrics.balance import harmonic
from clusterscore.metrics.bcubed import BCubed
from clusterscore.metrics.elementwise import ElementScores
from clusterscore.metrics.metric import register
from clusterscore.metrics.overlap_means import OverlapMeans
from clusterscore.overlap import Cover, shared_clusters


@register
class ExtendedBCubed(OverlapMeans):
    """Extended BCubed: BCubed for overlapping clusterings, by how many clusters two elements share.

    Formula:
        s(e, e') and g(e, e') are the numbers of predicted and of gold clusters that e and e' share.
        P(e) = mean of min(s, g)/s over the e' with s > 0,  R(e) = mean of min(s, g)/g over the e' with g > 0,
        e itself among them;  F(e) = 2*P(e)*R(e)/(P(e)+R(e))
        P, R and F are the means over elements; f="of-means" takes 2*P*R/(P+R) of the mean P and R.

    Range:
        Above 0 to 1. Two clusterings that differ may score 1: {1,2},{1,3},{2,3} against {1,2,3},{1},{2},{3}. On
        partitions it is bcubed.

    Use it when:
        Others report it. Amigó et al. and the bcubed package take the F of the means. It depends on how many clusters
        two elements share, not on which; matched_bcubed and matched_elm compare the clusters themselves.

    Options:
        f: "mean" (default) or "of-means".
        beta: weight of recall in F (default 1); or alpha, with beta^2 = (1-alpha)/alpha; or w_fp and w_fn, the weights
            of a false positive and a false negative in TP/(TP + w_fp*FP + w_fn*FN).
        weights: None, or one number per element.

    Reference:
        Amigó, Gonzalo, Artiles & Verdejo 2009, A comparison of extrinsic clustering evaluation metrics based on
        formal constraints, Information Retrieval 12(4).

    Example:
        >>> import clusterscore as cs
        >>> cs.extended_bcubed([["a", "b"]], [["a", "b"], ["a"]]).precision
        0.875
    """

    name = "extended_bcubed"
    on_partitions = BCubed

    def cover_scores(self, cover: Cover) -> ElementScores:
        shared = shared_clusters(cover)
        f = harmonic(shared.precision, shared.recall, *self.balance)
        return ElementScores(None, None, None, shared.precision, shared.recall, f)
