"""Estimate: what would the whole score, if gold is known for some clusters only? And which to label next?"""
