"""Writing the page: one file with everything in it, which loads nothing and runs nothing but its own script."""

from __future__ import annotations

import json
import os
from base64 import b64encode
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from clusterscore.align.policies import check_options
from clusterscore.comparison import System as Compared
from clusterscore.count.table import Table
from clusterscore.diagnose import KINDS
from clusterscore.exceptions import ClusterscoreError, FileError, InputTypeError, visible
from clusterscore.metrics.elementwise import ElementWise
from clusterscore.page.contents import contents
from clusterscore.page.findings import Findings, comparison_figures, findings
from clusterscore.page.system import System
from clusterscore.page.words import WITHOUT_ELEMENTS
from clusterscore.pipeline.asking import Asked
from clusterscore.pipeline.compare import how_to, refuse_other_elements, standing
from clusterscore.progress import step
from clusterscore.read import Clustering
from clusterscore.read.arrays import is_frame
from clusterscore.show import Comparison
from clusterscore.show.saving import write_file
from clusterscore.version import __version__

_DRAWS = 100_000_000  # elements, drawn again and again: so many in all to compare systems
_MOST_DRAWS, _FEWEST_DRAWS = 1000, 100
ONE = "prediction"
_SCRIPTS = ("unpack.js", "system.js", "table.js", "views.js", "start.js")


class Wanted(NamedTuple):
    """What a page is to say, and how it is called."""

    asked: Asked
    metric: ElementWise  # what elements are scored with
    average: str
    show: Any
    title: str
    compared: str


def write_report(pairs: Mapping[str, tuple[Any, Any]], path: str | os.PathLike[str], wanted: Wanted) -> Path:
    """Write the page of some systems, each with its gold."""
    _check_installed()
    where = _writable(path)
    check_options(wanted.asked.options)
    systems = _counted(pairs, wanted)
    chosen = wanted.asked
    if str(wanted.metric) not in map(str, chosen.metrics):
        chosen = chosen._replace(metrics=[wanted.metric, *chosen.metrics])
    compared = _comparison(systems, chosen, wanted.average) if len(systems) > 1 else None
    found = [findings(system, chosen, wanted.average, f"s{k}") for k, system in enumerate(systems)]
    with step("writing"):
        text = _page(systems, found, compared, wanted)
        write_file(where, text.encode("utf-8", "replace"))
    return where


def pairs_of(gold: Any, pred: Any) -> dict[str, tuple[Any, Any]]:
    """The systems that a user handed over, each with its gold."""
    if isinstance(gold, Table):
        return {ONE: (gold, pred)}
    if pred is None and isinstance(gold, Mapping) and gold and all(isinstance(one, Table) for one in gold.values()):
        return {_named(name): (table, None) for name, table in gold.items()}
    if isinstance(pred, Mapping) and any(isinstance(one, Table) for one in pred.values()):
        raise InputTypeError('a Table holds both sides; pass {"A": table_a, "B": table_b} alone')
    if not isinstance(pred, Mapping) or not pred or not all(map(_is_clustering, pred.values())):
        return {ONE: (gold, pred)}
    return {_named(name): (gold, one) for name, one in pred.items()}


def _named(name: Any) -> str:
    if not isinstance(name, str) or not name:
        raise InputTypeError(f"a system is named by a string, not by {name!r}")
    return name


def _is_clustering(given: Any) -> bool:
    """Whether a value of a mapping is a whole clustering: then the mapping holds systems, not labels."""
    if isinstance(given, list | set | frozenset | Mapping | Clustering):
        return True
    return getattr(given, "ndim", 0) == 1 or is_frame(given)


def _counted(pairs: Mapping[str, tuple[Any, Any]], wanted: Wanted) -> list[System]:
    systems: list[System] = []
    with step("counting") as at:
        for name, (gold, pred) in pairs.items():
            try:
                systems.append(System.of(name, gold, pred, wanted.metric, wanted.asked.options, wanted.show))
            except ClusterscoreError as error:
                if len(pairs) == 1:
                    raise
                raise type(error)(f"system {name!r}: {error}") from None
            at(len(systems) / len(pairs))
    refuse_other_elements({system.name: system.table for system in systems})
    return systems


def _comparison(systems: list[System], asked: Asked, average: str) -> Comparison:
    elements = max(system.table.elements for system in systems)
    resamples = int(np.clip(_DRAWS // max(elements, 1), _FEWEST_DRAWS, _MOST_DRAWS))
    table = systems[0].table
    if len(table.documents) == 1 and (average == "macro" or table.number("gold") == 1):
        resamples = 0  # there is one of what could be drawn again
    with step("comparing"):
        return standing(
            {system.name: Compared(system.table) for system in systems},
            asked,
            how_to("auto", average, resamples, 0, 0.95),
        )


def _writable(path: str | os.PathLike[str]) -> Path:
    """Where the page goes; what is wrong with that is told before the work, not after it."""
    try:
        where = Path(path)
    except TypeError:
        raise InputTypeError(f"path={path!r} is a {type(path).__name__}, not a path") from None
    if where.is_dir():
        raise FileError(f"{where} is a folder; name a file in it, such as {where / 'report.html'}")
    if not where.parent.is_dir():
        raise FileError(f"{where}: there is no folder {where.parent}; make it first")
    return where


def _page(systems: list[System], found: list[Findings], compared: Comparison | None, wanted: Wanted) -> str:
    from markupsafe import Markup

    laid = contents(systems)
    data = {
        "title": wanted.title, "kinds": KINDS, "systems": laid.systems,
        "columns": [packed.how for packed in laid.columns], "without_elements": WITHOUT_ELEMENTS,
    }  # fmt: skip
    script = "\n".join(map(_read, _SCRIPTS))
    script = f"const PAGE = JSON.parse(document.getElementById('page').textContent);\n{script}"
    return str(_template().render(
        title=wanted.title, compared=wanted.compared, systems=found, comparison=compared,
        figures=[] if compared is None else comparison_figures(compared), metric=systems[0].metric,
        average=wanted.average, columns=[packed.text for packed in laid.columns], version=__version__,
        data=Markup(as_json(data)), script=Markup(script), style=Markup(_read("page.css")),
        allowed=b64encode(sha256(script.encode()).digest()).decode("ascii"),
    ))  # fmt: skip


def as_json(value: Any) -> str:
    """JSON that can stand in a page: nothing in it ends a script or begins a tag."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


@cache
def _read(name: str) -> str:
    return (files(__package__) / "template" / name).read_text(encoding="utf-8")


@cache
def _template() -> Any:
    from jinja2 import DictLoader, Environment, StrictUndefined

    names = ("page.html", "system.html", "compared.html")
    loader = DictLoader({name: _read(name) for name in names})
    made = Environment(
        loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True,
        finalize=lambda value: visible(value) if type(value) is str else value,  # what is Markup is ours
    )  # fmt: skip
    made.filters["score"] = _score
    made.filters["count"] = lambda count: f"{count:,}"
    return made.get_template("page.html")


def _score(value: float | None, digits: int = 4, sign: bool = False) -> str:
    if value is None:
        return ""
    return f"{value:{'+' if sign else ''}.{digits}f}".replace("-", "−")


def _check_installed() -> None:
    """Raise where something is missing that a page is made with: before the work, not after it."""
    lacking = [name for name in ("jinja2", "matplotlib") if find_spec(name) is None]
    if lacking:
        raise ClusterscoreError(
            f'a report is made with {" and ".join(lacking)}, not installed here; pip install "clusterscore[report]"'
        )
