"""What the documentation shows is what happens: its Python blocks, its commands, its pages and its links."""

from __future__ import annotations

import doctest
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from dataclasses import fields
from itertools import product
from pathlib import Path
from typing import NamedTuple

import metric_pages
import pytest
import scipy
import yaml
from drawings import drawn
from smallest_examples import disagreement

import clusterscore as cs
from clusterscore.command import main
from clusterscore.command.commands import COMMANDS
from clusterscore.fields import known_fields
from clusterscore.metrics.metric import GROUPS, METRICS
from running import Done, needs_posix, run

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
_ROOT_PAGES = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")
PAGES = [
    path
    for path in (*(ROOT / name for name in _ROOT_PAGES), *sorted(DOCS.glob("*.md")), *sorted(DOCS.glob("fields/*.md")))
    if path.exists()
]
_BLOCK = re.compile(r"^```(?P<language>[\w{}-]+)[^\n]*\n(?P<body>.*?)^```\s*$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\[[^\]]*\]\((?P<target>[^)\s]+)\)")
_OURS = re.compile(r"(^|\|\s*)((?:[A-Z_]+=\w+ )?)(?:python -m )?(clusterscore|reproduce)(?=\s|$)")
_LONG = re.compile(r"\b\d\.\d{14,}")
_OLD_SCIPY = tuple(map(int, scipy.__version__.split(".")[:2])) < (1, 17)
WIDTH = 88  # letters of a line of code on a page of the documentation, in a window of 1280 pixels
_UNWRAPPED = re.compile(r">>> |\.\.\. |\$ |.*\\$|.*\S  +\S")  # what is typed, and columns of a table
_TOCTREE = re.compile(r"^```\{toctree\}\n(?P<body>.*?)^```", re.MULTILINE | re.DOTALL)


_GENERATED = (
    DOCS / "api",
    DOCS / "pictures",
)  # when the docs are built; test_built_docs.py follows links to them


def shown(path: Path) -> str:
    return str(path.relative_to(ROOT))


def blocks(path: Path, language: str) -> list[tuple[int, str]]:
    """The code blocks of a language, each with the number of its first line."""
    text = path.read_text(encoding="utf-8")
    return [
        (text.count("\n", 0, block.start("body")), block["body"])
        for block in _BLOCK.finditer(text)
        if block["language"] == language
    ]


class Command(NamedTuple):
    """A line ``$ clusterscore`` or ``$ python -m reproduce`` (alone or in a pipe) and the lines shown below it."""

    path: Path
    line: int
    typed: str
    expected: list[str]


def commands() -> list[Command]:
    """Every command line in a ``console`` block."""
    typed: list[Command] = []
    for path in PAGES:
        for first, body in blocks(path, "console"):
            open_block: Command | None = None
            for number, line in enumerate(re.sub(r"(?<!\\)\\\n +", "", body).splitlines(), first + 1):
                if line.startswith("$ "):
                    open_block = None
                    if _OURS.search(line[2:]):
                        open_block = Command(path, number, line[2:], [])
                        typed.append(open_block)
                elif open_block is not None:
                    open_block.expected.append(line.rstrip())
    return typed


def matches(expected: list[str], got: list[str]) -> bool:
    """Line by line; a line ``...`` stands for any number of lines."""
    if not expected:
        return not got
    if expected[0] == "...":
        return any(matches(expected[1:], got[k:]) for k in range(len(got) + 1))
    return bool(got) and _digits(expected[0]) == _digits(got[0]) and matches(expected[1:], got[1:])


def _digits(line: str) -> str:
    """A line as it is; SciPy before 1.17 gets quantiles of Student's t right to some eleven digits only."""
    return _LONG.sub(lambda match: f"{float(match[0]):.9f}", line) if _OLD_SCIPY else line


def without_empty_ends(lines: list[str]) -> list[str]:
    return "\n".join(line.rstrip() for line in lines).strip("\n").split("\n") if any(lines) else []


@pytest.mark.parametrize("path", PAGES, ids=shown)
def test_python_blocks_show_what_happens(path: Path) -> None:
    parser, runner = doctest.DocTestParser(), doctest.DocTestRunner()
    examples: list[doctest.Example] = []
    for first, body in blocks(path, "python"):
        of_block = parser.get_examples(body, shown(path))
        assert of_block, f"{shown(path)}:{first}: a python block without >>> cannot be checked"
        for example in of_block:
            example.lineno += first
        examples += of_block
    test = doctest.DocTest(examples, {"__name__": "__main__"}, shown(path), str(path), 0, None)
    report: list[str] = []
    runner.run(test, out=report.append)
    assert runner.summarize(verbose=False).failed == 0, "".join(report)


@pytest.mark.parametrize("command", commands(), ids=lambda c: f"{shown(c.path)}:{c.line}")
def test_console_blocks_show_what_happens(command: Command) -> None:
    plain = {"COLUMNS": "200", "NO_COLOR": "1", "TERM": "dumb", "PYTHONIOENCODING": "utf-8"}
    done: Done | subprocess.CompletedProcess[str]
    if re.match("clusterscore [^|<>*;$&]*$", command.typed):
        done = run(*shlex.split(command.typed)[1:], cwd=ROOT, **plain)
    else:  # as a reader does it: through the shell
        needs_posix()
        own = f"{shlex.quote(sys.executable)} -m "
        typed = _OURS.sub(lambda match: match[1] + match[2] + own + match[3], command.typed)
        done = subprocess.run(
            ["/bin/sh", "-c", typed], cwd=ROOT, env=os.environ | plain, capture_output=True, encoding="utf-8",
            timeout=120, check=False,
        )  # fmt: skip
    got = without_empty_ends((done.stdout + done.stderr).splitlines())
    expected = without_empty_ends(command.expected)
    assert matches(expected, got), "expected:\n" + "\n".join(expected) + "\n\ngot:\n" + "\n".join(got)


@pytest.fixture(scope="module")
def made() -> dict[str, str]:
    return metric_pages.pages()


@pytest.mark.parametrize("kind", cs.registered(), ids=lambda kind: kind.name)
def test_every_metric_has_a_page_with_every_section(kind: type[cs.Metric], made: dict[str, str]) -> None:
    page = made[kind.name]
    assert page.startswith(f"# {kind.name}\n")
    assert metric_pages.summary(kind)
    parts = re.split(r"^## (.+)$", page, flags=re.MULTILINE)
    sections = dict(zip(parts[1::2], parts[2::2], strict=True))
    assert [title for title in sections if title in metric_pages.SECTIONS] == list(metric_pages.SECTIONS)
    for title, body in sections.items():
        assert re.sub(r"```\w*|\s", "", body), f"{kind.name}: {title} is empty"
    assert "```{drawing}\ngold: " in sections["Smallest example"]
    assert sections["Formula"].count("$$") >= 2, f"{kind.name} is not in docs/formulas.txt"
    assert kind().signature in sections["Signature"]
    assert all(f"`{alias}`" in sections["Signature"] for alias in kind.aliases)
    assert ">>> " in sections["Example"]
    own = {field.name for field in fields(kind)}
    documented = set(re.findall(r"\w+", sections["Options"]))
    assert own <= documented, f"{kind.name}: options without a word: {own - documented}"


def test_the_index_lists_every_metric_and_every_alias(made: dict[str, str]) -> None:
    for kind in cs.registered():
        assert f"[{kind.name}]({kind.name}.md)" in made["index"]
        assert f"\n{kind.name}\n" in made["index"]
        assert all(f"`{alias}`" in made["index"] for alias in kind.aliases)


def test_the_edge_case_page_shows_every_case_and_measure(made: dict[str, str]) -> None:
    cases = json.loads((ROOT / "tests" / "edge_cases.json").read_text(encoding="utf-8"))["cases"]
    page = made["edge-cases"]
    assert all(f"| {case['name']} |" in page for case in cases)
    names = {measure.partition("(")[0] for case in cases for measure in case["scores"]}
    assert all(f"[{name}]({name}.md)" in page for name in names)


def test_the_page_of_properties_has_a_row_for_every_metric(made: dict[str, str]) -> None:
    table, _, below = made["properties"].partition("\n## ")
    assert all(table.count(f"\n| [{kind.name}]({kind.name}.md) | ") == 1 for kind in cs.registered())
    assert "no counterexample up to N = 6" in table
    assert {mark for line in table.splitlines() if line.startswith("| [") for mark in line[2:-2].split(" | ")[1:]} == {
        "yes", "no", "tie", "-"
    }  # fmt: skip
    assert "```{drawing}\ngold: 1 2 | 3\nworse: 1 3 | 2\nbetter: 1 | 2 | 3\n```\n\nThe wrong way round" in below


def test_the_decision_table_says_what_is_known(made: dict[str, str]) -> None:
    """A row for every metric; in some of them, what follows from the definition."""
    lines = made["which"].partition("\n## Homogeneity")[0].splitlines()
    table = {line[3 : line.index("]")]: line[2:-2].split(" | ")[1:] for line in lines if line.startswith("| [")}
    assert list(table) == sorted(table, key=lambda name: GROUPS.index(cs.metric(name).group))
    assert set(table) == {kind.name for kind in cs.registered()}
    assert {
        name: table[name][:5] for name in ("adjusted_rand", "bcubed", "purity", "muc", "centroid_index", "mor")
    } == {
        "adjusted_rand": ["pairs", "yes", "yes", "90%", "90%"],
        "bcubed": ["elements", "no", "yes", "50%", "50%"],  # every element counts the same
        "purity": ["clusters", "no", "yes", "-", "50%"],  # and splits are not seen
        "muc": ["coreference", "no", "no", "10%", "10%"],
        "centroid_index": ["clusters", "no", "no", "11%", "11%"],  # every cluster counts the same: one of nine
        "mor": ["coreference", "-", "-", "-", "-"],
    }
    formal = [name for name, marks in table.items() if marks[5:] == ["yes"] * 5 + ["no"]]
    assert formal == ["adapted_bcubed"]


@pytest.mark.parametrize(("name", "other"), [("elm", "bcubed"), ("ceafe", "bcubed"), ("mirkin", "pairwise")])
def test_the_smallest_example_is_where_two_measures_disagree_most(name: str, other: str) -> None:
    """Tried one by one: the first prefers A and the second B, each by a share of its range, and no case has more."""
    smallest = disagreement(METRICS[name], f"cs.{other}(")
    assert smallest is not None
    assert len(smallest.gold) == 3
    labels = list(product("abc", repeat=3))
    better = []
    for measure in (name, other):
        sign = -1 if METRICS[measure].smaller_is_better else 1
        value = {(g, p): sign * getattr(cs, measure)(g, p).value for g, p in product(labels, labels)}
        spread = max(value.values()) - min(value.values())
        better.append({(g, p, q): (value[g, p] - value[g, q]) / spread for g, p, q in product(labels, repeat=3)})
    contrast = {case: min(better[0][case], -better[1][case]) for case in better[0]}
    shown = tuple(tuple("abc"[label] for label in side) for side in (smallest.gold, *smallest.pred))
    assert contrast[shown] == pytest.approx(max(contrast.values()))


def test_a_drawing_has_the_colours_of_gold_and_a_text() -> None:
    html = drawn("gold: a b | b\n  c\npredicted: a/0.5 d")
    assert 'role="img" aria-label="gold: a b | b c; predicted: a/0.5 d"' in html
    assert "linear-gradient(to right, var(--gold-0) 0% 50%, var(--gold-1) 50% 100%)" in html  # b is in both
    assert 'scale: 0.75">a</i>' in html
    assert 'var(--gold-none); scale: 1.00">d</i>' in html


def known_pages(made: dict[str, str]) -> set[Path]:
    return {*PAGES, *(DOCS / "metrics" / f"{name}.md" for name in made)}


def test_links_between_pages_lead_somewhere(made: dict[str, str]) -> None:
    known = known_pages(made)
    texts = {path: path.read_text(encoding="utf-8") for path in PAGES}
    texts |= {DOCS / "metrics" / f"{name}.md": text for name, text in made.items()}
    broken = []
    for path, text in texts.items():
        for link in _LINK.finditer(_BLOCK.sub("", text)):
            target = link["target"].partition("#")[0]
            if not target or "://" in target:
                continue
            end = Path(os.path.normpath(path.parent / target))
            if end not in known and not end.exists() and not {*end.parents} & {*_GENERATED}:
                broken.append(f"{shown(path)}: {link['target']}")
    assert not broken


def test_links_of_the_readme_work_on_a_package_index(made: dict[str, str]) -> None:
    """There is nothing beside it there: links are addresses, and what they lead to is in this checkout."""
    text = _BLOCK.sub("", (ROOT / "README.md").read_text(encoding="utf-8"))
    assert all("://" in link["target"] for link in _LINK.finditer(text))
    addresses = dict(re.findall(r"^\[([^\]]+)\]: (\S+)$", text, re.MULTILINE))
    used = {label for _, label in re.findall(r"\[([^\]]+)\]\[([^\]]+)\]", text)}
    assert used <= set(addresses)
    assert all(label in used or f"[{label}]" in text.replace(f"[{label}]: ", "") for label in addresses)
    urls = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["urls"]
    pages, files = urls["Documentation"] + "/en/latest/", urls["Changelog"].removesuffix("CHANGELOG.md")
    for url in addresses.values():
        if url.startswith(pages):
            page, _, anchor = url.removeprefix(pages).partition("#")
            source = DOCS / page.replace(".html", ".md")
            assert source in known_pages(made), url
            titles = re.findall(r"^#+ (.+)$", source.read_text(encoding="utf-8"), re.MULTILINE) if anchor else []
            assert not anchor or anchor in [re.sub(r"\W+", "-", title.lower()) for title in titles], url
        else:
            assert (ROOT / url.removeprefix(files)).exists(), url


def in_toctrees(path: Path) -> set[str]:
    bodies = [toctree["body"] for toctree in _TOCTREE.finditer(path.read_text(encoding="utf-8"))]
    return {line for body in bodies for line in body.split("\n") if line and not line.startswith(":")}


def test_lists_are_complete() -> None:
    readme, commands = (path.read_text(encoding="utf-8") for path in (ROOT / "README.md", DOCS / "command-line.md"))
    headings = " ".join(line for line in commands.splitlines() if line.startswith("## "))
    assert f"computes {len(cs.registered())} measures" in readme
    assert set(COMMANDS) <= set(re.findall(r"[\w-]+", headings))
    for page in (readme, (DOCS / "fields" / "index.md").read_text(encoding="utf-8")):
        assert [field.name for field in known_fields() if f"| [`{field.name}`]" not in page] == []


def test_every_page_is_in_a_toctree() -> None:
    listed = in_toctrees(DOCS / "index.md")
    assert {path.stem for path in DOCS.glob("*.md")} - {"index"} == listed - {"metrics/index", "fields/index"}
    assert {"metrics/index", "fields/index"} <= listed
    fields = {field.page for field in known_fields()}
    assert {f"fields/{name}" for name in in_toctrees(DOCS / "fields" / "index.md")} == fields
    assert {f"fields/{path.stem}" for path in DOCS.glob("fields/*.md")} - {"fields/index"} == fields


@pytest.mark.parametrize(("page", "number"), [("command-line.md", 3), ("ci_gates.md", 2)])
def test_the_steps_for_a_build_server_run(
    page: str, number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The commands in YAML, on the examples, held to scores that were saved before."""
    steps = [step["run"] for _, body in blocks(DOCS / page, "yaml") for step in yaml.safe_load(body)]
    typed = [re.split(" >>? ", line)[0] for line in steps if line.startswith("clusterscore ")]
    assert len(typed) == number
    for name in ("gold.csv", "pred.csv", "key.conll", "response.conll"):
        shutil.copy(ROOT / "examples" / name, tmp_path)
    shutil.copy(ROOT / "examples" / "pred.csv", tmp_path / "last.csv")
    monkeypatch.chdir(tmp_path)
    saved = [f"clusterscore score gold.csv pred.csv --save {name}.json" for name in ("scores", "accepted")]
    for line in (*saved, *typed):
        with pytest.raises(SystemExit) as left:
            main(shlex.split(line)[1:])
        assert left.value.code == 0, line
    with pytest.raises(SystemExit) as left:
        main([*shlex.split(typed[0])[1:], "--fail-under", "elm=0.9"])
    assert left.value.code == 1


def typed_alone() -> list[tuple[Path, str]]:
    """Commands of which no output is shown."""
    lines = [
        (path, line.partition("  #")[0])
        for path in PAGES
        for _, body in blocks(path, "text")
        for line in re.sub(r"\\\n +", "", body).splitlines()
    ]
    return [(path, line) for path, line in lines if line.startswith("clusterscore ") and "<Tab>" not in line]


def test_commands_without_output_run(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "examples", tmp_path, dirs_exist_ok=True)
    for name in ("base.csv", "ours.csv"):
        shutil.copy(ROOT / "examples" / "pred.csv", tmp_path / name)
    assert len(typed_alone()) > 3
    for path, line in typed_alone():
        if "--engine spark" in line:  # make test-spark runs the engine
            continue
        done = run(*shlex.split(line.partition(" > ")[0])[1:], cwd=tmp_path)
        assert done.returncode == 0, f"{shown(path)}: {line}: {done.stderr}"


@pytest.mark.parametrize("path", PAGES, ids=shown)
def test_code_fits_the_page(path: Path) -> None:
    """What is typed, and tables: other output is words, which a page wraps and a terminal too."""
    wide = [
        f"{shown(path)}: {line}"
        for block in _BLOCK.finditer(path.read_text(encoding="utf-8"))
        for line in block["body"].splitlines()
        if len(line) > WIDTH and (block["language"] not in ("python", "console") or _UNWRAPPED.match(line))
    ]
    assert not wide
