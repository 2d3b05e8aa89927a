"""Clusters that were found: matched one to one by a rule."""

from __future__ import annotations

from typing import ClassVar, Literal

import numpy as np

from clusterscore.exceptions import MetricError
from clusterscore.metrics.balance import harmonic
from clusterscore.metrics.metric import Array, Limits, Metric, Need, Parts, Table, Values, divide, register

_THRESHOLDS = {"iou": 0.5, "share": 0.75}


@register
class ClusterMatch(Metric):
    """Cluster match: how many predicted clusters match a gold cluster, and how many gold clusters are found.

    Formula:
        M = the number of cells that match, P = M / predicted clusters, R = M / gold clusters, F = 2*P*R/(P+R)
        exact: n = a = b
        iou: n/(a+b-n) > threshold
        majority: n > a/2 and n > b/2
        share: n >= threshold*b; R counts the gold clusters that are so hit at least once

    Range:
        0 to 1.

    Use it when:
        A cluster is right or wrong as a whole: exact entities in entity resolution, documents in a page stream, the
        "double majority" of particle tracking (majority), its "LHC" efficiency (share).

    Options:
        rule: "exact" (default), "iou", "majority" or "share".
        threshold: of iou, 0.5 (default) up, below 1; of share, above 0.5 up to 1 (default 0.75). So at most one gold
            cluster matches a predicted one.

    Reference:
        Kirillov, He, Girshick, Rother & Dollár 2019, Panoptic segmentation, CVPR (iou); Amrouche et al. 2020, The
        tracking machine learning challenge: accuracy phase (majority).

    Example:
        >>> import clusterscore as cs
        >>> gold, pred = [0, 0, 0, 1, 1, 2], [0, 0, 1, 2, 2, 3]
        >>> cs.cluster_match(gold, pred).precision, cs.cluster_match(gold, pred, rule="iou").recall
        (0.5, 1.0)
    """

    rule: Literal["exact", "iou", "majority", "share"] = "exact"
    threshold: float | None = None

    name = "cluster_match"
    aliases = ("fga",)
    one_sided = True
    limits: ClassVar[Limits] = {"threshold": (0.5, 1)}

    def __post_init__(self) -> None:
        if self.threshold is None and self.rule in _THRESHOLDS:
            object.__setattr__(self, "threshold", _THRESHOLDS[self.rule])
        super().__post_init__()
        if self.threshold is not None and self.rule not in _THRESHOLDS:
            raise MetricError(f"cluster_match: rule={self.rule} takes no threshold; only iou and share do")
        # at most one gold cluster matches a predicted one, and two identical ones do
        if (self.rule, self.threshold) in (("iou", 1.0), ("share", 0.5)):
            bounds = "0.5 up, below 1" if self.rule == "iou" else "above 0.5, up to 1"
            raise MetricError(f"cluster_match: with rule={self.rule} the threshold is {bounds}, not {self.threshold:g}")

    @property
    def needs(self) -> frozenset[Need]:
        return frozenset({("best_matches", "gold", "share")} if self.rule == "share" else ())

    @property
    def swaps(self) -> bool:  # type: ignore[override]
        """All rules but share treat both sides alike."""
        return self.rule != "share"

    def parts(self, table: Table) -> Parts:
        rows = table.rows()
        matches = table.add(self._matches(rows.n, rows.a, rows.b).astype(np.float64), rows.document, rows.times)
        hit = matches
        if self.rule == "share":
            gold = table.best_matches("gold", "share")
            hit = table.add((gold.best >= self._least).astype(np.float64), gold.document, gold.times)
        return {"matches": matches, "hit": hit, "gold": table.clusters("gold"), "pred": table.clusters("pred")}

    def _matches(self, n: Array, a: Array, b: Array) -> Array:
        if self.rule == "exact":
            return np.asarray((n == a) & (n == b))
        if self.rule == "majority":
            return np.asarray((2 * n > a) & (2 * n > b))
        return np.asarray(n / (a + b - n) > self._least if self.rule == "iou" else n / b >= self._least)

    @property
    def _least(self) -> float:
        assert self.threshold is not None
        return self.threshold

    def finish(self, matches: Array, hit: Array, gold: Array, pred: Array) -> Values:
        precision, recall = divide(matches, pred, 0.0), divide(hit, gold, 0.0)
        return Values(harmonic(precision, recall, 0.5, 0.5), precision, recall)
