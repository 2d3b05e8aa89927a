"""What all printed results share: a table that is text, Markdown, LaTeX, CSV, JSON or a frame."""

from __future__ import annotations

import importlib
import sys
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from typing import Any, TypeVar

import numpy as np

from clusterscore.exceptions import ClusterscoreError, MetricError, nearest, one_of
from clusterscore.metrics.metric import Metric
from clusterscore.metrics.registry import metric as parse
from clusterscore.show.escapes import as_json
from clusterscore.show.grid import FORMS, Grid

T = TypeVar("T")

_FRAMES = ("pandas", "polars", "pyarrow")
_TYPED = {str, bytes, bool, int, float, tuple}  # what every library has a type for
_LONG = 10  # letters from which on a name gives way to its alias


class Printed(ABC):
    """A result with a table for people (:meth:`grid`) and one in full precision (:meth:`listed`)."""

    @abstractmethod
    def grid(self, digits: int = 4) -> Grid:
        """A printable table."""

    @abstractmethod
    def listed(self) -> dict[str, list[Any]]:
        """Columns with everything in full precision."""

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values."""

    def summary(self) -> str:
        """What was compared, above the table as text."""
        return ""

    def grids(self, digits: int = 4) -> list[Grid]:
        """All that is printed for people."""
        grid = self.grid(digits)
        grid.above = grid.above or self.summary()
        return [grid]

    def render(self, form: str, digits: int = 4, raw: bool = False) -> str:
        """As ``table`` (text), ``json``, ``csv``, ``markdown`` or ``latex``: what all commands print."""
        one_of("format", form, FORMS)
        if form in ("json", "csv"):
            return self.to_json() if form == "json" else self.to_csv(raw=raw)
        return "\n\n".join(grid.render(form, raw) for grid in self.grids(digits))

    def to_text(self, digits: int = 4) -> str:
        """What was compared, the table, and the signature, for a terminal."""
        return self.render("table", digits)

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        return str(self)

    def to_markdown(self, digits: int = 4, *, raw: bool = False) -> str:
        """A Markdown table with the signature below; ``raw`` does not escape links, images and HTML in names."""
        return self.render("markdown", digits, raw)

    def to_latex(self, digits: int = 4) -> str:
        """A LaTeX tabular (booktabs) with the signature as a comment."""
        return self.render("latex", digits)

    def to_csv(self, *, raw: bool = False) -> str:
        """The columns of :meth:`listed`, comma-separated, in full precision.

        A name that a spreadsheet would compute, such as ``=1+1``, has an apostrophe in front, unless ``raw``.
        """
        columns = self.listed()
        return Grid(list(columns), list(zip(*columns.values(), strict=True))).to_csv(raw)

    def to_frame(self, library: str | None = None) -> Any:
        """The columns of :meth:`listed` as a frame of pandas, polars or pyarrow (whichever is in use or installed)."""
        return as_frame(self.listed(), library)

    def to_json(self) -> str:
        """:meth:`to_dict` as JSON, in full precision."""
        return as_json(self.to_dict(), indent=2, allow_nan=False)


class ByMetric(Mapping[str, T]):
    """Values by metric, in the order asked for; a metric is found by any of its names."""

    def __init__(self, values: Mapping[str, T], what: str = "scored"):
        self._values, self._what = values, what

    def __getitem__(self, name: str | Metric) -> T:
        return self._values[named(name, self._values, self._what)]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)


def named(name: object, known: Mapping[str, Any], what: str = "scored") -> str:
    """The key of a metric among those known, by any name it goes by; ``bcubed`` is bcubed(beta=2) if that is the only.

    What is not there is a KeyError that says so.
    """
    if isinstance(name, str) and name in known:
        return name
    if not isinstance(name, str | Metric):
        raise KeyError(name)
    try:
        asked = str(parse(name))
    except MetricError as error:
        raise KeyError(str(error)) from None
    if asked in known:
        return asked
    alike = [key for key in known if key.partition("(")[0] == asked]
    if len(alike) == 1:
        return alike[0]
    raise KeyError(f"{asked} was not {what}: {nearest(asked, known)}")


def heading(metric: Metric) -> str:
    """The name of a metric for the head of a column, by a short alias where it has one; it can be parsed as well."""
    short = next((alias for alias in metric.aliases if len(alias) < len(metric.name)), metric.name)
    return str(metric).replace(metric.name, short, 1) if len(metric.name) >= _LONG else str(metric)


def as_frame(columns: Mapping[str, Any], library: str | None = None) -> Any:
    """Columns as a frame of whatever library the user has."""
    if library is not None and library not in _FRAMES:
        raise ClusterscoreError(f"unknown frame library {library!r}; use one of {', '.join(_FRAMES)}")
    wanted = [library] if library else [*(name for name in _FRAMES if name in sys.modules), *_FRAMES]
    for name in wanted:
        try:
            importlib.import_module(name)
        except ImportError:
            continue
        import narwhals as nw

        plain = {key: _values(column, anything=name == "pandas") for key, column in columns.items()}
        backend = nw.Implementation.from_string(name)
        return nw.from_dict(plain, backend=backend).to_native()  # type: ignore[arg-type]
    raise ClusterscoreError(
        f"no frame library is installed ({', '.join(wanted)} looked for); install one of them, or use to_dict()"
    )


def _values(column: Any, anything: bool) -> Any:
    """A column as a frame library takes it; what has no type there, such as clusters 'a' and 1, goes as text."""
    if not isinstance(column, np.ndarray) or column.dtype != object:
        return column
    values = column.tolist()
    if anything or _typed([value for value in values if value is not None]):
        return values
    return [None if value is None else str(value) for value in values]


def _typed(values: list[Any]) -> bool:
    kinds = set(map(type, values))
    return not kinds or (
        len(kinds) == 1 and kinds <= _TYPED and not (kinds == {int} and max(map(abs, values)) >= 2**63)
    )
