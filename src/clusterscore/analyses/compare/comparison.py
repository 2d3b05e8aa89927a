"""Systems compared with each other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import compress
from typing import Any

from clusterscore.aggregate import Facts
from clusterscore.align.policies import dropped_note
from clusterscore.analyses.compare.paper import ByPair, PaperTable
from clusterscore.analyses.compare.system_results import ComparisonResults, Difference, SystemResult
from clusterscore.analyses.resampling import CompareOptions, Interval, Intervals
from clusterscore.exceptions import Message, Option, UnknownName, nearest, plural, worded
from clusterscore.metrics.metric import Metric
from clusterscore.show.grid import Grid, p_columns
from clusterscore.show.result import ByMetric, Printed, ends_of, heading
from clusterscore.version import __version__

UNITS = {"documents": "document", "clusters": "gold cluster", "elements": "element"}
_TESTED = ("p", "p_holm", "significant", "wins", "ties", "losses")  # of a difference


class Comparison(Printed, dict[str, ByMetric[SystemResult]]):
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
        percent = all(each.policy.missing == "keep" for each in facts.values())  # as coreference is reported
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
        policy = "|".join(each for each in first if all(each in other for other in policies.values()))
        # what holds for one system only is named by it
        apart = [f"{name}:{each}" for name, own in policies.items() for each in own if each not in policy.split("|")]
        drawn = "".join(f"|{each}" for each in apart)
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
    def notes(self) -> list[str]:
        """What the numbers do not say themselves."""
        refused = self._results.refused.values()
        remedy = Message("pass ", Option("average", "macro")) if self.unit == "documents" else "resample documents"
        few = [] if self.unit is None else few_units(self.units, UNITS[self.unit])
        return [*self.warnings, *few, *(worded(f"no interval: {why}; ", remedy, " to get one") for why in refused)]

    def is_significant(self, system: str, metric: str | Metric, against: str | None = None) -> bool:
        """Whether a system differs from the baseline, or another one, at the level of confidence, after correction."""
        difference = self[system][metric].difference if against is None else self.pairs[system, against][metric]
        return self._is_small(difference)

    def _is_small(self, difference: Difference | None) -> bool:
        return difference is not None and difference.p_holm is not None and difference.p_holm < 1 - self.confidence

    def _rows(self) -> Iterator[tuple[str, str, SystemResult, bool]]:
        for metric in self.metrics:
            for name in self.systems:
                yield metric, name, self[name][metric], self.is_significant(name, metric)

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values."""
        facts = self._facts[self.baseline]
        systems: dict[str, Any] = {name: {"scores": {}, **each.dropped_counts} for name, each in self._facts.items()}
        for metric, name, one, _ in self._rows():
            plain = {**one.score.to_dict(), "rank": one.rank, **_plain(one.intervals)}
            if one.difference is not None:
                plain["difference"] = self._plain_difference(one.difference)
            systems[name]["scores"][metric] = plain
        pairs = [
            {
                "systems": list(pair),
                "differences": {metric: self._plain_difference(one) for metric, one in by_metric.items()},
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

    def _plain_difference(self, one: Difference) -> dict[str, Any]:
        tested = {**one._asdict(), "significant": self._is_small(one)}
        return {"value": one.value, **_plain(one.intervals), **{key: tested[key] for key in _TESTED}}

    def records(self) -> Iterator[dict[str, Any]]:
        """A row per metric and system, in full precision; with ``pairs="all"`` also one for all other pairs."""
        for metric in self.metrics:
            against: list[tuple[str, str | None]] = [(name, self.baseline) for name in self.systems]
            against[self.systems.index(self.baseline)] = self.baseline, None
            against += [pair for pair in self.pairs if self.baseline not in pair]
            for name, other in against:
                one = self[name][metric]
                gap = None if other is None else self.pairs[name, other][metric]
                difference: dict[str, Any] = {} if gap is None else gap._asdict()
                if gap is not None and gap.p is not None:
                    difference["significant"] = self._is_small(gap)
                yield {
                    "metric": metric,
                    "system": name,
                    **{key: getattr(one.score, key) for key in ("value", "precision", "recall")},
                    "rank": one.rank,
                    **_all_ends("", one.intervals),
                    "against": other,
                    "difference": difference.get("value"),
                    **_all_ends("difference_", difference.get("intervals")),
                    **{key: difference.get(key) for key in _TESTED},
                    "signature": one.score.signature,
                }

    def grid(self, digits: int = 4) -> Grid:
        """A row per metric and system, as a printable table; ``*`` marks what is significant."""
        several, drawn = len(self.systems) > 1, self.unit is not None
        paired = several and not self.tests_all_pairs  # else they have a table of their own
        tested = paired and drawn
        against = f"against {self.baseline}"
        ends = level(self.confidence)
        headings = ["metric", "system", "score", ends, "rank", against, ends, "p", "p (Holm)", "win/tie/loss"]
        columns = [True, True, True, drawn, several, paired, tested, tested, tested, paired]
        rows: list[list[Any]] = []
        colours: dict[tuple[int, int], str] = {}
        smaller = {str(metric): metric.smaller_is_better for metric in self._metrics}
        for metric, name, one, significant in self._rows():
            cells = [None] * 5 if one.difference is None else self._difference_cells(one.difference, digits)
            first = metric if name == self.systems[0] else None
            interval = written(one.intervals and one.intervals.jackknife, digits, self.scale)
            row = [first, name, self.scale * one.score.value, interval, one.rank, *cells]
            if one.difference is not None and paired and significant:
                better = (one.difference.value > 0) != smaller[metric]
                colours[len(rows), sum(columns[:5])] = "green" if better else "red"
            if several and one.rank == 1:
                colours[len(rows), 2] = "bold"
            rows.append(list(compress(row, columns)))
        marks = [f"* differs from {self.baseline}: p (Holm) below {1 - self.confidence:.3g}"] if tested else []
        below = [*marks, *self.details]
        grid = Grid(list(compress(headings, columns)), rows, digits, self.summary(), below, **p_columns(digits))
        return replace(grid, colours=colours, breaks=[against], keys=2, names=["system"])

    def grids(self, digits: int = 4) -> list[Grid]:
        """The systems, and where all pairs were tested, a row for each metric and pair."""
        systems = self.grid(digits)
        if not self.tests_all_pairs or not self.pairs:
            return [systems]
        ends = level(self.confidence)
        headings = ["metric", "system", "against", "difference", "p", "p (Holm)", ends, "win/tie/loss"]
        rows = []
        for metric in self.metrics:
            for k, pair in enumerate(self.pairs):
                value, interval, p, p_holm, times = self._difference_cells(self.pairs[pair][metric], digits)
                rows.append([metric if k == 0 else None, *pair, value, p, p_holm, interval, times])
        drawn = self.unit is not None
        columns = [True] * 4 + [drawn] * 3 + [True]
        least = f"{1 - self.confidence:.3g}, corrected for {plural(len(self.pairs), 'pair')}"
        below = [*([f"* the two differ: p (Holm) below {least}"] if drawn else []), *self.details]
        systems.below = ()  # what holds for both comes at the end
        shown = [list(compress(row, columns)) for row in rows]
        pairs = Grid(list(compress(headings, columns)), shown, digits, below=below, **p_columns(digits))
        return [systems, replace(pairs, breaks=[ends], keys=3, names=["system", "against"])]

    def paper(self, *, intervals: bool = False) -> PaperTable:
        """The table that goes into a paper: a row per system, a column per metric, the best in bold.

        ``*`` marks what differs from the baseline; with ``pairs="all"``, ``†`` a system that differs from all others.
        ``intervals`` puts the interval after each score. ``found.paper().to_latex(digits=3)`` takes booktabs.
        """
        return PaperTable(self, intervals)

    def _difference_cells(self, gap: Difference, digits: int) -> list[Any]:
        value = f"{self.scale * gap.value:+z.{digits}f}{' *' if self._is_small(gap) else '  '}"
        counts = f"{gap.wins}/{gap.ties}/{gap.losses}"
        interval = written(gap.intervals and gap.intervals.jackknife, digits, self.scale, "+")
        return [value, interval, gap.p, gap.p_holm, counts]

    @property
    def details(self) -> list[str]:
        """What stands below every table: the notes, the metrics with their options, and the signature."""
        return [*self.notes, ", ".join(one.short_signature for one in self._metrics), self.signature]

    def short_name(self, metric: str) -> str:
        """A metric as the heading of a column; an arrow says that smaller is better."""
        smaller = self._metrics[self.metrics.index(metric)].smaller_is_better
        return f"{heading(metric)} ↓" if smaller else heading(metric)

    @property
    def tests_all_pairs(self) -> bool:
        """Whether every system was tested against every other."""
        return self._options.pairs == "all"

    def summary(self) -> str:
        """What was compared."""
        facts = self._facts[self.baseline]
        compared = f"{plural(len(self.systems), 'system')}, {counts(facts.elements[0], facts)}"
        if self.unit is None:
            return compared
        return f"{compared}; {plural(self.units, UNITS[self.unit])} drawn {self.resamples:,} times"


def few_units(units: int, noun: str, least: int = 20) -> list[str]:
    """What to say where intervals are over few units."""
    few = f"only {plural(units, noun)}: with fewer than {least}, intervals are rough"
    return [few] if units < least else []


def level(confidence: float) -> str:
    """The heading of a column of intervals."""
    return f"{100 * confidence:g}% interval"


def counts(elements: int, facts: Facts) -> str:
    """How many elements and documents there are, in words."""
    found = [plural(elements, "element")]
    if facts.documents > 1:
        found.append(plural(facts.documents, "document"))
    return "; ".join([", ".join(found), *dropped_note(facts.policy, facts.dropped, facts.noise)])


def _plain(intervals: Intervals | None) -> dict[str, Any]:
    return {} if intervals is None else {name: list(ends) for name, ends in intervals._asdict().items()}


def _all_ends(lead: str, intervals: Intervals | None) -> dict[str, float | None]:
    each = [None] * 3 if intervals is None else intervals
    methods = zip(Intervals._fields, each, strict=True)
    return {key: end for method, one in methods for key, end in ends_of(f"{lead}{method}_", one).items()}


def written(interval: Interval | None, digits: int, scale: int = 1, sign: str = "") -> str | None:
    """An interval as tables have it."""
    if interval is None:
        return None
    low, high = (f"{scale * end:{sign}z.{digits}f}" for end in interval)
    return f"[{low}, {high}]"
