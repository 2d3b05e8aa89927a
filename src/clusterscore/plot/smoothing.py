"""A smooth curve through scores that lie between two bounds."""

from __future__ import annotations

import numpy as np

from clusterscore.count.sums import Floats

GRID = 257  # points of a curve


def bandwidth(values: Floats) -> float:
    """Scott's: the standard deviation, divided by the fifth root of their number; 0 for one value."""
    return float(values.std(ddof=1)) * len(values) ** -0.2 if len(values) > 1 else 0.0


def density(values: Floats, low: float, high: float) -> Floats:
    """The density of values at GRID points from low to high: Gaussian kernel, Scott's bandwidth, mirrored at the ends.

    What a kernel would put beyond a bound comes back inside, so that the area is 1 and a crowd at the very best score
    looks like one. Values are first shared out between their two neighbours on the grid: a million cost no more than
    reading them.
    """
    step = (high - low) / (GRID - 1)
    place = (values - low) / step
    left = np.minimum(place.astype(np.int64), GRID - 2)
    share = place - left
    weight = np.bincount(left, 1 - share, GRID) + np.bincount(left + 1, share, GRID)
    width = max(bandwidth(values), step)
    offset = np.arange(-(GRID - 1), GRID) * step
    kernel = np.exp(-0.5 * (offset / width) ** 2)
    # the mirror images of the grid to the left and to the right, the ends not doubled
    mirrored = np.concatenate([weight[:0:-1], weight, weight[-2::-1]])
    mirrored[[GRID - 1, 2 * GRID - 2]] *= 2
    smooth = np.convolve(mirrored, kernel, "same")[GRID - 1 : 2 * GRID - 1]
    area = step * (smooth.sum() - (smooth[0] + smooth[-1]) / 2)
    return np.asarray(smooth / area)
