"""What is compared: the arguments and options that all commands share which take two clusterings."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from clusterscore.align import MISSING, NOISE_AS, Policy
from clusterscore.align.noise import other_spelling
from clusterscore.command.group import Decorator, option
from clusterscore.progress import step as progress_step
from clusterscore.read.file import STEP, File, ReadOptions, file_of, two_sides
from clusterscore.read.files import FilesRead, read_files
from clusterscore.read.formats import FORMATS, TABLES, TYPED, by_name
from clusterscore.read.source import Source, refuse_second_reading

_LARGE = 1 << 23  # bytes: tables above this are counted in DuckDB, the others in memory


def _once(context: Any, parameter: click.Parameter, values: tuple[str, ...]) -> str | None:
    if len(values) > 1:
        raise click.UsageError(
            f"{parameter.opts[0]} is given {len(values)} times ({', '.join(values)}); name one column"
        )
    return values[0] if values else None


_FORMATS = list(FORMATS)
_NO_HEADER: dict[str, Any] = {"is_flag": True, "callback": lambda context, parameter, given: not given}
_BOTH: tuple[Decorator, ...] = (
    option("--element", "Column with the element id (default: element).", metavar="COL"),
    option("--cluster", "Column with the cluster, in both files (default: cluster).", metavar="COL"),
    option(
        "--document --documents document", "Column with the document (default: document, if it exists).", metavar="COL"
    ),
    option(
        "--format-in format",
        "Format of the files, if it is not recognized. For lists in JSON: clusters if each is a cluster with its "
        "elements, memberships if each is an element with its clusters.",
        _FORMATS,
    ),
    option(
        "--no-header header",
        "CSV has no header; its columns are called 1, 2, ... (default: element 1, cluster 2).",
        **_NO_HEADER,
    ),
)
_OF_ONE_SIDE: tuple[tuple[str, str, str, dict[str, Any]], ...] = (  # option, parameter, option of both sides
    ("element", "element", "element", {"metavar": "COL"}),
    ("document", "document", "document", {"metavar": "COL"}),
    ("format", "format", "format-in", {"choice": _FORMATS, "metavar": "FORMAT"}),
    ("no-header", "header", "no-header", _NO_HEADER),
)
_LABELS: tuple[Decorator, ...] = (
    option("--step", "RTTM: length of a frame.", type=float, default=STEP, metavar="SECONDS"),
    option(
        "--noise",
        "Label that means 'not clustered' (repeatable; '' is an empty cell).",
        metavar="LABEL",
        multiple=True,
    ),
    option("--noise-as", "How to treat noise.", NOISE_AS, default="singleton"),
)
_MISSING = option("--missing", "What to do with elements on one side only, or in no cluster.", MISSING, default="error")


def _column(word: str, side: str, whose: str) -> Decorator:
    text = f"Column with the {whose} cluster, in {word.upper()} (default: cluster) or in a single file with both sides."
    return option(f"--{word} {side}_cluster", text, metavar="COL", multiple=True, callback=_once)


def _reading(gold: str = "gold", pred: str = "pred", labels: tuple[Decorator, ...] = _LABELS) -> tuple[Decorator, ...]:
    """How both sides are read, by what they are called here."""
    apart = (
        option(f"--{word}-{name} {side}_{what}", f"Two files: --{both} for {word.upper()} only.", **settings)
        for name, what, both, settings in _OF_ONE_SIDE
        for side, word in (("gold", gold), ("pred", pred))
    )
    return (_column(gold, "gold", gold), *_BOTH, *apart, *labels)


def pair_columns(**values: str) -> tuple[Decorator, ...]:
    """The columns of a table of pairs: its two ends, and what else each pair has."""
    columns = {"left": "one element of a pair", "right": "the other element of a pair", **values}
    return tuple(
        option(f"--{name}", f"Column with {what} (default: recognized by name).", metavar="COL")
        for name, what in columns.items()
    )


def files_argument(name: str, metavar: str, required: bool = False) -> Decorator:
    """Any number of files, each with the name of its system: ``ours=out/a.csv``, or what the file is called."""

    def named(context: Any, parameter: Any, texts: tuple[str, ...]) -> dict[str, str]:
        return _named_files([_name_and_file(text) for text in texts])

    return click.argument(name, nargs=-1, required=required, metavar=f"[NAME=]{metavar}...", callback=named)


def _named_files(given: list[tuple[str | None, str]]) -> dict[str, str]:
    """Systems' names by file."""
    files = [file for _, file in given]
    refuse_second_reading(files)
    _refuse_twice(files, "{!r} is given twice")
    short = short_names(file for name, file in given if name is None)
    names = {file: name or short[file] for name, file in given}
    _refuse_twice(list(names.values()), "two systems are called {!r}; give each its own name, as in NAME=FILE")
    return names


def _refuse_twice(given: Sequence[str], message: str) -> None:
    for each in given:
        if given.count(each) > 1:
            raise click.UsageError(message.format(each))


def _name_and_file(text: str) -> tuple[str | None, str]:
    """``ours=a.csv`` as name and file; a file whose own path has = in it has no name."""
    name, _, file = text.partition("=")
    if not name or not file or {"/", os.sep} & set(name) or os.path.exists(text) or glob.glob(text):
        return None, text
    return name, file


def _pair(gold: str = "gold", pred: str = "pred", predicted: str = "predicted") -> tuple[Decorator, ...]:
    return (
        click.argument("gold", metavar=gold.upper()),
        click.argument("pred", required=False, metavar=f"[{pred.upper()}]"),
        _column(pred, "pred", predicted),
        *_reading(gold, pred),
    )


PAIR = (*_pair(), _MISSING)  # of which an Inputs is made
VERSIONS = _pair("old", "new", "new")  # and of these, with missing
BY = option("--by", "Column of GOLD with groups of elements (slices): also score each group.", metavar="COL")
_PREDS = "Column with the predicted cluster, in all PRED or in a single file (repeat for each system)."
SYSTEMS: tuple[Decorator, ...] = (  # of which systems_of() makes an Inputs each
    click.argument("gold"),
    files_argument("preds", "PRED"),
    option("--pred pred_clusters", _PREDS, metavar="COL", multiple=True),
    *_reading(),
    _MISSING,
)
SAMPLED: tuple[Decorator, ...] = (  # the same, without policies
    click.argument("gold", metavar="SAMPLE"),
    files_argument("preds", "PRED"),
    option("--pred pred_clusters", _PREDS, metavar="COL", multiple=True),
    *_reading(labels=()),
)
FILE = _BOTH  # of which options_of() makes how files are read
GOLD: tuple[Decorator, ...] = (click.argument("gold"), *_BOTH, *_LABELS[1:], _MISSING)  # of an Inputs with one side
ALIKE: tuple[Decorator, ...] = (  # of which alike_files() makes a File each
    files_argument("files", "FILE", required=True),
    option(
        "--column columns",
        "Single file: column with clusters (repeat for each clustering).",
        metavar="COL",
        multiple=True,
    ),
    *_BOTH,
    *_LABELS,
    _MISSING,
)


def options_of(given: dict[str, Any], side: str = "", step: float = STEP) -> ReadOptions:
    """How files are read, as the options of both sides say, or those of one."""
    names = ("element", "cluster", "document", "format", "header")
    return ReadOptions(step=step, **{name: given[f"{side}{name}"] for name in names if f"{side}{name}" in given})


def policy_of(files: Iterable[File], missing: str, noise: Sequence[str], noise_as: str) -> Policy:
    """The policies; a label of a Parquet file may be a number, which is written as text here."""
    labels: list[Any] = [label or None for label in noise]
    if any((file.format or by_name(file.name)) in TYPED for file in files):
        numbers = [other_spelling(label) for label in labels if label is not None]
        labels += [number for number in numbers if number is not None]
    return Policy.of(missing, labels or None, noise_as if labels else "singleton")


class Inputs:
    """Gold and the predictions of some systems by name, in files of their own or in columns of one, with policies."""

    def __init__(
        self,
        gold: str,
        preds: dict[str, tuple[str | None, str | None]],
        *,
        missing: str = "error",
        noise: tuple[str, ...] = (),
        noise_as: str = "singleton",
        step: float = STEP,
        gold_cluster: str | None = None,
        **reading: Any,
    ):
        tables = 1 if any(file is None for file, _ in preds.values()) else 2
        both, own = options_of(reading, step=step), options_of({**reading, "gold_cluster": gold_cluster}, "gold_")
        sides = {
            name: two_sides(both, own, options_of({**reading, "pred_cluster": column}, "pred_"), tables=tables)
            for name, (_, column) in preds.items()
        }
        self.sides = next(iter(sides.values()))
        self.gold = file_of(gold, self.sides[0])
        self.preds = {name: file_of(preds[name][0] or gold, pred) for name, (_, pred) in sides.items()}
        self.missing, self.noise = missing, noise
        self.policy = policy_of(self.files, missing, noise, noise_as)

    @property
    def files(self) -> list[File]:
        """All of them, gold first."""
        return [self.gold, *self.preds.values()]

    @property
    def paths(self) -> list[str]:
        """Each file once."""
        return list(dict.fromkeys(file.name for file in self.files))

    def read(self, *, show: str | None = None, by: str | None = None) -> FilesRead:
        """Gold, and each prediction by the name of its system, read into memory; and columns of their files."""
        also = {what: column for what, column in (("by", by), ("show", show)) if column is not None}
        with progress_step("reading"):
            return read_files({"gold": self.gold, **{f"pred {name}": file for name, file in self.preds.items()}}, also)

    def pairs(self, found: FilesRead) -> dict[str, tuple[Any, Any]]:
        """What was read, as gold and prediction of each system."""
        return {name: (found["gold"], found[f"pred {name}"]) for name in self.preds}

    def are_large_tables(self) -> bool:
        """Whether the files are tables that DuckDB counts faster than Python reads them."""
        if any((file.format or by_name(file.name)) not in TABLES for file in self.files):
            return False
        sources = [Source(path) for path in self.paths]
        return not any(source.is_stream for source in sources) and sum(source.size() for source in sources) > _LARGE


def one_input(gold: str, pred: str | None, pred_cluster: str | None = None, **given: Any) -> Inputs:
    """Two files, or two columns of one."""
    named = [name for name in (given.get("gold_cluster"), pred_cluster) if name is not None]
    if pred is None and not named:
        raise click.UsageError("pass two files, GOLD and PRED, or one file with --gold COL and --pred COL")
    if pred is None and len(named) < 2:
        raise click.UsageError("--gold COL and --pred COL go together in one file; or name a second file, PRED")
    return Inputs(gold, {"": (pred, pred_cluster)}, **given)


def systems_of(
    gold: str, preds: dict[str, str], gold_cluster: str | None, pred_clusters: tuple[str, ...], **given: Any
) -> Inputs:
    """What is read for each system, by its name: a file or a column, with gold."""
    if preds and len(pred_clusters) > 1:
        raise click.UsageError(
            f"--pred is given {len(pred_clusters)} times ({', '.join(pred_clusters)}); with files, one --pred names "
            "the column of all PRED"
        )
    if not preds and gold_cluster is None and not pred_clusters:
        raise click.UsageError(
            "pass files, GOLD and PRED..., or a single file with --gold COL and a --pred COL for each system"
        )
    if not preds and (gold_cluster is None or not pred_clusters):
        raise click.UsageError("--gold COL and --pred COL go together in one file; or name more files, PRED...")
    _refuse_twice(pred_clusters, "{!r} is given twice")
    if _name_and_file(gold)[0] is not None and not os.path.exists(gold):
        raise click.UsageError(f"{gold!r} comes first, but GOLD takes no name; write GOLD before the systems")
    column = pred_clusters[0] if pred_clusters else None
    systems: dict[str, tuple[str | None, str | None]] = {name: (file, column) for file, name in preds.items()}
    return Inputs(gold, systems or {name: (None, name) for name in pred_clusters}, gold_cluster=gold_cluster, **given)


def alike_files(files: dict[str, str], columns: tuple[str, ...], step: float, **given: Any) -> dict[str, File]:
    """Clusterings of which none is gold, by their names: files, or the columns of one file."""
    file, *others = files
    if columns and others:
        raise click.UsageError(f"--column is for one file with all clusterings, and there are {len(files)}")
    if len(columns or files) < 2:
        raise click.UsageError("pass at least two files, or one file with a --column COL for each clustering")
    _refuse_twice(columns, "{!r} is given twice")
    options = options_of(given, step=step)
    if columns:
        return {name: file_of(file, replace(options, cluster=name)) for name in columns}
    return {name: file_of(path, options) for path, name in files.items()}


def short_names(paths: Iterable[str]) -> dict[str, str]:
    """Files by what they are called without folder and ending, as long as these differ."""
    stems = {path: Path(path).name.partition(".")[0] or path for path in paths}
    return stems if len(set(stems.values())) == len(stems) else {path: path for path in stems}
