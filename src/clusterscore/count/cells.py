"""Cells in memory: which gold cluster shares how many elements with which predicted one."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from clusterscore.count.counts import Counts
from clusterscore.count.rows import FEW, MATCHES, Matches, Rows, Sizes, merged
from clusterscore.count.supersets import ARRAYS, MOST_SQUARED, Supersets, find_supersets
from clusterscore.distinct import Array, Decoded, Ints, distinct_rows
from clusterscore.exceptions import InputError, InputTypeError
from clusterscore.nouns import noun, plural
from clusterscore.read.label_sets import LabelSets
from clusterscore.read.labels import plain
from clusterscore.read.names import Names

_AT_ONCE = 1 << 18  # cells whose super-sets are looked at together,
_MANY = 1 << 21  # where there are more than so many


class ClusterNames(NamedTuple):
    """From a cluster's number to what the user calls it; None for an element that a policy left alone."""

    names: Sequence[Any] | Array
    codes: Ints | None = None  # the place of each cluster's name; None where that is its number

    def __call__(self, cluster: int) -> Any:
        code = cluster if self.codes is None else int(self.codes[cluster])
        return plain(self.names[code]) if code < len(self.names) else None

    def places(self, clusters: Ints) -> Ints:
        """Where the names of some clusters are; a place beyond the names is an element that a policy left alone."""
        return clusters if self.codes is None else self.codes[clusters]

    def column(self, used: Ints, size: int) -> Array:
        """A column with the name of each number below ``size``; those that are not ``used`` have none."""
        names = Names(self.names).take(self.places(used))
        if len(used) == size:
            return names
        column = np.zeros(size, names.dtype)
        column[used] = names
        return column


class Clusters(NamedTuple):
    """The clusters of one side: that of each cell, how many elements each holds, its document and its name."""

    of_cell: Array | Decoded
    size: Array
    document: Array | None = None
    name: ClusterNames = ClusterNames(range(2**62))  # a number
    old: Array | None = None  # whether each is an old class, in category discovery

    @property
    def graded(self) -> bool:
        """Whether elements belong to clusters by weights."""
        sets = self.name.names
        return type(sets) is LabelSets and sets.weight is not None

    @property
    def uncovered(self) -> int:
        """How many elements are in the set without clusters."""
        sets = self.name.names
        return int(self.size[sets.sizes == 0].sum()) if type(sets) is LabelSets else 0

    def cluster_sizes(self) -> Ints:
        """The size of each cluster, where those above are sets of overlapping clusters; one of size 0 is none."""
        sets = self.name.names
        if type(sets) is not LabelSets:
            return self.size.astype(np.int64)
        return np.bincount(sets.cluster, self.size[sets.set_of]).astype(np.int64)


class Cells(Counts):
    """The cells of a table with their clusters.

    Cell k counts the ``n[k]`` elements that lie in gold cluster ``gold.of_cell[k]`` and predicted cluster
    ``pred.of_cell[k]``. Sizes are kept apart from the cells because a cluster may hold elements that the other side
    does not have. A cluster number that nobody uses has size 0: integer labels are their own numbers, and closing
    the gaps would cost more than counting.

    Where clusterings overlap, "cluster" means a set of clusters, the elements that belong to these and no others: see
    :mod:`clusterscore.overlap`.
    """

    def __init__(
        self,
        n: Array,
        gold: Clusters,
        pred: Clusters,
        weight: Array | None = None,
        *,
        group: Array | None = None,
        memo: dict[tuple[Any, ...], Any] | None = None,
    ):
        self.n, self.gold, self.pred, self.weight = n, gold, pred, weight
        self.overlapping = type(gold.name.names) is LabelSets or type(pred.name.names) is LabelSets
        self.graded = self.overlapping and (gold.graded or pred.graded)
        self._group = group  # of each cell, where that is not the document of its gold cluster
        self._memo = {} if memo is None else memo  # what does not depend on documents, for all groupings of these cells
        self.checked = isinstance(gold.of_cell, Decoded)  # counted just now

    def cells(self) -> Cells:
        return self

    def check(self, documents: int) -> None:
        """Raise for numbers of clusters and documents that nobody has: they would read memory which is not there."""
        for side, clusters in (("gold", self.gold), ("pred", self.pred)):
            sizes = len(clusters.size)
            check_numbers(clusters.of_cell[:], sizes, f"{side} {noun('clusters')} of the cells", len(self.n))
            check_numbers(clusters.size, None, f"sizes of the {side} {noun('clusters')}", sizes)
            if clusters.document is not None:
                check_numbers(
                    clusters.document, documents, f"{noun('documents')} of the {side} {noun('clusters')}", sizes
                )
        check_numbers(self.n, None, "counts of the cells", len(self.n))

    def side(self, side: str) -> Clusters:
        """The clusters of "gold" or "pred"."""
        return self.gold if side == "gold" else self.pred

    @cached_property
    def of_gold(self) -> Array:
        """The gold cluster of each cell."""
        return self.gold.of_cell[:]

    @cached_property
    def of_pred(self) -> Array:
        """The predicted cluster of each cell."""
        return self.pred.of_cell[:]

    @cached_property
    def document(self) -> Array | None:
        """The document of each cell."""
        if self._group is not None or self.gold.document is None:
            return self._group
        return self.gold.document[self.of_gold]

    def pooled(self) -> Cells:
        gold, pred = self.gold._replace(document=None), self.pred._replace(document=None)
        return Cells(self.n, gold, pred, self.weight, memo=self._memo)

    def grouped(self, unit: str) -> Cells:
        """The same cells in the place of documents by their gold "clusters", or each by itself ("elements")."""
        pred = self.pred._replace(document=None)
        if unit == "clusters":
            gold = self.gold._replace(document=np.arange(len(self.gold.size)))
            return Cells(self.n, gold, pred, self.weight, memo=self._memo)
        gold = self.gold._replace(document=None)
        return Cells(self.n, gold, pred, self.weight, group=np.arange(len(self.n)), memo=self._memo)

    @cached_property
    def rows(self) -> Rows:  # type: ignore[override]
        """Cells by their numbers alone; many of one document with equal ones merged."""
        one_document = self._group is None and self.gold.document is None
        if self.weight is None and one_document and len(self.n) > FEW:
            rows = merged(self.n, (self.gold.size, self.gold.of_cell), (self.pred.size, self.pred.of_cell))
            if rows is not None:
                return rows
        a, b = self.gold.size.take(self.gold.of_cell[:]), self.pred.size.take(self.pred.of_cell[:])
        return Rows(None if one_document else self.document, self.n, a, b, None, self.weight)

    def sizes(self, side: str) -> Sizes:
        own = side.removesuffix(" common")
        clusters = self.gold if own == "gold" else self.pred
        size = clusters.size
        if side != own:
            size = np.zeros(len(clusters.size), np.int64)
            np.add.at(size, self.of_gold if own == "gold" else self.of_pred, self.n)
        return Sizes(clusters.document, size, None)

    def largest_cells(self, side: str) -> Sizes:
        clusters = self.side(side)
        best = ARRAYS.maxima(self.n, self.of_gold if side == "gold" else self.of_pred, len(clusters.size))
        return Sizes(clusters.document, best, None)

    def best_matches(self, side: str, by: str) -> Matches:
        own, other = (self.gold, self.pred) if side == "gold" else (self.pred, self.gold)
        cluster = own.of_cell[:]
        part, whole = MATCHES[by](self.n, own.size[cluster], other.size[other.of_cell[:]])
        return Matches(own.document, own.size, ARRAYS.maxima(part / whole, cluster, len(own.size)), None)

    def supersets(self, reading: str, everywhere: bool) -> Supersets:
        n = self.n if self.n.sum() < MOST_SQUARED else self.n.astype(object)
        sides = (self.of_gold, len(self.gold.size)), (self.of_pred, self.pred.size)
        where, columns = find_supersets(n, *sides, reading, everywhere, ARRAYS)
        places = where.nonzero()[0]
        every = slice(None) if len(places) == len(n) else places  # without a copy of what is there already

        def numbers(some: Array | slice) -> dict[str, Array]:
            a, b = self.gold.size[self.of_gold[some]], self.pred.size[self.of_pred[some]]
            return {"n": self.n[some], "a": a, "b": b, **columns(some)}

        document, weight = (None if column is None else column[every] for column in (self.document, self.weight))
        if document is not None or weight is not None or n.dtype == object or len(places) <= _MANY:
            return Supersets(document=document, weight=weight, times=None, **numbers(every))
        blocks: list[dict[str, Array]] = []
        for start in range(0, len(places), _AT_ONCE):  # where many are alike, they are never all there at once
            part = numbers(places[start : start + _AT_ONCE])
            first, row = distinct_rows(list(part.values()))
            if not blocks and 2 * len(first) > len(row):
                return Supersets(document=None, weight=None, times=None, **numbers(every))
            blocks.append({**{name: column[first] for name, column in part.items()}, "times": np.bincount(row)})
        merged = {name: np.concatenate([block[name] for block in blocks]) for name in blocks[0]}
        return Supersets(document=None, weight=None, **merged)


def check_numbers(values: Any, below: int | None, what: str, count: int) -> None:
    """Raise unless these are ``count`` whole numbers from 0 up, and below a bound where there is one."""
    whole = isinstance(values, np.ndarray) and values.ndim == 1 and values.dtype.kind in "iu"
    if not whole or len(values) != count:
        raise InputTypeError(f"this cannot be made into a table: the {what} are no array of {count:,} whole numbers")
    bad = values[(values < 0) | (values >= (2**63 - 1 if below is None else below))]
    if len(bad):
        bound = "0 up" if below is None else f"0 to {below - 1:,}" if below else "none"
        raise InputError(
            f"this cannot be made into a table: {plural(len(bad), 'number')} among the {what} out of range "
            f"(e.g. {bad[0]}; possible: {bound}); Table.from_cells makes one of names and counts"
        )
