"""Fields: one word sets what things are called, which measures are reported, and which conventions hold.

One file each; importing this package registers them all.
"""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

from clusterscore.exceptions import InputError, InputTypeError, nearest
from clusterscore.fields.field_type import (
    FIELDS,
    Field,
    Use,
    adopt,
    current,
    follow,
    in_use,
    known_columns,
    register_field,
    tries,
    using,
    without_field,
)
from clusterscore.nouns import Nouns
from clusterscore.plugins import load_plugins

__all__ = ["FIELDS", "Field", "Nouns", "Use", "adopt", "current", "field", "follow", "in_use", "known_columns"]
__all__ += ["known_fields", "register_field", "tries", "using", "without_field"]


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
