"""Diagnose: where a score was lost, by element, by cluster and by kind of error."""

from clusterscore.diagnose.clusters import SIDES, ClusterSide
from clusterscore.diagnose.kinds import KINDS, KindRows, kind_rows, kinds_of
from clusterscore.diagnose.losses import Losses, losses_of, scores_elements
from clusterscore.diagnose.order import Order, by_loss

__all__ = [
    "KINDS",
    "SIDES",
    "ClusterSide",
    "KindRows",
    "Losses",
    "Order",
    "by_loss",
    "kind_rows",
    "kinds_of",
    "losses_of",
    "scores_elements",
]
