"""How programs write coreference in JSON: where the clusters are, what a mention is, and where its end is.

A shape is known by its key. Whatever it counts, from 0 or 1, up to the end or behind it, a mention becomes its first
and last token in the document, or its first and last character:

========================== ================================= ====================================================
key                        mention                           written by
========================== ================================= ====================================================
``clusters``               [start, end]                      e2e-coref, s2e, LingMess, AllenNLP, BookCoref
``predicted_clusters``     as ``clusters``                   the same, with gold beside it
``clusters_token_offsets`` [start, end]                      maverick, CRAC
``clusters_char_offsets``  [start, end] in characters        maverick
``clusters``               [start, end) in characters        fastcoref
``clusters``               [start, end)                      wl-coref, CAW-coref: data, which has ``cased_words``
``span_clusters``          [start, end)                      wl-coref, CAW-coref: ``predict.py``
``mention_clusters``       [sentence, start, end)            PreCo
``coref_chains``           [sentence, start, end]            coref-data on the Hugging Face Hub ("indiscrim")
``coref_chains``           sentence, [start_word, end_word)  Stanza 1.7 and later: ``Document.coref``
``sentences``              words that have ``coref_chains``  Stanza 1.7 and later: ``Document.to_dict``
``corefs``                 sentNum, [startIndex, endIndex)   CoreNLP: ``-outputFormat json``; from 1
``spans``                  [start, end) in characters        spaCy 3, spacy-experimental: ``Doc.to_json``
========================== ================================= ====================================================
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import chain
from typing import Any, NamedTuple

from clusterscore.read.coreference.conllu_rows import span_of
from clusterscore.read.coreference.coref_file import Span
from clusterscore.read.coreference.json_text import MOST, JsonText, are_numbers, is_empty_node

PREDICTED = "predicted_clusters"
_SPACY = "coref_clusters"  # how the groups of spacy-experimental begin


def _has_clusters(content: Mapping[str, Any], value: Any) -> bool:
    return isinstance(value, list | dict)


def _has_cased_words(content: Mapping[str, Any], value: Any) -> bool:
    return isinstance(value, list | dict) and "cased_words" in content


def _has_chains(content: Mapping[str, Any], value: Any) -> bool:
    return isinstance(value, list) and any(isinstance(item, dict) for item in value)


def _has_groups(content: Mapping[str, Any], value: Any) -> bool:
    return isinstance(value, dict) and any(name.startswith(_SPACY) for name in value)


def _has_words_in_chains(content: Mapping[str, Any], value: Any) -> bool:
    sentences = (item for item in value if isinstance(item, list)) if isinstance(value, list) else ()
    words = chain.from_iterable(sentences)
    return any(isinstance(word, dict) and isinstance(word.get("coref_chains"), list) for word in words)


def _listed(value: Any, text: JsonText) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {str(k): cluster for k, cluster in enumerate(value)}


def _chains(value: Any, text: JsonText) -> Mapping[str, Any]:
    return {str(k): item.get("mentions") if isinstance(item, dict) else item for k, item in enumerate(value)}


def _groups(value: Any, text: JsonText) -> Mapping[str, Any]:
    return {name: spans for name, spans in value.items() if name.startswith(_SPACY)}


def _from_words(value: Any, text: JsonText) -> Mapping[str, Any]:
    """The mentions that words begin and end: of those in one chain, the one that began last ends first."""
    clusters: dict[str, list[Any]] = {}
    for number, sentence in enumerate(text.nodes):
        begun: dict[str, list[int]] = {}
        position = -1  # among the words
        for node, word in sentence:
            position += not is_empty_node(node)
            for index, starts, ends in _marks(word):
                mentions, waiting = clusters.setdefault(index, []), begun.setdefault(index, [])
                if is_empty_node(node):
                    mentions.append({"sentence": number, "start_word": word["id"]})
                elif starts and not ends:
                    waiting.append(position)
                elif ends:
                    first = position if starts else waiting.pop() if waiting else None
                    mentions.append({"sentence": number, "start_word": first, "end_word": position + 1})
        for index, waiting in begun.items():
            clusters[index] += [{"sentence": number, "start_word": first} for first in waiting]
    return clusters


def _marks(word: Any) -> list[tuple[str, bool, bool]]:
    """The chains that a word is in, and whether it starts or ends a mention; what only ends comes first."""
    chains = word.get("coref_chains") if isinstance(word, dict) else None
    items = [item for item in chains if isinstance(item, dict)] if isinstance(chains, list) else []
    marks = [(str(item.get("index")), item.get("is_start") is True, item.get("is_end") is True) for item in items]
    return sorted(marks, key=lambda mark: mark[1] or not mark[2])


def _pair(mention: Any, text: JsonText, is_behind: bool) -> Span | None:
    if not isinstance(mention, list) or list(map(type, mention)) != [int, int]:
        return None
    first, last = mention[0], mention[1] - is_behind
    return (first, last) if 0 <= first <= last < MOST else None


def _in_sentence(mention: Any, text: JsonText, is_behind: bool) -> Span | None:
    if not isinstance(mention, list) or len(mention) != 3 or not are_numbers(*mention):
        return None
    sentence, start, end = mention
    return text.stretch(sentence, start, end + (not is_behind))


def _stanza(mention: Any, text: JsonText, is_behind: bool) -> Span | None:
    if not isinstance(mention, dict):
        return None
    sentence: Any = mention.get("sentence")
    start, end = (mention.get(f"{bound}_word", mention.get(bound)) for bound in ("start", "end"))
    if not isinstance(start, list):
        return text.stretch(sentence, start, end, words_only=True)
    nodes = text.nodes[sentence] if are_numbers(sentence) and sentence < len(text.nodes) else []
    empty = [number for number, token in nodes if is_empty_node(number) and token["id"] == start]
    return span_of(empty) if empty else None


def _corenlp(mention: Any, text: JsonText, is_behind: bool) -> Span | None:
    given = mention if isinstance(mention, dict) else {}
    place: list[Any] = [given.get(name) for name in ("sentNum", "startIndex", "endIndex")]
    return text.stretch(*(number - 1 for number in place)) if are_numbers(*place) else None


def _spacy_tokens(mention: Any, text: JsonText, is_behind: bool) -> Span | None:
    span = _spacy_characters(mention, text, is_behind)
    return span and text.tokens_between(span[0], span[1] + 1)


def _spacy_characters(mention: Any, text: JsonText, is_behind: bool) -> Span | None:
    return _pair([mention.get("start"), mention.get("end")] if isinstance(mention, dict) else None, text, is_behind)


class Shape(NamedTuple):
    """One way to write clusters. ``fits`` sees a document, and what it has under the key."""

    key: str
    mention: str = "[start, end]"  # how it is written, in messages
    ends: str = "inclusive"
    needs: str = ""  # a key of the document, without which nobody knows where a mention is
    fits: Callable[[Mapping[str, Any], Any], bool] = _has_clusters
    clusters: Callable[[Any, JsonText], Mapping[str, Any]] = _listed  # entity -> its mentions, as they are written
    span: Callable[[Any, JsonText, bool], Span | None] = _pair  # of a mention, and whether its end is behind it


_BEHIND = "[start, end], the end behind it", "exclusive"
_OF_SENTENCE = "in a sentence of the document"
_IN_SENTENCE = f"[sentence, start, end] {_OF_SENTENCE}"
_STANZA = f"sentence, start_word and end_word {_OF_SENTENCE}"
_CORENLP = f"sentNum, startIndex and endIndex {_OF_SENTENCE}"
_SPACY_TOKENS = "start and end, characters where tokens begin and end"

SHAPES: dict[str, tuple[Shape, ...]] = {  # by what mentions count; the first that a document has is read
    "tokens": (
        Shape("span_clusters", *_BEHIND),
        Shape("clusters_token_offsets"),
        Shape("mention_clusters", f"{_IN_SENTENCE}, the end behind it", "exclusive", "sentences", span=_in_sentence),
        Shape("coref_chains", _STANZA, "exclusive", "sentences", _has_chains, _chains, _stanza),
        Shape("coref_chains", _IN_SENTENCE, needs="sentences", span=_in_sentence),
        Shape("corefs", _CORENLP, "exclusive", "sentences", span=_corenlp),
        Shape("spans", _SPACY_TOKENS, "exclusive", "tokens", _has_groups, _groups, _spacy_tokens),
        Shape("clusters", *_BEHIND, fits=_has_cased_words),
        Shape("clusters"),
        Shape(PREDICTED, *_BEHIND, fits=_has_cased_words),
        Shape(PREDICTED),
        Shape("sentences", _STANZA, fits=_has_words_in_chains, clusters=_from_words, span=_stanza),
    ),
    "characters": (
        Shape("clusters_char_offsets"),
        Shape(
            "spans",
            "start and end, the end behind it",
            "exclusive",
            fits=_has_groups,
            clusters=_groups,
            span=_spacy_characters,
        ),
        Shape("clusters", *_BEHIND),
        Shape(PREDICTED, *_BEHIND),
    ),
}
ENDS = {"tokens": "inclusive", "characters": "exclusive"}  # unless a shape has others; those are signed


def shape_of(content: Mapping[str, Any], offsets: str, key: bool) -> Shape | None:
    """The shape of a document, if it has clusters; of gold and predicted ones, gold are read for the ``key``."""
    shapes = sorted(SHAPES[offsets], key=lambda shape: (shape.key == PREDICTED) == key)
    return next((shape for shape in shapes if shape.key in content and shape.fits(content, content[shape.key])), None)
