"""Tables whose counts the user already has: a contingency matrix, or cells."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from clusterscore.align.policies import DOCUMENTS, Policy
from clusterscore.count.table import Table
from clusterscore.distinct import Array, Ints, distinct
from clusterscore.exceptions import InputError, InputTypeError, plural
from clusterscore.read.arrays import as_vector, check_some, numbers
from clusterscore.read.clustering import named_documents
from clusterscore.read.labels import Labels, encode, in_order

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
                f"a contingency matrix has two dimensions, this has {dense.ndim}; labels go to Table.from_labels"
            )
        row, column = np.indices(dense.shape).reshape(2, -1)
        counts = dense.ravel()
    return _table(Labels(row.astype(np.int64), range(int(row.max(initial=-1)) + 1)),
                  Labels(column.astype(np.int64), range(int(column.max(initial=-1)) + 1)),
                  _counts(counts), None, None, None)  # fmt: skip


def table_from_cells(
    gold: Any, pred: Any, n: Any, document: Any,
    gold_size: Mapping[Any, int] | None, pred_size: Mapping[Any, int] | None,
) -> Table:  # fmt: skip
    """Cells as three columns."""
    left, right = as_vector(gold, "gold"), as_vector(pred, "pred")
    counts = _counts(as_vector(n, "n"))
    if not len(left) == len(right) == len(counts):
        raise InputError(f"{len(left):,} gold, {len(right):,} pred and {len(counts):,} n; a cell has one of each")
    documents = None if document is None else as_vector(document, "document")
    if documents is not None and (gold_size or pred_size):
        raise InputError("gold_size and pred_size go without document; name the sizes per document as cells instead")
    if documents is not None and len(documents) != len(counts):
        raise InputError(f"{plural(len(documents), 'document')} for {plural(len(counts), 'cell')}; give one per cell")
    return _table(_named(left, "gold"), _named(right, "pred"), counts,
                  None if documents is None else in_order(named_documents(encode(documents))),
                  gold_size, pred_size)  # fmt: skip


def _named(values: Any, side: str) -> Labels:
    labels = encode(values)
    if labels.null is not None:
        count = int((labels.codes == labels.null).sum())
        raise InputError(f"{plural(count, 'cell')} without a {side} cluster (None or NaN); name one for each")
    return labels


def _counts(values: Any) -> Ints:
    exact = numbers(values, "the counts of a table")
    bad = ~np.isfinite(exact) | (exact < 0) | (exact != np.floor(exact))
    if bad.any():
        raise InputError(
            f"{plural(int(bad.sum()), 'count')} not a whole number from 0 up (e.g. {exact[bad][0].item()!r}); "
            "a table holds counts of elements"
        )
    if float(exact.sum(dtype=np.float64)) >= _MOST:
        raise InputError(f"the table counts {float(exact.sum(dtype=np.float64)):.3g} elements; the most is 2**53")
    return exact.astype(np.int64)


def _table(
    gold: Labels, pred: Labels, n: Ints, document: Labels | None,
    gold_size: Mapping[Any, int] | None, pred_size: Mapping[Any, int] | None,
) -> Table:  # fmt: skip
    for side, given in (("gold", gold_size), ("pred", pred_size)):
        if given is not None and not isinstance(given, Mapping):
            raise InputTypeError(f"{side}_size is a mapping cluster -> size, not {given!r}"[:200])
    check_some(int(n.sum()) + len(gold_size or ()) + len(pred_size or ()), "the table")
    filled = np.flatnonzero(n)
    n = n[filled]
    gold_number, gold_key, gold_doc = _clusters(gold.take(filled), None if document is None else document.take(filled))
    pred_number, pred_key, pred_doc = _clusters(pred.take(filled), None if document is None else document.take(filled))
    found = distinct((gold_number, len(gold_key)), (pred_number, len(pred_key)), times=n)
    gold_cell, pred_cell, cells = found.column(0), found.column(1), found.counts
    gold_sizes, gold_name = _with_sizes(gold_cell, cells, gold, gold_key, gold_size, "gold")
    pred_sizes, pred_name = _with_sizes(pred_cell, cells, pred, pred_key, pred_size, "pred")
    names: Sequence[Any] = (None,)
    if document is not None:
        used = np.unique(np.concatenate([gold_doc, pred_doc]))
        gold_doc, pred_doc = np.searchsorted(used, gold_doc), np.searchsorted(used, pred_doc)
        names = [document.name(code) for code in used.tolist()]
    only = int(gold_sizes.sum() - n.sum()), int(pred_sizes.sum() - n.sum())
    policy = Policy(missing="keep") if any(only) else Policy()
    if document is not None:
        policy = policy.read_with(DOCUMENTS, DOCUMENTS)
    return Table(
        gold_cell, pred_cell, cells, gold_sizes, pred_sizes, gold_names=gold_name, pred_names=pred_name,
        gold_document=None if document is None else gold_doc, pred_document=None if document is None else pred_doc,
        documents=names, one_sided=only, policy=policy,
    )  # fmt: skip


def _clusters(labels: Labels, document: Labels | None) -> tuple[Array, Array, Array]:
    """Clusters numbered across documents; the label code and the document of each."""
    columns = [(labels.codes, len(labels.names))]
    if document is not None:
        columns.insert(0, (document.codes, len(document.names)))
    found = distinct(*columns, codes=True)
    if document is None:
        return found.codes, found.column(0), np.zeros(len(found), np.int64)
    return found.codes, found.column(1), found.column(0)


def _with_sizes(
    cell: Array, n: Array, labels: Labels, key: Array, given: Mapping[Any, int] | None, side: str
) -> tuple[Array, Callable[[int], Any]]:
    sizes = np.zeros(len(key), np.int64)
    np.add.at(sizes, cell, n)
    names = [labels.name(code) for code in key.tolist()]
    if given is None:
        return sizes, names.__getitem__
    place = {name: k for k, name in enumerate(names)}
    extra = [name for name in given if name not in place]
    for name, size in given.items():
        whole = isinstance(size, int | np.integer) and not isinstance(size, bool)
        if not whole or not 1 <= size < _MOST:
            raise InputError(f"{side}_size says {name!r} holds {size!r} elements; a size is a whole number below 2**53")
        if name in place and size < sizes[place[name]]:
            raise InputError(f"{side}_size says {name!r} holds {size}, but its cells count {sizes[place[name]]}")
    full = [given.get(name, int(sizes[k])) for k, name in enumerate(names)] + [given[name] for name in extra]
    return np.array(full, np.int64), [*names, *extra].__getitem__
