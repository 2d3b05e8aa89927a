"""Tables as text for people: columns that fit the screen, with bold and colours where a terminal shows them."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from clusterscore.screen import Screen

_GAPS = "   ", "  "  # between two columns: as it should be, and where there is no room
_WAYS = (_GAPS[0], False), (_GAPS[1], False), (_GAPS[1], True)  # with headings in one line, or in two
_CAPS = 40, 24, 16, 12  # to so many characters names are shortened on a terminal, if that makes a table fit
_FOLDED = 50  # rows of a table that is folded; of more, each stays on its line, for programs that search lines
SHORTENED = "\N{HORIZONTAL ELLIPSIS} stands for the middle of a long name; --format csv has all of it"


class ColumnWidths(NamedTuple):
    """How wide the columns of a table are, and what may be done to make them fit."""

    headings: Sequence[str]
    short: Mapping[str, str]  # headings that may be shorter, by the longer ones
    widths: Sequence[int]  # of the widest cell
    names: Sequence[bool]  # columns that hold names, which may be shortened
    keys: int  # columns at the left that say what a row is
    breaks: Sequence[int]  # columns with which the table goes on below, if it has to
    rows: int
    whole: bool = False  # one table, however wide it is


class Layout(NamedTuple):
    """Columns side by side."""

    columns: list[int]
    gap: str
    headings: list[list[str]]  # the lines of each column's heading
    widths: list[int]
    width: int  # of a line

    def lines(self, cells: Sequence[Sequence[str]], numeric: Sequence[bool]) -> Iterator[tuple[str, ...]]:
        """The rows that these columns make, each as its cells, which are as wide as their column."""
        columns = []
        for k, given, widest in zip(self.columns, cells, self.widths, strict=True):
            shown = []
            for cell in given:
                own = width(cell)
                if own > widest:
                    cell = _shortened(cell, widest)
                    own = width(cell)
                blank = " " * (widest - own)
                shown.append(blank + cell if numeric[k] else cell + blank)
            columns.append(shown)
        return zip(*columns, strict=True)


def lay_out(sizes: ColumnWidths, screen: Screen) -> list[Layout]:
    """The tables that change least of those that fit, one below the other.

    What is too wide gets narrower gaps, headings of two lines, its columns in several tables, and shorter names.
    """
    caps: tuple[int | None, ...] = (None, *(_CAPS if screen.terminal else ()))
    for cap in caps:
        for breaks in ((), sizes.breaks) if sizes.rows <= _FOLDED and not sizes.whole else ((),):
            layouts = []
            for block in _blocks(sizes, breaks):
                ways = (side_by_side(sizes, block, *way, cap) for way in _WAYS)
                layouts.append(next((layout for layout in ways if layout.width <= screen.width), None))
            fitting = [layout for layout in layouts if layout is not None]
            if len(fitting) == len(layouts):
                return fitting
    if sizes.whole:
        return [side_by_side(sizes, None, *_WAYS[-1], caps[-1])]
    if sizes.rows > _FOLDED:
        return [side_by_side(sizes)]
    cap = _CAPS[1] if screen.terminal else None

    def fits(block: list[int]) -> bool:
        return side_by_side(sizes, block, cap=cap).width <= screen.width

    return [side_by_side(sizes, block, cap=cap) for block in _blocks(sizes, sizes.breaks, fits)]


def _blocks(
    sizes: ColumnWidths, breaks: Sequence[int], fits: Callable[[list[int]], bool] | None = None
) -> list[list[int]]:
    """The columns with a new block at each of the breaks, and wherever one more does not fit; each has the keys."""
    columns, keys = list(range(len(sizes.widths))), sizes.keys
    blocks = [columns[:keys]]
    for k in columns[keys:]:
        if len(blocks[-1]) > keys and (k in breaks or (fits and not fits([*blocks[-1], k]))):
            blocks.append(columns[:keys])
        blocks[-1].append(k)
    return blocks


def side_by_side(
    sizes: ColumnWidths,
    columns: list[int] | None = None,
    gap: str = _GAPS[0],
    broken: bool = False,
    cap: int | None = None,
) -> Layout:
    """Some columns, or all of them: ``broken`` headings may take two lines, and names at most ``cap`` characters."""
    columns = list(range(len(sizes.widths))) if columns is None else columns
    texts = [sizes.headings[k] for k in columns]
    headings = [_broken(sizes.short.get(text, text)) if broken else [text] for text in texts]
    height = max(map(len, headings))
    headings = [[""] * (height - len(lines)) + lines for lines in headings]
    cells = [min(sizes.widths[k], cap) if cap and sizes.names[k] else sizes.widths[k] for k in columns]
    widths = [max(own, *map(width, lines)) for own, lines in zip(cells, headings, strict=True)]
    return Layout(columns, gap, headings, widths, sum(widths) + len(gap) * (len(columns) - 1))


def _broken(heading: str) -> list[str]:
    """A heading in one line or two, as narrow as it can be."""
    places = [k + 1 for k, sign in enumerate(heading[:-1]) if sign in " _/"]
    ways = [[heading[:k].rstrip(), heading[k:]] for k in places]
    return min(ways, key=lambda lines: max(map(width, lines)), default=[heading])


def _shortened(text: str, most: int) -> str:
    """The beginning and the end of a name."""
    head, tail = (most - 1) - (most - 1) // 2, (most - 1) // 2
    while width(text[:head]) + width(text[len(text) - tail :]) > most - 1:  # signs that are two columns wide
        head, tail = (head - 1, tail) if head > tail else (head, tail - 1)
    return f"{text[:head]}\N{HORIZONTAL ELLIPSIS}{text[len(text) - tail :]}"


def table_lines(
    layouts: Sequence[Layout],
    chunks: Callable[[], Iterable[Sequence[Sequence[str]]]],
    numeric: Sequence[bool],
    style: Callable[[int, int], str | None],
    screen: Screen,
) -> Iterator[str]:
    """The lines of all tables in pieces: headings, a rule, and the rows of all chunks of columns."""
    for number, layout in enumerate(layouts):
        heading = list(layout.lines(layout.headings, numeric))
        if screen.styled:
            heading = [tuple(_styled(cell, "bold", screen) for cell in cells) for cells in heading]
        yield "\n\n" * (number > 0) + "\n".join(layout.gap.join(cells).rstrip() for cells in heading)
        yield "\n" + "-" * layout.width
        first = 0
        for columns in chunks():
            rows = list(layout.lines([columns[k] for k in layout.columns], numeric))
            if screen.styled:
                rows = [
                    tuple(_styled(cell, style(row, k), screen) for k, cell in zip(layout.columns, cells, strict=True))
                    for row, cells in enumerate(rows, first)
                ]
            yield "\n" + "\n".join(layout.gap.join(cells).rstrip() for cells in rows)
            first += len(rows)


def _styled(cell: str, style: str | None, screen: Screen) -> str:
    """A cell whose text, not the blanks around it, has a style."""
    text = cell.strip()
    return cell.replace(text, screen.style(text, style), 1) if style and text else cell


def width(text: str) -> int:
    """The columns that a text takes on a terminal, wherever it is printed."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.category(sign) in ("Mn", "Me") else 1 + (unicodedata.east_asian_width(sign) in "WF")
        for sign in text
    )
