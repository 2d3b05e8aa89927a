"""Chance by permutation: against closed forms, against all orders there are, and against plain shuffling."""

from __future__ import annotations

import json
import math
import random
from itertools import permutations, product
from typing import Any

import numpy as np
import polars as pl
import pytest

import clusterscore as cs
from clusterscore.analyses.chance import shuffles
from clusterscore.analyses.chance.shuffles import Shuffles
from clusterscore.count import as_table
from variants import EVERY

# shuffled labels are no segmentation, and leave mentions where they are
NAMES = [kind.name for kind in cs.registered() if not (kind.ordered or kind.of_mentions or kind.of_turns)]
GOLD, PRED = [0, 0, 0, 1, 1, 1, 2, 2, 3, 3, 3, 3], [0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 0, 3]


def some(seed: int, count: int, clusters: int) -> tuple[np.ndarray, np.ndarray]:
    """A prediction that has something to do with gold."""
    rng = np.random.default_rng(seed)
    gold = rng.zipf(1.5, count) % clusters
    return gold, np.where(rng.random(count) < 0.3, gold, rng.integers(0, clusters, count))


def is_near(mean: float, expected: float, std: float, resamples: int) -> bool:
    """Within four standard errors of a mean."""
    return abs(mean - expected) <= 4 * std / math.sqrt(resamples) + 1e-12


def test_closed_forms_of_one_document() -> None:
    names = ["elm", "bcubed", "pairwise", "rand", "fowlkes_mallows", "elm(beta=2)", "bcubed(weights=effective)"]
    gold, pred = some(2, 400, 40)
    chances = cs.chance(gold, pred, metrics=names)
    for name in names:
        closed = cs.metric(f"{name[:-1]}, adjusted=true)" if "(" in name else f"{name}(adjusted=true)")(gold, pred)
        chance = chances[name]
        assert is_near(chance.expected, closed.expected, chance.std, 1000), name
        slope = abs(1 - chance.score.value) / (1 - closed.expected) ** 2  # of the adjusted score, in what is expected
        assert is_near(chance.adjusted, closed.value, 1.1 * slope * chance.std, 1000), name
        assert chance.score == cs.metric(name)(gold, pred)
        assert chance.most == 1.0


@pytest.mark.parametrize("name", NAMES)
def test_all_orders(name: str) -> None:
    """Mean, deviation and p of every metric, over every order that there is."""
    gold, pred = [0, 0, 0, 1, 1, 2], [0, 0, 1, 1, 1, 2]
    metric = cs.metric(name)
    every = np.array([metric(gold, order).value for order in sorted(set(permutations(pred)))])
    chance = cs.chance(gold, pred, metrics=[metric], resamples=4000)[name]
    assert is_near(chance.expected, every.mean(), every.std(), 4000)
    assert chance.std == pytest.approx(every.std(), rel=0.1)
    better = every <= chance.score.value + 1e-12 if metric.smaller_is_better else every >= chance.score.value - 1e-12
    assert chance.p == pytest.approx(better.mean(), abs=4 * math.sqrt(0.25 / 4000) + 1 / 4000)
    if chance.std:
        assert chance.z == pytest.approx((chance.score.value - chance.expected) / chance.std)
        assert chance.adjusted == pytest.approx(
            (chance.score.value - chance.expected) / (chance.most - chance.expected)
        )


def shuffled(pred: dict[Any, int], documents: dict[Any, int], rng: random.Random) -> dict[Any, int]:
    """Labels change places within documents, one by one."""
    dealt = {}
    for document in sorted(set(documents.values())):
        mine = [element for element in pred if documents[element] == document]
        dealt.update(zip(mine, rng.sample([pred[element] for element in mine], len(mine)), strict=True))
    return dealt


@pytest.mark.parametrize("average", ["micro", "macro"])
@pytest.mark.parametrize("missing", ["drop", "singleton", "keep"])
def test_plain_shuffling_of_documents(missing: str, average: str) -> None:
    gold_labels, pred_labels = (side.tolist() for side in some(5, 60, 6))
    gold = {f"e{k}": label for k, label in enumerate(gold_labels) if k % 7}
    pred = {f"e{k}": label for k, label in enumerate(pred_labels) if (k % 5 and k % 3 < 2) or k < 20}
    documents = {f"e{k}": k // 20 for k in range(60)}
    metrics = ["blanc", "muc", "b3", "ceafe", "lea", "blanc(links=document)"]
    if missing != "keep":
        metrics += ["elm", "elm(weights=effective)", "ami", "bcubed(f=of-means, adjusted=true)", "vi"]
    options: dict[str, Any] = {"metrics": metrics, "documents": documents, "missing": missing, "average": average}
    chances = cs.chance(gold, pred, resamples=500, **options)
    # under the other policies what is shuffled is what they leave
    left = {element: label for element, label in pred.items() if missing == "keep" or element in gold}
    alone = {element: -1 - k for k, element in enumerate(gold) if element not in pred}
    if missing == "singleton":
        left |= {element: label for element, label in pred.items() if element not in gold} | alone
    rng, seen = random.Random(6), []
    for _ in range(120):
        seen.append(cs.score(gold, shuffled(left, documents, rng), **options))
    card = cs.score(gold, pred, **options)
    for name in chances:
        values = np.array([shuffle[name].value for shuffle in seen])
        chance = chances[name]
        assert chance.score == card[name]
        spread = math.hypot(chance.std / math.sqrt(500), values.std() / math.sqrt(120))
        assert abs(chance.expected - values.mean()) <= 4 * spread + 1e-12, name
        assert chance.std == pytest.approx(values.std(ddof=1), rel=0.35), name


def test_own_weights_stay_with_their_elements() -> None:
    gold, pred = some(7, 80, 8)
    weights = np.random.default_rng(1).random(80) ** 4
    chance = cs.chance(gold, pred, metrics="elm", weights=weights)["elm(weights=given)"]
    closed = cs.elm(gold, pred, weights=weights, adjusted=True)
    assert is_near(chance.expected, closed.expected, chance.std, 1000)
    assert chance.score == cs.elm(gold, pred, weights=weights)
    assert "weights:given" in chance.signature
    assert list(cs.chance(gold, pred, weights=weights, resamples=2)) == [
        f"{name}(weights=given)" for name in ("elm", "bcubed", "adapted_bcubed", "alphamax_bcubed")
    ]
    by_class = cs.chance(gold, pred, metrics="elm", weights="class")["elm(weights=class)"]
    assert is_near(by_class.expected, cs.elm(gold, pred, weights="class", adjusted=True).expected, by_class.std, 1000)


@pytest.mark.parametrize("documents", [None, [k % 3 for k in range(40)]])
@pytest.mark.parametrize("average", ["micro", "macro"])
def test_blocks_change_nothing(documents: Any, average: str, monkeypatch: pytest.MonkeyPatch) -> None:
    gold, pred = some(8, 40, 6)
    asked: list[Any] = [*NAMES, "blanc(links=document)", "elm(adjusted=true)", "elm(weights=effective)"]
    options: dict[str, Any] = {"documents": documents, "average": average, "metrics": asked, "resamples": 30}
    whole = cs.chance(gold, pred, **options)
    for room in (1, 40 * 7):  # one shuffle at a time; blocks of seven
        monkeypatch.setattr(shuffles, "_AT_ONCE", room)
        again = cs.chance(gold, pred, **options)
        for name in whole:
            for value, expected in zip(again[name][1:-1], whole[name][1:-1], strict=True):
                assert value == (expected if expected is None else pytest.approx(expected, abs=1e-12, rel=1e-10)), name


def test_a_shuffle_keeps_all_sizes() -> None:
    gold = {k: k % 4 for k in range(30)}
    pred = {k: k * k % 5 for k in range(6, 40)}
    documents = {k: k // 15 for k in range(40)}
    table = cs.Table.from_labels(gold, pred, documents=documents, missing="keep")
    tables = list(Shuffles(table).tables(np.random.default_rng(0), 50))
    assert sum(count for count, _ in tables) == 50
    for count, many in tables:
        assert np.array_equal(many.common.reshape(count, -1), np.tile(table.common, (count, 1)))
        for side in ("gold", "pred"):
            size, document = getattr(many, f"{side}_size"), many.cells.side(side).document
            known, where = getattr(table, f"{side}_size"), table.cells.side(side).document
            for k in range(count):
                for d in range(len(table.documents)):
                    here = sorted(size[document == k * len(table.documents) + d].tolist())
                    assert here == sorted(known[(where == d) & (known > 0)].tolist())
        # no cell has more elements than its clusters, and none lies in two documents
        assert np.array_equal(many.cells.gold.document[many.gold], many.cells.pred.document[many.pred])
        assert (many.n <= np.minimum(many.a, many.b)).all()


def test_gold_against_itself_has_its_weights() -> None:
    # the labels are their numbers from the first on: nobody uses 1 to 3
    table = as_table([5, 9, 5, 9, 9], [0, 1, 1, 1, 0], weights=[1, 3, 2, 4, 5], members=True)
    itself = Shuffles(table).gold_itself()
    assert itself.n.tolist() == [2, 3]
    assert itself.weight.tolist() == [3.0, 12.0]


def test_the_same_seed_gives_the_same_numbers() -> None:
    first = cs.chance(GOLD, PRED, seed=3)
    assert cs.chance(GOLD, PRED, seed=3).to_dict() == first.to_dict()
    assert cs.chance(GOLD, PRED, seed=np.int64(3), resamples=np.int32(1000)).to_dict() == first.to_dict()
    assert cs.chance(GOLD, PRED, seed=4)["elm"].expected != first["elm"].expected
    # nothing but the sizes matters for chance: not the order, nor who is right
    back = cs.chance(GOLD[::-1], PRED[::-1], seed=3)
    assert back["elm"].expected == first["elm"].expected
    alone = cs.chance(GOLD, PRED, seed=3, metrics="elm")
    assert alone["elm"] == first["elm"]


def test_a_table_is_as_good_as_its_labels() -> None:
    documents = [k // 6 for k in range(12)]
    for options in ({}, {"documents": documents}):
        table = cs.Table.from_labels(GOLD, PRED, **options)
        assert cs.chance(table).to_dict() == cs.chance(GOLD, PRED, **options).to_dict()
    matrix = cs.Table.from_labels(GOLD, PRED).to_matrix()
    assert cs.chance(cs.Table.from_matrix(matrix))["elm"].expected == pytest.approx(
        cs.chance(GOLD, PRED)["elm"].expected, abs=0.01
    )
    kept = cs.Table.from_labels({"a": 1, "b": 1, "c": 2}, {"b": 1, "c": 1, "d": 1}, missing="keep")
    chances = cs.chance(kept, metrics="muc")
    assert chances["muc"].signature == f"muc|avg:micro|missing:keep|v:{cs.__version__}|permutations:1000|seed:0"
    assert list(cs.chance(kept, resamples=2)) == ["blanc", "pairwise"]


def test_a_table_without_its_cells() -> None:
    card = cs.score_table(pl.DataFrame({"gold": GOLD, "pred": PRED}), metrics="elm")
    with pytest.raises(cs.InputError, match="counted by an engine"):
        cs.chance(card.table, metrics="elm")
    weighed = cs.Table.from_labels(GOLD, PRED, weights=[1] * 12)
    with pytest.raises(cs.InputError, match=r"weights of single elements.*pass gold, pred and weights"):
        cs.chance(weighed)
    with pytest.raises(cs.InputError, match="10,000,000,000 labels to shuffle do not fit into memory"):
        cs.chance(cs.Table.from_matrix([[10**10]]))
    with pytest.raises(cs.InputError, match="documents= was decided when the Table was made"):
        cs.chance(cs.Table.from_labels(GOLD, PRED), documents=GOLD)
    with pytest.raises(cs.InputTypeError, match="a Table contains both sides"):
        cs.chance(cs.Table.from_labels(GOLD, PRED), PRED)


def test_good_and_bad() -> None:
    gold = [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3]
    perfect = cs.chance(gold, gold, metrics=NAMES)
    for name, chance in perfect.items():
        if cs.metric(name).of_objects:  # one of the four clusters is background there
            continue
        if name == "mentions":  # labels have no say there
            assert (chance.adjusted, chance.z, chance.p) == (1.0, None, 1.0)
            continue
        assert chance.adjusted == 1.0, name
        if name == "centroid_index":  # a shuffle may have all clusters in their places, if not their elements
            continue
        assert chance.p == 1 / 1001, name
        if name == "perfect_documents":  # no shuffle is perfect, so that they do not differ
            assert chance.z is None
            continue
        assert chance.z is not None
        assert (chance.z < 0) == cs.metric(name).smaller_is_better, name
    worst = cs.chance(gold, [0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2], metrics=["elm", "vi", "ari"])
    for chance in worst.values():
        assert chance.adjusted < 0
        assert chance.p == 1.0


def test_where_the_sizes_decide() -> None:
    singletons, one_cluster = list(range(6)), [0] * 6
    labels = [name for name in NAMES if not cs.metric(name).of_objects]  # where 0 is a label like any other
    for name, chance in cs.chance([0, 0, 0, 1, 1, 2], singletons, metrics=labels).items():
        assert (chance.std, chance.z, chance.p) == (0.0, None, 1.0), name
        assert chance.expected == chance.score.value, name
        best = {"homogeneity", "mutual_information", "purity", "mentions", "specificity"}
        assert chance.adjusted == float(name in best), name
    for same in (singletons, one_cluster):
        for name, chance in cs.chance(same, same, metrics=labels).items():
            assert (chance.std, chance.z, chance.p, chance.adjusted) == (0.0, None, 1.0, 1.0), name
    chance = cs.chance(one_cluster, singletons, metrics="mi")["mi"]
    assert (chance.score.value, chance.expected, chance.most, chance.adjusted) == (0.0, 0.0, 0.0, 1.0)
    assert cs.chance([0], [0])["elm"].adjusted == 1.0


def test_chance_may_be_perfect_where_a_score_is_not() -> None:
    """Nothing in common at all: gold itself has no link, and neither has chance."""
    chance = cs.chance({"a": 1, "b": 2}, {"c": 1, "d": 1}, metrics="muc")["muc"]
    assert (chance.score.value, chance.most, chance.adjusted, chance.z) == (0.0, 0.0, 1.0, None)


@pytest.mark.parametrize("resamples", [0, 1, [3], np.array([2, 3])], ids=repr)
def test_wrong_resamples(resamples: Any) -> None:
    with pytest.raises((cs.InputError, cs.InputTypeError), match=r"resamples=.* pass a whole number from 2 up"):
        cs.chance(GOLD, PRED, resamples=resamples)


def test_noise_is_shuffled_as_what_it_counts_as() -> None:
    gold, pred = [0, 0, 1, 1, 1, -1], [0, -1, 1, 1, -1, 0]
    chance = cs.chance(gold, pred, metrics="elm", noise=-1)["elm"]
    same = cs.chance([0, 0, 1, 1, 1, 9], [0, 7, 1, 1, 8, 0], metrics="elm")["elm"]
    assert chance.score.value == same.score.value
    assert is_near(chance.expected, same.expected, 2 * same.std, 1000)
    assert "noise:-1|noise_as:singleton" in chance.signature


def test_shown() -> None:
    chances = cs.chance(GOLD, PRED, metrics=["elm", "vi"], documents=[0] * 6 + [1] * 6, resamples=50, seed=7)
    end = f"v:{cs.__version__}|permutations:50|seed:7"
    assert chances["elm"].signature == f"elm|f:mean|beta:1|avg:micro|missing:error|documents:given|{end}"
    assert chances.signature == f"avg:micro|missing:error|documents:given|{end}"
    above, table, below = str(chances).split("\n\n")
    assert above == "12 elements, 2 documents; predicted labels shuffled 50 times"
    assert below == f"elm|f:mean|beta:1\n{chances.signature}"
    assert table.splitlines()[0].split() == ["metric", "score", "expected", "std", "adjusted", "z", "p"]
    chance = chances["elm"]
    row = [f"{x:.4f}" for x in (chance.score.value, chance.expected, chance.std, chance.adjusted, chance.z, chance.p)]
    assert table.splitlines()[2].split() == ["elm", *row]
    plain = chances.to_dict()
    facts = {key: plain[key] for key in ("elements", "documents", "permutations", "seed")}
    assert facts == {"elements": 12, "documents": 2, "permutations": 50, "seed": 7}
    assert plain["scores"]["elm"]["adjusted"] == chance.adjusted
    assert plain["scores"]["elm"]["precision"] == chance.score.precision
    assert plain["scores"]["variation_of_information"]["signature"].endswith(end)
    numbers = [chance.score.value, chance.expected, chance.std, chance.most, chance.adjusted, chance.z, chance.p]
    names = ["value", "expected", "std", "most", "adjusted", "z", "p"]
    assert {name: column[0] for name, column in chances.listed().items()} == {
        "metric": "elm", **dict(zip(names, numbers, strict=True)), "signature": chance.signature,
    }  # fmt: skip
    assert list(cs.chance(GOLD, PRED, resamples=2)) == list(cs.score(GOLD, PRED))


def test_nothing_is_written_for_no_z() -> None:
    chances = cs.chance([0, 0, 1], [0, 1, 2], metrics="elm", resamples=5)
    assert chances["elm"].z is None
    assert json.loads(chances.to_json())["scores"]["elm"]["z"] is None
    assert chances.to_frame("polars")["z"].to_list() == [None]
    assert "nan" not in str(chances).lower()


@pytest.mark.parametrize("average", ["micro", "macro"])
def test_clusterings_that_overlap_are_shuffled_within_documents(average: Any) -> None:
    """An element gets all clusters of another one of its document; the mean is that over all orders."""
    sets, dealt = ["a", "ab", "b", "a", "ac", "c"], ["xy", "x", "y", "z", "zu", "zux"]
    gold = cs.Clustering.from_memberships([set(labels) for labels in sets])
    names = [str(metric) for metric in EVERY if metric.overlapping]
    options: Any = {"metrics": names, "documents": [1, 1, 1, 2, 2, 2], "average": average}
    orders = product(permutations(dealt[:3]), permutations(dealt[3:]))
    cards = [
        cs.score(gold, cs.Clustering.from_memberships([set(labels) for labels in first + second]), **options)
        for first, second in orders
    ]
    pred = cs.Clustering.from_memberships([set(labels) for labels in dealt])
    chances = cs.chance(gold, pred, resamples=1000, **options)
    again = cs.chance(gold, pred, resamples=1000, **options)
    for name in names:
        every = [card[name].value for card in cards]
        assert is_near(chances[name].expected, float(np.mean(every)), float(np.std(every)), 1000)
        assert chances[name].std == pytest.approx(np.std(every), rel=0.1)
        assert chances[name] == again[name]
