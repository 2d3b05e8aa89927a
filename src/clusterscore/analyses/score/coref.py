"""``cs.coref``: a coreference response against a key, from files, with the reference scorer's counts.

Where the bookkeeping of the CorefUD scorer decides a score, a warning has the value without it.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator
from copy import copy
from typing import Any

import numpy as np

from clusterscore.aggregate import Average
from clusterscore.analyses.request import Metrics, Request
from clusterscore.analyses.score.scorecard import Scorecard
from clusterscore.analyses.score.scoring import card_of, score
from clusterscore.count.directions import directions_of
from clusterscore.exceptions import ClusterscoreWarning, FileError, InputError, one_of
from clusterscore.fields import current
from clusterscore.read.clustering import Clustering
from clusterscore.read.file import OFFSETS, File
from clusterscore.show.description import scale_of

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
        kind = type(side).__name__
        raise FileError(f"cs.coref takes the paths of a key and a response, not a {kind}; cs.conll takes clusterings")
    return File(side, format=form, offsets=offsets)


def card_as_matched(card: Scorecard, request: Request) -> Scorecard | None:
    """The same scores if a mention is found where it was matched, and only there; None if that is so anyway."""
    table = card.table
    if table.members is None or table.members.mentions is None:
        return None
    official, matched = table.members.mentions.alignment, table.members.mentions.one_to_one
    if (
        official is None
        or matched is None
        or (official.agrees(matched) and np.array_equal(official.counterpart, matched.counterpart))
    ):
        return None
    other = copy(table)
    other.members = table.members._replace(mentions=table.members.mentions.as_matched())
    other.directions, other._memo = directions_of(other, matched), {}
    return card_of(other, request, card.average)


def one_to_one_warnings(card: Scorecard, request: Request) -> Iterator[str]:
    """A warning for each score that would be another if mentions were found where they were matched."""
    scale = scale_of(current())  # that of the table, with enough decimals to compare
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
