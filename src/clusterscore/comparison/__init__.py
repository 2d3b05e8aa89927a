"""Compare: how sure a score is, whether one system is better than another, what chance would get."""

from clusterscore.comparison.resampling import CompareOptions, Intervals
from clusterscore.comparison.systems import (
    PAIRS,
    ComparisonResults,
    Difference,
    Pairs,
    SystemResult,
    compare_systems,
)
from clusterscore.comparison.units import SPELLED, UNITS, Unit, check_same

__all__ = ["PAIRS", "SPELLED", "UNITS", "CompareOptions", "ComparisonResults", "Difference", "Intervals", "Pairs"]
__all__ += ["SystemResult", "Unit", "check_same", "compare_systems"]
