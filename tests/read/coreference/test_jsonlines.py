"""JSON lines: the keys of several systems, and what is said where something is wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from clusterscore.read.coreference import CorefFile, read_coreference

WORDS = [["a", "b"], ["c", "d"]]


def read(tmp_path: Path, *documents: Any, **options: Any) -> CorefFile:
    path = tmp_path / "a.jsonl"
    path.write_text("".join(json.dumps(document) + "\n" for document in documents), encoding="utf-8")
    return read_coreference(path, **options)


def warnings_of(tmp_path: Path, file: CorefFile) -> list[str]:
    return [warning.removeprefix(f"{str(tmp_path / 'a.jsonl')!r}: ") for warning in file.warnings]


def clusters(file: CorefFile, name: str = "d") -> list[list[tuple[int, ...]]]:
    return list(file.documents[name].clusters.values())


class TestKeys:
    def test_gold_and_predicted(self, tmp_path: Path) -> None:
        both = {"doc_key": "d", "sentences": WORDS, "clusters": [[[0, 0]]], "predicted_clusters": [[[1, 2]]]}
        assert clusters(read(tmp_path, both)) == [[(1, 2)]]
        assert clusters(read(tmp_path, both, key=True)) == [[(0, 0)]]
        del both["clusters"]
        assert clusters(read(tmp_path, both, key=True)) == [[(1, 2)]]

    def test_both_kinds_of_offsets(self, tmp_path: Path) -> None:
        maverick = {
            "doc_key": "d", "tokens": ["ab", "c"], "text": "ab c",
            "clusters_token_offsets": [[[0, 0], [1, 1]]], "clusters_char_offsets": [[[0, 1], [3, 3]]],
        }  # fmt: skip
        assert clusters(read(tmp_path, maverick)) == [[(0, 0), (1, 1)]]
        file = read(tmp_path, maverick, offsets="characters")
        assert clusters(file) == [[(0, 1), (3, 3)]]
        assert file.documents["d"].tokens == 4
        fastcoref = {"doc_key": "d", "text": "ab c", "clusters": [[[0, 2], [3, 4]]]}
        assert clusters(read(tmp_path, fastcoref, offsets="characters")) == [[(0, 1), (3, 3)]]

    def test_lists_objects_and_names(self, tmp_path: Path) -> None:
        document = {"doc_id": 5, "sentences": WORDS, "clusters": {"x": [[0, 0]], "y": [[1, 1]]}}
        file = read(tmp_path, document)
        assert file.documents["5"].clusters == {"x": [(0, 0)], "y": [(1, 1)]}
        for text in (json.dumps(document, indent=2), json.dumps([document]), json.dumps([document], indent=2)):
            (tmp_path / "b.json").write_text(text)
            assert read_coreference(tmp_path / "b.json").documents["5"].clusters == file.documents["5"].clusters

    def test_entities_go_by_where_they_appear(self, tmp_path: Path) -> None:
        file = read(tmp_path, {"doc_key": "d", "clusters": [[[3, 3], [2, 2]], [[1, 1]], [[1, 2]]]})
        assert list(file.documents["d"].clusters) == ["1", "2", "0"]


class TestTrouble:
    def test_mentions(self, tmp_path: Path) -> None:
        bad = [[1], [1, 2, 3], "x", [2, 1], [-1, 0], [0.0, 1.0], [True, True], [0, 10**30], None, [0, 0]]
        file = read(tmp_path, {"doc_key": "d", "clusters": [bad, 5, [[1, 1]]]})
        assert clusters(file) == [[(0, 0)], [(1, 1)]]
        assert warnings_of(tmp_path, file) == [
            "9 mentions not given as [start, end] (e.g. '[1]' in line 1, document 'd'); left out",
            "1 cluster not given as a list of mentions (e.g. '5' in line 1, document 'd'); left out",
        ]

    def test_beyond_the_last_token(self, tmp_path: Path) -> None:
        file = read(tmp_path, {"doc_key": "d", "sentences": WORDS, "clusters": [[[0, 3], [3, 4]]]})
        assert clusters(file) == [[(0, 3), (3, 4)]]
        assert warnings_of(tmp_path, file) == [
            "1 mention ending behind the last token of its document (e.g. '[3, 4]' in line 1, document 'd'); kept"
        ]

    def test_documents(self, tmp_path: Path) -> None:
        file = read(
            tmp_path,
            {"doc_key": "d", "clusters": []},
            {"clusters": []},
            {"doc_key": "e"},
            {"doc_key": "d", "clusters": [[[1, 1]]]},
        )
        assert warnings_of(tmp_path, file) == [
            "1 document with the name of a later one (e.g. 'd' in line 1, again in line 4); only the last of them "
            "counts, as in the reference scorer",
            "1 document without a doc_key (e.g. line 2); each goes by its number in the file",
            "1 document without clusters (e.g. line 3, document 'e'); scored as empty",
        ]
        assert list(file.documents) == ["2", "e", "d"]
        assert clusters(file) == [[(1, 1)]]

    def test_a_text_without_tokens(self, tmp_path: Path) -> None:
        assert warnings_of(tmp_path, read(tmp_path, {"doc_key": "d", "text": "a b", "clusters": []})) == [
            "1 document with a text but no tokens (e.g. line 1, document 'd'); its offsets are read as tokens, the "
            'last one included: say offsets="characters" if they count characters'
        ]
