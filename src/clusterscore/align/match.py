"""Align: both sides are matched, by position or by element id."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from clusterscore.align import image_doubts  # noqa: F401  (which are among the doubts once it is imported)
from clusterscore.align.doubts import LOOKED_AT, Compared, express, same_but_for_spelling
from clusterscore.align.join import join, together
from clusterscore.align.noise import apply_missing, apply_noise, is_noise, simplified
from clusterscore.align.per_element import listed_groups, per_element, refuse_no_group, weights_of, with_documents
from clusterscore.align.policies import InDocument, Pair, Policy, Side, mismatch, refuse_other_documents
from clusterscore.align.side_facts import DoubtedSide, is_usual, swapped_columns
from clusterscore.align.tally import tallied
from clusterscore.align.timeline import paired_turns
from clusterscore.distinct import Ints
from clusterscore.exceptions import ElementMismatch, InputError, warn_user
from clusterscore.fields import current, follow
from clusterscore.messages import Given, Message, Option, Wording
from clusterscore.nouns import noun, plural
from clusterscore.read.arrays import check_some
from clusterscore.read.clustering import Clustering
from clusterscore.read.guess import as_clusterings
from clusterscore.read.images import refuse_other_shapes
from clusterscore.read.label_sets import LabelSets
from clusterscore.read.labels import Labels, encode, in_order, is_null, is_tensor, plain
from clusterscore.read.names import name_ranks

if TYPE_CHECKING:
    from clusterscore.read.coreference import PairedCoreference


def align(
    gold: Any,
    pred: Any,
    *,
    missing: str = "error",
    noise: Any = None,
    noise_as: str = "singleton",
    background: str | None = None,
    documents: Any = None,
    weights: Any = None,
    by: Any = None,
    uem: Any = None,
    single: bool = True,
    **matching: Any,
) -> Pair:
    """Bring both sides onto the same elements, by position or by id, apply the policies, and say what is doubtful.

    Background stays: measures of objects need to know how much of them lies there, so it is left out when they count.
    ``by`` has a group for each element: by its id, or one for each element of gold. ``matching`` says how mentions of
    coreference are brought together. ``uem`` has the regions in which turns are compared. Where nobody asks for
    ``single`` elements, their frames may stand together, and so may the pixels of images.
    """
    policy = Policy.of(missing, noise, noise_as, background)
    left, right = as_clusterings(gold, pred, images=background is not None)
    if left.images and right.images and not (single or policy.noise or documents is not None):
        left, right = tallied(left, right)
    field = current()
    if field is None and left.origin.form:
        field = follow(left.origin.form)
    mentions = None
    if matching or left.coreference is not None or right.coreference is not None:
        paired = mentions_paired(left, right, matching)
        left, right, mentions = paired.gold, paired.pred, paired.mentions
        for warning in paired.warnings:
            warn_user(warning)
        policy = policy._replace(missing="keep") if policy.missing == "error" else policy
    elif field is not None and field.matching:
        warn_user(
            f"{', '.join(field.matching)}: the conventions of {field.name} are for coreference files, and these are "
            "none, so that they have no effect"
        )
    has_order = left.has_order
    overlap, compared, listed = False, Compared(None, None, policy), None
    has_turns = left.turns is not None and right.turns is not None
    if has_turns or uem is not None:
        if documents is not None:
            raise InputError(Option("documents"), noun(" is given, but turns carry their documents; leave it out"))
        pair = paired_turns(left, right, policy, uem, single or by is not None or bool(policy.noise))
        policy = pair.policy
    else:
        overlap = type(left.labels.names) is LabelSets or type(right.labels.names) is LabelSets
        for which, side in (("gold", left), ("pred", right)):
            if policy.missing != "keep" and not len(side.labels.codes):
                check_some(0, which)
            if (side.labels.null is not None or overlap) and not any(map(is_null, policy.noise)):
                _refuse_null(side, which)
        if (left.ids is None) != (right.ids is None):
            left, right = _both_by_id(left, right)
        if documents is not None:
            left, right = with_documents(left, right, documents)
        if left.options or right.options:
            policy = policy.read_with(left.options, right.options)
        listed = None if by is None or isinstance(by, Mapping) else listed_groups(by, left)
        compared = Compared(None, None, policy)
        if left.ids is right.ids:
            pair = _by_position(left, right, policy)
        else:
            pair, compared = _by_id(left, right, policy, listed)
    if by is not None and pair.groups is None:
        groups = encode(per_element(by, "group", "group", pair.ids, pair.gold.codes)) if listed is None else listed
        pair = pair._replace(groups=groups)
    if weights is not None:
        pair = pair._replace(weights=weights_of(weights, pair))
    if policy.noise:
        labels = [Labels(side.codes, side.names) for side in pair[:2]] if has_turns else [left.labels, right.labels]
        pair = apply_noise(pair, policy, labels)
    if overlap:
        before, pair = pair.dropped, apply_missing(pair, policy)
        if pair.dropped != before:  # elements in no cluster
            only = dict(zip(("gold", "pred"), pair.dropped, strict=True))
            compared = compared._replace(common=len(pair.gold.codes), only=only)
        pair = pair._replace(gold=simplified(pair.gold), pred=simplified(pair.pred))
    same = gold is pred or (left.origin.source is not None and left.origin.source == right.origin.source)
    doubtful = bool(compared.only) or same or not (has_turns or (is_usual(left) and is_usual(right)))
    if doubtful and mentions is None:  # whose ids and labels are numbers of our own
        sides = DoubtedSide("gold", left), DoubtedSide("pred", right)
        express(compared._replace(gold=sides[0], pred=sides[1], same=gold is pred))
    if pair.ids is not None and any(side.size > len(side.names) for side in pair[:2]):
        pair = pair._replace(gold=_in_order(pair.gold, pair), pred=_in_order(pair.pred, pair))
    some = len(pair.gold.codes) + len(pair.gold.only)
    if policy.missing != "keep" and not some and pair.timeline is None:  # turns may have no frame
        check_some(0, f"what is left with {policy.signature.replace('|', ', ')}")
    if pair.groups is not None:
        refuse_no_group(pair.groups, pair.ids)
    if pair.weights is not None and not pair.weights.sum() > 0:
        raise InputError(noun("the weights are all zero; at least one element must count"))
    if mentions is not None or field is not None or not has_order:
        pair = pair._replace(mentions=mentions, field=field, has_order=has_order)
    return pair


def mentions_paired(gold: Clustering, pred: Clustering, matching: dict[str, Any]) -> PairedCoreference:
    """The mentions of a key and a response, brought together as the options say, or else as the field does."""
    from clusterscore.read.coreference import pair_coreference

    key, response = gold.coreference, pred.coreference
    if key is None or response is None:
        if key is None and response is None:
            raise InputError(
                Option(next(iter(matching))), " is for coreference files, and these are none; leave it out"
            )
        file, other = ("gold", "pred") if response is None else ("pred", "gold")
        raise InputError(f"{file} is a coreference file and {other} is not; pass files with mentions on both sides")
    field = current()
    usual = {} if field is None else field.matching
    return pair_coreference(key, response, **{**usual, **matching})


def _refuse_null(side: Clustering, which: str) -> None:
    codes, null, sets = side.codes, side.labels.null, side.names
    without = codes == null
    if isinstance(sets, LabelSets):
        without = np.isin(codes, sets.set_of[sets.cluster == sets.null] if sets.null is not None else [])
    at = np.flatnonzero(without.cpu() if is_tensor(without) else without)
    if not len(at):
        return
    example = f"position {at[0]}" if side.ids is None else f"{noun('element')} {plain(side.ids[at[0]])!r}"
    raise InputError(
        f"{which} has {plural(len(at), 'element')} with no label (None or NaN, e.g. {example}); pass ",
        Given("noise", [None]),
        " with ",
        Option("noise_as", "drop", "singleton"),
        ", or give them a label",
    )


def _both_by_id(left: Clustering, right: Clustering) -> tuple[Clustering, Clustering]:
    """Sides of which one has ids: nothing goes by position and by id alike, and is in every document."""
    for side, other in ((left, right), (right, left)):
        if side.ids is None and not len(side):
            documents = None if other.documents is None else other.documents.take(np.zeros(0, np.int64))
            empty = Clustering(side.labels, ids=[], documents=documents, options=side.options)
            return (empty, other) if side is left else (other, empty)
    sides = {"gold": left, "pred": right}
    by_position, by_id = ("gold", "pred") if left.ids is None else ("pred", "gold")
    files = [made.origin.called for made in sides.values()]
    called = {side: f"{side} ({made.origin.called})" if made.origin.called else side for side, made in sides.items()}
    one_column = f" ({by_position} has one column; columns are separated by a comma, a tab, a semicolon or a bar)"
    raise ElementMismatch(
        f"{called[by_position]} is matched by position and {called[by_id]} by {noun('element')} id, so they "
        "cannot be compared; pass both in the same way",
        one_column if sides[by_position].origin.form in ("csv", "tsv") else "",
        Wording(f", e.g. {by_position} as Clustering.from_labels(labels, elements=ids) or dict(zip(ids, labels))"),
        Message(", or pass ", Option("format", "..."), " if a file is something else") if any(files) else "",
    )


def _by_position(left: Clustering, right: Clustering, policy: Policy) -> Pair:
    if left.shapes != right.shapes:
        refuse_other_shapes(left.shapes, right.shapes)
    sides = left.labels, right.labels
    lengths = [len(labels.codes) for labels in sides]
    if lengths[0] != lengths[1]:
        raise ElementMismatch(
            f"gold has {plural(lengths[0], 'label')} and pred has {lengths[1]:,}; if matched by position, "
            f"both need one per {noun('element')} (to match by id, pass ",
            Wording(
                "mappings, or Clustering.from_labels(labels, elements=ids))", noun("tables with a column of elements)")
            ),
        )
    if left.index is not None and right.index is not None and not left.index.equals(right.index):
        raise ElementMismatch(
            "gold and pred are Series with different indexes; pass .to_numpy() of both to match them by position, "
            "or Clustering.from_mapping(series) of both to match them by index"
        )
    where = left.documents if left.documents is not None else right.documents
    if where is not None and right.documents is not None and where is not right.documents:
        _refuse_different(where, right.documents)
    gold, pred = (
        Side(labels.codes, len(labels.names), labels.names, labels.null, labels.codes[:0], marks=side.origin.marks)
        for side, labels in ((left, left.labels), (right, right.labels))
    )
    ids = None if left.ids is None else Labels(np.arange(len(left)), left.ids)
    return Pair(gold, pred, None if where is None else in_order(where), None, ids, policy, times=left.times)


def _refuse_different(left: Labels, right: Labels) -> None:
    """By position an element has to be in the same document on both sides."""
    both = together(left, right)
    apart = np.flatnonzero(both.codes[: len(left)] != both.codes[len(left) :])
    if len(apart):
        at = int(apart[0])
        raise InputError(
            f"{plural(len(apart), 'element')} in different {noun('documents')} in gold and pred (e.g. "
            f"position {at}: {both[at]!r} and {both[len(left) + at]!r}); {noun('an element')} is in one "
            f"{noun('document')}"
        )


def _in_order(side: Side, pair: Pair) -> Side:
    """Elements that a policy left alone have no name, and so are numbered in the order of their ids."""
    if side.size <= len(side.names) or pair.ids is None:
        return side
    alone = np.flatnonzero(side.codes >= len(side.names))
    names = [labels.take(alone)[:] for labels in (pair.ids, pair.documents) if labels is not None]
    codes = side.codes.astype(np.int64)
    codes[alone[np.lexsort([name_ranks(column) for column in names])]] = np.sort(codes[alone])
    return side._replace(codes=codes)


def _by_id(left: Clustering, right: Clustering, policy: Policy, groups: Labels | None) -> tuple[Pair, Compared]:
    count, compared = len(left), Compared(None, None, policy)
    # an element's place is its index in the ids of both sides, one after the other: that in gold, if it has one
    assert left.ids is not None
    assert right.ids is not None
    joined = join(left.ids, right.ids, left.documents, right.documents)
    ids, element, where = joined.ids, joined.element, joined.documents
    partner, back = joined.partner, joined.back
    _refuse_repeats("gold", "pred", element[:count], element, ids)
    _refuse_repeats("pred", "gold", element[count:], element, ids)
    only_left, only_right = np.flatnonzero(partner < 0), np.flatnonzero(back < 0)
    common = np.flatnonzero(partner >= 0)
    noise = 0, 0
    if policy.noise and policy.noise_on("gold") == "drop":
        # what is noise goes anyway, whichever side has it
        every = len(only_left), len(only_right)
        only_left = only_left[~is_noise(left.labels, policy.noise)[only_left]]
        if policy.noise_on("pred") == "drop":
            only_right = only_right[~is_noise(right.labels, policy.noise)[only_right]]
        noise = every[0] - len(only_left), every[1] - len(only_right)
    alone = {"gold": only_left, "pred": count + only_right}
    if len(only_left) or len(only_right):

        def apart() -> tuple[Any, Any]:
            return ids.take(alone["gold"][:LOOKED_AT])[:], ids.take(alone["pred"][:LOOKED_AT])[:]

        if policy.missing in ("error", "drop") and where is not None:
            here = where.codes[np.concatenate([*alone.values()])]
            refuse_other_documents(where, where.codes[:count], where.codes[count:], here, policy)
        if policy.missing == "error":
            only = {side: (len(at), ids[at[0]]) for side, at in alone.items() if len(at)}
            if where is not None:
                only = {
                    side: (number, InDocument(where[alone[side][0]], example))
                    for side, (number, example) in only.items()
                }
            hint = same_but_for_spelling(*apart())
            if not len(common):
                hint = hint or swapped_columns(left, right)
            raise mismatch(only, len(common), hint)
        only_in = {side: len(at) for side, at in alone.items()}
        compared = compared._replace(common=len(common), only=only_in, apart=apart)
    dropped = (len(only_left), len(only_right)) if policy.missing == "drop" else (0, 0)

    used = place = common
    if policy.missing in ("singleton", "keep"):
        used = np.concatenate([common, only_left, count + only_right])
    if policy.missing == "singleton":
        place = used
    in_gold = np.concatenate([np.arange(count), back])[place]
    in_pred = np.concatenate([partner, np.arange(len(back))])[place]
    if left.documents is not right.documents and where is None:
        where = _documents_of_one_side(left.documents, right.documents, element, ids, used)
    where = None if where is None else in_order(where)
    gold, pred = _side(left, in_gold), _side(right, in_pred)
    if policy.missing == "keep":
        gold = gold._replace(only=left.codes[only_left], only_ids=ids.take(only_left))
        pred = pred._replace(only=right.codes[only_right], only_ids=ids.take(count + only_right))
        if where is not None:
            gold = gold._replace(only_documents=where.codes[only_left])
            pred = pred._replace(only_documents=where.codes[count + only_right])
    if groups is not None:
        absent = place[place >= count]
        if len(absent):
            raise InputError(
                f"by lists groups for the {noun('elements')} of gold, and {plural(len(absent), 'element')} "
                f"only in pred (e.g. {ids[absent[0]]!r}) {'has' if len(absent) == 1 else 'have'} none; pass a "
                f"mapping {noun('element')} -> group"
            )
        groups = groups.take(place)
    documents = None if where is None else where.take(place)
    pair = Pair(gold, pred, documents, None, ids.take(place), policy, dropped, groups)
    return pair._replace(noise=noise), compared


def _side(side: Clustering, at: Ints) -> Side:
    """The clusters of the elements at these positions; one that is not on this side (-1) is alone in its cluster."""
    labels, marks = side.labels, side.origin.marks
    codes, alone = labels.codes[at], np.flatnonzero(at < 0)
    size = len(labels.names) + len(alone)
    if len(alone):
        codes = codes.astype(np.int64)
        codes[alone] = np.arange(len(labels.names), size)
    return Side(codes, size, labels.names, labels.null, codes[:0], marks=None if marks is None else marks[at])


def _refuse_repeats(side: str, other: str, part: Ints, element: Ints, ids: Labels) -> None:
    """An id may stand in several documents only if both sides say in which."""
    counts = np.bincount(part, minlength=1)
    if counts.max() > 1:
        at = int(np.flatnonzero(element == int(counts.argmax()))[0])
        raise ElementMismatch(
            f"{plural(int((counts > 1).sum()), 'element')} in several {noun('documents')} of {side} (e.g. "
            f"{ids[at]!r}), but {other} names no {noun('documents')}; name them on both sides"
        )


def _documents_of_one_side(left: Labels | None, right: Labels | None, element: Ints, ids: Labels, used: Ints) -> Labels:
    """Where one side only knows the documents, an element takes its document from there."""
    side, known = ("gold", left) if left is not None else ("pred", right)
    assert known is not None
    none, count = len(known.names), len(known)
    of_element = np.full(int(element.max(initial=-1)) + 1, none)
    of_element[element[:count] if left is not None else element[len(element) - count :]] = known.codes
    documents = Labels(of_element[element], [*known.names, None], none)
    absent = used[documents.codes[used] == none]
    if len(absent):
        raise InputError(
            f"only {side} carries {noun('documents')}, and {plural(len(absent), 'element')} (e.g. "
            f"{ids[absent[0]]!r}) {'is' if len(absent) == 1 else 'are'} not in it; add {noun('a document')} "
            "column to both"
        )
    return documents
