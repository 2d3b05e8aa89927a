"""Labels of any kind become integer codes, once.

Integers whose range is small are their own codes (less the smallest); everything else is encoded by its distinct
values. Two labels are the same when Python says they are equal, so ``1``, ``1.0`` and ``True`` in one list are
one label; only times differ by the instant they mean. None, NaN, NaT and pandas' NA are one *null* label, kept
apart: whether it may stand is the aligner's decision.
"""

from __future__ import annotations

import datetime
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from clusterscore.distinct import Array, Distinct, Ints, Keys, distinct, representatives, stretches
from clusterscore.exceptions import InputError, InputTypeError, a_type
from clusterscore.nouns import noun, plural
from clusterscore.read.texts import Texts

_NEVER_NULL = frozenset({str, bytes, int, bool, tuple, frozenset})
_TIMES = (datetime.datetime, datetime.timedelta, np.datetime64, np.timedelta64)
_FINE = frozenset({"ns", "ps", "fs", "as"})  # units that Python's own times do not hold
_MOST_WORDS = 512  # of eight bytes each: longer strings are hashed one by one
_ODD_WORDS = (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F)


@dataclass(slots=True, eq=False)
class Labels(Sequence[Any]):
    """``names[codes[k]]`` is the label of element k; some names may be used by nobody."""

    codes: Array  # or a tensor, on the device of the labels
    names: Sequence[Any] | Array
    null: int | None = None  # the code of None and NaN

    def __len__(self) -> int:
        return len(self.codes)

    def __getitem__(self, index: Any) -> Any:
        return (
            list(map(self.name, self.codes[index].tolist()))
            if isinstance(index, slice)
            else self.name(self.codes[index])
        )

    def take(self, index: Array) -> Labels:
        """The labels of some elements."""
        return replace(self, codes=self.codes[index])

    def name(self, code: int) -> Any:
        """What the user calls the cluster with this code."""
        return plain(self.names[code])


class Unnamed(Sequence[int]):
    """Clusters without labels, such as those of a list: numbers from 0 up name them, and none is background."""

    def __init__(self, size: int):
        self.numbers = range(size)

    def __len__(self) -> int:
        return len(self.numbers)

    def __getitem__(self, index: Any) -> Any:
        return self.numbers[index]


@dataclass(eq=False)
class Picked(Sequence[Any]):
    """Names that are looked up in the user's own labels."""

    values: Sequence[Any] | Array
    codes: Array
    size: int
    keys: Keys | None = None  # the bytes of each name, where eight hold all of them
    has_short: bool = True  # some names may have four bytes or fewer

    def __len__(self) -> int:
        return self.size

    @cached_property
    def positions(self) -> Ints:
        """For each name an element that has it."""
        return representatives(self.codes, self.size)

    def __getitem__(self, index: Any) -> Any:
        at = self.positions[index]
        return [plain(self.values[k]) for k in at] if isinstance(index, slice) else plain(self.values[at])


def is_tensor(value: Any) -> bool:
    """A tensor of torch; one that only says so is none. Whoever brings a tensor has loaded torch."""
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(value, getattr(torch, "Tensor", ()))


def array_module(codes: Any) -> Any:
    """NumPy or torch: the module with the functions for these codes."""
    return sys.modules["torch"] if is_tensor(codes) else np


def plain(value: Any) -> Any:
    """A Python value in the place of a NumPy scalar; dates stay as they are, a number would say nothing."""
    return value.item() if isinstance(value, np.generic) and value.dtype.kind not in "Mm" else value


def shortened(value: Any) -> str:
    """A value for a message."""
    text = repr(value)
    return text if len(text) <= 40 else text[:37] + "..."


def encode(values: Sequence[Any] | Array) -> Labels:
    """Code a one-dimensional sequence of labels."""
    if isinstance(values, np.ndarray):
        return _encode_integers(values) if values.dtype.kind in "iu" else _encode_array(values)
    if isinstance(values, Labels):
        return values
    if isinstance(values, Texts):
        return _encode_words(values, fixed_width_words(values.letters))
    if len(values) and isinstance(values[0], str):
        try:
            words = joined_words(values)
        except TypeError:  # not all of them are strings
            pass
        else:
            return _encode_objects(values, {str}) if words is None else _encode_words(values, words)
    kinds = set(map(type, values))
    if len(kinds) == 1:
        (kind,) = kinds
        if kind is int or kind is float or kind is bool or issubclass(kind, np.generic):
            array = np.array(values)
            # integers beyond 64 bits become floats or objects there, a trailing NUL is cut from strings, and times of
            # different units may overflow in the finest one
            one_unit = array.dtype.kind not in "Mm" or len({value.dtype for value in values}) == 1
            if array.dtype.kind in ("iu" if kind is int else "iufbMm") and one_unit:
                return encode(array)
    return _encode_objects(values, kinds)


def encoded_once(values: Array) -> Labels:
    """The same, with each name kept once in the place of all values, which may be many more."""
    labels = encode(values)
    return (
        replace(labels, names=Texts.of(values[labels.names.positions])) if isinstance(labels.names, Picked) else labels
    )


def _encode_integers(values: Array) -> Labels:
    if not len(values):
        return Labels(values.astype(np.int64), range(0))
    lowest, highest = int(np.minimum.reduce(values)), int(np.maximum.reduce(values))
    span = highest - lowest + 1
    if span <= max(4 * len(values), 1024):
        if lowest < 0:  # -128 .. 127 leaves int8 when shifted; in 64 bits it does not
            codes = np.subtract(values, lowest, dtype=np.int64)
        else:
            codes = values - values.dtype.type(lowest) if lowest else values
        return Labels(codes.astype(np.int64) if codes.dtype == np.uint64 else codes, range(lowest, highest + 1))
    wide = values.astype(np.int64 if values.dtype.kind == "i" else np.uint64, copy=False)
    keys = wide.view(np.uint64) - np.uint64(lowest % 2**64)
    rows = distinct((keys, span), codes=True)
    names = (rows.keys + np.uint64(lowest % 2**64)).view(wide.dtype)
    return Labels(rows.codes, names)


def _encode_array(values: Array) -> Labels:
    kind = values.dtype.kind
    if kind == "b":
        return Labels(values.view(np.uint8), (False, True))
    if kind in "US" and values.dtype.itemsize <= 8 * _MOST_WORDS:
        return _encode_words(values, fixed_width_words(values))
    if kind in "Mm":
        coded = _encode_integers(values.view(np.int64))
        names = values[representatives(coded.codes, len(coded.names))]
        return _with_null(Labels(coded.codes, names), np.isnat(values))
    if kind == "f" and values.dtype.itemsize <= 8:
        exact = values.astype(np.float64)
        exact += 0.0  # -0.0 equals 0.0 and must share its bits
        rows = distinct((exact.view(np.uint64), 2**64), codes=True)
        return _with_null(Labels(rows.codes, rows.keys.view(np.float64)), np.isnan(exact))
    as_list = values.tolist()
    kinds = set(map(type, as_list))
    return encode(as_list) if kinds == {str} else _encode_objects(as_list, kinds)


def _with_null(labels: Labels, missing: Array) -> Labels:
    if not missing.any():
        return labels
    null = len(labels.names)
    return Labels(np.where(missing, null, labels.codes), [*labels.names, None], null)


def _encode_objects(values: Sequence[Any], kinds: set[type]) -> Labels:
    timed = any(issubclass(kind, _TIMES) for kind in kinds)
    keys = list(map(moment, values)) if timed else values
    try:
        index: dict[Any, Any] = dict(zip(keys, values, strict=True)) if timed else dict.fromkeys(values)
    except TypeError:
        if all(map(_hashable, values)) and any(issubclass(kind, np.generic) for kind in kinds):
            pure = list(map(plain, values))  # a Decimal cannot be compared with a NumPy number of the same hash
            return _encode_objects(pure, set(map(type, pure)))
        position, bad = next((k, v) for k, v in enumerate(values) if not _hashable(v))
        raise InputTypeError(
            f"a label must be hashable, but label {position} is {a_type(bad)} ({shortened(bad)}); if "
            f"these are {noun('clusters')}, use Clustering.from_clusters; if they are labels of one "
            f"{noun('element')}, from_memberships"
        ) from None
    kept = list(index) if kinds <= _NEVER_NULL else [key for key in index if not is_null(key)]
    names = [index[key] for key in kept] if timed else kept[:]
    null = None
    if len(kept) < len(index):
        null = len(kept)
        names.append(None)
        index = dict.fromkeys(index, null)
    index.update(zip(kept, range(len(kept)), strict=True))
    codes = np.fromiter(map(index.__getitem__, keys), np.int64, len(values))
    return Labels(codes, names, null)


def _hashable(value: Any) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True


def moment(value: Any) -> Any:
    """What tells times apart, whichever library they come from; any other value as it is.

    Python takes the two instants of an hour that the clock repeats for equal, and NumPy's times equal Python's only
    where their unit is as coarse.
    """
    if isinstance(value, np.datetime64 | np.timedelta64):
        unit = np.datetime_data(value.dtype)[0]
        if unit not in _FINE:
            held = value.item()
            return value if isinstance(held, int) and unit != "generic" else held  # Python does not have all years
        coarse = value.astype(f"{value.dtype.kind}8[us]")
        return coarse.item() if coarse == value else value
    exact: Any = value  # pandas' times are Python's, and hold nanoseconds too
    if isinstance(value, datetime.timedelta) and getattr(exact, "nanoseconds", False):
        return exact.to_timedelta64()
    if not isinstance(value, datetime.datetime):
        return value
    if getattr(exact, "nanosecond", False):
        return (exact if value.tzinfo is None else exact.tz_convert(None)).to_datetime64()
    try:
        return value if value.tzinfo is None else value.astimezone(datetime.UTC)
    except OverflowError:  # at the very ends of the calendar
        return value


def is_null(label: Any) -> bool:
    """None, NaN, NaT and NA: the values that mean "no label" somewhere."""
    if label is None:
        return True
    try:
        return bool(label != label)
    except (TypeError, ValueError):  # pandas' NA refuses to be a truth value
        return type(label).__name__ == "NAType"


def joined_words(values: Sequence[str]) -> list[Keys] | None:
    """The UTF-8 bytes of each string, eight to a word, without a Python loop over the strings."""
    data = ("\0".join(values) + "\0" * 9).encode("utf-8", "surrogatepass")
    buffer = np.frombuffer(data, np.uint8)
    text = len(data) - 8  # with the NUL behind the last string
    ends = np.concatenate([(buffer[start:stop] == 0).nonzero()[0] + start for start, stop in stretches(text)])
    if len(ends) != len(values):
        return None  # a label holds the separator itself
    starts = np.zeros_like(ends)
    np.add(ends[:-1], 1, out=starts[1:])
    lengths = np.subtract(ends, starts, out=ends)
    count = max(1, -(-int(lengths.max()) // 8))
    if count > _MOST_WORDS or (count > 4 and count * len(values) > len(data)):
        return None  # very long strings, or a few long ones among short ones: padding all of them would not pay
    sliding = np.ndarray(len(buffer) - 7, "<u8", buffer, strides=(1,))
    masks = np.array([(1 << 8 * k) - 1 for k in range(9)], np.uint64)
    words = [np.empty(len(values), np.uint64) for _ in range(count)]
    for start, stop in stretches(len(values)):
        for k, word in enumerate(words):
            left = np.clip(lengths[start:stop] - 8 * k, 0, 8) if count > 1 else lengths[start:stop]
            at = np.minimum(starts[start:stop] + 8 * k, len(sliding) - 1) if k else starts[start:stop]
            np.bitwise_and(sliding[at], masks.take(left), out=word[start:stop])
    return words


def fixed_width_words(values: Array) -> list[Keys]:
    """The letters of each string, in words of eight bytes; where all letters are Latin, a byte holds one."""
    text = values.dtype.kind == "U"
    width = max(1, values.dtype.itemsize // (4 if text else 1))
    if text:
        letters = np.ascontiguousarray(values, f"=U{width}").view(np.uint32)
        if letters.max(initial=0) < 256:
            text, values = False, letters.astype(np.uint8).view(f"S{width}")
    per_word = 2 if text else 8
    count = -(-width // per_word)
    padded = np.ascontiguousarray(values, f"={'U' if text else 'S'}{count * per_word}")
    return list(np.ascontiguousarray(padded.view(np.uint64).reshape(-1, count).T))


def _encode_words(values: Sequence[Any] | Array, words: list[Keys]) -> Labels:
    rows = distinct_words(words)
    has_short = len(words) == 1 or bool((words[0] < 2**32).any())
    keys = rows.keys if len(words) == 1 else None
    return Labels(rows.codes, Picked(values, rows.codes, len(rows), keys, has_short))


def distinct_words(words: list[Keys], size: int = 2**64) -> Distinct:
    """The distinct rows of words below ``size``: by one mixed word if that tells them all apart, else word by word."""
    if len(words) * (size - 1).bit_length() > 64:
        mixed = words[0]
        for word in words[1:]:
            mixed = (mixed ^ (mixed >> np.uint64(29))) * np.uint64(_ODD_WORDS[0])
            mixed += word * np.uint64(_ODD_WORDS[1])
        rows = distinct((mixed, 2**64), codes=True)
        same = representatives(rows.codes, len(rows))[rows.codes]
        if all((word[same] == word).all() for word in words):
            return rows
    return distinct(*((word, size) for word in words), codes=True)


def in_order(labels: Labels) -> Labels:
    """The same labels, numbered in the order in which they first appear."""
    codes, count, size = labels.codes, len(labels.codes), len(labels.names)
    if not (codes[1:] < codes[:-1]).any():
        return labels
    array = array_module(codes)
    codes = array.asarray(codes, dtype=array.int64)
    places = array.arange(max(count, size), device=codes.device)
    first = array.full((size,), count, device=codes.device)
    if array is np:
        first[codes[::-1]] = places[:count][::-1]  # of those with one code the last to be written stays
    else:
        first.scatter_reduce_(0, codes, places[:count], "amin")
    begins = array.zeros(count + 1, dtype=array.bool, device=codes.device)
    begins[first] = True
    old = codes[begins[:count]]
    number = array.zeros(size, dtype=array.int64, device=codes.device)
    number[old] = places[: len(old)]
    null = None if labels.null is None else int(number[labels.null])
    return Labels(number[codes], list(map(labels.name, old.tolist())), null)


def without_null(labels: Labels, what: str, of: str = "element") -> Labels:
    """The labels themselves, where none is None or NaN: those name no document and no element."""
    if labels.null is not None:
        count = int((labels.codes == labels.null).sum())
        raise InputError(f"{plural(count, of)} without {what} (None or NaN); name one for each")
    return labels
