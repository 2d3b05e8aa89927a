"""Metric: a small frozen object that takes additive numbers from a Table and makes a score of them.

Everything that the file of a metric needs is imported from here.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import cache, cached_property
from numbers import Real
from typing import (
    Any,
    ClassVar,
    Literal,
    NamedTuple,
    Self,
    TypeVar,
    dataclass_transform,
    get_args,
    get_origin,
    get_type_hints,
)

import numpy as np

from clusterscore.align.doubts import doubt_metric
from clusterscore.align.policies import DEFAULT, Policy
from clusterscore.count.counting import as_table
from clusterscore.count.counts import Need, Sums
from clusterscore.count.sums import Floats, add_up, divide
from clusterscore.count.table import Table
from clusterscore.distinct import Array
from clusterscore.exceptions import InputError, MetricError, as_float
from clusterscore.fields import current
from clusterscore.messages import Option, Wording
from clusterscore.metrics.score_type import Score
from clusterscore.nouns import noun, plural
from clusterscore.version import __version__

Parts = Mapping[str, Array]  # named columns, a row per document; Python's integers where floats are too small
Limits = Mapping[str, tuple[float, float]]  # the lowest and the highest value of numeric parameters

# what a measure counts, as `clusterscore metrics` lists them
GROUPS = ("elements", "pairs", "clusters", "information", "coreference", "segmentation", "speakers", "overlapping")
METRICS: "dict[str, type[Metric]]" = {}  # every registered metric by its name and its aliases


class Values(NamedTuple):
    """Finished scores, one row per document (or one row for all)."""

    value: Floats
    precision: Floats | None = None
    recall: Floats | None = None
    extras: Mapping[str, Floats] = {}

    def score(self, signature: str, std: float | None = None, row: int = 0) -> Score:
        """One row as a Score."""
        return Score(
            float(self.value[row]),
            None if self.precision is None else float(self.precision[row]),
            None if self.recall is None else float(self.recall[row]),
            signature,
            std,
            {name: float(column[row]) for name, column in self.extras.items()},
        )


@dataclass(frozen=True)
class Metric(ABC):
    """One measure with its parameters.

    ``parts(table)`` gives named columns of numbers, a row per document. ``finish`` takes them by name and divides: for
    each document, or once for the sums of all. ``cs.metric(str(m)) == m``.

    >>> import clusterscore as cs
    >>> measure = cs.metric("bcubed(beta=2)")
    >>> str(measure), measure.signature
    ('bcubed(beta=2)', 'bcubed|f:mean|beta:2|avg:micro|missing:error|v:0.1.0')
    >>> round(measure([0, 0, 1], [0, 1, 1]).recall, 4)
    0.6667
    """

    name: ClassVar[str]
    aliases: ClassVar[tuple[str, ...]] = ()
    group: ClassVar[str] = "clusters"  # what it counts: see GROUPS
    limits: ClassVar[Limits] = {}
    highest: ClassVar[float] = 1.0
    perfect: ClassVar[float | None] = 1.0  # of two identical clusterings; None where it depends on them
    smaller_is_better: ClassVar[bool] = False
    swaps: ClassVar[bool] = False  # precision and recall change places with gold and prediction
    symmetric: ClassVar[bool] = False  # the value is the same with the sides exchanged
    overlapping: ClassVar[bool] = False  # defined where an element belongs to several clusters
    graded: ClassVar[bool] = False  # defined where an element belongs to its clusters by weights
    ordered: ClassVar[bool] = False  # looks at the order of the elements, which counts alone do not know
    of_mentions: ClassVar[bool] = False  # looks at the words of mentions, which coreference files have
    of_turns: ClassVar[bool] = False  # looks at who speaks when, which RTTM files have
    of_objects: ClassVar[bool] = False  # looks at the objects of images, with their pixels in the background too
    emptied: ClassVar[bool] = False  # of images: defined for one that is nothing but background, too
    shown: ClassVar[Mapping[str, str]] = {}  # extras that have a column beside the score, with their headings
    one_sided: ClassVar[bool] = False  # defined where a side holds elements that the other lacks
    default_missing: ClassVar[str] = "error"  # the policy where nobody names one
    shown_first: ClassVar[tuple[str, ...]] = ()  # parameters that come first in a signature
    unsaid: ClassVar[Mapping[str, Any]] = {}  # parameters that it leaves out where they have this value
    replaced: ClassVar[Mapping[str, str]] = {}  # a parameter that it leaves out where another one is given
    exclusive: ClassVar[tuple[tuple[str, str], ...]] = ()  # parameters that are not both other than by default
    ignored: ClassVar[Mapping[str, Mapping[Any, str]]] = {}  # what a parameter leaves out of the score, by its value

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "additive" in vars(cls):
            raise MetricError(f"{cls.__name__} declares additive, which is tried out instead; leave it out")

    def __post_init__(self) -> None:
        """Check the parameters by their types: words, true or false, numbers within their limits."""
        for name, (words, is_switch) in _parameter_types(type(self)).items():
            value = getattr(self, name)
            if isinstance(value, str | None) and value in words:
                continue
            if name in self.limits:
                if isinstance(value, bool) or not isinstance(value, Real):
                    raise MetricError(f"{self.name}: {name}={value!r} must be a number")
                lowest, highest = self.limits[name]
                number = float(value) if isinstance(value, float) else as_float(value)
                if not lowest <= number <= highest or math.isinf(number):  # false for NaN too
                    bound = f"{lowest:g} up" if highest == float("inf") else f"{lowest:g} to {highest:g}"
                    shown = number if math.isinf(number) else value  # which may have thousands of digits
                    raise MetricError(
                        f"{self.name}: {name}={shown!r} is out of range; it is a finite number from {bound}"
                    )
                object.__setattr__(self, name, number)
            elif is_switch:
                if not isinstance(value, bool):
                    raise MetricError(f"{self.name}: {name}={value!r} must be true or false")
            elif words:
                options = ", ".join(map(repr, words))
                raise MetricError(f"{self.name}: {name}={value!r} is not an option; use one of {options}")
        for names in self.exclusive:
            if all(getattr(self, f.name) != f.default for f in fields(self) if f.name in names):
                first, second = (f"{name}={spell(getattr(self, name))}" for name in names)
                raise MetricError(f"{self.name}: {first} and {second} exclude each other; leave one of the two out")

    @abstractmethod
    def parts(self, table: Any) -> Parts:
        """Sums taken from the table, by name, a row per document.

        One that asks for no more than :class:`Sums` says so, and can be swept; the others take a Table.
        """

    @abstractmethod
    def finish(self, *args: Any, **parts: Any) -> Values:
        """The scores of rows of parts, each part an argument of its own."""

    def values(self, table: Sums) -> Values:
        """The scores of every document of a table."""
        values = self.finish(**self.parts(table))
        if len(values.value) != len(table.documents):
            raise MetricError(
                f"{self.name}: parts and finish gave {plural(len(values.value), 'row')} for "
                f"{plural(len(table.documents), 'document')}; each {noun('document')} needs a row of its own"
            )
        return values

    def pooled_parts(self, table: Table) -> Parts:
        """The parts of all documents together, as one row."""
        return self.parts(table.pooled() if len(table.documents) != 1 else table)

    @cached_property
    def additive(self) -> bool:
        """Whether the added parts of documents score as all of them together; tried out on a small example.

        Where they do not, documents cannot be summed one by one: an Accumulator refuses, a resample is counted again.
        """
        table = self.example()
        self.values(table)  # a row for each document, or an error
        added, pooled = self.finish(**add_rows(self.parts(table))), self.finish(**self.pooled_parts(table))
        return all(
            from_added is None or from_pooled is None or np.allclose(from_added, from_pooled, rtol=1e-9, atol=1e-12)
            for from_added, from_pooled in zip(added[:3], pooled[:3], strict=True)
        )

    def example(self) -> Table:
        """A small table on which it can be tried."""
        return example_table(self.wants_weights)

    @property
    def sliced_apart(self) -> bool:
        """Whether each slice is scored by itself, and not by its share of all."""
        return False

    @property
    def lowest(self) -> float:
        """No score is below it; minus infinity where there is no such bound, as in scores adjusted for chance."""
        return float("-inf") if getattr(self, "adjusted", False) else 0.0

    @property
    def needs(self) -> frozenset[Need]:
        """What it asks of a table beyond the numbers of its cells, such as ``("largest_total", "pred")``."""
        return frozenset()

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters, in the order in which the signature shows them; a switch that is off is left out."""
        names = dict.fromkeys((*self.shown_first, *(f.name for f in fields(self))))
        known = {name: getattr(self, name) for name in names}
        hidden = {replaced for name, replaced in self.replaced.items() if known[name] is not None}
        return {
            name: value
            for name, value in known.items()
            if value is not False and name not in hidden and self.unsaid.get(name, ...) != value
        }

    @property
    def signature(self) -> str:
        """What decides the number, known before the run (with the default policies)."""
        return self.sign(DEFAULT._replace(missing=self.default_missing))

    def sign(self, policy: Policy = DEFAULT, average: str = "micro") -> str:
        """The signature under a policy and an average."""
        return f"{self.short_signature}|avg:{average}|{policy.signature}|v:{__version__}"

    @cached_property
    def short_signature(self) -> str:
        """The part of the signature that belongs to the metric alone."""
        usual = {field.name: field.default for field in fields(self)}
        shown = (
            f"{key}:{spell(value)}"
            for key, value in self.parameters.items()
            if value is not None or usual[key] is not None
        )
        return "|".join([self.name, *shown])

    def __str__(self) -> str:
        changed = {f.name: getattr(self, f.name) for f in fields(self) if getattr(self, f.name) != f.default}
        shown = [f"{name}={spell(changed[name])}" for name in self.parameters if name in changed] if changed else []
        return f"{self.name}({', '.join(shown)})" if shown else self.name

    @property
    def weighable(self) -> bool:
        """Whether it takes a weight for each element: an option of the parameter ``weights``, of those that have it."""
        words, _ = _parameter_types(type(self)).get("weights", ((), False))
        return hasattr(self, "weights") and (not words or "given" in words)

    @property
    def wants_weights(self) -> bool:
        """Whether the user's own element weights are part of the measure."""
        return getattr(self, "weights", None) == "given"

    def weighed(self, weights: Any) -> tuple[Self, Any]:
        """This metric with the ``weights`` that a user passed, and the numbers among them (or None)."""
        if weights is None:
            return self, None
        named = isinstance(weights, str)
        changed: dict[str, Any] = {"weights": weights if named else "given"}
        if not hasattr(self, "weights") or not (named or self.weighable):
            able = ", ".join(kind.name for kind in loaded() if kind().weighable)
            raise MetricError(f"{self} does not accept {noun('element')} weights; these do: {able}")
        return replace(self, **changed), None if named else weights

    def on(self, table: Table) -> Self:
        """This metric as it applies to a table: one that carries element weights uses them."""
        if table.weight is None or getattr(self, "weights", None) is not None:
            return self
        return self.weighed(table.weight)[0]

    def check(self, table: Any) -> None:
        """Raise where the measure is not defined on this table."""
        if table.overlapping and not (self.graded if table.graded else self.overlapping):
            from clusterscore.metrics.partitions import overlap_error  # which knows all the measures

            raise overlap_error(self, table)
        if not self.one_sided and not table.n_common and not any(table.one_sided):
            if table.whole is not None and self.emptied:
                return
            raise InputError(f"gold and pred are empty: there is nothing for {self.name} to score")
        if not self.one_sided and any(table.uncovered):
            pred, gold = table.uncovered
            if table.overlapping:  # which may be elements of both sides, without a cluster on one
                sides = [("gold", pred), ("pred", gold)]
                none = " and ".join(
                    f"{plural(k, 'element')} in no {noun('cluster')} of {side}" for side, k in sides if k
                )
                raise InputError(
                    f"{self.name} needs {noun('a cluster')} for every {noun('element')} on both sides, but ",
                    Option("missing", "keep"),
                    f" keeps {none}; pass ",
                    Option("missing", "drop", "singleton"),
                    ", or take a measure that is defined there, such as omega",
                )
            if "only:given" in table.policy.reading:
                raise InputError(
                    f"{self.name} needs all gold {noun('clusters')}, and ",
                    Option("only"),
                    " leaves some of them; take a measure that is defined there, such as cluster_match",
                )
            raise InputError(
                f"{self.name} needs the same {noun('elements')} on both sides, but {plural(gold, 'element')} "
                f"only in gold and {pred:,} only in pred are kept; pass ",
                table.policy.remedy,
                ", or take a measure that is defined there, such as b3",
            )
        if self.wants_weights and table.weight is None:
            raise InputError(
                f"{self} needs weights, one number per {noun('element')}; ",
                Wording("pass weights=[...]", "only Python takes them"),
            )

    def score(self, table: Table) -> Score:
        """The score of all documents of a table together."""
        self.check(table)
        return self.finish(**self.pooled_parts(table)).score(self.sign(table.policy))

    def __call__(self, gold: Any, pred: Any = None, *, weights: Any = None, **options: Any) -> Score:
        """Score a prediction: ``metric(gold, pred)``, or ``metric(table)``.

        Options: ``documents``, ``missing``, ``noise``, ``noise_as``, ``background``, ``weights``.
        """
        metric = self
        if weights is not None:
            metric, options["weights"] = self.weighed(weights)
        if self.default_missing != "error" and pred is not None:
            options = {"missing": self.default_missing, **options}
        if self.emptied and pred is not None and current() is None:
            options = {"background": "keep", **options}  # its arrays are images, never one-hot rows
        doubt_metric(self)
        table = as_table(gold, pred, members=self.ordered, **options)
        return (metric if table.weight is None else metric.on(table)).score(table)

    def value(self, gold: Any, pred: Any = None, **options: Any) -> float:
        """The plain number, as scikit-learn's ``make_scorer`` wants it."""
        return self(gold, pred, **options).value


class Distance(Metric):
    """A measure that is 0 for two identical clusterings, and the same in both directions; smaller is better."""

    highest = float("inf")
    perfect = 0.0
    smaller_is_better = True
    symmetric = True


M = TypeVar("M", bound=Metric)


@dataclass_transform(frozen_default=True)
def register(kind: type[M]) -> type[M]:
    """Class decorator: a frozen dataclass that can be parsed and listed, and is put through every law in the tests."""
    for name in (kind.name, *kind.aliases):
        if name in METRICS:
            raise ValueError(f"two metrics are called {name!r}")
    made = kind if "__dataclass_fields__" in vars(kind) else dataclass(frozen=True)(kind)
    METRICS.update(dict.fromkeys((kind.name, *kind.aliases), made))
    return made


def loaded() -> list[type[Metric]]:
    """The metric classes that are loaded, in the order of their names."""
    return sorted(set(METRICS.values()), key=lambda kind: kind.name)


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


@cache
def example_table(weighted: bool) -> Table:
    """Three documents of different sizes, partly right, on which a metric is tried."""
    gold, pred = "aaaaabbbbccdeaaabbbcaabbbbb", "aaabbbccccddeabbbbbcaabbbcd"
    documents = [0] * 13 + [1] * 7 + [2] * 7
    weights = range(1, 28) if weighted else None
    return as_table(list(gold), list(pred), documents=documents, weights=weights, members=True)


@cache
def _parameter_types(kind: type[Metric]) -> dict[str, tuple[tuple[Any, ...], bool]]:
    """For each parameter the words that it takes, None among them, and whether it is true or false."""
    try:
        hints = get_type_hints(kind)
    except NameError:  # of somebody else's metric, whose types are known to a type checker only
        return {}
    parameters = {}
    for name in (f.name for f in fields(kind)):
        types = [hints[name]] if get_origin(hints[name]) is Literal else get_args(hints[name]) or [hints[name]]
        words = [word for member in types if get_origin(member) is Literal for word in get_args(member)]
        others = any(
            get_origin(member) is not Literal and member not in (float, int, bool, type(None)) for member in types
        )
        parameters[name] = (() if others else (*words, *([None] if type(None) in types else [])), bool in types)
    return parameters


__all__ = [
    "Array",
    "Distance",
    "Floats",
    "Limits",
    "Metric",
    "Need",
    "Parts",
    "Sums",
    "Table",
    "Values",
    "add_rows",
    "add_up",
    "divide",
    "loaded",
    "register",
    "spell",
]
