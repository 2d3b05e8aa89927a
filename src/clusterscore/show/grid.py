"""A small table of strings and numbers, written as text, CSV, Markdown or LaTeX."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from clusterscore.errors import one_of


@dataclass
class Grid:
    """Headings and rows; a number is shown with ``digits`` decimals, None as nothing.

    ``decimals`` names the headings below which numbers have others.
    """

    headings: Sequence[str]
    rows: Sequence[Sequence[Any]]
    digits: int = 4
    above: str = ""
    below: Sequence[str] = field(default_factory=tuple)
    decimals: Mapping[str, int] = field(default_factory=dict)

    def cells(self) -> list[list[str]]:
        digits = [self.decimals.get(heading, self.digits) for heading in self.headings]
        return [[_shown(value, k) for value, k in zip(row, digits, strict=True)] for row in self.rows]

    def _numeric(self, column: int) -> bool:
        values = [row[column] for row in self.rows if row[column] is not None]
        return bool(values) and all(isinstance(value, int | float) for value in values)

    def to_text(self) -> str:
        """Aligned columns under a ruled heading, as the terminal shows them."""
        from rich.box import SIMPLE_HEAD
        from rich.console import Console
        from rich.table import Table
        from rich.text import Text

        table = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False, header_style="")
        for k, heading in enumerate(self.headings):
            table.add_column(Text(heading), justify="right" if self._numeric(k) else "left", no_wrap=True)
        for row in self.cells():
            table.add_row(*(Text(_one_line(cell)) for cell in row))
        out = io.StringIO()
        Console(file=out, width=10_000, no_color=True, force_terminal=False, legacy_windows=False).print(table)
        # a rule of plain dashes prints on every terminal
        lines = [line.rstrip() for line in out.getvalue().replace("─", "-").rstrip("\n").split("\n")]
        return "\n".join(
            [*([self.above, ""] if self.above else []), *lines, *(["", *self.below] if self.below else [])]
        )

    def to_csv(self) -> str:
        """Comma-separated values in full precision, one heading line."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(self.headings)
        writer.writerows(self.rows)  # None is written as nothing, a float as repr() does
        return out.getvalue().rstrip("\n")

    def to_markdown(self) -> str:
        """A Markdown table."""
        align = ["---:" if self._numeric(k) else ":---" for k in range(len(self.headings))]
        lines = [list(self.headings), align, *([_escape_markdown(cell) for cell in row] for row in self.cells())]
        return "\n".join("| " + " | ".join(line) + " |" for line in lines) + _paragraphs(
            map(_escape_markdown, self.below)
        )

    def to_latex(self) -> str:
        """A LaTeX tabular with booktabs rules."""
        align = "".join("r" if self._numeric(k) else "l" for k in range(len(self.headings)))
        body = [" & ".join(map(_escape_latex, row)) + r" \\" for row in [list(self.headings), *self.cells()]]
        lines = [rf"\begin{{tabular}}{{{align}}}", r"\toprule", body[0], r"\midrule", *body[1:], r"\bottomrule",
                 r"\end{tabular}", *(f"% {line}" for line in self.below)]  # fmt: skip
        return "\n".join(lines)

    def render(self, form: str) -> str:
        """As ``table`` (text), ``csv``, ``markdown`` or ``latex``."""
        ways: dict[str, Callable[[], str]] = {
            "table": self.to_text, "csv": self.to_csv, "markdown": self.to_markdown, "latex": self.to_latex,
        }  # fmt: skip
        one_of("format", form, ways)
        return ways[form]()


def _shown(value: Any, digits: int) -> str:
    if value is None:
        return ""
    return f"{value:.{digits}f}" if isinstance(value, float) else str(value)


def _one_line(text: str) -> str:
    return text.replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t")


def _escape_markdown(text: str) -> str:
    return _one_line(text).replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;")


_LATEX = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
          "|": r"\textbar{}", "<": r"\textless{}", ">": r"\textgreater{}",
          **{sign: "\\" + sign for sign in "&%$#_{}"}}  # fmt: skip


def _escape_latex(text: str) -> str:
    return "".join(_LATEX.get(sign, sign) for sign in _one_line(text))


def _paragraphs(lines: Any) -> str:
    text = "  \n".join(lines)
    return f"\n\n{text}" if text else ""
