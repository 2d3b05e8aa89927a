"""The properties of Gösgens et al. 2021: as in the golden file, as found by hand, and in measures that lack them."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score

import clusterscore as cs
from clusterscore.constraints import Counterexample, Verdict, check, matrix
from clusterscore.constraints.clusterings import pairs
from clusterscore.constraints.scored import Subject, not_in_cases
from clusterscore.metrics.metric import METRICS, Values
from clusterscore.metrics.pair_metric import Links, PairMetric
from constraints.by_hand import MEASURES, PAIR_MEASURES, adjusted_rand, pair_counts, perfect_steps, rand, trivial
from constraints.properties_by_hand import ByHand, asymptotic_constant_baseline, strong_monotonicity

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "measures" / "properties.json").read_text(encoding="utf-8"))
# those of our measures that the file does not name
NAMED = {
    "correlation": "correlation",
    "correlation distance": "correlation_distance",
    "sokal sneath 1": "sokal_sneath",
}
INDICES = {
    index: name
    for index, entry in GOLDEN["indices"].items()
    if (name := entry["clusterscore"] or NAMED.get(index)) is not None
}
KINDS = {"holds": "yes", "ties": "ties only", "violated": "violated"}


def test_every_index_that_we_have_is_compared() -> None:
    """The others go by a name that none of our measures has."""
    assert len(INDICES) == 18
    assert not {index.replace(" ", "_").lower() for index in GOLDEN["indices"] if index not in INDICES} & {*METRICS}


@cache
def verdicts(name: str) -> cs.constraints.Verdicts:
    return matrix(name, "properties")[str(cs.metric(name))]


@pytest.mark.parametrize("index", INDICES)
def test_verdicts_are_those_of_the_golden_file(index: str) -> None:
    judged, golden = verdicts(INDICES[index]), GOLDEN["indices"][index]
    searched = {name: entry["holds"] for name, entry in golden["computed"].items() if "note" not in entry}
    assert set(golden["computed"]) - set(searched) == {"linear_complexity"}  # which no search can tell
    ours = {name: judged[{"distance": "metric"}.get(name, name)].outcome for name in searched}
    assert {name: outcome == "holds" for name, outcome in ours.items()} == searched
    assert KINDS[ours["monotonicity"]] == golden["monotonicity_kind"]
    others = {verdict.outcome for name, verdict in judged.items() if name not in {*searched, "metric"}}
    assert others <= {"does not apply"}  # the file leaves out the same


@pytest.mark.parametrize("index", INDICES)
def test_the_cases_of_the_golden_file_are_scored_alike(index: str) -> None:
    text = GOLDEN["indices"][index]["computed"]["monotonicity"].get("counterexample", "")
    case = re.search(r"gold (.+): from (.+) \((.+)\) to (.+) \((.+)\)", text)
    if case is None:
        assert verdicts(INDICES[index])["monotonicity"].outcome == "holds"
        return
    gold, worse, better = ([cluster.split() for cluster in case[k].split(" | ")] for k in (1, 2, 4))
    metric = cs.metric(INDICES[index])
    scores = metric(gold, worse).value, metric(gold, better).value
    assert scores == pytest.approx((float(case[3]), float(case[5])), rel=1e-3, abs=1e-12)


@pytest.mark.parametrize("name", ["rand", "adjusted_rand", "jaccard", "bcubed", "elm", "purity"])
def test_verdicts_are_those_of_a_search_by_hand(name: str) -> None:
    values = {**MEASURES, "rand": rand, "adjusted_rand": adjusted_rand}
    by_hand, judged = ByHand(values[name], 5), matrix(name, "properties", largest=5)[name]
    for wanted in ("maximal_agreement", "symmetry", "metric", "monotonicity", "monotonicity_trivial_gold"):
        assert (judged[wanted].outcome == "holds") == getattr(by_hand, wanted)(), wanted
    assert (judged["constant_baseline"].outcome == "holds") == by_hand.constant_baseline()
    if name not in PAIR_MEASURES:
        return
    of_pairs, minimal = PAIR_MEASURES[name], by_hand.minimal_agreement()
    assert (judged["minimal_agreement"].outcome == "holds") == minimal
    strong = strong_monotonicity(of_pairs) and minimal and by_hand.maximal_agreement()
    assert (judged["strong_monotonicity"].outcome == "holds") == strong
    asymptotic = judged["asymptotic_constant_baseline"].outcome == "holds"
    assert asymptotic == asymptotic_constant_baseline(of_pairs)


def test_all_perfect_splits_and_merges_are_tried() -> None:
    steps = [trivial(gold) for n in range(2, 7) for gold, _, _ in perfect_steps(n)]
    assert check("rand", "monotonicity").cases == steps.count(False) + 1  # the one of nine elements
    assert check("rand", "monotonicity_trivial_gold").cases == steps.count(True)


def test_a_case_of_nine_elements_shows_what_small_ones_do_not() -> None:
    case = violated(check("ami(mean=geometric)", "monotonicity"))
    assert case.elements == 9
    assert case.worse_score == pytest.approx(-0.17489, abs=5e-6)
    assert case.better_score == pytest.approx(-0.17521, abs=5e-6)


PAIRWISE = [kind() for kind in cs.registered() if not_in_cases(kind()) is None and Subject.of(kind).counts_pairs]


@pytest.mark.parametrize("metric", PAIRWISE, ids=str)
def test_pair_counts_score_as_clusterings_that_have_them(metric: cs.Metric) -> None:
    for n in range(2, 6):
        gold, pred = pairs(n)
        counts = [pair_counts(blocks(g), blocks(p)) for g, p in zip(gold, pred, strict=True)]
        scored = Subject.of(metric).score_counts(np.array(counts))
        assert scored is not None
        np.testing.assert_allclose(scored.value, Subject.of(metric).score(gold, pred).value, rtol=0, atol=1e-13)


@pytest.mark.parametrize("name", ["fuzzy_rand", "omega"])
def test_what_is_adjusted_rand_on_partitions_has_its_properties(name: str) -> None:
    same, other = (matrix(metric, "properties", largest=4)[metric] for metric in (name, "adjusted_rand"))
    assert [verdict.outcome for verdict in same.values()] == [verdict.outcome for verdict in other.values()]


def blocks(labels: Any) -> list[frozenset[int]]:
    return [frozenset(np.flatnonzero(labels == label).tolist()) for label in np.unique(labels)]


def test_which_measures_count_pairs() -> None:
    names = {metric.name for metric in PAIRWISE}
    assert {kind.name for kind in cs.registered() if issubclass(kind, PairMetric)} < names
    assert {"mirkin", "blanc", "omega"} <= names
    assert not names & {"elm", "nmi", "mentions", "muc", "set_matching"}
    assert (
        check("pairwise(pairs=self)", "minimal_agreement").outcome == "does not apply"
    )  # it counts elements alone, too
    assert check("pairwise(adjusted=true)", "minimal_agreement").outcome == "violated"
    assert check(lambda gold, pred: cs.rand(gold, pred), "minimal_agreement").outcome == "does not apply"


# measures with one fault each


def violated(verdict: Verdict) -> Counterexample:
    assert verdict.outcome == "violated", verdict
    assert verdict.counterexample is not None
    return verdict.counterexample


def test_maximal_agreement() -> None:
    def of_fewer(gold: list[int], pred: list[int]) -> float:
        return cs.rand(gold, pred).value / len(set(gold))

    case = violated(check(of_fewer, "maximal_agreement"))
    assert (case.gold, case.worse, case.worse_score) == ([[1], [2]], [[1], [2]], 0.5)
    assert str(case) == "gold 1 | 2: gold itself scores 0.5000; gold 1 2: gold itself scores 1.0000"
    assert check(lambda gold, pred: cs.purity(gold, pred), "maximal_agreement").outcome == "ties"

    def better_than_gold(gold: list[int], pred: list[int]) -> float:
        return 2.0 if len(set(pred)) > len(set(gold)) else cs.rand(gold, pred).value

    case = violated(check(better_than_gold, "maximal_agreement"))
    assert (case.worse, case.better) == ([[1], [2]], [[1, 2]])
    assert check(lambda gold, pred: cs.rand(gold, pred), "maximal_agreement").outcome == "holds"


class Own(PairMetric):
    """Unregistered: a formula of pair counts."""

    name = "own"

    def of_links(self, pair: Links) -> Values:
        return Values(self.of(pair.right, pair.gold - pair.right, pair.pred - pair.right, pair.apart))

    def of(self, n11: Any, n10: Any, n01: Any, n00: Any) -> Any:
        return (n11 + n00) / (n11 + n10 + n01 + n00)


class OfOneSide(Own):
    """One cluster against singletons is bad, and the other way round it is not."""

    def of(self, n11: Any, n10: Any, n01: Any, n00: Any) -> Any:
        return (n11 + n00 + n01 / 2) / (n11 + n10 + n01 + n00)


class Steep(Own):
    """More pairs of a kind do not always help."""

    def of(self, n11: Any, n10: Any, n01: Any, n00: Any) -> Any:
        return np.where(n11 == 3, 0.5, super().of(n11, n10, n01, n00))


class Both(Own):
    """Pairs that are apart do not count."""

    def of(self, n11: Any, n10: Any, n01: Any, n00: Any) -> Any:
        return np.where(n10 + n01 == 0, 1.0, n11 / np.maximum(n11 + n10 + n01, 1))


def test_minimal_agreement() -> None:
    case = violated(check(OfOneSide(), "minimal_agreement"))
    assert (case.gold, case.worse, case.worse_score) == ([[1], [2]], [[1, 2]], 0.5)
    assert str(case) == "gold 1 | 2: prediction 1 2 scores 0.5000; gold 1 2: prediction 1 | 2 scores 0.0000"
    tied = check(Both(), "minimal_agreement")
    assert tied.outcome == "ties"
    assert tied.counterexample is not None
    assert (tied.counterexample.gold, tied.counterexample.worse) == ([[1, 2], [3]], [[1, 3], [2]])
    assert check(Own(), "minimal_agreement").outcome == "holds"


def test_strong_monotonicity() -> None:
    case = violated(check(Steep(), "strong_monotonicity"))
    assert (case.gold, case.worse, case.better) == ([], [], [])
    assert "pair counts (N11, N10, N01, N00) = (2, 0, 1, 1) and the better (3, 0, 1, 1) score 0.7500 and 0.5000" in str(
        case
    )
    tied = check(Both(), "strong_monotonicity")
    assert tied.outcome == "ties"
    assert "(0, 1, 1, 0) and the better (0, 1, 1, 1) score 0.0000 and 0.0000" in str(tied.counterexample)
    assert violated(check("phi", "strong_monotonicity")).elements == 3  # it lacks nothing but minimal agreement
    assert check(Own(), "strong_monotonicity").outcome == "holds"


def test_asymptotic_constant_baseline() -> None:
    case = violated(check(Own(), "asymptotic_constant_baseline"))
    assert (case.worse_score, case.gold) == (pytest.approx(0.74), [])
    assert "10% together in gold, 20% in the prediction: 0.7400; 10% on both sides: 0.8200" in str(case)
    assert check("correlation", "asymptotic_constant_baseline").outcome == "holds"


def test_symmetry() -> None:
    case = violated(check(lambda gold, pred: cs.bcubed(gold, pred).precision, "symmetry"))
    assert str(case) == "gold 1 2: prediction 1 | 2 scores 1.0000, but 0.5000 with the sides exchanged"
    assert check(lambda gold, pred: cs.bcubed(gold, pred), "symmetry").outcome == "holds"


def test_metric() -> None:
    def squared(gold: list[int], pred: list[int]) -> float:
        return 1 - (1 - cs.rand(gold, pred).value) ** 2

    case = violated(check(squared, "metric"))
    assert str(case) == "from gold 1 2 3 to 1 | 2 | 3 it is 1.0000, by way of 1 2 | 3 0.5556"
    assert check(lambda gold, pred: cs.rand(gold, pred), "metric").outcome == "holds"
    near = check(lambda gold, pred: 1.0 if gold == pred else max(0.5, cs.rand(gold, pred).value), "metric")
    assert near.outcome == "holds"  # all are equally far, nearly
    case = violated(check(lambda gold, pred: float(len(gold) < 3 or gold == pred), "metric"))
    assert case.elements == 2  # at no distance from another
    assert "precision" not in str(violated(check(lambda gold, pred: cs.bcubed(gold, pred).precision, "metric")))


def test_monotonicity() -> None:
    def clusters(gold: list[int], pred: list[int]) -> float:
        return len(set(pred)) / len(pred)

    case = violated(check(clusters, "monotonicity"))
    assert (case.gold, case.worse, case.better) == ([[1, 2], [3]], [[1], [2], [3]], [[1, 2], [3]])

    def blind(gold: list[int], pred: list[int]) -> float:
        one_sided = len(set(gold)) in (1, len(gold))
        return float(gold == pred) if one_sided else cs.rand(gold, pred).value

    assert check(blind, "monotonicity").outcome == "holds"
    case = check(blind, "monotonicity_trivial_gold").counterexample
    assert check(blind, "monotonicity_trivial_gold").outcome == "ties"
    assert case is not None
    assert (case.gold, case.worse, case.better) == ([[1], [2], [3]], [[1, 2, 3]], [[1, 2], [3]])


def test_a_split_into_several_categories_each() -> None:
    """Homogeneity asks for pure clusters only, monotonicity for every split that cuts no gold cluster."""

    def only_pure(gold: list[int], pred: list[int]) -> float:
        parts = {(g, p) for g, p in zip(gold, pred, strict=True)}
        three = any(sum(p == label for _, p in parts) == 3 for label in pred)
        return cs.rand(gold, pred).value + 2 * three

    assert check(only_pure, "homogeneity", largest=4).violations == 0
    assert check(only_pure, "monotonicity", largest=4).outcome == "violated"


def test_constant_baseline() -> None:
    case = violated(check(lambda gold, pred: cs.rand(gold, pred), "constant_baseline"))
    assert (case.elements, case.worse_score) == (4, pytest.approx(0.5))
    assert str(case) == (
        "gold 1 2 3 | 4: predictions of the sizes of 1 2 3 | 4 score 0.5000 on average; gold 1 2 | 3, 1 2 | 3: 0.5556"
    )
    assert check(lambda gold, pred: adjusted_rand_score(gold, pred), "constant_baseline").outcome == "holds"


def test_what_is_not_a_number_has_no_property() -> None:
    judged = matrix({"nothing": lambda gold, pred: float("nan")}, "properties")["nothing"]
    applying = {name: verdict.outcome for name, verdict in judged.items() if verdict.outcome != "does not apply"}
    assert len(applying) == 6
    assert set(applying.values()) == {"violated"}


def test_it_says_how_far_the_search_went() -> None:
    assert str(check("rand", "symmetry")) == "rand, symmetry: holds, no counterexample up to N = 6 (2,691 cases)"
    assert check(lambda gold, pred: cs.rand(gold, pred), "symmetry").up_to == 5
    assert check("rand", "symmetry", largest=8).up_to == 8
    assert str(check("elm", "homogeneity", cases="paper")) == "elm, homogeneity: holds (1 case)"
    assert check("rand", "metric", largest=8).up_to == check("mirkin", "triangle", largest=8).up_to == 6
    assert check("rand", "zero_score").up_to == 7
    assert check("rand", "rag_bag").up_to is check("adjusted_rand", "asymptotic_constant_baseline").up_to is None
    assert check("elm", "strong_monotonicity").up_to is None
    assert check("elm", "homogeneity", cases="paper").up_to is None
    text = str(matrix(["rand", "elm"], "properties"))
    assert "yes: no counterexample up to N = 6. tie: " in text
    assert "yes: no counterexample up to N = 5. tie: " in str(
        matrix({"own": lambda g, p: 1.0, "rand": "rand"}, "symmetry")
    )
    assert "yes: holds in every case. tie: " in str(matrix("rand", ["symmetry", "rag_bag"]))
    assert matrix("rand", "symmetry").to_dict()["rows"][0]["up_to"] == 6
