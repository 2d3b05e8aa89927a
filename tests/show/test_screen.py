"""What a terminal shows: tables as wide as it is, bold and colours, the worst rows; and nothing of that elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import clusterscore as cs
from clusterscore.screen import STYLED, Screen
from clusterscore.show.grid import Grid
from running import on_terminal, run

pytest.importorskip("pty", reason="pseudo-terminals are not to be had here")

NAMES = ("north-office/2026/11/scan-0001.png", "records-of-the-town-council")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("files")
    rows = [(f"{NAMES[0]}#{k}", k // 4, (k + k // 10) // 4, k % 3, k // 8) for k in range(100)]
    for side, column in (("gold", 1), ("pred", 2), ("poor", 3)):
        text = "".join(f"{row[0]},{NAMES[1]}-{row[column]},d{row[4]}\n" for row in rows)
        (home / f"{side}.csv").write_text("element,cluster,document\n" + text)
    return home


@pytest.fixture
def in_file(folder: Path) -> Callable[..., str]:
    return lambda *given, **env: run(*given, cwd=folder, **{"TERM": "xterm-256color", "COLUMNS": "100"} | env).stdout


def test_styles_are_for_terminals(folder: Path, in_file: Callable[..., str]) -> None:
    line = ("compare", "gold.csv", "pred.csv", "poor.csv", "-m", "elm", "-q")
    shown, file = on_terminal(*line, cwd=folder).stdout, in_file(*line)
    assert "\x1b" not in file
    assert "\x1b[1mmetric\x1b[0m" in shown
    assert "\x1b[31m-0." in shown  # significantly worse
    best = next(line for line in file.splitlines() if "pred " in line).split()[2]
    assert f"\x1b[1m{best}\x1b[0m" in shown
    assert max(map(len, file.splitlines()[:-1])) <= 80 < max(map(len, STYLED.sub("", shown).splitlines()[:-1])) <= 100
    for plain in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
        assert on_terminal(*line, cwd=folder, **plain).stdout == STYLED.sub("", shown)
    assert STYLED.sub("", in_file(*line, FORCE_COLOR="1")) == file
    assert "\x1b[1m" in in_file(*line, FORCE_COLOR="1")
    assert "\x1b" not in in_file(*line, FORCE_COLOR="1", NO_COLOR="1")


def test_warnings_and_errors(folder: Path) -> None:
    mistake = ("score", "gold.csv", "perd.csv")
    assert on_terminal(*mistake, cwd=folder).stdout.startswith("\x1b[31mclusterscore:\x1b[0m no file")
    assert on_terminal(*mistake, cwd=folder, NO_COLOR="1").stdout.startswith("clusterscore: no file")
    warning = on_terminal("compare", "gold.csv", "pred.csv", "-m", "elm", "--unit", "elements", "-q", cwd=folder).stdout
    assert warning.startswith("\x1b[33mclusterscore:\x1b[0m warning: elements are")


@pytest.mark.parametrize(("line", "noun"), [("elements", "100 elements"), ("errors --cells", "cells")])
def test_a_terminal_shows_the_worst(folder: Path, in_file: Callable[..., str], line: str, noun: str) -> None:
    given = (*line.split(), "gold.csv", "poor.csv", "-q")
    shown, file = on_terminal(*given, NO_COLOR="1", cwd=folder).stdout, in_file(*given)
    note = next(line for line in shown.splitlines() if line.startswith("the 20 that cost most, of "))
    assert noun in note
    assert note.endswith("; --worst 200 shows more, --format csv all")
    assert "…" in shown
    assert "… stands for the middle of a long name; --format csv has all of it" in shown
    assert max(map(len, shown.splitlines())) <= 100
    assert sum("…" in line for line in shown.splitlines()) == 2 * 20 + 1  # in two tables, and the note
    assert "…" not in file
    assert "that cost most" not in file
    assert file.count("council-") >= 100
    assert in_file(*given, "--format", "csv") == on_terminal(*given, "--format", "csv", cwd=folder).stdout


def test_names_are_cut_in_the_middle() -> None:
    grid = Grid(["name", "score"], [["a" * 30 + "1", 0.5], ["界" * 20 + "2", 0.25]], names=["name"])
    assert grid.to_text() == grid.to_text(Screen(60))  # not on a terminal
    text = grid.to_text(Screen(20, terminal=True))
    assert text.splitlines()[2:4] == ["aaaaaa…aaaa1  0.5000", "界界界…界界2  0.2500"]
    assert text.endswith("\n\n… stands for the middle of a long name; --format csv has all of it")
    whole = grid.to_text(Screen(20))
    assert "a" * 30 + "1" in whole
    assert "…" not in whole


def test_numbers_are_never_cut() -> None:
    grid = Grid(["name", "n"], [["x" * 50, 10**60]], names=["name"])
    assert str(10**60) in grid.to_text(Screen(20, terminal=True))


def test_many_rows_keep_their_lines() -> None:
    rows = [[f"{k:04}", "x" * 60, "y" * 30] for k in range(51)]
    lines = Grid(["name", "one", "other"], rows).to_text().splitlines()
    assert lines[2] == "   ".join(rows[0])
    assert len(lines) == 2 + 51
    assert len(Grid(["name", "one", "other"], rows[:50]).to_text().splitlines()) == 2 * (2 + 50) + 1


@pytest.mark.parametrize("form", ["table", "csv", "markdown", "latex"])
def test_pieces_make_the_same(form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A long table is written some rows at a time: widths and kinds of columns are those of all rows."""
    rows = cs.elements([k // 3 for k in range(70)], ["x" * (k % 13 + 1) for k in range(70)])
    whole = rows.render(form)
    monkeypatch.setattr("clusterscore.show.grid._CHUNK", 9)
    assert rows.render(form) == whole
    mixed = Grid(["n", "name"], [[k, k] for k in range(20)] + [["x", None], [None, "y" * 30]], bold=[(15, 1)])
    styled = mixed.to_text(Screen(styled=True))
    assert "\x1b[1m15\x1b[0m" in styled
    monkeypatch.undo()
    assert mixed.to_text(Screen(styled=True)) == styled
