"""What is shown is the same wherever it is shown, and labels and names in it are never obeyed."""

from __future__ import annotations

import csv
import io
import json
import os
import pickle
import re
import subprocess
import sys
import unicodedata
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import clusterscore as cs
from clusterscore.exceptions import ClusterscoreError, ClusterscoreWarning
from clusterscore.messages import visible
from clusterscore.progress import _bars, _Step, _update
from clusterscore.screen import STYLED
from clusterscore.show.grid import Grid
from reproduce import reproduce
from reproduce.written import written
from running import on_terminal, run
from show.results import GOLD, PRED, results

HOSTILE = [
    "\x1b[31mred\x1b[0m", "\x1b]0;title\x07", "\x9b31m", "\x08\x08\x7f", "a\nb", "a\r\nb", "a\tb", "\x00", "\u202eevil",
    "a\u200bb", "\u2066x\u2069", "\ufefflead", "x\u2028y", "</script><script>alert(1)</script>",
    '"><img src=x onerror=a>',
    "![x](http://h/x.png)", "[x](http://h/)", "[x]: http://h/", "<b>x</b>", "&lt;", "`x`", "**x**", "__init__", "$x$",
    r"\input{/etc/passwd}", r"\\", "[1ex]", "*", "%", "=1+1", "+1+1", "-1+1", "@SUM(A1)", "\t=1", "\r=1", "＝1", "|",
    "", " ", "'", '"', ",", ";", "é", "日本語", "👩\u200d👩\u200d👧", "\ud800",
]  # fmt: skip
OBEYED = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]")


def jupyter(shell: str, module: str = "ipykernel") -> Callable[[], object]:
    kind = type(shell, (), {"__module__": module})
    return lambda: kind()


PLACES: dict[str, dict[str, Any]] = {
    "jupyter": {"get_ipython": jupyter("ZMQInteractiveShell")},
    "colab": {"get_ipython": jupyter("Shell", "google.colab._shell")},
    "databricks": {"get_ipython": jupyter("DatabricksShell"), "DATABRICKS_RUNTIME_VERSION": "15.4"},
    "narrow": {"COLUMNS": "20", "LINES": "5"},
    "colours": {"FORCE_COLOR": "1", "CLICOLOR_FORCE": "1", "TERM": "xterm-256color", "TTY_COMPATIBLE": "1"},
    "no colours": {"NO_COLOR": "1"},
    "dumb": {"TERM": "dumb"},
    "notebook size": {"get_ipython": jupyter("ZMQInteractiveShell"), "JUPYTER_COLUMNS": "10", "JUPYTER_LINES": "3"},
    "old Unicode": {"UNICODE_VERSION": "4.1.0"},
}


@pytest.fixture(scope="module")
def shown() -> dict[str, Any]:
    paper = SimpleNamespace(to_text=partial(written, reproduce(["adapted"]), "table"))
    return {
        **results(),
        "paper": paper,
        "Accumulator": cs.Accumulator("elm"),
        "Table": cs.Table.from_labels(GOLD, PRED),
    }


def texts(result: Any) -> list[str]:
    ways = ("__str__", "__repr__", "to_text", "to_markdown", "to_latex", "to_csv", "to_json")
    if isinstance(result, SimpleNamespace):
        ways = ("to_text",)
    return [getattr(result, way)() for way in ways if hasattr(result, way)]


@pytest.fixture(scope="module")
def plain(shown: dict[str, Any]) -> dict[str, list[str]]:
    return {name: texts(result) for name, result in shown.items()}


@pytest.mark.parametrize("place", PLACES)
def test_text_is_the_same_everywhere(
    place: str, shown: dict[str, Any], plain: dict[str, list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    import builtins

    for name, value in PLACES[place].items():
        if callable(value):
            monkeypatch.setattr(builtins, name, value, raising=False)
        else:
            monkeypatch.setenv(name, value)
    for name, result in shown.items():
        assert texts(result) == plain[name], name
    assert re.search(r"elm +0\.\d{4}", str(shown["Scorecard"]))


def test_visible_spells_out_what_is_obeyed() -> None:
    assert visible("a\x1b[1m\n\r\t\x00\x9b\u202e\u2028\ufeff\ud800\U000e0041é日👩") == (
        r"a\x1b[1m\n\r\t\x00\x9b\u202e\u2028\ufeff\ud800\U000e0041é日👩"
    )
    for code in range(sys.maxunicode + 1):
        sign = chr(code)
        if unicodedata.category(sign) in ("Cc", "Cs", "Zl", "Zp") or unicodedata.bidirectional(sign) in (
            "LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI",
        ):  # fmt: skip
            assert visible(sign) != sign
    for sign in "aé日ñ- \xa0Ω👩":
        assert visible(sign) == sign


def grids() -> Iterator[Grid]:
    for label in HOSTILE:
        yield Grid([label, "score"], [[label, 0.5], ["x", 1.0]], above=label, below=[label])


@pytest.mark.parametrize("form", ["table", "markdown", "latex"])
def test_no_text_has_what_a_terminal_obeys(form: str) -> None:
    for grid in grids():
        assert not OBEYED.search("".join(grid.pieces(form)))


def test_a_label_does_not_change_the_shape_of_a_table() -> None:
    for grid in grids():
        assert len(grid.to_latex().split("\n")) == 8 + 1
        table, _, below = grid.to_markdown().partition("\n\n")
        assert [len(re.findall(r"(?<!\\)\|", line.replace("\\\\", ""))) for line in table.split("\n")] == [3] * 4
        assert "\n" not in below
        grid.above = ""
        assert len(grid.to_text().split("\n")) == 4 + 2


def test_markdown_shows_and_does_not_fetch() -> None:
    shown = Grid(["x"], [[label] for label in HOSTILE]).to_markdown()
    assert not re.search(r"(?<!\\)\][(\[:]", shown)
    assert "<" not in shown
    assert r"![x\](http://h/x.png)" in shown
    assert "| &amp;lt; |" in shown
    assert "| F&M |" in Grid(["x"], [["F&M"]]).to_markdown()
    assert "adjusted_rand" in Grid(["x"], [["adjusted_rand"]]).to_markdown()  # as everybody writes it
    assert "| [0.1000, 0.2000] |" in Grid(["x"], [["[0.1000, 0.2000]"]]).to_markdown()
    raw = Grid(["x"], [["![x](y) | <b>"], ["a\nb"]]).to_markdown(raw=True)
    assert raw.split("\n")[2:] == [r"| ![x](y) \| <b> |", r"| a\nb |"]


def test_latex_obeys_no_label() -> None:
    shown = Grid(["x"], [[label] for label in HOSTILE], below=["a\n\\input{x}"]).to_latex().split("\n")
    assert r"\textbackslash{}input\{/etc/passwd\} \\" in shown
    assert r"{}[1ex] \\" in shown  # after \\ it would be a length
    assert r"{}* \\" in shown
    assert shown[-1] == r"% a\n\input{x}"


def test_csv_has_every_label_and_no_formula() -> None:
    table = Grid(["label", "n"], [[label, k] for k, label in enumerate(HOSTILE)])
    raw = list(csv.reader(io.StringIO(table.to_csv(raw=True), newline="")))
    assert [row[0] for row in raw[1:]] == HOSTILE
    safe = [row[0] for row in csv.reader(io.StringIO(table.to_csv(), newline=""))][1:]
    changed = {label: cell for label, cell in zip(HOSTILE, safe, strict=True) if label != cell}
    formulas = {"=1+1", "+1+1", "-1+1", "@SUM(A1)", "\t=1", "\r=1", "＝1"}
    assert changed == {label: f"'{label}" for label in formulas}


@pytest.mark.parametrize("value", [-1, -0.5, -1e-9, float("-inf"), "-1", "+2", "-.5", "-1.", "-1e-3", "+0.0500"])
def test_numbers_are_no_formulas(value: Any) -> None:
    assert Grid(["x"], [[value]]).to_csv() == f"x\n{value}"


@pytest.mark.parametrize("value", ["-1e", "--1", "-", "-1 ", "-١", "+a", ("=1",), b"-"])
def test_what_only_looks_like_a_number(value: Any) -> None:
    cell = next(iter(csv.reader([Grid(["x"], [[value]]).to_csv().split("\n")[1]])))[0]
    assert cell == (f"'{value}" if str(value)[0] in "+-" else str(value))


def test_results_have_both_forms() -> None:
    compared = cs.compare(GOLD * 4, {"=A": PRED * 4, "![B](x)": [0] * 20}, metrics="elm")
    assert "elm,'=A," in compared.to_csv()
    assert "elm,=A," in compared.to_csv(raw=True)
    assert r"![B\](x)" in compared.to_markdown()
    assert "| ![B](x) |" in compared.to_markdown(raw=True)
    assert list(json.loads(compared.to_json())["systems"]) == ["=A", "![B](x)"]


def test_json_can_always_be_printed_and_encoded() -> None:
    for label in HOSTILE:
        compared = cs.compare(GOLD * 4, {f"{label}.": PRED * 4}, metrics="elm", resamples=0)
        text = compared.to_json()
        text.encode()
        assert not OBEYED.search(text)
        assert list(json.loads(text)["systems"]) == [f"{label}."]


@pytest.mark.parametrize("kind", [ClusterscoreError, cs.InputError, cs.MetricError, cs.FileError, ClusterscoreWarning])
def test_messages_are_short_and_visible(kind: type[Exception]) -> None:
    for label in [*HOSTILE, "x" * 10**6, "x " * 10**6, "\x1b" * 10**6]:
        made = kind(f"7 labels such as {label} are wrong; pass noise=[...]")
        message = str(made)
        assert message.startswith("7 labels such as ")
        assert message.endswith("; pass noise=[...]")
        assert len(message) <= 500
        assert not OBEYED.search(message)
        assert "\n" not in message
        assert str(pickle.loads(pickle.dumps(made))) == str(kind(message)) == message


def test_progress_obeys_no_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    bars = _bars()
    _update(bars, {}, (_Step("a\x1b[31m\nb", []),))
    bars.console.print(bars)
    assert r"a\x1b[31m\nb" in sys.stderr.getvalue()


@pytest.fixture
def files(tmp_path: Path) -> Path:
    # a reader of CSV takes blanks around a label away
    kept = [label for label in HOSTILE if label == label.strip("\ufeff \t\r\n") != "" and label not in ("\0", "\ud800")]
    labels = [label for label in kept for _ in range(2)]  # nobody doubts clusters of two
    with open(tmp_path / "both.csv", "w", newline="") as file:
        csv.writer(file, lineterminator="\r\n").writerows(
            [["element", "gold", "pred"], *([k, label, labels[k - k % 4]] for k, label in enumerate(labels))]
        )
    return tmp_path


def elements(folder: Path, *options: str, **how: Any) -> subprocess.CompletedProcess[bytes]:
    line = [sys.executable, "-m", "clusterscore", "elements", "both.csv", "--gold", "gold", "--pred", "pred", *options]
    return subprocess.run(line, cwd=folder, check=False, timeout=120, **{"capture_output": True} | how)


def test_a_pipe_gets_the_labels_unchanged(files: Path) -> None:
    with open(files / "both.csv", newline="") as file:
        expected = [row[1] for row in csv.reader(file)]
    done = elements(files, "--format", "csv", "--raw")
    table = list(csv.reader(io.StringIO(done.stdout.decode(), newline="")))
    assert [row[1] for row in table] == expected
    rows = json.loads(elements(files, "--format", "json").stdout)["rows"]
    assert [row["gold"] for row in rows] == expected[1:]


@pytest.mark.skipif(os.name != "posix", reason="needs a pseudo-terminal")
@pytest.mark.parametrize("form", ["table", "csv", "json", "markdown", "latex"])
def test_a_terminal_gets_no_control_characters(files: Path, form: str) -> None:
    code, shown, _ = on_terminal(
        "elements", "both.csv", "--gold", "gold", "--pred", "pred", "-q", "--format", form, cwd=files
    )
    assert code == 0
    styles = STYLED.findall(shown)
    assert all(bold == ("\x1b[1m", "\x1b[0m")[k % 2] for k, bold in enumerate(styles))
    assert bool(styles) == (form == "table")
    assert not OBEYED.search(STYLED.sub("", shown))
    assert "[31mred" in shown


def test_an_encoding_that_lacks_letters(files: Path) -> None:
    ascii_only = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    assert rb"\xe9" in elements(files, env=ascii_only).stdout
    with open(files / "both.csv", newline="") as file:
        expected = [row[1] for row in csv.reader(file)][1:]
    rows = json.loads(elements(files, "--format", "json", env=ascii_only).stdout)["rows"]
    assert [row["gold"] for row in rows] == expected
    refused = elements(files, "--format", "csv", env=ascii_only)
    assert (refused.returncode, refused.stdout, refused.stderr.count(b"\n")) == (2, b"", 1)
    assert b"PYTHONIOENCODING=utf-8" in refused.stderr


WRONG = [
    ["score", "\x1b[31m.csv", "b"],
    ["score", "a\nb", "b"],
    ["score", "a", "b", "--missing", "\x1b[31m"],
    ["\x1b[31m"],
    ["score", "--\x1b[31m"],
    ["score", "a", "b", "-m", "\x1b[31m"],
    ["coref", "\x1b", "\x9b"],
    ["metrics", "\u202e"],
    ["constraints", "\x1b"],
    ["constraints", "-c", "\x1b"],
    ["score", "a" * 100_000, "b"],
    ["score", "a", "b", "-m", "x" * 100_000],
    ["score", "a", "b", "-m", " " * 100_000],
    ["score", "a", "b", "-m", "elm," * 100_000 + "x"],
    ["score", "a", "b", "--digits", "9" * 9999],
    ["score", "a", "b", "--step", "nan"],
    ["score", "a", "b", "--engine", "duckdb", "--memory", "9" * 9999],
    ["report", "a", "b", "-o", "\x1b/x"],
    ["report", "a", "b", "-o", "."],
    ["compare", "a", "b", "--baseline", "\x1b"],
    ["compare", "a", "b", "--confidence", "nan"],
    ["compare", "a", "a"],
    ["elements", "a"],
    ["elements", "a", "b", "-m", "rand"],
    ["clusters", "a", "b", "--worst", "-1"],
    ["errors", "a", "b", "--format", "xml"],
    ["score", "\ud800", "b"],
    ["score", "a\0b", "b"],
]


@pytest.mark.parametrize("arguments", WRONG, ids=lambda arguments: ascii(" ".join(arguments))[:40])
def test_a_wrong_word_is_one_visible_line(arguments: list[str], tmp_path: Path) -> None:
    code, out, message = run(*arguments, cwd=tmp_path)
    assert (code, out, message.count("\n")) == (2, "", 1)
    assert message.startswith("clusterscore: ")
    assert len(message) < 530
    assert not OBEYED.search(message)


def test_warnings_are_not_obeyed() -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        warnings.warn(ClusterscoreWarning("\x1b[31m"), stacklevel=1)
        warnings.warn("\x1b[31m", ClusterscoreWarning, stacklevel=1)
    assert [str(warning.message) for warning in caught] == [r"\x1b[31m"] * 2


@pytest.mark.filterwarnings("ignore:.* with the label ''")
def test_a_page_shows_what_things_are_called(tmp_path: Path) -> None:
    labels = [label for label in HOSTILE if label]
    systems = dict.fromkeys([*labels[::15], "</script><script>alert(1)</script>", r"$\frac{$", "\ud800"], HOSTILE)
    for title, pred in (("</script><script>alert(1)</script>", systems), ("\ud800", HOSTILE), ("x\u2028y", HOSTILE)):
        page = cs.report(HOSTILE, pred, path=tmp_path / "page.html", title=title, show=[*labels, "x"])
        text = page.read_text(encoding="utf-8")
        assert "<script>alert" not in text
        assert "<img" not in text
        assert "\x1b" not in text
