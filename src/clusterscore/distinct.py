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

import threading
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
Ints = npt.NDArray[np.int64]
Keys = npt.NDArray[np.uint64]


class Lookup:
    """``values[index]`` that is made stretch by stretch, where it is used, and never as a whole."""

    def __init__(self, values: Array, index: Array | Decoded):
        self.values, self.index = values, index

    def __len__(self) -> int:
        return len(self.index)

    def __getitem__(self, where: slice | Array) -> Array:
        return self.values.take(self.index[where])


Column = tuple[Array | Lookup, int]  # codes and their size: they lie from 0 to size - 1

_ODD = 0x9E3779B97F4A7C15  # 2**64 / golden ratio: spreads neighbouring keys over the table
_FEW_BITS = 12  # keys that are counted by address outright
_SMALL = 1 << 10  # below this a sort is one call and beats the table
_STRETCH = 1 << 15  # elements worked on together: their keys fit the cache
_KEPT = 1 << 24  # bytes of a table that stays allocated


class Decoded:
    """One column of distinct rows that is read out of their keys where it is used."""

    def __init__(self, rows: Distinct, number: int):
        self.rows, self.number = rows, number

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, where: slice | Array) -> Array:
        return self.rows.column(self.number, where)


class _Field(NamedTuple):
    """Where columns stand in a key: as they are, or as the codes of their distinct rows."""

    array: Array | Lookup
    width: int
    columns: int
    encoded: Distinct | None


class Distinct:
    """Distinct rows in no particular order: how often each occurs, and each element's index among them."""

    def __init__(self, keys: Keys, counts: Ints, codes: Ints | None, fields: list[_Field], bits: int):
        self.keys, self.counts, self._codes, self._bits = keys, counts, codes, bits
        self._layout = [(field.width, field.columns, field.encoded) for field in fields]

    def __len__(self) -> int:
        return len(self.keys)

    @property
    def codes(self) -> Ints:
        """For each element the index of its row, where ``codes=True`` asked for it."""
        assert self._codes is not None
        return self._codes

    def column(self, number: int, where: slice | Array = slice(None)) -> Ints:
        """One column of the distinct rows, or of some of them."""
        shift = self._bits
        for width, columns, encoded in self._layout:
            shift -= width
            if number < columns:
                values = self.keys[where] >> np.uint64(shift) if shift else self.keys[where]
                if shift + width < self._bits:  # other columns stand above this one
                    values = values & np.uint64((1 << width) - 1)
                found = values.view(np.int64)
                return found if encoded is None else encoded.column(number)[found]
            number -= columns
        raise IndexError("no such column")


def distinct(*columns: Column, codes: bool = False, times: Array | None = None) -> Distinct:
    """Count the distinct rows of columns of codes; with ``codes`` also say which is whose.

    ``times`` says how often each given row counts (once by default).
    """
    fields = [_Field(array, bits_for(size), 1, None) for array, size in columns]
    bits = sum([field.width for field in fields])
    while bits > 64:
        fields = _narrowed(fields, columns)
        bits = sum([field.width for field in fields])
    scratch = _Scratch()
    keys, counts, whose = _count(fields, bits, len(fields[0].array), codes, times, scratch)
    scratch.give_back()
    return Distinct(keys, counts, whose, fields, bits)


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


class _Found:
    """Where rows are collected as they are found: room for as many as there are elements, touched only as needed."""

    def __init__(self, count: int):
        self.keys, self.counts = np.empty(count, np.uint64), np.empty(count, np.int64)
        self.filled = 0

    def room(self, count: int) -> slice:
        """The next free places."""
        self.filled += count
        return slice(self.filled - count, self.filled)

    def add(self, keys: Keys, counts: Array) -> None:
        here = self.room(len(keys))
        self.keys[here], self.counts[here] = keys, counts

    @property
    def rows(self) -> tuple[Keys, Ints]:
        """The rows and their counts, without holding much more memory than they need."""
        keys, counts = self.keys[: self.filled], self.counts[: self.filled]
        return (keys, counts) if 2 * self.filled > len(self.keys) else (keys.copy(), counts.copy())


def _count(
    fields: list[_Field], bits: int, count: int, codes: bool, times: Array | None, scratch: _Scratch
) -> tuple[Keys, Ints, Ints | None]:
    if bits <= _FEW_BITS and not codes and times is None and count <= _STRETCH:
        tally = np.bincount(_keys(fields, 0, count, np.empty(count, np.uint64)).view(np.int64))
        used = (tally > 0).nonzero()[0]
        return used.view(np.uint64), tally.take(used), None
    if count <= _SMALL:
        return _by_sorting(_keys(fields, 0, count, np.empty(count, np.uint64)), codes, times)
    if bits <= count.bit_length() + 1:
        return _by_address(fields, count, bits, codes, times, scratch)
    found = _Found(count)
    where: Ints | None = None  # the elements still open; None is all of them
    whose = None
    while True:
        keys, lost, here = _by_hashing(fields, count, bits, codes, times, found, scratch)
        if where is None or whose is None:
            whose = here
        elif here is not None:
            whose[where] = here
        if not len(lost):
            break
        where = lost if where is None else where[lost]
        fields = [_Field(keys, bits, 1, None)]
        times = None if times is None else times[lost]
        few, stuck = len(lost) <= _SMALL, 4 * len(lost) > 3 * count  # keys made to meet in one slot: no table helps
        count = len(lost)
        if few or stuck:
            base = found.filled
            keys, counts, here = _by_sorting(keys, codes, times)
            found.add(keys, counts)
            if whose is not None and here is not None:
                whose[where] = here + base
            break
    return *found.rows, whose


_thread = threading.local()


class _Scratch:
    """Tables for the time of one call; small ones stay allocated, since fresh memory costs more than clearing it.

    What a thread keeps is taken out for a call and put back after it. A score that starts inside another one (in a
    signal handler, in ``__del__``) finds nothing there, and makes its own.
    """

    def __init__(self) -> None:
        self._kept: dict[str, Array] = _thread.__dict__.pop("kept", {})

    def give_back(self) -> None:
        _thread.kept = self._kept

    def table(self, name: str, size: int, kind: Any, *, zero: bool = False) -> Array:
        room = size * np.dtype(kind).itemsize
        if room > _KEPT:
            return np.zeros(size, kind)
        kept = self._kept.get(name)
        if kept is None or len(kept) < room:
            kept = self._kept[name] = np.empty(room, np.uint8)
        table: Array = kept[:room].view(kind)
        if zero:
            table.fill(0)
        return table


def _keys(fields: list[_Field], start: int, stop: int, out: Keys) -> Keys:
    """The keys of some elements: their columns side by side.

    Codes of other types are cast on the way: a copy in fresh memory would cost more than all the rest.
    """
    out = out[: stop - start]
    above = _words(fields[0].array[start:stop])
    if len(fields) == 1:
        out[...] = above
    for field in fields[1:]:
        np.left_shift(above, np.uint64(field.width), out=out, dtype=np.uint64, casting="unsafe")
        np.bitwise_or(out, _words(field.array[start:stop]), out=out, dtype=np.uint64, casting="unsafe")
        above = out
    return out


def _words(part: Array) -> Array:
    return part.view(np.uint64) if part.dtype == np.int64 else part


def stretches(count: int) -> Iterator[tuple[int, int]]:
    """Ranges of a length that stays in the processor's cache."""
    for start in range(0, count, _STRETCH):
        yield start, min(count, start + _STRETCH)


def _by_sorting(keys: Keys, codes: bool, times: Array | None) -> tuple[Keys, Ints, Ints | None]:
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


def _by_address(
    fields: list[_Field], count: int, bits: int, codes: bool, times: Array | None, scratch: _Scratch
) -> tuple[Keys, Ints, Ints | None]:
    buffer = np.empty(_STRETCH, np.uint64)
    kind = np.int32 if count < 2**31 and times is None else np.int64
    tally, one = scratch.table("tally", 1 << bits, kind, zero=True), kind(1)
    for start, stop in stretches(count):
        keys = _keys(fields, start, stop, buffer).view(np.int64)
        np.add.at(tally, keys, one if times is None else times[start:stop])  # of another type it would be slow
    used = (tally > 0).nonzero()[0]
    counts = tally.take(used).astype(np.int64, copy=False)
    whose = None
    if codes:
        tally[used] = np.arange(len(used))
        whose = np.empty(count, np.int64)
        for start, stop in stretches(count):
            whose[start:stop] = tally.take(_keys(fields, start, stop, buffer).view(np.int64), mode="clip")
    return used.view(np.uint64), counts, whose


def _by_hashing(
    fields: list[_Field],
    count: int,
    bits: int,
    codes: bool,
    times: Array | None,
    found: _Found,
    scratch: _Scratch,
) -> tuple[Keys, Ints, Ints | None]:
    """One round: rows go to ``found``; the keys and places of those that lost their slot come back, and all codes."""
    table_bits = min(count.bit_length(), bits)
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

    # where they can stay in kept memory, the slots are not made twice
    kept = 4 * count <= _KEPT
    all_slots = scratch.table("slots", count, np.int32) if kept else None
    all_low = scratch.table("low", count, kind) if kept else None
    table = scratch.table("table", 1 << table_bits, kind, zero=True)
    for start, stop in stretches(count):
        slot, low = slots(start, stop)
        table[slot] = low
        if all_slots is not None and all_low is not None:
            all_slots[start:stop], all_low[start:stop] = slot, low

    def slots_again(start: int, stop: int) -> tuple[Ints, Array]:
        if all_slots is None or all_low is None:
            return slots(start, stop)
        slot = buffer[: stop - start].view(np.int64)
        slot[...] = all_slots[start:stop]
        return slot, all_low[start:stop]

    wide = np.int32 if count < 2**31 and times is None else np.int64
    tally = scratch.table("tally", 1 << table_bits, wide, zero=True)
    lost, lost_keys = [], []
    for start, stop in stretches(count):
        slot, low = slots_again(start, stop)
        mine = table.take(slot, mode="clip") == low
        np.add.at(tally, slot, mine.astype(tally.dtype) if times is None else mine * times[start:stop])
        others = (~mine).nonzero()[0]
        keys = slot.take(others).view(np.uint64)
        keys <<= low_bits
        keys |= low.take(others) & kind(low_mask)
        keys *= back
        keys &= whole
        lost_keys.append(keys)
        others += start
        lost.append(others)

    for start, stop in stretches(1 << table_bits):
        part = tally[start:stop]
        used = (part > 0).nonzero()[0]  # on a mask: nonzero of integers is six times slower
        here = found.room(len(used))
        found.counts[here] = part.take(used)
        if codes:
            part[used] = np.arange(here.start, here.stop)
        lower = table[start:stop].take(used)
        lower &= kind(low_mask)
        used += start
        keys = found.keys[here]
        np.left_shift(used.view(np.uint64), low_bits, out=keys)
        keys |= lower
        keys *= back
        keys &= whole
    whose = None
    if codes:
        whose = np.empty(count, np.int64)
        for start, stop in stretches(count):
            whose[start:stop] = tally.take(slots_again(start, stop)[0], mode="clip")
    return np.concatenate(lost_keys), np.concatenate(lost), whose
