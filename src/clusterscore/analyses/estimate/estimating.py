"""What would the whole score? Gold for some clusters is enough, if it is known how they were drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple, get_args

import numpy as np

from clusterscore.align.doubts import Compared, doubts_of, express
from clusterscore.align.side_facts import DoubtedSide
from clusterscore.analyses.estimate.calibration import Calibration, with_chances
from clusterscore.analyses.estimate.estimates import Estimates, SampleFacts
from clusterscore.analyses.estimate.estimation import EstimateOptions, SampleUnits, estimate_sums, refusal
from clusterscore.analyses.estimate.gold_sample import (
    SampledClusters,
    columns_of,
    find_in_clustering,
    matched,
)
from clusterscore.analyses.request import Metrics, chosen_metrics, options_checked
from clusterscore.analyses.resampling import CONFIDENCE, checked_confidence
from clusterscore.count.sampled import ClusterSizes, SampleLookup
from clusterscore.count.sums import Floats
from clusterscore.count.table import Table
from clusterscore.engines import stays_in_place
from clusterscore.exceptions import ElementMismatch, InputError, InputTypeError, MetricError, integer, one_of
from clusterscore.fields import current
from clusterscore.messages import Option
from clusterscore.metrics import Metric
from clusterscore.nouns import Field, noun, plural
from clusterscore.progress import step
from clusterscore.read.clustering import Clustering
from clusterscore.read.file import File
from clusterscore.read.files import FilesRead, read_files
from clusterscore.read.guess import are_systems, as_clustering, file_given
from clusterscore.read.sample import Sample

Unknown = Literal["error", "drop", "singleton"]
UNKNOWN: tuple[str, ...] = get_args(Unknown)


@options_checked
def estimate(
    sample: Any,
    pred: Any,
    *,
    metrics: Metrics = None,
    weights: Any = None,
    strata: Any = None,
    drawn: Any = None,
    sizes: Any = None,
    missing: Unknown = "error",
    confidence: float = 0.95,
    resamples: int = 1000,
    seed: int = 0,
    field: str | Field | None = None,
) -> Estimates:
    """Estimate what a prediction would score against full gold, from a sample of gold clusters.

    Every measure that is a sum over gold clusters has an estimate, a standard error, an interval (linearized, with
    Student's t), a bootstrap interval over the sampled clusters and a bias-corrected value, and so do its precision and
    recall. Several systems are compared with the first on the same clusters: ``found.differences["B"]["elm"]`` has the
    difference, its interval and the p-value of a paired test.

    Options:
        sample: a :class:`clusterscore.Sample`, or whole gold clusters of some elements; an element without a label is
            not in the sample.
        pred: the whole prediction, or several by name. Elements are matched by id, by the index of a Series, or by
            position.
        weights: how the clusters were drawn, as in :class:`clusterscore.Sample`: ``"uniform"``, ``"size"``, or 1 / the
            probability of each. There is no default, as it decides the score.
        strata: the groups that the clusters were drawn from separately.
        drawn: the records that were drawn, as returned by :func:`clusterscore.draw_sample`, instead of both.
        sizes: the true size of each cluster; otherwise incomplete clusters go unnoticed.
        missing: ``"drop"`` leaves out elements that the prediction does not have, ``"singleton"`` gives each of them a
            predicted cluster of its own.
        resamples: the number of bootstrap resamples.

    Returns:
        Estimates by metric: ``found["elm"].value``, ``.standard_error``, ``.interval``.

    >>> import clusterscore as cs
    >>> pred = {"r1": 1, "r2": 1, "r3": 2, "r4": 3, "r5": 3, "r6": 3, "r7": 4, "r8": 5, "r9": 5}
    >>> sample = [["r1", "r2"], ["r3", "r4"], ["r7"], ["r8", "r9"]]
    >>> found = cs.estimate(sample, pred, metrics=["bcubed", "pairwise"], weights="uniform")
    >>> round(found["bcubed"].value, 4), round(found["bcubed"].standard_error, 4)
    (0.8667, 0.1282)
    >>> round(found["pairwise"].precision.value, 4)
    0.6667
    """
    if not isinstance(sample, Sample):
        sample = Sample(sample, weights=weights, strata=strata, drawn=drawn, sizes=sizes)
    elif any(given is not None for given in (weights, strata, drawn, sizes)):
        raise InputError("a Sample already says how it was drawn; leave out weights, strata, drawn and sizes")
    systems = pred if are_systems(pred) else {"": pred}
    return estimate_sample(sample, systems, metrics, estimate_options(confidence, resamples, seed), missing=missing)


def estimate_options(confidence: Any = CONFIDENCE, resamples: Any = 1000, seed: Any = 0) -> EstimateOptions:
    """How intervals are made, checked; as usual, where nobody says."""
    return EstimateOptions(checked_confidence(confidence), integer("resamples", resamples), integer("seed", seed))


def estimate_sample(
    sample: Sample,
    systems: Mapping[str, Any],
    metrics: Metrics,
    how: EstimateOptions,
    *,
    missing: str | None = None,
    weights: Any = None,
    **refused: Any,
) -> Estimates:
    """What predictions, by name, would score against full gold; ``refused`` are options that need all of it."""
    metrics = weighed_metrics(metrics, weights)
    refuse_with_sample(**refused)
    chosen = estimable(metrics)
    return estimates_of(count_systems(sample, systems, missing), chosen, how)


def estimates_of(counted: CountedSample, metrics: Sequence[Metric], options: EstimateOptions) -> Estimates:
    """The estimates of systems that are counted."""
    with step("estimating"):
        known = {
            name: Calibration.of(table, counted.units, counted.totals[name]) for name, table in counted.tables.items()
        }
        estimates = estimate_sums(metrics, counted.tables, counted.units, options, known)
        return Estimates(estimates, metrics, counted.units, counted.facts, options)


class CountedSample(NamedTuple):
    """A sample counted with the predictions of some systems."""

    clusters: SampledClusters
    tables: dict[str, Table]  # by system, a row of every sum for each gold cluster
    units: SampleUnits
    facts: SampleFacts
    totals: Mapping[str, ClusterSizes | None]  # how many clusters of each size a system has, where that is known

    @property
    def stands_for(self) -> Floats:
        """How many clusters of the whole each sampled one stands for, so that all elements are stood for."""
        table = next(iter(self.tables.values()))
        weight = np.bincount(self.units.cluster, self.units.weight, len(table.documents))
        return np.asarray(weight * (self.facts.population / (weight @ table.common)))


def count_systems(sample: Sample, systems: Mapping[str, Any], missing: str | None = None) -> CountedSample:
    """A sample counted with predictions, by name."""
    policy = "error" if missing is None else missing
    one_of("missing", policy, UNKNOWN)
    with step("reading"):
        clusters, lookups = look_up(sample, systems)
    return count_lookups(sample, clusters, lookups, policy)


def look_up(sample: Sample, systems: Mapping[str, Any]) -> tuple[SampledClusters, dict[str, SampleLookup]]:
    """The clusters of a sample, and where their elements are in each prediction."""
    if any(pred is None for pred in systems.values()):
        raise InputTypeError(
            noun("the prediction is None; a sample of gold clusters is scored with the whole prediction")
        )
    predictions, read = read_predictions(systems, file_given(sample.gold), sample.columns)
    gold, clusters = read_sample(sample, read)
    for pred in predictions.values():
        by_position = isinstance(pred, Clustering) and gold.ids is gold.index is pred.ids is pred.index is None
        if by_position and len(gold) != len(pred):
            counts = f"{plural(len(gold), 'label')} for {plural(len(pred), 'element')} of the prediction"
            remedy = noun("give one for each, None where there is none, or elements by their ids")
            raise ElementMismatch(f"by position the sample has {counts}; {remedy}")
    return clusters, find_elements(clusters, predictions, DoubtedSide("gold", gold))


def read_sample(sample: Sample, read: FilesRead | None = None) -> tuple[Clustering, SampledClusters]:
    """The gold of a sample, and its clusters; its file may have been read already."""
    file = file_given(sample.gold)
    if file is None:
        gold = as_clustering(sample.gold, "sample")
        return gold, SampledClusters.of(gold, columns_of(sample.gold))
    if read is None:
        read = read_files({"gold": file}, sample.columns)
    by_name = {name: read.columns[option] for option, name in sample.columns.items()}
    return read["gold"], SampledClusters.of(read["gold"], by_name.__getitem__)


def read_predictions(
    systems: Mapping[str, Any], sample: File | None = None, columns: Mapping[str, str] | None = None
) -> tuple[dict[str, Any], FilesRead]:
    """Predictions as clusterings; those in which an engine looks up the elements stay what they are.

    All files are read together, with the sample and some columns of it.
    """
    files = {} if sample is None else {"gold": sample}
    for name, pred in systems.items():
        file = file_given(pred)
        with_sample = file is not None and sample is not None and file.name == sample.name
        if file is not None and (with_sample or not stays_in_place(file)):
            files[f"pred {name}"] = file
    read = read_files(files, columns, sides=sample is not None) if files else FilesRead()
    predictions = {}
    for name, pred in systems.items():
        if f"pred {name}" in read:
            predictions[name] = read[f"pred {name}"]
        else:
            predictions[name] = pred if stays_in_place(pred) else as_clustering(pred, "pred")
    return predictions, read


def find_elements(
    sample: SampledClusters, predictions: Mapping[str, Any], gold: DoubtedSide | None = None
) -> dict[str, SampleLookup]:
    """Where the elements of a sample are in each prediction, whose doubts are expressed."""
    lookups = {}
    for name, pred in predictions.items():
        with doubts_of(name if len(predictions) > 1 else ""):
            if isinstance(pred, Clustering):
                side = DoubtedSide("pred", pred)
                express(Compared(side, None) if gold is None else Compared(gold, side))
                lookups[name] = find_in_clustering(sample, pred)
            else:
                from clusterscore.engines.sample_in_place import find_touched

                lookups[name] = find_touched(pred, sample.ids, gold)
    return lookups


def count_lookups(
    sample: Sample, clusters: SampledClusters, lookups: Mapping[str, SampleLookup], policy: str = "error"
) -> CountedSample:
    """A sample counted with predictions in which its elements were found."""
    clusters.refuse_parts(sample.sizes)
    weights, strata = clusters.by_name(sample.weights, "weight"), clusters.by_name(sample.strata, "stratum")
    clusters, tables, dropped = matched(clusters, lookups, policy)
    if sample.records is not None:
        design, units = "drawn", clusters.drawn_units(sample.records)
        if sample.drawn is None and len(units.cluster) == len(clusters.ids):
            _refuse_unlabelled(tables)
    else:
        design, units = weights if isinstance(weights, str) else "given", clusters.units(weights, strata)
    signature = f"missing:{policy}|weights:{design}{'' if sample.strata is None else '|strata:given'}"
    population = next(iter(tables.values())).population or 0
    units = with_chances(units, clusters.sizes, population, design)
    totals = {name: lookup.totals for name, lookup in lookups.items()}
    facts = SampleFacts(len(clusters.names), len(clusters.ids), population, dropped, signature)
    return CountedSample(clusters, tables, units, facts, totals)


def _refuse_unlabelled(tables: Mapping[str, Table]) -> None:
    """Raise where nobody has labelled what draw-sample wrote: its clusters are still those of the prediction."""
    for table in tables.values():
        gold, pred = (table.cells.side(side).name for side in ("gold", "pred"))
        if all(str(gold(a)) == str(pred(b)) for a, b in zip(table.gold.tolist(), table.pred.tolist(), strict=True)):
            raise InputError(
                noun(
                    "the clusters of the sample are those of the prediction, as draw-sample wrote them; put the gold "
                    "cluster of each record in their place, and add the other records of these clusters"
                )
            )


def refuse_with_sample(**given: Any) -> None:
    """Raise for an option that needs gold of all elements, by its name; what is None or the field's was not given."""
    field = current()
    usual = {} if field is None else field.defaults
    for name, value in given.items():
        if value is not None and value != usual.get(name):
            raise InputError(
                Option(name), noun(" needs gold for all elements, and a sample has that of some clusters; leave it out")
            )


def weighed_metrics(metrics: Metrics, weights: Any) -> Metrics:
    """The metrics with weights that have a name; those of single elements need gold for all of them."""
    if not isinstance(weights, str):
        refuse_with_sample(weights=weights)
        return metrics
    weighed = [metric.weighed(weights)[0] for metric in estimable(metrics) if metrics is not None or metric.weighable]
    return weighed if metrics is not None else [metric for metric in weighed if refusal(metric) is None]


def estimable(metrics: Metrics) -> list[Metric]:
    """The metrics that a user names, or those of the default set that can be estimated."""
    chosen = chosen_metrics(metrics)
    refused = {metric: reason for metric in chosen if (reason := refusal(metric)) is not None}
    if refused and (metrics is not None or len(refused) == len(chosen)):
        raise MetricError(
            f"{next(iter(refused.values()))}, and cannot be estimated from a sample of them; use elm, bcubed, "
            "pairwise, muc, lea, cluster_match or another that is"
        )
    return [metric for metric in chosen if metric not in refused]
