"""Element-centric similarity: from an element walk at random to a cluster of its own, to an element of it, and so on.

Where the walk is found tells what a clustering says of an element; two clusterings are compared by how far apart the
walks are found that begin at the same element.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from clusterscore.count.counts import once
from clusterscore.count.sums import Floats
from clusterscore.distinct import Array, Ints
from clusterscore.exceptions import InputError, plural
from clusterscore.overlap.cover import Cover, Memberships
from clusterscore.progress import step

_MOST_SECONDS = 3600.0
_PER_PRODUCT = 1e-10  # seconds for a multiplication in a product of matrices (measured)
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
    similar = np.empty(len(cover.n))
    done = 0
    with step("element_centric") as at:
        for size in sizes.tolist():
            cells = order[done : done + size]
            similar[cells] = _compared(cover, cells, alpha)
            done += size
            at(done / len(order))
    return similar


def _components(cover: Cover) -> tuple[int, Ints]:
    from scipy.sparse import hstack
    from scipy.sparse.csgraph import connected_components

    links = hstack([side.matrix() for side in cover.sides], format="coo")
    cells, clusters = links.shape
    links.resize((cells + clusters, cells + clusters))
    links.coords = (links.coords[0], links.coords[1] + cells)
    _, component = connected_components(links, directed=False)
    _, numbered = np.unique(component[:cells], return_inverse=True)
    return int(numbered.max(initial=-1)) + 1, numbered


def _refuse_too_much(cover: Cover, sizes: Ints, component: Ints) -> None:
    clusters = [np.zeros(len(sizes), np.int64) for _ in cover.sides]
    for side, found in zip(cover.sides, clusters, strict=True):
        where = np.full(len(side.size), -1)
        where[side.cluster] = component[side.cell]
        found += np.bincount(where[where >= 0], minlength=len(sizes))
    squares = np.maximum(*(np.minimum(found, sizes) for found in clusters))
    work = (sizes.astype(np.float64) ** 2 * squares).sum() * 2
    if squares.max(initial=0) > _MOST_SQUARE or work * _PER_PRODUCT > _MOST_SECONDS:
        gigabytes = float(squares.max()) ** 2 * 32 / 2**30
        raise InputError(
            f"element_centric compares each of {plural(int(sizes.max()), 'kind')} of elements with all others: about "
            f"{gigabytes:,.0f} GB and {plural(max(1, round(work * _PER_PRODUCT / 3600)), 'hour')} of work; leave it "
            "out, or score documents or a sample of the elements"
        )


def _compared(cover: Cover, cells: Ints, alpha: float) -> Floats:
    """The similarity of cells that are connected with each other, and with no others."""
    n = cover.n[cells].astype(np.float64)
    gold, pred = (_Walk(side, cells, n, alpha) for side in cover.sides)
    block = max(1, _BLOCK // len(cells))
    apart = [
        np.abs(gold.found(slice(start, start + block)) - pred.found(slice(start, start + block))) @ n
        for start in range(0, len(cells), block)
    ]
    return np.asarray(np.clip(1 - np.concatenate(apart) / (2 * alpha), 0.0, 1.0))


class _Walk:
    """Where the walk from an element of each cell is found: the probability of one element of each other cell.

    An element of cell k goes to each of its clusters with the same probability, and from a cluster to each of its
    elements: U and V. With probability 1 - alpha the walk begins again, so that it is found at
    (1 - alpha) * alpha * U (1 - alpha V N U)^-1 V, beside where it began; N are the elements of each cell.
    """

    def __init__(self, side: Memberships, cells: Ints, n: Floats, alpha: float):
        held = side.matrix()[cells]
        used, place = np.unique(held.indices, return_inverse=True)
        memberships = held.copy()
        memberships.indices = place.astype(held.indices.dtype)
        memberships.resize((len(cells), max(len(used), 1)))
        number = np.maximum(np.diff(memberships.indptr), 1)
        self._go: Any = memberships.multiply(1 / number[:, None]).tocsr()
        size = np.ones(memberships.shape[1])
        size[: len(used)] = side.size[used]
        self._back: Any = memberships.T.multiply(1 / size[:, None]).tocsr()
        scale = (1 - alpha) * alpha
        if memberships.shape[1] <= len(cells):
            step_between = (self._back.multiply(n[None, :]) @ self._go).toarray()
            self._middle: Array | None = scale * _inverse(alpha * step_between)
            self._rows: Array | None = None
        else:
            both = (self._go @ self._back).toarray()
            self._middle, self._rows = None, scale * _solved(alpha * both * n[None, :], both)

    def found(self, rows: slice) -> Floats:
        """For the cells of some rows."""
        if self._rows is not None:
            return np.asarray(self._rows[rows])
        return np.asarray((self._go[rows] @ self._middle) @ self._back)


def _inverse(step: Array) -> Array:
    return np.asarray(np.linalg.inv(np.eye(len(step)) - step))


def _solved(step: Array, right: Array) -> Array:
    return np.asarray(np.linalg.solve(np.eye(len(step)) - step, right))
