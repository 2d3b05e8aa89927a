"""Metrics of other packages are found by the entry point group clusterscore.metrics, and only when they are needed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

MODULE = '''
from clusterscore.metrics.metric import Metric, Values, divide, register

class Doubled(Metric):
    """Doubled: twice the share of clusters that are there."""
    name = "doubled"
    highest = 2.0
    perfect = None
    def parts(self, table):
        return {"clusters": table.clusters("gold")}
    def finish(self, clusters):
        return Values(divide(2.0 * clusters, clusters, 0.0))
'''
REGISTERED = MODULE.replace("Doubled", "Tripled").replace("doubled", "tripled").replace("class", "@register\nclass")
TAKEN = MODULE.replace('"doubled"', '"elm"')
BROKEN = "import clusterscore\nclusterscore.metric('nobody')\n"
POINTS = """[clusterscore.metrics]
doubled = plugged:Doubled
several = plugged_module
registered = plugged_module:Tripled
taken = plugged_taken:Doubled
broken = plugged_broken:Nothing
leaving = plugged_exit
number = plugged:NUMBER
"""


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """A distribution as pip leaves it: modules, and a dist-info folder that names its entry points."""
    (tmp_path / "plugged.py").write_text(MODULE + "\nNUMBER = 7\n", encoding="utf-8")
    (tmp_path / "plugged_module.py").write_text(REGISTERED, encoding="utf-8")
    (tmp_path / "plugged_taken.py").write_text(TAKEN, encoding="utf-8")
    (tmp_path / "plugged_broken.py").write_text(BROKEN, encoding="utf-8")
    (tmp_path / "plugged_exit.py").write_text("raise SystemExit(3)\n", encoding="utf-8")
    information = tmp_path / "plugged-1.0.dist-info"
    information.mkdir()
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: plugged\nVersion: 1.0\n", encoding="utf-8")
    (information / "entry_points.txt").write_text(POINTS, encoding="utf-8")
    return tmp_path


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([str(folder), *filter(None, [os.environ.get("PYTHONPATH")])])
    return subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, env={**os.environ, "PYTHONPATH": path}
    )


def test_they_are_loaded_when_a_name_is_unknown(installed: Path) -> None:
    code = """
import sys, warnings, clusterscore as cs
assert cs.elm([0, 0, 1], [0, 0, 1]).f == 1 and cs.score([0, 1], [0, 1])["nmi"].value == 1 and cs.metric("ari")
assert "plugged" not in sys.modules
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    assert cs.metric("doubled").value([0, 0, 1], [0, 0, 1]) == 2
    assert cs.score([0, 0, 1], [0, 0, 1], metrics="elm, doubled, tripled")["tripled"].value == 2
    names = [kind.name for kind in cs.registered()]
assert {"doubled", "tripled", "elm"} <= set(names) and len(names) == len(set(names))
assert all(each.category is cs.ClusterscoreWarning for each in caught)
print(*sorted(str(each.message) for each in caught), sep="\\n")
try:
    cs.metric("nobody_has_this")
except cs.ClusterscoreError as error:
    print(error)
"""
    done = run(installed, "-c", code)
    assert done.returncode == 0, done.stderr
    left_out = "the metric {!r} of the package 'plugged' is left out, as {!r} does not load: {}"
    *warned, unknown = done.stdout.splitlines()
    assert [line.startswith("the metric") for line in warned] == [True] * 4
    for line, words in zip(
        warned,
        [
            left_out.format("broken", "plugged_broken:Nothing", "MetricError: unknown metric 'nobody'"),
            left_out.format("leaving", "plugged_exit", "SystemExit: 3; update the package, or uninstall it"),
            left_out.format("number", "plugged:NUMBER", "MetricError: it is neither a metric class"),
            left_out.format("taken", "plugged_taken:Doubled", "ValueError: two metrics are called 'elm'"),
        ],
        strict=True,
    ):
        assert line.startswith(words), line
    assert unknown.startswith("unknown metric 'nobody_has_this'")


def test_the_command_knows_them(installed: Path, tmp_path: Path) -> None:
    for name in ("gold", "pred"):
        (tmp_path / f"{name}.labels").write_text("a\na\nb\n", encoding="utf-8")
    files = [str(tmp_path / name) for name in ("gold.labels", "pred.labels")]
    plain = run(installed, "-m", "clusterscore", "score", *files, "--metrics", "elm", "--format", "csv")
    assert plain.returncode == 0
    assert plain.stderr == ""  # nobody asked for a plugin, so nobody hears of the broken ones
    done = run(installed, "-m", "clusterscore", "score", *files, "--metrics", "doubled", "--format", "csv")
    assert done.returncode == 0
    assert "doubled" in done.stdout
    assert "2.0" in done.stdout
    assert done.stderr.count("is left out") == 4
    assert "Traceback" not in done.stderr
    listed = run(installed, "-m", "clusterscore", "metrics")
    assert "  tripled" in listed.stdout
    assert "Twice the share" in listed.stdout
