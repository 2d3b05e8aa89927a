"""The CoNLL score of coreference."""

from clusterscore.metrics.b3 import B3
from clusterscore.metrics.ceafe import CeafE
from clusterscore.metrics.metric import Array, Metric, Parts, Table, Values, register
from clusterscore.metrics.muc import Muc

_THREE: tuple[Metric, ...] = (Muc(), B3(), CeafE())


@register
class Conll(Metric):
    """CoNLL score: the mean F of MUC, B3 and CEAFe.

    Formula:
        (F(muc) + F(b3) + F(ceafe)) / 3, each F of all documents together

    Range:
        0 to 1; at most 2/3 if no cluster has two mentions, because MUC is then 0.

    Use it when:
        You compare with published coreference systems; papers rank by this number.

    Reference:
        Pradhan, Moschitti, Xue, Uryupina & Zhang 2012, CoNLL-2012 shared task: Modeling multilingual unrestricted
        coreference in OntoNotes; counts as in the reference scorer v8.01.

    Example:
        >>> import clusterscore as cs
        >>> round(cs.conll([{"a", "b", "c"}, {"d"}], [{"a", "b"}, {"c", "d"}]).value, 4)
        0.6464
    """

    name = "conll"
    group = "coreference"
    needs = frozenset({("cells",)})
    one_sided = True
    default_missing = "keep"
    symmetric = True
    perfect = None  # MUC is 0 for singletons

    def parts(self, table: Table) -> Parts:
        return {f"{metric.name}_{name}": column for metric in _THREE for name, column in metric.parts(table).items()}

    def finish(self, **parts: Array) -> Values:
        values = []
        for metric in _THREE:
            own = [name for name in parts if name.startswith(f"{metric.name}_")]
            values.append(metric.finish(**{name.removeprefix(f"{metric.name}_"): parts[name] for name in own}).value)
        return Values((values[0] + values[1] + values[2]) / 3)
