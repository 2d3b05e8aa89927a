"""Clustering: what a user hands over, normalised once at the door."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np

from clusterscore.distinct import Array, Ints
from clusterscore.exceptions import InputError, InputTypeError, nearest, plural
from clusterscore.read.arrays import as_vector, column, listed, members_of, numbers, one_for_each, pandas_index
from clusterscore.read.label_sets import LabelSets, gather_rows, overlapping
from clusterscore.read.labels import Labels, encode, plain, without_null

_LONGEST = 2**40  # elements in a segment: longer ones are a mistake, and would not fit memory


class Clustering:
    """A clustering of elements: for each one the cluster that holds it, or the clusters, where they overlap.

    Make one with a constructor that says what you have: :meth:`from_labels`, :meth:`from_clusters`,
    :meth:`from_mapping`, :meth:`from_memberships`, :meth:`from_pairs`, :meth:`from_lengths`, :meth:`from_boundaries`,
    :meth:`from_frame`, :meth:`from_file`.
    Every function of the library makes one by itself where what it is given can only mean one thing.

    >>> import clusterscore as cs
    >>> cs.Clustering.from_lengths([3, 2])
    Clustering(5 elements by position, 2 clusters)
    >>> cs.Clustering.from_pairs([("a", "b"), ("b", "c")], elements="abcd")
    Clustering(4 elements by id, 2 clusters)
    >>> cs.Clustering.from_clusters([["a", "b"], ["b", "c"]])
    Clustering(3 elements by id, 2 overlapping clusters)
    """

    __slots__ = ("documents", "ids", "index", "labels", "options")

    def __init__(
        self,
        labels: Labels,
        *,
        ids: Sequence[Any] | Array | None = None,
        documents: Labels | None = None,
        index: Any = None,
        options: Mapping[str, str] | None = None,
    ):
        if not isinstance(labels, Labels):
            raise InputTypeError(
                f"Clustering({type(labels).__name__}) does not say what you have; use Clustering.from_labels, "
                "from_clusters, from_mapping, from_memberships, from_pairs, from_lengths, from_boundaries, from_frame "
                "or from_file"
            )
        self.labels = labels
        self.ids = ids
        self.documents = documents
        self.index = index  # a pandas index, kept only to notice two that differ
        self.options = options or {}  # it was read with, as far as they decide a score: part of the signature

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

    @property
    def overlapping(self) -> bool:
        """Whether an element may belong to several clusters, or to none."""
        return overlapping(self.labels.names)

    def __repr__(self) -> str:
        by, used = "position" if self.ids is None else "id", np.unique(self.codes)
        number = plural(len(used), "cluster")
        if isinstance(self.names, LabelSets):
            number = plural(len(np.unique(self.names.cluster[np.isin(self.names.set_of, used)])), "overlapping cluster")
        of = "" if self.documents is None else f", {plural(len(np.unique(self.documents.codes)), 'document')}"
        return f"Clustering({plural(len(self), 'element')} by {by}, {number}{of})"

    def _gathered(self, sizes: Ints | None = None) -> Clustering:
        """The clustering itself, or where an element has several labels, one row for each with all its clusters.

        ``sizes`` says how many of the labels belong to each row of the ids, where that is not one.
        """
        rows = gather_rows(self.labels, self.ids, self.documents, sizes)
        if rows is None:
            return self
        return Clustering(rows.labels, ids=rows.ids, documents=rows.documents, options=self.options)

    @classmethod
    def from_labels(cls, labels: Any, *, elements: Any = None, documents: Any = None) -> Clustering:
        """One label per element, by position, or for the elements named by ``elements``.

        An element that is named several times belongs to all the clusters that its labels name.

        >>> import clusterscore as cs
        >>> cs.Clustering.from_labels(["a", "a", "b"])
        Clustering(3 elements by position, 2 clusters)
        """
        values = as_vector(labels, "labels")
        made = cls(encode(values), index=pandas_index(labels))
        made._name(elements, documents, len(values), "label")
        return made._gathered()

    def _name(self, elements: Any, documents: Any, count: int, what: str) -> None:
        """The ids and the documents of ``count`` rows, one for each of what the user gave."""
        if elements is not None:
            self.ids = one_for_each(elements, "element", count, what)
        if documents is not None:
            where = one_for_each(documents, "document", count, what)
            self.documents = without_null(encode(where), "a document")
            self.options = {"documents": "given"}

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
        return made if isinstance(mapping, Mapping) else made._gathered()  # a Series may have an index value twice

    @classmethod
    def from_clusters(cls, clusters: Iterable[Iterable[Any]] | Mapping[Any, Iterable[Any]]) -> Clustering:
        """Clusters as collections of element ids, which may overlap; a mapping gives each cluster its name.

        A cluster without elements counts nowhere; two with the same elements are two clusters.

        >>> import clusterscore as cs
        >>> cs.Clustering.from_clusters([{"a", "b"}, {"c"}])
        Clustering(3 elements by id, 2 clusters)
        """
        names: Sequence[Any]
        if isinstance(clusters, Mapping):
            names, groups = list(clusters), list(clusters.values())
        else:
            given = listed(clusters)
            if given is None:
                raise InputTypeError(f"from_clusters takes a list of clusters, not {clusters!r}"[:200])
            groups, names = given, range(len(given))
        members = []
        for k, group in enumerate(groups):
            inside = members_of(group)
            if inside is None:
                raise InputTypeError(
                    f"from_clusters takes collections of elements, but cluster {k} is {group!r}; "
                    "one label per element is Clustering.from_labels"
                )
            members.append(inside)
        codes = np.repeat(np.arange(len(members)), np.fromiter(map(len, members), np.int64, len(members)))
        return cls(Labels(codes, names), ids=[element for group in members for element in group])._gathered()

    @classmethod
    def from_memberships(
        cls,
        memberships: Mapping[Any, Iterable[Any]] | Iterable[Iterable[Any]],
        *,
        elements: Any = None,
        documents: Any = None,
    ) -> Clustering:
        """The labels of each element, several or none: a mapping element -> labels, or one collection after the other.

        A mapping names its elements; a sequence goes by position, or by the ids that ``elements`` has.

        >>> import clusterscore as cs
        >>> cs.Clustering.from_memberships({"p1": {"x"}, "p2": {"x", "y"}, "p3": {"y"}})
        Clustering(3 elements by id, 2 overlapping clusters)
        >>> cs.Clustering.from_memberships([["x"], ["x", "y"], ["y"]], elements=["p1", "p2", "p3"])
        Clustering(3 elements by id, 2 overlapping clusters)
        """
        if isinstance(memberships, Mapping):
            if elements is not None:
                raise InputError("a mapping names its elements; elements= is for a list of collections of labels")
            elements, memberships = list(memberships), memberships.values()
        if isinstance(memberships, set | frozenset):
            raise InputTypeError("from_memberships takes no set, which has no order; pass a mapping element -> labels")
        given = members_of(memberships)
        if given is None:
            raise InputTypeError(
                f"from_memberships takes a mapping element -> labels, or a list, not {memberships!r}"[:200]
            )
        sets = [each for each in map(members_of, given) if each is not None]
        sizes = np.fromiter(map(len, sets), np.int64, len(sets))
        made = cls(encode(list(chain.from_iterable(sets))))
        made._name(elements, documents, len(given), "label set")
        if len(sets) < len(given):
            at = next(k for k, each in enumerate(given) if members_of(each) is None)
            whose = f"position {at}" if made.ids is None else f"element {plain(made.ids[at])!r}"
            remedy = "an empty one if it is in no cluster" if given[at] is None else f"one label as {{{given[at]!r}}}"
            raise InputTypeError(
                f"from_memberships takes a collection of labels for each element, but {whose} has {given[at]!r}; write "
                f"{remedy}"
            )
        return made._gathered(sizes)

    @classmethod
    def from_pairs(cls, pairs: Iterable[tuple[Any, Any]], *, elements: Iterable[Any] | None = None) -> Clustering:
        """Linked pairs of elements, closed transitively; ``elements`` adds those that no pair names.

        >>> import clusterscore as cs
        >>> cs.Clustering.from_pairs([(1, 2), (2, 3), (7, 8)])
        Clustering(5 elements by id, 2 clusters)
        """
        from clusterscore.read.links import closed, ends

        return closed(*ends(pairs), () if elements is None else as_vector(elements, "elements"))

    @classmethod
    def from_lengths(cls, lengths: Any) -> Clustering:
        """A segmentation as the lengths of its segments, in order.

        >>> import clusterscore as cs
        >>> cs.Clustering.from_lengths([3, 2]).codes.tolist()
        [0, 0, 0, 1, 1]
        """
        values = numbers(lengths, "lengths")
        bad = (values != np.floor(values)) | ~(values >= 1) | (values > _LONGEST)
        if values.dtype == np.bool_ or bad.any():
            example = values[bad][0].item() if bad.any() else values[0].item()
            raise InputError(f"segment lengths are whole numbers from 1 up (to 2**40), but one of them is {example!r}")
        counts = values.astype(np.int64)
        return cls(Labels(np.repeat(np.arange(len(counts)), counts), range(len(counts))))

    @classmethod
    def from_boundaries(cls, boundaries: Any) -> Clustering:
        """A segmentation as a vector of 0 and 1, where 1 starts a segment; position 0 always starts one.

        >>> import clusterscore as cs
        >>> cs.Clustering.from_boundaries([1, 0, 0, 1, 0]).codes.tolist()
        [0, 0, 0, 1, 1]
        """
        values = numbers(boundaries, "boundaries")
        bad = (values != 0) & (values != 1)
        if bad.any():
            raise InputError(
                f"boundaries are 0 or 1 (1 starts a segment), but {int(bad.sum()):,} of {len(values):,} are not (e.g. "
                f"{values[bad][0].item()!r}); segment lengths go to Clustering.from_lengths"
            )
        starts = values.astype(np.int64)
        starts[:1] = 1
        codes = np.cumsum(starts) - 1
        return cls(Labels(codes, range(int(codes[-1]) + 1 if len(codes) else 0)))

    @classmethod
    def from_frame(
        cls, frame: Any, *, element: str | None = None, cluster: str | None = None, document: str | None = None
    ) -> Clustering:
        """A frame (pandas, polars, pyarrow) with a column of elements and one of clusters.

        Without names the columns ``element``, ``cluster`` and, where there is one, ``document`` are taken. An element
        in several rows belongs to all their clusters, and so it does where a row has a list of clusters. With a
        document column the same id in two documents is two elements.
        """
        import narwhals as nw

        try:
            table = nw.from_native(frame, eager_only=True)
            names = list(table.columns)
        except (TypeError, ValueError, nw.exceptions.NarwhalsError, UserWarning) as error:
            hint = "collect() it first" if hasattr(frame, "collect") else "pass a frame of pandas, polars or pyarrow"
            raise InputTypeError(
                f"cannot read this {type(frame).__name__}: {' '.join(str(error).split())}; {hint}"
            ) from None
        chosen = {"element": element or "element", "cluster": cluster or "cluster"}
        if document is not None or "document" in names:
            chosen["document"] = document or "document"
        for role, name in chosen.items():
            if name not in names:
                raise InputError(
                    f"the frame has no column {name!r} for the {role}s, {nearest(str(name), map(str, names))}; "
                    f"name it with {role}=..."
                )
        return of_column(
            column(table[chosen["cluster"]]),
            elements=column(table[chosen["element"]]),
            documents=column(table[chosen["document"]]) if "document" in chosen else None,
        )

    @classmethod
    def from_file(
        cls,
        path: str | os.PathLike[str],
        *,
        format: str | None = None,
        element: str | None = None,
        cluster: str | None = None,
        document: str | None = None,
        step: float = 0.01,
    ) -> Clustering:
        """A file (CSV, TSV, Parquet, JSON, labels, clusters, memberships, links, segments, RTTM), or all of a pattern.

        ``format`` says what it is where its name does not, and whether lists in JSON are "clusters" with their elements
        or "memberships", elements with their clusters; ``element``, ``cluster`` and ``document`` name the columns of a
        table; ``step`` is the length of a frame of RTTM, in seconds::

            cs.score(cs.Clustering.from_file("gold.csv"), cs.Clustering.from_file("part-*.parquet", cluster="found"))
        """
        from clusterscore.read.files import ColumnNames, read_clustering

        return read_clustering(path, ColumnNames(element, cluster, document), format, step)

    @classmethod
    def from_files(
        cls,
        gold: str | os.PathLike[str],
        pred: str | os.PathLike[str],
        *,
        format: str | None = None,
        element: str | None = None,
        cluster: str | None = None,
        document: str | None = None,
        step: float = 0.01,
    ) -> tuple[Clustering, Clustering]:
        """Gold and prediction from two files that are read together, with the options of :meth:`from_file`.

        Integer ids of a Parquet file match those of a text file, a recording in RTTM is as long on both sides, and of
        lists in JSON the elements are what both sides have in common::

            cs.score(*cs.Clustering.from_files("gold.rttm", "pred.rttm"))
        """
        from clusterscore.read.files import ColumnNames, read_two

        return read_two(gold, pred, ColumnNames(element, cluster, document), format, step, missing="drop")


def of_column(labels: Any, *, elements: Any = None, documents: Any = None) -> Clustering:
    """A column of a table, which has a label in every row, or in every row a list of labels."""
    first = next((each for each in labels if each is not None), None) if isinstance(labels, list) else None
    lists = isinstance(first, list | set | frozenset | np.ndarray)
    make = Clustering.from_memberships if lists else Clustering.from_labels
    return make(labels, elements=elements, documents=documents)
