"""Chances: scores beside what chance would get, printed as a table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from clusterscore.aggregate import Facts
from clusterscore.comparison.chance import Chance, Permuting
from clusterscore.exceptions import plural
from clusterscore.metrics.metric import Metric
from clusterscore.show.grid import Grid
from clusterscore.show.printed import ByMetric, Printed
from clusterscore.version import __version__

_NUMBERS = ("expected", "std", "most", "adjusted", "z", "p")


class Chances(Printed, ByMetric[Chance]):
    """Scores beside chance, by metric name, in the order asked for.

    ``chances["elm"]`` has the ``score``, the ``expected`` one of a random prediction of the same cluster sizes and its
    ``std``, the ``most`` that can be had, the ``adjusted`` score, ``z`` and ``p``.

    >>> import clusterscore as cs
    >>> print(cs.chance([0, 0, 1, 1, 2, 2] * 3, [0, 0, 1, 2, 2, 2] * 3, metrics=["elm", "ari"]))
    18 elements; predicted labels shuffled 1,000 times
    <BLANKLINE>
    metric           score   expected      std   adjusted        z        p   options
    ---------------------------------------------------------------------------------------
    elm             0.7363     0.3091   0.0588     0.6183   7.2681   0.0010   f:mean|beta:1
    adjusted_rand   0.5984     0.0030   0.0828     0.5972   7.1928   0.0010
    <BLANKLINE>
    avg:micro|missing:error|v:0.1.0|permutations:1000|seed:0
    """

    def __init__(self, chances: Mapping[str, Chance], metrics: Mapping[str, Metric], facts: Facts, how: Permuting):
        super().__init__(chances)
        self._metrics, self._facts, self._how = metrics, facts, how

    @property
    def signature(self) -> str:
        """What decides the numbers, beside the options of the metrics."""
        how = self._how
        policy = f"avg:{how.average}|{self._facts.policy.signature}|v:{__version__}"
        return f"{policy}|permutations:{how.resamples}|seed:{how.seed}"

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values."""
        return {
            "scores": {name: {**one.score.to_dict(), **{key: getattr(one, key) for key in (*_NUMBERS, "signature")}}
                       for name, one in self.items()},
            "elements": self._facts.total,
            "documents": self._facts.documents,
            "permutations": self._how.resamples,
            "seed": self._how.seed,
            "version": __version__,
        }  # fmt: skip

    def listed(self) -> dict[str, list[Any]]:
        """Columns with everything in full precision, a row per metric."""
        columns: dict[str, list[Any]] = {"metric": list(self), "value": [one.score.value for one in self.values()]}
        columns.update((key, [getattr(one, key) for one in self.values()]) for key in (*_NUMBERS, "signature"))
        return columns

    def grid(self, digits: int = 4) -> Grid:
        """A row per metric as a printable table."""
        headings = ["metric", "score", "expected", "std", "adjusted", "z", "p", "options"]
        rows = [
            [name, one.score.value, one.expected, one.std, one.adjusted, one.z, one.p,
             self._metrics[name].short_signature.partition("|")[2] or None]
            for name, one in self.items()
        ]  # fmt: skip
        return Grid(headings, rows, digits, below=[self.signature])

    def summary(self) -> str:
        """What was shuffled, and how often."""
        what = [plural(self._facts.total, "element")]
        if self._facts.documents > 1:
            what.append(plural(self._facts.documents, "document"))
        return f"{', '.join(what)}; predicted labels shuffled {self._how.resamples:,} times"
