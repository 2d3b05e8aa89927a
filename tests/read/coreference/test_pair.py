"""Key and response side by side: documents, tokens, mentions that stand twice, singletons, and other options."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import clusterscore as cs
from clusterscore.read.coreference import CorefFile, PairedCoreference, pair_coreference, read_coreference
from read.coreference.writers import Document, changed, conll, corefud, jsonlines, random_document


def read(tmp_path: Path, text: str, name: str) -> CorefFile:
    (tmp_path / name).write_text(text, encoding="utf-8")
    return read_coreference(tmp_path / name)


def column(name: str, *cells: str, words: str = "") -> str:
    """A document of five columns."""
    lines = [f"d\t0\t{k}\t{words[k] if words else 'w'}\t{cell}" for k, cell in enumerate(cells)]
    return "\n".join([f"#begin document ({name}); part 000", *lines, "#end document", ""])


def pair(tmp_path: Path, key: str, response: str, **options: Any) -> PairedCoreference:
    return pair_coreference(read(tmp_path, key, "key"), read(tmp_path, response, "response"), **options)


def warnings_of(tmp_path: Path, paired: PairedCoreference) -> list[str]:
    return [warning.replace(f"{tmp_path}/", "") for warning in paired.warnings]


def table(paired: PairedCoreference) -> cs.Table:
    return cs.Table.from_labels(paired.gold, paired.pred, missing="keep")


def counts(paired: PairedCoreference) -> tuple[list[int], list[int], list[int]]:
    """The overlaps, and the sizes of the entities of both sides."""
    made = table(paired)
    return tuple(sorted(int(k) for k in some if k) for some in (made.n, made.gold_size, made.pred_size))  # type: ignore[return-value]


class TestDocuments:
    def test_missing_is_empty_and_extra_is_ignored(self, tmp_path: Path) -> None:
        key = column("a", "(1)", "(1)") + column("b", "(1)") + column("c", "(2)")
        response = column("x", "(1)", "(1)") + column("b", "(1)") + column("y", "(1)")
        paired = pair(tmp_path, key, response)
        assert counts(paired) == ([1], [1, 1, 2], [1])
        assert paired.documents == ["(a); part 000", "(b); part 000", "(c); part 000"]
        assert warnings_of(tmp_path, paired) == [
            "'response': 2 documents of the 3 in 'key' missing (e.g. '(a); part 000'); scored as empty",
            "'response': 2 documents of its 3 not in 'key' (e.g. '(x); part 000'); ignored, as in the reference scorer",
        ]

    def test_documents_without_mentions_count(self, tmp_path: Path) -> None:
        paired = pair(tmp_path, column("a", "-") + column("b", "(1)"), column("a", "-") + column("b", "-"))
        assert paired.warnings == []
        assert paired.documents == ["(a); part 000", "(b); part 000"]
        assert counts(paired) == ([], [1], [])

    def test_nothing_at_all(self, tmp_path: Path) -> None:
        for options in ({}, {"singletons": "drop"}, {"cross_document": True}):
            assert counts(pair(tmp_path, column("a", "-"), column("a", "-"), **options)) == ([], [], [])

    def test_order_does_not_matter(self, tmp_path: Path) -> None:
        rng = random.Random(5)
        keys = [random_document(rng, k) for k in range(6)]
        responses = [changed(rng, document) for document in keys]
        straight = pair(tmp_path, conll(keys), conll(responses))
        turned = pair(tmp_path, conll(keys), conll(responses[::-1]))
        assert counts(straight) == counts(turned)
        assert not any("differ" in warning for warning in turned.warnings)

    def test_formats_pair_by_name(self, tmp_path: Path) -> None:
        documents = [random_document(random.Random(k), k) for k in range(4)]
        paired = pair(tmp_path, conll(documents), jsonlines(documents[::-1]))
        assert not paired.warnings
        assert len(table(paired).n) == len(np.unique(paired.gold.codes))


class TestTokens:
    def test_another_number(self, tmp_path: Path) -> None:
        paired = pair(tmp_path, column("a", "(1)", "-"), column("a", "(1)", "-", "-"))
        assert warnings_of(tmp_path, paired) == [
            "'response': the tokens of 1 document differ from those of 'key' (e.g. 3 tokens, not 2, in document "
            "'(a); part 000'); mentions go by the number of the token, so they may not mean the same"
        ]

    def test_other_words(self, tmp_path: Path) -> None:
        key = column("a", "-", words="x") + column("b", "-", "(1)", "-", words="xyz")
        response = column("b", "-", "(1)", "-", words="xyö") + column("a", "-", words="y")
        paired = pair(tmp_path, key, response)
        assert warnings_of(tmp_path, paired) == [
            "'response': the tokens of 2 documents differ from those of 'key' (e.g. token 2 is 'ö' in line 4, but 'z' "
            "in the key, in document '(b); part 000'); mentions go by the number of the token, so they may not mean "
            "the same"
        ]

    def test_one_word_in_many(self, tmp_path: Path) -> None:
        rng = random.Random(7)
        documents = [random_document(rng, k) for k in range(8)]
        for writer in (conll, corefud, jsonlines):
            others = [
                Document(document.name, document.part, [list(some) for some in document.sentences])
                for document in documents
            ]
            others[5].sentences[-1][-1] += "x"
            paired = pair(tmp_path, conll(documents), writer(others))
            token = len(others[5].tokens) - 1
            assert (
                f"the tokens of 1 document differ from those of 'key' (e.g. token {token} is"
                in warnings_of(tmp_path, paired)[0]
            )

    @pytest.mark.parametrize("length", [1, 7, 8, 9, 16, 17, 600, 5000])
    def test_long_words(self, tmp_path: Path, length: int) -> None:
        word = "a" * length
        for other, count in ((word, 0), (word[:-1] + "b", 1), (word + "a", 1)):
            paired = pair(tmp_path, column("a", "-").replace("w", word), column("a", "-").replace("w", other))
            assert len(paired.warnings) == count

    def test_placeholders_and_few_columns_go_with_anything(self, tmp_path: Path) -> None:
        key = column("a", "(1)", "-")
        assert not pair(tmp_path, key, key.replace("w", "[WORD]")).warnings
        assert not pair(tmp_path, key.replace("w", "[WORD]"), key).warnings
        assert not pair(tmp_path, key, "#begin document (a); part 000\nx (1)\ny -\n").warnings

    def test_characters_and_tokens_do_not_mix(self, tmp_path: Path) -> None:
        (tmp_path / "r").write_text('{"doc_key": "a_0", "text": "w w", "clusters": [[[0, 1], [2, 3]]]}')
        response = read_coreference(tmp_path / "r", offsets="characters")
        with pytest.raises(cs.ClusterscoreError, match=r"mentions count tokens in '.*' and characters in"):
            pair_coreference(read(tmp_path, column("a", "-"), "key"), response)

    def test_other_characters(self, tmp_path: Path) -> None:
        for name, text in (("k", "a cat"), ("r", "a cap")):
            (tmp_path / name).write_text(f'{{"doc_key": "a_0", "text": "{text}", "clusters": []}}')
        key, response = (read_coreference(tmp_path / name, offsets="characters") for name in "kr")
        assert warnings_of(tmp_path, pair_coreference(key, response)) == [
            "'r': the characters of 1 document differ from those of 'k' (e.g. character 4 is 'p', but 't' in the key, "
            "in document 'a_0'); mentions go by the number of the character, so they may not mean the same"
        ]


class TestTwice:
    def test_in_the_response_the_first_entity_keeps_it(self, tmp_path: Path) -> None:
        key = column("a", "(1)", "(1)", "(2)", "(2)")
        response = column("a", "(5)", "(5)|(6)", "(6)", "(5)|(6)")
        paired = pair(tmp_path, key, response)
        # 5 appears first and keeps both tokens 1 and 3; 6 is left with token 2
        assert counts(paired) == ([1, 1, 2], [2, 2], [1, 3])
        assert warnings_of(tmp_path, paired) == [
            "'response': 2 repeated mentions of the key (e.g. token 1 in entities '5' and '6', line 3, document "
            "'(a); part 000'); the first stays, the others are left out, as in the reference scorer"
        ]

    def test_what_the_key_does_not_have_counts_each_time(self, tmp_path: Path) -> None:
        paired = pair(tmp_path, column("a", "(1)", "-", "-"), column("a", "(5)", "(5)|(6)|(5)", "-"))
        assert counts(paired) == ([1], [1], [1, 3])
        assert warnings_of(tmp_path, paired) == [
            "'response': 2 repeated mentions that the key does not have (e.g. token 1 in entity '5', line 3, "
            "document '(a); part 000'); each counts, as in the reference scorer"
        ]
        assert [some.tolist() for some in paired.repeated] == [[0], [2]]

    def test_in_the_key(self, tmp_path: Path) -> None:
        paired = pair(tmp_path, column("a", "(1)|(2)", "(2)"), column("a", "(7)", "(7)"))
        assert counts(paired) == ([1, 1], [1, 2], [2])
        assert warnings_of(tmp_path, paired) == [
            "'key': 1 repeated mention (e.g. token 0 in entities '1' and '2', line 2, document '(a); part 000'); "
            "the first can be found by the response, the others count as missed"
        ]
        assert [some.tolist() for some in paired.repeated] == [[1], [0]]

    def test_many_do_not_stop_anything(self, tmp_path: Path) -> None:
        cells = ["(1)|(2)|(3)"] * 100
        paired = pair(tmp_path, column("a", *["(1)"] * 100), column("a", *cells))
        assert counts(paired) == ([100], [100], [100])
        assert "200 repeated mentions of the key" in paired.warnings[0]

    @pytest.mark.parametrize("seed", range(30))
    def test_against_the_loop_of_the_reference_scorer(self, tmp_path: Path, seed: int) -> None:
        rng = random.Random(seed)
        keys = [random_document(rng, k) for k in range(4)]
        responses = [changed(rng, random_document(rng, k, repeats=True)) for k in range(4)]
        for document, other in zip(keys, responses, strict=True):
            size = len(document.tokens)
            other.sentences = document.sentences
            other.entities = {
                entity: kept for entity, some in other.entities.items() if (kept := [m for m in some if m[0][1] < size])
            }
        paired = pair(tmp_path, conll(keys), conll(responses))
        made = table(paired)
        counted = Counter(
            (int(n), int(made.gold_size[i]), int(made.pred_size[j]))
            for i, j, n in zip(made.gold, made.pred, made.n, strict=True)
        )
        wanted: Counter[tuple[int, int, int]] = Counter()
        sizes: Counter[int] = Counter()
        for document, other in zip(keys, responses, strict=True):
            gold, pred = identified(spans(document), spans(other))
            wanted.update((len(set(k) & set(r)), len(k), len(r)) for k in gold for r in pred if set(k) & set(r))
            sizes.update(map(len, filter(None, pred)))
        assert counted == wanted
        assert Counter(int(k) for k in made.pred_size if k) == sizes


def spans(document: Document) -> list[list[tuple[int, int]]]:
    """Entities in the order in which the reference scorer meets them, each with its mentions."""
    order = sorted(document.entities.items(), key=lambda item: (min((a, b > a) for ((a, b),) in item[1]), item[0]))
    return [[stretch for (stretch,) in mentions] for _, mentions in order]


def identified(
    key: list[list[tuple[int, int]]], response: list[list[tuple[int, int]]]
) -> tuple[list[list[tuple[int, int]]], list[list[tuple[int, int]]]]:
    """Mentions of the response that are in the key go to the first entity that has them."""
    known = {mention for entity in key for mention in entity}
    taken: set[tuple[int, int]] = set()
    kept = []
    for entity in response:
        mine = []
        for mention in entity:
            if mention in known and mention in taken:
                continue
            taken.add(mention)
            mine.append(mention)
        kept.append(mine)
    return key, kept


class TestOptions:
    def test_singletons(self, tmp_path: Path) -> None:
        key = column("a", "(1)", "(1)", "(2)", "(3)|(3)", "-")
        response = column("a", "(5)", "(6)", "(6)", "(7)", "(6)")
        assert counts(pair(tmp_path, key, response)) == ([1, 1, 1, 1], [1, 2, 2], [1, 1, 3])
        dropped = pair(tmp_path, key, response, singletons="drop")
        assert counts(dropped) == ([1], [2], [3])
        assert dropped.warnings == []

    def test_cross_document(self, tmp_path: Path) -> None:
        key = column("a", "(1)", "(2)") + column("b", "(1)", "(3)")
        response = column("a", "(1)", "(1)") + column("b", "(1)", "-") + column("c", "(1)")
        within = pair(tmp_path, key, response)
        assert counts(within) == ([1, 1, 1], [1, 1, 1, 1], [1, 2])
        across = pair(tmp_path, key, response, cross_document=True)
        assert across.gold.documents is None
        assert counts(across) == ([1, 2], [1, 1, 2], [3])
        assert counts(pair(tmp_path, key, response, cross_document=True, singletons="drop")) == ([2], [2], [3])

    def test_ids_for_a_whole_file_are_split(self, tmp_path: Path) -> None:
        documents = [Document("d", k, [["a", "b"]], {1: [((0, 0),)], k + 2: [((1, 1),)]}) for k in range(3)]
        paired = pair(tmp_path, corefud(documents), conll(documents))
        assert warnings_of(tmp_path, paired) == [
            "'key': 1 entity id in several documents (e.g. 'e1' in 3); an entity of each document, unless entities go "
            "across documents"
        ]
        assert counts(paired) == ([1] * 6, [1] * 6, [1] * 6)
        across = pair(tmp_path, corefud(documents), conll(documents), cross_document=True)
        assert not across.warnings
        assert counts(across) == ([1, 1, 1, 3], [1, 1, 1, 3], [1, 1, 1, 3])

    @pytest.mark.parametrize(("option", "value"), [("match", "fuzzy"), ("singletons", True), ("match", None)])
    def test_wrong_options(self, tmp_path: Path, option: str, value: Any) -> None:
        with pytest.raises(cs.ClusterscoreError, match=f"{option}={value!r} is not an option"):
            pair(tmp_path, column("a", "-"), column("a", "-"), **{option: value})

    @pytest.mark.parametrize("option", ["only", "old"])
    def test_entities_are_not_chosen(self, tmp_path: Path, option: str) -> None:
        (tmp_path / "key.conll").write_text(column("a", "(1)"))
        with pytest.raises(cs.InputError, match=f"{option}= is not for coreference; leave it out"):
            cs.score(cs.File(tmp_path / "key.conll"), cs.File(tmp_path / "key.conll"), **{option: ["1"]})

    @pytest.mark.parametrize("match", ["head", "partial"])
    def test_heads_are_needed(self, tmp_path: Path, match: str) -> None:
        with pytest.raises(cs.ClusterscoreError, match=f'match="{match}" needs the heads of mentions, and .* has none'):
            pair(tmp_path, column("a", "(1)"), column("a", "(1)"), match=match)
