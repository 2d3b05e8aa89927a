"""Whatever is handed over: a score, or a ClusterscoreError that says what, how many, one example and the remedy."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

import clusterscore as cs
from fake_torch import Tensor
from variants import NAMES

NAN, INF = float("nan"), float("inf")
OK = [0, 0, 1]
BY_ID = {"a": 0, "b": 0, "c": 1}
Made, Table = cs.Clustering, cs.Table

# every public function that takes gold and pred
SCORERS: dict[str, Callable[..., Any]] = {
    **{name: getattr(cs, name) for name in NAMES},
    "score": cs.score, "elements": cs.elements, "Table.from_labels": Table.from_labels,
    "metric(elm)": cs.metric("elm"), "metric(elm).value": cs.metric("elm").value,
    "clusters": cs.clusters, "errors": cs.errors, "error_cells": cs.error_cells,
    "chance": lambda gold, pred, **more: cs.chance(gold, pred, **{"resamples": 2, **more}),
    "compare": lambda gold, pred, **more: cs.compare(gold, {"A": pred}, **{"resamples": 0, **more}),
}  # fmt: skip
DOORS = [name for name in SCORERS if name not in NAMES]


def frame(**columns: Any) -> Any:
    return pd.DataFrame(columns)


def series(index: Any) -> Any:
    return pd.Series(OK, index=index)


# what is wrong: gold, pred, and what the message must say
PAIRS: dict[str, tuple[Any, Any, list[str]]] = {
    "wrong lengths": ([0, 1], OK, ["gold has 2 labels and pred has 3", "one per element", "elements=ids"]),
    "both empty": ([], [], ["gold is empty", "0 elements", "nothing to score"]),
    "empty gold": ([], OK, ["gold is empty"]),
    "empty pred": (OK, np.array([]), ["pred is empty"]),
    "empty mapping": ({}, {"a": 1}, ["gold is empty"]),
    "empty clusters": ([[], []], [[]], ["gold is empty"]),
    "empty frame": (frame(element=[], cluster=[]), {"a": 1}, ["gold is empty"]),
    "2-D": (np.zeros((3, 2), int), OK, ["gold is 2-dimensional (3 x 2)", "from_matrix", "argmax"]),
    "2-D, one column": (OK, np.zeros((3, 1), int), ["pred is 2-dimensional (3 x 1)", ".ravel()"]),
    "3-D": (np.zeros((3, 1, 1)), OK, ["3-dimensional (3 x 1 x 1)"]),
    "2-D tensor": (Tensor([[1, 2], [3, 4]]), OK, ["gold is 2-dimensional (2 x 2)"]),
    "0-D": (np.array(3), OK, ["single value", "one label per element"]),
    "0-D tensor": (Tensor(3), OK, ["single value"]),
    "0-D arrays as labels": ([np.array(1), np.array(2), np.array(2)], OK, ["gold"]),
    "None": (None, OK, ["gold is None", "one label per element"]),
    "None as pred": (OK, None, ["pred is None"]),
    "a None label": (["a", None, "b"], OK, ["gold has 1 element with no label", "position 1", "noise=[None]"]),
    "NaN labels": (OK, [1.0, NAN, NAN], ["pred has 2 elements with no label", "position 1", "noise_as"]),
    "NaN in an array": (np.array([NAN, 1, 1]), OK, ["gold has 1 element with no label", "position 0"]),
    "NaT": (np.array(["2020", "NaT", "2020"], "M8[Y]"), OK, ["1 element with no label"]),
    "pandas NA": (pd.Series([1, None, 1], dtype="Int64"), OK, ["1 element with no label"]),
    "polars null": (pl.Series(["a", None, "b"]), OK, ["1 element with no label"]),
    "pyarrow null": (pa.array([1, None, 2]), OK, ["1 element with no label"]),
    "None by id": ({"a": None, "b": 1}, {"a": 1, "b": 1}, ["1 element with no label", "element 'a'"]),
    "masked": (np.ma.masked_array(OK, mask=[0, 1, 0]), OK, ["1 element with no label"]),
    "an int": (3, OK, ["gold is 3, a single int", "sequence"]),
    "a float": (OK, 2.5, ["pred is 2.5, a single float", "sequence"]),
    "a bool": (OK, True, ["pred is True, a single bool"]),
    "an object": (object(), OK, ["a single object"]),
    "a function": (len, OK, ["gold is"]),
    "a class": (OK, int, ["pred is"]),
    "a string": ("aab", OK, ["gold is the single str 'aab'", "list('aab')"]),
    "bytes": (OK, b"aab", ["pred is the single bytes b'aab'"]),
    "a long string": ("x" * 5000, OK, ["gold is the single str 'xxx", "..."]),
    "a dict against a list": (BY_ID, OK, ["pred is matched by position and gold by element id", "elements=ids"]),
    "a list against a dict": (OK, {0: 0, 1: 0, 2: 1}, ["gold is matched by position and pred by element id"]),
    "labels against clusters": (OK, [[0, 1], [2]], ["gold is matched by position and pred by element id"]),
    "a frame against a list": (frame(element=[0, 1, 2], cluster=OK), OK, ["pred is matched by position"]),
    "an element in two clusters": (
        [["a", "b", "c"], ["b"]], [["a", "b"], ["c"]],
        ["1 element of gold in more than one cluster (e.g. 'b' in 0 and 1)", "partitions", "matched_elm"],
    ),
    "an element in two rows of a frame": (
        {"a": 1, "b": 1}, frame(element=["a", "a", "b"], cluster=[1, 2, 3]),
        ["1 element of pred in more than one", "'a' in 1 and 2"],
    ),
    "an element twice": ([["a", "a"]], [["a"]], ["1 membership given twice", "element 'a' in cluster 0", "remove"]),
    "a label twice": ({"a": ["x", "x"]}, {"a": [1]}, ["gold: 'a': ['x', 'x'] may be a cluster", "from_memberships"]),
    "an element without labels": (
        Made.from_memberships({"a": {"x"}, "b": set()}), Made.from_memberships({"a": {"x"}, "b": {"x"}}),
        ["1 element", "in no", "'b'"],
    ),
    "a label among sets": (
        {"a": {"x"}, "b": "xy"}, {"a": {"x"}, "b": {"x"}}, ["'b' to one label, 'xy'", "to a set", "{'xy'}"],
    ),
    "only in gold": ({"a": 0, "b": 0}, {"b": 0}, ["1 element is only in gold (e.g. 'a')", 'missing="drop"']),
    "only in pred": ({"b": 0}, {"a": 0, "b": 0, "c": 1}, ["2 elements are only in pred (e.g. 'a')", '"singleton"']),
    "in neither": ({"a": 0, "b": 0}, {"c": 0}, ["2 elements are only in gold", "1 element is only in pred (e.g. 'c')"]),
    "different clusters": ([["a"]], [["b"]], ["1 element is only in gold (e.g. 'a')", "only in pred (e.g. 'b')"]),
    "unhashable labels": ([1, [2], 3], OK, ["hashable", "label 1 is a list ([2])", "from_clusters"]),
    "unhashable elements": ([[[1]], [[2]]], OK, ["hashable"]),
    "a dict as label": (OK, [1, {}, 2], ["hashable", "label 1 is a dict"]),
    "collections and labels": ([[1], 2, 3], OK, ["gold mixes collections with single labels (e.g. 2)", "from_labels"]),
    "a list of mappings": ([{"a": 1}], OK, ["gold is a list of mappings", "from_frame", "from_mapping"]),
    "a set": ({1, 2, 3}, OK, ["gold is a set, which has no order", "list", "from_clusters"]),
    "a frozenset": (OK, frozenset({1, 2}), ["pred is a set, which has no order"]),
    "an ambiguous mapping": (
        {"a": ["x", "y"], "b": ["x"]}, {"a": ["x"], "b": ["x", "y"]},
        ["gold: 'a': ['x', 'y'] may be a cluster with its elements", "from_clusters", "from_memberships"],
    ),
    "a mapping to sets": (OK, {"a": {"x"}}, ["pred: 'a': {'x'} may be a cluster", "an element", "from_memberships"]),
    "a mapping of mappings": ({"a": {"x": 1}}, OK, ["gold maps 'a' to a dict"]),
    "a frame without elements": (
        frame(elemnt=[1], more=[2], cluster=[1]), {1: 1}, ["'elemnt'", "which column is the element?", "element="],
    ),
    "a frame without clusters": (
        pl.DataFrame({"element": [1], "one": [1], "other": [2]}), {1: 1}, ["which column is the cluster?", "cluster="],
    ),
    "a pyarrow table without": (
        pa.table({"a": [1], "b": [2]}), {1: 1}, ["'a', 'b'", "which column is the element and the cluster?"],
    ),
    "a frame of one column": (pl.DataFrame({"a": [1]}), {1: 1}, ["gold is matched by position"]),
    "a record batch": (pa.record_batch({"a": [1]}), {1: 1}, []),
    "a lazy frame": (pl.LazyFrame({"element": [1], "cluster": [1]}), {1: 1}, ["collect"]),
    "a frame with a column twice": (
        pd.DataFrame([[1, 2, 3]], columns=["element", "element", "cluster"]), {1: 1}, ["element"],
    ),
    "different indexes": (series([0, 1, 2]), series([2, 1, 0]), ["different indexes", ".to_numpy()", "from_mapping"]),
    "a Table as pred": (OK, Table.from_labels(OK, OK), ["Table"]),
    "a Table and pred": (Table.from_labels(OK, OK), OK, ["Table"]),
    "a polars struct": (pl.Series([{"a": 1}, {"a": 1}, {"a": 2}]), OK, ["gold"]),
}  # fmt: skip


# normal in coreference: a side without mentions, and mentions that the other side lacks
COREFERENCE = {kind.name for kind in cs.registered() if kind.group == "coreference" and not kind.of_mentions}
EMPTY = {"both empty", "empty mapping", "empty clusters", "empty frame"}
ONE_SIDED = {"only in gold", "only in pred", "in neither", "different clusters"}
# normal where clusterings may overlap
OVERLAP = {"an element in two clusters", "an element in two rows of a frame"}
TAKES_OVERLAP = {kind.name for kind in cs.registered() if kind.overlapping}
TAKES_OVERLAP |= {"score", "Table.from_labels", "elements", "clusters", "chance", "compare"}


@pytest.mark.parametrize("case", sorted(EMPTY | ONE_SIDED))
@pytest.mark.parametrize("function", sorted(COREFERENCE))
def test_pair_that_is_normal_in_coreference(function: str, case: str) -> None:
    gold, pred, _ = PAIRS[case]
    score = SCORERS[function](gold, pred)
    assert score.value == 0 or case.startswith("only in"), score
    assert 0 <= score.value < 1


@pytest.mark.parametrize("case", sorted(OVERLAP))
@pytest.mark.parametrize("function", sorted(TAKES_OVERLAP - {"chance", "compare"}))
def test_pair_that_overlaps(function: str, case: str) -> None:
    gold, pred, _ = PAIRS[case]
    made = SCORERS[function](gold, pred)
    if isinstance(made, cs.Columns):
        assert made["loss"].sum() > 0
        return
    scores = [made] if isinstance(made, cs.Score) else (cs.score(made) if isinstance(made, Table) else made).values()
    assert all(score.value < 1 for score in scores)


@pytest.mark.parametrize("case", PAIRS)
def test_pair(case: str) -> None:
    gold, pred, words = PAIRS[case]
    for name, function in SCORERS.items():
        expected = words
        if case in OVERLAP and name in TAKES_OVERLAP:
            continue
        if case in OVERLAP and name in ("errors", "error_cells"):
            expected = ["in more than one cluster", "cs.clusters and cs.elements"]
        if name in COREFERENCE:
            if case in EMPTY | ONE_SIDED:
                continue
            if case in ("empty gold", "empty pred"):  # labels by position
                expected = ["0", "3 labels" if case == "empty pred" else "has 3", "one per element"]
        with pytest.raises(cs.ClusterscoreError) as caught:
            function(gold, pred)
        assert [part for part in expected if part not in str(caught.value)] == [], (name, str(caught.value))
        assert "\n" not in str(caught.value), name
        assert isinstance(caught.value, ValueError | TypeError), name


OPTIONS: dict[str, tuple[Any, dict[str, Any], list[str]]] = {
    "missing": (OK, {"missing": "ignore"}, ["missing='ignore' is not", "'error', 'drop', 'singleton', 'keep'"]),
    "missing of a wrong type": (OK, {"missing": 3}, ["missing=3 is not an option"]),
    "missing in a list": (OK, {"missing": ["drop"]}, ["missing=['drop'] is not an option"]),
    "missing in an array": (OK, {"missing": np.array(["drop", "keep"])}, ["missing="]),
    "noise_as": (OK, {"noise": 0, "noise_as": "delete"}, ["noise_as='delete'", "'singleton', 'drop', 'cluster'"]),
    "noise_as without noise": (OK, {"noise_as": "delete"}, ["noise_as='delete'"]),
    "unhashable noise": (OK, {"noise": [[0]]}, ["noise=[[0]]", "cannot be a label"]),
    "noise in a mapping": (OK, {"noise": {0: 1}}, ["cannot be a label"]),
    "noise in an array": (OK, {"noise": np.array([0, 1])}, ["cannot be a label", "list"]),
    "all noise": (OK, {"noise": [0, 1], "noise_as": "drop"}, ["what is left", "is empty"]),
    "documents of another length": (OK, {"documents": ["d"]}, ["1 document id for 3 elements", "one per element"]),
    "one document name": (OK, {"documents": "doc"}, ["documents is the single str 'doc'"]),
    "a number of documents": (OK, {"documents": 3}, ["documents is 3"]),
    "documents in 2-D": (OK, {"documents": np.zeros((3, 2))}, ["documents is 2-dimensional"]),
    "documents in a mapping": (OK, {"documents": {0: "d"}}, ["documents is a mapping", "by position"]),
    "documents by position": (BY_ID, {"documents": ["d"] * 3}, ["the elements have ids", "mapping"]),
    "a document missing": (BY_ID, {"documents": {"a": 1, "b": 1}}, ["1 element without a document (e.g. 'c')"]),
    "a null document": (OK, {"documents": ["d", None, "d"]}, ["1 element without a document"]),
    "unhashable documents": (OK, {"documents": [[1], [2], [3]]}, ["hashable"]),
    "a set of documents": (OK, {"documents": {1, 2, 3}}, ["documents is a set"]),
    "an unknown option": (OK, {"docs": ["d"] * 3}, ["docs"]),
}  # fmt: skip


@pytest.mark.parametrize("case", OPTIONS)
def test_option(case: str) -> None:
    labels, options, words = OPTIONS[case]
    for function in ("elm", "rand", *DOORS):
        with pytest.raises(cs.ClusterscoreError) as caught:
            SCORERS[function](labels, labels, **options)
        assert [part for part in words if part not in str(caught.value)] == [], (function, str(caught.value))


WEIGHTS: dict[str, tuple[Any, Any, list[str]]] = {
    "negative": (OK, [1, -2, 1], ["1 weight negative", "-2.0", "from 0 up"]),
    "NaN": (OK, [1, NAN, NAN], ["2 weights negative, NaN or infinite"]),
    "None": (OK, [1, None, 1], ["1 weight"]),
    "infinite": (OK, [1, INF, 1], ["1 weight", "inf"]),
    "beyond floats": (OK, [10**400, 1, 1], ["weight"]),
    "of another length": (OK, [1, 1], ["2 weights for 3 elements", "one per element"]),
    "all zero": (OK, [0, 0, 0], ["the weights are all zero"]),
    "words": (OK, ["a", "b", "c"], ["weights must be numbers"]),
    "an unknown word": (OK, "klass", ["weights='klass' is not an option", "'class'"]),
    "given, but not": (OK, "given", ["needs weights", "weights=[...]"]),
    "one number": (OK, 3, ["weights is 3"]),
    "2-D": (OK, np.ones((3, 2)), ["weights is 2-dimensional"]),
    "nested": (OK, [[1, 2], [3, 4], [5, 6]], ["weights"]),
    "ragged": (OK, [[1, 2], [3], [5, 6]], ["weights"]),
    "complex": (OK, np.array([1j, 1, 1]), ["weights"]),
    "dates": (OK, np.array(["2020"] * 3, "M8[Y]"), ["weights"]),
    "a mapping by position": (OK, {0: 1}, ["weights is a mapping", "by position"]),
    "a list by id": (BY_ID, [1, 1, 1], ["the elements have ids", "mapping"]),
    "one missing": (BY_ID, {"a": 1, "b": 1}, ["1 element without a weight (e.g. 'c')"]),
    "a set": (OK, {1, 2, 3}, ["weights is a set"]),
}  # fmt: skip


@pytest.mark.parametrize("case", WEIGHTS)
def test_weights(case: str) -> None:
    labels, weights, words = WEIGHTS[case]
    weighing = {"score", "elements", "clusters", "errors", "error_cells", "chance", "compare"}
    for function in ("elm", "bcubed", "adapted_bcubed", "alphamax_bcubed", *weighing):
        with pytest.raises(cs.ClusterscoreError) as caught:
            SCORERS[function](labels, labels, weights=weights)
        assert [part for part in words if part not in str(caught.value)] == [], (function, str(caught.value))


WHOLE: dict[Any, str] = {-1: "{}=-1", True: "{}=True", 2.5: "{}=2.5", "100": "{}='100'", None: "{}=None"}
# what is asked of functions that score: who is asked, with what, and what the message must say
ASKED: dict[str, tuple[list[str], dict[str, Any], str]] = {
    "an average": (["score", "chance", "compare", "accumulate", "agree"], {"average": "median"},
                   "average='median' is not an option; use one of 'micro', 'macro'"),
    "an unknown metric": (["score", "chance", "compare", "accumulate", "estimate", "sweep"], {"metrics": "elmo"},
                          "unknown metric 'elmo': did you mean 'elm'?"),
    "no metric": (["score", "chance", "compare", "accumulate", "estimate"], {"metrics": []}, "no metric was given"),
    "one unknown metric": (["elements", "clusters", "errors", "error_cells", "agree"], {"metric": "elmo"},
                           "unknown metric 'elmo': did you mean 'elm'?"),
    "a metric of no elements": (["elements", "clusters", "errors", "error_cells"], {"metric": "rand"},
                                "rand does not score single elements; these do: "),
    "an adjusted metric": (["elements", "clusters", "errors", "error_cells"], {"metric": "elm(adjusted=true)"},
                           "elm(adjusted=true) adjusts the score of all elements"),
    "weights that are not there": (["elements", "clusters", "errors", "error_cells"], {"metric": "elm(weights=given)"},
                                   "needs weights, one number per element"),
    "weights of rand": (["score", "chance", "compare", "accumulate"], {"metrics": "rand", "weights": "class"},
                        "rand does not accept element weights"),
    "a metric that needs both sides": (["chance", "compare", "score"], {"metrics": "elm", "missing": "keep"},
                                       "elm needs the same elements on both sides"),
    "missing": (["accumulate", "estimate", "sweep", "agree"], {"missing": "perhaps"}, "missing='perhaps' is not"),
    "noise_as": (["accumulate", "agree"], {"noise": 0, "noise_as": "x"}, "noise_as='x' is not an option"),
    **{f"resamples={value!r}": (["chance", "compare", "estimate"], {"resamples": value}, text.format("resamples"))
       for value, text in WHOLE.items()},
    **{f"seed={value!r}": (["chance", "compare", "estimate"], {"seed": value}, text.format("seed"))
       for value, text in WHOLE.items()},
    **{f"confidence={value}": (["compare", "estimate"], {"confidence": value, "resamples": 9}, "between 0 and 1")
       for value in (95, NAN)},
    **{f"a misspelt {name}": (doors, {name: 1}, f"has no option '{name}': did you mean '{meant}'?")
       for name, meant, doors in (("resample", "resamples", ["chance", "compare", "estimate"]),
                                  ("averag", "average", ["score", "chance", "compare", "agree"]),
                                  ("baseline", "baselines", ["score"]), ("weight", "weights", ["estimate"]),
                                  ("metrics", "metric", ["elements", "clusters", "errors", "error_cells"]))},
}  # fmt: skip
ASKING: dict[str, Callable[..., Any]] = {
    **SCORERS,
    "accumulate": lambda gold, pred, **more: cs.Accumulator(**more),
    "agree": lambda gold, pred, **more: cs.agreement_matrix({"a": gold, "b": pred}, **more),
    "estimate": lambda gold, pred, **more: cs.estimate([["a"], ["b", "c"]], BY_ID, **{"weights": "uniform", **more}),
    "sweep": lambda gold, pred, **more: cs.sweep(BY_ID, edges=[("a", "b", 0.5)], **more),
}


@pytest.mark.parametrize("case", ASKED)
def test_what_is_asked(case: str) -> None:
    doors, options, words = ASKED[case]
    for function in doors:
        sides = (BY_ID, {"a": 0}) if options.get("missing") == "keep" else (BY_ID, BY_ID)
        with pytest.raises(cs.ClusterscoreError) as caught:
            ASKING[function](*sides, **options)
        assert words in str(caught.value), (function, str(caught.value))
        if case.startswith(("resamples=", "seed=")):
            assert "a whole number from " in str(caught.value), function
            assert isinstance(caught.value, cs.InputError if "-1" in case else cs.InputTypeError), function


@pytest.mark.parametrize("name", [kind.name for kind in cs.registered() if not kind().weighable])
def test_measures_without_weights_say_so(name: str) -> None:
    with pytest.raises(cs.MetricError, match=f"{name} does not accept element weights; these do: .*elm"):
        getattr(cs, name)(OK, OK, weights=[1, 1, 1])
    if not hasattr(cs.metric(name), "weights"):
        with pytest.raises(cs.MetricError, match="does not accept element weights"):
            cs.score(OK, OK, metrics=["elm", name], weights="class")


CALLS: dict[str, tuple[Callable[[], Any], list[str]]] = {
    "elements no metric": (lambda: cs.elements(OK, OK, metric=3), ["named by a string"]),
    "elements empty metric": (lambda: cs.elements(OK, OK, metric=""), ["metric"]),
    "a huge table": (lambda: cs.elements(Table.from_cells(["a"], ["b"], [10**10])), ["10,000,000,000", "score"]),
    "options of a table": (lambda: cs.elm(Table.from_labels(OK, OK), noise=1), ["noise=", "from_labels"]),
    "weights of a table": (lambda: cs.elm(Table.from_labels(OK, OK), weights=[1] * 3), ["weights=", "from_labels"]),
    "weights by class where clusters overlap": (
        lambda: cs.score([[1, 2], [2]], [[1], [2]], weights="class"), ["weights='class'", "several", "one number"],
    ),
    "weights by class of matched_elm": (lambda: cs.matched_elm(OK, OK, weights="class"), ["weights='class'"]),
    "labels: None": (lambda: Made.from_labels(None), ["labels is None"]),
    "labels: a string": (lambda: Made.from_labels("ab"), ["single str 'ab'"]),
    "labels: a mapping": (lambda: Made.from_labels({1: 2}), ["from_mapping"]),
    "labels: a set": (lambda: Made.from_labels({1, 2}), ["no order"]),
    "labels: a frame": (lambda: Made.from_labels(frame(a=[1])), ["frame", "from_frame"]),
    "labels: 2-D": (lambda: Made.from_labels(np.zeros((2, 2))), ["2-dimensional"]),
    "labels: unhashable": (lambda: Made.from_labels([[1]]), ["hashable"]),
    "labels: elements": (lambda: Made.from_labels(OK, elements=[1]), ["3 labels but 1 element"]),
    "labels: elements repeat": (lambda: Made.from_labels(OK, elements="aab"), ["1 membership given twice", "'a'"]),
    "labels: elements unhashable": (lambda: Made.from_labels([1], elements=[[1]]), ["hashable"]),
    "labels: documents": (lambda: Made.from_labels(OK, documents=[1]), ["3 labels but 1 document"]),
    "mapping: a list": (lambda: Made.from_mapping([(1, 2)]), ["from_mapping takes a mapping", "not a list"]),
    "mapping: None": (lambda: Made.from_mapping(None), ["not None"]),
    "mapping: unhashable": (lambda: Made.from_mapping({1: [2]}), ["hashable"]),
    "clusters: None": (lambda: Made.from_clusters(None), ["from_clusters", "None"]),
    "clusters: a number": (lambda: Made.from_clusters(3), ["from_clusters"]),
    "clusters: a string": (lambda: Made.from_clusters("abc"), ["cluster 0 is 'a'", "from_labels"]),
    "clusters: labels": (lambda: Made.from_clusters([1, 2]), ["cluster 0 is 1", "from_labels"]),
    "clusters: strings": (lambda: Made.from_clusters({"k": "ab"}), ["is 'ab'"]),
    "clusters: 0-D": (lambda: Made.from_clusters([np.array(1)]), ["cluster 0"]),
    "clusters: unhashable": (lambda: Made.from_clusters([[[1]]]), ["hashable"]),
    "clusters: an element twice": (lambda: Made.from_clusters([[1, 2], [2, 3, 3]]), ["1 membership", "element 3"]),
    "memberships: a number": (lambda: Made.from_memberships(3), ["element -> labels"]),
    "memberships: a string": (lambda: Made.from_memberships({"a": "xy"}), ["element 'a' has 'xy'", "{'xy'}"]),
    "memberships: labels": (lambda: Made.from_memberships([1, 2]), ["position 0 has 1", "{1}"]),
    "memberships: a mapping": (lambda: Made.from_memberships([{"x": 1}]), ["position 0"]),
    "memberships: elements twice": (
        lambda: Made.from_memberships({1: [2]}, elements=[1]), ["names its elements", "a list of collections"],
    ),
    "graded: elements twice": (
        lambda: Made.from_graded({1: {2: 1}}, elements=[1]), ["names its elements", "a list of mappings"],
    ),
    "images: none": (lambda: Made.from_images([]), ["has no image"]),
    "file: a number": (lambda: cs.File("a.csv", element=1.5), ["element=1.5 is a float; pass a name as text"]),
    "file: a word for header": (lambda: cs.File("a.csv", header="no"), ["header='no' must be True, or False"]),
    "page streams: a set": (lambda: cs.score({1, 0}, {1, 0}, field="page-streams"), ["a set, which has no order"]),
    "memberships: unhashable": (lambda: Made.from_memberships([[[1]]]), ["hashable"]),
    "memberships: twice": (lambda: Made.from_memberships([["x", "x"]]), ["1 membership given twice", "'x'"]),
    "pairs: None": (lambda: Made.from_pairs(None), ["pair"]),
    "pairs: a number": (lambda: Made.from_pairs(3), ["pair"]),
    "pairs: of three": (lambda: Made.from_pairs([(1, 2), (1, 2, 3)]), ["1 linked pair", "pair 1", "(1, 2, 3)"]),
    "pairs: of one": (lambda: Made.from_pairs([(1,)]), ["1 linked pair"]),
    "pairs: strings": (lambda: Made.from_pairs(["ab", "cd"]), ["2 linked pairs", "'ab'"]),
    "pairs: bytes": (lambda: Made.from_pairs([b"ab"]), ["1 linked pair"]),
    "pairs: sets": (lambda: Made.from_pairs([{1}]), ["1 linked pair"]),
    "pairs: unhashable": (lambda: Made.from_pairs([([1], [2])]), ["hashable"]),
    "pairs: elements": (lambda: Made.from_pairs([(1, 2)], elements=5), ["elements"]),
    "pairs: 0-D": (lambda: Made.from_pairs([np.array(1)]), ["1 linked pair"]),
    "lengths: zero": (lambda: Made.from_lengths([2, 0]), ["whole numbers from 1 up", "0"]),
    "lengths: negative": (lambda: Made.from_lengths([2, -3]), ["-3"]),
    "lengths: a fraction": (lambda: Made.from_lengths([1.5]), ["1.5"]),
    "lengths: NaN": (lambda: Made.from_lengths([NAN, 1]), ["nan"]),
    "lengths: infinite": (lambda: Made.from_lengths([INF, 1]), ["inf"]),
    "lengths: words": (lambda: Made.from_lengths(["a"]), ["'a'"]),
    "lengths: None": (lambda: Made.from_lengths(None), ["lengths is None"]),
    "lengths: None inside": (lambda: Made.from_lengths([None]), ["None"]),
    "lengths: bools": (lambda: Made.from_lengths([True, False]), ["whole numbers"]),
    "lengths: 2-D": (lambda: Made.from_lengths(np.ones((2, 2), int)), ["lengths is 2-dimensional (2 x 2)"]),
    "lengths: 3-D": (lambda: Made.from_lengths([[1], [[1, 2]]]), ["lengths is 2-dimensional (1 x 2)"]),
    "lengths: a stream and a number": (lambda: Made.from_lengths([[1, 2], 3]), ["lengths is 3, a single int"]),
    "lengths: a number and a stream": (lambda: Made.from_lengths([3, [1, 2]]), ["lengths is 3, a single int"]),
    "lengths: a stream of words": (lambda: Made.from_lengths([[1], ["a"]]), ["lengths must be numbers", "'a'"]),
    "lengths: beyond 64 bits": (lambda: Made.from_lengths([10**30]), ["length"]),
    "lengths: beyond memory": (lambda: Made.from_lengths([1e30]), ["length"]),
    "boundaries: two": (lambda: Made.from_boundaries([0, 2]), ["0 or 1", "2"]),
    "boundaries: NaN": (lambda: Made.from_boundaries([0, NAN]), ["nan"]),
    "boundaries: None": (lambda: Made.from_boundaries([0, None]), ["None"]),
    "boundaries: words": (lambda: Made.from_boundaries(["0"]), ["'0'"]),
    "boundaries: a string": (lambda: Made.from_boundaries("0110"), ["boundaries is the single str"]),
    "boundaries: 2-D": (lambda: Made.from_boundaries(np.ones((2, 2), int)), ["boundaries is 2-dimensional (2 x 2)"]),
    "boundaries: a stream of lengths": (lambda: Made.from_boundaries([[1, 0], [3]]), ["0 or 1", "3"]),
    "boundaries: a stream and None": (lambda: Made.from_boundaries([[1], None]), ["boundaries is None"]),
    "frame: None": (lambda: Made.from_frame(None), ["frame"]),
    "frame: a list": (lambda: Made.from_frame([1]), ["frame"]),
    "frame: a dict": (lambda: Made.from_frame({"element": [1], "cluster": [1]}), ["frame"]),
    "frame: a column": (lambda: Made.from_frame(frame(a=[1], b=[1]), element="a", cluster="c"), ["no column 'c'"]),
    "frame: document": (
        lambda: Made.from_frame(frame(element=[1], cluster=[1], doc=[1]), document="dok"), ["'dok'", "'doc'"],
    ),
    "frame: a number": (lambda: Made.from_frame(frame(a=[1]), element=3), ["no column 3"]),
    "matrix: None": (lambda: Table.from_matrix(None), ["two dimensions, but this has 0"]),
    "matrix: 1-D": (lambda: Table.from_matrix([1, 2]), ["two dimensions, but this has 1", "from_labels"]),
    "matrix: 3-D": (lambda: Table.from_matrix(np.ones((2, 2, 2))), ["this has 3"]),
    "matrix: ragged": (lambda: Table.from_matrix([[1, 2], [3]]), ["ragged"]),
    "matrix: negative": (lambda: Table.from_matrix([[1, -1]]), ["1 count not a whole number from 0 up (e.g. -1)"]),
    "matrix: fractions": (lambda: Table.from_matrix([[0.5, 1.5]]), ["2 counts", "0.5"]),
    "matrix: NaN": (lambda: Table.from_matrix([[NAN, 1]]), ["1 count", "nan"]),
    "matrix: infinite": (lambda: Table.from_matrix([[INF, 1]]), ["1 count", "inf"]),
    "matrix: words": (lambda: Table.from_matrix([["a"]]), ["must be numbers"]),
    "matrix: None inside": (lambda: Table.from_matrix([[None, 1]]), ["must be numbers"]),
    "matrix: complex": (lambda: Table.from_matrix([[1j]]), ["must be numbers"]),
    "matrix: empty": (lambda: Table.from_matrix(np.zeros((0, 0))), ["the table is empty"]),
    "matrix: all zero": (lambda: Table.from_matrix([[0, 0]]), ["the table is empty"]),
    "matrix: too large": (lambda: Table.from_matrix([[2**62, 2**62]]), ["elements; the maximum is"]),
    "matrix: beyond 64 bits": (lambda: Table.from_matrix([[10**30]]), ["the maximum is"]),
    "matrix: sparse, negative": (lambda: Table.from_matrix(sparse.csr_array([[1, -1]])), ["1 count"]),
    "cells: lengths": (lambda: Table.from_cells([1], [1, 2], [1]), ["1 gold, 2 pred and 1 n"]),
    "cells: empty": (lambda: Table.from_cells([], [], []), ["the table is empty"]),
    "cells: a string": (lambda: Table.from_cells("ab", [1, 2], [1, 1]), ["gold is the single str"]),
    "cells: n is a number": (lambda: Table.from_cells(["a"], ["b"], 3), ["n is 3"]),
    "cells: negative": (lambda: Table.from_cells(["a"], ["b"], [-3]), ["1 count", "-3"]),
    "cells: 2-D": (lambda: Table.from_cells([1, 2], [1, 2], [[1, 2], [3, 4]]), ["n"]),
    "cells: documents": (lambda: Table.from_cells([1], [1], [1], document=[1, 2]), ["2 documents for 1 cell"]),
    "cells: size below": (lambda: Table.from_cells(["a"], ["b"], [3], gold_size={"a": 2}), ["gold_size", "'a'"]),
    "cells: size 0": (lambda: Table.from_cells(["a"], ["b"], [3], pred_size={"c": 0}), ["pred_size", "'c'", "0"]),
    "cells: size in words": (lambda: Table.from_cells(["a"], ["b"], [3], gold_size={"a": "9"}), ["gold_size", "'9'"]),
    "cells: size None": (lambda: Table.from_cells(["a"], ["b"], [3], gold_size={"a": None}), ["gold_size", "None"]),
    "cells: size NaN": (lambda: Table.from_cells(["a"], ["b"], [3], gold_size={"a": NAN}), ["gold_size", "nan"]),
    "cells: size 4.5": (lambda: Table.from_cells(["a"], ["b"], [3], gold_size={"a": 4.5}), ["gold_size", "4.5"]),
    "cells: size too large": (lambda: Table.from_cells(["a"], ["b"], [3], gold_size={"a": 10**30}), ["elements"]),
    "cells: sizes in a list": (lambda: Table.from_cells(["a"], ["b"], [3], gold_size=[3]), ["gold_size"]),
    "cells: sizes and documents": (
        lambda: Table.from_cells(["a"], ["b"], [3], document=[1], gold_size={"a": 3}), ["cannot be combined"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CALLS)
def test_call(case: str) -> None:
    call, words = CALLS[case]
    with pytest.raises(cs.ClusterscoreError) as caught:
        call()
    assert [part for part in words if part not in str(caught.value)] == [], str(caught.value)


def test_a_generator_is_read_once() -> None:
    assert cs.elm((label for label in OK), iter([0, 1, 1])) == cs.elm(OK, [0, 1, 1])


def test_errors_are_what_a_python_user_expects() -> None:
    assert issubclass(cs.InputError, ValueError)
    assert issubclass(cs.InputTypeError, TypeError)
    assert issubclass(cs.MetricError, ValueError)
    assert issubclass(cs.ElementMismatch, cs.InputError)
    for error in (cs.InputError, cs.InputTypeError, cs.MetricError, cs.FileError):
        assert issubclass(error, cs.ClusterscoreError)


leaf = st.one_of(
    st.none(), st.booleans(), st.integers(-3, 3), st.integers(), st.floats(), st.text(max_size=2),
    st.binary(max_size=2), st.complex_numbers(), st.builds(np.float64, st.floats()),
    st.builds(np.array, st.integers(0, 2)),
    st.builds(np.datetime64, st.sampled_from(["NaT", "2020"]), st.just("D")),
    st.just(pd.NA), st.just(Ellipsis), st.just(int),
)  # fmt: skip
hashable = st.one_of(st.none(), st.integers(0, 2), st.floats(), st.text(max_size=1))
hashable = hashable | st.tuples(hashable) | st.frozensets(hashable, max_size=2)
junk = st.recursive(
    leaf,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.lists(inner, max_size=3).map(tuple),
        st.dictionaries(hashable, inner, max_size=3),
        st.sets(hashable, max_size=3), st.frozensets(hashable, max_size=3), st.lists(inner, max_size=3).map(iter),
        st.lists(inner, max_size=3).map(lambda items: np.array([*items, None], object)[:-1]),
        st.lists(st.floats(), max_size=3).map(np.array), st.lists(st.integers(0, 2), max_size=3).map(pd.Series),
    ),
    max_leaves=8,
)  # fmt: skip
fuzz = settings(max_examples=200, deadline=None, derandomize=True, database=None)


DOUBTFUL = pytest.mark.filterwarnings(
    "ignore:gold and pred are nothing but 0 and 1",
    "ignore:.* is a text and makes one cluster",
    "ignore:gold has more clusters than elements",
    "ignore:.* the label .?-1",
)


@DOUBTFUL
@fuzz
@given(junk, junk)
def test_junk_is_scored_or_refused(gold: Any, pred: Any) -> None:
    with suppress(cs.ClusterscoreError):
        assert isinstance(cs.elm(gold, pred), cs.Score)


@DOUBTFUL
@fuzz
@given(junk, st.booleans())
def test_junk_against_itself_is_perfect_or_refused(gold: Any, as_labels: bool) -> None:
    with suppress(cs.ClusterscoreError):
        side = Made.from_labels(gold) if as_labels else gold
        card = cs.score(side, side, noise=[None] if as_labels else None)
        assert [score.value for score in card.values()] == [pytest.approx(1)] * len(card)


@fuzz
@given(junk, junk, junk, junk)
def test_junk_options_are_taken_or_refused(documents: Any, weights: Any, noise: Any, metrics: Any) -> None:
    for options in ({"documents": documents}, {"weights": weights}, {"noise": noise}, {"metrics": metrics}):
        with suppress(cs.ClusterscoreError):
            assert isinstance(cs.score([0, 0, 1], [0, 1, 1], **options), cs.Scorecard)


@fuzz
@given(junk)
def test_junk_for_constructors(given: Any) -> None:
    for make in (Made.from_labels, Made.from_mapping, Made.from_clusters, Made.from_memberships, Made.from_pairs,
                 Made.from_boundaries, Table.from_matrix):  # fmt: skip
        with suppress(cs.ClusterscoreError):
            assert isinstance(make(given), Made | Table)


PILOT = cs.estimate(
    [["a"], ["b", "c"]],
    {"a": 0, "b": 0, "c": 1, **{f"r{k}": k for k in range(99)}},
    metrics="elm",
    resamples=0,
    weights="uniform",
)
SWEPT = cs.sweep(OK, np.array([[0, 1, 0.1, 2], [2, 3, 0.4, 3]]))
SPLIT, WHOLE = (
    Made.from_memberships({"a": [1], "b": [1, 2], "c": []}),
    Made.from_memberships({"a": [1], "b": [2], "c": [2]}),
)
FRAME, KEPT = pl.DataFrame({"gold": OK, "pred": OK}), 'missing="keep" keeps 1 element in no cluster of'
REFUSED: dict[str, tuple[Callable[[], Any], str]] = {
    "an option of files": (lambda: cs.score(OK, OK, header=0), "it is one of a file: cs.File(path, header=...)"),  # type: ignore[call-arg]
    "an option of metrics": (lambda: cs.compare(OK, {"A": OK}, collar=1), "of a metric: metrics='der(collar=...)'"),  # type: ignore[call-overload]
    "elements that are kept": (
        lambda: cs.score(BY_ID, {"a": 1}, missing="keep", field="clustering"),
        "no metric of the default set is defined here, where a side has points that the other lacks; name some with "
        'metrics=, or pass missing="drop"',
    ),
    "threads": (lambda: cs.score_table(FRAME, engine="duckdb", threads=10**9), "threads=1,000,000,000 is too many for"),
    "target": (lambda: cs.plan(PILOT, target=1e-300), "target=1e-300 takes more clusters than there can be"),
    "large target": (lambda: cs.plan(PILOT, target=10**400), "too large for a float"),
    "pairs beta": (lambda: cs.score_pairs([("a", "b", "match")], BY_ID, beta=10**400), "too large for a float"),
    "weights": (lambda: cs.estimate(BY_ID, BY_ID, weights=None), "how were these gold clusters drawn?"),
    "categorical": (lambda: Made.from_predictions(pd.Categorical([0]), threshold=0.5), "cannot read this Categorical"),
    "path": (lambda: Made.from_file([1]), "a file is named by its path, not by a list"),  # type: ignore[arg-type]
    "paths": (lambda: Made.from_files(b"a", 3), "not by a bytes"),  # type: ignore[arg-type]
    "best": (lambda: SWEPT.best("nope"), "unknown metric 'nope'"),
    "best of none": (lambda: SWEPT.best(None), "a metric is named by a string"),  # type: ignore[arg-type]
    "systems": (
        lambda: cs.score(OK, {"kmeans": [0, 1, 1]}),
        "pred: 'kmeans': [0, 1, 1] may be a cluster with its elements or an element with its clusters; pass",
    ),
    "two systems": (lambda: cs.score(OK, {"a": np.array(OK), "b": OK}), "go to cs.compare(gold, systems)"),
    "systems by id": (lambda: cs.score(BY_ID, {"a": BY_ID}), "cs.compare takes several predictions by name"),
    "metrics": (lambda: cs.metrics(), "cs.registered() lists all metrics"),
    "no cluster of gold": (lambda: cs.matched_elm(SPLIT, WHOLE, missing="keep"), f"{KEPT} gold;"),
    "no cluster of pred": (lambda: cs.matched_elm(WHOLE, SPLIT, missing="keep"), f"{KEPT} pred;"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_refused_with_a_remedy(case: str) -> None:
    call, words = REFUSED[case]
    with pytest.raises(cs.ClusterscoreError) as caught:
        call()
    assert words in str(caught.value)


@pytest.mark.parametrize("kind", [kind for kind in cs.registered() if kind.limits])
def test_parameters_too_large_for_a_float(kind: type[cs.Metric]) -> None:
    for name in kind.limits:
        for value in (10**400, -(10**400), 10**5000):
            with pytest.raises(cs.MetricError, match=f"{name}=-?inf is out of range; it is a finite number"):
                kind(**{name: value})


def test_numbers_of_several_libraries_are_the_same_label() -> None:
    from decimal import Decimal

    assert cs.elm([0, 0, 1], [Decimal(1), np.int8(1), np.float64(2)]).f == 1
