"""What tools of page streams, entity resolution and category discovery say, as recorded from them."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import clusterscore as cs

GOLDEN = Path(__file__).resolve().parents[1] / "golden"
pytestmark = pytest.mark.filterwarnings("ignore::clusterscore.ClusterscoreWarning")


def cases(name: str) -> Any:
    found = json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))["cases"]
    return pytest.mark.parametrize("case", found, ids=lambda case: case["id"])


def prf(score: cs.Score) -> dict[str, float | None]:
    return {"precision": score.precision, "recall": score.recall, "f1": score.f}


# Page streams: OpenPSS, TABME, scikit-learn ------------------------------------------------------------


@cases("page_streams")
def test_page_streams(case: dict[str, Any]) -> None:
    sides = {side: {k: stream[side] for k, stream in enumerate(case["streams"])} for side in ("gold", "pred")}
    gold, pred = (cs.Clustering.from_boundaries(streams) for streams in sides.values())
    metrics = ["boundaries", "boundaries(first=counted)", "perfect_documents", "transfer_distance"]
    card = cs.score(gold, pred, metrics=metrics)
    found: dict[str, Any] = {"stp": card["stp"].value, "mndd": card.macro["transfer_distance"].value}
    assert card.macro["perfect_documents"].value == found["stp"]
    inner = {side: [any(flags[1:]) for flags in streams.values()] for side, streams in sides.items()}
    for average, averaged, defined in (("micro", card.micro, any), ("macro", card.macro, all)):
        scores = {"counted": averaged["boundaries(first=counted)"]}
        if all(map(defined, inner.values())):  # else 0/0, which is 1 here and 0 there
            scores["out"] = averaged["boundaries"]
        for first, score in scores.items():
            found |= {f"{name}:{first}:{average}": value for name, value in prf(score).items()}
    for measure, tool, value in case["expected"]:
        if ":out:" not in measure or measure in found:
            assert found[measure] == pytest.approx(value, abs=1e-9), (measure, tool)


# Entity resolution: S2AND, Splink, er-evaluation -------------------------------------------------------


def close(expected: Any) -> Any:
    value, *tolerance = expected
    return pytest.approx(value, abs=tolerance[0] if tolerance else 1e-6)


BY_SPLINK = {"f2": "pairwise(beta=2)", "f0_5": "pairwise(beta=0.5)", "f1": "pairwise"}


@cases("er")
def test_entity_resolution(case: dict[str, Any]) -> None:
    if "pairs" in case:
        return
    gold, pred = case["gold"], case["pred"]
    scores = {"self": cs.pairwise(gold, pred, pairs="self"), "pairs": cs.pairwise(gold, pred)}
    scores["b3"] = cs.bcubed(gold, pred, f="of-means")
    if "blocks" in case:
        card = cs.score(gold, pred, metrics="pairwise(pairs=self)", documents=case["blocks"], average="macro")
        scores["blocks"] = card["pairwise(pairs=self)"]
    found: dict[str, Any] = {
        f"{which}:{name}": value for which, score in scores.items() for name, value in prf(score).items()
    }
    found |= prf(scores["pairs"])
    found |= {name: cs.metric(name)(gold, pred).value for name in ("specificity", "npv", "p4", "phi")}
    found |= {name: cs.metric(metric)(gold, pred).value for name, metric in BY_SPLINK.items()}
    counts = {name: value for name, _, value, *_ in case["expected"] if name in ("tp", "fp", "fn", "tn")}
    for measure, tool, *expected in case["expected"]:
        if measure not in counts and not undefined(measure, counts, expected[0]):
            assert found[measure] == close(expected), (measure, tool)


def undefined(measure: str, counts: dict[str, float], value: Any) -> bool:
    """Where Splink divides 0 by 0: it has NaN, or 0 for phi, and all is right or nothing can be wrong here."""
    if measure == "phi" and counts:
        tp, fp, fn, tn = (counts[name] for name in ("tp", "fp", "fn", "tn"))
        return not math.prod([tp + fp, tp + fn, tn + fp, tn + fn])
    # er-evaluation and Splink have an F of 0 where nothing is predicted; so have we
    return value == "nan"


@cases("er")
def test_thresholds_of_pairs_that_are_no_clustering(case: dict[str, Any]) -> None:
    """The formulas on any four counts, as Splink has them at a threshold."""
    if "pairs" not in case:
        return
    by_threshold: dict[str, dict[str, Any]] = {}
    for measure, _, value, *_ in case["expected"]:
        name, _, threshold = measure.partition("@")
        by_threshold.setdefault(threshold, {})[name] = value
    for expected in by_threshold.values():
        counts = {name: expected.pop(name) for name in ("tp", "fp", "fn", "tn")}
        tp, fp, fn, tn = counts.values()
        numbers = {"together": tp, "gold": tp + fn, "pred": tp + fp, "elements": 0, "other_pairs": tp + fp + fn + tn}
        parts = {name: np.array([float(number)]) for name, number in numbers.items()}
        pairwise = prf(cs.metric("pairwise").finish(**parts).score(""))
        for name, value in expected.items():
            if not undefined(name, counts, value):
                metric = cs.metric(BY_SPLINK.get(name, name if name not in pairwise else "pairwise"))
                found = pairwise[name] if name in pairwise else metric.finish(**parts).value[0]
                assert found == pytest.approx(value, abs=1e-6), (name, counts)


# Generalized category discovery ------------------------------------------------------------------------


@cases("gcd")
def test_category_discovery(case: dict[str, Any]) -> None:
    gold, pred = case["gold"], case["pred"]
    kinds = ["old" if label in case["old"] else "new" for label in gold]
    v2 = cs.score(gold, pred, metrics="set_matching", by=kinds)
    v1 = cs.score(gold, pred, metrics="set_matching", documents=kinds)
    by_kind = dict(zip(v1.documents["document"].tolist(), v1.documents["set_matching"].tolist(), strict=True))
    found: dict[str, Any] = {"acc": v2["acc"].value, "v2_all": v2["acc"].value, "v1_all": v1["acc"].value}
    found |= {f"v2_{kind}": score.value for kind, score in v2.slices["acc"].items()}
    found |= {f"v1_{kind}": score for kind, score in by_kind.items()}
    apart = cs.score(gold, pred, metrics="set_matching(match=slice)", by=kinds)
    assert apart["acc"].value == v1["acc"].value
    assert {kind: score.value for kind, score in apart.slices["acc"].items()} == by_kind
    classes = cs.score(gold, pred, metrics="set_matching", by=gold).slices["acc"]
    found |= {f"class_{label}": score.value for label, score in classes.items()}
    for kind, labels in {"all": set(gold), "old": set(case["old"]), "new": set(gold) - set(case["old"])}.items():
        found[f"v2b_{kind}"] = np.mean([classes[label].value for label in labels & set(gold)] or [math.nan])
    for measure, tool, value in case["expected"]:
        assert found[measure] == pytest.approx(value, abs=1e-9), (measure, tool)
