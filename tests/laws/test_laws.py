"""Laws that every registered metric obeys; a metric cannot be registered without being put through them."""

from __future__ import annotations

import math
import pickle
import re
from collections import Counter
from dataclasses import fields
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import clusterscore as cs
from variants import EVERY, NAMES, ON_ANY_LABELS, VARIANTS, numbers

pytestmark = [  # such options and all kinds of labels are drawn
    pytest.mark.filterwarnings("ignore:gold and pred are nothing but 0 and 1"),
]

law = settings(max_examples=10, deadline=None, derandomize=True, database=None)
each_metric = pytest.mark.parametrize("name", NAMES)

label = st.integers(1, 5)  # 0 is the background of images, which is no object
clusterings = st.lists(label, min_size=1, max_size=14)
pairs = st.lists(st.tuples(label, label), min_size=1, max_size=14).map(
    lambda rows: tuple(map(list, zip(*rows, strict=True)))
)
documented = st.lists(st.tuples(label, label, st.integers(0, 3)), min_size=1, max_size=16).map(
    lambda rows: tuple(map(list, zip(*rows, strict=True)))
)
# equal to none of the others, of every kind that may be a label
ANY_LABELS = ["b", "", "é\0", -1, 2.5, (1, 2), b"x", frozenset({1}), 2**70, True]


def variants(name: str) -> list[cs.Metric]:
    return [metric for metric in ON_ANY_LABELS if metric.name == name]


def near(expected: Any) -> Any:
    return pytest.approx(expected, abs=1e-12, rel=1e-12)


def entropy(labels: list[int]) -> float:
    return -math.fsum(n / len(labels) * math.log(n / len(labels)) for n in Counter(labels).values())


def by_document(gold: list[int], pred: list[int], documents: list[int]) -> list[tuple[list[int], list[int]]]:
    """Each document's own labels, in the order in which the documents first appear."""
    rows = list(zip(gold, pred, documents, strict=True))
    return [
        ([g for g, _, d in rows if d == document], [p for _, p, d in rows if d == document])
        for document in dict.fromkeys(documents)
    ]


def test_variants_are_of_registered_metrics() -> None:
    assert set(VARIANTS) <= set(NAMES)
    assert all(cs.metric(text).name == name for name in VARIANTS for text in VARIANTS[name])


@each_metric
@law
@given(clusterings)
def test_identity_is_perfect(name: str, labels: list[int]) -> None:
    other_names = [str(9 - label) for label in labels]
    for metric in variants(name):
        score = metric(labels, other_names)
        if len(labels) == 1 and getattr(metric, "links", "all") == "document":
            continue  # no link at all, and 0/0 is 0 there
        expected = metric.perfect
        if expected is None:
            if metric.name in ("standardized_rand", "reduced_mi", "graded_bcubed"):  # no other prediction has more
                assert score.value >= max(metric(labels, labels[k:] + labels[:k]).value for k in range(len(labels)))
                continue
            linked = len(set(labels)) < len(labels)
            nats = getattr(metric, "nats", 1.0)
            known = {
                "mutual_information": entropy(labels) / nats,
                "muc": float(linked),
                "conll": 1.0 if linked else 2 / 3,
                "boundaries": float(any(a != b for a, b in pairwise(labels))),  # empty=0
                "phi": float(1 < len(set(labels)) < len(labels)),
            }
            expected = known[metric.name]
        assert score.value == (near(expected) if metric.perfect is None else expected), metric
        # a metric with no promised value (0/0 is 0 in MUC) promises no precision and recall either
        sides = {None, 1.0} if metric.perfect is not None else {None, expected}
        assert {score.precision, score.recall} <= sides, metric


@each_metric
@law
@given(pairs)
def test_range(name: str, pair: tuple[list[int], list[int]]) -> None:
    for metric in variants(name):
        score = metric(*pair)
        assert math.isfinite(score.value), metric
        assert metric.lowest <= score.value <= metric.highest, metric
        assert all(metric.lowest <= part <= 1 for part in (score.precision, score.recall) if part is not None), metric
        assert (score.f is None) == (score.precision is None or score.recall is None), metric
        assert float(score) == score.value


@pytest.mark.filterwarnings("ignore:.* with the label '', which is a text")  # one of any labels
@each_metric
@law
@given(pairs, st.permutations(ANY_LABELS), st.permutations(ANY_LABELS))
def test_relabelling_changes_nothing(name: str, pair: Any, gold_names: list[Any], pred_names: list[Any]) -> None:
    gold, pred = pair
    renamed = (
        cs.Clustering.from_labels([gold_names[label] for label in gold]),
        cs.Clustering.from_labels([pred_names[label] for label in pred]),
    )
    for metric in variants(name):
        assert numbers(metric(*renamed)) == numbers(metric(gold, pred)), metric


@each_metric
@law
@given(pairs, st.randoms(use_true_random=False))
def test_reordering_changes_nothing(name: str, pair: Any, random: Any) -> None:
    order = list(range(len(pair[0])))
    random.shuffle(order)
    shuffled = [[side[k] for k in order] for side in pair]
    for metric in variants(name):
        if not metric.ordered:
            assert numbers(metric(*shuffled)) == numbers(metric(*pair)), metric


@each_metric
@law
@given(documented, st.randoms(use_true_random=False))
def test_documents_may_be_mixed(name: str, rows: Any, random: Any) -> None:
    """Whatever stands between its elements: a document keeps their order, and so its score."""
    places = list(rows[2])
    random.shuffle(places)  # of the elements of each document, which stay in their order
    waiting = {document: iter([row for row in zip(*rows, strict=True) if row[2] == document]) for document in places}
    gold, pred, documents = zip(*(next(waiting[document]) for document in places), strict=True)
    for metric in variants(name):
        mixed, together = (metric(*columns[:2], documents=columns[2]) for columns in ((gold, pred, documents), rows))
        assert numbers(mixed) == numbers(together), metric


@each_metric
@law
@given(pairs)
def test_swapping_the_sides(name: str, pair: Any) -> None:
    gold, pred = pair
    for metric in variants(name):
        there, back = metric(gold, pred), metric(pred, gold)
        if metric.symmetric:
            assert back.value == near(there.value), metric
        if metric.swaps:
            if getattr(metric, "weights", None) is None:  # those go by the gold side
                assert (back.precision, back.recall) == near((there.recall, there.precision)), metric
            if str(metric) == metric.name:  # both sides weigh the same
                assert back.value == near(there.value), metric


@each_metric
@law
@given(pairs)
def test_f_lies_between_precision_and_recall(name: str, pair: Any) -> None:
    for metric in variants(name):
        score = metric(*pair)
        weights_add_to_one = getattr(metric, "w_fp", None) is None
        no_f_of_both = getattr(metric, "f", "") == "mean" or metric.name in ("blanc", "panoptic")
        if score.f is not None and weights_add_to_one and not no_f_of_both:
            low, high = sorted([score.precision, score.recall])
            assert low - 1e-12 <= score.f <= high + 1e-12, metric


@each_metric
@law
@given(documented)
def test_micro_is_one_pooled_count(name: str, rows: Any) -> None:
    gold, pred, documents = rows
    apart = [[f"{d}/{label}" for d, label in zip(documents, side, strict=True)] for side in (gold, pred)]
    for metric in variants(name):
        # else pairs, windows and cuts of two documents are none, or documents are counted
        apart_counts = metric.ordered or metric.name == "perfect_documents" or "semeval2013" in str(metric)
        if getattr(metric, "links", "all") == "all" and not apart_counts:
            assert numbers(metric(gold, pred, documents=documents)) == numbers(metric(*apart)), metric


@each_metric
@law
@given(documented)
def test_macro_is_the_mean_of_the_documents(name: str, rows: Any) -> None:
    gold, pred, documents = rows
    card = cs.score(gold, pred, metrics=variants(name), documents=documents, average="macro")
    for metric in variants(name):
        alone = [numbers(metric(*pair)) for pair in by_document(*rows)]
        score = card[str(metric)]
        assert numbers(score) == near({key: np.mean([document[key] for document in alone]) for key in alone[0]}), metric
        if len(alone) == 1:
            assert score.std is None
        else:
            assert score.std == near(np.std([document["value"] for document in alone], ddof=1)), metric
        listed = dict(zip(card.documents["document"].tolist(), card.documents[str(metric)].tolist(), strict=True))
        expected = dict(zip(dict.fromkeys(documents), [document["value"] for document in alone], strict=True))
        assert listed == near(expected), metric


@each_metric
@law
@given(documented)
def test_parts_add_up(name: str, rows: Any) -> None:
    gold, pred, documents = rows
    table = cs.Table.from_labels(gold, pred, documents=documents, members=True)
    for metric in variants(name):
        parts = metric.parts(table)
        assert {len(part) for part in parts.values()} == {len(set(documents))}, metric
        if metric.additive:
            added = {name: part.sum(keepdims=True) for name, part in parts.items()}
            assert metric.finish(**added).value[0] == near(metric(table).value), metric


UNWEIGHTED = [metric for metric in EVERY if metric.weighable and not re.search("weights=|delta=", str(metric))]


@pytest.mark.parametrize("metric", UNWEIGHTED, ids=str)
@law
@given(pairs, st.floats(0.1, 10))
def test_equal_weights_are_no_weights(metric: cs.Metric, pair: Any, weight: float) -> None:
    weighted = metric(*pair, weights=[weight] * len(pair[0]))
    assert numbers(weighted) == near(numbers(metric(*pair)))
    assert "weights:given" in weighted.signature


@each_metric
@law
@given(pairs, st.booleans())
def test_elements_on_one_side_only(name: str, pair: Any, only_gold: bool) -> None:
    gold, pred = (dict(enumerate(side)) for side in pair)
    (gold if only_gold else pred)["extra"] = 0
    for metric in variants(name):
        if metric.one_sided:
            assert metric.lowest <= metric(gold, pred, missing="keep").value <= metric.highest, metric
        else:
            with pytest.raises(cs.InputError, match="needs the same elements on both sides"):
                metric(gold, pred, missing="keep")


@pytest.mark.parametrize("metric", EVERY, ids=str)
def test_the_name_is_read_back(metric: cs.Metric) -> None:
    again = cs.metric(str(metric))
    assert again == metric
    assert hash(again) == hash(metric)
    assert pickle.loads(pickle.dumps(metric)) == metric
    assert cs.metric(metric) is metric


@pytest.mark.parametrize("metric", EVERY, ids=str)
def test_the_signature_says_all_and_is_known_before(metric: cs.Metric) -> None:
    score = metric([0, 0, 1, 1], [0, 1, 1, 1])
    assert score.signature == metric.signature
    name, *rest = metric.signature.split("|")
    parts = dict(item.split(":", 1) for item in rest)
    assert name == metric.name
    assert parts.keys() >= {"avg", "missing", "v"}
    assert parts["v"] == cs.__version__
    assert parts.keys() >= {key for key, value in metric.parameters.items() if value is not None}
    changed = {f.name for f in fields(metric) if getattr(metric, f.name) != f.default}
    assert changed <= parts.keys() | {"delta_norm"}  # which changes nothing without delta


def test_different_metrics_have_different_signatures() -> None:
    without_effect = {cs.metric("alphamax_bcubed(delta_norm=element)")}  # there is no delta to norm
    signatures = [metric.signature for metric in EVERY if metric not in without_effect]
    assert len(set(signatures)) == len(signatures)


def test_the_signature_names_policies_and_average() -> None:
    gold, pred = {"a": 0, "b": 0, "c": -1}, {"a": 0, "b": 1}
    score = cs.elm(gold, pred, missing="drop", noise=[-1, None], noise_as="drop")
    assert score.signature == f"elm|f:mean|beta:1|avg:micro|missing:drop|noise:-1,null|noise_as:drop|v:{cs.__version__}"
    card = cs.score([0, 0], [0, 1], metrics="elm", documents=[1, 2], average="macro")
    assert card["elm"].signature == f"elm|f:mean|beta:1|avg:macro|missing:error|documents:given|v:{cs.__version__}"


@each_metric
def test_the_function_and_its_aliases_are_the_metric(name: str) -> None:
    gold, pred = [0, 0, 1, 1, 2], [0, 1, 1, 1, 2]
    function = getattr(cs, name)
    assert function(gold, pred) == cs.metric(name)(gold, pred)
    assert name in cs.__all__
    for alias in cs.metric(name).aliases:
        assert cs.metric(alias) == cs.metric(name)
    assert pickle.loads(pickle.dumps(function)) is function
