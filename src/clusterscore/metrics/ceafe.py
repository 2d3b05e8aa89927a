"""CEAFe, the entity-based alignment measure."""

from clusterscore.metrics.alignment import aligned
from clusterscore.metrics.mention_scores import CoreferenceMetric, same_right
from clusterscore.metrics.metric import Parts, Table, register


@register
class CeafE(CoreferenceMetric):
    """CEAFe: how similar entities are in the best one-to-one alignment; every entity has the same weight.

    Formula:
        R = max over one-to-one alignments of the sum of 2*n/(a+b) / gold entities
        P = the same / predicted entities
        0/0 is 0, F = 2*P*R/(P+R)

    Range:
        0 to 1.

    Use it when:
        You report the CoNLL score; CEAFe is one of its three parts. A small entity counts as much as a large one.

    Reference:
        Luo 2005, On coreference resolution performance metrics, HLT-EMNLP.

    Example:
        >>> import clusterscore as cs
        >>> round(cs.ceafe([{"a", "b", "c"}, {"d"}], [{"a", "b"}, {"c", "d"}]).f, 4)
        0.7333
    """

    name = "ceafe"
    needs = frozenset({("cells",)})
    overlaps = True

    def counted(self, table: Table) -> Parts:
        alike = 2 * table.n / (table.a + table.b)
        return same_right(aligned(table, alike), table.clusters("gold"), table.clusters("pred"))
