"""Pk, the error rate of a segmentation."""

from __future__ import annotations

import numpy as np

from clusterscore.distinct import Ints
from clusterscore.metrics.metric import Array, register
from clusterscore.metrics.segmentation import Windows


@register
class Pk(Windows):
    """Pk: how often two elements at distance k are in the same segment on one side only. An error rate.

    Formula:
        Over the N - k pairs of elements i and i + k of a document, the share of those that one side has in the same
        segment and the other has not. k = half the mean length of the gold segments, rounded, at least 2.

    Range:
        0 (identical) to 1. Smaller is better. If no document has more than k elements, there is no pair, and it is 0.

    Several documents:
        No pair crosses documents. Errors and pairs are added up; k is each document's own, from its own gold segments.

    Use it when:
        Papers on text segmentation report it. It forgives boundaries that are slightly off. But it penalizes a missing
        boundary more than a superfluous one, and overlooks boundaries that are close together; window_diff was designed
        to fix this.

    Options:
        k: the distance; by default it follows from gold.
        dialect: "segeval" (default) as above. nltk takes a string of 0s and 1s. Pass "nltk-gaps" if yours has a
            digit for every gap between neighbours: k = (N - 1) / (2 * gold cuts), rounded. Pass "nltk-starts" if it
            has a digit for every element, 1 for the first of a segment: k = half the mean length of the gold
            segments, rounded, and there is one more window, before the first element. With both, k may be below 2;
            if it is 0, so is the score.
        runs: a label that comes back later in its document is an error, unless runs=True: then every run of equal
            labels is a segment.

    Reference:
        Beeferman, Berger & Lafferty 1999, Statistical models for text segmentation, Machine Learning 34.

    Example:
        >>> import clusterscore as cs
        >>> gold, pred = cs.Clustering.from_lengths([5, 6]), cs.Clustering.from_lengths([2, 3, 6])
        >>> cs.pk(gold, pred).value, cs.pk(gold, pred, k=2).value
        (0.25, 0.2222222222222222)
    """

    name = "pk"
    aliases = ("p_k",)

    def errors(self, gold: Ints, pred: Ints) -> Array:
        return np.asarray((gold > 0) != (pred > 0))
