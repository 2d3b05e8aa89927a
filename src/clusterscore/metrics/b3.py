"""B3, BCubed as coreference scorers have it."""

from clusterscore.metrics.mention_scores import ScoresMentions, mentions
from clusterscore.metrics.metric import Parts, Sums, register


@register
class B3(ScoresMentions):
    """B3: BCubed for coreference, the F of mean P and mean R, with mentions that only one side has.

    Formula:
        R = sum over cells of n*n/a / gold mentions, P = sum over cells of n*n/b / predicted mentions
        0/0 is 0, F = 2*P*R/(P+R)

    Range:
        0 to 1.

    Use it when:
        You report the CoNLL score; B3 is one of its three parts. If both sides have the same mentions, it equals
        bcubed(f=of-means).

    Reference:
        Bagga & Baldwin 1998, Algorithms for scoring coreference chains, LREC; as in the reference scorer v8.01
        (Pradhan et al. 2014, ACL).

    Example:
        >>> import clusterscore as cs
        >>> round(cs.b3([{"a", "b", "c"}, {"d"}], [{"a", "b"}, {"c", "d"}]).f, 4)
        0.7059
    """

    name = "b3"
    aliases = ("bcub",)

    def counted(self, table: Sums) -> Parts:
        credits = table.credits(0)
        return {**mentions(table), "right_gold": credits.recall, "right_pred": credits.precision}
