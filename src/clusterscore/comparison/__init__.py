"""Compare: how sure a score is, whether one system is better than another, what chance would get."""

from clusterscore.comparison.resampling import CompareOptions, Interval, Intervals
from clusterscore.comparison.systems import ComparisonResults, Difference, SystemResult, compare_systems
from clusterscore.comparison.units import SPELLED, UNITS, Unit, check_same

__all__ = [
    "SPELLED",
    "UNITS",
    "CompareOptions",
    "ComparisonResults",
    "Difference",
    "Interval",
    "Intervals",
    "SystemResult",
    "Unit",
    "check_same",
    "compare_systems",
]
