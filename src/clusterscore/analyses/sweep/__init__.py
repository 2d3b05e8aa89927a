"""Sweep: what does every cut of a hierarchy, or of scored pairs, score?"""
