"""Align: gold and prediction are brought onto the same elements."""

from clusterscore.align.match import align
from clusterscore.align.policies import BACKGROUND, MISSING, NOISE_AS, Pair, Policy, Side

__all__ = ["BACKGROUND", "MISSING", "NOISE_AS", "Pair", "Policy", "Side", "align"]
