"""Slices: what some of the elements score, with clusters counted over all of them, and what the rest does."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from clusterscore.align.policies import Policy, spelled_label
from clusterscore.analyses.resampling import CONFIDENCE, Interval, few_units, jackknife_interval, level
from clusterscore.analyses.spread import grouped_parts
from clusterscore.analyses.units import UNIT_NOUNS
from clusterscore.count.counting import count
from clusterscore.count.counts import NotASum
from clusterscore.count.sums import Floats, add_up
from clusterscore.count.table import Table
from clusterscore.distinct import Array, Ints, distinct
from clusterscore.exceptions import InputError, MetricError
from clusterscore.messages import Option
from clusterscore.metrics.metric import Metric, Parts, add_rows, example_table
from clusterscore.metrics.score_type import Score
from clusterscore.nouns import noun, plural
from clusterscore.progress import step
from clusterscore.show.description import (
    ANY,
    COUNT,
    TEXT,
    Column,
    Description,
    interval_columns,
    metric_column,
    score_columns,
    signed,
)
from clusterscore.show.grid import as_text
from clusterscore.show.result import ByMetric, Result, in_its_words
from clusterscore.version import __version__

_MOST = 20_000_000  # slices times units: beyond, intervals would take minutes
_SHOWN = 20  # slices under each metric; the other forms have all


class Slice(NamedTuple):
    """One slice under one metric, and its difference to all other elements; None where that cannot be told."""

    score: Score
    elements: int
    interval: Interval | None
    difference: float | None
    difference_interval: Interval | None


class SlicedElements(NamedTuple):
    """The elements of a table by cell and slice: those of a cell are alike, so each row has all that share both."""

    cell: Ints
    group: Ints  # the slice, numbered without gaps
    number: Array  # how many elements a row has
    names: list[Any]  # of the slices
    unit: Ints  # of each row: its document, its gold cluster, or itself
    kind: str  # of unit
    multiplicity: Array | None  # how many units a row is, where it is several
    weight: Array | None  # of the elements of each row together

    @classmethod
    def of(cls, table: Table) -> SlicedElements:
        """Of a table that knows its elements and their slices."""
        assert table.members is not None
        assert table.members.pair.groups is not None
        pair, groups = table.members.pair, table.members.pair.groups
        weighed = pair.weights is not None
        combinations = distinct((table.members.cell, len(table.n)), (groups.codes, len(groups.names)), codes=weighed)
        cell = combinations.column(0)
        used, group = np.unique(combinations.column(1), return_inverse=True)
        of_cell, kind = table.cells.document, "documents"
        if len(table.documents) == 1:
            of_cell, kind = (None, "elements") if table.overlapping else (table.gold, "clusters")
        unit = np.arange(len(cell)) if of_cell is None else np.unique(of_cell[cell], return_inverse=True)[1]
        multiplicity = combinations.counts if kind == "elements" else None
        weight = np.bincount(combinations.codes, pair.weights, len(combinations)) if weighed else None
        names = [groups.name(code) for code in used.tolist()]
        return cls(cell, group, combinations.counts, names, unit, kind, multiplicity, weight)

    @property
    def sizes(self) -> list[int]:
        """How many elements each slice has."""
        return np.bincount(self.group, self.number).astype(np.int64).tolist()  # type: ignore[no-any-return]

    @property
    def units(self) -> int:
        """How many units there are."""
        return int(self.unit.max(initial=-1)) + 1 if self.multiplicity is None else int(self.multiplicity.sum())

    @property
    def spread(self) -> Ints:
        """Over how many units each slice is spread."""
        if self.multiplicity is not None:
            return np.array(self.sizes)
        both = distinct((self.group, len(self.names)), (self.unit, self.units))
        return np.bincount(both.column(0), minlength=len(self.names))

    def share(self, metric: Metric, table: Table) -> Parts:
        """What a metric takes from the elements of each row."""
        amount = self.number.astype(np.float64)
        if metric.wants_weights and self.weight is not None and table.weight is not None:
            whole = table.weight[self.cell]  # of the cell, all of whose elements have its sums by their weights
            amount = table.n[self.cell] * np.divide(self.weight, whole, out=np.zeros(len(whole)), where=whole > 0)
        parts = grouped_parts(metric, table, "elements")
        return {name: part[self.cell].astype(np.float64) * amount for name, part in parts.items()}


def slices_of(table: Table, metrics: Sequence[Metric], average: str, named: bool) -> Slices:
    """The slices of a table; a metric that has none is left out, or an error where the user named it."""
    if average != "micro":
        raise InputError(
            noun("a slice is a mean over elements, but "),
            Option("average", average),
            noun(" is one over documents; leave out "),
            Option("by"),
            " or ",
            Option("average"),
        )
    if any(table.one_sided):
        gold, pred = table.one_sided
        raise InputError(
            f"slices consist of {noun('elements')} that both sides have, but {plural(gold, 'element')} only "
            f"in gold and {pred:,} only in pred are kept; pass ",
            table.policy.remedy,
        )
    with step("slices"):
        return _scored(table, SlicedElements.of(table), metrics, named)


def _scored(table: Table, members: SlicedElements, metrics: Sequence[Metric], named: bool) -> Slices:
    results: dict[str, dict[Any, Slice]] = {}
    notes: list[str] = []
    slices, several = len(members.names), members.units > 1
    if slices * members.units > _MOST:
        several = False
        notes.append(f"no intervals: {slices:,} slices are too many for them; take fewer and larger ones")
    alone = int((members.spread == 1).sum())
    if several and alone:
        notes.append(f"no interval for {plural(alone, 'slice')} of one {noun(UNIT_NOUNS[members.kind])} only")
    for metric in metrics:
        if metric.sliced_apart:
            results[str(metric)] = _worst_first(metric, members.names, _by_itself(metric, table, members))
            continue
        try:
            share = members.share(metric, table)
            _refuse_totals(metric)
        except NotASum as reason:
            why = f"{metric} depends on {reason}, so it has no slices"
            if named:
                raise MetricError(
                    f"{why}; measures of {noun('elements')} and pairs do, such as elm, bcubed, pairwise"
                ) from None
            notes.append(why)
            continue
        fixed = ("cells",) in metric.needs and members.kind != "documents"
        if fixed and several:
            notes.append(
                f"no intervals: {metric} depends on an alignment of all {noun('clusters')}; score more "
                f"{noun('documents')}"
            )
        scored = _under(metric, table, members, share, several and not fixed)
        results[str(metric)] = _worst_first(metric, members.names, scored)
    if not results:
        raise MetricError(f"no metric has slices: {notes[-1]}")
    return Slices(results, members, notes, table.policy)


def apart(table: Table) -> Table:
    """The same elements, with each slice as a document of its own."""
    assert table.members is not None
    pair = table.members.pair
    if pair.documents is not None:
        raise InputError(
            noun("slices that are scored by themselves cannot be parts of documents as well; leave out "),
            Option("documents"),
        )
    return count(pair._replace(documents=pair.groups))


def _by_itself(metric: Metric, table: Table, members: SlicedElements) -> list[Slice]:
    """The slices under a metric that scores each of them alone."""
    slices = apart(table)
    values, row = metric.values(slices), {name: k for k, name in enumerate(slices.documents)}
    return [
        Slice(values.score(_signature(metric, table, name), row=row[name]), size, None, None, None)
        for name, size in zip(members.names, members.sizes, strict=True)
    ]


def _worst_first(metric: Metric, names: list[Any], slices: list[Slice]) -> dict[Any, Slice]:
    """Slices by name; of equally good ones the largest first."""
    sign = -1 if metric.smaller_is_better else 1
    scores, sizes = (np.array(column) for column in zip(*(own[:2] for own in slices), strict=True))
    return {names[k]: slices[k] for k in np.lexsort((-sizes, sign * scores.round(12))).tolist()}


def _refuse_totals(metric: Metric) -> None:
    """A count of errors is larger in a larger slice, whoever is served worse; tried out on a small example."""
    whole = add_rows(grouped_parts(metric, example_table(metric.wants_weights), "elements"))
    once, twice = (metric.finish(**{name: k * part for name, part in whole.items()}).value for k in (1, 2))
    if not np.allclose(once, twice, 1e-9):
        raise NotASum(noun("a total, which grows with the number of elements"))


def _under(metric: Metric, table: Table, members: SlicedElements, share: Parts, with_intervals: bool) -> list[Slice]:
    """All slices under one metric."""
    slices, sizes = len(members.names), members.sizes
    if metric.wants_weights and members.weight is not None:
        empty = np.flatnonzero(np.bincount(members.group, members.weight) == 0)
        if len(empty):
            raise InputError(
                f"{plural(len(empty), 'slice')} with no weight at all (e.g. {members.names[empty[0]]!r}), so they "
                f"have no score of their own; leave their {noun('elements')} out"
            )
    sums = {name: add_up(column, members.group, slices) for name, column in share.items()}
    own = metric.finish(**sums)
    rest = metric.finish(**{name: add_up(share[name]) - column for name, column in sums.items()}).value
    ends: list[tuple[Interval | None, Interval | None]] = [(None, None)] * slices
    if with_intervals:
        ends = list(_intervals(metric, members, share, own.value, rest))
    gaps = (own.value - rest).tolist() if slices > 1 else [None] * slices
    return [
        Slice(own.score(_signature(metric, table, name), row=k), sizes[k], ends[k][0], gaps[k], ends[k][1])
        for k, name in enumerate(members.names)
    ]


def _intervals(
    metric: Metric, members: SlicedElements, share: Parts, own: Floats, rest: Floats
) -> Iterator[tuple[Interval | None, Interval | None]]:
    """For each slice the interval of its score, and of its difference to the rest, by leaving out unit after unit."""
    most, times, spread = metric.highest - metric.lowest, members.multiplicity, members.spread

    def interval(value: float, without: Floats) -> Interval:
        return jackknife_interval(value, without, times, CONFIDENCE)

    size = int(members.unit.max()) + 1
    single = {name: column / (1 if times is None else times) for name, column in share.items()}
    of_all = {name: np.bincount(members.unit, column, size) for name, column in single.items()}
    total = {name: float(column.sum()) for name, column in share.items()}
    rows_of_unit, units = np.bincount(members.unit, minlength=size), np.ones(size) if times is None else times
    order = np.argsort(members.group, kind="stable")
    for k, rows in enumerate(np.split(order, np.cumsum(np.bincount(members.group))[:-1])):
        if spread[k] < 2:
            yield None, None
            continue
        unit, gap = members.unit[rows], None
        brought = {name: np.bincount(unit, column[rows], size) for name, column in single.items()}
        sums = {name: float(column[rows].sum()) for name, column in share.items()}
        without = metric.finish(**{name: sums[name] - column for name, column in brought.items()}).value
        if units[np.bincount(unit, minlength=size) < rows_of_unit].sum() > 1:  # the rest is more than one unit
            others = {name: total[name] - sums[name] - (of_all[name] - column) for name, column in brought.items()}
            gap = interval(float(own[k] - rest[k]), without - metric.finish(**others).value).within(-most, most)
        yield interval(float(own[k]), without).within(metric.lowest, metric.highest), gap


def _signature(metric: Metric, table: Table, name: Any) -> str:
    mark = {"slice": spelled_label(name)}
    return metric.sign(table.policy.read_with(mark, mark))


class Slices(Result, ByMetric[Mapping[Any, Score]]):
    """What some of the elements score: ``slices["elm"]["old"]`` is a Score, and the worst slice comes first.

    ``slices.results["elm"]["old"]`` also has the number of ``elements``, the ``interval`` of the score (``low`` and
    ``high``), its ``difference`` to the score of all other elements, and ``difference_interval``. ``notes`` tell what
    could not be computed.

    >>> import clusterscore as cs
    >>> gold, pred = ["a", "a", "b", "b", "c", "d"], [1, 1, 2, 3, 4, 4]
    >>> slices = cs.score(gold, pred, metrics="elm", by=["old", "old", "old", "old", "new", "new"]).slices
    >>> {name: score.value for name, score in slices["elm"].items()}
    {'new': 0.0, 'old': 0.5}
    >>> slices.results["elm"]["new"].difference
    -0.5
    """

    confidence = CONFIDENCE

    def __init__(
        self, results: Mapping[str, Mapping[Any, Slice]], members: SlicedElements, notes: list[str], policy: Policy
    ):
        self.results = ByMetric(results)
        super().__init__(
            {metric: {name: own.score for name, own in by_name.items()} for metric, by_name in results.items()}
        )
        self._notes, self._policy = notes, policy  # what could not be computed, and why
        self.unit, self.units = members.kind, members.units  # what intervals are over, and how many there are

    @property
    @in_its_words
    def notes(self) -> list[str]:
        """What the numbers alone do not say."""
        drawn = any(result.interval is not None for by_name in self.results.values() for result in by_name.values())
        return [*(few_units(self.units, UNIT_NOUNS[self.unit]) if drawn else []), *self._notes]

    @property
    def signature(self) -> str:
        """What decides the numbers, apart from the options of the metrics."""
        design = f"by:given|unit:{self.unit}|confidence:{self.confidence:g}|interval:jackknife"
        return f"avg:micro|{self._policy.signature}|{design}|v:{__version__}"

    def description(self) -> Description:
        """A row per metric and slice."""
        ends = level(self.confidence)
        columns = [
            metric_column(once=True),
            Column("slice", heading=None, kind=ANY),
            Column("slice", lambda row: as_text(row.slice), programs=False, is_name=True),
            Column("elements", "result.elements", kind=COUNT),
            *score_columns("result.score"),
            *interval_columns("interval", "result.interval", ends),
            Column("difference", "result.difference", heading="against the rest", form=signed, breaks=True),
            *interval_columns("difference_interval", "result.difference_interval", ends, "+"),
            Column("signature", "result.score.signature", heading=None, kind=TEXT),
        ]
        rows = [
            SimpleNamespace(metric=metric, slice=name, result=result, place=place)
            for metric, slices in self.results.items()
            for place, (name, result) in enumerate(slices.items())
        ]
        return Description(columns, rows, below=[*self.notes, self.signature], keys=2)

    def descriptions(self) -> list[Description]:
        """Of very many slices the worst."""
        most = max(len(slices) for slices in self.results.values())
        every = self.description()
        if most <= _SHOWN:
            return [every]
        rows = [row for row in every.rows if row.place < _SHOWN]
        cut = f"the {_SHOWN} worst of {most:,} slices; CSV and JSON have all"
        return [replace(every, rows=rows, below=[cut, *every.below])]

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values; a name that JSON has no type for is text."""
        scores: dict[str, list[dict[str, Any]]] = {metric: [] for metric in self}
        for row in self.records():
            name = row["slice"]
            plain = name if isinstance(name, str | int | float) else as_text(name)
            scores[row.pop("metric")].append({**row, "slice": plain})
        own = {key: getattr(self, key) for key in ("unit", "units", "confidence", "notes", "signature")}
        return {"scores": scores, **own, "version": __version__}
