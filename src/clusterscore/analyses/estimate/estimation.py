"""Sampled gold: what the whole would score, estimated from some of its gold clusters, and how sure that is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from clusterscore.analyses.resampling import Interval, draws, freedom
from clusterscore.analyses.spread import by_unit
from clusterscore.analyses.units import Units
from clusterscore.count.counting import expand
from clusterscore.count.counts import NotASum
from clusterscore.count.sampled import SampleLookup, count_sample
from clusterscore.count.sums import Floats, add_up, divide
from clusterscore.count.table import Table
from clusterscore.distinct import Ints
from clusterscore.metrics.metric import Metric, Parts, Values, add_rows, example_table

_STEPS = 1e-5, 1e-4  # how far sums are changed for first and second derivatives, relative to them


@dataclass(frozen=True)
class Estimate:
    """What the whole would score, by a sample of its gold clusters; ``float(estimate)`` is the ``value``.

    ``interval`` is value and ``standard_error`` times Student's t (linearized), ``bootstrap`` the percentiles of
    resampled units, ``corrected`` the value without the bias that a ratio of two estimates has, ``effective_size`` how
    many units of equal influence would tell as much. ``precision`` and ``recall`` have the same of their own. A
    difference has the ``p`` of no difference.
    """

    value: float
    standard_error: float
    interval: Interval
    bootstrap: Interval | None
    corrected: float
    effective_size: float
    p: float | None = None
    precision: Estimate | None = None
    recall: Estimate | None = None

    def __float__(self) -> float:
        return self.value

    def to_dict(self) -> dict[str, Any]:
        """The numbers; intervals as lists."""
        ends = {name: getattr(self, name) for name in ("interval", "bootstrap")}
        return {
            "value": self.value,
            "standard_error": self.standard_error,
            **{name: None if pair is None else list(pair) for name, pair in ends.items()},
            "corrected": self.corrected,
            "effective_size": self.effective_size,
            **({} if self.p is None else {"p": self.p}),
        }


class SampleUnits(NamedTuple):
    """What was drawn, one after the other: a gold cluster each, with its weight and its stratum."""

    cluster: Ints
    weight: Floats
    stratum: Ints

    @property
    def strata(self) -> list[Ints]:
        """The units of each stratum."""
        return [np.flatnonzero(self.stratum == stratum) for stratum in np.unique(self.stratum).tolist()]

    @property
    def effective_size(self) -> float:
        """How many units of equal weight would tell as much (Kish 1965)."""
        return float(self.weight.sum() ** 2 / (self.weight**2).sum())


class EstimateOptions(NamedTuple):
    """How intervals are made."""

    confidence: float
    resamples: int
    seed: int


@cache
def refusal(metric: Metric) -> str | None:
    """Why a measure cannot be estimated from some gold clusters; tried out on a small example, None if it can."""
    table = example_table(False).pooled()
    try:
        if metric.wants_weights:
            raise NotASum("a weight of every element")
        known = metric.finish(**add_rows(by_unit(metric, table, "clusters"))).value
        pair = expand(table)
        sums: Parts = {}
        for half in (pair.gold.codes % 2 == 0, pair.gold.codes % 2 == 1):
            lookup = SampleLookup(pair.pred.codes[half], table.pred_size, table.elements)
            some = count_sample(pair.gold.codes[half], pair.gold.size, lookup)
            for name, column in add_rows(metric.parts(some)).items():
                sums = {**sums, name: column + sums.get(name, 0.0)}
        if not np.allclose(metric.finish(**sums).value, known, 1e-9):
            raise NotASum("other gold clusters than the one it adds")
    except NotASum as reason:
        return f"{metric} depends on {reason}, so it is not a sum over gold clusters"
    return None


class Sampled(NamedTuple):
    """One measure of one system on a sample: value, precision and recall in the last axis, as far as it has them."""

    value: Floats
    influence: Floats  # of each unit: how much the value would change if its weight were twice as large, to first order
    bias: Floats
    resampled: Floats  # by resample

    def less(self, other: Sampled) -> Sampled:
        """The difference to another system on the same units."""
        return Sampled(*(mine - theirs for mine, theirs in zip(self, other, strict=True)))

    def estimate(
        self, units: SampleUnits, options: EstimateOptions, bounds: tuple[float, float], test: bool
    ) -> Estimate:
        """The score, with its precision and recall."""
        score, *sides = self.estimates(units, options, bounds, test)
        precision, recall = sides if len(sides) == 2 else (None, None)
        return replace(score, precision=precision, recall=recall)

    def estimates(
        self, units: SampleUnits, options: EstimateOptions, bounds: tuple[float, float], test: bool = False
    ) -> list[Estimate]:
        """Each of the values, with how sure it is."""
        return [Estimate(**self._one(k, units, options, bounds, test)) for k in range(len(self.value))]

    def _one(
        self, k: int, units: SampleUnits, options: EstimateOptions, bounds: tuple[float, float], test: bool
    ) -> dict[str, Any]:
        from scipy.special import stdtr, stdtrit

        value, pull, variance = float(self.value[k]), self.influence[:, k].copy(), 0.0
        for here in units.strata:
            pull[here] -= pull[here].mean()
            variance += float(pull[here] @ pull[here]) * len(here) / (len(here) - 1)
        error, known = variance**0.5, freedom(pull)
        reach = float(stdtrit(known, (1 + options.confidence) / 2)) * error
        tails = [(1 - options.confidence) / 2, (1 + options.confidence) / 2]
        drawn = Interval(*np.quantile(self.resampled[:, k], tails).tolist()) if len(self.resampled) else None
        p = None
        if test:
            p = 2 * float(stdtr(known, -abs(value) / error)) if error > 0 else float(value == 0)
        return {
            "value": value,
            "standard_error": error,
            "interval": Interval(value - reach, value + reach).within(*bounds),
            "bootstrap": drawn,
            "corrected": value - float(self.bias[k]),
            "effective_size": known + 1,
            "p": p,
        }


def estimate_sums(
    metrics: Sequence[Metric], tables: Mapping[str, Table], units: SampleUnits, options: EstimateOptions
) -> dict[str, dict[str, Sampled]]:
    """Every measure of every system, by name: weights times parts."""
    sampled: dict[str, dict[str, Sampled]] = {str(metric): {} for metric in metrics}
    for metric in metrics:
        for name, table in tables.items():
            sampled[str(metric)][name] = _sampled(metric, table, units, options)
    return sampled


def _sampled(metric: Metric, table: Table, units: SampleUnits, options: EstimateOptions) -> Sampled:
    parts = metric.parts(table)
    names = list(parts)
    columns = np.column_stack([table.common, *(parts[name].astype(np.float64) for name in names)])
    brought = units.weight[:, None] * columns[units.cluster]
    sums = np.array([add_up(column)[0] for column in brought.T])
    assert table.population is not None

    def scores(rows: Floats, elements: float) -> Floats:
        """What rows of sums score, scaled to so many elements."""
        scaled = rows[:, 1:] * (elements / rows[:, :1])
        values: Values = metric.finish(**dict(zip(names, scaled.T, strict=True)))
        return np.column_stack([column for column in values[:3] if column is not None])

    whole, small = (scores(sums[None], elements)[0] for elements in (table.population, 1.0))
    # a total grows with the number of elements; all else is made of small numbers, which are not rounded to whole ones
    elements = 1.0 if np.allclose(whole, small, 1e-2) else float(table.population)
    value = small if elements == 1 and sums[0] != table.population else whole
    return linearized(brought, lambda rows: scores(rows, elements), units, options)._replace(value=value)


def finish_estimated(metric: Metric, parts: Parts, population: int) -> Values:
    """Scores of sums that are estimated, and so no whole numbers: of small ones, which are not rounded.

    Only totals, which grow with the number of elements, are made of the sums as they are.
    """
    whole, small = (
        metric.finish(**{name: column / scale for name, column in parts.items()}) for scale in (1.0, float(population))
    )
    return small if np.allclose(whole.value, small.value, 1e-2) else whole


def linearized(
    brought: Floats, scores: Callable[[Floats], Floats], units: SampleUnits, options: EstimateOptions
) -> Sampled:
    """Scores of sums of what the units bring, each with its weight, and how sure they are.

    ``scores`` takes rows of sums and gives a row of scores for each.
    """
    sums = np.array([add_up(column)[0] for column in brought.T])
    slope, bend = _derivatives(scores, sums)
    relative = np.asarray(divide(brought, np.broadcast_to(sums, brought.shape), 0.0))
    spread, drawn = np.zeros((len(sums), len(sums))), np.zeros((options.resamples, len(sums)))
    for k, here in enumerate(units.strata):
        centred = relative[here] - relative[here].mean(0)
        spread += centred.T @ centred * (len(here) / (len(here) - 1))
        if options.resamples:
            blocks = draws(Units("clusters", [here]), options.resamples, options.seed + k)
            drawn += np.concatenate([block @ brought[here] for block in blocks])
    bias = np.einsum("kij,ij->k", bend, spread) / 2
    return Sampled(scores(sums[None])[0], relative @ slope.T, bias, scores(drawn))


def _derivatives(scores: Callable[[Floats], Floats], sums: Floats) -> tuple[Floats, Floats]:
    """How scores change with relative changes of the sums: first derivatives, and second ones in a matrix each."""

    def changed(by: Floats) -> Floats:
        return np.array([scores(sums * (1 + change)) for change in (by, -by)])

    number, (near, far) = len(sums), _STEPS
    identity = np.eye(number)
    ahead, back = changed(near * identity)
    first, second = np.repeat(far * identity, number, 0), np.tile(far * identity, (number, 1))
    bend = (changed(first + second).sum(0) - changed(first - second).sum(0)) / (4 * far**2)
    return ((ahead - back) / (2 * near)).T, bend.T.reshape(-1, number, number)
