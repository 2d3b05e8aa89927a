"""The aggregated Jaccard index of the objects of images."""

from __future__ import annotations

from typing import Literal

import numpy as np

from clusterscore.distinct import Ints
from clusterscore.metrics.alignment import best_alignment
from clusterscore.metrics.metric import Array, Parts, Table, Values, divide, register
from clusterscore.metrics.object_matches import ObjectMetric, one_to_one, reaches, unions


@register
class AggregatedJaccard(ObjectMetric):
    """Aggregated Jaccard index: the pixels that matched objects share, over those of all objects.

    Formula:
        each gold object takes the prediction with the highest IoU, which may be taken again
        AJI = sum of n / (sum of a+b-n, + a of gold objects without overlap, + b of predictions never taken)

    Range:
        0 to 1; 1 where neither side has an object. Objects are all labels but 0, which is background. Of equal IoU the
        larger overlap is taken, and of those that are alike as many as possible.

    Use it when:
        You segment nuclei, where it is reported. Pixels count, so small objects hardly do.

    Options:
        kind: "aji" (default), as in hover_net; "plus" matches one to one, with the largest sum of IoU; "foreground"
            matches one to one, most pairs with an IoU of at least 1/2 and then the largest sum, and divides by the
            pixels that are an object on either side, as cellpose does; "overlap" takes the prediction with the largest
            n instead of the highest IoU, as the program of sortedAP does.

    Reference:
        Kumar et al. 2017, A dataset and a technique for generalized nuclear segmentation for computational pathology,
        IEEE Transactions on Medical Imaging 36; Graham et al. 2019, HoVer-Net, Medical Image Analysis 58 (plus).

    Example:
        >>> import numpy as np
        >>> import clusterscore as cs
        >>> gold, pred = np.array([[1, 1, 2, 2, 0, 0]]), np.array([[1, 1, 1, 1, 0, 0]])
        >>> cs.aji(gold, pred).value, round(cs.aji(gold, pred, kind="plus").value, 4)
        (0.5, 0.3333)
    """

    kind: Literal["aji", "plus", "foreground", "overlap"] = "aji"

    name = "aji"
    aliases = ("aggregated_jaccard",)

    @property
    def symmetric(self) -> bool:  # type: ignore[override]
        """Where objects are matched one to one."""
        return self.kind in ("plus", "foreground")

    def parts(self, table: Table) -> Parts:
        objects = table.objects
        taken, again = self._one_to_one(objects) if self.symmetric else self._best(objects), np.zeros(0, np.int64)
        if not self.symmetric:  # predictions that are taken a second time
            first = np.unique(objects.pred[taken], return_index=True)[1]
            again = np.delete(taken, first)
        counted = np.arange(len(objects.n)) if self.kind == "foreground" else taken
        shared, once = (objects.add_of(cells, objects.n[cells]) for cells in (taken, counted))
        every = objects.total(objects.sizes("gold")) + objects.total(objects.sizes("pred"))
        return {"intersection": shared, "union": every - once + objects.add_of(again, objects.b[again])}

    def _one_to_one(self, objects: Table) -> Ints:
        every = np.ones(len(objects.n), np.bool_)
        first = reaches(objects, 0.5, strict=False) if self.kind == "foreground" else ~every
        return one_to_one(objects, every, first, objects.n / max(1, int(objects.n.max(initial=1))))

    def _best(self, objects: Table) -> Ints:
        """For each gold object that overlaps one, the cell of the prediction that it takes."""
        gold, overlap = objects.gold, objects.n / unions(objects)
        keys = (objects.n, overlap) if self.kind == "overlap" else (overlap, objects.n)
        tied = np.arange(len(gold))
        for key in keys:
            best = np.zeros(len(objects.gold_size))
            np.maximum.at(best, gold[tied], key[tied])
            tied = tied[key[tied] == best[gold[tied]]]
        shape = len(objects.gold_size), len(objects.pred_size)
        # of several that are alike, so that the fewest pixels are never taken
        matched = tied[best_alignment(gold[tied], objects.pred[tied], objects.b[tied].astype(np.float64), shape)]
        order = np.concatenate([matched, tied])
        return order[np.unique(gold[order], return_index=True)[1]]

    def finish(self, intersection: Array, union: Array) -> Values:
        return Values(divide(intersection, union, 1.0))
