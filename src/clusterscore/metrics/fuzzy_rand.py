"""The adjusted Rand index of graded memberships."""

from __future__ import annotations

from typing import ClassVar, Literal

import numpy as np

from clusterscore.count.counting import as_table
from clusterscore.metrics.metric import Array, Floats, Metric, Parts, Table, Values, divide, register
from clusterscore.metrics.pair_metric import Links, all_pairs, whole_numbers
from clusterscore.overlap import Cover, Memberships, cover_of
from clusterscore.overlap.agreements import share_differences
from clusterscore.read.clustering import Clustering

_ROUNDED = 1e-14  # what sums of the same numbers may differ by


@register
class FuzzyRand(Metric):
    """Fuzzy adjusted Rand index (FARI): agreement on pairs of elements with graded memberships, corrected for chance.

    Formula:
        A(e, e') = sum over gold clusters of u_e*u_e', u_e the weights of e, which add to 1; B of the prediction
        f(x) = (2*s*t*x + N*(N-1) - s*SA - t*SB) / (N*(N-1)), s = SA/QA, t = SB/QB
        SA = sum of A, QA = sum of A^2, TA = its trace, X = sum of A*B;  FRI = f(X)
        E = f(TA*TB/N + (SA-TA)*(SB-TB)/(N*(N-1)));  FARI = (FRI - E)/(1 - E)
        bond="l1": NDC = 1 - mean over pairs of |d - d'|, d half the sum of |u_e - u_e'|, and d' in the prediction;
            ACI = (NDC - E)/(1 - E), E = 1 - the mean over all pairs of pairs

    Range:
        Up to 1, and 0 on average for a random prediction. On partitions it is adjusted_rand. Elements that belong to
        all clusters equally score as if they were in one cluster.

    Use it when:
        Memberships have weights: fuzzy clusterings, topics, word senses. The score has ``index``, the value before the
        correction for chance, and ``expected``. Where clusters overlap without weights, an element belongs to all its
        clusters in equal parts.

    Options:
        bond: "product" (default; its time grows with the number of elements only) or "l1" (ACI, the adjusted
            concordance index, which compares every two elements that share a cluster).

    Reference:
        Andrews, Browne & Hvingelby 2022, On assessments of agreement between fuzzy partitions, Journal of
        Classification 39; Hüllermeier, Rifqi, Henzgen & Senge 2012, IEEE Transactions on Fuzzy Systems 20(3) (NDC);
        D'Ambrosio, Amodio, Iorio, Pandolfo & Siciliano 2021, Journal of Classification 38 (ACI).

    Example:
        >>> import clusterscore as cs
        >>> gold = cs.Clustering.from_graded([{"x": 1}, {"x": 0.8, "y": 0.2}, {"y": 1}])
        >>> pred = cs.Clustering.from_graded([{"a": 1}, {"a": 0.6, "b": 0.4}, {"b": 1}])
        >>> round(cs.fuzzy_rand(gold, pred).value, 4)
        0.8659
    """

    bond: Literal["product", "l1"] = "product"

    name = "fuzzy_rand"
    group = "overlapping"
    aliases = ("fari",)
    lowest = float("-inf")
    symmetric = True
    overlapping = True
    graded: ClassVar = True

    def parts(self, table: Table) -> Parts:
        if self.bond == "product" or not table.overlapping:  # on partitions both are the same
            return _bonds(table)
        apart, expected = share_differences(cover_of(table), table.cells.document, len(table.documents))
        return {"apart": apart, "expected": expected, "pairs": all_pairs(table.common)}

    def finish(self, **parts: Array) -> Values:
        if "both" in parts:
            return _of_bonds(**parts)
        return _above_chance(divide(parts["apart"], parts["pairs"], 0.0), parts["expected"])

    def example(self) -> Table:
        """One with weights: on partitions the parts of documents add up, whatever the bond."""
        sides = [[{k % 3: 1, k % step: 2} for k in range(9)] for step in (4, 5)]
        return as_table(*(Clustering.from_graded(side, documents=[0] * 4 + [1] * 5) for side in sides))


def _above_chance(apart: Floats, expected: Floats) -> Values:
    """From 1 - x and 1 - E, so that nothing is lost where almost all is right: (x - E)/(1 - E)."""
    value = np.where(apart == 0, 1.0, 1 - divide(apart, expected, 1.0))
    return Values(value, extras={"index": 1 - apart, "expected": 1 - expected})


def _bonds(table: Table) -> Parts:
    """The sums of A, A*A and the trace of A on either side, and of A*B: none looks at a pair of elements."""
    if not table.overlapping:
        sides = (table.pairs(side) for side in ("cell", "gold", "pred"))  # ordered pairs, and each element with itself
        both, gold, pred = (2 * pairs + _like(pairs, table.common) for pairs in sides)
        sums = {"gold": gold, "gold_square": gold, "pred": pred, "pred_square": pred}
        return {"both": both, **sums, "gold_own": table.common, "pred_own": table.common, "elements": table.common}
    cover = cover_of(table)
    parts = {"both": _squared(table, cover, cover.gold, cover.pred), "elements": table.common}
    for name, side in (("gold", cover.gold), ("pred", cover.pred)):
        weight = cover.n[side.cell] * side.shares
        size = np.bincount(side.cluster, weight, len(side.size))
        parts[name] = table.add(size * size, side.document(table, name))
        parts[f"{name}_square"] = _squared(table, cover, side, side)
        parts[f"{name}_own"] = table.add_of(side.cell, weight * side.shares)
    return parts


def _like(pairs: Array, elements: Floats) -> Array:
    """The elements as Python's integers, where pairs are: whole numbers stay exact."""
    return whole_numbers(elements) if pairs.dtype == object else elements


def _squared(table: Table, cover: Cover, left: Memberships, right: Memberships) -> Floats:
    """The sum over all pairs of elements of A*B: of the squared entries of U'V, clusters against clusters."""
    weighed = left.matrix(left.shares * cover.n[left.cell])
    shared = (weighed.T @ right.matrix(right.shares)).tocoo()
    document = left.document(table, "gold" if left is cover.gold else "pred")
    return table.add(shared.data**2, None if document is None else document[shared.coords[0]])


def _of_bonds(
    both: Array,
    gold: Array,
    gold_square: Array,
    gold_own: Array,
    pred: Array,
    pred_square: Array,
    pred_own: Array,
    elements: Array,
) -> Values:
    pairs = elements * (elements - 1)
    s, t = divide(gold, gold_square, 0.0), divide(pred, pred_square, 0.0)
    by_chance = divide(gold_own * pred_own, elements, 0.0) + divide((gold - gold_own) * (pred - pred_own), pairs, 0.0)
    most = s * gold + t * pred  # the sum of (s*A)^2 + (t*B)^2, of which that of (s*A - t*B)^2 may be a rounding error
    apart, expected = (most - 2 * s * t * x for x in (both, by_chance))
    apart = np.where(apart > _ROUNDED * most, apart, 0.0)
    values = _above_chance(divide(apart, pairs, 0.0), divide(expected, pairs, 0.0))
    # bonds of 0 and 1 are a partition, and its counts are exact
    together, gold_pairs, pred_pairs = (x - _like(x, elements) for x in (both, gold, pred))
    above = Links(together, gold_pairs, pred_pairs, 2 * all_pairs(elements)).above_chance()
    exact = divide(2 * above.right, above.gold + above.pred, 1.0)
    is_partition = (gold == gold_square) & (pred == pred_square) & (gold_own == elements) & (pred_own == elements)
    return values._replace(value=np.where(is_partition, exact, values.value))
