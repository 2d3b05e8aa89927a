"""A Table back into single elements, for what is made of elements."""

from __future__ import annotations

import numpy as np

from clusterscore.align.pair import Pair, Side
from clusterscore.count.table import Table
from clusterscore.distinct import Array
from clusterscore.exceptions import InputError
from clusterscore.read.labels import Labels

_MOST = 2**31  # elements of a table that are made one by one


def expanded(table: Table) -> Pair:
    """A pair that gives this table when it is counted: every cell as many elements as it counts, in no order."""
    if table.weight is not None:
        raise InputError(
            "a Table has the weights of its cells, not of single elements, which baselines need; pass gold and pred"
        )
    if table.elements > _MOST:
        raise InputError(f"{table.elements:,} elements one by one do not fit memory; a Table of fewer has baselines")
    gold, pred = (
        _side(table.gold, table.n, table.gold_size, table.gold_document),
        _side(table.pred, table.n, table.pred_size, table.pred_document),
    )
    documents = None
    if table.gold_document is not None:
        documents = Labels(table.gold_document[gold.codes], table.documents)
    return Pair(gold, pred, documents, None, None, table.policy)


def _side(cluster: Array, n: Array, sizes: Array, document: Array | None) -> Side:
    lacking = np.array(sizes, np.int64)
    np.subtract.at(lacking, cluster, n)
    only = np.repeat(np.arange(len(sizes)), lacking)
    only_documents = None if document is None else document[only]
    return Side(np.repeat(cluster, n), len(sizes), range(len(sizes)), None, only, only_documents)
