"""Two elements share a code if and only if their labels are equal."""

from __future__ import annotations

import datetime as dt
import enum
import math
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import clusterscore as cs
from clusterscore.read import encode, is_null
from clusterscore.read import labels as module

NAN = float("nan")


class Colour(enum.Enum):
    RED = 1


def codes_tell_labels_apart(values: Any) -> None:
    """The whole contract of encode, checked pair by pair; all nulls are one label."""
    encoded = encode(values)
    plain = values.tolist() if isinstance(values, np.ndarray) and values.dtype.kind not in "Mm" else list(values)
    codes = encoded.codes.tolist()
    assert len(codes) == len(plain)
    assert all(0 <= code < len(encoded.names) for code in codes)
    for code, first in zip(codes, plain, strict=True):
        assert (code == encoded.null) == is_null(first), first
        if not is_null(first):
            assert encoded.name(code) == (first.item() if isinstance(first, np.generic) else first)
        for second_code, second in zip(codes, plain, strict=True):
            equal = is_null(second) if is_null(first) else not is_null(second) and bool(first == second)
            assert (code == second_code) == equal, (first, second)


ARRAYS = {
    "int8 extremes": np.array([-128, 127, 0, -128, 127], np.int8),
    "all of int8": np.arange(-128, 128).astype(np.int8),
    "int16 extremes": np.array([-(2**15), 2**15 - 1, -1, 2**15 - 1], np.int16),
    "int32 extremes": np.array([-(2**31), 2**31 - 1, 0, 2**31 - 1], np.int32),
    "int64 full range": np.array([-(2**63), 2**63 - 1, 0, -1, 2**63 - 1, -(2**63)]),
    "int64 low end": np.array([-(2**63), -(2**63) + 1, -(2**63) + 5]),
    "uint64 beyond 2**63": np.array([2**63, 2**64 - 1, 2**63 + 1, 0, 2**64 - 1], np.uint64),
    "uint64 narrow, high": np.array([2**64 - 1, 2**64 - 2, 2**64 - 1], np.uint64),
    "uint32": np.array([2**32 - 1, 0, 2**32 - 1], np.uint32),
    "big-endian": np.array([-(2**40), 3, -(2**40), 2**50], ">i8"),
    "strided": np.arange(20)[::-3],
    "negative zero": np.array([0.0, -0.0, 1.5, -1.5, -0.0]),
    "floats": np.array([1e-320, 0.0, math.inf, -math.inf, NAN, -NAN, 0.1, 0.1, 1e300]),
    "float16": np.array([0.1, -0.0, 0.0, NAN, 65504], np.float16),
    "float32": np.array([0.1, 0.2, 0.1, NAN], np.float32),
    "longdouble": np.array([0.1, 0.2, 0.1, NAN], np.longdouble),
    "complex": np.array([1j, 1, 1j, complex(0, NAN)]),
    "bool": np.array([True, False, True]),
    "bool, one value": np.array([True, True]),
    "bytes": np.array([b"a", b"", b"ab", b"a", b"\xff", b"a" * 9]),
    "unicode": np.array(["a", "", "日本語", "a", "é", "e\u0301", "𝒜", "\ud800"]),
    "latin": np.array(["é", "e", "é", "ÿ", "abcdefgh", "abcdefghi"]),
    "long unicode": np.array(["x" * 300, "x" * 299 + "y", "x" * 300]),
    "empty strings": np.array(["", ""]),
    "variable-width strings": np.array(["a", "", "日本" * 40, "a"], np.dtypes.StringDType()),
    "datetime64": np.array(["2020-01-01", "NaT", "2020-01-02", "2020-01-01", "NaT"], "M8[D]"),
    "datetime64, far apart": np.array(["0001-01-01", "NaT", "9999-12-31", "0001-01-01"], "M8[s]"),
    "timedelta64": np.array([1, 2, 1], "m8[ms]"),
    "objects": np.array([1, "a", (1, 2), None, 1, NAN, 1.0], object),
    "strings as objects": np.array(["a", "b", "a"], object),
    "empty int": np.array([], int),
    "empty float": np.array([]),
    "empty str": np.array([], "U3"),
    "empty datetime": np.array([], "M8[s]"),
    "empty objects": np.array([], object),
}

LISTS = {
    "empty": [],
    "ints": [3, 1, 3, -5],
    "ints at the ends of 64 bits": [2**63 - 1, -(2**63), 2**63 - 1],
    "unsigned": [2**64 - 1, 2**63, 2**64 - 1, 0],
    "beyond 2**63, with a negative": [2**63, 2**63 + 1, -1, 2**63],
    "beyond 64 bits": [2**64, 2**64 + 1, -(2**70), 2**64],
    "bools": [True, False, True],
    "ints, floats and bools": [1, 1.0, True, 0, 0.0, -0.0, False, 2],
    "exactly equal ints and floats": [2**53, 2**53 + 1, float(2**53)],
    "strings": ["a", "b", "", "a", "aa"],
    "strings with NUL": ["a", "a\0", "\0a", "a\0", "\0", ""],
    "long strings": ["x" * 5000, "x" * 4999 + "y", "x" * 5000, "", "x"],
    "one very long among many short": ["a", "b"] * 50 + ["z" * 100_000],
    "words of 7, 8, 9, 16, 17 letters": ["x" * n for n in (7, 8, 9, 16, 17, 8, 16)],
    "not latin": ["日本", "日本語", "日本", "🙂", "🙃", "\ud800", "\U00010000"],
    "same start": ["abcdefgh1", "abcdefgh2", "abcdefgh1"],
    "bytes": [b"a", b"a\0", b"", b"a"],
    "bytes and strings": [b"a", "a", b"a"],
    "tuples": [(1, 2), (1,), (), (1, 2)],
    "nested tuples": [((1,), "a"), ((1,), "b"), ((1,), "a")],
    "frozensets": [frozenset({1, 2}), frozenset({2, 1}), frozenset()],
    "mixed": [1, "1", b"1", (1,), 1.5, None, Colour.RED, Decimal(1), Fraction(1), dt.date(2020, 1, 1)],
    "nulls": [None, NAN, float("nan"), pd.NA, pd.NaT, np.datetime64("NaT", "s"), Decimal("NaN"), 0, None],
    "NaN": [NAN, 1.0, float("nan"), 1.0],
    "None": [None, None],
    "NumPy scalars": [np.int8(-128), np.int8(127), np.int8(-128)],
    "NumPy scalars of two kinds": [np.int8(1), np.float64(1.0), 1, np.int64(2)],
    "NumPy strings": [np.str_("a"), np.str_("b"), np.str_("a")],
    "NumPy strings with NUL": [np.str_("a"), np.str_("a\0"), np.str_("a")],
    "NumPy bytes with NUL": [np.bytes_(b"a"), np.bytes_(b"a\0"), np.bytes_(b"a")],
    "timestamps": [pd.Timestamp("2020-01-01"), pd.Timestamp("2020-01-02"), pd.Timestamp("2020-01-01")],
    "ends of the calendar": [
        dt.datetime.min.replace(tzinfo=dt.timezone(dt.timedelta(hours=1))), dt.datetime.max.replace(tzinfo=dt.UTC),
        dt.datetime.max.replace(tzinfo=dt.timezone(dt.timedelta(hours=-1))),
        dt.datetime.min.replace(tzinfo=dt.timezone(dt.timedelta(hours=1))),
    ],
    "uuid-like objects": [Colour.RED, Colour, Colour.RED],
}  # fmt: skip


@pytest.mark.parametrize("kind", ARRAYS)
def test_arrays(kind: str) -> None:
    codes_tell_labels_apart(ARRAYS[kind])


@pytest.mark.parametrize("kind", LISTS)
def test_lists(kind: str) -> None:
    codes_tell_labels_apart(LISTS[kind])


law = settings(max_examples=75, deadline=None, derandomize=True, database=None)
anything = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=3), st.binary(max_size=3),
    st.tuples(st.integers(0, 2)), st.fractions(0, 2, max_denominator=2), st.integers(0, 2).map(float),
)  # fmt: skip


@law
@given(st.lists(anything, max_size=12))
def test_anything(values: list[Any]) -> None:
    codes_tell_labels_apart(values)


@pytest.mark.parametrize(
    "kind",
    [
        st.text(max_size=20), st.text("a\0é", max_size=3), st.text("ab", min_size=6, max_size=18), st.integers(),
        st.integers(-(2**63), 2**64 - 1), st.integers(2**63 - 3, 2**63 + 3) | st.integers(-3, 3),
        st.floats(width=16), st.floats(), st.binary(max_size=10), st.booleans(),
    ],
    ids=["text", "NUL", "two letters", "ints", "64 bits", "around 2**63", "halves", "floats", "bytes", "bools"],
)  # fmt: skip
@law
@given(data=st.data())
def test_one_type(kind: Any, data: Any) -> None:
    codes_tell_labels_apart(data.draw(st.lists(kind, max_size=12)))


@pytest.mark.parametrize("dtype", ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8"])
@law
@given(data=st.data())
def test_integers_of_every_width(dtype: str, data: Any) -> None:
    info = np.iinfo(dtype)
    edge = st.sampled_from([info.min, info.min + 1, info.max - 1, info.max, 0, 1])
    values = data.draw(st.lists(edge | st.integers(int(info.min), int(info.max)), max_size=12))
    codes_tell_labels_apart(np.array(values, dtype))


def test_many_labels_hash_and_still_agree() -> None:
    random = np.random.default_rng(1)
    numbers = random.integers(-(2**63), 2**63 - 1, 700)[random.integers(0, 700, 3000)]
    for values in (numbers, numbers.astype(np.float64), numbers.astype("U20"), numbers.astype(str).tolist()):
        encoded = encode(values)
        expected = np.unique(numbers if values is numbers else np.array(values), return_inverse=True)[1]
        assert len(set(zip(encoded.codes.tolist(), expected.tolist(), strict=True))) == len(set(expected.tolist()))
        assert len(set(encoded.codes.tolist())) == len(set(expected.tolist()))


def test_masked_elements_have_no_label() -> None:
    """A masked value must not count as the number that happens to lie below the mask."""
    masked = np.ma.masked_array([0, 0, 1], mask=[False, False, True])
    with pytest.raises(cs.InputError, match=r"1 element with no label .*position 2"):
        cs.elm(masked, [0, 0, 1])


@pytest.mark.parametrize(
    "null", [None, NAN, np.float32("nan"), pd.NA, pd.NaT, np.datetime64("NaT", "s"), Decimal("NaN")]
)
def test_null(null: Any) -> None:
    assert is_null(null)


@pytest.mark.parametrize("label", [0, "", "nan", False, (), -1, (NAN,), np.float64(0), b"", frozenset()])
def test_not_null(label: Any) -> None:
    assert not is_null(label)


@pytest.mark.parametrize("bad", [[1, [2]], [{1: 2}], [1, {2}], [([1],)], [np.array([1])], [bytearray(b"a")]])
def test_unhashable(bad: list[Any]) -> None:
    with pytest.raises(cs.InputTypeError, match=r"must be hashable, but label \d is a \w+ .*from_clusters"):
        encode(bad)


def test_names_are_looked_up_in_the_labels_themselves() -> None:
    encoded = encode(["b", "a", "b"])
    assert isinstance(encoded.names, module.Picked)
    assert sorted(encoded.names[:]) == ["a", "b"]
    assert encoded.take(np.array([1])).name(int(encoded.codes[1])) == "a"
