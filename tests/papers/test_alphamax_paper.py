"""The alphaMax-BCubed paper, reproduced: rows against exact fractions, noise against its expectation, figures."""

from __future__ import annotations

import json
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import brute_force as oracle
import numpy as np
import pytest

import clusterscore as cs
from reproduce import alphamax, alphamax_blobs
from reproduce.alphamax import CountedCells, cells_of, noisy, parts_of, runs_of, split
from reproduce.result import Result, Row, every_pair, printed_rows

GOLDEN = json.loads((Path(__file__).resolve().parents[1] / "golden" / "alphamax.json").read_text(encoding="utf-8"))
CASES = {case["name"]: case for case in GOLDEN["cases"]}
EXACT = 1e-12


@pytest.fixture(scope="module")
def result() -> Result:
    return alphamax.reproduce(None)


@pytest.fixture(scope="module")
def rows(result: Result) -> dict[tuple[str, str], Row]:
    return {(row.section, row.quantity): row for row in result.rows}


def labels_of(cells: CountedCells) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """One label and one cluster per element, as the paper has them."""
    return tuple(np.repeat(cells.label, cells.n).tolist()), tuple(np.repeat(cells.cluster, cells.n).tolist())


def near(exact: Fraction | str) -> Any:
    return pytest.approx(float(Fraction(exact)), abs=EXACT, rel=0)


# The data --------------------------------------------------------------------------------------------


def test_split_is_the_data_of_table_1() -> None:
    gold, pred = labels_of(split(4))
    assert len(gold) == 403_200
    part = np.arange(403_200) % 40_320 // 10_080
    assert pred == tuple((np.array(gold) * 4 + part).tolist())
    assert split(3, labels=2, elements=8).n.tolist() == [2, 3, 3, 2, 3, 3]  # uneven, but nobody is lost


def test_merged_is_the_golden_case(monkeypatch: pytest.MonkeyPatch) -> None:
    case = CASES["table2_k3_n1_n2"]
    monkeypatch.setattr(alphamax.split, "__defaults__", (10, 2))  # two elements of each label
    gold, pred = labels_of(cells_of([1, 2], 0.0, 0, labels=3))
    assert ([str(label) for label in gold], list(pred)) == (case["gold"], case["pred"])


@pytest.mark.parametrize("noise", [0.25, 0.5, 1.0])
def test_noise_keeps_clusters_and_has_its_expectation(noise: float) -> None:
    cells = split(2, labels=4, elements=100_000)
    drawn = noisy(cells, noise, np.random.default_rng(1), labels=4)
    counts = np.zeros((4, 8))
    np.add.at(counts, (drawn.label, drawn.cluster), drawn.n)
    assert counts.sum(axis=0).tolist() == [50_000] * 8
    kept = 1 - noise + noise / 4  # the label that is drawn may be the old one
    chance = np.where(np.arange(8) // 2 == np.arange(4)[:, None], kept, noise / 4)
    deviation = np.sqrt(50_000 * chance * (1 - chance))
    assert (np.abs(counts - 50_000 * chance) <= 4.5 * deviation).all()  # 32 cells: by chance once in 5,000 seeds


def test_noise_by_cells_is_noise_by_elements() -> None:
    """Means and deviations of the score agree with labels drawn one by one, as the paper draws them."""
    cells, noise, runs = split(3, labels=4, elements=60), 0.4, 400
    gold, pred = (np.array(side) for side in labels_of(cells))
    rng = np.random.default_rng(2)
    one_by_one = []
    for _ in range(runs):
        replaced = np.where(rng.random(len(gold)) < noise, rng.integers(0, 4, len(gold)), gold)
        one_by_one.append(cs.alphamax_bcubed(replaced, pred).f)
    at_once = []
    for _ in range(runs):
        drawn = noisy(cells, noise, rng, labels=4)
        at_once.append(cs.alphamax_bcubed(cs.Table.from_cells(*drawn)).f)
    error = np.sqrt((np.var(one_by_one) + np.var(at_once)) / runs)
    assert abs(np.mean(one_by_one) - np.mean(at_once)) < 4 * error
    assert 0.8 < np.std(one_by_one) / np.std(at_once) < 1.25


def test_runs_are_scored_each_on_its_own() -> None:
    runs = runs_of([2], 0.25)
    assert len(runs["B3"]) == alphamax.SEEDS
    for seed in (0, 7):
        table = cs.Table.from_cells(*cells_of([2], 0.25, seed))
        assert runs["B3"][seed] == pytest.approx(cs.bcubed(table, f="of-means").f, abs=EXACT)
        assert runs["alpha B3"][seed] == pytest.approx(cs.alphamax_bcubed(table).f, abs=EXACT)
        assert runs["true B3"][seed] == pytest.approx(cs.alphamax_bcubed(table, alpha=0.5).f, abs=EXACT)
        assert runs["alpha"][seed] == pytest.approx(cs.alphamax_bcubed(table).alpha_hat, abs=EXACT)


# Rows ------------------------------------------------------------------------------------------------


def test_every_printed_cell_has_its_row(result: Result) -> None:
    cells = {(row.section, row.quantity): row for row in result.rows}
    assert len(cells) == len(result.rows)
    for table in ("Table 1", "Table 2"):
        for line in printed_rows("X", table):
            for column in list(line)[2:]:
                row = cells[f"X {table}", f"{line['block']}, n={line['N']}: {column}"]
                assert row.printed == line[column]
                assert row.match
                assert (row.spread is not None) == ("random" in line["block"])
    exact = [row for row in result.rows if row.section in ("X Table 1", "X Table 2") and row.spread is None]
    noisy_ones = [row for row in result.rows if row.spread is not None]
    assert (len(exact), len(noisy_ones)) == (72, 72)
    for line in printed_rows("X", "Table 3"):
        for column in ("real alpha", "extr. alpha"):
            assert cells["X Table 3", f"{line['kind']} {line['case']}: {column}"].match


def test_every_number_of_the_text_has_its_row(result: Result) -> None:
    sections = {f"X Sec. {line['section']}" for line in printed_rows("X", "text") if line["section"] != "A.10"}
    assert sections | {"X A.10"} <= {row.section for row in result.rows}
    assert all(row.printed is not None for row in result.rows)
    assert not any(row.regressed for row in result.rows)
    assert all(row.note for row in result.rows if row.match is False)
    assert sum(row.verdict == "yes" for row in result.rows) >= 184


@pytest.mark.parametrize("n", range(1, 9))
def test_table_1_without_noise_is_exact(n: int) -> None:
    # P = 1; recall 1/n moves towards 1 by eta = alpha = 1/n
    recall = Fraction(1, n) + Fraction(1, n) * (1 - Fraction(1, n))
    runs = runs_of([n], 0.0)
    assert runs["B3"][0] == near(Fraction(2, n + 1))
    assert runs["alpha B3"][0] == near(2 * recall / (1 + recall))
    assert runs["alpha"][0] == near(Fraction(1, n))


@pytest.mark.parametrize("case", ["(1,5)", "(2,6)"])
def test_merged_sets_are_exact(case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    parts = parts_of(case)
    runs = runs_of(parts, 0.0)
    monkeypatch.setattr(alphamax.split, "__defaults__", (10, parts[0] * parts[1]))  # scores do not depend on it
    gold, pred = labels_of(cells_of(parts, 0.0, 0))
    exact = oracle.alphamax_bcubed(gold, pred)
    assert runs["alpha B3"][0] == near(exact.f)
    assert runs["alpha"][0] == near(exact.alpha_hat)
    assert runs["B3"][0] == near(oracle.bcubed(gold, pred, f="of-means").f)


@pytest.mark.parametrize("noise", [0.25, 0.5])
@pytest.mark.parametrize("n", [1, 2, 4, 8])
def test_noisy_cells_are_near_the_score_of_the_expected_counts(n: int, noise: float) -> None:
    cells = split(n)
    size = 100 * 40_320 // n  # a hundredfold, so that all that is expected is whole numbers
    other = size * round(100 * noise) // 1000
    matrix = np.where(cells.label == np.arange(10)[:, None], size - 9 * other, other)
    score = cs.alphamax_bcubed(cs.Table.from_matrix(matrix))
    runs = runs_of([n], noise)
    reach = 4 * runs["alpha B3"].std(ddof=1) / len(runs["alpha B3"]) ** 0.5
    assert runs["alpha B3"].mean() == pytest.approx(score.f, abs=reach + 1e-5)
    # chance makes parts unequal, which moves the estimate by about labels * parts / elements
    assert runs["alpha"].mean() == pytest.approx(score.alpha_hat, abs=2e-4)


def test_claims(rows: dict[tuple[str, str], Row]) -> None:
    alpha, delta = rows["X Sec. 6", "the score at 1 - alpha = 0"], rows["X Sec. 4.1", "F at delta = 0"]
    assert (alpha.printed, alpha.computed, alpha.match, alpha.known) == ("B3", "6/7, where B3 is 2/3", False, False)
    assert (delta.printed, delta.computed, delta.match) == ("unweighted", "28/39, unweighted is 12/17", False)
    assert rows["X Sec. 7", "the score at alpha = 0"].match
    case = CASES["delta0_counterexample"]["readings"]["marginal"]
    assert case["auto_eq9_delta_0"]["F1"] == "28/39"
    by_element = cs.alphamax_bcubed(list("AAAB"), list("0011"), delta=0, delta_norm="element").f
    assert by_element == near(case["auto_cui_delta_0"]["F1"])


@pytest.mark.parametrize(("reading", "fewest"), [("marginal", 5), ("own", 6), ("majority", 6)])
def test_the_fewest_elements_below_bcubed(reading: str, fewest: int) -> None:
    metrics = [f"alphamax_bcubed(reading={reading})", "bcubed(f=of-means)"]
    for elements in (fewest - 1, fewest):
        gold, pred, documents = every_pair(elements)
        table = cs.score(gold.ravel(), pred.ravel(), metrics=metrics, documents=documents).documents
        names = [name for name in table if name.startswith(("alphamax", "bcubed")) and "." not in name]
        below = bool((table[names[0]] < table[names[1]] - EXACT).any())
        assert below == (elements == fewest)


# Figures ---------------------------------------------------------------------------------------------


def test_figures_draw_what_was_scored(result: Result) -> None:
    pytest.importorskip("sklearn")
    figure_of = pytest.importorskip("matplotlib.figure").Figure
    drawn = {}
    for figure in result.figures:
        drawn[figure.name] = figure_of()
        figure.draw(drawn[figure.name])
        drawn[figure.name].canvas.draw()  # Agg, as a figure that belongs to no window has
    assert list(drawn) == ["alphamax-fig1", "alphamax-fig2", "alphamax-fig3"]
    (axes,) = drawn["alphamax-fig1"].axes
    for line, (p1, p2) in zip(axes.get_lines(), alphamax.ETA, strict=True):
        alpha, height = line.get_xdata(), line.get_ydata()
        plateau = (alpha >= p1) & (alpha <= p2)
        assert height[plateau] == pytest.approx(p1 / p2, abs=EXACT)
        assert height.max() == pytest.approx(p1 / p2, abs=EXACT)
    titles = [axes.get_title() for axes in drawn["alphamax-fig2"].axes]
    assert [title.split("\n")[0] for title in titles] == [f"k = {k}" for k in alphamax_blobs.SHOWN]
    assert "B3 1.00, alphaMax-B3 1.00" in titles[3]
    (axes,) = drawn["alphamax-fig3"].axes
    assert [text.get_text() for text in axes.get_legend().get_texts()] == list(alphamax_blobs.SCORES)
    assert [list(line.get_xdata()) for line in axes.get_lines()] == [list(range(1, 16))] * 3


def test_blobs_are_found_and_scored() -> None:
    pytest.importorskip("sklearn")
    sweep = alphamax_blobs.sweep(alphamax_blobs.IMBALANCED)
    assert np.bincount(sweep.label).tolist() == [32, 64, 128, 256, 512]
    assert cs.rand(sweep.label, sweep.cluster[4]).value == 1  # five clusters are the five blobs
    for k in (3, 5, 9, 15):
        gold, pred = sweep.label, sweep.cluster[k - 1]
        assert len(set(pred.tolist())) == k
        plain, own, weighted = (sweep.scores[name][k - 1] for name in alphamax_blobs.SCORES)
        assert plain == pytest.approx(cs.bcubed(gold, pred, f="of-means").f, abs=EXACT)
        assert own == pytest.approx(cs.alphamax_bcubed(gold, pred).f, abs=EXACT)
        assert weighted == pytest.approx(cs.alphamax_bcubed(gold, pred, delta="auto").f, abs=EXACT)


def test_preferred_is_the_smallest_of_equals() -> None:
    scores = {"x": np.array([0.5, 1.0 - 1e-15, 1.0, 0.9])}
    nothing = np.zeros(0)
    assert alphamax_blobs.Sweep(nothing, nothing, nothing, scores).preferred("x") == 2
    assert alphamax_blobs._up_to(np.array([True, True, True, False])) == "k<4"
    assert alphamax_blobs._up_to(np.array([True, False, True])) == "1, 3"


def test_without_scikit_learn_the_figures_are_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sklearn.cluster", None)
    reproduced = alphamax.reproduce(None)
    assert [figure.name for figure in reproduced.figures] == ["alphamax-fig1"]
    assert "pip install scikit-learn" in reproduced.skipped[0]
    assert any(row.section == "X Table 1" for row in reproduced.rows)
