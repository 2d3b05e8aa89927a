"""Coreference: a key and a response in the formats of that field, scored as the reference scorer does."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from clusterscore.aggregate import AVERAGES, Average
from clusterscore.analyses.request import Metrics, Request
from clusterscore.analyses.score.one_to_one import one_to_one_warnings
from clusterscore.analyses.score.scorecard import Scorecard
from clusterscore.analyses.score.scoring import card_of
from clusterscore.count.counting import as_table
from clusterscore.count.directions import directions_of
from clusterscore.exceptions import FileError, InputError, MetricError, one_of, warn_user
from clusterscore.metrics import COREFERENCE_SET
from clusterscore.nouns import plural
from clusterscore.progress import step

if TYPE_CHECKING:
    from clusterscore.read.coreference import CorefFile

Path = str | os.PathLike[str]


def coref(
    key: Path | CorefFile,
    response: Path | CorefFile,
    *,
    metrics: Metrics = None,
    average: Average = "micro",
    format: str | None = None,
    match: str = "exact",
    zeros: str = "linear",
    singletons: str = "keep",
    cross_document: bool = False,
    offsets: str = "tokens",
    strict: bool = False,
) -> Scorecard:
    """Score a coreference response against a key, from CoNLL, CorefUD (CoNLL-U) or jsonlines files.

    Counts are those of the reference scorer: summed over documents, divided once, 0/0 = 0. Documents are matched by
    name. Mentions that only one side has stay in that side's counts.

    Options:
        key: the file with gold.
        response: the file with the prediction.
        metrics: by name. The default is mention detection, MUC, B3, CEAFm, CEAFe, BLANC, LEA and the CoNLL score.
        format: the format of both files, if it is not recognized.
        match: when two mentions in CorefUD count as the same: ``"exact"``, ``"head"`` or ``"partial"``.
        zeros: how mentions in CorefUD whose head is an empty node are matched: by their place (``"linear"``), or first
            by what they depend on (``"dependent"``).
        singletons: ``"drop"`` leaves out entities with a single mention, on each side.
        cross_document: whether an id is the same entity in all documents.
        offsets: ``"tokens"``, or ``"characters"`` for jsonlines with character offsets.
        strict: treat problems in the files as errors; otherwise you are warned of them, and ``card.warnings`` lists
            them.

    Returns:
        The scores by metric.

    You can pass ``card.table`` to :func:`errors`, :func:`clusters`, :func:`elements` and :func:`report` instead of gold
    and prediction. Every mention then has its text and context.

    >>> import clusterscore as cs
    >>> card = cs.coref("examples/key.conll", "examples/response.conll")
    >>> round(card["conll"].value, 4), round(card["muc"].recall, 4)
    (0.7777, 0.8)
    """
    from clusterscore.read.coreference import CorefFile, pair_coreference
    from clusterscore.read.coreference.pairing import MATCHES, ZEROS
    from clusterscore.read.source import refuse_second_reading

    one_of("average", average, AVERAGES)
    one_of("match", match, MATCHES)
    one_of("zeros", zeros, ZEROS)
    one_of("singletons", singletons, ("keep", "drop"))
    request = Request.of(COREFERENCE_SET if metrics is None else metrics)
    refuse_second_reading([key, response])
    gold = key if isinstance(key, CorefFile) else read_side(key, format, offsets, key=True)
    pred = response if isinstance(response, CorefFile) else read_side(response, format, offsets, key=False)
    with step("scoring"):
        paired = pair_coreference(
            gold, pred, match=match, zeros=zeros, singletons=singletons, cross_document=cross_document
        )
        warnings = list(dict.fromkeys([*gold.warnings, *pred.warnings, *paired.warnings]))
        if strict and warnings:
            more = f" (and {len(warnings) - 1} more)" if len(warnings) > 1 else ""
            raise InputError(f"{warnings[0]}{more}")
        for warning in warnings:
            warn_user(warning)
        table = as_table(paired.gold, paired.pred, missing="keep", members=True)
        if table.members is not None:
            table.members = table.members._replace(mentions=paired.mentions)
            table.directions = directions_of(table, paired.mentions.alignment)
        same = [str(metric) for metric in request.metrics if not metric.one_sided]
        if same and any(table.uncovered):
            theirs, ours = table.uncovered
            raise MetricError(
                f"{same[0]} needs the same mentions on both sides, but {plural(ours, 'mention')} only in the key and "
                f"{theirs:,} only in the response; coreference has {', '.join(COREFERENCE_SET)}"
            )
        card = card_of(table, request, average)
        for warning in one_to_one_warnings(card, request):
            warnings.append(warning)
            warn_user(warning)
    card.warnings = warnings
    return card


def read_side(path: Path, form: str | None = None, offsets: str = "tokens", *, key: bool) -> CorefFile:
    """A key, read once for any number of responses, or a response."""
    from clusterscore.read.coreference import read_coreference

    if not isinstance(path, str | os.PathLike):
        kind: Any = type(path).__name__
        raise FileError(f"cs.coref takes the paths of a key and a response, not a {kind}; cs.conll takes clusterings")
    return read_coreference(path, form, offsets=offsets, key=key)
