"""CorefUD: items, heads, mentions with gaps, empty nodes; and matching by head and in part."""

from __future__ import annotations

import random
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

import clusterscore as cs
from clusterscore.read.coreference import CorefFile, pair_coreference, read_coreference
from clusterscore.read.coreference.coref_file import EmptyNode
from read.coreference.writers import Document, Mention, corefud, random_document

HEADER = "# global.Entity = eid-etype-head-other"
W = 1 << 12  # from a word to the next, where words are listed


def conllu(
    tmp_path: Path, *rows: str, header: str = HEADER, newdoc: str = "# newdoc id = d", name: str = "a"
) -> CorefFile:
    """Rows are an id and a value of Entity, or other lines as they are."""
    lines = [newdoc, header] if header else [newdoc]
    for row in rows:
        number, _, cell = row.partition(" ")
        plain = not number[:1].isdigit() or "\t" in number
        lines.append(row if plain else "\t".join([number, f"w{number}", *"_______", f"Entity={cell}" if cell else "_"]))
    (tmp_path / name).write_text("\n".join([*lines, "", ""]), encoding="utf-8")
    return read_coreference(tmp_path / name, "corefud")


def clusters(tmp_path: Path, *rows: str, **options: Any) -> dict[str, list[tuple[int, ...]]]:
    file = conllu(tmp_path, *rows, **options)
    assert file.warnings == []
    return file.documents["d"].clusters


class TestItems:
    def test_a_real_cell(self, tmp_path: Path) -> None:
        rows = "1 (e1-person-2-(e2-x-1-)", "2 e1)(e3--1", "3 e3)(e1-x-1-)"
        assert clusters(tmp_path, *rows) == {"e1": [(0, 1), (2, 2)], "e2": [(0, 0)], "e3": [(1, 2)]}

    def test_from_left_to_right(self, tmp_path: Path) -> None:
        rows = "1 (e1-x-1-", "2 e1)(e1-x-1-", "3 e1)"
        assert clusters(tmp_path, *rows) == {"e1": [(0, 1), (1, 2)]}

    def test_nested_with_one_id(self, tmp_path: Path) -> None:
        assert clusters(tmp_path, "1 (e1-x-1-", "2 (e1-x-1-", "3 e1)", "4 e1)") == {"e1": [(0, 3), (1, 2)]}

    def test_ranges_and_sentences_do_not_count(self, tmp_path: Path) -> None:
        rows = "1-2", "1 (e1-x-1-", "2", "", "# text = Entity=(e9-x-1-)", "1 e1)", "2 (e2-x-1-)"
        assert clusters(tmp_path, *rows) == {"e1": [(0, 2)], "e2": [(3, 3)]}

    def test_only_the_last_column_and_only_its_own_value(self, tmp_path: Path) -> None:
        form = "1\tEntity=(e9-x-1-)\t_\t_\t_\t_\t_\t_\t_\tMyEntity=(e8-x-1-)|Entity=(e1-x-1-)|X=a b\r"
        assert clusters(tmp_path, form, "2 (e1-x-1-)") == {"e1": [(0, 0), (1, 1)]}

    def test_blanks_at_the_end_of_a_line_are_no_item(self, tmp_path: Path) -> None:
        assert clusters(tmp_path, "1 (e1-x-1-)  ", "2 (e1-x-1-)\t") == {"e1": [(0, 0), (1, 1)]}

    def test_other_fields(self, tmp_path: Path) -> None:
        rows = "1 (person-7-new-2", "2 7)"
        file = conllu(tmp_path, *rows, header="# global.Entity = etype-GRP-infstat-head")
        assert file.documents["d"].clusters == {"7": [(0, 1)]}
        assert [head for _, _, head in file.documents["d"].mentions] == [1 * W]
        assert not conllu(tmp_path, "1 (x-7", "2 x-7)", header="# global.Entity = entity-GRP").has_heads

    def test_documents(self, tmp_path: Path) -> None:
        rows = "1 (e1-x-1-)", "# newdoc", "1 (e1-x-1-)", "# newdoc id = é", "1 (e2-x-1-)"
        file = conllu(tmp_path, *rows, newdoc="# sent_id = 1")
        assert {name: document.clusters for name, document in file.documents.items()} == {
            "1": {"e1": [(0, 0)]}, "2": {"e1": [(0, 0)]}, "é": {"e2": [(0, 0)]},
        }  # fmt: skip


class TestGapsAndEmptyNodes:
    def test_gaps(self, tmp_path: Path) -> None:
        rows = "1 (e1[1/2]-x-3-", "2 e1[1/2])", "3", "4 (e1[2/2]-x-3-)", "5 (e1-x-1-)"
        file = conllu(tmp_path, *rows)
        assert file.documents["d"].clusters == {"e1": [(0, W, 3 * W), (4, 4)]}
        assert [head for _, _, head in file.documents["d"].mentions] == [3 * W, 4 * W]
        assert file.warnings == []

    def test_pieces_without_a_gap_are_one(self, tmp_path: Path) -> None:
        assert clusters(tmp_path, "1 (e1[1/2]-x-1-)", "2 (e1[2/2]-x-1-)") == {"e1": [(0, 1)]}

    def test_two_of_one_entity_at_once(self, tmp_path: Path) -> None:
        rows = "1 (e1[1/2]-x-1-)", "2 (e1[1/3]-x-1-)", "3 (e1[2/3]-x-1-)", "4", "5 (e1[3/3]-x-1-)", "6 (e1[2/2]-x-1-)"
        assert clusters(tmp_path, *rows) == {"e1": [(0, 5 * W), (W, 2 * W, 4 * W)]}

    def test_empty_nodes(self, tmp_path: Path) -> None:
        rows = "0.1 (e1-x-1-)", "1 (e1-x-2-", "1.1", "2 e1)", "2.1 (e2-x-1-)", "", "0.1 (e2-x-1-)", "1 (e3-x-1-)"
        assert clusters(tmp_path, *rows) == {
            "e1": [(-W + 1 + W // 2,), (0, 1, W)],
            "e2": [(W + 1,), (W + 1 + W // 2,)],
            "e3": [(2, 2)],
        }

    def test_they_do_not_shift_words(self, tmp_path: Path) -> None:
        key = conllu(tmp_path, "1 (e1-x-1-)", "1.1 (e1-x-1-)", "2 (e1-x-1-)")
        response = conllu(tmp_path, "1 (e5-x-1-)", "2 (e5-x-1-)", name="b")
        paired = pair_coreference(key, response)
        assert paired.warnings == []
        assert paired.gold.ids.tolist() == [0, 1, 2]
        assert paired.pred.ids.tolist() == [0, 2]

    def test_the_same_words_in_two_ways(self, tmp_path: Path) -> None:
        """A stretch less its empty node is the stretch of a file without empty nodes."""
        key = conllu(tmp_path, "1 (e1[1/2]-x-1-)", "1.1", "2 (e1[2/2]-x-1-)")
        response = conllu(tmp_path, "1 (e5-x-1-", "2 e5)", name="b")
        assert pair_coreference(key, response).pred.ids.tolist() == [0]


class TestTrouble:
    def warnings_of(self, tmp_path: Path, *rows: str, **options: Any) -> list[str]:
        file = conllu(tmp_path, *rows, **options)
        return [warning.removeprefix(f"{str(tmp_path / 'a')!r}: ") for warning in file.warnings]

    def test_brackets(self, tmp_path: Path) -> None:
        rows = "1 (e1-x-1-", "2 e2)(e3[1/2]-x-1-)", "3 (e4[2/2]-x-1-", "4 e4)", "5 (e5-x-1-)", "6 (e6[1/2]-x-1-"
        assert self.warnings_of(tmp_path, *rows) == [
            "1 mention closed but never opened (e.g. 'e2)' in line 4, document 'd'); left out",
            "1 mention without the piece that should come before (e.g. '(e4[2/2]-x-1-' in line 5, document 'd'); left "
            "out",
            "3 mentions opened but never closed (e.g. '(e1' in line 3, document 'd'); left out",
        ]
        assert conllu(tmp_path, *rows).documents["d"].clusters == {"e5": [(4, 4)]}

    def test_at_the_end_of_a_document(self, tmp_path: Path) -> None:
        assert self.warnings_of(tmp_path, "1 (e1-x-1-", "# newdoc id = e", "1 e1)") == [
            "1 mention opened but never closed (e.g. '(e1' in line 3, document 'd'); left out",
            "1 mention closed but never opened (e.g. 'e1)' in line 5, document 'e'); left out",
        ]

    def test_other_things(self, tmp_path: Path) -> None:
        assert self.warnings_of(tmp_path, "1 e1", "2 ()", "3 (-x-1-)", "4 )") == [
            "4 mentions not written as (id-.., (id-..) or id) (e.g. 'e1' in line 3, document 'd'); left out"
        ]

    def test_heads(self, tmp_path: Path) -> None:
        rows = "1 (e1-x-x-)", "2 (e1-x-0-)", "3 (e1-x-3-", "4 e1)"
        assert self.warnings_of(tmp_path, *rows) == [
            "3 mentions whose head is none of the words (e.g. '(e1-x-x-' in line 3, document 'd'); the first is "
            "taken for it"
        ]
        assert [head for _, _, head in conllu(tmp_path, *rows).documents["d"].mentions] == [0, W, 2 * W]

    def test_no_header(self, tmp_path: Path) -> None:
        assert self.warnings_of(tmp_path, "1 (e1-x-1-)", header="") == [
            "no line # global.Entity = ..; entities are read as eid-etype-head-other"
        ]

    def test_lines(self, tmp_path: Path) -> None:
        assert self.warnings_of(tmp_path, "1 (e1-x-1-)", "word", "x y") == [
            "2 lines without the number of a word (e.g. line 4: 'word'); left out"
        ]

    def test_one_name_twice(self, tmp_path: Path) -> None:
        rows = "1 (e1-x-1-)", "# newdoc id = d", "1", "2 (e1-x-1-)"
        assert self.warnings_of(tmp_path, *rows) == [
            "1 document with the name of an earlier one (e.g. 'd' in line 4, before in line 1); they count as one, as "
            "in the CorefUD scorer"
        ]
        assert conllu(tmp_path, *rows).documents["d"].clusters == {"e1": [(0, 0), (2, 2)]}
        assert conllu(tmp_path, *rows).documents["d"].tokens == 3


class TestMatching:
    def partners(self, tmp_path: Path, key: list[str], response: list[str], match: str) -> list[int]:
        left, right = conllu(tmp_path, *key), conllu(tmp_path, *response, name="b")
        paired = pair_coreference(left, right, match=match)
        count = len(paired.gold)
        return [mention if mention < count else -1 for mention in paired.pred.ids.tolist()]

    def test_head(self, tmp_path: Path) -> None:
        key = ["1 (e1-x-2-", "2", "3 e1)", "4 (e2-x-1-)"]
        assert self.partners(tmp_path, key, ["1", "2 (e5-x-1-)", "3", "4 (e5-x-1-)"], "head") == [0, 1]
        assert self.partners(tmp_path, key, ["1", "2 (e5-x-1-", "3", "4 e5)"], "head") == [0]
        assert self.partners(tmp_path, key, ["1 (e5-x-1-", "2", "3 e5)", "4"], "head") == [-1]
        assert self.partners(tmp_path, key, ["1 (e5-x-1-", "2", "3 e5)", "4"], "exact") == [0]

    def test_of_several_with_one_head_the_larger_overlap(self, tmp_path: Path) -> None:
        key = ["1 (e1-x-2-", "2", "3", "4 e1)"]
        response = ["1 (e5-x-2-", "2 e5)(e6-x-1-", "3", "4 e6)"]
        assert self.partners(tmp_path, key, response, "head") == [-1, 0]

    def test_partial(self, tmp_path: Path) -> None:
        key = ["1 (e1-x-2-", "2", "3 e1)", "4"]
        assert self.partners(tmp_path, key, ["1", "2 (e5-x-1-", "3 e5)", "4"], "partial") == [0]
        assert self.partners(tmp_path, key, ["1 (e5-x-1-)", "2", "3", "4"], "partial") == [-1]
        assert self.partners(tmp_path, key, ["1", "2 (e5-x-1-", "3", "4 e5)"], "partial") == [-1]
        assert self.partners(tmp_path, key, ["1 (e5-x-1-", "2", "3 e5)", "4"], "partial") == [0]

    def test_the_response_needs_no_heads_for_partial(self, tmp_path: Path) -> None:
        key = conllu(tmp_path, "1 (e1-x-2-", "2 e1)")
        response = conllu(tmp_path, "1", "2 (e5)", header="# global.Entity = eid", name="b")
        assert pair_coreference(key, response, match="partial").pred.ids.tolist() == [0]
        assert pair_coreference(key, response, match="partial").warnings == []

    def test_without_heads_the_first_word(self, tmp_path: Path) -> None:
        key = conllu(tmp_path, "1 (e1-x-2-", "2 e1)")
        response = conllu(tmp_path, "1 (e5", "2 e5)", "3 (e6)", header="# global.Entity = eid", name="b")
        paired = pair_coreference(key, response, match="head")
        assert [line.replace(f"{tmp_path}/", "") for line in paired.warnings if "tokens" not in line] == [
            "'b': # global.Entity names no head; the first word of each mention is taken for it, as in the CorefUD "
            "scorer"
        ]
        assert paired.pred.ids.tolist() == [1, 2]
        assert pair_coreference(response, key, match="partial").pred.ids.tolist() == [0]

    def test_other_formats_have_no_heads_and_no_zeros(self, tmp_path: Path) -> None:
        key = conllu(tmp_path, "1 (e1-x-1-)")
        (tmp_path / "c").write_text("#begin document (d);\nd 0 0 w (1)\n#end document\n")
        response = read_coreference(tmp_path / "c")
        with pytest.raises(
            cs.InputError, match=r'match="head" needs the heads of mentions, and .*c. \(conll\) has none'
        ):
            pair_coreference(key, response, match="head")
        with pytest.raises(cs.InputError, match=r'match="partial" needs the heads of mentions, and .*c. \(conll\)'):
            pair_coreference(response, key, match="partial")
        for files in ((key, response), (response, key)):
            with pytest.raises(cs.InputError, match=r'zeros="dependent" is for CorefUD, .*c. is conll'):
                pair_coreference(*files, zeros="dependent")
        with pytest.raises(cs.InputError, match=r"zeros='place' .*linear"):
            pair_coreference(key, key, zeros="place")

    def test_a_mention_that_stands_twice(self, tmp_path: Path) -> None:
        """The last entity finds it, and the other counts all the same."""
        key = ["1 (e1-x-2-", "2 e1)"]
        assert self.partners(tmp_path, key, ["1", "2 (e5-x-1-)(e6-x-1-)"], "head") == [-1, 0]
        assert self.partners(tmp_path, key, ["1", "2 (e6-x-1-)(e5-x-1-)"], "head") == [0, -1]
        assert self.partners(tmp_path, key, ["1", "2 (e5-x-1-)(e5-x-1-)"], "head") == [0]

    def test_a_key_with_a_mention_twice_is_perfect(self, tmp_path: Path) -> None:
        conllu(tmp_path, "1 (e1-x-1-)(e1-x-1-)", "2 (e1-x-1-)", "3 (e2-x-1-)")
        (path,) = (file for file in tmp_path.iterdir() if file.is_file())
        with pytest.warns(cs.ClusterscoreWarning, match="1 repeated mention in one entity .* each counts once"):
            card = cs.coref(path, path, metrics=["b3", "ceafe", "lea", "muc"])
        assert [card[name].f for name in card] == [1.0] * 4

    def test_each_header_holds_from_its_line_on(self, tmp_path: Path) -> None:
        rows = "1 (e1-x-2-", "2 e1)", "# newdoc id = e", "# global.Entity = head-eid", "1 (2-e7", "2 e7)"
        file = conllu(tmp_path, *rows)
        assert {name: document.entities for name, document in file.documents.items()} == {
            "d": {"e1": [((0, 1), 3, W)]},
            "e": {"e7": [((0, 1), 7, W)]},
        }
        assert file.warnings == []
        with pytest.raises(cs.FileError, match="line 6 names no eid"):
            conllu(tmp_path, *rows[:3], "# global.Entity = head", *rows[4:])

    def test_empty_nodes_know_what_they_depend_on(self, tmp_path: Path) -> None:
        columns = [
            ["1", "w", "_"],
            ["1.1", "_", "1:nsubj|0:obj:x"],
            [],
            ["0.1", "_", "_"],
            ["1", "w", "_"],
            ["1.2", "_"],
        ]
        lines = ["\t".join([*some[:2], *"______", *some[2:], "_"]) if some else "" for some in columns]
        (tmp_path / "a").write_text("# newdoc id = d\n# global.Entity = eid\n" + "\n".join(lines) + "\n")
        rows = read_coreference(tmp_path / "a").documents["d"].empty_nodes
        nodes = {number: EmptyNode.of(number, row) for number, row in rows.items()}
        assert [(node.sentence, sorted(node.dependencies)) for node in nodes.values()] == [
            (0, [b"0:obj:x", b"1:nsubj"]),
            (1, []),
            (1, []),
        ]
        assert sorted(nodes[1].parents) == [b"0", b"1"]

    @pytest.mark.parametrize("match", ["head", "partial"])
    @pytest.mark.parametrize("seed", range(25))
    def test_against_trying_all(self, tmp_path: Path, match: str, seed: int) -> None:
        rng = random.Random(seed)
        document = random_document(rng, 0, gaps=True)
        other = random_document(rng, 0, gaps=True)
        other.sentences = document.sentences = [["w"] * 60]
        for side in (document, other):  # few enough to try everything
            side.entities = {k: [mention] for k, (_, mention) in enumerate(list(side.items())[:5])}
        heads = {
            (side.key, mention): rng.randint(1, _length(mention))
            for side in (document, other)
            for _, mention in side.items()
        }
        files = []
        for name, side in (("k", document), ("r", other)):
            (tmp_path / name).write_text(corefud([side], heads=heads), encoding="utf-8")
            files.append(read_coreference(tmp_path / name))
        paired = pair_coreference(*files, match=match)
        left, right = (_with_heads(side, heads) for side in (document, other))
        best = _best(left, right, match)
        matched = sum(mention < len(paired.gold) for mention in paired.pred.ids.tolist())
        assert matched == best


def _length(mention: Mention) -> int:
    return sum(stop - start + 1 for start, stop in mention)


def _with_heads(document: Document, heads: dict[tuple[str, Mention], int]) -> list[tuple[frozenset[int], int]]:
    made = []
    for _, mention in document.items():
        words = [word for start, stop in mention for word in range(start, stop + 1)]
        made.append((frozenset(words), words[heads[document.key, mention] - 1]))
    return made


def _score(mention: tuple[frozenset[int], int], partner: tuple[frozenset[int], int], match: str) -> float:
    """What a mention of the key and one of the response have in common, in the words of the shared task."""
    (words, head), (theirs, their_head) = mention, partner
    if match == "head":
        return len(words & theirs) / len(words) if head == their_head else 0.0
    return len(theirs) / len(words) if theirs <= words and head in theirs else 0.0


def _best(left: list[Any], right: list[Any], match: str) -> int:
    """How many are matched: equal ones, and the largest sum of overlaps among the rest, found by trying all."""
    equal = [mention for mention in left if mention in right] if match == "head" else [
        mention for mention in left if mention[0] in {words for words, _ in right}
    ]  # fmt: skip
    same = {words for words, _ in equal}
    mine = [mention for mention in left if mention[0] not in same]
    yours = [mention for mention in right if mention[0] not in same]
    if len(mine) > len(yours):
        candidates = [(tuple(zip(some, yours, strict=True))) for some in permutations(mine, len(yours))]
    else:
        candidates = [(tuple(zip(mine, some, strict=True))) for some in permutations(yours, len(mine))]

    def value(pairs: Any) -> tuple[float, int]:
        scores = [_score(*pair, match) for pair in pairs]
        return round(sum(scores), 9), sum(score > 0 for score in scores)

    return len(equal) + max(map(value, candidates), default=(0.0, 0))[1]
