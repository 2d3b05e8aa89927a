"""Tables for coreference in which a mention is not found on both sides alike: see :class:`Directions`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from clusterscore.count.cells import Cells, Clusters
from clusterscore.count.counts import Directions
from clusterscore.count.table import Table
from clusterscore.distinct import Array, Ints, ranges

if TYPE_CHECKING:
    from clusterscore.read.coreference.matching import Alignment
    from clusterscore.read.coreference.mentions import Mentions, MentionSide


def document_rows(mentions: Mentions, documents: Sequence[Any]) -> Ints:
    """For each document of a key its row in a table with these documents; one without documents has a single row."""
    place = {name: row for row, name in enumerate(documents)}
    return np.array([place.get(name, place.get(None, -1)) for name in mentions.document_names], np.int64)


def directions_of(table: Table, alignment: Alignment | None) -> Directions | None:
    """What an alignment says in either direction; None if the table, in which mentions are as matched, says it too."""
    if alignment is None or table.mentions is None or table.mentions.one_to_one is None:
        return None
    key, response = table.mentions.sides
    if not key.is_repeated and not response.is_repeated and alignment.agrees(table.mentions.one_to_one):
        return None
    rows = document_rows(table.mentions, table.documents)
    sides = _clusters(key, rows), _clusters(response, rows)
    partner, back = alignment.to_response, alignment.to_key
    ours, theirs = np.flatnonzero(partner >= 0), np.flatnonzero(back >= 0)
    # all mentions of each name, one after the other
    order, times = np.argsort(response.original, kind="stable"), np.bincount(response.original, minlength=len(back))
    starts = np.cumsum(times) - times
    number = times[partner[ours]]
    everyone = order[ranges(starts[partner[ours]], number)]

    def cells(gold: Ints, pred: Ints) -> Table:
        width = max(1, len(sides[1].size))
        cell, n = np.unique(gold * width + pred, return_counts=True)
        gold_side, pred_side = sides[0]._replace(of_cell=cell // width), sides[1]._replace(of_cell=cell % width)
        # sizes never come from the cells here: there is always somebody whom the other side does not have
        alone = (max(1, len(partner) - len(gold)), max(1, len(back) - len(pred)))
        return Table(Cells(n, gold_side, pred_side), documents=table.documents, one_sided=alone, policy=table.policy)

    return Directions(
        cells(key.entity[ours], response.entity[response.latest[partner[ours]]]),
        cells(key.entity[key.latest[back[theirs]]], response.entity[theirs]),
        cells(np.repeat(key.entity[ours], number), response.entity[everyone]),
    )


def _clusters(side: MentionSide, rows: Ints) -> Clusters:
    size: Array = np.bincount(side.entity, minlength=1)
    document = np.zeros(len(size), np.int64)
    document[side.entity] = rows[side.document]
    return Clusters(np.zeros(0, np.int64), size, document)
