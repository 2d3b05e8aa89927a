"""Background left out of a table: for most measures by a policy, and always for those of the objects of images."""

from __future__ import annotations

import numpy as np

from clusterscore.align.noise import background_codes, in_background, without_background
from clusterscore.count.cells import Cells, Clusters
from clusterscore.count.counts import Members, NotASum
from clusterscore.count.table import Table
from clusterscore.distinct import Array
from clusterscore.exceptions import InputError, warn_user
from clusterscore.messages import Option
from clusterscore.nouns import noun


def background_clusters(clusters: Clusters) -> Array:
    """Which clusters of a side are the background: those with the label 0, one in each document."""
    codes = background_codes(clusters.name.names)
    return np.isin(clusters.name.places(np.arange(len(clusters.size))), codes)


def refuse_one_sided(background: str, one_sided: tuple[int, int]) -> None:
    """Raise where elements that a side does not have are kept: they have no label there."""
    if background != "keep" and any(one_sided):
        raise InputError(
            Option("background", background),
            f" needs a label for every {noun('element')} on both sides; pass ",
            Option("missing", "drop", "singleton"),
        )


def foreground(table: Table) -> Table:
    """The table without the background, by its policy; ``whole`` is the table that was given.

    A document stays, also where nothing of it is left: an image in which there is nothing to find.
    """
    background, cells, members = table.policy.background, table.cells, table.members
    refuse_one_sided(background, table.one_sided)
    marks = background_clusters(cells.gold)[cells.of_gold], background_clusters(cells.pred)[cells.of_pred]
    dropped = in_background(background, *marks)
    keep = ~dropped
    if not keep.any():
        warn_user(
            noun("no element is left: all are background"),
            ", by ",
            Option("background", background),
            ", and only measures of objects have something to score",
        )
    gold, pred = (
        side._replace(of_cell=cell, size=np.bincount(cell, cells.n[keep], len(side.size)).astype(np.int64))
        for side, cell in ((cells.gold, cells.of_gold[keep]), (cells.pred, cells.of_pred[keep]))
    )
    noise = (
        before + int(cells.n[mark & dropped].sum()) * (background in (side, "either", "both"))
        for side, mark, before in zip(("gold", "pred"), marks, table.noise, strict=True)
    )
    if members is not None:
        stays = keep[members.cell]
        number = np.cumsum(keep) - 1
        members = Members(without_background(members.pair), number[members.cell[stays]], members.mentions)
    return Table(
        Cells(cells.n[keep], gold, pred, None if cells.weight is None else cells.weight[keep]),
        documents=table.documents,
        policy=table.policy,
        dropped=table.dropped,
        noise=(next(noise), next(noise)),
        members=members,
        field=table.field,
        whole=table,
    )


def objects(table: Table) -> Table:
    """The clusters that are no background, with all their elements; cells have those that are objects on both sides."""
    if table.unit != "documents":
        raise NotASum(noun("whole clusters of both sides"))
    if table.whole is None and table.policy.background != "keep":
        raise InputError(
            f"objects need all {noun('elements')}, and ",
            Option("background", table.policy.background),
            " has left some out of what is counted here; pass ",
            Option("background", "keep"),
            ", which measures of objects do not depend on",
        )
    cells = (table.whole or table).cells
    sides = [(side, background_clusters(side)) for side in (cells.gold, cells.pred)]
    keep = ~(sides[0][1][cells.of_gold] | sides[1][1][cells.of_pred])
    n = cells.n[keep]
    gold, pred = (
        side._replace(of_cell=cell[keep], size=np.where(mark, 0, side.size))
        for (side, mark), cell in zip(sides, (cells.of_gold, cells.of_pred), strict=True)
    )
    only = int(gold.size.sum() - n.sum()), int(pred.size.sum() - n.sum())
    return Table(Cells(n, gold, pred), documents=table.documents, one_sided=only, policy=table.policy)
