"""What elements, clusters, cells and kinds of errors cost: exactly, and together 1 minus the score."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from itertools import permutations, product
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import clusterscore as cs
from analyses.diagnose import by_definition as plain
from clusterscore.analyses.diagnose.losses import KINDS

ROUNDING = 1e-15  # of a number up to 1
pytestmark = [  # metrics that weigh one side only are among them, and clusters 0 and 1
    pytest.mark.filterwarnings("ignore:gold and pred are nothing but 0 and 1"),
]
BALANCES = ("", "beta=2", "beta=0", "alpha=0.9", "alpha=1", "w_fp=0.3, w_fn=0.2", "w_fp=0, w_fn=0.5", "w_fp=2, w_fn=0",
            "w_fp=1, w_fn=3")  # fmt: skip
METRICS = [
    cs.metric(f"{name}({', '.join(filter(None, (f'f={f}', balance)))})")
    for name, f, balance in product(("elm", "bcubed"), ("mean", "of-means"), BALANCES)
]


def measure(metric: Any) -> plain.Measure:
    return plain.Measure(metric.name == "elm", metric.f, *map(Fraction, metric.balance))


def partitions(count: int) -> list[tuple[int, ...]]:
    """All ways to put elements into clusters."""
    ways: list[tuple[int, ...]] = [()]
    for _ in range(count):
        ways = [(*way, label) for way in ways for label in range(max(way, default=-1) + 2)]
    return ways


def exact(
    gold: Sequence[Any], pred: Sequence[Any], metric: Any, documents: Any = None, weights: Any = None
) -> tuple[list[plain.Row], list[plain.Cluster], list[plain.Cluster]]:
    where = documents or [None] * len(gold)
    true, predicted = plain.clusters("gold", gold, where), plain.clusters("pred", pred, where)
    return plain.rows(true, predicted, plain.weights_of(weights, true, len(gold)), measure(metric)), true, predicted


def check(gold: Sequence[Any], pred: Sequence[Any], metric: Any, documents: Any = None, weights: Any = None) -> None:
    """Everything that costs something, against its definition."""
    options = {"documents": documents, "weights": weights}
    expected, true, predicted = exact(gold, pred, metric, documents, weights)
    total = sum(row.loss for row in expected)
    missing = 1 - metric(gold, pred, **options).f
    assert abs(total - Fraction(missing)) <= ROUNDING

    rows = cs.elements(gold, pred, metric=metric, **options)
    for name in ("tp", "fp", "fn"):
        assert rows[name].tolist() == [getattr(row, name) for row in expected]
    for name in ("precision", "recall", "f", "loss"):
        assert rows[name].tolist() == pytest.approx([float(getattr(row, name)) for row in expected], rel=4e-15, abs=0)
    assert abs(math.fsum(rows["loss"]) - missing) <= ROUNDING
    assert (rows["loss"] >= 0).all()

    by_cluster = cs.clusters(gold, pred, metric=metric, **options)
    for side, clusters in (("gold", true), ("pred", predicted)):
        here = by_cluster["side"] == side
        losses = {name: float(sum(expected[e].loss for e in members)) for _, _, name, members in clusters}
        if documents is None:
            assert dict(
                zip(by_cluster["cluster"][here].tolist(), by_cluster["loss"][here].tolist(), strict=True)
            ) == pytest.approx(losses, rel=4e-15, abs=0)
        assert abs(math.fsum(by_cluster["loss"][here]) - missing) <= ROUNDING
        assert math.fsum(by_cluster["loss"][here]) == pytest.approx(math.fsum(by_cluster["loss"][~here]), abs=ROUNDING)

    kinds = cs.errors(gold, pred, metric=metric, **options)
    assert kinds["kind"].tolist() == list(KINDS)
    for name, least in (("loss", 0), ("merged", 1e-16), ("split", 1e-16)):
        by_kind: dict[str, Fraction] = defaultdict(Fraction)
        for e, row in enumerate(expected):
            by_kind[plain.kind(plain.holding(true, e), plain.holding(predicted, e))] += getattr(row, name)
        assert kinds[name].tolist() == pytest.approx([float(by_kind[kind]) for kind in KINDS], rel=4e-15, abs=least)
    assert abs(math.fsum(kinds["loss"]) - missing) <= ROUNDING
    cells = cs.error_cells(gold, pred, metric=metric, **options)
    assert abs(math.fsum(cells["loss"]) - missing) <= ROUNDING


@pytest.mark.parametrize("metric", METRICS, ids=str)
def test_by_definition_losses_add_up_exactly(metric: Any) -> None:
    """No rounding anywhere: the shares are shares of 1 - F."""
    for gold, pred in [*product(partitions(3), repeat=2), ((0, 0, 1, 1), (0, 1, 0, 1)), ((0, 0, 1, 1), (0, 1, 0, 2))]:
        for weights in (None, [0.5, 2.0, 0.0, 1.0][-len(gold) :]):
            rows, true, _ = exact(gold, pred, metric, weights=weights)
            shares = plain.weights_of(weights, true, len(gold))
            weighed = [sum(share * getattr(row, name) for share, row in zip(shares, rows, strict=True)) / sum(shares)
                       for name in ("precision", "recall", "f")]  # fmt: skip
            f = weighed[2] if metric.f == "mean" else plain.f_of_means(weighed[0], weighed[1], measure(metric))
            assert sum(row.loss for row in rows) == 1 - f


@pytest.mark.parametrize("metric", METRICS, ids=str)
def test_all_small_clusterings(metric: Any) -> None:
    for gold, pred in product(partitions(3), partitions(3)):
        check(gold, pred, metric)


def test_every_false_neighbour_costs_the_same() -> None:
    """The Shapley value: what each adds to the loss, in the mean over all orders in which they could come."""
    for tp, fp, fn in product(range(3), range(4), range(3)):
        if not fp + fn:
            continue
        orders = list(permutations([False] * fp + [True] * fn))
        share = Fraction()  # of those that are elsewhere
        for order in orders:
            for k, absent in enumerate(order):
                lost = [1 - (Fraction(tp) / (tp + Fraction(count, 2)) if tp + count else 1) for count in (k, k + 1)]
                share += absent * (lost[1] - lost[0]) / len(orders)
        gold = ["g"] * (tp + 1 + fn) + [f"s{k}" for k in range(fp)]
        pred = ["p"] * (tp + 1) + [f"e{k}" for k in range(fn)] + ["p"] * fp
        cells = cs.error_cells(gold, pred)
        row = next(row for row in cells.records() if (row["gold"], row["pred"]) == ("g", "p"))
        assert row["split"] == pytest.approx(float((tp + 1) * share / len(gold)))
        assert row["merged"] + row["split"] == pytest.approx(row["loss"])


LABELS = st.lists(
    st.tuples(st.integers(0, 5), st.integers(0, 5), st.sampled_from("xyz"), st.sampled_from([0.0, 0.1, 1.0, 3.5])),
    min_size=1,
    max_size=24,
)


@settings(max_examples=300)
@given(st.sampled_from(METRICS), LABELS, st.booleans(), st.sampled_from([None, "class", "effective", "given"]))
@example(cs.metric("elm(f=of-means)"), [(0, 0, "x", 1.0), (0, 1, "x", 1.0)], False, None)  # P = 1, R = 0
@example(cs.metric("elm(f=of-means)"), [(0, 0, "x", 1.0), (1, 0, "x", 1.0)], False, None)  # P = 0, R = 1
@example(cs.metric("elm(f=of-means)"), [(k // 2, k % 2, "x", 1.0) for k in range(4)], False, None)  # P = R = 0
@example(cs.metric("elm(f=of-means)"), [(0, 0, "x", 1.0)], True, "effective")  # one element
@example(cs.metric("elm(beta=2, f=of-means)"), [(0, 0, "x", 1.0), (0, 1, "x", 0.0), (1, 0, "x", 0.0)], False, "given")
def test_losses_add_up(metric: Any, labels: list[tuple[Any, ...]], by_document: bool, weights: str | None) -> None:
    gold, pred, documents, numbers = (list(column) for column in zip(*labels, strict=True))
    if weights == "given" and not any(numbers):
        numbers[0] = 1.0
    check(gold, pred, metric, documents if by_document else None, numbers if weights == "given" else weights)


def test_where_nothing_is_right_every_element_costs_its_weight() -> None:
    gold, pred = [0, 0, 1, 1], [0, 1, 0, 1]
    assert cs.elm(gold, pred, f="of-means", beta=2).f == 0
    assert cs.elements(gold, pred, metric="elm(f=of-means, beta=2)")["loss"].tolist() == pytest.approx([0.25] * 4)
    # where recall alone is 0, precision has no part in it
    rows = cs.elements([0, 0, 1, 1], [0, 1, 0, 2], metric="elm(f=of-means)")
    assert rows["precision"].tolist() == [0.0, 1.0, 0.0, 1.0]
    assert rows["loss"].tolist() == [0.25] * 4


def test_a_right_element_costs_nothing_at_all() -> None:
    gold, pred = [0, 0, 0, 1, 2, 2, 3, 3], [0, 0, 0, 1, 2, 2, 3, 4]
    for metric in METRICS:
        assert cs.elements(gold, pred, metric=metric)["loss"][:6].tolist() == [0.0] * 6
        assert cs.errors(gold, pred, metric=metric)["loss"][0] == 0.0


@pytest.mark.parametrize(
    "metric", ["elm", "bcubed", "elm(f=of-means)", "bcubed(weights=class)", "elm(f=of-means, weights=effective)"]
)
@pytest.mark.parametrize("clusters", [3, 50, 20_000])
def test_many_elements(metric: str, clusters: int) -> None:
    """Half a digit of a million losses is no digit of their sum."""
    rng = np.random.default_rng(clusters)
    gold = rng.integers(0, clusters, 100_000)
    pred = np.where(rng.random(len(gold)) < 0.6, gold, rng.integers(0, clusters, len(gold)))
    missing = 1 - cs.metric(metric)(gold, pred).f
    rows = cs.clusters(gold, pred, metric=metric)
    here = rows["side"] == "gold"
    for losses in (
        cs.elements(gold, pred, metric=metric)["loss"], rows["loss"][here], rows["loss"][~here],
        cs.errors(gold, pred, metric=metric)["loss"], cs.error_cells(gold, pred, metric=metric)["loss"],
    ):  # fmt: skip
        assert abs(math.fsum(losses) - missing) <= ROUNDING


def test_next_to_nothing_is_lost() -> None:
    """Two of 2**40 elements are wrong: 1 - F has few digits, the losses have all."""
    table = cs.Table.from_cells(["a", "b", "c"], ["x", "y", "y"], [2**40, 1, 1])
    wrong = Fraction(1, 2) / (2**40 + 2)
    for metric, cost in (("bcubed", Fraction(1, 3) / (2**40 + 2)), ("bcubed(alpha=1)", wrong)):
        assert cs.error_cells(table, metric=metric)["loss"].tolist() == pytest.approx(
            [float(cost)] * 2 + [0.0], rel=1e-15, abs=0
        )
    p_lacks = 2 * wrong
    of_means = (p_lacks / 2) / (1 - p_lacks / 2)  # 1 - 2P/(P+1)
    losses = cs.error_cells(table, metric="bcubed(f=of-means)")["loss"]
    assert losses.tolist() == pytest.approx([float(of_means / 2)] * 2 + [0.0], rel=1e-15, abs=0)
