"""ELM, Elements Like Me."""

from clusterscore.metrics.elementwise import ElementWise
from clusterscore.metrics.metric import register


@register
class Elm(ElementWise):
    """ELM, Elements Like Me: BCubed without the credit that an element gets for finding itself.

    Formula:
        TP = n-1, FP = b-n, FN = a-n for each of the n elements of a cell
        P = (1/N) * sum over cells of n*(n-1)/(b-1)        n where b = 1
        R = (1/N) * sum over cells of n*(n-1)/(a-1)        n where a = 1
        F = (1/N) * sum over cells of 2*n*(n-1)/(a+b-2)    1 where a = b = 1
        adjusted: of an element FP is expected to be (b-1)*(N-a)/(N-1) and FN (a-1)*(N-b)/(N-1), with probability b/N

    Range:
        0 to 1. For every gold clustering there is a prediction that scores 0 (with f="mean"). Adjusted: up to 1, and 0
        on average for a random prediction with the same cluster sizes; 1 if all predictions of these sizes score the
        same.

    Use it when:
        You want a score per element that does not flatter: small clusters, many singletons, page streams.

    Options:
        f: "mean" (default; the mean of the elements' own F) or "of-means".
        beta: weight of recall in F (default 1); or alpha, with beta^2 = (1-alpha)/alpha; or w_fp and w_fn, the weights
            of a false positive and a false negative in TP/(TP + w_fp*FP + w_fn*FN).
        weights: None, "class" (every gold cluster has the same weight), "effective" (by the effective number of
            elements), or one number per element.
        adjusted: True gives (x - E)/(1 - E) for P and R, and with f="mean" for F, E what a random prediction of the
            same cluster sizes is expected to get (over all elements pooled, or in each document of a macro average).
            With f="of-means" the F is that of the adjusted P and R: 0 where one of them is above chance and the other
            below. The score then has ``expected_precision``, ``expected_recall`` and (f="mean") ``expected``.

    Reference:
        van Heusden, Kamps & Marx 2024, Discover Computing 27:5; the same, ICTIR 2022.

    Example:
        >>> import clusterscore as cs
        >>> gold, singletons = [0, 0], [0, 1]
        >>> cs.elm(gold, singletons).f, round(cs.bcubed(gold, singletons).f, 4)
        (0.0, 0.6667)
    """

    name = "elm"
    exclude_self = 1
