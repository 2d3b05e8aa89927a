"""Metrics compared by how they rank systems."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from clusterscore.comparison.agreement import Agreement
from clusterscore.exceptions import UnknownName
from clusterscore.metrics.metric import Metric
from clusterscore.show.grid import Grid
from clusterscore.show.printed import Printed, find_metric, heading
from clusterscore.version import __version__


class RankAgreement(Printed):
    """What any two metrics say of the same systems.

    ``result["elm", "bcubed"]`` has ``tau_b`` (Kendall's), ``swapped`` (the share of system pairs that the two metrics
    put in opposite order), and the counts behind them: ``pairs``, ``concordant``, ``discordant``, ``tied_first``,
    ``tied_second`` (tied in one of the two only) and ``tied_both``.

    >>> import clusterscore as cs
    >>> gold = [0, 0, 0, 1, 1, 2]
    >>> systems = {"A": [0, 0, 1, 1, 1, 2], "B": [0, 1, 2, 3, 4, 5], "C": [0, 0, 0, 0, 0, 0]}
    >>> result = cs.rank_agreement({name: cs.score(gold, pred) for name, pred in systems.items()})
    >>> round(result["elm", "bcubed"].tau_b, 4), result["elm", "bcubed"].discordant
    (0.3333, 1)
    """

    def __init__(self, systems: int, metrics: Sequence[str], between: Mapping[tuple[str, str], Agreement]):
        self.systems, self.metrics = systems, list(metrics)
        self._between = dict(between)

    def __getitem__(self, metrics: tuple[str | Metric, str | Metric]) -> Agreement:
        if not isinstance(metrics, tuple) or len(metrics) != 2:
            raise UnknownName(f"{metrics!r}: name two metrics, as in result['elm', 'bcubed']")
        first, second = (find_metric(name, self.metrics, "compared") for name in metrics)
        if first == second:
            raise UnknownName(f"{first} agrees with itself; name two metrics, of {', '.join(self.metrics)}")
        if (first, second) in self._between:
            return self._between[first, second]
        return self._between[second, first].turned()

    def records(self) -> list[dict[str, Any]]:
        """A row for any two metrics, in full precision."""
        return [
            {"first": first, "second": second, "tau_b": one.tau_b, "swapped": one.swapped, **one._asdict()}
            for (first, second), one in self._between.items()
        ]

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values; ``agreement`` has an entry for any two metrics."""
        counts = {"systems": self.systems, "metrics": list(self.metrics)}
        return {**counts, "agreement": self.records(), "version": __version__}

    def grid(self, digits: int = 4) -> Grid:
        """A printable matrix: tau-b below the diagonal, the share of swapped pairs above it."""
        names = [heading(name) for name in self.metrics]
        rows: list[list[Any]] = [[name] + [None] * len(names) for name in names]
        for (first, second), one in self._between.items():
            upper, lower = self.metrics.index(first), self.metrics.index(second)
            rows[upper][1 + lower], rows[lower][1 + upper] = one.swapped, one.tau_b
        below = [f"{self.systems:,} systems; below the diagonal Kendall's tau-b, above it the share of swapped pairs"]
        if any(one.tau_b is None for one in self._between.values()):
            below.append("no tau-b: one of the two metrics ties all systems")
        return Grid(["metric", *names], rows, digits, below=below)
