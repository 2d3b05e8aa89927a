"""A small table of strings and numbers, written as text, CSV, Markdown or LaTeX."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from clusterscore.exceptions import one_of, visible
from clusterscore.show.escapes import latex, markdown, no_formula, width

FORMS = ("table", "json", "csv", "markdown", "latex")  # in which every result can be printed
WIDTH = 120  # characters in a line of a terminal
_GAP = "   "  # between two columns


@dataclass
class Grid:
    """Headings and rows; a number is shown with ``digits`` decimals, None as nothing.

    ``decimals`` names the headings below which numbers have others. ``above`` is for text alone, ``below`` for all but
    CSV. As text, columns beyond the ``width`` go below the others, with the first column again.
    """

    headings: Sequence[str]
    rows: Sequence[Sequence[Any]]
    digits: int = 4
    above: str = ""
    below: Sequence[str] = field(default_factory=tuple)
    decimals: Mapping[str, int] = field(default_factory=dict)
    width: int | None = None

    def cells(self) -> list[list[str]]:
        digits = [self.decimals.get(heading, self.digits) for heading in self.headings]
        return [[_shown(value, k) for value, k in zip(row, digits, strict=True)] for row in self.rows]

    def _numeric(self, column: int) -> bool:
        values = [row[column] for row in self.rows if row[column] is not None]
        return bool(values) and all(isinstance(value, int | float) for value in values)

    def to_text(self) -> str:
        """Aligned columns under a ruled heading: the same text on a terminal, in a notebook and in a file."""
        lines = self._lines()
        widths = [max(map(width, column)) for column in zip(*lines, strict=True)]
        if self.width is not None and sum(widths) + len(_GAP) * (len(widths) - 1) > self.width and len(widths) > 2:
            return self._folded(widths)
        numeric = [self._numeric(k) for k in range(len(widths))]
        rows = [_GAP.join(_filled(*each) for each in zip(row, widths, numeric, strict=True)).rstrip() for row in lines]
        rows.insert(1, "-" * (sum(widths) + len(_GAP) * (len(widths) - 1)))
        above = [*map(visible, self.above.split("\n")), ""] if self.above else []
        return "\n".join([*above, *rows, *(["", *map(visible, self.below)] if self.below else [])])

    def _folded(self, widths: list[int]) -> str:
        assert self.width is not None
        blocks: list[list[int]] = []
        used = self.width
        for column in range(1, len(widths)):
            used += len(_GAP) + widths[column]
            if used > self.width:
                blocks.append([0])
                used = widths[0] + len(_GAP) + widths[column]
            blocks[-1].append(column)
        return "\n\n".join(
            replace(
                self, headings=[self.headings[k] for k in block], rows=[[row[k] for k in block] for row in self.rows],
                above="" if number else self.above, below=self.below if block is blocks[-1] else (), width=None,
            ).to_text()
            for number, block in enumerate(blocks)
        )  # fmt: skip

    def _lines(self) -> list[list[str]]:
        return [[visible(cell) for cell in row] for row in [list(self.headings), *self.cells()]]

    def to_csv(self, raw: bool = False) -> str:
        """Comma-separated values in full precision, one heading line.

        Text that a spreadsheet would compute, such as ``=1+1``, has an apostrophe in front, unless ``raw``.
        """
        out = io.StringIO()
        writer = csv.writer(_Lines(out))
        rows = [self.headings, *self.rows]
        writer.writerows(rows if raw else (map(no_formula, row) for row in rows))
        return out.getvalue().rstrip("\n")  # None is written as nothing, a float as repr() does

    def to_markdown(self, raw: bool = False) -> str:
        """A Markdown table; links, images and HTML in it are shown as text, unless ``raw``."""
        align = ["---:" if self._numeric(k) else ":---" for k in range(len(self.headings))]
        heading, *rows = ([markdown(cell, raw) for cell in row] for row in [list(self.headings), *self.cells()])
        lines = ["| " + " | ".join(line) + " |" for line in (heading, align, *rows)]
        below = "  \n".join(markdown(line, raw) for line in self.below)
        return "\n".join(lines) + (f"\n\n{below}" if below else "")

    def to_latex(self) -> str:
        """A LaTeX tabular with booktabs rules."""
        align = "".join("r" if self._numeric(k) else "l" for k in range(len(self.headings)))
        body = [" & ".join(map(latex, row)) + r" \\" for row in [list(self.headings), *self.cells()]]
        # after a rule or the end of a row, [ and * would be read as an option of that
        body = ["{}" + row if row.startswith(("[", "*")) else row for row in body]
        lines = [rf"\begin{{tabular}}{{{align}}}", r"\toprule", body[0], r"\midrule", *body[1:], r"\bottomrule",
                 r"\end{tabular}", *(f"% {visible(line)}" for line in self.below)]  # fmt: skip
        return "\n".join(lines)

    def render(self, form: str, raw: bool = False) -> str:
        """As ``table`` (text), ``csv``, ``markdown`` or ``latex``; ``raw`` is for CSV and Markdown."""
        one_of("format", form, [known for known in FORMS if known != "json"])
        if form in ("csv", "markdown"):
            return self.to_csv(raw) if form == "csv" else self.to_markdown(raw)
        return self.to_text() if form == "table" else self.to_latex()


class _Lines:
    """Where a CSV writer writes; it ends lines with CRLF, as only then it quotes a cell with either of the two."""

    def __init__(self, out: io.StringIO):
        self._out = out

    def write(self, line: str) -> None:
        self._out.write(line[:-2] + "\n")


def _filled(cell: str, columns: int, right: bool) -> str:
    blanks = " " * (columns - width(cell))
    return blanks + cell if right else cell + blanks


def _shown(value: Any, digits: int) -> str:
    if value is None:
        return ""
    return f"{value:.{digits}f}" if isinstance(value, float) else str(value)
