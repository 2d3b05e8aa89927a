"""What distances have in common."""

from clusterscore.metrics.metric import Metric


class Distance(Metric):
    """A measure that is 0 for two identical clusterings, and the same in both directions; smaller is better."""

    highest = float("inf")
    perfect = 0.0
    smaller_is_better = True
    symmetric = True
