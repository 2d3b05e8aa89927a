"""Estimates from a sample of gold clusters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from clusterscore.analyses.estimate.estimation import Estimate, EstimateOptions, Sampled, SampleUnits
from clusterscore.analyses.intervals import few_units, level, written
from clusterscore.exceptions import UnknownName, plural
from clusterscore.metrics.metric import Metric
from clusterscore.show.grid import Grid, p_columns
from clusterscore.show.result import ByMetric, Printed, ends_of
from clusterscore.version import __version__

FEW = 30  # units: with fewer an interval is a rough guess
_NUMBERS = ("value", "standard_error", "interval", "bootstrap", "corrected", "effective_size")


class SampleFacts(NamedTuple):
    """What was sampled."""

    clusters: int
    elements: int
    population: int  # elements of the whole prediction
    dropped: int  # elements of the sample that the prediction does not have
    signature: str


class Estimates(Printed, ByMetric[Estimate]):
    """What the whole would score, by metric: ``found["elm"].value``, ``.standard_error``, ``.interval``.

    ``found["elm"].precision`` and ``.recall`` have the same of their own. Of several systems, ``found.systems["B"]``
    has the estimates by metric and ``found.differences["B"]`` the paired differences to the first, each with its ``p``.
    ``facts`` say how many clusters and elements were sampled.

    >>> import clusterscore as cs
    >>> pred = {f"r{k}": k // 3 for k in range(12)}
    >>> found = cs.estimate([["r0", "r1"], ["r2"], ["r6", "r7", "r8"]], pred, metrics="elm", resamples=0)
    >>> print(found)
    3 gold clusters with 6 of 12 elements
    <BLANKLINE>
    metric   part        estimate    error   95% interval
    ---------------------------------------------------------
    elm      score         0.7222   0.2262   [0.0000, 1.0000]
             precision     0.6667   0.2546   [0.0000, 1.0000]
             recall        1.0000   0.0000   [1.0000, 1.0000]
    <BLANKLINE>
    only 3 clusters: with fewer than 30, intervals are rough
    elm|f:mean|beta:1
    estimate|missing:error|weights:uniform|confidence:0.95|resamples:0|seed:0|v:0.1.0
    """

    def __init__(
        self,
        found: Mapping[str, Mapping[str, Sampled]],
        metrics: Sequence[Metric],
        units: SampleUnits,
        facts: SampleFacts,
        options: EstimateOptions,
    ):
        self.metrics, self.facts, self.confidence = [str(metric) for metric in metrics], facts, options.confidence
        self._metrics, self._units, self._options = metrics, units, options
        first, *others = next(iter(found.values()))
        bounds = {str(metric): (metric.lowest, metric.highest) for metric in metrics}
        self.systems: dict[str, ByMetric[Estimate]] = {
            name: ByMetric(
                {metric: each[name].estimate(units, options, bounds[metric], False) for metric, each in found.items()},
                "estimated",
            )
            for name in (first, *others)
        }
        everything = -float("inf"), float("inf")
        self.differences: dict[str, ByMetric[Estimate]] = {
            name: ByMetric(
                {
                    metric: each[name].less(each[first]).estimate(units, options, everything, True)
                    for metric, each in found.items()
                },
                "estimated",
            )
            for name in others
        }
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
    def signature(self) -> str:
        """What decides the numbers, apart from the options of the metrics."""
        options = self._options
        drawn = f"confidence:{options.confidence:g}|resamples:{options.resamples}|seed:{options.seed}"
        return f"estimate|{self.facts.signature}|{drawn}|v:{__version__}"

    @property
    def notes(self) -> list[str]:
        """What the numbers do not say themselves."""
        dropped = f"{plural(self.facts.dropped, 'element')} of the sample not in the prediction, left out"
        return [*few_units(self.units, "cluster", FEW), *([dropped] if self.facts.dropped else [])]

    def rows(self, of: Mapping[str, ByMetric[Estimate]]) -> Iterator[tuple[str, str, str, Estimate]]:
        """Metric, system, part and estimate, one after the other, of ``systems`` or ``differences``."""
        for metric in self.metrics:
            for system, estimates in of.items():
                one = estimates[metric]
                parts = {"score": one, "precision": one.precision, "recall": one.recall}
                yield from ((metric, system, part, each) for part, each in parts.items() if each is not None)

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
        one = self.systems[system][metric]
        parts = {"precision": one.precision, "recall": one.recall}
        plain = {**_numbers(one), **{name: None if each is None else each.value for name, each in parts.items()}}
        plain |= {"f": None if one.precision is None else one.value, "signature": self._signed(metric)}
        plain["parts"] = {name: _numbers(each) for name, each in parts.items() if each is not None}
        if system in self.differences:
            plain["estimated_difference"] = _numbers(self.differences[system][metric])
        return plain

    def records(self) -> Iterator[dict[str, Any]]:
        """A row for each metric, system and part (score, precision, recall), in full precision."""
        for metric, system, part, one in self.rows(self.systems):
            row: dict[str, Any] = {"metric": metric, **({"system": system} if self.differences else {}), "part": part}
            row |= {"estimate": one.value, "standard_error": one.standard_error, **ends_of("", one.interval)}
            row |= {**ends_of("bootstrap_", one.bootstrap), "corrected": one.corrected}
            row["effective_size"] = one.effective_size
            gap = self.differences[system][metric] if system in self.differences else None
            gap = gap if gap is None or part == "score" else getattr(gap, part)
            row |= difference_record(gap) if self.differences else {}
            yield {**row, "signature": self._signed(metric)}

    def _signed(self, metric: str) -> str:
        return f"{self._metrics[self.metrics.index(metric)].short_signature}|{self.signature}"

    def grid(self, digits: int = 4) -> Grid:
        """A row for each metric, system and part, as a printable table."""
        several, drawn = bool(self.differences), self._options.resamples > 0
        headings = ["metric", *(["system"] if several else []), "part", "estimate", "error", level(self.confidence)]
        rows: list[list[Any]] = []
        for metric, system, part, one in self.rows(self.systems):
            name = [metric if part == "score" and system == next(iter(self.systems)) else None]
            name += [system if part == "score" else None] if several else []
            row = [*name, part, one.value, one.standard_error, written(one.interval, digits)]
            rows.append([*row, *([written(one.bootstrap, digits)] if drawn else [])])
        above = f"{plural(self.facts.clusters, 'gold cluster')} with {self.facts.elements:,} of "
        above += plural(self.facts.population, "element")
        below = [] if several else self._details
        headings += ["bootstrap"] if drawn else []
        return Grid(headings, rows, digits, above, below, breaks=["bootstrap"], keys=2 + several, names=["system"])

    def grids(self, digits: int = 4) -> list[Grid]:
        """The estimates, and of several systems how far each is from the first."""
        if not self.differences:
            return [self.grid(digits)]
        gaps = {metric: {name: each[metric] for name, each in self.differences.items()} for metric in self.metrics}
        headings = ["metric", "system", f"against {next(iter(self.systems))}", "error", level(self.confidence), "p"]
        return [self.grid(digits), difference_grid(headings, gaps, digits, self._details)]

    @property
    def _details(self) -> list[str]:
        return [*self.notes, ", ".join(one.short_signature for one in self._metrics), self.signature]


def difference_record(gap: Estimate | None) -> dict[str, float | None]:
    """A difference to the first system, of which there is none of that one itself, in the columns of a row."""
    value, interval, p = (None, None, None) if gap is None else (gap.value, gap.interval, gap.p)
    return {"difference": value, **ends_of("difference_", interval), "p": p}


def difference_grid(
    headings: Sequence[str], gaps: Mapping[str, Mapping[str, Estimate]], digits: int, below: Sequence[str]
) -> Grid:
    """How far systems are from the first, by measure and system."""
    rows: list[list[Any]] = []
    for measure, each in gaps.items():
        for k, (system, gap) in enumerate(each.items()):
            row = [measure if k == 0 else None, system, f"{gap.value:+z.{digits}f}", gap.standard_error]
            rows.append([*row, written(gap.interval, digits, sign="+"), gap.p])
    return Grid(headings, rows, digits, below=below, names=["system"], **p_columns(digits))


def _numbers(one: Estimate) -> dict[str, Any]:
    found = {name: getattr(one, name) for name in _NUMBERS}
    found |= {name: None if found[name] is None else list(found[name]) for name in ("interval", "bootstrap")}
    return {**found, **({} if one.p is None else {"p": one.p})}
