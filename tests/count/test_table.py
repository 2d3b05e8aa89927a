"""Table: made in every way, and exact where floats are not."""

from __future__ import annotations

import math
import pickle
from fractions import Fraction
from math import comb
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

import clusterscore as cs
from clusterscore.count import cells as tables
from clusterscore.count import sums
from clusterscore.count.cells import Cells, Clusters
from clusterscore.distinct import distinct_rows
from variants import COUNTED, numbers

law = settings(max_examples=40, deadline=None, derandomize=True, database=None)
MATRIX = [[5, 1, 0], [0, 4, 0], [2, 0, 7]]


def exact(matrix: Any) -> dict[str, Fraction]:
    """The pair measures in Python's integers and fractions."""
    rows = [[int(n) for n in row] for row in matrix]
    right = sum(comb(n, 2) for row in rows for n in row)
    gold = sum(comb(sum(row), 2) for row in rows)
    pred = sum(comb(sum(column), 2) for column in zip(*rows, strict=True))
    every = comb(sum(map(sum, rows)), 2)
    apart = every - gold - pred + right
    chance = Fraction(gold * pred, every)
    blanc = Fraction(2 * right, gold + pred) + Fraction(2 * apart, 2 * every - gold - pred)
    return {
        "pairwise": Fraction(2 * right, gold + pred),
        "rand": Fraction(right + apart, every),
        "adjusted_rand": (right - chance) / (Fraction(gold + pred, 2) - chance),
        "jaccard": Fraction(right, gold + pred - right),
        "blanc": blanc / 2,
    }


def check_exact(table: cs.Table, matrix: Any) -> None:
    for name, value in exact(matrix).items():
        assert getattr(cs, name)(table).value == pytest.approx(float(value), rel=1e-14, abs=0), name


def test_from_labels() -> None:
    table = cs.Table.from_labels(["g", "g", "h", "g"], ["x", "y", "y", "x"])
    named = {
        (table.cells.gold.name(g), table.cells.pred.name(p)): n
        for g, p, n in zip(table.gold.tolist(), table.pred.tolist(), table.n.tolist(), strict=True)
    }
    assert named == {("g", "x"): 2, ("g", "y"): 1, ("h", "y"): 1}
    assert repr(table) == "Table(4 elements, 2 gold clusters, 2 predicted clusters, 3 cells)"


@pytest.mark.parametrize(
    "make",
    [
        lambda m: m,
        np.array,
        lambda m: np.array(m, np.uint8),
        lambda m: np.array(m, float),
        lambda m: np.array(m, object),
        lambda m: sparse.csr_matrix(m),
        lambda m: sparse.coo_array(np.array(m)),
        lambda m: sparse.csc_array(np.array(m, float)),
    ],
)
def test_from_matrix(make: Any) -> None:
    table = cs.Table.from_matrix(make(MATRIX))
    assert table.to_matrix().tolist() == MATRIX
    assert (table.gold_size.tolist(), table.pred_size.tolist()) == ([6, 4, 9], [7, 5, 7])
    assert (table.singletons("gold"), table.elements) == (0, 19)
    check_exact(table, MATRIX)


def test_from_contingency_is_from_matrix() -> None:
    assert cs.Table.from_contingency(MATRIX).to_matrix().tolist() == MATRIX


def test_empty_rows_and_columns_are_no_clusters() -> None:
    assert cs.Table.from_matrix([[0, 0, 0], [3, 0, 1], [0, 0, 2]]).to_matrix().tolist() == [[3, 1], [0, 2]]


def test_duplicates_in_a_sparse_matrix_add_up() -> None:
    twice = sparse.coo_array(([2, 3, 1], ([0, 0, 1], [0, 0, 1])), shape=(2, 2))
    assert cs.Table.from_matrix(twice).to_matrix().tolist() == [[5, 0], [0, 1]]


def test_from_cells() -> None:
    table = cs.Table.from_cells(["a", "b", "a", "a", "c"], ["x", "y", "y", "x", "x"], [5, 4, 1, 2, 0])
    assert table.elements == 12
    assert {table.cells.gold.name(k): size for k, size in enumerate(table.gold_size.tolist()) if size} == {
        "a": 8,
        "b": 4,
    }
    assert {table.cells.pred.name(k): size for k, size in enumerate(table.pred_size.tolist())} == {"x": 7, "y": 5}
    assert sorted(table.n.tolist()) == [1, 4, 7]


def test_sizes_beyond_the_cells() -> None:
    table = cs.Table.from_cells(["a"], ["x"], [2], gold_size={"a": 3, "b": 1}, pred_size={"y": 4})
    assert {table.cells.gold.name(k): size for k, size in enumerate(table.gold_size.tolist())} == {"a": 3, "b": 1}
    assert {table.cells.pred.name(k): size for k, size in enumerate(table.pred_size.tolist())} == {"x": 2, "y": 4}
    assert (table.elements, table.one_sided) == (8, (2, 4))
    assert table.policy.missing == "keep"
    mentions = {1: "a", 2: "a", 3: "a", 4: "b"}, {1: "x", 2: "x", **dict.fromkeys("mnop", "y")}
    assert cs.blanc(table).value == cs.blanc(*mentions, missing="keep").value


def test_sizes_that_the_cells_fill_are_no_difference() -> None:
    table = cs.Table.from_cells(["a"], ["x"], [2], gold_size={"a": 2})
    assert (table.policy.missing, cs.elm(table).value) == ("error", 1)


@law
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 2)), min_size=1, max_size=14))
def test_documents(rows: list[tuple[int, int, int]]) -> None:
    gold, pred, documents = zip(*rows, strict=True)
    table = cs.Table.from_labels(gold, pred, documents=documents)
    cells = cs.Table.from_cells(gold, pred, [1] * len(gold), document=documents)
    assert table.elements == cells.elements == len(rows)
    assert sorted(table.documents) == sorted(cells.documents) == sorted(set(documents))
    assert len(table.gold_size) == len(cells.gold_size) == len({(d, g) for g, _, d in rows})
    assert len(table.n) == len(cells.n) == len(set(rows))
    metrics = ["elm", "blanc", "ami", "alphamax", "acc"]
    of_labels, of_cells = (cs.score(made, metrics=metrics).documents for made in (table, cells))
    for row, other_row in zip(sorted(of_labels.rows()), sorted(of_cells.rows()), strict=True):
        assert row == pytest.approx(other_row, abs=1e-12)


def test_a_pool_of_documents_keeps_their_clusters_apart() -> None:
    table = cs.Table.from_labels([0, 0, 0], [0, 0, 0], documents=["d", "e", "e"])
    assert table.pooled().to_matrix().tolist() == table.to_matrix().tolist() == [[1, 0], [0, 2]]
    assert list(table.pooled().documents) == [None]


def test_element_measures_at_ten_billion() -> None:
    big = 10**10
    table = cs.Table.from_cells(["a", "a", "b"], ["x", "y", "y"], [big, 3, big + 1])
    total = 2 * big + 4
    cells = [(big, big + 3, big), (3, big + 3, big + 4), (big + 1, big + 1, big + 4)]
    expected = {
        "bcubed": (sum(Fraction(n * n, b) for n, _, b in cells), sum(Fraction(n * n, a) for n, a, _ in cells)),
        "elm": (
            sum(Fraction(n * (n - 1), b - 1) for n, _, b in cells),
            sum(Fraction(n * (n - 1), a - 1) for n, a, _ in cells),
        ),
    }
    for name, (precision, recall) in expected.items():
        score = getattr(cs, name)(table)
        assert 1 - score.precision == pytest.approx(float(1 - precision / total), rel=1e-5)
        assert (score.precision, score.recall) == pytest.approx(
            (float(precision / total), float(recall / total)), rel=1e-15
        )


@pytest.mark.parametrize("size", [10**4, 10**6, 10**9, 10**12])
def test_pair_measures_are_exact_at_any_size(size: int) -> None:
    """Near independence the adjusted Rand index is a small difference of huge numbers."""
    random = np.random.default_rng(7)
    independent = np.outer(random.integers(1, 5, 6), random.integers(1, 5, 5)) * (size // 100)
    matrix = independent + random.integers(0, 3, (6, 5))
    cells = [(g, p, int(n)) for (g, p), n in np.ndenumerate(matrix)]
    table = cs.Table.from_cells(*zip(*cells, strict=True))
    assert table.elements == int(matrix.sum())
    check_exact(table, matrix)
    check_exact(cs.Table.from_matrix(matrix), matrix)


def test_the_largest_table() -> None:
    count = 2**53 - 1
    table = cs.Table.from_cells(["a", "a"], ["x", "y"], [count - 1, 1])
    assert table.elements == count
    score = cs.blanc(table)  # gold is one cluster: the linked pairs alone count
    assert score.value == pytest.approx(float(Fraction(2 * comb(count - 1, 2), comb(count - 1, 2) + comb(count, 2))))
    assert cs.rand(table).value <= 1
    assert cs.Table.from_cells(["a"], ["x"], np.array([count], object)).n.tolist() == [count]
    for more in (2**53, 2**53 + 1, 2**62, 2**63, 10**30):
        with pytest.raises(cs.InputError, match=r"the maximum is 2\*\*53"):
            cs.Table.from_cells(["a"], ["x"], [more])


def test_pair_counts_of_documents_add_up_beyond_a_float() -> None:
    n = [10**8 + k for k in range(6)]
    documents = [0, 0, 1, 1, 2, 2]
    table = cs.Table.from_cells(list("abcdef"), list("uvwxyz"), n, document=documents)
    parts = cs.metric("pairwise").parts(table)
    assert sum(parts["together"].tolist()) == sum(comb(k, 2) for k in n)
    assert cs.adjusted_rand(table).value == 1


@pytest.mark.parametrize(("size", "kind"), [(150_000, float), (250_000, object)])
def test_sums_of_documents_are_floats_while_these_hold_them(size: int, kind: type) -> None:
    triples = cs.Table.from_cells([0] * 3, [0] * 3, [size] * 3, document=[0, 1, 2]).triples("gold")
    assert (triples.dtype, triples.tolist()) == (kind, [size * (size - 1) * (size - 2)] * 3)


@pytest.mark.parametrize("metric", COUNTED, ids=str)
@pytest.mark.parametrize("documents", [1, 40])
def test_merged_cells_score_as_unmerged_ones(
    metric: cs.Metric, documents: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    random = np.random.default_rng(3)
    gold, pred = random.integers(0, 300, (2, 1200))
    document = None if documents == 1 else random.integers(0, documents, 1200)
    scores = []
    for few in (0, 10**9):
        monkeypatch.setattr(tables, "FEW", few)
        monkeypatch.setattr(sums, "_FEW", few)
        table = cs.Table.from_labels(gold, pred, documents=document)
        assert few or document is not None or table.rows().times is not None
        scores.append({**numbers(metric(table)), "macro": float(metric.values(table).value.mean())})
    assert scores[0] == pytest.approx(scores[1], abs=1e-13)


@pytest.mark.parametrize("alike", [True, False])
def test_cells_are_merged_where_many_are_alike(alike: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = np.random.default_rng(3).random((2, 90_000))
    gold, pred = (20_000 * drawn if alike else 400 * np.sqrt(drawn)).astype(int)
    table = cs.Table.from_labels(gold, pred)
    assert (table.rows().times is not None) == alike
    measures = ["elm", "bcubed", "adapted_bcubed", "blanc", "pairwise", "adjusted_rand", "lea"]
    card = cs.score(table, metrics=measures)
    monkeypatch.setattr(tables, "FEW", 10**9)
    apart = cs.score(cs.Table.from_labels(gold, pred), metrics=measures)
    assert [card[name] for name in measures] == [apart[name] for name in measures]


def test_cells_whose_numbers_do_not_fit_a_word_are_merged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "FEW", 0)
    gold, n = np.arange(200) // 2, 2**22 + np.arange(200) // 2 % 10
    rows = cs.Table.from_cells(gold, np.arange(200), n).rows()
    assert rows.times is not None
    merged = zip(*(column.tolist() for column in (rows.n, rows.a, rows.b, rows.times)), strict=True)
    assert sorted(merged) == [(2**22 + k, 2**23 + 2 * k, 2**22 + k, 20) for k in range(10)]


def test_sums_do_not_depend_on_the_order() -> None:
    random = np.random.default_rng(5)
    terms = random.lognormal(0, 5, 5000)
    groups = random.integers(0, 3, 5000)
    for _ in range(20):
        order = random.permutation(5000)
        assert sums.add_up(terms[order]).tolist() == sums.add_up(terms).tolist()
        shuffled = sums.add_up(terms[order], groups[order], 3)
        assert shuffled.tolist() == sums.add_up(terms, groups, 3).tolist()
    assert sums.add_up(terms)[0] == math.fsum(terms)


def test_a_table_in_the_place_of_gold_and_pred() -> None:
    gold, pred = [0, 0, 0, 1, 1, 2], [0, 0, 1, 1, 1, 2]
    table = cs.Table.from_labels(gold, pred)
    assert cs.elm(table) == cs.elm(gold, pred)
    assert cs.score(table).to_dict() == cs.score(gold, pred).to_dict()
    rows = cs.elements(table, metric="bcubed")
    assert sorted(rows["f"].tolist()) == sorted(cs.elements(gold, pred, metric="bcubed")["f"].tolist())


@pytest.mark.parametrize("documents", [None, ["d", "d", "e"]])
def test_a_table_and_a_scorecard_can_be_pickled(documents: Any) -> None:
    """Partial results travel between processes."""
    table = cs.Table.from_labels(["a", "a", "b"], [0, 1, 1], documents=documents)
    again = pickle.loads(pickle.dumps(table))
    assert (again.cells.gold.name(0), cs.elm(again)) == (table.cells.gold.name(0), cs.elm(table))
    card = cs.score(table)
    assert pickle.loads(pickle.dumps(card)).to_json() == card.to_json()


def test_cells_without_a_label() -> None:
    """None and NaN are an error unless named as noise, in cells as in labels."""
    with pytest.raises(cs.InputError, match="None"):
        cs.Table.from_cells([None, "a"], ["x", "x"], [1, 2])
    with pytest.raises(cs.InputError, match="None"):
        cs.Table.from_cells(["b", "a"], [float("nan"), "x"], [1, 2])
    with pytest.raises(cs.InputError, match="document"):
        cs.Table.from_cells(["b", "a"], ["x", "x"], [1, 2], document=["d", None])


GOOD = {
    **dict.fromkeys(("gold", "pred", "n", "gold_size", "pred_size"), np.array([0, 1])),
    "gold_document": np.array([0, 1]),
    "pred_document": np.array([1, 1]),
}


def cells_of(numbers: dict[str, Any]) -> Cells:
    gold, pred = (Clusters(numbers[s], numbers[f"{s}_size"], numbers[f"{s}_document"]) for s in ("gold", "pred"))
    return Cells(numbers["n"], gold, pred)


@pytest.mark.parametrize(
    ("role", "values", "message"),
    [
        ("gold", [0, 2], r"1 number among the gold clusters of the cells out of range \(e\.g\. 2; possible: 0 to 1\)"),
        ("gold", [-1, -1], r"2 numbers among the gold clusters of the cells out of range \(e\.g\. -1"),
        ("pred", [0, 2**62], "1 number among the pred clusters of the cells"),
        ("pred", [0, 1, 1], "pred clusters of the cells are no array of 2 whole numbers"),
        ("pred", [0.0, 1.0], "pred clusters of the cells are no array of 2 whole numbers"),
        ("n", [1, -1], r"1 number among the counts of the cells out of range \(e\.g\. -1; possible: 0 up\)"),
        ("gold_size", [1, -5], "1 number among the sizes of the gold clusters"),
        ("gold_document", [0, 2], "1 number among the documents of the gold clusters"),
        ("pred_document", [-1, 0], "1 number among the documents of the pred clusters"),
    ],
)
def test_numbers_that_nobody_has_are_refused(role: str, values: list[Any], message: str) -> None:
    assert cs.Table(cells_of(GOOD), documents=["d", "e"]).elements == 1
    wrong = cells_of({**GOOD, role: np.array(values)})
    with pytest.raises(cs.ClusterscoreError, match=message):
        cs.Table(wrong, documents=["d", "e"])
    damaged = cs.Table(cells_of(GOOD), documents=["d", "e"])
    damaged.counts = wrong
    with pytest.raises(cs.ClusterscoreError, match=message):
        pickle.loads(pickle.dumps(damaged))


def test_a_clustering_is_made_by_a_constructor_that_names_its_kind() -> None:
    with pytest.raises(
        cs.InputTypeError, match=r"^Clustering\(list\) does not say what you have; use Clustering.from_l"
    ):
        cs.Clustering([0, 1, 1])  # type: ignore[arg-type]


@pytest.mark.parametrize("reading", ["marginal", "majority", "own"])
@pytest.mark.parametrize("pred", ["singletons", "same", "dealt"])
def test_super_sets_of_very_many_cells_are_merged_without_a_trace(
    monkeypatch: pytest.MonkeyPatch, reading: str, pred: str
) -> None:
    """Cells that are alike are put together block by block, or not where few are: the same bits."""
    rng = np.random.default_rng(0)
    gold = rng.integers(0, 3_000, 10_000)
    sides = {"singletons": np.arange(10_000), "same": gold, "dealt": rng.integers(0, 4_000, 10_000)}
    metric = cs.metric(f"alphamax_bcubed(reading={reading})")
    expected = metric.score(cs.Table.from_labels(gold, sides[pred]))
    monkeypatch.setattr("clusterscore.count.cells._MANY", 100)
    monkeypatch.setattr("clusterscore.count.cells._AT_ONCE", 50 if pred == "singletons" else 5)
    table = cs.Table.from_labels(gold, sides[pred])
    merged = table.supersets(reading, False)
    if (pred, reading) == ("dealt", "marginal"):
        assert merged.times is None
    if pred == "singletons":
        assert merged.times is not None
        assert len(merged.n) < merged.times.sum() == np.count_nonzero(np.bincount(gold)[gold] > 1)
    assert metric.score(table) == expected


def test_distinct_rows_are_told_apart_though_they_mix_into_one_number(monkeypatch: pytest.MonkeyPatch) -> None:
    columns = [np.array([1, 2, 1, 2]), np.array([0.5, 0.5, 0.5, 0.25])]
    for odd in (0x9E3779B97F4A7C15, 0):  # times 0 all rows are one
        monkeypatch.setattr("clusterscore.distinct._ODD", odd)
        first, row = distinct_rows(columns)
        assert len(first) == 3
        assert all((column[first][row] == column).all() for column in columns)
