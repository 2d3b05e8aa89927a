"""Graded memberships: the measures against their definitions, pair by pair, and how they are handed over."""

from __future__ import annotations

import json
import math
import random
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import clusterscore as cs
from clusterscore.overlap import agreements
from overlap.by_definition import Graded, aci, fari, graded_means, scaled
from running import run
from variants import numbers

GOLDEN = json.loads(
    (Path(__file__).resolve().parents[1] / "golden" / "measures" / "fuzzy.json").read_text(encoding="utf-8")
)
ZERO = Fraction(0)
pytestmark = pytest.mark.filterwarnings("ignore::clusterscore.ClusterscoreWarning")


def clustering(graded: Graded, **options: Any) -> cs.Clustering:
    return cs.Clustering.from_graded([{c: float(w) for c, w in weights.items()} for weights in graded], **options)


# By definition -------------------------------------------------------------------------------------------


def f_of(p: Fraction, r: Fraction) -> Fraction:
    return 2 * p * r / (p + r) if p + r else ZERO


def near(exact: Fraction | float) -> Any:
    return pytest.approx(float(exact), abs=1e-12, rel=1e-12)


def random_side(rng: random.Random, n: int) -> Graded:
    clusters, most = rng.randint(1, 4), rng.randint(1, 3)
    return [
        {
            str(c): Fraction(rng.randint(1, 6), 6)
            for c in rng.sample(range(clusters), min(most, rng.randint(1, clusters)))
        }
        for _ in range(n)
    ]


def test_random_sides() -> None:
    rng = random.Random(3)
    for _ in range(150):
        n = rng.randint(1, 9)
        gold, pred = random_side(rng, n), random_side(rng, n)
        pair = clustering(gold), clustering(pred)
        assert cs.fuzzy_rand(*pair).value == near(fari(gold, pred).value), (gold, pred)
        if n > 1:
            assert cs.fuzzy_rand(*pair, bond="l1").value == near(aci(gold, pred).value), (gold, pred)
        for dialect in ("reference", "semeval2013"):
            p, r = graded_means(gold, pred, dialect == "semeval2013")
            score = cs.graded_bcubed(*pair, dialect=dialect)
            assert (score.precision, score.recall, score.f) == (near(p), near(r), near(f_of(p, r))), (gold, pred)


def test_sides_that_agree_but_for_rounding_are_identical() -> None:
    """Everybody undecided is one cluster, clusters have other names, or nobody shares one: 1, and nothing else is."""
    rng = random.Random(8)
    for _ in range(50):
        n = rng.randint(2, 7)
        weights = [[Fraction(rng.randint(1, 9), rng.choice([3, 7, 10])) for _ in range(3)] for _ in range(n)]
        names = rng.sample("abc", 3)
        first, second = weights[:2]
        sides: list[tuple[Graded, Graded]] = [
            ([{"x": Fraction(1)}] * n, [dict(zip("abc", first, strict=True))] * n),
            ([dict(zip("abc", second, strict=True))] * n, [dict(zip("ab", first[:2], strict=True))] * n),
            ([dict(zip("abc", w, strict=True)) for w in weights], [dict(zip(names, w, strict=True)) for w in weights]),
            ([{f"{k}a": first[0], f"{k}b": first[1]} for k in range(n)], [{str(k): Fraction(1)} for k in range(n)]),
        ]
        for bond, (gold, pred) in product(("product", "l1"), sides):
            assert cs.fuzzy_rand(clustering(gold), clustering(pred), bond=bond).value == near(1.0), (gold, pred)


def test_documents() -> None:
    """Elements of different documents share nothing: each document by itself, and all of them together."""
    rng = random.Random(4)
    for _ in range(40):
        pairs = [(random_side(rng, n), random_side(rng, n)) for n in (rng.randint(2, 6), rng.randint(2, 6))]
        documents = [d for d, (gold, _) in enumerate(pairs) for _ in gold]
        joint = [
            [{f"{d}/{c}": w for c, w in weights.items()} for d, pair in enumerate(pairs) for weights in pair[side]]
            for side in (0, 1)
        ]
        sides = [clustering([weights for pair in pairs for weights in pair[k]], documents=documents) for k in (0, 1)]
        metrics = ["fuzzy_rand", "fuzzy_rand(bond=l1)", "graded_bcubed", "graded_bcubed(dialect=semeval2013)"]
        card = cs.score(*sides, metrics=metrics)
        assert card.micro["fuzzy_rand"].value == near(fari(*joint).value)
        assert card.macro["fuzzy_rand"].value == near(sum(fari(*pair).value for pair in pairs) / 2)
        assert card.micro["fuzzy_rand(bond=l1)"].value == near(aci(*joint).value)
        assert card.macro["fuzzy_rand(bond=l1)"].value == near(sum(aci(*pair).value for pair in pairs) / 2)
        assert card.micro["graded_bcubed"].f == near(f_of(*graded_means(*joint, False)))
        terms = [graded_means(*pair, True) for pair in pairs]  # mean P and mean R, then F
        means = [sum(column, ZERO) / 2 for column in zip(*terms, strict=True)]
        official = card.micro["graded_bcubed(dialect=semeval2013)"]
        assert (official.precision, official.recall) == (near(means[0]), near(means[1]))
        assert official.f == near(f_of(*means))


@pytest.mark.parametrize("case", GOLDEN["cases"], ids=lambda case: case["name"])
def test_golden(case: dict[str, Any]) -> None:
    sides = [clustering([{c: Fraction(w) for c, w in row.items()} for row in case[side]]) for side in ("gold", "pred")]
    rand, concordance = cs.fuzzy_rand(*sides), cs.fuzzy_rand(*sides, bond="l1")
    bcubed, official = cs.graded_bcubed(*sides), cs.graded_bcubed(*sides, dialect="semeval2013")
    values = {
        "fari": rand.value,
        "fri": rand.index,
        "expected_fri": rand.expected,
        "aci": concordance.value,
        "ndc": concordance.index,
        "expected_ndc": concordance.expected,
        "graded_bcubed.P": bcubed.precision,
        "graded_bcubed.R": bcubed.recall,
        "graded_bcubed.F": bcubed.f,
        "semeval2013.P": official.precision,
        "semeval2013.R": official.recall,
        "semeval2013.F": official.f,
    }
    for name, value in values.items():
        if case["values"][name] is not None:
            assert value == pytest.approx(float(Fraction(case["values"][name])), abs=1e-9), name


def test_golden_large() -> None:
    (case,) = GOLDEN["large"]

    def mixed(first: int, second: int, share: float) -> dict[int, float]:
        return {first: 1.0} if first == second else {first: share, second: 1 - share}

    count = case["n"]
    gold = cs.Clustering.from_graded([mixed(k % 5, (k // 3) % 5, 0.75) for k in range(count)])
    pred = cs.Clustering.from_graded([mixed(k % 7, (k + k // 7) % 7, 0.5) for k in range(count)])
    score = cs.fuzzy_rand(gold, pred)
    values = {"fari": score.value, "fri": score.index, "expected_fri": score.expected}
    for name, value in values.items():
        assert value == pytest.approx(float(Fraction(case["values"][name])), abs=1e-9), name


# On other clusterings ------------------------------------------------------------------------------------


def test_on_partitions() -> None:
    rng = random.Random(5)
    for _ in range(100):
        gold, pred = ([rng.randrange(4) for _ in range(12)] for _ in "gp")
        graded = [cs.Clustering.from_graded([{label: 0.3} for label in side]) for side in (gold, pred)]
        assert cs.fuzzy_rand(*graded).value == cs.adjusted_rand(gold, pred).value
        assert cs.fuzzy_rand(*graded, bond="l1").value == near(cs.adjusted_rand(gold, pred).value)
        assert cs.fuzzy_rand(gold, pred).index == near(cs.rand(gold, pred).value)
        plain = cs.bcubed(gold, pred, f="of-means")
        assert numbers(cs.graded_bcubed(*graded)) == near_numbers(numbers(plain))


def near_numbers(expected: dict[str, float]) -> Any:
    return pytest.approx(expected, abs=1e-12)


def test_equal_weights_are_clusters_that_overlap() -> None:
    rng = random.Random(6)
    for _ in range(60):
        sides = [random_side(rng, 8) for _ in "gp"]
        equal = [[dict.fromkeys(weights, Fraction(1, 3)) for weights in side] for side in sides]
        graded = [clustering(side) for side in equal]
        covers = [cs.Clustering.from_memberships([set(weights) for weights in side]) for side in equal]
        assert repr(graded[0]) == repr(covers[0])
        assert numbers(cs.graded_bcubed(*graded)) == near_numbers(numbers(cs.extended_bcubed(*covers, f="of-means")))


@pytest.mark.parametrize("count", [40_000, 150_000])
def test_at_a_realistic_size(count: int) -> None:
    """Copies of a few elements, in any order, score as the same numbers of them."""
    rng = random.Random(count)
    kinds = [(random_side(rng, 1)[0], random_side(rng, 1)[0]) for _ in range(30)]
    drawn = [rng.randrange(30) for _ in range(count)]
    sides = [clustering([kinds[k][side] for k in drawn]) for side in (0, 1)]
    times = [drawn.count(k) for k in range(30)]
    bonds = [
        [[float(sum(u * v.get(c, 0) for c, u in w.items())) for v in side] for w in side]
        for side in (scaled([kind[k] for kind in kinds], sum) for k in (0, 1))
    ]
    a, b = bonds
    every = [(i, j, times[i] * times[j]) for i, j in product(range(30), repeat=2)]
    sa, sb = (math.fsum(m[i][j] * t for i, j, t in every) for m in bonds)
    qa, qb = (math.fsum(m[i][j] ** 2 * t for i, j, t in every) for m in bonds)
    ta, tb = (math.fsum(m[i][i] * times[i] for i in range(30)) for m in bonds)
    x = math.fsum(a[i][j] * b[i][j] * t for i, j, t in every)
    s, t, pairs = sa / qa, sb / qb, count * (count - 1)
    chance = ta * tb / count + (sa - ta) * (sb - tb) / pairs
    expected = 2 * s * t * (x - chance) / (s * sa + t * sb - 2 * s * t * chance)
    assert cs.fuzzy_rand(*sides).value == pytest.approx(expected, abs=1e-10)
    own = cs.graded_bcubed(*sides)
    assert cs.graded_bcubed(sides[1], sides[0]).precision == pytest.approx(own.recall, abs=1e-12)


def test_batches_of_which_some_are_partitions_add_up() -> None:
    rng = random.Random(9)
    gold, pred = ([dict.fromkeys("xy"[k % 2], Fraction(1)) for k in range(6)] + random_side(rng, 6) for _ in "gp")
    for metric in ("fuzzy_rand", "graded_bcubed"):
        accumulator = cs.Accumulator(metrics=[metric])
        for half in (slice(6), slice(6, None)):
            accumulator.update(clustering(gold[half]), clustering(pred[half]))
        documents = [0] * 6 + [1] * 6
        joint = cs.score(clustering(gold, documents=documents), clustering(pred, documents=documents), metrics=[metric])
        assert accumulator.result()[metric].value == near(joint.micro[metric].value)


# At the door ---------------------------------------------------------------------------------------------


def test_weights_are_proportions_and_0_is_no_membership() -> None:
    first = cs.Clustering.from_graded({"p": {"x": 3, "y": 1, "z": 0}, "q": {"y": 5}})
    second = cs.Clustering.from_graded({"q": {"y": 0.1}, "p": {"y": 0.25, "x": 0.75}})
    assert repr(first) == "Clustering(2 elements by id, 2 overlapping clusters, graded)"
    assert cs.fuzzy_rand(first, second).value == 1
    assert cs.graded_bcubed(first, second).f == 1


def test_a_row_of_weights_for_each_element() -> None:
    """Arrays and wide frames, as mixture models return them; a frame of pandas knows its index."""
    rows, ids = np.array([[1, 0, 0], [0.7, 0.3, 0], [0, 2, 3]]), ["p", "q", "r"]
    by_name = [{c: float(w) for c, w in zip("xyz", row, strict=True)} for row in rows]
    wide = pd.DataFrame(rows, columns=list("xyz"), index=ids)
    for given in (rows, wide, pl.from_pandas(wide), pa.Table.from_pandas(wide, preserve_index=False)):
        side = cs.Clustering.from_graded(given, elements=ids)
        assert repr(side) == "Clustering(3 elements by id, 3 overlapping clusters, graded)"
        assert cs.fuzzy_rand(side, cs.Clustering.from_graded(dict(zip(ids, by_name, strict=True)))).value == 1
    assert list(cs.Clustering.from_graded(wide).names)[2] == {"y", "z"}
    with pytest.raises(cs.ElementMismatch, match="different indexes"):
        cs.fuzzy_rand(cs.Clustering.from_graded(wide), cs.Clustering.from_graded(wide[::-1]))
    with pytest.raises(cs.InputError, match=r"read by Clustering\.from_graded"):
        cs.fuzzy_rand(rows, rows)


GOLD = {"p1": {"x": 1.0}, "p2": {"x": 0.7, "y": 0.3}, "p3": {"y": 1.0}}
ROWS = [("p1", "x", 0.5), ("p2", "y", 0.3), ("p3", "y", 2.0), ("p2", "x", 0.7), ("p3", "z", 0.0)]
WRITERS = {  # of a frame of pandas
    "csv": lambda frame, path: frame.to_csv(path, index=False),
    "parquet": lambda frame, path: frame.to_parquet(path),
    "jsonl": lambda frame, path: frame.to_json(path, orient="records", lines=True),
    "json": lambda frame, path: frame.to_json(path, orient="records"),
}


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, lambda rows: pa.table(rows)])
def test_frames_with_a_column_of_weights(make: Any) -> None:
    columns = ("element", "cluster", "share")
    frame = make(dict(zip(columns, map(list, zip(*ROWS, strict=True)), strict=True)))
    side = cs.Clustering.from_frame(frame, grade="share")
    assert repr(side) == "Clustering(3 elements by id, 2 overlapping clusters, graded)"
    assert cs.fuzzy_rand(cs.Clustering.from_graded(GOLD), side).value == 1


@pytest.mark.parametrize("ending", WRITERS)
def test_files_with_a_column_of_weights(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"gold.{ending}"
    WRITERS[ending](pd.DataFrame(ROWS, columns=["element", "cluster", "share"]), path)
    gold = cs.Clustering.from_graded(GOLD)
    score = cs.graded_bcubed(gold, cs.File(path, grade="share"))
    assert (score.value, score.signature) == (
        1,
        "graded_bcubed|f:of-means|beta:1|avg:micro|missing:error|pred_grade:share|v:0.1.0",
    )
    outcome = run("score", str(path), str(path), "--grade", "share", "-m", "fuzzy_rand")
    assert "fuzzy_rand           1.0000" in outcome.stdout
    both = cs.Clustering.from_files(path, path, gold_grade="share")
    assert [side.labels.names.weight is not None for side in both] == [True, False]
    with pytest.raises(cs.FileError, match=r"has no column 'share', .*; pass gold_grade=\"share\"$"):
        cs.Clustering.from_files(path, Path(__file__).parents[2] / "examples" / "pred.csv", grade="share")
    with pytest.raises(cs.InputError, match=r"not counted in an engine; use cs\.score"):
        cs.score_table(gold_table=cs.File(path, grade="share"), pred_table=cs.File(path))
    refused = run("score", str(path), str(path), "--grade", "share", "--engine", "duckdb")
    assert refused.returncode == 2
    assert "weights of clusters are not counted in an engine; take --engine arrays" in refused.stderr


def test_labels_with_weights() -> None:
    ids, labels, weights = (list(column) for column in zip(*ROWS, strict=True))
    assert (
        cs.fuzzy_rand(
            cs.Clustering.from_graded(GOLD), cs.Clustering.from_labels(labels, elements=ids, grades=weights)
        ).value
        == 1
    )
    with pytest.raises(cs.InputError, match="5 labels but 2 weights"):
        cs.Clustering.from_labels(labels, elements=ids, grades=[1, 2])


@pytest.mark.parametrize("name", ["weight", "share"])
def test_a_column_of_weights_that_nobody_named_is_doubted(name: str) -> None:
    rows = pd.DataFrame(ROWS, columns=["element", "cluster", name])
    with pytest.warns(cs.ClusterscoreWarning, match=f'a column .{name}., which was not read; .* pass grade="{name}"'):
        cs.omega(rows, rows.copy())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("element,cluster,share\na,x,1\na,y,much\n", "the weight of a membership is a number, not 'much'"),
        (
            "element,cluster,share\na,x,1\na,y,-2\n",
            "1 weight of memberships below 0, infinite or no number (e.g. '-2')",
        ),
        ("element,cluster,share\na,x,1\na,y,\n", "1 row without a value in column 'share' (e.g. row 2)"),
        ("element,cluster\na,x\na,y\n", "has no column 'share': choose from cluster, element; name it with grade="),
        ('{"element": "a", "cluster": ["x", "y"], "share": 1}\n', "a row with a weight has one cluster, not a list"),
    ],
)
def test_columns_of_weights_that_cannot_be_read(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / ("gold.jsonl" if text.startswith("{") else "gold.csv")
    path.write_text(text, encoding="utf-8")
    with pytest.raises(cs.ClusterscoreError) as caught:
        cs.Clustering.from_file(path, grade="share")
    assert f"{str(path)!r}: " in str(caught.value) or "has no column" in str(caught.value)
    assert message in str(caught.value)


SENSES = "add.v add.v.1 s1/4 s2/2.5 !! not s3\nadd.v add.v.2 s1!!\n\nwin.v win.v.1 s1/0.5 n/a/1 s3/0\n"


def test_word_senses(tmp_path: Path) -> None:
    """Terms are documents: the sense of a name in two of them is two."""
    gold, pred = tmp_path / "gold.key", tmp_path / "pred.key"
    gold.write_text(SENSES, encoding="utf-8")
    pred.write_text("win.v win.v.1 n/a/1 s1/0.5\nadd.v add.v.2 s1\nadd.v add.v.1 s1/8 s2/5\n", encoding="utf-8")
    assert (
        repr(cs.Clustering.from_file(gold))
        == "Clustering(3 elements by id, 3 overlapping clusters, graded, 2 documents)"
    )
    documents = ["add.v", "add.v", "win.v"]
    weights = [{"s1": 4, "s2": 2.5}, {"s1": 1}, {"s1": 0.5, "n/a": 1}]
    by_hand = cs.Clustering.from_graded(weights, elements=["add.v.1", "add.v.2", "win.v.1"], documents=documents)
    assert cs.graded_bcubed(by_hand, gold).value == cs.fuzzy_rand(gold, by_hand).value == 1
    outcome = run("score", str(gold), str(pred), "-m", "graded_bcubed", "-m", "graded_bcubed(dialect=semeval2013)")
    assert outcome.stdout.count("1.0000   1.0000   1.0000") == 1  # in the dialect the instance that is alone has 0
    assert cs.fuzzy_rand(gold, cs.File(pred, format="senses")).value == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("add.v add.v.1\n", "1 line without a term, an instance and a sense (e.g. line 1); write add.v add.v.1"),
        ("add.v add.v.1 s1/1 s1/2\n", "line 1 has a sense twice, or a weight without a sense"),
        ("add.v add.v.1 !! s1\n", "1 line without a term, an instance and a sense (e.g. line 1)"),
        ("add.v add.v.1 /2\n", "line 1 has a sense twice, or a weight without a sense"),
        ("add.v add.v.1 s1/much\n", "the weight of a membership is a number, not 'much'"),
        ("add.v add.v.1 s1/-1\n", "1 weight of memberships below 0"),
        ("add.v add.v.1 s1\nadd.v add.v.1 s1\n", "'add.v.1' is in line 1 and in line 2; write its senses in one line"),
        ("", "is empty"),
    ],
)
def test_broken_word_senses(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "gold.key"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(cs.ClusterscoreError) as caught:
        cs.fuzzy_rand(path, path)
    assert message in str(caught.value)


def test_a_key_of_coreference_is_no_list_of_senses(tmp_path: Path) -> None:
    path = tmp_path / "dev.key"
    path.write_bytes((Path(__file__).resolve().parents[2] / "examples" / "key.conll").read_bytes())
    assert cs.muc(path, path, missing="keep").f == 1


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"a": {"x": -1}}, "1 weight of memberships below 0"),
        ({"a": {"x": float("nan")}}, "infinite or no number"),
        ({"a": {"x": float("inf")}}, "infinite or no number"),
        ({"a": {"x": "much"}}, "is a number, not 'much'"),
        (np.array([[0.5, -1]]), "1 weight of memberships below 0"),
        (np.array([[0.5, np.nan]]), "infinite or no number"),
        ({"a": ["x"]}, "{cluster: weight} for each element, or an array with a row for each, not ['x']"),
        (3, "or an array with a row for each, not 3"),
        ([{"x": 1}, None], "not None"),
    ],
)
def test_mistakes(given: Any, message: str) -> None:
    with pytest.raises(cs.ClusterscoreError) as caught:
        cs.Clustering.from_graded(given)
    assert message in str(caught.value)


def test_nobody_shares_a_cluster() -> None:
    apart = cs.Clustering.from_graded({"a": {"x": 1, "y": 2}, "b": {"z": 1}})
    together = cs.Clustering.from_graded({"a": {"x": 1, "y": 2}, "b": {"x": 1, "y": 2}})
    for metric in ("fuzzy_rand", "fuzzy_rand(bond=l1)", "graded_bcubed"):
        assert cs.metric(metric)(apart, apart).value == 1
    assert cs.fuzzy_rand(apart, together, bond="l1").index == 0


def test_tiny_weights_are_memberships() -> None:
    """They count as nothing where they are added to others, and divide nothing by 0."""
    gold = {"a": {"x": 1.0}, "b": {"x": 1e-20, "y": 1.0}, "c": {"y": 0.5, "x": 0.5}}
    pred = {"a": {"x": 1.0}, "b": {"x": 0.5, "y": 1.0}, "c": {"y": 1.0}}
    exact = [[{c: Fraction(w) for c, w in graded.items()} for graded in side.values()] for side in (gold, pred)]
    sides = [cs.Clustering.from_graded(side) for side in (gold, pred)]
    for dialect in ("reference", "semeval2013"):
        score = cs.graded_bcubed(*sides, dialect=dialect)
        assert (score.precision, score.recall) == tuple(map(near, graded_means(*exact, dialect == "semeval2013")))
    assert cs.graded_bcubed(sides[0], cs.Clustering.from_graded(gold)).f == 1


def test_too_many_pairs_are_refused_before_they_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    sides = [clustering(random_side(random.Random(seed), 30)) for seed in (1, 2)]
    monkeypatch.setattr(agreements, "_MOST_KEPT", 100)
    with pytest.raises(cs.ClusterscoreError, match=r"compare every two elements .* pairs here; score documents or"):
        cs.fuzzy_rand(*sides, bond="l1")
    assert cs.graded_bcubed(*sides).f < 1  # which keeps none of them


def test_other_measures_do_not_ignore_weights() -> None:
    graded = cs.Clustering.from_graded({"a": {"x": 1, "y": 2}, "b": {"x": 1}})
    for name in ("elm", "extended_bcubed", "omega", "matched_elm"):
        with pytest.raises(cs.NotAPartition, match=f"by weights here, which {name} does not know; use fuzzy_rand"):
            cs.metric(name)(graded, graded)
    assert list(cs.score(graded, graded)) == ["fuzzy_rand", "graded_bcubed"]


def test_the_scorer_of_semeval_knows_no_weights_of_elements() -> None:
    official = cs.metric("graded_bcubed(dialect=semeval2013)")
    with pytest.raises(cs.MetricError, match=r"^graded_bcubed\(dialect=semeval2013\) does not accept element weights"):
        official([0, 0, 1], [0, 1, 1], weights=[1, 2, 3])
    with pytest.raises(cs.MetricError, match="dialect=semeval2013 and weights=given exclude each other"):
        cs.metric("graded_bcubed(dialect=semeval2013, weights=given)")


def test_missing_elements_and_noise() -> None:
    gold = cs.Clustering.from_graded({"a": {"x": 1}, "b": {"x": 1, "y": 2}, "c": {"y": 1}})
    pred = cs.Clustering.from_graded({"a": {"x": 1}, "b": {"x": 1, "y": 2}})
    with pytest.raises(cs.ElementMismatch, match="only in gold"):
        cs.fuzzy_rand(gold, pred)
    assert cs.fuzzy_rand(gold, pred, missing="drop").value == 1
    assert cs.fuzzy_rand(gold, pred, missing="singleton").value < 1
    alone = cs.graded_bcubed(gold, pred, missing="singleton")
    named = cs.Clustering.from_graded({"a": {"x": 1}, "b": {"x": 1, "y": 2}, "c": {"own": 1}})
    assert numbers(alone) == numbers(cs.graded_bcubed(gold, named))
    without_y = cs.graded_bcubed(gold, gold, noise="y", noise_as="drop")
    assert without_y.value == 1
