"""Slices: what some of the elements score, the worst first."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

from clusterscore.align.policies import Policy
from clusterscore.analyses.intervals import UNIT_NOUNS, few_units, level
from clusterscore.analyses.slices.slice_scores import Slice, SliceResults
from clusterscore.metrics.score_type import Score
from clusterscore.show.description import ANY, COUNT, TEXT, Column, Description, Ends, Scores, Signed
from clusterscore.show.grid import as_text
from clusterscore.show.result import ByMetric, Result
from clusterscore.version import __version__

_SHOWN = 20  # slices under each metric; the other forms have all


class Slices(Result, ByMetric[Mapping[Any, Score]]):
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

    def description(self) -> Description:
        """A row per metric and slice."""
        ends = level(self.confidence)
        columns = [
            Column("metric", once=True, kind=TEXT),
            Column("slice", heading=None, kind=ANY),
            Column("slice", lambda row: as_text(row.slice), programs=False, is_name=True),
            Column("elements", "result.elements", kind=COUNT),
            Column("score", "result.score", form=Scores()),
            Column("interval", "result.interval", heading=ends, form=Ends()),
            Column("difference", "result.difference", heading="against the rest", form=Signed(), breaks=True),
            Column("difference_interval", "result.difference_interval", heading=ends, form=Ends(sign="+")),
            Column("signature", "result.score.signature", heading=None, kind=TEXT),
        ]
        rows = [
            SimpleNamespace(metric=metric, slice=name, result=result)
            for metric, slices in self.results.items()
            for name, result in slices.items()
        ]
        return Description(columns, rows, below=[*self.notes, self.signature], keys=2)

    def descriptions(self) -> list[Description]:
        """Of very many slices the worst."""
        most = max(len(slices) for slices in self.results.values())
        every = self.description()
        if most <= _SHOWN:
            return [every]
        shown = {(metric, name) for metric, slices in self.results.items() for name in list(slices)[:_SHOWN]}
        rows = [row for row in every.rows if (row.metric, row.slice) in shown]
        cut = f"the {_SHOWN} worst of {most:,} slices; CSV and JSON have all"
        return [replace(every, rows=rows, below=[cut, *every.below])]

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values; a name that JSON has no type for is text."""
        scores: dict[str, list[dict[str, Any]]] = {metric: [] for metric in self}
        for row in self.records():
            name = row["slice"]
            plain = name if isinstance(name, str | int | float) else as_text(name)
            scores[row.pop("metric")].append({**row, "slice": plain})
        own = {key: getattr(self, key) for key in ("unit", "units", "confidence", "notes", "signature")}
        return {"scores": scores, **own, "version": __version__}
