"""What was reproduced, written down: as text, as tables for other programs, and as figures."""

from __future__ import annotations

import importlib.util
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import clusterscore as cs
from clusterscore.progress import step
from clusterscore.show.grid import Grid, as_json
from reproduce.result import NEAR, Result, Row

FORMS = ("table", "json", "csv", "markdown", "latex")
FILES = {"markdown": "reproduced.md", "csv": "reproduced.csv", "json": "reproduced.json"}

_HEADINGS = ("section", "quantity", "printed", "computed", "spread", "match", "note")


def written(results: Sequence[Result], form: str) -> str:
    """All results: ``table`` (text), ``markdown`` and ``latex`` for reading, ``json`` and ``csv`` in full precision."""
    if form not in FORMS:
        raise cs.InputError(f"format={form!r} is not an option; use one of {', '.join(FORMS)}")
    if form == "json":
        papers = [{**result._asdict(), "figures": [figure.name for figure in result.figures],
                   "rows": [{**row._asdict(), "regressed": row.regressed} for row in result.rows]}
                  for result in results]  # fmt: skip
        plain = {"papers": papers, "summary": tally(results), "version": cs.__version__}
        return as_json(plain, indent=2, allow_nan=False)
    if form == "csv":
        rows = [
            [result.paper, *row[:4], row.spread, row.verdict, row.note] for result in results for row in result.rows
        ]
        return Grid(["paper", *_HEADINGS], rows).to_csv()
    if form == "markdown":
        return "\n\n".join(["# The papers, reproduced", _LEGEND, *map(_markdown, results), summary(results) + "."])
    if form == "latex":
        parts = [f"% {result.title}\n{_grid(result).to_latex()}" for result in results]
        return "\n\n".join([*parts, f"% {summary(results)}"])
    return "\n\n".join([*map(_text, results), summary(results)])


_LEGEND = (
    "Every number that the papers print beside the one that `make reproduce` computes. *match*: the computed "
    "number, written with as many digits, is the printed one (`yes`); it is not, and the note says why (`differs`); "
    "it once was, and no longer is (`REGRESSED`); its data cannot be had (`no data`); what the paper ran cannot be "
    f"had, but another version of it is no more than {NEAR} off, by the difference shown (`near`, which is no match). "
    "*spread* is the standard deviation of one run of a random experiment. Computed numbers are shown with six "
    "decimals."
)


def tally(results: Iterable[Result]) -> dict[str, int]:
    """How many rows there are of each kind: they match, are near, are known to differ, have no data, or regressed."""
    rows = [row for result in results for row in result.rows]
    kinds = {"match": "yes", "near": "near", "differ": "differs", "no data": "no data", "regressed": "REGRESSED"}
    counts = Counter(row.verdict for row in rows)
    return {"rows": len(rows), **{kind: counts[verdict] for kind, verdict in kinds.items()}}


def summary(results: Iterable[Result]) -> str:
    """The tally, in words."""
    count = {kind: f"{number:,}" for kind, number in tally(results).items()}
    return (
        f"{count['rows']} rows: {count['match']} match, {count['near']} near, {count['differ']} known to differ, "
        f"{count['no data']} without data, {count['regressed']} regressed"
    )


def drawable() -> bool:
    """Whether figures can be drawn here."""
    return importlib.util.find_spec("matplotlib") is not None


def draw(results: Sequence[Result], folder: Path) -> list[Path]:
    """Draw all figures, as SVG and PDF; the same figure is the same file, byte for byte."""
    import matplotlib
    from matplotlib.figure import Figure

    figures = [figure for result in results for figure in result.figures]
    made: list[Path] = []
    with step("drawing") as at, matplotlib.rc_context():
        matplotlib.rcdefaults()  # not as the user's own settings have it
        for done, figure in enumerate(figures, 1):
            matplotlib.rcParams["svg.hashsalt"] = figure.name  # else its ids are random
            canvas = Figure()
            figure.draw(canvas)
            for form, date in (("svg", "Date"), ("pdf", "CreationDate")):
                made.append(folder / f"{figure.name}.{form}")
                canvas.savefig(made[-1], metadata={"Title": figure.title, date: None})
            at(done / len(figures))
    return made


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
    return Grid(
        _HEADINGS, [[*row[:3], _short(row.computed), _spread(row), _match(row), row.note] for row in result.rows]
    )


def _spread(row: Row) -> str:
    return "" if row.spread is None else f"{row.spread:.2g}"


def _match(row: Row) -> str:
    return f"{row.verdict}, {row.difference:+.4f}" if row.verdict == "near" else row.verdict


def _short(computed: float | int | str | None) -> str:
    if computed is None:
        return ""
    if not isinstance(computed, float):
        return str(computed)
    if 0 < abs(computed) < 1e-6:
        return f"{computed:.6g}"
    return f"{computed + 0.0:.6f}".rstrip("0").rstrip(".")  # no -0
