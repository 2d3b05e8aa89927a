"""The version, part of every signature, and where it is explained."""

__version__ = "0.1.0"
DOCUMENTATION = "https://clusterscore.readthedocs.io/en/latest/"
