"""What the objects of images score at each threshold of their IoU."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from clusterscore.count.sums import Floats
from clusterscore.count.table import Table
from clusterscore.exceptions import InputTypeError, MetricError, check_number
from clusterscore.messages import Given
from clusterscore.metrics import Metric, Score
from clusterscore.metrics.average_precision import THRESHOLDS, AveragePrecision
from clusterscore.read.arrays import listed
from clusterscore.show.description import TEXT, Column, Description, score_columns
from clusterscore.show.result import Result, find_metric
from clusterscore.version import __version__

_EXTRAS = ("f1", "sq", "pq")
_COUNTS = ("tp", "fp", "fn")
_DIGITS = 12  # of a threshold, so that 0.1 + 0.2 is 0.3


class AtThreshold(NamedTuple):
    """The score of one metric at one threshold."""

    metric: str
    threshold: float
    score: Score


class ObjectSweep(Result):
    """Average precision at each threshold of IoU, a row each: ``thresholds`` and the scores are arrays.

    A name of the scores may have one of theirs after it: ``precision``, ``recall``, ``f1``, ``sq``, ``pq``, ...

    >>> import numpy as np
    >>> import clusterscore as cs
    >>> gold, pred = np.array([[1, 1, 1, 1, 0, 2, 2]]), np.array([[0, 1, 1, 1, 1, 2, 2]])
    >>> found = cs.sweep(gold, pred, thresholds=[0.5, 0.6, 0.7])
    >>> found["average_precision"].round(4).tolist(), found["average_precision.pq"].tolist()
    ([1.0, 1.0, 0.3333], [0.8, 0.8, 0.5])
    """

    def __init__(self, table: Table, metrics: Iterable[AveragePrecision], thresholds: Sequence[float]):
        self.policy = table.policy
        self.thresholds: Floats = np.array(thresholds)
        self.scores: dict[str, list[Score]] = {
            str(metric): [replace(metric, threshold=threshold).score(table) for threshold in thresholds]
            for metric in metrics
        }

    def __len__(self) -> int:
        return len(self.thresholds)

    def __getitem__(self, name: str | Metric) -> Floats:
        """One number at every threshold."""
        key, _, part = name.rpartition(".") if isinstance(name, str) else ("", "", "")
        if part not in ("precision", "recall", *self._first.extras):
            return np.array(self.scores[find_metric(name, self.scores, "swept")])
        scores = self.scores[find_metric(key, self.scores, "swept")]
        return np.array([getattr(score, part) for score in scores], np.float64)

    @property
    def _first(self) -> Score:
        return next(iter(self.scores.values()))[0]

    def description(self) -> Description:
        """A row for each metric and threshold."""
        rows = [
            AtThreshold(name, *row)
            for name, scores in self.scores.items()
            for row in zip(self.thresholds.tolist(), scores, strict=True)
        ]
        columns = [
            Column("metric", heading="" if len(self.scores) > 1 else None, once=True, kind=TEXT),
            Column("threshold", form=lambda threshold, _: f"{threshold:g}"),
            *score_columns(),
            *(Column(name, f"score.{name}", name.upper()) for name in _EXTRAS),
            *(Column(name, f"score.{name}", name.upper(), lambda number, _: int(number)) for name in _COUNTS),
            Column("signature", "score.signature", heading=None, kind=TEXT),
        ]
        below = [", ".join(self.scores), f"avg:micro|{self.policy.signature}|v:{__version__}"]
        return Description(columns, rows, above="Objects that are matched at each threshold of IoU", below=below)


def object_metrics(chosen: Iterable[Metric], named: bool) -> list[AveragePrecision]:
    """The metrics that have a threshold of IoU: all that the user named, or else those among others."""
    able = {replace(metric, threshold=0.5): None for metric in chosen if isinstance(metric, AveragePrecision)}
    unable = [str(metric) for metric in chosen if not isinstance(metric, AveragePrecision)]
    if named and unable:
        raise MetricError(f"{unable[0]} has no threshold of IoU; average_precision has one")
    return list(able) or [AveragePrecision()]


def checked_thresholds(given: Any) -> list[float]:
    """Thresholds of IoU, by default those of mean AP; what they miss by rounding errors is made good."""
    if given is None:
        return THRESHOLDS
    thresholds = None if isinstance(given, str) else listed(given)
    if not thresholds:
        raise InputTypeError(Given("thresholds", given), ": give a list of numbers from 0 to 1")
    for threshold in thresholds:
        check_number("thresholds", threshold)
    return [round(float(threshold), _DIGITS) for threshold in thresholds]
