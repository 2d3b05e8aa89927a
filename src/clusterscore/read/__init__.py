"""Read: whatever the user has becomes a Clustering."""

from clusterscore.read.clustering import Clustering
from clusterscore.read.file import File
from clusterscore.read.guess import as_clustering, as_clusterings
from clusterscore.read.labels import Labels, encode, is_null
from clusterscore.read.sample import Sample

__all__ = ["Clustering", "File", "Labels", "Sample", "as_clustering", "as_clusterings", "encode", "is_null"]
