"""What is packed can be unpacked by somebody who knows the description only; and names that do not fit are left out."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clusterscore.metrics.alignment import ranks_within
from clusterscore.page.packed import Parts, fitted, fractions, names, numbers, spell
from page.written import unpacked

LARGEST = 2**51 - 1


@given(st.lists(st.integers(-LARGEST, LARGEST)))
def test_numbers_come_back(values: list[int]) -> None:
    packed = numbers(np.array(values, np.int64))
    assert unpacked(packed.how, packed.data) == values


@pytest.mark.parametrize(
    "values",
    [[], [0], [-1], [LARGEST, -LARGEST, LARGEST], list(range(1000)), [255, 256, -256, 65535, 65536], [7] * 300],
)
def test_numbers_at_the_edges_come_back(values: list[int]) -> None:
    packed = numbers(np.array(values, np.int64))
    assert unpacked(packed.how, packed.data) == values


def test_a_run_takes_almost_no_room() -> None:
    assert len(numbers(np.arange(1_000_000)).data) < 2_000
    assert len(names([f"page{k:07d}" for k in range(100_000)]).data) < 5_000  # 11 letters each


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]))))
def test_names_come_back(values: list[str]) -> None:
    packed = names(values)
    assert unpacked(packed.how, packed.data) == values


@given(st.lists(st.text("ab0", max_size=5), min_size=1))
def test_short_plain_names_come_back(values: list[str]) -> None:
    packed = names(values)
    assert unpacked(packed.how, packed.data) == values


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (["a\0b", "", "\0"], ["a\0b", "", "\0"]),
        (["\ufeffa", "b"], ["\ufeffa", "b"]),
        (["😀", "a😀b", ""], ["😀", "a😀b", ""]),
        (["half \ud83d a pair", "x"], ["half \ufffd a pair", "x"]),
        ([1, "1", None, 2.5, (1, "a"), True], ["1", "1", "", "2.5", "(1, 'a')", "True"]),
        ([2**60, 1], [str(2**60), "1"]),
        ([True, False], ["True", "False"]),
        (["x" * 100_000, "y"], ["x" * 100_000, "y"]),
        (range(5, 8), [5, 6, 7]),
        (np.array([3, -4], np.int8), [3, -4]),
        (np.array(["a", None], object), ["a", ""]),
        ([], []),
    ],
)
def test_names_of_all_kinds(values: object, expected: list[object]) -> None:
    packed = names(values)  # type: ignore[arg-type]
    assert unpacked(packed.how, packed.data) == expected


@given(st.lists(st.floats(0, 1)))
def test_fractions_come_back(values: list[float]) -> None:
    packed = fractions(np.array(values))
    assert unpacked(packed.how, packed.data) == values


def test_very_many_fractions_come_back_in_single_precision() -> None:
    values = np.random.default_rng(0).random(20_000)
    packed = fractions(values)
    assert packed.how["width"] == 4
    assert unpacked(packed.how, packed.data) == values.astype(np.float32).tolist()


def test_the_same_column_is_kept_once() -> None:
    parts = Parts()
    first = parts.add(numbers(np.arange(5)))
    assert parts.add(numbers(np.arange(6))) != first
    assert parts.add(numbers(np.arange(5))) == first
    assert len(parts) == 2


def test_names_that_fit_are_all_there() -> None:
    packed, kept = fitted([np.array(["a", "b"], object)], np.array([1, 0]), 1000)
    assert kept is None
    assert unpacked(packed[0].how, packed[0].data) == ["a", "b"]


def test_of_names_that_do_not_fit_the_wanted_are_there() -> None:
    rng = np.random.default_rng(0)
    columns = [[rng.bytes(16).hex() for _ in range(1000)], [rng.bytes(8).hex() for _ in range(1000)]]
    wanted = rng.permutation(1000)
    arrays = [np.array(column, object) for column in columns]
    packed, kept = fitted(arrays, wanted, 6000)  # 24 bytes of chance each: about 230 of them
    assert kept is not None
    assert 150 < len(kept) < 250
    assert sum(len(each.data) for each in packed) <= 6000
    assert kept.tolist() == sorted(wanted[: len(kept)].tolist())
    for column, each in zip(columns, packed, strict=True):
        assert unpacked(each.how, each.data) == [column[place] for place in kept.tolist()]


def test_where_there_is_no_room_at_all_nobody_has_a_name() -> None:
    packed, kept = fitted([np.array(["some name", "another"], object)], np.array([0, 1]), 3)
    assert kept is not None
    assert len(kept) == 0
    assert unpacked(packed[0].how, packed[0].data) == []


def test_the_place_of_an_element_in_its_cell() -> None:
    assert ranks_within(np.array([1, 0, 1, 1, 0, 2]), 3)[1].tolist() == [0, 0, 1, 2, 1, 0]


def test_a_label_that_is_no_text_is_spelled() -> None:
    assert [spell(value) for value in (None, "", 0, 1.5, b"x")] == ["", "", "0", "1.5", "b'x'"]
