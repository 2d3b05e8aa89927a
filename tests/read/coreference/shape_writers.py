"""Documents written as programs write them: their JSON, Stanza's CoNLL-U, CoNLL-UA and LitBank's annotations."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from read.coreference.writers import Document

Writer = Callable[[list[Document]], str]


def places(document: Document) -> list[list[tuple[int, int, int]]]:
    """The mentions of each entity, as (sentence, first, last); none goes across sentences."""
    at = [(number, k) for number, words in enumerate(document.sentences) for k in range(len(words))]
    entities = []
    for mentions in document.entities.values():
        entities.append([(at[a][0], at[a][1], at[b][1]) for ((a, b),) in mentions])
        assert all(at[a][0] == at[b][0] for ((a, b),) in mentions)
    return entities


def bounds(document: Document) -> tuple[str, list[tuple[int, int]]]:
    """The text with a sentence a line, and where each token begins and ends in it."""
    text, ends = "", []
    for sentence in document.sentences:
        for k, word in enumerate(sentence):
            ends.append((len(text), len(text) + len(word)))
            text += word + (" " if k < len(sentence) - 1 else "\n")
    return text, ends


def lines(documents: list[Document], content: Callable[[Document], Any]) -> str:
    return "".join(json.dumps(content(document)) + "\n" for document in documents)


def wl_coref(documents: list[Document], key: str = "span_clusters") -> str:
    """What predict.py writes; with ``clusters``, what convert_to_jsonlines.py does."""
    return lines(documents, lambda document: {
        "document_id": document.name,
        "part_id": document.part,
        "cased_words": document.tokens,
        "sent_id": [number for number, words in enumerate(document.sentences) for _ in words],
        "speaker": ["_" for _ in document.tokens],
        "word_clusters": [[b for ((_, b),) in mentions] for mentions in document.entities.values()],
        key: [[[a, b + 1] for ((a, b),) in mentions] for mentions in document.entities.values()],
    })  # fmt: skip


def preco(documents: list[Document]) -> str:
    return lines(documents, lambda document: {
        "id": document.key,
        "sentences": document.sentences,
        "mention_clusters": [[[s, a, b + 1] for s, a, b in mentions] for mentions in places(document)],
    })  # fmt: skip


def coref_data(documents: list[Document]) -> str:
    return lines(documents, lambda document: {
        "id": document.key,
        "text": " ".join(document.tokens),
        "sentences": [
            {
                "id": number,
                "speaker": None,
                "text": " ".join(words),
                "tokens": [{"id": k, "text": word, "lemma": None} for k, word in enumerate(words)],
            }
            for number, words in enumerate(document.sentences)
        ],
        "coref_chains": [[[s, a, b] for s, a, b in mentions] for mentions in places(document)],
        "genre": "x",
        "meta_data": {"comment": "detokenizer=nltk"},
    })  # fmt: skip


def coref_data_of_words(documents: list[Document]) -> str:
    """The same, with sentences as lists of words, as LitBank's are in its raw form."""
    return lines(documents, lambda document: {
        "id": document.key,
        "sentences": document.sentences,
        "coref_chains": [[[s, a, b] for s, a, b in mentions] for mentions in places(document)],
    })  # fmt: skip


def stanza_sentences(document: Document) -> list[list[dict[str, Any]]]:
    """Document.to_dict(): all words have chains; a token of two words stands before them."""
    sentences: list[list[dict[str, Any]]] = [
        [{"id": k, "text": word, "upos": "NOUN", "coref_chains": []} for k, word in enumerate(words, 1)]
        for words in document.sentences
    ]
    for index, mentions in enumerate(places(document)):
        for number, (s, a, b) in enumerate(mentions):
            for k in range(a, b + 1):
                attachment = {"index": index, "representative_text": "x"}
                flags = {"is_start": k == a, "is_end": k == b, "is_representative": number == 0}
                sentences[s][k]["coref_chains"].append(attachment | {key: True for key, on in flags.items() if on})
    for words in sentences:
        if len(words) > 1:
            words.insert(0, {"id": [1, 2], "text": "ab", "start_char": 0, "end_char": 2})
    return sentences


def stanza(documents: list[Document]) -> str:
    return lines(documents, lambda document: {"doc_id": document.key, "sentences": stanza_sentences(document)})


def stanza_chains(documents: list[Document]) -> str:
    """Document.coref, beside the sentences."""
    return lines(documents, lambda document: {
        "doc_id": document.key,
        "sentences": [[{"id": k, "text": word} for k, word in enumerate(words, 1)] for words in document.sentences],
        "coref_chains": [
            {
                "index": index,
                "mentions": [{"sentence": s, "start_word": a, "end_word": b + 1} for s, a, b in mentions],
                "representative_text": "x",
                "representative_index": 0,
            }
            for index, mentions in enumerate(places(document))
        ],
    })  # fmt: skip


def corenlp(documents: list[Document]) -> str:
    return lines(documents, lambda document: {
        "docId": document.key,
        "sentences": [
            {"index": n, "tokens": [{"index": k, "word": word, "ner": "O"} for k, word in enumerate(words, 1)]}
            for n, words in enumerate(document.sentences)
        ],
        "corefs": {
            str(index): [
                {"id": k, "text": "x", "startIndex": a + 1, "endIndex": b + 2, "headIndex": b + 1, "sentNum": s + 1,
                 "position": [s + 1, k], "isRepresentativeMention": k == 0}
                for k, (s, a, b) in enumerate(mentions)
            ]
            for index, mentions in enumerate(places(document))
        },
    })  # fmt: skip


def spacy(documents: list[Document]) -> str:
    def content(document: Document) -> dict[str, Any]:
        text, ends = bounds(document)
        groups = {
            f"coref_clusters_{k}": [
                {"start": ends[a][0], "end": ends[b][1], "label": "", "kb_id": ""} for ((a, b),) in mentions
            ]
            for k, mentions in enumerate(document.entities.values(), 1)
        }
        heads = {"coref_head_clusters_1": [{"start": 0, "end": ends[0][1], "label": "", "kb_id": ""}]}
        tokens = [{"id": k, "start": start, "end": end} for k, (start, end) in enumerate(ends)]
        return {"doc_key": document.key, "text": text, "ents": [], "tokens": tokens, "spans": heads | groups}

    return lines(documents, content)


def stanza_conllu(documents: list[Document], key: str = "coref_chains") -> str:
    """What CoNLL.write_doc2conll writes; files of several documents are joined by hand."""
    rows = []
    for document in documents:
        rows.append(f"# newdoc id = {document.key}")
        for number, words in enumerate(stanza_sentences(document)):
            rows += [f"# text = {number}", f"# sent_id = {number}"]
            for word in words:
                if isinstance(word["id"], list):
                    rows.append("\t".join(["1-2", word["text"], *"_______", "start_char=0|end_char=2"]))
                    continue
                chains = [
                    _position(item) + ("repr-" if "is_representative" in item else "") + f"id{item['index']}"
                    for item in word["coref_chains"]
                ]
                misc = "start_char=0|end_char=2|ner=S-PERSON" + (f"|{key}={','.join(chains)}" if chains else "")
                rows.append("\t".join([str(word["id"]), word["text"], "_", "NOUN", "_", "_", "0", "root", "_", misc]))
            rows.append("")
    return "\n".join([*rows, ""])


def _position(item: dict[str, Any]) -> str:
    if "is_start" in item:
        return "unit-" if "is_end" in item else "start-"
    return "end-" if "is_end" in item else "middle-"


COLUMNS = "ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC IDENTITY BRIDGING DISCOURSE_DEIXIS REFERENCE NOM_SEM"


def conll_ua(documents: list[Document], *, crossing: bool = True, separator: str = "\t") -> str:
    """CoNLL-UA; closing brackets have a markable's id if mentions may cross, and words are counted on."""
    rows = [f"# global.columns = {COLUMNS}"]
    for document in documents:
        rows.append(f"# newdoc id = {document.key}")
        mentions = [
            (a, b, entity, f"m{entity}x{k}")
            for entity, some in document.entities.items()
            for k, ((a, b),) in enumerate(some)
        ]
        token = 0
        for number, words in enumerate(document.sentences):
            rows.append(f"# sent_id = {document.key}-{number}")
            for word in words:
                closed = sorted((-a, b, entity, name) for a, b, entity, name in mentions if b == token > a)
                opened = sorted((-b, entity, name) for a, b, entity, name in mentions if a == token)
                cell = "".join(f"{name if crossing else ''})" for *_, name in closed)
                for last, entity, name in opened:
                    cell += f"(EntityID={entity}|MarkableID={name}|Min=1,2|SemType=dn" + ")" * (-last == token)
                rows.append(separator.join([str(token + 1), word, *"________", cell or "_", *"____"]))
                token += 1
            rows.append("")
    return "\n".join([*rows, ""])


def litbank(document: Document) -> str:
    """coref/tsv; singletons of an odd number are left without an entity, as copulas are."""
    mentions, links = [], []
    numbered = enumerate((entity, place) for entity, some in enumerate(places(document)) for place in some)
    sizes = [len(some) for some in places(document)]
    for k, (entity, (s, a, b)) in numbered:
        mentions.append(f"MENTION\tT{k}\t{s}\t{a}\t{s}\t{b}\ttext\tPER\tNOM\n")
        if sizes[entity] > 1 or entity % 2:
            links.append(f"COREF\tT{k}\tThe_name_of-{entity}\n")
    return "".join([*mentions, *links, "COP\tT0\tT1\n", "APPOS\tT0\tT1\n"])


def brat(document: Document) -> str:
    """coref/brat: every mention by its type, and again by its entity."""
    _, ends = bounds(document)
    rows = []
    for entity, some in enumerate(document.entities.values()):
        for ((a, b),) in some:
            start, end = ends[a][0], ends[b][1]
            rows.append(f"T{len(rows)}\tNOM_PER {start} {end}\ttext\n")
            if len(some) > 1 or entity % 2:
                rows.append(f"T{len(rows)}\tThe_name_of-{entity} {start} {end}\ttext\n")
    return "".join([*rows, "R1\tcop Arg1:T0 Arg2:T1\n"])


SHAPES: dict[str, tuple[str, Writer]] = {
    "wl-coref": ("jsonlines", wl_coref),
    "wl-coref data": ("jsonlines", lambda documents: wl_coref(documents, "clusters")),
    "preco": ("jsonlines", preco),
    "coref-data": ("jsonlines", coref_data),
    "coref-data of words": ("jsonlines", coref_data_of_words),
    "stanza": ("jsonlines", stanza),
    "stanza chains": ("jsonlines", stanza_chains),
    "corenlp": ("jsonlines", corenlp),
    "spacy": ("jsonlines", spacy),
    "stanza conllu": ("corefud", stanza_conllu),
    "stanza conllu by mistake": ("corefud", lambda documents: stanza_conllu(documents, "ner")),
    "conllua": ("conllua", conll_ua),
    "conllua of blanks": ("conllua", lambda documents: conll_ua(documents, separator="   ")),
}
