"""Tables whose counts the user already has: a contingency matrix, or cells."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from clusterscore.align.policies import DEFAULT, DOCUMENTS, Pair, Side
from clusterscore.count.cells import Cells, ClusterNames, Clusters
from clusterscore.count.counting import count
from clusterscore.count.table import Table
from clusterscore.distinct import Ints
from clusterscore.exceptions import InputError, InputTypeError
from clusterscore.nouns import noun, plural
from clusterscore.read.arrays import as_vector, check_some, numbers
from clusterscore.read.labels import Labels, encode, in_order, without_null

_MOST = 2**53  # elements in a table: a float then holds their number


def table_from_matrix(matrix: Any) -> Table:
    """Gold clusters in rows, predicted ones in columns; empty rows and columns are no clusters."""
    if hasattr(matrix, "tocoo"):
        sparse = matrix.tocoo()
        row, column, counts = np.asarray(sparse.row), np.asarray(sparse.col), np.asarray(sparse.data)
    else:
        try:
            dense = np.asarray(matrix)
        except ValueError:
            raise InputError("the contingency matrix is ragged: its rows differ in length") from None
        if dense.ndim != 2:
            raise InputTypeError(
                f"a contingency matrix has two dimensions, but this has {dense.ndim}; pass labels to Table.from_labels"
            )
        row, column = np.indices(dense.shape).reshape(2, -1)
        counts = dense.ravel()
    sides = [Labels(codes.astype(np.int64), range(int(codes.max(initial=-1)) + 1)) for codes in (row, column)]
    return _table(sides[0], sides[1], _counts(counts))


def table_from_cells(
    gold: Any,
    pred: Any,
    n: Any,
    document: Any,
    gold_size: Mapping[Any, int] | None,
    pred_size: Mapping[Any, int] | None,
) -> Table:
    """Cells as three columns."""
    left, right = as_vector(gold, "gold"), as_vector(pred, "pred")
    counts = _counts(as_vector(n, "n"))
    if not len(left) == len(right) == len(counts):
        raise InputError(f"{len(left):,} gold, {len(right):,} pred and {len(counts):,} n; each cell needs one of each")
    documents = None if document is None else as_vector(document, "document")
    if documents is not None and (gold_size or pred_size):
        raise InputError(
            "gold_size and pred_size cannot be combined with document; pass the sizes per "
            f"{noun('document')} as cells instead"
        )
    if documents is not None and len(documents) != len(counts):
        raise InputError(f"{plural(len(documents), 'document')} for {plural(len(counts), 'cell')}; give one per cell")
    where = None if documents is None else in_order(without_null(encode(documents), noun("a document")))
    names = [(left, noun("a gold cluster")), (right, noun("a pred cluster"))]
    sides = [without_null(encode(values), what, "cell") for values, what in names]
    return _table(sides[0], sides[1], counts, where, gold_size, pred_size)


def _counts(values: Any) -> Ints:
    exact = numbers(values, "the counts of a table")
    bad = ~np.isfinite(exact) | (exact < 0) | (exact != np.floor(exact))
    if bad.any():
        raise InputError(
            f"{plural(int(bad.sum()), 'count')} not a whole number from 0 up (e.g. {exact[bad][0].item()!r}); "
            f"a table contains counts of {noun('elements')}"
        )
    if float(exact.sum(dtype=np.float64)) >= _MOST:
        raise InputError(
            f"the table counts {float(exact.sum(dtype=np.float64)):.3g} {noun('elements')}; the maximum is 2**53"
        )
    return exact.astype(np.int64)


def _table(
    gold: Labels,
    pred: Labels,
    n: Ints,
    document: Labels | None = None,
    gold_size: Mapping[Any, int] | None = None,
    pred_size: Mapping[Any, int] | None = None,
) -> Table:
    for side, given in (("gold", gold_size), ("pred", pred_size)):
        if given is not None and not isinstance(given, Mapping):
            raise InputTypeError(f"{side}_size is a mapping {noun('cluster')} -> size, not {given!r}"[:200])
    check_some(int(n.sum()) + len(gold_size or ()) + len(pred_size or ()), "the table")
    filled = np.flatnonzero(n)
    sides = [
        Side(labels.codes[filled], len(labels.names), labels.names, None, labels.codes[:0]) for labels in (gold, pred)
    ]
    documents = None if document is None else document.take(filled)
    policy = DEFAULT if document is None else DEFAULT.read_with(DOCUMENTS, DOCUMENTS)
    table = count(Pair(sides[0], sides[1], documents, None, None, policy, times=n[filled]))
    if not gold_size and not pred_size:
        return table
    cells = table.cells
    left, right = _with_sizes(cells.gold, gold_size, "gold"), _with_sizes(cells.pred, pred_size, "pred")
    only = int(left.size.sum() - n.sum()), int(right.size.sum() - n.sum())
    policy = policy._replace(missing="keep") if any(only) else policy
    return Table(Cells(cells.n, left, right), one_sided=only, policy=policy)


def _with_sizes(clusters: Clusters, given: Mapping[Any, int] | None, side: str) -> Clusters:
    """Clusters that hold as many elements as somebody says, some of them without a cell."""
    names = [clusters.name(k) if size else None for k, size in enumerate(clusters.size.tolist())]
    place = {name: k for k, name in enumerate(names) if clusters.size[k]}
    sizes = clusters.size.tolist()
    for name, size in (given or {}).items():
        if not isinstance(size, int | np.integer) or isinstance(size, bool) or not 1 <= size < _MOST:
            raise InputError(
                f"{side}_size says {name!r} holds {size!r} {noun('elements')}; a size is a whole number below 2**53"
            )
        if name not in place:
            names.append(name)
            sizes.append(size)
            continue
        if size < sizes[place[name]]:
            raise InputError(f"{side}_size says {name!r} holds {size}, but its cells count {sizes[place[name]]}")
        sizes[place[name]] = size
    return Clusters(clusters.of_cell[:], np.array(sizes, np.int64), None, ClusterNames(names))
