"""Key and response on the same mentions, as two clusterings that every metric can score.

A mention of the response that the key has too is the same element; all others are on one side only, which
``missing="keep"`` counts. The documents are those of the key.

A partition holds an element once. Where a mention is there several times, what the reference scorer does is kept as far
as a partition allows: of a response mention that is in the key, only the one in the entity that appears first
stays; one that is not in the key counts as often as it is there; in the key only the first can be found by the
response, the others are mentions that nobody finds.

Two CorefUD files are paired as the CorefUD scorer does. Where that is no partition, an :class:`Alignment` says what is
found where.
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

import numpy as np

from clusterscore.distinct import Ints
from clusterscore.exceptions import ElementMismatch, InputError, one_of
from clusterscore.messages import Option
from clusterscore.nouns import plural
from clusterscore.read.clustering import Clustering
from clusterscore.read.coreference.coref_file import CorefFile, paired_name
from clusterscore.read.coreference.matching import Alignment, match_mentions, official_alignment, value_at
from clusterscore.read.coreference.mention_list import MentionList
from clusterscore.read.coreference.mentions import Mentions

MATCHES = ("exact", "head", "partial")
ZEROS = ("linear", "dependent")


class PairedCoreference(NamedTuple):
    """Key and response: ``Table.from_labels(gold, pred, missing="keep")`` counts them.

    ``documents`` names all documents of the key, those without a mention too. Element ids are numbers, the same on both
    sides for the same mention. ``repeated`` says for each document how many elements of gold and of pred are a mention
    that is there already: the reference scorer counts those in entities, but not among the mentions. ``mentions`` has
    the words of the elements, and their alignment.
    """

    gold: Clustering
    pred: Clustering
    warnings: list[str]
    documents: list[str]
    repeated: tuple[Ints, Ints]
    mentions: Mentions


def pair_coreference(
    key: CorefFile,
    response: CorefFile,
    *,
    match: str = "exact",
    zeros: str = "linear",
    singletons: str = "keep",
    cross_document: bool = False,
) -> PairedCoreference:
    """Bring the mentions of two files together.

    ``match`` says when a mention of the response is one of the key: if it has the same words (``"exact"``), the same
    head (``"head"``), or words of it with its head among them (``"partial"``). With ``zeros="dependent"`` mentions
    whose head is an empty node are first matched by what they depend on. ``singletons="drop"`` leaves out entities of
    one mention, on each side. With ``cross_document`` an entity id means the same entity in all documents.
    """
    one_of("match", match, MATCHES)
    one_of("zeros", zeros, ZEROS)
    one_of("singletons", singletons, ("keep", "drop"))
    corefud = key.form == response.form == "corefud"
    _refuse(key, response, match, zeros)
    numbers, warnings = _same_documents(key, response)
    if not cross_document:
        warnings += _ids_in_several(key) + _ids_in_several(response)
    for file, matches in ((key, ("head", "partial")), (response, ("head",))):
        if corefud and not file.has_heads and (match in matches or zeros == "dependent"):
            warnings.append(
                f"{file.called}: # global.Entity names no head; the first word of each mention is taken for it, as in "
                "the CorefUD scorer"
            )
    drop, by_head = singletons == "drop", match == "head"
    gold = MentionList(key, range(len(key.documents)), cross_document, drop, corefud=corefud, by_head=by_head)
    pred = MentionList(response, numbers, cross_document, drop, corefud=corefud, by_head=by_head)
    matching = match_mentions(gold, pred, match, zeros)
    gold_again, pred_again = (np.flatnonzero(side.original != np.arange(len(side))) for side in (gold, pred))
    partners, lost, extra = matching.of_response, pred_again[:0], pred_again
    official = one_to_one = None
    if corefud:
        official = official_alignment(gold, pred, matching)
        one_to_one = Alignment(matching.of_key, matching.of_response, matching.of_key)
        partners = np.where(pred.latest == np.arange(len(pred)), value_at(gold.latest, partners), -1)
        for side, again in ((gold, gold_again), (pred, pred_again)):
            warnings += side.twice + side.warning(
                again, " in several entities", "each counts, and the last is found, as in the CorefUD scorer"
            )
        if matching.undecided:
            warnings.append(
                f"{response.called}: {plural(matching.undecided, 'document')} with several best matches of mentions, "
                "and too many mentions to tell which of them the CorefUD scorer takes; one is taken"
            )
    else:
        lost, extra = pred_again[partners[pred_again] >= 0], pred_again[partners[pred_again] < 0]
        warnings += gold.warning(gold_again, "", "the first can be found by the response, the others count as missed")
        warnings += pred.warning(
            lost, " of the key", "the first stays, the others are left out, as in the reference scorer"
        )
        warnings += pred.warning(extra, " that the key does not have", "each counts, as in the reference scorer")
    ids = np.where(partners >= 0, partners, len(gold) + np.arange(len(pred)))
    names = list(key.documents)
    documents = None if cross_document else names
    chosen = {"match": match, "zeros": zeros, "singletons": singletons, "cross_document": str(cross_document).lower()}
    options = {name: value for name, value in chosen.items() if value not in ("exact", "linear", "keep", "false")}
    return PairedCoreference(
        gold.clustering(np.arange(len(gold)), np.arange(len(gold)), documents, options),
        pred.clustering(np.delete(np.arange(len(pred)), lost), ids, documents, options),
        warnings,
        names,
        (
            np.bincount(np.array(gold.documents, np.int64)[gold_again], minlength=len(names)),
            np.bincount(np.array(pred.documents, np.int64)[extra], minlength=len(names)),
        ),
        Mentions(gold.side(), pred.side(), names, key.offsets, official, one_to_one),
    )


def _refuse(key: CorefFile, response: CorefFile, match: str, zeros: str) -> None:
    """Raise where an option asks for what a format does not have."""
    for file in (key, response):
        if file.form == "corefud":
            continue
        if zeros != "linear":
            raise InputError(
                Option("zeros", zeros),
                f" is for CorefUD, which has empty nodes and their dependencies; {file.called} is {file.form}",
            )
        if match == "head" or (match == "partial" and file is key):
            raise InputError(
                Option("match", match),
                f" needs the heads of mentions, and {file.called} ({file.form}) has none; use ",
                Option("match", "exact"),
            )


def _ids_in_several(file: CorefFile) -> list[str]:
    """A warning if ids that are meant for all of a file are in several of its documents."""
    if not file.shared_ids:
        return []
    counts = Counter(entity for document in file.documents.values() for entity in document.entities)
    several = [name for name, count in counts.items() if count > 1]
    if not several:
        return []
    return [
        f"{file.called}: {plural(len(several), 'entity id')} in several documents (e.g. {several[0]!r} in "
        f"{counts[several[0]]:,}); an entity of each document, unless entities go across documents"
    ]


def _same_documents(key: CorefFile, response: CorefFile) -> tuple[list[int], list[str]]:
    """For each document of the response the number of the one of the key, or -1; and warnings about them."""
    if key.offsets != response.offsets:
        raise InputError(
            f"mentions count {key.offsets} in {key.called} and {response.offsets} in {response.called}, so none would "
            "match; pass both in the same way"
        )
    names = list(key.documents)
    index = {paired_name(name): k for k, name in enumerate(names)}
    numbers = [index.get(paired_name(name), -1) for name in response.documents]
    extra = [name for name, number in zip(response.documents, numbers, strict=True) if number < 0]
    if len(extra) == len(numbers):
        raise ElementMismatch(
            f"{key.called} and {response.called} have no document in common (e.g. {names[0]!r} and {extra[0]!r}); name "
            "them alike: (a); part 000 in CoNLL is a_0 in other formats"
        )
    warnings = []
    absent = sorted({*range(len(names))}.difference(numbers))
    if absent:
        warnings.append(
            f"{response.called}: {plural(len(absent), 'document')} of the {len(names):,} in {key.called} missing (e.g. "
            f"{names[absent[0]]!r}); scored as empty"
        )
    if extra:
        warnings.append(
            f"{response.called}: {plural(len(extra), 'document')} of its {len(numbers):,} not in {key.called} (e.g. "
            f"{extra[0]!r}); ignored, as in the reference scorer"
        )
    return numbers, warnings + _different_tokens(key, response, numbers)


def _different_tokens(key: CorefFile, response: CorefFile, numbers: list[int]) -> list[str]:
    documents = list(key.documents.values())
    unit = key.offsets[:-1]
    lengths: list[tuple[str, str]] = []  # documents that differ in it, each with an example
    words: list[tuple[str, str]] = []
    for number, theirs in zip(numbers, response.documents.values(), strict=True):
        ours = documents[number]
        if number < 0 or ours.tokens < 0 or theirs.tokens < 0:
            continue
        if ours.tokens != theirs.tokens:
            lengths.append((ours.name, f"{plural(theirs.tokens, unit)}, not {ours.tokens:,}"))
        elif example := ours.text.difference(theirs.text, unit):
            words.append((ours.name, example))
    if not lengths and not words:
        return []
    name, example = (lengths or words)[0]
    return [
        f"{response.called}: the {unit}s of {plural(len(lengths) + len(words), 'document')} differ from those of "
        f"{key.called} (e.g. {example}, in document {name!r}); mentions go by the number of the {unit}, so they may "
        "not mean the same"
    ]
