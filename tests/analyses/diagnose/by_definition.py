"""Losses, clusters and kinds of errors the slow way: sets of elements and fractions, straight from their definitions.

An element e has a weight, and its own P, R and F; clusters of different documents are different clusters. Its loss is,
with f="mean", its share of the weight times 1 - F(e). With f="of-means" 1 - F is divided first between precision and
recall, and then among the elements in proportion to what they lack of them.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from fractions import Fraction
from typing import NamedTuple

ONE, ZERO = Fraction(1), Fraction(0)
Labels = Sequence[Hashable]


class Measure(NamedTuple):
    """BCubed, or with ``alone`` ELM, which leaves the element itself out."""

    alone: bool
    f: str
    w_fp: Fraction
    w_fn: Fraction


class Row(NamedTuple):
    tp: int
    fp: int
    fn: int
    precision: Fraction
    recall: Fraction
    f: Fraction
    loss: Fraction
    merged: Fraction = ZERO  # the part of the loss that comes from strangers
    split: Fraction = ZERO  # and from those that are elsewhere


class Cluster(NamedTuple):
    side: str
    document: Hashable
    name: Hashable
    members: frozenset[int]


def clusters(side: str, labels: Labels, documents: Labels) -> list[Cluster]:
    """In the order of their first elements."""
    keys = list(zip(documents, labels, strict=True))
    return [
        Cluster(side, *key, frozenset(e for e, other in enumerate(keys) if other == key)) for key in dict.fromkeys(keys)
    ]


def holding(partition: list[Cluster], element: int) -> Cluster:
    return next(cluster for cluster in partition if element in cluster.members)


def weights_of(kind: str | Sequence[float] | None, gold: list[Cluster], count: int) -> list[Fraction]:
    """One for each element; they need not add up to 1."""
    if kind is None:
        return [ONE] * count
    if not isinstance(kind, str):
        return [Fraction(weight) for weight in kind]
    sizes = [len(holding(gold, e).members) for e in range(count)]
    if kind == "class":
        return [Fraction(1, size) for size in sizes]
    delta = Fraction(count - 1, count)
    return [(1 - delta) / (1 - delta**size) / size for size in sizes]


def share(part: int, whole: int) -> Fraction:
    return Fraction(part, whole) if whole else ONE


def rows(gold: list[Cluster], pred: list[Cluster], weights: list[Fraction], measure: Measure) -> list[Row]:
    listed, total = [], sum(weights)
    for e in range(len(weights)):
        itself = {e} if measure.alone else set()
        true, predicted = holding(gold, e).members - itself, holding(pred, e).members - itself
        tp, fp, fn = len(true & predicted), len(predicted - true), len(true - predicted)
        counted = tp + measure.w_fp * fp + measure.w_fn * fn
        # where nothing counts, nothing counts as wrong
        f = tp / counted if counted else ONE
        listed.append(Row(tp, fp, fn, share(tp, tp + fp), share(tp, tp + fn), f, ZERO))
    if measure.f == "mean":
        # a false positive is as many equal errors as it weighs, and each of all errors costs the same
        both = [(measure.w_fp * row.fp, measure.w_fn * row.fn) for row in listed]
        losses = [
            [weight / total * (1 - row.f) * wrong / sum(errors) if sum(errors) else ZERO for wrong in errors]
            for weight, row, errors in zip(weights, listed, both, strict=True)
        ]
    else:
        parts = [[weight * (1 - value) for weight, value in zip(weights, values, strict=True)]
                 for values in ([row.precision for row in listed], [row.recall for row in listed])]  # fmt: skip
        due = due_to(1 - sum(parts[0]) / total, 1 - sum(parts[1]) / total, measure)
        losses = [[amount * part[e] / sum(part) if amount else ZERO for amount, part in zip(due, parts, strict=True)]
                  for e in range(len(weights))]  # fmt: skip
    return [
        row._replace(loss=Fraction(sum(loss)), merged=Fraction(loss[0]), split=Fraction(loss[1]))
        for row, loss in zip(listed, losses, strict=True)
    ]


def f_of_means(precision: Fraction, recall: Fraction, measure: Measure) -> Fraction:
    """TP/(TP + w_fp*FP + w_fn*FN) with FP/TP = 1/P - 1 and FN/TP = 1/R - 1; a side without weight has no say."""
    if (measure.w_fp and not precision) or (measure.w_fn and not recall):
        return ZERO
    wrong = sum(
        weight * (1 / value - 1) for weight, value in ((measure.w_fp, precision), (measure.w_fn, recall)) if weight
    )
    return 1 / (1 + Fraction(wrong))


def due_to(precision: Fraction, recall: Fraction, measure: Measure) -> tuple[Fraction, Fraction]:
    """How much of 1 - F is due to precision, and how much to recall."""
    f = f_of_means(precision, recall, measure)
    if f:
        of_precision = f * measure.w_fp * (1 / precision - 1) if measure.w_fp else ZERO
        return of_precision, 1 - f - of_precision
    sinners = measure.w_fp if not precision else ZERO, measure.w_fn if not recall else ZERO
    return sinners[0] / sum(sinners), sinners[1] / sum(sinners)


def kind(gold: Cluster, pred: Cluster) -> str:
    if gold.members == pred.members:
        return "exact"
    if len(gold.members) == 1:
        return "missed singleton"
    if len(pred.members) == 1:
        return "false singleton"
    if pred.members < gold.members:
        return "split"
    return "merge" if gold.members < pred.members else "mixed"


def best_match(cluster: Cluster, others: list[Cluster]) -> Cluster:
    """The largest overlap; of equal ones the smaller cluster, then the first."""
    return min(others, key=lambda other: (-len(cluster.members & other.members), len(other.members)))
