"""The lines of a text of columns, found by looking at its bytes as one array: a million lines in some milliseconds."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import blake2b

import numpy as np
import numpy.typing as npt

from clusterscore.distinct import Ints, Keys

Bytes = npt.NDArray[np.uint8]
Flags = npt.NDArray[np.bool_]

BLANK = 32  # and all below it
_BLANKS = bytes(range(BLANK + 1))
_SPACED = bytes(BLANK if byte <= BLANK else byte for byte in range(256))
_STEPS = 64  # bytes to look at one by one in all lines: what is longer is rare
_STRETCH = 1 << 20  # bytes
_TOGETHER = 1 << 13  # lines: their bytes stay in the processor's cache
_ODD = np.uint64(0x9E3779B97F4A7C15)
_MASKS = np.array([(1 << 8 * k) - 1 for k in range(9)], np.uint64)


class Lines:
    """Where each line starts and ends; blanks at its end are no part of it."""

    def __init__(self, data: bytes):
        self.data = data if data.endswith(b"\n") else data + b"\n"
        self.bytes: Bytes = np.frombuffer(self.data, np.uint8)
        stops = self._stops()
        self.starts = np.empty_like(stops)
        self.starts[:1] = 0
        np.add(stops[:-1], 1, out=self.starts[1:])
        self.ends = self._without_blanks(self.starts, stops)

    def __len__(self) -> int:
        return len(self.starts)

    def text(self, line: int) -> bytes:
        """A line."""
        return self.data[self.starts[line] : self.ends[line]]

    @property
    def filled(self) -> Flags:
        """Those with something in them."""
        return self.ends > self.starts

    def _stops(self) -> Ints:
        found = []
        for start in range(0, len(self.bytes), _STRETCH):
            here = (self.bytes[start : start + _STRETCH] == ord("\n")).nonzero()[0]
            here += start
            found.append(here)
        return np.concatenate(found)

    def _without_blanks(self, starts: Ints, ends: Ints) -> Ints:
        """Where pieces of the text end, if not with blanks."""
        left = ((ends > starts) & (self.bytes[ends - 1] <= BLANK)).nonzero()[0]
        for _ in range(_STEPS):
            if not len(left):
                break
            ends[left] -= 1
            left = left[ends[left] > starts[left]]
            left = left[self.bytes[ends[left] - 1] <= BLANK]
        for k in left.tolist():
            ends[k] = starts[k] + len(self.data[starts[k] : ends[k]].rstrip(_BLANKS))
        return ends

    def last_columns(self, lines: Ints) -> Ints:
        """Where the last columns of some lines start."""
        low, at = self.starts[lines], self.ends[lines]
        left = np.arange(len(lines))
        for _ in range(_STEPS):
            left = left[at[left] > low[left]]
            left = left[self.bytes[at[left] - 1] > BLANK]
            if not len(left):
                return at
            at[left] -= 1
        for k in left.tolist():
            at[k] = low[k] + self.data[low[k] : at[k]].translate(_SPACED).rfind(b" ") + 1
        return at

    def joined(self, starts: Ints, ends: Ints) -> bytes:
        """Pieces of the text, a newline after each."""
        lengths = ends - starts + 1
        after = np.cumsum(lengths)
        index = np.arange(after[-1] if len(after) else 0)
        index += np.repeat(starts - after + lengths, lengths)
        pieces = self.bytes[index]
        pieces[after - 1] = ord("\n")
        return pieces.tobytes()

    def column(self, number: int, columns: int) -> Iterator[tuple[Ints, Ints]]:
        """Where one column starts and ends, some lines at a time; nowhere in lines of fewer than ``columns``.

        There must be more than ``number + 1`` of them: a column ends where the next one starts, less the blanks.
        """
        for first in range(0, len(self), _TOGETHER):
            starts = self.starts[first : first + _TOGETHER]
            low, high = int(starts[0]), int(self.ends[min(first + _TOGETHER, len(self)) - 1])
            blank = np.ones(high - low + 1, np.bool_)
            np.less_equal(self.bytes[low:high], BLANK, out=blank[1:])
            left = (blank[1:] < blank[:-1]).nonzero()[0]
            left += low
            place = np.searchsorted(left, starts)
            some = (np.diff(place, append=len(left)) >= columns).nonzero()[0]
            begin = np.full(len(starts), low)
            end = begin.copy()
            place = place[some] + number
            begin[some], end[some] = left[place], self._without_blanks(left[place], left[place + 1])
            yield begin, end

    def digests(self, number: int, columns: int, unknown: bytes) -> Keys:
        """For each line a number that stands for the text of one column; 0 where that is lacking or ``unknown``."""
        parts = [digests(self.bytes, starts, ends) for starts, ends in self.column(number, columns)]
        found = np.concatenate(parts)
        found[found == digest(unknown)] = 0
        return found


def digests(buffer: Bytes, starts: Ints, ends: Ints) -> Keys:
    """A number for each piece of text; equal pieces have equal ones, and different ones nearly never. 0: no text."""
    if not len(starts):
        return np.zeros(0, np.uint64)
    low, high = int(starts.min()), int(ends.max())
    spare = np.zeros(high - low + 8, np.uint8)
    spare[:-8] = buffer[low:high]
    words = np.ndarray(high - low + 1, "<u8", spare, strides=(1,))
    lengths, at = ends - starts, starts - low
    mixed = _mixed(words[at] & _MASKS[np.minimum(lengths, 8)])
    left = (lengths > 8).nonzero()[0]
    for _ in range(_STEPS):
        if not len(left):
            break
        at[left] += 8
        lengths[left] -= 8
        mixed[left] = _mixed(mixed[left] ^ (words[at[left]] & _MASKS[np.minimum(lengths[left], 8)]))
        left = left[lengths[left] > 8]
    for k in left.tolist():
        mixed[k] ^= np.uint64(
            int.from_bytes(blake2b(spare[at[k] : at[k] + lengths[k]].tobytes(), digest_size=8).digest())
        )
    return mixed


def _mixed(words: Keys) -> Keys:
    words *= _ODD
    words ^= words >> np.uint64(29)
    return words


def digest(text: bytes) -> Keys:
    """The number of one text, in an array of its own."""
    buffer = np.frombuffer(text or b"\0", np.uint8)
    return digests(buffer, np.zeros(1, np.int64), np.array([len(text)]))
