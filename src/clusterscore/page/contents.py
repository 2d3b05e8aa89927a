"""Contents: the columns that the tables of a page show, in a file that is not too large.

Everything is computed here; the page sorts, searches and shows it. Cells and clusters refer to rows that are kept once,
as most cells and clusters of a size fare alike, and elements refer to their cell. Names take most of the room: where
they do not all fit, the worst have theirs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from clusterscore.count.table import Table
from clusterscore.diagnose import ClusterSide, Order
from clusterscore.distinct import Array, Ints
from clusterscore.exceptions import InputError
from clusterscore.page.packing import Packed, Parts, fractions, names, numbers
from clusterscore.page.system import System
from clusterscore.pipeline.naming import names_of

ROOM = 6_600_000  # bytes of all columns; as text they take a third more
_MANY = 1_000_000  # with more elements than this the room grows with them
_LEAST = 1_000_000  # bytes for names, however many systems there are
_MOST = 10_000_000  # elements, or cells, of a page
_SHARE = 0.4  # of the room that is left, for the names of one kind of clusters
_SPARE = 0.95  # of what should fit: fewer names do not deflate as well as all of them
_LONGEST = 300  # letters of a text
_OF_CLUSTERS = ("size", "parts", "overlap", "share", "precision", "recall", "f")

Column = Sequence[Any] | Array
Entry = dict[str, Any]  # where the page finds columns: their numbers


class Contents(NamedTuple):
    """The columns of a page, and where each of its systems finds its own."""

    systems: list[Entry]
    columns: list[Packed]


def contents(systems: list[System]) -> Contents:
    """The columns of all systems: first what must be there, then the names for which there is room."""
    parts = Parts()
    room = int(ROOM * max(1.0, max(system.table.elements for system in systems) / _MANY))
    sides = [_sides(system) for system in systems]
    entries = [_numbers(system, its, parts) for system, its in zip(systems, sides, strict=True)]
    for entry, system, its in zip(entries, systems, sides, strict=True):
        _name_clusters(entry, system.table, its, parts, room)
    _name_elements(systems, entries, parts, max(room - parts.size, _LEAST))
    return Contents(entries, parts.packed)


def _cell(system: System) -> Ints | None:
    """The cell of each element, where the page lists elements."""
    if system.elements is None or len(system.elements.cell) > _MOST:
        return None
    return system.elements.cell


def _sides(system: System) -> dict[str, ClusterSide]:
    table = system.table
    if len(table.n) > _MOST:
        raise InputError(
            f"{len(table.n):,} overlaps of clusters are too many for one page, which has room for {_MOST:,}; report "
            "some of the documents, or a sample"
        )
    order = Order.of(table, None if system.elements is None else system.elements.cell)
    return {side: ClusterSide(table, system.losses, order, side) for side in ("gold", "pred")}


def _numbers(system: System, sides: dict[str, ClusterSide], parts: Parts) -> Entry:
    """The columns of cells, clusters and elements, without names."""
    table, losses, cell = system.table, system.losses, _cell(system)
    number = {side: np.cumsum(sizes > 0) - 1 for side, sizes in (("gold", table.gold_size), ("pred", table.pred_size))}
    order = np.lexsort((table.pred, table.gold))
    weighed = system.metric.weights == "given"  # then no two elements cost the same

    def rows_of(own: dict[str, Array], shared: dict[str, Array], loss: Array) -> Entry:
        if not weighed:
            shared = {**shared, "loss": loss}
        elif cell is None:  # else the page adds up what its elements cost
            own = {**own, "loss": loss}
        return _rows(parts, own, shared)

    own = {side: number[side][getattr(table, side)[order]] for side in sides}
    shared = {"n": table.n, "kind": system.diagnosis.kinds, **losses.scores._asdict()}
    if not weighed:
        shared["each"] = losses.loss / table.n
    shared = {name: column[order] for name, column in shared.items()}
    entry: Entry = {
        "name": system.name,
        "lost": float(losses.loss.sum()),
        "cells": rows_of(own, shared, losses.loss[order]),
        "sides": {},
    }
    for side, rows in sides.items():
        shared = {name: getattr(rows, name) for name in _OF_CLUSTERS}
        entry["sides"][side] = rows_of({"match": number[rows.other][rows.best_match]}, shared, rows.loss)
    if table.gold_document is not None:
        entry["documents"] = parts.add(numbers(table.gold_document[sides["gold"].cluster]))
    if cell is not None:
        place, elements = np.empty(len(order), np.int64), _by_gold(system)
        place[order] = np.arange(len(order))
        entry["cell"] = parts.add(numbers(place[cell[elements]]))
        if weighed:
            entry["losses"] = parts.add(fractions(system.diagnosis.elements()["loss"][elements]))
    return entry


def _rows(parts: Parts, own: dict[str, Array], shared: dict[str, Array]) -> Entry:
    """The columns of cells or clusters: those of which each has its own value, and rows that many of them share."""
    together = np.column_stack([column.astype(np.float64) for column in shared.values()])
    rows = together.view(np.dtype((np.void, together.itemsize * together.shape[1]))).ravel()
    _, first, row = np.unique(rows, return_index=True, return_inverse=True)

    def packed(columns: dict[str, Array]) -> dict[str, int | None]:
        return {name: parts.add((fractions if column.dtype.kind == "f" else numbers)(column))
                for name, column in columns.items()}  # fmt: skip

    distinct = {name: column[first] for name, column in shared.items()}
    return {"row": parts.add(numbers(row)), "shared": packed(distinct), "own": packed(own)}


def _by_gold(system: System) -> Ints:
    """Elements by gold cluster, then in their order: so systems with the same gold share the names of elements."""
    assert system.elements is not None
    return np.argsort(system.table.gold[system.elements.cell], kind="stable")


def _name_clusters(entry: Entry, table: Table, sides: dict[str, ClusterSide], parts: Parts, room: int) -> None:
    """Names of documents and of the clusters of both sides; each may take a good part of what is left."""

    def left() -> int:
        return int(_SHARE * max(room - parts.size, _LEAST))

    if table.gold_document is not None:
        entry["document_names"] = _named(parts, [list(table.documents)], np.arange(len(table.documents)), left())
    for side, name, sizes in (("gold", table.gold_name, table.gold_size), ("pred", table.pred_name, table.pred_size)):
        rows = sides[side]
        called = names_of(name, rows.cluster, len(sizes))[rows.cluster]
        entry["sides"][side]["names"] = _named(parts, [called], np.argsort(-rows.loss, kind="stable"), left())


def _named(parts: Parts, columns: list[Column], wanted: Ints, room: int) -> Entry:
    packed, kept = fitted(columns, wanted, room)
    place = [parts.add(each) for each in packed]
    return {
        "count": len(columns[0]), "kept": None if kept is None else parts.add(numbers(kept)),
        "names": place[0], "texts": place[1] if len(place) > 1 else None,
    }  # fmt: skip


def _name_elements(systems: list[System], entries: list[Entry], parts: Parts, room: int) -> None:
    """Names and texts of elements; systems with the same elements in the same order share them."""
    listing = [k for k, system in enumerate(systems) if _cell(system) is not None]
    for k in listing:
        first, system, order = systems[listing[0]], systems[k], _by_gold(systems[k])
        if k != listing[0] and _same(first, system):
            entries[k]["names"] = entries[listing[0]]["names"]
            continue
        alike = [other for other in systems if k == listing[0] and _same(first, other)] or [system]
        entries[k]["names"] = _named(
            parts, _columns(system, order), _wanted(alike, order), room if k == listing[0] else room // len(systems)
        )


def _same(system: System, other: System) -> bool:
    if other.elements is None or system.elements is None:
        return False
    mine, theirs = system.elements.names, other.elements.names
    return (
        len(mine) == len(theirs)
        and np.array_equal(_by_gold(system), _by_gold(other))
        and bool(np.all(np.asarray(mine == theirs)))
    )


def _columns(system: System, order: Ints) -> list[Column]:
    assert system.elements is not None
    columns = [_taken(system.elements.names, order)]
    if system.elements.texts is not None:
        columns.append([_shortened(system.elements.texts[place]) for place in order.tolist()])
    return columns


def _wanted(systems: list[System], order: Ints) -> Ints:
    """Elements in the order in which they are to be listed: the first of every cell, worst first, then the second."""
    rank, lacking = np.full(len(order), len(order)), np.zeros(len(order))
    for system in systems:
        assert system.elements is not None
        cell = system.elements.cell[order]
        rank = np.minimum(rank, ranks(cell))
        lacking = np.maximum(lacking, system.losses.lacking[cell])
    return np.lexsort((-lacking, rank))


def ranks(cell: Ints) -> Ints:
    """The place of each element among those of its cell."""
    order = np.argsort(cell, kind="stable")
    sizes = np.bincount(cell)
    found = np.empty(len(cell), np.int64)
    found[order] = np.arange(len(cell)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return found


class Fitted(NamedTuple):
    """Columns of names, packed, and whose they are: None where all have one."""

    columns: list[Packed]
    kept: Ints | None


def fitted(columns: list[Column], wanted: Ints, room: int) -> Fitted:
    """All names if they fit ``room`` bytes, else as many as fit, in the order in which they are ``wanted``."""
    packed = [names(column) for column in columns]
    kept: Ints | None = None
    while (size := sum(len(each.data) for each in packed)) > room:
        count = int(_SPARE * (len(wanted) if kept is None else len(kept)) * room / size)
        kept = np.sort(wanted[:count])
        packed = [names(_taken(column, kept)) for column in columns]
        if not count:
            break
    return Fitted(packed, kept)


def _taken(column: Column, places: Ints) -> Column:
    return column[places] if isinstance(column, np.ndarray) else [column[place] for place in places.tolist()]


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1].rstrip() + "…"
