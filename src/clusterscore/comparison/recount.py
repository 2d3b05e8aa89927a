"""Measures that are not sums over documents: resamples are counted again, many of them as documents of one table."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from clusterscore.count.sums import Floats
from clusterscore.count.table import Table
from clusterscore.distinct import Array
from clusterscore.engines.fetched import Fetched
from clusterscore.metrics.metric import Metric

_AT_ONCE = 1 << 20  # cells counted together


class Recount:
    """One such measure on one system.

    A unit that is drawn three times is there three times, its clusters different from those of its copies: its cells
    count three times, and nothing else changes.
    """

    def __init__(self, metric: Metric, table: Table, order: Array):
        self._metric, self._policy = metric, table.policy
        unit = np.empty(len(order), np.int64)
        unit[order] = np.arange(len(order))  # of each of the table's documents
        rows = table.rows()
        self._rows = _with_units(rows, unit)
        self._needs = {need: _with_units(getattr(table, str(need[0]))(*need[1:]), unit) for need in metric.needs}
        self._block = max(1, _AT_ONCE // max(1, len(rows.n)))

    def scores(self, weights: Iterator[Floats]) -> Floats:
        """The score of every resample."""
        return self._counted(weights, lambda block: [(self, block)])

    def mixed(self, other: Recount, chosen: Iterator[Floats]) -> Floats:
        """The score of every mixture: the units that were chosen, and those of another system for the rest."""
        return self._counted(chosen, lambda block: [(self, block), (other, 1 - block)])

    def _counted(self, weights: Iterator[Floats], systems: Callable[[Floats], list[tuple[Recount, Floats]]]) -> Floats:
        found = []
        for rows in weights:
            for first in range(0, len(rows), self._block):
                block = rows[first : first + self._block]
                taken = systems(block)
                counts = Fetched(
                    _joined([_times(one._rows, often) for one, often in taken]),
                    {need: _joined([_times(one._needs[need], often) for one, often in taken]) for need in self._needs},
                )
                table = Table(counts, documents=range(len(block)), policy=self._policy)
                found.append(self._metric.values(table).value)
        return np.concatenate(found) if found else np.zeros(0)


def _with_units(rows: Any, unit: Array) -> Any:
    """Rows whose document is their unit."""
    return rows._replace(document=np.zeros(len(rows.n), np.int64) if rows.document is None else unit[rows.document])


def _times(rows: Any, weights: Floats) -> Any:
    """The rows of every resample as those of a document, as often as their unit was drawn."""
    often = weights[:, rows.document].astype(np.int64)
    resample, row = often.nonzero()
    held = {name: None if column is None else column[row] for name, column in rows._asdict().items()}
    times = often[resample, row] if held["times"] is None else often[resample, row] * held["times"]
    return type(rows)(**{**held, "document": resample, "times": times})


def _joined(parts: list[Any]) -> Any:
    """Rows of the same kind, one after the other."""
    if len(parts) == 1:
        return parts[0]
    columns = zip(*parts, strict=True)
    return type(parts[0])(*(None if each[0] is None else np.concatenate(each) for each in columns))
