"""Joins: where two parts of a gold cluster come together; what a merge changes in the cells of the table."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from clusterscore.analyses.sweep.tree import Tree
from clusterscore.distinct import Ints


class Joins(NamedTuple):
    """Merge ``merge`` makes one cell of two cells of a gold cluster, of ``one`` and ``other`` elements.

    A gold cluster of a elements has a - 1 of them, so there are fewer than elements, whatever the tree. They come in
    the order of the merges.
    """

    merge: Ints
    gold: Ints
    one: Ints
    other: Ints

    def of(self, chosen: Ints) -> Joins:
        """Some of them."""
        return Joins(*(column[chosen] for column in self))


def find_joins(tree: Tree, leaf: Ints, gold: Ints) -> Joins:
    """The joins of all gold clusters; ``gold[k]`` is that of the element at leaf ``leaf[k]``.

    In the order of places, neighbours of the same gold cluster come together where the tree joins them. The cell
    that is then made reaches on either side to the next two neighbours that are joined later.
    """
    place = tree.place[leaf]
    order = np.lexsort((place, gold))
    place, gold = place[order], gold[order]
    same = np.flatnonzero(gold[:-1] == gold[1:])
    when = np.full(len(gold), len(tree.between))  # another gold cluster is never joined
    when[same] = tree.joined_by(place[same], place[same + 1])
    before, after = _later(when.tolist())
    found = Joins(when[same], gold[same], same - before[same], after[same] - same)
    return found.of(np.argsort(found.merge, kind="stable"))


def _later(when: list[int]) -> tuple[Ints, Ints]:
    """The nearest index before each one, and after it, with a later (or equally late) time; -1 and the end if none."""
    before, after = [-1] * len(when), [len(when) - 1] * len(when)
    waiting: list[int] = []
    for k, time in enumerate(when):
        while waiting and when[waiting[-1]] < time:
            after[waiting.pop()] = k
        if waiting:
            before[k] = waiting[-1]
        waiting.append(k)
    return np.array(before, np.int64), np.array(after, np.int64)
