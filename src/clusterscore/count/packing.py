"""Counting distinct rows on a device: columns packed into one key, sorted, and equal neighbours counted."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any

from clusterscore.distinct import Array

AT_ONCE = 2**30  # elements sorted together: CUDA sorts fewer than 2**31
_BITS = 63

Unpack = Callable[[Any], list[Any]]


def distinct_rows(columns: Sequence[Any], tops: Sequence[int] | None = None) -> tuple[list[Any], Any]:
    """The distinct rows of columns of whole numbers from 0 to ``tops``, column by column, and how often each occurs."""
    key, unpack = _pack(columns, largest_of(columns) if tops is None else tops)
    keys, count = _tally(key)
    del key
    return unpack(keys), count


def numbered_rows(columns: Sequence[Any], tops: Sequence[int] | None = None) -> tuple[list[Any], Any]:
    """The distinct rows, and for each given row its number among them."""
    key, unpack = _pack(columns, largest_of(columns) if tops is None else tops)
    keys, number = key.unique(return_inverse=True)
    return unpack(keys), number


def pairs(left: Any, right: Any) -> tuple[Any, Any, Any]:
    """The distinct pairs of two columns, and for each row the number of its pair."""
    (first, second), number = numbered_rows([left, right])
    return first, second, number


def largest_of(columns: Sequence[Any]) -> list[int]:
    """The largest number of each column; one journey for all."""
    if not len(columns[0]):
        return [0] * len(columns)
    largest: list[int] = sys.modules["torch"].stack([column.max().long() for column in columns]).tolist()
    return largest


def sums(numbers: Any, group: Any, size: int) -> Any:
    """The sums of whole numbers in groups."""
    return numbers.new_zeros(size).scatter_add_(0, group.long(), numbers)


def maxima(numbers: Any, group: Any, size: int) -> Any:
    """The largest number of each group, 0 where there is none."""
    return numbers.new_zeros(size).scatter_reduce_(0, group.long(), numbers, "amax")


def to_host(column: Any) -> Array:
    """A column that is small by now."""
    array: Array = column.long().cpu().numpy()
    return array


def _in_memory(column: Any) -> bool:
    on_cpu: bool = column.device.type == "cpu"
    return on_cpu


def _narrow(column: Any) -> Any:
    """Half the memory on a device, which has less of it; in main memory the conversion costs more than it saves."""
    return column if _in_memory(column) else column.int()


def _pack(columns: Sequence[Any], tops: Sequence[int]) -> tuple[Any, Unpack]:
    """Columns side by side in one key, and how to read them out of it; the key is as narrow as holds them."""
    widths = [max(top, 0).bit_length() for top in tops]
    bits = sum(widths)
    if bits > _BITS:
        return _pack_numbers(columns, tops)
    few = _in_memory(columns[0]) and 1 << bits <= len(columns[0])  # counted by address: nothing gained by narrow keys
    cast = "long" if few else "short" if bits < 16 else "int" if bits < 32 else "long"
    key, above = None, 0
    for column, width in zip(columns, widths, strict=True):
        part = getattr(column, cast)()
        key = part if not above else part.add(key, alpha=1 << width)
        above += width

    def unpack(keys: Any) -> list[Any]:
        rest = keys.int() if keys.element_size() < 4 else keys  # 16 bits are no index
        unpacked = []
        for width in reversed(widths):
            part = rest & ((1 << width) - 1)
            unpacked.append(_narrow(part) if width < 32 else part)
            rest = rest >> width
        return unpacked[::-1]

    return key, unpack


def _pack_numbers(columns: Sequence[Any], tops: Sequence[int]) -> tuple[Any, Unpack]:
    """Columns too wide for one key: one half of them, or each, is replaced by the numbers of its distinct rows."""
    middle = len(columns) // 2
    halves = [_pack(columns[part], tops[part]) for part in (slice(middle), slice(middle, None))]
    keys = [key for key, _ in halves]
    values: list[Any] = [None, None]
    ends = largest_of(keys)
    for k in sorted((0, 1), key=lambda k: -ends[k]):
        if sum(end.bit_length() for end in ends) > _BITS:
            values[k], keys[k] = keys[k].unique(return_inverse=True)
            ends[k] = len(values[k]) - 1
    key, split = _pack(keys, ends)

    def unpack(both: Any) -> list[Any]:
        unpacked = []
        for part, value, (_, read) in zip(split(both), values, halves, strict=True):
            unpacked += read(part if value is None else value.index_select(0, part))
        return unpacked

    return key, unpack


def _tally(key: Any) -> tuple[Any, Any]:
    """Distinct keys in ascending order, and how often each occurs."""
    if len(key) > AT_ONCE:
        parts = [_tally(part) for part in key.split(AT_ONCE)]
        keys, number = sys.modules["torch"].cat([keys for keys, _ in parts]).unique(return_inverse=True)
        return keys, sums(sys.modules["torch"].cat([count for _, count in parts]).long(), number, len(keys))
    if not _in_memory(key):
        keys, count = key.unique(return_counts=True)  # sorts the keys alone; sort() would move their places too
    elif len(key) and int(key.max()) <= len(key):
        count = key.bincount()
        keys = count.nonzero().squeeze(1)
        count = count[keys]
    else:
        keys, count = key.sort().values.unique_consecutive(return_counts=True)
    # torch leaves room for as many as there were elements
    return (keys.clone() if 2 * len(keys) < len(key) else keys), _narrow(count)
