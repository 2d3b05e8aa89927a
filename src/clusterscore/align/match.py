"""Align: both sides are matched, by position or by element id."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from clusterscore.align.noise import apply_noise, hint_at_noise, is_noise
from clusterscore.align.pair import Pair, Side
from clusterscore.align.policies import DOCUMENTS, Policy
from clusterscore.distinct import Array, distinct
from clusterscore.exceptions import ElementMismatch, InputError, InputTypeError, plural
from clusterscore.read.arrays import as_vector, check_some
from clusterscore.read.arrays import numbers as vector_of_numbers
from clusterscore.read.clustering import Clustering, named_documents, refuse_null_ids
from clusterscore.read.guess import as_clusterings
from clusterscore.read.labels import Labels, encode, in_order, plain
from clusterscore.read.name_order import name_ranks

_HEAVY = 1e200  # weights above this are scaled down before they are added


def align(
    gold: Any,
    pred: Any,
    *,
    missing: str = "error",
    noise: Any = None,
    noise_as: str = "singleton",
    documents: Any = None,
    weights: Any = None,
) -> Pair:
    """Bring both sides onto the same elements, by position or by id, and apply the policies."""
    policy = Policy.of(missing, noise, noise_as)
    left, right = as_clusterings(gold, pred)
    if policy.missing != "keep":
        check_some(len(left), "gold")
        check_some(len(right), "pred")
    _refuse_null(left, policy, "gold")
    _refuse_null(right, policy, "pred")
    if left.options or right.options or documents is not None:
        given = {} if documents is None else DOCUMENTS
        policy = policy.read_with({**left.options, **given}, {**right.options, **given})
    in_step = left.ids is right.ids and (left.ids is None or (documents is None and weights is None))
    match = _by_position if in_step else _by_id
    matched = match(left, right, policy, documents, weights)
    if policy.noise:
        matched = apply_noise(matched, policy)
    else:
        hint_at_noise(left.labels, right.labels)
    if matched.ids is not None:
        matched = matched._replace(gold=_in_order(matched.gold, matched), pred=_in_order(matched.pred, matched))
    if policy.missing != "keep":
        check_some(len(matched.gold.codes), f"what is left with {policy.signature.replace('|', ', ')}")
    if matched.weights is not None and not matched.weights.sum() > 0:
        raise InputError("the weights are all zero; at least one element must count")
    return matched


def _by_position(left: Clustering, right: Clustering, policy: Policy, documents: Any, weights: Any) -> Pair:
    if len(left) != len(right):
        raise ElementMismatch(
            f"gold has {plural(len(left), 'label')} and pred has {len(right):,}; by position both need one per element "
            "(to match by id, pass mappings, or Clustering.from_labels(labels, elements=ids))"
        )
    if left.index is not None and right.index is not None and not left.index.equals(right.index):
        raise ElementMismatch(
            "gold and pred are Series with different indexes; pass .to_numpy() of both to match them by position, "
            "or Clustering.from_mapping(series) of both to match them by index"
        )
    where = _documents_by_position(left, right, documents)
    return Pair(
        _side(left.labels),
        _side(right.labels),
        None if where is None else in_order(where),
        _weights_by_position(weights, len(left)),
        None if left.ids is None else Labels(np.arange(len(left)), left.ids),
        policy,
    )


def _in_order(side: Side, pair: Pair) -> Side:
    """Elements that a policy left alone have no name, and so are numbered in the order of their ids."""
    if side.size <= len(side.names) or pair.ids is None:
        return side
    alone = np.flatnonzero(side.codes >= len(side.names))
    keys = [name_ranks([labels.name(code) for code in labels.codes[alone].tolist()])
            for labels in (pair.ids, pair.documents) if labels is not None]  # fmt: skip
    codes = side.codes.astype(np.int64)
    codes[alone[np.lexsort(keys)]] = np.sort(codes[alone])
    return side._replace(codes=codes)


def _side(labels: Labels, codes: Array | None = None, size: int | None = None) -> Side:
    codes = labels.codes if codes is None else codes
    return Side(codes, size or len(labels.names), labels.names, labels.null, codes[:0])


def _documents_by_position(left: Clustering, right: Clustering, documents: Any) -> Labels | None:
    if documents is None:
        return _same_documents(left.documents, right.documents)
    if left.documents is not None or right.documents is not None:
        raise InputError("documents= is given, but the clusterings already carry documents; give them once")
    if isinstance(documents, Mapping):
        raise InputTypeError("documents is a mapping but the labels go by position; pass one document per element")
    values = as_vector(documents, "documents")
    if len(values) != len(left):
        raise InputError(
            f"{plural(len(values), 'document id')} for {plural(len(left), 'element')}; give one per element"
        )
    return named_documents(encode(values))


def _same_documents(left: Labels | None, right: Labels | None) -> Labels | None:
    if left is None or right is None or left is right:
        return left if left is not None else right
    count = len(left.codes)
    both = _together(left, right)
    apart = np.flatnonzero(both.codes[:count] != both.codes[count:])
    if len(apart):
        at = int(apart[0])
        told = " and ".join(repr(both.name(int(both.codes[k]))) for k in (at, count + at))
        raise InputError(
            f"{plural(len(apart), 'element')} in different documents in gold and pred (e.g. position {at}: {told}); "
            "an element is in one document"
        )
    return left


def _weights_by_position(weights: Any, count: int) -> Array | None:
    if weights is None:
        return None
    if isinstance(weights, Mapping):
        raise InputTypeError("weights is a mapping but the labels go by position; pass one weight per element")
    return _checked_weights(weights, count)


def _checked_weights(values: Any, count: int) -> Array:
    if isinstance(values, list):
        values = [float("nan") if value is None else value for value in values]
    numbers = vector_of_numbers(values, "weights").astype(np.float64)
    if len(numbers) != count:
        raise InputError(f"{plural(len(numbers), 'weight')} for {plural(count, 'element')}; give one per element")
    bad = ~np.isfinite(numbers) | (numbers < 0)
    if bad.any():
        raise InputError(
            f"{plural(int(bad.sum()), 'weight')} negative, NaN or infinite (e.g. {float(numbers[bad][0])!r}); "
            "weights are finite numbers from 0 up"
        )
    # only their proportions matter, and a sum of very large ones would overflow
    return numbers / numbers.max() if numbers.max(initial=0.0) > _HEAVY else numbers


def _by_id(left: Clustering, right: Clustering, policy: Policy, documents: Any, weights: Any) -> Pair:
    left, right = _empty_beside(left, right), _empty_beside(right, left)
    if left.ids is None or right.ids is None:
        by_position, by_id = ("gold", "pred") if left.ids is None else ("pred", "gold")
        raise ElementMismatch(
            f"{by_position} goes by position and {by_id} by element id, so they cannot be matched; give both the same "
            f"way, e.g. {by_position} as Clustering.from_labels(labels, elements=ids) or dict(zip(ids, labels))"
        )
    count = len(left)
    ids = encode(_joined(left.ids, right.ids))
    refuse_null_ids(ids)
    columns = [(ids.codes, len(ids.names))]
    sided: Labels | None = None
    if documents is None and left.documents is not None and right.documents is not None:
        sided = _together(left.documents, right.documents)
        columns.insert(0, (sided.codes, len(sided.names)))
    found = distinct(*columns, codes=True)
    _refuse_repeats(left, right, ids, found.codes)
    where_left = np.full(len(found), -1)
    where_right = np.full(len(found), -1)
    where_left[found.codes[:count]] = np.arange(count)
    where_right[found.codes[count:]] = np.arange(len(right))
    partner = where_right[found.codes[:count]]
    common, only_left = np.flatnonzero(partner >= 0), np.flatnonzero(partner < 0)
    only_right = np.flatnonzero(where_left[found.codes[count:]] < 0)
    if policy.noise_as == "drop" and policy.noise:
        # what is noise goes anyway, whichever side has it
        only_left = only_left[~is_noise(left.labels, policy)[only_left]]
        only_right = only_right[~is_noise(right.labels, policy)[only_right]]
    if policy.missing == "error" and (len(only_left) or len(only_right)):
        raise _mismatch(left.ids, right.ids, only_left, only_right)

    gold_codes, pred_codes = left.codes[common], right.codes[partner[common]]
    gold_size, pred_size = len(left.names), len(right.names)
    # an element's place in the joined ids: its gold place if it has one
    place = common
    after = count + only_right
    if policy.missing == "singleton":
        gold_codes = np.concatenate([gold_codes, left.codes[only_left], gold_size + np.arange(len(only_right))])
        pred_codes = np.concatenate([pred_codes, pred_size + np.arange(len(only_left)), right.codes[only_right]])
        gold_size, pred_size = gold_size + len(only_right), pred_size + len(only_left)
        place = np.concatenate([common, only_left, after])
    used = place if policy.missing != "keep" else np.concatenate([common, only_left, after])
    all_documents = _documents_by_id(left, right, documents, ids, sided, used, found.codes)
    gold_side = _side(left.labels, gold_codes, gold_size)
    pred_side = _side(right.labels, pred_codes, pred_size)
    kept = None if all_documents is None else all_documents.take(place)
    if policy.missing == "keep":
        gold_side = gold_side._replace(
            only=left.codes[only_left],
            only_documents=None if all_documents is None else all_documents.codes[only_left],
        )
        pred_side = pred_side._replace(
            only=right.codes[only_right],
            only_documents=None if all_documents is None else all_documents.codes[after],
        )
    elements = ids.take(place)
    return Pair(gold_side, pred_side, kept, _weights_by_id(weights, elements), elements, policy)


def _empty_beside(side: Clustering, other: Clustering) -> Clustering:
    """Nothing goes by position and by id alike, and is in every document."""
    if len(side) or side.ids is not None:
        return side
    documents = None if other.documents is None else other.documents.take(np.zeros(0, np.int64))
    return Clustering(side.labels, ids=[], documents=documents, options=side.options)


def _refuse_repeats(left: Clustering, right: Clustering, ids: Labels, codes: Array) -> None:
    """An id may stand in several documents only if both sides say in which."""
    for side, other, part in (("gold", "pred", codes[: len(left)]), ("pred", "gold", codes[len(left) :])):
        counts = np.bincount(part, minlength=1)
        if counts.max() > 1:
            at = int(np.flatnonzero(codes == int(counts.argmax()))[0])
            raise ElementMismatch(
                f"{plural(int((counts > 1).sum()), 'element')} in several documents of {side} (e.g. "
                f"{ids.name(int(ids.codes[at]))!r}), but {other} names no documents; name them on both sides"
            )


def _joined(left: Any, right: Any) -> Sequence[Any] | Array:
    if isinstance(left, np.ndarray) and isinstance(right, np.ndarray) and left.dtype.kind == right.dtype.kind:
        both = np.concatenate([left, right])
        # times of another unit overflow where theirs is too fine for them
        if left.dtype.kind not in "Mm" or all(
            np.array_equal(part.astype(values.dtype), values, equal_nan=True)
            for part, values in ((both[: len(left)], left), (both[len(left) :], right))
        ):
            return both
    return [*_listed(left), *_listed(right)]


def _listed(values: Sequence[Any] | Array) -> Sequence[Any]:
    """Values as Python has them; of NumPy's times it would have a number."""
    return values.tolist() if isinstance(values, np.ndarray) and values.dtype.kind not in "Mm" else list(values)


def _together(left: Labels, right: Labels) -> Labels:
    """Both sides' labels in common codes, one after the other."""
    names = encode([labels.name(k) for labels in (left, right) for k in range(len(labels.names))])
    codes = np.concatenate([names.codes[left.codes], names.codes[len(left.names) + right.codes.astype(np.int64)]])
    return names._replace(codes=codes)


def _spelled(labels: Labels) -> list[Any]:
    names = [labels.name(k) for k in range(len(labels.names))]
    return [names[code] for code in labels.codes.tolist()]


def _mismatch(left: Any, right: Any, only_left: Array, only_right: Array) -> ElementMismatch:
    told = [
        f"{plural(len(only), 'element')} {'is' if len(only) == 1 else 'are'} only in {side} "
        f"(e.g. {plain(ids[only[0]])!r})"
        for side, ids, only in (("gold", left, only_left), ("pred", right, only_right))
        if len(only)
    ]
    return ElementMismatch(" and ".join(told) + '; pass missing="drop" or "singleton"')


def _documents_by_id(
    left: Clustering, right: Clustering, documents: Any, ids: Labels, sided: Labels | None, used: Array, codes: Array
) -> Labels | None:
    """The document of every entry of the joined ids; gold comes first, so documents are in its order."""
    one = left.documents if left.documents is not None else right.documents
    if sided is None and documents is not None:
        if one is not None:
            raise InputError("documents= is given, but the clusterings already carry documents; give them once")
        if not isinstance(documents, Mapping):
            raise InputTypeError("the elements have ids; pass documents as a mapping element -> document")
        known, entry = np.unique(ids.codes, return_inverse=True)  # integer ids are their own codes, with gaps
        names = [ids.name(k) for k in known.tolist()]
        lacking = [name for name in names if name not in documents]
        if lacking:
            raise InputError(f"{plural(len(lacking), 'element')} without a document (e.g. {lacking[0]!r})")
        sided = named_documents(encode([documents[name] for name in names])).take(entry)
    elif sided is None and one is not None:
        # one side only knows the documents: an element takes its document from there
        side, at = ("gold", slice(0, len(left))) if left.documents is not None else ("pred", slice(len(left), None))
        none = len(one.names)
        document = np.full(int(codes.max(initial=-1)) + 1, none)
        document[codes[at]] = one.codes
        sided = Labels(document[codes], [*one.names, None], none)
        lacking = used[sided.codes[used] == none]
        if len(lacking):
            raise InputError(
                f"only {side} carries documents, and {plural(len(lacking), 'element')} (e.g. "
                f"{ids.name(int(ids.codes[lacking[0]]))!r}) {'is' if len(lacking) == 1 else 'are'} not in it; add a "
                "document column to both"
            )
    return None if sided is None else in_order(sided)


def _weights_by_id(weights: Any, elements: Labels) -> Array | None:
    if weights is None:
        return None
    if not isinstance(weights, Mapping):
        raise InputTypeError("the elements have ids; pass weights as a mapping element -> weight")
    names = _spelled(elements)
    lacking = [name for name in names if name not in weights]
    if lacking:
        raise InputError(f"{plural(len(lacking), 'element')} without a weight (e.g. {lacking[0]!r})")
    return _checked_weights([weights[name] for name in names], len(names))


def _refuse_null(side: Clustering, policy: Policy, which: str) -> None:
    if side.labels.null is None or policy.names_null:
        return
    at = np.flatnonzero(side.codes == side.labels.null)
    example = f"position {at[0]}" if side.ids is None else f"element {plain(side.ids[at[0]])!r}"
    raise InputError(
        f"{which} has {plural(len(at), 'element')} with no label (None or NaN, e.g. {example}); pass noise=[None] with "
        'noise_as="drop" or "singleton", or give them a label'
    )
