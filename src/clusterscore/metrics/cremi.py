"""The CREMI score of volumes of neurons."""

from __future__ import annotations

import math

import numpy as np

from clusterscore.metrics.adapted_rand_error import Squares, square_parts
from clusterscore.metrics.metric import Array, Distance, Parts, Sums, Values, divide, register
from clusterscore.metrics.mutual_information import Information, information_parts


@register
class Cremi(Distance):
    """CREMI score: the geometric mean of the adapted Rand error and the variation of information. A distance.

    Formula:
        sqrt(ARE * (split + merge)), ARE with count=squares, split and merge in bits

    Range:
        0 (identical) up. Smaller is better. The score has ``adapted_rand_error``, ``split`` and ``merge``.

    Use it when:
        You segment neurons, and compare with the leaderboard of CREMI: pass ``background="gold"``, as it does.

    Reference:
        Funke, Saalfeld, Bock, Turaga & Perlman 2016, CREMI: MICCAI challenge on circuit reconstruction from electron
        microscopy images, https://cremi.org.

    Example:
        >>> import numpy as np
        >>> import clusterscore as cs
        >>> gold, pred = np.array([[1, 1, 2, 2, 0, 0]]), np.array([[1, 1, 1, 1, 0, 0]])
        >>> score = cs.cremi(gold, pred, background="gold")
        >>> round(score.value, 4), round(score.adapted_rand_error, 4), score.split, score.merge
        (0.5774, 0.3333, 0.0, 1.0)
    """

    name = "cremi"
    group = "information"
    emptied = True

    def parts(self, table: Sums) -> Parts:
        squares = square_parts(table, table.common)
        return {**{f"squares_{name}": part for name, part in squares.items()}, **information_parts(table)}

    def finish(self, **parts: Array) -> Values:
        squares = {name: parts.pop(f"squares_{name}") for name in ("together", "gold", "pred", "elements")}
        error, info = Squares.of(**squares).error, Information.of(**parts)
        bits = info.elements * math.log(2)
        halves = {"split": divide(info.pred_alone, bits, 0.0), "merge": divide(info.gold_alone, bits, 0.0)}
        value = np.sqrt(error * (halves["split"] + halves["merge"]))
        return Values(value, extras={"adapted_rand_error": error, **halves})
