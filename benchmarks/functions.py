"""``python -m benchmarks.functions``: through how many functions of the package a call passes, and in how many files.

Counted are the functions and methods that the first call in a process enters, each once; a comprehension belongs to
the function it is written in. What runs while modules are imported is not counted, nor is what click and other
libraries do. ``--list`` names the functions, file by file.
"""

from __future__ import annotations

import contextlib
import io
import sys
import tempfile
import threading
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np

import clusterscore as cs
from clusterscore.command import main

ROOT = Path(cs.__file__).parent
ROWS = [
    ("p1", "x"),
    ("p2", "x"),
    ("p3", "x"),
    ("p4", "y"),
    ("p5", "y"),
    ("p6", "z"),
    ("p7", "z"),
    ("p8", "w"),
    ("p9", "w"),
]
Functions = dict[str, set[str]]  # by file


def called(work: Callable[[], Any]) -> Functions:
    """The functions of the package that some work calls, in this thread and in those that it starts."""
    entered: Functions = defaultdict(set)
    prefix = f"{ROOT}/"

    def profile(frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(prefix) and not _is_imported(frame):
            name = code.co_qualname
            while name.endswith(("comp>", "genexpr>")):
                name = name.rpartition(".<locals>.")[0]
            entered[code.co_filename.removeprefix(prefix)].add(
                f"{name}:{code.co_firstlineno}" if "<lambda>" in name else name
            )

    threading.setprofile(profile)
    sys.setprofile(profile)
    try:
        work()
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    return entered


def _is_imported(frame: FrameType | None) -> bool:
    """Whether a module is being imported: then decorators and class bodies run."""
    while frame is not None:
        if frame.f_code.co_name == "<module>" and frame.f_code.co_filename.startswith(str(ROOT)):
            return True
        frame = frame.f_back
    return False


def arrays() -> None:
    """``cs.elm`` on two arrays."""
    cs.elm(np.array([0, 0, 0, 1, 1, 2]), np.array([0, 0, 1, 1, 1, 2]))


def command() -> None:
    """``clusterscore score`` on two files of nine rows."""
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
        files = [Path(folder, name) for name in ("gold.csv", "pred.csv")]
        for shift, file in enumerate(files):
            rows = [(element, ROWS[k - shift][1]) for k, (element, _) in enumerate(ROWS)]
            file.write_text("element,cluster\n" + "".join(f"{element},{cluster}\n" for element, cluster in rows))
        with contextlib.suppress(SystemExit):
            main(["score", *map(str, files)])


if __name__ == "__main__":
    for name, work, most in (
        ("cs.elm(gold, pred)", arrays, 50),
        ("clusterscore score gold.csv pred.csv", command, 150),
    ):
        entered = called(work)
        total = sum(map(len, entered.values()))
        print(f"{name}: {total} functions in {len(entered)} files (at most {most})")
        if "--list" in sys.argv:
            for file in sorted(entered):
                print(f"  {len(entered[file]):3} {file}: {', '.join(sorted(entered[file]))}")
