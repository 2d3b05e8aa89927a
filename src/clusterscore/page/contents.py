"""Contents: the columns that the tables of a page show, in a file that is not too large.

Everything is computed here; the page sorts, searches and shows it. Cells and clusters refer to rows that are kept once,
as most cells and clusters of a size fare alike, and elements refer to their cell. Names take most of the room: where
they do not all fit, the worst have theirs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from clusterscore.diagnose import ClusterSide, Held, Order
from clusterscore.distinct import Array, Ints, representatives
from clusterscore.exceptions import InputError
from clusterscore.metrics.alignment import ranks_within
from clusterscore.overlap import between_clusters
from clusterscore.page.documents import document_scores, numbering
from clusterscore.page.findings import Prediction
from clusterscore.page.packed import Parts, fitted, fractions, numbers, values
from clusterscore.pipeline.naming import listed, names_of
from clusterscore.show import Scorecard

ROOM = 6_600_000  # bytes of all columns; as text they take a third more
_MANY = 1_000_000  # with more elements than this the room grows with them
_LEAST = 1_000_000  # bytes for names, however many systems there are
_MOST = 10_000_000  # elements, or cells, of a page
_SHARE = 0.4  # of the room that is left, for the names of one kind of clusters
_RANKED = 50_000  # clusters of a side that know which began first; more take too much room
_LONGEST = 300  # letters of a text
_OF_CLUSTERS = ("size", "parts", "overlap", "overlap_share", "precision", "recall", "f")

Entry = dict[str, Any]  # where the page finds columns: their numbers


def contents(predictions: list[Prediction], cards: Sequence[Scorecard], measures: Sequence[str]) -> tuple[Entry, Parts]:
    """Where the page finds the columns of the predictions, and all columns: first the numbers, then names that fit.

    ``measures`` are those that documents are scored with, as many of them as there is room for.
    """
    parts, documents = Parts(), None
    room = int(ROOM * max(1.0, max(each.table.elements for each in predictions) / _MANY))
    sides = [_sides(each) for each in predictions]
    entries = [_numbers(each, its, parts) for each, its in zip(predictions, sides, strict=True)]
    named = predictions[0].table.documents
    if sides[0]["gold"].document is not None:
        places = numbering(predictions)
        scores = document_scores(cards, places, measures, parts)
        for entry, its, own, place in zip(entries, sides, scores, places, strict=True):
            entry["documents"] = {"of": parts.add(values(place[its["gold"].document])), "scores": own}
        worst = np.argsort(cards[0].documents[measures[0]], kind="stable")
        names = listed(named, np.arange(len(named)))
        documents = _named(parts, [names], worst, int(_SHARE * max(room - parts.size, _LEAST)))
    for entry, prediction, its in zip(entries, predictions, sides, strict=True):
        _name_clusters(entry, prediction, its, parts, room)
    _name_elements(predictions, entries, parts, max(room - parts.size, _LEAST))
    return {"systems": entries, "documents": documents}, parts


def _sides(prediction: Prediction) -> dict[str, ClusterSide]:
    table = prediction.table
    if len(table.n) > _MOST:
        raise InputError(
            f"{len(table.n):,} overlaps of clusters are too many for one page, which has room for {_MOST:,}; report "
            "some of the documents, or a sample"
        )
    order = Order.of(table, prediction.cell)
    return {side: ClusterSide(table, prediction.losses, order, side) for side in ("gold", "pred")}


def _listed(prediction: Prediction) -> bool:
    """Whether the page lists the elements of a prediction."""
    return prediction.cell is not None and len(prediction.cell) <= _MOST


def _numbers(prediction: Prediction, sides: dict[str, ClusterSide], parts: Parts) -> Entry:
    """The columns of cells, clusters and elements, without names."""
    table, losses = prediction.table, prediction.losses
    held = {side: Held.of(table, side) for side in sides}
    number = {side: np.cumsum(own.size > 0) - 1 for side, own in held.items()}
    order = np.lexsort((table.pred, table.gold))
    place = representatives(order, len(order))
    weighed = prediction.metric.wants_weights  # then no two elements cost the same

    def rows(own: dict[str, Array], shared: dict[str, Array], loss: Array) -> Entry:
        (own if weighed else shared)["loss"] = loss
        return _rows(parts, own, shared)

    shared = {"n": table.n, **_known(losses.scores._asdict())}
    if not table.overlapping:
        shared["kind"] = prediction.diagnosis.kinds
    if not weighed:
        shared["each"] = losses.loss / table.n
    shared = {name: column[order] for name, column in shared.items()}
    own = {} if table.overlapping else {side: number[side][held[side].cluster[order]] for side in sides}
    entry: Entry = {"name": prediction.name, "lost": float(losses.loss.sum()), "sides": {}}
    entry["cells"] = rows(own, shared, losses.loss[order])
    for side, its in sides.items():
        shared = _known({name: getattr(its, name) for name in _OF_CLUSTERS})
        own = {"match": number[its.other][its.best_match]}
        if len(its) <= _RANKED:
            own["rank"] = its.rank
        entry["sides"][side] = rows(own, shared, its.loss)
        if table.overlapping:  # the clusters of each cell, one cell after the other
            cell, cluster, *_ = held[side]
            clusters = number[side][cluster[np.argsort(place[cell], kind="stable")]]
            counts = np.bincount(place[cell], minlength=len(order))
            entry["sides"][side]["held"] = [parts.add(numbers(each)) for each in (counts, clusters)]
    if prediction.cell is not None and _listed(prediction):
        entry["cell"] = parts.add(numbers(place[prediction.cell[prediction.by_gold]]))
        if weighed:
            entry["losses"] = parts.add(fractions(prediction.diagnosis.elements()["loss"][prediction.by_gold]))
    return entry


def _known(columns: dict[str, Array | None]) -> dict[str, Array]:
    """The columns that the measure has."""
    return {name: column for name, column in columns.items() if column is not None}


def _rows(parts: Parts, own: dict[str, Array], shared: dict[str, Array]) -> Entry:
    """The columns of cells or clusters: those of which each has its own value, and rows that many of them share."""
    together = np.column_stack([column.astype(np.float64) for column in shared.values()])
    rows = together.view(np.dtype((np.void, together.itemsize * together.shape[1]))).ravel()
    _, first, row = np.unique(rows, return_index=True, return_inverse=True)
    return {
        "row": parts.add(numbers(row)),
        "shared": {name: parts.add(values(column[first])) for name, column in shared.items()},
        "own": {name: parts.add(values(column)) for name, column in own.items()},
    }


def _name_clusters(
    entry: Entry, prediction: Prediction, sides: dict[str, ClusterSide], parts: Parts, room: int
) -> None:
    """Names of the clusters of both sides; each may take a good part of what is left."""
    table = prediction.table
    for side, its in sides.items():
        clusters = between_clusters(table).cells.side(side)
        names = names_of(clusters.name, its.cluster, len(clusters.size))[its.cluster]
        its_room = int(_SHARE * max(room - parts.size, _LEAST))
        entry["sides"][side]["names"] = _named(parts, [names], np.argsort(-its.loss, kind="stable"), its_room)


def _named(parts: Parts, columns: list[Array], order: Ints, room: int) -> Entry:
    """Names, and texts where there are any: as many as fit, in the order of their importance."""
    packed, kept = fitted(columns, order, room)
    names, *texts = (parts.add(each) for each in packed)
    kept_at = None if kept is None else parts.add(numbers(kept))
    return {"count": len(columns[0]), "kept": kept_at, "names": names, "texts": texts[0] if texts else None}


def _name_elements(predictions: list[Prediction], entries: list[Entry], parts: Parts, room: int) -> None:
    """Names and texts of elements; predictions with the same elements in the same order share them."""
    listing = [k for k, each in enumerate(predictions) if _listed(each)]
    alike = [k for k in listing if _same(predictions[listing[0]], predictions[k])]
    for group in (alike, *([k] for k in listing if k not in alike)):
        if not group:
            continue
        first = predictions[group[0]]
        columns = [each[first.by_gold] for each in (first.names, first.texts) if each is not None]
        if first.texts is not None:
            columns[1] = np.array([_shortened(text) for text in columns[1]], object)
        order = _most_important([predictions[k] for k in group])
        named = _named(parts, columns, order, room if group is alike else room // len(predictions))
        for k in group:
            entries[k]["names"] = named


def _same(first: Prediction, other: Prediction) -> bool:
    """Whether two predictions have the same elements, in the same order by gold cluster."""
    return first is other or (
        np.array_equal(first.by_gold, other.by_gold) and bool(np.all(np.asarray(first.names == other.names)))
    )


def _most_important(predictions: list[Prediction]) -> Ints:
    """The order in which elements are to be listed: the first of every cell, worst first, then the second."""
    count = len(predictions[0].by_gold)
    rank, lacking = np.full(count, count), np.zeros(count)
    for each in predictions:
        assert each.cell is not None
        cell = each.cell[each.by_gold]
        rank = np.minimum(rank, ranks_within(cell, len(each.table.n))[1])
        lacking = np.maximum(lacking, each.losses.lacking[cell])
    return np.lexsort((-lacking, rank))


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1].rstrip() + "…"
