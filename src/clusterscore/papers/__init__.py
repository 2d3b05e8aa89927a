"""The papers, reproduced: every number they print beside ours, one file for each paper."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from os import PathLike
from pathlib import Path
from typing import NamedTuple

from clusterscore.errors import FileError, InputError, nearest
from clusterscore.papers.result import Result, Row
from clusterscore.progress import step

__all__ = ["ALL", "PAPERS", "Tally", "data_folder", "reproduce"]

ALL = "all"
Reproduction = Callable[[Path | None], Result]


def _elm(data: Path | None) -> Result:
    from clusterscore.papers import elm

    return elm.reproduce(data)


def _blanc(data: Path | None) -> Result:
    from clusterscore.papers import blanc

    return blanc.reproduce(data)


def _adapted(data: Path | None) -> Result:
    from clusterscore.papers import adapted

    return adapted.reproduce(data)


def _alphamax(data: Path | None) -> Result:
    from clusterscore.papers import alphamax

    return alphamax.reproduce(data)


# a paper is imported when it is asked for
PAPERS: Mapping[str, Reproduction] = {"elm": _elm, "blanc": _blanc, "adapted": _adapted, "alphamax": _alphamax}


def reproduce(names: str | Iterable[str] = ALL, data: str | PathLike[str] | None = None) -> list[Result]:
    """Reproduce papers by name; ``data`` is a folder with the data sets that some of them need.

    >>> [blanc] = reproduce("blanc")
    >>> blanc.rows[0].printed, blanc.rows[0].computed, blanc.rows[0].match
    ('100', '100', True)
    """
    asked = [names] if isinstance(names, str) else list(names)
    for name in asked:
        if name not in PAPERS and name != ALL:
            raise InputError(f"no paper is called {name!r}: {nearest(str(name), [*PAPERS, ALL])}")
    folder = data_folder(data)
    chosen = [name for name in PAPERS if name in asked or ALL in asked]
    found: list[Result] = []
    with step("reproducing") as at:
        for done, name in enumerate(chosen, 1):
            found.append(PAPERS[name](folder))
            at(done / len(chosen))
    return found


def data_folder(data: str | PathLike[str] | None) -> Path | None:
    """The folder that holds the data sets, if there is one."""
    folder = None if data is None else Path(data)
    if folder is not None and not folder.is_dir():
        raise FileError(f"{folder}: no such folder; pass one that holds the data sets, such as elm-pss and odp239")
    return folder


class Tally(NamedTuple):
    """How many rows there are of each kind."""

    rows: int
    match: int
    differ: int  # as is known
    without: int  # a printed number
    regressed: int

    @classmethod
    def of(cls, results: Iterable[Result]) -> Tally:
        rows: list[Row] = [each for result in results for each in result.rows]
        return cls(
            len(rows),
            sum(each.match is True for each in rows),
            sum(each.match is False and not each.known for each in rows),
            sum(each.match is None for each in rows),
            sum(each.regressed for each in rows),
        )

    def __str__(self) -> str:
        return (
            f"{self.rows:,} rows: {self.match:,} match, {self.differ:,} known to differ, "
            f"{self.without:,} without a printed number, {self.regressed:,} regressed"
        )
