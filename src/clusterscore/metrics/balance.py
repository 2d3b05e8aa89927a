"""How precision and recall are weighed against each other; one rule for every F in the library."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from clusterscore.exceptions import MetricError
from clusterscore.metrics.metric import Floats, Limits, Metric


def harmonic(precision: Floats, recall: Floats, w_fp: float, w_fn: float) -> Floats:
    """TP / (TP + w_fp*FP + w_fn*FN) in terms of P and R; with weights that add to 1, their weighted harmonic mean.

    Where it is 0/0 the side that has a weight decides: R if w_fp is 0, P if w_fn is 0, else 0.
    """
    if w_fp == 0:
        return np.asarray(recall / (recall + w_fn * (1 - recall))) if w_fn != 1 else recall
    if w_fn == 0:
        return np.asarray(precision / (precision + w_fp * (1 - precision))) if w_fp != 1 else precision
    both = precision * recall
    if w_fp + w_fn == 1:
        below = w_fp * recall + w_fn * precision
    else:
        below = both + w_fp * (1 - precision) * recall + w_fn * (1 - recall) * precision
    return np.where(both > 0, both / np.where(below > 0, below, 1.0), 0.0)


def signed_harmonic(precision: Floats, recall: Floats, w_fp: float, w_fn: float) -> Floats:
    """The weighted harmonic mean of two numbers that may be below 0; of both it is the negative of that of their sizes.

    0 where one is above and the other below: so it goes through 0 without a step. The weights add to 1.
    """
    if w_fp == 0 or w_fn == 0:
        return recall if w_fp == 0 else precision
    both = precision * recall
    below = np.where(both > 0, w_fp * recall + w_fn * precision, 1.0)
    return np.where(both > 0, both / below, 0.0)


@dataclass(frozen=True)
class Balanced(Metric):
    """The parameters ``beta``, ``alpha`` or ``w_fp`` and ``w_fn``: three ways to say one thing."""

    beta: float = 1.0
    alpha: float | None = None
    w_fp: float | None = None
    w_fn: float | None = None

    limits: ClassVar[Limits] = {"beta": (0, np.inf), "alpha": (0, 1), "w_fp": (0, np.inf), "w_fn": (0, np.inf)}
    replaced: ClassVar = {"alpha": "beta", "w_fp": "beta"}
    ignored: ClassVar = {
        "balance": {(0.0, 1.0): "precision", (1.0, 0.0): "recall"},
        "w_fp": {0.0: "precision"},
        "w_fn": {0.0: "recall"},
    }

    def __post_init__(self) -> None:
        super().__post_init__()
        ways = (self.beta != 1) + (self.alpha is not None) + (self.w_fp is not None or self.w_fn is not None)
        if ways > 1:
            raise MetricError(f"{self.name}: beta, alpha and w_fp with w_fn mean the same; pass only one of them")
        if (self.w_fp is None) != (self.w_fn is None):
            raise MetricError(f"{self.name}: w_fp and w_fn go together; pass both")
        if self.w_fp == 0 and self.w_fn == 0:
            raise MetricError(f"{self.name}: w_fp and w_fn are both 0, so no error would count; give one some weight")
        if getattr(self, "adjusted", False) and sum(self.balance) != 1:
            raise MetricError(
                f"{self.name}: adjusted needs w_fp + w_fn = 1, not {sum(self.balance):g}; only then does F divide by "
                "sizes alone, and has a known mean under chance; give them so, or as alpha or beta"
            )

    @cached_property
    def balance(self) -> tuple[float, float]:
        """The weights of a false positive and of a false negative."""
        if self.w_fp is not None and self.w_fn is not None:
            return self.w_fp, self.w_fn
        share = 1 / (1 + self.beta * self.beta) if self.alpha is None else self.alpha
        return share, 1 - share
