"""Scorecard: an ordered set of scores that prints as a table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from clusterscore.aggregate import AVERAGES, Facts, Running, Summary
from clusterscore.count.table import Table
from clusterscore.exceptions import InputError, one_of
from clusterscore.metrics.metric import Metric
from clusterscore.metrics.score import Score
from clusterscore.show.columns import Columns
from clusterscore.show.grid import WIDTH, Grid
from clusterscore.show.printed import Printed, heading, named
from clusterscore.version import __version__


class Scorecard(Printed, Mapping[str, Score]):
    """Scores by metric name, in the order asked for.

    ``card["elm"]`` is the Score under the average that was asked for, ``card.micro`` and ``card.macro`` are both views,
    ``card.documents`` has a row per document. ``card.baselines`` holds the Scorecards of the baselines, by name, where
    they were asked for.

    >>> import clusterscore as cs
    >>> card = cs.score([0, 0, 1, 1, 2], [0, 0, 1, 2, 2], metrics=["elm", "ari"])
    >>> print(card)
                gold  predicted
    elements       5          5
    clusters       3          3
    singletons     1          1
    <BLANKLINE>
    metric               P        R    score   options
    --------------------------------------------------------
    elm             0.6000   0.6000   0.4000   f:mean|beta:1
    adjusted_rand                     0.3750
    <BLANKLINE>
    avg:micro|missing:error|v:0.1.0
    """

    def __init__(self, summaries: Sequence[Summary | Running], compared: Table | Facts, average: str = "micro"):
        one_of("average", average, AVERAGES)
        self._summaries = {str(summary.metric): summary for summary in summaries}
        self._given = compared
        self.warnings: list[str] = []  # what was odd in the input, where somebody looked
        self.average = average
        self.baselines: dict[str, Scorecard] = {}
        for summary in summaries:
            summary.score(average)  # an error belongs to the call, not to the first look

    def __getitem__(self, name: str | Metric) -> Score:
        return self._find(name).score(self.average)

    @property
    def table(self) -> Table:
        """The counts that the scores were made of."""
        if isinstance(self._given, Facts):
            raise InputError("an accumulator keeps no table, only the sums of its scores")
        return self._given

    @cached_property
    def _compared(self) -> Facts:
        return self._given if isinstance(self._given, Facts) else Facts.of(self._given)

    def _find(self, name: object) -> Summary | Running:
        return self._summaries[named(name, self._summaries)]

    def __contains__(self, name: object) -> bool:
        try:
            self._find(name)
        except KeyError:
            return False
        return True

    def __iter__(self) -> Iterator[str]:
        return iter(self._summaries)

    def __len__(self) -> int:
        return len(self._summaries)

    @property
    def micro(self) -> dict[str, Score]:
        """The scores with all documents pooled."""
        return {name: summary.micro for name, summary in self._summaries.items()}

    @property
    def macro(self) -> dict[str, Score]:
        """The means of the documents' scores, with standard deviations."""
        return {name: summary.macro for name, summary in self._summaries.items()}

    @property
    def documents(self) -> Columns:
        """One row per document: its size and every score; P and R as ``elm.precision``, ``elm.recall``."""
        each = {name: summary.documents for name, summary in self._summaries.items()}
        table = self.table
        columns: dict[str, Any] = {
            "document": _column(table.documents),
            "elements": (table.gold_elements + table.pred_elements - table.common).astype(np.int64),
        }
        for name, values in each.items():
            columns[name] = values.value
            if values.precision is not None and values.recall is not None:
                columns[f"{name}.precision"], columns[f"{name}.recall"] = values.precision, values.recall
            columns.update((f"{name}.{extra}", column) for extra, column in values.extras.items())
        return Columns(columns)

    @property
    def facts(self) -> dict[str, tuple[int, int]]:
        """Elements, clusters and singletons, gold and predicted."""
        return {fact: getattr(self._compared, fact) for fact in ("elements", "clusters", "singletons")}

    def to_dict(self) -> dict[str, Any]:
        """The scores and what they were made from, as plain values; the same layout as every command's JSON."""
        others = {name: card._scores() for name, card in self.baselines.items()}
        return {
            "scores": self._scores(),
            **({"baselines": others} if others else {}),
            "elements": self._compared.total,
            "documents": self._compared.documents,
            **{f"{side}_{fact}": self.facts[fact][k]
               for k, side in enumerate(("gold", "pred")) for fact in ("clusters", "singletons")},
            "version": __version__,
        }  # fmt: skip

    def _scores(self) -> dict[str, dict[str, Any]]:
        return {name: self[name].to_dict() for name in self}

    @property
    def _systems(self) -> dict[str, Scorecard]:
        return {"prediction": self, **self.baselines}

    def listed(self) -> dict[str, list[Any]]:
        """A row per metric in full precision, with the whole signature; with baselines per system and metric."""
        fields = ("value", "precision", "recall", "f", "std", "signature")
        rows = [(system, name, card[name]) for system, card in self._systems.items() for name in card]
        columns: dict[str, list[Any]] = {"system": [system for system, _, _ in rows]} if self.baselines else {}
        columns["metric"] = [name for _, name, _ in rows]
        columns.update((field, [getattr(score, field) for _, _, score in rows]) for field in fields)
        return columns

    def grid(self, digits: int = 4) -> Grid:
        """The scores as a printable table."""
        spread = self.average == "macro"
        headings = ["metric", "P", "R", "score", *(["std"] if spread else []), "options"]
        rows: list[list[Any]] = []
        for name, summary in self._summaries.items():
            score = self[name]
            row = [name, score.precision, score.recall, score.value, *([score.std] if spread else [])]
            rows.append([*row, summary.metric.short_signature.partition("|")[2] or None])
        return Grid(headings, rows, digits, below=self._signature)

    def baseline_grid(self, digits: int = 4) -> Grid:
        """The prediction and the baselines as a printable table: a row each, a column per metric."""
        headings = ["system", *(heading(summary.metric) for summary in self._summaries.values())]
        rows = [[system, *(card[name].value for name in self)] for system, card in self._systems.items()]
        return Grid(headings, rows, digits, below=self._signature, width=WIDTH)

    def grids(self, digits: int = 4) -> list[Grid]:
        """The scores, and those of the baselines, where they were asked for."""
        (scores,) = super().grids(digits)
        if not self.baselines:
            return [scores]
        scores.below = ()  # the signature holds for all, and comes at the end
        return [scores, self.baseline_grid(digits)]

    @property
    def _signature(self) -> list[str]:
        return [f"avg:{self.average}|{self._compared.policy.signature}|v:{__version__}"]

    def summary(self) -> str:
        """Elements, clusters and singletons of both sides, aligned."""
        facts = [[fact, *(f"{count:,}" for count in counts)] for fact, counts in self.facts.items()]
        width = max(len(cell) for row in facts for cell in row[1:])
        head = ["", "gold".rjust(width), "predicted".rjust(width)]
        lines = [[fact, gold.rjust(len(head[1])), pred.rjust(len(head[2]))] for fact, gold, pred in facts]
        if self._compared.documents > 1:
            lines.insert(0, ["documents", f"{self._compared.documents:,}".rjust(len(head[1])), ""])
        return "\n".join("  ".join([line[0].ljust(10), *line[1:]]).rstrip() for line in [head, *lines])


def _column(values: Any) -> Any:
    column = np.empty(len(values), object)
    column[:] = values
    return column
