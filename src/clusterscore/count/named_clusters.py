"""Gold clusters that a user names: those to score, and those that are old classes."""

from __future__ import annotations

from typing import Any

import numpy as np

from clusterscore.align.noise import refuse_misspelt
from clusterscore.count.cells import Cells
from clusterscore.count.table import Table
from clusterscore.distinct import Array
from clusterscore.exceptions import InputError, InputTypeError, warn_user
from clusterscore.messages import Given, Message, Option
from clusterscore.nouns import noun, plural
from clusterscore.read.arrays import members_of
from clusterscore.read.labels import Labels, moment
from clusterscore.read.names import Names


def of_clusters(table: Table, only: Any) -> Table:
    """The same table with some gold clusters only, and the predicted ones that touch them, with all their elements.

    A label that gold does not have is a cluster that was not found.
    """
    chosen, absent = _named(table, only, "only")
    gold, pred, touched = table.cells.gold, table.cells.pred, np.zeros(len(table.pred_size), np.bool_)
    if absent:
        if not chosen.any() or len(table.documents) > 1:
            raise InputError(_absent("only", absent), "; leave them out")
        warn_user(_absent("only", absent), "; they count as not found")
    here = chosen[table.gold]
    touched[table.pred[here]] = True
    gold = gold._replace(of_cell=table.gold[here], size=np.where(chosen, gold.size, 0))
    pred = pred._replace(of_cell=table.pred[here], size=np.where(touched, pred.size, 0))
    common, documents = int(table.n[here].sum()), table.documents
    if gold.document is not None and pred.document is not None:  # those without any of the clusters have no score
        used, place = np.unique(gold.document[chosen]), np.zeros(len(documents), np.int64)
        place[used] = np.arange(len(used))
        documents = [documents[document] for document in used.tolist()]
        gold, pred = gold._replace(document=place[gold.document]), pred._replace(document=place[pred.document])
    return Table(
        Cells(table.n[here], gold, pred, None if table.weight is None else table.weight[here]),
        documents=documents,
        one_sided=(int(gold.size.sum()) - common, int(pred.size.sum()) - common),
        policy=table.policy.read_with({"only": "given"}, {"only": "given"}),
        dropped=table.dropped,
        noise=table.noise,
        field=table.field,
        absent=len(absent),
    )


def mark_old(table: Table, old: Any, sliced: bool) -> None:
    """Remember which gold clusters are old classes; with ``sliced``, old and new elements are the slices."""
    marked, absent = _named(table, old, "old")
    if absent and not marked.any():
        warn_user(_absent("old", absent), ": all of them are new")
    table.cells.gold = table.cells.gold._replace(old=marked)
    table.policy = table.policy.read_with({"old": "given"}, {"old": "given"})
    assert table.members is not None
    pair = table.members.pair._replace(policy=table.policy)
    if sliced:
        pair = pair._replace(groups=Labels(marked[table.gold][table.members.cell].astype(np.int64), ["new", "old"]))
    table.members = table.members._replace(pair=pair)


def _named(table: Table, given: Any, option: str) -> tuple[Array, list[Any]]:
    """Which gold clusters an option lists by their labels, in whatever document; and the labels that none has."""
    members = members_of(given)
    try:
        labels = list(dict.fromkeys(members or ()))
    except TypeError:  # what cannot be a label
        members, labels = None, []
    if members is None or (option == "only" and not labels):
        raise InputTypeError(Given(option, given), f" must be a list with labels of gold {noun('clusters')}")
    if table.overlapping:
        raise InputError(Option(option), noun(" is for clusters that do not overlap; leave it out"))
    if table.mentions is not None:
        raise InputError(Option(option), " is not for coreference; leave it out")
    clusters = table.cells.gold
    names = Names(clusters.name.names)
    codes = names.find(labels)
    if not codes:
        refuse_misspelt(labels, lambda label: bool(names.find([label])), option)
    places = clusters.name.places(np.arange(len(clusters.size)))
    chosen = np.isin(places, codes) & (clusters.size > 0)
    labels_there = [clusters.name(cluster) for cluster in np.flatnonzero(chosen).tolist()]
    if (
        labels
        and isinstance(labels[0], bool | np.bool_)
        and not any(isinstance(name, bool | np.bool_) for name in labels_there)
    ):
        raise InputTypeError(Option(option), noun(" is a mask; list the labels of gold clusters: set(labels[mask])"))
    known = set(map(moment, labels_there))
    return chosen, [label for label in labels if moment(label) not in known]


def _absent(option: str, labels: list[Any]) -> Message:
    counts = plural(len(labels), "cluster")
    return Message(Option(option), f" names {counts} that gold does not have (e.g. {labels[0]!r})")
