"""Other implementations: bcubed itself; cdlib, networkit and clusim as record_peers.py has recorded them."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import clusterscore as cs
from overlap import by_definition

PEERS = json.loads(Path(__file__).with_name("peers.json").read_text(encoding="utf-8"))
CASES = {case["name"]: case for case in PEERS["cases"]}
RECORDED = [
    (case, peer, measure) for case in CASES for peer in PEERS["versions"] for measure in CASES[case].get(peer, {})
]
MAY_EXPLAIN = by_definition.may_explain
LANCICHINETTI = "overlapping_nmi(normalization=lancichinetti)"

NO_CHANCE = "every pair agrees, as by chance it must: 0/0, which is 1 here and in cdlib, NaN in clusim"
NO_ENTROPY = (
    "neither side has any entropy: 0/0, which is 0 here, as they are not identical; an exception in cdlib; 1 in "
    "networkit, which takes no cluster twice"
)
UNEXPLAINED = "cdlib takes a cluster of all elements for unexplained, also where the other side has it too"
STRICT = "cdlib wants h(a) + h(d) > h(b) + h(c), and the paper >="
SHARES_NOTHING = "networkit leaves out clusters that share no element, and says so; the definition does not"
DIFFERENT: dict[tuple[str, str, str], str] = {
    ("identical, in another order, with a cluster of all", "cdlib", LANCICHINETTI): UNEXPLAINED,
    ("a cluster of all beside others", "cdlib", LANCICHINETTI): UNEXPLAINED,
    ("a cluster of all once and twice", "cdlib", LANCICHINETTI): UNEXPLAINED,
    ("nested", "cdlib", LANCICHINETTI): UNEXPLAINED,
    ("every pair alike, clusters not", "clusim", "omega"): NO_CHANCE,
    ("a cluster of all once and twice", "cdlib", "overlapping_nmi"): NO_ENTROPY,
    ("a cluster of all once and twice", "networkit", "overlapping_nmi"): NO_ENTROPY,
    ("h(a) + h(d) = h(b) + h(c)", "cdlib", "overlapping_nmi"): STRICT,
    ("h(a) + h(d) = h(b) + h(c)", "cdlib", LANCICHINETTI): STRICT,
    ("h(a) + h(d) = h(b) + h(c), three times as large", "cdlib", "overlapping_nmi"): STRICT,
    ("h(a) + h(d) = h(b) + h(c), three times as large", "cdlib", LANCICHINETTI): STRICT,
    ("a large cluster and a small one that share nothing", "networkit", "overlapping_nmi"): SHARES_NOTHING,
    ("random 12", "networkit", "overlapping_nmi"): SHARES_NOTHING,
    ("random 17", "networkit", "overlapping_nmi"): SHARES_NOTHING,
}


def near(expected: float) -> Any:
    return pytest.approx(float(expected), abs=1e-12, rel=0)


def defined(measure: str, gold: Any, pred: Any) -> float:
    """The number that the definition gives for a measure as it is recorded."""
    by_name: dict[str, Callable[[], Any]] = {
        LANCICHINETTI: lambda: by_definition.overlapping_nmi(gold, pred, "lancichinetti"),
        "community_f1.gold_f1": lambda: by_definition.best_f1(gold, pred),
        "community_f1.pred_f1": lambda: by_definition.best_f1(pred, gold),
    }
    return float(by_name.get(measure, lambda: getattr(by_definition, measure)(gold, pred))())


def scored(measure: str, gold: Any, pred: Any) -> float:
    """The library's number."""
    metric, _, extra = measure.partition(".")
    score = cs.metric(metric)(*map(cs.Clustering.from_clusters, (gold, pred)))
    return score.extras[extra] if extra else score.value


def test_recorded() -> None:
    for case, peer, measure in RECORDED:
        gold, pred, recorded = CASES[case]["gold"], CASES[case]["pred"], CASES[case][peer][measure]
        expected = defined(measure, gold, pred)
        assert scored(measure, gold, pred) == near(expected), (case, measure)
        if (case, peer, measure) in DIFFERENT:
            assert recorded is None or abs(recorded - expected) > 1e-3, (case, peer, measure)
        else:
            assert recorded == near(expected), (case, peer, measure)


@pytest.mark.parametrize(
    ("reason", "may_explain"),
    [
        (STRICT, lambda a, b, c, d: not MAY_EXPLAIN(b, a, d, c)),
        (SHARES_NOTHING, lambda a, b, c, d: d > 0 and MAY_EXPLAIN(a, b, c, d)),
    ],
    ids=["strict", "shares nothing"],
)
def test_reason(monkeypatch: pytest.MonkeyPatch, reason: str, may_explain: Callable[..., bool]) -> None:
    """The definition changed as the reason says gives the peer's number."""
    monkeypatch.setattr(by_definition, "may_explain", may_explain)
    for (case, peer, measure), why in DIFFERENT.items():
        if why == reason:
            assert CASES[case][peer][measure] == near(defined(measure, CASES[case]["gold"], CASES[case]["pred"]))


def test_reason_unexplained() -> None:
    for case in (case for (case, _, _), why in DIFFERENT.items() if why == UNEXPLAINED):
        sides = CASES[case]["gold"], CASES[case]["pred"]
        everyone = by_definition.elements_of(*sides)
        lost = sum(side.count(everyone) / len(side) for side in sides) / 2
        assert CASES[case]["cdlib"][LANCICHINETTI] == near(defined(LANCICHINETTI, *sides) - lost)


# bcubed --------------------------------------------------------------------------------------------------

# figures 16 to 21 of Amigo et al. 2009, as in its README and example.py: the categories and clusters of items 1 to 7
CATEGORIES = ["gray black", "gray black", "gray", "black", "black", "dashed", "dashed"]
FIGURES = {
    16: ["A B", "A B", "A", "B", "B", "C", "C"],
    17: ["ADup A B", "ADup A B", "ADup A", "B", "B", "C", "C"],
    18: ["ADup2 ADup A B", "ADup2 ADup A B", "ADup2 ADup A", "B", "B", "C", "C"],
    19: ["A", "A", "A", "B", "B", "C", "C"],
    20: ["A B", "A B", "A", "D", "D", "C", "C"],
    21: ["A", "A", "A", "A", "A", "B", "B"],
}


def by_item(names: list[str]) -> dict[str, set[str]]:
    return {f"item{k}": set(labels.split()) for k, labels in enumerate(names, 1)}


def agrees_with_bcubed(gold: dict[Any, set[Any]], pred: dict[Any, set[Any]]) -> None:
    bcubed = pytest.importorskip("bcubed", reason="bcubed, of the dev dependencies, is not installed")
    precision, recall = bcubed.precision(pred, gold), bcubed.recall(pred, gold)
    for beta in (0.5, 1, 2):
        score = cs.extended_bcubed(*map(cs.Clustering.from_memberships, (gold, pred)), f="of-means", beta=beta)
        assert (score.precision, score.recall) == (near(precision), near(recall))
        assert score.f == near(bcubed.fscore(precision, recall, beta=beta))


@pytest.mark.parametrize("figure", FIGURES)
def test_examples_of_bcubed(figure: int) -> None:
    agrees_with_bcubed(by_item(CATEGORIES), by_item(FIGURES[figure]))


@pytest.mark.parametrize("seed", range(10))
def test_bcubed_on_random_clusterings(seed: int) -> None:
    rng = random.Random(seed)
    n, clusters = rng.randint(2, 60), rng.randint(3, 20)
    gold, pred = (
        {e: {f"{side}{k}" for k in rng.sample(range(clusters), rng.randint(1, 3))} for e in range(n)} for side in "gp"
    )
    agrees_with_bcubed(gold, pred)
