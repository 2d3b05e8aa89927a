"""Count with NumPy: labels in memory become a Table, all documents in one pass."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from clusterscore.align.pair import Pair, Side, align
from clusterscore.count.table import Table
from clusterscore.distinct import Array, Ints, bits_for, distinct, pack


def count_labels(gold: Any, pred: Any, **options: Any) -> Table:
    """Align two clusterings and count them."""
    return count(align(gold, pred, **options))


def count(pair: Pair) -> Table:
    """The Table of an aligned pair."""
    return count_with_cells(pair)[0]


def count_with_cells(pair: Pair, *, cells: bool = False) -> tuple[Table, Ints | None]:
    """The Table, and with ``cells`` the cell of every element."""
    gold, pred = _narrow(pair.gold), _narrow(pair.pred)
    if pair.documents is None:
        return _count_together(gold, pred, pair, cells)
    return _count_apart(gold, pred, pair, cells)


def _narrow(side: Side) -> Side:
    """Codes of two sides must fit one 63-bit key; codes with that many gaps are closed up first."""
    if bits_for(side.size) <= 31:
        return side
    everything = np.concatenate([side.codes, side.only]).astype(np.uint64)
    found = distinct(everything, bits_for(side.size), codes=True)
    assert found.codes is not None
    known = len(side.names)
    old = found.keys.tolist()
    names = [side.names[code] if code < known else None for code in old]
    codes, only = np.split(found.codes, [len(side.codes)])
    return side._replace(codes=codes, only=only, size=len(old), names=names, null=None)


def _count_together(gold: Side, pred: Side, pair: Pair, cells: bool) -> tuple[Table, Ints | None]:
    gold_cell, pred_cell, n, weight, cell = _cells(gold.codes, gold.size, pred.codes, pred.size, pair.weights, cells)
    gold_cell, gold_size, gold_code = _sizes(gold, gold_cell, n)
    pred_cell, pred_size, pred_code = _sizes(pred, pred_cell, n)
    table = Table(
        gold_cell, pred_cell, n, gold_size, pred_size,
        gold_names=_namer(gold.names, gold_code), pred_names=_namer(pred.names, pred_code),
        weight=weight, one_sided=(len(gold.only), len(pred.only)), policy=pair.policy,
    )  # fmt: skip
    return table, cell


def _cells(
    gold: Array, gold_size: int, pred: Array, pred_size: int, weights: Array | None, cells: bool
) -> tuple[Array, Array, Array, Array | None, Ints | None]:
    width = bits_for(pred_size)
    keys, bits = pack([(gold, gold_size), (pred, pred_size)])
    found = distinct(keys, bits, codes=cells or weights is not None)
    del keys
    weight = None if weights is None else np.bincount(found.codes, weights, len(found.keys))  # type: ignore[arg-type]
    small = np.int64 if max(gold_size, pred_size) > 2**31 else np.int32
    gold_cell = (found.keys >> np.uint64(width)).astype(small)
    pred_cell = (found.keys & np.uint64((1 << width) - 1)).astype(small)
    return gold_cell, pred_cell, found.counts, weight, found.codes


def _sizes(side: Side, cell: Array, n: Array) -> tuple[Array, Array, Ints | None]:
    """Cluster sizes, with unused codes closed up; the codes that were used, where not all were."""
    if 2 * len(cell) < len(side.codes):
        sizes = np.bincount(cell, n, side.size).astype(np.int64)
    else:
        sizes = np.bincount(side.codes, minlength=side.size)
    if len(side.only):
        sizes = sizes + np.bincount(side.only, minlength=side.size)
    if sizes.all():
        return cell, sizes, None
    used = np.flatnonzero(sizes > 0)
    rank = np.zeros(side.size, np.int32)
    rank[used] = np.arange(len(used))
    return rank[cell], sizes[used], used


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
        gold_names=_namer(gold.names, gold_code), pred_names=_namer(pred.names, pred_code),
        gold_document=gold_document, pred_document=pred_document, documents=names,
        weight=weight, one_sided=(len(gold.only), len(pred.only)), policy=pair.policy,
    )  # fmt: skip
    return table, cell


def _used_documents(everywhere: list[Array | None], names: Sequence[Any] | Array) -> tuple[list[Array], int, list[Any]]:
    parts = [part if part is not None else np.zeros(0, np.int64) for part in everywhere]
    present = np.bincount(np.concatenate(parts).astype(np.int64), minlength=len(names)) > 0
    used = np.flatnonzero(present)
    kept = [names[code] for code in used.tolist()]
    if len(used) < len(present):
        rank = np.cumsum(present) - 1
        parts = [rank[part] for part in parts]
    return parts, len(used), kept


def _clusters(side: Side, here: Array, only: Array, documents: int) -> tuple[Array, Array, Array, Ints]:
    """Number the clusters across documents: codes of the common elements, sizes, documents, and label codes."""
    everyone = np.concatenate([side.codes, side.only]) if len(side.only) else side.codes
    where = np.concatenate([here, only]) if len(side.only) else here
    width = bits_for(side.size)
    keys, bits = pack([(where, documents), (everyone, side.size)])
    found = distinct(keys, bits, codes=True)
    assert found.codes is not None
    document = (found.keys >> np.uint64(width)).astype(np.int64)
    code = (found.keys & np.uint64((1 << width) - 1)).view(np.int64)
    return found.codes[: len(side.codes)], found.counts, document, code


def _namer(names: Sequence[Any] | Array, codes: Ints | None) -> Callable[[int], Any]:
    """From a cluster's number to what the user calls it; None for an element that a policy left alone."""

    def name(cluster: int) -> Any:
        code = cluster if codes is None else int(codes[cluster])
        value = names[code] if code < len(names) else None
        return value.item() if isinstance(value, np.generic) else value

    return name
