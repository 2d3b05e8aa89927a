"""Tables with a column per metric: short headings, and lines that fit a terminal."""

from __future__ import annotations

from dataclasses import replace

from clusterscore.metrics.metric import Metric
from clusterscore.show.grid import GAP, Grid

WIDTH = 120  # characters in a line
_LONG = 10  # letters from which on a name gives way to its alias


def heading(metric: Metric) -> str:
    """The name of a metric for the head of a column, by a short alias where it has one; it can be parsed as well."""
    short = next((alias for alias in metric.aliases if len(alias) < len(metric.name)), metric.name)
    return str(metric).replace(metric.name, short, 1) if len(metric.name) >= _LONG else str(metric)


def folded(grid: Grid, width: int = WIDTH) -> str:
    """The table as text; columns beyond the width go below the others, beside the first column again."""
    widths = grid.widths()
    blocks: list[list[int]] = [[]]
    used = widths[0]
    for column in range(1, len(widths)):
        if blocks[-1] and used + len(GAP) + widths[column] > width:
            blocks.append([])
            used = widths[0]
        blocks[-1].append(column)
        used += len(GAP) + widths[column]
    parts = []
    for k, block in enumerate(blocks):
        chosen = [0, *block]
        rows = [[row[column] for column in chosen] for row in grid.rows]
        below = grid.below if k == len(blocks) - 1 else ()
        headings = [grid.headings[column] for column in chosen]
        parts.append(replace(grid, headings=headings, rows=rows, above="" if k else grid.above, below=below).to_text())
    return "\n\n".join(parts)
