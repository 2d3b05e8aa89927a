"""Overlap: what the measures take from clusterings whose elements belong to several clusters."""

from clusterscore.overlap.cover import Cover, Memberships, Overlaps, between_clusters, cover_of
from clusterscore.overlap.information import entropies
from clusterscore.overlap.shared import shared_clusters
from clusterscore.overlap.walks import walk_similarity

__all__ = ["Cover", "Memberships", "Overlaps"]
__all__ += ["between_clusters", "cover_of", "entropies", "shared_clusters", "walk_similarity"]
