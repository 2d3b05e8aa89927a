"""What the functions take and refuse, and what their rows can do."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import clusterscore as cs
from clusterscore.analyses.diagnose.diagnosis import Diagnosis
from clusterscore.count.fetched import Fetched
from clusterscore.show.columnar import Columns, LazyColumn

GOLD, PRED = [0, 0, 0, 1, 1, 2], [0, 0, 1, 1, 1, 2]
FUNCTIONS: list[Callable[..., Columns]] = [cs.elements, cs.clusters, cs.errors, cs.error_cells]
every = pytest.mark.parametrize("ask", FUNCTIONS, ids=lambda ask: ask.__name__)


@every
def test_refused(ask: Callable[..., Columns]) -> None:
    with pytest.raises(cs.InputError, match="same elements on both sides"):
        ask({"a": 1}, {"b": 1}, metric="elm", missing="keep")
    with pytest.raises(cs.InputTypeError):
        ask(GOLD)
    table = cs.Table.from_labels(GOLD, PRED)
    with pytest.raises(cs.InputError, match="documents= was decided when the Table was made"):
        ask(table, documents=[0] * 6)
    with pytest.raises(cs.InputError, match="counted by an engine"):
        ask(cs.Table(Fetched(table.rows(), {})))


def test_refused_sides_and_sizes() -> None:
    with pytest.raises(cs.InputError, match="side='predicted' is not an option; use one of 'both', 'gold', 'pred'"):
        cs.clusters(GOLD, PRED, side="predicted")
    with pytest.raises(cs.InputError, match="10,000,000,000 elements does not fit into memory"):
        cs.elements(cs.Table.from_cells(["a"], ["b"], [10**10]))
    assert len(cs.clusters(cs.Table.from_cells(["a"], ["b"], [10**10]))) == 2


@every
def test_policies_and_kinds_of_input(ask: Callable[..., Columns]) -> None:
    expected = ask(GOLD, PRED)
    ids = [f"p{k}" for k in range(6)]
    for gold, pred in (
        (np.array(GOLD), np.array(PRED)),
        (dict(zip(ids, GOLD, strict=True)), dict(zip(ids, PRED, strict=True))),
        (cs.Clustering.from_labels(GOLD), tuple(PRED)),
    ):
        rows = ask(gold, pred)
        for name in expected:
            if name != "element":
                assert rows[name].tolist() == expected[name].tolist()
    weighed = ask(GOLD, PRED, weights="class")
    named = ask(GOLD, PRED, metric="elm(weights=class)")
    assert weighed["loss"].tolist() == named["loss"].tolist()
    total = 1 - cs.elm(GOLD, PRED, weights="class").f
    sides = 2 if ask is cs.clusters else 1
    assert math.fsum(weighed["loss"]) == pytest.approx(sides * total, abs=1e-15)


def test_elements_keep_their_places_where_noise_is_dropped() -> None:
    rows = cs.elements([0, -1, 0, 1, 1], [0, 0, -1, 1, 1], noise=-1, noise_as="drop")
    assert rows["element"].tolist() == [0, 3, 4]
    by_id = cs.elements({"a": 0, "b": -1, "c": 0}, {"c": 0, "b": 0, "a": 1}, noise=-1, noise_as="drop")
    assert by_id["element"].tolist() == ["a", "c"]


def test_elements_of_a_table() -> None:
    table = cs.Table.from_matrix([[1, 2], [3, 0]])
    rows = cs.elements(table)
    assert "element" not in rows
    assert rows["gold"].tolist() == [0, 0, 0, 1, 1, 1]
    assert rows["pred"].tolist() == [0, 1, 1, 0, 0, 0]
    assert math.fsum(rows["loss"]) == pytest.approx(1 - cs.elm(table).f, abs=1e-15)


@pytest.mark.parametrize("metric", ["elm", "bcubed(f=of-means, beta=2)"])
def test_a_table_with_weights_divides_them_in_each_cell(metric: str) -> None:
    weights = [1.0, 0.5, 2.0, 0.0, 4.0, 0.25]
    table = cs.Table.from_labels(GOLD, PRED, weights=weights)
    rows, single = cs.elements(table, metric=metric), cs.elements(GOLD, PRED, metric=metric, weights=weights)
    total = 1 - cs.metric(metric)(table).f
    assert math.fsum(rows["loss"]) == pytest.approx(total, abs=1e-15)
    assert math.fsum(single["loss"]) == pytest.approx(total, abs=1e-15)
    assert rows["loss"].tolist()[:2] == pytest.approx([single["loss"][:2].mean()] * 2)
    for ask in (cs.clusters, cs.errors, cs.error_cells):
        given = ask(GOLD, PRED, metric=metric, weights=weights)
        assert ask(table, metric=metric)["loss"].tolist() == given["loss"].tolist()


def test_elements_without_weight_cost_nothing() -> None:
    rows = cs.elements(GOLD, PRED, weights=[1, 1, 0, 1, 1, 1])
    assert rows["loss"][2] == 0.0
    assert rows["f"][2] == 0.0


def test_one_count_for_everything() -> None:
    diagnosis = Diagnosis.of(GOLD, PRED, metric="bcubed")
    assert diagnosis.score == cs.bcubed(GOLD, PRED)
    assert diagnosis.elements().rows() == cs.elements(GOLD, PRED, metric="bcubed").rows()
    assert diagnosis.clusters("gold").rows() == cs.clusters(GOLD, PRED, metric="bcubed", side="gold").rows()
    assert diagnosis.errors().rows() == cs.errors(GOLD, PRED, metric="bcubed").rows()
    assert diagnosis.error_cells().rows() == cs.error_cells(GOLD, PRED, metric="bcubed").rows()


def test_worst() -> None:
    rows = Columns({"name": np.array(list("abcde"), object), "loss": np.array([0.1, 0.3, 0.1, 0.0, 0.3]),
                    "f": np.array([5, 4, 3, 2, 1])})  # fmt: skip
    assert rows.worst(3)["name"].tolist() == ["b", "e", "a"]
    assert rows.worst(4)["name"].tolist() == ["b", "e", "a", "c"]
    assert rows.worst(99)["name"].tolist() == ["b", "e", "a", "c", "d"]
    assert rows.worst(0).rows() == []
    assert list(rows.worst(0)) == ["name", "loss", "f"]
    assert rows.worst(2, by="f")["name"].tolist() == ["a", "b"]
    for wrong in (-1, 1.5, "3", True, None):
        with pytest.raises(cs.ClusterscoreError, match=r"rows=.* a whole number from 0 up"):
            rows.worst(wrong)
    with pytest.raises(KeyError, match="no column 'losss': did you mean 'loss'"):
        rows.worst(1, by="losss")
    assert Columns({"loss": np.zeros(0)}).worst(3).rows() == []


@pytest.mark.parametrize("count", [1, 10, 999, 1000, 5000])
def test_worst_of_many_is_a_stable_sort(count: int) -> None:
    losses = np.random.default_rng(count).integers(0, 50, 1000) / 50
    expected = sorted(range(1000), key=lambda k: -losses[k])[:count]
    assert Columns({"k": np.arange(1000), "loss": losses}).worst(count)["k"].tolist() == expected


def test_some_rows() -> None:
    rows = cs.elements(GOLD, PRED)
    assert rows.take(rows["f"] < 0.5)["element"].tolist() == [2]
    assert rows.take(np.array([5, 0]))["element"].tolist() == [5, 0]
    assert rows.take(slice(2, 4)).rows() == rows.rows()[2:4]


def test_columns_are_made_when_somebody_looks() -> None:
    made: list[Any] = []

    def make(rows: Any) -> Any:
        made.append(rows)
        return np.arange(1000)[rows]

    rows = Columns({"a": np.zeros(1000), "b": LazyColumn(np.arange(1000), make)})
    assert len(rows) == 1000
    assert not made
    assert rows.head(2)["b"].tolist() == [0, 1]
    assert len(made) == 1
    assert rows["b"] is rows["b"]
    assert len(made) == 2
    assert rows.to_dict()["b"] == list(range(1000))
    assert len(made) == 2


def test_small_losses_are_shown() -> None:
    """Of ten thousand elements each costs a ten-thousandth: four decimals would show nothing."""
    pred = np.arange(10_000) // 2
    pred[:4] = [0, 1, 0, 1]
    shown = repr(cs.elements(np.arange(10_000) // 2, pred))
    assert "0.000100" in shown
    assert "1.0000 " in shown
    assert "0.0556" in repr(cs.elements(GOLD, PRED))
    assert "0.05556" not in repr(cs.elements(GOLD, PRED))


@pytest.mark.parametrize("metric", ["elm", "bcubed", "elm(f=of-means)"])
def test_the_order_of_elements_does_not_matter(metric: str) -> None:
    """To the last bit: what a cluster or a kind costs is the same, in whatever order its elements come."""
    rng = np.random.default_rng(7)
    gold, pred, order = rng.integers(0, 200, 5000), rng.integers(0, 300, 5000), rng.permutation(5000)
    for ask in (cs.clusters, cs.errors, cs.error_cells):
        rows, turned = ask(gold, pred, metric=metric), ask(gold[order], pred[order], metric=metric)
        for name in ("precision", "recall", "f", "loss"):
            if name in rows:
                assert sorted(rows[name].tolist()) == sorted(turned[name].tolist())
