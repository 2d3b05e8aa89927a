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
from reproduce.alphamax import Cells, merged, noisy, split, stacked
from reproduce.result import Part, Result, Row

GOLDEN = json.loads((Path(__file__).resolve().parents[1] / "golden" / "alphamax.json").read_text(encoding="utf-8"))
CASES = {case["name"]: case for case in GOLDEN["cases"]}
EXACT = 1e-12


@pytest.fixture(scope="module")
def result() -> Result:
    return alphamax.reproduce(None)


@pytest.fixture(scope="module")
def rows(result: Result) -> dict[tuple[str, str], Row]:
    return {(row.section, row.quantity): row for row in result.rows}


def labels_of(cells: Cells) -> tuple[tuple[int, ...], tuple[int, ...]]:
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


def test_merged_is_the_golden_case() -> None:
    case = CASES["table2_k3_n1_n2"]
    gold, pred = labels_of(merged(1, 2, labels=3, elements=2))
    assert ([str(label) for label in gold], list(pred)) == (case["gold"], case["pred"])


@pytest.mark.parametrize("noise", [0.0, 0.3, 1.0])
def test_noise_keeps_clusters_and_has_its_expectation(noise: float) -> None:
    cells = split(2, labels=4, elements=100_000)
    drawn = noisy(cells, noise, np.random.default_rng(1), labels=4)
    found = np.zeros((4, 8))
    np.add.at(found, (drawn.label, drawn.cluster), drawn.n)
    assert found.sum(axis=0).tolist() == [50_000] * 8
    kept = 1 - noise + noise / 4  # the label that is drawn may be the old one
    chance = np.where(np.arange(8) // 2 == np.arange(4)[:, None], kept, noise / 4)
    deviation = np.sqrt(50_000 * chance * (1 - chance))
    assert (np.abs(found - 50_000 * chance) <= 4.5 * deviation).all()  # 32 cells: by chance once in 5,000 seeds


def test_noise_by_cells_is_noise_by_elements() -> None:
    """Means and deviations of the score agree with labels drawn one by one, as the paper draws them."""
    cells, noise, runs = split(3, labels=4, elements=60), 0.4, 400
    gold, pred = (np.array(side) for side in labels_of(cells))
    rng = np.random.default_rng(2)
    one_by_one = []
    for _ in range(runs):
        replaced = np.where(rng.random(len(gold)) < noise, rng.integers(0, 4, len(gold)), gold)
        one_by_one.append(cs.alphamax_bcubed(replaced, pred).f)
    table = stacked([noisy(cells, noise, rng, labels=4) for _ in range(runs)])
    at_once = cs.score(table, metrics="alphamax_bcubed").documents["alphamax_bcubed"]
    error = np.sqrt((np.var(one_by_one) + np.var(at_once)) / runs)
    assert abs(np.mean(one_by_one) - at_once.mean()) < 4 * error
    assert 0.8 < np.std(one_by_one) / at_once.std() < 1.25


def test_stacked_scores_each_draw_on_its_own() -> None:
    draws = [noisy(split(n), 0.2, np.random.default_rng(n)) for n in (1, 2, 3)]
    values = cs.score(stacked(draws), metrics="alphamax_bcubed").documents["alphamax_bcubed"]
    assert values.tolist() == [cs.alphamax_bcubed(draw.table()).f for draw in draws]


# Rows ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", range(1, 9))
def test_table_1_without_noise_is_exact(n: int, rows: dict[tuple[str, str], Row]) -> None:
    # P = 1; recall 1/n moves towards 1 by eta = alpha = 1/n
    recall = Fraction(1, n) + Fraction(1, n) * (1 - Fraction(1, n))
    assert rows["X Table 1", f"n={n}, q=0: F"].computed == near(2 * recall / (1 + recall))
    assert rows["X Table 1", f"n={n}, q=0: alpha_hat"].computed == near(Fraction(1, n))


@pytest.mark.parametrize(("labels", "first", "second"), alphamax.MERGED)
def test_merged_sets_are_exact(labels: int, first: int, second: int, rows: dict[tuple[str, str], Row]) -> None:
    gold, pred = labels_of(merged(first, second, labels, elements=second))  # scores do not depend on the elements
    what = f"K={labels}, ({first}, {second})"
    for reading in ("marginal", "own", "majority"):
        exact = oracle.alphamax_bcubed(gold, pred, reading=reading)
        name = f"{what}: F" if reading == "marginal" else f"{what}: F, {reading}"
        assert rows["X Tables 2, 3", name].computed == near(exact.f)
        if reading == "marginal":
            assert rows["X Tables 2, 3", f"{what}: alpha_hat"].computed == near(exact.alpha_hat)
            note = rows["X Tables 2, 3", name].note
            assert f"P {float(exact.precision):.4f}, R {float(exact.recall):.4f}" in note


def test_the_golden_case_is_a_row(rows: dict[tuple[str, str], Row]) -> None:
    readings = CASES["table2_k3_n1_n2"]["readings"]
    assert rows["X Tables 2, 3", "K=3, (1, 2): F"].computed == near(readings["marginal"]["auto"]["F1"])
    assert rows["X Tables 2, 3", "K=3, (1, 2): alpha_hat"].computed == near(readings["marginal"]["auto"]["alpha_hat"])
    for reading in ("own", "majority"):
        assert rows["X Tables 2, 3", f"K=3, (1, 2): F, {reading}"].computed == near(readings[reading]["auto"]["F1"])


@pytest.mark.parametrize("noise", alphamax.NOISE)
@pytest.mark.parametrize("n", alphamax.NOISY_PARTS)
def test_noisy_cells_are_near_the_score_of_the_expected_counts(
    n: int, noise: float, rows: dict[tuple[str, str], Row]
) -> None:
    cells = split(n)
    size = 100 * 40_320 // n  # a hundredfold, so that all that is expected is whole numbers
    other = size * round(100 * noise) // 1000
    own = size - 9 * other
    matrix = np.where(cells.label == np.arange(10)[:, None], own, other)
    score = cs.alphamax_bcubed(cs.Table.from_matrix(matrix))
    row = rows["X Table 1", f"n={n}, q={noise:g}: F"]
    deviation = float(row.note.split("deviation ")[1].partition(";")[0])
    assert row.computed == pytest.approx(score.f, abs=4 * deviation / 20**0.5 + 1e-5)
    # chance makes parts unequal, which moves the estimate by about labels * parts / elements
    assert rows["X Table 1", f"n={n}, q={noise:g}: alpha_hat"].computed == pytest.approx(score.alpha_hat, abs=2e-4)


def test_claims(rows: dict[tuple[str, str], Row]) -> None:
    one, zero = rows["X Sec. 6", "F at 1 - alpha = 0"], rows["X Eq. 9", "F at delta = 0"]
    assert (one.printed, one.computed, one.match, one.known) == ("BCubed", "6/7, where BCubed is 2/3", False, False)
    assert (zero.printed, zero.computed, zero.match) == ("unweighted", "28/39, unweighted is 12/17", False)
    assert not one.regressed
    assert not zero.regressed
    case = CASES["delta0_counterexample"]
    assert case["readings"]["marginal"]["auto_eq9_delta_0"]["F1"] == "28/39"
    by_element = rows["X Eq. 9", "F at delta = 0, weights normalised over elements"]
    assert by_element.computed == near(case["readings"]["marginal"]["auto_cui_delta_0"]["F1"])
    assert rows["X Sec. 6", "alpha = 0: pairs of clusterings of 5 elements where F is not BCubed's"].computed == 0


@pytest.mark.parametrize(("reading", "fewest"), [("marginal", 5), ("own", 6), ("majority", 6)])
def test_below_bcubed(reading: str, fewest: int, rows: dict[tuple[str, str], Row]) -> None:
    row = rows["X Eqs. 5-8", f"fewest elements where F falls below BCubed, {reading}"]
    assert row.computed == fewest
    gold, pred = row.note.partition(":")[0].split(" against ")
    score = oracle.alphamax_bcubed(tuple(gold), tuple(pred), reading=reading)
    plain = oracle.bcubed(tuple(gold), tuple(pred), f="of-means")
    assert score.f < plain.f
    assert row.note.endswith(f": {float(score.f):.4f}, BCubed {float(plain.f):.4f}")


def clusterings(elements: int) -> list[tuple[int, ...]]:
    found: list[tuple[int, ...]] = [()]
    for _ in range(elements):
        found = [(*labels, k) for labels in found for k in range(max(labels, default=-1) + 2)]
    return found


@pytest.mark.parametrize("reading", ["marginal", "own", "majority"])
def test_with_four_elements_nothing_is_below_bcubed(reading: str) -> None:
    for gold in clusterings(4):
        for pred in clusterings(4):
            score = oracle.alphamax_bcubed(gold, pred, reading=reading)
            assert score.f >= oracle.bcubed(gold, pred, f="of-means").f


def test_nothing_of_ours_is_passed_off_as_printed(result: Result) -> None:
    assert result.paper == "alphamax"
    assert {row.quantity for row in result.rows if row.printed is not None} == {"F at 1 - alpha = 0", "F at delta = 0"}
    assert all(row.match is None for row in result.rows if row.printed is None)
    assert not any(row.regressed for row in result.rows)
    assert any("not recorded" in note for note in result.skipped)
    names = [(row.section, row.quantity) for row in result.rows]
    assert len(set(names)) == len(names)


# What would be printed is compared -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("quantity", "printed", "match"),
    [
        ("n=3, q=0: F", "0.714", True),
        ("n=3, q=0: F", "0.7143", True),
        ("n=3, q=0: F", "0.715", False),
        ("n=3, q=0: alpha_hat", "33%", True),
        ("n=2, q=0.1: F", "0.711", True),
        ("n=2, q=0.1: F", "0.72", False),
        ("n=2, q=0.1: F", "0.7006", False),
    ],
)
def test_a_printed_cell_is_compared(quantity: str, printed: str, match: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(alphamax, "PRINTED", {("X Table 1", quantity): printed})
    monkeypatch.setattr(alphamax, "blobs", Part)
    found = alphamax.reproduce(None)
    row = next(row for row in found.rows if row.quantity == quantity)
    assert (row.printed, row.match, row.regressed) == (printed, match, not match)
    assert sum(row.regressed for row in found.rows) == (not match)
    assert found.skipped == []


def test_one_more_run_lies_within_reach() -> None:
    """The tolerance is that of one more run: of many such runs, all noisy cells at once, next to none is outside."""
    draws = [noisy(split(2), 0.3, np.random.default_rng([77, seed])) for seed in range(400)]
    runs = cs.score(stacked(draws), metrics="alphamax_bcubed").documents["alphamax_bcubed"]
    ours, others = runs[: alphamax.SEEDS], runs[alphamax.SEEDS :]
    reach = alphamax._reach(len(ours)) * ours.std(ddof=1)
    assert (np.abs(others - ours.mean()) <= reach).all()
    assert reach < 0.005  # and yet it tells the third decimal


# Figures ---------------------------------------------------------------------------------------------


def test_figures_draw_what_was_scored(result: Result) -> None:
    pytest.importorskip("sklearn")
    figure_of = pytest.importorskip("matplotlib.figure").Figure
    drawn = {}
    for each in result.figures:
        drawn[each.name] = figure_of()
        each.draw(drawn[each.name])
        drawn[each.name].canvas.draw()  # Agg, as a figure that belongs to no window has
        assert "taken for" in each.title
    assert list(drawn) == ["alphamax-fig1", "alphamax-fig2", "alphamax-fig3"]
    assert all(figure.get_figwidth() <= 3.5 for figure in drawn.values())
    titles = [axes.get_title() for axes in drawn["alphamax-fig1"].axes]
    assert [title.split("\n")[0] for title in titles] == ["k = 3", "k = 5", "k = 8"]
    assert "BCubed 1.00\nalphaMax 1.00" in titles[1]
    names = ["BCubed", "alphaMax", "alphaMax, delta auto"]
    rows = {row.quantity: row.computed for row in result.rows}
    for name, what, shown in (("alphamax-fig2", "balanced", names[:2]), ("alphamax-fig3", "1:2:4:8:16", names)):
        (axes,) = drawn[name].axes
        lines = {line.get_label(): line for line in axes.get_lines() if not line.get_label().startswith("_")}
        assert list(lines) == shown
        assert [text.get_text() for text in axes.get_legend().get_texts()] == shown
        assert axes.get_xlabel() == "number of clusters k"
        assert len({line.get_color() for line in lines.values()}) == len(shown)
        for label, line in lines.items():
            assert list(line.get_xdata()) == list(range(1, 16))
            assert line.get_ydata()[9] == rows[f"{what}: F of {label} with 10 clusters"]
            best = 1 + int(np.argmax(line.get_ydata()))
            assert best == rows[f"{what}: number of clusters that {label} prefers"] == 5


def test_blobs_are_found_and_scored(result: Result) -> None:
    pytest.importorskip("sklearn")
    found = alphamax_blobs.sweep(alphamax_blobs.IMBALANCED)
    assert np.bincount(found.label).tolist() == [32, 64, 128, 256, 512]
    assert cs.rand(found.label, found.cluster[4]).value == 1  # five clusters are the five blobs
    for k in (3, 5, 9, 15):
        gold, pred = found.label, found.cluster[k - 1]
        assert len(set(pred.tolist())) == k
        assert found.scores["BCubed"][k - 1] == cs.bcubed(gold, pred, f="of-means").f
        assert found.scores["alphaMax"][k - 1] == cs.alphamax_bcubed(gold, pred).f
        weighted = cs.alphamax_bcubed(gold, pred, delta="auto").f
        assert found.scores["alphaMax, delta auto"][k - 1] == pytest.approx(weighted, abs=EXACT)
    same = [row.computed for row in result.rows if row.quantity.endswith("where alphaMax is BCubed")]
    assert same == ["1-5", "1-5"]


def test_preferred_is_the_smallest_of_equals() -> None:
    scores = {"x": np.array([0.5, 1.0 - 1e-15, 1.0, 0.9])}
    nothing = np.zeros(0)
    assert alphamax_blobs.Sweep(nothing, nothing, nothing, scores).preferred("x") == 2
    assert alphamax_blobs._ranges([1, 2, 3, 5, 8, 9]) == "1-3, 5, 8-9"


def test_without_scikit_learn_the_figures_are_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sklearn.cluster", None)
    found = alphamax.reproduce(None)
    assert not found.figures
    assert len(found.skipped) == 2
    assert "pip install scikit-learn" in found.skipped[1]
    assert any(row.section == "X Table 1" for row in found.rows)
    assert not any(row.section.startswith("X Fig") for row in found.rows)


def test_the_elements_of_a_label() -> None:
    assert alphamax.ELEMENTS == 40_320
    assert all(alphamax.ELEMENTS % n == 0 for n in alphamax.PARTS)
