"""Every measure of overlapping clusterings computed the slow way, from its definition and sets of elements.

Nothing is shared with the package: no patterns, no sparse products. Numbers are fractions; entropies and the random
walk are floats. A clustering is a list of clusters, a cluster a set of elements, and the same cluster may stand there
twice. All elements lie in a cluster of both sides, but for the measures that take ``elements``.

What the papers leave open is 0/0. Two identical clusterings score 1. So do two that every pair of elements agrees on,
in omega: it knows nothing but pairs. A cluster of all elements has no entropy, and the other side explains it if it has
one too. Anything else that is 0/0 scores 0.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Sequence
from fractions import Fraction
from itertools import chain, combinations, permutations, product
from typing import Any, NamedTuple

import numpy as np
from brute_force import ONE, PRF, Element, alpha_of, f_of, mean

Cluster = frozenset[Any]
Cover = Sequence[Collection[Any]]
Documents = Sequence[tuple[Cover, Cover]]


def clusters(cover: Cover) -> list[Cluster]:
    """The clusters that hold anything."""
    return [frozenset(cluster) for cluster in cover if cluster]


def identical(gold: Cover, pred: Cover) -> bool:
    return Counter(clusters(gold)) == Counter(clusters(pred))


def elements_of(*covers: Cover) -> list[Any]:
    return sorted({e for cover in covers for cluster in cover for e in cluster})


def of_labels(labels: Sequence[Hashable]) -> list[Cluster]:
    """A partition, of elements by position."""
    return [frozenset(e for e, x in enumerate(labels) if x == label) for label in dict.fromkeys(labels)]


def pooled(documents: Documents) -> tuple[list[Cluster], list[Cluster]]:
    """All documents as one: no element and no cluster is in two of them."""
    sides: tuple[list[Cluster], list[Cluster]] = ([], [])
    for d, pair in enumerate(documents):
        for side, cover in zip(sides, pair, strict=True):
            side += [frozenset((d, e) for e in cluster) for cluster in cover]
    return sides


# The mean over elements ----------------------------------------------------------------------------------


def holding(cover: Cover, e: Hashable) -> list[Cluster]:
    return [cluster for cluster in clusters(cover) if e in cluster]


def heaviest(predicted: list[Cluster], true: list[Cluster]) -> int:
    """The heaviest one-to-one matching by overlap, among all of them."""
    few, many = sorted((predicted, true), key=len)
    return max(sum(len(x & y) for x, y in zip(few, order, strict=True)) for order in permutations(many, len(few)))


def matched_elements(gold: Cover, pred: Cover, leave_out: bool) -> list[Element]:
    """Matched BCubed; matched ELM takes 1 from the matching and from each sum of sizes."""
    rows = []
    for e in elements_of(gold, pred):
        predicted, true = holding(pred, e), holding(gold, e)
        matched = heaviest(predicted, true)
        of_predicted, of_true = sum(map(len, predicted)), sum(map(len, true))
        tp = matched - leave_out
        precision = Fraction(tp, of_predicted - leave_out) if of_predicted > leave_out else ONE
        recall = Fraction(tp, of_true - leave_out) if of_true > leave_out else ONE
        rows.append(Element(tp, of_predicted - matched, of_true - matched, precision, recall))
    return rows


def extended_elements(gold: Cover, pred: Cover) -> list[tuple[Fraction, Fraction]]:
    """Each element's extended BCubed precision and recall: means over all that share a cluster with it, itself too."""

    def side(of: Cover, against: Cover, e: Hashable) -> Fraction:
        here, there = (Counter(chain(*holding(cover, e))) for cover in (of, against))
        return mean(Fraction(min(shared, there[other]), shared) for other, shared in here.items())

    return [(side(pred, gold, e), side(gold, pred, e)) for e in elements_of(gold, pred)]


def tversky(precision: Fraction, recall: Fraction, w_fp: Fraction, w_fn: Fraction) -> Fraction:
    """TP / (TP + w_fp*FP + w_fn*FN), where FP/TP = 1/P - 1 and FN/TP = 1/R - 1."""
    return 1 / (1 + w_fp * (1 / precision - 1) + w_fn * (1 / recall - 1))


def element_scores(measure: str, gold: Cover, pred: Cover, w_fp: Fraction, w_fn: Fraction) -> list[PRF]:
    if measure == "extended_bcubed":
        return [PRF(p, r, tversky(p, r, w_fp, w_fn)) for p, r in extended_elements(gold, pred)]
    rows = matched_elements(gold, pred, leave_out=measure == "matched_elm")
    return [PRF(row.precision, row.recall, row.f(w_fp, w_fn)) for row in rows]


def mean_over_elements(
    measure: str,
    gold: Cover,
    pred: Cover,
    f: str = "mean",
    beta: Fraction | int = 1,
    alpha: Fraction | None = None,
    w_fp: Fraction | None = None,
    w_fn: Fraction | None = None,
    weights: Sequence[Fraction] | None = None,
) -> PRF:
    """``weights`` are those of the elements in their sorted order."""
    alpha = alpha_of(beta) if alpha is None else alpha
    w_fp, w_fn = (alpha, 1 - alpha) if w_fp is None or w_fn is None else (w_fp, w_fn)
    rows = element_scores(measure, gold, pred, w_fp, w_fn)
    precision, recall, mean_f = (mean(column, weights) for column in zip(*rows, strict=True))
    return PRF(precision, recall, mean_f if f == "mean" else f_of(precision, recall, alpha))


def extended_bcubed(gold: Cover, pred: Cover, **options: Any) -> PRF:
    """Amigo et al. 2009."""
    return mean_over_elements("extended_bcubed", gold, pred, **options)


def matched_bcubed(gold: Cover, pred: Cover, **options: Any) -> PRF:
    return mean_over_elements("matched_bcubed", gold, pred, **options)


def matched_elm(gold: Cover, pred: Cover, **options: Any) -> PRF:
    return mean_over_elements("matched_elm", gold, pred, **options)


# Pairs of elements ---------------------------------------------------------------------------------------


def omega(gold: Cover, pred: Cover, elements: Collection[Any] | None = None) -> Fraction:
    """Collins & Dent 1988: a pair agrees where both sides have it in the same number of clusters."""
    pairs = [set(pair) for pair in combinations(elements or elements_of(gold, pred), 2)]
    shared = [[sum(pair <= cluster for cluster in clusters(cover)) for pair in pairs] for cover in (gold, pred)]
    if shared[0] == shared[1]:
        return ONE
    observed = Fraction(sum(g == p for g, p in zip(*shared, strict=True)), len(pairs))
    in_gold, in_pred = map(Counter, shared)
    expected = Fraction(sum(in_gold[times] * in_pred[times] for times in in_gold), len(pairs) ** 2)
    return (observed - expected) / (1 - expected)


# Information ---------------------------------------------------------------------------------------------


def entropy(*counts: int) -> float:
    """In nats, of the events that occur so often."""
    whole = sum(counts)
    return math.fsum(-count / whole * math.log(count / whole) for count in counts if count)


def may_explain(a: int, b: int, c: int, d: int) -> bool:
    """h(a) + h(d) >= h(b) + h(c) with h(x) = -x*log(x/n), in whole numbers: ties count, the first is 1, 1, 4, 2."""
    n = a + b + c + d
    return n ** (a + d) * b**b * c**c >= n ** (b + c) * a**a * d**d


def conditional_entropy(x: Cluster, others: list[Cluster], n: int) -> float:
    """H(X_i|Y): of a cluster, given the one of the other side that leaves the least open."""
    least = entropy(len(x), n - len(x))
    for y in others:
        a, b, c, d = n - len(x | y), len(y - x), len(x - y), len(x & y)
        if may_explain(a, b, c, d):
            least = min(least, entropy(a, b, c, d) - entropy(len(y), n - len(y)))
    return least


def overlapping_nmi(
    gold: Cover, pred: Cover, normalization: str = "max", elements: Collection[Any] | None = None
) -> float:
    """McDaid, Greene & Hurley 2011 ("max"), or Lancichinetti, Fortunato & Kertesz 2009 ("lancichinetti")."""
    xs, ys, n = clusters(gold), clusters(pred), len(elements or elements_of(gold, pred))
    sides = [(xs, ys), (ys, xs)]
    own = [[entropy(len(x), n - len(x)) for x in side] for side, _ in sides]
    rest = [[conditional_entropy(x, others, n) for x in side] for side, others in sides]
    if normalization == "lancichinetti":
        explained = [
            [1 - r / h if h else float(x in others) for x, h, r in zip(side, of_side, rest_of_side, strict=True)]
            for (side, others), of_side, rest_of_side in zip(sides, own, rest, strict=True)
        ]
        return math.fsum(math.fsum(side) / len(side) for side in explained if side) / 2
    most = max(map(math.fsum, own))
    information = (math.fsum(chain(*own)) - math.fsum(chain(*rest))) / 2
    return information / most if most else float(identical(gold, pred))


# The best match of each cluster --------------------------------------------------------------------------


def best_f1(of: Cover, against: Cover) -> Fraction:
    """The mean over clusters of the F1 with the other side's cluster that is most like it."""
    return mean(max(Fraction(2 * len(x & y), len(x) + len(y)) for y in clusters(against)) for x in clusters(of))


def community_f1(gold: Cover, pred: Cover) -> Fraction:
    """Yang & Leskovec 2013."""
    return (best_f1(gold, pred) + best_f1(pred, gold)) / 2


# A walk from element to cluster to element ---------------------------------------------------------------


def visits(cover: Cover, elements: list[Any], alpha: float) -> np.ndarray:
    """Personalised PageRank: a row for each start, a column for each element where the walk is found."""
    step = np.zeros((len(elements), len(elements)))
    for i, e in enumerate(elements):
        of_e = holding(cover, e)
        for cluster in of_e:
            for j, other in enumerate(elements):
                step[i, j] += (other in cluster) / len(cluster) / len(of_e)
    return (1 - alpha) * np.linalg.inv(np.eye(len(elements)) - alpha * step)


def element_centric_elements(gold: Cover, pred: Cover, alpha: float = 0.9) -> list[float]:
    elements = elements_of(gold, pred)
    p, q = (visits(cover, elements, alpha) for cover in (gold, pred))
    return [1 - math.fsum(row) / (2 * alpha) for row in np.abs(p - q)]


def element_centric(gold: Cover, pred: Cover, alpha: float = 0.9) -> float:
    """Gates, Wood, Hetrick & Ahn 2019, without a hierarchy."""
    scores = element_centric_elements(gold, pred, alpha)
    return math.fsum(scores) / len(scores)


# Weights -------------------------------------------------------------------------------------------------

Graded = list[dict[str, Fraction]]  # of each element its clusters and their weights
ZERO = Fraction(0)


def scaled(graded: Graded, by: Callable[[Any], Fraction]) -> Graded:
    return [{c: w / by(weights.values()) for c, w in weights.items()} for weights in graded]


class Adjusted(NamedTuple):
    """An index, what it is expected to be, and (index - E)/(1 - E)."""

    value: Fraction
    index: Fraction
    expected: Fraction

    @classmethod
    def of(cls, index: Fraction, expected: Fraction) -> Adjusted:
        return cls(ONE if index == 1 else (index - expected) / (1 - expected), index, expected)


def fari(gold: Graded, pred: Graded) -> Adjusted:
    """Over all pairs of elements, each with itself among them."""
    n = len(gold)
    bonds = []
    for side in (scaled(gold, sum), scaled(pred, sum)):
        rows = [[sum((u * first.get(c, ZERO) for c, u in second.items()), ZERO) for first in side] for second in side]
        bonds.append(rows)
    every = list(product(range(n), repeat=2))
    a, b = bonds
    sums = [sum((m[i][j] for i, j in every), ZERO) for m in bonds]
    squares = [sum((m[i][j] ** 2 for i, j in every), ZERO) for m in bonds]
    traces = [sum((m[i][i] for i in range(n)), ZERO) for m in bonds]
    both = sum((a[i][j] * b[i][j] for i, j in every), ZERO)

    def index(x: Fraction) -> Fraction:
        (s, t), pairs = (x / y for x, y in zip(sums, squares, strict=True)), n * (n - 1)
        return (2 * s * t * x + pairs - s * sums[0] - t * sums[1]) / pairs

    if n == 1:
        return Adjusted(ONE, ONE, ONE)
    others = (sums[0] - traces[0]) * (sums[1] - traces[1])
    expected = index(traces[0] * traces[1] / n + others / (n * (n - 1)))
    return Adjusted.of(index(both), expected)


def aci(gold: Graded, pred: Graded) -> Adjusted:
    distances = []
    for side in (scaled(gold, sum), scaled(pred, sum)):
        pairs = combinations(side, 2)
        distances.append([sum(abs(u.get(c, ZERO) - v.get(c, ZERO)) for c in {*u, *v}) / 2 for u, v in pairs])
    number = len(distances[0])
    apart = sum((abs(d - e) for d, e in zip(*distances, strict=True)), ZERO)
    expected = sum((abs(d - e) for d, e in product(*distances)), ZERO)
    return Adjusted.of(1 - apart / number, 1 - expected / number**2) if number else Adjusted(ONE, ONE, ONE)


def graded_means(gold: Graded, pred: Graded, leave_out: bool) -> tuple[Fraction, Fraction]:
    sides = [scaled(side, max) for side in (pred, gold)]

    def agreement(side: Graded, i: int, j: int) -> Fraction:
        return sum((1 - abs(u - side[j][c]) for c, u in side[i].items() if c in side[j]), ZERO)

    means = []
    for own, other in (sides, sides[::-1]):
        total = ZERO
        for i in range(len(own)):
            met = [j for j in range(len(own)) if own[i].keys() & own[j].keys() and not (leave_out and i == j)]
            terms = [min(agreement(own, i, j), agreement(other, i, j)) / agreement(own, i, j) for j in met]
            total += sum(terms, ZERO) / len(terms) if terms else ZERO
        means.append(total / len(own))
    return means[0], means[1]


def in_equal_parts(cover: Cover, elements: list[Any]) -> Graded:
    return [{str(k): ONE for k, cluster in enumerate(clusters(cover)) if e in cluster} for e in elements]


def fuzzy_rand(gold: Cover, pred: Cover, bond: str = "product") -> Adjusted:
    sides = [in_equal_parts(cover, elements_of(gold, pred)) for cover in (gold, pred)]
    return fari(*sides) if bond == "product" else aci(*sides)


def graded_bcubed(gold: Cover, pred: Cover, dialect: str = "reference") -> PRF:
    sides = [in_equal_parts(cover, elements_of(gold, pred)) for cover in (gold, pred)]
    precision, recall = graded_means(*sides, dialect == "semeval2013")
    return PRF(precision, recall, f_of(precision, recall))
