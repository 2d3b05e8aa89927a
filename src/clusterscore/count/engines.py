"""Engines: who runs the plan, and how its small result gets here."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from clusterscore.distinct import Array
from clusterscore.errors import ClusterscoreError, EngineError
from clusterscore.progress import step
from clusterscore.read.arrays import column

if TYPE_CHECKING:
    from clusterscore.count.cells import Frame
    from clusterscore.read.duck import Session

Found = dict[str, Array]


class Engine:
    """Frames in memory, and lazy ones of polars: their library runs the plan where they are."""

    called = "the frame's library"

    def fetch(self, frame: Frame, label: str) -> Found:
        """Run a plan, and bring its result."""
        with step(label):
            collected = frame.collect()
            return {name: vector(column(collected[name])) for name in collected.columns}

    def keep(self, frame: Frame) -> Frame:
        """A frame that is used more than once, computed once."""
        with step("counting"):
            return frame.collect().lazy()

    def first(self, frame: Frame) -> Any:
        """The single value of a plan, as Python has it."""
        collected = frame.collect()
        return collected[collected.columns[0]].to_list()[0]

    def complaint(self, error: Exception) -> ClusterscoreError:
        """What went wrong, in one line."""
        told = (str(error).strip() or type(error).__name__).splitlines()[0]
        return EngineError(f"{self.called} could not count this: {type(error).__name__}: {told[:300]}")

    def settle(self, frame: Frame) -> Frame:
        """The result of a join, before it is counted."""
        return frame

    def close(self) -> None:
        """Give back what it holds."""


class DuckEngine(Engine):
    """Relations of a DuckDB connection of the user's; nothing is written there."""

    called = "DuckDB"

    def fetch(self, frame: Frame, label: str) -> Found:
        with step(label):
            relation = frame.to_native()
            return _as_python(relation, relation.fetchnumpy())

    def first(self, frame: Frame) -> Any:
        return frame.to_native().fetchall()[0][0]

    def keep(self, frame: Frame) -> Frame:
        return frame


class SessionEngine(Engine):
    """A DuckDB session of our own, which may write its tables to its own folder."""

    def __init__(self, session: Session, *, limited: bool):
        self._session, self._limited = session, limited
        self._kept = 0

    def fetch(self, frame: Frame, label: str) -> Found:
        relation = frame.to_native()
        return _as_python(relation, self._session.fetch(relation, label))

    def first(self, frame: Frame) -> Any:
        relation = frame.to_native()
        return self._session.run(relation.fetchall, "looking")[0][0]

    def keep(self, frame: Frame) -> Frame:
        return self._written(frame, "counting")

    def settle(self, frame: Frame) -> Frame:
        # a join that feeds a count holds the memory of both at once, which a small limit does not have
        return self._written(frame, "joining") if self._limited else frame

    def _written(self, frame: Frame, label: str) -> Frame:
        import narwhals as nw

        make: Callable[[str], None] = frame.to_native().create
        self._kept += 1
        name = f"kept_{self._kept}"
        self._session.run(lambda: make(name), label)
        return nw.from_native(self._session.connection.table(name))

    def close(self) -> None:
        self._session.close()


def _as_python(relation: Any, found: dict[str, Any]) -> Found:
    """Columns as DuckDB gives them: what is masked is null, and a day is a day, not a moment."""
    days = {name for name, kind in zip(relation.columns, relation.types, strict=True) if str(kind) == "DATE"}
    plain = {}
    for name, values in found.items():
        if name in days:
            values = values.astype("datetime64[D]")
        listed = name in days or np.ma.getmaskarray(values).any()
        plain[name] = vector(values.tolist()) if listed else np.asarray(values)
    return plain


def vector(values: Any) -> Array:
    """Whole numbers and floats as such, all else as objects."""
    if isinstance(values, np.ndarray):
        return values
    kinds = set(map(type, values))
    if kinds == {int} or not kinds:
        return np.array(values, np.int64)
    if kinds == {float}:
        return np.array(values)
    objects = np.empty(len(values), object)
    objects[:] = values
    return objects
