"""The counting plan of every engine: labels become cells, and cells the numbers that scores are made of.

Written once, in narwhals, for polars, DuckDB and Spark. An engine adds whole numbers only, so all give the same.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

import narwhals as nw
import numpy as np

from clusterscore.align.noise import in_background
from clusterscore.align.policies import Policy
from clusterscore.count.counts import Need
from clusterscore.count.rows import MATCHES, Rows
from clusterscore.distinct import Array
from clusterscore.read.labels import encode

Frame = nw.LazyFrame[Any]

LABELLED, NOISE, ABSENT, NULL, ZERO = range(5)  # what a table says of an element on one side
STATES = 5  # the state of an element is STATES * gold + pred
PLAN_COLUMNS = ("gold", "pred", "state", "document")
STATE_BIT = 2**40  # more than any cell has elements: the state of a cell travels above its number of elements


class Outcome:
    """What a policy makes of elements: the states in which they count on a side, or are a cluster of their own."""

    def __init__(self, policy: Policy):
        becomes = {
            side: {LABELLED: "cluster", ZERO: "cluster", ABSENT: policy.missing, NOISE: policy.noise_on(side), NULL: ""}
            for side in ("gold", "pred")
        }
        states = [dict(zip(becomes, pair, strict=True)) for pair in product(range(STATES), repeat=2)]
        outcomes = [{side: becomes[side][state] for side, state in sides.items()} for sides in states]
        kept = {
            code: sides
            for code, sides in enumerate(outcomes)
            if "drop" not in sides.values() and not _is_background(states[code], policy)
        }
        self.alone, self.counted = (
            {side: [code for code, sides in kept.items() if sides[side] in chosen] for side in becomes}
            for chosen in (["singleton"], ["singleton", "cluster"])
        )
        self.common = [code for code in self.counted["gold"] if code in self.counted["pred"]]
        self.only = {  # which the other side does not have
            side: [code for code in self.counted[side] if states[code][other] == ABSENT]
            for side, other in (("gold", "pred"), ("pred", "gold"))
        }


def _is_background(sides: Mapping[str, int], policy: Policy) -> bool:
    """Whether elements are left out as background; where a side does not have them, that is to be said first."""
    if policy.background == "keep" or (policy.missing == "error" and ABSENT in sides.values()):
        return False
    return bool(in_background(policy.background, *(np.array(sides[side] == ZERO) for side in ("gold", "pred"))))


class Group(NamedTuple):
    """Cells that share these keys; one for which ``alone`` is true is a group of its own."""

    keys: list[str]
    alone: nw.Expr | None


class CellPlan:
    """The cells of a frame with the columns gold and pred, perhaps the document, the state, the order of its rows.

    ``cells`` has a row per cell: n elements in a gold cluster of size a and a predicted one of size b. Elements that a
    policy leaves alone are a cluster each: those with the same other cluster are one row with n = 1, so many ``times``.
    """

    def __init__(self, frame: Frame, outcome: Outcome, *, one_sided: bool):
        names = frame.collect_schema().names()
        self.document = [name for name in names if name == "document"]
        self.order = [name for name in names if name.endswith("_row")]
        self.common = among(outcome.common)
        keys = [name for name in names if name in PLAN_COLUMNS]
        cells = frame.group_by(*keys).agg(nw.len().alias("n"), *(nw.col(name).min() for name in self.order))
        if "state" not in names:
            cells = cells.with_columns(state=state_of("gold") * STATES + state_of("pred"))
        self.groups, self.within, terms = {}, {}, {}
        for side, states in outcome.alone.items():
            alone = f"{side}_alone"
            cells = cells.with_columns(among(states).alias(alone))
            keys = [*self.document, side, *([alone] if states else [])]
            self.groups[side] = Group(keys, nw.col(alone) if states else None)
            # how many elements of a row each of its clusters has on this side
            self.within[side] = nw.col("n") * nw.when(nw.col(alone)).then(nw.lit(1)).otherwise(nw.col("times"))
        n, single = nw.col("n").cast(nw.Int64), nw.col("gold_alone") | nw.col("pred_alone")
        cells = cells.with_columns(
            n=nw.when(single).then(nw.lit(1)).otherwise(n).cast(nw.Int64),
            times=nw.when(single).then(n).otherwise(nw.lit(1)).cast(nw.Int64),
        )
        for side, size in (("gold", "a"), ("pred", "b")):
            within, group = self.within[side], self.groups[side]
            counted = nw.when(among(outcome.counted[side])).then(within)
            terms[size] = (counted.otherwise(nw.lit(0)), group)
            if one_sided:
                terms[f"common_{size}"] = (nw.when(self.common).then(within).otherwise(nw.lit(0)), group)
        self.sizes = list(terms)
        self.cells = _over(cells, "sum", terms)

    def rows(self) -> Frame:
        """The distinct (document, state, n, a, b) with their multiplicity; the state is ``n // STATE_BIT``."""
        cells = self.cells.with_columns(n=nw.col("n") + nw.col("state").cast(nw.Int64) * STATE_BIT)
        return self._merged(cells, ["n", *self.sizes], self.order)

    def fetching(self, need: Need) -> Frame:
        """What a metric needs beyond the rows, of the elements that both sides have."""
        frame: Frame = getattr(self, f"_{need[0]}")(self.cells.filter(self.common), *need[1:])
        return frame

    def _merged(self, cells: Frame, keys: list[str], order: Sequence[str] = ()) -> Frame:
        times, first = nw.col("times").sum(), [nw.col(name).min() for name in order]
        return cells.group_by(*self.document, *keys).agg(times, *first).with_columns(nw.col("times").cast(nw.Int64))

    def _clusters(self, cells: Frame, side: str, largest: Sequence[str], apart: Sequence[str] = ()) -> Frame:
        """Clusters with the largest of some values of their cells; those of one element that are alike are one row."""
        alone = f"{side}_alone"
        keys = dict.fromkeys([*self.groups[side].keys, alone, *apart])
        clusters = cells.group_by(*keys).agg(*(nw.col(name).max() for name in largest), nw.col("times").sum())
        times = nw.when(nw.col(alone)).then(nw.col("times")).otherwise(nw.lit(1))
        return self._merged(clusters.with_columns(times=times), [*largest])

    def _largest_total(self, cells: Frame, side: str) -> Frame:
        """The largest cells of clusters."""
        return self._clusters(cells, side, ["n"])

    def _best_matches(self, cells: Frame, side: str, by: str) -> Frame:
        """The clusters of a side by their size and their best match; an element alone has one cell, and its match."""
        own, other = (nw.col(size) for size in ("ab" if side == "gold" else "ba"))
        part, whole = MATCHES[by](nw.col("n"), own, other)
        apart = nw.when(nw.col(f"{side}_alone")).then(other).otherwise(nw.lit(0))
        cells = cells.with_columns(size=own, best=part.cast(nw.Float64) / whole.cast(nw.Float64), apart=apart)
        return self._clusters(cells, side, ["size", "best"], ["apart"])

    def _supersets(self, cells: Frame, reading: str, everywhere: bool) -> Frame:
        """What alphaMax needs; see :class:`clusterscore.count.supersets.Supersets`."""
        n, within, gold, pred = nw.col("n"), self.within, self.groups["gold"], self.groups["pred"]
        cells = _over(cells, "max", {"main_n": (n, pred)})
        largest = n == nw.col("main_n")
        tied = nw.when(largest).then(within["pred"]).otherwise(nw.lit(0))
        cells = _over(cells, "sum", {"tied": (tied, pred)})
        # the cell that is larger than all others of the predicted cluster; of one element alone it decides nothing
        decides = largest & (nw.col("tied") == n) & ~nw.col("gold_alone")
        cells = cells.with_columns(main=nw.when(decides).then(nw.lit(1)).otherwise(nw.lit(0)))
        main = nw.col("main") == 1
        label = nw.when(main).then(nw.col("gold"))  # the name of the super-set
        cells = _over(cells, "max", {"joined": (nw.col("main"), pred), "super": (label, pred)})
        joined = nw.col("joined") == 1
        superset = Group([*self.document, "joined", "super"], None)
        shared = Group([*superset.keys, *gold.keys[len(self.document) :]], gold.alone)
        cells = _over(cells, "sum", {"size": (n * nw.col("times"), superset), "held": (within["gold"], shared)})
        cells = cells.with_columns(
            size=nw.when(joined).then(nw.col("size")).otherwise(nw.col("b")),
            held=nw.when(joined).then(nw.col("held")).otherwise(n),
        )
        columns = ["n", "a", "b", "size"]
        gains = nw.col("size") != nw.col("b")
        if reading == "marginal":
            sums = {
                "gold_nn": (n * within["gold"], gold),
                "pred_nn": (n * within["pred"], pred),
                "gold_ww": (within["gold"] * nw.col("held"), gold),
                "super_ww": (n * nw.col("times") * nw.col("held"), superset),
            }
            cells = _over(cells, "sum", sums)
            cells = cells.with_columns(super_ww=nw.when(joined).then(nw.col("super_ww")).otherwise(nw.col("pred_nn")))
            columns += sums
            gains = gains | (nw.col("gold_ww") != nw.col("gold_nn"))
        else:
            columns.append("held")
        if reading == "majority":
            held = nw.when(main).then(nw.col("held")).otherwise(nw.lit(0))
            cells = _over(cells, "max", {"main_held": (held, pred)})
            columns += ["main_n", "main_held"]
        return self._merged(cells if everywhere else cells.filter(gains), columns)


class FetchedRows:
    """The cells that an engine counted, whatever the state of their elements; equal ones are one row."""

    def __init__(self, columns: Mapping[str, Any], outcome: Outcome):
        self.columns = columns
        state, self.n = np.divmod(columns["n"], STATE_BIT)
        states = dict(zip(("gold", "pred"), np.divmod(state, STATES), strict=True))
        self.here = {side: codes != ABSENT for side, codes in states.items()}
        self.null = {side: codes == NULL for side, codes in states.items()}
        self.noise = {side: codes == NOISE for side, codes in states.items()}
        self.zero = {side: codes == ZERO for side, codes in states.items()}
        self.noisy = any(mask.any() for mask in self.noise.values())
        self.counted = {side: np.isin(state, outcome.counted[side]) for side in states}
        self.common = np.isin(state, outcome.common)
        self.names = names = encode(columns.get("document", []))
        self.nameless = np.zeros(len(state), np.bool_) if names.null is None else names.codes == names.null

    def number(self, chosen: Array) -> int:
        """How many elements some of the rows hold."""
        return int((self.n * self.columns["times"])[chosen].sum())

    def rows(self, document: Array | None, chosen: Array, sizes: str = "") -> Rows:
        """Some of the rows; ``sizes="common_"`` of their clusters counts only elements that both sides have."""
        a, b, times = (self.columns[name][chosen] for name in (f"{sizes}a", f"{sizes}b", "times"))
        return Rows(None if document is None else document[chosen], self.n[chosen], a, b, times, None)

    def documents(self) -> list[Any]:
        """The documents of elements that count: in the order of their first rows, gold first; else by name."""
        known = self.names
        used = known.codes[self.counted["gold"] | self.counted["pred"]]
        numbers = [self.columns[name] for name in ("pred_row", "gold_row") if name in self.columns]
        if not numbers:
            return sorted(known.name(code) for code in np.unique(used).tolist())
        codes, first = np.unique(known.codes[np.lexsort(numbers)], return_index=True)
        codes = codes[first.argsort()]
        return [known.name(code) for code in codes[np.isin(codes, used)].tolist()]


def among(states: Collection[int]) -> nw.Expr:
    """Whether the state of an element is one of these."""
    return nw.col("state").is_in(list(states)) if states else nw.col("state") < 0


def state_of(side: str, noisy: nw.Expr | None = None, zero: nw.Expr | None = None) -> nw.Expr:
    """The state of the labels of a side, some of which may be noise, or 0, the background of images."""
    state = nw.when(nw.col(side).is_null()).then(nw.lit(NULL)).otherwise(nw.lit(LABELLED))
    if zero is not None:
        state = nw.when(zero).then(nw.lit(ZERO)).otherwise(state)
    return state if noisy is None else nw.when(noisy).then(nw.lit(NOISE)).otherwise(state)


def joined_state() -> nw.Expr:
    """The state of elements, from those of both sides; where a side has none, it does not have the element."""
    gold, pred = (nw.col(f"{side}_state").fill_null(ABSENT) for side in ("gold", "pred"))
    return (gold * STATES + pred).alias("state")


def _over(cells: Frame, how: str, terms: dict[str, tuple[nw.Expr, Group]]) -> Frame:
    """Sums or maxima over the cells of a group, written next to each of them.

    Some engines take only plain columns there, and some widen a sum: the terms come first, and whole numbers last.
    """
    cells = cells.with_columns(_as_int64(term, how).alias(name) for name, (term, _) in terms.items())
    totals = []
    for name, (_, group) in terms.items():
        total = getattr(nw.col(name), how)().over(*group.keys)
        if group.alone is not None:
            total = nw.when(group.alone).then(nw.col(name)).otherwise(total)
        totals.append(_as_int64(total, how).alias(name))
    return cells.with_columns(*totals)


def _as_int64(term: nw.Expr, how: str) -> nw.Expr:
    return term.cast(nw.Int64) if how == "sum" else term
