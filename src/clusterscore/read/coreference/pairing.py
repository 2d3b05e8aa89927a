"""Key and response on the same mentions, as two clusterings that every metric can score.

A mention of the response that the key has too is the same element; all others are on one side only, which
``missing="keep"`` counts. The documents are those of the key.

A partition holds an element once. Where a mention is there several times, what the reference scorer does is kept as far
as a partition allows: of a response mention that is in the key, only the one in the entity that appears first
stays; one that is not in the key counts as often as it is there; in the key only the first can be found by the
response, the others are mentions that nobody finds.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import compress
from typing import NamedTuple

import numpy as np

from clusterscore.distinct import Ints
from clusterscore.exceptions import ElementMismatch, InputError, one_of
from clusterscore.messages import Option
from clusterscore.nouns import plural
from clusterscore.read.clustering import Clustering
from clusterscore.read.coreference.coref_file import CorefFile, Mention, Span, describe, paired_name, words_of
from clusterscore.read.coreference.mentions import Mentions, MentionSide, WordsOf
from clusterscore.read.labels import Labels
from clusterscore.read.links import components

Overlaps = dict[tuple[int, int], float]  # a mention of the key and one of the response -> the share of words in both


class PairedCoreference(NamedTuple):
    """Key and response: ``Table.from_labels(gold, pred, missing="keep")`` counts them.

    ``documents`` names all documents of the key, those without a mention too. Element ids are numbers, the same on both
    sides for the same mention. ``repeated`` says for each document how many elements of gold and of pred are a mention
    that is there already: the reference scorer counts those in entities, but not among the mentions. ``mentions`` has
    the words of the elements.
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
    singletons: str = "keep",
    cross_document: bool = False,
) -> PairedCoreference:
    """Bring the mentions of two files together.

    ``match`` says when a mention of the response is one of the key: if it has the same words (``"exact"``), the same
    head (``"head"``), or words of it with its head among them (``"partial"``). ``singletons="drop"`` leaves out
    entities of one mention, on each side. With ``cross_document`` an entity id means the same entity in all documents.
    """
    one_of("match", match, ("exact", "head", "partial"))
    one_of("singletons", singletons, ("keep", "drop"))
    numbers, warnings = _same_documents(key, response)
    if not cross_document:
        warnings += _ids_in_several(key) + _ids_in_several(response)
    drop = singletons == "drop"
    gold = _MentionList(key, range(len(key.documents)), cross_document, drop)
    pred = _MentionList(response, numbers, cross_document, drop)
    partners = np.array(_partners(gold, pred, match), np.int64)
    gold_again, pred_again = (np.flatnonzero(side.original != np.arange(len(side))) for side in (gold, pred))
    lost, extra = pred_again[partners[pred_again] >= 0], pred_again[partners[pred_again] < 0]
    warnings += gold.warning(gold_again, "", "the first can be found by the response, the others count as missed")
    warnings += pred.warning(
        lost, " of the key", "the first stays, the others are left out, as in the reference scorer"
    )
    warnings += pred.warning(extra, " that the key does not have", "each counts, as in the reference scorer")
    ids = np.where(partners >= 0, partners, len(gold) + np.arange(len(pred)))
    names = list(key.documents)
    documents = None if cross_document else names
    chosen = {"match": match, "singletons": singletons, "cross_document": str(cross_document).lower()}
    options = {name: value for name, value in chosen.items() if value not in ("exact", "keep", "false")}
    return PairedCoreference(
        gold.clustering(np.arange(len(gold)), np.arange(len(gold)), documents, options),
        pred.clustering(np.delete(np.arange(len(pred)), lost), ids, documents, options),
        warnings,
        names,
        (
            np.bincount(np.array(gold.documents, np.int64)[gold_again], minlength=len(names)),
            np.bincount(np.array(pred.documents, np.int64)[extra], minlength=len(names)),
        ),
        Mentions(gold.side(), pred.side(), names, key.offsets),
    )


class _MentionList:
    """The mentions of one file that take part in a comparison, in its order.

    Two are the same if they have the same span in the same document, which goes by its number in the key.
    """

    def __init__(self, file: CorefFile, numbers: Sequence[int], cross_document: bool, drop_singletons: bool):
        """``numbers`` are those of the documents in the key, or -1."""
        self.file = file
        self.names: list[str] = []  # of the entities
        self._document_names = dict(zip(numbers, file.documents, strict=True))
        sizes: list[int] = []
        mentions: list[Mention] = []
        self.documents: list[int] = []
        for number, document in zip(numbers, file.documents.values(), strict=True):
            if number >= 0:
                self.names += document.entities
                sizes += map(len, document.entities.values())
                mentions += document.mentions
                self.documents += [number] * (len(mentions) - len(self.documents))
        self.entity = np.repeat(np.arange(len(sizes)), sizes)
        if cross_document:
            codes = {name: code for code, name in enumerate(dict.fromkeys(self.names))}
            self.entity = np.array([codes[name] for name in self.names], np.int64)[self.entity]
            self.names = list(codes)
        if drop_singletons:  # also where the only mention is written twice
            entities = self.entity.tolist()
            spans = (span for span, _, _ in mentions)
            counts = Counter(entity for entity, _, _ in {*zip(entities, self.documents, spans, strict=True)})
            kept = [counts[entity] > 1 for entity in entities]
            self.entity, mentions = self.entity[kept], list(compress(mentions, kept))
            self.documents = list(compress(self.documents, kept))
        self.spans, self.lines, self.heads = map(list, zip(*mentions, strict=True)) if mentions else ([], [], [])
        self.first: dict[int, dict[Span, int]] = defaultdict(dict)  # document -> span -> the first such mention
        self.original = np.array(
            [self.first[number].setdefault(span, k) for k, (number, span) in enumerate(self.places())], np.int64
        )

    def places(self) -> Iterator[tuple[int, Span]]:
        """The document and the span of each mention."""
        return zip(self.documents, self.spans, strict=True)

    def __len__(self) -> int:
        return len(self.spans)

    def side(self) -> MentionSide:
        """These mentions, and where their words are."""
        texts = {number: self.file.documents[name].text for number, name in self._document_names.items()}
        return MentionSide(self.documents, self.spans, WordsOf(texts))

    def warning(self, repeated: Ints, which: str, consequence: str) -> list[str]:
        """What to say about repeated mentions."""
        if not len(repeated):
            return []
        k = int(repeated[0])
        entity, first_entity = (self.names[self.entity[mention]] for mention in (k, self.original[k]))
        where = f"entities {first_entity!r} and {entity!r}" if entity != first_entity else f"entity {entity!r}"
        where += f", line {self.lines[k]}, document {self._document_names[self.documents[k]]!r}"
        return [
            f"{self.file.called}: {plural(len(repeated), 'repeated mention')}{which} (e.g. "
            f"{describe(self.spans[k], self.file.offsets[:-1])} in {where}); {consequence}"
        ]

    def clustering(self, kept: Ints, ids: Ints, documents: list[str] | None, options: dict[str, str]) -> Clustering:
        """Some of the mentions as a clustering, made with these options."""
        return Clustering(
            Labels(self.entity[kept], self.names),
            ids=ids[kept],
            documents=None if documents is None else Labels(np.array(self.documents, np.int64)[kept], documents),
            options={**self.file.options, **options},
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


def _partners(gold: _MentionList, pred: _MentionList, match: str) -> list[int]:
    """For each mention of the response the one of the key that it stands for, or -1.

    What has the same words (and, by head, the same head) belongs together. Of the rest a mention goes to one that it
    may go to, one to one, such that the overlaps are largest altogether: as in the scorer of the CorefUD shared tasks.
    """
    partners = [gold.first[number].get(span, -1) for number, span in pred.places()]
    if match == "exact":
        return partners
    for file in (gold.file, pred.file) if match == "head" else (gold.file,):
        if not file.has_heads:
            raise InputError(
                Option("match", match),
                f" needs the heads of mentions, and {file.called} ({file.form}) has none; use ",
                Option("match", "exact"),
            )
    if match == "head":
        for k, partner in enumerate(partners):
            if partner >= 0 and gold.heads[partner] != pred.heads[k]:
                partners[k] = -1
    originals = pred.original.tolist()  # a repeated mention goes where its first goes
    taken = {partners[k] for k in originals}
    ours = [k for some in gold.first.values() for k in some.values() if k not in taken]
    theirs = [k for some in pred.first.values() for k in some.values() if partners[k] < 0]
    for gold_mention, pred_mention in _best(gold, pred, _overlaps(gold, pred, ours, theirs, match)):
        partners[pred_mention] = gold_mention
    return [partners[k] for k in originals]


def _overlaps(gold: _MentionList, pred: _MentionList, ours: list[int], theirs: list[int], match: str) -> Overlaps:
    """Mentions that may be matched: with the same head, or with words of the key's mention and its head among them."""
    words = {k: frozenset(words_of(pred.spans[k])) for k in theirs}
    candidates: dict[tuple[int, int], list[int]] = defaultdict(list)
    for k in theirs:
        for word in (pred.heads[k],) if match == "head" else words[k]:
            candidates[pred.documents[k], word].append(k)
    overlaps: Overlaps = {}
    for gold_mention in ours:
        mine = frozenset(words_of(gold.spans[gold_mention]))
        for pred_mention in candidates.get((gold.documents[gold_mention], gold.heads[gold_mention]), ()):
            common = len(mine & words[pred_mention])
            if common and (match == "head" or common == len(words[pred_mention])):
                overlaps[gold_mention, pred_mention] = common / len(mine)
    return overlaps


def _best(gold: _MentionList, pred: _MentionList, overlaps: Overlaps) -> Iterator[tuple[int, int]]:
    """The pairs of the best assignment: each connected part of the graph on its own."""
    if not overlaps:
        return
    from scipy.optimize import linear_sum_assignment

    ours, theirs = np.array(list(overlaps)).T
    _, component = components(ours, len(gold) + theirs, len(gold) + len(pred))
    parts: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for pair in overlaps:
        parts[component[pair[0]]].append(pair)
    for pairs in parts.values():
        if len(pairs) == 1:
            yield pairs[0]
            continue
        # of equal ones the earlier in the document wins
        rows = sorted({gold_mention for gold_mention, _ in pairs}, key=lambda k: _extent(gold.spans[k]))
        columns = sorted({pred_mention for _, pred_mention in pairs}, key=lambda k: _extent(pred.spans[k]))
        matrix = np.array(
            [[overlaps.get((gold_mention, pred_mention), 0.0) for pred_mention in columns] for gold_mention in rows]
        )
        for i, j in zip(*linear_sum_assignment(matrix, maximize=True), strict=True):
            if matrix[i, j] > 0:
                yield rows[i], columns[j]


def _extent(span: Span) -> tuple[int, int, int]:
    words = words_of(span)
    return words[0], words[-1], len(words)
