"""BLANC, the Rand index for coreference."""

from __future__ import annotations

from typing import ClassVar, Literal

import numpy as np

from clusterscore.metrics.metric import (
    Array,
    Floats,
    Limits,
    Metric,
    Parts,
    Sums,
    Table,
    Values,
    add_rows,
    divide,
    register,
)
from clusterscore.metrics.pair_metric import all_pairs


@register
class Blanc(Metric):
    """BLANC: linked and unlinked pairs have the same weight, however few there are of either.

    Formula:
        rc, wc = right and wrong coreferent links; rn, wn = right and wrong non-coreferent links
        P_c = rc/(rc+wc)   R_c = rc/(rc+wn)   P_n = rn/(rn+wn)   R_n = rn/(rn+wc)
        BLANC = weight*F_c + (1-weight)*F_n, and so for P and R

    Boundary cases:
        Gold in one cluster: the coreferent side alone. Gold all singletons: the non-coreferent side alone.
        Identical: 1, one element included. A side without a right link: 0.

    Range:
        0 to 1.

    Use it when:
        There are many singletons and they must count, as in coreference with gold mentions. Not symmetric: if gold has
        only one kind of link, the other kind is ignored (with dialect="luo2014", only if neither side has it).

    Options:
        weight: share of the coreferent side (default 0.5); without effect if only one side is used.
        dialect: "reference" (default; as the reference coreference scorer) or "luo2014".
        links: "all" (default) counts two elements of different documents as unlinked, "document" only looks at pairs
            inside a document, as coreference scorers do; there a single mention has no link, and scores 0.

    Reference:
        Recasens & Hovy 2010, BLANC: Implementing the Rand index for coreference evaluation, Natural Language
        Engineering 17(4); Luo, Pradhan, Recasens & Hovy 2014, An extension of BLANC to system mentions, ACL.

    Example:
        >>> import clusterscore as cs
        >>> cs.blanc([0, 0, 1, 1, 1], [0, 0, 0, 1, 1]).f
        0.5833333333333333
        >>> gold, singletons = [0, 0, 1, 2], [0, 1, 2, 3]    # most pairs are apart, and that is all that is right
        >>> round(cs.blanc(gold, singletons).f, 4), round(cs.rand(gold, singletons).value, 4)
        (0.4545, 0.8333)
    """

    weight: float = 0.5
    dialect: Literal["reference", "luo2014"] = "reference"
    links: Literal["all", "document"] = "all"

    name = "blanc"
    group = "pairs"
    limits: ClassVar[Limits] = {"weight": (0, 1)}
    one_sided = True
    unsaid: ClassVar = {"links": "all"}
    ignored: ClassVar = {"weight": {0.0: "links", 1.0: "pairs without a link"}}

    def parts(self, table: Sums) -> Parts:
        directions = getattr(table, "directions", None)
        if directions is not None:  # of coreference that is no partition: what the key's mentions are in the response
            table = directions.recall
        parts = {"together": table.pairs("cell")}
        for side in ("gold", "pred", "gold common", "pred common"):
            parts[side.replace(" ", "_")] = table.pairs(side)
        for side in ("gold", "pred", "common"):
            elements, pairs = table.pair_base(side, self.links == "document").values()
            if self.links == "document":  # pairs are counted document by document, and added up
                elements, pairs = np.zeros(len(elements)), all_pairs(elements, pairs)
            parts |= {f"{side}_elements": elements, f"{side}_pairs": pairs}
        return parts

    def pooled_parts(self, table: Table) -> Parts:
        return super().pooled_parts(table) if self.links == "all" else add_rows(self.parts(table))

    def finish(
        self, together: Array, gold: Array, pred: Array, gold_common: Array, pred_common: Array, **bases: Array
    ) -> Values:
        elements = [bases[f"{side}_elements"] for side in ("gold", "pred", "common")]
        others = [bases[f"{side}_pairs"] for side in ("gold", "pred", "common")]
        gold_pairs, pred_pairs, common_pairs = map(all_pairs, elements, others)
        gold_u, pred_u = gold_pairs - gold, pred_pairs - pred
        rn = common_pairs - gold_common - pred_common + together
        coreferent, unlinked = _prf(together, gold, pred), _prf(rn, gold_u, pred_u)
        if self.dialect == "reference":
            no_c, no_u = gold == 0, gold_u == 0
        else:
            no_c, no_u = (gold == 0) & (pred == 0), (gold_u == 0) & (pred_u == 0)
        # one element has no links at all: right if it is there on both sides
        alone = np.where(np.all([count == 1 for count in elements], axis=0), 1.0, 0.0)
        precision, recall, f = (
            np.where(no_c & no_u, alone, np.where(no_c, u, np.where(no_u, c, self.weight * c + (1 - self.weight) * u)))
            for c, u in zip(coreferent, unlinked, strict=True)
        )
        if self.links == "all":
            return Values(f, precision, recall)
        counts = {"linked_right": together, "linked_gold": gold, "linked_pred": pred}
        counts |= {"unlinked_right": rn, "unlinked_gold": gold_u, "unlinked_pred": pred_u}
        return Values(f, precision, recall, {name: np.asarray(count, np.float64) for name, count in counts.items()})


def _prf(right: Array, gold: Array, pred: Array) -> tuple[Floats, Floats, Floats]:
    return divide(right, pred, 0.0), divide(right, gold, 0.0), divide(2 * right, gold + pred, 0.0)
