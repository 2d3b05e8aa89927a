"""BLANC, the Rand index for coreference."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from clusterscore.count.sums import Floats, Total, divide
from clusterscore.count.table import Table
from clusterscore.distinct import Array
from clusterscore.metrics.links import all_pairs, exact_columns, exact_numbers
from clusterscore.metrics.metric import Metric, Values, columns, number, word
from clusterscore.metrics.registry import register


@register
@dataclass(frozen=True)
class Blanc(Metric):
    """BLANC: linked and unlinked pairs weigh the same, however few or many there are of either.

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
        Singletons are many and must count, as in coreference with gold mentions. Not symmetric: a gold of one kind of
        link only switches the other side off (dialect="luo2014" switches it off only if both sides lack it).

    Options:
        weight: share of the coreferent side (default 0.5); without effect where only one side is used.
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
    """

    weight: float = 0.5
    dialect: str = "reference"
    links: str = "all"

    name = "blanc"
    one_sided = True
    paired = 18

    def __post_init__(self) -> None:
        object.__setattr__(self, "weight", number(self.name, "weight", self.weight, 0, 1))
        word(self.name, "dialect", self.dialect, ("reference", "luo2014"))
        word(self.name, "links", self.links, ("all", "document"))

    @property
    def parameters(self) -> dict[str, Any]:
        known = super().parameters
        if self.links == "all":
            del known["links"]
        return known

    def parts(self, table: Table) -> Floats:
        counts = [table.pairs(side) for side in ("cell", "gold", "pred", "gold common", "pred common")]
        inside = self.links == "document"
        bases = [table.pair_base(side, inside) for side in ("gold", "pred", "common")]
        elements, counted = [base[0] for base in bases], bases[-1][1]
        sides = [all_pairs(each) for each in elements] if inside else elements
        return columns(*exact_columns(*counts, *sides, counted), *elements)

    def pooled_parts(self, table: Table) -> Floats:
        if self.links == "all":
            return super().pooled_parts(table)
        total = Total(self.paired + 3)
        total.add(self.parts(table))
        return total.row(self.paired)

    def finish(self, parts: Floats) -> Values:
        rc, gold_c, pred_c, gold_inside, pred_inside = exact_numbers(parts[:, :10])
        *sides, counted = exact_numbers(parts[:, 10:18])
        gold_all, pred_all, common = (all_pairs(each, counted) for each in sides) if self.links == "all" else sides
        gold_u, pred_u = gold_all - gold_c, pred_all - pred_c
        rn = common - gold_inside - pred_inside + rc
        coreferent, unlinked = _prf(rc, gold_c, pred_c), _prf(rn, gold_u, pred_u)
        if self.dialect == "reference":
            no_c, no_u = gold_c == 0, gold_u == 0
        else:
            no_c, no_u = (gold_c == 0) & (pred_c == 0), (gold_u == 0) & (pred_u == 0)
        # one element has no links at all: right if it is there on both sides
        alone = np.where((parts[:, 18:] == 1).all(axis=1) & (self.links == "all"), 1.0, 0.0)
        mixed = [
            np.where(no_c & no_u, alone, np.where(no_c, u, np.where(no_u, c, self.weight * c + (1 - self.weight) * u)))
            for c, u in zip(coreferent, unlinked, strict=True)
        ]
        if self.links == "all":
            return Values(mixed[2], mixed[0], mixed[1])
        links = {"linked_right": rc, "linked_gold": gold_c, "linked_pred": pred_c,
                 "unlinked_right": rn, "unlinked_gold": gold_u, "unlinked_pred": pred_u}  # fmt: skip
        counts = {name: np.asarray(column, np.float64) for name, column in links.items()}
        return Values(mixed[2], mixed[0], mixed[1], counts)


def _prf(right: Array, gold: Array, pred: Array) -> tuple[Floats, Floats, Floats]:
    return divide(right, pred, 0.0), divide(right, gold, 0.0), divide(2 * right, gold + pred, 0.0)
