"""The distinct rows of integer columns, with their counts and codes, in linear time.

Counting pairs of labels and encoding labels are the same question: which keys are there, how often, and which one is
each element's? A sort answers it too, but NumPy's sort costs 10 to 60 ns an element depending on the processor; a few
random accesses into a table cost about 10 ns on any of them.

How: the columns stand side by side in one key of ``bits`` bits (no product of codes is formed, so nothing overflows;
where they need more than a word, some are encoded first). The key is multiplied by an odd number modulo ``2**bits``,
which is a bijection. Its upper bits address a table, the lower ones are written there; of several keys that meet in one
slot the last writer stays. Whoever reads back its own lower bits has found its key exactly (no hash can lie here: slot
and lower bits together *are* the key). The few that lost their slot go through the same procedure again. The work is
done in stretches that stay in the processor's cache; keys are cheaper to make again than to fetch.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
Ints = npt.NDArray[np.int64]
Keys = npt.NDArray[np.uint64]


class Lookup:
    """``values[index]`` that is made stretch by stretch, where it is used, and never as a whole."""

    def __init__(self, values: Array, index: Array):
        self.values, self.index = values, index

    def __len__(self) -> int:
        return len(self.index)

    def __getitem__(self, where: slice | Array) -> Array:
        return self.values.take(self.index[where])


Column = tuple[Array | Lookup, int]  # codes and their size: they lie from 0 to size - 1

_ODD = 0x9E3779B97F4A7C15  # 2**64 / golden ratio: spreads neighbouring keys over the table
_SMALL = 1 << 10  # below this a sort is one call and beats everything
_STRETCH = 1 << 15  # elements worked on together: their keys fit the cache


class _Field(NamedTuple):
    """Where columns stand in a key: as they are, or as the codes of their distinct rows."""

    array: Array | Lookup
    width: int
    columns: int
    encoded: Distinct | None


class Distinct:
    """Distinct rows in no particular order: how often each occurs, and each element's index among them."""

    def __init__(self, keys: Keys, counts: Ints, codes: Ints | None, fields: list[_Field]):
        self.keys, self.counts, self._codes = keys, counts, codes
        self._fields = [field._replace(array=field.array[:0]) for field in fields]  # the input need not be kept

    def __len__(self) -> int:
        return len(self.keys)

    @property
    def codes(self) -> Ints:
        """For each element the index of its row, where ``codes=True`` asked for it."""
        assert self._codes is not None
        return self._codes

    def column(self, number: int) -> Ints:
        """One column of the distinct rows."""
        shift = sum(field.width for field in self._fields)
        for field in self._fields:
            shift -= field.width
            if number < field.columns:
                mask = np.uint64((1 << field.width) - 1)
                values = ((self.keys >> np.uint64(shift)) & mask).view(np.int64)
                return values if field.encoded is None else field.encoded.column(number)[values]
            number -= field.columns
        raise IndexError("no such column")


def distinct(*columns: Column, codes: bool = False, times: Array | None = None) -> Distinct:
    """Count the distinct rows of columns of codes; with ``codes`` also say which is whose.

    ``times`` says how often each given row counts (once by default).
    """
    fields = [_Field(array, bits_for(size), 1, None) for array, size in columns]
    while sum(field.width for field in fields) > 64:
        fields = _narrowed(fields, columns)
    keys, counts, whose = _count(fields, len(fields[0].array), codes, times)
    return Distinct(keys, counts, whose, fields)


def bits_for(size: int) -> int:
    """How many bits hold the codes ``0 .. size - 1``."""
    return max(size - 1, 0).bit_length()


def _narrowed(fields: list[_Field], columns: tuple[Column, ...]) -> list[_Field]:
    """Fewer bits for the same rows: the widest plain column, or the first two fields, replaced by codes."""
    plain = [k for k, field in enumerate(fields) if field.encoded is None]
    widest = max(plain, key=lambda k: fields[k].width, default=None)
    count = len(fields[0].array)
    if widest is not None and fields[widest].width > bits_for(count):
        field = fields[widest]
        found = distinct((field.array, 1 << field.width), codes=True)
        return [*fields[:widest], _Field(found.codes, bits_for(len(found)), 1, found), *fields[widest + 1 :]]
    lead = fields[0].columns + fields[1].columns
    found = distinct(*columns[:lead], codes=True)
    return [_Field(found.codes, bits_for(len(found)), lead, found), *fields[2:]]


Found = tuple[Keys, Ints, Ints | None]


def _count(fields: list[_Field], count: int, codes: bool, times: Array | None) -> Found:
    bits = sum(field.width for field in fields)
    if count <= _SMALL:
        return _by_sorting(_keys(fields, 0, count, np.empty(count, np.uint64)), codes, times)
    table_bits = count.bit_length()
    if bits <= table_bits:
        return _by_address(fields, count, bits, codes, times)
    return _by_hashing(fields, count, bits, table_bits, codes, times)


def _keys(fields: list[_Field], start: int, stop: int, out: Keys) -> Keys:
    """The keys of some elements: their columns side by side."""
    out = out[: stop - start]
    out[...] = fields[0].array[start:stop]
    for field in fields[1:]:
        out <<= np.uint64(field.width)
        part = field.array[start:stop]
        out |= part.view(np.uint64) if part.dtype == np.int64 else part.astype(np.uint64)
    return out


def _stretches(count: int) -> Iterator[tuple[int, int]]:
    for start in range(0, count, _STRETCH):
        yield start, min(count, start + _STRETCH)


def _by_sorting(keys: Keys, codes: bool, times: Array | None) -> Found:
    if codes or times is not None:
        unique, inverse, counts = np.unique(keys, return_inverse=True, return_counts=True)
        if times is not None:
            counts = np.zeros(len(unique), np.int64)
            np.add.at(counts, inverse, times)
        return unique, counts, inverse
    keys.sort()
    first = np.ones(len(keys), np.bool_)
    np.not_equal(keys[1:], keys[:-1], out=first[1:])
    starts = first.nonzero()[0]
    counts = np.empty(len(starts), np.int64)
    np.subtract(starts[1:], starts[:-1], out=counts[:-1])
    counts[-1:] = len(keys) - starts[-1:]
    return keys[starts], counts, None


def _by_address(fields: list[_Field], count: int, bits: int, codes: bool, times: Array | None) -> Found:
    buffer = np.empty(_STRETCH, np.uint64)
    tally = np.zeros(1 << bits, np.int64)
    for start, stop in _stretches(count):
        keys = _keys(fields, start, stop, buffer).view(np.int64)
        np.add.at(tally, keys, 1 if times is None else times[start:stop])
    used = (tally > 0).nonzero()[0]  # on a mask: nonzero of integers is six times slower
    counts = tally.take(used)
    whose = None
    if codes:
        tally[used] = np.arange(len(used))
        whose = np.empty(count, np.int64)
        for start, stop in _stretches(count):
            tally.take(_keys(fields, start, stop, buffer).view(np.int64), out=whose[start:stop], mode="clip")
    return used.view(np.uint64), counts, whose


def _by_hashing(
    fields: list[_Field], count: int, bits: int, table_bits: int, codes: bool, times: Array | None
) -> Found:
    low_bits, low_mask = np.uint64(bits - table_bits), np.uint64((1 << (bits - table_bits)) - 1)
    whole, odd, back = np.uint64((1 << bits) - 1), np.uint64(_ODD), np.uint64(pow(_ODD, -1, 1 << bits))
    # the cast cuts a key to its lower bits; a few slot bits may stay above them and do no harm
    kind = np.uint16 if low_mask < 2**16 else np.uint32 if low_mask < 2**32 else np.uint64
    buffer, low_buffer = np.empty(_STRETCH, np.uint64), np.empty(_STRETCH, kind)

    def slots(start: int, stop: int) -> tuple[Ints, Array]:
        keys = _keys(fields, start, stop, buffer)
        np.multiply(keys, odd, out=keys)
        np.bitwise_and(keys, whole, out=keys)
        low = low_buffer[: stop - start]
        low[...] = keys
        np.right_shift(keys, low_bits, out=keys)
        return keys.view(np.int64), low

    table = np.zeros(1 << table_bits, kind)
    for start, stop in _stretches(count):
        slot, low = slots(start, stop)
        table[slot] = low
    tally = np.zeros(1 << table_bits, np.int32 if count < 2**31 and times is None else np.int64)
    lost_here = []
    for start, stop in _stretches(count):
        slot, low = slots(start, stop)
        found = table.take(slot, mode="clip") == low
        np.add.at(tally, slot, found.astype(tally.dtype) if times is None else found * times[start:stop])
        lost_here.append((~found).nonzero()[0] + start)
    lost = np.concatenate(lost_here)

    used = np.greater(tally, 0).nonzero()[0]
    counts = tally.take(used).astype(np.int64)
    whose = None
    if codes:
        tally[used] = np.arange(len(used))
        whose = np.empty(count, np.int64)
        for start, stop in _stretches(count):
            whose[start:stop] = tally.take(slots(start, stop)[0], mode="clip")
    unique = used.view(np.uint64)
    lower = table.take(used)
    unique <<= low_bits
    unique |= lower & kind(low_mask)
    unique *= back
    unique &= whole
    if not len(lost):
        return unique, counts, whose
    del table, tally, lower
    left = [field._replace(array=field.array[lost]) for field in fields]
    rest_times = None if times is None else times[lost]
    if 4 * len(lost) > 3 * count:  # keys made to meet in one slot; no table would help
        keys = _keys(left, 0, len(lost), np.empty(len(lost), np.uint64))
        rest, rest_counts, rest_whose = _by_sorting(keys, codes, rest_times)
    else:
        rest, rest_counts, rest_whose = _count(left, len(lost), codes, rest_times)
    if whose is not None and rest_whose is not None:
        whose[lost] = rest_whose + len(unique)
    return np.concatenate([unique, rest]), np.concatenate([counts, rest_counts]), whose
