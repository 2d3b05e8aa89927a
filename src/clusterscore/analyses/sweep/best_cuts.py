"""The best cut under each metric, how far its threshold may move, and what it scores on gold that did not choose it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from clusterscore.analyses.estimate.estimation import Estimate
from clusterscore.analyses.resampling import CONFIDENCE, level
from clusterscore.analyses.sweep.cut_sums import CutSums
from clusterscore.count.counts import NotASum
from clusterscore.distinct import Ints
from clusterscore.exceptions import InputError, MetricError
from clusterscore.messages import Option
from clusterscore.metrics import Metric
from clusterscore.metrics.metric import Parts, Values
from clusterscore.metrics.score_type import Score
from clusterscore.nouns import noun, plural
from clusterscore.read.links import components
from clusterscore.show.description import COUNT, Column, Description, interval_columns, metric_column
from clusterscore.show.result import Result, in_its_words, options_of
from clusterscore.version import __version__

_LINKS = {
    "edges": "linked: pairs with a score >= the threshold",
    "linkage": "merged: up to the height of the threshold",
}
_PARTS = 20  # of an interval, of which its ends are moved by one at most
_DECIMALS = 4  # that a threshold is shown with as it is
_TUNED = "chosen on this gold: expect lower scores on other data (cross-validate)"


class Cut(NamedTuple):
    """One cut: its threshold, how many clusters it has, the size of the largest, and its score."""

    threshold: float
    clusters: int
    largest: int
    score: Score
    row: int
    estimate: Estimate | None = None  # with its interval, where gold is a sample


class CrossValidated(NamedTuple):
    """A score on gold that took no part in the choice of the threshold, and the tuned one, which is too high."""

    score: Score
    tuned: Score
    thresholds: list[float]  # chosen without each fold
    folds: list[Score]  # the score of each fold, with the threshold chosen without it
    unit: str  # what the folds are made of

    def __str__(self) -> str:
        name = self.score.signature.partition("|")[0]
        return f"{name} {self.score:.4f} held out, {self.tuned:.4f} tuned; {len(self.folds)} folds of {noun(self.unit)}"


class BestCut(NamedTuple):
    """The best cut under a metric, with the thresholds around it that are about as good."""

    metric: Metric
    cut: Cut
    within: tuple[float, float]
    shown: tuple[str, ...]  # the threshold in as few digits as give the same cut, and both ends, inside the interval
    cross_validated: CrossValidated | None


class BestCuts(Result):
    """The best cut of a sweep under each metric: :meth:`Sweep.summary`."""

    def __init__(
        self,
        best: Sequence[BestCut],
        kind: str,
        cuts: CutSums,
        tolerance: float,
        dropped: Sequence[str],
        population: int | None,
    ):
        self.best, self.kind, self.tolerance, self._dropped = list(best), kind, tolerance, dropped
        self.cuts, self.elements, self.population = len(cuts.done), len(cuts.leaf), population
        self.gold_clusters = int(np.count_nonzero(cuts.all_sizes))
        self.documents = 1 if cuts.document is None else len(np.unique(cuts.document))

    @in_its_words
    def summary(self) -> str:
        """What was cut, and how often."""
        what = "a linkage" if self.kind == "linkage" else "scored pairs"
        of = f"{plural(self.elements, 'element')} in {plural(self.gold_clusters, 'gold cluster')}"
        if self.population is not None:
            of = (
                f"{plural(self.gold_clusters, 'gold cluster')} with {self.elements:,} of {self.population:,} "
                f"{noun('elements')}"
            )
        return "; ".join([of, *self._dropped, f"{plural(self.cuts, 'cut')} of {what}"])

    @property
    def held_out(self) -> CrossValidated | None:
        """How cuts were cross-validated, if they were: under the first metric that can be."""
        return next((cut.cross_validated for cut in self.best if cut.cross_validated is not None), None)

    @property
    def signature(self) -> str:
        """What decides the numbers, apart from the options of the metrics."""
        signed = (self.held_out or self.best[0].cut).score.signature
        if self.population is not None:
            return "estimate" + signed.partition("|estimate")[2].partition("|cut:")[0]
        return "avg:" + signed.partition("|avg:")[2].partition("|cut:")[0]

    def description(self) -> Description:
        """A row per metric; people see thresholds in as few digits as give the same clusters."""
        held_out, within = self.held_out, f"within {self.tolerance:g}"
        names = dict.fromkeys(name for best in self.best for name in best.cut.score.to_dict())
        columns = [
            metric_column(lambda best: str(best.metric)),
            *(Column(name, partial(_of_score, name), heading=None) for name in names),
            Column("score", "cut.score.value", "tuned" if held_out else "score", programs=False),
            *(
                []
                if self.population is None
                else interval_columns("interval", "cut.estimate.interval", level(CONFIDENCE))
            ),
            *([Column("held out", "cross_validated.score.value", programs=False)] if held_out else []),
            Column("threshold", lambda best: finite(best.cut.threshold), heading=None),
            Column("threshold", lambda best: best.shown[0], programs=False),
            Column(within, lambda best: " to ".join(best.shown[1:]), programs=False),
            Column("low", lambda best: finite(best.within[0]), heading=None),
            Column("high", lambda best: finite(best.within[1]), heading=None),
            Column("clusters", "cut.clusters", kind=COUNT),
            Column("largest", "cut.largest", kind=COUNT),
            Column("P", "cut.score.precision", programs=False, breaks=True),
            Column("R", "cut.score.recall", programs=False),
            Column("options", lambda best: options_of(best.metric), programs=False),
            *([Column("held_out", "cross_validated.score.value", heading=None)] if held_out else []),
        ]
        notes = [_LINKS[self.kind], f"{within}: the thresholds around the best that lose at most that much"]
        if held_out:
            notes.append(
                f"held out: {len(held_out.folds)} folds of {noun(held_out.unit)}, cut at the best threshold of the rest"
            )
        else:
            notes.append(_TUNED)
        options = [best.metric.short_signature for best in self.best]
        return Description(columns, self.best, self.summary(), [*notes, self.signature], options)

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values; the threshold of all singletons, which is infinite, is None."""
        scores = {}
        for best, row in zip(self.best, self.records(), strict=True):
            own = {name: row[name] for name in ("threshold", "low", "high", "clusters", "largest")}
            plain = scores[row["metric"]] = {**best.cut.score.to_dict(), **own}
            if (held_out := best.cross_validated) is not None:
                thresholds = list(map(finite, held_out.thresholds))
                plain["held_out"] = {**held_out.score.to_dict(), "thresholds": thresholds, "unit": held_out.unit}
            if (estimate := best.cut.estimate) is not None:
                plain |= {"standard_error": estimate.standard_error, "interval": list(estimate.interval)}
        return {
            "scores": scores,
            "kind": self.kind,
            "cuts": self.cuts,
            "tolerance": self.tolerance,
            "elements": self.elements,
            "documents": self.documents,
            "gold_clusters": self.gold_clusters,
            **({} if self.population is None else {"population": self.population}),
            "version": __version__,
        }


def _of_score(name: str, best: BestCut) -> Any:
    return best.cut.score.to_dict().get(name)


def finite(threshold: float) -> float | None:
    """A threshold; None where it is infinite, which JSON has no number for."""
    return threshold if math.isfinite(threshold) else None


def shortest(threshold: float, beyond: float) -> str:
    """A threshold in as few decimals as possible, for the same cut: on this side of the next threshold ``beyond``.

    >>> shortest(0.678453, 0.6766), shortest(0.9, 0.7), shortest(12.25, 13.0), shortest(1e-7, 3e-7), shortest(0.04, -9)
    ('0.678', '0.9', '12.25', '0.0000001', '0.04')
    """
    if not math.isfinite(threshold):
        return str(threshold)
    exact, towards = Decimal(repr(threshold)), ROUND_FLOOR if beyond < threshold else ROUND_CEILING
    if int(exact.as_tuple().exponent) >= -_DECIMALS:
        return repr(threshold).removesuffix(".0")
    for digits in range(1, 17):
        rounded = exact.quantize(Decimal(1).scaleb(-digits), towards)
        if rounded == exact or min(threshold, beyond) < float(rounded) < max(threshold, beyond):
            return f"{rounded:f}"
    return repr(threshold)


def rounded_inside(low: float, high: float) -> tuple[str, str] | None:
    """The ends of an interval in few digits, both inside; None where it is so narrow or wide that there are none.

    >>> rounded_inside(0.7036008, 0.771266), rounded_inside(12.25, 1234.5), rounded_inside(0.5, 0.5)
    (('0.704', '0.771'), ('13', '1234'), None)
    """
    if not math.isfinite(high - low) or high <= low:
        return None
    digits = max(0, math.ceil(-math.log10((high - low) / _PARTS)))
    ends = [
        Decimal(repr(end)).quantize(Decimal(1).scaleb(-digits), towards)
        for end, towards in ((low, ROUND_CEILING), (high, ROUND_FLOOR))
    ]
    return (f"{ends[0].normalize():f}", f"{ends[1].normalize():f}") if digits <= _DECIMALS + 8 else None


def best_row(metric: Metric, values: Values) -> int:
    """The best cut; of equal ones the first."""
    return int(values.value.argmin() if metric.smaller_is_better else values.value.argmax())


def units_of(cuts: CutSums, folds: int) -> tuple[Ints, str]:
    """The unit of each gold cluster, which stays in one fold, and what the units are called.

    A link between two gold clusters decides on the score of both. So they are put into one unit if any cut has a
    cluster with elements of both, unless one such unit had most of the elements.
    """
    if cuts.document is not None and cuts.document.any():  # of one there is nothing to divide
        return cuts.document, "documents"
    merges, clusters = cuts.tree.merges, len(cuts.all_sizes)
    linked = clusters + cuts.tree.clusters_after(merges.number)[cuts.leaf]
    unit = components(cuts.of_gold, linked, clusters + merges.leaves)[1][:clusters]
    elements = np.bincount(unit, cuts.all_sizes)
    if np.count_nonzero(elements) >= folds and 2 * elements.max() <= len(cuts.leaf):
        return unit, "groups of gold clusters without a link between them"
    return np.arange(clusters), "gold clusters"


def best_elsewhere(
    metric: Metric, cuts: CutSums, unit: Ints, folds: int, seed: int, finish: Callable[[Parts], Values]
) -> tuple[list[int], list[Parts]]:
    """For each fold the cut that is best on all others, and the sums that the fold has there.

    Units of gold clusters are put into folds; ``unit`` is that of each cluster, a document or the cluster itself.
    Each sum is one over gold clusters, so the sums of a fold are known for every cut, and those of the others too.
    """
    units = np.unique(unit[cuts.all_sizes > 0])
    if not 2 <= folds <= len(units):
        remedy = f"there are {len(units):,} units to divide; use 2 to {len(units):,} folds"
        if len(units) == 1:
            remedy = "there is one unit only, so nothing can be held out"
        raise InputError(Option("folds", folds), ": ", remedy)
    fold_of = np.zeros(int(units.max()) + 1, np.int64)
    fold_of[np.random.default_rng(seed).permutation(units)] = np.arange(len(units)) % folds
    try:
        parts = [metric.parts(cuts.of_clusters(fold_of[unit] == k)) for k in range(folds)]
    except NotASum as error:
        raise MetricError(
            f"{metric} cannot be cross-validated: it is not a sum over gold {noun('clusters')}, because it "
            f"needs {error}; these are: elm, bcubed, pairwise, jaccard, rand and others"
        ) from None
    rows = [best_row(metric, finish(added_up([part for part in parts if part is not own]))) for own in parts]
    chosen: list[Parts] = [
        {name: column[[row]] for name, column in own.items()} for own, row in zip(parts, rows, strict=True)
    ]
    return rows, chosen


def added_up(parts: Sequence[Parts]) -> Parts:
    """The sums of several folds together."""
    return {name: sum((part[name] for part in parts[1:]), parts[0][name]) for name in parts[0]}
