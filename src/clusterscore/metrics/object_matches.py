"""Objects of images, matched one to one by how much they overlap."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from clusterscore.count.sums import Floats
from clusterscore.count.table import Table
from clusterscore.distinct import Array, Ints
from clusterscore.metrics.alignment import best_alignment
from clusterscore.metrics.metric import Metric

_LAST = 1e-9  # what decides between sums that are equal; it may not outweigh a difference between others


class ObjectMetric(Metric):
    """A measure of ``table.objects``: of the clusters but for the background."""

    needs = frozenset({("cells",)})
    of_objects = emptied = True


def unions(objects: Table) -> Array:
    """How many elements are in either object of each cell."""
    return np.asarray(objects.a + objects.b - objects.n)


def reaches(objects: Table, threshold: float, strict: bool) -> Array:
    """Whether the IoU of each cell is at least a threshold, or with ``strict`` above it, compared as decimals."""
    least, n, union = Fraction(str(threshold)), objects.n, unions(objects)
    if least.denominator * float(union.max(initial=1)) >= 2.0**62:
        n, union = n.astype(object), union.astype(object)
    shared, needed = n * least.denominator, union * least.numerator
    return np.asarray(shared > needed if strict else shared >= needed, np.bool_)


def one_to_one(objects: Table, among: Array, first: Array, last: Floats) -> Ints:
    """The cells of the best match that is one to one, some of those that are ``among`` all.

    It has the most cells that are ``first``, then the largest sum of IoU, then of ``last``, of 0 to 1.
    """
    cells = np.flatnonzero(among)
    gold, pred = objects.gold[cells], objects.pred[cells]
    shape = len(objects.gold_size), len(objects.pred_size)
    several = (np.bincount(gold, minlength=shape[0])[gold] > 1) | (np.bincount(pred, minlength=shape[1])[pred] > 1)
    if not several.any():
        return cells
    worth = objects.n[cells] / unions(objects)[cells] + _LAST * last[cells]
    most = int(several.sum())  # more than all IoU together of those that compete
    return cells[best_alignment(gold, pred, worth + (1 + most) * first[cells], shape)]
