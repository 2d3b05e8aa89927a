"""Normalized mutual information of clusterings that overlap."""

from __future__ import annotations

from typing import Literal

import numpy as np

from clusterscore.metrics.metric import Array, Metric, Parts, Table, Values, divide, register
from clusterscore.overlap import entropies


@register
class OverlappingNmi(Metric):
    """Normalized mutual information of overlapping clusterings: how well their clusters predict each other.

    Formula:
        H(c) is the entropy of belonging to cluster c or not; H(c | pred) the least that a predicted cluster d leaves
        open of it, H(c, d) - H(d), over those with h(both) + h(neither) >= h(c alone) + h(d alone), and H(c) if there
        is none; h(x) = -x/N * log(x/N)
        normalization="max": (H(gold) - H(gold | pred) + H(pred) - H(pred | gold)) / 2 / max(H(gold), H(pred)), with
            sums over clusters
        normalization="lancichinetti": 1 - (G + P) / 2, G = mean over gold clusters of H(c | pred)/H(c), P mirrored

    Range:
        0 to 1; 1 for two equal clusterings. On partitions it is not nmi.

    Use it when:
        You compare overlapping communities, and others report it (LFR benchmarks). The older normalization rewards
        clusters that match by chance; McDaid et al. show by how much.

    Options:
        normalization: "max" (default, McDaid et al. 2011) or "lancichinetti" (2009).

    Reference:
        McDaid, Greene & Hurley 2011, Normalized mutual information to evaluate overlapping community finding
        algorithms, arXiv:1110.2515; Lancichinetti, Fortunato & Kertész 2009, Detecting the overlapping and hierarchical
        community structure in complex networks, New Journal of Physics 11:033015.

    Example:
        >>> import clusterscore as cs
        >>> round(cs.overlapping_nmi([["a", "b", "c"], ["c", "d"]], [["a", "b"], ["c", "d"]]).value, 4)
        0.6556
    """

    normalization: Literal["max", "lancichinetti"] = "max"

    name = "overlapping_nmi"
    group = "overlapping"
    aliases = ("onmi",)
    needs = frozenset({("cells",)})
    symmetric = True
    overlapping = True
    one_sided = True

    def parts(self, table: Table) -> Parts:
        parts: dict[str, Array] = {}
        for name, side in zip(("gold", "pred"), entropies(table), strict=True):
            # a cluster of all elements has no entropy: it is known where the other side has it too
            share = divide(side.shared, side.shared + side.given, np.where(side.matched, 1.0, 0.0))
            columns = {"shared": side.shared, "given": side.given, "share": share, "clusters": side.used}
            parts |= {f"{name}_{key}": table.add(column, side.document) for key, column in columns.items()}
        return parts

    def finish(self, **parts: Array) -> Values:
        shared, given, share, clusters = (
            [parts[f"{side}_{key}"] for side in ("gold", "pred")] for key in ("shared", "given", "share", "clusters")
        )
        if self.normalization == "lancichinetti":
            none = (clusters[0] == 0) & (clusters[1] == 0)  # no cluster on either side: they are the same
            gold, pred = (divide(total, number, none) for total, number in zip(share, clusters, strict=True))
            return Values((gold + pred) / 2)
        most = np.maximum(shared[0] + given[0], shared[1] + given[1])
        # without any entropy all clusters hold all elements, and are as many on both sides, or not
        return Values(divide((shared[0] + shared[1]) / 2, most, np.where(clusters[0] == clusters[1], 1.0, 0.0)))
