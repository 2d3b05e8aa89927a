"""Fields of other packages, by the entry point group clusterscore.fields: the recipe of CONTRIBUTING.md, installed."""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

RECIPE = Path(__file__).resolve().parents[2] / "CONTRIBUTING.md"
GROUP = "clusterscore.fields"
OTHERS = """
import clusterscore as cs
taken = cs.Field("crac", "A name that is taken.", cs.Nouns(), {"elm": "ELM"})
number = 7
"""
POINTS = "taken = other_fields:taken\nnumber = other_fields:number\nbroken = no_such_module:field\n"


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """The file of the recipe and what its entry point names, as pip leaves them; and a package with three mistakes."""
    text = RECIPE.read_text(encoding="utf-8")
    (source,) = [
        example.source for example in doctest.DocTestParser().get_examples(text) if "cs.Field(" in example.source
    ]
    (point,) = [block for block in re.findall(r"```toml\n(.*?)```", text, re.DOTALL) if GROUP in block]
    ((name, place),) = tomllib.loads(point)["project"]["entry-points"][GROUP].items()
    module = place.partition(":")[0]
    (tmp_path / f"{module}.py").write_text(f"import clusterscore as cs\n\n{source}", encoding="utf-8")
    (tmp_path / "other_fields.py").write_text(OTHERS, encoding="utf-8")
    for package, points in {"ours": f"{name} = {place}\n", "others": POINTS}.items():
        information = tmp_path / f"{package}-1.0.dist-info"
        information.mkdir()
        metadata = f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n"
        (information / "METADATA").write_text(metadata, encoding="utf-8")
        (information / "entry_points.txt").write_text(f"[{GROUP}]\n{points}", encoding="utf-8")
    return tmp_path


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([str(folder), *filter(None, [os.environ.get("PYTHONPATH")])])
    plain = {"PYTHONPATH": path, "NO_COLOR": "1", "COLUMNS": "200"}
    return subprocess.run([sys.executable, *arguments], capture_output=True, text=True, env={**os.environ, **plain})


def test_the_command_finds_it(installed: Path) -> None:
    for name, labels in {"gold": "a a a b b", "pred": "1 1 2 2 2"}.items():
        (installed / f"{name}.labels").write_text(labels.replace(" ", "\n") + "\n", encoding="utf-8")
    files = [str(installed / name) for name in ("gold.labels", "pred.labels")]
    done = run(installed, "-m", "clusterscore", "score", *files, "--field", "tickets")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert [line.split()[0] for line in lines[1:3]] == ["tickets", "problems"]
    assert next(line.split()[-2] for line in lines if line.startswith("ELM")) == "53.3"
    assert any(line.startswith("exact problems") for line in lines)
    assert lines[-1].startswith("avg:macro|")
    listed = run(installed, "-m", "clusterscore", "fields")
    assert "tickets, problems, queues" in listed.stdout
    explained = run(installed, "-m", "clusterscore", "fields", "tickets").stdout
    assert "ELM (elm), exact problems (cluster_match); in percent, 1 decimal" in explained


def test_it_is_loaded_only_when_a_name_is_unknown_and_mistakes_are_left_out(installed: Path) -> None:
    code = """
import sys, warnings, clusterscore as cs
assert cs.field("crac").digits == 2 and cs.score([0, 0, 1], [0, 0, 1], field="clustering")["ari"].value == 1
assert not {"our_fields", "other_fields"} & {*sys.modules}
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    assert cs.field("tickets").nouns.cluster == ("problem", "problems")
    assert cs.score([0, 0, 1], [0, 0, 1], field="tickets").field.name == "tickets"
assert cs.field("crac").measures["conll"] == "CoNLL F1"
assert all(each.category is cs.ClusterscoreWarning for each in caught)
print(*sorted(str(each.message) for each in caught), sep="\\n")
try:
    cs.field("ticket")
except cs.InputError as error:
    print(error)
"""
    done = run(installed, "-c", code)
    assert done.returncode == 0, done.stderr
    broken, number, taken, unknown = done.stdout.splitlines()
    left_out = "the field {!r} of the package 'others' is left out, as {!r} does not load: "
    assert broken.startswith(left_out.format("broken", "no_such_module:field") + "ModuleNotFoundError")
    assert number.startswith(left_out.format("number", "other_fields:number") + "InputTypeError: a field is a")
    assert taken.startswith(left_out.format("taken", "other_fields:taken") + "InputError: two fields are called 'crac'")
    assert unknown == "unknown field 'ticket': did you mean 'tickets'?"
