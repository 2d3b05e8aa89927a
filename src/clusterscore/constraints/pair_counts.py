"""Four counts of pairs in the place of a table, for measures that ask a table for nothing else."""

from __future__ import annotations

import numpy as np

from clusterscore.distinct import Array, Ints


class PairCounts:
    """Pairs together on both sides, in gold only, in the prediction only, on neither: N11, N10, N01, N00, a row each.

    It answers what can be known from them, and has nothing else: a measure of pairs asks for pairs, and for no more.
    There need not be clusterings with such counts, nor a whole number of elements that has so many pairs.
    """

    overlapping = False

    def __init__(self, counts: Ints) -> None:
        both, gold_only, pred_only, _ = counts.T.astype(np.float64)
        self.documents = range(len(counts))
        self.asked = False  # whether anybody wanted to know about pairs
        self._all = counts.sum(axis=1).astype(np.float64)
        self._together: dict[str, Array] = {"cell": both, "gold": both + gold_only, "pred": both + pred_only}
        self.common = self.gold_elements = self.pred_elements = (1 + np.sqrt(1 + 8 * self._all)) / 2

    def pairs(self, side: str) -> Array:
        """Pairs together in "gold", "pred", or both ("cell")."""
        self.asked = True
        return self._together[side.removesuffix(" common")]

    def pair_base(self, side: str, inside: bool = False) -> dict[str, Array]:
        """What all pairs come from; the second number makes them whole, and exact."""
        return {"elements": self.common, "other_pairs": self._all - self.common * (self.common - 1) / 2}
