"""The command, installed or as ``python -m clusterscore``: it answers to Ctrl-C before it imports all the rest."""

import os
import sys

import clusterscore.interrupts as interrupts


def run() -> None:
    """What the installed command starts."""
    interrupts.watch()
    from clusterscore.command import main

    interrupts.raising = True
    try:
        main()
    except SystemExit as left:
        interrupts.raising = False  # all is done: a signal ends it at once
        if "duckdb" not in sys.modules:
            raise
        # DuckDB's bindings complain about themselves while Python is taken down; everything is closed by now
        os._exit(left.code if isinstance(left.code, int) else 0)


if __name__ == "__main__":
    run()
