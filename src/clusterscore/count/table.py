"""Table: the counts that all scores are made of, counted once and read by every metric."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from clusterscore.align.policies import DEFAULT, Policy
from clusterscore.count.cells import Cells
from clusterscore.count.counts import Counts, Directions, Members, NotASum, once, refuse_single
from clusterscore.count.rows import (
    ONE_BY_ONE,
    Credits,
    DenominatorSums,
    Logs,
    Matches,
    Rows,
    Sizes,
    by_denominator,
    credits_of_cells,
    credits_of_documents,
    credits_of_sums,
    log_sums,
)
from clusterscore.count.sums import EXACT, Floats, add_integers, add_up, divide, floats, halved, whole_product
from clusterscore.count.supersets import Supersets
from clusterscore.distinct import Array, Ints
from clusterscore.exceptions import InputError, InputTypeError
from clusterscore.nouns import Field, noun, plural

if TYPE_CHECKING:
    from clusterscore.align.timeline import Timeline
    from clusterscore.read.coreference.mentions import Mentions


class Table:
    """The counts that all scores are made of: how many elements each gold cluster shares with each predicted one.

    Made once, scored by everything: every function takes a table instead of gold and prediction.

    >>> import clusterscore as cs
    >>> table = cs.Table.from_labels([0, 0, 0, 1, 1, 2], [0, 0, 1, 1, 1, 2])
    >>> table
    Table(6 elements, 3 gold clusters, 3 predicted clusters, 4 cells)
    >>> cs.bcubed(table).precision == cs.bcubed([0, 0, 0, 1, 1, 2], [0, 0, 1, 1, 1, 2]).precision
    True

    Cell k counts the ``n[k]`` elements that lie in gold cluster ``gold[k]`` and predicted cluster ``pred[k]``;
    ``gold_size`` and ``pred_size`` are the sizes of the clusters, ``a`` and ``b`` those of each cell. A table that an
    engine counted has these numbers, but does not know which clusters they belong to.
    """

    def __init__(
        self,
        counts: Counts,
        *,
        documents: Sequence[Any] = (None,),
        one_sided: tuple[int, int] = (0, 0),
        policy: Policy = DEFAULT,
        dropped: tuple[int, int] = (0, 0),
        noise: tuple[int, int] = (0, 0),
        unit: str = "documents",
        members: Members | None = None,
        population: int | None = None,
        field: Field | None = None,
        directions: Directions | None = None,
        timeline: Timeline | None = None,
        whole: Table | None = None,
        absent: int = 0,
    ):
        self.counts = counts
        self.documents = documents
        self.one_sided = one_sided  # elements only in gold, only in the prediction
        self.policy = policy
        self.dropped = dropped  # elements only in gold, only in the prediction, that missing="drop" left out
        self.noise = noise  # elements left out as noise or background, by the side on which they are
        self.unit = unit  # what a row of every sum belongs to: see grouped()
        self.members = members  # the elements, for those who asked for them
        self.population = population  # how many elements the whole has, of which this holds some gold clusters
        self.field = field  # that somebody named, or that follows from the format of the files
        self.directions = directions  # where what is found depends on who looks for it, in coreference
        self.timeline = timeline  # the turns themselves, in diarization
        self.whole = whole  # the same with the background of images, where that is left out
        self.absent = absent  # gold clusters that were asked for, and that gold does not have
        self._memo: dict[tuple[Any, ...], Any] = {}
        self.weight = counts.weight  # of each cell, where elements were given weights
        self.overlapping = counts.overlapping  # then a "cluster" below is a set of clusters: see clusterscore.overlap
        self.graded = counts.graded  # and its elements belong to clusters by weights
        if not counts.checked:
            counts.check(len(documents))
        pred, gold = one_sided
        if self.overlapping:
            gold, pred = gold + self.cells.gold.uncovered, pred + self.cells.pred.uncovered
        self.uncovered = gold, pred  # how many elements are in no cluster of gold, and in none of the prediction

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.counts.check(len(self.documents))

    @classmethod
    def from_labels(cls, gold: Any, pred: Any, **options: Any) -> Table:
        """Count two clusterings of any kind; ``documents=`` and the policies as everywhere.

        ``members=True`` keeps the elements, in their order, which measures of segmentations ask for.

        >>> import clusterscore as cs
        >>> cs.Table.from_labels(["a", "a", "b"], ["x", "y", "y"]).to_matrix().tolist()
        [[1, 1], [0, 1]]
        """
        from clusterscore.count.counting import as_table

        if isinstance(gold, Table):
            raise InputTypeError("this is already a Table; from_labels makes one from two clusterings")
        return as_table(gold, pred, **options)

    @classmethod
    def from_matrix(cls, matrix: Any) -> Table:
        """A contingency matrix, dense or scipy sparse: gold clusters in rows, predicted ones in columns.

        >>> import clusterscore as cs
        >>> cs.Table.from_matrix([[5, 1], [0, 4]])
        Table(10 elements, 2 gold clusters, 2 predicted clusters, 3 cells)
        """
        from clusterscore.count.from_counts import table_from_matrix

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
        from clusterscore.count.from_counts import table_from_cells

        return table_from_cells(gold, pred, n, document, gold_size, pred_size)

    @classmethod
    def from_blocks(cls, blocks: Iterable[tuple[Any, Any]], **options: Any) -> Table:
        """Count one image or volume that comes in blocks, as pairs of label arrays or tensors, (gold, pred).

        A label means the same object in all blocks. Only counts are kept, so that blocks of an array that is mapped to
        memory need as much memory as one of them. ``background=`` as everywhere.

        >>> import clusterscore as cs
        >>> import numpy as np
        >>> gold, pred = np.array([[1, 1], [1, 2], [0, 2]]), np.array([[5, 5], [5, 6], [6, 6]])
        >>> table = cs.Table.from_blocks((gold[k : k + 1], pred[k : k + 1]) for k in range(3))
        >>> cs.aji(table) == cs.aji(gold, pred)
        True
        """
        from clusterscore.count.blocks import count_blocks

        return count_blocks(blocks, **options)

    def __repr__(self) -> str:
        of = f", {plural(len(self.documents), 'document')}" if len(self.documents) > 1 else ""
        return (
            f"Table({plural(self.elements, 'element')}, {plural(self.number('gold'), 'gold cluster')}, "
            f"{plural(self.number('pred'), 'predicted cluster')}, {plural(self.number('cell'), 'cell')}{of})"
        )

    def to_matrix(self) -> Ints:
        """The counts as a dense array, gold clusters in rows; for small tables."""
        if self.overlapping:
            raise InputError(
                noun("clusters that overlap have no contingency matrix: it would count elements several times")
            )
        dense = np.zeros((len(self.gold_size), len(self.pred_size)), np.int64)
        dense[self.gold, self.pred] = self.n
        return dense[self.gold_size > 0][:, self.pred_size > 0]

    @property
    def cells(self) -> Cells:
        """The cells with their clusters; an error where an engine kept them."""
        return self.counts.cells()

    @property
    def n(self) -> Array:
        """How many elements each cell counts."""
        return self.cells.n

    @property
    def gold(self) -> Array:
        """The gold cluster of each cell."""
        return self.cells.of_gold

    @property
    def pred(self) -> Array:
        """The predicted cluster of each cell."""
        return self.cells.of_pred

    @property
    def gold_size(self) -> Array:
        """The size of each gold cluster."""
        return self.cells.gold.size

    @property
    def pred_size(self) -> Array:
        """The size of each predicted cluster."""
        return self.cells.pred.size

    @cached_property
    def a(self) -> Array:
        """The size of each cell's gold cluster."""
        return self.gold_size.take(self.gold)

    @cached_property
    def b(self) -> Array:
        """The size of each cell's predicted cluster."""
        return self.pred_size.take(self.pred)

    @once
    def pooled(self) -> Table:
        """The same cells as one document: clusters of different documents stay different."""
        if self.counts.rows.document is None:
            return self
        directions = None if self.directions is None else self.directions.pooled()
        whole = None if self.whole is None else self.whole.pooled()
        kept: dict[str, Any] = {"one_sided": self.one_sided, "policy": self.policy}
        return Table(self.counts.pooled(), directions=directions, whole=whole, **kept)

    @cached_property
    def objects(self) -> Table:
        """The clusters but for the background of images (label 0), with all their elements; see :func:`objects`."""
        from clusterscore.count.objects import objects

        return objects(self)

    @once
    def grouped(self, unit: str) -> Table:
        """The same table seen from its gold "clusters" or its "elements": a row of every sum for each of them.

        (For each cell, in the place of elements: those of a cell are alike, and share its row.) The prediction is not
        divided: an element keeps the n, a and b that it has among all, and brings its own share of every sum. A
        measure that asks for something without such shares, like the best match of a predicted cluster, gets an error.
        """
        cells = self.cells.pooled().grouped(unit)
        rows = len(cells.gold.size) if unit == "clusters" else len(cells.n)
        return Table(cells, documents=range(rows), policy=self.policy, unit=unit)

    @cached_property
    def elements(self) -> int:
        """How many elements there are: those on both sides, and those on one side only."""
        return self.n_common + sum(self.one_sided)

    @property
    def mentions(self) -> Mentions | None:
        """What the elements are in their documents, if they are mentions of coreference."""
        return None if self.members is None else self.members.mentions

    @cached_property
    def n_common(self) -> int:
        """How many elements both sides have."""
        if self.counts.denominator_sums is not None:
            return int(self.counts.denominator_sums[0].n.sum())
        rows = self.counts.rows
        return int((rows.n if rows.times is None else rows.n * rows.times).sum())

    @cached_property
    def common(self) -> Floats:
        """Elements of each document that both sides have."""
        rows = self.counts.rows
        if rows.document is None:
            return np.array([float(self.n_common)])
        return self.total(Sizes(rows.document, rows.n, rows.times))

    @property
    def gold_elements(self) -> Floats:
        """Gold elements of each document."""
        return self.total(self.sizes("gold")) if any(self.one_sided) else self.common

    @property
    def pred_elements(self) -> Floats:
        """Predicted elements of each document."""
        return self.total(self.sizes("pred")) if any(self.one_sided) else self.common

    @property
    def document_elements(self) -> Array:
        """Elements of each document, on both sides or on one of them."""
        return (self.gold_elements + self.pred_elements - self.common).astype(np.int64)

    def clusters(self, side: str) -> Floats:
        """How many clusters ("gold", "pred") or cells ("cell") each document has.

        By gold clusters each predicted cluster counts in parts, one for each of its elements.
        """
        if self.unit == "clusters" and side == "pred":
            rows = self.rows()
            return self.add(rows.n / rows.b, rows.document, rows.times)
        sizes = self.sizes(side)
        return self.total(sizes._replace(size=sizes.size > 0)) + (self.absent if side == "gold" else 0)

    @once
    def number(self, side: str) -> int:
        """How many clusters (or cells) there are in all documents."""
        if self.overlapping and side != "cell":
            return int(np.count_nonzero(self.cluster_sizes(side)))
        return int(self.clusters(side).sum())

    def singletons(self, side: str) -> int:
        """How many clusters of this side hold one element."""
        if self.overlapping:
            return int(np.count_nonzero(self.cluster_sizes(side) == 1))
        sizes = self.sizes(side)
        return int(self.total(sizes._replace(size=sizes.size == 1)).sum())

    def cluster_sizes(self, side: str) -> Ints:
        """The sizes of the clusters of "gold" or "pred", also where they overlap; one of size 0 is none."""
        return self.cells.side(side).cluster_sizes()

    def rows(self) -> Rows:
        """Cells by their numbers alone, as arrays; equal ones may be merged."""
        return self.counts.rows_in_memory

    @once
    def credits(self, exclude_self: int, w_fp: float = 0.5, w_fn: float = 0.5) -> Credits:
        """For each document the sums over elements of TP/(TP+FP), TP/(TP+FN) and TP/(TP + w_fp*FP + w_fn*FN).

        ``exclude_self=1`` does not count the element itself (TP = n-1). 0/0 is 1: nobody else there, and nobody missed.
        The two weights add up to 1.
        """
        if w_fp == w_fn and self.counts.denominator_sums is not None:
            return credits_of_sums(self.counts.denominator_sums, exclude_self)
        rows = self.counts.rows if w_fp == w_fn else self.rows()
        if w_fp != w_fn:
            right = rows.n - exclude_self  # by the errors, so that without any the quotient is 1 to the last bit
            f = divide(right, right + w_fp * (rows.b - rows.n) + w_fn * (rows.a - rows.n), 1.0)
            return self.credits(exclude_self)._replace(f=self.add(rows.n * f, rows.document, rows.times))
        if rows.document is not None:
            return credits_of_documents(rows, exclude_self, self.n_common, len(self.documents))
        cells = len(rows.n) if rows.times is None else rows.times.sum()
        if cells <= ONE_BY_ONE and self.n_common < EXACT**0.5:
            return credits_of_cells(rows, exclude_self)
        return credits_of_sums(self._sums, exclude_self)

    @cached_property
    def _sums(self) -> list[DenominatorSums]:
        """Exact sums of n and n * n over the cells with the same denominator, of one document."""
        return by_denominator(self.rows(), self.elements)

    @once
    def sizes(self, side: str) -> Sizes:
        """The sizes of "gold" or "pred" clusters, or of cells ("cell").

        "gold common" and "pred common" are the clusters without the elements that the other side does not have.
        """
        if self.unit != "documents":
            refuse_single(self.unit, side)
        if side == "cell":
            rows = self.rows()
            return Sizes(rows.document, rows.n, rows.times)
        return self.counts.sizes(side if any(self.one_sided) else side.removesuffix(" common"))

    @once
    def pairs(self, side: str) -> Array:
        """How many pairs of elements lie together, in "gold", "pred", or both ("cell"), in each document; exact.

        By gold clusters or elements each pair counts half with either of its two elements.
        """
        which = side.removesuffix(" common")
        if side != "cell" and any(self.one_sided):
            document, n, times = self.sizes(side)
            size = n
        elif self.counts.denominator_sums is not None:
            sums = self.counts.denominator_sums[which == "gold"]
            n, nn, denominator = (column.astype(object) for column in (sums.n, sums.nn, sums.denominator))
            return halved(np.array([(nn - n if which == "cell" else n * (denominator - 1)).sum()]))
        else:
            rows = self.counts.rows
            document, n, times = rows.document, rows.n, rows.times
            size = {"cell": n, "gold": rows.a, "pred": rows.b}[which]
        factors = [n, size - 1] if times is None else [n, size - 1, times]
        return halved(add_integers(whole_product(*factors), document, len(self.documents)))

    def triples(self, side: str) -> Array:
        """How many ordered triples of common elements lie together, in "gold" or "pred", in each document; exact."""
        if self.unit != "documents":
            raise NotASum(noun("triples of elements"))
        rows = self.rows()
        size = rows.a if side == "gold" else rows.b
        factors = [rows.n, size - 1, size - 2, *([] if rows.times is None else [rows.times])]
        return add_integers(whole_product(*factors), rows.document, len(self.documents))

    def pair_base(self, side: str, inside: bool = False) -> dict[str, Array]:
        """What all pairs of "gold", "pred" or "common" elements come from, in each document.

        ``elements``, whose pairs are counted when everything is added up, and ``other_pairs``, which are counted
        already; with ``inside`` those of different documents are no pairs.
        """
        nothing = np.zeros(len(self.documents))
        if self.unit == "documents":
            every = side == "common" or not any(self.one_sided)
            return {"elements": self.common if every else self.total(self.sizes(side)), "other_pairs": nothing}
        if inside:
            raise NotASum(noun("pairs inside documents"))
        others = (self.n_common if self.population is None else self.population) - 1
        return {"elements": nothing, "other_pairs": self.common * others / 2}

    def alone(self, side: str) -> Floats:
        """How many elements are alone in their cluster, in "gold", "pred", or both ("cell"), in each document."""
        rows = self.rows()
        size = {"cell": np.maximum(rows.a, rows.b), "gold": rows.a, "pred": rows.b}[side]
        return self.add((size == 1) * 1.0, rows.document, rows.times)

    @once
    def logs(self) -> Logs:
        """The sums that the information measures are made of, in each document: see :func:`log_sums`."""
        if self.unit != "documents":  # the number of all elements is in them, as a logarithm
            raise NotASum(noun("the entropies of its clusters"))
        return log_sums(self.counts.rows, self.common)

    def largest_total(self, side: str) -> Floats:
        """The sum over the clusters of a side of their largest cell, in each document."""
        refuse_single(self.unit, side)
        return self.total(self.counts.largest_cells(side))

    def best_matches(self, side: str, by: str) -> Matches:
        """How well the best cluster of the other side matches each one of a side: by its "f", "jaccard" or "share"."""
        refuse_single(self.unit, side)
        return self.counts.best_matches(side, by)

    @once
    def supersets(self, reading: str, everywhere: bool) -> Supersets:
        """What alphaMax needs of the cells that gain by their super-set, or with ``everywhere`` of all of them."""
        return self.counts.supersets(reading, everywhere)

    def add(self, terms: Array, document: Array | None, times: Array | None = None) -> Floats:
        """Terms, each ``times`` over, added up for each document; the order does not matter."""
        return add_up(terms, document, len(self.documents), times)

    def add_of(self, cells: Array, terms: Array) -> Floats:
        """Terms of some of the cells, added up for each document."""
        document = self.cells.document
        return self.add(terms, None if document is None else document[cells])

    def total(self, sizes: Sizes) -> Floats:
        """Whole numbers added up for each document."""
        numbers = sizes.size if sizes.times is None else sizes.size * sizes.times
        return add_integers(floats(numbers), sizes.document, len(self.documents))
