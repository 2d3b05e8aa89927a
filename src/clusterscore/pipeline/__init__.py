"""The whole way from what a user has to results: read, align, count, score, aggregate, show."""

from clusterscore.pipeline.accumulator import Accumulator
from clusterscore.pipeline.coref import coref
from clusterscore.pipeline.elements import elements
from clusterscore.pipeline.score import score
from clusterscore.pipeline.tables import score_table

__all__ = ["Accumulator", "coref", "elements", "score", "score_table"]
