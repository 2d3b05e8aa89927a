"""Units: what is drawn, left out or exchanged, in the order of their names, whatever the order of rows and files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple, get_args

import numpy as np

from clusterscore.count.table import Table
from clusterscore.distinct import Array, Ints, distinct, representatives
from clusterscore.exceptions import InputError
from clusterscore.messages import Message, Option, Text
from clusterscore.nouns import noun, plural
from clusterscore.read.labels import Labels
from clusterscore.read.names import Names, label_ranks


class RankedClusters(NamedTuple):
    """The clusters of a side that hold something, by their numbers."""

    used: Ints
    rank: Ints  # of each, by document and name; elements that a policy left alone in a document share one
    alone: Ints  # the number of the element among those left alone, -1 for a cluster with a name
    size: int  # how many numbers there are, used or not

    def of_all(self) -> Ints:
        """The rank of each cluster by its number."""
        ranks = np.full(self.size, -1)
        ranks[self.used] = self.rank
        return ranks


def ranked(table: Table, side: str) -> RankedClusters:
    """The clusters of a side in the order of their documents' names and their own."""
    clusters = table.cells.side(side)
    used = np.flatnonzero(clusters.size)
    places, names = clusters.name.places(used), clusters.name.names
    alone = np.where(places < len(names), -1, places)
    rank = label_ranks(Labels(places, names))
    if clusters.document is not None:
        rank = rank + document_ranks(table.documents)[clusters.document[used]] * (int(rank.max(initial=0)) + 1)
    return RankedClusters(used, rank, alone, len(clusters.size))


def document_ranks(documents: Sequence[object]) -> Ints:
    """The place of each document in the order of their names."""
    return representatives(Names(documents).order(), len(documents))


def partners(table: Table, ranking: RankedClusters) -> list[Array]:
    """What tells gold clusters apart that have no name: the predicted cluster of their element, and its weight."""
    if not (ranking.alone >= 0).any():
        return []
    keys = []
    for column in [ranked(table, "pred").of_all()[table.pred], *([] if table.weight is None else [table.weight])]:
        of_cluster = np.zeros(ranking.size, column.dtype)
        of_cluster[table.gold] = column
        keys.append(np.where(ranking.alone >= 0, of_cluster[ranking.used], 0))
    return keys


Unit = Literal["auto", "documents", "clusters", "elements"]
UNITS: tuple[str, ...] = get_args(Unit)
SPELLED = {
    "document": "documents",
    "element": "elements",
    **dict.fromkeys(("cluster", "gold", "gold clusters", "gold_clusters"), "clusters"),
}
UNIT_NOUNS = {"documents": "document", "clusters": "gold cluster", "elements": "element"}
_ONLY_ONE = {  # what there is one of, and what to pass
    "documents": ("one document", Message(Option("documents"), ", or ", Option("unit", "clusters"))),
    "clusters": ("one gold cluster", Message(Option("documents"), " with several")),
    "elements": ("one element", Message("more")),
}


class Units(NamedTuple):
    """The units of several systems: for each of them, where in its table a unit is found."""

    kind: str
    places: list[Array]  # for each system
    multiplicity: Array | None = None  # how many elements a unit stands for, where it does not stand for one thing

    @property
    def number(self) -> int:
        """How many units there are."""
        return len(self.places[0])

    @property
    def drawn(self) -> int:
        """How many are drawn for a resample."""
        return self.number if self.multiplicity is None else int(self.multiplicity.sum())


def units_of(tables: Mapping[str, Table], unit: str, average: str) -> Units:
    """The units of systems that were scored against the same gold."""
    documents = len(next(iter(tables.values())).documents)
    kind = unit
    if unit == "auto":
        overlap = any(table.overlapping for table in tables.values())
        kind = "documents" if documents > 1 else "elements" if overlap else "clusters"
    if average != "micro" and kind != "documents":
        what = "they are its units" if unit == "auto" else Message("take ", Option("unit", "documents"))
        raise InputError(
            f"a {average} average is a mean over {noun('documents')}, and ",
            what,
            f": {plural(documents, 'document')} there, resampled by {noun(kind)}",
        )
    units = {"documents": _documents, "clusters": _clusters, "elements": _elements}[kind](tables)
    if units.drawn < 2:
        single, remedy = _ONLY_ONE[kind]
        nothing = f"there is {noun(single)} only, so nothing to resample; pass "
        raise InputError(nothing, remedy, ", or ", Option("resamples", 0), " for the scores alone")
    return units


def _documents(tables: Mapping[str, Table]) -> Units:
    names = {name: list(table.documents) for name, table in tables.items()}
    order = document_ranks(next(iter(names.values()))).argsort()
    return Units("documents", [place[order] for place in _matched(names, "document")])


def _clusters(tables: Mapping[str, Table]) -> Units:
    _refuse_one_sided(tables, noun("gold clusters"))
    if any(table.overlapping for table in tables.values()):
        raise InputError(
            noun("clusters that overlap cannot be drawn one by one; resample "),
            Option("unit", "elements"),
            noun(", or documents"),
        )
    rankings = {name: ranked(table, "gold") for name, table in tables.items()}
    keys: dict[str, list[Any]] = {}
    for name, table in tables.items():
        used, alone = rankings[name].used.tolist(), rankings[name].alone.tolist()
        keys[name] = [
            table.cells.gold.name(k) if lone < 0 else (None, lone) for k, lone in zip(used, alone, strict=True)
        ]
        if table.cells.gold.document is not None:
            where = (table.documents[document] for document in table.cells.gold.document[rankings[name].used].tolist())
            keys[name] = list(zip(where, keys[name], strict=True))
    places = _matched(keys, noun("gold cluster"))
    sorting = [next(iter(rankings.values())).rank]
    for table, ranking, place in zip(tables.values(), rankings.values(), places, strict=True):
        sorting += [column[place] for column in partners(table, ranking)]
    order = np.lexsort(sorting[::-1])
    return Units(
        "clusters", [ranking.used[place][order] for ranking, place in zip(rankings.values(), places, strict=True)]
    )


def _elements(tables: Mapping[str, Table]) -> Units:
    _refuse_one_sided(tables, "elements")
    members = [table.members for table in tables.values() if table.members is not None]
    if len(members) < len(tables):
        raise InputError(noun("a Table does not know its elements; pass clusterings, or "), Option("unit", "clusters"))
    combinations = distinct(
        *((member.cell, len(table.n)) for member, table in zip(members, tables.values(), strict=True))
    )
    cells = [combinations.column(k) for k in range(len(tables))]
    first = next(iter(tables.values()))
    sorting = [ranked(first, "gold").of_all()[first.gold][cells[0]]]
    for table, cell in zip(tables.values(), cells, strict=True):
        sorting.append(ranked(table, "pred").of_all()[table.pred][cell])
    if first.weight is not None:
        sorting.append(first.weight[cells[0]])
    order = np.lexsort(sorting[::-1])
    return Units("elements", [cell[order] for cell in cells], combinations.counts[order])


def _matched(keys: dict[str, list[Any]], what: str) -> list[Array]:
    """For each system the places of the first one's keys."""
    (first, expected), *others = keys.items()
    places = [np.arange(len(expected))]
    for name, here in others:
        if here == expected:
            places.append(places[0])
            continue
        place = {key: k for k, key in enumerate(here)}
        gone = [key for key in expected if key not in place]
        if gone or len(here) != len(expected):
            known = set(expected)
            side, few = (first, gone) if gone else (name, [key for key in here if key not in known])
            raise InputError(
                f"the systems were not scored on the same things: {plural(len(few), what)} only with {side!r} "
                f"(e.g. {few[0]!r}), when {first!r} and {name!r} are compared"
            )
        places.append(np.array([place[key] for key in expected]))
    return places


def _refuse_one_sided(tables: Mapping[str, Table], what: str) -> None:
    for name, table in tables.items():
        if any(table.one_sided):
            raise InputError(
                f"system {name!r} was scored with {noun('elements')} that only one side has, which belong to "
                f"no {what} of both; resample several {noun('documents')}, or pass ",
                Option("missing", "singleton"),
                ", or ",
                Option("resamples", 0),
                " for the scores alone",
            )


def check_same(tables: Mapping[str, Table]) -> None:
    """Raise unless all systems were scored on the same gold: a comparison on other elements says nothing."""
    facts = {
        name: (table.n_common + table.one_sided[0], table.number("gold"))
        for name, table in tables.items()
        if table.timeline is None  # where a prediction goes on longer, gold has more silence
    }
    if not facts:
        return
    (first, own), *others = facts.items()
    remedy: list[Text] = [Option("missing", "keep"), " with coreference measures"]
    if any(any(table.noise) for table in tables.values()):
        images = any(table.policy.background != "keep" for table in tables.values())
        remedy = [Option("background", "gold", "keep") if images else Option("noise_as", "singleton", "cluster")]
    for name, fact in others:
        if fact != own:
            mine, theirs = (
                f"{n:,} gold {noun('elements')} in {plural(clusters, 'cluster')}" for n, clusters in (own, fact)
            )
            raise InputError(
                f"the systems were scored on different {noun('elements')}: {first!r} on {mine}, {name!r} on "
                f"{theirs}; leave the same {noun('elements')} out of all, or pass ",
                *remedy,
            )
