"""``clusterscore fields``: what each field sets."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from typing import Any

import click

from clusterscore.command.group import FORMAT, Render, command
from clusterscore.fields import Field, field, known_fields
from clusterscore.nouns import plural
from clusterscore.screen import Screen
from clusterscore.show.grid import Grid, as_json
from clusterscore.version import __version__

_WIDTH = 88  # letters in a line


@command("fields", click.argument("names", nargs=-1, metavar="[FIELD]..."), FORMAT)
def fields_command(names: tuple[str, ...]) -> Render:
    """List all fields, or explain those named: words, metrics, conventions, formats and the official scorer.

    A field is one word that sets all of these: clusterscore score GOLD PRED --field page-streams. Options given beside
    it win.
    """
    chosen = [field(name) for name in names] or known_fields()

    def render(form: str, digits: int | None, raw: bool, screen: Screen) -> Iterable[str]:
        if form == "table":
            return ["\n\n".join(map(_explained, chosen)) if names else _listed(chosen)]
        rows = [_row(one) for one in chosen]
        if form == "json":
            return [as_json({"rows": rows, "version": __version__}, indent=2)]
        texts = [[", ".join(value) if isinstance(value, list) else value for value in row.values()] for row in rows]
        return Grid(list(rows[0]), texts).pieces(form)

    return render


def _listed(fields: list[Field]) -> str:
    """A line for each: what it is about, and its words."""
    first = max(len(one.name) for one in fields) + 3
    lines = [f"{one.name:{first}}{one.about}\n{'':{first}}{_words(one)}" for one in fields]
    return "\n\n".join([*lines, "clusterscore fields NAME explains one; --field NAME uses it in every command."])


def _words(one: Field) -> str:
    return ", ".join(several for _, several in one.nouns)


def _explained(one: Field) -> str:
    """Everything that it sets."""
    unit = "in percent" if one.percent else "as fractions"
    measures = ", ".join(f"{label} ({name})" for name, label in one.measures.items())
    conventions = [f"--{name.replace('_', '-')} {value}" for name, value in one.conventions.items()]
    lines = {
        "Words": _words(one),
        "Reports": f"{measures}; {unit}, {plural(one.digits, 'decimal')}",
        "Why": one.why,
        "Average": one.average,
        "Conventions": ", ".join(conventions),
        "Follows from": ", ".join(one.formats),
        "Tried first": ", ".join(one.tried_first),
        "Columns": "; ".join(f"{role}: {', '.join(names)}" for role, names in one.columns.items()),
        "By document": f"a row for each, with fewer than {one.by_document}" if one.by_document else "",
        "Official": one.scorer,
        "Page": f"docs/{one.page}.md" if one.page else "",
    }
    told = [
        textwrap.fill(f"{what + ':':14}{text}", _WIDTH, initial_indent="  ", subsequent_indent=" " * 16)
        for what, text in lines.items()
        if text
    ]
    return "\n".join([f"{one.name}: {one.about}", "", *told])


def _row(one: Field) -> dict[str, Any]:
    return {
        "field": one.name,
        "about": one.about,
        "element": one.nouns.element[0],
        "cluster": one.nouns.cluster[0],
        "document": one.nouns.document[0],
        "metrics": list(one.measures),
        "average": one.average,
        "percent": one.percent,
        "digits": one.digits,
        "conventions": [f"{name}={value}" for name, value in one.conventions.items()],
        "formats": list(one.formats),
        "scorer": one.scorer,
        "page": one.page,
    }
