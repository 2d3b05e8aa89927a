"""The whole way from what a user has to results: read, align, count, score, aggregate, show."""

from clusterscore.pipeline.accumulator import Accumulator
from clusterscore.pipeline.chance import chance
from clusterscore.pipeline.compare import compare
from clusterscore.pipeline.coref import coref
from clusterscore.pipeline.diagnosis import clusters, elements, error_cells, errors
from clusterscore.pipeline.rank_agreement import rank_agreement
from clusterscore.pipeline.score import score
from clusterscore.pipeline.tables import score_table

__all__ = [
    "Accumulator",
    "chance",
    "clusters",
    "compare",
    "coref",
    "elements",
    "error_cells",
    "errors",
    "rank_agreement",
    "score",
    "score_table",
]
