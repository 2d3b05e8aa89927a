"""``python -m benchmarks.long_tables``: a row per element through the command, as a table and as CSV.

CPU seconds and peak memory of the whole process, reading and scoring included; ``--worst 20`` is what that takes alone.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

RUNS = [  # elements, options, target
    (60_000, [], "< 2 s, < 250 MB"),
    (60_000, ["--format", "csv"], "< 2 s, < 250 MB"),
    (60_000, ["--worst", "20"], ""),
    (1_000_000, ["--format", "csv"], "as with --worst 20, and 100 MB"),
    (1_000_000, ["--worst", "20"], ""),
]


def write_files(folder: Path, elements: int) -> list[str]:
    """Gold clusters of five elements, of which a fifth was put into any other."""
    names = [str(folder / f"{side}-{elements}.csv") for side in ("gold", "pred")]
    rng = random.Random(1)
    with open(names[0], "w") as gold, open(names[1], "w") as pred:
        for file in (gold, pred):
            file.write("element,cluster\n")
        for k in range(elements):
            label = k // 5 if rng.random() < 0.8 else rng.randrange(elements // 5)
            gold.write(f"record-{k:07},person-{k // 5}\n")
            pred.write(f"record-{k:07},found-{label}\n")
    return names


def cost(arguments: list[str]) -> tuple[float, float]:
    """CPU seconds and peak megabytes of a command."""
    started = subprocess.Popen([sys.executable, "-m", "clusterscore", *arguments, "-q"], stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(started.pid, 0)
    started.returncode = os.waitstatus_to_exitcode(status)
    if started.returncode:
        raise SystemExit(f"clusterscore {' '.join(arguments)} failed")
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def main() -> None:
    """Print the table of the README."""
    print("| clusterscore elements | CPU | peak memory | target |\n| :--- | ---: | ---: | ---: |")
    with tempfile.TemporaryDirectory() as folder:
        files = {elements: write_files(Path(folder), elements) for elements in sorted({run[0] for run in RUNS})}
        for elements, options, target in RUNS:
            cpu, memory = cost(["elements", *files[elements], *options])
            form = " ".join(options) or "a table, not on a terminal"
            print(f"| {elements:,} elements, {form} | {cpu:.2f} s | {memory:,.0f} MB | {target} |")


if __name__ == "__main__":
    main()
