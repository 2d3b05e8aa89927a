"""A score may start while another one is running: in a signal handler, in ``__del__``, in another thread."""

from __future__ import annotations

import gc
import signal
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import clusterscore as cs
from clusterscore.distinct import Lookup, distinct


def labels(seed: int, size: int, clusters: int) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    gold = rng.integers(0, clusters, size)
    return gold, np.where(rng.random(size) < 0.7, gold, rng.integers(0, clusters, size))


# counted by address, and by hashing; the one inside is smaller, equal, and larger
OUTER = {"address": labels(1, 200_000, 300), "hashing": labels(2, 200_000, 40_000)}
INNER = {"small": labels(3, 5_000, 2_000), "equal": labels(4, 200_000, 40_000), "large": labels(5, 300_000, 400)}


def numbers(pair: tuple[Any, Any]) -> list[float]:
    return [cs.elm(*pair).f or 0.0, cs.nmi(*pair).value]


class Interrupted(Lookup):
    """A column that scores something else whenever a part of it is read."""

    def __init__(self, values: Any, score: Callable[[], None]):
        super().__init__(values, np.arange(len(values)))
        self.score = score

    def __getitem__(self, where: Any) -> Any:
        self.score()
        return super().__getitem__(where)


@pytest.mark.parametrize("codes", [False, True])
@pytest.mark.parametrize("inner", INNER)
@pytest.mark.parametrize("outer", OUTER)
def test_counting_inside_of_counting(outer: str, inner: str, codes: bool) -> None:
    gold, pred = OUTER[outer]
    sizes = int(gold.max()) + 1, int(pred.max()) + 1
    expected = distinct((gold, sizes[0]), (pred, sizes[1]), codes=codes)
    right, inside = numbers(INNER[inner]), []
    often = iter(range(4))

    def score() -> None:
        if next(often, None) is not None:
            inside.append(numbers(INNER[inner]))

    counted = distinct((Interrupted(gold, score), sizes[0]), (pred, sizes[1]), codes=codes)
    assert inside == [right] * 4
    assert counted.keys.tolist() == expected.keys.tolist()
    assert counted.counts.tolist() == expected.counts.tolist()
    if codes:
        assert counted.codes.tolist() == expected.codes.tolist()


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no such signals here")
@pytest.mark.parametrize("outer", OUTER)
def test_in_a_signal_handler(outer: str) -> None:
    right, inside = numbers(OUTER[outer]), numbers(INNER["small"])
    wrong, handled = [], 0

    def handle(*_: object) -> None:
        nonlocal handled
        handled += 1
        if numbers(INNER["small"]) != inside:
            wrong.append("inside")

    before = signal.signal(signal.SIGALRM, handle)
    signal.setitimer(signal.ITIMER_REAL, 0.003, 0.003)
    try:
        for _ in range(10_000):
            if numbers(OUTER[outer]) != right:
                wrong.append("outside")
            if handled >= 40:
                break
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert handled >= 40
    assert not wrong


def test_while_garbage_is_collected() -> None:
    right, inside = numbers(OUTER["hashing"]), numbers(INNER["small"])
    wrong: list[str] = []
    deleted: list[object] = []

    class Scoring:
        def __init__(self) -> None:
            self.itself = self  # only the collector finds it

        def __del__(self) -> None:
            deleted.append(1)
            if numbers(INNER["small"]) != inside:
                wrong.append("inside")

    times = iter(range(8))  # among the objects of all tests a collection takes long

    def score() -> None:
        if next(times, None) is not None:
            Scoring()
            gc.collect()

    gold, pred = OUTER["hashing"]
    sizes = int(gold.max()) + 1, int(pred.max()) + 1
    expected = distinct((gold, sizes[0]), (pred, sizes[1]))
    counted = distinct((Interrupted(gold, score), sizes[0]), (pred, sizes[1]))
    assert deleted
    assert not wrong
    assert counted.counts.tolist() == expected.counts.tolist()
    assert numbers(OUTER["hashing"]) == right


def test_in_threads() -> None:
    right = [numbers(pair) for pair in OUTER.values()]
    start = threading.Barrier(4)

    def work(_: int) -> bool:
        start.wait()
        return all([numbers(pair) for pair in OUTER.values()] == right for _ in range(5))

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(work, range(4)))
