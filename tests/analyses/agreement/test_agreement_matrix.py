"""Several clusterings, none of them gold: any two are scored, and the consistency of each element is a mean."""

from __future__ import annotations

import json
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import clusterscore as cs
from running import run

THREE = {"ann": [0, 0, 1, 1], "bob": [0, 0, 1, 1], "cleo": [0, 0, 0, 1]}
BY_ID = {"a": {"p": 1, "q": 1, "r": 2}, "b": {"r": 5, "q": 4, "p": 4}, "c": {"q": 7, "p": 8, "r": 8}}
columns = st.integers(1, 8).flatmap(
    lambda size: st.lists(st.lists(st.integers(0, 3), min_size=size, max_size=size), min_size=2, max_size=4)
)


def test_exact() -> None:
    result = cs.agreement_matrix(THREE)
    assert result.matrix.tolist() == [[1, 1, 0], [1, 1, 0], [0, 0, 1]]
    assert result.mean == pytest.approx(1 / 3, abs=1e-15)
    # elm: with cleo, elements 0 and 1 have an F of 2/3, elements 2 and 3 of 0
    assert result.elements["element"].tolist() == [2, 3, 0, 1]
    assert result.elements["consistency"].tolist() == pytest.approx([1 / 3, 1 / 3, 7 / 9, 7 / 9], abs=1e-15)
    assert result.elements["cleo"].tolist() == [0, 1, 0, 0]


@pytest.mark.filterwarnings("ignore:gold and pred are nothing but 0 and 1")  # by chance
@given(columns, st.sampled_from(["adjusted_rand", "bcubed(beta=2)", "vi", "v_measure"]))
def test_equals_single_calls(labels: list[list[int]], metric: str) -> None:
    clusterings = {f"c{k}": clustering for k, clustering in enumerate(labels)}
    result = cs.agreement_matrix(clusterings, metric=metric, element_metric="bcubed(beta=2)")
    for a, first in clusterings.items():
        for b, second in clusterings.items():
            assert result[a, b] == cs.score(first, second, metrics=metric)[metric]
    pairs = list(permutations(clusterings.values(), 2))
    assert result.mean == pytest.approx(np.mean([cs.metric(metric).value(*both) for both in pairs]), abs=1e-12)
    means = np.mean([cs.elements(*both, metric="bcubed(beta=2)")["f"] for both in pairs], axis=0)
    by_element = dict(zip(result.elements["element"].tolist(), result.elements["consistency"].tolist(), strict=True))
    assert [by_element[k] for k in range(len(means))] == pytest.approx(means.tolist(), abs=1e-12)
    assert (np.diff(result.elements["consistency"]) >= 0).all()


SYMMETRIC = [kind for kind in cs.registered() if kind().symmetric and not kind.overlapping and not kind.of_mentions]


@pytest.mark.parametrize("kind", SYMMETRIC)
def test_symmetric_metrics_have_symmetric_matrices(kind: Any) -> None:
    rng = np.random.default_rng(3)
    result = cs.agreement_matrix({name: rng.integers(0, 5, 40) for name in "abc"}, metric=kind.name)
    np.testing.assert_allclose(result.matrix, result.matrix.T, rtol=0, atol=1e-12)
    assert "gold in rows" not in str(result)


def test_gold_is_in_rows() -> None:
    result = cs.agreement_matrix({"one": [0, 0, 0], "apart": [0, 1, 2]}, metric="homogeneity")
    assert result["one", "apart"].value == result.matrix[0, 1] == 1
    assert result["apart", "one"].value == result.matrix[1, 0] == 0
    assert "mean over 1 pair: 0.5000; gold in rows" in str(result)


def test_elements_in_any_order() -> None:
    result = cs.agreement_matrix(BY_ID)
    assert result["a", "b"].value == 1
    rows = {element: rest for element, *rest in result.elements.rows()}
    assert rows == {"p": [1 / 3, 1, 4, 8], "q": [1 / 3, 1, 4, 7], "r": [1 / 3, 2, 5, 8]}


def test_an_element_that_some_do_not_have_has_the_mean_of_the_others() -> None:
    some = {"a": {"p": 1, "q": 1}, "b": {"p": 1, "q": 1, "r": 1}, "c": {"p": 1, "q": 2, "r": 1}}
    with pytest.raises(
        cs.ElementMismatch, match=r"^'a' as gold and 'b' as pred: 1 element is only in pred \(e.g. 'r'\)"
    ):
        cs.agreement_matrix(some)
    rows = {row[0]: row[1:] for row in cs.agreement_matrix(some, missing="drop").elements.rows()}
    assert rows["r"] == (cs.elements(some["b"], some["c"])["f"][2], None, 1, 1)


def test_documents_and_average() -> None:
    given = {"documents": ["d", "d", "e", "e"], "average": "macro"}
    result = cs.agreement_matrix(THREE, metric="elm", **given)
    assert result["ann", "cleo"] == cs.score(THREE["ann"], THREE["cleo"], metrics="elm", **given)["elm"]
    assert result.elements["document"].tolist() == ["e", "e", "d", "d"]


@pytest.mark.parametrize(
    ("clusterings", "options", "message"),
    [
        ({"a": [1]}, {}, "there is only 'a'"),
        ({}, {}, "at least two clusterings, but there is none"),
        ([[1], [1]], {}, "is a list, not a mapping"),
        ({"a": [1, 2], "b": [1]}, {}, "^'a' as gold and 'b' as pred: gold has 2 labels and pred has 1"),
        (THREE, {"metric": "adjusted"}, "unknown metric 'adjusted': did you mean"),
        (THREE, {"element_metric": "ari"}, "adjusted_rand does not score single elements"),
        ({"a": [1], "b": cs.Table.from_matrix([[1]])}, {}, "'b' is a Table"),
    ],
)
def test_bad_input(clusterings: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(cs.ClusterscoreError, match=message):
        cs.agreement_matrix(clusterings, **options)


def test_names_that_are_not_there() -> None:
    result = cs.agreement_matrix(THREE)
    with pytest.raises(KeyError, match="no clustering 'bop': did you mean 'bob'"):
        result["ann", "bop"]
    with pytest.raises(KeyError, match="name two clusterings"):
        result["ann"]  # type: ignore[index]


def test_for_people_and_programs() -> None:
    result = cs.agreement_matrix(THREE, metric="bcubed")
    assert list(result.listed()) == ["gold", "pred", "value", "precision", "recall", "f", "signature"]
    rows = {(row["gold"], row["pred"]): row["value"] for row in result.records()}
    assert rows == {(a, b): result[a, b].value for a in THREE for b in THREE if a != b}
    made = result.to_dict()
    assert made["mean"] == result.mean
    assert made["consistency"]["least"] == result.elements["consistency"][0]
    assert "| ann | 1.0000 | 1.0000 |" in result.to_markdown()


def test_the_command() -> None:
    files = {"ann": "examples/gold.csv", "bob": "examples/pred.csv"}
    result = cs.agreement_matrix({name: cs.Clustering.from_file(file) for name, file in files.items()}, metric="elm")
    assert run("agreement", *(f"{name}={file}" for name, file in files.items()), "-m", "elm") == (0, f"{result}\n", "")
    code, out, _ = run("agreement", *files.values(), "--elements", "--format", "csv")
    assert (code, out.splitlines()[0]) == (0, "element,consistency,gold,pred")


def test_columns_of_one_file() -> None:
    how = ["examples/streams.csv", "--element", "page", "--document", "stream"]
    three = [word for name in ("gold", "fixed", "model") for word in ("--column", name)]
    made = json.loads(run("agreement", *how, *three, "-m", "elm", "--format", "json")[1])
    scored = run("score", *how, "--gold", "fixed", "--pred", "model", "-m", "elm", "--format", "json")
    alone = json.loads(scored.stdout)["scores"]["elm"]
    row = next(row for row in made["rows"] if (row["gold"], row["pred"]) == ("fixed", "model"))
    assert row == {"gold": "fixed", "pred": "model", **alone}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["examples/gold.csv"], "pass at least two files, or one file with a --column COL"),
        (["examples/gold.csv", "examples/pred.csv", "--column", "x"], "--column is for one file"),
        (["examples/streams.csv", "--column", "x", "--column", "x"], "'x' is given twice"),
        (["examples/gold.csv", "examples/old.csv"], "'gold' as gold and 'old' as pred: 9 elements are only in gold"),
        (
            ["examples/gold.csv", "examples/pred.csv", "-m", "elm, ari"],
            "--metric takes one metric here, not 2: elm, ari",
        ),
    ],
)
def test_mistakes(arguments: list[str], message: str) -> None:
    code, out, err = run("agreement", *arguments)
    assert (code, out) == (2, "")
    assert message in err
