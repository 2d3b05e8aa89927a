"""`import clusterscore` is light, and imports only ever point to an earlier layer."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

import clusterscore

ROOT = Path(clusterscore.__file__).parent
LAYERS = [
    "messages version interrupts nouns", "exceptions", "plugins", "fields", "requirements", "screen", "notebook",
    "progress", "distinct", "read", "align", "baselines", "count", "engines", "overlap", "metrics", "aggregate", "show",
    "analyses", "plot", "page", "constraints", "demo", "command __init__ __main__",
]  # fmt: skip
ROOMS = [  # of analyses: what several of them share comes first
    "request ranks units", "resampling", "spread", "estimate",
    "compare diagnose sweep", "slices chance agreement diff align_labels", "score pairs",
]  # fmt: skip
PLACE = {name: place for place, names in enumerate(LAYERS) for name in names.split()}
PLACE |= {f"analyses.{name}": place for place, names in enumerate(ROOMS) for name in names.split()}
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


@pytest.mark.parametrize(
    ("other", "ours"), [("adjusted_rand_score", "adjusted_rand"), ("nmi_score", "nmi"), ("bcubed_f1", "bcubed")]
)
def test_the_name_in_another_library_leads_to_ours(other: str, ours: str) -> None:
    with pytest.raises(AttributeError, match=f"no attribute '{other}': did you mean '{ours}'\\?$"):
        getattr(clusterscore, other)
    with pytest.raises(clusterscore.MetricError, match=f"unknown metric '{other}': did you mean '{ours}'\\?$"):
        clusterscore.metric(other)


@pytest.mark.parametrize("module", ["clusterscore", "clusterscore.command", "clusterscore.__main__"])
def test_signals_belong_to_the_program_that_imports(module: str) -> None:
    code = f"""
import signal, sys
sys.argv[0] = "clusterscore"
before = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)
import {module}
assert before == (signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM))
"""
    subprocess.run([sys.executable, "-c", code], check=True)


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


def imported(path: Path) -> set[str]:
    """The modules of clusterscore that a file imports, inside functions too; as dotted names after the package."""
    modules: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path.name} imports relatively"
            if node.module == "clusterscore":
                modules.update(alias.name for alias in node.names)
            elif node.module and node.module.startswith("clusterscore."):
                modules.add(node.module.removeprefix("clusterscore."))
        elif isinstance(node, ast.Import):
            for alias in node.names:
                assert alias.name != "clusterscore", f"{path.name} imports the package itself"
                if alias.name.startswith("clusterscore."):
                    modules.add(alias.name.removeprefix("clusterscore."))
    return modules


def drawn() -> str:
    """The order of layers as CONTRIBUTING has it: a table of packages, and the rooms of analyses."""
    packages = [name for layer in LAYERS for name in layer.split() if (ROOT / name).is_dir() and name != "demo"]
    return "\n".join(
        ["    " + " <- ".join(packages), "        analyses: " + " <- ".join(room.replace(" ", ", ") for room in ROOMS)]
    )


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_point_to_an_earlier_layer(path: Path) -> None:
    here = path.relative_to(ROOT).with_suffix("").parts
    for name in imported(path):
        there = tuple(name.split("."))
        inside = here[0] == there[0] == "analyses" and len(here) > 1 < len(there)
        depth = 2 if inside else 1
        left, right = ".".join(there[:depth]), ".".join(here[:depth])
        assert left in PLACE, f"{path.name} imports {name}, which has no place in the order"
        assert right in PLACE, f"{right} has no place in the order"
        same = left == right or (not inside and here[0] in LAYERS[-1].split())
        assert same or PLACE[left] < PLACE[right], f"{right} imports {left}"


def test_contributing_draws_the_order() -> None:
    assert drawn() in (ROOT.parent.parent / "CONTRIBUTING.md").read_text(encoding="utf-8"), drawn()


def test_a_module_name_occurs_once() -> None:
    names = Counter(path.stem for path in FILES if not path.stem.startswith("__"))
    names.update(path.parent.name for path in FILES if path.stem == "__init__" and path.parent != ROOT)
    assert [name for name, count in names.items() if count > 1] == []


def test_the_order_is_checked_on_something() -> None:
    assert any(name.startswith("align") for path in FILES if path.parent.name == "count" for name in imported(path))
    assert any(name.startswith("analyses.units") for path in FILES for name in imported(path))
