"""A result is described once: people see the same cells in every form, and programs get the same values."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from inspect import isabstract
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import clusterscore as cs
from clusterscore.analyses.score.coref import Truncated
from clusterscore.screen import Screen
from clusterscore.show.result import ByMetric
from show.results import MAKE, kinds, result, results
from show.test_notebook import shown

every_table = pytest.mark.parametrize("name", [name for name in MAKE if name != "Score"])  # which is no table
# what Markdown and LaTeX write for a character
SPELLED = [("&lt;", "<"), ("&amp;", "&"), (r"\textbackslash{}", "\\"), (r"\textbar{}", "|"), (r"\textless{}", "<"),
           (r"\textgreater{}", ">"), ("$-$", "−"), (r"$^{\dagger}$", "†"), (r"$\downarrow$", "↓")]  # fmt: skip


def test_every_kind_of_result_is_here() -> None:
    ours = {kind for kind in kinds() if kind.__module__.startswith("clusterscore.") and not isabstract(kind)}
    assert ours - {Truncated} <= {type(made) for made in results().values()}  # whose digits are another scorer's


def read(cell: str) -> str:
    """What a reader of Markdown or LaTeX sees of a cell."""
    cell = re.sub(r"\\phantom\{(\$[^$]*\$|[^{}])*\}", "", re.sub(r"\\textbf\{(.*?)\}|\*\*(.*?)\*\*", r"\1\2", cell))
    for written, sign in SPELLED:
        cell = cell.replace(written, sign)
    return re.sub(r"\\([\\`*_{}\[\]|~$&%#])", r"\1", cell).replace("−", "-").strip()


def tables(text: str, form: str) -> list[list[list[str]]]:
    """The rows of every table, headings first."""
    if form == "markdown":
        bodies = re.findall(r"(?:^\|.*\|$\n?)+", text, re.MULTILINE)
        lines = [[re.split(r"(?<!\\)\|", line)[1:-1] for line in body.strip().split("\n")] for body in bodies]
        return [[[read(cell) for cell in row] for row in (head, *rows)] for head, _, *rows in lines]
    bodies = re.findall(r"\\toprule\n(.*?)\\bottomrule", text, re.DOTALL)
    lines = [re.findall(r"^(?:\{\})?(.*) \\\\$", body, re.MULTILINE) for body in bodies]
    return [[[read(cell) for cell in row.split(" & ")] for row in table] for table in lines]


@every_table
def test_people_see_the_same_cells(name: str) -> None:
    made = result(name)
    page = shown(made)
    html = [[[cell.replace("−", "-").strip() for cell in row] for row in table] for table in page.tables]
    for form in ("markdown", "latex"):
        written = tables(made.render(form), form)
        assert written == html[-len(written) :], form  # of a scorecard, a table of counts stands above
    for table, grid in zip(html[-len(made.grids(made.decimals)) :], made.grids(made.decimals), strict=True):
        lines = [line.replace("−", "-").split() for line in grid.to_text(Screen(1000)).split("\n")]
        assert [row for row in (" ".join(cells).split() for cells in table) if row not in lines] == []
    assert str(made) == repr(made) == made.to_text() == made.render("table")
    text = made.to_text().replace("\n", " ")
    assert [line for line in page.lines if " ".join(line.split()) not in " ".join(text.split())] == []


def plain(value: Any) -> str:
    """A value as every library writes it; None and NaN are nothing."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    try:
        return repr(float(value)) if not isinstance(value, bool) else str(value)
    except (TypeError, ValueError):
        return str(value)


@every_table
def test_programs_get_the_same_values(name: str) -> None:
    made = result(name)
    columns = made.listed()
    expected = [list(map(plain, column)) for column in columns.values()]
    head, *rows = csv.reader(io.StringIO(made.to_csv(raw=True), newline=""))
    assert head == list(columns)
    if name != "elements of sets":  # a set is text but in Python: tests/overlap/test_overlap_command.py
        assert [list(map(plain, column)) for column in zip(*rows, strict=True)] == expected
        for library, kind in (("pandas", pd.DataFrame), ("polars", pl.DataFrame), ("pyarrow", pa.Table)):
            frame = made.to_frame(library)
            assert isinstance(frame, kind)
            values = frame.to_pydict() if library == "pyarrow" else {key: frame[key].to_list() for key in frame.columns}
            assert {key: list(map(plain, column)) for key, column in values.items()} == dict(
                zip(columns, expected, strict=True)
            )
    text = json.loads(made.to_json())
    text.pop("warnings", None)
    if not isinstance(made, cs.Columns):  # their to_dict has columns
        assert text == json.loads(json.dumps(made.to_dict()))
    if "rows" in text and name not in ("Verdicts", "Matrix", "Diff"):  # where JSON says more of a row than CSV can
        assert text["rows"] == json.loads(json.dumps(made.records(), default=str))


@every_table
def test_digits_are_those_asked_for(name: str) -> None:
    for form in ("markdown", "latex"):
        cells = {cell for table in tables(result(name).render(form, 7), form) for row in table for cell in row}
        decimals = {len(cell.partition(".")[2]) for cell in cells if re.fullmatch(r"[-+]?\d\.\d+", cell)}
        assert decimals <= {7} or name in ("Sweep", "BestCuts", "ObjectSweep")  # thresholds are as short as they can be
    with pytest.raises(cs.InputError, match="format='html' is not an option; use one of 'table', 'json', 'csv', 'mark"):
        result(name).render("html")
    with pytest.raises(cs.ClusterscoreError, match=r"unknown frame library 'panda'; use one of pandas, polars, pyarr"):
        result(name).to_frame("panda")


@pytest.mark.parametrize(
    ("library", "expected"),
    [(None, "no frame library is installed; pip install pandas, polars or pyarrow, or use to_dict()"),
     ("polars", "polars is not installed; pip install polars, or use to_dict()")],
)  # fmt: skip
def test_no_frame_library(library: str | None, expected: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(*_: Any, backend: str) -> None:
        raise ImportError(backend)

    monkeypatch.setattr("narwhals.from_dict", missing)
    with pytest.raises(cs.ClusterscoreError, match=re.escape(expected)):
        result("Sweep").to_frame(library)


@every_table
def test_a_metric_is_found_by_any_of_its_names(name: str) -> None:
    made = result(name)
    if not isinstance(made, ByMetric):
        return
    assert len(made) == len(list(made))
    for key in made if name != "Estimates" else ():
        short = cs.metric(key).aliases[:1]
        assert made[key] is made[cs.metric(key)]
        assert all(made[alias] is made[key] for alias in short if "(" not in key)
        assert key in made
    assert "rand" not in made
    assert made.get("rand") is None
    with pytest.raises(KeyError, match=r"rand was not|2 systems"):
        made["rand"]
    with pytest.raises(KeyError, match=r"cannot read the metric|2 systems"):
        made["no metric"]
