"""What an engine sends back: cells by their numbers alone, equal ones as one row with a multiplicity."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from clusterscore.count.cells import Cells, check_numbers
from clusterscore.count.counts import Counts, Need
from clusterscore.count.rows import Matches, Rows, Sizes
from clusterscore.count.supersets import Supersets
from clusterscore.distinct import distinct
from clusterscore.exceptions import InputError
from clusterscore.messages import Option, Wording
from clusterscore.nouns import noun


class Fetched(Counts):
    """The counts of a table that was counted elsewhere: in a database, on a cluster.

    The distinct (document, n, a, b) with their multiplicity, from which most measures are made, and what the other
    measures need that were asked for. Which clusters the cells belong to stayed there.
    """

    def __init__(self, rows: Rows, known: Mapping[Need, Any]):
        self.rows, self._known = rows, known

    def check(self, documents: int) -> None:
        """Raise for a document that nobody has."""
        if self.rows.document is not None:
            check_numbers(self.rows.document, documents, noun("documents of the cells"), len(self.rows.n))

    def cells(self) -> Cells:
        """An error: they are not here."""
        raise InputError(
            "this table was counted by an engine, which sends back how large cells are, not which "
            f"{noun('clusters')} they belong to; count with ",
            Wording("cs.Table.from_labels, or ", ""),
            Option("engine", "arrays"),
            ", to have them",
        )

    def pooled(self) -> Fetched:
        known = {need: value._replace(document=None) for need, value in self._known.items()}
        return Fetched(self.rows._replace(document=None), known)

    def sizes(self, side: str) -> Sizes:
        """The clusters of a side, as they were sent, or worked out from the cells."""
        if ("sizes", side) in self._known:
            given: Sizes = self._known["sizes", side]
            return given
        # the cells of a cluster of size a add up to a: so many elements in cells of clusters of that size, so many / a
        rows = self.rows
        size = rows.a if side.startswith("gold") else rows.b
        document = np.zeros(len(size), np.int64) if rows.document is None else rows.document
        columns = (document, int(document.max(initial=0)) + 1), (size, int(size.max(initial=0)) + 1)
        by_size = distinct(*columns, times=rows.n if rows.times is None else rows.n * rows.times)
        sizes = by_size.column(1)
        return Sizes(None if rows.document is None else by_size.column(0), sizes, by_size.counts // sizes)

    def largest_cells(self, side: str) -> Sizes:
        totals: Sizes = self._take("largest_total", side)
        return totals

    def best_matches(self, side: str, by: str) -> Matches:
        matches: Matches = self._take("best_matches", side, by)
        return matches

    def supersets(self, reading: str, everywhere: bool) -> Supersets:
        supersets: Supersets = self._take("supersets", reading, everywhere)
        return supersets

    def _take(self, *need: str | bool) -> Any:
        if need not in self._known:
            raise InputError(
                "this table was counted for other measures; name all you want in ",
                Option("metrics"),
                Wording(" of one cs.score_table"),
            )
        return self._known[need]
