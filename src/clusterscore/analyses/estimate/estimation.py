"""Sampled gold: what the whole would score, estimated from some of its gold clusters, and how sure that is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

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
from clusterscore.nouns import Nouns, in_use, noun

if TYPE_CHECKING:
    from clusterscore.analyses.estimate.calibration import Calibration

_LARGE = 0.05  # chance of being drawn, from which it matters that nothing is drawn twice
NO_ERROR = 1e-9  # standard errors below come from rounding
_STEPS = 1e-5, 1e-4  # how far sums are changed for first and second derivatives, relative to them


@dataclass(frozen=True)
class Estimate:
    """What the whole would score, by a sample of its gold clusters; ``float(estimate)`` is the ``value``.

    ``interval`` is value and ``standard_error`` times Student's t (linearized), wider where the sample does not show
    what is known of the whole prediction, or no error at all; ``bootstrap`` the percentiles of resampled units,
    ``corrected`` the value without the bias that a ratio of two estimates has, ``effective_size`` how many units of
    equal influence would tell as much. ``precision`` and ``recall`` have the same of their own. A
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
    chance: Floats | None = None  # how likely each was to be drawn
    exact: Floats | None = None  # weights with which they make up the whole population
    elements: Floats | None = None  # that each stands for

    @property
    def strata(self) -> list[Ints]:
        """The units of each stratum."""
        return [np.flatnonzero(self.stratum == stratum) for stratum in np.unique(self.stratum).tolist()]

    @property
    def effective_size(self) -> float:
        """How many units of equal weight would tell as much (Kish 1965)."""
        return _kish(self.weight)

    @property
    def left(self) -> Floats:
        """The share of its variance that each leaves, where a large part of the whole was drawn."""
        chance = np.zeros(len(self.cluster)) if self.chance is None else self.chance
        return np.where(chance > _LARGE, 1 - chance, 1.0)

    def spread(self, influence: Floats, *, replaced: bool = False) -> tuple[float, float]:
        """The standard error of a value, by the influence of each unit, and its degrees of freedom.

        ``replaced``: as if every unit could have been drawn again, however large a part of the whole they are.
        """
        pull, left, variance = influence.copy(), np.ones(len(influence)) if replaced else self.left, 0.0
        for here in self.strata:
            pull[here] -= pull[here].mean()
            variance += float((left[here] * pull[here]) @ pull[here]) * len(here) / (len(here) - 1)
        return variance**0.5, freedom(pull)

    def carriers(self, influence: Floats) -> int:
        """How many units bring half of the variance."""
        squares = np.concatenate([(influence[here] - influence[here].mean()) ** 2 for here in self.strata])
        added = np.cumsum(np.sort(squares)[::-1])
        return int(np.searchsorted(added, added[-1] / 2)) + 1

    def unnoticed(self, confidence: float) -> float:
        """The share of the elements that may be otherwise although all units are alike (rule of three)."""
        if self.elements is None:
            return 0.0
        drawn = 1 - float(self.left @ self.elements) / float(self.elements.sum())
        if drawn >= 1:
            return 0.0
        alike = _kish(self.elements) * (-np.log1p(-drawn) / drawn if drawn > 0 else 1.0)
        return float(1 - (1 - confidence) ** (1 / alike))


def _kish(weight: Floats) -> float:
    return float(weight.sum() ** 2 / (weight**2).sum())


class EstimateOptions(NamedTuple):
    """How intervals are made."""

    confidence: float
    resamples: int
    seed: int


def refusal(metric: Metric) -> str | None:
    """Why a measure cannot be estimated from some gold clusters; None if it can."""
    return _refusal(metric, in_use.get().nouns)


@cache
def _refusal(metric: Metric, words: Nouns) -> str | None:
    """In these words; tried out on a small example."""
    table = example_table(False).pooled()
    try:
        if metric.wants_weights:
            raise NotASum(noun("a weight of every element"))
        known = metric.finish(**add_rows(by_unit(metric, table, "clusters"))).value
        pair = expand(table)
        sums: Parts = {}
        for half in (pair.gold.codes % 2 == 0, pair.gold.codes % 2 == 1):
            lookup = SampleLookup(pair.pred.codes[half], table.pred_size, table.elements)
            some = count_sample(pair.gold.codes[half], pair.gold.size, lookup)
            for name, column in add_rows(metric.parts(some)).items():
                sums = {**sums, name: column + sums.get(name, 0.0)}
        if not np.allclose(metric.finish(**sums).value, known, 1e-9):
            raise NotASum(noun("other gold clusters than the one it adds"))
    except NotASum as reason:
        return f"{metric} depends on {reason}, so it is not a sum over gold {noun('clusters')}"
    return None


class Sampled(NamedTuple):
    """One measure of one system on a sample: value, precision and recall in the last axis, as far as it has them."""

    value: Floats
    influence: Floats  # of each unit: how much the value would change if its weight were twice as large, to first order
    bias: Floats
    resampled: Floats  # by resample
    cases: tuple[Floats, Floats] | None = None  # values and influences as they may be, which the interval spans
    shown: float = 1.0  # the share of all predicted pairs that the sample shows

    @property
    def spanned(self) -> tuple[Floats, Floats]:
        """The cases, or the only one."""
        return (self.value[None], self.influence[None]) if self.cases is None else self.cases

    def less(self, other: Sampled) -> Sampled:
        """The difference to another system on the same units."""
        value, influence, bias, resampled = (mine - theirs for mine, theirs in zip(self[:4], other[:4], strict=True))
        values, influences = (mine - theirs for mine, theirs in zip(self.spanned, other.spanned, strict=True))
        return Sampled(value, influence, bias, resampled, (values, influences))

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
        return [self._estimate(k, units, options, bounds, test) for k in range(len(self.value))]

    def _estimate(
        self, k: int, units: SampleUnits, options: EstimateOptions, bounds: tuple[float, float], test: bool
    ) -> Estimate:
        from scipy.special import stdtr, stdtrit

        value, (error, known) = float(self.value[k]), units.spread(self.influence[:, k], replaced=True)
        values, influences = self.spanned
        ends, p = [value], float((np.sign(values[:, k]) * np.sign(value) < 0).any())
        for case, influence in zip(values[:, k].tolist(), influences[:, :, k], strict=True):
            spread, degrees = units.spread(influence)
            reach = float(stdtrit(degrees, (1 + options.confidence) / 2)) * spread
            ends += [case - reach, case + reach]
            p = max(p, 2 * float(stdtr(degrees, -abs(case) / spread)) if spread > 0 else float(case == 0))
        if error <= NO_ERROR:
            unnoticed = units.unnoticed(options.confidence)
            ends += [value + unnoticed * (bound - value) for bound in bounds if np.isfinite(bound)]
        tails = [(1 - options.confidence) / 2, (1 + options.confidence) / 2]
        drawn = Interval(*np.quantile(self.resampled[:, k], tails).tolist()) if len(self.resampled) else None
        interval, corrected = Interval(min(ends), max(ends)).within(*bounds), value - float(self.bias[k])
        return Estimate(value, error, interval, drawn, corrected, known + 1, p if test else None)


def estimate_sums(
    metrics: Sequence[Metric],
    tables: Mapping[str, Table],
    units: SampleUnits,
    options: EstimateOptions,
    known: Mapping[str, Calibration | None] | None = None,
) -> dict[str, dict[str, Sampled]]:
    """Every measure of every system, by name: weights times parts; calibrated on what is ``known`` of a system."""
    known = known or {}
    return {
        str(metric): {name: _sampled(metric, table, units, options, known.get(name)) for name, table in tables.items()}
        for metric in metrics
    }


def _sampled(
    metric: Metric, table: Table, units: SampleUnits, options: EstimateOptions, known: Calibration | None
) -> Sampled:
    names = list(metric.parts(table))

    def columns(of: Table) -> Floats:
        parts = metric.parts(of)
        return np.column_stack([of.common, *(parts[name].astype(np.float64) for name in names)])

    brought = units.weight[:, None] * columns(table)[units.cluster]
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
    unseen = [known.unseen_sums(columns(of)) for of in known.unseen_tables()] if known and known.is_off else []
    return linearized(brought, lambda rows: scores(rows, elements), units, options, known, unseen)._replace(value=value)


def linearized(
    brought: Floats,
    scores: Callable[[Floats], Floats],
    units: SampleUnits,
    options: EstimateOptions,
    known: Calibration | None = None,
    unseen: Sequence[Floats] = (),
) -> Sampled:
    """Scores of sums of what the units bring, each with its weight, and how sure they are.

    ``scores`` takes rows of sums and gives a row of scores for each. What is ``known`` of the whole calibrates the
    intervals; what the sample hardly shows of it may bring any of the ``unseen`` sums.
    """
    sums = np.array([add_up(column)[0] for column in brought.T])
    slope, bend = _derivatives(scores, sums)
    relative = _relative(brought, sums)
    spread, drawn = np.zeros((len(sums), len(sums))), np.zeros((options.resamples, len(sums)))
    for k, here in enumerate(units.strata):
        centred = relative[here] - relative[here].mean(0)
        spread += centred.T @ centred * (len(here) / (len(here) - 1))
        if options.resamples:
            blocks = draws(Units("clusters", [here]), options.resamples, options.seed + k)
            drawn += np.concatenate([block @ brought[here] for block in blocks])
    bias = np.einsum("kij,ij->k", bend, spread) / 2
    sampled = Sampled(scores(sums[None])[0], relative @ slope.T, bias, scores(drawn))
    return sampled if units.exact is None else _spanning(sampled, brought, scores, units, known, unseen)


def _spanning(
    sampled: Sampled,
    brought: Floats,
    scores: Callable[[Floats], Floats],
    units: SampleUnits,
    known: Calibration | None,
    unseen: Sequence[Floats],
) -> Sampled:
    """With the cases that intervals span: by exact weights, and by calibrated ones where the sample is off."""

    def case(sums: Floats) -> tuple[Floats, Floats]:
        return scores(sums[None])[0], _relative(exact, sums) @ _derivatives(scores, sums)[0].T

    assert units.exact is not None
    change = units.exact / units.weight
    exact, cases = brought * change[:, None], [(sampled.value, sampled.influence)]
    if np.ptp(change) > NO_ERROR * change.max() and (units.left < 1).any():
        cases = [case(exact.sum(0))]
    if known is not None and known.is_off:
        calibrated = (known.weights() / units.exact) @ exact
        for sums in unseen:
            value, influence = case(calibrated + sums)
            cases.append((value, known.residual(influence)) if np.isfinite(value).all() else cases[0])
    shown = 1.0 if known is None else known.shown
    if len(cases) == 1 and cases[0][0] is sampled.value:
        return sampled._replace(shown=shown)
    values, influences = (np.array(column) for column in zip(*cases, strict=True))
    return sampled._replace(cases=(values, influences), shown=shown)


def _relative(brought: Floats, sums: Floats) -> Floats:
    return np.asarray(divide(brought, np.broadcast_to(sums, brought.shape), 0.0))


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
