"""Sweep: every cut of a hierarchy, or of scored pairs, with its scores."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cached_property, partial
from typing import Any, NamedTuple

import numpy as np

from clusterscore.align.policies import DEFAULT, Pair, dropped_note
from clusterscore.analyses.estimate.estimating import CountedSample, estimate_options, estimates_of
from clusterscore.analyses.estimate.estimation import Estimate
from clusterscore.analyses.resampling import Interval
from clusterscore.analyses.sweep.best_cuts import (
    BestCut,
    BestCuts,
    CrossValidated,
    Cut,
    added_up,
    best_elsewhere,
    best_row,
    finite,
    rounded_inside,
    shortest,
    units_of,
)
from clusterscore.analyses.sweep.cut_sums import CutSums
from clusterscore.analyses.sweep.tree_scores import best_nodes, dendrogram_purity
from clusterscore.count.sampled import ClusterSizes, SampleLookup, count_sample
from clusterscore.count.sums import Floats
from clusterscore.distinct import Array, Ints
from clusterscore.exceptions import InputError, InputTypeError, MetricError, UnknownName, check_number, integer
from clusterscore.messages import Given
from clusterscore.metrics import Metric
from clusterscore.metrics.metric import Parts, Values
from clusterscore.metrics.score_type import Score
from clusterscore.nouns import noun
from clusterscore.read.labels import Labels, in_order, plain
from clusterscore.show.description import Description
from clusterscore.show.grid import as_json
from clusterscore.show.result import Result, find_metric, in_its_words
from clusterscore.version import __version__

_SIDES = ("precision", "recall")
_CHUNK = 1 << 14  # rows that are written at once
_FOLDS = 5  # of the clusters of a sample


class BestFlat(NamedTuple):
    """The best clustering made of nodes of the tree."""

    score: Score
    clusters: int
    labels: Any


class Sweep(Result):
    """Every cut, a row each, all singletons first: ``thresholds``, ``clusters``, ``largest`` and the scores are arrays.

    A linkage is cut at a height: merges with a height <= the threshold are made. Pairs with a score >= the threshold
    are links. The first row has no merge: its threshold is infinite.

    >>> import clusterscore as cs
    >>> edges = [("a", "b", 0.9), ("b", "c", 0.4), ("d", "e", 0.7)]
    >>> found = cs.sweep({"a": 1, "b": 1, "c": 2, "d": 3, "e": 3}, edges=edges, metrics=["elm", "pairwise"])
    >>> found.thresholds.tolist(), found.clusters.tolist()
    ([inf, 0.9, 0.7, 0.4], [5, 4, 3, 2])
    >>> found["elm"].round(4).tolist(), found["pairwise.recall"].tolist()
    ([0.2, 0.6, 1.0, 0.6667], [0.0, 0.5, 1.0, 1.0])
    >>> found.best("elm").threshold
    0.7
    >>> found.labels_at(0.8)
    {'a': 0, 'b': 0, 'c': 1, 'd': 2, 'e': 3}
    """

    def __init__(
        self,
        metrics: Sequence[Metric],
        cuts: CutSums,
        kind: str,
        counted: Pair | CountedSample,
        ids: Array | Sequence[Any] | None = None,
    ):
        self.metrics = list(metrics)
        self.kind = kind  # "linkage" or "edges"
        self._cuts, self._ids = cuts, None if ids is None else [plain(element) for element in ids]
        first = -np.inf if kind == "linkage" else np.inf
        self.thresholds: Floats = np.concatenate([[first], cuts.tree.merges.threshold[cuts.done[1:] - 1]])
        self.clusters: Ints = cuts.predicted.astype(np.int64)
        self.largest: Ints = cuts.largest
        self.sample = counted if isinstance(counted, CountedSample) else None  # where every score is an estimate
        pair = None if isinstance(counted, CountedSample) else counted
        self._values: dict[str, Values] = {str(metric): self._finish(metric, metric.parts(cuts)) for metric in metrics}
        self.policy = DEFAULT if pair is None else pair.policy
        # elements only in gold, only in the prediction, that missing="drop" left out
        self.dropped, self.noise = ((0, 0), (0, 0)) if pair is None else (pair.dropped, pair.noise)

    def __len__(self) -> int:
        return len(self.thresholds)

    def __getitem__(self, name: str | Metric) -> Floats:
        """The score of every cut by a metric, or with ``.precision`` or ``.recall`` after its name, one side of it."""
        key, _, side = name.rpartition(".") if isinstance(name, str) else ("", "", "")
        if side not in _SIDES:
            return self._of(name)[1].value
        values: Floats | None = getattr(self._of(key)[1], side)
        if values is None:
            raise UnknownName(f"{key} has no {side}")
        return values

    def _of(self, name: str | Metric) -> tuple[Metric, Values]:
        key = find_metric(name, self._values)
        return next(metric for metric in self.metrics if str(metric) == key), self._values[key]

    def best(self, metric: str | Metric) -> Cut:
        """The cut with the best score; of equally good ones that with the fewest merges.

        Where gold is a sample, its ``estimate`` has the interval.
        """
        chosen, values = self._of(metric)
        row = best_row(chosen, values)
        return self._cut(chosen, values, row)._replace(estimate=self._estimate(chosen, row))

    def intervals(self, metric: str | Metric, most: int = 200) -> tuple[Ints, list[Interval]]:
        """Some cuts as rows, the best among them, and the interval of each, where gold is a sample."""
        if self.sample is None:
            raise InputError("only estimates have intervals; pass gold as cs.Sample(gold, weights=...)")
        chosen, values = self._of(metric)
        even = np.linspace(0, len(self) - 1, min(len(self), max(most - 1, 1))).round().astype(np.int64)
        rows = np.unique(np.append(even, best_row(chosen, values)))
        estimates = [self._estimate(chosen, row) for row in rows.tolist()]
        return rows, [estimate.interval for estimate in estimates if estimate is not None]

    def _estimate(self, metric: Metric, row: int) -> Estimate | None:
        """What one cut would score against full gold."""
        if self.sample is None:
            return None
        cuts = self._cuts
        labels = cuts.tree.clusters_after(int(cuts.done[row]))
        sizes = np.bincount(labels)
        lookup = SampleLookup(labels[cuts.leaf], sizes, len(labels))
        table = count_sample(self.sample.clusters.cluster, len(self.sample.clusters.names), lookup)
        counted = self.sample._replace(tables={"": table}, totals={"": ClusterSizes.of(sizes)})
        return estimates_of(counted, [metric], estimate_options(resamples=0))[metric]

    def within(self, metric: str | Metric, tolerance: float = 0.01) -> tuple[float, float]:
        """The lowest and the highest threshold around the best whose score is at most ``tolerance`` worse."""
        if isinstance(tolerance, bool) or not isinstance(tolerance, int | float) or not tolerance >= 0:
            raise InputTypeError(Given("tolerance", tolerance), ": it is a number from 0 up, in units of the score")
        chosen, values = self._of(metric)
        row = best_row(chosen, values)
        worse = np.flatnonzero(np.abs(values.value - values.value[row]) > tolerance)
        at = int(np.searchsorted(worse, row))
        first = int(worse[at - 1]) + 1 if at else 0
        last = int(worse[at]) - 1 if at < len(worse) else len(self) - 1
        ends = float(self.thresholds[first]), float(self.thresholds[last])
        return min(ends), max(ends)

    @in_its_words
    def cross_validate(self, metric: str | Metric, *, folds: int = 5, seed: int = 0) -> CrossValidated:
        """The threshold is chosen on all folds but one and scored on that one, for each fold in turn.

        The score of the best cut is too high: the threshold was chosen to make it so. This one is not, if the folds
        have nothing to do with each other. They are made of documents, where there are several, else of gold clusters;
        those that some cut links stay together. Where almost everything is linked, as in a hierarchy, they cannot, and
        about a third of the optimism remains (``unit`` says what the folds are made of).
        """
        folds, seed = integer("folds", folds, 2), integer("seed", seed)
        chosen, values = self._of(metric)
        (unit, called), finish = units_of(self._cuts, folds), partial(self._finish, chosen)
        rows, parts = best_elsewhere(chosen, self._cuts, unit, folds, seed, finish)
        signature = f"{self._sign(chosen)}|folds:{folds}|seed:{seed}"
        tuned = self._cut(chosen, values, best_row(chosen, values)).score
        held_out, *by_fold = (finish(sums).score(signature) for sums in (added_up(parts), *parts))
        return CrossValidated(held_out, tuned, self.thresholds[rows].tolist(), by_fold, called)

    def labels_at(self, threshold: float) -> Any:
        """The clusters of a cut: an array by position, or where elements have ids a mapping element -> label."""
        check_number("threshold", threshold)
        merges = self._cuts.tree.merges
        sign = 1 if self.kind == "linkage" else -1
        done = np.searchsorted(sign * merges.threshold, sign * threshold, side="right")
        return self._labels(self._cuts.tree.clusters_after(int(done)))

    @cached_property
    def dendrogram_purity(self) -> float:
        """How pure the tree is, over all cuts (Heller & Ghahramani 2005).

        The mean over all pairs of elements of a gold cluster of the share of that cluster in the smallest node with
        both. Pairs that have the same score make one node.
        """
        self._refuse_sample("dendrogram purity")
        return dendrogram_purity(self._cuts, self.kind == "edges")

    def best_flat(self, metric: str | Metric) -> BestFlat:
        """The best clustering made of nodes of the tree, each branch cut at its own height: no cut is better."""
        self._refuse_sample("the best flat clustering")
        chosen, _ = self._of(metric)
        tree, gold, leaf = self._cuts.tree, self._cuts.of_gold, self._cuts.leaf
        # where gold is all singletons or one cluster, a fraction of pairs may be 0/0, which is 1
        ends = (tree.clusters_after(done) for done in (0, tree.merges.number))
        tried = [(chosen(gold, labels[leaf]), labels) for labels in (best_nodes(chosen, self._cuts), *ends)]
        score, of_leaf = max(tried, key=lambda attempt: attempt[0].value)
        signature = f"{chosen.sign(self.policy)}|cut:best_flat"
        signed = Score(score.value, score.precision, score.recall, signature, None, score.extras)
        return BestFlat(signed, len(np.unique(of_leaf[leaf])), self._labels(of_leaf))

    def _finish(self, metric: Metric, parts: Parts) -> Values:
        """Scores of sums; of small ones, which are not rounded, where they are estimated and so no whole numbers.

        Only totals, which grow with the number of elements, are made of the sums as they are.
        """
        whole = metric.finish(**parts)
        if self.sample is None or self.sample.facts.elements == self.sample.facts.population:
            return whole
        small = metric.finish(**{name: column / self.sample.facts.population for name, column in parts.items()})
        return small if np.allclose(whole.value, small.value, 1e-2) else whole

    def _sign(self, metric: Metric) -> str:
        if self.sample is None:
            return metric.sign(self.policy)
        return f"{metric.short_signature}|estimate|{self.sample.facts.signature}|v:{__version__}"

    def _refuse_sample(self, what: str) -> None:
        if self.sample is not None:
            raise InputError(
                f"{what} needs gold for all {noun('elements')}, and a sample has that of some {noun('clusters')}"
            )

    def _cut(self, metric: Metric, values: Values, row: int) -> Cut:
        score = values.score(f"{self._sign(metric)}|cut:{float(self.thresholds[row])}", row=row)
        return Cut(float(self.thresholds[row]), int(self.clusters[row]), int(self.largest[row]), score, row)

    def _labels(self, of_leaf: Ints) -> Any:
        """Labels numbered in the order in which the elements come."""
        labels = in_order(Labels(of_leaf, range(len(of_leaf)))).codes
        return labels if self._ids is None else dict(zip(self._ids, labels.tolist(), strict=True))

    @in_its_words
    def summary(self, tolerance: float = 0.01, *, folds: int | None = None, seed: int = 0) -> BestCuts:
        """The best cut under each metric, the thresholds that cost at most ``tolerance``, and the score held out.

        With ``folds``, each metric is cross-validated too, where that can be done. Where gold is a sample, this is
        always done, with 5 folds if no number is given.
        """
        if folds is None and self.sample is not None:
            folds = min(_FOLDS, self.sample.facts.clusters)
        best: list[BestCut] = []
        for metric in self.metrics:
            cut, within = self.best(metric), self.within(metric, tolerance)
            held_out = None
            if folds is not None:
                with suppress(MetricError):
                    held_out = self.cross_validate(metric, folds=folds, seed=seed)
            shown = self.shown(cut.threshold), *(rounded_inside(*within) or map(self.shown, within))
            best.append(BestCut(metric, cut, within, shown, held_out))
        if folds is not None and all(best_cut.cross_validated is None for best_cut in best):
            self.cross_validate(self.metrics[0], folds=folds, seed=seed)  # raises, and says why
        population = None if self.sample is None else self.sample.facts.population
        dropped = dropped_note(self.policy, self.dropped, self.noise)
        return BestCuts(best, self.kind, self._cuts, tolerance, dropped, population)

    def shown(self, threshold: float) -> str:
        """A threshold in as few digits as give the same cut."""
        sign = 1 if self.kind == "linkage" else -1
        after = int(np.searchsorted(sign * self.thresholds, sign * threshold, side="right"))
        return shortest(float(threshold), float(self.thresholds[after]) if after < len(self) else sign * np.inf)

    def description(self) -> Description:
        """The best cut under each metric; all cuts are in :meth:`to_frame`, :meth:`to_csv` and :meth:`to_json`."""
        return self.summary().description()

    def listed(self) -> dict[str, Any]:
        """Columns with every cut, a row each."""
        columns: dict[str, Any] = {"threshold": self.thresholds, "clusters": self.clusters, "largest": self.largest}
        for name, values in self._values.items():
            columns[name] = values.value
            columns |= {f"{name}.{side}": column for side in _SIDES if (column := getattr(values, side)) is not None}
        return columns

    def records(self) -> list[dict[str, Any]]:
        """Every cut as a mapping of plain values."""
        return self.rows()

    def rows(self, some: slice = slice(None)) -> list[dict[str, Any]]:
        """Every cut as a mapping of plain values, or some of them; the first, all singletons, has no threshold."""
        columns = {name: column[some].tolist() for name, column in self.listed().items()}
        columns["threshold"] = list(map(finite, columns["threshold"]))
        return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]

    def json_pieces(self, summary: BestCuts) -> Iterator[str]:
        """The best cuts and all rows as JSON, a row in every line, some thousand at a time."""
        yield (
            as_json(self.with_warnings(summary.to_dict()), indent=2, allow_nan=False).removesuffix("\n}")
            + ',\n  "rows": ['
        )
        for first in range(0, len(self), _CHUNK):
            rows = self.rows(slice(first, first + _CHUNK))
            yield ("," if first else "") + ",".join(f"\n    {as_json(row, allow_nan=False)}" for row in rows)
        yield "\n  ]\n}"

    def to_json(self) -> str:
        """:meth:`to_dict` as JSON, in full precision."""
        return "".join(self.json_pieces(self.summary()))

    def to_dict(self) -> dict[str, Any]:
        """The best cut under each metric, and all cuts as ``rows``."""
        return {**self.summary().to_dict(), "rows": self.rows()}
