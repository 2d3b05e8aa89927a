"""Aggregate: from documents to one score."""

from clusterscore.aggregate.averages import Averages
from clusterscore.aggregate.running import Running
from clusterscore.aggregate.summary import AVERAGES, Average, Facts, Summary

__all__ = ["AVERAGES", "Average", "Averages", "Facts", "Running", "Summary"]
