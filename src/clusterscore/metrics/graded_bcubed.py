"""BCubed of graded memberships."""

from __future__ import annotations

from typing import ClassVar, Literal

import numpy as np

from clusterscore.metrics.balance import harmonic
from clusterscore.metrics.bcubed import BCubed
from clusterscore.metrics.elementwise import ElementScores
from clusterscore.metrics.metric import Need, Parts, Table, add_rows, divide, register
from clusterscore.metrics.overlap_means import OverlapMeans
from clusterscore.overlap import Cover, cover_of
from clusterscore.overlap.agreements import graded_credits


@register
class GradedBCubed(OverlapMeans):
    """Graded BCubed: BCubed for memberships with weights, by how far two elements agree on the clusters they share.

    Formula:
        The weights of an element are divided by the largest of them. u and v are those of e and e' in a cluster.
        s(e, e') = sum over shared predicted clusters of 1 - |u - v|, g(e, e') the same of gold
        P(e) = mean of min(s, g)/s over the e' that share a predicted cluster,  R(e) = mean of min(s, g)/g over those
        that share a gold cluster, e itself among them;  P and R are the means over elements,  F = 2*P*R/(P+R)

    Range:
        Above 0 to 1. On partitions it is bcubed, and where memberships have no weights, extended_bcubed (both with
        f="of-means").

    Use it when:
        Memberships have weights, as in word sense induction, and you want precision and recall.

    Options:
        f: "of-means" (default) or "mean" (the mean of the elements' own F).
        beta: weight of recall in F (default 1); or alpha, with beta^2 = (1-alpha)/alpha; or w_fp and w_fn.
        weights: None, or one number per element.
        dialect: "reference" (default), or "semeval2013", the scorer of SemEval-2013 task 13: an element does not count
            itself, one that nobody shares a cluster with has P (or R) 0, and the score of several documents (terms) is
            the F of their mean P and mean R. That scorer exchanges the names: what it prints as recall is the precision
            here, and the other way round.

    Reference:
        Jurgens & Klapaftis 2013, SemEval-2013 task 13: word sense induction for graded and non-graded senses.

    Example:
        >>> import clusterscore as cs
        >>> gold = cs.Clustering.from_graded([{"x": 1}, {"x": 0.8, "y": 0.2}, {"y": 1}])
        >>> pred = cs.Clustering.from_graded([{"a": 1}, {"a": 0.6, "b": 0.4}, {"b": 1}])
        >>> round(cs.graded_bcubed(gold, pred).f, 4)
        0.9049
    """

    f: Literal["mean", "of-means"] = "of-means"
    dialect: Literal["reference", "semeval2013"] = "reference"

    name = "graded_bcubed"
    on_partitions = BCubed
    unsaid: ClassVar = {"dialect": "reference"}
    exclusive = (("dialect", "weights"),)
    graded: ClassVar = True

    @property
    def perfect(self) -> float | None:  # type: ignore[override]
        """In the dialect an element that is alone has nothing."""
        return 1.0 if self.dialect == "reference" else None

    @property
    def weighable(self) -> bool:
        """The dialect knows no weights of elements."""
        return self.dialect == "reference"

    @property
    def needs(self) -> frozenset[Need]:
        return frozenset() if self.dialect == "reference" else frozenset({("cells",)})

    def parts(self, table: Table) -> Parts:
        if self.dialect == "reference":
            return super().parts(table)
        scores = self.cover_scores(cover_of(table))
        sums = {name: table.add(table.n * score, table.cells.document) for name, score in scores.means().items()}
        means = {name: divide(total, table.common, 0.0) for name, total in sums.items()}
        return {**means, "elements": np.ones(len(table.documents))}

    def pooled_parts(self, table: Table) -> Parts:
        """In the dialect every document counts once."""
        return super().pooled_parts(table) if self.dialect == "reference" else add_rows(self.parts(table))

    def cover_scores(self, cover: Cover) -> ElementScores:
        precision, recall = graded_credits(cover, self.dialect == "semeval2013")
        return ElementScores(None, None, None, precision, recall, harmonic(precision, recall, *self.balance))
