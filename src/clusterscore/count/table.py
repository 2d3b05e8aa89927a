"""Table: the sparse contingency table, counted once and read by every metric."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from clusterscore.align.policies import DEFAULT, Policy
from clusterscore.count.rows import (
    FEW,
    Credits,
    Logs,
    Matches,
    Rows,
    Sizes,
    Sums,
    by_denominator,
    credits_of_documents,
    credits_of_sums,
    log_sums,
    merged,
    ranked,
)
from clusterscore.count.sums import Floats, add_up, pairs
from clusterscore.count.supersets import Supersets, find_supersets
from clusterscore.distinct import Array, Decoded, Ints
from clusterscore.exceptions import InputError, InputTypeError, plural
from clusterscore.remember import lazy, once

Need = tuple[str | bool, ...]  # what a metric asks for beyond the numbers of cells: a method and its arguments


def check_numbers(values: Any, below: int | None, what: str, count: int) -> None:
    """Raise unless these are ``count`` whole numbers from 0 up, and below a bound where there is one."""
    whole = isinstance(values, np.ndarray) and values.ndim == 1 and values.dtype.kind in "iu"
    if not whole or len(values) != count:
        raise InputTypeError(f"a table cannot be made so: the {what} are no array of {count:,} whole numbers")
    bad = values[(values < 0) | (values >= (2**63 - 1 if below is None else below))]
    if len(bad):
        bound = "0 up" if below is None else f"0 to {below - 1:,}" if below else "none"
        raise InputError(
            f"a table cannot be made so: {plural(len(bad), 'number')} among the {what} out of range (e.g. {bad[0]}; "
            f"possible: {bound}); Table.from_cells makes one of names and counts"
        )


class Table:
    """The counts that all scores are made of: how many elements each gold cluster shares with each predicted one.

    Made once, scored by everything: every function takes a table in the place of gold and prediction.

    >>> import clusterscore as cs
    >>> table = cs.Table.from_labels([0, 0, 0, 1, 1, 2], [0, 0, 1, 1, 1, 2])
    >>> table
    Table(6 elements, 3 gold clusters, 3 predicted clusters, 4 cells)
    >>> cs.bcubed(table).precision == cs.bcubed([0, 0, 0, 1, 1, 2], [0, 0, 1, 1, 1, 2]).precision
    True

    Cell k counts the ``n[k]`` elements that lie in gold cluster ``gold[k]`` and predicted cluster ``pred[k]``;
    ``gold_size`` and ``pred_size`` are the sizes of the clusters. They are kept beside the cells because under
    ``missing="keep"`` a cluster may hold elements that the other side does not have. A cluster number that nobody uses
    has size 0: integer labels are their own numbers, and closing the gaps would cost more than counting.
    """

    def __init__(
        self,
        gold: Array | Decoded,
        pred: Array | Decoded,
        n: Array,
        gold_size: Array,
        pred_size: Array,
        *,
        gold_names: Callable[[int], Any] = int,
        pred_names: Callable[[int], Any] = int,
        gold_document: Array | None = None,
        pred_document: Array | None = None,
        documents: Sequence[Any] = (None,),
        weight: Array | None = None,
        one_sided: tuple[int, int] = (0, 0),
        policy: Policy = DEFAULT,
    ):
        self._gold, self._pred, self.n = gold, pred, n
        self.gold_size, self.pred_size = gold_size, pred_size
        self.gold_name, self.pred_name = gold_names, pred_names
        self.gold_document, self.pred_document = gold_document, pred_document
        self.documents = documents
        self.weight = weight
        self.one_sided = one_sided  # elements only in gold, only in the prediction
        self.policy = policy
        self._memo: dict[tuple[Any, ...], Any] = {}
        if not isinstance(gold, Decoded):  # those were counted here just now
            self._check()

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._check()

    def _check(self) -> None:
        """Numbers of clusters and documents that nobody has would read memory which is not there."""
        for side, cluster, size, document in (
            ("gold", self._gold, self.gold_size, self.gold_document),
            ("pred", self._pred, self.pred_size, self.pred_document),
        ):
            check_numbers(cluster[:], len(size), f"{side} clusters of the cells", len(self.n))
            check_numbers(size, None, f"sizes of the {side} clusters", len(size))
            if document is not None:
                check_numbers(document, len(self.documents), f"documents of the {side} clusters", len(size))
        check_numbers(self.n, None, "counts of the cells", len(self.n))

    @classmethod
    def from_labels(cls, gold: Any, pred: Any, **options: Any) -> Table:
        """Count two clusterings of any kind; ``documents=`` and the policies as everywhere.

        >>> import clusterscore as cs
        >>> cs.Table.from_labels(["a", "a", "b"], ["x", "y", "y"]).to_matrix().tolist()
        [[1, 1], [0, 1]]
        """
        from clusterscore.count.arrays import count_labels

        return count_labels(gold, pred, **options)

    @classmethod
    def from_matrix(cls, matrix: Any) -> Table:
        """A contingency matrix, dense or scipy sparse: gold clusters in rows, predicted ones in columns.

        >>> import clusterscore as cs
        >>> cs.Table.from_matrix([[5, 1], [0, 4]])
        Table(10 elements, 2 gold clusters, 2 predicted clusters, 3 cells)
        """
        from clusterscore.count.given import table_from_matrix

        return table_from_matrix(matrix)

    from_contingency = from_matrix  # the word that the field uses for it

    @classmethod
    def from_cells(
        cls,
        gold: Any,
        pred: Any,
        n: Any,
        *,
        document: Any = None,
        gold_size: Mapping[Any, int] | None = None,
        pred_size: Mapping[Any, int] | None = None,
    ) -> Table:
        """Counts cell by cell: ``n[k]`` elements lie in gold cluster ``gold[k]`` and predicted cluster ``pred[k]``.

        A cell given twice is added up. With ``document`` a cluster belongs to the document of its cell.
        ``gold_size`` and ``pred_size`` name clusters that hold more elements than their cells (elements that the
        other side lacks), or no cell at all; without documents only.

        >>> import clusterscore as cs
        >>> cs.Table.from_cells(["a", "a", "b"], ["x", "y", "y"], [10**10, 1, 5]).elements
        10000000006
        """
        from clusterscore.count.given import table_from_cells

        return table_from_cells(gold, pred, n, document, gold_size, pred_size)

    def __repr__(self) -> str:
        of = f", {plural(len(self.documents), 'document')}" if len(self.documents) > 1 else ""
        return (
            f"Table({plural(self.elements, 'element')}, {plural(self.number('gold'), 'gold cluster')}, "
            f"{plural(self.number('pred'), 'predicted cluster')}, {plural(self.number('cell'), 'cell')}{of})"
        )

    def to_matrix(self) -> Ints:
        """The counts as a dense array, gold clusters in rows; for small tables."""
        dense = np.zeros((len(self.gold_size), len(self.pred_size)), np.int64)
        dense[self.gold, self.pred] = self.n
        return dense[self.gold_size > 0][:, self.pred_size > 0]

    @lazy
    def gold(self) -> Array:
        """The gold cluster of each cell."""
        return self._gold[:]

    @lazy
    def pred(self) -> Array:
        """The predicted cluster of each cell."""
        return self._pred[:]

    @lazy
    def elements(self) -> int:
        """How many elements there are: those on both sides, and those on one side only."""
        return self.n_common + sum(self.one_sided)

    @lazy
    def n_common(self) -> int:
        """How many elements both sides have."""
        return int(np.add.reduce(self.n))

    @lazy
    def gold_elements(self) -> Floats:
        """Gold elements of each document."""
        return self._by_document(self.gold_size, self.gold_document, self.one_sided[0])

    @lazy
    def pred_elements(self) -> Floats:
        """Predicted elements of each document."""
        return self._by_document(self.pred_size, self.pred_document, self.one_sided[1])

    @lazy
    def common(self) -> Floats:
        """Elements of each document that both sides have."""
        return self._by_document(self.n, self.cell_document)

    @lazy
    def cell_document(self) -> Array | None:
        """The document of each cell."""
        return None if self.gold_document is None else self.gold_document[self.gold]

    def clusters(self, side: str) -> Floats:
        """How many clusters ("gold", "pred") or cells ("cell") each document has."""
        document = self._side(side)[1]
        if document is None:
            return np.array([float(self.number(side))])
        return np.bincount(document, minlength=len(self.documents)).astype(np.float64)

    @once
    def number(self, side: str) -> int:
        """How many clusters (or cells) there are in all documents."""
        return int(np.count_nonzero(self._side(side)[0]))

    def singletons(self, side: str) -> int:
        """How many clusters of this side hold one element."""
        return int((self._side(side)[0] == 1).sum())

    @once
    def pooled(self) -> Table:
        """The same cells as one document: clusters of different documents stay different."""
        if self.gold_document is None:
            return self
        return Table(
            self._gold, self._pred, self.n, self.gold_size, self.pred_size,
            gold_names=self.gold_name, pred_names=self.pred_name, weight=self.weight, one_sided=self.one_sided,
            policy=self.policy,
        )  # fmt: skip

    @lazy
    def a(self) -> Array:
        """The size of each cell's gold cluster."""
        return self.gold_size.take(self.gold)

    @lazy
    def b(self) -> Array:
        """The size of each cell's predicted cluster."""
        return self.pred_size.take(self.pred)

    @once
    def rows(self) -> Rows:
        """Cells by their numbers alone; of one document equal ones merged."""
        if self.weight is not None or self.gold_document is not None or len(self.n) <= FEW:
            return Rows(self.cell_document, self.n, self.a, self.b, None, self.weight)
        return merged(self.n, (self.gold_size, self._gold), (self.pred_size, self._pred))

    @once
    def sums(self) -> list[Sums]:
        """Exact sums of n and n * n over the cells with the same denominator, of one document."""
        return by_denominator(self.rows(), self.elements)

    @once
    def credits(self, less: int) -> Credits:
        """For each document the sums over elements of TP/(TP+FP), TP/(TP+FN) and 2*TP/(2*TP+FP+FN).

        ``less=1`` does not count the element itself (TP = n-1). 0/0 is 1: nobody else there, and nobody missed.
        """
        if self.rows().document is None:
            return credits_of_sums(self.sums(), less)
        return credits_of_documents(self.rows(), less, self.n_common, len(self.documents))

    @once
    def sizes(self, side: str) -> Sizes:
        """How many clusters of each size: "gold", "pred", or the sizes of the cells, "cell".

        "gold common" and "pred common" are the clusters' sizes without the elements that the other side lacks.
        """
        times: Array | None
        if side == "cell":
            rows = self.rows()
            size, document, times = rows.n, rows.document, rows.times
        elif side.endswith(" common"):
            if not any(self.one_sided):
                return self.sizes(side.removesuffix(" common"))
            (_, document), times = self._side(side.removesuffix(" common")), None
            size = self._matched(side.removesuffix(" common"))
        else:
            (size, document), times = self._side(side), None
        if document is not None:
            return Sizes(document, size, times)
        if times is None:
            size = size[size > 0]
        values, group = ranked(size, self.elements)
        count = (
            np.bincount(group, times, len(values)) if times is not None else np.bincount(group, minlength=len(values))
        )
        return Sizes(None, values, count)

    @once
    def pairs(self, side: str) -> Array:
        """How many pairs of elements lie together, in "gold", "pred", or both ("cell"), in each document; exact."""
        sizes = self.sizes(side)
        return pairs(sizes.size, sizes.times, sizes.document, len(self.documents))

    def pair_base(self, side: str, inside: bool = False) -> dict[str, Array]:
        """What all pairs of "gold", "pred" or "common" elements come from, in each document.

        ``elements``, whose pairs are counted when everything is added up, and ``other_pairs``, which are counted
        already; with ``inside`` those of different documents are no pairs.
        """
        elements = {"gold": self.gold_elements, "pred": self.pred_elements, "common": self.common}[side]
        return {"elements": elements, "other_pairs": np.zeros(len(self.documents))}

    @once
    def logs(self) -> Logs:
        """The sums that the information measures are made of, in each document: see :func:`log_sums`."""
        return log_sums(self.rows(), self.common)

    @once
    def largest(self, side: str) -> Ints:
        """The size of the largest cell of each "gold" or "pred" cluster."""
        best = np.zeros(len(self._side(side)[0]), np.int64)
        np.maximum.at(best, self.gold if side == "gold" else self.pred, self.n)
        return best

    def largest_total(self, side: str) -> Floats:
        """The sum over the clusters of a side of their largest cell, in each document."""
        return self.whole(self.largest(side), self._side(side)[1])

    def best_matches(self) -> Matches:
        """The best F of each gold cluster with a predicted one."""
        f = 2 * self.n / (self.a + self.b)
        best = np.zeros(len(self.gold_size))
        np.maximum.at(best, self.gold, f)
        return Matches(self.gold_document, self.gold_size, best, None)

    @once
    def supersets(self, reading: str, everywhere: bool) -> Supersets:
        """What alphaMax needs of the cells that gain by their super-set, or with ``everywhere`` of all of them."""
        return find_supersets(self, reading, everywhere)

    def _matched(self, side: str) -> Ints:
        held = np.zeros(len(self._side(side)[0]), np.int64)
        np.add.at(held, self.gold if side == "gold" else self.pred, self.n)
        return held

    def add(self, terms: Array, document: Array | None, times: Array | None = None) -> Floats:
        """Terms, each ``times`` over, added up for each document; the order does not matter."""
        return add_up(terms, document, len(self.documents), times)

    def whole(self, numbers: Array, document: Array | None) -> Floats:
        """Whole numbers added up for each document."""
        if document is None:
            return np.array([float(numbers.sum())])
        return np.bincount(document, numbers, len(self.documents)).astype(np.float64)

    def _side(self, side: str) -> tuple[Array, Array | None]:
        if side == "gold":
            return self.gold_size, self.gold_document
        if side == "pred":
            return self.pred_size, self.pred_document
        return self.n, self.cell_document

    def _by_document(self, size: Array, document: Array | None, only: int = 0) -> Floats:
        if document is None:
            return np.array([float(self.n_common + only)])
        return np.bincount(document, size, len(self.documents)).astype(np.float64)
