"""CoNLL: what a line may look like, and what is said where it is broken."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from clusterscore.read.coreference import CorefFile, read_coreference
from read.coreference.writers import WORDS


def conll(
    tmp_path: Path, *lines: str, head: str = "#begin document (d); part 000", tail: str = "#end document"
) -> CorefFile:
    path = tmp_path / "a.conll"
    path.write_text("\n".join([head, *lines, tail, ""]), encoding="utf-8")
    return read_coreference(path)


def clusters(tmp_path: Path, *column: str) -> dict[str, list[tuple[int, ...]]]:
    file = conll(tmp_path, *(f"d\t0\t{k}\tw{k}\t{cell}" for k, cell in enumerate(column)))
    assert file.warnings == []
    (document,) = file.documents.values()
    return document.clusters


class TestCells:
    def test_nested_with_one_id(self, tmp_path: Path) -> None:
        assert clusters(tmp_path, "(1", "(1", "1)", "1)") == {"1": [(1, 2), (0, 3)]}

    def test_crossing(self, tmp_path: Path) -> None:
        assert clusters(tmp_path, "(1", "(2", "1)", "2)") == {"1": [(0, 2)], "2": [(1, 3)]}

    @pytest.mark.parametrize("cell", ["(1)|(2", "(2|(1)", "(1)(2", "(2(1)"])
    def test_bars_are_optional(self, tmp_path: Path, cell: str) -> None:
        assert clusters(tmp_path, cell, "2)") == {"1": [(0, 0)], "2": [(0, 1)]}

    def test_in_one_cell_what_opens_goes_before_what_closes(self, tmp_path: Path) -> None:
        """As in the reference scorer, however the cell is ordered."""
        assert clusters(tmp_path, "(1", "1)|(1", "1)") == {"1": [(1, 1), (0, 2)]}
        assert clusters(tmp_path, "(1|1)", "-") == {"1": [(0, 0)]}

    @pytest.mark.parametrize("none", ["-", "_", "*"])
    def test_none(self, tmp_path: Path, none: str) -> None:
        assert clusters(tmp_path, none, "(1)") == {"1": [(1, 1)]}

    def test_ids_are_text(self, tmp_path: Path) -> None:
        assert clusters(tmp_path, "(01)", "(1)", "(123456789012345678901234567890)") == {
            "01": [(0, 0)], "1": [(1, 1)], "123456789012345678901234567890": [(2, 2)],
        }  # fmt: skip

    def test_entities_count_from_the_first_that_appears(self, tmp_path: Path) -> None:
        assert list(clusters(tmp_path, "(7", "(3)", "7)", "(1)")) == ["7", "3", "1"]
        assert list(clusters(tmp_path, "(7|(3)", "7)")) == ["3", "7"]

    def test_a_word_is_not_a_mention(self, tmp_path: Path) -> None:
        file = conll(tmp_path, "d 0 0 (5) -", "d 0 1 (5 (1)", "d   0   2   5)   -")
        assert file.documents["(d); part 000"].clusters == {"1": [(1, 1)]}
        assert file.warnings == []

    def test_mentions_across_sentences(self, tmp_path: Path) -> None:
        file = conll(tmp_path, "d 0 0 a (1", "", "d 0 0 b 1)", "   ", "\t", "d 0 1 c (2)")
        assert file.documents["(d); part 000"].clusters == {"1": [(0, 1)], "2": [(2, 2)]}
        assert file.documents["(d); part 000"].tokens == 3

    def test_one_and_two_columns(self, tmp_path: Path) -> None:
        assert clusters_of(conll(tmp_path, "(1", "1)", "-", "(2)")) == {"1": [(0, 1)], "2": [(3, 3)]}
        assert clusters_of(conll(tmp_path, "a (1", "b 1)\t", "# -", "#\t(2)  ")) == {"1": [(0, 1)], "2": [(3, 3)]}

    def test_long_lines(self, tmp_path: Path) -> None:
        wide = "x" * 100_000
        text = f"d 0 0 {wide} ({wide})", "d 0 1 b -" + " " * 100_000, f"d{' ' * 100_000}0 2 c (1)"
        file = conll(tmp_path, *text)
        assert file.documents["(d); part 000"].clusters == {wide: [(0, 0)], "1": [(2, 2)]}
        text = file.documents["(d); part 000"].text
        assert [text.word(row).decode() for row in text.rows()] == [wide, "b", "c"]


def clusters_of(file: CorefFile) -> dict[str, list[tuple[int, ...]]]:
    assert file.warnings == []
    (document,) = file.documents.values()
    return document.clusters


class TestDocuments:
    @pytest.mark.parametrize(
        "head", ["#begin document (d); part 000", "# begin document (d); part 000  ", "#\tbegin document (d); part 000"]
    )
    def test_names(self, tmp_path: Path, head: str) -> None:
        assert list(conll(tmp_path, "a (1)", head=head).documents) == ["(d); part 000"]

    def test_without_an_end(self, tmp_path: Path) -> None:
        file = conll(tmp_path, "a (1)", "#begin document (e); part 000", "b (1)", tail="")
        assert {name: document.clusters for name, document in file.documents.items()} == {
            "(d); part 000": {"1": [(0, 0)]}, "(e); part 000": {"1": [(0, 0)]},
        }  # fmt: skip
        assert file.warnings == []

    def test_without_a_mention(self, tmp_path: Path) -> None:
        file = conll(tmp_path, "a -")
        assert file.documents["(d); part 000"].mentions == []
        assert "1 document, 0 mentions" in repr(file)
        assert conll(tmp_path).documents["(d); part 000"].tokens == 0


class TestTrouble:
    def warnings_of(self, tmp_path: Path, *lines: str, **options: Any) -> list[str]:
        return [
            warning.removeprefix(f"{str(tmp_path / 'a.conll')!r}: ")
            for warning in conll(tmp_path, *lines, **options).warnings
        ]

    def test_unclosed(self, tmp_path: Path) -> None:
        lines = "a (1|(2", "b 1)", "", "c (3", "d (3", "e 3)"
        assert self.warnings_of(tmp_path, *lines) == [
            "2 mentions opened but never closed (e.g. '(2' in line 2, document '(d); part 000'); left out"
        ]
        assert conll(tmp_path, *lines).documents["(d); part 000"].clusters == {"1": [(0, 1)], "3": [(3, 4)]}

    def test_unclosed_at_the_end_of_its_document(self, tmp_path: Path) -> None:
        lines = "a (1", "#end document", "#begin document (e); part 000", "b 1)"
        assert self.warnings_of(tmp_path, *lines) == [
            "1 mention opened but never closed (e.g. '(1' in line 2, document '(d); part 000'); left out",
            "1 mention closed but never opened (e.g. '1)' in line 5, document '(e); part 000'); left out",
        ]

    def test_unopened(self, tmp_path: Path) -> None:
        assert self.warnings_of(tmp_path, "a 1)", "b (1", "c 1)|1)") == [
            "2 mentions closed but never opened (e.g. '1)' in line 2, document '(d); part 000'); left out"
        ]

    def test_ids_that_are_not_numbers(self, tmp_path: Path) -> None:
        lines = "a (x1", "b x1)|(2)", "c (12+3)"
        assert self.warnings_of(tmp_path, *lines) == [
            "2 mentions with an entity id that is not a number (e.g. 'x1' in line 2, document '(d); part 000'); they "
            "count here, the reference scorer ignores them"
        ]
        assert conll(tmp_path, *lines).documents["(d); part 000"].clusters == {
            "x1": [(0, 1)], "2": [(1, 1)], "12+3": [(2, 2)],
        }  # fmt: skip

    def test_other_things_in_the_last_column(self, tmp_path: Path) -> None:
        lines = "a word", "b ()", "c ((1)", "d (1))", "e --"
        assert self.warnings_of(tmp_path, *lines) == [
            "5 cells of the last column with something other than (id), (id or id) (e.g. 'word' in line 2, document "
            "'(d); part 000'); that is left out"
        ]
        assert conll(tmp_path, *lines).documents["(d); part 000"].clusters == {"1": [(2, 2), (3, 3)]}

    def test_lines_outside(self, tmp_path: Path) -> None:
        lines = "a (1)", "#end document", "b (1)", "#begin document (e)", "c (1)"
        assert self.warnings_of(tmp_path, *lines, tail="#end document\nc (1)\nd -") == [
            "3 lines outside of any document (e.g. line 4); left out"
        ]
        assert self.warnings_of(tmp_path, "a (1)", head="x -\n#begin document (e)") == [
            "1 line outside of any document (e.g. line 1); left out"
        ]

    def test_one_name_twice(self, tmp_path: Path) -> None:
        lines = "a (1)", "#end document", "#begin document d_0", "b -", "c (2)"
        assert self.warnings_of(tmp_path, *lines) == [
            "1 document with the name of a later one (e.g. '(d); part 000' in line 1, again in line 4); only the last "
            "of them counts, as in the reference scorer"
        ]
        assert conll(tmp_path, *lines).documents["d_0"].clusters == {"2": [(1, 1)]}
        text = conll(tmp_path, *lines).documents["d_0"].text
        assert [text.word(row) for row in text.rows()] == [b"", b""]


def test_brackets_against_a_stack(tmp_path: Path) -> None:
    """Random soups of brackets: all matched at once, and one by one as the reference scorer does."""
    rng = random.Random(1)
    for _ in range(150):
        column = [
            "|".join(
                rng.choice(["({})", "({}", "{})"]).format(rng.randrange(3)) for _ in range(rng.choice([0, 1, 1, 2, 3]))
            )
            or "-"
            for _ in range(rng.randrange(1, 15))
        ]
        wanted, unclosed, unopened = one_by_one(column)
        file = conll(tmp_path, *(f"d 0 {k} {rng.choice(WORDS)} {cell}" for k, cell in enumerate(column)))
        assert list(file.documents["(d); part 000"].clusters.items()) == list(wanted.items())
        assert sum(int(line.split("': ")[1].split()[0]) for line in file.warnings if "never closed" in line) == unclosed
        assert sum(int(line.split("': ")[1].split()[0]) for line in file.warnings if "never opened" in line) == unopened


def one_by_one(column: list[str]) -> tuple[dict[str, list[tuple[int, int]]], int, int]:
    """The loop of the reference scorer, with the two errors that stop it counted."""
    entities: dict[str, list[tuple[int, int]]] = {}
    half: dict[str, list[int]] = {}
    unopened = 0
    for token, cell in enumerate(column):
        items = [] if cell == "-" else cell.split("|")
        for item in items:
            if item[0] == "(" and item[-1] == ")":
                entities.setdefault(item[1:-1], []).append((token, token))
        for item in items:
            if item[0] == "(" and item[-1] != ")":
                entities.setdefault(item[1:], [])
                half.setdefault(item[1:], []).append(token)
        for item in items:
            if item[0] != "(":
                if half.get(item[:-1]):
                    entities[item[:-1]].append((half[item[:-1]].pop(), token))
                else:
                    unopened += 1
                    entities.setdefault(item[:-1], [])
    return {name: spans for name, spans in entities.items() if spans}, sum(map(len, half.values())), unopened
