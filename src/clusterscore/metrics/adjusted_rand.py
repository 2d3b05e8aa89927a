"""The Rand index adjusted for chance."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

import numpy as np

from clusterscore.count.counts import NotASum
from clusterscore.metrics.class_shares import ClassWeighted, class_shares
from clusterscore.metrics.cluster_numbers import together_among, together_among_all
from clusterscore.metrics.metric import Array, Floats, Parts, Values, divide, register
from clusterscore.metrics.pair_metric import Links, PairMetric, all_pairs
from clusterscore.nouns import noun


@register
class AdjustedRand(ClassWeighted, PairMetric):
    """Adjusted Rand index: agreement on pairs, corrected for chance.

    Formula:
        (rc - E) / ((A + B)/2 - E), E = A*B / (N*(N-1)/2)
        A = sum_i a_i*(a_i-1)/2 gold pairs, B = sum_j b_j*(b_j-1)/2 predicted pairs, rc pairs in both
        weights="class": a pair of two different elements of gold clusters i and k weighs 1/(a_i*a_k)
        model: (Rand - E)/(1 - E), E = q*r + (1-q)*(1-r), q = A/(N*(N-1)/2) the share of gold pairs, and r how likely
            two elements are together in a random prediction: S(N-1, K)/S(N, K) for "num", B(N-1)/B(N) for "all", with
            K predicted clusters, S Stirling numbers of the second kind and B Bell numbers

    Range:
        -0.5 to 1, and 0 on average for a random prediction with the same cluster sizes. It is 1 for two identical
        clusterings, even for all singletons or one cluster. Exact at any size: the counts are not rounded before the
        division. With weights, the mean of random predictions is only close to 0 (for ten elements, to a few
        hundredths). With weights or another model there is no lower bound.

    Use it when:
        You compare systems that make different numbers of clusters, and want a single number that chance does not
        inflate. With weights="class", small classes count as much as large ones (cell types, for instance).

    Options:
        weights: None, or "class": every gold cluster has the same weight.
        model: which predictions are equally likely by chance: "perm" (default; those with the same cluster sizes),
            "num" (those with as many clusters: for systems that are told the number) or "all" (for systems that are
            told nothing). Gold is fixed. The score then has E as ``expected``.

    Reference:
        Hubert & Arabie 1985, Comparing partitions, Journal of Classification 2; Gates & Ahn 2017, The impact of random
        models on clustering similarity, JMLR 18(87) (model); after Maan et al. 2024, Characterizing the impacts of
        dataset imbalance on single-cell data integration, Nature Biotechnology 42 (weights).

    Example:
        >>> import clusterscore as cs
        >>> cs.adjusted_rand([0, 0, 1, 1], [0, 0, 1, 2]).value
        0.5714285714285714
        >>> round(cs.adjusted_rand([0, 0, 1, 1], [0, 0, 1, 2], model="num").value, 4)
        0.5714
        >>> gold, pred = [0, 0, 1, 2], [0, 1, 0, 1]    # worse than chance, which the Rand index does not notice
        >>> round(cs.adjusted_rand(gold, pred).value, 4), cs.rand(gold, pred).value
        (-0.2857, 0.5)
    """

    model: Literal["perm", "num", "all"] = "perm"

    name = "adjusted_rand"
    aliases = ("ari",)
    unsaid: ClassVar = {"model": "perm"}
    exclusive = (("weights", "model"),)

    @property
    def lowest(self) -> float:
        """Half of what it can lack, where sizes are fixed; elsewhere there is no bound."""
        return -0.5 if self.symmetric else float("-inf")

    @property
    def symmetric(self) -> bool:  # type: ignore[override]
        """The weights come from gold, and in the other models gold is fixed."""
        return self.weights is None and self.model == "perm"

    def parts(self, table: Any) -> Parts:  # Sums, and with weights a Table
        parts = super().parts(table)
        if self.weights is not None:
            share = class_shares(table)
            return {
                **parts,
                "disputed": share.add(share.cell * (share.elsewhere + (share.pred - share.cell))),
                "gold_weight": share.add(share.cell * ((table.a - 1) / table.a)),
                "pred_weight": share.add(share.cell * (share.pred - 1 / table.a)),
                "pred_apart": share.add(share.cell * share.others),
                "classes": share.classes,
                "squares": share.classes * share.classes,
            }
        if self.model == "perm":
            return parts
        if table.unit != "documents":
            raise NotASum(noun("the number of clusters"))
        return {**parts, "clusters": table.clusters("pred")}

    def finish(
        self, together: Array, gold: Array, pred: Array, elements: Array, other_pairs: Array, **more: Any
    ) -> Values:
        pair = Links(together, gold, pred, all_pairs(elements, other_pairs))
        if self.weights is not None:
            return Values(np.where(pair.identical, 1.0, _weighed(**more)))
        if self.model != "perm":
            return self._of_model(pair, elements, **more)
        return self.of_links(pair)

    def of_links(self, pair: Links) -> Values:
        above = pair.above_chance()
        # where nothing can be above chance both sides are all singletons, or both one cluster: identical
        return Values(divide(2 * above.right, above.gold + above.pred, 1.0))

    def _of_model(self, pair: Links, elements: Floats, clusters: Floats) -> Values:
        """By what is disputed, and is expected to be: nothing is lost where almost all pairs are agreed upon."""
        gold = divide(pair.gold, pair.all, 0.0)
        random = together_among(clusters, elements) if self.model == "num" else together_among_all(elements)
        disputed = divide(pair.gold + pair.pred - 2 * pair.right, pair.all, 0.0)
        expected = gold * (1 - random) + random * (1 - gold)
        return Values(1 - divide(disputed, expected, 0.0), extras={"expected": 1 - expected})


def _weighed(
    disputed: Floats,
    gold_weight: Floats,
    pred_weight: Floats,
    pred_apart: Floats,
    classes: Floats,
    squares: Floats,
) -> Floats:
    """The usual formula, of pairs that weigh the product of their elements' weights, T all together.

    It is 1 - (A + B - 2*rc)*T / (A*(T-B) + B*(T-A)): by what is disputed, and by what each side keeps apart, nothing is
    lost where almost all is one cluster.
    """
    gold_apart = classes * classes - classes
    pred_apart = pred_apart + (classes * classes - squares)  # elements of different documents are apart
    possible = gold_weight * pred_apart + pred_weight * gold_apart
    return 1 - divide(disputed * (gold_weight + gold_apart), possible, 1.0)
