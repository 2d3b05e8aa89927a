"""What a sweep shows: the best cut of each metric for people, every cut for programs, curves, clusters in a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import clusterscore as cs
from clusterscore.analyses.sweep.best_cuts import shortest
from running import run

EDGES = [("a", "b", 0.9), ("b", "c", 0.4), ("d", "e", 0.7)]
GOLD = {"a": 1, "b": 1, "c": 2, "d": 3, "e": 3}


def linked(count: int, seed: int = 0) -> tuple[list[int], list[tuple[int, int, float]]]:
    """Gold, and pairs of it: those that belong together have higher scores."""
    rng = np.random.default_rng(seed)
    gold = rng.integers(0, count // 3, count)
    left, gap = rng.integers(0, count, 4 * count), rng.integers(1, count, 4 * count)
    left = np.concatenate([left, *(np.repeat(np.flatnonzero(gold == k)[:-1], 1) for k in np.unique(gold))])
    right = (left[: 4 * count] + gap) % count
    right = np.concatenate([right, *(np.flatnonzero(gold == k)[1:] for k in np.unique(gold))])
    score = 0.6 * rng.random(len(left)) + 0.35 * (gold[left] == gold[right])
    return gold.tolist(), list(zip(left.tolist(), right.tolist(), score.tolist(), strict=True))


@pytest.fixture(scope="module")
def many() -> cs.Sweep:
    gold, edges = linked(2000)
    return cs.sweep(gold, edges=edges, metrics=["elm", "pairwise", "ari", "nmi"])


# For people ----------------------------------------------------------------------------------------------


def test_the_table() -> None:
    swept = cs.sweep(GOLD, edges=EDGES, metrics=["elm", "ari"])
    assert (
        str(swept)
        == """\
5 elements in 3 gold clusters; 4 cuts of scored pairs

metric          score  threshold  within 0.01  clusters  largest       P       R
--------------------------------------------------------------------------------
elm            1.0000  0.7        0.7 to 0.7          3        2  1.0000  1.0000
adjusted_rand  1.0000  0.7        0.7 to 0.7          3        2

elm|f:mean|beta:1
linked: pairs with a score >= the threshold
within 0.01: the thresholds around the best that lose at most that much
chosen on this gold: expect lower scores on other data (cross-validate)
avg:micro|missing:error|v:0.1.0"""
    )


def test_a_linkage_is_told_by_its_heights() -> None:
    merges = [[0, 1, 0.1, 2], [2, 3, 0.4, 2], [4, 5, 0.9, 4]]
    shown = str(cs.sweep([0, 0, 1, 1], merges, metrics="elm").summary(0.6))
    assert "4 cuts of a linkage" in shown
    assert "merged: up to the height of the threshold" in shown
    assert "0.1 to 0.9" in shown
    assert "within 0.6: " in shown


def test_all_singletons_have_no_threshold() -> None:
    swept = cs.sweep([0, 1, 2], edges=[(0, 1, 0.5)], metrics="elm")
    assert "inf         inf to inf" in str(swept)
    assert swept.to_dict()["scores"]["elm"]["threshold"] is None


def test_shown_thresholds_give_the_same_cuts(many: cs.Sweep) -> None:
    for row in range(0, len(many), 7):
        text = many.shown(many.thresholds[row])
        assert int((many.thresholds >= float(text)).sum()) == row + 1, text
    for best in many.summary(0.05).best:
        low, high = map(float, best.shown[1:])
        if best.within[0] < best.within[1] < np.inf:
            assert best.within[0] <= low < high <= best.within[1]
            assert high - low > 0.85 * (best.within[1] - best.within[0])
    lengths = [len(many.shown(threshold)) for threshold in many.thresholds[1:]]
    assert np.mean(lengths) < 8  # of seventeen digits


@pytest.mark.parametrize(
    ("threshold", "beyond", "expected"),
    [
        (0.123456, 0.1, "0.12"), (0.123456, 0.2, "0.13"), (0.123456, 0.1234559, "0.123456"), (5.0, -np.inf, "5"),
        (1e300, 2e300, "1e+300"), (-0.123456, -0.2, "-0.13"), (12345678901234.567891, np.inf, "12345678901234.568"),
        (0.1 + 0.2, 0.3, "0.30000000000000004"), (np.inf, 1.0, "inf"), (-np.inf, 1.0, "-inf"),
    ],
)  # fmt: skip
def test_the_shortest_threshold(threshold: float, beyond: float, expected: str) -> None:
    assert shortest(threshold, beyond) == expected
    assert float(expected) == threshold or min(threshold, beyond) < float(expected) < max(threshold, beyond)


def test_scores_held_out(many: cs.Sweep) -> None:
    summary = many.summary(folds=4, seed=3)
    held_out = many.cross_validate("elm", folds=4, seed=3)
    assert summary.best[0].cross_validated == held_out
    assert f"{held_out.tuned.value:.4f}    {held_out.score.value:.4f}" in str(summary)
    assert "held out: 4 folds of" in str(summary)
    assert str(summary).endswith("|folds:4|seed:3")
    assert summary.best[3].cross_validated is None  # nmi is no sum over gold clusters
    assert summary.listed()["held_out"][3] is None
    plain = summary.to_dict()["scores"]["elm"]["held_out"]
    assert plain["value"] == held_out.score.value
    assert plain["thresholds"] == held_out.thresholds


def test_the_frames_of_splink() -> None:
    clusters = pd.DataFrame({"source_dataset": list("xxyy"), "unique_id": [1, 2, 1, 2], "cluster_id": [1, 2, 1, 2]})
    ends = {
        "source_dataset_l": ["x", "x"],
        "unique_id_l": [1, 2],
        "source_dataset_r": ["y", "y"],
        "unique_id_r": [1, 2],
    }
    swept = cs.sweep(clusters, edges=pd.DataFrame({**ends, "match_probability": [0.9, 0.6]}), metrics="elm")
    assert swept.best("elm").score.f == 1
    assert swept.labels_at(0.7) == {("x", 1): 0, ("x", 2): 1, ("y", 1): 0, ("y", 2): 2}


def test_what_cannot_be_held_out_is_told() -> None:
    gold, edges = linked(300)
    swept = cs.sweep(gold, edges=edges, metrics=["nmi", "elm"])
    held_out = swept.cross_validate("elm", folds=3).score.value
    assert f"{held_out:.4f}" in str(swept.summary(folds=3))  # though nmi comes first
    with pytest.raises(cs.MetricError, match="nmi cannot be cross-validated"):
        cs.sweep(gold, edges=edges, metrics="nmi").summary(folds=3)


# For programs --------------------------------------------------------------------------------------------


def test_programs_get_every_cut(many: cs.Sweep) -> None:
    rows = many.listed()
    assert np.array_equal(rows["threshold"], many.thresholds)
    assert np.array_equal(rows["elm.recall"], many["elm.recall"])
    assert np.array_equal(rows["adjusted_rand"], many["ari"])
    assert many.to_csv().split("\n")[1].startswith("inf,2000,1,")
    plain = many.to_dict()
    assert [row["clusters"] for row in plain["rows"]] == many.clusters.tolist()
    best = many.best("elm")
    assert plain["scores"]["elm"]["threshold"] == best.threshold
    assert plain["scores"]["elm"]["value"] == best.score.value == plain["rows"][best.row]["elm"]
    assert [plain["scores"]["elm"][end] for end in ("low", "high")] == list(many.within("elm"))


# Curves --------------------------------------------------------------------------------------------------


def test_curves_have_their_best_marked(many: cs.Sweep) -> None:
    ax = cs.plot.sweep(many, ["elm", "ari"])
    line, mark, _, other, *_ = ax.lines
    best = many.best("elm")
    assert (mark.get_xdata()[0], mark.get_ydata()[0]) == (best.threshold, best.score.value)
    assert other.get_ydata()[0] == many.best("ari").score.value
    assert line.get_ydata().max() == best.score.value
    assert np.isfinite(line.get_xdata()).all()
    texts = [text.get_text() for text in ax.get_legend().get_texts()]
    assert texts[0] == f"elm {best.score.value:.3f} at {many.shown(best.threshold)}"
    clusters = next(axes for axes in ax.figure.axes if axes is not ax)
    assert (clusters.get_ylabel(), clusters.get_yscale()) == ("clusters", "log")
    assert clusters.lines[0].get_ydata().max() == 2000


def test_precision_against_recall(many: cs.Sweep) -> None:
    ax = cs.plot.sweep(many, against="recall")
    assert len(ax.lines) == 4  # elm and pairwise, with their marks
    row = many.best("elm").row
    assert (ax.lines[1].get_xdata()[0], ax.lines[1].get_ydata()[0]) == (
        many["elm.recall"][row],
        many["elm.precision"][row],
    )
    assert len(ax.figure.axes) == 1


def test_many_cuts_draw_as_few_points_and_none_is_moved() -> None:
    rng = np.random.default_rng(1)
    merges = np.column_stack([np.arange(49_999) + 50_000, np.arange(1, 50_000), np.sort(rng.exponential(size=49_999)),
                              np.arange(2, 50_001)])  # fmt: skip
    merges[0, 0] = 0
    merges[1:, 0] -= 1
    merges = merges[:, [1, 0, 2, 3]]
    swept = cs.sweep(rng.integers(0, 9000, 50_000), merges, metrics=["pairwise", "ari"])
    ax = cs.plot.sweep(swept)
    x, y = ax.lines[0].get_xdata(), ax.lines[0].get_ydata()
    assert len(x) < 2000
    drawn = set(zip(swept.thresholds[1:].tolist(), swept["pairwise"][1:].tolist(), strict=True))
    assert set(zip(x.tolist(), y.tolist(), strict=True)) - drawn <= {(x[0], y[0])}
    assert y.max() == swept["pairwise"].max()


def test_heights_of_which_most_are_small_have_a_log_scale() -> None:
    merges = [[0, 1, 0.0, 2], [2, 3, 0.1, 2], [4, 5, 0.2, 2], [6, 7, 0.3, 4], [8, 9, 90, 6]]
    ax = cs.plot.sweep(cs.sweep([0, 0, 1, 1, 2, 2], merges, metrics="elm"))
    assert ax.get_xscale() == "log"
    assert (ax.lines[0].get_xdata() > 0).all()


@pytest.mark.parametrize("edges", [[(0, 1, 0.5)], [(0, 1, 3.0), (1, 2, 3.0)]])
def test_few_cuts_are_drawn(edges: Any) -> None:
    swept = cs.sweep([0, 0, 1], edges=edges, metrics="elm")
    assert len(cs.plot.sweep(swept).lines[0].get_xdata()) == 2
    assert cs.plot.sweep(swept, against="recall").get_xlabel() == "recall"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"metrics": "ami"}, "ami was not swept"),
        ({"metrics": "nmi", "against": "recall"}, 'nmi has no precision and recall; draw it against="threshold"'),
        ({"against": "height"}, "against='height' is not an option; use one of 'threshold', 'recall'"),
    ],
)
def test_wrong_curves(many: cs.Sweep, options: dict[str, Any], words: str) -> None:
    with pytest.raises(cs.ClusterscoreError) as caught:
        cs.plot.sweep(many, **options)
    assert words in str(caught.value)


def test_something_else_and_too_many_lines() -> None:
    with pytest.raises(cs.InputTypeError, match=r"pass the result of cs\.sweep"):
        cs.plot.sweep([1, 2])  # type: ignore[arg-type]
    all_of_them = cs.sweep(GOLD, edges=EDGES)
    with pytest.raises(cs.MetricError, match="7 metrics; at most 6 lines can be told apart"):
        cs.plot.sweep(all_of_them, all_of_them.metrics)


# The command ---------------------------------------------------------------------------------------------


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    gold, edges = tmp_path / "gold.csv", tmp_path / "edges.csv"
    gold.write_text("element,cluster\n" + "".join(f"{key},{label}\n" for key, label in GOLD.items()))
    edges.write_text("left,right,score\n" + "".join(f"{a},{b},{score}\n" for a, b, score in EDGES))
    return [str(gold), str(edges)]


def test_the_clusters_of_a_cut_are_scored_as_told(files: list[str], tmp_path: Path) -> None:
    for which, value in ((["--best", "elm"], 1.0), (["--at", "0.8"], 0.6)):
        assert run("sweep", *files, "--labels", str(tmp_path / "pred.csv"), *which).returncode == 0
        assert cs.elm(files[0], str(tmp_path / "pred.csv")).value == pytest.approx(value)


def test_a_linkage_and_labels_by_position(tmp_path: Path) -> None:
    gold, merges, pred = tmp_path / "gold.labels", tmp_path / "merges.npy", tmp_path / "pred.labels"
    gold.write_text("a\na\nb\nb\n")
    np.save(merges, np.array([[0, 1, 0.1, 2], [2, 3, 0.4, 2], [4, 5, 0.9, 4]]))
    written = ["--labels", str(pred), "--format", "csv"]
    code, out, _ = run("sweep", str(gold), str(merges), "-m", "elm", "--best", "elm", *written)
    assert code == 0
    assert out.startswith("threshold,clusters,largest,elm,elm.precision,elm.recall\n-inf,4,1,")
    assert pred.read_text() == "0\n0\n1\n1\n"
    assert "a linkage has no columns with names" in run("sweep", str(gold), str(merges), "--left", "x").stderr


def test_a_plot_is_written(files: list[str], tmp_path: Path) -> None:
    done = run("sweep", *files, "--plot", str(tmp_path / "cuts.svg"), "--format", "markdown")
    assert done.stdout.startswith("| metric | score |")
    assert "elm 1.000 at 0.7" in (tmp_path / "cuts.svg").read_text(encoding="utf-8")


WRONG = {
    "--at 0.5": "to write clusters, use --labels FILE with --at THRESHOLD or --best METRIC",
    "--labels x.csv": "to write clusters, use --labels FILE with --at THRESHOLD or --best METRIC",
    "--at 0.5 --best elm --labels x.csv": "to write clusters, use --labels FILE",
    "--best foo --labels x.csv": "unknown metric 'foo'",
    "--best elm --labels {gold}": "which would be lost",
    "--plot cuts.gif": "a plot is written as .svg, .pdf, .png",
    "--score points": "no column 'points' for the score of a pair",
    "-m ami": "ami cannot be swept",
    "--within -1": "-1.0 is not in the range",
    "--missing keep": "--missing keep is for coreference",
    "--cross-validate 4": "--cross-validate 4: there are 3 units to divide; use 2 to 3 folds",
}


@pytest.mark.parametrize("case", WRONG)
def test_mistakes(case: str, files: list[str]) -> None:
    code, out, err = run("sweep", *files, *case.format(gold=files[0]).split())
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert WRONG[case] in err


def test_unknown_elements_and_policies(files: list[str]) -> None:
    with open(files[1], "a") as more:
        more.write("e,f,0.2\n")
    code, _, err = run("sweep", *files)
    assert (code, "e.g. 'f'" in err) == (2, True)
    assert run("sweep", *files, "--missing", "singleton", "-m", "elm").stdout.startswith("6 elements in 4 gold clust")
    code, _, err = run("sweep", *files, "--missing", "drop", "-m", "elm")
    assert (code, "dropped: 0 elements only in gold, 1 only in pred" in err) == (0, True)
