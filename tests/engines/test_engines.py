"""Whoever counts, every score is the same to the last bit: arrays, frames, DuckDB, files, Spark; rows in any order."""

from __future__ import annotations

import datetime
import re
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

import clusterscore as cs
from engines.cases import ALL, CASES, CELLS, FEW, documents, same, shuffled, zipf
from engines.makers import WAYS, Columns, ways
from engines.scoring import score, score_two
from variants import COUNTED

pytestmark = [  # labels from -1 up are drawn, and such options scored, on purpose
    pytest.mark.filterwarnings("ignore:.* the label .?-1"),
]

# one way for each way of counting
ENGINES = (
    "pandas", "polars", "pyarrow chunks", "duckdb relation", "csv", "arrays of pandas", "arrays of parquet",
)  # fmt: skip
SOME = ("polars", "pyarrow chunks", "duckdb relation", "csv")
QUICK = list(map(cs.metric, ["elm", "ami", "purity_f"]))
# they hand over otherwise and count alike; pandas and DuckDB need long for the larger measures, Spark for everything
ALIKE = {
    "pandas of pyarrow", "pandas nullable", "pandas objects", "duckdb on pandas", "duckdb on polars",
    "duckdb on polars lazy", "duckdb on pyarrow", "parquet", "tsv", "csv.gz", "json lines", "spark",
    "spark on parquet parts", "spark on csv", "spark on json lines",
}  # fmt: skip


def clustering(columns: Columns) -> cs.Clustering:
    return cs.Clustering.from_labels(columns["label"], elements=columns["id"], documents=columns.get("document"))


def as_written(way: str, labels: list[Any]) -> list[Any]:
    """As the table has them: in a text file all but null is text."""
    return [str(label) if WAYS[way].text and label is not None else label for label in labels]


def test_every_metric_is_in_the_suite() -> None:
    assert {metric.name for metric in ALL + CELLS} == {metric.name for metric in COUNTED}
    assert {metric.name for metric in CELLS} == {
        "set_matching", "ceafm", "ceafe", "conll", "community_f1", "overlapping_nmi",
        "transfer_distance", "normalized_clustering_accuracy", "normalized_pivoted_accuracy", "pair_sets_index",
        "matching_ratio", "jaccard_error_rate", "centroid_index",
        "adjusted_rand", "homogeneity", "completeness", "v_measure", "graded_bcubed",  # with some of their options
        "adapted_rand_error", "average_precision", "aji", "sorted_ap",
    }  # fmt: skip
    assert {need for metric in ALL for need in metric.needs} == {need for metric in FEW for need in metric.needs}


@ways(*WAYS)
def test_every_metric(way: str, tmp_path: Path) -> None:
    given = documents()
    metrics = QUICK if way in ALIKE else ALL
    expected = cs.score(given["gold"], given["pred"], documents=given["document"], metrics=metrics)
    same(score(way, shuffled(given), tmp_path, document="document", metrics=metrics), expected)


@ways(*ENGINES)
def test_every_metric_of_one_document(way: str, tmp_path: Path) -> None:
    given = zipf()
    same(score(way, shuffled(given), tmp_path, metrics=ALL), cs.score(given["gold"], given["pred"], metrics=ALL))


@pytest.mark.parametrize("case", CASES)
@ways("polars")
def test_case(way: str, case: str, tmp_path: Path) -> None:
    gold, pred = CASES[case]
    same(score(way, {"gold": gold, "pred": pred}, tmp_path, metrics=ALL), cs.score(gold, pred, metrics=ALL))


# sums of rounded numbers that lie in the middle between two floats: the least bit of anything decides
TIED = [([0] * 6, list(range(6))), ([0] * 10, [6, 3, 3, 4, 5, 1, 5, 8, 8, 3]), ([0] * 8, list(range(8)))]


@ways("polars", "arrays of polars lazy")
def test_sums_between_two_floats(way: str, tmp_path: Path) -> None:
    for count in range(1, len(TIED) + 1):
        rows = [(*pair, name) for name, case in enumerate(TIED[:count]) for pair in zip(*case, strict=True)]
        gold, pred, document = map(list, zip(*rows, strict=True))
        given = {"gold": gold, "pred": pred, "document": document}
        expected = cs.score(gold, pred, documents=document, metrics=ALL)
        same(score(way, given, tmp_path, document="document", metrics=ALL), expected)
        for k, case in enumerate(TIED[:count]):
            lone = cs.score(*case, documents=[k] * len(case[0]), metrics=ALL).documents.rows()[0]
            assert expected.documents.rows()[k] == lone, "a document's scores depend on the other documents"


def test_any_order_and_any_partitions(tmp_path: Path) -> None:
    """The same rows in other files, chunks and orders."""
    given = documents()
    card = cs.score(given["gold"], given["pred"], documents=given["document"], metrics=QUICK)
    for way in ("parquet parts", "pyarrow chunks", "csv"):
        same(score(way, shuffled(given, 1), tmp_path, document="document", metrics=QUICK), card)


@ways("polars", "duckdb on pandas", "arrays of pandas", "spark")
def test_average_and_the_usual_metrics(way: str, tmp_path: Path) -> None:
    given = documents()
    expected = cs.score(given["gold"], given["pred"], documents=given["document"], average="macro")
    same(score(way, given, tmp_path, document="document", average="macro"), expected)


@pytest.mark.parametrize("weights", ["class", "effective"])
@ways("polars", "csv", "arrays of pandas")
def test_weights(way: str, weights: str, tmp_path: Path) -> None:
    given = documents()
    for metrics in (None, ["elm(beta=2)", "alphamax_bcubed(reading=own)"]):
        expected = cs.score(given["gold"], given["pred"], documents=given["document"], weights=weights, metrics=metrics)
        same(score(way, given, tmp_path, document="document", weights=weights, metrics=metrics), expected)


LABELS: dict[str, list[Any]] = {
    "text": [
        "é", "e\u0301", "ß", "ss", "SS", "日本", "😀", "a b", "a,b;c", 'say "x"', "NA", "null", "01", "1", "two\nlines",
    ],
    "whole": [-3, 0, 7, 2**53, 2**53 + 1, -(2**63), 2**63 - 1],
    "fractions": [0.1, 0.30000000000000004, -2.5, 3.0, 1e300, 5e-324],
    "truths": [True, False],
    "days": [datetime.date(2024, 2, 29), datetime.date(1969, 12, 31), datetime.date(2024, 3, 1)],
}  # fmt: skip
KINDS = [("text", "whole", "days"), ("fractions", "truths", "text"), ("days", "text", "whole")]


@pytest.mark.filterwarnings("ignore:.* with the label '(NA|null)', which is a text")  # to every engine they are
@pytest.mark.parametrize("kinds", KINDS, ids=" ".join)
@ways(
    *ENGINES, "parquet parts", "pandas of pyarrow", "pandas nullable", "pandas objects", "pandas categories",
    "pyarrow dictionaries", "duckdb on pandas", "duckdb on polars", "json lines", "arrays of a relation",
    "spark partitions", "spark on csv", "spark on json lines",
)  # fmt: skip
def test_kind_of_label(way: str, kinds: tuple[str, str, str], tmp_path: Path) -> None:
    random = np.random.default_rng(len(kinds[0]))
    given = {
        name: [LABELS[kind][k] for k in random.integers(0, len(LABELS[kind]), 80)]
        for name, kind in zip(("gold", "pred", "document"), kinds, strict=True)
    }
    metrics = (
        ["elm"]
        if way in {*ALIKE, "parquet parts", "csv"} - {"pandas objects"}
        else ["elm", "alphamax_bcubed(reading=majority)"]
    )
    expected = cs.score(given["gold"], given["pred"], documents=given["document"], metrics=metrics)
    card = score(way, given, tmp_path, document="document", metrics=metrics)
    if WAYS[way].text:
        assert (card.micro, card.macro) == (expected.micro, expected.macro)
    else:
        same(card, expected)
        assert sorted(card.documents["document"].tolist()) == sorted(set(given["document"]))


@ways(*ENGINES)
def test_zeros_of_both_signs_are_one_label(way: str, tmp_path: Path) -> None:
    if not WAYS[way].text:
        assert score(way, {"gold": [0.0, -0.0, 1.0], "pred": [1, 1, 2]}, tmp_path, metrics="elm")["elm"].value == 1


@ways(*ENGINES, "pandas nullable", "json lines", "spark partitions")
def test_noise(way: str, tmp_path: Path) -> None:
    _noisy(way, "singleton", ALL if way in ("polars", "pyarrow chunks") else QUICK, tmp_path)


@pytest.mark.parametrize("noise_as", ["drop", "cluster", "loghub"])
@ways(*SOME)
def test_noise_as(way: str, noise_as: str, tmp_path: Path) -> None:
    _noisy(way, noise_as, QUICK, tmp_path)


def _noisy(way: str, noise_as: str, metrics: list[cs.Metric], folder: Path) -> None:
    """-1 on both sides, and no label at all."""
    random = np.random.default_rng(5)
    given = {name: list(documents()[name]) for name in ("gold", "pred", "document")}
    for side in ("gold", "pred"):
        for k in np.flatnonzero(random.random(len(given["gold"])) < 0.2):
            given[side][k] = None if k % 3 == 0 else -1
    options: dict[str, Any] = {"metrics": metrics, "noise": as_written(way, [-1, None]), "noise_as": noise_as}
    gold, pred = (as_written(way, given[side]) for side in ("gold", "pred"))
    expected = cs.score(gold, pred, documents=given["document"], **options)
    same(score(way, given, folder, document="document", **options), expected)


@ways(*ENGINES, "pandas objects", "pandas categories", "polars categories", "spark")
def test_noise_in_words(way: str, tmp_path: Path) -> None:
    """One side with noise, the other without; null and NaN are both no label."""
    given = {"gold": ["a", "a", "none", "b", None, "b", "none"], "pred": [1.5, 1.5, 2.0, float("nan"), 2.0, 2.5, 1.5]}
    if WAYS[way].text:
        given["pred"][3] = None
    for noise in (["none", None], [None, "nothing", "none"]):
        expected = cs.score(given["gold"], given["pred"], noise=noise, metrics=QUICK)
        same(score(way, given, tmp_path, noise=noise, metrics=QUICK), expected)


def two_tables(complete: str = "") -> tuple[Columns, Columns]:
    """Elements in any order, some on one side only; the same id in several documents; -1 is noise."""
    random = np.random.default_rng(11)
    sides = []
    for side in ("gold", "pred"):
        held = [k for k in random.permutation(400).tolist() if side == complete or random.random() < 0.9]
        sides.append({
            "label": random.integers(-1, 15, len(held)).tolist(),
            "id": [f"élément {k}" for k in held],
            "document": [f"d{k % 9}" for k in held],
        })  # fmt: skip
    return sides[0], sides[1]


@ways(*ENGINES, "spark partitions")
def test_two_tables(way: str, tmp_path: Path) -> None:
    _two(way, "singleton", None, ALL if way in SOME[:3] else QUICK, tmp_path)


@ways(*ENGINES, "spark")
def test_two_tables_with_elements_kept(way: str, tmp_path: Path) -> None:
    metrics = [metric for metric in ALL if metric.one_sided]
    _two(way, "keep", "singleton", metrics, tmp_path)
    if way in SOME:
        _two(way, "keep", None, metrics, tmp_path)
        _two(way, "keep", "drop", metrics, tmp_path)


@ways(*SOME)
def test_two_tables_with_elements_dropped(way: str, tmp_path: Path) -> None:
    for missing, noise_as in (("drop", None), ("drop", "cluster"), ("singleton", "drop")):
        _two(way, missing, noise_as, FEW if way in ("polars", "pyarrow chunks") else QUICK, tmp_path)


def _two(way: str, missing: str, noise_as: str | None, metrics: list[cs.Metric], folder: Path) -> None:
    gold, pred = two_tables()
    options: dict[str, Any] = {"missing": missing, "metrics": metrics}
    more = {"element": "id", "cluster": "label", "document": "document"}
    for side in (gold, pred):
        side["label"] = as_written(way, side["label"])
    if noise_as:
        options |= {"noise": as_written(way, [-1])[0], "noise_as": noise_as}
    expected = cs.score(clustering(gold), clustering(pred), **options)
    same(score_two(way, gold, pred, folder, **options | more), expected)


@ways(*ENGINES)
def test_two_tables_without_documents(way: str, tmp_path: Path) -> None:
    gold, pred = ({"label": as_written(way, side["label"]), "id": side["id"]} for side in two_tables())
    for missing, metrics in (("singleton", QUICK), ("keep", ["blanc"])):
        expected = cs.score(clustering(gold), clustering(pred), missing=missing, metrics=metrics)
        more = {"element": "id", "cluster": "label", "missing": missing, "metrics": metrics}
        same(score_two(way, gold, pred, tmp_path, **more), expected)


@pytest.mark.parametrize("documented", ["gold", "pred"])
@ways("pandas", "polars lazy", "duckdb relation", "arrays of parquet")
def test_documents_in_one_of_two_tables(way: str, documented: str, tmp_path: Path) -> None:
    sides = dict(zip(("gold", "pred"), two_tables(complete=documented), strict=True))
    without = {side: dict(columns) for side, columns in sides.items()}
    del without["pred" if documented == "gold" else "gold"]["document"]
    for missing, metrics in (("drop", ["elm"]), ("singleton", QUICK), ("keep", ["blanc"])):
        options = {"missing": missing, "metrics": metrics}
        expected = cs.score(clustering(without["gold"]), clustering(without["pred"]), **options)
        same(expected, cs.score(clustering(sides["gold"]), clustering(sides["pred"]), **options))
        more = {"element": "id", "cluster": "label", "document": "document", **options}
        same(score_two(way, without["gold"], without["pred"], tmp_path, **more), expected)


@ways("pandas", "polars lazy", "duckdb relation", "arrays of parquet")
def test_elements_dropped_for_lack_of_a_partner_need_no_document(way: str, tmp_path: Path) -> None:
    gold, pred = two_tables()
    del pred["document"]
    expected = cs.score(clustering(gold), clustering(pred), missing="drop", metrics=QUICK)
    more = {"element": "id", "cluster": "label", "document": "document", "missing": "drop", "metrics": QUICK}
    same(score_two(way, gold, pred, tmp_path, **more), expected)


@pytest.mark.parametrize("kind", ["text", "whole", "fractions", "days"])
@ways(*ENGINES, "spark")
def test_kind_of_id(way: str, kind: str, tmp_path: Path) -> None:
    ids = LABELS[kind]
    gold = {"element": ids, "cluster": [k % 3 for k in range(len(ids))]}
    pred = {"element": ids[::-1], "cluster": [k % 2 for k in range(len(ids))]}
    expected = cs.score(
        dict(zip(*gold.values(), strict=True)), dict(zip(*pred.values(), strict=True)), metrics="bcubed"
    )
    assert score_two(way, gold, pred, tmp_path, metrics="bcubed").micro == expected.micro


@ways(*ENGINES, "spark")
def test_element_in_one_table(way: str, tmp_path: Path) -> None:
    """It changes nothing where every element stands there once; in other documents it may stand again."""
    given = documents()
    expected = cs.score(given["gold"], given["pred"], documents=given["document"], metrics=QUICK)
    options: dict[str, Any] = {"element": "element", "document": "document", "metrics": QUICK}
    same(score(way, given, tmp_path, **options), expected)
    again = {name: values * 2 for name, values in given.items()}
    again["document"] = given["document"] + [f"{name} again" for name in given["document"]]
    expected = cs.score(again["gold"], again["pred"], documents=again["document"], metrics=QUICK)
    same(score(way, again, tmp_path, **options), expected)


@ways("pandas", "parquet", "arrays of csv")
def test_columns_of_any_name(way: str, tmp_path: Path) -> None:
    """Those that the plan uses itself, and those that SQL minds."""
    given = documents()
    # DuckDB 1.4 does not find a column whose name holds a quote
    odd = "the true one" if duckdb.__version__.startswith("1.4.") else 'the "true" one'
    for names in (("n", "gold_state", "times"), ("pred", "gold", "a"), (odd, "sélect", "group by")):
        columns = dict(zip(names, (given["gold"], given["pred"], given["document"]), strict=True))
        metrics = ["elm", "alphamax_bcubed"]
        expected = cs.score(given["gold"], given["pred"], documents=given["document"], metrics=metrics)
        card = score(
            way, columns | {"b": given["gold"]}, tmp_path, gold=names[0], pred=names[1], document=names[2],
            metrics=metrics,
        )  # fmt: skip
        same(card, expected)


@pytest.mark.parametrize("metric", CELLS, ids=str)
def test_what_needs_single_clusters_is_refused_before_anything_is_read(metric: cs.Metric) -> None:
    for engine in ("auto", "duckdb", "spark"):
        with pytest.raises(cs.MetricError, match=rf'{re.escape(str(metric))} .*engine="arrays"'):
            cs.score_table("there is no such file.csv", metrics=["elm", metric], engine=engine)
    with pytest.raises(cs.FileError, match="there is no such file"):
        cs.score_table("there is no such file.csv", metrics=["elm", metric], engine="arrays")


@ways("arrays of pandas", "arrays of polars lazy", "arrays of a relation", "arrays of parquet", "arrays of csv")
def test_single_clusters_by_arrays(way: str, tmp_path: Path) -> None:
    given = documents()
    expected = cs.score(given["gold"], given["pred"], documents=given["document"], metrics=CELLS)
    same(score(way, given, tmp_path, document="document", metrics=CELLS), expected)


@pytest.mark.parametrize("metric", ["elm", "bcubed", "adapted_bcubed", "alphamax_bcubed"])
def test_weights_of_elements_are_refused(metric: str) -> None:
    with pytest.raises(cs.MetricError, match=r"needs a weight for every element.*cs.score"):
        cs.score_table("there is no such file.csv", metrics=f"{metric}(weights=given)")


# a failure is not explained: every example takes many steps
phases = (Phase.explicit, Phase.generate, Phase.shrink)
few = settings(max_examples=8, deadline=None, derandomize=True, database=None, phases=phases)
label = st.sampled_from([-1, None, 0, 1, 2, 3])
noises = st.sampled_from([[-1, None], [None]])
kinds_of_noise = st.sampled_from(["singleton", "drop", "cluster", "loghub", "logparser"])


@ways("polars", "pyarrow chunks")
@few
@given(st.lists(st.tuples(label, label, st.integers(0, 2)), min_size=1, max_size=14), noises, kinds_of_noise)
def test_any_table(way: str, rows: list[Any], noise: list[Any], noise_as: str) -> None:
    gold, pred, document = map(list, zip(*rows, strict=True))
    metrics = [metric for metric in ALL if metric.one_sided or noise_as != "logparser"]
    options = {"metrics": metrics, "noise": noise, "noise_as": noise_as}
    table = WAYS[way].make({"gold": gold, "pred": pred, "document": document}, Path())
    try:
        expected = cs.score(gold, pred, documents=document, **options)
    except cs.InputError:  # nothing is left
        with pytest.raises(cs.InputError, match="nothing to score"):
            cs.score_table(table, document="document", **options)
        return
    same(cs.score_table(table, document="document", **options), expected)


sides = st.dictionaries(st.tuples(st.integers(0, 8), st.integers(0, 1)), label, min_size=1, max_size=12)


@ways("polars", "pyarrow chunks")
@few
@given(sides, sides, st.sampled_from(["drop", "singleton", "keep"]), kinds_of_noise)
def test_any_two_tables(way: str, gold: Any, pred: Any, missing: str, noise_as: str) -> None:
    kept = missing == "keep" or noise_as == "logparser"
    metrics = [metric for metric in ALL if metric.one_sided] if kept else ALL
    options = {"metrics": metrics, "missing": missing, "noise": [-1, None], "noise_as": noise_as}
    columns = [
        {"id": [key[0] for key in side], "document": [key[1] for key in side], "label": list(side.values())}
        for side in (gold, pred)
    ]
    tables = dict(zip(("gold_table", "pred_table"), (WAYS[way].make(side, Path()) for side in columns), strict=True))
    more = {"element": "id", "cluster": "label", "document": "document", **options}
    try:
        expected = cs.score(*map(clustering, columns), **options)
    except cs.InputError:
        with pytest.raises(cs.InputError, match=r"nothing to score|no document is on both sides"):
            cs.score_table(**tables, **more)
        return
    same(cs.score_table(**tables, **more), expected)
