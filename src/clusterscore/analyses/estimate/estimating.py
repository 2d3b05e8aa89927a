"""What would the whole score? Gold for some clusters is enough, if it is known how they were drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple, get_args

from clusterscore.align.doubts import Compared, express
from clusterscore.align.side_facts import DoubtedSide
from clusterscore.analyses.compare.comparing import share
from clusterscore.analyses.estimate.estimates import Estimates, SampleFacts
from clusterscore.analyses.estimate.estimation import EstimateOptions, estimate_sums, refusal
from clusterscore.analyses.estimate.gold_sample import DESIGNS, Sample, columns_of, find_in_clustering, matched
from clusterscore.analyses.request import Metrics, options_checked
from clusterscore.count.sampled import Found
from clusterscore.exceptions import (
    ElementMismatch,
    InputError,
    InputTypeError,
    MetricError,
    Option,
    integer,
    one_of,
    plural,
)
from clusterscore.metrics import DEFAULT_SET, Metric, metrics_of
from clusterscore.read.file import DEFAULT
from clusterscore.read.files import read_files
from clusterscore.read.formats import TABLES, by_name
from clusterscore.read.guess import are_systems, as_clustering, file_given

Unknown = Literal["error", "drop", "singleton"]
UNKNOWN: tuple[str, ...] = get_args(Unknown)
_ENGINES = ("duckdb", "_duckdb", "pyspark")  # libraries whose tables are not read into memory


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
    (0.8667, 0.1282)
    >>> round(found["pairwise"].precision.value, 4)
    0.6667
    """
    systems = pred if are_systems(pred) else {"": pred}
    request = Design(metrics, weights, strata, drawn, sizes, missing, confidence, resamples, seed).checked()
    return request.estimates(*_look_up(sample, systems, request.columns))


class Design(NamedTuple):
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

    def checked(self) -> Design:
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
        numbers = share(self.confidence), integer("resamples", self.resamples), integer("seed", self.seed)
        return Design(estimable(self.metrics), *self[1:6], *numbers)

    @property
    def columns(self) -> list[str]:
        """The columns of the sample that are named."""
        weights = None if isinstance(self.weights, str) and self.weights in DESIGNS else self.weights
        return list(dict.fromkeys(name for name in (weights, self.strata, self.sizes) if isinstance(name, str)))

    def estimates(self, sample: Sample, found: Mapping[str, Found]) -> Estimates:
        """The estimates of systems in which the elements of the sample were found."""
        metrics, options = metrics_of(self.metrics or ()), EstimateOptions(*self[6:])
        sample.refuse_parts(self.sizes)
        weights, strata = sample.by_name(self.weights, "weight"), sample.by_name(self.strata, "stratum")
        sample, tables, dropped = matched(sample, found, self.missing)
        if self.drawn is not None:
            design, units = "drawn", sample.drawn_units(self.drawn)
        else:
            design, units = weights if isinstance(weights, str) else "given", sample.units(weights, strata)
        signature = f"missing:{self.missing}|weights:{design}{'' if self.strata is None else '|strata:given'}"
        population = next(iter(tables.values())).population or 0
        facts = SampleFacts(len(sample.names), len(sample.ids), population, dropped, signature)
        return Estimates(estimate_sums(metrics, tables, units, options), metrics, units, facts, options)


def estimable(metrics: Metrics) -> list[Metric]:
    """The metrics that a user names, or those of the default set that can be estimated."""
    chosen = metrics_of(DEFAULT_SET if metrics is None else metrics)
    refused = {one: reason for one in chosen if (reason := refusal(one)) is not None}
    if refused and metrics is not None:
        raise MetricError(
            f"{next(iter(refused.values()))}, and cannot be estimated from a sample of them; use elm, bcubed, "
            "pairwise, muc, lea, cluster_match or another that is"
        )
    return [one for one in chosen if one not in refused]


def is_table(pred: Any) -> bool:
    """Whether it stays where it is: a table of a database or a cluster, a lazy one, or a file with a table."""
    if (file := file_given(pred)) is not None:
        return (file.format or by_name(file.name)) in TABLES
    return type(pred).__name__ == "LazyFrame" or type(pred).__module__.partition(".")[0] in _ENGINES


def _look_up(sample: Any, systems: Mapping[str, Any], columns: Sequence[str]) -> tuple[Sample, dict[str, Found]]:
    """The sample, and where its elements are in each prediction."""
    if not systems:
        raise InputError("there is no prediction; pass one, or a mapping of names to predictions")
    if sample is None or any(pred is None for pred in systems.values()):
        raise InputTypeError("estimate needs a sample of gold clusters and the whole prediction; one of them is None")
    if (file := file_given(sample)) is not None:
        read = read_files({"gold": file}, {name: name for name in columns})
        gold, column = read["gold"], read.columns.__getitem__
    else:
        gold, column = as_clustering(sample, "sample"), columns_of(sample)
    clusters, found = Sample.of(gold, column), {}
    for name, pred in systems.items():
        if is_table(pred):
            from clusterscore.engines.sample_lookup import find_touched

            file = file_given(pred)
            found[name] = find_touched(pred if file is None else file.path, clusters.ids, file or DEFAULT)
            continue
        made = as_clustering(pred, "pred")
        if len(gold) != len(made) and gold.ids is gold.index is made.ids is made.index is None:
            counts = f"{plural(len(gold), 'label')} for {plural(len(made), 'element')} of the prediction"
            remedy = "give one for each, None where there is none, or elements by their ids"
            raise ElementMismatch(f"by position the sample has {counts}; {remedy}")
        express(Compared(DoubtedSide("gold", gold), DoubtedSide("pred", made)))
        found[name] = find_in_clustering(clusters, made)
    return clusters, found
