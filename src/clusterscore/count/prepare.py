"""Columns with labels become a prepared frame: gold and pred, what each stands for, perhaps the document."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from clusterscore.align.noise import other_spelling
from clusterscore.align.policies import Policy
from clusterscore.count.cells import ABSENT, ALONE, DROPPED, DROPPED_ABSENT, LABELLED, MADE_UP, NO_ID, NOISE, NULL
from clusterscore.count.engines import Engine
from clusterscore.count.kinds import fitting, joinable, nullable, plain
from clusterscore.errors import InputError, nearest
from clusterscore.read.labels import is_null

if TYPE_CHECKING:
    import narwhals as nw

    from clusterscore.count.cells import Frame

_AS_NOISE = {"singleton": ALONE, "cluster": NOISE, "drop": DROPPED}


class Names(NamedTuple):
    """Which column holds what; in two tables ``element`` and ``cluster`` are called so where nobody says otherwise."""

    gold: str = "gold"
    pred: str = "pred"
    document: str | None = None
    element: str | None = None
    cluster: str | None = None
    usual: bool = False  # take a column called document, or element, where nobody named one
    as_text: bool = False  # ids that are numbers in one file are text in the other

    def found(self, *frames: Frame) -> Names:
        """With the usual columns, where they are there."""
        if not self.usual:
            return self
        there = [frame.collect_schema().names() for frame in frames]
        document = self.document or ("document" if any("document" in names for names in there) else None)
        element = self.element or ("element" if all("element" in names for names in there) else None)
        return self._replace(document=document, element=element)


class Joined(NamedTuple):
    """A prepared frame and the two it was joined from, with the names of their columns."""

    frame: Frame
    document: bool
    sides: tuple[Frame, Frame] | None = None
    keys: tuple[list[str], list[str]] = ([], [])


def prepare_one(engine: Engine, frame: Frame, names: Names, policy: Policy) -> Joined:
    """One frame with both sides, a row per element."""
    import narwhals as nw

    columns_exist(frame, names._asdict(), ("gold", "pred", "document", "element"), "the table")
    keys = [(role, name) for role, name in (("document", names.document), ("element", names.element)) if name]
    prepared = frame.select(
        *_labelled(engine, frame, names.gold, "gold", policy), *_labelled(engine, frame, names.pred, "pred", policy),
        *(plain(frame, name, role).alias(role) for role, name in keys),
    )  # fmt: skip
    if policy.noise and policy.noise_as == "drop":
        prepared = prepared.filter(nw.col("gold_state") != DROPPED, nw.col("pred_state") != DROPPED)
    return Joined(prepared, names.document is not None)


def prepare_two(engine: Engine, gold: Frame, pred: Frame, names: Names, policy: Policy) -> Joined:
    """A full join; who is on one side only is told by a state that is missing on the other."""
    import narwhals as nw

    element, cluster, document = names.element or "element", names.cluster or "cluster", names.document
    with_document = [document is not None and document in frame.collect_schema().names() for frame in (gold, pred)]
    sides: list[Frame] = []
    for side, frame, documented in zip(("gold", "pred"), (gold, pred), with_document, strict=True):
        roles = {"element": element, "cluster": cluster, "document": document if not any(with_document) else None}
        columns_exist(frame, roles, tuple(roles), f"the {side} table")
        frame = nullable(frame, [element, cluster, *([document] if documented and document is not None else [])])
        keys = [plain(frame, element, "element").alias(f"{side}_element")]
        if documented and document is not None:
            keys.append(plain(frame, document, "document").alias(f"{side}_document"))
        label, *state = _labelled(engine, frame, cluster, side, policy)
        there = state or [nw.lit(LABELLED).cast(nw.Int8).alias(f"{side}_state")]
        sides.append(frame.select(*keys, label, *there))
    gold_keys, pred_keys = ["gold_element"], ["pred_element"]
    if all(with_document):
        gold_keys, pred_keys = ["gold_document", "gold_element"], ["pred_document", "pred_element"]
    for left, right in zip(gold_keys, pred_keys, strict=True):
        sides = joinable(sides, left, right, names.as_text)
    joined = sides[0].join(sides[1], how="full", left_on=gold_keys, right_on=pred_keys)
    states = {side: nw.col(f"{side}_state") for side in ("gold", "pred")}
    no_id = nw.col("gold_element").is_null() & nw.col("pred_element").is_null()
    dropped = (states["gold"] == DROPPED).fill_null(False) | (states["pred"] == DROPPED).fill_null(False)
    if policy.missing == "drop":
        dropped = dropped | states["gold"].is_null() | states["pred"].is_null()
    absent = nw.lit(MADE_UP if policy.missing == "singleton" else ABSENT)
    chosen = []
    for side in states:
        given = states[side]
        null = nw.when(nw.col(side).is_null() & (given == LABELLED)).then(nw.lit(NULL)).otherwise(given)
        here = nw.when(given.is_null()).then(absent).otherwise(null)
        gone = nw.when(given.is_null()).then(nw.lit(DROPPED_ABSENT)).otherwise(nw.lit(DROPPED))
        here = nw.when(dropped).then(gone).otherwise(here)
        here = nw.when(no_id).then(nw.lit(NO_ID)).otherwise(here).cast(nw.Int8)
        chosen += [nw.when(~dropped).then(nw.col(side)).alias(side), here.alias(f"{side}_state")]
    if any(with_document):
        known = [nw.col(f"{side}_document") for side, there in zip(states, with_document, strict=True) if there]
        chosen.append(nw.coalesce(*known).alias("document"))
    prepared = joined.select(*chosen, "gold_element", "pred_element")
    return Joined(prepared, any(with_document), (sides[0], sides[1]), (gold_keys, pred_keys))


def columns_exist(frame: Frame, given: Mapping[str, Any], roles: Iterable[str], what: str) -> None:
    """Raise for a column that is not there."""
    names = frame.collect_schema().names()
    for role in roles:
        name = given[role]
        if name is not None and name not in names:
            hint = nearest(str(name), map(str, names))
            remedy = "" if hint.endswith("?") else f'; name it with {role}="..."'
            raise InputError(f"{what} has no column {name!r} for the {role}: {hint}{remedy}")


def _labelled(engine: Engine, frame: Frame, name: str, side: str, policy: Policy) -> list[nw.Expr]:
    """The labels of a side, and where some labels mean noise also the state of each element."""
    import narwhals as nw

    column = plain(frame, name, side)
    if not policy.noise:
        return [column.alias(side)]
    code = nw.lit(_AS_NOISE[policy.noise_as])
    labels = _noise_labels(engine, frame, name, policy)
    noisy = column.is_in(labels) if labels else nw.lit(False)
    empty = code if policy.names_null else nw.lit(NULL)
    state = nw.when(noisy).then(code).otherwise(nw.lit(LABELLED))
    state = nw.when(column.is_null()).then(empty).otherwise(state).cast(nw.Int8)
    label = nw.when(~noisy).then(column) if labels else column
    return [label.alias(side), state.alias(f"{side}_state")]


def _noise_labels(engine: Engine, frame: Frame, name: str, policy: Policy) -> list[Any]:
    """The noise labels that the column may hold; one written otherwise is a mistake if the column has it."""
    import narwhals as nw

    kind = frame.collect_schema()[name]
    wanted = [label for label in policy.noise if not is_null(label)]
    found = []
    for label in wanted:
        fits = fitting(kind, label)
        if fits is not None:
            found.append(fits)
            continue
        twin = fitting(kind, other_spelling(label)) if isinstance(label, str | int | float) else None
        if twin is not None and not any(twin == fitting(kind, other) for other in wanted):
            there = frame.filter(plain(frame, name, "noise") == twin).select(nw.len().cast(nw.Int64).alias("count"))
            if int(engine.fetch(there, "looking for noise")["count"][0]):
                raise InputError(
                    f"noise={label!r} is no label here, but {twin!r} is; write it as the labels are written"
                )
    return found
