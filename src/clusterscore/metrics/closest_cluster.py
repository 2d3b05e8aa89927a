"""Closest cluster F1."""

from clusterscore.metrics.balance import harmonic
from clusterscore.metrics.metric import Array, Metric, Parts, Table, Values, divide, register


@register
class ClosestCluster(Metric):
    """Closest cluster F: how similar each cluster is to the most similar cluster of the other side.

    Formula:
        P = the mean over predicted clusters of the largest n/(a+b-n), R = the same over gold clusters, F = 2*P*R/(P+R)

    Range:
        Above 0 to 1.

    Use it when:
        You work in entity resolution, where it is reported. All clusters have the same weight, and a cluster can be the
        closest one to several others.

    Reference:
        Benjelloun, Garcia-Molina, Menestrina, Su, Whang & Widom 2009, Swoosh: a generic approach to entity
        resolution, VLDB Journal 18.

    Example:
        >>> import clusterscore as cs
        >>> score = cs.closest_cluster([0, 0, 0, 1, 1, 2], [0, 0, 1, 2, 2, 3])
        >>> round(score.precision, 4), round(score.recall, 4)
        (0.75, 0.8889)
    """

    name = "closest_cluster"
    aliases = ("closest_cluster_f1",)
    needs = frozenset({("best_matches", "gold", "jaccard"), ("best_matches", "pred", "jaccard")})
    swaps = True
    symmetric = True

    def parts(self, table: Table) -> Parts:
        parts = {}
        for side in ("gold", "pred"):
            matches = table.best_matches(side, "jaccard")
            parts[f"{side}_best"] = table.add(matches.best, matches.document, matches.times)
            parts[side] = table.clusters(side)
        return parts

    def finish(self, gold_best: Array, gold: Array, pred_best: Array, pred: Array) -> Values:
        precision, recall = divide(pred_best, pred, 0.0), divide(gold_best, gold, 0.0)
        return Values(harmonic(precision, recall, 0.5, 0.5), precision, recall)
