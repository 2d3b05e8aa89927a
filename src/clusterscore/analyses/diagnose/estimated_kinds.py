"""What each kind of error costs the whole, and which share that is, where gold is a sample of clusters."""

from __future__ import annotations

import numpy as np

from clusterscore.analyses.diagnose.losses import KINDS, coefficients
from clusterscore.analyses.estimate.estimating import CountedSample
from clusterscore.analyses.estimate.estimation import EstimateOptions, linearized
from clusterscore.count.rows import Rows
from clusterscore.count.sums import Floats, add_up, divide
from clusterscore.count.table import Table
from clusterscore.distinct import Array, Ints
from clusterscore.metrics.elementwise import ElementMeans, ScoresElements, cell_weight

_SHARES = (0.0, 1.0)


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
    found = linearized(brought, costs, units, options).estimates(units, options, _SHARES)
    ends = {"loss": found[:size], "share": found[size:]}
    return {
        f"{name}_{end}": np.array([0.0, *(getattr(estimate.interval, end) for estimate in estimates[1:])])
        for name, estimates in ends.items()
        for end in ("low", "high")
    }
