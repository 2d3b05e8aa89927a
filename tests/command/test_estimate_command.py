"""``clusterscore estimate`` and ``draw-sample``, as they are typed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import clusterscore as cs
from clusterscore import engines
from clusterscore.analyses.estimate import estimating
from clusterscore.command import main
from populations import population

WHOLE = population(7, 3000)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    sizes, sampled = WHOLE.sizes[WHOLE.gold], WHOLE.gold % 30 == 0
    columns = {"element": np.arange(len(WHOLE.gold)), "cluster": WHOLE.pred, "true": WHOLE.gold, "size": sizes}
    every = pl.DataFrame({**columns, "weight": 1 / sizes, "kind": WHOLE.gold % 60})
    every.select("element", "cluster").write_parquet("pred.parquet")
    every.select("element", "cluster").write_csv("pred.csv")
    every.select("element", pl.col("cluster") // 2).write_csv("coarse.csv")
    every.select("element", "true", cluster="true").write_csv("truth.csv")
    chosen = every.filter(pl.Series(sampled))
    chosen.drop("cluster").rename({"true": "cluster"}).write_csv("sample.csv")
    every.with_columns(true=pl.when(pl.Series(sampled)).then(pl.col("true"))).write_parquet("both.parquet")
    return tmp_path


def typed(line: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as left:
        main(line.split())
    return int(left.value.code or 0), *capsys.readouterr()


def scores(line: str, capsys: pytest.CaptureFixture[str]) -> Any:
    code, out, err = typed(f"{line} --format json", capsys)
    assert code == 0, err
    return json.loads(out)


def test_files_give_what_python_gives(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sample = {k: int(c) for k, c in enumerate(WHOLE.gold) if c % 30 == 0}
    expected = cs.estimate(sample, WHOLE.pred, metrics=["elm", "muc"], weights="size")
    printed = scores("estimate sample.csv pred.parquet -m elm,muc --weights size", capsys)
    assert printed == {**json.loads(expected.to_json())}
    for line in ("sample.csv pred.csv", "both.parquet --gold true --pred cluster", "sample.csv pred.csv --sizes size"):
        assert scores(f"estimate {line} -m elm,muc --weights size", capsys)["scores"] == printed["scores"]
    given = scores("estimate sample.csv pred.csv -m elm,muc --weights weight", capsys)["scores"]["elm"]
    assert given["value"] == pytest.approx(printed["scores"]["elm"]["value"], rel=1e-12)
    strata = scores("estimate sample.csv pred.csv -m elm --weights size --strata kind", capsys)
    assert strata["scores"]["elm"]["value"] == printed["scores"]["elm"]["value"]
    assert strata["scores"]["elm"]["standard_error"] != printed["scores"]["elm"]["standard_error"]


@pytest.mark.parametrize("files", ["sample.csv pred.parquet", "sample.csv pred.csv", "sample.csv pred.csv coarse.csv"])
def test_large_files_are_looked_up_where_they_are(
    files: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    expected = scores(f"estimate {files} -m elm --sample uniform", capsys)
    monkeypatch.setattr(engines, "LARGE", 0)
    monkeypatch.setattr(estimating, "find_in_clustering", None)
    assert scores(f"estimate {files} -m elm --sample uniform", capsys) == expected


def test_records_are_drawn_and_come_back(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = typed("draw-sample pred.parquet 90 --allocation equal --seed 3 --format csv", capsys)
    assert code == 0
    (folder / "drawn.csv").write_text(out, encoding="utf-8")
    drawn = pl.read_csv("drawn.csv")
    truth = pl.read_csv("truth.csv").select("element", "cluster")
    clusters = truth.filter(pl.col("element").is_in(drawn["element"].implode()))["cluster"]
    truth.filter(pl.col("cluster").is_in(clusters.implode())).write_csv("labels.csv")
    printed = scores("estimate labels.csv pred.csv -m elm --drawn drawn.csv", capsys)
    low, high = printed["scores"]["elm"]["interval"]
    assert low < cs.elm(WHOLE.gold, WHOLE.pred).value < high
    assert printed["units"] == 90


@pytest.mark.parametrize("file", ["pred.csv", "pred.parquet"])
def test_a_draw_goes_on(
    file: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(engines, "LARGE", 0)
    monkeypatch.setattr("clusterscore.analyses.estimate.labelling_plan.RecordsInMemory", None)
    _, first, _ = typed(f"draw-sample {file} 40 --format csv", capsys)
    (folder / "drawn.csv").write_text(first, encoding="utf-8")
    code, out, _ = typed(f"draw-sample {file} 1 --like drawn.csv --format csv", capsys)
    assert code == 0
    rows, earlier = out.splitlines(), first.splitlines()
    assert [row.rpartition(",")[0] for row in rows[:41]] == [row.rpartition(",")[0] for row in earlier]
    assert len({row.partition(",")[0] for row in rows}) == 42


@pytest.mark.parametrize(("line", "words"), [
    ("draw-sample pred.csv 1", "draw two records or more"),
    ("draw-sample pred.csv 5 --like sample.csv", "has no column 'stratum'"),
    ("draw-sample pred.csv 5 --like kinds.csv", "--like has the stratum 'old', which is no range of cluster sizes"),
    ("estimate sample.csv", "pass files, SAMPLE and PRED..."),
    ("estimate sample.csv pred.csv -m nmi --sample size", "nmi depends on the entropies of its clusters"),
    ("estimate sample.csv pred.csv --weights wieght", "has no column 'wieght': did you mean 'weight'?\n"),
    ("estimate pred.csv sample.csv --sample uniform", "the sample comes first, and the whole prediction second"),
    ("estimate sample.csv pred.csv --sizes kind --sample uniform", "complete them, or leave --sizes out"),
    ("estimate sample.csv pred.csv --strata element --sample uniform", "a stratum belongs to a whole cluster"),
    ("estimate sample.csv pred.csv --drawn d.csv --weights size", "--drawn already contains the weights"),
    ("estimate sample.csv pred.csv --confidence 95 --sample uniform", "must be a number between 0 and 1"),
    ("estimate sample.csv pred.csv --target 0 --sample uniform", "must be a number above 0, such as 0.01"),
    ("draw-sample pred.csv 99999", "99,999 records of"),
    ("draw-sample pred.csv 40 --cluster clutser", "did you mean 'cluster'?"),
])  # fmt: skip
def test_mistakes(line: str, words: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "kinds.csv").write_text("element,stratum,weight\n1,old,5\n2,old,5\n")
    code, out, err = typed(line, capsys)
    assert (code, out) == (2, "")
    assert words in err


def test_how_many_to_label(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = scores("estimate sample.csv pred.csv -m elm --weights size --target 0.02", capsys)["rows"]
    assert [row["part"] for row in rows] == ["score", "precision", "recall"]
    assert rows[0]["clusters"] > 100
    assert all(row["more_clusters"] < row["clusters"] for row in rows)
    printed = typed("estimate sample.csv pred.csv -m elm --weights size --target 0.001", capsys)[1]
    assert "needs most: " in printed


def test_labels_by_position_are_as_many_as_elements(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "few.labels").write_text("a\na\nb\n")
    (folder / "all.labels").write_text("x\nx\ny\ny\n")
    code, _, err = typed("estimate few.labels all.labels --sample uniform", capsys)
    assert code == 2
    assert "by position the sample has 3 labels for 4 elements of the prediction" in err


def test_a_prediction_in_an_engine_is_doubted(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pl.read_csv("pred.csv").with_columns(cluster=pl.lit("x")).write_csv("one.csv")
    messages = [typed("estimate sample.csv one.csv -m elm --sample uniform", capsys)[2]]
    monkeypatch.setattr(engines, "LARGE", 0)
    messages.append(typed("estimate sample.csv one.csv -m elm --sample uniform", capsys)[2])
    assert messages[0] == messages[1]
    assert "in a single cluster, which says nothing about the other side" in messages[0]
