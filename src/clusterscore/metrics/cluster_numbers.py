"""How likely two elements are together in a random clustering, of so many clusters or of any number.

All clusterings of N elements (into K clusters) are equally likely. The probability is a ratio of Bell numbers,
B(N-1)/B(N), or of Stirling numbers of the second kind, S(N-1, K)/S(N, K), which are far too large to be computed.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from clusterscore.metrics.metric import Floats

Complex = npt.NDArray[np.complexfloating]
Logarithm = Callable[[Complex, slice], Complex]

_AT_ONCE = 1 << 20  # points of integrals evaluated together
_REACH = 10.0  # standard deviations; beyond, there is nothing to add
_SMALL = 0.1  # radius up to which series are exact
_FEW = 30.0  # standard deviation up to which the whole circle is taken: few elements are not normally distributed


def together_among_all(elements: Floats) -> Floats:
    """B(N-1)/B(N): the share of all clusterings of N elements in which two given ones are together; N above 0."""
    from scipy.special import lambertw

    n = elements[:, None]
    radius = lambertw(n).real

    def logarithm(turn: Complex, rows: slice) -> Complex:  # of exp(exp(z)), against its value at the radius
        return np.asarray(n[rows] / radius[rows] * np.expm1(radius[rows] * turn))

    return _ratio(n, radius, n * (1 + radius), logarithm, n)


def together_among(clusters: Floats, elements: Floats) -> Floats:
    """S(N-1, K)/S(N, K): the same among the clusterings into K clusters; 0 where every element has its own."""
    some = np.flatnonzero(clusters < elements)
    n, k = elements[some, None], clusters[some, None]
    radius = _radius((n - k) / k)

    # S(N, K) is in the series of (exp(z) - 1)^K, which is z^K times another: that one is taken, as N and K may be close
    def logarithm(turn: Complex, rows: slice) -> Complex:  # of ((exp(z) - 1)/z)^K, against its value at the radius
        r = radius[rows]
        return np.asarray(k[rows] * (r * turn / 2 + _curved(r * (1 + turn)) - _curved(r + 0j)))

    share = np.zeros(len(elements))
    share[some] = _ratio(n, radius, n * (radius - (n - k) / k), logarithm, n - k)
    return share


def _radius(excess: Floats) -> Floats:
    """The r with r/(1 - exp(-r)) = 1 + excess; by its series where that is small, and Lambert's function inaccurate."""
    from scipy.special import lambertw

    mean = 1 + excess
    r = twice = 2 * np.minimum(excess, _SMALL / 2)
    for _ in range(8):  # each makes the error 30 times smaller
        r = twice - r * r / 6 * (1 - r * r / 60 * (1 - r * r / 42))
    return np.where(2 * excess < _SMALL, r, mean + lambertw(-mean * np.exp(-mean)).real)


def _curved(z: Complex) -> Complex:
    """log((exp(z) - 1)/z) - z/2, which begins with the square of z."""
    square = z * z
    series = square / 24 * (1 - square / 120 * (1 - square / 63 * (1 - square * 3 / 160)))
    return np.where(np.abs(z) < _SMALL, series, z / 2 + np.log(-np.expm1(-z) / z))


def _ratio(n: Floats, radius: Floats, variance: Floats, logarithm: Logarithm, power: Floats) -> Floats:
    """The coefficient of z^(power-1) over N times that of z^power, in a series whose ``logarithm`` is known.

    Both are integrals over a circle (Cauchy). On one through the saddle point almost all of each comes from a short
    piece around the real axis, where both integrands are the same but for a factor that is close to the radius: next to
    nothing is lost, whatever N. ``logarithm`` takes z/radius - 1 on that piece, of some rows.
    """
    deviation = np.sqrt(variance)
    factor = np.zeros(len(n))
    points = 65 if deviation.min(initial=np.inf) > _FEW else 513
    for start in range(0, len(n), _AT_ONCE // points):
        rows = slice(start, start + _AT_ONCE // points)
        reach = np.where(deviation[rows] > _FEW, _REACH / deviation[rows], np.pi)
        angle = reach * np.linspace(-1, 1, points)
        turn = np.expm1(1j * angle)
        weight = np.exp(logarithm(turn, rows) - 1j * power[rows] * angle)
        weight[:, [0, -1]] /= 2  # the ends of a whole circle are one point, and elsewhere they are nothing
        factor[rows] = ((weight * turn).sum(axis=1) / weight.sum(axis=1)).real
    return np.asarray(radius[:, 0] / n[:, 0] * (1 + factor))
