"""The cases are those that the constraints speak of: all of them, nothing else, and the smallest is the smallest."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

import clusterscore as cs
from clusterscore.constraints import CONSTRAINTS, Counterexample, check, counterexamples
from clusterscore.constraints.clusterings import pairs, partitions, same_pairs
from clusterscore.distinct import Ints
from constraints.by_hand import MEASURES, Clusters, Step, clusterings, completeness_steps, golds, homogeneity_steps

BELL = [1, 1, 2, 5, 15, 52, 203, 877, 4140]
NUMBER_OF_SHAPES = [1, 1, 2, 3, 5, 7, 11, 15, 22]
STEPS = {"homogeneity": homogeneity_steps, "completeness": completeness_steps}


def every_case(constraint: str, largest: int) -> list[Counterexample]:
    """All cases of a constraint: a measure without an opinion ties on each of them."""
    return counterexamples(lambda gold, pred: 1.0, constraint, ties=True, largest=largest)


def every_pair(largest: int) -> list[Counterexample]:
    """All pairs of gold and prediction that laws look at: none of them is within the range of this measure."""
    return counterexamples(lambda gold, pred: 2.0, "range", largest=largest)


def as_sets(clusters: list[list[int]] | None) -> frozenset[frozenset[int]]:
    assert clusters is not None
    return frozenset(map(frozenset, clusters))


@pytest.mark.parametrize("n", range(2, 7))
def test_all_clusterings_are_there_once(n: int) -> None:
    listed = [(as_sets(case.gold), as_sets(case.worse)) for case in every_pair(n) if case.elements == n]
    assert len(listed) == len(set(listed)) == NUMBER_OF_SHAPES[n] * BELL[n]
    gold, pred = map(set, zip(*listed, strict=True))
    assert pred == {frozenset(c) for c in clusterings(list(range(1, n + 1)))}
    assert {tuple(sorted(map(len, clustering))) for clustering in gold} == {
        tuple(sorted(map(len, g))) for g in golds(n)
    }


@pytest.mark.parametrize("n", range(2, 9))
def test_so_many_clusterings_are_looked_at(n: int) -> None:
    assert check("rand", "range", largest=n).cases == sum(NUMBER_OF_SHAPES[k] * BELL[k] for k in range(1, n + 1))


@pytest.mark.parametrize("n", range(1, 6))
def test_pairs_that_differ_only_in_the_names_of_elements(n: int) -> None:
    """The same number of elements is in every cell, in clusters of the same sizes."""
    every, (gold, pred) = partitions(n), pairs(n)
    for first, row in enumerate(same_pairs(n)):
        assert [cells(every[first], other) for other in every] == [cells(gold[k], pred[k]) for k in row]


def cells(gold: Ints, pred: Ints) -> list[tuple[int, ...]]:
    sizes = np.bincount(gold), np.bincount(pred), np.bincount(gold * len(pred) + pred)
    return sorted((sizes[0][g], sizes[1][p], sizes[2][g * len(pred) + p]) for g, p in zip(gold, pred, strict=True))


def shape_of(gold: Clusters) -> tuple[int, ...]:
    return tuple(sorted(map(len, gold)))


@pytest.mark.parametrize("name", STEPS)
@pytest.mark.parametrize("n", range(2, 7))
def test_steps_are_those_of_the_definition(name: str, n: int) -> None:
    expected = sorted(map(key, STEPS[name](n)))
    steps = [
        ([*as_sets(case.gold)], [*as_sets(case.worse)], [*as_sets(case.better)])
        for case in every_case(name, n)
        if case.elements == n and "(" not in str(case)  # those of the growing family say what they are
    ]
    assert sorted(map(key, steps)) == expected


def key(step: Step) -> tuple[object, ...]:
    """What does not depend on which elements there are: the sizes of all overlaps."""
    gold, *predictions = step
    overlaps = [sorted(sorted((len(g), len(c & g)) for g in gold) for c in pred) for pred in predictions]
    return shape_of(gold), overlaps


@pytest.mark.parametrize("name", STEPS)
@pytest.mark.parametrize("metric", MEASURES)
def test_verdicts_are_those_of_exact_fractions(name: str, metric: str) -> None:
    steps = [step for n in range(2, 6) for step in STEPS[name](n)]
    value = MEASURES[metric]
    gain = [value(gold, better) - value(gold, worse) for gold, worse, better in steps]
    families = sum("(" in str(case) for case in every_case(name, 5))
    verdict = check(metric, name, largest=5)
    assert verdict.cases == len(steps) + families
    worst = min(gain)
    assert verdict.outcome == ("violated" if worst < 0 else "ties" if worst == 0 else "holds")
    failing = [step for step, by in zip(steps, gain, strict=True) if by == worst]
    if worst <= 0:
        assert verdict.counterexample is not None
        smallest = min((sum(map(len, gold)), sum(map(len, (gold, worse, better)))) for gold, worse, better in failing)
        case = verdict.counterexample
        assert case.better is not None
        assert (case.elements, sum(map(len, (case.gold, case.worse, case.better)))) == smallest


def sides(case: Counterexample) -> tuple[frozenset[frozenset[int]], ...]:
    sets = tuple(as_sets(side) for side in (case.gold, case.worse, case.better))
    assert len({frozenset().union(*side) for side in sets}) == 1
    return sets


def growing(name: str, largest: int = 4) -> list[Counterexample]:
    """The pair of the paper, and the cases of the growing family."""
    cases = [case for case in every_case(name, largest) if "(" in str(case)]
    assert sum("the pair of the paper" in str(case) for case in cases) == 1
    return cases


def test_homogeneity_splits_one_cluster_of_two_categories() -> None:
    for case in growing("homogeneity", 2):
        gold, worse, better = sides(case)
        (mixed,) = worse - better
        assert {mixed & category for category in gold if mixed & category} == better - worse
        assert len(better - worse) == 2


def test_completeness_joins_two_clusters_of_one_category() -> None:
    for case in growing("completeness", 2):
        gold, worse, better = sides(case)
        first, second = worse - better
        assert better - worse == {first | second}
        assert any(first | second <= category for category in gold)


def test_rag_bag_places_one_stranger() -> None:
    for case in growing("rag_bag"):
        gold, worse, better = sides(case)
        ((clean, bag),) = [(c, b) for c in better for b in better if c in gold and len(c) > 1 and b != c]
        (odd,) = (next(iter(worse_one - clean)) for worse_one in worse if worse_one > clean)
        assert {clean | {odd}, bag - {odd}} == worse
        assert {category for category in gold if category & bag} == {frozenset({e}) for e in bag}
        assert frozenset({odd}) in gold


def test_size_vs_quantity_breaks_as_many_pairs_on_both_sides() -> None:
    for case in growing("size_vs_quantity"):
        gold, worse, better = sides(case)
        big = max(gold, key=len)
        small = gold - {big}
        n = len(small)
        assert len(big) == n + 1
        assert {len(c) for c in small} == {2}
        assert worse == {big} | {frozenset({e}) for c in small for e in c}
        assert small < better
        assert sorted(map(len, better - small)) == [1, n]
        assert frozenset().union(*(better - small)) == big


def test_unbalanced_moves_one_element_there_or_back() -> None:
    for case in growing("unbalanced", 3):
        gold, worse, better = sides(case)
        ranked = sorted(gold, key=len)
        small, big = ranked[0], ranked[-1]
        assert len(small) < len(big)
        ((strayed,),) = [tuple(c - big) for c in worse if c > big]
        assert strayed in small
        assert worse == (gold - {small, big}) | {small - {strayed}, big | {strayed}}
        ((strayed,),) = [tuple(c - small) for c in better if c > small]
        assert strayed in big
        assert better == (gold - {small, big}) | {big - {strayed}, small | {strayed}}


def test_the_paper_pairs_are_those_of_the_golden_file() -> None:
    import json
    from pathlib import Path

    golden = json.loads((Path(__file__).parents[1] / "golden" / "moreno_table1.json").read_text(encoding="utf-8"))
    pairs = {constraint.name: constraint.pair for constraint in CONSTRAINTS if constraint.pair is not None}
    assert {example["name"] for example in golden["examples"]} == set(pairs)
    for example in golden["examples"]:
        for ours, theirs in zip(
            pairs[example["name"]][:3], (example["gold"], example["left"], example["right"]), strict=True
        ):
            assert blocks(ours) == blocks(theirs)


def blocks(labels: list[object]) -> set[frozenset[int]]:
    return {frozenset(k for k, other in enumerate(labels) if other == label) for label in labels}


def test_a_larger_scope_looks_at_more_and_finds_the_same() -> None:
    verdicts = [check("elm", "homogeneity", largest=n) for n in range(4, 9)]
    assert all(smaller.cases < larger.cases for smaller, larger in itertools.pairwise(verdicts))
    assert len({str(verdict.counterexample) for verdict in verdicts}) == 1
    beyond = check("elm", "homogeneity", largest=3).counterexample  # of the growing family
    assert beyond is not None
    assert beyond.elements == 4


ORDERS = ("homogeneity", "completeness", "rag_bag", "size_vs_quantity", "unbalanced", "singletons", "all_in_one")


@pytest.mark.parametrize(
    "kind",
    [kind for kind in cs.registered() if not (kind.ordered or kind.of_mentions or kind.of_turns)],
    ids=lambda kind: kind.name,
)
def test_counterexamples_are_true_through_the_front_door(kind: type[cs.Metric]) -> None:
    metric = kind()
    sign = -1 if metric.smaller_is_better else 1
    for name in ORDERS:
        verdict = check(metric, name, largest=4)
        case = verdict.counterexample
        assert (case is None) == (verdict.outcome == "holds"), name
        if case is None:
            continue
        assert case.better_score is not None
        scores = metric(case.gold, case.worse).value, metric(case.gold, case.better).value
        assert scores == pytest.approx((case.worse_score, case.better_score), abs=1e-12)
        gain = sign * (case.better_score - case.worse_score)
        assert gain < -1e-12 if verdict.outcome == "violated" else math.isclose(gain, 0, abs_tol=1e-12), name
        every = counterexamples(metric, name, ties=verdict.outcome == "ties", largest=4)
        assert len(every) == (verdict.violations or verdict.ties)
        assert every[0] == case
        assert [case.elements for case in every] == sorted(case.elements for case in every)
