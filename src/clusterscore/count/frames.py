"""Frames of any library, counted where they lie: the plan is run, what is wrong is told, the numbers become a Table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from clusterscore.align.policies import DOCUMENTS, Policy
from clusterscore.count.cells import ABSENT, DROPPED_ABSENT, MADE_UP, NO_ID, NULL, Cells
from clusterscore.count.engines import Engine, Found
from clusterscore.count.kinds import joinable, plain
from clusterscore.count.merged import MergedTable
from clusterscore.count.prepare import Joined, Names, columns_exist, prepare_one, prepare_two
from clusterscore.count.rows import Matches, Rows, Sizes
from clusterscore.count.supersets import Supersets
from clusterscore.count.table import Need, Table
from clusterscore.distinct import Array
from clusterscore.errors import ElementMismatch, InputError, plural
from clusterscore.read.clustering import Clustering
from clusterscore.read.labels import is_null

if TYPE_CHECKING:
    from clusterscore.count.cells import Frame

_MOST_SQUARED = 3_037_000_499  # elements whose squares an engine can add up in 64 bits


def count_frame(engine: Engine, frame: Frame, names: Names, policy: Policy, needs: Iterable[Need]) -> Table:
    """One frame with both sides, a row per element."""
    names = names.found(frame)
    prepared = prepare_one(engine, frame, names, policy)
    if names.element is not None:
        keys = ["document", "element"] if names.document is not None else ["element"]
        _refuse_repeats(engine, prepared.frame, keys, "the table")
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
        found = engine.fetch(_chosen(frames[0], roles, "the table"), "reading")  # at once: rows may come in any order
        return _sides(found, found, "gold", "pred")
    documented = [names.document in frame.collect_schema().names() for frame in frames]
    chosen = []
    for side, frame, here in zip(("gold", "pred"), frames, documented, strict=True):
        document = names.document if here or not any(documented) else None
        roles = {"cluster": names.cluster or "cluster", "element": names.element or "element", "document": document}
        chosen.append(_chosen(frame, roles, f"the {side} table"))
    for key in ["element", *(["document"] if all(documented) else [])]:
        chosen = joinable(chosen, key, key, names.as_text)
    gold, pred = (engine.fetch(frame, "reading") for frame in chosen)
    return _sides(gold, pred, "cluster", "cluster")


def _chosen(frame: Frame, roles: Mapping[str, str | None], what: str) -> Frame:
    columns_exist(frame, roles, tuple(roles), what)
    return frame.select(*(plain(frame, name, role).alias(role) for role, name in roles.items() if name is not None))


def _sides(gold: Found, pred: Found, gold_label: str, pred_label: str) -> tuple[Clustering, Clustering]:
    left, right = (
        Clustering.from_labels(found[label], elements=found.get("element"), documents=found.get("document"))
        for found, label in ((gold, gold_label), (pred, pred_label))
    )
    return left, right


def _count(engine: Engine, joined: Joined, policy: Policy, needs: Iterable[Need]) -> Table:
    if joined.document:
        policy = policy.read_with(DOCUMENTS, DOCUMENTS)
    wanted = sorted(needs, key=str)
    if policy.missing == "keep":
        wanted += [("sizes", side) for side in ("gold", "pred", "gold common", "pred common")]
    cells = Cells(_settled(engine, joined), document=joined.document)
    if wanted:
        cells.frame = engine.keep(cells.frame)
    found = _counted(engine, cells)
    one_sided = _refuse(engine, joined, found, policy)
    good = (found["gold_state"] < NULL) & (found["pred_state"] < NULL)
    if not good.any() and not any(one_sided):
        raise InputError(f"what is left with {policy.signature.replace('|', ', ')} is empty: there is nothing to score")
    one_side = (found["gold_state"] < NULL) & (found["pred_state"] == ABSENT) | (
        (found["pred_state"] < NULL) & (found["gold_state"] == ABSENT)
    )
    names = _Documents(found["document"][good | one_side]) if joined.document else None
    document = None if names is None else names.codes(found["document"][good])
    n, a, b, times = (found[column][good] for column in ("n", "a", "b", "times"))
    rows = Rows(document, n, a, b, times, None)
    if any(need[0] == "supersets" for need in wanted) and int((rows.n * rows.times).sum()) > _MOST_SQUARED:
        raise InputError("alphamax_bcubed on an engine counts at most 3e9 elements; leave it out of metrics=")
    known = {need: _known(need, engine.fetch(cells.fetching(need), "counting more"), names) for need in wanted}
    return MergedTable(
        rows, known, documents=(None,) if names is None else names.names, one_sided=one_sided, policy=policy
    )


def _settled(engine: Engine, joined: Joined) -> Frame:
    if joined.sides is None:
        return joined.frame
    columns = ["gold", "gold_state", "pred", "pred_state", *(["document"] if joined.document else [])]
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


class _Documents:
    """Documents in the order of their names, numbered."""

    def __init__(self, values: Array):
        self.names = sorted(set(values.tolist()))
        self._place = {name: k for k, name in enumerate(self.names)}

    def codes(self, values: Array) -> Array:
        return np.fromiter(map(self._place.__getitem__, values.tolist()), np.int64, len(values))


def _known(need: Need, found: Mapping[str, Array], names: _Documents | None) -> Any:
    """Columns as the table gives them out."""
    document = None if names is None else names.codes(found["document"])
    if need[0] == "largest_total":
        if names is None or document is None:
            return found["total"].astype(np.float64)
        return np.bincount(document, found["total"], len(names.names)).astype(np.float64)
    if need[0] == "sizes":
        return Sizes(document, found["size"], found["times"])
    if need[0] == "best_matches":
        return Matches(document, found["size"], found["f"], found["times"])
    columns = {name: found.get(name) for name in Supersets._fields if name not in ("document", "weight")}
    return Supersets(document=document, weight=None, **columns)  # type: ignore[arg-type]


def _refuse(engine: Engine, joined: Joined, found: Mapping[str, Array], policy: Policy) -> tuple[int, int]:
    """What is wrong with the elements is an error; how many are on one side only is the answer."""
    if not len(found["n"]):
        raise InputError("the table is empty (0 elements): there is nothing to score")
    count = found["n"] * found["times"]
    gold, pred = found["gold_state"], found["pred_state"]
    if joined.sides is not None:
        _refuse_ids(engine, joined, count, gold, pred)
    if joined.document and len(joined.keys[0]) != 1:
        _refuse_nameless(found, count)
    only_gold, only_pred = int(count[pred == ABSENT].sum()), int(count[gold == ABSENT].sum())
    if policy.missing == "error" and (only_gold or only_pred):
        raise _mismatch(engine, joined, only_gold, only_pred)
    if joined.document:  # where one table alone has documents, those of the other have none: that was told above
        _refuse_nameless(found, count)
    for side, state in (("gold", gold), ("pred", pred)):
        empty = int(count[state == NULL].sum())
        if empty:
            raise InputError(
                f"{side} has {plural(empty, 'element')} with no label (null or NaN); pass noise=[None] with "
                'noise_as="drop" or "singleton", or give them a label'
            )
    return only_gold, only_pred


def _refuse_nameless(found: Mapping[str, Array], count: Array) -> None:
    nameless = np.fromiter(map(is_null, found["document"].tolist()), np.bool_, len(count))
    lacking = int(count[nameless & (found["gold_state"] < NO_ID) & (found["pred_state"] < NO_ID)].sum())
    if lacking:
        raise InputError(f"{plural(lacking, 'element')} without a document (null or NaN); name one for each")


def _refuse_ids(engine: Engine, joined: Joined, count: Array, gold: Array, pred: Array) -> None:
    """An id that stands twice would multiply rows in the join; that is seen from their number."""
    import narwhals as nw

    no_id = int(count[gold == NO_ID].sum())
    if no_id:
        raise InputError(f"{plural(no_id, 'element')} without an id (null or NaN); give each one an id of its own")
    assert joined.sides is not None
    lacking = [np.isin(state, (ABSENT, MADE_UP, DROPPED_ABSENT)) for state in (gold, pred)]
    sizes = [engine.fetch(side.select(nw.len().cast(nw.Int64).alias("rows")), "counting rows")["rows"][0]
             for side in joined.sides]  # fmt: skip
    multiplied = any(int(count[~absent].sum()) != size for absent, size in zip(lacking, sizes, strict=True))
    # whoever is on one side only is not multiplied: those are looked at more closely
    for side, keys, name, alone in zip(joined.sides, joined.keys, ("gold", "pred"), lacking[::-1], strict=True):
        if multiplied or alone.any():
            _refuse_repeats(engine, side, keys, name)


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
    lacking = int(engine.fetch(nameless, "checking the ids")["count"][0])
    if lacking:
        raise InputError(f"{plural(lacking, 'element')} without an id (null or NaN); give each one an id of its own")
    twice = frame.group_by(*keys).agg(nw.len().alias("times")).filter(nw.col("times") > 1)
    found = engine.fetch(twice.select(nw.len().cast(nw.Int64).alias("count")), "checking the ids")
    if int(found["count"][0]):
        example = engine.first(twice.select(nw.col(keys[-1]).min()))
        raise InputError(
            f"{plural(int(found['count'][0]), 'element')} in more than one row of {what} (e.g. {example!r}); a "
            "partition holds each element once: drop the repetitions"
        )
