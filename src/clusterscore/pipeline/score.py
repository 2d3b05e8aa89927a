"""The whole way from two clusterings to results: read, align, count, score, aggregate, show."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from clusterscore.aggregate import AVERAGES, Summary
from clusterscore.align.policies import OPTIONS
from clusterscore.count.table import Table
from clusterscore.errors import OptionError, nearest, one_of
from clusterscore.metrics import DEFAULT_SET, Metric, as_table, metrics_of
from clusterscore.show.scorecard import Scorecard

Metrics = str | Metric | Iterable[str | Metric] | None


def score(
    gold: Any,
    pred: Any = None,
    *,
    metrics: Metrics = None,
    documents: Any = None,
    average: str = "micro",
    weights: Any = None,
    missing: str | None = None,
    noise: Any = None,
    noise_as: str | None = None,
    **unknown: Any,
) -> Scorecard:
    """Every score that matters, from one count.

    Without ``metrics`` the default set: ELM, BCubed, adapted, alphaMax, BLANC, pairwise, ARI, NMI and V; of these only
    those that are defined on the input where elements are weighed (``weights``) or kept on one side
    (``missing="keep"``). ``documents`` names the document of every element: clusters of different documents are
    different clusters. ``average="micro"`` pools all elements, ``"macro"`` averages the documents' scores.

    >>> import clusterscore as cs
    >>> card = cs.score([0, 0, 1, 1], [0, 0, 0, 1], metrics=["elm", "bcubed(beta=2)"])
    >>> card["elm"].f
    0.3333333333333333
    """
    if unknown:
        name = next(iter(unknown))
        raise OptionError(f"score has no option {name!r}: {nearest(name, {*OPTIONS, 'metrics', 'average'})}")
    one_of("average", average, AVERAGES)
    chosen = metrics_of(DEFAULT_SET if metrics is None else metrics)
    if missing is None and pred is not None and all(one.usual_missing == "keep" for one in chosen):
        missing = "keep"  # that is what these measures are for
    given = {"missing": missing, "noise": noise, "noise_as": noise_as, "documents": documents}
    options = {name: value for name, value in given.items() if value is not None}
    if isinstance(weights, str):
        chosen = [one.weighed(weights)[0] for one in chosen if metrics is not None or one.weighable]
    elif weights is not None:
        options["weights"] = weights
    return card_of(as_table(gold, pred, **options), chosen, average, usual=metrics is None)


def card_of(table: Table, chosen: Iterable[Metric], average: str, usual: bool) -> Scorecard:
    """The scores of a table; of the usual set those that are defined on it."""
    if usual and table.weight is not None:
        chosen = [one for one in chosen if one.weighable]
    if usual and any(table.one_sided):
        chosen = [one for one in chosen if one.one_sided]
    return Scorecard([Summary(one.on(table), table) for one in chosen], table, average)
