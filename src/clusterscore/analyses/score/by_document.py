"""A Scorecard with a row per document, and below them the averages."""

from __future__ import annotations

from operator import itemgetter
from typing import Any

from clusterscore.analyses.score.scorecard import Scorecard
from clusterscore.show.description import Column, Description
from clusterscore.show.result import Result, heading


class ByDocument(Result):
    """The scores of a card, document by document."""

    def __init__(self, card: Scorecard):
        self._card = card

    def description(self) -> Description:
        """A row per document with the score of every metric, and a row per average: that of the card, and the mean."""
        card, documents = self._card, self._card.documents
        names = ["document", "elements", *card]
        rows = list(zip(*(documents[name].tolist() for name in names), strict=True))
        averages = [
            (f"avg:{average}", sum(documents["elements"].tolist()), *(score.value for score in scores.values()))
            for average in dict.fromkeys((card.average, "macro"))
            for scores in [getattr(card, average)]
        ]
        columns = [
            Column(name, itemgetter(k), heading=name if k < 2 else heading(name), is_name=k == 0)
            for k, name in enumerate(names)
        ]
        scores = card.description()
        bold = {(len(rows) + k, 0) for k in range(len(averages))}
        below = [", ".join(scores.options), *scores.below]
        return Description(columns, [*rows, *averages], below=below, look={"bold": bold})

    def descriptions(self) -> list[Description]:
        """The same, and the baselines where they were asked for."""
        return [self.description(), *self._card.descriptions()[1:]]

    def records(self) -> list[dict[str, Any]]:
        """A row per document: P, R and all counts of every metric."""
        return list(self._card.documents.records())

    def to_dict(self) -> dict[str, Any]:
        """The scores of the card, and a row per document."""
        return {**self._card.to_dict(), "by_document": self.records()}
