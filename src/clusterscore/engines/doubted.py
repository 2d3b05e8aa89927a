"""What doubts look at where a side stays in an engine: a few small queries."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import narwhals as nw

from clusterscore.align.side_facts import NEARLY, WORDS
from clusterscore.engines.engine import Engine
from clusterscore.engines.plan import Frame
from clusterscore.read.clustering import Origin


class TableSide:
    """One side of a table: the same names as a side in memory, which doubts ask."""

    overlapping = False
    images = None

    def __init__(self, side: str, engine: Engine, frame: Frame, origin: Origin, *, clusters: int, elements: int):
        self.side, self.origin = side, origin
        self._engine, self._frame = engine, frame
        self._element = next((name for name in frame.collect_schema().names() if name.endswith("_element")), None)
        self._kind: Any = frame.collect_schema()[side]
        self.clusters, self.elements = clusters, elements

    def used(self) -> int:
        """How many clusters there are."""
        return self.clusters

    @cached_property
    def _labels(self) -> dict[str, Any]:
        """What is asked of all labels at once."""
        label = nw.col(self.side)
        if self._kind == nw.String:
            asked = {"nothing": label.is_in(WORDS), "minus_one": label == "-1"}
        elif self._kind.is_signed_integer():
            asked = {"minus_one": label == -1, "below": label < -1}
        else:
            return {}
        named = (expression.cast(nw.Int64).sum().alias(name) for name, expression in asked.items())
        sums = self._engine.fetch(self._frame.select(*named), "looking")
        return {name: int(values[0] or 0) for name, values in sums.items()}

    def few_labels(self) -> list[Any] | None:
        """The labels, where there are at most two."""
        if self.clusters > 2:
            return None
        return list(self._engine.fetch(self._frame.select(self.side).unique(), "looking")[self.side])

    def starts(self) -> list[Any]:
        """The label of the first row."""
        return list(self._engine.fetch(self._frame.select(self.side).head(1), "looking")[self.side])

    def missing_words(self) -> tuple[int, str] | None:
        """How many elements have a label that is a word for none, and which."""
        if not self._labels.get("nothing"):
            return None
        label = nw.col(self.side)
        return self._labels["nothing"], self._engine.value(self._frame.filter(label.is_in(WORDS)), label.min())

    def labels_are_ids(self) -> tuple[int, Any] | None:
        """How many labels are what their element is called, and one of them; None where they are not nearly all."""
        if self._element is None:
            return None
        kinds = self._kind, self._frame.collect_schema()[self._element]
        if not all(kind == nw.String or kind.is_integer() for kind in kinds):
            return None
        both = [nw.col(name) for name in (self.side, self._element)]
        if nw.String in kinds and kinds[0] != kinds[1]:
            both = [column.cast(nw.String) for column in both]
        same = self._frame.filter(both[0] == both[1])
        number = self._engine.count(same)
        return (
            (number, self._engine.value(same, nw.col(self._element).min())) if number > NEARLY * self.elements else None
        )

    def float_id(self) -> Any:
        """An id that is a number with a fraction, if the ids are floats."""
        if self._element is None or not self._frame.collect_schema()[self._element].is_float():
            return None
        element = nw.col(self._element)
        broken = self._frame.filter(element != element.round(0))
        return self._engine.value(broken, element.min()) if self._engine.count(broken) else None

    def minus_one(self) -> Any:
        """The label -1 where it is the only negative one among at least two others."""
        if self.clusters < 3 or not self._labels.get("minus_one") or self._labels.get("below"):
            return None
        if self._kind != nw.String:
            return -1
        label = nw.col(self.side)
        others = self._frame.filter((label != "-1") & ~label.str.contains("^[0-9]+$"))
        return None if self._engine.count(others) else "-1"
