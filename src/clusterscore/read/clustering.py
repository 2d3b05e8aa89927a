"""Clustering: what a user hands over, normalized once at the door."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from clusterscore.distinct import Array, Ints, distinct
from clusterscore.exceptions import InputError, InputTypeError, a_type
from clusterscore.nouns import noun, plural
from clusterscore.read.arrays import as_vector, listed, members_of, pandas_index
from clusterscore.read.file import COLUMNS, STEP, File, Frames, ReadOptions, two_sides
from clusterscore.read.images import Images, Shapes, images_of
from clusterscore.read.label_sets import LabelSets, checked_weights, gather, numbered_elements
from clusterscore.read.labels import Labels, Unnamed, encode, plain, without_null

if TYPE_CHECKING:
    from clusterscore.read.coreference.coref_file import CorefFile
    from clusterscore.read.frames import Framing
    from clusterscore.read.turns import Turns


class Origin(NamedTuple):
    """What is known of where a clustering comes from: all that doubts about it need."""

    source: Any = None  # the file and the column
    declared: bool = True  # somebody said what it is
    taken: Mapping[str, str] = {}  # columns that were taken because there is no other, by what for
    unread: Mapping[str, str] = {}  # columns that nobody named, whose names say that they hold weights or documents
    called: str = ""  # the file
    is_model: bool = False  # it is the labels of a fitted model
    form: str = ""  # the format of the file
    marks: Array | None = None  # boundaries as they were given: whether each element is marked by a 1
    marks_ends: bool = False  # boundaries with a 1 at the end of each stream, and none at its beginning


_DECLARED = Origin()
_NO_LABELS = Labels(np.zeros(0, np.int64), ())


class Clustering:
    """A clustering of elements: for each one the cluster that holds it, or the clusters, where they overlap.

    Make one with a constructor that says what you have: :meth:`from_labels`, :meth:`from_clusters`,
    :meth:`from_mapping`, :meth:`from_memberships`, :meth:`from_graded`, :meth:`from_pairs`, :meth:`from_predictions`,
    :meth:`from_linkage`, :meth:`from_graph`, :meth:`from_spacy`, :meth:`from_lengths`, :meth:`from_boundaries`,
    :meth:`from_turns`, :meth:`from_frame`, :meth:`from_file`.
    Every function makes one by itself if its input can only mean one thing.

    >>> import clusterscore as cs
    >>> cs.Clustering.from_lengths([3, 2])
    Clustering(5 elements by position, 2 clusters)
    >>> cs.Clustering.from_pairs([("a", "b"), ("b", "c")], elements="abcd")
    Clustering(4 elements by id, 2 clusters)
    >>> cs.Clustering.from_clusters([["a", "b"], ["b", "c"]])
    Clustering(3 elements by id, 2 overlapping clusters)
    """

    __slots__ = (
        *("coreference", "documents", "framing", "has_order", "ids", "images", "index", "labels", "options", "origin"),
        *("shapes", "times", "turns"),
    )

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
        self.has_order = True  # the elements were given in one; not in sets
        self.origin = _DECLARED
        self.coreference: CorefFile | None = None  # the file whose mentions are the elements
        self.options = options or {}  # it was read with, as far as they decide a score: part of the signature
        self.images: Images | None = None  # whose pixels or voxels the elements are
        self.shapes: Shapes | None = None  # of the images
        self.times: Array | None = None  # how many elements each one stands for, where equal ones were put together
        self.turns: Turns | None = None  # who speaks when, where the elements are frames of time
        self.framing: Framing | None = None

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """Single elements are made where somebody asks for them: turns have many frames, and images many pixels."""
            if name not in ("labels", "ids", "documents"):
                raise AttributeError(f"a Clustering has no {name!r}")
            if self.images is not None:
                pixels = [array.size for array in self.images.arrays]
                self.labels, self.documents = self.images.labels(), self.images.documents(pixels)
                return getattr(self, name)
            from clusterscore.read.frames import frames_of

            self.labels, self.ids, self.documents = frames_of(self.turns, self.framing)
            return getattr(self, name)

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
        return type(self.labels.names) is LabelSets  # faster than isinstance, which small inputs notice

    def __repr__(self) -> str:
        by, used = "position" if self.ids is None else "id", np.unique(self.codes)
        number = plural(len(used), "cluster")
        if isinstance(self.names, LabelSets):
            number = plural(len(np.unique(self.names.cluster[np.isin(self.names.set_of, used)])), "overlapping cluster")
            number += "" if self.names.weight is None else ", graded"
        of = "" if self.documents is None else f", {plural(len(np.unique(self.documents.codes)), 'document')}"
        return f"Clustering({plural(len(self), 'element')} by {by}, {number}{of})"

    def _weighed(self, weights: Any, sizes: Ints) -> Clustering:
        """The same, each label with its weight; ``sizes`` says how many of them belong to each row of the ids."""
        weight = checked_weights(as_vector(weights, "weights"))
        if len(weight) != len(self):
            raise InputError(f"{plural(len(self), 'label')} but {plural(len(weight), 'weight')}; give one for each")
        held = weight > 0
        self.labels = self.labels.take(np.flatnonzero(held))
        row = np.repeat(np.arange(len(sizes)), sizes)[held]
        return self._gathered(np.bincount(row, minlength=len(sizes)), weight[held])

    def _gathered(self, sizes: Ints | None = None, weight: Array | None = None) -> Clustering:
        """The clustering itself, or where an element has several labels, one row for each with all its clusters.

        ``sizes`` says how many of the labels belong to each row of the ids, where that is not one; ``weight`` how much
        each label weighs.
        """
        given, documents, count = self.ids, self.documents, len(self) if sizes is None else len(sizes)
        is_repeated = False
        if given is not None:
            ids = without_null(encode(given), "an id")
            columns = [(ids.codes, len(ids.names))]
            if documents is not None:
                columns.insert(0, (documents.codes, len(documents.names)))
            rows = distinct(*columns, codes=True)
            is_repeated = len(rows) < count
        if sizes is None and not is_repeated:
            return self
        # the element of each row, and the first row of each element
        element, first = numbered_elements(rows) if is_repeated else (np.arange(count), np.arange(count))
        members = element if sizes is None else np.repeat(element, sizes)
        labels = gather(
            members, self.labels, len(first), lambda k: first[k] if given is None else ids[first[k]], weight
        )
        if is_repeated:
            given, documents = ids.take(first)[:], None if documents is None else documents.take(first)
        return Clustering(labels, ids=given, documents=documents, index=self.index, options=self.options)

    @classmethod
    def from_labels(cls, labels: Any, *, elements: Any = None, documents: Any = None, grades: Any = None) -> Clustering:
        """One label per element, by position, or for the elements named by ``elements``.

        An element that is named several times belongs to all clusters that its labels name. ``grades`` has a weight for
        each label: see :meth:`from_graded`.

        >>> import clusterscore as cs
        >>> cs.Clustering.from_labels(["a", "a", "b"])
        Clustering(3 elements by position, 2 clusters)
        """
        values = as_vector(labels, "labels")
        made = cls(encode(values), index=pandas_index(labels))
        made._name(elements, documents, len(values), "label")
        return made._gathered() if grades is None else made._weighed(grades, np.ones(len(values), np.int64))

    def _name(self, elements: Any, documents: Any, count: int, what: str) -> None:
        """The ids and the documents of ``count`` rows, one for each of what the user gave."""
        given = {"element": elements, "document": documents}
        vectors = {word: as_vector(values, f"{word}s") for word, values in given.items() if values is not None}
        for word, vector in vectors.items():
            if len(vector) != count:
                raise InputError(f"{plural(count, what)} but {plural(len(vector), word)}; give one for each")
        self.ids = vectors.get("element")
        if "document" in vectors:
            self.documents = without_null(encode(vectors["document"]), noun("a document"))
            self.options = {"documents": "given"}

    @classmethod
    def from_images(cls, images: Any) -> Clustering:
        """A label image or volume of any dimension; or several, as a list or a mapping name -> image: documents.

        >>> import clusterscore as cs
        >>> import numpy as np
        >>> cs.Clustering.from_images({"a": np.array([[1, 1, 0]]), "b": np.array([[1, 2], [0, 0]])})
        Clustering(7 elements by position, 3 clusters, 2 documents)
        """
        given = images if isinstance(images, Images) else images_of(images, "this side")
        made = cls(_NO_LABELS, options={} if given.names == (None,) else {"documents": "given"})
        made.images, made.shapes = given, given.shapes
        del made.labels, made.documents
        return made

    @classmethod
    def from_mapping(cls, mapping: Mapping[Any, Any]) -> Clustering:
        """Element -> label.

        >>> import clusterscore as cs
        >>> cs.Clustering.from_mapping({"p1": "x", "p2": "x", "p3": "y"})
        Clustering(3 elements by id, 2 clusters)
        """
        if not hasattr(mapping, "items"):
            raise InputTypeError(f"from_mapping takes a mapping {noun('element')} -> label, not {a_type(mapping)}")
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
        groups = listed(clusters.values() if isinstance(clusters, Mapping) else clusters)
        if groups is None:
            raise InputTypeError(f"from_clusters takes a list of {noun('clusters')}, not {clusters!r}"[:200])
        members = list(map(members_of, groups))
        if None in members:
            at = members.index(None)
            raise InputTypeError(
                f"from_clusters takes collections of {noun('elements')}, but {noun('cluster')} {at} is "
                f"{groups[at]!r}; one label per {noun('element')} is Clustering.from_labels"
            )
        sizes = [len(inside or ()) for inside in members]
        names = list(clusters) if isinstance(clusters, Mapping) else Unnamed(len(groups))
        labels = Labels(np.repeat(np.arange(len(groups)), sizes), names)
        made = cls(labels, ids=list(chain.from_iterable(filter(None, members))))._gathered()
        made.has_order = not any(isinstance(group, set | frozenset) for group in groups)
        return made

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
                raise InputError(noun("a mapping names its elements; elements= is for a list of collections of labels"))
            elements, memberships = list(memberships), memberships.values()
        if isinstance(memberships, set | frozenset):
            raise InputTypeError(
                noun("from_memberships takes no set, which has no order; pass a mapping element -> labels")
            )
        given = members_of(memberships)
        if given is None:
            raise InputTypeError(
                f"from_memberships takes a mapping {noun('element')} -> labels, or a list, not {memberships!r}"[:200]
            )
        sets = [labels for labels in map(members_of, given) if labels is not None]
        sizes = np.fromiter(map(len, sets), np.int64, len(sets))
        made = cls(encode(list(chain.from_iterable(sets))))
        made._name(elements, documents, len(given), "label set")
        if len(sets) < len(given):
            at = next(k for k, labels in enumerate(given) if members_of(labels) is None)
            whose = f"position {at}" if made.ids is None else f"{noun('element')} {plain(made.ids[at])!r}"
            remedy = (
                noun("an empty one if it is in no cluster") if given[at] is None else f"one label as {{{given[at]!r}}}"
            )
            raise InputTypeError(
                f"from_memberships takes a collection of labels for each {noun('element')}, but {whose} has "
                f"{given[at]!r}; write {remedy}"
            )
        return made._gathered(sizes)

    @classmethod
    def from_graded(cls, memberships: Any, *, elements: Any = None, documents: Any = None) -> Clustering:
        """Graded memberships: a mapping element -> {cluster: weight}, or one {cluster: weight} after the other.

        Or an array or a wide data frame, with a row of weights for each element, as ``predict_proba`` returns it. Only
        the proportions of an element's weights matter. A weight of 0 is no membership. Where all weights of every
        element are the same, the clusters overlap without weights.

        >>> import clusterscore as cs
        >>> cs.Clustering.from_graded({"p1": {"x": 1}, "p2": {"x": 0.7, "y": 0.3}, "p3": {"y": 1}})
        Clustering(3 elements by id, 2 overlapping clusters, graded)
        """
        if len(getattr(memberships, "shape", ())) == 2 and hasattr(memberships, "__array__"):
            names = getattr(memberships, "column_names", getattr(memberships, "columns", None))
            matrix = np.asarray(memberships)
            row, column = np.nonzero(matrix)
            clusters = column if names is None else np.asarray(names)[column]
            made = cls(encode(clusters), index=pandas_index(memberships))
            made._name(elements, documents, len(matrix), "row")
            return made._weighed(matrix[row, column], np.bincount(row, minlength=len(matrix)))
        if isinstance(memberships, Mapping):
            if elements is not None:
                raise InputError(noun("a mapping names its elements; elements= is for a list of mappings"))
            elements, memberships = list(memberships), memberships.values()
        given = members_of(memberships)
        if given is None or not all(isinstance(graded, Mapping) for graded in given):
            wrong = memberships if given is None else next(x for x in given if not isinstance(x, Mapping))
            raise InputTypeError(
                f"from_graded takes a mapping {{cluster: weight}} for each {noun('element')}, or an array with a row "
                f"for each, not {wrong!r}"[:200]
            )
        made = cls(encode(list(chain.from_iterable(given))))
        made._name(elements, documents, len(given), "mapping")
        weights = list(chain.from_iterable(graded.values() for graded in given))
        return made._weighed(weights, np.fromiter(map(len, given), np.int64, len(given)))

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

        A list of such lists, or a mapping stream -> lengths, stands for many streams, which are documents.

        >>> import clusterscore as cs
        >>> cs.Clustering.from_lengths([3, 2]).codes.tolist()
        [0, 0, 0, 1, 1]
        >>> cs.Clustering.from_lengths({"monday": [3, 2], "tuesday": [4]})
        Clustering(9 elements by id, 3 clusters, 2 documents)
        """
        from clusterscore.read.page_streams import given_streams

        return given_streams(lengths, "lengths")

    @classmethod
    def from_boundaries(cls, boundaries: Any) -> Clustering:
        """A segmentation as a vector of 0 and 1, where 1 starts a segment; position 0 always starts one.

        A list of such vectors, or a mapping stream -> vector, stands for many streams, which are documents.

        >>> import clusterscore as cs
        >>> cs.Clustering.from_boundaries([1, 0, 0, 1, 0]).codes.tolist()
        [0, 0, 0, 1, 1]
        """
        from clusterscore.read.page_streams import given_streams

        return given_streams(boundaries, "boundaries")

    @classmethod
    def from_turns(cls, turns: Any, *, step: float = STEP, frames: Frames = "middle") -> Clustering:
        """Who speaks when: (start, end, speaker), or (recording, start, end, speaker), in exact seconds.

        A list of such rows, a frame with columns of these names, or a mapping recording -> rows, which also names
        recordings in which nobody speaks; and an Annotation of pyannote. Measures of diarization take the turns
        themselves. For all others a recording is cut into frames of ``step`` seconds, and the label of a frame is the
        set of those who speak in its middle, or with ``frames="dscore"``, at its first instant. Floats are rounded to
        nanoseconds.

        >>> import clusterscore as cs
        >>> gold = cs.Clustering.from_turns([(0, 1.5, "ann"), (1.2, 2, "bob")])
        >>> gold
        Clustering(200 elements by id, 3 clusters)
        >>> cs.der(gold, cs.Clustering.from_turns([(0, 1.2, "x"), (1.2, 2, "y")])).miss
        0.3
        """
        from clusterscore.read.frames import Framing
        from clusterscore.read.turns import given_turns

        framing = Framing.of(step, frames)
        made = cls(_NO_LABELS, options=framing.signed)
        made.turns, made.framing = given_turns(turns), framing
        del made.labels, made.ids, made.documents
        return made

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        *,
        element: str | None = None,
        cluster: str | None = None,
        document: str | None = None,
        grade: str | None = None,
    ) -> Clustering:
        """A frame (pandas, polars, pyarrow, a DuckDB relation) with a column of elements and one of clusters.

        Without names the columns ``element``, ``cluster`` and, where there is one, ``document`` are taken, or those of
        Splink's clusters, ``unique_id`` and ``cluster_id``; where there is a ``source_dataset``, an element is the pair
        of both. An element in several rows belongs to all their clusters, and so it does where a row has a list of
        clusters. ``grade`` names a column with the weight of each row: see :meth:`from_graded`. With a document
        column the same id in two documents is two elements.

        >>> import clusterscore as cs, pandas as pd
        >>> cs.Clustering.from_frame(pd.DataFrame({"id": ["p1", "p2"], "who": ["a", "b"]}), element="id", cluster="who")
        Clustering(2 elements by id, 2 clusters)
        """
        from clusterscore.read.tables import from_frame

        return from_frame(frame, ReadOptions(element=element, cluster=cluster, document=document, grade=grade))

    @classmethod
    def from_predictions(
        cls,
        frame: Any,
        *,
        threshold: float,
        elements: Iterable[Any] | None = None,
        left: str | None = None,
        right: str | None = None,
        score: str | None = None,
    ) -> Clustering:
        """Pairs of elements with a score: those from ``threshold`` up are links, closed transitively.

        ``frame`` is a frame, the path of a file, a list of triples, a mapping of columns, or dedupe's scores. The
        columns are found by their names, such as Splink's ``unique_id_l``, ``unique_id_r`` (with ``source_dataset_l``
        and ``_r``, an element is the pair of both) and ``match_probability``, or ``left``, ``right`` and ``score`` name
        them. Elements without a link are missing unless ``elements`` has all ids.
        :func:`clusterscore.sweep` scores every threshold.

        >>> import clusterscore as cs, pandas as pd
        >>> pairs = pd.DataFrame({"a": [1, 2, 1], "b": [2, 3, 4], "p": [0.99, 0.95, 0.2]})
        >>> cs.Clustering.from_predictions(pairs, threshold=0.9, elements=range(1, 6), left="a", right="b", score="p")
        Clustering(5 elements by id, 3 clusters)
        """
        from clusterscore.read.scored_pairs import from_predictions

        made = from_predictions(frame, threshold, left, right, score, elements)
        made.options = {"threshold": str(threshold)}
        return made

    @classmethod
    def from_linkage(
        cls, linkage: Any, *, threshold: float | None = None, clusters: int | None = None, elements: Any = None
    ) -> Clustering:
        """A linkage of scipy, cut: merges up to the height ``threshold`` are made, or all until ``clusters`` are left.

        As ``fcluster`` does it with "distance" and "maxclust": where merges have the same height, fewer clusters than
        asked for may be left.

        >>> import clusterscore as cs
        >>> cs.Clustering.from_linkage([[0, 1, 0.2, 2], [2, 3, 0.7, 3]], threshold=0.5)
        Clustering(3 elements by position, 2 clusters)
        """
        from clusterscore.read.links import cut

        made = cls.from_labels(cut(linkage, threshold, clusters), elements=elements)
        made.options = {"threshold": str(threshold)} if clusters is None else {"clusters": str(clusters)}
        return made

    @classmethod
    def from_graph(cls, graph: Any) -> Clustering:
        """The connected components of a graph of networkx or igraph; in a directed one, whatever the direction.

        >>> import clusterscore as cs, networkx
        >>> cs.Clustering.from_graph(networkx.Graph([("a", "b"), ("b", "c"), ("d", "e")]))
        Clustering(5 elements by id, 2 clusters)
        """
        from clusterscore.read.guess import of_graph

        return of_graph(graph)

    @classmethod
    def from_spacy(cls, doc: Any) -> Clustering:
        """The coreference clusters of a spaCy Doc: its spans ``coref_clusters_1``, ``coref_clusters_2``, ...

        An element is a mention, the pair of its first token and the one after its last. Of fastcoref, which writes
        ``doc._.coref_clusters``, it is a pair of characters::

            cs.muc(gold, cs.Clustering.from_spacy(nlp(text)), missing="keep")
        """
        from clusterscore.read.guess import coreference

        return coreference(doc)

    @classmethod
    def from_file(
        cls,
        path: str | os.PathLike[str],
        *,
        format: str | None = None,
        header: bool = True,
        element: str | None = None,
        cluster: str | None = None,
        document: str | None = None,
        grade: str | None = None,
        step: float = STEP,
        frames: Frames = "middle",
    ) -> Clustering:
        """A file (CSV, TSV, Parquet, JSON, labels, clusters, memberships, links, segments, RTTM), or all of a pattern.

        ``format`` says what it is where its name does not, and whether lists in JSON are "clusters" with their elements
        or "memberships", elements with their clusters; ``element``, ``cluster``, ``document`` and ``grade`` name the
        columns of a table, which are called "1" and "2" in CSV without a heading (``header=False``); ``step`` is the
        length of a frame of RTTM, in seconds, and ``frames`` which ones a turn has, as in :meth:`from_turns`.
        :class:`clusterscore.File` has the same options, and can be passed to any function.

        >>> import clusterscore as cs
        >>> cs.Clustering.from_file("examples/both-*.csv", element="page", cluster="found")
        Clustering(9 elements by id, 4 clusters)
        """
        from clusterscore.read.files import read_file

        columns: dict[str, Any] = {"element": element, "cluster": cluster, "document": document, "grade": grade}
        return read_file(File(path, **columns, format=format, header=header, step=step, frames=frames))

    @classmethod
    def from_files(
        cls,
        gold: str | os.PathLike[str],
        pred: str | os.PathLike[str],
        *,
        format: str | None = None,
        header: bool = True,
        element: str | None = None,
        cluster: str | None = None,
        document: str | None = None,
        grade: str | None = None,
        gold_format: str | None = None,
        pred_format: str | None = None,
        gold_element: str | None = None,
        pred_element: str | None = None,
        gold_cluster: str | None = None,
        pred_cluster: str | None = None,
        gold_document: str | None = None,
        pred_document: str | None = None,
        gold_grade: str | None = None,
        pred_grade: str | None = None,
        gold_header: bool = True,
        pred_header: bool = True,
        step: float = STEP,
        frames: Frames = "middle",
    ) -> tuple[Clustering, Clustering]:
        """Gold and prediction from two files, with the options of :meth:`from_file`.

        Options that differ begin with the side: ``gold_cluster="person_id", pred_cluster="golden_id"``.

        >>> import clusterscore as cs
        >>> files = "examples/people.csv", "examples/found_people.csv"
        >>> columns = {"element": "record_id", "gold_cluster": "person_id", "pred_cluster": "golden_id"}
        >>> round(cs.elm(*cs.Clustering.from_files(*files, **columns)).f, 4)
        0.6111
        """
        from clusterscore.read.files import read_files

        given: tuple[tuple[Any, ...], ...] = (
            (element, cluster, document, grade, format, header),
            (gold_element, gold_cluster, gold_document, gold_grade, gold_format, gold_header),
            (pred_element, pred_cluster, pred_document, pred_grade, pred_format, pred_header),
        )
        names = (*COLUMNS, "format", "header")
        left, right = two_sides(
            *(ReadOptions(**dict(zip(names, row, strict=True)), step=step, frames=frames) for row in given)
        )
        clusterings = read_files({"gold": File(gold, **vars(left)), "pred": File(pred, **vars(right))})
        return clusterings["gold"], clusterings["pred"]
