"""A Scorecard with a row per document, and below them the averages."""

from __future__ import annotations

from typing import Any

from clusterscore.analyses.score.scorecard import Scorecard
from clusterscore.show.grid import Grid
from clusterscore.show.result import Printed, heading


class ByDocument(Printed):
    """The scores of a card, document by document."""

    def __init__(self, card: Scorecard):
        self._card = card

    def grid(self, digits: int = 4) -> Grid:
        """A row per document with the score of every metric, and a row per average: that of the card, and the mean."""
        card, columns = self._card, self._card.documents
        sizes = columns["elements"].tolist()
        documents = zip(columns["document"].tolist(), sizes, *(columns[name].tolist() for name in card), strict=True)
        averages = [
            [f"avg:{average}", sum(sizes), *(score.value for score in getattr(card, average).values())]
            for average in dict.fromkeys((card.average, "macro"))
        ]
        scores = card.grid()
        below = [", ".join(scores.options), *scores.below]
        headings = ["document", "elements", *map(heading, card)]
        bold = {(len(sizes) + k, 0) for k in range(len(averages))}
        return Grid(headings, [*documents, *averages], digits, below=below, names=["document"], bold=bold)

    def grids(self, digits: int = 4) -> list[Grid]:
        """The same, and the baselines where they were asked for."""
        return [self.grid(digits), *self._card.grids(digits)[1:]]

    def listed(self) -> dict[str, Any]:
        """The columns of ``card.documents``, P, R and all counts of every metric."""
        return self._card.documents.to_dict()

    def to_dict(self) -> dict[str, Any]:
        """The scores of the card, and a row per document."""
        return {**self._card.to_dict(), "by_document": list(self.records())}
