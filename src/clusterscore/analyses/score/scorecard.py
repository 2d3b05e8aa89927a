"""Scorecard: an ordered set of scores that prints as a table, in all or document by document."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

from clusterscore.aggregate import AVERAGES, Facts, Running, Summary
from clusterscore.count.table import Table
from clusterscore.exceptions import InputError, one_of
from clusterscore.metrics.score_type import Score
from clusterscore.notebook import html_output, html_table
from clusterscore.nouns import noun
from clusterscore.show.columnar import Columns
from clusterscore.show.description import TEXT, Column, Description, metric_column, score_columns
from clusterscore.show.result import ByMetric, Result, heading, in_its_words, named_columns
from clusterscore.version import __version__

if TYPE_CHECKING:
    from clusterscore.analyses.slices import Slices


class Scorecard(Result, ByMetric[Score]):
    """Scores by metric name, in the order asked for.

    ``card["elm"]`` is the Score under the average that was asked for, ``card.micro``, ``card.macro`` and
    ``card.weighted`` are all views, ``card.documents`` has a row per document. ``card.baselines`` holds the Scorecards
    of the baselines, by name, where they were asked for, ``card.slices`` the scores of slices where ``by`` made them.

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

    in_unit = True

    def __init__(self, summaries: Sequence[Summary | Running], compared: Table | Facts, average: str = "micro"):
        one_of("average", average, AVERAGES)
        self._summaries = {str(summary.metric): summary for summary in summaries}
        super().__init__({name: summary.score(average) for name, summary in self._summaries.items()})
        self._given = compared
        self.warnings: list[str] = []  # what was odd in the input, where somebody looked
        self.average = average
        self.baselines: dict[str, Scorecard] = {}
        self._slices: Slices | None = None

    @property
    def table(self) -> Table:
        """The counts that the scores were made of."""
        if isinstance(self._given, Facts):
            raise InputError("an accumulator keeps no table, only the sums of its scores")
        return self._given

    @property
    def slices(self) -> Slices:
        """The scores of slices: ``card.slices["elm"]["old"]``."""
        if self._slices is None:
            raise InputError(noun("there are no slices; pass by=, a group for each element, to cs.score"))
        return self._slices

    @slices.setter
    def slices(self, slices: Slices) -> None:
        self._slices = slices

    @cached_property
    def _compared(self) -> Facts:
        return self._given if isinstance(self._given, Facts) else Facts.of(self._given)

    def _averaged(self, average: str) -> dict[str, Score]:
        return {name: summary.score(average) for name, summary in self._summaries.items()}

    @property
    def micro(self) -> dict[str, Score]:
        """The scores with all documents pooled."""
        return self._averaged("micro")

    @property
    def macro(self) -> dict[str, Score]:
        """The means of the documents' scores, with standard deviations."""
        return self._averaged("macro")

    @property
    def weighted(self) -> dict[str, Score]:
        """The same with each document weighed by its number of elements."""
        return self._averaged("weighted")

    @property
    @in_its_words
    def documents(self) -> Columns:
        """One row per document: its size and every score; P and R as ``elm.precision``, ``elm.recall``."""
        by_metric = {name: summary.documents for name, summary in self._summaries.items()}
        table = self.table
        columns: dict[str, Any] = {
            "document": _column(table.documents),
            "elements": table.document_elements,
        }
        for name, values in by_metric.items():
            columns[name] = values.value
            if values.precision is not None and values.recall is not None:
                columns[f"{name}.precision"], columns[f"{name}.recall"] = values.precision, values.recall
            columns.update((f"{name}.{extra}", column) for extra, column in values.extras.items())
        return Columns(columns)

    @property
    def facts(self) -> dict[str, tuple[int, int]]:
        """Elements, clusters and singletons, gold and predicted; and memberships where clusters overlap.

        With ``missing="drop"`` also how many elements were dropped, as the other side does not have them, and with
        ``noise_as="drop"`` or ``background`` how many as noise or background.
        """
        facts = self._compared
        overlapping = ["memberships"] if facts.memberships != facts.elements else []
        names = ["elements", *overlapping, "clusters", "singletons", *facts.policy.drops(facts.noise)]
        called = {"noise": facts.policy.unclustered or "noise"}
        return {called.get(name, name): getattr(facts, name) for name in names}

    @property
    def shown(self) -> dict[str, str]:
        """The columns of documents that people see: all metrics, and extras that have a heading of their own."""
        columns: dict[str, str] = {}
        for name, summary in self._summaries.items():
            columns |= {name: "", **{f"{name}.{extra}": above for extra, above in summary.metric.shown.items()}}
        return columns

    def to_dict(self) -> dict[str, Any]:
        """The scores and what they were made from, as plain values; the same layout as every command's JSON."""
        others = {name: {"scores": card._scores()} for name, card in self.baselines.items()}
        facts = self._compared
        sides = {f"{side}_memberships": facts.memberships[k] for k, side in enumerate(("gold", "pred"))}
        return {
            "scores": self._scores(),
            **({"baselines": others} if others else {}),
            **({} if self._slices is None else {"slices": self._slices.to_dict()}),
            "elements": facts.total,
            "documents": facts.documents,
            "gold_clusters": facts.clusters[0],
            "gold_singletons": facts.singletons[0],
            "pred_clusters": facts.clusters[1],
            "pred_singletons": facts.singletons[1],
            **(sides if "memberships" in self.facts else {}),
            **facts.dropped_counts,
            **({"warnings": warnings} if (warnings := list(dict.fromkeys([*self.warnings, *self.doubts]))) else {}),
            "version": __version__,
        }

    def _scores(self) -> dict[str, dict[str, Any]]:
        return {name: score.to_dict() for name, score in self.items()}

    def description(self, with_baselines: bool = False) -> Description:
        """A row per metric; with baselines per system and metric."""
        spread = self.average != "micro"
        columns = [
            *([Column("system", kind=TEXT)] if with_baselines else []),
            metric_column(),
            *score_columns("score", self.use.scale, ("value", "precision", "recall", "f", "std"), spread=spread),
            Column("options", programs=False),
            Column("signature", "score.signature", heading=None, kind=TEXT),
        ]
        options = {name: summary.metric.short_signature for name, summary in self._summaries.items()}
        rows = [
            SimpleNamespace(system=system, metric=name, score=score, options=options[name].partition("|")[2] or None)
            for system, card in {"prediction": self, **(self.baselines if with_baselines else {})}.items()
            for name, score in card._values.items()
        ]
        signature = f"avg:{self.average}|{self._compared.policy.signature}|v:{__version__}"
        return Description(columns, rows, self.summary(), [signature], list(options.values()))

    def descriptions(self, first: Description | None = None) -> list[Description]:
        """The scores, or whatever else comes first; where that is usual in the field, those of each document.

        Those of the baselines (a column per metric) and of slices come after it, where they were asked for. The
        signature holds for all, and comes at the end.
        """
        tables = [first or self.description()]
        last = tables[0].below
        few = self.field is not None and self._compared.documents < self.field.by_document
        if first is None and few and (self._compared.documents > 1 or len(self.shown) > len(self)):
            tables.append(ByDocument(self).description())
        if self.baselines:
            columns = [Column("system", kind=TEXT), *named_columns(self, self.use.scale)]
            systems = {"prediction": self, **self.baselines}
            rows = [SimpleNamespace(system=name, scores=card) for name, card in systems.items()]
            tables.append(Description(columns, rows))
        if self._slices is not None:
            *more, end = self._slices.descriptions()
            tables, last = [*tables, *more, end], end.below
        return [*(replace(table, below=()) for table in tables[:-1]), replace(tables[-1], below=last)]

    def records(self) -> list[dict[str, Any]]:
        """A row per metric in full precision, with the full signature; with baselines per system and metric.

        Those of slices come below, where there are any.
        """
        rows = self.description(with_baselines=bool(self.baselines)).records()
        if self._slices is None:
            return rows
        system = {"system": "prediction"} if self.baselines else {}
        more = [{**system, **row} for row in self._slices.records()]
        names = dict.fromkeys([*system, "metric", "slice", "elements", *list(rows[0])[:-1], *more[0]])
        return [{**names, **row} for row in [*rows, *more]]

    @in_its_words
    def summary(self) -> str:
        """The facts of both sides, aligned."""
        lines = self._fact_lines()
        first = max(len(fact) for fact, *_ in lines)
        left = max(len("gold"), *(len(count) for _, *counts in lines[1:] for count in counts))
        right = max(left, len("predicted"))
        return "\n".join(f"{fact:{first}}  {gold:>{left}}  {pred:>{right}}".rstrip() for fact, gold, pred in lines)

    def _fact_lines(self) -> list[tuple[str, str, str]]:
        documents = self._compared.documents
        several = [(noun("documents"), f"{documents:,}", "")] if documents > 1 else []
        timeline = self._given.timeline if isinstance(self._given, Table) else None
        facts = self.facts if timeline is None else timeline.facts
        counts = [(noun(fact), f"{gold:,}", f"{pred:,}") for fact, (gold, pred) in facts.items()]
        return [("", "gold", "predicted"), *several, *counts]

    @in_its_words
    def _repr_html_(self) -> str:
        scores, *others = self.grids()
        scores.above = ""  # the facts have a table of their own
        facts = html_table(self._fact_lines(), [False, True, True])
        return html_output(facts, *(grid.to_html() for grid in (scores, *others)))


def _column(values: Any) -> Any:
    column = np.empty(len(values), object)
    column[:] = values
    return column


class ByDocument(Result):
    """The scores of a card, document by document."""

    in_unit = True

    def __init__(self, card: Scorecard):
        self._card, self.use = card, card.use

    def description(self) -> Description:
        """A row per document with the score of every metric, and a row per average: that of the card, and the mean."""
        card, documents = self._card, self._card.documents
        sizes = documents["elements"].tolist()
        shown = card.shown
        by_document = zip(*(documents[name].tolist() for name in shown), strict=True)
        rows = [
            SimpleNamespace(document=document, elements=size, scores=dict(zip(shown, scores, strict=True)))
            for document, size, scores in zip(documents["document"].tolist(), sizes, by_document, strict=True)
        ]
        averages = []
        for average in dict.fromkeys((card.average, "macro")):
            scores: dict[str, float] = {}
            for name, score in getattr(card, average).items():
                scores |= {name: score, **{f"{name}.{extra}": value for extra, value in score.extras.items()}}
            averages.append(SimpleNamespace(document=f"avg:{average}", elements=sum(sizes), scores=scores))
        named = named_columns(shown, card.use.scale, lambda name: shown[name] or heading(name))
        columns = [Column("document", is_name=True), Column("elements"), *named]
        description = card.description()
        bold = {(len(rows) + k, 0) for k in range(len(averages))}
        below = [", ".join(description.options), *description.below]
        return Description(columns, [*rows, *averages], below=below, look={"bold": bold})

    def descriptions(self) -> list[Description]:
        """The same, and the baselines where they were asked for."""
        return self._card.descriptions(self.description())

    def records(self) -> list[dict[str, Any]]:
        """A row per document: P, R and all counts of every metric."""
        return list(self._card.documents.records())

    def to_dict(self) -> dict[str, Any]:
        """The scores of the card, and a row per document."""
        return {**self._card.to_dict(), "by_document": self.records()}
