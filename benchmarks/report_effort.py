"""``python -m benchmarks.report_effort``: what a report takes, next to what was said before it was made.

CPU seconds and peak memory of a process of its own for each size; ``python -m benchmarks.report_effort 20e6 4`` makes
one report of so many elements in gold clusters of so many. The estimate promises a ratio between 0.5 and 2.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

import clusterscore as cs
from clusterscore.page import writing
from clusterscore.page.effort import Effort

RUNS = [(1e6, 4), (1e6, 1000), (4e6, 4), (4e6, 1000)]  # elements, and how many of them a gold cluster has


def measure(elements: int, size: float) -> None:
    """One report, in this process."""
    rng = np.random.default_rng(0)
    clusters = max(1, int(elements / size))
    gold = rng.integers(0, clusters, elements)
    pred = np.where(rng.random(elements) < 0.8, gold, rng.integers(0, clusters, elements))
    found: dict[str, Any] = {}

    def note(effort: Effort) -> bool:
        found["begun"], found["effort"] = time.process_time(), effort
        return False

    writing.Effort.is_large = property(note)  # type: ignore[assignment, method-assign]
    with tempfile.TemporaryDirectory() as folder:
        page = cs.report(gold, pred, path=Path(folder) / "page.html").stat().st_size
    taken = {
        "seconds": time.process_time() - found["begun"],
        "memory": 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss,
        "page": page,
    }
    shown = [f"{name} {value:.3g} ({getattr(found['effort'], name) / value:.2f})" for name, value in taken.items()]
    print(f"{elements:,} elements, clusters of {size:g}: " + ", ".join(shown), flush=True)


if __name__ == "__main__":
    if len(sys.argv) == 3:
        measure(int(float(sys.argv[1])), float(sys.argv[2]))
    else:
        print("taken (estimated / taken):", flush=True)
        for run in RUNS:
            subprocess.run([sys.executable, "-m", "benchmarks.report_effort", *map(str, run)], check=True)
