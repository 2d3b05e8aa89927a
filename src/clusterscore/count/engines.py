"""Engines: who runs the plan, and how its small result gets here."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
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
        with _in_our_words(self.called), step(label):
            collected = frame.collect()
            return {name: _vector(column(collected[name])) for name in collected.columns}

    def keep(self, frame: Frame) -> Frame:
        """A frame that is used more than once, computed once."""
        with _in_our_words(self.called), step("counting"):
            return frame.collect().lazy()

    def settle(self, frame: Frame) -> Frame:
        """The result of a join, before it is counted."""
        return frame

    def close(self) -> None:
        """Give back what it holds."""


class DuckEngine(Engine):
    """Relations of a DuckDB connection of the user's; nothing is written there."""

    called = "DuckDB"

    def fetch(self, frame: Frame, label: str) -> Found:
        with _in_our_words(self.called), step(label):
            return _unmasked(frame.to_native().fetchnumpy())

    def keep(self, frame: Frame) -> Frame:
        return frame


class SessionEngine(Engine):
    """A DuckDB session of our own, which may write its tables to its own folder."""

    def __init__(self, session: Session, *, limited: bool):
        self._session, self._limited = session, limited
        self._kept = 0

    def fetch(self, frame: Frame, label: str) -> Found:
        return _unmasked(self._session.fetch(frame.to_native(), label))

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


@contextmanager
def _in_our_words(called: str) -> Iterator[None]:
    """Whatever goes wrong in an engine is told in one line, with its own error behind it."""
    try:
        yield
    except (ClusterscoreError, MemoryError):
        raise
    except Exception as error:
        told = (str(error).strip() or type(error).__name__).splitlines()[0]
        raise EngineError(f"{called} could not count this: {type(error).__name__}: {told[:300]}") from error


def _unmasked(found: dict[str, Any]) -> Found:
    """Columns as DuckDB gives them: what is masked is null."""
    return {name: _vector(values.tolist()) if np.ma.getmaskarray(values).any() else np.asarray(values)
            for name, values in found.items()}  # fmt: skip


def _vector(values: Any) -> Array:
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
