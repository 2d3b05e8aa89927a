"""Tables as large as those at which an engine splits its work: every engine, several times, against plain arrays.

Small tables fit one batch, one chunk, one thread. What depends on the order in which batches come back is seen here.
All metrics are counted three times in the slow tests; here the light ones in every case, and, in one case for each
engine, those that ask for all that any of them asks for, as some take DuckDB seconds.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from scipy import sparse

import clusterscore as cs
from engines.cases import ALL, CELLS, FEW, same
from engines.makers import Columns, needs_spark, ways
from engines.scoring import score, score_two

ROWS, CLUSTERS = 130_000, 30_000  # DuckDB's threads share out 122,880 rows each
MOST_ROWS, MOST_CLUSTERS = 2_000_000, 300_000
# one way for each way of counting, with the case of which it is asked all; and others that hand over otherwise
ENGINES = {
    "pandas": "two of text in documents", "polars": "text in documents", "polars lazy": "two of integers",
    "pyarrow chunks": "text in documents", "duckdb relation": "two of integers",
}  # fmt: skip
MORE = {
    "pandas of pyarrow": "two of integers", "pyarrow": "text in documents", "duckdb on pandas": "text in documents",
    "duckdb on pyarrow": "two of integers", "csv": "two of text in documents",
    "parquet": "text in documents",
}  # fmt: skip


def _labels(seed: int, rows: int, clusters: int) -> tuple[Any, Any]:
    """Clusters of many sizes, far more cells than a batch has rows."""
    random = np.random.default_rng(seed)
    gold = np.where(random.random(rows) < 0.1, random.zipf(1.5, rows) % clusters, random.integers(0, clusters, rows))
    pred = np.where(random.random(rows) < 0.6, gold * 7 % (clusters + 1), random.integers(0, clusters, rows))
    return gold, pred


def _words(prefix: str, codes: Any) -> list[str]:
    return [f"{prefix} {code}" for code in codes.tolist()]


class Case(NamedTuple):
    """One table, or two; and what cs.score says of the same in plain arrays or lists."""

    tables: list[Columns]
    options: dict[str, Any]
    expected: Callable[[Any], cs.Scorecard]


def _one_of_integers() -> Case:
    gold, pred = _labels(1, ROWS, CLUSTERS)
    columns = {"gold": gold.tolist(), "pred": pred.tolist()}
    return Case([columns], {}, lambda metrics: cs.score(gold, pred, metrics=metrics))


def _one_of_text_in_documents() -> Case:
    gold, pred = _labels(2, ROWS, CLUSTERS)
    documents = _words("page", np.sort(np.random.default_rng(3).integers(0, 300, ROWS)) * 7919 % 300)
    columns = {"gold": _words("é", gold), "pred": _words("a rather long name", pred), "document": documents}
    options = {"document": "document"}
    return Case(
        [columns], options,
        lambda metrics: cs.score(columns["gold"], columns["pred"], documents=documents, metrics=metrics),
    )  # fmt: skip


def _two(ids: Callable[[Any], list[Any]], missing: str, documents: int) -> Case:
    gold, pred = _labels(4, ROWS, CLUSTERS)
    random = np.random.default_rng(5)
    tables, sides = [], []
    for labels in (gold, pred):
        held = random.permutation(ROWS)[: ROWS - 1000]
        columns: Columns = {"element": ids(held), "cluster": labels[held].tolist()}
        if documents:
            columns["document"] = (held % documents).tolist()
        tables.append(columns)
        sides.append(
            cs.Clustering.from_labels(
                columns["cluster"], elements=columns["element"], documents=columns.get("document")
            )
        )
    options = {"missing": missing, **({"document": "document"} if documents else {})}
    return Case(tables, options, lambda metrics: cs.score(*sides, missing=missing, metrics=metrics))


MAKE: dict[str, Callable[[], Case]] = {
    "integers": _one_of_integers,
    "text in documents": _one_of_text_in_documents,
    "two of integers": lambda: _two(lambda held: (held * 11 - 2**40).tolist(), "singleton", 0),
    "two of text in documents": lambda: _two(lambda held: _words("element", held), "drop", 150),
}


@cache
def case(name: str) -> Case:
    return MAKE[name]()


LIGHT = tuple(map(cs.metric, ("elm", "adjusted_rand", "v_measure", "purity")))


@cache
def expected(name: str, metrics: tuple[cs.Metric, ...]) -> cs.Scorecard:
    return case(name).expected(metrics)


def _scored(way: str, name: str, metrics: Any, folder: Path) -> cs.Scorecard:
    options = case(name).options | {"metrics": metrics}
    make = score if len(case(name).tables) == 1 else score_two
    return make(way, *case(name).tables, folder, **options)


def test_cases_are_large() -> None:
    for name in MAKE:
        table = expected(name, LIGHT).table
        assert table.gold_elements.sum() > 122_880
        assert min(table.number("gold"), table.number("pred")) > 25_000
        assert len(table.n) > 70_000


@pytest.mark.parametrize("name", MAKE)
@ways(*ENGINES)
def test_light_metrics(way: str, name: str, tmp_path: Path) -> None:
    same(_scored(way, name, LIGHT, tmp_path), expected(name, LIGHT))


@ways(*ENGINES)
def test_all_that_is_asked_for(way: str, tmp_path: Path) -> None:
    same(_scored(way, ENGINES[way], FEW, tmp_path), expected(ENGINES[way], FEW))


@pytest.mark.slow
@pytest.mark.parametrize("name", MAKE)
@ways(*ENGINES)
def test_every_metric_three_times(way: str, name: str, tmp_path: Path) -> None:
    for _ in range(3):
        same(_scored(way, name, ALL, tmp_path), expected(name, ALL))


@ways(*MORE)
def test_other_ways(way: str, tmp_path: Path) -> None:
    same(_scored(way, MORE[way], LIGHT, tmp_path), expected(MORE[way], LIGHT))


@pytest.mark.parametrize(
    ("way", "name"), [("pandas", "text in documents"), ("pyarrow chunks", "two of text in documents")]
)
def test_single_clusters_of_frames_in_memory(way: str, name: str, tmp_path: Path) -> None:
    same(_scored(way, name, CELLS, tmp_path), expected(name, CELLS))


# three times each; all that an engine is ever asked for once, as that takes a cluster of one machine a minute
@needs_spark
@pytest.mark.parametrize(
    ("way", "name", "last"),
    [("spark on parquet parts", "integers", FEW), ("spark partitions", "two of text in documents", LIGHT)],
)
def test_spark(way: str, name: str, last: tuple[cs.Metric, ...], tmp_path: Path) -> None:
    for metrics in (LIGHT, LIGHT, last):
        same(_scored(way, name, metrics, tmp_path), expected(name, metrics))


@pytest.mark.slow
@ways("pandas", "polars lazy", "pyarrow", "parquet")
def test_two_million_rows(way: str, tmp_path: Path) -> None:
    gold, pred = _labels(6, MOST_ROWS, MOST_CLUSTERS)
    card = cs.score(gold, pred, metrics=FEW)
    for _ in range(3):
        same(score(way, {"gold": gold, "pred": pred}, tmp_path, metrics=FEW), card)


def _mean(values: Any, count: int) -> float:
    return float(values.sum()) / count


def test_arrays_are_what_the_definitions_say() -> None:
    """Which all engines are compared with: from a sparse matrix and the formulas."""
    gold, pred = _labels(6, ROWS, CLUSTERS)
    matrix = sparse.coo_matrix((np.ones(len(gold)), (gold, pred))).tocsr()
    matrix.sum_duplicates()
    cells = matrix.tocoo()
    n, total = cells.data, len(gold)
    sizes = [np.asarray(matrix.sum(axis=axis)).ravel() for axis in (1, 0)]
    a, b = sizes[0][cells.row], sizes[1][cells.col]
    largest = [np.asarray(matrix.max(axis=axis).todense()).ravel().sum() for axis in (0, 1)]
    pairs = [float((counts * (counts - 1) / 2).sum()) for counts in (n, *sizes)]
    chance = pairs[1] * pairs[2] / (total * (total - 1) / 2)
    alone = (a == 1) & (b == 1)
    information = float((n / total * np.log(n * total / (a * b))).sum())
    entropies = [float(-(counts / total * np.log(counts / total)).sum()) for counts in (s[s > 0] for s in sizes)]
    card = cs.score(
        gold, pred, metrics=["elm", "bcubed", "pairwise", "adjusted_rand", "purity", "inverse_purity", "v_measure"]
    )
    wanted = {
        "elm": _mean(np.where(alone, n, 2 * n * (n - 1) / np.maximum(a + b - 2, 1)), total),
        "bcubed": _mean(2 * n * n / (a + b), total),
        "pairwise": 2 * pairs[0] / (pairs[1] + pairs[2]),
        "adjusted_rand": (pairs[0] - chance) / ((pairs[1] + pairs[2]) / 2 - chance),
        "purity": largest[0] / total,
        "inverse_purity": largest[1] / total,
        "v_measure": 2 * information / sum(entropies),
    }
    assert {name: card[name].value for name in wanted} == pytest.approx(wanted, rel=1e-12)
    elm = card["elm"]
    assert elm.precision == pytest.approx(
        _mean(np.where(b == 1, n, n * (n - 1) / np.maximum(b - 1, 1)), total), rel=1e-12
    )
    assert elm.recall == pytest.approx(_mean(np.where(a == 1, n, n * (n - 1) / np.maximum(a - 1, 1)), total), rel=1e-12)
