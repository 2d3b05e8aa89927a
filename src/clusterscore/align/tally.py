"""Images: how often each pair of labels occurs, counted block by block before anything else looks at them.

Neighbours mostly have the same labels, so a run of equal pairs is counted at once. Blocks are small, so that an array
which is mapped to memory is never all there.
"""

from __future__ import annotations

import mmap
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import islice

import numpy as np

from clusterscore.distinct import Array, Ints, distinct
from clusterscore.read.clustering import Clustering
from clusterscore.read.images import refuse_other_shapes
from clusterscore.read.labels import encode
from clusterscore.read.names import Names

_BLOCK = 1 << 24  # elements counted together
_STRETCH = 1 << 16  # elements whose neighbours are compared at once
_RUN = 4  # elements: where runs are shorter, finding them does not pay
_KEPT = 1 << 21  # rows of blocks that are kept apart

Tally = tuple[Array, Array, Ints]  # labels of gold, of pred, and how many elements have both
Runs = tuple[Array, Array, Array]  # the same of each run of equal neighbours


def tallied(gold: Clustering, pred: Clustering) -> tuple[Clustering, Clustering]:
    """Both sides with an element for each pair of labels in a block, which stands for all that have it."""
    left, right = gold.images, pred.images
    assert left is not None
    assert right is not None
    refuse_other_shapes(left.shapes, right.shapes)
    images = [tallies_of(*arrays) for arrays in zip(left.arrays, right.arrays, strict=True)]
    if not any(images):
        return gold, pred  # which are empty
    sides = sides_of([tally for tallies in images for tally in tallies])
    documents = left.documents([sum(len(n) for *_, n in tallies) for tallies in images])
    for side, given in zip(sides, (gold, pred), strict=True):
        side.documents, side.options, side.origin, side.images = documents, given.options, given.origin, given.images
    return sides


def sides_of(tallies: list[Tally]) -> tuple[Clustering, Clustering]:
    """Two clusterings of what was counted."""
    gold, pred, times = (np.concatenate(columns) for columns in zip(*tallies, strict=True))
    left, right = Clustering(encode(gold)), Clustering(encode(pred))
    left.times = right.times = times
    return left, right


def tallies_of(gold: Array, pred: Array) -> list[Tally]:
    """What was counted in each block of two arrays of one shape."""
    left, right = np.asarray(gold), np.asarray(pred)
    if left.flags.f_contiguous and right.flags.f_contiguous:
        left, right = left.T, right.T
    if left.flags.c_contiguous and right.flags.c_contiguous:
        left, right = left.reshape(-1), right.reshape(-1)

    def of_blocks() -> Iterator[Tally]:
        blocks = _parts(left, right, _BLOCK)
        for block, runs in _with_runs(blocks) if left.size > _BLOCK else ((block, _runs(*block)) for block in blocks):
            yield _counted(*(runs or (*(side.ravel() for side in block), None)))
            for array in (gold, pred):
                # pages of a file that were read stay in memory until somebody says that they are not needed
                if isinstance(array, np.memmap) and array.mode in ("r", "r+") and hasattr(mmap, "MADV_DONTNEED"):
                    array._mmap.madvise(mmap.MADV_DONTNEED)  # type: ignore[attr-defined]

    return put_together(of_blocks())


def _with_runs(blocks: Iterator[tuple[Array, Array]]) -> Iterator[tuple[tuple[Array, Array], Runs | None]]:
    """Each block with its runs, which two threads find while the block before it is counted."""
    with ThreadPoolExecutor(2) as threads:
        begun = deque((block, threads.submit(_runs, *block)) for block in islice(blocks, 2))
        while begun:
            block, runs = begun.popleft()
            begun.extend((block, threads.submit(_runs, *block)) for block in islice(blocks, 1))
            yield block, runs.result()


def put_together(tallies: Iterable[Tally]) -> list[Tally]:
    """What was counted in the blocks of one image, with each pair of labels in one row wherever there are many rows."""
    kept: list[Tally] = []
    for tally in tallies:
        kept.append(tally)
        if sum(len(times) for *_, times in kept[1:]) > max(_KEPT, len(kept[0][2])):
            gold, pred, times = (np.concatenate(columns) for columns in zip(*kept, strict=True))
            kept = [_counted(gold, pred, times)]
    return kept


def _parts(gold: Array, pred: Array, size: int) -> Iterator[tuple[Array, Array]]:
    """Two arrays in parts of so many elements, along their first axis."""
    step = max(1, size * len(gold) // max(1, gold.size))
    for start in range(0, len(gold) if gold.size else 0, step):
        yield gold[start : start + step], pred[start : start + step]


def _counted(gold: Array, pred: Array, times: Array | None) -> Tally:
    left, right = encode(gold), encode(pred)
    rows = distinct((left.codes, len(left.names)), (right.codes, len(right.names)), times=times)
    return Names(left.names).take(rows.column(0)), Names(right.names).take(rows.column(1)), rows.counts


def _runs(gold: Array, pred: Array) -> Runs | None:
    """The labels of runs of equal neighbours, and their lengths; None where they are short."""
    runs, number, seen = [], 0, 0
    last, other = np.empty((2, 0), np.bool_)
    for left, right in _parts(gold, pred, _STRETCH):
        left, right = left.ravel(), right.ravel()  # without a copy, or a small one
        if len(left) != len(last):
            last, other = np.ones((2, len(left)), np.bool_)
        np.not_equal(left[1:], left[:-1], out=last[:-1])
        np.not_equal(right[1:], right[:-1], out=other[:-1])
        last |= other
        ends = last.nonzero()[0]
        times = np.empty_like(ends)
        times[0] = ends[0] + 1
        np.subtract(ends[1:], ends[:-1], out=times[1:])
        runs.append((left.take(ends), right.take(ends), times))
        number, seen = number + len(ends), seen + len(left)
        if _RUN * number > seen + 8 * _STRETCH:
            return None
    left, right, times = (np.concatenate(column) for column in zip(*runs, strict=True))
    return left, right, times
