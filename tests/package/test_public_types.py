"""What an editor and a type checker see of the public interface."""

from __future__ import annotations

import os
import re
from pathlib import Path
from pkgutil import resolve_name
from types import FunctionType, ModuleType

import api_pages
import pytest
from mypy import api
from public_types import STUB, stub

import clusterscore as cs
from clusterscore import exceptions
from clusterscore.metrics.metric import METRICS

ROOT = Path(__file__).parents[2]

GOOD = """
import clusterscore as cs
s: cs.Score = cs.elm([0, 1], [0, 1], f="of-means", beta=2, missing="drop", noise=-1, noise_as="cluster", weights=[1, 2])
cs.ari([0], [0]), cs.alphamax([0], [0], alpha="auto", delta=0.5, reading="own"), cs.nmi([0], [0], mean="max")
cs.score([0], [0], metrics=["elm"], average="macro", missing="singleton")["elm"].value
cs.compare([0], {"a": [0]}, unit="documents"), cs.elements([0], [0], documents=[1]), cs.clusters([0], [0], side="gold")
"""
WRONG = [
    "cs.elm([0], [0], betta=2)",
    'cs.elm([0], [0], f="means")',
    'cs.elm([0], [0], missing="dropp")',
    'cs.ari([0], [0], noise_as="x")',
    'cs.alphamax([0], [0], reading="majorty")',
    'cs.score([0], [0], average="makro")',
    'cs.score([0], [0], metrix="elm")',
    'cs.score_table("x", engine="duckdbb")',
    'cs.compare([0], {}, unit="document s")',
    "cs.elements([0], [0], document=[0])",
    'cs.clusters([0], [0], side="golden")',
    'cs.report([0], [0], average="makro")',
    'cs.Accumulator("elm", average="makro")',
    "cs.nonsense([0], [0])",
]


def test_the_types_are_those_of_the_package() -> None:
    assert STUB.read_text(encoding="utf-8") == stub(), "run python docs/public_types.py"


def test_mypy_sees_options_and_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = GOOD + "\n".join(WRONG) + "\n"
    (tmp_path / "program.py").write_text(program)
    monkeypatch.setenv("MYPYPATH", os.fspath(Path(cs.__file__).parent.parent))
    monkeypatch.chdir(tmp_path)
    # other packages say nothing of our options, and take long
    others = "[mypy]\nfollow_imports = silent\n[mypy-numpy.*,scipy.*,narwhals.*,duckdb.*,click.*,rich.*,matplotlib.*]\n"
    (tmp_path / "mypy.ini").write_text(others + "follow_imports = skip\n")
    out, err, _ = api.run(["program.py", "--cache-dir", str(ROOT / ".mypy_cache" / "public_types")])
    assert not err
    lines = {int(line.split(":")[1]) for line in out.splitlines() if ": error:" in line}
    first = len(GOOD.splitlines()) + 1
    assert lines == set(range(first, first + len(WRONG))), out


def test_every_alias_is_a_function() -> None:
    for alias, kind in METRICS.items():
        assert getattr(cs, alias) is getattr(cs, kind.name)
        assert alias in dir(cs)


def test_dir_shows_what_is_public() -> None:
    assert set(cs.__all__) <= set(dir(cs))
    assert not [name for name in dir(cs) if name.startswith("_") and name != "__version__"]


def test_every_public_name_has_a_page() -> None:
    page = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    named = re.findall(r"^(?:   |\.\. autoexception:: )([\w.]+)(?:\(\))?$", page, re.MULTILINE)
    modules = ("baselines", "constraints", "plot")
    # of the fields, only what other packages need
    public = {*cs.__all__} - {*METRICS, *modules, "fields", "__version__"}
    public |= {f"{home}.{name}" for home in modules for name in functions(getattr(cs, home))}
    assert public <= {*named}
    assert {name for name in named if getattr(cs, name, None) not in vars(exceptions).values()} == {*api_pages.RELATED}
    for name in named:
        assert callable(resolve_name(f"clusterscore.{name}")), name


def functions(module: ModuleType) -> set[str]:
    return {name for name in module.__all__ if isinstance(getattr(module, name), FunctionType)}
