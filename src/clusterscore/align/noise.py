"""Labels that mean "not clustered": noise, and the background of images."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from clusterscore.align.policies import BY_SIDE, Pair, Policy, Side
from clusterscore.distinct import Array
from clusterscore.exceptions import ElementMismatch, InputError
from clusterscore.messages import Given, Option
from clusterscore.nouns import noun, plural
from clusterscore.read.label_sets import LabelSets
from clusterscore.read.labels import Labels, Unnamed, array_module, is_null, is_tensor
from clusterscore.read.names import Names


def _noise_codes(labels: Labels | Side | LabelSets, noise: Sequence[Any]) -> list[int]:
    """The codes of the labels that are noise; of sets of clusters, those that hold nothing else."""
    names = labels.names
    if isinstance(names, LabelSets):
        return np.flatnonzero(names.made_of(_noise_codes(names, noise))).tolist()
    nulls = [labels.null] if labels.null is not None and any(map(is_null, noise)) else []
    return nulls + Names(names).find((label for label in noise if not is_null(label)), labels.null)


def other_spelling(label: Any) -> Any:
    """-1 for "-1" and "-1" for -1; None where there is none."""
    if not isinstance(label, str):
        return str(label)
    for read in (int, float):
        try:
            return read(label)
        except ValueError:
            continue
    return None


def is_noise(labels: Labels, noise: Sequence[Any]) -> Array:
    """Which elements have such a label; a code alone says nothing: integers between two others have one too."""
    return _among(labels.codes, _noise_codes(labels, noise))


def _among(codes: Array, noise: list[int]) -> Array:
    array = array_module(codes)
    marked: Array = array.isin(codes, array.asarray(noise, dtype=codes.dtype, device=codes.device))
    return marked


def apply_noise(pair: Pair, policy: Policy, labels: Sequence[Labels]) -> Pair:
    """What the policy makes of the elements that are not clustered.

    ``labels`` are those of both sides, with elements that only one of them has. Where clusters overlap, elements with
    no other label than noise are not clustered; among others noise says nothing.
    """
    gold_noise, pred_noise = (_noise_codes(side, policy.noise) for side in (pair.gold, pair.pred))
    for side in (pair.gold, pair.pred):
        _refuse_two_spellings(side, policy)
    if not any(is_noise(side, policy.noise).any() for side in labels):
        refuse_misspelt(policy.noise, lambda label: any(is_noise(side, (label,)).any() for side in labels))
    pair = pair._replace(gold=_without_noise(pair.gold, policy), pred=_without_noise(pair.pred, policy))
    left_out = list(pair.noise)
    for k, (side, codes) in enumerate(zip(pair[:2], (gold_noise, pred_noise), strict=True)):
        if policy.noise_on(("gold", "pred")[k]) == "drop":
            left_out[k] += sum(int(_among(part, codes).sum()) for part in (side.codes, side.only))
    pair = pair._replace(noise=(left_out[0], left_out[1]))
    if policy.noise_as not in BY_SIDE:
        return _set_aside(pair, gold_noise, pred_noise, policy.noise_as)
    return _set_aside(_set_aside(pair, gold_noise, [], "drop"), [], pred_noise, policy.noise_on("pred"))


def _without_noise(side: Side, policy: Policy) -> Side:
    if not isinstance(side.names, LabelSets):
        return side
    return side._replace(names=side.names.without(_noise_codes(side.names, policy.noise)))


def apply_missing(pair: Pair, policy: Policy) -> Pair:
    """What the policy makes of the elements that belong to no cluster of an overlapping clustering."""
    gold, pred = (side.names.empty if isinstance(side.names, LabelSets) else [] for side in (pair.gold, pair.pred))
    if (not gold and not pred) or policy.missing == "keep":
        return pair
    if policy.missing == "error":
        for which, side, codes in (("gold", pair.gold, gold), ("pred", pair.pred, pred)):
            at = np.flatnonzero(np.isin(side.codes, codes))
            if len(at):
                example = f"position {at[0]}" if pair.ids is None else repr(pair.ids[at[0]])
                raise ElementMismatch(
                    f"{plural(len(at), 'element')} in no {noun('cluster')} of {which} (e.g. {example}); pass ",
                    Option("missing", "drop", "singleton"),
                )
        return pair
    if policy.missing == "drop":
        in_none = [np.isin(side.codes, codes) for side, codes in ((pair.gold, gold), (pair.pred, pred))]
        apart = int((in_none[1] & ~in_none[0]).sum()), int((in_none[0] & ~in_none[1]).sum())
        pair = pair._replace(dropped=(pair.dropped[0] + apart[0], pair.dropped[1] + apart[1]))
    return _set_aside(pair, gold, pred, policy.missing)


def simplified(side: Side) -> Side:
    """A side whose elements all belong to one cluster, once the policies have been applied, is a partition."""
    sets = side.names
    if not isinstance(sets, LabelSets):
        return side
    codes, only = side.codes, side.only
    used = np.unique(np.concatenate([codes, only]))
    if (sets.sizes[used[used < len(sets)]] != 1).any():
        return side
    number = np.arange(side.size) + (len(sets.names) - len(sets))  # of those that a policy left alone
    number[: len(sets)] = np.append(sets.cluster, 0)[sets.start[:-1]]
    names = sets.names
    return side._replace(
        codes=number[codes], only=number[only], size=len(names) + side.size - len(sets), names=names, null=sets.null
    )


def _set_aside(pair: Pair, gold: list[int], pred: list[int], way: str) -> Pair:
    """The elements with these codes dropped, each alone ("singleton"), or all in one cluster ("cluster").

    "keep" leaves those of the prediction in gold only.
    """
    if not gold and not pred:
        return pair
    if way not in ("drop", "keep"):
        return pair._replace(gold=_recoded(pair.gold, gold, way), pred=_recoded(pair.pred, pred, way))
    keep = ~(_among(pair.gold.codes, gold) | _among(pair.pred.codes, pred))
    if way == "keep":
        pair = _with_places(pair)
        pair = pair._replace(gold=_with_only(pair, np.flatnonzero(~keep)))
    return _reduced(pair, keep, gold, pred)


def _with_places(pair: Pair) -> Pair:
    """Elements by position, of which some leave, have the places they had as ids."""
    places = len(pair.gold.codes)
    return pair if pair.ids is not None else pair._replace(ids=Labels(np.arange(places), range(places)))


def _reduced(pair: Pair, keep: Array, gold: list[int], pred: list[int]) -> Pair:
    """Some of the common elements; those of one side without these codes."""
    if not is_tensor(keep):
        pair = _with_places(pair)
    return pair._replace(
        gold=_dropped(pair.gold, keep, gold),
        pred=_dropped(pair.pred, keep, pred),
        documents=None if pair.documents is None else pair.documents.take(keep),
        weights=None if pair.weights is None else pair.weights[keep],
        ids=None if pair.ids is None else pair.ids.take(keep),
        groups=None if pair.groups is None else pair.groups.take(keep),
    )


def background_codes(names: Any) -> list[int]:
    """The codes of the label 0, which is the background of an image; in a text file it is a text."""
    if isinstance(names, Unnamed):
        return []
    if isinstance(names, LabelSets):
        raise InputError(
            f"{noun('elements')} that are in several {noun('clusters')} have no background; pass ",
            Option("background", "keep"),
        )
    return Names(names).find((0, "0"))


def in_background(background: str, gold: Array, pred: Array) -> Array:
    """Which elements, or cells, are left out, by where the label of a side is 0."""
    marked: Array = {"gold": gold, "pred": pred, "either": gold | pred, "both": gold & pred}[background]
    return marked


def without_background(pair: Pair) -> Pair:
    """The elements that are no background, by the policy of the pair."""
    background = pair.policy.background
    if background == "keep":
        return pair
    marks = (_among(side.codes, background_codes(side.names)) for side in pair[:2])
    return _reduced(pair, ~in_background(background, *marks), [], [])


def refuse_misspelt(noise: Iterable[Any], is_label: Callable[[Any], bool], option: str = "noise") -> None:
    """No noise at all is fine, but -1 where the labels say "-1" is a mistake."""
    for label in noise:
        twin = other_spelling(label)
        if twin is not None and is_label(twin):
            raise InputError(Given(option, label), f" is not a label here, but {twin!r} is; write it like the labels")


def _refuse_two_spellings(side: Side, policy: Policy) -> None:
    """A signature writes -1 and "-1" alike, so a side that has both must have both named."""
    named = set(_noise_codes(side, policy.noise))
    for label in policy.noise:
        twin = other_spelling(label) if type(label) in (int, str) else None
        if int not in (type(label), type(twin)) or not _noise_codes(side, (label,)):
            continue
        if not named.issuperset(_noise_codes(side, (twin,))):
            raise InputError(f"{label!r} and {twin!r} are two labels here; declare both as noise, or write them alike")


def _dropped(side: Side, keep: Array, noise: list[int]) -> Side:
    stays = ~_among(side.only, noise)
    documents = None if side.only_documents is None else side.only_documents[stays]
    ids = None if side.only_ids is None else side.only_ids.take(stays)
    marks = None if side.marks is None else side.marks[keep]
    only = side.only[stays]
    return side._replace(codes=side.codes[keep], only=only, only_documents=documents, only_ids=ids, marks=marks)


def _with_only(pair: Pair, places: Array) -> Side:
    """Gold with some of the elements that both sides have as elements that only gold has."""
    assert pair.ids is not None
    side, documents, ids = pair.gold, pair.gold.only_documents, pair.ids.codes[places]
    if pair.documents is not None:
        more = pair.documents.codes[places]
        documents = more if documents is None else np.concatenate([documents, more])
    if side.only_ids is not None:
        ids = np.concatenate([side.only_ids.codes, ids])
    only = np.concatenate([side.only, side.codes[places]])
    return side._replace(only=only, only_documents=documents, only_ids=replace(pair.ids, codes=ids))


def _recoded(side: Side, noise: list[int], way: str) -> Side:
    """Elements with these codes in one cluster, or each in a cluster of its own."""
    parts, size = [side.codes, side.only], side.size
    for k, codes in enumerate(parts):
        marked = _among(codes, noise)
        count = int(marked.sum())
        if count:
            array = array_module(codes)
            dtype = array.int32 if size + count < 2**31 else array.int64
            parts[k] = array.asarray(codes, dtype=dtype, copy=True)
            if way == "cluster":
                parts[k][marked] = noise[0]
            else:
                parts[k][marked] = array.arange(size, size + count, dtype=dtype, device=codes.device)
                size += count
    return side._replace(codes=parts[0], only=parts[1], size=size)
