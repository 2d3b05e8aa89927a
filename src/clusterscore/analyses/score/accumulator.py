"""Scores of documents that come one after the other: a training loop, a stream, many workers."""

from __future__ import annotations

import json
from typing import Any

from clusterscore.aggregate import AVERAGES, Average, Facts, Running
from clusterscore.align.policies import DOCUMENTS, Background, Missing, NoiseAs, Policy
from clusterscore.analyses.request import Metrics, Request
from clusterscore.analyses.score.accumulator_json import (
    check_like,
    check_scores,
    dumped,
    facts_of,
    metric_names,
    parsed,
    with_numbered_sums,
)
from clusterscore.analyses.score.scorecard import Scorecard
from clusterscore.count.counting import as_table
from clusterscore.exceptions import InputError, InputTypeError, MetricError, a_type, listening, one_of
from clusterscore.messages import Option
from clusterscore.nouns import noun, plural
from clusterscore.read.clustering import Clustering

_CHECKED_LATER = ("noise", "facts", "metrics")  # fields of the JSON that say by themselves what must be in them


class Accumulator:
    """Adds up scores batch by batch, and gives the same numbers as one call on everything (to 1e-12: see "exactness").

    ``update(gold, pred)`` takes a batch of whole documents, ``merge(other)`` what another accumulator has added up (in
    another process, say), ``result()`` is the Scorecard so far. What it holds does not grow: a few numbers per metric.

    It travels as JSON (:meth:`to_json`, :meth:`from_json`) or as a pickle. Unpickle only what you wrote yourself:
    a pickle can run any program, whoever made it. JSON cannot.

    Options:
        average: as in :func:`clusterscore.score`. A measure that is no sum over documents, such as ``ami``, can only be
            averaged over them (``"macro"``).
        weights: ``"class"`` or ``"effective"``; numbers go to :meth:`update`.

    >>> import clusterscore as cs
    >>> seen = cs.Accumulator(["elm", "bcubed"])
    >>> for gold, pred in [([0, 0, 1], [0, 1, 1]), ([5, 5, 5], [7, 7, 7])]:
    ...     seen.update(gold, pred)
    >>> seen.result()["elm"].f
    0.5
    >>> cs.elm([0, 0, 1, 5, 5, 5], [0, 1, 1, 7, 7, 7], documents=[1, 1, 1, 2, 2, 2]).f
    0.5
    """

    def __init__(
        self,
        metrics: Metrics = None,
        *,
        average: Average = "micro",
        weights: str | None = None,
        missing: Missing = "error",
        noise: Any = None,
        noise_as: NoiseAs = "singleton",
        background: Background | None = None,
    ):
        one_of("average", average, AVERAGES)
        if weights is not None and not isinstance(weights, str):
            raise InputTypeError(
                'weights is "class" or "effective" here; numbers go to update(gold, pred, weights=...)'
            )
        self._policy = Policy.of(missing, noise, noise_as, background).read_with(DOCUMENTS, DOCUMENTS)
        self._average = average
        chosen = Request.of(metrics, weights=weights).metrics
        if metrics is None and missing == "keep":
            chosen = [metric for metric in chosen if metric.one_sided]
        unable = [str(metric) for metric in chosen if not metric.additive and average == "micro"]
        if unable:
            raise MetricError(
                f"{', '.join(unable)}: not a sum over {noun('documents')}; pass ",
                Option("average", "macro"),
                ", or score all of them in one call",
            )
        self._metrics = chosen
        self._running: list[Running] = []  # one for each metric, as soon as something was added
        self._facts: Facts | None = None
        self._doubts: dict[str, None] = {}

    def update(
        self, gold: Any, pred: Any = None, *, documents: Any = None, weights: Any = None, uem: Any = None
    ) -> None:
        """Add a batch: one document, or several whole ones that ``documents`` tells apart; or a Table of them.

        ``uem`` has the regions of turns that are evaluated. Nothing is added where the batch cannot be scored.
        """
        heard: list[str] = []
        if pred is None:
            table = as_table(gold)
        else:
            ordered = any(metric.ordered for metric in self._metrics)
            with listening() as heard:
                options: dict[str, Any] = {
                    "documents": documents,
                    "weights": weights,
                    "uem": uem,
                    **self._policy.options,
                }
                table = as_table(gold, pred, members=ordered, **options)
        facts = Facts.of(table)
        facts = facts._replace(policy=facts.policy.read_with(DOCUMENTS, DOCUMENTS))
        wanted = self._policy._replace(reading=facts.policy.reading) if self._facts is None else self._facts.policy
        if facts.policy != wanted:
            raise InputError(
                f"{'the Table was made' if pred is None else 'the batch was read'} with {facts.policy.signature}, and "
                f"this accumulator adds up {wanted.signature}; make both in the same way"
            )
        unweighed = [str(metric) for metric in self._metrics if not metric.wants_weights]
        if table.weight is not None and unweighed:
            raise MetricError(f"weights are given, but {unweighed[0]} does not use them; name it as elm(weights=given)")
        self._add([Running.of(metric, table, facts.policy) for metric in self._metrics], facts)
        self._doubts.update(dict.fromkeys(heard))

    def _add(self, running: list[Running], facts: Facts) -> None:
        if self._facts is None:
            self._running, self._facts = running, facts
            return
        self._running = [own.plus(other) for own, other in zip(self._running, running, strict=True)]
        self._facts = self._facts.plus(facts)

    def merge(self, other: Accumulator) -> None:
        """Add what another one has added up; it is left as it is."""
        if not isinstance(other, Accumulator):
            raise InputTypeError(f"merge takes another Accumulator, not {a_type(other)}")
        policies = self._policy, other._policy
        if self._facts is not None and other._facts is not None:
            policies = self._facts.policy, other._facts.policy
        mine, theirs = (
            [metric.sign(policy) for metric in acc._metrics]
            for acc, policy in zip((self, other), policies, strict=True)
        )
        if mine != theirs:
            raise InputError(f"the accumulators differ: {_first_difference(mine, theirs)}; make both in the same way")
        if other._facts is not None:
            self._add(other._running, other._facts)

    def result(self) -> Scorecard:
        """The scores of everything so far; more may be added after it."""
        if self._facts is None:
            raise InputError("nothing was added yet: there is nothing to score; call update(gold, pred) first")
        card = Scorecard(self._running, self._facts, self._average)
        card.doubts = list(self._doubts)
        return card

    def to_json(self) -> str:
        """What was added up, as JSON: for other processes and machines, and safe to read from anyone.

        :meth:`from_json` of the same version of clusterscore reads it, and goes on to the same scores, to the last bit.
        """
        policy = self._facts.policy if self._facts else self._policy
        return dumped(self._average, policy, self._facts, self._metrics, self._running)

    @classmethod
    def from_json(cls, text: str | bytes) -> Accumulator:
        """An accumulator as :meth:`to_json` wrote it; anything else is an error.

        >>> import clusterscore as cs
        >>> seen = cs.Accumulator("elm")
        >>> seen.update([0, 0, 1], [0, 1, 1])
        >>> cs.Accumulator.from_json(seen.to_json())
        Accumulator(1 metric, 1 document, 3 elements)
        """
        given = parsed(text)
        names = metric_names(given)
        check_like(given, {**json.loads(cls("elm").to_json()), **{name: given.get(name) for name in _CHECKED_LATER}})
        options = {name: given[name] for name in ("average", "missing", "noise_as", "background")}
        made, example = (cls(names, noise=given["noise"] or None, **options) for _ in range(2))
        made._policy = made._policy._replace(reading=tuple(given["reading"]))
        if given["facts"] is not None:
            weights = [1.0] * 3 if any(metric.wants_weights for metric in made._metrics) else None
            sides = ([("a",), ("a",), ("b",)], [("a",), ("b",), ("b",)])  # which no noise equals
            clusterings = map(Clustering.from_labels, sides)
            if any(metric.of_turns for metric in made._metrics):
                clusterings = map(Clustering.from_turns, ([(0, 1, "a")], [(0, 2, "a")]))
            example.update(*clusterings, weights=weights)
        check_like(given, with_numbered_sums(json.loads(example.to_json()), given))
        if given["facts"] is None:
            return made
        made._facts = facts_of(given["facts"], made._policy)
        states = zip(made._metrics, given["metrics"], strict=True)
        made._running = [Running.restored(metric, state, made._facts.policy) for metric, state in states]
        check_scores(made.result)
        return made

    def __repr__(self) -> str:
        documents, elements = (0, 0) if self._facts is None else (self._facts.documents, self._facts.total)
        counts = plural(len(self._metrics), "metric"), plural(documents, "document"), plural(elements, "element")
        return f"Accumulator({', '.join(counts)})"


def _first_difference(mine: list[str], theirs: list[str]) -> str:
    if len(mine) != len(theirs):
        return f"{plural(len(mine), 'metric')} and {len(theirs)}"
    return next(f"{own} and {other}" for own, other in zip(mine, theirs, strict=True) if own != other)
