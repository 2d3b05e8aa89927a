"""A threshold chosen on some gold clusters and scored on the others, so that the score is not the tuned one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from clusterscore.analyses.sweep.cut_sums import CutSums
from clusterscore.count.counts import NotASum
from clusterscore.distinct import Ints
from clusterscore.exceptions import InputError, MetricError
from clusterscore.messages import Option
from clusterscore.metrics import Metric
from clusterscore.metrics.metric import Parts, Values
from clusterscore.nouns import noun
from clusterscore.read.links import components


class HeldOut(NamedTuple):
    """What was chosen without each fold, and the score of all folds, each with what was chosen without it."""

    values: Values
    rows: Ints  # the cut that is best on all other folds, for each fold
    folds: list[Values]  # the scores of the folds by themselves


def best_row(metric: Metric, values: Values) -> int:
    """The best cut; of equal ones the first."""
    return int(values.value.argmin() if metric.smaller_is_better else values.value.argmax())


def units_of(cuts: CutSums, folds: int) -> tuple[Ints, str]:
    """The unit of each gold cluster, which stays in one fold, and what the units are called.

    A link between two gold clusters decides on the score of both. So they are put into one unit if any cut has a
    cluster with elements of both, unless one such unit had most of the elements.
    """
    if cuts.document is not None:
        return cuts.document, "documents"
    merges, clusters = cuts.tree.merges, len(cuts.all_sizes)
    linked = clusters + cuts.tree.clusters_after(merges.number)[cuts.leaf]
    unit = components(cuts.of_gold, linked, clusters + merges.leaves)[1][:clusters]
    elements = np.bincount(unit, cuts.all_sizes)
    if np.count_nonzero(elements) >= folds and 2 * elements.max() <= len(cuts.leaf):
        return unit, "groups of gold clusters without a link between them"
    return np.arange(clusters), "gold clusters"


def held_out(
    metric: Metric, cuts: CutSums, unit: Ints, folds: int, seed: int, finish: Callable[[Parts], Values]
) -> HeldOut:
    """Units of gold clusters are put into folds; ``unit`` is that of each cluster, a document or the cluster itself.

    Each sum is one over gold clusters, so the sums of a fold are known for every cut, and those of the others too.
    """
    units = np.unique(unit[cuts.all_sizes > 0])
    if not 2 <= folds <= len(units):
        raise InputError(
            Option("folds", folds), f": there are {len(units):,} units to divide; use 2 to {len(units):,} folds"
        )
    fold_of = np.zeros(int(units.max()) + 1, np.int64)
    fold_of[np.random.default_rng(seed).permutation(units)] = np.arange(len(units)) % folds
    try:
        parts = [metric.parts(cuts.of_clusters(fold_of[unit] == k)) for k in range(folds)]
    except NotASum as error:
        raise MetricError(
            f"{metric} cannot be cross-validated: it is not a sum over gold {noun('clusters')}, because it "
            f"needs {error}; these are: elm, bcubed, pairwise, jaccard, rand and others"
        ) from None
    rows = [best_row(metric, finish(_total([part for part in parts if part is not own]))) for own in parts]
    chosen = [{name: column[[row]] for name, column in own.items()} for own, row in zip(parts, rows, strict=True)]
    return HeldOut(finish(_total(chosen)), np.array(rows), [finish(part) for part in chosen])


def _total(parts: Sequence[Parts]) -> Parts:
    return {name: sum((part[name] for part in parts[1:]), parts[0][name]) for name in parts[0]}
