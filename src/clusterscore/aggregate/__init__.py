"""Aggregate: from documents to one score."""

from clusterscore.aggregate.running import Running
from clusterscore.aggregate.summary import AVERAGES, Facts, Summary

__all__ = ["AVERAGES", "Facts", "Running", "Summary"]
