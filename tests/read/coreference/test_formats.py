"""Whatever is written in one of the formats comes back from all of them."""

from __future__ import annotations

import gzip
import io
import json
import random
import sys
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import clusterscore as cs
from clusterscore.read.coreference import ENDINGS, CorefFile, pair_coreference, read_coreference
from clusterscore.read.coreference.coref_file import paired_name
from clusterscore.read.formats import by_name
from read.coreference.writers import (
    FORMATS,
    Document,
    changed,
    characters,
    conll,
    corefud,
    entities_of,
    jsonlines,
    random_document,
    written,
)

SHARED = Path(__file__).resolve().parents[3].parent / "shared"
CASES = SHARED / "data" / "conll-testsuite"
GOLDEN = SHARED / "golden" / "conll.json"


def read(tmp_path: Path, text: str, name: str = "file.txt", **options: Any) -> CorefFile:
    (tmp_path / name).write_bytes(text.encode())
    return read_coreference(tmp_path / name, **options)


def cells(key: CorefFile, response: CorefFile, **options: Any) -> Counter[tuple[Any, ...]]:
    """All that decides a score: the overlaps and sizes of the entities of each document."""
    paired = pair_coreference(key, response, **options)
    table = cs.Table.from_labels(paired.gold, paired.pred, missing="keep")
    names = [None if name is None else paired_name(name) for name in table.documents]
    counted: Counter[tuple[Any, ...]] = Counter()
    sizes = {"gold": table.gold_size, "pred": table.pred_size}
    where = {"gold": table.cells.gold.document, "pred": table.cells.pred.document}
    for i, j, n in zip(table.gold.tolist(), table.pred.tolist(), table.n.tolist(), strict=True):
        document = where["gold"]
        at = None if document is None else names[document[i]]
        counted[at, int(n), int(sizes["gold"][i]), int(sizes["pred"][j])] += 1
    for side, size in sizes.items():
        document = where[side]
        for k in np.flatnonzero(size).tolist():
            counted[side, None if document is None else names[document[k]], int(size[k])] += 1
    return counted


def documents(seed: int, count: int = 6, **options: Any) -> list[Document]:
    rng = random.Random(seed)
    return [random_document(rng, k, **options) for k in range(count)]


class TestRoundTrip:
    @pytest.mark.parametrize("name", FORMATS)
    @pytest.mark.parametrize("seed", range(8))
    def test_the_same_entities_come_back(self, tmp_path: Path, name: str, seed: int) -> None:
        some = documents(seed, repeats=seed % 2 == 1)
        form, write = FORMATS[name]
        for given in (None, form):
            file = read(tmp_path, write(some), form=given)
            assert file.form == form
            assert entities_of(file) == written(some)
            assert file.warnings == []
            assert [document.tokens for document in file.documents.values()] == [
                len(document.tokens) for document in some
            ]

    @pytest.mark.parametrize("seed", range(8))
    def test_mentions_with_gaps(self, tmp_path: Path, seed: int) -> None:
        some = documents(seed, gaps=True)
        assert any(len(mention) > 1 for document in some for _, mention in document.items())
        file = read(tmp_path, corefud(some))
        assert entities_of(file) == written(some)
        assert file.warnings == []

    @pytest.mark.parametrize("seed", range(6))
    def test_all_formats_are_scored_alike(self, tmp_path: Path, seed: int) -> None:
        rng = random.Random(seed)
        keys = documents(seed, repeats=seed > 2)
        responses = [changed(rng, document) for document in keys]
        left = {name: read(tmp_path, write(keys)) for name, (_, write) in FORMATS.items()}
        right = {name: read(tmp_path, write(responses)) for name, (_, write) in FORMATS.items()}
        for options in ({}, {"singletons": "drop"}, {"match": "exact", "singletons": "keep"}):
            wanted = None
            for form, key in left.items():
                for other, response in right.items():
                    if form == other == "corefud" and seed > 2:  # there a mention that is there twice counts otherwise
                        continue
                    counted = cells(key, response, **options)
                    wanted = wanted or counted
                    assert counted == wanted, (form, other)
                    warnings = pair_coreference(key, response).warnings
                    assert not any("token" in warning and "differ" in warning for warning in warnings)

    def test_characters_are_scored_alike(self, tmp_path: Path) -> None:
        keys = documents(3)
        responses = [changed(random.Random(3), document) for document in keys]
        key, response = (read(tmp_path, characters(some), offsets="characters") for some in (keys, responses))
        assert key.warnings == []
        assert key.offsets == "characters"
        key_tokens, response_tokens = (read(tmp_path, jsonlines(some)) for some in (keys, responses))
        assert cells(key, response) == cells(key_tokens, response_tokens)
        assert not any("differ" in warning for warning in pair_coreference(key, response).warnings)


class TestTelling:
    @pytest.mark.parametrize(
        ("name", "form"),
        [
            ("a.conll", "conll"), ("a.v4_gold_conll", "conll"), ("a.v4_auto_conll.gz", "conll"), ("a.key", "conll"),
            ("a.response", "conll"), ("a.gold_skel", "conll"), ("a.skel", "conll"), ("a.conllu", "corefud"),
            ("a.CONLLU.xz", "corefud"), ("a.jsonl", "jsonlines"), ("a.jsonlines", "jsonlines"), ("a.txt", None),
        ],
    )  # fmt: skip
    def test_by_name(self, name: str, form: str | None) -> None:
        assert by_name(name, ENDINGS) == form

    def test_what_is_in_it_counts_more(self, tmp_path: Path) -> None:
        some = documents(1)
        assert read(tmp_path, corefud(some), "x.key").form == "corefud"
        assert read(tmp_path, conll(some), "x.conllu").form == "conll"
        assert read(tmp_path, jsonlines(some), "x.conll").form == "jsonlines"

    def test_ten_columns_are_enough(self, tmp_path: Path) -> None:
        text = "1\ta" + "\t_" * 7 + "\tEntity=(e1-x-1-)\n2\tb" + "\t_" * 8 + "\n"
        file = read(tmp_path, text)
        assert file.form == "corefud"
        assert file.documents["1"].clusters == {"e1": [(0, 0)]}

    @pytest.mark.parametrize(
        ("text", "form", "message"),
        [
            (corefud(documents(1)), "conll", 'is CorefUD (CoNLL-U), not CoNLL-2012; read it as "corefud"'),
            (conll(documents(1)), "corefud", 'is CoNLL-2012, not CorefUD (CoNLL-U); read it as "conll"'),
            (conll(documents(1)), "jsonlines", 'is CoNLL-2012, not JSON lines; read it as "conll"'),
            (jsonlines(documents(1)), "conll", 'is JSON lines, not CoNLL-2012; read it as "jsonlines"'),
        ],
    )
    def test_the_wrong_one(self, tmp_path: Path, text: str, form: str, message: str) -> None:
        with pytest.raises(cs.ClusterscoreError) as caught:
            read(tmp_path, text, form=form)
        assert str(caught.value) == f"{str(tmp_path / 'file.txt')!r} {message}"

    @pytest.mark.parametrize(
        ("text", "name", "message"),
        [
            ("", "a.conll", "is empty"),
            (" \n\n", "a.conll", "is empty"),
            ("a b c\n", "a.txt", "not a known kind of coreference file"),
            ("a 0 0 the (1)\n", "a.conll", "has no documents: no line begins with"),
            ("a\tb\n", "a.conllu", "has no words"),
            ("nothing\n", "a.jsonl", "line 1 is not JSON"),
            ("[]\n", "a.jsonl", "has no documents"),
            ("5\n", "a.jsonl", "line 1 is not a JSON object but an int"),
            ("# newdoc\n# global.Entity = etype-head\n1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n", "a.conllu", "names no eid"),
        ],
    )
    def test_nothing_to_read(self, tmp_path: Path, text: str, name: str, message: str) -> None:
        with pytest.raises(cs.ClusterscoreError, match=message) as caught:
            read(tmp_path, text, name)
        assert "\n" not in str(caught.value)
        assert str(tmp_path / name) in str(caught.value)

    def test_other_trouble_with_files(self, tmp_path: Path) -> None:
        for name, data, message in [("a", b"#begin document x\n\xff", "UTF-8"), ("b", b"a\0b", "NUL")]:
            (tmp_path / name).write_bytes(data)
            with pytest.raises(cs.ClusterscoreError, match=message):
                read_coreference(tmp_path / name)
        with pytest.raises(cs.ClusterscoreError, match="no file"):
            read_coreference(tmp_path / "absent.conll")
        with pytest.raises(cs.ClusterscoreError, match="form='x' is not an option"):
            read(tmp_path, conll(documents(1)), form="x")
        with pytest.raises(cs.ClusterscoreError, match="offsets='x' is not an option"):
            read(tmp_path, conll(documents(1)), offsets="x")
        with pytest.raises(cs.ClusterscoreError, match="is conll, which has tokens"):
            read(tmp_path, conll(documents(1)), offsets="characters")

    def test_compressed_and_standard_input(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        some = documents(2)
        (tmp_path / "a.conll.gz").write_bytes(gzip.compress(conll(some).encode()))
        assert entities_of(read_coreference(tmp_path / "a.conll.gz")) == written(some)
        data = b"\xef\xbb\xbf" + conll(some).encode()
        monkeypatch.setattr(sys, "stdin", type("In", (), {"buffer": io.BytesIO(data)}))
        file = read_coreference("-")
        assert entities_of(file) == written(some)
        assert file.called == "standard input"


@pytest.mark.skipif(not GOLDEN.exists() or not CASES.exists(), reason="the reference cases (shared/) are not here")
class TestReferenceCases:
    def test_every_file_is_read_without_a_word(self) -> None:
        paths = sorted(CASES.iterdir())
        assert len(paths) == 50
        for path in paths:
            file = read_coreference(path)
            assert file.form == "conll"
            assert file.warnings == []
            assert len(file.documents) == 1

    def test_counts(self) -> None:
        """MUC and B-cubed, worked out by hand from the table, against exact fractions."""
        golden = json.loads(GOLDEN.read_text(encoding="utf-8"))["cases"]
        assert len(golden) == 36
        for name, case in golden.items():
            paired = pair_coreference(read_coreference(CASES / case["key"]), read_coreference(CASES / case["response"]))
            table = cs.Table.from_labels(paired.gold, paired.pred, missing="keep")
            a, b = table.gold_size[table.gold].tolist(), table.pred_size[table.pred].tolist()
            n = table.n.astype(int).tolist()
            counts = {
                "R_num": sum(Fraction(k * k, size) for k, size in zip(n, map(int, a), strict=True)),
                "R_den": int(table.gold_size.sum()),
                "P_num": sum(Fraction(k * k, size) for k, size in zip(n, map(int, b), strict=True)),
                "P_den": int(table.pred_size.sum()),
            }
            wanted = {kind: Fraction(value) for kind, value in case["metrics"]["bcub"]["counts"].items()}
            assert counts == wanted, name
            muc = {kind: Fraction(value) for kind, value in case["metrics"]["muc"]["counts"].items()}
            assert sum(k - 1 for k in n) == muc["R_num"] == muc["P_num"], name
            for size, den in ((table.gold_size, "R_den"), (table.pred_size, "P_den")):
                assert sum(int(k) - 1 for k in size.tolist() if k) == muc[den], name
