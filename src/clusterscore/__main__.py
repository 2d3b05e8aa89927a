"""The command, installed or as ``python -m clusterscore``: it answers to Ctrl-C before it imports all the rest."""

from clusterscore.interrupts import watch


def run() -> None:
    """What the installed command starts."""
    watch()
    from clusterscore.command import run as run_command

    run_command()


if __name__ == "__main__":
    run()
