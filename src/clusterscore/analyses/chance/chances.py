"""A prediction compared with chance."""

from __future__ import annotations

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any, Unpack

from clusterscore.aggregate import AVERAGES, Average, Facts
from clusterscore.align.policies import CountOptions
from clusterscore.analyses.chance.shuffles import Chance, ChanceOptions, chance_of
from clusterscore.analyses.request import Metrics, Request, options_checked
from clusterscore.count.counting import as_table
from clusterscore.count.table import Table
from clusterscore.exceptions import InputError, MetricError, integer, one_of
from clusterscore.messages import Wording
from clusterscore.metrics.metric import Metric
from clusterscore.nouns import noun
from clusterscore.show.description import Column, Description, metric_column
from clusterscore.show.result import ByMetric, Result, in_its_words, options_of
from clusterscore.version import __version__


class Chances(Result, ByMetric[Chance]):
    """Scores compared with chance, by metric name, in the order asked for.

    ``chances["elm"]`` has the ``score``, the ``expected`` one of a random prediction of the same cluster sizes and its
    ``std``, the ``most`` that can be had, the ``adjusted`` score, ``z`` and ``p``.

    >>> import clusterscore as cs
    >>> print(cs.chance([0, 0, 1, 1, 2, 2] * 3, [0, 0, 1, 2, 2, 2] * 3, metrics=["elm", "ari"]))
    18 elements; predicted labels shuffled 1,000 times
    <BLANKLINE>
    metric           score   expected      std   adjusted        z         p
    ------------------------------------------------------------------------
    elm             0.7363     0.3091   0.0588     0.6183   7.2681   < 0.001
    adjusted_rand   0.5984     0.0030   0.0828     0.5972   7.1928   < 0.001
    <BLANKLINE>
    elm|f:mean|beta:1
    avg:micro|missing:error|v:0.1.0|permutations:1000|seed:0
    """

    def __init__(
        self, chances: Mapping[str, Chance], metrics: Mapping[str, Metric], facts: Facts, options: ChanceOptions
    ):
        super().__init__(chances)
        self._metrics, self._facts, self._options = metrics, facts, options

    @property
    def signature(self) -> str:
        """What decides the numbers, apart from the options of the metrics."""
        options = self._options
        policy = f"avg:{options.average}|{self._facts.policy.signature}|v:{__version__}"
        return f"{policy}|permutations:{options.resamples}|seed:{options.seed}"

    def description(self) -> Description:
        """A row per metric."""
        hidden = ("most", "signature")
        numbers = ("expected", "std", "most", "adjusted", "z", "p", "signature")
        columns = [
            metric_column(),
            Column("value", "chance.score.value", heading="score"),
            *(Column(name, f"chance.{name}", heading=None if name in hidden else "") for name in numbers),
            Column("options", programs=False),
        ]
        rows = [
            SimpleNamespace(metric=name, chance=chance, options=options_of(self._metrics[name]))
            for name, chance in self.items()
        ]
        options = [metric.short_signature for metric in self._metrics.values()]
        return Description(columns, rows, self.summary(), [self.signature], options)

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values."""
        scores = {row.pop("metric"): row for row in self.records()}
        return {
            "scores": {name: {**self[name].score.to_dict(), **row} for name, row in scores.items()},
            "elements": self._facts.total,
            "documents": self._facts.documents,
            "permutations": self._options.resamples,
            "seed": self._options.seed,
            "version": __version__,
        }

    @in_its_words
    def summary(self) -> str:
        """What was shuffled, and how many times."""
        return f"{self._facts.in_words(self._facts.total)}; predicted labels shuffled {self._options.resamples:,} times"


_MOST = 2**31  # elements whose labels are shuffled one by one


@options_checked
def chance(
    gold: Any,
    pred: Any = None,
    *,
    metrics: Metrics = None,
    resamples: int = 1000,
    seed: int = 0,
    average: Average = "micro",
    **options: Unpack[CountOptions],
) -> Chances:
    """What chance would score, by permutation, for any metric.

    The predicted labels are shuffled within every document, which keeps the cluster sizes. For each metric, the result
    has the score, the mean and the standard deviation over the shuffles, the score adjusted for chance (score -
    expected) / (most - expected), where ``most`` is the score of gold against itself, z, and the one-sided p-value.
    With ``missing="keep"``, labels are shuffled among all predicted elements of a document.

    For a few measures the expectation is known in closed form, without shuffling: ``elm``, ``bcubed``, ``pairwise``,
    ``rand`` and ``fowlkes_mallows`` with ``adjusted=True``; ``adjusted_rand`` and ``ami`` are always adjusted.

    Options:
        resamples: the number of shuffles.

    Returns:
        For each metric, the score and what chance would score.

    >>> import clusterscore as cs
    >>> found = cs.chance([0, 0, 1, 1, 2, 2], [0, 0, 1, 1, 1, 2], metrics="purity")["purity"]
    >>> round(found.score.value, 4), round(found.expected, 4), round(found.adjusted, 4)
    (0.8333, 0.6307, 0.5487)
    """
    one_of("average", average, AVERAGES)
    shuffling = ChanceOptions(average, integer("resamples", resamples, 2), integer("seed", seed))
    counted = isinstance(gold, Table) or isinstance(pred, Table)
    request = Request.of(metrics, counted=counted, **options)
    table = as_table(gold, pred, members="weights" in request.options, **request.options)
    if counted:
        _refuse_to_shuffle(table)
    # segmentations, words, turns and objects that lack pixels cannot be shuffled: of the default set all others are
    fixed = [
        metric
        for metric in request.on(table)
        if request.default
        and (metric.ordered or metric.of_mentions or metric.of_turns or (metric.of_objects and table.whole is not None))
    ]
    chosen = {str(metric): metric for metric in request.on(table) if metric not in fixed}
    for metric in chosen.values():
        if metric.ordered:
            raise MetricError(
                f"{metric} scores segmentations, and shuffled labels are none; see what trivial ones get with ",
                Wording("cs.score(..., baselines=True)", "clusterscore score --baselines"),
            )
        if metric.of_mentions and table.mentions is not None:
            raise MetricError(
                f"{metric} scores the words of mentions, which stay where they are when labels are shuffled"
            )
        if metric.of_turns:
            raise MetricError(f"{metric} scores turns, and shuffled labels of {noun('elements')} are none")
        metric.check(table)
    return Chances(chance_of(list(chosen.values()), table, shuffling), chosen, Facts.of(table), shuffling)


def _refuse_to_shuffle(table: Table) -> None:
    if table.elements > _MOST:
        raise InputError(
            f"{table.elements:,} labels to shuffle do not fit into memory; elm, bcubed, pairwise, rand and "
            "fowlkes_mallows with adjusted=True need no shuffling"
        )
    if table.weight is not None:
        raise InputError(
            f"shuffling needs the weights of single {noun('elements')}, but a Table has those of cells only; pass "
            "gold, pred and weights"
        )
