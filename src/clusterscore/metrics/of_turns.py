"""What the measures of diarization share: the turns of both sides, of which they score some time."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from clusterscore.align.timeline import Timeline
from clusterscore.count.counting import as_table
from clusterscore.count.counts import NotASum
from clusterscore.count.speaking import Scoring, speech
from clusterscore.exceptions import InputError, warn_user
from clusterscore.messages import Option, Wording
from clusterscore.metrics.metric import Limits, Metric, Parts, Table, add_rows
from clusterscore.metrics.score_type import Score
from clusterscore.nouns import noun
from clusterscore.read.clustering import Clustering

_EXAMPLE = {
    "gold": {1: [(0, 4, "a"), (3, 9, "b")], 2: [(0, 5, "a"), (6, 7, "c")], 3: [(1, 3, "a"), (3, 4, "b")]},
    "pred": {1: [(0, 3, "x"), (4, 9, "y")], 2: [(1, 8, "x")], 3: [(1, 3, "x"), (2, 4, "z")]},
}
_WIDE = 0.5  # a collar that is usual for pyannote.metrics, as a width, and rare as half of one


@dataclass(frozen=True)
class OfTurns(Metric):
    """A measure of turns. A recording is a document; its parts are exact sums, rounded once."""

    collar: float = 0.0
    skip_overlap: bool = False

    group: ClassVar[str] = "speakers"
    limits: ClassVar[Limits] = {"collar": (0, np.inf)}
    of_turns: ClassVar[bool] = True
    one_sided: ClassVar[bool] = True  # nobody may speak
    dialects: ClassVar[Mapping[str | None, Mapping[str, Any]]] = {None: {}}  # the options that each stands for

    def __call__(self, gold: Any, pred: Any = None, *, weights: Any = None, **options: Any) -> Score:
        """Score a prediction; rows of turns need no constructor here."""
        return super().__call__(_turns_read(gold), _turns_read(pred), weights=weights, **options)

    def option(self, name: str) -> Any:
        """An option as it was given, or else as the dialect has it."""
        given = getattr(self, name)
        usual = {**self.dialects[None], **self.dialects[getattr(self, "dialect", None)]}
        return usual.get(name) if given is None else given

    @property
    def parameters(self) -> dict[str, Any]:
        """All options, also those of the dialect; a switch that is off is left out unless it was turned off."""
        known = {f.name: self.option(f.name) for f in fields(self)}
        off = {f.name for f in fields(self) if f.default is False or getattr(self, f.name) is None}
        return {name: value for name, value in known.items() if value is not False or name not in off}

    @property
    def scoring(self) -> Scoring:
        """Which time is scored."""
        own = {name: self.option(name) for name in ("turns", "base", "trim") if name in self.dialects[None]}
        return Scoring(Fraction(str(self.collar)), self.skip_overlap, **own)

    @abstractmethod
    def measured(self, timeline: Timeline) -> Parts:
        """The parts of every recording."""

    def parts(self, table: Table) -> Parts:
        timeline = self.timeline(table)
        parts = self.measured(timeline)
        if list(table.documents) == list(timeline.recordings):
            return parts
        place = {name: k for k, name in enumerate(timeline.recordings)}
        rows = np.array([place.get(name, -1) for name in table.documents])  # the last one has nothing
        return {name: np.append(part, 0.0)[rows] for name, part in parts.items()}

    def pooled_parts(self, table: Table) -> Parts:
        """Nothing crosses recordings: what they have is added."""
        return add_rows(self.parts(table))

    def check(self, table: Table) -> None:
        talk = speech(self.timeline(table), self.scoring)
        super().check(table)
        if table.policy.noise or table.policy.background != "keep":
            raise self._of_labels("noise" if table.policy.noise else "background")
        if talk.gold.any() and not talk.gold[talk.scored].any():
            warn_user(f"{self} leaves out all speech of gold; a collar is seconds on either side of a start or an end")
        if getattr(self, "dialect", None) == "pyannote" and self.collar >= _WIDE:
            warn_user(
                f"{self} leaves out {2 * self.collar:g} s around each start and end in gold; what pyannote.metrics "
                f"calls collar={self.collar:g} is collar={self.collar / 2:g} here"
            )

    def _of_labels(self, option: str) -> InputError:
        elements = noun("elements")
        return InputError(
            f"{self.name} scores all turns, and no labels of {elements}; leave out ",
            Option(option),
            f", or score measures of {elements} by themselves",
        )

    def timeline(self, table: Table) -> Timeline:
        """The turns of a table."""
        if table.unit != "documents":
            raise NotASum("turns")
        if table.timeline is None and "only:given" in table.policy.reading:
            raise self._of_labels("only")
        if table.timeline is None:
            raise InputError(
                f"{self.name} needs to know who speaks when, and there are no turns here; pass RTTM files",
                Wording(", or Clustering.from_turns(...), on both sides", " on both sides"),
            )
        return table.timeline

    def example(self) -> Table:
        """Three recordings, partly right."""
        return as_table(*map(Clustering.from_turns, _EXAMPLE.values()))


def _turns_read(side: Any) -> Any:
    """The turns of rows such as (0, 4, "ann"), or of a mapping of recordings to them; anything else as it is."""
    rows = side.values() if isinstance(side, Mapping) else side if isinstance(side, list | tuple) else ()
    return Clustering.from_turns(side) if rows and all(isinstance(row, list | tuple) for row in rows) else side
