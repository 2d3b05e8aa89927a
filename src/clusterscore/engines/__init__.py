"""Engines: counting where the data lies, on polars, DuckDB, Spark and torch; the same integers as counting arrays."""
