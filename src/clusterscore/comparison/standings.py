"""Standings: each system's score with its intervals, and how far it is from the baseline's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from clusterscore.aggregate import Summary
from clusterscore.comparison.agreement import tie_ranks
from clusterscore.comparison.resampling import Intervals, holm, is_exhaustive
from clusterscore.comparison.spread import TIE, Plan, Spread, spreads
from clusterscore.comparison.units import System, Units, units_of
from clusterscore.metrics.metric import Metric
from clusterscore.metrics.score import Score


class How(NamedTuple):
    """How systems are compared."""

    unit: str
    average: str
    resamples: int
    seed: int
    confidence: float


class Difference(NamedTuple):
    """A system's score less the baseline's; ``p`` is that of a paired test, ``p_holm`` corrected for all systems."""

    value: float
    intervals: Intervals | None
    p: float | None
    p_holm: float | None
    wins: int
    ties: int
    losses: int


class Standing(NamedTuple):
    """One system under one metric; the baseline has no difference to itself."""

    score: Score
    rank: int
    intervals: Intervals | None
    difference: Difference | None


class Standings(NamedTuple):
    """All systems under all metrics."""

    found: dict[str, dict[str, Standing]]  # by metric, by system
    units: Units | None  # None where nothing was resampled
    exhaustive: bool  # the tests looked at every way to exchange two systems
    refused: dict[str, str]  # metrics without intervals, and why


def compare_systems(metrics: Sequence[Metric], systems: dict[str, System], baseline: str, how: How) -> Standings:
    """Score, resample and test all systems under all metrics, with the same draws for all."""
    scored = {
        str(metric): {name: Summary(metric, system.table) for name, system in systems.items()} for metric in metrics
    }
    for summaries in scored.values():
        for summary in summaries.values():
            summary.score(how.average)  # what is wrong with the input is told before it is resampled
    units, spread = None, {}
    base = list(systems).index(baseline)
    if how.resamples:
        units = units_of(systems, how.unit, how.average)
        plan = Plan(how.resamples, how.seed, base)
        spread = spreads(metrics, list(systems.values()), units, how.average, plan)
    found = {}
    for metric in metrics:
        known = spread.get(str(metric))
        spread_of = known if isinstance(known, Spread) else None
        found[str(metric)] = _standings(metric, scored[str(metric)], spread_of, base, how)
    exhaustive = units is not None and is_exhaustive(units.number, units.often, how.resamples)
    return Standings(found, units, exhaustive, {name: why for name, why in spread.items() if isinstance(why, str)})


def _standings(
    metric: Metric, summaries: dict[str, Summary], spread: Spread | None, base: int, how: How
) -> dict[str, Standing]:
    names = list(summaries)
    scores = [summaries[name].score(how.average) for name in names]
    ranks = tie_ranks(np.array([-score.value if metric.smaller_is_better else score.value for score in scores]))
    differences = {
        name: _difference(k, base, list(summaries.values()), spread, how) for k, name in enumerate(names) if k != base
    }
    tested = {name: one.p for name, one in differences.items() if one.p is not None}
    for name, p in zip(tested, holm(list(tested.values())), strict=True):
        differences[name] = differences[name]._replace(p_holm=p)
    return {
        name: Standing(
            scores[k],
            1 + int((ranks > ranks[k]).sum()),
            None if spread is None else spread.intervals(k, scores[k].value, how.confidence),
            differences.get(name),
        )
        for k, name in enumerate(names)
    }


def _difference(k: int, base: int, summaries: list[Summary], spread: Spread | None, how: How) -> Difference:
    one, other = summaries[k], summaries[base]
    gap = one.score(how.average).value - other.score(how.average).value
    often = None
    if spread is not None:
        each, often = spread.each[k] - spread.each[base], spread.units.often
    else:
        place = {document: at for at, document in enumerate(other.table.documents)}
        order = [place[document] for document in one.table.documents]
        each = one.documents.value - other.documents.value[order]
    if one.metric.smaller_is_better:
        each = -each
    count = np.ones(len(each), np.int64) if often is None else often
    wins, losses = int(count[each > TIE].sum()), int(count[each < -TIE].sum())
    return Difference(
        gap,
        None if spread is None else spread.intervals(k, gap, how.confidence, base),
        None if spread is None else spread.p(k, gap, how.resamples),
        None, wins, int(count.sum()) - wins - losses, losses,
    )  # fmt: skip
