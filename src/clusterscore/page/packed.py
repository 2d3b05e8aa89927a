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

from clusterscore.distinct import Array, Ints

_LARGEST = 2**51  # what the page's numbers hold exactly, also twice over
_EXACT = 10_000  # fractions in double precision
_WIDEST = 64  # letters of a name that is written letter by letter
_SPARE = 0.95  # of what should fit: fewer names do not deflate as well as all of them


class Packed(NamedTuple):
    """A column in few bytes, and what the page must know to unpack it."""

    how: dict[str, Any]
    data: bytes

    @property
    def text(self) -> str:
        """The bytes as they stand in the page."""
        return b64encode(self.data).decode("ascii")


class Parts(list[Packed]):
    """The packed columns of a page; one that is the same as another is kept once."""

    def add(self, packed: Packed) -> int:
        """The number of a column in the page."""
        if packed not in self:
            self.append(packed)
        return self.index(packed)

    @property
    def size(self) -> int:
        """The bytes of all columns."""
        return sum(map(_size, self))


def values(column: Array) -> Packed:
    """A column of whole numbers or of fractions."""
    return fractions(column) if column.dtype.kind == "f" else numbers(column)


def numbers(column: Array) -> Packed:
    """Whole numbers, as they are or as steps from one to the next, whichever is smaller."""
    plain = column.astype(np.int64)
    ways = []
    for steps, each in ((False, plain), (True, np.diff(plain, prepend=0))):
        folded = ((each << 1) ^ (each >> 63)).astype("<u8")  # 0, -1, 1, -2, ... become 0, 1, 2, 3, ...
        width = max(1, -(-int(folded.max(initial=0)).bit_length() // 8))
        ways.append(_planes("numbers", folded.view(np.uint8).reshape(-1, 8)[:, :width], steps=steps))
    return min(ways, key=_size)


def fractions(column: Array) -> Packed:
    """Fractions; of very many, in single precision."""
    width = 8 if len(column) <= _EXACT else 4
    return _planes("fractions", column.astype(f"<f{width}").view(np.uint8).reshape(-1, width))


def _planes(kind: str, rows: Array, **how: Any) -> Packed:
    """Values that are equally many bytes wide: the first byte of all, then all second ones."""
    count, width = rows.shape
    return Packed({"kind": kind, "count": count, "width": width, **how}, zlib.compress(rows.T.tobytes(), 6))


def _size(packed: Packed) -> int:
    return len(packed.data)


def names(column: Sequence[Any] | Array) -> Packed:
    """What things are called: whole numbers as numbers, everything else as text."""
    integers = _as_numbers(column)
    if integers is not None:
        return numbers(integers)
    spelled = [spell(value) for value in column]
    together = "".join(spelled)
    joined = _joined(spelled, together)
    width = max(map(len, spelled), default=0)
    if not 0 < width <= _WIDEST or not together.isascii() or "\0" in together:
        return joined
    letters = _planes("letters", np.array(spelled, f"S{width}").view(np.uint8).reshape(-1, width))
    return min(joined, letters, key=_size)


def _as_numbers(column: Sequence[Any] | Array) -> Array | None:
    if isinstance(column, range):
        column = np.arange(column.start, column.stop, column.step)
    elif not isinstance(column, np.ndarray) and set(map(type, column)) == {int}:
        column = np.array(column)
    if not isinstance(column, np.ndarray) or column.dtype.kind not in "iu" or not len(column):
        return None
    return column if column.min() > -_LARGEST and column.max() < _LARGEST else None


def spell(value: Any) -> str:
    """A label as text that can be encoded; one without a name is empty."""
    text = "" if value is None else str(value)
    try:
        text.encode()
    except UnicodeEncodeError:  # half a character, which no page can show
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def _joined(spelled: list[str], together: str) -> Packed:
    """One text after the other, and how long each is."""
    lengths = np.fromiter(map(len, spelled), np.int64, len(spelled))
    if together and max(together) > "\uffff":  # the page counts such a letter as two
        lengths = np.fromiter((len(text.encode("utf-16-le")) // 2 for text in spelled), np.int64, len(spelled))
    how, first = numbers(lengths)
    return Packed({"kind": "text", "lengths": how, "first": len(first)}, first + zlib.compress(together.encode(), 6))


class Fitted(NamedTuple):
    """Columns of names, packed, and whose they are: None where all have one."""

    columns: list[Packed]
    kept: Ints | None


def fitted(columns: list[Array], order: Ints, room: int) -> Fitted:
    """All names if they fit ``room`` bytes, else as many as fit, in the ``order`` of their importance."""
    packed, kept = [names(column) for column in columns], None
    while (size := sum(map(_size, packed))) > room and (kept is None or len(kept)):
        count = int(_SPARE * (len(order) if kept is None else len(kept)) * room / size)
        kept = np.sort(order[:count])
        packed = [names(column[kept]) for column in columns]
    return Fitted(packed, kept)
