"""Aggregate: from documents to one score."""

from clusterscore.aggregate.summary import AVERAGES, Summary

__all__ = ["AVERAGES", "Summary"]
