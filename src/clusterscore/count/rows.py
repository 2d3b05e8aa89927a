"""Cells by their numbers alone, and what the element-wise measures take from them: exact sums, one per denominator."""

from __future__ import annotations

from math import fsum
from typing import NamedTuple

import numpy as np

from clusterscore.count.sums import Adder, Floats, add_integers, add_up, quotients, squares
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
