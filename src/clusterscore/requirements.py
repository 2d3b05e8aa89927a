"""The oldest versions of other libraries that clusterscore works with, and what is said of older ones.

A library is checked where it is first used. SciPy needs no check: one that is too old does not work with NumPy 2.
"""

from __future__ import annotations

import re
import sys

from clusterscore.exceptions import ClusterscoreError

OLDEST = {  # as in pyproject.toml; asking pip's records for it would take longer than to score two lists
    "numpy": "2.0",
    "narwhals": "2.16",
    "duckdb": "1.4.1",
    "click": "8.2",
    "matplotlib": "3.8.4",
    "jinja2": "3.1",
    "tifffile": "2024.1.30",
    # the user's own frames
    "pandas": "2.2.2",
    "polars": "1.33",  # older ones join wide integers wrongly, and decimals not at all
    "pyarrow": "17",
}


class TooOld(ClusterscoreError, ImportError):
    """A library is there, but in a version that clusterscore does not work with."""


def check_version(name: str, version: str) -> None:
    """Raise where a library is too old.

    >>> check_version("duckdb", "1.1.3")
    Traceback (most recent call last):
    ...
    clusterscore.requirements.TooOld: duckdb 1.1.3 is too old: clusterscore needs 1.4.1 or later; pip install -U duckdb
    """
    given, needed = (tuple(map(int, re.findall(r"\d+", text)[:3])) for text in (version, OLDEST[name]))
    if given < needed:
        raise TooOld(f"{name} {version} is too old: clusterscore needs {OLDEST[name]} or later; pip install -U {name}")


def check_frame_library(name: str) -> None:
    """Raise where the library of a frame, which is imported already, is too old; one that is not listed may be any.

    >>> check_frame_library("modin")
    """
    if name in OLDEST:
        check_version(name, sys.modules[name].__version__)
