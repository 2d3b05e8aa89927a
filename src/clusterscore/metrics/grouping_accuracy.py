"""Grouping accuracy, as parsers of logs are scored."""

from __future__ import annotations

from clusterscore.metrics.metric import Array, Metric, Parts, Table, Values, divide, register


@register
class GroupingAccuracy(Metric):
    """Grouping accuracy (GA): the share of elements in clusters that were found exactly.

    Formula:
        (1/N) * sum of n over the cells with n = a = b

    Range:
        0 to 1. N counts all gold elements, also those that are in no predicted cluster.

    Use it when:
        You parse logs, where it is reported: an element is a line, and its cluster the template it comes from. A few
        frequent templates decide it. ``cluster_match`` counts each template once; its P, R and F are known as PGA, RGA
        and FGA.

    Reference:
        Zhu, He, Liu, He, Xie, Zheng & Lyu 2019, Tools and benchmarks for automated log parsing, ICSE-SEIP; Jiang, Liu,
        Huang, Li, Huo, Gu, Chen, Zhu & Lyu 2024, A large-scale evaluation for log parsing techniques: how far are we?,
        ISSTA (FGA).

    Example:
        >>> import clusterscore as cs
        >>> cs.grouping_accuracy(["open", "open", "close", "close", "read"], [1, 1, 2, 3, 4]).value
        0.6
    """

    name = "grouping_accuracy"
    aliases = ("ga",)
    group = "elements"
    symmetric = True
    one_sided = True

    def parts(self, table: Table) -> Parts:
        rows = table.rows()
        right = rows.n * ((rows.n == rows.a) & (rows.n == rows.b))
        return {"right": table.add(right, rows.document, rows.times), "elements": table.gold_elements}

    def finish(self, right: Array, elements: Array) -> Values:
        return Values(divide(right, elements, 0.0))
