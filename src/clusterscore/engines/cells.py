"""The plan that every engine counts by: labels become cells, and cells the numbers that scores are made of.

Written once, in narwhals, for polars, DuckDB and Spark. Only whole numbers are added in an engine, so
that all of them give the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clusterscore.count.table import Need

if TYPE_CHECKING:
    import narwhals as nw

    Frame = nw.LazyFrame[Any]

# What a side of an element is: its label says it, or it has none, and why. From NULL on it does not count.
MADE_UP, LABELLED, ALONE, NOISE, NULL, ABSENT, NO_ID, DROPPED, DROPPED_ABSENT = range(-1, 8)


class Cells:
    """The cells of a prepared frame: gold and pred, perhaps their states, perhaps the document.

    ``frame`` has a row per cell: n elements of gold clusters of size a and predicted ones of size b, so many ``times``.
    An element that a policy left alone is a cluster of its own, so cells of such elements have n = 1 and count as often
    as there are elements in them.
    """

    def __init__(self, prepared: Frame, *, document: bool):
        import narwhals as nw

        states = "gold_state" in prepared.collect_schema().names()
        self.document = ["document"] if document else []
        self.gold = [*self.document, "gold", *(["gold_state"] if states else [])]
        self.pred = [*self.document, "pred", *(["pred_state"] if states else [])]
        keys = [*self.gold, *self.pred[len(self.document) :]]
        cells = prepared.group_by(*keys).agg(nw.len().alias("n")).with_columns(nw.col("n").cast(nw.Int64))
        if not states:  # a minus is enough to see that a label is missing, and is no column to carry along
            missing = nw.col("gold").is_null() | nw.col("pred").is_null()
            cells = cells.with_columns(n=nw.when(missing).then(-nw.col("n")).otherwise(nw.col("n")).cast(nw.Int64))
        cells = _beside(cells, "sum", {"a": (nw.col("n"), self.gold), "b": (nw.col("n"), self.pred)})
        if states:
            alone = _alone("gold") | _alone("pred")
            cells = cells.with_columns(
                n=_own(nw.col("n"), alone, nw.lit(1)),
                times=_own(nw.lit(1), alone, nw.col("n")),
                a=_own(nw.col("a"), _alone("gold"), nw.lit(1)),
                b=_own(nw.col("b"), _alone("pred"), nw.lit(1)),
            )
        self.states = states
        self.frame = cells

    def rows(self) -> Frame:
        """The distinct (document, n, a, b) with their multiplicity; n below 0 where a label is missing."""
        return self._merged(self.frame, [*(["gold_state", "pred_state"] if self.states else []), "n", "a", "b"])

    def rows_with_states(self) -> Frame:
        """The same with the states that tell what is wrong."""
        import narwhals as nw

        told = self.frame.with_columns(_state("gold"), _state("pred"), nw.col("n").abs())
        return self._merged(told, ["gold_state", "pred_state", "n", "a", "b"])

    def _merged(self, frame: Frame, keys: list[str]) -> Frame:
        import narwhals as nw

        times = nw.col("times").sum() if "times" in frame.collect_schema().names() else nw.len().alias("times")
        return frame.group_by(*self.document, *keys).agg(times).with_columns(nw.col("times").cast(nw.Int64))

    def fetching(self, need: Need) -> Frame:
        """What a metric needs beyond the rows."""
        what: Any = getattr(self, f"_{need[0]}")
        frame: Frame = what(*need[1:])
        return frame

    def _common(self) -> Frame:
        """The cells of elements that both sides have, each with its ``times``."""
        import narwhals as nw

        if self.states:
            return self.frame.filter(nw.col("gold_state") < NULL, nw.col("pred_state") < NULL)
        plain = {"times": 1, "gold_state": LABELLED, "pred_state": LABELLED}
        return self.frame.with_columns(nw.lit(value).cast(nw.Int64).alias(name) for name, value in plain.items())

    def _sizes(self, side: str) -> Frame:
        """Clusters by their size; with "gold common" counting only the elements that the other side has."""
        import narwhals as nw

        own = side.removesuffix(" common")
        keys, other = (self.gold, "pred_state") if own == "gold" else (self.pred, "gold_state")
        count = nw.col("n") * nw.col("times")
        if side != own:
            count = nw.when(nw.col(other) < NULL).then(count).otherwise(nw.lit(0))
        alone = _alone(own)
        here = self.frame.filter(nw.col(keys[-1]) < NULL).with_columns(size=count.cast(nw.Int64))
        # of elements alone those that the other side lacks are apart from the others
        seen = nw.when(nw.col("size") > 0).then(nw.lit(1)).otherwise(nw.lit(0))
        here = here.with_columns(each=_own(nw.lit(-1), alone, seen))
        found = here.group_by(*keys, "each").agg(nw.col("size").sum(), nw.col("times").sum())
        found = found.with_columns(
            size=_own(nw.col("size"), alone, nw.col("each")), times=_own(nw.lit(1), alone, nw.col("times"))
        )
        return self._merged(found, ["size"])

    def _largest_total(self, side: str) -> Frame:
        """The sum of the largest cells of clusters."""
        import narwhals as nw

        keys = self.gold if side == "gold" else self.pred
        state = f"{side}_state"
        keys = keys if self.states else [*keys, state]
        found = self._common().group_by(*keys).agg(nw.col("n").max(), nw.col("times").sum())
        found = found.with_columns(total=_own(nw.col("n"), _alone(side), nw.col("times")))
        if not self.document:
            return found.select(nw.col("total").sum().cast(nw.Int64))
        return found.group_by("document").agg(nw.col("total").sum()).with_columns(nw.col("total").cast(nw.Int64))

    def _best_matches(self) -> Frame:
        """Gold clusters by their size and their best F; an element alone has one cell, and its F."""
        import narwhals as nw

        alone = _alone("gold")
        keys = self.gold if self.states else [*self.gold, "gold_state"]
        found = self._common().with_columns(
            f=(nw.col("n") * 2).cast(nw.Float64) / (nw.col("a") + nw.col("b")).cast(nw.Float64),
            apart=_own(nw.lit(0), alone, nw.col("b")),
        )
        found = found.group_by(*keys, "apart").agg(nw.col("f").max(), nw.col("a").max(), nw.col("times").sum())
        found = found.with_columns(nw.col("a").alias("size"), times=_own(nw.lit(1), alone, nw.col("times")))
        return self._merged(found, ["size", "f"])

    def _supersets(self, reading: str, everywhere: bool) -> Frame:
        """What alphaMax needs; see :class:`clusterscore.count.supersets.Supersets`."""
        import narwhals as nw

        n, times, alone, single = nw.col("n"), nw.col("times"), _alone("pred"), _alone("gold")
        gold = self.gold if self.states else [*self.gold, "gold_state"]
        pred = self.pred if self.states else [*self.pred, "pred_state"]
        cells = _beside(self._common(), "max", {"main_n": (n, pred)})
        cells = cells.with_columns(main_n=_own(nw.col("main_n"), alone, nw.lit(1)))
        largest = n == nw.col("main_n")
        cells = _beside(cells, "sum", {"tied": (nw.when(largest).then(times).otherwise(nw.lit(0)), pred)})
        decides = largest & ((nw.col("tied") == 1) | alone) & ~single
        cells = cells.with_columns(main=nw.when(decides).then(nw.lit(1)).otherwise(nw.lit(0)).cast(nw.Int64))
        # the label of the cell that decides is the name of the super-set
        main = nw.col("main") == 1
        cells = cells.with_columns(
            label=nw.when(main).then(nw.col("gold")),
            state=nw.when(main).then(nw.col("gold_state")).otherwise(nw.lit(-1)).cast(nw.Int64),
        )
        cells = _beside(cells, "max", {"joined": (nw.col("main"), pred), "super_state": (nw.col("state"), pred)})
        cells = cells.with_columns(super=nw.col("label").max().over(*pred))
        cells = cells.with_columns(
            joined=_own(nw.col("joined"), alone, nw.col("main")),
            super_state=_own(nw.col("super_state"), alone, nw.col("state")),
            super=nw.when(alone).then(nw.col("label")).otherwise(nw.col("super")),
        )
        superset = [*self.document, "joined", "super", "super_state"]
        count, joined = n * times, nw.col("joined") == 1
        sums = {"size": (count, superset), "held": (count, [*superset, *gold[len(self.document) :]])}
        cells = _beside(cells, "sum", sums).with_columns(
            size=_own(nw.col("size"), ~joined, nw.col("b")),
            held=_own(nw.col("held"), ~joined | single, n),
        )
        columns = ["n", "a", "b", "size"]
        gains = nw.col("size") != nw.col("b")
        if reading == "marginal":
            squares, held = n * n * times, count * nw.col("held")
            cells = _beside(cells, "sum", {
                "gold_nn": (squares, gold), "pred_nn": (squares, pred),
                "gold_ww": (held, gold), "super_ww": (held, superset),
            })  # fmt: skip
            cells = cells.with_columns(
                gold_nn=_own(nw.col("gold_nn"), single, nw.lit(1)), pred_nn=_own(nw.col("pred_nn"), alone, nw.lit(1)),
                gold_ww=_own(nw.col("gold_ww"), single, nw.lit(1)),
            )  # fmt: skip
            cells = cells.with_columns(super_ww=_own(nw.col("super_ww"), ~joined, nw.col("pred_nn")))
            columns += ["gold_nn", "pred_nn", "gold_ww", "super_ww"]
            gains = gains | (nw.col("gold_ww") != nw.col("gold_nn"))
        else:
            columns.append("held")
        if reading == "majority":
            held = nw.when(main).then(nw.col("held")).otherwise(nw.lit(0))
            cells = _beside(cells, "max", {"main_held": (held, pred)})
            cells = cells.with_columns(main_held=_own(nw.col("main_held"), alone, nw.col("held")))
            columns += ["main_n", "main_held"]
        return self._merged(cells if everywhere else cells.filter(gains), columns)


def _alone(side: str) -> nw.Expr:
    """Whether an element is a cluster of its own there, by a policy."""
    import narwhals as nw

    return (nw.col(f"{side}_state") == ALONE) | (nw.col(f"{side}_state") == MADE_UP)


def _state(side: str) -> nw.Expr:
    """A label that is null stands for nothing."""
    import narwhals as nw

    null = nw.when(nw.col(side).is_null())
    return null.then(nw.lit(NULL)).otherwise(nw.lit(LABELLED)).cast(nw.Int64).alias(f"{side}_state")


def _beside(frame: Frame, how: str, wanted: dict[str, tuple[nw.Expr, list[str]]]) -> Frame:
    """Sums or maxima over the cells that share some keys, written beside each of them.

    Some engines take only plain columns there, and some widen a sum: the terms come first, and whole numbers last.
    """
    import narwhals as nw

    frame = frame.with_columns(term.cast(nw.Int64).alias(name) for name, (term, _) in wanted.items())
    frame = frame.with_columns(getattr(nw.col(name), how)().over(*keys) for name, (_, keys) in wanted.items())
    return frame.with_columns(nw.col(name).cast(nw.Int64) for name in wanted)


def _own(shared: nw.Expr, alone: nw.Expr, own: nw.Expr) -> nw.Expr:
    """What cells share, and for those that are alone their own."""
    import narwhals as nw

    return nw.when(alone).then(own).otherwise(shared).cast(nw.Int64)
