"""The best one-to-one map of speakers, and among equal ones the best by something else."""

from __future__ import annotations

import numpy as np

from clusterscore.distinct import Array, Ints
from clusterscore.metrics.alignment import best_alignment


def best_map(gold: Ints, pred: Ints, first: Array, then: Array) -> Ints:
    """Which pairs to choose so that ``first`` adds up to the most, and where that leaves a choice, ``then`` does.

    The prices of an assignment tell all best ones from all others: these choose pairs that cost what they bring, and
    leave nobody out who has a price.
    """
    some = np.flatnonzero(first > 0)
    gold, pred, first, then = gold[some], pred[some], first[some].astype(np.float64), then[some].astype(np.float64)
    shape = int(gold.max(initial=-1)) + 1, int(pred.max(initial=-1)) + 1
    chosen = best_alignment(gold, pred, first, shape)
    partner, brings = np.full(shape[0], shape[1]), np.zeros(shape[0])
    partner[gold[chosen]], brings[gold[chosen]] = pred[chosen], first[chosen]
    price = np.zeros(shape[1] + 1)  # of each predicted speaker, and of nobody
    for _ in range(shape[1]):
        before = price.copy()
        np.maximum.at(price, pred, first - brings[gold] + price[partner[gold]])
        if np.array_equal(price, before):
            break
    worth = brings - price[partner]
    tight = np.flatnonzero(worth[gold] + price[pred] == first)
    needed = (worth[gold] > 0) * 1.0 + (price[pred] > 0)
    weight = then + needed * (1 + then[tight].sum())
    return some[tight[best_alignment(gold[tight], pred[tight], weight[tight], shape)]]
