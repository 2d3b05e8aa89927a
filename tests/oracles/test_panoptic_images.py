"""Panoptic quality of label images, mask by mask, as Kirillov et al. 2019 define it (Sec. 4.1), for one category."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest

import clusterscore as cs


class Found(NamedTuple):
    """What an image brings: the IoU of every match, unmatched predicted and unmatched true segments."""

    overlaps: list[float]
    false_positives: int
    false_negatives: int


def masks(image: Any) -> list[Any]:
    return [image == label for label in np.unique(image)]


def matched(truth: Any, guess: Any) -> Found:
    """A predicted segment and a true one match if their IoU is above 1/2; then neither has another match."""
    true, guessed = masks(truth), masks(guess)
    union = [[np.logical_or(segment, other).sum() for other in guessed] for segment in true]
    both = [[np.logical_and(segment, other).sum() for other in guessed] for segment in true]
    overlaps = [
        float(both[i][j] / union[i][j])
        for i in range(len(true))
        for j in range(len(guessed))
        if both[i][j] / union[i][j] > 0.5
    ]
    return Found(overlaps, len(guessed) - len(overlaps), len(true) - len(overlaps))


def quality(images: list[Found]) -> tuple[float, float, float]:
    """PQ, SQ and RQ; matches and misses of several images are put together, as the benchmarks do."""
    overlaps = [overlap for image in images for overlap in image.overlaps]
    wrong = sum(image.false_positives + image.false_negatives for image in images)
    matches = len(overlaps)
    segmentation = sum(overlaps) / matches if matches else 0.0
    recognition = matches / (matches + wrong / 2)
    return segmentation * recognition, segmentation, recognition


def painted(rng: np.random.Generator, shape: tuple[int, int]) -> Any:
    """Rectangles on a ground, the later ones in front."""
    image = np.zeros(shape, np.int64)
    for label in range(1, int(rng.integers(2, 12))):
        top, left = (int(rng.integers(side)) for side in shape)
        height, width = rng.integers(2, 14, 2)
        image[top : top + height, left : left + width] = label
    return image


def nearly(rng: np.random.Generator, image: Any) -> Any:
    """Shifted by a pixel or two, two segments merged, one cut in half."""
    guess = np.roll(image, tuple(rng.integers(-2, 3, 2)), (0, 1))
    first, second = rng.choice(np.unique(guess), 2)
    guess[guess == first] = second
    half = (guess == rng.choice(np.unique(guess))) & (np.arange(guess.shape[1]) % 16 < 8)
    return np.where(half, guess.max() + 1, guess)


def test_images() -> None:
    rng = np.random.default_rng(7)
    sizes = [tuple(rng.integers(12, 40, 2).tolist()) for _ in range(30)]
    truth = [painted(rng, size) for size in sizes]
    guess = [nearly(rng, image) for image in truth]
    counts = [matched(*pair) for pair in zip(truth, guess, strict=True)]
    assert sum(len(image.overlaps) for image in counts) > 50  # there is something to match, and something to miss
    assert sum(image.false_positives for image in counts) > 50

    gold, pred = (np.concatenate([image.ravel() for image in side]) for side in (truth, guess))
    documents = np.repeat(np.arange(30), [image.size for image in truth])
    card = cs.score(gold, pred, metrics="panoptic", documents=documents)
    score = card["panoptic"]
    assert (score.value, score.sq, score.rq) == pytest.approx(quality(counts), abs=1e-12)
    assert card.documents["panoptic"].tolist() == pytest.approx([quality([image])[0] for image in counts], abs=1e-12)
