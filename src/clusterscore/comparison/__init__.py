"""Compare: how sure a score is, whether one system is better than another, what chance would get."""

from clusterscore.comparison.resampling import CompareOptions, Intervals
from clusterscore.comparison.systems import ComparisonResults, SystemResult, compare_systems
from clusterscore.comparison.units import SPELLED, UNITS, Unit, check_same

__all__ = ["SPELLED", "UNITS", "CompareOptions", "ComparisonResults", "Intervals", "SystemResult", "Unit"]
__all__ += ["check_same", "compare_systems"]
