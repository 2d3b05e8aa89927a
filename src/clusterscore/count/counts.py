"""What a table is made of: where its numbers come from, and what may be asked of them."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, Self, TypeVar

from clusterscore.align.policies import Pair
from clusterscore.count.rows import Matches, Rows, Sizes
from clusterscore.count.supersets import Supersets
from clusterscore.distinct import Array, Ints
from clusterscore.exceptions import MetricError

if TYPE_CHECKING:
    from clusterscore.count.cells import Cells
    from clusterscore.read.coreference.mentions import Mentions

T = TypeVar("T")
Need = tuple[str | bool, ...]  # what a metric asks for beyond the numbers of cells: a method and its arguments


class NotASum(MetricError):
    """A measure asks for something that is not a sum over the units by which a table is grouped."""


class Counts(Protocol):
    """Where a table's numbers come from: cells in memory, cells on a device, or what an engine sent."""

    weight: Array | None = None  # what the elements of each cell weigh together
    overlapping: bool = False  # whether elements may belong to several clusters
    checked: bool = False  # whether the numbers are known to be those of a table

    def rows(self) -> Rows:
        """Cells by their numbers alone."""

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
