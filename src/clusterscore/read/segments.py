"""Segmentations: the segment of every position."""

from __future__ import annotations

from typing import Any

import numpy as np

from clusterscore.exceptions import InputError
from clusterscore.read.arrays import numbers
from clusterscore.read.labels import Labels

_LONGEST = 2**40  # elements in a segment: longer ones are a mistake, and would not fit memory


def by_lengths(lengths: Any) -> Labels:
    """Segments by their lengths, in order."""
    values = numbers(lengths, "lengths")
    bad = (values != np.floor(values)) | ~(values >= 1) | (values > _LONGEST)
    if values.dtype == np.bool_ or bad.any():
        example = values[bad][0].item() if bad.any() else values[0].item()
        raise InputError(f"segment lengths are whole numbers from 1 up (to 2**40), but one of them is {example!r}")
    counts = values.astype(np.int64)
    return Labels(np.repeat(np.arange(len(counts)), counts), range(len(counts)))


def by_boundaries(boundaries: Any) -> Labels:
    """Segments by 0 and 1: 1 starts one, and so does the first position."""
    values = numbers(boundaries, "boundaries")
    bad = (values != 0) & (values != 1)
    if bad.any():
        raise InputError(
            f"boundaries are 0 or 1 (1 starts a segment), but {int(bad.sum()):,} of {len(values):,} are not (e.g. "
            f"{values[bad][0].item()!r}); segment lengths go to Clustering.from_lengths"
        )
    starts = values.astype(np.int64)
    starts[:1] = 1
    codes = np.cumsum(starts) - 1
    return Labels(codes, range(int(codes[-1]) + 1 if len(codes) else 0))
