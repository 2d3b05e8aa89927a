"""Diff: what changed from one version of a clustering to the next?"""
