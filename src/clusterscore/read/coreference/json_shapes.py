"""How programs write coreference in JSON: the words of a document, where the clusters are, and what a mention is.

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
from functools import cached_property
from itertools import accumulate, chain
from typing import Any, NamedTuple

from clusterscore.read.coreference.conllu_rows import node_number, span_of
from clusterscore.read.coreference.coref_file import WORD, Span

PREDICTED = "predicted_clusters"
_SPACY = "coref_clusters"  # how the groups of spacy-experimental begin

_WORDS = ("sentences", "tokens", "words", "cased_words")
_FORM = ("text", "word", "originalText")  # of a token that is an object
_MOST = 2**31  # tokens or characters of a document lie below it


def are_numbers(*values: Any) -> bool:
    """Whether these can count tokens or characters."""
    return all(type(value) is int and 0 <= value < _MOST for value in values)


def is_empty_node(number: int) -> bool:
    """Whether this is the number of an empty node, not of a word."""
    return bool(number % (1 << WORD))


class JsonText:
    """The words of a document: in sentences or not, as texts or as objects."""

    def __init__(self, content: Mapping[str, Any]):
        self._content = content
        self._listed = next((content[key] for key in _WORDS if isinstance(content.get(key), list)), None)

    @cached_property
    def characters(self) -> str | None:
        """The text, if the document has it."""
        text = self._content.get("text")
        return text if isinstance(text, str) else None

    @cached_property
    def _sentences(self) -> list[list[Any]]:
        """The tokens of each sentence; where there are no sentences, each token is one."""
        listed = [(item, item.get("tokens") if isinstance(item, dict) else item) for item in self._listed or ()]
        return [tokens if isinstance(tokens, list) else [item] for item, tokens in listed]

    @cached_property
    def _is_plain(self) -> bool:
        """Whether all tokens are texts."""
        return set(map(type, chain.from_iterable(self._sentences))) <= {str}

    @cached_property
    def nodes(self) -> list[list[tuple[int, Any]]]:
        """The words and empty nodes of each sentence, with their numbers in the document, as in CorefUD.

        A token with an id such as 5.1 is an empty node. One of Stanza's with two numbers, [5, 1], is an empty node if
        the first is that of the word before it; otherwise it is a token of several words, which follow.
        """
        words = 0
        sentences = []
        for tokens in self._sentences:
            nodes = []
            last: Any = 0  # the id of the word before
            for token in tokens:
                major, minor = _token_id(token)
                if isinstance(minor, int) and major != last:
                    continue
                if minor is None:
                    words, last = words + 1, major
                nodes.append((node_number(words, str(major), None if minor is None else str(minor)), token))
            sentences.append(nodes)
        return sentences

    @cached_property
    def forms(self) -> list[str] | None:
        """The words, without empty nodes; None if the document does not have any."""
        if self._listed is None or self._is_plain:
            return None if self._listed is None else list(chain.from_iterable(self._sentences))
        return [form for number, form in self._all_forms if not is_empty_node(number)]

    @property
    def forms_of_nodes(self) -> list[tuple[int, str]]:
        """The numbers and forms of all words and empty nodes, if there are empty nodes; they are rare."""
        if self._listed is None or self._is_plain:
            return []
        return self._all_forms if any(is_empty_node(number) for number, _ in self._all_forms) else []

    @cached_property
    def _all_forms(self) -> list[tuple[int, str]]:
        return [(number, self._form(token)) for number, token in chain.from_iterable(self.nodes)]

    def _form(self, token: Any) -> str:
        if not isinstance(token, dict):
            return str(token)
        known = next((token[key] for key in _FORM if isinstance(token.get(key), str)), None)
        if known is None and self.characters is not None and are_numbers(token.get("start"), token.get("end")):
            known = self.characters[token["start"] : token["end"]]  # spaCy
        return "" if known is None else str(known)

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *accumulate(map(len, self._sentences))]

    def stretch(self, sentence: Any, start: Any, stop: Any, *, words_only: bool = False) -> Span | None:
        """The tokens from ``start`` up to ``stop`` of a sentence, all from 0; None if the sentence does not have them.

        With ``words_only``, empty nodes do not count.
        """
        if not are_numbers(sentence, start, stop) or not (sentence < len(self._sentences) and start < stop):
            return None
        if self._is_plain:
            first, behind = self._starts[sentence] + start, self._starts[sentence] + stop
            return (first, behind - 1) if behind <= self._starts[sentence + 1] else None
        numbers = [number for number, _ in self.nodes[sentence] if not (words_only and is_empty_node(number))]
        return span_of(numbers[start:stop]) if stop <= len(numbers) else None

    @cached_property
    def _bounds(self) -> tuple[dict[int, int], dict[int, int]]:
        """The token that begins at a character, and the one that ends there."""
        tokens = [token if isinstance(token, dict) else {} for token in chain.from_iterable(self._sentences)]
        begin, end = (
            {token[bound]: k for k, token in enumerate(tokens) if are_numbers(token.get(bound))}
            for bound in ("start", "end")
        )
        return begin, end

    def tokens_between(self, start: int, end: int) -> Span | None:
        """The tokens from one character up to another; None if no token begins or ends there."""
        first, last = self._bounds[0].get(start, -1), self._bounds[1].get(end, -1)
        return (first, last) if 0 <= first <= last else None


def _token_id(token: Any) -> tuple[Any, Any]:
    """The id of a token, and what is behind the point: ("5", "1") for 5.1, (5, 1) for Stanza's [5, 1]."""
    given = token.get("id") if isinstance(token, dict) else None
    if isinstance(given, list) and len(given) == 2 and are_numbers(*given):
        return given[0], given[1]
    major, _, minor = str(given).partition(".") if isinstance(given, float | str) else ("", "", "")
    return (major, minor) if minor.strip("0") else (given, None)


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
    return (first, last) if 0 <= first <= last < _MOST else None


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
