"""Purity, inverse purity, and their F."""

from __future__ import annotations

from dataclasses import dataclass

from clusterscore.count.sums import Floats, add_up, divide
from clusterscore.count.table import Table
from clusterscore.metrics.balance import Balanced, harmonic
from clusterscore.metrics.metric import Metric, Values, columns
from clusterscore.metrics.registry import register


def largest_cells(table: Table, side: str) -> Floats:
    """The sum over clusters of one side of their largest cell, in each document."""
    document = table.gold_document if side == "gold" else table.pred_document
    return add_up(table.largest(side), document, len(table.documents))


@register
@dataclass(frozen=True)
class Purity(Metric):
    """Purity: the share of elements that belong to the main gold cluster of their predicted cluster.

    Formula:
        (1/N) * sum_j max_i n_ij

    Range:
        Above 0 to 1; 1 for all singletons, whatever the gold.

    Use it when:
        Predicted clusters get one label each and only that counts. The "F-measure" of Moreno & Dias 2015 (micro F1
        after majority labelling) is the same number.

    Reference:
        Zhao & Karypis 2001, Criterion functions for document clustering.

    Example:
        >>> import clusterscore as cs
        >>> cs.purity([0, 0, 1, 1], [0, 0, 0, 1]).value
        0.75
    """

    name = "purity"

    def parts(self, table: Table) -> Floats:
        return columns(largest_cells(table, "pred"), table.common)

    def finish(self, parts: Floats) -> Values:
        return Values(divide(parts[:, 0], parts[:, 1], 0.0))


@register
@dataclass(frozen=True)
class InversePurity(Metric):
    """Inverse purity: the share of elements that the main predicted cluster of their gold cluster has caught.

    Formula:
        (1/N) * sum_i max_j n_ij

    Range:
        Above 0 to 1; 1 for one single cluster, whatever the gold.

    Use it when:
        You want to see how much of each gold cluster stayed together; read it beside purity.

    Reference:
        Amigó, Gonzalo, Artiles & Verdejo 2009, Information Retrieval 12(4).

    Example:
        >>> import clusterscore as cs
        >>> cs.inverse_purity([0, 0, 1, 1], [0, 0, 0, 1]).value
        0.75
    """

    name = "inverse_purity"

    def parts(self, table: Table) -> Floats:
        return columns(largest_cells(table, "gold"), table.common)

    def finish(self, parts: Floats) -> Values:
        return Values(divide(parts[:, 0], parts[:, 1], 0.0))


@register
@dataclass(frozen=True)
class PurityF(Balanced):
    """Purity F: the harmonic mean of purity (as precision) and inverse purity (as recall).

    Formula:
        2*P*R/(P+R), P = purity, R = inverse purity

    Range:
        Above 0 to 1.

    Use it when:
        Purity or inverse purity alone could be won by all singletons or by one cluster.

    Options:
        beta: weight of inverse purity (default 1); or alpha, with beta^2 = (1-alpha)/alpha; or w_fp and w_fn.

    Reference:
        Artiles, Gonzalo & Sekine 2007, The SemEval-2007 WePS evaluation.

    Example:
        >>> import clusterscore as cs
        >>> cs.purity_f([0, 0, 1, 1], [0, 0, 0, 1]).f
        0.75
    """

    name = "purity_f"
    swaps = True

    def parts(self, table: Table) -> Floats:
        return columns(largest_cells(table, "pred"), largest_cells(table, "gold"), table.common)

    def finish(self, parts: Floats) -> Values:
        precision, recall = divide(parts[:, 0], parts[:, 2], 0.0), divide(parts[:, 1], parts[:, 2], 0.0)
        return Values(harmonic(precision, recall, *self.balance), precision, recall)
