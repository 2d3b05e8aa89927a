"""Matrix: metrics in rows, constraints in columns, and a mark in each cell."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from clusterscore.constraints.named import Constraint
from clusterscore.constraints.verdict import HOLDS, NONE, TIES, VIOLATED, Verdict, Verdicts, columns
from clusterscore.errors import nearest
from clusterscore.show import Grid
from clusterscore.show.columns import as_frame
from clusterscore.show.escapes import as_json
from clusterscore.version import __version__

MARKS = {HOLDS: "yes", TIES: "tie", VIOLATED: "no", NONE: "-"}
LEGEND = "yes: holds in every case. tie: never the wrong way round, but somewhere equal. no: violated."


class Matrix(Mapping[str, Verdicts]):
    """Verdicts by metric and constraint: ``matrix["elm"]["rag_bag"]``; prints as a table of marks.

    The marks are plain words, so that they print on every terminal: yes, tie, no, and - where nothing is asked.
    """

    def __init__(self, constraints: Sequence[Constraint], rows: Sequence[Verdicts]):
        self.constraints = tuple(constraints)
        self._rows = {row.metric: row for row in rows}

    def __getitem__(self, metric: str) -> Verdicts:
        if metric not in self._rows:
            raise KeyError(f"{metric} was not checked: {nearest(str(metric), self._rows)}")
        return self._rows[metric]

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    @property
    def verdicts(self) -> list[Verdict]:
        """All verdicts, row by row."""
        return [verdict for row in self.values() for verdict in row.values()]

    @property
    def reasons(self) -> list[str]:
        """The smallest case of every violation and tie, in plain words."""
        return [
            f"{verdict.metric} {_WORDS[verdict.outcome]} {verdict.constraint}: {verdict.counterexample}"
            for verdict in self.verdicts
            if verdict.counterexample is not None
        ]

    def grid(self, reasons: bool = False) -> Grid:
        """The marks as a printable table, and with ``reasons`` below it why a metric does not hold."""
        rows = [[name, *(MARKS[verdict.outcome] for verdict in row.values())] for name, row in self.items()]
        names = [constraint.name for constraint in self.constraints]
        empty = any(verdict.outcome == NONE for verdict in self.verdicts)
        legend = LEGEND + (f" -: {NONE}." if empty else "")
        why = ["", *self.reasons] if reasons and self.reasons else []
        return Grid(["metric", *names], rows, below=[legend, *why])

    def to_text(self, reasons: bool = False) -> str:
        """The marks as aligned columns."""
        return self.grid(reasons).to_text()

    def __str__(self) -> str:
        return self.to_text()

    __repr__ = __str__

    def to_markdown(self, reasons: bool = False, *, raw: bool = False) -> str:
        """A Markdown table of the marks; ``raw`` does not escape links, images and HTML in names."""
        return self.grid(reasons).to_markdown(raw)

    def to_latex(self, reasons: bool = False) -> str:
        """A LaTeX tabular (booktabs) of the marks."""
        return self.grid(reasons).to_latex()

    def to_csv(self, *, raw: bool = False) -> str:
        """A line per metric and constraint: outcome, how many cases, and the smallest one.

        A name that a spreadsheet would compute, such as ``=1+1``, has an apostrophe in front, unless ``raw``.
        """
        found = columns(self.verdicts)
        return Grid(list(found), list(zip(*found.values(), strict=True))).to_csv(raw)

    def to_dict(self) -> dict[str, Any]:
        """The verdicts as plain values, and what each constraint says."""
        return {
            "metrics": {name: row.to_dict() for name, row in self.items()},
            "constraints": {each.name: each.statement for each in self.constraints},
            "version": __version__,
        }

    def to_json(self) -> str:
        """:meth:`to_dict` as JSON; a score that is not a number is null."""
        return as_json(_finite(self.to_dict()), indent=2, allow_nan=False)

    def to_frame(self, library: str | None = None) -> Any:
        """A row per metric and constraint, as a frame of pandas, polars or pyarrow."""
        return as_frame(columns(self.verdicts), library)


_WORDS = {TIES: "ties on", VIOLATED: "violates"}


def _finite(value: Any) -> Any:
    """Plain values in which what JSON cannot write is None."""
    if isinstance(value, dict):
        return {key: _finite(inner) for key, inner in value.items()}
    if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
        return None
    return value
