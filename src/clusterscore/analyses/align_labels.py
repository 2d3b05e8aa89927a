"""Align labels: predicted clusters under the names of the gold clusters that they match best."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from clusterscore.align.policies import Background, Missing, NoiseAs, dropped_note
from clusterscore.analyses.request import options_checked
from clusterscore.count.cells import Clusters
from clusterscore.count.counting import as_table
from clusterscore.count.sums import EXACT
from clusterscore.count.table import Table
from clusterscore.distinct import Array, Ints
from clusterscore.exceptions import InputError, InputTypeError, NotAPartition
from clusterscore.metrics.alignment import best_alignment
from clusterscore.metrics.partitions import overlap_found
from clusterscore.nouns import noun, plural
from clusterscore.read.names import Names, as_column
from clusterscore.show.columnar import Columns, LazyColumn
from clusterscore.show.description import Description
from clusterscore.show.result import Result
from clusterscore.version import __version__


@options_checked
def align_labels(
    gold: Any,
    pred: Any,
    *,
    documents: Any = None,
    missing: Missing | None = None,
    noise: Any = None,
    noise_as: NoiseAs | None = None,
    background: Background | None = None,
    match: str | None = None,
    singletons: str | None = None,
    zeros: str | None = None,
    cross_document: bool | None = None,
    uem: Any = None,
) -> AlignedLabels:
    """Rename predicted clusters to the gold clusters that they match best, one to one.

    The matching is the one of :func:`set_matching`: of all one-to-one matchings, the one with most elements in matched
    clusters. Of several equally good ones, it is one that keeps most names. A predicted cluster without a partner keeps
    its name, or gets a new one if that is the name of a gold cluster. With ``documents``, clusters are matched within
    each document. An element that ``missing`` or ``noise`` puts into a cluster of its own has no label (None).

    Options:
        gold: the clustering whose names are used, in any form.
        pred: the clustering whose clusters are renamed, in any form.

    Returns:
        The new labels in the order of the elements, and which clusters were matched.

    Raises:
        NotAPartition: clusters overlap.
        InputTypeError: a Table was passed, which does not know its elements.

    >>> import clusterscore as cs
    >>> cs.align_labels(["cat", "cat", "dog", "dog", "fox"], [2, 2, 0, 0, 0]).labels.tolist()
    ['cat', 'cat', 'dog', 'dog', 'dog']
    """
    if isinstance(gold, Table) or isinstance(pred, Table):
        raise InputTypeError(noun("a Table counts elements and does not name them; pass both sides as clusterings"))
    given = {"documents": documents, "missing": missing, "noise": noise, "noise_as": noise_as, "background": background}
    given |= {"match": match, "singletons": singletons, "zeros": zeros, "cross_document": cross_document, "uem": uem}
    table = as_table(gold, pred, members=True, **{name: value for name, value in given.items() if value is not None})
    _refuse(table)
    return AlignedLabels(table)


def _refuse(table: Table) -> None:
    """Raise where there is nothing to match one to one."""
    if table.overlapping:
        raise NotAPartition(
            overlap_found(table)[0], noun("; labels are aligned between partitions: keep each element in one cluster")
        )
    if any(table.one_sided):
        gold, pred = table.one_sided
        raise InputError(
            f"labels are aligned on the {noun('elements')} that both sides have, but {plural(gold, 'element')} only in "
            f"gold and {pred:,} only in pred are kept; pass ",
            table.policy.remedy,
        )
    if not table.n_common:
        raise InputError("gold and pred are empty: there are no labels to align")


class AlignedLabels(Result):
    """Predicted clusters under the names of gold clusters.

    ``labels`` has the new label of each element, in their order. ``matching`` has a row per predicted cluster: its old
    name (``pred``), the ``gold`` cluster that it matches (None if it matches none), its new name (``cluster``), how
    many elements both have in common (``overlap``), and their sizes. ``elements`` has a row per element, with its new
    and its old label.

    >>> import clusterscore as cs
    >>> print(cs.align_labels(["cat", "cat", "dog", "dog", "fox"], ["dog", "dog", "fox", "fox", "x"]))
    pred   gold   cluster   overlap   pred_size   gold_size
    -------------------------------------------------------
    dog    cat    cat             2           2           2
    fox    dog    dog             2           2           2
    x      fox    fox             1           1           1
    <BLANKLINE>
    matched clusters: 3 of 3; labelled as in gold: 5 of 5 elements
    missing:error|v:0.1.0
    """

    def __init__(self, table: Table):
        sides = table.cells.gold, table.cells.pred
        (gold, gold_named), (pred, pred_named) = map(_names, sides)
        chosen = _chosen(table, gold, pred, gold_named[table.gold] & pred_named[table.pred])
        partner = np.full(len(pred), -1)
        partner[table.pred[chosen]] = chosen
        matched = partner >= 0
        names = _own_names(
            pred, pred_named & ~matched & (table.pred_size > 0), gold[gold_named & (table.gold_size > 0)]
        )
        if names.dtype != gold.dtype:
            names = names.astype(object)
        names[table.pred[chosen]] = gold[table.gold[chosen]]
        self.table = table
        self.matching = _matching(
            table, (gold, pred, names), np.flatnonzero(pred_named & (table.pred_size > 0)), partner
        )
        self.elements = _elements(table, names, pred)
        self.labels: Array = self.elements["cluster"]

    @property
    def signature(self) -> str:
        """What decides the labels."""
        return f"{self.table.policy.signature}|v:{__version__}"

    def description(self) -> Description:
        """A row per predicted cluster."""
        clusters, overlap = len(self.matching), self.matching["overlap"]
        matched = int(np.count_nonzero(overlap))
        counts = (
            f"matched {noun('clusters')}: {matched:,} of {clusters:,}; "
            f"labelled as in gold: {int(overlap.sum()):,} of {plural(len(self.labels), 'element')}"
        )
        dropped = dropped_note(self.table.policy, self.table.dropped, self.table.noise)
        keys = 2 if "document" in self.matching else 1
        return replace(self.matching.description(), below=[*dropped, counts, self.signature], keys=keys)

    def _json_facts(self) -> dict[str, Any]:
        return {"signature": self.signature}


def _names(clusters: Clusters) -> tuple[Array, Array]:
    """What each cluster is called, by its number, and which have a name: an element that was left alone has none."""
    numbers = np.arange(len(clusters.size))
    named = clusters.name.places(numbers) < len(clusters.name.names)
    return clusters.name.column(np.flatnonzero(clusters.size), len(numbers)), named


def _chosen(table: Table, gold: Array, pred: Array, named: Array) -> Ints:
    """The cells whose clusters are matched: as many elements as possible, then as many equal names as possible."""
    cells = np.flatnonzero(named)
    of_gold, of_pred, weight = table.gold[cells], table.pred[cells], table.n[cells].astype(np.float64)
    shape = len(gold), len(pred)
    if table.n_common * (min(shape) + 1.0) < EXACT:  # else a name would count as much as an element
        weight = weight * (min(shape) + 1) + (gold[of_gold] == pred[of_pred])
    return cells[best_alignment(of_gold, of_pred, weight, shape)]


def _own_names(pred: Array, unmatched: Array, gold: Array) -> Array:
    """The names of predicted clusters, new ones for those without a partner that are called like a gold cluster."""
    names = pred.copy()
    if gold.dtype != object and pred.dtype != object:
        taken = np.flatnonzero(unmatched & np.isin(pred, gold))
        highest = max(int(gold.max(initial=0)), int(pred.max(initial=0)))
        if highest < 2**62:
            names[taken] = highest + 1 + np.unique(pred[taken], return_inverse=True)[1]
            return names
    here = np.flatnonzero(unmatched)
    used = {form for label in [*gold.tolist(), *pred.tolist()] for form in (label, str(label))}
    of_gold = {form for label in gold.tolist() for form in (label, str(label))}
    new: dict[Any, str] = {}
    for label in dict.fromkeys(pred[here].tolist()):
        if label in of_gold or str(label) in of_gold:
            spelled, times = f"{label} (pred)", 1
            while spelled in used:
                times += 1
                spelled = f"{label} (pred {times})"
            used.add(spelled)
            new[label] = spelled
    if new:
        names = names.astype(object)
        names[here] = as_column([new.get(label, label) for label in pred[here].tolist()])
    return names


def _matching(table: Table, names: tuple[Array, Array, Array], clusters: Ints, partner: Ints) -> Columns:
    """A row per predicted cluster, document by document, the largest overlap first."""
    gold, pred, cluster = names
    cell = partner[clusters]
    overlap = np.where(cell >= 0, table.n[cell], 0)
    document = table.cells.pred.document
    order = np.lexsort([-overlap, *([] if document is None else [document[clusters]])])
    clusters, cell, overlap = clusters[order], cell[order], overlap[order]
    matched, other = cell >= 0, table.gold[cell]
    partners = gold[other]
    if not matched.all():
        partners = partners.astype(object)
        partners[~matched] = None
    columns = {} if document is None else {"document": Names(table.documents).take(document[clusters])}
    return Columns(
        {
            **columns,
            "pred": pred[clusters],
            "gold": partners,
            "cluster": cluster[clusters],
            "overlap": overlap,
            "pred_size": table.pred_size[clusters],
            "gold_size": np.where(matched, table.gold_size[other], 0),
        }
    )


def _elements(table: Table, names: Array, pred: Array) -> Columns:
    """A row per element, in their order."""
    assert table.members is not None
    cell, pair = table.members.cell, table.members.pair
    ids, documents, cluster = pair.ids, pair.documents, table.pred[cell]
    columns: dict[str, Array | LazyColumn] = {}
    if documents is not None:
        columns["document"] = LazyColumn(documents.codes, lambda codes: Names(documents.names).take(codes))
    columns["element"] = (
        np.arange(len(cell)) if ids is None else LazyColumn(ids.codes, lambda codes: Names(ids.names).take(codes))
    )
    return Columns({**columns, "cluster": names[cluster], "pred": pred[cluster]})
