"""JSON lines: a document in every line, or in all of a file, with its clusters in one of the shapes of ``json_shapes``.

Offsets count tokens, and the last one is part of the mention; or they count characters, and then the end is behind it;
unless the program that writes them has its own way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from clusterscore.exceptions import FileError, a_type
from clusterscore.messages import Option
from clusterscore.nouns import plural
from clusterscore.read.coreference.coref_file import (
    CorefDocument,
    CorefFile,
    Mention,
    Problems,
    Span,
    Tokens,
    by_appearance,
    last_of_each,
)
from clusterscore.read.coreference.json_shapes import ENDS, SHAPES, JsonText, Shape, shape_of
from clusterscore.read.json_file import is_json, parse_json

_NAMES = ("doc_key", "doc_id", "document_id", "docId", "id")
_KEYS = 12  # that a message lists

_UNNAMED = "document without a doc_key (e.g. {}); each goes by its number in the file"
_NO_CLUSTERS = "document without clusters (e.g. {}); scored as empty"
_NO_LIST = "cluster not given as a list of mentions (e.g. {}); left out"
_NO_SPAN = "mention not given as {} (e.g. {{}}); left out"
_BEYOND = "mention ending behind the last token of its document (e.g. {}); kept"
_ONLY_TEXT = (
    "document with a text but no tokens (e.g. {}); its offsets are read as tokens, the last one included: say "
    'offsets="characters" if they count characters'
)


def read_jsonlines(text: str, called: str, offsets: str, key: bool) -> CorefFile:
    """Read the text of a file; where it has both gold and predicted clusters, ``key`` says that gold is meant."""
    objects = [
        (_name(content, k), line, (content, shape_of(content, offsets, key)))
        for k, (line, content) in enumerate(_objects(text, called), 1)
    ]
    if not objects:
        raise FileError(f"{called} has no documents: it holds no JSON object")
    ends = sorted({shape.ends for _, _, (_, shape) in objects if shape is not None})
    if not ends:
        raise _no_clusters([content for _, _, (content, _) in objects], called, offsets)
    problems = Problems(called)
    kept = last_of_each(objects, problems)
    for name, line, (content, shape) in kept:
        if content.keys().isdisjoint(_NAMES):
            problems.add(_UNNAMED, line)
        if shape is not None and shape.needs and not isinstance(content.get(shape.needs), list):
            raise FileError(
                f"{called}, line {line}: {shape.key} has mentions as {shape.mention}, but document {name!r} has no "
                f"{shape.needs}; write them too"
            )
    documents = {name: _document(name, line, *parts, offsets, problems) for name, line, parts in kept}
    options = {} if ends == [ENDS[offsets]] else {"ends": "+".join(ends)}
    return CorefFile(called, "jsonlines", documents, problems.warnings(), offsets, options=options)


def _name(content: Mapping[str, Any], number: int) -> str:
    """What a document is called; the parts of wl-coref share an id, and go by their numbers."""
    key = next((key for key in _NAMES if key in content), None)
    part = content.get("part_id") if key == "document_id" else None
    name = str(number if key is None else content[key])
    return f"{name}_{part}" if type(part) is int else name


def _no_clusters(contents: Sequence[Mapping[str, Any]], called: str, offsets: str) -> FileError:
    """That no document has clusters: an error, for nobody wants a score of 0 because of a key."""
    keys = list(dict.fromkeys(key for content in contents for key in content))
    listed = ", ".join(repr(key[:40]) for key in keys[:_KEYS]) + (", .." if len(keys) > _KEYS else "")
    known = ", ".join(dict.fromkeys(shape.key for shape in SHAPES[offsets] if shape.key != "sentences"))
    other = next(name for name in SHAPES if name != offsets)
    is_other = any(shape_of(content, other, False) for content in contents)
    remedy = ("; pass ", Option("offsets", other)) if is_other else ("",)
    return FileError(
        f"{called}: no clusters in {plural(len(contents), 'document')} (keys: {listed or 'none'}); in {offsets} they "
        f"are read from {known}",
        *remedy,
    )


def _objects(text: str, called: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """The documents, each with its line. One may be spread over lines, or a list may hold all."""
    first = text.lstrip().partition("\n")[0]
    is_one_value = not (first.startswith("{") and is_json(first)) and is_json(text)
    for number, part in enumerate([text] if is_one_value else text.split("\n"), 1):
        if not part.strip():
            continue
        value = parse_json(part, called, "a document", number)
        is_several = is_one_value and isinstance(value, list) and not _is_sentences(value)
        for given in value if is_several else [value]:
            content = {"sentences": given} if _is_sentences(given) else given
            if not isinstance(content, dict):
                raise FileError(
                    f"{called}, line {number} is not a JSON object but {a_type(content)}; write a document a "
                    'line, such as {"doc_key": "a_0", "clusters": [[[0, 1], [5, 5]]]}'
                )
            yield number, content


def _is_sentences(value: Any) -> bool:
    """Whether this is a document as Stanza writes it: a list of sentences, which are lists of words."""
    is_list = isinstance(value, list) and bool(value)
    return is_list and all(isinstance(some, list) and some and isinstance(some[0], dict) for some in value)


def _document(
    name: str, line: int, content: Mapping[str, Any], shape: Shape | None, offsets: str, problems: Problems
) -> CorefDocument:
    text = JsonText(content)

    def problem(kind: str, example: str | None = None) -> None:
        problems.add(kind, line, example, name)

    if shape is None:
        problem(_NO_CLUSTERS)
    if offsets == "tokens" and text.forms is None and "text" in content:
        problem(_ONLY_TEXT)
    known, word = (text.characters, _character) if offsets == "characters" else (text.forms, _first_part)
    limit = None if offsets == "characters" or known is None else len(known)
    spans = {} if shape is None else _spans(shape, content[shape.key], text, limit, problem)
    entities: dict[str, list[Mention]] = {entity: [(span, line, 0) for span in some] for entity, some in spans.items()}
    nodes = text.forms_of_nodes if offsets == "tokens" else []
    rows: Sequence[str] = known or ()
    shown = Tokens(lambda: rows, word, nodes=(lambda: nodes) if nodes else None)
    return CorefDocument(name, -1 if known is None else len(known), shown, by_appearance(entities))


def _spans(
    shape: Shape, value: Any, text: JsonText, limit: int | None, problem: Callable[[str, str], None]
) -> dict[str, list[Span]]:
    """The mentions of each entity; ``limit`` is the number of tokens, if it is known."""
    entities: dict[str, list[Span]] = {}
    for entity, mentions in shape.clusters(value, text).items():
        if not isinstance(mentions, list):
            problem(_NO_LIST, str(mentions))
            continue
        entities[entity] = []
        for mention in mentions:
            span = shape.span(mention, text, shape.ends == "exclusive")
            if span is None:
                problem(_NO_SPAN.format(shape.mention), str(mention))
                continue
            if limit is not None and span[1] >= limit:
                problem(_BEYOND, str(mention))
            entities[entity].append(span)
    return entities


def _first_part(word: str) -> bytes:
    """Of a word with blanks the other formats show the first part."""
    return next(iter(_character(word).split(None, 1)), b"")


def _character(character: str) -> bytes:
    return character.encode("utf-8", "surrogatepass")
