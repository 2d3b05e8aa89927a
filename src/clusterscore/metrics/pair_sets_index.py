"""The pair sets index."""

from __future__ import annotations

import numpy as np

from clusterscore.metrics.alignment import aligned
from clusterscore.metrics.metric import Array, Floats, Metric, Parts, Table, Values, divide, register


@register
class PairSetsIndex(Metric):
    """Pair sets index: how similar the clusters are that the best alignment pairs, corrected for chance.

    Formula:
        (S - E) / (max(gold clusters, predicted clusters) - E), 0 where that is negative
        S = max over one-to-one alignments of the sum of n_ij/max(a_i, b_j)
        E = (1/N) * sum over k of min(a_k, b_k), the clusters of either side by falling size; simplified: E = 1

    Range:
        0 to 1; 1 if both sides are one cluster.

    Use it when:
        You use clustering benchmarks that report it (columns psi and spsi of Gagolewski's). All clusters have the same
        weight.

    Options:
        simplified: True uses 1 instead of E.

    Reference:
        Rezaei & Fränti 2016, Set matching measures for external cluster validity, IEEE TKDE 28(8).

    Example:
        >>> import clusterscore as cs
        >>> round(cs.pair_sets_index([0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 1, 1]).value, 4)
        0.5
    """

    simplified: bool = False

    name = "pair_sets_index"
    aliases = ("psi",)
    needs = frozenset({("cells",)})
    symmetric = True

    def parts(self, table: Table) -> Parts:
        alike = aligned(table, table.n / np.maximum(table.a, table.b))
        clusters = {side: table.clusters(side) for side in ("gold", "pred")}
        chance = np.ones(len(alike)) if self.simplified else _expected(table)
        return {"alike": alike, "chance": chance, **clusters}

    def finish(self, alike: Array, chance: Array, gold: Array, pred: Array) -> Values:
        return Values(np.clip(divide(alike - chance, np.maximum(gold, pred) - chance, 1.0), 0.0, 1.0))


def _expected(table: Table) -> Floats:
    """For each document the sum over k of the smaller of both sides' k-th largest clusters, divided by its elements."""
    (gold_place, gold), (pred_place, pred) = (_falling(table, side) for side in ("gold", "pred"))
    _, left, right = np.intersect1d(gold_place, pred_place, assume_unique=True, return_indices=True)
    document = gold_place[left] // (table.number("gold") + table.number("pred"))
    return divide(table.add(np.minimum(gold[left], pred[right]), document), table.common, 0.0)


def _falling(table: Table, side: str) -> tuple[Array, Array]:
    """The clusters of a side: a number for the document and the rank of each among its clusters, and its size."""
    clusters = table.cells.side(side)
    held = np.flatnonzero(clusters.size)
    size = clusters.size[held]
    document = np.zeros(len(held), np.int64) if clusters.document is None else clusters.document[held]
    order = np.lexsort((-size, document))
    document, size = document[order], size[order]
    start = np.flatnonzero(np.diff(document, prepend=-1))
    rank = np.arange(len(document)) - np.repeat(start, np.diff(start, append=len(document)))
    return document * (table.number("gold") + table.number("pred")) + rank, size
