"""Sums that do not depend on the order of their terms.

The same counts must give the same score to the last bit, whoever counted and in whatever order. Integers are
added exactly. Floats are split into a multiple of a common power of two, whose sum is exact in any order, and a
remainder so small that its rounding does not reach the result.
"""

from __future__ import annotations

import math
from functools import reduce
from operator import mul
from typing import Any

import numpy as np
import numpy.typing as npt

from clusterscore.count import packing
from clusterscore.distinct import Array, stretches
from clusterscore.read.labels import is_tensor

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
        self._coarse += _grouped(coarse, document, len(self._coarse))
        self._fine += _grouped(fine, document, len(self._fine))

    @property
    def sums(self) -> Floats:
        """The sum of each document."""
        return np.asarray(self._coarse + self._fine)


def floats(column: Any) -> Any:
    """Whole numbers as floats, on the device that has them."""
    return column.double() if is_tensor(column) else column.astype(np.float64)


def _grouped(numbers: Array, group: Array | None, size: int) -> Array:
    return np.array([numbers.sum()]) if group is None else np.bincount(group, numbers, size)


def add_up(terms: Any, document: Any = None, documents: int = 1, times: Any = None) -> Floats:
    """The sum of ``terms`` for each document, each ``times`` over.

    It is the same whatever the order of the terms, and whether one is there three times or once with ``times`` 3.
    """
    if is_tensor(terms):
        return np.asarray(packing.add_up(terms, document, documents, times))
    terms = terms.astype(np.float64, copy=False)
    if document is None and times is None and len(terms) <= _FEW:
        return np.array([math.fsum(terms.tolist())])
    magnitude = 0.0
    for start, stop in stretches(len(terms)):
        sizes = np.abs(terms[start:stop])
        if times is not None:
            sizes *= times[start:stop]  # not by a matrix product: its threads would wait for each other
        magnitude += float(sizes.sum())
    adder = Adder(magnitude, documents)
    if document is not None:
        adder.add(terms, document, times)
    else:
        for start, stop in stretches(len(terms)):
            adder.add(terms[start:stop], None, None if times is None else times[start:stop])
    return adder.sums


def product(left: Any, right: Any) -> tuple[Any, Any]:
    """Products of floats, in memory or on a device, and what each lost when it was rounded."""
    near, left_high, right_high = left * right, leading(left, _HALF), leading(right, _HALF)  # their products are exact
    left_low, right_low = left - left_high, right - right_high
    lost = left_high * right_high - near
    lost += left_low * right_high
    lost += left_high * right_low
    lost += left_low * right_low
    return near, lost


def leading(numbers: Any, dropped: int = _NOISE) -> Any:
    """Numbers rounded to all but some of their binary digits: the last few may differ where numbers should be equal."""
    spread = numbers * (2.0**dropped + 1)
    return spread - (spread - numbers)


def whole_product(*factors: Any) -> Any:
    """The products of whole numbers, term by term, exact also when they are added up.

    Floats while these hold the sum, then 64 bits, then Python's integers; on a device always 64 bits.
    """
    if is_tensor(factors[0]):
        return reduce(mul, (factor.long() for factor in factors))
    product = reduce(mul, (factor.astype(np.float64) for factor in factors))
    total = float(np.add.reduce(product))
    if total < EXACT:
        return product
    return reduce(mul, (factor.astype(np.int64 if total < 2.0**62 else object) for factor in factors))


def add_integers(numbers: Any, groups: Any, size: int) -> Array:
    """The sums of whole ``numbers`` in ``size`` groups, exact: floats while they can hold them, else Python's integers.

    ``numbers`` are floats that hold them and their sums, 64 bits or Python's integers; without ``groups`` all are one.
    """
    if is_tensor(numbers):
        sums = numbers.sum().reshape(1) if groups is None else packing.sums(numbers, groups, size)
        return np.asarray(sums.cpu().numpy())
    if numbers.dtype != object:
        if numbers.dtype.kind == "f" or float(np.abs(numbers).max(initial=0)) * len(numbers) < EXACT:
            return _grouped(numbers, groups, size)
        high, low = (_grouped(part, groups, size) for part in (numbers >> _HALF, numbers & (1 << _HALF) - 1))
        sums = high * (1 << _HALF) + low
        if np.abs(sums).max(initial=0) < EXACT:
            return np.asarray(sums)
        return np.asarray(high.astype(np.int64).astype(object) * (1 << _HALF) + low.astype(np.int64))
    sums = np.zeros(size, object)
    np.add.at(sums, np.zeros(len(numbers), np.intp) if groups is None else groups, numbers)
    return sums


def exact_as_held(sums: Array) -> Array:
    """Whole numbers as floats if these hold all of them, else as Python's integers."""
    return sums.astype(np.float64 if sums.max(initial=0) < EXACT else object)


def halved(sums: Array) -> Array:
    """Half of whole numbers: floats while they hold these, else Python's integers."""
    if sums.dtype.kind == "f" or sums.max(initial=0) < EXACT:
        return np.asarray(sums / 2, np.float64)
    return np.array([number // 2 if number % 2 == 0 else number / 2 for number in sums.tolist()], object)


def divide(top: Any, bottom: Any, otherwise: Any) -> Floats:
    """``top / bottom``, and ``otherwise`` where ``bottom`` is zero."""
    top, bottom = np.asarray(top, np.float64), np.asarray(bottom, np.float64)
    if np.count_nonzero(bottom) == bottom.size:
        return np.asarray(top / bottom)
    empty = bottom == 0
    return np.asarray(np.where(empty, otherwise, top / np.where(empty, 1.0, bottom)), np.float64)
