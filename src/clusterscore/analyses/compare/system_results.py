"""Systems side by side: each one's score with its intervals, and how far it is from the baseline's."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Literal, NamedTuple, get_args

import numpy as np

from clusterscore.aggregate import Summary
from clusterscore.analyses.ranks import tie_ranks
from clusterscore.analyses.resampling import CompareOptions, Intervals, holm, is_exhaustive
from clusterscore.analyses.spread import TIE, Spread, spreads
from clusterscore.analyses.units import Units, units_of
from clusterscore.count.table import Table
from clusterscore.metrics.metric import Metric
from clusterscore.metrics.score_type import Score

Pairs = Literal["baseline", "all"]
PAIRS: tuple[str, ...] = get_args(Pairs)


class Difference(NamedTuple):
    """A system's score less another's; ``p`` is that of a paired test, ``p_holm`` corrected for all of a metric."""

    value: float
    intervals: Intervals | None
    p: float | None
    p_holm: float | None
    wins: int
    ties: int
    losses: int

    def turned(self) -> Difference:
        """The other system's score less this one's."""
        intervals = None if self.intervals is None else self.intervals.turned()
        value, wins, losses = -self.value, self.losses, self.wins
        return self._replace(value=value, intervals=intervals, wins=wins, losses=losses)


class SystemResult(NamedTuple):
    """One system under one metric; the baseline has no difference to itself."""

    score: Score
    rank: int
    intervals: Intervals | None
    difference: Difference | None = None


class ComparisonResults(NamedTuple):
    """All systems under all metrics."""

    results: dict[str, dict[str, SystemResult]]  # by metric, by system
    pairs: dict[str, dict[tuple[str, str], Difference]]  # by metric, all that were tested
    units: Units | None  # None where nothing was resampled
    exhaustive: bool  # the tests looked at every way to exchange two systems
    refused: dict[str, str]  # metrics without intervals, and why


def compare_systems(
    metrics: Sequence[Metric], tables: dict[str, Table], baseline: str, options: CompareOptions
) -> ComparisonResults:
    """Score, resample and test all systems under all metrics, with the same draws for all."""
    scored = {str(metric): [Summary(metric, table) for table in tables.values()] for metric in metrics}
    for summaries in scored.values():
        for summary in summaries:
            summary.score(options.average)  # errors in the input come before anything is resampled
    names, base = list(tables), list(tables).index(baseline)
    others = [k for k in range(len(tables)) if k != base]
    pairs = [(k, base) for k in others]
    if options.pairs == "all":
        pairs += [(later, earlier) for earlier, later in combinations(others, 2)]
    results_of_all = ComparisonResults({}, {}, None, False, {})
    spread: dict[str, Spread | str] = {}
    if options.resamples:
        units = units_of(tables, options.unit, options.average)
        spread = spreads(metrics, list(tables.values()), units, options, pairs)
        results_of_all = results_of_all._replace(units=units, exhaustive=is_exhaustive(units, options.resamples))
    for name, summaries in scored.items():
        own = spread.get(name)
        if isinstance(own, str):
            results_of_all.refused[name], own = own, None
        gaps = [_difference(*pair, summaries, own, options) for pair in pairs]
        tested = [k for k, gap in enumerate(gaps) if gap.p is not None]
        for k, p in zip(tested, holm([gaps[k].p or 0.0 for k in tested]), strict=True):
            gaps[k] = gaps[k]._replace(p_holm=p)
        results_of_all.pairs[name] = {(names[k], names[k2]): gap for (k, k2), gap in zip(pairs, gaps, strict=True)}
        results = _results(summaries, own, options)
        results_of_all.results[name] = {
            system: result._replace(difference=results_of_all.pairs[name].get((system, baseline)))
            for system, result in zip(names, results, strict=True)
        }
    return results_of_all


def _results(summaries: list[Summary], spread: Spread | None, options: CompareOptions) -> list[SystemResult]:
    """All systems under one metric, without their differences."""
    metric = summaries[0].metric
    scores = [summary.score(options.average) for summary in summaries]
    sign = -1 if metric.smaller_is_better else 1
    ranks = tie_ranks(np.array([sign * score.value for score in scores]))
    intervals: list[Intervals | None] = [None] * len(scores)
    if spread is not None:
        within = metric.lowest, metric.highest
        intervals = [
            spread.intervals(k, score.value, options.confidence).within(*within) for k, score in enumerate(scores)
        ]
    return [
        SystemResult(score, 1 + int((ranks > rank).sum()), ends)
        for score, rank, ends in zip(scores, ranks, intervals, strict=True)
    ]


def _difference(
    k: int, base: int, summaries: list[Summary], spread: Spread | None, options: CompareOptions
) -> Difference:
    summary, other = summaries[k], summaries[base]
    gap = summary.score(options.average).value - other.score(options.average).value
    multiplicity, interval, p = None, None, None
    if spread is not None:
        gaps, multiplicity = spread.each[k] - spread.each[base], spread.units.multiplicity
        interval, p = spread.intervals(k, gap, options.confidence, base), spread.p((k, base), gap, options.resamples)
    else:
        place = {document: at for at, document in enumerate(other.table.documents)}
        both = [(at, place[document]) for at, document in enumerate(summary.table.documents) if document in place]
        mine, theirs = np.array(both, np.int64).reshape(-1, 2).T
        gaps = summary.documents.value[mine] - other.documents.value[theirs]
    better = -gaps if summary.metric.smaller_is_better else gaps
    count = np.ones(len(gaps), np.int64) if multiplicity is None else multiplicity
    wins, losses = int(count[better > TIE].sum()), int(count[better < -TIE].sum())
    return Difference(gap, interval, p, None, wins, int(count.sum()) - wins - losses, losses)
