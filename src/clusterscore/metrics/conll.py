"""The CoNLL score of coreference."""

from __future__ import annotations

from dataclasses import dataclass

from clusterscore.count.table import Table
from clusterscore.distinct import Array
from clusterscore.metrics.b3 import B3
from clusterscore.metrics.ceafe import CeafE
from clusterscore.metrics.metric import Metric, Parts, Values
from clusterscore.metrics.muc import Muc
from clusterscore.metrics.registry import register

_THREE: tuple[Metric, ...] = (Muc(), B3(), CeafE())


@register
@dataclass(frozen=True)
class Conll(Metric):
    """CoNLL score: the mean of the F of MUC, B3 and CEAFe.

    Formula:
        (F(muc) + F(b3) + F(ceafe)) / 3, each F of all documents together

    Range:
        0 to 1; at most 2/3 where no cluster has two mentions, since MUC is 0 there.

    Use it when:
        You compare with published coreference systems: this is the number that papers rank by.

    Reference:
        Pradhan, Moschitti, Xue, Uryupina & Zhang 2012, CoNLL-2012 shared task: Modeling multilingual unrestricted
        coreference in OntoNotes; counts as in the reference scorer v8.01.

    Example:
        >>> import clusterscore as cs
        >>> round(cs.conll([{"a", "b", "c"}, {"d"}], [{"a", "b"}, {"c", "d"}]).value, 4)
        0.6464
    """

    name = "conll"
    needs = frozenset({("cells",)})
    one_sided = True
    usual_missing = "keep"
    symmetric = True
    perfect = None  # MUC is 0 for singletons

    def parts(self, table: Table) -> Parts:
        return {f"{one.name}_{name}": column for one in _THREE for name, column in one.parts(table).items()}

    def finish(self, **parts: Array) -> Values:
        muc, b3, ceafe = (
            one.finish(**{
                name.removeprefix(f"{one.name}_"): column
                for name, column in parts.items() if name.startswith(f"{one.name}_")
            }).value
            for one in _THREE
        )  # fmt: skip
        return Values((muc + b3 + ceafe) / 3)
