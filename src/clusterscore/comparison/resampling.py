"""The bootstrap: units are drawn again and again, and the scores spread as they would over other samples."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from clusterscore.count.sums import Floats
from clusterscore.distinct import Array

BLOCK = 1 << 17  # weights held at once: as many as a cache holds,
_MOST = 1 << 24  # or more where units are many, so that what they bring is not read anew for each resample
_ROWS = 32


class Interval(NamedTuple):
    """Where the true value lies, as far as the sample can tell."""

    low: float
    high: float


class Intervals(NamedTuple):
    """The same by two methods: plain percentiles, and corrected for bias and skewness (BCa)."""

    percentile: Interval
    bca: Interval


def draws(rng: np.random.Generator, units: int, often: Array | None, resamples: int) -> Iterator[Floats]:
    """How often each unit is drawn, block by block of resamples; ``often`` where a unit stands for so many."""
    for rows in _blocks(units, resamples):
        if often is not None:
            yield rng.multinomial(int(often.sum()), often / often.sum(), size=rows).astype(np.float64)
            continue
        picked = rng.integers(0, units, (rows, units))
        picked += np.arange(rows)[:, None] * units
        yield np.bincount(picked.ravel(), minlength=rows * units).reshape(rows, units).astype(np.float64)


def choices(rng: np.random.Generator, units: int, often: Array | None, resamples: int) -> Iterator[Floats]:
    """Which units keep their place when two systems change places: every way there is, where these are few."""
    if is_exhaustive(units, often, resamples):
        yield (np.arange(2**units)[:, None] >> np.arange(units) & 1).astype(np.float64)
        return
    for rows in _blocks(units, resamples):
        shape = (rows, units)
        if often is not None:
            yield rng.binomial(often, 0.5, shape).astype(np.float64)
            continue
        # whole words for every row: where blocks end must not change what is drawn
        words = -(-units // 64)
        bits = np.frombuffer(rng.bytes(8 * words * shape[0]), np.uint8).reshape(shape[0], 8 * words)
        yield np.unpackbits(bits, axis=1, count=units).astype(np.float64)


def _blocks(units: int, resamples: int) -> Iterator[int]:
    """How many resamples are made at once, block by block."""
    block = max(1, BLOCK // units, min(_ROWS, _MOST // units))
    for first in range(0, resamples, block):
        yield min(block, resamples - first)


def is_exhaustive(units: int, often: Array | None, resamples: int) -> bool:
    """Whether all ways to exchange the systems are no more than the resamples asked for."""
    return often is None and units < 64 and 2**units <= resamples


def intervals(value: float, resampled: Floats, jackknife: Floats, often: Array | None, confidence: float) -> Intervals:
    """The two intervals of a value; ``jackknife`` has it without each of the units in turn."""
    tail = (1 - confidence) / 2
    ordered = np.sort(resampled)
    plain = Interval(_quantile(ordered, tail), _quantile(ordered, 1 - tail))
    return Intervals(plain, _bca(value, ordered, jackknife, often, tail))


def _quantile(ordered: Floats, share: float) -> float:
    """The value below which this share lies, between two neighbours in proportion."""
    place = share * (len(ordered) - 1)
    low = int(place)
    one, other = float(ordered[low]), float(ordered[min(low + 1, len(ordered) - 1)])
    return one + (place - low) * (other - one)


def _bca(value: float, ordered: Floats, jackknife: Floats, often: Array | None, tail: float) -> Interval:
    """Bias-corrected and accelerated (Efron 1987).

    The bias is how far the middle of the resamples lies from the value (half of those equal to it lie below), the
    acceleration the skewness of what single units do to it.
    """
    from scipy.special import ndtr, ndtri

    below = float(np.searchsorted(ordered, value) + np.searchsorted(ordered, value, side="right")) / (2 * len(ordered))
    least = 0.5 / len(ordered)
    bias = float(ndtri(min(max(below, least), 1 - least)))
    pull = np.average(jackknife, weights=often) - jackknife
    if often is None:
        square, cube = float((pull**2).sum()), float((pull**3).sum())
    else:
        square, cube = float(often @ pull**2), float(often @ pull**3)
    speed = cube / (6 * square**1.5) if square > 0 else 0.0
    ends = []
    for edge in (tail, 1 - tail):
        shift = bias + float(ndtri(edge))
        slowed = 1 - speed * shift
        share = float(ndtr(bias + shift / slowed)) if slowed > 0 else float(shift > 0)
        ends.append(_quantile(ordered, share))
    return Interval(*ends)


def holm(p: list[float]) -> list[float]:
    """p-values of several tests at once, corrected so that all of them together err as seldom as one (Holm 1979).

    >>> [round(p, 2) for p in holm([0.04, 0.01, 0.03])]
    [0.06, 0.03, 0.06]
    """
    order = sorted(range(len(p)), key=p.__getitem__)
    corrected, highest = [0.0] * len(p), 0.0
    for k, test in enumerate(order):
        highest = max(highest, min(1.0, (len(p) - k) * p[test]))
        corrected[test] = highest
    return corrected
