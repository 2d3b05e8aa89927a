"""What missing="drop" leaves out is said, and documents that are named in two ways are told as such."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import clusterscore as cs
from clusterscore.command import main

GOLD = {"a": 1, "b": 1, "c": 2, "d": 2, "e": 3}
PRED = {"a": 1, "b": 1, "c": 3, "z": 2}
ENGINES = ["arrays", "auto", "duckdb"]  # auto leaves frames of polars to polars


def frame(**columns: Any) -> pl.DataFrame:
    return pl.DataFrame(columns)


def as_frame(side: dict[str, int]) -> pl.DataFrame:
    return frame(element=list(side), cluster=list(side.values()))


def rows(text: str) -> dict[str, list[str]]:
    """Rows such as "d1:a1 d2:b2": in document d1 element a is in cluster 1."""
    parts = [(row[:-3], row[-2], row[-1]) for row in text.split()]
    return dict(zip(("document", "element", "cluster"), map(list, zip(*parts, strict=True)), strict=True))


def scored(engine: str, gold: pl.DataFrame, pred: pl.DataFrame, **options: Any) -> cs.Scorecard:
    if engine == "memory":
        return cs.score(gold, pred, metrics="elm", **options)
    return cs.score_table(gold_table=gold, pred_table=pred, metrics="elm", engine=engine, **options)


@pytest.mark.parametrize("engine", ["memory", *ENGINES])
def test_how_many_were_dropped(engine: str) -> None:
    card = scored(engine, as_frame(GOLD), as_frame(PRED), missing="drop")
    assert card.facts["dropped"] == (2, 1)
    assert "dropped        2          1" in str(card)
    assert {key: value for key, value in card.to_dict().items() if "dropped" in key} == {
        "gold_dropped": 2,
        "pred_dropped": 1,
    }
    alike = scored(engine, as_frame(GOLD), as_frame(GOLD), missing="drop")
    assert alike.facts["dropped"] == (0, 0)
    for other in (scored(engine, as_frame(GOLD), as_frame(PRED), missing="singleton"), cs.score(GOLD, GOLD)):
        assert "dropped" not in other.facts
        assert "dropped" not in str(other.to_dict())


@pytest.mark.parametrize("engine", ["memory", *ENGINES])
def test_what_is_noise_is_dropped_as_noise(engine: str) -> None:
    gold, pred = GOLD | {"e": -1}, PRED | {"z": -1, "y": 4}
    card = scored(engine, as_frame(gold), as_frame(pred), missing="drop", noise=-1, noise_as="drop")
    assert card.facts["dropped"] == (1, 1)  # d and y
    card = scored(engine, as_frame(gold), as_frame(pred), missing="drop", noise=-1)
    assert card.facts["dropped"] == (2, 2)


@pytest.mark.parametrize("engine", ["memory", *ENGINES])
def test_a_warning_where_most_of_a_side_is_dropped(engine: str) -> None:
    few = {"a": 1, "z": 2}
    with pytest.warns(cs.ClusterscoreWarning) as caught:
        scored(engine, as_frame(GOLD), as_frame(few), missing="drop")
    assert [str(warning.message) for warning in caught] == [
        'missing="drop" leaves out 4 of 5 elements of gold, which pred does not have; the score says nothing about '
        "them, or about how large their clusters are"
    ]
    words = "which gold does not have; the score says nothing about them, or about how large their"
    sampled = r"clusters are; if gold is a sample, cs\.Sample\(gold, weights=\.\.\.\) in its place estimates the whole$"
    with pytest.warns(cs.ClusterscoreWarning, match=f"{words} {sampled}"):
        scored(engine, as_frame(few), as_frame(GOLD), missing="drop")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        half = {"a": 1, "b": 1, "y": 2, "z": 2}
        scored(engine, as_frame({"a": 1, "b": 2, "c": 2, "d": 2}), as_frame({**half, "b": 2}), missing="drop")


def test_elements_in_no_cluster_are_dropped_too() -> None:
    gold = {"a": {1, 2}, "b": {1}, "c": set(), "d": {2}, "e": {2}}
    pred = {"a": {1}, "b": {1, 2}, "c": {2}, "d": set(), "f": {1}}
    make = cs.Clustering.from_memberships
    assert cs.score(make(gold), make(pred), missing="drop", metrics="matched_elm").facts["dropped"] == (2, 2)
    few = make({"a": {1, 2}, "b": set(), "c": set()})
    with pytest.warns(cs.ClusterscoreWarning, match="leaves out 2 of 3 elements of pred, which gold does not have"):
        cs.matched_elm(few, make({"a": {1}, "b": {1}, "c": {1}}), missing="drop")


LINE = "dropped: 2 elements only in gold, 1 only in pred"


def test_every_result_says_how_many_were_dropped() -> None:
    for rows in (cs.elements, cs.clusters, cs.errors, cs.error_cells):
        columns = rows(GOLD, PRED, missing="drop")
        assert str(columns).endswith(f"\n\n{LINE}")
        assert str(columns.head(1)).endswith(LINE)
        assert "dropped" not in str(rows(GOLD, PRED, missing="singleton"))
    assert f"3 elements; {LINE}; " in str(cs.chance(GOLD, PRED, metrics="elm", missing="drop", resamples=5))
    edges = [("a", "b", 0.9), ("b", "c", 0.5), ("c", "z", 0.4), ("y", "z", 0.3)]
    swept = cs.sweep(GOLD, edges=edges, metrics="elm", missing="drop").summary()
    assert "5 elements in 3 gold clusters; dropped: 0 elements only in gold, 2 only in pred; 5 cuts of" in str(swept)
    agreed = cs.agreement_matrix({"A": GOLD, "B": PRED}, missing="drop")
    assert "\ndropped: up to 3 elements that one of two does not have\n" in str(agreed)
    compared = cs.compare(GOLD, {"A": PRED, "B": {**PRED, "y": 2}}, metrics="elm", missing="drop", resamples=0)
    assert f"2 systems, 3 elements; {LINE}" in str(compared)
    counts = [[system["gold_dropped"], system["pred_dropped"]] for system in compared.to_dict()["systems"].values()]
    assert counts == [[2, 1], [2, 2]]


def test_an_accumulator_adds_up_what_was_dropped() -> None:
    total = cs.Accumulator(metrics="elm", missing="drop")
    total.update(GOLD, PRED, documents={**dict.fromkeys([*GOLD, *PRED], 1)})
    total.update(PRED, GOLD, documents={**dict.fromkeys([*GOLD, *PRED], 2)})
    assert total.result().facts["dropped"] == (3, 3)
    assert cs.Accumulator.from_json(total.to_json()).result().facts["dropped"] == (3, 3)


APART = "no document is on both sides (gold has 'd1.txt', 'd2.txt'; pred has 'd1', 'd2'); give them the same names"


@pytest.mark.parametrize("engine", ["memory", *ENGINES])
@pytest.mark.parametrize("missing", ["error", "drop"])
def test_documents_that_are_named_in_two_ways(engine: str, missing: str) -> None:
    gold, pred = rows("d1.txt:a1 d1.txt:b1 d2.txt:a2"), rows("d1:a1 d1:b1 d2:a2")
    with pytest.raises(cs.ElementMismatch) as caught:
        scored(engine, frame(**gold), frame(**pred), missing=missing, **documents(engine))
    assert str(caught.value) == APART


def documents(engine: str) -> dict[str, str]:
    return {} if engine == "memory" else {"document": "document"}


@pytest.mark.parametrize("engine", ["memory", *ENGINES])
def test_documents_on_one_side(engine: str) -> None:
    gold, pred = rows("d1:a1 d2:a1 d3:b1 d4:c1"), rows("d1:a1 d5:a1")
    with pytest.raises(cs.ElementMismatch) as caught:
        scored(engine, frame(**gold), frame(**pred), **documents(engine))
    assert str(caught.value) == (
        "3 documents are only in gold (e.g. 'd2') and 1 document is only in pred (e.g. 'd5'); give them the same "
        'names, or pass missing="drop" or "singleton"'
    )
    with pytest.warns(cs.ClusterscoreWarning, match="leaves out 3 of 4 elements of gold"):
        card = scored(engine, frame(**gold), frame(**pred), missing="drop", **documents(engine))
    assert card.facts["dropped"] == (3, 1)
    within = rows("d1:a1 d1:x1 d2:a1")  # an element inside a document is missing, too
    with pytest.raises(cs.ElementMismatch, match=r"1 element is only in gold .* and 1 element is only in pred"):
        scored(engine, frame(**rows("d1:a1 d1:b1 d2:a1")), frame(**within), **documents(engine))


@pytest.mark.usefixtures("without_plots")
def test_the_command_says_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = []
    for name, side in (("gold", GOLD), ("pred", PRED)):
        files.append(str(tmp_path / f"{name}.csv"))
        as_frame(side).write_csv(files[-1])

    def run(command: str, *options: str) -> tuple[str, str]:
        with pytest.raises(SystemExit) as left:
            main([command, *files, "--missing", "drop", "--metric", "elm", *options])
        assert left.value.code == 0
        return capsys.readouterr()

    line = "clusterscore: dropped: 2 elements only in gold, 1 only in pred\n"
    for command, form in (("score", "table"), ("score", "csv"), ("elements", "table"), ("clusters", "csv")):
        assert run(command, "--format", form)[1] == line
    assert run("errors")[1] == line
    out, err = run("score", "--engine", "duckdb", "--format", "json")
    assert (json.loads(out)["gold_dropped"], err) == (2, line)
    assert "clusterscore: pred: dropped: 2 elements only in gold, 1 only in pred\n" in run("compare")[1]
    whose = "clusterscore: gold as gold, pred as pred: dropped: 2 elements only in gold, 1 only in pred\n"
    assert run("agreement", "--element-metric", "elm")[1] == whose
    assert run("report", "-o", str(tmp_path / "page.html"))[1] == line
