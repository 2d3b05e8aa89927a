"""Several clusterings of the same elements, none of them gold: how far any two agree, and on which elements."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import permutations
from typing import Any

import numpy as np

from clusterscore.aggregate import AVERAGES, Average, Summary
from clusterscore.align.doubts import undoubted
from clusterscore.align.policies import Missing, NoiseAs
from clusterscore.count.counting import as_table
from clusterscore.count.sums import add_up
from clusterscore.count.table import Table
from clusterscore.diagnose import scores_elements
from clusterscore.distinct import Ints, distinct
from clusterscore.exceptions import ClusterscoreError, InputError, InputTypeError, one_of
from clusterscore.metrics import Metric, Score
from clusterscore.metrics import metric as metric_of
from clusterscore.pipeline.diagnosis import Diagnosis
from clusterscore.pipeline.request import options_checked
from clusterscore.progress import step
from clusterscore.read.guess import read_once
from clusterscore.read.labels import encode
from clusterscore.show.columns import Columns
from clusterscore.show.matrix import AgreementMatrix


@options_checked
def agreement_matrix(
    clusterings: Mapping[str, Any],
    *,
    metric: str | Metric = "adjusted_rand",
    element_metric: str | Metric | None = None,
    documents: Any = None,
    average: Average = "micro",
    missing: Missing | None = None,
    noise: Any = None,
    noise_as: NoiseAs | None = None,
) -> AgreementMatrix:
    """How well annotators or runs agree: ``cs.agreement_matrix({"ann": x, "bob": y, "cleo": z})``.

    ``result["ann", "bob"]`` is the Score of "bob" with "ann" as gold. ``result.matrix`` contains all of them, with gold
    in rows, and ``result.mean`` is the mean over all pairs. ``result.elements`` has a row per element, starting with
    those the clusterings agree on least; its ``consistency`` is the element's own F, averaged over all pairs.

    Options:
        clusterings: two or more, by name.
        metric: the metric for each pair of clusterings.
        element_metric: the metric for elements: by default ``elm``, or ``matched_elm`` if clusters overlap.

    Returns:
        The scores of each clustering against each other.

    >>> import clusterscore as cs
    >>> result = cs.agreement_matrix({"ann": [0, 0, 1, 1], "bob": [0, 0, 1, 1], "cleo": [0, 0, 0, 1]})
    >>> round(result.mean, 4), result.elements["element"].tolist()[:2]
    (0.3333, [2, 3])
    """
    if not isinstance(clusterings, Mapping):
        raise InputTypeError(
            f'clusterings is a {type(clusterings).__name__}, not a mapping; pass {{"ann": x, "bob": y}}, each by a name'
        )
    options = {"documents": documents, "missing": missing, "noise": noise, "noise_as": noise_as}
    one_of("average", average, AVERAGES)
    names = list(clusterings)
    if len(names) < 2:
        has = f"only {names[0]!r}" if names else "none"
        raise InputError(f"agreement needs at least two clusterings, but there is {has}")
    chosen = metric_of(metric)
    scores_elements(element_metric)  # a wrong name is an error before anything is counted
    if counted := [name for name, given in clusterings.items() if isinstance(given, Table)]:
        raise InputTypeError(f"{counted[0]!r} is a Table, which has two sides; pass clusterings")
    sides = {name: read_once(given, name) for name, given in clusterings.items()}
    pairs = {(a, b): (sides[a], sides[b]) for a, b in permutations(names, 2)}
    scores: dict[tuple[str, str], Score] = {}
    rows: dict[tuple[str, str], Columns] = {}
    dropped: dict[tuple[str, str], tuple[int, int]] = {}
    left_out: dict[tuple[str, str], tuple[int, int]] = {}
    with step("scoring") as at:
        for k, (both, (gold, pred)) in enumerate(pairs.items()):
            table = _counted(both, gold, pred, options)
            dropped[both], left_out[both] = table.dropped, table.noise
            scores[both] = Summary(chosen.on(table), table).score(average)
            own = scores_elements(element_metric, table)
            rows[both] = Diagnosis(own, table).elements()
            itself = both[0], both[0]
            if itself not in scores:
                with undoubted():
                    table = _counted(itself, gold, gold, options)
                scores[itself] = Summary(chosen.on(table), table).score(average)
            at((k + 1) / len(pairs))
    return AgreementMatrix(names, scores, str(own), lambda: _consistency(names, rows), dropped, left_out)


def _counted(both: tuple[str, str], gold: Any, pred: Any, options: Mapping[str, Any]) -> Table:
    try:
        return as_table(gold, pred, members=True, **options)
    except ClusterscoreError as error:
        raise type(error)(f"{both[0]!r} as gold and {both[1]!r} as pred: {error}") from None


def _consistency(names: list[str], rows: Mapping[tuple[str, str], Columns]) -> Columns:
    """A row per element, the least consistent first: its mean F over the pairs that have it, and its clusters."""
    parts = list(rows.values())
    keys = [name for name in ("document", "element") if name in parts[0]]
    codes, size = _numbered(parts, keys)
    first = np.full(size, len(codes))
    np.minimum.at(first, codes, np.arange(len(codes)))
    mean = add_up(np.concatenate([each["f"] for each in parts]), codes, size) / np.bincount(codes)
    clusters = {name: np.full(size, None, object) for name in names}
    starts = np.cumsum([0, *map(len, parts)])
    for (name, _), each, start in zip(rows, parts, starts.tolist(), strict=False):
        clusters[name][codes[start : start + len(each)]] = each["gold"]
    order = np.lexsort((first, mean))
    at = {key: np.concatenate([each[key] for each in parts])[first[order]] for key in keys}
    return Columns({**at, "consistency": mean[order], **{name: column[order] for name, column in clusters.items()}})


def _numbered(parts: list[Columns], keys: list[str]) -> tuple[Ints, int]:
    """The number of each element in all parts, one after the other, and how many there are."""
    one = parts[0]
    if all(len(each) == len(one) and all((each[key] == one[key]).all() for key in keys) for each in parts):
        return np.tile(np.arange(len(one)), len(parts)), len(one)
    labels = [encode(np.concatenate([each[key] for each in parts])) for key in keys]
    found = distinct(*((each.codes, len(each.names)) for each in labels), codes=True)
    return found.codes, len(found)
