"""What a result says of its rows, once: columns with a name, a heading, a getter and a form; every output follows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from clusterscore.fields import Field, current
from clusterscore.nouns import noun
from clusterscore.show.grid import Grid

Schema = Mapping[str, Any]  # of JSON
NUMBER: Schema = {"type": ["number", "null"]}
COUNT: Schema = {"type": ["integer", "null"]}
TEXT: Schema = {"type": ["string", "null"]}
FLAG: Schema = {"type": ["boolean", "null"]}
ANY: Schema = {}  # a name that users gave
_P_VALUES = ("p", "p (Holm)")  # headings below which three decimals or more are shown, and no number as 0
_LEAST_P = 0.001


def scale_of(field: Field | None) -> int:
    """By what scores are multiplied where people see them."""
    return 1 if field is None else field.scale


class Form:
    """How values are written that are not shown as they are: in cells for people, in fields for programs."""

    def headings(self, heading: str) -> list[str]:
        """The headings above its cells."""
        return [heading]

    def cells(self, value: Any, digits: int) -> list[Any]:
        """What people see of a value, a cell below each heading."""
        return [value]

    def fields(self, name: str, value: Any) -> dict[str, Any]:
        """The value in full precision, by the names of its fields."""
        return {name: value}

    def names(self, name: str) -> list[str]:
        """The names of its fields."""
        return [name]


@dataclass(frozen=True)
class Scores(Form):
    """A score: people see P, R and the value, programs the attributes that are named."""

    attributes: Sequence[str] = ("value", "precision", "recall", "f")
    spread: bool = False  # whether people see the standard deviation too
    scale: int = 1  # of what people see: 100 for percent

    def headings(self, heading: str) -> list[str]:
        """P and R come before the score."""
        unit = " %" if self.scale == 100 else ""
        return ["P", "R", f"{heading}{unit}", *(["std"] if self.spread else [])]

    def cells(self, value: Any, digits: int) -> list[Any]:
        """What there is not is empty."""
        shown = [value.precision, value.recall, value.value, *([value.std] if self.spread else [])]
        return [None if number is None else self.scale * number for number in shown] if self.scale != 1 else shown

    def fields(self, name: str, value: Any) -> dict[str, Any]:
        """Each attribute by its own name."""
        return {attribute: getattr(value, attribute) for attribute in self.attributes}

    def names(self, name: str) -> list[str]:
        """The attributes."""
        return list(self.attributes)


@dataclass(frozen=True)
class Measured(Form):
    """The name of a metric: people see what their field calls it."""

    def cells(self, value: Any, digits: int) -> list[Any]:
        """As in papers, or as it is."""
        field = current()
        return [value if field is None else field.measures.get(value, value)]


@dataclass(frozen=True)
class Scaled(Form):
    """A number of which people see a multiple, such as percent."""

    scale: int

    def cells(self, value: Any, digits: int) -> list[Any]:
        """So many times the value."""
        return [value if self.scale == 1 or value is None else self.scale * value]


@dataclass(frozen=True)
class Signed(Form):
    """A difference: people see its sign."""

    def cells(self, value: Any, digits: int) -> list[Any]:
        """``+0.1234``."""
        return [None if value is None else f"{value:+z.{digits}f}"]


@dataclass(frozen=True)
class Ends(Form):
    """An interval: people see ``[low, high]``, programs have a field for each end, and JSON may have a list."""

    sign: str = ""
    scale: int = 1

    def cells(self, value: Any, digits: int) -> list[Any]:
        """Both ends in one cell."""
        if value is None:
            return [None]
        low, high = (f"{self.scale * end:{self.sign}z.{digits}f}" for end in value)
        return [f"[{low}, {high}]"]

    def fields(self, name: str, value: Any) -> dict[str, Any]:
        """Both ends, or None of each."""
        return dict(zip(self.names(name), (None, None) if value is None else value, strict=True))

    def names(self, name: str) -> list[str]:
        """``low`` and ``high`` of an ``interval``, ``bootstrap_low`` and ``bootstrap_high`` of a ``bootstrap``."""
        lead = name.removesuffix("interval").removesuffix("_")
        return [f"{lead}_low", f"{lead}_high"] if lead else ["low", "high"]


@dataclass(frozen=True)
class Column:
    """One column of a result.

    ``get`` finds its value in a row: a function, or the names of attributes one after the other (``"score.value"``),
    by default the name itself; None has None of everything. ``heading`` is what people read above it: "" is its name
    in the words of the field, None that they do not see it. Where it is not for ``programs``, it is for people only.
    """

    name: str
    get: Callable[[Any], Any] | str = ""
    heading: str | None = ""
    form: Form | None = None  # None: a value is shown as it is
    programs: bool = True
    once: bool = False  # people see a value where it changes
    is_name: bool = False  # on a terminal, a long one is cut
    kind: Schema | None = None  # of its fields, in JSON: a number
    breaks: bool = False  # where a table is too wide, it goes on below with this column
    colour: Callable[[Any], str | None] | None = None  # of a row, on a terminal
    bold: Callable[[Any], bool] | None = None  # whether its cell stands out, in every output for people
    mark: Callable[[Any, int], str] | None = None  # what follows the number, with so many digits

    def value(self, row: Any) -> Any:
        """What a row has in this column."""
        if callable(self.get):
            return self.get(row)
        for name in (self.get or self.name).split("."):
            row = None if row is None else getattr(row, name)
        return row


@dataclass(frozen=True)
class Description:
    """Some rows and their columns; ``above`` and ``below`` are what people read around the table.

    ``options`` and ``look`` are those of a :class:`Grid`; ``keys`` columns are repeated where a table is broken.
    """

    columns: Sequence[Column]
    rows: Iterable[Any]
    above: str = ""
    below: Sequence[str] = ()
    options: Sequence[str] = ()
    keys: int = 1
    look: Mapping[str, Any] = field(default_factory=dict)

    def records(self) -> list[dict[str, Any]]:
        """The fields of every row, in full precision."""
        columns = [column for column in self.columns if column.programs]
        rows = []
        for row in self.rows:
            fields: dict[str, Any] = {}
            for column in columns:
                value = column.value(row)
                fields |= {column.name: value} if column.form is None else column.form.fields(column.name, value)
            rows.append(fields)
        return rows

    def grid(self, digits: int) -> Grid:
        """The same for people."""
        columns = [column for column in self.columns if column.heading is not None]
        headings: list[str] = []
        breaks: list[str] = []
        names: list[str] = []
        for column in columns:
            heading = column.heading or noun(column.name)
            above = [heading] if column.form is None else column.form.headings(heading)
            headings += above
            breaks += above if column.breaks else []
            names += above if column.is_name else []
        rows: list[list[Any]] = []
        colours: dict[tuple[int, int], str] = {}
        marks: dict[tuple[int, int], str] = {}
        bold: set[tuple[int, int]] = set()
        before: list[Any] = [self]  # which no row has
        for row in self.rows:
            cells: list[Any] = []
            group: list[Any] = []
            for column in columns:
                value = column.value(row)
                if column.once:
                    group.append(value)
                    value = None if group == before[: len(group)] else value
                place = len(rows), len(cells)
                if column.colour is not None and (colour := column.colour(row)) is not None:
                    colours[place] = colour
                if column.mark is not None and (mark := column.mark(row, digits)):
                    marks[place] = mark
                if column.bold is not None and column.bold(row):
                    bold.add(place)
                cells += [value] if column.form is None else column.form.cells(value, digits)
            rows.append(cells)
            before = group
        layout = {"breaks": breaks, "names": names, "keys": self.keys, "options": self.options}
        style = {"colours": colours, "marks": marks, "bold": bold}
        small = {
            "decimals": dict.fromkeys(_P_VALUES, max(3, digits)),
            "least": dict.fromkeys(_P_VALUES, _LEAST_P),
        }
        return Grid(headings, rows, digits, self.above, self.below, **{**layout, **style, **small, **self.look})

    def schema(self) -> Schema:
        """What JSON has of a row: the names of its fields, and the kinds of their values."""
        names: dict[str, Schema] = {}
        for column in self.columns:
            fields = [column.name] if column.form is None else column.form.names(column.name)
            names |= dict.fromkeys(fields if column.programs else (), NUMBER if column.kind is None else column.kind)
        return {"type": "object", "required": list(names), "properties": names, "additionalProperties": False}
