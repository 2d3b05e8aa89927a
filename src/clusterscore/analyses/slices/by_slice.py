"""Slices: what some of the elements score, the worst first."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from clusterscore.align.policies import Policy
from clusterscore.analyses.intervals import UNIT_NOUNS, few_units, level, written
from clusterscore.analyses.slices.slice_scores import Slice, SliceResults
from clusterscore.metrics.score_type import Score
from clusterscore.show.grid import Grid, as_text
from clusterscore.show.result import ByMetric, Printed, ends_of
from clusterscore.version import __version__

_SHOWN = 20  # slices under each metric; the other forms have all


class Slices(Printed, ByMetric[Mapping[Any, Score]]):
    """What some of the elements score: ``slices["elm"]["old"]`` is a Score, and the worst slice comes first.

    ``slices.results["elm"]["old"]`` also has the number of ``elements``, the ``interval`` of the score (``low`` and
    ``high``), its ``difference`` to the score of all other elements, and ``difference_interval``. ``notes`` tell what
    could not be computed.

    >>> import clusterscore as cs
    >>> gold, pred = ["a", "a", "b", "b", "c", "d"], [1, 1, 2, 3, 4, 4]
    >>> slices = cs.score(gold, pred, metrics="elm", by=["old", "old", "old", "old", "new", "new"]).slices
    >>> {name: score.value for name, score in slices["elm"].items()}
    {'new': 0.0, 'old': 0.5}
    >>> slices.results["elm"]["new"].difference
    -0.5
    """

    def __init__(self, found: SliceResults, policy: Policy, confidence: float):
        self.results: ByMetric[Mapping[Any, Slice]] = ByMetric(found.results)
        super().__init__(
            {metric: {name: one.score for name, one in each.items()} for metric, each in found.results.items()}
        )
        self._found, self._policy, self.confidence = found, policy, confidence
        self.unit, self.units = found.unit, found.units  # what intervals are over, and how many there are

    @property
    def notes(self) -> list[str]:
        """What the numbers do not say themselves."""
        drawn = any(one.interval is not None for each in self.results.values() for one in each.values())
        return [*(few_units(self.units, UNIT_NOUNS[self.unit]) if drawn else []), *self._found.notes]

    @property
    def signature(self) -> str:
        """What decides the numbers, apart from the options of the metrics."""
        how = f"by:given|unit:{self.unit}|confidence:{self.confidence:g}|interval:jackknife"
        return f"avg:micro|{self._policy.signature}|{how}|v:{__version__}"

    def records(self) -> list[dict[str, Any]]:
        """A row per metric and slice, in full precision."""
        return [
            {
                "metric": metric,
                "slice": name,
                "elements": one.elements,
                **{key: getattr(one.score, key) for key in ("value", "precision", "recall", "f")},
                **ends_of("", one.interval),
                "difference": one.difference,
                **ends_of("difference_", one.difference_interval),
                "signature": one.score.signature,
            }
            for metric, each in self.results.items()
            for name, one in each.items()
        ]

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values; a name that JSON has no type for is text."""
        scores: dict[str, list[dict[str, Any]]] = {metric: [] for metric in self}
        for row in self.records():
            name = row["slice"]
            plain = name if isinstance(name, str | int | float) else as_text(name)
            scores[row.pop("metric")].append({**row, "slice": plain})
        own = {key: getattr(self, key) for key in ("unit", "units", "confidence", "notes", "signature")}
        return {"scores": scores, **own, "version": __version__}

    def grid(self, digits: int = 4) -> Grid:
        """A row per metric and slice as a printable table; of very many slices the worst."""
        ends = level(self.confidence)
        headings = ["metric", "slice", "elements", "P", "R", "score", ends, "against the rest", ends]
        rows, most = [], 0
        for metric, each in self.results.items():
            most = max(most, len(each))
            for k, (name, one) in enumerate(list(each.items())[:_SHOWN]):
                gap = None if one.difference is None else f"{one.difference:+z.{digits}f}"
                scores = [one.score.precision, one.score.recall, one.score.value, written(one.interval, digits)]
                again = written(one.difference_interval, digits, sign="+")
                rows.append([metric if k == 0 else None, as_text(name), one.elements, *scores, gap, again])
        cut = [f"the {_SHOWN} worst of {most:,} slices; CSV and JSON have all"] if most > _SHOWN else []
        below = [*cut, *self.notes, self.signature]
        return Grid(headings, rows, digits, below=below, breaks=["against the rest"], keys=2, names=["slice"])
