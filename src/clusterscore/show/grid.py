"""A small table of strings and numbers, written as text, CSV, Markdown, LaTeX or HTML; names in it are never obeyed."""

from __future__ import annotations

import csv
import io
import json
import re
import textwrap
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from typing import Any

from clusterscore.exceptions import one_of
from clusterscore.messages import INVISIBLE, visible
from clusterscore.notebook import html_table
from clusterscore.read.names import Names
from clusterscore.screen import PAGE, Screen
from clusterscore.show.text import SHORTENED, ColumnWidths, lay_out, side_by_side, table_lines, width

FORMS = ("table", "json", "csv", "markdown", "latex")  # in which every result can be printed
MINUS = "−"  # as it is printed, longer than a hyphen
_CHUNK = 1 << 16  # rows that are written at once
_NAMES = 4  # of many in one cell
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
    "³": "$^{3}$",
    "φ": r"$\phi$",
    "₄": "$_{4}$",
    "†": r"$^{\dagger}$",
    "↓": r"$\downarrow$",
}


@dataclass
class Grid:
    """Headings and rows; a number is shown with ``digits`` decimals, None as nothing.

    ``decimals`` names the headings below which numbers have others, ``least`` those below which a number smaller than
    this is shown as ``< 0.001``. ``above`` is for text and HTML, ``below`` for all but CSV. ``bold`` and ``colours``
    have the places (row, column) of cells that stand out, counted from 0 without the headings; ``marks`` what stands
    after a number there, in all forms but CSV. With a ``caption``, which is the first line below, a LaTeX table floats.

    As text, a table that is too wide becomes narrower: ``options`` take the place of the column of that name, and are
    written below; headings get ``short`` or take two lines; columns from ``breaks`` on, or those that do not fit, go
    below the others, with the first ``keys`` columns again, unless the table is to stay ``whole``; on a terminal the
    ``names`` in these columns are cut in the middle.
    """

    headings: Sequence[str]
    rows: Sequence[Sequence[Any]]
    digits: int = 4
    above: str = ""
    below: Sequence[str] = field(default_factory=tuple)
    decimals: Mapping[str, int] = field(default_factory=dict)
    least: Mapping[str, float] = field(default_factory=dict)
    bold: Collection[tuple[int, int]] = frozenset()
    marks: Mapping[tuple[int, int], str] = field(default_factory=dict)
    caption: bool = False
    minus: str = "-"
    colours: Mapping[tuple[int, int], str] = field(default_factory=dict)
    options: Sequence[str] = ()
    short: Mapping[str, str] = field(default_factory=dict)
    breaks: Collection[str] = ()
    keys: int = 1
    names: Collection[str] = ()
    whole: bool = False
    groups: Sequence[tuple[str, int]] = ()  # what some columns one after the other are about, and how many those are

    def _columns(self) -> Iterator[list[tuple[Any, ...]]]:
        """The columns of some rows at a time."""
        for first in range(0, len(self.rows), _CHUNK):
            yield list(zip(*self.rows[first : first + _CHUNK], strict=True))

    def _cells(self, escape: Callable[[str], str], minus: str | None = None) -> Iterator[list[list[str]]]:
        """The same as strings, without marks."""
        how = [(self.decimals.get(heading, self.digits), self.least.get(heading)) for heading in self.headings]
        for columns in self._columns():
            yield [
                [escape(_shown(value, digits, least, minus or self.minus)) for value in column]
                for column, (digits, least) in zip(columns, how, strict=True)
            ]

    def lines(self, escape: Callable[[str], str] = str, minus: str | None = None) -> list[list[str]]:
        """The headings and all rows as strings, without marks."""
        rows = (row for columns in self._cells(escape, minus) for row in zip(*columns, strict=True))
        return [list(map(escape, self.headings)), *map(list, rows)]

    def _marked(
        self, escape: Callable[[str], str], bold: str, blank: Callable[[str], str], minus: str | None = None
    ) -> list[list[str]]:
        """The headings and all rows, escaped; bold as a form has it, marks after numbers, and blanks for no mark."""
        lines = self.lines(escape, minus)
        for row, column in self.bold:
            lines[1 + row][column] = bold.format(lines[1 + row][column])
        for column in {column for _, column in self.marks}:
            longest = max((mark for (_, k), mark in self.marks.items() if k == column), key=len)
            for row, line in enumerate(lines[1:]):
                mark = self.marks.get((row, column), "")
                rest = longest[len(mark) :] if longest.startswith(mark) else "0" * (len(longest) - len(mark))
                sign, gap, after = re.fullmatch(r"(\S*)( *)((?: \S.*)?)", mark).groups()  # type: ignore[union-attr]
                line[column] += escape(sign) + blank(escape("*" * len(gap))) + escape(after)
                line[column] += blank(escape(rest)) if line[column] else ""
        return lines

    def _numeric(self) -> list[bool]:
        """Which columns hold numbers."""
        kinds: list[set[type]] = [set() for _ in self.headings]
        for columns in self._columns():
            for known, column in zip(kinds, columns, strict=True):
                known.update(map(type, column))
        present = [known - {type(None)} for known in kinds]
        return [bool(known) and all(issubclass(kind, int | float) for kind in known) for known in present]

    def to_text(self, screen: Screen = PAGE) -> str:
        """Aligned columns under a ruled heading."""
        return "".join(self._text(screen))

    def _text(self, screen: Screen) -> Iterator[str]:
        chunks: Callable[[], Iterator[list[list[str]]]] = partial(self._cells, visible)
        if self.marks:
            marked = self._marked(visible, "{}", lambda mark: " " * width(mark))[1:]
            chunks = [list(map(list, zip(*marked, strict=True)))].__iter__
        elif len(self.rows) <= _CHUNK:  # few rows are kept, many are made again for each look at them
            chunks = list(chunks()).__iter__
        widths = [0] * len(self.headings)
        for columns in chunks():
            widths = [max(widest, max(map(width, column))) for widest, column in zip(widths, columns, strict=True)]
        headings = list(map(visible, self.headings))
        names = [heading in self.names for heading in self.headings]
        breaks = [k for k, heading in enumerate(self.headings) if heading in self.breaks]
        sizes = ColumnWidths(headings, self.short, widths, names, self.keys, breaks, len(self.rows), self.whole)
        whole = side_by_side(sizes)
        if self.options and whole.width > screen.width:
            place = list(self.headings).index("options")
            shorter, *rows = ([*row[:place], *row[place + 1 :]] for row in (self.headings, *self.rows))
            options = ", ".join(option for option in self.options if "|" in option)
            lines = textwrap.wrap(options, screen.width, break_long_words=False, break_on_hyphens=False)
            yield from replace(self, headings=shorter, rows=rows, below=[*lines, *self.below], options=())._text(screen)
            return
        layouts = [whole] if whole.width <= screen.width else lay_out(sizes, screen)
        if self.above:
            yield "\n".join(map(visible, self.above.split("\n"))) + "\n\n"
        yield from table_lines(layouts, chunks, self._numeric(), self._style, screen)
        shown = {k: own for layout in layouts for k, own in zip(layout.columns, layout.widths, strict=True)}
        cut = [SHORTENED] if any(own < widths[k] for k, own in shown.items()) else []
        below = list(map(visible, (*cut, *self.below)))
        yield "\n\n" * bool(below) + "\n".join(below)

    def _style(self, row: int, column: int) -> str | None:
        return "bold" if (row, column) in self.bold else self.colours.get((row, column))

    def to_csv(self, raw: bool = False) -> str:
        """Comma-separated values in full precision, one heading line.

        Text that a spreadsheet would compute, such as ``=1+1``, has an apostrophe in front, unless ``raw``.
        """
        return "".join(self._csv(raw))

    def _csv(self, raw: bool) -> Iterator[str]:
        between = ""
        chunks = (self.rows[first : first + _CHUNK] for first in range(0, len(self.rows), _CHUNK))
        for rows in chain([[self.headings]], chunks):
            out = _Lines()
            csv.writer(out).writerows(map(_raw if raw else _no_formula, row) for row in rows)
            yield between + out.getvalue()[:-1]  # None is written as nothing, a float as repr() does
            between = "\n"

    def to_markdown(self, raw: bool = False) -> str:
        """A Markdown table; links, images and HTML in it are shown as text, unless ``raw``."""
        align = ["---:" if numeric else ":---" for numeric in self._numeric()]
        heading, *rows = self._marked(lambda text: _markdown(text, raw), "**{}**", lambda mark: "")
        lines = ["| " + " | ".join(line) + " |" for line in (heading, align, *rows)]
        below = "  \n".join(_markdown(line, raw) for line in self.below)
        return "\n".join(lines) + (f"\n\n{below}" if below else "")

    def to_latex(self) -> str:
        """A LaTeX tabular with booktabs rules."""
        align = "".join("r" if numeric else "l" for numeric in self._numeric())
        lines = self._marked(_latex, r"\textbf{{{}}}", lambda mark: rf"\phantom{{{mark}}}" if mark else "", MINUS)
        body = [" & ".join(line) + r" \\" for line in lines]
        # after a rule or the end of a row, [ and * would be read as an option of that
        head, *rows = ("{}" + row if row.startswith(("[", "*")) else row for row in body)
        above = self._latex_groups()
        if above:  # which is not said again below
            leads = [f"{group} " for group, count in self.groups for _ in range(count)]
            shown = (_latex(text.removeprefix(lead)) for text, lead in zip(self.headings, leads, strict=True))
            head = " & ".join(shown) + r" \\"
        table = [rf"\begin{{tabular}}{{{align}}}", r"\toprule", *above, head, r"\midrule", *rows, r"\bottomrule"]
        table.append(r"\end{tabular}")
        below = list(self.below)
        if self.caption:
            start = [r"% \usepackage{booktabs}", r"\begin{table}", r"\centering"]
            table = [*start, *table, rf"\caption{{{_latex(below.pop(0))}}}", r"\end{table}"]
        return "\n".join([*table, *(f"% {visible(line)}" for line in below)])

    def _latex_groups(self) -> list[str]:
        """The line above the headings that says what groups of columns are about, and the rules below it."""
        cells, rules, first = [], [], 1
        for group, count in self.groups:
            cells.append(rf"\multicolumn{{{count}}}{{c}}{{{_latex(group)}}}" if group else "")
            if group:
                rules.append(rf"\cmidrule(lr){{{first}-{first + count - 1}}}")
            first += count
        return [" & ".join(cells) + r" \\", " ".join(rules)] if rules else []

    def to_html(self) -> str:
        """An HTML table, for a notebook."""
        return html_table(self.lines(), self._numeric(), self.above, self.below, self.bold, self.marks)

    def pieces(self, form: str, raw: bool = False, screen: Screen = PAGE) -> Iterator[str]:
        """As ``table`` (text), ``csv``, ``markdown`` or ``latex``; ``raw`` is for CSV and Markdown."""
        one_of("format", form, [known for known in FORMS if known != "json"])
        if form in ("table", "csv"):
            return self._text(screen) if form == "table" else self._csv(raw)
        return iter([self.to_markdown(raw) if form == "markdown" else self.to_latex()])


class NamesInCell(tuple[Any, ...]):
    """Names of clusters in a cell of a table, ``a | b``; of many, people see the first."""

    def __str__(self) -> str:
        return " | ".join(map(str, self))

    def first(self, most: int) -> str:
        """The first of them, and how many more there are."""
        more = len(self) - most
        return str(self) if more <= 1 else f"{NamesInCell(self[:most])} | {more:,} more"


class _Lines(io.StringIO):
    """Where a CSV writer writes; it ends lines with CRLF, as only then it quotes a cell with either of the two."""

    def write(self, line: str) -> int:
        return super().write(line[:-2] + "\n")


def _shown(value: Any, digits: int, least: float | None, minus: str) -> str:
    if value is None or isinstance(value, str):
        return value or ""
    if not isinstance(value, float):
        return value.first(_NAMES) if isinstance(value, NamesInCell) else as_text(value)
    if least is not None and value < least:
        return f"< {least:g}"
    return f"{value:z.{digits}f}".replace("-", minus)


def sorted_set(clusters: frozenset[Any]) -> list[Any]:
    """The clusters of an element in the order of their names: a set has none of its own."""
    listed = list(clusters)
    return [listed[k] for k in Names(listed).order().tolist()]


def as_text(value: Any) -> str:
    """A name as it stands in a table; a set of clusters is ``a | b``."""
    return " | ".join(map(str, sorted_set(value))) if isinstance(value, frozenset) else str(value)


def _raw(value: Any) -> Any:
    """A cell of CSV as it is."""
    return as_text(value) if isinstance(value, frozenset) else value


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
    signs = "".join(_LATEX.get(sign, sign) for sign in visible(text))
    return signs.replace(r"$\phi$$_{4}$", r"$_{\phi_4}$")  # of CEAF


def as_json(value: Any, **options: Any) -> str:
    """JSON in which every character can be printed and encoded; other programs read the same strings from it."""
    text = json.dumps(value, ensure_ascii=False, **options)
    return INVISIBLE.sub(lambda sign: sign[0] if sign[0] == "\n" else json.dumps(sign[0])[1:-1], text)
