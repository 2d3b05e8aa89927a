"""Why a measure of partitions is not defined on clusterings that overlap, in words."""

from __future__ import annotations

import numpy as np

from clusterscore.count.table import Table
from clusterscore.distinct import Array
from clusterscore.exceptions import NotAPartition
from clusterscore.metrics.metric import Metric, loaded
from clusterscore.nouns import noun, plural
from clusterscore.read.label_sets import LabelSets
from clusterscore.read.labels import shortened


def overlap_error(metric: Metric, table: Table) -> NotAPartition:
    """A measure of partitions was asked for on clusterings that are none."""
    if table.graded:
        able = ", ".join(kind.name for kind in loaded() if kind.graded)
        return NotAPartition(
            f"{noun('elements')} belong to {noun('clusters')} by weights here, which {metric.name} does not know; use "
            f"{able}, or leave the weights out"
        )
    what, several = overlap_found(table)
    able = ", ".join(
        kind.name for kind in loaded() if kind.overlapping and not kind.graded and (several or kind.one_sided)
    )
    return NotAPartition(
        f"{what}, and {metric.name} is a measure of partitions; for overlapping clusterings, use {able}"
    )


def overlap_found(table: Table) -> tuple[str, bool]:
    """Why these clusterings are no partitions; whether that is because elements belong to several clusters."""
    what = ""
    for which, clusters in (("gold", table.cells.gold), ("pred", table.cells.pred)):
        sets = clusters.name.names
        if type(sets) is not LabelSets:
            continue
        several = np.flatnonzero((sets.sizes > 1) & (clusters.size > 0))
        if len(several):
            number = plural(int(clusters.size[several].sum()), "element")
            first, second = sorted(map(shortened, sets[int(several[0])]))[:2]
            who = _element_of(table, which, several[:1])
            return f"{number} of {which} in more than one {noun('cluster')} (e.g. {who}in {first} and {second})", True
        none = np.flatnonzero((sets.sizes == 0) & (clusters.size > 0))
        who = _element_of(table, which, none).strip()
        what = f"{plural(int(clusters.size[none].sum()), 'element')} of {which} in no {noun('cluster')}"
        what += f" (e.g. {who})" if who else ""
    return what, False


def _element_of(table: Table, side: str, sets: Array) -> str:
    """The first element that is in one of these sets of clusters; nothing where the table does not know it."""
    if table.members is None:
        return ""
    inside = np.isin(table.cells.side(side).of_cell[:], sets)
    at, ids = np.flatnonzero(inside[table.members.cell])[:1], table.members.pair.ids
    return "".join(f"position {k} " if ids is None else f"{shortened(ids[k])} " for k in at.tolist())
