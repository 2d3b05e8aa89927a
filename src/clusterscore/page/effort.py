"""Effort: what a report on very large input takes, said before the work.

The numbers were measured on two cores of 2023 (``benchmarks/report_effort.py``); elsewhere they are off by as much as a
machine is slower or faster.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from clusterscore.count.table import Table
from clusterscore.page import sample

_MANY, _LONG, _MUCH = 100_000, 10.0, 1e9  # elements, and seconds or bytes, from which on it is worth a line
_START, _OF_ELEMENT, _OF_CELL = 1.4, 2.2e-6, 3.6e-6  # seconds: of a system, of each of its elements and cells
_OF_NAME, _COMPARED = 3.5e-6, 2.5  # of each id and document of an element; of each system that is compared
_AT_LEAST, _HELD, _WHILE, _KEPT = 1e8, 40, 110, 100  # bytes: plots; an element as input, and with a baseline; a cell
_PAGE, _PAGE_ELEMENT, _PAGE_ID, _PAGE_CELL = 2e5, 1.9, 2.5, 9.6  # bytes of a page: plots and words; one of each


class Effort(NamedTuple):
    """What a report takes: seconds, bytes of memory at the most, and bytes of the page."""

    elements: int
    seconds: float
    memory: float
    page: float

    @classmethod
    def of(cls, tables: Sequence[Table]) -> Effort:
        """Of some systems that are counted already."""
        elements = max(table.elements for table in tables)
        cells = [len(table.n) for table in tables]
        members = [table.members for table in tables if table.members is not None]
        known = sum(len(each.cell) for each in members)
        listed = _listed(elements if known else 0, sample.MOST_ELEMENTS)
        pair = members[0].pair if members else None
        ids, documents = (0, 0) if pair is None else (pair.ids is not None, pair.documents is not None)
        each = _OF_ELEMENT + _OF_NAME * (ids + documents)
        compared = _COMPARED * min(elements / 300_000, 1.0) * (len(tables) > 1)
        return cls(
            elements,
            (_START + compared) * len(tables) + each * known + _OF_CELL * sum(cells),
            _held(known * _HELD) + _AT_LEAST + _WHILE * known / len(tables) + _KEPT * sum(cells),
            _PAGE * len(tables)
            + (_PAGE_ELEMENT + _PAGE_ID * ids) * listed
            + _PAGE_CELL * sum(_listed(one, sample.MOST_CELLS) for one in cells),
        )

    @property
    def is_large(self) -> bool:
        """Whether somebody who waits for it should know."""
        return self.elements >= _MANY and (self.seconds > _LONG or self.memory > _MUCH)

    def __str__(self) -> str:
        minutes, memory = self.seconds / 60, self.memory / 1e9
        time = f"{minutes:.0f} minutes" if minutes >= 1.75 else f"{_rounded(self.seconds):.0f} s"
        page = _rounded(max(self.page / 1e6, 1))
        return f"{self.elements:,} elements: about {time}, {memory:.1f} GB of memory, a page of {page:.0f} MB"


def _listed(count: int, most: int) -> float:
    """How many of so many are in the page, about."""
    return count if count <= most else sample.SAMPLED * most


def _rounded(number: float) -> float:
    """As coarse as an estimate is: 7, 40."""
    return float(f"{number:.1g}") if number >= 20 else round(number)


def _held(otherwise: float) -> float:
    """The memory of this process now, where the system says it."""
    with suppress(OSError, ValueError, IndexError):
        return 4096 * float(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return otherwise
