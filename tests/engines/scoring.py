"""Score the same columns, handed over in a way of its own; and what is said where that cannot be."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import clusterscore as cs
from engines.makers import WAYS, Columns


def score(way: str, columns: Columns, folder: Path, **options: Any) -> cs.Scorecard:
    """One table with both sides."""
    how = WAYS[way]
    return cs.score_table(how.make(columns, folder / "table"), engine=how.engine, **options)


def score_two(way: str, gold: Columns, pred: Columns, folder: Path, **options: Any) -> cs.Scorecard:
    """Two tables, joined by element."""
    how = WAYS[way]
    tables = {f"{side}_table": how.make(columns, folder / side) for side, columns in (("gold", gold), ("pred", pred))}
    return cs.score_table(**tables, engine=how.engine, **options)


def refused(call: Callable[[], Any], *parts: str) -> str:
    """The one line that a mistake is told in, with all that it must say."""
    with pytest.raises(cs.ClusterscoreError) as error:
        call()
    message = str(error.value)
    assert [part for part in parts if part not in message] == [], message
    assert "\n" not in message
    assert len(message) < 400
    assert isinstance(error.value, ValueError | TypeError | RuntimeError)
    return message


def tables(ids: list[Any], more: list[Any], **columns: Any) -> tuple[Columns, Columns]:
    """Two tables of these elements, all in one cluster; ``gold_document=[...]`` is a column of the first."""
    gold = {"element": ids, "cluster": [1] * len(ids)}
    pred = {"element": more, "cluster": [1] * len(more)}
    for name, values in columns.items():
        side, _, column = name.partition("_")
        (gold if side == "gold" else pred)[column] = values
    return gold, pred
