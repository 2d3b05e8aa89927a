"""SortedAP: average precision over all thresholds at once."""

from __future__ import annotations

import numpy as np

from clusterscore.metrics.metric import Array, Parts, Table, Values, register
from clusterscore.metrics.object_matches import ObjectMetric, one_to_one, unions


@register
class SortedAP(ObjectMetric):
    """SortedAP: the area under average precision over all thresholds of IoU; every error lowers it.

    Formula:
        of the one-to-one match with the largest sum of IoU, T pairs with 0 < u_1 <= ... <= u_T
        y_k = (T-k)/(predicted + gold - T + k)
        the area under the line (0, y_0), (u_1, y_0), (u_2, y_1), ..., (u_T, y_T-1), (1, 0)

    Range:
        0 to 1; 0 without a pair, 1 where neither side has an object. Objects are all labels but 0, which is background.

    Use it when:
        You compare segmentations that differ little: there is no threshold at which the score jumps.

    Reference:
        Chen, Strauch & Merhof 2023, SortedAP: rethinking evaluation metrics for instance segmentation, ICCV Workshops.

    Example:
        >>> import numpy as np
        >>> import clusterscore as cs
        >>> gold, pred = np.array([[1, 1, 1, 1, 0, 2, 2]]), np.array([[0, 1, 1, 1, 1, 0, 0]])
        >>> round(cs.sorted_ap(gold, pred).value, 4)
        0.4
    """

    name = "sorted_ap"
    aliases = ("sortedap",)
    symmetric = True

    def parts(self, table: Table) -> Parts:
        objects, rows = table.objects, len(table.documents)
        overlap = objects.n / unions(objects)
        every = np.ones(len(overlap), np.bool_)
        cells = one_to_one(objects, every, ~every, overlap**2)
        where = objects.cells.document
        document = np.zeros(len(cells), np.int64) if where is None else where[cells]
        order = np.lexsort([overlap[cells], document])
        u, document = overlap[cells][order], document[order]
        number = objects.clusters("gold") + objects.clusters("pred")
        pairs = np.bincount(document, minlength=rows)
        rank = np.arange(len(u)) - (np.cumsum(pairs) - pairs)[document]
        y = (pairs[document] - rank) / (number[document] - pairs[document] + rank)
        first, last = rank == 0, rank == pairs[document] - 1
        before = [np.where(first, start, np.roll(column, 1)) for column, start in ((u, 0.0), (y, y))]
        area = (u - before[0]) * (y + before[1]) / 2 + np.where(last, (1 - u) * y / 2, 0.0)
        return {"area": np.where(number == 0, 1.0, objects.add(area, document))}

    def finish(self, area: Array) -> Values:
        return Values(area)
