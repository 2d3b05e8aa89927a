"""Laws: what any measure of clusterings should keep to, whatever it prefers."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from clusterscore.constraints.findings import Findings, Scope, enough_digits, same
from clusterscore.constraints.judge import NEAR, Answers, Batch, Judge, every_pair
from clusterscore.constraints.partitions import partitions, position, shapes
from clusterscore.constraints.verdict import Counterexample, clusters, written
from clusterscore.count.sums import Floats
from clusterscore.distinct import Array, Ints


def zero_score(judge: Judge, scope: Scope) -> Iterator[Findings]:
    """For every gold there is a prediction that scores 0; one element alone has only one prediction."""
    if scope.paper or judge.smaller_is_better:
        return
    for n in range(2, scope.largest + 1):
        answers, gold, pred = judge.everything(n), shapes(n), partitions(n)
        scores = answers.value.reshape(len(gold), len(pred))
        lowest = np.where(np.isnan(scores), np.inf, scores).argmin(axis=1)
        rows = np.arange(len(gold)) * len(pred) + lowest
        broken = ~(answers.value[rows] <= NEAR)
        yield _of_one(answers, rows, broken, (gold, pred[lowest]), "and no other less")


def identity(judge: Judge, scope: Scope) -> Iterator[Findings]:
    """Gold itself has the perfect score; where that depends on gold, nothing scores better."""
    for n in _sizes(scope):
        answers, gold, pred = judge.everything(n), shapes(n), partitions(n)
        rows = np.arange(len(gold)) * len(pred) + position(gold)
        scores = judge.sign * answers.value.reshape(len(gold), len(pred))
        best = np.where(np.isnan(scores), -np.inf, scores).max(axis=1)
        if judge.perfect is None:
            broken, instead = ~(judge.sign * answers.value[rows] >= best - NEAR), "and another prediction more"
        else:
            broken, instead = ~same(answers.value[rows], np.full(len(rows), judge.perfect)), f"not {judge.perfect:g}"
        yield _of_one(answers, rows, broken, (gold, gold), instead)


def in_range(judge: Judge, scope: Scope) -> Iterator[Findings]:
    """Every score is a number between the lowest and the highest value."""
    between = f"not a number from {judge.lowest:g} to {judge.highest:g}"
    for n in _sizes(scope):
        answers = judge.everything(n)
        inside = (answers.value >= judge.lowest - NEAR) & (answers.value <= judge.highest + NEAR)
        rows = np.arange(len(inside))
        broken = ~(inside & np.isfinite(answers.value))
        yield _of_one(answers, rows, broken, every_pair(n), between)


def relabelling(judge: Judge, scope: Scope) -> Iterator[Findings]:
    """Clusters under other names score the same: gold, the prediction, or both renamed, with gaps in the numbers."""
    for n in _sizes(scope):
        gold, pred = every_pair(n)
        yield _of_two(judge, n, n - 1 - gold, pred)
        yield _of_two(judge, n, gold, n - 1 - pred)
        yield _of_two(judge, n, 2 * gold + 1, 3 * pred + n)


def reordering(judge: Judge, scope: Scope) -> Iterator[Findings]:
    """Elements in another order score the same: from the last to the first, or the first one last."""
    for n in _sizes(scope):
        gold, pred = every_pair(n)
        yield _of_two(judge, n, gold[:, ::-1], pred[:, ::-1])
        yield _of_two(judge, n, np.roll(gold, -1, axis=1), np.roll(pred, -1, axis=1))


def swap(judge: Judge, scope: Scope) -> Iterator[Findings]:
    """Precision and recall change places when gold and prediction do."""
    for n in _sizes(scope):
        there, (gold, pred) = judge.everything(n), every_pair(n)
        if there.precision is None or there.recall is None:
            return
        back = judge.ask(Batch.of_rows(pred, gold))
        if back.precision is None or back.recall is None:
            return
        for one, other, words in (
            (there.precision, back.recall, "precision {}, but recall {} with the sides exchanged"),
            (there.recall, back.precision, "recall {}, but precision {} with the sides exchanged"),
        ):
            yield _of_numbers(one, other, gold, pred, words)


def _sizes(scope: Scope) -> range:
    return range(1, 1 if scope.paper else scope.largest + 1)


def _of_one(answers: Answers, rows: Ints, broken: Array, pairs: tuple[Array, Array], instead: str) -> Findings:
    """Each case is one prediction, with the answer of its row; ``instead`` is what is wrong about the score."""

    def tell(k: int) -> Counterexample:
        gold, pred = (clusters(side[k].tolist()) for side in pairs)
        row = int(rows[k])
        told = f"gold {written(gold)}: prediction {written(pred)} {answers.said(row)}"
        told += "" if row in answers.errors else f", {instead}"
        return Counterexample(gold, pred, None, float(answers.value[row]), None, told)

    return Findings(broken, np.zeros(len(broken), np.bool_), *_extent(*pairs), tell)


def _of_two(judge: Judge, n: int, gold: Array, pred: Array) -> Findings:
    """Each case is one pair that is written in two ways."""
    first, second = judge.everything(n), judge.ask(Batch.of_rows(gold, pred))
    usual = every_pair(n)
    both_nan = np.isnan(first.value) & np.isnan(second.value)  # another law tells of them
    broken = ~same(first.value, second.value) & ~both_nan

    def tell(k: int) -> Counterexample:
        before, after = float(first.value[k]), float(second.value[k])
        digits = enough_digits(before, after)
        told = (
            f"gold {_labels(usual[0][k])}, prediction {_labels(usual[1][k])} {first.said(k, digits)}; "
            f"gold {_labels(gold[k])}, prediction {_labels(pred[k])} {second.said(k, digits)}"
        )
        truth, found = (clusters(side[k].tolist()) for side in usual)
        return Counterexample(truth, found, clusters(pred[k].tolist()), before, after, told)

    return Findings(broken, np.zeros(len(broken), np.bool_), *_extent(*usual), tell)


def _of_numbers(one: Floats, other: Floats, gold: Array, pred: Array, words: str) -> Findings:
    broken = ~same(one, other) & ~(np.isnan(one) & np.isnan(other))

    def tell(k: int) -> Counterexample:
        truth, found = clusters(gold[k].tolist()), clusters(pred[k].tolist())
        digits = enough_digits(float(one[k]), float(other[k]))
        numbers = words.format(f"{one[k]:.{digits}f}", f"{other[k]:.{digits}f}")
        told = f"gold {written(truth)}: prediction {written(found)} has {numbers}"
        return Counterexample(truth, found, found, float(one[k]), float(other[k]), told)

    return Findings(broken, np.zeros(len(broken), np.bool_), *_extent(gold, pred), tell)


def _extent(gold: Array, pred: Array) -> tuple[Ints, Ints]:
    """Elements and clusters of each row."""
    return np.full(len(gold), gold.shape[1]), gold.max(axis=1) + pred.max(axis=1) + 2


def _labels(row: Array) -> str:
    return " ".join(map(str, row.tolist()))
