"""The distinct values of an integer array, with their counts and codes, in linear time.

Counting pairs of labels and encoding labels are the same question: which keys are there, how often, and
which one is each element's? A sort answers it too, but NumPy's sort costs 10 to 60 ns an element depending
on the processor; three random accesses into a table that fits the cache cost about 10 ns on any of them.

How: a key of ``bits`` bits is multiplied by an odd number modulo ``2**bits``, which is a bijection. The upper
bits address a table, the lower ones are written there; of several keys that meet in one slot the last writer
stays. Whoever reads back its own lower bits has found its key exactly (no hash can lie here, the slot and the
lower bits together *are* the key). The few that lost their slot go through the same procedure again.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Keys = npt.NDArray[np.uint64]
Array = npt.NDArray[Any]

_ODD = 0x9E3779B97F4A7C15  # 2**64 / golden ratio: spreads neighbouring keys over the table
_SMALL = 1 << 10  # below this a sort is one call and beats everything
_LARGE = 1 << 23  # beyond this the table leaves every cache, and an in-place sort needs less memory


class Distinct(NamedTuple):
    """Distinct keys in no particular order, how often each occurs, and each element's index among them."""

    keys: Keys
    counts: Ints
    codes: Ints | None


def distinct(keys: Keys, bits: int, *, codes: bool = False) -> Distinct:
    """Count the distinct ``keys``, all below ``2**bits``; with ``codes`` also say which is whose.

    ``keys`` may be overwritten.
    """
    if len(keys) <= _SMALL or (len(keys) > _LARGE and not codes):
        return _by_sorting(keys, codes)
    table_bits = len(keys).bit_length()
    if bits <= table_bits:
        return _by_address(keys, bits, codes)
    return _by_hashing(keys, bits, table_bits, codes)


def _by_sorting(keys: Keys, codes: bool) -> Distinct:
    if codes:
        unique, inverse, counts = np.unique(keys, return_inverse=True, return_counts=True)
        return Distinct(unique, counts.astype(np.int64, copy=False), inverse)
    if not len(keys):
        return Distinct(keys, np.zeros(0, np.int64), None)
    keys.sort()
    first = np.empty(len(keys), np.bool_)
    first[0] = True
    np.not_equal(keys[1:], keys[:-1], out=first[1:])
    starts = first.nonzero()[0]
    unique = keys[starts]
    counts = np.empty(len(starts), np.int64)
    np.subtract(starts[1:], starts[:-1], out=counts[:-1])
    counts[-1] = len(keys) - starts[-1]
    return Distinct(unique, counts, None)


def _by_address(keys: Keys, bits: int, codes: bool) -> Distinct:
    index = keys.view(np.int64)
    counts = np.bincount(index, minlength=1 << bits)
    used = (counts > 0).nonzero()[0]  # on a mask: nonzero of integers is six times slower
    return Distinct(used.view(np.uint64), counts[used], _rank(used, 1 << bits)[index] if codes else None)


def _by_hashing(keys: Keys, bits: int, table_bits: int, codes: bool) -> Distinct:
    low_bits = np.uint64(bits - table_bits)
    low_mask = np.uint64((1 << (bits - table_bits)) - 1)
    whole = np.uint64((1 << bits) - 1)
    back = np.uint64(pow(_ODD, -1, 1 << bits))

    np.multiply(keys, np.uint64(_ODD), out=keys)
    keys &= whole
    slot = (keys >> low_bits).view(np.int64)
    # the cast cuts the key to its lower bits; a few slot bits may stay above them and do no harm
    low = keys.astype(np.uint16 if low_mask < 2**16 else np.uint32 if low_mask < 2**32 else np.uint64, copy=False)
    table = np.zeros(1 << table_bits, low.dtype)
    table[slot] = low
    lost = (table.take(slot) != low).nonzero()[0]
    counts = np.bincount(slot, minlength=1 << table_bits)
    np.subtract.at(counts, slot[lost], 1)

    used = (counts > 0).nonzero()[0]
    unique = table[used].astype(np.uint64)
    unique &= low_mask
    unique |= used.view(np.uint64) << low_bits
    unique *= back
    unique &= whole
    result = Distinct(unique, counts[used], _rank(used, 1 << table_bits)[slot] if codes else None)
    if not len(lost):
        return result
    rest_keys = keys[lost] * back
    rest_keys &= whole
    del slot, counts, used, low, table
    rest = distinct(rest_keys, bits, codes=codes)
    if result.codes is not None and rest.codes is not None:
        result.codes[lost] = rest.codes + len(unique)
    return Distinct(np.concatenate([unique, rest.keys]), np.concatenate([result.counts, rest.counts]), result.codes)


def _rank(used: Ints, size: int) -> Ints:
    rank = np.zeros(size, np.int64)
    rank[used] = np.arange(len(used))
    return rank


def bits_for(size: int) -> int:
    """How many bits hold the codes ``0 .. size - 1``."""
    return max(size - 1, 0).bit_length()


def pack(columns: list[tuple[Array, int]]) -> tuple[Keys, int]:
    """Columns of codes, each with its size (codes lie below it), side by side in one key.

    Where the bits would not fit one machine word, the leading columns are replaced by the codes of their
    distinct combinations, which always fit: no product of codes is ever formed, so nothing can overflow.
    """
    codes, size = columns[0]
    bits = bits_for(size)
    keys = codes.astype(np.uint64)
    for codes, size in columns[1:]:
        width = bits_for(size)
        if bits + width > 63:
            found = distinct(keys, bits, codes=True)
            assert found.codes is not None
            keys, bits = found.codes.view(np.uint64), bits_for(len(found.keys))
            if bits + width > 63:
                narrow = distinct(codes.astype(np.uint64), width, codes=True)
                assert narrow.codes is not None
                codes, width = narrow.codes, bits_for(len(narrow.keys))
        keys <<= np.uint64(width)
        keys |= codes.view(np.uint64) if codes.dtype == np.int64 else codes.astype(np.uint64)
        bits += width
    return keys, bits
