"""CEAFm, the mention-based alignment measure."""

from clusterscore.metrics.alignment import aligned
from clusterscore.metrics.mention_scores import CoreferenceMetric, mentions, same_right
from clusterscore.metrics.metric import Parts, Table, register


@register
class CeafM(CoreferenceMetric):
    """CEAFm: the mentions that are in the right entity in the best one-to-one alignment of entities.

    Formula:
        R = max over one-to-one alignments of the sum of n / gold mentions, P = the same / predicted mentions
        0/0 is 0, F = 2*P*R/(P+R)

    Range:
        0 to 1.

    Use it when:
        Each predicted entity should correspond to one gold entity, and all mentions have the same weight.

    Reference:
        Luo 2005, On coreference resolution performance metrics, HLT-EMNLP.

    Example:
        >>> import clusterscore as cs
        >>> cs.ceafm([{"a", "b", "c"}, {"d"}], [{"a", "b"}, {"c", "d"}]).f
        0.75
    """

    name = "ceafm"
    needs = frozenset({("cells",)})
    overlaps = True

    def counted(self, table: Table) -> Parts:
        return same_right(aligned(table, table.n), **mentions(table))
