"""However the labels arrive, every score is the same to the last bit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

import clusterscore as cs
from engines.cases import FEW
from fake_torch import Tensor
from variants import numbers

Labels = list[int]


def matrix(gold: Labels, pred: Labels) -> Any:
    counts = np.zeros((max(gold) + 1, max(pred) + 1), np.int64)
    np.add.at(counts, (gold, pred), 1)
    return counts


def clusters(labels: Labels, make: Callable[[Any], Any]) -> list[Any]:
    return [make(k for k, label in enumerate(labels) if label == cluster) for cluster in dict.fromkeys(labels)]


def chain(labels: Labels) -> cs.Clustering:
    links = [(group[k], group[k + 1]) for group in clusters(labels, list) for k in range(len(group) - 1)]
    return cs.Clustering.from_pairs(links, elements=range(len(labels)))


def frame(library: Any, labels: Labels) -> Any:
    return library({"element": [f"e{k}" for k in range(len(labels))], "cluster": labels})


def words(labels: Labels) -> list[str]:
    return [f"wort {label} ß" for label in labels]


DTYPES = ("i1", "u1", "i2", "u4", "i8", ">i8", "u8", "f2", "f4", "f8", ">f8", "O", "U9", ">U9", "S9")
DTYPES += ("M8[D]", "m8[ns]", "c16")
# one side at a time
SIDES: dict[str, Callable[[Labels], Any]] = {
    "tuple": tuple,
    "strings": words,
    "floats": lambda labels: [label / 3 for label in labels],
    "bool or int": lambda labels: [bool(label) if label < 2 else label for label in labels],
    **{f"array of {kind}": lambda labels, kind=kind: np.array(labels).astype(kind) for kind in DTYPES},
    "array of words": lambda labels: np.array(words(labels)),
    "array of variable words": lambda labels: np.array(words(labels), dtype=np.dtypes.StringDType()),
    "every second of an array": lambda labels: np.repeat(labels, 2)[::2],
    "read-only array": lambda labels: np.frombuffer(np.array(labels).tobytes(), np.int64),
    "all of 64 bits": lambda labels: (np.array(labels, np.uint64) * np.uint64(2**63 + 2**40 + 1)).view(np.int64),
    "tensor": Tensor,
    "mapping": lambda labels: {f"e{k}": labels[k] for k in reversed(range(len(labels)))},
    "lists of elements": lambda labels: clusters(labels, list),
    "arrays of elements": lambda labels: [np.array(cluster) for cluster in clusters(labels, list)],
    "sets of elements": lambda labels: clusters(labels, set),
    "set of frozensets": lambda labels: set(clusters(labels, frozenset)),
    "from_labels": cs.Clustering.from_labels,
    "from_labels with ids": lambda labels: cs.Clustering.from_labels(labels, elements=range(len(labels))),
    "from_mapping": lambda labels: cs.Clustering.from_mapping(dict(enumerate(labels))),
    "from_clusters": lambda labels: cs.Clustering.from_clusters(clusters(labels, tuple)),
    "from_clusters by name": lambda labels: cs.Clustering.from_clusters(dict(enumerate(clusters(labels, tuple)))),
    "from_pairs": chain,
    "pandas": pd.Series,
    "pandas strings": lambda labels: pd.Series(words(labels)),
    "pandas categories": lambda labels: pd.Series(words(labels), dtype="category"),
    "pandas nullable": lambda labels: pd.Series(labels, dtype="Int64"),
    "polars": lambda labels: pl.Series(labels),
    "polars strings": lambda labels: pl.Series(words(labels)),
    "polars categories": lambda labels: pl.Series(words(labels), dtype=pl.Categorical),
    "pyarrow": pa.array,
    "pyarrow strings": lambda labels: pa.array(words(labels)),
    "pyarrow chunks": lambda labels: pa.chunked_array([pa.array(labels[:1]), pa.array(labels[1:], pa.int64())]),
    "pyarrow dictionary": lambda labels: pa.array(words(labels)).dictionary_encode(),
    "pandas frame": lambda labels: frame(pd.DataFrame, labels),
    "polars frame": lambda labels: frame(pl.DataFrame, labels),
    "pyarrow table": lambda labels: frame(pa.table, labels),
}
# both sides at once
TABLES: dict[str, Callable[[Labels, Labels], Any]] = {
    "Table.from_labels": cs.Table.from_labels,
    "dense matrix": lambda gold, pred: cs.Table.from_matrix(matrix(gold, pred)),
    "nested lists": lambda gold, pred: cs.Table.from_matrix(matrix(gold, pred).tolist()),
    "matrix of floats": lambda gold, pred: cs.Table.from_matrix(matrix(gold, pred).astype(np.float64)),
    "sparse rows": lambda gold, pred: cs.Table.from_matrix(sparse.csr_array(matrix(gold, pred))),
    "sparse columns": lambda gold, pred: cs.Table.from_matrix(sparse.csc_matrix(matrix(gold, pred))),
    "cells of one": lambda gold, pred: cs.Table.from_cells(words(gold), pred, [1] * len(gold)),
    "cells": lambda gold, pred: cs.Table.from_cells(*sparse.find(matrix(gold, pred))),
}

# labels are all that arrives, so few metrics do: those that ask for all that any asks for
METRICS = [*FEW, cs.metric("set_matching"), cs.metric("community_f1")]
pairs = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=12)
few = settings(max_examples=6, deadline=None, derandomize=True, database=None)


def everything(*given: Any) -> dict[str, dict[str, float]]:
    card = cs.score(*given, metrics=METRICS)
    return {name: numbers(card[name]) for name in card}


@pytest.mark.parametrize("kind", SIDES)
@few
@given(pairs)
def test_kind_of_labels(kind: str, rows: list[tuple[int, int]]) -> None:
    gold, pred = map(list, zip(*rows, strict=True))
    assert everything(SIDES[kind](gold), SIDES[kind](pred)) == everything(gold, pred)


@pytest.mark.parametrize("kind", TABLES)
@few
@given(pairs)
def test_kind_of_table(kind: str, rows: list[tuple[int, int]]) -> None:
    gold, pred = map(list, zip(*rows, strict=True))
    assert everything(TABLES[kind](gold, pred)) == everything(gold, pred)


@pytest.mark.parametrize("size", [3_000, 40_000])
def test_kinds_agree_where_counting_hashes(size: int) -> None:
    """Beyond the small sizes other ways of counting take over."""
    random = np.random.default_rng(size)
    gold, pred = (random.integers(0, size // 3, size).tolist() for _ in range(2))
    quick = [metric for metric in METRICS if metric.name not in {"set_matching", "ami"}]
    expected = cs.score(gold, pred, metrics=quick).to_dict()
    for kind in ("strings", "floats", "array of O", "array of words", "all of 64 bits", "mapping", "polars strings"):
        assert cs.score(SIDES[kind](gold), SIDES[kind](pred), metrics=quick).to_dict() == expected, kind
    cells = cs.Table.from_cells(words(gold), words(pred), np.ones(size, np.int64))
    assert cs.score(cells, metrics=quick).to_dict() == expected
