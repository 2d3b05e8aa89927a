"""From tables to a Table: columns are chosen and joined, the plan runs where they are, mistakes are refused."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from operator import or_
from typing import Any, NamedTuple

import narwhals as nw
import numpy as np

from clusterscore.align.doubts import Compared, express, same_but_for_spelling
from clusterscore.align.noise import refuse_misspelt
from clusterscore.align.policies import DOCUMENTS, Policy, mismatch, refuse_other_documents
from clusterscore.count.counts import Need
from clusterscore.count.fetched import Fetched
from clusterscore.count.objects import refuse_one_sided
from clusterscore.count.rows import Matches, Sizes
from clusterscore.count.supersets import Supersets
from clusterscore.count.table import Table
from clusterscore.distinct import Array
from clusterscore.engines import TableSides
from clusterscore.engines.column_types import OVERLAPPING, fitting, id_column, joinable, plain
from clusterscore.engines.doubted import TableSide
from clusterscore.engines.engine import Engine
from clusterscore.engines.plan import PLAN_COLUMNS, CellPlan, FetchedRows, Frame, Outcome, among, joined_state, state_of
from clusterscore.exceptions import EngineError, InputError, NotAPartition
from clusterscore.messages import Given, Message, Option
from clusterscore.nouns import noun, plural
from clusterscore.read.arrays import check_some
from clusterscore.read.clustering import Clustering, Origin
from clusterscore.read.columns import TableColumns, choose_columns, refusal
from clusterscore.read.label_sets import float_ids
from clusterscore.read.labels import encode, is_null

_MOST_SQUARED = 3_037_000_499  # elements whose squares an engine can add up in 64 bits
_TRIED = 10_000  # ids that are compared with others in another spelling
_HEAD = 100_000  # rows among which elements repeat that are in very many, before a join multiplies these
_LAST_ROW = 2**62  # of an element that a side does not have


def count_tables(
    engine: Engine, frames: Sequence[Frame], given: TableSides, policy: Policy, needs: Iterable[Need]
) -> Table:
    """One table with both sides, a row per element; or two with an element and a cluster column, joined by element."""
    sides, outcome = _select_sides(engine, frames, given), Outcome(policy)
    if not sides.two and "gold_element" in sides.frames["gold"].collect_schema().names():
        _refuse_repeats(engine, sides, "gold")
    for side, head in ((side, frame.head(_HEAD)) for side, frame in sides.frames.items() if sides.two):
        if engine.count(_repeats(head, sides.keys(side))):
            _refuse_repeats(engine, sides, side)
    policy = policy.read_with(*(sides.columns[sides.table(side)].signed for side in ("gold", "pred")))
    if sides.documented:
        policy = policy.read_with(DOCUMENTS, DOCUMENTS)
    joined = frame = _prepare(engine, sides, policy)
    if sides.two and engine.writes_joins:
        columns_of_plan = [name for name in frame.collect_schema().names() if name in PLAN_COLUMNS]
        frame = engine.keep(frame.select(*columns_of_plan), "joining")
    one_sided = (sides.two and policy.missing == "keep") or policy.noise_on("pred") == "keep"
    plan, needs = CellPlan(frame, outcome, one_sided=one_sided), sorted(needs, key=str)
    if needs:
        plan.cells = engine.keep(plan.cells, "counting")
    fetched = FetchedRows(engine.fetch(plan.rows(), "counting"), outcome)
    _refuse_mistakes(engine, sides, fetched, policy)
    if not fetched.noisy:
        named = [label for label in policy.noise if not is_null(label)]
        refuse_misspelt(named, lambda label: any(_holds(engine, sides, side, label) for side in ("gold", "pred")))
    only = {side: fetched.number(fetched.counted[side] & ~fetched.common) for side in fetched.counted}
    here = fetched.here
    dropped_noise = {side: fetched.noise[side] & (policy.noise_on(side) == "drop") for side in here}
    alone = {  # of one side only, whatever the policy makes of them; what is noise goes anyway
        side: fetched.number(here[side] & ~here[other] & ~dropped_noise[side])
        for side, other in (("gold", "pred"), ("pred", "gold"))
    }
    dropped = (alone["gold"], alone["pred"]) if policy.missing == "drop" else (0, 0)
    if len(sides.documented) == 2 and policy.missing in ("error", "drop") and any(alone.values()):
        gold, pred = here.values()
        where = fetched.names.codes
        refuse_other_documents(fetched.names, where[gold], where[pred], where[gold != pred], policy)
    common = fetched.number(fetched.common)

    def apart() -> tuple[list[Any], list[Any]]:
        gold, pred = (_some_alone(engine, joined, side) for side in ("gold", "pred"))
        return gold, pred

    if policy.missing == "error" and any(alone.values()):
        examples = {
            side: (number, engine.value(joined.filter(among(outcome.only[side])), nw.col(f"{side}_element").min()))
            for side, number in alone.items()
            if number
        }
        raise mismatch(examples, common, same_but_for_spelling(*apart()))
    _refuse_nameless(fetched.number(fetched.nameless & (fetched.counted["gold"] | fetched.counted["pred"])))
    if policy.missing != "keep":
        check_some(
            int(fetched.common.sum()) + sum(only.values()), f"what is left with {policy.signature.replace('|', ', ')}"
        )
    if any(need[0] == "supersets" for need in needs) and fetched.number(fetched.common) > _MOST_SQUARED:
        raise InputError(
            noun("alphamax_bcubed on an engine counts at most 3e9 elements; leave it out of "), Option("metrics")
        )
    names = fetched.documents() if sides.documented else None
    codes = None if names is None else _places(names, fetched.columns["document"])
    known = {need: _known(need, engine.fetch(plan.fetching(need), "counting more"), names) for need in needs}
    if one_sided:
        refuse_one_sided(policy.background, (only["gold"], only["pred"]))
        for side in fetched.counted:
            known["sizes", side] = Fetched(fetched.rows(codes, fetched.counted[side]), {}).sizes(side)
            known["sizes", f"{side} common"] = Fetched(fetched.rows(codes, fetched.common, "common_"), {}).sizes(side)
    gone = ~fetched.common & here["gold"] & here["pred"]
    noise = {
        side: fetched.number(here[side] & dropped_noise[side])
        + fetched.number(gone & fetched.zero[side]) * (policy.background in (side, "either", "both"))
        for side in here
    }
    table = Table(
        Fetched(fetched.rows(codes, fetched.common), known),
        documents=(None,) if names is None else names,
        one_sided=(only["gold"], only["pred"]),
        policy=policy,
        dropped=dropped,
        noise=(noise["gold"], noise["pred"]),
    )
    gold, pred = (
        TableSide(
            side,
            engine,
            sides.frames[sides.table(side)],
            sides.origin(side),
            clusters=table.number(side),
            elements=table.elements + table.one_sided[side == "pred"],
        )
        for side in only
    )
    both = fetched.number(here["gold"] & here["pred"])
    express(Compared(gold, pred, policy, common=both, only=alone, apart=apart if any(alone.values()) else None))
    return table


def fetch_sides(engine: Engine, frames: Sequence[Frame], given: TableSides) -> tuple[Clustering, Clustering]:
    """The columns themselves, to be counted in memory."""
    sides = _select_sides(engine, frames, given)
    # each table at once: what is read twice may come in another order
    fetched = {table: engine.fetch(frame, "reading") for table, frame in sides.frames.items()}
    made = []
    for side, table in (("gold", "gold"), ("pred", sides.table("pred"))):
        rows = fetched[table]
        ids, documents = rows.get(f"{table}_element"), rows.get(f"{table}_document")
        try:
            made.append(Clustering.from_labels(rows[side], elements=ids, documents=documents))
            made[-1].origin = sides.origin(side)
            made[-1].options = {**made[-1].options, **sides.columns[table].signed}
        except InputError:
            if ids is not None:
                _refuse_repeats(engine, sides, table)
            raise
        if len(made[-1]) < len(rows[side]):
            _refuse_repeats(engine, sides, table)
    return made[0], made[1]


class Sides(NamedTuple):
    """The columns that are compared, and no others: gold, gold_element and gold_document, and the same of pred.

    One table with both sides is the gold one, and has the labels of pred too.
    """

    frames: dict[str, Frame]  # "gold", and "pred" where that is a table of its own
    documented: list[str]  # the tables that have documents
    columns: dict[str, TableColumns]  # of the tables
    given: TableSides

    def origin(self, side: str) -> Origin:
        """Where the labels of a side come from."""
        columns, options = self.columns[self.table(side)], self.given.pred if side == "pred" else self.given.gold
        column = columns.clusters[side == "pred" and not self.two]
        source = (
            (self.table(side), column)
            if not self.two
            else self.given.sources and (self.given.sources[side == "pred"], column)
        )
        return Origin(source or None, options.format is not None, columns.taken, columns.unread, f"the {side} table")

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


def _select_sides(engine: Engine, frames: Sequence[Frame], given: TableSides) -> Sides:
    """The columns of both sides; where the engine compares them, as types that it compares as Python does."""
    tables: dict[str | None, TableColumns] = {}
    for side, frame, how in zip(("gold", "pred"), frames, given[:2], strict=False):
        names = frame.collect_schema().names()
        if len(frames) == 2:
            tables[side] = choose_columns(f"the {side} table", names, how, [how.cluster], usual=given.usual)
        else:
            both = [named.cluster or called for called, named in zip(("gold", "pred"), given[:2], strict=True)]
            tables[None] = choose_columns(
                "the table", names, how, both, roles=("gold", "pred"), rows=True, usual=given.usual
            )
    if message := refusal(tables, cluster="{}"):
        raise InputError(message)
    columns = dict(zip(("gold", "pred"), tables.values(), strict=False))
    if len(columns) == 2 and not all(table.element for table in columns.values()):
        without = {side: table._replace(open={"element": "..."}) for side, table in tables.items() if not table.element}
        raise NotAPartition(refusal({**tables, **without}, cluster="{}") or "")
    sides = Sides({}, [side for side, table in columns.items() if table.document is not None], columns, given)
    for (side, table), frame in zip(columns.items(), frames, strict=True):
        ours = dict(zip(("gold", "pred") if len(frames) == 1 else (side,), table.clusters, strict=True))
        ours |= {} if table.document is None else {f"{side}_document": table.document}
        chosen = [
            (plain(frame, name, role) if engine.plans else nw.col(name)).alias(role) for role, name in ours.items()
        ]
        if len(table.element) == 1 and not engine.plans:
            chosen.append(nw.col(table.element[0]).alias(f"{side}_element"))
        elif table.element:
            chosen.append(id_column(frame, table.element, f"{side}_element"))
        selected = frame.select(*chosen)
        sides.frames[side] = engine.keep(selected, "reading") if engine.keeps(side) else selected
    for keys in zip(sides.keys("gold"), sides.keys("pred"), strict=True) if sides.two and engine.plans else ():
        sides.frames.update(joinable(engine, sides.frames, keys))
    return sides


def _prepare(engine: Engine, sides: Sides, policy: Policy) -> Frame:
    """A row per element with gold, pred, perhaps its document, and its state unless all are labelled on both sides."""
    frames, added = dict(sides.frames), []
    if sides.documented:
        frames = {table: engine.numbered(frame, f"{table}_row") for table, frame in frames.items()}
        added.append(nw.coalesce(*(nw.col(f"{table}_document") for table in sides.documented)).alias("document"))
    if sides.two or policy.noise or policy.background != "keep":
        for side in ("gold", "pred"):
            frame = frames[sides.table(side)]
            noisy = _equals(frame, side, policy.noise)
            zero = None if policy.background == "keep" else _equals(frame, side, (0, "0"))
            # labels that mean noise become null; the state tells them from those that were
            label = nw.col(side) if noisy is None else nw.when(~noisy).then(nw.col(side)).alias(side)
            state = state_of(side, noisy, zero).cast(nw.Int8).alias(f"{side}_state")
            frames[sides.table(side)] = frame.with_columns(label, state)
        added.append(joined_state())
    frame = frames["gold"]
    if sides.two:
        frame = frame.join(frames["pred"], how="full", left_on=sides.keys("gold"), right_on=sides.keys("pred"))
    added += [nw.col(name).fill_null(_LAST_ROW) for name in frame.collect_schema().names() if name.endswith("_row")]
    return frame.with_columns(*added) if added else frame


def _equals(frame: Frame, name: str, labels: Iterable[Any]) -> nw.Expr | None:
    """Where a column has one of these labels; None where it cannot have any."""
    kind, column = frame.collect_schema()[name], nw.col(name)
    same = [column.is_null()] if any(map(is_null, labels)) else []
    fits = [fitting(kind, label) for label in labels if not is_null(label)]
    same += [column == nw.lit(label, kind) for label in fits if label is not None]
    return reduce(or_, same) if same else None


def _holds(engine: Engine, sides: Sides, side: str, label: Any) -> bool:
    """Whether a side has a label."""
    frame = sides.frames[sides.table(side)]
    same = _equals(frame, side, [label])
    return same is not None and bool(engine.count(frame.filter(same)))


def _places(names: list[Any], values: Any) -> Array:
    """The place of each document among the names, -1 for one that is not there."""
    known = encode([*names, *values])
    places = np.full(len(known.names), -1, np.int64)
    places[known.codes[: len(names)]] = np.arange(len(names))
    return places[known.codes[len(names) :]]


def _known(need: Need, columns: Mapping[str, Any], names: list[Any] | None) -> Any:
    """Columns as the table gives them out."""
    document = None if names is None else _places(names, columns["document"])
    if document is not None and (document < 0).any():
        raise EngineError(noun("the documents of the table changed while it was counted; pass one that stays the same"))
    if need[0] == "largest_total":
        return Sizes(document, columns["n"], columns["times"])
    if need[0] == "best_matches":
        return Matches(document, columns["size"], columns["best"], columns["times"])
    numbers = {name: columns.get(name) for name in Supersets._fields if name not in ("document", "weight")}
    return Supersets(document=document, weight=None, **numbers)  # type: ignore[arg-type]


def _refuse_mistakes(engine: Engine, sides: Sides, fetched: FetchedRows, policy: Policy) -> None:
    """Raise for tables without rows, and for elements without an id, a document or a label."""
    here = fetched.here
    if sides.two:
        # an id in two rows multiplies rows in the join; one that is on one side only is looked at more closely
        multiplied = any(fetched.number(here[side]) != engine.count(frame) for side, frame in sides.frames.items())
        for side, other in (("gold", "pred"), ("pred", "gold")):
            if multiplied or not here[other].all():
                _refuse_repeats(engine, sides, side)
    if policy.missing != "keep":
        for table in sides.frames:
            check_some(fetched.number(here[table]), table if sides.two else "the table")
    if sides.documented:
        documented = np.logical_or.reduce([here[side] for side in sides.documented])
        _refuse_nameless(fetched.number(fetched.nameless & documented))
    for side, unlabelled in fetched.null.items():
        if null := fetched.number(unlabelled):
            raise InputError(
                f"{side} has {plural(null, 'element')} with no label (null or NaN); pass ",
                Given("noise", [None]),
                " with ",
                Option("noise_as", "drop", "singleton"),
                ", or give them a label",
            )


def _refuse_nameless(number: int) -> None:
    if number:
        raise InputError(f"{plural(number, 'element')} without {noun('a document')} (null or NaN); name one for each")


def _refuse_repeats(engine: Engine, sides: Sides, table: str) -> None:
    """Raise unless each element of a table is there once, under an id."""
    frame, keys = sides.frames[table], sides.keys(table)
    if nameless := engine.count(frame.filter(nw.col(keys[-1]).is_null())):
        raise InputError(f"{plural(nameless, 'element')} without an id (null or NaN); give each one an id of its own")
    twice = _repeats(frame, keys)
    if repeated := engine.count(twice):
        example = engine.value(twice, nw.col(keys[-1]).min())
        where = table if sides.two else "the table"
        remedy = Message("remove the repetitions if they are mistakes; ", OVERLAPPING)
        if isinstance(example, float) and not example.is_integer():
            remedy = Message(f"{where} has {float_ids(example)}")
        raise NotAPartition(
            f"{plural(repeated, 'element')} in more than one row of {where} (e.g. {example!r}), and a "
            f"partition holds each {noun('element')} once; ",
            remedy,
        )


def _repeats(frame: Frame, keys: Sequence[str]) -> Frame:
    """The keys that stand in more than one row."""
    return frame.group_by(*keys).agg(nw.len().alias("times")).filter(nw.col("times") > 1)


def _some_alone(engine: Engine, frame: Frame, side: str) -> list[Any]:
    """Some elements that only one side has, whatever the policy makes of them."""
    other = "pred" if side == "gold" else "gold"
    only = frame.filter(nw.col(f"{other}_element").is_null() & ~nw.col(f"{side}_element").is_null())
    return list(engine.fetch(only.select(nw.col(f"{side}_element").alias("id")).head(_TRIED), "looking")["id"])
