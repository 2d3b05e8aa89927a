"""The constraints by name: what each asks for, who asks for it, and in which cases it is looked at.

Each is a function; :func:`constraint` says how it is read. The properties have a module of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import product

import numpy as np

from clusterscore.constraints.clusterings import blocks, pairs, partitions, shapes, steps
from clusterscore.constraints.constraint_type import Check, Constraint, constraint
from clusterscore.constraints.properties import PROPERTIES
from clusterscore.constraints.scored import MOST_IN_DETOURS, NEAR, Case, CheckedCases, Subject, each_keeps, unchanged
from clusterscore.distinct import Array
from clusterscore.exceptions import InputError, nearest

_AMIGO = (
    "Amigó, Gonzalo, Artiles & Verdejo 2009, A comparison of extrinsic clustering evaluation metrics based on formal "
    "constraints, Information Retrieval 12(4)"
)
_MORENO = "de Souto et al. 2012, as in Moreno & Dias 2015, Adapted B-CUBED metrics to unbalanced datasets, SIGIR"
_ELM = "van Heusden, Kamps & Marx 2024, Discover Computing 27:5"
# the first four pairs are those of Amigó et al. 2009 that Moreno & Dias 2015 score in Table 1; their fifth they do not
# print: it is reconstructed from their numbers and marks
_PAIR = "the pair of the paper"
_MIXED = Case(blocks(5, 6, 1, 1, 1), blocks(4, 3, 7), blocks(4, 1, 2, 7), _PAIR)
_APART = Case(blocks(7, 4, 1, 1, 1), blocks(4, 1, 2, 7), blocks(4, 3, 7), _PAIR)
_ODD = Case(blocks(4, *[1] * 5), blocks(5, 4), blocks(4, 5), f"{_PAIR}: 4 clean, a bag of 4")
_MOVED = [*blocks(16), 2, *blocks(7, 2, first=1)]
_STRAYED = Case(blocks(17, 7, 2), [*blocks(17, 7), 2, 0], _MOVED, f"{_PAIR}: categories of 17, 7 and 2")


def _each_step(*, split: bool) -> Check:
    def check(subject: Subject, n: int) -> Iterator[CheckedCases]:
        worse, better = map(subject.small(n).take, steps(n, split=split))
        yield subject.in_order(worse, better)

    return check


def _doubling(largest: int) -> list[int]:
    return [1 << k for k in range((3 * largest).bit_length())]


@constraint("growing", _AMIGO, pair=_MIXED, small=_each_step(split=True))
def homogeneity(largest: int) -> Iterator[Case]:
    """A cluster with elements of two categories scores more when it falls into those two.

    Cases: the pair of the paper; x and y elements mixed, with more of both apart; every such step between clusterings
    of few elements.
    """
    sizes = _doubling(largest)
    for x, y, p, q in product(sizes, sizes, (0, 1, sizes[-1]), (0, 1, sizes[-1])):
        worse = [*blocks(x, p), *blocks(y), *blocks(q, first=2)]
        better = [*blocks(x, p), *blocks(y, q, first=2)]
        yield Case(blocks(x + p, y + q), worse, better, f"{x} and {y} mixed, {p} and {q} apart")


@constraint("growing", _AMIGO, pair=_APART, small=_each_step(split=False))
def completeness(largest: int) -> Iterator[Case]:
    """Two clusters with elements of one and the same category score more when they are one cluster.

    Cases: the pair of the paper; clean clusters of x and y, with more of the category among strangers; every such step
    between clusterings of few elements.
    """
    sizes = _doubling(largest)
    for x, y, p, q in product(sizes, sizes, (0, 1, sizes[-1]), (0, 1, sizes[-1])):
        gold, rest = [*blocks(x + y + p), *range(1, q + 1)], blocks(p + q, first=2)
        note = f"{x} and {y} apart, {p} with {q} strangers"
        yield Case(gold, [*blocks(x, y), *rest], [*blocks(x + y), *rest], note)


@constraint("growing", _AMIGO, pair=_ODD)
def rag_bag(largest: int) -> Iterator[Case]:
    """An element that belongs nowhere does less harm in a bag of odds and ends than in a clean cluster.

    Cases: the pair of the paper; two and more clean elements of one category, and a bag of one and more elements of as
    many categories.
    """
    # one clean element and a bag of one are the same thing under other names
    for clean, bag in product(range(2, 3 * largest // 2 + 1), range(1, 3 * largest + 1)):
        gold, apart = [*blocks(clean), *range(1, bag + 2)], blocks(clean, bag)
        yield Case(gold, [*apart, 0], [*apart, 1], f"{clean} clean, a bag of {bag}")


def _all_or_one_split(n: int, note: str = "") -> Case:
    all_split, one_split = blocks(n + 1, *[1] * 2 * n), blocks(n, 1, *[2] * n)
    return Case(blocks(n + 1, *[2] * n), all_split, one_split, f"{note}one cluster of {n + 1}, {n} clusters of 2")


@constraint("growing", _AMIGO, pair=_all_or_one_split(4, f"{_PAIR}: "))
def size_vs_quantity(largest: int) -> Iterator[Case]:
    """One element split off a cluster of n + 1 does less harm than n clusters of two that are all split.

    Cases: the pair of the paper (n = 4); n = 2, 3 and so on.
    """
    return map(_all_or_one_split, range(2, 3 * largest + 1))  # with n = 1 both are the same thing under other names


@constraint("growing", _MORENO, pair=_STRAYED)
def unbalanced(largest: int) -> Iterator[Case]:
    """One element of the biggest category in the smallest cluster does less harm than one element of the smallest
    category in the biggest cluster.

    Cases: a pair that gives the paper's numbers; two or three categories, the smallest of 2 to 4 elements.
    """
    for small in range(2, 5):
        for big in range(small + 1, 3 * largest + 1):
            for middle in ([], *([size] for size in range(small + 1, big))):
                gold, others = blocks(big, *middle, small), ", ".join(map(str, [big, *middle]))
                yield Case(gold, [*gold[:-1], 0], [gold[-1], *gold[1:]], f"categories of {others} and {small}")


@constraint("small", _ELM)
def zero_score(subject: Subject, n: int) -> Iterator[CheckedCases]:
    """For every gold clustering there is a prediction that scores 0.

    Cases: every prediction of every gold clustering of two and more elements.
    """
    if n > 1 and subject.sign > 0:
        scored = subject.small(n)
        values = np.where(np.isnan(scored.value), np.inf, scored.value).reshape(len(shapes(n)), -1)
        lowest = scored.take(np.arange(len(values)) * values.shape[1] + values.argmin(axis=1))
        yield each_keeps(lowest, lowest.value <= NEAR, "and no other less")


@constraint("small")
def identity(subject: Subject, n: int) -> Iterator[CheckedCases]:
    """Gold itself has the perfect score.

    Cases: every gold clustering.
    """
    scored, gold = subject.small(n), shapes(n)
    values = subject.sign * scored.value.reshape(len(gold), -1)
    itself = scored.take(np.arange(len(gold)) * values.shape[1] + gold)
    if subject.perfect is None:  # it depends on gold: no other prediction scores better
        best = np.where(np.isnan(values), -np.inf, values).max(axis=1)
        yield each_keeps(itself, subject.sign * itself.value >= best - NEAR, "and another prediction more")
    else:
        perfect = np.isclose(itself.value, subject.perfect, rtol=NEAR, atol=NEAR)
        yield each_keeps(itself, perfect, f"not {subject.perfect:g}")


@constraint("small")
def range_(subject: Subject, n: int) -> Iterator[CheckedCases]:
    """A score is a number from the lowest to the highest value."""
    low, high, scored = subject.lowest, subject.highest, subject.small(n)
    inside = (scored.value >= low - NEAR) & (scored.value <= high + NEAR) & np.isfinite(scored.value)
    yield each_keeps(scored, inside, f"not a number from {low:g} to {high:g}")


def _rewritten(subject: Subject, n: int, gold: Array, pred: Array) -> CheckedCases:
    first, again = subject.small(n), subject.score(gold, pred)
    return unchanged(first, again, (first.value, again.value), "{labels[0]} {scores[0]}; {labels[1]} {scores[1]}")


@constraint("small")
def relabelling(subject: Subject, n: int) -> Iterator[CheckedCases]:
    """Other names of the clusters change nothing."""
    gold, pred = pairs(n)
    yield _rewritten(subject, n, n - 1 - gold, pred)
    yield _rewritten(subject, n, gold, n - 1 - pred)
    yield _rewritten(subject, n, 2 * gold + 1, 3 * pred + n)  # with gaps in the numbers


@constraint("small")
def reordering(subject: Subject, n: int) -> Iterator[CheckedCases]:
    """Another order of the elements changes nothing."""
    gold, pred = pairs(n)
    yield _rewritten(subject, n, gold[:, ::-1], pred[:, ::-1])
    yield _rewritten(subject, n, np.roll(gold, -1, axis=1), np.roll(pred, -1, axis=1))


@constraint("small")
def swap(subject: Subject, n: int) -> Iterator[CheckedCases]:
    """Precision and recall change places when gold and prediction do."""
    there, back = subject.small(n), subject.exchanged(n)
    if not any(np.isnan(part).all() for part in (there.precision, there.recall, back.precision, back.recall)):
        text = "gold {gold}: prediction {worse} has %s {low}, but %s {high} with the sides exchanged"
        for name, exchanged in (("precision", "recall"), ("recall", "precision")):
            yield unchanged(there, there, (getattr(there, name), getattr(back, exchanged)), text % (name, exchanged))


def _below_gold(trivial: Callable[[int], Sequence[int]], largest: int) -> Iterator[Case]:
    """A trivial prediction of so many elements, for all gold clusterings of few, and equal ones of growing size."""
    golds = [(gold, "") for n in range(2, largest + 1) for gold in partitions(n)[shapes(n)].tolist()]
    for size, number in product(_doubling(largest), repeat=2):
        golds.append((blocks(*[size] * number), f"gold clusters: {number} of {size}"))
    for gold, note in golds:
        if (worse := trivial(len(gold)))[-1] != gold[-1]:  # it is not gold itself
            yield Case(gold, worse, gold, note)


@constraint("growing")
def singletons(largest: int) -> Iterator[Case]:
    """Every element alone scores less than gold, unless that is gold.

    Cases: every gold clustering; equal clusters of growing size and number.
    """
    return _below_gold(range, largest)


@constraint("growing")
def all_in_one(largest: int) -> Iterator[Case]:
    """Everything in one cluster scores less than gold, unless that is gold.

    Cases: every gold clustering; equal clusters of growing size and number.
    """
    return _below_gold(lambda n: [0] * n, largest)


@constraint("small", most=MOST_IN_DETOURS)
def triangle(subject: Subject, n: int) -> Iterator[CheckedCases]:
    """Of a distance: from gold to a prediction it is no farther than by way of a third clustering.

    Cases: every prediction of every gold clustering of up to six elements, by way of the nearest third one.
    """
    if subject.sign < 0 and subject.perfect == 0:
        yield subject.detours(n, 0.0)


FORMAL = (homogeneity, completeness, rag_bag, size_vs_quantity, unbalanced, zero_score)
LAWS = (identity, range_, relabelling, reordering, swap, singletons, all_in_one, triangle)
CONSTRAINTS = FORMAL + LAWS + PROPERTIES
GROUPS = {"formal": FORMAL, "laws": LAWS, "properties": PROPERTIES, "all": CONSTRAINTS}


def constraints_of(names: str | Constraint | Iterable[str | Constraint]) -> tuple[Constraint, ...]:
    """The constraints that a user asked for: a name, one of the groups, or a list of them."""
    if isinstance(names, str | Constraint):
        return GROUPS[names] if isinstance(names, str) and names in GROUPS else (constraint_of(names),)
    chosen = tuple(dict.fromkeys(constraint for name in names for constraint in constraints_of(name)))
    if not chosen:
        raise InputError("no constraint was given; name at least one, such as 'rag_bag'")
    return chosen


def constraint_of(name: str | Constraint) -> Constraint:
    """The constraint of this name; ``rag bag`` and ``Rag-Bag`` are rag_bag."""
    if isinstance(name, Constraint):
        return name
    if not isinstance(name, str):
        raise InputError(f"a constraint is named by a string such as 'rag_bag', not by {name!r}")
    known = {constraint.name: constraint for constraint in CONSTRAINTS}
    key = name.strip().lower().replace("-", "_").replace(" ", "_")
    if key not in known:
        listed = "; clusterscore constraints --list describes all"
        raise InputError(f"unknown constraint {name!r}: {nearest(key, known, listed)}")
    return known[key]
