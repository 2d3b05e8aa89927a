"""The share of documents without any error."""

from __future__ import annotations

import numpy as np

from clusterscore.count.counts import NotASum
from clusterscore.metrics.metric import Array, Metric, Parts, Table, Values, add_rows, divide, register


@register
class PerfectDocuments(Metric):
    """Perfect documents: the share of documents without any error, in which both sides have the same clusters.

    Formula:
        documents in which every cell has n = a = b / documents

    Range:
        0 to 1. The micro and the macro average are the same. Without documents, all elements form a single one:
        1 if nothing is wrong, otherwise 0.

    Use it when:
        Somebody has to correct what comes out, and a document without an error needs no work. Papers on page streams
        call it straight-through processing (STP), where a stream is a document. It says nothing about how much is
        wrong elsewhere.

    Reference:
        Mungmeeprued, Ma, Mehta & Lipani 2022, Tab this folder of documents: page stream segmentation of business
        documents, DocEng.

    Example:
        >>> import clusterscore as cs
        >>> gold, pred = [0, 0, 1, 5, 5], ["a", "a", "b", "c", "d"]
        >>> cs.perfect_documents(gold, pred, documents=["monday", "monday", "monday", "tuesday", "tuesday"]).value
        0.5
    """

    name = "perfect_documents"
    aliases = ("stp",)
    symmetric = True

    def parts(self, table: Table) -> Parts:
        if table.unit != "documents":
            raise NotASum("whole documents")
        rows = table.rows()
        wrong = table.add(((rows.n < rows.a) | (rows.n < rows.b)) * 1.0, rows.document, rows.times)
        return {"right": (wrong == 0) * 1.0, "documents": np.ones(len(wrong))}

    def pooled_parts(self, table: Table) -> Parts:
        """Documents stay apart, also where all are scored together."""
        return add_rows(self.parts(table))

    def finish(self, right: Array, documents: Array) -> Values:
        return Values(divide(right, documents, 0.0))
