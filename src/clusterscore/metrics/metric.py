"""Metric: a small frozen object that takes additive numbers from a Table and makes a score of them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import cache, cached_property
from numbers import Real
from typing import Any, ClassVar, Literal, NamedTuple, Self, get_args, get_origin, get_type_hints

import numpy as np

from clusterscore.align.policies import DEFAULT, Policy
from clusterscore.count.counting import as_table
from clusterscore.count.sums import Floats, add_up
from clusterscore.count.table import Need, Table
from clusterscore.distinct import Array
from clusterscore.exceptions import InputError, MetricError, plural
from clusterscore.metrics.score import Score
from clusterscore.version import __version__

Parts = Mapping[
    str, Array
]  # named columns of numbers, a row per document; Python's integers where floats are too small


class Values(NamedTuple):
    """Finished scores, one row per document (or one row for all)."""

    value: Floats
    precision: Floats | None = None
    recall: Floats | None = None
    extras: Mapping[str, Floats] = {}


@dataclass(frozen=True)
class Metric(ABC):
    """One measure with its parameters.

    ``parts(table)`` gives named columns of numbers, a row per document; rows add up to the row of the pooled documents
    (where ``additive``); ``finish`` takes them by name and divides. ``cs.metric(str(m)) == m``.
    """

    name: ClassVar[str]
    aliases: ClassVar[tuple[str, ...]] = ()
    highest: ClassVar[float] = 1.0
    perfect: ClassVar[float | None] = 1.0  # of two identical clusterings; None where it depends on them
    smaller_is_better: ClassVar[bool] = False
    swaps: ClassVar[bool] = False  # precision and recall change places with gold and prediction
    symmetric: ClassVar[bool] = False  # the value is the same with the sides exchanged
    one_sided: ClassVar[bool] = False  # defined where a side holds elements that the other lacks
    weighable: ClassVar[bool] = False  # takes element weights
    usual_missing: ClassVar[str] = "error"  # the policy where nobody names one

    def __post_init__(self) -> None:
        """Check the parameters that take words."""
        for name, allowed in words_of(type(self)).items():
            value = getattr(self, name)
            if not isinstance(value, str | None) or value not in allowed:
                words = ", ".join(repr(word) for word in allowed if word is not None)
                raise MetricError(f"{self.name}: {name}={value!r} is not an option; use one of {words}")

    @abstractmethod
    def parts(self, table: Table) -> Parts:
        """Sums taken from the table, by name, a row per document."""

    @abstractmethod
    def finish(self, *args: Any, **parts: Any) -> Values:
        """The scores of rows of parts, each part an argument of its own."""

    def values(self, table: Table) -> Values:
        """The scores of every document of a table."""
        return self.finish(**self.parts(table))

    @property
    def lowest(self) -> float:
        """No score is below it; minus infinity where there is no such bound."""
        return 0.0

    @property
    def additive(self) -> bool:
        """Whether the parts of documents add up to the parts of all of them together."""
        return True

    @property
    def needs(self) -> frozenset[Need]:
        """What it asks of a table beyond the numbers of its cells, such as ``("largest_total", "pred")``."""
        return frozenset()

    @property
    def parameters(self) -> dict[str, Any]:
        """All parameters, in the order in which the signature shows them."""
        return {f.name: getattr(self, f.name) for f in fields(self)}

    @property
    def signature(self) -> str:
        """What decides the number, known before the run (with the default policies)."""
        return self.sign(DEFAULT._replace(missing=self.usual_missing))

    def sign(self, policy: Policy = DEFAULT, average: str = "micro") -> str:
        """The signature under a policy and an average."""
        return f"{self.short_signature}|avg:{average}|{policy.signature}|v:{__version__}"

    @cached_property
    def short_signature(self) -> str:
        """The part of the signature that belongs to the metric alone."""
        shown = (f"{key}:{spell(value)}" for key, value in self.parameters.items() if value is not None)
        return "|".join([self.name, *shown])

    def __str__(self) -> str:
        return self._written

    @cached_property
    def _written(self) -> str:
        usual = {f.name: f.default for f in fields(self)}
        changed = [f"{key}={spell(getattr(self, key))}" for key in self.parameters if getattr(self, key) != usual[key]]
        return f"{self.name}({', '.join(changed)})" if changed else self.name

    def check(self, table: Table) -> None:
        """Raise where the measure is not defined on this table."""
        if not self.one_sided and not table.elements:
            raise InputError(f"gold and pred are empty: there is nothing for {self.name} to score")
        if not self.one_sided and any(table.one_sided):
            gold, pred = table.one_sided
            raise InputError(
                f"{self.name} needs the same elements on both sides, but {plural(gold, 'element')} only in gold and "
                f'{pred:,} only in pred are kept; pass missing="drop" or "singleton", or take a measure that is '
                "defined there, such as blanc"
            )
        if self.wants_weights and table.weight is None:
            raise InputError(f"{self} needs weights, one number per element; pass weights=[...]")

    @property
    def wants_weights(self) -> bool:
        """Whether the user's own element weights are part of the measure."""
        return False

    def weighed(self, weights: Any) -> tuple[Self, Any]:
        """This metric with the ``weights`` that a user passed, and the numbers among them (or None)."""
        if weights is None:
            return self, None
        if not self.weighable:
            from clusterscore.metrics.registry import registered

            able = ", ".join(kind.name for kind in registered() if kind.weighable)
            raise MetricError(f"{self.name} takes no element weights; those that do: {able}")
        named = isinstance(weights, str)
        changed: dict[str, Any] = {"weights": weights if named else "given"}
        return replace(self, **changed), None if named else weights

    def on(self, table: Table) -> Self:
        """This metric as it applies to a table: one that carries element weights uses them."""
        if table.weight is None or getattr(self, "weights", None) is not None:
            return self
        return self.weighed(table.weight)[0]

    def score(self, table: Table) -> Score:
        """The score of all documents of a table together."""
        self.check(table)
        return row_score(self.finish(**self.pooled_parts(table)), 0, self.sign(table.policy))

    def pooled_parts(self, table: Table) -> Parts:
        """The parts of all documents together, as one row."""
        return self.parts(table.pooled())

    def __call__(self, gold: Any, pred: Any = None, *, weights: Any = None, **options: Any) -> Score:
        """Score a prediction: ``metric(gold, pred)``, or ``metric(table)``.

        Options: ``documents``, ``missing``, ``noise``, ``noise_as``, ``weights``.
        """
        metric, numbers = self.weighed(weights)
        if numbers is not None:
            options["weights"] = numbers
        if self.usual_missing != "error" and pred is not None:
            options = {"missing": self.usual_missing, **options}
        table = as_table(gold, pred, **options)
        return metric.on(table).score(table)

    def value(self, gold: Any, pred: Any = None, **options: Any) -> float:
        """The plain number, as scikit-learn's ``make_scorer`` wants it."""
        return self(gold, pred, **options).value


def row_score(values: Values, row: int, signature: str, std: float | None = None) -> Score:
    """One row of finished scores as a Score."""
    return Score(
        float(values.value[row]),
        None if values.precision is None else float(values.precision[row]),
        None if values.recall is None else float(values.recall[row]),
        signature,
        std,
        {name: float(column[row]) for name, column in values.extras.items()},
    )


def add_rows(parts: Parts) -> Parts:
    """All rows of parts added up to one; whole numbers stay exact."""
    return {
        name: np.array([sum(column.tolist())], object) if column.dtype == object else add_up(column)
        for name, column in parts.items()
    }


def spell(value: Any) -> str:
    """A parameter as the grammar writes it: 2 for 2.0, none, true, a word."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return str(value)


def number(metric: str, name: str, value: Any, lowest: float, highest: float = float("inf")) -> float:
    """A parameter as a float, or an error that says what it may be."""
    if isinstance(value, bool) or not isinstance(value, Real):
        raise MetricError(f"{metric}: {name}={value!r} must be a number")
    found = float(value)
    if not lowest <= found <= highest or found == float("inf"):  # false for NaN too
        bound = f"{lowest:g} up" if highest == float("inf") else f"{lowest:g} to {highest:g}"
        raise MetricError(f"{metric}: {name}={value!r} is out of range; it is a finite number from {bound}")
    return found


@cache
def words_of(kind: type[Metric]) -> dict[str, tuple[Any, ...]]:
    """The parameters whose type names the words that they take, and these words."""
    try:
        hints = get_type_hints(kind)
    except NameError:  # of somebody else's metric, whose types are known to a type checker only
        return {}
    return {f.name: _words(hints[f.name]) for f in fields(kind) if _words(hints[f.name])}


def _words(hint: Any) -> tuple[Any, ...]:
    """What a Literal takes, also one that may be None; nothing where other values may stand there too."""
    if get_origin(hint) is Literal:
        return get_args(hint)
    kinds = get_args(hint)
    literal = next((kind for kind in kinds if get_origin(kind) is Literal), None)
    if literal is None or any(kind not in (literal, type(None)) for kind in kinds):
        return ()
    return (*get_args(literal), None)


__all__ = ["Metric", "Need", "Parts", "Values", "add_rows", "as_table", "number", "row_score", "spell"]
