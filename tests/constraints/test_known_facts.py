"""What is known about measures and constraints, rediscovered by the checker."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest

import clusterscore as cs
from clusterscore.constraints import check, counterexamples


def near(expected: Fraction | float) -> object:
    return pytest.approx(float(expected), abs=1e-12, rel=0)


def bag_of(case: cs.constraints.Counterexample) -> tuple[int, int]:
    """How many are clean, and how large the bag is, read off the clusterings."""
    assert case.better is not None
    category = {element: k for k, cluster in enumerate(case.gold) for element in cluster}
    clean = next(cluster for cluster in case.gold if len(cluster) > 1)
    (odd,) = (e for e in category if e not in clean and any(e in c and clean[0] in c for c in case.worse))
    (bag,) = (c for c in case.better if odd in c)
    assert len({category[e] for e in bag}) == len(bag)
    return len(clean), len(bag) - 1


def test_bcubed_with_the_mean_of_f_violates_rag_bag() -> None:
    verdict = check("bcubed", "rag_bag")
    assert verdict.outcome == "violated"
    case = verdict.counterexample
    assert case is not None
    assert (case.gold, case.worse, case.better) == (
        [[1, 2], [3], [4], [5], [6], [7]],
        [[1, 2, 7], [3, 4, 5, 6]],
        [[1, 2], [3, 4, 5, 6, 7]],
    )
    assert case.worse_score == near(Fraction(37, 70))
    assert case.better_score == near(Fraction(11, 21))
    assert "2 clean, a bag of 4" in str(case)


def test_where_bcubed_violates_rag_bag_and_where_not() -> None:
    # D2 - D1 = c/(2c+1) - 2/(c+2) + 2/((b+1)(b+2)), times 1/N; worked out by hand
    gain = {
        (c, b): Fraction(c, 2 * c + 1) - Fraction(2, c + 2) + Fraction(2, (b + 1) * (b + 2))
        for c in range(2, 11)
        for b in range(1, 22)
    }
    violated = {bag_of(case) for case in counterexamples("bcubed", "rag_bag")}
    tied = {bag_of(case) for case in counterexamples("bcubed", "rag_bag", ties=True)}
    assert violated == {key for key, value in gain.items() if value < 0} == {(2, b) for b in range(4, 22)}
    assert tied == {key for key, value in gain.items() if value == 0} == {(2, 3)}
    assert not any(clean == bag for clean, bag in violated | tied)  # Amigó et al. ask for as many clean as in the bag


def test_bcubed_with_the_f_of_means_satisfies_all_four_of_amigo() -> None:
    for name in ("homogeneity", "completeness", "rag_bag", "size_vs_quantity"):
        verdict = check("bcubed(f=of-means)", name, largest=8)
        assert verdict.outcome == "holds", name
        assert verdict.counterexample is None
        assert verdict.violations == verdict.ties == 0
        assert verdict.cases > 20


def test_elm_ties_on_homogeneity() -> None:
    verdict = check("elm", "homogeneity", largest=8)
    assert verdict.outcome == "ties"
    assert verdict.violations == 0
    case = verdict.counterexample
    assert case is not None
    assert (case.gold, case.worse) == ([[1, 2], [3, 4]], [[1, 3], [2, 4]])
    assert case.better == [[1], [2, 4], [3]]
    assert case.worse_score == case.better_score == 0
    assert check("elm", "homogeneity", largest=5).ties == len(
        counterexamples("elm", "homogeneity", ties=True, largest=5)
    )


def test_elm_fails_rag_bag_only_for_a_bag_of_one() -> None:
    cases = counterexamples("elm", "rag_bag", largest=9)
    assert {bag_of(case) for case in cases} == {(clean, 1) for clean in range(2, 14)}
    assert cases[0].worse_score == near(Fraction(7, 12))
    assert cases[0].better_score == near(Fraction(1, 2))
    assert counterexamples("elm", "rag_bag", ties=True, largest=9) == []


def test_zero_score() -> None:
    assert check("elm", "zero_score", largest=8).outcome == "holds"
    verdict = check("elm(f=of-means)", "zero_score")
    assert verdict.outcome == "violated"
    case = verdict.counterexample
    assert case is not None
    assert case.gold == [[1, 2], [3]]
    assert case.worse_score == near(Fraction(1, 3))
    assert case.better is None
    assert case.better_score is None


@pytest.mark.parametrize("name", ["bcubed", "bcubed(f=of-means)", "b3", "adapted_bcubed", "bcubed(weights=class)"])
def test_bcubed_always_fails_zero_score(name: str) -> None:
    verdict = check(name, "zero_score")
    assert verdict.outcome == "violated"
    assert verdict.violations == verdict.cases
    assert verdict.counterexample is not None
    assert verdict.counterexample.gold == [[1, 2]]


def test_adapted_bcubed_satisfies_what_its_paper_claims() -> None:
    for name in ("homogeneity", "completeness", "rag_bag", "size_vs_quantity", "unbalanced"):
        for recall in ("power", "tuples"):
            assert check(f"adapted_bcubed(recall={recall})", name).outcome == "holds", name
    assert check("bcubed(f=of-means)", "unbalanced").outcome == "violated"
    assert check("bcubed(f=of-means, alpha=0.9)", "unbalanced").outcome == "holds"


def test_a_distance_is_better_when_it_is_smaller() -> None:
    verdicts = check("variation_of_information")
    assert verdicts["homogeneity"].outcome == verdicts["completeness"].outcome == "holds"
    assert verdicts["identity"].outcome == verdicts["range"].outcome == "holds"
    assert verdicts["zero_score"].outcome == "does not apply"
    case = verdicts["rag_bag"].counterexample
    assert case is not None
    assert case.better_score is not None
    assert case.better_score > case.worse_score


@pytest.mark.parametrize(
    "name",
    [
        "split_join",
        "split_join(normalized=true)",
        "transfer_distance",
        "mirkin",
        "variation_of_information",
        "variation_of_information(normalized=log)",
        "variation_of_information(normalized=joint)",
    ],
)
def test_distances_obey_the_triangle_inequality(name: str) -> None:
    verdict = check(name, "triangle")
    assert (verdict.outcome, verdict.cases, verdict.up_to) == ("holds", 2_692, 6)


def test_merge_distance_is_shorter_by_a_detour() -> None:
    case = check("merge_distance", "triangle").counterexample
    assert case is not None
    assert (case.gold, case.worse, case.better) == ([[1, 2], [3, 4]], [[1, 3], [2, 4]], [[1, 2, 3, 4]])
    assert (case.worse_score, case.better_score) == (4.0, 2.0)
    assert check("elm", "triangle").outcome == "does not apply"


def test_laws_that_measures_of_ours_do_not_keep() -> None:
    assert check("purity", "singletons").outcome == "ties"
    assert check("inverse_purity", "all_in_one").outcome == "ties"
    muc = check("muc", "all_in_one")  # it has no opinion where gold has no link
    assert muc.outcome == "ties"
    assert muc.counterexample is not None
    assert muc.counterexample.gold == [[1], [2]]
    blanc = check("blanc", "swap")  # its boundary cases look at gold alone
    assert blanc.outcome == "violated"
    assert check("blanc(dialect=luo2014)", "swap").outcome == "holds"
    assert check("bcubed(weights=class)", "swap").outcome == "violated"  # those go by the gold side
    alone = check("blanc(links=document)", "identity").counterexample
    assert alone is not None
    assert alone.gold == [[1]]


@pytest.mark.parametrize(
    "kind",
    [kind for kind in cs.registered() if not (kind.ordered or kind.of_mentions or kind.of_turns)],
    ids=lambda kind: kind.name,
)
def test_every_measure_of_ours_keeps_the_laws_it_declares(kind: type[cs.Metric]) -> None:
    metric = kind()
    for law in ("identity", "range", "relabelling", "reordering", *(["swap"] if metric.swaps else [])):
        if (kind.name, law) != ("standardized_rand", "identity"):
            assert check(metric, law, largest=5).outcome == "holds", law


def test_another_prediction_may_be_less_likely_than_the_right_one() -> None:
    """Which is why a score in standard deviations is no measure of quality."""
    assert check("standardized_rand", "identity", largest=5).outcome == "violated"


@pytest.mark.parametrize("name", ["ami", "elm(weights=effective)", "bcubed(f=of-means, weights=effective)"])
def test_measures_whose_documents_do_not_add_up_are_judged_case_by_case(name: str) -> None:
    metric = cs.metric(name)
    for case in counterexamples(metric, "homogeneity", largest=6) + counterexamples(metric, "unbalanced", largest=3):
        assert metric(case.gold, case.worse).value == near(case.worse_score)
        assert metric(case.gold, case.better).value == near(case.better_score or 0.0)


def test_without_a_name_all_constraints_are_checked() -> None:
    assert len(check("elm")) == 23


def test_every_constraint_says_what_it_is() -> None:
    names = [constraint.name for constraint in cs.constraints.CONSTRAINTS]
    assert names == list(dict.fromkeys(names))
    for constraint in cs.constraints.CONSTRAINTS:
        assert re.fullmatch(r"[A-Z].*\.", constraint.statement)
        assert constraint.family


@pytest.mark.parametrize("name", ["elm", "bcubed", "bcubed(f=of-means)"])
def test_rag_bag_as_amigo_states_it_with_as_many_in_the_bag_as_clean(name: str) -> None:
    for n in range(2, 25):
        gold = [*["clean"] * n, *range(n), "odd"]
        worse, better = [0] * n + [1] * n + [0], [0] * n + [1] * n + [1]
        assert cs.metric(name)(gold, worse).value < cs.metric(name)(gold, better).value - 1e-12
