"""Baselines: trivial and random clusterings of the same elements, beside which a score says something.

The first argument of each is a number of elements, or a clustering of any kind. Of a clustering the elements are taken,
in their order, with their ids, and every document is clustered on its own: one that carries documents
(``Clustering.from_labels(labels, documents=...)``, a frame with a document column) gets a baseline inside each of them.

>>> import clusterscore as cs
>>> gold = ["a", "a", "a", "b", "b", "c"]
>>> cs.elm(gold, cs.baselines.singletons(gold)).f, cs.elm(gold, cs.baselines.one_cluster(gold)).f
(0.16666666666666666, 0.3968253968253968)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from numbers import Number
from typing import Any, NamedTuple

import numpy as np

from clusterscore.align.pair import Pair, Side
from clusterscore.distinct import Array, Ints, distinct
from clusterscore.exceptions import InputError, InputTypeError, plural, whole
from clusterscore.read.clustering import Clustering
from clusterscore.read.guess import as_clustering, as_clusterings
from clusterscore.read.labels import Labels, encode
from clusterscore.read.name_order import label_ranks

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
    return _built(n, _singletons)


def one_cluster(n: Any) -> Clustering:
    """All elements of a document in one cluster.

    >>> import clusterscore as cs
    >>> cs.baselines.one_cluster(["a", "b", "b"]).codes.tolist()
    [0, 0, 0]
    """
    return _built(n, _one_cluster)


def fixed_size(n: Any, k: int) -> Clustering:
    """Runs of ``k`` elements, in their order; the last run of a document may be shorter.

    >>> import clusterscore as cs
    >>> cs.baselines.fixed_size(5, 2).codes.tolist()
    [0, 0, 1, 1, 2]
    """
    size = whole("k", k, 1)
    return _built(n, lambda elements: _runs(elements, elements.same(size)))


def mean_size(gold: Any) -> Clustering:
    """Runs as long as the gold clusters of their document are on average, cut to a whole number.

    A segmentation that knows the mean length of a segment, and nothing else.

    >>> import clusterscore as cs
    >>> cs.baselines.mean_size(["a", "a", "a", "a", "b"]).codes.tolist()
    [0, 0, 1, 1, 2]
    """
    given = _clustering_of(gold, "gold")
    if given.labels.null is not None:
        count = int((given.codes == given.labels.null).sum())
        raise InputError(
            f"gold has {plural(count, 'element')} with no label (None or NaN), so its clusters have no mean size; give "
            "them a label, or leave them out"
        )
    elements = _elements(given)
    clusters = elements.clusters(given.codes, len(given.names))
    return _clustering(given, _runs(elements, elements.sizes // np.maximum(clusters, 1)))


def uniform_random(n: Any, k: int, *, seed: Seed = 0) -> Clustering:
    """Elements dealt at random into ``k`` clusters of equal size, which differ by one at most.

    A document with fewer than ``k`` elements has as many clusters as elements. ``seed`` is a whole number or a NumPy
    Generator.

    >>> import clusterscore as cs
    >>> sorted(cs.baselines.uniform_random(7, 3).codes.tolist())
    [0, 0, 0, 1, 1, 2, 2]
    """
    count, random = whole("k", k, 1), _generator(seed)
    return _built(n, lambda elements: _uniform(elements, elements.same(count), random), named=True)


def ultra_shaped_random(n: Any, k: int, *, seed: Seed = 0) -> Clustering:
    """One random element to each of ``k`` - 1 clusters, and the rest to the last.

    A document with fewer than ``k`` elements has as many clusters as elements. ``seed`` is a whole number or a NumPy
    Generator.

    >>> import clusterscore as cs
    >>> sorted(cs.baselines.ultra_shaped_random(7, 3).codes.tolist())
    [0, 1, 2, 2, 2, 2, 2]
    """
    count, random = whole("k", k, 1), _generator(seed)
    return _built(n, lambda elements: _ultra_shaped(elements, elements.same(count), random), named=True)


def shuffled(pred: Any, *, seed: Seed = 0) -> Clustering:
    """The labels of a clustering, dealt out again at random inside each document: its sizes, without its knowledge.

    ``seed`` is a whole number or a NumPy Generator.

    >>> import clusterscore as cs
    >>> dealt = cs.baselines.shuffled(["x", "x", "x", "y", "y", "z"])
    >>> sorted(dealt.names[code] for code in dealt.codes)
    ['x', 'x', 'x', 'y', 'y', 'z']
    """
    random = _generator(seed)
    given = _clustering_of(pred, "pred")
    return _clustering(given, replace(given.labels, codes=_shuffled(_elements(given, named=True), given.codes, random)))


class Elements(NamedTuple):
    """How many elements there are and in which documents: all that a baseline knows of them."""

    number: int
    document: Array | None = None  # one code per element
    documents: int = 1  # codes lie below it
    named: Ints | None = None  # the elements in the order of their ids, where they have any

    @property
    def sizes(self) -> Ints:
        """How many elements each document has."""
        if self.document is None:
            return np.array([self.number])
        return np.bincount(self.document, minlength=self.documents)

    def same(self, k: int) -> Ints:
        """One number for every document; above the number of elements all mean the same."""
        return np.full(self.documents, max(1, min(k, self.number)))

    def each(self, numbers: Ints) -> Any:
        """For each element the number of its document."""
        return numbers[0] if self.document is None else numbers[self.document]

    def listed(self, random: np.random.Generator | None = None) -> Ints:
        """The elements, document after document; inside each in their order, or in random order."""
        order = np.arange(self.number) if random is None else random.permutation(self.number)
        return self.by_document(order if random is None or self.named is None else self.named[order])

    def by_document(self, order: Ints) -> Ints:
        """Elements, document after document, and inside each in the order given."""
        return order if self.document is None else order[np.argsort(self.document[order], kind="stable")]

    def places(self, random: np.random.Generator | None = None) -> Ints:
        """The place of each element among those of its document, from 0; theirs, or a random one."""
        sizes, places = self.sizes, np.empty(self.number, np.int64)
        places[self.listed(random)] = np.arange(self.number) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        return places

    def clusters(self, codes: Array, size: int) -> Ints:
        """How many clusters each document has."""
        where = np.zeros(self.number, np.int64) if self.document is None else self.document
        found = distinct((where, self.documents), (codes, size))
        return np.bincount(found.column(0), minlength=self.documents)

    def numbered(self, inside: Array, clusters: Ints) -> Labels:
        """Clusters that are numbered from 0 inside each document, numbered through."""
        return Labels(inside + self.each(np.cumsum(clusters) - clusters), range(int(clusters.sum())))


def _singletons(elements: Elements) -> Labels:
    return Labels(np.arange(elements.number), range(elements.number))


def _one_cluster(elements: Elements) -> Labels:
    return elements.numbered(np.zeros(elements.number, np.int64), np.minimum(elements.sizes, 1))


def _runs(elements: Elements, size: Ints) -> Labels:
    size = np.maximum(size, 1)
    return elements.numbered(elements.places() // elements.each(size), -(-elements.sizes // size))


def _uniform(elements: Elements, k: Ints, random: np.random.Generator) -> Labels:
    k = np.minimum(k, elements.sizes)
    return elements.numbered(elements.places(random) % elements.each(np.maximum(k, 1)), k)


def _ultra_shaped(elements: Elements, k: Ints, random: np.random.Generator) -> Labels:
    k = np.minimum(k, elements.sizes)
    return elements.numbered(np.minimum(elements.places(random), elements.each(k) - 1), k)


def _shuffled(elements: Elements, codes: Array, random: np.random.Generator) -> Array:
    dealt = np.empty_like(codes)
    before = elements.listed() if elements.named is None else elements.by_document(elements.named)
    dealt[elements.listed(random)] = codes[before]
    return dealt


def baseline_pairs(pair: Pair, *, ordered: bool = True) -> Iterator[tuple[str, Pair]]:
    """An aligned pair with each baseline in the place of its prediction, on the elements that the prediction has.

    The random ones have as many clusters as the prediction, in each document. ``mean_size`` is left out where the
    elements are not ``ordered``.
    """
    held, codes = _held(pair, pair.pred, named=True)
    k = held.clusters(codes, pair.pred.size)
    number_of_clusters = f"(k={k.sum()})" if np.count_nonzero(held.sizes) < 2 else ""
    yield "singletons", _replaced(pair, _singletons(held))
    yield "one_cluster", _replaced(pair, _one_cluster(held))
    if ordered:
        gold, gold_codes = _held(pair, pair.gold)
        clusters = gold.clusters(gold_codes, pair.gold.size)
        yield "mean_size", _replaced(pair, _runs(held, gold.sizes // np.maximum(clusters, 1)))
    yield f"uniform_random{number_of_clusters}", _replaced(pair, _uniform(held, k, _generator(0)))
    yield f"ultra_shaped_random{number_of_clusters}", _replaced(pair, _ultra_shaped(held, k, _generator(0)))
    yield "shuffled", _replaced(pair, Labels(_shuffled(held, codes, _generator(0)), range(pair.pred.size)))


def _held(pair: Pair, side: Side, *, named: bool = False) -> tuple[Elements, Array]:
    """The elements that a side has, those that the other lacks at the end, and their clusters."""
    codes, documents = side.codes, pair.documents
    where = None if documents is None else documents.codes
    order = None if pair.ids is None or not named else _by_name(pair.ids, documents)
    if len(side.only):
        apart = None
        if documents is not None and where is not None and side.only_documents is not None:
            apart = replace(documents, codes=side.only_documents)
            where = np.concatenate([where, side.only_documents])
        if order is not None:  # only their clusters tell these apart
            order = np.concatenate([order, len(codes) + _by_name(Labels(side.only, side.names), apart)])
        codes = np.concatenate([codes, side.only])
    return Elements(len(codes), where, 1 if documents is None else len(documents.names), order), codes


def _replaced(pair: Pair, labels: Labels) -> Pair:
    common = len(pair.pred.codes)
    side = pair.pred._replace(
        codes=labels.codes[:common], only=labels.codes[common:], size=len(labels.names), names=labels.names, null=None
    )
    return pair._replace(pred=side)


def _built(n: Any, build: Callable[[Elements], Labels], *, named: bool = False) -> Clustering:
    """A baseline of so many elements, or of those of a clustering."""
    given = _given(n)
    return _clustering(given, build(_elements(given, named=named)))


def _given(n: Any) -> Clustering:
    """A number of elements, or whose elements are meant."""
    if isinstance(n, int | np.integer) and not isinstance(n, bool):
        count = whole("n", n, 0)
        if count > _MOST:
            raise InputError(f"n={n!r} elements do not fit memory; the most is 2**40")
        return Clustering(Labels(np.arange(count), range(count)))
    if isinstance(n, Number):
        raise InputTypeError(f"n={n!r} is no number of elements; pass a whole number from 0 up, or a clustering")
    return _clustering_of(n, "n")


_NOBODY = Clustering(encode([]), ids=[])


def _clustering_of(given: Any, what: str) -> Clustering:
    if isinstance(given, list | tuple) and given and all(isinstance(each, tuple) for each in given):
        return as_clusterings(given, _NOBODY)[0]  # of tuples that may be clusters, clusters: as beside one by id
    return as_clustering(given, what)


def _elements(given: Clustering, *, named: bool = False) -> Elements:
    """The elements of a clustering; ``named`` where something is drawn, which their names decide, not their order."""
    order = None if given.ids is None or not named else _by_name(encode(given.ids), given.documents)
    if given.documents is None:
        return Elements(len(given), named=order)
    return Elements(len(given), given.documents.codes, len(given.documents.names), order)


def _by_name(ids: Labels, documents: Labels | None) -> Ints:
    """Elements in the order of their documents' names and their own."""
    return np.lexsort([label_ranks(labels) for labels in (ids, documents) if labels is not None])


def _clustering(given: Clustering, labels: Labels) -> Clustering:
    """A clustering of the same elements."""
    return Clustering(labels, ids=given.ids, documents=given.documents, index=given.index, options=given.options)


def _generator(seed: Any) -> np.random.Generator:
    return seed if isinstance(seed, np.random.Generator) else np.random.default_rng(whole("seed", seed, 0))
