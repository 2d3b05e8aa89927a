"""What all results share: from their description, text, Markdown, LaTeX, CSV, JSON, HTML or a frame."""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial, wraps
from typing import Any, Concatenate, ParamSpec, Self, TypeVar

import numpy as np

from clusterscore.exceptions import ClusterscoreError, MetricError, UnknownName, heard, one_of
from clusterscore.fields import current, using
from clusterscore.messages import Option
from clusterscore.metrics.metric import Metric
from clusterscore.metrics.registry import metric as parse
from clusterscore.notebook import html_output
from clusterscore.nouns import NO_CALL, Field, Use, in_use
from clusterscore.screen import PAGE, Screen
from clusterscore.show.description import Column, Description, scaled
from clusterscore.show.grid import FORMS, Grid, as_json, as_text
from clusterscore.version import __version__

T = TypeVar("T")
R = TypeVar("R", bound="Result")
P = ParamSpec("P")

_FRAMES = ("pandas", "polars", "pyarrow")
_TYPED = {str, bytes, bool, int, float, tuple}  # what every library has a type for
_LONG = 10  # letters from which on a name gives way to its alias


class Result(ABC):
    """What an analysis found: described once, shown as text, JSON, CSV, Markdown, LaTeX, HTML, records or a frame."""

    in_unit = False  # whether people see scores in the unit of the field
    decimals = 4  # of numbers in tables for people, where nobody says how many
    doubts: Sequence[str] = ()  # about the input
    use: Use = NO_CALL  # the field in which it was made, and its words

    def __new__(cls, *_: Any, **__: Any) -> Self:
        made = super().__new__(cls)
        made.use = in_use.get()
        return made

    @property
    def field(self) -> Field | None:
        """The field that somebody named, or that follows from the format of the files."""
        return self.use.field

    @abstractmethod
    def description(self) -> Description:
        """The rows and their columns."""

    def descriptions(self) -> list[Description]:
        """All tables that people see."""
        return [self.description()]

    def grids(self, digits: int = 4) -> list[Grid]:
        """All printable tables."""
        return [table.grid(digits) for table in self.descriptions()]

    def grid(self, digits: int = 4) -> Grid:
        """The first of them."""
        return self.grids(digits)[0]

    def records(self) -> list[dict[str, Any]]:
        """Rows with everything in full precision, all with the same names."""
        return self.description().records()

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values."""
        return {"rows": self.records(), **self._json_facts(), "version": __version__}

    def _json_facts(self) -> dict[str, Any]:
        """What stands beside the rows in JSON."""
        return {}

    def listed(self) -> dict[str, Any]:
        """The :meth:`records` as columns."""
        return by_column(self.records())

    @property
    def usual_digits(self) -> int:
        """The decimals of its numbers, where nobody asks for others."""
        return self.field.digits if self.field is not None and self.in_unit else self.decimals

    def pieces(self, form: str, digits: int | None = None, raw: bool = False, screen: Screen = PAGE) -> Iterator[str]:
        """As ``table`` (text), ``json``, ``csv``, ``markdown`` or ``latex``: what commands print, piece by piece."""
        one_of("format", form, FORMS)
        if form == "json":
            yield self.to_json()
            return
        shown = self.usual_digits if digits is None else digits
        with using(self.use):
            grids = [self.csv_grid()] if form == "csv" else self.grids(shown)
        for k, grid in enumerate(grids):
            yield "\n\n" * (k > 0)
            yield from grid.pieces(form, raw, screen)
        if self.field is not None and self.use.follows and form in ("table", "markdown"):
            yield f"\n\nfield: {self.field.name}, as the files are {self.use.follows}"

    def render(self, form: str, digits: int | None = None, raw: bool = False) -> str:
        """All :meth:`pieces` together."""
        return "".join(self.pieces(form, digits, raw))

    def to_text(self, digits: int | None = None) -> str:
        """What was compared, the table, and the signature, for a terminal."""
        return self.render("table", digits)

    def __str__(self) -> str:
        return "".join(self.pieces("table"))

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        with using(self.use):
            return html_output(*(grid.to_html() for grid in self.grids(self.decimals)))

    def to_markdown(self, digits: int | None = None, *, raw: bool = False) -> str:
        """A Markdown table with the signature below; ``raw`` does not escape links, images and HTML in names."""
        return self.render("markdown", digits, raw)

    def to_latex(self, digits: int | None = None) -> str:
        """A LaTeX tabular (booktabs) with the signature as a comment."""
        return self.render("latex", digits)

    def to_csv(self, *, raw: bool = False) -> str:
        """All rows, comma-separated, in full precision.

        A name that a spreadsheet would compute, such as ``=1+1``, has an apostrophe in front, unless ``raw``.
        """
        return self.render("csv", raw=raw)

    def csv_grid(self) -> Grid:
        """The columns of :meth:`listed`."""
        columns = {
            name: column.tolist() if isinstance(column, np.ndarray) else column
            for name, column in self.listed().items()
        }
        return Grid(list(columns), list(zip(*columns.values(), strict=True)))

    def to_frame(self, library: str | None = None) -> Any:
        """All rows in full precision, as a frame of pandas, polars or pyarrow (whichever is in use or installed)."""
        return as_frame(self.listed(), library)

    def to_json(self) -> str:
        """:meth:`to_dict` as JSON, in full precision, with all that users were warned of."""
        return as_json(self.with_warnings(self.to_dict()), indent=2, allow_nan=False)

    def with_warnings(self, given: dict[str, Any]) -> dict[str, Any]:
        """Plain values with a list of warnings, where there are any."""
        warnings = list(dict.fromkeys([*given.pop("warnings", ()), *self.doubts, *heard()]))
        named = {} if self.field is None else {"field": self.field.name}
        return {**given, **named, "warnings": warnings} if warnings else {**given, **named}


def in_its_words(method: Callable[Concatenate[R, P], T]) -> Callable[Concatenate[R, P], T]:
    """Decorator: what a method of a result says is said in the words of the result."""

    @wraps(method)
    def spoken_method(result: R, /, *args: P.args, **options: P.kwargs) -> T:
        with using(result.use):
            return method(result, *args, **options)

    return spoken_method


class ByMetric(Mapping[str, T]):
    """Values by metric, in the order asked for; a metric is found by any of its names."""

    def __init__(self, values: Mapping[str, T], what: str = "scored"):
        self._values, self._what = values, what

    def __getitem__(self, name: str | Metric) -> T:
        return self._values[find_metric(name, self._values, self._what)]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)


def find_metric(name: object, known: Collection[str], what: str = "scored") -> str:
    """The key of a metric among those known, by any name it goes by; ``bcubed`` is bcubed(beta=2) if that is the only.

    What is not there is an UnknownName that says so.
    """
    if isinstance(name, str) and name in known:
        return name
    if not isinstance(name, str | Metric):
        raise UnknownName(f"a metric is named by a string such as 'elm(beta=2)', not by {name!r}")
    try:
        full = str(parse(name))
    except MetricError as error:
        raise UnknownName(error, f" ({what}: {', '.join(known)})") from None
    if full in known:
        return full
    # plain numbers may go by an alias
    alike = [key for key in known if key.partition("(")[0] == full or heading(key) == heading(full)]
    if len(alike) == 1:
        return alike[0]
    raise UnknownName(
        f"{full} was not {what}, because it was not requested: add it to ",
        Option("metrics"),
        f" (now: {', '.join(known)})",
    )


def heading(metric: str | Metric) -> str:
    """The name of a metric for the head of a column, by a short alias where it has one; it can be parsed as well.

    In a field it is the name that papers use. A measure of the user's own keeps its name.
    """
    if (field := current()) is not None and str(metric) in field.measures:
        return field.measures[str(metric)]
    try:
        known = parse(metric)
    except MetricError:
        return str(metric)
    short = next((alias for alias in known.aliases if len(alias) < len(known.name)), known.name)
    return str(known).replace(known.name, short, 1) if len(known.name) >= _LONG else str(known)


def named_columns(names: Iterable[str], scale: int = 1, heading: Callable[[str], str] = heading) -> list[Column]:
    """A column for each name, mostly of a metric, in rows that have it in their ``scores``; a missing one is empty."""

    def value(name: str, row: Any) -> float | None:
        return float(row.scores[name]) if name in row.scores else None

    return [Column(name, partial(value, name), heading(name), scaled(scale)) for name in names]


def options_of(metric: Metric) -> str | None:
    """What a table says of a metric after its name: its options, if it has any."""
    return metric.short_signature.partition("|")[2] or None


def by_column(rows: Sequence[Mapping[str, T]]) -> dict[str, list[T]]:
    """Rows with the same keys, turned into columns."""
    return {name: [row[name] for row in rows] for name in rows[0]}


def as_frame(columns: Mapping[str, Any], library: str | None = None) -> Any:
    """Columns as a frame of whatever library the user has."""
    if library is not None and library not in _FRAMES:
        raise ClusterscoreError(f"unknown frame library {library!r}; use one of {', '.join(_FRAMES)}")
    import narwhals as nw

    tried = [library] if library else sorted(_FRAMES, key=lambda name: name not in sys.modules)
    for name in tried:
        plain = {key: _values(column, anything=name == "pandas") for key, column in columns.items()}
        with suppress(ImportError):
            return nw.from_dict(plain, backend=name).to_native()  # type: ignore[arg-type]
    missing = "no frame library is" if library is None else f"{library} is not"
    raise ClusterscoreError(
        f"{missing} installed; pip install {library or 'pandas, polars or pyarrow'}, or use to_dict()"
    )


def _values(column: Any, anything: bool) -> Any:
    """A column as a frame library takes it; what has no type there, such as clusters 'a' and 1, goes as text."""
    if not isinstance(column, np.ndarray) or column.dtype != object:
        return column
    values = column.tolist()
    present = [value for value in values if value is not None]
    kinds = set(map(type, present))
    typed = not kinds or (len(kinds) == 1 and kinds <= _TYPED)
    if anything or (typed and not (kinds == {int} and max(map(abs, present)) >= 2**63)):
        return values
    return [None if value is None else as_text(value) for value in values]
