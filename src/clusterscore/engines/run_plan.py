"""Count tables where they are: the plan runs there, mistakes are refused, and the numbers become a Table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import narwhals as nw
import numpy as np

from clusterscore.align.policies import DOCUMENTS, Policy
from clusterscore.count.counts import Need
from clusterscore.count.rows import Matches, Rows, Sizes
from clusterscore.count.supersets import Supersets
from clusterscore.count.table import Table
from clusterscore.distinct import Array
from clusterscore.engines import TableColumns
from clusterscore.engines.engine import Engine
from clusterscore.engines.fetched import Fetched
from clusterscore.engines.plan import (
    ABSENT,
    NOISE,
    NULL,
    PLAN_COLUMNS,
    STATE_BIT,
    STATES,
    CellPlan,
    Frame,
    Outcome,
    among,
)
from clusterscore.engines.sides import Sides, prepare, refuse_misspelt, select_sides
from clusterscore.exceptions import ElementMismatch, EngineError, InputError, plural
from clusterscore.read.arrays import check_some
from clusterscore.read.labels import encode

_MOST_SQUARED = 3_037_000_499  # elements whose squares an engine can add up in 64 bits


def count_tables(
    engine: Engine, frames: Sequence[Frame], columns: TableColumns, policy: Policy, needs: Iterable[Need]
) -> Table:
    """One table with both sides, a row per element; or two with an element and a cluster column, joined by element."""
    sides, outcome = select_sides(engine, frames, columns), Outcome(policy)
    if not sides.two and "gold_element" in sides.frames["gold"].collect_schema().names():
        _refuse_repeats(engine, sides, "gold")
    if sides.documented:
        policy = policy.read_with(DOCUMENTS, DOCUMENTS)
    joined = frame = prepare(engine, sides, policy)
    if sides.two and engine.writes_joins:
        columns_of_plan = [name for name in frame.collect_schema().names() if name in PLAN_COLUMNS]
        frame = engine.keep(frame.select(*columns_of_plan), "joining")
    one_sided = sides.two and policy.missing == "keep"
    plan, needs = CellPlan(frame, outcome, one_sided=one_sided), sorted(needs, key=str)
    if needs:
        plan.cells = engine.keep(plan.cells, "counting")
    found = _FetchedRows(engine.fetch(plan.rows(), "counting"), outcome)
    _refuse_mistakes(engine, sides, found, policy)
    if not any((state == NOISE).any() for state in found.state.values()):
        refuse_misspelt(engine, sides, policy)
    only = {side: found.number(found.counted[side] & ~found.common) for side in found.counted}
    if policy.missing == "error" and any(only.values()):
        raise _mismatch(engine, joined, outcome, only)
    _refuse_nameless(found, found.counted["gold"] | found.counted["pred"])
    if policy.missing != "keep":
        check_some(int(found.common.sum()), f"what is left with {policy.signature.replace('|', ', ')}")
    if any(need[0] == "supersets" for need in needs) and found.number(found.common) > _MOST_SQUARED:
        raise InputError("alphamax_bcubed on an engine counts at most 3e9 elements; leave it out of metrics=")
    names = found.documents() if sides.documented else None
    codes = None if names is None else _places(names, found.columns["document"])
    known = {need: _known(need, engine.fetch(plan.fetching(need), "counting more"), names) for need in needs}
    if one_sided:
        for side in found.counted:
            known["sizes", side] = Fetched(found.rows(codes, found.counted[side]), {}).sizes(side)
            known["sizes", f"{side} common"] = Fetched(found.rows(codes, found.common, "common_"), {}).sizes(side)
    return Table(
        Fetched(found.rows(codes, found.common), known),
        documents=(None,) if names is None else names,
        one_sided=(only["gold"], only["pred"]),
        policy=policy,
    )


class _FetchedRows:
    """The cells that an engine counted, whatever the state of their elements; equal ones are one row."""

    def __init__(self, columns: Mapping[str, Any], outcome: Outcome):
        self.columns = columns
        state, self.n = np.divmod(columns["n"], STATE_BIT)
        self.state = dict(zip(("gold", "pred"), np.divmod(state, STATES), strict=True))
        self.counted = {side: np.isin(state, outcome.counted[side]) for side in self.state}
        self.common = np.isin(state, outcome.common)

    def number(self, chosen: Array) -> int:
        """How many elements some of the rows hold."""
        return int((self.n * self.columns["times"])[chosen].sum())

    def rows(self, document: Array | None, chosen: Array, sizes: str = "") -> Rows:
        """Some of the rows; ``sizes="common_"`` of their clusters counts only elements that both sides have."""
        found = self.columns
        a, b, times = (found[name][chosen] for name in (f"{sizes}a", f"{sizes}b", "times"))
        return Rows(None if document is None else document[chosen], self.n[chosen], a, b, times, None)

    def documents(self) -> list[Any]:
        """The documents of elements that count: in the order of their first rows, gold first; else by name."""
        known = encode(self.columns["document"])
        used = known.codes[self.counted["gold"] | self.counted["pred"]]
        numbers = [self.columns[name] for name in ("pred_row", "gold_row") if name in self.columns]
        if not numbers:
            return sorted(known.name(code) for code in np.unique(used).tolist())
        codes, first = np.unique(known.codes[np.lexsort(numbers)], return_index=True)
        codes = codes[first.argsort()]
        return [known.name(code) for code in codes[np.isin(codes, used)].tolist()]


def _places(names: list[Any], values: Any) -> Array:
    """The place of each document among the names, -1 for one that is not there."""
    known = encode([*names, *values])
    places = np.full(len(known.names), -1, np.int64)
    places[known.codes[: len(names)]] = np.arange(len(names))
    return places[known.codes[len(names) :]]


def _known(need: Need, found: Mapping[str, Any], names: list[Any] | None) -> Any:
    """Columns as the table gives them out."""
    document = None if names is None else _places(names, found["document"])
    if document is not None and (document < 0).any():
        raise EngineError("the engine's second look at the table found other documents; pass one that does not change")
    if need[0] == "largest_total":
        return Sizes(document, found["n"], found["times"])
    if need[0] == "best_matches":
        return Matches(document, found["a"], found["f"], found["times"])
    columns = {name: found.get(name) for name in Supersets._fields if name not in ("document", "weight")}
    return Supersets(document=document, weight=None, **columns)  # type: ignore[arg-type]


def _refuse_mistakes(engine: Engine, sides: Sides, found: _FetchedRows, policy: Policy) -> None:
    """Raise for tables without rows, and for elements without an id, a document or a label."""
    here = {side: state != ABSENT for side, state in found.state.items()}
    if sides.two:
        # an id in two rows multiplies rows in the join; one that is on one side only is looked at more closely
        multiplied = any(found.number(here[side]) != engine.count(frame) for side, frame in sides.frames.items())
        for side, other in (("gold", "pred"), ("pred", "gold")):
            if multiplied or not here[other].all():
                _refuse_repeats(engine, sides, side)
    if policy.missing != "keep":
        for table in sides.frames:
            check_some(found.number(here[table]), table if sides.two else "the table")
    if sides.documented:
        _refuse_nameless(found, np.logical_or.reduce([here[side] for side in sides.documented]))
    for side, state in found.state.items():
        if null := found.number(state == NULL):
            raise InputError(
                f"{side} has {plural(null, 'element')} with no label (null or NaN); pass noise=[None] with "
                'noise_as="drop" or "singleton", or give them a label'
            )


def _refuse_nameless(found: _FetchedRows, chosen: Array) -> None:
    """Raise if some of the elements have no document where others have one."""
    if "document" in found.columns:
        known = encode(found.columns["document"])
        nameless = chosen & (known.codes == (-1 if known.null is None else known.null))
        if nameless.any():
            raise InputError(
                f"{plural(found.number(nameless), 'element')} without a document (null or NaN); name one for each"
            )


def _refuse_repeats(engine: Engine, sides: Sides, table: str) -> None:
    """Raise unless each element of a table is there once, under an id."""
    frame, keys = sides.frames[table], sides.keys(table)
    if nameless := engine.count(frame.filter(nw.col(keys[-1]).is_null())):
        raise InputError(f"{plural(nameless, 'element')} without an id (null or NaN); give each one an id of its own")
    twice = frame.group_by(*keys).agg(nw.len().alias("times")).filter(nw.col("times") > 1)
    if repeated := engine.count(twice):
        example = engine.value(twice, nw.col(keys[-1]).min())
        raise InputError(
            f"{plural(repeated, 'element')} in more than one row of {table if sides.two else 'the table'} (e.g. "
            f"{example!r}); a partition holds each element once: drop the repetitions"
        )


def _mismatch(engine: Engine, frame: Frame, outcome: Outcome, only: Mapping[str, int]) -> ElementMismatch:
    found = []
    for side, number in only.items():
        if number:
            here = frame.filter(among(outcome.only[side]))
            example = engine.value(here, nw.col(f"{side}_element").min())
            found.append(
                f"{plural(number, 'element')} {'is' if number == 1 else 'are'} only in {side} (e.g. {example!r})"
            )
    return ElementMismatch(" and ".join(found) + '; pass missing="drop" or "singleton"')
