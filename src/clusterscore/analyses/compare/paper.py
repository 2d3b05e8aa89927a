"""A comparison as papers print it, and the differences between any two systems."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from clusterscore.analyses.compare.system_results import Difference
from clusterscore.exceptions import Option, UnknownName
from clusterscore.show.grid import MINUS, Grid
from clusterscore.show.result import ByMetric, Printed, ends_of, heading

if TYPE_CHECKING:
    from clusterscore.analyses.compare.comparison import Comparison


class ByPair(Mapping[tuple[str, str], ByMetric[Difference]]):
    """Differences by two systems, of which either may be the first: ``pairs["B", "A"]`` is B less A, by metric."""

    def __init__(self, by_metric: Mapping[str, Mapping[tuple[str, str], Difference]]):
        self._by_metric = by_metric

    def __getitem__(self, pair: tuple[str, str]) -> ByMetric[Difference]:
        found = {
            metric: pairs[pair] if pair in pairs else pairs[pair[::-1]].turned()
            for metric, pairs in self._by_metric.items()
            if isinstance(pair, tuple) and (pair in pairs or pair[::-1] in pairs)
        }
        if not found:
            tested = ", ".join(map(str, self)) or "none"
            raise UnknownName(
                f"{pair!r} are not two systems that were tested: {tested}; ", Option("pairs", "all"), " tests every two"
            )
        return ByMetric(found, "compared")

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return iter(next(iter(self._by_metric.values())))

    def __len__(self) -> int:
        return len(next(iter(self._by_metric.values())))


class PaperTable(Printed):
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

    def records(self) -> Iterator[dict[str, Any]]:
        """A row per system, with its score under every metric, in full precision; with intervals both ends of each."""
        for system, results in self._comparison.items():
            row: dict[str, Any] = {"system": system}
            for metric, one in results.items():
                row[heading(metric)] = one.score.value
                if self._intervals:
                    row |= ends_of(f"{heading(metric)}_", one.intervals and one.intervals.jackknife)
            yield row

    def grid(self, digits: int = 4) -> Grid:
        """The table, its caption and the signature."""
        found = self._comparison
        marks = {(name, metric): self._mark(name, metric) for name in found.systems for metric in found.metrics}
        headings = list(map(found.short_name, found.metrics))
        rows, bold, after = [], set(), {}
        for row, name in enumerate(found.systems):
            results = [found[name][metric] for metric in found.metrics]
            rows.append([name, *(found.scale * one.score.value for one in results)])
            for column, (metric, one) in enumerate(zip(found.metrics, results, strict=True), 1):
                mark = marks[name, metric]
                if one.rank == 1 and len(found.systems) > 1:
                    bold.add((row, column))
                if self._intervals and one.intervals is not None:
                    ends = ", ".join(f"{found.scale * end:z.{digits}f}" for end in one.intervals.jackknife)
                    widest = max(len(marks[other, metric]) for other in found.systems)
                    mark = f"{mark:{widest}} [{ends.replace('-', MINUS)}]"
                if mark:
                    after[row, column] = mark
        caption = self._caption("".join(marks.values()))
        look: dict[str, Any] = {"bold": bold, "marks": after, "caption": caption, "minus": MINUS}
        return Grid(["system", *headings], rows, digits, below=found.details, **look)

    def _mark(self, system: str, metric: str) -> str:
        found = self._comparison
        others = [name for name in found.systems if name != system]
        best = found.tests_all_pairs and len(others) > 1 and found[system][metric].rank == 1
        above_all = best and all(found.is_significant(system, metric, other) for other in others)
        return "*" * found.is_significant(system, metric) + "†" * above_all

    def _caption(self, marks: str) -> str:
        found = self._comparison
        sentences = []
        if len(found.systems) > 1:
            smaller = " (↓: smaller is better)" if any("↓" in found.short_name(name) for name in found.metrics) else ""
            sentences.append(f"Best of each column in bold{smaller}.")
            if found.unit is not None:
                what = "* differs from {}" if "*" in marks else "No difference from {} is significant"
                how = f"paired randomization test, Holm, p < {1 - found.confidence:.3g}"
                sentences.append(f"{what.format(found.baseline)} ({how}).")
                first = next(name for name in found.systems if name != found.baseline)
                untested = [name for name in found.metrics if found.pairs[first, found.baseline][name].p is None]
                if untested:
                    sentences.append(f"Not tested: {', '.join(map(heading, untested))}.")
        if "†" in marks:
            sentences.append("† differs from all other systems.")
        if self._intervals:
            sentences.append(f"In brackets: {100 * found.confidence:g}% intervals.")
        return " ".join(sentences)
