"""Systems compared with each other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

from clusterscore.aggregate import Facts
from clusterscore.analyses.compare.paper import ByPair, PaperTable
from clusterscore.analyses.compare.system_results import ComparisonResults, Difference, SystemResult
from clusterscore.analyses.resampling import CompareOptions, Intervals, few_units, level
from clusterscore.analyses.units import UNIT_NOUNS
from clusterscore.exceptions import UnknownName, nearest, worded
from clusterscore.fields import current
from clusterscore.messages import Message, Option
from clusterscore.metrics.metric import Metric
from clusterscore.nouns import noun, plural
from clusterscore.show.description import (
    COUNT,
    FLAG,
    TEXT,
    Column,
    Description,
    interval_columns,
    metric_column,
    scaled,
)
from clusterscore.show.result import ByMetric, Result, heading, in_its_words
from clusterscore.version import __version__

_TESTED = ("p", "p_holm", "significant", "wins", "ties", "losses")  # of a difference


class Comparison(Result, dict[str, ByMetric[SystemResult]]):
    """Systems by name; ``comparison["B"]["elm"]`` is the result of B under ELM.

    A result has ``score``, ``rank``, ``intervals`` (``jackknife``, which tables show, ``percentile`` and ``bca``, each
    with ``low`` and ``high``) and, for all but the baseline, ``difference``: its ``value``, ``intervals``, ``p`` of the
    paired test, ``p_holm`` corrected for the number of tests, ``wins``, ``ties`` and ``losses``. ``pairs`` has the
    differences of all that were tested, by two systems: ``comparison.pairs["B", "A"]["elm"]`` is B less A. ``notes``
    tell what could not be computed, or should be read with care.

    >>> import clusterscore as cs
    >>> gold, documents = [0, 0, 1, 1] * 6, [k // 4 for k in range(24)]
    >>> systems = {"A": [0, 1, 1, 1] * 6, "B": [0, 0, 1, 1] * 5 + [0, 1, 2, 3]}
    >>> found = cs.compare(gold, systems, metrics="elm", documents=documents)
    >>> b = found["B"]["elm"]
    >>> round(b.difference.value, 4), b.difference.p, b.difference.wins, b.rank
    (0.5, 0.0625, 5, 1)
    """

    def __init__(
        self,
        results: ComparisonResults,
        metrics: Sequence[Metric],
        facts: Mapping[str, Facts],
        baseline: str,
        options: CompareOptions,
    ):
        self.metrics = [str(metric) for metric in metrics]
        self.systems = list(facts)
        self._results, self._metrics, self._facts, self._options = results, metrics, facts, options
        self.baseline = baseline  # the system that the others are compared with
        units = results.units
        self.unit = None if units is None else units.kind  # what was resampled: "documents", "clusters", "elements"
        self.units = 0 if units is None else units.drawn  # how many of them there are
        self.resamples, self.seed = options.resamples, options.seed
        self.confidence = options.confidence  # the share of intervals that should hold the true value
        self.pairs = ByPair(results.pairs)
        # as coreference is reported
        keeps = all(system_facts.policy.missing == "keep" for system_facts in facts.values())
        percent = keeps if (field := current()) is None else field.percent
        self.scale, self.decimals = (100, 2) if percent else (1, 4)  # of scores in tables
        for name in self.systems:
            self[name] = ByMetric({metric: results.results[metric][name] for metric in self.metrics}, "compared")
        self.warnings: list[str] = []  # what to mind when reading the numbers

    def __missing__(self, system: str) -> ByMetric[SystemResult]:
        raise UnknownName(f"no system {system!r}: {nearest(str(system), self)}")

    @property
    def signature(self) -> str:
        """What decides the numbers, apart from the options of the metrics."""
        options = self._options
        policies = {name: facts.policy.signature.split("|") for name, facts in self._facts.items()}
        first = policies[self.systems[0]]
        policy = "|".join(part for part in first if all(part in other for other in policies.values()))
        # what holds for one system only is named by it
        apart = [f"{name}:{part}" for name, own in policies.items() for part in own if part not in policy.split("|")]
        drawn = "".join(f"|{part}" for part in apart)
        if self.baseline != self.systems[0]:
            drawn += f"|baseline:{self.baseline}"
        if self.unit is not None:
            drawn += f"|unit:{self.unit}|resamples:{options.resamples}|seed:{options.seed}"
            drawn += f"|confidence:{options.confidence:g}|interval:jackknife"
            if len(self.systems) > 1:
                drawn += f"|test:{'exchange-all' if self._results.exhaustive else 'exchange'}|correction:holm"
                drawn += "|pairs:all" if self.tests_all_pairs else ""
        return f"avg:{options.average}|{policy}{drawn}|v:{__version__}"

    @property
    def facts(self) -> Mapping[str, Facts]:
        """What was compared, by system."""
        return self._facts

    @property
    @in_its_words
    def notes(self) -> list[str]:
        """What the numbers alone do not say."""
        refused = self._results.refused.values()
        remedy = (
            Message("pass ", Option("average", "macro")) if self.unit == "documents" else noun("resample documents")
        )
        few = [] if self.unit is None else few_units(self.units, UNIT_NOUNS[self.unit])
        return [*self.warnings, *few, *(worded(f"no interval: {why}; ", remedy, " to get one") for why in refused)]

    def is_significant(self, system: str, metric: str | Metric, against: str | None = None) -> bool:
        """Whether a system differs from the baseline, or another one, at the level of confidence, after correction."""
        difference = self[system][metric].difference if against is None else self.pairs[system, against][metric]
        return self._is_small(difference)

    def _is_small(self, difference: Difference | None) -> bool:
        return difference is not None and difference.p_holm is not None and difference.p_holm < 1 - self.confidence

    def _row(self, metric: str, system: str, against: str | None) -> SimpleNamespace:
        gap = None if against is None else self.pairs[system, against][metric]
        return SimpleNamespace(metric=metric, system=system, result=self[system][metric], against=against, gap=gap)

    def description(self) -> Description:
        """A row per metric and system; ``*`` marks what is significant."""
        several, drawn = len(self.systems) > 1, self.unit is not None
        paired = several and not self.tests_all_pairs  # else they have a table of their own
        tested, ends = paired and drawn, level(self.confidence)
        columns = [
            metric_column(once=True),
            Column("system", is_name=True, kind=TEXT),
            *(Column(name, f"result.score.{name}", heading=None) for name in ("value", "precision", "recall")),
            Column("score", "result.score.value", form=scaled(self.scale), programs=False, colour=self._best),
            Column("rank", "result.rank", heading=None, kind=COUNT),
            *self._intervals("", "result.intervals", ends if drawn else None),
            Column("rank", "result.rank", heading="" if several else None, programs=False),
            Column("against", heading=None, kind=TEXT),
            Column("difference", "gap.value", heading=None),
            self._difference(f"against {self.baseline}" if paired else None),
            *self._intervals("difference_", "gap.intervals", ends if tested else None, "+"),
            Column("p", "gap.p", heading="" if tested else None),
            Column("p_holm", "gap.p_holm", heading="p (Holm)" if tested else None),
            Column("significant", self._significance, heading=None, kind=FLAG),
            Column("times", _times, heading="win/tie/loss" if paired else None, programs=False),
            *(Column(name, f"gap.{name}", heading=None) for name in ("wins", "ties", "losses")),
            Column("signature", "result.score.signature", heading=None, kind=TEXT),
        ]
        rows = [
            self._row(metric, system, None if system == self.baseline else self.baseline)
            for metric in self.metrics
            for system in self.systems
        ]
        mark = f"* differs from {self.baseline}: p (Holm) below {1 - self.confidence:.3g}"
        below = [*([mark] if paired and drawn else []), *self.details]
        return Description(columns, rows, self.summary(), below, keys=2)

    def descriptions(self) -> list[Description]:
        """The systems, and where all pairs were tested, a row for each metric and pair."""
        systems = self.description()
        if not self.tests_all_pairs or not self.pairs:
            return [systems]
        drawn, ends = self.unit is not None, level(self.confidence)
        columns = [
            metric_column(once=True),
            *(Column(name, is_name=True) for name in ("system", "against")),
            self._difference("difference"),
            *([Column("p", "gap.p"), Column("p (Holm)", "gap.p_holm")] if drawn else []),
            *(interval_columns(ends, "gap.intervals.jackknife", ends, "+", self.scale, breaks=True) if drawn else []),
            Column("win/tie/loss", _times),
        ]
        rows = [self._row(metric, *pair) for metric in self.metrics for pair in self.pairs]
        least = f"{1 - self.confidence:.3g}, corrected for {plural(len(self.pairs), 'pair')}"
        below = [*([f"* the two differ: p (Holm) below {least}"] if drawn else []), *self.details]
        # what holds for both comes at the end
        return [replace(systems, below=()), Description(columns, rows, below=below, keys=3)]

    def records(self) -> list[dict[str, Any]]:
        """A row per metric and system, in full precision; with ``pairs="all"`` also one for all other pairs."""
        systems = self.description()
        others = [pair for pair in self.pairs if self.baseline not in pair]
        rows: list[Any] = []
        for metric in self.metrics:
            rows += [row for row in systems.rows if row.metric == metric]
            rows += [self._row(metric, *pair) for pair in others]
        return replace(systems, rows=rows).records()

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values."""
        facts = self._facts[self.baseline]
        systems: dict[str, Any] = {
            name: {"scores": {}, **system_facts.dropped_counts} for name, system_facts in self._facts.items()
        }
        for row in self.description().rows:
            result = row.result
            plain = {**result.score.to_dict(), "rank": result.rank, **_plain(result.intervals)}
            if row.gap is not None:
                plain["difference"] = self._plain_difference(row.gap)
            systems[row.system]["scores"][row.metric] = plain
        pairs = [
            {
                "systems": list(pair),
                "differences": {metric: self._plain_difference(gap) for metric, gap in by_metric.items()},
            }
            for pair, by_metric in self.pairs.items()
        ]
        own = ("baseline", "unit", "units", "resamples", "seed", "confidence")
        return {
            "systems": systems,
            **({"pairs": pairs} if self.tests_all_pairs else {}),
            **{key: getattr(self, key) for key in own},
            "elements": facts.total,
            "documents": facts.documents,
            "notes": self.notes,
            "signature": self.signature,
            "version": __version__,
        }

    def _plain_difference(self, gap: Difference) -> dict[str, Any]:
        tested = {**gap._asdict(), "significant": self._is_small(gap)}
        return {"value": gap.value, **_plain(gap.intervals), **{key: tested[key] for key in _TESTED}}

    def _intervals(self, lead: str, get: str, heading: str | None, sign: str = "") -> Iterator[Column]:
        """Intervals by every method, of which people see the first."""
        for name in Intervals._fields:
            shown = heading if name == "jackknife" else None
            yield from interval_columns(f"{lead}{name}", f"{get}.{name}", shown, sign, self.scale)

    def _difference(self, heading: str | None) -> Column:
        """A difference as people see it: with its sign, and marked and coloured where it is significant."""

        def marked(gap: Difference | None, digits: int) -> str | None:
            if gap is None:
                return None
            mark = " *" if self._is_small(gap) else "  "  # as wide as no mark
            return f"{self.scale * gap.value:+z.{digits}f}{mark}"

        return Column(
            "difference", "gap", heading, marked, programs=False, breaks=heading != "difference", colour=self._better
        )

    def _significance(self, row: Any) -> bool | None:
        return None if row.gap is None or row.gap.p is None else self._is_small(row.gap)

    def _best(self, row: Any) -> str | None:
        return "bold" if len(self.systems) > 1 and row.result.rank == 1 else None

    def _better(self, row: Any) -> str | None:
        if row.gap is None or not self._is_small(row.gap):
            return None
        smaller = self._metrics[self.metrics.index(row.metric)].smaller_is_better
        return "green" if (row.gap.value > 0) != smaller else "red"

    @in_its_words
    def paper(self, *, intervals: bool = False) -> PaperTable:
        """The table that goes into a paper: a row per system, a column per metric, the best in bold.

        ``*`` marks what differs from the baseline; with ``pairs="all"``, ``†`` a system that differs from all others.
        ``intervals`` puts the interval after each score. ``found.paper().to_latex(digits=3)`` takes booktabs.
        """
        return PaperTable(self, intervals)

    @property
    @in_its_words
    def details(self) -> list[str]:
        """What stands below every table: the notes, the metrics with their options, and the signature."""
        return [*self.notes, ", ".join(metric.short_signature for metric in self._metrics), self.signature]

    def short_name(self, metric: str) -> str:
        """A metric as the heading of a column; an arrow says that smaller is better."""
        smaller = self._metrics[self.metrics.index(metric)].smaller_is_better
        return f"{heading(metric)} ↓" if smaller else heading(metric)

    @property
    def tests_all_pairs(self) -> bool:
        """Whether every system was tested against every other."""
        return self._options.pairs == "all"

    @in_its_words
    def summary(self) -> str:
        """What was compared."""
        facts = self._facts[self.baseline]
        compared = f"{plural(len(self.systems), 'system')}, {facts.in_words(facts.elements[0])}"
        if self.unit is None:
            return compared
        return f"{compared}; {plural(self.units, UNIT_NOUNS[self.unit])} drawn {self.resamples:,} times"


def _plain(intervals: Intervals | None) -> dict[str, Any]:
    return {} if intervals is None else {name: list(ends) for name, ends in intervals._asdict().items()}


def _times(row: Any) -> str | None:
    return None if row.gap is None else f"{row.gap.wins}/{row.gap.ties}/{row.gap.losses}"
