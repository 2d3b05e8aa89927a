"""Intervals, by the bootstrap: units are drawn again and again, and the scores spread as over other samples."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from clusterscore.analyses.ranks import CLOSE
from clusterscore.analyses.units import Units
from clusterscore.count.sums import Floats
from clusterscore.distinct import Array
from clusterscore.exceptions import InputError
from clusterscore.nouns import plural

CONFIDENCE = 0.95  # of an interval, where nobody says
BLOCK = 1 << 17  # weights held at once: as many as a cache holds,
_MOST = 1 << 24  # or more where units are many, so that what they bring is not read anew for each resample
_ROWS = 32


class CompareOptions(NamedTuple):
    """How systems are compared."""

    unit: str
    average: str
    resamples: int
    seed: int
    confidence: float
    pairs: str = "baseline"  # which systems are tested: each against the baseline, or "all" against each other


class Interval(NamedTuple):
    """Where the true value lies, as far as the sample can tell."""

    low: float
    high: float

    def within(self, lowest: float, highest: float) -> Interval:
        """The same of a score that cannot be beyond these."""
        return Interval(max(self.low, lowest), min(self.high, highest))


def checked_confidence(value: Any) -> float:
    """The confidence that a user gives, if it is one."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 1:
        raise InputError(f"confidence={value!r} must be a number between 0 and 1, such as 0.95")
    return float(value)


def level(confidence: float) -> str:
    """The heading of a column of intervals."""
    return f"{100 * confidence:g}% interval"


def few_units(units: int, unit: str, least: int = 20) -> list[str]:
    """What to say where intervals are over few units."""
    few = f"only {plural(units, unit)}: with fewer than {least}, intervals are rough"
    return [few] if units < least else []


class Intervals(NamedTuple):
    """The same by three methods: the jackknife, and of the resamples plain percentiles, or corrected ones (BCa).

    Tables show the first: it covers as it promises from 15 units up, also where a few of them weigh much.
    """

    jackknife: Interval
    percentile: Interval
    bca: Interval

    def within(self, lowest: float, highest: float) -> Intervals:
        """The same of a score that cannot be beyond these."""
        return self._replace(jackknife=self.jackknife.within(lowest, highest))

    def turned(self) -> Intervals:
        """The same of a difference the other way round."""
        return Intervals(*(Interval(-high, -low) for low, high in self))


def draws(units: Units, resamples: int, seed: int) -> Iterator[Floats]:
    """How often each unit is drawn, block by block of resamples."""
    rng, count, multiplicity = np.random.default_rng([seed, 0]), units.number, units.multiplicity
    for rows in _blocks(count, resamples):
        if multiplicity is not None:
            yield rng.multinomial(units.drawn, multiplicity / units.drawn, size=rows).astype(np.float64)
            continue
        picked = rng.integers(0, count, (rows, count))
        picked += np.arange(rows)[:, None] * count
        yield np.bincount(picked.ravel(), minlength=rows * count).reshape(rows, count).astype(np.float64)


def choices(units: Units, resamples: int, seed: int) -> Iterator[Floats]:
    """Which units keep their place when two systems change places: every way there is, where these are few."""
    rng, count, multiplicity = np.random.default_rng([seed, 1]), units.number, units.multiplicity
    if is_exhaustive(units, resamples):
        yield (np.arange(2**count)[:, None] >> np.arange(count) & 1).astype(np.float64)
        return
    for rows in _blocks(count, resamples):
        if multiplicity is not None:
            yield rng.binomial(multiplicity, 0.5, (rows, count)).astype(np.float64)
            continue
        # whole words for every row: where blocks end must not change what is drawn
        bits = np.frombuffer(rng.bytes(rows * 8 * -(-count // 64)), np.uint8).reshape(rows, -1)
        yield np.unpackbits(bits, axis=1, count=count).astype(np.float64)


def _blocks(units: int, resamples: int) -> Iterator[int]:
    """How many resamples are made at once, block by block."""
    block = max(1, BLOCK // units, min(_ROWS, _MOST // units))
    for first in range(0, resamples, block):
        yield min(block, resamples - first)


def is_exhaustive(units: Units, resamples: int) -> bool:
    """Whether all ways to exchange the systems are no more than the resamples asked for."""
    return units.multiplicity is None and units.number < 64 and 2**units.number <= resamples


def intervals(
    value: float, resampled: Floats, jackknife: Floats, multiplicity: Array | None, confidence: float
) -> Intervals:
    """The intervals of a value; ``jackknife`` has it without each of the units in turn."""
    tails = (1 - confidence) / 2, (1 + confidence) / 2
    corrected = _bca_shares(value, resampled, jackknife, multiplicity, tails)
    ends = np.quantile(resampled, [*tails, *corrected]).tolist()
    by_jackknife = jackknife_interval(value, jackknife, multiplicity, confidence)
    return Intervals(by_jackknife, Interval(*ends[:2]), Interval(*ends[2:]))


def jackknife_interval(value: float, jackknife: Floats, multiplicity: Array | None, confidence: float) -> Interval:
    """The interval of a value, given what it is without each of the units in turn.

    It is as wide as the standard error (Tukey 1958) times the quantile of Student's t.
    """
    from scipy.special import stdtrit

    times = np.ones(len(jackknife)) if multiplicity is None else multiplicity.astype(np.float64)
    pull = jackknife - np.average(jackknife, weights=times)
    count, square = float(times.sum()), float(times @ (pull * pull))
    reach = 0.0
    if square > CLOSE**2:
        quantile = float(stdtrit(freedom(pull, times), (1 + confidence) / 2))
        reach = quantile * float(np.sqrt(square * (count - 1) / count))
    return Interval(value - reach, value + reach)


def freedom(pull: Floats, times: Floats | None = None) -> float:
    """The degrees of freedom of a standard error, by what each unit adds to the value (on average 0).

    How well the error itself is known depends on how much single units weigh: the degrees of freedom are those of a
    variance whose terms have this kurtosis (O'Neill 2014), from 1 where one unit decides to one less than the units.
    """
    squares = pull * pull
    times = np.ones(len(pull)) if times is None else times
    count, square, fourth = float(times.sum()), float(times @ squares), float(times @ (squares * squares))
    if count <= 3 or square <= CLOSE**2:
        return count - 1 if square <= CLOSE**2 else 1.0
    sampled = ((count + 1) * count * fourth / square**2 - 3 * (count - 1)) * (count - 1)
    excess = sampled / ((count - 2) * (count - 3)) + 3 - (count - 3) / (count - 1)
    return count - 1 if excess * (count - 1) <= 2 * count else max(1.0, 2 * count / excess)


def _bca_shares(
    value: float, resampled: Floats, jackknife: Floats, multiplicity: Array | None, tails: tuple[float, float]
) -> list[float]:
    """The shares of resamples that lie below either end: bias-corrected and accelerated (Efron 1987).

    The bias is how far the middle of the resamples lies from the value (half of those equal to it lie below), the
    acceleration the skewness of what single units do to it.
    """
    from scipy.special import ndtr, ndtri

    count = len(resampled)
    tie = CLOSE * max(1.0, abs(value))  # a resample that draws every unit once may differ in the last digit
    below = (np.count_nonzero(resampled < value - tie) + np.count_nonzero(resampled <= value + tie)) / (2 * count)
    bias = float(ndtri(np.clip(below, 0.5 / count, 1 - 0.5 / count)))
    pull = np.average(jackknife, weights=multiplicity) - jackknife
    times = np.ones(len(pull)) if multiplicity is None else multiplicity
    square, cube = float(times @ pull**2), float(times @ pull**3)
    speed = cube / (6 * square**1.5) if square > 0 else 0.0
    shares = []
    for tail in tails:
        shift = bias + float(ndtri(tail))
        slowed = 1 - speed * shift
        shares.append(float(ndtr(bias + shift / slowed)) if slowed > 0 else float(shift > 0))
    return shares


def holm(p: list[float]) -> list[float]:
    """p-values of several tests at once, corrected so that all of them together err as seldom as one (Holm 1979).

    >>> [round(p, 2) for p in holm([0.04, 0.01, 0.03])]
    [0.06, 0.03, 0.06]
    """
    order = np.argsort(p, kind="stable")
    steps = np.minimum(np.sort(p) * np.arange(len(p), 0, -1), 1.0)
    corrected = np.empty(len(p))
    corrected[order] = np.maximum.accumulate(steps)
    return corrected.tolist()
