"""Graded memberships: the measures against their definitions, pair by pair, and how they are handed over."""

from __future__ import annotations

import json
import math
import random
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import clusterscore as cs
from overlap.by_definition import Graded, aci, fari, graded_means, scaled
from variants import numbers

GOLDEN = json.loads(
    (Path(__file__).resolve().parents[1] / "golden" / "measures" / "fuzzy.json").read_text(encoding="utf-8")
)
ZERO = Fraction(0)
pytestmark = pytest.mark.filterwarnings("ignore::clusterscore.ClusterscoreWarning")


def clustering(graded: Graded, **options: Any) -> cs.Clustering:
    return cs.Clustering.from_graded([{c: float(w) for c, w in one.items()} for one in graded], **options)


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
    for _ in range(300):
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


def test_documents() -> None:
    """Elements of different documents share nothing: each document by itself, and all of them together."""
    rng = random.Random(4)
    for _ in range(40):
        pairs = [(random_side(rng, n), random_side(rng, n)) for n in (rng.randint(2, 6), rng.randint(2, 6))]
        documents = [d for d, (gold, _) in enumerate(pairs) for _ in gold]
        joint = [
            [{f"{d}/{c}": w for c, w in one.items()} for d, pair in enumerate(pairs) for one in pair[side]]
            for side in (0, 1)
        ]
        sides = [clustering([one for pair in pairs for one in pair[k]], documents=documents) for k in (0, 1)]
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
    sides = [clustering([{c: Fraction(w) for c, w in one.items()} for one in case[side]]) for side in ("gold", "pred")]
    rand, concordance = cs.fuzzy_rand(*sides), cs.fuzzy_rand(*sides, bond="l1")
    bcubed, official = cs.graded_bcubed(*sides), cs.graded_bcubed(*sides, dialect="semeval2013")
    found = {
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
    for name, value in found.items():
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
    found = {"fari": score.value, "fri": score.index, "expected_fri": score.expected}
    for name, value in found.items():
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
        equal = [[dict.fromkeys(one, Fraction(1, 3)) for one in side] for side in sides]
        graded = [clustering(side) for side in equal]
        covers = [cs.Clustering.from_memberships([set(one) for one in side]) for side in equal]
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


# At the door ---------------------------------------------------------------------------------------------


def test_weights_are_proportions_and_0_is_no_membership() -> None:
    one = cs.Clustering.from_graded({"p": {"x": 3, "y": 1, "z": 0}, "q": {"y": 5}})
    other = cs.Clustering.from_graded({"q": {"y": 0.1}, "p": {"y": 0.25, "x": 0.75}})
    assert repr(one) == "Clustering(2 elements by id, 2 overlapping clusters, graded)"
    assert cs.fuzzy_rand(one, other).value == 1
    assert cs.graded_bcubed(one, other).f == 1


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"a": {"x": -1}}, "1 weight of memberships below 0"),
        ({"a": {"x": float("nan")}}, "infinite or no number"),
        ({"a": {"x": float("inf")}}, "infinite or no number"),
        ({"a": {"x": "much"}}, "is a number, not 'much'"),
        ({"a": ["x"]}, "a mapping {cluster: weight} for each element, not ['x']"),
        (3, "a mapping {cluster: weight} for each element, not 3"),
        ([{"x": 1}, None], "not None"),
    ],
)
def test_mistakes(given: Any, said: str) -> None:
    with pytest.raises(cs.ClusterscoreError) as caught:
        cs.Clustering.from_graded(given)
    assert said in str(caught.value)


def test_other_measures_do_not_ignore_weights() -> None:
    graded = cs.Clustering.from_graded({"a": {"x": 1, "y": 2}, "b": {"x": 1}})
    for name in ("elm", "extended_bcubed", "omega", "matched_elm"):
        with pytest.raises(cs.NotAPartition, match=f"by weights here, which {name} does not know; use fuzzy_rand"):
            cs.metric(name)(graded, graded)
    assert list(cs.score(graded, graded)) == ["fuzzy_rand", "graded_bcubed"]


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
