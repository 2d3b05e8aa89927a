"""What was reproduced, written down: as text, as tables for other programs, and as figures."""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

from clusterscore.errors import one_of
from clusterscore.papers import Tally
from clusterscore.papers.result import Figure, Result, Row
from clusterscore.progress import step
from clusterscore.show import Grid
from clusterscore.show.escapes import as_json
from clusterscore.show.saving import write_file
from clusterscore.version import __version__

FORMS = ("table", "json", "csv", "markdown", "latex")
FILES = {"markdown": "reproduced.md", "csv": "reproduced.csv", "json": "reproduced.json"}
FIGURES = ("svg", "pdf")

_HEADINGS = ("section", "quantity", "printed", "computed", "match", "note")


def written(results: Sequence[Result], form: str) -> str:
    """All results: ``table`` (text), ``markdown`` and ``latex`` for reading, ``json`` and ``csv`` in full precision."""
    one_of("format", form, FORMS)
    if form == "json":
        return as_json(_plain(results), indent=2, allow_nan=False)
    if form == "csv":
        rows = [[result.paper, *each[:4], verdict(each), each.note] for result in results for each in result.rows]
        return Grid(["paper", *_HEADINGS], rows).to_csv()
    if form == "markdown":
        return "\n\n".join(["# The papers, reproduced", _LEGEND, *map(_markdown, results), f"{Tally.of(results)}."])
    if form == "latex":
        parts = [f"% {result.title}\n{_grid(result).to_latex()}" for result in results]
        return "\n\n".join([*parts, f"% {Tally.of(results)}"])
    return "\n\n".join([*map(_text, results), str(Tally.of(results))])


_LEGEND = (
    "Every number that the papers print beside the one that `clusterscore reproduce` computes. *match*: the computed "
    "number, written with as many digits, is the printed one (`yes`); it is not, and the note tells why (`differs`); "
    "it once was, and no longer is (`REGRESSED`). Nothing stands there where no number is printed. Computed numbers "
    "are shown with six decimals."
)


def verdict(row: Row) -> str:
    """What is said of a row in one word."""
    if row.match is None:
        return ""
    if row.match:
        return "yes"
    return "REGRESSED" if row.regressed else "differs"


def drawable() -> bool:
    """Whether figures can be drawn here."""
    return importlib.util.find_spec("matplotlib") is not None


def draw(results: Sequence[Result], folder: Path) -> list[Path]:
    """Draw all figures, as SVG and PDF; the same figure is the same file, byte for byte."""
    figures = [figure for result in results for figure in result.figures]
    made: list[Path] = []
    with step("drawing") as at:
        for done, figure in enumerate(figures, 1):
            made += _drawn(figure, folder)
            at(done / len(figures))
    return made


def _drawn(figure: Figure, folder: Path) -> list[Path]:
    import matplotlib
    from matplotlib.figure import Figure as Canvas

    paths = [folder / f"{figure.name}.{form}" for form in FIGURES]
    with matplotlib.rc_context():
        matplotlib.rcdefaults()  # not as the user's own settings have it
        matplotlib.rcParams["svg.hashsalt"] = figure.name  # else its ids are random
        canvas = Canvas()
        figure.draw(canvas)
        for path in paths:
            metadata = {"Title": figure.title, "Date" if path.suffix == ".svg" else "CreationDate": None}
            drawn = BytesIO()
            canvas.savefig(drawn, format=path.suffix[1:], metadata=metadata)
            write_file(path, drawn.getvalue())
    return paths


def _text(result: Result) -> str:
    """Notes stand below the table, by number: beside the rows they would fit no terminal."""
    grid = _grid(result)
    notes = {note: str(k) for k, note in enumerate(dict.fromkeys(row.note for row in result.rows if row.note), 1)}
    grid.rows = [[*row[:-1], notes.get(row[-1], "")] for row in grid.rows]
    grid.above = f"{result.paper}: {result.title}"
    grid.below = [*(f"note {k}: {note}" for note, k in notes.items()), *(f"skipped: {what}" for what in result.skipped)]
    return grid.to_text()


def _markdown(result: Result) -> str:
    skipped = ["Skipped:", "\n".join(f"- {what}" for what in result.skipped)] if result.skipped else []
    return "\n\n".join([f"## {result.paper}", f"{result.title}.", _grid(result).to_markdown(), *skipped])


def _grid(result: Result) -> Grid:
    rows = [[each.section, each.quantity, each.printed, _short(each.computed), verdict(each), each.note]
            for each in result.rows]  # fmt: skip
    return Grid(_HEADINGS, rows)


def _short(computed: float | int | str) -> str:
    if not isinstance(computed, float):
        return str(computed)
    if 0 < abs(computed) < 1e-6:
        return f"{computed:.6g}"
    return f"{computed + 0.0:.6f}".rstrip("0").rstrip(".")  # no -0


def _plain(results: Sequence[Result]) -> dict[str, Any]:
    papers = [
        {
            "paper": result.paper,
            "title": result.title,
            "rows": [{**each._asdict(), "regressed": each.regressed} for each in result.rows],
            "figures": [figure.name for figure in result.figures],
            "skipped": list(result.skipped),
        }
        for result in results
    ]
    return {"papers": papers, "summary": Tally.of(results)._asdict(), "version": __version__}
