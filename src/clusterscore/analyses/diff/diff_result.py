"""Diff: what changed from one version of a clustering to the next."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from copy import copy
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np

from clusterscore.nouns import noun, plural
from clusterscore.screen import PAGE
from clusterscore.show.columnar import Columns
from clusterscore.show.description import Column, Description
from clusterscore.show.grid import Grid, NamesInCell, as_json, as_text
from clusterscore.show.result import Result, in_its_words
from clusterscore.show.text import width
from clusterscore.version import __version__

_SHOWN = 10  # changes in a table for people
_COLUMNS = ("document", "change", "old", "new", "added/gone", "pairs", "example")  # and what it has of each


class VersionFacts(NamedTuple):
    """How large a version is."""

    elements: int
    clusters: int

    def __str__(self) -> str:
        return f"{plural(self.elements, 'element')} in {plural(self.clusters, 'cluster')}"


class Diff(Result):
    """What changed from an old version of a clustering to a new one.

    ``counts`` has a row per kind of change; ``unchanged``, ``updated``, ``split``, ``merged``, ``rearranged``,
    ``created`` and ``deleted`` have a row per change of this kind, the largest first, ``changes`` those of all kinds
    but the first. ``added`` and ``gone`` have a row per element that only one version has. ``cells`` is what the
    changes are made of: a row for every old and new cluster that share elements.

    >>> import clusterscore as cs
    >>> diff = cs.diff({"p1": "a", "p2": "a", "p3": "b"}, {"p1": "a", "p2": "c", "p3": "b", "p4": "b"})
    >>> diff.split["old"].tolist(), diff.split["new"].tolist(), diff.added["element"].tolist()
    (['a'], [('a', 'c')], ['p4'])
    """

    unchanged: Columns
    updated: Columns
    split: Columns
    merged: Columns
    rearranged: Columns
    created: Columns
    deleted: Columns
    added: Columns
    gone: Columns

    def __init__(
        self,
        versions: tuple[VersionFacts, VersionFacts],
        counts: Columns,
        tables: Mapping[str, Columns],
        every: Columns,
        cells: Columns,
        renamed: int,
    ):
        self.old, self.new = versions
        self.counts, self.renamed = counts, renamed
        self._every, self._cells, self._cut = every, cells, True
        for name, table in tables.items():
            setattr(self, name, table)
        self._listed = np.flatnonzero(every["change"] != "unchanged")

    @property
    def changes(self) -> Columns:
        """A row per change of any kind, the largest first."""
        return self._every.take(self._listed)

    @property
    def cells(self) -> Columns:
        """A row for every old and new cluster that share elements, by ``number`` of the change."""
        return self._cells.take(np.isin(self._cells["number"], self._listed + 1))

    def only(self, kinds: Collection[str] = (), largest: int | None = None) -> Diff:
        """The same with some changes listed: those of some kinds, the ``largest`` of them."""
        chosen = copy(self)
        if kinds:
            chosen._listed = np.flatnonzero(np.isin(self._every["change"], list(kinds)))
        if largest is not None:
            chosen._listed, chosen._cut = chosen._listed[:largest], False
        return chosen

    @in_its_words
    def summary(self) -> str:
        """The change in two sentences."""
        return " ".join(self._sentences())

    def _sentences(self) -> list[str]:
        counts = dict(zip(self.counts["change"], self.counts["changes"].tolist(), strict=True))
        share = f" ({counts['unchanged'] / self.old.clusters:.1%})" if self.old.clusters else ""
        stays = f"{counts['unchanged']:,} of {plural(self.old.clusters, 'old cluster')} unchanged{share}"
        if 0 < self.renamed < counts["unchanged"]:  # where all are, nobody meant the names to stay
            stays += f", {self.renamed:,} of them under another name"
        moved = f"{plural(len(self.added), 'element')} added, {len(self.gone):,} gone"
        return [f"{self.old} became {self.new}: {moved}.", f"{stays}."]

    def description(self) -> Description:
        """How many changes of each kind there are."""
        columns = [Column(name, itemgetter(k), noun(name.replace("_", " "))) for k, name in enumerate(self.counts)]
        return Description(columns, self.counts.rows(), below=self._sentences())

    def grids(self, digits: int = 4) -> list[Grid]:
        """The counts, and the largest changes."""
        rows = self._every.take(self._listed[:_SHOWN] if self._cut else self._listed)
        if not len(rows):
            return [self.description().grid(4)]
        shown = {name: rows[name].tolist() for name in ("change", "document", "example") if name in rows}
        shown["added/gone"] = list(map(_plus_minus, rows["added"].tolist(), rows["gone"].tolist()))
        shown["pairs"] = list(map(_plus_minus, rows["together"].tolist(), rows["apart"].tolist()))
        sides = {side: list(map(_with_sizes, rows[side], rows[f"{side}_size"])) for side in ("old", "new")}
        room = PAGE.width - sum(2 + _widest(name, values) for name, values in shown.items())
        for most in (4, 2, 1):  # names in a cell: as many as there is room for
            names = {side: [cell.first(most) for cell in own] for side, own in sides.items()}
            if sum(_widest(side, own) for side, own in names.items()) + 2 <= room:
                break
        shown |= names
        shown = {noun(name): shown[name] for name in _COLUMNS if name in shown}
        left = len(self._listed) - len(rows)
        below = [f"the {len(rows)} largest of {len(self._listed):,} changes"] if left else []
        return [self.description().grid(4), Grid(list(shown), list(zip(*shown.values(), strict=True)), below=below)]

    def records(self) -> list[dict[str, Any]]:
        """The rows of :attr:`cells`: without lists, so that any other program can read them."""
        return self.cells.records()

    def listed(self) -> dict[str, Any]:
        """The columns of :attr:`cells`."""
        return self.cells.to_dict()

    def to_json(self) -> str:
        """:meth:`to_dict` as JSON; names that JSON has no type for as text."""
        return as_json(self.with_warnings(self.to_dict()), indent=2, default=str)

    def to_dict(self) -> dict[str, Any]:
        """The counts, and in ``rows`` all changes but unchanged clusters, as plain values."""
        names, *counts = self.counts.to_dict().items()
        changes = self.changes
        return {
            "old": self.old._asdict(),
            "new": self.new._asdict(),
            "added": len(self.added),
            "gone": len(self.gone),
            "renamed": self.renamed,
            "counts": {
                kind: dict(zip((name for name, _ in counts), row, strict=True))
                for kind, *row in zip(names[1], *(values for _, values in counts), strict=True)
            },
            "rows": [dict(zip(changes, map(_plain, row), strict=True)) for row in changes.rows()],
            "version": __version__,
        }


def _with_sizes(names: NamesInCell, sizes: NamesInCell) -> NamesInCell:
    return NamesInCell(f"{as_text(name)} ({size:,})" for name, size in zip(names, sizes, strict=True))


def _widest(heading: str, cells: list[Any]) -> int:
    return max(width(as_text(cell)) for cell in (*heading.replace("/", "/ ").split(), *cells))


def _plus_minus(plus: int, minus: int) -> str:
    """``+2 -1``: what there is more and less of."""
    return " ".join([f"+{plus:,}"] * (plus > 0) + [f"-{minus:,}"] * (minus > 0))


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value
