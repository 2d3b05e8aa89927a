"""Findings: what came of a block of cases that were judged together."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from clusterscore.constraints.cases import Case
from clusterscore.constraints.judge import NEAR, Answers, Batch, Judge
from clusterscore.constraints.partitions import Steps, partitions, shapes
from clusterscore.constraints.verdict import HOLDS, NONE, TIES, VIOLATED, Counterexample, Verdict, clusters, written
from clusterscore.count.sums import Floats
from clusterscore.distinct import Array, Ints


class Scope(NamedTuple):
    """Which cases are looked at."""

    largest: int  # elements up to which all clusterings are tried
    paper: bool = False  # the pairs of the papers alone

    @property
    def reach(self) -> int:
        """How far the parameters of the growing families go."""
        return 3 * self.largest


class Findings(NamedTuple):
    """For each case whether it breaks the constraint or ties, how large it is, and how to tell of it."""

    broken: Array
    tied: Array
    elements: Ints
    clusters: Ints
    tell: Callable[[int], Counterexample]


class Pairs(NamedTuple):
    """Where among the answers the worse and the better prediction of each case are, and the case itself."""

    worse: Ints
    better: Ints
    elements: Ints
    clusters: Ints
    case: Callable[[int], Case]


def found_in(answers: Answers, sign: int, pairs: Pairs) -> Findings:
    """Which of the better predictions do not score better."""
    low, high = answers.value[pairs.worse], answers.value[pairs.better]
    equal = same(low, high)
    with np.errstate(invalid="ignore"):
        broken = ~(sign * (high - low) > 0) & ~equal  # not a number: neither better nor equal

    def tell(k: int) -> Counterexample:
        return _told(pairs.case(k), answers, int(pairs.worse[k]), int(pairs.better[k]))

    return Findings(broken, equal, pairs.elements, pairs.clusters, tell)


def same(one: Floats, other: Floats) -> Array:
    """Which numbers are the same, up to rounding."""
    with np.errstate(invalid="ignore"):
        return np.asarray(np.abs(one - other) <= NEAR * np.maximum(1, np.maximum(np.abs(one), np.abs(other))))


def _told(case: Case, answers: Answers, low: int, high: int) -> Counterexample:
    gold, worse, better = (clusters(labels) for labels in (case.gold, case.worse, case.better))
    scores: tuple[float, float] = (float(answers.value[low]), float(answers.value[high]))
    begin = f"gold {written(gold)}" + (f" ({case.told})" if case.told else "")
    if same(answers.value[[low]], answers.value[[high]]).all():
        told = f"{begin}: {written(worse)} and the better {written(better)} both score {scores[0]:.4f}"
    else:
        digits = enough_digits(*scores)
        first, second = (answers.said(k, digits) for k in (low, high))
        told = f"{begin}: {written(worse)} {first}, the better {written(better)} {second}"
    return Counterexample(gold, worse, better, scores[0], scores[1], told)


def enough_digits(one: float, other: float) -> int:
    """Decimals that show two numbers to be different; four if that is enough."""
    return next((d for d in range(4, 17) if f"{one:.{d}f}" != f"{other:.{d}f}"), 17)


def of_cases(judge: Judge, cases: Sequence[Case]) -> Iterator[Findings]:
    """Cases written out one by one."""
    if not cases:
        return
    gold = [case.gold for case in cases]
    pred = [case.worse for case in cases] + [case.better for case in cases]
    first = np.arange(len(cases))
    pairs = Pairs(
        first,
        first + len(cases),
        np.array([len(case.gold) for case in cases]),
        np.array([case.clusters for case in cases]),
        lambda k: cases[k],
    )
    yield found_in(judge.ask(Batch.of_labels([*gold, *gold], pred)), judge.sign, pairs)


def of_steps(judge: Judge, n: int, steps: Steps) -> Findings:
    """Steps between the clusterings of ``n`` elements."""
    gold, pred = shapes(n), partitions(n)

    def case(k: int) -> Case:
        rows = gold[steps.gold[k]], pred[steps.worse[k]], pred[steps.better[k]]
        return Case(*(row.tolist() for row in rows))

    start = steps.gold * len(pred)
    number = 3 + sum(side.max(axis=1)[rows] for side, rows in zip((gold, pred, pred), steps, strict=True))
    pairs = Pairs(start + steps.worse, start + steps.better, np.full(len(start), n), number, case)
    return found_in(judge.everything(n), judge.sign, pairs)


def verdict_of(judge: Judge, constraint: str, found: Sequence[Findings]) -> Verdict:
    """The verdict that follows from all findings."""
    cases = sum(len(block.broken) for block in found)
    violations = sum(int(block.broken.sum()) for block in found)
    ties = sum(int(block.tied.sum()) for block in found)
    outcome = VIOLATED if violations else TIES if ties else HOLDS if cases else NONE
    smallest = next(told_of(found, tied=not violations), None) if violations or ties else None
    return Verdict(judge.name, constraint, outcome, smallest, cases, violations, ties)


def told_of(found: Sequence[Findings], *, tied: bool) -> Iterator[Counterexample]:
    """What is broken, or only tied, the smallest first: by elements, then by clusters."""
    chosen = [np.flatnonzero(block.tied if tied else block.broken) for block in found]
    block = np.repeat(np.arange(len(found)), [len(rows) for rows in chosen])
    row, elements, number = (
        np.concatenate([np.zeros(0, np.int64), *parts])
        for parts in (
            chosen,
            [each.elements[rows] for each, rows in zip(found, chosen, strict=True)],
            [each.clusters[rows] for each, rows in zip(found, chosen, strict=True)],
        )
    )
    for k in np.lexsort((row, block, number, elements)).tolist():
        yield found[block[k]].tell(int(row[k]))
