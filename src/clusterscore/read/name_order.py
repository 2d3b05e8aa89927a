"""The order of names: whatever is drawn at random is drawn in this order, so that the order of rows decides nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from clusterscore.distinct import Array, Ints, Keys
from clusterscore.read.labels import Labels, Picked, fixed_width_words, joined_words, plain
from clusterscore.read.texts import Texts


def name_order(names: Sequence[Any] | Array) -> Ints:
    """Where the names stand that come first, second, ...: sorted as text, and those of equal text by their type.

    >>> name_order([2, 10, 1]).tolist(), name_order(["b", "a", "b"]).tolist()
    ([2, 1, 0], [1, 0, 2])
    """
    if isinstance(names, range):
        names = np.arange(names.start, names.stop, names.step)
    if isinstance(names, Picked):
        values, at = names.values, names.positions
        names = Texts(values.letters[at]) if isinstance(values, Texts) else list(map(values.__getitem__, at.tolist()))
    if isinstance(names, Texts):
        return _byte_order(fixed_width_words(names.letters))
    if isinstance(names, np.ndarray) and names.dtype.kind in "iu":
        return _decimal_order(names)
    listed = names.tolist() if isinstance(names, np.ndarray) else list(names)
    kinds = set(map(type, listed))
    if any(issubclass(kind, np.generic) for kind in kinds):
        listed = [plain(name) for name in listed]
        kinds = set(map(type, listed))
    if kinds == {int} and all(abs(name) < 2**63 for name in listed):
        return _decimal_order(np.array(listed, np.int64))
    words = joined_words(listed) if kinds == {str} else None
    if words is not None:
        return _byte_order(words)
    keys = [(_text(name), type(name).__name__) for name in listed]
    return np.array(sorted(range(len(keys)), key=keys.__getitem__), np.int64)


def _byte_order(words: list[Keys]) -> Ints:
    """The order of texts whose bytes stand in words of eight: by their value, not from the last to the first."""
    return np.lexsort([word.byteswap() for word in reversed(words)])


def name_ranks(names: Sequence[Any] | Array) -> Ints:
    """The rank of each name in that order; equal names share theirs."""
    order = name_order(names)
    listed = names.tolist() if isinstance(names, np.ndarray) else [plain(name) for name in names]
    index = dict.fromkeys(map(listed.__getitem__, order.tolist()))
    index.update(zip(index, range(len(index)), strict=True))
    return np.fromiter(map(index.__getitem__, listed), np.int64, len(listed))


def label_ranks(labels: Labels) -> Ints:
    """The rank of each element's label in that order; codes beyond the names share the last."""
    ranks = np.full(len(labels.names) + 1, len(labels.names))
    ranks[name_order(labels.names)] = np.arange(len(labels.names))
    return ranks[np.minimum(labels.codes, len(labels.names))]


def _decimal_order(numbers: Array) -> Ints:
    """As their digits are sorted, so that 10 comes before 2, as in a file."""
    size = np.where(numbers < 0, 0 - numbers.astype(np.uint64), numbers.astype(np.uint64))
    powers = 10 ** np.arange(20, dtype=np.uint64)
    digits = np.maximum(np.searchsorted(powers, size, side="right"), 1)
    # 20 digits do not fit: those beyond 19 are compared last
    long = digits == 20
    lead = np.where(long, size // np.uint64(10), size * powers[19 - np.minimum(digits, 19)])
    last = np.where(long, size % np.uint64(10) + np.uint64(1), np.uint64(0))
    return np.lexsort([digits, last, lead, numbers >= 0])


def _text(name: Any) -> str:
    if isinstance(name, frozenset):
        return str(sorted(map(_text, name)))  # a set has no order
    text = str(name)
    return "" if text == object.__repr__(name) else text  # that would be an address in memory
