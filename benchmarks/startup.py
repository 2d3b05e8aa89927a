"""``python -m benchmarks.startup``: CPU seconds from a shell's prompt to the answer, beside the imports of others.

Each is run in a process of its own, in turns, with its modules compiled before; the median counts.
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
TURNS = 9
FILES = [str(ROOT / "examples" / name) for name in ("gold.csv", "pred.csv")]
RUNS = {
    "python -c pass": (["-c", "pass"], None),
    "import numpy": (["-c", "import numpy"], None),
    "import sklearn.metrics": (["-c", "import sklearn.metrics"], None),
    "import clusterscore": (["-c", "import clusterscore"], None),
    "clusterscore --help": (["-m", "clusterscore", "--help"], 0.25),
    "clusterscore score gold.csv pred.csv": (["-m", "clusterscore", "score", *FILES], 0.4),
}


def cpu_seconds(arguments: list[str], environment: dict[str, str]) -> float:
    """What one run takes of the processor, its own threads included."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *arguments], env=environment, stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measured() -> dict[str, float]:
    """The median of every run."""
    with tempfile.TemporaryDirectory() as folder:
        kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        environment = {**kept, "PYTHONPYCACHEPREFIX": folder}
        turns = [
            {name: cpu_seconds(arguments, environment) for name, (arguments, _) in RUNS.items()}
            for _ in range(TURNS + 1)
        ]
    return {name: statistics.median(turn[name] for turn in turns[1:]) for name in RUNS}  # the first turn compiles


if __name__ == "__main__":
    print("| what | CPU seconds | target |\n| :--- | ---: | ---: |")
    for name, seconds in measured().items():
        target = RUNS[name][1]
        print(f"| {name} | {seconds:.3f} | {'' if target is None else f'< {target}'} |")
