"""RankAgreement: how far metrics agree on the ranking of systems, as a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from clusterscore.comparison.agreement import Agreement
from clusterscore.exceptions import MetricError, nearest
from clusterscore.metrics.metric import Metric
from clusterscore.metrics.registry import metric as parse
from clusterscore.show.grid import WIDTH, Grid
from clusterscore.show.printed import Printed, heading
from clusterscore.version import __version__


class RankAgreement(Printed):
    """What any two metrics say of the same systems.

    ``result["elm", "bcubed"]`` has ``tau_b`` (Kendall's), ``swapped`` (the share of system pairs that the two metrics
    put in opposite order), and the counts behind them: ``pairs``, ``concordant``, ``discordant``, ``tied_first``,
    ``tied_second`` (tied in one of the two only) and ``tied_both``.

    >>> import clusterscore as cs
    >>> gold = [0, 0, 0, 1, 1, 2]
    >>> found = {"A": [0, 0, 1, 1, 1, 2], "B": [0, 1, 2, 3, 4, 5], "C": [0, 0, 0, 0, 0, 0]}
    >>> result = cs.rank_agreement({name: cs.score(gold, pred) for name, pred in found.items()})
    >>> round(result["elm", "bcubed"].tau_b, 4), result["elm", "bcubed"].discordant
    (0.3333, 1)
    """

    def __init__(self, systems: int, metrics: Sequence[str], between: Mapping[tuple[str, str], Agreement]):
        self.systems, self.metrics = systems, list(metrics)
        self._between = dict(between)

    def __getitem__(self, metrics: tuple[str | Metric, str | Metric]) -> Agreement:
        if not isinstance(metrics, tuple) or len(metrics) != 2:
            raise KeyError(f"{metrics!r}: name two metrics, as in result['elm', 'bcubed']")
        first, second = map(self._find, metrics)
        if first == second:
            raise KeyError(f"{first} agrees with itself; name two metrics, of {', '.join(self.metrics)}")
        if (first, second) in self._between:
            return self._between[first, second]
        return self._between[second, first].turned()

    def _find(self, name: str | Metric) -> str:
        if isinstance(name, str) and name in self.metrics:
            return name
        found = next((known for known in self.metrics if _full_name(known) == _full_name(name)), None)
        if found is None:
            raise KeyError(f"{name} was not compared: {nearest(str(name), self.metrics)}")
        return found

    def listed(self) -> dict[str, list[Any]]:
        """A row for any two metrics, in full precision."""
        rows = [[*both, found.tau_b, found.swapped, *found] for both, found in self._between.items()]
        names = ["first", "second", "tau_b", "swapped", *Agreement._fields]
        return {name: [row[k] for row in rows] for k, name in enumerate(names)}

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values; ``agreement`` has an entry for any two metrics."""
        listed = self.listed()
        return {
            "systems": self.systems,
            "metrics": list(self.metrics),
            "agreement": [dict(zip(listed, row, strict=True)) for row in zip(*listed.values(), strict=True)],
            "version": __version__,
        }

    def grid(self, digits: int = 4) -> Grid:
        """A printable matrix: tau-b below the diagonal, the share of swapped pairs above it."""
        names = [_short(name) for name in self.metrics]
        rows: list[list[Any]] = []
        for k, (name, row) in enumerate(zip(names, self.metrics, strict=True)):
            values = [None if row == column else self[row, column].tau_b if j < k else self[row, column].swapped
                      for j, column in enumerate(self.metrics)]  # fmt: skip
            rows.append([name, *values])
        below = [f"{self.systems:,} systems; below the diagonal Kendall's tau-b, above it the share of swapped pairs"]
        if any(found.tau_b is None for found in self._between.values()):
            below.append("no tau-b: one of the two metrics ties all systems")
        return Grid(["metric", *names], rows, digits, below=below, width=WIDTH)


def _full_name(name: str | Metric) -> str:
    try:
        return str(parse(name))
    except MetricError:  # a measure of the user's own
        return str(name)


def _short(name: str) -> str:
    try:
        return heading(parse(name))
    except MetricError:
        return name
