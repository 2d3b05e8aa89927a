"""Metrics compared by how they rank systems."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from numbers import Real
from types import SimpleNamespace
from typing import Any

import numpy as np

from clusterscore.analyses.ranks import Agreement, agreement, tie_ranks
from clusterscore.distinct import Ints
from clusterscore.exceptions import InputError, InputTypeError, MetricError, UnknownName, a_type
from clusterscore.metrics import Score, metric
from clusterscore.metrics.metric import Metric
from clusterscore.show.description import Column, Description
from clusterscore.show.grid import Grid
from clusterscore.show.result import Result, find_metric, heading
from clusterscore.version import __version__


class RankAgreement(Result):
    """How any two metrics rank the same systems.

    ``result["elm", "bcubed"]`` has ``tau_b`` (Kendall's), ``swapped`` (the share of system pairs that the two metrics
    put in opposite order), and the counts behind them: ``pairs``, ``concordant``, ``discordant``, ``tied_first``,
    ``tied_second`` (tied in one of the two only) and ``tied_both``.

    >>> import clusterscore as cs
    >>> gold = [0, 0, 0, 1, 1, 2]
    >>> systems = {"A": [0, 0, 1, 1, 1, 2], "B": [0, 1, 2, 3, 4, 5], "C": [0, 0, 0, 0, 0, 0]}
    >>> result = cs.rank_agreement({name: cs.score(gold, pred) for name, pred in systems.items()})
    >>> round(result["elm", "bcubed"].tau_b, 4), result["elm", "bcubed"].discordant
    (0.3333, 1)
    """

    def __init__(self, systems: int, metrics: Sequence[str], between: Mapping[tuple[str, str], Agreement]):
        self.systems, self.metrics = systems, list(metrics)
        self._between = dict(between)

    def __getitem__(self, metrics: tuple[str | Metric, str | Metric]) -> Agreement:
        if not isinstance(metrics, tuple) or len(metrics) != 2:
            raise UnknownName(f"{metrics!r}: name two metrics, as in result['elm', 'bcubed']")
        first, second = (find_metric(name, self.metrics, "compared") for name in metrics)
        if first == second:
            raise UnknownName(f"{first} agrees with itself; name two metrics, of {', '.join(self.metrics)}")
        if (first, second) in self._between:
            return self._between[first, second]
        return self._between[second, first].turned()

    def description(self) -> Description:
        """A row for any two metrics."""
        numbers = ("tau_b", "swapped", *Agreement._fields)
        columns = [Column(name) for name in ("first", "second", *numbers)]
        rows = [
            SimpleNamespace(first=first, second=second, **{name: getattr(both, name) for name in numbers})
            for (first, second), both in self._between.items()
        ]
        return Description(columns, rows)

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values; ``agreement`` has an entry for any two metrics."""
        counts = {"systems": self.systems, "metrics": list(self.metrics)}
        return {**counts, "agreement": self.records(), "version": __version__}

    def grids(self, digits: int = 4) -> list[Grid]:
        """A printable matrix: tau-b below the diagonal, the share of swapped pairs above it."""
        names = [heading(name) for name in self.metrics]
        rows: list[list[Any]] = [[name] + [None] * len(names) for name in names]
        for (first, second), result in self._between.items():
            upper, lower = self.metrics.index(first), self.metrics.index(second)
            rows[upper][1 + lower], rows[lower][1 + upper] = result.swapped, result.tau_b
        below = [f"{self.systems:,} systems; below the diagonal Kendall's tau-b, above it the share of swapped pairs"]
        if any(result.tau_b is None for result in self._between.values()):
            below.append("no tau-b: one of the two metrics ties all systems")
        return [Grid(["metric", *names], rows, digits, below=below)]


Numbers = Mapping[str, Score | float]


def rank_agreement(scorecards: Mapping[Any, Numbers] | Iterable[Numbers]) -> RankAgreement:
    """How well metrics agree on the ranking of systems: Kendall's tau-b, and the share of swapped system pairs.

    Scores that differ only by rounding (by 1e-12 of the larger, or by 1e-15) are ties, counts are exact, and measures
    for which smaller is better are reversed.

    Options:
        scorecards: those of the systems, by name or in a list, all with the same metrics; or plain numbers, ``{"A":
            {"elm": 0.4, "bcubed": 0.6}, ...}``.

    Returns:
        The agreement of any two metrics: ``result["elm", "bcubed"].tau_b``.

    >>> import clusterscore as cs
    >>> numbers = {"A": {"elm": 0.4, "bcubed": 0.6}, "B": {"elm": 0.5, "bcubed": 0.6}, "C": {"elm": 0.3, "bcubed": 0.7}}
    >>> cs.rank_agreement(numbers)["elm", "bcubed"].swapped
    0.6666666666666666
    """
    systems = _named(scorecards)
    if len(systems) < 2:
        has = f"only the system {next(iter(systems))!r}" if systems else "no systems"
        raise InputError(f"{has}: a ranking needs at least two; pass one Scorecard for each system")
    metrics = _shared_metrics(systems)
    _refuse_different_ways(systems, metrics)
    ranks = {name: _ranks(name, systems) for name in metrics}
    between = {both: agreement(ranks[both[0]], ranks[both[1]]) for both in combinations(metrics, 2)}
    return RankAgreement(len(systems), metrics, between)


def _named(scorecards: Any) -> dict[Any, Numbers]:
    if isinstance(scorecards, Mapping):
        systems = dict(scorecards)
    elif isinstance(scorecards, Iterable) and not isinstance(scorecards, str | bytes):
        systems = dict(enumerate(scorecards))
    else:
        raise InputTypeError(f"pass a mapping system -> Scorecard, or a list, not {a_type(scorecards)}")
    for name, card in systems.items():
        if not isinstance(card, Mapping):
            raise InputTypeError(
                f"{name!r} is {a_type(card)}, not the scores of a system; pass the Scorecards of several "
                "systems, by name or in a list"
            )
    return systems


def _shared_metrics(systems: dict[Any, Numbers]) -> list[str]:
    """The metrics as the first system lists them, where all have the same."""
    first, card = next(iter(systems.items()))
    metrics = list(card)
    for name, other in systems.items():
        apart = set(metrics) ^ set(other)
        if apart:
            example = min(apart, key=str)
            has, lacks = (first, name) if example in set(metrics) else (name, first)
            raise InputError(
                f"{has!r} has a score for {example!s}, but {lacks!r} does not; score all systems with the same metrics"
            )
    if len(metrics) < 2:
        raise InputError(f"agreement needs at least two metrics, but there is {metrics or 'none'}; score two or more")
    return metrics


def _refuse_different_ways(systems: dict[Any, Numbers], metrics: list[str]) -> None:
    first, card = next(iter(systems.items()))
    for name in metrics:
        here = _signature(card[name])
        for system, other in systems.items():
            there = _signature(other[name])
            if here != there and here and there:
                raise InputError(
                    f"{first!r} and {system!r} were scored in different ways, {here} and {there}; score all systems "
                    "with the same options"
                )


def _signature(score: Any) -> str:
    return score.signature if isinstance(score, Score) else ""


def _ranks(name: str, systems: dict[Any, Numbers]) -> Ints:
    """The ranks of all systems under a metric, the better the higher."""
    values = np.fromiter((_number(name, system, card[name]) for system, card in systems.items()), np.float64)
    bad = np.flatnonzero(~np.isfinite(values))
    if len(bad):
        system = list(systems)[bad[0]]
        raise InputError(
            f"{name} of {len(bad):,} of {len(values):,} systems is not a finite number (e.g. of {system!r}: "
            f"{float(values[bad[0]])!r}), so it has no rank; leave them out"
        )
    ranks = tie_ranks(values)
    return ranks.max() - ranks if _smaller_is_better(name) else ranks


def _number(name: str, system: Any, value: Any) -> float:
    if not isinstance(value, Score | Real):
        raise InputTypeError(f"{name} of {system!r} is {value!r}, not a score; pass a number")
    try:
        return float(value)
    except OverflowError:
        return math.inf


def _smaller_is_better(name: str) -> bool:
    try:
        return metric(name).smaller_is_better
    except MetricError:  # a measure of the user's own
        return False
