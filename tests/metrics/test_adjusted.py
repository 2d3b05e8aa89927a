"""Chance in closed form: against all permutations, against random ones, and against what is known of it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations
from typing import Any

import brute_force as oracle
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import clusterscore as cs
from clusterscore.count.fetched import Fetched
from clusterscore.count.rows import Rows
from variants import EVERY

pytestmark = [  # such options and labels of two clusters are scored here
    pytest.mark.filterwarnings("ignore:gold and pred are nothing but 0 and 1"),
]

law = settings(max_examples=60, deadline=None, derandomize=True, database=None)
ADJUSTED = [metric for metric in EVERY if getattr(metric, "adjusted", False)]
Labels = tuple[int, ...]

label = st.integers(0, 4)
pairs = st.lists(st.tuples(label, label), min_size=1, max_size=14).map(
    lambda rows: tuple(map(list, zip(*rows, strict=True)))
)

CASES: list[tuple[Labels, Labels]] = [
    ((0,), (0,)),
    ((0, 0), (0, 1)),
    ((0, 1), (0, 0)),
    ((0, 0, 1), (0, 1, 1)),
    ((0, 0, 0, 1), (0, 0, 1, 1)),
    ((0, 0, 1, 1), (0, 1, 2, 3)),
    ((0, 0, 0, 1, 1), (0, 1, 1, 2, 2)),
    ((0, 0, 0, 1, 2), (0, 0, 1, 1, 1)),
    ((0, 0, 0, 1, 1, 2), (0, 0, 1, 1, 1, 1)),
    ((0, 0, 0, 0, 1, 2, 2), (0, 0, 0, 0, 1, 1, 2)),
]  # fmt: skip
OPTIONS: list[dict[str, Any]] = [
    {},
    {"beta": 2},
    {"beta": Fraction(1, 2), "weights": "class"},
    {"alpha": Fraction(0)},
    {"alpha": Fraction(1)},
    {"weights": "class"},
    {"weights": "effective"},
    {"weights": "own"},
    {"weights": "own", "beta": 2},
]


def orders(labels: Labels) -> Iterator[Labels]:
    """Every order that can be told from the others; each is as likely as any other."""
    return iter(set(permutations(labels)))


def own_weights(count: int) -> list[Fraction]:
    return [Fraction(weight, 2) for weight in (3, 0, 1, 8, 2, 5, 4)[:count]]


def floats(options: dict[str, Any]) -> dict[str, Any]:
    return {
        name: [float(number) for number in value] if isinstance(value, list) else
        float(value) if isinstance(value, Fraction) else value
        for name, value in options.items()
    }  # fmt: skip


def near(value: Fraction | float) -> Any:
    return pytest.approx(float(value), rel=1e-15, abs=1e-15)


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("name", ["elm", "bcubed"])
def test_expected_over_all_permutations(name: str, options: dict[str, Any]) -> None:
    for gold, pred in CASES:
        given = {**options, "weights": own_weights(len(gold))} if options.get("weights") == "own" else options
        every = [getattr(oracle, name)(gold, order, **given) for order in orders(pred)]
        chance = oracle.PRF(*(sum(column) / len(every) for column in zip(*every, strict=True)))
        plain = getattr(oracle, name)(gold, pred, **given)
        score = getattr(cs, name)(gold, pred, adjusted=True, **floats(given))
        expectations = (score.expected_precision, score.expected_recall, score.expected)
        assert expectations == tuple(map(near, chance)), (gold, pred)
        above = [(x - e) / (1 - e) if e != 1 else Fraction(1) for x, e in zip(plain, chance, strict=True)]
        assert (score.precision, score.recall, score.f) == tuple(
            pytest.approx(float(exact), rel=4e-15, abs=4e-15) for exact in above
        ), (gold, pred)
        means = getattr(cs, name)(gold, pred, f="of-means", adjusted=True, **floats(given))
        assert (means.precision, means.recall) == (score.precision, score.recall)
        assert (means.expected_precision, means.expected_recall) == (expectations[0], expectations[1])
        assert "expected" not in means.extras


@pytest.mark.parametrize("beta", [0, 1, 2])
def test_expected_pairs_over_all_permutations(beta: int) -> None:
    for gold, pred in CASES:
        every = [oracle.pairwise(gold, order, beta) for order in orders(pred)]
        chance = [sum(column) / len(every) for column in zip(*every, strict=True)]
        score = cs.pairwise(gold, pred, beta=beta, adjusted=True)
        if not (beta == 0 and oracle.links(pred).together == frozenset()):
            assert (score.expected_precision, score.expected_recall, score.expected) == tuple(map(near, chance))
        plain = oracle.pairwise(gold, pred, beta)
        if chance[2] != 1:
            assert score.value == near((plain.f - chance[2]) / (1 - chance[2])), (gold, pred)


@pytest.mark.parametrize("name", ["rand", "fowlkes_mallows"])
def test_expected_indices_over_all_permutations(name: str) -> None:
    for gold, pred in CASES:
        every = [getattr(oracle, name)(gold, order) for order in orders(pred)]
        chance = sum(every) / len(every)
        score = getattr(cs, name)(gold, pred, adjusted=True)
        assert score.expected == pytest.approx(float(chance), rel=2e-14)
        assert score.precision is None
        if chance != 1:
            plain = getattr(oracle, name)(gold, pred)
            assert score.value == pytest.approx(float((plain - chance) / (1 - chance)), abs=1e-12), (gold, pred)


@pytest.fixture(scope="module")
def larger() -> tuple[list[int], list[int]]:
    rng = np.random.default_rng(5)
    gold = (rng.zipf(1.5, 300) % 40).tolist()
    pred = (rng.zipf(1.7, 300) % 25).tolist()
    return gold, pred


@law
@given(pairs)
def test_pairs_adjusted_are_the_adjusted_rand_index(pair: tuple[list[int], list[int]]) -> None:
    expected = cs.adjusted_rand(*pair).value
    score = cs.pairwise(*pair, adjusted=True)
    assert score.f == expected
    assert cs.rand(*pair, adjusted=True).value == expected
    if score.precision * score.recall > 0:
        assert score.f == pytest.approx(2 * score.precision * score.recall / (score.precision + score.recall))


def test_pairs_adjusted_are_exact_where_counts_are_huge() -> None:
    table = cs.Table.from_cells([0, 0, 1, 1, 2], [0, 1, 1, 2, 2], [3 * 10**9, 7, 10**9 + 1, 5, 2 * 10**9])
    expected = cs.adjusted_rand(table).value
    assert cs.pairwise(table, adjusted=True).f == cs.rand(table, adjusted=True).value == expected
    same = cs.Table.from_cells([0, 1], [0, 1], [3 * 10**9, 10**9 + 1])
    for name in ("pairwise", "rand", "fowlkes_mallows"):
        assert cs.metric(f"{name}(adjusted=true)")(same).value == 1.0
    assert cs.fowlkes_mallows(table, adjusted=True).value == pytest.approx(expected, rel=1e-3)


def test_almost_nothing_wrong_keeps_its_digits() -> None:
    """A billion singletons on both sides, and two pairs: 1 - E is as small as 1e-9."""
    many = 10**9
    rows = [(1, 1, 1, many), (2, 2, 2, 1), (1, 2, 1, 2), (1, 1, 2, 2)]
    n, a, b, times = (np.array(column) for column in zip(*rows, strict=True))
    table = cs.Table(Fetched(Rows(None, n, a, b, times, None), {}))
    count = many + 6
    # two clusters of 2 on each side, all others alone
    pair, lone = Fraction(4, count), Fraction(count - 4, count)
    other = Fraction(count - 2, count - 1)  # two elements of different clusters, given one
    wrong = {"precision": Fraction(2), "recall": Fraction(2), "value": Fraction(4)}
    missed = pair * other * 4 + lone * 4  # of those in gold pairs
    chance = {
        "precision": (count - 4) * pair + 4 * pair * other,
        "recall": missed,
        "value": (count - 4) * pair + missed,
    }
    score = cs.elm(table, adjusted=True)
    for part, lost in wrong.items():
        assert getattr(score, part) == pytest.approx(float(1 - lost / chance[part]), rel=2e-15), part


@pytest.mark.parametrize("metric", ADJUSTED, ids=str)
def test_where_nothing_else_is_possible(metric: cs.Metric) -> None:
    for gold, pred in (([0], [5]), ([0, 1, 2], [2, 1, 0]), ([1] * 4, [0] * 4)):
        score = metric(gold, pred)
        assert score.value == 1.0
        assert {score.precision, score.recall} <= {1.0, None}
        assert set(score.extras.values()) == {1.0}


def test_where_the_sizes_decide() -> None:
    all_together, all_alone = [0] * 4, [0, 1, 2, 3]
    score = cs.elm(all_together, all_alone, adjusted=True)
    assert (score.precision, score.recall, score.f) == (1.0, 0.0, 0.0)
    assert (score.expected_precision, score.expected_recall, score.expected) == (1.0, 0.0, 0.0)
    assert cs.elm(all_alone, all_together, f="of-means", adjusted=True).f == 0.0
    score = cs.pairwise(all_together, all_alone, adjusted=True)
    assert (score.precision, score.recall, score.f) == (1.0, 0.0, 0.0)
    assert cs.fowlkes_mallows(all_together, all_alone, adjusted=True).value == 0.0


def test_f_of_means_keeps_the_sign() -> None:
    gold, pred = [0, 0, 1, 1], [0, 1, 0, 1]
    score = cs.bcubed(gold, pred, f="of-means", beta=2, adjusted=True)
    assert score.precision < 0
    assert score.recall < 0
    both = score.precision * score.recall
    assert score.f == pytest.approx(both / (0.2 * score.recall + 0.8 * score.precision))
    assert score.f < 0
    # above chance on one side and below it on the other
    rng = random.Random(3)
    weighed = [(rng.choices(range(3), k=7), rng.choices(range(3), k=7)) for _ in range(2000)]
    mixed = [
        score for gold, pred in weighed
        if (score := cs.elm(gold, pred, f="of-means", weights="class", adjusted=True)).precision * score.recall < 0
    ]  # fmt: skip
    assert mixed
    assert {score.f for score in mixed} == {0.0}


@pytest.mark.parametrize("metric", ADJUSTED, ids=str)
def test_identical_is_exactly_one(metric: cs.Metric) -> None:
    for size in range(2, 400, 7):
        gold = [k * k % 11 for k in range(size)]
        score = metric(gold, [str(11 - label) for label in gold])
        assert score.value == 1.0, size
        assert {score.precision, score.recall} <= {1.0, None}


def test_own_weights_of_documents(larger: tuple[list[int], list[int]]) -> None:
    gold, pred = (np.array(side) for side in larger)
    documents, weights = np.arange(300) % 7, np.random.default_rng(1).random(300)
    card = cs.score(gold, pred, metrics="elm(adjusted=true)", documents=documents, weights=weights, average="macro")
    alone = [cs.elm(gold[documents == k], pred[documents == k], weights=weights[documents == k], adjusted=True)
             for k in range(7)]  # fmt: skip
    assert card["elm"].value == pytest.approx(np.mean([score.value for score in alone]), rel=1e-14)
    assert card["elm"].expected == pytest.approx(np.mean([score.expected for score in alone]), rel=1e-14)


def test_it_is_said_only_where_it_is_on() -> None:
    plain = cs.elm([0, 0, 1], [0, 1, 1])
    assert plain.signature == f"elm|f:mean|beta:1|avg:micro|missing:error|v:{cs.__version__}"
    assert plain.extras == {}
    assert cs.elm([0, 0, 1], [0, 1, 1], adjusted=False) == plain
    signature = cs.metric("elm(weights=class, adjusted=true)").signature
    assert signature == f"elm|f:mean|beta:1|weights:class|adjusted:true|avg:micro|missing:error|v:{cs.__version__}"
    assert cs.metric("rand").signature == f"rand|avg:micro|missing:error|v:{cs.__version__}"


def test_what_it_promises() -> None:
    for metric in ADJUSTED:
        assert metric.lowest == float("-inf")
        assert metric.perfect == 1.0
        assert metric.additive == (metric.name not in {"elm", "bcubed"})
    assert cs.metric("elm").lowest == 0.0
    assert cs.metric("elm").additive


def test_what_cannot_be_adjusted() -> None:
    with pytest.raises(cs.MetricError, match=r"adjusts the score of all elements.*leave out adjusted"):
        cs.elements([0, 0], [0, 1], metric="elm(adjusted=true)")
    with pytest.raises(cs.MetricError, match="not a sum over documents"):
        cs.Accumulator(["bcubed(adjusted=true)"])
    with pytest.raises(cs.MetricError, match="must be true or false"):
        cs.elm([0, 0], [0, 1], adjusted="true")
    with pytest.raises(cs.MetricError, match=r"w_fp \+ w_fn = 1, not 4"):
        cs.bcubed([0, 0], [0, 1], adjusted=True, w_fp=1, w_fn=3)
    with pytest.raises(cs.InputError, match="same elements on both sides"):
        cs.elm({"a": 1}, {"a": 1, "b": 2}, adjusted=True, missing="keep")
