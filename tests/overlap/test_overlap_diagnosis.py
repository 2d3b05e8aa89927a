"""Where the score of overlapping clusterings was lost: by element and by cluster, against sets of elements."""

from __future__ import annotations

import random
import subprocess
import sys
from collections import Counter
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import clusterscore as cs
from overlap.by_definition import Cover, element_centric_elements, element_scores, elements_of, of_labels
from overlap.clusterings import by_document, random_pair

HALF = Fraction(1, 2)
GOLD = cs.Clustering.from_memberships({"a": {1, 2}, "b": {1}, "c": {2, 3}, "d": {3}})
PRED = cs.Clustering.from_memberships({"a": {"x"}, "b": {"x", "y"}, "c": {"y"}, "d": {"y", "z"}})
MEASURES = ["matched_elm", "matched_bcubed", "extended_bcubed", "element_centric"]


def as_dicts(rows: cs.Columns) -> list[dict[str, Any]]:
    return [dict(zip(rows, row, strict=True)) for row in rows.rows()]


def test_elements_by_hand() -> None:
    rows = cs.elements(GOLD, PRED)
    assert list(rows) == ["element", "gold", "pred", "gold_clusters", "pred_clusters", "gold_size", "pred_size",
                          "tp", "fp", "fn", "precision", "recall", "f", "loss"]  # fmt: skip
    assert rows["gold"].tolist() == [frozenset({1, 2}), 1, frozenset({2, 3}), 3]
    assert rows["pred"].tolist() == ["x", frozenset({"x", "y"}), "y", frozenset({"y", "z"})]
    assert rows["gold_clusters"].tolist() == [2, 1, 2, 1]
    assert rows["pred_clusters"].tolist() == [1, 2, 1, 2]
    assert rows["gold_size"].tolist() == [4, 2, 4, 2]  # of cluster 1 and cluster 2, both of two elements
    assert rows["pred_size"].tolist() == [2, 5, 3, 4]
    # b: x matches 1 with two elements, itself among them; y is one too many
    assert [rows[name].tolist() for name in ("tp", "fp", "fn")] == [[1, 1, 1, 1], [0, 3, 1, 2], [2, 0, 2, 0]]
    f = [HALF, Fraction(2, 5), Fraction(2, 5), HALF]
    assert rows["f"].tolist() == pytest.approx(list(map(float, f)), rel=1e-15)
    assert rows["loss"].tolist() == pytest.approx([float((1 - value) / 4) for value in f], rel=1e-14)
    assert rows["loss"].sum() == pytest.approx(1 - cs.matched_elm(GOLD, PRED).f, rel=1e-14)


def test_clusters_by_hand() -> None:
    rows = as_dicts(cs.clusters(GOLD, PRED))
    by_name = {(row["side"], row["cluster"]): row for row in rows}
    a, b, c, d = (Fraction(1, 8), Fraction(3, 20), Fraction(3, 20), Fraction(1, 8))  # what the elements cost
    assert {key: row["loss"] for key, row in by_name.items()} == pytest.approx(
        {("gold", 1): float(a / 2 + b), ("gold", 2): float(a / 2 + c / 2), ("gold", 3): float(c / 2 + d),
         ("pred", "x"): float(a + b / 2), ("pred", "y"): float(b / 2 + c + d / 2), ("pred", "z"): float(d / 2)}
    )  # fmt: skip
    assert [row["loss"] for row in rows] == sorted((row["loss"] for row in rows), reverse=True)
    two = by_name["gold", 2]  # a is in x, c in y; of two that share as much the smaller is the best match
    assert (two["size"], two["best_match"], two["overlap"], two["overlap_share"], two["parts"]) == (2, "x", 1, 0.5, 2)
    assert two["precision"] == pytest.approx(float((1 + HALF) / 2))
    assert two["recall"] == pytest.approx(1 / 3)
    assert two["f"] == pytest.approx(float((HALF + Fraction(2, 5)) / 2))
    whole = by_name["pred", "y"]
    assert (whole["size"], whole["best_match"], whole["overlap"], whole["parts"]) == (3, 3, 2, 3)


def scores(measure: str, gold: Cover, pred: Cover) -> list[tuple[float | None, float | None, float]]:
    if measure == "element_centric":
        return [(None, None, f) for f in element_centric_elements(gold, pred)]
    rows = element_scores(measure, gold, pred, HALF, HALF)
    return [(float(row.precision), float(row.recall), float(row.f)) for row in rows]


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("seed", range(25))
def test_every_row_by_definition(measure: str, seed: int) -> None:
    gold, pred = random_pair(random.Random(seed))
    sides = {"gold": [set(cluster) for cluster in gold], "pred": [set(cluster) for cluster in pred]}
    elements = elements_of(gold, pred)
    clusterings = [cs.Clustering.from_clusters(sides[side]) for side in sides]
    expected = dict(zip(elements, scores(measure, gold, pred), strict=True))
    rows = cs.elements(*clusterings, metric=measure)
    place = {element: k for k, element in enumerate(rows["element"].tolist())}
    for element, row in zip(rows["element"].tolist(), as_dicts(rows), strict=True):
        score = expected[element]
        assert (row.get("precision"), row.get("recall"), row["f"]) == pytest.approx(score, abs=1e-12)
        assert row["loss"] == pytest.approx((1 - score[2]) / len(elements), abs=1e-12)
        for side, own in sides.items():
            holding = [cluster for cluster in own if element in cluster]
            assert row[f"{side}_size"] == sum(map(len, holding))
            assert row.get(f"{side}_clusters", 1) == len(holding)
    losses = Counter()
    for row in as_dicts(cs.clusters(*clusterings, metric=measure)):
        other = "pred" if row["side"] == "gold" else "gold"
        cluster = sides[row["side"]][row["cluster"]]
        touching = [candidate for candidate in sides[other] if candidate & cluster]
        match = sides[other][row["best_match"]]
        most = max(len(part & cluster) for part in touching)
        assert (row["size"], row["parts"]) == (len(cluster), len(touching))
        assert row["overlap"] == len(match & cluster) == most
        assert len(match) == min(len(part) for part in touching if len(part & cluster) == most)
        assert row["overlap_share"] == pytest.approx(most / len(cluster))
        for name, k in (("precision", 0), ("recall", 1), ("f", 2)):
            if expected[elements[0]][k] is not None:
                assert row[name] == pytest.approx(np.mean([expected[e][k] for e in cluster]), abs=1e-12)
        shares = [rows["loss"][place[e]] / sum(e in part for part in sides[row["side"]]) for e in cluster]
        assert row["loss"] == pytest.approx(sum(shares), abs=1e-12)
        losses[row["side"]] += row["loss"]
    lost = 1 - cs.metric(measure)(*clusterings).value
    assert rows["loss"].sum() == pytest.approx(lost, abs=1e-12)
    assert (losses["gold"], losses["pred"]) == (pytest.approx(lost, abs=1e-12), pytest.approx(lost, abs=1e-12))


OPTIONS = ["matched_elm(f=of-means)", "matched_bcubed(f=of-means, beta=2)", "extended_bcubed(f=of-means, alpha=0.9)",
           "matched_elm(w_fp=0, w_fn=2)"]  # fmt: skip


@pytest.mark.parametrize("metric", [*MEASURES, *OPTIONS])
def test_losses_add_up_in_documents_and_with_weights(metric: str) -> None:
    rng = random.Random(3)
    pairs = [random_pair(rng, 8) for _ in range(6)]
    gold, pred = by_document(pairs)
    lost = 1 - cs.metric(metric)(gold, pred).value
    rows = cs.elements(gold, pred, metric=metric)
    assert rows["loss"].sum() == pytest.approx(lost, abs=1e-12)
    clusters = cs.clusters(gold, pred, metric=metric)
    for side, cover in (("gold", 0), ("pred", 1)):
        own = clusters.take(clusters["side"] == side)
        assert own["loss"].sum() == pytest.approx(lost, abs=1e-12)
        # clusters of different documents are different, though they have the same names
        sizes = Counter((d, k, len(cluster)) for d, pair in enumerate(pairs) for k, cluster in enumerate(pair[cover]))
        named = zip(own["document"].tolist(), own["cluster"].tolist(), own["size"].tolist(), strict=True)
        assert Counter(named) == sizes
    weights = {e: rng.random() for e in range(8)}
    weighed = cs.elements(gold, pred, metric=metric, weights=weights)["loss"].sum()
    assert weighed == pytest.approx(1 - cs.metric(metric)(gold, pred, weights=weights).value, abs=1e-12)


@pytest.mark.parametrize("seed", range(10))
def test_a_partition_given_as_sets_has_the_rows_of_the_partition(seed: int) -> None:
    rng = random.Random(seed)
    gold, pred = ([rng.randrange(5) for _ in range(12)] for _ in range(2))
    as_sets = [cs.Clustering.from_memberships(dict(enumerate({label} for label in labels))) for labels in (gold, pred)]
    as_labels = [dict(enumerate(labels)) for labels in (gold, pred)]
    for function in (cs.elements, cs.clusters, cs.errors, cs.error_cells):
        plain = function(*as_labels).to_dict()
        assert function(*as_sets).to_dict() == plain
        assert function(*as_sets, metric="matched_elm").to_dict() == plain
    # one element more that overlaps, in a document of its own, changes nothing for the others
    clusters = [[sorted(cluster) for cluster in of_labels(labels)] for labels in (gold, pred)]
    both = by_document([(clusters[0], clusters[1]), ([[0, 1], [1]], [[0], [0, 1]])])
    rows, plain = as_dicts(cs.clusters(*both, metric="matched_elm")), as_dicts(cs.clusters(*as_labels))
    here = [row for row in rows if row["document"] == 0]
    names = ("side", "size", "overlap", "overlap_share", "parts", "precision", "recall", "f")
    assert sorted([row[name] for name in names] for row in here) == sorted(
        [row[name] for name in names] for row in plain
    )


def test_kinds_of_errors_are_those_of_partitions() -> None:
    for function in (cs.errors, cs.error_cells):
        with pytest.raises(cs.InputError, match=r"2 elements of gold in more than one cluster .*cs.clusters and cs.el"):
            function(GOLD, PRED)
    with pytest.raises(cs.InputError, match=r"elm is a measure of partitions; .* matched_elm"):
        cs.elements(GOLD, PRED, metric="elm")
    with pytest.raises(cs.MetricError, match=r"omega does not score single elements; these do: .*matched_elm"):
        cs.clusters(GOLD, PRED, metric="omega")


def test_sets_of_labels_are_written_in_one_order() -> None:
    code = ("import clusterscore as cs; made = cs.Clustering.from_memberships; "
            "gold = made({'p': {'red', 'green', 'blue'}, 'q': {'red'}}); "
            "rows = cs.elements(gold, made({'p': {10, 9}, 'q': {9}})); print(rows.to_csv()); print(rows.to_json()); "
            "print(rows.to_frame('polars')['gold'].to_list()); print(rows)")  # fmt: skip
    printed = set()
    for seed in ("1", "2"):
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True,
                              env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)})  # fmt: skip
        printed.add(done.stdout)
    (text,) = printed
    assert "blue | green | red,10 | 9," in text
    assert '"gold": ["blue", "green", "red"]' in text
    assert '"gold": ["red"]' in text
    assert "['blue | green | red', 'red']" in text


def test_fifty_thousand_elements_in_three_clusters_each() -> None:
    rng = np.random.default_rng(0)
    n, k = 50_000, 5_000
    sides = []
    for _ in range(2):
        labels = np.stack([rng.permutation(np.arange(n) % k) for _ in range(2)], axis=1)
        labels = np.column_stack([np.arange(n) // 10, labels])  # one in common, two at random
        sides.append(cs.Clustering.from_memberships([set(row) for row in labels.tolist()]))
    table = cs.Table.from_labels(*sides)
    lost = 1 - cs.matched_elm(table).f
    elements, clusters = cs.elements(table), cs.clusters(table)
    assert len(elements) == n
    assert elements["loss"].sum() == pytest.approx(lost, abs=1e-10)
    assert len(clusters) == 2 * k
    assert clusters["loss"].sum() == pytest.approx(2 * lost, abs=1e-10)
    # a cluster holds ten elements in common, and some twenty at random
    assert 10 <= clusters["overlap"].min() <= clusters["overlap"].max() <= 16
