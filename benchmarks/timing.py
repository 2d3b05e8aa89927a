"""Timing: both sides in one run, values equal before anything is timed, the best of several turns."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from typing import Any

import numpy as np


def best_of(work: Callable[[], Any], turns: int = 5, repeat: int = 1) -> float:
    """Seconds of the fastest turn, the one that the machine disturbed least; no garbage collection, as in timeit."""
    work()
    fastest = float("inf")
    gc.disable()
    try:
        for _ in range(turns):
            start = time.perf_counter()
            for _ in range(repeat):
                work()
            fastest = min(fastest, (time.perf_counter() - start) / repeat)
    finally:
        gc.enable()
    return fastest


def in_turns(
    ours: Callable[[], Any], theirs: Callable[[], Any], turns: int = 5, repeat: int = 1
) -> tuple[float, float]:
    """Both sides timed alternately, so that a slow moment of the machine hits both."""
    fastest = [float("inf"), float("inf")]
    for _ in range(turns):
        for k, work in enumerate((ours, theirs)):
            fastest[k] = min(fastest[k], best_of(work, 1, repeat))
    return fastest[0], fastest[1]


def same(ours: Any, theirs: Any, tolerance: float = 1e-9) -> None:
    """Stop unless the values agree: a fast wrong answer is no result."""
    np.testing.assert_allclose(ours, theirs, rtol=tolerance, atol=tolerance)


def shown(seconds: float) -> str:
    """1.23 ms, 45.6 s."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"
