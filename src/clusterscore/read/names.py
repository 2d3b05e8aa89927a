"""What clusters, documents and elements are called: one way to take some names, to order them, and to find one.

Whatever is drawn at random is drawn in the order of names, so that the order of rows decides nothing.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Sequence
from numbers import Number
from typing import Any

import numpy as np

from clusterscore.distinct import Array, Ints, Keys
from clusterscore.read.labels import Labels, Picked, Unnamed, fixed_width_words, joined_words, moment, plain
from clusterscore.read.texts import Texts

_LARGEST = 2**63 - 1


class Names:
    """Names in whatever holds them: a list, a range, a NumPy array, short texts, or the user's own labels."""

    def __init__(self, names: Any):
        self.names = names.numbers if isinstance(names, Unnamed) else names

    def take(self, codes: Array) -> Array:
        """The names of some codes as a column; None for a code beyond them, an element that a policy left alone.

        Whole numbers stay numbers, everything else is a column of objects.
        """
        names = self.names
        if len(codes) and int(codes.max()) >= len(names):
            known = codes < len(names)
            column = np.full(len(codes), None, object)
            column[known] = self.take(codes[known])
            return column
        if isinstance(names, Picked):
            return Names(names.values).take(names.positions[codes])
        if isinstance(names, range) and names.start >= -_LARGEST and names.stop <= _LARGEST:
            return np.asarray(codes.astype(np.int64) * names.step + names.start)
        if isinstance(names, np.ndarray) and names.dtype.kind in "iuUS":
            taken = names[codes]
            fits = names.dtype.kind in "iu" and int(taken.max(initial=0)) <= _LARGEST
            return np.asarray(taken.astype(np.int64 if fits else object))
        return as_column(list(map(names.__getitem__, codes.tolist())))

    def order(self) -> Ints:
        """Where the names stand that come first, second, ...: sorted as text, and those of equal text by their type.

        >>> Names([2, 10, 1]).order().tolist(), Names(["b", "a", "b"]).order().tolist()
        ([2, 1, 0], [1, 0, 2])
        """
        names = self.names
        if isinstance(names, Picked):
            values, at = names.values, names.positions
            names = Texts(values.letters[at]) if isinstance(values, Texts) else [values[k] for k in at.tolist()]
        if isinstance(names, Texts):
            return _byte_order(fixed_width_words(names.letters))
        if isinstance(names, range) or (isinstance(names, np.ndarray) and names.dtype.kind in "iu"):
            return _decimal_order(np.asarray(names))
        listed = as_plain(names)
        kinds = set(map(type, listed))
        if kinds == {int} and all(abs(name) < 2**63 for name in listed):
            return _decimal_order(np.array(listed, np.int64))
        words = joined_words(listed) if kinds == {str} else None
        if words is not None:
            return _byte_order(words)
        keys = [(_text(name), type(name).__name__) for name in listed]
        return np.array(sorted(range(len(keys)), key=keys.__getitem__), np.int64)

    def find(self, labels: Iterable[Any], null: int | None = None) -> list[int]:
        """The codes of those names that equal one of some labels; ``null`` is the code of none."""
        keys = {moment(label) for label in labels}
        if isinstance(self.names, range):
            return [self.names.index(label) for label in keys if label in self.names]
        if isinstance(self.names, np.ndarray) and self.names.dtype.kind not in "Mm":
            return [code for label in keys if isinstance(label, Number) for code in self._places(label)]
        named = ((code, plain(name)) for code, name in enumerate(self.names) if code != null)
        return [code for code, name in named if moment(name) in keys or _is_time_of(name, keys)]

    def _places(self, label: Any) -> list[int]:
        try:
            near = np.flatnonzero(self.names == label)
        except (TypeError, OverflowError):  # no number of theirs can equal it
            return []
        # NumPy rounds whole numbers to compare them with floats
        return [int(code) for code in near if plain(self.names[code]) == label]


def as_plain(names: Sequence[Any] | Array) -> list[Any]:
    """Names as Python has them."""
    listed = names.tolist() if isinstance(names, np.ndarray) else list(names)
    return (
        [plain(name) for name in listed]
        if any(issubclass(kind, np.generic) for kind in set(map(type, listed)))
        else listed
    )


def as_column(names: list[Any]) -> Array:
    """Names as an array: of integers, or of whatever they are."""
    names = as_plain(names)
    if set(map(type, names)) == {int}:
        try:
            return np.array(names, np.int64)
        except OverflowError:
            pass
    column = np.empty(len(names), object)
    column[:] = names
    return column


def name_ranks(names: Sequence[Any] | Array) -> Ints:
    """The rank of each name in the order of names; equal names share theirs."""
    order = Names(names).order()
    listed = names.tolist() if isinstance(names, np.ndarray) else [plain(name) for name in names]
    index = dict.fromkeys(map(listed.__getitem__, order.tolist()))
    index.update(zip(index, range(len(index)), strict=True))
    return np.fromiter(map(index.__getitem__, listed), np.int64, len(listed))


def label_ranks(labels: Labels) -> Ints:
    """The rank of each element's label in that order; codes beyond the names share the last."""
    ranks = np.full(len(labels.names) + 1, len(labels.names))
    ranks[Names(labels.names).order()] = np.arange(len(labels.names))
    return ranks[np.minimum(labels.codes, len(labels.names))]


def _byte_order(words: list[Keys]) -> Ints:
    """The order of texts whose bytes stand in words of eight: by their value, not from the last to the first."""
    return np.lexsort([word.byteswap() for word in reversed(words)])


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


def _is_time_of(name: Any, keys: set[Any]) -> bool:
    """In NumPy a day is its first moment; it compares times of any unit, but not with Python's."""
    naive = (
        key for key in keys if isinstance(key, datetime.date | np.datetime64) and getattr(key, "tzinfo", None) is None
    )
    return isinstance(name, np.datetime64) and any(bool(name == np.datetime64(label)) for label in naive)
