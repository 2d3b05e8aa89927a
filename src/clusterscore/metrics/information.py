"""What the information measures share: entropies from sums of s*log(s), which add up over documents."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from clusterscore.count.sums import Floats, rounded
from clusterscore.count.table import Table
from clusterscore.metrics.metric import Metric, columns


class Information(NamedTuple):
    """Entropies and mutual information in nats."""

    gold: Floats
    pred: Floats
    mutual: Floats
    identical: Floats  # of truth values


class InformationMetric(Metric):
    """A measure of entropies: parts are the sums of s*log(s) over cells and clusters, N, and how many there are."""

    paired = 6

    def parts(self, table: Table) -> Floats:
        sides = ("cell", "gold", "pred")
        return columns(*map(table.size_logs, sides), table.common, *map(table.clusters, sides))


def information(parts: Floats) -> Information:
    """H(gold), H(pred) and I, exactly 0 or equal where the number of clusters says that they are."""
    joint, gold, pred = rounded(parts[:, :6]).T
    elements, cells, gold_clusters, pred_clusters = parts[:, 6:10].T
    whole = np.log(elements)
    h_gold = np.where(gold_clusters == 1, 0.0, np.maximum(whole - gold / elements, 0.0))
    h_pred = np.where(pred_clusters == 1, 0.0, np.maximum(whole - pred / elements, 0.0))
    mutual = np.maximum(whole + (joint - (gold + pred)) / elements, 0.0)
    mutual = np.where((gold_clusters == 1) | (pred_clusters == 1), 0.0, np.minimum(mutual, np.minimum(h_gold, h_pred)))
    mutual = np.where(cells == gold_clusters, h_pred, np.where(cells == pred_clusters, h_gold, mutual))
    return Information(h_gold, h_pred, mutual, (cells == gold_clusters) & (cells == pred_clusters))
