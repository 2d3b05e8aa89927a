"""The digits that the reference scorer prints: its floating point sums, in its order, cut off after two decimals.

It adds up B3 mention by mention of the response and CEAFe entity by entity of the key, computes F as 2*P*R/(P+R), and
prints int(10000*x)/100. Where the exact value has two decimals, such as 0.992, that may come out one lower. It goes
through documents in an order of its own that changes from run to run; here it is that of the key.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from clusterscore.count.sums import Floats, divide
from clusterscore.distinct import Ints
from clusterscore.metrics.alignment import best_alignment
from clusterscore.read.coreference import PairedCoreference
from clusterscore.show import Scorecard


def truncated(value: float | None) -> float | None:
    """A percentage with two decimals, the others cut off."""
    return None if value is None else math.floor(10000 * value) / 100


class PRF(NamedTuple):
    """Precision, recall and F: numbers, or columns with a row per document."""

    precision: Any
    recall: Any
    f: Any


class ReferenceScores:
    """Scores as the reference scorer computes them, where it has the metric."""

    def __init__(self, card: Scorecard, paired: PairedCoreference):
        self._card = card
        self._rows = card.documents
        self._sums = _sums(paired)
        place = {name: k for k, name in enumerate(paired.documents)}
        # without documents there is one row
        self._places = [place.get(name, 0) for name in self._rows["document"].tolist()]

    def total(self, name: str) -> PRF:
        """Of all documents together."""
        score = self._card.micro[name]
        counts = dict(score.extras)
        for part, column in self._sums.get(name, {}).items():
            counts[part] = float(np.add.accumulate(column)[-1])
        found = _prf(name, {part: np.array([count]) for part, count in counts.items()})
        if found is None:
            return PRF(score.precision, score.recall, score.value)
        return PRF(*(float(column[0]) for column in found))

    def by_document(self, name: str) -> list[float]:
        """The F of each document."""
        lead = f"{name}."
        counts = {part[len(lead) :]: self._rows[part] for part in self._rows if part.startswith(lead)}
        counts |= {part: column[self._places] for part, column in self._sums.get(name, {}).items()}
        found = _prf(name, counts)
        values: list[float] = (self._rows[name] if found is None else found.f).tolist()
        return values


def _prf(name: str, counts: Mapping[str, Floats]) -> PRF | None:
    if "recall_numerator" in counts:
        recall = divide(counts["recall_numerator"], counts["recall_denominator"], 0.0)
        precision = divide(counts["precision_numerator"], counts["precision_denominator"], 0.0)
        return PRF(precision, recall, _f(precision, recall))
    if name != "blanc(links=document)":
        return None
    sides = []
    for kind in ("linked", "unlinked"):
        right, key, response = (counts[f"{kind}_{part}"] for part in ("right", "gold", "pred"))
        precision, recall = divide(right, response, 0.0), divide(right, key, 0.0)
        sides.append((precision, recall, _f(precision, recall)))
    no_links, no_others = counts["linked_gold"] == 0, counts["unlinked_gold"] == 0
    return PRF(
        *(
            np.where(no_links, other, np.where(no_others, link, (link + other) / 2))
            for link, other in zip(*sides, strict=True)
        )
    )


def _f(precision: Floats, recall: Floats) -> Floats:
    return divide(2 * precision * recall, precision + recall, 0.0)


def _sums(paired: PairedCoreference) -> dict[str, dict[str, Floats]]:
    """The numerators that are sums of fractions, for each document."""
    gold, pred = (np.asarray(side.labels.codes, np.int64) for side in (paired.gold, paired.pred))
    documents = [
        np.zeros(len(side.labels.codes), np.int64) if side.documents is None else np.asarray(side.documents.codes)
        for side in (paired.gold, paired.pred)
    ]
    count = max(1, len(paired.documents))
    both = np.flatnonzero(np.asarray(paired.pred.ids) < len(gold))  # ids of the key count its mentions
    ours, theirs = gold[np.asarray(paired.pred.ids)[both]], pred[both]
    a, b = np.bincount(gold, minlength=1), np.bincount(pred, minlength=1)
    cells, where, sizes = np.unique(ours * len(b) + theirs, return_inverse=True, return_counts=True)
    n, document = sizes[where], documents[1][both]
    entity, other = cells // len(b), cells % len(b)
    alike = 2 * sizes / (a[entity] + b[other])
    chosen = np.sort(best_alignment(entity, other, alike, (len(a), len(b))))  # by entity of the key
    home = np.zeros(len(a), np.int64)
    home[gold] = documents[0]
    aligned = _added(home[entity[chosen]], 1 - (1 - alike[chosen]), count)  # it minimises 1 - x
    return {
        "b3": {
            "recall_numerator": _added(document, n / a[ours], count),
            "precision_numerator": _added(document, n / b[theirs], count),
        },
        "ceafe": {"recall_numerator": aligned, "precision_numerator": aligned},
    }


def _added(document: Ints, terms: Floats, count: int) -> Floats:
    """The sum of each document, term by term in the given order."""
    sums: Floats = np.bincount(document, terms, count).astype(np.float64)
    return sums
