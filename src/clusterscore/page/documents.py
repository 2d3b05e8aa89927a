"""Documents: what each of them scores under each measure, for the tables of a page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from clusterscore.analyses.score.scorecard import Scorecard
from clusterscore.distinct import Array, Ints
from clusterscore.page.findings import Prediction
from clusterscore.page.packed import Parts, values

_NUMBERS = 500_000  # scores of documents, of all systems and measures: more take too much room
_SIDES = ("precision", "recall")


def numbering(predictions: Sequence[Prediction]) -> list[Ints]:
    """For each prediction the place of its documents among those of the first: the page's numbers."""
    first = {document: k for k, document in enumerate(predictions[0].table.documents)}
    return [np.array([first[document] for document in each.table.documents], np.int64) for each in predictions]


def document_scores(
    cards: Sequence[Scorecard], numbers: Sequence[Ints], measures: Iterable[str], parts: Parts
) -> list[list[dict[str, int]]]:
    """Where the page finds the scores of each system under each measure.

    With very many documents, under as many measures as there is room for; under the first in any case.
    """
    scores: list[list[dict[str, int]]] = [[] for _ in cards]
    room, columns = _NUMBERS, [card.documents for card in cards]
    for name in measures:
        found = [{"value": rows[name], **_sides(rows, name)} for rows in columns]
        room -= sum(len(column) for each in found for column in each.values())
        if scores[0] and room < 0:
            break
        for own, each, number in zip(scores, found, numbers, strict=True):
            own.append({side: parts.add(values(placed(column, number))) for side, column in each.items()})
    return scores


def _sides(rows: Any, name: str) -> dict[str, Array]:
    return {side: rows[f"{name}.{side}"] for side in _SIDES if f"{name}.{side}" in rows}


def placed(column: Array, number: Ints) -> Array:
    """A column of documents in the page's order."""
    placed = np.empty_like(column)
    placed[number] = column
    return placed
