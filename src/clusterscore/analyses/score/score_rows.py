"""Scores by name: several responses to one key, or several data sets with their mean, a row each."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from clusterscore.analyses.request import Metrics, errors_of, options_checked
from clusterscore.analyses.score.scorecard import Scorecard
from clusterscore.analyses.score.scoring import score
from clusterscore.exceptions import FileError, InputError, InputTypeError, a_type, warn_user
from clusterscore.metrics.score_type import Score
from clusterscore.nouns import plural
from clusterscore.show.description import Column, Description, score_columns
from clusterscore.show.result import ByMetric, Result, named_columns
from clusterscore.version import __version__

MEAN = "mean"


class ScoresByName(Result, Mapping[str, Scorecard]):
    """Scorecards by name: of several responses, or of several data sets, which have a ``mean``.

    The mean is unweighted, whatever the size of the data sets: ``result.mean["conll"].value`` is what shared tasks
    rank by.
    """

    in_unit = True

    def __init__(self, cards: Mapping[str, Scorecard], what: str = "data_sets"):
        self._cards, self._what = dict(cards), what
        first = next(iter(self._cards.values()))
        odd = next((name for name, card in self._cards.items() if list(card) != list(first)), None)
        if odd is not None:
            raise InputError(
                f"{odd!r} is scored with other default metrics than {next(iter(self._cards))!r}; name some for all"
            )
        self.metrics = list(first)

    def __getitem__(self, name: str) -> Scorecard:
        return self._cards[name]

    def __iter__(self) -> Any:
        return iter(self._cards)

    def __len__(self) -> int:
        return len(self._cards)

    @property
    def mean(self) -> ByMetric[Score]:
        """The unweighted mean over data sets, by metric."""
        return ByMetric({name: _mean([card[name] for card in self._cards.values()]) for name in self.metrics})

    @property
    def scores(self) -> dict[str, Mapping[str, Score]]:
        """All scores by name and metric, those of the mean too where there is one."""
        return {**self._cards, **({MEAN: self.mean} if self._what == "data_sets" else {})}

    def description(self) -> Description:
        """A row per name with the score of every metric, and the mean of data sets."""
        elements = {name: card.to_dict()["elements"] for name, card in self._cards.items()}
        rows = [
            SimpleNamespace(name=name, elements=elements.get(name), scores=scores)
            for name, scores in self.scores.items()
        ]
        columns = [
            Column(self._what[:-1], "name", heading=self._what.replace("_", " ")[:-1], is_name=True),
            Column("elements"),
            *named_columns(self.metrics, self.use.scale),
        ]
        first = next(iter(self._cards.values())).description()
        below = [", ".join(first.options), *first.below]
        bold = {(len(rows) - 1, 0)} if self._what == "data_sets" else set()
        return Description(columns, rows, below=below, look={"bold": bold, "whole": True})

    def records(self) -> list[dict[str, Any]]:
        """A row per name and metric, in full precision."""
        columns = [Column(self._what[:-1], "name"), Column("metric")]
        columns += score_columns(programs=("value", "precision", "recall", "f", "signature"))
        rows = [
            SimpleNamespace(name=name, metric=metric, score=scores[metric])
            for name, scores in self.scores.items()
            for metric in self.metrics
        ]
        return Description(columns, rows).records()

    def to_dict(self) -> dict[str, Any]:
        """The scores by name, and the mean of data sets."""
        cards = {name: card.to_dict() for name, card in self._cards.items()}
        for card in cards.values():
            del card["version"]  # it is that of all
        mean = {"scores": {name: score.to_dict() for name, score in self.mean.items()}}
        return {
            self._what: cards,
            **({MEAN: mean} if self._what == "data_sets" else {}),
            "version": __version__,
        }


def _mean(scores: list[Score]) -> Score:
    """The mean of some scores; what is missing from one of them has none."""

    def mean(part: str) -> float | None:
        values = [getattr(score, part) for score in scores]
        return None if None in values else sum(values) / len(values)

    signature = scores[0].signature.replace("|v:", "|over:data-sets|v:")
    return Score(mean("value") or 0.0, mean("precision"), mean("recall"), signature)


@options_checked
def score_data_sets(
    gold: Any, pred: Any = None, *, metrics: Metrics = None, average: Any = "micro", **options: Any
) -> ScoresByName:
    """Score several data sets: a row each, and the unweighted mean, by which shared tasks rank.

    Options:
        gold: a folder with a gold file for each data set; or a mapping of names to (gold, prediction).
        pred: the folder with the predictions, in files of the same names.
        metrics: as in :func:`score`, as are all other options.

    Returns:
        Scorecards by the name of the data set: ``result["de"]["conll"].f``, and ``result.mean["conll"].value``.

    >>> import clusterscore as cs
    >>> pairs = {"a": ([0, 0, 1], [0, 0, 1]), "b": ([0, 0, 1, 1], [0, 1, 1, 1])}
    >>> result = cs.score_data_sets(pairs, metrics="elm")
    >>> result["a"]["elm"].f, round(result.mean["elm"].f, 4)
    (1.0, 0.6667)
    """
    pairs = gold if pred is None else paired_files(gold, pred)
    if not isinstance(pairs, Mapping) or not pairs:
        raise InputTypeError("pass two folders, or a mapping of names to (gold, prediction), one for each data set")
    cards: dict[str, Scorecard] = {}
    for name, both in pairs.items():
        if not isinstance(both, tuple | list) or len(both) != 2:
            raise InputTypeError(f"data set {name!r} is {a_type(both)}; pass a pair, (gold, prediction)")
        with errors_of(f"data set {name!r}"):
            cards[name] = score(both[0], both[1], metrics=metrics, average=average, **options)
    return ScoresByName(cards)


def are_folders(gold: Any, pred: Any) -> bool:
    """Whether both sides are folders, with a file for each data set."""
    paths = [side for side in (gold, pred) if isinstance(side, str | os.PathLike) and os.path.isdir(side)]
    return len(paths) == 2


def paired_files(gold: Any, pred: Any) -> dict[str, tuple[str, str]]:
    """The files of two folders that have the same names, without their endings; each gold needs its prediction."""
    sides = [_files(folder) for folder in (gold, pred)]
    absent = [name for name in sides[0] if name not in sides[1]]
    if absent:
        raise FileError(
            f"{plural(len(absent), 'file')} of {os.fspath(gold)!r} without one of the same name in {os.fspath(pred)!r} "
            f"(e.g. {sides[0][absent[0]].name!r}); every data set needs its prediction"
        )
    extra = [name for name in sides[1] if name not in sides[0]]
    if extra:
        example = sides[1][extra[0]].name
        warn_user(f"{plural(len(extra), 'file')} of {os.fspath(pred)!r} without gold (e.g. {example!r}); left out")
    return {name: (str(file), str(sides[1][name])) for name, file in sides[0].items()}


def _files(folder: Any) -> dict[str, Path]:
    """The files of a folder by what they are called, without ending; hidden ones are none."""
    is_path = isinstance(folder, str | os.PathLike)
    if not is_path or not os.path.isdir(folder):
        what = repr(os.fspath(folder)) if is_path else a_type(folder)
        raise FileError(f"{what} is not a folder; pass two folders, with a file for each data set")
    files: dict[str, Path] = {}
    for file in sorted(Path(folder).iterdir()):
        if file.is_file() and not file.name.startswith("."):
            name = file.name.partition(".")[0]
            if name in files:
                raise FileError(
                    f"{os.fspath(folder)!r} has two files for the data set {name!r}, {files[name].name!r} and "
                    f"{file.name!r}; keep one of them"
                )
            files[name] = file
    if not files:
        raise FileError(f"{os.fspath(folder)!r} has no files; put one into it for each data set")
    return files
