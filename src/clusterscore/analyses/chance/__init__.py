"""Chance: what would chance get?"""
