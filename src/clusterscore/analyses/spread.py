"""How scores spread: over resamples, without each unit, and after two systems changed places."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from clusterscore.analyses.ranks import CLOSE
from clusterscore.analyses.resampling import (
    BLOCK,
    CompareOptions,
    Intervals,
    choices,
    draws,
    intervals,
    is_exhaustive,
)
from clusterscore.analyses.units import Units
from clusterscore.count.counts import NotASum
from clusterscore.count.fetched import Fetched
from clusterscore.count.sums import Floats, divide
from clusterscore.count.table import Table
from clusterscore.distinct import Array, representatives
from clusterscore.metrics.metric import Metric, Parts, add_rows
from clusterscore.nouns import noun
from clusterscore.progress import step

TIE = CLOSE  # of scores up to 1: nearer than this they are equal
_AT_ONCE = 1 << 20  # cells counted together


class Spread(NamedTuple):
    """One metric; the first axis of every array goes over the systems, where nothing else is said."""

    each: Floats  # the score of every unit alone
    resampled: Floats  # the score of every resample
    without: Floats  # the score without each of the units
    exchanged: dict[tuple[int, int], Floats]  # how far two systems are apart after an exchange; by pair of systems
    units: Units

    def intervals(self, system: int, value: float, confidence: float, less: int | None = None) -> Intervals:
        """The intervals of a system's score, or of its difference to another's."""
        resampled, left_out = self.resampled[system], self.without[system]
        if less is not None:
            resampled, left_out = resampled - self.resampled[less], left_out - self.without[less]
        return intervals(value, resampled, left_out, self.units.multiplicity, confidence)

    def p(self, pair: tuple[int, int], gap: float, resamples: int) -> float:
        """How often two systems that changed places at random are as far apart as these are."""
        exchanged = self.exchanged[pair]
        as_far = int(np.count_nonzero(np.abs(exchanged) >= abs(gap) - TIE))
        if is_exhaustive(self.units, resamples):
            return as_far / len(exchanged)
        return (as_far + 1) / (len(exchanged) + 1)  # the way they are is one of the ways


def spreads(
    metrics: Sequence[Metric],
    tables: Sequence[Table],
    units: Units,
    options: CompareOptions,
    pairs: Sequence[tuple[int, int]],
) -> dict[str, Spread | str]:
    """The spread of every metric, all with the same draws; for one that has none, the reason.

    ``pairs`` are the systems that are tested against each other.
    """
    by_metric: dict[str, Spread | str] = {}
    added: dict[str, list[UnitParts]] = {}
    for metric in metrics:
        parts = parts_of(metric, tables, units, options.average)
        if isinstance(parts, str):
            by_metric[str(metric)] = parts
        elif metric.additive or options.average != "micro":
            added[str(metric)] = parts
        else:
            by_metric[str(metric)] = _recounted(metric, tables, parts, units, options, pairs)
    return by_metric | (_weighted(added, units, options, pairs) if added else {})


class UnitParts(NamedTuple):
    """What one metric takes from every unit of one system, and how the score is made of the sum."""

    parts: Parts
    finish: Callable[[Parts], Floats]


def parts_of(metric: Metric, tables: Sequence[Table], units: Units, average: str) -> list[UnitParts] | str:
    """What a metric takes from every unit, for each system; where it has no such parts, why not."""

    def finish(parts: Parts) -> Floats:
        return metric.finish(**parts).value

    try:
        if average == "micro" and not metric.additive and ("cells",) in metric.needs:
            raise NotASum(noun("all clusters at once"))
        parts = _alike([by_unit(metric, table, units.kind) for table in tables])
    except NotASum as reason:
        over = noun("gold clusters" if units.kind == "clusters" else units.kind)
        return f"{metric} depends on {reason}, so it is not a sum over {over}"
    if average != "micro":
        means = []
        for system_parts, table, place in zip(parts, tables, units.places, strict=True):
            weight = np.ones(units.number) if average == "macro" else table.document_elements[place].astype(np.float64)
            means.append({"value": finish(system_parts)[place] * weight, "weight": weight})
        return [UnitParts(mean, lambda sums: divide(sums["value"], sums["weight"], 0.0)) for mean in means]
    placed = [
        {name: part[place] for name, part in system_parts.items()}
        for system_parts, place in zip(parts, units.places, strict=True)
    ]
    return [UnitParts(system_parts, finish) for system_parts in placed]


def _alike(systems: list[Parts]) -> list[Parts]:
    """The parts of systems by the same names: omega has one for each number of clusters that two elements share."""
    names = dict.fromkeys(name for parts in systems for name in parts)
    return [
        {name: parts[name] if name in parts else np.zeros(len(next(iter(parts.values())))) for name in names}
        for parts in systems
    ]


def by_unit(metric: Metric, table: Table, kind: str) -> Parts:
    """What a metric takes from every unit of one system."""
    if kind == "documents":
        return metric.parts(table)
    if ("cells",) in metric.needs:
        raise NotASum(noun("all clusters at once"))
    return grouped_parts(metric, table, kind)


def grouped_parts(metric: Metric, table: Table, kind: str) -> Parts:
    """What a metric takes from each gold cluster ("clusters"), or from an element of each cell ("elements")."""
    if not metric.additive:
        raise NotASum(noun("all elements at once"))
    grouped = table.grouped(kind)
    parts = metric.parts(grouped)
    added, pooled = (metric.finish(**total).value for total in (add_rows(parts), metric.pooled_parts(table)))
    if any(len(part) != len(grouped.documents) for part in parts.values()) or not np.allclose(added, pooled, 1e-9):
        raise NotASum("numbers that do not add up to the score")
    return {name: part / grouped.n for name, part in parts.items()} if kind == "elements" else parts


class Weighting:
    """A resample as a sum: weights over the units times what each unit brings, for all metrics and systems at once.

    ``parts[name]`` has what that metric takes from each system.
    """

    def __init__(self, parts: Mapping[str, Sequence[UnitParts]]):
        self._parts = parts
        columns: dict[bytes, tuple[int, Floats]] = {}  # equal ones, such as the number of elements, are kept once
        self._places: dict[str, list[dict[str, int]]] = {name: [] for name in parts}
        for name, systems in parts.items():
            for system in systems:
                own_columns = {key: column.astype(np.float64) for key, column in system.parts.items()}
                places = {key: columns.setdefault(c.tobytes(), (len(columns), c))[0] for key, c in own_columns.items()}
                self._places[name].append(places)
        self.columns = np.column_stack([column for _, column in columns.values()])  # what every unit brings

    def scores(self, sums: Floats, name: str, system: int) -> Floats:
        """The scores that rows of sums, ``weights @ columns``, make."""
        places = self._places[name][system]
        return self._parts[name][system].finish({key: sums[:, place] for key, place in places.items()})

    def mixed(self, kept: Floats, others: Floats, name: str, system: int, other: int) -> Floats:
        """The scores of a system that has the units summed in ``kept``, and in ``others`` those of another one."""
        mine, theirs = self._places[name][system], self._places[name][other]
        return self._parts[name][system].finish({key: kept[:, mine[key]] + others[:, theirs[key]] for key in mine})


def _weighted(
    parts: Mapping[str, list[UnitParts]], units: Units, options: CompareOptions, pairs: Sequence[tuple[int, int]]
) -> dict[str, Spread]:
    """Measures of sums: weights times parts, for all of them in one product."""
    weighting, systems = Weighting(parts), range(len(units.places))
    total = (
        np.ones(units.number) if units.multiplicity is None else units.multiplicity.astype(np.float64)
    ) @ weighting.columns
    drawn = _products(weighting, draws(units, options.resamples, options.seed), "resampling", options)
    chosen = total[None][:0]
    if pairs:
        chosen = _products(weighting, choices(units, options.resamples, options.seed), "testing", options)
    by_metric = {}
    for name, system_parts in parts.items():
        sides = {
            order: weighting.mixed(chosen, total - chosen, name, *order)
            for pair in pairs
            for order in (pair, pair[::-1])
        }
        gaps = {pair: sides[pair] - sides[pair[::-1]] for pair in pairs}
        resampled, without = (
            np.stack([weighting.scores(sums, name, k) for k in systems]) for sums in (drawn, total - weighting.columns)
        )
        by_metric[name] = Spread(
            np.stack([unit_parts.finish(unit_parts.parts) for unit_parts in system_parts]),
            resampled,
            without,
            gaps,
            units,
        )
    return by_metric


def _products(weighting: Weighting, weights: Iterator[Floats], label: str, options: CompareOptions) -> Floats:
    blocks: list[Floats] = []
    done = 0
    with step(label) as at:
        for block in weights:
            blocks.append(block @ weighting.columns)
            done += len(block)
            at(done / options.resamples)
    return np.concatenate(blocks)


def _recounted(
    metric: Metric,
    tables: Sequence[Table],
    parts: list[UnitParts],
    units: Units,
    options: CompareOptions,
    pairs: Sequence[tuple[int, int]],
) -> Spread:
    """A measure that is no sum over documents: every resample is counted again."""
    counts = [Recount(metric, table, place) for table, place in zip(tables, units.places, strict=True)]
    drawing, resampled, without, gaps = (units, options.resamples, options.seed), [], [], {}
    with step(f"resampling {metric}") as at:
        for k, recount in enumerate(counts):
            resampled.append(recount.scores(draws(*drawing)))
            without.append(recount.scores(_without_each(units.number)))
            at((k + 1) / (len(counts) + len(pairs)))
        for pair in pairs:
            first, second = (counts[k] for k in pair)
            gaps[pair] = first.scores(choices(*drawing), second) - second.scores(choices(*drawing), first)
            at((len(counts) + len(gaps)) / (len(counts) + len(pairs)))
    alone = np.stack([unit_parts.finish(unit_parts.parts) for unit_parts in parts])
    return Spread(alone, np.stack(resampled), np.stack(without), gaps, units)


def _without_each(units: int) -> Iterator[Floats]:
    """Weights of one, but for one unit after the other."""
    block = max(1, BLOCK // units)
    for first in range(0, units, block):
        left_out = np.arange(first, min(first + block, units))
        yield (left_out[:, None] != np.arange(units)).astype(np.float64)


class Recount:
    """A measure on one system, counted again for many resamples at once: each is a document of one table.

    A unit that is drawn three times is there three times, its clusters different from those of its copies: its cells
    count three times, and nothing else changes.
    """

    def __init__(self, metric: Metric, table: Table, order: Array):
        self._metric = metric
        unit = representatives(order, len(order))  # of each of the table's documents
        known = {need: getattr(table, str(need[0]))(*need[1:]) for need in metric.needs}
        self._rows = {
            need: rows._replace(
                document=unit[np.zeros(len(rows.n), np.int64) if rows.document is None else rows.document]
            )
            for need, rows in {("rows",): table.rows(), **known}.items()
        }

    def scores(self, weights: Iterator[Floats], rest: Recount | None = None) -> Floats:
        """The score of every resample; with ``rest`` units that are not chosen come from there."""
        values = []
        block = max(1, _AT_ONCE // max(1, len(self._rows["rows",].n)))
        for rows in weights:
            for first in range(0, len(rows), block):
                some = rows[first : first + block]
                known = {need: _times(needed, some) for need, needed in self._rows.items()}
                if rest is not None:
                    known = {
                        need: _joined(needed, _times(rest._rows[need], 1 - some)) for need, needed in known.items()
                    }
                table = Table(Fetched(known.pop(("rows",)), known), documents=range(len(some)))
                values.append(self._metric.values(table).value)
        return np.concatenate(values) if values else np.zeros(0)


def _times(rows: Any, weights: Floats) -> Any:
    """The rows of every resample as those of a document, as often as their unit was drawn."""
    multiplicity = weights[:, rows.document].astype(np.int64)
    resample, row = multiplicity.nonzero()
    held = {name: None if column is None else column[row] for name, column in rows._asdict().items()}
    times = multiplicity[resample, row] if held["times"] is None else multiplicity[resample, row] * held["times"]
    return type(rows)(**{**held, "document": resample, "times": times})


def _joined(first: Any, second: Any) -> Any:
    """Rows of the same kind, one after the other."""
    columns = zip(first, second, strict=True)
    return type(first)(*(None if both[0] is None else np.concatenate(both) for both in columns))
