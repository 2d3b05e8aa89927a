"""What a result says of its rows, once: columns with a name, a heading, a getter and a form; every output follows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from clusterscore.fields import current
from clusterscore.nouns import noun
from clusterscore.show.grid import Grid

Schema = Mapping[str, Any]  # of JSON
NUMBER: Schema = {"type": ["number", "null"]}
COUNT: Schema = {"type": ["integer", "null"]}
TEXT: Schema = {"type": ["string", "null"]}
FLAG: Schema = {"type": ["boolean", "null"]}
ANY: Schema = {}  # a name that users gave
Form = Callable[[Any, int], Any]  # what people see of a value, with so many digits
_P_VALUES = ("p", "p (Holm)")  # headings below which three decimals or more are shown, and no number as 0
_LEAST_P = 0.001


class Column(NamedTuple):
    """One column of a result.

    ``get`` finds its value in a row: a function, or the names of attributes one after the other (``"score.value"``),
    by default the name itself; None has None of everything. ``heading`` is what people read above it: "" is its name
    in the words of the field, None that they do not see it. Where it is not for ``programs``, it is for people only.
    """

    name: str
    get: Callable[[Any], Any] | str = ""
    heading: str | None = ""
    form: Form | None = None  # None: people see a value as it is
    programs: bool = True
    once: bool = False  # people see a value where it changes
    is_name: bool = False  # on a terminal, a long one is cut
    kind: Schema | None = None  # in JSON: a number
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


def metric_column(get: Callable[[Any], str] | str = "", *, once: bool = False) -> Column:
    """The name of a metric: people see what their field calls it, as in papers."""
    field = current()
    form: Form | None = None if field is None else lambda name, digits: field.measures.get(name, name)
    return Column("metric", get, form=form, once=once, kind=TEXT)


def score_columns(
    get: str = "score",
    scale: int = 1,
    programs: Sequence[str] = ("value", "precision", "recall", "f"),
    *,
    spread: bool = False,
) -> list[Column]:
    """A score: people see P, R, the value and, if it is asked for, the standard deviation, programs what is named."""
    headings = {"precision": "P", "recall": "R", "value": "score %" if scale == 100 else "score"}
    headings |= {"std": "std"} if spread else {}
    form = None if scale == 1 else scaled(scale)
    people = [Column(name, f"{get}.{name}", above, form, programs=False) for name, above in headings.items()]
    return people + [Column(name, f"{get}.{name}", heading=None) for name in programs]


def interval_columns(
    name: str, get: str, heading: str | None, sign: str = "", scale: int = 1, *, breaks: bool = False
) -> list[Column]:
    """An interval: people see ``[low, high]`` below a heading, if it has one, and programs have a field for each end.

    These are ``low`` and ``high`` of an ``interval``, ``bootstrap_low`` and ``bootstrap_high`` of a ``bootstrap``.
    """

    def both(value: Any, digits: int) -> str | None:
        if value is None:
            return None
        low, high = (f"{scale * end:{sign}z.{digits}f}" for end in value)
        return f"[{low}, {high}]"

    lead = name.removesuffix("interval")
    lead = lead if not lead or lead.endswith("_") else f"{lead}_"
    people = [] if heading is None else [Column(name, get, heading, both, programs=False, breaks=breaks)]
    return people + [Column(f"{lead}{end}", f"{get}.{end}", heading=None) for end in ("low", "high")]


def scaled(scale: int) -> Form:
    """A number of which people see a multiple, such as percent."""
    return lambda value, digits: None if value is None else scale * value


def signed(value: float | None, digits: int) -> str | None:
    """A difference: people see its sign, ``+0.1234``."""
    return None if value is None else f"{value:+z.{digits}f}"


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
        return [{column.name: column.value(row) for column in columns} for row in self.rows]

    def grid(self, digits: int) -> Grid:
        """The same for people."""
        columns = [column for column in self.columns if column.heading is not None]
        headings = [column.heading or noun(column.name) for column in columns]
        rows: list[list[Any]] = []
        colours: dict[tuple[int, int], str] = {}
        marks: dict[tuple[int, int], str] = {}
        bold: set[tuple[int, int]] = set()
        before: list[Any] = [self]  # which no row has
        for row in self.rows:
            cells: list[Any] = []
            group: list[Any] = []
            for k, column in enumerate(columns):
                value = column.value(row)
                if column.once:
                    group.append(value)
                    value = None if group == before[: len(group)] else value
                place = len(rows), k
                if column.colour is not None and (colour := column.colour(row)) is not None:
                    colours[place] = colour
                if column.mark is not None and (mark := column.mark(row, digits)):
                    marks[place] = mark
                if column.bold is not None and column.bold(row):
                    bold.add(place)
                cells.append(value if column.form is None else column.form(value, digits))
            rows.append(cells)
            before = group
        layout = {
            "breaks": [heading for heading, column in zip(headings, columns, strict=True) if column.breaks],
            "names": [heading for heading, column in zip(headings, columns, strict=True) if column.is_name],
            "keys": self.keys,
            "options": self.options,
        }
        style = {"colours": colours, "marks": marks, "bold": bold}
        small = {
            "decimals": dict.fromkeys(_P_VALUES, max(3, digits)),
            "least": dict.fromkeys(_P_VALUES, _LEAST_P),
        }
        return Grid(headings, rows, digits, self.above, self.below, **{**layout, **style, **small, **self.look})

    def schema(self) -> Schema:
        """What JSON has of a row: the names of its fields, and the kinds of their values."""
        names = {
            column.name: NUMBER if column.kind is None else column.kind for column in self.columns if column.programs
        }
        return {"type": "object", "required": list(names), "properties": names, "additionalProperties": False}
