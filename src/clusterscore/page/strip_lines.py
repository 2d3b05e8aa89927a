"""Lines of a page that show where ordered elements were cut: gold segments above predicted ones, for each document."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from clusterscore.distinct import Ints
from clusterscore.exceptions import ClusterscoreError
from clusterscore.metrics.boundaries import Boundaries
from clusterscore.nouns import plural
from clusterscore.page.display_names import spell
from clusterscore.page.findings import Prediction
from clusterscore.plot.strips import Strip, column_width, in_columns, strips
from clusterscore.read.labels import plain

_LINES = 40
_COLUMNS = 40_000  # of all lines of a system, in which boundaries are drawn once
_MOST_COLUMNS = 4000  # of a line
_NAMED = 30  # boundaries of a kind that are given in words
_TICKS = 100  # numbers below a line
_ROUND = [int(digit + "0" * zeros) for zeros in range(12) for digit in "125"]
# where a line is drawn, from 0 to 20: both bands, and the marks, which begin or end beyond them
_BOTH, _ABOVE, _BELOW = "2v16", "0v9.5", "10.5v9.5"


def strip_lines(prediction: Prediction, documents: Sequence[Any]) -> dict[str, Any] | None:
    """What a page draws of a segmentation; None where the elements have no order or the clusters are no segments.

    ``documents`` are those of the page, whose places are their addresses.
    """
    table, measure = prediction.table, Boundaries()
    if table.mentions is not None or min(table.number("gold"), table.number("pred")) == table.elements:
        return None
    shown = None
    with suppress(ClusterscoreError):  # which says what is no segmentation, to those who ask for one
        measure.check(table)
        shown = strips(table, measure, _LINES)
    if shown is None or table.members is None:
        return None
    columns = min(_COLUMNS // len(shown.worst), _MOST_COLUMNS)
    longest = max(line.length for line in shown.worst)
    ids = table.members.pair.ids
    number = {name: place for place, name in enumerate(documents)} if prediction.by_document else {}
    lines = [
        {
            **_drawn(line, columns),
            "name": line.name,
            "summary": line.summary,
            "size": plural(line.length, "element"),
            "width": f"{100 * line.length / longest:.2f}",
            "wrong": {
                "Missed": _places_in_words(line, line.missed, ids),
                "Extra": _places_in_words(line, line.extra, ids),
            },
            "find": f"doc/{number[line.name]}" if number else None,
        }
        for line in shown.worst
    ]
    note = ""
    if len(shown.worst) < shown.documents:
        documents_in_all = plural(shown.documents, "document")
        note = f"The {len(shown.worst)} worst of {documents_in_all} are drawn; all are counted above."
    return {"lines": lines, "missed": shown.missed, "extra": shown.extra, "note": note}


def _drawn(line: Strip, columns: int) -> dict[str, Any]:
    """A line as it is drawn, one unit wide for each element."""
    width = column_width(line.length, columns)
    kinds = (("right", line.right, _BOTH), ("missed", line.missed, _ABOVE), ("extra", line.extra, _BELOW))
    paths = {
        name: "".join(f"M{place} {height}" for place in in_columns(places, width).tolist())
        for name, places, height in kinds
    }
    # a round number of elements from one written number to the next
    step = 1 if line.length <= 10 else next(step for step in _ROUND if step >= max(line.length / _TICKS, 5))
    numbers = [1, *range(step, line.length + 1, step)] if step > 1 else range(1, line.length + 1)
    shared = f"Each column stands for {plural(width, 'element')}." if width > 1 else ""
    return {
        "length": line.length,
        "paths": {name: path for name, path in paths.items() if path},
        "ticks": [(f"{100 * (number - 0.5) / line.length:.3f}", f"{number:,}") for number in numbers],
        "columns": -(-line.length // width),
        "shared": shared,
    }


def _places_in_words(line: Strip, places: Ints, ids: Sequence[Any] | None) -> str:
    """Before which elements the wrong boundaries are: their numbers in the document, and their names."""
    numbers = [place + 1 for place in places[:_NAMED].tolist()]
    words = [f"{number:,}" for number in numbers]
    if ids is not None:
        names = [spell(plain(ids[place])) for place in line.order[places[:_NAMED]].tolist()]
        words = [
            word if name in (word, str(number)) else f"{word} ({name})"
            for word, number, name in zip(words, numbers, names, strict=True)
        ]
    more = len(places) - len(words)
    return ", ".join(words) + (f" and {more:,} more" if more else "")
