"""The systems of a page, the best first: counted, compared, and the best tested against the second best."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np

from clusterscore.analyses.compare.comparing import (
    compare_options,
    compare_tables,
    counted,
    in_same_documents,
    known_baseline,
    named_pairs,
    systems_by_name,
)
from clusterscore.analyses.compare.comparison import Comparison
from clusterscore.analyses.diagnose.losses import scores_elements
from clusterscore.analyses.estimate.estimates import Estimates
from clusterscore.analyses.estimate.estimating import (
    CountedSample,
    count_systems,
    estimable,
    estimate_options,
    estimates_of,
    refuse_with_sample,
)
from clusterscore.analyses.request import Request
from clusterscore.count.counting import as_table
from clusterscore.count.table import Table
from clusterscore.metrics import Metric
from clusterscore.nouns import noun
from clusterscore.page.findings import Prediction
from clusterscore.page.verdict import Lead
from clusterscore.progress import say, step
from clusterscore.read.guess import are_systems, as_clusterings
from clusterscore.read.sample import Sample

_DRAWS = 100_000_000  # elements, drawn again and again: so many in all to compare systems
_MOST_DRAWS, _FEWEST_DRAWS = 1000, 100
_MOST_RESAMPLED = 1_000_000  # elements of one system: up to here every measure has an interval
_SECONDS, _BYTES = (3e-6, 4e-6), (180, 60)  # of an element and of a cluster; on two cores of 2023
_LONG, _MUCH = 60, 2  # seconds and GB that are worth a line
ONE = "prediction"


class Seen(NamedTuple):
    """The systems of a page, the best first, what they are scored with, and how they compare."""

    predictions: list[Prediction]
    request: Request
    comparison: Comparison | None = None
    sampled: CountedSample | None = None  # where gold is a sample
    estimates: Estimates | None = None


def seen_with_gold(
    pairs: Mapping[str, tuple[Any, Any]],
    request: Request,
    metric: str | Metric | None,
    weights: Any,
    average: str,
    by: Any,
    baseline: str | None,
    tested: str,
) -> Seen:
    """The systems of a page, each counted with its gold."""
    if list(pairs) == [ONE]:
        tables = {ONE: as_table(*pairs[ONE], members=True, by=by, **request.options)}
    else:
        tables = in_same_documents(counted(pairs, request, members=True, by=by), average)
    _say_effort(tables.values())
    decisive = next((table for table in tables.values() if table.overlapping), next(iter(tables.values())))
    chosen = scores_elements(metric, decisive).weighed(weights)[0]
    predictions = [Prediction(name, table, chosen) for name, table in tables.items()]
    request = request.resolved(*tables.values())
    if str(predictions[0].metric) not in map(str, request.metrics):
        request = request._replace(metrics=[*request.metrics, predictions[0].metric])
    head, compared = str(request.metrics[0]), request
    if len(tables) == 1 and decisive.elements > _MOST_RESAMPLED:  # what a metric brings for each cluster takes room
        compared = request._replace(metrics=request.metrics[:1])
    comparison = _comparison(tables, compared, average, baseline, tested)
    predictions.sort(key=lambda prediction: comparison[prediction.name][head].rank)
    return Seen(predictions, request, comparison)


def seen_by_estimate(
    sample: Sample, systems: Mapping[str, Any], request: Request, metric: str | Metric | None, baseline: str | None
) -> Seen:
    """The systems of a page, by the gold clusters of a sample."""
    main = scores_elements(metric)
    metrics = estimable(None if request.default else request.metrics)
    if main not in metrics:
        metrics = [*metrics, main]
    refuse_with_sample(**{name: value for name, value in request.options.items() if name != "missing"})
    first = next(iter(systems)) if baseline is None else known_baseline(baseline, systems)
    sampled = count_systems(sample, {first: systems[first], **systems}, request.options.get("missing"))
    estimates = estimates_of(sampled, metrics, estimate_options())
    predictions = [Prediction(name, table, main, sampled) for name, table in sampled.tables.items()]
    sign = 1 if metrics[0].smaller_is_better else -1
    predictions.sort(key=lambda prediction: sign * estimates.systems[prediction.name][metrics[0]].value)
    return Seen(predictions, request._replace(metrics=metrics), None, sampled, estimates)


def pairs_of(gold: Any, pred: Any) -> dict[str, tuple[Any, Any]]:
    """The systems that a user handed over, each with its gold: one prediction, or several by name."""
    if isinstance(gold, Sample):
        systems = systems_by_name(pred) if are_systems(pred) else {ONE: pred}
        return {name: (gold, own) for name, own in systems.items()}
    tables = isinstance(gold, Mapping) and gold and all(isinstance(value, Table) for value in gold.values())
    by_name = isinstance(pred, Mapping) and any(isinstance(value, Table) for value in pred.values())
    if tables if pred is None else by_name or are_systems(pred):
        return named_pairs(gold, pred)
    return {ONE: (gold, pred) if isinstance(gold, Table) else as_clusterings(gold, pred)}


def lead_of(seen: Seen, head: str, values: Mapping[str, float], average: str) -> Lead | None:
    """The best system against the second best; None where they are equally good."""
    best, second, *_ = (prediction.name for prediction in seen.predictions)
    if values[best] == values[second]:
        return None
    metrics = seen.request.metrics[:1]
    if seen.comparison is None:
        assert seen.sampled is not None
        two = {name: seen.sampled.tables[name] for name in (second, best)}
        difference = estimates_of(seen.sampled._replace(tables=two), metrics, estimate_options())
        gap = difference.differences[best][head]
        return Lead(best, second, gap.value, gap.p, difference.confidence)
    compared = seen.comparison
    if not {(best, second), (second, best)} & set(compared.pairs):  # neither is the baseline
        tables = {prediction.name: prediction.table for prediction in seen.predictions[:2]}
        compared = _comparison(tables, seen.request._replace(metrics=metrics), average, second)
    tested = compared.pairs[best, second][head]
    return Lead(best, second, tested.value, tested.p_holm, compared.confidence, len(compared.pairs) > 1)


def _comparison(
    tables: dict[str, Table], request: Request, average: str, baseline: str | None, tested: str = "baseline"
) -> Comparison:
    first, elements = next(iter(tables.values())), max(table.elements for table in tables.values())
    resamples = int(np.clip(_DRAWS // max(elements, 1), _FEWEST_DRAWS, _MOST_DRAWS))
    apart = any(any(table.one_sided) for table in tables.values())  # such elements belong to no gold clusters of both
    if len(first.documents) == 1 and (average != "micro" or first.number("gold") == 1 or apart):
        resamples = 0  # there is one of what could be drawn again
    with step("comparing"):
        return compare_tables(tables, request, compare_options("auto", average, resamples, 0, 0.95, tested), baseline)


def _say_effort(tables: Iterable[Table]) -> None:
    """A line before a run that takes more than a minute, or more memory than many have to spare."""
    known = [table for table in tables if table.members is not None]
    elements = sum(table.elements for table in known)
    clusters = sum(table.number("gold") + table.number("pred") for table in known)
    seconds = _SECONDS[0] * elements + _SECONDS[1] * clusters
    memory = (_BYTES[0] * elements + _BYTES[1] * clusters) / 1e9
    if seconds > _LONG or memory > _MUCH:
        say(
            f"{elements:,} {noun('elements')} in {clusters:,} {noun('clusters')}: this takes about "
            f"{max(round(seconds / 60), 1)} min and {memory:.0f} GB of memory"
        )
