"""Where a score was lost: by element, by cluster, by cell and by kind of error, from one count."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property, partial
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import numpy as np

from clusterscore.align.policies import dropped_note
from clusterscore.analyses.diagnose.cluster_rows import SIDES, ClusterSide, Order, by_loss
from clusterscore.analyses.diagnose.element_texts import texts_of_clusters
from clusterscore.analyses.diagnose.losses import (
    KINDS,
    ONE_SIDED,
    Losses,
    common_sizes,
    estimated_kinds,
    kind_rows,
    kinds_of,
    losses_of,
    scores_elements,
)
from clusterscore.analyses.diagnose.patterns import Pattern, patterns_of
from clusterscore.analyses.estimate.estimates import Estimates
from clusterscore.analyses.estimate.estimating import (
    CountedSample,
    count_systems,
    estimable,
    estimate_options,
    estimates_of,
    refuse_with_sample,
)
from clusterscore.count.cells import Clusters
from clusterscore.count.counting import as_table, with_one_sided
from clusterscore.count.counts import once
from clusterscore.count.table import Table
from clusterscore.distinct import Array, Ints
from clusterscore.exceptions import InputError, MetricError, one_of
from clusterscore.messages import Wording
from clusterscore.metrics import Metric, Score
from clusterscore.metrics.elementwise import ElementScores, ScoresElements
from clusterscore.metrics.mention_scores import ScoresMentions
from clusterscore.metrics.partitions import overlap_found
from clusterscore.nouns import noun
from clusterscore.overlap import between_clusters, cover_of
from clusterscore.read.names import Names
from clusterscore.read.sample import Sample
from clusterscore.show.columnar import Columns, LazyColumn

if TYPE_CHECKING:
    from clusterscore.read.coreference.mentions import Mentions

_MOST_ROWS = 2**31  # elements of a table that are listed one by one
_OF_CLUSTERS = ("overlap", "overlap_share", "parts", "precision", "recall", "f", "loss", "share")
_SIZES = ("gold_clusters", "pred_clusters", "gold_size", "pred_size")
_OF_ELEMENTS = ("gold", "pred", *_SIZES, *ElementScores._fields, "stands_for", "loss")
_OF_CELLS = ("gold", "gold_text", "pred", "pred_text", "n", "gold_size", "pred_size", "kind")
_SCORES = ("precision", "recall", "f", "stands_for", "loss", "merged", "split")


class Diagnosis:
    """One prediction against gold under a metric that scores elements; counted once, looked at from every side.

    The cells of ``table`` hold all elements, also those that only one side has, which ``given`` counts in sizes alone.
    Where gold is a sample, these are the sampled clusters, each with what it ``stands_for``, and all losses are those
    of the whole, by estimate.
    """

    def __init__(self, metric: ScoresElements, given: Table, counted: CountedSample | None = None):
        if not given.elements:
            raise InputError(noun("neither side has an element: there is nothing that could be lost"))
        self.metric, self.given, self.table = metric, given, with_one_sided(given)
        self.counted = counted
        self.stands_for = None if counted is None else counted.stands_for
        self._memo: dict[tuple[Any, ...], Any] = {}

    @classmethod
    def of(
        cls, gold: Any, pred: Any = None, *, metric: str | Metric | None = None, weights: Any = None, **options: Any
    ) -> Diagnosis:
        """Count what a function was given: two clusterings, or a Table in their place."""
        chosen, numbers = scores_elements(metric).weighed(weights)
        if isinstance(gold, Sample):
            missing = options.pop("missing", None)
            refuse_with_sample(weights=numbers, **options)
            return cls.of_sample(chosen, count_systems(gold, {"": pred}, missing))
        options = {**options, **({} if numbers is None else {"weights": numbers})}
        if options.get("missing") is None and not isinstance(gold, Table):
            options["missing"] = chosen.default_missing
        table = as_table(gold, pred, members=True, **options)
        if metric is None:
            chosen = scores_elements(None, table).weighed(weights)[0]
        chosen = chosen.on(table)
        chosen.check(table)
        return cls(chosen, table)

    @classmethod
    def of_sample(cls, metric: ScoresElements, counted: CountedSample, system: str = "") -> Diagnosis:
        """A system, against the gold clusters of a sample."""
        estimable([metric])
        if isinstance(metric, ScoresMentions):
            raise MetricError(f"{metric} scores mentions that one side may not have; use bcubed(f=of-means) here")
        table = counted.tables[system]
        pooled = Table(table.counts.pooled(), members=table.members, population=table.population)
        return cls(metric, pooled, counted._replace(tables={"": table}, totals={"": counted.totals[system]}))

    @cached_property
    def estimates(self) -> Estimates | None:
        """What the whole would score, where gold is a sample."""
        return None if self.counted is None else estimates_of(self.counted, [self.metric], estimate_options())

    @cached_property
    def score(self) -> Score:
        """The score of all documents together; all losses add up to 1 minus it."""
        if self.estimates is None:
            return self.metric.score(self.given)
        estimate = self.estimates[self.metric]
        precision, recall = (None if side is None else side.value for side in (estimate.precision, estimate.recall))
        return Score(estimate.value, precision, recall, self.estimates.signed(str(self.metric)))

    @cached_property
    def losses(self) -> Losses:
        """What is lost in each cell."""
        return losses_of(self.metric, self.table, self.stands_for)

    @cached_property
    def kinds(self) -> Ints:
        """The kind of each cell, as its place in KINDS."""
        table = self.table
        return kinds_of(table.n, table.a, table.b, common_sizes(table))

    @cached_property
    def _order(self) -> Order:
        members = self.table.members
        return Order.of(self.table, None if members is None else members.cell)

    @once
    def _names(self, side: str) -> Array:
        """The names of all clusters of a side, or of all documents, by their numbers."""
        table = between_clusters(self.table)
        if side == "document":
            return Names(table.documents).take(np.arange(len(table.documents)))
        return _all_names(table.cells.side(side))

    @once
    def _labels(self, side: str) -> Array:
        """What the elements of each cell have for a label on a side: a cluster, or a frozenset of those they are in."""
        return _all_names(self.table.cells.side(side)) if self.table.overlapping else self._names(side)

    def elements(self, texts: Mapping[str, Array] | None = None) -> Columns:
        """A row per element, in their order; ``texts`` are further columns with a text for each."""
        table, members = self.table, self.table.members
        if table.elements > _MOST_ROWS:
            raise InputError(
                f"one row for {table.elements:,} {noun('elements')} does not fit into memory; ",
                Wording("cs.score", "clusterscore score"),
                " adds them up",
            )
        loss = self.losses.loss / table.n
        if members is None:
            order = np.argsort(self._order.cell)
            return Columns(self._columns(np.repeat(order, table.n[order]), _OF_ELEMENTS, loss), self._notes)
        columns = self._columns(members.cell, _OF_ELEMENTS, loss)
        weights, ids, cell, lacking = members.pair.weights, members.pair.ids, members.cell, self.losses.lacking
        places = np.arange(len(cell))
        columns["element"] = (
            places if ids is None else LazyColumn(ids.codes, lambda codes: Names(ids.names).take(codes))
        )
        if members.mentions is not None:
            columns |= self._of_mentions(members.mentions, "document" in columns)
        if weights is not None and self.metric.wants_weights:
            shares = weights / self.losses.weight
            columns["loss"] = LazyColumn(places, lambda rows: shares[rows] * lacking[cell[rows]])
        columns |= texts or {}
        names = ("document", "element", "text", *(texts or ()), *_OF_ELEMENTS, "context")
        return Columns({name: columns[name] for name in names if name in columns}, self._notes)

    def _of_mentions(self, mentions: Mentions, by_document: bool) -> dict[str, Array | LazyColumn]:
        """What mentions are called, and their words, if there are any."""
        make = {} if by_document else {"document": mentions.documents}
        make["element"] = mentions.names
        if mentions.have_words:
            make |= {"text": mentions.texts, "context": mentions.contexts}
        return {name: LazyColumn(self.mention_ids, getter) for name, getter in make.items()}

    @cached_property
    def mention_ids(self) -> Ints:
        """The elements by their numbers among the mentions."""
        assert self.table.members is not None
        assert self.table.members.pair.ids is not None
        return np.asarray(self.table.members.pair.ids[:], np.int64)

    @cached_property
    def mentions(self) -> Mentions | None:
        """The mentions, where that is what the elements are, and there are words."""
        mentions = self.table.mentions
        return mentions if mentions is not None and mentions.have_words else None

    @once
    def glosses(self, side: str) -> Array:
        """A few words for each entity of a side, by their numbers."""
        assert self.mentions is not None
        assert self.table.members is not None
        cluster, sizes = getattr(self.table, side)[self.table.members.cell], self.table.cells.side(side).size
        glosses = self.mentions.glosses(self.mention_ids, cluster, len(sizes))
        glosses[sizes == 0] = None
        return glosses

    def clusters(self, side: str = "both", texts: Mapping[str, Array] | None = None) -> Columns:
        """A row per cluster of a side ("gold", "pred") or of both, the largest loss first.

        ``texts`` are further columns, of which a cluster has the texts of all its elements.
        """
        one_of("side", side, SIDES)
        sides = ("gold", "pred") if side == "both" else (side,)
        if self.stands_for is not None:  # of the predicted clusters, gold is known for some elements only
            if side == "pred":
                refuse_with_sample(side=side)
            sides = ("gold",)
        parts = [ClusterSide(self.table, self.losses, self._order, side_name) for side_name in sides]
        began = self._order.document
        order = by_loss(
            np.concatenate([part.loss for part in parts]),
            np.concatenate([part.size for part in parts]),
            np.concatenate([2 * part.first + k for k, part in enumerate(parts)]),
            None if began is None else np.concatenate([began[part.document] for part in parts]),
        )

        def column(make: Callable[[ClusterSide], Array]) -> LazyColumn:
            return LazyColumn(order, lambda rows: np.concatenate([make(part) for part in parts])[rows])

        columns = {"side": LazyColumn(order, lambda rows: np.array(sides, object)[(rows >= len(parts[0])) * 1])}
        if began is not None:
            columns["document"] = column(lambda part: self._names("document")[part.document])
        columns["cluster"] = column(lambda part: self._names(part.side)[part.cluster])
        if self.mentions is not None:
            columns["text"] = column(lambda part: self.glosses(part.side)[part.cluster])
        columns["size"] = column(lambda part: part.size)
        for name, values in (texts or {}).items():
            columns[name] = LazyColumn(order, partial(texts_of_clusters, parts, values))
        if (stands_for := self.stands_for) is not None:
            columns["stands_for"] = column(lambda part: stands_for[part.cluster])
        columns["best_match"] = column(lambda part: self._names(part.other)[part.best_match])
        if self.mentions is not None:
            columns["best_match_text"] = column(lambda part: self.glosses(part.other)[part.best_match])
        known = [name for name in _OF_CLUSTERS if getattr(self.losses.scores, name, name) is not None]
        columns |= {name: column(attrgetter(name)) for name in known}
        return Columns(columns, self._notes)

    def patterns(self, most: int = 3, by: str = "charged") -> list[Pattern]:
        """The predicted clusters that cost most by what they merge, and the gold ones that do by how they are split.

        By "loss" it is what all their elements cost, for whatever reason.
        """
        sides = ("gold",) if self.stands_for is not None else ("gold", "pred")
        parts = [ClusterSide(self.table, self.losses, self._order, side) for side in sides]
        return patterns_of(parts, self.losses, self._title, self.table.documents, most, by)

    def _title(self, side: str, cluster: int) -> Any:
        """The name of a cluster, with some words where it is an entity of a text."""
        name, gloss = self._names(side)[cluster], None if self.mentions is None else self.glosses(side)[cluster]
        if name is None:  # an element that a policy left alone is in no cluster with a name
            return "(alone)"
        return f"{name} · {gloss}" if gloss else name

    def errors(self) -> Columns:
        """A row per kind of error."""
        self._refuse_overlap()
        rows = kind_rows(self.table, self.kinds, self.losses)
        if self.counted is not None:
            rows |= estimated_kinds(self.metric, self.counted, self.table, self.kinds, estimate_options(resamples=0))
        return Columns(rows, [*map(str, self.patterns()), *self._notes])

    def error_cells(self) -> Columns:
        """A row per cell, the largest loss first."""
        self._refuse_overlap()
        began, loss = self._order.document, self.losses.loss
        order = by_loss(
            loss, self.table.n, self._order.cell, None if began is None else began[self.table.cells.document]
        )
        return Columns(self._columns(order, (*_OF_CELLS, *_SCORES), loss), self._notes)

    @property
    def remarks(self) -> list[str]:
        """What is to be said of the elements."""
        if self.counted is not None and self.estimates is not None:
            return [self.estimates.summary(), *self.estimates.notes]
        if self.table.mentions is None or self.mentions is not None:
            return []
        return ["the files have no words: mentions are shown by the numbers of their tokens"]

    @property
    def _notes(self) -> list[str]:
        return [*dropped_note(self.given.policy, self.given.dropped, self.given.noise), *self.remarks]

    def _refuse_overlap(self) -> None:
        if self.table.overlapping:
            raise InputError(
                f"{overlap_found(self.table)[0]}, and the kinds of errors are those of partitions; ",
                Wording("cs.clusters and cs.elements", "clusterscore clusters and clusterscore elements"),
                " show where the score of clusterings that overlap was lost",
            )

    def _columns(self, cells: Ints, names: Iterable[str], loss: Array) -> dict[str, Array | LazyColumn]:
        """Columns with a row for each of these cells, and the document first where there is one."""
        table, scores, document = self.table, self.losses.scores, self.table.cells.document
        stands_for = self.stands_for
        make: dict[str, Callable[[Ints], Array]] = {
            "gold": lambda cell: self._labels("gold")[table.gold[cell]],
            "pred": lambda cell: self._labels("pred")[table.pred[cell]],
            "n": table.n.take,
            "gold_size": table.a.take,
            "pred_size": table.b.take,
            "kind": lambda cell: np.array((*KINDS, *ONE_SIDED), object)[self.kinds[cell]],
            **{name: column.take for name, column in scores._asdict().items() if column is not None},
            **({} if stands_for is None else {"stands_for": lambda cell: stands_for[table.gold[cell]]}),
            "loss": loss.take,
            **{cause: lost.take for cause, lost in self.losses.causes.items()},
        }
        if self.mentions is not None:
            make["gold_text"] = lambda cell: self.glosses("gold")[table.gold[cell]]
            make["pred_text"] = lambda cell: self.glosses("pred")[table.pred[cell]]
        if table.overlapping:
            for name, side in zip(("gold", "pred"), cover_of(table).sides, strict=True):
                make |= {f"{name}_clusters": side.number.take, f"{name}_size": side.total(side.size).take}
        first = {} if document is None else {"document": LazyColumn(document[cells], self._names("document").take)}
        return {**first, **{name: LazyColumn(cells, make[name]) for name in names if name in make}}


def _all_names(clusters: Clusters) -> Array:
    """The names of clusters by their numbers; what holds elements that a side does not have is no cluster of it."""
    used = np.flatnonzero(clusters.size)
    names = clusters.name.column(used, len(clusters.size))
    if len(used) < len(names):
        names = names.astype(object)
        names[clusters.size == 0] = None
    return names
