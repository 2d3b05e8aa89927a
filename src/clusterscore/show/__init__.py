"""Show: results as text, JSON, CSV, Markdown, LaTeX and frames."""

from clusterscore.show.columns import Columns
from clusterscore.show.grid import Grid
from clusterscore.show.scorecard import Scorecard

__all__ = ["Columns", "Grid", "Scorecard"]
