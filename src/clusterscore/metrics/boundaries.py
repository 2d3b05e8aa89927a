"""Precision, recall and F of the cuts of a segmentation."""

from __future__ import annotations

from typing import ClassVar, Literal

from clusterscore.metrics.balance import Balanced, harmonic
from clusterscore.metrics.metric import Array, Parts, Table, Values, divide, register
from clusterscore.metrics.segmentation import Segmentation


@register
class Boundaries(Segmentation, Balanced):
    """Boundaries: how many predicted boundaries are right, and how many gold boundaries are found.

    Formula:
        A cut lies between two neighbours of one document whose labels differ.
        P = cuts on both sides / predicted cuts      R = cuts on both sides / gold cuts      F = harmonic mean of both

    Range:
        0 to 1. A side without boundaries has nothing wrong, so its P (or R) is 1. With several documents, boundaries
        are added up.

    Use it when:
        Each boundary of a segmentation is a decision: is this page the first of a document? A boundary that is off by
        one counts as wrong; pk and window_diff forgive this in part.

    Options:
        beta: weight of recall in F (default 1); or alpha, with beta^2 = (1-alpha)/alpha; or w_fp and w_fn.
        runs: a label that comes back later in its document is an error, unless runs=True: then every run of equal
            labels is a segment.
        first: "out" (default) leaves out the first element of a document, which always starts a segment; "counted"
            counts it as found, as OpenPSS does, so that every document has a boundary and P and R are never 0/0.

    Reference:
        van Heusden, Kamps & Marx 2022, BCubed revisited: Elements Like Me, ICTIR.

    Example:
        >>> import clusterscore as cs
        >>> gold, pred = cs.Clustering.from_lengths([3, 2, 2]), cs.Clustering.from_lengths([2, 3, 1, 1])
        >>> score = cs.boundaries(gold, pred)
        >>> round(score.precision, 4), score.recall, score.f
        (0.3333, 0.5, 0.4)
    """

    first: Literal["out", "counted"] = "out"

    name = "boundaries"
    aliases = ("boundary_f",)
    swaps = True
    unsaid: ClassVar = {"first": "out"}

    def parts(self, table: Table) -> Parts:
        cuts = self.cuts(table)
        boundaries = {"both": cuts.gold & cuts.pred, "gold": cuts.gold, "pred": cuts.pred}
        first = float(self.first == "counted")
        return {name: cuts.number(mask) + first for name, mask in boundaries.items()}

    def finish(self, both: Array, gold: Array, pred: Array) -> Values:
        precision, recall = divide(both, pred, 1.0), divide(both, gold, 1.0)
        return Values(harmonic(precision, recall, *self.balance), precision, recall)
