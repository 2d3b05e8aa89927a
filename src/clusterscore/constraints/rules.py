"""Rules: what is asked of the scores of a case, and how to say that a case breaks it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from clusterscore.constraints.cases import Cases, Labels, pairs, partitions, shapes
from clusterscore.constraints.subject import Answers, Subject
from clusterscore.constraints.verdict import Clusters, Counterexample, clusters
from clusterscore.count.sums import Floats
from clusterscore.distinct import Array

NEAR = 1e-12  # scores that differ by less are the same score


class Findings(NamedTuple):
    """What became of cases that were scored together."""

    broken: Array
    tied: Array
    size: Array  # rows: elements, clusters
    example: Callable[[int], Counterexample]


def better(subject: Subject, cases: Cases) -> Findings:
    """The better prediction scores more."""
    gold, pred, worse, right, notes = cases
    answers = subject.ask(gold, pred) if notes else subject.small(gold.shape[1])
    low, high = answers.value[worse], answers.value[right]
    equal = _same(low, high)
    with np.errstate(invalid="ignore"):
        broken = ~(subject.sign * (high - low) > 0) & ~equal  # not a number: neither better nor equal

    def example(k: int) -> Counterexample:
        sides = clusters(gold[worse[k]]), clusters(pred[worse[k]]), clusters(pred[right[k]])
        truth, one, other = map(_shown, sides)
        start = f"gold {truth} ({notes[k]}): {one}" if notes else f"gold {truth}: {one}"
        if equal[k]:
            text = f"{start} and the better {other} both score {low[k]:.4f}"
        else:
            first, second = (answers.describe(rows[k], _digits(low[k], high[k])) for rows in (worse, right))
            text = f"{start} {first}, the better {other} {second}"
        return Counterexample(*sides, float(low[k]), float(high[k]), text)

    size = _size(gold, pred)[:, worse]
    size[1] += _size(pred)[1, right]
    return Findings(broken, equal, size, example)


def zero_score(subject: Subject, n: int) -> Iterator[Findings]:
    """For every gold there is a prediction that scores 0; one element alone has only one prediction."""
    if n > 1 and not subject.smaller_is_better:
        values = subject.small(n).value.reshape(len(shapes(n)), -1)
        lowest = np.where(np.isnan(values), np.inf, values).argmin(axis=1)
        gold, pred = shapes(n), partitions(n)[lowest]
        yield _single(gold, pred, subject.ask(gold, pred), lambda value: value <= NEAR, "and no other less")


def identity(subject: Subject, n: int) -> Iterator[Findings]:
    """Gold itself has the perfect score; where that depends on gold, nothing scores better."""
    gold, sign, perfect = shapes(n), subject.sign, subject.perfect
    if perfect is None:
        values = sign * subject.small(n).value.reshape(len(gold), -1)
        best = np.where(np.isnan(values), -np.inf, values).max(axis=1)
        kept, wrong = lambda value: sign * value >= best - NEAR, "and another prediction more"
    else:
        kept, wrong = lambda value: _same(value, np.full(len(gold), perfect)), f"not {perfect:g}"
    yield _single(gold, gold, subject.ask(gold, gold), kept, wrong)


def in_range(subject: Subject, n: int) -> Iterator[Findings]:
    """Every score is a number between the lowest and the highest value."""
    low, high = subject.lowest, subject.highest

    def inside(value: Floats) -> Array:
        return (value >= low - NEAR) & (value <= high + NEAR) & np.isfinite(value)

    yield _single(*pairs(n), subject.small(n), inside, f"not a number from {low:g} to {high:g}")


def _single(gold: Array, pred: Array, answers: Answers, kept: Callable[[Floats], Array], wrong: str) -> Findings:
    """A case is one prediction."""

    def example(k: int) -> Counterexample:
        sides = clusters(gold[k]), clusters(pred[k])
        text = f"gold {_shown(sides[0])}: prediction {_shown(sides[1])} {answers.describe(k)}"
        text += "" if answers.error[k] else f", {wrong}"
        return Counterexample(*sides, None, float(answers.value[k]), None, text)

    broken = ~kept(answers.value)
    return Findings(broken, np.zeros_like(broken), _size(gold, pred), example)


def relabelling(subject: Subject, n: int) -> Iterator[Findings]:
    """Clusters under other names score the same: gold, the prediction, or both renamed, with gaps in the numbers."""
    gold, pred = pairs(n)
    for other in ((n - 1 - gold, pred), (gold, n - 1 - pred), (2 * gold + 1, 3 * pred + n)):
        yield _rewritten(subject, n, *other)


def reordering(subject: Subject, n: int) -> Iterator[Findings]:
    """Elements in another order score the same: from the last to the first, or the first one last."""
    gold, pred = pairs(n)
    yield _rewritten(subject, n, gold[:, ::-1], pred[:, ::-1])
    yield _rewritten(subject, n, np.roll(gold, -1, axis=1), np.roll(pred, -1, axis=1))


def _rewritten(subject: Subject, n: int, gold: Array, pred: Array) -> Findings:
    ways = (subject.small(n), *pairs(n)), (subject.ask(gold, pred), gold, pred)

    def describe(k: int, digits: int) -> str:
        return "; ".join(f"gold {_joined(truth[k])}, prediction {_joined(found[k])} {answers.describe(k, digits)}"
                         for answers, truth, found in ways)  # fmt: skip

    return _equal(n, ways[0][0].value, ways[1][0].value, pred, describe)


def swap(subject: Subject, n: int) -> Iterator[Findings]:
    """Precision and recall change places when gold and prediction do."""
    gold, pred = pairs(n)
    there, back = subject.small(n), subject.ask(pred, gold)
    if not any(np.isnan(part).all() for part in (there.precision, there.recall, back.precision, back.recall)):
        yield _exchanged(n, there.precision, back.recall, "precision {}, but recall {}")
        yield _exchanged(n, there.recall, back.precision, "recall {}, but precision {}")


def _exchanged(n: int, one: Floats, other: Floats, numbers: str) -> Findings:
    gold, pred = pairs(n)

    def describe(k: int, digits: int) -> str:
        found = numbers.format(*(f"{values[k]:.{digits}f}" for values in (one, other)))
        truth, written = (_shown(clusters(side[k])) for side in (gold, pred))
        return f"gold {truth}: prediction {written} has {found} with the sides exchanged"

    return _equal(n, one, other, pred, describe)


def _equal(n: int, one: Floats, other: Floats, written: Array, describe: Callable[[int, int], str]) -> Findings:
    """Two numbers of every pair are the same; where neither is a number, another law says so."""
    broken, sides = ~_same(one, other) & ~(np.isnan(one) & np.isnan(other)), (*pairs(n), written)

    def example(k: int) -> Counterexample:
        gold, pred, again = (clusters(side[k]) for side in sides)
        text = describe(k, _digits(one[k], other[k]))
        return Counterexample(gold, pred, again, float(one[k]), float(other[k]), text)

    return Findings(broken, np.zeros_like(broken), _size(*pairs(n)), example)


def _same(one: Floats, other: Floats) -> Array:
    """Which numbers are the same, up to rounding."""
    with np.errstate(invalid="ignore"):
        return np.asarray(np.abs(one - other) <= NEAR * np.maximum(1, np.maximum(np.abs(one), np.abs(other))))


def _size(*sides: Array) -> Array:
    """The elements, and the clusters of all sides together, for each row."""
    numbers = [(np.diff(np.sort(side, axis=1), axis=1, prepend=-1) > 0).sum(axis=1) for side in sides]
    return np.stack([(sides[0] >= 0).sum(axis=1), np.sum(numbers, axis=0)])


def _digits(one: float, other: float) -> int:
    """Decimals that show two numbers to be different; four if that is enough."""
    return next((d for d in range(4, 17) if f"{one:.{d}f}" != f"{other:.{d}f}"), 17)


def _shown(found: Clusters) -> str:
    """``1 3 | 2``."""
    return " | ".join(map(_joined, found))


def _joined(numbers: Labels) -> str:
    return " ".join(map(str, numbers))
