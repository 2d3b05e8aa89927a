"""The whole way from two clusterings to results: read, align, count, score, aggregate, show."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import SimpleNamespace
from typing import Any, Unpack, overload

from clusterscore.aggregate import AVERAGES, Average, Summary
from clusterscore.align.policies import CountOptions
from clusterscore.analyses.estimate.estimates import Estimates
from clusterscore.analyses.request import Metrics, Request, errors_of, options_checked
from clusterscore.analyses.score.scorecard import Scorecard
from clusterscore.count.counting import as_table, count, expand
from clusterscore.count.table import Table
from clusterscore.exceptions import InputError, InputTypeError, MetricError, one_of, warn_user
from clusterscore.messages import Option
from clusterscore.metrics import Metric, Score, metric
from clusterscore.nouns import noun
from clusterscore.progress import step
from clusterscore.read.clustering import Clustering
from clusterscore.read.sample import Sample
from clusterscore.show.description import TEXT, Column, Description, metric_column, score_columns
from clusterscore.show.result import ByMetric, Result, named_columns
from clusterscore.version import __version__


@overload
def score(gold: Sample, pred: Any, *, metrics: Metrics = None, **options: Unpack[CountOptions]) -> Estimates: ...


@overload
def score(
    gold: Sequence[Clustering] | Mapping[str, Clustering],
    pred: Any,
    *,
    metrics: Metrics = None,
    average: Average = "micro",
    **options: Unpack[CountOptions],
) -> GoldScores: ...


@overload
def score(
    gold: Any,
    pred: Any = None,
    *,
    metrics: Metrics = None,
    average: Average = "micro",
    baselines: bool = False,
    by: Any = None,
    old: Any = None,
    only: Any = None,
    **options: Unpack[CountOptions],
) -> Scorecard: ...


@options_checked
def score(
    gold: Any,
    pred: Any = None,
    *,
    metrics: Metrics = None,
    average: Average = "micro",
    baselines: bool = False,
    by: Any = None,
    old: Any = None,
    only: Any = None,
    **options: Unpack[CountOptions],
) -> Scorecard | GoldScores | Estimates:
    """Score a prediction against gold with one or more metrics.

    If several gold clusterings are valid, pass a list of :class:`Clustering` objects, or a mapping name -> Clustering.
    The result then has the best score for each metric, the gold that gives it, and the mean (:class:`GoldScores`).

    If gold is known for some clusters only, pass a :class:`Sample`: the result estimates what the prediction would
    score against full gold, as :func:`estimate` does (:class:`Estimates`).

    Options:
        metrics: by name, with parameters, or as objects. The default set is ELM, BCubed, adapted BCubed,
            alphaMax-BCubed, BLANC, pairwise, ARI and NMI; with element weights (``weights``) or ``missing="keep"``,
            only those of them that are defined.
        average: ``"micro"`` pools all elements, ``"macro"`` is the mean of the documents' scores, and ``"weighted"`` is
            that mean with documents weighted by size.
        baselines: also score the trivial and random clusterings of ``cs.baselines`` on the elements of the prediction.
            ``card.baselines`` contains their Scorecards, and the card prints them below.
        by: a group for each element, as a mapping element -> group or in the order of gold. ``card.slices["elm"]`` then
            has the score of each group, the worst first: the mean over its elements, with clusters counted over all
            elements.
        old: the labels of gold clusters that are old classes, as in category discovery. ``card.slices["acc"]`` then has
            the scores of "old" and "new" elements, and where alignments are equally good, that with the most old
            elements is taken. ``by`` makes other slices of the same alignment.
        only: the labels of the gold clusters that are scored. Predicted clusters count if
            they contain elements of these, with all their elements.

    Returns:
        The scores by metric: ``card["elm"].f``. It prints as a table.

    Raises:
        ElementMismatch: one side has elements that the other does not have, and ``missing`` does not say what to do.
        InputError: there is nothing to score, a label is None or NaN, or lengths differ.
        MetricError: a metric is unknown, or a parameter is out of range.

    >>> import clusterscore as cs
    >>> card = cs.score([0, 0, 1, 1], [0, 0, 0, 1], metrics=["elm", "bcubed(beta=2)"])
    >>> card["elm"].f
    0.3333333333333333
    """
    one_of("average", average, AVERAGES)
    if not isinstance(baselines, bool):
        raise InputTypeError(f"baselines={baselines!r}: pass True or False; for single baselines, use cs.baselines")
    chosen_elements = {"by": by, "old": old, "only": only}
    if isinstance(gold, Sample):
        from clusterscore.analyses.estimate import estimating  # with what intervals need

        whole = {"average": None if average == "micro" else average, "baselines": baselines or None, **chosen_elements}
        how = estimating.estimate_options()
        return estimating.estimate_sample(gold, {"": pred}, metrics, how, **whole, **options)
    golds = _several_golds(gold)
    if golds:
        refused = [Option("baselines", True)] if baselines else []
        for which in [*refused, *(Option(name) for name, value in chosen_elements.items() if value is not None)]:
            raise InputError(which, " works with one gold only; score the prediction against each gold separately")
        chosen = metrics if metrics is None or isinstance(metrics, str | Metric) else list(metrics)
        return _score_golds(golds, pred, metrics=chosen, average=average, **options)
    request = Request.of(metrics, counted=pred is None, **options)
    table = as_table(gold, pred, members=baselines or request.ordered, **chosen_elements, **request.options)
    sliced = by is not None or old is not None
    card = card_of(table, request, average, sliced=sliced)
    if table.mentions is not None:
        from clusterscore.analyses.score.coref import one_to_one_warnings  # of coreference alone

        for warning in one_to_one_warnings(card, request):
            warn_user(warning)
    if sliced:
        from clusterscore.analyses.slices import slices_of  # with what intervals need

        card.slices = slices_of(table, request.on(table), average, named=not request.default)
    if baselines:
        with step("baselines"):
            card.baselines = dict(baseline_cards(table, request, average))
    return card


def _several_golds(gold: Any) -> dict[str, Clustering]:
    """Golds by name, where a user passes several; a list or mapping of anything else is one gold."""
    if not isinstance(gold, list | tuple | Mapping) or not gold:
        return {}
    values = gold.values() if isinstance(gold, Mapping) else gold
    if not all(isinstance(value, Clustering) for value in values):  # a label ends it
        return {}
    return (
        dict(gold) if isinstance(gold, Mapping) else {f"gold {k}": clustering for k, clustering in enumerate(gold, 1)}
    )


def _score_golds(golds: Mapping[str, Clustering], pred: Any, **options: Any) -> GoldScores:
    """A prediction against several golds."""
    cards: dict[str, Scorecard] = {}
    for name, gold in golds.items():
        with errors_of(f"{name!r} as gold"):
            cards[name] = score(gold, pred, **options)
    first, *others = cards
    odd = next((name for name in others if list(cards[name]) != list(cards[first])), None)
    if odd is not None:
        raise InputError(f"one of {first!r} and {odd!r} overlaps, so their default metrics differ; name some for both")
    return GoldScores(cards)


class GoldScores(Result, ByMetric[Score]):
    """The best score of a prediction against several golds, by metric.

    ``result["elm"]`` is the best Score, ``result.which["elm"]`` the name of the gold that gives it (the first of equal
    ones), ``result.mean["elm"]`` the mean over all golds, and ``result.golds`` has the Scorecard for each gold.

    >>> import clusterscore as cs
    >>> golds = {"ann": cs.Clustering.from_labels([0, 0, 1]), "bob": cs.Clustering.from_labels([0, 1, 1])}
    >>> result = cs.score(golds, [5, 5, 6], metrics="elm")
    >>> result["elm"].f, result.which["elm"], round(result.mean["elm"], 4)
    (1.0, 'ann', 0.5)
    """

    def __init__(self, golds: Mapping[str, Scorecard]):
        self.golds = dict(golds)
        names = list(next(iter(self.golds.values())))
        sign = {name: -1 if metric(name).smaller_is_better else 1 for name in names}
        self.which = ByMetric(
            {name: max(self.golds, key=lambda gold: sign[name] * self.golds[gold][name].value) for name in names}
        )
        self.mean = ByMetric(
            {name: sum(card[name].value for card in self.golds.values()) / len(self.golds) for name in names}
        )
        super().__init__({name: self.golds[self.which[name]][name] for name in names})

    def to_dict(self) -> dict[str, Any]:
        """The best scores, each with its gold and the mean, and those of every gold, as plain values."""
        cards = {name: card.to_dict() for name, card in self.golds.items()}
        first = next(iter(cards.values()))
        return {
            "scores": {
                name: {**score.to_dict(), "mean": self.mean[name], "gold": self.which[name]}
                for name, score in self.items()
            },
            "golds": {name: {"scores": card["scores"]} for name, card in cards.items()},
            **{name: first[name] for name in ("elements", "documents")},
            "version": __version__,
        }

    def description(self) -> Description:
        """A row per metric: the best score and its gold, the mean, and the score of each gold."""
        columns = [
            metric_column(),
            Column("best"),
            Column("which", kind=TEXT),
            Column("mean"),
            *named_columns(self.golds, heading=str),
        ]
        rows = [
            SimpleNamespace(
                metric=name,
                best=score.value,
                which=self.which[name],
                mean=self.mean[name],
                scores={gold: card[name] for gold, card in self.golds.items()},
            )
            for name, score in self.items()
        ]
        return Description(columns, rows, below=next(iter(self.golds.values())).description().below)

    def records(self) -> list[dict[str, Any]]:
        """A row per metric and gold, in full precision."""
        columns = [Column(name) for name in ("metric", "gold", "best")]
        columns += score_columns(programs=("value", "precision", "recall", "f", "std", "signature"))
        rows = [
            SimpleNamespace(metric=name, gold=gold, best=gold == self.which[name], score=card[name])
            for name in self
            for gold, card in self.golds.items()
        ]
        return Description(columns, rows).records()


def card_of(table: Table, request: Request, average: str, sliced: bool = False) -> Scorecard:
    """The scores of a table; where it is ``sliced``, a metric that scores each slice by itself adds them up."""
    metrics, slices = request.on(table), None
    if sliced and any(metric.sliced_apart for metric in metrics):
        from clusterscore.analyses.slices import apart

        slices = apart(table)
    return Scorecard(
        [Summary(metric, slices if slices and metric.sliced_apart else table) for metric in metrics], table, average
    )


def baseline_cards(table: Table, request: Request, average: str) -> Iterator[tuple[str, Scorecard]]:
    """The scores of trivial and random clusterings in the place of the prediction, one after the other."""
    from clusterscore.baselines import baseline_pairs  # with NumPy's random numbers

    table = table.whole or table  # background is left out of each baseline anew
    # a table alone has counts, and no order in which elements could be cut
    pair = expand(table) if table.members is None else table.members.pair
    request = request.resolved(table)
    # what looks at the words of mentions sees no difference, and baselines have no turns
    others = [metric for metric in request.metrics if not metric.of_mentions and not metric.of_turns]
    if not others:
        raise MetricError(f"{request.metrics[0]} has no baselines, which are labels of single {noun('elements')}")
    request = request._replace(metrics=others)
    ordered = table.members is not None and table.mentions is None  # mentions stand entity by entity
    for name, baseline in baseline_pairs(pair, ordered=ordered, segments=request.ordered):
        yield name, card_of(count(baseline, members=request.ordered), request, average)
