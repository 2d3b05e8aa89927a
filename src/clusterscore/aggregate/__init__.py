"""Aggregate: from documents to one score."""

from clusterscore.aggregate.summary import AVERAGES, Average, Averages, Facts, Running, Summary

__all__ = ["AVERAGES", "Average", "Averages", "Facts", "Running", "Summary"]
