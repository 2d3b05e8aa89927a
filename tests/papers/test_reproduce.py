"""``python -m reproduce``: what it prints and writes, and how it ends."""

from __future__ import annotations

import csv
import io
import json
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from clusterscore import FileError, InputError
from reproduce import __main__ as command
from reproduce import reproduce
from reproduce.result import Figure, Result, Row, near, row, sampled, without_data
from reproduce.written import FORMS, draw, tally, written

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT.parent / "shared" / "data"
PAGE = ROOT / "docs" / "reproduced.md"


def plot(figure: Any) -> None:
    figure.subplots().plot([0, 1, 2], [0, 1, 4])


ROWS = [
    row("A Table 1", "matches | and so on", ".67", 2 / 3),
    row("A Table 1", "known to differ", "0.5", 0.625, "a slip in the paper", known=False),
    sampled("A Sec. 2", "random", "0.0", np.array([1e-9, 3e-9]), "tiny"),
    row("A Sec. 2", "words", "a few", "a few"),
    without_data("A Table 3", "not to be had", "0.9", "the texts are gone"),
]
REGRESSED = row("A Sec. 3", "no longer", "0.5", 0.123456789)
PAPER = Result(
    "elm", "An author 1999, A title & more", ROWS, [Figure("a-figure", "A figure", plot)], ["Sec. 9: no data"]
)


def plant(monkeypatch: pytest.MonkeyPatch, *results: Result) -> None:
    """Other papers in the place of the real ones."""
    for result in results:
        planted = SimpleNamespace(reproduce=lambda data, result=result: result)
        monkeypatch.setitem(sys.modules, f"reproduce.{result.paper}", planted)
    monkeypatch.setattr(sys.modules["reproduce"], "PAPERS", tuple(result.paper for result in results))


@pytest.fixture
def planted(monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch, PAPER)


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as left:
        command.main(list(map(str, arguments)))
    printed = capsys.readouterr()
    assert isinstance(left.value.code, int)
    return left.value.code, printed.out, printed.err


@pytest.mark.usefixtures("planted")
def test_table(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys)
    assert (code, err) == (0, "")
    lines = [" ".join(line.split()) for line in out.splitlines() if line.strip()]
    assert lines[0] == "elm: An author 1999, A title & more"
    assert lines[1] == "section quantity printed computed spread match note"
    assert lines[3:] == [
        "A Table 1 matches | and so on .67 0.666667 yes",
        "A Table 1 known to differ 0.5 0.625 differs 1",
        "A Sec. 2 random 0.0 2e-09 1.4e-09 yes 2",
        "A Sec. 2 words a few a few yes",
        "A Table 3 not to be had 0.9 no data 3",
        "note 1: a slip in the paper",
        "note 2: tiny",
        "note 3: the texts are gone",
        "skipped: Sec. 9: no data",
        "5 rows: 3 match, 0 near, 1 known to differ, 1 without data, 0 regressed",
    ]


def test_a_regression_ends_with_1_and_is_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch, PAPER, Result("blanc", "Another", [REGRESSED]))
    code, out, err = run(capsys, "elm", "blanc")
    assert code == 1
    assert err == "reproduce: regressed: blanc, A Sec. 3, no longer: 0.5 is printed, 0.123456789 computed\n"
    assert "REGRESSED" in out
    assert "1 regressed" in out
    assert run(capsys, "elm")[0] == 0


def test_a_real_regression_is_noticed(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    from clusterscore.metrics.adapted_bcubed import AdaptedBCubed

    right = AdaptedBCubed.finish

    def wrong(self: AdaptedBCubed, *parts: Any, **named: Any) -> Any:
        values = right(self, *parts, **named)
        return values._replace(value=values.value / 2)

    monkeypatch.setattr(AdaptedBCubed, "finish", wrong)
    code, _, err = run(capsys, "adapted")
    assert code == 1
    assert "adapted, M Table 1 homogeneity, Fbmod&0.9, left: 0.58 is printed" in err


@pytest.mark.usefixtures("planted")
def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "--format", "json")
    data = json.loads(out)
    assert code == 0
    assert data["summary"] == {"rows": 5, "match": 3, "near": 0, "differ": 1, "no data": 1, "regressed": 0}
    [paper] = data["papers"]
    assert (paper["paper"], paper["figures"], paper["skipped"]) == ("elm", ["a-figure"], ["Sec. 9: no data"])
    assert paper["rows"][0] == {"section": "A Table 1", "quantity": "matches | and so on", "printed": ".67",
                                "computed": 2 / 3, "match": True, "note": "", "known": True, "spread": None,
                                "difference": None, "regressed": False}  # fmt: skip
    assert [row["match"] for row in paper["rows"]] == [True, False, True, True, None]


@pytest.mark.usefixtures("planted")
def test_csv_is_in_full_precision(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert list(rows[0]) == ["paper", "section", "quantity", "printed", "computed", "spread", "match", "note"]
    assert [float(row["computed"]) for row in rows[:3]] == [2 / 3, 0.625, 2e-9]
    assert [row["match"] for row in rows] == ["yes", "differs", "yes", "yes", "no data"]
    assert {row["paper"] for row in rows} == {"elm"}


@pytest.mark.usefixtures("planted")
def test_markdown(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "--format", "markdown")
    assert out.startswith("# The papers, reproduced\n")
    assert "\n## elm\n\nAn author 1999, A title & more.\n" in out
    assert "| A Table 1 | matches \\| and so on | .67 | 0.666667 |  | yes |  |\n" in out
    assert "\n- Sec. 9: no data\n" in out


@pytest.mark.usefixtures("planted")
def test_latex(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "--format", "latex")
    assert out.startswith("% An author 1999, A title & more\n\\begin{tabular}{")
    assert r"A Table 1 & matches \textbar{} and so on & .67 & 0.666667 &  & yes &  \\" in out


@pytest.mark.usefixtures("planted")
def test_out_holds_tables_and_figures(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    folder = tmp_path / "new" / "folder"
    code, out, err = run(capsys, "--out", folder, "--format", "markdown")
    assert (code, err) == (0, "")
    names = {path.name for path in folder.iterdir()}
    assert names == {"reproduced.md", "reproduced.csv", "reproduced.json", "a-figure.svg", "a-figure.pdf"}
    assert (folder / "reproduced.md").read_text(encoding="utf-8") == out
    assert json.loads((folder / "reproduced.json").read_text(encoding="utf-8"))["summary"]["rows"] == 5
    svg = (folder / "a-figure.svg").read_text(encoding="utf-8")
    assert svg.startswith("<?xml")
    assert "<dc:date>" not in svg
    pdf = (folder / "a-figure.pdf").read_bytes()
    assert pdf.startswith(b"%PDF")
    assert b"CreationDate" not in pdf


def test_figures_are_the_same_bytes_each_time(tmp_path: Path) -> None:
    import matplotlib

    made = []
    for name, width in (("one", 1.5), ("two", 7.0)):
        (tmp_path / name).mkdir()
        with matplotlib.rc_context({"lines.linewidth": width}):  # a user's own settings do not count
            made.append(draw([PAPER], tmp_path / name))
    assert [path.name for path in made[0]] == ["a-figure.svg", "a-figure.pdf"]
    for first, second in zip(*made, strict=True):
        assert first.read_bytes() == second.read_bytes()


@pytest.mark.usefixtures("planted")
def test_without_matplotlib_tables_are_written_and_the_remedy_is_told(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    code, _, err = run(capsys, "--out", tmp_path)
    assert code == 0
    assert err == "reproduce: 1 figure not drawn, for want of matplotlib\n"
    assert {path.name for path in tmp_path.iterdir()} == {"reproduced.md", "reproduced.csv", "reproduced.json"}


def test_bad_input_ends_with_2(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    missing, file = tmp_path / "missing", tmp_path / "file"
    file.write_text("x", encoding="utf-8")
    code, out, err = run(capsys, "blanc", "--data", missing, "--out", tmp_path / "out")
    assert (code, out) == (2, "")
    assert err.startswith(f"reproduce: {missing}: no such folder;")
    assert not (tmp_path / "out").exists()
    assert run(capsys, "blanc", "--data", file)[0] == 2
    code, _, err = run(capsys, "blanc", "--out", file)
    assert code == 2
    assert "is a file; --out takes a folder" in err
    code, _, err = run(capsys, "bleu")
    assert code == 2
    assert "'bleu'" in err
    assert run(capsys, "blanc", "--format", "docx")[0] == 2


def test_damaged_data_ends_with_2(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "odp239").mkdir()
    (tmp_path / "odp239" / "STRel.txt").write_text("a\tb\n1\t2\n", encoding="utf-8")
    code, out, err = run(capsys, "adapted", "--data", tmp_path)
    assert (code, out) == (2, "")
    assert "STRel.txt" in err
    assert len(err.splitlines()) == 1


def test_from_python(tmp_path: Path) -> None:
    assert [result.paper for result in reproduce(["adapted", "blanc", "blanc"])] == ["blanc", "adapted"]
    with pytest.raises(InputError, match="did you mean 'blanc'"):
        reproduce("blank")
    with pytest.raises(FileError, match="no such folder"):
        reproduce("blanc", tmp_path / "nothing")


def test_tally() -> None:
    assert list(tally([]).values()) == [0, 0, 0, 0, 0, 0]
    assert list(tally([PAPER, Result("x", "X", [REGRESSED])]).values()) == [6, 3, 0, 1, 1, 1]


def test_near_is_no_match_and_shows_the_difference() -> None:
    rows = [
        near("s", "another version", "0.5784", 0.6010, "4.5.3"),
        near("s", "far", "0.4186", 0.4729, "4.5.3", known=False),
        near("s", "farther than before", "0.4186", 0.4729, "4.5.3"),
        near("s", "the same by chance", "0.50", 0.5),
    ]
    assert [row.verdict for row in rows] == ["near", "differs", "REGRESSED", "near"]
    assert [row.regressed for row in rows] == [False, False, True, False]
    assert not any(row.match for row in rows)
    paper = Result("x", "X", rows)
    assert list(tally([paper]).values()) == [4, 0, 2, 1, 0, 1]
    assert "| 0.5784 | 0.601 |  | near, +0.0226 | 4.5.3 |" in written([paper], "markdown")
    table = list(csv.DictReader(io.StringIO(written([paper], "csv"))))
    assert [row["match"] for row in table] == ["near", "differs", "REGRESSED", "near"]
    assert json.loads(written([paper], "json"))["papers"][0]["rows"][0]["difference"] == pytest.approx(0.0226)


def test_unknown_form() -> None:
    with pytest.raises(InputError, match="docx"):
        written([PAPER], "docx")
    assert all(written([PAPER], form) for form in FORMS)


def test_computed_numbers_are_written_shortly() -> None:
    values: list[float | int | str] = [0.5, -0.0, 1.0, 12345678901, 41.5684021, 123456.0, 2.5e-7, 0.1234567]
    rows = [Row("s", "q", "0", value, False, known=False) for value in values]
    lines = written([Result("p", "t", rows)], "markdown").splitlines()
    numbers = [line.split(" | ")[3] for line in lines if line.startswith("| s ")]
    assert numbers == ["0.5", "0", "1", "12345678901", "41.568402", "123456", "2.5e-07", "0.123457"]


# the page in the documentation ------------------------------------------------------------------------


def lines_of(page: str, paper: str) -> list[str]:
    _, _, rest = page.partition(f"\n## {paper}\n")
    assert rest, f"{paper} is not in docs/reproduced.md"
    return rest.partition("\n## ")[0].splitlines()


REFRESH = "refresh it: python -m reproduce --data DIR --format markdown > docs/reproduced.md"


@pytest.mark.parametrize("paper", ["blanc", "adapted"])
def test_the_page_shows_what_comes_out(paper: str) -> None:
    fresh = [line for line in lines_of(written(reproduce(paper), "markdown"), paper) if line.startswith("| ")]
    committed = lines_of(PAGE.read_text(encoding="utf-8"), paper)
    assert len(fresh) > 30
    assert [line for line in committed if line in set(fresh)] == fresh, REFRESH


@pytest.mark.slow
@pytest.mark.skipif(not DATA.exists(), reason="the data (shared/data) is not here")
def test_the_whole_page_is_the_output(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "all", "--data", DATA, "--format", "markdown")
    assert code == 0
    assert out == PAGE.read_text(encoding="utf-8"), REFRESH
