"""Estimates from a sample of gold clusters."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, NamedTuple

from clusterscore.analyses.estimate.calibration import OFF
from clusterscore.analyses.estimate.estimation import NO_ERROR, Estimate, EstimateOptions, Sampled, SampleUnits
from clusterscore.analyses.resampling import few_units, level
from clusterscore.exceptions import UnknownName
from clusterscore.metrics.metric import Metric
from clusterscore.nouns import noun, plural
from clusterscore.show.description import TEXT, Column, Description, interval_columns, metric_column, signed
from clusterscore.show.result import ByMetric, Result, in_its_words
from clusterscore.version import __version__

FEW = 30  # units: with fewer an interval is a rough guess


class SampleFacts(NamedTuple):
    """What was sampled."""

    clusters: int
    elements: int
    population: int  # elements of the whole prediction
    dropped: int  # elements of the sample that the prediction does not have
    signature: str


class SystemEstimates(Result):
    """Estimates of one system or several, and how far each is from the first."""

    confidence: float
    systems: Mapping[str, Mapping[str, Estimate]]
    differences: Mapping[str, Mapping[str, Estimate]]

    @property
    @abstractmethod
    def _details(self) -> list[str]:
        """What stands below the last table."""

    def _columns(self, measure: Column, what: Column, bootstrap: bool | None = None) -> list[Column]:
        """Those of rows that have an ``estimate``, and its difference to the first system as ``gap``.

        ``bootstrap`` is None where there is none, and False where people do not see it.
        """
        several, columns = bool(self.differences), [measure]
        if several:
            columns.append(Column("system", once=bootstrap is not None, is_name=True, kind=TEXT))
        columns += [
            what,
            Column("estimate", "estimate.value"),
            Column("standard_error", "estimate.standard_error", heading="error"),
            *interval_columns("interval", "estimate.interval", level(self.confidence)),
        ]
        if bootstrap is not None:
            heading = "bootstrap" if bootstrap else None
            columns += interval_columns("bootstrap", "estimate.bootstrap", heading, breaks=True)
        columns += [Column(name, f"estimate.{name}", heading=None) for name in ("corrected", "effective_size")]
        if several:
            columns.append(Column("difference", "gap.value", heading=None))
            columns += interval_columns("difference_interval", "gap.interval", None)
            columns.append(Column("p", "gap.p", heading=None))
        return [*columns, Column("signature", heading=None, kind=TEXT)]

    def descriptions(self) -> list[Description]:
        """The estimates, and of several systems how far each is from the first."""
        table = self.description()
        if not self.differences:
            return [replace(table, below=self._details)]
        columns = [
            Column(table.columns[0].name, once=True),
            Column("system", is_name=True, kind=TEXT),
            Column("difference", "gap.value", heading=f"against {next(iter(self.systems))}", form=signed),
            Column("error", "gap.standard_error"),
            *interval_columns("interval", "gap.interval", level(self.confidence), "+"),
            Column("p", "gap.p"),
        ]
        rows = [row for row in table.rows if row.gap is not None and row.part == "score"]
        return [table, Description(columns, rows, below=self._details)]


class Estimates(SystemEstimates, ByMetric[Estimate]):
    """What the whole would score, by metric: ``found["elm"].value``, ``.standard_error``, ``.interval``.

    ``found["elm"].precision`` and ``.recall`` have the same of their own. Of several systems, ``found.systems["B"]``
    has the estimates by metric and ``found.differences["B"]`` the paired differences to the first, each with its ``p``.
    ``facts`` say how many clusters and elements were sampled.

    >>> import clusterscore as cs
    >>> pred = {f"r{k}": k // 3 for k in range(12)}
    >>> sample = cs.Sample([["r0", "r1"], ["r2"], ["r6", "r7", "r8"]], weights="uniform")
    >>> found = cs.estimate(sample, pred, metrics="elm", resamples=0)
    >>> print(found)
    3 gold clusters with 6 of 12 elements
    <BLANKLINE>
    metric   part        estimate    error   95% interval
    ---------------------------------------------------------
    elm      score         0.7222   0.2262   [0.0000, 1.0000]
             precision     0.6667   0.2546   [0.0000, 1.0000]
             recall        1.0000   0.0000   [0.4315, 1.0000]
    <BLANKLINE>
    only 3 clusters: with fewer than 30, intervals are rough
    no error in 3 clusters: at least 0.432 with 95% confidence (rule of three; elm recall)
    elm|f:mean|beta:1
    estimate|missing:error|weights:uniform|confidence:0.95|resamples:0|seed:0|v:0.1.0
    """

    def __init__(
        self,
        sampled: Mapping[str, Mapping[str, Sampled]],
        metrics: Sequence[Metric],
        units: SampleUnits,
        facts: SampleFacts,
        options: EstimateOptions,
    ):
        self.metrics, self.facts, self.confidence = [str(metric) for metric in metrics], facts, options.confidence
        self._metrics, self._units, self._options, self._sampled = metrics, units, options, sampled
        first, *others = next(iter(sampled.values()))
        self.systems: dict[str, ByMetric[Estimate]] = {}
        self.differences: dict[str, ByMetric[Estimate]] = {}
        for name in (first, *others):
            own, gaps = {}, {}
            for metric, by_system in zip(metrics, sampled.values(), strict=True):
                bounds, most = (metric.lowest, metric.highest), metric.highest - metric.lowest
                own[str(metric)] = by_system[name].estimate(units, options, bounds, False)
                if name != first:
                    gap = by_system[name].less(by_system[first])
                    gaps[str(metric)] = gap.estimate(units, options, (-most, most), True)
            self.systems[name] = ByMetric(own, "estimated")
            if gaps:
                self.differences[name] = ByMetric(gaps, "estimated")
        super().__init__({} if others else self.systems[first], "estimated")

    def __getitem__(self, name: str | Metric) -> Estimate:
        if len(self.systems) > 1:
            raise UnknownName(
                f"{name!r} was estimated for {plural(len(self.systems), 'system')}; use found.systems[...]"
            )
        return super().__getitem__(name)

    @property
    def effective_size(self) -> float:
        """How many units of equal weight would tell as much."""
        return self._units.effective_size

    @property
    def units(self) -> int:
        """How many clusters, or records, were drawn."""
        return len(self._units.cluster)

    @property
    def drawn(self) -> float:
        """The part of the whole that was drawn, where it is so large that errors are smaller for it; below 1."""
        return min(1 - float(self._units.left.mean()), 1 - 1e-9)

    @property
    def signature(self) -> str:
        """What decides the numbers, apart from the options of the metrics."""
        options = self._options
        drawn = f"confidence:{options.confidence:g}|resamples:{options.resamples}|seed:{options.seed}"
        return f"estimate|{self.facts.signature}|{drawn}|v:{__version__}"

    @property
    @in_its_words
    def notes(self) -> list[str]:
        """What the numbers alone do not say."""
        dropped = f"{plural(self.facts.dropped, 'element')} of the sample not in the prediction, left out"
        few = few_units(self.units, "cluster", FEW) if self._units.left.any() else []
        left_out = [dropped] if self.facts.dropped else []
        return [*few, *left_out, *self._without_error(), *self._carried(), *self._poorly_shown()]

    def _without_error(self) -> Iterator[str]:
        """What may still be wrong where no error was seen."""
        unnoticed, sure = self._units.unnoticed(self.confidence), f"with {100 * self.confidence:g}% confidence"
        scores = {str(metric) for metric in self._metrics if (metric.lowest, metric.highest) == (0, 1)}
        for value, seen, bound in (
            (1, "no error", f"at least {1 - unnoticed:.3f}"),
            (0, "nothing right", f"at most {unnoticed:.3f}"),
        ):
            names = [
                " ".join([metric, *([system] if len(self.systems) > 1 else []), *([] if part == "score" else [part])])
                for metric, system, part, estimate in self.rows(self.systems)
                if metric in scores and abs(estimate.value - value) <= NO_ERROR >= estimate.standard_error
            ]
            if names and unnoticed:
                clusters = plural(self.units, "cluster")
                yield f"{seen} in {clusters}: {bound} {sure} (rule of three; {', '.join(names)})"

    def _carried(self) -> Iterator[str]:
        """Measures of which few units decide how uncertain they are."""
        carried: dict[int, list[str]] = {}
        for metric, by_system in self._sampled.items():
            influences = [column for sampled in by_system.values() for column in sampled.influence.T]
            uncertain = [column for column in influences if self._units.spread(column)[0] > NO_ERROR]
            fewest = min((self._units.carriers(column) for column in uncertain), default=self.units)
            if fewest <= max(2, self.units / 200) and 5 * fewest <= self.units:
                carried.setdefault(fewest, []).append(metric)
        for number, metrics in sorted(carried.items()):
            yield (
                f"half of the uncertainty of {', '.join(metrics)} comes from {number:,} of {self.units:,} "
                f"{noun('clusters')}"
            )

    def _poorly_shown(self) -> Iterator[str]:
        """Systems of which the sample shows far fewer predicted pairs than they have, or far more."""
        for system, sampled in next(iter(self._sampled.values())).items():
            if abs(sampled.shown - 1) > OFF:
                whose = f" in {system}" if len(self.systems) > 1 else ""
                frequency = "hardly" if sampled.shown < 1 else "too often"
                yield (
                    f"the sample shows {sampled.shown:.0%} of the predicted pairs that there are{whose}: "
                    f"large predicted {noun('clusters')} are {frequency} in it, so intervals are wider; draw "
                    "more, or with equal allocation"
                )

    @in_its_words
    def summary(self) -> str:
        """What was sampled, of what."""
        sampled = f"{plural(self.facts.clusters, 'gold cluster')} with {self.facts.elements:,} of "
        return sampled + plural(self.facts.population, "element")

    def rows(self, of: Mapping[str, ByMetric[Estimate]]) -> Iterator[tuple[str, str, str, Estimate]]:
        """Metric, system, part and estimate, one after the other, of ``systems`` or ``differences``."""
        for metric in self.metrics:
            for system, estimates in of.items():
                score = estimates[metric]
                parts = {"score": score, "precision": score.precision, "recall": score.recall}
                yield from (
                    (metric, system, part, estimate) for part, estimate in parts.items() if estimate is not None
                )

    def description(self) -> Description:
        """A row for each metric, system and part (score, precision, recall)."""
        gaps = {(metric, system, part): gap for metric, system, part, gap in self.rows(self.differences)}
        rows = [
            SimpleNamespace(
                metric=metric,
                system=system,
                part=part,
                estimate=estimate,
                gap=gaps.get((metric, system, part)),
                signature=self.signed(metric),
            )
            for metric, system, part, estimate in self.rows(self.systems)
        ]
        part = Column("part", kind=TEXT)
        columns = self._columns(metric_column(once=True), part, bootstrap=self._options.resamples > 0)
        return Description(columns, rows, self.summary(), keys=3 if self.differences else 2)

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values."""
        facts = self.facts._asdict()
        facts.pop("signature")
        systems = {
            name: {"scores": {metric: self._plain(name, metric) for metric in self.metrics}} for name in self.systems
        }
        return {
            **({"systems": systems} if self.differences else next(iter(systems.values()))),
            **facts,
            "documents": 1,
            "units": self.units,
            "effective_size": self.effective_size,
            "confidence": self.confidence,
            "notes": self.notes,
            "signature": self.signature,
            "version": __version__,
        }

    def _plain(self, system: str, metric: str) -> dict[str, Any]:
        score = self.systems[system][metric]
        parts = {"precision": score.precision, "recall": score.recall}
        plain = {**score.to_dict(), **{name: None if part is None else part.value for name, part in parts.items()}}
        plain |= {"f": None if score.precision is None else score.value, "signature": self.signed(metric)}
        plain["parts"] = {name: part.to_dict() for name, part in parts.items() if part is not None}
        if system in self.differences:
            plain["estimated_difference"] = self.differences[system][metric].to_dict()
        return plain

    def signed(self, metric: str) -> str:
        """The whole signature of an estimate."""
        return f"{self._metrics[self.metrics.index(metric)].short_signature}|{self.signature}"

    @property
    def _details(self) -> list[str]:
        return [*self.notes, ", ".join(metric.short_signature for metric in self._metrics), self.signature]
