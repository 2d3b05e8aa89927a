"""The columns of one or two tables become a frame that the plan counts: gold, pred, perhaps state and document."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from operator import or_
from typing import Any, NamedTuple

import narwhals as nw

from clusterscore.align.noise import other_spelling
from clusterscore.align.policies import Policy
from clusterscore.engines import TableColumns
from clusterscore.engines.column_types import fitting, joinable, plain
from clusterscore.engines.engine import Engine
from clusterscore.engines.plan import ABSENT, LABELLED, NOISE, NULL, STATES, Frame
from clusterscore.exceptions import InputError, nearest
from clusterscore.read.clustering import Clustering
from clusterscore.read.labels import is_null

_LAST_ROW = 2**62  # of an element that a side does not have


class Sides(NamedTuple):
    """The columns that are compared, and no others: gold, gold_element and gold_document, and the same of pred.

    One table with both sides is the gold one, and has the labels of pred too.
    """

    frames: dict[str, Frame]  # "gold", and "pred" where that is a table of its own
    documented: list[str]  # the tables that have documents

    @property
    def two(self) -> bool:
        """Whether two tables are to be joined."""
        return len(self.frames) == 2

    def table(self, side: str) -> str:
        """Which table has the labels of a side."""
        return side if self.two else "gold"

    def keys(self, table: str) -> list[str]:
        """The columns that tell the elements of a table apart."""
        keys = ["document", "element"] if len(self.documented) == len(self.frames) else ["element"]
        return [f"{table}_{key}" for key in keys]


def select_sides(engine: Engine, frames: Sequence[Frame], columns: TableColumns) -> Sides:
    """The columns of both sides; where the engine compares them, as types that it compares as Python does."""
    known = [frame.collect_schema().names() for frame in frames]
    document, element = columns.document, columns.element
    if columns.defaults:
        document = document or ("document" if any("document" in names for names in known) else None)
        element = element or ("element" if all("element" in names for names in known) else None)
    documented = [side for side, names in zip(("gold", "pred"), known, strict=False) if document in names]
    sides = Sides({}, documented)
    for side, frame in zip(("gold", "pred"), frames, strict=False):
        roles = {"gold": columns.gold, "pred": columns.pred, "element": element}
        if len(frames) == 2:
            roles = {"cluster": columns.cluster or "cluster", "element": element or "element"}
        if side in documented or not documented:
            roles["document"] = document
        sides.frames[side] = _select(
            engine, frame, side, roles, f"the {side} table" if len(frames) == 2 else "the table"
        )
    for keys in zip(sides.keys("gold"), sides.keys("pred"), strict=True) if sides.two and engine.plans else ():
        sides.frames.update(joinable(engine, sides.frames, keys))
    return sides


def _select(engine: Engine, frame: Frame, side: str, roles: Mapping[str, str | None], table: str) -> Frame:
    """The columns that have these roles, under names of ours."""
    known = frame.collect_schema().names()
    names = {"gold": "gold", "pred": "pred", "cluster": side}
    chosen = []
    for role, name in roles.items():
        if name is None:
            continue
        if name not in known:
            hint = nearest(str(name), map(str, known))
            remedy = "" if hint.endswith("?") else f'; name it with {role}="..."'
            raise InputError(f"{table} has no column {name!r} for the {role}: {hint}{remedy}")
        column = plain(frame, name, role) if engine.plans else nw.col(name)
        chosen.append(column.alias(names.get(role, f"{side}_{role}")))
    return frame.select(*chosen)


def fetch_sides(engine: Engine, frames: Sequence[Frame], columns: TableColumns) -> tuple[Clustering, Clustering]:
    """The columns themselves, to be counted in memory."""
    sides = select_sides(engine, frames, columns)
    # each table at once: what is read twice may come in another order
    fetched = {table: engine.fetch(frame, "reading") for table, frame in sides.frames.items()}
    gold, pred = (
        Clustering.from_labels(
            fetched[table][side],
            elements=fetched[table].get(f"{table}_element"),
            documents=fetched[table].get(f"{table}_document"),
        )
        for side, table in (("gold", "gold"), ("pred", sides.table("pred")))
    )
    return gold, pred


def prepare(engine: Engine, sides: Sides, policy: Policy) -> Frame:
    """A row per element with gold, pred, perhaps its document, and its state unless all are labelled on both sides."""
    frames, added = dict(sides.frames), []
    if sides.documented:
        frames = {table: engine.numbered(frame, f"{table}_row") for table, frame in frames.items()}
        added.append(nw.coalesce(*(nw.col(f"{table}_document") for table in sides.documented)).alias("document"))
    if sides.two or policy.noise:
        for side in ("gold", "pred"):
            frames[sides.table(side)] = _with_state(frames[sides.table(side)], side, policy)
        gold, pred = (nw.col(f"{side}_state").fill_null(ABSENT) for side in ("gold", "pred"))
        added.append((gold * STATES + pred).alias("state"))
    frame = frames["gold"]
    if sides.two:
        frame = frame.join(frames["pred"], how="full", left_on=sides.keys("gold"), right_on=sides.keys("pred"))
    added += [nw.col(name).fill_null(_LAST_ROW) for name in frame.collect_schema().names() if name.endswith("_row")]
    return frame.with_columns(*added) if added else frame


def _with_state(frame: Frame, side: str, policy: Policy) -> Frame:
    """Labels that mean noise become null; the state tells them from those that were."""
    label, state = nw.col(side), f"{side}_state"
    null = nw.when(label.is_null()).then(nw.lit(NULL)).otherwise(nw.lit(LABELLED))
    noisy = _equals(frame, side, policy.noise)
    if noisy is None:
        return frame.with_columns(null.cast(nw.Int8).alias(state))
    marked = nw.when(noisy).then(nw.lit(NOISE)).otherwise(null)
    return frame.with_columns(nw.when(~noisy).then(label).alias(side), marked.cast(nw.Int8).alias(state))


def _equals(frame: Frame, name: str, labels: Iterable[Any]) -> nw.Expr | None:
    """Where a column has one of these labels; None where it cannot have any."""
    kind, column = frame.collect_schema()[name], nw.col(name)
    same = [column.is_null()] if any(map(is_null, labels)) else []
    fits = [fitting(kind, label) for label in labels if not is_null(label)]
    same += [column == nw.lit(label, kind) for label in fits if label is not None]
    return reduce(or_, same) if same else None


def refuse_misspelt(engine: Engine, sides: Sides, policy: Policy) -> None:
    """Where there is no noise at all, -1 is a mistake if a label is "-1"."""
    for label in policy.noise:
        twin = None if is_null(label) else other_spelling(label)
        for side in ("gold", "pred") if twin is not None and twin not in policy.noise else ():
            frame = sides.frames[sides.table(side)]
            same = _equals(frame, side, [twin])
            if same is not None and engine.count(frame.filter(same)):
                raise InputError(
                    f"noise={label!r} is no label here, but {twin!r} is; write it as the labels are written"
                )
