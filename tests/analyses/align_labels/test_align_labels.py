"""Predicted clusters under the names of gold: the matching by trying all, the names, documents, and the command."""

from __future__ import annotations

import csv
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import clusterscore as cs
from running import run

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
pytestmark = pytest.mark.filterwarnings("ignore::clusterscore.ClusterscoreWarning")
law = settings(max_examples=60, deadline=None, derandomize=True, database=None)
label = st.integers(0, 3)
rows = st.lists(st.tuples(label, label, st.integers(0, 2)), min_size=1, max_size=14).map(
    lambda drawn: tuple(map(list, zip(*drawn, strict=True)))
)
# equal to none of the others, of every kind that may be a label
ANY = ["b", "", -1, 2.5, (1, 2), b"x", frozenset({1}), 2**70, True, "b (pred)"]


def most(gold: list[Any], pred: list[Any]) -> int:
    """How many elements the best of all one-to-one matchings keeps."""
    ours, theirs = sorted(set(map(str, gold))), sorted(set(map(str, pred)))
    ours += [None] * max(0, len(theirs) - len(ours))
    pairs = list(zip(map(str, gold), map(str, pred), strict=True))
    return max(
        sum(pairs.count((own, other)) for own, other in zip(way, theirs, strict=False)) for way in permutations(ours)
    )


def check(gold: list[Any], pred: list[Any], aligned: list[Any]) -> None:
    """Clusters stay as they are, one gold name goes to one of them, and as many elements as can be are right."""
    new = dict(zip(pred, aligned, strict=True))
    assert [new[old] for old in pred] == aligned
    assert len(set(aligned)) == len(set(pred))
    assert sum(a == b for a, b in zip(gold, aligned, strict=True)) == most(gold, pred)
    for old, name in new.items():  # without a partner: its own name, or none of gold's
        right = sum(a == b == name for a, b in zip(gold, aligned, strict=True))
        assert right or name == old or name not in gold
        assert right or name not in gold
        assert not (name != old and not right and old not in gold)


@law
@given(rows)
def test_whole_numbers(drawn: Any) -> None:
    gold, pred, _ = drawn
    aligned = cs.align_labels(gold, pred)
    assert aligned.labels.dtype == np.int64
    check(gold, pred, aligned.labels.tolist())
    right = float(np.mean(aligned.labels == np.array(gold)))
    assert right == pytest.approx(cs.set_matching(gold, pred).value)
    assert aligned.matching["overlap"].sum() / len(gold) == pytest.approx(right)


@law
@given(rows, st.permutations(ANY), st.permutations(ANY))
def test_labels_of_every_kind(drawn: Any, gold_names: list[Any], pred_names: list[Any]) -> None:
    gold, pred = ([names[k] for k in side] for names, side in zip((gold_names, pred_names), drawn[:2], strict=True))
    aligned = cs.align_labels(cs.Clustering.from_labels(gold), cs.Clustering.from_labels(pred))
    check(gold, pred, aligned.labels.tolist())


@law
@given(rows)
def test_aligned_labels_stay_aligned(drawn: Any) -> None:
    gold, pred, documents = drawn
    once = cs.align_labels(gold, pred, documents=documents).labels
    assert cs.align_labels(gold, once, documents=documents).labels.tolist() == once.tolist()
    assert cs.align_labels(gold, gold).labels.tolist() == gold


@law
@given(rows)
def test_documents_are_aligned_each_by_itself(drawn: Any) -> None:
    gold, pred, documents = drawn
    labels = cs.align_labels(gold, pred, documents=documents).labels.tolist()
    for document in set(documents):
        own = [[side[k] for k in range(len(gold)) if documents[k] == document] for side in (gold, pred, labels)]
        assert sum(a == b for a, b in zip(own[0], own[2], strict=True)) == most(*own[:2])
        assert len(set(own[2])) == len(set(own[1]))


def test_names_that_gold_has_too() -> None:
    assert cs.align_labels(["a", "a", "a", "b"], ["x", "x", "y", "a"]).labels.tolist() == ["a", "a", "y", "b"]
    assert cs.align_labels(["a"] * 3, ["b", "b", "a"]).labels.tolist() == ["a", "a", "a (pred)"]
    assert cs.align_labels(["a"] * 4, ["b", "b", "a", "a (pred)"]).labels.tolist() == [
        "a",
        "a",
        "a (pred 2)",
        "a (pred)",
    ]
    assert cs.align_labels([5] * 5, [7, 7, 7, 5, 6]).labels.tolist() == [5, 5, 5, 8, 6]
    # what a file cannot tell apart is not told apart here
    assert cs.align_labels(["1"] * 3, [2, 2, 1]).labels.tolist() == ["1", "1", "1 (pred)"]
    assert cs.align_labels([2**63 - 1] * 3, [1, 1, 2**63 - 1]).labels.tolist()[2] == f"{2**63 - 1} (pred)"


def test_the_matching() -> None:
    aligned = cs.align_labels({"p": "a", "q": "a", "r": "b"}, {"p": 1, "q": 1, "r": 1})
    assert aligned.matching.rows() == [(1, "a", "a", 2, 3, 2)]
    assert aligned.elements.rows() == [("p", "a", 1), ("q", "a", 1), ("r", "a", 1)]
    assert aligned.records()[0]["gold_size"] == 2
    by_document = cs.align_labels([0, 0, 1], [4, 5, 5], documents=["d", "d", "e"])
    assert by_document.matching["document"].tolist() == ["d", "d", "e"]
    assert by_document.matching["gold"].tolist() == [0, None, 1]
    assert "matched clusters: 2 of 3; labelled as in gold: 2 of 3 elements" in str(by_document)


def test_policies() -> None:
    gold, pred = {"p": "a", "q": "a", "r": "b"}, {"p": 1, "q": 1, "s": 2}
    with pytest.raises(cs.ElementMismatch, match="missing="):
        cs.align_labels(gold, pred)
    dropped = cs.align_labels(gold, pred, missing="drop")
    assert dropped.elements["element"].tolist() == ["p", "q"]
    assert "dropped: 1 element only in gold, 1 only in pred" in str(dropped)
    alone = cs.align_labels(gold, pred, missing="singleton").elements
    assert dict(zip(alone["element"], alone["cluster"], strict=True)) == {"p": "a", "q": "a", "r": None, "s": 2}
    noise = cs.align_labels([0, 0, 1, 1], [3, 3, -1, 4], noise=-1)
    assert noise.labels.tolist() == [0, 0, None, 1]
    assert noise.signature.startswith("missing:error|noise:-1|noise_as:singleton|v:")


def test_names_decide_only_where_they_cannot_outweigh_elements(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("clusterscore.analyses.align_labels.EXACT", 9)
    assert cs.align_labels(["a", "a", "b"], ["b", "b", "a"]).labels.tolist() == ["a", "a", "b"]


def test_bad_input() -> None:
    both = {"p": "a"}, {"p": 1, "q": 2}
    with pytest.raises(cs.InputError, match="0 elements only in gold and 1 only in pred are kept; pass missing="):
        cs.align_labels(*both, missing="keep")
    with pytest.raises(cs.NotAPartition, match="labels are aligned between partitions"):
        cs.align_labels([["a", "b"], ["b"]], [["a"], ["b"]])
    with pytest.raises(cs.InputTypeError, match="does not name them"):
        cs.align_labels(cs.Table.from_matrix([[1]]), None)
    with pytest.raises(cs.InputError, match="empty"):
        cs.align_labels([], [])
    with pytest.raises(cs.InputError, match="there are no labels to align"):
        cs.align_labels({}, {}, missing="keep")
    with pytest.raises(cs.OptionError, match="did you mean 'missing'"):
        cs.align_labels([0], [0], mising="drop")


def test_many() -> None:
    rng = np.random.default_rng(0)
    gold = rng.integers(0, 3000, 60_000)
    pred = np.where(rng.random(60_000) < 0.2, rng.integers(0, 4000, 60_000), gold)
    names = rng.permutation(4000)
    aligned = cs.align_labels(gold, names[pred])
    assert np.mean(aligned.labels == gold) == pytest.approx(cs.set_matching(gold, pred).value)
    assert cs.bcubed(aligned.labels, pred).value == 1  # the same clusters under other names
    assert not set(aligned.labels[np.isin(pred, range(3000, 4000))].tolist()) <= set(range(3000))
    texts = cs.align_labels([f"g{k}" for k in gold], [f"p{k}" for k in pred])
    assert np.mean([a == f"g{b}" for a, b in zip(texts.labels, gold, strict=True)]) == np.mean(aligned.labels == gold)


# The command -------------------------------------------------------------------------------------------


def test_command(tmp_path: Path) -> None:
    gold, pred, out = EXAMPLES / "gold.csv", EXAMPLES / "pred.csv", tmp_path / "out.csv"
    done = run("align", str(gold), str(pred), "-o", str(out))
    assert "matched clusters: 4 of 4; labelled as in gold: 7 of 9 elements" in done.stdout
    with out.open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert rows[0] == {"element": "p1", "cluster": "cats", "pred": "1"}
    assert cs.set_matching(gold, out).value == cs.set_matching(gold, pred).value  # it can be read again
    assert cs.bcubed(pred, out).value == 1


def test_command_refuses(tmp_path: Path) -> None:
    gold, pred = tmp_path / "gold.csv", tmp_path / "pred.csv"
    gold.write_text("element,cluster\na,1\nb,1\n")
    pred.write_text("element,cluster\na,1\n")
    both = ["align", "gold.csv", "pred.csv"]
    assert "would be lost" in run(*both, "-o", "pred.csv", cwd=tmp_path).stderr
    assert "--missing drop" in run(*both, cwd=tmp_path).stderr
    assert "cannot be written" in run("align", "gold.csv", "gold.csv", "-o", "no/out.csv", cwd=tmp_path).stderr
    dropped = run(*both, "--missing", "drop", "--format", "csv", cwd=tmp_path)
    assert "dropped: 1 element only in gold" in dropped.stderr
    assert dropped.stdout.splitlines()[1:] == ["1,1,1,1,1,1"]


def test_the_confusion_matrix(tmp_path: Path) -> None:
    """Matched clusters lie on the diagonal; the command draws the same."""
    gold, pred = ["cat"] * 4 + ["dog"] * 3 + ["fox"], [2, 2, 2, 0, 0, 0, 1, 1]
    ax = cs.plot.overlaps(cs.align_labels(gold, pred))
    assert [text.get_text() for text in ax.get_yticklabels()] == ["cat · 4", "dog · 3", "fox · 1"]
    assert [text.get_text() for text in ax.get_xticklabels()] == ["2 · 3", "0 · 3", "1 · 2"]
    both = tmp_path / "both.csv"
    both.write_text(
        "element,gold,pred\n" + "".join(f"{k},{a},{b}\n" for k, (a, b) in enumerate(zip(gold, pred, strict=True)))
    )
    typed = ["align", "both.csv", "--gold", "gold", "--pred", "pred", "--plot"]
    assert run(*typed, "matrix.svg", cwd=tmp_path).returncode == 0
    assert "dog · 3" in (tmp_path / "matrix.svg").read_text(encoding="utf-8")
    for name, message in (("both.csv", "would be lost"), ("matrix.gif", "a plot is written as")):
        done = run(*typed, name, cwd=tmp_path)
        assert (done.returncode, message in done.stderr) == (2, True)
