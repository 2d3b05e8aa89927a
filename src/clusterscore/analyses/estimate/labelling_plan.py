"""How many to label, and which: a plan from a pilot, and records drawn for annotation."""

from __future__ import annotations

import math
from typing import Any, Literal, get_args

import numpy as np

from clusterscore.analyses.estimate.drawing import Draw, Earlier, RecordsInMemory
from clusterscore.analyses.estimate.estimates import Estimates
from clusterscore.analyses.request import options_checked
from clusterscore.count.sums import EXACT
from clusterscore.engines import stays_in_place
from clusterscore.exceptions import InputError, InputTypeError, check_number, integer, one_of
from clusterscore.fields import Field
from clusterscore.messages import Given
from clusterscore.nouns import noun, plural
from clusterscore.read.guess import as_clustering
from clusterscore.read.names import as_column
from clusterscore.show.columnar import Columns
from clusterscore.show.result import by_column

Allocation = Literal["proportional", "equal"]
ALLOCATIONS: tuple[str, ...] = get_args(Allocation)
_FINEST = 1e100  # by which a half width can be divided, and its square still be a number


@options_checked
def plan(pilot: Estimates, *, target: float = 0.01) -> Columns:
    """How many gold clusters to label for intervals of a given width, based on a pilot estimate.

    Options:
        pilot: the result of :func:`clusterscore.estimate` on a small sample.
        target: the desired half width of the interval.

    Returns:
        A row for each metric and part, and for several systems also for their differences: the current half width of
        the interval, and how many ``clusters``, with how many ``elements``, you need to reach the target if you draw
        them in the same way; ``more_clusters`` of them are not in the pilot. Draw these with
        ``cs.draw_sample(pred, more, like=drawn)``.

    >>> import clusterscore as cs
    >>> pred = {f"r{k}": k // 3 for k in range(300)}
    >>> sample = [[f"r{3 * k}", f"r{3 * k + 1}", f"r{3 * k + 2}"][: 3 - k % 2] for k in range(40)]
    >>> needed = cs.plan(cs.estimate(sample, pred, metrics="bcubed", weights="uniform"), target=0.01)
    >>> needed["part"].tolist(), needed["clusters"].tolist(), needed["elements"].tolist()
    (['score', 'precision', 'recall'], [91, 108, 2], [228, 270, 5])
    """
    from scipy.special import stdtrit

    if not isinstance(pilot, Estimates):
        raise InputTypeError(f"plan needs the result of cs.estimate on a pilot sample, not a {type(pilot).__name__}")
    check_number("target", target, ", half the width of an interval")
    if not 0 < target < math.inf:
        raise InputError(
            Given("target", target), " must be a number above 0, such as 0.01: half the width of an interval"
        )
    rows: list[dict[str, Any]] = []
    first, drawn = next(iter(pilot.systems)), pilot.drawn
    gaps = {f"{name} against {first}": differences for name, differences in pilot.differences.items()}
    for metric, system, part, estimate in pilot.rows({**pilot.systems, **gaps}):
        needed, freedom = 2.0, estimate.effective_size - 1
        error = estimate.standard_error
        for _ in range(50):  # the more there are, the better is the error itself known
            reach = float(stdtrit(freedom * needed / pilot.units, (1 + pilot.confidence) / 2)) * error
            wider = min(reach / target, _FINEST) ** 2
            needed = max(2.0, pilot.units * wider / (1 + drawn * wider))
        half = float(stdtrit(freedom, (1 + pilot.confidence) / 2)) * error * (1 - drawn) ** 0.5
        if needed > EXACT:
            raise InputError(
                Given("target", target), noun(" takes more clusters than there can be; pass a wider one, such as 0.01")
            )
        clusters = math.ceil(needed)
        elements = math.ceil(clusters * pilot.facts.elements / pilot.facts.clusters)
        rows.append(
            {"metric": metric, "system": system, "part": part, "estimate": estimate.value, "half_width": half}
            | {"clusters": clusters, "elements": elements, "more_clusters": max(0, clusters - pilot.units)}
        )
    columns = by_column(rows)
    most = int(np.argmax(columns["clusters"]))
    of_system = f" of {columns['system'][most]}" if gaps else ""
    named = f"{columns['metric'][most]} {columns['part'][most]}{of_system}"
    more = columns["more_clusters"][most]
    if not gaps:
        del columns["system"]
    numbers = ("estimate", "half_width")
    planned = Columns(
        {name: np.array(column) if name in numbers else as_column(column) for name, column in columns.items()}
    )
    planned.notes = [
        f"for intervals of +/- {target:g}, by {plural(pilot.units, 'cluster')}",
        f"{named} needs most: {plural(more, 'more cluster')}" if more else "these are enough for every measure",
        pilot.signature,
    ]
    return planned


@options_checked
def draw_sample(
    pred: Any,
    records: int,
    *,
    allocation: Allocation = "proportional",
    seed: int = 0,
    like: Any = None,
    field: str | Field | None = None,
) -> Columns:
    """Draw records of a prediction to label, from strata of predicted cluster sizes (1, 2, 3-4, 5-8, ...).

    For each of them, find all records of the entity it belongs to. These whole clusters are the sample for
    ``cs.estimate(sample, pred, drawn=drawn)``. A large file, or a table in DuckDB or Spark, is not read into memory.

    Options:
        records: the number of records to draw.
        allocation: ``"proportional"`` to the size of each stratum, or ``"equal"`` numbers from each, so that large
            clusters are seen more often.
        like: an earlier result from the same prediction, as a table or a file: so many more records are drawn from its
            strata, none of them again. The result has the earlier rows and the new ones, with the weights of both.

    Returns:
        A row for each record (``element``), with its predicted ``cluster``, the ``stratum`` and the ``weight``, the
        number of records it stands for.

    >>> import clusterscore as cs
    >>> pred = {f"r{k}": min(k // 2, 20) for k in range(100)}
    >>> drawn = cs.draw_sample(pred, 8, allocation="equal")
    >>> sorted(set(zip(drawn["stratum"].tolist(), drawn["weight"].tolist())))
    [('2', 10.0), ('60', 15.0)]
    >>> more = cs.draw_sample(pred, 12, allocation="equal", like=drawn)
    >>> sorted(set(zip(more["stratum"].tolist(), more["weight"].tolist())))
    [('2', 4.0), ('60', 6.0)]
    """
    one_of("allocation", allocation, ALLOCATIONS)
    number = integer("records", records, 2 if like is None else 1)
    draw = Draw(number, allocation, integer("seed", seed), None if like is None else Earlier.of(like))
    if not stays_in_place(pred):
        return draw.of(RecordsInMemory(as_clustering(pred, "pred")))
    from clusterscore.engines.sample_in_place import records_in_place

    with records_in_place(pred) as whole:
        return draw.of(whole)
