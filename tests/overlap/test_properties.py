"""What a measure of overlapping clusterings should do, and which of them does: every clustering of three elements.

Four properties: it equals a measure of partitions on partitions; it takes something off for an added cluster, which
the ELM paper asks for; it is 1 only for equal clusterings; and every gold clustering has a prediction that gets 0.
"""

from __future__ import annotations

import random
from collections import Counter
from itertools import product
from typing import Any

import pytest
from test_against_oracle import partitions

import clusterscore as cs
from overlap import by_definition
from overlap.clusterings import by_document, covers, near, random_pair, small_pairs
from variants import numbers

OF_PARTITIONS = {
    "matched_elm": "elm",
    "matched_elm(f=of-means)": "elm(f=of-means)",
    "matched_elm(beta=2)": "elm(beta=2)",
    "matched_elm(w_fp=1, w_fn=3)": "elm(w_fp=1, w_fn=3)",
    "matched_bcubed": "bcubed",
    "matched_bcubed(f=of-means, beta=0.5)": "bcubed(f=of-means, beta=0.5)",
    "extended_bcubed": "bcubed",
    "extended_bcubed(f=of-means)": "bcubed(f=of-means)",
    "extended_bcubed(w_fp=1, w_fn=3)": "bcubed(w_fp=1, w_fn=3)",
    "omega": "adjusted_rand",
}
LANCICHINETTI = "overlapping_nmi(normalization=lancichinetti)"
# the other three, as far as three elements and four clusters a side can show
PROPERTIES: dict[str, set[str]] = {
    "matched_elm": {"penalizes an added cluster", "is 1 only for equal", "reaches 0"},
    "matched_elm(f=of-means)": {"penalizes an added cluster", "is 1 only for equal", "reaches 0"},
    "matched_bcubed": {"penalizes an added cluster", "is 1 only for equal"},
    "extended_bcubed": {"penalizes an added cluster"},
    "omega": set(),  # of one element there is no pair, and it is always 1
    "overlapping_nmi": {"reaches 0"},
    LANCICHINETTI: set(),
    "community_f1": set(),
    "element_centric": set(),
}
LOWEST = {"omega": -1.0}
AMIGO = [[0, 1], [0, 2], [1, 2]], [[0, 1, 2], [0], [1], [2]]


# The four properties -------------------------------------------------------------------------------------


@pytest.mark.parametrize("measure", OF_PARTITIONS)
def test_equals_the_partition_measure_on_partitions(measure: str) -> None:
    ours, theirs = cs.metric(measure), cs.metric(OF_PARTITIONS[measure])
    for gold, pred in (pair for n in (1, 2, 3, 4) for pair in product(partitions(n), repeat=2)):
        assert numbers(ours(gold, pred)) == near(numbers(theirs(gold, pred))), (gold, pred)


@pytest.mark.parametrize("measure", ["overlapping_nmi", LANCICHINETTI])
def test_overlapping_nmi_is_not_the_nmi_of_partitions(measure: str) -> None:
    gold, pred = [0, 0, 1, 1, 2, 2], [0, 0, 0, 1, 1, 2]
    same = [cs.metric(f"nmi(mean={mean})")(gold, pred).value for mean in ("arithmetic", "geometric", "min", "max")]
    assert min(abs(cs.metric(measure)(gold, pred).value - value) for value in same) > 0.01


@pytest.mark.parametrize("measure", PROPERTIES)
def test_properties(measure: str) -> None:
    """A measure has the properties that the table gives it, and no other."""
    pairs = small_pairs(4 if measure == "extended_bcubed" else 3)  # so many does its counterexample take
    values = cs.score(*by_document(pairs), metrics=[measure]).documents[measure]
    lowest: dict[Any, float] = {}
    properties = {"penalizes an added cluster", "is 1 only for equal", "reaches 0"}
    for (gold, pred), value in zip(pairs, values, strict=True):
        lowest[gold] = min(value, lowest.get(gold, 1.0))
        if by_definition.identical(gold, pred):
            assert value == near(1), gold
        elif value > 1 - 1e-9:
            properties.discard("is 1 only for equal")
            if not Counter(gold) - Counter(pred):
                properties.discard("penalizes an added cluster")
    if max(lowest.values()) > 1e-12:
        properties.discard("reaches 0")
    assert properties == PROPERTIES[measure]


@pytest.mark.parametrize(
    ("measure", "scores"),
    [("matched_elm", [1 / 2, 1, 2 / 3]), ("matched_bcubed", [2 / 3, 1, 4 / 5]), ("extended_bcubed", [3 / 4, 1, 6 / 7])],
)
def test_the_papers_added_cluster(measure: str, scores: list[float]) -> None:
    """Gold {e1, e2}, and the prediction adds {e1}: e1 loses precision, e2 nothing."""
    rows = cs.elements([["e1", "e2"]], [["e1", "e2"], ["e1"]], metric=measure)
    by_id = {
        e: list(row) for e, *row in zip(rows["element"], rows["precision"], rows["recall"], rows["f"], strict=True)
    }
    assert by_id == {"e1": near(scores), "e2": [1, 1, 1]}


def test_amigos_counterexample() -> None:
    """Every pair is together as often on both sides: extended BCubed takes different clusterings for equal ones."""
    assert cs.extended_bcubed(*AMIGO).value == 1
    assert cs.matched_elm(*AMIGO).value == near(2 / 3)
    assert cs.matched_bcubed(*AMIGO).value == near(3 / 4)


def test_elm_of_means_reaches_zero_only_with_overlap() -> None:
    """No partition gets less than 1/3 against 12|3 if F is that of the means; a prediction that overlaps does."""
    gold = [[0, 1], [2]]
    metric = cs.metric("matched_elm(f=of-means)")
    assert min(metric(gold, by_definition.of_labels(labels)).value for labels in partitions(3)) == near(1 / 3)
    assert min(metric(gold, cover).value for cover in covers(3, 2)) == 0


# Laws ----------------------------------------------------------------------------------------------------

VARIANTS = [*PROPERTIES, "matched_elm(beta=2)", "extended_bcubed(w_fp=1, w_fn=3)", "element_centric(alpha=0.5)"]


def random_pairs(measure: str) -> list[tuple[Any, Any]]:
    rng = random.Random(measure)
    return [random_pair(rng, 20) for _ in range(25)]


@pytest.mark.parametrize("measure", VARIANTS)
def test_names_and_order_change_nothing(measure: str) -> None:
    metric, rng = cs.metric(measure), random.Random(1)
    names: list[Any] = ["b", "é\0", -1, 2.5, (1, 2), b"x", frozenset({1}), 2**70, True]
    for pair in random_pairs(measure):
        expected = near(numbers(metric(*pair)))
        shuffled = [[rng.sample(cluster, len(cluster)) for cluster in rng.sample(cover, len(cover))] for cover in pair]
        assert numbers(metric(*shuffled)) == expected, pair
        ids = rng.sample(["", *names, *(f"e{k}" for k in range(10))], 20)
        renamed = [[[ids[e] for e in cluster] for cluster in cover] for cover in pair]
        assert numbers(metric(*renamed)) == expected, pair
        by_name = [
            cs.Clustering.from_clusters(dict(zip(rng.sample(names, len(cover)), cover, strict=True)))
            for cover in pair
            if len(cover) <= len(names)
        ]
        if len(by_name) == 2:
            assert numbers(metric(*by_name)) == expected, pair


@pytest.mark.parametrize("measure", VARIANTS)
def test_sides_swap_in_a_range_whose_end_is_that_of_equals(measure: str) -> None:
    metric = cs.metric(measure)
    sides = {"precision": "recall", "recall": "precision", "gold_f1": "pred_f1", "pred_f1": "gold_f1"}
    for gold, pred in random_pairs(measure):
        there, back = metric(gold, pred), metric(pred, gold)
        swapped = {sides.get(name, name): number for name, number in numbers(back).items()}
        if "beta" in measure or "w_fp" in measure:  # they weigh the sides
            del swapped["value"]
        assert {name: numbers(there)[name] for name in swapped} == near(swapped), (gold, pred)
        assert LOWEST.get(measure, 0.0) <= there.value <= 1, (gold, pred)
        assert all(0 <= side <= 1 for side in (there.precision, there.recall) if side is not None), (gold, pred)
        assert [metric(cover, cover[::-1]).value for cover in (gold, pred)] == [1, 1], (gold, pred)
