"""Contents: the columns that a page works with, in a file that is not too large.

Elements stand gold cluster by gold cluster, so that their gold clusters need no column, only the sizes. The page finds
the cells, the sizes of the predicted clusters and every score by itself.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from clusterscore.count.sums import Floats
from clusterscore.count.table import Table
from clusterscore.distinct import Ints
from clusterscore.errors import InputError
from clusterscore.metrics.weights import element_weight
from clusterscore.pipeline.naming import names_of
from clusterscore.report.fitting import Column, fitted, ranks, taken
from clusterscore.report.packing import Packed, Parts, fractions, numbers
from clusterscore.report.system import System

ROOM = 6_600_000  # bytes of all columns; as text they take a third more
_MANY = 1_000_000  # with more elements than this the room grows with them
_LEAST = 1_000_000  # bytes for names, however many systems there are
_MOST = 10_000_000  # elements, or cells, of a page
_SHARE = 0.4  # of the room that is left, for the names of one kind of clusters
_LONGEST = 300  # letters of a text

Found = dict[str, Any]  # what the page must know of a system: the numbers of its columns


class Layout(NamedTuple):
    """How the elements of a system, or of a Table its cells, are laid out."""

    gold: Ints  # the number in the table of each gold cluster of the page
    pred: Ints
    order: Ints  # the places of the elements, or of the cells
    pred_codes: Ints  # the predicted cluster of each, by its number in the page
    cells: Ints  # the cells of the table, in the order in which the page finds them


def laid_out(table: Table, cell: Ints | None) -> Layout:
    """Elements by gold cluster, then in their order; predicted clusters are numbered as they come."""
    gold_number = np.cumsum(table.gold_size > 0) - 1
    if cell is None:
        order = np.lexsort((table.pred, table.gold))
        pred_of = table.pred[order]
    else:
        order = np.argsort(table.gold[cell], kind="stable")
        pred_of = table.pred[cell[order]]
    there, first, codes = np.unique(pred_of, return_index=True, return_inverse=True)
    coming = np.argsort(first)
    number = np.empty(len(there), np.int64)
    number[coming] = np.arange(len(there))
    pred_number = np.zeros(len(table.pred_size), np.int64)
    pred_number[there] = number
    # cells that are given stay as they are; those of elements the page finds by itself
    cells = order if cell is None else np.lexsort((pred_number[table.pred], gold_number[table.gold]))
    return Layout(np.flatnonzero(table.gold_size), there[coming], order, number[codes], cells)


class Contents(NamedTuple):
    """The columns of a page, and what it must know of them."""

    systems: list[Found]
    columns: list[Packed]


def contents(systems: list[System]) -> Contents:
    """The columns of all systems: first what must be there, then the names for which there is room."""
    parts = Parts()
    room = int(ROOM * max(1.0, max(system.table.elements for system in systems) / _MANY))
    layouts = [laid_out(system.table, _cell(system)) for system in systems]
    found = [_counts(system, layout, parts) for system, layout in zip(systems, layouts, strict=True)]
    for one, system, layout in zip(found, systems, layouts, strict=True):
        _name_clusters(one, system, layout, parts, room)
    _name_elements(systems, layouts, found, parts, max(room - parts.size, _LEAST))
    return Contents(found, parts.packed)


def _cell(system: System) -> Ints | None:
    """The cell of each element, where the page lists elements."""
    if system.elements is None or len(system.elements.cell) > _MOST:
        return None
    return system.elements.cell


def _counts(system: System, layout: Layout, parts: Parts) -> Found:
    table, cell = system.table, _cell(system)
    if len(table.n) > _MOST:
        raise InputError(
            f"{len(table.n):,} overlaps of clusters are too many for one page, which has room for {_MOST:,}; report "
            "some of the documents, or a sample"
        )
    found: Found = {
        "name": system.name,
        "elements": table.elements,
        "gold_sizes": parts.add(numbers(table.gold_size[layout.gold])),
        "pred": parts.add(numbers(layout.pred_codes)),
    }
    if cell is None:
        gold_number = np.cumsum(table.gold_size > 0) - 1
        found["gold"] = parts.add(numbers(gold_number[table.gold[layout.order]]))
        found["n"] = parts.add(numbers(table.n[layout.order]))
    if table.gold_document is not None:
        found["documents"] = parts.add(numbers(table.gold_document[layout.gold]))
    if system.metric.f != "mean":
        found["lacking"] = parts.add(fractions(system.losses.lacking[layout.cells]))
    if system.metric.weights is not None:
        found["weights"] = parts.add(fractions(_weights(system, layout, cell)))
    return found


def _weights(system: System, layout: Layout, cell: Ints | None) -> Floats:
    """The share that each element (or each element of a cell) has in the score."""
    table = system.table
    if system.metric.weights == "given" and cell is not None:
        assert system.pair is not None
        assert system.pair.weights is not None
        weight = system.pair.weights
    elif system.metric.weights == "given":
        assert table.weight is not None
        weight = table.weight / table.n
    else:
        weight = element_weight(system.metric.weights, table.a, float(table.n_common))
        weight = weight if cell is None else weight[cell]
    return np.asarray(weight[layout.order] / system.losses.weight)


def _name_clusters(found: Found, system: System, layout: Layout, parts: Parts, room: int) -> None:
    """Names of documents and of the clusters of both sides; each may take a good part of what is left."""
    table = system.table

    def left() -> int:
        return int(_SHARE * max(room - parts.size, _LEAST))

    if table.gold_document is not None:
        found["document_names"] = _named(parts, [list(table.documents)], np.arange(len(table.documents)), left())
    for side, codes, name, of_cell in (
        ("gold", layout.gold, table.gold_name, table.gold), ("pred", layout.pred, table.pred_name, table.pred)
    ):  # fmt: skip
        size = int(codes.max()) + 1
        lost = np.bincount(of_cell, system.losses.loss, size)[codes]
        called = names_of(name, np.sort(codes), size)[codes]
        found[f"{side}_names"] = _named(parts, [called], np.argsort(-lost, kind="stable"), left())


def _named(parts: Parts, columns: list[Column], wanted: Ints, room: int) -> Found:
    packed, kept = fitted(columns, wanted, room)
    numbered = [parts.add(each) for each in packed]
    return {
        "count": len(columns[0]), "kept": None if kept is None else parts.add(numbers(kept)),
        "names": numbered[0], "texts": numbered[1] if len(numbered) > 1 else None,
    }  # fmt: skip


def _name_elements(systems: list[System], layouts: list[Layout], found: list[Found], parts: Parts, room: int) -> None:
    """Names and texts of elements; systems with the same elements in the same order share them."""
    first: int | None = None
    for k, (system, layout) in enumerate(zip(systems, layouts, strict=True)):
        if _cell(system) is None:
            continue
        assert system.elements is not None
        if first is None:
            first = k
            alike = [other for other, its in zip(systems, layouts, strict=True) if _same(system, layout, other, its)]
            found[k]["names"] = _named(parts, _columns(system, layout), _wanted(alike, layout), room)
        elif _same(systems[first], layouts[first], system, layout):
            found[k]["names"] = found[first]["names"]
        else:
            found[k]["names"] = _named(parts, _columns(system, layout), _wanted([system], layout), room // len(systems))


def _same(system: System, layout: Layout, other: System, its: Layout) -> bool:
    if other.elements is None or system.elements is None or not np.array_equal(layout.order, its.order):
        return False
    mine, theirs = system.elements.names, other.elements.names
    return len(mine) == len(theirs) and bool(np.all(np.asarray(mine == theirs)))


def _columns(system: System, layout: Layout) -> list[Column]:
    assert system.elements is not None
    columns = [taken(system.elements.names, layout.order)]
    if system.elements.texts is not None:
        columns.append([_shortened(system.elements.texts[place]) for place in layout.order.tolist()])
    return columns


def _wanted(systems: list[System], layout: Layout) -> Ints:
    """Elements in the order in which they are to be listed: the first of every cell, worst first, then the second."""
    rank, lacking = np.full(len(layout.order), len(layout.order)), np.zeros(len(layout.order))
    for system in systems:
        assert system.elements is not None
        cell = system.elements.cell[layout.order]
        rank = np.minimum(rank, ranks(cell))
        lacking = np.maximum(lacking, system.losses.lacking[cell])
    return np.lexsort((-lacking, rank))


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1].rstrip() + "…"
