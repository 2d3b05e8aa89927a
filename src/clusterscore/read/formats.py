"""Which format a file has, by its name or by what is in it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from clusterscore.exceptions import FileError, one_of
from clusterscore.fields import tries
from clusterscore.messages import Message, Option, Wording
from clusterscore.read.columns import is_heading
from clusterscore.read.json_file import is_json
from clusterscore.read.source import BOM, PACKED, Source

TABLES = ("csv", "tsv", "parquet", "jsonl", "arrow")
TYPED = ("parquet", "arrow")  # tables whose columns have types; all else is text
FORMATS: dict[str, tuple[str, ...]] = {  # with the endings of their files
    "csv": (".csv",),
    "tsv": (".tsv", ".tab"),
    "parquet": (".parquet", ".pq"),
    "jsonl": (".jsonl", ".ndjson"),
    "arrow": (".feather", ".arrow", ".ipc"),
    "json": (".json",),
    "labels": (".labels",),
    "npy": (".npy",),
    "npz": (".npz",),
    "tif": (".tif", ".tiff"),
    "clusters": (".clusters",),
    "elements": (".elements",),
    "memberships": (".memberships",),
    "senses": (".key",),
    "links": (".links", ".edges"),
    "lengths": (".lengths",),
    "boundaries": (".boundaries",),
    "rttm": (".rttm",),
    "conll": (".conll", "_conll", "_skel", ".skel"),
    "corefud": (".conllu",),
    "jsonlines": (".jsonlines",),
    "conllua": (".conllua",),
    "litbank": (".ann",),
}
IMAGES = ("npy", "npz", "tif")  # formats of arrays
COREFERENCE = "coreference"  # one of the last five: the file tells which
MENTIONS = ("conll", "corefud", "jsonlines", "conllua", "litbank", COREFERENCE)
RTTM_TYPES = {
    *("SPEAKER", "SPKR-INFO", "LEXEME", "NON-LEX", "NON-SPEECH", "FILLER", "EDIT", "SU", "IP", "CB", "A/P", "SEGMENT"),
    *("NOSCORE", "NO_RT_METADATA"),
}

_BINARY = {  # by their first four bytes
    b"PAR1": "parquet", b"ARRO": "arrow", b"\x93NUM": "npy",
    **dict.fromkeys((b"II*\0", b"MM\0*", b"II+\0", b"MM\0+"), "tif"),
}  # fmt: skip
_NPZ = re.compile(rb"PK\x03\x04.{26}[^/]{0,99}\.npy", re.DOTALL)
_PICKLE = rb"\x80[\x02-\x05]"


def _by_pandas(what: str, reader: str) -> Wording:
    return Wording(f"save {what} as CSV, or pass pandas.read_{reader}({{path!r}}) to cs.score", f"save {what} as CSV")


_FOREIGN: dict[bytes, tuple[str, str | Wording]] = {  # first bytes of what is not read here, what it is, and what to do
    rb"PK\x03\x04.*xl/": ("an Excel workbook", _by_pandas("the sheet", "excel")),
    rb"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1": ("an Excel workbook", _by_pandas("the sheet", "excel")),
    rb"PK\x03\x04.{0,99}spreadsheet": ("a spreadsheet", _by_pandas("the sheet", "excel")),
    rb"PK(\x03\x04|\x05\x06)": ("a zip archive", "unpack it, and name the file that was in it"),
    _PICKLE: (
        "a Python pickle",
        Wording(
            "opening it may run a program, so pass what is in it to cs.score if you trust it",
            "opening it may run a program, so save what is in it as CSV if you trust it",
        ),
    ),
    rb"FEA1": ("an old Feather file", _by_pandas("it", "feather")),
    rb"\$FL[23]": ("an SPSS file", _by_pandas("it", "spss")),
    rb"<stata_dta>|[\x71-\x73][\x01\x02]\x01\x00": ("a Stata file", _by_pandas("it", "stata")),
    rb"\x89HDF\r\n\x1a\n": (
        "an HDF5 file",
        Wording(
            "pass pandas.read_hdf({path!r}) to cs.score, or of label images h5py.File({path!r})[name]",
            "save a table in it as CSV, or a label image as .npy",
        ),
    ),
    rb"\x89PNG|\xff\xd8\xff": (
        "a picture",
        Wording(
            "save label images as .tif or .npy, or pass np.asarray(PIL.Image.open({path!r})) to cs.score",
            "save label images as .tif or .npy",
        ),
    ),
    rb"SQLite format 3\0": ("an SQLite database", "export the table as CSV"),
    rb"%PDF-": ("a PDF", "export what is in it as CSV"),
}
_COREFERENCE = re.compile(
    rb"#[ \t]*(begin document|global\.(Entity|columns)|newdoc|newpar|sent_id)|MENTION\tT|"
    rb'[\[{].*"((predicted_)?clusters\w*"\s*:\s*\[\s*\[\s*\[|'  # clusters of spans
    rb'(span_clusters|mention_clusters|coref_chains|corefs|coref_clusters_1)"\s*:)',
    re.DOTALL,
)
_SEPARATORS = {",": ("comma", "csv"), ";": ("semicolon", "csv"), "|": ("bar", "csv"), "\t": ("tab", "tsv")}
_LOOKS_LIKE_JSON = re.compile(r"""[\[{]\s*(\n|["\[{])""")


def by_name(path: str, formats: Mapping[str, tuple[str, ...]] = FORMATS) -> str | None:
    """The format that the ending of a name stands for, in front of ``.gz`` and the like."""
    file = Path(path.lower())
    name = file.stem if file.suffix in (*PACKED, ".zst") else file.name
    return next((form for form, endings in formats.items() if name.endswith(endings)), None)


def form_of(source: Source, form: str | None, has_columns: bool) -> str:
    """The format that the user named, or that shows; ``has_columns`` if the user has named a column."""
    known = form
    if form is not None:
        one_of("format", form, FORMATS)
    else:
        forms = {by_name(path): path for path in reversed(source.files)}
        if len(forms) > 1:
            path, other_path = list(forms.values())[:2]
            raise FileError(
                f"{source.path!r} matches files of {len(forms)} kinds (e.g. {path!r} and {other_path!r}); match one "
                "kind, or pass ",
                Option("format", "..."),
            )
        known = _BINARY.get(source.look().start[:4], *forms)
    start = source.look().start
    is_archive = _NPZ.match(start) is not None
    if form is None and is_archive:
        known = "npz"
    for magic, (what, remedy) in ({} if is_archive else _FOREIGN).items():
        is_pickle = magic == _PICKLE and source.files[0].lower().endswith((".pkl", ".pickle"))
        if re.match(magic, start, re.DOTALL) or is_pickle:
            if isinstance(remedy, Wording):
                remedy = remedy._replace(python=remedy.python.format(path=source.files[0]))
            raise FileError(f"{source.called} is {what}; ", remedy)
    if form is not None:
        return form
    text_or_json = known in (None, "jsonl", "json", "senses")  # a key is gold in coreference, too
    shows = text_or_json and (tries(COREFERENCE) or _COREFERENCE.match(start.removeprefix(BOM).lstrip()))
    if shows or known in MENTIONS:
        return COREFERENCE
    if known is None and tries("senses") and not has_columns:
        known = "senses"
    if known is not None:
        return known
    source.guessed = True
    text = start.decode("utf-8-sig", "replace")
    # the rest is read only where the start does not tell: it may be large
    return _by_start(text, has_columns) or by_content(source.text(), has_columns, source.called)


def stream_table(source: Source, header: bool = True) -> str | None:
    """The kind of table that page streams are in; None where they are numbers in lines, or lists in JSON."""
    start = source.look().start
    if (form := _BINARY.get(start[:4])) in TYPED:
        return form
    body = start.decode("utf-8-sig", "replace").lstrip()
    first = body.partition("\n")[0]
    if body[:1] == "{":
        return _by_start(body, has_columns=True)
    is_table = body[:1] != "[" if not header else body[:1].isalpha() or body[:1] in ('"', "_")
    return ("tsv" if "\t" in first else "csv") if is_table else None


def _by_start(text: str, has_columns: bool) -> str | None:
    body = text.lstrip()
    first, _, rest = body.partition("\n")
    if body[:1] in ("[", "{"):
        return "jsonl" if rest.strip() and is_json(first) else None
    below = [row.strip() for row in rest.splitlines()]
    if body and (has_columns or any(is_heading(first.strip(), below, separator) for separator in _SEPARATORS)):
        return "tsv" if "\t" in first else "csv"
    return None


def looks_like_json(text: str) -> bool:
    """Whether a text is a list or an object of JSON, or was meant to be one: its reader says where it is broken."""
    body = text.lstrip()
    broken = _LOOKS_LIKE_JSON.match(body) is not None and re.search('[",:]', body) is not None
    return body[:1] in ("[", "{") and (is_json(body) or broken)


def by_content(text: str, has_columns: bool, called: str = "the file") -> str:
    """The format of a text whose name says nothing; an error where it may be a table, or something else."""
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
    lines = body.rstrip().splitlines()
    for separator, (name, form) in _SEPARATORS.items():
        number = lines[0].count(separator)
        if not number or any(line.count(separator) != number for line in lines):
            continue
        # the name of a column is no value of it: a first line whose last word comes again is data
        last = [line.rpartition("\t")[2].strip() for line in lines]
        if separator == "\t" and number == 1 and last[0] in last[1:]:
            return "elements"
        rows = Message(Option("header", False), ", ")
        if separator == "\t" and number == 1:
            rows = Message(Option("format", "elements"), " if it has no header, ")
        raise FileError(
            f"{called}: every line has {number} {name}{'s' * (number > 1)}, so it may be a table or a list of odd "
            "labels; pass ",
            Option("format", form),
            f" if it is a table (or call it .{form}), ",
            rows,
            "or ",
            Option("format", "labels"),
            " if each line is a label",
        )
    return "clusters" if any(len(line.split(None, 1)) > 1 for line in lines) else "labels"
