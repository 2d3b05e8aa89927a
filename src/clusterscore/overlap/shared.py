"""How many clusters two elements share, for all pairs of elements, without a table of them.

For every cell the answer is a histogram: so many elements share g gold and s predicted clusters with it. Two ways lead
there, and the cheaper is taken. Where clusters are small, the sparse product of the memberships with themselves has an
entry only where something is shared; its work is the sum of the squared sizes of the clusters. Where clusters are
large, every cluster is a row of bits, an element each, and 64 elements are compared at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from clusterscore.count.counts import once
from clusterscore.count.sums import Floats, divide
from clusterscore.distinct import Ints, offsets, ranges
from clusterscore.exceptions import InputError
from clusterscore.nouns import noun, plural
from clusterscore.overlap.cover import Cover, Memberships
from clusterscore.progress import step

Counts = npt.NDArray[np.int64]
Bits = npt.NDArray[np.uint64]

_MOST_SECONDS = 3600.0
_PER_ENTRY = 2e-8  # seconds for an entry of a sparse product, and for a word of bits (measured)
_PER_WORD = 7e-10
_ENTRIES = 1 << 22  # of a block of a sparse product: some 100 MB
_WORDS = 1 << 16  # of a block of bits, as many as a cache holds,
_ROWS = 16  # but no fewer rows
_MOST_WORDS = 1 << 27  # of all clusters: 1 GB


class Shared(NamedTuple):
    """What the clusters that elements share come to, in each cell.

    ``precision`` and ``recall`` are those of extended BCubed. Of the other elements ``agree`` share as many clusters
    with it in gold as in the prediction, at least one, and ``either`` share one anywhere; ``gold[k, j]`` share j + 1 of
    gold, ``pred[k, j]`` of the prediction.
    """

    precision: Floats
    recall: Floats
    agree: Counts
    either: Counts
    gold: Counts
    pred: Counts


@once
def shared_clusters(cover: Cover) -> Shared:
    """Every two elements compared by how many clusters they share; made once for a cover."""
    cells = len(cover.n)
    most = [int(side.number.max(initial=1)) for side in cover.sides]
    precision, recall = np.zeros(cells), np.zeros(cells)
    agree, either = np.zeros(cells, np.int64), np.zeros(cells, np.int64)
    gold, pred = (np.zeros((cells, size), np.int64) for size in most)
    in_gold, in_pred = np.arange(most[0] + 1)[:, None], np.arange(most[1] + 1)
    fewer = np.minimum(in_gold, in_pred)
    for rows, counts in _histograms(cover, most):
        both = [divide(fewer, number, 0.0) for number in (in_pred, in_gold)]
        precision[rows] = divide((counts * both[0]).sum(axis=(1, 2)), counts[:, :, 1:].sum(axis=(1, 2)), 0.0)
        recall[rows] = divide((counts * both[1]).sum(axis=(1, 2)), counts[:, 1:].sum(axis=(1, 2)), 0.0)
        own = np.arange(rows.stop - rows.start), cover.gold.number[rows], cover.pred.number[rows]
        counts[own] -= 1  # the element itself
        counts[:, 0, 0] = 0
        agree[rows] = np.einsum("kjj->k", counts[:, 1 : min(most) + 1, 1 : min(most) + 1])
        either[rows] = counts.sum(axis=(1, 2))
        gold[rows], pred[rows] = counts[:, 1:].sum(axis=2), counts[:, :, 1:].sum(axis=1)
    return Shared(precision, recall, agree, either, gold, pred)


def _histograms(cover: Cover, most: list[int]) -> Iterator[tuple[slice, Counts]]:
    """Blocks of cells, and for each cell the histogram: ``[k, g, s]`` elements share g and s clusters with cell k.

    The element itself is among them; ``[k, 0, 0]``, those that share nothing, is not counted.
    """
    # how many entries a cell has in the sparse product, at most
    entries = np.add(*(side.total(np.bincount(side.cluster, minlength=len(side.size))) for side in cover.sides))
    words = -(-int(cover.n.sum()) // 64)
    per_row = words * (most[0] ** 2 + most[1] ** 2 + 2 * (most[0] + 1) * (most[1] + 1))
    products, bits = _PER_ENTRY * float(entries.sum()), _PER_WORD * float(per_row) * len(cover.n)
    if words * (2 + sum(len(side.size) for side in cover.sides)) > _MOST_WORDS:
        bits = np.inf
    seconds = min(products, bits)
    if seconds > _MOST_SECONDS:
        raise InputError(
            f"extended_bcubed and omega compare every two {noun('elements')} that share {noun('a cluster')}: "
            f"{float(entries.sum()):.1e} pairs here, about {plural(round(seconds / 3600), 'hour')} of work; "
            f"leave them out, or score {noun('documents')} or a sample of the {noun('elements')} "
            "(matched_elm, matched_bcubed, overlapping_nmi and community_f1 look at no pairs)"
        )
    with step(noun("pairs of elements")) as at:
        for rows, counts in _by_products(cover, entries, most) if products <= bits else _by_bits(cover, words, most):
            yield rows, counts
            at(rows.stop / max(len(cover.n), 1))


def _by_products(cover: Cover, entries: Counts, most: list[int]) -> Iterator[tuple[slice, Counts]]:
    from scipy.sparse import hstack

    # one product for both sides: an entry is g * base + s
    base = most[1] + 1
    ones = [side.matrix(np.ones(1, np.int32)) for side in cover.sides]
    both = hstack(ones, format="csr")
    coded = hstack([ones[0] * np.int32(base), ones[1]], format="csr")
    other = both.T.tocsr()
    size = (most[0] + 1) * base
    before = offsets(entries)
    start = 0
    while start < len(cover.n):
        stop = int(np.searchsorted(before, before[start] + _ENTRIES, side="right")) - 1
        stop = min(max(stop, start + 1), start + max(1, _ENTRIES // size), len(cover.n))
        product = coded[start:stop] @ other
        row = np.repeat(np.arange(stop - start), np.diff(product.indptr))
        counts = np.bincount(row * size + product.data, cover.n[product.indices], (stop - start) * size)
        yield slice(start, stop), counts.astype(np.int64).reshape(stop - start, most[0] + 1, base)
        start = stop


def _by_bits(cover: Cover, words: int, most: list[int]) -> Iterator[tuple[slice, Counts]]:
    sides = [(_bits(cover, side, words), _padded(side)) for side in cover.sides]
    block = max(_ROWS, _WORDS // words // (sum(most) + 2))
    for start in range(0, len(cover.n), block):
        rows = slice(start, min(start + block, len(cover.n)))
        counts = np.zeros((rows.stop - start, most[0] + 1, most[1] + 1), np.int64)
        gold, pred = (_at_least(bits, clusters[rows]) for bits, clusters in sides)
        # elements that share at least g and at least s, and from these exactly g and s
        for g in range(most[0] + 1):
            for s in range(most[1] + 1):
                if g or s:
                    both = gold[g - 1] & pred[s - 1] if g and s else gold[g - 1] if g else pred[s - 1]
                    counts[:, g, s] = np.bitwise_count(both).sum(axis=1, dtype=np.int64)
        counts[:, :-1] -= counts[:, 1:]
        counts[:, :, :-1] -= counts[:, :, 1:]
        counts[:, 0, 0] = 0
        yield rows, counts


def _bits(cover: Cover, side: Memberships, words: int) -> Bits:
    """For each cluster a bit for each element; the last row is empty."""
    times = cover.n[side.cell]
    element = ranges(offsets(cover.n)[side.cell], times)
    bits = np.zeros((len(side.size) + 1) * words, np.uint64)
    at = np.repeat(side.cluster, times) * words + (element >> 6)
    np.bitwise_or.at(bits, at, np.uint64(1) << (element & 63).astype(np.uint64))
    return bits.reshape(-1, words)


def _padded(side: Memberships) -> Ints:
    """The clusters of each cell in a row, filled up with the empty one."""
    width = int(side.number.max(initial=1))
    rows = np.full((len(side.number), width), len(side.size))
    rows[side.cell, np.arange(len(side.cluster)) - side.start[side.cell]] = side.cluster
    return rows


def _at_least(bits: Bits, clusters: Ints) -> list[Bits]:
    """The elements that share at least 1, 2, ... of the clusters in each row."""
    at_least: list[Bits] = []
    for k in range(clusters.shape[1]):
        holds = bits[clusters[:, k]]
        at_least.append(np.zeros_like(holds))
        for level in range(k, 0, -1):
            at_least[level] |= at_least[level - 1] & holds
        at_least[0] |= holds
    return at_least
