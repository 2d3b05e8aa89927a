"""Diagnose: where was a score lost, by element, by cluster and by kind of error?"""
