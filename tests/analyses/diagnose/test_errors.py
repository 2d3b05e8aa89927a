"""Kinds of errors: every cell has one, against sets of elements; and `cs.errors` beside `clusterscore.exceptions`."""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections import defaultdict
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import clusterscore as cs
from analyses.diagnose import by_definition as plain
from clusterscore.analyses.diagnose.diagnosis import Diagnosis
from clusterscore.analyses.diagnose.losses import KINDS, kinds_of

LABELS = st.lists(
    st.tuples(st.integers(0, 5), st.sampled_from("abcdef"), st.sampled_from("xyz")), min_size=1, max_size=30
)


def cells_of(gold: Any, pred: Any, documents: Any) -> dict[tuple[Any, ...], tuple[plain.Cluster, plain.Cluster]]:
    """Both clusters of each cell, in the order of their first elements."""
    true, predicted = plain.clusters("gold", gold, documents), plain.clusters("pred", pred, documents)
    both = [(plain.holding(true, e), plain.holding(predicted, e)) for e in range(len(gold))]
    return {(in_gold.document, in_gold.name, in_pred.name): (in_gold, in_pred) for in_gold, in_pred in both}


@given(LABELS, st.booleans())
def test_by_definition(labels: list[tuple[int, str, str]], by_document: bool) -> None:
    gold, pred, documents = (list(column) for column in zip(*labels, strict=True))
    where = documents if by_document else [None] * len(gold)
    cells = cells_of(gold, pred, where)
    options = {"documents": documents if by_document else None}
    elements = cs.elements(gold, pred, **options)
    rows = cs.error_cells(gold, pred, **options)
    by_cell = {(row.get("document"), row["gold"], row["pred"]): row for row in rows.records()}
    assert by_cell.keys() == cells.keys()
    assert len(rows) == len(cells)
    by_kind: dict[str, list[Any]] = defaultdict(list)
    for key, (true, predicted) in cells.items():
        row, members = by_cell[key], sorted(true.members & predicted.members)
        kind = plain.kind(true, predicted)
        by_kind[kind].append((true, predicted))
        assert row["kind"] == kind
        assert (row["n"], row["gold_size"], row["pred_size"]) == (
            len(members),
            len(true.members),
            len(predicted.members),
        )
        for name in ("precision", "recall", "f"):
            assert elements[name][members].tolist() == [row[name]] * len(members)
        assert row["loss"] == pytest.approx(elements["loss"][members].sum(), rel=1e-14)
    places = {
        key: (where.index(key[0]), min(true.members & predicted.members)) for key, (true, predicted) in cells.items()
    }
    keys = [(-round(row["loss"], 12), -row["n"], *places[key]) for key, row in by_cell.items()]
    assert keys == sorted(keys)
    for kind, count, size, true_clusters, predicted_clusters, loss, share, merged, split in cs.errors(
        gold, pred, **options
    ).rows():
        here = by_kind[kind]
        assert merged + split == pytest.approx(loss, rel=1e-14)
        assert count == len(here)
        assert size == sum(len(true.members & predicted.members) for true, predicted in here)
        assert true_clusters == len({true for true, _ in here})
        assert predicted_clusters == len({predicted for _, predicted in here})
        assert loss == pytest.approx(sum(rows["loss"][rows["kind"] == kind]), rel=1e-14)
        assert share == pytest.approx(loss / rows["loss"].sum() if rows["loss"].any() else 0.0)


def test_the_six_kinds() -> None:
    """Each of them alone."""
    for kind, gold, pred in (
        ("exact", "aabb", "xxyy"),
        ("split", "aaaa", "xxyy"),
        ("merge", "aabb", "xxxx"),
        ("mixed", "aabb", "xyxy"),
        ("missed singleton", "abcd", "xxxx"),
        ("false singleton", "aaaa", "wxyz"),
    ):
        rows = cs.errors(list(gold), list(pred))
        assert rows["kind"].tolist() == list(KINDS)
        assert rows["elements"].tolist() == [4 if name == kind else 0 for name in KINDS]
        assert rows["share"].tolist() == [1.0 if name == kind != "exact" else 0.0 for name in KINDS]
    assert cs.errors([0], [0])["cells"].tolist() == [1, 0, 0, 0, 0, 0]


def test_every_cell_has_one_kind() -> None:
    """Of all sizes that a cell can have; written again as conditions that exclude one another."""
    n, a, b = (np.array(column) for column in zip(*((n, a, b) for n, a, b in product(range(1, 6), repeat=3)
                                                    if n <= min(a, b)), strict=True))  # fmt: skip
    alone = (a == 1) | (b == 1)
    conditions = [(n == a) & (n == b), (n == b) & (b < a) & ~alone, (n == a) & (a < b) & ~alone, (n < a) & (n < b),
                  (a == 1) & (b > 1), (b == 1) & (a > 1)]  # fmt: skip
    assert (np.sum(conditions, axis=0) == 1).all()
    assert kinds_of(n, a, b, (a, b)).tolist() == np.argmax(conditions, axis=0).tolist()


def test_mending_a_kind_gains_its_loss() -> None:
    """With the mean of F: elements that are right score 1, and the others what they did."""
    rng = np.random.default_rng(5)
    gold, pred = rng.integers(0, 30, 200), rng.integers(0, 60, 200)
    for metric in ("elm", "bcubed(beta=2)"):
        kinds, rows = cs.errors(gold, pred, metric=metric), cs.elements(gold, pred, metric=metric)
        cells = cs.error_cells(gold, pred, metric=metric)
        kind = {(g, p): k for g, p, k in zip(cells["gold"], cells["pred"], cells["kind"], strict=True)}
        of = np.array([kind[pair] for pair in zip(rows["gold"].tolist(), rows["pred"].tolist(), strict=True)])
        before = cs.metric(metric)(gold, pred).f
        for name, loss in zip(kinds["kind"], kinds["loss"], strict=True):
            assert np.where(of == name, 1.0, rows["f"]).mean() == pytest.approx(before + loss)


def test_columns() -> None:
    assert list(cs.errors([0], [0])) == ["kind", "cells", "elements", "gold_clusters", "pred_clusters", "loss", "share",
                                         "merged", "split"]  # fmt: skip
    cells = cs.error_cells([0, 0, 1], [0, 1, 1], documents=["d", "d", "e"])
    assert list(cells) == ["document", "gold", "pred", "n", "gold_size", "pred_size", "kind", "precision", "recall",
                           "f", "loss", "merged", "split"]  # fmt: skip
    assert cells["document"].tolist() == ["d", "d", "e"]
    assert cells["kind"].tolist() == ["false singleton", "false singleton", "exact"]


def test_tables() -> None:
    gold, pred, documents = np.arange(300) % 17, np.arange(300) % 23, np.arange(300) // 60
    table = cs.Table.from_labels(gold, pred, documents=documents)
    assert cs.errors(table).rows() == cs.errors(gold, pred, documents=documents).rows()
    assert cs.error_cells(table)["loss"].tolist() == cs.error_cells(gold, pred, documents=documents)["loss"].tolist()
    assert cs.errors(cs.Table.from_cells(["a", "a"], ["x", "y"], [10**15, 1]))["elements"].tolist() == [
        0, 10**15, 0, 0, 0, 1
    ]  # fmt: skip


def test_the_exceptions_have_a_module_of_their_own() -> None:
    from clusterscore import exceptions

    assert exceptions.InputError is cs.InputError
    assert callable(cs.errors)
    raised = pickle.loads(pickle.dumps(cs.ElementMismatch("3 elements")))
    assert type(raised) is cs.ElementMismatch
    classes = {
        name for name, value in vars(exceptions).items() if isinstance(value, type) and issubclass(value, Exception)
    }
    assert classes <= set(dir(cs))


@pytest.mark.parametrize(
    "code",
    [
        "from clusterscore.exceptions import InputError; import clusterscore as cs",
        "import clusterscore as cs; from clusterscore.exceptions import InputError",
        "import clusterscore.exceptions as e, clusterscore as cs; InputError = e.InputError",
    ],
)
def test_the_function_stays_whatever_is_imported(code: str) -> None:
    code += "; assert InputError is cs.InputError; print(cs.errors([0, 0], [0, 1])['cells'].tolist())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[0, 0, 0, 0, 0, 2]"


def test_patterns_say_what_was_merged_and_split() -> None:
    """The strangers of predicted clusters and the splits of gold ones: together all that is lost."""
    gold = ["a"] * 5 + ["b"] * 5 + ["c"] * 3
    pred = ["x"] * 5 + ["x"] * 4 + ["y"] + ["x", "y", "z"]
    assert cs.errors(gold, pred).notes == [
        "pred x = gold a (5) + gold b (4) + gold c (1): 56.8% of the loss",
        "gold c = pred x (1) + pred y (1) + pred z (1): 22.9% of the loss",
        "gold b = pred x (4) + pred y (1): 13.7% of the loss",
    ]
    one_sided = cs.errors({"a": 1, "b": 1, "c": 1, "d": 2}, {"a": "x", "b": "y", "s": "x", "d": "y"}, missing="keep")
    assert one_sided.notes[-1] == "gold 1 = pred x (1) + pred y (1) + 1 not predicted: 13.0% of the loss"
    rng = np.random.default_rng(2)
    labels = rng.integers(0, 40, 3000), rng.integers(0, 25, 3000)
    for metric in ("elm", "bcubed(f=of-means, beta=2)", "element_centric"):
        diagnosis = Diagnosis.of(*labels, metric=metric, documents=rng.integers(0, 9, 3000))
        patterns = diagnosis.patterns(10**6)
        losses = [pattern.loss for pattern in patterns]
        assert losses == pytest.approx(sorted(losses, reverse=True))
        assert sum(losses) == pytest.approx(1 - diagnosis.score.value)
        assert sum(pattern.share for pattern in patterns) == pytest.approx(1)
        for pattern in patterns[:20]:
            assert pattern.document is not None
            assert sum(part.size for part in pattern.parts) + pattern.rest == pattern.whole.size
            assert (pattern.rest == 0) == (pattern.others == 0)
            for part in (pattern.whole, *pattern.parts):
                sizes = diagnosis.table.cells.side(part.side).size
                assert np.flatnonzero(sizes)[part.row] == part.number


def test_swapping_the_sides_swaps_merged_and_split() -> None:
    rng = np.random.default_rng(6)
    gold, pred = rng.integers(0, 12, 400), rng.integers(0, 20, 400)
    straight, swapped = cs.errors(gold, pred), cs.errors(pred, gold)
    assert straight["merged"].sum() == pytest.approx(swapped["split"].sum())
    assert straight["split"].sum() == pytest.approx(swapped["merged"].sum())
    right = cs.errors(gold, gold)
    assert not right["merged"].any()
    assert right.notes == []
