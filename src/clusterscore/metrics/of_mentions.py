"""What the measures share that look at mentions themselves, not only at who has them."""

from __future__ import annotations

from clusterscore.count.counts import NotASum
from clusterscore.count.directions import document_rows
from clusterscore.distinct import Array, Ints
from clusterscore.exceptions import InputError
from clusterscore.messages import Wording
from clusterscore.metrics.mention_scores import CoreferenceMetric
from clusterscore.metrics.metric import Floats, Parts, Table, add_rows, add_up
from clusterscore.read.coreference.mentions import Mentions


class OfMentions(CoreferenceMetric):
    """A measure of the mentions of coreference files: their words, their heads, their order."""

    of_mentions = True

    def check(self, table: Table) -> None:
        super().check(table)
        self.mentions(table)

    def mentions(self, table: Table) -> Mentions:
        """The mentions of a table."""
        if table.unit != "documents":
            raise NotASum("mentions")
        if table.mentions is None:
            raise InputError(
                f"{self.name} looks at the words of mentions, and there are none here; pass coreference files to ",
                Wording("cs.coref", "clusterscore coref"),
            )
        return table.mentions

    def parts(self, table: Table) -> Parts:
        return self.counted(table)

    def pooled_parts(self, table: Table) -> Parts:
        """Nothing crosses documents: what they have is added."""
        return add_rows(self.parts(table))

    def total(self, table: Table, values: Array, document: Ints) -> Floats:
        """Values of mentions, each in a document of the key, added up for each document of a table."""
        rows = document_rows(self.mentions(table), table.documents)
        return add_up(values, rows[document], len(table.documents))
