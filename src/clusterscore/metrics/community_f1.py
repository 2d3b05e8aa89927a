"""The best-match F1 of communities, for clusterings that overlap."""

from __future__ import annotations

import numpy as np

from clusterscore.metrics.metric import Array, Metric, Parts, Table, Values, divide, register
from clusterscore.overlap import cover_of


@register
class CommunityF1(Metric):
    """Best-match F1 of communities: how well each cluster fits its best partner on the other side.

    Formula:
        (G + P) / 2
        G = mean over gold clusters c of max over predicted clusters d of 2*|c & d|/(|c|+|d|), P the mirror image

    Range:
        Above 0 to 1; 1 only for clusterings with the same clusters, of which some may be there several times. The score
        has ``gold_f1`` (G: how well the gold clusters are found) and ``pred_f1`` (P).

    Use it when:
        You compare communities, and a small one matters as much as a large one. Several clusters can have the same
        partner; matched_elm does not allow that for an element.

    Reference:
        Yang & Leskovec 2013, Overlapping community detection at scale: a nonnegative matrix factorization approach,
        WSDM.

    Example:
        >>> import clusterscore as cs
        >>> round(cs.community_f1([["a", "b", "c"], ["c", "d"]], [["a", "b"], ["c", "d"]]).value, 4)
        0.9
    """

    name = "community_f1"
    group = "overlapping"
    needs = frozenset({("cells",)})
    symmetric = True
    overlapping = True
    one_sided = True

    def parts(self, table: Table) -> Parts:
        cover = cover_of(table)
        pairs = cover.overlaps()
        f = 2 * pairs.n / (cover.gold.size[pairs.gold] + cover.pred.size[pairs.pred])
        parts: dict[str, Array] = {}
        for name, side, cluster in (("gold", cover.gold, pairs.gold), ("pred", cover.pred, pairs.pred)):
            best = np.zeros(len(side.size))
            np.maximum.at(best, cluster, f)
            document = side.document(table, name)
            parts[f"{name}_f1"] = table.add(best, document)
            parts[f"{name}_clusters"] = table.add(side.size > 0, document)
        return parts

    def finish(self, gold_f1: Array, gold_clusters: Array, pred_f1: Array, pred_clusters: Array) -> Values:
        none = (gold_clusters == 0) & (pred_clusters == 0)  # no cluster on either side: they are the same
        gold, pred = divide(gold_f1, gold_clusters, none), divide(pred_f1, pred_clusters, none)
        return Values((gold + pred) / 2, extras={"gold_f1": gold, "pred_f1": pred})
