"""The Jaccard error rate of matched clusters."""

from __future__ import annotations

from clusterscore.metrics.alignment import matched_cells
from clusterscore.metrics.metric import Array, Metric, Parts, Table, Values, divide, register


@register
class JaccardErrorRate(Metric):
    """Jaccard error rate: how far gold clusters are, on average, from the predicted clusters they are matched with.

    Formula:
        1 - (1/K) * max over one-to-one alignments of the sum of n_ij/(a_i + b_j - n_ij), K gold clusters

    Range:
        0 (identical) to below 1. Smaller is better. A gold cluster without a partner counts as an error of 1; a
        predicted cluster without one costs nothing by itself.

    Use it when:
        Every gold cluster matters equally, whatever its size, as every speaker does in diarization.

    Reference:
        Ryant et al. 2019, The second DIHARD diarization challenge: dataset, task, and baselines, Interspeech.

    Example:
        >>> import clusterscore as cs
        >>> cs.jaccard_error_rate([0, 0, 0, 1], [0, 0, 1, 1]).value
        0.41666666666666663
    """

    name = "jaccard_error_rate"
    needs = frozenset({("cells",)})
    perfect = 0.0
    smaller_is_better = True

    def parts(self, table: Table) -> Parts:
        union = table.a + table.b - table.n
        matched = matched_cells(table, table.n / union)
        # what each pair lacks, and not what it has: nothing is lost where almost all is right
        apart = table.add_of(matched, (union - table.n)[matched] / union[matched])
        return {"apart": apart, "matched": table.add_of(matched, matched >= 0), "clusters": table.clusters("gold")}

    def finish(self, apart: Array, matched: Array, clusters: Array) -> Values:
        return Values(divide(clusters - matched + apart, clusters, 0.0))
