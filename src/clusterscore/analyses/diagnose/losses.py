"""What each element costs: shares of 1 minus the score, which they add up to; and the kinds of errors."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from clusterscore.analyses.estimate.estimating import CountedSample
from clusterscore.analyses.estimate.estimation import EstimateOptions, linearized
from clusterscore.count.rows import Rows
from clusterscore.count.sums import Floats, add_up, divide
from clusterscore.count.table import Table
from clusterscore.distinct import Array, Ints
from clusterscore.exceptions import MetricError
from clusterscore.metrics.elementwise import ElementMeans, ElementScores, ScoresElements, cell_weight
from clusterscore.metrics.mention_scores import ScoresMentions
from clusterscore.metrics.metric import Metric, loaded
from clusterscore.metrics.registry import metric
from clusterscore.nouns import noun

KINDS = ("exact", "split", "merge", "mixed", "missed singleton", "false singleton")
ONE_SIDED = ("missing", "spurious")  # kinds of elements that only gold has, or only the prediction


class Losses(NamedTuple):
    """What is lost in each cell of a table, under the score of all its documents together."""

    scores: ElementScores  # what each element of the cell gets
    lacking: Floats  # times its share of all weight, this is what one element of the cell costs
    loss: Floats  # what all elements of the cell cost; over all cells this adds up to 1 - score
    weight: float  # of all elements together
    causes: dict[str, Floats]  # of a partition, what it comes from: merged, split and, where kept, missing and spurious

    def share(self, loss: Floats) -> Floats:
        """Which share of all loss a loss is."""
        return divide(loss, add_up(self.loss)[0], 0.0)


def scores_elements(name: str | Metric | None, table: Table | None = None) -> ScoresElements:
    """The metric, if it gives every element a score of its own.

    None is elm; matched_elm where clusters overlap, or graded_bcubed where they do so by weights; b3 where elements of
    one side only are kept.
    """
    default = "elm"
    if table is not None and table.overlapping:
        default = "graded_bcubed" if table.graded else "matched_elm"
    elif table is not None and (any(table.one_sided) or table.policy.missing == "keep"):
        default = "b3"
    chosen = metric(default if name is None else name)
    if not isinstance(chosen, ScoresElements):
        able = ", ".join(kind.name for kind in loaded() if issubclass(kind, ScoresElements))
        raise MetricError(f"{chosen.name} does not score single {noun('elements')}; these do: {able}")
    if getattr(chosen, "adjusted", False):
        raise MetricError(f"{chosen} adjusts the score of all {noun('elements')}, not that of each; leave out adjusted")
    return chosen


def losses_of(metric: ScoresElements, table: Table, stands_for: Floats | None = None) -> Losses:
    """The losses in each cell of a table; of elements on one side only, see :func:`with_one_sided`.

    Where gold is a sample, a gold cluster ``stands_for`` so many; the losses are then those of the whole.

    The mean F lacks the mean of what the elements' own F lack. The F of the means is P*R/D with
    D = P*R + w_fp*(1-P)*R + w_fn*(1-R)*P, so that 1 - F = c_P*(1-P) + c_R*(1-R) with c_P = w_fp*R/D and
    c_R = w_fn*P/D; and P and R are means again.

    Either way a loss comes from strangers and from neighbours that are elsewhere: 1 - F(e) = (w_fp*FP + w_fn*FN)/D, so
    that every false neighbour costs an element the same, up to its weight; of the F of means, each side has its term.
    """
    if isinstance(metric, ScoresMentions):
        return _losses_of_mentions(metric, table)
    together, kind = table.pooled(), getattr(metric, "weights", None)
    weights = cell_weight(kind, together, Rows(None, table.n, table.a, table.b, None, table.weight))
    if stands_for is not None:
        weights = weights * stands_for[table.gold]
    weight = float(table.n_common if kind is None and stands_for is None else add_up(weights)[0])
    scores = metric.cell_scores(table)
    lacking = 1 - scores.f
    w_fp, w_fn = metric.balance if isinstance(metric, ElementMeans) else (0.5, 0.5)
    by_strangers, by_absent = w_fp * (table.b - table.n), w_fn * (table.a - table.n)
    if isinstance(metric, ElementMeans) and metric.f == "of-means":
        assert scores.precision is not None
        assert scores.recall is not None
        no_precision, no_recall = 1 - scores.precision, 1 - scores.recall
        means = [float(add_up(weights * loss)[0]) / weight for loss in (no_precision, no_recall)]
        score = metric.values(together).score("")
        assert score.precision is not None
        assert score.recall is not None
        sides = (score.precision, score.recall) if stands_for is None else (1 - means[0], 1 - means[1])
        c_p, c_r = coefficients(sides, (means[0], means[1]), metric.balance)
        by_strangers, by_absent = c_p * no_precision, c_r * no_recall
        lacking = by_strangers + by_absent
    loss = np.asarray(weights * lacking / weight)
    split = loss * divide(by_absent, by_strangers + by_absent, 0.0)
    causes = {} if table.overlapping else {"merged": loss - split, "split": split}
    return Losses(scores, lacking, loss, weight, causes)


def _losses_of_mentions(metric: ScoresMentions, table: Table) -> Losses:
    """The same, where P is a mean over the elements of the prediction, and R over those of gold.

    Of the b - n elements that are wrongly with one, some are spurious, and of the a - n that are not with it some are
    missing: what it loses by them is not the fault of how elements were put together.
    """
    scores, (n, a, b) = metric.cell_scores(table), (column.astype(np.float64) for column in (table.n, table.a, table.b))
    assert scores.precision is not None
    assert scores.recall is not None
    gold, pred = (float(size.sum()) for size in (table.gold_size, table.pred_size))
    no_precision, no_recall = (
        divide(n * (1 - score) * (size > 0), elements, 0.0)
        for score, size, elements in ((scores.precision, b, pred), (scores.recall, a, gold))
    )
    precision, recall = (
        float(divide(add_up(n * score), elements, 0.0)[0])
        for score, elements in ((scores.precision, pred), (scores.recall, gold))
    )
    lacks = float(add_up(no_precision)[0]), float(add_up(no_recall)[0])
    c_p, c_r = coefficients((precision, recall), lacks, (0.5, 0.5)) if gold and pred else (1.0, 1.0)
    by_precision, by_recall = c_p * no_precision, c_r * no_recall
    loss = by_precision + by_recall
    sizes = zip((a, b), common_sizes(table), strict=True)
    missing, spurious = (divide(size - common, size - n, 0.0) for size, common in sizes)
    # who is alone on one side loses everything by the companions it has on the other
    by_absent = np.where(a > n, by_recall, 0.0) + np.where(b > n, 0.0, by_precision)
    by_others = np.where(b > n, by_precision, 0.0) + np.where(a > n, 0.0, by_recall)
    on_both = (a > 0) & (b > 0)
    causes = {
        "merged": np.where(on_both, by_others * (1 - spurious), 0.0),
        "split": np.where(on_both, by_absent * (1 - missing), 0.0),
        "missing": np.where(on_both, by_absent * missing, loss * (b == 0)),
        "spurious": np.where(on_both, by_others * spurious, loss * (a == 0)),
    }
    weight = float(n.sum())
    return Losses(scores, loss * weight / n, loss, weight, causes)


def common_sizes(table: Table) -> tuple[Array, Array]:
    """How many elements that both sides have are in the gold cluster, and in the predicted one, of each cell."""
    common = (table.a > 0) & (table.b > 0)
    if common.all():
        return table.a, table.b
    n = np.where(common, table.n, 0)
    sides = (table.gold, table.gold_size), (table.pred, table.pred_size)
    gold, pred = (np.bincount(cluster, n, len(size))[cluster] for cluster, size in sides)
    return gold, pred


def coefficients(
    scores: tuple[float, float], lacks: tuple[float, float], balance: tuple[float, float]
) -> tuple[float, float]:
    """c_P and c_R from P and R; what they lack of 1 is given, as next to 1 it has more digits than they have."""
    (precision, recall), (no_precision, no_recall), (w_fp, w_fn) = scores, lacks, balance
    if w_fp == 0:
        return 0.0, w_fn / (recall + w_fn * no_recall)
    if w_fn == 0:
        return w_fp / (precision + w_fp * no_precision), 0.0
    below = precision * recall + w_fp * no_precision * recall + w_fn * no_recall * precision
    if below == 0:  # nothing at all is right: every element costs its weight, of which each side has its share
        return w_fp / (w_fp + w_fn), w_fn / (w_fp + w_fn)
    return w_fp * recall / below, w_fn * precision / below


def kinds_of(n: Array, a: Array, b: Array, common: tuple[Array, Array]) -> Ints:
    """The kind of each cell of n elements, in a gold cluster of a and a predicted one of b, as its place in KINDS.

    exact: both clusters are the same (n = a = b). Otherwise, missed singleton: the gold cluster is one element (a = 1),
    false singleton: the predicted one is (b = 1). Of the rest, split: the predicted cluster holds nothing else
    (n = b < a), merge: the gold cluster lies there whole (n = a < b), mixed: neither (n < a and n < b). Elements that
    only one side has do not count (``common`` has the sizes without them): they are of the kinds :data:`ONE_SIDED`,
    which come after these.
    """
    all_of_gold, all_of_pred = n == common[0], n == common[1]
    conditions = [b == 0, a == 0, all_of_gold & all_of_pred, a == 1, b == 1, all_of_pred, all_of_gold]
    return np.select(conditions, [6, 7, 0, 4, 5, 1, 2], default=3).astype(np.int64)


def kind_rows(table: Table, kind: Ints, losses: Losses) -> dict[str, Array]:
    """What the cells of each kind come to: columns with a row for each of the kinds, in their order.

    What elements lose by others that only one side has is part of what those cost. Of the loss of each other kind, the
    columns ``merged`` and ``split`` say what comes from strangers and what from elements that are elsewhere.
    """
    others = [name for name in ONE_SIDED if name in losses.causes]
    names = (*KINDS, *others)
    size = len(names)
    merged, split = (add_up(losses.causes[cause], kind, size) for cause in ("merged", "split"))
    lost = merged + split if others else add_up(losses.loss, kind, size)
    lost[len(KINDS) :] = [add_up(losses.causes[name])[0] for name in others]
    return {
        "kind": np.array(names, object),
        "cells": np.bincount(kind, minlength=size),
        "elements": np.bincount(kind, table.n, size).astype(np.int64),
        "gold_clusters": _concerned(kind, table.gold, table.gold_size, size),
        "pred_clusters": _concerned(kind, table.pred, table.pred_size, size),
        "loss": lost,
        "share": losses.share(lost),
        "merged": merged,
        "split": split,
    }


def _concerned(kind: Ints, cluster: Array, sizes: Array, kinds: int) -> Ints:
    """How many clusters have a cell of each kind."""
    seen = np.zeros((kinds, len(sizes)), np.bool_)
    seen[kind, cluster] = True
    return np.asarray(seen[:, sizes > 0].sum(axis=1))


def estimated_kinds(
    metric: ScoresElements, counted: CountedSample, table: Table, kind: Ints, options: EstimateOptions
) -> dict[str, Array]:
    """Intervals of the loss and the share of each kind, as columns; the table is one document."""
    weights = cell_weight(getattr(metric, "weights", None), table, Rows(None, table.n, table.a, table.b, None, None))
    scores, size, clusters = metric.cell_scores(table), len(KINDS), len(table.gold_size)
    of_means = isinstance(metric, ElementMeans) and metric.f == "of-means"
    lacks = [1 - side for side in ((scores.precision, scores.recall) if of_means else (scores.f,)) if side is not None]
    columns = [add_up(weights, table.gold, clusters)[:, None]]
    for lack in lacks:
        columns.append(add_up(weights * lack, table.gold * size + kind, clusters * size).reshape(clusters, size))
    units = counted.units
    brought = units.weight[:, None] * np.hstack(columns)[units.cluster]

    def costs(rows: Floats) -> Floats:
        """The loss of each kind, then the shares, of rows of sums."""
        lost = rows[:, 1:].reshape(len(rows), len(lacks), size) / rows[:, :1, None]
        if of_means:
            assert isinstance(metric, ElementMeans)
            lack = lost.sum(2)
            both = [coefficients((1 - p, 1 - r), (p, r), metric.balance) for p, r in lack.tolist()]
            lost = lost * np.array(both).reshape(-1, 2, 1)
        loss = lost.sum(1)
        return np.hstack([loss, divide(loss, loss.sum(1, keepdims=True) + np.zeros(size), 0.0)])

    # what is exact costs nothing, so there is nothing that the sample could have missed
    costs_of_all = linearized(brought, costs, units, options).estimates(units, options, (0.0, 1.0))
    ends = {"loss": costs_of_all[:size], "share": costs_of_all[size:]}
    return {
        f"{name}_{end}": np.array([0.0, *(getattr(estimate.interval, end) for estimate in estimates[1:])])
        for name, estimates in ends.items()
        for end in ("low", "high")
    }
