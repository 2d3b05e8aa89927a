"""GoldScores: a prediction against several golds that are all valid."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from types import SimpleNamespace
from typing import Any

from clusterscore.analyses.score.scorecard import Scorecard
from clusterscore.metrics.registry import metric
from clusterscore.metrics.score_type import Score
from clusterscore.show.description import TEXT, Column, Description, metric_column, score_columns
from clusterscore.show.result import ByMetric, Result
from clusterscore.version import __version__


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
            *(Column(gold, partial(_of_gold, gold), heading=gold) for gold in self.golds),
        ]
        rows = [
            SimpleNamespace(
                metric=name,
                best=score.value,
                which=self.which[name],
                mean=self.mean[name],
                golds={gold: card[name].value for gold, card in self.golds.items()},
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


def _of_gold(gold: str, row: Any) -> float:
    return float(row.golds[gold])
