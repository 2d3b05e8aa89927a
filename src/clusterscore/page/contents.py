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
from clusterscore.distinct import Array, Ints, distinct_rows, representatives
from clusterscore.exceptions import InputError
from clusterscore.metrics.alignment import ranks_within
from clusterscore.overlap import between_clusters
from clusterscore.page import sample
from clusterscore.page.documents import document_scores, numbering, placed
from clusterscore.page.findings import Prediction
from clusterscore.page.packed import Parts, fitted, fractions, numbers, values
from clusterscore.read.names import Names
from clusterscore.show import Scorecard

ROOM = 6_600_000  # bytes of all columns; as text they take a third more
_MANY = 1_000_000  # with more elements than this the room grows with them
_LEAST = 1_000_000  # bytes for names, however many systems there are
_MOST_SETS = 10_000_000  # cells of a page, where clusters overlap: these are not sampled
_SHARE = 0.4  # of the room that is left, for the names of one kind of clusters
_RANKED = 50_000  # clusters of a side, or elements, that know which came first; more take too much room
_LONGEST = 300  # letters of a text
_OF_CLUSTERS = ("size", "parts", "overlap", "overlap_share", "precision", "recall", "f")

Entry = dict[str, Any]  # where the page finds columns: their numbers


class Listing:
    """What a page lists of a prediction: all of its cells, clusters and elements, or of too many some."""

    def __init__(self, prediction: Prediction):
        table = prediction.cells
        if table.overlapping and len(table.n) > _MOST_SETS:
            raise InputError(
                f"{len(table.n):,} overlaps of sets of clusters are too many for one page, which has room for "
                f"{_MOST_SETS:,}; report some of the documents, or a sample"
            )
        self.prediction, order = prediction, Order.of(table, prediction.cell)
        self.sides = {side: ClusterSide(table, prediction.losses, order, side) for side in ("gold", "pred")}
        self.cells = sample.listed_cells(table, self.sides)
        self.all_cells = len(self.cells) == len(table.n)
        self.held = {side: Held.of(table, side) for side in self.sides}
        self.used = {
            side: (own.size > 0) & (self.all_cells or sample.used_clusters(table, side, self.cells))
            for side, own in self.held.items()
        }  # which clusters, by their numbers in the table
        self.place = np.full(len(table.n), -1)  # of each cell in the page
        self.place[self.cells] = np.arange(len(self.cells))
        self.elements = np.zeros(0, np.int64)  # by gold cluster, then in their order

    def clusters(self, side: str) -> Array:
        """Which of the clusters of a side are listed."""
        return self.used[side][self.sides[side].cluster]

    def choose(self, most: int) -> Array:
        """Which elements should be listed, if there may be so many."""
        assert self.prediction.cell is not None
        sizes = np.where(self.place < 0, 0, self.prediction.cells.n)
        return sample.first_of_cells(self.prediction.cell, sizes, self.prediction.losses.lacking, most)

    def take(self, chosen: Array | None) -> None:
        """List these elements, or all of them."""
        table, cell = self.prediction.cells, self.prediction.cell
        assert cell is not None
        places = np.arange(len(cell)) if chosen is None else np.flatnonzero(chosen)
        self.elements = places[np.argsort(table.gold[cell[places]], kind="stable")]


def contents(predictions: list[Prediction], cards: Sequence[Scorecard], measures: Sequence[str]) -> tuple[Entry, Parts]:
    """Where the page finds the columns of the predictions, and all columns: first the numbers, then names that fit.

    ``measures`` are those that documents are scored with, as many of them as there is room for.
    """
    parts, documents = Parts(), None
    listings = [Listing(each) for each in predictions]
    groups = _alike([each for each in listings if each.prediction.cell is not None])
    for group in groups:
        _choose_elements(group)
    room = int(ROOM * max(1.0, max(len(each.elements) for each in listings) / _MANY))
    entries = [_numbers(each, parts) for each in listings]
    named = predictions[0].table.documents
    if listings[0].sides["gold"].document is not None and len(named) > 1:
        places = numbering(predictions)
        scores = document_scores(cards, places, measures, parts)
        for entry, listing, own, place in zip(entries, listings, scores, places, strict=True):
            entry["documents"] = {**_document_columns(listing, place, parts), "scores": own}
        worst = np.argsort(cards[0].documents[measures[0]], kind="stable")
        names = Names(named).take(np.arange(len(named)))
        documents = _named(parts, [names], worst, int(_SHARE * max(room - parts.size, _LEAST)))
    for entry, listing in zip(entries, listings, strict=True):
        _name_clusters(entry, listing, parts, room)
    room = max(room - parts.size, _LEAST)
    for k, group in enumerate(groups):
        its_names = _name_elements(group, parts, room if k == 0 else room // len(predictions))
        for each in group:
            entries[listings.index(each)]["names"] = its_names
    return {"systems": entries, "documents": documents}, parts


def _document_columns(listing: Listing, place: Ints, parts: Parts) -> Entry:
    """The document of each gold cluster, and of the others if gold lacks elements.

    Where cells are left out, also what each document holds and costs.
    """
    table, sides = listing.prediction.cells, listing.sides
    document, other = sides["gold"].document, sides["pred"].document
    assert document is not None
    columns = {"of": place[document[listing.clusters("gold")]]}
    if other is not None and any(listing.prediction.table.one_sided):
        columns["of_pred"] = place[other[listing.clusters("pred")]]
    if not listing.all_cells:
        within, count = table.cells.document, len(place)
        assert within is not None
        columns["size"] = np.bincount(within, table.n, count).astype(np.int64)
        columns["loss"] = np.bincount(within, listing.prediction.losses.loss, count)
        for side, its in sides.items():
            assert its.document is not None
            columns[side] = np.bincount(its.document, minlength=count)
        columns |= {name: placed(column, place) for name, column in columns.items() if not name.startswith("of")}
    return {name: parts.add(values(column)) for name, column in columns.items()}


def _choose_elements(group: list[Listing]) -> None:
    """List the same elements of some predictions: all of them, or those that one of the predictions would list."""
    first = group[0]
    assert first.prediction.cell is not None
    chosen = None
    if not first.all_cells or len(first.prediction.cell) > sample.MOST_ELEMENTS:
        most = int(sample.SAMPLED * sample.MOST_ELEMENTS / len(group))
        chosen = np.logical_or.reduce([each.choose(most) for each in group])
    for each in group:
        each.take(chosen)


def _numbers(listing: Listing, parts: Parts) -> Entry:
    """The columns of cells, clusters and elements, without names."""
    prediction, cells, sides = listing.prediction, listing.cells, listing.sides
    table, losses = prediction.cells, prediction.losses
    number = {side: np.where(used, np.cumsum(used) - 1, -1) for side, used in listing.used.items()}  # -1: no cluster
    weighed = prediction.metric.wants_weights  # then no two elements cost the same

    def rows(own: dict[str, Array], shared: dict[str, Array], loss: Array) -> Entry:
        (own if weighed else shared)["loss"] = loss
        return _rows(parts, own, shared)

    shared = {"n": table.n, **_known(losses.scores._asdict())}
    if not table.overlapping:
        shared["kind"] = prediction.diagnosis.kinds
    shared = {name: column[cells] for name, column in shared.items()}
    if not weighed:
        shared["each"] = losses.loss[cells] / table.n[cells]
    own = {} if table.overlapping else {side: number[side][getattr(table, side)[cells]] for side in sides}
    entry: Entry = {"name": prediction.name, "lost": float(losses.loss.sum()), "sides": {}}
    entry["cells"] = rows(own, shared, losses.loss[cells])
    for side, its in sides.items():
        listed = listing.clusters(side)
        known = ((name, getattr(its, name)) for name in _OF_CLUSTERS)
        shared = {name: column[listed] for name, column in known if column is not None}
        own = {"match": number[its.other][its.best_match[listed]]}
        if len(its) <= _RANKED:
            own["rank"] = its.rank[listed]
        entry["sides"][side] = rows(own, shared, its.loss[listed])
        entry["sides"][side]["of"] = len(its)
        if table.overlapping:  # the clusters of each cell, one cell after the other
            cell, cluster, *_ = listing.held[side]
            clusters = number[side][cluster[np.argsort(listing.place[cell], kind="stable")]]
            counts = np.bincount(listing.place[cell], minlength=len(cells))
            entry["sides"][side]["held"] = [parts.add(numbers(each)) for each in (counts, clusters)]
    if prediction.cell is not None:
        entry["elements"] = len(prediction.cell)
        entry["cell"] = parts.add(numbers(listing.place[prediction.cell[listing.elements]]))
        entry["ordered"] = table.mentions is not None  # as they stand in their documents
        if entry["ordered"] or len(listing.elements) <= _RANKED:
            entry["places"] = parts.add(numbers(listing.elements))
        if weighed:
            entry["losses"] = parts.add(fractions(prediction.diagnosis.elements().take(listing.elements)["loss"]))
    return entry


def _known(columns: dict[str, Array | None]) -> dict[str, Array]:
    """The columns that the measure has."""
    return {name: column for name, column in columns.items() if column is not None}


def _rows(parts: Parts, own: dict[str, Array], shared: dict[str, Array]) -> Entry:
    """The columns of cells or clusters: those of which each has its own value, and rows that many of them share."""
    first, row = distinct_rows(list(shared.values()))
    often = np.argsort(-np.bincount(row), kind="stable")  # small numbers for those that many share
    first, row = first[often], representatives(often, len(often))[row]
    return {
        "row": parts.add(numbers(row)),
        "shared": {name: parts.add(values(column[first])) for name, column in shared.items()},
        "own": {name: parts.add(values(column)) for name, column in own.items()},
    }


def _name_clusters(entry: Entry, listing: Listing, parts: Parts, room: int) -> None:
    """Names of the clusters of both sides; each may take a good part of what is left."""
    for side, its in listing.sides.items():
        prediction = listing.prediction
        clusters = between_clusters(prediction.cells).cells.side(side).name
        chosen = listing.clusters(side)
        names = Names(clusters.names).take(clusters.places(its.cluster[chosen]))
        if prediction.mentions is not None:
            texts = zip(names, prediction.diagnosis.glosses(side)[its.cluster[chosen]], strict=True)
            names = np.array([f"{name} · {text}" if text else name for name, text in texts], object)
        its_room = int(_SHARE * max(room - parts.size, _LEAST))
        entry["sides"][side]["names"] = _named(parts, [names], np.argsort(-its.loss[chosen], kind="stable"), its_room)


def _named(parts: Parts, columns: list[Array], order: Ints, room: int) -> Entry:
    """Names, and texts where there are any: as many as fit, in the order of their importance."""
    packed, kept = fitted(columns, order, room)
    names, *texts = (parts.add(each) for each in packed)
    kept_at = None if kept is None else parts.add(numbers(kept))
    return {"count": len(columns[0]), "kept": kept_at, "names": names, "texts": texts[0] if texts else None}


def _name_elements(group: list[Listing], parts: Parts, room: int) -> Entry:
    """Names and texts of the elements that some predictions list."""
    first, elements = group[0].prediction, group[0].elements
    columns = [first.diagnosis.elements().take(elements)["element"]]
    if first.texts is not None:
        columns.append(np.array([_shortened(text) for text in first.texts[elements]], object))
    return _named(parts, columns, _most_important(group), room)


def _alike(listings: list[Listing]) -> list[list[Listing]]:
    """Predictions that can share the names of their elements, which begin with those of the first, and each other."""
    if not listings:
        return []
    shared = [each for each in listings if _same(listings[0], each)]
    return [shared, *([each] for each in listings if each not in shared)]


def _same(one: Listing, other: Listing) -> bool:
    """Whether two predictions have all cells in the page, and the same elements in the same gold clusters."""
    if one is other:
        return True
    first, second = one.prediction, other.prediction
    if not (one.all_cells and other.all_cells) or first.cell is None or second.cell is None:
        return False
    if not np.array_equal(first.cells.gold[first.cell], second.cells.gold[second.cell]):
        return False
    if first.texts is not None and second.texts is not None and first.texts.tolist() != second.texts.tolist():
        return False
    ids = [each.cells.members.pair.ids for each in (first, second) if each.cells.members is not None]
    if ids[0] is None or ids[1] is None:
        return ids[0] is ids[1]
    names = (each.diagnosis.elements()["element"] for each in (first, second))
    return len(ids[0]) <= sample.MOST_ELEMENTS and bool(np.all(np.asarray(next(names) == next(names))))


def _most_important(group: list[Listing]) -> Ints:
    """The order in which elements are to be listed: the first of every cell, worst first, then the second."""
    count = len(group[0].elements)
    rank, lacking = np.full(count, count), np.zeros(count)
    for each in group:
        assert each.prediction.cell is not None
        cell = each.prediction.cell[each.elements]
        rank = np.minimum(rank, ranks_within(cell, len(each.place))[1])
        lacking = np.maximum(lacking, each.prediction.losses.lacking[cell])
    return np.lexsort((-lacking, rank))


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1].rstrip() + "…"
