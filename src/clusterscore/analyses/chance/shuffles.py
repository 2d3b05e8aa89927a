"""Chance: what a prediction of the same cluster sizes scores that knows nothing, and how far a score is from it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from clusterscore.aggregate import Summary
from clusterscore.analyses.ranks import CLOSE
from clusterscore.analyses.units import document_ranks, ranked
from clusterscore.count.cells import Cells, ClusterNames, Clusters
from clusterscore.count.sums import Floats
from clusterscore.count.table import Table
from clusterscore.distinct import Array, CodedColumn, Ints, distinct, representatives
from clusterscore.metrics.metric import Metric
from clusterscore.metrics.score_type import Score
from clusterscore.progress import step
from clusterscore.read.label_sets import LabelSets

_AT_ONCE = 1 << 16  # elements counted together


class ChanceOptions(NamedTuple):
    """How chance is estimated."""

    average: str
    resamples: int
    seed: int


class Chance(NamedTuple):
    """A score and those of shuffled predictions.

    ``expected`` and ``std`` are their mean and standard deviation. ``adjusted`` is (score - expected) / (most -
    expected), ``most`` the score of gold against itself: 0 is chance, 1 is perfect; where chance is perfect too, it is
    1 for a perfect score and else 0. ``z`` is (score - expected) / std, None where all of them score the same. ``p`` is
    how likely chance is as good as the score, or better.
    """

    score: Score
    expected: float
    std: float
    most: float
    adjusted: float
    z: float | None
    p: float
    signature: str


def chance_of(metrics: Sequence[Metric], table: Table, options: ChanceOptions) -> dict[str, Chance]:
    """Every metric under the same shuffles, each of them counted once.

    A table with element weights has to know its elements: labels are shuffled among them.
    """
    scores = [Summary(metric, table).score(options.average) for metric in metrics]
    shuffles = Shuffles(table)
    blocks: list[list[Floats]] = [[] for _ in metrics]
    done = 0
    with step("shuffling") as at:
        for count, shuffled in shuffles.tables(np.random.default_rng(options.seed), options.resamples):
            for metric, values in zip(metrics, blocks, strict=True):
                values.append(_scores(metric, shuffled, count, options.average))
            done += count
            at(done / options.resamples)
    itself = shuffles.gold_itself()
    most = [Summary(metric, itself).score(options.average).value for metric in metrics]
    return {
        str(metric): _chance(metric, score, best, np.concatenate(values), options)
        for metric, score, best, values in zip(metrics, scores, most, blocks, strict=True)
    }


def _scores(metric: Metric, shuffled: Table, count: int, average: str) -> Floats:
    """The score of each of ``count`` shuffles, whose documents follow one another in the table."""
    if average != "micro":
        values = metric.values(shuffled).value.reshape(count, -1)
        weights = shuffled.document_elements.reshape(count, -1) if average == "weighted" else None
        return np.asarray(np.average(values, axis=1, weights=weights))
    if metric.additive:
        parts = metric.parts(shuffled)
        return metric.finish(**{name: part.reshape(count, -1).sum(axis=1) for name, part in parts.items()}).value
    documents, cells = len(shuffled.documents) // count, shuffled.cells
    gold, pred = (
        side._replace(document=None if side.document is None else side.document // documents)
        for side in (cells.gold, cells.pred)
    )
    counts = Cells(cells.n, gold, pred, cells.weight)
    return metric.values(Table(counts, documents=range(count), one_sided=shuffled.one_sided)).value


def _chance(metric: Metric, score: Score, most: float, shuffled: Floats, options: ChanceOptions) -> Chance:
    value = score.value
    tie = CLOSE * max(1.0, abs(value))
    expected, std = float(shuffled.mean()), float(shuffled.std(ddof=1))
    if np.ptp(shuffled) <= tie:  # the sizes decide the score
        expected, std = value if abs(shuffled[0] - value) <= tie else float(shuffled[0]), 0.0
    better = -1.0 if metric.smaller_is_better else 1.0
    as_good = int(np.count_nonzero(better * (shuffled - value) >= -tie))
    room = most - expected
    adjusted = (value - expected) / room if abs(room) > tie else float(abs(value - most) <= tie)
    z = (value - expected) / std if std > 0 else None
    signature = f"{score.signature}|permutations:{options.resamples}|seed:{options.seed}"
    # the prediction as it is counts as one of the shuffles
    return Chance(score, expected, std, most, adjusted, z, (1 + as_good) / (1 + options.resamples), signature)


class _OrderedClusters(NamedTuple):
    """The clusters of one side, ordered by the names of their documents and their own."""

    cluster: Ints  # its number in the table
    size: Array
    held: Array  # so many of its elements are on both sides
    document: Array  # in the order of their names

    @classmethod
    def of(cls, table: Table, side: str, weight: Array | None = None) -> _OrderedClusters:
        """``weight`` is that of each cluster: in it those may differ that have no name."""
        clusters, ranking = table.cells.side(side), ranked(table, side)
        held = np.bincount(clusters.of_cell[:], table.n, len(clusters.size)).astype(np.int64)
        last = held if weight is None else weight
        used = ranking.used[np.lexsort([last[ranking.used], held[ranking.used], ranking.rank])]
        where = np.zeros(len(used), np.int64)
        if clusters.document is not None:
            where = document_ranks(table.documents)[clusters.document[used]]
        return cls(used, clusters.size[used], held[used], where)


def _numbered(sizes: Array) -> Array:
    """The number of each cluster as often as it has elements; half as wide where that is enough."""
    return np.repeat(np.arange(len(sizes), dtype=np.int32 if len(sizes) < 2**31 else np.int64), sizes)


class Shuffles:
    """A gold clustering, and predicted labels that are dealt out to its elements anew.

    Which elements both sides have stays as it is (``missing="keep"``), and so do all cluster sizes: labels only change
    places among the predicted elements of a document. So nothing is needed of the prediction but its sizes.
    """

    def __init__(self, table: Table):
        self._table, self._documents = table, len(table.documents)
        heavy, weight, members = None, None, table.members
        if table.weight is not None:
            assert members is not None
            weight, gold = members.pair.weights, table.gold[members.cell]
            heavy = np.bincount(gold, weight, len(table.gold_size))
        self._gold, self._pred = _OrderedClusters.of(table, "gold", heavy), _OrderedClusters.of(table, "pred")
        self._codes = _numbered(self._gold.held)
        self._labels = _numbered(self._pred.size)
        self._weight: Array | None = None
        if weight is not None:
            rank = representatives(self._gold.cluster, len(table.gold_size))
            self._weight = weight[np.lexsort([weight, rank[gold]])]

    def gold_itself(self) -> Table:
        """The table of gold against itself, on all of its elements."""
        gold, cells = self._gold, np.arange(len(self._gold.size))
        weight = None if self._weight is None else np.bincount(self._codes, self._weight, len(cells))
        document = None if self._table.cells.gold.document is None else gold.document
        side = Clusters(cells, gold.size, document, self._names("gold", gold.cluster))
        counts = Cells(gold.size, side, side, weight)
        return Table(counts, documents=range(self._documents), policy=self._table.policy)

    def _names(self, side: str, cluster: Ints, shuffle: Ints | None = None) -> ClusterNames:
        """Clusters keep their names, and sets of clusters that overlap say what they hold, in each shuffle anew."""
        names = self._table.cells.side(side).name
        sets = names.names
        return (
            ClusterNames(sets.apart(cluster, shuffle))
            if type(sets) is LabelSets
            else names._replace(codes=names.places(cluster))
        )

    def tables(self, rng: np.random.Generator, shuffles: int) -> Iterator[tuple[int, Table]]:
        """Blocks of shuffles: how many, and their tables as one, the documents of each behind those of the one before.

        The random numbers do not depend on the size of the blocks.
        """
        block = max(1, _AT_ONCE // max(1, len(self._labels)))
        for first in range(0, shuffles, block):
            count = min(block, shuffles - first)
            yield count, self._counted(self._shuffled(rng, count))

    def _shuffled(self, rng: np.random.Generator, count: int) -> Ints:
        """The labels that fall on the common elements, in the order of gold, for each shuffle."""
        dealt: Ints
        labels = np.broadcast_to(self._labels, (count, len(self._labels)))
        if self._documents == 1:
            dealt = rng.permuted(labels, axis=1)
        else:
            # keys that begin with the document and go on at random: in their order labels stay where they belong
            bits = (self._documents - 1).bit_length()
            keys = rng.integers(0, 2**64, labels.shape, dtype=np.uint64)
            keys >>= np.uint64(bits)
            keys |= self._pred.document[self._labels].astype(np.uint64) << np.uint64(64 - bits)
            dealt = self._labels[keys.argsort(axis=1)]
        if not self._table.one_sided[1]:
            return dealt
        # the common elements are the first among the predicted ones of each document
        common, total = (
            np.bincount(side.document, held, self._documents).astype(np.int64)
            for side, held in ((self._gold, self._gold.held), (self._pred, self._pred.size))
        )
        shift = (np.cumsum(total) - total) - (np.cumsum(common) - common)
        return dealt[:, np.arange(len(self._codes)) + np.repeat(shift, common)]

    def _counted(self, labels: Ints) -> Table:
        count, elements = labels.shape
        sizes = len(self._gold.size), len(self._pred.size)
        columns: list[CodedColumn] = [(self._codes, sizes[0]), (labels.ravel(), sizes[1])]
        if count > 1:
            shuffle = np.repeat(np.arange(count), elements)
            columns = [(shuffle, count), (np.tile(self._codes, count), sizes[0]), columns[1]]
        cells = distinct(*columns, codes=self._weight is not None)
        *first, gold_cell, pred_cell = cells.columns  # which shuffle, and the clusters
        weight = None
        if self._weight is not None:
            weight = np.bincount(cells.codes, np.tile(self._weight, count), len(cells))
        alone = count * self._documents == 1  # without documents equal cells are merged, which is faster
        gold, pred = (
            Clusters(
                cell if count == 1 else first[0][:] * len(side.size) + cell[:],
                np.tile(side.size, count),
                None if alone else (np.arange(count)[:, None] * self._documents + side.document).ravel(),
                self._names(name, np.tile(side.cluster, count), np.repeat(np.arange(count), len(side.size))),
            )
            for cell, name, side in ((gold_cell, "gold", self._gold), (pred_cell, "pred", self._pred))
        )
        only_gold, only_pred = self._table.one_sided
        return Table(
            Cells(cells.counts, gold, pred, weight),
            documents=(None,) if alone else range(count * self._documents),
            one_sided=(count * only_gold, count * only_pred),
            policy=self._table.policy,
        )
