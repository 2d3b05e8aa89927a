"""One page per registered metric, from its docstring; the table of edge cases, from the file the tests read; and the
table of properties, computed.

Everything here is a pure function that returns text: ``pages()`` gives ``{name: text}`` for the folder ``metrics``.
"""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Iterable
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import Any, get_args

from public_types import signature

import clusterscore as cs
from clusterscore.align.policies import Missing, NoiseAs
from clusterscore.constraints.scored import not_in_cases
from clusterscore.constraints.verdicts import MARKS, no_counterexample

FORMULAS = Path(__file__).resolve().parent / "formulas.txt"
EDGE_CASES = Path(__file__).resolve().parent.parent / "tests" / "edge_cases.json"

# what every page has, in this order; a section of a docstring that is not named here follows after "Range"
SECTIONS = ("Signature", "Formula", "Range", "Use it when", "Options", "Reference", "Example", "Properties")

_SYMBOLS = (
    "There are $N$ elements. A gold cluster has $a$ elements, a predicted cluster has $b$, and a cell (their overlap) "
    "has $n$. $K_g$ and $K_p$ are the numbers of gold and predicted clusters. See the [glossary](../glossary.md)."
)
_EVERYWHERE = (
    "`gold` and `pred` are [clusterings in any form](../inputs.md). `documents`, `missing`, `noise` and `noise_as` are "
    "the [policies](../policies.md) that every measure has."
)
_FILES = (
    "None of its own. It looks at the words of mentions, so it takes [coreference files](../coreference.md): "
    "`cs.coref(key, response, metrics=...)`, whose options say which mentions and entities there are."
)
_HEADING = re.compile(r"([A-Z][A-Za-z ]*):")


def pages() -> dict[str, str]:
    """Every page of the folder ``metrics``, by the name of its file without the ending."""
    kinds = cs.registered()
    made = {kind.name: metric_page(kind) for kind in kinds}
    others = {
        "index": index_page(kinds),
        "edge-cases": edge_case_page(EDGE_CASES),
        "properties": properties_page(kinds),
    }
    return {**others, **made}


def summary(kind: type[cs.Metric]) -> str:
    """The first line of a metric's docstring."""
    return _split(kind)[0]


def metric_page(kind: type[cs.Metric]) -> str:
    """The page of one metric."""
    first, rest, sections = _split(kind)
    extra = {title: body for title, body in sections.items() if title not in SECTIONS}
    bodies = {
        "Signature": _signature(kind),
        "Formula": formulas().get(kind.name) or _code("text", sections.get("Formula", "")),
        "Range": _prose(sections.get("Range", "")),
        **{title: _prose(body) for title, body in extra.items()},
        "Use it when": _prose(sections.get("Use it when", "")),
        "Options": _FILES if kind.of_mentions else _options(sections.get("Options", "")),
        "Reference": _prose(sections.get("Reference", "")),
        "Example": _code("python", sections.get("Example", "")),
        "Properties": _properties(kind),
    }
    return "\n\n".join(
        [f"# {kind.name}", _prose(first), *([_prose(rest)] if rest else []),
         *(f"## {title}\n\n{body}" for title, body in bodies.items())]
    ) + "\n"  # fmt: skip


@cache
def formulas() -> dict[str, str]:
    """The formula of each metric as mathematics: the lines of ``formulas.txt`` are equations, and text between them."""
    made = {}
    for section in FORMULAS.read_text(encoding="utf-8").split("\n## ")[1:]:
        name, *lines = section.strip().split("\n")
        pieces = [line[2:] if line.startswith("> ") else f"\n$$\n{line}\n$$\n" for line in lines]
        made[name] = "\n".join(pieces).strip() + f"\n\n{_SYMBOLS}"
    return made


def index_page(kinds: Iterable[type[cs.Metric]]) -> str:
    """The table of all metrics, and the links between their pages."""
    kinds = list(kinds)
    usual = set(cs.score([0, 1], [0, 1]))
    overlapping = set(cs.score([["a", "b"], ["b"]], [["a", "b"], ["b"]]))
    star = dict.fromkeys(overlapping, " ☆") | dict.fromkeys(usual, " ★")
    rows = [
        [
            f"[{kind.name}]({kind.name}.md)" + star.get(kind.name, ""),
            ", ".join(f"`{alias}`" for alias in kind.aliases),
            _cell(_short(summary(kind))),
            _range(kind),
        ]
        for kind in kinds
    ]
    return "\n".join([
        "# Metrics",
        "",
        "Every measure has a function (`cs.elm(gold, pred)`), a name for `cs.metric` and the command line",
        '(`"elm(beta=2)"`), and a page here. ★ marks the default set of `cs.score`, ☆ the default set for',
        "[overlapping clusterings](../overlapping.md). The [table of edge cases](edge-cases.md) lists what each",
        "measure returns for empty, trivial and identical clusterings. The [table of properties](properties.md)",
        "says what each measure is good for.",
        "",
        _table(["Name", "Aliases", "What it says", "Range"], rows),
        "",
        "```{toctree}",
        ":hidden:",
        "",
        "edge-cases",
        "properties",
        *(kind.name for kind in kinds),
        "```",
        "",
    ])  # fmt: skip


def edge_case_page(path: Path) -> str:
    """The edge cases as tables: first the cases, then one row per measure and one column per case."""
    given = json.loads(path.read_text(encoding="utf-8"))
    cases = given["cases"]
    measures = list(dict.fromkeys(measure for case in cases for measure in case["scores"]))
    listed = [
        [str(number), _cell(case["name"]), f"`{_labels(case['gold'])}`", f"`{_labels(case['pred'])}`",
         _cell(case["why"])]
        for number, case in enumerate(cases, 1)
    ]  # fmt: skip
    numbers = [str(number) for number in range(1, len(cases) + 1)]
    values = [[_linked(m), *(_value(case["scores"].get(m), -1) for case in cases)] for m in measures]
    halves = [
        [_linked(m), *(f"{_value(case['scores'].get(m), 0)} · {_value(case['scores'].get(m), 1)}" for case in cases)]
        for m in measures
        if all(isinstance(case["scores"].get(m), list) for case in cases)
    ]
    return "\n".join([
        "# Edge cases",
        "",
        "The tests read the same file as this page. Fractions are exact; other numbers are rounded to four decimals.",
        "",
        "## The cases",
        "",
        _table(["", "Case", "Gold", "Predicted", "Why"], listed),
        "",
        "## The scores",
        "",
        "F if the measure has precision and recall, otherwise its value. The columns are the cases above.",
        "",
        _table(["Measure", *numbers], values),
        "",
        "## Precision and recall",
        "",
        "P · R of the same cases.",
        "",
        _table(["Measure", *numbers], halves),
        "",
    ])  # fmt: skip


def properties_page(kinds: Iterable[type[cs.Metric]]) -> str:
    """What each measure is good for: a row per measure, a column per property, and the cases that break them."""
    kinds = list(kinds)
    found = cs.constraints.matrix([kind() for kind in kinds if not_in_cases(kind()) is None], "properties")
    rows, properties = [], found.constraints
    for kind in kinds:
        outcomes = [
            found[kind.name][each.name].outcome if kind.name in found else "does not apply" for each in properties
        ]
        rows.append([_linked(kind.name), *(MARKS[outcome] for outcome in outcomes)])
    parts = []
    for each in properties:
        failing = [row[each.name] for row in found.values() if row[each.name].counterexample]
        cases = [[_linked(v.metric), v.outcome, _cell(str(v.counterexample))] for v in failing]
        said = [_prose(each.statement), "", f"Looked at: {_prose(each.family)}.", ""]
        parts += [f"## {_title(each)}", "", *said, _table(["Measure", "", "Smallest case"], cases), ""]
    up_to = min(verdict.up_to for verdict in found.verdicts if verdict.up_to is not None)
    return "\n".join([
        "# Properties",
        "",
        "What each measure is good for, found by search: all pairs of clusterings of 2 to",
        f"{up_to} elements are scored, and the smallest case that breaks a property is shown below.",
        "",
        f"- yes: {no_counterexample(up_to)}. That is no proof.",
        "- tie: never the wrong way round, but somewhere equal.",
        "- no: violated. That is certain, because there is a counterexample.",
        "- `-`: does not apply. The property is about pairs of elements and the measure is not, or the measure needs",
        "  more than two clusterings: an order of the elements, or mentions.",
        "",
        _table(["Measure", *(f"[{_title(each)}](#{each.name.replace('_', '-')})" for each in properties)], rows),
        "",
        "Measures have their default options here. `clusterscore constraints` with `-c properties` checks others, such",
        "as `nmi(mean=max)`, and [your own](../constraints.md). `clusterscore metrics --satisfying",
        "constant-baseline,monotonicity` lists the measures that have both properties, as",
        '`cs.constraints.satisfying("constant_baseline", "monotonicity")` does.',
        "",
        "The definitions are those of Gösgens, Tikhonov & Prokhorenkova 2021, Systematic analysis of cluster",
        "similarity indices: how to validate validation measures, ICML",
        "([arXiv:1911.04773](https://arxiv.org/abs/1911.04773)). In `1 2 | 3`, the elements 1 and 2 are together.",
        "",
        *parts,
    ])  # fmt: skip


def _title(constraint: cs.constraints.Constraint) -> str:
    return constraint.name.replace("_", " ").capitalize()


def _split(kind: type[cs.Metric]) -> tuple[str, str, dict[str, str]]:
    """The summary, what follows it, and the sections of a docstring by their headings."""
    first, _, rest = inspect.cleandoc(kind.__doc__ or "").partition("\n")
    sections: dict[str, list[str]] = {"": []}
    title = ""
    for line in rest.split("\n"):
        heading = _HEADING.fullmatch(line)
        if heading:
            title = heading[1]
            sections[title] = []
        else:
            sections[title].append(line)
    bodies = {title: inspect.cleandoc("\n" + "\n".join(lines)).strip() for title, lines in sections.items()}
    return first, bodies.pop(""), bodies


def _signature(kind: type[cs.Metric]) -> str:
    typed = signature(kind.name)
    for name, words in (("Missing", Missing), ("NoiseAs", NoiseAs)):
        typed = typed.replace(f": {name} ", f": Literal{list(get_args(words))} ")
    written = f"```{{py:function}} {kind.name}{typed}\n:module: clusterscore\n```"
    also = f"\n\nAliases: {', '.join(f'`{alias}`' for alias in kind.aliases)}." if kind.aliases else ""
    words = ", ".join(f"! {word}" for word in (kind.name.replace("_", " "), *kind.aliases))
    index = f"```{{index}} {words}\n```"
    return f"{index}\n\n{written}\n\nSignature of its scores with the defaults: `{kind().signature}`{also}"


def _options(body: str) -> str:
    if not body:
        return f"None of its own. {_EVERYWHERE}"
    items: list[str] = []
    for line in body.split("\n"):
        if line.startswith(" ") and items:
            items[-1] += " " + line.strip()
        else:
            items.append(line)
    listed = []
    for item in items:
        name, colon, text = item.partition(": ")
        listed.append(f"- `{name}`: {_prose(text)}" if colon and name.isidentifier() else f"- {_prose(item)}")
    return "\n".join([*listed, "", _EVERYWHERE])


def _properties(kind: type[cs.Metric]) -> str:
    score = kind().perfect
    perfect = "depends on the clustering" if score is None else f"{score:g}"
    rows = [
        ["Two identical clusterings score", perfect],
        ["Symmetric: swapping gold and prediction changes nothing", _yes(kind().symmetric)],
        ["Swapping gold and prediction swaps P and R", _yes(kind().swaps)],
        ["Depends on the order of the elements", _yes(kind.ordered)],
        ["Accepts element weights (`weights=`)", _yes(kind().weighable)],
        ["Defined for overlapping clusters", _yes(kind.overlapping)],
        ["Defined for graded memberships", _yes(kind.graded)],
        ['Defined if elements are on one side only (`missing="keep"`)', _yes(kind.one_sided)],
        ["Additive: the parts of documents add up to the parts of all", _additive(kind)],
    ]
    return _table(["", ""], rows)


def _additive(kind: type[cs.Metric]) -> str:
    if not kind().additive:
        return "no"
    tried: list[tuple[str, Any]] = [("weights", "effective"), ("delta", "auto"), ("adjusted", True)]
    breaking = [
        f"`{name}={json.dumps(value) if isinstance(value, str) else value}`"
        for name, value in tried
        if _takes(kind, name, value) and not kind(**{name: value}).additive
    ]
    return f"yes, except with {' or '.join(breaking)}" if breaking else "yes"


def _takes(kind: type[cs.Metric], name: str, value: Any) -> bool:
    """Whether a metric has an option, and that value for it."""
    if name not in {field.name for field in fields(kind)}:
        return False
    try:
        kind(**{name: value})
    except cs.MetricError:
        return False
    return True


def _range(kind: type[cs.Metric]) -> str:
    highest = "unbounded" if kind().highest == float("inf") else f"{kind().highest:g}"
    return f"{kind().lowest:g} to {highest}"


def _short(text: str) -> str:
    """A summary without the name that it starts with: the row has it already."""
    _, colon, rest = text.partition(": ")
    text = rest if colon else text
    return text[:1].upper() + text[1:]


def _linked(measure: str) -> str:
    name, bracket, options = measure.partition("(")
    return f"[{name}]({name}.md)" + (f" `{options.rstrip(')')}`" if bracket else "")


def _value(score: Any, part: int) -> str:
    if score is None:
        return ""
    value = score[part] if isinstance(score, list) else score
    return value if isinstance(value, str) else f"{value:.4f}"


def _labels(labels: list[Any]) -> str:
    return " ".join(map(str, labels))


def _yes(answer: bool) -> str:
    return "yes" if answer else "no"


def _code(language: str, body: str) -> str:
    return f"```{language}\n{body}\n```"


def _table(headings: list[str], rows: list[list[str]]) -> str:
    lines = [headings, [":---"] * len(headings), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def _prose(text: str) -> str:
    """Plain words as Markdown: signs that Markdown would read are escaped, except inside backticks."""
    parts = re.split(r"(`+[^`]+`+)", text)
    return "".join(part if k % 2 else re.sub(r"([*\[\]<>#|\\])", r"\\\1", part) for k, part in enumerate(parts))


def _cell(text: str) -> str:
    return _prose(text.replace("\n", " "))
