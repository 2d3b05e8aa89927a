"""Populations of gold clusters, all of them known, from which samples are drawn."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class Population(NamedTuple):
    """All gold clusters, and a prediction whose errors depend on the cluster."""

    gold: np.ndarray
    pred: np.ndarray
    sizes: np.ndarray


def population(seed: int, clusters: int, heavy: bool = False) -> Population:
    rng = np.random.default_rng(seed)
    sizes = rng.zipf(2.2, clusters).clip(1, 60) if heavy else rng.integers(1, 9, clusters)
    gold = np.repeat(np.arange(clusters), sizes)
    wrong = rng.random(len(gold)) < rng.beta(1, 4, clusters)[gold]
    pred = np.where(wrong, rng.integers(0, clusters, len(gold)), gold)
    return Population(gold, np.where(rng.random(len(gold)) < 0.05, clusters + np.arange(len(gold)), pred), sizes)
