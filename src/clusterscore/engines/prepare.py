"""Columns with labels become a prepared frame: gold and pred, what each stands for, perhaps the document."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Any, NamedTuple

from clusterscore.align.noise import other_spelling
from clusterscore.align.policies import Policy
from clusterscore.engines.cells import ABSENT, ALONE, DROPPED, DROPPED_ABSENT, LABELLED, MADE_UP, NO_ID, NOISE, NULL
from clusterscore.engines.kinds import fitting, joinable, plain
from clusterscore.engines.open_table import Engine
from clusterscore.exceptions import InputError, nearest
from clusterscore.read.labels import is_null

if TYPE_CHECKING:
    import narwhals as nw

    from clusterscore.engines.cells import Frame

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

    @property
    def chosen(self) -> list[Any]:
        """All columns that may be asked for."""
        return [self.gold, self.pred, self.document, self.element, self.cluster, "document", "element", "cluster"]

    def found(self, *frames: Frame) -> Names:
        """With the usual columns, where they are there."""
        if not self.usual:
            return self
        there = [frame.collect_schema().names() for frame in frames]
        document = self.document or ("document" if any("document" in names for names in there) else None)
        element = self.element or ("element" if all("element" in names for names in there) else None)
        return self._replace(document=document, element=element)


class Joined(NamedTuple):
    """A prepared frame, the one or two that it was made from, their keys, and which sides have documents."""

    frame: Frame
    sides: tuple[Frame, ...]
    keys: tuple[list[str], ...]
    documented: list[str]

    @property
    def two(self) -> bool:
        """Whether it was joined."""
        return len(self.sides) == 2


def prepare_one(engine: Engine, frame: Frame, names: Names, policy: Policy) -> Joined:
    """One frame with both sides, a row per element."""
    import narwhals as nw

    columns_exist(frame, names._asdict(), ("gold", "pred", "document", "element"), "the table")
    roles = {"document": names.document, "element": names.element}
    keys = {role: name for role, name in roles.items() if name is not None}
    _refuse_misspelt(engine, [(frame, names.gold), (frame, names.pred)], policy)
    prepared = frame.select(
        *_labelled(frame, names.gold, "gold", policy), *_labelled(frame, names.pred, "pred", policy),
        *(plain(frame, name, role).alias(role) for role, name in keys.items()),
    )  # fmt: skip
    if policy.noise and policy.noise_as == "drop":
        dropped = (nw.col("gold_state") == DROPPED) | (nw.col("pred_state") == DROPPED)
        chosen = [
            each for side in ("gold", "pred")
            for each in _gone(side, nw.col(f"{side}_state"), dropped, nw.lit(DROPPED))
        ]  # fmt: skip
        prepared = prepared.select(*chosen, *keys)
    return Joined(prepared, (prepared,), ([*keys],), ["gold", "pred"] if names.document else [])


def prepare_two(engine: Engine, gold: Frame, pred: Frame, names: Names, policy: Policy) -> Joined:
    """A full join; a state that is missing marks an element that a side does not have."""
    import narwhals as nw

    element, cluster, document = names.element or "element", names.cluster or "cluster", names.document
    given = {"gold": gold, "pred": pred}
    documented = [side for side in given if document is not None and document in given[side].collect_schema().names()]
    for side, frame in given.items():
        roles = {"element": element, "cluster": cluster, "document": document if not documented else None}
        columns_exist(frame, roles, tuple(roles), f"the {side} table")
    _refuse_misspelt(engine, [(frame, cluster) for frame in given.values()], policy)
    sides: list[Frame] = []
    for side, frame in given.items():
        columns = [plain(frame, element, "element").alias(f"{side}_element")]
        if side in documented and document is not None:
            columns.append(plain(frame, document, "document").alias(f"{side}_document"))
        label, *state = _labelled(frame, cluster, side, policy)
        state = state or [nw.lit(LABELLED).cast(nw.Int8).alias(f"{side}_state")]
        sides.append(frame.select(*columns, label, *state))
    by = ["document", "element"] if len(documented) == 2 else ["element"]
    keys = tuple([f"{side}_{key}" for key in by] for side in given)
    for left, right in zip(*keys, strict=True):
        sides = joinable(engine, sides, left, right, names.as_text)
    joined = sides[0].join(sides[1], how="full", left_on=keys[0], right_on=keys[1])
    states = {side: nw.col(f"{side}_state") for side in given}
    no_id = nw.col("gold_element").is_null() & nw.col("pred_element").is_null()
    dropped = (states["gold"] == DROPPED).fill_null(False) | (states["pred"] == DROPPED).fill_null(False)
    if policy.missing == "drop":
        dropped = dropped | states["gold"].is_null() | states["pred"].is_null()
    absent = nw.lit(MADE_UP if policy.missing == "singleton" else ABSENT)
    chosen = []
    for side, there in states.items():
        null = nw.when(nw.col(side).is_null() & (there == LABELLED)).then(nw.lit(NULL)).otherwise(there)
        here = nw.when(there.is_null()).then(absent).otherwise(null)
        gone = nw.when(there.is_null()).then(nw.lit(DROPPED_ABSENT)).otherwise(nw.lit(DROPPED))
        here = nw.when(no_id).then(nw.lit(NO_ID)).otherwise(here)
        chosen += _gone(side, here, dropped & ~no_id, gone)
    if documented:
        chosen.append(nw.coalesce(*(nw.col(f"{side}_document") for side in documented)).alias("document"))
    prepared = joined.select(*chosen, "gold_element", "pred_element")
    return Joined(prepared, tuple(sides), keys, documented)


def _gone(side: str, state: nw.Expr, dropped: nw.Expr, gone: nw.Expr) -> list[nw.Expr]:
    """A side without what is dropped; a label that is null is a mistake also where its element is dropped."""
    import narwhals as nw

    here = nw.when(dropped & (state != NULL)).then(gone).otherwise(state).cast(nw.Int8)
    return [nw.when(~dropped).then(nw.col(side)).alias(side), here.alias(f"{side}_state")]


def columns_exist(frame: Frame, given: Mapping[str, Any], roles: Iterable[str], what: str) -> None:
    """Raise for a column that is not there."""
    names = frame.collect_schema().names()
    for role in roles:
        name = given[role]
        if name is not None and name not in names:
            hint = nearest(str(name), map(str, names))
            remedy = "" if hint.endswith("?") else f'; name it with {role}="..."'
            raise InputError(f"{what} has no column {name!r} for the {role}: {hint}{remedy}")


def _labelled(frame: Frame, name: str, side: str, policy: Policy) -> list[nw.Expr]:
    """The labels of a side, and where some labels mean noise also the state of each element."""
    import narwhals as nw

    column = plain(frame, name, side)
    if not policy.noise:
        return [column.alias(side)]
    code = nw.lit(_AS_NOISE[policy.noise_as])
    noisy = _equals(frame, name, policy.noise)
    state = nw.when(column.is_null()).then(code if policy.names_null else nw.lit(NULL)).otherwise(nw.lit(LABELLED))
    if noisy is not None:
        state, column = nw.when(noisy).then(code).otherwise(state), nw.when(~noisy).then(column)
    return [column.alias(side), state.cast(nw.Int8).alias(f"{side}_state")]


def _equals(frame: Frame, name: str, labels: Iterable[Any]) -> nw.Expr | None:
    """Where a column has one of these labels; None where it cannot have any."""
    import narwhals as nw

    column, kind = plain(frame, name, "noise"), frame.collect_schema()[name]
    kind = nw.String() if kind in (nw.Categorical, nw.Enum) else kind
    found = [fitting(kind, label) for label in labels if not is_null(label)]
    same = [column == nw.lit(label, kind) for label in found if label is not None]
    return reduce(or_, same) if same else None


def _refuse_misspelt(engine: Engine, columns: list[tuple[Frame, str]], policy: Policy) -> None:
    """No noise at all is fine, but -1 where the labels say "-1" is a mistake."""
    twins = [(label, other_spelling(label)) for label in policy.noise if not is_null(label)]
    twins = [(label, twin) for label, twin in twins if twin is not None and twin not in policy.noise]
    held = [
        (frame, name, label, twin)
        for label, twin in twins
        for frame, name in columns
        if fitting(frame.collect_schema()[name], twin) is not None
    ]
    if not held or any(_holds(engine, frame, name, policy.noise) for frame, name in columns):
        return
    for frame, name, label, twin in held:
        if _holds(engine, frame, name, [twin]):
            raise InputError(f"noise={label!r} is no label here, but {twin!r} is; write it as the labels are written")


def _holds(engine: Engine, frame: Frame, name: str, labels: Iterable[Any]) -> bool:
    null = plain(frame, name, "noise").is_null() if any(map(is_null, labels)) else None
    found = [each for each in (null, _equals(frame, name, labels)) if each is not None]
    return bool(found) and not engine.is_empty(frame.filter(reduce(or_, found)))
