"""Chance: what a prediction of the same cluster sizes scores that knows nothing, and how far a score is from it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from clusterscore.aggregate import Summary
from clusterscore.comparison.agreement import CLOSE
from clusterscore.comparison.shuffles import Shuffles, Weighed, together
from clusterscore.count.sums import Floats
from clusterscore.count.table import Table
from clusterscore.metrics.metric import Metric
from clusterscore.metrics.score import Score
from clusterscore.progress import step


class Permuting(NamedTuple):
    """How chance is found."""

    average: str
    resamples: int
    seed: int


class Chance(NamedTuple):
    """A score beside those of shuffled predictions.

    ``expected`` and ``std`` are their mean and standard deviation. ``adjusted`` is (score - expected) / (most -
    expected), ``most`` the score of gold against itself: 0 is chance, 1 is perfect; where chance is perfect too, it is
    1 for a perfect score and else 0. ``z`` is (score - expected) / std, None where all of them score the same. ``p`` is
    how likely chance is as good as the score, or better.
    """

    score: Score
    expected: float
    std: float
    most: float
    adjusted: float
    z: float | None
    p: float
    signature: str


def chance_of(
    metrics: Sequence[Metric], table: Table, how: Permuting, weighed: Weighed | None = None
) -> dict[str, Chance]:
    """Every metric under the same shuffles, each of them counted once."""
    scores = [Summary(metric, table).score(how.average) for metric in metrics]
    shuffles = Shuffles(table, weighed)
    itself = shuffles.gold_itself()
    rng = np.random.default_rng(how.seed)
    blocks: list[list[Floats]] = [[] for _ in metrics]
    done, documents = 0, len(table.documents)
    with step("shuffling") as at:
        for count, shuffled in shuffles.tables(rng, how.resamples):
            pooled = together(shuffled, documents) if count > 1 and documents > 1 else None
            for metric, found in zip(metrics, blocks, strict=True):
                found.append(_scores(metric, shuffled, pooled, count, how.average))
            done += count
            at(done / how.resamples)
    most = [Summary(metric, itself).score(how.average).value for metric in metrics]
    return {
        str(metric): _beside(metric, score, best, np.concatenate(found), how)
        for metric, score, best, found in zip(metrics, scores, most, blocks, strict=True)
    }


def _scores(metric: Metric, shuffled: Table, pooled: Table | None, count: int, average: str) -> Floats:
    """The score of each of some shuffles; ``pooled`` has the documents of each as one, where there are several."""
    if average == "micro" and count == 1:
        return metric.finish(**metric.pooled_parts(shuffled)).value
    if average == "micro" and pooled is not None and not metric.additive:
        return metric.values(pooled).value
    if average == "micro":
        parts = metric.parts(shuffled)
        return metric.finish(**{name: part.reshape(count, -1).sum(axis=1) for name, part in parts.items()}).value
    return np.asarray(metric.values(shuffled).value.reshape(count, -1).mean(axis=1))


def _beside(metric: Metric, score: Score, most: float, shuffled: Floats, how: Permuting) -> Chance:
    value = score.value
    tie = CLOSE * max(1.0, abs(value))
    expected, std = float(shuffled.mean()), float(shuffled.std(ddof=1))
    if np.ptp(shuffled) <= tie:  # the sizes decide the score
        expected, std = value if abs(shuffled[0] - value) <= tie else float(shuffled[0]), 0.0
    better = -1.0 if metric.smaller_is_better else 1.0
    as_good = int(np.count_nonzero(better * (shuffled - value) >= -tie))
    room = most - expected
    adjusted = (value - expected) / room if abs(room) > tie else float(abs(value - most) <= tie)
    z = (value - expected) / std if std > 0 else None
    signature = f"{score.signature}|permutations:{how.resamples}|seed:{how.seed}"
    # the prediction as it is counts as one of the shuffles
    return Chance(score, expected, std, most, adjusted, z, (1 + as_good) / (1 + how.resamples), signature)
