"""A metric of the user's own: what is wrong with it is found, with the smallest case that shows it."""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score, normalized_mutual_info_score, v_measure_score

import clusterscore as cs
from clusterscore.constraints import Counterexample, check, matrix
from clusterscore.metrics.metric import Values


def smallest(metric: Any, constraint: str, outcome: str = "violated") -> Counterexample:
    verdict = check(metric, constraint)
    assert verdict.outcome == outcome
    assert verdict.counterexample is not None
    return verdict.counterexample


def accuracy(gold: list[int], pred: list[int]) -> float:
    """Broken: it compares names."""
    return sum(g == p for g, p in zip(gold, pred, strict=True)) / len(gold)


def test_names_of_clusters() -> None:
    case = smallest(accuracy, "relabelling")
    assert (case.gold, case.worse) == ([[1, 2]], [[1, 2]])  # one element is called 0 either way round
    assert (case.worse_score, case.better_score) == (1, 0)
    assert case.description == "gold 0 0, prediction 0 0 scores 1.0000; gold 1 1, prediction 0 0 scores 0.0000"
    assert check(accuracy, "identity").outcome == check(accuracy, "range").outcome == "holds"
    assert check(accuracy, "reordering").outcome == "holds"


def first_cluster(gold: list[int], pred: list[int]) -> float:
    """Broken: only the cluster of the first element counts."""
    mine, predicted = ({k for k, label in enumerate(side) if label == side[0]} for side in (gold, pred))
    return len(mine & predicted) / len(mine | predicted)


def test_order_of_elements() -> None:
    case = smallest(first_cluster, "reordering")
    assert case.elements == 3
    assert case.worse_score != case.better_score
    assert check(first_cluster, "relabelling").outcome == "holds"


def of_elm(change: Any) -> Any:
    @functools.wraps(change)
    def metric(gold: list[int], pred: list[int]) -> Any:
        return change(gold, pred, cs.elm(gold, pred).value)

    return metric


@of_elm
def too_high(gold: list[int], pred: list[int], score: float) -> float:
    return score + (0.5 if len(set(pred)) == 3 else 0)


def test_range() -> None:
    case = smallest(too_high, "range")
    assert case.gold == [[1], [2], [3]] == case.worse
    assert (case.worse_score, case.better, case.better_score) == (1.5, None, None)
    assert str(case) == "gold 1 | 2 | 3: prediction 1 | 2 | 3 scores 1.5000, not a number from 0 to 1"
    assert smallest(too_high, "identity").gold == case.gold


@of_elm
def not_a_number(gold: list[int], pred: list[int], score: float) -> float:
    return score if len(set(gold)) > 1 or len(gold) < 3 else math.nan


def test_not_a_number() -> None:
    for constraint in ("range", "identity", "zero_score", "completeness", "singletons"):
        case = smallest(not_a_number, constraint)
        assert case.gold == [[1, 2, 3]], constraint
        assert "nan" in case.description
    assert check(not_a_number, "relabelling").outcome == "holds"  # it is the same nonsense under other names


@of_elm
def divides_by_zero(gold: list[int], pred: list[int], score: float) -> float:
    return score / (len(set(pred)) - 2)


def test_an_exception() -> None:
    case = smallest(divides_by_zero, "range")
    assert case.elements == 1  # -1 for one cluster
    cases = [case for case in cs.constraints.counterexamples(divides_by_zero, "range") if math.isnan(case.worse_score)]
    assert cases[0].description == "gold 1 2: prediction 1 | 2 raises ZeroDivisionError: float division by zero"
    case = smallest(divides_by_zero, "all_in_one")
    assert "raises ZeroDivisionError" in case.description
    assert math.isnan(case.better_score or 0.0)


def number_of_clusters(gold: list[int], pred: list[int]) -> float:
    """Broken: it rewards splitting."""
    return len(set(pred)) / len(pred)


def test_splitting() -> None:
    case = smallest(number_of_clusters, "completeness")
    assert (case.gold, case.worse, case.better) == ([[1, 2]], [[1], [2]], [[1, 2]])
    assert (case.worse_score, case.better_score) == (1, 0.5)
    assert smallest(number_of_clusters, "singletons").gold == [[1, 2]]
    assert smallest(number_of_clusters, "identity").gold == [[1, 2]]
    assert check(number_of_clusters, "homogeneity").outcome == "holds"
    assert smallest(number_of_clusters, "zero_score").gold == [[1, 2]]


def constant(gold: list[int], pred: list[int]) -> int:
    return 1


def test_no_opinion_ties_on_everything_that_asks_for_more() -> None:
    verdicts = check(constant)
    tied = {"homogeneity", "completeness", "rag_bag", "size_vs_quantity", "unbalanced", "singletons", "all_in_one"}
    tied |= {"monotonicity", "monotonicity_trivial_gold"}
    assert {name for name, verdict in verdicts.items() if verdict.outcome == "ties"} == {*tied, "maximal_agreement"}
    assert all(verdicts[name].ties == verdicts[name].cases for name in tied)
    assert verdicts["zero_score"].outcome == verdicts["metric"].outcome == "violated"
    assert verdicts["symmetry"].outcome == verdicts["constant_baseline"].outcome == "holds"


@dataclass
class Pair:
    value: float
    precision: float
    recall: float

    def __float__(self) -> float:
        return self.value


def lopsided(gold: list[int], pred: list[int]) -> Pair:
    score = cs.bcubed(gold, pred)
    assert score.recall is not None
    return Pair(score.value, score.precision or 0.0, score.recall**2)


def test_precision_and_recall_of_what_it_returns() -> None:
    case = smallest(lopsided, "swap")
    assert case.elements == 2
    assert (
        "precision 0.5000, but recall 0.2500" in case.description
        or "recall 0.2500, but precision 0.5000" in case.description
    )
    assert check(lambda gold, pred: cs.bcubed(gold, pred), "swap").outcome == "holds"
    assert check(accuracy, "swap").outcome == "does not apply"


@pytest.mark.parametrize(
    "answer", [None, "0.5", [0.5, 0.5], {}, 1j, object()], ids=lambda answer: type(answer).__name__
)
def test_what_is_not_a_number_is_told(answer: Any) -> None:
    case = smallest(lambda gold, pred: answer, "range")
    assert case.elements == 1
    assert "raises TypeError" in case.description


@pytest.mark.parametrize("answer", [math.inf, -math.inf, math.nan, -1e-6, 1 + 1e-6])
def test_what_is_out_of_range_is_told(answer: float) -> None:
    assert smallest(lambda gold, pred: answer, "range").worse_score == pytest.approx(answer, nan_ok=True)


@pytest.mark.parametrize("answer", [np.float32(1), np.array(1.0), True, 1, 1 + 1e-13])
def test_kinds_of_numbers(answer: Any) -> None:
    assert check(lambda gold, pred: answer, "identity").outcome == "holds"


def test_rounding_is_a_tie_and_not_a_violation() -> None:
    def wavering(gold: list[int], pred: list[int]) -> float:
        return float(cs.purity(gold, pred)) - 1e-14 * len(set(pred)) * (1 if len(set(pred)) % 2 else -1)

    assert check(wavering, "rag_bag").outcome == check("purity", "rag_bag").outcome == "ties"


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [(adjusted_rand_score, "adjusted_rand"), (v_measure_score, "v_measure"), (normalized_mutual_info_score, "nmi")],
)
def test_the_same_measure_from_elsewhere_has_the_same_verdicts(theirs: Any, ours: str) -> None:
    theirs = functools.partial(theirs)
    theirs.lowest = cs.metric(ours).lowest
    for name in ("rag_bag", "size_vs_quantity", "zero_score", "identity", "range"):
        verdict, expected = check(theirs, name, largest=4), check(ours, name, largest=4)
        assert (verdict.outcome, verdict.cases, verdict.violations, verdict.ties) == (
            expected.outcome, expected.cases, expected.violations, expected.ties
        ), name  # fmt: skip
        assert (verdict.counterexample is None) == (expected.counterexample is None)


@pytest.mark.parametrize(("name", "constraints"), [("elm", None), ("ceafe", "homogeneity")])
def test_a_function_is_judged_like_the_metric_it_calls(name: str, constraints: str | None) -> None:
    metric = cs.metric(name)
    wanted = [constraint.name for constraint in cs.constraints.CONSTRAINTS if constraints in (None, constraint.name)]
    for constraint in wanted:
        verdict = check(lambda gold, pred: metric(gold, pred), constraint, largest=4)
        assert replace(verdict, metric=name) == check(metric, constraint, largest=4)


def test_a_distance_says_so() -> None:
    def distance(gold: list[int], pred: list[int]) -> float:
        return cs.variation_of_information(gold, pred).value

    assert check(distance, "homogeneity").outcome == "violated"
    distance.perfect, distance.highest = 0.0, math.inf  # type: ignore[attr-defined]
    verdicts, ours = check(distance, largest=4), check("vi", largest=4)
    assert {name: verdict.outcome for name, verdict in verdicts.items()} == {n: v.outcome for n, v in ours.items()}
    distance.smaller_is_better = False  # type: ignore[attr-defined]
    assert check(distance, "homogeneity").outcome == "violated"


def test_functions_of_ours_are_their_metrics() -> None:
    assert str(check(cs.adjusted_rand, "range")) == str(check("ari", "range"))
    assert check(cs.variation_of_information, "completeness").metric == "variation_of_information"
    assert check(type(cs.metric("elm")), "rag_bag") == check("elm", "rag_bag")


def test_a_function_is_called_with_fresh_lists_of_plain_labels() -> None:
    def greedy(gold: list[int], pred: list[int]) -> float:
        assert type(gold) is type(pred) is list
        assert all(type(label) is int for label in gold + pred)
        score = cs.elm(gold, pred).value
        gold.clear()
        pred.append(99)
        return score

    verdict, expected = (check(metric, "homogeneity", largest=4) for metric in (greedy, "elm"))
    assert replace(verdict, metric="elm") == expected


@dataclass(frozen=True)
class OneRow(cs.Metric):
    name = "one_row"

    def parts(self, table: cs.Table) -> Any:
        return {"one": np.ones(1)}

    def finish(self, **parts: Any) -> Values:
        return Values(parts["one"])


@dataclass(frozen=True)
class ShareOfCells(OneRow):
    """Unregistered: clusters over cells, which is 1 for equal clusterings."""

    name = "share_of_cells"

    def parts(self, table: cs.Table) -> Any:
        return {"clusters": table.clusters("gold"), "cells": table.clusters("cell")}

    def finish(self, **parts: Any) -> Values:
        return Values(parts["clusters"] / parts["cells"])


def test_a_metric_object_that_is_not_registered() -> None:
    verdicts = check(ShareOfCells())
    assert verdicts.metric == "share_of_cells"
    assert verdicts["range"].outcome == verdicts["identity"].outcome == "holds"
    assert verdicts["range"].cases > 10_000  # scored as documents of one table
    with pytest.raises(cs.MetricError, match=r"one_row: parts and finish gave 1 row for 2 documents"):
        check(OneRow(), "rag_bag")


@pytest.mark.parametrize("nothing", [None, 3, 1.5, [], ["elm"], {"elm": 1}])
def test_what_is_no_metric(nothing: Any) -> None:
    with pytest.raises(cs.MetricError, match="is not a metric; pass a name"):
        check(nothing)


def test_wrong_options() -> None:
    with pytest.raises(cs.MetricError, match="did you mean 'elm'"):
        check("elmo")
    with pytest.raises(cs.InputError, match="did you mean 'rag_bag'"):
        check("elm", "ragbag")
    with pytest.raises(cs.InputError, match="not by 3"):
        check("elm", 3)  # type: ignore[call-overload]
    for largest in (1, 10, 0, -3, True, 4.0, "5"):
        with pytest.raises(cs.InputError, match="whole number from 2 to 9"):
            check("elm", "rag_bag", largest=largest)  # type: ignore[arg-type]
    with pytest.raises(cs.InputError, match="cases='some' is not an option"):
        check("elm", cases="some")
    with pytest.raises(cs.MetricError, match="needs one weight per element"):
        check("elm(weights=given)")
    assert check("elm", " Rag-Bag ") == check("elm", "rag bag") == check("elm", "rag_bag")


def test_names_of_functions() -> None:
    assert check(functools.partial(accuracy), "identity").metric == "accuracy()"
    assert check(functools.partial(cs.bcubed, f="of-means"), "rag_bag").metric == "bcubed(f=of-means)"
    with pytest.raises(cs.InputError, match=r"two metrics are called '<lambda>'; pass a mapping"):
        matrix([lambda gold, pred: 1.0, lambda gold, pred: 0.0])
    assert list(matrix(["elm", cs.metric("elm"), constant, constant], "range", largest=2)) == ["elm", "constant"]
    assert list(matrix({"one": constant, "two": constant}, "range")) == ["one", "two"]
