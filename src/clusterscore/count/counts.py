"""What a table is made of: where its numbers come from, and the sums that most metrics ask of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, Self, TypeVar

from clusterscore.align.policies import Pair
from clusterscore.count.rows import Credits, DenominatorSums, Logs, Matches, Rows, Sizes
from clusterscore.count.sums import Floats
from clusterscore.count.supersets import Supersets
from clusterscore.distinct import Array, Ints
from clusterscore.exceptions import MetricError
from clusterscore.nouns import noun

if TYPE_CHECKING:
    from clusterscore.count.cells import Cells
    from clusterscore.count.table import Table
    from clusterscore.read.coreference.mentions import Mentions

T = TypeVar("T")
Need = tuple[str | bool, ...]  # what a metric asks for beyond the numbers of cells: a method and its arguments


class NotASum(MetricError):
    """A measure asks for something that is not a sum over the units by which a table is grouped."""


def refuse_single(unit: str, side: str) -> None:
    """Raise where clusters of a side do not belong to single units of a grouping."""
    if unit == "documents" or side == "cell" or (unit == "clusters" and side.startswith("gold")):
        return
    raise NotASum(noun("single clusters of the prediction" if unit == "clusters" else "single clusters"))


class Sums(Protocol):
    """What most metrics ask for: sums with a row for each document, or for each cut of a tree.

    A Table has them, and its cells as well. A sweep has nothing else: the cells of all cuts would be too many.
    """

    documents: Sequence[Any]  # what the rows belong to
    unit: str  # "documents", or what a table is grouped by

    @property
    def common(self) -> Floats:
        """Elements that both sides have."""

    @property
    def gold_elements(self) -> Floats:
        """Gold elements."""

    @property
    def pred_elements(self) -> Floats:
        """Predicted elements."""

    def clusters(self, side: str) -> Floats:
        """How many clusters ("gold", "pred") or cells ("cell") there are."""

    def pairs(self, side: str) -> Array:
        """How many pairs of elements lie together, in "gold", "pred", or both ("cell"); exact."""

    def triples(self, side: str) -> Array:
        """How many ordered triples of elements lie together, in "gold" or "pred"; exact."""

    def pair_base(self, side: str, inside: bool = False) -> dict[str, Array]:
        """What all pairs of "gold", "pred" or "common" elements come from."""

    def alone(self, side: str) -> Floats:
        """How many elements are alone in their cluster, in "gold", "pred", or both ("cell")."""

    def credits(self, exclude_self: int, w_fp: float = 0.5, w_fn: float = 0.5) -> Credits:
        """The sums over elements of their P, R and F."""

    def logs(self) -> Logs:
        """The sums that the information measures are made of."""

    def largest_total(self, side: str) -> Floats:
        """The sum over the clusters of a side of their largest cell."""


class Counts(Protocol):
    """Where a table's numbers come from: cells in memory, cells on a device, or what an engine sent."""

    weight: Array | None = None  # what the elements of each cell weigh together
    overlapping: bool = False  # whether elements may belong to several clusters
    graded: bool = False  # whether they do so by weights
    checked: bool = False  # whether the numbers are known to be those of a table
    # what by_denominator adds up, where the cells lie elsewhere and their rows need not be sent
    denominator_sums: list[DenominatorSums] | None = None
    rows: Rows  # cells by their numbers alone, equal ones may be merged; where they lie, which may be a device

    @property
    def rows_in_memory(self) -> Rows:
        """The same as arrays."""
        return self.rows

    def sizes(self, side: str) -> Sizes:
        """The clusters of "gold" or "pred"; with " common" only their elements that the other side has."""

    def largest_cells(self, side: str) -> Sizes:
        """The size of the largest cell of each cluster, or their sum for each document."""

    def best_matches(self, side: str, by: str) -> Matches:
        """How well the best cluster of the other side matches each one of a side."""

    def supersets(self, reading: str, everywhere: bool) -> Supersets:
        """What alphaMax needs of the cells that gain by their super-set, or with ``everywhere`` of all of them."""

    def pooled(self) -> Self:
        """The same as one document."""

    def cells(self) -> Cells:
        """The cells with their clusters, in memory."""

    def check(self, documents: int) -> None:
        """Raise where the numbers cannot be those of a table."""


class Members(NamedTuple):
    """The elements of a table: both sides as they were aligned, and the cell of each element that both have."""

    pair: Pair
    cell: Ints
    mentions: Mentions | None = None  # what the elements are in their documents, in coreference


class Directions(NamedTuple):
    """Three tables in the place of one: of a key's mentions in the response, the other way round, and of overlaps.

    In the first two a mention is found in one entity of the other side; in ``overlap`` in all that have it.
    """

    recall: Table
    precision: Table
    overlap: Table

    def pooled(self) -> Directions:
        """The same as one document."""
        return Directions(self.recall.pooled(), self.precision.pooled(), self.overlap.pooled())


def once(method: Callable[..., T]) -> Callable[..., T]:
    """A method that is computed once for the same arguments; its object keeps the results in ``_memo``."""

    @wraps(method)
    def kept(self: Any, *arguments: Any) -> T:
        key = (method.__name__, *arguments)
        if key not in self._memo:
            self._memo[key] = method(self, *arguments)
        value: T = self._memo[key]
        return value

    return kept
