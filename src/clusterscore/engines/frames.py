"""Frames of any library: the plan is run where they lie, what is wrong is told, the numbers become a Table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from typing import TYPE_CHECKING, Any

import numpy as np

from clusterscore.align.policies import DOCUMENTS, Policy
from clusterscore.count.rows import Matches, Rows, Sizes
from clusterscore.count.supersets import Supersets
from clusterscore.count.table import Need, Table
from clusterscore.distinct import Array
from clusterscore.engines.cells import ABSENT, DROPPED_ABSENT, MADE_UP, NO_ID, NULL, Cells
from clusterscore.engines.fetched import Fetched
from clusterscore.engines.kinds import joinable, plain
from clusterscore.engines.open_table import Engine, Found
from clusterscore.engines.prepare import Joined, Names, columns_exist, prepare_one, prepare_two
from clusterscore.exceptions import ElementMismatch, EngineError, InputError, plural
from clusterscore.read.arrays import check_some
from clusterscore.read.clustering import Clustering
from clusterscore.read.labels import encode

if TYPE_CHECKING:
    from clusterscore.engines.cells import Frame

_MOST_SQUARED = 3_037_000_499  # elements whose squares an engine can add up in 64 bits
_NOT_HERE = (ABSENT, MADE_UP, DROPPED_ABSENT)  # states of an element that a side does not have


def count_frame(engine: Engine, frame: Frame, names: Names, policy: Policy, needs: Iterable[Need]) -> Table:
    """One frame with both sides, a row per element."""
    names = names.found(frame)
    prepared = prepare_one(engine, frame, names, policy)
    if names.element is not None:
        _refuse_repeats(engine, prepared.frame, prepared.keys[0], "the table")
    return _count(engine, prepared, policy, needs)


def count_two_frames(
    engine: Engine, gold: Frame, pred: Frame, names: Names, policy: Policy, needs: Iterable[Need]
) -> Table:
    """Two frames with an element and a cluster column each, joined by element."""
    return _count(engine, prepare_two(engine, gold, pred, names.found(gold, pred), policy), policy, needs)


def fetch_sides(engine: Engine, frames: Sequence[Frame], names: Names) -> tuple[Clustering, Clustering]:
    """The columns themselves, for those who count in memory."""
    names = names.found(*frames)
    if len(frames) == 1:
        roles = {role: getattr(names, role) for role in ("gold", "pred", "element", "document")}
        found = engine.fetch(_chosen(engine, frames[0], roles, "the table"), "reading")  # at once: rows have no order
        return _sides(found, found, "gold", "pred")
    documented = [names.document in frame.collect_schema().names() for frame in frames]
    chosen = []
    for side, frame, here in zip(("gold", "pred"), frames, documented, strict=True):
        document = names.document if here or not any(documented) else None
        roles = {"cluster": names.cluster or "cluster", "element": names.element or "element", "document": document}
        chosen.append(_chosen(engine, frame, roles, f"the {side} table"))
    for key in ["element", *(["document"] if all(documented) else [])] if engine.plans else []:
        chosen = joinable(engine, chosen, key, key, names.as_text)
    gold, pred = (engine.fetch(frame, "reading") for frame in chosen)
    return _sides(gold, pred, "cluster", "cluster")


def _chosen(engine: Engine, frame: Frame, roles: Mapping[str, str | None], what: str) -> Frame:
    import narwhals as nw

    columns_exist(frame, roles, tuple(roles), what)
    given = {role: name for role, name in roles.items() if name is not None}
    if not engine.plans:  # what is in memory is read as it is
        return frame.select(*(nw.col(name).alias(role) for role, name in given.items()))
    return frame.select(*(plain(frame, name, role).alias(role) for role, name in given.items()))


def _sides(gold: Found, pred: Found, gold_label: str, pred_label: str) -> tuple[Clustering, Clustering]:
    left, right = (
        Clustering.from_labels(found[label], elements=found.get("element"), documents=found.get("document"))
        for found, label in ((gold, gold_label), (pred, pred_label))
    )
    return left, right


def _count(engine: Engine, joined: Joined, policy: Policy, needs: Iterable[Need]) -> Table:
    if joined.documented:
        policy = policy.read_with(DOCUMENTS, DOCUMENTS)
    wanted = sorted(needs, key=str)
    if policy.missing == "keep" and joined.two:
        wanted += [("sizes", side) for side in ("gold", "pred", "gold common", "pred common")]
    cells = Cells(_settled(engine, joined), document=bool(joined.documented))
    if wanted:
        cells.frame = engine.keep(cells.frame)
    found = _counted(engine, cells)
    one_sided = _refuse(engine, joined, found, policy)
    gold, pred = found["gold_state"], found["pred_state"]
    good = (gold < NULL) & (pred < NULL)
    if policy.missing != "keep":
        check_some(int(good.sum()), f"what is left with {policy.signature.replace('|', ', ')}")
    names = None
    if joined.documented:
        used = good | (gold < NULL) & (pred == ABSENT) | (pred < NULL) & (gold == ABSENT)
        names = _Documents(found["document"], used, _in_order(engine, joined))
    n, a, b, times = (found[column][good] for column in ("n", "a", "b", "times"))
    rows = Rows(None if names is None else names.codes(found["document"])[good], n, a, b, times, None)
    if any(need[0] == "supersets" for need in wanted) and int((rows.n * rows.times).sum()) > _MOST_SQUARED:
        raise InputError("alphamax_bcubed on an engine counts at most 3e9 elements; leave it out of metrics=")
    known = {need: _known(need, engine.fetch(cells.fetching(need), "counting more"), names) for need in wanted}
    documents = (None,) if names is None else names.names
    return Table(Fetched(rows, known), documents=documents, one_sided=one_sided, policy=policy)


def _settled(engine: Engine, joined: Joined) -> Frame:
    if not joined.two:
        return joined.frame
    columns = ["gold", "gold_state", "pred", "pred_state", *(["document"] if joined.documented else [])]
    return engine.settle(joined.frame.select(*columns))


def _counted(engine: Engine, cells: Cells) -> Found:
    """The rows, with the states of both sides."""
    found = engine.fetch(cells.rows(), "counting")
    if cells.states:
        return found
    if (found["n"] < 0).any():
        return engine.fetch(cells.rows_with_states(), "looking for what is missing")
    fine = np.zeros(len(found["n"]), np.int64)
    return {**found, "gold_state": fine, "pred_state": fine}


def _in_order(engine: Engine, joined: Joined) -> Any:
    """Documents in the order of their first rows, those of gold first; none where rows have no order."""
    if not joined.two:
        return engine.in_order(joined.sides, [], "document")
    gold, pred = joined.sides
    own = {"gold": [gold], "pred": [pred]}
    found = [engine.in_order(own[side], [], f"{side}_document") for side in joined.documented]
    if joined.documented == ["pred"]:
        found.insert(0, engine.in_order([gold, pred], joined.keys, "pred_document"))
    return reduce(_end_to_end, found)


class _Documents:
    """The documents that are used, in the order in which a card lists them."""

    def __init__(self, values: Any, used: Array, order: Any):
        known = encode(_end_to_end(order, values))
        given = known.codes[len(order) :][used]
        if len(order):
            in_order, first = np.unique(known.codes[: len(order)], return_index=True)
            places = in_order[first.argsort()]
            self.names = [known.name(code) for code in places[np.isin(places, given)].tolist()]
        else:  # where rows have no order, by name
            self.names = sorted(known.name(code) for code in np.unique(given).tolist())

    def codes(self, values: Any) -> Array:
        """The place of each value among the names, -1 for one that is not used."""
        known = encode(_end_to_end(self.names, values))
        places = np.full(len(known.names), -1, np.int64)
        places[known.codes[: len(self.names)]] = np.arange(len(self.names))
        return places[known.codes[len(self.names) :]]


def _end_to_end(left: Any, right: Any) -> Any:
    if isinstance(left, np.ndarray) and isinstance(right, np.ndarray) and left.dtype == right.dtype:
        return np.concatenate([left, right])
    return [*left, *right]


def _known(need: Need, found: Mapping[str, Any], names: _Documents | None) -> Any:
    """Columns as the table gives them out."""
    document = None
    if names is not None:
        document = names.codes(found["document"])
        if (document < 0).any():
            raise EngineError("the engine's second look at the table found other documents; pass one that rests")
    if need[0] == "largest_total":
        return Sizes(document, found["total"], None)
    if need[0] == "sizes":
        return Sizes(document, found["size"], found["times"])
    if need[0] == "best_matches":
        return Matches(document, found["size"], found["f"], found["times"])
    columns = {name: found.get(name) for name in Supersets._fields if name not in ("document", "weight")}
    return Supersets(document=document, weight=None, **columns)  # type: ignore[arg-type]


def _refuse(engine: Engine, joined: Joined, found: Mapping[str, Any], policy: Policy) -> tuple[int, int]:
    """What is wrong with the elements is an error; how many are on one side only is the answer."""
    count = found["n"] * found["times"]
    states = {"gold": found["gold_state"], "pred": found["pred_state"]}
    sizes = [int(count.sum())]
    if joined.two:
        sizes = _refuse_ids(engine, joined, count, states)
    if policy.missing != "keep":
        for what, size in zip(("gold", "pred") if joined.two else ("the table",), sizes, strict=True):
            check_some(size, what)
    nameless = np.zeros(len(count), np.bool_)
    if joined.documented:
        documents = encode(found["document"])
        nameless = documents.codes == (-1 if documents.null is None else documents.null)
        here = [~np.isin(states[side], _NOT_HERE) for side in joined.documented]
        _refuse_nameless(count[nameless & np.logical_or.reduce(here)])
    for side, state in states.items():
        empty = int(count[state == NULL].sum())
        if empty:
            raise InputError(
                f"{side} has {plural(empty, 'element')} with no label (null or NaN); pass noise=[None] with "
                'noise_as="drop" or "singleton", or give them a label'
            )
    only_gold, only_pred = int(count[states["pred"] == ABSENT].sum()), int(count[states["gold"] == ABSENT].sum())
    if policy.missing == "error" and (only_gold or only_pred):
        raise _mismatch(engine, joined, only_gold, only_pred)
    # where one table alone has documents, elements of the other have none unless they are dropped
    _refuse_nameless(count[nameless & (states["gold"] < NO_ID) & (states["pred"] < NO_ID)])
    return only_gold, only_pred


def _refuse_nameless(count: Array) -> None:
    if len(count):
        raise InputError(f"{plural(int(count.sum()), 'element')} without a document (null or NaN); name one for each")


def _refuse_ids(engine: Engine, joined: Joined, count: Array, states: Mapping[str, Array]) -> list[int]:
    """An id that stands twice would multiply rows in the join; that is seen from their number."""
    import narwhals as nw

    no_id = int(count[states["gold"] == NO_ID].sum())
    if no_id:
        raise InputError(f"{plural(no_id, 'element')} without an id (null or NaN); give each one an id of its own")
    lacking = [np.isin(state, _NOT_HERE) for state in states.values()]
    sizes = [int(engine.first(side.select(nw.len().cast(nw.Int64).alias("rows")))) for side in joined.sides]
    multiplied = any(int(count[~absent].sum()) != size for absent, size in zip(lacking, sizes, strict=True))
    # whoever is on one side only is not multiplied: those are looked at more closely
    for side, keys, name, alone in zip(joined.sides, joined.keys, states, lacking[::-1], strict=True):
        if multiplied or alone.any():
            _refuse_repeats(engine, side, keys, name)
    return sizes


def _mismatch(engine: Engine, joined: Joined, only_gold: int, only_pred: int) -> ElementMismatch:
    import narwhals as nw

    told = []
    for side, other, only in (("gold", "pred", only_gold), ("pred", "gold", only_pred)):
        if only:
            here = joined.frame.filter(nw.col(f"{other}_state") == ABSENT)
            example = engine.first(here.select(nw.col(f"{side}_element").min()))
            told.append(f"{plural(only, 'element')} {'is' if only == 1 else 'are'} only in {side} (e.g. {example!r})")
    return ElementMismatch(" and ".join(told) + '; pass missing="drop" or "singleton"')


def _refuse_repeats(engine: Engine, frame: Frame, keys: list[str], what: str) -> None:
    """An element stands there once, under an id."""
    import narwhals as nw

    nameless = frame.filter(nw.col(keys[-1]).is_null()).select(nw.len().cast(nw.Int64).alias("count"))
    lacking = int(engine.first(nameless))
    if lacking:
        raise InputError(f"{plural(lacking, 'element')} without an id (null or NaN); give each one an id of its own")
    twice = frame.group_by(*keys).agg(nw.len().alias("times")).filter(nw.col("times") > 1)
    repeated = int(engine.first(twice.select(nw.len().cast(nw.Int64).alias("count"))))
    if repeated:
        example = engine.first(twice.select(nw.col(keys[-1]).min()))
        raise InputError(
            f"{plural(repeated, 'element')} in more than one row of {what} (e.g. {example!r}); a "
            "partition holds each element once: drop the repetitions"
        )
