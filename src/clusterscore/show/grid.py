"""A small table of strings and numbers, written as text, CSV, Markdown, LaTeX or HTML; names in it are never obeyed."""

from __future__ import annotations

import csv
import io
import json
import re
import unicodedata
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from clusterscore.exceptions import INVISIBLE, one_of, visible
from clusterscore.notebook import html_table
from clusterscore.read.name_order import name_order

FORMS = ("table", "json", "csv", "markdown", "latex")  # in which every result can be printed
MINUS = "−"  # as it is printed, longer than a hyphen
WIDTH = 120  # characters in a line of a terminal
_GAP = "   "  # between two columns
# a spreadsheet computes a cell that begins so; the wide forms are those of East Asian keyboards
_FORMULA = re.compile(r"[=+\-@\t\r\n＝＋－＠]")
_NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?", re.ASCII)
# code, emphasis, mathematics, and what turns [text] into a link or an image
_MARKUP = re.compile(r"[`*~$]|(?<![^\W_])_|_(?![^\W_])|\](?=[(\[:])")
_ENTITY = re.compile(r"&(?=#?\w+;)")
_LATEX = {sign: "\\" + sign for sign in "&%$#_{}"} | {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "|": r"\textbar{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    MINUS: "$-$",
    "†": r"$^{\dagger}$",
    "↓": r"$\downarrow$",
}


@dataclass
class Grid:
    """Headings and rows; a number is shown with ``digits`` decimals, None as nothing.

    ``decimals`` names the headings below which numbers have others, ``least`` those below which a number smaller than
    this is shown as ``< 0.001``. ``above`` is for text and HTML, ``below`` for all but CSV. As text, columns beyond the
    ``width`` go below the others, with the first column again. ``bold`` has the places (row, column) of cells that
    stand out, counted from 0 without the headings; ``marks`` what stands after a number there, in all forms but CSV.
    A ``caption`` is the first line below, and in LaTeX makes the table float.
    """

    headings: Sequence[str]
    rows: Sequence[Sequence[Any]]
    digits: int = 4
    above: str = ""
    below: Sequence[str] = field(default_factory=tuple)
    decimals: Mapping[str, int] = field(default_factory=dict)
    least: Mapping[str, float] = field(default_factory=dict)
    width: int | None = None
    bold: Collection[tuple[int, int]] = frozenset()
    marks: Mapping[tuple[int, int], str] = field(default_factory=dict)
    caption: str = ""
    minus: str = "-"

    def _lines(self, minus: str | None = None) -> list[list[str]]:
        """The headings and all rows as strings, without marks."""
        how = [(self.decimals.get(each, self.digits), self.least.get(each)) for each in self.headings]
        sign = minus or self.minus
        rows = [[_shown(value, *each, sign) for value, each in zip(row, how, strict=True)] for row in self.rows]
        return [list(self.headings), *rows]

    def _marked(
        self, escape: Callable[[str], str], bold: str, blank: Callable[[str], str], minus: str | None = None
    ) -> list[list[str]]:
        """The headings and all rows, escaped; bold as a form has it, marks after numbers, and blanks for no mark."""
        lines = [list(map(escape, line)) for line in self._lines(minus)]
        for row, column in self.bold:
            lines[1 + row][column] = bold.format(lines[1 + row][column])
        for column in {column for _, column in self.marks}:
            longest = max((mark for (_, k), mark in self.marks.items() if k == column), key=len)
            for row, line in enumerate(lines[1:]):
                mark = self.marks.get((row, column), "")
                line[column] += escape(mark) + (blank(escape(longest[len(mark) :])) if line[column] else "")
        return lines

    @property
    def _notes(self) -> list[str]:
        return [*([self.caption] if self.caption else []), *self.below]

    def _numeric(self) -> list[bool]:
        """Which columns hold numbers."""
        columns = ([row[k] for row in self.rows if row[k] is not None] for k in range(len(self.headings)))
        return [bool(values) and all(isinstance(value, int | float) for value in values) for values in columns]

    def to_text(self) -> str:
        """Aligned columns under a ruled heading: the same text on a terminal, in a notebook and in a file."""
        lines = self._marked(visible, "{}", lambda mark: " " * width(mark))
        columns = [
            _aligned(list(column), numeric)
            for column, numeric in zip(zip(*lines, strict=True), self._numeric(), strict=True)
        ]
        above = ["\n".join(map(visible, self.above.split("\n")))] if self.above else []
        below = ["\n".join(map(visible, self._notes))] if self._notes else []
        return "\n\n".join([*above, *map(_ruled, self._folded(columns)), *below])

    def _folded(self, columns: list[list[str]]) -> list[list[list[str]]]:
        """The columns that stand side by side: those beyond the width come below, after the first column again."""
        first, *others = columns
        tables = [[first]]
        for column in others:
            together = width(_GAP.join(each[0] for each in (*tables[-1], column)))
            if self.width is not None and together > self.width and len(tables[-1]) > 1:
                tables.append([first])
            tables[-1].append(column)
        return tables

    def to_csv(self, raw: bool = False) -> str:
        """Comma-separated values in full precision, one heading line.

        Text that a spreadsheet would compute, such as ``=1+1``, has an apostrophe in front, unless ``raw``.
        """
        out = _Lines()
        rows = [self.headings, *self.rows]
        csv.writer(out).writerows(map(_spelled if raw else _no_formula, row) for row in rows)
        return out.getvalue().rstrip("\n")  # None is written as nothing, a float as repr() does

    def to_markdown(self, raw: bool = False) -> str:
        """A Markdown table; links, images and HTML in it are shown as text, unless ``raw``."""
        align = ["---:" if numeric else ":---" for numeric in self._numeric()]
        heading, *rows = self._marked(lambda text: _markdown(text, raw), "**{}**", lambda mark: "")
        lines = ["| " + " | ".join(line) + " |" for line in (heading, align, *rows)]
        below = "  \n".join(_markdown(line, raw) for line in self._notes)
        return "\n".join(lines) + (f"\n\n{below}" if below else "")

    def to_latex(self) -> str:
        """A LaTeX tabular with booktabs rules."""
        align = "".join("r" if numeric else "l" for numeric in self._numeric())
        lines = self._marked(_latex, r"\textbf{{{}}}", lambda mark: rf"\phantom{{{mark}}}" if mark else "", MINUS)
        body = [" & ".join(line) + r" \\" for line in lines]
        # after a rule or the end of a row, [ and * would be read as an option of that
        head, *rows = ("{}" + row if row.startswith(("[", "*")) else row for row in body)
        table = [rf"\begin{{tabular}}{{{align}}}", r"\toprule", head, r"\midrule", *rows, r"\bottomrule"]
        table.append(r"\end{tabular}")
        if self.caption:
            start = [r"% \usepackage{booktabs}", r"\begin{table}", r"\centering"]
            table = [*start, *table, rf"\caption{{{_latex(self.caption)}}}", r"\end{table}"]
        return "\n".join([*table, *(f"% {visible(line)}" for line in self.below)])

    def to_html(self) -> str:
        """An HTML table, for a notebook."""
        return html_table(self._lines(), self._numeric(), self.above, self._notes, self.bold, self.marks)

    def render(self, form: str, raw: bool = False) -> str:
        """As ``table`` (text), ``csv``, ``markdown`` or ``latex``; ``raw`` is for CSV and Markdown."""
        one_of("format", form, [known for known in FORMS if known != "json"])
        if form in ("csv", "markdown"):
            return self.to_csv(raw) if form == "csv" else self.to_markdown(raw)
        return self.to_text() if form == "table" else self.to_latex()


class _Lines(io.StringIO):
    """Where a CSV writer writes; it ends lines with CRLF, as only then it quotes a cell with either of the two."""

    def write(self, line: str) -> int:
        return super().write(line[:-2] + "\n")


def _aligned(cells: list[str], right: bool) -> list[str]:
    """The cells of a column, all of the same width."""
    widths = [width(cell) for cell in cells]
    widest = max(widths)
    blanks = [" " * (widest - own) for own in widths]
    return [blank + cell if right else cell + blank for cell, blank in zip(cells, blanks, strict=True)]


def _ruled(columns: list[list[str]]) -> str:
    """Columns side by side, with a rule below their headings."""
    head, *rows = (_GAP.join(cells) for cells in zip(*columns, strict=True))
    return "\n".join([head.rstrip(), "-" * width(head), *(row.rstrip() for row in rows)])


def _shown(value: Any, digits: int, least: float | None, minus: str) -> str:
    if value is None:
        return ""
    if not isinstance(value, float):
        return as_text(value)
    if least is not None and value < least:
        return f"< {least:g}"
    return f"{value:z.{digits}f}".replace("-", minus)


def sorted_set(clusters: frozenset[Any]) -> list[Any]:
    """The clusters of an element in the order of their names: a set has none of its own."""
    listed = list(clusters)
    return [listed[k] for k in name_order(listed).tolist()]


def _spelled(value: Any) -> Any:
    """A cell; a set of clusters as text, ``a | b``."""
    return " | ".join(map(str, sorted_set(value))) if isinstance(value, frozenset) else value


def as_text(value: Any) -> str:
    """A name as it stands in a table."""
    return str(_spelled(value))


def width(text: str) -> int:
    """The columns that a text takes on a terminal, wherever it is printed."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.category(sign) in ("Mn", "Me") else 1 + (unicodedata.east_asian_width(sign) in "WF")
        for sign in text
    )


def _no_formula(value: Any) -> Any:
    """A cell of CSV that a spreadsheet shows as it is: text that begins like a formula gets an apostrophe in front."""
    if not isinstance(value, str):
        return value if value is None or isinstance(value, int | float) else _no_formula(as_text(value))
    return f"'{value}" if _FORMULA.match(value) and not _NUMBER.fullmatch(value) else value


def _markdown(text: str, raw: bool = False) -> str:
    """A cell of a Markdown table; ``raw`` leaves what Markdown makes of it, except what would end the cell."""
    text = visible(text)
    if raw:
        return text.replace("|", "\\|")
    text = _MARKUP.sub(r"\\\g<0>", text.replace("\\", "\\\\"))
    return _ENTITY.sub("&amp;", text.replace("|", "\\|")).replace("<", "&lt;")


def _latex(text: str) -> str:
    """Text in LaTeX."""
    return "".join(_LATEX.get(sign, sign) for sign in visible(text))


def as_json(value: Any, **options: Any) -> str:
    """JSON in which every character can be printed and encoded; other programs read the same strings from it."""
    text = json.dumps(value, ensure_ascii=False, **options)
    return INVISIBLE.sub(lambda sign: sign[0] if sign[0] == "\n" else json.dumps(sign[0])[1:-1], text)
