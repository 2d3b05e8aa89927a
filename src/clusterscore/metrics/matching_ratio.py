"""The maximum matching ratio."""

from __future__ import annotations

import numpy as np

from clusterscore.count.sums import add_up
from clusterscore.metrics.alignment import aligned
from clusterscore.metrics.metric import Array, Metric, Parts, Table, Values, divide, register


@register
class MatchingRatio(Metric):
    """Maximum matching ratio: how well each gold cluster is matched by one predicted cluster of its own.

    Formula:
        (1/K) * max over one-to-one alignments of the sum of n_ij^2/(a_i*b_j), K gold clusters
        sensitivity = sum_i max_j n_ij / N, ppv = sum_j max_i n_ij / N, accuracy = sqrt(sensitivity*ppv)
        fraction = the share of gold clusters with n^2/(a*b) >= 1/4 for some predicted cluster

    Range:
        Above 0 to 1.

    Use it when:
        You compare predicted protein complexes with known ones, where it is reported together with sensitivity,
        ppv, accuracy and fraction, which the score has as well. Every gold cluster has the same weight.

    Reference:
        Nepusz, Yu & Paccanaro 2012, Detecting overlapping protein complexes in protein-protein interaction networks,
        Nature Methods 9; Brohée & van Helden 2006, BMC Bioinformatics 7 (sensitivity, ppv, accuracy).

    Example:
        >>> import clusterscore as cs
        >>> score = cs.matching_ratio([0, 0, 0, 1], [0, 0, 1, 1])
        >>> round(score.value, 4), score.sensitivity, score.ppv, score.fraction
        (0.5833, 0.75, 0.75, 1.0)
    """

    name = "matching_ratio"
    aliases = ("mmr",)
    needs = frozenset({("cells",)})

    def parts(self, table: Table) -> Parts:
        alike = table.n / table.a * (table.n / table.b)
        gold = table.cells.gold
        matched = np.zeros(len(gold.size), np.bool_)
        matched[table.gold[4.0 * table.n * table.n >= 1.0 * table.a * table.b]] = True
        return {
            "alike": aligned(table, alike),
            "matched": add_up(matched, gold.document, len(table.documents)),
            "clusters": table.clusters("gold"),
            "of_gold": table.largest_total("gold"),
            "of_pred": table.largest_total("pred"),
            "elements": table.common,
        }

    def finish(
        self, alike: Array, matched: Array, clusters: Array, of_gold: Array, of_pred: Array, elements: Array
    ) -> Values:
        sensitivity, ppv = divide(of_gold, elements, 0.0), divide(of_pred, elements, 0.0)
        extras = {
            "sensitivity": sensitivity,
            "ppv": ppv,
            "accuracy": np.sqrt(sensitivity * ppv),
            "fraction": divide(matched, clusters, 0.0),
        }
        return Values(divide(alike, clusters, 0.0), extras=extras)
