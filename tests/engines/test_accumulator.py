"""Documents that come in batches give the numbers of one call on everything, to as many bits as are promised."""

from __future__ import annotations

import json
import multiprocessing
import pickle
import random
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import strategies as st

import clusterscore as cs
from engines.cases import CASES, documents
from variants import ON_ANY_LABELS, SUMMED, alike, to_the_last_bit

ADDITIVE = [metric for metric in ON_ANY_LABELS if metric.additive and not metric.wants_weights]
REST = [metric for metric in ON_ANY_LABELS if not metric.additive]
WITH_WEIGHTS = ["elm(weights=given)", "bcubed(weights=given, f=of-means)", "adapted_bcubed(weights=given)",
                "alphamax_bcubed(weights=given)"]  # fmt: skip


class Document(NamedTuple):
    name: str
    gold: list[Any]
    pred: list[Any]


def by_name() -> list[Document]:
    """The documents of the engine tests, one by one, and the largest of the cases."""
    table = documents()
    named: dict[str, Document] = {}
    for gold, pred, name in zip(table["gold"], table["pred"], table["document"], strict=True):
        document = named.setdefault(name, Document(name, [], []))
        document.gold.append(gold)
        document.pred.append(pred)
    return [*named.values(), Document("zipf", *CASES["zipf"])]


DOCUMENTS = by_name()


def flat(batch: list[Document]) -> dict[str, list[Any]]:
    return {
        "gold": [label for document in batch for label in document.gold],
        "pred": [label for document in batch for label in document.pred],
        "documents": [document.name for document in batch for _ in document.gold],
    }


def fed(batches: list[list[Document]], **options: Any) -> cs.Accumulator:
    seen = cs.Accumulator(**{"metrics": ADDITIVE} | options)
    for batch in batches:
        seen.update(**flat(batch))
    return seen


def split(batch: list[Document], seed: int) -> list[list[Document]]:
    """In another order, in batches of one to twenty documents."""
    chance = random.Random(seed)
    rest = chance.sample(batch, len(batch))
    batches = []
    while rest:
        size = chance.randint(1, 20)
        batches.append(rest[:size])
        rest = rest[size:]
    return batches


def same(card: cs.Scorecard, expected: cs.Scorecard) -> None:
    for name in expected:
        metric = cs.metric(name)
        for view in ("micro", "macro") if metric.additive else ("macro",):
            score, wanted = (made._summaries[name].score(view) for made in (card, expected))
            assert alike(score, wanted, SUMMED), (name, view, score, wanted)
    # whoever feeds batches is warned of each batch, and of its own
    apart = {"scores": None, "warnings": None}
    assert {**card.to_dict(), **apart} == {**expected.to_dict(), **apart}
    assert list(card.to_dict()["scores"]) == list(expected.to_dict()["scores"])
    assert str(card) == str(expected)


@pytest.fixture(scope="module")
def whole() -> cs.Scorecard:
    return cs.score(**flat(DOCUMENTS), metrics=ADDITIVE)


def test_one_document_at_a_time(whole: cs.Scorecard) -> None:
    seen = cs.Accumulator(ADDITIVE)
    for document in DOCUMENTS:
        seen.update(document.gold, document.pred)
    same(seen.result(), whole)


def test_batches_of_any_size_in_any_order(whole: cs.Scorecard) -> None:
    same(fed(split(DOCUMENTS, 1)).result(), whole)


def test_macro_and_the_usual_metrics() -> None:
    for options in ({"average": "macro"}, {"weights": "class"}, {"weights": "effective", "average": "macro"}):
        expected = cs.score(**flat(DOCUMENTS), **options)
        same(fed(split(DOCUMENTS, 4), metrics=None, **options).result(), expected)


def test_merged_in_any_tree(whole: cs.Scorecard) -> None:
    chance = random.Random(5)
    parts = [fed([batch]) for batch in split(DOCUMENTS, 5)] + [cs.Accumulator(ADDITIVE)]
    while len(parts) > 1:
        chance.shuffle(parts)
        first, second = parts.pop(), parts.pop()
        before = None if not second._facts else second.result().to_dict()
        first.merge(second)
        assert before is None or second.result().to_dict() == before  # it is left as it is
        parts.append(pickle.loads(pickle.dumps(first)))
    same(parts[0].result(), whole)


def test_merged_with_itself() -> None:
    seen = fed([DOCUMENTS])
    seen.merge(seen)
    again = [document._replace(name=f"{document.name} again") for document in DOCUMENTS]
    same(seen.result(), cs.score(**flat(DOCUMENTS + again), metrics=ADDITIVE))


def test_workers(whole: cs.Scorecard) -> None:
    """Threads and processes; what they send back is small."""
    batches = [split(DOCUMENTS, seed)[k::2] for seed in (9,) for k in range(2)]
    spawn = multiprocessing.get_context("spawn")
    for pool in (ThreadPoolExecutor(2), ProcessPoolExecutor(2, mp_context=spawn)):
        with pool:
            first, second = pool.map(_work, batches)
        first.merge(second)
        same(first.result(), whole)


def _work(batches: list[list[Document]]) -> cs.Accumulator:
    return fed(batches)


def test_it_does_not_grow() -> None:
    chance = np.random.default_rng(3)

    def size(count: int) -> int:
        seen = cs.Accumulator(ADDITIVE)
        for batch in range(4):
            labels = chance.integers(0, 3, (2, 4 * count // 4))
            names = np.repeat(np.arange(count // 4), 4) + batch * count
            seen.update(*labels.tolist(), documents=names.tolist())
        return len(pickle.dumps(seen))

    few, many = size(100), size(10_000)
    assert many < 1.5 * few


@pytest.mark.parametrize("metric", REST, ids=str)
def test_what_is_no_sum_is_averaged_only(metric: cs.Metric, whole: cs.Scorecard) -> None:
    with pytest.raises(cs.MetricError, match=r'not a sum over documents; pass average="macro"'):
        cs.Accumulator(["elm", metric])
    seen = cs.Accumulator(metric, average="macro")
    for batch in split(DOCUMENTS, 10):
        seen.update(**flat(batch))
    card = seen.result()
    expected = cs.score(**flat(DOCUMENTS), metrics=metric, average="macro")[metric]
    assert alike(card[metric], expected, 0.0 if to_the_last_bit(metric) else SUMMED)
    with pytest.raises(cs.MetricError, match="not a sum over them"):
        _ = card.micro


POLICIES: dict[str, dict[str, Any]] = {
    "noise alone": {"noise": [-1, None]},
    "noise dropped": {"noise": [-1, None], "noise_as": "drop"},
    "noise in one cluster": {"noise": -1, "noise_as": "cluster"},
}


@pytest.mark.parametrize("policy", POLICIES)
def test_noise(policy: str) -> None:
    options = POLICIES[policy]
    noisy = [
        document._replace(gold=[label if k % 5 else -1 for k, label in enumerate(document.gold, 1)],
                          pred=[label if k % 7 else -1 for k, label in enumerate(document.pred, 1)])
        for document in DOCUMENTS if len(document.gold) > 1
    ]  # fmt: skip
    same(fed(split(noisy, 1), **options).result(), cs.score(**flat(noisy), metrics=ADDITIVE, **options))


@pytest.mark.parametrize("missing", ["drop", "singleton", "keep"])
def test_missing(missing: str) -> None:
    """By id, and each document says which it is on both sides."""
    metrics = [metric for metric in ADDITIVE if metric.one_sided or missing != "keep"]
    if missing == "singleton":  # which are next to nobody
        metrics = [metric for metric in metrics if not metric.ordered]

    def clusterings(batch: list[Document]) -> list[cs.Clustering]:
        sides = []
        for side, lacks in (("gold", 4), ("pred", 3)):
            rows = [
                (document.name, k, label)
                for document in batch
                for k, label in enumerate(getattr(document, side))
                if (k + 1) % lacks
            ]
            names, ids, labels = map(list, zip(*rows, strict=True))
            sides.append(cs.Clustering.from_labels(labels, elements=ids, documents=names))
        return sides

    seen = cs.Accumulator(metrics, missing=missing)
    for batch in split(DOCUMENTS, 2):
        seen.update(*clusterings(batch))
    same(seen.result(), cs.score(*clusterings(DOCUMENTS), metrics=metrics, missing=missing))


def test_the_usual_metrics_where_elements_are_kept() -> None:
    gold, pred = {"a": 1, "b": 1, "c": 2}, {"a": 1, "b": 2}
    seen = cs.Accumulator(missing="keep")
    seen.update(gold, pred)
    one_document = dict.fromkeys(gold, "d")
    same(seen.result(), cs.score(gold, pred, missing="keep", documents=one_document))


def test_weights_of_elements() -> None:
    chance = random.Random(1)
    weights = {document.name: [chance.random() for _ in document.gold] for document in DOCUMENTS}
    seen = cs.Accumulator(WITH_WEIGHTS)
    for batch in split(DOCUMENTS, 3):
        seen.update(**flat(batch), weights=[weight for document in batch for weight in weights[document.name]])
    everything = [weight for document in DOCUMENTS for weight in weights[document.name]]
    same(seen.result(), cs.score(**flat(DOCUMENTS), weights=everything, metrics=WITH_WEIGHTS))


def test_a_document_without_weight_has_no_score() -> None:
    batch = {"gold": [0, 0, 1], "pred": [0, 1, 1], "documents": [*"aab"], "weights": [1, 1, 0]}
    seen, message = cs.Accumulator("elm(weights=given)"), r"^1 document with no weight at all \(e\.g\. 'b'\)"
    with pytest.raises(cs.InputError, match=message):
        seen.update(**batch)
    with pytest.raises(cs.InputError, match=message):
        cs.score(**batch, metrics="elm(weights=given)", average="macro")


def test_documents_without_mentions_are_left_out(tmp_path: Path) -> None:
    def files(*documents: str) -> list[Path]:
        paths = [tmp_path / f"{side}.jsonlines" for side in ("gold", "pred")]
        for path, clusters in zip(paths, ([[[0, 0], [1, 1]]], [[[0, 0]], [[1, 1]]]), strict=True):
            found = {"both": [[[0, 0], [1, 1]]], "gold": clusters, "none": []}
            rows = [{"doc_key": name, "sentences": [["a", "b"]], "clusters": found[name]} for name in documents]
            path.write_text("\n".join(map(json.dumps, rows)))
        return paths

    seen = cs.Accumulator("muc", average="macro", missing="keep")
    for name in ("none", "both", "gold"):
        seen.update(*files(name))
    score = seen.result()["muc"]
    expected = cs.score(*files("both", "gold"), metrics="muc", average="macro")["muc"]
    assert (score.value, score.recall, score.std) == (expected.value, expected.recall, expected.std)


def test_weights_need_metrics_that_use_them() -> None:
    with pytest.raises(cs.MetricError, match=r"bcubed does not use them; name it as elm\(weights=given\)"):
        cs.Accumulator(["elm(weights=given)", "bcubed"]).update([0, 0], [0, 1], weights=[1, 2])
    with pytest.raises(cs.InputError, match="needs weights"):
        cs.Accumulator("elm(weights=given)").update([0, 0], [0, 1])
    with pytest.raises(cs.InputTypeError, match="numbers go to update"):
        cs.Accumulator("elm", weights=[1, 2])


def test_tables() -> None:
    seen = cs.Accumulator(["elm", "rand", "alphamax_bcubed"])
    seen.update(cs.Table.from_labels([0, 0, 1], [0, 1, 1]))
    seen.update(cs.Table.from_labels([0, 0, 1, 2], [0, 1, 1, 1], documents=[1, 1, 2, 2]))
    seen.update(cs.Table.from_matrix([[5, 1], [0, 4]]))
    gold, pred = [0, 0, 1, 0, 0, 1, 2, *[0] * 6, *[1] * 4], [0, 1, 1, 0, 1, 1, 1, *[0] * 5, 1, *[1] * 4]
    names = [*"aaabbcc", *"d" * 10]
    same(seen.result(), cs.score(gold, pred, documents=names, metrics=["elm", "rand", "alphamax_bcubed"]))
    with pytest.raises(cs.InputError, match=r"the Table was made with missing:error.noise:1"):
        seen.update(cs.Table.from_labels([0, 1], [0, 1], noise=1))
    with pytest.raises(cs.InputTypeError, match="a Table contains both sides"):
        seen.update(cs.Table.from_labels([0, 1], [0, 1]), [0, 1])


def test_a_table_that_an_engine_counted() -> None:
    import polars as pl

    given = documents()
    metrics = ["elm", "purity_f", "alphamax_bcubed"]
    table = cs.score_table(pl.DataFrame(given), document="document", metrics=metrics).table
    seen = cs.Accumulator(metrics)
    seen.update(table)
    seen.update(*CASES["zipf"])
    same(seen.result(), cs.score(**flat(DOCUMENTS), metrics=metrics))


def test_a_result_is_not_the_end() -> None:
    seen = cs.Accumulator(["elm", "blanc"])
    seen.update([0, 0, 1], [0, 1, 1])
    early = seen.result()
    before = early.to_dict()
    seen.update([0, 0, 1, 1], [0, 0, 0, 1])
    assert early.to_dict() == before
    gold, pred, names = [0, 0, 1, 0, 0, 1, 1], [0, 1, 1, 0, 0, 0, 1], [*"aaabbbb"]
    same(seen.result(), cs.score(gold, pred, documents=names, metrics=["elm", "blanc"]))
    same(seen.result(), seen.result())


def test_what_fails_adds_nothing() -> None:
    seen = cs.Accumulator(["elm", "rand"])
    bad: list[tuple[Any, Any, dict[str, Any]]] = [
        ([0, 1], [0], {}), ([], [], {}), ([0, None], [0, 1], {}), ("ab", [0, 1], {}), ({"a": 1}, {"b": 1}, {}),
        ([0, 1], [0, 1], {"documents": [1]}), ([0, 1], [0, 1], {"weights": [1, 1]}), ([0, 1], None, {}),
    ]  # fmt: skip
    for _ in range(2):
        before = pickle.dumps(seen)
        for gold, pred, options in bad:
            with pytest.raises(cs.ClusterscoreError):
                seen.update(gold, pred, **options)
            assert pickle.dumps(seen) == before
        seen.update([0, 0, 1], [0, 1, 1])
    assert seen.result().to_dict()["documents"] == 2
    kept = cs.Accumulator(["blanc", "elm"], missing="keep")
    with pytest.raises(cs.InputError, match="elm needs the same elements"):
        kept.update({"a": 1, "b": 1}, {"a": 1})
    with pytest.raises(cs.InputError, match="nothing was added"):
        kept.result()  # blanc neither


def test_nothing_was_added() -> None:
    seen = cs.Accumulator("elm")
    with pytest.raises(cs.InputError, match=r"nothing was added yet.*update\(gold, pred\)"):
        seen.result()
    seen.merge(cs.Accumulator("elm"))
    with pytest.raises(cs.InputError, match="nothing was added yet"):
        pickle.loads(pickle.dumps(seen)).result()
    assert repr(seen) == "Accumulator(1 metric, 0 documents, 0 elements)"


def test_what_it_does_not_keep() -> None:
    seen = cs.Accumulator("elm")
    seen.update([0, 0, 1], [0, 1, 1])
    card = seen.result()
    for view in ("documents", "table"):
        with pytest.raises(cs.InputError, match="an accumulator keeps no"):
            getattr(card, view)
    assert card.to_json()
    assert card.to_markdown()
    assert card.to_csv()


OTHERS: dict[str, tuple[Any, str]] = {
    "another metric": (cs.Accumulator("bcubed"), "the accumulators differ: elm.* and bcubed"),
    "another parameter": (cs.Accumulator("elm(beta=2)"), "elm.*beta:1.* and elm.*beta:2"),
    "more metrics": (cs.Accumulator(["elm", "rand"]), "1 metric and 2"),
    "another policy": (cs.Accumulator("elm", missing="drop"), "missing:error.* and .*missing:drop"),
    "other noise": (cs.Accumulator("elm", noise=-1), "noise:-1"),
    "a scorecard": (cs.score([0], [0]), "merge takes another Accumulator, not a Scorecard"),
    "None": (None, "merge takes another Accumulator, not None"),
}


@pytest.mark.parametrize("case", OTHERS)
def test_what_cannot_be_merged(case: str) -> None:
    other, message = OTHERS[case]
    seen = cs.Accumulator("elm")
    seen.update([0, 0, 1], [0, 1, 1])
    before = pickle.dumps(seen)
    with pytest.raises(cs.ClusterscoreError, match=message) as caught:
        seen.merge(other)
    assert "\n" not in str(caught.value)
    assert pickle.dumps(seen) == before


labels = st.lists(st.integers(0, 3), min_size=1, max_size=8)
