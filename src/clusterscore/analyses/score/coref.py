"""``cs.coref``: a coreference response against a key, from files, with the reference scorer's counts."""

from __future__ import annotations

import os
import warnings
from typing import Any

from clusterscore.aggregate import Average
from clusterscore.analyses.request import Metrics
from clusterscore.analyses.score.scorecard import Scorecard
from clusterscore.analyses.score.scoring import score
from clusterscore.exceptions import ClusterscoreWarning, FileError, InputError, one_of
from clusterscore.fields import current
from clusterscore.read.clustering import Clustering
from clusterscore.read.file import OFFSETS, File

Path = str | os.PathLike[str]


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
