"""`import clusterscore` is light, and imports between rooms only ever point left."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import clusterscore

ROOT = Path(clusterscore.__file__).parent
ROOMS = [
    {"exceptions", "version", "interrupts", "requirements"}, {"distinct", "notebook", "progress", "screen"}, {"read"},
    {"align"}, {"baselines"}, {"count", "engines"}, {"overlap"}, {"metrics"}, {"aggregate"}, {"diagnose"},
    {"comparison", "cuts"}, {"show"}, {"pipeline"}, {"plot"}, {"page"}, {"constraints"}, {"demo"},
    {"command", "__init__", "__main__"},
]  # fmt: skip
PLACE = {room: place for place, rooms in enumerate(ROOMS) for room in rooms}
FILES = sorted(ROOT.rglob("*.py"))
HEAVY = (
    "scipy",
    "narwhals",
    "duckdb",
    "click",
    "rich",
    "pandas",
    "polars",
    "pyarrow",
    "sklearn",
    "torch",
    "matplotlib",
    "jinja2",
)


@pytest.mark.parametrize("then", ["", "cs.elm([0, 0, 1], ['a', 'b', 'b'])", "cs.score([0, 0, 1], [0, 1, 1])"])
def test_only_numpy_is_imported(then: str) -> None:
    code = f"import sys, clusterscore as cs; {then}; print(*[name for name in {HEAVY} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code.replace("; ;", ";")], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


@pytest.mark.parametrize("then", ["", "from clusterscore.command import main; main(['--help'])"])
def test_who_only_wants_help_does_not_wait_for_numpy(then: str) -> None:
    slow = [*HEAVY, "numpy"] if not then else [name for name in (*HEAVY, "numpy") if name != "click"]
    code = f"""
import atexit, sys
atexit.register(lambda: print(*[name for name in {slow} if name in sys.modules], file=sys.stderr))
import clusterscore
{then}
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.split() == []
    assert bool(then) == ("Score PRED against GOLD" in done.stdout)


def test_small_files_are_scored_without_what_they_do_not_need() -> None:
    files = [str(ROOT.parent.parent / "examples" / name) for name in ("gold.csv", "pred.csv")]
    slow = [
        "scipy",
        "narwhals",
        "rich",
        "pandas",
        "polars",
        "pyarrow",
        "matplotlib",
        "jinja2",
        "numpy.ma",
        "numpy.random",
    ]
    code = f"""
import atexit, sys
atexit.register(lambda: print(*[name for name in {slow} if name in sys.modules], file=sys.stderr))
from clusterscore.command import main
main(["score", *{files}])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "adjusted_rand" in done.stdout
    assert done.stderr.split() == []


def room(path: Path) -> str:
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


def imported(path: Path) -> set[str]:
    """The modules of clusterscore that a file imports, inside functions too; as dotted names after the package."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path.name} imports relatively"
            if node.module == "clusterscore":
                found.update(alias.name for alias in node.names)
            elif node.module and node.module.startswith("clusterscore."):
                found.add(node.module.removeprefix("clusterscore."))
        elif isinstance(node, ast.Import):
            for alias in node.names:
                assert alias.name != "clusterscore", f"{path.name} imports the package itself"
                if alias.name.startswith("clusterscore."):
                    found.add(alias.name.removeprefix("clusterscore."))
    return found


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_point_left(path: Path) -> None:
    here = room(path)
    assert here in PLACE, f"{here} has no place in the order of the rooms"
    for name in imported(path):
        there = name.partition(".")[0]
        assert there in PLACE, f"{path.name} imports {name} from the package itself"
        assert PLACE[there] <= PLACE[here] or here in ROOMS[-1], f"{here} imports {there}"


def test_the_order_is_checked_on_something() -> None:
    assert {"read", "align", "count", "metrics", "aggregate", "show"} <= {room(path) for path in FILES}
    assert any("align" in name for path in FILES if room(path) == "count" for name in imported(path))
