"""How each side is read, its columns and its format; and what to type where a column is not there."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from clusterscore.exceptions import InputError, nearest

_MANY = 10  # names of columns in a message
_OPEN = "..."  # a name that only the user knows


class ReadAs(NamedTuple):
    """How a side is read: which columns hold what, and the format of its file; None where the user did not say.

    ``header`` is False where the first line of a CSV file is data: then its columns are called "1", "2" and so on.
    """

    element: str | None = None
    cluster: str | None = None
    document: str | None = None
    format: str | None = None
    header: bool | None = None

    @property
    def names_columns(self) -> bool:
        """Whether the user named a column, so that it is a table."""
        return self.header is False or any(name is not None for name in self[:3])

    @property
    def columns(self) -> list[str]:
        """All columns that may be asked for."""
        usual = NUMBERED.values() if self.header is False else ()
        return [*(name for name in self[:3] if name is not None), *ReadAs._fields[:3], *usual]

    @property
    def options(self) -> dict[str, str]:
        """What the user chose and a signature names."""
        chosen = {"format": self.format, "header": None if self.header is None else "no"}
        return {name: value for name, value in chosen.items() if value is not None}


AS_IT_IS = ReadAs()
NUMBERED = {"element": "1", "cluster": "2"}  # the columns of a file without a heading
_LIKE_DATA = re.compile(r"\d|^\W*$")


def two_sides(
    both: ReadAs, gold: ReadAs, pred: ReadAs, *, cluster: str = "{}_cluster", tables: int = 2
) -> tuple[ReadAs, ReadAs]:
    """Gold and pred, read as the user said of both sides, or of one; ``cluster`` is what that option is called.

    In one table with both sides nothing but their clusters can differ.
    """
    for role, shared, *own in zip(ReadAs._fields, both, gold, pred, strict=True):
        one, other = (_option(role, side, cluster) for side in ("gold", "pred"))
        given = one if own[0] is not None else other if own[1] is not None else None
        if tables == 1 and role == "cluster" and shared is not None:
            raise InputError(
                f'cluster="..." is for two tables; in one table {one}="..." and {other}="..." name columns'
            )
        if tables == 1 and role != "cluster" and given is not None:
            raise InputError(f'{given}="..." is for two tables; in one table {role}="..." holds for both sides')
        if shared is not None and given is not None:
            raise InputError(
                f'{role}="..." is said of both sides and {given}="..." of one; pass {role}="..." alone, or {one}="..." '
                f'and {other}="..."'
            )
    left, right = (
        ReadAs._make(shared if own is None else own for own, shared in zip(side, both, strict=True))
        for side in (gold, pred)
    )
    return left, right


class ChosenColumns(NamedTuple):
    """The columns that a table has, and those that are to be taken from it."""

    called: str  # in messages
    names: Sequence[str]
    wanted: Mapping[str, str]  # what for -> which column
    named: frozenset[str]  # what for the user has named one
    side: str | None = None  # of which it is, where the other side is read too

    @classmethod
    def of(
        cls,
        called: str,
        names: Sequence[str],
        how: ReadAs,
        side: str | None = None,
        *,
        both: Mapping[str, Any] | None = None,
        usual: bool = True,
    ) -> ChosenColumns:
        """A table with an element and a cluster in every row, or with the clusters of ``both`` sides.

        ``usual``: a column called document is taken where the user named none, and so is one called element.
        """
        given = {role: name for role, name in zip(ReadAs._fields[:3], how, strict=False) if name is not None}
        called_so = {"element": "element", "document": "document"}
        if how.header is False and "1" in names:
            called_so = {"element": "1"} if both is None or "1" not in both.values() else {}
        wanted = {"element": "element", "cluster": "cluster"} if both is None else dict(both)
        wanted |= NUMBERED if both is None and called_so == {"element": "1"} else {}
        wanted |= {role: name for role, name in called_so.items() if usual and name in names} | given
        return cls(called, names, wanted, frozenset([*given, *(both or ())]), side)

    @property
    def missing(self) -> list[str]:
        """What there is no column for."""
        return [role for role, name in self.wanted.items() if name not in self.names]

    @property
    def has(self) -> str:
        """The columns, in words."""
        rest = f" and {len(self.names) - _MANY} more" if len(self.names) > _MANY else ""
        return f"has {', '.join(map(repr, self.names[:_MANY]))}{rest}"

    def guess(self, others: Sequence[ChosenColumns], roles: Sequence[str]) -> dict[str, str]:
        """Columns that may be meant, where as many are left; elements are in one that the other table has too."""
        free = [name for name in self.names if name not in self.wanted.values()]
        if len(free) != len(roles) or any('"' in str(name) for name in free):
            return dict.fromkeys(roles, _OPEN)
        shared = [name for name in free if all(name in other.names for other in others)]
        if roles == ["element", "cluster"] and len(shared) == 1:
            free.sort(key=lambda name: name not in shared)
        return dict(zip(roles, free, strict=True))


def joined(gold: ChosenColumns, pred: ChosenColumns) -> list[ChosenColumns]:
    """Both sides; a document that is named for both may be a column of one, and holds for the elements of the other."""
    tables = [gold, pred]
    if gold.wanted.get("document") == pred.wanted.get("document"):
        without = [each for each in tables if "document" in each.missing]
        if len(without) == 1:
            kept = {role: name for role, name in without[0].wanted.items() if role != "document"}
            tables[tables.index(without[0])] = without[0]._replace(wanted=kept)
    return tables


def missing_column(tables: Sequence[ChosenColumns], cluster: str = "{}_cluster") -> str | None:
    """What to say where a column is not there: what the tables have, and the options that name the right ones."""
    table = next((each for each in tables if each.missing), None)
    if table is None:
        return None
    role = min(table.missing, key=lambda each: each not in table.named)  # a name that the user gave comes first
    column, others = table.wanted[role], [each for each in tables if each is not table]
    if role not in table.named:
        absent = " or ".join(repr(table.wanted[each]) for each in table.missing if each not in table.named)
        has = "".join(f", and {each.called} {each.has}" for each in others)
        remedy = _remedy(tables, cluster) + _no_heading(tables)
        if "boundary" in table.names:
            remedy = f'format="boundaries" for page streams, or {remedy}'
        return f"{table.called} has no column {absent}: it {table.has}{has}; pass {remedy}"
    other = next((each for each in others if column in each.names), None)
    if other is None:
        hint = nearest(str(column), map(str, table.names))
        option = role if all(each.wanted.get(role) == column for each in tables) else _option(role, table.side, cluster)
        return f"{table.called} has no column {column!r}: {hint}" + (
            "" if hint.endswith("?") else f'; name it with {option}="..."'
        )
    there = other.wanted.get(role)
    if there != column and there in table.names:
        remedy = "are gold and pred swapped?"
    else:
        kept = f'{_option(role, other.side, cluster)}="{column}", ' if there == column else ""
        remedy = f'pass {kept}{_option(role, table.side, cluster)}="{table.guess(others, [role])[role]}"'
        remedy += _no_heading(tables)
    return f"{table.called} has no column {column!r}, which {other.called} has: it {table.has}; {remedy}"


def _no_heading(tables: Sequence[ChosenColumns]) -> str:
    """What to say where the names of columns look like data."""
    bare = [
        each
        for each in tables
        if each.missing and "1" not in each.names[:1] and any(_LIKE_DATA.search(str(name)) for name in each.names)
    ]
    side = f"{bare[0].side}_" if len(bare) == 1 < len(tables) else ""
    return f"; if the first line is data, pass {side}header=False" if bare else ""


def _remedy(tables: Sequence[ChosenColumns], cluster: str) -> str:
    """The options that name what was not named and is not there."""
    guesses = {
        table.side: table.guess(
            [each for each in tables if each is not table], [role for role in table.missing if role not in table.named]
        )
        for table in tables
    }
    said = []
    for role in dict.fromkeys(role for guess in guesses.values() for role in guess):
        found = {side: guess[role] for side, guess in guesses.items() if role in guess}
        alike = _OPEN not in found.values() or len({tuple(table.names) for table in tables}) == 1
        if len(found) == 2 and len(set(found.values())) == 1 and alike:
            said.append(f'{role}="{found["gold"]}"')
        else:
            said += [f'{_option(role, side, cluster)}="{name}"' for side, name in found.items()]
    return ", ".join(said)


def _option(role: str, side: str | None, cluster: str) -> str:
    """What the option is called that names a column of a side."""
    if side is None:
        return role
    return cluster.format(side) if role == "cluster" else f"{side}_{role}"
