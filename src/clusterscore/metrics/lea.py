"""LEA, the link-based entity-aware measure."""

from clusterscore.metrics.mention_scores import ScoresMentions, mentions
from clusterscore.metrics.metric import Parts, Table, register


@register
class Lea(ScoresMentions):
    """LEA: the share of each entity's links that are found, weighted by the size of the entity.

    Formula:
        R = sum over gold entities of a * (sum over cells of n*(n-1)/2) / (a*(a-1)/2) / gold mentions
        P is its mirror image; a singleton counts 1 if it is a singleton on the other side too, else 0
        0/0 is 0, F = 2*P*R/(P+R)

    Range:
        0 to 1.

    Use it when:
        You want a single number for coreference that rewards resolved links and, unlike B3 and CEAF, does not flatter.

    Reference:
        Moosavi & Strube 2016, Which coreference evaluation metric do you trust?, ACL.

    Example:
        >>> import clusterscore as cs
        >>> round(cs.lea([{"a", "b", "c"}, {"d"}], [{"a", "b"}, {"c", "d"}]).f, 4)
        0.3333
    """

    name = "lea"
    exclude_self = 1

    def counted(self, table: Table) -> Parts:
        rows, credits = table.rows(), table.credits(1)  # there a singleton has found all of its links
        lone_gold = table.add((rows.a == 1) & (rows.b > 1), rows.document, rows.times)
        lone_pred = table.add((rows.b == 1) & (rows.a > 1), rows.document, rows.times)
        right = {"right_gold": credits.recall - lone_gold, "right_pred": credits.precision - lone_pred}
        return {**mentions(table), **right}
