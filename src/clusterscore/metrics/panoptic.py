"""Panoptic quality."""

from __future__ import annotations

from typing import ClassVar, Literal

from clusterscore.metrics.metric import Array, Metric, Parts, Table, Values, divide, register


@register
class Panoptic(Metric):
    """Panoptic quality: how many clusters were found, times how well the found ones fit.

    Formula:
        Of the M cells with n/(a+b-n) > 1/2: SQ = the mean of n/(a+b-n), RQ = 2*M/(gold clusters + predicted clusters)
        rule="majority": those with n > a/2 and n > b/2
        PQ = SQ*RQ, P = M / predicted clusters, R = M / gold clusters; M = 0 gives 0

    Range:
        0 to 1. The score has ``sq`` and ``rq``.

    Use it when:
        You work on page streams or segmentations, where it is reported. A cluster of which only half was found counts
        as not found.

    Options:
        rule: which clusters match: "iou" (default) or "majority", the PQ* of OpenPSS, which asks for less.

    Reference:
        Kirillov, He, Girshick, Rother & Dollár 2019, Panoptic segmentation, CVPR; van Heusden, Kamps & Marx 2022,
        BCubed revisited: Elements Like Me, ICTIR.

    Example:
        >>> import clusterscore as cs
        >>> score = cs.panoptic([0, 0, 0, 1, 1, 2], [0, 0, 1, 2, 2, 3])
        >>> round(score.value, 4), round(score.sq, 4), round(score.rq, 4)
        (0.7619, 0.8889, 0.8571)
    """

    rule: Literal["iou", "majority"] = "iou"

    name = "panoptic"
    unsaid: ClassVar = {"rule": "iou"}
    aliases = ("pq", "panoptic_quality")
    swaps = True
    symmetric = True

    def parts(self, table: Table) -> Parts:
        rows = table.rows()
        overlap = rows.n / (rows.a + rows.b - rows.n)
        match = overlap > 0.5 if self.rule == "iou" else (2 * rows.n > rows.a) & (2 * rows.n > rows.b)
        return {
            "overlap": table.add(overlap * match, rows.document, rows.times),
            "matches": table.add(match * 1.0, rows.document, rows.times),
            "gold": table.clusters("gold"),
            "pred": table.clusters("pred"),
        }

    def finish(self, overlap: Array, matches: Array, gold: Array, pred: Array) -> Values:
        quality = {"sq": divide(overlap, matches, 0.0), "rq": divide(2 * matches, gold + pred, 0.0)}
        value = divide(2 * overlap, gold + pred, 0.0)
        return Values(value, divide(matches, pred, 0.0), divide(matches, gold, 0.0), quality)
