"""Count with NumPy: labels in memory become a Table, all documents in one pass."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from clusterscore.align.match import align
from clusterscore.align.pair import Pair, Side
from clusterscore.align.policies import check_options
from clusterscore.count.table import Table
from clusterscore.distinct import Array, Decoded, Ints, distinct
from clusterscore.read.labels import plain
from clusterscore.read.tensors import is_tensor


def count_labels(gold: Any, pred: Any, **options: Any) -> Table:
    """Align two clusterings and count them."""
    check_options(options)
    if is_tensor(gold) and is_tensor(pred) and options.get("weights") is None:
        from clusterscore.engines.tensors import count_tensors

        return count_tensors(gold, pred, **options)
    return count(align(gold, pred, **options))


def count(pair: Pair) -> Table:
    """The Table of an aligned pair."""
    return count_with_cells(pair)[0]


def count_with_cells(pair: Pair, *, cells: bool = False) -> tuple[Table, Ints | None]:
    """The Table, and with ``cells`` the cell of every element."""
    if pair.documents is None:
        return _count_together(pair.gold, pair.pred, pair, cells)
    return _count_apart(pair.gold, pair.pred, pair, cells)


def _count_together(gold: Side, pred: Side, pair: Pair, cells: bool) -> tuple[Table, Ints | None]:
    gold_cell, pred_cell, n, weight, cell = _cells(gold.codes, gold.size, pred.codes, pred.size, pair.weights, cells)
    table = Table(
        gold_cell, pred_cell, n, _sizes(gold, gold_cell, n), _sizes(pred, pred_cell, n),
        gold_names=Namer(gold.names, None), pred_names=Namer(pred.names, None),
        weight=weight, one_sided=(len(gold.only), len(pred.only)), policy=pair.policy,
    )  # fmt: skip
    return table, cell


def _cells(
    gold: Array, gold_size: int, pred: Array, pred_size: int, weights: Array | None, cells: bool
) -> tuple[Decoded, Decoded, Array, Array | None, Ints | None]:
    wanted = cells or weights is not None
    found = distinct((gold, gold_size), (pred, pred_size), codes=wanted)
    weight = None if weights is None else np.bincount(found.codes, weights, len(found))
    return Decoded(found, 0), Decoded(found, 1), found.counts, weight, found.codes if wanted else None


def _sizes(side: Side, cell: Decoded, n: Array) -> Array:
    if 8 * len(cell) < len(side.codes):
        sizes = np.bincount(cell[:], n, side.size).astype(np.int64)
    else:
        sizes = np.bincount(side.codes, minlength=side.size)
    return sizes + np.bincount(side.only, minlength=side.size) if len(side.only) else sizes


def _count_apart(gold: Side, pred: Side, pair: Pair, cells: bool) -> tuple[Table, Ints | None]:
    """Clusters of different documents are different clusters, whatever they are called."""
    assert pair.documents is not None
    everywhere = [pair.documents.codes, gold.only_documents, pred.only_documents]
    codes, size, names = _used_documents(everywhere, pair.documents.names)
    here, gold_only, pred_only = codes
    gold_codes, gold_sizes, gold_document, gold_code = _clusters(gold, here, gold_only, size)
    pred_codes, pred_sizes, pred_document, pred_code = _clusters(pred, here, pred_only, size)
    gold_cell, pred_cell, n, weight, cell = _cells(
        gold_codes, len(gold_sizes), pred_codes, len(pred_sizes), pair.weights, cells
    )
    table = Table(
        gold_cell, pred_cell, n, gold_sizes, pred_sizes,
        gold_names=Namer(gold.names, gold_code), pred_names=Namer(pred.names, pred_code),
        gold_document=gold_document, pred_document=pred_document, documents=names,
        weight=weight, one_sided=(len(gold.only), len(pred.only)), policy=pair.policy,
    )  # fmt: skip
    return table, cell


def _used_documents(
    everywhere: list[Array | None], names: Sequence[Any] | Array
) -> tuple[list[Array], int, Sequence[Any]]:
    """Documents numbered without gaps, how many there are, and their names."""
    parts = [part if part is not None else np.zeros(0, np.int64) for part in everywhere]
    present = np.zeros(len(names), np.bool_)
    for part in parts:
        present[part] = True
    used = np.flatnonzero(present)
    if len(used) < len(present):
        rank = np.cumsum(present) - 1
        parts = [rank[part] for part in parts]
    if isinstance(names, range) and len(used) == len(names):
        return parts, len(used), names
    return parts, len(used), [plain(names[code]) for code in used.tolist()]


def _clusters(side: Side, here: Array, only: Array, documents: int) -> tuple[Array, Array, Array, Ints]:
    """Number the clusters across documents: codes of the common elements, sizes, documents, and label codes."""
    everyone = np.concatenate([side.codes, side.only]) if len(side.only) else side.codes
    where = np.concatenate([here, only]) if len(side.only) else here
    found = distinct((where, documents), (everyone, side.size), codes=True)
    return found.codes[: len(side.codes)], found.counts, found.column(0), found.column(1)


class Namer:
    """From a cluster's number to what the user calls it; None for an element that a policy left alone."""

    __slots__ = ("codes", "names")

    def __init__(self, names: Sequence[Any] | Array, codes: Ints | None):
        self.names, self.codes = names, codes

    def __call__(self, cluster: int) -> Any:
        code = cluster if self.codes is None else int(self.codes[cluster])
        return plain(self.names[code]) if code < len(self.names) else None
