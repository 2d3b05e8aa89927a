"""The words of mentions and the words around them, in every format: against texts that were put together by hand."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import clusterscore as cs

UD = """\
# global.Entity = eid-etype-head-other
# newdoc id = d
# sent_id = 1
1\tEl\t_\t_\t_\t_\t_\t_\t_\tEntity=(e1-x-1-
2\tviejo\t_\t_\t_\t_\t_\t_\t_\t_
3\tpuente\t_\t_\t_\t_\t_\t_\t_\tEntity=e1)
4\tcayó\t_\t_\t_\t_\t_\t_\t_\tEntity=(e2[1/2]-x-1-)
5\tayer\t_\t_\t_\t_\t_\t_\t_\t_
6\tsolo\t_\t_\t_\t_\t_\t_\t_\tEntity=(e2[2/2]-x-1-)

# sent_id = 2
0.1\t_\t_\t_\t_\t_\t_\t_\t_\tEntity=(e1-x-1-)
1\tEra\t_\t_\t_\t_\t_\t_\t_\t_
1.1\tél\t_\t_\t_\t_\t_\t_\t_\tEntity=(e1-x-1-)
2\tlargo\t_\t_\t_\t_\t_\t_\t_\t_
"""


def rows_of(folder: Path, name: str, key: str, response: str, **options: Any) -> cs.Columns:
    """The elements of two files."""
    for file, text in ((f"key{name}", key), (f"response{name}", response)):
        (folder / file).write_text(text, encoding="utf-8")
    return cs.elements(cs.coref(folder / f"key{name}", folder / f"response{name}", **options).table)


def conll(cells: list[tuple[str, str]], name: str = "(d); part 000") -> str:
    lines = [f"d 0 {k} {word} - {cell}" for k, (word, cell) in enumerate(cells)]
    return "\n".join([f"#begin document {name}", *lines, "#end document", ""])


def test_conll(tmp_path: Path) -> None:
    """Nested, crossing and one-sided mentions, in the order of the document; of two that begin together the longer."""
    words, nested, response = "ABCDEF", ["(1(2", "(3", "1)", "3)2)", "(4)", "-"], ["(1(2", "-", "1)", "2)", "-", "(9)"]
    both = (conll(list(zip(words, cells, strict=True))) for cells in (nested, response))
    rows = rows_of(tmp_path, ".conll", *both)
    assert rows["element"].tolist() == ["0–3", "0–2", "1–3", "4", "5"]
    assert rows["text"].tolist() == ["A B C D", "A B C", "B C D", "E", "F"]
    assert rows["context"].tolist() == [
        "[A B C D] E F",
        "[A B C] D E F",
        "A [B C D] E F",
        "A B C D [E] F",
        "A B C D E [F]",
    ]
    assert rows["gold"].tolist() == ["2", "1", "3", "4", None]
    assert rows["pred"].tolist() == ["2", "1", None, None, "9"]


def test_words_that_only_one_file_has(tmp_path: Path) -> None:
    """A skeleton has [WORD] in the place of words: the other file lends its own; without any, spans remain."""
    key = conll([("[WORD]", "(1"), ("[WORD]", "1)"), ("[WORD]", "(2)")])
    response = conll([("Ann", "(1"), ("Lee", "1)"), ("left", "-")])
    assert rows_of(tmp_path, ".conll", key, response)["text"].tolist() == ["Ann Lee", "left"]
    without = rows_of(tmp_path, ".conll", key, key)
    assert "text" not in without
    assert without["element"].tolist() == ["0–1", "2"]
    assert without.notes == ["the files have no words: mentions are shown by the numbers of their tokens"]
    assert "best_match_text" not in cs.clusters(cs.coref(tmp_path / "key.conll", tmp_path / "key.conll").table)


def test_corefud(tmp_path: Path) -> None:
    """Discontinuous mentions, and zeros: empty nodes with and without a form, also before the first word."""
    response = UD.replace("Entity=(e2[1/2]-x-1-)", "_").replace("Entity=(e2[2/2]-x-1-)", "_")
    rows = rows_of(tmp_path, ".conllu", UD, response)
    assert rows["element"].tolist() == ["0–2", "3,5", "5.1", "6.1"]
    assert rows["text"].tolist() == ["El viejo puente", "cayó … solo", "∅", "él"]
    assert rows["context"].tolist()[1:] == [
        "El viejo puente [cayó] ayer [solo] ∅ Era él largo",
        "El viejo puente cayó ayer solo [∅] Era él largo",
        "El viejo puente cayó ayer solo ∅ Era [él] largo",
    ]
    clusters = cs.clusters(cs.coref(tmp_path / "key.conllu", tmp_path / "response.conllu").table, side="gold")
    assert dict(zip(clusters["cluster"], clusters["text"], strict=True)) == {
        "e1": "El viejo puente",
        "e2": "cayó … solo",
    }


def test_jsonlines(tmp_path: Path) -> None:
    tokens = {"doc_key": "a_0", "sentences": [["Ann", "met", "Bob"], ["She", "left"]]}
    key = json.dumps({**tokens, "clusters": [[[0, 0], [3, 3]], [[2, 2]]]})
    rows = rows_of(tmp_path, ".jsonl", key, json.dumps({**tokens, "clusters": [[[0, 0], [2, 3]]]}))
    assert rows["text"].tolist() == ["Ann", "Bob She", "Bob", "She"]
    text = {"doc_key": "a_0", "text": "Ann met Bob. She left."}
    key = json.dumps({**text, "clusters": [[[0, 3], [13, 16]]]})
    rows = rows_of(tmp_path, ".jsonl", key, key, offsets="characters")
    assert rows["element"].tolist() == ["0–2", "13–15"]
    assert rows["context"].tolist() == ["[Ann] met Bob. She left.", "Ann met Bob. [She] left."]
    bare = json.dumps({"doc_key": "a_0", "clusters": [[[0, 0], [3, 3]]]})
    assert "text" not in rows_of(tmp_path, ".jsonl", bare, bare)


def test_long_ones_are_cut_where_words_end(tmp_path: Path) -> None:
    words = [f"w{k:03d}" for k in range(200)]
    cells = ["-"] * 200
    cells[50], cells[149], cells[10] = "(1", "1)", "(2)"
    key = conll(list(zip(words, cells, strict=True)))
    rows = rows_of(tmp_path, ".conll", key, key)
    short, long = rows["context"].tolist()
    assert short == "… w002 w003 w004 w005 w006 w007 w008 w009 [w010] w011 w012 w013 w014 w015 w016 w017 w018 …"
    assert long.startswith("… w042 w043 w044 w045 w046 w047 w048 w049 [w050 w051")
    assert long.endswith("w148 w149] w150 w151 w152 w153 w154 w155 w156 w157 …")
    assert len(long) < 300
    assert rows["text"].tolist()[1] == " ".join(words[50:150])  # in full
    (gloss,) = cs.clusters(cs.coref(tmp_path / "key.conll", tmp_path / "key.conll").table, side="gold")["text"][:1]
    assert gloss in ("w010", "w050 w051 w052 w053 w054 w055 w056 w057 …")


def test_entities_are_known_by_their_longest_mention(tmp_path: Path) -> None:
    key = conll([("She", "(1)"), ("Maria", "(1"), ("Lopez", "1)"), ("her", "(1)"), ("Anna", "(1"), ("Lopes", "1)")])
    table = cs.coref(*(_written(tmp_path / name, key) for name in ("key.conll", "response.conll"))).table
    assert cs.clusters(table)["text"].tolist() == ["Maria Lopez", "Maria Lopez"]  # of equal ones the first
    assert cs.error_cells(table)["gold_text"].tolist() == ["Maria Lopez"]


def _written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def test_entities_across_documents_have_the_document_of_each_mention(tmp_path: Path) -> None:
    both = [conll([("Ann", "(1)"), ("Bob", "(2)")], f"({name}); part 000") for name in "ab"]
    path = _written(tmp_path / "key.conll", "".join(both))
    rows = cs.elements(cs.coref(path, path, cross_document=True).table)
    assert rows["document"].tolist() == ["(a); part 000"] * 2 + ["(b); part 000"] * 2
    assert rows["gold_size"].tolist() == [2] * 4


def test_a_copy_has_its_words(tmp_path: Path) -> None:
    table = cs.coref("examples/key.conll", "examples/response.conll").table
    again = pickle.loads(pickle.dumps(table))
    assert cs.elements(again).rows() == cs.elements(table).rows()


def test_the_words_are_read_when_somebody_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    from clusterscore.read.coreference.coref_file import Tokens

    def refuse(self: Tokens) -> None:
        raise AssertionError("nobody asked for words")

    monkeypatch.setattr(Tokens, "words", refuse)
    card = cs.coref("examples/key.conll", "examples/response.conll")
    assert card["conll"].value == pytest.approx(0.7777, abs=1e-4)
    with pytest.raises(AssertionError, match="nobody asked"):
        cs.elements(card.table)


def test_documents_that_one_side_does_not_have(tmp_path: Path) -> None:
    """A document that the response leaves out, and one that is empty on one side: all its mentions are one-sided."""
    cells = {"a": "(1)", "b": "(1)", "c": "-"}
    a, b, c = (conll([("Ann", "(1)"), ("she", cells[name])], f"({name}); part 000") for name in cells)
    empty = conll([("Ann", "-"), ("she", "-")], "(c); part 000")
    key, response = _written(tmp_path / "k.conll", a + b + empty), _written(tmp_path / "r.conll", a + c)
    with pytest.warns(cs.ClusterscoreWarning, match="1 document of the 3 in .* missing"):
        card = cs.coref(key, response)
    rows = cs.elements(card.table)
    kinds = cs.errors(card.table)
    assert rows["document"].tolist() == [f"({d}); part 000" for d in "aabbc"]
    assert dict(zip(kinds["kind"], kinds["elements"].tolist(), strict=True))["missing"] == 2
    assert dict(zip(kinds["kind"], kinds["elements"].tolist(), strict=True))["spurious"] == 1
    assert rows["loss"].sum() == pytest.approx(1 - card["b3"].f)
    assert np.isin(["[Ann] she"], rows["context"]).all()
