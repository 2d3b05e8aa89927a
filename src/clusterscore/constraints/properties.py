"""The properties of Gösgens et al. 2021: what a measure is good for, found by search among small clusterings."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial
from itertools import product

import numpy as np

from clusterscore.constraints.clusterings import pairs, partitions, shape_of, shapes, steps
from clusterscore.constraints.constraint_type import Check, constraint
from clusterscore.constraints.scored import MOST_IN_DETOURS, Case, CheckedCases, Subject, unchanged
from clusterscore.count.sums import Floats
from clusterscore.distinct import Ints

_GOSGENS = (
    "Gösgens, Tikhonov & Prokhorenkova 2021, Systematic analysis of cluster similarity indices: how to validate "
    "validation measures, ICML, arXiv:1911.04773"
)
_property = partial(constraint, reference=_GOSGENS, least=2, usual=6)


@_property("small")
def maximal_agreement(subject: Subject, n: int) -> Iterator[CheckedCases]:
    """The best score is the same for every gold clustering, and no other prediction has it."""
    scored, count = subject.small(n), len(partitions(n))
    row = np.arange(len(scored.value))
    itself = row // count * count + np.repeat(shapes(n), count)
    own = scored.take(np.unique(itself))
    text = "gold {gold}: gold itself {scores[0]}; gold 1 2: gold itself scores {high}"
    yield unchanged(own, None, (own.value, np.full_like(own.value, _best(subject))), text, nan=False)
    others = row != itself
    yield subject.in_order(scored.take(row[others]), scored.take(itself[others]))


def _best(subject: Subject) -> float:
    """What a gold clustering scores itself: one of two elements together."""
    return float(subject.small(2).value[0])


@_property("small")
def minimal_agreement(subject: Subject, n: int) -> Iterator[CheckedCases]:
    """Of a measure of pairs: the worst score is that of one cluster against single elements, which agree on no pair,
    and of nothing else.
    """
    if not subject.counts_pairs:
        return
    scored, (gold, pred) = subject.small(n), pairs(n)
    opposite = np.abs(gold.max(axis=1) - pred.max(axis=1)) == n - 1  # labels go from 0 to the number of clusters - 1
    worst = np.full_like(scored.value, subject.small(2).value[1])
    broken, tied = subject.compared(worst, scored.value)
    text = "gold {gold}: prediction {worse} {scores[0]}; gold 1 2: prediction 1 | 2 scores {high}"
    broken, tied = np.where(opposite, ~tied, broken), tied & ~opposite
    yield CheckedCases(broken, tied, scored, None, (scored.value, worst), text)


@_property("small")
def symmetry(subject: Subject, n: int) -> Iterator[CheckedCases]:
    """Exchanging gold and prediction changes nothing."""
    there, back = subject.small(n), subject.exchanged(n)
    text = "gold {gold}: prediction {worse} scores {low}, but {high} with the sides exchanged"
    yield unchanged(there, None, (there.value, back.value), text, nan=False)


@_property("small", most=MOST_IN_DETOURS)
def metric(subject: Subject, n: int) -> Iterator[CheckedCases]:
    """The best score minus the score is a distance: 0 for gold alone, the same in both directions, and no longer than
    by way of a third clustering.

    Cases: every prediction of every gold clustering of up to six elements, by way of the nearest third one.
    """
    for checked in maximal_agreement.at(subject, n):
        yield checked._replace(broken=checked.broken | checked.tied, tied=np.zeros_like(checked.tied))
    yield from symmetry.at(subject, n)
    yield subject.detours(n, _best(subject))


def _perfect_steps(*, trivial: bool) -> Check:
    """Every split of a predicted cluster that cuts no gold cluster, and every merge inside one, improve the score."""

    def check(subject: Subject, n: int) -> Iterator[CheckedCases]:
        for split in (True, False):
            worse, better = steps(n, split=split, pure=False)
            shape = worse // len(partitions(n))
            chosen = np.isin(shape, [0, len(shapes(n)) - 1]) == trivial
            yield subject.in_order(subject.small(n).take(worse[chosen]), subject.small(n).take(better[chosen]))

    return check


@_property("growing", small=_perfect_steps(trivial=False))
def monotonicity(largest: int) -> Iterator[Case]:
    """Splitting a predicted cluster without cutting a gold cluster, and merging two inside one gold cluster, both score
    more; gold is neither one cluster nor single elements.

    Cases: every such step between clusterings of few elements; one of nine elements.
    """
    # found by a search beyond the small ones: some measures are wrong there only, such as ami(mean=geometric)
    gold, rest = [0, 1, 2, 3, 4, 3, 0, 5, 6], [0, 1, 0, 2, 0, 0, 2, 3, 0]
    yield Case(gold, rest, [*rest[:6], 4, *rest[7:]], "of nine elements")


@_property("small")
def monotonicity_trivial_gold(subject: Subject, n: int) -> Iterator[CheckedCases]:
    """The same where gold is one cluster, or single elements."""
    yield from _perfect_steps(trivial=True)(subject, n)


def _agreement(subject: Subject, n: int) -> Iterator[CheckedCases]:
    if subject.counts_pairs:
        yield from maximal_agreement.at(subject, n)
        yield from minimal_agreement.at(subject, n)


@_property("counts", small=_agreement)
def strong_monotonicity(subject: Subject) -> Iterator[CheckedCases]:
    """Of a measure of pairs: maximal and minimal agreement; one more pair that both sides agree upon scores more, and
    one more on which they differ scores less.

    Cases: every prediction of every gold clustering of few elements; all pair counts from 0 to 4 where neither side has
    all pairs together or all apart.
    """
    worse, better = _one_more_pair(4)
    low, high = subject.score_counts(worse), subject.score_counts(better)
    if low is not None and high is not None:
        both = zip(worse.tolist(), better.tolist(), strict=True)
        notes = [f"{tuple(fewer)} and the better {tuple(more)}" for fewer, more in both]
        text = "pair counts (N11, N10, N01, N00) = {note} score {low} and {high}"
        numbers = low.value, high.value
        yield CheckedCases(*subject.compared(*numbers), low, high, numbers, text, notes)


@cache
def _one_more_pair(most: int) -> tuple[Ints, Ints]:
    """Worse and better pair counts, which differ in one pair; the smallest come first."""
    counts = np.array(list(product(range(most + 1), repeat=4)))
    both, gold_only, pred_only, neither = counts.T
    ordinary = np.all([both + gold_only, both + pred_only, neither + gold_only, neither + pred_only], axis=0)
    steps = []
    for place, more in enumerate(np.eye(4, dtype=np.int64)):
        agreed = place in (0, 3)
        others = gold_only + pred_only if agreed else both + neither  # without any it is the best, or the worst
        start = counts[ordinary & (others > 0) & (counts[:, place] < most)]
        steps.append([start, start + more] if agreed else [start + more, start])
    worse, better = np.concatenate(steps, axis=1)
    order = np.argsort(worse.sum(axis=1) + better.sum(axis=1), kind="stable")
    return worse[order], better[order]


@_property("small")
def constant_baseline(subject: Subject, n: int) -> Iterator[CheckedCases]:
    """The mean over all predictions with clusters of given sizes is the same for all gold clusterings and all sizes;
    neither side is one cluster or single elements.

    Cases: every gold clustering of few elements with every list of sizes.
    """
    if n > 2:
        gold, sizes = (index.ravel() for index in np.indices([len(shapes(n)) - 2] * 2) + 1)
        mean = _means(subject, n)[gold, sizes]
        expected = np.full_like(mean, _means(subject, 3)[1, 1])
        text = "gold {gold}: predictions of the sizes of {worse} score {low} on average; gold 1 2 | 3, 1 2 | 3: {high}"
        alike = subject.small(n).take(gold * len(partitions(n)) + shapes(n)[sizes])
        yield unchanged(alike, None, (mean, expected), text, nan=False)


def _means(subject: Subject, n: int) -> Floats:
    """The mean score for each shape of gold, over the predictions of each shape."""
    member = np.eye(len(shapes(n)))[shape_of(n)]
    values = subject.small(n).value.reshape(len(shapes(n)), -1)
    return np.asarray(values @ member / member.sum(axis=0))


@_property("counts")
def asymptotic_constant_baseline(subject: Subject) -> Iterator[CheckedCases]:
    """Of a measure of pairs: where being together in gold and in the prediction are independent, the score does not
    depend on how many pairs are together on either side.

    Cases: a million pairs, of which 10% to 90% are together on either side.
    """
    gold, pred = (share.ravel() for share in np.indices((9, 9)) + 1)
    tenths = gold * pred, gold * (10 - pred), (10 - gold) * pred, (10 - gold) * (10 - pred)
    scored = subject.score_counts(10_000 * np.stack(tenths, axis=1))
    if scored is not None:
        notes = [f"{g}0% together in gold, {p}0% in the prediction" for g, p in zip(gold, pred, strict=True)]
        text = "independent pairs, {note}: {low}; 10% on both sides: {high}"
        numbers = scored.value, np.full_like(scored.value, scored.value[0])
        yield unchanged(scored, None, numbers, text, nan=False)._replace(notes=notes)


PROPERTIES = (
    maximal_agreement, minimal_agreement, symmetry, metric, monotonicity, monotonicity_trivial_gold,
    strong_monotonicity, constant_baseline, asymptotic_constant_baseline,
)  # fmt: skip
