"""Compare: how sure a score is, whether one system is better than another, what chance would get."""

from clusterscore.comparison.resampling import Interval, Intervals
from clusterscore.comparison.standings import Difference, How, Standing, Standings, compare_systems
from clusterscore.comparison.units import SPELLED, UNITS, System, Unit, check_same

__all__ = [
    "SPELLED",
    "UNITS",
    "Difference",
    "How",
    "Interval",
    "Intervals",
    "Standing",
    "Standings",
    "System",
    "Unit",
    "check_same",
    "compare_systems",
]
