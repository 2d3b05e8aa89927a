"""``python -m clusterscore``."""

from clusterscore.command import run

run()
