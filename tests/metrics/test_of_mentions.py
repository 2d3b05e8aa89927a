"""MOR and the score of zero anaphora: measures that look at mentions, and so at coreference files only."""

from __future__ import annotations

import random
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas
import pytest
from scipy.optimize import linear_sum_assignment

import clusterscore as cs
from clusterscore.read.coreference import matching

sys.path.append(str(Path(__file__).parent.parent / "oracles"))
import crac

CONLL = "examples/key.conll", "examples/response.conll"
CONLLU = "examples/key.conllu", "examples/response.conllu"
NAMES = [kind.name for kind in cs.registered() if kind.of_mentions]
HOW: dict[str, Any] = {"match": "head", "zeros": "dependent"}

pytestmark = pytest.mark.filterwarnings("ignore::clusterscore.ClusterscoreWarning")


def files(folder: Path, key: list[crac.Document], response: list[crac.Document]) -> tuple[Path, Path]:
    paths = folder / "key.conllu", folder / "response.conllu"
    for path, file in zip(paths, (key, response), strict=True):
        path.write_text(crac.written(file))
    return paths


def made(folder: Path, seed: int, documents: int = 3) -> tuple[Path, Path]:
    rng = random.Random(seed)
    key = crac.random_file(rng, documents)
    return files(folder, key, crac.changed(rng, key))


def test_there_are_two() -> None:
    assert NAMES == ["mor", "zero"]
    assert {str(cs.metric(name)) for name in NAMES} == {*NAMES}


@pytest.mark.parametrize("name", NAMES)
class TestWithoutMentions:
    def test_labels(self, name: str) -> None:
        for call in (
            lambda: getattr(cs, name)([0, 0], [0, 1]),
            lambda: cs.score([0, 0], [0, 1], metrics=name),
            lambda: cs.score_table(pandas.DataFrame({"gold": [0, 0], "pred": [0, 1]}), metrics=name),
            lambda: cs.chance([0, 0], [0, 1], metrics=name),
            lambda: cs.Accumulator(name).update([0, 0], [0, 1]),
            lambda: cs.compare([0, 0], {"a": [0, 0], "b": [0, 1]}, metrics=name),
        ):
            with pytest.raises(cs.InputError, match=rf"{name} looks at the words of mentions.*cs\.coref"):
                call()

    def test_constraints_slices_and_chance(self, name: str) -> None:
        with pytest.raises(cs.MetricError, match="scores mentions of coreference files"):
            cs.constraints.check(name, "rag_bag")
        with pytest.raises(cs.MetricError, match="which stay where they are"):
            cs.chance(cs.coref(*CONLLU).table, metrics=name)


def test_zero_is_for_corefud() -> None:
    with pytest.raises(cs.InputError, match="zero needs the empty nodes of CorefUD"):
        cs.coref(*CONLL, metrics="zero")


@pytest.mark.parametrize("seed", range(20))
def test_laws(seed: int, tmp_path: Path) -> None:
    key, response = made(tmp_path, seed)
    card = cs.coref(key, response, metrics=NAMES, **HOW)
    same = cs.coref(key, key, metrics=NAMES, **HOW)
    back = cs.coref(response, key, metrics=NAMES, **HOW)
    assert same["mor"].f in (0.0, 1.0)
    assert same["zero"].f in (0.0, 1.0) or same.table.directions is not None
    assert (card["mor"].precision, card["mor"].recall) == (back["mor"].recall, back["mor"].precision)
    for name in NAMES:
        metric, rows = cs.metric(name), card.documents
        assert metric.additive
        assert 0 <= card[name].value <= 1
        for part in ("numerator", "denominator"):
            for side in ("precision", "recall"):
                total = card.micro[name].extras[f"{side}_{part}"]
                assert rows[f"{name}.{side}_{part}"].sum() == total
        macro = cs.coref(key, response, metrics=name, average="macro", **HOW)[name]
        assert macro.value == pytest.approx(rows[name].mean())
        batches = cs.Accumulator(name, missing="keep")
        batches.update(card.table)
        assert batches.result()[name].value == card[name].value
    for match in ("exact", "head", "partial"):  # it depends on neither, but for mentions with two heads
        for zeros in ("linear", "dependent"):
            other = cs.coref(key, response, metrics="mor", match=match, zeros=zeros)["mor"]
            assert match == "head" or other.f == cs.coref(key, response, metrics="mor")["mor"].f


def test_all_formats_have_mor() -> None:
    """Key words: Ann, Bob, She, him, her book, her, Her brother, Her, it; the response lacks Her brother."""
    assert cs.coref(*CONLL, metrics="mor")["mor"].extras == {
        "recall_numerator": 9.0,
        "recall_denominator": 11.0,
        "precision_numerator": 9.0,
        "precision_denominator": 9.0,
    }


@pytest.mark.parametrize("seed", [1, 4, 7])
def test_other_functions_take_the_table(seed: int, tmp_path: Path) -> None:
    """Also where what is found depends on who looks for it."""
    key, response = made(tmp_path, seed)
    card = cs.coref(key, response, metrics=[*NAMES, "b3", "conll"], **HOW)
    assert card.table.directions is not None
    other = cs.coref(key, key, **HOW).table
    compared = cs.compare({"ours": card.table, "same": other}, metrics=[*NAMES, "b3", "conll"], resamples=20)
    assert compared["ours"]["b3"].score.value == card["b3"].value
    assert compared["ours"]["zero"].score.value == card["zero"].value
    for analysis in (cs.errors(card.table), cs.clusters(card.table), cs.elements(card.table)):
        assert str(analysis)
    assert cs.report(card.table, path=tmp_path / "report.html", metrics=[*NAMES, "b3"]).exists()
    assert cs.score(card.table, metrics=["b3", "mor"])["b3"] == card["b3"]
    with_baselines = cs.score(card.table, metrics=["b3", "mor"], baselines=True)
    assert all(list(baseline) == ["b3"] for baseline in with_baselines.baselines.values())  # whose words are the same


class TestTies:
    """One zero of the response fits two of the key: SciPy decides for all zeros of the document together."""

    def documents(self) -> tuple[crac.Document, crac.Document]:
        deps = frozenset({("3", "nsubj")})
        nodes = [[(0, k, 0) for k in range(1, 9)], [(1, k, 0) for k in range(1, 9)]]
        key, response = (crac.Document([list(some) for some in nodes]) for _ in range(2))
        for document, empty in ((key, [(0, 2, 1), (0, 4, 1), (0, 6, 1)]), (response, [(0, 7, 1), (1, 3, 1)])):
            for node in empty:
                document.nodes[node[0]] = sorted([*document.nodes[node[0]], node])
                document.deps[node] = deps
        for eid, words in (("a", [(0, 1, 0), (0, 2, 1)]), ("b", [(0, 4, 1), (1, 1, 0)]), ("c", [(0, 6, 1), (1, 2, 0)])):
            for word in words:
                crac.add(key, eid, crac.Mention((word,), 1, key.deps.get(word, frozenset())))
        for eid, words in (("x", [(0, 1, 0), (0, 7, 1)]), ("y", [(1, 1, 0), (1, 2, 0), (1, 3, 1)])):
            for word in words:
                crac.add(response, eid, crac.Mention((word,), 1, response.deps.get(word, frozenset())))
        return key, response

    def test_the_whole_matrix_decides(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        key, response = self.documents()
        paths = files(tmp_path, [key], [response])
        solved = []
        solve = matching._solve

        def noted(*given: Any) -> list[tuple[int, int]]:
            solved.append((len(given[0]), len(given[1])))
            return solve(*given)

        monkeypatch.setattr(matching, "_solve", noted)
        card = cs.coref(*paths, metrics=["b3", "lea", "zero"], **HOW)
        assert (3, 2) in solved  # all zeros of the document, also those that fit nobody
        expected = crac.scores([key], [response], "head", "keep", "dependent")
        for name in card:
            assert card[name].value == pytest.approx(expected[name][2], abs=1e-12)
        assert not any("several best matches" in warning for warning in card.warnings)

    def test_too_many_to_decide(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        key, response = self.documents()
        monkeypatch.setattr(matching, "_MOST", 5)
        card = cs.coref(*files(tmp_path, [key], [response]), metrics="b3", **HOW)
        assert [warning.split(": ")[1] for warning in card.warnings if "several best" in warning] == [
            "1 document with several best matches of mentions, and too many mentions to tell which of them the CorefUD "
            "scorer takes; one is taken"
        ]

    def test_one_best_matching_needs_no_matrix(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(matching, "_MOST", -1)
        for seed in range(30):
            paths = made(tmp_path, seed, 1)
            card = cs.coref(*paths, metrics=["b3", "zero"], **HOW)
            tied = any("several best matches" in warning for warning in card.warnings)
            monkeypatch.setattr(matching, "_MOST", 1 << 20)
            whole = cs.coref(*paths, metrics=["b3", "zero"], **HOW)
            monkeypatch.setattr(matching, "_MOST", -1)
            assert tied or [card[name].value for name in card] == [whole[name].value for name in whole]


def test_forty_thousand_mentions_in_one_document(tmp_path: Path) -> None:
    """Against sentences one by one: nothing here crosses one."""
    rng = random.Random(5)
    sentences, lines = 6000, ([], [])  # type: tuple[int, tuple[list[str], list[str]]]
    right, sizes = 0.0, [0.0, 0.0]
    for _ in range(sentences):
        spans: list[list[tuple[int, int]]] = [[], []]
        for k in range(7):
            start = 4 * k + 1
            whole = (start, start + rng.randrange(4))
            for side in range(2):
                if rng.random() < 0.9:
                    first = rng.randint(*whole)
                    spans[side].append((first, rng.randint(first, whole[1])))
        spans[0].append((1, 28))  # around all others
        for side, text in enumerate(lines):
            cells: dict[int, str] = {}
            for first, last in sorted(spans[side], key=lambda span: -span[1] + span[0]):
                eid = f"e{rng.randrange(9000)}"
                cells[first] = cells.get(first, "") + (f"({eid}--1-)" if first == last else f"({eid}--1-")
                if first != last:
                    cells[last] = f"{eid})" + cells.get(last, "")
            for word in range(1, 29):
                misc = f"Entity={cells[word]}" if word in cells else "_"
                text.append("\t".join([str(word), "w", *"_______", misc]))
            text.append("")
        both = [[set(range(first, last + 1)) for first, last in side] for side in spans]
        matrix = np.array([[len(k & s) for s in both[1]] for k in both[0]]).reshape(len(both[0]), len(both[1]))
        right += matrix[linear_sum_assignment(-matrix)].sum()
        sizes = [size + sum(map(len, side)) for size, side in zip(sizes, both, strict=True)]
    paths = tmp_path / "key.conllu", tmp_path / "response.conllu"
    for path, text in zip(paths, lines, strict=True):
        path.write_text("\n".join(["# newdoc id = d", "# global.Entity = eid-etype-head-other", *text, ""]))
    card = cs.coref(*paths, metrics="mor, mentions")
    assert card["mentions"].recall_denominator > 40_000
    parts = card["mor"].extras
    assert [parts["recall_numerator"], parts["recall_denominator"], parts["precision_denominator"]] == [right, *sizes]
