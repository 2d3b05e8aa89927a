"""AgreementMatrix: any two of several clusterings, and the elements on which they differ."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from itertools import permutations
from types import SimpleNamespace
from typing import Any

import numpy as np

from clusterscore.aggregate import AVERAGES, Average, Summary
from clusterscore.align.doubts import undoubted
from clusterscore.align.policies import Background, Missing, NoiseAs
from clusterscore.analyses.diagnose.diagnosis import Diagnosis
from clusterscore.analyses.diagnose.losses import scores_elements
from clusterscore.analyses.request import errors_of, options_checked
from clusterscore.count.counting import as_table
from clusterscore.count.sums import Floats, add_up
from clusterscore.count.table import Table
from clusterscore.distinct import Ints, distinct
from clusterscore.exceptions import InputError, InputTypeError, UnknownName, a_type, nearest, one_of
from clusterscore.metrics import Metric, Score
from clusterscore.metrics import metric as metric_of
from clusterscore.nouns import Field, plural
from clusterscore.progress import step
from clusterscore.read.guess import read_once
from clusterscore.read.labels import encode
from clusterscore.show.columnar import Columns
from clusterscore.show.description import TEXT, Column, Description, score_columns
from clusterscore.show.grid import Grid
from clusterscore.show.result import Result


class AgreementMatrix(Result):
    """The scores of several clusterings against each other.

    ``result["a", "b"]`` is the Score of b with a as gold, ``matrix`` has all values, gold in rows, ``mean`` their mean
    over all pairs of two. ``elements`` has a row per element with its ``consistency`` and its cluster in each
    clustering, those on which they agree least first.

    >>> import clusterscore as cs
    >>> result = cs.agreement_matrix({"ann": [0, 0, 1, 1], "bob": [0, 0, 1, 1], "cleo": [0, 0, 0, 1]})
    >>> result.matrix.tolist()
    [[1.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    """

    def __init__(
        self,
        names: Sequence[str],
        scores: Mapping[tuple[str, str], Score],
        element_metric: str,
        elements: Callable[[], Columns],
        dropped: Mapping[tuple[str, str], tuple[int, int]],
        noise: Mapping[tuple[str, str], tuple[int, int]],
    ):
        self.names, self.element_metric = list(names), element_metric
        self._pairs = list(permutations(self.names, 2))
        self._scores, self._elements = dict(scores), elements
        self.dropped = dropped  # elements that only one of two has, which missing="drop" left out
        self.noise = noise  # elements that noise_as="drop" left out

    def __getitem__(self, names: tuple[str, str]) -> Score:
        if not isinstance(names, tuple) or len(names) != 2:
            raise UnknownName(f"{names!r}: name two clusterings, as in result[{self.names[0]!r}, {self.names[1]!r}]")
        for name in names:
            if name not in self.names:
                raise UnknownName(f"no clustering {name!r}: {nearest(str(name), self.names)}")
        return self._scores[names]

    @property
    def matrix(self) -> Floats:
        """The value for any two clusterings, gold in rows."""
        return np.array([[self[gold, pred].value for pred in self.names] for gold in self.names])

    @property
    def mean(self) -> float:
        """The mean of all values outside the diagonal."""
        return float(np.mean([self[both].value for both in self._pairs]))

    @cached_property
    def elements(self) -> Columns:
        """A row per element, the least consistent first."""
        return self._elements()

    @property
    def signature(self) -> str:
        """What decides the numbers."""
        return self[self._pairs[0]].signature

    def description(self) -> Description:
        """A row for any two clusterings."""
        columns = [Column("gold", kind=TEXT), Column("pred", kind=TEXT), *score_columns()]
        columns.append(Column("signature", "score.signature", heading=None, kind=TEXT))
        rows = [SimpleNamespace(gold=gold, pred=pred, score=self[gold, pred]) for gold, pred in self._pairs]
        return Description(columns, rows)

    def _json_facts(self) -> dict[str, Any]:
        consistency = self.elements["consistency"]
        return {
            "mean": self.mean,
            "consistency": {"mean": float(consistency.mean()), "least": float(consistency[0])},
            "elements": len(consistency),
        }

    def grids(self, digits: int = 4) -> list[Grid]:
        """The matrix, as a printable table."""
        values = self.matrix
        symmetric = np.allclose(values, values.T, rtol=0, atol=1e-12)  # but for rounding
        rows = [[name, *row] for name, row in zip(self.names, values.tolist(), strict=True)]
        consistency, worst = self.elements["consistency"], self.elements["element"][:1].tolist()[0]
        pairs, dropping = plural(len(self._pairs) // 2, "pair"), "|missing:drop" in self.signature
        most = max(map(sum, self.dropped.values()), default=0)
        below = [
            f"mean over {pairs}: {self.mean:z.{digits}f}{'' if symmetric else '; gold in rows'}",
            f"consistency of {plural(len(consistency), 'element')} ({self.element_metric}): mean "
            f"{consistency.mean():z.{digits}f}, least {consistency[0]:z.{digits}f} (e.g. {worst!r})",
            *([f"dropped: up to {plural(most, 'element')} that one of two does not have"] if dropping else []),
            self.signature,
        ]
        return [Grid(["" if symmetric else "gold", *self.names], rows, digits, below=below)]


@options_checked
def agreement_matrix(
    clusterings: Mapping[str, Any],
    *,
    metric: str | Metric = "adjusted_rand",
    element_metric: str | Metric | None = None,
    documents: Any = None,
    average: Average = "micro",
    missing: Missing | None = None,
    noise: Any = None,
    noise_as: NoiseAs | None = None,
    background: Background | None = None,
    field: str | Field | None = None,
) -> AgreementMatrix:
    """How well annotators or runs agree: ``cs.agreement_matrix({"ann": x, "bob": y, "cleo": z})``.

    ``result["ann", "bob"]`` is the Score of "bob" with "ann" as gold. ``result.matrix`` contains all of them, with gold
    in rows, and ``result.mean`` is the mean over all pairs. ``result.elements`` has a row per element, starting with
    those the clusterings agree on least; its ``consistency`` is the element's own F, averaged over all pairs.

    Options:
        clusterings: two or more, by name.
        metric: the metric for each pair of clusterings.
        element_metric: the metric for elements: by default ``elm``, or ``matched_elm`` if clusters overlap.

    Returns:
        The scores of each clustering against each other.

    >>> import clusterscore as cs
    >>> result = cs.agreement_matrix({"ann": [0, 0, 1, 1], "bob": [0, 0, 1, 1], "cleo": [0, 0, 0, 1]})
    >>> round(result.mean, 4), result.elements["element"].tolist()[:2]
    (0.3333, [2, 3])
    """
    if not isinstance(clusterings, Mapping):
        raise InputTypeError(
            f'clusterings is {a_type(clusterings)}, not a mapping; pass {{"ann": x, "bob": y}}, each by a name'
        )
    options = {"documents": documents, "missing": missing, "noise": noise, "noise_as": noise_as}
    options["background"] = background
    one_of("average", average, AVERAGES)
    names = list(clusterings)
    if len(names) < 2:
        has = f"only {names[0]!r}" if names else "none"
        raise InputError(f"agreement needs at least two clusterings, but there is {has}")
    chosen = metric_of(metric)
    scores_elements(element_metric)  # a wrong name is an error before anything is counted
    if counted := [name for name, given in clusterings.items() if isinstance(given, Table)]:
        raise InputTypeError(f"{counted[0]!r} is a Table, which has two sides; pass clusterings")
    sides = {name: read_once(given, name) for name, given in clusterings.items()}
    pairs = list(permutations(names, 2))
    scores: dict[tuple[str, str], Score] = {}
    rows: dict[tuple[str, str], Columns] = {}
    dropped: dict[tuple[str, str], tuple[int, int]] = {}
    left_out: dict[tuple[str, str], tuple[int, int]] = {}
    with step("scoring") as at:
        for k, (a, b) in enumerate(pairs):
            with errors_of(f"{a!r} as gold and {b!r} as pred"):
                table = as_table(sides[a], sides[b], members=True, **options)
            dropped[a, b], left_out[a, b] = table.dropped, table.noise
            scores[a, b] = Summary(chosen.on(table), table).score(average)
            own = scores_elements(element_metric, table)
            rows[a, b] = Diagnosis(own, table).elements()
            at((k + 1) / len(pairs))
        for name, side in sides.items():
            with undoubted(), errors_of(f"{name!r} as gold and {name!r} as pred"):
                table = as_table(side, side, members=True, **options)
            scores[name, name] = Summary(chosen.on(table), table).score(average)
    return AgreementMatrix(names, scores, str(own), lambda: _consistency(names, rows), dropped, left_out)


def _consistency(names: list[str], rows: Mapping[tuple[str, str], Columns]) -> Columns:
    """A row per element, the least consistent first: its mean F over the pairs that have it, and its clusters."""
    parts = list(rows.values())
    keys = [name for name in ("document", "element") if name in parts[0]]
    codes, size = _numbered(parts, keys)
    first = np.full(size, len(codes))
    np.minimum.at(first, codes, np.arange(len(codes)))
    mean = add_up(np.concatenate([part["f"] for part in parts]), codes, size) / np.bincount(codes)
    clusters = {name: np.full(size, None, object) for name in names}
    starts = np.cumsum([0, *map(len, parts)])
    for (name, _), part, start in zip(rows, parts, starts.tolist(), strict=False):
        clusters[name][codes[start : start + len(part)]] = part["gold"]
    order = np.lexsort((first, mean))
    at = {key: np.concatenate([part[key] for part in parts])[first[order]] for key in keys}
    return Columns({**at, "consistency": mean[order], **{name: column[order] for name, column in clusters.items()}})


def _numbered(parts: list[Columns], keys: list[str]) -> tuple[Ints, int]:
    """The number of each element in all parts, one after the other, and how many there are."""
    first = parts[0]
    if all(len(part) == len(first) and all((part[key] == first[key]).all() for key in keys) for part in parts):
        return np.tile(np.arange(len(first)), len(parts)), len(first)
    labels = [encode(np.concatenate([part[key] for part in parts])) for key in keys]
    combinations = distinct(*((column.codes, len(column.names)) for column in labels), codes=True)
    return combinations.codes, len(combinations)
