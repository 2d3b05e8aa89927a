"""What the measures of segmentations share: cuts between neighbours, and windows that slide over them."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, replace
from typing import ClassVar, Literal, NamedTuple

import numpy as np

from clusterscore.count.counts import Members, NotASum
from clusterscore.distinct import Ints
from clusterscore.exceptions import InputError, MetricError
from clusterscore.messages import Option, Wording
from clusterscore.metrics.metric import Array, Limits, Metric, Parts, Table, Values, add_rows, divide
from clusterscore.nouns import noun


class Cuts(NamedTuple):
    """Document after document, for each element whether it starts a segment; the first of a document does not count."""

    gold: Array
    pred: Array
    first: Ints  # where each document starts
    length: Ints  # how many elements it has
    order: Ints | None = None  # where each element stands in the input, unless documents follow one another there

    def number(self, cut: Array) -> Ints:
        """How many of these elements each document has."""
        before = np.append(0, np.cumsum(cut))
        return np.asarray(before[self.first + self.length] - before[self.first])


@dataclass(frozen=True)
class Segmentation(Metric):
    """A measure of the cuts between neighbours, in the order in which a user gives the elements."""

    runs: bool = False

    group: ClassVar[str] = "segmentation"
    ordered: ClassVar[bool] = True

    def pooled_parts(self, table: Table) -> Parts:
        """Nothing crosses documents: what they have is added."""
        return add_rows(self.parts(table))

    def check(self, table: Table) -> None:
        super().check(table)
        if not self._members(table).pair.has_order:
            raise InputError(
                f"{self.name} needs the order of the {noun('elements')}, but gold consists of sets, which "
                f"have none; pass ordered lists, or a mapping {noun('element')} -> segment"
            )
        if table.policy.missing == "singleton":
            raise InputError(
                f"{self.name} needs neighbours, but ",
                Option("missing", "singleton"),
                noun(" adds elements without any; give both sides the same elements, or pass "),
                Option("missing", "drop"),
            )

    def cuts(self, table: Table) -> Cuts:
        """Where both sides cut."""
        if table.unit != "documents":
            raise NotASum(noun("the order of the elements"))
        cell, where, order = self._members(table).cell, table.cells.document, None
        length = np.array([len(cell)])
        if where is not None:
            document = where[cell]
            length = np.bincount(document, minlength=len(table.documents))
            if (document[1:] < document[:-1]).any():
                order = np.argsort(document, kind="stable")
                cell = cell[order]
        first = np.cumsum(length) - length
        sides = {}
        for side, cluster in (("gold", table.gold[cell]), ("pred", table.pred[cell])):
            cut = np.ones(len(cell), np.bool_)
            np.not_equal(cluster[1:], cluster[:-1], out=cut[1:])  # in another document is another cluster
            if not self.runs and np.count_nonzero(cut) > table.number(side):
                raise self._repeated(table, side, cluster, cut, order)
            cut[first[length > 0]] = False
            sides[side] = cut
        return Cuts(**sides, first=first, length=length, order=order)

    def _members(self, table: Table) -> Members:
        if table.members is None:
            raise InputError(
                f"{self.name} needs the order of the {noun('elements')}, which this Table does not know; pass gold and "
                "pred, or make it with Table.from_labels(gold, pred, members=True)"
            )
        return table.members

    def _repeated(self, table: Table, side: str, cluster: Array, cut: Array, order: Ints | None) -> InputError:
        starts, ids = np.flatnonzero(cut), self._members(table).pair.ids
        again = np.ones(len(starts), np.bool_)
        again[np.unique(cluster[starts], return_index=True)[1]] = False
        at = int(starts[again][0])
        place = at if order is None else int(order[at])
        many = len(np.unique(cluster[starts[again]]))
        labels = "1 label comes back" if many == 1 else f"{many:,} labels come back"
        label = table.cells.side(side).name(int(cluster[at]))
        where = f"position {place}" if ids is None else f"{noun('element')} {ids[place]!r}"
        return InputError(
            f"{labels} after others in {side} (e.g. {label!r} at {where}), so {self.name} does not know its segments; "
            "if 0 and 1 mark where segments start, ",
            Wording(
                "use Clustering.from_boundaries, for segment lengths Clustering.from_lengths (for a file: ",
                "or numbers are segment lengths, pass ",
            ),
            Option("format", "boundaries", "lengths"),
            Wording(")"),
            f"; if every run of equal labels is a segment, use {replace(self, runs=True)}",
        )


@dataclass(frozen=True)
class Windows(Segmentation):
    """An error rate: the share of windows, k cuts wide, that look different on both sides."""

    k: int | None = None
    dialect: Literal["segeval", "nltk-gaps", "nltk-starts"] = "segeval"

    limits: ClassVar[Limits] = {"k": (1, np.inf)}
    perfect: ClassVar[float | None] = 0.0
    smaller_is_better: ClassVar[bool] = True
    shown_first = ("k", "dialect")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.k is not None:
            if self.k != int(self.k):
                raise MetricError(f"{self.name}: k={self.k:g} must be a whole number")
            object.__setattr__(self, "k", int(self.k))

    def check(self, table: Table) -> None:
        super().check(table)
        longest = int(table.common.max(initial=0))
        if self.k is not None and 1 < longest <= self.k:
            raise InputError(
                f"{self} has no window: it needs more than {self.k:,} {noun('elements')}, and the longest "
                f"{noun('document')} has {longest:,}; take a smaller k, or leave it out"
            )

    def widths(self, cuts: Cuts) -> Ints:
        """The k of each document: half the mean length of its gold segments, unless it is given."""
        if self.k is not None:
            return np.full(len(cuts.length), self.k)
        elements, segments = cuts.length, 1 + cuts.number(cuts.gold)
        if self.dialect == "nltk-gaps":  # which knows the gaps between elements, and the cuts among them
            elements, segments = elements - 1, np.maximum(segments - 1, 1)
        return np.rint(elements / (2 * segments)).astype(np.int64).clip(2 if self.dialect == "segeval" else 0)

    def spans(self, cuts: Cuts, k: Ints) -> tuple[Ints, Ints]:
        """How far before the first element of each document the windows begin, and how many there are."""
        before = np.full(len(k), int(self.dialect == "nltk-starts"))
        return before, (cuts.length - k + before).clip(0)

    @abstractmethod
    def errors(self, gold: Ints, pred: Ints) -> Array:
        """How wrong windows are that have so many cuts on either side."""

    def parts(self, table: Table) -> Parts:
        cuts = self.cuts(table)
        k = self.widths(cuts)
        before, windows = self.spans(cuts, k)
        # a window holds the cuts after the element `left`, up to the one before `right`
        place = np.arange(windows.sum()) - np.repeat(np.cumsum(windows) - windows, windows)
        first, last = (np.repeat(end, windows) for end in (cuts.first, cuts.first + cuts.length - 1))
        left = first + place - np.repeat(before, windows)
        right = np.minimum(left + np.repeat(k, windows), last)
        outside = left < first  # there both sides start
        left = np.maximum(left, first)
        totals = (np.cumsum(cut) for cut in (cuts.gold, cuts.pred))
        wrong = self.errors(*(total[np.maximum(right, left)] - total[left] + outside for total in totals))
        document = np.repeat(np.arange(len(windows)), windows)
        return {"errors": np.bincount(document, wrong, len(windows)), "windows": windows.astype(np.float64)}

    def finish(self, errors: Array, windows: Array) -> Values:
        return Values(divide(errors, windows, 0.0))
