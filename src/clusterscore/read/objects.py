"""What other libraries make of data, known by its type and what it has, without importing them."""

from __future__ import annotations

from typing import Any

from clusterscore.exceptions import InputError, InputTypeError
from clusterscore.nouns import noun
from clusterscore.read.clustering import Clustering

_PREFIX = "coref_clusters"  # of the groups that spacy-experimental writes


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
            f"a {type(frame).__name__} of Splink has no {noun('clusters')}; pass its table of {noun('clusters')}"
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
            f"from_graph takes a graph of networkx or igraph, not a {type(graph).__name__}; edges go to "
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
        raise InputTypeError(f"from_spacy takes a Doc of spaCy, not a {type(doc).__name__}")
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
