"""Count: an aligned pair becomes a Table; nothing after this room sees labels."""

from clusterscore.count.arrays import count, count_labels, count_with_cells
from clusterscore.count.table import Table

__all__ = ["Table", "count", "count_labels", "count_with_cells"]
