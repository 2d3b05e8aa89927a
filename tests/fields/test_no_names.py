"""No field is named outside fields/: what is special of one is data of it, that anybody can register."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import clusterscore
from clusterscore.fields import FIELDS

ROOT = Path(clusterscore.__file__).parent
FILES = [path for path in sorted(ROOT.rglob("*.py")) if path.relative_to(ROOT).parts[0] != "fields"]
# "coreference" is the field of cs.coref, of the command and of --coref; in formats it is a kind of format, of metrics a
# group, of clusterings an attribute; the last two are an example of a command and what a page without a field is called
ALLOWED = {
    ("analyses/score/coref.py", "coreference"),
    ("command/coref_command.py", "coreference"),
    ("command/group.py", "coreference"),
    ("command/inputs.py", "coreference"),
    ("read/formats.py", "coreference"),
    *((f"metrics/{name}.py", "coreference") for name in ("conll", "mention_scores", "metric")),
    *(("read/clustering.py", name) for name in ("coreference", "images")),
    ("command/commands.py", "page-streams"),
    ("page/writing.py", "clustering"),
}


def named(path: Path) -> Iterator[tuple[str, str, int]]:
    where = path.relative_to(ROOT).as_posix()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.replace("_", "-") in FIELDS:
            yield where, node.value, node.lineno


def test_literals() -> None:
    literals = [literal for path in FILES for literal in named(path) if literal[:2] not in ALLOWED]
    assert literals == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_nobody_asks_which_field_it_is(path: Path) -> None:
    lines = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        inside: list[ast.AST] = []
        if isinstance(node, ast.Compare):
            inside = [node.left, *node.comparators]
        elif isinstance(node, ast.Match):
            inside = [node.subject, *(case.pattern for case in node.cases)]
        texts = [
            constant.value
            for part in inside
            for constant in ast.walk(part)
            if isinstance(constant, ast.Constant) and isinstance(constant.value, str)
        ]
        names = [ast.unparse(part) for part in inside]
        asks = any(text.replace("_", "-") in FIELDS for text in texts)
        asks |= any(name.endswith(("use.field.name", "self.field.name", "current().name", "FIELDS")) for name in names)
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in ("isinstance", "issubclass")
        ):
            asks |= "Field" in {name.id for name in ast.walk(node.args[1]) if isinstance(name, ast.Name)}
        if asks:
            lines.append(f"line {node.lineno}: {ast.unparse(node)}")
    assert lines == []
