"""What is written in several places about the package says the same everywhere."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from click.shell_completion import BashComplete

import clusterscore as cs
from clusterscore.command import cli

ROOT = Path(__file__).parent.parent
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
    own = {name: bound for name, _, bound in (each.partition(">=") for each in PROJECT["dependencies"])}
    assert recipe == {name: f">={bound}" for name, bound in own.items()}


def test_tested_pythons_are_those_that_are_promised() -> None:
    tested = re.search(r"python: \[(.*)\]", (ROOT / ".github/workflows/test.yml").read_text())
    assert tested is not None
    named = [each.rpartition(" ")[2] for each in PROJECT["classifiers"] if re.search(r":: 3\.\d+$", each)]
    assert re.findall(r"[\d.]+", tested[1]) == named


def completed(typed: str) -> list[str]:
    *line, last = typed.split(" ")
    complete = BashComplete(cli, {}, "clusterscore", "_CLUSTERSCORE_COMPLETE")
    return [each.value for each in complete.get_completions(line, last)]


def test_shell_completion() -> None:
    page = (ROOT / "docs/completion.md").read_text(encoding="utf-8")
    shown = re.findall(r"^clusterscore (.*)<Tab> +completes to +clusterscore (.*)$", page, re.MULTILINE)
    assert len(shown) == 3
    for typed, expected in shown:
        assert completed(typed) == [expected.rpartition(" ")[2]]
    assert completed("score --missing ") == ["error", "drop", "singleton", "keep"]
