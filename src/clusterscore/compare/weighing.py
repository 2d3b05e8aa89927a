"""Weighted sums of parts that are exact, and so do not depend on order, blocks or threads.

A resample is a row of whole weights over the units. Each column of parts is cut into planes of digits, so short that
whatever whole weights it is multiplied with, no digit is lost when the products are added: a matrix product then is
the same, whoever adds in whatever order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from clusterscore.count.sums import Floats
from clusterscore.distinct import Array

_DIGITS = 80  # that decide: a sum's own 53, and of what it lost more than are looked at


class Sums(NamedTuple):
    """What one metric takes from every unit of one system, and how the score is made of the sum."""

    parts: Floats  # units x k
    paired: int  # so many of the first columns come in twos: a sum, and what it lost
    finish: Callable[[Floats], Floats]


class Weighing:
    """The sums of all metrics and systems at once: one matrix product for each block of weights.

    ``sums[m][s]`` is what metric m takes from system s. ``most`` is what the weights of a row add up to.
    """

    def __init__(self, sums: Sequence[Sequence[Sums]], most: int):
        self._sums = sums
        self._bits = 51 - max(1, most).bit_length()  # one to spare: two sums are added when systems change places
        self._planes = -(-_DIGITS // self._bits)
        self._seen: dict[bytes, int] = {}
        self._columns: list[Floats] = []
        self._where = [self._cut(systems) for systems in sums]
        units = len(sums[0][0].parts) if sums else 0
        self._matrix = np.column_stack(self._columns) if self._columns else np.zeros((units, 0))
        del self._columns, self._seen

    def _cut(self, systems: Sequence[Sums]) -> list[Array]:
        """The planes of one metric, for every system: columns of the matrix, -1 for one without digits."""
        near, lost = (np.stack(each) for each in zip(*map(_parted, systems), strict=True))
        largest = np.abs(near).max(axis=(0, 1), initial=0.0)
        unit = np.ldexp(1.0, np.frexp(largest)[1] - self._bits)
        where = np.full((len(systems), near.shape[2], self._planes), -1)
        rest = near
        for plane in range(self._planes):
            digits = np.rint(rest / unit) * unit
            rest = rest - digits
            if plane == 0:
                rest = rest + lost
            for system, column in zip(*digits.any(axis=1).nonzero(), strict=True):
                where[system, column, plane] = self._keep(digits[system, :, column])
            unit = unit * 2.0**-self._bits
        return list(where)

    def _keep(self, column: Floats) -> int:
        """The place of a column; equal ones, such as the number of elements, are kept once."""
        key = column.tobytes()
        if key not in self._seen:
            self._seen[key] = len(self._columns)
            self._columns.append(column)
        return self._seen[key]

    def sums(self, weights: Floats) -> Floats:
        """The sums of all columns under each row of weights; exact."""
        return np.asarray(weights @ self._matrix)

    @property
    def columns(self) -> Floats:
        """What every unit brings."""
        return self._matrix

    def scores(self, sums: Floats, metric: int, system: int) -> Floats:
        """The scores that rows of sums make."""
        return self._finish(metric, system, _taken(sums, self._where[metric][system]))

    def exchanged(self, chosen: Floats, total: Floats, metric: int, one: int, other: int) -> tuple[Floats, Floats]:
        """The scores of two systems after they changed places in the units that were not ``chosen``."""
        places = self._where[metric][one], self._where[metric][other]
        kept = [_taken(chosen, place) for place in places]
        gone = [_taken(total, place) - each for place, each in zip(places, kept, strict=True)]
        return (
            self._finish(metric, one, kept[0] + gone[1]),
            self._finish(metric, other, kept[1] + gone[0]),
        )

    def _finish(self, metric: int, system: int, planes: Floats) -> Floats:
        sums = self._sums[metric][system]
        high, low = planes[..., 0], planes[..., 1:].sum(axis=-1)
        near = high + low
        pairs = sums.paired // 2
        parts = np.empty((len(near), near.shape[1] + pairs))
        parts[:, 0 : sums.paired : 2] = near[:, :pairs]
        parts[:, 1 : sums.paired : 2] = ((high - near) + low)[:, :pairs]
        parts[:, sums.paired :] = near[:, pairs:]
        return sums.finish(parts)


def _parted(sums: Sums) -> tuple[Floats, Floats]:
    """Sums, and what they lost, as two arrays."""
    pairs, rest = sums.parts[:, : sums.paired], sums.parts[:, sums.paired :]
    near = np.concatenate([pairs[:, 0::2], rest], axis=1)
    lost = np.concatenate([pairs[:, 1::2], np.zeros_like(rest)], axis=1)
    return near, lost


def _taken(sums: Floats, where: Array) -> Floats:
    """The planes of one metric and system: rows x columns x planes."""
    wide = np.concatenate([sums, np.zeros((len(sums), 1))], axis=1)  # a plane without digits is the last column
    return np.asarray(wide[:, where])
