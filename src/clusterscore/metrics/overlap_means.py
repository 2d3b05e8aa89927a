"""What the element-wise measures of overlapping clusterings share: on partitions they are BCubed or ELM."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, fields
from functools import cached_property
from typing import ClassVar, Literal

import numpy as np

from clusterscore.count.counts import once
from clusterscore.distinct import Ints
from clusterscore.metrics.alignment import best_alignment
from clusterscore.metrics.elementwise import ElementMeans, ElementScores, ElementWise
from clusterscore.metrics.metric import Parts, Table
from clusterscore.overlap import Cover, cover_of


@dataclass(frozen=True)
class OverlapMeans(ElementMeans):
    """Mean over elements that may belong to several clusters."""

    group = "overlapping"

    weights: Literal["given"] | None = None

    on_partitions: ClassVar[type[ElementWise]]
    overlapping = True

    @cached_property
    def _of_partitions(self) -> ElementWise:
        return self.on_partitions(**{f.name: getattr(self, f.name) for f in fields(OverlapMeans)})

    def parts(self, table: Table) -> Parts:
        if not table.overlapping:
            return self._of_partitions.parts(table)
        document = table.cells.document
        weight = table.n.astype(np.float64) if table.weight is None or self.weights is None else table.weight
        terms = {name: weight * score for name, score in self.cell_scores(table).means().items()}
        return {name: table.add(column, document) for name, column in {**terms, "elements": weight}.items()}

    def cell_scores(self, table: Table) -> ElementScores:
        if not table.overlapping:
            return self._of_partitions.cell_scores(table)
        return self.cover_scores(cover_of(table))

    @abstractmethod
    def cover_scores(self, cover: Cover) -> ElementScores:
        """What an element gets in each cell."""


@dataclass(frozen=True)
class Matched(OverlapMeans):
    """The clusters of an element are matched one to one, so that it meets as many elements as can be in both."""

    def cover_scores(self, cover: Cover) -> ElementScores:
        met = heaviest_matching(cover)
        gold, pred = (side.total(side.size) for side in cover.sides)
        return self.counted(met - self.on_partitions.exclude_self, pred - met, gold - met)


@once
def heaviest_matching(cover: Cover) -> Ints:
    """For each cell the weight of the heaviest one-to-one matching of its gold with its predicted clusters.

    A pair of clusters weighs as much as the elements that both hold.
    """
    overlaps, (gold, pred) = cover.overlaps(), cover.sides
    weight = overlaps.n[overlaps.pair]
    chosen = best_alignment(overlaps.left, overlaps.right, weight, (len(gold.cluster), len(pred.cluster)))
    return np.bincount(gold.cell[overlaps.left[chosen]], weight[chosen], len(cover.n)).astype(np.int64)
