"""Columns are recognised by the names that people give them, in files as in frames; what is open is asked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pytest

import clusterscore as cs
from clusterscore.command import main
from page.written import Written
from read.reading import message_of, plain, written

Made = cs.Clustering
ROWS = [("p1", "k1"), ("p2", "k1"), ("p3", "k2")]
CLUSTERS = dict(ROWS)


def table(*heading: str, rows: list[tuple[str, ...]] = ROWS) -> str:
    return "".join(",".join(row) + "\n" for row in [heading, *rows])


@pytest.mark.parametrize(
    "heading",
    [
        ("element", "cluster"),
        ("unique_id", "cluster_id"),
        ("id", "label"),
        ("record_id", "entity_id"),
        ("Id", "Cluster ID"),
        ("ID", "labels"),
        ("", "y"),
        ("Unnamed: 0", "cluster"),
    ],
)
def test_names(heading: tuple[str, str], tmp_path: Path) -> None:
    assert plain(Made.from_file(written(tmp_path, "t.csv", table(*heading)))) == CLUSTERS
    assert plain(Made.from_file(written(tmp_path, "t.txt", table(*heading)))) == CLUSTERS
    if heading[0]:
        frame = pd.DataFrame(ROWS, columns=list(heading))
        for made in (Made.from_frame(frame), Made.from_frame(pl.from_pandas(frame))):
            assert plain(made) == CLUSTERS
        card = cs.score_table(frame, written(tmp_path, "t.csv", table(*heading)), engine="duckdb", metrics="rand")
        assert card["rand"].value == 1


def test_the_index_of_a_frame(tmp_path: Path) -> None:
    frame = pd.DataFrame({"label": ["k1", "k1", "k2"]})
    frame.to_csv(tmp_path / "a.csv")
    frame.iloc[::-1].to_csv(tmp_path / "b.csv")  # matched by the index, not by position
    assert cs.rand(str(tmp_path / "a.csv"), str(tmp_path / "b.csv")).value == 1
    frame.assign(element=["p1", "p2", "p3"]).to_csv(tmp_path / "c.csv")
    assert plain(Made.from_file(tmp_path / "c.csv")) == CLUSTERS  # a name is better than an index


def test_the_only_column_besides_the_cluster_is_the_element(tmp_path: Path) -> None:
    file = cs.File(written(tmp_path, "t.csv", table("page", "found")), cluster="found")
    with pytest.warns(cs.ClusterscoreWarning, match="with column 'page' as the element, since there is no other"):
        assert cs.rand(CLUSTERS, file).value == 1


def test_one_column_is_labels(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gold, pred = written(tmp_path, "a.csv", "label\na\na\nb\n"), written(tmp_path, "b.csv", "y\n1\n1\n2\n")
    assert repr(Made.from_file(gold)) == "Clustering(3 elements by position, 2 clusters)"
    assert cs.rand(gold, pred).value == 1
    with pytest.raises(SystemExit):
        main(["score", gold, pred, "-m", "rand", "--format", "csv"])
    assert "rand,1.0," in capsys.readouterr().out
    assert plain(Made.from_frame(pd.DataFrame({"y": [3, 3, 4]}))) == {0: 3, 1: 3, 2: 4}


SPLINK = "unique_id,source_dataset,cluster_id,entity_id\n1,a,c1,e1\n2,a,c1,e2\n1,b,c2,e1\n"


@pytest.mark.parametrize("engine", ["arrays", "duckdb"])
def test_ids_of_two_parts(tmp_path: Path, engine: str) -> None:
    pred = written(tmp_path, "p.csv", SPLINK.replace(",entity_id", "").replace(",e1", "").replace(",e2", ""))
    gold = written(tmp_path, "g.csv", "id,entity_id\na-__-1,e1\na-__-2,e2\nb-__-1,e1\n")
    both = written(tmp_path, "b.csv", SPLINK.replace(",cluster_id", "").replace(",c1", "").replace(",c2", ""))
    expected = cs.rand(["e1", "e2", "e1"], ["c1", "c1", "c2"]).value
    for side in (gold, both):
        assert cs.rand(side, pred).value == expected
        assert cs.score_table(side, pred, engine=engine, metrics="rand")["rand"].value == expected
    assert cs.rand({("a", "1"): 1, ("a", "2"): 2, ("b", "1"): 1}, pred).value == expected


def test_what_is_open_is_asked_with_the_options_for_both(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gold, pred = written(tmp_path, "g.csv", SPLINK), written(tmp_path, "p.csv", SPLINK)
    message = message_of(cs.elm, gold, pred)
    assert 'which column is the cluster? pass gold_cluster="entity_id", pred_cluster="cluster_id"' in message
    for files in ((gold, pred), (gold, gold)):
        with pytest.raises(SystemExit):
            main(["score", *files])
        assert "pass --gold entity_id --pred cluster_id\n" in capsys.readouterr().err
    odd = [
        written(tmp_path, name, f"who,{what},more\na,1,2\n") for name, what in (("x.csv", "true"), ("y.csv", "found"))
    ]
    with pytest.raises(SystemExit):
        main(["score", *odd])
    printed = capsys.readouterr().err
    assert "which column is the element and the cluster?" in printed
    assert "pass --element COL --gold COL --pred COL" in printed


def test_every_system_is_looked_at(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good, odd = written(tmp_path, "a.csv", table("element", "cluster")), written(tmp_path, "b.csv", "p,q,r\n1,2,3\n")
    also = written(tmp_path, "c.csv", table("element", "cluster"))
    for files in ((good, also, odd), (good, odd, also), (odd, good, also)):
        for command in ("compare", "agreement"):
            with pytest.raises(SystemExit) as left:
                main([command, *files])
            assert left.value.code == 2
            message = capsys.readouterr().err
            assert "b.csv' has 'p', 'q', 'r'" in message
            assert "which column is the element and the cluster?" in message


@pytest.mark.usefixtures("without_plots")
def test_texts_of_either_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gold = written(tmp_path, "g.csv", table("element", "cluster"))
    named = [(*row, f"text of {row[0]}") for row in ROWS[::-1]]
    pred = written(tmp_path, "p.csv", table("element", "cluster", "title", rows=named))
    with pytest.raises(SystemExit) as left:
        main(["report", gold, pred, "--show", "title", "-o", str(tmp_path / "r.html")])
    assert left.value.code == 0
    assert Written(tmp_path / "r.html").texts() == {row[0]: f"text of {row[0]}" for row in ROWS}


def test_several_systems_are_sent_to_compare() -> None:
    systems: Any = {"kmeans": [0, 0, 1]}
    assert "cs.compare(gold, systems)" in message_of(cs.score, [0, 0, 1], systems)
