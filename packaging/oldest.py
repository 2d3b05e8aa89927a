"""Constraints for pip: every library that clusterscore uses or accepts, at the oldest version that is allowed.

``make test-oldest`` installs them. The tools of the tests themselves may be newer.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

FRAMES = ("pandas", "polars", "pyarrow")  # accepted when a user brings them; the tests do


def oldest() -> dict[str, str]:
    """The oldest version of each."""
    project = tomllib.loads((Path(__file__).parent.parent / "pyproject.toml").read_text(encoding="utf-8"))
    used = [*project["project"]["dependencies"]]
    used += [each for extra in ("report", "images") for each in project["project"]["optional-dependencies"][extra]]
    used += [each for each in project["dependency-groups"]["dev"] if str(each).startswith(FRAMES)]
    return {name: version for name, _, version in (each.partition(">=") for each in used)}


if __name__ == "__main__":
    print("pyparsing<3.3")  # a newer one warns the oldest matplotlib, and a warning is an error in the tests
    for name, version in oldest().items():
        print(f"{name}=={version}")
