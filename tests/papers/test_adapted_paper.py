"""Adapted BCubed reproduced: Table 1 cell by cell, and Table 2 against scores taken topic by topic in plain Python."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from clusterscore import FileError, InputError
from reproduce import adapted
from reproduce.result import Result, Row

ROOT = Path(__file__).resolve().parents[2]
GOLDEN = json.loads((ROOT / "tests" / "golden" / "moreno_table1.json").read_text(encoding="utf-8"))
SHARED = ROOT.parent / "shared"
DATA = SHARED / "data"
needs_data = pytest.mark.skipif(not (DATA / "odp239").exists(), reason="the data (shared/data/odp239) is not here")


@pytest.fixture(scope="module")
def result() -> Result:
    return adapted.reproduce(None)


def table(result: Result) -> dict[tuple[str, str], Row]:
    """The rows of Table 1 by example and quantity."""
    prefix = "M Table 1 "
    found = {(row.section.removeprefix(prefix).removesuffix(" (reconstructed)"), row.quantity): row
             for row in result.rows if row.section.startswith(prefix)}  # fmt: skip
    assert len(found) == len(result.rows)
    return found


def test_computed_values_are_the_golden_ones(result: Result) -> None:
    rows = table(result)
    for example in GOLDEN["examples"]:
        name = example["name"].replace("_", " ")
        for quantity in adapted.MEASURES:
            found = [rows[name, f"{quantity}, {side}"].computed for side in ("left", "right")]
            assert found == pytest.approx(example["values"][quantity], abs=1e-12, rel=0), (name, quantity)
        four = [rows[name, f"Rbmod(|x|=3), {side}: Eq. 4 with four elements"].computed for side in ("left", "right")]
        assert four == pytest.approx(example["values"]["Rbmod tuples order 4"], abs=1e-12, rel=0)


def test_the_examples_are_the_golden_ones() -> None:
    def blocks(labels: Sequence[Any]) -> set[frozenset[int]]:
        members = defaultdict(set)
        for k, label in enumerate(labels):
            members[label].add(k)
        return {frozenset(each) for each in members.values()}

    assert list(adapted.EXAMPLES) == [e["name"].replace("_", " ") for e in GOLDEN["examples"]]
    for ours, golden in zip(adapted.EXAMPLES.values(), GOLDEN["examples"], strict=True):
        for side, labels in zip(("gold", "left", "right"), ours, strict=False):
            assert blocks(labels) == blocks(golden[side])


def test_what_differs_is_known_and_told(result: Result) -> None:
    differs = {(row.section, row.quantity) for row in result.rows if row.match is False}
    assert len(differs) == 13
    assert all(row.note and not row.known for row in result.rows if row.match is False)
    assert all(row.known for row in result.rows if row.match)
    assert not [row for row in result.rows if row.regressed]


def test_all_marks_and_the_row_with_four_elements_match(result: Result) -> None:
    rows = table(result)
    marks = [row for (_, quantity), row in rows.items() if quantity.endswith("mark")]
    four = [row for (_, quantity), row in rows.items() if quantity.endswith("four elements")]
    assert (len(marks), len(four)) == (70, 10)
    assert all(row.match for row in [*marks, *four])
    assert Counter(row.printed for row in marks) == {"tick": 35, "cross": 35}


@pytest.mark.skipif(
    not (SHARED / "golden").exists(), reason="the record of what is printed (shared/golden) is not here"
)
def test_printed_values_are_those_on_record(result: Result) -> None:
    record = json.loads((SHARED / "golden" / "moreno_table1.json").read_text(encoding="utf-8"))
    rows = table(result)
    for name, example in record["examples"].items():
        for measure, cell in example["rows"].items():
            for side in ("left", "right"):
                row = rows[name.replace("_", " "), f"{measure}, {side}"]
                assert row.printed == f"{cell[f'printed_{side}']:.2f}"
                assert row.match is cell[f"match_{side}"]
            mark = rows[name.replace("_", " "), f"{measure}, mark"]
            assert (mark.printed == "tick") is cell["printed_mark"]
            assert mark.match is cell["mark_agrees"]
    assert {measure for example in record["examples"].values() for measure in example["rows"]} == set(adapted.MEASURES)


def test_without_data_table_2_is_skipped(result: Result, tmp_path: Path) -> None:
    assert "odp239/STRel.txt" in result.skipped[0]
    assert not result.figures
    assert adapted.reproduce(tmp_path).skipped == result.skipped


# Table 2 ---------------------------------------------------------------------------------------------


def write(folder: Path, lines: Sequence[str]) -> Path:
    (folder / "odp239").mkdir()
    path = folder / adapted.FILE
    path.write_text("\n".join(["subTopicID\tdocID", *lines]) + "\n", encoding="utf-8")
    return path


def small(folder: Path) -> Path:
    """Three topics of 30, 24 and 25 documents in subtopics of uneven size."""
    sizes = {1: (17, 8, 5), 2: (12, 6, 4, 2), 3: (20, 5)}
    lines = []
    for topic, parts in sizes.items():
        subtopics = [k for k, size in enumerate(parts, 1) for _ in range(size)]
        lines += [f"{topic}.{subtopic}\t{topic}.{d}" for d, subtopic in enumerate(subtopics, 1)]
    return write(folder, lines)


def f_of(gold: Sequence[Any], pred: Sequence[Any]) -> list[Fraction]:
    """Fb3, Fb0.9 and Fbmod of one topic, from the definitions, an element at a time."""
    n = len(gold)
    p = r = Fraction(0)
    for e in range(n):
        same = sum(gold[x] == gold[e] and pred[x] == pred[e] for x in range(n))
        p += Fraction(same, pred.count(pred[e]) * n)
        r += Fraction(same, gold.count(gold[e]) * n)
    tenth = Fraction(1, 10)
    return [2 * p * r / (p + r), 1 / (9 * tenth / p + tenth / r), 1 / (9 * tenth / p + tenth / r**2)]


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(adapted, "CLUSTERS", range(2, 5))
    monkeypatch.setattr(adapted, "SEEDS", range(3))


@pytest.mark.usefixtures("few")
def test_random_systems_topic_by_topic(tmp_path: Path) -> None:
    gold = adapted.topics(small(tmp_path))
    found = adapted.scores(gold)
    assert gold.documents is not None
    topic = [gold.documents.names[code] for code in gold.documents.codes]
    for name, deal in adapted.ALGORITHMS.items():
        for i, k in enumerate(adapted.CLUSTERS):
            for j, seed in enumerate(adapted.SEEDS):
                dealt = deal(gold, k, seed=seed)
                each = []
                for one in dict.fromkeys(topic):
                    inside = [e for e in range(len(topic)) if topic[e] == one]
                    labels = [int(dealt.codes[e]) for e in inside]
                    sizes = sorted(Counter(labels).values())
                    shape = (len(sizes), sizes[-1] - sizes[0] <= 1, sizes[:-1] == [1] * (k - 1))
                    assert shape == (k, True, False) if name == "UniformRand" else shape[::2] == (k, True)
                    each.append(f_of([int(gold.codes[e]) for e in inside], labels))
                means = [float(sum(column) / 3) for column in zip(*each, strict=True)]
                assert found[name][i, j].tolist() == pytest.approx(means, abs=1e-12, rel=0)


@pytest.mark.usefixtures("few")
def test_rows_are_means_over_seeds_with_their_spread(tmp_path: Path) -> None:
    path = small(tmp_path)
    found = adapted.scores(adapted.topics(path))["UniformRand"][0, :, 1]
    rows = {(row.section, row.quantity): row for row in adapted.table_2(tmp_path).rows}
    row = rows["M Table 2 UniformRand(2)", "Fb0.9, mean over topics and 3 seeds"]
    assert row.computed == pytest.approx(found.mean(), abs=1e-15)
    assert f"seeds from {min(found):.6f} to {max(found):.6f}" in row.note
    assert (row.printed, row.match) == (None, None)
    assert len(rows) == 3 + 2 * 3 * 3
    wrong = rows["ODP239", "number of topics"]  # this is not ODP239, and that is noticed
    assert (wrong.printed, wrong.computed, wrong.regressed) == ("239", 3, True)


@pytest.mark.usefixtures("few")
def test_a_printed_value_is_held_to_the_spread_of_the_seeds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seeds = adapted.scores(adapted.topics(small(tmp_path)))["UltraShapedRand"][1, :, 0]
    key = ("UltraShapedRand", 3, "Fb3")
    for printed, match in ((f"{seeds.mean():.3f}", True), (f"{seeds.mean() + np.ptp(seeds) + 0.01:.3f}", False)):
        monkeypatch.setattr(adapted, "PRINTED_2", {key: printed})
        told = adapted.table_2(tmp_path)
        [row] = [row for row in told.rows if row.section == "M Table 2 UltraShapedRand(3)" and row.printed]
        assert (row.printed, row.match, row.regressed) == (printed, match, not match)
        assert not told.skipped


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        (["1.1\t1.1", "1.2"], "field"),
        (["2.1\t1.1", "1.1\t1.2"], "1 document under a subtopic of another topic, e.g. 1.1 under 2.1"),
    ],
)
def test_a_wrong_file_is_told(tmp_path: Path, lines: list[str], told: str) -> None:
    path = write(tmp_path, lines)
    with pytest.raises(FileError, match="STRel") as error:
        adapted.topics(path)
    assert told in str(error.value)


def test_an_empty_file_is_told(tmp_path: Path) -> None:
    path = write(tmp_path, [])
    with pytest.raises(FileError, match="STRel"):
        adapted.topics(path)


def test_a_document_in_two_subtopics_is_told(tmp_path: Path) -> None:
    path = write(tmp_path, ["1.1\t1.7", "1.2\t1.7"])
    with pytest.raises(InputError, match=r"1\.7"):
        adapted.topics(path)


@needs_data
def test_the_data_is_odp239(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(adapted, "CLUSTERS", range(2, 4))
    monkeypatch.setattr(adapted, "SEEDS", range(2))
    rows = adapted.table_2(DATA).rows
    assert [row.computed for row in rows[:3]] == [239, 2285, 25580]
    assert all(row.match for row in rows[:3])


@needs_data
@pytest.mark.slow
def test_table_2() -> None:
    told = adapted.reproduce(DATA)
    rows = [row for row in told.rows if row.section.startswith("M Table 2")]
    assert len(rows) == 2 * 19 * 3
    found = adapted.scores(adapted.topics(DATA / adapted.FILE))
    assert all(np.ptp(values, axis=1).max() < 0.005 for values in found.values())  # 239 topics: seeds agree
    uniform, ultra = found["UniformRand"].mean(axis=1), found["UltraShapedRand"].mean(axis=1)
    assert (ultra > uniform).all()  # one large cluster pays, whichever measure is asked
    assert (np.diff(uniform[:, 1]) > 0).all()  # alpha alone rewards ever smaller random clusters
    assert (np.diff(uniform[:, 2]) < 0).all()  # the adapted measure does not: what the paper is about
