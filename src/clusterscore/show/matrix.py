"""AgreementMatrix: any two of several clusterings, and the elements on which they differ."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from itertools import permutations
from typing import Any

import numpy as np

from clusterscore.count.sums import Floats
from clusterscore.exceptions import UnknownName, nearest, plural
from clusterscore.metrics.score_type import Score
from clusterscore.show.columns import Columns
from clusterscore.show.grid import Grid
from clusterscore.show.printed import Printed, numbers_of
from clusterscore.version import __version__


class AgreementMatrix(Printed):
    """The scores of several clusterings against each other.

    ``result["a", "b"]`` is the Score of b with a as gold, ``matrix`` has all values, gold in rows, ``mean`` their mean
    over all pairs of two. ``elements`` has a row per element with its ``consistency`` and its cluster in each
    clustering, those on which they agree least first.

    >>> import clusterscore as cs
    >>> result = cs.agreement_matrix({"ann": [0, 0, 1, 1], "bob": [0, 0, 1, 1], "cleo": [0, 0, 0, 1]})
    >>> result.matrix.tolist()
    [[1.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    """

    def __init__(
        self,
        names: Sequence[str],
        scores: Mapping[tuple[str, str], Score],
        element_metric: str,
        elements: Callable[[], Columns],
        dropped: Mapping[tuple[str, str], tuple[int, int]],
        noise: Mapping[tuple[str, str], tuple[int, int]],
    ):
        self.names, self.element_metric = list(names), element_metric
        self._pairs = list(permutations(self.names, 2))
        self._scores, self._elements = dict(scores), elements
        self.dropped = dropped  # elements that only one of two has, which missing="drop" left out
        self.noise = noise  # elements that noise_as="drop" left out

    def __getitem__(self, names: tuple[str, str]) -> Score:
        if not isinstance(names, tuple) or len(names) != 2:
            raise UnknownName(f"{names!r}: name two clusterings, as in result[{self.names[0]!r}, {self.names[1]!r}]")
        for name in names:
            if name not in self.names:
                raise UnknownName(f"no clustering {name!r}: {nearest(str(name), self.names)}")
        return self._scores[names]

    @property
    def matrix(self) -> Floats:
        """The value for any two clusterings, gold in rows."""
        return np.array([[self[gold, pred].value for pred in self.names] for gold in self.names])

    @property
    def mean(self) -> float:
        """The mean of all values outside the diagonal."""
        return float(np.mean([self[both].value for both in self._pairs]))

    @cached_property
    def elements(self) -> Columns:
        """A row per element, the least consistent first."""
        return self._elements()

    @property
    def signature(self) -> str:
        """What decides the numbers."""
        return self[self._pairs[0]].signature

    def records(self) -> list[dict[str, Any]]:
        """A row for any two clusterings, in full precision."""
        return [{"gold": gold, "pred": pred, **numbers_of(self[gold, pred])} for gold, pred in self._pairs]

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values; ``rows`` has an entry for any two clusterings."""
        consistency = self.elements["consistency"]
        return {
            "rows": self.records(),
            "mean": self.mean,
            "consistency": {"mean": float(consistency.mean()), "least": float(consistency[0])},
            "elements": len(consistency),
            "version": __version__,
        }

    def grid(self, digits: int = 4) -> Grid:
        """The matrix, as a printable table."""
        values = self.matrix
        symmetric = np.allclose(values, values.T, rtol=0, atol=1e-12)  # but for rounding
        rows = [[name, *row] for name, row in zip(self.names, values.tolist(), strict=True)]
        consistency, worst = self.elements["consistency"], self.elements["element"][:1].tolist()[0]
        pairs, dropping = plural(len(self._pairs) // 2, "pair"), "|missing:drop" in self.signature
        most = max(map(sum, self.dropped.values()), default=0)
        below = [
            f"mean over {pairs}: {self.mean:z.{digits}f}{'' if symmetric else '; gold in rows'}",
            f"consistency of {plural(len(consistency), 'element')} ({self.element_metric}): mean "
            f"{consistency.mean():z.{digits}f}, least {consistency[0]:z.{digits}f} (e.g. {worst!r})",
            *([f"dropped: up to {plural(most, 'element')} that one of two does not have"] if dropping else []),
            self.signature,
        ]
        return Grid(["" if symmetric else "gold", *self.names], rows, digits, below=below)
