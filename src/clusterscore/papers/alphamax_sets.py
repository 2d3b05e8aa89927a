"""The made-up data of the alphaMax-BCubed paper, as counts: labels split into parts, two such sets merged, noise."""

from __future__ import annotations

from math import factorial
from typing import NamedTuple

import numpy as np

from clusterscore.count.table import Table
from clusterscore.distinct import Ints

LABELS = 10
ELEMENTS = factorial(8)  # of each label: one to eight equal parts


class Cells(NamedTuple):
    """How many elements of a label lie in a cluster; the same two may come more than once."""

    label: Ints
    cluster: Ints
    n: Ints

    def table(self) -> Table:
        """The counts, ready to be scored."""
        return Table.from_cells(self.label, self.cluster, self.n)


def split(parts: int, labels: int = LABELS, elements: int = ELEMENTS) -> Cells:
    """Every label cut into parts, each a cluster: number label * parts + part.

    >>> split(2, labels=3, elements=10)
    Cells(label=array([0, 0, 1, 1, 2, 2]), cluster=array([0, 1, 2, 3, 4, 5]), n=array([5, 5, 5, 5, 5, 5]))
    """
    ends = elements * np.arange(parts + 1) // parts
    return Cells(np.repeat(np.arange(labels), parts), np.arange(labels * parts), np.tile(np.diff(ends), labels))


def merged(first: int, second: int, labels: int = LABELS, elements: int = ELEMENTS) -> Cells:
    """Two split sets as one. Both number their clusters from 0, so that clusters of one fall together with the other's.

    The labels of the first set are shifted by ``second - first``.
    """
    one, two = split(first, labels, elements), split(second, labels, elements)
    one = one._replace(label=one.label + (second - first))
    return Cells(*(np.concatenate(both) for both in zip(one, two, strict=True)))


def noisy(cells: Cells, noise: float, rng: np.random.Generator, labels: int = LABELS) -> Cells:
    """Each element's label replaced, with probability ``noise``, by one drawn evenly from all of them.

    Elements of a cell are alike and drawn independently, so what becomes of a cell is one multinomial draw: the same
    distribution as that of 403,200 labels drawn one by one, at a thousandth of the work.
    """
    chances = np.full((len(cells.n), labels), noise / labels)
    chances[np.arange(len(cells.n)), cells.label] += 1 - noise
    drawn = rng.multinomial(cells.n, chances)
    return Cells(np.tile(np.arange(labels), len(cells.n)), np.repeat(cells.cluster, labels), drawn.ravel())


def stacked(draws: list[Cells]) -> Table:
    """Many draws as the documents of one table, to be scored in one pass."""
    document = np.repeat(np.arange(len(draws)), [len(draw.n) for draw in draws])
    label, cluster, n = (np.concatenate(column) for column in zip(*draws, strict=True))
    return Table.from_cells(label, cluster, n, document=document)
