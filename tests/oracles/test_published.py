"""The package against scores that others published with the clusterings they belong to.

The data is Gagolewski's clustering benchmark: three batteries, 56 methods, and a table of scores at full
precision. It is not ours to copy: it is read from beside the project, and the tests are skipped without it.
"""

from __future__ import annotations

import csv
import gzip
from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest

import clusterscore as cs

DATA = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "gagolewski"
COLUMNS = {
    "ar": cs.adjusted_rand,
    "r": cs.rand,
    "fm": cs.fowlkes_mallows,
    "mi": cs.mutual_information,
    "nmi": cs.nmi,
    "ami": cs.ami,
    "afm": cs.metric("fowlkes_mallows(adjusted=true)"),
    "npa": cs.normalized_pivoted_accuracy,
    "psi": cs.pair_sets_index,
    "spsi": cs.metric("pair_sets_index(simplified=true)"),
    "nca": cs.normalized_clustering_accuracy,
}
TOLERANCE = 1e-9
NOISE = 0


def published() -> dict[str, list[dict[str, str]]]:
    """The rows of the score table, by the name of the file that holds their labelings."""
    rows: dict[str, list[dict[str, str]]] = defaultdict(list)
    path = DATA / "v1-scores.csv.gz"
    if path.exists():
        with gzip.open(path, "rt", encoding="utf-8", newline="") as lines:
            for row in csv.DictReader(lines):
                rows[f"{row['battery']}__{row['dataset']}"].append(row)
    return rows


ROWS = published()
pytestmark = pytest.mark.skipif(not ROWS, reason="the published data (shared/data/gagolewski) is not here")


def labelings(name: str) -> dict[str, np.ndarray]:
    with gzip.open(DATA / "labelings" / f"{name}.tsv.gz", "rt", encoding="utf-8") as lines:
        parts = (line.rstrip("\n").split("\t") for line in lines)
        return {label: np.array(values.split(), dtype=np.int64) for label, values in parts}


def test_every_published_row_has_its_labelings() -> None:
    assert sum(map(len, ROWS.values())) == 2036
    for name, rows in ROWS.items():
        known = labelings(name)
        assert {row["labels"] for row in rows} <= known.keys()
        assert {f"{row['method']}@{row['n_clusters']}" for row in rows} <= known.keys()


@pytest.mark.parametrize("every", [5, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", ROWS)
def test_published_scores(name: str, every: int) -> None:
    known = labelings(name)
    for row in ROWS[name][::every]:
        gold, pred = known[row["labels"]], known[f"{row['method']}@{row['n_clusters']}"]
        table = cs.Table.from_labels(gold[gold != NOISE], pred[gold != NOISE])
        for column, metric in COLUMNS.items():
            value = metric(table).value
            assert value == pytest.approx(float(row[column]), abs=TOLERANCE, rel=0), (column, row["method"])


def test_noise_may_be_dropped_by_the_package() -> None:
    name = "other__hdbscan"
    known = labelings(name)
    for row in ROWS[name]:
        gold, pred = known[row["labels"]], known[f"{row['method']}@{row['n_clusters']}"]
        assert (gold == NOISE).any()
        assert not (pred == NOISE).any()
        value = cs.adjusted_rand(gold, pred, noise=NOISE, noise_as="drop").value
        assert value == pytest.approx(float(row["ar"]), abs=TOLERANCE, rel=0), row["method"]
