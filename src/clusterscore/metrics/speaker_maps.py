"""The best one-to-one map of speakers, and among equal ones the best by something else."""

from __future__ import annotations

import numpy as np

from clusterscore.distinct import Array, Ints
from clusterscore.metrics.alignment import best_of_equals


def best_map(gold: Ints, pred: Ints, first: Array, then: Array) -> Ints:
    """Which pairs to choose so that ``first`` adds up to the most, and where that leaves a choice, ``then`` does."""
    some = np.flatnonzero(first > 0)
    gold, pred = gold[some], pred[some]
    shape = int(gold.max(initial=-1)) + 1, int(pred.max(initial=-1)) + 1
    return some[best_of_equals(gold, pred, shape, first[some], then[some])]
