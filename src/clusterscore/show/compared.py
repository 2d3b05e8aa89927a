"""Results of comparing: systems with each other, a prediction with chance, metrics by how they rank systems."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import compress
from typing import Any

from clusterscore.aggregate import Facts
from clusterscore.comparison import CompareOptions, ComparisonResults, Intervals, SystemResult
from clusterscore.comparison.agreement import Agreement
from clusterscore.comparison.shuffles import Chance, ChanceOptions
from clusterscore.exceptions import nearest, plural
from clusterscore.metrics.metric import Metric
from clusterscore.show.grid import WIDTH, Grid
from clusterscore.show.printed import ByMetric, Printed, by_column, find_metric, heading, options_of
from clusterscore.version import __version__

_UNITS = {"documents": "document", "clusters": "gold cluster", "elements": "element"}
_FEW = 20  # units: with fewer an interval is a rough guess
_LEAST_P = 0.001  # what is smaller is shown as such
_TESTED = ("p", "p_holm", "significant", "wins", "ties", "losses")  # of a difference
_OF_CHANCE = ("expected", "std", "most", "adjusted", "z", "p", "signature")


class Comparison(Printed, dict[str, ByMetric[SystemResult]]):
    """Systems by name; ``comparison["B"]["elm"]`` is the result of B under ELM.

    A result has ``score``, ``rank``, ``intervals`` (``jackknife``, which tables show, ``percentile`` and ``bca``, each
    with ``low`` and ``high``) and, for all but the baseline, ``difference``: its ``value``, ``intervals``, ``p`` of the
    paired test, ``p_holm`` corrected for the number of systems, ``wins``, ``ties`` and ``losses``. ``notes`` tell what
    could not be computed, or should be read with care.

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
        for name in self.systems:
            self[name] = ByMetric({metric: results.results[metric][name] for metric in self.metrics}, "compared")
        self.warnings: list[str] = []  # what to mind when reading the numbers

    def __missing__(self, system: str) -> ByMetric[SystemResult]:
        raise KeyError(f"no system {system!r}: {nearest(str(system), self)}")

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
        return f"avg:{options.average}|{policy}{drawn}|v:{__version__}"

    @property
    def notes(self) -> list[str]:
        """What the numbers do not say themselves."""
        refused = self._results.refused.values()
        remedy = 'take average="macro"' if self.unit == "documents" else "resample documents"
        few = []
        if self.unit is not None and self.units < _FEW:
            few = [f"only {plural(self.units, _UNITS[self.unit])}: with fewer than {_FEW} an interval is a rough guess"]
        return [*self.warnings, *few, *(f"no interval: {why}; {remedy} to have one" for why in refused)]

    def is_significant(self, system: str, metric: str | Metric) -> bool:
        """Whether a system differs from the baseline, at the level of confidence, corrected for their number."""
        difference = self[system][metric].difference
        return difference is not None and difference.p_holm is not None and difference.p_holm < 1 - self.confidence

    def _rows(self) -> Iterator[tuple[str, str, SystemResult, bool]]:
        for metric in self.metrics:
            for name in self.systems:
                yield metric, name, self[name][metric], self.is_significant(name, metric)

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values."""
        facts = self._facts[self.baseline]
        systems: dict[str, Any] = {name: {"scores": {}} for name in self.systems}
        for metric, name, one, significant in self._rows():
            plain = {**one.score.to_dict(), "rank": one.rank, **_plain(one.intervals)}
            if one.difference is not None:
                difference = {**one.difference._asdict(), "significant": significant}
                tested = {key: difference[key] for key in _TESTED}
                plain["difference"] = {"value": one.difference.value, **_plain(one.difference.intervals), **tested}
            systems[name]["scores"][metric] = plain
        own = ("baseline", "unit", "units", "resamples", "seed", "confidence")
        return {
            "systems": systems,
            **{key: getattr(self, key) for key in own},
            "elements": facts.total,
            "documents": facts.documents,
            "notes": self.notes,
            "signature": self.signature,
            "version": __version__,
        }

    def listed(self) -> dict[str, list[Any]]:
        """A row per metric and system, in full precision."""
        rows = []
        for metric, name, one, significant in self._rows():
            difference = {} if one.difference is None else one.difference._asdict()
            if difference.get("p") is not None:
                difference["significant"] = significant
            rows.append(
                {
                    "metric": metric,
                    "system": name,
                    **{key: getattr(one.score, key) for key in ("value", "precision", "recall")},
                    "rank": one.rank,
                    **_ends("", one.intervals),
                    "difference": difference.get("value"),
                    **_ends("difference_", difference.get("intervals")),
                    **{key: difference.get(key) for key in _TESTED},
                    "signature": one.score.signature,
                }
            )
        return by_column(rows)

    def grid(self, digits: int = 4) -> Grid:
        """A row per metric and system, as a printable table; ``*`` marks what is significant."""
        paired, drawn = len(self.systems) > 1, self.unit is not None
        tested = paired and drawn
        level = f"{100 * self.confidence:g}% interval"
        against = [f"against {self.baseline}", level, "p", "p (Holm)", "win/tie/loss", "rank"]
        headings = ["metric", "system", "score", level, *against]
        columns = [True, True, True, drawn, paired, tested, tested, tested, paired, paired]
        rows = []
        for metric, name, one, significant in self._rows():
            gap = one.difference
            cells: list[Any] = [None] * 5
            if gap is not None:
                value = f"{gap.value:+.{digits}f}{' *' if significant else '  '}"
                counts = f"{gap.wins}/{gap.ties}/{gap.losses}"
                cells = [value, _written(gap.intervals, digits, "+"), gap.p, gap.p_holm, counts]
            first = metric if name == self.systems[0] else None
            row = [first, name, one.score.value, _written(one.intervals, digits), *cells, one.rank]
            rows.append(list(compress(row, columns)))
        marks = [f"* differs from {self.baseline}: p (Holm) below {1 - self.confidence:.3g}"] if tested else []
        options = ", ".join(one.short_signature for one in self._metrics)
        below = [*marks, *self.notes, options, self.signature]
        return Grid(list(compress(headings, columns)), rows, digits, self.summary(), below, **_p_columns(digits))

    def summary(self) -> str:
        """What was compared."""
        facts = self._facts[self.baseline]
        compared = f"{plural(len(self.systems), 'system')}, {_counts(facts.elements[0], facts)}"
        if self.unit is None:
            return compared
        return f"{compared}; {plural(self.units, _UNITS[self.unit])} drawn {self.resamples:,} times"


class Chances(Printed, ByMetric[Chance]):
    """Scores compared with chance, by metric name, in the order asked for.

    ``chances["elm"]`` has the ``score``, the ``expected`` one of a random prediction of the same cluster sizes and its
    ``std``, the ``most`` that can be had, the ``adjusted`` score, ``z`` and ``p``.

    >>> import clusterscore as cs
    >>> print(cs.chance([0, 0, 1, 1, 2, 2] * 3, [0, 0, 1, 2, 2, 2] * 3, metrics=["elm", "ari"]))
    18 elements; predicted labels shuffled 1,000 times
    <BLANKLINE>
    metric           score   expected      std   adjusted        z         p   options
    ----------------------------------------------------------------------------------------
    elm             0.7363     0.3091   0.0588     0.6183   7.2681   < 0.001   f:mean|beta:1
    adjusted_rand   0.5984     0.0030   0.0828     0.5972   7.1928   < 0.001
    <BLANKLINE>
    avg:micro|missing:error|v:0.1.0|permutations:1000|seed:0
    """

    def __init__(
        self, chances: Mapping[str, Chance], metrics: Mapping[str, Metric], facts: Facts, options: ChanceOptions
    ):
        super().__init__(chances)
        self._metrics, self._facts, self._options = metrics, facts, options

    @property
    def signature(self) -> str:
        """What decides the numbers, apart from the options of the metrics."""
        options = self._options
        policy = f"avg:{options.average}|{self._facts.policy.signature}|v:{__version__}"
        return f"{policy}|permutations:{options.resamples}|seed:{options.seed}"

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values."""
        return {
            "scores": {name: {**one.score.to_dict(), **_of_chance(one)} for name, one in self.items()},
            "elements": self._facts.total,
            "documents": self._facts.documents,
            "permutations": self._options.resamples,
            "seed": self._options.seed,
            "version": __version__,
        }

    def listed(self) -> dict[str, list[Any]]:
        """Columns with everything in full precision, a row per metric."""
        return by_column([{"metric": name, "value": one.score.value, **_of_chance(one)} for name, one in self.items()])

    def grid(self, digits: int = 4) -> Grid:
        """A row per metric as a printable table."""
        shown = ("expected", "std", "adjusted", "z", "p")
        rows = [
            [name, one.score.value, *(getattr(one, key) for key in shown), options_of(self._metrics[name])]
            for name, one in self.items()
        ]
        headings, below = ["metric", "score", *shown, "options"], [self.signature]
        return Grid(headings, rows, digits, self.summary(), below, **_p_columns(digits))

    def summary(self) -> str:
        """What was shuffled, and how many times."""
        return f"{_counts(self._facts.total, self._facts)}; predicted labels shuffled {self._options.resamples:,} times"


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
            raise KeyError(f"{metrics!r}: name two metrics, as in result['elm', 'bcubed']")
        first, second = (find_metric(name, self.metrics, "compared") for name in metrics)
        if first == second:
            raise KeyError(f"{first} agrees with itself; name two metrics, of {', '.join(self.metrics)}")
        if (first, second) in self._between:
            return self._between[first, second]
        return self._between[second, first].turned()

    def _rows(self) -> list[dict[str, Any]]:
        return [
            {"first": first, "second": second, "tau_b": one.tau_b, "swapped": one.swapped, **one._asdict()}
            for (first, second), one in self._between.items()
        ]

    def listed(self) -> dict[str, list[Any]]:
        """A row for any two metrics, in full precision."""
        return by_column(self._rows())

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values; ``agreement`` has an entry for any two metrics."""
        counts = {"systems": self.systems, "metrics": list(self.metrics)}
        return {**counts, "agreement": self._rows(), "version": __version__}

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
        return Grid(["metric", *names], rows, digits, below=below, width=WIDTH)


def _counts(elements: int, facts: Facts) -> str:
    counts = [plural(elements, "element")]
    if facts.documents > 1:
        counts.append(plural(facts.documents, "document"))
    return ", ".join(counts)


def _p_columns(digits: int) -> dict[str, Any]:
    """How a grid shows p-values: three decimals or more, and none of them as 0."""
    names = ("p", "p (Holm)")
    return {"decimals": dict.fromkeys(names, max(3, digits)), "least": dict.fromkeys(names, _LEAST_P)}


def _of_chance(one: Chance) -> dict[str, Any]:
    return {key: getattr(one, key) for key in _OF_CHANCE}


def _plain(intervals: Intervals | None) -> dict[str, Any]:
    return {} if intervals is None else {name: list(ends) for name, ends in intervals._asdict().items()}


def _ends(lead: str, intervals: Intervals | None) -> dict[str, float | None]:
    """The ends of all intervals as columns."""
    ends = [None] * 6 if intervals is None else [end for each in intervals for end in each]
    names = [f"{lead}{method}_{end}" for method in Intervals._fields for end in ("low", "high")]
    return dict(zip(names, ends, strict=True))


def _written(intervals: Intervals | None, digits: int, sign: str = "") -> str | None:
    if intervals is None:
        return None
    low, high = (f"{end:{sign}.{digits}f}" for end in intervals.jackknife)
    return f"[{low}, {high}]"
