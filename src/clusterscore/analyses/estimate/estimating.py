"""What would the whole score? Gold for some clusters is enough, if it is known how they were drawn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple, get_args

from clusterscore.analyses.estimate.calibration import Calibration, with_chances
from clusterscore.analyses.estimate.estimates import Estimates, SampleFacts
from clusterscore.analyses.estimate.estimation import EstimateOptions, estimate_sums, refusal
from clusterscore.analyses.estimate.gold_sample import DESIGNS, Sample, matched
from clusterscore.analyses.estimate.predictions import look_up
from clusterscore.analyses.intervals import checked_confidence
from clusterscore.analyses.request import Metrics, options_checked
from clusterscore.count.sampled import SampleLookup
from clusterscore.exceptions import InputError, InputTypeError, MetricError, integer, one_of
from clusterscore.messages import Option
from clusterscore.metrics import DEFAULT_SET, Metric, metrics_of
from clusterscore.progress import step
from clusterscore.read.guess import are_systems

Unknown = Literal["error", "drop", "singleton"]
UNKNOWN: tuple[str, ...] = get_args(Unknown)


@options_checked
def estimate(
    sample: Any,
    pred: Any,
    *,
    metrics: Metrics = None,
    weights: Any = "uniform",
    strata: Any = None,
    drawn: Any = None,
    sizes: Any = None,
    missing: Unknown = "error",
    confidence: float = 0.95,
    resamples: int = 1000,
    seed: int = 0,
) -> Estimates:
    """Estimate what a prediction would score against full gold, from a sample of gold clusters.

    Every measure that is a sum over gold clusters has an estimate, a standard error, an interval (linearized, with
    Student's t), a bootstrap interval over the sampled clusters and a bias-corrected value, and so do its precision and
    recall. Several systems are compared with the first on the same clusters: ``found.differences["B"]["elm"]`` has the
    difference, its interval and the p-value of a paired test.

    Options:
        sample: whole gold clusters of some elements; an element without a label is not in the sample.
        pred: the whole prediction, or several by name. Elements are matched by id, by the index of a Series, or by
            position.
        weights: how the clusters were drawn: ``"uniform"`` if all were equally likely; ``"size"`` if you drew records
            and took their clusters, so that large clusters are more likely; or 1 / the probability of each cluster, as
            a mapping cluster -> weight, in order, or as the name of a column of the sample.
        strata: the groups that the clusters were drawn from separately, in the same form as weights.
        sizes: the true size of each cluster, in the same form as weights; otherwise incomplete clusters go unnoticed.
        drawn: the records that were drawn, as returned by :func:`clusterscore.draw_sample`, instead of ``weights`` and
            ``strata``; the sample contains their clusters.
        missing: ``"drop"`` leaves out elements that the prediction does not have, ``"singleton"`` gives each of them a
            predicted cluster of its own.
        resamples: the number of bootstrap resamples.

    Returns:
        Estimates by metric: ``found["elm"].value``, ``.standard_error``, ``.interval``.

    >>> import clusterscore as cs
    >>> pred = {"r1": 1, "r2": 1, "r3": 2, "r4": 3, "r5": 3, "r6": 3, "r7": 4, "r8": 5, "r9": 5}
    >>> sample = [["r1", "r2"], ["r3", "r4"], ["r7"], ["r8", "r9"]]
    >>> found = cs.estimate(sample, pred, metrics=["bcubed", "pairwise"])
    >>> round(found["bcubed"].value, 4), round(found["bcubed"].standard_error, 4)
    (0.8667, 0.0605)
    >>> round(found["pairwise"].precision.value, 4)
    0.6667
    """
    systems = pred if are_systems(pred) else {"": pred}
    request = EstimateRequest(metrics, weights, strata, drawn, sizes, missing, confidence, resamples, seed).checked()
    with step("reading"):
        looked_up = look_up(sample, systems, request.columns)
    with step("estimating"):
        return request.estimates(*looked_up)


class EstimateRequest(NamedTuple):
    """What is to be estimated, and how the sample was drawn."""

    metrics: Metrics
    weights: Any
    strata: Any
    drawn: Any
    sizes: Any
    missing: str
    confidence: float
    resamples: int
    seed: int

    def checked(self) -> EstimateRequest:
        """The same, if it can be: what is wrong is told before anything is read."""
        one_of("missing", self.missing, UNKNOWN)
        if self.weights is None:
            raise InputTypeError(
                'weights=None does not say how the clusters were drawn; pass "uniform", "size", or a weight for each'
            )
        plain = isinstance(self.weights, str) and self.weights == "uniform"
        if self.drawn is not None and (self.strata is not None or not plain):
            raise InputError(
                Option("drawn"),
                " already contains the weights and the strata; leave out ",
                Option("weights"),
                " and ",
                Option("strata"),
            )
        numbers = checked_confidence(self.confidence), integer("resamples", self.resamples), integer("seed", self.seed)
        return EstimateRequest(estimable(self.metrics), *self[1:6], *numbers)

    @property
    def columns(self) -> list[str]:
        """The columns of the sample that are named."""
        weights = None if isinstance(self.weights, str) and self.weights in DESIGNS else self.weights
        return list(dict.fromkeys(name for name in (weights, self.strata, self.sizes) if isinstance(name, str)))

    def estimates(self, sample: Sample, lookups: Mapping[str, SampleLookup]) -> Estimates:
        """The estimates of systems in which the elements of the sample were found."""
        metrics, options = metrics_of(self.metrics or ()), EstimateOptions(*self[6:])
        sample.refuse_parts(self.sizes)
        weights, strata = sample.by_name(self.weights, "weight"), sample.by_name(self.strata, "stratum")
        sample, tables, dropped = matched(sample, lookups, self.missing)
        if self.drawn is not None:
            design, units = "drawn", sample.drawn_units(self.drawn)
        else:
            design, units = weights if isinstance(weights, str) else "given", sample.units(weights, strata)
        signature = f"missing:{self.missing}|weights:{design}{'' if self.strata is None else '|strata:given'}"
        population = next(iter(tables.values())).population or 0
        units = with_chances(units, sample.sizes, population, design)
        known = {name: Calibration.of(tables[name], units, lookup.totals) for name, lookup in lookups.items()}
        facts = SampleFacts(len(sample.names), len(sample.ids), population, dropped, signature)
        return Estimates(estimate_sums(metrics, tables, units, options, known), metrics, units, facts, options)


def estimable(metrics: Metrics) -> list[Metric]:
    """The metrics that a user names, or those of the default set that can be estimated."""
    chosen = metrics_of(DEFAULT_SET if metrics is None else metrics)
    refused = {metric: reason for metric in chosen if (reason := refusal(metric)) is not None}
    if refused and metrics is not None:
        raise MetricError(
            f"{next(iter(refused.values()))}, and cannot be estimated from a sample of them; use elm, bcubed, "
            "pairwise, muc, lea, cluster_match or another that is"
        )
    return [metric for metric in chosen if metric not in refused]
