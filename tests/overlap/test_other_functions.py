"""Overlapping clusterings in the rest of the library: batches, comparisons, chance, baselines, the command line."""

from __future__ import annotations

import math
import random
from fractions import Fraction
from typing import Any

import pytest

import clusterscore as cs
from overlap import by_definition
from overlap.clusterings import by_document, near, random_cover, random_pair
from overlap.test_against_definition import NAMES, chosen, expected_numbers
from variants import numbers

MEMBERSHIPS = cs.Clustering.from_memberships
GOLD = MEMBERSHIPS({"a": {1, 2}, "b": {2}, "c": {3}, "d": {1, 3}})


def defined(measure: str, gold: Any, pred: Any) -> dict[str, float]:
    metric = cs.metric(measure)
    return expected_numbers(metric.name, gold, pred, **chosen(metric))


ONE_CALL = [name for name in NAMES if name.startswith("overlapping_nmi")]  # of all documents it is no sum over them


def in_batches(measure: str, documents: Any, average: Any) -> cs.Accumulator:
    first, second = (cs.Accumulator([measure], average=average) for _ in range(2))
    first.update(*by_document(documents[:1]))
    second.update(*by_document(documents[1:3]))
    second.update(*documents[3])
    first.merge(second)
    return first


@pytest.mark.parametrize("measure", NAMES)
def test_batches(measure: str) -> None:
    """What is added up batch by batch, and merged, is what all documents at once get."""
    rng = random.Random(f"batches {measure}")
    for _ in range(8):
        documents = [random_pair(rng, 6) for _ in range(4)]
        values = [defined(measure, *pair)["value"] for pair in documents]
        macro = in_batches(measure, documents, "macro").result()[measure]
        assert macro.value == near(math.fsum(values) / len(values)), documents
        if measure in ONE_CALL:
            with pytest.raises(cs.MetricError, match="macro"):
                in_batches(measure, documents, "micro")
        else:
            micro = in_batches(measure, documents, "micro").result()[measure]
            assert numbers(micro) == near(defined(measure, *by_definition.pooled(documents))), documents


@pytest.mark.parametrize("measure", NAMES)
def test_batches_travel_as_json(measure: str) -> None:
    average = "macro" if measure in ONE_CALL else "micro"
    documents = [([[0, 1], [0, 1], [1]], [[0, 1], [0], [1]])] * 4
    seen = in_batches(measure, documents, average)
    assert numbers(cs.Accumulator.from_json(seen.to_json()).result()[measure]) == numbers(seen.result()[measure])


@pytest.mark.parametrize("measure", NAMES)
def test_a_table_in_the_place_of_both_sides(measure: str) -> None:
    rng = random.Random(f"table {measure}")
    for _ in range(10):
        pair = random_pair(rng, 8)
        table = cs.Table.from_labels(*pair)
        assert numbers(cs.metric(measure)(table)) == near(defined(measure, *pair)), pair


@pytest.mark.parametrize("measure", NAMES)
@pytest.mark.filterwarnings("ignore::clusterscore.ClusterscoreWarning")
def test_compare(measure: str) -> None:
    """Systems that overlap, that overlap more, and that do not."""
    systems: dict[str, Any] = {
        "some": MEMBERSHIPS({"a": {1}, "b": {1, 2}, "c": {2}, "d": {2, 3}}),
        "more": MEMBERSHIPS({"a": {1, 2, 3, 4}, "b": {1, 2, 3}, "c": {2, 3}, "d": {1, 2, 3, 4}}),
        "none": {"a": 1, "b": 2, "c": 2, "d": 3},
    }
    true = ["ad", "ab", "cd"]
    predicted = {"some": ["ab", "bcd", "d"], "more": ["abd", "abcd", "abcd", "ad"], "none": ["a", "bc", "d"]}
    compared = cs.compare(GOLD, systems, metrics=[measure], resamples=20).to_dict()["systems"]
    values = {name: compared[name]["scores"][measure]["value"] for name in systems}
    assert values == near({name: defined(measure, true, predicted[name])["value"] for name in systems})


@pytest.mark.parametrize("measure", NAMES)
def test_compare_by_document(measure: str) -> None:
    """Documents are drawn; every system is scored on all of them together, or on each and then on average."""
    rng = random.Random(f"compare {measure}")
    sizes = [3, *(rng.randint(1, 5) for _ in range(4))]
    golds, ours, theirs = ([random_cover(rng, n) for n in sizes] for _ in range(3))
    ours[0] = [[0, 1, 2]] * 7  # its pairs share more clusters than any other
    gold, first = by_document(list(zip(golds, ours, strict=True)))
    _, second = by_document(list(zip(golds, theirs, strict=True)))
    for average in ("micro", "macro"):
        compared = cs.compare(gold, {"A": first, "B": second}, metrics=[measure], average=average, resamples=20)
        for name, preds in (("A", ours), ("B", theirs)):
            pairs = list(zip(golds, preds, strict=True))
            scores = [defined(measure, *pair)["value"] for pair in pairs]
            pooled = defined(measure, *by_definition.pooled(pairs))["value"]
            expected = pooled if average == "micro" else math.fsum(scores) / len(scores)
            assert compared.to_dict()["systems"][name]["scores"][measure]["value"] == near(expected)


@pytest.mark.parametrize("measure", ["matched_bcubed", "matched_elm"])
def test_counts_of_elements(measure: str) -> None:
    rng = random.Random(f"counts {measure}")
    for _ in range(20):
        gold, pred = random_pair(rng)
        rows = cs.elements(gold, pred, metric=measure)
        expected = by_definition.matched_elements(gold, pred, leave_out=measure == "matched_elm")
        for element, *counts in zip(rows["element"], rows["tp"], rows["fp"], rows["fn"], strict=True):
            assert counts == list(expected[element][:3]), (gold, pred)


@pytest.mark.parametrize("measure", ["matched_bcubed", "matched_elm", "extended_bcubed"])
def test_weights_by_id(measure: str) -> None:
    rng = random.Random(f"weights {measure}")
    for _ in range(20):
        gold, pred = random_pair(rng)
        ids = by_definition.elements_of(gold)
        weights = {e: Fraction(rng.randint(1, 9), 4) for e in rng.sample(ids, len(ids))}
        score = getattr(cs, measure)(gold, pred, weights={e: float(weight) for e, weight in weights.items()})
        expected = expected_numbers(measure, gold, pred, weights=[weights[e] for e in ids])
        assert numbers(score) == near(expected), (gold, pred, weights)
