"""The names of numbered clusters, documents and elements, as a column; each is looked up once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from clusterscore.count.cells import ClusterNames
from clusterscore.distinct import Array
from clusterscore.read.labels import Picked, plain

_LARGEST = 2**63 - 1


def names_of(name: ClusterNames, used: Array, size: int) -> Array:
    """A column with the name of each number below ``size``; those that are not ``used`` have none.

    Whole numbers stay numbers, everything else is a column of objects.
    """
    found = listed(name.names, name.places(used))
    if len(used) == size:
        return found
    column = np.zeros(size, found.dtype)
    column[used] = found
    return column


def listed(names: Sequence[Any] | Array, codes: Array) -> Array:
    """``names[codes]`` as a column; None for a code beyond the names, an element that a policy left alone."""
    known = codes < len(names) if len(codes) and int(codes.max()) >= len(names) else None
    if known is None:
        return _looked_up(names, codes)
    column = np.full(len(codes), None, object)
    column[known] = _looked_up(names, codes[known])
    return column


def _looked_up(names: Sequence[Any] | Array, codes: Array) -> Array:
    if isinstance(names, range):
        return _numbers(names, codes)
    if isinstance(names, Picked):
        return _looked_up(names.values, names.positions[codes])
    if isinstance(names, np.ndarray) and names.dtype.kind in "iuUS":
        found = names[codes]
        if names.dtype.kind in "iu" and int(found.max(initial=0)) <= _LARGEST:
            return found.astype(np.int64)
        return found.astype(object)
    return as_column(list(map(names.__getitem__, codes.tolist())))


def _numbers(names: range, codes: Array) -> Array:
    if names.start >= -_LARGEST and names.stop <= _LARGEST:
        return np.asarray(codes.astype(np.int64) * names.step + names.start)
    return as_column([names[code] for code in codes.tolist()])


def as_column(names: list[Any]) -> Array:
    """Names as an array: of integers, or of whatever they are."""
    kinds = set(map(type, names))
    if any(issubclass(kind, np.generic) for kind in kinds):
        names = [plain(name) for name in names]
        kinds = set(map(type, names))
    if kinds == {int}:
        try:
            return np.array(names, np.int64)
        except OverflowError:
            pass
    column = np.empty(len(names), object)
    column[:] = names
    return column
