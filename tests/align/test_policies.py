"""The policies: exactly which clusters are left to compare."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np
import pandas as pd
import polars as pl
import pytest

import clusterscore as cs
from clusterscore.align import Policy
from clusterscore.command import main

NAN = float("nan")
GOLD = {"a": "g", "b": "g", "c": "h", "d": "h"}
PRED = {"b": "p", "c": "p", "d": "q", "e": "q"}


def counts(*given: Any, **options: Any) -> list[list[int]]:
    """The contingency table with rows and columns in order of size, so that numbering does not matter."""
    matrix = cs.Table.from_labels(*given, **options).to_matrix()
    matrix = np.array(sorted(matrix.tolist(), reverse=True))
    return np.array(sorted(matrix.T.tolist(), reverse=True)).T.tolist()


def test_missing_error() -> None:
    with pytest.raises(cs.ElementMismatch) as caught:
        cs.elm(GOLD, PRED)
    assert str(caught.value) == (
        "1 element is only in gold (e.g. 'a') and 1 element is only in pred (e.g. 'e'); "
        'pass missing="drop" or "singleton"'
    )
    with pytest.raises(cs.ElementMismatch, match=r"^2 elements are only in gold \(e\.g\. 'a'\); pass missing="):
        cs.elm(GOLD, {"c": 0, "d": 0})


def test_missing_drop() -> None:
    table = cs.Table.from_labels(GOLD, PRED, missing="drop")
    assert table.to_matrix().tolist() == [[1, 0], [1, 1]]  # b; c, d
    assert table.policy.signature == "missing:drop"
    assert table.elements == 3


def test_missing_singleton() -> None:
    card = cs.score(GOLD, PRED, missing="singleton", metrics=["elm", "bcubed", "ami", "ari"])
    full = {**GOLD, "e": "alone"}, {**PRED, "a": "alone"}
    written_out = cs.score(*full, metrics=["elm", "bcubed", "ami", "ari"])
    assert {name: card[name].value for name in card} == {name: written_out[name].value for name in written_out}
    assert card.facts == written_out.facts == {"elements": (5, 5), "clusters": (3, 3), "singletons": (1, 1)}


def test_several_missing_elements_are_each_alone() -> None:
    assert counts({"a": 0, "b": 0, "c": 0}, {"a": 0}, missing="singleton") == [[1, 1, 1]]


def test_missing_keep() -> None:
    table = cs.Table.from_labels(GOLD, PRED, missing="keep")
    assert table.to_matrix().tolist() == [[1, 0], [1, 1]]
    assert (table.gold_size.tolist(), table.pred_size.tolist()) == ([2, 2], [2, 2])
    assert (table.elements, table.one_sided) == (5, (1, 1))
    card = cs.score(GOLD, PRED, missing="keep")
    assert "blanc" in card
    assert "elm" not in card


@pytest.mark.parametrize("missing", ["drop", "singleton", "keep"])
def test_missing_changes_nothing_where_nothing_is_missing(missing: str) -> None:
    shuffled = dict(reversed(GOLD.items()))
    assert counts(GOLD, shuffled, missing=missing) == counts(GOLD, GOLD)
    assert counts([0, 0, 1], [0, 1, 1], missing=missing) == counts([0, 0, 1], [0, 1, 1])


def test_nothing_in_common() -> None:
    with pytest.raises(cs.InputError, match=r"what is left with missing:drop is empty"):
        cs.elm({"a": 0}, {"b": 0}, missing="drop")
    assert cs.blanc({"a": 0}, {"b": 0}, missing="keep").value == 0
    assert cs.blanc({"a": 0}, {"b": 0}, missing="keep", documents={"a": 1, "b": 1}).value == 0
    assert cs.blanc([], [], missing="keep", documents=[]).value == cs.blanc([], [], missing="keep").value == 0


def test_weights_that_would_overflow_together_keep_their_proportions() -> None:
    gold, pred = [0, 0, 1], [0, 1, 1]
    assert cs.elm(gold, pred, weights=[1e308, 1e308, 5e307]).f == cs.elm(gold, pred, weights=[2, 2, 1]).f


@pytest.mark.parametrize("name", ["elm", "bcubed", "nmi", "ami", "rand", "purity", "set_matching", "f_measure"])
def test_keep_does_not_make_a_score_of_nothing(name: str) -> None:
    with pytest.raises(cs.InputError, match="empty"):
        getattr(cs, name)([], [], missing="keep")
    with pytest.raises(cs.InputError, match="empty"):
        getattr(cs, name)({}, {}, missing="keep")


def test_by_position_the_lengths_must_agree_whatever_the_policy() -> None:
    for missing in ("error", "drop", "singleton", "keep"):
        with pytest.raises(cs.ElementMismatch, match=r"gold has 2 labels and pred has 3; .*elements=ids"):
            cs.elm([0, 0], [0, 0, 1], missing=missing)


def test_ids_of_different_types_meet_where_they_are_equal() -> None:
    by_int = cs.Clustering.from_labels([0, 0, 1], elements=np.array([1, 2, 3]))
    by_float = cs.Clustering.from_labels([0, 0, 1], elements=np.array([3.0, 2.0, 1.0]))
    by_object = {3: 1, 2: 0, 1: 0}
    assert counts(by_int, by_float) == [[1, 1], [1, 0]]
    assert cs.elm(by_int, by_object).value == 1
    assert cs.elm(by_int, {"1": 0, "2": 0, "3": 1}).value == 1  # integers are text where the other side's ids are
    with pytest.raises(cs.ElementMismatch, match=r"3.0 in gold and '3' in pred differ only in how they are written"):
        cs.elm(by_float, {"1": 0, "2": 0, "3": 1})


# -1 twice in gold, once in pred, on different elements
NOISY_GOLD, NOISY_PRED = [-1, -1, 0, 0, 1], [5, 5, 5, -1, -1]


@pytest.mark.filterwarnings("ignore:gold has the label -1")
@pytest.mark.parametrize("by_id", [False, True])
@pytest.mark.parametrize(
    ("noise", "noise_as", "gold", "pred"),
    [
        (None, "singleton", [-1, -1, 0, 0, 1], [5, 5, 5, -1, -1]),
        (-1, "singleton", ["x", "y", 0, 0, 1], [5, 5, 5, "x", "y"]),
        ([-1], "singleton", ["x", "y", 0, 0, 1], [5, 5, 5, "x", "y"]),
        (-1, "cluster", [-1, -1, 0, 0, 1], [5, 5, 5, -1, -1]),
        (-1, "drop", [0], [5]),
        ([-1, 0], "singleton", ["x", "y", "z", "w", 1], [5, 5, 5, "x", "y"]),
        ([-1, 1], "cluster", [-1, -1, 0, 0, -1], [5, 5, 5, -1, -1]),
        ({-1, 0}, "cluster", [-1, -1, -1, -1, 1], [5, 5, 5, -1, -1]),
        (np.int64(-1), "drop", [0], [5]),
        (-1.0, "drop", [0], [5]),
        ("absent", "drop", [-1, -1, 0, 0, 1], [5, 5, 5, -1, -1]),
        ((-1, 0), "drop", [-1, -1, 0, 0, 1], [5, 5, 5, -1, -1]),  # a tuple is one label
    ],
)
def test_noise(by_id: bool, noise: Any, noise_as: str, gold: list[Any], pred: list[Any]) -> None:
    given: Any = (NOISY_GOLD, NOISY_PRED)
    if by_id:
        given = [dict(zip("abcde", side, strict=True)) for side in given]
    assert counts(*given, noise=noise, noise_as=noise_as) == counts(gold, pred)


@pytest.mark.parametrize("null", [None, NAN, np.nan, pd.NA, pd.NaT])
def test_null_labels_are_noise_only_if_named(null: Any) -> None:
    gold, pred = ["a", null, "a", null], ["p", "p", "p", "q"]
    with pytest.raises(cs.InputError, match=r"gold has 2 elements with no label .*position 1.*noise=\[None\]"):
        cs.elm(gold, pred)
    with pytest.raises(cs.InputError, match=r"pred has 2 elements with no label"):
        cs.elm(pred, gold)
    with pytest.raises(cs.InputError, match=r"with no label .*element 'y'"):
        cs.elm({"x": "a", "y": null}, {"x": "a", "y": "b"})
    with pytest.raises(cs.InputError, match="with no label"):
        cs.elm(gold, pred, noise=-1)
    for named in ([None], [NAN], [null, -1]):
        assert counts(gold, pred, noise=named, noise_as="drop") == [[2]]
        assert counts(gold, pred, noise=named) == counts(["a", "x", "a", "y"], pred)
        assert counts(gold, pred, noise=named, noise_as="cluster") == counts(["a", "x", "a", "x"], pred)


@pytest.mark.parametrize(
    ("labels", "noise"),
    [
        (np.array(["2020-01-01", "2020-01-01", "2021-01-01"], "M8[D]"), np.datetime64("2020-01-01")),
        (np.array(["2020-01-01", "2020-01-01", "2021-01-01"], "M8[ns]"), np.datetime64("2020-01-01")),
        (np.array(["n", "n", "a"]), "n"),
        (np.array([b"n", b"n", b"a"]), b"n"),
        (np.array([0.5, 0.5, 1.5]), 0.5),
        (np.array([NAN, NAN, 1.5]), NAN),
        (np.array([True, True, False]), True),
        (np.array([2**40, 2**40, -(2**50)]), 2**40),
        (np.array([2**64 - 1, 2**64 - 1, 0], np.uint64), 2**64 - 1),
        (pd.Series(["n", "n", "a"]), "n"),
        (pd.Series(["n", "n", "a"], dtype="category"), "n"),
        (pd.Series([None, None, 1], dtype="Int64"), [None]),
        (cs.Clustering.from_labels([(), (), (1, 1)]), [()]),
    ],
    ids=lambda given: f"{type(given).__name__} of {given.dtype}" if hasattr(given, "dtype") else repr(given),
)
def test_noise_in_labels_of_every_type(labels: Any, noise: Any) -> None:
    assert counts(labels, [0, 0, 0], noise=noise) == [[1], [1], [1]]
    assert counts(labels, [0, 0, 0], noise=noise, noise_as="drop") == [[1]]


@pytest.mark.parametrize(
    ("given", "same"),
    [
        (np.int64(-1), -1),
        (np.array(-1), -1),
        ([np.int8(-1), np.str_("x")], [-1, "x"]),
        (np.uint64(2**63 + 1), 2**63 + 1),
        (np.float32(0.1), float(np.float32(0.1))),
        (np.bool_(True), True),
        (Decimal("-1"), -1),
        (Decimal("1.50"), 1.5),
        (np.datetime64("2020-01-01T00:00", "ns"), dt.datetime(2020, 1, 1)),
        (np.datetime64("2020-01-01"), dt.date(2020, 1, 1)),
        (np.timedelta64(90, "m"), dt.timedelta(minutes=90)),
    ],
    ids=repr,
)
def test_noise_is_kept_as_python_has_it(given: Any, same: Any) -> None:
    policy = Policy.of("error", given)
    assert policy == Policy.of("error", same)
    assert policy.signature == Policy.of("error", same).signature
    assert not any(isinstance(label, np.generic) for label in policy.noise)


@pytest.mark.parametrize(
    ("labels", "noise"),
    [
        (np.array([2**63 + 1, 2**63 + 1, 0], np.uint64), np.uint64(2**63 + 1)),
        (np.array([0.1, 0.1, 0.5], np.float32), np.float32(0.1)),
        (np.array([1, 1, 0]), np.bool_(True)),
        ([True, True, False], np.int8(1)),
        ([Decimal("0.1"), Decimal("0.1"), Decimal(2)], Decimal("0.1")),
        ([Decimal(-1), Decimal(-1), Decimal(2)], -1),
        (np.array([-1, -1, 2]), Decimal(-1)),
        (pl.Series([1, 1, 1000]).cast(pl.Datetime("ns")), np.datetime64(1, "ns")),
        ([dt.datetime(2020, 1, 1)] * 2 + [dt.datetime(2021, 1, 1)], np.datetime64("2020-01-01T00", "ns")),
        ([dt.timedelta(hours=1), dt.timedelta(hours=1), dt.timedelta(0)], np.timedelta64(60, "m")),
        (np.array([60, 60, 1], "m8[m]"), dt.timedelta(hours=1)),
        (pd.Series(np.array(["2020", "2020", "2021"], "M8[ns]")), dt.datetime(2020, 1, 1)),
        ([None, None, 1], pd.NA),
    ],
    ids=lambda given: f"{type(given).__name__} of {given.dtype}" if hasattr(given, "dtype") else repr(given),
)  # fmt: skip
def test_noise_of_another_kind_of_number_or_time(labels: Any, noise: Any) -> None:
    assert counts(labels, ["x", "y", "y"], noise=[noise], noise_as="drop") == [[1]]


@pytest.mark.parametrize(
    ("labels", "noise"),
    [
        (np.array([2**53 + 1, 2**53 + 1, -(2**60)]), 2.0**53),
        (np.array([2.0**53, 2.0**53, 1.5]), 2**53 + 1),
        (np.array([0.5, 0.5, 1.5]), 10**400),
        (np.array([0.5, 0.5, 1.5]), Decimal("1e999999")),
        (np.array([0.1, 0.1, 0.5], np.float32), 0.1),
        (pl.Series([1, 1, 2]).cast(pl.Datetime("ns")), dt.datetime(1970, 1, 1)),
    ],
    ids=repr,
)
def test_noise_that_no_label_equals(labels: Any, noise: Any) -> None:
    assert counts(labels, ["x", "y", "y"], noise=noise, noise_as="drop") == counts(labels, ["x", "y", "y"])


def test_noise_is_one_of_the_two_instants_of_a_repeated_hour() -> None:
    first = dt.datetime(2024, 10, 27, 2, 30, tzinfo=ZoneInfo("Europe/Berlin"))
    assert counts([first, first.replace(fold=1)], [0, 1], noise=first, noise_as="drop") == [[1]]


def test_noise_and_missing_together() -> None:
    gold, pred = {"a": 0, "b": 0, "c": -1, "d": -1}, {"a": 0, "b": 0, "c": 1}
    # d is noise and would be dropped anyway, so nothing is missing
    assert counts(gold, pred, noise=-1, noise_as="drop") == [[2]]
    with pytest.raises(cs.ElementMismatch, match="1 element is only in gold"):
        cs.elm(gold, pred, noise=-1)
    assert counts(gold, pred, noise=-1, missing="drop") == [[2, 0], [0, 1]]
    assert counts(gold, pred, noise=-1, missing="singleton") == [[2, 0, 0], [0, 1, 0], [0, 0, 1]]
    kept = cs.Table.from_labels(gold, pred, noise=-1, missing="keep")
    assert sorted(size for size in kept.gold_size.tolist() if size) == [1, 1, 2]


def test_everything_is_noise() -> None:
    with pytest.raises(cs.InputError, match=r"what is left with .*noise:-1, noise_as:drop is empty"):
        cs.elm([-1, -1], [0, 0], noise=-1, noise_as="drop")


def test_a_noise_label_in_each_document_stays_there() -> None:
    gold, pred, documents = [-1, -1, -1, 0], [0, 0, 0, 0], ["d", "d", "e", "e"]
    assert counts(gold, pred, documents=documents, noise=-1, noise_as="cluster") == [[2, 0], [0, 1], [0, 1]]
    assert counts(gold, pred, documents=documents, noise=-1) == [[1, 0], [1, 0], [0, 1], [0, 1]]
    dropped = cs.Table.from_labels(gold, pred, documents=documents, noise=-1, noise_as="drop")
    assert (dropped.to_matrix().tolist(), list(dropped.documents)) == ([[1]], ["e"])


def test_documents_by_position_and_by_id_agree() -> None:
    gold, pred, documents = [0, 0, 1, 0, 1], [0, 1, 1, 1, 1], ["d", "d", "d", "e", "e"]
    ids = "vwxyz"
    by_id = [dict(zip(ids, side, strict=True)) for side in (gold, pred, documents)]
    frames = [pd.DataFrame({"element": list(ids), "cluster": side, "document": documents}) for side in (gold, pred)]
    carried = [cs.Clustering.from_labels(side, documents=documents) for side in (gold, pred)]
    expected = cs.score(gold, pred, documents=documents).documents.to_dict()
    assert cs.score(by_id[0], by_id[1], documents=by_id[2]).documents.to_dict() == expected
    assert cs.score(*frames).documents.to_dict() == expected
    assert cs.score(*carried).documents.to_dict() == expected
    assert cs.score(carried[0], pred).documents.to_dict() == expected
    assert cs.score(frames[0], by_id[1]).documents.to_dict() == expected


def test_the_same_id_in_two_documents() -> None:
    def frame(*rows: tuple[str, str, int]) -> pd.DataFrame:
        return pd.DataFrame(rows, columns=["document", "element", "cluster"])

    gold = frame(("d", "x", 0), ("d", "y", 0), ("e", "x", 0))
    pred = frame(("e", "x", 7), ("d", "y", 7), ("d", "x", 7))
    assert cs.elm(gold, pred).value == 1
    with pytest.raises(cs.ElementMismatch, match=r"1 element is only in gold .*'x'.*1 element is only in pred"):
        cs.elm(gold, frame(("e", "y", 7), ("d", "y", 7), ("d", "x", 7)))


def test_an_id_of_two_documents_needs_documents_on_both_sides() -> None:
    """Else the one predicted x would be counted once for each gold x."""
    gold = cs.Clustering.from_labels([0, 1], elements=["x", "x"], documents=["d", "e"])
    with pytest.raises(cs.ClusterscoreError):
        cs.bcubed(gold, {"x": 0})
    with pytest.raises(cs.ClusterscoreError):
        cs.bcubed({"x": 0}, gold)


def test_documents_that_contradict_each_other() -> None:
    gold = cs.Clustering.from_labels([0, 0, 1], documents=["d", "d", "e"])
    pred = cs.Clustering.from_labels([0, 0, 1], documents=["d", "e", "e"])
    with pytest.raises(cs.InputError, match="document"):
        cs.elm(gold, pred)
    with pytest.raises(cs.InputError, match="already carry documents"):
        cs.elm(gold, [0, 0, 1], documents=["d", "d", "e"])


@pytest.mark.parametrize("null", [None, NAN])
def test_every_element_needs_a_document(null: Any) -> None:
    with pytest.raises(cs.InputError, match="1 element without a document"):
        cs.elm([0, 1], [0, 1], documents=["d", null])
    with pytest.raises(cs.InputError, match="1 element without a document"):
        cs.elm({"a": 0, "b": 1}, {"a": 0, "b": 1}, documents={"a": "d", "b": null})
    with pytest.raises(cs.InputError, match=r"1 element without a document \(e\.g\. 'b'\)"):
        cs.elm({"a": 0, "b": 1}, {"a": 0, "b": 1}, documents={"a": "d"})
    with pytest.raises(cs.InputError, match="without a document"):
        cs.elm(cs.Clustering.from_labels([0, 1], documents=["d", null]), [0, 1])


def test_a_document_of_one_side_only_is_kept() -> None:
    gold = pd.DataFrame({"element": ["x", "x"], "cluster": [0, 0], "document": ["d", "e"]})
    pred = pd.DataFrame({"element": ["x"], "cluster": [0], "document": ["d"]})
    card = cs.score(gold, pred, missing="keep", metrics="blanc")
    assert card.documents["blanc"].tolist() == [1, 0]


def test_weights() -> None:
    # element precisions of BCubed are 1/2, 1/2, 1; recalls 1, 1/2, 1/2
    gold, pred, weights = [0, 1, 1], [0, 0, 1], [1, 2, 5]
    by_position = cs.bcubed(gold, pred, weights=weights)
    assert by_position.precision == pytest.approx((0.5 + 1 + 5) / 8, abs=1e-15)
    assert by_position.recall == pytest.approx((1 + 1 + 2.5) / 8, abs=1e-15)
    ids = dict(zip("cab", gold, strict=True)), dict(zip("cab", pred, strict=True))
    assert cs.bcubed(*ids, weights={"a": 2, "b": 5, "c": 1, "unused": 9}) == by_position
    assert cs.bcubed(gold, pred, weights=pd.Series([10.0, 20.0, 50.0])).value == pytest.approx(by_position.value)


def test_weights_of_dropped_elements_go_with_them() -> None:
    assert cs.bcubed([0, 1, 1, -1], [0, 0, 1, 1], weights=[1, 2, 5, 100], noise=-1, noise_as="drop").value == (
        cs.bcubed([0, 1, 1], [0, 0, 1], weights=[1, 2, 5]).value
    )
    weights = {"a": 1, "b": 2}
    assert cs.bcubed({"a": 0, "b": 0}, {"a": 0, "c": 0}, weights=weights, missing="drop").value == 1


def test_a_weight_of_zero_takes_an_element_out_of_the_mean_but_not_out_of_its_cluster() -> None:
    score = cs.bcubed([0, 0, 1], [0, 0, 0], weights=[1, 1, 0])
    assert (score.precision, score.recall) == pytest.approx((2 / 3, 1))


def test_documents_of_integer_ids_with_gaps() -> None:
    """Integer ids are their own codes: numbers between them are nobody's ids."""
    gold, documents = {0: "a", 5: "a", 9: "b"}, {0: "x", 5: "x", 9: "y"}
    card = cs.score(gold, gold, documents=documents, metrics="elm")
    assert card["elm"].f == 1
    assert card.to_dict()["documents"] == 2
    with pytest.raises(cs.InputError, match=r"1 element without a document \(e\.g\. 9\)"):
        cs.score(gold, gold, documents={0: "x", 5: "x"}, metrics="elm")


@pytest.mark.parametrize(
    "labels",
    [
        [0, 1, 2, -1],
        np.array([0, 1, 2, -1], np.int8),
        np.array([0, 10**12, 2, -1]),
        np.array([0.0, 1.0, 2.0, -1.0]),
        ["0", "1", "2", "-1"],
        np.array(["0", "1", "2", "-1"]),
        pd.Series([0, 1, 2, -1], dtype="Int64"),
        pl.Series([0, 1, 2, -1]),
        dict(zip("abcd", [0, 1, 2, -1], strict=True)),
    ],
    ids=lambda given: f"{type(given).__name__} of {getattr(given, 'dtype', '')}",
)
def test_a_hint_at_noise(labels: Any) -> None:
    """The label of DBSCAN is scored as it always was, with a warning that points here."""
    other = dict(zip("abcd", "xxyy", strict=True)) if isinstance(labels, dict) else list("xxyy")
    minus = "-1" if not isinstance(labels, dict) and isinstance(labels[0], str) else -1
    for side, given in (
        ("gold has", (labels, other)),
        ("pred has", (other, labels)),
        ("gold and pred have", (labels, labels.copy() if hasattr(labels, "copy") else labels.clone())),
    ):
        with pytest.warns(cs.ClusterscoreWarning) as caught:
            score = cs.elm(*given)
        hints = [warning for warning in caught if "alone in their clusters" not in str(warning.message)]
        assert len(hints) == 1
        assert hints[0].filename == __file__
        assert str(hints[0].message).startswith(f"{side} the label {minus!r}")
        assert f"pass noise={minus!r}, else noise={minus!r} with noise_as=" in str(hints[0].message)
        # both remedies are silent, and the second leaves the score as it is
        cs.elm(*given, noise=minus)
        assert cs.elm(*given, noise=minus, noise_as="cluster").f == score.f
    with pytest.warns(cs.ClusterscoreWarning, match="the label"):
        assert cs.score(other, labels)["elm"] == cs.elm(other, labels)


@pytest.mark.parametrize(
    "labels",
    [
        [1, 1, -1, -1],  # two classes
        [1000, 1000, -1, -1],
        [0, 1, -2, -1],
        [0, 1, -(2**40), -1],
        [0, 1, 2, 3],
        [0.5, 1.5, 2.5, -1.0],
        ["0", "1", "-2", "-1"],
        ["a", "b", "c", "-1"],
        ["-1", "-1", "1", "1"],
        ["0", "1", "2", "-1 "],
        [(-1,), (0,), (1,), (2,)],
        np.array([0, 1, 2, 255], np.uint8),
    ],
    ids=repr,
)
def test_no_hint_where_minus_one_is_not_alone_among_whole_numbers(labels: Any) -> None:
    cs.elm(cs.Clustering.from_labels(labels), list("xxyy"))


def test_the_command_hints_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gold, pred = tmp_path / "gold.csv", tmp_path / "pred.csv"
    gold.write_text("element,cluster\na,0\nb,0\nc,1\nd,1\n")
    pred.write_text("element,cluster\na,0\nb,1\nc,-1\nd,-1\n")
    hint = (
        "clusterscore: warning: pred has the label '-1' among labels from 0 up, scored as a cluster like any other; if "
        "it means 'not clustered', as DBSCAN writes it, pass --noise -1, else --noise -1 with --noise-as cluster\n"
    )
    for command in (["score", str(gold), str(pred)], ["compare", str(gold), str(pred), "--resamples", "0"]):
        with pytest.raises(SystemExit) as left:
            main([*command, "--format", "json"])
        out, err = capsys.readouterr()
        assert (left.value.code, err) == (0, hint)
        with pytest.raises(SystemExit) as left:
            main([*command, "--noise", "-1"])
        assert (left.value.code, capsys.readouterr().err) == (0, "")
        assert out.startswith("{")


def test_an_integer_between_the_labels_is_no_label() -> None:
    assert cs.elm([0, -2], [7, 7], noise="-1", noise_as="singleton") == cs.elm([0, -2], [7, 7])
    with pytest.raises(cs.InputError, match="noise=-1 is not a label here, but '-1' is"):
        cs.elm([0, -2], ["-1", "a"], noise=-1, noise_as="singleton")


@pytest.mark.parametrize("by_id", [False, True])
def test_noise_of_a_prediction_that_is_kept(by_id: bool) -> None:
    """As if the prediction did not have these elements, which gold keeps; what gold does not label is left out."""
    gold, pred = ["a", "a", "b", "b", "c", None], [1, 1, None, 2, None, 3]
    sides: Any = [dict(zip("uvwxyz", side, strict=True)) for side in (gold, pred)] if by_id else (gold, pred)
    labelled = [
        {k: label for k, label in zip("uvwxyz", side, strict=True) if label is not None} for side in (gold, pred)
    ]
    del labelled[1]["z"]
    kept = {
        name: cs.metric(name)(*labelled, missing="keep") for name in ("b3", "ga", "cluster_match", "pairwise", "muc")
    }
    for name, expected in kept.items():
        score = cs.metric(name)(*sides, missing="error", noise_as="logparser")
        assert (score.value, score.precision, score.recall) == (expected.value, expected.precision, expected.recall)
        assert "|missing:error|noise:null|noise_as:logparser|" in score.signature
    rows = cs.elements(*sides, noise_as="logparser")
    assert [None if label is None else label for label in rows["pred"]] == [1, 1, 2, None, None]
    assert list(rows["element"]) == (list("uvxwy") if by_id else [0, 1, 3, 2, 4])
    table = cs.Table.from_labels(*sides, noise_as="logparser")
    assert (table.one_sided, table.noise, table.elements) == ((2, 0), (1, 0), 5)
    with pytest.raises(cs.InputError, match=r'elm needs the same elements on both sides.*pass noise_as="drop" or'):
        cs.elm(*sides, noise_as="logparser")
    if by_id:
        sides[0]["t"] = labelled[0]["t"] = "a"
        assert cs.b3(*sides, missing="keep", noise_as="logparser").value == cs.b3(*labelled, missing="keep").value
