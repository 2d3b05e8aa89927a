"""Cuts: every clustering that a hierarchy or a set of scored pairs can be cut into, scored at once."""

from clusterscore.cuts.merges import Merges, merges_of_linkage, merges_of_pairs
from clusterscore.cuts.table import CutTable
from clusterscore.cuts.tree import Tree

__all__ = ["CutTable", "Merges", "Tree", "merges_of_linkage", "merges_of_pairs"]
