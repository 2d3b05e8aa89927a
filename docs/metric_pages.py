"""One page per registered metric, from its docstring, and the table of edge cases, from the file the tests read.

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

from markdown_text import link, plain, table
from public_types import signature
from smallest_examples import smallest_example
from which_measure import decision_page, percent, properties_page, sight, verdicts

import clusterscore as cs
from clusterscore.align.policies import Missing, NoiseAs
from clusterscore.metrics.metric import GROUPS

FORMULAS = Path(__file__).resolve().parent / "formulas.txt"
EDGE_CASES = Path(__file__).resolve().parent.parent / "tests" / "edge_cases.json"

# what every page has, in this order; a section of a docstring that is not named here follows after "Range"
SECTIONS = (
    "Use it when", "Smallest example", "Example", "Formula", "Range", "Options", "Signature", "Reference", "Properties"
)  # fmt: skip

_SYMBOLS = (
    "There are $N$ elements. A gold cluster has $a$ elements, a predicted cluster has $b$, and a cell (their overlap) "
    "has $n$. $K_g$ and $K_p$ are the numbers of gold and predicted clusters. See the [glossary](../glossary.md)."
)
_EVERYWHERE = (
    "`gold` and `pred` are [clusterings in any form](../inputs.md). `documents`, `missing`, `noise`, `noise_as` "
    "and `background` are the [policies](../policies.md) that every measure has."
)
_FILES = (
    "None of its own. It looks at the words of mentions, so it takes [coreference files](../coreference.md): "
    "`cs.coref(key, response, metrics=...)`, whose options say which mentions and entities there are."
)
_TURNS = (
    "`gold` and `pred` are RTTM files, or `Clustering.from_turns(...)`. `uem` has the regions to evaluate, and "
    '`missing="drop"` leaves out recordings that only one side has: see [diarization](../fields/diarization.md).'
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
        "which": decision_page(kinds),
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
        "Use it when": plain(sections.get("Use it when", "")),
        "Smallest example": smallest_example(kind, sections.get("Example", "")),
        "Example": _code("python", sections.get("Example", "")),
        "Formula": formulas().get(kind.name) or _code("text", sections.get("Formula", "")),
        "Range": plain(sections.get("Range", "")),
        **{title: plain(body) for title, body in extra.items()},
        "Options": _FILES if kind.of_mentions else _options(sections.get("Options", ""), kind),
        "Signature": _signature(kind),
        "Reference": plain(sections.get("Reference", "")),
        "Properties": _properties(kind),
    }
    return "\n\n".join(
        [f"# {kind.name}", plain(first), *([plain(rest)] if rest else []),
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
    """The tables of all metrics, by what they count, and the links between their pages."""
    kinds = list(kinds)
    usual = set(cs.score([0, 0, 1], [0, 1, 1]))
    overlapping = set(cs.score([["a", "b"], ["b"]], [["a", "b"], ["b"]]))
    star = dict.fromkeys(overlapping, " ☆") | dict.fromkeys(usual, " ★")
    sections = []
    for group in GROUPS:
        rows = [
            [link(kind.name) + star.get(kind.name, ""), ", ".join(f"`{alias}`" for alias in kind.aliases),
             plain(_short(summary(kind))), _range(kind)]
            for kind in kinds
            if kind.group == group
        ]  # fmt: skip
        sections += [f"## {group.capitalize()}", "", table(["Name", "Aliases", "What it says", "Range"], rows), ""]
    return "\n".join([
        "# Metrics",
        "",
        "Every measure has a function (`cs.elm(gold, pred)`), a name for `cs.metric` and the command line",
        '(`"elm(beta=2)"`), and a page here. ★ marks the default set of `cs.score`, ☆ the default set for',
        "[overlapping clusterings](../overlapping.md). Three tables compare them all: [Which measure?](which.md) shows",
        "what each one sees, [Properties](properties.md) what it is good for, and [Edge cases](edge-cases.md) what it",
        "returns for trivial and identical clusterings.",
        "",
        *sections,
        "```{toctree}",
        ":hidden:",
        "",
        "which",
        "properties",
        "edge-cases",
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
        [str(number), plain(case["name"]), f"`{_labels(case['gold'])}`", f"`{_labels(case['pred'])}`",
         plain(case["why"])]
        for number, case in enumerate(cases, 1)
    ]  # fmt: skip
    numbers = [str(number) for number in range(1, len(cases) + 1)]
    values = [[link(m), *(_value(case["scores"].get(m), -1) for case in cases)] for m in measures]
    halves = [
        [link(m), *(f"{_value(case['scores'].get(m), 0)} · {_value(case['scores'].get(m), 1)}" for case in cases)]
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
        table(["No.", "Case", "Gold", "Predicted", "Why"], listed),
        "",
        "## The scores",
        "",
        "F if the measure has precision and recall, otherwise its value. The columns are the cases above.",
        "",
        table(["Measure", *numbers], values),
        "",
        "## Precision and recall",
        "",
        "P · R of the same cases.",
        "",
        table(["Measure", *numbers], halves),
        "",
    ])  # fmt: skip


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


def _options(body: str, kind: type[cs.Metric]) -> str:
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
        listed.append(f"- `{name}`: {plain(text)}" if colon and name.isidentifier() else f"- {plain(item)}")
    return "\n".join([*listed, "", _TURNS if kind.of_turns else _EVERYWHERE])


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
        *_computed(kind),
    ]
    return table(["Property", "Here"], rows)


def _computed(kind: type[cs.Metric]) -> list[list[str]]:
    """What experiments and searches found, which the tables of all measures explain."""
    seen, rows = sight(kind()), []
    if seen is not None:
        rows += [
            ["[Right singletons](which.md#how-to-read-it) count", _yes(seen.singletons)],
            ["[Share of a large cluster](which.md#how-to-read-it) in the loss by splits", percent(seen.splits)],
            ["[Share of a large cluster](which.md#how-to-read-it) in the loss by merges", percent(seen.merges)],
        ]
    if kind.name in verdicts():
        holds = [name for name, verdict in verdicts()[kind.name].items() if verdict.outcome == "holds"]
        rows.append(["[Constraints](which.md) and [properties](properties.md) that hold", ", ".join(holds)])
    return rows


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
