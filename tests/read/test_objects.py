"""What users hold of other libraries: estimators, communities, graphs, linkages, Splink's tables, texts."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import duckdb
import igraph
import networkx as nx
import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.cluster.hierarchy import fcluster, linkage
from sklearn.cluster import DBSCAN, AgglomerativeClustering, KMeans
from sklearn.mixture import GaussianMixture
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import clusterscore as cs

Made = cs.Clustering
POINTS = np.random.default_rng(16).normal(size=(30, 2))
CLASSES = np.repeat([0, 1, 2], 10)
KARATE = nx.karate_club_graph()
CLUBS = dict(KARATE.nodes(data="club"))


def of(module: str, name: str, **attributes: Any) -> Any:
    """An object as a library that is not here has it: its type has that module and that name."""
    return type(name, (SimpleNamespace,), {"__module__": module})(**attributes)


def message_of(function: Callable[..., Any], *given: Any, **options: Any) -> str:
    with pytest.raises(cs.ClusterscoreError) as caught:
        function(*given, **options)
    assert "\n" not in str(caught.value)
    return str(caught.value)


# Estimators ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("estimator", [KMeans(3, random_state=0), DBSCAN(0.5), AgglomerativeClustering(4)])
def test_fitted_estimators(estimator: Any) -> None:
    fitted = estimator.fit(POINTS)
    assert cs.elm(CLASSES, fitted) == cs.elm(CLASSES, fitted.labels_)
    with pytest.warns(cs.ClusterscoreWarning, match="gold comes first and the prediction second"):
        assert cs.score(fitted, CLASSES, metrics="elm")["elm"] == cs.elm(fitted.labels_, CLASSES)
    assert cs.elm(fitted, fitted) == 1.0


def test_a_pipeline_ends_with_an_estimator() -> None:
    pipeline = make_pipeline(StandardScaler(), KMeans(3, random_state=0))
    assert "pred is a KMeans that is not fitted; call fit(X)" in message_of(cs.elm, CLASSES, pipeline)
    assert cs.elm(CLASSES, pipeline.fit(POINTS)) == cs.elm(CLASSES, pipeline[-1].labels_)


def test_estimators_without_labels() -> None:
    assert message_of(cs.elm, CLASSES, KMeans(3)) == (
        "pred is a KMeans that is not fitted; call fit(X), or pass what fit_predict(X) returns"
    )
    assert "gold is a GaussianMixture that is not fitted" in message_of(cs.elm, GaussianMixture(3), CLASSES)
    mixture = GaussianMixture(3, random_state=0).fit(POINTS)
    assert "without labels_; pass what its predict(X) returns" in message_of(cs.elm, CLASSES, mixture)
    assert "pred is" in message_of(cs.elm, CLASSES, KMeans)  # the class


def test_an_estimator_of_another_library() -> None:
    assert cs.elm([0, 0, 1], of("hdbscan.hdbscan_", "HDBSCAN", labels_=np.array([-1, -1, 0]))).f == 1
    assert "not fitted" in message_of(cs.elm, [0, 0, 1], of("hdbscan.hdbscan_", "HDBSCAN", fit=None))


# Communities and graphs ----------------------------------------------------------------------------------

COMMUNITIES: dict[str, Callable[[nx.Graph], Any]] = {
    "louvain": lambda graph: nx.community.louvain_communities(graph, seed=1),
    "greedy modularity, frozensets": nx.community.greedy_modularity_communities,
    "label propagation, values of a dict": nx.community.label_propagation_communities,
    "asynchronous label propagation, a generator": lambda graph: nx.community.asyn_lpa_communities(graph, seed=1),
    "edge betweenness": lambda graph: nx.community.edge_betweenness_partition(graph, 4),
    "one level of girvan_newman, a tuple": lambda graph: next(nx.community.girvan_newman(graph)),
    "connected components, a generator": nx.connected_components,
}


@pytest.mark.parametrize("kind", COMMUNITIES)
def test_communities_of_networkx(kind: str) -> None:
    expected = cs.elm(CLUBS, {node: k for k, community in enumerate(COMMUNITIES[kind](KARATE)) for node in community})
    assert cs.elm(CLUBS, COMMUNITIES[kind](KARATE)) == expected
    assert cs.elm(COMMUNITIES[kind](KARATE), CLUBS).precision == expected.recall


def test_a_graph_is_no_clustering_by_itself() -> None:
    for graph, library in ((KARATE, "networkx"), (igraph.Graph.Famous("Zachary"), "igraph")):
        assert message_of(cs.elm, CLUBS, graph) == (
            f"pred is a Graph of {library}; its connected components are Clustering.from_graph(graph), and communities "
            "are passed as its functions return them"
        )


def groups(made: Made) -> set[frozenset[Any]]:
    assert made.ids is not None
    members: dict[int, set[Any]] = {}
    for element, code in zip(made.ids, made.codes.tolist(), strict=True):
        members.setdefault(code, set()).add(element)
    return set(map(frozenset, members.values()))


def test_components_of_a_graph() -> None:
    edges, expected = [("a", "b"), ("c", "b"), ("d", "e")], {frozenset("abc"), frozenset("de"), frozenset("f")}
    for kind in (nx.Graph, nx.DiGraph, nx.MultiGraph):
        graph = kind(edges)
        graph.add_node("f")
        assert groups(Made.from_graph(graph)) == expected
    other = igraph.Graph.TupleList(edges)
    other.add_vertex("f")
    assert groups(Made.from_graph(other)) == expected
    assert groups(Made.from_graph(igraph.Graph([(0, 1), (2, 3)]))) == {frozenset({0, 1}), frozenset({2, 3})}
    assert "not a list; edges go to Clustering.from_pairs" in message_of(Made.from_graph, edges)
    assert "empty" in message_of(cs.elm, Made.from_graph(nx.Graph()), CLUBS)


def test_communities_of_igraph() -> None:
    graph = igraph.Graph.Famous("Zachary")
    tree = graph.community_fastgreedy()
    assert "VertexDendrogram from igraph, which has many cuts; pass its .as_clustering()" in message_of(
        cs.elm, CLUBS, tree
    )
    communities = tree.as_clustering()
    expected = cs.elm(list(CLUBS.values()), communities.membership)
    assert cs.elm(list(CLUBS.values()), communities) == expected
    graph.vs["name"] = [f"n{k}" for k in range(34)]
    named = {f"n{k}": CLUBS[k] for k in reversed(range(34))}
    assert cs.elm(named, graph.community_fastgreedy().as_clustering()) == expected


def test_covers_of_igraph() -> None:
    """They overlap, even where they happen not to; a vertex may be in no cluster."""
    graph, clusters = igraph.Graph.Full(4), [[0, 1], [1, 2]]
    gold = Made.from_memberships([{0}, {0, 1}, {1}, set()])
    assert cs.omega(gold, igraph.VertexCover(graph, clusters), missing="keep").value == 1
    assert "1 element" in message_of(cs.matched_elm, gold, igraph.VertexCover(graph, clusters))
    graph.vs["name"] = ["a", "b", "c", "d"]
    cover = igraph.VertexCover(graph, clusters)
    assert cs.matched_elm([{"a", "b"}, {"b", "c"}], cover, missing="drop").f == 1


def test_communities_of_cdlib() -> None:
    communities = of("cdlib.classes.node_clustering", "NodeClustering", communities=[["a", "b"], ["c"]], overlap=False)
    assert cs.elm({"a": 1, "b": 1, "c": 2}, communities).f == 1


# Linkages ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["single", "average", "ward", "centroid"])
def test_linkages(method: str) -> None:
    merges = linkage(POINTS, method)
    for height in (0, merges[3, 2], 0.5, merges[-1, 2], 99):  # a merge at the threshold itself is made
        assert cs.elm(fcluster(merges, height, "distance"), Made.from_linkage(merges, threshold=height)).f == 1
    for number in (1, 2, 7, 30):
        assert cs.elm(fcluster(merges, number, "maxclust"), Made.from_linkage(merges, clusters=number)).f == 1
    ids = [f"p{k}" for k in range(30)]
    made = Made.from_linkage(merges, clusters=5, elements=ids)
    assert cs.elm(dict(zip(ids, fcluster(merges, 5, "maxclust"), strict=True)), made).f == 1


LINKAGE = linkage(POINTS)
WRONG_CUTS: dict[str, tuple[Any, dict[str, Any], str]] = {
    "no cut": (LINKAGE, {}, "at a height, threshold=0.5, or into a number of clusters, clusters=10"),
    "two cuts": (LINKAGE, {"threshold": 1, "clusters": 2}, "at a height, threshold=0.5, or"),
    "a text": (LINKAGE, {"threshold": "a"}, "threshold is a number, not 'a'"),
    "no number": (LINKAGE, {"threshold": float("nan")}, "threshold is a number, not nan"),
    "no clusters": (LINKAGE, {"clusters": 0}, "clusters is a whole number from 1 to 30, the elements, not 0"),
    "more clusters than elements": (LINKAGE, {"clusters": 31}, "from 1 to 30, the elements, not 31"),
    "half a cluster": (LINKAGE, {"clusters": 2.5}, "a whole number from 1 to 30, the elements, not 2.5"),
    "points": (
        POINTS,
        {"threshold": 1},
        "not a linkage: Linkage matrix must have 4 columns; pass what scipy's linkage",
    ),
    "a word": ("x", {"threshold": 1}, "not a linkage"),
    "too few ids": (LINKAGE, {"clusters": 2, "elements": ["a"]}, "30 labels but 1 element"),
}


@pytest.mark.parametrize("case", WRONG_CUTS)
def test_wrong_cuts(case: str) -> None:
    merges, options, words = WRONG_CUTS[case]
    assert words in message_of(Made.from_linkage, merges, **options)


def test_a_linkage_given_as_it_is() -> None:
    assert "a linkage is cut by Clustering.from_linkage(linkage, threshold=...)" in message_of(cs.elm, CLASSES, LINKAGE)


# Splink --------------------------------------------------------------------------------------------------

CLUSTERS = {"cluster_id": [1, 1, 3], "unique_id": [1, 2, 3], "name": ["ann", "anne", "bob"]}
PAIRS = {
    "match_weight": [9.0, 5.0, 1.0, -9.0],
    "match_probability": [0.99, 0.95, 0.9, 0.1],
    "unique_id_l": [1, 2, 4, 1],
    "unique_id_r": [2, 3, 5, 4],
}
FRAMES: dict[str, Callable[[dict[str, Any]], Any]] = {
    "pandas": pd.DataFrame,
    "polars": pl.DataFrame,
    "pyarrow": lambda columns: pl.DataFrame(columns).to_arrow(),
    "duckdb": lambda columns: duckdb.from_arrow(pl.DataFrame(columns).to_arrow()),
    "Splink": lambda columns: of(
        "splink.internals.duckdb.dataframe", "DuckDBDataFrame", as_pandas_dataframe=lambda: pd.DataFrame(columns)
    ),
}


@pytest.mark.parametrize("library", FRAMES)
def test_clusters_of_splink(library: str) -> None:
    frame = FRAMES[library](CLUSTERS)
    assert cs.elm({1: "a", 2: "a", 3: "b"}, frame).f == 1
    sources = FRAMES[library](CLUSTERS | {"unique_id": [1, 2, 1], "source_dataset": ["a", "a", "b"]})
    assert cs.elm({("a", 1): "x", ("a", 2): "x", ("b", 1): "y"}, sources).f == 1
    assert len(Made.from_frame(sources, element="unique_id", cluster="cluster_id")) == 2  # said is said


@pytest.mark.parametrize("library", FRAMES)
def test_predictions_of_splink(library: str) -> None:
    frame = FRAMES[library](PAIRS)
    assert message_of(cs.elm, {1: 1}, frame) == (
        "the frame has pairs with a match_probability, and no clusters; cs.sweep(gold, edges=pairs) scores every "
        "threshold, Clustering.from_predictions(pairs, threshold=0.9, elements=all_ids) is one"
    )
    assert groups(Made.from_predictions(frame, threshold=0.9)) == {frozenset({1, 2, 3}), frozenset({4, 5})}
    assert groups(Made.from_predictions(frame, threshold=0.95)) == {frozenset({1, 2, 3})}
    made = Made.from_predictions(frame, threshold=0.95, elements=range(1, 7))
    assert groups(made) == {frozenset({1, 2, 3}), frozenset({4}), frozenset({5}), frozenset({6})}
    assert len(Made.from_predictions(frame, threshold=2, elements=[1, 2])) == 2
    assert cs.elm([[1, 2, 3], [4], [5], [6]], made).f == 1


def test_predictions_across_data_sets() -> None:
    frame = pd.DataFrame(PAIRS | {"source_dataset_l": ["a"] * 4, "source_dataset_r": ["b"] * 4})
    made = Made.from_predictions(frame, threshold=0.95)
    assert groups(made) == {frozenset({("a", 1), ("b", 2)}), frozenset({("a", 2), ("b", 3)})}


def test_wrong_predictions() -> None:
    frame = pd.DataFrame(PAIRS)
    assert "threshold is a number, the lowest score of a link, not 'high'" in message_of(
        Made.from_predictions, frame, threshold="high"
    )
    assert "did you mean 'match_probability'? name it with score=" in message_of(
        Made.from_predictions, frame, threshold=1, score="probability"
    )
    assert "Linker of Splink has no clusters" in message_of(cs.elm, {1: 1}, of("splink.internals.linker", "Linker"))


# spaCy ---------------------------------------------------------------------------------------------------


def document(spans: dict[str, list[tuple[int, int]]], **extensions: Any) -> Any:
    made = {key: [SimpleNamespace(start=start, end=end) for start, end in value] for key, value in spans.items()}
    return of("spacy.tokens.doc", "Doc", spans=made, _=SimpleNamespace(**extensions))


def test_coreference_of_spacy() -> None:
    heads = [(0, 1), (2, 3)]
    doc = document({"coref_clusters_1": [(0, 2), (2, 3)], "coref_clusters_2": [(4, 5)], "coref_head_clusters_1": heads})
    expected = {frozenset({(0, 2), (2, 3)}), frozenset({(4, 5)})}
    assert groups(Made.from_spacy(doc)) == expected
    assert cs.muc([[(0, 2), (2, 3)], [(4, 5)]], doc).f == 1
    by_characters = document({}, coref_clusters=[[(0, 3), (9, 12)]])
    assert groups(Made.from_spacy(by_characters)) == {frozenset({(0, 3), (9, 12)})}
    result = of("fastcoref.modeling", "CorefResult", get_clusters=lambda as_strings: [[(0, 3), (9, 12)]])
    assert cs.muc([[(0, 3), (9, 12)]], result).f == 1


def test_documents_without_coreference() -> None:
    message = message_of(Made.from_spacy, document({"sc": [(0, 1)]}))
    assert "no spans coref_clusters_1, coref_clusters_2, ..." in message
    assert "it has 'sc'; run a coreference component" in message
    assert "from_spacy takes a Doc of spaCy, not a str" in message_of(Made.from_spacy, "Ann said she saw Bob")
