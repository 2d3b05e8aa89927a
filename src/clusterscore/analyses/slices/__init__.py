"""Slices: what does each group of elements score?"""
