"""How many to label, and which: a plan from a pilot, and records drawn for annotation."""

from __future__ import annotations

import math
from typing import Any, Literal, get_args

import numpy as np

from clusterscore.analyses.estimate.estimates import Estimates
from clusterscore.analyses.estimate.gold_sample import element_ids, whole_prediction
from clusterscore.analyses.request import options_checked
from clusterscore.count.sums import EXACT
from clusterscore.distinct import Ints
from clusterscore.exceptions import InputError, InputTypeError, check_number, integer, one_of, plural
from clusterscore.messages import Given
from clusterscore.read.guess import as_clustering
from clusterscore.read.labels import plain
from clusterscore.read.names import Names, as_column, label_ranks
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
        them in the same way.

    >>> import clusterscore as cs
    >>> pred = {f"r{k}": k // 3 for k in range(300)}
    >>> sample = [[f"r{3 * k}", f"r{3 * k + 1}", f"r{3 * k + 2}"][: 3 - k % 2] for k in range(40)]
    >>> needed = cs.plan(cs.estimate(sample, pred, metrics="bcubed", weights="uniform"), target=0.01)
    >>> needed["part"].tolist(), needed["clusters"].tolist(), needed["elements"].tolist()
    (['score', 'precision', 'recall'], [366, 1012, 2], [915, 2530, 5])
    """
    from scipy.special import stdtrit

    if not isinstance(pilot, Estimates):
        raise InputTypeError(f"plan needs the result of cs.estimate on a pilot sample, not a {type(pilot).__name__}")
    check_number("target", target, ", half the width of an interval")
    if not 0 < target < math.inf:
        raise InputError(
            Given("target", target), " must be a number above 0, such as 0.01: half the width of an interval"
        )
    rows = []
    first = next(iter(pilot.systems))
    gaps = {f"{name} against {first}": differences for name, differences in pilot.differences.items()}
    for metric, system, part, estimate in pilot.rows({**pilot.systems, **gaps}):
        needed, freedom = 2.0, estimate.effective_size - 1
        for _ in range(50):  # the more there are, the better is the error itself known
            reach = float(stdtrit(freedom * needed / pilot.units, (1 + pilot.confidence) / 2)) * estimate.standard_error
            needed = max(2.0, pilot.units * min(reach / target, _FINEST) ** 2)
        half = float(stdtrit(freedom, (1 + pilot.confidence) / 2)) * estimate.standard_error
        if needed > EXACT:
            raise InputError(
                Given("target", target), " takes more clusters than there can be; pass a wider one, such as 0.01"
            )
        clusters = math.ceil(needed)
        elements = math.ceil(clusters * pilot.facts.elements / pilot.facts.clusters)
        rows.append(
            {"metric": metric, "system": system, "part": part, "estimate": estimate.value, "half_width": half}
            | {"clusters": clusters, "elements": elements}
        )
    columns = by_column(rows)
    if not gaps:
        del columns["system"]
    numbers = ("estimate", "half_width")
    planned = Columns(
        {name: np.array(column) if name in numbers else as_column(column) for name, column in columns.items()}
    )
    planned.notes = [f"for intervals of +/- {target:g}, by {plural(pilot.units, 'cluster')}", pilot.signature]
    return planned


@options_checked
def draw_sample(pred: Any, records: int, *, allocation: Allocation = "proportional", seed: int = 0) -> Columns:
    """Draw records of a prediction to label, from strata of predicted cluster sizes (1, 2, 3-4, 5-8, ...).

    For each of them, find all records of the entity it belongs to. These whole clusters are the sample for
    ``cs.estimate(sample, pred, drawn=drawn)``.

    Options:
        records: the number of records to draw.
        allocation: ``"proportional"`` to the size of each stratum, or ``"equal"`` numbers from each, so that large
            clusters are seen more often.

    Returns:
        A row for each record (``element``), with its predicted ``cluster``, the ``stratum`` and the ``weight``, the
        number of records it stands for.

    >>> import clusterscore as cs
    >>> drawn = cs.draw_sample({f"r{k}": min(k // 2, 20) for k in range(100)}, 8, allocation="equal")
    >>> sorted(set(zip(drawn["stratum"].tolist(), drawn["weight"].tolist())))
    [('2', 10.0), ('60', 15.0)]
    """
    one_of("allocation", allocation, ALLOCATIONS)
    number = integer("records", records, 2)
    made = as_clustering(pred, "pred")
    sizes, codes = whole_prediction(made)
    if number > len(codes):
        raise InputError(f"{number:,} records of {plural(len(codes), 'element')} cannot be drawn; draw fewer")
    ids, rng = element_ids(made), np.random.default_rng(integer("seed", seed))
    # rows as they are drawn, whatever their order: by their names, or where they have none by their clusters' names
    by_position = isinstance(ids, range)
    order = label_ranks(made.labels).argsort(kind="stable") if by_position else Names(ids).order()
    own = sizes[codes[order]]
    strata = _strata(own, number // 2)
    kinds, held = np.unique(strata, return_counts=True)
    share = held / len(codes) if allocation == "proportional" else np.full(len(kinds), 1 / len(kinds))
    columns: dict[str, list[Any]] = {"element": [], "cluster": [], "stratum": [], "weight": []}
    for kind, times in zip(kinds.tolist(), _allocated(number, share, held).tolist(), strict=True):
        here = np.flatnonzero(strata == kind)
        drawn = order[np.sort(rng.choice(here, times, replace=False))]
        rows = (np.sort(drawn) if by_position else drawn).tolist()
        low, high = int(own[here].min()), int(own[here].max())
        columns["element"] += [plain(ids[k]) for k in rows]
        columns["cluster"] += [made.labels.name(codes[k]) for k in rows]
        columns["stratum"] += [f"{low}" if low == high else f"{low}-{high}"] * times
        columns["weight"] += [len(here) / times] * times
    weight = np.array(columns.pop("weight"))
    return Columns({**{name: as_column(names) for name, names in columns.items()}, "weight": weight})


def _strata(sizes: Ints, most: int) -> Ints:
    """The strata of predicted cluster sizes, at most so many, with two records each; small ones join another."""
    kind = np.ceil(np.log2(sizes)).astype(np.int64)
    while True:
        kinds, held = np.unique(kind, return_counts=True)
        small = [*np.flatnonzero(held < 2).tolist(), *([len(kinds) - 1] if len(kinds) > most else [])]
        if len(kinds) == 1 or not small:
            return kind
        kind[kind == kinds[small[0]]] = kinds[small[0] - 1 if small[0] else 1]


def _allocated(number: int, share: Any, held: Ints) -> Ints:
    """How many records are drawn from each stratum: two or more, and all together so many."""
    drawn = np.minimum(held, np.maximum(2, (number * share).astype(np.int64)))
    while drawn.sum() < number:
        drawn[np.where(drawn < held, number * share - drawn, -np.inf).argmax()] += 1
    while drawn.sum() > number:
        drawn[np.where(drawn > 2, drawn - number * share, -np.inf).argmax()] -= 1
    return np.asarray(drawn)
