"""Averages over documents: alike (macro) or weighed by their elements (weighted), against fractions and brute force."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from click.testing import CliRunner

import clusterscore as cs
from clusterscore.analyses.resampling import draws
from clusterscore.analyses.units import Units
from clusterscore.command import cli

RNG = np.random.default_rng(5)
SIZES = {"a": 3, "b": 12, "c": 1, "d": 7, "e": 5, "f": 9, "g": 4}
DOCUMENTS = [name for name, size in SIZES.items() for _ in range(size)]
GOLD, ONE, TWO = RNG.integers(0, 3, (3, len(DOCUMENTS))).tolist()
METRICS = ["elm", "bcubed", "pairwise", "ami"]  # ami is no sum over documents


def alone(document: str, pred: list[int], metric: str) -> float:
    rows = [k for k, name in enumerate(DOCUMENTS) if name == document]
    return float(cs.metric(metric)([GOLD[k] for k in rows], [pred[k] for k in rows]))


def weighted(documents: list[str], values: dict[str, float]) -> Fraction:
    """The mean of documents, each as often as it has elements, in fractions."""
    total = sum(Fraction(values[name]) * SIZES[name] for name in documents)
    return total / sum(SIZES[name] for name in documents)


@pytest.mark.parametrize("metric", METRICS)
def test_the_mean_and_its_spread(metric: str) -> None:
    values = {name: alone(name, ONE, metric) for name in SIZES}
    mean = weighted(list(SIZES), values)
    weight, squares = sum(SIZES.values()), sum(size**2 for size in SIZES.values())
    spread = sum(size * (Fraction(values[name]) - mean) ** 2 for name, size in SIZES.items())
    score = cs.score(GOLD, ONE, metrics=metric, documents=DOCUMENTS, average="weighted")[metric]
    assert score.value == pytest.approx(float(mean), abs=1e-15)
    assert score.std == pytest.approx(math.sqrt(spread / (weight - Fraction(squares, weight))), abs=1e-14)
    assert "|avg:weighted|" in score.signature


def test_equal_documents_weigh_the_same() -> None:
    where = [k // 4 for k in range(40)]
    card = cs.score(GOLD[:40], ONE[:40], metrics=METRICS, documents=where)
    for name in METRICS:
        assert card.weighted[name].value == pytest.approx(card.macro[name].value, abs=1e-15)
        assert card.weighted[name].std == pytest.approx(card.macro[name].std, abs=1e-14)
    score = cs.score(GOLD, ONE, metrics="elm", average="weighted")["elm"]
    assert (score.value, score.std) == (cs.elm(GOLD, ONE).value, None)
    assert cs.score(GOLD, GOLD, metrics="elm", documents=DOCUMENTS, average="weighted")["elm"].value == 1


def test_elements_on_one_side_count() -> None:
    gold, pred = {1: "a", 2: "a", 3: "a", 4: "b"}, {1: "a", 2: "a", 3: "a", 5: "b"}
    where = {1: "x", 2: "x", 3: "x", 4: "y", 5: "y"}
    card = cs.score(gold, pred, metrics="b3", documents=where, missing="keep", average="weighted")
    assert card.documents["elements"].tolist() == [3, 2]
    assert card["b3"].value == 0.6


@pytest.mark.parametrize("make", [lambda frame: frame, lambda frame: frame.lazy(), lambda frame: frame.to_arrow()])
def test_every_engine_gives_the_same(make) -> None:  # type: ignore[no-untyped-def]
    frame = make(pl.DataFrame({"gold": GOLD, "pred": ONE, "document": DOCUMENTS}))
    for engine in ("auto", "duckdb"):
        if engine == "duckdb" and isinstance(frame, pl.LazyFrame):
            continue
        card = cs.score_table(frame, document="document", metrics="elm, bcubed", average="weighted", engine=engine)
        usual = cs.score(GOLD, ONE, metrics="elm, bcubed", documents=DOCUMENTS, average="weighted")
        assert {name: (score.value, score.std) for name, score in card.items()} == {
            name: (score.value, score.std) for name, score in usual.items()
        }


@pytest.mark.filterwarnings("ignore:gold and pred are nothing but 0 and 1")  # in a small document
def test_batches() -> None:
    usual = cs.score(GOLD, ONE, metrics=METRICS, documents=DOCUMENTS, average="weighted")
    seen = [cs.Accumulator(METRICS, average="weighted") for _ in range(2)]
    for k, name in enumerate(SIZES):
        rows = [row for row, document in enumerate(DOCUMENTS) if document == name]
        seen[k % 2].update([GOLD[row] for row in rows], [ONE[row] for row in rows])
    seen[0].merge(seen[1])
    stored = cs.Accumulator.from_json(seen[0].to_json())
    for acc in (seen[0], stored):
        for name, score in acc.result().items():
            assert score.value == pytest.approx(usual[name].value, abs=1e-14)
            assert score.std == pytest.approx(usual[name].std, abs=1e-13)
            assert score.signature == usual[name].signature
    broken = json.loads(stored.to_json())
    del broken["metrics"][0]["scores_by_size"]["weight"]
    with pytest.raises(cs.InputError, match="has no 'weight'; leave it as to_json wrote it"):
        cs.Accumulator.from_json(json.dumps(broken))


@pytest.mark.parametrize("metric", ["elm", "ami"])
def test_comparing_is_brute_force(metric: str) -> None:
    """Every resample, every document left out, and every exchange, put together document by document."""
    names = sorted(SIZES)
    systems = {"one": ONE, "two": TWO}
    values = {system: {name: alone(name, pred, metric) for name in names} for system, pred in systems.items()}
    options = {"metrics": metric, "documents": DOCUMENTS, "average": "weighted", "resamples": 200, "seed": 3}
    comparison = cs.compare(GOLD, systems, **options)
    assert "avg:weighted|" in comparison.signature
    (counts,) = draws(Units("documents", [np.arange(len(names))]), 200, 3)
    drawn = [[name for name, times in zip(names, row, strict=True) for _ in range(int(times))] for row in counts]
    for system in systems:
        again = [float(weighted(documents, values[system])) for documents in drawn]
        assert list(comparison[system][metric].intervals.percentile) == pytest.approx(
            np.quantile(again, [0.025, 0.975])
        )
    gap = comparison["two"][metric].difference
    exchanged = []
    for swap in product([False, True], repeat=len(names)):
        mixed = [
            {name: values[order[turned]][name] for name, turned in zip(names, swap, strict=True)}
            for order in (("one", "two"), ("two", "one"))
        ]
        exchanged.append(abs(weighted(names, mixed[1]) - weighted(names, mixed[0])))
    assert gap.value == pytest.approx(float(weighted(names, values["two"]) - weighted(names, values["one"])))
    assert gap.p == pytest.approx(np.mean([float(value) >= abs(gap.value) - 1e-12 for value in exchanged]))
    better = [values["two"][name] - values["one"][name] for name in names]
    assert (gap.wins, gap.losses) == (sum(b > 1e-12 for b in better), sum(b < -1e-12 for b in better))


def test_the_jackknife_leaves_documents_out() -> None:
    from scipy.stats import t

    where = [k // 4 for k in range(40)]  # alike: there the interval is that of a mean
    comparison = cs.compare(GOLD[:40], {"one": ONE[:40]}, metrics="elm", documents=where, average="weighted")
    macro = cs.compare(GOLD[:40], {"one": ONE[:40]}, metrics="elm", documents=where, average="macro")
    assert comparison["one"]["elm"].intervals.jackknife == pytest.approx(macro["one"]["elm"].intervals.jackknife)
    uneven = cs.compare(GOLD, {"one": ONE}, metrics="elm", documents=DOCUMENTS, average="weighted")["one"]["elm"]
    values = {name: alone(name, ONE, "elm") for name in SIZES}
    without = np.array([float(weighted([n for n in SIZES if n != left], values)) for left in SIZES])
    error = math.sqrt(((without - without.mean()) ** 2).sum() * (len(SIZES) - 1) / len(SIZES))
    low, high = uneven.intervals.jackknife
    assert (
        high - uneven.score.value >= t.ppf(0.975, len(SIZES) - 1) * error - 1e-12
    )  # or more: fewer degrees of freedom
    assert high - uneven.score.value <= t.ppf(0.975, 1) * error
    assert low >= 0


def test_rows_of_documents(tmp_path: Path) -> None:
    file = tmp_path / "both.csv"
    rows = "".join(f"{k},{g},{p},{d}\n" for k, (g, p, d) in enumerate(zip(GOLD, ONE, DOCUMENTS, strict=True)))
    file.write_text("id,gold,pred,where\n" + rows)
    usual = cs.score(GOLD, ONE, metrics="elm, ari", documents=DOCUMENTS, average="weighted")

    def printed(*more: str) -> str:
        line = ["score", str(file), "--gold", "gold", "--pred", "pred", "--document", "where", "-m", "elm, ari"]
        done = CliRunner().invoke(cli, [*line, "--average", "weighted", "--by-document", *more], catch_exceptions=False)
        assert done.exit_code == 0
        return done.stdout

    for engine in ("arrays", "duckdb"):
        head, _, *lines = printed("--engine", engine).splitlines()
        assert head.split() == ["document", "elements", "elm", "ari"]
        columns = [usual.documents[name].tolist() for name in ("elements", "elm", "adjusted_rand")]
        expected = [
            [name, f"{n}", *(f"{v:.4f}" for v in scores)] for name, n, *scores in zip(SIZES, *columns, strict=True)
        ]
        averages = {"avg:weighted": usual.weighted, "avg:macro": usual.macro}
        expected += [
            [name, "41", *(f"{score.value:.4f}" for score in scores.values())] for name, scores in averages.items()
        ]
        assert [line.split() for line in lines[:9]] == expected
        assert lines[-1] == "avg:weighted|missing:error|documents:given|v:0.1.0"
    plain = json.loads(printed("--format", "json"))
    assert [row["elm"] for row in plain["by_document"]] == usual.documents["elm"].tolist()
    assert plain["scores"]["elm"]["value"] == usual["elm"].value
    assert printed("--format", "csv") == usual.documents.to_csv() + "\n"
    assert "| **avg:macro** | 41 |" in printed("--format", "markdown")


def test_what_cannot_be() -> None:
    with pytest.raises(cs.InputError, match="a weighted average is a mean over documents"):
        cs.compare(GOLD, {"one": ONE}, metrics="elm", documents=DOCUMENTS, average="weighted", unit="clusters")
    with pytest.raises(cs.InputError, match=r"average.*micro.*macro.*weighted"):
        cs.score(GOLD, ONE, average="mean")  # type: ignore[arg-type]


def test_chance() -> None:
    chance = cs.chance(GOLD, ONE, metrics="elm", documents=DOCUMENTS, average="weighted", resamples=50)["elm"]
    macro = cs.chance(GOLD, ONE, metrics="elm", documents=DOCUMENTS, average="macro", resamples=50)["elm"]
    assert chance.score == cs.score(GOLD, ONE, metrics="elm", documents=DOCUMENTS, average="weighted")["elm"]
    assert chance.expected != macro.expected
    assert chance.most == 1


SMALLEST = 2.0**-1074  # that a float can hold


@pytest.mark.parametrize("scale", [SMALLEST, 1e-310, 1e307])
@pytest.mark.parametrize("name", [kind.name for kind in cs.registered() if kind().weighable])
def test_only_the_proportions_of_weights_matter(name: str, scale: float) -> None:
    gold, pred, weights = [0, 0, 1, 1, 1, 2], [0, 1, 1, 1, 2, 2], [1, 2, 3, 4, 5, 6]
    scaled = cs.metric(name)(gold, pred, weights=[scale * weight for weight in weights])
    assert scaled == pytest.approx(cs.metric(name)(gold, pred, weights=weights).value, rel=1e-12)


def test_a_document_of_the_smallest_weights_beside_one_of_usual_ones() -> None:
    gold, pred, documents = [0, 0, 0, 0, 0, 0], [0, 0, 1, 0, 0, 1], [0, 0, 0, 1, 1, 1]
    options: dict[str, Any] = {"documents": documents, "metrics": "bcubed", "average": "macro"}
    small = cs.score(gold, pred, weights=[SMALLEST] * 3 + [1.0] * 3, **options)["bcubed"]
    assert small == pytest.approx(cs.score(gold, pred, **options)["bcubed"].value, rel=1e-12)
    with pytest.raises(cs.InputError, match=r"the weights are too far apart, from 4.94066e-324 to 1e\+308"):
        cs.score(gold, pred, weights=[SMALLEST] * 3 + [1e308] * 3, **options)


@pytest.mark.parametrize("scale", [SMALLEST, 1e307])
def test_samples_with_very_small_and_very_large_weights(scale: float) -> None:
    pred = {f"r{k}": k // 2 for k in range(12)}
    sample = [["r0"], ["r2", "r3"], ["r4"], ["r6", "r7"]]
    labelled = [("r0", "r1", "match"), ("r2", "r4", "match"), ("r6", "r7", "no match"), ("r8", "r11", "no match")]
    numbers = []
    for unit in (1.0, scale):
        weights = [unit * weight for weight in (1, 2, 3, 4)]
        estimate = cs.estimate(sample, pred, weights=weights, metrics="elm", resamples=200)["elm"]
        assert estimate.bootstrap is not None
        rows = [(*pair, weight) for pair, weight in zip(labelled, weights, strict=True)]
        pairs = cs.score_pairs(rows, pred).recall
        numbers.append([estimate.value, estimate.standard_error, *estimate.bootstrap, pairs.value, *pairs.interval])
    assert numbers[1] == pytest.approx(numbers[0], rel=1e-9)
    estimate = cs.estimate(sample[:2], pred, weights=[SMALLEST, 1], metrics="elm", resamples=200)["elm"]
    assert estimate.bootstrap == (0.0, 1.0)  # where the first cluster alone is drawn, and where it is not
