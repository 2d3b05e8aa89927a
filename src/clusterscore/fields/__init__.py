"""Fields: one word sets what things are called, which measures are reported, and which conventions hold.

One file each; importing this package registers them all.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from clusterscore.exceptions import InputError, InputTypeError, nearest
from clusterscore.nouns import PLAIN, Nouns, speaking, spoken
from clusterscore.plugins import load_plugins


@dataclasses.dataclass(frozen=True)
class Field:
    """What the people of a field report, and in which words.

    Options given beside a field win.

    Options:
        name: the word that stands for it, such as ``"page-streams"``.
        about: what is scored there, in a sentence.
        nouns: what elements, clusters and documents are called.
        measures: the metrics reported by default, each with the name that papers use. The first is the headline.
        why: why these measures, in a sentence or two.
        average: ``"micro"``, ``"macro"`` or ``"weighted"``.
        percent: whether scores are shown in percent; programs get fractions.
        digits: decimals shown.
        conventions: options that decide what is compared with what, such as ``{"singletons": "drop"}``.
        formats: formats of files that only this field has: the field follows from them.
        tried_first: formats that a file is tried as first, where its content could mean several things.
        columns: names of columns that are recognized, by what they hold: ``{"cluster": ("cluster_id",)}``.
        undoubted: doubts that do not apply, because what they ask about is usual here.
        by_document: with fewer documents than this, each has a row.
        scorer: the official scorer whose numbers these equal, and to how many digits; "" if there is none.
        page: the page of the documentation.

    >>> import clusterscore as cs
    >>> cs.field("page-streams").nouns.element
    ('page', 'pages')
    """

    name: str
    about: str
    nouns: Nouns
    measures: Mapping[str, str]
    why: str = ""
    average: str = "micro"
    percent: bool = False
    digits: int = 4
    conventions: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    formats: tuple[str, ...] = ()
    tried_first: tuple[str, ...] = ()
    columns: Mapping[str, tuple[str, ...]] = dataclasses.field(default_factory=dict)
    undoubted: tuple[str, ...] = ()
    by_document: int = 0
    scorer: str = ""
    page: str = ""

    @property
    def defaults(self) -> dict[str, Any]:
        """The parameters of functions that it sets; conventions and metrics are looked up where they are needed."""
        return {"average": self.average}

    @property
    def scale(self) -> int:
        """By what scores are multiplied where people see them."""
        return 100 if self.percent else 1


FIELDS: dict[str, Field] = {}  # by name


@dataclasses.dataclass
class Use:
    """The field in which a call is answered."""

    field: Field | None = None
    follows: str = ""  # from which format, where nobody named it


in_use: ContextVar[Use | None] = ContextVar("field", default=None)  # by the call that is being answered


@contextmanager
def using(chosen: Field | None) -> Iterator[None]:
    """Whatever is done inside is done in a field; None is that of whoever calls, or what the data turns out to be."""
    outer = in_use.get()
    use = Use(chosen) if outer is None or chosen is not None else outer
    known = use.field
    before = in_use.set(use)
    try:
        with speaking(None if known is None else known.nouns):
            yield
    finally:
        in_use.reset(before)
        if use is outer and known is None and use.field is not None:
            spoken.set(use.field.nouns)  # which the data brought along, for whoever goes on with it


@contextmanager
def without_field() -> Iterator[None]:
    """Whatever is done inside is about no data of a user, and done in no field."""
    before = in_use.set(None)
    try:
        with speaking(PLAIN):
            yield
    finally:
        in_use.reset(before)


def tries(form: str) -> bool:
    """Whether the field in use takes a file for this first, where its content could mean several things."""
    known = current()
    return known is not None and form in known.tried_first


def known_columns(role: str) -> tuple[str, ...]:
    """The names of columns that the field in use has for something."""
    known = current()
    return () if known is None else known.columns.get(role, ())


def current() -> Field | None:
    """The field in use, if there is one."""
    use = in_use.get()
    return None if use is None else use.field


def follow(form: str | None) -> Field | None:
    """The field in use; where nobody named one, that of the files' format, if it is that of one field only."""
    known = current()
    if known is not None or form is None:
        return known
    found = next((made for made in FIELDS.values() if form in made.formats), None)
    if found is not None:
        adopt(found, form)
    return found


def adopt(found: Field | None, form: str = "") -> None:
    """Answer the call in a field that the data brings along, where nobody named another."""
    use = in_use.get()
    if found is not None and use is not None and use.field is None:
        use.field, use.follows = found, form
        spoken.set(found.nouns)  # up to the end of the innermost speaking()


def register_field(made: Field) -> Field:
    """Add a field to those that are known by name, and return it.

    Options:
        made: the field. Its name must not be taken.
    """
    if not isinstance(made, Field):
        raise InputTypeError(f"a field is a clusterscore.Field, not a {type(made).__name__}")
    if made.name in FIELDS and FIELDS[made.name] != made:
        raise InputError(f"two fields are called {made.name!r}; give yours another name")
    FIELDS[made.name] = made
    return made


def known_fields() -> list[Field]:
    """All fields, those of other packages too."""
    load_plugins("clusterscore.fields", "field", register_field)  # type: ignore[arg-type]
    return list(FIELDS.values())


def field(name: str | Field) -> Field:
    """Look up a field by name.

    Options:
        name: such as ``"page-streams"``; ``page_streams`` is the same. A :class:`Field` is returned as it is.

    Raises:
        InputError: no field has this name; the message suggests the nearest one.

    >>> import clusterscore as cs
    >>> list(cs.field("entity-resolution").measures)[0]
    'pairwise'
    """
    if isinstance(name, Field):
        return name
    if not isinstance(name, str):
        raise InputTypeError(f"a field is named by a text such as 'page-streams', not by {name!r}")
    plain = name.strip().lower().replace("_", "-").replace(" ", "-")
    if plain not in FIELDS:
        known_fields()
    if plain not in FIELDS:
        raise InputError(f"unknown field {name!r}: {nearest(plain, FIELDS)}")
    return FIELDS[plain]


for _module in iter_modules(__path__):
    import_module(f"{__name__}.{_module.name}")  # which registers its field
