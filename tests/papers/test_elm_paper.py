"""ELM reproduced: its rows against the golden ones, and the enumeration against clusterings scored one by one."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import combinations, pairwise
from math import comb, isclose, log, sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import clusterscore as cs
from clusterscore import FileError, InputError
from reproduce import elm, elm_contiguous, page_streams
from reproduce.result import Result, Row

HERE = Path(__file__).resolve()
DATA = HERE.parents[2].parent / "shared" / "data"
GOLDEN: list[dict[str, Any]] = json.loads(
    (HERE.parents[1] / "golden" / "elm_reproduction.json").read_text(encoding="utf-8")
)["rows"]
ENUMERATION = "J3.4"  # the one experiment that takes long
needs_data = pytest.mark.skipif(
    not (DATA / page_streams.FOLDER).is_dir(), reason="the page streams (shared/data/elm-pss) are not here"
)
OF_DATA = ("J3.5", "J Table 2", "J Fig 6", "repo notebooks", "data")


@pytest.fixture(scope="module")
def quick() -> Result:
    """Everything, but only 6 elements in the place of 14, and so other numbers in Sec. 3.4."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(elm, "ELEMENTS", 6)
        return elm.reproduce(DATA)


def as_golden(row: Row, golden: dict[str, Any]) -> None:
    """A row is the golden one, with as many digits as the golden one has."""
    expected = golden["computed"]
    assert row.printed == golden["printed"]
    assert row.match == golden["match"]
    if isinstance(expected, float):
        assert isinstance(row.computed, float)
        assert f"{row.computed:.6f}" == f"{expected:.6f}", row.quantity
    else:
        assert row.computed == expected
    assert row.known == (golden["match"] is not False)
    if golden["match"] is False:
        assert row.note, row.quantity


def by_name(result: Result) -> dict[tuple[str, str], Row]:
    found = {(row.section, row.quantity): row for row in result.rows}
    assert len(found) == len(result.rows), "a row is there twice"
    return found


@needs_data
@pytest.mark.parametrize(
    "golden",
    [row for row in GOLDEN if not row["section"].startswith(ENUMERATION)],
    ids=lambda row: f"{row['section']}-{row['quantity']}",
)
def test_golden_row(quick: Result, golden: dict[str, Any]) -> None:
    as_golden(by_name(quick)[golden["section"], golden["quantity"]], golden)


@needs_data
@pytest.mark.slow
def test_every_golden_row() -> None:
    result = elm.reproduce(DATA)
    found = by_name(result)
    for golden in GOLDEN:
        as_golden(found[golden["section"], golden["quantity"]], golden)
    assert not [row for row in result.rows if row.regressed]
    assert not result.skipped
    swapped = found[ENUMERATION, "pairs swapped (strictly discordant), billions"].note
    assert "exactly 41,568,401,941" in swapped
    assert "39,068,353,488" in swapped  # the number that the paper rounds to 39


def test_the_numbers_in_notes_are_computed(quick: Result) -> None:
    notes = {row.quantity: row.note for row in quick.rows}
    assert "23,839,467 of 134,209,536" in notes["share of pairs strictly discordant"]
    assert "0.192860" in notes["share of pairs strictly discordant"]
    assert "4,075 of 16,384" in notes["share of ELM scores below the lowest BCubed score"]
    assert "2,130 different BCubed scores and 485 of ELM" in notes["Kendall tau-b"]
    assert "3/4 for H1 and 3/4 for H2" in notes["elm H2 per element ['1', '1', '2/3', '2/3', '0'] mean"]


@needs_data
def test_the_right_reading_of_page_0_stands_in_the_notes(quick: Result) -> None:
    notes = {row.quantity: row.note for row in quick.rows if row.section.startswith("J Table 2")}
    assert "0.942487, which would print 0.94" in notes["bcubed P mean"]
    assert notes["bcubed P std"] == "where page 0 starts a document 0.066368"
    assert "0.808939, which would print 0.81" in notes["elm F1_mean_of_F1 mean"]
    bins = {row.quantity.rpartition(") ")[2]: row.note for row in quick.rows if row.section == "repo notebooks"}
    assert "24370 913 169 224 0" in bins["BERT"]
    assert "0.499201 0.293650 0.107474 0.099675 0.000000" in bins["mean length"]


@pytest.mark.parametrize("data", [None, "empty"])
def test_without_the_streams_their_rows_are_left_out_and_named(
    data: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(elm, "ELEMENTS", 6)
    result = elm.reproduce(None if data is None else tmp_path)
    assert not [row for row in result.rows if row.section.startswith(OF_DATA)]
    assert len(result.skipped) == 2
    assert all("elm-pss" in told for told in result.skipped)
    left = {(row["section"], row["quantity"]) for row in GOLDEN if not row["section"].startswith(OF_DATA)}
    assert left <= by_name(result).keys()
    assert [figure.name for figure in result.figures] == ["elm-fig10", "elm-fig2", "elm-fig3", "elm-fig4"]


def test_worked_examples(quick: Result) -> None:
    """As the golden cases have them: Fig. 10 prints a recall as if it were F."""
    found = {(row.section, row.quantity): row for row in quick.rows}
    one = found["J Fig. 10", "ELM F1 of H1"]
    assert (one.printed, one.computed, one.match, one.known) == ("8/10", "21/25", False, False)
    assert found["J Fig. 10", "ELM recall of H1, which is what is printed"].match
    assert found["J Fig. 10", "ELM F1 of H2"].computed == "2/5"
    others = [
        row for row in quick.rows if row.section in {"ICTIR 2", "J eq. (2)", "ICTIR 3.3.3", "ICTIR 3.3.4", "J3.6.3"}
    ]
    assert len(others) == 6
    assert all(row.match for row in others)


@needs_data
def test_figures_are_drawn(quick: Result) -> None:
    drawing = pytest.importorskip("matplotlib.figure", reason="the figures need matplotlib")
    names = [figure.name for figure in quick.figures]
    assert names == [*(f"elm-fig{k}" for k in (10, 2, 3, 4, 5, 6)), "elm-bins", "ictir-sizes"]
    for figure in quick.figures:
        canvas = drawing.Figure()
        figure.draw(canvas)
        canvas.draw_without_rendering()
        assert canvas.axes
        assert all(axes.has_data() for axes in canvas.axes)
        assert canvas.get_size_inches()[0] == pytest.approx(3.3)


# ---- the enumeration, against clusterings scored one by one from the definitions


def clusters(code: int, elements: int) -> list[list[int]]:
    found = [[0]]
    for element in range(1, elements):
        if code >> (element - 1) & 1:
            found.append([])
        found[-1].append(element)
    return found


def element_f(gold: set[int], pred: set[int], element: int, own: bool) -> Fraction:
    """F of an element by the definition, with itself among those like it or without."""
    left_out = set() if own else {element}
    right, wrong = (gold & pred) - left_out, gold ^ pred
    if not right and not wrong:
        return Fraction(1)
    return Fraction(len(right)) / (len(right) + Fraction(len(wrong), 2))


def exact_f(gold: int, pred: int, elements: int, own: bool) -> Fraction:
    gold_of = {element: set(cluster) for cluster in clusters(gold, elements) for element in cluster}
    pred_of = {element: set(cluster) for cluster in clusters(pred, elements) for element in cluster}
    return sum((element_f(gold_of[e], pred_of[e], e, own) for e in range(elements)), Fraction()) / elements


@pytest.mark.parametrize("elements", [1, 2, 3, 6])
@pytest.mark.parametrize("own", [True, False])
def test_all_scores_are_the_exact_fractions(elements: int, own: bool) -> None:
    every = np.arange(1 << (elements - 1))
    found = elm_contiguous.scores(every, elements, 0 if own else 1)
    whole = elm_contiguous.full_score(elements)
    for gold in every.tolist():
        for pred in every.tolist():
            assert Fraction(int(found[gold, pred]), whole) == exact_f(gold, pred, elements, own)


@pytest.mark.parametrize("elements", [2, 4, 6, 7])
def test_a_small_enumeration_against_all_pairs(elements: int) -> None:
    count = 1 << (elements - 1)
    found = elm_contiguous.compare(elements, np.arange(count))
    b_all: list[Fraction] = []
    for gold in range(count):
        b = [exact_f(gold, pred, elements, True) for pred in range(count)]
        e = [exact_f(gold, pred, elements, False) for pred in range(count)]
        b_all += b
        signs = [
            ((b[i] > b[j]) - (b[i] < b[j]), (e[i] > e[j]) - (e[i] < e[j])) for i, j in combinations(range(count), 2)
        ]
        products = [x * y for x, y in signs]
        assert found.ranks.pairs == len(signs)
        assert found.ranks.discordant[gold] == products.count(-1)
        assert found.ranks.one_sided[gold] == sum((x == 0) != (y == 0) for x, y in signs)
        untied = [sum(sign[side] != 0 for sign in signs) for side in (0, 1)]
        if all(untied):
            expected = (products.count(1) - products.count(-1)) / sqrt(untied[0] * untied[1])
            assert isclose(found.ranks.tau_b[gold], expected, rel_tol=1e-12)
        sizes = [len(cluster) for cluster in clusters(gold, elements)]
        assert isclose(found.entropy[gold], -sum(s / elements * log(s / elements) for s in sizes), abs_tol=1e-12)
        assert isclose(found.moments[gold, 4], float(sum(x * y for x, y in zip(b, e, strict=True)) / count))
    assert found.lowest == pytest.approx(float(min(b_all)), rel=1e-15)
    parts = [min(int(value * elm_contiguous.BINS), elm_contiguous.BINS - 1) for value in b_all]
    assert found.histograms[0].tolist() == np.bincount(parts, minlength=elm_contiguous.BINS).tolist()


@pytest.mark.parametrize("elements", [5, 8, 9])
def test_mirror_images_are_counted_together(elements: int) -> None:
    one_by_one = elm_contiguous.compare(elements, np.arange(1 << (elements - 1)))
    together = elm_contiguous.compare(elements, elm_contiguous.mirrored(elements))
    assert len(together.times) < len(one_by_one.times)
    assert together.times.sum() == 1 << (elements - 1)
    for count in ("discordant", "one_sided"):
        assert together.total(getattr(together.ranks, count)) == one_by_one.total(getattr(one_by_one.ranks, count))
    assert np.allclose(np.sort(together.swapped), np.sort(one_by_one.swapped), rtol=0, atol=0)
    assert np.allclose(np.sort(together.each(together.ranks.tau_b)), np.sort(one_by_one.ranks.tau_b), atol=1e-15)
    assert together.histograms.tolist() == one_by_one.histograms.tolist()


def test_the_first_boundary_is_dropped_as_make_index_does() -> None:
    elements = 6
    for code, left in enumerate(elm_contiguous.without_first_boundary(elements).tolist()):
        # the vector has 0 for page 0, and make_index splits at all 1s but the first
        ones = [page for page in range(1, elements) if code >> (page - 1) & 1]
        edges = [0, *ones[1:], elements]
        assert clusters(left, elements) == [list(range(a, b)) for a, b in pairwise(edges)]


def test_scores_of_the_package_are_those_of_the_enumeration() -> None:
    golds = np.array([0, 5, 1000, 4095, 8191])
    for less, metric in enumerate((cs.bcubed, cs.elm)):
        found = elm_contiguous.scores(golds, 14, less) / elm_contiguous.full_score(14)
        for row, gold in enumerate(golds.tolist()):
            for pred in range(0, 8192, 911):
                left, right = (
                    cs.Clustering.from_lengths([len(cluster) for cluster in clusters(code, 14)])
                    for code in (gold, pred)
                )
                assert metric(left, right).f == pytest.approx(found[row, pred], abs=1e-15)


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=64, max_size=64))
def test_discordant_pairs_of_any_two_orders(points: list[tuple[int, int]]) -> None:
    first, second = (np.array([[point[k] for point in points]]) for k in (0, 1))
    found = elm_contiguous.ranks(first, second)
    products = [(a[0] - b[0]) * (a[1] - b[1]) for a, b in combinations(points, 2)]
    assert found.pairs == comb(64, 2)
    assert found.discordant.tolist() == [sum(product < 0 for product in products)]
    assert found.tied_both.tolist() == [sum(a == b for a, b in combinations(points, 2))]


def test_blocks_are_put_together() -> None:
    falling = np.arange(1024)[None, ::-1].copy()
    assert elm_contiguous.ranks(falling, falling[:, ::-1].copy()).discordant.tolist() == [comb(1024, 2)]
    assert elm_contiguous.ranks(falling, falling).discordant.tolist() == [0]


@pytest.mark.parametrize("elements", [0, 16, -1])
def test_numbers_of_elements_out_of_range(elements: int) -> None:
    with pytest.raises(InputError, match="1 to 15 elements"):
        elm_contiguous.full_score(elements)


def test_the_largest_scores_fit_their_words() -> None:
    elements = elm_contiguous.LONGEST
    assert elm_contiguous.full_score(elements) * (1 << (elements - 1)) < 2**63
    assert 2 * elements * elm_contiguous.full_score(elements) < 2**63


# ---- page streams


def written(folder: Path, **files: Any) -> Path:
    inside = folder / page_streams.FOLDER
    inside.mkdir()
    vectors = {"a": [1, 0, 1], "b": [0, 1, 0, 1]}
    given = {"train": {"c": [1, 0]}, "test": vectors, "BERT_model_predictions": vectors} | files
    for name, content in given.items():
        text = content if isinstance(content, str) else json.dumps(content)
        (inside / f"{name}.json").write_text(text, encoding="utf-8")
    return folder


def test_both_readings_of_page_0(tmp_path: Path) -> None:
    streams = page_streams.load(written(tmp_path))
    assert streams is not None
    every = streams.every
    assert every.names.tolist() == ["c", "a", "b"]
    assert every.sizes.tolist() == [2, 2, 1, 2, 1]  # one page of b is in no document
    assert every.documents().codes.tolist() == [0, 0, 1, 1, 2, 3, 4, 4, 5]
    assert every.documents_without_first_mark().codes.tolist() == [0, 0, 1, 1, 2, 3, 3, 3, 4]
    assert every.mean_by_stream(every.sizes).tolist() == [2.0, 1.5, 1.5]


@pytest.mark.parametrize(
    "files",
    [
        {"test": "{"},
        {"test": []},
        {"test": {}},
        {"test": {"a": []}},
        {"test": {"a": [0, 2]}},
        {"test": {"a": ["1", "0"]}},
        {"test": {"a": [1.5]}},
        {"test": {"a": [[1]]}},
        {"test": {"a": None}},
        {"BERT_model_predictions": {"a": [1, 0, 1]}},
        {"BERT_model_predictions": {"a": [1, 0, 1], "b": [1, 0, 0]}},
        {"BERT_model_predictions": {"b": [0, 1, 0, 1], "a": [1, 0, 1]}},
    ],
)
def test_streams_that_cannot_be_read(files: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"test\.json|BERT_model_predictions\.json"):
        page_streams.load(written(tmp_path, **files))


def test_a_stream_that_marks_nothing(tmp_path: Path) -> None:
    streams = page_streams.load(written(tmp_path, train={"c": [0, 0, 0], "d": [1, 1]}))
    assert streams is not None
    assert streams.train.documents().codes.tolist() == [0, 0, 0, 1, 2]
    assert streams.train.documents_without_first_mark().codes.tolist() == [0, 0, 0, 1, 2]
    assert streams.train.mean_by_stream(streams.train.sizes).tolist() == [0.0, 1.0]
