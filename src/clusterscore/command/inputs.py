"""What is compared: the arguments and options that all commands share which take two clusterings."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import click

from clusterscore.align import BACKGROUND, MISSING, NOISE_AS
from clusterscore.align.noise import other_spelling
from clusterscore.align.policies import BY_SIDE
from clusterscore.command.group import Decorator, column_option, option
from clusterscore.read.clustering import Clustering
from clusterscore.read.file import COLUMNS, OFFSETS, STEP, File, Frames, ReadOptions, two_sides
from clusterscore.read.files import read_files
from clusterscore.read.formats import FORMATS, IMAGES, TYPED, by_name
from clusterscore.read.sample import Sample
from clusterscore.read.source import refuse_second_reading


def _once(context: Any, parameter: click.Parameter, values: tuple[str, ...]) -> str | None:
    if len(values) > 1:
        raise click.UsageError(
            f"{parameter.opts[0]} is given {len(values)} times ({', '.join(values)}); name one column"
        )
    return values[0] if values else None


_FORMATS = list(FORMATS)
OFFSETS_OPTION = option("--offsets", "Coreference in JSON: the unit of positions.", OFFSETS, default=OFFSETS[0])
_BOTH: tuple[Decorator, ...] = (
    column_option("--element", "Column with the element id (default: element)."),
    column_option("--cluster", "Column with the cluster, in both files (default: cluster)."),
    column_option("--document --documents document", "Column with the document (default: document, if it exists)."),
    option(
        "--format-in format",
        "Format of the files, if it is not recognized. For lists in JSON: clusters if each is a cluster with its "
        "elements, memberships if each is an element with its clusters.",
        _FORMATS,
    ),
    OFFSETS_OPTION,
    option(
        "--no-header",
        "CSV has no header; its columns are called 1, 2, ... (default: element 1, cluster 2).",
        is_flag=True,
    ),
)
_GRADE = column_option("--grade", "Column with the weight of each row, if elements belong to clusters by weights.")
_OF_ONE_SIDE: dict[str, tuple[str, dict[str, Any]]] = {  # with the option of both sides
    "element": ("--element", {"metavar": "COL"}),
    "document": ("--document", {"metavar": "COL"}),
    "grade": ("--grade", {"metavar": "COL"}),
    "format": ("--format-in", {"choice": _FORMATS, "metavar": "FORMAT"}),
    "no-header": ("--no-header", {"is_flag": True}),
}
_LABELS: tuple[Decorator, ...] = (
    option("--step", "RTTM: length of a frame.", type=float, default=STEP, metavar="SECONDS"),
    option(
        "--frames",
        "RTTM: a frame belongs to whoever speaks in its middle, or as in dscore, at its first instant.",
        get_args(Frames),
        default="middle",
    ),
    option(
        "--noise",
        "Label that means 'not clustered' (repeatable; '' is an empty cell).",
        metavar="LABEL",
        multiple=True,
    ),
    option("--noise-as", "How to treat noise.", NOISE_AS, default="singleton"),
    option("--background", "Images: leave out pixels with label 0, on which side (default: keep them).", BACKGROUND),
)
MATCHING: tuple[Decorator, ...] = (
    option(
        "--singletons",
        "Coreference: keep or drop entities with a single mention, on each side (default: keep).",
        ["keep", "drop"],
    ),
    option(
        "--match",
        "Coreference: when two mentions count as the same (default: exact).",
        ["exact", "head", "partial"],
    ),
    option(
        "--zeros",
        "CorefUD: match empty nodes by their place or by what they depend on (default: linear).",
        ["linear", "dependent"],
    ),
    option(
        "--cross-document",
        "Coreference: treat an id as the same entity in all documents.",
        is_flag=True,
        flag_value=True,
        default=None,
    ),
)
UEM = option(
    "--uem", "RTTM: file with the regions to evaluate (default: from the first turn to the last).", metavar="FILE"
)
COREF = option("--coref coreference", "The same as --field coreference.", is_flag=True)
_MISSING = option("--missing", "What to do with elements on one side only, or in no cluster.", MISSING, default="error")


def _column(word: str, side: str, whose: str) -> Decorator:
    text = f"Column with the {whose} cluster, in {word.upper()} (default: cluster) or in a single file with both sides."
    return column_option(f"--{word} {side}_cluster", text, multiple=True, callback=_once)


def _reading(gold: str = "gold", pred: str = "pred", labels: tuple[Decorator, ...] = _LABELS) -> tuple[Decorator, ...]:
    """How both sides are read, by what they are called here."""
    apart = (
        option(f"--{word}-{name} {side}_{name.replace('-', '_')}", f"Two files: {both} for {word.upper()} only.", **how)
        for name, (both, how) in _OF_ONE_SIDE.items()
        for side, word in (("gold", gold), ("pred", pred))
    )
    return (_column(gold, "gold", gold), *_BOTH, _GRADE, *apart, *labels)


def pair_columns(**values: str) -> tuple[Decorator, ...]:
    """The columns of a table of pairs: its two ends, and what else each pair has."""
    columns = {"left": "one element of a pair", "right": "the other element of a pair", **values}
    return tuple(
        column_option(f"--{name}", f"Column with {what} (default: recognized by name).")
        for name, what in columns.items()
    )


def files_argument(name: str, metavar: str, required: bool = False) -> Decorator:
    """Any number of files, each with the name of its system: ``ours=out/a.csv``, or what the file is called."""
    return click.argument(name, nargs=-1, required=required, metavar=f"[NAME=]{metavar}...", callback=_named_files)


def _named_files(context: Any, parameter: Any, texts: tuple[str, ...]) -> dict[str, str]:
    """Systems' names by file."""
    given = [_name_and_file(text) for text in texts]
    files = [file for _, file in given]
    refuse_second_reading(files)
    _refuse_twice(files, "{!r} is given twice; give each once")
    short = short_names(file for name, file in given if name is None)
    names = {file: name or short[file] for name, file in given}
    _refuse_twice(list(names.values()), "two systems are called {!r}; give each its own name, as in NAME=FILE")
    return names


def _refuse_twice(given: Sequence[str], message: str) -> None:
    for name in given:
        if given.count(name) > 1:
            raise click.UsageError(message.format(name))


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
        *_reading(gold, pred, _LABELS if gold == "gold" else _LABELS[:-1]),
    )


PAIR = (*_pair(), _MISSING, *MATCHING, UEM)  # of which FilesOfSystems.one() is made
VERSIONS = _pair("old", "new", "new")  # and of these


def _names(context: Any, parameter: Any, texts: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name.strip() for text in texts for name in text.split(",") if name.strip())


SHOW = column_option(
    "--show",
    "Columns of GOLD or PRED to show with each element, such as name,address.",
    multiple=True,
    callback=_names,
)
BY = column_option("--by", "Column of GOLD with groups of elements (slices): also score each group.")
_LISTED: dict[str, Any] = {"metavar": "LABEL", "multiple": True, "callback": lambda *given: list(given[-1]) or None}
NAMED: tuple[Decorator, ...] = (  # gold clusters
    option("--old", "Gold cluster that is an old class (repeatable): also score old and new elements.", **_LISTED),
    option("--only", "Gold cluster that is scored (repeatable), with the predicted ones that touch it.", **_LISTED),
)
_PREDICTIONS = (
    files_argument("preds", "PRED"),
    column_option(
        "--pred pred_clusters",
        "Column with the predicted cluster, in all PRED or in a single file (repeat for each system).",
        multiple=True,
    ),
)
# of which FilesOfSystems.several() is made
SYSTEMS: tuple[Decorator, ...] = (click.argument("gold"), *_PREDICTIONS, *_reading(), _MISSING, *MATCHING, UEM)
SAMPLED: tuple[Decorator, ...] = (click.argument("gold", metavar="SAMPLE"), *_PREDICTIONS, *_reading(labels=()))
FILE = _BOTH  # of which file_named() is made
GOLD: tuple[Decorator, ...] = (click.argument("gold"), *_BOTH, *_LABELS[2:], _MISSING)  # and of these
ALIKE: tuple[Decorator, ...] = (  # of which alike_files() makes a File each
    files_argument("files", "FILE", required=True),
    column_option("--column columns", "Single file: column with clusters (repeat for each clustering).", multiple=True),
    *_BOTH,
    _GRADE,
    *_LABELS,
    _MISSING,
)


def sample_option(names: str) -> Decorator:
    """How a sampled gold was drawn."""
    return option(
        names,
        "Gold is a sample of whole clusters, and scores are estimates of the whole. uniform: every entity had the same "
        "chance; size: records were drawn, and their entities labelled; COL: a column with 1 / the probability of "
        "drawing the cluster.",
        metavar="uniform|size|COL",
    )


DRAWN: tuple[Decorator, ...] = (
    column_option("--strata", "With --sample: column with the group that the cluster was drawn from."),
    option("--drawn", "Output of draw-sample, instead of --sample and --strata.", metavar="FILE"),
)
SAMPLE: tuple[Decorator, ...] = (sample_option("--sample"), *DRAWN)  # of which sample_of() makes a Sample


def sample_of(gold: File, given: dict[str, Any]) -> Sample | None:
    """Gold as a sample, where the options of a command say that it is one; they are taken out."""
    how = {
        name: given.pop(option) for name, option in (("weights", "sample"), ("strata", "strata"), ("drawn", "drawn"))
    }
    if all(value is None for value in how.values()):
        return None
    if given.get("noise", ()) in ((), None):  # what it means matters where there is any
        given.pop("noise_as", None)
        given.pop("noise", None)
    return Sample(gold, **how)


def file_named(path: str, given: dict[str, Any], *others: File) -> File:
    """A file that is read as the options of a command say, which are taken out; noise may be in other files too."""
    file = File(path, **vars(_taken(given)))
    _name_noise([file, *others], given)
    return file


def alike_files(given: dict[str, Any]) -> dict[str, File]:
    """Clusterings of which none is gold, by their names: files, or the columns of one file."""
    names, columns = given.pop("files"), given.pop("columns")
    if columns and len(names) > 1:
        raise click.UsageError(f"--column is for one file with all clusterings, and there are {len(names)}")
    if len(columns or names) < 2:
        raise click.UsageError("pass at least two files, or one file with a --column COL for each clustering")
    _refuse_twice(columns, "{!r} is given twice; give each once")
    how = _taken(given)
    files = {name: File(path, **vars(how)) for path, name in names.items()}
    if columns:
        (file,) = files.values()
        files = {name: replace(file, cluster=name) for name in columns}
    _name_noise(files.values(), given)
    return files


def _taken(given: dict[str, Any], side: str = "") -> ReadOptions:
    """How files are read, as the options of both sides say, or those of one; they are taken out."""
    names = [name for name in (*COLUMNS, "format", "step", "frames", "offsets") if f"{side}{name}" in given]
    options = {name: given.pop(f"{side}{name}") for name in names}
    return ReadOptions(header=not given.pop(f"{side}no_header", False), **options)


def _name_noise(files: Iterable[File], given: dict[str, Any]) -> None:
    """Labels as Python names them: in a Parquet file or an array they may be numbers, which are texts here."""
    if "noise" not in given:
        return
    labels: list[Any] = [label or None for label in given["noise"]]
    if any((file.format or by_name(file.name)) in (*TYPED, *IMAGES) for file in files):
        numbers = [other_spelling(label) for label in labels if label is not None]
        labels += [number for number in numbers if number is not None]
        for name in ("old", "only"):
            if given.get(name) is not None:
                given[name] = [
                    label if other_spelling(label) is None else other_spelling(label) for label in given[name]
                ]
    given["noise"] = labels or None
    if not labels and given["noise_as"] not in BY_SIDE:
        given["noise_as"] = "singleton"


class FilesOfSystems:
    """Gold and the predictions of some systems by name, in files of their own or in columns of one.

    The options that say how they are read are taken from those of the command, and what is left are options of the
    function that it calls.
    """

    def __init__(self, gold: str, preds: Mapping[str, tuple[str | None, str | None]], given: dict[str, Any]):
        self.in_one_file = any(path is None for path, _ in preds.values())
        both, own, other = (_taken(given, side) for side in ("", "gold_", "pred_"))
        sides = {
            name: two_sides(both, own, replace(other, cluster=column), tables=1 if self.in_one_file else 2)
            for name, (_, column) in preds.items()
        }
        self.gold = File(gold, **vars(next(iter(sides.values()))[0]))
        self.preds = {name: File(preds[name][0] or gold, **vars(pred)) for name, (_, pred) in sides.items()}
        files = [self.gold, *self.preds.values()]
        self.paths = list(dict.fromkeys(file.name for file in files))  # each once
        _name_noise(files, given)

    @classmethod
    def one(cls, given: dict[str, Any]) -> FilesOfSystems:
        """Two files, or two columns of one."""
        gold, pred, column = given.pop("gold"), given.pop("pred"), given.pop("pred_cluster")
        named = [name for name in (given["gold_cluster"], column) if name is not None]
        if pred is None and not named:
            raise click.UsageError("pass two files, GOLD and PRED, or one file with --gold COL and --pred COL")
        if pred is None and len(named) < 2:
            raise click.UsageError("--gold COL and --pred COL go together in one file; or name a second file, PRED")
        return cls(gold, {"": (pred, column)}, given)

    @classmethod
    def several(cls, given: dict[str, Any], gold_word: str = "GOLD") -> FilesOfSystems:
        """What is read for each system, by its name: a file or a column, with gold."""
        gold, preds, columns = given.pop("gold"), given.pop("preds"), given.pop("pred_clusters")
        if preds and len(columns) > 1:
            raise click.UsageError(
                f"--pred is given {len(columns)} times ({', '.join(columns)}); with files, one --pred names the column "
                "of all PRED"
            )
        if not preds and given["gold_cluster"] is None and not columns:
            raise click.UsageError(
                f"pass files, {gold_word} and PRED..., or a single file with --gold COL and a --pred COL for each "
                "system"
            )
        if not preds and (given["gold_cluster"] is None or not columns):
            raise click.UsageError("--gold COL and --pred COL go together in one file; or name more files, PRED...")
        _refuse_twice(columns, "{!r} is given twice; give each once")
        if _name_and_file(gold)[0] is not None and not os.path.exists(gold):
            raise click.UsageError(
                f"{gold!r} comes first, but {gold_word} takes no name; write {gold_word} before the systems"
            )
        column = columns[0] if columns else None
        systems: dict[str, tuple[str | None, str | None]] = {name: (path, column) for path, name in preds.items()}
        return cls(gold, systems or {name: (None, name) for name in columns}, given)

    def read_texts(self, names: Iterable[str], **columns: str | None) -> tuple[Any, Any, Any, dict[str, Any]]:
        """The same, and the columns with a text for each element, by their names."""
        gold, preds, values = self.read(**{f"show {name}": name for name in names}, **columns)
        return gold, preds, values, {name: values[f"show {name}"] for name in names}

    def read(self, **columns: str | None) -> tuple[Clustering, dict[str, Clustering], dict[str, Any]]:
        """Gold, each prediction by the name of its system, and further columns of their files, read into memory."""
        also = {what: column for what, column in columns.items() if column is not None}
        files_read = read_files(
            {"gold": self.gold, **{f"pred {name}": file for name, file in self.preds.items()}}, also
        )
        return files_read["gold"], {name: files_read[f"pred {name}"] for name in self.preds}, files_read.columns


def short_names(paths: Iterable[str]) -> dict[str, str]:
    """Files by what they are called without folder and ending, as long as these differ."""
    stems = {path: Path(path).name.partition(".")[0] or path for path in paths}
    return stems if len(set(stems.values())) == len(stems) else {path: path for path in stems}
