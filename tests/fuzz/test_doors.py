"""The same values through every door: the same scores, or every door refuses them."""

from __future__ import annotations

import tempfile
import warnings
from collections.abc import Callable
from numbers import Real
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import find, given, settings
from hypothesis import strategies as st

import clusterscore as cs
from fuzz.doors import FRAMES, KINDS, VECTORS, Column, columns

METRICS = "elm, v_measure"
REFUSED = "refused"


def outcome(call: Callable[[], cs.Scorecard]) -> Any:
    """The scores, or that there are none; whatever else is raised is a mistake of ours."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", cs.ClusterscoreWarning)
        try:
            card = call()
        except cs.ClusterscoreError as error:
            return REFUSED if "\n" not in str(error) and len(str(error)) < 1000 else error
    scores = {name: (score.value, score.precision, score.recall) for name, score in card.micro.items()}
    rows = {str(row[0]): tuple(row[1:]) for row in card.documents.rows()}
    return scores, sorted(rows.values())


def agree(outcomes: dict[str, Any], *kinds: str) -> None:
    """The same outcome everywhere; a database may refuse a type that it does not have."""
    first = next(iter(outcomes))
    apart = {
        name: theirs
        for name, theirs in outcomes.items()
        if theirs != outcomes[first] and not (theirs == REFUSED and set(kinds) & NOT_HELD.get(name, set()))
    }
    assert not apart, f"{first}: {outcomes[first]}, but {apart}"


# DuckDB's durations end at microseconds
NOT_HELD: dict[str, set[str]] = {
    "table: relation": {"durations"},
    "table: duckdb on pyarrow": {"durations"},
    "table: duckdb on polars": {"durations"},
    "table: feather": {"durations"},
    "table: arrays of feather": {"durations"},
}


@st.composite
def cases(draw: st.DrawFn) -> tuple[dict[str, Column], dict[str, Any]]:
    """Gold, pred, perhaps documents, and perhaps some of the labels as noise."""
    size = draw(st.integers(1, 7))
    nulls = draw(st.booleans())
    drawn = {"gold": draw(columns(size, nulls=nulls)), "pred": draw(columns(size))}
    if draw(st.booleans()):
        drawn["document"] = draw(columns(size, nulls=draw(st.sampled_from([False, False, True]))))
    given: dict[str, Any] = {}
    if draw(st.booleans()):
        # times below a microsecond are no noise that an engine takes: it says so
        sides = [column for column in (drawn["gold"], drawn["pred"]) if column.kind not in ("durations", "nanoseconds")]
        labels = [label for column in sides for label in column.values]
        names = [*labels, None, -1, "-1", "", 0, 1.5, True]
        if any(column.kind == "durations" for column in drawn.values()):
            names = [name for name in names if not isinstance(name, Real)]  # Parquet keeps durations as whole numbers
        given["noise"] = draw(st.lists(st.sampled_from(names), min_size=1, max_size=2))
        given["noise_as"] = draw(st.sampled_from(["singleton", "drop", "cluster"]))
    return drawn, given


def through_every_door(by_role: dict[str, Column], given: dict[str, Any]) -> dict[str, Any]:
    outcomes = {}
    for name, make in VECTORS.items():
        vectors = {role: make(column) for role, column in by_role.items()}
        more = {"documents": vectors["document"]} if "document" in vectors else {}
        outcomes[name] = outcome(
            lambda v=vectors, m=more: cs.score(v["gold"], v["pred"], metrics=METRICS, **m, **given)  # type: ignore[misc]
        )
    table = pa.table({role: column.arrow for role, column in by_role.items()})
    document = "document" if "document" in by_role else None
    with tempfile.TemporaryDirectory() as folder:
        for name, (make_frame, engine) in FRAMES.items():
            frame = make_frame(table, Path(folder) / "table")
            outcomes[f"table: {name}"] = outcome(
                lambda f=frame, e=engine: cs.score_table(  # type: ignore[misc]
                    f, metrics=METRICS, document=document, engine=e, **given
                )
            )
    return outcomes


@settings(max_examples=5, derandomize=True, deadline=None)
@given(cases())
def test_one_table(case: tuple[dict[str, Column], dict[str, Any]]) -> None:
    agree(through_every_door(*case), *(column.kind for column in case[0].values()))


@pytest.mark.slow
@settings(max_examples=300, derandomize=True, deadline=None)
@given(cases())
def test_one_table_long(case: tuple[dict[str, Column], dict[str, Any]]) -> None:
    agree(through_every_door(*case), *(column.kind for column in case[0].values()))


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_is_scored_as_its_keys_are(kind: str) -> None:
    """Not only the same everywhere, but right: each key is a label of its own."""
    keys = find(st.lists(KINDS[kind].keys, min_size=2, unique=True), lambda keys: len(keys) == 2)
    gold = Column(kind, [keys[0], keys[0], keys[1], keys[1]])
    pred = Column(kind, [keys[0], keys[1], keys[1], keys[1]])
    expected = outcome(lambda: cs.score([0, 0, 1, 1], [0, 1, 1, 1], metrics=METRICS))
    outcomes = through_every_door({"gold": gold, "pred": pred}, {})
    agree(outcomes, kind)
    assert outcomes["list"] == expected


@st.composite
def joined_cases(draw: st.DrawFn) -> tuple[dict[str, Column], dict[str, Column], dict[str, Any]]:
    """Two tables of elements and clusters; the ids are of one kind, and some are on one side only."""
    kind = draw(st.sampled_from([kind for kind in KINDS if kind not in ("bytes", "truth values")]))
    pool = draw(st.lists(KINDS[kind].keys, min_size=1, max_size=5, unique=True))
    repeated = draw(st.sampled_from([False] * 9 + [True]))
    sides = []
    for _ in range(2):
        ids = draw(st.lists(st.sampled_from(pool), min_size=1, max_size=6, unique=not repeated))
        labels = draw(columns(len(ids), kinds=("small integers", "text")))
        sides.append({"element": Column(kind, ids), "cluster": labels})
    given = {"missing": draw(st.sampled_from(["error", "drop", "singleton"]))}
    if draw(st.booleans()):
        given |= {
            "noise": draw(st.sampled_from([0, -1, "a", None])),
            "noise_as": draw(st.sampled_from(["drop", "singleton"])),
        }
    return sides[0], sides[1], given


def joined_through_every_door(
    gold: dict[str, Column], pred: dict[str, Column], given: dict[str, Any]
) -> dict[str, Any]:
    outcomes = {}
    for name, make in VECTORS.items():
        outcomes[name] = outcome(
            lambda make=make: cs.score(  # type: ignore[misc]
                *(
                    cs.Clustering.from_labels(make(side["cluster"]), elements=make(side["element"]))
                    for side in (gold, pred)
                ),
                metrics=METRICS, **given,
            )
        )  # fmt: skip
    tables = [pa.table({role: column.arrow for role, column in side.items()}) for side in (gold, pred)]
    with tempfile.TemporaryDirectory() as folder:
        for name, (make_frame, engine) in FRAMES.items():
            frames = [make_frame(table, Path(folder) / side) for table, side in zip(tables, "gp", strict=True)]
            outcomes[f"table: {name}"] = outcome(
                lambda f=frames, e=engine: cs.score_table(  # type: ignore[misc]
                    gold_table=f[0], pred_table=f[1], metrics=METRICS, engine=e, **given
                )
            )
    return outcomes


@settings(max_examples=5, derandomize=True, deadline=None)
@given(joined_cases())
def test_two_tables(case: tuple[dict[str, Column], dict[str, Column], dict[str, Any]]) -> None:
    agree(joined_through_every_door(*case), case[0]["element"].kind)


@pytest.mark.slow
@settings(max_examples=300, derandomize=True, deadline=None)
@given(joined_cases())
def test_two_tables_long(case: tuple[dict[str, Column], dict[str, Column], dict[str, Any]]) -> None:
    agree(joined_through_every_door(*case), case[0]["element"].kind)
