"""Diagnose: where a score was lost, by element, by cluster and by kind of error."""

from clusterscore.diagnose.clusters import SIDES, ClusterSide, Held, Order, by_loss
from clusterscore.diagnose.losses import KINDS, Losses, kind_rows, kinds_of, losses_of, scores_elements

__all__ = ["KINDS", "SIDES", "ClusterSide", "Held", "Losses", "Order"]
__all__ += ["by_loss", "kind_rows", "kinds_of", "losses_of", "scores_elements"]
