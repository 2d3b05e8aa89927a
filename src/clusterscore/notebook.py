"""Tables as a notebook shows them: HTML in the style of the report."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from html import escape

from clusterscore.messages import visible

_LONG = 40  # characters from which on the text of a cell is broken into lines

# Text has the colour of the notebook, and lines and grounds are translucent: they fit every theme, light or dark. The
# class is named three times to outweigh what notebooks say of all tables.
_STYLE = """
@ { color: inherit; line-height: 1.4; font-variant-numeric: tabular-nums;
  font-family: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Liberation Sans", Arial, sans-serif; }
@ div { width: fit-content; max-width: 100%; box-sizing: border-box; overflow-x: auto; margin: .3em 0 .5em;
  border: 1px solid rgb(110 130 150 / .35); border-radius: .4em; scrollbar-color: rgb(110 130 150 / .6) transparent; }
@ table { border-collapse: collapse; margin: 0; border: 0; color: inherit; font-size: .93em; table-layout: auto; }
@ tr { background: none; }
@ thead { border: 0; background: rgb(110 130 150 / .12); }
@ th, @ td { padding: .25em .6em; border: 0; color: inherit; text-align: left; vertical-align: baseline;
  white-space: nowrap; max-width: none; }
@ th { font-weight: 600; }
@ td { border-top: 1px solid rgb(110 130 150 / .25); }
@ .number { text-align: right; }
@ .long { white-space: normal; overflow-wrap: anywhere; min-width: 20em; }
@ p { margin: 0; color: inherit; font-size: .85em; opacity: .8; text-align: left; overflow-wrap: anywhere; }
""".replace("@", ".clusterscore" * 3)


def html_output(*tables: str) -> str:
    """What ``_repr_html_`` returns: tables with their style."""
    return f'<div class="clusterscore"><style>{_STYLE}</style>\n{"".join(tables)}</div>'


def html_table(
    lines: Sequence[Sequence[str]],
    numeric: Sequence[bool],
    above: str = "",
    below: Sequence[str] = (),
    bold: Collection[tuple[int, int]] = (),
    marks: Mapping[tuple[int, int], str] | None = None,
) -> str:
    """A line of headings and lines of cells; columns of numbers are aligned to the right, wide tables scroll.

    Cells at places in ``bold`` stand out, ``marks`` come after what is there; the headings are row -1.
    """
    after = marks or {}
    head, *rows = (
        [
            _cell(text, number, (row, k) in bold, after.get((row, k), ""))
            for k, (text, number) in enumerate(zip(line, numeric, strict=True))
        ]
        for row, line in enumerate(lines, -1)
    )
    heading = "".join(f"<th{cell}</th>" for cell in head)
    body = "".join(f"<tr>{''.join(f'<td{cell}</td>' for cell in row)}</tr>\n" for row in rows)
    table = f"<div><table>\n<thead><tr>{heading}</tr></thead>\n<tbody>\n{body}</tbody>\n</table></div>\n"
    return _notes([above] if above else []) + table + _notes(below)


def html_score(numbers: Mapping[str, float | None], signature: str) -> str:
    """One score: its numbers in a row after the name of the metric, and its signature."""
    shown = {name: f"{number:.4f}" for name, number in numbers.items() if number is not None}
    lines = [["metric", *shown], [signature.partition("|")[0], *shown.values()]]
    return html_output(html_table(lines, [False] + [True] * len(shown), below=[signature] if signature else []))


def _cell(text: str, number: bool, bold: bool, mark: str) -> str:
    """What stands in a cell, with the end of the tag that opens it."""
    kind = ' class="number"' if number else ' class="long"' if len(text) > _LONG else ""
    shown = escape(visible(text))
    return f"{kind}>{f'<strong>{shown}</strong>' if bold else shown}{escape(visible(mark))}"


def _notes(lines: Sequence[str]) -> str:
    return "".join(f"<p>{escape(visible(line))}</p>\n" for line in lines)
