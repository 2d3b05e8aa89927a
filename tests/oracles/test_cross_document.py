"""Event coreference on ECB+: published scores of 63 runs, cross-document and within documents.

The data is UKP's (cdcr-beyond-corpus-tailored). It is read from beside the project; the tests are skipped without it.
"""

from __future__ import annotations

import csv
import gzip
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import clusterscore as cs

DATA = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "ukp-cdcr"
NAMES = {"muc": "muc", "bcub": "b3", "ceafe": "ceafe", "lea": "lea"}
TOLERANCE = 5e-7

pytestmark = pytest.mark.skipif(not DATA.exists(), reason="the published data (shared/data/ukp-cdcr) is not here")


def labelings(scope: str) -> dict[str, Any]:
    with gzip.open(DATA / f"ecbp.{scope}.tsv.gz", "rt", encoding="utf-8") as lines:
        rows = dict(line.rstrip("\n").split("\t", 1) for line in lines)
    return {name: text.split() if name[0] == "#" else np.array(text.split(), np.int64) for name, text in rows.items()}


def published(scope: str) -> dict[str, dict[str, dict[str, str]]]:
    runs: dict[str, dict[str, dict[str, str]]] = defaultdict(dict)
    with (DATA / "published_scores.csv").open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines):
            if row["scope"] == scope:
                runs[row["run"]][row["metric"]] = row
    return runs


@pytest.mark.parametrize("scope", ["cross_doc", "within_doc"])
def test_every_published_score(scope: str) -> None:
    known, runs = labelings(scope), published(scope)
    assert len(runs) == 63
    assert runs.keys() == {name for name in known if name[0] != "#" and name != "gold"}
    for run, rows in runs.items():
        assert rows.keys() == NAMES.keys()
        fs = {}
        for metric, row in rows.items():
            score = getattr(cs, NAMES[metric])(known["gold"], known[run], documents=known["#doc"])
            fs[metric] = score.f
            expected = [float(row[part]) for part in ("precision", "recall", "f1")]
            scores = [score.precision, score.recall, score.f]
            assert scores == pytest.approx(expected, abs=TOLERANCE, rel=0), (run, metric)
        mean = np.mean([float(rows[metric]["f1"]) for metric in ("muc", "bcub", "ceafe")])
        value = cs.conll(known["gold"], known[run], documents=known["#doc"]).value
        assert value == pytest.approx(mean, abs=TOLERANCE, rel=0), run
        assert value == pytest.approx(np.mean([fs[metric] for metric in ("muc", "bcub", "ceafe")]), abs=1e-15)


def test_one_count_for_all_of_them() -> None:
    """Mentions as elements by id; within documents, ids are those of the documents anyway."""
    known = labelings("within_doc")
    run, rows = next(iter(published("within_doc").items()))
    gold, pred = (dict(zip(known["#mention"], known[name].tolist(), strict=True)) for name in ("gold", run))
    of = dict(zip(known["#mention"], known["#doc"], strict=True))
    card = cs.score(gold, pred, metrics="muc, b3, ceafe, lea, conll", documents=of)
    for metric, row in rows.items():
        assert card[NAMES[metric]].f == pytest.approx(float(row["f1"]), abs=TOLERANCE, rel=0)
    assert len(card.documents["document"]) == len(set(known["#doc"]))
