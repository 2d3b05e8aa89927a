"""The field word-senses and its files; tests/overlap/test_graded.py has what is in a line."""

from __future__ import annotations

import gzip
import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import clusterscore as cs
from fields.samples import SENSES
from running import run

CASES = json.loads((Path(__file__).parents[1] / "golden/measures/fuzzy.json").read_text(encoding="utf-8"))["cases"]
SEMEVAL = "graded_bcubed(dialect=semeval2013)"


def lines_of(graded: list[dict[str, Any]]) -> str:
    rows = [" ".join(f"{sense}/{float(Fraction(weight))!r}" for sense, weight in senses.items()) for senses in graded]
    return "\n".join(f"add.v add.v.{k} {row}" for k, row in enumerate(rows, 1))


@pytest.mark.filterwarnings("ignore::clusterscore.ClusterscoreWarning")
@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_golden_cases_in_files(case: dict[str, Any], tmp_path: Path) -> None:
    paths = [tmp_path / f"{side}.key" for side in ("gold", "pred")]
    for path in paths:
        path.write_text(lines_of(case[path.stem]), encoding="utf-8")
    card = cs.score(*map(str, paths))
    assert card.field is cs.field("word-senses")
    expected = {name: None if value is None else float(Fraction(value)) for name, value in case["values"].items()}
    for name, metric in {"semeval2013": SEMEVAL, "graded_bcubed": "graded_bcubed"}.items():
        values = {"P": card[metric].precision, "R": card[metric].recall, "F": card[metric].f}
        assert values == pytest.approx({part: expected[f"{name}.{part}"] for part in values}, abs=1e-12)
    assert card["fuzzy_rand"].value == pytest.approx(expected["fari"], abs=1e-12)


def test_files_of_other_names(tmp_path: Path) -> None:
    """The field takes them for senses; a table is a table."""
    for side, text in SENSES.items():
        (tmp_path / side).write_text(text, encoding="utf-8")
        (tmp_path / f"{side}.key.gz").write_bytes(gzip.compress(text.encode()))
    shown = [
        run("score", f"gold{end}", f"pred{end}", *field, "--format", "json", cwd=tmp_path).stdout
        for end, field in (("", ["--field", "word-senses"]), (".key.gz", []))
    ]
    assert json.loads(shown[0])["scores"] == json.loads(shown[1])["scores"]
    for side in SENSES:
        (tmp_path / side).write_text("id,sense\n1,a\n2,a\n3,b\n", encoding="utf-8")
    done = run("score", "gold", "pred", "--field", "word-senses", "--element", "id", "--cluster", "sense", cwd=tmp_path)
    assert "graded BCubed   1.0000" in done.stdout


def test_many_lines(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    texts = []
    for _ in range(2):
        senses, weights = rng.integers(0, 4, (45_000, 2)), rng.integers(1, 9, (45_000, 2)) / 8
        senses[:, 1] = (senses[:, 0] + 1 + senses[:, 1] % 3) % 4
        rows = zip((np.arange(45_000) // 100).tolist(), senses.tolist(), weights.tolist(), strict=True)
        texts.append([(t, f"w{t}.n.{k}", dict(zip(s, w, strict=True))) for k, (t, s, w) in enumerate(rows)])
    sides = []
    for side, rows in zip(("gold", "pred"), texts, strict=True):
        lines = [f"w{t}.n {k} " + " ".join(f"{s}/{w}" for s, w in graded.items()) for t, k, graded in rows]
        (tmp_path / f"{side}.key").write_text("\n".join(lines), encoding="utf-8")
        terms, ids, graded = zip(*rows, strict=True)
        sides.append(cs.Clustering.from_graded(graded, elements=ids, documents=terms))
    expected = cs.score(*sides, field="word-senses")
    card = cs.score(*(str(tmp_path / f"{side}.key") for side in ("gold", "pred")))
    assert {name: score.value for name, score in card.items()} == {name: s.value for name, s in expected.items()}
