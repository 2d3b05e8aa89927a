"""Records drawn in memory and where they are: the same strata and weights, no record twice, every record as likely."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy.stats import chisquare

import clusterscore as cs
from clusterscore.engines import sample_in_place
from engines.makers import needs_spark, spark
from engines.test_sampled import lazy, parquet, relation, text_file
from populations import population

WHOLE = population(3, 9000)
SIZES = np.bincount(WHOLE.pred)
MAKERS = [relation, parquet, text_file, lazy]


def frame(text: bool = False) -> pl.DataFrame:
    ids = np.arange(len(WHOLE.pred))
    return pl.DataFrame({"element": [f"r{k}" for k in ids] if text else ids, "cluster": WHOLE.pred})


def table(drawn: cs.Columns) -> list[tuple[Any, ...]]:
    """How many records each stratum has, and what they weigh."""
    rows = list(zip(drawn["stratum"].tolist(), drawn["weight"].tolist(), strict=True))
    return sorted((stratum, weight, rows.count((stratum, weight))) for stratum, weight in set(rows))


@pytest.fixture(autouse=True)
def files_stay_in_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("clusterscore.engines.LARGE", 0)


@pytest.mark.parametrize("allocation", ["proportional", "equal"])
@pytest.mark.parametrize("make", MAKERS)
def test_strata_and_weights_are_those_of_memory(make: Any, allocation: Any, tmp_path: Path) -> None:
    assert len(WHOLE.pred) > 40_000
    for seed, number in ((0, 300), (1, 41), (2, 9000)):
        drawn = cs.draw_sample(make(frame(), tmp_path), number, allocation=allocation, seed=seed)
        assert table(drawn) == table(cs.draw_sample(frame(), number, allocation=allocation, seed=seed))
        elements = drawn["element"].astype(int)
        assert len(set(elements.tolist())) == number
        assert drawn["cluster"].astype(int).tolist() == WHOLE.pred[elements].tolist()


def test_what_is_drawn_depends_on_ids_and_seed_only(tmp_path: Path) -> None:
    drawn = {}
    for seed in (0, 1):
        for make in MAKERS:
            for text, mixed in ((True, False), (False, False), (False, True)):
                rows = frame(text).sample(fraction=1, shuffle=True, seed=5) if mixed else frame(text)
                elements = cs.draw_sample(make(rows, tmp_path), 60, seed=seed)["element"]
                drawn.setdefault((seed, text), set()).add(str(elements.astype(str).tolist()))
    assert len({ids for some in drawn.values() for ids in some}) == len(drawn)


def test_more_rows_are_looked_at_where_the_first_are_too_few(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    rows = frame().head(500).lazy()
    expected, first = cs.draw_sample(rows, 100), sample_in_place._before
    monkeypatch.setattr(sample_in_place, "_before", lambda share: first(share if share == 1 else share / 100))
    assert cs.draw_sample(rows, 100).to_dict() == expected.to_dict()


@needs_spark
def test_spark_draws_what_duckdb_draws(tmp_path: Path) -> None:
    rows = frame().head(5000)
    made = spark().createDataFrame(rows.rows(), ["element", "cluster"])
    for like in (None, cs.draw_sample(rows, 20, seed=8)):
        expected = cs.draw_sample(relation(rows, tmp_path), 50, like=like)
        assert cs.draw_sample(made, 50, like=like).to_dict() == expected.to_dict()


@pytest.mark.parametrize("make", [relation, None])
def test_every_record_of_a_stratum_is_as_likely(make: Any, tmp_path: Path) -> None:
    """Also where a draw goes on with the same seed."""
    pred = np.repeat(np.arange(900), [1, 2, 3] * 300)  # 300, 600 and 900 records
    rows = pl.DataFrame({"element": np.arange(1800), "cluster": pred})
    given = rows if make is None else make(rows, tmp_path)
    once, on = np.zeros(1800), np.zeros(1800)
    for seed in range(15):
        drawn = cs.draw_sample(given, 180, allocation="equal", seed=seed)
        more = cs.draw_sample(given, 120, allocation="equal", seed=seed, like=drawn)
        assert more["element"][:180].tolist() == drawn["element"].tolist()
        np.add.at(once, drawn["element"], 1)
        np.add.at(on, more["element"], 1)
    for counts, number in ((once, 60), (on, 100)):
        for size in (1, 2, 3):
            here = counts[np.bincount(pred)[pred] == size].reshape(-1, 20).sum(axis=1)
            assert here.sum() == 15 * number
            assert chisquare(here).pvalue > 0.01


@pytest.mark.parametrize("make", [*MAKERS, None])
@pytest.mark.parametrize("allocation", ["proportional", "equal"])
def test_a_draw_goes_on(make: Any, allocation: Any, tmp_path: Path) -> None:
    given = frame() if make is None else make(frame(), tmp_path)
    for first in (frame(), given):  # drawn where it was not drawn first too
        drawn = cs.draw_sample(first, 200, allocation=allocation)
        (tmp_path / "drawn.csv").write_text(drawn.to_csv())
        for like in (drawn, drawn.to_frame("pandas"), tmp_path / "drawn.csv"):
            more = cs.draw_sample(given, 300, allocation=allocation, like=like)
            elements = more["element"].astype(int).tolist()
            assert elements[:200] == drawn["element"].astype(int).tolist()
            assert len(set(elements)) == len(more) == 500
            assert more["cluster"].astype(int).tolist() == WHOLE.pred[elements].tolist()
            strata = set(drawn["stratum"].tolist())
            assert set(more["stratum"].tolist()) == strata
            sizes = SIZES[WHOLE.pred]
            for stratum in strata:
                low, _, high = stratum.partition("-")
                held = np.count_nonzero((sizes >= int(low)) & (sizes <= int(high or low)))
                here = more["stratum"] == stratum
                assert more["weight"][here].tolist() == [held / here.sum()] * here.sum()
    whole = table(cs.draw_sample(frame(), 500, allocation=allocation))
    assert [row[2] for row in table(more)] == pytest.approx([row[2] for row in whole], abs=3)


def test_a_draw_by_position_goes_on(tmp_path: Path) -> None:
    drawn = cs.draw_sample(WHOLE.pred, 30)
    (tmp_path / "drawn.csv").write_text(drawn.to_csv())
    expected = cs.draw_sample(WHOLE.pred, 20, like=drawn)
    assert cs.draw_sample(WHOLE.pred, 20, like=tmp_path / "drawn.csv").to_dict() == expected.to_dict()


def test_everything_is_drawn_in_the_end(tmp_path: Path) -> None:
    rows = frame().head(300)
    for given in (rows, relation(rows, tmp_path)):
        drawn = cs.draw_sample(given, 100)
        while len(drawn) < 300:
            drawn = cs.draw_sample(given, 50, like=drawn)
        assert sorted(drawn["element"].tolist()) == list(range(300))
        assert set(drawn["weight"].tolist()) == {1.0}


SMALL = {"element": ["a", "b", "c", "d", "e"], "cluster": [1, 1, 2, 2, 3]}
LIKE = {"element": ["a", "e"], "stratum": ["1-2", "1-2"], "weight": [2.5, 2.5]}


@pytest.mark.parametrize(("like", "words"), [
    ({"element": ["a", "x"]}, r"1 record of like= not in the prediction \(e.g. 'x'\); pass the one it was drawn from"),
    ({"element": ["a", "a"]}, "like= has a record more than once"),
    ({"element": ["a", "e"], "weight": [3, 3]}, "another prediction: stratum 1-2 has 5 elements here, and the weights"),
    ({"element": ["a", "e"], "weight": [2.5, None]}, "another prediction: stratum 1-2 has 5 elements here"),
    ({"element": ["a", "e"], "weight": ["x", 1]}, "weights are numbers, and these are not"),
    ({"element": ["a", "e"], "stratum": ["1-2", "old"]}, "like= has the stratum 'old', which is no range of cluster"),
    ({"element": ["a", "b"], "stratum": ["2", "2"]}, "a cluster has 1 element, and no stratum does"),
    ({"element": ["a", "e"], "stratum": ["1", "2"]}, "another prediction: 'a' is in stratum 2 here, and in 1 there"),
])  # fmt: skip
@pytest.mark.parametrize("make", [relation, lazy, None])
def test_what_does_not_go_on(make: Any, like: dict[str, Any], words: str, tmp_path: Path) -> None:
    rows = pl.DataFrame(SMALL)
    with pytest.raises(cs.ClusterscoreError, match=words):
        cs.draw_sample(rows if make is None else make(rows, tmp_path), 2, like=pl.DataFrame(LIKE | like, strict=False))


@pytest.mark.parametrize("make", [relation, lazy, None])
def test_bad_numbers_and_tables(make: Any, tmp_path: Path) -> None:
    rows = pl.DataFrame(SMALL)
    given = rows if make is None else make(rows, tmp_path)
    for like, number, words in (
        (pl.DataFrame(LIKE), 4, "4 records of 5 elements, of which 2 are drawn, cannot be drawn; draw at most 3"),
        (pl.DataFrame(LIKE), 0, "records"),
        (None, 6, "6 records of 5 elements cannot be drawn"),
        (pl.DataFrame(LIKE).head(0), 2, "like= has no records; leave it out"),
        (pl.DataFrame({"element": ["a"]}), 2, "like= has no column 'weight'"),
    ):
        with pytest.raises(cs.ClusterscoreError, match=words):
            cs.draw_sample(given, number, like=like)


@pytest.mark.parametrize(("columns", "words"), [
    ({"element": ["a", "b", "c"], "cluster": [1, None, 2]}, "the prediction has 1 element with no cluster"),
    ({"element": ["a", "a", "b"], "cluster": [1, 1, 2]}, r"an element more than once \(e.g. 'a'\)"),
    ({"element": ["a", None, "b"], "cluster": [1, 1, 2]}, "1 element without an id"),
    ({"cluster": [1, 1, 2]}, "it needs a column of elements and one of clusters"),
    ({"element": [], "cluster": []}, "2 records of 0 elements cannot be drawn"),
])  # fmt: skip
@pytest.mark.parametrize("make", [relation, lazy])
def test_bad_predictions(make: Any, columns: dict[str, Any], words: str, tmp_path: Path) -> None:
    with pytest.raises(cs.InputError, match=words):
        cs.draw_sample(make(pl.DataFrame(columns), tmp_path), 2)
