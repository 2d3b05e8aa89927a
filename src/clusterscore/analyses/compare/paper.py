"""A comparison as papers print it, and the differences between any two systems."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from clusterscore.analyses.compare.system_results import Difference
from clusterscore.analyses.resampling import Intervals
from clusterscore.exceptions import UnknownName
from clusterscore.fields import current
from clusterscore.messages import Option
from clusterscore.show.description import TEXT, Column, Description, scaled
from clusterscore.show.grid import MINUS
from clusterscore.show.result import ByMetric, Result, heading

if TYPE_CHECKING:
    from clusterscore.analyses.compare.comparison import Comparison


class ByPair(Mapping[tuple[str, str], ByMetric[Difference]]):
    """Differences by two systems, of which either may be the first: ``pairs["B", "A"]`` is B less A, by metric."""

    def __init__(self, by_metric: Mapping[str, Mapping[tuple[str, str], Difference]]):
        self._by_metric = by_metric

    def __getitem__(self, pair: tuple[str, str]) -> ByMetric[Difference]:
        differences = {
            metric: pairs[pair] if pair in pairs else pairs[pair[::-1]].turned()
            for metric, pairs in self._by_metric.items()
            if isinstance(pair, tuple) and (pair in pairs or pair[::-1] in pairs)
        }
        if not differences:
            tested = ", ".join(map(str, self)) or "none"
            raise UnknownName(
                f"{pair!r} are not two systems that were tested: {tested}; ", Option("pairs", "all"), " tests them all"
            )
        return ByMetric(differences, "compared")

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return iter(next(iter(self._by_metric.values())))

    def __len__(self) -> int:
        return len(next(iter(self._by_metric.values())))


class PaperTable(Result):
    """A row per system, a column per metric, the best of each column in bold.

    ``*`` marks what differs from the baseline; where all pairs were tested, ``†`` what differs from every other system.

    >>> import clusterscore as cs
    >>> gold, documents = [0, 0, 1, 1] * 8, [k // 4 for k in range(32)]
    >>> systems = {"A": [0, 1, 1, 1] * 8, "B": [0, 0, 1, 1] * 8}
    >>> found = cs.compare(gold, systems, metrics=["elm", "vi"], documents=documents)
    >>> print(found.paper().to_csv())
    system,elm,vi
    A,0.3333333333333333,0.8239592165010823
    B,1.0,0.0
    >>> print(found.paper())
    system       elm      vi ↓
    --------------------------
    A        0.3333    0.8240
    B        1.0000*   0.0000*
    <BLANKLINE>
    Best of each column in bold (↓: smaller is better). * differs from A (paired randomization test, Holm, p < 0.05).
    ...
    """

    def __init__(self, comparison: Comparison, intervals: bool = False):
        self._comparison, self._intervals = comparison, intervals and comparison.unit is not None
        self.decimals = comparison.decimals

    def to_dict(self) -> dict[str, Any]:
        """Everything that was compared: the same for every layout."""
        return self._comparison.to_dict()

    def description(self) -> Description:
        """A row per system, with its score under every metric; with intervals both ends of each for programs."""
        comparison, scale = self._comparison, scaled(self._comparison.scale)
        columns, groups, first = [Column("system", kind=TEXT)], [("", 1)], next(iter(comparison.values()))
        names = self._names()
        for metric, name in names.items():
            lead, shown = heading(metric), name or comparison.short_name(metric)
            sides = ("precision", "recall") if name and first[metric].score.precision is not None else ()
            for side in sides:
                above = f"{name} {side[0].upper()}"
                columns.append(Column(above, partial(_score_of, metric, side), above, scale))
            bold, mark = partial(self._is_best, metric), partial(self._after, metric)
            shown = f"{name} F1" if sides else shown
            columns.append(Column(lead, partial(_score_of, metric, "value"), shown, scale, bold=bold, mark=mark))
            groups.append((name, 3) if sides else ("", 1))
            if self._intervals:
                columns += [Column(f"{lead}_{end}", partial(_end_of, metric, end), None) for end in ("low", "high")]
        rows = [SimpleNamespace(system=system, results=results) for system, results in comparison.items()]
        marks = "".join(self._mark(name, metric) for name in comparison.systems for metric in names)
        caption = [sentences] if (sentences := self._caption(marks)) else []
        look = {"caption": bool(caption), "minus": MINUS, "groups": groups if any(names.values()) else ()}
        return Description(columns, rows, below=[*caption, *comparison.details], look=look)

    def _names(self) -> dict[str, str]:
        """The metrics of the table, with the names that papers of the field use, if there are any.

        Where nobody named metrics, those of such papers only.
        """
        metrics, field = self._comparison.metrics, current()
        if field is None or not any(metric in field.paper for metric in metrics):
            return dict.fromkeys(metrics, "")
        others = [] if metrics == list(field.measures) else [metric for metric in metrics if metric not in field.paper]
        return {name: shown for name, shown in field.paper.items() if name in metrics} | dict.fromkeys(others, "")

    def _is_best(self, metric: str, row: Any) -> bool:
        return len(self._comparison.systems) > 1 and row.results[metric].rank == 1

    def _after(self, metric: str, row: Any, digits: int) -> str:
        """What follows a score: a mark, and the interval where it was asked for."""
        comparison = self._comparison
        mark, intervals = self._mark(row.system, metric), row.results[metric].intervals
        if not self._intervals or intervals is None:
            return mark
        ends = ", ".join(f"{comparison.scale * end:z.{digits}f}" for end in intervals.jackknife)
        widest = max(len(self._mark(other, metric)) for other in comparison.systems)
        return f"{mark:{widest}} [{ends.replace('-', MINUS)}]"

    def _mark(self, system: str, metric: str) -> str:
        comparison = self._comparison
        others = [name for name in comparison.systems if name != system]
        best = comparison.tests_all_pairs and len(others) > 1 and comparison[system][metric].rank == 1
        above_all = best and all(comparison.is_significant(system, metric, other) for other in others)
        return "*" * comparison.is_significant(system, metric) + "†" * above_all

    def _caption(self, marks: str) -> str:
        comparison = self._comparison
        sentences = []
        if len(comparison.systems) > 1:
            smaller = (
                " (↓: smaller is better)"
                if any("↓" in comparison.short_name(name) for name in comparison.metrics)
                else ""
            )
            best = "Best F1 of each measure" if any(self._names().values()) else "Best of each column"
            sentences.append(f"{best} in bold{smaller}.")
            if comparison.unit is not None:
                what = "* differs from {}" if "*" in marks else "No difference from {} is significant"
                test = f"paired randomization test, Holm, p < {1 - comparison.confidence:.3g}"
                sentences.append(f"{what.format(comparison.baseline)} ({test}).")
                first = next(name for name in comparison.systems if name != comparison.baseline)
                untested = [
                    name for name in comparison.metrics if comparison.pairs[first, comparison.baseline][name].p is None
                ]
                if untested:
                    sentences.append(f"Not tested: {', '.join(map(heading, untested))}.")
        if "†" in marks:
            sentences.append("† differs from all other systems.")
        if self._intervals:
            sentences.append(f"In brackets: {100 * comparison.confidence:g}% intervals.")
        return " ".join(sentences)


def _score_of(metric: str, part: str, row: Any) -> float:
    return float(getattr(row.results[metric].score, part))


def _end_of(metric: str, end: str, row: Any) -> float | None:
    intervals: Intervals | None = row.results[metric].intervals
    return None if intervals is None else float(getattr(intervals.jackknife, end))
