"""Element-centric similarity: from an element walk at random to a cluster of its own, to an element of it, and so on.

Where the walk is found tells what a clustering says of an element; two clusterings are compared by how far apart the
walks are found that begin at the same element.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from clusterscore.count.counts import once
from clusterscore.count.sums import Floats
from clusterscore.distinct import Array, Ints
from clusterscore.exceptions import InputError
from clusterscore.nouns import noun, plural
from clusterscore.overlap.cover import Cover, Memberships
from clusterscore.progress import step
from clusterscore.read.links import components

_MOST_SECONDS = 3600.0
_PER_PRODUCT = 1e-10  # seconds for a multiplication in a product of matrices (measured)
_SMALL = 1 << 16  # entries of a matrix that is not worth being sparse
_BLOCK = 1 << 24  # entries of a block of rows
_MOST_SQUARE = 12_000  # rows of a system of equations: some 4 GB


@once
def walk_similarity(cover: Cover, alpha: float) -> Floats:
    """For each cell how similar both clusterings see its elements, 0 to 1.

    Only cells that are connected, through clusters of either side, are compared.
    """
    count, component = _components(cover)
    order = np.argsort(component, kind="stable")
    sizes = np.bincount(component, minlength=count)
    _refuse_too_much(cover, sizes, component)
    sides = [side.take(order) for side in cover.sides]
    similar = np.empty(len(cover.n))
    done = 0
    with step("element_centric") as at:
        for size in sizes.tolist():
            rows = slice(done, done + size)
            cells = order[rows]
            walks = [_Walk(side, rows, cover.n[cells], alpha) for side in sides]
            similar[cells] = _compared(walks[0], walks[1], cover.n[cells], alpha)
            done += size
            at(done / len(order))
    return similar


def _components(cover: Cover) -> tuple[int, Ints]:
    (gold, pred), cells = cover.sides, len(cover.n)
    cluster = np.concatenate([gold.cluster, len(gold.size) + pred.cluster])
    cell = np.concatenate([gold.cell, pred.cell])
    _, component = components(cell, cells + cluster, cells + len(gold.size) + len(pred.size))
    _, numbered = np.unique(component[:cells], return_inverse=True)
    return int(numbered.max(initial=-1)) + 1, numbered


def _refuse_too_much(cover: Cover, sizes: Ints, component: Ints) -> None:
    clusters = [np.zeros(len(sizes), np.int64) for _ in cover.sides]
    for side, counts in zip(cover.sides, clusters, strict=True):
        where = np.full(len(side.size), -1)
        where[side.cluster] = component[side.cell]
        counts += np.bincount(where[where >= 0], minlength=len(sizes))
    squares = np.maximum(*(np.minimum(counts, sizes) for counts in clusters))
    work = (sizes.astype(np.float64) ** 2 * squares).sum() * 2
    if squares.max(initial=0) > _MOST_SQUARE or work * _PER_PRODUCT > _MOST_SECONDS:
        gigabytes = float(squares.max()) ** 2 * 32 / 2**30
        raise InputError(
            f"element_centric compares each of {plural(int(sizes.max()), 'kind')} of {noun('elements')} with "
            f"all others: about {gigabytes:,.0f} GB and "
            f"{plural(max(1, round(work * _PER_PRODUCT / 3600)), 'hour')} of work; leave it out, or score "
            f"{noun('documents')} or a sample of the {noun('elements')}"
        )


def _compared(gold: _Walk, pred: _Walk, n: Ints, alpha: float) -> Floats:
    """The similarity of cells that are connected with each other, and with no others."""
    block = max(1, _BLOCK // len(n))
    apart = [
        np.abs(gold.probabilities(slice(start, start + block)) - pred.probabilities(slice(start, start + block))) @ n
        for start in range(0, len(n), block)
    ]
    return np.asarray(np.clip(1 - np.concatenate(apart) / (2 * alpha), 0.0, 1.0))


class _Walk:
    """Where the walk from an element of each cell is found: the probability of one element of each other cell.

    An element of cell k goes to each of its clusters with the same probability, and from a cluster to each of its
    elements: U and V. With probability 1 - alpha the walk begins again, so that it is found at
    (1 - alpha) * alpha * U (1 - alpha V N U)^-1 V, beside where it began; N are the elements of each cell.
    """

    def __init__(self, side: Memberships, rows: slice, n: Ints, alpha: float):
        start = side.start[rows.start : rows.stop + 1]
        cluster, number = side.cluster[start[0] : start[-1]], np.diff(start)
        cell = np.repeat(np.arange(len(n)), number)
        place, used = _numbered(cluster, cell)
        clusters, go, back = max(len(used), 1), 1 / number[cell], 1 / side.size[cluster]
        self._go, self._back = _matrix(cell, place, go, len(n), clusters), _matrix(place, cell, back, clusters, len(n))
        scale = (1 - alpha) * alpha
        self._middle: Array | None = None
        if clusters <= len(n):
            between = _dense(_matrix(place, cell, back * n[cell], clusters, len(n)) @ self._go)
            self._middle = scale * np.linalg.inv(np.eye(clusters) - alpha * between)
        else:
            both = _dense(self._go @ self._back)
            self._rows = scale * np.linalg.solve(np.eye(len(n)) - alpha * both * n, both)

    def probabilities(self, rows: slice) -> Floats:
        """For the cells of some rows."""
        if self._middle is None:
            return np.asarray(self._rows[rows])
        return np.asarray((self._go[rows] @ self._middle) @ self._back)


def _numbered(cluster: Ints, cell: Ints) -> tuple[Ints, Ints]:
    """Clusters numbered by the cells that they hold: equal clusterings give the same numbers to the last bit."""
    used, place = np.unique(cluster, return_inverse=True)
    order = np.argsort(place, kind="stable")
    ends = np.cumsum(np.bincount(place, minlength=len(used))) * 8
    held = cell[order].tobytes()
    keys = [held[start:end] for start, end in pairwise([0, *ends.tolist()])]
    rank = np.empty(len(used), np.int64)
    rank[sorted(range(len(used)), key=keys.__getitem__)] = np.arange(len(used))
    return rank[place], used


def _matrix(row: Ints, column: Ints, values: Floats, rows: int, columns: int) -> Any:
    if rows * columns <= _SMALL:
        matrix = np.zeros((rows, columns))
        matrix[row, column] = values
        return matrix
    from scipy.sparse import csr_array

    return csr_array((values, (row, column)), shape=(rows, columns))


def _dense(matrix: Any) -> Array:
    return np.asarray(matrix if isinstance(matrix, np.ndarray) else matrix.toarray())
