"""What a plot is given: two clusterings, a Table, or a Scorecard, which knows its table and its metrics."""

from __future__ import annotations

from typing import Any, NamedTuple

from clusterscore.aggregate import Summary
from clusterscore.count.counting import as_table
from clusterscore.count.sums import Floats
from clusterscore.count.table import Table
from clusterscore.exceptions import InputTypeError, MetricError, one_of
from clusterscore.metrics import Metric, metric, metrics_of
from clusterscore.pipeline.asking import Asked, Metrics
from clusterscore.show.scorecard import Scorecard

PARTS = ("value", "precision", "recall")


class Given(NamedTuple):
    """The counts to show, and the metrics that are asked of them."""

    table: Table
    metrics: list[Metric]

    def documents(self, part: str = "value") -> list[Floats]:
        """The score of every document under each metric, or a part of it."""
        one_of("part", part, PARTS)
        columns = []
        for one in self.metrics:
            column = getattr(Summary(one, self.table).documents, part)
            if column is None:
                raise MetricError(f'{one} has no {part}; take part="value", or another metric')
            columns.append(column)
        return columns


def asked(gold: Any, pred: Any, policies: dict[str, Any], metrics: Metrics = "elm") -> Given:
    """The table of what a plot was given, and the metrics as they apply to it; weights by name change no counts."""
    if isinstance(pred, Scorecard) or (isinstance(gold, Scorecard) and pred is not None):
        raise InputTypeError("a Scorecard holds both sides; pass it alone, in the place of gold and pred")
    wanted = metrics_of(() if metrics is None else metrics)
    if isinstance(gold, Scorecard):
        gold, wanted = gold.table, [_as_scored(gold, one) for one in wanted]
    request = Asked.of(wanted, counted=pred is None, **policies)
    table = as_table(gold, pred, **request.options)
    return Given(table, [one.on(table) for one in request.metrics])


def _as_scored(card: Scorecard, wanted: Metric) -> Metric:
    """The metric as the card has it: "bcubed" is its bcubed(beta=2), where it has no other."""
    if str(wanted) in list(card):
        return wanted
    alike = [name for name in card if name.partition("(")[0] == str(wanted)]
    return metric(alike[0]) if len(alike) == 1 else wanted
