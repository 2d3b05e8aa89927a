"""Random documents with coreference, written in every format; and what a reader should find in them."""

from __future__ import annotations

import json
import random
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from clusterscore.read.coreference import CorefFile
from clusterscore.read.coreference.coref_file import paired_name

Mention = tuple[tuple[int, int], ...]  # its stretches of tokens, mostly one
WORDS = [
    "the",
    "cat",
    "(5)",
    "-",
    "#",
    "naïve",
    "猫",
    "Ελλάδα",
    "a|b",
    "*",
    "100",
    "🙂",
    "(",
    "end",
    "Entity=(e1-x-1-)",
]


@dataclass
class Document:
    """A document: its sentences, and the mentions of each entity."""

    name: str
    part: int
    sentences: list[list[str]]
    entities: dict[int, list[Mention]] = field(default_factory=dict)

    @property
    def tokens(self) -> list[str]:
        return [word for sentence in self.sentences for word in sentence]

    @property
    def key(self) -> str:
        return f"{self.name}_{self.part}"

    def items(self) -> Iterable[tuple[int, Mention]]:
        return ((entity, mention) for entity, mentions in self.entities.items() for mention in mentions)


def random_document(rng: random.Random, number: int, *, gaps: bool = False, repeats: bool = False) -> Document:
    """Nested and crossing mentions, singletons, mentions across sentences; with gaps or repetitions if wanted."""
    sentences = [[rng.choice(WORDS) for _ in range(rng.randint(1, 9))] for _ in range(rng.randint(1, 5))]
    made = Document(f"bc/né/{number // 2:02}", number % 2, sentences)
    length = len(made.tokens)
    taken: set[Mention] = set()
    for _ in range(rng.randint(0, 14)):
        start = rng.randrange(length)
        mention: Mention = ((start, min(length - 1, start + int(rng.expovariate(0.5)))),)
        if gaps and rng.random() < 0.3 and mention[0][1] + 2 < length:
            begin = rng.randrange(mention[0][1] + 2, length)
            mention += ((begin, min(length - 1, begin + rng.randrange(3))),)
        entity = rng.randrange(6)
        if mention in taken and not repeats:
            continue
        mentions = made.entities.setdefault(entity, [])
        if all(_writable(mention, other) for other in mentions):
            mentions.append(mention)
            taken.add(mention)
            if repeats and rng.random() < 0.3:
                other = made.entities.setdefault(rng.randrange(6), [])
                if all(_writable(mention, other_mention) for other_mention in other):
                    other.append(mention)
    return _sorted(made)


def _sorted(made: Document) -> Document:
    """Entities in the order of their numbers: where two begin with the same token, every format has the same first."""
    made.entities = {entity: made.entities[entity] for entity in sorted(made.entities) if made.entities[entity]}
    return made


def _writable(first: Mention, second: Mention) -> bool:
    """Brackets with one id can be nested or apart; they cannot cross, nor meet in one token."""
    (a, b), (c, d) = (first[0][0], first[-1][1]), (second[0][0], second[-1][1])
    if b < c or d < a:
        return True
    if len(first) > 1 or len(second) > 1:
        return False
    return a == b or c == d or (a <= c and d <= b) or (c <= a and b <= d)


def changed(rng: random.Random, document: Document) -> Document:
    """What a system may say of a document."""
    made = Document(document.name, document.part, document.sentences)
    for entity, mention in document.items():
        luck = rng.random()
        if luck < 0.15:
            continue
        target = rng.randrange(6) if luck < 0.4 else entity
        mentions = made.entities.setdefault(target, [])
        if all(_writable(mention, other) for other in mentions):
            mentions.append(mention)
    extra = random_document(rng, 0)
    for entity, mention in extra.items():
        mentions = made.entities.setdefault(entity, [])
        inside = mention[-1][1] < len(made.tokens)
        if inside and all(_writable(mention, other) for other in mentions) and rng.random() < 0.3:
            mentions.append(mention)
    return _sorted(made)


def conll(documents: list[Document], *, separator: str = "\t", bar: str = "|", end: str = "\n", none: str = "-") -> str:
    """CoNLL-2012, with the usual twelve columns."""
    lines = []
    for document in documents:
        cells: dict[int, list[tuple[int, int, str]]] = defaultdict(list)
        for entity, mention in document.items():
            ((start, stop),) = mention
            if start == stop:
                cells[start].append((0, entity, f"({entity})"))
            else:
                # without a bar between, what opens must not stand before what closes
                cells[start].append((1 if bar else 3, entity, f"({entity}"))
                cells[stop].append((2, entity, f"{entity})"))
        lines.append(f"#begin document ({document.name}); part {document.part:03}")
        token = 0
        for sentence in document.sentences:
            for k, word in enumerate(sentence):
                cell = bar.join(text for *_, text in sorted(cells[token])) or none
                columns = [document.name, str(document.part), str(k), word, "NN", "(NP*)", "-", "-", "-", "*", "(A0*)"]
                lines.append(separator.join([*columns, cell]))
                token += 1
            lines.append("")
        lines.append("#end document")
    return end.join([*lines, ""])


def corefud(documents: list[Document], *, heads: dict[tuple[str, Mention], int] | None = None) -> str:
    """CorefUD 1.0; ids are those of the entities, so that documents share them."""
    lines = []
    for document in documents:
        lines += [f"# newdoc id = {document.key}", "# global.Entity = eid-etype-head-other"]
        singles, opens, closes = _entity_items(document, heads or {})
        token = 0
        for number, sentence in enumerate(document.sentences):
            lines.append(f"# sent_id = {document.key}-{number}")
            lines.append(f"# text = {' '.join(sentence)}")
            if len(sentence) > 1:
                lines.append("\t".join(["1-2", "ab", *"________"]))
            for k, word in enumerate(sentence, 1):
                cell = (
                    "".join(closes[token])
                    + "".join(text for *_, text in sorted(opens[token]))
                    + "".join(singles[token])
                )
                misc = f"SpaceAfter=No|Entity={cell}|X=y z" if cell else "_"
                lines.append("\t".join([str(k), word, "_", "NOUN", "_", "_", "0", "root", "_", misc]))
                token += 1
            lines.append("")
    return "\n".join([*lines, ""])


def _entity_items(
    document: Document, heads: dict[tuple[str, Mention], int]
) -> tuple[dict[int, list[str]], dict[int, list[tuple[int, int, str]]], dict[int, list[str]]]:
    singles: dict[int, list[str]] = defaultdict(list)
    opens: dict[int, list[tuple[int, int, str]]] = defaultdict(list)
    closes: dict[int, list[str]] = defaultdict(list)
    for entity, mention in document.items():
        for number, (start, stop) in enumerate(mention, 1):
            name = f"e{entity}" if len(mention) == 1 else f"e{entity}[{number}/{len(mention)}]"
            opened = f"({name}-person-{heads.get((document.key, mention), 1)}-"
            if start == stop:
                singles[start].append(opened + ")")
            else:
                opens[start].append((entity, -stop, opened))
                closes[stop].append(f"{name})")
    return singles, opens, closes


def jsonlines(documents: list[Document], *, key: str = "clusters") -> str:
    """The format of e2e-coref."""
    return "".join(
        json.dumps({
            "doc_key": document.key,
            "sentences": document.sentences,
            key: [[list(stretch) for (stretch,) in mentions] for mentions in document.entities.values()],
        }) + "\n"
        for document in documents
    )  # fmt: skip


def characters(documents: list[Document]) -> str:
    """The format of fastcoref: tokens joined by blanks, and the end behind a mention."""
    lines = []
    for document in documents:
        text, places = "", []
        for word in document.tokens:
            places.append((len(text), len(text) + len(word)))
            text += word + " "
        clusters = [[[places[a][0], places[b][1]] for ((a, b),) in some] for some in document.entities.values()]
        lines.append(json.dumps({"doc_key": document.key, "text": text, "clusters": clusters}) + "\n")
    return "".join(lines)


FORMATS: dict[str, tuple[str, Callable[[list[Document]], str]]] = {
    "tabs": ("conll", conll),
    "blanks": ("conll", lambda documents: conll(documents, separator="   ", end="  \n")),
    "no bars": ("conll", lambda documents: conll(documents, bar="", none="_")),
    "windows": ("conll", lambda documents: conll(documents, separator=" \t", end="\r\n", none="*")),
    "corefud": ("corefud", corefud),
    "jsonlines": ("jsonlines", jsonlines),
    "predicted": ("jsonlines", lambda documents: jsonlines(documents, key="predicted_clusters")),
}


def written(documents: list[Document]) -> dict[str, list[list[Any]]]:
    """Document -> its entities, as sorted mentions; whatever they are called."""
    return {
        document.key: sorted(sorted(_span(mention) for mention in some) for some in document.entities.values())
        for document in documents
    }


def entities_of(file: CorefFile) -> dict[str, list[list[Any]]]:
    """The same, as it was read."""
    return {
        paired_name(name): sorted(sorted(mentions) for mentions in document.clusters.values())
        for name, document in file.documents.items()
    }


def _span(mention: Mention) -> tuple[int, ...]:
    if len(mention) == 1:
        return mention[0]
    return tuple(word << 12 for start, stop in mention for word in range(start, stop + 1))
