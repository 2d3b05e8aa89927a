"""The order in which units are drawn and labels dealt: that of their names, whatever the order of rows and files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from clusterscore.count.table import Table
from clusterscore.distinct import Array, Ints
from clusterscore.read.labels import Labels
from clusterscore.read.name_order import label_ranks, name_order


class Ranked(NamedTuple):
    """The clusters of a side that hold something, by their numbers."""

    used: Ints
    rank: Ints  # of each, by document and name; elements that a policy left alone in a document share one
    alone: Ints  # the number of the element among those left alone, -1 for a cluster with a name


def ranked(table: Table, side: str) -> Ranked:
    """The clusters of a side in the order of their documents' names and their own."""
    name, size, document = (
        (table.gold_name, table.gold_size, table.gold_document)
        if side == "gold"
        else (table.pred_name, table.pred_size, table.pred_document)
    )
    used = np.flatnonzero(size)
    places = name.places(used)
    alone = np.where(places < len(name.names), -1, places)
    rank = label_ranks(Labels(places, name.names))
    if document is not None:
        rank = rank + document_ranks(table.documents)[document[used]] * (int(rank.max(initial=0)) + 1)
    return Ranked(used, rank, alone)


def document_ranks(documents: Sequence[object]) -> Ints:
    """The place of each document in the order of their names."""
    ranks = np.empty(len(documents), np.int64)
    ranks[name_order(documents)] = np.arange(len(documents))
    return ranks


def spread_out(found: Ranked, size: int) -> Ints:
    """The rank of each cluster by its number."""
    ranks = np.full(size, -1)
    ranks[found.used] = found.rank
    return ranks


def partners(table: Table, found: Ranked) -> list[Array]:
    """What tells gold clusters apart that have no name: the predicted cluster of their element, and its weight."""
    if not (found.alone >= 0).any():
        return []
    pred = spread_out(ranked(table, "pred"), len(table.pred_size))
    columns = [pred[table.pred]] if table.weight is None else [pred[table.pred], table.weight]
    keys = []
    for column in columns:
        of_cluster = np.zeros(len(table.gold_size), column.dtype)
        of_cluster[table.gold] = column
        keys.append(np.where(found.alone >= 0, of_cluster[found.used], 0))
    return keys
