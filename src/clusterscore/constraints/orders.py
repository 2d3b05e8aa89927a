"""Constraints that put two predictions in order: the better one must score more."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from clusterscore.constraints import cases
from clusterscore.constraints.cases import PAPER, Case
from clusterscore.constraints.findings import Findings, Scope, of_cases, of_steps
from clusterscore.constraints.judge import Judge
from clusterscore.constraints.partitions import Steps, merges, partitions, position, shapes, splits

Look = Callable[[Judge, Scope], Iterator[Findings]]
Family = Callable[[int], Iterator[Case]]


def ordered(paper: str | None, family: Family, steps: Callable[[int], Steps] | None = None) -> Look:
    """The pair of the paper, all ``steps`` between small clusterings, and a growing family."""

    def look(judge: Judge, scope: Scope) -> Iterator[Findings]:
        if paper is not None:
            yield from of_cases(judge, [PAPER[paper]])
        if scope.paper:
            return
        if steps is not None:
            yield from (of_steps(judge, n, steps(n)) for n in range(2, scope.largest + 1))
        yield from of_cases(judge, list(family(scope.reach)))

    return look


def _from(worst: Callable[[int], int]) -> Callable[[int], Steps]:
    """Steps from one prediction to gold, for every other gold."""

    def steps(n: int) -> Steps:
        goal = position(shapes(n))
        gold = np.flatnonzero(goal != worst(n))
        return Steps(gold, np.full(len(gold), worst(n)), goal[gold])

    return steps


homogeneity = ordered("homogeneity", cases.mixed_clusters, splits)
completeness = ordered("completeness", cases.split_categories, merges)
rag_bag = ordered("rag_bag", cases.rag_bags)
size_vs_quantity = ordered("size_vs_quantity", cases.sizes_and_quantities)
unbalanced = ordered("unbalanced", cases.unbalanced)
singletons = ordered(None, cases.singletons, _from(lambda n: len(partitions(n)) - 1))
all_in_one = ordered(None, cases.all_in_one, _from(lambda n: 0))
