"""Count: an aligned pair becomes a Table; nothing after this package sees labels."""

from clusterscore.count.counting import as_table, count
from clusterscore.count.table import Table

__all__ = ["Table", "as_table", "count"]
