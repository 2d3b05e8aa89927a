"""``cs.coref``: a coreference response against a key, from files, with the reference scorer's counts.

Where the bookkeeping of the CorefUD scorer decides a score, a warning has the value without it.
"""

from __future__ import annotations

import math
import os
import warnings
from collections.abc import Iterator, Mapping
from copy import copy
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from clusterscore.aggregate import Average
from clusterscore.analyses.request import Metrics, Request
from clusterscore.analyses.score.scorecard import ByDocument, Scorecard
from clusterscore.analyses.score.scoring import card_of, score
from clusterscore.count.directions import directions_of
from clusterscore.count.sums import Floats, divide
from clusterscore.exceptions import ClusterscoreWarning, FileError, InputError, a_type, one_of
from clusterscore.fields import current
from clusterscore.metrics.alignment import best_alignment
from clusterscore.metrics.score_type import Score
from clusterscore.nouns import in_use
from clusterscore.read.clustering import Clustering
from clusterscore.read.coreference import PairedCoreference
from clusterscore.read.file import OFFSETS, File
from clusterscore.show.description import Description
from clusterscore.show.result import Result

Path = str | os.PathLike[str]
_SAME = 1e-12  # scores that differ by less are the same


def coref(
    key: Path | Clustering,
    response: Path | Clustering,
    *,
    metrics: Metrics = None,
    average: Average = "micro",
    format: str | None = None,
    match: str | None = None,
    singletons: str | None = None,
    zeros: str | None = None,
    cross_document: bool = False,
    offsets: str = "tokens",
    strict: bool = False,
    field: Any = None,
) -> Scorecard:
    """Score a coreference response against a key: :func:`score` in the field ``"coreference"``.

    Counts are those of the reference scorer: summed over documents, divided once, 0/0 = 0. Documents are matched by
    name. Mentions that only one side has stay in that side's counts.

    Options:
        key: the file with gold.
        response: the file with the prediction.
        metrics: by name. The default is the CoNLL score, MUC, B3, CEAFe, CEAFm, BLANC, LEA and mention detection.
        format: the format of both files, if it is not recognized.
        match: when two mentions count as the same: ``"exact"`` (default), and in CorefUD ``"head"`` or ``"partial"``.
        singletons: ``"drop"`` leaves out entities with a single mention, on each side; the default is ``"keep"``.
        zeros: in CorefUD, empty nodes are matched by their place (``"linear"``, the default) or by what they depend on
            (``"dependent"``).
        cross_document: whether an id is the same entity in all documents.
        offsets: ``"tokens"``, or ``"characters"`` for jsonlines with character offsets.
        strict: treat problems in the files as errors; otherwise you are warned of them, and ``card.warnings`` lists
            them.
        field: another field of coreference, such as ``"crac"``.

    Returns:
        The scores by metric.

    You can pass the files, or ``card.table``, to :func:`errors`, :func:`clusters`, :func:`elements` and :func:`report`
    instead of gold and prediction. Every mention then has its text and context.

    >>> import clusterscore as cs
    >>> card = cs.coref("examples/key.conll", "examples/response.conll")
    >>> round(card["conll"].value, 4), round(card["muc"].recall, 4)
    (0.7777, 0.8)
    """
    one_of("offsets", offsets, OFFSETS)
    sides = [_mentions(side, format, offsets) for side in (key, response)]
    options: dict[str, Any] = {"match": match, "singletons": singletons, "zeros": zeros}
    options["cross_document"] = cross_document or None
    with warnings.catch_warnings():
        if strict:
            warnings.simplefilter("error", ClusterscoreWarning)
        try:
            card: Scorecard = score(
                *sides, metrics=metrics, average=average, field=field or current() or "coreference", **options
            )
        except ClusterscoreWarning as problem:
            raise InputError(problem) from None
    card.warnings = list(card.doubts)
    return card


def _mentions(side: Any, form: str | None, offsets: str) -> File | Clustering:
    if isinstance(side, Clustering):
        return side
    if not isinstance(side, str | os.PathLike):
        raise FileError(
            f"cs.coref takes the paths of a key and a response, not {a_type(side)}; cs.conll takes clusterings"
        )
    return File(side, format=form, offsets=offsets)


def card_as_matched(card: Scorecard, request: Request) -> Scorecard | None:
    """The same scores if a mention is found where it was matched, and only there; None if that is so anyway."""
    table = card.table
    assert table.members is not None
    assert table.mentions is not None
    official, matched = table.mentions.alignment, table.mentions.one_to_one
    if (
        official is None
        or matched is None
        or (official.agrees(matched) and np.array_equal(official.counterpart, matched.counterpart))
    ):
        return None
    other = copy(table)
    other.members = table.members._replace(mentions=table.mentions.as_matched())
    other.directions, other._memo = directions_of(other, matched), {}
    return card_of(other, request, card.average)


def one_to_one_warnings(card: Scorecard, request: Request) -> Iterator[str]:
    """A warning for each score that would be another if mentions were found where they were matched."""
    scale = in_use.get().scale  # that of the table, with enough decimals to compare
    digits = 4 if scale == 100 else 6
    for name, matched in (card_as_matched(card, request) or {}).items():
        parts = ("value", "precision", "recall")
        both = [(getattr(card[name], part) or 0.0, getattr(matched, part) or 0.0) for part in parts]
        differ = next((pair for pair in both if abs(pair[0] - pair[1]) > _SAME), None)
        if differ is not None:
            why = "an empty node of the same number goes before the one that was matched"
            if name != "zero":
                why = "one list for both files says what a number stands for, and some numbers stand for two nodes"
            official, other = (f"{scale * value:.{digits}f}" for value in differ)
            yield (
                f"{name} is {official} as in the CorefUD scorer, and {other} if each mention is found "
                f"where it was matched: {why}"
            )


class PrintedScore(NamedTuple):
    """What is printed of a metric: precision, recall and F of all documents together, and the F of each."""

    precision: float | None
    recall: float | None
    f: float
    by_document: list[float]


class Truncated(Result):
    """The scores of a card with the digits of the reference scorer, document by document if that is asked for.

    These are its floating point sums, in its order, cut off after two decimals. It adds up B3 mention by mention of the
    response and CEAFe entity by entity of the key, computes F as 2*P*R/(P+R), and prints int(10000*x)/100. Where the
    exact value has two decimals, such as 0.992, that may come out one lower. It goes through documents in an order of
    its own that changes from run to run; here it is that of the key.
    """

    in_unit = True

    def __init__(self, card: Scorecard, paired: PairedCoreference, by_document: bool = False):
        self._card, self.use = card, card.use
        self._whole = ByDocument(card) if by_document else card
        self._printed = as_reference(card, paired)

    def description(self) -> Description:
        """The rows of the card, their numbers cut off after two decimals."""
        table = self._whole.description()
        if self._whole is self._card:
            for row in table.rows:
                row.score = _shown(self._printed.get(row.metric), row.score)
            return table
        number = len(self._card.documents["document"])
        columns = {name: [*printed.by_document, printed.f] for name, printed in self._printed.items()}
        for k, row in enumerate(table.rows):
            printed = {name: column[k] for name, column in columns.items()} if k <= number else {}
            row.scores = {name: _cut(score) for name, score in {**row.scores, **printed}.items()}
        return table

    def records(self) -> list[dict[str, Any]]:
        """In full precision."""
        return self._whole.records()

    def to_dict(self) -> dict[str, Any]:
        """In full precision."""
        return self._whole.to_dict()


def _cut(value: Score | float | None) -> float | None:
    """A fraction whose percentage has two decimals, the others cut off."""
    return None if value is None else math.floor(10000 * float(value)) / 10000


def _shown(printed: PrintedScore | None, score: Score) -> Any:
    """What people see of a score."""
    numbers = (score.precision, score.recall, score.value) if printed is None else printed[:3]
    precision, recall, value = map(_cut, numbers)
    return SimpleNamespace(precision=precision, recall=recall, value=value, std=None, signature=score.signature)


def as_reference(card: Scorecard, paired: PairedCoreference) -> dict[str, PrintedScore]:
    """The scores as the reference scorer computes them, for the metrics that it has."""
    rows, sums = card.documents, _sums(paired)
    place = {name: k for k, name in enumerate(paired.documents)}
    places = [place.get(name, 0) for name in rows["document"].tolist()]  # without documents there is one row
    printed = {}
    for name, pooled in card.micro.items():
        # a row per document, and all of them together in the last
        counts = {part: np.append(rows[f"{name}.{part}"], total) for part, total in pooled.extras.items()}
        for part, column in sums.get(name, {}).items():
            counts[part] = np.append(column[places], np.add.accumulate(column)[-1])
        columns = _blanc(counts) if name == "blanc(links=document)" else _prf(counts)
        if columns is not None:
            precision, recall, f = (column.tolist() for column in columns)
            printed[name] = PrintedScore(precision[-1], recall[-1], f[-1], f[:-1])
    return printed


def _prf(counts: Mapping[str, Floats]) -> tuple[Floats, Floats, Floats] | None:
    if "recall_numerator" not in counts:
        return None
    recall = divide(counts["recall_numerator"], counts["recall_denominator"], 0.0)
    precision = divide(counts["precision_numerator"], counts["precision_denominator"], 0.0)
    return precision, recall, _f(precision, recall)


def _blanc(counts: Mapping[str, Floats]) -> list[Floats]:
    sides = []
    for kind in ("linked", "unlinked"):
        right, key, response = (counts[f"{kind}_{part}"] for part in ("right", "gold", "pred"))
        precision, recall = divide(right, response, 0.0), divide(right, key, 0.0)
        sides.append((precision, recall, _f(precision, recall)))
    no_links, no_others = counts["linked_gold"] == 0, counts["unlinked_gold"] == 0
    return [
        np.where(no_links, other, np.where(no_others, link, (link + other) / 2))
        for link, other in zip(*sides, strict=True)
    ]


def _f(precision: Floats, recall: Floats) -> Floats:
    return divide(2 * precision * recall, precision + recall, 0.0)


def _sums(paired: PairedCoreference) -> dict[str, dict[str, Floats]]:
    """The numerators that are sums of fractions, for each document, added in the order of the reference scorer."""
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
    terms = 1 - (1 - alike[chosen])  # it minimizes 1 - x
    aligned: Floats = np.bincount(home[entity[chosen]], terms, count).astype(float)
    recall: Floats = np.bincount(document, n / a[ours], count).astype(float)
    precision: Floats = np.bincount(document, n / b[theirs], count).astype(float)
    return {
        "b3": {"recall_numerator": recall, "precision_numerator": precision},
        "ceafe": {"recall_numerator": aligned, "precision_numerator": aligned},
    }
