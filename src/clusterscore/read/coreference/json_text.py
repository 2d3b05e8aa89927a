"""The words of a document in JSON, however a program writes them, and where a mention is among them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from itertools import accumulate, chain
from typing import Any

from clusterscore.read.coreference.conllu_rows import node_number, span_of
from clusterscore.read.coreference.coref_file import WORD, Span

_WORDS = ("sentences", "tokens", "words", "cased_words")
_FORM = ("text", "word", "originalText")  # of a token that is an object
MOST = 2**31  # tokens or characters of a document lie below it


def are_numbers(*values: Any) -> bool:
    """Whether these can count tokens or characters."""
    return all(type(value) is int and 0 <= value < MOST for value in values)


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
