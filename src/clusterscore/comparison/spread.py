"""How scores spread: over resamples, without each unit, and after two systems changed places."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from clusterscore.comparison.agreement import CLOSE
from clusterscore.comparison.recount import Recount
from clusterscore.comparison.resampling import BLOCK, Intervals, choices, draws, intervals, is_exhaustive
from clusterscore.comparison.units import System, Units, sums_of
from clusterscore.comparison.weighing import Sums, Weighing
from clusterscore.count.sums import Floats
from clusterscore.metrics.metric import Metric
from clusterscore.progress import step

TIE = CLOSE  # of scores up to 1: nearer than this they are equal


class Spread(NamedTuple):
    """One metric; the first axis of every array goes over the systems."""

    each: Floats  # the score of every unit alone
    resampled: Floats  # the score of every resample
    without: Floats  # the score without each of the units
    exchanged: Floats  # the distance to the baseline after an exchange
    units: Units

    def intervals(self, system: int, value: float, confidence: float, less: int | None = None) -> Intervals:
        """The intervals of a system's score, or of its difference to another's."""
        one, left_out = self.resampled[system], self.without[system]
        if less is not None:
            one, left_out = one - self.resampled[less], left_out - self.without[less]
        return intervals(value, one, left_out, self.units.often, confidence)

    def p(self, system: int, gap: float, resamples: int) -> float:
        """How often systems that changed places at random are as far apart as these are."""
        found = self.exchanged[system]
        as_far = int(np.count_nonzero(np.abs(found) >= abs(gap) - TIE))
        if is_exhaustive(self.units.number, self.units.often, resamples):
            return as_far / len(found)
        return (as_far + 1) / (len(found) + 1)  # the way they are is one of the ways


class Plan(NamedTuple):
    """How often units are drawn, from which seed, and which system the others are compared with."""

    resamples: int
    seed: int
    base: int

    def drawn(self, units: Units) -> Iterator[Floats]:
        """The resamples: how often each unit is drawn."""
        yield from draws(np.random.default_rng([self.seed, 0]), units.number, units.often, self.resamples)

    def chosen(self, units: Units) -> Iterator[Floats]:
        """The exchanges: which units keep their place."""
        yield from choices(np.random.default_rng([self.seed, 1]), units.number, units.often, self.resamples)


def spreads(
    metrics: Sequence[Metric], systems: Sequence[System], units: Units, average: str, plan: Plan
) -> dict[str, Spread | str]:
    """The spread of every metric, all with the same draws; for one that has none, the reason."""
    found: dict[str, Spread | str] = {}
    weighed: dict[str, list[Sums]] = {}
    for metric in metrics:
        sums = sums_of(metric, systems, units, average)
        if isinstance(sums, str):
            found[str(metric)] = sums
        elif metric.additive or average == "macro":
            weighed[str(metric)] = sums
        else:
            each = np.stack([one.finish(one.parts) for one in sums])
            found[str(metric)] = Spread(each, *_recounted(metric, systems, units, plan), units)
    for name, arrays in _weighed(weighed, len(systems), units, plan).items():
        each = np.stack([one.finish(one.parts) for one in weighed[name]])
        found[name] = Spread(each, *arrays, units)
    return found


class _Arrays(NamedTuple):
    resampled: Floats
    without: Floats
    exchanged: Floats


def _weighed(sums: dict[str, list[Sums]], systems: int, units: Units, plan: Plan) -> dict[str, _Arrays]:
    """Measures of sums: weights times parts, for all of them in one product."""
    if not sums:
        return {}
    weighing = Weighing(list(sums.values()))
    total = weighing.sums((np.ones(units.number) if units.often is None else units.often.astype(np.float64))[None])
    drawn = _products(weighing, plan.drawn(units), "resampling", plan)
    chosen = _products(weighing, plan.chosen(units), "testing", plan) if systems > 1 else total[:0]
    without = total - weighing.columns
    found = {}
    for place, name in enumerate(sums):
        gaps = np.zeros((systems, len(chosen)))
        for other in range(systems):
            if other != plan.base:
                one, two = weighing.exchanged(chosen, total, place, plan.base, other)
                gaps[other] = two - one
        resampled, left = (
            np.stack([weighing.scores(each, place, k) for k in range(systems)]) for each in (drawn, without)
        )
        found[name] = _Arrays(resampled, left, gaps)
    return found


def _products(weighing: Weighing, weights: Iterator[Floats], label: str, plan: Plan) -> Floats:
    blocks: list[Floats] = []
    done = 0
    with step(label) as at:
        for block in weights:
            blocks.append(weighing.sums(block))
            done += len(block)
            at(done / plan.resamples)
    return np.concatenate(blocks)


def _recounted(metric: Metric, systems: Sequence[System], units: Units, plan: Plan) -> _Arrays:
    """A measure that is no sum: every resample is counted again."""
    counts = [Recount(metric, one.table, place) for one, place in zip(systems, units.places, strict=True)]
    base = counts[plan.base]
    resampled, without, gaps = [], [], []
    with step(f"resampling {metric}") as at:
        for k, one in enumerate(counts):
            resampled.append(one.scores(plan.drawn(units)))
            without.append(one.scores(_without_each(units.number)))
            gap = resampled[-1][:0]
            if len(counts) > 1:
                gap = one.mixed(base, plan.chosen(units)) - base.mixed(one, plan.chosen(units))
            gaps.append(gap)
            at((k + 1) / len(counts))
    return _Arrays(np.stack(resampled), np.stack(without), np.stack(gaps))


def _without_each(units: int) -> Iterator[Floats]:
    """Weights of one, but for one unit after the other."""
    block = max(1, BLOCK // units)
    for first in range(0, units, block):
        left_out = np.arange(first, min(first + block, units))
        yield (left_out[:, None] != np.arange(units)).astype(np.float64)
