"""Tables so large that their columns are read one after the other, and their texts are kept in few bytes."""

from __future__ import annotations

from pathlib import Path

import duckdb
import numpy as np
import pytest

import clusterscore as cs
from clusterscore.read import tables
from clusterscore.read.labels import encode
from clusterscore.read.names import Names
from clusterscore.read.texts import Texts

COUNT = 40_000


def columns(strange: str) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(0)
    gold, pred = rng.integers(0, COUNT // 4, COUNT).tolist(), rng.integers(0, 50, COUNT).tolist()
    made = {
        "id": [f"page{k * 7919 % COUNT}{strange}" for k in range(COUNT)],
        "gold": [f"g{a}{strange}" for a in gold],
        "pred": [f"p{b}" for b in pred],
        "doc": [a % 9 for a in gold],
    }
    return {name: np.array(column, object) for name, column in made.items()}


@pytest.mark.parametrize(
    ("ending", "strange"),
    [("csv", ""), ("parquet", ""), ("csv", "é")],  # and other texts that take more room: below
    ids=["csv", "parquet", "letters"],
)
def test_what_is_read_is_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ending: str, strange: str) -> None:
    """One table and two, whatever the texts are: the same scores, elements, cells and baselines."""
    file, pred = tmp_path / f"both.{ending}", tmp_path / f"pred.{ending}"
    with duckdb.connect() as connection:
        connection.register("given", columns(strange))
        connection.execute(f"COPY (SELECT * FROM given) TO '{file}'")
        connection.execute(f"COPY (SELECT id AS element, pred AS cluster FROM given ORDER BY id) TO '{pred}'")
    runs = []
    for limit in (1 << 40, 0):
        monkeypatch.setattr(tables, "_LARGE", limit)
        two = cs.Clustering.from_files(file, pred, gold_element="id", gold_cluster="gold")
        assert isinstance(two[1].ids, Texts) == (limit == 0 and strange == "")
        card = cs.score(*two, baselines=True)
        same = cs.Clustering.from_files(
            file, file, gold_cluster="gold", pred_cluster="pred", element="id", document="doc"
        )
        baselines = {name: its.to_dict() for name, its in card.baselines.items()}
        runs.append((card.to_dict(), baselines, str(cs.elements(*two).worst(50)), str(cs.error_cells(*same).head(50))))
    assert runs[0] == runs[1]


def test_texts_are_those_that_they_were_made_of() -> None:
    values = np.array(["b", "", "a" * 32, "b", "aa"], object)
    texts = Texts.of(values)
    assert isinstance(texts, Texts)
    assert list(texts) == values.tolist()
    assert texts[1:3] == ["", "a" * 32]
    labels = encode(texts)
    assert labels[:] == values.tolist()
    assert len(labels.names) == 4
    assert Names(texts).order().tolist() == Names(values.tolist()).order().tolist()
    for other in (["a\0"], ["é"], ["a" * 33], [b"a"], [1]):
        given = np.array(other, object)
        assert Texts.of(given) is given
