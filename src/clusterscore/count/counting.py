"""From whatever a user hands over to a Table: every public function starts here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from clusterscore.align.match import align
from clusterscore.align.policies import Pair, Side, check_options
from clusterscore.count.cells import Cells, ClusterNames, Clusters
from clusterscore.count.counts import Directions, Members
from clusterscore.count.named_clusters import mark_old, of_clusters
from clusterscore.count.objects import foreground
from clusterscore.count.table import Table
from clusterscore.distinct import Array, Decoded, distinct, stretches
from clusterscore.exceptions import InputError, InputTypeError
from clusterscore.fields import adopt, tries
from clusterscore.messages import Option
from clusterscore.nouns import noun
from clusterscore.read.arrays import stays_on_device
from clusterscore.read.guess import on_device
from clusterscore.read.label_sets import LabelSets
from clusterscore.read.labels import Labels, is_tensor, plain
from clusterscore.read.names import Names

_MOST = 2**31  # elements of a table that are made one by one


def as_table(
    gold: Any,
    pred: Any = None,
    *,
    members: bool = False,
    by: Any = None,
    old: Any = None,
    only: Any = None,
    **options: Any,
) -> Table:
    """The table of two clusterings of any kind, or the table itself that was given in their place.

    ``members`` keeps which elements the cells are made of; a table that was given may not know it. ``by`` puts each of
    them into a slice. ``old`` names gold clusters that are preferred where alignments are equal; without ``by``, their
    elements are one slice and all others are one. ``only`` names the gold clusters that are scored, and no others.
    """
    if options:
        check_options(options)
        options = {name: value for name, value in options.items() if value is not None}
    if isinstance(gold, Table) or isinstance(pred, Table):
        if not isinstance(gold, Table) or pred is not None:
            raise InputTypeError("a Table contains both sides; pass it alone, instead of gold and pred")
        for name in options:
            raise InputError(f"{name}= was decided when the Table was made; pass it to Table.from_labels")
        for name, given in (("by", by), ("old", old), ("only", only)):
            if given is not None:
                what = f"{name}= is for single elements, which a Table does not know; pass gold and pred"
                raise InputError(noun(what))
        adopt(gold.field)
        return gold
    if only is not None and (by is not None or old is not None):
        raise InputError(
            Option("only"), " and ", Option("old" if by is None else "by"), " exclude each other; pass one"
        )
    by_element = "weights" in options or members or by is not None or old is not None or only is not None
    by_element = by_element or options.get("noise_as") == "logparser"  # which leaves elements on one side
    tensors = is_tensor(gold) and is_tensor(pred) and (gold.ndim < 2 or stays_on_device(gold))
    if tensors and not by_element and not tries("boundaries"):
        from clusterscore.count.tensors import count_tensors

        pair = align(*on_device(gold, pred), **options)
        return count_tensors(pair) if is_tensor(pair.gold.codes) else count(pair)
    pair = align(gold, pred, by=by, single=by_element, **options)
    table = count(pair, members=members or by is not None or old is not None)
    if pair.timeline is not None:
        table = in_documents(table, pair.timeline.recordings)  # also those without a frame
        table.timeline = pair.timeline
    if pair.mentions is not None:
        from clusterscore.count.directions import directions_of

        table.directions = directions_of(table, pair.mentions.alignment)
    if old is not None:
        mark_old(table, old, sliced=by is None)
    return table if only is None else of_clusters(table, only)


def count(pair: Pair, *, members: bool = False) -> Table:
    """The Table of an aligned pair, all documents in one pass, without the background of images."""
    times = pair.times
    names: Sequence[Any] = (None,)
    columns = [(side.codes, side.size) for side in pair[:2]]
    apart: list[Clusters] = []
    if pair.documents is not None:
        (here, *alone), names = _used_documents(pair)
        numbered = [_apart(side, here, only, len(names), times) for side, only in zip(pair[:2], alone, strict=True)]
        columns, apart = [(codes, len(own.size)) for codes, own in numbered], [own for _, own in numbered]
    weighed = pair.weights is not None
    members = (
        members or pair.mentions is not None or type(pair.gold.names) is LabelSets or type(pair.pred.names) is LabelSets
    )  # few, and units of a comparison
    cells = distinct(*columns, codes=members or weighed, times=times)
    gold, pred = (
        apart[k]._replace(of_cell=cell) if apart else _clusters(side, cell, cells.counts)
        for k, side, cell in zip((0, 1), pair[:2], cells.columns, strict=True)
    )
    weight = np.bincount(cells.codes, pair.weights, len(cells)) if weighed else None
    table = Table(
        Cells(cells.counts, gold, pred, weight),
        documents=names,
        one_sided=(len(pair.gold.only), len(pair.pred.only)),
        policy=pair.policy,
        dropped=pair.dropped,
        noise=pair.noise,
        members=Members(pair, cells.codes, pair.mentions) if members else None,
        field=pair.field,
    )
    return table if pair.policy.background == "keep" else foreground(table)


def _clusters(side: Side, cell: Array | Decoded, n: Array) -> Clusters:
    sizes = np.bincount(side.only, minlength=side.size)
    for start, stop in stretches(len(n)):
        here = slice(start, stop)
        np.add.at(sizes, cell[here], n[here])
    names = side.names
    return Clusters(
        cell, sizes, None, ClusterNames(names.apart(np.arange(side.size)) if type(names) is LabelSets else names)
    )


def _apart(side: Side, here: Array, only: Array, documents: int, times: Array | None) -> tuple[Array, Clusters]:
    """Clusters numbered across documents, where those of different ones are different, whatever they are called."""
    codes, where = side.codes, here
    if len(side.only):
        codes, where = np.concatenate([codes, side.only]), np.concatenate([where, only])
    clusters = distinct((where, documents), (codes, side.size), codes=True, times=times)
    where, code = clusters.column(0), clusters.column(1)
    names = (
        ClusterNames(side.names.apart(code, where)) if type(side.names) is LabelSets else ClusterNames(side.names, code)
    )
    return clusters.codes[: len(side.codes)], Clusters(clusters.codes[:0], clusters.counts, where, names)


def _used_documents(pair: Pair) -> tuple[list[Array], Sequence[Any]]:
    """The documents of the elements on both sides and on either, numbered without gaps; and their names."""
    assert pair.documents is not None
    names = pair.documents.names
    alone = (side.only_documents for side in pair[:2])
    parts = [pair.documents.codes, *(np.zeros(0, np.int64) if part is None else part for part in alone)]
    present = np.zeros(len(names), np.bool_)
    for part in parts:
        present[part] = True
    used = np.flatnonzero(present)
    if len(used) < len(present):
        rank = np.cumsum(present) - 1
        return [rank[part] for part in parts], [plain(names[code]) for code in used.tolist()]
    return parts, names if isinstance(names, range) else [plain(name) for name in names]


def expand(table: Table) -> Pair:
    """A pair that gives this table when it is counted: every cell as many elements as it counts, in no order."""
    if table.weight is not None:
        raise InputError(
            noun(
                "baselines need the weights of single elements, but a Table has those of cells only; pass gold and pred"
            )
        )
    if table.elements > _MOST:
        raise InputError(
            f"{table.elements:,} single {noun('elements')} do not fit into memory; baselines need a smaller Table"
        )
    gold, pred = (
        _expanded(table.gold, table.n, table.cells.gold),
        _expanded(table.pred, table.n, table.cells.pred),
    )
    documents = None
    if table.cells.gold.document is not None:
        documents = Labels(table.cells.gold.document[gold.codes], table.documents)
    return Pair(gold, pred, documents, None, None, table.policy)


def _expanded(cluster: Array, n: Array, clusters: Clusters) -> Side:
    sizes, document, (names, codes) = clusters.size, clusters.document, clusters.name
    lacking = np.array(sizes, np.int64)
    np.subtract.at(lacking, cluster, n)
    only = np.repeat(np.arange(len(sizes)), lacking)
    only_documents = None if document is None else document[only]
    if codes is not None and type(names) is not LabelSets:
        names = Names(names).take(codes)  # of the clusters of different documents several have the same
    return Side(np.repeat(cluster, n), len(sizes), names, None, only, only_documents)


def with_absent(pair: Pair) -> Pair:
    """All elements of both sides; each side has one cluster more, for those that it does not have."""
    gold, pred = pair[:2]
    ids, documents = pair.ids, pair.documents
    if ids is not None:
        more = [side.only_ids.codes for side in (gold, pred) if side.only_ids is not None]
        ids = replace(ids, codes=np.concatenate([ids.codes, *more]))
    if documents is not None:
        more = [side.only_documents for side in (gold, pred) if side.only_documents is not None]
        documents = replace(documents, codes=np.concatenate([documents.codes, *more]))
    absent = np.full(len(pred.only), gold.size), np.full(len(gold.only), pred.size)
    parts = [gold.codes, gold.only, absent[0]], [pred.codes, absent[1], pred.only]
    sides = [
        side._replace(codes=np.concatenate(codes), size=side.size + 1, only=side.only[:0])
        for side, codes in zip((gold, pred), parts, strict=True)
    ]
    return Pair(sides[0], sides[1], documents, None, ids, pair.policy)


def with_one_sided(table: Table) -> Table:
    """A table whose cells hold all elements: where a side does not have them, they lie in a cluster of size 0.

    Mentions stand in the order of their documents.
    """
    known, mentions = table.members, table.mentions
    if not any(table.one_sided) and mentions is None:
        return table
    pair = with_absent(expand(table) if known is None else known.pair)
    if mentions is not None and pair.ids is not None:
        order = mentions.order(np.asarray(pair.ids[:], np.int64))
        gold, pred = (side._replace(codes=side.codes[order]) for side in pair[:2])
        documents = None if pair.documents is None else pair.documents.take(order)
        pair = pair._replace(gold=gold, pred=pred, ids=pair.ids.take(order), documents=documents)
    counted = count(pair, members=known is not None)
    sides = []
    for side, given in zip(("gold", "pred"), pair[:2], strict=True):
        clusters, own = counted.cells.side(side), table.cells.side(side)
        place = clusters.name.places(np.arange(len(clusters.size)))
        if known is None:  # there a label is the number of a cluster
            numbers = np.append(own.name.places(np.arange(given.size - 1)), len(own.name.names))
            clusters = clusters._replace(name=ClusterNames(own.name.names, numbers[place]))
        sides.append(clusters._replace(size=np.where(place == given.size - 1, 0, clusters.size)))
    members = None if counted.members is None else counted.members._replace(mentions=mentions)
    made = Table(
        Cells(counted.n, sides[0], sides[1]),
        documents=counted.documents,
        policy=table.policy,
        dropped=table.dropped,
        noise=table.noise,
        members=members,
        field=table.field,
    )
    return in_documents(made, table.documents)


def in_documents(table: Table, names: Sequence[Any]) -> Table:
    """The same table with these documents, its own and others that have no elements."""
    if list(table.documents) == list(names):
        return table
    place = {name: k for k, name in enumerate(names)}
    number = np.array([place[name] for name in table.documents], np.int64)
    sides = (table.cells.side(side) for side in ("gold", "pred"))
    gold, pred = (own._replace(document=None if own.document is None else number[own.document]) for own in sides)
    return Table(
        Cells(table.n, gold, pred, table.weight),
        documents=names,
        one_sided=table.one_sided,
        policy=table.policy,
        dropped=table.dropped,
        noise=table.noise,
        members=table.members,
        field=table.field,
        directions=None
        if table.directions is None
        else Directions(*(in_documents(t, names) for t in table.directions)),
        timeline=table.timeline,
    )
