"""Plots: each returns an Axes of matplotlib and takes one (``ax=``), else it makes its own at the width of a column.

``cs.plot.sizes(gold, pred)``; a Table or a Scorecard can replace gold and pred, and the policies are
those of ``cs.score``. matplotlib is loaded by the first plot.
"""

from clusterscore.plot.canvas import offscreen, save, svg
from clusterscore.plot.cluster_sizes import by_size, sizes
from clusterscore.plot.cuts import sweep
from clusterscore.plot.flows import flow
from clusterscore.plot.overlapping import overlaps
from clusterscore.plot.scores import difference, distribution
from clusterscore.plot.strips import strip
from clusterscore.plot.systems import comparison, scatter

__all__ = [
    "by_size",
    "comparison",
    "difference",
    "distribution",
    "flow",
    "offscreen",
    "overlaps",
    "save",
    "scatter",
    "sizes",
    "strip",
    "svg",
    "sweep",
]
