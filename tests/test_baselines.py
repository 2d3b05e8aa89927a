"""Baselines: what they are, of every kind of input, and what they score, exactly."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import clusterscore as cs

law = settings(max_examples=100, deadline=None, derandomize=True, database=None)

Baseline = Callable[[Any], cs.Clustering]
EVERY: dict[str, Baseline] = {
    "singletons": cs.baselines.singletons,
    "one_cluster": cs.baselines.one_cluster,
    "fixed_size": lambda given: cs.baselines.fixed_size(given, 2),
    "mean_size": cs.baselines.mean_size,
    "uniform_random": lambda given: cs.baselines.uniform_random(given, 2),
    "uniform_random, independent": lambda given: cs.baselines.uniform_random(given, 2, sizes="independent"),
    "ultra_shaped_random": lambda given: cs.baselines.ultra_shaped_random(given, 2),
    "shuffled": cs.baselines.shuffled,
}
OF_A_NUMBER = {name: EVERY[name] for name in EVERY if name not in ("mean_size", "shuffled")}
every = pytest.mark.parametrize("make", EVERY.values(), ids=EVERY)


def members(made: cs.Clustering) -> dict[Any, list[list[int]]]:
    """For each document its clusters as lists of positions."""
    documents = [None] * len(made) if made.documents is None else made.documents.codes.tolist()
    by_document: dict[Any, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
    for position, (document, code) in enumerate(zip(documents, made.codes.tolist(), strict=True)):
        by_document[document][code].append(position)
    return {document: list(clusters.values()) for document, clusters in by_document.items()}


def sizes(made: cs.Clustering) -> list[int]:
    (clusters,) = members(made).values()
    return sorted(map(len, clusters))


def test_what_they_are() -> None:
    assert cs.baselines.singletons(4).codes.tolist() == [0, 1, 2, 3]
    assert cs.baselines.one_cluster(3).codes.tolist() == [0, 0, 0]
    assert cs.baselines.fixed_size(7, 3).codes.tolist() == [0, 0, 0, 1, 1, 1, 2]
    assert cs.baselines.fixed_size(7, 99).codes.tolist() == [0] * 7
    assert cs.baselines.fixed_size(3, 10**30).codes.tolist() == [0] * 3
    assert cs.baselines.mean_size(list("aaabbbbb")).codes.tolist() == [0, 0, 0, 0, 1, 1, 1, 1]
    assert cs.baselines.mean_size(list("aaabb")).codes.tolist() == [0, 0, 1, 1, 2]  # 5 / 2, cut
    assert cs.baselines.mean_size(list("aaabc")).codes.tolist() == [0, 1, 2, 3, 4]  # 5 / 3, cut
    assert sizes(cs.baselines.uniform_random(11, 4)) == [2, 3, 3, 3]
    assert sizes(cs.baselines.ultra_shaped_random(11, 4)) == [1, 1, 1, 8]
    assert sizes(cs.baselines.uniform_random(3, 10**30)) == [1, 1, 1]
    assert sizes(cs.baselines.ultra_shaped_random(3, 5)) == [1, 1, 1]
    assert sizes(cs.baselines.shuffled(list("aaabbc"))) == [1, 2, 3]


def test_clusters_of_documents_are_numbered_through() -> None:
    gold = cs.Clustering.from_labels([0, 0, 0, 0, 0, 1], documents=["d", "e", "d", "e", "d", "e"])
    assert cs.baselines.one_cluster(gold).codes.tolist() == [0, 1, 0, 1, 0, 1]
    assert cs.baselines.fixed_size(gold, 2).codes.tolist() == [0, 2, 0, 2, 1, 3]
    assert cs.baselines.mean_size(gold).codes.tolist() == [0, 1, 0, 2, 0, 3]  # 3 / 1 and 3 / 2
    assert repr(cs.baselines.fixed_size(gold, 2)) == "Clustering(6 elements by position, 4 clusters, 2 documents)"


@law
@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 3)), min_size=1, max_size=40), st.integers(1, 9),
       st.integers(0, 2**40))  # fmt: skip
def test_documents_are_clustered_one_by_one(rows: list[tuple[int, int]], k: int, seed: int) -> None:
    where, labels = [row[0] for row in rows], [row[1] for row in rows]
    gold = cs.Clustering.from_labels(labels, documents=where)
    inside: dict[int, list[int]] = defaultdict(list)
    assert gold.documents is not None
    for position, document in enumerate(gold.documents.codes.tolist()):
        inside[document].append(position)

    runs, mean = members(cs.baselines.fixed_size(gold, k)), members(cs.baselines.mean_size(gold))
    uniform = members(cs.baselines.uniform_random(gold, k, seed=seed))
    ultra = members(cs.baselines.ultra_shaped_random(gold, k, seed=seed))
    dealt = cs.baselines.shuffled(gold, seed=seed)
    for document, positions in inside.items():
        count = len(positions)
        assert runs[document] == [positions[at : at + k] for at in range(0, count, k)]
        length = int(count / len({labels[position] for position in positions}))
        assert mean[document] == [positions[at : at + length] for at in range(0, count, length)]
        held = sorted(map(len, uniform[document]))
        assert (len(held), sum(held)) == (min(k, count), count)
        assert held[-1] - held[0] <= 1
        few = min(k, count)
        assert sorted(map(len, ultra[document])) == sorted([1] * (few - 1) + [count - few + 1])
        drawn = Counter(dealt.labels.name(dealt.codes[position]) for position in positions)
        assert drawn == Counter(labels[position] for position in positions)


@every
def test_same_elements_of_every_kind(make: Baseline) -> None:
    """A score against every kind of gold, and the same one."""
    labels, ids, where = [3, 3, 3, 5, 5, 8], ["p", "q", "r", "s", "t", "u"], [1, 1, 2, 2, 2, 2]
    series = pd.Series(labels, index=[9, 7, 5, 3, 1, 0])
    by_position: list[Any] = [labels, tuple(labels), np.array(labels), series, pl.Series(labels), pa.array(labels)]
    values = [cs.elm(kind, make(kind)).f for kind in by_position]
    assert set(values) == {cs.elm(labels, make(labels)).f}

    mapping = dict(zip(ids, labels, strict=True))
    clusters = [["p", "q", "r"], ["s", "t"], ["u"]]
    tuples = [("p", "q", "r"), ("s", "t"), ("u",)]
    columns = {"element": ids, "cluster": labels}
    frames = [pd.DataFrame(columns), pl.DataFrame(columns), pa.table(columns)]
    by_id: list[Any] = [mapping, clusters, tuples, *frames, cs.Clustering.from_labels(labels, elements=ids)]
    for kind in by_id:
        made = make(kind)
        assert list(made.ids) == ids  # type: ignore[arg-type]
        assert cs.elm(kind, made).f == values[0]

    documents = [frame_kind({**columns, "document": where}) for frame_kind in (pd.DataFrame, pl.DataFrame, pa.table)]
    carried = cs.Clustering.from_labels(labels, documents=where)
    expected = cs.elm(carried, make(carried)).f
    for kind in documents:
        assert cs.elm(kind, make(kind)).f == expected


def test_an_id_may_stand_in_several_documents() -> None:
    gold = cs.Clustering.from_labels([0, 0, 0, 1], elements=["x", "y", "x", "y"], documents=["d", "d", "e", "e"])
    assert cs.elm(gold, cs.baselines.one_cluster(gold)).f == 0.5
    assert cs.elm(gold, cs.baselines.singletons(gold)).f == 0.5


def test_by_position_beside_a_list() -> None:
    assert cs.elm([0, 0, 1], cs.baselines.singletons(3)).f == 1 / 3
    assert cs.elm([0, 0, 1], cs.baselines.fixed_size(np.int32(3), np.int64(2))).f == 1.0


def test_the_index_of_a_series_still_has_to_fit() -> None:
    first, second = pd.Series([0, 0, 1], index=[1, 2, 3]), pd.Series([0, 0, 1], index=[3, 2, 1])
    with pytest.raises(cs.ElementMismatch, match="different indexes"):
        cs.elm(first, cs.baselines.singletons(second))


@pytest.mark.parametrize("name", ["uniform_random", "ultra_shaped_random", "shuffled"])
def test_seeds(name: str) -> None:
    labels = np.arange(60) // 7

    def codes(seed: Any) -> list[int]:
        made = getattr(cs.baselines, name)
        return (made(labels, seed=seed) if name == "shuffled" else made(labels, 9, seed=seed)).codes.tolist()

    assert codes(0) == codes(0) == codes(np.int64(0)) == codes(np.random.default_rng(0))
    assert len({tuple(codes(seed)) for seed in range(20)}) == 20
    generator = np.random.default_rng(5)
    first, second = codes(generator), codes(generator)
    assert first == codes(5)
    assert first != second  # it goes on where it was


def test_every_way_to_deal_is_equally_likely() -> None:
    generator, rounds = np.random.default_rng(1), 6000
    dealt = Counter(tuple(cs.baselines.shuffled([0, 1, 2], seed=generator).codes.tolist()) for _ in range(rounds))
    chosen = Counter(
        cs.baselines.ultra_shaped_random(6, 2, seed=generator).codes.tolist().index(0) for _ in range(rounds)
    )
    pairs = Counter(
        tuple(np.flatnonzero(made == made[0]).tolist())
        for made in (cs.baselines.uniform_random(4, 2, seed=generator).codes for _ in range(rounds))
    )
    for counts, ways in ((dealt, 6), (chosen, 6), (pairs, 3)):
        expected, deviation = rounds / ways, (rounds / ways * (1 - 1 / ways)) ** 0.5
        assert len(counts) == ways
        assert all(abs(count - expected) < 4 * deviation for count in counts.values())


def test_independent_draws_are_even_and_know_nothing_of_each_other() -> None:
    generator, rounds = np.random.default_rng(1), 4000
    made = [cs.baselines.uniform_random(3, 2, sizes="independent", seed=generator) for _ in range(rounds)]
    together = Counter(tuple((draw.codes == draw.codes[0]).tolist()) for draw in made)
    assert len(together) == 4  # together or apart from the first, for either of the others
    assert all(abs(count - rounds / 4) < 4 * (rounds / 4 * 3 / 4) ** 0.5 for count in together.values())
    assert {len(draw.names) for draw in made} == {1, 2}  # a cluster that nobody drew is not there

    assert sizes(cs.baselines.uniform_random(50, 1, sizes="independent")) == [50]
    assert sizes(cs.baselines.uniform_random(50, 10**30, sizes="independent")) == [1] * 50
    drawn = sizes(cs.baselines.uniform_random(10_000, 4, sizes="independent"))
    assert len(drawn) == 4
    assert 20 < drawn[-1] - drawn[0] < 400
    assert drawn != sizes(cs.baselines.uniform_random(10_000, 4))


def test_independent_draws_go_with_the_ids_and_stay_inside_documents() -> None:
    ids, where = [f"p{k:02d}" for k in range(40)], [k % 3 for k in range(40)]
    turned = cs.Clustering.from_labels([0] * 40, elements=ids[::-1], documents=where[::-1])
    straight = cs.Clustering.from_labels([0] * 40, elements=ids, documents=where)
    first, second = (cs.baselines.uniform_random(gold, 4, sizes="independent", seed=7) for gold in (straight, turned))
    assert cs.score(first, second, metrics="rand")["rand"].value == 1.0
    assert len({(code, document) for code, document in zip(first.codes.tolist(), where, strict=True)}) == len(
        first.names
    )
    assert len(set(first.codes.tolist())) == len(first.names)


@pytest.mark.parametrize("word", ["even", "", None, True, ["equal"]])
def test_bad_sizes(word: Any) -> None:
    with pytest.raises(cs.InputError, match="is not an option; use one of 'equal', 'independent'"):
        cs.baselines.uniform_random(5, 2, sizes=word)


def test_labels_keep_their_names_when_dealt() -> None:
    dealt = cs.baselines.shuffled({"p": "x", "q": None, "r": "x", "s": float("nan")})
    assert sorted(str(dealt.labels.name(code)) for code in dealt.codes) == ["None", "None", "x", "x"]
    with pytest.raises(cs.InputError, match="2 elements with no label"):
        cs.elm({"p": 0, "q": 0, "r": 1, "s": 1}, dealt)


@pytest.mark.parametrize("make", OF_A_NUMBER.values(), ids=OF_A_NUMBER)
def test_nothing_gives_nothing(make: Baseline) -> None:
    for nothing in (0, [], {}, np.zeros(0, int)):
        assert len(make(nothing)) == 0
    assert cs.elm([0, 0], make([5, 5])).f is not None
    with pytest.raises(cs.InputError, match="empty"):
        cs.elm([], make(0))


def test_nothing_has_no_mean_and_no_order() -> None:
    assert len(cs.baselines.mean_size([])) == len(cs.baselines.shuffled([])) == 0


@pytest.mark.parametrize("make", OF_A_NUMBER.values(), ids=OF_A_NUMBER)
@pytest.mark.parametrize(("n", "error", "message"), [
    (-1, cs.InputError, "n=-1 is too small; pass a whole number from 0 up"),
    (2.0, cs.InputTypeError, "n=2.0 is not a number of elements; pass a whole number from 0 up, or a clustering"),
    (True, cs.InputTypeError, "n=True is not a number of elements"),
    (float("nan"), cs.InputTypeError, "n=nan is not a number of elements"),
    (2**50, cs.InputError, "do not fit into memory"),
    (None, cs.InputTypeError, "n is None"),
    ("abc", cs.InputTypeError, "n is the single str 'abc'"),
    ({1, 2}, cs.InputTypeError, "n is a set, which has no order"),
    ([[1, 2], 3], cs.InputTypeError, "n mixes collections with single labels"),
    ([[1, 2], [2, 2]], cs.InputError, "1 membership given twice"),
    (np.zeros((2, 2)), cs.InputError, "n is 2-dimensional"),
    (object(), cs.InputTypeError, "pass a sequence with one label per element"),
])  # fmt: skip
def test_no_elements_there(make: Baseline, n: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        make(n)


@pytest.mark.parametrize("name", ["fixed_size", "uniform_random", "ultra_shaped_random"])
def test_bad_k(name: str) -> None:
    make = getattr(cs.baselines, name)
    for k in (0, -3):
        with pytest.raises(cs.InputError, match=f"k={k} is too small; pass a whole number from 1 up"):
            make(5, k)
    for odd in (1.0, True, "2", None, [2], float("nan")):
        with pytest.raises(cs.InputTypeError, match="pass a whole number from 1 up"):
            make(5, odd)


@pytest.mark.parametrize("seed", [-1, 1.5, None, "x", True])
def test_bad_seed(seed: Any) -> None:
    for make in (lambda: cs.baselines.uniform_random(5, 2, seed=seed), lambda: cs.baselines.shuffled([0, 1], seed=seed),
                 lambda: cs.baselines.ultra_shaped_random(5, 2, seed=seed)):  # fmt: skip
        with pytest.raises((cs.InputError, cs.InputTypeError), match=f"seed={seed!r}"):
            make()


def test_a_number_has_no_labels() -> None:
    for make, side in ((cs.baselines.mean_size, "gold"), (cs.baselines.shuffled, "pred")):
        with pytest.raises(cs.InputTypeError, match=f"{side} is 5, a single int"):
            make(5)
    with pytest.raises(cs.InputError, match="gold has 1 element with no label"):
        cs.baselines.mean_size(["a", None, "b"])


def close(exact: Fraction) -> Any:
    """A sum that was rounded once, and divided."""
    return pytest.approx(float(exact), rel=1e-15, abs=0)


@law
@given(st.lists(st.integers(0, 6), min_size=1, max_size=40))
def test_exact_scores(gold: list[int]) -> None:
    total, counts = len(gold), Counter(gold)
    alone = Fraction(sum(size == 1 for size in counts.values()), total)
    assert cs.elm(gold, cs.baselines.singletons(gold)).f == float(alone)
    assert cs.elm(gold, cs.baselines.singletons(gold)).precision == 1.0
    alone_in = cs.bcubed(gold, cs.baselines.singletons(gold))
    giant = cs.bcubed(gold, cs.baselines.one_cluster(gold))
    assert alone_in.recall == close(Fraction(len(counts), total))
    assert giant.precision == close(Fraction(sum(size**2 for size in counts.values()), total**2))
    assert giant.recall == 1.0


# --- beside a prediction ---------------------------------------------------------------------------------------------

GOLD, PRED = [0, 0, 0, 1, 1, 2, 2, 2, 2, 3], [0, 0, 1, 1, 1, 1, 2, 2, 2, 3]
WHERE = list("aababbabab")
NAMES = ["singletons", "one_cluster", "mean_size", "uniform_random", "ultra_shaped_random", "shuffled"]


def test_a_card_without_baselines_has_none() -> None:
    assert cs.score(GOLD, PRED).baselines == {}
    assert "baselines" not in cs.score(GOLD, PRED).to_dict()


def test_baselines_of_a_card_are_those_of_the_module() -> None:
    card = cs.score(GOLD, PRED, baselines=True)
    assert dict(card) == dict(cs.score(GOLD, PRED))
    alone = {
        "singletons": cs.baselines.singletons(10), "one_cluster": cs.baselines.one_cluster(10),
        "mean_size": cs.baselines.mean_size(GOLD), "uniform_random(k=4)": cs.baselines.uniform_random(10, 4),
        "ultra_shaped_random(k=4)": cs.baselines.ultra_shaped_random(10, 4), "shuffled": cs.baselines.shuffled(PRED),
    }  # fmt: skip
    assert list(card.baselines) == list(alone)
    for name, made in alone.items():
        assert dict(card.baselines[name]) == dict(cs.score(GOLD, made))
        assert card.baselines[name].baselines == {}


@pytest.mark.parametrize("average", ["micro", "macro"])
def test_baselines_inside_documents(average: str) -> None:
    card = cs.score(GOLD, PRED, documents=WHERE, average=average, baselines=True)
    gold, pred = (cs.Clustering.from_labels(labels, documents=WHERE) for labels in (GOLD, PRED))
    assert list(card.baselines) == NAMES
    for name in ("singletons", "one_cluster", "mean_size"):
        assert dict(card.baselines[name]) == dict(cs.score(gold, getattr(cs.baselines, name)(gold), average=average))
    assert dict(card.baselines["shuffled"]) == dict(cs.score(gold, cs.baselines.shuffled(pred), average=average))
    predicted = Counter(document for document, _ in set(zip(WHERE, PRED, strict=True)))
    for name in ("uniform_random", "ultra_shaped_random", "shuffled"):
        table = card.baselines[name].table
        assert dict(zip(table.documents, table.clusters("pred").tolist(), strict=True)) == predicted


def test_the_same_elements_by_id_in_another_order() -> None:
    ids = [f"p{k}" for k in range(10)]
    turned = dict(reversed(list(zip(ids, PRED, strict=True))))
    card = cs.score(dict(zip(ids, GOLD, strict=True)), turned, metrics="elm, ari", baselines=True)
    plain = cs.score(GOLD, PRED, metrics="elm, ari", baselines=True)
    for name in ("singletons", "one_cluster", "mean_size", "uniform_random(k=4)", "ultra_shaped_random(k=4)"):
        assert dict(card.baselines[name]) == dict(plain.baselines[name])


def test_baselines_of_clusterings_that_overlap() -> None:
    gold, pred = (cs.Clustering.from_memberships([set(labels) for labels in sets]) for sets in (
        ["a", "ab", "b", "bc", "c", "c"], ["x", "x", "xy", "y", "yz", "z"],
    ))  # fmt: skip
    card = cs.score(gold, pred, baselines=True)
    alone = {
        "singletons": cs.baselines.singletons(6), "one_cluster": cs.baselines.one_cluster(6),
        "mean_size": cs.baselines.fixed_size(6, 8 // 3), "uniform_random(k=3)": cs.baselines.uniform_random(6, 3),
        "ultra_shaped_random(k=3)": cs.baselines.ultra_shaped_random(6, 3), "shuffled": cs.baselines.shuffled(pred),
    }  # fmt: skip
    assert list(card.baselines) == list(alone)
    for name, made in alone.items():
        assert dict(card.baselines[name]) == dict(cs.score(gold, made))
    against = cs.score(list("aabbcc"), pred, baselines=True)  # a partition, as most of its baselines are
    assert all(list(other) == list(against) for other in against.baselines.values())
    dealt = alone["shuffled"]
    assert sorted(str(sorted(dealt.names[code])) for code in dealt.codes) == sorted(
        str(sorted(pred.names[code])) for code in pred.codes
    )


def test_policies_come_first() -> None:
    gold, pred = {"a": 0, "b": 0, "c": 1, "d": 2}, {"a": 0, "b": 0, "c": 0, "e": 1}
    dropped = cs.score(gold, pred, missing="drop", metrics="elm", baselines=True)
    assert dropped.baselines["singletons"].facts["elements"] == (3, 3)
    assert "uniform_random(k=1)" in dropped.baselines
    single = cs.score(gold, pred, missing="singleton", metrics="elm", baselines=True)
    assert single.baselines["singletons"].facts["elements"] == (5, 5)
    assert "uniform_random(k=3)" in single.baselines  # abc, e, and d, which nobody clustered
    noise = cs.score([0, 0, -1, -1], [0, 0, 1, -1], noise=-1, noise_as="drop", metrics="elm", baselines=True)
    assert noise.baselines["one_cluster"]["elm"].signature == noise["elm"].signature
    assert noise.baselines["one_cluster"].facts["elements"] == (2, 2)


def test_under_keep_the_baseline_has_the_elements_of_the_prediction() -> None:
    columns = ("element", "cluster", "document")
    gold = pd.DataFrame([("a", 0, "d"), ("b", 0, "d"), ("c", 1, "d"), ("x", 0, "e"), ("y", 1, "g")], columns=columns)
    pred = pd.DataFrame([("a", 0, "d"), ("c", 0, "d"), ("z", 1, "d"), ("w", 0, "f"), ("v", 0, "f")], columns=columns)
    card = cs.score(gold, pred, missing="keep", baselines=True)
    assert list(card.baselines) == NAMES
    for other in card.baselines.values():
        assert list(other) == list(card)
        assert other.facts["elements"] == card.facts["elements"] == (5, 5)
        assert other.table.n_common == 2
        assert other.table.documents == card.table.documents
    assert card.baselines["singletons"].facts["clusters"] == (4, 5)
    assert card.baselines["one_cluster"].facts["clusters"] == (4, 2)  # documents d and f
    assert card.baselines["mean_size"].facts["clusters"] == (4, 5)  # 3 / 2, and 1 where gold has nothing
    assert card.baselines["shuffled"].facts["clusters"] == card.facts["clusters"] == (4, 3)
    whole = cs.mentions(gold, cs.baselines.one_cluster(pred))
    assert card.baselines["one_cluster"].table.one_sided == (3, 3)
    assert cs.mentions(card.baselines["one_cluster"].table) == whole


def test_coreference_where_nothing_is_predicted() -> None:
    card = cs.score({"a": 0, "b": 0}, {}, metrics="muc, b3", baselines=True)
    assert all(other["b3"].value == 0.0 for other in card.baselines.values())


def test_weights_stay_with_their_elements() -> None:
    weights = np.arange(1, 11)
    card = cs.score(GOLD, PRED, weights=weights, metrics="elm", baselines=True)
    assert dict(card.baselines["mean_size"]) == dict(
        cs.score(GOLD, cs.baselines.mean_size(GOLD), weights=weights, metrics="elm")
    )
    by_class = cs.score(GOLD, PRED, weights="class", baselines=True)
    assert all(list(other) == list(by_class) for other in by_class.baselines.values())


def test_a_table_has_all_but_the_order() -> None:
    plain = cs.score(GOLD, PRED, baselines=True)
    card = cs.score(cs.Table.from_labels(GOLD, PRED), baselines=True)
    assert list(card.baselines) == [name for name in plain.baselines if name != "mean_size"]
    for name in ("singletons", "one_cluster"):
        assert dict(card.baselines[name]) == dict(plain.baselines[name])
    for name in card.baselines:
        assert card.baselines[name].facts == plain.baselines[name].facts
    documents = cs.score(cs.Table.from_labels(GOLD, PRED, documents=WHERE), baselines=True, average="macro")
    same = cs.score(GOLD, PRED, documents=WHERE, baselines=True, average="macro")
    assert list(documents.baselines) == [name for name in NAMES if name != "mean_size"]
    for name in ("singletons", "one_cluster"):
        assert dict(documents.baselines[name]) == dict(same.baselines[name])


def test_a_table_of_counts() -> None:
    table = cs.Table.from_cells(["g", "g"], ["p", "q"], [3, 2], gold_size={"g": 6, "h": 4}, pred_size={"q": 5})
    card = cs.score(table, metrics="b3, muc", baselines=True)
    assert card.baselines["one_cluster"].facts == {"elements": (10, 8), "clusters": (2, 1), "singletons": (0, 0)}
    assert card.baselines["one_cluster"]["b3"].recall == close(Fraction(25, 60))
    assert card.baselines["singletons"]["b3"].recall == close(Fraction(5, 60))
    assert card.baselines["shuffled"].facts["clusters"] == (2, 2)


def test_tables_without_elements() -> None:
    weighed = cs.Table.from_labels(GOLD, PRED, weights=np.ones(10))
    with pytest.raises(cs.InputError, match="need the weights of single elements"):
        cs.score(weighed, metrics="elm", baselines=True)
    large = cs.Table.from_matrix([[2**40, 1], [0, 2**40]])
    with pytest.raises(cs.InputError, match="do not fit into memory"):
        cs.score(large, metrics="elm", baselines=True)
    counted = cs.score_table(pl.DataFrame({"gold": GOLD, "pred": PRED}), metrics="elm", engine="duckdb").table
    with pytest.raises(cs.InputError, match="counted by an engine"):
        cs.score(counted, metrics="elm", baselines=True)
    with pytest.raises(cs.InputTypeError, match="a Table contains both sides"):
        cs.score(GOLD, cs.Table.from_labels(GOLD, PRED), baselines=True)


@pytest.mark.parametrize("odd", [["singletons"], "all", 1, None])
def test_baselines_is_yes_or_no(odd: Any) -> None:
    with pytest.raises(cs.InputTypeError, match="pass True or False"):
        cs.score(GOLD, PRED, baselines=odd)
