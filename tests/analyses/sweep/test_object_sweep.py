"""Thresholds of IoU: every row is the score at that threshold."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import clusterscore as cs
from running import run

GOLD = [np.load(f"examples/cells/gold/well_{k}.npy") for k in (1, 2)]
PRED = [np.load(f"examples/cells/found/well_{k}.npy") for k in (1, 2)]
STRICT = "average_precision(strict=true)"
FILES = "examples/cells/gold/*.npy", "examples/cells/found/*.npy"


def test_every_row_is_a_score() -> None:
    thresholds = np.arange(0.05, 1, 0.05)
    swept = cs.sweep(GOLD, PRED, thresholds=thresholds, metrics=["average_precision(threshold=0.3)", STRICT])
    assert swept.thresholds.tolist() == [round(0.05 * k, 2) for k in range(1, 20)]  # without rounding errors
    assert (list(swept.scores), len(swept)) == (["average_precision", STRICT], 19)
    for strict, name in ((False, "average_precision"), (True, STRICT)):
        for k, threshold in enumerate(swept.thresholds.tolist()):
            score = cs.average_precision(GOLD, PRED, threshold=threshold, strict=strict)
            assert swept.scores[name][k] == score
            assert swept[name][k] == score.value
            for part in ("precision", "recall", "f1", "sq", "pq", "tp", "mean_ap"):
                assert swept[f"{name}.{part}"][k] == getattr(score, part)
    frame = swept.to_frame("polars")
    assert frame.shape == (38, 13)
    assert frame["signature"][18] == score.signature.replace("strict:true|", "")
    alone = cs.sweep(GOLD, PRED)
    assert np.mean(alone["average_precision"]) == pytest.approx(alone["average_precision.mean_ap"][0])


def test_it_is_drawn() -> None:
    ax = cs.plot.sweep(cs.sweep(GOLD, PRED))
    assert [line.get_label() for line in ax.get_lines()] == ["average_precision", "F1", "PQ"]
    both = cs.sweep(GOLD, PRED, metrics=["average_precision", STRICT])
    assert len(cs.plot.sweep(both).get_lines()) == 2
    with pytest.raises(cs.InputError, match="against='recall' is not an option"):
        cs.plot.sweep(both, against="recall")


REFUSED: dict[str, Any] = {
    "no threshold": ((GOLD, PRED), {"metrics": ["aji"]}, "aji has no threshold of IoU; average_precision has one"),
    "out of range": ((GOLD, PRED), {"thresholds": [0.5, 1.5]}, "threshold=1.5 is out of range"),
    "a text": ((GOLD, PRED), {"thresholds": "0.5"}, "thresholds='0.5': give a list of numbers from 0 to 1"),
    "none": ((GOLD, PRED), {"thresholds": []}, "give a list of numbers"),
    "another shape": ((GOLD[0], PRED[1]), {}, "both need the same shape"),
    "no image": (([0, 0, 1], [[0, 1, 0.1, 2], [2, 3, 0.4, 3]]), {"thresholds": [0.5]}, "thresholds= is of IoU"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused(case: str) -> None:
    sides, options, message = REFUSED[case]
    with pytest.raises(cs.ClusterscoreError, match=message):
        cs.sweep(*sides, **options)


def test_the_command(tmp_path: Path) -> None:
    shown = run("sweep", *FILES, "--thresholds", "0.3,0.7", "--field", "images", "--plot", str(tmp_path / "iou.svg"))
    rows = [line.split() for line in shown.stdout.splitlines()]
    assert rows[5] == ["0.7", "0.1429", "0.1429", "0.0769", "0.1429", "1.0000", "0.1429", "1", "6", "6"]
    assert (tmp_path / "iou.svg").exists()
    assert "thresholds of IoU have no clusters" in run("sweep", *FILES, "--cross-validate", "3").stderr
    assert "is no list of numbers" in run("sweep", *FILES, "--thresholds", "half").stderr
