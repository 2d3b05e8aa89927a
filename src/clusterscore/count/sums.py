"""Sums that do not depend on the order of their terms.

The same counts must give the same score, whoever counted and in whatever order. Integers are added exactly. Floats
are split into a multiple of a common power of two, whose sum is exact in any order, and a remainder so small that its
rounding does not reach the result.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from clusterscore.distinct import Array, stretches

Floats = npt.NDArray[np.float64]

EXACT = 2.0**53  # whole numbers up to here are exact in a float
_FEW = 2048
_SMALLEST = 1e-200  # far below any sum of fractions of elements
_LOWEST = 1073  # the smallest float is 2**-1074, half of 2**-1073
_UNIT = 1 << (_LOWEST + 53)
_AT_ONCE = 2**26  # sums of so many numbers of 27 bits stay below 2**53


class Adder:
    """Adds up terms, stretch by stretch, for each document; the sums do not depend on the order.

    ``bound`` is what the sizes of all terms together do not pass (by more than a factor of four).
    """

    def __init__(self, bound: float, documents: int = 1):
        unit = 2.0 ** (math.frexp(bound)[1] - 48)
        self._shift = 1.5 * 2.0**52 * unit
        self._coarse, self._fine = np.zeros(documents), np.zeros(documents)

    def add(
        self, terms: Array, document: Array | None = None, times: Array | None = None, rest: Array | None = None
    ) -> None:
        """Add terms, each to its document and ``times`` over; ``rest`` is what they lost when they were rounded."""
        coarse = terms + self._shift
        coarse -= self._shift
        fine = terms - coarse
        if rest is not None:
            fine += rest
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
        """The sum of each document, and what it lost when it was rounded."""
        near = self._coarse + self._fine
        return np.column_stack([near, (self._coarse - near) + self._fine])


def add_up(
    terms: Array,
    document: Array | None = None,
    documents: int = 1,
    times: Array | None = None,
    rest: Array | None = None,
) -> Floats:
    """The sum of ``terms`` for each document, each ``times`` over, and what that sum lost when it was rounded.

    It is the same whatever the order of the terms, and whether one stands there three times or once with ``times`` 3.
    """
    terms = terms.astype(np.float64, copy=False)
    if document is None and len(terms) <= _FEW:
        exact = terms if rest is None else np.concatenate([terms, rest])
        if times is not None:
            exact = _copies(exact, times if rest is None else np.concatenate([times, times]))
        listed = exact.tolist()
        near = math.fsum(listed)
        listed.append(-near)
        return np.array([[near, math.fsum(listed)]])
    magnitude = 0.0
    for start, stop in stretches(len(terms)):
        sizes = np.abs(terms[start:stop])
        magnitude += float(sizes.sum() if times is None else sizes @ times[start:stop])
    adder = Adder(magnitude, documents)
    if document is not None:
        adder.add(terms, document, times, rest)
    else:
        for start, stop in stretches(len(terms)):
            part = (None if column is None else column[start:stop] for column in (times, rest))
            adder.add(terms[start:stop], None, *part)
    return adder.sums


def _copies(terms: Floats, times: Array) -> Floats:
    """Numbers that add up to exactly ``times`` copies of each term: products of halves fit a float without rounding."""
    high = _high(terms)
    often = np.floor(times * 2.0**-26) * 2.0**26
    parts = [half * count for half in (high, terms - high) for count in (often, times - often) if count.any()]
    return np.concatenate(parts) if parts else np.zeros(0)


def _high(numbers: Floats) -> Floats:
    """The upper half of the digits: products of halves are exact."""
    spread = numbers * (2.0**27 + 1)
    return np.asarray(spread - (spread - numbers))


def quotients(top: Array, bottom: Array) -> tuple[Floats, Floats]:
    """Whole numbers divided, and what each quotient lost when it was rounded."""
    if top.dtype == object:
        near = np.array([int(t) / int(b) for t, b in zip(top, bottom, strict=True)])
        rest = [float(Fraction(int(t), int(b)) - Fraction(n)) for t, b, n in zip(top, bottom, near, strict=True)]
        return near, np.array(rest)
    below = bottom.astype(np.float64)
    near = top / below
    if below.max(initial=0.0) < 2.0**26:  # half of the digits of the quotient times this is exact as it is
        high = _high(near)
        return near, ((top - high * below) - (near - high) * below) / below
    again, lost = product(near, below)
    return near, ((top - again) - lost) / below


def product(left: Floats, right: Floats) -> tuple[Floats, Floats]:
    """Products, and what each lost when it was rounded."""
    near, left_high, right_high = left * right, _high(left), _high(right)
    left_low, right_low = left - left_high, right - right_high
    lost = left_high * right_high - near
    lost += left_low * right_high
    lost += left_high * right_low
    lost += left_low * right_low
    return near, lost


def plus(left: Floats, right: Floats) -> Floats:
    """Two sums as :func:`add_up` gives them, added."""
    near = left[:, 0] + right[:, 0]
    shift = near - left[:, 0]
    lost = (left[:, 0] - (near - shift)) + (right[:, 0] - shift)
    return np.column_stack([near, lost + left[:, 1] + right[:, 1]])


def rounded(parts: Floats) -> Floats:
    """Sums and what they lost, in turns, put together.

    What was lost is known to far more digits than decide, but not to the last: half a digit is half a digit, even where
    the way to it left a trace of more or less, so that it is always rounded to the same side.
    """
    near, lost = parts[:, 0::2], parts[:, 1::2]
    return np.asarray(near + _settled(near, lost))


def _settled(near: Floats, lost: Floats) -> Floats:
    grain = np.spacing(np.maximum(np.abs(near), _SMALLEST)) * 2.0**-20
    return np.asarray(np.rint(lost / grain) * grain)


class Total:
    """Sums of columns, kept as whole numbers of the smallest float: exact in any order, and in constant space."""

    def __init__(self, columns: int):
        self._units = [0] * columns

    @classmethod
    def of_floats(cls, columns: Iterable[Sequence[float]]) -> Total:
        """The sums of columns of any length, such as :meth:`floats` gives."""
        total = cls(0)
        total._units = [_in_units(np.array(column, np.float64)) for column in columns]
        return total

    def floats(self) -> list[list[float]]:
        """Each sum as the few floats that add up to it without rounding, the largest first."""
        columns: list[list[float]] = []
        for units in self._units:
            columns.append([])
            while units:
                columns[-1].append(units / _UNIT)
                units -= _in_units(np.array(columns[-1][-1:]))
        return columns

    def __len__(self) -> int:
        return len(self._units)

    def add(self, rows: Floats) -> None:
        """Add rows of numbers."""
        for start in range(0, len(rows), _AT_ONCE):
            columns = rows[start : start + _AT_ONCE].T
            self._units = [old + _in_units(column) for old, column in zip(self._units, columns, strict=True)]

    def merge(self, other: Total) -> None:
        """Add what another one has added up."""
        self._units = [old + new for old, new in zip(self._units, other._units, strict=True)]

    def exact(self) -> list[Fraction]:
        """The sums."""
        return [Fraction(units, _UNIT) for units in self._units]

    def row(self, paired: int = 0) -> Floats:
        """The sums as one row of floats; of the first ``paired`` columns every second one is what the other lost."""
        units = list(self._units)
        for k in range(0, paired, 2):
            both = units[k] + units[k + 1]
            units[k] = _in_units(np.array([both / _UNIT]))
            units[k + 1] = both - units[k]
        return np.array([[whole / _UNIT for whole in units]])


def _in_units(column: Floats) -> int:
    """The exact sum of floats, as a whole number of the smallest of all floats' last digits."""
    share, power = np.frexp(column)
    lowest = int(power.min(initial=0))
    digits = (share * 2.0**53).astype(np.int64)
    total = 0
    for half, shift in ((digits >> 27, 27), (digits & (2**27 - 1), 0)):
        sums = np.bincount(power - lowest, half)  # whole numbers that a float holds
        for k in sums.nonzero()[0].tolist():
            total += int(sums[k]) << (lowest + k + _LOWEST + shift)
    return total


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
    if np.count_nonzero(bottom) == bottom.size:
        return np.asarray(top / bottom)
    empty = bottom == 0
    return np.asarray(np.where(empty, otherwise, top / np.where(empty, 1.0, bottom)), np.float64)
