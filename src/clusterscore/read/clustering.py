"""Clustering: what a user hands over, normalised once at the door."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from clusterscore.distinct import Array, distinct
from clusterscore.errors import InputError, InputTypeError, nearest, plural
from clusterscore.read.arrays import as_vector, column
from clusterscore.read.labels import Labels, encode


class Clustering:
    """A clustering of elements: for each one the cluster that holds it.

    Make one with a constructor that says what you have: :meth:`from_labels`, :meth:`from_clusters`,
    :meth:`from_mapping`, :meth:`from_pairs`, :meth:`from_lengths`, :meth:`from_boundaries`, :meth:`from_frame`.
    Every function of the library makes one by itself where what it is given can only mean one thing.

    >>> import clusterscore as cs
    >>> cs.Clustering.from_lengths([3, 2])
    Clustering(5 elements by position, 2 clusters)
    >>> cs.Clustering.from_pairs([("a", "b"), ("b", "c")], elements="abcd")
    Clustering(4 elements by id, 2 clusters)
    """

    __slots__ = ("documents", "ids", "index", "labels")

    def __init__(
        self,
        labels: Labels,
        *,
        ids: Sequence[Any] | Array | None = None,
        documents: Labels | None = None,
        index: Any = None,
    ):
        self.labels = labels
        self.ids = ids
        self.documents = documents
        self.index = index  # a pandas index, kept only to notice two that differ

    @property
    def codes(self) -> Array:
        """One integer per element: which cluster holds it."""
        return self.labels.codes

    @property
    def names(self) -> Sequence[Any] | Array:
        """What the user calls the clusters: ``names[codes[k]]``."""
        return self.labels.names

    def __len__(self) -> int:
        return len(self.labels.codes)

    def __repr__(self) -> str:
        by = "position" if self.ids is None else "id"
        clusters = plural(len(np.unique(self.codes)), "cluster")
        of = "" if self.documents is None else f", {plural(len(np.unique(self.documents.codes)), 'document')}"
        return f"Clustering({plural(len(self), 'element')} by {by}, {clusters}{of})"

    @classmethod
    def from_labels(cls, labels: Any, *, elements: Any = None, documents: Any = None) -> Clustering:
        """One label per element, by position, or for the elements named by ``elements``.

        >>> import clusterscore as cs
        >>> cs.Clustering.from_labels(["a", "a", "b"])
        Clustering(3 elements by position, 2 clusters)
        """
        values = as_vector(labels, "labels")
        ids = None if elements is None else as_vector(elements, "elements")
        _same_length(values, ids, "labels", "elements")
        coded_documents = None
        if documents is not None:
            document_values = as_vector(documents, "documents")
            _same_length(values, document_values, "labels", "documents")
            coded_documents = encode(document_values)
        made = cls(encode(values), ids=ids, documents=coded_documents, index=pandas_index(labels))
        _no_repeats(made)
        return made

    @classmethod
    def from_mapping(cls, mapping: Mapping[Any, Any]) -> Clustering:
        """Element -> label.

        >>> import clusterscore as cs
        >>> cs.Clustering.from_mapping({"p1": "x", "p2": "x", "p3": "y"})
        Clustering(3 elements by id, 2 clusters)
        """
        if not hasattr(mapping, "items"):
            raise InputTypeError(f"from_mapping takes a mapping element -> label, not a {type(mapping).__name__}")
        items = list(mapping.items())
        made = cls(encode([label for _, label in items]), ids=[element for element, _ in items])
        if not isinstance(mapping, Mapping):  # a Series may have an index value twice
            _no_repeats(made)
        return made

    @classmethod
    def from_clusters(cls, clusters: Iterable[Iterable[Any]] | Mapping[Any, Iterable[Any]]) -> Clustering:
        """Clusters as collections of element ids; a mapping gives each cluster its name.

        >>> import clusterscore as cs
        >>> cs.Clustering.from_clusters([{"a", "b"}, {"c"}])
        Clustering(3 elements by id, 2 clusters)
        """
        names: Sequence[Any]
        if isinstance(clusters, Mapping):
            names, groups = list(clusters), list(clusters.values())
        else:
            groups = list(clusters)
            names = range(len(groups))
        for k, group in enumerate(groups):
            if isinstance(group, str | bytes) or not isinstance(group, Iterable):
                raise InputTypeError(
                    f"from_clusters takes collections of elements, but cluster {k} is {group!r}; "
                    "one label per element is Clustering.from_labels"
                )
        members = [list(group) for group in groups]
        codes = np.repeat(np.arange(len(members)), np.fromiter(map(len, members), np.int64, len(members)))
        made = cls(Labels(codes, names), ids=[element for group in members for element in group])
        _no_repeats(made)
        return made

    @classmethod
    def from_pairs(cls, pairs: Iterable[tuple[Any, Any]], *, elements: Iterable[Any] | None = None) -> Clustering:
        """Linked pairs of elements, closed transitively; ``elements`` adds those that no pair names.

        >>> import clusterscore as cs
        >>> cs.Clustering.from_pairs([(1, 2), (2, 3), (7, 8)])
        Clustering(5 elements by id, 2 clusters)
        """
        from scipy.sparse import coo_array
        from scipy.sparse.csgraph import connected_components

        links = [tuple(pair) if isinstance(pair, Iterable) and not isinstance(pair, str) else pair for pair in pairs]
        bad = [k for k, link in enumerate(links) if not isinstance(link, tuple) or len(link) != 2]
        if bad:
            raise InputError(
                f"{plural(len(bad), 'linked pair')} not made of two elements (e.g. pair {bad[0]}: {links[bad[0]]!r})"
            )
        # elements first, so that their order is kept
        ids = list(dict.fromkeys([*(elements or ()), *(end for link in links for end in link)]))
        place = {element: k for k, element in enumerate(ids)}
        left = [place[link[0]] for link in links]
        right = [place[link[1]] for link in links]
        graph = coo_array((np.ones(len(links), np.int8), (left, right)), shape=(len(ids), len(ids)))
        _, codes = connected_components(graph, directed=False) if ids else (0, np.zeros(0, np.int64))
        return cls(Labels(codes.astype(np.int64), range(int(codes.max()) + 1 if ids else 0)), ids=ids)

    @classmethod
    def from_lengths(cls, lengths: Any) -> Clustering:
        """A segmentation as the lengths of its segments, in order.

        >>> import clusterscore as cs
        >>> cs.Clustering.from_lengths([3, 2]).codes.tolist()
        [0, 0, 0, 1, 1]
        """
        values = np.asarray(as_vector(lengths, "lengths"))
        whole = values.dtype.kind in "iu" or (values.dtype.kind == "f" and bool(np.all(values == np.floor(values))))
        if len(values) and (not whole or values.min() < 1):
            bad = next(v for v in values.tolist() if not isinstance(v, int | float) or v != v or v < 1 or v != int(v))
            raise InputError(f"segment lengths are whole numbers from 1 up, but one of them is {bad!r}")
        counts = values.astype(np.int64)
        return cls(Labels(np.repeat(np.arange(len(counts)), counts), range(len(counts))))

    @classmethod
    def from_boundaries(cls, boundaries: Any) -> Clustering:
        """A segmentation as a vector of 0 and 1, where 1 starts a segment; position 0 always starts one.

        >>> import clusterscore as cs
        >>> cs.Clustering.from_boundaries([1, 0, 0, 1, 0]).codes.tolist()
        [0, 0, 0, 1, 1]
        """
        values = np.asarray(as_vector(boundaries, "boundaries"))
        if len(values) and not (values.dtype.kind in "biuf" and bool(np.isin(values, (0, 1)).all())):
            bad = next(v for v in values.tolist() if v not in (0, 1))
            raise InputError(f"boundaries are 0 or 1 (1 starts a segment), but one of them is {bad!r}")
        starts = values.astype(np.int64)
        starts[:1] = 1
        codes = np.cumsum(starts) - 1
        return cls(Labels(codes, range(int(codes[-1]) + 1 if len(codes) else 0)))

    @classmethod
    def from_frame(
        cls, frame: Any, *, element: str | None = None, cluster: str | None = None, document: str | None = None
    ) -> Clustering:
        """A frame (pandas, polars, pyarrow) with a column of elements and one of clusters.

        Without names the columns ``element``, ``cluster`` and, where there is one, ``document`` are taken. With a
        document column an element id need only be unique inside its document.
        """
        import narwhals as nw

        table = nw.from_native(frame, eager_only=True)
        names = table.columns
        chosen = {"element": element or "element", "cluster": cluster or "cluster"}
        if document is not None or "document" in names:
            chosen["document"] = document or "document"
        for role, name in chosen.items():
            if name not in names:
                raise InputError(
                    f"the frame has no column {name!r} for the {role}s: {nearest(name, names)} Name it with {role}=..."
                )
        return cls.from_labels(
            column(table[chosen["cluster"]]),
            elements=column(table[chosen["element"]]),
            documents=column(table[chosen["document"]]) if "document" in chosen else None,
        )


def _same_length(values: Any, others: Any, what: str, other: str) -> None:
    if others is not None and len(values) != len(others):
        raise InputError(f"{plural(len(values), what[:-1])} but {plural(len(others), other[:-1])}; give one for each")


def _no_repeats(made: Clustering) -> None:
    """An element lies in one cluster only."""
    if made.ids is None:
        return
    ids = encode(made.ids)
    columns = [(ids.codes, len(ids.names))]
    if made.documents is not None:
        columns.insert(0, (made.documents.codes, len(made.documents.names)))
    found = distinct(*columns, codes=True)
    repeated = len(made) - len(found)
    if not repeated:
        return
    order = np.argsort(found.codes, kind="stable")
    same = np.flatnonzero(found.codes[order[1:]] == found.codes[order[:-1]])[0]
    first, second = (made.labels.name(int(made.labels.codes[order[k]])) for k in (same, same + 1))
    raise InputError(
        f"{plural(repeated, 'element')} in more than one cluster or twice in one (e.g. "
        f"{ids.name(int(ids.codes[order[same]]))!r} in clusters {first!r} and {second!r}); a partition holds each "
        "element once: drop the repetitions"
    )


def pandas_index(labels: Any) -> Any:
    """The index of a pandas Series; only to notice when two of them disagree."""
    return labels.index if type(labels).__module__.startswith("pandas") else None
