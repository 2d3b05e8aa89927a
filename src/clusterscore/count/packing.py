"""Counting distinct rows on a device: columns packed into one key, sorted, and equal neighbours counted."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any

AT_ONCE = 2**30  # elements sorted together: CUDA sorts fewer than 2**31
_BITS = 63
_WORTH, _COPIES = 4, 16  # from how many additions to each group, and in how many places at most

_MANY = 2**22  # rows: so many are kept in 32 bits, since a device has less memory; for fewer it is not worth the time

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
    """The sums of whole numbers in groups, for each row of numbers if there are several.

    Large groups have several places, whose sums are added up last: additions to one place wait for each other.
    """
    place, copies = group.long(), len(group) // max(size, 1)
    if copies < _WORTH:
        return numbers.new_zeros(*numbers.shape[:-1], size).scatter_add_(-1, place.expand_as(numbers), numbers)
    copies = min(copies, _COPIES)
    turn = sys.modules["torch"].arange(len(place), device=place.device).remainder_(copies)
    place = turn.add_(place, alpha=copies).expand_as(numbers)
    totals = numbers.new_zeros(*numbers.shape[:-1], size * copies).scatter_add_(-1, place, numbers)
    return totals.unflatten(-1, (size, copies)).sum(-1, dtype=numbers.dtype)


def add_up(terms: Any, document: Any, documents: int, times: Any) -> Any:
    """As :func:`clusterscore.count.sums.add_up`: a part that is exact in any order, and a rest too small to decide."""
    torch = sys.modules["torch"]
    size = (terms.abs() if times is None else terms.abs() * times).sum()
    shift = torch.ldexp(terms.new_tensor(24.0), size.frexp().exponent)
    coarse = (terms + shift) - shift
    parts = torch.stack([coarse, terms - coarse]) * (1 if times is None else times)
    if document is None:
        totals = parts.sum(1, keepdim=True)
    else:
        totals = parts.new_zeros(2, documents).index_add_(1, document.long(), parts)
    return totals.sum(0).cpu().numpy()


def maxima(numbers: Any, group: Any, size: int) -> Any:
    """The largest number of each group, 0 where there is none."""
    return numbers.new_zeros(size).scatter_reduce_(0, group.long(), numbers, "amax")


def places(mask: Any) -> Any:
    """Where a mask is true, or a number is not 0."""
    return mask.nonzero().squeeze(1)


def to_host(column: Any) -> Any:
    """A column that is small by now, in memory; None stays None."""
    return None if column is None else column.long().cpu().numpy()


def _narrow(column: Any) -> Any:
    return column.int() if len(column) > _MANY else column.long()


def _pack(columns: Sequence[Any], tops: Sequence[int]) -> tuple[Any, Unpack]:
    """Columns side by side in one key, and how to read them out of it; the key is as narrow as holds them."""
    widths = [max(top, 0).bit_length() for top in tops]
    bits = sum(widths)
    if bits > _BITS:
        return _pack_numbers(columns, tops)
    cast = "short" if bits < 16 else "int" if bits < 32 else "long"
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
    keys, count = key.unique(return_counts=True)  # sorts the keys alone; sort() would move their places too
    # torch leaves room for as many as there were elements
    return (keys.clone() if 2 * len(keys) < len(key) else keys), _narrow(count)
