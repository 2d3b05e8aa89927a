"""What is written in several places about the package says the same everywhere."""

from __future__ import annotations

import re
import runpy
import tomllib
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import click
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from click.shell_completion import BashComplete

import clusterscore as cs
from clusterscore.command import cli, main
from clusterscore.engines import Limits
from clusterscore.engines.engine import DuckRelations
from clusterscore.page import writing
from clusterscore.requirements import OLDEST, TooOld, check_version

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
RECIPE = (ROOT / "packaging/conda/meta.yaml").read_text()
NAMES = {"python-duckdb": "duckdb"}  # what conda calls otherwise


def test_one_version() -> None:
    cited = re.search(r"^version: (.*)$", (ROOT / "CITATION.cff").read_text(), re.MULTILINE)
    recipe = re.search(r'set version = "(.*)"', RECIPE)
    assert cited is not None
    assert recipe is not None
    assert cited[1] == recipe[1] == cs.__version__


def test_one_list_of_dependencies() -> None:
    run = RECIPE.partition("  run:\n")[2].partition("  run_constrained:")[0]
    listed = [line.strip().removeprefix("- ") for line in run.splitlines() if line.strip()]
    recipe = {NAMES.get(name, name): bound for name, _, bound in (line.partition(" ") for line in listed)}
    assert recipe.pop("python") == PROJECT["requires-python"]
    own = {name: bound for name, _, bound in (requirement.partition(">=") for requirement in PROJECT["dependencies"])}
    assert recipe == {name: f">={bound}" for name, bound in own.items()}


def test_one_list_of_oldest_versions() -> None:
    listed = runpy.run_path(str(ROOT / "packaging/oldest.py"))["oldest"]()
    assert {"numpy", "scipy", "jinja2", "pandas", "polars", "pyarrow"} <= listed.keys()
    assert {name: listed[name] for name in OLDEST} == OLDEST
    optional = RECIPE.partition("  run_constrained:\n")[2].partition("\n\n")[0].replace("matplotlib-base", "matplotlib")
    assert [f"    - {requirement.replace('>=', ' >=')}" for extra in ("report", "spark", "images")
            for requirement in PROJECT["optional-dependencies"][extra]] == optional.splitlines()  # fmt: skip


@pytest.mark.parametrize(
    ("name", "use"),
    [
        ("duckdb", lambda folder: cs.Clustering.from_file(ROOT / "examples/gold.csv")),
        ("duckdb", lambda folder: DuckRelations(Limits())),
        ("narwhals", lambda folder: cs.Clustering.from_frame(pl.DataFrame({"element": [1], "cluster": [2]}))),
        ("matplotlib", lambda folder: cs.plot.sizes([0, 0, 1], [0, 1, 1])),
        ("jinja2", lambda folder: cs.report([0, 0, 1], [0, 1, 1], path=folder / "report.html")),
    ],
)
def test_what_is_too_old_is_named_at_first_use(
    name: str, use: Callable[[Path], Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(import_module(name), "__version__", "0.9.1", raising=False)
    writing._page.cache_clear()  # a test before this one may have used it
    with pytest.raises(cs.ClusterscoreError) as caught:
        use(tmp_path)
    assert isinstance(caught.value, ImportError)
    message = f"{name} 0.9.1 is too old: clusterscore needs {OLDEST[name]} or later; pip install -U {name}"
    assert str(caught.value) == message


@pytest.mark.parametrize("library", [pd, pl, pa], ids=lambda library: library.__name__)
def test_a_frame_of_a_library_that_is_too_old(library: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    table = pa.table({"element": [1], "cluster": [2], "gold": [1], "pred": [1]})
    frame = {pd: table.to_pandas, pl: lambda: pl.from_arrow(table), pa: lambda: table}[library]()
    name = library.__name__
    monkeypatch.setitem(OLDEST, name, "99")  # narwhals remembers a version that it has seen
    for use in (
        lambda: cs.Clustering.from_frame(frame),
        lambda: cs.score_table(frame),
        lambda: cs.score_table(frame, engine="arrays"),
        lambda: cs.score_table(frame, engine="duckdb"),
    ):
        with pytest.raises(TooOld, match=rf"^{name} {library.__version__} is too old: clusterscore needs 99 or later"):
            use()


def test_a_command_line_that_is_too_old(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setitem(vars(click), "__version__", "8.1.7")
    with pytest.raises(SystemExit, match="2"):
        main(["metrics"])
    assert "click 8.1.7 is too old: clusterscore needs 8.2 or later" in capsys.readouterr().err


def test_a_newer_version_is_not_taken_for_an_older_one() -> None:
    for version in ("1.4.1", "1.5", "1.10.0", "1.5.0rc1", "2.0.0.dev12+g1"):
        check_version("duckdb", version)


def test_tested_pythons_are_those_that_are_promised() -> None:
    tested = re.search(r"python: \[(.*)\]", (ROOT / ".github/workflows/test.yml").read_text())
    assert tested is not None
    named = [name.rpartition(" ")[2] for name in PROJECT["classifiers"] if re.search(r":: 3\.\d+$", name)]
    assert re.findall(r"[\d.]+", tested[1]) == named


def completed(typed: str) -> list[str]:
    *line, last = typed.split(" ")
    complete = BashComplete(cli, {}, "clusterscore", "_CLUSTERSCORE_COMPLETE")
    return [completion.value for completion in complete.get_completions(line, last)]


def test_shell_completion() -> None:
    page = (ROOT / "docs/completion.md").read_text(encoding="utf-8")
    shown = re.findall(r"^clusterscore (.*)<Tab> +completes to +clusterscore (.*)$", page, re.MULTILINE)
    assert len(shown) == 3
    for typed, expected in shown:
        assert completed(typed) == [expected.rpartition(" ")[2]]
    assert "score" in completed("scroe ")  # no command
    assert completed("score --missing ") == ["error", "drop", "singleton", "keep"]
