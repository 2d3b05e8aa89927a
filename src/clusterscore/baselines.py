"""Baselines: trivial and random clusterings of the same elements: next to theirs a score says something.

The first argument of each is a number of elements, or a clustering of any kind. Of a clustering the elements are taken,
in their order, with their ids, and every document is clustered on its own: one that carries documents
(``Clustering.from_labels(labels, documents=...)``, a frame with a document column) gets a baseline inside each of them.

>>> import clusterscore as cs
>>> gold = ["a", "a", "a", "b", "b", "c"]
>>> cs.elm(gold, cs.baselines.singletons(gold)).f, cs.elm(gold, cs.baselines.one_cluster(gold)).f
(0.16666666666666666, 0.3968253968253968)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from numbers import Number
from typing import Any, Literal

import numpy as np

from clusterscore.align.policies import Pair, Side
from clusterscore.distinct import Array, Ints, distinct, ranges
from clusterscore.exceptions import InputError, InputTypeError, integer, one_of
from clusterscore.nouns import noun, plural
from clusterscore.read.clustering import Clustering
from clusterscore.read.guess import as_clustering
from clusterscore.read.label_sets import LabelSets
from clusterscore.read.labels import Labels, encode
from clusterscore.read.names import label_ranks

__all__ = [
    "fixed_size",
    "mean_size",
    "one_cluster",
    "shuffled",
    "singletons",
    "ultra_shaped_random",
    "uniform_random",
]

Seed = int | np.random.Generator

_MOST = 2**40  # elements: more are a mistake, and would not fit memory


def singletons(n: Any) -> Clustering:
    """Every element alone.

    >>> import clusterscore as cs
    >>> cs.baselines.singletons(3).codes.tolist()
    [0, 1, 2]
    """
    return _built(n, ElementsByDocument.singletons)


def one_cluster(n: Any) -> Clustering:
    """All elements of a document in one cluster.

    >>> import clusterscore as cs
    >>> cs.baselines.one_cluster(["a", "b", "b"]).codes.tolist()
    [0, 0, 0]
    """
    return _built(n, ElementsByDocument.one_cluster)


def fixed_size(n: Any, k: int) -> Clustering:
    """Runs of ``k`` elements, in their order; the last run of a document may be shorter.

    Options:
        k: how many elements a run has.

    >>> import clusterscore as cs
    >>> cs.baselines.fixed_size(5, 2).codes.tolist()
    [0, 0, 1, 1, 2]
    """
    size = integer("k", k, 1)
    return _built(n, lambda elements: elements.runs(min(size, elements.number)))


def mean_size(gold: Any) -> Clustering:
    """Runs as long as the gold clusters of their document are on average, cut to a whole number.

    A segmentation that knows the mean length of a segment, and nothing else.

    >>> import clusterscore as cs
    >>> cs.baselines.mean_size(["a", "a", "a", "a", "b"]).codes.tolist()
    [0, 0, 1, 1, 2]
    """
    given = as_clustering(gold, "gold")
    if given.labels.null is not None:
        count = int((given.codes == given.labels.null).sum())
        raise InputError(
            f"gold has {plural(count, 'element')} with no label (None or NaN), so its {noun('clusters')} have "
            "no mean size; give them a label, or leave them out"
        )
    names = given.names
    return _built(given, lambda elements: elements.runs(elements.mean_size(given.codes, len(names), names)))


def uniform_random(n: Any, k: int, *, sizes: Literal["equal", "independent"] = "equal", seed: Seed = 0) -> Clustering:
    """Elements dealt at random into ``k`` clusters of equal size, which differ by one at most.

    A document with fewer than ``k`` elements has at most as many clusters as elements.

    Options:
        k: how many clusters each document has.
        sizes: ``"independent"``: every element draws its cluster by itself, all ``k`` being equally likely. Sizes then
            vary, and a cluster that nobody drew is not there.
        seed: a whole number, which gives the same clusters every time, or a NumPy Generator.

    >>> import clusterscore as cs
    >>> sorted(cs.baselines.uniform_random(7, 3).codes.tolist())
    [0, 0, 0, 1, 1, 2, 2]
    """
    one_of("sizes", sizes, ("equal", "independent"))
    count, random = integer("k", k, 1), _generator(seed)
    if sizes == "independent":
        return _built(n, lambda elements: elements.independent(count, random))
    return _built(n, lambda elements: elements.uniform(min(count, elements.number), random))


def ultra_shaped_random(n: Any, k: int, *, seed: Seed = 0) -> Clustering:
    """One random element to each of ``k`` - 1 clusters, and the rest to the last.

    A document with fewer than ``k`` elements has as many clusters as elements.

    Options:
        k: how many clusters each document has.
        seed: a whole number, which gives the same clusters every time, or a NumPy Generator.

    >>> import clusterscore as cs
    >>> sorted(cs.baselines.ultra_shaped_random(7, 3).codes.tolist())
    [0, 1, 2, 2, 2, 2, 2]
    """
    count, random = integer("k", k, 1), _generator(seed)
    return _built(n, lambda elements: elements.ultra_shaped(min(count, elements.number), random))


def shuffled(pred: Any, *, seed: Seed = 0) -> Clustering:
    """The labels of a clustering, dealt out again at random inside each document: its sizes, without its knowledge.

    Options:
        pred: the clustering.
        seed: a whole number, which gives the same clusters every time, or a NumPy Generator.

    >>> import clusterscore as cs
    >>> dealt = cs.baselines.shuffled(["x", "x", "x", "y", "y", "z"])
    >>> sorted(dealt.names[code] for code in dealt.codes)
    ['x', 'x', 'x', 'y', 'y', 'z']
    """
    random = _generator(seed)
    given = as_clustering(pred, "pred")
    return _built(given, lambda elements: replace(given.labels, codes=elements.shuffled(given.codes, random)))


class ElementsByDocument:
    """How many elements there are and in which documents: all that a baseline knows of them.

    ``by_name`` gives them in the order of their ids, where they have any: what is drawn does not depend on their order.
    A number is one for all documents, or has a row for each.
    """

    def __init__(self, number: int, documents: Labels | None, by_name: Callable[[], Ints] | None):
        self.number, self._by_name = number, by_name or (lambda: np.arange(number))
        self._document = None if documents is None else documents.codes
        self.sizes = np.array([number])
        if documents is not None:
            self.sizes = np.bincount(documents.codes, minlength=len(documents.names))

    def singletons(self) -> Labels:
        """Every element alone."""
        return Labels(np.arange(self.number), _numbers(self.number))

    def one_cluster(self) -> Labels:
        """One cluster for each document that has elements."""
        return self._numbered(np.zeros(self.number, np.int64), np.minimum(self.sizes, 1))

    def runs(self, size: int | Ints) -> Labels:
        """Runs of so many elements."""
        length: Ints = np.minimum(size, self.sizes).clip(1)
        return self._numbered(
            self._places(np.arange(self.number)) // self._by_document(length), -(-self.sizes // length)
        )

    def uniform(self, k: int | Ints, random: np.random.Generator) -> Labels:
        """So many clusters of equal size."""
        clusters: Ints = np.minimum(k, self.sizes)
        return self._numbered(self._places(self._drawn(random)) % self._by_document(clusters.clip(1)), clusters)

    def independent(self, k: int, random: np.random.Generator) -> Labels:
        """For each element one of so many clusters, drawn by itself; those that nobody drew are left out."""
        size = min(k, 2**62)  # above it two elements never meet
        drawn = np.empty(self.number, np.int64)
        drawn[self._by_name()] = random.integers(size, size=self.number)
        document = np.zeros(self.number, np.int64) if self._document is None else self._document
        rows = distinct((document, len(self.sizes)), (drawn, size), codes=True)
        return Labels(rows.codes, _numbers(len(rows)))

    def ultra_shaped(self, k: int | Ints, random: np.random.Generator) -> Labels:
        """So many clusters, all but the last with one element."""
        clusters: Ints = np.minimum(k, self.sizes)
        return self._numbered(np.minimum(self._places(self._drawn(random)), self._by_document(clusters) - 1), clusters)

    def shuffled(self, codes: Array, random: np.random.Generator) -> Array:
        """The clusters of the elements, dealt out again."""
        dealt = np.empty_like(codes)
        dealt[self._in_documents(self._drawn(random))] = codes[self._in_documents(self._by_name())]
        return dealt

    def clusters(self, codes: Array, size: int, names: Sequence[Any] | Array) -> tuple[Ints, Ints]:
        """How many clusters each document has, and how many memberships, which is more where they overlap."""
        document = np.zeros(self.number, np.int64) if self._document is None else self._document
        if type(names) is LabelSets:
            sets = names.apart(codes, document)
            document, codes, size = document[sets.set_of], sets.cluster, int(sets.cluster.max(initial=0)) + 1
        rows = distinct((document, len(self.sizes)), (codes, size))
        held = np.bincount(document, minlength=len(self.sizes))
        return np.bincount(rows.column(0), minlength=len(self.sizes)), held

    def mean_size(self, codes: Array, size: int, names: Sequence[Any] | Array) -> Ints:
        """How large the clusters of each document are on average, cut to a whole number."""
        clusters, memberships = self.clusters(codes, size, names)
        return np.asarray(memberships // np.maximum(clusters, 1))

    def _by_document(self, numbers: Ints) -> Ints:
        """For each element the number of its document; one that serves all is not repeated."""
        return numbers if self._document is None else numbers[self._document]

    def _drawn(self, random: np.random.Generator) -> Ints:
        return self._by_name()[random.permutation(self.number)]

    def _in_documents(self, order: Ints) -> Ints:
        """Elements, document after document, and inside each in the order given."""
        return order if self._document is None else order[np.argsort(self._document[order], kind="stable")]

    def _places(self, order: Ints) -> Ints:
        """The place of each element among those of its document, from 0."""
        places = np.empty(self.number, np.int64)
        places[self._in_documents(order)] = ranges(0, self.sizes)
        return places

    def _numbered(self, inside: Array, clusters: Ints) -> Labels:
        """Clusters that are numbered from 0 inside each document, numbered through."""
        return Labels(inside + self._by_document(np.cumsum(clusters) - clusters), _numbers(int(clusters.sum())))


def baseline_pairs(pair: Pair, *, ordered: bool = True, segments: bool = False) -> Iterator[tuple[str, Pair]]:
    """An aligned pair with each baseline in the place of its prediction, on the elements that the prediction has.

    The random ones have as many clusters as the prediction, in each document. ``mean_size`` is left out where the
    elements are not ``ordered``; the random ones, where only ``segments`` are asked for.
    """
    held, codes = _held(pair, pair.pred)
    k, _ = held.clusters(codes, pair.pred.size, pair.pred.names)
    number_of_clusters = f"(k={k.sum()})" if np.count_nonzero(held.sizes) < 2 else ""
    yield "singletons", _replaced(pair, held.singletons())
    yield "one_cluster", _replaced(pair, held.one_cluster())
    if ordered:
        gold, gold_codes = _held(pair, pair.gold)
        yield "mean_size", _replaced(pair, held.runs(gold.mean_size(gold_codes, pair.gold.size, pair.gold.names)))
    if segments:
        return
    yield f"uniform_random{number_of_clusters}", _replaced(pair, held.uniform(k, _generator(0)))
    yield f"ultra_shaped_random{number_of_clusters}", _replaced(pair, held.ultra_shaped(k, _generator(0)))
    shuffled = Labels(held.shuffled(codes, _generator(0)), pair.pred.names)
    yield "shuffled", _replaced(pair, shuffled, pair.pred.size)


def _numbers(count: int) -> range:
    """The names of clusters, from 1 up: in images 0 is no object."""
    return range(1, count + 1)


def _held(pair: Pair, side: Side) -> tuple[ElementsByDocument, Array]:
    """The elements that a side has, those that the other does not have at the end, and their clusters."""
    codes, documents, apart = np.concatenate([side.codes, side.only]), pair.documents, None
    if documents is not None and side.only_documents is not None:
        apart = replace(documents, codes=side.only_documents)
        documents = replace(documents, codes=np.concatenate([documents.codes, side.only_documents]))

    def by_name(ids: Labels) -> Ints:
        only = _by_name(Labels(side.only, side.names), apart)  # only their clusters tell these apart
        return np.concatenate([_by_name(ids, pair.documents), len(side.codes) + only])

    return ElementsByDocument(len(codes), documents, None if pair.ids is None else partial(by_name, pair.ids)), codes


def _replaced(pair: Pair, labels: Labels, size: int | None = None) -> Pair:
    (codes, names), common = (labels.codes, labels.names), len(pair.pred.codes)
    side = pair.pred._replace(
        codes=codes[:common], only=codes[common:], size=size or len(names), names=names, null=None
    )
    return pair._replace(pred=side)


def _built(n: Any, build: Callable[[ElementsByDocument], Labels]) -> Clustering:
    """A baseline of so many elements, or of those of a clustering."""
    if isinstance(n, int | np.integer) and not isinstance(n, bool):
        count = integer("n", n, 0)
        if count > _MOST:
            raise InputError(f"n={n!r} {noun('elements')} do not fit into memory; the maximum is 2**40")
        n = Clustering(Labels(np.arange(count), range(count)))
    elif isinstance(n, Number):
        raise InputTypeError(
            f"n={n!r} is not a number of {noun('elements')}; pass a whole number from 0 up, or a clustering"
        )
    given = as_clustering(n, "n")
    ids, documents = given.ids, given.documents
    by_name = None if ids is None else lambda: _by_name(encode(ids), documents)
    labels = build(ElementsByDocument(len(given), documents, by_name))
    return Clustering(labels, ids=ids, documents=documents, index=given.index, options=given.options)


def _by_name(ids: Labels, documents: Labels | None) -> Ints:
    """Elements in the order of their documents' names and their own."""
    return np.lexsort([label_ranks(labels) for labels in (ids, documents) if labels is not None])


def _generator(seed: Any) -> np.random.Generator:
    return seed if isinstance(seed, np.random.Generator) else np.random.default_rng(integer("seed", seed, 0))
