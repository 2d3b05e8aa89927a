"""The policies that decide what is compared with what, all of them in a score's signature; and the pair they leave."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypedDict, get_args

import numpy as np

from clusterscore.distinct import Array, Ints
from clusterscore.exceptions import ElementMismatch, InputError, OptionError, nearest, one_of
from clusterscore.fields import current
from clusterscore.messages import Given, Message, Option, Text, Wording
from clusterscore.nouns import Field, noun, plural
from clusterscore.read.labels import Labels, is_null, moment, plain

if TYPE_CHECKING:
    from clusterscore.align.timeline import Timeline
    from clusterscore.read.coreference.mentions import Mentions

Missing = Literal["error", "drop", "singleton", "keep"]
NoiseAs = Literal["singleton", "drop", "cluster", "loghub", "logparser"]
Background = Literal["keep", "gold", "pred", "either", "both"]


class CountOptions(TypedDict, total=False):
    """The options that decide what is compared with what."""

    documents: Any
    missing: Missing | None
    noise: Any
    noise_as: NoiseAs | None
    background: Background | None
    weights: Any
    match: str | None
    singletons: str | None
    zeros: str | None
    cross_document: bool | None
    uem: Any
    field: str | Field | None


MISSING: tuple[str, ...] = get_args(Missing)
NOISE_AS: tuple[str, ...] = get_args(NoiseAs)
BY_SIDE = {"loghub": ("drop", "cluster"), "logparser": ("drop", "keep")}  # what noise becomes in gold, and in pred
BACKGROUND: tuple[str, ...] = get_args(Background)
OPTIONS = frozenset(CountOptions.__annotations__) - {"field"}  # which is that of a call, not of counting
DOCUMENTS = {"documents": "given"}  # clusters of different documents are different clusters

_CLEAR = re.compile(r"(?!(?:null|None|True|False|nan|inf|NaT)$)[^\W\d_][\w .-]*")
_WHOLE = re.compile(r"0|-?[1-9]\d*")


def check_options(options: Iterable[str]) -> None:
    """Raise for an option that no function has."""
    unknown = next((name for name in options if name not in OPTIONS), None)
    if unknown is not None:
        raise OptionError(f"unknown option {unknown!r}: {nearest(unknown, OPTIONS)}")


def _as_python(label: Any) -> Any:
    """A label as Python has it: NumPy's and torch's scalars mean the same on every engine, and in the signature."""
    if isinstance(label, np.generic):
        return moment(label) if label.dtype.kind in "Mm" else plain(label)
    if getattr(label, "shape", None) == ():
        return label.item()
    if isinstance(label, Decimal) and label.is_finite() and label.adjusted() < 40:
        return next((number for number in (int(label), float(label)) if number == label), label)
    return label


class Policy(NamedTuple):
    """What to do with elements on one side only (``missing``) and with labels that mean "not clustered".

    ``background`` says on which side the label 0 of an image means that an element is none: those are left out.
    ``reading`` are the options with which the sides were read, as the signature writes them: ``("match:head",)``.
    """

    missing: str = "error"
    noise: tuple[Any, ...] = ()
    noise_as: str = "singleton"
    reading: tuple[str, ...] = ()
    background: str = "keep"

    @classmethod
    def of(
        cls, missing: str = "error", noise: Any = None, noise_as: str = "singleton", background: str | None = None
    ) -> Policy:
        """Check the options as a user gives them; ``noise`` is one label or a collection of labels.

        Where nobody says what ``background`` is, the field in use may.
        """
        if background is None:
            field = current()
            background = DEFAULT.background if field is None else field.conventions.get("background", "keep")
        if noise is None and noise_as is DEFAULT.noise_as and missing is DEFAULT.missing and background == "keep":
            return DEFAULT
        one_of("missing", missing, MISSING)
        one_of("noise_as", noise_as, NOISE_AS)
        one_of("background", background, BACKGROUND)
        if noise is None:
            labels: tuple[Any, ...] = (None,) if noise_as in BY_SIDE else ()
        elif isinstance(noise, list | set | frozenset):
            labels = tuple(map(_as_python, noise))
        else:
            labels = (_as_python(noise),)
        for label in labels:
            try:
                hash(label)
            except TypeError:
                raise InputError(
                    Given("noise", noise), f": {label!r} cannot be a label; give one label or a list"
                ) from None
        return cls(missing, labels, noise_as, background=background)

    @property
    def options(self) -> dict[str, Any]:
        """The options that make this policy."""
        options = {"missing": self.missing, "noise": list(self.noise) or None, "noise_as": self.noise_as}
        return {**options, "background": self.background}

    def noise_on(self, side: str) -> str:
        """What becomes of noise on a side: "singleton", "drop", "cluster", or "keep", in no cluster at all."""
        return BY_SIDE.get(self.noise_as, (self.noise_as, self.noise_as))[side == "pred"]

    def read_with(self, gold: Mapping[str, str], pred: Mapping[str, str]) -> Policy:
        """This policy for sides that were read with these options; one that is not the same for both names its side.

        >>> Policy().read_with({"step": "0.01", "format": "rttm"}, {"step": "0.01"}).signature
        'missing:error|gold_format:rttm|step:0.01'
        """
        both = {key: value for key, value in gold.items() if pred.get(key) == value}
        for side, options in (("gold", gold), ("pred", pred)):
            # an element is in the same document on both sides
            both |= {
                key if key in DOCUMENTS else f"{side}_{key}": value for key, value in options.items() - both.items()
            }
        return self._replace(reading=tuple(sorted({*self.reading, *(f"{key}:{both[key]}" for key in both)})))

    def drops(self, noise: tuple[int, int]) -> list[str]:
        """What is left out: elements that one side does not have ("dropped"), and those that are ``noise``, so many.

        Background counts as noise.
        """
        says = self.background != "keep" or (self.noise and self.noise_as == "drop")
        return ["dropped"] * (self.missing == "drop") + ["noise"] * bool(says or any(noise))

    @property
    def remedy(self) -> Option:
        """What leaves no element on one side only, where this policy keeps some there."""
        return Option("missing" if self.missing == "keep" else "noise_as", "drop", "singleton")

    @property
    def unclustered(self) -> str:
        """What elements are called that are left out because of their label."""
        noise = ["noise"] if self.noise and self.noise_on("gold") == "drop" else []
        return " or ".join(noise + ["background"] * (self.background != "keep"))

    @property
    def signature(self) -> str:
        """``missing:error``, ``noise`` where there is any, and the options of reading.

        A whole number is signed alike whether it is text, as in files, or a number: it only matches what is there.
        """
        noise = []
        if self.noise:
            labels = {str(label) if _WHOLE.fullmatch(str(label)) else spelled_label(label) for label in self.noise}
            noise = [f"noise:{','.join(sorted(labels))}", f"noise_as:{self.noise_as}"]
        if self.background != "keep":
            noise.append(f"background:{self.background}")
        return "|".join([f"missing:{self.missing}", *noise, *self.reading])


def spelled_label(label: Any) -> str:
    """A label of noise; text keeps its quotes where without them it could be another label, or several."""
    if isinstance(label, str):
        return label if _CLEAR.fullmatch(label) else repr(label)
    return "null" if is_null(label) else str(label)


DEFAULT = Policy()


class Side(NamedTuple):
    """One side of a pair: the cluster of every common element, and of those that only this side has."""

    codes: Array
    size: int  # codes lie below it
    names: Sequence[Any] | Array  # of the first codes; a code beyond them is an element left alone by a policy
    null: int | None  # the code of None and NaN
    only: Array  # codes of the elements that are not on the other side, under missing="keep"
    only_documents: Array | None = None
    only_ids: Labels | None = None
    marks: Array | None = None  # whether each element is marked as the first of its segment, where that was given


class Pair(NamedTuple):
    """Gold and predicted clusters of the same elements, after the policies."""

    gold: Side
    pred: Side
    documents: Labels | None
    weights: Array | None
    ids: Labels | None
    policy: Policy
    dropped: tuple[int, int] = (0, 0)  # elements only in gold, only in pred, that missing="drop" left out
    groups: Labels | None = None  # the slice of each element, for those who asked for slices
    has_order: bool = True  # that of gold; not where its clusters are sets
    noise: tuple[int, int] = (0, 0)  # elements left out as noise or background, by the side on which they are
    mentions: Mentions | None = None  # what the elements are in their documents, in coreference
    field: Field | None = None  # that somebody named, or that follows from the format of the files
    timeline: Timeline | None = None  # the turns whose frames the elements are, in diarization
    times: Array | None = None  # how many elements each one stands for, where equal ones were put together


def dropped_note(policy: Policy, dropped: tuple[int, int], noise: tuple[int, int] = (0, 0)) -> list[str]:
    """How many elements missing="drop", noise_as="drop" and background left out, a line each.

    Background that is left out by convention of the field is what everybody there expects.
    """
    field = current()
    usual = field is not None and not policy.noise and field.conventions.get("background") == policy.background
    return [
        f"dropped: {plural(dropped[0], 'element')} only in gold, {dropped[1]:,} only in pred"
        if what == "dropped"
        else f"dropped as {policy.unclustered}: {plural(noise[0], 'element')} of gold, {noise[1]:,} of pred"
        for what in policy.drops(noise)
        if what == "dropped" or not usual
    ]


class InDocument(NamedTuple):
    """An element of a document, as messages name it."""

    document: Any
    element: Any

    def __repr__(self) -> str:
        return f"{self.element!r} in {noun('document')} {self.document!r}"


ESTIMATE = Wording("cs.Sample(gold, weights=...) in its place", "--sample uniform or size")


def mismatch(
    only: Mapping[str, tuple[int, Any]], common: int, hint: str | None = None, more: str = ""
) -> ElementMismatch:
    """The error for elements on one side only: for each side how many, and one of them; so many are on both.

    ``hint`` is what differs where it is only how ids are written, ``more`` what else may be wrong.
    """
    remedy = Message(noun("no element is on both sides: give both the same ids"))
    if common:
        remedy = Message("pass ", Option("missing", "drop", "singleton"))
    if common and only.get("pred", (0,))[0] > common and "gold" not in only:
        remedy = Message(remedy, noun("; if gold is a sample of clusters, "), ESTIMATE, " estimates the whole")
    return ElementMismatch(f"{_only('element', only)}; ", hint or remedy, more)


def refuse_other_documents(names: Labels, gold: Ints, pred: Ints, alone: Ints, policy: Policy) -> None:
    """Raise where it is whole documents that one side does not have, or has by another name.

    ``gold`` and ``pred`` are the documents of the elements of a side, ``alone`` of those that one side does not have.
    """
    sides = {"gold": np.unique(gold), "pred": np.unique(pred)}
    apart = np.setxor1d(gold, pred)
    if len(apart) and len(apart) == sum(map(len, sides.values())):
        raise no_common_document(map(names.name, codes.tolist()) for codes in sides.values())
    if len(apart) and policy.missing == "error" and np.isin(alone, apart).all():
        only = {side: codes[np.isin(codes, apart)] for side, codes in sides.items()}
        parts = {side: (len(codes), names.name(codes[0])) for side, codes in only.items() if len(codes)}
        raise ElementMismatch(
            f"{_only('document', parts)}; give them the same names, or pass ", Option("missing", "drop", "singleton")
        )


def no_common_document(sides: Iterable[Iterable[Any]], *remedy: Text) -> ElementMismatch:
    """The error where the documents of gold and pred have no name in common."""
    first = [sorted(names, key=str) for names in sides]
    gold_has, pred_has = (", ".join(map(repr, some[:2])) + ", ..." * (len(some) > 2) for some in first)
    return ElementMismatch(
        f"no {noun('document')} is on both sides (gold has {gold_has}; pred has {pred_has}); give them the same names",
        *remedy,
    )


def _only(noun: str, sides: Mapping[str, tuple[int, Any]]) -> str:
    """``1 element is only in gold (e.g. 'p17') and 3 elements are only in pred (e.g. 'p4')``."""
    return " and ".join(
        f"{plural(number, noun)} {'is' if number == 1 else 'are'} only in {side} (e.g. {example!r})"
        for side, (number, example) in sides.items()
    )
