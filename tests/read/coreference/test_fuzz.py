"""Broken files: always something that can be scored, or an error in one line."""

from __future__ import annotations

import json
import random
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import clusterscore as cs
from clusterscore.read.coreference import FORMS, CorefFile, pair_coreference, read_coreference
from clusterscore.read.coreference.coref_file import paired_name
from read.coreference.shape_writers import SHAPES
from read.coreference.writers import FORMATS, Document, conll, random_document

DOCUMENTS = [random_document(random.Random(3), k, repeats=True) for k in range(3)]
KEY = conll(DOCUMENTS).encode()
BLANKS = st.sampled_from(["\t", " ", "  ", "\n", "\n\n", "\r\n", "|", "-", ""])
SOUP = st.lists(
    st.one_of(
        BLANKS,
        st.sampled_from(
            [
                "(", ")", "()", "(1", "1)", "(1)", "(é", "#", "#begin document ", "#begin document (a); part 000\n",
                "#end document\n", "# newdoc id = a\n", "# global.Entity = eid-etype-head-other\n", "# newdoc\n", "1\t",
                "1.1\t", "0.1\t", "1-2\t", "1.\t", "1\ta\t_\t_\t_\t_\t_\t_\t_\tEntity=", "(e1-x-1-", "e1)", "(e1-x-9-)",
                "(e1[1/2]-x-1-", "(e1[2/2]-x-1-", "e1[1/2])", "e1[2/2])", "(e1[1/1]-x-1-)", "[0/0]", "🙂",
                "99999999999999999999", "# global.Entity = GRP\n", "Entity=", "\x1c", "\u2028", "\x0b",
                "# global.columns = ID FORM IDENTITY\n", "(EntityID=1|MarkableID=m1", "EntityID=", "m1)",
                "MENTION\tT1\t0\t0", "COREF\tT1\tx\n", "T1\tx 0 3\ta\n",
                "coref_chains=", "start-id0", "end-id0", "unit-repr-id0,",
            ]
        ),
        st.text(max_size=3),
    ),
    max_size=60,
).map("".join)  # fmt: skip
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                [
                    "doc_key", "clusters", "predicted_clusters", "sentences", "tokens", "text", "id", "document_id",
                    "part_id", "cased_words", "span_clusters", "mention_clusters", "coref_chains", "mentions", "corefs",
                    "spans", "coref_clusters_1", "sentence", "start_word", "start", "end", "is_start", "index", "word",
                ]
            ),
            inner,
            max_size=5,
        )
    ),
    max_leaves=20,
)  # fmt: skip


def try_all(data: bytes) -> None:
    """Read it as everything, and score it against something and against itself."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "file"
        path.write_bytes(data)
        (Path(folder) / "key").write_bytes(KEY)
        key = read_coreference(Path(folder) / "key")
        for form in (None, *FORMS):
            for offsets in ("tokens", "characters"):
                file = read_or_told(path, form, offsets)
                if isinstance(file, CorefFile):
                    check(file, key)
                else:
                    assert file
                    assert "\n" not in file


def read_or_told(path: Path, form: str | None, offsets: str) -> CorefFile | str:
    try:
        return read_coreference(path, form, offsets=offsets)
    except cs.ClusterscoreError as error:
        return str(error)


def check(file: CorefFile, key: CorefFile) -> None:
    for left, right in ((file, file), (key, file), (file, key)):
        if left.offsets != right.offsets:
            continue
        for match in ("exact", "head", "partial"):
            if match != "exact" and not (left.has_heads and right.has_heads):
                continue
            if not {*map(paired_name, left.documents)} & {*map(paired_name, right.documents)}:
                with pytest.raises(cs.ElementMismatch, match="no document in common"):
                    pair_coreference(left, right, match=match)
                continue
            paired = pair_coreference(left, right, match=match)
            table = cs.Table.from_labels(paired.gold, paired.pred, missing="keep")
            twice = sum(
                int(warning.split(": ")[1].split()[0].replace(",", ""))
                for warning in paired.warnings
                if "in one entity" in warning and warning.startswith(left.called)
            )
            assert int(table.gold_size.sum()) == count(left) - (twice // 2 if left is right else twice)
            for warning in (*left.warnings, *right.warnings, *paired.warnings):
                assert "\n" not in warning
            if left is right and match == "exact":
                assert not any("differ" in warning for warning in paired.warnings)
    assert all(
        sum(map(len, document.clusters.values())) == len(document.mentions) for document in file.documents.values()
    )
    assert repr(file)


def count(file: CorefFile) -> int:
    return sum(len(document.mentions) for document in file.documents.values())


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=200))
def test_random_bytes(data: bytes) -> None:
    try_all(data)


@settings(max_examples=90, deadline=None)
@given(SOUP)
def test_soup(text: str) -> None:
    try_all(text.encode("utf-8", "surrogatepass"))
    try_all(b"#begin document (a); part 000\n" + text.encode("utf-8", "surrogatepass"))
    try_all(b"# global.Entity = eid-etype-head-other\n1\t" + text.encode("utf-8", "surrogatepass"))


@settings(max_examples=60, deadline=None)
@given(st.lists(JSON, max_size=3))
def test_json(values: list[object]) -> None:
    try_all("\n".join(map(json.dumps, values)).encode())
    try_all(json.dumps({"doc_key": "a", "clusters": values}).encode())


def in_sentences(document: Document) -> Document:
    """The same without mentions that go across sentences, which many programs cannot write."""
    ends = [sum(map(len, document.sentences[: k + 1])) for k in range(len(document.sentences))]
    kept = {
        entity: [((a, b),) for ((a, b),) in mentions if not any(a < end <= b for end in ends)]
        for entity, mentions in document.entities.items()
    }
    return Document(document.name, document.part, document.sentences, kept)


@pytest.mark.parametrize("name", [*FORMATS, *SHAPES])
def test_cut_and_shuffled_lines(name: str) -> None:
    rng = random.Random(name)
    _, write = {**FORMATS, **SHAPES}[name]
    text = write(DOCUMENTS if name in FORMATS else list(map(in_sentences, DOCUMENTS))).encode()
    for _ in range(8 if name in FORMATS else 3):
        start, stop = sorted(rng.randrange(len(text)) for _ in range(2))
        try_all(text[:start] + text[stop:])
        lines = text.split(b"\n")
        rng.shuffle(lines)
        try_all(b"\n".join(lines))
        changed = bytearray(text)
        for _ in range(5):
            changed[rng.randrange(len(changed))] = rng.choice(b'()|-\t\n 1#[]{}"e.')
        try_all(bytes(changed))


def test_deep_json() -> None:
    try_all(b'{"clusters": ' + b"[" * 100_000 + b"]" * 100_000 + b"}")
    try_all(b'{"clusters": [[[' + b"9" * 5000 + b", 1]]]}")
