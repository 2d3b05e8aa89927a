"""Mention detection."""

from __future__ import annotations

from dataclasses import dataclass

from clusterscore.count.table import Table
from clusterscore.metrics.coreference import CoreferenceMetric, mentions, same_right
from clusterscore.metrics.metric import Parts
from clusterscore.metrics.registry import register


@register
@dataclass(frozen=True)
class MentionDetection(CoreferenceMetric):
    """Mention detection: which mentions were found at all, whatever their entity.

    Formula:
        R = common mentions / gold mentions, P = common mentions / predicted mentions
        0/0 is 0, F = 2*P*R/(P+R)

    Range:
        0 to 1; 1 where both sides have the same mentions.

    Use it when:
        You want to know whether entities are wrong, or mentions were missed.

    Reference:
        Pradhan, Luo, Recasens, Hovy, Ng & Strube 2014, Scoring coreference partitions of predicted mentions, ACL.

    Example:
        >>> import clusterscore as cs
        >>> cs.mentions([{"a", "b", "c"}], [{"a", "b"}, {"d"}]).recall
        0.6666666666666666
    """

    name = "mentions"

    def parts(self, table: Table) -> Parts:
        return same_right(table.common, **mentions(table))
