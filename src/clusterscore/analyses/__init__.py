"""Analyses: one room for each question a user asks; each holds its function, its mathematics and its result."""
