"""What would chance get? A score beside those of shuffled predictions."""

from __future__ import annotations

from typing import Any, Unpack

from clusterscore.aggregate import AVERAGES, Average, Facts
from clusterscore.align.policies import CountOptions
from clusterscore.comparison.shuffles import ChanceOptions, chance_of
from clusterscore.count.counting import as_table
from clusterscore.count.table import Table
from clusterscore.exceptions import InputError, MetricError, integer, one_of
from clusterscore.pipeline.request import Metrics, Request, options_checked
from clusterscore.show.chances import Chances

_MOST = 2**31  # elements whose labels are shuffled one by one


@options_checked
def chance(
    gold: Any,
    pred: Any = None,
    *,
    metrics: Metrics = None,
    resamples: int = 1000,
    seed: int = 0,
    average: Average = "micro",
    **options: Unpack[CountOptions],
) -> Chances:
    """What chance would score, by permutation, for any metric.

    The predicted labels are shuffled within every document, which keeps the cluster sizes. For each metric, the result
    has the score, the mean and the standard deviation over the shuffles, the score adjusted for chance (score -
    expected) / (most - expected), where ``most`` is the score of gold against itself, z, and the one-sided p-value.
    With ``missing="keep"``, labels are shuffled among all predicted elements of a document.

    For a few measures the expectation is known in closed form, without shuffling: ``elm``, ``bcubed``, ``pairwise``,
    ``rand`` and ``fowlkes_mallows`` with ``adjusted=True``; ``adjusted_rand`` and ``ami`` are always adjusted.

    Options:
        resamples: the number of shuffles.

    Returns:
        For each metric, the score and what chance would score.

    >>> import clusterscore as cs
    >>> found = cs.chance([0, 0, 1, 1, 2, 2], [0, 0, 1, 1, 1, 2], metrics="purity")["purity"]
    >>> round(found.score.value, 4), round(found.expected, 4), round(found.adjusted, 4)
    (0.8333, 0.6307, 0.5487)
    """
    one_of("average", average, AVERAGES)
    shuffling = ChanceOptions(average, integer("resamples", resamples, 2), integer("seed", seed))
    counted = isinstance(gold, Table) or isinstance(pred, Table)
    request = Request.of(metrics, counted=counted, **options)
    table = as_table(gold, pred, members="weights" in request.options, **request.options)
    if counted:
        _refuse_to_shuffle(table)
    chosen = {str(one): one for one in request.on(table)}
    for one in chosen.values():
        if one.ordered:
            raise MetricError(
                f"{one} scores segmentations, and shuffled labels are none; see what trivial ones get with "
                "cs.score(..., baselines=True)"
            )
        one.check(table)
    return Chances(chance_of(list(chosen.values()), table, shuffling), chosen, Facts.of(table), shuffling)


def _refuse_to_shuffle(table: Table) -> None:
    if table.elements > _MOST:
        raise InputError(
            f"{table.elements:,} labels to shuffle do not fit into memory; elm, bcubed, pairwise, rand and "
            "fowlkes_mallows with adjusted=True need no shuffling"
        )
    if table.weight is not None:
        raise InputError(
            "shuffling needs the weights of single elements, but a Table has those of cells only; pass gold, pred and "
            "weights"
        )
