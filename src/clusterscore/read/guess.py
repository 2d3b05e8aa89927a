"""What did the user hand over? A Clustering, where that can only mean one thing. Each side is understood by itself.

What other libraries make of data is known by its type and what it has, without importing them.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np

from clusterscore.exceptions import ClusterscoreError, InputError, InputTypeError, a_type
from clusterscore.fields import current, tries
from clusterscore.messages import Wording
from clusterscore.nouns import noun
from clusterscore.read.arrays import (
    LIBRARIES,
    as_vector,
    encode_tensor,
    is_column,
    is_frame,
    pandas_index,
    tensor_vector,
)
from clusterscore.read.clustering import Clustering, Origin
from clusterscore.read.file import COLUMNS, File
from clusterscore.read.images import images_given
from clusterscore.read.labels import encode, is_tensor
from clusterscore.read.page_streams import are_boundaries, given_streams
from clusterscore.read.sample import Sample

_VECTORS = {"builtins", "numpy", *LIBRARIES}
_COLLECTIONS = (list, tuple, set, frozenset, np.ndarray)
_NAMES = (File, str, os.PathLike)  # of files
_SYSTEMS = (Clustering, File, os.PathLike, Mapping, list, np.ndarray)
_GUESSED = Origin(declared=False)
_PREFIX = "coref_clusters"  # of the groups that spacy-experimental writes
_OF_FILES = {f"{side}{what}" for side in ("", "gold_", "pred_") for what in (*COLUMNS, "format")}  # what a File is told


def as_clusterings(gold: Any, pred: Any, *, images: bool = False) -> tuple[Clustering, Clustering]:
    """Both sides, each read by itself; two files are opened together, so that a message can speak of both.

    ``images``: arrays of several dimensions are images, whatever is in them.
    """
    if isinstance(gold, Clustering) and isinstance(pred, Clustering):
        return gold, pred
    if pred is None:
        as_clustering(pred, "pred")  # before gold, whose columns may be both sides
    both_named = isinstance(gold, _NAMES) and isinstance(pred, _NAMES)
    left, right = (file_given(gold), file_given(pred)) if both_named else (None, None)
    if left is None or right is None:
        return as_clustering(gold, "gold", images), as_clustering(pred, "pred", images)
    from clusterscore.read.files import read_files

    with _options_of_files():
        sides = read_files({"gold": left, "pred": right})
    return sides["gold"], sides["pred"]


def read_once(given: Any, side: str) -> Any:
    """A side that will be compared several times, read; a tensor stays on its device."""
    return given if is_tensor(given) else as_clustering(given, side)


def on_device(gold: Any, pred: Any) -> tuple[Clustering, Clustering]:
    """Two tensors as clusterings whose codes stay where the labels are."""
    vectors = tensor_vector(gold, "gold"), tensor_vector(pred, "pred", gold)
    left, right = (Clustering(encode_tensor(vector)) for vector in vectors)
    for side, tensor in ((left, gold), (right, pred)):
        side.shapes = {None: tuple(tensor.shape)} if tensor.ndim > 1 else None
    return left, right


def file_given(given: Any) -> File | None:
    """The file that is meant: a text means one if it exists, is a pattern, or ends like one; standard input is none."""
    if isinstance(given, File):
        return given
    if isinstance(given, str):
        from clusterscore.read.formats import by_name

        if not (os.path.exists(given) or set("*?[") & set(given) or by_name(given)):
            return None
    elif not isinstance(given, os.PathLike):
        return None
    path = os.fsdecode(given)
    return File(os.path.join(".", path) if path == "-" else path)


def files_of(given: Iterable[Any]) -> Iterator[str]:
    """The files among what a user passed, those included that a clustering was read from."""
    for side in given:
        file = file_given(side)
        if file is not None:
            yield file.name
        elif isinstance(side, Clustering) and isinstance(side.origin.source, tuple):
            yield side.origin.source[0]


def are_systems(pred: Any) -> bool:
    """Whether this is a mapping of names to predictions: its values are clusterings by themselves, and no labels."""
    if not isinstance(pred, Mapping) or not pred:
        return False
    return all(
        os.path.exists(system) if isinstance(system, str) else isinstance(system, _SYSTEMS) or _is_vector(system)
        for system in pred.values()
    )


def _is_vector(given: Any) -> bool:
    library = type(given).__module__.partition(".")[0]
    return library not in ("builtins", "numpy", "datetime", "decimal") and (
        getattr(given, "ndim", 0) == 1
        or is_frame(given)
        or hasattr(given, "labels_")
        or library in ("pyspark", "polars")
    )


@contextmanager
def _options_of_files() -> Iterator[None]:
    """Complaints that name an option of reading, with who takes it."""
    try:
        yield
    except ClusterscoreError as error:
        if not error.message.parameters & _OF_FILES:
            raise
        named = Wording(" (Clustering.from_files takes that, and cs.File without gold_ and pred_)")
        raise type(error)(error, named) from None


def as_clustering(given: Any, side: str, images: bool = False) -> Clustering:
    """One side; an error that names the constructor to use where the meaning is open."""
    if isinstance(given, Clustering):
        return given
    if type(given) is np.ndarray and given.ndim == 1 and given.dtype != object and current() is None:
        made = Clustering(encode(given))
        made.origin = _GUESSED
        return made
    if given is None:
        raise InputTypeError(
            f"{side} is None; pass one label per {noun('element')}, a mapping, or a list of {noun('clusters')}; two "
            'columns of one table are scored by cs.score_table(table, gold="...", pred="...")'
        )
    if isinstance(given, Sample):
        raise InputTypeError(
            f"{side} is a Sample; pass it instead of gold to cs.score, compare, errors, clusters, elements, sweep "
            "or report, which estimate what the whole would score"
        )
    if isinstance(given, _NAMES) and (file := file_given(given)) is not None:
        from clusterscore.read.files import read_file

        with _options_of_files():
            return read_file(file)
    if (label_images := images_given(given, side, images)) is not None:
        made = Clustering.from_images(label_images)
        made.origin = _GUESSED
        return made
    model = type(given).__name__ if hasattr(given, "labels_") else ""
    if type(given).__module__.partition(".")[0] not in _VECTORS:
        given = of_other_library(given, side)
        if isinstance(given, Clustering):
            return given
    if _are_turns(given):
        return Clustering.from_turns(given)
    if tries("boundaries") and _is_stream(given):
        made = given_streams(given, "boundaries")
        made.options = {**made.options, "format": "boundaries"}  # for others they are labels
    else:
        made = _read(given, side)
    made.origin = made.origin._replace(declared=False, called=model, is_model=bool(model))
    return made


def _are_turns(given: Any) -> bool:
    """Whether these are several Annotations of pyannote; or rows, where the field in use has turns."""
    if not isinstance(given, list | tuple | Mapping):
        return False
    rows = given.values() if isinstance(given, Mapping) else given
    known = tries("rttm")  # where nobody may have been heard
    kinds = (list, tuple) if known else ()
    return (known or len(rows) > 0) and all(hasattr(row, "itertracks") or isinstance(row, kinds) for row in rows)


def _is_stream(given: Any) -> bool:
    """Whether this may be the boundaries of page streams: nothing but 0 and 1, from a 1 on."""
    if isinstance(given, set | frozenset) or is_frame(given):
        return False
    streams = given.values() if isinstance(given, Mapping) else given
    if isinstance(given, Mapping) or (isinstance(given, list) and given and isinstance(given[0], list)):
        return len(given) > 0 and all(isinstance(stream, _COLLECTIONS) and are_boundaries(stream) for stream in streams)
    return are_boundaries(given)


def _read(given: Any, side: str) -> Clustering:
    values, index = given, None
    if not isinstance(given, list):
        if isinstance(given, Mapping):
            return _from_mapping(given, side)
        if is_frame(given):
            return Clustering.from_frame(given)
        if isinstance(given, set | frozenset):
            if all(isinstance(cluster, frozenset | tuple) for cluster in given):
                return Clustering.from_clusters(given)
            raise InputTypeError(
                f"{side} is a set, which has no order; pass a list of labels, or Clustering.from_clusters([...])"
            )
        values, index = as_vector(given, side), pandas_index(given)
    if len(values) and not (isinstance(values, np.ndarray) and values.dtype != object):
        first = values[0]
        if isinstance(first, Mapping):
            raise InputTypeError(
                f"{side} is a list of mappings; make a frame of it for Clustering.from_frame, or one mapping "
                f"{noun('element')} -> label for Clustering.from_mapping"
            )
        if isinstance(first, np.ndarray) and first.ndim == 0:
            raise InputTypeError(f"{side} is a list of 0-dimensional arrays; pass one array, or np.stack of the list")
        # the tuples of a column are its labels
        if isinstance(first, _COLLECTIONS) and not (isinstance(first, tuple) and is_column(given)):
            odd = next((v for v in values if not isinstance(v, _COLLECTIONS)), None)
            if odd is not None:
                raise InputTypeError(
                    f"{side} mixes collections with single labels (e.g. {odd!r}); say which it is: "
                    "Clustering.from_labels or Clustering.from_clusters"
                )
            try:
                return Clustering.from_clusters(values)
            except InputError as error:
                if len(set(map(len, values))) > 1:
                    raise
                raise InputError(
                    error,
                    "; if they are one-hot rows, pass np.argmax(rows, axis=1), and if they are the rows of a label "
                    "image, np.array(rows)",
                ) from None
    return Clustering(encode(values), index=index)


def _from_mapping(given: Mapping[Any, Any], side: str) -> Clustering:
    types = set(map(type, given.values()))  # few: quicker to look at than the values
    nested = {kind for kind in types if issubclass(kind, Mapping | Iterator)}
    if nested:
        key, value = _first(given, nested)
        raise InputTypeError(
            f"{side} maps {key!r} to {a_type(value)}; pass a mapping {noun('element')} -> label, "
            f"{noun('element')} -> set of labels where {noun('clusters')} overlap, or "
            f"Clustering.from_graded({{{noun('element')}: {{{noun('cluster')}: weight}}}}); cs.compare takes several "
            "predictions by name"
        )
    several = {kind for kind in types if issubclass(kind, _COLLECTIONS) and not issubclass(kind, tuple)}
    if not several:
        return Clustering.from_mapping(given)
    if several != types:
        single, many = _first(given, types - several), _first(given, several)
        raise InputTypeError(
            f"{side} maps {single[0]!r} to one label, {single[1]!r}, and {many[0]!r} to {a_type(many[1])} of "
            f"labels; write one label as a set too: {{{single[1]!r}}}"
        )
    key, values = max(
        given.items(), key=lambda item: isinstance(item[1], np.ndarray) or len(item[1]) > 0
    )  # the first that is not empty
    raise InputTypeError(
        f"{side}: {key!r}: {str(values)[:60]} may be {noun('a cluster')} with its {noun('elements')} or "
        f"{noun('an element')} with its {noun('clusters')}; pass Clustering.from_clusters(mapping) or "
        "Clustering.from_memberships(mapping); several systems by name go to cs.compare(gold, systems)"
    )


def _first(given: Mapping[Any, Any], types: set[type]) -> tuple[Any, Any]:
    """The first key whose value has one of some types, and that value."""
    return next((key, value) for key, value in given.items() if type(value) in types)


def of_other_library(given: Any, side: str) -> Any:
    """The clustering that an object holds, or what it holds one in; the object itself where it is unknown."""
    library, kind = type(given).__module__.partition(".")[0], type(given).__name__
    if library == "igraph" and hasattr(given, "membership"):
        overlap = any(isinstance(membership, list) for membership in given.membership)
        make = Clustering.from_memberships if overlap or kind.endswith("Cover") else Clustering.from_labels
        return make(given.membership, elements=_names(getattr(given, "graph", None)))
    if library == "igraph" and hasattr(given, "as_clustering"):
        raise InputTypeError(f"{side} is a {kind} from igraph, which has many cuts; pass its .as_clustering()")
    if library == "cdlib" and hasattr(given, "communities"):
        return Clustering.from_clusters(given.communities)
    if library == "fastcoref" and hasattr(given, "get_clusters"):
        return Clustering.from_clusters(given.get_clusters(as_strings=False))
    if library == "spacy" and hasattr(given, "spans"):
        return coreference(given)
    if library == "pyannote" and hasattr(given, "itertracks"):
        return Clustering.from_turns(given)
    if library == "splink":
        return splink_table(given)
    if library in ("networkx", "igraph") and hasattr(given, "edges" if library == "networkx" else "get_edgelist"):
        raise InputTypeError(
            f"{side} is a {kind} of {library}; its connected components are Clustering.from_graph(graph), and "
            "communities are passed as its functions return them"
        )
    estimator = hasattr(given, "fit") or hasattr(given, "labels_")
    return _labels_of(given, side) if estimator and not isinstance(given, type) else given


def _labels_of(given: Any, side: str) -> Any:
    """The labels of an estimator in the manner of scikit-learn; of a pipeline those of its last step."""
    steps = getattr(given, "steps", None)
    last = steps[-1][1] if isinstance(steps, list) and steps else given
    if hasattr(last, "labels_"):
        return last.labels_
    kind = type(last).__name__
    if any(name.endswith("_") and not name.startswith("_") for name in vars(last)):
        raise InputTypeError(f"{side} is a {kind} without labels_; pass what its predict(X) returns")
    raise InputTypeError(f"{side} is a {kind} that is not fitted; call fit(X), or pass what fit_predict(X) returns")


def splink_table(frame: Any) -> Any:
    """The frame behind one of Splink; any other as it is."""
    if type(frame).__module__.partition(".")[0] != "splink":
        return frame
    way = next((way for way in ("as_pyarrow_table", "as_pandas_dataframe") if hasattr(frame, way)), None)
    if way is None:
        raise InputTypeError(
            f"{a_type(frame)} of Splink has no {noun('clusters')}; pass its table of {noun('clusters')}"
        )
    return getattr(frame, way)()


def of_graph(graph: Any) -> Clustering:
    """The connected components of a graph of networkx or igraph."""
    from clusterscore.read.links import closed, ends

    if hasattr(graph, "get_edgelist"):
        names = _names(graph)
        names = list(range(graph.vcount())) if names is None else names
        pairs = graph.get_edgelist()
        return closed([names[a] for a, _ in pairs], [names[b] for _, b in pairs], names)
    if not (hasattr(graph, "nodes") and callable(getattr(graph, "edges", None))):
        raise InputTypeError(
            f"from_graph takes a graph of networkx or igraph, not {a_type(graph)}; edges go to "
            "Clustering.from_pairs(edges, elements=nodes)"
        )
    return closed(*ends(graph.edges()), list(graph.nodes))


def _names(graph: Any) -> list[Any] | None:
    """The names of the vertices of igraph, where they have some."""
    return list(graph.vs["name"]) if graph is not None and "name" in graph.vs.attributes() else None


def coreference(doc: Any) -> Clustering:
    """The coreference clusters in a document of spaCy."""
    spans = getattr(doc, "spans", None)
    if spans is None:
        raise InputTypeError(f"from_spacy takes a Doc of spaCy, not {a_type(doc)}")
    groups = {key: [(span.start, span.end) for span in spans[key]] for key in spans if key.startswith(f"{_PREFIX}_")}
    if not groups and hasattr(doc._, _PREFIX):  # fastcoref, by characters
        return Clustering.from_clusters(doc._.coref_clusters or [])
    if not groups:
        raise InputError(
            f"the Doc has no spans {_PREFIX}_1, {_PREFIX}_2, ..., nor doc._.{_PREFIX}"
            + (f"; it has {', '.join(map(repr, list(spans)[:3]))}" if len(spans) else "")
            + "; run a coreference component on it"
        )
    return Clustering.from_clusters(groups)
