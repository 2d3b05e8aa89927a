"""``python -m clusterscore``."""

from clusterscore.command import main

main()
