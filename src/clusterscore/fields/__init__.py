"""Fields: one word sets what things are called, which measures are reported, and which conventions hold.

One file each; importing this package registers them all.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pkgutil import iter_modules

from clusterscore.exceptions import InputError, InputTypeError, a_type, nearest
from clusterscore.nouns import NO_CALL, Use, in_use
from clusterscore.nouns import Field as Field
from clusterscore.plugins import load_plugins

FIELDS: dict[str, Field] = {}  # by name


@contextmanager
def using(chosen: Field | Use | None) -> Iterator[None]:
    """Whatever is done inside is done and said in a field, or as in another call.

    None is the field of whoever calls, or what the data turns out to be.
    """
    use = in_use.get()
    if isinstance(chosen, Use):
        use = chosen
    elif chosen is not None or use is NO_CALL:
        use = Use() if chosen is None else Use(chosen, chosen.nouns, chosen.scale)
    before = in_use.set(use)
    try:
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
    return in_use.get().field


def follow(form: str) -> Field | None:
    """The field that has files of this format, if only one has; the call is then answered in it."""
    field = next((made for made in FIELDS.values() if form in made.formats), None)
    adopt(field, form)
    return field


def adopt(field: Field | None, form: str = "") -> None:
    """Answer the call in a field that the data brings along, where nobody named another."""
    use = in_use.get()
    if field is not None and use is not NO_CALL and use.field is None:
        use.field, use.nouns, use.scale, use.follows = field, field.nouns, field.scale, form


def register_field(made: Field) -> Field:
    """Add a field to those that are known by name, and return it.

    Options:
        made: the field. Its name must not be taken.
    """
    if not isinstance(made, Field):
        raise InputTypeError(f"a field is a clusterscore.Field, not {a_type(made)}")
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
