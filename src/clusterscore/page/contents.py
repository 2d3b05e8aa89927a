"""Contents: what the tables of a page list: the worst clusters of both sides, elements and documents.

A page is for reading: it lists no more than anybody reads, the costliest first, and says of how many. Everything is
computed here; the page sorts, searches and shows it.
"""

from __future__ import annotations

import json
import zlib
from base64 import b64encode
from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any

import numpy as np

from clusterscore.analyses.diagnose.cluster_rows import ClusterSide, Order, by_loss
from clusterscore.analyses.score.scorecard import Scorecard
from clusterscore.count.table import Table
from clusterscore.distinct import Array, Ints
from clusterscore.overlap import between_clusters, cover_of
from clusterscore.page.display_names import spell
from clusterscore.page.findings import Prediction
from clusterscore.read.names import Names
from clusterscore.show.columnar import Columns

MOST = 50_000  # clusters of a side, elements, or documents that are listed
MOST_PARTS = 200_000  # overlaps of these clusters with others
_SCORES = 500_000  # of documents, under all measures of all systems
_LONGEST = 300  # letters of a text
_DIGITS = 7  # of a fraction

Entry = dict[str, Any]


class Listed:
    """The rows of a table: the worst, which it lists; then those that other tables mention by their names."""

    def __init__(self, worst: Ints, count: int):
        self.count, self.of, self.number = min(len(worst), MOST), count, worst[:MOST]
        self._row = np.full(count + 1, -1)  # of each number; -1, the last one, is none
        self._row[self.number] = np.arange(self.count)

    def rows(self, numbers: Ints) -> Ints:
        """The rows of some numbers; what has none yet gets one, which is not listed; -1 stays -1."""
        new = np.unique(numbers[self._row[numbers] < 0])
        new = new[new >= 0]
        self._row[new] = len(self.number) + np.arange(len(new))
        self.number = np.append(self.number, new)
        return np.asarray(self._row[numbers])

    @property
    def shown(self) -> Ints:
        """The numbers of those that are listed."""
        return np.asarray(self.number[: self.count])

    def places(self, numbers: Ints) -> Ints:
        """The places of some numbers, the worst is 0; those that are not listed come after all others."""
        row = self._row[numbers]
        return np.where((row >= 0) & (row < self.count), row, MOST)

    def entry(self, names: Array, **columns: Array | None) -> Entry:
        """For the page; names are those of all rows, columns may be of those that are listed."""
        known = {name: _values(column) for name, column in columns.items() if column is not None}
        return {"of": self.of, "count": self.count, "number": self.number.tolist(), "names": _texts(names), **known}


def packed(content: Any) -> str:
    """As a page holds it: JSON, deflated, in letters."""
    text = json.dumps(content, allow_nan=False, ensure_ascii=False, separators=(",", ":"))
    return b64encode(zlib.compress(text.encode(), 6)).decode("ascii")


def contents(
    predictions: Sequence[Prediction], cards: Sequence[Scorecard], measures: Mapping[str, bool]
) -> dict[str, str]:
    """What the page unpacks, by name: each system and, where there are several, the documents.

    ``measures`` are those that documents are scored with, as many of them as there is room for, and whether smaller is
    better.
    """
    documents = Documents(predictions, cards, measures) if predictions[0].by_document else None
    systems = {f"system-{k}": packed(_system(prediction, k, documents)) for k, prediction in enumerate(predictions)}
    return systems if documents is None else {**systems, "documents": packed(documents.contents())}


def lists_all(table: Table, side: str) -> bool:
    """Whether a page has room for all clusters of a side."""
    return table.number(side) <= MOST


class Documents(Listed):
    """The documents of all systems, the worst of the first system first, and what each scores."""

    def __init__(self, predictions: Sequence[Prediction], cards: Sequence[Scorecard], measures: Mapping[str, bool]):
        self._names, self._cards, self._measures = predictions[0].table.documents, cards, measures
        first = {document: k for k, document in enumerate(self._names)}
        self._numbers = [
            np.array([first[document] for document in prediction.table.documents], np.int64)
            for prediction in predictions
        ]
        main, smaller_is_better = next(iter(measures.items()))
        scores = cards[0].documents[main]
        super().__init__(np.argsort(-scores if smaller_is_better else scores, kind="stable"), len(first))
        self._held: list[Entry] = [{} for _ in predictions]  # by each system

    def rows_of(self, system: int, documents: Array) -> Ints:
        """The rows of some documents, by the numbers that a system has for them."""
        return self.rows(self._numbers[system][documents])

    def hold(self, system: int, **columns: Array) -> None:
        """What each document of a system holds and costs."""
        self._held[system] = {name: self._values(system, column) for name, column in columns.items()}

    def contents(self) -> Entry:
        """The names of all, and of those that are listed what each system makes of them."""
        scores: list[list[Entry]] = [[] for _ in self._cards]
        room = _SCORES
        for name in self._measures:
            columns = {"value": name, "precision": f"{name}.precision", "recall": f"{name}.recall"}
            columns = {part: column for part, column in columns.items() if column in self._cards[0].documents}
            room -= self.count * len(columns) * len(scores)
            if scores[0] and room < 0:
                break
            for system, (own, card) in enumerate(zip(scores, self._cards, strict=True)):
                own.append({part: self._values(system, card.documents[column]) for part, column in columns.items()})
        systems = [{**held, "scores": own} for held, own in zip(self._held, scores, strict=True)]
        return {**self.entry(Names(self._names).take(self.number)), "systems": systems}

    def _values(self, system: int, column: Array) -> list[Any]:
        """A column of a system's documents, of those that are listed."""
        placed = np.empty_like(column)
        placed[self._numbers[system]] = column
        return _values(placed[self.shown])


class ListedClusters(Listed):
    """The clusters of a side, the costliest first."""

    def __init__(self, prediction: Prediction, order: Order, side: str):
        self.its = ClusterSide(prediction.cells, prediction.losses, order, side)
        its, began = self.its, order.document
        document = None if its.document is None or began is None else began[its.document]
        whole = prediction.diagnosis.stands_for is None or side == "gold"  # else gold is known for parts of them
        listed = by_loss(its.loss, its.size, its.first, document) if whole else np.zeros(0, np.int64)
        super().__init__(listed, len(its))
        self._stands_for = None if side == "pred" else prediction.diagnosis.stands_for
        self._side = between_clusters(prediction.cells).cells.side(side)
        self._number = np.full(len(self._side.size), -1)  # of each in the table, -1 for none
        self._number[its.cluster] = np.arange(len(its))
        self._glosses = None if prediction.mentions is None else prediction.diagnosis.glosses(side)

    def numbers(self, clusters: Array) -> Ints:
        """The numbers of some clusters of the table."""
        return np.asarray(self._number[clusters])

    def contents(self, matches: Ints, document: Ints | None) -> Entry:
        """Names and sizes of all, and of those that are listed everything else."""
        its, clusters = self.its, self.its.cluster[self.number]
        names = Names(self._side.name.names).take(self._side.name.places(clusters))
        if self._glosses is not None:  # entities have some words, too
            texts = zip(names, self._glosses[clusters], strict=True)
            names = np.array([f"{name} · {text}" if text else name for name, text in texts], object)
        known = {name: getattr(its, name) for name in ("parts", "overlap", "precision", "recall", "f", "loss")}
        columns = {name: column[self.shown] for name, column in known.items() if column is not None}
        if self._stands_for is not None:
            columns["stands_for"] = self._stands_for[its.cluster[self.shown]]
        return self.entry(names, size=its.size[self.number], match=matches, document=document, **columns)


def _system(prediction: Prediction, system: int, documents: Documents | None) -> Entry:
    """What is listed of a prediction: clusters of both sides, their overlaps, and elements."""
    table, order = prediction.cells, Order.of(prediction.cells, prediction.cell)
    sides = {side: ListedClusters(prediction, order, side) for side in ("gold", "pred")}
    entry: Entry = {"lost": float(prediction.losses.loss.sum()), "overlapping": table.overlapping}
    entry["parts"] = _parts(prediction, sides)
    if prediction.cell is not None:
        entry["elements"] = _elements(prediction, sides, system, documents)
    matches = {}
    for side, own in sides.items():
        other = sides[own.its.other]
        matches[side] = other.rows(other.numbers(own.its.best_match[own.shown]))
    where = {side: own.its.document for side, own in sides.items() if own.its.document is not None}
    entry["sides"] = {
        side: own.contents(
            matches[side], None if documents is None else documents.rows_of(system, where[side][own.shown])
        )
        for side, own in sides.items()
    }
    if documents is None:
        return entry
    within, count = table.cells.document, len(table.documents)
    assert within is not None
    size, loss = np.bincount(within, table.n, count), np.bincount(within, prediction.losses.loss, count)
    clusters = {side: np.bincount(own, minlength=count) for side, own in where.items()}
    documents.hold(system, size=size.astype(np.int64), loss=loss, **clusters)
    return entry


def _parts(prediction: Prediction, sides: dict[str, ListedClusters]) -> Entry:
    """The overlaps of clusters that are listed; of too many, those with best matches, then all of the worst."""
    met, losses = between_clusters(prediction.cells), prediction.losses
    number = {side: own.numbers(getattr(met, side)) for side, own in sides.items()}
    place = np.minimum(*(own.places(number[side]) for side, own in sides.items()))
    cells = np.flatnonzero(place < MOST)
    if len(cells) > MOST_PARTS:
        matches = np.zeros(len(place), np.bool_)
        for own in sides.values():
            matches[own.its.best_cell[own.shown]] = True
        order = np.lexsort((-met.n[cells], place[cells], ~matches[cells]))
        cells = cells[order[:MOST_PARTS]]
    columns: dict[str, Array] = {side: own.rows(number[side][cells]) for side, own in sides.items()}
    columns["n"] = met.n[cells]
    if not prediction.cells.overlapping:  # else a part has no scores of its own
        columns |= {"kind": prediction.diagnosis.kinds[cells], "f": losses.scores.f[cells], "loss": losses.loss[cells]}
    order = np.lexsort((columns["pred"], columns["gold"]))  # what is alike stands together, and takes less room
    return {name: _values(column[order]) for name, column in columns.items()}


def _elements(
    prediction: Prediction, sides: dict[str, ListedClusters], system: int, documents: Documents | None
) -> Entry:
    """The elements that cost most, with the rows of their clusters and documents."""
    assert prediction.cell is not None
    table, rows, count = prediction.cells, prediction.diagnosis.elements(), len(prediction.cell)
    places = Columns({"loss": rows["loss"], "place": np.arange(count)}).worst(MOST)["place"]
    cell = prediction.cell[places]
    entry: Entry = {"of": count, "names": _texts(rows.take(places)["element"]), "loss": _values(rows["loss"][places])}
    if prediction.texts is not None:
        entry["texts"] = [_shortened(text) for text in _texts(prediction.texts[places])]
    if table.mentions is not None:  # they have an order in their documents
        entry["place"] = places.tolist()
    for side, own in sides.items():
        if table.overlapping:
            held = getattr(cover_of(table), side).take(cell)
            clusters = own.rows(own.numbers(held.cluster))
            entry[side] = [of_element.tolist() for of_element in np.split(clusters, held.start[1:-1])]
        else:
            entry[side] = own.rows(own.numbers(getattr(table, side)[cell])).tolist()
    columns = {**prediction.losses.scores._asdict(), "kind": None if table.overlapping else prediction.diagnosis.kinds}
    if (stands_for := prediction.diagnosis.stands_for) is not None:
        columns["stands_for"] = stands_for[table.gold]
    entry |= {name: _values(column[cell]) for name, column in columns.items() if column is not None}
    if documents is not None:
        assert table.cells.document is not None
        entry["document"] = documents.rows_of(system, table.cells.document[cell]).tolist()
    return entry


def _texts(names: Array) -> list[str]:
    return [spell(name) for name in names.tolist()]


def _values(column: Array) -> list[Any]:
    """Numbers for JSON, fractions with as many digits as anybody looks at."""
    if column.dtype.kind != "f":
        return list(column.tolist())
    return [float(f"{value:.{_DIGITS}g}") if isfinite(value) else None for value in column.tolist()]


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1].rstrip() + "…"
