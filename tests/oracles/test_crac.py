"""CRAC scores: every run of the CorefUD scorer that is kept, and its rules written down a second time."""

from __future__ import annotations

import json
import random
from collections import Counter
from itertools import product
from pathlib import Path
from typing import Any

import crac
import pytest

import clusterscore as cs
from clusterscore.analyses.request import Request
from clusterscore.analyses.score.coref import card_as_matched

GOLDEN = Path(__file__).parent.parent / "golden" / "crac"
RUNS = json.loads((GOLDEN / "golden.json").read_text())["runs"]
BLANC = "blanc(dialect=luo2014, links=document)"
METRICS = {"muc": "muc", "b3": "b3", "ceafm": "ceafm", "ceafe": "ceafe", "blanc": BLANC, "lea": "lea", "mor": "mor",
           "zero": "zero", "conll": "conll"}  # fmt: skip
OPTIONS = [
    {"match": match, "singletons": singletons, "zeros": zeros}
    for match, singletons, zeros in product(("exact", "head", "partial"), ("keep", "drop"), ("linear", "dependent"))
]
TOLERANCE = 1e-9

pytestmark = pytest.mark.filterwarnings("ignore::clusterscore.ClusterscoreWarning")


def numbers(score: cs.Score) -> list[float]:
    return [part for part in (score.precision, score.recall, score.value) if part is not None]


def check(card: cs.Scorecard, expected: dict[str, Any], about: Any) -> None:
    for name, values in expected.items():
        known = [value for value in values if value is not None]
        assert numbers(card[METRICS[name]]) == pytest.approx(known, abs=TOLERANCE, rel=0), (name, about)


@pytest.mark.parametrize("case", sorted({run["case"] for run in RUNS}))
def test_every_run_of_the_scorer(case: str) -> None:
    runs = [run for run in RUNS if run["case"] == case]
    assert len(runs) == 12
    for run in runs:
        files = [GOLDEN / run[side] for side in ("key", "response")]
        card = cs.coref(*files, metrics=METRICS.values(), **run["options"])
        check(card, run["scores"], run["options"])
        for name, counts in run["counts"].items():
            parts = [f"{part}_{kind}" for part in ("precision", "recall") for kind in ("numerator", "denominator")]
            assert [card[name].extras[part] for part in parts] == counts, (name, run["options"])
        matched = card_as_matched(card, Request.of(METRICS.values()))
        other = run.get("one_to_one", {})
        if other:
            assert matched is not None
            check(matched, other, run["options"])
        warnings = [line for line in card.warnings if "is found where it was matched" in line]
        assert [line.split(" is ")[0] for line in warnings] == [text for name, text in METRICS.items() if name in other]
        for name, line in zip((name for name in METRICS if name in other), warnings, strict=True):
            both = [run["scores"][name][2], other[name][2]]
            assert all(f" {100 * value:.4f}" in line for value in both), line


def compared(
    tmp_path: Path, key: list[crac.Document], response: list[crac.Document], ways: list[dict[str, str]]
) -> Counter[str]:
    """Both ways under some options; and how often what is odd occurred."""
    (tmp_path / "key.conllu").write_text(crac.written(key))
    (tmp_path / "response.conllu").write_text(crac.written(response))
    files = tmp_path / "key.conllu", tmp_path / "response.conllu"
    odd: Counter[str] = Counter()
    for options in ways:
        about = options, crac.written(key), crac.written(response)
        card = cs.coref(*files, metrics=METRICS.values(), **options)
        expected = crac.scores(key, response, **options)
        check(card, expected, about)
        matched = crac.scores(key, response, **options, books=False)
        check(card_as_matched(card, Request.of(METRICS.values())) or card, matched, about)
        odd["no partition"] += card.table.directions is not None
        odd["zero by its number"] += matched["zero"] != expected["zero"]
        odd["lost in the books"] += matched["b3"] != expected["b3"]
        odd["zeros"] += expected["zero"][2] > 0
        odd["runs"] += 1
    return odd


@pytest.mark.parametrize("seed", range(5))
def test_random_documents(seed: int, tmp_path: Path) -> None:
    rng, odd = random.Random(seed), Counter[str]()
    for _ in range(50):
        key = crac.random_file(rng, rng.choice([1, 1, 2]))
        odd += compared(tmp_path, key, crac.changed(rng, key), rng.sample(OPTIONS, 4))
    assert odd["runs"] == 200
    assert odd["no partition"] > 2 < odd["zeros"]
    assert odd["zero by its number"] + odd["lost in the books"] > 0
