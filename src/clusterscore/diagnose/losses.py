"""What each element costs: shares of what the score lacks of 1, which add up to it; and the kinds of errors."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from clusterscore.count.rows import Rows
from clusterscore.count.sums import Floats, add_up, divide
from clusterscore.count.table import Table
from clusterscore.distinct import Array, Ints
from clusterscore.exceptions import MetricError
from clusterscore.metrics.elementwise import ElementMeans, ElementScores, ScoresElements, cell_weight
from clusterscore.metrics.metric import Metric, loaded
from clusterscore.metrics.registry import metric

KINDS = ("exact", "split", "merge", "mixed", "missed singleton", "false singleton")


class Losses(NamedTuple):
    """What is lost in each cell of a table, under the score of all its documents together."""

    scores: ElementScores  # what each element of the cell gets
    lacking: Floats  # times its share of all weight, this is what one element of the cell costs
    loss: Floats  # what all elements of the cell cost; over all cells this adds up to 1 - score
    weight: float  # of all elements together

    def share(self, loss: Floats) -> Floats:
        """Which share of all loss a loss is."""
        return divide(loss, add_up(self.loss)[0], 0.0)


def scores_elements(name: str | Metric | None, overlapping: bool = False) -> ScoresElements:
    """The metric, if it gives every element a score of its own; None is elm, or where clusters overlap matched_elm."""
    default = "matched_elm" if overlapping else "elm"
    chosen = metric(default if name is None else name)
    if not isinstance(chosen, ScoresElements):
        able = ", ".join(kind.name for kind in loaded() if issubclass(kind, ScoresElements))
        raise MetricError(f"{chosen.name} does not score single elements; those that do: {able}")
    if getattr(chosen, "adjusted", False):
        raise MetricError(f"{chosen} takes chance from the score of all elements, not of each; leave adjusted out")
    return chosen


def losses_of(metric: ScoresElements, table: Table) -> Losses:
    """The losses in each cell of a table.

    The mean F lacks the mean of what the elements' own F lack. The F of the means is P*R/D with
    D = P*R + w_fp*(1-P)*R + w_fn*(1-R)*P, so that 1 - F = c_P*(1-P) + c_R*(1-R) with c_P = w_fp*R/D and
    c_R = w_fn*P/D; and P and R are means again.
    """
    together, kind = table.pooled(), getattr(metric, "weights", None)
    weights = cell_weight(kind, together, Rows(None, table.n, table.a, table.b, None, table.weight))
    weight = float(table.n_common if kind is None else add_up(weights)[0])
    scores = metric.cell_scores(table)
    lacking = 1 - scores.f
    if isinstance(metric, ElementMeans) and metric.f == "of-means":
        assert scores.precision is not None
        assert scores.recall is not None
        no_precision, no_recall = 1 - scores.precision, 1 - scores.recall
        means = [float(add_up(weights * each)[0]) / weight for each in (no_precision, no_recall)]
        score = metric.values(together).score("")
        assert score.precision is not None
        assert score.recall is not None
        c_p, c_r = _coefficients((score.precision, score.recall), (means[0], means[1]), metric.balance)
        lacking = c_p * no_precision + c_r * no_recall
    return Losses(scores, lacking, np.asarray(weights * lacking / weight), weight)


def _coefficients(
    scores: tuple[float, float], lacks: tuple[float, float], balance: tuple[float, float]
) -> tuple[float, float]:
    """c_P and c_R from P and R; what they lack of 1 is given, as next to 1 it has more digits than they have."""
    (precision, recall), (no_precision, no_recall), (w_fp, w_fn) = scores, lacks, balance
    if w_fp == 0:
        return 0.0, w_fn / (recall + w_fn * no_recall)
    if w_fn == 0:
        return w_fp / (precision + w_fp * no_precision), 0.0
    below = precision * recall + w_fp * no_precision * recall + w_fn * no_recall * precision
    if below == 0:  # nothing at all is right: every element costs its weight
        return 0.5, 0.5
    return w_fp * recall / below, w_fn * precision / below


def kinds_of(n: Array, a: Array, b: Array) -> Ints:
    """The kind of each cell of n elements, in a gold cluster of a and a predicted one of b, as its place in KINDS.

    exact: both clusters are the same (n = a = b). Otherwise, missed singleton: the gold cluster is one element (a = 1),
    false singleton: the predicted one is (b = 1). Of the rest, split: the predicted cluster holds nothing else
    (n = b < a), merge: the gold cluster lies there whole (n = a < b), mixed: neither (n < a and n < b).
    """
    all_of_gold, all_of_pred = n == a, n == b
    return np.select(
        [all_of_gold & all_of_pred, a == 1, b == 1, all_of_pred, all_of_gold], [0, 4, 5, 1, 2], default=3
    ).astype(np.int64)


def kind_rows(table: Table, kind: Ints, losses: Losses) -> dict[str, Array]:
    """What the cells of each kind come to: columns with a row for each of the :data:`KINDS`, in their order."""
    size = len(KINDS)
    lost = add_up(losses.loss, kind, size)
    return {
        "cells": np.bincount(kind, minlength=size),
        "elements": np.bincount(kind, table.n, size).astype(np.int64),
        "gold_clusters": _concerned(kind, table.gold, len(table.gold_size)),
        "pred_clusters": _concerned(kind, table.pred, len(table.pred_size)),
        "loss": lost,
        "share": losses.share(lost),
    }


def _concerned(kind: Ints, cluster: Array, clusters: int) -> Ints:
    """How many clusters have a cell of each kind."""
    seen = np.zeros((len(KINDS), clusters), np.bool_)
    seen[kind, cluster] = True
    return np.asarray(seen.sum(axis=1))
