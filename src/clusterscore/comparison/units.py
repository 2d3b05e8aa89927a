"""Units: what is drawn again and again, because one could have been drawn in the place of another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple, get_args

import numpy as np

from clusterscore.comparison.ordering import Ranked, document_ranks, partners, ranked, spread_out
from clusterscore.comparison.weighing import Sums
from clusterscore.count.sums import Floats
from clusterscore.count.table import NotASum, Table
from clusterscore.distinct import Array, distinct
from clusterscore.exceptions import InputError, plural
from clusterscore.metrics.metric import Metric, Parts

Unit = Literal["auto", "documents", "clusters", "elements"]
UNITS: tuple[str, ...] = get_args(Unit)
SPELLED = {"document": "documents", "cluster": "clusters", "gold": "clusters", "gold clusters": "clusters",
           "gold_clusters": "clusters", "element": "elements"}  # fmt: skip


class System(NamedTuple):
    """One system: its counts, and where single elements are asked for, the cell of each."""

    table: Table
    cells: Array | None = None


class Units(NamedTuple):
    """The units of several systems: for each of them, where in its table a unit is found."""

    kind: str
    places: list[Array]  # for each system
    often: Array | None = None  # how many elements a unit stands for, where it does not stand for one thing

    @property
    def number(self) -> int:
        """How many units there are."""
        return len(self.places[0])

    @property
    def drawn(self) -> int:
        """How many are drawn for a resample."""
        return self.number if self.often is None else int(self.often.sum())


def units_of(systems: dict[str, System], unit: str, average: str) -> Units:
    """The units of systems that were scored against the same gold."""
    first = next(iter(systems.values())).table
    kind = unit
    if unit == "auto":
        kind = "documents" if len(first.documents) > 1 else "clusters"
    if average == "macro" and kind != "documents":
        what = "they are its units" if unit == "auto" else 'take unit="documents"'
        raise InputError(
            f"a macro average is a mean over documents, and {what}: "
            f"{plural(len(first.documents), 'document')} there, resampled by {kind}"
        )
    units = _UNITS[kind](systems)
    if units.drawn < 2:
        told = {"documents": "one document", "clusters": "one gold cluster", "elements": "one element"}[kind]
        other = {"documents": 'pass documents=, or unit="clusters"', "clusters": "pass documents= with several",
                 "elements": "pass more"}[kind]  # fmt: skip
        raise InputError(f"there is {told} only, so nothing to resample; {other}, or resamples=0 for the scores alone")
    return units


def _documents(systems: dict[str, System]) -> Units:
    names = {name: list(system.table.documents) for name, system in systems.items()}
    order = document_ranks(next(iter(names.values()))).argsort()
    return Units("documents", [place[order] for place in _matched(names, "document")])


def _clusters(systems: dict[str, System]) -> Units:
    keys: dict[str, list[Any]] = {}
    found: dict[str, Ranked] = {}
    for name, system in systems.items():
        table = system.table
        _refuse_one_sided(name, table, "gold clusters")
        found[name] = ranked(table, "gold")
        used = found[name].used
        names: list[Any] = [table.gold_name(k) for k in used.tolist()]
        for k in np.flatnonzero(found[name].alone >= 0).tolist():
            names[k] = (None, int(found[name].alone[k]))
        if table.gold_document is not None:
            where = (table.documents[document] for document in table.gold_document[used].tolist())
            names = list(zip(where, names, strict=True))
        keys[name] = names
    places = _matched(keys, "gold cluster")
    sorting = [next(iter(found.values())).rank]
    for system, each, place in zip(systems.values(), found.values(), places, strict=True):
        sorting += [column[place] for column in partners(system.table, each)]
    order = np.lexsort(sorting[::-1])
    return Units("clusters", [each.used[place][order] for each, place in zip(found.values(), places, strict=True)])


def _elements(systems: dict[str, System]) -> Units:
    cells: list[tuple[Array, int]] = []
    ranks: list[Array] = []  # of the cells: the gold one, and for each system the predicted one
    for name, system in systems.items():
        _refuse_one_sided(name, system.table, "elements")
        if system.cells is None:
            raise InputError('a Table does not know its elements; pass clusterings, or unit="clusters"')
        table = system.table
        cells.append((system.cells, len(table.n)))
        gold, pred = (spread_out(ranked(table, side), len(size)) for side, size in
                      (("gold", table.gold_size), ("pred", table.pred_size)))  # fmt: skip
        ranks += [pred[table.pred]] if ranks else [gold[table.gold], pred[table.pred]]
    found = distinct(*cells)
    columns = [found.column(k) for k in range(len(cells))]
    weight = next(iter(systems.values())).table.weight
    sorting = [ranks[0][columns[0]], *(rank[column] for rank, column in zip(ranks[1:], columns, strict=True))]
    if weight is not None:
        sorting.append(weight[columns[0]])
    order = np.lexsort(sorting[::-1])
    return Units("elements", [column[order] for column in columns], found.counts[order])


_UNITS = {"documents": _documents, "clusters": _clusters, "elements": _elements}


def _matched(keys: dict[str, list[Any]], what: str) -> list[Array]:
    """For each system the places of the first one's keys."""
    (first, wanted), *others = keys.items()
    places = [np.arange(len(wanted))]
    for name, here in others:
        if here == wanted:
            places.append(places[0])
            continue
        place = {key: k for k, key in enumerate(here)}
        gone = [key for key in wanted if key not in place]
        if gone or len(here) != len(wanted):
            known = set(wanted)
            extra = [key for key in here if key not in known]
            side, few = (first, gone) if gone else (name, extra)
            raise InputError(
                f"the systems were not scored on the same things: {plural(len(few), what)} only with {side!r} "
                f"(e.g. {few[0]!r}), when {first!r} and {name!r} are compared"
            )
        places.append(np.array([place[key] for key in wanted]))
    return places


def _refuse_one_sided(name: str, table: Table, what: str) -> None:
    if any(table.one_sided):
        raise InputError(
            f"system {name!r} was scored with elements that only one side has, which belong to no {what} of both; "
            'resample several documents, or pass missing="singleton", or resamples=0 for the scores alone'
        )


def check_same(systems: dict[str, System]) -> None:
    """Raise unless all systems were scored on the same gold: a comparison on other elements says nothing."""
    (first, system), *others = systems.items()
    for name, other in others:
        facts = [(one.table.n_common + one.table.one_sided[0], one.table.number("gold")) for one in (system, other)]
        if facts[0] != facts[1]:
            told = [f"{elements:,} gold elements in {plural(clusters, 'cluster')}" for elements, clusters in facts]
            raise InputError(
                f"the systems were scored on different elements: {first!r} on {told[0]}, {name!r} on {told[1]}; "
                'leave the same elements out of all, or pass missing="keep" with coreference measures'
            )


def sums_of(metric: Metric, systems: Sequence[System], units: Units, average: str) -> list[Sums] | str:
    """What a metric takes from every unit, for each system; where it has no such parts, why not."""
    try:
        return [
            _sums(metric, system.table, place, units, average)
            for system, place in zip(systems, units.places, strict=True)
        ]
    except NotASum as told:
        over = "gold clusters" if units.kind == "clusters" else units.kind
        return f"{metric} looks at {told}, so it is no sum over {over}"


def _sums(metric: Metric, table: Table, place: Array, units: Units, average: str) -> Sums:
    def finish(parts: Parts) -> Floats:
        return metric.finish(**parts).value

    if units.kind == "documents":
        parts = metric.parts(table)
        if average == "macro":
            values = finish(parts)[place]
            return Sums({"value": values, "count": np.ones(len(values))}, _mean)
        return Sums(_taken(parts, place), finish)
    if not metric.additive:
        raise NotASum("all elements at once")
    if ("cells",) in metric.needs:
        raise NotASum("an alignment of all clusters")
    grouped = table.grouped(units.kind)
    parts = metric.parts(grouped)
    if units.kind == "elements":
        parts = {name: part / grouped.n for name, part in parts.items()}
    return Sums(_taken(parts, place), finish)


def _mean(parts: Parts) -> Floats:
    return np.asarray(parts["value"] / parts["count"])


def _taken(parts: Parts, place: Array) -> Parts:
    return {name: part[place] for name, part in parts.items()}
