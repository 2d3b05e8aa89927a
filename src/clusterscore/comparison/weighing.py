"""Resamples as sums: a row of weights over the units, times what each unit brings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from clusterscore.count.sums import Floats
from clusterscore.metrics.metric import Parts


class Sums(NamedTuple):
    """What one metric takes from every unit of one system, and how the score is made of the sum."""

    parts: Parts
    finish: Callable[[Parts], Floats]


class Weighing:
    """The sums of all metrics and systems at once: one matrix product for each block of weights.

    ``sums[m][s]`` is what metric m takes from system s.
    """

    def __init__(self, sums: Sequence[Sequence[Sums]]):
        self._sums = sums
        seen: dict[bytes, int] = {}  # equal columns, such as the number of elements, are kept once
        columns: list[Floats] = []
        self._where: list[list[dict[str, int]]] = []
        for systems in sums:
            self._where.append([])
            for one in systems:
                places = {}
                for name, part in one.parts.items():
                    column = part.astype(np.float64)
                    places[name] = seen.setdefault(column.tobytes(), len(columns))
                    if places[name] == len(columns):
                        columns.append(column)
                self._where[-1].append(places)
        self.columns = np.column_stack(columns)  # what every unit brings

    def sums(self, weights: Floats) -> Floats:
        """The sums of all columns under each row of weights."""
        return np.asarray(weights @ self.columns)

    def scores(self, sums: Floats, metric: int, system: int) -> Floats:
        """The scores that rows of sums make."""
        where = self._where[metric][system]
        return self._sums[metric][system].finish({name: sums[:, column] for name, column in where.items()})

    def exchanged(self, chosen: Floats, total: Floats, metric: int, one: int, other: int) -> tuple[Floats, Floats]:
        """The scores of two systems after they changed places in the units that were not ``chosen``."""
        gone = total - chosen
        found = []
        for mine, its in ((one, other), (other, one)):
            kept, taken = self._where[metric][mine], self._where[metric][its]
            parts = {name: chosen[:, kept[name]] + gone[:, taken[name]] for name in kept}
            found.append(self._sums[metric][mine].finish(parts))
        return found[0], found[1]
