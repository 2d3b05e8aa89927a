"""What the measures share that look at mentions themselves, not only at who has them."""

from __future__ import annotations

from copy import copy

import numpy as np

from clusterscore.count.counts import NotASum
from clusterscore.count.directions import document_rows
from clusterscore.distinct import Array, Ints
from clusterscore.exceptions import InputError
from clusterscore.messages import Wording
from clusterscore.metrics.mention_scores import CoreferenceMetric
from clusterscore.metrics.metric import Floats, Parts, Table, add_rows, add_up
from clusterscore.read.coreference.matching import Alignment
from clusterscore.read.coreference.mentions import Mentions, MentionSide


class OfMentions(CoreferenceMetric):
    """A measure of the mentions of coreference files: their words, their heads, their order."""

    of_mentions = True

    def check(self, table: Table) -> None:
        super().check(table)
        self.mentions(table)

    def mentions(self, table: Table) -> Mentions:
        """The mentions of a table."""
        if getattr(table, "unit", "documents") != "documents":
            raise NotASum("the words of mentions")
        if getattr(table, "mentions", None) is None:  # the sums of a sweep have none either
            raise InputError(
                f"{self.name} looks at the words of mentions, and there are none here; pass coreference files to ",
                Wording("cs.coref", "clusterscore coref"),
            )
        assert table.mentions is not None
        return table.mentions

    def example(self) -> Table:
        """Three documents with zeros, entities in one order and in another."""
        table = copy(super().example())
        assert table.members is not None
        gold, pred = (np.asarray(side.codes) for side in table.members.pair[:2])
        document, every = np.asarray(table.cells.document)[table.members.cell], np.arange(len(gold))
        spans = [(k, k + k % 3) for k in every.tolist()]
        heads = (every % 2 == 0).tolist()  # every other one is a zero
        key, response = (
            MentionSide(document, side + 10 * document, spans, heads, every, every, {}) for side in (gold, pred)
        )
        mentions = Mentions(key, response, list(table.documents), "tokens", Alignment(every, every, every))
        table.members = table.members._replace(mentions=mentions)
        return table

    def parts(self, table: Table) -> Parts:
        return self.counted(table)

    def pooled_parts(self, table: Table) -> Parts:
        """Nothing crosses documents: what they have is added."""
        return add_rows(self.parts(table))

    def total(self, table: Table, values: Array, document: Ints) -> Floats:
        """Values of mentions, each in a document of the key, added up for each document of a table."""
        rows = document_rows(self.mentions(table), table.documents)
        return add_up(values, rows[document], len(table.documents))
