"""The whole way from two clusterings to results: read, align, count, score, aggregate, show."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from clusterscore.aggregate import AVERAGES, Average, Summary
from clusterscore.align.match import align
from clusterscore.align.policies import Missing, NoiseAs
from clusterscore.baselines import baseline_pairs
from clusterscore.count.counting import as_table, count
from clusterscore.count.table import Table
from clusterscore.exceptions import InputTypeError, one_of
from clusterscore.metrics import Metric
from clusterscore.pipeline.asking import Asked, Metrics, applied, options_checked
from clusterscore.pipeline.expanding import expanded
from clusterscore.progress import step
from clusterscore.show.scorecard import Scorecard


@options_checked
def score(
    gold: Any,
    pred: Any = None,
    *,
    metrics: Metrics = None,
    documents: Any = None,
    average: Average = "micro",
    weights: Any = None,
    missing: Missing | None = None,
    noise: Any = None,
    noise_as: NoiseAs | None = None,
    baselines: bool = False,
) -> Scorecard:
    """Every score that matters, from one count.

    Without ``metrics`` the default set: ELM, BCubed, adapted, alphaMax, BLANC, pairwise, ARI, NMI and V; of these only
    those that are defined on the input where elements are weighed (``weights``) or kept on one side
    (``missing="keep"``). ``documents`` names the document of every element: clusters of different documents are
    different clusters. ``average="micro"`` pools all elements, ``"macro"`` averages the documents' scores.
    ``baselines=True`` also scores the trivial and random clusterings of :mod:`clusterscore.baselines` on the elements
    of the prediction: ``card.baselines`` has their Scorecards, and the card prints them below.

    >>> import clusterscore as cs
    >>> card = cs.score([0, 0, 1, 1], [0, 0, 0, 1], metrics=["elm", "bcubed(beta=2)"])
    >>> card["elm"].f
    0.3333333333333333
    """
    one_of("average", average, AVERAGES)
    if not isinstance(baselines, bool):
        raise InputTypeError(f"baselines={baselines!r}: pass True or False; cs.baselines makes single ones")
    given = {"weights": weights, "missing": missing, "noise": noise, "noise_as": noise_as, "documents": documents}
    asked = Asked.of(metrics, counted=pred is None, **given)
    if not baselines:
        return card_of(as_table(gold, pred, **asked.options), asked.metrics, average, asked.usual)
    counted = isinstance(gold, Table) or isinstance(pred, Table)
    pair = expanded(as_table(gold, pred, **asked.options)) if counted else align(gold, pred, **asked.options)
    card = card_of(gold if counted else count(pair), asked.metrics, average, asked.usual)
    with step("baselines"):
        # a table has counts, and no order in which elements could be cut
        others = baseline_pairs(pair, ordered=not counted)
        card.baselines = {name: card_of(count(one), asked.metrics, average, asked.usual) for name, one in others}
    return card


def card_of(table: Table, chosen: Iterable[Metric], average: str, usual: bool) -> Scorecard:
    """The scores of a table; of the usual set those that are defined on it."""
    return Scorecard([Summary(one, table) for one in applied(chosen, table, usual)], table, average)
