"""Cells by their numbers alone, and what the element-wise measures take from them: exact sums, one per denominator."""

from __future__ import annotations

from collections.abc import Callable
from math import fsum
from typing import Any, NamedTuple

import numpy as np

from clusterscore.count.sums import (
    EXACT,
    Adder,
    Floats,
    add_integers,
    add_up,
    exact_as_held,
    floats,
    product,
    whole_product,
)
from clusterscore.distinct import STRETCH, Array, CodedColumn, Decoded, Lookup, distinct, stretches
from clusterscore.read.labels import array_module, is_tensor

FEW = 1 << 15  # cells: below this, merging equal ones costs more than it saves
_SAMPLE, _ALIKE = 1 << 13, 0.9  # cells looked at first: at most so many of them may differ (measured)
ONE_BY_ONE = 2048  # cells: below this, they are added up as they are


class Rows(NamedTuple):
    """Cells by their numbers alone: n common elements, a in the gold and b in the predicted cluster, so many times."""

    document: Array | None
    n: Array
    a: Array
    b: Array
    times: Array | None
    weight: Array | None


class DenominatorSums(NamedTuple):
    """For each denominator the exact sums of n and of n * n over the cells that have it."""

    denominator: Array
    n: Array
    nn: Array


class Credits(NamedTuple):
    """For each document the sums over its elements of their P, R and F."""

    precision: Floats
    recall: Floats
    f: Floats


class Sizes(NamedTuple):
    """Clusters (or cells) by their size, each so many times; one of size 0 is none."""

    document: Array | None
    size: Array
    times: Array | None


class Matches(NamedTuple):
    """The clusters of a side by their size, and how well the best cluster of the other side matches each."""

    document: Array | None
    size: Array
    best: Floats
    times: Array | None


# how well two clusters of sizes own and other match that share n elements: the two sides of a fraction
MATCHES: dict[str, Callable[[Any, Any, Any], tuple[Any, Any]]] = {
    "f": lambda n, own, other: (n * 2, own + other),
    "jaccard": lambda n, own, other: (n, own + other - n),
    "share": lambda n, own, other: (n, other),  # of the other cluster
}


def merged(n: Array, gold: tuple[Array, Array | Decoded], pred: tuple[Array, Array | Decoded]) -> Rows | None:
    """The distinct (n, a, b) with their multiplicity; ``gold`` and ``pred`` are the sizes and each cell's cluster.

    None where few cells are alike.
    """
    columns: list[CodedColumn] = [(n, int(n.max()) + 1)]
    for size, cluster in (gold, pred):  # sizes in as little memory as holds them: more of them stay in the cache
        top = int(size.max())
        columns.append((Lookup(size.astype(np.min_scalar_type(top)), cluster), top + 1))
    sample = [(column[:: max(1, len(n) // _SAMPLE)], top) for column, top in columns]
    if len(distinct(*sample)) > _ALIKE * len(sample[0][0]):
        return None
    rows = distinct(*columns)
    return Rows(None, rows.column(0), rows.column(1), rows.column(2), rows.counts, None)


def credits_of_cells(rows: Rows, exclude_self: int) -> Credits:
    """The sums over elements of TP over b, over a, and of 2*TP over a+b, of few cells of one document."""
    n, a, b = rows.n, rows.a, rows.b
    if rows.times is not None:  # cells that are merged add up as they do one by one
        n, a, b = (np.repeat(column, rows.times) for column in (n, a, b))
    return Credits(*(np.array([fsum(terms)]) for terms in _terms(n.astype(np.float64), a, b, exclude_self)))


def _terms(n: Any, a: Any, b: Any, exclude_self: int) -> list[Any]:
    """What the elements of each cell, ``n`` as floats, bring to P, R and F; 0/0 is 1."""
    right = n * (n - exclude_self)
    if not exclude_self:
        return [right / b, right / a, 2 * right / (a + b)]
    others = (b - 1, right), (a - 1, right), (a + b - 2, 2 * right)
    # alone in its cluster, an element has nobody to find
    return [top / (size + (size == 0)) + n * (size == 0) for size, top in others]


def by_denominator(rows: Rows, elements: int) -> list[DenominatorSums]:
    """The cells of one document in groups: by b, by a, and by a+b; many cells have few denominators."""
    times = [] if rows.times is None else [rows.times]
    kind: Any = np.float64 if elements**2 < EXACT else whole_product(rows.n, rows.n, *times).dtype
    groups = []
    for left, right in ((rows.b, None), (rows.a, None), (rows.a, rows.b)):
        size = 1 + sum(int(np.maximum.reduce(side, initial=0)) for side in (left, right) if side is not None)
        values = np.arange(size if size <= 4 * len(left) + 1024 else 0)  # a denominator that nobody has sums to nothing
        if not len(values):
            seen = distinct((left if right is None else left + right, size), codes=True)
            values, left, right = seen.column(0), seen.codes, None
        n_sums, nn_sums = np.zeros((2, len(values)), kind)
        step = max(STRETCH, len(values))
        for start in range(0, len(rows.n), step):
            here = slice(start, start + step)
            group, n = left[here] if right is None else left[here] + right[here], rows.n[here].astype(kind)
            totals = n if rows.times is None else n * rows.times[here].astype(kind)
            n_sums += add_integers(totals, group, len(values)).astype(kind)
            nn_sums += add_integers(totals * n, group, len(values)).astype(kind)
        used = (n_sums > 0).nonzero()[0]
        groups.append(DenominatorSums(values[used], *(exact_as_held(sums[used]) for sums in (n_sums, nn_sums))))
    return groups


def credits_of_sums(groups: list[DenominatorSums], exclude_self: int) -> Credits:
    """The sums over elements of TP over b, over a, and of 2*TP over a+b; 0/0 is 1."""
    totals = []
    for sides, sums in zip((1, 1, 2), groups, strict=True):
        others = sums.denominator - sides * exclude_self
        right = sides * (sums.nn - sums.n if exclude_self else sums.nn)
        terms = np.asarray(right / np.maximum(others, 1).astype(right.dtype), np.float64)
        if exclude_self:
            np.copyto(terms, sums.n, where=others == 0, casting="unsafe")
        totals.append(add_up(terms))
    return Credits(*totals)


def credits_of_documents(rows: Rows, exclude_self: int, elements: int, documents: int) -> Credits:
    """The same for each document: they are small and many, so cells are worked off in stretches, not grouped."""
    assert rows.document is not None
    if is_tensor(rows.n):
        terms = _terms(floats(rows.n), rows.a, rows.b, exclude_self)
        return Credits(*(add_up(part, rows.document, documents, rows.times) for part in terms))
    adders = [Adder(elements, documents) for _ in range(3)]
    for start, stop in stretches(len(rows.n)):
        n, a, b, document = (column[start:stop] for column in (rows.n, rows.a, rows.b, rows.document))
        times = None if rows.times is None else rows.times[start:stop]
        for adder, terms in zip(adders, _terms(n.astype(np.float64), a, b, exclude_self), strict=True):
            adder.add(terms, document, times)
    return Credits(*(adder.sums for adder in adders))


class Logs(NamedTuple):
    """Three sums of logarithms over the cells of each document, N elements; see :func:`log_sums`."""

    shared: Floats
    gold_alone: Floats
    pred_alone: Floats


def log_sums(rows: Rows, elements: Floats) -> Logs:
    """N times the information of each document, and N times the entropy that each side has of its own, given the other.

    They are the sums over cells of n*log(N*n/(a*b)), of n*log(b/n) for gold and of n*log(a/n) for the prediction.
    The entropy of a side is the sum of both, so nothing is ever subtracted.
    The terms of the information may be below 0. They add up to the same with n - a*b/N, what a cell has above chance,
    taken from each, since over all pairs of clusters that is 0; then none is, and a pair without elements brings a*b/N.
    """
    documents = len(elements)
    n, a, b = map(floats, rows[1:4])
    here: Any = n.new_tensor(elements) if is_tensor(n) else elements
    all_ = float(elements[0]) if rows.document is None else here[rows.document]
    terms = (above_chance(n, a, b, all_), split_logs(n, b), split_logs(n, a))
    shared, gold, pred = (add_up(term, rows.document, documents, rows.times) for term in terms)
    # the sum of a*b over the pairs of clusters that have nothing in common, exact: those of all pairs make N*N
    times = [] if rows.times is None else [rows.times]
    held = add_integers(whole_product(rows.a, rows.b, *times), rows.document, documents)
    whole = elements if elements.max(initial=0.0) ** 2 < EXACT else elements.astype(np.int64).astype(object)
    empty = (whole * whole - held) / np.maximum(elements, 1.0)
    return Logs(shared + empty.astype(np.float64), gold, pred)


def split_logs(n: Any, size: Any) -> Any:
    """n*log(size/n) of floats, also where next to nothing is missing; 0 where n is."""
    return n * array_module(n).log1p((size - n) / n.clip(min=1.0))


def above_chance(n: Any, a: Any, b: Any, elements: Any) -> Any:
    """n*log(N*n/(a*b)) - (n - a*b/N), of a cell that has elements; never below 0.

    Where n is close to a*b/N both parts are almost the same; there it is a series in their relative difference.
    """
    alike = isinstance(elements, float)
    if (elements if alike else float(max(elements.max(), 0.0) if len(elements) else 0.0)) ** 2 <= EXACT:
        gap = n * elements - a * b
    else:  # rounded once: whole numbers whose products may be too large for a float
        (near, lost), (near_ab, lost_ab) = product(n, elements), product(a, b)
        gap = (near - near_ab) + (lost - lost_ab)
    library = array_module(n)
    above = n * library.log((n / a) * (elements / b)) - gap / elements
    relative = gap / (n * elements + a * b)
    (close,) = library.where(abs(relative) < 0.1)
    if len(close):
        share, held = relative[close], n[close]
        square = share * share
        series = square * 0
        for power in range(17, 1, -2):
            series = (series + 1 / power) * square
        above[close] = share * (gap[close] / (elements if alike else elements[close]) + 2 * held * series)
    return above
