"""Page: one file with everything in it, which loads nothing and runs nothing but its own script."""

from __future__ import annotations

import json
from base64 import b64encode
from functools import cache
from hashlib import sha256
from importlib.resources import files
from importlib.util import find_spec
from typing import Any

from clusterscore.errors import ClusterscoreError, visible

_SCRIPTS = ("unpack.js", "system.js", "table.js", "views.js", "start.js")


def check_installed() -> None:
    """Raise where something is missing that a page is made with: before the work, not after it."""
    lacking = [name for name in ("jinja2", "matplotlib") if find_spec(name) is None]
    if lacking:
        raise ClusterscoreError(
            f'a report is made with {" and ".join(lacking)}, not installed here; pip install "clusterscore[report]"'
        )


def rendered(**given: Any) -> str:
    """The page, made of what it is to say."""
    from markupsafe import Markup

    data = f"const PAGE = JSON.parse(document.getElementById('page').textContent);\n{_script()}"
    allowed = b64encode(sha256(data.encode()).digest()).decode("ascii")
    return str(
        _template().render(
            **{**given, "data": Markup(as_json(given["data"]))},
            script=Markup(data), style=Markup(_read("page.css")), allowed=allowed,
        )
    )  # fmt: skip


def as_json(value: Any) -> str:
    """JSON that can stand in a page: nothing in it ends a script or begins a tag."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


@cache
def _script() -> str:
    return "\n".join(_read(name) for name in _SCRIPTS)


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
