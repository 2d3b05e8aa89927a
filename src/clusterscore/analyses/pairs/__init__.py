"""Pairs: what does a clustering score on labelled pairs?"""
