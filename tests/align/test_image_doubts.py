"""What an array probably is, if it is no label image; and what is left alone."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import clusterscore as cs


def squares(side: int = 30, width: int = 4) -> Any:
    """Objects in a part of an image that is not the same with rows and columns exchanged."""
    image = np.zeros((side, side), np.int32)
    corners = [(y, x) for y in range(1, side // 3, width + 1) for x in range(1, side - width, width + 1)]
    for number, (y, x) in enumerate(corners, 1):
        image[y : y + width, x : x + width] = number
    return image


GOLD = squares()
PRED = np.roll(GOLD, 1, axis=1)
SLICES = [np.where(GOLD > 0, (GOLD + 3 * k) % 10 + 1, 0) for k in range(5)]
DOUBTED: dict[str, Any] = {
    "colours": (
        np.stack([GOLD] * 3, -1).astype(np.uint8),
        None,
        "30 x 30 x 3 of uint8, as a picture in colour",
    ),
    "a mask": (GOLD > 0, PRED, "gold has no label but 1 and 0, and 1 is in 10 pieces, .*pass scipy.ndimage.label"),
    "a mask of 255": (GOLD, (PRED > 0) * np.uint8(255), "pred has no label but 255 and 0, and 255 is in 10 pieces"),
    "-1": (GOLD - 1, PRED - 1, "if gold means the label -1 as such, pass gold \\+ 1"),
    "255": (np.where(GOLD, GOLD, 255), None, "the label 255 as such, which 740 elements have, pass np.where"),
    "one more": (GOLD, PRED + 1, "if pred means the label 1 as such"),
    "slices": (np.stack(SLICES), None, "gold is 5 x 30 x 30, and in the next slice .* lists: list"),
    "axes": (GOLD, PRED.T, r"the clusters of both sides are \d+% in the same places, and 6\d% if the last two axes"),
}


@pytest.mark.parametrize("case", DOUBTED)
@pytest.mark.parametrize("door", ["arrays", "files"])
def test_doubted(case: str, door: str, tmp_path: Path) -> None:
    gold, pred, words = DOUBTED[case]
    sides = [gold, np.roll(gold, 1, axis=1) if pred is None else pred]
    if door == "files":
        for name, side in zip(("gold", "pred"), sides, strict=True):
            np.save(tmp_path / f"{name}.npy", side)
        sides = [tmp_path / "gold.npy", tmp_path / "pred.npy"]
    with pytest.warns(cs.ClusterscoreWarning, match=words):
        cs.aji(*sides)


QUIET: dict[str, Any] = {
    "as it should be": (GOLD, PRED),
    "several": ([GOLD, GOLD.T], [PRED, PRED.T]),
    "one object": (GOLD == 1, PRED == 1),
    "nothing found": (GOLD, GOLD * 0),
    "a volume": (np.stack([GOLD] * 5), np.stack([PRED] * 5)),
    "labels apart in each slice": (np.stack([GOLD + 100 * k for k in range(5)]), np.stack([PRED] * 5)),
    "meant": (cs.Clustering.from_images(GOLD + 1), cs.Clustering.from_images((PRED > 0) + 1)),
}


@pytest.mark.parametrize("case", QUIET)
def test_not_doubted(case: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        cs.score(*QUIET[case], metrics="aji")


TOLD: dict[str, Any] = {
    "floats": (GOLD * 1.0, PRED, "of float64; .*a label image has whole numbers: pass .astype"),
    "rows": (GOLD.tolist(), PRED, r"if they are the rows of a label image, np.array\(rows\)"),
    "one and one of many": (GOLD, [PRED], "gold is a single image and pred 1 image; pass as many"),
}


@pytest.mark.parametrize("case", TOLD)
def test_refused(case: str) -> None:
    gold, pred, words = TOLD[case]
    with pytest.raises(cs.ClusterscoreError, match=words):
        cs.aji(gold, pred)
