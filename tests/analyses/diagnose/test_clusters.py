"""A row per cluster: against sets of elements, in every order of ties, and with names of any kind."""

from __future__ import annotations

import datetime
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import clusterscore as cs
from analyses.diagnose import by_definition as plain

LABELS = st.lists(
    st.tuples(st.integers(0, 4), st.sampled_from("abcde"), st.sampled_from("xyz")), min_size=1, max_size=30
)


@given(LABELS, st.booleans(), st.sampled_from(["elm", "bcubed(beta=2)"]))
@example([(0, "a", "x"), (0, "b", "x"), (1, "a", "x"), (1, "b", "x")], False, "elm")  # all overlaps are equal
@example([(0, "a", "x"), (1, "a", "y"), (0, "a", "y"), (1, "b", "x")], True, "elm")  # documents in turns
def test_every_cluster_by_definition(labels: list[tuple[int, str, str]], by_document: bool, metric: str) -> None:
    gold, pred, documents = (list(column) for column in zip(*labels, strict=True))
    records = cs.clusters(gold, pred, metric=metric, documents=documents if by_document else None).records()
    where = documents if by_document else [None] * len(gold)
    sides = {"gold": plain.clusters("gold", gold, where), "pred": plain.clusters("pred", pred, where)}
    elements = cs.elements(gold, pred, metric=metric, documents=documents if by_document else None)
    expected = []
    for own, others in (("gold", "pred"), ("pred", "gold")):
        for cluster in sides[own]:
            touching = [other for other in sides[others] if other.members & cluster.members]
            match, members = plain.best_match(cluster, touching), sorted(cluster.members)
            overlap = len(match.members & cluster.members)
            row = {"side": own, "cluster": cluster.name, "size": len(members), "best_match": match.name,
                   "overlap": overlap, "overlap_share": overlap / len(members), "parts": len(touching)}  # fmt: skip
            row |= {name: pytest.approx(np.mean(elements[name][members])) for name in ("precision", "recall", "f")}
            row["loss"] = pytest.approx(np.sum(elements["loss"][members]), rel=1e-14)
            row["share"] = pytest.approx(np.sum(elements["loss"][members]) / (np.sum(elements["loss"]) or 1))
            expected.append((cluster, row | ({"document": cluster.document} if by_document else {})))
    place = {(cluster.side, cluster.document, cluster.name): (where.index(cluster.document), min(cluster.members))
             for cluster, _ in expected}  # fmt: skip
    keys = [
        (-round(row["loss"], 12), -row["size"], *place[row["side"], row.get("document"), row["cluster"]], row["side"])
        for row in records
    ]
    assert keys == sorted(keys)
    by_name = {(row["side"], row.get("document"), row["cluster"]): row for row in records}
    assert len(by_name) == len(records) == len(expected)
    for cluster, row in expected:
        assert by_name[cluster.side, row.get("document"), cluster.name] == row


def test_the_columns() -> None:
    rows = cs.clusters(["a", "a", "a", "b", "b"], [1, 1, 2, 2, 2])
    assert list(rows) == ["side", "cluster", "size", "best_match", "overlap", "overlap_share", "parts", "precision",
                          "recall", "f", "loss", "share"]  # fmt: skip
    scores = (2 / 3, 1 / 3, *map(pytest.approx, (4 / 9, 1 / 3, 5 / 7)))  # all that is lost is 7/15
    assert rows.rows()[0] == ("gold", "a", 3, 1, 2, 2 / 3, 2, *scores)
    assert list(cs.clusters([0], [0], documents=["d"]))[:3] == ["side", "document", "cluster"]
    assert rows["size"].dtype == np.int64
    assert rows["loss"].dtype == np.float64


def test_one_side() -> None:
    gold, pred = [0, 0, 0, 1, 1, 2], [0, 0, 1, 1, 1, 2]
    both = cs.clusters(gold, pred).records()
    for side in ("gold", "pred"):
        assert cs.clusters(gold, pred, side=side).records() == [row for row in both if row["side"] == side]


def test_ties_go_to_the_smaller_cluster_then_to_the_first() -> None:
    gold = ["g", "g", "g", "h", "h"]
    smaller = cs.clusters(gold, ["p", "q", "r", "p", "q"], side="gold")
    assert dict(zip(smaller["cluster"], smaller["best_match"], strict=True)) == {"g": "r", "h": "p"}
    turned = cs.clusters(gold, ["q", "p", "r", "p", "q"], side="gold")
    assert dict(zip(turned["cluster"], turned["best_match"], strict=True)) == {"g": "r", "h": "q"}


def test_names_do_not_decide() -> None:
    """Ties depend on the order of elements, so new names give the same rows."""
    rng = np.random.default_rng(0)
    gold, pred = rng.integers(0, 40, 200), rng.integers(0, 40, 200)
    new = rng.permutation(40)
    rows, renamed = cs.clusters(gold, pred), cs.clusters([f"g{new[k]}" for k in gold], new[pred])
    as_new = {"gold": lambda k: f"g{new[k]}", "pred": lambda k: int(new[k])}
    other = {"gold": "pred", "pred": "gold"}
    assert [as_new[side](k) for side, k in zip(rows["side"], rows["cluster"], strict=True)] == renamed[
        "cluster"
    ].tolist()
    matches = [as_new[other[side]](k) for side, k in zip(rows["side"], rows["best_match"], strict=True)]
    assert matches == renamed["best_match"].tolist()
    for name in ("size", "overlap", "overlap_share", "parts", "precision", "recall", "f", "loss", "share"):
        assert rows[name].tolist() == renamed[name].tolist()


DAY, NEXT = datetime.date(2020, 1, 2), datetime.date(2020, 1, 3)
KINDS_OF_NAMES: dict[str, tuple[Any, list[Any]]] = {
    "integers": ([7, 7, 3], [7, 3]),
    "far apart": ([10**12, 10**12, -5], [10**12, -5]),
    "beyond 64 bits": ([2**70, 2**70, 1], [2**70, 1]),
    "unsigned": (np.array([2**63 + 5, 2**63 + 5, 2**63], np.uint64), [2**63 + 5, 2**63]),
    "small": (np.array([-128, -128, 127], np.int8), [-128, 127]),
    "floats": ([0.5, 0.5, -1.25], [0.5, -1.25]),
    "words": (["é", "é", ""], ["é", ""]),
    "fixed width": (np.array(["ab", "ab", "c"]), ["ab", "c"]),
    "bytes": (np.array([b"ab", b"ab", b"c"]), [b"ab", b"c"]),
    "truth": ([True, True, False], [True, False]),
    "tuples": ([(1, 2), (1, 2), (3, 4)], [(1, 2), (3, 4)]),
    "everything": (["a", "a", 1], ["a", 1]),
    "numpy scalars": ([np.int64(4), np.int64(4), "x"], [4, "x"]),
    "days": ([DAY, DAY, NEXT], [DAY, NEXT]),
    "dates": (np.array([DAY, DAY, NEXT], "M8[D]"), [np.datetime64(DAY), np.datetime64(NEXT)]),
    "pandas": (pd.Series(["u", "u", "v"]), ["u", "v"]),
    "polars": (pl.Series(["u", "u", "v"]), ["u", "v"]),
    "arrow": (pa.array(["u", "u", "v"]), ["u", "v"]),
}  # fmt: skip


@pytest.mark.filterwarnings("ignore:.* with the label ''")  # which is a name, too
@pytest.mark.parametrize("kind", KINDS_OF_NAMES)
def test_names_of_any_kind(kind: str) -> None:
    labels, names = KINDS_OF_NAMES[kind]
    gold = cs.Clustering.from_labels(labels)
    rows = cs.clusters(gold, [0, 1, 1], side="gold")
    assert rows["cluster"].tolist() == names
    assert cs.clusters([0, 1, 1], gold, side="gold")["best_match"].tolist() == names[::-1]
    assert cs.elements(gold, [0, 1, 1])["gold"].tolist() == [names[0], names[0], names[1]]
    assert cs.error_cells(gold, [0, 1, 1])["gold"].tolist().count(names[0]) == 2
    for library in ("pandas", "polars", "pyarrow"):
        assert len(cs.clusters(gold, [0, 1, 1]).to_frame(library)) == 4  # cluster names of both sides in one column


def test_mixed_names_are_text_where_a_column_has_one_type() -> None:
    rows = cs.clusters(["a", "a", "b"], [1, 1, 2])
    assert rows.to_frame("pandas")["cluster"].tolist() == ["a", 1, "b", 2]
    assert rows.to_frame("polars")["cluster"].to_list() == ["a", "1", "b", "2"]
    assert rows.to_frame("pyarrow")["cluster"].to_pylist() == ["a", "1", "b", "2"]
    assert rows.to_frame("polars")["size"].dtype == pl.Int64
    assert cs.clusters([5, 5, 6], [1, 1, 2]).to_frame("pyarrow").schema.field("cluster").type == pa.int64()


def test_elements_left_alone_have_no_name() -> None:
    rows = cs.clusters([0, 0, -1, -1], [4, 4, 4, 5], noise=-1, side="gold")
    assert rows["cluster"].tolist() == [None, 0, None]
    assert rows["size"].tolist() == [1, 2, 1]
    apart = cs.clusters({"a": 1, "b": 1}, {"b": 2, "c": 2}, missing="singleton")
    assert sorted(map(str, apart["cluster"])) == ["1", "2", "None", "None"]


def test_unused_numbers_are_no_clusters() -> None:
    rows = cs.clusters([0, 5, 5, 9], [3, 3, 3, 700], noise=[9], noise_as="drop")
    assert sorted(rows["cluster"].tolist()) == [0, 3, 5]


def test_identical_clusterings_in_their_order() -> None:
    rows = cs.clusters(["b", "a", "b", "c"], [1, 0, 1, 2])
    assert rows["loss"].tolist() == [0.0] * 6
    assert rows["cluster"].tolist() == ["b", 1, "a", 0, "c", 2]
    assert rows["overlap_share"].tolist() == [1.0] * 6
    assert rows["share"].tolist() == [0.0] * 6


def test_of_equal_losses_the_larger_cluster_comes_first_then_the_earlier() -> None:
    rows = cs.clusters(["x"] * 2 + ["y"] * 4 + ["z"] * 2, [0, 0, 1, 1, 1, 1, 2, 2], side="gold")
    assert rows["cluster"].tolist() == ["y", "x", "z"]
    gold, pred = list("aabbbcc"), [0, 1, 2, 2, 3, 4, 5]  # under bcubed, a and c cost 2/3 of an element each, b 8/15
    assert cs.clusters(gold, pred, side="gold", metric="bcubed")["cluster"].tolist() == ["b", "a", "c"]
    assert cs.error_cells(list("aab"), [0, 0, 1])["n"].tolist() == [2, 1]


def test_equal_losses_are_equal_however_they_were_added_up() -> None:
    """Elements with the same F cost the same, but for the last digit: that does not decide which comes first."""
    rng = np.random.default_rng(0)
    split = 0
    for _ in range(20):
        gold, pred = rng.integers(0, 8, (2, 37))
        rows = cs.elements(gold, pred)
        split += len(set(rows["loss"].tolist())) > len(set(rows["loss"].round(12).tolist()))
        expected = sorted(range(37), key=lambda k: (-round(float(rows["loss"][k]), 12), k))
        assert rows.worst(37)["element"].tolist() == expected
    assert split  # or nothing was tested


@pytest.mark.parametrize("count", [1, 40_000])
def test_one_cluster_and_all_singletons(count: int) -> None:
    rows = cs.clusters(np.zeros(count, int), np.arange(count), metric="bcubed")
    first = rows.head(1).records()[0]
    assert first["side"] == "gold"
    assert (first["size"], first["parts"], first["overlap"], first["best_match"]) == (count, count, 1, 0)
    assert len(rows) == count + 1
    assert rows["cluster"][1:].tolist() == list(range(count))


def test_tables() -> None:
    gold, pred = [0, 0, 0, 1, 1, 2, 2, 2], ["x", "x", "y", "y", "y", "z", "z", "x"]
    documents = ["d"] * 5 + ["e"] * 3
    rows = cs.clusters(cs.Table.from_labels(gold, pred, documents=documents))
    expected = cs.clusters(gold, pred, documents=documents)
    assert sorted(rows.rows(), key=str) == sorted(expected.rows(), key=str)  # of equal losses a table has its own order
    assert rows["loss"].tolist() == expected["loss"].tolist()


def test_tables_have_the_order_of_their_clusters() -> None:
    rows = cs.clusters(cs.Table.from_matrix([[2, 1, 0], [0, 2, 0], [0, 0, 0], [1, 0, 1]]), side="gold")
    assert rows["cluster"].tolist() == [0, 3, 1]  # the first two cost the same
    assert rows["best_match"].tolist() == [0, 2, 1]  # of two cells of one element that in the smaller cluster
    even = cs.clusters(cs.Table.from_matrix([[1, 1], [1, 1]]))
    assert even["cluster"].tolist() == [0, 0, 1, 1]
    assert even["best_match"].tolist() == [0, 0, 0, 0]


def test_large_counts() -> None:
    table = cs.Table.from_cells(["a", "a", "b"], ["x", "y", "y"], [10**15, 10**14, 10**14])
    rows = cs.clusters(table, side="pred").records()
    assert [row["cluster"] for row in rows] == ["y", "x"]
    assert rows[0]["best_match"] == "b"
    assert rows[0]["size"] == 2 * 10**14
    assert rows[1]["overlap"] == 10**15
