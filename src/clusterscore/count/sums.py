"""Sums that do not depend on the order of their terms.

The same counts must give the same score to the last bit, whoever counted and in whatever order. Integers are
added exactly. Floats are split into a multiple of a common power of two, whose sum is exact in any order, and a
remainder so small that its rounding does not reach the result.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from clusterscore.distinct import Array

Floats = npt.NDArray[np.float64]

EXACT = 2.0**53  # whole numbers up to here are exact in a float
_FEW = 2048


def add_up(terms: Array, document: Array | None = None, documents: int = 1) -> Floats:
    """The sum of ``terms`` for each document, the same whatever the order of the terms."""
    if document is None and len(terms) <= _FEW:
        return np.array([math.fsum(terms.tolist())])
    terms = terms.astype(np.float64, copy=False)
    magnitude = float(np.abs(terms).sum())
    if not magnitude:
        return np.zeros(documents)
    unit = 2.0 ** (math.frexp(magnitude)[1] - 50)
    shift = 1.5 * 2.0**52 * unit
    coarse = (terms + shift) - shift
    if document is None:
        return np.array([float(coarse.sum()) + float((terms - coarse).sum())])
    fine = np.bincount(document, terms - coarse, documents)
    return np.asarray(np.bincount(document, coarse, documents) + fine)


def add_integers(numbers: Array, groups: Array, size: int) -> Array:
    """The sums of whole ``numbers`` in ``size`` groups, exact: floats while they can hold them, else Python's integers.

    ``numbers`` are floats that hold whole numbers, or Python integers.
    """
    if numbers.dtype != object:
        return np.bincount(groups, numbers, size)
    sums = np.zeros(size, object)
    np.add.at(sums, groups, numbers)
    return sums


def squares(n: Array, times: Array | None, elements: int) -> tuple[Array, Array]:
    """``times * n`` and ``times * n * n``, exact: floats, or Python's integers where those are too small."""
    one = n.astype(np.float64) if times is None else n * times.astype(np.float64)
    two = one * n
    if elements * elements < EXACT or float(two.sum()) < EXACT:
        return one, two
    exact = n.astype(object) if times is None else n.astype(object) * times.astype(object)
    return exact, exact * n.astype(object)


def pairs(size: Array, count: Array | None, document: Array | None, documents: int) -> Array:
    """The number of pairs inside clusters of these sizes, for each document: exact.

    Floats while they hold every whole number (below 2**53), else Python's integers.
    """
    wide = size.astype(np.float64)
    inside = wide * (wide - 1) / 2
    if count is not None:
        inside *= count
    if float(inside.sum()) < EXACT:
        if document is None:
            return np.array([inside.sum()])
        return np.bincount(document, inside, documents)
    exact = size.astype(object)
    exact = exact * (exact - 1) // 2
    if count is not None:
        exact = exact * count.astype(np.int64).astype(object)
    sums = np.zeros(documents, object)
    np.add.at(sums, np.zeros(len(exact), np.intp) if document is None else document, exact)
    return sums


def divide(top: Any, bottom: Any, otherwise: Any) -> Floats:
    """``top / bottom``, and ``otherwise`` where ``bottom`` is zero."""
    top, bottom = np.asarray(top, np.float64), np.asarray(bottom, np.float64)
    empty = bottom == 0
    if not empty.any():
        return np.asarray(top / bottom)
    return np.asarray(np.where(empty, otherwise, top / np.where(empty, 1.0, bottom)), np.float64)
