"""Diagnose: where a score was lost, by element, by cluster and by kind of error."""

from clusterscore.diagnose.changes import CHANGES, Changes, Participants, changes_of
from clusterscore.diagnose.clusters import SIDES, ClusterSide, Held, Order, by_loss
from clusterscore.diagnose.losses import (
    KINDS,
    ONE_SIDED,
    Losses,
    common_sizes,
    kind_rows,
    kinds_of,
    losses_of,
    scores_elements,
)

__all__ = [
    "CHANGES",
    "KINDS",
    "ONE_SIDED",
    "SIDES",
    "Changes",
    "ClusterSide",
    "Held",
    "Losses",
    "Order",
    "Participants",
]
__all__ += ["by_loss", "changes_of", "common_sizes", "kind_rows", "kinds_of", "losses_of", "scores_elements"]
