"""MergedTable: what an engine sends back. Cells by their numbers alone, equal ones as one row with a multiplicity."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from clusterscore.align.policies import DEFAULT, Policy
from clusterscore.count.rows import Matches, Rows, Sizes
from clusterscore.count.sums import Floats
from clusterscore.count.supersets import Supersets
from clusterscore.count.table import Need, Table, check_numbers
from clusterscore.distinct import Array, distinct
from clusterscore.exceptions import InputError
from clusterscore.remember import lazy, once


class MergedTable(Table):
    """A table that was counted elsewhere: in a database, on a cluster, on a graphics card.

    It holds the distinct (document, n, a, b) with their multiplicity, from which most measures are made, and beside
    them what the other measures that were asked for need. Which clusters the cells belong to stayed there.
    """

    def __init__(
        self,
        rows: Rows,
        known: Mapping[Need, Any],
        *,
        documents: Sequence[Any] = (None,),
        one_sided: tuple[int, int] = (0, 0),
        policy: Policy = DEFAULT,
    ):
        self._rows, self._known = rows, known
        self.documents, self.one_sided, self.policy = documents, one_sided, policy
        self.weight = None
        self._memo: dict[tuple[Any, ...], Any] = {}

    def _check(self) -> None:
        if self._rows.document is not None:
            check_numbers(self._rows.document, len(self.documents), "documents of the cells", len(self._rows.n))

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name not in CELLS:
            raise AttributeError(name)
        raise InputError(
            "this table was counted by an engine, which sends back how large cells are, not which clusters they belong "
            'to; count with cs.Table.from_labels, or engine="arrays", to have them'
        )

    def rows(self) -> Rows:
        return self._rows

    @once
    def pooled(self) -> Table:
        if self._rows.document is None:
            return self
        known = {need: self._pooled(value) for need, value in self._known.items()}
        rows = self._rows._replace(document=None)
        return MergedTable(rows, known, one_sided=self.one_sided, policy=self.policy)

    def _pooled(self, value: Any) -> Any:
        if isinstance(value, np.ndarray):
            return np.array([value.sum()])
        return value._replace(document=None)

    @lazy
    def n_common(self) -> int:
        return int(self.common.sum())

    @lazy
    def common(self) -> Floats:
        rows = self._rows
        return self.whole(rows.n if rows.times is None else rows.n * rows.times, rows.document)

    @lazy
    def gold_elements(self) -> Floats:
        return self._elements("gold")

    @lazy
    def pred_elements(self) -> Floats:
        return self._elements("pred")

    def _elements(self, side: str) -> Floats:
        if not any(self.one_sided):
            return self.common
        sizes = self.sizes(side)
        assert sizes.times is not None
        return self.whole(sizes.size * sizes.times, sizes.document)

    def clusters(self, side: str) -> Floats:
        sizes = self.sizes(side)
        assert sizes.times is not None
        return self.whole(sizes.times, sizes.document)

    @once
    def number(self, side: str) -> int:
        return int(self.clusters(side).sum())

    def singletons(self, side: str) -> int:
        sizes = self.sizes(side)
        assert sizes.times is not None
        return int(sizes.times[sizes.size == 1].sum())

    @once
    def sizes(self, side: str) -> Sizes:
        rows = self._rows
        times = np.ones(len(rows.n), np.int64) if rows.times is None else rows.times
        if side == "cell":
            return self._merged(rows.document, rows.n, times)
        if any(self.one_sided):
            given: Sizes = self._take("sizes", side)
            assert given.times is not None
            held = given.size > 0  # a cluster may have nothing in common with the other side
            document = None if given.document is None else given.document[held]
            return self._merged(document, given.size[held], given.times[held])
        # the cells of a cluster of size a add up to a: so many elements in cells of clusters of that size, so many / a
        size = rows.a if side.startswith("gold") else rows.b
        sums = self._merged(rows.document, size, rows.n * times)
        assert sums.times is not None
        return sums._replace(times=sums.times // sums.size)

    def _merged(self, document: Array | None, size: Array, times: Array) -> Sizes:
        columns = [(size, int(size.max(initial=0)) + 1)]
        if document is not None:
            columns.insert(0, (document, len(self.documents)))
        found = distinct(*columns, times=times)
        sizes = found.column(len(columns) - 1)
        if document is not None:
            return Sizes(found.column(0), sizes, found.counts)
        order = sizes.argsort()
        return Sizes(None, sizes[order], found.counts[order])

    def largest_total(self, side: str) -> Floats:
        return np.asarray(self._take("largest_total", side))

    def best_matches(self) -> Matches:
        found: Matches = self._take("best_matches")
        return found

    def supersets(self, reading: str, everywhere: bool) -> Supersets:
        found: Supersets = self._take("supersets", reading, everywhere)
        return found

    def _take(self, *need: str | bool) -> Any:
        if need not in self._known:
            raise InputError(
                "this table was counted for other measures; name all you want in metrics= of one cs.score_table"
            )
        return self._known[need]


CELLS = {"gold", "pred", "n", "a", "b", "gold_size", "pred_size", "gold_name", "pred_name", "gold_document",
          "pred_document", "cell_document", "_gold", "_pred"}  # fmt: skip
