"""A threshold that is chosen on some gold clusters and scored on others."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import clusterscore as cs
from analyses.sweep.trees import linkage_of


def records(entities: int, rng: np.random.Generator) -> tuple[dict[int, int], list[tuple[int, int, float]]]:
    """Records of entities, and pairs of them with a score that is higher for those of one entity, but not always."""
    gold = np.repeat(np.arange(entities), rng.integers(1, 5, entities))
    pairs = []
    for record in range(len(gold)):
        same = [other for other in range(record) if gold[other] == gold[record]]
        others = rng.choice(len(gold), 3).tolist()
        pairs += [(record, other, float(rng.normal(0.7, 0.25))) for other in same]
        pairs += [(record, other, float(rng.normal(0.3, 0.25))) for other in others if gold[other] != gold[record]]
    return dict(enumerate(gold.tolist())), pairs


@pytest.mark.parametrize("metric", ["elm", "bcubed(f=of-means)", "pairwise", "rand", "inverse_purity"])
def test_folds_add_up(metric: str) -> None:
    """Each fold is scored as the sums over its gold clusters say, with the threshold that is best for the others."""
    gold, pairs = records(30, np.random.default_rng(1))
    swept = cs.sweep(gold, edges=pairs, metrics=metric)
    checked = swept.cross_validate(metric, folds=3, seed=4)
    measure = cs.metric(metric)
    order = np.random.default_rng(4).permutation(30)
    fold = np.empty(30, int)
    fold[order] = np.arange(30) % 3
    tables = [cs.Table.from_labels(gold, swept.labels_at(t)).grouped("clusters") for t in swept.thresholds]
    parts = [measure.parts(table) for table in tables]

    def sums(row: int, clusters: Any) -> dict[str, Any]:
        return {name: np.array([column[clusters].sum()]) for name, column in parts[row].items()}

    held = []
    for k in range(3):
        rows = [float(measure.finish(**sums(row, fold != k)).value[0]) for row in range(len(tables))]
        best = int(np.argmax(rows))
        assert swept.thresholds[best] == checked.thresholds[k]
        held.append(sums(best, fold == k))
        assert float(checked.folds[k]) == pytest.approx(float(measure.finish(**held[-1]).value[0]), abs=1e-12)
    total = {name: sum(own[name] for own in held) for name in held[0]}
    assert checked.score.value == pytest.approx(float(measure.finish(**total).value[0]), abs=1e-12)
    assert checked.tuned.value == swept.best(metric).score.value
    assert checked.unit == "gold clusters"  # nearly all of which are linked with each other
    assert "folds:3|seed:4" in checked.score.signature
    assert str(checked).endswith(f" held out, {checked.tuned:.4f} tuned; 3 folds of gold clusters")
    of_one_document = cs.sweep(gold, edges=pairs, metrics=[metric], documents=dict.fromkeys(gold, "d"))
    assert of_one_document.cross_validate(metric, folds=3, seed=4).thresholds == checked.thresholds


def test_documents_stay_together() -> None:
    gold, pairs = records(40, np.random.default_rng(2))
    documents = {element: label // 4 for element, label in gold.items()}
    inside = [pair for pair in pairs if documents[pair[0]] == documents[pair[1]]]
    swept = cs.sweep(gold, edges=inside, documents=documents, metrics=["elm"])
    checked = swept.cross_validate("elm", folds=10)
    assert checked.unit == "documents"
    assert len(checked.thresholds) == 10
    for k, (threshold, score) in enumerate(zip(checked.thresholds, checked.folds, strict=True)):
        order = np.random.default_rng(0).permutation(10)
        document = int(order[k])
        own = {element: label for element, label in gold.items() if documents[element] == document}
        labels = swept.labels_at(threshold)
        assert float(score) == pytest.approx(
            cs.elm(own, {element: labels[element] for element in own}).value, abs=1e-12
        )


def test_what_cannot_be_cross_validated() -> None:
    tree = linkage_of("chain", 4, np.random.default_rng(0))
    reasons = {
        "nmi": "the entropies of its clusters",
        "standardized_rand": "triples of elements",
        "blanc(links=document)": "pairs inside documents",
    }
    swept = cs.sweep([0, 0, 1, 1], tree, metrics=[*reasons, "elm"])
    for metric, reason in reasons.items():
        with pytest.raises(cs.MetricError, match=rf" cannot be cross-validated: .* because it needs {reason}; these"):
            swept.cross_validate(metric, folds=2)
    with pytest.raises(cs.InputError, match="folds=2: there is one unit only, so nothing can be held out"):
        cs.sweep([0] * 4, tree, metrics="elm").cross_validate("elm", folds=2)
    with pytest.raises(cs.InputError, match=r"^only estimates have intervals; pass gold as cs\.Sample"):
        swept.intervals("elm")
    with pytest.raises(cs.InputError, match="folds=5: there are 2 units to divide; use 2 to 2 folds"):
        swept.cross_validate("elm")
    for folds in (True, "two", 2.5, None):
        with pytest.raises(cs.InputTypeError, match="pass a whole number from 2 up"):
            swept.cross_validate("elm", folds=folds)  # type: ignore[arg-type]


def blocks(rng: np.random.Generator) -> tuple[dict[int, int], list[tuple[int, int, float]]]:
    """Records that are only compared within twelve blocks, as record linkage does it."""
    gold: dict[int, int] = {}
    pairs: list[tuple[int, int, float]] = []
    for block in range(12):
        here, compared = records(3, rng)
        first = len(gold)
        gold |= {first + element: 10 * block + label for element, label in here.items()}
        pairs += [(first + left, first + right, score) for left, right, score in compared]
    return gold, pairs


def test_gold_clusters_with_links_between_them_stay_together() -> None:
    gold, pairs = blocks(np.random.default_rng(3))
    swept = cs.sweep(gold, edges=pairs, metrics="elm")
    checked = swept.cross_validate("elm", folds=6)
    assert checked.unit == "groups of gold clusters without a link between them"
    assert swept.cross_validate("elm", folds=30).unit == "gold clusters"
    unknown = [(f"x{k}", f"y{k}", 0.5) for k in range(200)]
    named = {str(element): label for element, label in gold.items()}
    texts = [(str(left), str(right), score) for left, right, score in pairs]
    more = cs.sweep(named, edges=[*texts, *unknown], metrics="elm", missing="drop")
    assert more.cross_validate("elm", folds=6).unit == checked.unit


@pytest.mark.slow
def test_the_cross_validated_score_is_not_the_tuned_one() -> None:
    """What a chosen threshold scores on other records: the tuned score is too high, the cross-validated one is not."""
    rng = np.random.default_rng(7)
    others = [_sweep(rng) for _ in range(200)]
    tuned, checked, true = [], [], []
    for _ in range(400):
        result = _sweep(rng).cross_validate("elm", folds=6)
        tuned.append(result.tuned.value)
        checked.append(result.score.value)
        true.append(np.mean([_at(swept, threshold) for swept in others for threshold in result.thresholds]))
    error = float(np.std(np.subtract(checked, true))) / 400**0.5
    assert abs(np.mean(checked) - np.mean(true)) < 2 * error
    assert np.mean(tuned) - np.mean(true) > 10 * error


def _sweep(rng: np.random.Generator) -> Any:
    gold, pairs = blocks(rng)
    return cs.sweep(gold, edges=pairs, metrics="elm")


def _at(swept: Any, threshold: float) -> float:
    return float(swept["elm"][int(np.sum(swept.thresholds >= threshold)) - 1])
