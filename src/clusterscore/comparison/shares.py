"""What a gold cluster, or an element, adds to a score."""

from __future__ import annotations

from typing import Any

import numpy as np

from clusterscore.count.rows import Logs, Matches, Rows, Sizes
from clusterscore.count.sums import Floats
from clusterscore.count.table import Table
from clusterscore.distinct import Array
from clusterscore.exceptions import MetricError


class NotASum(MetricError):
    """The measure asks for something that is not a sum over the units."""


class Shares(Table):
    """A table seen from its gold clusters, or from its cells: each of them is what a document is elsewhere.

    The prediction stays whole: an element keeps the n, a and b that it has among all elements, and brings its own
    share of every sum, however often it is drawn. A measure that asks for predicted clusters as such (their number,
    their largest cell) has no such shares, and is told so.
    """

    def __init__(self, table: Table, unit: str):
        whole = table.pooled()
        by_gold = unit == "clusters"
        super().__init__(
            whole._gold, whole._pred, whole.n, whole.gold_size, whole.pred_size,
            gold_names=whole.gold_name, pred_names=whole.pred_name,
            gold_document=np.arange(len(whole.gold_size)) if by_gold else None,
            documents=range(len(whole.gold_size) if by_gold else len(whole.n)),
            weight=whole.weight, policy=whole.policy,
        )  # fmt: skip
        self._by_gold = by_gold
        self._group: Array = whole.gold if by_gold else np.arange(len(whole.n))
        self.__dict__["cell_document"] = self._group

    def rows(self) -> Rows:
        return Rows(self._group, self.n, self.a, self.b, None, self.weight)

    def pairs(self, side: str) -> Array:
        """The pairs that an element is in: each is counted with both its elements, in all numbers alike."""
        size = {"cell": self.n, "gold": self.a, "pred": self.b}[side.removesuffix(" common")]
        return np.bincount(self._group, self.n.astype(np.float64) * (size - 1), len(self.documents))

    def pair_base(self, side: str, inside: bool = False) -> dict[str, Array]:
        if inside:
            raise NotASum("pairs inside documents")
        return {"elements": np.zeros(len(self.documents)), "other_pairs": self.common * (self.n_common - 1)}

    def clusters(self, side: str) -> Floats:
        self._refuse(side)
        return super().clusters(side)

    def sizes(self, side: str) -> Sizes:
        self._refuse(side)
        sizes: Sizes = super().sizes(side)
        return sizes

    def logs(self) -> Logs:
        raise NotASum("the entropies of its clusters")  # the number of all elements is in them, as a logarithm

    def largest_total(self, side: str) -> Floats:
        self._refuse(side)
        return super().largest_total(side)

    def best_matches(self) -> Matches:
        self._refuse("gold")
        return super().best_matches()

    def _refuse(self, side: str) -> None:
        if side != "cell" and not (self._by_gold and side.startswith("gold")):
            raise NotASum("single clusters of the prediction" if self._by_gold else "single clusters")

    def _by_document(self, size: Array, document: Array | None, only: int = 0) -> Floats:
        held: Any = np.bincount(self._group, self.n, len(self.documents))
        return np.asarray(held, np.float64)
