"""Doubts: what is legal and probably not meant. One small function each, run by every door.

A doubt says what is odd, how many, an example, and what to do. It is a warning; under ``--strict``, or with
``warnings.simplefilter("error", cs.ClusterscoreWarning)``, it is an error.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import islice
from typing import Any, NamedTuple

from clusterscore.align.policies import ESTIMATE, Policy
from clusterscore.align.side_facts import NEARLY
from clusterscore.exceptions import warn_user
from clusterscore.fields import current
from clusterscore.messages import Given, Message, Option, Wording, one_after_another
from clusterscore.nouns import noun, plural
from clusterscore.read.arrays import python_values
from clusterscore.read.label_sets import float_ids

_ZERO_ONE = {"0", "1", "0.0", "1.0", "False", "True", "false", "true"}
_ONE = {"1", "1.0", "True", "true"}
LOOKED_AT = 20_000  # ids of a side among which those of the other are looked for in another spelling
_TRIED = 1000
_ZEROS = re.compile(r"^0+(?=\d)")


class Compared(NamedTuple):
    """Two sides that are compared, the policy, and what of each the other side does not have."""

    gold: Any  # DoubtedSide, or what an engine has in its place
    pred: Any
    policy: Policy = Policy()
    same: bool = False  # one object, or one column, was given for both
    common: int = 0
    only: Mapping[str, int] = {}  # side -> how many
    apart: Callable[[], tuple[Any, Any]] | None = None  # the ids that only one side has

    @property
    def sides(self) -> list[Any]:
        """Those of them that there are."""
        return [side for side in (self.gold, self.pred) if side is not None]


Doubt = Callable[[Compared], Message | str | None]
DOUBTS: list[Doubt] = []


def doubt(function: Doubt) -> Doubt:
    """Decorator: a doubt that every door has."""
    DOUBTS.append(function)
    return function


def express(compared: Compared) -> None:
    """Warn of all that is doubtful, apart from what is usual in the field."""
    field = current()
    usual = () if field is None else field.undoubted
    for function in () if _silenced.get() else DOUBTS:
        if function.__name__ not in usual and (message := function(compared)) is not None:
            which = [f" (system {system!r})"] if (system := _system.get()) and "pred" in str(message) else []
            warn_user(message, *which)


_silenced: ContextVar[bool] = ContextVar("silenced", default=False)
_system: ContextVar[str] = ContextVar("system", default="")


@contextmanager
def doubts_of(system: str) -> Iterator[None]:
    """Of several predictions, a doubt about one says which."""
    token = _system.set(system)
    try:
        yield
    finally:
        _system.reset(token)


@contextmanager
def undoubted() -> Iterator[None]:
    """Nothing is doubtful of what the library itself compares."""
    token = _silenced.set(True)
    try:
        yield
    finally:
        _silenced.reset(token)


def doubt_metric(metric: Any) -> None:
    """A metric whose options leave out one of what it is made of is cheated by a trivial clustering."""
    words = [words[value] for name, words in metric.ignored.items() if (value := getattr(metric, name)) in words]
    if words and not _silenced.get():
        warn_user(
            f"{metric} leaves {words[0]} out of its score, which a trivial clustering can then make perfect; give both "
            "some weight, or read P and R"
        )


def _who(sides: Iterable[Any]) -> str:
    names = [side.side for side in sides]
    return f"{' and '.join(names)} {'have' if len(names) > 1 else 'has'}"


@doubt
def gold_is_an_estimator(compared: Compared) -> str | None:
    """Gold comes first; who passes a model there has swapped the sides."""
    gold = compared.gold.origin
    if not gold.is_model or (compared.pred and compared.pred.origin.is_model):
        return None
    order = "gold comes first and the prediction second; the other way round P and R are swapped"
    return f"gold is a {gold.called}: {order}"


@doubt
def compared_with_itself(compared: Compared) -> str | None:
    """The same column on both sides scores 1, and says nothing."""
    if compared.pred is None:
        return None
    source = compared.gold.origin.source
    if not compared.same and (source is None or source != compared.pred.origin.source):
        return None
    return "gold and pred are the same, so the score is that of a clustering with itself; name another column or file"


@doubt
def columns_taken(compared: Compared) -> Message | None:
    """A column was taken because there is no other."""
    taken = [(side, role, name) for side in compared.sides for role, name in side.origin.taken.items()]
    read = ", and ".join(
        f"{side.origin.called or side.side} with column {name!r} as the {role}" for side, role, name in taken
    )
    if not taken:
        return None
    options = {f"{side.side}_{role}": name for side, role, name in taken}
    return Message(
        f"read {read}, since there is no other; to be sure, pass ",
        one_after_another(Option(parameter, name) for parameter, name in options.items()),
        Wording(" (cs.File and from_frame take it without gold_ and pred_)"),
    )


@doubt
def few_in_several_clusters(compared: Compared) -> Message | None:
    """Clusters that overlap in a few elements only: often a row that was written twice, or ids that are not unique."""
    for side in compared.sides:
        several = side.in_several_clusters() if side.overlapping else None
        if several is not None:
            return Message(
                f"{side.side} has {several[0]:,} of {plural(side.elements, 'element')} in more than one "
                f"{noun('cluster')} (e.g. {several[1]}), so that only measures for overlapping {noun('clusters')} "
                f"apply; if {noun('an element')} has one, correct the data, and if {noun('clusters')} overlap, pass ",
                Option("format", side.origin.form or "csv"),
                Wording(" (Clustering.from_clusters)"),
            )
    return None


@doubt
def weights_not_read(compared: Compared) -> Message | None:
    """Clusters overlap in a table with a column called weight, and nobody said that it weighs them."""
    sides = [side for side in compared.sides if side.overlapping and "grade" in side.origin.unread]
    if not sides:
        return None
    name = sides[0].origin.unread["grade"]
    return Message(
        f"{_who(sides)} a column {name!r}, which was not read; if {noun('elements')} belong to {noun('clusters')} by "
        "weights, pass ",
        Option("grade", name),
        Wording(" (cs.File and from_frame take it)"),
    )


@doubt
def streams_not_read(compared: Compared) -> Message | None:
    """Segments are often called 1, 2, 3 in every stream; where nobody says which stream, those are one cluster."""
    sides = [side for side in compared.sides if "document" in side.origin.unread]
    if not sides or any(option.startswith("documents:") for option in compared.policy.reading):
        return None
    name = sides[0].origin.unread["document"]
    return Message(
        f"{_who(sides)} a column {name!r}, which was not read: {noun('clusters')} of the same name are one, wherever "
        f"they are; if each {name} has {noun('clusters')} of its own, pass ",
        Option("document", name),
        Wording(" (cs.File and from_frame take it)"),
    )


@doubt
def noise_label(compared: Compared) -> Message | None:
    """-1 among labels from 0 up is what DBSCAN and others write for "not clustered"; unless named so, it is a label."""
    if compared.policy.noise:
        return None
    sides = [side for side in compared.sides if not side.images]  # whose background is 0
    with_it = [(side, label) for side in sides if (label := side.minus_one()) is not None]
    if not with_it:
        return None
    label = with_it[0][1]
    return Message(
        f"{_who(side for side, _ in with_it)} the label {label!r} among labels from 0 up, scored as "
        f"{noun('a cluster')} like any other; if it means 'not clustered', as DBSCAN writes it, pass ",
        Given("noise", label),
        _else_cluster(label),
    )


def _else_cluster(label: Any) -> Message:
    """How to say that a label is one like any other."""
    return Message(", else ", Given("noise", label), " with ", Option("noise_as", "cluster"))


@doubt
def words_for_nothing(compared: Compared) -> Message | None:
    """The text NaN is a label like any other, and makes one cluster of all that have none."""
    if compared.policy.noise:
        return None
    for side in compared.sides:
        if (missing := side.missing_words()) is not None:
            number, word = missing
            noise = Message(Given("noise", word), " with ", Option("noise_as", "drop", "singleton"))
            return Message(
                f"{side.side} has {plural(number, 'element')} with the label {word!r}, which is a text and "
                f"makes one {noun('cluster')}; if it means 'no label', pass ",
                noise,
                _else_cluster(word),
            )
    return None


@doubt
def boundaries_as_labels(compared: Compared) -> Message | None:
    """Labels that are all 0 and 1 are a clustering of two clusters, or else page streams that nobody called so."""
    gold, pred = compared.gold, compared.pred
    policy = compared.policy
    if pred is None or gold.origin.declared or pred.origin.declared or policy.noise or policy.background != "keep":
        return None
    if gold.origin.is_model or pred.origin.is_model or gold.images or pred.images:
        return None
    labels = gold.few_labels(), pred.few_labels()
    if None in labels or not all({str(label) for label in some or ()} <= _ZERO_ONE for some in labels):
        return None
    starts = {str(label) for label in gold.starts()}
    if max(len(some or ()) for some in labels) < 2 or not starts or not starts <= _ONE:
        return None
    return Message(
        "gold and pred are nothing but 0 and 1, and gold begins with a 1: scored as the labels of two "
        f"{noun('clusters')}; if 1 starts a segment of a page stream, pass ",
        Option("format", "boundaries"),
        Wording(" (Clustering.from_boundaries)"),
        ", and if they are labels, ",
        Option("format", "labels", "csv"),
        Wording(" (Clustering.from_labels)"),
    )


@doubt
def marks_at_the_end(compared: Compared) -> str | None:
    """A boundary starts a segment; some mark the last page of each instead."""
    ends = [side for side in compared.sides if side.origin.marks_ends]
    if not ends:
        return None
    return (
        f"{_who(ends)} boundaries that begin with 0 and end with 1 in every stream, as if 1 marked the last page of a "
        "segment; here 1 starts one: move the marks by one page if they mark ends"
    )


@doubt
def columns_swapped(compared: Compared) -> str | None:
    """Labels that are the ids say nothing about clusters."""
    for side in compared.sides:
        if side.overlapping:
            if side is compared.gold and compared.pred is not None and side.more_clusters_than_elements(compared.pred):
                return noun(
                    "gold has more clusters than elements, and pred has the same clusters; are the columns of elements "
                    "and clusters swapped?"
                )
        elif side.elements > 1 and side.clusters >= NEARLY * side.elements and (ids_as_labels := side.labels_are_ids()):
            return (
                f"the labels of {side.side} are its {noun('element')} ids (e.g. {ids_as_labels[1]!r}), so that "
                f"{ids_as_labels[0]:,} {noun('elements')} are all alone; is the right column named as the cluster?"
            )
    return None


@doubt
def nothing_to_find(compared: Compared) -> str | None:
    """All elements alone in gold, or all in one cluster on a side."""
    policy = compared.policy
    if compared.pred is None or policy.missing == "keep" or policy.noise or any(compared.only.values()):
        return None  # what is left is up to policies
    # what was made by a constructor is meant
    sides = [
        side
        for side in compared.sides
        if side.elements > 1 and not side.overlapping and not side.images
        if side.origin.called or not side.origin.declared
    ]
    undivided = [side for side in sides if side.clusters == 1]
    if undivided:
        return (
            f"{_who(undivided)} all {plural(undivided[0].elements, 'element')} in a single {noun('cluster')}, which "
            "says nothing about the other side; is the right column named as the cluster?"
        )
    alone = [side for side in sides if side.clusters >= side.elements and side.used() == side.elements]
    if compared.gold not in alone:  # a prediction that joins nothing is a bad one, and no mistake
        return None
    where = "on both sides: nothing can be wrong" if len(alone) == 2 else "in gold: there is nothing to find"
    return (
        f"all {plural(compared.gold.elements, 'element')} are alone in their {noun('clusters')} {where}; is the right "
        "column named as the cluster?"
    )


@doubt
def little_in_common(compared: Compared) -> Message | None:
    """One side has less than half of the other; gold for some clusters is a sample."""
    if compared.policy.missing not in ("drop", "singleton"):
        return None
    for side, number in compared.only.items():
        if number <= compared.common:
            continue
        other = "pred" if side == "gold" else "gold"
        whole = plural(number + compared.common, "element")
        sampled = Message("; if gold is a sample, ", ESTIMATE, " estimates the whole") if side == "pred" else ""
        if compared.policy.missing == "drop":
            return Message(
                Option("missing", "drop"),
                f" leaves out {number:,} of {whole} of {side}, which {other} does not have; the score says "
                f"nothing about them, or about how large their {noun('clusters')} are",
                sampled,
            )
        return Message(
            Option("missing", "singleton"),
            f" takes {number:,} of {whole} of {side}, which {other} does not have, for {noun('clusters')} of "
            f"one {noun('element')} there",
            sampled,
        )
    return None


@doubt
def ids_written_otherwise(compared: Compared) -> str | None:
    """Ids that do not match, and would if they were written alike."""
    if compared.apart is None or compared.policy.missing == "error":
        return None
    hint = same_but_for_spelling(*compared.apart())
    return None if hint is None else f"{noun('elements')} on one side only: {hint}"


def same_but_for_spelling(gold: Any, pred: Any) -> str | None:
    """What to say where ids that only one side has differ only in how they are written.

    The same number written in two ways, in capitals or not, with blanks or leading zeros. Only some are tried.
    """
    spelled: dict[str, Any] = {}
    for theirs in islice(iter(python_values(pred)), LOOKED_AT):
        spelled.setdefault(_spelled_plainly(theirs), theirs)
    for ours in islice(iter(python_values(gold)), _TRIED):
        theirs = spelled.get(_spelled_plainly(ours), ours)
        if theirs != ours:
            ids = f"{ours!r} in gold and {theirs!r} in pred"
            return f"{ids} differ only in how they are written; write ids alike on both sides"
    return None


def _spelled_plainly(value: Any) -> str:
    text = str(value).strip().casefold()
    text = text.removesuffix(".0") if text.removesuffix(".0").lstrip("-").isdigit() else text
    return _ZEROS.sub("", text)


@doubt
def ids_are_floats(compared: Compared) -> str | None:
    """An id such as 1.10 that was read as a number is 1.1, and may have become another one."""
    examples = ((side.side, side.float_id()) for side in compared.sides)
    return next((f"{side} has {float_ids(float_id)}" for side, float_id in examples if float_id is not None), None)
