"""Average precision of the objects of images, at a threshold of their overlap."""

from __future__ import annotations

from typing import ClassVar, Literal

import numpy as np

from clusterscore.exceptions import MetricError
from clusterscore.metrics.metric import Array, Limits, Parts, Table, Values, divide, register
from clusterscore.metrics.object_matches import ObjectMetric, one_to_one, reaches, unions

THRESHOLDS = [0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95]


@register
class AveragePrecision(ObjectMetric):
    """Average precision of objects: how many objects of an image were found, and how many were made up.

    Formula:
        IoU = n/(a+b-n); TP = the pairs of the one-to-one match with most pairs of IoU >= threshold, and then the
        largest sum of IoU; FP = predicted - TP, FN = gold - TP, P = TP/(TP+FP), R = TP/(TP+FN); 0/0 = 0
        AP = TP/(TP+FP+FN)

    Range:
        0 to 1. Objects are all labels but 0, which is background. The score has ``f1`` = 2*TP/(2*TP+FP+FN), ``sq``
        (the mean IoU of the TP), ``pq`` = sq*f1, ``mean_true_iou`` = sq*R, ``tp``, ``fp``, ``fn``, and ``mean_ap``, the
        mean of AP over the thresholds 0.5, 0.55, ..., 0.95.

    Use it when:
        You segment cells, nuclei or other objects: stardist calls it accuracy, cellpose and elf average precision. It
        is not that of detection, which ranks objects by their scores.

    Options:
        threshold: of IoU, 0.5 by default; compared as a decimal, so that 3/5 reaches 0.6.
        strict: True matches objects with an IoU above the threshold, as hover_net does.
        tie: up to 0.5, several matches may have the most pairs. "matched" (default) takes the one with the largest sum
            of their IoU; "all" adds the IoU of pairs below the threshold, as stardist and cellpose do.

    Reference:
        Caicedo et al. 2019, Nucleus segmentation across imaging experiments: the 2018 Data Science Bowl, Nature
        Methods 16; Kirillov, He, Girshick, Rother & Dollár 2019, Panoptic segmentation, CVPR (pq).

    Example:
        >>> import numpy as np
        >>> import clusterscore as cs
        >>> gold, pred = np.array([[1, 1, 1, 1, 0, 2, 2]]), np.array([[0, 1, 1, 1, 1, 0, 0]])
        >>> score = cs.average_precision(gold, pred, threshold=0.6)
        >>> score.value, score.precision, score.recall, score.sq, round(score.mean_ap, 4)
        (0.5, 1.0, 0.5, 0.6, 0.15)
    """

    threshold: float = 0.5
    strict: bool = False
    tie: Literal["matched", "all"] = "matched"

    name = "average_precision"
    swaps = True
    symmetric = True
    limits: ClassVar[Limits] = {"threshold": (0, 1)}
    unsaid: ClassVar = {"tie": "matched"}

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.threshold == int(self.strict):
            bounds = "0 up, below 1" if self.strict else "above 0, up to 1"
            raise MetricError(
                f"{self.name}: with strict={str(self.strict).lower()} the threshold is {bounds}, not {self.threshold:g}"
            )

    def parts(self, table: Table) -> Parts:
        objects = table.objects
        matched = self._matched(objects, self.threshold)
        cells = {"tp": matched, **{f"tp_{100 * level:.0f}": self._matched(objects, level) for level in THRESHOLDS}}
        return {
            **{name: objects.add_of(pairs, np.ones(len(pairs))) for name, pairs in cells.items()},
            "overlap": objects.add_of(matched, objects.n[matched] / unions(objects)[matched]),
            "gold": objects.clusters("gold"),
            "pred": objects.clusters("pred"),
        }

    def _matched(self, objects: Table, threshold: float) -> Array:
        """The cells that are TP."""
        enough = reaches(objects, threshold, self.strict)
        if threshold > 0.5 or (self.strict and threshold == 0.5):  # an object has at most one such partner
            return np.flatnonzero(enough)
        among = np.ones(len(enough), np.bool_) if self.tie == "all" else enough
        overlap = objects.n / unions(objects)
        cells = one_to_one(objects, among, enough, overlap * enough)
        return cells[enough[cells]]

    def finish(self, tp: Array, overlap: Array, gold: Array, pred: Array, **counts: Array) -> Values:
        precision, recall, f1 = divide(tp, pred, 0.0), divide(tp, gold, 0.0), divide(2 * tp, gold + pred, 0.0)
        extras = {
            "f1": f1,
            "sq": divide(overlap, tp, 0.0),
            "pq": divide(2 * overlap, gold + pred, 0.0),
            "mean_true_iou": divide(overlap, gold, 0.0),
            "mean_ap": np.mean([divide(count, gold + pred - count, 0.0) for count in counts.values()], axis=0),
        }
        counted = {"tp": tp, "fp": pred - tp, "fn": gold - tp}
        return Values(divide(tp, gold + pred - tp, 0.0), precision, recall, {**extras, **counted})
