"""Every measure computed the slow way, straight from its definition, to check the package against.

Nothing here is shared with the package: no contingency table, no closed form where a loop over elements or
over pairs of elements will do. Counts are sizes of Python sets, numbers are fractions, so results are exact;
only square roots and logarithms are floats. A clustering is a tuple of labels, one per element.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, permutations, product
from itertools import pairwise as pairwise_of
from typing import NamedTuple

Labels = tuple[Hashable, ...]
Cluster = frozenset[int]
Number = Fraction | float
Pair = frozenset[Hashable]

ONE, ZERO, HALF = Fraction(1), Fraction(0), Fraction(1, 2)


class PRF(NamedTuple):
    precision: Fraction
    recall: Fraction
    f: Fraction


def mean(values: Iterable[Fraction], weights: Sequence[Fraction] | None = None) -> Fraction:
    values = list(values)
    weights = weights or [ONE] * len(values)
    return sum((v * w for v, w in zip(values, weights, strict=True)), ZERO) / sum(weights, ZERO)


@lru_cache(maxsize=4096)
def cluster_of(labels: Labels) -> tuple[Cluster, ...]:
    """The cluster (as a set of elements) that each element lies in."""
    members = {label: frozenset(e for e, x in enumerate(labels) if x == label) for label in set(labels)}
    return tuple(members[label] for label in labels)


def identical(gold: Labels, pred: Labels) -> bool:
    return cluster_of(gold) == cluster_of(pred)


def alpha_of(beta: Fraction | int) -> Fraction:
    """The weight of precision that F_beta stands for."""
    return 1 / (1 + Fraction(beta) ** 2)


def f_of(precision: Fraction, recall: Fraction, alpha: Fraction = HALF) -> Fraction:
    """The harmonic mean 1/F = alpha/P + (1-alpha)/R; a side of weight zero has no say, even when it is 0."""
    if alpha in (0, 1):
        return precision if alpha == 1 else recall
    if precision == 0 or recall == 0:
        return ZERO
    return 1 / (alpha / precision + (1 - alpha) / recall)


# BCubed and ELM --------------------------------------------------------------------------------------


class Element(NamedTuple):
    tp: int
    fp: int
    fn: int
    precision: Fraction
    recall: Fraction

    def f(self, w_fp: Fraction, w_fn: Fraction) -> Fraction:
        below = self.tp + w_fp * self.fp + w_fn * self.fn
        if below:
            return self.tp / below
        # Nothing counts here: a weight of zero has silenced the errors, if there were any.
        return self.recall if w_fp == 0 else self.precision


@lru_cache(maxsize=4096)
def elements(gold: Labels, pred: Labels, leave_out: bool) -> tuple[Element, ...]:
    """Each element's own counts; ELM leaves the element itself out, BCubed does not."""
    rows = []
    for e, (true, predicted) in enumerate(zip(cluster_of(gold), cluster_of(pred), strict=True)):
        itself = {e} if leave_out else set()
        true, predicted = true - itself, predicted - itself
        tp = len(true & predicted)
        precision = Fraction(tp, len(predicted)) if predicted else ONE
        recall = Fraction(tp, len(true)) if true else ONE
        rows.append(Element(tp, len(predicted - true), len(true - predicted), precision, recall))
    return tuple(rows)


def element_weights(gold: Labels, weights: str | Sequence[Fraction] | None) -> list[Fraction] | None:
    if weights is None:
        return None
    if weights == "class":
        return [1 / Fraction(len(set(gold)) * len(cluster)) for cluster in cluster_of(gold)]
    if weights == "effective":
        return delta_weights(gold, "auto", "class")
    return [Fraction(w) for w in weights]


def _element_score(
    gold: Labels,
    pred: Labels,
    leave_out: bool,
    f: str = "mean",
    beta: Fraction | int = 1,
    alpha: Fraction | None = None,
    w_fp: Fraction | None = None,
    w_fn: Fraction | None = None,
    weights: str | Sequence[Fraction] | None = None,
    adjusted: bool = False,
) -> PRF:
    rows = elements(gold, pred, leave_out)
    shares = element_weights(gold, weights)
    alpha = alpha_of(beta) if alpha is None else alpha
    precision = mean((row.precision for row in rows), shares)
    recall = mean((row.recall for row in rows), shares)
    w_fp = alpha if w_fp is None else w_fp
    w_fn = 1 - alpha if w_fn is None else w_fn
    if adjusted:
        chance = expected_score(gold, pred, leave_out, (w_fp, w_fn), shares)
        precision, recall = above(precision, chance.precision), above(recall, chance.recall)
        if f == "of-means":
            return PRF(precision, recall, signed_f_of(precision, recall, alpha))
        return PRF(precision, recall, above(mean((row.f(w_fp, w_fn) for row in rows), shares), chance.f))
    if f == "of-means":
        return PRF(precision, recall, f_of(precision, recall, alpha))
    return PRF(precision, recall, mean((row.f(w_fp, w_fn) for row in rows), shares))


def expected_score(
    gold: Labels, pred: Labels, leave_out: bool, balance: tuple[Fraction, Fraction], shares: list[Fraction] | None
) -> PRF:
    """What a random order of the predicted labels gets in the mean: each element in each cluster with every company."""
    return PRF(*(mean(column, shares) for column in zip(*_chances(gold, pred, leave_out, balance), strict=True)))


@lru_cache(maxsize=4096)
def _chances(gold: Labels, pred: Labels, leave_out: bool, balance: tuple[Fraction, Fraction]) -> tuple[PRF, ...]:
    count, itself = len(gold), int(leave_out)
    of_size: dict[int, PRF] = {}
    for a in {len(cluster) for cluster in cluster_of(gold)}:
        sums = [ZERO, ZERO, ZERO]
        for cluster in set(cluster_of(pred)):
            b = len(cluster)
            for right in range(min(a, b)):  # others of its own kind that fall into the same cluster
                ways = math.comb(a - 1, right) * math.comb(count - a, b - 1 - right)
                chance = Fraction(b, count) * Fraction(ways, math.comb(count - 1, b - 1))
                tp, fp, fn = right + 1 - itself, b - 1 - right, a - 1 - right
                precision = Fraction(tp, tp + fp) if tp + fp else ONE
                recall = Fraction(tp, tp + fn) if tp + fn else ONE
                scores = (precision, recall, Element(tp, fp, fn, precision, recall).f(*balance))
                sums = [total + chance * score for total, score in zip(sums, scores, strict=True)]
        of_size[a] = PRF(*sums)
    return tuple(of_size[len(cluster)] for cluster in cluster_of(gold))


def above(score: Fraction, chance: Fraction) -> Fraction:
    """Where chance gets everything right there is no other way to score."""
    return (score - chance) / (1 - chance) if chance != 1 else ONE


def signed_f_of(precision: Fraction, recall: Fraction, alpha: Fraction) -> Fraction:
    """The harmonic mean of numbers of one sign, with that sign."""
    if alpha not in (0, 1) and precision * recall < 0:
        return ZERO
    sign = -1 if min(precision, recall) < 0 else 1
    if alpha in (0, 1):
        return precision if alpha == 1 else recall
    return sign * f_of(abs(precision), abs(recall), alpha)


def bcubed(gold: Labels, pred: Labels, **options: object) -> PRF:
    return _element_score(gold, pred, False, **options)  # type: ignore[arg-type]


def elm(gold: Labels, pred: Labels, **options: object) -> PRF:
    return _element_score(gold, pred, True, **options)  # type: ignore[arg-type]


def adapted_bcubed(
    gold: Labels, pred: Labels, order: int = 3, alpha: Fraction = Fraction(9, 10), recall: str = "power"
) -> PRF:
    plain = bcubed(gold, pred)
    if recall == "power":
        modified = plain.recall ** (order - 1)
    else:
        modified = mean(row.recall ** (order - 1) for row in elements(gold, pred, False))
    return PRF(plain.precision, modified, f_of(plain.precision, modified, alpha))


# alphaMax-BCubed -------------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def super_sets(gold: Labels, pred: Labels) -> tuple[tuple[Cluster, ...], dict[Cluster, Hashable | None]]:
    """The super-set each element lies in, and the majority label of each cluster (None: not unique)."""
    majority: dict[Cluster, Hashable | None] = {}
    for cluster in set(cluster_of(pred)):
        votes = Counter(gold[e] for e in cluster)
        winners = [label for label, n in votes.items() if n == max(votes.values())]
        majority[cluster] = winners[0] if len(winners) == 1 else None
    joined = []
    for own in cluster_of(pred):
        alike = [c for c, label in majority.items() if label is not None and label == majority[own]]
        joined.append(frozenset().union(*alike) if alike else own)
    return tuple(joined), majority


class Mix(NamedTuple):
    """One element's scores before (C) and after (S) the merge, and the ratios that decide how to mix them."""

    p_c: Fraction
    p_s: Fraction
    r_c: Fraction
    r_s: Fraction
    u: Fraction
    v: Fraction
    tied: bool


@lru_cache(maxsize=4096)
def alphamax_elements(gold: Labels, pred: Labels, reading: str) -> tuple[Mix, ...]:
    true, predicted = cluster_of(gold), cluster_of(pred)
    merged, majority = super_sets(gold, pred)

    def of(e: int) -> tuple[Fraction, Fraction, Fraction, Fraction]:
        t, c, s = true[e], predicted[e], merged[e]
        if reading == "marginal":
            return (
                Fraction(sum(len(true[x] & c) for x in c), len(c) ** 2),
                Fraction(sum(len(true[x] & s) for x in s), len(s) ** 2),
                Fraction(sum(len(predicted[x] & t) for x in t), len(t) ** 2),
                Fraction(sum(len(merged[x] & t) for x in t), len(t) ** 2),
            )
        n, w = len(t & c), len(t & s)
        return Fraction(n, len(c)), Fraction(w, len(s)), Fraction(n, len(t)), Fraction(w, len(t))

    rows = []
    for e in range(len(gold)):
        label = majority[predicted[e]]
        tied = reading == "majority" and label is None
        speaker = e if reading != "majority" or tied else next(x for x in predicted[e] if gold[x] == label)
        p_c, p_s, r_c, r_s = of(speaker)
        rows.append(Mix(*of(e), u=p_s / p_c, v=r_c / r_s, tied=tied))
    return tuple(rows)


def delta_weights(gold: Labels, delta: Fraction | str, norm: str) -> list[Fraction]:
    size = [len(cluster) for cluster in cluster_of(gold)]
    d = Fraction(len(gold) - 1, len(gold)) if delta == "auto" else Fraction(delta)
    inverse = {a: (1 - d) / (1 - d**a) for a in size}
    if norm == "element":
        total = sum((inverse[a] for a in size), ZERO)
        return [inverse[a] / total for a in size]
    total = sum((inverse[len(cluster)] for cluster in set(cluster_of(gold))), ZERO)
    return [inverse[a] / total / a for a in size]


class AlphaMax(NamedTuple):
    precision: Fraction
    recall: Fraction
    f: Fraction
    alpha_hat: Fraction
    eta: tuple[Fraction, ...]
    alpha: tuple[Fraction, ...]


def alphamax_bcubed(
    gold: Labels,
    pred: Labels,
    alpha: Fraction | str = "auto",
    delta: Fraction | str | None = None,
    delta_norm: str = "class",
    beta: Fraction | int = 1,
    reading: str = "marginal",
) -> AlphaMax:
    rows = alphamax_elements(gold, pred, reading)
    alphas, etas = [], []
    for row in rows:
        own_alpha = ONE if row.tied else min(row.u, row.v)
        a = own_alpha if alpha == "auto" else Fraction(alpha)
        if row.tied:
            eta = ONE
        elif a == 0:
            eta = ZERO
        else:
            eta = min(row.u, a) / max(row.u, a) * min(row.v, a) / max(row.v, a)
        alphas.append(a)
        etas.append(eta)
    shares = None if delta is None else delta_weights(gold, delta, delta_norm)
    precision = mean((x.p_c + eta * (x.p_s - x.p_c) for x, eta in zip(rows, etas, strict=True)), shares)
    recall = mean((x.r_c + eta * (x.r_s - x.r_c) for x, eta in zip(rows, etas, strict=True)), shares)
    f = f_of(precision, recall, alpha_of(beta))
    return AlphaMax(precision, recall, f, mean(alphas), tuple(etas), tuple(alphas))


# Pairs -----------------------------------------------------------------------------------------------


class Links(NamedTuple):
    """The pairs of one side's elements: those in one cluster, and the others."""

    together: frozenset[Pair]
    apart: frozenset[Pair]


def links_of(clusters: Sequence[Collection[Hashable]]) -> Links:
    together, apart = set(), set()
    for (i, x), (j, y) in combinations([(i, x) for i, c in enumerate(clusters) for x in c], 2):
        (together if i == j else apart).add(frozenset((x, y)))
    return Links(frozenset(together), frozenset(apart))


@lru_cache(maxsize=4096)
def links(labels: Labels) -> Links:
    return links_of(sorted(map(sorted, set(cluster_of(labels)))))


def blanc(gold: Labels, pred: Labels, weight: Fraction = HALF, dialect: str = "reference", **scope: str) -> PRF:
    """``links="document"``: without a link there is nothing to be right about."""
    return _blanc(links(gold), links(pred), scope.get("links") != "document", weight, dialect)


def blanc_of_clusters(
    gold: Sequence[Collection[Hashable]],
    pred: Sequence[Collection[Hashable]],
    weight: Fraction = HALF,
    dialect: str = "reference",
) -> PRF:
    """BLANC where each side may have mentions of its own."""
    same = {x for c in gold for x in c} == {x for c in pred for x in c}
    return _blanc(links_of(gold), links_of(pred), same, weight, dialect)


def _blanc(gold: Links, pred: Links, same_elements: bool, weight: Fraction, dialect: str) -> PRF:
    def side(true: frozenset[Pair], predicted: frozenset[Pair]) -> PRF:
        right = len(true & predicted)
        if not right:
            return PRF(ZERO, ZERO, ZERO)
        return PRF(
            Fraction(right, len(predicted)),
            Fraction(right, len(true)),
            Fraction(2 * right, len(true) + len(predicted)),
        )

    if dialect == "reference":
        has_together, has_apart = bool(gold.together), bool(gold.apart)
    else:
        has_together, has_apart = bool(gold.together | pred.together), bool(gold.apart | pred.apart)
    coreferent, other = side(gold.together, pred.together), side(gold.apart, pred.apart)
    if not has_together and not has_apart:
        # No link to judge by: one mention, right only if the other side is that mention too.
        score = ONE if same_elements else ZERO
        return PRF(score, score, score)
    if not has_apart:
        return coreferent
    if not has_together:
        return other
    return PRF(*(weight * c + (1 - weight) * n for c, n in zip(coreferent, other, strict=True)))


def _share(part: int, whole: int) -> Fraction:
    return Fraction(part, whole) if whole else ONE


def chance_of_pairs(gold: Labels, pred: Labels) -> Fraction:
    """How many gold pairs a random order of the predicted labels puts together, in the mean.

    Each pair lies in a predicted cluster if its first element does, and then its second among the others.
    """
    count = len(gold)
    inside = sum(Fraction(b, count) * Fraction(b - 1, count - 1) for b in map(len, set(cluster_of(pred))) if b > 1)
    return sum((inside for _ in links(gold).together), ZERO)


def with_self(labels: Labels) -> frozenset[Pair]:
    """The pairs of one side, where an element that is alone is a pair with itself."""
    return links(labels).together | {cluster for cluster in cluster_of(labels) if len(cluster) == 1}


def pairwise(
    gold: Labels, pred: Labels, beta: Fraction | int = 1, adjusted: bool = False, pairs: str = "different"
) -> PRF:
    true, predicted = links(gold).together, links(pred).together
    if pairs == "self":
        true, predicted = with_self(gold), with_self(pred)
    if adjusted:
        plain, expected = pairwise(gold, pred), chance_of_pairs(gold, pred)
        precision = above(plain.precision, expected / len(predicted) if predicted else ONE)
        recall = above(plain.recall, expected / len(true) if true else ONE)
        return PRF(precision, recall, signed_f_of(precision, recall, alpha_of(beta)))
    right, wrong, missed = len(true & predicted), len(predicted - true), len(true - predicted)
    alpha = alpha_of(beta)
    # No pair on either side is a perfect score; no pair on one side only leaves the other to be missed.
    below = right + alpha * wrong + (1 - alpha) * missed
    return PRF(_share(right, len(predicted)), _share(right, len(true)), right / below if below else ONE)


def rand(gold: Labels, pred: Labels, adjusted: bool = False) -> Fraction:
    true, predicted = links(gold), links(pred)
    right = len(true.together & predicted.together) + len(true.apart & predicted.apart)
    pairs = len(true.together) + len(true.apart)
    if adjusted and pairs:
        # a gold pair that is put together is one right pair more, and one wrong pair less
        together = chance_of_pairs(gold, pred)
        apart = pairs - len(true.together) - (len(predicted.together) - together)
        return above(Fraction(right, pairs), (together + apart) / pairs)
    return _share(right, pairs)


def adjusted_rand(gold: Labels, pred: Labels, weights: str | None = None, model: str = "perm") -> Fraction:
    if identical(gold, pred):
        return ONE
    if weights == "class":
        return _class_weighed_rand(gold, pred)
    if model != "perm":
        true = len(links(gold).together)
        pairs = math.comb(len(gold), 2)
        random = _together_by_chance(len(gold), len(set(pred)) if model == "num" else None)
        expected = (true * random + (pairs - true) * (1 - random)) / pairs
        return above(rand(gold, pred), expected) if expected != 1 else ZERO
    true, predicted = links(gold), links(pred)
    pairs = len(true.together) + len(true.apart)
    expected = Fraction(len(true.together) * len(predicted.together), pairs)
    most = Fraction(len(true.together) + len(predicted.together), 2)
    return (len(true.together & predicted.together) - expected) / (most - expected)


@lru_cache(maxsize=4096)
def _clusterings(elements: int, clusters: int) -> int:
    """How many ways there are to put so many elements into so many clusters: the last one is alone, or joins one."""
    if elements == 0 or clusters == 0:
        return int(elements == clusters)
    return _clusterings(elements - 1, clusters - 1) + clusters * _clusterings(elements - 1, clusters)


def _together_by_chance(elements: int, clusters: int | None) -> Fraction:
    """The share of clusterings in which two elements are together: those of all others, which they join as one."""
    numbers = range(elements + 1) if clusters is None else [clusters]
    joined, every = (sum(_clusterings(n, k) for k in numbers) for n in (elements - 1, elements))
    return Fraction(joined, every)


def _class_weighed_rand(gold: Labels, pred: Labels) -> Fraction:
    weight = [Fraction(1, len(cluster)) for cluster in cluster_of(gold)]
    right = true = predicted = every = ZERO
    for e, other in combinations(range(len(gold)), 2):
        pair = weight[e] * weight[other]
        every += pair
        true += pair * (gold[e] == gold[other])
        predicted += pair * (pred[e] == pred[other])
        right += pair * (gold[e] == gold[other] and pred[e] == pred[other])
    expected = true * predicted / every
    most = (true + predicted) / 2
    return (right - expected) / (most - expected) if most != expected else ZERO


def standardized_rand(gold: Labels, pred: Labels) -> float:
    """The variance by all pairs of ordered pairs: whether two pairs are both together depends on what they share."""

    def shares(labels: Labels) -> tuple[list[Fraction], list[int]]:
        together, every = [0, 0, 0], [0, 0, 0]
        for first in permutations(range(len(labels)), 2):
            for second in permutations(range(len(labels)), 2):
                common = len({*first} & {*second})
                every[common] += 1
                together[common] += len({labels[e] for e in first}) == len({labels[e] for e in second}) == 1
        return [Fraction(t, n) if n else ZERO for t, n in zip(together, every, strict=True)], together

    true, predicted = links(gold), links(pred)
    pairs = math.comb(len(gold), 2)
    if not pairs:
        return 0.0
    right = 2 * len(true.together & predicted.together)
    expected = Fraction(2 * len(true.together) * len(predicted.together), pairs)
    square = sum((n * share for n, share in zip(shares(gold)[1], shares(pred)[0], strict=True)), ZERO)
    variance = square - expected**2
    return float(right - expected) / math.sqrt(variance) if variance else 0.0


def jaccard(gold: Labels, pred: Labels) -> Fraction:
    true, predicted = links(gold).together, links(pred).together
    return _share(len(true & predicted), len(true | predicted))


def fowlkes_mallows(gold: Labels, pred: Labels, adjusted: bool = False) -> float:
    score = pairwise(gold, pred)
    value = math.sqrt(score.precision * score.recall)
    true, predicted = links(gold).together, links(pred).together
    if not adjusted or identical(gold, pred) or not true or not predicted:
        return value
    expected = float(chance_of_pairs(gold, pred)) / math.sqrt(len(true) * len(predicted))
    return (value - expected) / (1 - expected)


class Confusion(NamedTuple):
    """Pairs by whether they are together (a positive) in gold and in the prediction."""

    tp: int
    tn: int
    fp: int
    fn: int


def confusion(gold: Labels, pred: Labels) -> Confusion:
    true, predicted = links(gold), links(pred)
    return Confusion(
        len(true.together & predicted.together),
        len(true.apart & predicted.apart),
        len(true.apart & predicted.together),
        len(true.together & predicted.apart),
    )


def specificity(gold: Labels, pred: Labels) -> Fraction:
    pair = confusion(gold, pred)
    return _share(pair.tn, pair.tn + pair.fp)


def npv(gold: Labels, pred: Labels) -> Fraction:
    pair = confusion(gold, pred)
    return _share(pair.tn, pair.tn + pair.fn)


def p4(gold: Labels, pred: Labels) -> Fraction:
    """The harmonic mean of four shares; without right pairs of one kind it is 0, unless nothing is wrong."""
    pair = confusion(gold, pred)
    if identical(gold, pred):
        return ONE
    if not pair.tp or not pair.tn:
        return ZERO
    shares = [*pairwise(gold, pred)[:2], specificity(gold, pred), npv(gold, pred)]
    return 4 / sum((1 / share for share in shares), ZERO)


def phi(gold: Labels, pred: Labels, empty: str = "1") -> float:
    """The correlation of two columns, a row for each pair: together in gold, together in the prediction."""
    tp, tn, fp, fn = confusion(gold, pred)
    if identical(gold, pred):
        return 1.0 if tp and tn else float(empty)
    rows = [(1, 1)] * tp + [(0, 0)] * tn + [(0, 1)] * fp + [(1, 0)] * fn
    gold_mean, pred_mean = (mean(map(Fraction, column)) for column in zip(*rows, strict=True))
    covariance = mean((x - gold_mean) * (y - pred_mean) for x, y in rows)
    spread = gold_mean * (1 - gold_mean) * pred_mean * (1 - pred_mean)
    return float(covariance) / math.sqrt(spread) if spread else 0.0


def correlation(gold: Labels, pred: Labels) -> float:
    return -1.0 if _disagree_on_all(gold, pred) else phi(gold, pred)


def _disagree_on_all(gold: Labels, pred: Labels) -> bool:
    pair = confusion(gold, pred)
    return pair.tp + pair.tn == 0 < pair.fp + pair.fn


def correlation_distance(gold: Labels, pred: Labels) -> float:
    return math.acos(min(1.0, correlation(gold, pred))) / math.pi


def sokal_sneath(gold: Labels, pred: Labels) -> Fraction:
    tp, tn, fp, fn = confusion(gold, pred)
    if identical(gold, pred):
        return ONE
    if not (tp + fn and tp + fp and tn + fp and tn + fn):
        return ZERO if _disagree_on_all(gold, pred) else HALF
    return mean([Fraction(tp, tp + fn), Fraction(tp, tp + fp), Fraction(tn, tn + fp), Fraction(tn, tn + fn)])


def goodman_kruskal_tau(gold: Labels, pred: Labels) -> PRF:
    """How much better a label is guessed at random among those with the same label on the other side."""

    def tau(known: Labels, guessed: Labels) -> Fraction:
        alike = cluster_of(guessed)
        informed = mean([Fraction(len(alike[k] & same), len(same)) for k, same in enumerate(cluster_of(known))])
        blind = mean([Fraction(len(cluster), len(guessed)) for cluster in alike])
        return (informed - blind) / (1 - blind) if blind < 1 else ONE

    precision, recall = tau(pred, gold), tau(gold, pred)
    return PRF(precision, recall, f_of(precision, recall, HALF))


# Sets ------------------------------------------------------------------------------------------------


def purity(gold: Labels, pred: Labels) -> Fraction:
    """Each predicted cluster is labelled by its most frequent gold cluster; the share labelled right."""
    return Fraction(sum(max(len(c & t) for t in cluster_of(gold)) for c in set(cluster_of(pred))), len(gold))


def inverse_purity(gold: Labels, pred: Labels) -> Fraction:
    return purity(pred, gold)


def purity_f(gold: Labels, pred: Labels, beta: Fraction | int = 1) -> PRF:
    precision, recall = purity(gold, pred), inverse_purity(gold, pred)
    return PRF(precision, recall, f_of(precision, recall, alpha_of(beta)))


def f_measure(gold: Labels, pred: Labels) -> Fraction:
    """Van Rijsbergen: every gold cluster takes its best F; averaged over elements, so weighted by size."""
    return mean(max(Fraction(2 * len(t & c), len(t) + len(c)) for c in cluster_of(pred)) for t in cluster_of(gold))


def set_matching(gold: Labels, pred: Labels, mean: str = "elements") -> Fraction:
    """The best one-to-one alignment, found by trying every one that aligns only clusters that meet.

    The mean over classes is that of the best alignment, or of all that are as good, the highest.
    """
    rows = list(set(cluster_of(gold)))
    best = max(
        (sum(len(t & c) for t, c in pairing), sum((Fraction(len(t & c), len(t)) for t, c in pairing), Fraction(0)))
        for pairing in _pairings(rows, frozenset(cluster_of(pred)))
    )
    return best[1] / len(rows) if mean == "classes" else Fraction(best[0], len(gold))


def _pairings(rows: Sequence[Cluster], columns: frozenset[Cluster]) -> Iterator[tuple[tuple[Cluster, Cluster], ...]]:
    """All ways to pair clusters that meet, each with one at most."""
    if not rows:
        yield ()
        return
    yield from _pairings(rows[1:], columns)
    for c in columns:
        if rows[0] & c:
            yield from (((rows[0], c), *rest) for rest in _pairings(rows[1:], columns - {c}))


def _best_pairing(gold: Labels, pred: Labels, alike: Callable[[Cluster, Cluster], Fraction]) -> Fraction:
    pairings = _pairings(list(set(cluster_of(gold))), frozenset(cluster_of(pred)))
    return max(sum((alike(t, c) for t, c in pairing), Fraction(0)) for pairing in pairings)


# Clusters that match -----------------------------------------------------------------------------------


def _jaccard_of(t: Cluster, c: Cluster) -> Fraction:
    return Fraction(len(t & c), len(t | c))


def cluster_match(gold: Labels, pred: Labels, rule: str = "exact", threshold: Fraction | None = None) -> PRF:
    rules: dict[str, Callable[[Cluster, Cluster], bool]] = {
        "exact": lambda t, c: t == c,
        "iou": lambda t, c: _jaccard_of(t, c) > (threshold or HALF),
        "majority": lambda t, c: 2 * len(t & c) > len(t) and 2 * len(t & c) > len(c),
        "share": lambda t, c: Fraction(len(t & c), len(c)) >= (threshold or Fraction(3, 4)),
    }
    of_gold, of_pred = set(cluster_of(gold)), set(cluster_of(pred))
    precision = mean(Fraction(any(rules[rule](t, c) for t in of_gold)) for c in of_pred)
    recall = mean(Fraction(any(rules[rule](t, c) for c in of_pred)) for t in of_gold)
    return PRF(precision, recall, f_of(precision, recall))


def grouping_accuracy(gold: Labels, pred: Labels) -> Fraction:
    right = [t for t in set(cluster_of(gold)) if t in cluster_of(pred)]
    return Fraction(sum(map(len, right)), len(gold))


def matching_ratio(gold: Labels, pred: Labels) -> Fraction:
    alike = _best_pairing(gold, pred, lambda t, c: Fraction(len(t & c) ** 2, len(t) * len(c)))
    return alike / len(set(gold))


def jaccard_error_rate(gold: Labels, pred: Labels) -> Fraction:
    return 1 - _best_pairing(gold, pred, _jaccard_of) / len(set(gold))


def centroid_index(gold: Labels, pred: Labels) -> Fraction:
    return Fraction(max(_without_pointer(gold, pred), _without_pointer(pred, gold)))


def _without_pointer(labels: Labels, other: Labels) -> int:
    """How many clusters none of the other side points to, of all ways to choose among the closest."""
    clusters = set(cluster_of(labels))
    closest = []
    for c in set(cluster_of(other)):
        best = max(_jaccard_of(t, c) for t in clusters)
        closest.append([t for t in clusters if _jaccard_of(t, c) == best])
    return min(len(clusters - set(chosen)) for chosen in product(*closest))


def panoptic(gold: Labels, pred: Labels) -> PRF:
    """As its paper counts: true positives, false positives (unmatched segments) and false negatives."""
    of_gold, of_pred = set(cluster_of(gold)), set(cluster_of(pred))
    matched = [(t, c) for t in of_gold for c in of_pred if _jaccard_of(t, c) > HALF]
    tp, fp, fn = len(matched), len(of_pred - {c for _, c in matched}), len(of_gold - {t for t, _ in matched})
    quality = sum((_jaccard_of(t, c) for t, c in matched), Fraction(0))
    return PRF(Fraction(tp, tp + fp), Fraction(tp, tp + fn), quality / (tp + HALF * fp + HALF * fn))


def perfect_documents(gold: Labels, pred: Labels) -> Fraction:
    """Of one document, in which every two elements are together on both sides or on neither."""
    return Fraction(links(gold) == links(pred))


def _segment_of(labels: Labels) -> list[int]:
    """The number of the segment of every element: a run of equal labels is one."""
    numbers = [0]
    for before, label in pairwise_of(labels):
        numbers.append(numbers[-1] + (label != before))
    return numbers


def boundaries(gold: Labels, pred: Labels, beta: Fraction | int = 1, runs: object = True, first: str = "out") -> PRF:
    """P, R and F of the positions before which one cuts."""
    of_gold, of_pred = ({e for e in range(1, len(s)) if s[e] != s[e - 1]} for s in map(_segment_of, (gold, pred)))
    if first == "counted":
        of_gold, of_pred = of_gold | {0}, of_pred | {0}
    both = len(of_gold & of_pred)
    precision = Fraction(both, len(of_pred)) if of_pred else ONE
    recall = Fraction(both, len(of_gold)) if of_gold else ONE
    return PRF(precision, recall, f_of(precision, recall, alpha_of(beta)))


def _of_strings(gold: Labels, pred: Labels, k: int | None, dialect: str) -> tuple[str, str, int]:
    """Segmentations as nltk takes them, and its k."""
    gaps = ["".join("01"[b > a] for a, b in pairwise_of(_segment_of(side))) for side in (gold, pred)]
    ours, theirs = gaps if dialect == "nltk-gaps" else (f"1{gap}" for gap in gaps)
    return ours, theirs, round(len(ours) / (max(ours.count("1"), 1) * 2.0)) if k is None else k


def _width(gold: Labels) -> int:
    """Half the mean length of a segment, at least 2."""
    return max(2, round(Fraction(len(gold), 2 * (_segment_of(gold)[-1] + 1))))


def pk(gold: Labels, pred: Labels, k: int | None = None, dialect: str = "segeval", runs: object = True) -> Fraction:
    if dialect == "segeval":
        k = k or _width(gold)
        sides = _segment_of(gold), _segment_of(pred)
        wrong = [len({side[e] == side[e + k] for side in sides}) > 1 for e in range(len(gold) - k)]
    else:
        ours, theirs, k = _of_strings(gold, pred, k, dialect)
        wrong = [("1" in ours[e : e + k]) != ("1" in theirs[e : e + k]) for e in range(len(ours) - k + 1)]
    return Fraction(sum(wrong), len(wrong)) if wrong else ZERO


def window_diff(
    gold: Labels,
    pred: Labels,
    k: int | None = None,
    dialect: str = "segeval",
    weighted: bool = False,
    padded: bool = False,
    runs: object = True,
) -> Fraction:
    if dialect == "segeval":
        k = k or _width(gold)
        left, right = (
            [-1] * k * padded + _segment_of(side) + [_segment_of(side)[-1] + 1] * k * padded for side in (gold, pred)
        )
        off = [abs((left[e + k] - left[e]) - (right[e + k] - right[e])) for e in range(len(left) - k)]
    else:
        ours, theirs, k = _of_strings(gold, pred, k, dialect)
        off = [abs(ours[e : e + k].count("1") - theirs[e : e + k].count("1")) for e in range(len(ours) - k + 1)]
    wrong = off if weighted else [min(number, 1) for number in off]
    return Fraction(sum(wrong), len(wrong)) if wrong else ZERO


def closest_cluster(gold: Labels, pred: Labels) -> PRF:
    of_gold, of_pred = set(cluster_of(gold)), set(cluster_of(pred))
    precision = mean(max(_jaccard_of(t, c) for t in of_gold) for c in of_pred)
    recall = mean(max(_jaccard_of(t, c) for c in of_pred) for t in of_gold)
    return PRF(precision, recall, f_of(precision, recall))


def k_measure(gold: Labels, pred: Labels) -> tuple[Fraction, Fraction, float]:
    precision, recall, _ = bcubed(gold, pred)
    return precision, recall, math.sqrt(precision * recall)


def _meetings(gold: Labels, pred: Labels) -> tuple[int, int, int]:
    return len(set(zip(gold, pred, strict=True))), len(set(gold)), len(set(pred))


def talburt_wang(gold: Labels, pred: Labels) -> float:
    cells, of_gold, of_pred = _meetings(gold, pred)
    return math.sqrt(of_gold * of_pred) / cells


def normalized_clustering_accuracy(gold: Labels, pred: Labels) -> Fraction:
    k = len(set(gold))
    if k == 1:
        return Fraction(len(set(pred)) == 1)
    # the mean over gold clusters of how far each is above 1/k
    matched = _best_pairing(gold, pred, lambda t, c: Fraction(len(t & c), len(t)))
    return (matched / k - Fraction(1, k)) / (1 - Fraction(1, k))


def normalized_pivoted_accuracy(gold: Labels, pred: Labels) -> Fraction:
    k = max(len(set(gold)), len(set(pred)))
    return (set_matching(gold, pred) - Fraction(1, k)) / (1 - Fraction(1, k)) if k > 1 else Fraction(1)


def pair_sets_index(gold: Labels, pred: Labels, simplified: bool = False) -> Fraction:
    sides = [sorted(map(len, set(cluster_of(labels))), reverse=True) for labels in (gold, pred)]
    most = max(map(len, sides))
    if most == 1:
        return Fraction(1)
    matched = _best_pairing(gold, pred, lambda t, c: Fraction(len(t & c), max(len(t), len(c))))
    chance = sum((Fraction(a * b, len(gold) * max(a, b)) for a, b in zip(*sides, strict=False)), Fraction(0))
    if simplified:
        chance = Fraction(1)
    return Fraction(1) if chance == most else max(Fraction(0), (matched - chance) / (most - chance))


# Distances -----------------------------------------------------------------------------------------------


def split_join(gold: Labels, pred: Labels, normalized: bool = False) -> Fraction:
    """The elements of every cluster outside its largest part, on both sides."""
    moved = sum(
        len(cluster) - max(len(cluster & other) for other in cluster_of(others))
        for labels, others in ((gold, pred), (pred, gold))
        for cluster in set(cluster_of(labels))
    )
    return Fraction(moved, 2 * len(gold) if normalized else 1)


def merge_distance(gold: Labels, pred: Labels) -> Fraction:
    """Every predicted cluster is split into the parts it has, then the parts of a gold cluster are merged."""
    splits = sum(len({gold[k] for k in cluster}) - 1 for cluster in set(cluster_of(pred)))
    merges = sum(len({pred[k] for k in cluster}) - 1 for cluster in set(cluster_of(gold)))
    return Fraction(splits + merges)


def transfer_distance(gold: Labels, pred: Labels, normalized: bool = False) -> Fraction:
    kept = _best_pairing(gold, pred, lambda t, c: Fraction(len(t & c)))
    return (len(gold) - kept) / (len(gold) if normalized else 1)


def mirkin(gold: Labels, pred: Labels, normalized: bool = False) -> Fraction:
    """Ordered pairs of elements that are together on one side only."""
    apart = sum((g == h) != (p == q) for g, p in zip(gold, pred, strict=True) for h, q in zip(gold, pred, strict=True))
    return Fraction(apart, len(gold) ** 2 if normalized else 1)


# Information, in nats: every entropy is the mean surprise over elements ------------------------------


def _surprise(sizes: Iterable[Fraction]) -> float:
    terms = [-math.log(p) for p in sizes]
    return math.fsum(terms) / len(terms)


def entropy(labels: Labels) -> float:
    return _surprise(Fraction(len(c), len(labels)) for c in cluster_of(labels))


def conditional_entropy(labels: Labels, given: Labels) -> float:
    pairs = zip(cluster_of(labels), cluster_of(given), strict=True)
    return _surprise(Fraction(len(c & g), len(g)) for c, g in pairs)


def mutual_information(gold: Labels, pred: Labels, base: float = math.e) -> float:
    pairs = zip(cluster_of(gold), cluster_of(pred), strict=True)
    return -_surprise(Fraction(len(gold) * len(t & c), len(t) * len(c)) for t, c in pairs) / math.log(base)


def variation_of_information(gold: Labels, pred: Labels, normalized: str | None = None, base: float = math.e) -> float:
    apart = conditional_entropy(gold, pred) + conditional_entropy(pred, gold)
    scales = {None: math.log(base), "log": math.log(len(gold)), "joint": entropy(tuple(zip(gold, pred, strict=True)))}
    return 0.0 if identical(gold, pred) else apart / scales[normalized]


def _class_entropy(gold: Labels, labels: Labels, given: Labels) -> float:
    """The mean surprise over elements, of which those of each gold cluster weigh as much as those of another."""
    weight = [Fraction(1, len(cluster)) for cluster in cluster_of(gold)]

    def heavy(elements: Iterable[int]) -> Fraction:
        return sum((weight[e] for e in elements), ZERO)

    pairs = zip(weight, cluster_of(labels), cluster_of(given), strict=True)
    terms = [-float(own) * math.log(heavy(c & g) / heavy(g)) for own, c, g in pairs]
    return math.fsum(terms) / len(set(gold))


def homogeneity(gold: Labels, pred: Labels, weights: str | None = None) -> float:
    if weights == "class" and len(set(gold)) > 1:
        return 1 - _class_entropy(gold, gold, pred) / math.log(len(set(gold)))
    return 1 - conditional_entropy(gold, pred) / entropy(gold) if len(set(gold)) > 1 else 1.0


def completeness(gold: Labels, pred: Labels, weights: str | None = None) -> float:
    if weights == "class" and len(set(pred)) > 1:
        return 1 - _class_entropy(gold, pred, gold) / _class_entropy(gold, pred, (0,) * len(gold))
    return homogeneity(pred, gold)


def v_measure(gold: Labels, pred: Labels, beta: float = 1.0, weights: str | None = None) -> float:
    h, c = homogeneity(gold, pred, weights), completeness(gold, pred, weights)
    return (1 + beta) * h * c / (beta * h + c) if beta * h + c else 0.0


def _ways(x: int, t: float) -> float:
    """log of the binomial coefficient (x+t-1 over x), t a real number."""
    return math.fsum(math.log((t + k) / (k + 1)) for k in range(x))


@lru_cache(maxsize=1 << 16)
def _transmission(labels: Labels, given: Labels) -> float:
    """The cost of labels where ``given`` is known: of the table, at the best alpha, and of the order inside it."""
    clusters, columns = set(cluster_of(labels)), set(cluster_of(given))
    number = len(clusters)
    cells = [len(t & c) for t in clusters for c in columns if t & c]
    inside = math.fsum(math.lgamma(len(c) + 1) for c in columns) - math.fsum(math.lgamma(n + 1) for n in cells)

    def table(log_alpha: float) -> float:
        alpha = math.exp(log_alpha)
        return math.fsum(_ways(len(c), number * alpha) for c in columns) - math.fsum(_ways(n, alpha) for n in cells)

    costs = [len(labels) * math.log(number) - inside]  # alpha is infinite
    if len(cells) == len(columns):  # alpha is 0
        costs.append(len(columns) * math.log(number))
    grid = [table(point / 2) for point in range(-24, 25)]
    for k in range(1, len(grid) - 1):
        if grid[k - 1] >= grid[k] <= grid[k + 1]:
            low, high = (k - 25) / 2, (k - 23) / 2
            for _ in range(45):
                third = (high - low) / 3
                low, high = (low, high - third) if table(low + third) < table(high - third) else (low + third, high)
            costs.append(table((low + high) / 2))
    return min(costs) + inside


def reduced_mi(gold: Labels, pred: Labels, normalization: str | None = "gold") -> float:
    nothing = (0,) * len(gold)

    def saved(labels: Labels, given: Labels) -> float:
        return _transmission(labels, nothing) - _transmission(labels, given)

    if normalization is None:
        return saved(gold, pred) / len(gold)
    if identical(gold, pred):
        return 1.0
    if normalization == "gold":
        top, bottom = saved(gold, pred), saved(gold, gold)
    else:
        top, bottom = saved(gold, pred) + saved(pred, gold), saved(gold, gold) + saved(pred, pred)
    return top / bottom if bottom > 1e-12 else 0.0


AVERAGES: dict[str, Callable[[float, float], float]] = {
    "arithmetic": lambda x, y: (x + y) / 2,
    "geometric": lambda x, y: math.sqrt(x * y),
    "min": min,
    "max": max,
}


def nmi(gold: Labels, pred: Labels, mean: str = "arithmetic") -> float:
    if identical(gold, pred):
        return 1.0
    information = mutual_information(gold, pred)
    return information / AVERAGES[mean](entropy(gold), entropy(pred)) if information else 0.0


@lru_cache(maxsize=4096)
def _expected_cell(n: int, a: int, b: int) -> float:
    """E[n_ij/N * log(N n_ij / (a b))] for clusters of a and b among n elements placed at random."""
    terms = []
    for k in range(max(1, a + b - n), min(a, b) + 1):
        chance = Fraction(math.comb(b, k) * math.comb(n - b, a - k), math.comb(n, a))
        terms.append(float(chance * k / n) * math.log(Fraction(n * k, a * b)))
    return math.fsum(terms)


def expected_mutual_information(gold: Labels, pred: Labels) -> float:
    """Over all ways to deal the predicted labels to the elements (hypergeometric cells, exact chances)."""
    true, predicted = set(cluster_of(gold)), set(cluster_of(pred))
    return math.fsum(_expected_cell(len(gold), len(t), len(c)) for t in true for c in predicted)


def ami(gold: Labels, pred: Labels, mean: str = "arithmetic") -> float:
    if identical(gold, pred):
        return 1.0
    expected = expected_mutual_information(gold, pred)
    most = AVERAGES[mean](entropy(gold), entropy(pred))
    if math.isclose(most, expected, abs_tol=1e-13):  # whatever the prediction, it has the information of chance
        return 0.0
    return (mutual_information(gold, pred) - expected) / (most - expected)


# Coreference: documents of entities; a mention may be on one side only ---------------------------------------

Entities = Sequence[Collection[Hashable]]
Documents = Sequence[tuple[Entities, Entities]]


class Tally(NamedTuple):
    """Numerators and denominators, added up over documents before anything is divided."""

    recall_numerator: Fraction
    recall_denominator: Fraction
    precision_numerator: Fraction
    precision_denominator: Fraction

    def score(self) -> PRF:
        def share(part: Fraction, whole: Fraction) -> Fraction:
            return part / whole if whole else ZERO

        precision = share(self.precision_numerator, self.precision_denominator)
        recall = share(self.recall_numerator, self.recall_denominator)
        return PRF(precision, recall, f_of(precision, recall))


def _whole(mention: Hashable, entities: Entities) -> frozenset[Hashable]:
    """The entity that holds a mention; nothing, if none does."""
    return next((frozenset(entity) for entity in entities if mention in entity), frozenset())


def _muc_side(of: Entities, against: Entities) -> tuple[Fraction, Fraction]:
    """Vilain: an entity falls into parts on the other side, unknown mentions each apart; links that survive."""
    survived = whole = 0
    for entity in of:
        parts = {_whole(m, against) & frozenset(entity) or frozenset([m]) for m in entity}
        survived += len(entity) - len(parts)
        whole += len(entity) - 1
    return Fraction(survived), Fraction(whole)


def _b3_side(of: Entities, against: Entities) -> tuple[Fraction, Fraction]:
    shares = [Fraction(len(_whole(m, against) & frozenset(entity)), len(entity)) for entity in of for m in entity
              if _whole(m, against)]  # fmt: skip
    return sum(shares, ZERO), Fraction(sum(map(len, of)))


def _aligned(of: Entities, against: Entities, alike: Callable[[frozenset, frozenset], Fraction]) -> Fraction:
    """The best of all one-to-one alignments of entities that meet."""
    rows, columns = [frozenset(e) for e in of], frozenset(frozenset(e) for e in against)

    def best(i: int, free: frozenset[frozenset]) -> Fraction:
        if i == len(rows):
            return ZERO
        choices = [alike(rows[i], c) + best(i + 1, free - {c}) for c in free if rows[i] & c]
        return max([best(i + 1, free), *choices])

    return best(0, columns)


def _ceafm_side(of: Entities, against: Entities) -> tuple[Fraction, Fraction]:
    return _aligned(of, against, lambda x, y: Fraction(len(x & y))), Fraction(sum(map(len, of)))


def _ceafe_side(of: Entities, against: Entities) -> tuple[Fraction, Fraction]:
    return _aligned(of, against, lambda x, y: Fraction(2 * len(x & y), len(x) + len(y))), Fraction(len(of))


def _lea_side(of: Entities, against: Entities) -> tuple[Fraction, Fraction]:
    """Each entity's share of links that lie in one entity of the other side, times its size."""
    credit = ZERO
    for entity in map(sorted, of):
        if len(entity) == 1:
            credit += _whole(entity[0], against) == frozenset(entity)
        else:
            pairs = list(combinations(entity, 2))
            credit += len(entity) * Fraction(sum(y in _whole(x, against) for x, y in pairs), len(pairs))
    return credit, Fraction(sum(map(len, of)))


def _mentions_side(of: Entities, against: Entities) -> tuple[Fraction, Fraction]:
    every = [m for entity in of for m in entity]
    return Fraction(sum(bool(_whole(m, against)) for m in every)), Fraction(len(every))


SIDES: dict[str, Callable[[Entities, Entities], tuple[Fraction, Fraction]]] = {
    "muc": _muc_side, "b3": _b3_side, "ceafm": _ceafm_side, "ceafe": _ceafe_side, "lea": _lea_side,
    "mentions": _mentions_side,
}  # fmt: skip


def tally(name: str, documents: Documents) -> Tally:
    sums = [ZERO] * 4
    for gold, pred in documents:
        numbers = (*SIDES[name](gold, pred), *SIDES[name](pred, gold))
        sums = [x + y for x, y in zip(sums, numbers, strict=True)]
    return Tally(*sums)


def conll_of_documents(documents: Documents) -> Fraction:
    return mean(tally(name, documents).score().f for name in ("muc", "b3", "ceafe"))


def blanc_of_documents(documents: Documents, weight: Fraction = HALF, dialect: str = "reference") -> PRF:
    """BLANC of the links inside documents."""

    def inside(side: int) -> Links:
        together, apart = set(), set()
        for k, document in enumerate(documents):
            linked = links_of([[(k, m) for m in entity] for entity in document[side]])
            together |= linked.together
            apart |= linked.apart
        return Links(frozenset(together), frozenset(apart))

    return _blanc(inside(0), inside(1), False, weight, dialect)


def entities_of(labels: Labels) -> list[list[int]]:
    return sorted(map(sorted, set(cluster_of(labels))))


def _of_labels(name: str) -> Callable[[Labels, Labels], PRF]:
    return lambda gold, pred: tally(name, [(entities_of(gold), entities_of(pred))]).score()


muc, b3, ceafm, ceafe, lea, mentions = map(_of_labels, ("muc", "b3", "ceafm", "ceafe", "lea", "mentions"))


def conll(gold: Labels, pred: Labels) -> Fraction:
    return conll_of_documents([(entities_of(gold), entities_of(pred))])
