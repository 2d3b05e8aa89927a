"""Engines: who runs the plan, and how its small result gets here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from clusterscore.exceptions import ClusterscoreError, EngineError
from clusterscore.progress import step
from clusterscore.read.arrays import column, encoded
from clusterscore.read.duck import exact_columns
from clusterscore.read.labels import plain

if TYPE_CHECKING:
    from clusterscore.engines.cells import Frame
    from clusterscore.read.duck import Session

Found = dict[str, Any]  # numbers are arrays; documents, labels and ids may be lists


class Engine:
    """Whoever holds the tables."""

    called = "the frame's library"
    plans = True  # it counts; otherwise its columns are counted here

    def fetch(self, frame: Frame, label: str) -> Found:
        """Run a plan, and bring its result."""
        with step(label):
            collected = frame.collect()
            return {name: column(collected[name]) for name in collected.columns}

    def first(self, frame: Frame) -> Any:
        """The single value of a plan, as Python has it."""
        (values,) = self.fetch(frame, "looking").values()
        return plain(values[0])

    def is_empty(self, frame: Frame) -> bool:
        """Whether a frame has no rows."""
        import narwhals as nw

        return not self.first(frame.select(nw.len().cast(nw.Int64).alias("rows")))

    def complaint(self, error: BaseException) -> ClusterscoreError:
        """What went wrong, in one line."""
        told = (str(error).strip() or type(error).__name__).splitlines()[0]
        return EngineError(f"{self.called} could not count this: {type(error).__name__}: {told[:300]}")

    def in_order(self, frames: Sequence[Frame], keys: Sequence[list[str]], name: str) -> Any:
        """The values of a column in the order of their first rows; none where rows have no order.

        Of two frames the first has the order, and the second, joined by the keys, has the column.
        """
        return []

    def keep(self, frame: Frame) -> Frame:
        """A frame that is used more than once, computed once."""
        return frame

    def settle(self, frame: Frame) -> Frame:
        """The result of a join, before it is counted."""
        return frame

    def close(self) -> None:
        """Give back what it holds."""


class Memory(Engine):
    """Frames in memory of any library: their columns are taken out."""

    plans = False

    def fetch(self, frame: Frame, label: str) -> Found:
        with step(label):
            rows = frame.collect()
            # ids are compared with those of the other side, value by value
            return {name: column(rows[name]) if name == "element" else encoded(rows[name]) for name in rows.columns}


class PolarsEngine(Engine):
    """Frames of polars, eager or lazy: polars runs the plan where they are."""

    called = "polars"

    def in_order(self, frames: Sequence[Frame], keys: Sequence[list[str]], name: str) -> Any:
        rows: Any = frames[0].to_native()
        if len(frames) == 2:
            other: Any = frames[1].to_native()
            rows = rows.join(other, how="inner", left_on=keys[0], right_on=keys[1], maintain_order="left")
        return column(rows.select(name).unique(maintain_order=True).collect()[name])

    def keep(self, frame: Frame) -> Frame:
        with step("counting"):
            return frame.collect().lazy()


class DuckEngine(Engine):
    """Relations of a DuckDB connection of the user's; nothing is written there."""

    called = "DuckDB"

    def fetch(self, frame: Frame, label: str) -> Found:
        relation: Any = frame.to_native()
        columns = exact_columns(relation, lambda exact: self._fetch(exact, label))
        return {name: _with_nulls(values) for name, values in columns.items()}

    def _fetch(self, relation: Any, label: str) -> Found:
        with step(label):
            return dict(relation.fetchnumpy())


class SessionEngine(DuckEngine):
    """A DuckDB session of our own, which may write its tables to its own folder."""

    def __init__(self, session: Session, *, limited: bool):
        self._session, self._limited = session, limited
        self._kept = 0

    def _fetch(self, relation: Any, label: str) -> Found:
        return dict(self._session.fetch(relation, label))

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


def _with_nulls(values: Any) -> Any:
    """What is masked is null."""
    if not isinstance(values, np.ma.MaskedArray):
        return values
    mask = np.ma.getmaskarray(values)
    if not mask.any():
        return values.data
    return [None if null else value for value, null in zip(values.data, mask, strict=True)]
