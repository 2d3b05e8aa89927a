"""Precision, recall and F of the cuts of a segmentation."""

from __future__ import annotations

from typing import ClassVar, Literal

import numpy as np

from clusterscore.metrics.balance import Balanced, harmonic
from clusterscore.metrics.metric import Array, Limits, Parts, Table, Values, divide, register
from clusterscore.metrics.segmentation import Segmentation


@register
class Boundaries(Segmentation, Balanced):
    """Boundaries: how many predicted boundaries are right, and how many gold boundaries are found.

    Formula:
        A cut lies between two neighbours of one document whose labels differ.
        P = cuts on both sides / predicted cuts      R = cuts on both sides / gold cuts      F = harmonic mean of both

    Range:
        0 to 1. A side without boundaries has nothing wrong, so its P (or R) is 1, unless ``empty`` says otherwise. With
        several documents, boundaries are added up.

    Use it when:
        Each boundary of a segmentation is a decision: is this page the first of a document? A boundary that is off by
        one counts as wrong; pk and window_diff forgive this in part.

    Options:
        beta: weight of recall in F (default 1); or alpha, with beta^2 = (1-alpha)/alpha; or w_fp and w_fn.
        runs: a label that comes back later in its document is an error, unless runs=True: then every run of equal
            labels is a segment.
        first: "out" (default) leaves out the first element of a document, which always starts a segment; "counted"
            counts it as found, as OpenPSS does, so that every document has a boundary and P and R are never 0/0;
            "given" counts it where a side marks it with a 1, as TABME does (lengths and labels always do).
        empty: what P and R are where they are 0/0: 1 (default), or 0 as in TABME, OpenPSS and scikit-learn.

    Reference:
        van Heusden, Kamps & Marx 2022, BCubed revisited: Elements Like Me, ICTIR; Mungmeeprued, Ma, Mehta & Lipani
        2022, Tab this folder of documents: page stream segmentation of business documents, DocEng (given).

    Example:
        >>> import clusterscore as cs
        >>> gold, pred = cs.Clustering.from_lengths([3, 2, 2]), cs.Clustering.from_lengths([2, 3, 1, 1])
        >>> score = cs.boundaries(gold, pred)
        >>> round(score.precision, 4), score.recall, score.f
        (0.3333, 0.5, 0.4)
    """

    first: Literal["out", "counted", "given"] = "out"
    empty: float = 1.0

    name = "boundaries"
    aliases = ("boundary_f",)
    swaps = True
    unsaid: ClassVar = {"first": "out", "empty": 1.0}
    limits: ClassVar[Limits] = {**Balanced.limits, "empty": (0, 1)}

    @property
    def perfect(self) -> float | None:  # type: ignore[override]
        """Two sides without boundaries agree, and yet have what ``empty`` says."""
        return 1.0 if self.empty == 1 else None

    def parts(self, table: Table) -> Parts:
        cuts = self.cuts(table)
        boundaries = {"both": cuts.gold & cuts.pred, "gold": cuts.gold, "pred": cuts.pred}
        first = {side: np.full(len(cuts.first), self.first != "out") for side in ("gold", "pred")}
        if self.first == "given" and table.members is not None:
            places = cuts.first if cuts.order is None else cuts.order[cuts.first]
            for side, marks in zip(first, (side.marks for side in table.members.pair[:2]), strict=True):
                first[side] = first[side] if marks is None else marks[places]
        first["both"] = first["gold"] & first["pred"]
        return {name: cuts.number(mask) + first[name].astype(np.float64) for name, mask in boundaries.items()}

    def finish(self, both: Array, gold: Array, pred: Array) -> Values:
        precision, recall = divide(both, pred, self.empty), divide(both, gold, self.empty)
        return Values(harmonic(precision, recall, *self.balance), precision, recall)
