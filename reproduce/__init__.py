"""The papers, reproduced: every number they print beside ours. One file for each paper, run from the checkout.

>>> from reproduce import reproduce
>>> [alphamax] = reproduce("alphamax")
>>> alphamax.rows[0].quantity, alphamax.rows[0].printed, alphamax.rows[0].computed, alphamax.rows[0].match
('no noise, n=1: B3', '1.00', 1.0, True)
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from os import PathLike
from pathlib import Path

import clusterscore as cs
from clusterscore.exceptions import nearest
from clusterscore.progress import step
from reproduce.result import Result

__all__ = ["ALL", "PAPERS", "data_folder", "reproduce"]

ALL = "all"
PAPERS = ("elm", "blanc", "adapted", "alphamax")


def reproduce(names: str | Iterable[str] = ALL, data: str | PathLike[str] | None = None) -> list[Result]:
    """Reproduce papers by name; ``data`` is a folder with the data sets that some of them need."""
    wanted = [names] if isinstance(names, str) else list(names)
    for name in wanted:
        if name not in (*PAPERS, ALL):
            raise cs.InputError(f"no paper is called {name!r}: {nearest(str(name), [*PAPERS, ALL])}")
    folder = data_folder(data)
    chosen = [name for name in PAPERS if name in wanted or ALL in wanted]
    results: list[Result] = []
    with step("reproducing") as at:
        for done, name in enumerate(chosen, 1):
            results.append(import_module(f"reproduce.{name}").reproduce(folder))
            at(done / len(chosen))
    return results


def data_folder(data: str | PathLike[str] | None) -> Path | None:
    """The folder that holds the data sets, if there is one."""
    if data is not None and not Path(data).is_dir():
        sets = "elm-pss, odp239 and search-results"
        raise cs.FileError(f"{data}: no such folder; pass one that holds the data sets, such as {sets}")
    return None if data is None else Path(data)
