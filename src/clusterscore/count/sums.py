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

from clusterscore.distinct import Array, stretches

Floats = npt.NDArray[np.float64]

EXACT = 2.0**53  # whole numbers up to here are exact in a float
_FEW = 2048
_HALF = 27  # binary digits of a float
_NOISE = 8  # binary digits that sums of the same numbers may differ in


class Adder:
    """Adds up terms, stretch by stretch, for each document; the sums do not depend on the order.

    ``bound`` is what the sizes of all terms together do not pass (by more than a factor of four).
    """

    def __init__(self, bound: float, documents: int = 1):
        unit = 2.0 ** (math.frexp(bound)[1] - 48)
        self._shift = 1.5 * 2.0**52 * unit
        self._coarse, self._fine = np.zeros(documents), np.zeros(documents)

    def add(self, terms: Array, document: Array | None = None, times: Array | None = None) -> None:
        """Add terms, each to its document and ``times`` over."""
        coarse = terms + self._shift
        coarse -= self._shift
        fine = terms - coarse
        if times is not None:
            coarse *= times
            fine *= times
        if document is None:
            self._coarse[0] += coarse.sum()
            self._fine[0] += fine.sum()
        else:
            self._coarse += np.bincount(document, coarse, len(self._coarse))
            self._fine += np.bincount(document, fine, len(self._fine))

    @property
    def sums(self) -> Floats:
        """The sum of each document."""
        return np.asarray(self._coarse + self._fine)


def add_up(terms: Array, document: Array | None = None, documents: int = 1, times: Array | None = None) -> Floats:
    """The sum of ``terms`` for each document, each ``times`` over.

    It is the same whatever the order of the terms, and whether one is there three times or once with ``times`` 3.
    """
    terms = terms.astype(np.float64, copy=False)
    if document is None and times is None and len(terms) <= _FEW:
        return np.array([math.fsum(terms.tolist())])
    magnitude = 0.0
    for start, stop in stretches(len(terms)):
        sizes = np.abs(terms[start:stop])
        magnitude += float(sizes.sum() if times is None else sizes @ times[start:stop])
    adder = Adder(magnitude, documents)
    if document is not None:
        adder.add(terms, document, times)
    else:
        for start, stop in stretches(len(terms)):
            adder.add(terms[start:stop], None, None if times is None else times[start:stop])
    return adder.sums


def product(left: Floats, right: Floats) -> tuple[Floats, Floats]:
    """Products, and what each lost when it was rounded."""
    near, left_high, right_high = left * right, leading(left, _HALF), leading(right, _HALF)  # their products are exact
    left_low, right_low = left - left_high, right - right_high
    lost = left_high * right_high - near
    lost += left_low * right_high
    lost += left_high * right_low
    lost += left_low * right_low
    return near, lost


def leading(numbers: Floats, dropped: int = _NOISE) -> Floats:
    """Numbers rounded to all but some of their binary digits: the last few may differ where numbers should be equal."""
    spread = numbers * (2.0**dropped + 1)
    return np.asarray(spread - (spread - numbers))


def add_integers(numbers: Array, groups: Array, size: int) -> Array:
    """The sums of whole ``numbers`` in ``size`` groups, exact: floats while they can hold them, else Python's integers.

    ``numbers`` are floats that hold whole numbers, or Python integers.
    """
    if numbers.dtype != object:
        return np.bincount(groups, numbers, size)
    sums = np.zeros(size, object)
    np.add.at(sums, groups, numbers)
    return sums


def pairs(n: Array, size: Array, times: Array | None, document: Array | None, documents: int) -> Array:
    """Half the sum of ``n * (size - 1)`` for each document, exact: the pairs that n elements of clusters are in.

    Floats while they hold every whole number (below 2**53), else Python's integers.
    """
    doubled = n.astype(np.float64) * (size - 1)
    if times is not None:
        doubled *= times
    if float(doubled.sum()) < EXACT:
        sums = np.array([doubled.sum()]) if document is None else np.bincount(document, doubled, documents)
        return np.asarray(sums / 2)
    exact = n.astype(object) * (size.astype(object) - 1)
    if times is not None:
        exact = exact * times.astype(object)
    sums = add_integers(exact, np.zeros(len(exact), np.intp) if document is None else document, documents)
    return np.array([number // 2 if number % 2 == 0 else number / 2 for number in sums], object)


def triples(n: Array, size: Array, times: Array | None, document: Array | None, documents: int) -> Array:
    """The sum of ``n * (size - 1) * (size - 2)`` for each document, exact: ordered triples that n elements start.

    Floats while they hold every whole number (below 2**53), else Python's integers.
    """
    ordered = n.astype(np.float64) * (size - 1) * (size - 2)
    if times is not None:
        ordered *= times
    group = np.zeros(len(ordered), np.intp) if document is None else document
    if float(ordered.sum()) < EXACT:
        return np.bincount(group, ordered, documents)
    n, size = n.astype(object), size.astype(object)
    exact = n * (size - 1) * (size - 2)
    return add_integers(exact if times is None else exact * times.astype(object), group, documents)


def divide(top: Any, bottom: Any, otherwise: Any) -> Floats:
    """``top / bottom``, and ``otherwise`` where ``bottom`` is zero."""
    top, bottom = np.asarray(top, np.float64), np.asarray(bottom, np.float64)
    if np.count_nonzero(bottom) == bottom.size:
        return np.asarray(top / bottom)
    empty = bottom == 0
    return np.asarray(np.where(empty, otherwise, top / np.where(empty, 1.0, bottom)), np.float64)
