"""Cells by their numbers alone, and what the element-wise measures take from them: exact sums, one per denominator."""

from __future__ import annotations

from math import fsum
from typing import NamedTuple

import numpy as np

from clusterscore.count.sums import EXACT, Adder, Floats, add_integers, add_up, plus, product, quotients, squares
from clusterscore.distinct import Array, Decoded, Lookup, distinct, stretches

FEW = 2048  # cells: below this, merging equal ones costs more than it saves


class Rows(NamedTuple):
    """Cells by their numbers alone: n common elements, a in the gold and b in the predicted cluster, so many times."""

    document: Array | None
    n: Array
    a: Array
    b: Array
    times: Array | None
    weight: Array | None


class Sums(NamedTuple):
    """For each denominator the exact sums of n and of n * n over the cells that have it: first b, then a, then a+b."""

    denominator: Array
    n: Array
    nn: Array
    ends: tuple[int, int, int]


class Sizes(NamedTuple):
    """How many clusters (or cells) there are of each size."""

    document: Array | None
    size: Array
    times: Array | None


class Matches(NamedTuple):
    """Gold clusters by their size and the best F that a predicted cluster has with them."""

    document: Array | None
    size: Array
    f: Floats
    times: Array | None


def merged(n: Array, gold: tuple[Array, Array | Decoded], pred: tuple[Array, Array | Decoded]) -> Rows:
    """The distinct (n, a, b) with their multiplicity; ``gold`` and ``pred`` are the sizes and each cell's cluster."""
    sizes = [(Lookup(_compact(size), cluster), int(size.max()) + 1) for size, cluster in (gold, pred)]
    found = distinct((n, int(n.max()) + 1), *sizes)
    return Rows(None, found.column(0), found.column(1), found.column(2), found.counts, None)


def by_denominator(rows: Rows, elements: int, largest_a: int, largest_b: int) -> Sums:
    """One group per denominator: sizes b, then a, then a+b, each behind the other."""
    n, nn = squares(rows.n, rows.times, elements)
    count = len(rows.n)
    below = np.concatenate([rows.b, rows.a, rows.a + rows.b])
    n, nn = np.concatenate([n, n, n]), np.concatenate([nn, nn, nn])
    after_b = largest_b + 1
    after_a = after_b + largest_a + 1
    below[count:] += after_b
    below[2 * count :] += after_a - after_b
    if 2 * after_a <= 4 * len(below) + 1024:  # by address; a denominator that nobody has sums to nothing
        values, group = np.arange(2 * after_a), below
        first, second = after_b, after_a
    else:
        values, group = np.unique(below, return_inverse=True)
        first, second = values.searchsorted((after_b, after_a)).tolist()
    values[first:] -= after_b
    values[second:] -= after_a - after_b
    size = len(values)
    return Sums(values, add_integers(n, group, size), add_integers(nn, group, size), (first, second, size))


def credits_of_sums(sums: Sums, less: int) -> Floats:
    """The sums over elements of TP over b, over a, and of 2*TP over a+b, as one row; 0/0 is 1.

    Behind each sum stands what it lost when it was rounded.
    """
    first, second, last = sums.ends
    others = sums.denominator - less
    others[second:] -= less  # the element is left out on both sides
    found = sums.nn - sums.n if less else sums.nn + 0
    found[second:] *= 2
    terms, rest = quotients(found, np.maximum(others, 1))
    if less:
        np.copyto(terms, sums.n, where=others == 0, casting="unsafe")
    ends = ((0, first), (first, second), (second, last))
    if last > FEW:
        return np.column_stack([add_up(terms[i:k], rest=rest[i:k]) for i, k in ends])
    listed, rests, row = terms.tolist(), rest.tolist(), []
    for i, k in ends:
        exact = listed[i:k] + rests[i:k]
        near = fsum(exact)
        exact.append(-near)
        row += [near, fsum(exact)]
    return np.array([row])


def credits_of_documents(rows: Rows, less: int, elements: int, documents: int) -> Floats:
    """The same for each document: they are small and many, so cells are worked off in stretches, not grouped."""
    assert rows.document is not None
    adders = [Adder(elements, documents) for _ in range(3)]
    for start, stop in stretches(len(rows.n)):
        n, a, b, document = (column[start:stop] for column in (rows.n, rows.a, rows.b, rows.document))
        times = None if rows.times is None else rows.times[start:stop]
        found = n.astype(np.float64) * (n - less)
        for adder, sides, others in zip(adders, (1, 1, 2), (b - less, a - less, a + b - 2 * less), strict=True):
            terms, rest = quotients(sides * found, np.maximum(others, 1))
            if less:
                np.copyto(terms, n, where=others == 0)
            adder.add(terms, document, times, rest)
    return np.column_stack([adder.sums for adder in adders])


def log_sums(rows: Rows, elements: Floats) -> Floats:
    """N times the information of each document, and N times the entropy that each side has of its own, given the other.

    They are the sums over cells of n*log(N*n/(a*b)), of n*log(b/n) for gold and of n*log(a/n) for the prediction, each
    with what it lost when it was rounded. The entropy of a side is the sum of both, so nothing is ever subtracted.
    The terms of the information may be below 0. They add up to the same with n - a*b/N, what a cell has above chance,
    taken from each, since over all pairs of clusters that is 0; then none is, and a pair without elements brings a*b/N.
    """
    documents = len(elements)
    n, a, b = (column.astype(np.float64) for column in (rows.n, rows.a, rows.b))
    all_ = elements[0] if rows.document is None else elements[rows.document]
    terms = (above_chance(n, a, b, all_), split_logs(n, b), split_logs(n, a))
    shared, gold, pred = (add_up(term, rows.document, documents, rows.times) for term in terms)
    empty = quotients(_empty_pairs(rows, elements), np.maximum(elements, 1.0))
    return np.column_stack([plus(shared, np.column_stack(empty)), gold, pred])


def split_logs(n: Floats, size: Floats) -> Floats:
    """n*log(size/n), also where next to nothing is missing; 0 where n is."""
    return np.asarray(n * np.log1p((size - n) / np.maximum(n, 1.0)))


def above_chance(n: Floats, a: Floats, b: Floats, elements: Floats | float) -> Floats:
    """n*log(N*n/(a*b)) - (n - a*b/N), of a cell that has elements; never below 0.

    Where n is close to a*b/N both parts are almost the same; there it is a series in their relative difference.
    """
    gap = _gap(n, a, b, elements)
    above = n * np.log((n / a) * (elements / b)) - gap / elements
    relative = gap / (n * elements + a * b)
    close = (np.abs(relative) < 0.1).nonzero()[0]
    if len(close):
        share, held = relative[close], n[close]
        square = share * share
        series = np.zeros(len(close))
        for power in range(17, 1, -2):
            series = (series + 1 / power) * square
        all_ = elements if np.ndim(elements) == 0 else np.asarray(elements)[close]
        above[close] = share * (gap[close] / all_ + 2 * held * series)
    return np.asarray(above)


def _gap(n: Floats, a: Floats, b: Floats, elements: Floats | float) -> Floats:
    """n*N - a*b, rounded once: whole numbers whose products may be too large for a float."""
    if np.max(elements, initial=0.0) ** 2 <= EXACT:
        return np.asarray(n * elements - a * b)
    (near, lost), (near_ab, lost_ab) = product(n, np.asarray(elements)), product(a, b)
    return np.asarray((near - near_ab) + (lost - lost_ab))


def _empty_pairs(rows: Rows, elements: Floats) -> Array:
    """The sum of a*b over the pairs of clusters that have nothing in common, exact: those of all pairs make N*N."""
    kind = np.float64 if elements.max(initial=0.0) ** 2 <= EXACT else object
    a, b, all_ = (column.astype(np.int64).astype(kind) for column in (rows.a, rows.b, elements))
    held = a * b if rows.times is None else a * b * rows.times
    group = np.zeros(len(held), np.int64) if rows.document is None else rows.document
    return np.asarray(all_ * all_ - add_integers(held, group, len(elements)))


def ranked(values: Array, bound: int) -> tuple[Array, Array]:
    """The distinct values, none above ``bound``, and each one's group; by address where the values are small."""
    few = 4 * len(values) + 1024
    if bound <= few or (len(values) and int(values.max()) <= few):
        seen = np.bincount(values)
        used = (seen > 0).nonzero()[0]
        if len(used) == len(seen):
            return used, values
        rank = np.zeros(len(seen), np.int64)
        rank[used] = np.arange(len(used))
        return used, rank[values]
    unique, group = np.unique(values, return_inverse=True)
    return unique, group


def _compact(sizes: Array) -> Array:
    """Sizes in as little memory as holds them: more of them stay in the cache."""
    top = int(sizes.max())
    return sizes.astype(np.uint8 if top < 2**8 else np.uint16 if top < 2**16 else np.uint32) if top < 2**32 else sizes
