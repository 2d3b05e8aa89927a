"""Packing: columns of numbers and names as few bytes, which the page unpacks again.

Numbers go byte by byte: first the lowest byte of all of them, then the next, so that what hardly changes stands
together and deflates to almost nothing. Short names may go letter by letter for the same reason.
"""

from __future__ import annotations

import zlib
from base64 import b64encode
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from clusterscore.distinct import Array

_LARGEST = 2**51  # what the page's numbers hold exactly, also twice over
_EXACT = 10_000  # fractions in double precision
_WIDEST = 64  # letters of a name that is written letter by letter


class Packed(NamedTuple):
    """A column in few bytes, and what the page must know to unpack it."""

    how: dict[str, Any]
    data: bytes

    @property
    def text(self) -> str:
        """The bytes as they stand in the page."""
        return b64encode(self.data).decode("ascii")


class Parts:
    """The packed columns of a page; one that is the same as another is kept once."""

    def __init__(self) -> None:
        self._places: dict[tuple[str, bytes], int] = {}
        self.packed: list[Packed] = []

    def add(self, packed: Packed | None) -> int | None:
        """The number of a column in the page; None stays None."""
        if packed is None:
            return None
        place = self._places.setdefault((repr(packed.how), packed.data), len(self.packed))
        if place == len(self.packed):
            self.packed.append(packed)
        return place

    @property
    def size(self) -> int:
        """The bytes of all columns."""
        return sum(len(each.data) for each in self.packed)


def numbers(values: Array) -> Packed:
    """Whole numbers, as they are or as steps from one to the next, whichever is smaller."""
    plain = values.astype(np.int64)
    steps = np.diff(plain, prepend=0)
    return min((_planes(plain, False), _planes(steps, True)), key=lambda packed: len(packed.data))


def _planes(values: Array, steps: bool) -> Packed:
    # 0, -1, 1, -2, ... become 0, 1, 2, 3, ...
    folded = ((values << 1) ^ (values >> 63)).astype("<u8")
    width = max(1, -(-int(folded.max(initial=0)).bit_length() // 8))
    planes = folded.view(np.uint8).reshape(-1, 8)[:, :width].T
    how = {"kind": "numbers", "count": len(values), "width": width, "steps": steps}
    return Packed(how, zlib.compress(planes.tobytes(), 6))


def fractions(values: Array) -> Packed:
    """Fractions; of very many, in single precision."""
    width = 8 if len(values) <= _EXACT else 4
    planes = values.astype(f"<f{width}").view(np.uint8).reshape(-1, width).T
    how = {"kind": "fractions", "count": len(values), "width": width}
    return Packed(how, zlib.compress(planes.tobytes(), 6))


def names(values: Sequence[Any] | Array) -> Packed:
    """What things are called: whole numbers as numbers, everything else as text."""
    integers = _as_numbers(values)
    if integers is not None:
        return numbers(integers)
    spelled = [spell(value) for value in values]
    ways = (_joined(spelled), _letters(spelled))
    return min((way for way in ways if way is not None), key=lambda packed: len(packed.data))


def spell(value: Any) -> str:
    """A label as text that can be encoded; one without a name is empty."""
    if value is None:
        return ""
    text = value if isinstance(value, str) else str(value)
    try:
        text.encode()
    except UnicodeEncodeError:  # half a character, which no page can show
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def _as_numbers(values: Sequence[Any] | Array) -> Array | None:
    if isinstance(values, range):
        values = np.arange(values.start, values.stop, values.step)
    if not isinstance(values, np.ndarray):
        if set(map(type, values)) != {int} or not -_LARGEST < min(values) <= max(values) < _LARGEST:
            return None
        return np.array(values, np.int64)
    if values.dtype.kind not in "iu" or not len(values):
        return None
    return values if values.min() > -_LARGEST and values.max() < _LARGEST else None


def _joined(spelled: list[str]) -> Packed:
    """One text after the other, and how long each is."""
    together = "".join(spelled)
    lengths = np.fromiter(map(len, spelled), np.int64, len(spelled))
    if together and max(together) > "\uffff":  # the page counts such a letter as two
        lengths = np.fromiter((len(text.encode("utf-16-le")) // 2 for text in spelled), np.int64, len(spelled))
    of_lengths = numbers(lengths)
    data = zlib.compress(together.encode(), 6)
    return Packed({"kind": "text", "lengths": of_lengths.how, "first": len(of_lengths.data)}, of_lengths.data + data)


def _letters(spelled: list[str]) -> Packed | None:
    """The first letters of all names, then all second letters; of short plain names only."""
    width = max(map(len, spelled), default=0)
    if not 0 < width <= _WIDEST:
        return None
    text = "".join(spelled)
    if not text.isascii() or "\0" in text:
        return None
    letters = np.array(spelled, f"S{width}").view(np.uint8).reshape(-1, width).T
    how = {"kind": "letters", "count": len(spelled), "width": width}
    return Packed(how, zlib.compress(letters.tobytes(), 6))
