"""All ways of finding distinct rows agree with NumPy's."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clusterscore import distinct as module
from clusterscore.distinct import Distinct, distinct
from clusterscore.read import labels

law = settings(max_examples=80, deadline=None, derandomize=True, database=None)


def agrees(counted: Distinct, *columns: Any, codes: bool) -> None:
    """The same rows and counts as a Python counter finds, in whatever order, and each element's own row."""
    rows = list(zip(*(column.tolist() for column in columns), strict=True))
    listed = [counted.column(k).view(np.uint64).tolist() for k in range(len(columns))]
    unique = list(zip(*listed, strict=True))
    assert len(counted) == len(unique) == len(set(unique))
    assert dict(zip(unique, counted.counts.tolist(), strict=True)) == Counter(rows)
    if codes:
        assert [unique[code] for code in counted.codes.tolist()] == rows


def check(*columns: tuple[Any, int]) -> None:
    arrays = [array for array, _ in columns]
    before = [array.copy() for array in arrays]
    with pytest.MonkeyPatch.context() as patch:
        for codes, fast in ((False, False), (False, True), (True, True)):
            patch.setattr(module, "_sorts_fast", lambda fast=fast: fast)
            agrees(distinct(*columns, codes=codes), *arrays, codes=codes)
    assert all(array.tolist() == copy.tolist() for array, copy in zip(arrays, before, strict=True))


@pytest.fixture(params=["sorting", "address or hashing", "short stretches"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Thresholds that send even a few elements through the ways of many."""
    if request.param != "sorting":
        monkeypatch.setattr(module, "_SMALL", 0)
    if request.param == "short stretches":
        monkeypatch.setattr(module, "STRETCH", 3)
    return request.param


def rows_of(sizes: list[int], count: int, random: Any) -> list[tuple[Any, int]]:
    """Columns with few values each, the smallest and the largest among them."""
    pools = [[0, size - 1, random.randrange(size)] for size in sizes]
    return [
        (np.array([random.choice(pool) for _ in range(count)], np.uint64), size)
        for pool, size in zip(pools, sizes, strict=True)
    ]


@pytest.mark.parametrize("bits", [0, 1, 3, 6, 7, 16, 17, 22, 23, 32, 33, 38, 39, 63, 64])
def test_one_column_of_any_width(bits: int, way: str) -> None:
    random = np.random.default_rng(bits)
    for count in (0, 1, 2, 7, 60):
        pool = random.integers(0, 2**bits - 1, max(1, count // 2), np.uint64, endpoint=True)
        keys = random.choice(pool, count)
        keys[:1] = 2**bits - 1
        check((keys, 2**bits))


@law
@given(st.lists(st.integers(0, 64), min_size=1, max_size=5), st.integers(0, 40), st.randoms(use_true_random=False))
def test_columns_of_any_width(bits: list[int], count: int, random: Any) -> None:
    columns = rows_of([2**width for width in bits], count, random)
    with pytest.MonkeyPatch.context() as patch:
        for small, stretch, kept in ((10**9, 10**9, 10**9), (0, 10**9, 10**9), (0, 5, 0)):
            patch.setattr(module, "_SMALL", small)
            patch.setattr(module, "STRETCH", stretch)
            patch.setattr(module, "_KEPT", kept)
            check(*columns)


@law
@given(st.lists(st.integers(1, 2**64), min_size=1, max_size=4), st.integers(1, 40), st.randoms(use_true_random=False))
def test_sizes_that_are_no_power_of_two(sizes: list[int], count: int, random: Any) -> None:
    check(*rows_of(sizes, count, random))


@pytest.mark.parametrize("count", [1024, 1025, 5000, 40_000])
@pytest.mark.parametrize("sizes", [(300,), (70, 50), (3000, 2000), (2**31, 2**31), (2**40, 2**40), (5, 2**64, 7)])
def test_many_elements(count: int, sizes: tuple[int, ...]) -> None:
    random = np.random.default_rng(count)
    columns = []
    for size in sizes:
        pool = random.integers(0, size - 1, min(size, count // 3), np.uint64, endpoint=True)
        columns.append((random.choice(pool, count), size))
    check(*columns)


@pytest.mark.parametrize("dtype", ["i1", "u1", "i2", "u4", "i4", "i8", "u8", ">i4"])
def test_columns_of_any_dtype(dtype: str, way: str) -> None:
    check((np.array([1, 0, 1, 1], dtype), 2), (np.array([2, 2, 0, 2], dtype), 3))
    check((np.arange(20).astype(dtype)[::-3], 20), (np.arange(14).astype(dtype)[::2], 14))


@pytest.mark.parametrize(
    "make",
    [
        lambda k: k,
        lambda k: k << np.uint64(40),
        lambda k: k << np.uint64(50),
        lambda k: ~k,
        lambda k: k * np.uint64(2**32 + 1),
        lambda k: k.astype(np.float64).view(np.uint64),
        lambda k: (k.astype(np.float64) / 7).view(np.uint64),
    ],
)
def test_regular_keys(make: Callable[[Any], Any]) -> None:
    check((make(np.arange(1, 9001, dtype=np.uint64) % np.uint64(6000)), 2**64))


@pytest.mark.parametrize("bits", [40, 63, 64])
def test_keys_that_all_meet_in_one_slot(bits: int) -> None:
    """Multiplied, these are 0, 1, 2, ..: their upper bits, which choose the slot, are all the same."""
    back = pow(module._ODD, -1, 1 << bits)
    check((np.array([k * back % (1 << bits) for k in range(5000)], np.uint64), 2**bits))


def test_no_such_column() -> None:
    with pytest.raises(IndexError):
        distinct((np.array([0, 1]), 2)).column(1)


@pytest.mark.parametrize("factors", [(0, 0), (0, 1)])  # all words are mixed to 0, or to the last one
def test_a_mixer_that_collides_is_found_out(factors: tuple[int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(labels, "_ODD_WORDS", factors)
    words = [np.random.default_rng(k).integers(0, 3, 50, np.uint64) << np.uint64(60) for k in range(4)]
    counted = labels.distinct_words(words)
    codes, size = counted.codes, len(counted)
    assert size == len(set(codes.tolist()))
    rows = list(zip(*(word.tolist() for word in words), strict=True))
    assert len(set(zip(codes.tolist(), rows, strict=True))) == len(set(rows)) == len(set(codes.tolist()))
