"""The package against the brute-force oracle: all pairs of small partitions, thousands of random ones."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from itertools import cycle, islice, product
from typing import Any

import brute_force as oracle
import pytest

import clusterscore as cs

pytestmark = [  # such options and all small partitions are scored here
    pytest.mark.filterwarnings("ignore:gold and pred are nothing but 0 and 1"),
]

TOLERANCE = 1e-12
Pair = tuple[oracle.Labels, oracle.Labels]


def partitions(n: int) -> Iterator[tuple[int, ...]]:
    """All partitions of n elements, as labels that grow from left to right."""
    if n == 1:
        yield (0,)
        return
    for head in partitions(n - 1):
        for label in range(max(head) + 2):
            yield (*head, label)


def random_pair(rng: random.Random) -> Pair:
    n = rng.randint(1, 10)

    def labels() -> oracle.Labels:
        shape = rng.random()
        if shape < 0.08:
            return tuple(range(n))
        if shape < 0.16:
            return (0,) * n
        k = rng.randint(1, n)
        return tuple(rng.randrange(k) for _ in range(n))

    gold = labels()
    if rng.random() < 0.5:
        return gold, labels()
    # A prediction close to gold: most elements right, so that cells are large and ties are many.
    return gold, tuple(rng.randrange(n) if rng.random() < 0.25 else label for label in gold)


TINY = [pair for n in (1, 2, 3) for pair in product(partitions(n), repeat=2)]
FOUR = list(product(partitions(4), repeat=2))
_rng = random.Random(20261115)
RANDOM = [random_pair(_rng) for _ in range(500)]


def grid(**options: list[Any]) -> list[dict[str, Any]]:
    return [dict(zip(options, values, strict=True)) for values in product(*options.values())]


third, half, nine_tenths = Fraction(1, 3), Fraction(1, 2), Fraction(9, 10)
ELEMENT_OPTIONS = [
    *grid(f=["mean", "of-means"], beta=[0, half, 1, 2], weights=[None, "class", "effective", "random"]),
    *grid(f=["mean", "of-means"], alpha=[Fraction(0), third, nine_tenths, Fraction(1)], weights=[None, "random"]),
    *grid(w_fp=[Fraction(0), half, Fraction(1), Fraction(3)], w_fn=[third, Fraction(1)], weights=[None, "class"]),
    {"w_fp": Fraction(1), "w_fn": Fraction(0)},
    *grid(
        f=["mean", "of-means"], beta=[0, half, 1, 2], weights=[None, "class", "effective", "random"], adjusted=[True]
    ),
    *grid(f=["mean", "of-means"], alpha=[Fraction(0), Fraction(1)], adjusted=[True]),
    {"w_fp": Fraction(1, 4), "w_fn": Fraction(3, 4), "adjusted": True},
]
ALPHAMAX_OPTIONS = [
    *grid(
        reading=["marginal", "own", "majority"],
        alpha=["auto", Fraction(0), third, Fraction(1)],
        delta=[Fraction(0), half, "auto"],
        delta_norm=["class", "element"],
    ),
    *grid(
        reading=["marginal", "own", "majority"],
        alpha=["auto", Fraction(0), half, Fraction(1)],
        beta=[half, 1, 2],
    ),
]
# Measures with a precision and a recall, then those that are one number.
TRIPLES: dict[str, list[dict[str, Any]]] = {
    "bcubed": ELEMENT_OPTIONS,
    "elm": ELEMENT_OPTIONS,
    "adapted_bcubed": [
        {},
        *grid(
            order=[2, 3, 4],
            alpha=[Fraction(1, 10), half, nine_tenths, Fraction(1)],
            recall=["power", "tuples"],
        ),
    ],
    "alphamax_bcubed": ALPHAMAX_OPTIONS,
    "blanc": [{}, *grid(dialect=["reference", "luo2014"], weight=[Fraction(0), third, half, Fraction(1)])],
    "pairwise": [
        {},
        *grid(beta=[half, 2]),
        *grid(beta=[0, half, 1, 2], adjusted=[True]),
        *grid(beta=[half, 1], pairs=["self"]),
    ],
    "muc": [{}],
    "b3": [{}],
    "ceafm": [{}],
    "ceafe": [{}],
    "lea": [{}],
    "mentions": [{}],
    "goodman_kruskal_tau": [{}],
    "purity_f": [{}, *grid(beta=[half, 2])],
    "cluster_match": [
        *grid(rule=["exact", "iou", "majority", "share"]),
        *grid(rule=["iou", "share"], threshold=[Fraction(3, 5), Fraction(2, 3), nine_tenths]),
        {"rule": "share", "threshold": Fraction(1)},
    ],
    "panoptic": [{}],
    "closest_cluster": [{}],
    "k_measure": [{}],
    "boundaries": grid(beta=[0, half, 1, 2], runs=[True], first=["out", "counted"]),
}
VALUES: dict[str, list[dict[str, Any]]] = {
    "rand": [{}, {"adjusted": True}],
    "adjusted_rand": [{}, {"weights": "class"}, {"model": "num"}, {"model": "all"}],
    "correlation": [{}],
    "sokal_sneath": [{}],
    "standardized_rand": [{}],
    "jaccard": [{}],
    "fowlkes_mallows": [{}, {"adjusted": True}],
    "specificity": [{}],
    "npv": [{}],
    "p4": [{}],
    "phi": [{}],
    "perfect_documents": [{}],
    "purity": [{}],
    "inverse_purity": [{}],
    "f_measure": [{}],
    "set_matching": [{}, {"mean": "classes"}],
    "conll": [{}],
    "homogeneity": [{}, {"weights": "class"}],
    "completeness": [{}, {"weights": "class"}],
    "v_measure": grid(beta=[0.0, 0.5, 1.0, 3.0], weights=[None, "class"]),
    "reduced_mi": grid(normalization=["gold", "mean", None]),
    "mutual_information": [{}, {"base": 2}],
    "nmi": [{}, *grid(mean=list(oracle.AVERAGES))],
    "ami": [{}, *grid(mean=list(oracle.AVERAGES))],
    "variation_of_information": [*grid(normalized=[None, "log", "joint"]), {"base": 2}],
    "matching_ratio": [{}],
    "jaccard_error_rate": [{}],
    "centroid_index": [{}],
    "talburt_wang": [{}],
    "normalized_clustering_accuracy": [{}],
    "normalized_pivoted_accuracy": [{}],
    "pair_sets_index": grid(simplified=[False, True]),
    "split_join": grid(normalized=[False, True]),
    "merge_distance": [{}],
    "transfer_distance": grid(normalized=[False, True]),
    "mirkin": grid(normalized=[False, True]),
    "pk": grid(dialect=["segeval", "nltk-gaps", "nltk-starts"], runs=[True]),
    "window_diff": [
        *grid(dialect=["segeval", "nltk-gaps", "nltk-starts"], weighted=[False, True], runs=[True]),
        *grid(padded=[True], weighted=[False, True], runs=[True]),
    ],
}


def number(value: Any) -> Any:
    if isinstance(value, list):
        return [number(x) for x in value]
    return float(value) if isinstance(value, Fraction) else value


def cases(options: list[dict[str, Any]], per_pair: int) -> Iterator[tuple[oracle.Labels, oracle.Labels, dict]]:
    """All options on the tiniest pairs; on the rest a few each, taking turns, so that all are used alike."""
    rng = random.Random(7)
    turns = cycle(options)
    for i, (gold, pred) in enumerate(TINY + FOUR + RANDOM):
        for chosen in islice(turns, len(options) if i < len(TINY) else min(per_pair, len(options))):
            weights = chosen.get("weights")
            if weights == "random":
                weights = [Fraction(rng.randint(0, 4), 2) for _ in gold]
                weights[rng.randrange(len(gold))] += 1
            yield gold, pred, {**chosen, "weights": weights} if weights else dict(chosen)


def call(metric: str, gold: oracle.Labels, pred: oracle.Labels, chosen: dict[str, Any]) -> Any:
    return getattr(cs, metric)(list(gold), list(pred), **{name: number(v) for name, v in chosen.items()})


def far(value: float, expected: Any) -> bool:
    # Not "abs(..) > tolerance", which a NaN would pass.
    return not abs(value - float(expected)) <= TOLERANCE


@pytest.mark.parametrize("metric", TRIPLES)
def test_precision_recall_and_f(metric: str) -> None:
    for gold, pred, chosen in cases(TRIPLES[metric], per_pair=2):
        expected = getattr(oracle, metric)(gold, pred, **chosen)
        score = call(metric, gold, pred, chosen)
        scores = (score.precision, score.recall, score.f)
        wrong = [name for name, x, y in zip(("P", "R", "F"), scores, expected[:3], strict=True) if far(x, y)]
        assert not wrong, f"{metric} {gold} {pred} {chosen}: {wrong}, {scores} for {expected[:3]}"
        assert score.value == score.f
        if metric == "alphamax_bcubed":
            assert not far(score.alpha_hat, expected.alpha_hat), f"{gold} {pred} {chosen}: {score.alpha_hat}"


@pytest.mark.parametrize("metric", VALUES)
def test_value(metric: str) -> None:
    for gold, pred, chosen in cases(VALUES[metric], per_pair=1):
        expected = getattr(oracle, metric)(gold, pred, **chosen)
        value = call(metric, gold, pred, chosen).value
        assert not far(value, expected), f"{metric} {gold} {pred} {chosen}: {value} for {expected}"


def test_correlation_distance() -> None:
    """To the digits that an arc cosine has: nearly parallel, it loses half of them."""
    for gold, pred in TINY + FOUR + RANDOM:
        expected = oracle.correlation_distance(gold, pred)
        tolerance = TOLERANCE if 0.01 < expected < 0.99 or expected in (0, 1) else 1e-7
        assert abs(cs.correlation_distance(gold, pred).value - expected) <= tolerance, f"{gold} {pred}"


@pytest.mark.parametrize("metric", ["bcubed", "elm"])
def test_elements(metric: str) -> None:
    for gold, pred in TINY + FOUR + RANDOM[:500]:
        rows = cs.elements(list(gold), list(pred), metric=metric)
        for e, expected in enumerate(oracle.elements(gold, pred, metric == "elm")):
            counts = (rows["tp"][e], rows["fp"][e], rows["fn"][e])
            assert counts == (expected.tp, expected.fp, expected.fn), f"{gold} {pred} element {e}"
            scores = (rows["precision"][e], rows["recall"][e], rows["f"][e])
            exact = (expected.precision, expected.recall, expected.f(half, half))
            assert not any(map(far, scores, exact)), f"{gold} {pred} element {e}: {scores} for {exact}"


@pytest.mark.parametrize("dialect", ["reference", "luo2014"])
def test_blanc_where_each_side_has_mentions_of_its_own(dialect: str) -> None:
    rng = random.Random(11)

    def some_clusters() -> list[list[str]]:
        mentions = rng.sample("abcdefg", rng.randint(1, 6))
        labels = [rng.randint(1, 4) for _ in mentions]
        return [[m for m, label in zip(mentions, labels, strict=True) if label == k] for k in sorted(set(labels))]

    for _ in range(300):
        gold, pred = some_clusters(), some_clusters()
        weight = rng.choice([Fraction(0), third, half, Fraction(1)])
        expected = oracle.blanc_of_clusters(gold, pred, weight, dialect)
        score = cs.blanc(gold, pred, missing="keep", dialect=dialect, weight=float(weight))
        scores = (score.precision, score.recall, score.f)
        assert not any(map(far, scores, expected)), f"{gold} {pred} {weight}: {scores} for {expected}"
