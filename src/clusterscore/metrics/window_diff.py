"""WindowDiff, the error rate of a segmentation."""

from __future__ import annotations

import numpy as np

from clusterscore.distinct import Ints
from clusterscore.metrics.metric import Array, register
from clusterscore.metrics.segmentation import Cuts, Windows


@register
class WindowDiff(Windows):
    """WindowDiff: how often a window has more boundaries on one side than on the other. An error rate.

    Formula:
        Over the N - k windows from an element i to i + k of a document, the share of those in which the numbers of
        gold and predicted cuts differ. k = half the mean length of the gold segments, rounded, at least 2.

    Range:
        0 (identical) to 1. Smaller is better. If no document has more than k elements, there is no window, and it is 0.
        weighted: above 1 if windows miss several boundaries.

    Several documents:
        No window crosses documents. Errors and windows are added up; k is each document's own, from its own gold
        segments.

    Use it when:
        Papers on text segmentation report it. It forgives boundaries that are slightly off, and counts missing and
        superfluous boundaries alike.

    Options:
        k: the width; by default it follows from gold.
        dialect: "segeval" (default) as above. nltk takes a string of 0s and 1s. Pass "nltk-gaps" if yours has a
            digit for every gap between neighbours: k = (N - 1) / (2 * gold cuts), rounded, as in nltk's pk. Pass
            "nltk-starts" if it has a digit for every element, 1 for the first of a segment: k = half the mean
            length of the gold segments, rounded, and there is one more window, before the first element. With both,
            k may be below 2; if it is 0, so is the score.
        weighted: True adds up by how many cuts each window is off (as nltk does with weighted=True).
        padded: True lets windows reach beyond both ends, so that each cut is seen by k of them: N + k windows.
            segeval's lamprier_et_al_2007_fix sees the same errors, and divides them by one more.
        runs: a label that comes back later in its document is an error, unless runs=True: then every run of equal
            labels is a segment.

    Reference:
        Pevzner & Hearst 2002, A critique and improvement of an evaluation metric for text segmentation, Computational
        Linguistics 28(1); Lamprier, Amghar, Levrat & Saubion 2007, On evaluation methodologies for text segmentation
        algorithms, ICTAI (padded).

    Example:
        >>> import clusterscore as cs
        >>> gold, pred = cs.Clustering.from_lengths([5, 6]), cs.Clustering.from_lengths([2, 3, 6])
        >>> cs.window_diff(gold, pred).value, cs.window_diff(gold, pred, k=5).value
        (0.25, 0.3333333333333333)
    """

    weighted: bool = False
    padded: bool = False

    name = "window_diff"
    aliases = ("windowdiff", "wd")
    exclusive = (("padded", "dialect"),)

    @property
    def highest(self) -> float:  # type: ignore[override]
        """A window may be off by several cuts."""
        return float("inf") if self.weighted else 1.0

    def spans(self, cuts: Cuts, k: Ints) -> tuple[Ints, Ints]:
        return (k, np.where(cuts.length > 1, cuts.length + k, 0)) if self.padded else super().spans(cuts, k)

    def errors(self, gold: Ints, pred: Ints) -> Array:
        return np.asarray(np.abs(gold - pred) if self.weighted else gold != pred)
