"""The distinct rows of integer columns, with their counts and codes, in linear time.

Counting pairs of labels and encoding labels are the same question: which keys are there, how often, and which one is
each element's? A sort answers it too, but NumPy's sort costs 3 to 60 ns an element depending on the processor; a few
random accesses into a table cost 10 to 30 ns on any of them. So keys are only sorted where that is fast.

How: the columns stand side by side in one key of ``bits`` bits (no product of codes is formed, so nothing overflows;
where they need more than a word, some are encoded first). The key is multiplied by an odd number modulo ``2**bits``,
which is a bijection. Its upper bits address a table, the lower ones are written there; of several keys that meet in one
slot the last writer stays. Whoever reads back its own lower bits has found its key exactly (no hash can lie here: slot
and lower bits together *are* the key). The few that lost their slot go through the same procedure again. The work is
done in stretches that stay in the processor's cache; keys are cheaper to make again than to fetch.
"""

from __future__ import annotations

import threading
import timeit
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from clusterscore.requirements import check_version

check_version("numpy", np.__version__)

Array = npt.NDArray[Any]
Ints = npt.NDArray[np.int64]
Keys = npt.NDArray[np.uint64]

_ODD = 0x9E3779B97F4A7C15  # 2**64 / golden ratio: spreads neighbouring keys over the table
_FEW_BITS = 12  # keys that are counted by address outright
_SMALL = 1 << 10  # below this a sort is one call and beats the table
_FAST = 6e-9  # seconds: where NumPy sorts a key faster, sorting beats the table at any size
STRETCH = 1 << 15  # elements worked on together: their keys fit the cache
_KEPT = 1 << 24  # bytes of a table that stays allocated
_NO_CODES = np.zeros(0, np.int64)
_INT64 = np.dtype(np.int64)

_thread = threading.local()


class Lookup:
    """``values[index]`` that is made stretch by stretch, where it is used, and never all at once."""

    def __init__(self, values: Array, index: Array | Decoded):
        self.values, self.index = values, index

    def __len__(self) -> int:
        return len(self.index)

    def __getitem__(self, where: slice | Array) -> Array:
        return self.values.take(self.index[where])


@dataclass(slots=True)
class Decoded:
    """One column of distinct rows, read out of their keys where it is used."""

    keys: Keys
    shift: int
    mask: int | None  # None for the first column, which has none above it

    def __len__(self) -> int:
        return len(self.keys)

    def __getitem__(self, where: slice | Array) -> Ints:
        values = self.keys[where]
        if self.shift:
            values = values >> np.uint64(self.shift)
        if self.mask is not None:
            values = values & np.uint64(self.mask)
        return values.view(np.int64)


CodedColumn = tuple[Array | Lookup, int]  # codes and their size: they lie from 0 to size - 1
Counted = tuple[Keys, Ints, Ints]  # keys, how often each occurs, and the index of each element's key


@dataclass(slots=True)
class Distinct:
    """Distinct rows in no particular order: how often each occurs, and each element's index among them."""

    keys: Keys
    counts: Ints
    codes: Ints  # none unless ``codes=True`` asked for them
    columns: list[Array | Decoded]

    def __len__(self) -> int:
        return len(self.keys)

    def column(self, number: int) -> Ints:
        """One column of the distinct rows."""
        return self.columns[number][:].astype(np.int64, copy=False)


def distinct(*columns: CodedColumn, codes: bool = False, times: Array | None = None) -> Distinct:
    """Count the distinct rows of columns of codes; with ``codes`` also number the row of each element.

    ``times`` is the multiplicity of each given row (1 by default).
    """
    arrays, widths = [array for array, _ in columns], [(size - 1).bit_length() for _, size in columns]
    count, bits = len(arrays[0]), sum(widths)
    if bits > 64:
        rows = distinct(*_narrowed(list(columns)), codes=True, times=times)
        some = representatives(rows.codes, len(rows))
        rows.columns = [array[some] for array in arrays]
        return rows
    # a score that starts inside another one (in a signal handler, in __del__) finds no tables, and makes its own
    tables = _thread.__dict__.pop("tables", {})
    if bits <= _FEW_BITS and not codes and times is None and count <= STRETCH:
        tally = np.bincount(_keys(arrays, widths, 0, count, np.empty(count, np.uint64)).view(np.int64))
        used = (tally > 0).nonzero()[0]
        keys, counts, row_of = used.view(np.uint64), tally.take(used), _NO_CODES
    elif count > _SMALL and bits <= count.bit_length() + 1:
        keys, counts, row_of = _by_address(arrays, widths, codes, times, tables)
    elif count <= _SMALL or (not codes and times is None and _sorts_fast()):
        keys = _table(tables, "keys", count, np.uint64)
        for start, stop in stretches(count):
            _keys(arrays, widths, start, stop, keys[start:stop])
        keys, counts, row_of = _by_sorting(keys, codes, times)
    else:
        keys, counts, row_of = _by_hashing(arrays, widths, codes, times, tables)
    _thread.tables = tables
    decoded: list[Array | Decoded] = []
    for width in widths:
        bits -= width
        decoded.append(Decoded(keys, bits, (1 << width) - 1 if decoded else None))
    return Distinct(keys, counts, row_of, decoded)


def representatives(codes: Array, size: int) -> Ints:
    """For each code an element that has it."""
    positions = np.zeros(size, np.int64)
    positions[codes] = np.arange(len(codes))
    return positions


def distinct_rows(columns: Sequence[Array]) -> tuple[Ints, Ints]:
    """The distinct rows of columns of numbers: for each a place where it stands, and for each place its row."""
    mixed = np.zeros(len(columns[0]), np.uint64)
    for column in columns:
        mixed ^= column.astype(np.float64).view(np.uint64)
        mixed *= np.uint64(_ODD)
        mixed ^= mixed >> np.uint64(32)
    rows = distinct((mixed, 2**64), codes=True)
    first, row = representatives(rows.codes, len(rows)), rows.codes
    if all(np.array_equal(column[first][row], column) for column in columns):
        return first, row
    together = np.column_stack([column.astype(np.float64) for column in columns])  # two rows were mixed into one number
    _, first, row = np.unique(together, axis=0, return_index=True, return_inverse=True)
    return first, row.ravel()


def offsets(sizes: Array) -> Ints:
    """Where each of some stretches begins that lie one after the other, and where the last ends."""
    return np.concatenate([[0], np.cumsum(sizes)])


def ranges(starts: Array | int, sizes: Array) -> Ints:
    """Ranges one after the other: ``sizes[k]`` numbers from ``starts[k]`` up."""
    return np.asarray(np.arange(int(sizes.sum())) + np.repeat(starts - (np.cumsum(sizes) - sizes), sizes))


def stretches(count: int) -> Iterator[tuple[int, int]]:
    """Ranges of a length that stays in the processor's cache."""
    for start in range(0, count, STRETCH):
        yield start, min(count, start + STRETCH)


def _narrowed(columns: list[CodedColumn]) -> list[CodedColumn]:
    """Columns that fit 64 bits for the same rows: the widest one, or the first two together, replaced by codes."""
    while sum((size - 1).bit_length() for _, size in columns) > 64:
        widest = max(range(len(columns)), key=lambda k: columns[k][1])
        wide = columns[widest][1] > len(columns[0][0])
        here = slice(widest, widest + 1) if wide else slice(2)
        rows = distinct(*columns[here], codes=True)
        columns[here] = [(rows.codes, len(rows))]
    return columns


def _keys(arrays: list[Array | Lookup], widths: list[int], start: int, stop: int, out: Keys) -> Keys:
    """The keys of some elements: their columns side by side.

    Codes of other types are cast on the way: a copy in fresh memory would cost more than all the rest.
    """
    out = out[: stop - start]
    above: Any = None
    for array, width in zip(arrays, widths, strict=True):
        part = array[start:stop]
        if part.dtype == _INT64:
            part = part.view(np.uint64)
        if above is None:
            above = part
        else:
            np.left_shift(above, width, out, dtype=np.uint64, casting="unsafe")
            above = np.bitwise_or(out, part, out, dtype=np.uint64, casting="unsafe")
    if above is not out:
        out[...] = above
    return out


def _table(tables: dict[str, Array], name: str, size: int, kind: Any, *, zero: bool = False) -> Array:
    """Memory for one call; a small table stays allocated, since fresh memory costs more than clearing it."""
    room = size * np.dtype(kind).itemsize
    if room > _KEPT:
        return np.zeros(size, kind)
    if name not in tables or len(tables[name]) < room:
        tables[name] = np.empty(room, np.uint8)
    table: Array = tables[name][:room].view(kind)
    if zero:
        table.fill(0)
    return table


@cache
def _sorts_fast() -> bool:
    """Whether NumPy sorts keys faster than a table finds them: 3 ns a key, or 60, depending on the processor."""
    keys = np.arange(1 << 12, dtype=np.uint64) * np.uint64(_ODD)
    return min(timeit.repeat(lambda: np.sort(keys), number=1, repeat=3)) < _FAST * len(keys)


def _by_sorting(keys: Keys, codes: bool, times: Array | None) -> Counted:
    if codes or times is not None:
        unique, row_of, counts = np.unique(keys, return_inverse=True, return_counts=True)
        if times is not None:
            counts = np.zeros(len(unique), np.int64)
            np.add.at(counts, row_of, times)
        return unique, counts, row_of
    keys.sort()
    first = np.empty(len(keys), np.bool_)
    first[:1] = True
    np.not_equal(keys[1:], keys[:-1], out=first[1:])
    starts = first.nonzero()[0]
    counts = np.empty(len(starts), np.int64)
    np.subtract(starts[1:], starts[:-1], out=counts[:-1])
    counts[-1:] = len(keys) - starts[-1:]
    return keys[starts], counts, _NO_CODES


def _by_address(
    arrays: list[Array | Lookup], widths: list[int], codes: bool, times: Array | None, tables: dict[str, Array]
) -> Counted:
    count = len(arrays[0])
    buffer = np.empty(STRETCH, np.uint64)
    kind = np.int32 if count < 2**31 and times is None else np.int64
    tally, one = _table(tables, "tally", 1 << sum(widths), kind, zero=True), kind(1)
    for start, stop in stretches(count):
        keys = _keys(arrays, widths, start, stop, buffer).view(np.int64)
        np.add.at(tally, keys, one if times is None else times[start:stop])  # of another type it would be slow
    used = (tally > 0).nonzero()[0]
    counts = tally.take(used).astype(np.int64, copy=False)
    if not codes:
        return used.view(np.uint64), counts, _NO_CODES
    tally[used] = np.arange(len(used))
    row_of = np.empty(count, np.int64)
    for start, stop in stretches(count):
        row_of[start:stop] = tally.take(_keys(arrays, widths, start, stop, buffer).view(np.int64), mode="clip")
    return used.view(np.uint64), counts, row_of


def _by_hashing(
    arrays: list[Array | Lookup], widths: list[int], codes: bool, times: Array | None, tables: dict[str, Array]
) -> Counted:
    count, bits = len(arrays[0]), sum(widths)
    table_bits = min(count.bit_length(), bits)
    low_bits, low_mask = np.uint64(bits - table_bits), np.uint64((1 << (bits - table_bits)) - 1)
    all_bits, odd, back = np.uint64((1 << bits) - 1), np.uint64(_ODD), np.uint64(pow(_ODD, -1, 1 << bits))
    # the cast cuts a key to its lower bits; a few slot bits may stay above them and do no harm
    kind = np.uint16 if low_mask < 2**16 else np.uint32 if low_mask < 2**32 else np.uint64
    buffer, low_buffer = np.empty(STRETCH, np.uint64), np.empty(STRETCH, kind)

    def slots(start: int, stop: int) -> tuple[Ints, Array]:
        keys = _keys(arrays, widths, start, stop, buffer)
        np.multiply(keys, odd, out=keys)
        np.bitwise_and(keys, all_bits, out=keys)
        low = low_buffer[: stop - start]
        low[...] = keys
        np.right_shift(keys, low_bits, out=keys)
        return keys.view(np.int64), low

    # where they can stay in kept memory, the slots are not made twice
    kept = 4 * count <= _KEPT
    all_slots = _table(tables, "slots", count, np.int32) if kept else None
    all_low = _table(tables, "low", count, kind) if kept else None
    table = _table(tables, "table", 1 << table_bits, kind, zero=True)
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
    tally = _table(tables, "tally", 1 << table_bits, wide, zero=True)
    open_keys, open_places = [], []
    for start, stop in stretches(count):
        slot, low = slots_again(start, stop)
        mine = table.take(slot, mode="clip") == low
        np.add.at(tally, slot, mine.astype(tally.dtype) if times is None else mine * times[start:stop])
        others = (~mine).nonzero()[0]
        lost = slot.take(others).view(np.uint64)
        lost <<= low_bits
        lost |= low.take(others) & kind(low_mask)
        lost *= back
        lost &= all_bits
        open_keys.append(lost)
        others += start
        open_places.append(others)

    # room for as many rows as there are elements, touched only as far as there are rows
    keys, counts, rows = np.empty(count, np.uint64), np.empty(count, np.int64), 0
    for start, stop in stretches(1 << table_bits):
        part = tally[start:stop]
        used = (part > 0).nonzero()[0]  # on a mask: nonzero of integers is six times slower
        here = slice(rows, rows := rows + len(used))
        counts[here] = part.take(used)
        if codes:
            part[used] = np.arange(here.start, here.stop)
        lower = table[start:stop].take(used)
        lower &= kind(low_mask)
        used += start
        part_keys = keys[here]
        np.left_shift(used.view(np.uint64), low_bits, out=part_keys)
        part_keys |= lower
        part_keys *= back
        part_keys &= all_bits
    row_of = np.empty(count if codes else 0, np.int64)
    for start, stop in stretches(len(row_of)):
        row_of[start:stop] = tally.take(slots_again(start, stop)[0], mode="clip")

    del table, tally
    rest, places = np.concatenate(open_keys), np.concatenate(open_places)
    if len(rest):
        times = None if times is None else times[places]
        if len(rest) <= _SMALL or 4 * len(rest) > 3 * count:  # few, or made to meet in one slot: no table helps
            rest, rest_counts, rest_codes = _by_sorting(rest, codes, times)
        else:
            rest, rest_counts, rest_codes = _by_hashing([rest], [bits], codes, times, tables)
        here = slice(rows, rows := rows + len(rest))
        keys[here], counts[here] = rest, rest_counts
        if codes:
            row_of[places] = rest_codes + here.start
    keys, counts = keys[:rows], counts[:rows]
    if 2 * rows <= count:  # hold no more memory than the rows need
        keys, counts = keys.copy(), counts.copy()
    return keys, counts, row_of
