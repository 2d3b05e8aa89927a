"""What tools of logs, page streams, entity resolution and category discovery say, as recorded from them."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import pytest

import clusterscore as cs

GOLDEN = Path(__file__).resolve().parents[1] / "golden"
pytestmark = pytest.mark.filterwarnings("ignore::clusterscore.ClusterscoreWarning")


def cases(name: str) -> Any:
    recorded = json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))["cases"]
    return pytest.mark.parametrize("case", recorded, ids=lambda case: case["id"])


def prf(score: Any) -> dict[str, float | None]:
    return {"precision": score.precision, "recall": score.recall, "f1": score.f}


def compared(values: dict[str, Any], case: dict[str, Any], tolerance: float) -> None:
    """Every value of every tool, to the tolerance of its file."""
    assert case["expected"]
    for measure, tool, value, *tolerances in case["expected"]:
        assert values[measure] == pytest.approx(value, abs=(tolerances or [tolerance])[0]), (measure, tool)


# Logs: loghub-2.0, logparser ---------------------------------------------------------------------------


def logs(card: cs.Scorecard) -> dict[str, Any]:
    scores = {"GA": card["ga"].value, **{f"pair_{name}": value for name, value in prf(card["pairwise"]).items()}}
    exact = card["cluster_match"]
    return {**scores, "PGA": exact.precision, "RGA": exact.recall, "FGA": exact.f}


@cases("log_parsing")
def test_logs(case: dict[str, Any], tmp_path: Path) -> None:
    sides = {"gold": case["gold"], "pred": case["pred"]}
    for side, labels in sides.items():
        rows = [f"{k},{label or ''},id of {label}" if label else f"{k},," for k, label in enumerate(labels, 1)]
        text = "\n".join(["LineId,EventTemplate,EventId", *rows])
        (tmp_path / f"{side}_structured.csv").write_text(text, encoding="utf-8")
    files = [str(tmp_path / f"{side}_structured.csv") for side in sides]
    cards: dict[str, list[cs.Scorecard]] = {}
    for measure, tool, value, *only in case["expected"]:
        how = {"noise_as": "loghub" if tool == "loghub-2.0" else "logparser"}
        if (key := f"{tool} {only}") not in cards:
            some = {"only": only[0]} if only else {}
            cards[key] = [cs.score(*both, field="logs", **how, **some) for both in (sides.values(), files)]
            if not only:
                cards[key].append(cs.score_table(*files, field="logs", engine="duckdb", **how))
        for card in cards[key]:
            assert logs(card)[measure] == pytest.approx(value, abs=1e-12), (measure, tool)
            assert f"noise_as:{how['noise_as']}" in card["ga"].signature


def test_a_parser_that_finds_nothing(tmp_path: Path) -> None:
    """In logparser no line is right; in loghub-2.0 all lines are together."""
    (tmp_path / "gold.csv").write_text("LineId,EventTemplate\n1,a\n2,a\n3,b\n")
    (tmp_path / "pred.csv").write_text("LineId,EventTemplate\n1,\n2,\n3,\n")
    files = [str(tmp_path / f"{side}.csv") for side in ("gold", "pred")]
    for noise_as in ("logparser", "loghub"):
        how = {"field": "logs", "noise_as": noise_as, "metrics": "ga, cluster_match"}
        cards = [cs.score(["a", "a", "b"], [None] * 3, **how), cs.score(*files, **how)]
        for card in (*cards, cs.score_table(*files, engine="duckdb", **how)):
            assert (card["ga"].value, card["cluster_match"].f) == (0.0, 0.0)


def test_logs_whose_lines_are_numbered_alike(tmp_path: Path) -> None:
    """Two logs in one file: what is reported instead of GA is not silently so."""
    rows = {"gold": "1,a\n2,a\n3,b\n1,c\n2,d\n", "pred": "1,a\n2,e\n3,b\n1,c\n2,d\n"}
    for side, text in rows.items():
        (tmp_path / f"{side}.csv").write_text(f"LineId,EventTemplate\n{text}")
    files = [str(tmp_path / f"{side}.csv") for side in rows]
    with pytest.warns(
        cs.ClusterscoreWarning, match=r"some lines have several templates.* field logs .* pass document="
    ):
        assert "matched_elm" in cs.score(*files, field="logs")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        sides = [cs.Clustering.from_clusters(clusters) for clusters in ([[1, 2], [2, 3]], [[1, 2, 3]])]
        assert "matched_elm" in cs.score(*sides)


# Page streams: OpenPSS, TABME, scikit-learn ------------------------------------------------------------

BOUNDARIES = {first: cs.metric(f"boundaries(first={first}, empty=0)") for first in ("out", "counted", "given")}
PANOPTIC = {"iou": "panoptic", "majority": "panoptic(rule=majority)"}


@cases("page_streams")
@pytest.mark.parametrize("door", ["python", "json", "table"])
def test_page_streams(case: dict[str, Any], door: str, tmp_path: Path) -> None:
    sides: Any = [{f"s{k}": stream[side] for k, stream in enumerate(case["streams"])} for side in ("gold", "pred")]
    if door == "json":
        for side in (0, 1):
            (tmp_path / f"{side}.json").write_text(json.dumps(sides[side]), encoding="utf-8")
        sides = [cs.File(tmp_path / f"{side}.json", format="boundaries") for side in (0, 1)]
    elif door == "table":
        rows = [
            f"{s},{k},{a},{b}" for s in sides[0] for k, (a, b) in enumerate(zip(*(x[s] for x in sides), strict=True))
        ]
        (tmp_path / "p.csv").write_text("\n".join(["stream,page,gold,pred", *rows[::-1]]), encoding="utf-8")
        how = {"format": "boundaries", "document": "stream", "element": "page"}  # which puts them in order
        sides = [cs.File(tmp_path / "p.csv", cluster=side, **how) for side in ("gold", "pred")]
    metrics = [*BOUNDARIES.values(), *PANOPTIC.values(), "perfect_documents", "transfer_distance"]
    card = cs.score(*sides, field="page-streams", metrics=metrics)
    values: dict[str, Any] = {"stp": card["stp"].value, "mndd": card["transfer_distance"].value}
    for rule, name in PANOPTIC.items():
        score = card[name]
        parts = {
            "precision": score.precision,
            "recall": score.recall,
            "f1": score.rq,
            "pq": score.value,
            "sq": score.sq,
        }
        values |= {f"panoptic:{rule}:{part}": value for part, value in parts.items()}
    for average in ("micro", "macro"):
        for first, metric in BOUNDARIES.items():
            numbers = prf(getattr(card, average)[str(metric)])
            values |= {f"{name}:{first}:{average}": value for name, value in numbers.items()}
    for measure, *_, value in case["expected"]:
        if measure == "mndd, not minimal":  # TABME's program, which takes more steps than it must, or one page twice
            assert abs(value - values["mndd"]) > 0.1
            values[measure] = value
    compared(values, case, 1e-9)


# Entity resolution: S2AND, Splink, er-evaluation -------------------------------------------------------

PAIRS = {name: name for name in ("specificity", "npv", "p4")}
PAIRS |= {"phi": "phi(empty=0)", "accuracy": "rand", "f2": "pairwise(beta=2)", "f0_5": "pairwise(beta=0.5)"}


def by_splink(score: Any) -> dict[str, Any]:
    """What Splink prints of pairs, given what scores a metric."""
    values = {**prf(score("pairwise")), **{name: score(metric).value for name, metric in PAIRS.items()}}
    return {**values, "fn_rate": 1 - values["recall"], "fp_rate": 1 - values["specificity"]}


@cases("er")
def test_entity_resolution(case: dict[str, Any]) -> None:
    if "pairs" in case:
        return
    gold, pred = case["gold"], case["pred"]
    card = cs.score(gold, pred, field="entity-resolution")
    scores = {"self": cs.pairwise(gold, pred, pairs="self"), "pairs": card["pairwise"], "exact": card["cluster_match"]}
    scores["b3"] = cs.bcubed(gold, pred, f="of-means")
    scores["b3_gold"] = cs.bcubed(gold, pred, f="of-means", weights="class")
    if "blocks" in case:
        blocks = cs.score(gold, pred, metrics="pairwise(pairs=self)", documents=case["blocks"], average="macro")
        scores["blocks"] = blocks["pairwise(pairs=self)"]
    values: dict[str, Any] = {
        f"{which}:{name}": value for which, score in scores.items() for name, value in prf(score).items()
    }
    values |= by_splink(lambda name: cs.metric(name)(gold, pred))
    pairs = [(a, b) for b in range(len(gold)) for a in range(b)]
    values |= counts((gold[a] == gold[b], pred[a] == pred[b]) for a, b in pairs)
    compared(values, case, 1e-6)


def counts(pairs: Any) -> dict[str, int]:
    """How many pairs match in gold and in the prediction."""
    kinds = {(True, True): "tp", (False, True): "fp", (True, False): "fn", (False, False): "tn"}
    listed = [kinds[pair] for pair in pairs]
    return {kind: listed.count(kind) for kind in kinds.values()}


@cases("er")
def test_thresholds_of_pairs_that_are_no_clustering(case: dict[str, Any]) -> None:
    """A pair is linked from its threshold up; one that blocking missed never is. All others, if any, are apart."""
    if "pairs" not in case:
        return
    thresholds = {measure.partition("@")[2] for measure, *_ in case["expected"]}
    values: dict[str, Any] = {}
    for threshold in thresholds:
        linked = [(match, weight is not None and weight >= float(threshold)) for weight, match in case["pairs"]]
        number = counts(linked)
        number["tn"] += (case.get("total") or len(linked)) - len(linked)
        scores = {**number, **by_splink(lambda name: cs.metric(name).of_pairs(**number))}  # noqa: B023
        values |= {f"{name}@{threshold}": value for name, value in scores.items()}
    compared(values, case, 1e-6)


@pytest.mark.parametrize("name", ["adjusted_rand(weights=class)", "adjusted_rand(model=num)"])
def test_counts_of_pairs_are_not_enough_for_every_measure(name: str) -> None:
    with pytest.raises(cs.MetricError, match="needs to know more than how many pairs are right"):
        cs.metric(name).of_pairs(tp=3, fp=1, fn=3, tn=93)  # type: ignore[attr-defined]


# Generalized category discovery ------------------------------------------------------------------------


@cases("gcd")
def test_category_discovery(case: dict[str, Any]) -> None:
    gold, pred, old = case["gold"], case["pred"], case["old"]
    values: dict[str, Any] = {"acc": cs.score(gold, pred, field="clustering")["acc"].value}
    for name, metric in {"v1": "acc(match=slice)", "v2": "acc", "v2b": "acc(mean=classes)"}.items():
        card = cs.score(gold, pred, field="clustering", metrics=metric, old=old)
        (values[f"{name}_all"],) = (score.value for score in card.values())
        (slices,) = card.slices.values()
        values |= {f"{name}_{kind}": score.value for kind, score in slices.items()}
    classes = cs.score(gold, pred, field="clustering", metrics="acc", old=old, by=gold).slices["acc"]
    values |= {f"class_{label}": score.value for label, score in classes.items()}
    compared(values, case, 1e-12)
