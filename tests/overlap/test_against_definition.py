"""The package against the definitions: all small clusterings, random ones, several documents, and a realistic size."""

from __future__ import annotations

import math
import random
from collections import Counter, defaultdict
from fractions import Fraction
from itertools import chain, combinations, cycle, permutations, product
from typing import Any

import numpy as np
import pytest

import clusterscore as cs
from overlap import by_definition
from overlap.clusterings import CLUSTERS, by_document, near, pairs_of_covers, random_pair, small_pairs
from variants import numbers

MEAN_OVER_ELEMENTS = ["extended_bcubed", "matched_bcubed", "matched_elm"]
THIRD, HALF, ZERO, ONE = Fraction(1, 3), Fraction(1, 2), Fraction(0), Fraction(1)
F_OPTIONS: list[dict[str, Any]] = [
    {},
    {"f": "of-means"},
    *({"f": f, "beta": beta} for f, beta in product(("mean", "of-means"), (0, HALF, 2))),
    *({"f": f, "alpha": alpha} for f, alpha in product(("mean", "of-means"), (ZERO, THIRD, ONE))),
    *({"w_fp": w_fp, "w_fn": w_fn} for w_fp, w_fn in ((ONE, ONE), (ZERO, HALF), (HALF, ZERO), (Fraction(3), THIRD))),
    {"weights": "random"},
    {"f": "of-means", "weights": "random"},
    {"w_fp": THIRD, "w_fn": Fraction(2), "weights": "random"},
]
OPTIONS: dict[str, list[dict[str, Any]]] = {
    **dict.fromkeys(MEAN_OVER_ELEMENTS, F_OPTIONS),
    "omega": [{}],
    "overlapping_nmi": [{}, {"normalization": "max"}, {"normalization": "lancichinetti"}],
    "community_f1": [{}],
    "element_centric": [{}, {"alpha": 0.9}, {"alpha": 0.5}, {"alpha": 0.05}],
    "fuzzy_rand": [{}, {"bond": "l1"}],
    "graded_bcubed": [{}, {"dialect": "semeval2013"}],
}
NAMES = [*OPTIONS, "overlapping_nmi(normalization=lancichinetti)"]


def expected_numbers(measure: str, gold: Any, pred: Any, **options: Any) -> dict[str, float]:
    """All that a score says, from the definition."""
    score = getattr(by_definition, measure)(gold, pred, **options)
    if measure in (*MEAN_OVER_ELEMENTS, "graded_bcubed"):
        return {"value": float(score.f), "precision": float(score.precision), "recall": float(score.recall)}
    if measure == "community_f1":
        parts = {"gold_f1": by_definition.best_f1(gold, pred), "pred_f1": by_definition.best_f1(pred, gold)}
        return {"value": float(score)} | {name: float(part) for name, part in parts.items()}
    if measure == "fuzzy_rand":
        return {name: float(number) for name, number in score._asdict().items()}
    return {"value": float(score)}


# Small ---------------------------------------------------------------------------------------------------


@CLUSTERS
@pytest.mark.parametrize("measure", NAMES)
def test_all_pairs(measure: str, most: int) -> None:
    """Every clustering against every other, each pair as a document of one big count."""
    metric, pairs = cs.metric(measure), small_pairs(most)
    values = cs.score(*by_document(pairs), metrics=[metric]).documents[str(metric)]
    expected = [expected_numbers(metric.name, *pair, **chosen(metric))["value"] for pair in pairs]
    np.testing.assert_allclose(values, expected, rtol=0, atol=1e-12)


def chosen(metric: cs.Metric) -> dict[str, Any]:
    """What is not the default."""
    return {"normalization": "lancichinetti"} if "lancichinetti" in str(metric) else {}


@pytest.mark.parametrize("measure", OPTIONS)
@pytest.mark.parametrize("n", [1, 2])
def test_all_pairs_one_by_one(measure: str, n: int) -> None:
    for (gold, pred), options in zip(pairs_of_covers(n, 3), cycle(OPTIONS[measure])):
        agrees(measure, gold, pred, options, random.Random(0))


def agrees(measure: str, gold: Any, pred: Any, options: dict[str, Any], rng: random.Random) -> None:
    """One call of the library is what the definition says, with the same options."""
    given = {name: plain(value) for name, value in options.items()}
    sides = [[list(cluster) for cluster in cover] for cover in (gold, pred)]
    if options.get("weights") == "random":
        n = len(by_definition.elements_of(gold))
        options = options | {"weights": [Fraction(rng.randint(0, 5), 2) for _ in range(n - 1)] + [ONE]}
        given["weights"] = [float(weight) for weight in options["weights"]]
        sides = [cs.Clustering.from_memberships(label_sets(cover, n)) for cover in sides]
    score = getattr(cs, measure)(*sides, **given)
    assert numbers(score) == near(expected_numbers(measure, gold, pred, **options)), (gold, pred, options)


def label_sets(cover: Any, n: int) -> list[set[int]]:
    """The numbers of the clusters that hold each element, by position."""
    return [{k for k, cluster in enumerate(cover) if e in cluster} for e in range(n)]


def plain(value: Any) -> Any:
    return float(value) if isinstance(value, Fraction) else value


# Random --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("measure", OPTIONS)
def test_random_clusterings(measure: str) -> None:
    rng = random.Random(f"{measure} 20261115")
    for _, options in zip(range(250), cycle(OPTIONS[measure])):
        agrees(measure, *random_pair(rng), options, rng)


@pytest.mark.parametrize("measure", NAMES)
def test_several_documents(measure: str) -> None:
    """Micro is one count of all documents, in which no cluster is shared; macro the mean of the documents' scores."""
    rng = random.Random(f"documents {measure}")
    metric = cs.metric(measure)
    for _ in range(25):
        documents = [random_pair(rng, 6) for _ in range(rng.randint(1, 4))]
        sides = by_document(documents)
        expected = expected_numbers(metric.name, *by_definition.pooled(documents), **chosen(metric))
        assert numbers(metric(*sides)) == near(expected), documents
        scores = [expected_numbers(metric.name, *pair, **chosen(metric)) for pair in documents]
        macro = cs.score(*sides, metrics=[metric], average="macro")[str(metric)]
        assert macro.value == near(math.fsum(score["value"] for score in scores) / len(scores)), documents


def test_ties_of_overlapping_nmi() -> None:
    """h(a) + h(d) = h(b) + h(c) though the clusters are not independent: shares of 1/4 and 1/2, of 8/27 and 4/9."""
    for k, (same, less, more) in product((1, 2, 3, 5, 7), ((1, 2, 4), (7, 16, 24))):
        for a, b, c, d in {(k * a, k * b, k * c, k * d) for a, b, c, d in permutations((same, same, less, more))}:
            n = a + b + c + d
            inside, outside = range(c, c + d + b), [*range(c), *range(c + d + b, n)]
            gold = [list(range(c + d)), list(range(c + d, n))]
            pred = [list(inside), outside[::2], outside[1::2]]
            for options in OPTIONS["overlapping_nmi"]:
                agrees("overlapping_nmi", gold, [cluster for cluster in pred if cluster], options, random.Random(0))


def test_large_clusters_that_share_nothing() -> None:
    """A cluster of more than half of all elements tells something of one that lies outside."""
    rng = random.Random(3)
    for _ in range(100):
        n = rng.randint(10, 80)
        large = rng.randint(n // 2, n - 2)
        order = rng.sample(range(n), n)
        small = rng.randint(1, n - large)
        gold = [order[:large], *([e] for e in order[large:])]
        pred = [order[n - small :], order[: n - small : 2], order[1 : n - small : 2]]
        for options in OPTIONS["overlapping_nmi"]:
            agrees("overlapping_nmi", gold, pred, options, rng)


@pytest.mark.parametrize("measure", ["omega", "overlapping_nmi", "community_f1"])
def test_elements_in_no_cluster_are_kept(measure: str) -> None:
    rng = random.Random(f"keep {measure}")
    for _ in range(150):
        n, count = rng.randint(2, 14), rng.randint(1, 5)
        sides = [{e: {k for k in range(count) if rng.random() < 0.4} for e in range(n)} for _ in "gp"]
        covers = [[{e for e in side if k in side[e]} for k in range(count)] for side in sides]
        if any(not any(cover) for cover in covers):
            continue
        options = {} if measure == "community_f1" else {"elements": range(n)}
        score = getattr(cs, measure)(*map(cs.Clustering.from_memberships, sides), missing="keep")
        assert numbers(score) == near(expected_numbers(measure, *covers, **options)), sides


# What the sides may look like ----------------------------------------------------------------------------


# A realistic size ----------------------------------------------------------------------------------------

LARGE = 33_000  # above 32,768, where 16-bit numbers end and where pyarrow's joins begin to shuffle rows


@pytest.fixture(scope="module")
def large() -> tuple[list[list[set[int]]], list[list[set[int]]], list[cs.Clustering]]:
    """Clusters of both sides, and for each element the clusters that hold it; each in three, a few in one or two."""
    rng = np.random.default_rng(15)
    labels = rng.integers(0, 20_000, (LARGE, 3))
    other = np.where(rng.random((LARGE, 3)) < 0.3, rng.integers(0, 20_000, (LARGE, 3)), labels)
    sides = [[set(row) for row in side.tolist()] for side in (labels, other)]
    clusters = []
    for side in sides:
        members: dict[int, set[int]] = defaultdict(set)
        for e, row in enumerate(side):
            for label in row:
                members[label].add(e)
        clusters.append([members.get(label, set()) for label in range(20_000)])
    return clusters, sides, [cs.Clustering.from_memberships(dict(enumerate(side))) for side in sides]


def test_large_elements(large: Any) -> None:
    """Every 50th element by the definition, from the few clusters that hold it."""
    (true, predicted), (gold, pred), sides = large
    rows = {measure: cs.elements(*sides, metric=measure) for measure in MEAN_OVER_ELEMENTS}
    for e in range(0, LARGE, 50):
        own = [[clusters[k] for k in side[e]] for clusters, side in ((true, gold), (predicted, pred))]
        matched = by_definition.heaviest(*own)
        sizes = [sum(map(len, side)) for side in reversed(own)]
        together = [Counter(chain(*side)) for side in reversed(own)]
        extended = [
            float(np.mean([min(times, against[other]) / times for other, times in of.items()]))
            for of, against in (together, together[::-1])
        ]
        expected = {
            "matched_bcubed": [matched / size for size in sizes],
            "matched_elm": [(matched - 1) / (size - 1) if size > 1 else 1.0 for size in sizes],
            "extended_bcubed": extended,
        }
        for measure, scores in expected.items():
            assert [rows[measure][side][e] for side in ("precision", "recall")] == near(scores), (measure, e)


def test_large_scores(large: Any) -> None:
    (true, predicted), (gold, pred), sides = large
    matched = [
        by_definition.heaviest([true[k] for k in g], [predicted[k] for k in p]) for g, p in zip(gold, pred, strict=True)
    ]
    in_gold, in_pred = (
        np.array([sum(len(of[k]) for k in row) for row in side]) for of, side in ((true, gold), (predicted, pred))
    )
    right = np.array(matched)
    assert cs.matched_bcubed(*sides).value == near(np.mean(2 * right / (in_gold + in_pred)))
    assert cs.matched_elm(*sides).value == near(np.mean(2 * (right - 1) / (in_gold + in_pred - 2)))
    assert cs.omega(*sides).value == near(omega_of_few_pairs(true, predicted))
    best = [
        np.mean([max(f1s) for f1s in of]) for of in (best_f1s(true, predicted, pred), best_f1s(predicted, true, gold))
    ]
    score = cs.community_f1(*sides)
    assert [score.gold_f1, score.pred_f1, score.value] == near([*best, np.mean(best)])


def omega_of_few_pairs(true: list[set[int]], predicted: list[set[int]]) -> float:
    """From the pairs that are together anywhere; all others are in no cluster on either side."""
    shared = [Counter(chain(*(combinations(sorted(cluster), 2) for cluster in side))) for side in (true, predicted)]
    pairs = math.comb(LARGE, 2)
    anywhere = set(shared[0]) | set(shared[1])
    agree = sum(shared[0][pair] == shared[1][pair] for pair in anywhere) + pairs - len(anywhere)
    times = [Counter(side.values()) for side in shared]
    for side, count in zip(shared, times, strict=True):
        count[0] += pairs - sum(times > 0 for times in side.values())
    expected = Fraction(sum(times[0][k] * times[1][k] for k in times[0]), pairs**2)
    return float((Fraction(agree, pairs) - expected) / (1 - expected))


def best_f1s(of: list[set[int]], against: list[set[int]], holding: list[set[int]]) -> list[list[float]]:
    """For each cluster its F1 with every cluster of the other side that shares an element with it."""
    return [
        [2 * len(x & against[k]) / (len(x) + len(against[k])) for k in {k for e in x for k in holding[e]}]
        for x in of
        if x
    ]
