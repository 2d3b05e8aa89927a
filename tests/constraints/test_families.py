"""The cases are those that the constraints speak of: all of them, nothing else, and the smallest is the smallest."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import clusterscore as cs
from clusterscore.constraints import cases, check, counterexamples
from clusterscore.constraints.partitions import merges, partitions, position, shapes, splits
from clusterscore.constraints.verdict import clusters
from constraints.by_hand import MEASURES, Clusters, Step, clusterings, completeness_steps, golds, homogeneity_steps

BELL = [1, 1, 2, 5, 15, 52, 203, 877, 4140]
NUMBER_OF_SHAPES = [1, 1, 2, 3, 5, 7, 11, 15, 22]
STEPS = {"homogeneity": (homogeneity_steps, splits), "completeness": (completeness_steps, merges)}


def as_sets(labels: object) -> frozenset[frozenset[int]]:
    return frozenset(map(frozenset, clusters(list(labels))))  # type: ignore[call-overload]


@pytest.mark.parametrize("n", range(1, 9))
def test_all_clusterings_are_there_once(n: int) -> None:
    rows = partitions(n)
    assert len(rows) == len(np.unique(rows, axis=0)) == BELL[n]
    assert position(rows).tolist() == list(range(BELL[n]))
    assert len(shapes(n)) == NUMBER_OF_SHAPES[n]
    if n <= 6:
        assert set(map(as_sets, rows.tolist())) == {frozenset(c) for c in clusterings(list(range(1, n + 1)))}
        assert {tuple(sorted(np.bincount(row))) for row in shapes(n)} == {tuple(sorted(map(len, g))) for g in golds(n)}


@given(st.lists(st.integers(-5, 5), min_size=1, max_size=7))
def test_position_does_not_depend_on_names(labels: list[int]) -> None:
    found = partitions(len(labels))[position(np.array([labels]))[0]]
    assert as_sets(found.tolist()) == as_sets(labels)


def shape_of(gold: Clusters) -> tuple[int, ...]:
    return tuple(sorted(map(len, gold)))


@pytest.mark.parametrize("name", STEPS)
@pytest.mark.parametrize("n", range(2, 7))
def test_steps_are_those_of_the_definition(name: str, n: int) -> None:
    by_hand, ours = STEPS[name]
    steps = ours(n)
    gold, pred = shapes(n), partitions(n)
    expected = sorted(map(key, by_hand(n)))
    found = [([*as_sets(gold[g])], [*as_sets(pred[w])], [*as_sets(pred[b])]) for g, w, b in zip(*steps, strict=True)]
    assert sorted(map(key, found)) == expected


def key(step: Step) -> tuple[object, ...]:
    """What does not depend on which elements there are: the sizes of all overlaps."""
    gold, *predictions = step
    overlaps = [sorted(sorted((len(g), len(c & g)) for g in gold) for c in pred) for pred in predictions]
    return shape_of(gold), overlaps


@pytest.mark.parametrize("name", STEPS)
@pytest.mark.parametrize("metric", MEASURES)
def test_verdicts_are_those_of_exact_fractions(name: str, metric: str) -> None:
    steps = [step for n in range(2, 6) for step in STEPS[name][0](n)]
    value = MEASURES[metric]
    gain = [value(gold, better) - value(gold, worse) for gold, worse, better in steps]
    families = 1 + len(list(cases.mixed_clusters(15)))
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


def sides(case: cases.Case) -> tuple[frozenset[frozenset[int]], ...]:
    assert len(case.gold) == len(case.worse) == len(case.better)
    return tuple(as_sets(side) for side in (case.gold, case.worse, case.better))


REACH = 12


def with_paper(name: str, family: Iterator[cases.Case]) -> list[cases.Case]:
    return [cases.PAPER[name], *family]


@pytest.mark.parametrize("case", with_paper("homogeneity", cases.mixed_clusters(4)), ids=lambda c: c.told)
def test_homogeneity_splits_one_cluster_of_two_categories(case: cases.Case) -> None:
    gold, worse, better = sides(case)
    (mixed,) = worse - better
    assert {mixed & category for category in gold if mixed & category} == better - worse
    assert len(better - worse) == 2


@pytest.mark.parametrize("case", with_paper("completeness", cases.split_categories(4)), ids=lambda c: c.told)
def test_completeness_joins_two_clusters_of_one_category(case: cases.Case) -> None:
    gold, worse, better = sides(case)
    one, other = worse - better
    assert better - worse == {one | other}
    assert any(one | other <= category for category in gold)


@pytest.mark.parametrize("case", with_paper("rag_bag", cases.rag_bags(REACH)), ids=lambda c: c.told)
def test_rag_bag_places_one_stranger(case: cases.Case) -> None:
    gold, worse, better = sides(case)
    ((clean, bag),) = [(c, b) for c in better for b in better if c in gold and len(c) > 1 and b != c]
    (odd,) = (next(iter(worse_one - clean)) for worse_one in worse if worse_one > clean)
    assert {clean | {odd}, bag - {odd}} == worse
    assert {category for category in gold if category & bag} == {frozenset({e}) for e in bag}
    assert frozenset({odd}) in gold


@pytest.mark.parametrize(
    "case", with_paper("size_vs_quantity", cases.sizes_and_quantities(REACH)), ids=lambda c: c.told
)
def test_size_vs_quantity_breaks_as_many_pairs_on_both_sides(case: cases.Case) -> None:
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


@pytest.mark.parametrize("case", with_paper("unbalanced", cases.unbalanced(7)), ids=lambda c: c.told)
def test_unbalanced_moves_one_element_there_or_back(case: cases.Case) -> None:
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
    assert {example["name"] for example in golden["examples"]} == set(cases.PAPER)
    for example in golden["examples"]:
        case = cases.PAPER[example["name"]]
        for ours, theirs in zip(case[:3], (example["gold"], example["left"], example["right"]), strict=True):
            assert as_sets(ours) == as_sets(theirs)


def test_a_larger_scope_looks_at_more_and_finds_the_same() -> None:
    found = [check("elm", "homogeneity", largest=n) for n in range(4, 9)]
    assert all(one.cases < other.cases for one, other in itertools.pairwise(found))
    assert len({str(verdict.counterexample) for verdict in found}) == 1
    beyond = check("elm", "homogeneity", largest=3).counterexample  # of the growing family
    assert beyond is not None
    assert beyond.elements == 4


ORDERS = ("homogeneity", "completeness", "rag_bag", "size_vs_quantity", "unbalanced", "singletons", "all_in_one")


@pytest.mark.parametrize("kind", cs.registered(), ids=lambda kind: kind.name)
def test_counterexamples_are_true_through_the_front_door(kind: type[cs.Metric]) -> None:
    metric = kind()
    sign = -1 if metric.smaller_is_better else 1
    for name in ORDERS:
        verdict = check(metric, name, largest=5)
        case = verdict.counterexample
        assert (case is None) == (verdict.outcome == "holds"), name
        if case is None:
            continue
        assert case.better_score is not None
        scores = metric(case.gold, case.worse).value, metric(case.gold, case.better).value
        assert scores == pytest.approx((case.worse_score, case.better_score), abs=1e-12)
        gain = sign * (case.better_score - case.worse_score)
        assert gain < -1e-12 if verdict.outcome == "violated" else math.isclose(gain, 0, abs_tol=1e-12), name
        every = counterexamples(metric, name, ties=verdict.outcome == "ties", largest=5)
        assert len(every) == (verdict.violations or verdict.ties)
        assert every[0] == case
        assert [one.elements for one in every] == sorted(one.elements for one in every)
