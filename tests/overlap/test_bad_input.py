"""What may go wrong with overlapping clusterings: a clear answer, or an error that says what, where, and what to do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import clusterscore as cs
from clusterscore.metrics import GRADED_SET, OVERLAPPING_SET
from overlap import by_definition
from overlap.clusterings import near
from variants import NAMES, numbers

NAN = float("nan")
Made = cs.Clustering
OVERLAPPING = [*OVERLAPPING_SET, *GRADED_SET, "element_centric"]
KEEPING = ["omega", "overlapping_nmi", "community_f1"]  # defined where an element is in no cluster
PARTITION_ONLY = [name for name in NAMES if name not in OVERLAPPING]
OK = Made.from_memberships({"a": {1, 2}, "b": {2}, "c": {3}})


def frame(rows: str) -> pd.DataFrame:
    """Rows such as "a1 b1": element a is in cluster 1."""
    return pd.DataFrame({"element": [row[0] for row in rows.split()], "cluster": [row[1] for row in rows.split()]})


TWO_MEANINGS = ["Clustering.from_clusters(mapping)", "Clustering.from_memberships(mapping)", "cs.compare"]
# what is wrong: how it is made, and what the message must say
WRONG: dict[str, tuple[Callable[[], Any], list[str]]] = {
    "a membership twice, in a list of labels": (
        lambda: Made.from_memberships({"a": ["x", "x"], "b": ["y"]}),
        ["'a'", "'x'", "twice"],
    ),
    "a membership twice, in a cluster": (lambda: [["a", "b", "a"], ["b"]], ["'a'", "twice"]),
    "a membership twice, in a frame": (lambda: frame("a1 b1 a2 a1"), ["'a'", "'1'", "twice"]),
    "a membership twice, in rows": (
        lambda: Made.from_labels([1, 1, 2], elements=["a", "a", "b"]),
        ["'a'", "1", "twice"],
    ),
    "a membership twice, of a whole number that was read as a float": (
        lambda: Made.from_labels([1, 1, 2], elements=[2.0, 2.0, 3.5]),
        ["2.0", "twice", "remove the repetitions"],
    ),
    "a string beside sets": (lambda: {"a": {"x"}, "b": "xy"}, ["'b'", "'xy'", "set"]),
    "a string beside sets, first": (lambda: {"b": "xy", "a": {"x"}}, ["'b'", "'xy'", "set"]),
    "bytes beside sets": (lambda: {"a": {b"x"}, "b": b"xy"}, ["'b'", "b'xy'"]),
    "a number beside sets": (lambda: {"a": {1}, "b": 2}, ["'b'", "2"]),
    "None beside sets": (lambda: {"a": {1}, "b": None}, ["'b'"]),
    "None in a set": (lambda: Made.from_memberships({"a": {1, None}, "b": {1}}), ["1 element", "'a'", "None"]),
    "NaN in a set": (lambda: Made.from_memberships({"a": {1.0}, "b": {1.0, NAN}}), ["1 element", "'b'"]),
    "NaN in two sets": (lambda: Made.from_memberships({"a": {NAN}, "b": {1.0, NAN}}), ["2 elements", "'a'"]),
    "None as the cluster of a row": (
        lambda: Made.from_labels(["x", "y", None], elements=["a", "a", "b"]),
        ["1 element", "'b'"],
    ),
    "an unhashable label": (lambda: Made.from_memberships({"a": [["x"]], "b": ["y"]}), ["hashable"]),
    "a dict as a label": (lambda: Made.from_memberships({"a": [{}], "b": [{}]}), ["hashable"]),
    "an unhashable element": (lambda: [[["a"], ["b"]], [["b"]]], ["hashable"]),
    "a mapping of mappings": (lambda: {"a": {"x": 1}, "b": {"x": 2}}, ["'a'", "dict"]),
    "a mapping of sets": (lambda: {"a": {"x", "y"}, "b": {"x"}}, ["'a': {", *TWO_MEANINGS]),
    "a mapping of lists": (lambda: {"a": ["x", "y"], "b": ["x"]}, ["'a': ['x', 'y']", *TWO_MEANINGS]),
    "a mapping of empty sets": (lambda: {"a": set(), "b": set()}, ["'a': set()", *TWO_MEANINGS]),
    "no element at all": (lambda: Made.from_memberships({}), ["empty"]),
    "no membership at all": (lambda: Made.from_memberships({"a": set(), "b": set()}), ["a"]),
    "memberships of nothing": (lambda: Made.from_memberships(None), ["None"]),
    "memberships of a number": (lambda: Made.from_memberships(3), ["3"]),
    "memberships of a string": (lambda: Made.from_memberships("abc"), ["'abc'"]),
    "memberships of strings": (lambda: Made.from_memberships(["ab", "c"]), ["'ab'"]),
    "memberships of numbers": (lambda: Made.from_memberships([1, 2]), ["1"]),
    "memberships by id of strings": (lambda: Made.from_memberships({"a": "xy"}), ["'a'", "'xy'"]),
    "no column of clusters": (
        lambda: frame("a1 a2").rename(columns={"cluster": "clus"}).assign(size=2),
        ["'element', 'clus', 'size'", "which column is the cluster?", 'cluster="..."'],
    ),
}


@pytest.mark.parametrize("case", WRONG)
@pytest.mark.parametrize("side", ["gold", "pred"])
def test_wrong(case: str, side: str) -> None:
    make, words = WRONG[case]
    for name in OVERLAPPING:
        with pytest.raises(cs.ClusterscoreError) as caught:
            getattr(cs, name)(*((make(), OK) if side == "gold" else (OK, make())))
        message = str(caught.value)
        assert [word for word in words if word not in message] == [], (name, message)
        assert "\n" not in message
        assert isinstance(caught.value, ValueError | TypeError)


def pooled() -> cs.Table:
    table = cs.Table.from_labels(OK, OK, documents={"a": "x", "b": "x", "c": "y"})
    return table.pooled()


# what only partitions have, and what a pooled table does not know
REFUSED: dict[str, tuple[Callable[[], Any], str]] = {
    "a matrix": (
        lambda: cs.Table.from_labels(OK, OK).to_matrix(),
        "clusters that overlap have no contingency matrix: it would count elements several times",
    ),
    "only": (
        lambda: cs.score(OK, OK, metrics="omega", only=[1]),
        "only= is for clusters that do not overlap; leave it out",
    ),
    "pooled": (lambda: cs.elm(pooled()), r"1 element of gold in more than one cluster \(e.g. in 1 and 2\), and elm"),
}


@pytest.mark.filterwarnings("ignore:gold and pred are the same")
@pytest.mark.parametrize("case", REFUSED)
def test_refused(case: str) -> None:
    call, message = REFUSED[case]
    with pytest.raises(cs.InputError, match=message):
        call()


@pytest.mark.filterwarnings("ignore:gold and pred are the same")
@pytest.mark.parametrize(
    ("limit", "most", "metric", "message"),
    [
        ("cover.MOST", 1, "matched_elm", "6 pairs of clusters that meet in an element, which .* the most is 1: score"),
        (
            "shared._MOST_SECONDS",
            0,
            "omega",
            "every two elements that share a cluster: .* leave them out, or score doc",
        ),
        ("walks._MOST_SQUARE", 0, "element_centric", "each of 2 kinds of elements .* GB and 1 hour of work; leave it"),
    ],
)
def test_too_much_work(limit: str, most: float, metric: str, message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"clusterscore.overlap.{limit}", most)
    with pytest.raises(cs.InputError, match=message):
        cs.metric(metric)(OK, OK)


def test_the_only_other_column_is_taken_for_the_clusters() -> None:
    rows = frame("a1 a2 b2 c3")
    with pytest.warns(cs.ClusterscoreWarning, match=r"with column 'clus' as the cluster.*cluster=.clus"):
        score = cs.matched_elm(rows.rename(columns={"cluster": "clus"}), OK)
    assert score.value == cs.matched_elm(rows, OK).value == 1


def test_memberships_of_a_set_have_no_order() -> None:
    with pytest.raises(cs.ClusterscoreError, match="set"):
        Made.from_memberships({frozenset("ab"), frozenset("c")})


# Elements in no cluster ----------------------------------------------------------------------------------

# c is in no cluster of gold; d has no row in pred at all
UNCOVERED = Made.from_memberships({"a": {1, 2}, "b": {2}, "c": set(), "d": {1}, "e": {2, 3}, "f": {3}})
FOUND = Made.from_memberships({"a": {1}, "b": {1, 2}, "c": {2}, "e": {2}, "f": {2, 3}})
DROPPED = ["a", "abe", "ef"], ["ab", "bef", "f"]
SINGLE = ["ad", "abe", "ef", "c"], ["ab", "bcef", "f", "d"]
KEPT = ["ad", "abe", "ef"], ["ab", "bcef", "f"]


def defined(name: str, gold: Any, pred: Any, **options: Any) -> float:
    score = getattr(by_definition, name)(gold, pred, **options)
    return float(getattr(score, "f", getattr(score, "value", score)))


@pytest.mark.parametrize("name", [*KEEPING, "overlapping_nmi(normalization=lancichinetti)"])
def test_nothing_is_clustered(name: str) -> None:
    """No cluster on either side is twice the same clustering; on one side only nothing was found."""
    nothing, something = (Made.from_memberships({"a": labels, "b": labels}) for labels in (set(), {1}))
    metric = cs.metric(name)
    assert metric(nothing, nothing, missing="keep").value == 1
    assert metric(nothing, something, missing="keep").value == 0
    assert metric(something, nothing, missing="keep").value == 0


@pytest.mark.parametrize("name", OVERLAPPING)
def test_uncovered_elements(name: str) -> None:
    function = getattr(cs, name)
    with pytest.raises(cs.ClusterscoreError) as caught:
        function(UNCOVERED, FOUND)
    assert [word for word in ("'d'", "missing") if word not in str(caught.value)] == []
    assert function(UNCOVERED, FOUND, missing="drop").value == near(defined(name, *DROPPED))
    assert function(UNCOVERED, FOUND, missing="singleton").value == near(defined(name, *SINGLE))
    if name not in KEEPING:
        with pytest.raises(cs.ClusterscoreError, match=r"missing=.*(omega|overlapping_nmi|community_f1)"):
            function(UNCOVERED, FOUND, missing="keep")
    else:
        options = {} if name == "community_f1" else {"elements": "abcdef"}
        assert function(UNCOVERED, FOUND, missing="keep").value == near(defined(name, *KEPT, **options))


@pytest.mark.parametrize("name", OVERLAPPING)
def test_an_element_in_no_cluster_says_so(name: str) -> None:
    sides = {"gold": Made.from_memberships({"a": {1, 2}, "b": {1}, "c": set()}), "pred": OK}
    for side, given in zip(sides, (list(sides.values()), list(sides.values())[::-1]), strict=True):
        with pytest.raises(cs.ElementMismatch, match=rf"^1 element in no cluster of {side} \(e\.g\. 'c'\); pass"):
            getattr(cs, name)(*given)


@pytest.mark.parametrize("name", OVERLAPPING)
def test_dropping_may_leave_nothing(name: str) -> None:
    sides = map(Made.from_memberships, ({"a": {1, 2}, "b": set()}, {"a": set(), "b": {1, 2}}))
    with pytest.raises(cs.InputError, match="what is left with missing:drop"):
        getattr(cs, name)(*sides, missing="drop")


# Noise ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", OVERLAPPING)
def test_null_labels_may_be_named_as_noise(name: str) -> None:
    """A membership in noise is no membership; who has no other is alone, or left out."""
    sets = {"a": {1, None}, "b": {None}, "c": {1}}, {"a": {1}, "b": {1, 2}, "c": {2}}
    gold, pred = map(Made.from_memberships, sets)
    function = getattr(cs, name)
    alone = [["a", "c"], ["b"]], [["a", "b"], ["b", "c"]]
    without = [["a", "c"]], [["a"], ["c"]]
    assert function(gold, pred, noise=[None]).value == near(defined(name, *alone))
    assert function(gold, pred, noise=[None], noise_as="drop").value == near(defined(name, *without))
    in_none = [Made.from_memberships({**side, "d": others}) for side, others in zip(sets, (set(), {None}), strict=True)]
    assert function(*in_none, noise=[None], noise_as="drop").value == near(defined(name, *without))


# What is fine --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", OVERLAPPING)
def test_empty_clusters_count_nowhere(name: str) -> None:
    function = getattr(cs, name)
    gold, pred = [["a", "b"], ["b", "c"]], [["a"], ["b", "c"], ["c"]]
    expected = numbers(function(gold, pred))
    assert numbers(function([[], *gold, []], [set(), *pred])) == expected
    named = Made.from_clusters({"x": gold[0], "nobody": [], "y": gold[1]})
    assert numbers(function(named, pred)) == expected


@pytest.mark.parametrize("name", OVERLAPPING)
def test_identical_clusters_count_twice(name: str) -> None:
    function = getattr(cs, name)
    gold, once, twice = [["a", "b"], ["c"]], [["a", "b"], ["c"]], [["a", "b"], ["a", "b"], ["c"]]
    assert function(gold, once).value == 1
    assert function(gold, twice).value == near(defined(name, gold, twice))
    assert function(twice, twice[::-1]).value == 1
    made = Made.from_memberships({"a": {1, 2}, "b": {1, 2}, "c": {3}})
    assert function(made, gold).value == near(defined(name, twice, gold))


@pytest.mark.parametrize("name", OVERLAPPING)
def test_a_partition_against_an_overlapping_clustering(name: str) -> None:
    function = getattr(cs, name)
    labels, sets = {"a": "x", "b": "x", "c": "y"}, Made.from_memberships({"a": {1}, "b": {1, 2}, "c": {2}})
    clusters = [["a", "b"], ["c"]], [["a", "b"], ["b", "c"]]
    assert function(labels, sets).value == near(defined(name, *clusters))
    assert function(sets, labels).value == near(defined(name, *reversed(clusters)))
    assert function(["x", "x", "y"], Made.from_memberships([{1}, {1, 2}, {2}])).value == near(defined(name, *clusters))


@pytest.mark.parametrize("name", NAMES)
def test_sets_of_one_label_are_a_partition(name: str) -> None:
    gold, pred = {"a": {1}, "b": {1}, "c": {2}}, {"a": ["x"], "b": ["y"], "c": ["y"]}
    single = [{e: next(iter(labels)) for e, labels in side.items()} for side in (gold, pred)]
    function = getattr(cs, name)
    assert numbers(function(*map(Made.from_memberships, (gold, pred)))) == numbers(function(*single))


@pytest.mark.parametrize("name", PARTITION_ONLY)
@pytest.mark.parametrize("side", ["gold", "pred"])
def test_a_partition_measure_names_what_to_use(name: str, side: str) -> None:
    labels = {"a": 1, "b": 1, "c": 2}
    with pytest.raises(cs.ClusterscoreError) as caught:
        getattr(cs, name)(*((OK, labels) if side == "gold" else (labels, OK)))
    message = str(caught.value)
    assert [word for word in (name, side, "1 element", "'a'", "matched_elm") if word not in message] == [], message
    assert "\n" not in message


@pytest.mark.parametrize("metrics", [["elm"], ["matched_elm", "bcubed"], "all"])
def test_score_names_what_to_use(metrics: Any) -> None:
    with pytest.raises(cs.ClusterscoreError, match="matched_elm"):
        cs.score(OK, {"a": 1, "b": 1, "c": 2}, metrics=metrics if metrics != "all" else NAMES)


def test_score_takes_the_overlapping_measures_by_itself() -> None:
    expected = ["matched_elm", "matched_bcubed", "extended_bcubed", "omega", "overlapping_nmi", "community_f1"]
    assert list(cs.score(OK, {"a": 1, "b": 1, "c": 2})) == expected
    assert list(cs.score({"a": 1, "b": 1, "c": 2}, OK)) == expected
    single = Made.from_memberships({"a": {1}, "b": {1}, "c": {2}})
    assert "elm" in cs.score(single, {"a": 1, "b": 1, "c": 2})


# Every way to write the same -----------------------------------------------------------------------------

SAME: dict[str, Callable[[], Any]] = {
    "sets": lambda: Made.from_memberships({"a": {"1", "2"}, "b": {"2"}, "c": {"3"}}),
    "frozensets": lambda: Made.from_memberships({"a": frozenset("12"), "b": frozenset("2"), "c": frozenset("3")}),
    "lists": lambda: Made.from_memberships({"a": ["1", "2"], "b": ["2"], "c": ["3"]}),
    "sets and lists": lambda: Made.from_memberships({"a": {"1", "2"}, "b": ["2"], "c": frozenset("3")}),
    "clusters": lambda: [["a"], ["a", "b"], ["c"]],
    "sets of elements": lambda: [{"a"}, {"a", "b"}, {"c"}],
    "tuples of elements": lambda: [("a",), ("a", "b"), ("c",)],
    "clusters by name": lambda: Made.from_clusters({"1": ["a"], "2": ["a", "b"], "3": ["c"]}),
    "clusters from generators": lambda: Made.from_clusters(iter(cluster) for cluster in (["a"], ["a", "b"], ["c"])),
    "rows": lambda: Made.from_labels(["1", "2", "2", "3"], elements=["a", "a", "b", "c"]),
    "a pandas frame": lambda: frame("a1 a2 b2 c3"),
    "a polars frame": lambda: pl.DataFrame({"element": ["a", "a", "b", "c"], "cluster": ["1", "2", "2", "3"]}),
    "a pyarrow table": lambda: pa.table({"element": ["a", "a", "b", "c"], "cluster": [1, 2, 2, 3]}),
    "in another order": lambda: frame("c3 a2 b2 a1"),
    "labels of many kinds": lambda: Made.from_memberships({"a": {"é\0", (1, 2)}, "b": {(1, 2)}, "c": {2**70}}),
    "labels of NumPy": lambda: Made.from_memberships({"a": {np.int64(1), np.int64(2)}, "b": {np.int8(2)}, "c": {3}}),
}


@pytest.mark.parametrize("kind", SAME)
@pytest.mark.parametrize("name", OVERLAPPING)
def test_every_way_to_write_the_same(kind: str, name: str) -> None:
    pred = Made.from_memberships({"a": {1}, "b": {1, 2}, "c": {2}})
    function = getattr(cs, name)
    expected = defined(name, [["a"], ["a", "b"], ["c"]], [["a", "b"], ["b", "c"]])
    assert function(SAME[kind](), pred).value == near(expected)
    assert function(pred, SAME[kind]()).value == near(
        defined(name, [["a", "b"], ["b", "c"]], [["a"], ["a", "b"], ["c"]])
    )


def test_generators_of_labels_are_never_labels() -> None:
    """Read like a list, or refused; a generator is hashable, and taken for a label it would be a cluster of its own."""
    generators = {"a": (k for k in (1, 2)), "b": (k for k in (2,)), "c": (k for k in (3,))}
    try:
        score = cs.matched_elm(generators, OK)
    except cs.ClusterscoreError:
        return
    assert score.value == 1


def test_a_tuple_is_one_label() -> None:
    """As everywhere in the library; from_memberships reads it as several."""
    tuples = {"a": (1, 2), "b": (1, 2), "c": (2,)}
    assert cs.elm(tuples, {"a": 1, "b": 1, "c": 2}).value == 1
    assert cs.matched_elm(Made.from_memberships(tuples), [["a", "b"], ["a", "b", "c"]]).value == 1


M, C = Made.from_memberships, Made.from_clusters
# a mapping, what it is, the other side, and the clusters of the mapping
MAPPINGS: dict[str, tuple[Any, Callable[[Any], Made], Any, list[list[Any]]]] = {
    "lists of members": ({"x": ["a", "b"], "y": ["c"]}, C, {"a": 1, "b": 1, "c": 2}, [["a", "b"], ["c"]]),
    "sets of members": ({"x": {"a", "b"}, "y": {"c"}}, C, {"a": 1, "b": 1, "c": 2}, [["a", "b"], ["c"]]),
    "members named as their clusters": ({1: {1, 2}, 2: {3, 4}}, C, [[1, 2, 3], [4]], [[1, 2], [3, 4]]),
    "labels named as their elements": ({1: {1, 2}, 2: {2}, 3: {1}}, M, {1: 1, 2: 1, 3: 2}, [[1, 3], [1, 2]]),
    "sets on both sides": ({1: {1, 2}, 2: {2}}, M, M({1: {2}, 2: {1, 2}}), [[1], [1, 2]]),
    "lists beside tuples": ({"x": ["a", "b"], "y": ["c"]}, C, [("a",), ("b", "c")], [["a", "b"], ["c"]]),
    "lists of labels": ({"a": [7, 8], "b": [8], "c": [7]}, M, [["a", "b"], ["c"]], [["a", "c"], ["a", "b"]]),
    "arrays of members": ({"x": np.array([1, 2]), "y": np.array([3])}, C, {1: 0, 2: 0, 3: 1}, [[1, 2], [3]]),
    "arrays of labels": ({1: np.array([7, 8]), 2: np.array([8])}, M, {1: 0, 2: 0}, [[1], [1, 2]]),
}


@pytest.mark.parametrize("case", MAPPINGS)
def test_the_other_side_never_tells_what_a_mapping_is(case: str) -> None:
    """However plain it seems, it is an error that names both constructors; each of them is taken at its word."""
    mapping, make, other, clusters = MAPPINGS[case]
    for name in ("matched_elm", "extended_bcubed"):
        function = getattr(cs, name)
        for side, pair in (("gold", (mapping, other)), ("pred", (other, mapping))):
            with pytest.raises(cs.InputTypeError, match=rf"^{side}: .*from_clusters.*from_memberships.*cs\.compare"):
                function(*pair)
        assert numbers(function(make(mapping), other)) == numbers(function(clusters, other))
        assert numbers(function(other, make(mapping))) == numbers(function(other, clusters))


# Sizes ---------------------------------------------------------------------------------------------------


def test_one_element_in_very_many_clusters() -> None:
    """Exact also where one element's matching is large."""
    many = 600
    gold = [["hub", f"g{k}"] for k in range(many)]
    pred = [["hub", f"g{k}"] for k in range(1, many)] + [["g0"]]
    score = cs.matched_elm(gold, pred)
    hub = 2 * (2 * (many - 1) - 1) / (2 * many - 1 + 2 * (many - 1) - 1)
    assert score.value == near((hub + 0 + (many - 1)) / (many + 1))


def test_one_cluster_of_very_many_elements() -> None:
    """Two clusters of 60,000 elements each: pairs are counted, never listed."""
    n = 60_000
    everyone, half = list(range(n)), list(range(n // 2))
    gold, pred = [everyone, half], [everyone]
    pairs, inside = n * (n - 1) // 2, (n // 2) * (n // 2 - 1) // 2
    observed, expected = (pairs - inside) / pairs, (pairs - inside) / pairs
    assert cs.omega(gold, pred).value == near((observed - expected) / (1 - expected))
    # the first half: M = n, gold sums to 3n/2; the second: right
    assert cs.matched_bcubed(gold, pred).value == near((2 * n / (2.5 * n) + 1) / 2)


def test_a_cluster_of_all_elements() -> None:
    """It has no entropy: nothing explains it but one like it, and it explains nothing else."""
    everyone, singletons = [list(range(6))], [[e] for e in range(6)]
    for normalization, twice in (("max", 0), ("lancichinetti", 1)):
        assert cs.overlapping_nmi(everyone, singletons, normalization=normalization).value == 0
        assert cs.overlapping_nmi(everyone, everyone, normalization=normalization).value == 1
        assert cs.overlapping_nmi(everyone, everyone * 2, normalization=normalization).value == twice


def test_omega_of_pairs_that_all_agree() -> None:
    """It sees nothing but pairs; also where chance would get them right as well, and where there is none."""
    pairs, more = [[0, 1], [0, 2], [1, 2]], [[0, 1, 2], [0], [1], [2]]
    assert cs.omega(pairs, more).value == 1
    assert cs.omega([*pairs, [3]], [*more, [3]]).value == 1
    assert cs.omega([["a"]], [["a"], ["a"]]).value == 1
