"""Adapted BCubed reproduced: every printed cell has its row, and Table 2 agrees with scores taken topic by topic."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import clusterscore as cs
from clusterscore import FileError
from reproduce import adapted
from reproduce.result import Result, Row, printed_rows

ROOT = Path(__file__).resolve().parents[2]
GOLDEN = json.loads((ROOT / "tests" / "golden" / "moreno_table1.json").read_text(encoding="utf-8"))
SHARED = ROOT.parent / "shared"
DATA = SHARED / "data"
needs_data = pytest.mark.skipif(not (DATA / "odp239").exists(), reason="the data (shared/data/odp239) is not here")
# our name of a measure of Table 1 -> that of the golden values
NAMES = {name: name for name in adapted.MEASURES} | {"Pbmod3": "Pbmod", adapted.R_MOD: "Rbmod(|x|=3)"}


@pytest.fixture(scope="module")
def result() -> Result:
    return adapted.reproduce(None)


def table(result: Result) -> dict[tuple[str, str], Row]:
    """The rows of Table 1 by example and quantity."""
    prefix = "M Table 1 "
    rows = [row for row in result.rows if row.section.startswith(prefix)]
    found = {(row.section.removeprefix(prefix).removesuffix(" (reconstructed)"), row.quantity): row for row in rows}
    assert len(found) == len(rows) == 14 * 5 * 3 + 10 + 14
    return found


def rows_of(result: Result, section: str) -> dict[str, Row]:
    found = {row.quantity: row for row in result.rows if row.section == section}
    assert len(found) == sum(row.section == section for row in result.rows)
    return found


def test_every_printed_cell_has_its_row(result: Result) -> None:
    rows = table(result)
    columns = dict(zip(adapted.EXAMPLES, list(printed_rows("M", "Table 1")[0])[1:-1], strict=True))
    for line in printed_rows("M", "Table 1"):
        for example, column in columns.items():
            for part, printed in line[column].items():
                assert rows[example, f"{line['measure']}, {part}"].printed == printed
        assert rows["4+1 F.C.", line["measure"]].printed == line["4+1 F.C."]
    for line in printed_rows("M", "Table 2"):
        told = rows_of(result, f"M Table 2 {line['data set']}")
        for k in (str(k) for k in range(2, 21, 2) if line["data set"] != "ODP239"):
            row = told[f"{line['metric']}, {line['algorithm']}({k})"]
            assert (row.printed, row.computed, row.match) == (line[k], None, None)
            assert line["data set"] in row.note
    for line in printed_rows("M", "Table 3"):
        told = rows_of(result, f"M Table 3 {line['data set']}")
        for metric in ("Fb3", "Fb0.9", "Fbmod&0.9"):
            row = told[f"{metric}, {line['algorithm']}"]
            assert (row.printed, row.verdict) == (line[metric], "no data")
    assert all(row.printed for row in result.rows)


def test_computed_values_are_the_golden_ones(result: Result) -> None:
    rows = table(result)
    for example in GOLDEN["examples"]:
        name = example["name"].replace("_", " ")
        for ours, golden in NAMES.items():
            found = [rows[name, f"{ours}, {side}"].computed for side in ("left", "right")]
            assert found == pytest.approx(example["values"][golden], abs=1e-12, rel=0), (name, ours)
        four = [rows[name, f"{adapted.R_MOD}, {side}: Eq. 4 with four elements"].computed for side in ("left", "right")]
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
    differs = [row for row in result.rows if row.match is False]
    assert Counter(" ".join(row.section.split()[:3]) for row in differs) == {
        "M Table 1": 13,
        "M Table 3": 3,
        "M Sec. 3.3": 2,
        "M Sec. 3.4": 2,
        "M Sec. 4": 3,
    }
    assert all(row.note and not row.known for row in differs)
    assert all(row.known for row in result.rows if row.match)
    assert not [row for row in result.rows if row.regressed]


@pytest.mark.skipif(
    not (SHARED / "golden").exists(), reason="the record of what is printed (shared/golden) is not here"
)
def test_printed_values_are_those_on_record(result: Result) -> None:
    record = json.loads((SHARED / "golden" / "moreno_table1.json").read_text(encoding="utf-8"))
    rows, golden = table(result), {golden: ours for ours, golden in NAMES.items()}
    for name, example in record["examples"].items():
        assert example["rows"].keys() == golden.keys()
        for measure, cell in example["rows"].items():
            where = name.replace("_", " ")
            for side in ("left", "right"):
                row = rows[where, f"{golden[measure]}, {side}"]
                assert row.printed == f"{cell[f'printed_{side}']:.2f}"
                assert row.match is cell[f"match_{side}"]
            mark = rows[where, f"{golden[measure]}, satisfied"]
            assert (mark.printed == "yes") is cell["printed_mark"]
            assert mark.match is cell["mark_agrees"]


def test_without_data_our_part_of_table_2_is_skipped(result: Result, tmp_path: Path) -> None:
    assert "odp239/STRel.txt" in result.skipped[0]
    assert not [row for row in result.rows if row.section == "M Table 2 ODP239"]
    assert adapted.reproduce(tmp_path).skipped == result.skipped


# the text --------------------------------------------------------------------------------------------


def test_every_number_and_claim_of_the_text_has_rows(result: Result) -> None:
    said = printed_rows("M", "text")
    sections = Counter(row.section for row in result.rows)
    assert len(said) == 10
    for line in said:
        section = f"M {'' if line['section'].startswith('Fig') else 'Sec. '}{line['section']}"
        assert sections[section] > 0, section
    assert sections["M Fig. 1"] == 2
    assert sections["M Sec. 3.3"] == 5
    assert sections["M Sec. 3.4"] == 1 + 3 * 3 + 2  # k; two measures and the gap for each set; growth for two
    assert sections["M Sec. 4"] == 2 * 3
    assert sections["M Table 3"] == 3 * 2 * 2


def test_from_which_alpha_all_five_hold(result: Result) -> None:
    rows = rows_of(result, "M Sec. 3.3")
    found = {
        row.quantity.rpartition(": ")[2]: (row.computed, row.match) for row in rows.values() if ": " in row.quantity
    }
    assert found == {
        "Fb_alpha": (0.7, True),
        "Fbmod&alpha, Eq. 5": (0.8, False),
        "Fbmod&alpha, Eq. 4 with four elements": (0.8, False),
    }
    for metric, alpha in ((adapted.PLAIN, 0.611), ("adapted_bcubed", 0.769), (adapted.FOURFOLD, 0.791)):
        least = adapted.least_alpha(metric)
        assert alpha - 0.001 < least <= alpha  # 0.611, 0.769 and 0.791 are the first thousandths
        name, _, options = metric.rstrip(")").partition("(")
        for at, holds in ((least - 1e-9, False), (least + 1e-9, True), (0.999, True)):
            weighed = f"{name}({options + ', ' if options else ''}alpha={at!r})"
            preferred = [
                cs.score(gold, right, metrics=weighed)[weighed].value
                > cs.score(gold, left, metrics=weighed)[weighed].value
                for gold, left, right, _ in adapted.EXAMPLES.values()
            ]
            assert all(preferred) is holds


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
    """Fb0.9, Fbmod&0.9 (mean of the third power of recall) and Fb3 of one topic, an element at a time."""
    n = len(gold)
    p = r = r3 = Fraction(0)
    for e in range(n):
        same = sum(gold[x] == gold[e] and pred[x] == pred[e] for x in range(n))
        p += Fraction(same, pred.count(pred[e]) * n)
        r += Fraction(same, gold.count(gold[e]) * n)
        r3 += Fraction(same**3, gold.count(gold[e]) ** 3 * n)
    tenth = Fraction(1, 10)
    return [1 / (9 * tenth / p + tenth / r), 1 / (9 * tenth / p + tenth / r3), 2 * p * r / (p + r)]


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(adapted, "CLUSTERS", [2, 4, 6])
    monkeypatch.setattr(adapted, "SEEDS", range(3))


@pytest.mark.usefixtures("few")
def test_random_systems_topic_by_topic(tmp_path: Path) -> None:
    gold = adapted.topics(small(tmp_path))
    found = adapted.scores(gold)
    assert gold.documents is not None
    topic = [gold.documents.names[code] for code in gold.documents.codes]
    assert Counter(topic) == {"1": 30, "2": 24, "3": 25}
    for name, deal in adapted.ALGORITHMS.items():
        for i, k in enumerate(adapted.CLUSTERS):
            for j, seed in enumerate(adapted.SEEDS):
                dealt = deal(gold, k, seed=seed)
                each = []
                for one in dict.fromkeys(topic):
                    inside = [e for e in range(len(topic)) if topic[e] == one]
                    labels = [int(dealt.codes[e]) for e in inside]
                    sizes = sorted(Counter(labels).values())
                    assert len(sizes) <= k if name == "UniformR." else sizes[:-1] == [1] * (k - 1)
                    each.append(f_of([int(gold.codes[e]) for e in inside], labels))
                means = [float(sum(column) / 3) for column in zip(*each, strict=True)]
                ours = [found[name, measure][i, j] for measure in ("Fb0.9", "Fbmod&0.9", "Fb3")]
                assert ours == pytest.approx(means, abs=1e-12, rel=0)


def test_a_printed_cell_is_one_more_run(monkeypatch: pytest.MonkeyPatch) -> None:
    def planted(off: float) -> Iterator[Row]:
        """Runs with a deviation of 0.001, so many deviations from what is printed."""
        around = 0.001 / np.std([-1, 1], ddof=1) * np.array([-1, 1])
        runs = {
            (line["algorithm"], line["metric"]): np.array(
                [float(line[str(k)]) + off * 0.001 + around for k in range(2, 21, 2)]
            )
            for line in printed_rows("M", "Table 2")
            if line["data set"] == "ODP239"
        }
        runs |= {(name, "Fb3"): runs[name, "Fb0.9"] for name in adapted.ALGORITHMS}
        monkeypatch.setattr(adapted, "scores", lambda gold: runs)
        monkeypatch.setattr(adapted, "topics", lambda path: None)
        monkeypatch.setattr(adapted, "FILE", Path(__file__).name)
        told = adapted.reproduce(Path(__file__).parent)
        assert not told.skipped
        return (row for row in told.rows if row.section == "M Table 2 ODP239")

    near, far = list(planted(1.9)), list(planted(-2.2))
    assert len(near) == len(far) == 40
    assert all(row.match for row in near)
    assert not any(row.match for row in far)
    assert {row.quantity.rpartition(", ")[2] for row in far if row.regressed} == {
        "UltraSh.R.(2)",
        "UltraSh.R.(4)",
        *(f"UniformR.({k})" for k in range(2, 21, 2)),
    }
    assert all(row.spread == pytest.approx(0.001) for row in near)


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
    with pytest.raises(FileError, match=r"1\.7 is under several subtopics"):
        adapted.topics(path)


@needs_data
def test_the_data_is_odp239() -> None:
    gold = adapted.topics(DATA / adapted.FILE)
    assert gold.documents is not None
    assert (len(gold.documents.names), len(gold.names), len(gold)) == (239, 2285, 25580)


@needs_data
def test_equal_sizes_and_eq_5_do_not_give_table_2() -> None:
    gold = adapted.topics(DATA / adapted.FILE)
    metrics = {"Eq. 5": "adapted_bcubed", "four": adapted.FOURFOLD}
    lines = {(line["metric"], line["data set"], line["algorithm"]): line for line in printed_rows("M", "Table 2")}
    printed = float(lines["Fbmod&0.9", "ODP239", "UniformR."]["20"])
    for sizes, expected in (("equal", (0.1142, 0.0562)), ("independent", (None, 0.0640))):
        pred = cs.baselines.uniform_random(gold, 20, sizes=sizes)  # type: ignore[arg-type]
        card = cs.score(gold, pred, metrics=list(metrics.values()), average="macro")
        for metric, value in zip(metrics.values(), expected, strict=True):
            if value is not None:
                assert card[metric].value == pytest.approx(value, abs=0.005)
        if sizes == "independent":
            assert card[adapted.FOURFOLD].value == pytest.approx(printed, abs=0.005)
            assert card["adapted_bcubed"].value > printed + 0.04


@needs_data
@pytest.mark.slow
def test_table_2() -> None:
    told = adapted.reproduce(DATA)
    assert not told.skipped
    assert not [row for row in told.rows if row.regressed]
    assert all(row.printed for row in told.rows)
    rows = rows_of(told, "M Table 2 ODP239")
    assert len(rows) == 40
    fits = {name: [row.match for quantity, row in rows.items() if name in quantity] for name in adapted.ALGORITHMS}
    assert fits["UniformR."] == [True] * 20
    k = [row.quantity.rpartition("(")[2] for row in rows.values() if "Ultra" in row.quantity and row.match]
    assert {"2)", "4)"} <= set(k) <= {"2)", "4)", "8)"}  # Fb0.9 at 8, by chance
    said = rows_of(told, "M Sec. 3.4")
    [runs] = [row for quantity, row in said.items() if quantity.startswith("runs of which")]
    assert (runs.printed, runs.match) == ("10", False)
    assert 0.7 < float(runs.computed or 0) < 1.6  # the cells scatter as single runs do
    [footnote] = [row for quantity, row in said.items() if "Fb3" in quantity]
    assert footnote.match
