"""Clustering: every constructor, and the guess that finds the right one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import clusterscore as cs
from clusterscore.read import as_clustering, as_clusterings
from fake_torch import Tensor

Made = cs.Clustering
law = settings(max_examples=50, deadline=None, derandomize=True, database=None)


def content(made: cs.Clustering) -> set[frozenset[Any]]:
    """The clusters as sets of element ids, or of positions."""
    ids = range(len(made)) if made.ids is None else list(made.ids)
    groups: dict[int, set[Any]] = {}
    for element, code in zip(ids, made.codes.tolist(), strict=True):
        groups.setdefault(code, set()).add(element)
    return set(map(frozenset, groups.values()))


def sets(*groups: Any) -> set[frozenset[Any]]:
    return set(map(frozenset, groups))


CONSTRUCTED = {
    "labels": (Made.from_labels(["x", "y", "x"]), sets([0, 2], [1])),
    "labels of elements": (Made.from_labels([5, 6, 5], elements=["a", "b", "c"]), sets("ac", "b")),
    "elements as one string": (Made.from_labels([5, 6, 5], elements="abc"), sets("ac", "b")),
    "mapping": (Made.from_mapping({"a": 1, "b": 1, "c": 2}), sets("ab", "c")),
    "pandas Series by index": (Made.from_mapping(pd.Series([1, 1, 2], index=list("abc"))), sets("ab", "c")),
    "clusters": (Made.from_clusters([["a", "b"], ("c",), {"d"}]), sets("ab", "c", "d")),
    "an empty cluster": (Made.from_clusters([[], ["a"]]), sets("a")),
    "named clusters": (Made.from_clusters({"k": ["a", "b"], "l": ["c"]}), sets("ab", "c")),
    "generators": (Made.from_clusters(iter(g) for g in ("ab", "c")), sets("ab", "c")),
    "pairs": (Made.from_pairs([(1, 2), (3, 2), (7, 8)]), sets([1, 2, 3], [7, 8])),
    "pairs with lone elements": (Made.from_pairs([("a", "b")], elements=["c", "a"]), sets("ab", "c")),
    "pairs in an array": (Made.from_pairs(np.array([[1, 2], [2, 3]])), sets([1, 2, 3])),
    "elements in an array": (lambda: Made.from_pairs([(1, 2)], elements=np.array([1, 2, 3])), sets([1, 2], [3])),
    "no pairs": (Made.from_pairs([], elements=[1, 2]), sets([1], [2])),
    "a pair with itself": (Made.from_pairs([(1, 1)]), sets([1])),
    "lengths": (Made.from_lengths([2, 1]), sets([0, 1], [2])),
    "lengths as floats": (Made.from_lengths(np.array([2.0, 1.0])), sets([0, 1], [2])),
    "lengths as objects": (lambda: Made.from_lengths(np.array([2, 1], object)), sets([0, 1], [2])),
    "boundaries": (Made.from_boundaries([1, 0, 1, 1]), sets([0, 1], [2], [3])),
    "boundaries from position 0": (Made.from_boundaries([0, 0, 1]), sets([0, 1], [2])),
    "boundaries as bools": (Made.from_boundaries([False, False, True]), sets([0, 1], [2])),
    "boundaries as objects": (lambda: Made.from_boundaries(np.array([0, 0, 1], object)), sets([0, 1], [2])),
    "tensor": (Made.from_labels(Tensor([4, 4, 5])), sets([0, 1], [2])),
}  # fmt: skip


@pytest.mark.parametrize("kind", CONSTRUCTED)
def test_constructor(kind: str) -> None:
    made, expected = CONSTRUCTED[kind]
    assert content(made() if callable(made) else made) == expected


@law
@given(st.lists(st.integers(1, 5), min_size=1, max_size=8))
def test_lengths_and_boundaries_say_the_same(lengths: list[int]) -> None:
    starts = [int(k == 0) for length in lengths for k in range(length)]
    assert Made.from_lengths(lengths).codes.tolist() == Made.from_boundaries(starts).codes.tolist()
    assert np.bincount(Made.from_lengths(lengths).codes).tolist() == lengths


@law
@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=12))
def test_pairs_are_closed_transitively(links: list[tuple[int, int]]) -> None:
    group = {k: {k} for k in range(10)}
    for a, b in links:
        merged = group[a] | group[b]
        group.update(dict.fromkeys(merged, merged))
    assert content(Made.from_pairs(links, elements=range(10))) == sets(*group.values())


@pytest.mark.parametrize("library", [pd.DataFrame, pl.DataFrame, pa.table])
def test_frames(library: Any) -> None:
    usual = library({"element": ["a", "b", "c"], "cluster": [1, 1, 2], "other": [0, 0, 0]})
    assert content(Made.from_frame(usual)) == content(as_clustering(usual, "gold")) == sets("ab", "c")
    named = library({"id": ["a", "a", "c"], "entity": ["x", "x", "y"], "doc": [1, 2, 2]})
    made = Made.from_frame(named, element="id", cluster="entity", document="doc")
    assert repr(made) == "Clustering(3 elements by id, 2 clusters, 2 documents)"


def test_names_and_length() -> None:
    made = Made.from_labels(["x", "y", "x"])
    assert [made.names[code] for code in made.codes] == ["x", "y", "x"]
    assert len(made) == 3
    assert repr(made) == "Clustering(3 elements by position, 2 clusters)"
    made = Made.from_memberships([["x"], ["x", "y"], []])
    assert [made.names[:2], made.names[2:]] == [["x", frozenset({"x", "y"})], [frozenset()]]


GUESSED = {
    "labels": ([1, 1, 2], sets([0, 1], [2])),
    "a tuple of labels": ((1, 1, 2), sets([0, 1], [2])),
    "tuples are clusters": ([("a", "b"), ("c",)], sets("ab", "c")),
    "lists are clusters": ([["a", "b"], ["c"]], sets("ab", "c")),
    "sets are clusters": ([{"a", "b"}, {"c"}], sets("ab", "c")),
    "a set of frozensets": ({frozenset("ab"), frozenset("c")}, sets("ab", "c")),
    "an object array of lists": (np.array([["a", "b"], ["c"]], object), sets("ab", "c")),
    "a mapping": ({"a": 1, "b": 1, "c": 2}, sets("ab", "c")),
    "a range": (range(3), sets([0], [1], [2])),
    "a generator": ((k for k in "aab"), sets([0, 1], [2])),
    "a tensor": (Tensor([1, 1, 2]), sets([0, 1], [2])),
    "pandas": (pd.Series([1, 1, 2]), sets([0, 1], [2])),
    "pandas booleans": (pd.Series([True, True, False]), sets([0, 1], [2])),
    "pandas dates": (pd.Series(pd.to_datetime(["2020-01-01", "2020-01-01", "2021-01-01"])), sets([0, 1], [2])),
    "polars": (pl.Series(["x", "x", "y"]), sets([0, 1], [2])),
    "pyarrow": (pa.array([1.5, 1.5, 2]), sets([0, 1], [2])),
}  # fmt: skip


@pytest.mark.parametrize("kind", GUESSED)
def test_guess(kind: str) -> None:
    given, expected = GUESSED[kind]
    assert content(as_clustering(given, "gold")) == expected


@pytest.mark.parametrize("other", [[0, 1], {"a": 0, "b": 0, "c": 1}, [["a"], ["b", "c"]], [("x",), ("y",)]])
def test_no_side_takes_its_meaning_from_the_other(other: Any) -> None:
    tuples = [("a", "b"), ("c",)]
    for made in (as_clusterings(tuples, other)[0], as_clusterings(other, tuples)[1]):
        assert content(made) == sets("ab", "c")
    assert content(Made.from_labels(tuples)) == sets([0], [1])
    for collections in ({"a": {1, 2}}, {"a": [1, 2], "b": [3]}):
        for sides in ((collections, other), (other, collections)):
            with pytest.raises(cs.InputTypeError, match=r"from_clusters.* or Clustering\.from_memberships"):
                as_clusterings(*sides)


def test_an_element_twice_in_a_series_index() -> None:
    made = Made.from_mapping(pd.Series([0, 1, 0], index=list("aab")))
    assert repr(made) == "Clustering(2 elements by id, 2 overlapping clusters)"
    assert cs.omega(made, [["a", "b"], ["a"]]).value == 1
    with pytest.raises(cs.InputError, match=r"1 element of gold in more than one cluster \(e\.g\. 'a' in 0 and 1\)"):
        cs.elm(made, {"a": 0, "b": 0})
    with pytest.raises(cs.InputError, match=r"1 membership given twice \(e\.g\. element 'a' in cluster 0\)"):
        Made.from_mapping(pd.Series([0, 0, 0], index=list("aab")))


def test_the_same_id_in_two_documents_is_two_elements() -> None:
    made = Made.from_labels([0, 1], elements=["x", "x"], documents=["d", "e"])
    assert len(made) == 2
    assert not made.overlapping
    twice = Made.from_labels([0, 1], elements=["x", "x"], documents=["d", "d"])
    assert len(twice) == 1
    assert twice.overlapping


def test_element_ids_that_are_null() -> None:
    """None and NaN are two keys of a mapping; to take them for one element would lose one of them silently."""
    clustering = {None: 0, float("nan"): 1, 1: 0}
    try:
        score = cs.bcubed(clustering, clustering)
    except cs.ClusterscoreError:
        return
    assert score.value == 1.0
