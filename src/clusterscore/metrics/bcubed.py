"""BCubed."""

from clusterscore.metrics.elementwise import ElementWise
from clusterscore.metrics.metric import register


@register
class BCubed(ElementWise):
    """BCubed: how much of an element's predicted cluster belongs with it, and how much of its gold cluster it finds.

    Formula:
        P = (1/N) * sum over cells of n*n/b
        R = (1/N) * sum over cells of n*n/a
        F = (1/N) * sum over cells of 2*n*n/(a+b)      f="mean", the mean of the elements' own F
        F = 2*P*R/(P+R)                                f="of-means", the F of the two means
        adjusted: of an element FP is expected to be (b-1)*(N-a)/(N-1) and FN (a-1)*(N-b)/(N-1), with probability b/N

    Range:
        Above 0 to 1. An element always finds itself, so even the worst prediction scores something. Adjusted: up to 1,
        and 0 on average for a random prediction with the same cluster sizes; 1 if all of them score the same.

    Use it when:
        Others report BCubed. State which F you use: the ELM papers take the mean of the elements' F; coreference
        scorers, Amigó et al. and Moreno & Dias take the F of the means. To leave out the element itself, use elm.

    Options:
        f: "mean" (default) or "of-means".
        beta: weight of recall in F (default 1); or alpha, with beta^2 = (1-alpha)/alpha; or w_fp and w_fn, the weights
            of a false positive and a false negative in TP/(TP + w_fp*FP + w_fn*FN).
        weights: None, "class" (every gold cluster has the same weight), "effective" (by the effective number of
            elements), or one number per element.
        adjusted: True gives (x - E)/(1 - E) for P and R, and with f="mean" for F, E what a random prediction of the
            same cluster sizes is expected to get (over all elements pooled, or in each document of a macro average).
            With f="of-means" the F is that of the adjusted P and R: 0 where one of them is above chance and the other
            below. The score then has ``expected_precision``, ``expected_recall`` and (f="mean") ``expected``.

    Reference:
        Bagga & Baldwin 1998, Entity-based cross-document coreferencing using the vector space model, COLING-ACL;
        Amigó, Gonzalo, Artiles & Verdejo 2009, A comparison of extrinsic clustering evaluation metrics based on
        formal constraints, Information Retrieval 12(4).

    Example:
        >>> import clusterscore as cs
        >>> gold, pred = [0, 0, 0, 1, 1, 2], [0, 0, 1, 1, 1, 2]
        >>> round(cs.bcubed(gold, pred).f, 4), round(cs.bcubed(gold, pred, f="of-means").f, 4)
        (0.7556, 0.7778)
    """

    name = "bcubed"
    aliases = ("b_cubed",)
