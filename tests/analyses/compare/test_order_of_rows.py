"""What is drawn depends on names: the order of rows, of documents and of files decides nothing, to the last bit."""

from __future__ import annotations

import itertools
import random
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import clusterscore as cs
from clusterscore.read.names import Names, label_ranks, name_ranks

METRICS = ["elm", "bcubed", "adjusted_rand", "nmi", "ami", "blanc", "purity", "alphamax_bcubed(delta=auto)"]


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", cs.ClusterscoreWarning)  # elements are no independent units
        yield


class Data:
    """A gold clustering and two predictions of it, that can be read in any order."""

    def __init__(self, count: int, clusters: int, documents: int):
        rng = np.random.default_rng(count)
        gold = rng.integers(0, clusters, count)
        self.columns = {
            "gold": gold,
            "A": np.where(rng.random(count) < 0.7, gold, rng.integers(0, clusters, count)),
            "B": np.where(rng.random(count) < 0.6, gold, rng.integers(0, clusters, count)),
        }
        self.documents = rng.integers(0, documents, count)
        self.ids = [f"e{k}" for k in range(count)]

    def side(self, name: str, order: Any, documents: bool, kind: type = str) -> cs.Clustering:
        labels = [kind(label) for label in self.columns[name][order].tolist()]
        where = [f"d{document}" for document in self.documents[order].tolist()] if documents else None
        return cs.Clustering.from_labels(labels, elements=[self.ids[k] for k in order], documents=where)

    def orders(self, times: int) -> Iterator[dict[str, Any]]:
        """The order of rows, another one for each side."""
        rng = np.random.default_rng(1)
        yield dict.fromkeys(self.columns, np.arange(len(self.ids)))
        for _ in range(times):
            yield {name: rng.permutation(len(self.ids)) for name in self.columns}


SMALL = Data(300, 40, 9)


@pytest.mark.parametrize("noise", [None, "3"])
@pytest.mark.parametrize("unit", ["documents", "clusters", "elements"])
@pytest.mark.parametrize("documents", [False, True])
def test_comparing_rows_in_another_order(documents: bool, unit: str, noise: str | None) -> None:
    if unit == "documents" and not documents:
        pytest.skip("there is one document")
    outputs = set()
    for order in SMALL.orders(1):
        gold, a, b = (SMALL.side(name, order[name], documents) for name in SMALL.columns)
        options: dict[str, Any] = {"metrics": METRICS, "unit": unit, "noise": noise, "resamples": 40}
        outputs.add(cs.compare(gold, {"A": a, "B": b}, **options).to_json())
    assert len(outputs) == 1


@pytest.mark.parametrize("noise", [None, "3"])
@pytest.mark.parametrize("documents", [False, True])
def test_chance_and_baselines_of_rows_in_another_order(documents: bool, noise: str | None) -> None:
    chances, baselines = set(), set()
    for order in SMALL.orders(1):
        gold, pred = (SMALL.side(name, order[name], documents) for name in ("gold", "A"))
        chances.add(cs.chance(gold, pred, metrics=METRICS, noise=noise, resamples=30).to_json())
        card = cs.score(gold, pred, metrics=METRICS, noise=noise, baselines=True)
        of_rows = [name for name in card.baselines if name != "mean_size"]  # runs of rows
        baselines.add("".join(card.baselines[name].to_json() for name in of_rows))
    assert len(chances) == len(baselines) == 1


def test_rows_by_position_and_by_id_in_files_in_another_order(tmp_path: Path) -> None:
    rows = [(f"d{k % 7}", f"e{k}", *(str(SMALL.columns[name][k]) for name in SMALL.columns)) for k in range(300)]
    outputs = set()
    for seed in range(2):
        for name, column in (("gold", 2), ("A", 3), ("B", 4)):
            random.Random(f"{seed}{name}").shuffle(rows)
            lines = [f"{row[0]},{row[1]},{row[column]}" for row in rows]
            (tmp_path / f"{name}.csv").write_text("\n".join(["document,element,cluster", *lines]) + "\n")
        gold, a, b = (cs.Clustering.from_file(tmp_path / f"{name}.csv") for name in SMALL.columns)
        outputs.add(cs.compare(gold, {"A": a, "B": b}, metrics=METRICS, resamples=100).to_json())
    rows.sort(key=lambda row: int(row[1][1:]))
    documents, _, *labels = (list(column) for column in zip(*rows, strict=True))
    by_position = cs.compare(
        labels[0], {"A": labels[1], "B": labels[2]}, documents=documents, metrics=METRICS, resamples=100
    )
    assert outputs == {by_position.to_json()}


def test_whole_numbers_are_drawn_as_they_are_written_in_a_file() -> None:
    order = np.arange(300)
    outputs = set()
    for kind in (int, str):
        gold, a, b = (SMALL.side(name, order, False, kind) for name in SMALL.columns)
        outputs.add(cs.compare(gold, {"A": a, "B": b}, metrics=METRICS, resamples=100).to_json())
    assert len(outputs) == 1


def test_elements_that_only_the_systems_have_in_files_of_another_order() -> None:
    gold = {f"e{k}": f"g{k % 9}" for k in range(60)}
    more = [f"x{k}" for k in range(40)]
    a = {
        **{element: f"p{k % 8}" for k, element in enumerate(gold)},
        **{element: f"p{k % 5}" for k, element in enumerate(more)},
    }
    b = {
        **{element: f"q{k % 9}" for k, element in enumerate(gold)},
        **{element: f"q{k % 7}" for k, element in enumerate(more)},
    }
    outputs = set()
    for seed in range(4):
        systems = {}
        for name, labels in (("A", a), ("B", b)):
            items = list(labels.items())
            random.Random(f"{seed}{name}").shuffle(items)
            systems[name] = dict(items)
        compared = cs.compare(gold, systems, metrics=["elm", "bcubed"], missing="singleton", resamples=200)
        assert compared.unit == "clusters"
        outputs.add(compared.to_json())
    assert len(outputs) == 1


def test_weights_in_another_order() -> None:
    weights = {name: 1 + k % 5 for k, name in enumerate(SMALL.ids)}
    compared, chances = set(), set()
    for order in SMALL.orders(1):
        gold, a, b = (SMALL.side(name, order[name], False) for name in SMALL.columns)
        options: dict[str, Any] = {"metrics": "elm", "weights": weights, "noise": "3"}
        for unit in ("clusters", "elements"):
            compared.add((unit, cs.compare(gold, {"A": a, "B": b}, unit=unit, resamples=100, **options).to_json()))
        chances.add(cs.chance(gold, a, resamples=30, **options).to_json())
    assert len(compared) == 2
    assert len(chances) == 1


@pytest.mark.parametrize("kept", [False, True])
def test_mentions_that_one_side_alone_has_in_another_order(kept: bool) -> None:
    outputs = set()
    for order in SMALL.orders(2):
        gold, pred = (
            SMALL.side(name, order[name][order[name] % 7 != bool(name == "A")], True) for name in ("gold", "A")
        )
        options: dict[str, Any] = {"metrics": ["b3", "lea", "blanc"], "missing": "keep", "noise": "3" if kept else None}
        card = cs.score(gold, pred, baselines=True, **options)
        shown = [baseline.to_json() for name, baseline in card.baselines.items() if name != "mean_size"]
        outputs.add("".join([cs.chance(gold, pred, resamples=20, **options).to_json(), *shown]))
    assert len(outputs) == 1


@pytest.mark.parametrize("documents", [False, True])
def test_many_elements_in_another_order(documents: bool) -> None:
    data = Data(40_000, 16_000, 50)
    compared, chances = set(), set()
    for order in data.orders(1):
        gold, a, b = (data.side(name, order[name], documents) for name in data.columns)
        comparison = cs.compare(gold, {"A": a, "B": b}, metrics=["elm", "adjusted_rand"], resamples=40)
        compared.add(comparison.to_json())
        chances.add(cs.chance(gold, a, metrics=["elm", "nmi"], resamples=3).to_json())
    assert len(compared) == len(chances) == 1


def test_names_are_sorted_as_text() -> None:
    numbers = [*range(-120, 1200), 2**63 - 1, -(2**63), 10**18, 10**17, 2**62]
    random.Random(0).shuffle(numbers)
    assert [numbers[k] for k in Names(np.array(numbers)).order()] == sorted(numbers, key=str)
    assert [numbers[k] for k in Names(numbers).order()] == sorted(numbers, key=str)
    large = [2**64 - 1, 10**19, 10**18, 1, 0, 1844674407370955161, 18446744073709551609]
    assert [large[k] for k in Names(np.array(large, np.uint64)).order()] == sorted(large, key=str)
    words = ["", "a", "b", "aa", "ab", "é", "日本", "a" * 9, "a" * 8, "a" * 17 + "b", "a" * 17 + "a", "Z"]
    for shuffled in itertools.islice(itertools.permutations(words), 0, 2000, 97):
        assert [shuffled[k] for k in Names(shuffled).order()] == sorted(words)
    mixed: list[Any] = ["1", 1, 1.5, ("a", 1), frozenset({"x", "y"}), None, True, "a\0b"]
    expected = [mixed[k] for k in Names(mixed).order()]
    assert [mixed[::-1][k] for k in Names(mixed[::-1]).order()] == expected
    assert name_ranks(["b", "a", "b"]).tolist() == [1, 0, 1]
    assert label_ranks(cs.Clustering.from_labels([10, 9, 2, 10]).labels).tolist()[0] == 0


def test_names_without_a_text_of_their_own_stay_in_their_order() -> None:
    class Label:
        pass

    made = [Label() for _ in range(50)]
    assert Names(made).order().tolist() == list(range(50))


def _shuffled(rows: list[Any], seed: int) -> list[Any]:
    return random.Random(seed).sample(rows, len(rows))


GROUPS = [(f"e{k}", f"g{k // 3}", f"p{(k + k % 5) // 3}", f"s{k // 3 % 2}", 1 + k // 3 % 4) for k in range(120)]


@pytest.mark.parametrize("how", ["uniform", "weights", "strata", "clusters", "text"])
def test_estimates_of_rows_in_another_order(how: str) -> None:
    outputs = set()
    for seed in range(4):
        rows, own = _shuffled(GROUPS, seed), _shuffled(GROUPS, -1 - seed)
        kind = int if how == "text" and seed % 2 else str  # whole numbers as they are written in a file
        pred = {kind(row[0][1:]): row[2] for row in own}
        sample: Any = {kind(row[0][1:]): row[1] for row in rows}
        options: dict[str, Any] = {"weights": "uniform"}
        if how == "weights":
            options = {"weights": {row[1]: row[4] for row in rows}}
        elif how == "strata":
            options = {"strata": {row[1]: row[3] for row in rows}, "weights": "size"}
        elif how == "clusters":
            named: dict[str, list[Any]] = {}
            for element, name in sample.items():
                named.setdefault(name, []).append(element)
            sample = list(named.values())
        systems = {"A": pred, "B": {element: name[:2] for element, name in pred.items()}}
        outputs.add(cs.estimate(sample, systems, metrics=["elm", "pairwise"], resamples=50, **options).to_json())
    assert len(outputs) == 1


def test_estimates_by_position_and_from_files_in_another_order(tmp_path: Path) -> None:
    by_position, from_files = set(), set()
    for seed in range(4):
        rows = _shuffled(GROUPS, seed)
        gold, pred = ([row[k] for row in rows] for k in (1, 2))
        by_position.add(cs.estimate(gold, pred, metrics="elm", resamples=50, weights="uniform").to_json())
        for name, column in (("gold", 1), ("pred", 2)):
            lines = [f"{row[0]},{row[column]}" for row in _shuffled(rows, seed)]
            (tmp_path / f"{name}.csv").write_text("\n".join(["element,cluster", *lines]))
        sides = tmp_path / "gold.csv", tmp_path / "pred.csv"  # the second is looked up by DuckDB
        from_files.add(cs.estimate(*sides, metrics="elm", resamples=50, weights="uniform").to_json())
    assert len(by_position) == len(from_files) == 1


def test_records_are_drawn_from_rows_in_another_order() -> None:
    samples, estimates, clusters = set(), set(), set()
    for seed in range(4):
        rows, kind = _shuffled(GROUPS, seed), int if seed % 2 else str
        pred = {kind(row[0][1:]): row[2] for row in rows}
        drawn = cs.draw_sample(pred, 12, seed=3)
        samples.add(str([[str(value) for value in column] for column in drawn.to_dict().values()]))
        labelled = {kind(row[0][1:]): row[1] for row in rows}
        sampled = {labelled[element] for element in drawn["element"].tolist()}
        sample = {element: name for element, name in labelled.items() if name in sampled}
        order = _shuffled(list(range(12)), seed)
        mixed = cs.Columns({name: drawn[name][order] for name in drawn})
        estimates.add(cs.estimate(sample, pred, drawn=mixed, metrics="elm", resamples=50).to_json())
        by_position = cs.draw_sample(list(pred.values()), 12, seed=3)
        clusters.add(str(sorted(by_position["cluster"].tolist())))
    assert len(samples) == len(estimates) == len(clusters) == 1
