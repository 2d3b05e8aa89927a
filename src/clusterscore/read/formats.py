"""Which format a file has, by its name or by what is in it."""

from __future__ import annotations

import re
from pathlib import Path

from clusterscore.exceptions import FileError, one_of
from clusterscore.read.json_file import is_json
from clusterscore.read.source import PACKED, Source

TABLES = ("csv", "tsv", "parquet", "jsonl")
FORMATS: dict[str, tuple[str, ...]] = {  # with the endings of their files
    "csv": (".csv",),
    "tsv": (".tsv", ".tab"),
    "parquet": (".parquet", ".pq"),
    "jsonl": (".jsonl", ".ndjson"),
    "json": (".json",),
    "labels": (".labels",),
    "clusters": (".clusters",),
    "elements": (".elements",),
    "memberships": (".memberships",),
    "links": (".links", ".edges"),
    "lengths": (".lengths",),
    "boundaries": (".boundaries",),
    "rttm": (".rttm",),
}
RTTM_TYPES = {
    *("SPEAKER", "SPKR-INFO", "LEXEME", "NON-LEX", "NON-SPEECH", "FILLER", "EDIT", "SU", "IP", "CB", "A/P", "SEGMENT"),
    *("NOSCORE", "NO_RT_METADATA"),
}

_PARQUET = b"PAR1"
_HEADING = {"element", "cluster"}
_LOOKS_LIKE_JSON = re.compile(r"""[\[{]\s*(\n|["\[{])""")


def by_name(path: str) -> str | None:
    """The format that the ending of a name stands for, in front of ``.gz`` and the like."""
    file = Path(path)
    if file.suffix.lower() in (*PACKED, ".zst"):
        file = file.with_suffix("")
    ending = file.suffix.lower()
    return next((form for form, endings in FORMATS.items() if ending in endings), None)


def form_of(source: Source, form: str | None, has_columns: bool) -> str:
    """The format that the user named, or that shows; ``has_columns`` if the user has named a column."""
    if form is not None:
        one_of("format", form, FORMATS)
        return form
    forms = {by_name(path): path for path in reversed(source.files)}
    if len(forms) > 1:
        one, other = list(forms.values())[:2]
        raise FileError(
            f"{source.path!r} matches files of {len(forms)} kinds (e.g. {one!r} and {other!r}); match one kind, or say "
            'format="..."'
        )
    (known,) = forms
    if known is not None:
        return known
    source.guessed = True
    start = source.start()
    if start.startswith(_PARQUET):
        return "parquet"
    text = start.decode("utf-8-sig", "replace")
    # the rest is read only where the start does not tell: it may be large
    return _by_start(text, has_columns) or by_content(source.text(), has_columns)


def _by_start(text: str, has_columns: bool) -> str | None:
    body = text.lstrip()
    first, _, rest = body.partition("\n")
    if body[:1] in ("[", "{"):
        return "jsonl" if rest.strip() and is_json(first) else None
    if body and (has_columns or set(first.replace("\t", ",").replace(";", ",").strip().split(",")) >= _HEADING):
        return "tsv" if "\t" in first else "csv"
    return None


def looks_like_json(text: str) -> bool:
    """Whether a text is a list or an object of JSON, or was meant to be one: its reader says where it is broken."""
    body = text.lstrip()
    return body[:1] in ("[", "{") and (is_json(body) or _LOOKS_LIKE_JSON.match(body) is not None)


def by_content(text: str, has_columns: bool) -> str:
    """The format of a text whose name says nothing."""
    if known := _by_start(text, has_columns):
        return known
    if looks_like_json(text):
        return "json"
    body = text.lstrip()
    first = body.partition("\n")[0]
    if has_columns:
        return "tsv" if "\t" in first else "csv"
    if first.startswith(";;") or (first.split()[:1] and first.split()[0] in RTTM_TYPES and len(first.split()) > 7):
        return "rttm"
    lines = body.rstrip().split("\n")
    if all(line.count("\t") == 1 for line in lines):
        return "elements"
    return "clusters" if any(len(line.split(None, 1)) > 1 for line in lines) else "labels"
