"""Report: one page with everything that can be said of a prediction."""

from clusterscore.report.writing import Wanted, report, write_report

__all__ = ["Wanted", "report", "write_report"]
