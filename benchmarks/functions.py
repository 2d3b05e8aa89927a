"""``python -m benchmarks.functions``: through how many functions of the package a call passes, and in how many files.

Counted are the functions and methods that the first call in a process enters, each once; a comprehension belongs to
the function it is written in. A change of module is a call from a function of one file to one of another, each pair of
functions once. What runs while modules are imported is not counted, nor is what click and other libraries do.
``--list`` names the functions, file by file. Every line is measured in a process of its own.
"""

from __future__ import annotations

import contextlib
import io
import subprocess
import sys
import tempfile
import threading
from collections import defaultdict
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

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


class Calls(NamedTuple):
    """The functions that were entered, and the calls from one file to another."""

    functions: Functions
    changes: set[tuple[str, str]]


def called(work: Callable[[], Any]) -> Calls:
    """The functions of the package that some work calls, in this thread and in those that it starts."""
    calls = Calls(defaultdict(set), set())
    prefix = f"{ROOT}/"

    def profile(frame: FrameType, event: str, _: Any) -> None:
        if event != "call" or not frame.f_code.co_filename.startswith(prefix) or _is_imported(frame):
            return
        file, name = _named(frame)
        calls.functions[file].add(name)
        caller = frame.f_back
        while caller is not None and not caller.f_code.co_filename.startswith(prefix):
            caller = caller.f_back
        if caller is not None and _named(caller)[0] != file:
            calls.changes.add((":".join(_named(caller)), f"{file}:{name}"))

    threading.setprofile(profile)
    sys.setprofile(profile)
    try:
        work()
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    return calls


def _named(frame: FrameType) -> tuple[str, str]:
    """The file and the name of a function; that of a comprehension is the function's around it."""
    code = frame.f_code
    name = code.co_qualname
    while name.endswith(("comp>", "genexpr>")):
        name = name.rpartition(".<locals>.")[0]
    if "<lambda>" in name:
        name = f"{name}:{code.co_firstlineno}"
    return code.co_filename.removeprefix(f"{ROOT}/"), name


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


def card() -> None:
    """``print(cs.score(gold, pred))``."""
    with contextlib.redirect_stdout(io.StringIO()):
        print(cs.score([0, 0, 0, 1, 1, 2], [0, 0, 1, 1, 1, 2]))


def command(name: str, *more: str) -> None:
    """A command on files of nine rows: gold, and as many predictions as it takes."""
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
        files = [Path(folder, file) for file in ("gold.csv", "a.csv", "b.csv")[: 3 if name == "compare" else 2]]
        for shift, file in enumerate(files):
            rows = [(element, ROWS[k - shift][1]) for k, (element, _) in enumerate(ROWS)]
            file.write_text("element,cluster\n" + "".join(f"{element},{cluster}\n" for element, cluster in rows))
        with contextlib.suppress(SystemExit):
            main([name, *map(str, files), *(option.format(folder=folder) for option in more)])


LINES: dict[str, tuple[Callable[[], None], int | None, int | None]] = {  # at most so many functions, and changes
    "cs.elm(gold, pred)": (arrays, 50, None),
    "print(cs.score(gold, pred))": (card, 120, None),
    "clusterscore score gold.csv a.csv": (partial(command, "score"), 180, 300),
    "clusterscore compare gold.csv a.csv b.csv": (partial(command, "compare"), None, None),
    "clusterscore report gold.csv a.csv": (partial(command, "report", "-o", "{folder}/page.html"), None, None),
}


def measure(line: str) -> None:
    """Print what one of the lines passes through."""
    work, most, changes = LINES[line]
    calls = called(work)
    total = sum(map(len, calls.functions.values()))
    print(
        f"{line}: {total} functions{f' (at most {most})' if most else ''} in {len(calls.functions)} files, "
        f"{len(calls.changes)} changes of module{f' (at most {changes})' if changes else ''}"
    )
    if "--list" in sys.argv:
        for file in sorted(calls.functions):
            print(f"  {len(calls.functions[file]):3} {file}: {', '.join(sorted(calls.functions[file]))}")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--line"]:
        measure(sys.argv[2])
    else:
        for line in LINES:
            subprocess.run([sys.executable, "-m", "benchmarks.functions", "--line", line, *sys.argv[1:]], check=True)
