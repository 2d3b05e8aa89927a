"""A metric as scikit-learn's model selection takes it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Unpack

from clusterscore.align.policies import CountOptions
from clusterscore.exceptions import InputError, MetricError
from clusterscore.metrics import Metric
from clusterscore.metrics import metric as metric_named
from clusterscore.nouns import noun
from clusterscore.read.clustering import Clustering


@dataclass(frozen=True)
class Scorer:
    """A function of a fitted model, data and gold, higher is better: ``scorer(model, points, classes)``."""

    metric: Metric
    options: Mapping[str, Any]

    def __call__(self, model: Any, data: Any, gold: Any = None) -> float:
        """What the clusters score that the model predicts; one that cannot predict clusters the data anew."""
        if gold is None:
            raise InputError(f"{self.metric} compares with gold; pass it as y: fit(X, y)")
        pred = model.predict(data) if hasattr(model, "predict") else model.fit_predict(data)
        # what a model predicts are labels, whatever they look like
        score = self.metric(gold, Clustering.from_labels(pred), **self.options).value
        return -score if self.metric.smaller_is_better else score


def scorer(metric: str | Metric, **options: Unpack[CountOptions]) -> Scorer:
    """Make a scorer for scikit-learn: ``GridSearchCV(model, grid, scoring=cs.scorer("elm"))``.

    It also works in ``cross_val_score`` and, by name, where several are taken: ``scoring={"elm": cs.scorer("elm")}``. A
    distance counts negative, so that the best model has the highest score. A model that cannot predict, such as DBSCAN,
    clusters the data that it is scored on.

    Options:
        metric: by name, with parameters, or a :class:`Metric`.
        options: what decides which elements count, such as ``missing`` and ``noise``.

    Returns:
        A function of a model, data and gold.

    >>> import clusterscore as cs
    >>> class Halves:
    ...     def predict(self, data):
    ...         return [k * 2 // len(data) for k in range(len(data))]
    >>> cs.scorer("elm")(Halves(), [5, 6, 7, 8], ["a", "a", "b", "b"])
    1.0
    """
    made = metric_named(metric)
    if made.of_turns:
        raise MetricError(f"{made} scores turns, and a model predicts labels; take a measure of {noun('elements')}")
    return Scorer(made, options)
