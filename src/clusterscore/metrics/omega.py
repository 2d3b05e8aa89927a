"""The omega index, for clusterings that overlap."""

from __future__ import annotations

from typing import Any

from clusterscore.metrics.metric import Array, Metric, Parts, Table, Values, divide, register
from clusterscore.metrics.pair_metric import all_pairs, whole_numbers
from clusterscore.overlap import cover_of, shared_clusters


@register
class Omega(Metric):
    """Omega index: pairs that share the same number of clusters on both sides, corrected for chance.

    Formula:
        (A - E) / (1 - E)
        A = share of the pairs of elements that share equally many gold and predicted clusters, none included
        E = sum over j of (share of pairs with j common gold clusters) * (share with j common predicted clusters)

    Range:
        Up to 1, and about 0 for a random prediction. On partitions it is adjusted_rand. Two different clusterings can
        score 1, if every two elements share the same number of clusters.

    Use it when:
        You compare overlapping communities, and others report it. It has no precision and recall. Most pairs share
        nothing, so it depends on the few that do.

    Reference:
        Collins & Dent 1988, Omega: a general formulation of the Rand index of cluster recovery suitable for
        non-disjoint solutions, Multivariate Behavioral Research 23(2).

    Example:
        >>> import clusterscore as cs
        >>> round(cs.omega([["a", "b", "c"], ["c", "d"]], [["a", "b"], ["c", "d"]]).value, 4)
        0.4
    """

    name = "omega"
    group = "overlapping"
    aliases = ("omega_index",)
    lowest = float("-inf")
    symmetric = True
    overlapping = True
    one_sided = True

    def parts(self, table: Table) -> Parts:
        base = table.pair_base("common")
        if not table.overlapping:
            agree, gold, pred = table.pairs("cell"), table.pairs("gold"), table.pairs("pred")
            base["elements"] = base["elements"] + (table.gold_elements - table.common)
            base["elements"] = base["elements"] + (table.pred_elements - table.common)
            return {"agree": agree, "either": gold + pred - agree, "gold_1": gold, "pred_1": pred, **base}
        cover = cover_of(table)
        shared, document = shared_clusters(cover), cover.document(table)

        def pairs(others: Array) -> Array:
            return table.add(cover.n * others, document) / 2

        if len(cover.n) > cover.cells:
            base["elements"] = table.add(cover.n, document)
        by_number = {
            f"{side}_{k + 1}": pairs(others[:, k])
            for side, others in (("gold", shared.gold), ("pred", shared.pred))
            for k in range(others.shape[1])
        }
        return {"agree": pairs(shared.agree), "either": pairs(shared.either), **by_number, **base}

    def finish(self, agree: Array, either: Array, elements: Array, other_pairs: Array, **by_number: Any) -> Values:
        every = all_pairs(elements, other_pairs)
        if every.dtype != object and len(every) and float(every.max()) >= 2.0**26:  # products pass 2**52
            every, agree, either = map(whole_numbers, (every, agree, either))
            by_number = {name: whole_numbers(pairs) for name, pairs in by_number.items()}
        gold, pred = (
            {name.partition("_")[2]: pairs for name, pairs in by_number.items() if name.startswith(side)}
            for side in ("gold", "pred")
        )
        chance = (every - sum(gold.values())) * (every - sum(pred.values()))
        for number in gold.keys() & pred.keys():
            chance = chance + gold[number] * pred[number]
        right = every - either + agree
        # where chance cannot fail, all pairs share equally many clusters on both sides
        return Values(divide(right * every - chance, every * every - chance, 1.0))
