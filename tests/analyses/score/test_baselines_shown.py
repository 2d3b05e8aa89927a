"""Baselines below a prediction: as text, JSON, CSV, Markdown, LaTeX, frames, and on the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import clusterscore as cs
from clusterscore import engines
from clusterscore.analyses.score import score_table as scoring
from clusterscore.screen import Screen
from clusterscore.show.grid import Grid
from clusterscore.show.result import heading
from running import Done, run

GOLD, PRED = ["a", "a", "b", "b", "c", "c", "c"], [0, 0, 1, 2, 2, 2, 3]
ASKED = ["elm", "bcubed(beta=2)", "ari"]
SYSTEMS = ["prediction", "singletons", "one_cluster", "mean_size", "uniform_random(k=4)", "ultra_shaped_random(k=4)",
           "shuffled"]  # fmt: skip


@pytest.fixture(scope="module")
def plain() -> cs.Scorecard:
    return cs.score(GOLD, PRED, metrics=ASKED)


@pytest.fixture(scope="module")
def card() -> cs.Scorecard:
    return cs.score(GOLD, PRED, metrics=ASKED, baselines=True)


def rows(card: cs.Scorecard, digits: int = 4) -> list[list[str]]:
    """What every table of the baselines has to show."""
    cards = {"prediction": card, **card.baselines}
    return [[name, *(f"{cards[name][metric].value:.{digits}f}" for metric in card)] for name in SYSTEMS]


def test_text(card: cs.Scorecard, plain: cs.Scorecard) -> None:
    *usual, below, signature = str(card).split("\n\n")
    assert "\n\n".join([*usual, signature]) == str(plain)
    head, rule, *lines = below.splitlines()
    assert head.split() == ["system", "elm", "bcubed(beta=2)", "ari"]
    assert set(rule) == {"-"}
    assert [line.split() for line in lines] == rows(card)
    assert repr(card) == str(card)
    assert rows(card, 2)[3] == card.to_text(2).split("\n\n")[2].splitlines()[5].split()


def test_the_usual_set_fits_a_terminal() -> None:
    for options in ({}, {"documents": [1, 1, 1, 2, 2, 2, 2], "average": "macro"}):
        card = cs.score(GOLD, PRED, baselines=True, **options)
        *_, first, second, _ = (block.splitlines() for block in str(card).split("\n\n"))
        assert len(first) == len(second) == 2 + 7
        assert max(map(len, str(card).splitlines())) <= 80
        metrics = [cs.metric(name) for lines in (first, second) for name in lines[0].split()[1:]]
        assert metrics == [cs.metric(name) for name in card]  # short names can be typed


def test_wide_tables_are_folded() -> None:
    names = [f"bcubed(f=of-means, beta={k})" for k in range(2, 9)]
    card = cs.score(GOLD, PRED, metrics=names, baselines=True)
    blocks = [block for block in str(card).split("\n\n") if block.startswith("system")]
    assert len(blocks) == 7
    assert all(len(line) <= 80 for line in str(card).splitlines())
    assert [block.splitlines()[2].split()[0] for block in blocks] == ["prediction"] * 7
    shown = [value for block in blocks for value in block.splitlines()[2].split()[1:]]
    assert shown == [f"{card[name].value:.4f}" for name in names]


def folded(grid: Grid, width: int) -> str:
    return grid.to_text(Screen(width))


def test_folding() -> None:
    grid = Grid(["name", "a", "b"], [["x", 1, 2], ["y", 3, 4]], above="above", below=["below"])
    assert folded(grid, 100) == grid.to_text()
    assert folded(grid, 1).split("\n\n") == [
        "above", "name   a\n--------\nx      1\ny      3", "name   b\n--------\nx      2\ny      4", "below",
    ]  # fmt: skip
    assert folded(grid, 8).count("name") == 2
    assert folded(grid, 12).count("name") == 1
    assert folded(grid, 10).split("\n\n")[1] == "name  a  b\n----------\nx     1  2\ny     3  4"
    assert folded(Grid(["alone"], [["x"]]), 1) == Grid(["alone"], [["x"]]).to_text()


@pytest.mark.parametrize("kind", cs.registered(), ids=lambda kind: kind.name)
def test_headings_are_names(kind: type[cs.Metric]) -> None:
    assert cs.metric(heading(kind())) == kind()
    assert len(heading(kind())) <= len(kind.name)


def test_headings_keep_their_parameters() -> None:
    assert heading(cs.metric("alphamax_bcubed(alpha=0, beta=2)")) == "alphamax(alpha=0, beta=2)"
    assert heading(cs.metric("v_measure(beta=2)")) == "v_measure(beta=2)"


def test_json(card: cs.Scorecard, plain: cs.Scorecard) -> None:
    content = json.loads(card.to_json())
    baselines = content.pop("baselines")
    assert content == json.loads(plain.to_json())
    assert list(baselines) == SYSTEMS[1:]
    for name, scores in baselines.items():
        assert scores["scores"] == {metric: card.baselines[name][metric].to_dict() for metric in card}


def test_rows_of_programs(card: cs.Scorecard, plain: cs.Scorecard) -> None:
    listed, usual = card.listed(), plain.listed()
    assert list(listed) == ["system", *usual]
    assert list(zip(listed["system"], listed["metric"], strict=True)) == [
        (n, metric) for n in SYSTEMS for metric in card
    ]
    assert {name: column[:3] for name, column in listed.items() if name != "system"} == usual
    assert listed["value"][3:] == [baseline[metric].value for baseline in card.baselines.values() for metric in card]


# --- the command -----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("files")
    for name, labels in (("gold", GOLD), ("pred", PRED)):
        lines = [f"p{k},{label}\n" for k, label in enumerate(labels)]
        (home / f"{name}.csv").write_text("element,cluster\n" + "".join(lines))
    return home


def score(files: Path, *options: str) -> Done:
    return run("score", "gold.csv", "pred.csv", "-m", ", ".join(ASKED), *options, cwd=files)


@pytest.mark.parametrize("form", ["table", "json", "csv", "markdown", "latex"])
def test_command(files: Path, card: cs.Scorecard, form: str) -> None:
    outputs = {"table": card.to_text(3), "json": card.to_json(), "csv": card.to_csv(), "markdown": card.to_markdown(3),
               "latex": card.to_latex(3)}  # fmt: skip
    assert score(files, "--baselines", "--digits", "3", "--format", form) == (0, outputs[form] + "\n", "")


@pytest.mark.parametrize("options", [("--engine", "duckdb"), ("--memory", "500MB"), ("--engine", "spark")])
def test_engines_keep_their_elements(files: Path, options: tuple[str, ...]) -> None:
    done = score(files, "--baselines", *options)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert "--baselines" in done.stderr
    assert "--engine arrays" in done.stderr


def test_large_tables_are_read_for_baselines(files: Path, card: cs.Scorecard, monkeypatch: pytest.MonkeyPatch) -> None:
    """auto leaves large tables to DuckDB, but not where single elements are needed."""
    monkeypatch.setattr(engines, "LARGE", 1)
    counted: list[Any] = []
    monkeypatch.setattr(scoring, "score_tables", lambda *given: counted.append(given) or card)
    assert score(files, "--baselines") == (0, f"{card}\n", "")
    assert not counted
    score(files)
    assert len(counted) == 1
